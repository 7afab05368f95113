use std::collections::BTreeMap;

use domain::{
    audit::{AuditKind, AuditOutcome},
    permission::Role,
    sensitivity::Clearance,
};
use service::workflows::apply::ApplyWorkflow;

use super::{channel, sink};
use crate::{
    app::{App, FALLBACK_TEAM, command_line, on_both},
    browser::Browser,
    words::INVOICES,
};

async fn admin<'a>(app: &'a App, name: &str) -> Browser<'a> {
    app.signed_in_with(name, Role::Admin, FALLBACK_TEAM, Clearance::Internal).await
}

on_both! {
    async fn an_admin_makes_a_channel_tries_it_out_changes_it_and_disables_it(app) {
        let sink = sink(app).await;
        let ada = admin(app, "Ada").await;
        let url = format!("{}/ok?token=hidden-path", sink.url);
        let fields = [("name", "ops-chat"), ("kind", "webhook"), ("url", url.as_str()), ("allow_private", "yes")];
        let (made, entries) = app.audited(ada.post("/admin/channels", &fields)).await;
        assert_eq!(made.location(), "/admin/channels/ops-chat?done=channel");
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::ChannelAdded, AuditOutcome::Done));
        ada.post("/admin/channels", &fields).await.is(409);

        assert_eq!(ada.post("/admin/channels/ops-chat/test", &[]).await.location(), "/admin/channels/ops-chat?done=test-arrived");
        assert_eq!(sink.lines().len(), 1);
        let page = ada.get("/admin/channels/ops-chat?done=test-arrived").await.is(200).text();
        assert!(page.contains("The test arrived.") && page.contains("asked for by Ada") && page.contains("works"), "{page}");
        assert!(!page.contains("hidden-path"), "the path may be all that protects the receiver");

        let wrong = format!("{}/500", sink.url);
        let change = [("version", "1"), ("kind", "webhook"), ("url", wrong.as_str()), ("allow_private", "yes")];
        ada.post("/admin/channels/ops-chat/change", &change).await.is(303);
        ada.post("/admin/channels/ops-chat/change", &change).await.is(409);
        assert_eq!(ada.post("/admin/channels/ops-chat/test", &[]).await.location(), "/admin/channels/ops-chat?done=test-failed");
        let page = ada.get("/admin/channels").await.is(200).text();
        assert!(page.contains("failing") && page.contains("It answered 500"), "{page}");
        assert_eq!(super::post_due(&app.service).await, 0, "a test is tried once");

        let stale: [&[(&str, &str)]; 2] = [&[], &[("version", "1")]];
        for stale in stale {
            let page = ada.post("/admin/channels/ops-chat/disable", stale).await.is(409).text();
            assert!(page.contains("value=\"2\""), "the page shows it as it is now: {page}");
        }
        ada.post("/admin/channels/ops-chat/disable", &[("version", "2")]).await.is(303);
        assert!(ada.get("/admin/channels/ops-chat").await.is(200).text().contains("Ada disabled it."));
        ada.post("/admin/channels/ops-chat/enable", &[("version", "2")]).await.is(409);
        ada.post("/admin/channels/ops-chat/enable", &[("version", "3")]).await.is(303);
        ada.get("/admin/channels/nowhere").await.is(404);
    }

    async fn what_was_typed_wrong_is_told_at_its_field_and_still_there(app) {
        let ada = admin(app, "Ada").await;
        let fields = [("name", "Ops chat"), ("kind", "slack"), ("url", "http://hooks.example/T1"), ("secret", "RECOURSE_SECRET_X")];
        let page = ada.post("/admin/channels", &fields).await.is(422).text();
        for told in ["such as ops-chat", "must be an https address", "Only a webhook is signed", "value=\"Ops chat\""] {
            assert!(page.contains(told), "{told}: {page}");
        }
        let outside = [("name", "ops-chat"), ("kind", "slack"), ("url", "http://93.184.216.34/T1"), ("allow_private", "yes")];
        let told = ada.post("/admin/channels", &outside).await.is(422).text();
        assert!(told.contains("http is for private addresses"), "{told}");
        assert!(page.contains("E-mail") && page.contains("Not set up"), "{page}");
        ada.post("/admin/mail/test", &[]).await.is(422);
    }

    async fn a_file_that_names_an_unknown_channel_is_applied_with_a_warning(app) {
        let named = "[[workflow.escalate]]\nafter = \"1h\"\nteam = \"finance-ops\"\nnotify = [\"app\", \"webhook:ops-chat\"]\n";
        let file = INVOICES.replacen("[[step]]", &format!("{named}[[step]]"), 1);
        let apply = async || {
            let action = ApplyWorkflow::new(file.clone(), BTreeMap::new(), true).unwrap();
            app.service.run(&command_line(), action).await.unwrap().warnings
        };
        let [warning] = &apply().await[..] else { panic!("one warning") };
        assert!(warning.contains("ops-chat"), "{warning}");
        channel(app, "ops-chat", "slack", "https://hooks.example/T1", "").await;
        assert!(apply().await.is_empty());
    }
}

use chrono::TimeDelta;
use domain::{notice::Topic, permission::Role, sensitivity::Clearance};
use rehearsal::systems::{Manner, PostOffice};
use service::DuePosting;

use super::{To, channel, happens, post_due, process, set_role, with_mail};
use crate::app::{App, FALLBACK_TEAM, command_line, on_both};

/// Why the last e-mail that did not arrive did not.
async fn why(app: &App) -> String {
    let seen = app.service.channels(&command_line()).await.unwrap();
    seen.failing.first().and_then(|posting| posting.last_error.clone()).unwrap_or_default()
}

on_both! {
    set up by with_mail;

    async fn an_e_mail_says_the_same_twice_and_where_to_go_on(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let amara = app.service.account_of(&email).await.unwrap();
        assert!(happens(&app.service, To::Person(amara, Topic::Account)).await);
        assert_eq!(post_due(&process).await, 1);
        let [mail] = &office.delivered()[..] else { panic!("one e-mail") };
        assert_eq!((mail.from.as_str(), mail.to.as_slice()), ("recourse@example.test", &[email][..]));
        let text = &mail.text;
        for part in ["Subject: 3 items of <create_invoice> wait & nobody works them", "Auto-Submitted: auto-generated", "multipart/alternative", "text/plain", "text/html", "Message-ID: <", "Owner: finance-ops"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let html = text.split("text/html").nth(1).unwrap().replace("=\r\n", "");
        assert!(html.contains("&lt;create_invoice&gt;") && !html.contains("<img"), "{html}");
        assert_eq!((post_due(&process).await, office.delivered().len()), (0, 1));
        process.close().await;
    }

    async fn a_server_that_hangs_refuses_puts_off_or_wants_encryption_is_told_and_tried_again(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let amara = app.service.account_of(&email).await.unwrap();
        happens(&app.service, To::Person(amara, Topic::Account)).await;
        for (manner, word) in [
            (Manner::HangsAtOnce, "within 1 s"),
            (Manner::HangsAtTheEnd, "within 1 s"),
            (Manner::Refuses, "No such user"),
            (Manner::PutsOff, "Try again later"),
            (Manner::WantsTls, "STARTTLS"),
        ] {
            office.treat(manner);
            assert_eq!(post_due(&process).await, 1, "{manner:?}");
            let told = why(app).await;
            assert!(told.contains(word), "{manner:?}: {told}");
            app.later(TimeDelta::hours(4));
        }
        office.treat(Manner::Takes);
        assert_eq!(post_due(&process).await, 1);
        assert_eq!((office.delivered().len(), why(app).await.as_str()), (1, ""));
        process.close().await;
    }

    async fn where_encryption_is_asked_for_nothing_is_sent_without_it(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &format!("{}?tls=required", office.url)).await;
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        happens(&app.service, To::Person(app.service.account_of(&email).await.unwrap(), Topic::Account)).await;
        assert_eq!(post_due(&process).await, 1);
        assert!(why(app).await.contains("STARTTLS"), "{}", why(app).await);
        assert!(office.delivered().is_empty());
        process.close().await;
    }

    async fn what_the_account_is_told_comes_by_e_mail_and_tries_name_the_same_message(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let amara = app.service.account_of(&email).await.unwrap();
        set_role(&app.service, amara, Role::Auditor).await;
        let [DuePosting { id, .. }] = app.service.postings_due().await.unwrap()[..] else { panic!("one is due") };
        office.treat(Manner::PutsOff);
        post_due(&process).await;
        office.treat(Manner::Takes);
        app.later(TimeDelta::minutes(1));
        assert_eq!(post_due(&process).await, 1);
        let [mail] = &office.delivered()[..] else { panic!("one e-mail") };
        assert!(mail.text.contains(&format!("Message-ID: <{id}@example.test>")), "{}", mail.text);
        assert!(mail.text.contains("command line changed what you may do"), "{}", mail.text);
        process.close().await;
    }

    async fn an_admin_sees_how_tellings_go_and_not_what_they_say_or_to_whom(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let email = app.add("Amara", &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        let amara = app.service.account_of(&email).await.unwrap();
        let ada = app.signed_in("Ada", Role::Admin, FALLBACK_TEAM).await;
        channel(app, "nobody", "webhook", "https://10.0.0.1/", "").await;
        happens(&app.service, To::Channel("nobody")).await;
        happens(&app.service, To::Person(amara, Topic::Account)).await;
        set_role(&app.service, amara, Role::Auditor).await;
        office.treat(Manner::Refuses);
        while post_due(&process).await > 0 {}
        let page = ada.get("/admin/channels").await.is(200).text();
        for told in ["E-mails that did not arrive", "Something is late", "Rights were changed", "No such user"] {
            assert!(page.contains(told), "{told}: {page}");
        }
        let of_channel = ada.get("/admin/channels/nobody").await.is(200).text();
        assert!(of_channel.contains("Something is late"), "{of_channel}");
        for page in [&page, &of_channel] {
            for hidden in ["create_invoice", "changed what you may do", "amara@example.test"] {
                assert!(!page.contains(hidden), "{hidden}: {page}");
            }
        }
        process.close().await;
    }
}

use std::collections::BTreeSet;

use chrono::TimeDelta;
use domain::{
    audit::{AuditKind, AuditOutcome},
    notice::Topic,
    permission::Role,
    sensitivity::Clearance,
};
use rehearsal::systems::{Manner, PostOffice};
use serde_json::json;
use service::people::{
    change::SetTeams,
    leave::{Account, DeletePerson, DisablePerson},
};

use super::{To, happens, post_due, process, set_role, with_mail};
use crate::{
    app::{PASSWORD, command_line, on_both},
    words::{self, report, time, with},
};

const ASKS_PASSWORD: &str = "Your password, to confirm that it is you";

/// How many topics are ticked on the page.
fn ticked(page: &str) -> usize {
    let boxes = page.split("name=\"topic:").skip(1);
    boxes.filter(|rest| rest.split('>').next().unwrap().contains("checked")).count()
}

/// What is chosen on the page for alerts.
fn alerts(page: &str) -> &str {
    let select = page.split("name=\"alerts\"").nth(1).unwrap().split("</select>").next().unwrap();
    let chosen = select.split("<option").find(|option| option.split('>').next().unwrap().contains("selected")).unwrap();
    chosen.split("value=\"").nth(1).unwrap().split('"').next().unwrap()
}

on_both! {
    set up by with_mail;

    async fn who_chose_nothing_gets_e_mails_about_their_account_only(app) {
        let browser = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let amara = app.service.account_of("amara@example.test").await.unwrap();
        for topic in Topic::ALL {
            let sent = happens(&app.service, To::Person(amara, *topic)).await;
            assert_eq!(sent, *topic == Topic::Account, "{topic}");
        }
        let page = browser.get("/me/notices").await.is(200).text();
        assert_eq!((ticked(&page), alerts(&page)), (1, "as_asked"), "{page}");

        let chosen = [("topic:items", "yes"), ("alerts", "always")];
        let (saved, entries) = app.audited(browser.post("/me/notices", &chosen)).await;
        assert_eq!(saved.location(), "/me/notices?done=choices");
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::NoticesChosen, AuditOutcome::Done));
        for topic in Topic::ALL {
            let sent = happens(&app.service, To::Person(amara, *topic)).await;
            assert_eq!(sent, matches!(topic, Topic::Items | Topic::Alerts), "{topic}");
        }
        let page = browser.get("/me/notices").await.is(200).text();
        assert_eq!((ticked(&page), alerts(&page)), (1, "always"), "{page}");
        assert_eq!(app.database.rows("notice_choice").await, 3, "items, alerts and account are not as by default");
        for wrong in [("topic:gossip", "yes"), ("topic:alerts", "yes"), ("alerts", "sometimes")] {
            browser.post("/me/notices", &[wrong]).await.is(422);
        }
        browser.post("/me/notices", &[("topic:account", "yes"), ("alerts", "as_asked")]).await.is(303);
        assert_eq!(app.database.rows("notice_choice").await, 0, "what is as by default is not kept");
    }

    async fn what_protects_the_account_is_silenced_only_by_who_confirms_that_it_is_them(app) {
        let browser = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        app.later(TimeDelta::minutes(10));
        browser.post("/me/notices", &[("topic:account", "yes"), ("topic:items", "yes")]).await.is(303);
        let silence = [("topic:approvals", "yes"), ("alerts", "never"), ("quiet_from", "22:00"), ("quiet_to", "07:00"), ("quiet_zone", "Europe/Oslo")];
        let (refused, entries) = app.audited(browser.post("/me/notices", &silence)).await;
        let page = refused.is(403).text();
        assert!(page.contains(ASKS_PASSWORD) && page.contains("value=\"22:00\""), "{page}");
        assert_eq!((ticked(&page), alerts(&page)), (1, "never"), "nothing that was chosen is lost");
        assert_eq!((entries.len(), entries[0].action, entries[0].outcome), (1, AuditKind::NoticesChosen, AuditOutcome::Refused));
        let confirmed = |password| silence.into_iter().chain([("confirm", password)]).collect::<Vec<_>>();
        let page = browser.post("/me/notices", &confirmed("wrong horse battery")).await.is(422).text();
        assert!(page.contains("The password is wrong.") && alerts(&page) == "never", "{page}");
        let amara = app.service.account_of("amara@example.test").await.unwrap();
        assert!(happens(&app.service, To::Person(amara, Topic::Account)).await, "nothing was changed");

        browser.post("/me/notices", &confirmed(PASSWORD)).await.is(303);
        assert!(!happens(&app.service, To::Person(amara, Topic::Account)).await);
        app.later(TimeDelta::minutes(10));
        let page = browser.get("/me/notices").await.is(200).text();
        assert!(!page.contains(ASKS_PASSWORD), "what is silent already may stay so");
        browser.post("/me/notices", &silence).await.is(303);
        browser.post("/me/notices", &[("topic:account", "yes")]).await.is(303);
        assert!(happens(&app.service, To::Person(amara, Topic::Account)).await);
    }

    async fn quiet_hours_hold_back_all_but_what_protects_the_account(app) {
        let browser = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let amara = app.service.account_of("amara@example.test").await.unwrap();
        // It is 11:00 in Oslo.
        let wrong = [("quiet_from", "09:00"), ("quiet_to", "12:30"), ("quiet_zone", "Oslo")];
        let page = browser.post("/me/notices", &wrong).await.is(422).text();
        assert!(page.contains("such as Europe/Oslo") && page.contains("value=\"Oslo\""), "{page}");
        let quiet = [("topic:items", "yes"), ("topic:account", "yes"), ("quiet_from", "09:00"), ("quiet_to", "12:30"), ("quiet_zone", "Europe/Oslo")];
        browser.post("/me/notices", &quiet).await.is(303);
        assert!(happens(&app.service, To::Person(amara, Topic::Items)).await);
        assert_eq!(app.service.postings_due().await.unwrap().len(), 0);
        assert!(happens(&app.service, To::Person(amara, Topic::Account)).await);
        assert_eq!(app.service.postings_due().await.unwrap().len(), 1);
        app.later(TimeDelta::minutes(89));
        assert_eq!(app.service.postings_due().await.unwrap().len(), 1);
        app.later(TimeDelta::minutes(1));
        assert_eq!(app.service.postings_due().await.unwrap().len(), 2);
    }

    async fn what_is_chosen_and_quiet_hours_count_when_an_e_mail_is_tried_again(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let browser = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let amara = app.service.account_of("amara@example.test").await.unwrap();
        // It is 11:00 in Oslo.
        let quiet = [("topic:account", "yes"), ("alerts", "always"), ("quiet_from", "12:00"), ("quiet_to", "13:00"), ("quiet_zone", "Europe/Oslo")];
        browser.post("/me/notices", &quiet).await.is(303);
        assert!(happens(&app.service, To::Person(amara, Topic::Alerts)).await);
        office.treat(Manner::PutsOff);
        assert_eq!(post_due(&process).await, 1);
        office.treat(Manner::Takes);
        app.later(TimeDelta::minutes(60));
        assert_eq!([post_due(&process).await, post_due(&process).await], [1, 0], "it is quiet now");
        let seen = app.service.channels(&command_line()).await.unwrap();
        assert_eq!((seen.failing[0].tries, office.delivered().len()), (1, 0));
        app.later(TimeDelta::minutes(60));
        assert_eq!((post_due(&process).await, office.delivered().len()), (1, 1));

        assert!(happens(&app.service, To::Person(amara, Topic::Alerts)).await);
        browser.post("/me/notices", &[("topic:account", "yes"), ("alerts", "never")]).await.is(303);
        assert_eq!([post_due(&process).await, post_due(&process).await], [1, 0]);
        let seen = app.service.channels(&command_line()).await.unwrap();
        assert!(seen.failing.is_empty(), "nothing failed: {seen:?}");
        let why = seen.withheld[0].last_error.as_deref();
        assert_eq!((why, office.delivered().len()), (Some("They chose to be told of this in the app only."), 1));
        process.close().await;
    }

    /// As an identity provider may name somebody.
    async fn whoever_has_no_address_is_told_in_the_app(app) {
        let browser = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let amara = app.service.account_of("amara@example.test").await.unwrap();
        assert!(happens(&app.service, To::Person(amara, Topic::Account)).await);
        app.database.change_address("amara@example.test", "S-1-5-21-1004").await;
        assert!(!happens(&app.service, To::Person(amara, Topic::Account)).await);
        set_role(&app.service, amara, Role::Supervisor).await;
        assert!(browser.get("/notices").await.is(200).words().contains("changed what you may do"));
        browser.get("/me/notices").await.is(200);
    }

    async fn whoever_has_left_gets_nothing(app) {
        for name in ["Amara", "Bo"] {
            app.add(name, &[Role::Operator], &["finance-ops"], Clearance::Internal).await;
        }
        let amara = app.service.account_of("amara@example.test").await.unwrap();
        let bo = app.service.account_of("bo@example.test").await.unwrap();
        assert!(happens(&app.service, To::Person(amara, Topic::Account)).await);
        assert!(happens(&app.service, To::Person(bo, Topic::Account)).await);
        app.service.run(&command_line(), DisablePerson(Account::Id(amara))).await.unwrap();
        app.service.run(&command_line(), DeletePerson(bo)).await.unwrap();
        assert_eq!(app.database.rows("posting").await, 1, "of a deleted account nothing is kept");
        assert_eq!(post_due(&app.service).await, 1);
        let seen = app.service.channels(&command_line()).await.unwrap();
        assert_eq!(seen.withheld[0].last_error.as_deref(), Some("The account is closed."));
        let ada = app.signed_in("Ada", Role::Admin, "finance-ops").await;
        let page = ada.get("/admin/channels").await.is(200).text();
        for told in ["Nothing that was sent lately failed.", "not sent", "The account is closed."] {
            assert!(page.contains(told), "{told}: {page}");
        }
        for wrong in ["given up", "E-mails that did not arrive", "amara@example.test"] {
            assert!(!page.contains(wrong), "{wrong}: {page}");
        }
        assert!(!happens(&app.service, To::Person(amara, Topic::Account)).await);
        app.later(TimeDelta::days(31));
        assert_eq!((app.service.sweep_postings().await.unwrap(), app.database.rows("posting").await), (1, 0));
    }

    async fn who_may_not_see_an_item_any_more_gets_no_e_mail_about_it(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let sync = app.invoices().await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let browser = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        let jonas = app.service.account_of("jonas@example.test").await.unwrap();
        browser.post("/me/notices", &[("topic:account", "yes"), ("topic:items", "yes"), ("alerts", "as_asked")]).await.is(303);
        let id = sync.reported(&with(report("INV-1"), json!({ "business_ref": "Invoice 7" }))).await;
        let say = json!({ "text": "@jonas@example.test: look." });
        // What their accounts were told, the token for one, is out of the way.
        while post_due(&process).await > 0 {}
        let before = office.delivered().len();
        amara.act(&id, "comment", say.clone()).await.is(200);
        assert_eq!((post_due(&process).await, office.delivered().len()), (1, before + 1));

        amara.act(&id, "comment", say).await.is(200);
        office.treat(Manner::PutsOff);
        assert_eq!(post_due(&process).await, 1);
        let version = app.service.person(&command_line(), jonas).await.unwrap().listed.row.version;
        app.service.run(&command_line(), SetTeams { person: jonas, version, teams: BTreeSet::new() }).await.unwrap();
        office.treat(Manner::Takes);
        app.later(TimeDelta::minutes(1));
        assert_eq!([post_due(&process).await, post_due(&process).await], [2, 0]);
        let mails = office.delivered();
        let about_it: Vec<_> = mails[before..].iter().map(|mail| mail.text.contains("Invoice 7")).collect();
        assert_eq!(about_it, [true, false], "that they left the team is told");
        let seen = app.service.channels(&command_line()).await.unwrap();
        let why = seen.withheld[0].last_error.as_deref();
        assert_eq!(why, Some("They may not see the item any more."));
        process.close().await;
    }

    async fn who_lost_an_item_is_told_that_by_e_mail_and_nothing_else_of_it(app) {
        let office = PostOffice::start().await.unwrap();
        let process = process(app, &office.url).await;
        let sync = app.invoices().await;
        app.register(words::REPLIES).await;
        let amara = app.script("Amara", Role::Operator, "finance-ops").await;
        let sam = app.signed_in("Sam", Role::Operator, "support").await;
        sam.post("/me/notices", &[("topic:account", "yes"), ("alerts", "always")]).await.is(303);
        let script = app.script_of("sam@example.test", &[]).await;
        let id = sync.reported(&report("INV-1")).await;
        let by = time(app.service.now() + TimeDelta::hours(2));
        let to = |team: &str| json!({ "team": team, "reason": "It is urgent", "respond_by": by });
        amara.act(&id, "escalate", to("support")).await.is(200);
        script.act(&id, "claim", json!({})).await.is(200);
        amara.act(&id, "escalate", to("finance-ops")).await.is(200);
        sam.get(&format!("/items/{id}")).await.is(404);
        while post_due(&process).await > 0 {}
        let texts: Vec<_> = office.delivered().iter().map(|mail| mail.text.replace("=\r\n", "")).collect();
        let saying = |words: &str| texts.iter().filter(|text| text.contains(words)).count();
        assert_eq!([saying("which you worked or answered for"), saying("to your team")], [1, 0], "{texts:?}");
        assert_eq!(app.service.channels(&command_line()).await.unwrap().withheld.len(), 1);
        process.close().await;
    }
}

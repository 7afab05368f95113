//! Changes that another site asks for are refused, with nothing changed (C26).

use chrono::TimeDelta;
use domain::permission::Role;
use serde_json::json;

use crate::{
    app::{PASSWORD, on_both},
    words::{report, time, with},
};

on_both! {
    async fn c26_a_form_of_another_site_changes_nothing(app) {
        let sync = app.invoices().await;
        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + TimeDelta::hours(1)) });
        let id = sync.reported(&with(report("INV-1"), plan)).await;
        let kept = sync.report_text("{").await.kept(400, "malformed");
        let amara = app.signed_in("Amara", Role::Supervisor, "finance-ops").await;
        let tess = app.signed_in("Tess", Role::Supervisor, "triage").await;
        let link = app.service.invite_first_admin().await.unwrap();
        assert!(link.is_none());

        let cancel = format!("/items/{id}/cancel_retry");
        let (accept, close) = (format!("/quarantine/{kept}/accept"), format!("/quarantine/{kept}/close"));
        let mapped = [("mode", "map"), ("note", "x"), ("workflow", "invoice-sync"), ("step", "pay"), ("dedupe_key", "k"), ("lane", "dead_letter"), ("effect", "none"), ("message", "m")];
        let forms: [(&str, &[(&str, &str)]); 6] = [
            (&cancel, &[("reason", "x")]), (&accept, &mapped), (&close, &[("note", "x")]), ("/sign-out", &[]), ("/theme", &[("theme", "dark")]),
            ("/sign-in", &[("email", "amara@example.test"), ("password", PASSWORD)]),
        ];
        let own = app.url.clone();
        let https = own.replace("http://", "https://");
        let port = own.rsplit_once(':').unwrap().1.to_owned();
        let lookalikes = [
            format!("http://127.0.0.1.evil.example:{port}"), "http://evil.example".into(), format!("{own}.evil.example"), format!("http://evil.example/?{own}"), format!("http://127.0.0.1:{port}0"),
            "http://127.0.0.1".into(), format!("http://localhost:{port}"), format!("http://user@127.0.0.1:{port}"), "null".into(), "file://".into(), "x".into(), format!("ftp://127.0.0.1:{port}"),
        ];
        let mut froms: Vec<Vec<(&str, &str)>> = vec![
            vec![("sec-fetch-site", "cross-site")], vec![("sec-fetch-site", "same-site")], vec![("sec-fetch-site", "nonsense")],
            vec![("sec-fetch-site", "cross-site"), ("origin", &own)], vec![("sec-fetch-site", "same-site"), ("origin", &https)],
        ];
        froms.extend(lookalikes.iter().map(|origin| vec![("origin", origin.as_str())]));

        let before = app.database.content_without(&[]).await;
        for (path, fields) in forms {
            for from in &froms {
                for browser in [&amara, &tess] {
                    let answer = browser.post_from(path, fields, from).await;
                    assert_eq!(answer.status, 403, "{path} {from:?}: {}", answer.text());
                    assert!(answer.headers.get("set-cookie").is_none(), "{path} {from:?}");
                }
            }
        }
        assert_eq!(app.database.content_without(&[]).await, before);

        for from in [vec![("origin", own.as_str())], vec![("sec-fetch-site", "same-origin")], vec![("sec-fetch-site", "none")], vec![]] {
            amara.post_from("/theme", &[("theme", "dark")], &from).await.is(303);
        }
        amara.post(&cancel, &[("reason", "x")]).await.is(303);
        tess.post(&close, &[("note", "x")]).await.is(303);
    }

    async fn c26_no_change_is_made_by_looking_at_an_address(app) {
        let sync = app.invoices().await;
        let plan = json!({ "next_attempt_by_automation_at": time(app.service.now() + TimeDelta::hours(1)) });
        let id = sync.reported(&with(report("INV-1"), plan)).await;
        let kept = sync.report_text("{").await.kept(400, "malformed");
        let amara = app.signed_in("Amara", Role::Supervisor, "finance-ops").await;
        let tess = app.signed_in("Tess", Role::Supervisor, "triage").await;
        let before = app.database.content_without(&[]).await;
        for method in ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"] {
            for path in [
                format!("/items/{id}/cancel_retry?reason=x"), format!("/quarantine/{kept}/close?note=x"), format!("/quarantine/{kept}/accept?mode=unchanged&note=x"),
                "/sign-out".into(), "/theme?theme=dark".into(), "/sign-in?email=amara@example.test&password=x".into(), "/calls/arrivals?query=&since=0".into(),
            ] {
                for browser in [&amara, &tess] {
                    let request = browser.request(method, &path).header("sec-fetch-site", "same-origin");
                    let answer = browser.exchange(request).await;
                    assert!(answer.status < 500, "{method} {path}: {} {}", answer.status, answer.text());
                    assert!(answer.headers.get("set-cookie").is_none(), "{method} {path}");
                }
            }
        }
        assert_eq!(app.database.content_without(&[]).await, before);
    }

    async fn automations_have_no_origin_and_are_not_stopped(app) {
        let sync = app.invoices().await;
        sync.report(&report("INV-1")).await.is(201);
        let foreign = sync.request("POST", "/api/v1/items").header("origin", "https://evil.example").header("sec-fetch-site", "cross-site");
        let answer = crate::wire::Answer::to(foreign.body(report("INV-2").to_string())).await;
        answer.problem(403, "cross_site");
        for (method, path) in [("PATCH", "/api/v1/items/x"), ("POST", "/api/v1/items/batch"), ("POST", "/api/nowhere")] {
            let foreign = sync.request(method, path).header("sec-fetch-site", "cross-site").body("{}");
            crate::wire::Answer::to(foreign).await.problem(403, "cross_site");
        }
        assert_eq!(app.database.rows("item").await, 1, "a script of another site can't use a token it got hold of from a browser");
    }
}

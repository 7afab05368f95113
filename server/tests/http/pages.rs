//! Every page: for whom it opens, what it carries, and that looking changes nothing.

use std::collections::{BTreeSet, VecDeque};

use chrono::TimeDelta;
use domain::permission::Role;
use rehearsal::samples;
use serde_json::json;

use crate::{
    app::{App, on_both},
    browser::Browser,
    wire::Answer,
    words::{report, time, with},
};

/// Insists on what every page carries, and that only its own scripts run.
#[track_caller]
pub(crate) fn is_a_safe_page(path: &str, page: &Answer) {
    let (html, policy) = (page.text(), page.header("content-security-policy"));
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap_or_default();
    assert!(nonce.len() >= 16, "{path}: {policy}");
    for part in [
        "default-src 'self'",
        "'strict-dynamic'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "object-src 'none'",
    ] {
        assert!(policy.contains(part), "{path}: {policy}");
    }
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{path}: {policy}");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(page.header(name), value, "{path} {name}");
    }
    assert!(page.header("content-type").starts_with("text/html"), "{path}");
    assert!(html.starts_with("<!DOCTYPE html>"), "{path}: {}", &html[..html.len().min(200)]);
    for script in html.split("<script").skip(1) {
        let tag = script.split('>').next().unwrap();
        assert!(tag.contains(&format!("nonce=\"{nonce}\"")), "{path}: <script{tag}>");
    }
    for tag in html.split('<').filter_map(|rest| rest.split('>').next()) {
        let names: String = tag.split('"').step_by(2).collect();
        assert!(!names.contains(" on") && !names.contains(" style="), "{path}: <{tag}>");
    }
}

/// Work of every kind: open, uncertain, planned, closed, doubled, in quarantine and dealt with.
async fn busy_place(app: &App) -> Vec<String> {
    let sync = app.invoices().await;
    let now = app.service.now();
    let open =
        sync.reported(&with(report("INV-1"), json!({ "business_ref": "INV-1", "correlation_id": "run-1" }))).await;
    let planned = sync
        .reported(&with(
            report("INV-2"),
            json!({ "correlation_id": "run-1", "next_attempt_by_automation_at": time(now + TimeDelta::hours(1)) }),
        ))
        .await;
    let running = sync.reported(&with(report("INV-3"), json!({ "step": "extract" }))).await;
    sync.attempt(&running, &json!({})).await.is(201);
    let review = sync.reported(&with(report("INV-4"), json!({ "lane": "needs_review", "effect": { "status": "none" }, "ai": { "model": "m", "confidence": 0.5 } }))).await;
    let closed = sync.reported(&report("INV-5")).await;
    app.later(TimeDelta::minutes(1));
    sync.patch(&closed, &json!({ "succeeded": { "record_id": "L-1" } })).await.is(200);
    let doubled = sync.reported(&report("INV-6")).await;
    sync.patch(&doubled, &json!({ "succeeded": { "record_id": "L-2" } })).await.is(200);
    sync.attempt(&doubled, &json!({ "outcome": "succeeded", "record_id": "L-3" })).await.is(201);
    let elsewhere = sync.reported(&with(report("INV-7"), json!({ "payload": null, "payload_ref": "s3://x" }))).await;
    let kept = [
        sync.report_text("{").await.kept(400, "malformed"),
        sync.report(&with(report("Q-1"), json!({ "x": 1 }))).await.kept(422, "invalid"),
    ];
    let about = sync.attempt(&open, &json!({ "outcome": "in", "x": 1 })).await.kept(422, "invalid");
    let sam = app.signed_in("Sam", Role::Supervisor, "finance-ops").await;
    sam.post(&format!("/quarantine/{}/close", kept[1]), &[("note", "a test of ours")]).await.is(303);
    let items = [open, planned, running, review, closed, doubled, elsewhere].map(|id| format!("/items/{id}"));
    let cases = [&kept[0], &kept[1], &about].map(|id| format!("/quarantine/{id}"));
    items.into_iter().chain(cases).collect()
}

/// The places on our own site that a page leads to.
fn links(page: &Answer) -> Vec<String> {
    let text = page.text();
    let hrefs = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    hrefs
        .filter(|href| href.starts_with('/') && !href.starts_with("//"))
        .map(|href| href.split('#').next().unwrap().replace("&amp;", "&"))
        .collect()
}

/// Follows every link from the first page on.
async fn crawl(browser: &Browser<'_>) -> BTreeSet<String> {
    let (mut seen, mut waiting) = (BTreeSet::from(["/".to_owned()]), VecDeque::from(["/".to_owned()]));
    while let Some(path) = waiting.pop_front() {
        let answer = browser.get(&path).await;
        assert!(
            matches!(answer.status, 200 | 303 | 404 if answer.status != 404 || path.starts_with("/pkg")),
            "{path}: {} {}",
            answer.status,
            answer.text()
        );
        let mut found =
            if answer.header("content-type").starts_with("text/html") { links(&answer) } else { Vec::new() };
        found.extend((answer.status == 303).then(|| answer.location().to_owned()));
        for link in found {
            if seen.insert(link.clone()) {
                waiting.push_back(link);
            }
        }
        assert!(seen.len() < 2_000, "the site does not end");
    }
    seen
}

on_both! {
    async fn every_page_opens_for_its_role_and_is_refused_as_a_page_to_the_others(app) {
        let mut paths = busy_place(app).await;
        let ward: Vec<_> = paths.iter().filter(|path| path.starts_with("/quarantine/")).cloned().collect();
        paths.extend(["/queue", "/quarantine", "/quarantine?view=done"].map(str::to_owned));
        for (name, role, team) in [("Olga", Role::Operator, "finance-ops"), ("Sue", Role::Supervisor, "finance-ops"), ("Aud", Role::Auditor, "nowhere")] {
            let browser = app.signed_in(name, role, team).await;
            for path in &paths {
                let page = browser.get(path).await;
                // What nobody could read belongs to the fallback team.
                let theirs = role == Role::Auditor || *path != ward[0];
                assert_eq!(page.status, if theirs { 200 } else { 404 }, "{role} {path}: {}", page.shown());
                is_a_safe_page(path, &page);
            }
        }
        let admin = app.signed_in("Ada", Role::Admin, "finance-ops").await;
        for path in &paths {
            let page = admin.get(path).await;
            if *path == ward[0] {
                assert_eq!(page.status, 404, "{path}: {}", page.shown());
            } else {
                assert_eq!(page.status, 403, "{path}: {}", page.shown());
                assert!(page.text().contains("items.read"), "{path} says what is missing");
            }
            is_a_safe_page(path, &page);
        }
        let olga = app.browser();
        olga.sign_in("olga@example.test").await.is(303);
        let refused = olga.get("/audit").await.is(403);
        assert!(refused.text().contains("audit.read"));
        is_a_safe_page("/audit", &refused);
        for (browser, path) in [(&admin, "/audit"), (&admin, "/me"), (&olga, "/me")] {
            is_a_safe_page(path, &browser.get(path).await.is(200));
        }
    }

    async fn addresses_that_lead_nowhere_are_pages_too(app) {
        app.invoices().await;
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        for path in [
            "/nothing", "/items", "/items/", "/items/x", "/items/00000000-0000-0000-0000-000000000000", "/items/%00", "/items/%ff", "/quarantine/x", "/queue/x", "/me/x", "/items/x/cancel_retry",
            "/%3CiMg%20SrC%3dx%20OnErRoR%3dalert(1)%3E", "/..%2f..%2fetc/passwd", "/pkg/%2e%2e/x", "/calls/nothing",
        ] {
            let page = olga.get(path).await;
            assert_eq!(page.status, 404, "{path}: {}", page.shown());
            if !path.starts_with("/pkg") {
                is_a_safe_page(path, &page);
            }
        }
        for path in ["/items/x/revisions/1/payload", "/items/00000000-0000-0000-0000-000000000000/revisions/1/payload", "/items/x/revisions/y/payload"] {
            let answer = olga.get(path).await;
            assert!(matches!(answer.status, 400 | 404), "{path}: {} {}", answer.status, answer.text());
        }
    }

    async fn c86_an_auditor_who_opens_every_page_changes_nothing(app) {
        let paths = busy_place(app).await;
        let aud = app.signed_in("Aud", Role::Auditor, "nowhere").await;
        let before = app.database.content_without(&[]).await;
        let seen = crawl(&aud).await;
        for path in paths.iter().chain(&["/queue".to_owned(), "/quarantine".into(), "/audit".into(), "/me".into()]) {
            assert!(seen.contains(path) || path.contains("/items/"), "{path} was found by following links");
        }
        assert!(seen.len() > 30, "{seen:?}");
        for path in &paths {
            aud.get(path).await.is(200);
        }
        assert_eq!(app.database.content_without(&[]).await, before);
    }

    async fn the_queue_stands_every_filter_and_every_nonsense(app) {
        busy_place(app).await;
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        for view in ["dead_letter", "needs_review", "uncertain", "open", "closed"] {
            for sort in ["oldest", "newest"] {
                for rest in ["", "&workflow=invoice-sync", "&step=extract", "&class=timeout", "&q=inv-1", "&workflow=invoice-sync&step=create_invoice&class=timeout&q=%25_%5C"] {
                    let path = format!("/queue?view={view}&sort={sort}{rest}");
                    is_a_safe_page(&path, &olga.get(&path).await.is(200));
                }
            }
        }
        for nonsense in ["view=half", "sort=sideways", "class=boom", "after=x", "workflow=%00", "step=a%0ab", "q=%00", &format!("q={}", "x".repeat(300)), "after=9999999999999999999-0", "after=-1-zz"] {
            let page = olga.get(&format!("/queue?{nonsense}")).await.is(200);
            assert!(page.text().contains("means nothing here"), "{nonsense}");
        }
        for odd in [
            "view=", "x=y", "%ff=%ff", "q=%ff%fe", "&&==&", "view=open&view=closed", "after=0-00000000000000000000000000000000", "after=-99999999999999-ffffffffffffffffffffffffffffffff",
            "after=8210266876799999999-ffffffffffffffffffffffffffffffff", "q=%27%3B--", "q=%F0%9F%92%B6", "q=a+b", "workflow=%C3%A9",
        ] {
            let page = olga.get(&format!("/queue?{odd}")).await;
            assert_eq!(page.status, 200, "{odd}: {}", page.shown());
        }
        let aud = app.signed_in("Aud", Role::Auditor, "nowhere").await;
        for odd in ["person=%00", "workflow=%00", "item=x", "action=fly", "outcome=half", "from=yesterday", "to=x", "before=x", "before=8210266876799999999-ffffffffffffffffffffffffffffffff", "from=-262143-01-01T00:00:00Z", "to=%2B262142-12-31T23:59:59Z", "from=0001-01-01", "to=9999-12-31", "to=262142-12-31"] {
            let page = aud.get(&format!("/audit?{odd}")).await;
            assert_eq!(page.status, 200, "{odd}: {}", page.shown());
        }
        for odd in ["view=half", "before=x", "before=8210266876799999999-ffffffffffffffffffffffffffffffff", "before=-62135596800000000-00000000000000000000000000000000"] {
            let page = aud.get(&format!("/quarantine?{odd}")).await;
            assert_eq!(page.status, 200, "{odd}: {}", page.shown());
        }
    }

    async fn the_queue_is_paged_each_item_exactly_once(app) {
        let sync = app.invoices().await;
        let mut reported = BTreeSet::new();
        for number in 0..120 {
            app.later(TimeDelta::seconds(1));
            reported.insert(format!("/items/{}", sync.reported(&report(&format!("INV-{number}"))).await));
        }
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        for sort in ["oldest", "newest"] {
            let (mut seen, mut path, mut pages) = (Vec::new(), format!("/queue?sort={sort}"), 0);
            loop {
                let page = olga.get(&path).await.is(200);
                let found: BTreeSet<_> = links(&page).into_iter().filter(|link| link.starts_with("/items/")).collect();
                seen.extend(found);
                pages += 1;
                match links(&page).into_iter().find(|link| link.contains("after=")) {
                    Some(next) if pages < 10 => path = next,
                    _ => break,
                }
            }
            assert_eq!(pages, 3, "{sort}");
            assert_eq!(seen.len(), 120, "{sort}");
            assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), reported, "{sort}");
        }
    }

    async fn c47_text_from_failing_systems_stays_text(app) {
        let evil = "\"><h1>pwned</h1><img src=x onerror=alert(1)></textarea></script><script>alert(1)</script><!>'`{{7*7}}";
        app.register(&crate::words::INVOICES.replace("Supplier invoices", &evil.replace('"', "\\\""))).await;
        let sync = app.token_named(&evil[..90], None).await;
        let markup = samples::numbered("26").unwrap();
        let story = |key: &str| with(report(key), json!({
            "business_ref": evil, "correlation_id": evil, "workflow_version": evil, "sequence_key": evil, "step": evil,
            "failure": { "message": evil, "detail": evil }, "effect": { "status": "uncertain", "system": evil, "record_id": evil, "evidence": evil, "idempotency_key": evil },
            "attempts": [{ "outcome": "uncertain", "message": evil, "record_id": evil }], "steps": [{ "name": evil, "status": "failed", "external_id": evil }],
            "affected": [{ "system": evil, "kind": evil, "id": evil, "state": evil, "url": "https://x.example/\"><h1>pwned</h1>" }],
            "evidence": [{ "label": evil, "text": evil, "url": "https://x.example/'><script>alert(1)</script>" }],
            "ai": { "model": evil, "prompt_version": evil, "output_contract": evil }, "proposed_action": { "action": evil, "reason": evil, "by": evil },
            "customer_impact": evil, "source_version": evil, "payload": { "media_type": evil, "text": std::str::from_utf8(markup.bytes).unwrap() },
        }));
        let id = sync.reported(&story(evil)).await;
        sync.reported(&with(story(evil), json!({ "workflow": evil }))).await;
        let raw = sync.report_text(format!("<{evil}{}", String::from_utf8_lossy(markup.bytes))).await.kept(400, "malformed");
        let wrong = sync.report(&with(story("x"), json!({ evil: evil }))).await.kept(422, "invalid");
        app.add(&evil[..80].replace('\0', ""), &[Role::Auditor], &["nowhere"], domain::sensitivity::Clearance::Restricted).await;
        let aud = app.signed_in("Aud", Role::Auditor, "nowhere").await;
        let tess = app.signed_in("Tess", Role::Supervisor, "triage").await;
        let refused = tess.post(&format!("/quarantine/{raw}/accept"), &[("mode", "report"), ("note", evil), ("text", evil)]).await;
        assert!(matches!(refused.status, 400 | 422), "{}", refused.shown());
        let mapped = [("mode", "map"), ("note", ""), ("workflow", evil), ("step", evil), ("dedupe_key", evil), ("lane", evil), ("effect", evil), ("message", evil)];
        let typed = tess.post(&format!("/quarantine/{raw}/accept"), &mapped).await.is(422);
        tess.post(&format!("/quarantine/{raw}/close"), &[("note", evil)]).await.is(303);
        let signing = app.browser().post("/sign-in", &[("email", evil), ("password", evil), ("next", evil)]).await.is(401);
        let query: String = form_urlencoded::Serializer::new(String::new()).append_pair("q", evil).append_pair("workflow", evil).append_pair("view", evil).finish();
        let mut pages = vec![refused, typed, signing, app.browser().get(&format!("/sign-in?{}", query.replace("q=", "next="))).await];
        for path in [
            format!("/items/{id}"), format!("/items/{id}?revision=1&view=raw"), format!("/items/{id}/cancel_retry"), "/queue".into(), "/queue?view=open".into(), format!("/queue?{query}"),
            format!("/quarantine/{raw}"), format!("/quarantine/{wrong}"), "/quarantine".into(), "/quarantine?view=done".into(), "/audit".into(), format!("/audit?{}", query.replace("q=", "person=")), format!("/nothing/{query}"),
        ] {
            pages.push(aud.get(&path).await);
        }
        for page in &pages {
            let html = page.text();
            for live in ["<h1>pwned", "<img src=x", "<script>alert", "</textarea></script>"] {
                assert!(!html.contains(live), "{live} at {}", html.split(live).next().map(|before| &before[before.len().saturating_sub(300)..]).unwrap());
            }
            is_a_safe_page("a page with foreign text", page);
        }
        let download = aud.get(&format!("/items/{id}/revisions/1/payload")).await.is(200);
        assert_eq!(download.body, markup.bytes);
        assert_eq!((download.header("content-type"), download.header("x-content-type-options")), ("application/octet-stream", "nosniff"));
        assert!(download.header("content-disposition").starts_with("attachment"));
    }

    async fn c88_odd_documents_show_on_their_page_and_never_break_the_list(app) {
        let sync = app.invoices().await;
        let olga = app.signed_in("Olga", Role::Operator, "finance-ops").await;
        for sample in samples::ALL {
            let payload = rehearsal::report::Payload::exact(sample.media_type, sample.bytes);
            let said = rehearsal::report::Report {
                workflow: "invoice-sync".into(), step: "create_invoice".into(), dedupe_key: sample.name.into(),
                failure: rehearsal::report::Failure { message: "No answer".into(), ..Default::default() }, ..Default::default()
            };
            let id = sync.report_text(said.text(&payload).unwrap()).await.is(201).json()["id"].as_str().unwrap().to_owned();
            for path in [format!("/items/{id}"), format!("/items/{id}?revision=1&view=raw")] {
                let page = olga.get(&path).await;
                assert_eq!(page.status, 200, "{}", sample.name);
                is_a_safe_page(sample.name, &page);
            }
            let download = olga.get(&format!("/items/{id}/revisions/1/payload")).await.is(200);
            assert!(download.body == sample.bytes, "{}", sample.name);
            assert_eq!(download.header("repr-digest"), domain::digest::Sha256::of(sample.bytes).repr_digest(), "{}", sample.name);
        }
        for view in ["open", "dead_letter", "uncertain"] {
            olga.get(&format!("/queue?view={view}")).await.is(200);
        }
    }
}

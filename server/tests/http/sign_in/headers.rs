//! What every answer tells the browser, over http and behind a proxy that speaks https (C26).

use domain::permission::Role;
use server::settings::Settings;

use super::operator;
use crate::{
    app::{App, on_both},
    browser::Browser,
    wire::Answer,
    words::report,
};

fn over_https(settings: &mut Settings) {
    settings.public_url = Some("https://recourse.example".into());
    settings.trusted_proxies = "127.0.0.1".into();
}

/// An answer of every kind there is, with what it is.
async fn answers(app: &App) -> Vec<(&'static str, u16, Answer)> {
    let sync = app.invoices().await;
    let id = sync.reported(&report("INV-1")).await;
    let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
    let nobody = app.browser();
    let page = nobody.get("/sign-in").await.text();
    // Its folder's name holds a digest, where a bundle was built.
    let file = page.split("=\"").find(|rest| rest.starts_with("/pkg")).and_then(|rest| rest.split('"').next()).unwrap();
    let bundle = file.rsplit_once('/').unwrap().0;
    let mut answers = vec![
        ("page", 200, amara.get("/queue").await),
        ("page of an item", 200, amara.get(&format!("/items/{id}")).await),
        ("sign-in page", 200, nobody.get("/sign-in").await),
        ("refused sign-in", 401, nobody.sign_in("nobody@example.test").await),
        ("refused link", 410, nobody.get("/link/guess").await),
        ("redirect to sign in", 303, nobody.get("/queue").await),
        ("redirect of the root", 303, nobody.get("/").await),
        ("redirect after a form", 303, nobody.post("/theme", &[("theme", "dark")]).await),
        ("page that is not there", 404, amara.get("/nothing-here").await),
        ("page that is not theirs", 403, amara.get("/admin/people").await),
        ("item that is not there", 404, amara.get("/items/x").await),
        ("download", 200, amara.get(&format!("/items/{id}/revisions/1/payload")).await),
        ("download that is not there", 404, amara.get(&format!("/items/{id}/revisions/9/payload")).await),
        ("download of nothing", 400, amara.get("/items/x/revisions/y/payload").await),
        ("form that is too large", 413, nobody.post("/sign-in", &[("email", &"x".repeat(5 << 20))]).await),
        ("form of another site", 403, amara.post_from("/sign-out", &[], &[("sec-fetch-site", "cross-site")]).await),
        ("list of the API", 200, sync.get("/api/v1/items").await),
        ("payload of the API", 200, sync.get(&format!("/api/v1/items/{id}/revisions/1/payload")).await),
        ("problem", 401, app.nobody().get("/api/v1/items").await),
        ("refused report", 400, sync.report_text("{").await),
        ("nothing of the API", 404, sync.get("/api/v1/nothing").await),
        ("method the API has not", 405, sync.send("DELETE", "/api/v1/items", "").await),
        (
            "API asked by another site",
            403,
            Answer::to(sync.request("POST", "/api/v1/items").header("sec-fetch-site", "cross-site")).await,
        ),
        ("description", 200, sync.get("/api/openapi.json").await),
        ("viewer", 200, sync.get("/api/docs/").await),
        ("health", 200, nobody.get("/health").await),
        ("health asked otherwise", 405, nobody.post("/health", &[]).await),
        ("asset that is not there", 404, nobody.get(&format!("{bundle}/nothing.js")).await),
    ];
    let call = amara
        .request("POST", "/calls/version")
        .header("content-type", "application/json")
        .header("sec-fetch-site", "same-origin");
    answers.push(("call", 200, amara.exchange(call.body(format!("{{\"item\":\"{id}\"}}"))).await));
    for _ in 0..12 {
        nobody.sign_in_with("amara@example.test", "wrong horse battery").await;
    }
    answers.push((
        "page of who is turned away",
        429,
        nobody.sign_in_with("amara@example.test", "wrong horse battery").await,
    ));
    for _ in 0..60 {
        app.nobody().get("/api/v1/items").await;
    }
    answers.push(("problem of who is turned away", 429, app.nobody().get("/api/v1/items").await));
    answers.push(("asset", nobody.get("/favicon.ico").await.status, nobody.get("/favicon.ico").await));
    for (what, status, answer) in &answers {
        assert_eq!(answer.status, *status, "{what}: {}", answer.shown());
    }
    answers
}

fn has_the_headers_of_every_answer(what: &str, answer: &Answer) {
    let once = |name: &str| {
        assert_eq!(answer.headers.get_all(name).iter().count(), 1, "{what}: {name}: {:?}", answer.headers);
        answer.header(name).to_owned()
    };
    assert_eq!(once("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(once("x-frame-options"), "DENY", "{what}");
    assert_eq!(once("referrer-policy"), "same-origin", "{what}");
    assert_eq!(once("cross-origin-opener-policy"), "same-origin", "{what}");
    assert_eq!(once("cross-origin-resource-policy"), "same-origin", "{what}");
    assert!(once("permissions-policy").contains("camera=()"), "{what}");
    assert_eq!(once("x-request-id").len(), 32, "{what}");
    let policy = once("content-security-policy");
    for part in ["default-src", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(part), "{what}: {policy}");
    }
    assert!(
        !policy.split(';').any(|part| part.trim().starts_with("script-src") && part.contains("unsafe-inline")),
        "{what}: {policy}"
    );
    let page = answer.header("content-type").starts_with("text/html") && what != "viewer";
    if page {
        assert!(
            policy.contains("script-src 'nonce-")
                && policy.contains("form-action 'self'")
                && !policy.contains("unsafe-inline"),
            "{what}: {policy}"
        );
        assert_eq!(answer.header("cache-control"), "no-store", "{what}");
    } else if what != "viewer" {
        assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{what}: {policy}");
    }
    for name in ["server", "x-powered-by"] {
        assert_eq!(answer.header(name), "", "{what}");
    }
}

on_both! {
    async fn every_kind_of_answer_says_what_a_browser_may_do_with_it(app) {
        for (what, _, answer) in answers(app).await {
            has_the_headers_of_every_answer(what, &answer);
            assert_eq!(answer.header("strict-transport-security"), "", "{what}: there is no https");
        }
    }

    async fn a_page_s_nonce_is_its_own(app) {
        let pages = [app.browser().get("/sign-in").await, app.browser().get("/sign-in").await];
        let nonces = pages.map(|page| {
            let policy = page.header("content-security-policy").to_owned();
            let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
            assert!(nonce.len() >= 20 && page.text().contains(&format!("nonce=\"{nonce}\"")), "{policy}");
            nonce
        });
        assert_ne!(nonces[0], nonces[1]);
    }

    async fn nothing_that_is_typed_gets_into_a_header(app) {
        let email = operator(app, "Set-Cookie: evil=1").await;
        let browser = app.browser().named("x: evil=1");
        let mut answers = vec![
            browser.sign_in(&email).await, browser.get("/me").await, browser.get("/me/security").await,
            browser.get("/items/x%0d%0aX-Evil:%201").await, browser.get("/queue?q=%0d%0aX-Evil:%201").await,
            browser.get("/link/%0d%0aX-Evil:%201").await, browser.get("/nothing%0d%0aX-Evil:%201").await,
            app.browser().get("/items/x%0d%0aX-Evil:%201?next=%0d%0aX-Evil:%201").await,
            app.browser().post("/sign-in", &[("email", "a\r\nX-Evil: 1"), ("password", "x\r\nX-Evil: 1"), ("next", "/\r\nX-Evil: 1")]).await,
            app.browser().post("/sign-in/help", &[("email", "a\r\nX-Evil: 1")]).await,
            app.browser().post("/theme", &[("theme", "dark\r\nX-Evil: 1"), ("next", "/me\r\nX-Evil: 1")]).await,
        ];
        for name in ["Eve\r\nX-Evil: 1", "Eve\nX-Evil: 1", "Eve\r"] {
            let id = uuid::Uuid::new_v4().to_string();
            let fields = [("id", id.as_str()), ("email", "eve@example.test"), ("name", name), ("role:operator", "on"), ("clearance", "internal")];
            let admin = app.browser();
            admin.sign_in(&admin_of(app).await).await.is(303);
            let answer = admin.post("/admin/people/invite", &fields).await;
            // White space around a name does not count.
            assert_eq!(answer.status, if name == "Eve\r" { 200 } else { 422 }, "{name:?}");
            answers.push(answer);
        }
        for answer in answers {
            assert!(answer.headers.get("x-evil").is_none());
            for (name, value) in &answer.headers {
                let value = String::from_utf8_lossy(value.as_bytes());
                assert!(!value.contains("evil=1"), "{name}: {value}");
                assert!(!value.contains(['\r', '\n']), "{name}: {value}");
            }
        }
    }

    async fn the_cookies_are_for_this_place_and_no_script(app) {
        let email = operator(app, "Amara").await;
        let amara = app.browser();
        let (signed_in, theme) = (amara.sign_in(&email).await, amara.post("/theme", &[("theme", "dark")]).await);
        for (answer, name) in [(&signed_in, "recourse="), (&theme, "recourse-theme=")] {
            let cookie = answer.header("set-cookie");
            assert!(cookie.starts_with(name) && !cookie.contains("Secure") && !cookie.contains("Domain"), "{cookie}");
            for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
                assert!(cookie.contains(part), "{cookie}");
            }
        }
        assert!(amara.get("/queue").await.headers.get("set-cookie").is_none(), "looking at a page sets nothing");
        assert!(app.browser().get("/sign-in").await.headers.get("set-cookie").is_none());
    }
}

/// An admin's address; made at the first call.
async fn admin_of(app: &App) -> String {
    let email = "ada@example.test".to_owned();
    if app.service.account_of(&email).await.is_err() {
        app.add("Ada", &[Role::Admin], &["triage"], domain::sensitivity::Clearance::Internal).await;
    }
    email
}

mod behind_https {
    use super::*;

    async fn from(browser: &Browser<'_>, origin: &str) -> u16 {
        browser.post_from("/theme", &[("theme", "dark")], &[("origin", origin)]).await.status
    }

    on_both! {
        set up by over_https;

        async fn every_kind_of_answer_insists_on_https(app) {
            for (what, _, answer) in answers(app).await {
                has_the_headers_of_every_answer(what, &answer);
                assert_eq!(answer.header("strict-transport-security"), "max-age=15552000", "{what}");
            }
        }

        async fn the_cookies_never_travel_in_the_clear_and_belong_to_this_host(app) {
            let email = operator(app, "Amara").await;
            let amara = app.browser();
            let signed_in = amara.sign_in(&email).await.is(303);
            let cookie = signed_in.header("set-cookie");
            assert!(cookie.starts_with("__Host-recourse=") && !cookie.contains("Domain"), "{cookie}");
            for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Secure", "Max-Age=604800"] {
                assert!(cookie.contains(part), "{cookie}");
            }
            assert!(amara.post("/theme", &[("theme", "dark")]).await.header("set-cookie").contains("; Secure"));
            amara.get("/queue").await.is(200);
            let bare = app.http.get(format!("{}/queue", app.url)).header("cookie", format!("recourse={}", amara.session().unwrap()));
            assert!(Answer::to(bare).await.location().starts_with("/sign-in"), "a cookie that a neighbour could plant is none");
            let out = amara.post("/sign-out", &[]).await;
            let gone = out.header("set-cookie");
            assert!(gone.starts_with("__Host-recourse=;") && gone.contains("Secure") && gone.contains("Path=/") && gone.contains("Max-Age=0"), "a browser takes it back only like this: {gone}");
        }

        async fn c26_forms_of_our_own_pages_work_although_the_proxy_rewrites_the_host(app) {
            let email = operator(app, "Amara").await;
            let amara = app.browser();
            // As a browser without Sec-Fetch-Site sends it: `Host` is what the proxy calls us.
            let fields = [("email", email.as_str()), ("password", crate::app::PASSWORD)];
            amara.post_from("/sign-in", &fields, &[("origin", "https://recourse.example")]).await.is(303);
            amara.get("/queue").await.is(200);
            assert_eq!(from(&amara, "https://recourse.example").await, 303);
            for lookalike in [
                "http://recourse.example", "https://recourse.example:8443", "https://recourse.example.evil.example", "https://evil-recourse.example", "https://www.recourse.example",
                "https://recourse.exampl", "https://recourse.example@evil.example", "https://evil.example/https://recourse.example", "https://xn--recourse.example", "null",
                "https://recourse.example, https://evil.example", "HTTPS://RECOURSE.EXAMPLE.", "https://recourse.example/",
            ] {
                assert_eq!(from(&amara, lookalike).await, 403, "{lookalike}");
            }
            amara.get("/queue").await.is(200);
        }

        async fn links_lead_to_where_people_reach_us(app) {
            let email = operator(app, "Amara").await;
            let admin = super::super::admin(app).await;
            let link = super::super::link_for(&admin, &email).await;
            assert!(link.starts_with("/link/"), "{link}");
            app.browser().get(&link).await.is(200);
        }
    }
}

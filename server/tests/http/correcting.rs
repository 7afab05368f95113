//! Correcting a payload through the page's own form, as a browser sends it (R2).

use domain::permission::Role;
use serde_json::json;

use crate::{
    actions::not_sent,
    app::{App, on_both},
    browser::Browser,
    dice::Dice,
    wire::Answer,
    words::with,
};

/// A line of a payload and what ends it.
type Line = (String, &'static str);

fn text(lines: &[Line]) -> String {
    lines.iter().map(|(text, end)| format!("{text}{end}")).collect()
}

/// Lines that are all different, each with an end of its own; the last with or without one.
fn random(dice: &mut Dice) -> Vec<Line> {
    let odd = ["", "\"", "<!>", "</textarea>", "&amp;", "å\u{2028}", "\t\"a\": 40.00,"];
    let count = dice.below(7) + 1;
    let line = |dice: &mut Dice, at: usize| (format!("{at}{}", dice.pick(&odd)), dice.pick(&["\n", "\r\n", "\r"]));
    let mut lines: Vec<Line> = (0..count).map(|at| line(dice, at)).collect();
    if dice.chance(50) {
        lines.push(("the end".into(), ""));
    }
    if dice.chance(20) {
        lines.insert(0, (String::new(), dice.pick(&["\n", "\r\n", "\r"])));
    }
    lines
}

/// One edit by a person: what should become of the bytes.
fn edited(dice: &mut Dice, lines: &[Line]) -> Vec<Line> {
    let mut after = lines.to_vec();
    let at = dice.below(lines.len());
    match dice.below(3) {
        0 => after[at].0.push_str(" (corrected)"),
        // A new line takes the end of the line before it.
        1 if !after[at].1.is_empty() => after.insert(at + 1, ("inserted".into(), after[at].1)),
        2 if lines.len() > 1 && !after[at].1.is_empty() => drop(after.remove(at)),
        _ => after[at].0.insert_str(0, "corrected "),
    }
    after
}

/// What a browser shows in the textarea: the page's text, its first newline dropped, line ends all the same.
pub(crate) fn shown_in_the_textarea(page: &str) -> String {
    let (_, area) = page.split_once("name=\"text\"").unwrap();
    let (_, content) = area.split_once('>').unwrap();
    let (content, _) = content.split_once("</textarea>").unwrap();
    let content = content
        .replace("<!>", "")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#x27;", "'");
    let content = content.replace("&amp;", "&").replace("\r\n", "\n").replace('\r', "\n");
    content.strip_prefix('\n').unwrap_or(&content).to_owned()
}

/// What a browser sends of a textarea.
pub(crate) fn sent_by_a_browser(typed: &str) -> String {
    typed.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n")
}

/// Posts the form in parts, as its page says it is.
pub(crate) async fn post(browser: &Browser<'_>, item: &str, fields: &[(&str, &str)], file: Option<&[u8]>) -> Answer {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(format!("--part\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
    }
    let (named, content) = file.map_or(("", &b""[..]), |content| ("corrected.json", content));
    body.extend(format!("--part\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{named}\"\r\ncontent-type: application/octet-stream\r\n\r\n").bytes());
    body.extend(content);
    body.extend(b"\r\n--part--\r\n");
    let request = browser
        .request("POST", &format!("/items/{item}/correct"))
        .header("content-type", "multipart/form-data; boundary=part");
    browser
        .exchange(request.header("sec-fetch-site", "same-origin").header("origin", &browser.app.url).body(body))
        .await
}

pub(crate) async fn bytes_of(app: &App, item: &str, revision: i64) -> Vec<u8> {
    let request = crate::app::command_line();
    app.service.payload(&request, item.parse().unwrap(), Some(revision)).await.unwrap().bytes
}

on_both! {
    /// R2: whatever the line ends, what was not edited keeps its bytes; and what was not edited at all is no revision.
    async fn r2_any_line_ends_and_any_edit_through_the_real_form(app) {
        let sync = app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let mut saved = 0;
        for number in 0..60 {
            let mut dice = Dice(number);
            let before = random(&mut dice);
            let after = if dice.chance(20) { before.clone() } else { edited(&mut dice, &before) };
            let payload = json!({ "media_type": "text/plain", "text": text(&before) });
            let item = sync.reported(&with(not_sent(&format!("A-{number}")), json!({ "payload": payload }))).await;
            let page = amara.get(&format!("/items/{item}/correct")).await.is(200).text();
            let told = || format!("{number}: {before:?} → {after:?}");
            // The page shows the parent, so an untouched form returns it as a browser would.
            let untouched = sent_by_a_browser(&text(&before));
            assert_eq!(sent_by_a_browser(&shown_in_the_textarea(&page)), untouched, "{}", told());

            let returned = sent_by_a_browser(&text(&after));
            let version = app.packet_version(&item).await;
            let fields = [("version", version.as_str()), ("parent", "1"), ("stage", "save"), ("text", &returned), ("reason", "It was wrong")];
            let answer = post(&amara, &item, &fields, None).await;
            if after == before {
                answer.is(422);
                assert_eq!(app.revisions(&item).await, 1, "{}", told());
            } else {
                answer.is(303);
                assert_eq!(bytes_of(app, &item, 2).await, text(&after).into_bytes(), "{}", told());
                saved += 1;
            }
            assert_eq!(bytes_of(app, &item, 1).await, text(&before).into_bytes(), "R1: {}", told());
        }
        assert!(saved > 30, "{saved}");
    }

    /// R2: a file is meant exactly as it is.
    async fn r2_an_uploaded_file_is_kept_byte_for_byte(app) {
        let sync = app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let item = sync.reported(&not_sent("A")).await;
        let file: Vec<u8> = (0..=255).chain(*b"\r\n\n\r").collect();
        let version = app.packet_version(&item).await;
        let fields = [("version", version.as_str()), ("parent", "1"), ("stage", "save"), ("text", "not this"), ("reason", "From the archive")];
        post(&amara, &item, &fields, Some(&file)).await.is(303);
        assert_eq!(bytes_of(app, &item, 2).await, file);
    }

    /// C76: a form from before somebody acted says who and what, and keeps everything that was typed; nothing is overwritten.
    async fn c76_a_stale_form_keeps_what_was_typed_and_names_who_was_quicker(app) {
        let sync = app.invoices().await;
        let amara = app.signed_in("Amara", Role::Operator, "finance-ops").await;
        let item = sync.reported(&not_sent("A")).await;
        let version = app.packet_version(&item).await;
        let jonas = app.signed_in("Jonas", Role::Operator, "finance-ops").await;
        let theirs = [("version", version.as_str()), ("parent", "1"), ("stage", "save"), ("text", "{\"amount\":41}"), ("reason", "One more")];
        post(&jonas, &item, &theirs, None).await.is(303);
        jonas.post(&format!("/items/{item}/release"), &[("version", "")]).await.is(303);
        let mine = [("version", version.as_str()), ("parent", "1"), ("stage", "save"), ("text", "{\"amount\":43}"), ("reason", "Three more")];
        let page = post(&amara, &item, &mine, None).await.is(409).text();
        for kept in ["Jonas", "{&quot;amount&quot;:43}", "Three more"] {
            assert!(page.contains(kept) || page.contains(&kept.replace("&quot;", "\"")), "{kept} is not on the page: {page}");
        }
        assert_eq!(app.revisions(&item).await, 2, "theirs stands, mine was not saved");
        assert_eq!(bytes_of(app, &item, 2).await, b"{\"amount\":41}");
    }
}

impl App {
    pub(crate) async fn packet_version(&self, item: &str) -> String {
        self.service.packet(&crate::app::command_line(), item.parse().unwrap()).await.unwrap().item.version.to_string()
    }

    pub(crate) async fn revisions(&self, item: &str) -> usize {
        self.service.packet(&crate::app::command_line(), item.parse().unwrap()).await.unwrap().revisions.len()
    }
}

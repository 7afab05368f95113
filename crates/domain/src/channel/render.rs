//! What is told, in the form that each kind of receiver takes. Whatever is told is data there: nothing of it becomes
//! markup, a link or a mention.

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::Telling;
use crate::text::{head, line};

/// Characters that a title may have; receivers have limits of their own.
const TITLE: usize = 300;
/// Characters that the value of a line may have.
const VALUE: usize = 500;
/// Lines that are told.
const LINES: usize = 20;

/// The name of the way to the page.
const OPEN: &str = "Open in Recourse";

/// The body of a webhook, as Standard Webhooks lays it out.
#[must_use]
pub fn webhook(telling: &Telling, at: DateTime<Utc>) -> Value {
    let plain = |(name, value): &(String, String)| json!({ "name": line(name), "value": line(value) });
    let lines: Vec<Value> = telling.lines.iter().map(plain).collect();
    json!({
        "type": telling.kind,
        "timestamp": at.to_rfc3339_opts(SecondsFormat::Micros, true),
        "data": { "title": line(&telling.title), "lines": lines, "link": telling.link },
    })
}

/// The same for an incoming webhook of Slack. What is told is plain text there, of which nothing is read as markup.
#[must_use]
pub fn slack(telling: &Telling) -> Value {
    let section = |text: Value| json!({ "type": "section", "text": text });
    let plain = |text: &str| section(json!({ "type": "plain_text", "text": entities(text), "emoji": false }));
    let title = head(&line(&telling.title), TITLE);
    let mut blocks = vec![plain(&title)];
    // Of a section only so much is taken: one for each line is safe.
    blocks.extend(lines(telling).map(|(name, value)| plain(&format!("{name}: {value}"))));
    if !telling.link.is_empty() {
        let link = format!("<{}|{OPEN}>", entities(&telling.link));
        blocks.push(section(json!({ "type": "mrkdwn", "text": link, "verbatim": true })));
    }
    // The text is what a notification shows.
    json!({ "text": entities(&title), "blocks": blocks, "unfurl_links": false, "unfurl_media": false })
}

/// The same for a workflow of Teams that posts what a webhook brings: a message with one adaptive card. What is told is runs
/// of text there, which know no Markdown.
#[must_use]
pub fn teams(telling: &Telling) -> Value {
    let rich = |runs: Vec<Value>| json!({ "type": "RichTextBlock", "inlines": runs });
    let title = verbatim(&head(&line(&telling.title), TITLE));
    let mut body = vec![rich(vec![json!({ "type": "TextRun", "size": "Medium", "weight": "Bolder", "text": title })])];
    body.extend(lines(telling).map(|(name, value)| {
        rich(vec![
            json!({ "type": "TextRun", "weight": "Bolder", "text": format!("{}: ", verbatim(&name)) }),
            json!({ "type": "TextRun", "text": verbatim(&value) }),
        ])
    }));
    let actions: Vec<Value> = match telling.link.is_empty() {
        true => Vec::new(),
        false => vec![json!({ "type": "Action.OpenUrl", "title": OPEN, "url": telling.link })],
    };
    json!({
        "type": "message",
        "attachments": [{
            "contentType": "application/vnd.microsoft.card.adaptive",
            "contentUrl": null,
            "content": {
                "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
                "type": "AdaptiveCard",
                "version": "1.4",
                "body": body,
                "actions": actions,
            },
        }],
    })
}

/// The subject of an e-mail: one line.
#[must_use]
pub fn subject(telling: &Telling) -> String {
    head(&line(&telling.title), 150)
}

/// An e-mail as plain text. `choices` is where its reader chooses what comes by e-mail.
#[must_use]
pub fn text(telling: &Telling, choices: &str) -> String {
    let mut text = format!("{}\n", line(&telling.title));
    if !telling.lines.is_empty() {
        text.push('\n');
    }
    for (name, value) in lines(telling) {
        text.push_str(&format!("{name}: {value}\n"));
    }
    if !telling.link.is_empty() {
        text.push_str(&format!("\n{OPEN}: {}\n", telling.link));
    }
    text.push_str(&format!("\n-- \nRecourse. What you are told by e-mail you choose here: {choices}\n"));
    text
}

/// The same as HTML: well-formed, without anything that is loaded, and without colours of its own, so that it reads by day
/// and by night.
#[must_use]
pub fn html(telling: &Telling, choices: &str) -> String {
    let title = escaped(&line(&telling.title));
    let row = |(name, value): (String, String)| {
        let (name, value) = (escaped(&name), escaped(&value));
        format!(
            "<tr><th scope=\"row\" style=\"text-align:left;padding:2px 16px 2px 0\">{name}</th><td>{value}</td></tr>"
        )
    };
    let rows: String = lines(telling).map(row).collect();
    let table = if rows.is_empty() { rows } else { format!("<table><tbody>{rows}</tbody></table>") };
    let link = match telling.link.is_empty() {
        true => String::new(),
        false => format!("<p><a href=\"{}\">{OPEN}</a></p>", escaped(&telling.link)),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta name=\"color-scheme\" content=\"light dark\"/>\
         <title>{title}</title></head><body style=\"font-family:sans-serif;line-height:1.5\"><h1 style=\"font-size:1.1em\">{title}</h1>\
         {table}{link}<p><small>Recourse. <a href=\"{}\">Choose what you are told by e-mail</a></small></p></body></html>\n",
        escaped(choices)
    )
}

/// The lines that are told, each on one line.
fn lines(telling: &Telling) -> impl Iterator<Item = (String, String)> {
    telling.lines.iter().take(LINES).map(|(name, value)| (head(&line(name), 80), head(&line(value), VALUE)))
}

/// As Slack wants every text: what is left can be no mention and no link.
fn entities(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A card's text is shown as it is but for what asks for a date of the reader's (`{{DATE(…)}}`), and for mentions.
fn verbatim(text: &str) -> String {
    // Every brace: of three in a row, breaking up the first two would leave a pair.
    text.replace('{', "{ ").replace("<at>", "< at>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn telling() -> Telling {
        Telling {
            kind: "alert.raised".into(),
            title: "<!channel> 3 items wait & \"age\"\r\nBcc: x@y.example".into(),
            lines: vec![(
                "Step".into(),
                "[create](https://evil.example) <b> *{{DATE(x)}}* <at>all</at>\u{202e}".into(),
            )],
            link: "https://recourse.example/items/1?a=b&c=d".into(),
        }
    }

    #[test]
    fn a_webhook_has_the_shape_of_the_standard() {
        let at = "2026-11-29T10:00:00Z".parse().unwrap();
        let body = webhook(&telling(), at);
        assert_eq!(
            (&body["type"], &body["timestamp"]),
            (&json!("alert.raised"), &json!("2026-11-29T10:00:00.000000Z"))
        );
        assert_eq!(body["data"]["lines"][0]["name"], "Step");
        assert_eq!(body["data"]["link"], "https://recourse.example/items/1?a=b&c=d");
    }

    #[test]
    fn nothing_that_is_told_becomes_a_mention_or_a_link() {
        let slack = slack(&telling());
        let blocks = slack["blocks"].as_array().unwrap();
        let kinds: Vec<_> = blocks.iter().map(|block| block["text"]["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["plain_text", "plain_text", "mrkdwn"], "only our own link is marked up");
        assert_eq!(blocks[2]["text"]["text"], "<https://recourse.example/items/1?a=b&amp;c=d|Open in Recourse>");
        assert_eq!(blocks[2]["text"]["verbatim"], true);
        let told = slack.to_string();
        assert!(!told.contains("<!channel>") && told.contains("&lt;!channel&gt;"), "{told}");

        let teams = teams(&telling());
        let card = &teams["attachments"][0]["content"];
        let body = card["body"].as_array().unwrap();
        assert!(
            body.iter().all(|block| block["type"] == "RichTextBlock"),
            "a TextBlock would be read as Markdown: {card}"
        );
        assert_eq!(body[1]["inlines"][0]["text"], "Step: ");
        assert_eq!(body[1]["inlines"][1]["text"], "[create](https://evil.example) <b> *{ { DATE(x)}}* < at>all</at>");
        assert_eq!(card["actions"][0]["url"], "https://recourse.example/items/1?a=b&c=d");
    }

    #[test]
    fn no_number_of_braces_asks_for_a_date() {
        for count in 1..9 {
            let told = format!("{}DATE(2026-11-29T10:00:00Z)}}}}", "{".repeat(count));
            let lines = vec![(told.clone(), told.clone())];
            let card = teams(&Telling { title: told, lines, ..telling() });
            let body = card["attachments"][0]["content"]["body"].as_array().unwrap();
            for run in body.iter().flat_map(|block| block["inlines"].as_array().unwrap()) {
                let text = run["text"].as_str().unwrap();
                assert!(text.contains("{ DATE") && !text.contains("{{"), "{text}");
            }
        }
    }

    #[test]
    fn nothing_turns_the_direction_of_what_is_told() {
        let turned = Telling {
            title: "INV\u{202e}gpj.exe\u{2069}".into(),
            lines: vec![("\u{2066}Step".into(), "\u{200f}x\u{202d}".into())],
            ..telling()
        };
        let at = "2026-11-29T10:00:00Z".parse().unwrap();
        let told = [
            webhook(&turned, at).to_string(),
            slack(&turned).to_string(),
            teams(&turned).to_string(),
            subject(&turned),
            text(&turned, ""),
            html(&turned, ""),
        ];
        for told in told {
            assert!(told.contains("INVgpj.exe"), "{told}");
            let turns = |c| matches!(c, '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            assert!(!told.contains(turns), "{told:?}");
        }
    }

    #[test]
    fn a_mail_is_one_line_of_subject_and_two_readings_of_the_same() {
        assert_eq!(subject(&telling()), "<!channel> 3 items wait & \"age\"  Bcc: x@y.example");
        let plain = text(&telling(), "https://recourse.example/me/notices");
        assert!(plain.contains("Step: [create](https://evil.example) <b> *{{DATE(x)}}* <at>all</at>\n"), "{plain}");
        let html = html(&telling(), "https://recourse.example/me/notices");
        assert!(html.contains("&lt;!channel&gt;") && !html.contains("<b>") && html.contains("&lt;b&gt;"), "{html}");
        assert!(!html.contains("<img") && !html.contains("color:"), "{html}");
        assert_eq!((html.matches("<p>").count(), html.matches("</p>").count()), (2, 2));
    }
}

//! Drafted replies of the demonstration.

use chrono::TimeDelta;

use super::{
    cast::Customer,
    json_text::{money, quoted},
    reply_texts::{REPLIES, ReplyText},
    scene::{Job, Scene},
    script::Script,
};
use crate::{
    automations::{Document, Draft},
    samples,
    systems::Fault,
};

pub(super) fn quiet(script: &mut Script) -> Vec<Scene> {
    (0..5).map(|_| Scene::quiet(Job::Reply(plain(script, 0.93)))).collect()
}

pub(super) fn troubled(script: &mut Script) -> Vec<Scene> {
    let mut drafts: Vec<_> = [0.31, 0.55, 0.62, 0.74, 0.79].map(|sure| plain(script, sure)).into();
    for finding in
        ["/language: must be the customer's, found \"en\"", "/body: mentions order #0000, which does not exist"]
    {
        drafts.push(Draft { findings: vec![finding.to_owned()], ..plain(script, 0.88) });
    }
    for (name, reason) in [
        ("refund-above-100", "the draft promises more than 100.00 back"),
        ("legal-words", "the customer mentions a lawyer"),
        ("vulnerable-customer", "the customer writes about an illness"),
    ] {
        let draft = plain(script, 0.91);
        drafts.push(Draft { policy: Some((name, reason.to_owned())), impact: Some("high"), ..draft });
    }
    if let Some(draft) = drafts.last_mut() {
        draft.sensitivity = Some("restricted");
    }
    drafts.extend(
        [("10", "Yael Ben-Ami"), ("11", "Import desk"), ("26", "O’Rourke & \"Sons\"")]
            .into_iter()
            .filter_map(|(number, customer)| sample(script, number, customer)),
    );
    let mut scenes: Vec<_> = drafts.into_iter().map(|draft| Scene::quiet(Job::Reply(draft))).collect();
    for fault in [Fault::CommitThenTimeout, Fault::CommitThenReset, Fault::ResetBeforeCommit] {
        let draft = plain(script, 0.9);
        scenes.push(meets(draft, fault));
    }
    scenes.push(Scene::quiet(Job::Reply(without_recipient(script))));
    scenes
}

pub(super) fn another(script: &mut Script) -> Scene {
    let mut draft = plain(script, 0.64);
    draft.started_at = script.now() - TimeDelta::seconds(6);
    match script.one_of(&[0, 1, 2]) {
        0 => meets(Draft { confidence: 0.9, ..draft }, Fault::CommitThenTimeout),
        1 => Scene::quiet(Job::Reply(Draft { findings: vec!["/subject: is required".to_owned()], ..draft })),
        _ => Scene::quiet(Job::Reply(draft)),
    }
}

fn meets(draft: Draft, fault: Fault) -> Scene {
    let reference = draft.ticket.clone();
    Scene::troubled(Job::Reply(draft), &reference, 1, fault)
}

fn without_recipient(script: &mut Script) -> Draft {
    let mut draft = plain(script, 0.95);
    let text = String::from_utf8_lossy(&draft.document.bytes).replace('@', "(at)");
    draft.document = Document::json(text);
    draft
}

fn sample(script: &mut Script, number: &str, customer: &str) -> Option<Draft> {
    let sample = samples::numbered(number)?;
    let draft = plain(script, 0.47);
    Some(Draft { customer: customer.to_owned(), document: sample.into(), ..draft })
}

fn plain(script: &mut Script, confidence: f64) -> Draft {
    let customer = script.customer();
    let at = usize::try_from(script.serial()).unwrap_or_default();
    let text = &REPLIES[at % REPLIES.len()];
    let ticket = format!("T-{}", 20_900 + at);
    let amount = money(script.between(900, 24_990));
    Draft {
        document: Document::json(message(&customer, text, &ticket, &amount)),
        ticket,
        customer: customer.name.to_owned(),
        question: text.question.to_owned(),
        confidence,
        findings: Vec::new(),
        policy: None,
        started_at: script.some_time_ago(),
        sensitivity: None,
        impact: None,
    }
}

fn message(customer: &Customer, text: &ReplyText, ticket: &str, amount: &str) -> String {
    format!(
        r##"{{
  "ticket": {ticket},
  "to": {to},
  "language": "{language}",
  "subject": {subject},
  "body": {body},
  "amount": {amount},
  "order": {{ "name": "#4417", "placed_by": {name} }}
}}"##,
        ticket = quoted(ticket),
        to = quoted(customer.email),
        language = text.language,
        subject = quoted(text.subject),
        body = quoted(text.body),
        name = quoted(customer.name),
    )
}

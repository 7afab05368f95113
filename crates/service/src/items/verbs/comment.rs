//! Saying something about an item, to all who see it and to those whom it names.

use chrono::{DateTime, Utc};
use domain::{
    access::{Caller, may},
    audit::AuditKind,
    ids::PersonId,
    mention::mentions,
    moves::Move,
    notice::NoticeKind,
    permission::Permission,
    refusal::Refusal,
};
use serde::Deserialize;

use super::{Verb, Work, input::Said, run};
use crate::{
    Result,
    items::actions::{Answers, Field, FieldKind, ItemAction, scope},
    new_id,
    people::who,
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Comment,
    label: "Comment…",
    explanation: "Everybody who sees the item reads it.",
    permission: Permission::ItemsComment,
    audit: AuditKind::Commented,
    fields: &[Field::required(
        "text",
        "Comment",
        "Write @ and somebody's e-mail address, such as @amara@example.com, and they are told.",
        FieldKind::Text,
    )],
    needs_version: false,
    answers: Answers::Item,
    run: run::<Comment>,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comment {
    text: Said,
}

impl Verb for Comment {
    const ACTION: ItemAction = ACTION;

    fn check(&self, _: DateTime<Utc>) -> Result<(), Refusal> {
        self.named().map(drop)
    }

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let mut named = Vec::new();
        for address in self.named()? {
            let Some(person) = reader(work, address).await? else {
                // Whether there is such a person is told to nobody.
                let why = format!("Nobody who can see this item signs in as {address}.");
                let remedy = "Correct the address, or leave out the @ before it.";
                return Err(Refusal::field("/text", format!("{why} {remedy}")).into());
            };
            named.push(person);
        }
        let (id, now) = (new_id(work.act.now), work.act.now);
        work.act.uow.add_comment(id, work.item.id, (work.person.id, &work.person.name), &self.text.0, now).await?;
        work.act.entry().detail("comment", id.to_string());
        named.retain(|person| *person != work.person.id);
        for person in named {
            work.tell(person, NoticeKind::Mentioned).await?;
        }
        Ok(())
    }
}

impl Comment {
    /// The addresses that it names.
    fn named(&self) -> Result<Vec<&str>, Refusal> {
        mentions(&self.text.0).map_err(|many| Refusal::field("/text", many.to_string()))
    }
}

/// Whoever signs in with this address, if they can see the item.
async fn reader(work: &mut Work<'_, '_>, address: &str) -> Result<Option<PersonId>> {
    let row = work.act.uow.person_by_email(address).await?.filter(|row| row.disabled_at.is_none());
    let Some(row) = row else { return Ok(None) };
    let person = who::person(&mut work.act.uow, row).await?;
    let id = person.id;
    let sees = may(&Caller::Person(person), Permission::ItemsRead, scope(work.item)).is_ok();
    Ok(sees.then_some(id))
}

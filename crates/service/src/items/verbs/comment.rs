//! Saying something about an item.

use domain::{audit::AuditKind, moves::Move, permission::Permission};
use serde::Deserialize;

use super::{Verb, Work, input::Said, run};
use crate::{
    Result,
    items::actions::{Answers, Field, FieldKind, ItemAction},
    new_id,
};

pub(crate) const ACTION: ItemAction = ItemAction {
    step: Move::Comment,
    label: "Comment…",
    explanation: "Everybody who sees the item reads it.",
    permission: Permission::ItemsComment,
    audit: AuditKind::Commented,
    fields: &[Field::required("text", "Comment", "", FieldKind::Text)],
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

    async fn perform(self, work: &mut Work<'_, '_>) -> Result<()> {
        let (id, now) = (new_id(work.act.now), work.act.now);
        work.act.uow.add_comment(id, work.item.id, (work.person.id, &work.person.name), &self.text.0, now).await?;
        work.act.entry().detail("comment", id.to_string());
        Ok(())
    }
}

//! A correction before it is saved: what there is to edit, what it would make, and what it would need.

use domain::{
    access::{self, Caller},
    audit::AuditKind,
    digest::Sha256,
    document::{fields::Field, is_form, json::Json},
    effect::Effect,
    ids::ItemId,
    permission::Permission,
    refusal::Refusal,
};
use store::Revision;

use super::{
    bench::{Bench, Judged},
    difference::Difference,
    draft,
    sight::Sight,
    typed::Typed,
};
use crate::{
    Request, Result, Service,
    action::Entry,
    items::{self, actions::scope, sending::step_of},
};

/// What a correction would make, shown before it is saved.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The revision it is made from.
    pub parent: i64,
    /// How it differs, as the person sees it.
    pub difference: Difference,
    /// What it would need.
    pub judged: Judged,
    /// Whether they may touch what is not open for editing.
    pub may_break_glass: bool,
    /// Whether they may save what fails the schema.
    pub may_override_schema: bool,
    /// Something happened in part: it may be said that this does the rest.
    pub may_complete: bool,
    /// Digest before and after, where nothing is hidden.
    pub digests: Option<(Sha256, Sha256)>,
}

/// A revision that can be corrected, as a person sees it.
#[derive(Debug, Clone)]
pub struct Editable {
    /// The revision.
    pub parent: Revision,
    /// Its text; `None` where it is not text.
    pub text: Option<String>,
    /// Whether the text is JSON.
    pub is_json: bool,
    /// Its single values, and how many are left out; `None` where it is not JSON.
    pub fields: Option<(Vec<Field>, usize)>,
    /// How many values are hidden.
    pub hidden: usize,
    /// What the step opens for editing; empty where that is everything.
    pub editable: Vec<String>,
    /// Whether there are places in it by which that can be told: JSON has them, and forms.
    pub has_places: bool,
    /// Whether the step has a schema.
    pub has_schema: bool,
}

impl Service {
    /// A revision to correct; the newest, where none is named.
    pub async fn editable(&self, request: &Request, id: ItemId, revision: Option<i64>) -> Result<Editable> {
        let mut entry = Entry::new(AuditKind::PayloadRead);
        entry.detail("revision", revision);
        self.reading(request, entry, Some(id), self.read_editable(&request.caller, id, revision)).await
    }

    async fn read_editable(&self, caller: &Caller, id: ItemId, revision: Option<i64>) -> Result<Editable> {
        let mut uow = self.store.read().await?;
        let item = items::readable(&mut uow, caller, id).await?;
        let number = match revision {
            Some(number) => number,
            None => uow.revisions(id).await?.last().map(|last| last.number).ok_or(Refusal::NoPayload)?,
        };
        let bench = Bench::of(&mut uow, caller, &item, number, self.settings.payload_limit).await?;
        let found = step_of(&mut uow, &item).await?;
        let text = bench.to_edit();
        let is_json = text.as_deref().is_some_and(|text| Json::read(text).is_ok());
        Ok(Editable {
            is_json,
            has_places: is_json || text.is_some() && is_form(&bench.parent.media_type),
            fields: text.as_deref().and_then(|text| bench.fields(text)),
            text,
            hidden: bench.masked().and_then(Result::ok).map_or(0, |masked| masked.parts.len()),
            editable: found
                .map(|found| found.step.editable.iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            has_schema: bench.schema.is_some(),
            parent: bench.parent,
        })
    }

    /// What a correction would make, shown before it is saved. Nothing is kept.
    pub async fn preview_correction(
        &self,
        request: &Request,
        id: ItemId,
        parent: i64,
        typed: Typed,
    ) -> Result<Preview> {
        let mut uow = self.store.read().await?;
        let caller = &request.caller;
        let item = items::readable(&mut uow, caller, id).await?;
        access::may(caller, Permission::ItemsCorrect, scope(&item))?;
        let bench = Bench::of(&mut uow, caller, &item, parent, self.settings.payload_limit).await?;
        let draft = draft::named(&mut uow, caller, &item, &bench, typed.goes_on_from()).await?;
        let made = bench.make(&typed.content(&bench, draft.as_ref())?)?;
        let may = |permission| access::may(caller, permission, scope(&item)).is_ok();
        Ok(Preview {
            parent,
            difference: bench.difference(&made),
            judged: bench.judge(&made),
            may_break_glass: may(Permission::PayloadsBreakGlass),
            may_override_schema: may(Permission::PayloadsOverrideSchema),
            may_complete: item.effect == Effect::Partial,
            digests: matches!(bench.sight, Sight::All).then(|| (Sha256::of(bench.before()), Sha256::of(&made.bytes))),
        })
    }
}

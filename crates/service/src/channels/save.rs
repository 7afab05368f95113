//! Making channels and changing them.

use domain::{
    audit::AuditKind,
    channel::{self, ChannelKind},
    permission::Permission,
    refusal::{FieldProblem, Refusal},
    workflow::SecretName,
};
use store::ChannelRow;

use crate::{
    Result,
    action::{Act, Action, Gate},
    new_id,
};

/// What a channel is to be, as typed.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The word of its kind.
    pub kind: String,
    /// Its address; of a channel that is there, empty leaves it as it is.
    pub url: String,
    /// The name of the secret that it is signed with; empty for none.
    pub secret: String,
    /// Whether private addresses may be called, where the settings allow them too.
    pub allow_private: bool,
}

/// What was typed, checked.
struct Checked {
    kind: ChannelKind,
    url: String,
    secret: Option<String>,
    allow_private: bool,
}

impl Wanted {
    /// Checks all of it; every mistake is told at its field.
    fn check(&self, kept: Option<&ChannelRow>, problems: &mut Vec<FieldProblem>) -> Option<Checked> {
        let kind = self.kind.parse::<ChannelKind>().ok();
        if kind.is_none() {
            problems.push(FieldProblem::new("/kind", "Choose what the receiver takes."));
        }
        let url = match (self.url.trim(), kept) {
            ("", Some(kept)) => kept.url.as_str(),
            (typed, _) => typed,
        };
        if let Err(wrong) = channel::address(url, self.allow_private) {
            problems.push(FieldProblem::new("/url", format!("The address {wrong}.")));
        }
        let secret = Some(self.secret.trim()).filter(|secret| !secret.is_empty());
        match secret.map(str::parse::<SecretName>) {
            Some(Err(wrong)) => problems.push(FieldProblem::new("/secret", format!("{wrong}."))),
            Some(Ok(_)) if kind.is_some_and(|kind| kind != ChannelKind::Webhook) => {
                problems.push(FieldProblem::new("/secret", "Only a webhook is signed."));
            }
            _ => {}
        }
        let (url, secret) = (url.to_owned(), secret.map(str::to_owned));
        kind.map(|kind| Checked { kind, url, secret, allow_private: self.allow_private })
    }
}

/// Makes a channel.
#[derive(Debug)]
pub struct AddChannel {
    /// Its name, by which workflow files refer to it; it stays.
    pub name: String,
    /// What it is to be.
    pub wanted: Wanted,
}

impl Action for AddChannel {
    const NAME: &'static str = "add_channel";
    const GATE: Gate = Gate::Permission(Permission::SettingsManage);
    const AUDIT: AuditKind = AuditKind::ChannelAdded;
    const STEP_UP: bool = true;
    type Output = String;

    async fn perform(self, act: &mut Act<'_>) -> Result<String> {
        let mut problems = Vec::new();
        let name = self.name.trim();
        if let Err(wrong) = channel::name(name) {
            problems.push(FieldProblem::new("/name", format!("The name {wrong}.")));
        }
        let checked = self.wanted.check(None, &mut problems);
        let Some(checked) = checked.filter(|_| problems.is_empty()) else {
            return Err(Refusal::Invalid(problems).into());
        };
        let by = act.caller.name().to_owned();
        let row = ChannelRow {
            id: new_id(act.now),
            name: name.to_owned(),
            kind: checked.kind,
            url: checked.url,
            secret: checked.secret,
            allow_private: checked.allow_private,
            version: 1,
            worked_at: None,
            failing_since: None,
            last_error: None,
            disabled_at: None,
            disabled_why: None,
            created_by_name: by.clone(),
            created_at: act.now,
            changed_by_name: by,
            changed_at: act.now,
        };
        if !act.uow.add_channel(&row).await? {
            return Err(Refusal::Taken { what: "channel", name: row.name }.into());
        }
        tell(act, &row);
        Ok(row.name)
    }
}

/// Changes a channel. Its name stays: workflow files refer to it.
#[derive(Debug)]
pub struct ChangeChannel {
    /// Its name.
    pub name: String,
    /// The version that was looked at.
    pub version: Option<i64>,
    /// What it is to be.
    pub wanted: Wanted,
}

impl Action for ChangeChannel {
    const NAME: &'static str = "change_channel";
    const GATE: Gate = Gate::Permission(Permission::SettingsManage);
    const AUDIT: AuditKind = AuditKind::ChannelChanged;
    const STEP_UP: bool = true;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let mut row = named(act, &self.name).await?;
        let mut problems = Vec::new();
        let checked = self.wanted.check(Some(&row), &mut problems);
        let Some(checked) = checked.filter(|_| problems.is_empty()) else {
            return Err(Refusal::Invalid(problems).into());
        };
        row.kind = checked.kind;
        row.url = checked.url;
        row.secret = checked.secret;
        row.allow_private = checked.allow_private;
        row.changed_by_name = act.caller.name().to_owned();
        row.changed_at = act.now;
        if self.version != Some(row.version) || !act.uow.save_channel(&row).await? {
            return Err(Refusal::ChangedMeanwhile { what: "The channel" }.into());
        }
        tell(act, &row);
        Ok(())
    }
}

/// The channel of this name.
pub(super) async fn named(act: &mut Act<'_>, name: &str) -> Result<ChannelRow> {
    let name = channel::name(name).map_err(|_| Refusal::NotFound)?;
    Ok(act.uow.channel_by_name(name).await?.ok_or(Refusal::NotFound)?)
}

/// What the audit says of a channel: of its address only the host, for the rest may be all that protects it.
pub(super) fn tell(act: &mut Act<'_>, row: &ChannelRow) {
    act.entry()
        .detail("channel", row.id.to_string())
        .detail("name", row.name.as_str())
        .detail("kind", row.kind.as_str())
        .text(channel::host(&row.url));
}

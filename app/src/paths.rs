//! A typed builder for every URL. What is as by default is left out, so that a URL says what is special about its page.

use chrono::{DateTime, Utc};
use domain::ids::{ApprovalId, ItemId, PersonId, QuarantineId, SubstituteId};
use service::{AuditFilter, CorrectionFilter, CorrectionPlace, Cursor, ItemFilter, Sort, View};
use url::form_urlencoded;
use uuid::Uuid;

pub const QUEUE: &str = "/queue";
pub const QUARANTINE: &str = "/quarantine";
pub const AUDIT: &str = "/audit";
pub const APPROVALS: &str = "/approvals";
pub const ALERTS: &str = "/alerts";
pub const SHIFT: &str = "/shift";
pub const SUBSTITUTES: &str = "/me/substitutes";
pub const AUDITED_APPROVALS: &str = "/audit/approvals";
pub const CORRECTIONS: &str = "/audit/corrections";
pub const ME: &str = "/me";
pub const SECURITY: &str = "/me/security";
pub const OWN_TOKENS: &str = "/me/tokens";
pub const NOTICE_CHOICES: &str = "/me/notices";
pub const NOTICES: &str = "/notices";
pub const PEOPLE: &str = "/admin/people";
pub const INVITE: &str = "/admin/people/invite";
pub const ROLES: &str = "/admin/roles";
pub const NEW_ROLE: &str = "/admin/roles/new";
pub const RIGHTS: &str = "/admin/rights";
pub const TEAMS: &str = "/admin/teams";
pub const TOKENS: &str = "/admin/tokens";
pub const CHANNELS: &str = "/admin/channels";
pub const MAIL_TEST: &str = "/admin/mail/test";
pub const SETTINGS: &str = "/admin/settings";
pub const SIGN_IN: &str = "/sign-in";
pub const SIGN_IN_CODE: &str = "/sign-in/code";
pub const SIGN_IN_HELP: &str = "/sign-in/help";
pub const SIGN_OUT: &str = "/sign-out";
pub const THEME: &str = "/theme";
pub const API_DOCS: &str = "/api/docs";

/// The view that the queue shows when none is asked for.
pub const DEFAULT_VIEW: View = View::Lane(domain::item::Lane::DeadLetter);

/// The queue as `filter` narrows it, from `after` on.
#[must_use]
pub fn queue(filter: &ItemFilter, after: Option<Cursor>) -> String {
    let view = (filter.view != DEFAULT_VIEW).then(|| view_word(filter.view).to_owned());
    let sort = sort_word(filter.sort).map(str::to_owned);
    let after = after.map(|cursor| place(cursor.at, cursor.id));
    with_query(
        QUEUE,
        [
            ("view", view),
            ("workflow", filter.workflow.clone()),
            ("step", filter.step.clone()),
            ("class", filter.class.map(|class| class.as_str().to_owned())),
            ("q", filter.text.clone()),
            ("due", filter.due.map(|level| level.as_str().to_owned())),
            ("mine", filter.mine.as_ref().map(|_| "yes".to_owned())),
            ("sort", sort),
            ("after", after),
        ],
    )
}

/// The word for an order in URLs; none for the one that is there without.
#[must_use]
pub fn sort_word(sort: Sort) -> Option<&'static str> {
    match sort {
        Sort::Oldest => None,
        Sort::Newest => Some("newest"),
        Sort::Due => Some("due"),
    }
}

/// Alerts that wait, or that were acknowledged, from a place in them.
#[must_use]
pub fn alerts(done: bool, from: Option<(DateTime<Utc>, Uuid)>) -> String {
    let tab = done.then(|| "acknowledged".to_owned());
    with_query(ALERTS, [("tab", tab), ("from", from.map(|(at, id)| place(at, id)))])
}

/// One alert, with what is in it from a place on.
#[must_use]
pub fn alert(id: Uuid, from: Option<(bool, DateTime<Utc>, Uuid)>) -> String {
    let settled = from.is_some_and(|(settled, ..)| settled).then(|| "yes".to_owned());
    with_query(&format!("{ALERTS}/{id}"), [("settled", settled), ("from", from.map(|(_, at, id)| place(at, id)))])
}

/// The word for a view in URLs.
#[must_use]
pub fn view_word(view: View) -> &'static str {
    match view {
        View::Lane(lane) => lane.as_str(),
        View::Uncertain => "uncertain",
        View::Open => "open",
        View::Closed => "closed",
    }
}

/// An item's recovery packet.
#[must_use]
pub fn item(id: ItemId) -> String {
    format!("/items/{id}")
}

/// An item's packet that shows this revision's payload, raw or laid out.
#[must_use]
pub fn revision(id: ItemId, number: i64, raw: bool) -> String {
    let view = raw.then(|| "raw".to_owned());
    with_query(&item(id), [("revision", Some(number.to_string())), ("view", view)]) + "#payload"
}

/// An item's packet that shows how this revision differs from another.
#[must_use]
pub fn comparison(id: ItemId, number: i64, with: i64) -> String {
    with_query(&item(id), [("revision", Some(number.to_string())), ("compare", Some(with.to_string()))]) + "#payload"
}

/// The exact bytes of a revision, as a file.
#[must_use]
pub fn payload(id: ItemId, revision: i64) -> String {
    format!("/items/{id}/revisions/{revision}/payload")
}

/// The form of an action on an item, and where it is posted to.
#[must_use]
pub fn item_action(id: ItemId, action: &str) -> String {
    format!("/items/{id}/{action}")
}

/// The page on which a revision is corrected, as text or field by field.
#[must_use]
pub fn correct(id: ItemId, revision: i64, by_field: bool) -> String {
    let view = by_field.then(|| "fields".to_owned());
    with_query(&item_action(id, "correct"), [("revision", Some(revision.to_string())), ("view", view)])
}

/// Where a draft of a correction is kept.
#[must_use]
pub fn draft(id: ItemId) -> String {
    format!("/items/{id}/draft")
}

/// The page on which what is hidden of a revision is revealed.
#[must_use]
pub fn reveal(id: ItemId, revision: i64) -> String {
    with_query(&item_action(id, "reveal"), [("revision", Some(revision.to_string()))])
}

/// The page on which the replay of a revision is decided; of the latest, where none is named.
#[must_use]
pub fn replay(id: ItemId, revision: Option<i64>) -> String {
    with_query(&item_action(id, "replay"), [("revision", revision.map(|number| number.to_string()))])
}

/// What waits for a decision, or what was decided, from a place in it.
#[must_use]
pub fn approvals(tab: Option<&str>, from: Option<(DateTime<Utc>, Uuid)>) -> String {
    with_query(APPROVALS, [("tab", tab.map(str::to_owned)), ("from", from.map(|(at, id)| place(at, id)))])
}

/// What was asked for and decided, for the audit, from before a place in it.
#[must_use]
pub fn audited_approvals(before: Option<(DateTime<Utc>, Uuid)>) -> String {
    with_query(AUDITED_APPROVALS, [("from", before.map(|(at, id)| place(at, id)))])
}

/// One thing that waits for a decision, or was decided.
#[must_use]
pub fn approval(id: ApprovalId) -> String {
    format!("{APPROVALS}/{id}")
}

/// Where a decision about it is posted to.
#[must_use]
pub fn decide(id: ApprovalId, verb: &str) -> String {
    format!("{APPROVALS}/{id}/{verb}")
}

/// The page on which a compensation by this plan is asked for.
#[must_use]
pub fn compensate(id: ItemId, plan: Option<&str>) -> String {
    with_query(&item_action(id, "compensations"), [("plan", plan.map(str::to_owned))])
}

/// Where the end of somebody's standing in is posted to.
#[must_use]
pub fn end_substitute(id: SubstituteId) -> String {
    format!("{SUBSTITUTES}/{id}/end")
}

/// Reports in quarantine: those that wait or those that were dealt with.
#[must_use]
pub fn quarantine(open: bool, before: Option<(DateTime<Utc>, Uuid)>) -> String {
    let view = (!open).then(|| "done".to_owned());
    with_query(QUARANTINE, [("view", view), ("before", before.map(|(at, id)| place(at, id)))])
}

/// One report in quarantine.
#[must_use]
pub fn quarantined(id: QuarantineId) -> String {
    format!("{QUARANTINE}/{id}")
}

/// Where the form that accepts a report is posted to.
#[must_use]
pub fn accept(id: QuarantineId) -> String {
    format!("{QUARANTINE}/{id}/accept")
}

/// Where the form that closes a report is posted to.
#[must_use]
pub fn close(id: QuarantineId) -> String {
    format!("{QUARANTINE}/{id}/close")
}

/// The audit trail. `from` and `to` are as the person gave them.
#[must_use]
pub fn audit(
    filter: &AuditFilter,
    from: Option<&str>,
    to: Option<&str>,
    before: Option<(DateTime<Utc>, Uuid)>,
) -> String {
    with_query(
        AUDIT,
        [
            ("person", filter.actor.clone()),
            ("account", filter.actor_id.map(|id| id.to_string())),
            ("item", filter.item.map(|id| id.to_string())),
            ("action", filter.action.map(|action| action.as_str().to_owned())),
            ("workflow", filter.workflow.clone()),
            ("outcome", filter.outcome.map(|outcome| outcome.as_str().to_owned())),
            ("from", from.map(str::to_owned)),
            ("to", to.map(str::to_owned)),
            ("before", before.map(|(at, id)| place(at, id))),
        ],
    )
}

/// What people made of payloads.
#[must_use]
pub fn corrections(filter: &CorrectionFilter, before: Option<CorrectionPlace>) -> String {
    let word = |(at, item, number): CorrectionPlace| format!("{}-{number}", place(at, item.0));
    with_query(
        CORRECTIONS,
        [
            ("person", filter.person.clone()),
            ("workflow", filter.workflow.clone()),
            ("item", filter.item.map(|id| id.to_string())),
            ("before", before.map(word)),
        ],
    )
}

/// Reads the place that [`corrections`] wrote.
#[must_use]
pub fn read_correction_place(word: &str) -> Option<CorrectionPlace> {
    let (rest, number) = word.rsplit_once('-')?;
    let (at, item) = read_place(rest)?;
    Some((at, ItemId(item), number.parse().ok()?))
}

/// One correction beside the original.
#[must_use]
pub fn correction(item: ItemId, revision: i64) -> String {
    format!("{CORRECTIONS}/{item}/{revision}")
}

/// Signing in, and coming back to `next` afterwards.
#[must_use]
pub fn sign_in(next: &str) -> String {
    with_query(SIGN_IN, [("next", (next != QUEUE && next != "/").then(|| next.to_owned()))])
}

/// Signing in at the identity provider, and coming back to `next` afterwards.
#[must_use]
pub fn sign_in_openid(next: &str) -> String {
    with_query("/sign-in/openid", [("next", (!next.is_empty()).then(|| next.to_owned()))])
}

/// Confirming at the identity provider who one is, and coming back to `next` afterwards.
#[must_use]
pub fn confirm_openid(next: &str) -> String {
    with_query("/sign-in/openid", [("again", Some("yes".to_owned())), ("next", Some(next.to_owned()))])
}

/// The second step of signing in, and coming back to `next` afterwards.
#[must_use]
pub fn sign_in_code(next: &str) -> String {
    with_query(SIGN_IN_CODE, [("next", (!next.is_empty() && next != QUEUE && next != "/").then(|| next.to_owned()))])
}

/// A one-time link's own page.
#[must_use]
pub fn link(secret: &str) -> String {
    format!("/link/{}", segment(secret))
}

/// A page that says what was done last.
#[must_use]
pub fn done(page: &str, what: &str) -> String {
    with_query(page, [("done", Some(what.to_owned()))])
}

/// What was told to the person, from before a place in it.
#[must_use]
pub fn notices(before: Option<(DateTime<Utc>, Uuid)>) -> String {
    with_query(NOTICES, [("before", before.map(|(at, id)| place(at, id)))])
}

/// Accounts whose address holds `text`, or of the team of that key, from after an address on.
#[must_use]
pub fn people(text: Option<&str>, after: Option<&(String, PersonId)>) -> String {
    let after = after.map(|(address, id)| format!("{}-{address}", id.0.simple()));
    with_query(PEOPLE, [("q", text.map(str::to_owned)), ("after", after)])
}

/// Reads the place that [`people`] wrote.
#[must_use]
pub fn read_address(word: &str) -> Option<(String, PersonId)> {
    let (id, address) = word.split_once('-')?;
    Some((address.to_owned(), PersonId(Uuid::try_parse(id).ok()?)))
}

/// An account, for admins.
#[must_use]
pub fn person(id: PersonId) -> String {
    format!("{PEOPLE}/{id}")
}

/// A role.
#[must_use]
pub fn role(key: &str) -> String {
    format!("{ROLES}/{}", segment(key))
}

/// A team.
#[must_use]
pub fn team(key: &str) -> String {
    format!("{TEAMS}/{}", segment(key))
}

/// A channel.
#[must_use]
pub fn channel(name: &str) -> String {
    format!("{CHANNELS}/{}", segment(name))
}

/// Tokens, from before a place among them.
#[must_use]
pub fn tokens(before: Option<(DateTime<Utc>, Uuid)>) -> String {
    with_query(TOKENS, [("before", before.map(|(at, id)| place(at, id)))])
}

/// The audit of one account or token: a namesake's is another.
#[must_use]
pub fn audit_of(actor: Uuid) -> String {
    with_query(AUDIT, [("account", Some(actor.to_string()))])
}

/// A text as one part of a path.
fn segment(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The first admin's set-up, by its one-time secret.
#[must_use]
pub fn setup(secret: &str) -> String {
    format!("/setup/{}", segment(secret))
}

/// Where a page of a list begins, as a word for URLs.
#[must_use]
pub fn place(at: DateTime<Utc>, id: Uuid) -> String {
    format!("{}-{}", at.timestamp_micros(), id.simple())
}

/// Reads what [`place`] wrote.
#[must_use]
pub fn read_place(word: &str) -> Option<(DateTime<Utc>, Uuid)> {
    let (micros, id) = word.rsplit_once('-')?;
    Some((DateTime::from_timestamp_micros(micros.parse().ok()?)?, Uuid::try_parse(id).ok()?))
}

fn with_query<const N: usize>(path: &str, pairs: [(&str, Option<String>); N]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        if let Some(value) = value {
            query.append_pair(name, &value);
        }
    }
    let query = query.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests;

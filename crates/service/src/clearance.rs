//! What a viewer's clearance keeps from them: the one place that decides it, field by field (R15). Pages, API, lists and
//! the audit trail all read through here.

use std::borrow::Cow;

use domain::{access::Caller, audit::AuditKind, document::secrets, sensitivity::Sensitivity};
use store::{Approval, ApprovalDecision, Attempt, AuditRow, Item, ListedItem, Quarantined, Replay, Revision};

use crate::{
    corrections::Corrected,
    items::{packet::Packet, sending::Plan},
};

/// Stands where a text was that is above the viewer's clearance.
pub(crate) const HIDDEN: &str = "Hidden: above your clearance";

/// How the source of what a lookup found begins.
const LOOKED_UP: &str = "Lookup";

/// How much is kept from a viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Veil {
    /// Nothing: they are cleared.
    Nothing,
    /// The content: payload and its digests, technical detail, evidence, answers and the addresses that were called. What is
    /// said about it, such as the failure's message, is shown.
    Content,
    /// Whatever can hold content or personal text. What names the work and how it stands is shown.
    Whole,
}

/// Hides what looks like a secret in what a failing system said.
fn scrub(text: &mut String) {
    if let Cow::Owned(scrubbed) = secrets::scrub(text) {
        *text = scrubbed;
    }
}

impl Veil {
    /// What is kept from `caller` of something this sensitive.
    pub(crate) fn of(caller: &Caller, sensitivity: Sensitivity) -> Self {
        match sensitivity {
            _ if caller.sees(sensitivity) => Self::Nothing,
            Sensitivity::Restricted => Self::Whole,
            Sensitivity::Internal | Sensitivity::Confidential => Self::Content,
        }
    }

    /// Blanks what of an item's packet is above the clearance. What can't be left out says [`HIDDEN`].
    pub(crate) fn over_packet(self, packet: &mut Packet) {
        self.over_item(&mut packet.item);
        self.over_attempts(&mut packet.attempts);
        self.over_revisions(&mut packet.revisions);
        self.over_replays(&mut packet.replays);
        packet.approvals.iter_mut().for_each(|approval| self.over_approval(approval));
        packet.history.iter_mut().for_each(|entry| self.over_entry(entry));
        if self >= Self::Content {
            packet.answers.clear();
            packet.lookups.iter_mut().for_each(|look| look.request.clear());
            for found in &mut packet.findings {
                HIDDEN.clone_into(&mut found.evidence);
                // What a lookup found names the address that was called, with values of the payload filled in.
                if found.source.starts_with(LOOKED_UP) {
                    found.source.truncate(LOOKED_UP.len());
                }
            }
            packet.decision.iter_mut().for_each(|decision| decision.evidence = None);
        }
        if self == Self::Whole {
            for found in &mut packet.findings {
                HIDDEN.clone_into(&mut found.source);
                found.record_id = None;
            }
            if let Some(decision) = &mut packet.decision {
                HIDDEN.clone_into(&mut decision.reason);
                (decision.record_id, decision.follow_up) = (None, None);
            }
            packet.comments.iter_mut().for_each(|comment| HIDDEN.clone_into(&mut comment.text));
            packet.escalations.iter_mut().for_each(|step| HIDDEN.clone_into(&mut step.reason));
        }
    }

    /// The same for one correction beside what it was made from.
    pub(crate) fn over_correction(self, seen: &mut Corrected) {
        self.over_item(&mut seen.item);
        self.over_attempts(&mut seen.attempts);
        self.over_replays(&mut seen.replays);
        self.over_revisions([&mut seen.original, &mut seen.correction].into_iter().chain(&mut seen.parent));
    }

    /// The same for what a replay would send.
    pub(crate) fn over_plan(self, plan: &mut Plan) {
        self.over_revisions([&mut plan.revision]);
        if self >= Self::Content {
            // Values of the payload are filled in, or named as what can't be.
            let (Ok(told) | Err(told)) = &mut plan.request;
            HIDDEN.clone_into(told);
        }
    }

    /// The same for what waits for a decision.
    pub(crate) fn over_approval(self, approval: &mut Approval) {
        if self >= Self::Content {
            // Values of the payload may be filled in.
            approval.bound.0.sends.iter_mut().for_each(|sending| HIDDEN.clone_into(&mut sending.request));
            approval.bound.0.sha256.clear();
        }
        if self == Self::Whole {
            HIDDEN.clone_into(&mut approval.reason);
            approval.ended_why.iter_mut().for_each(|why| HIDDEN.clone_into(why));
            approval.bound.0.parameters.values_mut().for_each(|value| HIDDEN.clone_into(value));
        }
    }

    /// The same for what was decided.
    pub(crate) fn over_decisions(self, decisions: &mut [ApprovalDecision]) {
        if self == Self::Whole {
            decisions.iter_mut().for_each(|decision| HIDDEN.clone_into(&mut decision.reason));
        }
    }

    fn over_attempts(self, attempts: &mut [Attempt]) {
        for attempt in attempts {
            if self >= Self::Content {
                attempt.request = None;
                attempt.message.iter_mut().for_each(scrub);
            }
            if self == Self::Whole {
                (attempt.message, attempt.record_id) = (None, None);
            }
        }
    }

    pub(crate) fn over_revisions<'r>(self, revisions: impl IntoIterator<Item = &'r mut Revision>) {
        if self == Self::Whole {
            revisions.into_iter().for_each(|revision| revision.reason = None);
        }
    }

    fn over_replays(self, replays: &mut [Replay]) {
        if self == Self::Whole {
            replays.iter_mut().for_each(|replay| HIDDEN.clone_into(&mut replay.reason));
        }
    }

    pub(crate) fn over_item(self, item: &mut Item) {
        if self >= Self::Content {
            scrub(&mut item.message);
            scrub(&mut item.message_head);
            (item.detail, item.effect_evidence) = (None, None);
            for piece in &mut item.evidence.0 {
                (piece.text, piece.url) = (None, None);
            }
        }
        if self == Self::Whole {
            HIDDEN.clone_into(&mut item.message);
            HIDDEN.clone_into(&mut item.message_head);
            (item.customer_impact, item.record_id, item.payload_ref) = (None, None, None);
            item.proposed_action.0 = None;
            item.affected.0.clear();
            item.evidence.0.clear();
            item.steps.0.iter_mut().for_each(|step| step.external_id = None);
        }
    }

    /// Blanks what of a list's row is above the clearance.
    pub(crate) fn over_row(caller: &Caller, row: &mut ListedItem) {
        match Self::of(caller, row.sensitivity) {
            Self::Nothing => {}
            Self::Content => scrub(&mut row.message_head),
            Self::Whole => HIDDEN.clone_into(&mut row.message_head),
        }
    }

    /// The same for an entry of the audit trail, by the item it is about.
    pub(crate) fn over_entry(self, entry: &mut AuditRow) {
        let tells_content = matches!(entry.action, AuditKind::Reconciled | AuditKind::LookedUp);
        if self == Self::Whole || self == Self::Content && tells_content {
            entry.text = None;
        }
        if self >= Self::Content {
            // A digest tells whoever guesses the content that they guessed right.
            entry.detail.0.remove("sha256");
        }
    }

    /// The same for what is known of a report in quarantine: a reason may repeat a value it is about.
    pub(crate) fn over_report(self, report: &mut Quarantined) {
        if self >= Self::Content {
            report.item_header = None;
        }
        if self == Self::Whole {
            HIDDEN.clone_into(&mut report.reason);
            report.problems.0.iter_mut().for_each(|problem| HIDDEN.clone_into(&mut problem.message));
            report.note = report.note.take().map(|_| HIDDEN.to_owned());
        }
    }
}

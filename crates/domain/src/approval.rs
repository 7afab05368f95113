//! What one person asks for and another decides (R11, R12): exactly one content, once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    digest::Sha256,
    effect::Effect,
    ids::{AttemptId, ItemId},
    replay::Accept,
    word::words,
    workflow::{Condition, Destination, ReplayApproval, Source, Undoes},
};

words! {
    /// What is asked for.
    ApprovalKind { Replay = "replay", Compensation = "compensation" }
}

words! {
    /// How far an approval is.
    ApprovalState {
        Waiting = "waiting", Approved = "approved", Rejected = "rejected", Withdrawn = "withdrawn", Expired = "expired",
        /// Something it was about has changed.
        Void = "void",
    }
}

words! {
    /// What somebody decided.
    Verdict { Approve = "approve", Reject = "reject" }
}

words! {
    /// Why somebody may not decide an approval (R11).
    Excluded {
        Asked = "asked", Edited = "edited", Found = "found", Substitute = "substitute",
    }
}

impl Verdict {
    /// For people, before "by" and a name.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Approve => "Approved",
            Self::Reject => "Rejected",
        }
    }
}

impl ApprovalKind {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Replay => "Replay",
            Self::Compensation => "Compensation",
        }
    }
}

impl ApprovalState {
    /// For people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Waiting => "Waiting",
            Self::Approved => "Approved",
            Self::Rejected => "Rejected",
            Self::Withdrawn => "Withdrawn",
            Self::Expired => "Expired",
            Self::Void => "Void: something changed",
        }
    }
}

impl Excluded {
    /// For people: why somebody else has to decide, as the end of the sentence "You …".
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Asked => "asked for it",
            Self::Edited => "made a revision that it rests on",
            Self::Found => "recorded a finding that it rests on",
            Self::Substitute => "stand in for somebody who had a hand in it",
        }
    }
}

/// One request that will be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sending {
    /// The part of a compensation; none for a replay.
    pub part: Option<String>,
    /// The method and the whole address.
    pub request: String,
    /// Where to, as it is configured.
    pub destination: Destination,
    /// The idempotency key.
    pub key: String,
    /// Digest of the body, in hexadecimal.
    pub sha256: String,
    /// Bytes of the body.
    pub size: usize,
}

/// The policy that decides an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// How many different people have to approve it.
    pub approvers: u32,
    /// When a replay needs one.
    pub replay_approval: ReplayApproval,
    /// Digest of the step's schema, in hexadecimal.
    pub schema: Option<String>,
    /// What is open for editing.
    pub editable: Vec<String>,
    /// Where the source record's version is read.
    pub source: Option<Source>,
    /// Of a compensation: what must hold in the other system.
    pub only_if: Option<Condition>,
    /// Of a compensation: how much it undoes.
    pub undoes: Option<Undoes>,
    /// Of a compensation: what it can't undo.
    pub cannot_undo: Option<String>,
}

/// What an approval is about. Whatever of it changes voids the approval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bound {
    /// What is done.
    pub action: ApprovalKind,
    /// With which item.
    pub item: ItemId,
    /// In which epoch.
    pub epoch: i64,
    /// What is known of its effect.
    pub effect: Effect,
    /// Which revision is sent, or was sent by the attempt that is made good.
    pub revision: i64,
    /// Its digest, in hexadecimal.
    pub sha256: String,
    /// Of a compensation: the attempt whose effect it makes good.
    pub attempt: Option<AttemptId>,
    /// Of a compensation: its plan.
    pub plan: Option<String>,
    /// What the person who asks has filled in.
    pub parameters: BTreeMap<String, String>,
    /// What they accepted explicitly.
    pub accepted: Vec<Accept>,
    /// What is sent, in order.
    pub sends: Vec<Sending>,
    /// The policy that decides it.
    pub policy: Policy,
    /// The source record's version.
    pub source_version: Option<String>,
}

impl Bound {
    /// One digest over all of it.
    pub fn hash(&self) -> Result<Sha256, serde_json::Error> {
        serde_json::to_vec(self).map(|bytes| Sha256::of(&bytes))
    }

    /// What has changed since, each as a sentence; nothing where it is the same.
    #[must_use]
    pub fn changes(&self, now: &Self) -> Vec<String> {
        let mut told = Vec::new();
        let mut differs = |same: bool, sentence: String| {
            if !same {
                told.push(sentence);
            }
        };
        differs(self.epoch == now.epoch, "The earlier effect was made good meanwhile.".into());
        differs(
            self.effect == now.effect,
            format!("The effect was {}; now it is {}.", self.effect.words(), now.effect.words()),
        );
        differs(
            (self.revision, &self.sha256) == (now.revision, &now.sha256),
            format!("Revision {} is not the content any more; it would be revision {}.", self.revision, now.revision),
        );
        differs(self.attempt == now.attempt, "It would make good another attempt.".into());
        differs(self.parameters == now.parameters, "The parameters are others.".into());
        differs(self.accepted == now.accepted, "Something else has to be accepted explicitly.".into());
        for (at, then) in self.sends.iter().enumerate() {
            let name = then.part.as_deref().map_or_else(String::new, |part| format!("{part}: "));
            let Some(now) = now.sends.get(at) else {
                differs(false, format!("{name}it would not be sent any more."));
                continue;
            };
            // As they are configured: what is filled in may be nobody's to see.
            let place = |sending: &Sending| {
                let url = sending.destination.url.as_ref().map(ToString::to_string).unwrap_or_default();
                format!("{} {url}", sending.destination.method())
            };
            let (before, after) = (place(then), place(now));
            match before == after {
                false => differs(false, format!("{name}it was {before}; now it is {after}.")),
                true => {
                    differs(then.request == now.request, format!("{name}it would be sent to another address."));
                    differs(
                        then.destination == now.destination,
                        format!("{name}the destination's settings were changed."),
                    );
                }
            }
            differs(then.key == now.key, format!("{name}it would carry another key."));
            differs((&then.sha256, then.size) == (&now.sha256, now.size), format!("{name}other bytes would be sent."));
        }
        differs(self.sends.len() >= now.sends.len(), "More would be sent.".into());
        differs(self.policy == now.policy && self.plan == now.plan, "The policy that decides it was changed.".into());
        let version = |version: &Option<String>| version.clone().unwrap_or_else(|| "unknown".into());
        differs(
            self.source_version == now.source_version,
            format!(
                "The source record's version was {}; now it is {}.",
                version(&self.source_version),
                version(&now.source_version)
            ),
        );
        if told.is_empty() && self != now {
            told.push("It is not the same any more.".into());
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn bound() -> Bound {
        Bound {
            action: ApprovalKind::Replay,
            item: ItemId(Uuid::from_u128(1)),
            epoch: 0,
            effect: Effect::None,
            revision: 2,
            sha256: "ab".into(),
            attempt: None,
            plan: None,
            parameters: BTreeMap::new(),
            accepted: vec![],
            sends: vec![Sending {
                part: None,
                request: "POST https://ledger.example/api/invoices".into(),
                destination: serde_json::from_str(r#"{"kind":"http","url":"https://ledger.example/api/invoices"}"#)
                    .unwrap(),
                key: "k".into(),
                sha256: "ab".into(),
                size: 2,
            }],
            policy: Policy {
                approvers: 1,
                replay_approval: ReplayApproval::WhenCorrected,
                schema: None,
                editable: vec![],
                source: None,
                only_if: None,
                undoes: None,
                cannot_undo: None,
            },
            source_version: Some("etag-1".into()),
        }
    }

    #[test]
    fn r12_whatever_changes_is_another_hash_and_is_told() {
        let before = bound();
        assert_eq!(before.changes(&bound()), Vec::<String>::new());
        assert_eq!(before.hash().unwrap(), bound().hash().unwrap());
        type Change = fn(&mut Bound);
        let changes: [(Change, &str); 12] = [
            (|b| b.epoch = 1, "made good"),
            (|b| b.effect = Effect::Uncertain, "now it is may have happened"),
            (|b| b.revision = 3, "Revision 2 is not"),
            (|b| b.sha256 = "cd".into(), "Revision 2 is not"),
            (|b| b.attempt = Some(AttemptId(Uuid::from_u128(2))), "another attempt"),
            (|b| b.parameters = BTreeMap::from([("a".into(), "1".into())]), "parameters"),
            (|b| b.accepted = vec![Accept::TooOld], "accepted"),
            (|b| b.sends[0].request = "POST https://other.example/".into(), "another address"),
            (|b| b.sends[0].destination.allow_private = true, "settings were changed"),
            (|b| b.sends[0].sha256 = "cd".into(), "other bytes"),
            (|b| b.policy.approvers = 2, "policy"),
            (|b| b.source_version = None, "now it is unknown"),
        ];
        for (change, told) in changes {
            let mut now = bound();
            change(&mut now);
            assert_ne!(before.hash().unwrap(), now.hash().unwrap(), "{told}");
            let changes = before.changes(&now);
            assert!(changes.len() == 1 && changes[0].contains(told), "{told}: {changes:?}");
        }
    }
}

//! Late news (R10): what to do with word about an attempt that began before the item was closed.

use crate::{effect::Effect, ids::AttemptId};

/// An attempt, as far as double effects are concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Which attempt.
    pub attempt: AttemptId,
    /// Its effect.
    pub effect: Effect,
    /// The other system's record, if known.
    pub record_id: Option<String>,
    /// The key it carried, where the other system recognises keys.
    pub key: Option<String>,
}

/// What the news means for a closed item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LateNews {
    /// It fits what was decided: kept on its own attempt, nothing else.
    Fits,
    /// It contradicts what was decided: the effect may have happened against a decision, or twice.
    Contradicts {
        /// The attempt the decision rested on, where there was one.
        decided: Option<AttemptId>,
    },
}

/// Judges `news` about an item that was closed with `decided` as its effect and these other attempts.
#[must_use]
pub fn judge(decided: Effect, others: &[Trace], news: &Trace) -> LateNews {
    if matches!(news.effect, Effect::None | Effect::Compensated) {
        return LateNews::Fits;
    }
    let standing = others.iter().find(|other| matches!(other.effect, Effect::Confirmed | Effect::Partial));
    match (decided, standing) {
        // The same record of the other system, reported twice, is one effect.
        (Effect::Confirmed, Some(other)) if news.record_id.is_some() && news.record_id == other.record_id => {
            LateNews::Fits
        }
        // So is what carried one key to a system that recognises it, unless it made two records of it all the same.
        (Effect::Confirmed, Some(other)) if one_effect(news, other) => LateNews::Fits,
        (_, standing) => LateNews::Contradicts { decided: standing.map(|other| other.attempt) },
    }
}

fn one_effect(news: &Trace, other: &Trace) -> bool {
    let one_record = news.record_id.is_none() || other.record_id.is_none();
    news.key.is_some() && news.key == other.key && one_record
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(n: u128, effect: Effect, record: Option<&str>) -> Trace {
        Trace { attempt: AttemptId(uuid::Uuid::from_u128(n)), effect, record_id: record.map(str::to_owned), key: None }
    }

    #[test]
    fn r10_one_key_at_a_system_that_recognises_it_is_one_effect() {
        let keyed = |n, record, key: &str| Trace { key: Some(key.into()), ..trace(n, Effect::Confirmed, record) };
        let first = keyed(1, Some("L-1"), "k");
        let all = std::slice::from_ref(&first);
        let contradicts = LateNews::Contradicts { decided: Some(first.attempt) };
        assert_eq!(judge(Effect::Confirmed, all, &keyed(2, None, "k")), LateNews::Fits);
        assert_eq!(judge(Effect::Confirmed, all, &keyed(2, None, "other")), contradicts);
        assert_eq!(
            judge(Effect::Confirmed, all, &keyed(2, Some("L-2"), "k")),
            contradicts,
            "two records are two effects"
        );
    }

    #[test]
    fn r10_news_that_contradicts_is_raised_and_news_that_fits_is_only_kept() {
        let first = trace(1, Effect::Confirmed, Some("L-1"));
        let all = std::slice::from_ref(&first);
        let contradicts = LateNews::Contradicts { decided: Some(first.attempt) };
        assert_eq!(judge(Effect::Confirmed, all, &trace(2, Effect::None, None)), LateNews::Fits);
        assert_eq!(judge(Effect::Confirmed, all, &trace(2, Effect::Confirmed, Some("L-1"))), LateNews::Fits);
        assert_eq!(judge(Effect::Confirmed, all, &trace(2, Effect::Confirmed, Some("L-2"))), contradicts);
        assert_eq!(judge(Effect::Confirmed, all, &trace(2, Effect::Confirmed, None)), contradicts);
        assert_eq!(judge(Effect::Confirmed, all, &trace(2, Effect::Uncertain, None)), contradicts);
        assert_eq!(
            judge(Effect::None, &[], &trace(2, Effect::Confirmed, None)),
            LateNews::Contradicts { decided: None }
        );
    }
}

//! What is read in other systems before something is asked for, decided or sent: the source record's version (R18), and the
//! condition a compensation rests on. It is read outside any transaction, and only read.

use std::collections::BTreeMap;

use domain::{
    refusal::Refusal,
    replay,
    workflow::{AnswerRule, Condition, HeaderValue, Method, Source, Template, fill::Values},
};
use serde::{Deserialize, Serialize};

use crate::{
    Result, Service, delivery,
    outbound::{Outgoing, Reply, Sent},
};

/// What the other systems showed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outside {
    /// The source record's version, where the step says how to read it.
    pub(crate) source_version: Option<String>,
}

/// Where to look, with every placeholder filled in.
#[derive(Debug, Default)]
pub(crate) struct Places {
    source: Option<(Source, Result<String, String>)>,
    only_if: Option<(Condition, Result<String, String>)>,
}

impl Places {
    /// The places that an action's policy names.
    pub(crate) fn of(source: Option<&Source>, only_if: Option<&Condition>, values: Values<'_>) -> Self {
        let filled = |url: &Template| url.fill(values);
        Self {
            source: source.map(|source| (source.clone(), filled(&source.url))),
            only_if: only_if.map(|condition| (condition.clone(), filled(&condition.url))),
        }
    }
}

impl Service {
    /// Looks at every place; refused where one can't be read, or does not show what must hold.
    pub(crate) async fn look_outside(&self, places: Places) -> Result<Outside> {
        let mut seen = Outside::default();
        if let Some((source, url)) = places.source {
            let unreadable = |why: String| Refusal::SourceUnreadable { why };
            let call =
                Call { headers: &source.headers, timeout: source.timeout.as_ref(), private: source.allow_private };
            let reply = self.get(url.map_err(unreadable)?, call).await.map_err(unreadable)?;
            let body = whole(&reply).map_err(unreadable)?;
            let version = replay::value_at(body, source.version.as_str());
            let missing = || unreadable(format!("The answer holds no version at {}.", source.version));
            seen.source_version = Some(version.ok_or_else(missing)?);
        }
        if let Some((condition, url)) = places.only_if {
            let fails = |why: String| Refusal::ConditionFails { why, seen: false };
            let timeout = condition.timeout.as_ref();
            let call = Call { headers: &condition.headers, timeout, private: condition.allow_private };
            let reply = self.get(url.map_err(fails)?, call).await.map_err(fails)?;
            let body = whole(&reply).map_err(fails)?;
            let rule = AnswerRule { pointer: condition.pointer.clone(), equals: Some(condition.equals.clone()) };
            if !replay::holds(&rule, body) {
                let why = format!("{} is not what it has to be.", condition.pointer);
                return Err(Refusal::ConditionFails { why, seen: true }.into());
            }
        }
        Ok(seen)
    }

    /// Asks another system; why not, if there is no answer.
    pub(crate) async fn get(&self, url: String, call: Call<'_>) -> Result<Reply, String> {
        let timeout = call.timeout.map_or(chrono::TimeDelta::seconds(10), domain::span::Span::delta);
        let request = Outgoing {
            method: Method::Get,
            url,
            configured: delivery::headers_of(call.headers),
            added: Vec::new(),
            signature: None,
            body: Vec::new(),
            timeout: timeout.to_std().unwrap_or_default(),
            allow_private: call.private,
            plain_is_private: false,
        };
        let by = std::time::Instant::now() + request.timeout;
        match self.courier.connect(request).await {
            Err(not_sent) => Err(not_sent.0),
            Ok(line) => match line.send(by).await {
                Sent::Nothing(not_sent) => Err(not_sent.0),
                Sent::NoAnswer(why) => Err(why),
                Sent::Answered(reply) => Ok(reply),
            },
        }
    }
}

/// How another system is asked.
#[derive(Clone, Copy)]
pub(crate) struct Call<'c> {
    pub(crate) headers: &'c BTreeMap<String, HeaderValue>,
    pub(crate) timeout: Option<&'c domain::span::Span>,
    pub(crate) private: bool,
}

fn whole(reply: &Reply) -> Result<&str, String> {
    match std::str::from_utf8(&reply.body) {
        _ if !(200..300).contains(&reply.status) => Err(format!("Answered {}.", reply.status)),
        Ok(body) if !reply.cut => Ok(body),
        _ => Err(format!("Answered {}, but the answer could not be read whole.", reply.status)),
    }
}

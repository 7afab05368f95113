//! Taking a report: from an automation's message to an item that people can work.

mod attempts;
mod items;
pub mod take;

use domain::{access, audit::AuditKind, digest::Sha256, refusal::Refusal, report};
use serde::{Deserialize, Serialize};

use crate::{Error, Request, Result, Service, action::Entry, quarantine::keep::Refused};

pub(crate) use attempts::{News, Recorder, finish};

/// A report as it came in.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// The request body.
    pub body: Vec<u8>,
    /// Its content type.
    pub content_type: String,
    /// The `Recourse-Item` header, decoded: then the body is the payload itself.
    pub item_header: Option<Vec<u8>>,
}

/// What an automation is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The item.
    pub id: domain::ids::ItemId,
    /// Whether the item was made by this request; a repeat of the report made nothing.
    pub created: bool,
    /// Its state.
    pub state: domain::item::State,
    /// Its effect.
    pub effect: domain::effect::Effect,
    /// Where a person looks at it.
    pub url: String,
    /// The report brought other payload bytes than the last one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub payload_changed: bool,
}

/// An answer, and whether it is the first to this report.
#[derive(Debug, Clone)]
pub struct Taken {
    /// What to say.
    pub answer: Answer,
    /// The report was known; nothing was changed.
    pub repeat: bool,
}

impl Incoming {
    /// A report whose payload is inside its JSON.
    #[must_use]
    pub fn json(body: Vec<u8>) -> Self {
        Self { body, content_type: "application/json".into(), item_header: None }
    }

    fn parse(&self, payload_limit: usize) -> Result<report::Report, Refusal> {
        match &self.item_header {
            Some(header) => report::parse_with_body(header, &self.content_type, &self.body, payload_limit),
            None => report::parse(&self.body, payload_limit),
        }
    }

    /// What names the content: the same bytes are the same report. White space around a JSON body is transport.
    pub(crate) fn digest(&self) -> Sha256 {
        match &self.item_header {
            Some(header) => Sha256::of_parts(&[header.trim_ascii(), self.content_type.as_bytes(), &self.body]),
            None => Sha256::of(self.body.trim_ascii()),
        }
    }
}

/// How often a report is taken again after losing a race for its own name.
const RACES: usize = 5;

impl Service {
    /// Takes a report. What is refused is kept in quarantine first (R17), but for a missing token and an over-limit payload.
    pub async fn report(&self, request: &Request, incoming: &Incoming) -> Result<Taken> {
        match self.take(request, incoming).await {
            Err(Error::Refused(refusal)) => Err(self.keep(request, Refused::report(incoming), refusal).await),
            other => other,
        }
    }

    /// Keeps something that a door refused before it was taken, and answers the refusal with its place.
    pub async fn keep_refused(&self, request: &Request, incoming: &Incoming, refusal: Refusal) -> Error {
        self.keep(request, Refused::report(incoming), refusal).await
    }

    /// Asked before a door reads reports at all: whether the caller is an automation. A refusal is recorded.
    pub async fn may_report(&self, request: &Request) -> Result<()> {
        let may = async { Ok(access::automation(&request.caller).map(drop)?) };
        self.reading(request, Entry::new(AuditKind::ItemReported), None, may).await
    }

    async fn take(&self, request: &Request, incoming: &Incoming) -> Result<Taken> {
        access::automation(&request.caller)?;
        let report = incoming.parse(self.settings.payload_limit)?;
        let digest = incoming.digest();
        for _ in 0..RACES {
            let action = take::TakeReport { report: report.clone(), digest, from_quarantine: None };
            match self.run_to_keep(request, action).await {
                // Another request with the same name was first: its result is there now.
                Err(Error::Store(store::Error::Duplicate(_))) => {}
                other => return other,
            }
        }
        Err(Error::Fault("a report lost the race for its name too often"))
    }
}

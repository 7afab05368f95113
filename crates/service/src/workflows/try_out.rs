//! Trying whether the destinations of registered workflows can be reached, without sending anything.

use std::time::Duration;

use domain::workflow::{Destination, HeaderValue, Lookup, Method, SecretName, Step, Template};

use crate::{
    Result, Service, delivery,
    outbound::{NotSent, Outgoing, Signature},
};

/// One address that was tried.
#[derive(Debug, Clone)]
pub struct Tried {
    /// Which it is: workflow, step, and what for.
    pub place: String,
    /// Whether it could be connected to with everything that a request needs; if not, why.
    pub outcome: Result<(), String>,
}

impl Service {
    /// Tries every destination and lookup of every registered workflow: secrets, name, address, connection. Sends nothing.
    pub async fn try_destinations(&self) -> Result<Vec<Tried>> {
        let mut all = Vec::new();
        for row in self.store.read().await?.current_definitions().await? {
            let definition = row.definition.0;
            for step in &definition.steps {
                for (what, outgoing) in requests(step) {
                    let outcome = self.courier.connect(outgoing).await.map(drop).map_err(|NotSent(why)| why);
                    all.push(Tried {
                        place: format!("{} › {} › {what}", definition.workflow.key, step.key), outcome
                    });
                }
            }
        }
        Ok(all)
    }
}

fn requests(step: &Step) -> Vec<(&'static str, Outgoing)> {
    let destination = step.destination.as_ref().and_then(|to: &Destination| {
        let signed = to.sign_secret.clone();
        Some(("destination", sample(to.url.as_ref()?, &to.headers, signed, to.timeout(), to.allow_private)))
    });
    let lookup = step.lookup.as_ref().map(|lookup: &Lookup| {
        ("lookup", sample(&lookup.url, &lookup.headers, None, lookup.timeout(), lookup.allow_private))
    });
    destination.into_iter().chain(lookup).collect()
}

fn sample<'h>(
    url: &Template,
    headers: impl IntoIterator<Item = (&'h String, &'h HeaderValue)>,
    signed: Option<SecretName>,
    timeout: chrono::TimeDelta,
    allow_private: bool,
) -> Outgoing {
    Outgoing {
        method: Method::Get,
        url: url.sample(),
        configured: delivery::headers_of(headers),
        added: Vec::new(),
        signature: signed.map(|secret| Signature { secret, id: "msg_sample".into(), timestamp: 0 }),
        body: Vec::new(),
        timeout: timeout.to_std().unwrap_or(Duration::from_secs(10)),
        allow_private,
        plain_is_private: false,
    }
}

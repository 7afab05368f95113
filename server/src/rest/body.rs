//! Reading request bodies within limits: an over-limit body is answered, not cut off, and only so many large ones are
//! worked on at once.

use axum::body::{Body, Bytes};
use domain::refusal::Refusal;
use http_body_util::BodyExt as _;
use tokio::sync::OwnedSemaphorePermit;

use super::problem::Problem;
use crate::web::AppState;

/// Above this a document counts as large.
pub(crate) const LARGE: usize = 1 << 20;
/// What is read and thrown away of a refused body, so that the answer reaches the sender instead of a reset.
const DRAIN: usize = 256 << 20;

/// A body, and the permit it holds while it is worked on if it is large.
pub(super) struct Read {
    pub(super) bytes: Vec<u8>,
    pub(super) _permit: Option<OwnedSemaphorePermit>,
}

/// What a body is, which bounds it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// Something with a payload in it, encoded: four times the payload limit, and the refusal names that.
    WithPayload,
    /// Something else, named for the beginning of a sentence, with its own limit in bytes.
    Other(&'static str, usize),
}

impl Kind {
    /// The limit in bytes, and the refusal of more.
    fn limit(self, state: &AppState) -> (usize, Refusal) {
        let limit = state.service.settings().payload_limit;
        match self {
            Self::WithPayload => (limit.saturating_mul(4), Refusal::TooLarge { limit }),
            Self::Other(what, limit) => (limit, Refusal::BodyTooLarge { what, limit }),
        }
    }
}

/// Reads a body within its limit.
pub(super) async fn read(state: &AppState, body: Body, kind: Kind) -> Result<Read, Problem> {
    let (limit, too_large) = kind.limit(state);
    let mut body = body;
    let mut bytes = Vec::new();
    let mut permit = None;
    while let Some(chunk) = next(&mut body).await? {
        bytes.extend_from_slice(&chunk);
        let refusal = if bytes.len() > limit {
            too_large.clone()
        } else if bytes.len() > LARGE && permit.is_none() {
            match state.large.clone().try_acquire_owned() {
                Ok(free) => {
                    permit = Some(free);
                    continue;
                }
                Err(_) => Refusal::Busy,
            }
        } else {
            continue;
        };
        drop((bytes, permit));
        drain(body).await?;
        return Err(refusal.into());
    }
    Ok(Read { bytes, _permit: permit })
}

async fn drain(mut body: Body) -> Result<(), Problem> {
    let mut left = DRAIN;
    while let (Some(chunk), true) = (next(&mut body).await?, left > 0) {
        left = left.saturating_sub(chunk.len());
    }
    Ok(())
}

async fn next(body: &mut Body) -> Result<Option<Bytes>, Problem> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
            Some(Err(_)) => {
                return Err(
                    Refusal::Malformed { message: "The body did not arrive whole. Send it again.".into() }.into()
                );
            }
        }
    }
}

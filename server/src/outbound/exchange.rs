//! One request and its answer on one connection.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use axum::http::{HeaderMap, Request, header};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use http_body_util::{BodyExt as _, Full};
use hyper::{body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use service::{
    clock::Clock,
    outbound::{Line, NotSent, READ_AT_MOST, Reply, Sent},
};
use tokio::{task::JoinSet, time::timeout_at};

use super::{
    connect::Stream,
    departure::{Departure, Watched},
};

/// A connection, and the request that is waiting to be sent on it.
pub(super) struct Ready {
    pub(super) stream: Box<dyn Stream>,
    pub(super) head: Request<()>,
    pub(super) body: Vec<u8>,
    pub(super) timeout: Duration,
    pub(super) clock: Arc<dyn Clock>,
}

#[async_trait]
impl Line for Ready {
    async fn send(self: Box<Self>, first_byte_by: Instant) -> Sent {
        let departure = Arc::new(Departure::default());
        departure.allow(first_byte_by);
        let seconds = self.timeout.as_secs_f32();
        let until = tokio::time::Instant::now() + self.timeout;
        let clock = Arc::clone(&self.clock);
        let failed = match timeout_at(until, self.exchange(Arc::clone(&departure))).await {
            Ok(Ok((head, body))) => return Sent::Answered(read(head, body, until, clock.now()).await),
            Ok(Err(error)) => format!("The connection broke, or what came back was not HTTP: {error}."),
            Err(_) => format!("No answer came within {seconds} s."),
        };
        if departure.settle() {
            Sent::NoAnswer(failed)
        } else {
            Sent::Nothing(NotSent(format!("Nothing was sent: its first byte could not leave in time. {failed}")))
        }
    }
}

impl Ready {
    /// Sends the request; answers with the answer's head, and the body to be read with what keeps its connection going.
    async fn exchange(self, departure: Arc<Departure>) -> hyper::Result<(Head, Body)> {
        let io = TokioIo::new(Watched { stream: self.stream, departure });
        let (mut sender, connection) = http1::handshake::<_, Full<Bytes>>(io).await?;
        // Ends with what is returned: nothing goes on behind our back.
        let mut driver = JoinSet::new();
        driver.spawn(async move {
            // How the connection ends shows in the answer.
            let _ = connection.await;
        });
        let request = self.head.map(|()| Full::new(Bytes::from(self.body)));
        let (head, body) = sender.send_request(request).await?.into_parts();
        Ok((Head { status: head.status.as_u16(), headers: head.headers }, Body { body, _driver: driver }))
    }
}

struct Head {
    status: u16,
    headers: HeaderMap,
}

struct Body {
    body: Incoming,
    _driver: JoinSet<()>,
}

/// Reads the body, as long as there is time and room for it.
async fn read(head: Head, mut body: Body, until: tokio::time::Instant, now: DateTime<Utc>) -> Reply {
    let mut read = Vec::new();
    let mut cut = false;
    loop {
        match timeout_at(until, body.body.frame()).await {
            Ok(None) => break,
            Ok(Some(Ok(frame))) => {
                let Ok(data) = frame.into_data() else { continue };
                let room = READ_AT_MOST - read.len();
                read.extend_from_slice(&data[..data.len().min(room)]);
                if data.len() > room {
                    cut = true;
                    break;
                }
            }
            Ok(Some(Err(_))) | Err(_) => {
                cut = true;
                break;
            }
        }
    }
    let text = |name| head.headers.get(name).and_then(|value| value.to_str().ok());
    Reply {
        status: head.status,
        retry_after: text(header::RETRY_AFTER).and_then(|value| wait(value, now)),
        media_type: text(header::CONTENT_TYPE).map(|value| value.chars().take(200).collect()),
        body: read,
        cut,
    }
}

/// `Retry-After`: seconds, or a date.
fn wait(value: &str, now: DateTime<Utc>) -> Option<TimeDelta> {
    match value.trim().parse::<u32>() {
        Ok(seconds) => TimeDelta::try_seconds(i64::from(seconds)),
        Err(_) => Some((DateTime::parse_from_rfc2822(value.trim()).ok()?.to_utc() - now).max(TimeDelta::zero())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = DateTime::parse_from_rfc2822("Wed, 21 Oct 2015 07:28:00 GMT").unwrap().to_utc();
        assert_eq!(wait("120", now), Some(TimeDelta::seconds(120)));
        assert_eq!(wait("Wed, 21 Oct 2015 07:29:00 GMT", now), Some(TimeDelta::seconds(60)));
        assert_eq!(wait("Wed, 21 Oct 2015 07:00:00 GMT", now), Some(TimeDelta::zero()));
        assert_eq!(wait("soon", now), None);
        assert_eq!(wait("-1", now), None);
    }
}

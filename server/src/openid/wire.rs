//! Requests to the identity provider: no redirects, no proxies, ten seconds each, and no more than a mebibyte read.

use std::{mem, pin::Pin, time::Duration};

use axum::http::StatusCode;
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::{Client, redirect::Policy};

use crate::outbound;

/// The longest that a request and its whole answer may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// Of an answer no more is read: what is cut is then found to be unreadable.
const ROOM: usize = 1 << 20;

/// The way to the provider, with the same roots of trust as the way to destinations.
pub(super) struct Wire(Client);

impl Wire {
    pub(super) fn new() -> anyhow::Result<Self> {
        let client = Client::builder()
            .tls_backend_preconfigured(outbound::trust()?)
            .redirect(Policy::none())
            .no_proxy()
            .timeout(PATIENCE)
            .build()?;
        Ok(Self(client))
    }

    async fn exchange(&self, request: HttpRequest) -> reqwest::Result<HttpResponse> {
        let mut answer = self.0.execute(request.try_into()?).await?;
        // Then the body is of no interest: the provider says that it can't just now.
        if answer.status().is_server_error() || answer.status() == StatusCode::TOO_MANY_REQUESTS {
            answer.error_for_status_ref()?;
        }
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await? {
            let room = ROOM - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() > room {
                break;
            }
        }
        let mut response = HttpResponse::new(body);
        *response.status_mut() = answer.status();
        *response.headers_mut() = mem::take(answer.headers_mut());
        Ok(response)
    }
}

impl<'c> AsyncHttpClient<'c> for Wire {
    type Error = reqwest::Error;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Self::Error>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.exchange(request))
    }
}

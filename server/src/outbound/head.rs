//! The head of a request: method, target and headers, with secrets put in.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, header};
use domain::workflow;
use service::outbound::{NotSent, Outgoing};
use url::{Position, Url};

use super::{secrets::Secrets, signature};

/// Makes the head. A header that can't be sent is named: nothing is left out or changed on the way.
pub(super) fn head(request: &Outgoing, url: &Url, secrets: &Secrets) -> Result<Request<()>, NotSent> {
    let mut headers = HeaderMap::new();
    let mut set = |name: &str, value: &str| -> Result<(), NotSent> {
        let parsed =
            HeaderName::try_from(name).map_err(|_| NotSent(format!("`{name}` is no legal name of a header.")))?;
        // Bytes beyond ASCII are sent as they are; line ends and other controls would change the request.
        let value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| {
            NotSent(format!("The value of the header {name} can't be sent: it has characters that no header may have."))
        })?;
        headers.insert(parsed, value);
        Ok(())
    };
    set("user-agent", "Recourse")?;
    for (name, value) in &request.configured {
        match value {
            workflow::HeaderValue::Plain(text) => set(name, text)?,
            workflow::HeaderValue::Secret(secret) => {
                set(name, &format!("{}{}", secret.prefix, secrets.get(&secret.secret)?))?;
            }
        }
    }
    for (name, value) in &request.added {
        set(name, value)?;
    }
    if let Some(sign) = &request.signature {
        let secret = secrets.get(&sign.secret)?;
        set("webhook-id", &sign.id)?;
        set("webhook-timestamp", &sign.timestamp.to_string())?;
        set("webhook-signature", &signature::sign(&secret, &sign.id, sign.timestamp, &request.body))?;
    }
    set("host", &url[Position::BeforeHost..Position::AfterPort])?;
    // One connection, one request.
    set("connection", "close")?;
    for framing in [
        header::CONTENT_LENGTH,
        header::TRANSFER_ENCODING,
        header::EXPECT,
        header::UPGRADE,
        header::TE,
        header::TRAILER,
    ] {
        headers.remove(framing);
    }
    // An empty body is a body: some servers insist on hearing so.
    if request.body.is_empty() && request.method != workflow::Method::Get {
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("0"));
    }
    let mut head = Request::new(());
    *head.method_mut() = Method::from_bytes(request.method.as_str().as_bytes()).unwrap_or(Method::POST);
    let target = &url[Position::BeforePath..Position::AfterQuery];
    *head.uri_mut() = target.parse::<Uri>().map_err(|_| NotSent("The address can't be called.".into()))?;
    *head.headers_mut() = headers;
    Ok(head)
}

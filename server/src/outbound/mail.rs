//! Handing e-mails to a mail server (SMTP).

use std::{fmt, time::Duration};

use anyhow::{Context as _, Result, bail};
use async_trait::async_trait;
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    message::{
        Mailbox, MultiPart,
        header::{HeaderName, HeaderValue},
    },
};
use service::outbound::{Letter, Mailer, NotTaken};

/// A mail server, and who writes.
#[derive(Clone)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    /// Host and port, for people.
    place: String,
    patience: Duration,
}

/// Never tells the password.
impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp").field("place", &self.place).field("from", &self.from).finish_non_exhaustive()
    }
}

impl Smtp {
    /// Reads the address of a mail server, `smtps://…` or `smtp://…`, and who writes. The whole of one e-mail may take as
    /// long as `patience`.
    pub(crate) fn read(url: &str, from: &str, patience: Duration) -> Result<Self> {
        // What is wrong is told without the address: a password stands in it.
        let Ok(parsed) = url::Url::parse(url) else {
            bail!("RECOURSE_SMTP_URL is not a URL such as smtps://user:password@mail.example.")
        };
        if !matches!(parsed.scheme(), "smtp" | "smtps") || parsed.host_str().is_none_or(str::is_empty) {
            bail!("RECOURSE_SMTP_URL must begin with smtps:// or smtp:// and name a host.");
        }
        let is_encrypted = is_encrypted(&parsed)?;
        let mut dialled = parsed.clone();
        if !is_encrypted {
            // The library calls it plain where nothing is said.
            dialled.set_query(None);
        }
        let Ok(builder) = AsyncSmtpTransport::<Tokio1Executor>::from_url(dialled.as_str()) else {
            bail!("RECOURSE_SMTP_URL can't be used: {ENCRYPTED}");
        };
        let from = from.parse::<Mailbox>().ok().context(
            "RECOURSE_MAIL_FROM must be an address such as recourse@example.com, or a name and an address such as Recourse <recourse@example.com>.",
        )?;
        let port = parsed.port().map(|port| format!(":{port}")).unwrap_or_default();
        let place = format!("{}{port}", parsed.host_str().unwrap_or_default());
        Ok(Self { transport: builder.timeout(Some(patience)).build(), from, place, patience })
    }

    /// Host and port, for people.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The e-mail as it is sent. Names and subjects are encoded: none of them can become a header of its own.
    fn message(&self, letter: Letter) -> Result<Message, NotTaken> {
        let hopeless = |why: &str| NotTaken { why: why.to_owned(), for_good: true };
        let address: Address = letter
            .address
            .trim()
            .parse()
            .map_err(|_| hopeless("The account's address is none that e-mail can go to."))?;
        let name = domain::text::line(&letter.name);
        let to = Mailbox::new(Some(name).filter(|name| !name.trim().is_empty()), address);
        Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(letter.subject)
            .date(letter.at.into())
            .message_id(Some(format!("<{}@{}>", letter.id, self.from.email.domain())))
            .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()))
            .multipart(MultiPart::alternative_plain_html(letter.text, letter.html))
            .map_err(|_| hopeless("The e-mail can't be put together."))
    }
}

/// How encryption is asked for.
const ENCRYPTED: &str =
    "smtps://HOST encrypts from the start, smtp://HOST:587?tls=required with STARTTLS, and smtp://HOST?tls=none never.";

/// Whether e-mails travel encrypted. In the clear they do where the address says so or leads to this machine; a password
/// only there.
fn is_encrypted(url: &url::Url) -> Result<bool> {
    let said: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let tls = match &said[..] {
        [] => None,
        [(name, value)] if name == "tls" => Some(value.as_str()),
        // Not told as it was written: a password may have slipped there.
        _ => bail!("RECOURSE_SMTP_URL may say tls once after its ?, and nothing else: {ENCRYPTED}"),
    };
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let is_here =
        host.eq_ignore_ascii_case("localhost") || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
    match (url.scheme(), tls) {
        ("smtps", None | Some("required")) | ("smtp", Some("required")) => return Ok(true),
        ("smtp", Some("none")) => {}
        ("smtp", None) if is_here => {}
        ("smtp", None) => {
            bail!("RECOURSE_SMTP_URL does not say whether e-mails are encrypted on their way to {host}: {ENCRYPTED}")
        }
        (_, Some("opportunistic")) => bail!(
            "RECOURSE_SMTP_URL asks for tls=opportunistic, with which whoever is on the way can take the encryption away. Give tls=required: {ENCRYPTED}"
        ),
        _ => bail!("RECOURSE_SMTP_URL asks for a tls that there is not: {ENCRYPTED}"),
    }
    if !is_here && (!url.username().is_empty() || url.password().is_some()) {
        bail!("RECOURSE_SMTP_URL would send a user and password in the clear to {host}: {ENCRYPTED}");
    }
    Ok(false)
}

#[async_trait]
impl Mailer for Smtp {
    async fn mail(&self, letter: Letter) -> Result<(), NotTaken> {
        let message = self.message(letter)?;
        let failed = |why: String| NotTaken { why, for_good: false };
        // The library's own patience ends with the connection; a server that then says nothing would be waited for.
        match tokio::time::timeout(self.patience, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failed(self.words(&error))),
            Err(_) => {
                let seconds = self.patience.as_secs();
                Err(failed(format!("{} did not take the e-mail within {seconds} s.", self.place)))
            }
        }
    }
}

impl Smtp {
    /// Why it was not taken. What the server said stands in it, in one line.
    fn words(&self, error: &lettre::transport::smtp::Error) -> String {
        let said = domain::text::head(&domain::text::line(&error.to_string()), 300);
        let place = &self.place;
        match error.status() {
            Some(_) => format!("{place} refused the e-mail: {said}"),
            None if error.is_tls() => format!("{place} can't be trusted or does not speak TLS: {said}"),
            None if error.is_timeout() => format!("{place} can't be reached in time: {said}"),
            None => format!("{place} can't be used: {said}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(name: &str, address: &str, subject: &str) -> Letter {
        Letter {
            id: "0192f0c1-0000-7000-8000-000000000001".into(),
            name: name.into(),
            address: address.into(),
            subject: subject.into(),
            text: "Plain\n".into(),
            html: "<p>Rich</p>".into(),
            at: "2026-11-29T10:00:00Z".parse().unwrap(),
        }
    }

    fn smtp() -> Smtp {
        Smtp::read("smtp://127.0.0.1:25", "Recourse <recourse@example.test>", Duration::from_secs(1)).unwrap()
    }

    fn formatted(letter: Letter) -> String {
        String::from_utf8(smtp().message(letter).unwrap().formatted()).unwrap()
    }

    #[test]
    fn an_e_mail_has_both_readings_and_names_itself() {
        let mail = formatted(letter("Amara", "amara@example.test", "Selma gave you INV-1"));
        for part in [
            "Message-ID: <0192f0c1-0000-7000-8000-000000000001@example.test>\r\n",
            "Auto-Submitted: auto-generated\r\n",
            "Subject: Selma gave you INV-1\r\n",
            "Date: Sun, 29 Nov 2026 10:00:00 +0000\r\n",
            "multipart/alternative",
            "text/plain",
            "text/html",
        ] {
            assert!(mail.contains(part), "{part} in {mail}");
        }
    }

    #[test]
    fn no_name_and_no_subject_becomes_a_header() {
        let evil = "A\r\nBcc: all@example.test\r\n\r\n<script>";
        let mail = formatted(letter(evil, "amara@example.test", evil));
        let (head, _) = mail.split_once("\r\n\r\n").unwrap();
        assert!(!head.lines().any(|line| line.to_lowercase().starts_with("bcc")), "{head}");
        for address in ["", "amara", "a@b\r\nRCPT TO:<x@y.test>", "a@b.test, c@d.test"] {
            let refused = smtp().message(letter("A", address, "S")).unwrap_err();
            assert!(refused.for_good, "{address}");
        }
    }

    #[test]
    fn wrong_settings_are_named_and_passwords_are_not() {
        let read = |url: &str, from: &str| {
            Smtp::read(url, from, Duration::from_secs(1)).map(drop).map_err(|error| error.to_string())
        };
        for wrong in
            ["mail.example", "http://u:hunter2@mail.example", "smtp://u:hunter2@mail.example?tls=maybe", "smtp://"]
        {
            let told = read(wrong, "a@b.test").unwrap_err();
            assert!(told.contains("RECOURSE_SMTP_URL") && !told.contains("hunter2"), "{told}");
        }
        assert!(read("smtps://mail.example", "nobody").unwrap_err().contains("RECOURSE_MAIL_FROM"));
        assert_eq!(read("smtps://u:p@mail.example", "Recourse <a@b.test>"), Ok(()));
        assert_eq!(read("smtp://mail.example?tls=required", "a@b.test"), Ok(()));
        assert!(
            !format!("{:?}", Smtp::read("smtps://u:hunter2@mail.example", "a@b.test", Duration::from_secs(1)))
                .contains("hunter2")
        );
    }
    #[test]
    fn nothing_travels_in_the_clear_unless_the_address_says_so_and_a_password_never() {
        let read = |url: &str| {
            Smtp::read(url, "a@b.test", Duration::from_secs(1)).map(drop).map_err(|error| error.to_string())
        };
        for right in [
            "smtps://u:p@mail.example",
            "smtps://mail.example?tls=required",
            "smtp://u:p@mail.example:587?tls=required",
            "smtp://relay.example?tls=none",
            "smtp://127.0.0.1:25",
            "smtp://u:p@localhost:2525",
            "smtp://[::1]:25?tls=none",
        ] {
            assert_eq!(read(right), Ok(()), "{right}");
        }
        for (wrong, word) in [
            ("smtp://mail.example", "does not say"),
            ("smtp://u:hunter2@mail.example", "does not say"),
            ("smtp://127.0.0.1.example", "does not say"),
            ("smtp://u:hunter2@mail.example?tls=none", "in the clear"),
            ("smtp://u@mail.example?tls=none", "in the clear"),
            ("smtp://mail.example?tls=opportunistic", "tls=required"),
            ("smtps://mail.example?tls=opportunistic", "tls=required"),
            ("smtps://mail.example?tls=none", "tls=required"),
            ("smtps://mail.example?tls=required&tls=none", "tls once"),
            ("smtps://mail.example?hunter2=yes", "tls once"),
            ("smtp://mail.example?TLS=required", "tls once"),
        ] {
            let told = read(wrong).unwrap_err();
            assert!(told.contains("RECOURSE_SMTP_URL") && told.contains(word), "{wrong}: {told}");
            assert!(!told.contains("hunter2"), "{told}");
        }
    }
}

//! The settings of e-mail.

use std::{fmt, time::Duration};

use anyhow::{Result, bail};
use domain::span::Span;
use serde::Deserialize;

use crate::outbound::Smtp;

/// What file and variables say, as it is written there.
#[derive(Clone, Default, Deserialize)]
pub struct Written {
    /// The mail server: `smtps://user:password@host`, or `smtp://host?tls=required`.
    pub smtp_url: Option<String>,
    /// Who writes: an address, or a name and an address.
    pub mail_from: Option<String>,
    /// How long handing over one e-mail may take, such as `30s`.
    pub mail_timeout: Option<String>,
}

/// Never tells the password.
impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Written").field("mail_from", &self.mail_from).finish_non_exhaustive()
    }
}

impl Written {
    pub(super) fn read(&self) -> Result<Option<Smtp>> {
        let (url, from) = match (&self.smtp_url, &self.mail_from) {
            (None, None) => return Ok(None),
            (Some(url), Some(from)) => (url, from),
            (None, Some(_)) => bail!("RECOURSE_SMTP_URL is missing: RECOURSE_MAIL_FROM is of no use without it."),
            (Some(_), None) => bail!("RECOURSE_MAIL_FROM is missing: it says who writes the e-mails."),
        };
        Ok(Some(Smtp::read(url, from, self.patience()?)?))
    }

    fn patience(&self) -> Result<Duration> {
        let written = self.mail_timeout.as_deref().unwrap_or("30s");
        let span: Span = written.parse().map_err(|wrong| anyhow::anyhow!("RECOURSE_MAIL_TIMEOUT: {wrong}."))?;
        match u64::try_from(span.seconds()) {
            Ok(seconds @ 1..=120) => Ok(Duration::from_secs(seconds)),
            _ => bail!("RECOURSE_MAIL_TIMEOUT must be from 1s to 2m."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: Option<&str>, from: Option<&str>, timeout: Option<&str>) -> Result<Option<String>, String> {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let written = Written { smtp_url: text(url), mail_from: text(from), mail_timeout: text(timeout) };
        written.read().map(|smtp| smtp.map(|smtp| smtp.place().to_owned())).map_err(|error| error.to_string())
    }

    #[test]
    fn e_mail_is_set_up_as_a_whole_or_not_at_all() {
        let (url, from) = (Some("smtps://mail.example:465"), Some("a@b.test"));
        assert_eq!(read(None, None, None), Ok(None));
        assert_eq!(read(url, from, Some("5s")), Ok(Some("mail.example:465".into())));
        assert!(read(url, None, None).unwrap_err().contains("RECOURSE_MAIL_FROM"));
        assert!(read(None, from, None).unwrap_err().contains("RECOURSE_SMTP_URL"));
        for wrong in ["0s", "1h", "soon"] {
            assert!(read(url, from, Some(wrong)).unwrap_err().contains("RECOURSE_MAIL_TIMEOUT"), "{wrong}");
        }
    }
}

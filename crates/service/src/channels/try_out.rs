//! Trying a channel, or e-mail, out: one posting that is sent at once, and only once.

use domain::{
    audit::AuditKind,
    channel::{TEST, Telling},
    permission::Permission,
    refusal::Refusal,
};
use store::PostingRow;

use super::{
    post::lease,
    save::{named, tell},
};
use crate::{
    Error, Request, Result, Service,
    action::{Act, Action, Gate},
    new_id,
};

struct Test {
    /// The channel's name; `None` for an e-mail to who asks.
    name: Option<String>,
}

impl Action for Test {
    const NAME: &'static str = "test_channel";
    const GATE: Gate = Gate::Permission(Permission::SettingsManage);
    const AUDIT: AuditKind = AuditKind::ChannelTested;
    type Output = PostingRow;

    async fn perform(self, act: &mut Act<'_>) -> Result<PostingRow> {
        let telling = Telling {
            kind: TEST.to_owned(),
            title: format!("A test from Recourse, asked for by {}", act.caller.name()),
            lines: Vec::new(),
            link: act.settings.public_url.clone(),
        };
        let (id, now) = (new_id(act.now), act.now);
        let posting = match &self.name {
            Some(name) => {
                let row = named(act, name).await?;
                tell(act, &row);
                PostingRow::through(row.id, id, telling, now)
            }
            None => {
                let person = act.person()?;
                let to = (person.id, person.email.clone());
                if !act.settings.mail {
                    let why = "E-mail is not set up: give RECOURSE_SMTP_URL and RECOURSE_MAIL_FROM.";
                    return Err(Refusal::field("", why).into());
                }
                act.entry().detail("kind", "email");
                PostingRow::mail(to, id, telling, now, now)
            }
        };
        let posting = posting.taken(lease(now));
        act.uow.add_posting(&posting).await?;
        Ok(posting)
    }
}

impl Service {
    /// Sends a test through a channel; answers what came of it.
    pub async fn test_channel(&self, request: &Request, name: &str) -> Result<PostingRow> {
        self.test(request, Some(name.to_owned())).await
    }

    /// Sends a test by e-mail to who asks; answers what came of it.
    pub async fn test_mail(&self, request: &Request) -> Result<PostingRow> {
        self.test(request, None).await
    }

    /// Goes on when nobody waits for it any more: what came of a test is written down, for it is not sent again.
    async fn test(&self, request: &Request, name: Option<String>) -> Result<PostingRow> {
        let (service, request) = (self.clone(), request.clone());
        let test = async move {
            let posting = service.run(&request, Test { name }).await?;
            service.send_posting(&posting).await?;
            let came = service.store.read().await?.posting(posting.id).await?;
            came.ok_or(Error::Fault("a test that was sent is not there"))
        };
        tokio::spawn(test).await.map_err(|_| Error::Fault("a test was interrupted"))?
    }
}

//! What a person chooses about how they are told: which topics come by e-mail, too, and when none does.

use std::collections::BTreeMap;

use domain::{
    access::Person,
    audit::AuditKind,
    notice::{ByEmail, Topic},
    quiet::Quiet,
    refusal::Refusal,
};
use store::QuietRow;

use crate::{
    Result, Service,
    action::{Act, Action, Gate},
    sign_in::step_up,
};

/// Chooses, for oneself. No longer being told by e-mail of one's account has to be confirmed.
#[derive(Debug)]
pub struct ChooseNotices {
    /// What comes by e-mail, too; a topic that is missing is as by default.
    pub by_email: BTreeMap<Topic, ByEmail>,
    /// Quiet hours as typed: from, until, zone. All empty is none.
    pub quiet: [String; 3],
}

impl Action for ChooseNotices {
    const NAME: &'static str = "choose_notices";
    const GATE: Gate = Gate::Own;
    const AUDIT: AuditKind = AuditKind::NoticesChosen;
    type Output = ();

    async fn perform(self, act: &mut Act<'_>) -> Result<()> {
        let own = act.person()?.id;
        let quiet = read_quiet(&self.quiet)?;
        let kept = act.uow.choice(own, Topic::Account).await?;
        let chosen = |topic: Topic| self.by_email.get(&topic).copied().unwrap_or(topic.by_default());
        // Whoever took a session over would begin with silencing what the account's owner is told of.
        let is_told = ByEmail::from_kept(Topic::Account, kept) == ByEmail::Always;
        if is_told && chosen(Topic::Account) != ByEmail::Always {
            step_up::recent(act.request, act.now)?;
        }
        for topic in Topic::ALL {
            act.uow.choose(own, *topic, chosen(*topic).kept(*topic)).await?;
        }
        act.uow.set_quiet_hours(own, quiet.as_ref()).await?;
        let always = Topic::ALL.iter().filter(|topic| chosen(**topic) == ByEmail::Always);
        let always: Vec<&str> = always.map(|topic| topic.as_str()).collect();
        act.entry().detail("by_email", always).detail("alerts", chosen(Topic::Alerts).as_str());
        act.entry().detail("quiet", quiet.is_some());
        Ok(())
    }
}

fn read_quiet([from, to, zone]: &[String; 3]) -> Result<Option<QuietRow>, Refusal> {
    if from.trim().is_empty() && to.trim().is_empty() {
        return Ok(None);
    }
    let quiet = Quiet::read(from, to, zone)?;
    Ok(Some(QuietRow { begins: quiet.begins(), ends: quiet.ends(), zone: quiet.zone().to_owned() }))
}

/// How a person is told.
#[derive(Debug, Clone)]
pub struct NoticeChoices {
    /// Whether e-mail is set up here.
    pub mail: bool,
    /// Each topic, and whether it comes by e-mail, too.
    pub topics: Vec<(Topic, ByEmail)>,
    /// When no e-mail comes.
    pub quiet: Option<QuietRow>,
}

impl Service {
    /// What a person chose.
    pub async fn notice_choices(&self, person: &Person) -> Result<NoticeChoices> {
        let mut uow = self.store.read().await?;
        let chosen = uow.choices(person.id).await?;
        let by_email = |topic: Topic| {
            let row = chosen.iter().find(|row| row.topic == topic);
            ByEmail::from_kept(topic, row.map(|row| row.by_email))
        };
        let topics = Topic::ALL.iter().map(|topic| (*topic, by_email(*topic))).collect();
        Ok(NoticeChoices { mail: self.settings.mail, topics, quiet: uow.quiet_hours(person.id).await? })
    }
}

//! What a person chose about how they are told.

use domain::{ids::PersonId, notice::Topic};

use crate::{
    Result, Uow,
    sql::{execute, fetch_all, fetch_optional, statements},
};

statements! {
    CHOICES = "SELECT topic, by_email FROM notice_choice WHERE person_id = $1";
    CHOICE = "SELECT topic, by_email FROM notice_choice WHERE person_id = $1 AND topic = $2";
    CHOOSE = "INSERT INTO notice_choice (person_id, topic, by_email) VALUES ($1, $2, $3) ON CONFLICT (person_id, topic) DO UPDATE SET by_email = excluded.by_email";
    UNCHOOSE = "DELETE FROM notice_choice WHERE person_id = $1 AND topic = $2";
    FORGET_CHOICES = "DELETE FROM notice_choice WHERE person_id = $1";
    QUIET = "SELECT begins, ends, zone FROM quiet_hours WHERE person_id = $1";
    BE_QUIET = "INSERT INTO quiet_hours (person_id, begins, ends, zone) VALUES ($1, $2, $3, $4) ON CONFLICT (person_id) DO UPDATE SET begins = excluded.begins, ends = excluded.ends, zone = excluded.zone";
    FORGET_QUIET = "DELETE FROM quiet_hours WHERE person_id = $1";
}

/// Whether a topic comes by e-mail, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct ChoiceRow {
    /// What belongs together.
    #[sqlx(try_from = "String")]
    pub topic: Topic,
    /// By e-mail, too.
    pub by_email: bool,
}

/// When a person gets no e-mail.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct QuietRow {
    /// From when, as a time of day.
    pub begins: String,
    /// Until when.
    pub ends: String,
    /// By the clock of which zone.
    pub zone: String,
}

impl Uow {
    /// What a person chose; topics that they left as they are by default are missing.
    pub async fn choices(&mut self, person: PersonId) -> Result<Vec<ChoiceRow>> {
        fetch_all!(self, ChoiceRow, CHOICES, person.0)
    }

    /// What a person chose for one topic.
    pub async fn choice(&mut self, person: PersonId, topic: Topic) -> Result<Option<bool>> {
        Ok(fetch_optional!(self, ChoiceRow, CHOICE, person.0, topic.as_str())?.map(|row| row.by_email))
    }

    /// Keeps what a person chose for one topic; `None` leaves it as it is by default.
    pub async fn choose(&mut self, person: PersonId, topic: Topic, by_email: Option<bool>) -> Result<()> {
        match by_email {
            Some(by_email) => execute!(self, CHOOSE, person.0, topic.as_str(), by_email).map(drop),
            None => execute!(self, UNCHOOSE, person.0, topic.as_str()).map(drop),
        }
    }

    /// A person's quiet hours.
    pub async fn quiet_hours(&mut self, person: PersonId) -> Result<Option<QuietRow>> {
        fetch_optional!(self, QuietRow, QUIET, person.0)
    }

    /// Keeps a person's quiet hours; `None` takes them away.
    pub async fn set_quiet_hours(&mut self, person: PersonId, quiet: Option<&QuietRow>) -> Result<()> {
        match quiet {
            Some(quiet) => execute!(self, BE_QUIET, person.0, &quiet.begins, &quiet.ends, &quiet.zone).map(drop),
            None => execute!(self, FORGET_QUIET, person.0).map(drop),
        }
    }

    /// Forgets what a person chose.
    pub async fn forget_choices_of(&mut self, person: PersonId) -> Result<()> {
        execute!(self, FORGET_CHOICES, person.0)?;
        execute!(self, FORGET_QUIET, person.0).map(drop)
    }
}

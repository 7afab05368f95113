//! What the server hands to every page by context.

use std::collections::HashMap;

use domain::{access::Person, permission::Permission, refusal::Refusal};
use service::{Request, sign_in::step_up::ConfirmWith};

/// One request for a page.
#[derive(Debug, Clone)]
pub struct Visit {
    /// Who asks, and the request's id.
    pub request: Request,
    /// Light or dark, as the person chose.
    pub theme: Theme,
    /// Path and query as requested.
    pub path: String,
    /// Notices that the person has not read; counted up to 100.
    pub unread: i64,
    /// What waits for the person's decision; counted up to 100.
    pub to_decide: i64,
    /// Alerts of their teams that nobody has acknowledged; counted up to 100.
    pub alerts: i64,
    /// What they confirm with who they are, where that has to be done anew before something consequential.
    pub confirm: Option<ConfirmWith>,
}

/// How this installation is set up.
#[derive(Debug, Default)]
pub struct Setup {
    /// Each setting by its name, what it means, and as it is.
    pub settings: Vec<Set>,
    /// What people call the identity provider, where there is one.
    pub identity_provider: Option<String>,
}

/// One setting.
#[derive(Debug)]
pub struct Set {
    /// Its name in the file.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// As it is.
    pub value: String,
}

impl Set {
    /// A setting as it is.
    #[must_use]
    pub fn new(name: &'static str, meaning: &'static str, value: String) -> Self {
        Self { name, meaning, value }
    }
}

/// What a form made that is shown this once.
#[derive(Debug, Clone)]
pub enum Made {
    /// A one-time link to pass on, and the names of roles that wait for a second admin.
    Link {
        /// The address.
        link: String,
        /// Roles that wait.
        waiting: Vec<String>,
    },
    /// A token's secret.
    Token(String),
    /// Recovery codes.
    Codes(Vec<String>),
    /// A payload with what is hidden of it.
    Payload(Box<service::items::payload::Payload>),
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

/// What became of a form that was posted: why it was refused, and everything that was typed.
#[derive(Debug, Clone, Default)]
pub struct FormState {
    /// Why it was refused; `None` where no form was posted.
    pub refusal: Option<Refusal>,
    /// The fields by name, as posted.
    pub typed: HashMap<String, String>,
    /// What it made that is shown this once.
    pub made: Option<Made>,
}

impl Visit {
    /// The signed-in person, if there is one.
    #[must_use]
    pub fn person(&self) -> Option<&Person> {
        match &self.request.caller {
            domain::access::Caller::Person(person) => Some(person),
            _ => None,
        }
    }

    /// Whether the signed-in person holds a permission anywhere.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        self.person().is_some_and(|person| person.holds(permission))
    }

    /// The query as requested, without its question mark.
    #[must_use]
    pub fn query(&self) -> &str {
        self.path.split_once('?').map_or("", |(_, query)| query)
    }
}

impl Theme {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The word in cookies and forms.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The choice a cookie or form names; anything else follows the system.
    #[must_use]
    pub fn named(word: &str) -> Self {
        Self::ALL.into_iter().find(|theme| theme.as_str() == word).unwrap_or_default()
    }
}

impl FormState {
    /// What was typed into a field.
    #[must_use]
    pub fn typed(&self, field: &str) -> String {
        self.typed.get(field).cloned().unwrap_or_default()
    }

    /// Under which the end of the address that a form was posted to is kept: of several on a page, which one it was.
    pub const NAME: &'static str = "posted to";

    /// Whether it was posted to an address that ends like this.
    #[must_use]
    pub fn is(&self, form: &str) -> bool {
        self.typed.get(Self::NAME).is_some_and(|posted| posted == form)
    }

    /// What has to do with the form of this name, of several on one page.
    #[must_use]
    pub fn of(&self, form: &str) -> Self {
        if self.is(form) { self.clone() } else { Self::default() }
    }

    /// Whether a box was ticked; where no form was posted, `otherwise`.
    #[must_use]
    pub fn ticked(&self, field: &str, otherwise: bool) -> bool {
        if self.refusal.is_some() && !self.typed.is_empty() { self.typed.contains_key(field) } else { otherwise }
    }

    /// What is wrong with a field, whose pointer is `/` and its name.
    #[must_use]
    pub fn problem(&self, field: &str) -> Option<String> {
        let Some(Refusal::Invalid(problems)) = &self.refusal else { return None };
        let found = problems.iter().find(|problem| problem.pointer.strip_prefix('/') == Some(field));
        found.map(|problem| problem.message.clone())
    }
}

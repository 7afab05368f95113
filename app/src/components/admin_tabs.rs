use domain::permission::Permission;
use leptos::prelude::*;

use crate::{paths, visit::Visit};

/// A place of administration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AdminPlace {
    People,
    Roles,
    Rights,
    Teams,
    Tokens,
    Channels,
    Settings,
}

impl AdminPlace {
    const ALL: [Self; 7] =
        [Self::People, Self::Teams, Self::Roles, Self::Rights, Self::Tokens, Self::Channels, Self::Settings];

    const fn of(self) -> (&'static str, &'static str, Permission) {
        match self {
            Self::People => ("People", paths::PEOPLE, Permission::PeopleManage),
            Self::Roles => ("Roles", paths::ROLES, Permission::PeopleManage),
            Self::Rights => ("Waiting rights", paths::RIGHTS, Permission::PeopleManage),
            Self::Teams => ("Teams", paths::TEAMS, Permission::PeopleManage),
            Self::Tokens => ("Tokens", paths::TOKENS, Permission::TokensManage),
            Self::Channels => ("Channels", paths::CHANNELS, Permission::SettingsManage),
            Self::Settings => ("Settings", paths::SETTINGS, Permission::SettingsManage),
        }
    }

    /// The first of them that is open to whoever visits.
    pub(crate) fn first(visit: &Visit) -> Option<&'static str> {
        Self::ALL.into_iter().map(Self::of).find(|(_, _, needs)| visit.may(*needs)).map(|(_, path, _)| path)
    }
}

/// The places of administration that are open to whoever visits.
#[component]
pub(crate) fn AdminTabs(at: AdminPlace) -> impl IntoView {
    let visit = expect_context::<Visit>();
    let tab = move |place: AdminPlace| {
        let (words, path, needs) = place.of();
        let current = (place == at).then_some("page");
        visit.may(needs).then(|| view! { <li><a href=path aria-current=current>{words}</a></li> })
    };
    view! { <nav class="tabs" aria-label="Administration"><ul>{AdminPlace::ALL.map(tab).into_iter().collect_view()}</ul></nav> }
        .into_any()
}

use leptos::prelude::*;

use super::{Icon, keys::KeysButton};
use crate::{
    pages::Place,
    paths,
    visit::{Theme, Visit},
};

/// The name of the house, leading home.
#[component]
pub(crate) fn Brand() -> impl IntoView {
    view! {
        <a class="brand" href=paths::QUEUE>
            <svg viewBox="0 0 24 24" aria-hidden="true">
                <rect width="24" height="24" rx="6" fill="currentColor"></rect>
                <path
                    class="brand-glyph" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"
                    d="M7 14.5h7.25a3.25 3.25 0 0 0 0-6.5H8.5M11 5 8 8l3 3M7 18h7"
                ></path>
            </svg>
            "Recourse"
        </a>
    }
    .into_any()
}

/// The bar on every page: the places there are for this person, and what is theirs.
#[component]
pub(crate) fn AppBar(visit: Visit, #[prop(optional_no_strip)] at: Option<Place>) -> impl IntoView {
    let link = |place: Place| {
        let current = (at == Some(place)).then_some("page");
        let path = place.path(&visit);
        let waiting = match place {
            Place::Approvals => visit.to_decide,
            Place::Alerts => visit.alerts,
            _ => 0,
        };
        let count = (waiting > 0).then(|| {
            let words = match waiting {
                100.. => ", 100 or more wait for you".to_owned(),
                waiting => format!(", {waiting} for you"),
            };
            let shown = waiting.min(99);
            view! { " "<span class="count" aria-hidden="true">{shown}</span><span class="visually-hidden">{words}</span> }
        });
        view! { <li><a href=path aria-current=current data-go=place.letter()>{place.label()}{count}</a></li> }
    };
    let places = Place::for_visitor(&visit).into_iter().map(link).collect_view();
    view! {
        <a class="skip-link visually-hidden" href="#main">"Skip to the content"</a>
        <header class="app-bar">
            <Brand/>
            <nav class="app-nav" aria-label="Places"><ul>{places}</ul></nav>
            <div class="app-tools"><Bell unread=visit.unread at/><KeysButton/><ThemeMenu theme=visit.theme next=visit.path.clone()/><OwnMenu visit/></div>
        </header>
    }
    .into_any()
}

/// Leads to what the person was told, and says how much of it is new.
#[component]
fn Bell(unread: i64, #[prop(optional_no_strip)] at: Option<Place>) -> impl IntoView {
    let words = match unread {
        0 => "Notices".to_owned(),
        100.. => "Notices: 100 or more unread".to_owned(),
        unread => format!("Notices: {unread} unread"),
    };
    let count = (unread > 0).then(|| view! { <span class="count" aria-hidden="true">{unread.min(99)}</span> });
    let current = (at == Some(Place::Notices)).then_some("page");
    let letter = Place::Notices.letter();
    view! {
        <a class="button button--quiet bell" href=paths::NOTICES aria-label=words.clone() title=words aria-current=current data-go=letter>
            <Icon name="bell"/>{count}
        </a>
    }
    .into_any()
}

#[component]
fn ThemeMenu(theme: Theme, next: String) -> impl IntoView {
    let choice = |choice: Theme| {
        let (icon, words) = match choice {
            Theme::System => ("monitor", "As the system"),
            Theme::Light => ("sun", "Light"),
            Theme::Dark => ("moon", "Dark"),
        };
        let pressed = if choice == theme { "true" } else { "false" };
        view! {
            <li><button name="theme" value=choice.as_str() aria-pressed=pressed><Icon name=icon/>{words}</button></li>
        }
    };
    view! {
        <button class="button button--quiet button--icon" type="button" popovertarget="theme-menu" aria-label="Light or dark">
            <Icon name="sun-moon"/>
        </button>
        <div class="menu" id="theme-menu" popover>
            <form method="post" action=paths::THEME>
                <input type="hidden" name="next" value=next/>
                <ul>{Theme::ALL.map(choice).into_iter().collect_view()}</ul>
            </form>
        </div>
    }
    .into_any()
}

#[component]
fn OwnMenu(visit: Visit) -> impl IntoView {
    let person = visit.person()?.clone();
    let initials: String = person.name.split_whitespace().filter_map(|part| part.chars().next()).take(2).collect();
    Some(view! {
        <button class="button button--quiet" type="button" popovertarget="own-menu">
            <span class="avatar" aria-hidden="true"><i>{initials}</i></span>
            <span class="visually-hidden">{format!("{}: account", person.name)}</span>
            <Icon name="chevron-down"/>
        </button>
        <div class="menu" id="own-menu" popover>
            <p class="menu-head"><b><bdi>{person.name}</bdi></b><br/>{person.email}</p>
            <ul>
                <li><a href=paths::ME><Icon name="key-round"/>"What I may do"</a></li>
                <li><a href=paths::SECURITY><Icon name="shield-check"/>"Password and sessions"</a></li>
                <li><a href=paths::OWN_TOKENS><Icon name="command"/>"My tokens"</a></li>
            </ul>
            <form method="post" action=paths::SIGN_OUT><ul><li><button><Icon name="log-out"/>"Sign out"</button></li></ul></form>
        </div>
    })
}

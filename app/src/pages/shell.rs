use http::{HeaderValue, header};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_axum::ResponseOptions;
use leptos_meta::{MetaTags, Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

use super::{
    admin::{
        ChannelPage, ChannelsPage, InvitePage, NewRolePage, PeoplePage, PersonPage, RightsPage, RolePage, RolesPage,
        SettingsPage, TeamPage, TeamsPage, TokensPage,
    },
    alerts::{AlertPage, AlertsPage},
    approvals::{ApprovalPage, ApprovalsPage, AuditedApprovalsPage},
    audit::AuditPage,
    corrections::{CorrectionPage, CorrectionsPage},
    item::{ActionPage, CompensatePage, CorrectPage, ItemPage, ReplayPage, RevealPage},
    link::LinkPage,
    me::{ChoicesPage, MePage, OwnTokensPage, SecurityPage, SubstitutesPage},
    notices::NoticesPage,
    quarantine::{CasePage, WardPage},
    queue::QueuePage,
    setup::SetupPage,
    shift::ShiftPage,
    sign_in::SignInPage,
    sign_in_more::{CodePage, HelpPage},
    trouble::NothingHere,
};
use crate::{
    components::{Assets, escaped},
    visit::{Theme, Visit},
};

/// Islands wake when the browser is idle. Some browsers have no such moment for many seconds; half a second must do.
const IDLE_AT_LAST: &str =
    "{const idle=window.requestIdleCallback;if(idle)window.requestIdleCallback=f=>idle(f,{timeout:500})}";

/// The document around every page.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let assets = Assets::of(&options);
    provide_context(assets.clone());
    set_policy();
    let theme = use_context::<Visit>().map(|visit| visit.theme).unwrap_or_default();
    let build = options.site_pkg_dir.to_string();
    let chosen = (theme != Theme::System).then(|| theme.as_str());
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=chosen data-build=build>
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta name="color-scheme" content=chosen.unwrap_or("light dark")/>
                <link rel="icon" href=assets.file("favicon.svg") type="image/svg+xml"/>
                <link rel="stylesheet" href=assets.file("recourse.css")/>
                <script nonce=use_nonce()>{IDLE_AT_LAST}</script>
                <HydrationScripts options islands=true root=""/>
                <MetaTags/>
            </head>
            <body><App/></body>
        </html>
    }
}

/// Every page, by its address.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|text: String| format!("{} · Recourse", escaped(&text))/>
        <Router>
            <Routes fallback=NothingHere>
                <Route path=path!("/queue") view=QueuePage ssr=SsrMode::Async/>
                <Route path=path!("/items/:id") view=ItemPage ssr=SsrMode::Async/>
                <Route path=path!("/items/:id/correct") view=CorrectPage ssr=SsrMode::Async/>
                <Route path=path!("/items/:id/replay") view=ReplayPage ssr=SsrMode::Async/>
                <Route path=path!("/items/:id/compensations") view=CompensatePage ssr=SsrMode::Async/>
                <Route path=path!("/items/:id/reveal") view=RevealPage ssr=SsrMode::Async/>
                <Route path=path!("/items/:id/:action") view=ActionPage ssr=SsrMode::Async/>
                <Route path=path!("/shift") view=ShiftPage ssr=SsrMode::Async/>
                <Route path=path!("/alerts") view=AlertsPage ssr=SsrMode::Async/>
                <Route path=path!("/alerts/:id") view=AlertPage ssr=SsrMode::Async/>
                <Route path=path!("/alerts/:id/:verb") view=AlertPage ssr=SsrMode::Async/>
                <Route path=path!("/approvals") view=ApprovalsPage ssr=SsrMode::Async/>
                <Route path=path!("/approvals/:id") view=ApprovalPage ssr=SsrMode::Async/>
                // Where a refused form shows its page again.
                <Route path=path!("/approvals/:id/:verb") view=ApprovalPage ssr=SsrMode::Async/>
                <Route path=path!("/quarantine") view=WardPage ssr=SsrMode::Async/>
                <Route path=path!("/quarantine/:id") view=CasePage ssr=SsrMode::Async/>
                // A refused form is shown again under the address it was posted to; a reload shows the page.
                <Route path=path!("/quarantine/:id/accept") view=CasePage ssr=SsrMode::Async/>
                <Route path=path!("/quarantine/:id/close") view=CasePage ssr=SsrMode::Async/>
                <Route path=path!("/audit") view=AuditPage ssr=SsrMode::Async/>
                <Route path=path!("/audit/approvals") view=AuditedApprovalsPage ssr=SsrMode::Async/>
                <Route path=path!("/audit/corrections") view=CorrectionsPage ssr=SsrMode::Async/>
                <Route path=path!("/audit/corrections/:id/:revision") view=CorrectionPage ssr=SsrMode::Async/>
                <Route path=path!("/notices") view=NoticesPage ssr=SsrMode::Async/>
                <Route path=path!("/notices/read") view=NoticesPage ssr=SsrMode::Async/>
                <Route path=path!("/me") view=MePage ssr=SsrMode::Async/>
                <Route path=path!("/me/security") view=SecurityPage ssr=SsrMode::Async/>
                <Route path=path!("/me/security/:verb") view=SecurityPage ssr=SsrMode::Async/>
                <Route path=path!("/me/substitutes") view=SubstitutesPage ssr=SsrMode::Async/>
                <Route path=path!("/me/substitutes/:id/end") view=SubstitutesPage ssr=SsrMode::Async/>
                <Route path=path!("/me/notices") view=ChoicesPage ssr=SsrMode::Async/>
                <Route path=path!("/me/tokens") view=OwnTokensPage ssr=SsrMode::Async/>
                <Route path=path!("/me/tokens/:id/revoke") view=OwnTokensPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/people") view=PeoplePage ssr=SsrMode::Async/>
                <Route path=path!("/admin/people/invite") view=InvitePage ssr=SsrMode::Async/>
                <Route path=path!("/admin/people/:id") view=PersonPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/people/:id/:verb") view=PersonPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/roles") view=RolesPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/roles/new") view=NewRolePage ssr=SsrMode::Async/>
                <Route path=path!("/admin/roles/:key") view=RolePage ssr=SsrMode::Async/>
                <Route path=path!("/admin/roles/:key/remove") view=RolePage ssr=SsrMode::Async/>
                <Route path=path!("/admin/rights") view=RightsPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/rights/:id/:verb") view=RightsPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/teams") view=TeamsPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/teams/:key") view=TeamPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/tokens") view=TokensPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/tokens/:id/revoke") view=TokensPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/channels") view=ChannelsPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/channels/:name") view=ChannelPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/channels/:name/:verb") view=ChannelPage ssr=SsrMode::Async/>
                <Route path=path!("/admin/settings") view=SettingsPage ssr=SsrMode::Async/>
                <Route path=path!("/sign-in") view=SignInPage ssr=SsrMode::Async/>
                <Route path=path!("/sign-in/code") view=CodePage ssr=SsrMode::Async/>
                <Route path=path!("/sign-in/help") view=HelpPage ssr=SsrMode::Async/>
                <Route path=path!("/link/:secret") view=LinkPage ssr=SsrMode::Async/>
                <Route path=path!("/setup/:secret") view=SetupPage ssr=SsrMode::Async/>
            </Routes>
        </Router>
    }
}

/// Only this page's own scripts run, and only our own files load.
fn set_policy() {
    let (Some(response), Some(nonce)) = (use_context::<ResponseOptions>(), use_nonce()) else { return };
    let policy = format!(
        "default-src 'self'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; \
         object-src 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}

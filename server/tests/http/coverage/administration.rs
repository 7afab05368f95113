//! Who may use the pages and forms of administration.

use domain::permission::Permission;

use super::{
    May,
    told::{On, Told, endpoint},
};

pub(super) fn endpoints() -> Vec<Told> {
    use May::Anywhere;
    use On::Nothing;
    let (people, tokens) = (Anywhere(Permission::PeopleManage), Anywhere(Permission::TokensManage));
    let settings = Anywhere(Permission::SettingsManage);
    let mut all = vec![
        endpoint("GET", "/admin/people", people, Nothing),
        endpoint("GET", "/admin/people/invite", people, Nothing),
        endpoint("POST", "/admin/people/invite", people, Nothing),
        endpoint("GET", "/admin/people/{id}", people, On::Account),
        endpoint("GET", "/admin/people/{id}/{verb}", people, On::Account),
        endpoint("GET", "/admin/roles", people, Nothing),
        endpoint("GET", "/admin/roles/new", people, Nothing),
        endpoint("POST", "/admin/roles/new", people, Nothing),
        endpoint("GET", "/admin/roles/{key}", people, On::Role),
        endpoint("POST", "/admin/roles/{key}", people, On::Role),
        endpoint("GET", "/admin/roles/{key}/remove", people, On::Role),
        endpoint("POST", "/admin/roles/{key}/remove", people, On::Role),
        endpoint("GET", "/admin/rights", people, Nothing),
        endpoint("GET", "/admin/rights/{id}/{verb}", people, On::Grant),
        endpoint("POST", "/admin/rights/{id}/confirm", people, On::Grant),
        endpoint("POST", "/admin/rights/{id}/refuse", people, On::Grant),
        endpoint("GET", "/admin/teams", people, Nothing),
        endpoint("POST", "/admin/teams", people, Nothing),
        endpoint("GET", "/admin/teams/{key}", people, On::Team),
        endpoint("POST", "/admin/teams/{key}", people, On::Team),
        endpoint("GET", "/admin/tokens", tokens, Nothing),
        endpoint("POST", "/admin/tokens", tokens, Nothing),
        endpoint("GET", "/admin/tokens/{id}/revoke", tokens, On::Token),
        endpoint("POST", "/admin/tokens/{id}/revoke", tokens, On::Token),
        endpoint("GET", "/admin/settings", settings, Nothing),
        endpoint("GET", "/admin/channels", settings, Nothing),
        endpoint("POST", "/admin/channels", settings, Nothing),
        endpoint("GET", "/admin/channels/{name}", settings, On::Channel),
        endpoint("GET", "/admin/channels/{name}/{verb}", settings, On::Channel),
        endpoint("POST", "/admin/mail/test", settings, Nothing),
    ];
    for verb in ["name", "roles", "teams", "clearance", "link", "sessions", "two-step", "disable", "enable", "delete"] {
        all.push(endpoint("POST", format!("/admin/people/{{id}}/{verb}"), people, On::Account));
        all.push(endpoint("GET", format!("/admin/people/{{id}}/{verb}"), people, On::Account));
    }
    for verb in ["confirm", "refuse"] {
        all.push(endpoint("GET", format!("/admin/rights/{{id}}/{verb}"), people, On::Grant));
    }
    for verb in ["change", "disable", "enable", "test"] {
        all.push(endpoint("POST", format!("/admin/channels/{{name}}/{verb}"), settings, On::Channel));
        all.push(endpoint("GET", format!("/admin/channels/{{name}}/{verb}"), settings, On::Channel));
    }
    all
}

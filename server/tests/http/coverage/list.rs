//! Who may use each endpoint, and on what.

use domain::permission::Permission;
use service::items::actions::CATALOGUE;

use super::{
    May, administration,
    told::{On, Told, endpoint},
};

/// All of them.
pub(super) fn endpoints() -> Vec<Told> {
    use May::{
        AnyAutomation, AnyAutomationAnd, Anywhere, Automation, AutomationAnd, Everybody, NobodyAnyMore, NobodyHere,
        People, SignedIn,
    };
    use On::{Case, Corrected, Item, Nothing};
    let read = Permission::ItemsRead;
    let mut all = vec![
        endpoint("GET", "/health", Everybody, Nothing),
        endpoint("GET", "/favicon.ico", Everybody, Nothing),
        endpoint("GET", "/pkg/{*file}", Everybody, Nothing),
        endpoint("GET", "/api/openapi.json", Everybody, Nothing),
        endpoint("GET", "/api/docs", Everybody, Nothing),
        endpoint("GET", "/api/docs/", Everybody, Nothing),
        endpoint("GET", "/api/docs/{*rest}", Everybody, Nothing),
        endpoint("POST", "/api/v1/items", Automation, Nothing),
        endpoint("POST", "/api/v1/items/batch", AnyAutomation, Nothing),
        endpoint("GET", "/api/v1/items", AnyAutomationAnd(read), Nothing),
        endpoint("GET", "/api/v1/items/{id}", AutomationAnd(read), Item),
        endpoint("PATCH", "/api/v1/items/{id}", Automation, Item),
        endpoint("POST", "/api/v1/items/{id}/attempts", Automation, Item),
        endpoint("GET", "/api/v1/items/{id}/revisions/{number}/payload", AutomationAnd(read), Item),
        endpoint("GET", "/api/v1/outcomes", Automation, Nothing),
        endpoint("POST", "/api/v1/outcomes/ack", Automation, Nothing),
        endpoint("GET", "/", SignedIn, Nothing),
        endpoint("GET", "/sign-in", Everybody, Nothing),
        endpoint("POST", "/sign-in", Everybody, Nothing),
        endpoint("GET", "/setup/{secret}", NobodyAnyMore, Nothing),
        endpoint("POST", "/setup/{secret}", NobodyAnyMore, Nothing),
        endpoint("GET", "/sign-out", SignedIn, Nothing),
        endpoint("POST", "/sign-out", SignedIn, Nothing),
        endpoint("POST", "/theme", Everybody, Nothing),
        endpoint("GET", "/sign-in/code", Everybody, Nothing),
        endpoint("POST", "/sign-in/code", Everybody, On::Waiting),
        endpoint("GET", "/sign-in/help", Everybody, Nothing),
        endpoint("GET", "/sign-in/openid", NobodyHere, Nothing),
        endpoint("GET", "/sign-in/openid/callback", NobodyHere, Nothing),
        endpoint("GET", "/link/{secret}", Everybody, On::Link),
        endpoint("POST", "/link/{secret}", Everybody, On::Link),
        endpoint("GET", "/me", SignedIn, Nothing),
        endpoint("GET", "/notices", SignedIn, Nothing),
        endpoint("GET", "/notices/read", SignedIn, Nothing),
        endpoint("POST", "/notices/read", SignedIn, Nothing),
        endpoint("GET", "/me/security", SignedIn, Nothing),
        endpoint("GET", "/me/security/{verb}", SignedIn, Nothing),
        endpoint("POST", "/me/security/password", SignedIn, Nothing),
        endpoint("POST", "/me/security/begin-two-step", SignedIn, On::SecondStepBegun),
        endpoint("POST", "/me/security/confirm-two-step", SignedIn, On::SecondStepBegun),
        endpoint("POST", "/me/security/recovery-codes", SignedIn, On::SecondStepAsked),
        endpoint("POST", "/me/security/remove-two-step", SignedIn, Nothing),
        endpoint("POST", "/me/security/end-session", SignedIn, On::OtherSession),
        endpoint("POST", "/me/security/end-others", SignedIn, Nothing),
        endpoint("GET", "/me/notices", SignedIn, Nothing),
        endpoint("POST", "/me/notices", SignedIn, Nothing),
        endpoint("GET", "/me/tokens", SignedIn, Nothing),
        endpoint("POST", "/me/tokens", SignedIn, Nothing),
        endpoint("GET", "/me/tokens/{id}/revoke", SignedIn, On::OwnToken),
        endpoint("POST", "/me/tokens/{id}/revoke", SignedIn, On::OwnToken),
        endpoint("GET", "/queue", Anywhere(read), Nothing),
        endpoint("ANY", "/calls/arrivals", Anywhere(read), Nothing),
        endpoint("ANY", "/calls/version", People(read), Item),
        endpoint("GET", "/items/{id}", People(read), Item),
        endpoint("GET", "/items/{id}/correct", People(read), Item),
        endpoint("POST", "/items/{id}/draft", People(Permission::ItemsCorrect), Item),
        endpoint("GET", "/items/{id}/reveal", People(read), Item),
        endpoint("POST", "/items/{id}/reveal", People(Permission::PayloadsReveal), Item),
        endpoint("GET", "/items/{id}/replay", People(read), Item),
        endpoint("GET", "/items/{id}/{action}", People(read), Item),
        endpoint("GET", "/items/{id}/revisions/{number}/payload", People(read), Item),
        endpoint("GET", "/items/{id}/compensations", People(read), Item),
        endpoint("GET", "/shift", Anywhere(read), Nothing),
        endpoint("GET", "/alerts", Anywhere(read), Nothing),
        endpoint("GET", "/alerts/{id}", People(read), On::Alert),
        endpoint("GET", "/alerts/{id}/{verb}", People(read), On::Alert),
        endpoint("GET", "/alerts/{id}/acknowledge", People(read), On::Alert),
        endpoint("POST", "/alerts/{id}/acknowledge", People(Permission::ItemsWork), On::Alert),
        endpoint("GET", "/approvals", Anywhere(read), Nothing),
        endpoint("GET", "/approvals/{id}", People(read), On::Approval),
        endpoint("GET", "/approvals/{id}/{verb}", People(read), On::Approval),
        endpoint("POST", "/approvals/{id}/withdraw", People(Permission::ItemsReplay), On::OwnRequest),
        endpoint("GET", "/approvals/{id}/withdraw", People(read), On::Approval),
        endpoint("GET", "/api/v1/approvals", Anywhere(read), Nothing),
        endpoint("POST", "/api/v1/approvals/{id}/withdraw", People(Permission::ItemsReplay), On::OwnRequest),
        endpoint("GET", "/audit/approvals", Anywhere(Permission::AuditRead), Nothing),
        endpoint("GET", "/me/substitutes", SignedIn, Nothing),
        endpoint("POST", "/me/substitutes", SignedIn, On::Decider),
        endpoint("GET", "/me/substitutes/{id}/end", SignedIn, On::Substitute),
        endpoint("POST", "/me/substitutes/{id}/end", SignedIn, On::Substitute),
        endpoint("GET", "/quarantine", Anywhere(read), Nothing),
        endpoint("GET", "/quarantine/{id}", People(read), Case),
        endpoint("GET", "/quarantine/{id}/accept", People(read), Case),
        endpoint("GET", "/quarantine/{id}/close", People(read), Case),
        endpoint("POST", "/quarantine/{id}/accept", People(Permission::QuarantineWork), Case),
        endpoint("POST", "/quarantine/{id}/close", People(Permission::QuarantineWork), Case),
        endpoint("GET", "/audit", Anywhere(Permission::AuditRead), Nothing),
        endpoint("GET", "/audit/corrections", Anywhere(Permission::AuditRead), Nothing),
        endpoint("GET", "/audit/corrections/{id}/{revision}", People(Permission::AuditRead), Corrected),
    ];
    all.extend(administration::endpoints());
    for verb in ["approve", "reject", "hand_on"] {
        let decides = People(Permission::ApprovalsDecide);
        all.push(endpoint("GET", format!("/approvals/{{id}}/{verb}"), People(read), On::Approval));
        all.push(endpoint("POST", format!("/approvals/{{id}}/{verb}"), decides, On::Approval));
        if verb != "hand_on" {
            all.push(endpoint("POST", format!("/api/v1/approvals/{{id}}/{verb}"), decides, On::Approval));
        }
    }
    let own = [
        "password",
        "begin-two-step",
        "confirm-two-step",
        "recovery-codes",
        "remove-two-step",
        "end-session",
        "end-others",
    ];
    for verb in own {
        all.push(endpoint("GET", format!("/me/security/{verb}"), SignedIn, Nothing));
    }
    for action in CATALOGUE {
        let (name, may) = (action.step.as_str(), People(action.permission));
        all.push(endpoint("POST", format!("/api/v1/items/{{id}}/{name}"), may, On::Ready(action)));
        all.push(endpoint("POST", format!("/items/{{id}}/{name}"), may, On::Ready(action)));
    }
    // The last, for it takes time.
    all.push(endpoint("POST", "/sign-in/help", Everybody, Nothing));
    all
}

//! What is typed into the forms of administration, of one's own account, and of signing in.

use serde_json::{Value, json};

use super::{
    cast::{Cast, Kind},
    things,
    told::{On, Thing, Told},
};
use crate::app::PASSWORD;

impl Told {
    pub(super) fn on_sign_in(&self) -> bool {
        matches!(self.on, On::Link | On::Waiting) || self.path.ends_with("/help") || self.path.starts_with("/notices")
    }

    /// What is typed into a form of administration, of one's own account, or of signing in.
    pub(super) async fn typed(&self, cast: &Cast<'_>, kind: Kind, name: &str, thing: &Thing) -> Value {
        let key = &thing.key;
        let slug = key.replace(' ', "-");
        let address = format!("{slug}@example.test");
        match name {
            "POST /link/{secret}" => json!({ "name": "Joined", "password": PASSWORD }),
            "POST /sign-in/code" => json!({ "code": thing.id.split_once(' ').map(|(_, code)| code) }),
            "POST /sign-in/help" => json!({ "email": "nobody@example.test" }),
            "POST /me/security/end-session" => json!({ "id": thing.id }),
            "POST /notices/read" => json!({ "upto": "0" }),
            "POST /me/security/confirm-two-step" => json!({ "code": things::code(cast.app, kind).await }),
            "POST /me/security/password" => json!({ "present": PASSWORD, "password": PASSWORD }),
            "POST /me/tokens" | "POST /admin/tokens" => {
                json!({ "id": uuid::Uuid::new_v4(), "name": key, "any": "yes" })
            }
            "POST /admin/people/invite" => {
                let made = uuid::Uuid::new_v4();
                json!({ "id": made, "name": key, "email": address, "role:operator": "yes", "clearance": "internal" })
            }
            "POST /admin/people/{id}/name" => {
                json!({ "version": 2, "name": "Renamed", "email": format!("renamed.{address}") })
            }
            "POST /admin/people/{id}/roles" => json!({ "version": 2, "role:auditor": "yes" }),
            "POST /admin/people/{id}/teams" => json!({ "version": 2, "team:support": "yes" }),
            "POST /admin/people/{id}/clearance" => json!({ "version": 2, "clearance": "confidential" }),
            "POST /admin/roles/new" => {
                json!({ "key": slug, "name": key, "permission:items.read": "yes" })
            }
            "POST /admin/roles/{key}" => {
                json!({ "version": 1, "name": key, "permission:items.work": "yes" })
            }
            "POST /items/{id}/draft" => {
                json!({ "version": 1, "parent": 1, "draft_version": 0, "text": "{}", "reason": "So far" })
            }
            "POST /items/{id}/reveal" => json!({ "revision": 1, "reason": "The bank asks", "confirm": PASSWORD }),
            "POST /me/substitutes" => {
                let until = (cast.app.service.now() + chrono::TimeDelta::days(1)).format("%Y-%m-%dT%H:%M").to_string();
                json!({ "person": thing.id, "until": until, "confirm": PASSWORD })
            }
            "POST /admin/channels" => json!({ "name": slug, "kind": "slack", "url": "https://hooks.example/T1" }),
            "POST /admin/channels/{name}/change" => {
                json!({ "version": 1, "kind": "webhook", "url": "", "allow_private": "yes" })
            }
            "POST /admin/channels/{name}/disable" | "POST /admin/channels/{name}/enable" => json!({ "version": 1 }),
            "POST /me/notices" => json!({ "topic:items": "yes", "topic:account": "yes" }),
            "POST /admin/teams" => json!({ "key": slug, "name": key }),
            "POST /admin/teams/{key}" => json!({ "name": "Renamed" }),
            _ => json!({ "version": 2 }),
        }
    }
}

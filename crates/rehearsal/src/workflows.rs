//! The definitions of the demonstration's workflows, as `recourse workflow apply` reads them.

use crate::systems::Systems;

const DEFINITIONS: [(&str, &str); 4] = [
    ("invoice-sync", include_str!("../workflows/invoice-sync.toml")),
    ("crm-sync", include_str!("../workflows/crm-sync.toml")),
    ("support-replies", include_str!("../workflows/support-replies.toml")),
    ("order-fulfilment", include_str!("../workflows/order-fulfilment.toml")),
];

/// A workflow that reports and that nobody registers.
pub const UNREGISTERED: &str = "legacy-export";

/// Key and TOML text of each workflow, with the addresses of these systems as destinations.
#[must_use]
pub fn workflows(systems: &Systems) -> Vec<(&'static str, String)> {
    let addresses = [
        ("{ledger}", &systems.ledger.url),
        ("{crm}", &systems.crm.url),
        ("{mail}", &systems.mail.url),
        ("{warehouse}", &systems.warehouse.url),
    ];
    let addressed = |text: &str| addresses.iter().fold(text.to_owned(), |text, (name, url)| text.replace(name, url));
    DEFINITIONS.iter().map(|(key, text)| (*key, addressed(text))).collect()
}

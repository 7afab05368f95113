use rehearsal::{systems::Systems, workflows::workflows};
use toml::Table;

use crate::outside::Clock;

#[tokio::test]
async fn definitions_are_toml_with_the_systems_addresses() {
    let systems = Systems::start(Clock::start().now()).await.unwrap();
    let definitions = workflows(&systems);
    let keys: Vec<_> = definitions.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys, ["invoice-sync", "crm-sync", "support-replies", "order-fulfilment"]);
    for (key, text) in &definitions {
        let table: Table = text.parse().unwrap_or_else(|error| panic!("{key}: {error}"));
        assert_eq!(table["workflow"]["key"].as_str(), Some(*key));
        for step in table["step"].as_array().unwrap() {
            let Some(destination) = step.get("destination") else {
                continue;
            };
            let url = destination["url"].as_str().unwrap();
            assert!(url.starts_with("http://127.0.0.1:"), "{key}: {url}");
            assert!(step["lookup"]["url"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{key}");
        }
        for placeholder in ["{ledger}", "{crm}", "{mail}", "{warehouse}"] {
            assert!(!text.contains(placeholder), "{key}: {placeholder}");
        }
    }
}

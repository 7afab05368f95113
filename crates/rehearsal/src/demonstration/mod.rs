//! The demonstration: work of several automations over the last days, told to a new installation within seconds, and then a
//! trickle that keeps the queue alive. The other systems really hold what the reports leave open, so every way out works.

mod cast;
mod contacts;
mod invoices;
mod json_text;
mod orders;
mod replies;
mod reply_texts;
mod scene;
mod script;
mod stage;

use std::{collections::BTreeMap, convert::Infallible, time::Duration};

use futures::{StreamExt, stream};

use crate::{Now, client, systems::Systems};
use scene::Scene;
use script::Script;
use stage::Stage;

/// Scenes played at once while filling.
const AT_ONCE: usize = 6;

/// The installation to fill.
#[derive(Debug, Clone)]
pub struct Target {
    pub base_url: String,
    /// Workflow key → its automation's token.
    pub tokens: BTreeMap<String, String>,
    /// May report for workflows that nobody registered.
    pub any_token: String,
}

/// What came of filling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filled {
    /// Jobs that needed nobody.
    pub done: usize,
    /// Reports that Recourse took.
    pub reported: usize,
    /// Reports that Recourse refused; two are meant to be.
    pub refused: usize,
}

/// Fills the queues within some seconds, then adds something every 20 to 60 seconds until it is dropped. What the ledger
/// had only accepted, it carries out meanwhile.
///
/// # Errors
/// Only when it cannot begin. A report that fails later is logged and left out.
pub async fn run(target: Target, systems: &Systems, now: Now, seed: u64) -> client::Result<Infallible> {
    let (stage, mut script) = begin(&target, systems, &now, seed)?;
    let filled = fill_stage(&stage, &mut script).await;
    tracing::info!(?filled, "the demonstration has filled the queues");
    loop {
        tokio::time::sleep(Duration::from_secs(script.between(20, 60))).await;
        systems.ledger.finish_accepted();
        script.turn_to(now());
        let scene = script.next_scene();
        stage.play(scene).await;
    }
}

/// Only fills.
///
/// # Errors
/// As [`run`].
pub async fn fill(target: Target, systems: &Systems, now: Now, seed: u64) -> client::Result<Filled> {
    let (stage, mut script) = begin(&target, systems, &now, seed)?;
    Ok(fill_stage(&stage, &mut script).await)
}

fn begin(target: &Target, systems: &Systems, now: &Now, seed: u64) -> client::Result<(Stage, Script)> {
    Ok((Stage::new(target, systems)?, Script::new(seed, now())))
}

async fn fill_stage(stage: &Stage, script: &mut Script) -> Filled {
    // What goes well comes first: some of the trouble needs records that are already there.
    let mut filled = play_all(stage, script.quiet_scenes()).await;
    let trouble = play_all(stage, script.troubled_scenes()).await;
    filled.done += trouble.done;
    filled.reported += trouble.reported;
    filled.refused += trouble.refused;
    filled
}

async fn play_all(stage: &Stage, scenes: Vec<Scene>) -> Filled {
    let played = stream::iter(scenes).map(|scene| stage.play(scene)).buffer_unordered(AT_ONCE);
    played
        .fold(Filled::default(), |sum, one| async move {
            Filled {
                done: sum.done + one.done,
                reported: sum.reported + one.reported,
                refused: sum.refused + one.refused,
            }
        })
        .await
}

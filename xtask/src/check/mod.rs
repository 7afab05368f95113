//! `cargo xtask test`: every stage in order, stopping at the first that fails, with what each took.

mod journeys;
mod rust;
mod summary;

use crate::{rules, web};
use anyhow::{Result, bail};
use std::time::Instant;
use summary::{Outcome, Summary};

#[derive(Clone, Copy)]
struct Stage {
    name: &'static str,
    what: &'static str,
    run: fn() -> Result<Outcome>,
}

/// Cheap ones first; the bundle before the server that embeds it, so that the server is compiled once.
const STAGES: &[Stage] = &[
    Stage { name: "fmt", what: "formatting", run: rust::formatting },
    Stage { name: "rules", what: "the architecture's rules", run: || rules::check().map(|()| Outcome::Passed) },
    Stage { name: "web", what: "the web bundle", run: || web::build().map(|()| Outcome::Passed) },
    Stage { name: "lint", what: "lints, warnings denied", run: rust::lints },
    Stage { name: "rust", what: "Rust tests on SQLite and PostgreSQL", run: rust::tests },
    Stage { name: "fuzz", what: "texts that could break the payload code", run: rust::fuzzing },
    Stage { name: "build", what: "the binary", run: rust::binary },
    Stage { name: "e2e", what: "journeys in a browser", run: journeys::in_a_browser },
];

/// Runs all stages, or those in the comma-separated list `only`.
pub(crate) fn run(only: Option<&str>) -> Result<()> {
    let stages = chosen(only)?;
    let mut summary = Summary::default();
    for (index, stage) in stages.iter().enumerate() {
        println!("\n── {}/{}  {}: {}", index + 1, stages.len(), stage.name, stage.what);
        let began = Instant::now();
        let outcome = (stage.run)();
        let took = began.elapsed();
        match outcome {
            Ok(outcome) => summary.add(stage.name, outcome, took),
            Err(error) => {
                summary.add(stage.name, Outcome::Failed, took);
                summary.print();
                return Err(error.context(format!("the stage {} failed", stage.name)));
            }
        }
    }
    summary.print();
    Ok(())
}

fn chosen(only: Option<&str>) -> Result<Vec<Stage>> {
    let Some(only) = only else {
        return Ok(STAGES.to_vec());
    };
    let names: Vec<&str> = only.split(',').map(str::trim).collect();
    if let Some(unknown) = names.iter().find(|name| !STAGES.iter().any(|stage| stage.name == **name)) {
        let known: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
        bail!("there is no stage {unknown}; the stages are {}", known.join(", "));
    }
    Ok(STAGES.iter().filter(|stage| names.contains(&stage.name)).copied().collect())
}

#[cfg(test)]
mod tests {
    use super::{STAGES, chosen};

    fn names(only: Option<&str>) -> Vec<&'static str> {
        chosen(only).unwrap().iter().map(|stage| stage.name).collect()
    }

    #[test]
    fn a_choice_keeps_the_order_of_the_stages() {
        assert_eq!(names(Some("e2e, rust")), ["rust", "e2e"]);
        assert_eq!(names(None).len(), STAGES.len());
    }

    #[test]
    fn a_stage_that_does_not_exist_is_refused() {
        assert!(chosen(Some("rust,unit")).err().unwrap().to_string().contains("there is no stage unit"));
    }
}

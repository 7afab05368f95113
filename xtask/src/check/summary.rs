//! The table at the end.

use std::time::Duration;

#[derive(Clone, Copy)]
pub(super) enum Outcome {
    Passed,
    Failed,
    /// What the stage needs cannot be had on this machine; said when it happened and here again.
    NotRun,
}

#[derive(Default)]
pub(super) struct Summary {
    rows: Vec<(&'static str, Outcome, Duration)>,
}

impl Summary {
    pub(super) fn add(&mut self, stage: &'static str, outcome: Outcome, took: Duration) {
        println!("── {stage} {} after {}", word(outcome), seconds(took));
        self.rows.push((stage, outcome, took));
    }

    pub(super) fn print(&self) {
        println!("\n  {:<8}{:<9}{:>8}", "stage", "", "time");
        for (stage, outcome, took) in &self.rows {
            println!("  {stage:<8}{:<9}{:>8}", word(*outcome), seconds(*took));
        }
        let total = self.rows.iter().map(|(_, _, took)| *took).sum();
        println!("  {:<8}{:<9}{:>8}", "all", "", seconds(total));
    }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "FAILED",
        Outcome::NotRun => "NOT RUN",
    }
}

fn seconds(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        return format!("{seconds}.{} s", time.subsec_millis() / 100);
    }
    format!("{} m {:02} s", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::seconds;
    use std::time::Duration;

    #[test]
    fn times_are_short() {
        assert_eq!(seconds(Duration::from_millis(4280)), "4.2 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 m 05 s");
    }
}

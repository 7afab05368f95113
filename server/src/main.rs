//! `recourse`: brings failed and uncertain automation work to a safe end.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    match server::cli::run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            server::cli::complain(&error);
            ExitCode::FAILURE
        }
    }
}

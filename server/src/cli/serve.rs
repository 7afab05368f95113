//! `recourse serve`.

use std::net::SocketAddr;

use anyhow::{Context as _, Result};
use clap::Args;
use service::Service;
use tokio::{net::TcpListener, signal};
use tracing_subscriber::{EnvFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _};

use super::say;
use crate::{
    jobs,
    settings::{LogFormat, Settings},
    web, wiring,
};

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Start with a living demonstration, on a loopback address and a new database
    #[cfg(feature = "rehearsal")]
    #[arg(long)]
    demo: bool,
}

impl Serve {
    #[cfg_attr(not(feature = "rehearsal"), expect(unused_mut, reason = "only the demonstration changes the settings"))]
    pub(super) async fn run(self, mut settings: Settings) -> Result<()> {
        log(&settings);
        #[cfg(feature = "rehearsal")]
        if self.demo {
            super::demonstration::prepare(&mut settings)?;
        }
        let listener = TcpListener::bind(settings.listen).await.with_context(|| {
            format!("RECOURSE_LISTEN: {} can't be listened on; is Recourse running there already?", settings.listen)
        })?;
        // With port 0 the system has chosen one.
        settings.listen = listener.local_addr()?;
        let service = wiring::migrate_and_open(&settings).await?;
        let app = web::router(service.clone(), &settings)?.into_make_service_with_connect_info::<SocketAddr>();
        let jobs = jobs::start(&service);
        announce(&service, &settings).await?;
        #[cfg(feature = "rehearsal")]
        let _demonstration = if self.demo { Some(super::demonstration::start(&service).await?) } else { None };
        axum::serve(listener, app).with_graceful_shutdown(stop_asked()).await?;
        jobs.stop().await;
        service.close().await;
        Ok(())
    }
}

/// Says where to look and, while nobody has an account, how to become the first admin.
async fn announce(service: &Service, settings: &Settings) -> Result<()> {
    say(&format!("Recourse is at {}", settings.public_url()))?;
    #[cfg(feature = "rehearsal")]
    if super::demonstration::is_prepared(settings) {
        return Ok(());
    }
    if let Some(link) = service.invite_first_admin().await? {
        say("Nobody has an account yet. Open this link once, within 24 hours, to become the first admin:")?;
        say(&format!("  {link}"))?;
    }
    Ok(())
}

async fn stop_asked() {
    let interrupt = async {
        let _ = signal::ctrl_c().await;
    };
    #[cfg(unix)]
    let terminate = async {
        if let Ok(mut signal) = signal::unix::signal(signal::unix::SignalKind::terminate()) {
            signal.recv().await;
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! { () = interrupt => {}, () = terminate => {} }
}

fn log(settings: &Settings) {
    let filter = EnvFilter::try_new(&settings.log).unwrap_or_else(|_| EnvFilter::new("info"));
    let registry = tracing_subscriber::registry().with(filter);
    // Standard output is for what people and programs read.
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let started = match settings.log_format {
        LogFormat::Json => registry.with(lines.json()).try_init(),
        LogFormat::Text => registry.with(lines).try_init(),
    };
    drop(started);
}

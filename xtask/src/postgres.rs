//! A throw-away PostgreSQL for tests: made in a moment, careless about its data, gone when dropped.

use crate::commands::run;
use crate::environment::on_path;
use anyhow::{Context, Result, bail};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SETTINGS: &[&str] = &[
    "listen_addresses=127.0.0.1",
    "max_connections=300",
    // Its data is worth nothing, so no time is spent on keeping it.
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "autovacuum_naptime=10min",
    "shared_buffers=64MB",
    // As servers for real work have it: comparisons are said in the schema, never left to the machine's language.
    "timezone=UTC",
];
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// A running cluster; stopped and removed when dropped, and with us when we are killed.
pub(crate) struct Cluster {
    server: Child,
    home: PathBuf,
    port: u16,
}

impl Cluster {
    pub(crate) fn start() -> Result<Self> {
        let programs = programs()?;
        let owner = owner()?;
        let home = make_home(owner)?;
        match launch(&programs, owner, &home) {
            Ok(cluster) => Ok(cluster),
            Err(error) => {
                let log = fs::read_to_string(home.join("log")).unwrap_or_default();
                let _ = fs::remove_dir_all(&home);
                let log = log.trim();
                Err(if log.is_empty() { error } else { error.context(log.to_owned()) })
            }
        }
    }

    /// A superuser's address of the database `postgres`.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    fn wait_until_it_answers(&mut self, programs: &Path) -> Result<()> {
        let began = Instant::now();
        loop {
            let mut ready = Command::new(programs.join("pg_isready"));
            ready.args(["--quiet", "--host", "127.0.0.1", "--port", &self.port.to_string()]);
            if ready.status().context("cannot ask PostgreSQL whether it is ready")?.success() {
                return Ok(());
            }
            if let Some(status) = self.server.try_wait()? {
                bail!("PostgreSQL ended while starting ({status})");
            }
            if began.elapsed() > STARTS_WITHIN {
                bail!("PostgreSQL did not answer within {} s", STARTS_WITHIN.as_secs());
            }
            #[expect(clippy::disallowed_methods, reason = "nothing else waits on this thread")]
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // SIGQUIT: at once and without a checkpoint, which data of no worth does not need.
        let pid = self.server.id().to_string();
        let asked = Command::new("kill").args(["-QUIT", &pid]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.server.kill();
        }
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.home);
    }
}

/// `cargo xtask postgres`: runs until Ctrl-C, which reaches the server as well.
pub(crate) fn serve() -> Result<()> {
    let mut cluster = Cluster::start()?;
    println!("RECOURSE_TEST_POSTGRES={}", cluster.url());
    println!("Running until Ctrl-C; its data is then gone.");
    cluster.server.wait().context("cannot wait for PostgreSQL")?;
    Ok(())
}

fn launch(programs: &Path, owner: Option<&'static str>, home: &Path) -> Result<Cluster> {
    let data = home.join("data");
    let mut initdb = as_owner(owner, &programs.join("initdb"));
    initdb.current_dir(home).args(["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8"]);
    initdb.args(["--no-sync", "--no-instructions", "--pgdata"]).arg(&data);
    run(initdb.stdout(Stdio::null()), "making a throw-away PostgreSQL")?;

    let port = free_port()?;
    let log = fs::File::create(home.join("log"))?;
    let mut postgres = as_owner(owner, &programs.join("postgres"));
    postgres.current_dir(home).arg("-D").arg(&data).args(["-p", &port.to_string()]).arg("-k").arg(home);
    for setting in SETTINGS {
        postgres.args(["-c", setting]);
    }
    let server = postgres.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn();
    let server = server.context("cannot start PostgreSQL")?;
    let mut cluster = Cluster { server, home: home.to_path_buf(), port };
    cluster.wait_until_it_answers(programs)?;
    Ok(cluster)
}

/// The folder of the newest installed server's programs.
fn programs() -> Result<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<(u32, PathBuf)> = debian
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .filter(|(_, bin)| bin.join("initdb").is_file())
        .collect();
    versions.sort();
    if let Some((_, bin)) = versions.pop() {
        return Ok(bin);
    }
    if let Some(bin) = on_path("initdb").as_deref().and_then(Path::parent) {
        return Ok(bin.to_path_buf());
    }
    bail!("PostgreSQL's server is not installed: run `xtask/install.sh test`, or install the package postgresql")
}

/// Who must run the server when we are root, since PostgreSQL refuses root.
fn owner() -> Result<Option<&'static str>> {
    let user = crate::commands::output(Command::new("id").arg("-u"), "asking who we are")?;
    if user.trim() != "0" {
        return Ok(None);
    }
    let exists = |name: &&str| Command::new("id").arg(name).stdout(Stdio::null()).stderr(Stdio::null()).status();
    for name in ["postgres", "nobody"] {
        if exists(&name)?.success() {
            return Ok(Some(name));
        }
    }
    bail!("PostgreSQL does not run as root, and neither the user postgres nor nobody exists here")
}

/// `program` as that user; it is asked to stop when we die, however we die.
fn as_owner(owner: Option<&str>, program: &Path) -> Command {
    let Some(setpriv) = on_path("setpriv") else {
        return Command::new(program);
    };
    let mut command = Command::new(setpriv);
    if let Some(name) = owner {
        command.args(["--reuid", name, "--regid"]).arg(group_of(name)).arg("--init-groups");
    }
    command.args(["--pdeathsig", "INT", "--"]).arg(program);
    command
}

fn group_of(user: &str) -> String {
    let group = crate::commands::output(Command::new("id").args(["-g", user]), "asking for a user's group");
    group.map_or_else(|_| user.to_owned(), |group| group.trim().to_owned())
}

const HOME: &str = "recourse-postgres-";

/// An empty folder that the server's user owns, with a path short enough for a socket.
fn make_home(owner: Option<&str>) -> Result<PathBuf> {
    let folder = std::env::temp_dir();
    sweep(&folder);
    let home = folder.join(format!("{HOME}{}", std::process::id()));
    fs::create_dir(&home).with_context(|| format!("cannot make {}", home.display()))?;
    if let Some(name) = owner {
        run(Command::new("chown").arg(name).arg(&home), "giving PostgreSQL its folder")?;
    }
    Ok(home)
}

/// Removes what clusters left behind whose owner was killed and so could not; their servers ended with it.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(HOME)).and_then(|pid| pid.parse::<u32>().ok());
        if owner.is_some_and(|pid| pid == std::process::id() || !is_running(pid)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_running(pid: u32) -> bool {
    let asked = Command::new("kill").args(["-0", &pid.to_string()]).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

fn free_port() -> Result<u16> {
    let probe = TcpListener::bind(("127.0.0.1", 0)).context("no free port on the loopback address")?;
    Ok(probe.local_addr()?.port())
}

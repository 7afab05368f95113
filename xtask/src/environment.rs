//! Where things are. The only place in xtask that reads environment variables.
#![expect(clippy::disallowed_methods, reason = "xtask has no settings file; these few variables are its settings")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The root of the clone, as cargo tells who runs us: a build directory that clones share may hold what another one built.
pub(crate) fn root() -> &'static Path {
    static HERE: LazyLock<PathBuf> = LazyLock::new(|| {
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into()).into()
    });
    HERE.parent().unwrap_or(&HERE)
}

/// The build directory cargo uses for this clone.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The cargo that started us, so that both are of one toolchain.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The compiler that `cargo()` uses.
pub(crate) fn rustc() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// Where what was installed for this project alone is kept, as in install.sh.
pub(crate) fn cache_dir() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|dir| dir.is_absolute()).or_else(home);
    cache.unwrap_or_else(|| root().join("target")).join("recourse")
}

/// The browser the end-to-end tests drive.
pub(crate) fn chromium() -> PathBuf {
    match std::env::var_os("RECOURSE_CHROMIUM") {
        Some(path) => path.into(),
        None => "/usr/bin/chromium".into(),
    }
}

/// The first program of this name on the search path.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}

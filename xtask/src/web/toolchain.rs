//! Which compiler makes the wasm: the usual one if it has the target, else Debian's with its standard library's source.

use crate::commands::output;
use crate::environment;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) const TARGET: &str = "wasm32-unknown-unknown";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";

pub(super) enum Toolchain {
    /// The compiler cargo uses anyway; `rustup target add` has given it the target.
    Usual,
    /// Debian's compiler building the standard library itself, for machines where no target can be downloaded.
    Debian { linker: PathBuf },
}

impl Toolchain {
    pub(super) fn find() -> Result<Self> {
        let sysroot = sysroot(&mut Command::new(environment::rustc()))?;
        if sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir() {
            return Ok(Self::Usual);
        }
        match debian_linker() {
            Some(linker) => Ok(Self::Debian { linker }),
            None => bail!(
                "this Rust has no {TARGET} target: run `rustup target add {TARGET}`, \
                 or on Debian `xtask/install.sh run`, which installs Debian's own toolchain"
            ),
        }
    }

    /// Changes whenever a different compiler would be used.
    pub(super) fn identity(&self) -> Result<String> {
        let mut rustc = match self {
            Self::Usual => Command::new(environment::rustc()),
            Self::Debian { .. } => debian(DEBIAN_RUSTC),
        };
        output(rustc.arg("-vV"), "asking the compiler for its version")
    }

    /// `cargo build` for the target, still without a package and profile.
    pub(super) fn cargo_build(&self) -> Command {
        match self {
            Self::Usual => {
                let mut cargo = Command::new(environment::cargo());
                cargo.args(["build", "--target", TARGET]);
                cargo
            }
            Self::Debian { linker } => {
                let mut cargo = debian(DEBIAN_CARGO);
                cargo
                    .args(["build", "--target", TARGET, "-Z", "build-std=std,panic_abort"])
                    // Building the standard library is behind this switch in a stable compiler.
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("RUSTC", DEBIAN_RUSTC)
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
                cargo
            }
        }
    }
}

/// Debian's program, free of what the cargo that started us has set for its own toolchain.
fn debian(program: &str) -> Command {
    let mut command = Command::new(program);
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTC_WRAPPER", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
        command.env_remove(variable);
    }
    command
}

/// The linker that goes with Debian's compiler, if that compiler, its library's source and the linker are all there.
fn debian_linker() -> Option<PathBuf> {
    if !Path::new(DEBIAN_CARGO).is_file() || !Path::new(DEBIAN_RUSTC).is_file() {
        return None;
    }
    let sysroot = sysroot(&mut debian(DEBIAN_RUSTC)).ok()?;
    if !sysroot.join("lib/rustlib/src/rust/library").is_dir() {
        return None;
    }
    let version = output(debian(DEBIAN_RUSTC).arg("-vV"), "asking Debian's compiler for its version").ok()?;
    let linker = Path::new("/usr/bin").join(format!("wasm-ld-{}", llvm_major(&version)?));
    linker.is_file().then_some(linker)
}

fn sysroot(rustc: &mut Command) -> Result<PathBuf> {
    let path = output(rustc.args(["--print", "sysroot"]), "asking the compiler where it lives")?;
    Ok(PathBuf::from(path.trim()))
}

fn llvm_major(version: &str) -> Option<&str> {
    let llvm = version.lines().find_map(|line| line.strip_prefix("LLVM version: "))?;
    llvm.split('.').next()
}

#[cfg(test)]
mod tests {
    use super::llvm_major;

    #[test]
    fn the_linker_is_of_the_compilers_llvm() {
        assert_eq!(llvm_major("rustc 1.96.0\nrelease: 1.96.0\nLLVM version: 22.1.8\n"), Some("22"));
        assert_eq!(llvm_major("rustc 1.96.0\n"), None);
    }
}

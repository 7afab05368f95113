//! The web bundle is embedded in the binary: a new one means a new binary.

fn main() {
    // A bundle that is built later must be noticed too, so its folder has to be there.
    let _ = std::fs::create_dir_all("../site");
    println!("cargo::rerun-if-changed=../site");
    println!("cargo::rerun-if-changed=build.rs");
}

//! Migrations are embedded: a new file means a new build.

fn main() {
    println!("cargo::rerun-if-changed=../../migrations");
}

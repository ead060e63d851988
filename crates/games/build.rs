//! Tells cargo that the crate holds the rule sheets, so that a changed one is embedded anew.

fn main() {
    println!("cargo::rerun-if-changed=../../games");
}

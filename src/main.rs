//! The command line of accrue.
fn main() {}

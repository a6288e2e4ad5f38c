//! How the binary is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // At a fixed place: the compiler's tables hold some 17,000 addresses, and to relocate them would take as
    // long at every start as to compile a small program.
    println!("cargo:rustc-link-arg-bins=-no-pie");
}

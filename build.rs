//! How the binary is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // At a fixed place: the compiler's tables hold some 17,000 addresses, which would be relocated at every
    // start otherwise.
    println!("cargo:rustc-link-arg-bins=-no-pie");
}

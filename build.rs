//! How the binary is linked.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// The static form of the library that unwinds stacks.
const UNWINDER: &str = "libgcc_eh.a";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    // At a fixed place: the compiler's tables hold some 17,000 addresses, which would be relocated at every
    // start otherwise.
    println!("cargo:rustc-link-arg-bins=-no-pie");
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    if env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu") && has_unwinder(Path::new(&linker)) {
        let folder = env::var("OUT_DIR").map_err(io::Error::other)?;
        // The standard library asks for the shared one, which takes the dynamic linker 0.1 ms to load and
        // to start. A linker takes this file for it.
        fs::write(Path::new(&folder).join("libgcc_s.so"), "INPUT(-lgcc_eh -lgcc)\n")?;
        println!("cargo:rustc-link-arg-bins=-L{folder}");
    }
    Ok(())
}

/// Whether the linker, a compiler driver, knows where the static unwinder is: it prints the name alone if
/// not.
fn has_unwinder(linker: &Path) -> bool {
    let found = Command::new(linker).arg(format!("-print-file-name={UNWINDER}")).output();
    found.is_ok_and(|found| {
        let path = String::from_utf8_lossy(&found.stdout);
        found.status.success() && Path::new(path.trim()).is_absolute()
    })
}

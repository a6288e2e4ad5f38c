//! Every PTX text that the compiler's golden cases hold is read, verified and decoded.

use accrue_ptx_sim::{Config, Device};
use std::path::{Path, PathBuf};

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "ptx") {
            found.push(path);
        }
    }
}

#[test]
fn golden_texts_are_taken() {
    let mut found = Vec::new();
    texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/cases"), &mut found);
    texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx"), &mut found);
    found.sort();
    assert!(found.len() > 25, "the golden cases are missing");
    let device = Device::new(Config::default());
    for path in found {
        let text = std::fs::read_to_string(&path).expect("the text can be read");
        match device.load(&text) {
            Ok(module) => assert!(module.kernels().next().is_some(), "{}: no kernel", path.display()),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
}

//! Tests of whole modules: small IR texts, the lines that come out of them, and ptxas on each where it is
//! found.

mod library;
mod operators;
mod storage;
mod structure;
mod threads;

use crate::arch::Arch;
use crate::options::Options;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Architectures that ptxas is asked for.
const ARCHES: [u32; 3] = [70, 90, 120];

/// The architecture with a number.
fn sm(number: u32) -> Arch {
    Arch::by_name(&format!("sm_{number}")).expect("code is written for it")
}

fn options(arch: Arch) -> Options {
    Options { arch, ..Options::default() }
}

/// A region with parameters `v0.p` (an address) and `v1.n` (an `i64`); `locals` and `body` are IR text.
fn region(dims: &str, declarations: &str, body: &str) -> String {
    format!(
        "function fn0.\"main.region0\" sig0 internal @3:1\n  region parallel of \"main\" dims({dims}) {{\n    \
         param \"p\" pointer deviceptr\n    param \"n\" value i64\n  }} {{\n  params v0.p, v1.n\n  \
         locals v0.p: ptr\n  locals v1.n: i64\n{declarations}{body}}}\n"
    )
}

/// The module with what regions need, and more.
fn with_header(rest: &str) -> String {
    format!("file file0 \"dir/a.c\"\nsignature sig0 (ptr, i64)\n{rest}")
}

fn ptxas() -> Option<PathBuf> {
    let named = std::env::var_os("ACCRUE_PTXAS").map(PathBuf::from);
    let home = std::env::var_os("CUDA_HOME").map(|home| PathBuf::from(home).join("bin/ptxas"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("ptxas"));
    named.into_iter().chain(home).chain(on_path).find(|file| file.is_file())
}

/// Asks ptxas, if there is one, for code of an architecture.
fn assemble(text: &str, arch: Arch) {
    let Some(ptxas) = ptxas() else {
        eprintln!("skipped: no ptxas");
        return;
    };
    let mut child = Command::new(ptxas)
        .args(["-arch", &arch.to_string(), "-o", "/dev/null", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ptxas starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, text.as_bytes()).expect("ptxas reads");
    drop(stdin);
    let output = child.wait_with_output().expect("ptxas ends");
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "ptxas for {arch}: {said}\n{text}");
}

/// Holds a text to the rules of accrue's PTX.
fn lint(ptx: &super::Ptx) {
    accrue_ptx_sim::lint(&ptx.text, |function, register| ptx.is_unset(function, register))
        .unwrap_or_else(|error| panic!("{error}\n{}", ptx.text));
}

/// A module of IR text as PTX, as it is written behind the passes.
fn written(ir: &str, options: &Options) -> super::Result<super::Ptx> {
    let mut module = accrue_ir::text::parse(ir).unwrap_or_else(|error| panic!("{error:?}\n{ir}"));
    accrue_ir::verify::verify(&module, "test").unwrap_or_else(|errors| panic!("{errors}\n{ir}"));
    let reached = super::reach(&module)?;
    crate::define::run(&mut module, &reached, options);
    let ptx = super::module(&module, reached, options)?;
    lint(&ptx);
    Ok(ptx)
}

/// Emits IR text for an architecture and assembles it.
fn emit_for(arch: Arch, ir: &str) -> String {
    let text = written(ir, &options(arch)).unwrap_or_else(|error| panic!("{error}\n{ir}")).text;
    assemble(&text, arch);
    text
}

/// Emits IR text for each architecture of interest; gives the text for sm_70.
fn emit(ir: &str) -> String {
    ARCHES.map(|number| emit_for(sm(number), ir)).into_iter().next().unwrap_or_default()
}

/// What is said of IR text that cannot be emitted.
fn refused(ir: &str) -> String {
    match written(ir, &options(sm(90))) {
        Ok(ptx) => panic!("accepted:\n{}", ptx.text),
        Err(error) => error.to_string(),
    }
}

/// The text has these lines one after the other, whatever their indentation; positions are left out.
#[track_caller]
fn has_lines(text: &str, expected: &str) {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.starts_with(".loc ")).collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let found = lines.windows(expected.len()).any(|window| window == expected);
    assert!(found, "expected\n{}\nin\n{text}", expected.join("\n"));
}

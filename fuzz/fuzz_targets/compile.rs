//! Any bytes as a C file, through preprocessor, parser, semantic analysis, lowering, passes and code
//! generation. Nothing is run. `fuzz/seed.sh` fills the corpus with the repository's programs.
//!
//! Changed bytes seldom leave a program that gets past the parser: every second mutation changes whole
//! tokens.
#![no_main]

mod tokens;

use accrue::driver;
use accrue_frontend::options::Options;
use accrue_frontend::pp::Input;
use accrue_frontend::session::Session;
use accrue_host_jit::{CompileMode, Gangs, HostTarget, OptLevel, Roots, Symbols};
use accrue_ir::passes::{self, Section};
use accrue_ir::report::Report;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::sync::Arc;

/// Trees are walked by recursion, as in the command line's compiling thread.
const STACK_BYTES: usize = 1 << 30;

fuzz_target!(|text: &[u8]| {
    let text = text.to_vec();
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || compile(text));
    thread.expect("a thread starts").join().expect("the compiler does not panic");
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let text = tokens::mutate(&data[..size], seed);
    let length = text.len().min(max_size).min(data.len());
    data[..length].copy_from_slice(&text[..length]);
    length
});

fn compile(text: Vec<u8>) {
    let mut session = Session::new(Options { openmp: text.len() % 2 == 1, ..Options::default() });
    let input = Input::Memory { name: "fuzz.c".into(), text };
    let Some(module) = driver::translate(&mut session, &input) else {
        assert!(session.errors() > 0, "no module and no error");
        return;
    };
    let mut target = HostTarget::new(Gangs::InTurn);
    let module = passes::run(module, &mut target, Section::WHOLE, true, &mut Report::default())
        .expect("passes accept what the front end makes");
    let options = accrue_host_jit::Options {
        opt: OptLevel::None,
        mode: CompileMode::Eager(1),
        verify: true,
        roots: Roots::All,
        ..accrue_host_jit::Options::default()
    };
    let table = accrue_runtime::symbols::table();
    let symbols = Symbols { runtime: &table, libraries: &[], library_dirs: &[] };
    // Undefined names are the program's error; anything else ends in a panic, which is what is looked for.
    let _ = accrue_host_jit::compile(Arc::new(module), &options, symbols);
}

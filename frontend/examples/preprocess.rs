//! Preprocesses one file and prints it as `-E` does; `--tokens` prints a token per line, `--time N` the time
//! of the best of N runs. For comparing the preprocessor with others, and for profiling it.

use accrue_frontend::options::{MacroOption, Options};
use accrue_frontend::pp::{Input, preprocess, print};
use accrue_frontend::session::Session;
use accrue_frontend::token::TokenKind;
use std::time::{Duration, Instant};

fn main() {
    let mut options = Options::default();
    let (mut file, mut tokens_only, mut runs) = (String::new(), false, 0u32);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if let Some(dir) = arg.strip_prefix("-I") {
            options.include_dirs.push(dir.into());
        } else if let Some(text) = arg.strip_prefix("-D") {
            options.macros.push(MacroOption::Define(text.to_owned()));
        } else if let Some(text) = arg.strip_prefix("-std=") {
            assert!(options.set_standard(text), "unknown standard {text}");
        } else {
            match arg.as_str() {
                "-fopenmp" => options.openmp = true,
                "-fno-openacc" => options.openacc = false,
                "--tokens" => tokens_only = true,
                "--time" => runs = args.next().and_then(|n| n.parse().ok()).expect("--time N"),
                _ => file = arg,
            }
        }
    }
    let input = Input::Path(file.into());
    let mut best = Duration::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        let mut session = Session::new(options.clone());
        let tokens = preprocess(&mut session, &input);
        best = best.min(start.elapsed());
        std::hint::black_box(tokens);
    }
    let mut session = Session::new(options);
    let tokens = preprocess(&mut session, &input);
    if runs > 0 {
        println!("{} tokens, {:.3} ms", tokens.len(), best.as_secs_f64() * 1e3);
    } else if tokens_only {
        for token in &tokens {
            match token.kind {
                TokenKind::Punct(punct) => println!("{}", punct.spelling()),
                TokenKind::PragmaAcc => println!("#pragma acc"),
                TokenKind::PragmaOmp => println!("#pragma omp"),
                TokenKind::PragmaOther => println!("#pragma"),
                TokenKind::PragmaEnd | TokenKind::Eof => {}
                _ => println!("{}", session.interner.text(token.sym)),
            }
        }
    } else {
        print!("{}", print(&session, &tokens));
    }
    for diagnostic in session.sink.list() {
        let at = session.sources.position(diagnostic.primary.first);
        let at = at.map_or(String::new(), |p| {
            format!("{}:{}:{}: ", session.sources.file_name(p.file), p.line, p.column)
        });
        eprintln!("{at}{:?}: {} [{}]", diagnostic.severity, diagnostic.message, diagnostic.id);
    }
    std::process::exit(i32::from(session.sink.errors() > 0));
}

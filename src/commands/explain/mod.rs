//! `accrue explain`: what the compiler decided, one line per decision; or what the id of a diagnostic means.

mod ids;

use crate::args::{ExplainArgs, Format, Target};
use accrue::driver::{self, Failure};
use accrue_ir::passes::Section;
use accrue_ir::report::Decision;
use accrue_ir::report::topics::{BROADCAST, LAUNCH, LEADER, LEVEL, REDUCTION, REDUNDANT};
use accrue_ir::verify::Verified;
use accrue_ir::{Module, Pos};
use accrue_ptx_emit::{LINK, Options};
use rustc_hash::FxHashSet;
use serde_json::json;
use std::process::ExitCode;

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    if args.list_ids {
        super::print(&ids::list())?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(names) = ids::asked(&args.compile.files) {
        super::print(&ids::explain(&names, args.format == Format::Json)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = String::new();
    for (_, module) in args.compile.compile_programs()? {
        explain(args, module, &mut out)?;
    }
    super::print(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds the lines of one program.
fn explain(args: &ExplainArgs, module: Verified, out: &mut String) -> Result<(), Failure> {
    let (verify, messages) = (args.compile.verify, args.compile.messages());
    let (module, report) = match args.target {
        Target::Host => {
            let mut target = args.compile.host_target(1)?.with_explanations();
            driver::lower_for_host(module, &mut target, Section::WHOLE, verify, &messages)?
        }
        Target::Ptx => {
            let options = Options { explain: true, ..args.compile.ptx_options(args.arch, &args.reduction)? };
            let mut target = driver::gpu(&options);
            // What comes behind decides nothing that a directive asks for.
            let section =
                Section::before(&target, LINK).map_err(|error| Failure::Other(error.to_string()))?;
            driver::lower_for_ptx(module, &mut target, section, verify, &messages)?
        }
    };
    let mut decisions: Vec<&Decision> = report.decisions.iter().collect();
    // By place; for one place what becomes of loops and data is told before what threads do with them, each
    // in the order of the passes. Code that a pass made several times is told of once.
    let is_of_threads = |topic| [LEVEL, LAUNCH, REDUCTION, LEADER, REDUNDANT, BROADCAST].contains(&topic);
    decisions.sort_by_key(|decision| {
        let Pos { file, line, column } = decision.pos;
        (file, line, column, is_of_threads(decision.topic))
    });
    let mut told = FxHashSet::default();
    for decision in decisions {
        let line = match args.format {
            Format::Text => text(&module, decision),
            Format::Json => object(&module, decision).to_string(),
        };
        if told.insert(line.clone()) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    Ok(())
}

fn file<'a>(module: &'a Module, decision: &Decision) -> &'a str {
    module.files.get(decision.pos.file).map_or("<unknown>", |name| name)
}

fn text(module: &Module, decision: &Decision) -> String {
    let Decision { pos, function, topic, text } = decision;
    // The name of a file may hold anything, and a decision is one line.
    let file = file(module, decision).replace(char::is_control, "?");
    format!("{file}:{}:{}: {function}: {topic}: {text}", pos.line, pos.column)
}

fn object(module: &Module, decision: &Decision) -> serde_json::Value {
    json!({
        "file": file(module, decision),
        "line": decision.pos.line,
        "column": decision.pos.column,
        "function": &*decision.function,
        "topic": decision.topic,
        "text": decision.text,
    })
}

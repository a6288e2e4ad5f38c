//! `accrue explain`: what the compiler decided, one line per decision.

use crate::args::{ExplainArgs, Format, Target};
use accrue::driver::{self, Failure, Messages};
use accrue_ir::Module;
use accrue_ir::passes::Decision;
use serde_json::json;
use std::process::ExitCode;

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    let mut module = args.compile.compile()?;
    let report = match args.target {
        Target::Host => {
            let mut target = args.compile.host_target(1)?;
            driver::run_passes(&mut module, &mut target, None, args.compile.verify)?
        }
        Target::Ptx => {
            let options = args.compile.ptx_options(args.arch, &args.reduction)?;
            let warnings = args.compile.warning_options();
            let messages = Messages { format: args.compile.diagnostics.into(), warnings: &warnings };
            driver::lower_for_ptx(&mut module, &options, None, args.compile.verify, messages)?
        }
    };
    let lines = report.decisions.iter().map(|decision| match args.format {
        Format::Text => format!("{}\n", text(&module, decision)),
        Format::Json => format!("{}\n", object(&module, decision)),
    });
    super::print(&lines.collect::<String>())?;
    Ok(ExitCode::SUCCESS)
}

fn file<'a>(module: &'a Module, decision: &Decision) -> &'a str {
    module.files.get(decision.pos.file).map_or("<unknown>", |name| name)
}

fn text(module: &Module, decision: &Decision) -> String {
    let Decision { pos, function, pass, text } = decision;
    format!("{}:{}:{}: {function}: {pass}: {text}", file(module, decision), pos.line, pos.column)
}

fn object(module: &Module, decision: &Decision) -> serde_json::Value {
    json!({
        "file": file(module, decision),
        "line": decision.pos.line,
        "column": decision.pos.column,
        "function": &*decision.function,
        "pass": decision.pass,
        "text": decision.text,
    })
}

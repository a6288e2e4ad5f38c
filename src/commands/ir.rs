//! `accrue ir`: the IR after a stage.

use crate::args::{IrArgs, Target};
use accrue::driver::{self, Failure, Messages};
use accrue_ir::passes::{PASSES, Stage};
use accrue_ir::text;
use std::process::ExitCode;

/// Runs the command.
pub fn run(args: &IrArgs) -> Result<ExitCode, Failure> {
    let stage = match args.stage.as_deref() {
        None => None,
        Some("list") => {
            let lines = PASSES.iter().map(|pass| format!("{:16}{}\n", pass.name, pass.about));
            super::print(&lines.collect::<String>())?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(name) => match Stage::by_name(name) {
            Some(stage) => Some(stage),
            None => return Err(Failure::Usage(format!("unknown stage `{name}`; --stage list names them"))),
        },
    };
    let mut module = args.compile.compile()?;
    match args.target {
        Target::Host => {
            let mut target = args.compile.host_target(args.gangs)?;
            driver::run_passes(&mut module, &mut target, stage, args.compile.verify)?;
        }
        Target::Ptx => {
            let options = args.compile.ptx_options(args.arch, &args.reduction)?;
            let warnings = args.compile.warning_options();
            let messages = Messages { format: args.compile.diagnostics.into(), warnings: &warnings };
            driver::lower_for_ptx(&mut module, &options, stage, args.compile.verify, messages)?;
        }
    }
    let options = text::PrintOptions { positions: args.positions };
    match &args.function {
        None => super::print(&text::print_with(&module, options))?,
        Some(name) => {
            let found = module.functions.iter().find(|(_, function)| *function.name == **name);
            let Some((func, _)) = found else {
                return Err(Failure::Other(format!("the program has no function `{name}` at this stage")));
            };
            super::print(&text::print_function(&module, func, options))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

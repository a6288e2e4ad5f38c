//! `accrue ir`: the IR after a stage.

use crate::args::{IrArgs, Target};
use accrue::driver::{self, Failure};
use accrue_ir::passes::{PASSES, Stage};
use accrue_ir::text;
use std::process::ExitCode;

/// Runs the command.
pub fn run(args: &IrArgs) -> Result<ExitCode, Failure> {
    if args.stage.as_deref() == Some("list") {
        return super::print(&list(args.code.target)).map(|()| ExitCode::SUCCESS);
    }
    let unknown = |name| Failure::Usage(format!("unknown stage `{name}`; --stage list names them"));
    let mut module;
    match args.code.target {
        Target::Host => {
            let stage = args.stage.as_deref();
            let stage = stage.map(|name| Stage::by_name(name).ok_or_else(|| unknown(name))).transpose()?;
            module = args.compile.compile()?;
            let mut target = args.compile.host_target(args.gangs)?;
            driver::lower_for_host(
                &mut module,
                &mut target,
                stage,
                args.compile.verify,
                &args.compile.messages(),
            )?;
        }
        Target::Ptx => {
            let stage = args.stage.as_deref();
            let find = |name| accrue_ptx_emit::Stage::by_name(name).ok_or_else(|| unknown(name));
            let stage = stage.map(find).transpose()?;
            let options = args.compile.ptx_options(args.code.arch, &args.code.reduction)?;
            let (verify, messages) = (args.compile.verify, &args.compile.messages());
            module = args.compile.compile()?;
            if stage.is_some_and(accrue_ptx_emit::Stage::is_before_link) {
                driver::lower_for_ptx(&mut module, &options, stage, verify, messages)?;
            } else {
                (module, _) = driver::device_module(module, &options, stage, verify, messages)?;
            }
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

/// The stages of a target, a line each.
fn list(target: Target) -> String {
    let line = |name: &str, about: &str| format!("{name:16}{about}\n");
    let mut text: String = PASSES.iter().map(|pass| line(pass.name, pass.about)).collect();
    match target {
        Target::Host => {}
        Target::Ptx => {
            text.extend(accrue_ptx_emit::passes().map(|(name, about)| line(name, about)));
        }
    }
    text
}

//! `accrue ir`: the IR after a stage.

use crate::args::{IrArgs, Target, in_turn};
use crate::start::Status;
use accrue::driver::{self, Failure};
use accrue_host_jit::Gangs;
use accrue_ir::Module;
use accrue_ir::passes::{Pipeline, Section};
use accrue_ir::report::Report;
use accrue_ir::text::{self, Origin, PrintOptions};
use accrue_ir::verify::Verified;

/// Runs the command.
pub fn run(args: &IrArgs) -> Result<Status, Failure> {
    let compile = &args.compile;
    let text = match args.code.target {
        Target::Host | Target::Multicore => {
            let ordered = args.code.reduction.deterministic;
            let at_once = args.code.target == Target::Multicore;
            let gangs = if at_once { Gangs::AtOnce { ordered } } else { in_turn(args.gangs) };
            let target = compile.host_target(gangs)?;
            of_target(args, target, |module, target, section| {
                driver::lower_for_host(module, target, section, compile.verify, &compile.messages())
            })
        }
        Target::Ptx => {
            let target = driver::gpu(&compile.ptx_options(args.code.arch, &args.code.reduction)?);
            of_target(args, target, |module, target, section| {
                driver::lower_for_ptx(module, target, section, compile.verify, &compile.messages())
            })
        }
    }?;
    super::print(&text)?;
    Ok(Status::SUCCESS)
}

/// What is printed of a target's work.
fn of_target<T: Pipeline>(
    args: &IrArgs,
    mut target: T,
    lower: impl FnOnce(Verified, &mut T, Section) -> Result<(Verified, Report), Failure>,
) -> Result<String, Failure> {
    if args.stage.as_deref() == Some("list") {
        return Ok(list(&target));
    }
    if args.compile.files.is_empty() {
        return Err(Failure::Usage("no file: only `--stage list` goes without".to_owned()));
    }
    let section = args.resume.section(&target, args.stage.as_deref())?;
    let module = args.compile.program(&args.resume, &target, args.code.target.frontend())?;
    let (module, _) = lower(module, &mut target, section)?;
    let options = PrintOptions { positions: !args.no_positions };
    match &args.function {
        Some(name) => {
            let found = module.functions.iter().find(|(_, function)| *function.name == **name);
            let missing = || Failure::Other(format!("the program has no function `{name}` at this stage"));
            found.map(|(func, _)| text::print_function(&module, func, options)).ok_or_else(missing)
        }
        None if args.no_positions => Ok(text::print_with(&module, options)),
        None => Ok(dump(&module, &target, args.stage.as_deref())),
    }
}

/// A text from which work can go on. As the front end leaves it, a module is no target's yet.
fn dump<T: Pipeline>(module: &Module, target: &T, stage: Option<&str>) -> String {
    let passes: Vec<&str> = target.passes().map(|pass| pass.name).collect();
    match stage.or(passes.last().copied()) {
        Some(stage) if passes.first() != Some(&stage) => {
            let origin = Origin { stage: stage.to_owned(), target: target.name().to_owned() };
            text::print_dump(module, &origin)
        }
        _ => text::print(module),
    }
}

/// The stages of a target, a line each.
fn list<T: Pipeline>(target: &T) -> String {
    target.passes().map(|pass| format!("{:16}{}\n", pass.name, pass.about)).collect()
}

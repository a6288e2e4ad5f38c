//! `accrue clif`: the Cranelift IR of the host code.

use crate::args::{ClifArgs, Target, in_turn};
use crate::start::Status;
use accrue::driver::{self, Failure};

/// Runs the command.
pub fn run(args: &ClifArgs) -> Result<Status, Failure> {
    let mut target = args.compile.host_target(in_turn(args.gangs))?;
    let section = args.resume.section(&target, None)?;
    let module = args.compile.program(&args.resume, &target, Target::Host.frontend())?;
    let (module, _) =
        driver::lower_for_host(module, &mut target, section, args.compile.verify, &args.compile.messages())?;
    if let Some(name) = &args.function
        && !module.functions.values().any(|function| *function.name == **name && function.body.is_some())
    {
        return Err(Failure::Other(format!("the program defines no function `{name}`")));
    }
    super::print(&accrue_host_jit::clif(&module, args.function.as_deref()))?;
    Ok(Status::SUCCESS)
}

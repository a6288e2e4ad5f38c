//! Modules of which it is known that they keep the rules of the IR.

use super::{VerifyErrors, verify};
use crate::module::Module;
use std::ops::Deref;

/// A module that keeps the rules of [`verify`]. Passes and back ends take it: on any other module they may
/// panic.
///
/// A module becomes one by being verified ([`Verified::check`]), which is done with text that somebody wrote,
/// or because of what made it ([`Verified::made`]): the front end's lowering, the linker, and passes are
/// tested with the verifier behind them, and a second look at every function would cost the start of a
/// program a tenth of the time that the front end takes. [`crate::passes::run`] hands it on from pass to
/// pass; `--verify` looks at it again after each.
#[derive(Clone, PartialEq, Debug)]
pub struct Verified(Module);

/// A module that breaks rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Rejected {
    /// The module.
    pub module: Module,
    /// The rules that it breaks.
    pub errors: VerifyErrors,
}

impl Verified {
    /// Verifies a module, as it is after a stage of this name.
    pub fn check(module: Module, stage: &str) -> Result<Verified, Box<Rejected>> {
        match verify(&module, stage) {
            Ok(()) => Ok(Verified(module)),
            Err(errors) => Err(Box::new(Rejected { module, errors })),
        }
    }

    /// A module from code that keeps the rules. Debug builds verify it, and panic if that code does not keep
    /// them.
    pub fn made(module: Module, stage: &str) -> Verified {
        if cfg!(debug_assertions)
            && let Err(errors) = verify(&module, stage)
        {
            panic!("compiler bug: {errors}");
        }
        Verified(module)
    }

    /// What a pass left: the runner verifies it if it is asked to.
    pub(crate) fn left_by_pass(module: Module) -> Verified {
        Verified(module)
    }

    /// The module, to be changed.
    pub fn into_module(self) -> Module {
        self.0
    }
}

impl Deref for Verified {
    type Target = Module;

    fn deref(&self) -> &Module {
        &self.0
    }
}

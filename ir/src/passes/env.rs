//! What a pass is given: the target, the report, and the bodies one by one.

use crate::entities::Func;
use crate::function::Body;
use crate::module::Module;
use crate::op::Pos;
use crate::report::{Fault, PassError, Report};
use crate::target::{Context, Target};
use std::fmt;
use std::sync::Arc;

/// What the passes of a target share. Those of this crate see `dyn Target`, a target's own see the target
/// itself.
pub struct Env<'a, T: ?Sized = dyn Target + 'a> {
    /// The target.
    pub target: &'a mut T,
    /// What to tell the user.
    pub report: &'a mut Report,
    /// Whether the user wants to know what costs time to say.
    pub explains: bool,
    /// Whether the IR is verified after each pass.
    pub verifies: bool,
}

impl<T: Target> Env<'_, T> {
    /// The same for a pass that any target may have in its list.
    pub(super) fn for_any_target(&mut self) -> Env<'_> {
        let Env { ref mut target, ref mut report, explains, verifies } = *self;
        Env { target: *target, report, explains, verifies }
    }
}

impl<T: Target + ?Sized> fmt::Debug for Env<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Env").field("target", &self.target.name()).field("report", &self.report).finish()
    }
}

/// A function whose body is taken out of the module while a pass rewrites it.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    /// Everything else.
    pub(crate) module: &'a mut Module,
    /// The function.
    pub(crate) func: Func,
    /// Its body.
    pub(crate) body: &'a mut Body,
}

impl Work<'_> {
    pub(crate) fn name(&self) -> Arc<str> {
        self.module.functions[self.func].name.clone()
    }

    /// Looks at the module with this body in it.
    pub(crate) fn whole<T>(&mut self, look: impl FnOnce(&Module) -> T) -> T {
        self.module.functions[self.func].body = Some(Box::new(std::mem::take(self.body)));
        let seen = look(self.module);
        if let Some(body) = self.module.functions[self.func].body.take() {
            *self.body = *body;
        }
        seen
    }

    pub(crate) fn error(&self, fault: Fault, pos: Pos, message: impl Into<String>) -> PassError {
        PassError { pass: "", fault, function: self.name(), pos, message: message.into() }
    }

    pub(crate) fn defect(&self, pos: Pos, message: impl Into<String>) -> PassError {
        self.error(Fault::Defect, pos, message)
    }
}

pub(crate) fn context(module: &Module, func: Func) -> Context<'_> {
    Context::of(func, &module.functions[func])
}

/// Rewrites every body that is in the module when the pass begins.
pub(crate) fn each_body(
    module: &mut Module,
    mut rewrite: impl FnMut(Work<'_>) -> Result<(), PassError>,
) -> Result<(), PassError> {
    let functions: Vec<Func> = module.functions.keys().collect();
    for func in functions {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let result = rewrite(Work { module, func, body: &mut body });
        module.functions[func].body = Some(body);
        result?;
    }
    Ok(())
}

/// The bodies of what threads of a device execute: regions and routines.
pub(crate) fn device_bodies(module: &mut Module) -> impl Iterator<Item = &mut Body> {
    let functions = module.functions.values_mut().filter(|function| function.is_device_code());
    functions.filter_map(|function| function.body.as_deref_mut())
}

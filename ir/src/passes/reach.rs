//! Leaves out what the target does not run: a device executes regions and what they reach.
//!
//! Before: every function of the program that has code has its body. After: regions, `acc routine` functions
//! and what these name, directly or through initial values, have theirs. A program without regions is left
//! alone: it is a library for one, or there is nothing to save. The host runs all of a program, and does not
//! have this pass.

use super::env::Env;
use crate::entities::{Func, Global};
use crate::function::{Function, FunctionKind};
use crate::module::{Init, Module};
use crate::op::{Callee, Op, Operand};
use crate::report::{Decision, PassError, topics};
use crate::visit::Part;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Runs the pass.
pub fn run(module: &mut Module, _: &mut Env<'_>) -> Result<(), PassError> {
    keep_reached(module);
    Ok(())
}

/// Notes the functions that are routines because code of the device calls them, with the first such call: a
/// pass of its own, as some calls are gone before the others are followed.
pub fn explain_routines(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let of_device = of_device(module);
    let mut told = SecondaryMap::with_default(false);
    for (func, caller) in &module.functions {
        let Some(body) = caller.body.as_ref().filter(|_| of_device[func]) else { continue };
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            let Op::Call { callee: Callee::Direct(func), .. } = inst.op else { continue };
            let called = &module.functions[func];
            if called.routine.is_some() || called.body.is_none() || std::mem::replace(&mut told[func], true) {
                continue;
            }
            let line = inst.pos.line;
            let place = match caller.kind.launched() {
                Some(region) => format!("the `{}` construct in `{}`", region.construct.name(), region.parent),
                None => format!("`{}`", caller.name),
            };
            let text = format!(
                "implicit `routine seq`: {place} calls `{}` at line {line}, and no `routine` directive stands before it",
                called.name
            );
            let (pos, function) = (called.pos, called.name.clone());
            env.report.decisions.push(Decision { pos, function, topic: topics::ROUTINE, text });
        }
    }
    Ok(())
}

fn keep_reached(module: &mut Module) {
    let is_region = |function: &Function| matches!(function.kind, FunctionKind::Region(_));
    if !module.functions.values().any(is_region) {
        return;
    }
    let reached = of_device(module);
    for (func, function) in module.functions.iter_mut() {
        if !reached[func] {
            function.body = None;
            // What launches a team or a task is code of the host, which goes, too.
            function.kind = FunctionKind::Normal;
        }
    }
}

/// The functions that a device may execute: regions, routines, and what they reach.
pub(super) fn of_device(module: &Module) -> SecondaryMap<Func, bool> {
    reached_from(module, Function::is_device_code)
}

/// Some functions, and what they reach.
pub(super) fn reached_from(module: &Module, is_root: impl Fn(&Function) -> bool) -> SecondaryMap<Func, bool> {
    let mut walk = Walk::new(module);
    let roots = module.functions.iter().filter(|(_, function)| is_root(function));
    roots.for_each(|(func, _)| walk.function(func));
    walk.run();
    walk.functions
}

/// What functions reach.
pub(super) struct Walk<'a> {
    module: &'a Module,
    pub(super) functions: SecondaryMap<Func, bool>,
    globals: SecondaryMap<Global, bool>,
    work: Vec<Func>,
    /// A launch leads to its region.
    pub(super) enters_regions: bool,
    /// Functions by every name that another can refer to.
    by_name: FxHashMap<&'a str, Func>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(module: &'a Module) -> Walk<'a> {
        let mut by_name = FxHashMap::default();
        let refers = |function: &Function| {
            function.alias.is_some()
                || function.routine.as_ref().is_some_and(|routine| routine.bind.is_some())
        };
        if module.functions.values().any(refers) {
            for (func, function) in module.functions.iter().filter(|(_, function)| function.body.is_some()) {
                by_name.entry(&*function.name).or_insert(func);
                if let Some(name) = &function.link_name {
                    by_name.entry(name).or_insert(func);
                }
            }
        }
        let (functions, globals) = (SecondaryMap::new(), SecondaryMap::new());
        Walk { module, functions, globals, work: Vec::new(), enters_regions: true, by_name }
    }

    pub(super) fn function(&mut self, func: Func) {
        let is_region = || matches!(self.module.functions[func].kind, FunctionKind::Region(_));
        if !self.functions[func] && (self.enters_regions || !is_region()) {
            self.functions[func] = true;
            self.work.push(func);
        }
    }

    pub(super) fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Func(func) => self.function(func),
            Operand::Global(global) => self.global(global),
            Operand::Local(_) | Operand::Slot(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }

    fn global(&mut self, global: Global) {
        let module = self.module;
        let mut stack = vec![global];
        while let Some(global) = stack.pop() {
            if std::mem::replace(&mut self.globals[global], true) {
                continue;
            }
            let Init::Bytes(_, relocations) = &module.globals[global].init else { continue };
            for relocation in relocations {
                match relocation.target {
                    Operand::Global(inner) => stack.push(inner),
                    target => self.operand(target),
                }
            }
        }
    }

    pub(super) fn run(&mut self) {
        let module = self.module;
        while let Some(func) = self.work.pop() {
            let function = &module.functions[func];
            let bound = function.routine.as_ref().and_then(|routine| routine.bind.as_deref());
            for name in [bound, function.alias.as_deref()].into_iter().flatten() {
                if let Some(&target) = self.by_name.get(name) {
                    self.function(target);
                }
            }
            let Some(body) = &function.body else { continue };
            let mut visit = |part: Part<'_>| match part {
                Part::Func(func) => self.function(*func),
                part => part.operand().into_iter().for_each(|operand| self.operand(operand)),
            };
            for &block in &body.order {
                let data = &body.blocks[block];
                data.insts.iter().for_each(|inst| inst.op.parts(&mut visit));
                data.term.parts(&mut visit);
            }
            body.annotations(visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    const PROGRAM: &str = "\
signature sig0 ()
global g0.table internal size 8 align 8 bytes \"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\" relocate(0 fn4 + 0)
function fn0.main sig0 external { bb0: call fn1.host() sig0 return }
function fn1.host sig0 internal { bb0: return }
function fn2.main.region0 sig0 internal region parallel of \"main\" dims(0, 0, 0, 0, 0) {
} {
  locals v0: ptr
bb0:
  call fn3.called() sig0
  v0 = load [g0.table]
  return
}
function fn3.called sig0 internal { bb0: return }
function fn4.named sig0 internal { bb0: return }
function fn5.routine sig0 internal routine(seq) { bb0: return }
";

    fn with_bodies(module: &Module) -> Vec<&str> {
        let kept = module.functions.values().filter(|function| function.body.is_some());
        kept.map(|function| &*function.name).collect()
    }

    #[test]
    fn what_regions_and_routines_name_stays() {
        let mut module = text::parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        keep_reached(&mut module);
        assert_eq!(with_bodies(&module), ["main.region0", "called", "named", "routine"]);
    }

    #[test]
    fn a_library_stays_whole() {
        let from = PROGRAM.find("function fn2").unwrap_or_default();
        let to = PROGRAM.find("function fn3").unwrap_or_default();
        let text = PROGRAM[..from].to_owned()
            + "function fn2.other sig0 internal { bb0: return }\n"
            + &PROGRAM[to..];
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        keep_reached(&mut module);
        assert_eq!(with_bodies(&module).len(), 6);
    }
}

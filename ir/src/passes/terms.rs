//! Counts the terms of reductions, where results are checked.
//!
//! Sums and products of floating-point numbers depend on the order of their terms, the more of them the more.
//! After: a region or routine calls [`TERMS`] behind each outermost loop that has such a clause, and before
//! it returns if its construct has one, with the number of iterations that the loops there took. An iteration
//! adds a term or a few; a loop inside of another counts both. Other targets, and programs that nobody
//! checks, stay as they are.

use super::env::{Env, Work, each_body};
use crate::acc::ReductionClause;
use crate::analysis::loops::Nest;
use crate::builder::Cursor;
use crate::edit::induction::trip_count;
use crate::entities::{Func, Local, Loop, Sig};
use crate::function::{Body, Function, LoopData};
use crate::module::Module;
use crate::op::{Callee, Operand, Pos, Terminator};
use crate::report::PassError;
use crate::types::{Extend, PassBy, Signature, Type};
use std::sync::Arc;

/// The function that is told: `extern "C" fn(terms: i64)`.
pub const TERMS: &str = "__accrue_terms";

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    let mut report = None;
    each_body(module, |work| {
        let function = &work.module.functions[work.func];
        if function.is_device_code() {
            count(work, &mut report);
        }
        Ok(())
    })
}

/// Whether the order of the terms matters.
fn is_rounded(clause: &ReductionClause) -> bool {
    clause.parts.iter().any(|part| clause.op.depends_on_order(part.ty.ty))
}

fn count(work: Work<'_>, report: &mut Option<(Func, Sig)>) {
    let Work { module, body, .. } = work;
    let whole = body.region_reductions.iter().any(is_rounded);
    let has_clause = |loop_: Loop| {
        let directive = body.loops[loop_].directive.as_ref();
        directive.is_some_and(|directive| directive.reductions.iter().any(is_rounded))
    };
    let is_outermost = |&loop_: &Loop| {
        body.blocks.is_valid(body.loops[loop_].header)
            && has_clause(loop_)
            && !body.loops_around(body.loops[loop_].parent).any(has_clause)
    };
    let scopes: Vec<Loop> = if whole { Vec::new() } else { body.loops.keys().filter(is_outermost).collect() };
    if !whole && scopes.is_empty() {
        return;
    }
    let &mut (func, sig) = report.get_or_insert_with(|| declare(module));
    let tell = |cursor: &mut Cursor<'_>, terms: Local| {
        cursor.call(Callee::Direct(func), sig, vec![Operand::Local(terms)], None);
    };
    let nest = Nest::new(body);
    for scope in scopes {
        let terms = body.local(Type::I64, Some(Arc::from("terms")));
        let LoopData { preheader, exit, pos, .. } = body.loops[scope];
        Cursor::with_pos(body, preheader, pos).assign(terms, Operand::Int(Type::I64, 0));
        for loop_ in [scope].into_iter().chain(nest.inside(scope)) {
            add_iterations(body, loop_, terms);
        }
        Cursor::at_start(body, exit, pos, |cursor| tell(cursor, terms));
    }
    if whole {
        let terms = body.local(Type::I64, Some(Arc::from("terms")));
        for loop_ in body.loops.keys().collect::<Vec<_>>() {
            if body.blocks.is_valid(body.loops[loop_].header) {
                add_iterations(body, loop_, terms);
            }
        }
        let (entry, pos) = (body.entry(), body.blocks[body.entry()].term_pos);
        Cursor::at_start(body, entry, pos, |cursor| cursor.assign(terms, Operand::Int(Type::I64, 0)));
        for block in body.order.clone() {
            if let Terminator::Return(_) = body.blocks[block].term {
                let pos = body.blocks[block].term_pos;
                tell(&mut Cursor::with_pos(body, block, pos), terms);
            }
        }
    }
}

fn declare(module: &mut Module) -> (Func, Sig) {
    let params = vec![PassBy::Scalar(Type::I64, Extend::None)];
    let sig = module.signatures.push(Signature { params, result: None, variadic: false });
    (module.functions.push(Function::declared(TERMS.into(), sig, Pos::none())), sig)
}

/// Adds what a loop iterates, each time that it is come to; where that is not known before, at the end of
/// each iteration.
fn add_iterations(body: &mut Body, loop_: Loop, terms: Local) {
    let LoopData { preheader, latch, pos, ref induction, .. } = body.loops[loop_];
    let induction = induction.clone();
    let block = if induction.is_some() { preheader } else { latch };
    let mut cursor = Cursor::with_pos(body, block, pos);
    let more = match &induction {
        Some(induction) => trip_count(&mut cursor, induction),
        None => Operand::Int(Type::I64, 1),
    };
    let sum = cursor.add(Operand::Local(terms), more);
    cursor.assign(terms, sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::Single;
    use crate::report::Report;
    use crate::text;

    const PROGRAM: &str = "\
signature sig0 (ptr)
function fn0.f.region0 sig0 internal region parallel of \"f\" dims(0, 0, 0, 0, 0) {
  param \"s\" address copy bytes 8
} {
  params v0
  locals v0: ptr
  locals v1.i, v2.k: i32
  locals v3: i1
  locals v4.s: f64
  loop loop0 preheader bb0 header bb1 body bb2 latch bb6 exit bb7 for v1.i = 0i32, lt 10i32, step 1i32 {
    directive levels(unassigned)
    reduction + \"s\" v4.s parts(0 f64)
  }
  loop loop1 in loop0 preheader bb2 header bb3 body bb4 latch bb5 exit bb6 for v2.k = 0i32, lt 5i32, step 1i32
bb0:
  v1.i = copy 0i32
  jump bb1
bb1 loop0:
  v3 = cmp.lt v1.i, 10i32
  branch v3, bb2, bb7
bb2 loop0:
  v2.k = copy 0i32
  jump bb3
bb3 loop1:
  v3 = cmp.lt v2.k, 5i32
  branch v3, bb4, bb6
bb4 loop1:
  v4.s = add v4.s, 1.0f64
  jump bb5
bb5 loop1:
  v2.k = add v2.k, 1i32
  jump bb3
bb6 loop0:
  v1.i = add v1.i, 1i32
  jump bb1
bb7:
  return
}
";

    fn counted(program: &str) -> String {
        let mut module = text::parse(program).unwrap_or_else(|error| panic!("{error}"));
        let (mut target, mut report) = (Single::default(), Report::default());
        let mut env = Env { target: &mut target as _, report: &mut report, explains: false, verifies: true };
        run(&mut module, &mut env).unwrap_or_else(|error| panic!("{error}"));
        text::print(&module)
    }

    #[test]
    fn a_reduction_tells_the_iterations_of_its_loops() {
        let text = counted(PROGRAM);
        assert!(text.contains("call fn1.__accrue_terms(v5.terms)"), "{text}");
        assert_eq!(text.matches("v5.terms = copy").count(), 3, "{text}");
    }

    #[test]
    fn exact_reductions_are_left_alone() {
        for exact in [
            PROGRAM.replace("reduction +", "reduction max"),
            PROGRAM
                .replace("v4.s: f64", "v4.s: i64")
                .replace("parts(0 f64)", "parts(0 i64 signed)")
                .replace("1.0f64", "1i64"),
        ] {
            assert!(!counted(&exact).contains("__accrue_terms"));
        }
    }
}

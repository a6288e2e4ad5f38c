//! Lets code tell the runtime of loops, of iterations and of accesses to memory, where loops are judged by
//! what they carry in a run.
//!
//! Before: directives say which loops are parallel, and private variables are slots declared in their loops.
//! After: every access calls [`ACCESS`] first. Around *traced* loops, those called parallel or all of regions
//! and routines, stand calls of [`ENTER`], [`ITERATE`] and [`LEAVE`]. What an iteration has for itself, slots
//! declared in the loop for instance, begins to exist by [`FRESH`], and what a loop reduces is exempt by
//! [`SPARE`]. A constant global names loops and accesses: [`table`].
//!
//! The runtime knows memory only. A local that a traced loop writes and reads in a later iteration gets a
//! slot that stands in for it: reads and writes of the local are told as accesses of that slot, and nothing
//! else is done with it.
//!
//! Loops are told of by the number of traced loops around them, counted from the first one of the thread:
//! [`MARK`] gives the number when a function begins. So a loop that control leaves by a `longjmp` ends with
//! the next loop that is told of at the latest.
//!
//! Where tasks are judged, no loop is traced. Accesses and objects are told of by names of their own, and
//! each function that begins tells of the table first: a task may begin with any. An object that each thread
//! has for itself is no object of tasks.

mod accesses;
mod calls;
mod loops;
mod names;
mod scalars;
mod sums;
mod table;

pub use calls::{
    ACCESS, ENTER, FREED, FRESH, ITERATE, LEAVE, MARK, SPARE, Spare, TASK_ACCESS, TASK_FREED, TASK_FRESH,
    TASK_TABLE,
};
pub use loops::Traced;

use super::env::{Env, each_body};
use crate::module::Module;
use crate::report::PassError;
use calls::Calls;
use table::Table;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>, traced: Traced) -> Result<(), PassError> {
    let names = module.globals.push(table::empty_global());
    let calls = Calls::new(module, names, traced);
    let mut table = Table::new(module);
    each_body(module, |work| {
        let function = loops::Loops::of(&work, traced, &mut table);
        let stand_ins = scalars::stand_ins(work.body, &function);
        accesses::tell(work.module, work.body, &calls, &mut table, &stand_ins);
        loops::tell(work.module, work.func, work.body, &calls, &function, &stand_ins);
        Ok(())
    })?;
    module.globals[names] = table.global();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Init;
    use crate::passes::testing::Single;
    use crate::report::Report;
    use crate::text;
    use crate::verify::verify;

    const PROGRAM: &str = "\
signature sig0 (ptr)
function fn0.f.region0 sig0 internal region parallel of \"f\" dims(0, 0, 0, 0, 0) {
  param \"a\" address copy bytes 80
} {
  params v0.a
  locals v0.a: ptr
  locals v1.i: i32
  locals v2: i1
  locals v3: i64
  locals v4: ptr
  locals v5.s, v6: f64
  slot s0.w size 32 align 8 in loop0
  loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4 for v1.i = 0i32, lt 10i32, step 1i32 {
    directive levels(unassigned)
  }
bb0:
  v1.i = copy 0i32
  v5.s = copy 0.0f64
  jump bb1
bb1 loop0:
  v2 = cmp.lt v1.i, 10i32
  branch v2, bb2, bb4
bb2 loop0:
  v3 = convert.sext v1.i
  v4 = index v0.a + v3 * 8
  v6 = load [v4]
  v5.s = add v5.s, v6
  store.f64 [v4 + 8], v5.s
  store.f64 [s0.w + 16], v5.s
  jump bb3
bb3 loop0:
  v1.i = add v1.i, 1i32
  jump bb1
bb4:
  return
}
";

    fn traced(program: &str, traced: Traced) -> (Module, String) {
        let mut module = text::parse(program).unwrap_or_else(|error| panic!("{error}"));
        let (mut target, mut report) = (Single::default(), Report::default());
        let mut env = Env { target: &mut target as _, report: &mut report, explains: false, verifies: true };
        run(&mut module, &mut env, traced).unwrap_or_else(|error| panic!("{error}"));
        verify(&module, "trace").unwrap_or_else(|errors| panic!("{errors}"));
        let text = text::print(&module);
        (module, text)
    }

    fn table(module: &Module) -> String {
        let global = module.globals.values().next().expect("the table");
        let Init::Bytes(bytes, _) = &global.init else { panic!("{global:?}") };
        String::from_utf8_lossy(bytes).into_owned()
    }

    #[test]
    fn a_parallel_loop_tells_of_itself_and_of_accesses() {
        let (module, text) = traced(PROGRAM, Traced::Parallel);
        let calls = |name: &str| text.matches(&format!(".{name}(")).count();
        assert_eq!([MARK, ENTER, ITERATE, LEAVE].map(calls), [1; 4], "{text}");
        // The slot of the loop in each iteration, and the one that stands in for the local at the start.
        assert_eq!((calls(FRESH), calls(SPARE)), (2, 0), "{text}");
        let table = table(&module);
        let entries: Vec<&str> = table.lines().collect();
        let expected = [
            "file <unknown>",
            "loop 0 0 0 parallel counted f",
            "at 0 0 0 set . s",
            "at 0 0 0 read . a",
            "at 0 0 0 use + s",
            "at 0 0 0 set + s",
            "at 0 0 0 use . s",
            "at 0 0 0 write . a",
            "at 0 0 0 use . s",
            "at 0 0 0 write . w",
            "\0",
        ];
        let mut sorted = entries.clone();
        sorted.sort_unstable();
        let mut wanted = expected.to_vec();
        wanted.sort_unstable();
        assert_eq!(sorted, wanted, "{table}");
        assert_eq!(calls(ACCESS), 8, "{text}");
    }

    #[test]
    fn sequential_loops_of_regions_are_traced_on_demand() {
        let sequential = PROGRAM.replace(" {\n    directive levels(unassigned)\n  }", "");
        let (module, text) = traced(&sequential, Traced::Parallel);
        assert!(!text.contains(&format!(".{ENTER}(")) && !table(&module).contains("loop "), "{text}");
        let (module, text) = traced(&sequential, Traced::All);
        assert!(text.contains(&format!(".{ENTER}(")), "{text}");
        assert!(table(&module).contains("loop 0 0 0 sequential counted f\n"));
    }
}

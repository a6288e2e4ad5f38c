//! Loads in front of a loop what each of its iterations would load again.
//!
//! Before: any code; loops have their test in the header. After: a load at an address that the loop does not
//! change, from memory that nothing in it may write, stands in front of the loop, with the arithmetic that it
//! needs. A loop without an iteration must not load, so the test of the first iteration stands in front of
//! the loads:
//!
//! ```text
//!     before:  i < n?  yes: x = load p; loop      no: exit
//!     loop:    i < n?  yes: ... x ...; i += 1     no: exit
//! ```
//!
//! On the host so do integer divisions, which trap on zero; a GPU's own pass moves them, since nothing traps
//! there.
//!
//! What the test itself loads, as in `k < end[i]`, is loaded even if there is no iteration.
//!
//! Only what the first iteration executes in any case is moved. `ptxas` does this for arithmetic, and for
//! no load.
//!
//! What the loop stores there, too, a local has ([`keep`]). Calls that give the address of the same variable
//! of the thread each time stand in front of loops as well ([`places`]).

mod keep;
mod places;

use super::addresses::{unite, unite_before};
use super::env::Env;
use crate::analysis::cfg::Cfg;
use crate::analysis::loops::Nest;
use crate::analysis::roots::Roots;
use crate::analysis::written::{IsQuiet, Place, Written};
use crate::edit::split::block_like;
use crate::entities::{Block, Func, Local, Loop};
use crate::function::{Body, Function, LoopData};
use crate::module::Module;
use crate::op::{Class, Inst, Op, Operand, Terminator};
use crate::report::PassError;
use crate::types::Type;
use cranelift_entity::{EntitySet, SecondaryMap};

/// Most instructions that are moved in front of a loop, and loads among them: each takes a register.
const MOST: usize = 24;
const MOST_LOADS: usize = 8;

/// Headers up to this many instructions are copied.
const MOST_OF_HEADER: usize = 4;

/// What is known of the memory of a function.
type Memory<'a> = (&'a Roots, IsQuiet<'a>);

/// What may be moved behind a test only.
#[derive(Clone, Copy, PartialEq)]
enum Guarded {
    Loads,
    LoadsAndDivisions,
}

/// Runs the pass on a function, whose calls may write everything, for a processor whose divisions trap.
pub fn run(module: &Module, func: Func, body: &mut Body) {
    places::ask_ahead(module, body);
    load_ahead(&module.functions[func], body, &|_| false, Guarded::LoadsAndDivisions);
}

/// Runs the pass on some functions of a device, where divisions do not trap.
pub fn run_on(module: &mut Module, functions: impl Iterator<Item = Func>, is_quiet: IsQuiet<'_>) {
    for func in functions {
        let function = &mut module.functions[func];
        let Some(mut body) = function.body.take() else { continue };
        load_ahead(function, &mut body, is_quiet, Guarded::Loads);
        function.body = Some(body);
    }
}

/// Runs the step that goes before nests are merged, whose iterations a thread executes together where they
/// are alike: what an inner loop of one thread updates again and again, and code right in front of it has
/// stored, a local has:
///
/// ```text
///     before:  c[i][j] = 0;  for k: c[i][j] += a[i][k] * b[k][j]
///     after:   c[i][j] = 0;  s = c[i][j];  for k: s += a[i][k] * b[k][j];  c[i][j] = s
/// ```
///
/// As that memory is the iteration's to write, no test is needed, and none is in the way of other passes.
pub fn hold(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    for function in module.functions.values_mut().filter(|function| function.is_device_code()) {
        let Some(mut body) = function.body.take() else { continue };
        hold_in(function, &mut body);
        function.body = Some(body);
    }
    Ok(())
}

fn hold_in(function: &Function, body: &mut Body) {
    let (mut nest, mut cfg) = (Nest::new(body), Cfg::new(body));
    let is_open = |body: &Body, loop_: Loop| {
        let stores =
            |block: &Block| body.blocks[*block].insts.iter().any(|inst| matches!(inst.op, Op::Store { .. }));
        let data = &body.loops[loop_];
        data.parent.is_some()
            && !data.is_partitioned()
            && nest.blocks(loop_).iter().any(stores)
            && !keep::stored_before(body, &cfg, data.preheader).is_empty()
    };
    let open: Vec<Loop> = body.loop_tree().into_iter().filter(|&loop_| is_open(body, loop_)).collect();
    if open.is_empty() {
        return;
    }
    unite(body, &cfg);
    let roots = Roots::new(function, body);
    for loop_ in open.into_iter().rev() {
        let plan = keep::Plan::of(body, (&roots, &|_| false), loop_, (&nest, &cfg));
        if let Some(plan) = plan.and_then(|plan| plan.of_stored(body, &cfg)) {
            plan.run(body);
            (nest, cfg) = (Nest::new(body), Cfg::new(body));
        }
    }
}

fn load_ahead(function: &Function, body: &mut Body, is_quiet: IsQuiet<'_>, guarded: Guarded) {
    let live = body.live_entities().loops;
    let loops: Vec<Loop> = body.loop_tree().into_iter().filter(|&loop_| live.contains(loop_)).collect();
    if loops.is_empty() {
        return;
    }
    let roots = Roots::new(function, body);
    let memory: Memory<'_> = (&roots, is_quiet);
    let (mut nest, cfg) = (Nest::new(body), Cfg::new(body));
    let definitions = body.definitions();
    // From the inside out.
    for loop_ in loops.into_iter().rev() {
        load_of_test_ahead(body, memory, &definitions, (loop_, &nest.blocks(loop_)));
        let of_loop = always(body, &body.loops[loop_], &cfg);
        let plan = Plan::of(body, memory, &definitions, (loop_, guarded), [&nest.blocks(loop_), &of_loop]);
        let is_guarded = plan.is_some_and(|plan| plan.run(body));
        if is_guarded {
            nest = Nest::new(body);
        }
        unite_before(body, body.loops[loop_].preheader, &nest.blocks(loop_));
        if let Some(plan) = keep::Plan::of(body, memory, loop_, (&nest, &cfg)) {
            if !is_guarded {
                guard(body, loop_);
            }
            plan.run(body);
            nest = Nest::new(body);
        }
    }
}

/// Moves what the header of a loop loads, and each time alike, in front of the loop.
fn load_of_test_ahead(
    body: &mut Body,
    memory: Memory<'_>,
    definitions: &SecondaryMap<Local, u32>,
    (loop_, blocks): (Loop, &[Block]),
) {
    let LoopData { preheader, header, .. } = body.loops[loop_];
    let loads = |inst: &Inst| matches!(inst.op, Op::Load { .. });
    if body.blocks[preheader].term != Terminator::Jump(header) || !body.blocks[header].insts.iter().any(loads)
    {
        return;
    }
    let mut changes = Changes::of(body, memory, blocks);
    let (mut moved, mut left) = (Vec::new(), Vec::new());
    for inst in std::mem::take(&mut body.blocks[header].insts) {
        if changes.keep(body, memory.0, definitions, (&inst, Guarded::Loads)) {
            inst.op.defs(|local| _ = changes.locals.remove(local));
            moved.push(inst);
        } else {
            left.push(inst);
        }
    }
    body.blocks[header].insts = left;
    body.blocks[preheader].insts.append(&mut moved);
}

/// What a loop changes.
struct Changes {
    written: Written,
    locals: EntitySet<Local>,
}

impl Changes {
    fn of(body: &Body, memory: Memory<'_>, blocks: &[Block]) -> Changes {
        let mut changes =
            Changes { written: Written::default(), locals: EntitySet::with_capacity(body.locals.len()) };
        for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
            changes.written.op(body, memory, &inst.op);
            inst.op.defs(|local| _ = changes.locals.insert(local));
        }
        changes
    }

    /// Whether an operation of the loop gives the same in each iteration and nothing else does that, so that
    /// it may be executed once.
    fn keep(
        &self,
        body: &Body,
        roots: &Roots,
        definitions: &SecondaryMap<Local, u32>,
        (inst, guarded): (&Inst, Guarded),
    ) -> bool {
        let Some(dst) = inst.op.dst() else { return false };
        let mut keep = definitions[dst] == 1 && body.locals[dst].ty != Type::I1;
        inst.op.operands(|operand| {
            keep &= operand.as_local().is_none_or(|local| !self.locals.contains(local));
        });
        keep && match Place::of(body, &inst.op) {
            Some(place) => !self.written.may_be(roots, (roots.of(place.addr.base), place.kind)),
            None => {
                let may_trap = !inst.op.effects().pure;
                inst.op.class() == Class::Value && (!may_trap || guarded == Guarded::LoadsAndDivisions)
            }
        }
    }
}

/// What is moved in front of a loop: places in one chain of blocks.
struct Plan {
    loop_: Loop,
    moved: Vec<(Block, usize)>,
    /// Whether something among it must not be executed without an iteration.
    needs_guard: bool,
}

impl Plan {
    fn of(
        body: &Body,
        memory: Memory<'_>,
        definitions: &SecondaryMap<Local, u32>,
        (loop_, guarded): (Loop, Guarded),
        [blocks, always]: [&[Block]; 2],
    ) -> Option<Plan> {
        let data = &body.loops[loop_];
        if !has_plain_test(body, data) {
            return None;
        }
        let mut changes = Changes::of(body, memory, blocks);
        let mut plan = Plan { loop_, moved: Vec::new(), needs_guard: false };
        let mut loads = 0;
        'all: for &block in always {
            for (index, inst) in body.blocks[block].insts.iter().enumerate() {
                // What is behind a call, the call may keep from being executed.
                if inst.op.class() == Class::Call || plan.moved.len() == MOST {
                    break 'all;
                }
                let is_load = matches!(inst.op, Op::Load { .. });
                let keeps = changes.keep(body, memory.0, definitions, (inst, guarded));
                if !keeps || is_load && loads == MOST_LOADS {
                    continue;
                }
                loads += usize::from(is_load);
                plan.needs_guard |= is_load || !inst.op.effects().pure;
                inst.op.defs(|local| _ = changes.locals.remove(local));
                plan.moved.push((block, index));
            }
        }
        (!plan.moved.is_empty()).then_some(plan)
    }

    /// Says whether there is a new block.
    fn run(self, body: &mut Body) -> bool {
        let moved: Vec<Inst> =
            self.moved.iter().map(|&(block, index)| body.blocks[block].insts[index].clone()).collect();
        for &(block, index) in self.moved.iter().rev() {
            body.blocks[block].insts.remove(index);
        }
        let at = if self.needs_guard { guard(body, self.loop_) } else { body.loops[self.loop_].preheader };
        body.blocks[at].insts.extend(moved);
        self.needs_guard
    }
}

/// Puts the test of the first iteration in front of a loop, and a new preheader behind it.
pub(super) fn guard(body: &mut Body, loop_: Loop) -> Block {
    let LoopData { preheader, header, exit, body: first, pos, .. } = body.loops[loop_];
    let at = block_like(body, preheader, header, pos);
    body.blocks[at].term = Terminator::Jump(header);
    let test = body.blocks[header].insts.clone();
    let mut term = body.blocks[header].term.clone();
    term.map_successors(|to| if to == first { at } else { exit });
    let data = &mut body.blocks[preheader];
    data.insts.extend(test);
    data.term = term;
    body.loops[loop_].preheader = at;
    at
}

/// Whether the header only computes whether there is another iteration, in a few instructions without
/// memory, and would give the same again.
pub(super) fn has_plain_test(body: &Body, data: &LoopData) -> bool {
    let insts = &body.blocks[data.header].insts;
    insts.len() <= MOST_OF_HEADER && !insts.iter().any(|inst| inst.op.effects().reads) && has_test(body, data)
}

/// Whether the header only computes whether there is another iteration, and would give the same again as
/// long as nothing is written.
pub(super) fn has_test(body: &Body, data: &LoopData) -> bool {
    let header = &body.blocks[data.header];
    let Terminator::Branch { then, otherwise, .. } = header.term else { return false };
    let mut written = Vec::new();
    let mut is_plain = (then, otherwise) == (data.body, data.exit)
        && data.body != data.exit
        && body.blocks[data.preheader].term == Terminator::Jump(data.header);
    for inst in header.insts.iter().rev() {
        is_plain &= inst.op.effects().pure;
        inst.op.defs(|local| written.push(Operand::Local(local)));
        inst.op.operands(|operand| is_plain &= !written.contains(&operand));
    }
    is_plain
}

/// The blocks that every iteration executes first, one after the other. They end before an inner loop, so
/// that the graph may lack the blocks in front of inner loops.
pub(super) fn always(body: &Body, data: &LoopData, cfg: &Cfg) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut block = data.body;
    while block != data.header && cfg.predecessors(block).len() == 1 && !blocks.contains(&block) {
        blocks.push(block);
        let Terminator::Jump(next) = body.blocks[block].term else { break };
        block = next;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// A loop over `i` below `n` with `inside` in its body, after the pass: the text before the loop, and
    /// that of the loop.
    fn moved(inside: &str) -> (String, String) {
        moved_with(inside, Guarded::Loads)
    }

    fn moved_with(inside: &str, guarded: Guarded) -> (String, String) {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, ptr, i32)\nsignature sig1 (ptr)\n\
             function fn0.r sig0 internal\n  region parallel of \"main\" dims(0, 1, 1, 1, 32) {{\n    \
             param \"a\" pointer present\n    param \"b\" pointer present\n    param \"n\" value i32 bytes 4\n  }} {{\n  \
             params v0.a, v1.b, v2.n\n  locals v0.a, v1.b: ptr restrict\n  locals v2.n, v3.i, v4, v5, v6: i32\n  \
             locals v7: i1\n  locals v8, v9: ptr\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4\n\
             bb0:\n  v3.i = copy 0i32\n  jump bb1\nbb1 loop0:\n  v7 = cmp.lt v3.i, v2.n\n  branch v7, bb2, bb4\n\
             bb2 loop0:\n  {inside}\n  jump bb3\nbb3 loop0:\n  v3.i = add v3.i, 1i32\n  jump bb1\n\
             bb4:\n  return\n}}\n\
             function fn1.other sig1 internal {{ params v0 locals v0: ptr\nbb0: return }}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let functions: Vec<Func> = module.functions.keys().collect();
        for func in functions {
            let Some(mut body) = module.functions[func].body.take() else { continue };
            load_ahead(&module.functions[func], &mut body, &|_| false, guarded);
            module.functions[func].body = Some(body);
        }
        crate::verify::verify(&module, "ahead").unwrap_or_else(|errors| panic!("{errors}"));
        let text = print(&module);
        let (before, loop_) = text.split_once("bb1 loop0:").unwrap_or_else(|| panic!("{text}"));
        (before.to_owned(), loop_.to_owned())
    }

    const LOAD: &str = "v8 = index v0.a + v2.n * 4\n  v4 = load [v8]\n  store.i32 [v1.b], v4";

    #[test]
    fn a_load_stands_behind_a_test_in_front_of_the_loop() {
        let (before, inside) = moved(LOAD);
        assert!(!inside.contains("load") && !inside.contains("index"), "{inside}");
        assert!(
            before.contains("branch v7, bb5, bb4\nbb5:\n  v8 = index v0.a + v2.n * 4\n  v4 = load [v8]"),
            "{before}"
        );
    }

    #[test]
    fn what_the_loop_writes_or_may_not_come_to_is_loaded_there() {
        for (old, new) in [
            ("v1.b], v4", "v0.a], v4"),
            ("load [v8]", "load [v8] volatile"),
            ("+ v2.n", "+ v3.i"),
            ("v8 = index", "call fn1.other(v1.b) sig1\n  v8 = index"),
            ("v8 = index", "barrier worker\n  v8 = index"),
            ("v4 = load [v8]", "v4 = load [v8]\n  v4 = add v4, v3.i"),
            ("v8 = index", "v7 = cmp.lt v3.i, 5i32\n  branch v7, bb5, bb3\nbb5 loop0:\n  v8 = index"),
        ] {
            let (before, inside) = moved(&LOAD.replace(old, new));
            assert!(inside.contains("= load") && !before.contains("= load"), "{new}: {inside}");
        }
    }

    #[test]
    fn arithmetic_needs_no_test() {
        let (before, inside) = moved("v4 = mul v2.n, v2.n\n  v5 = add v4, v3.i\n  store.i32 [v1.b], v5");
        assert!(
            before.contains("v4 = mul v2.n, v2.n\n  jump bb1") && !inside.contains("mul"),
            "{before}{inside}"
        );
    }

    #[test]
    fn a_division_stands_behind_a_test_in_front_of_the_loop() {
        let division = "store.i32 [v1.b], v3.i\n  v4 = sdiv 100i32, v2.n\n  v5 = add v4, v3.i";
        let (before, inside) = moved_with(division, Guarded::LoadsAndDivisions);
        assert!(before.contains("branch v7, bb5, bb4\nbb5:\n  v4 = sdiv 100i32, v2.n"), "{before}");
        assert!(!inside.contains("sdiv"), "{inside}");
        for (guarded, inside) in [
            (Guarded::Loads, division.to_owned()),
            (Guarded::LoadsAndDivisions, division.replace("v2.n", "v3.i")),
            // The call may end the program.
            (Guarded::LoadsAndDivisions, format!("call fn1.other(v1.b) sig1\n  {division}")),
            (
                Guarded::LoadsAndDivisions,
                format!("v7 = cmp.lt v3.i, 5i32\n  branch v7, bb5, bb3\nbb5 loop0:\n  {division}"),
            ),
        ] {
            let (before, inside) = moved_with(&inside, guarded);
            assert!(!before.contains("sdiv") && inside.contains("sdiv"), "{inside}");
        }
    }

    /// The loads and stores that the blocks of the loop have left, and the stores behind it.
    fn accesses(inside: &str) -> [usize; 3] {
        let (_, text) = moved(inside);
        let (loop_, behind) = text.split_once("bb4:").unwrap_or_else(|| panic!("{text}"));
        let (loop_, out) = loop_.split_once("\nbb6:").unwrap_or((loop_, ""));
        [
            loop_.matches("= load").count(),
            loop_.matches("store").count(),
            (out.to_owned() + behind).matches("store").count(),
        ]
    }

    const SUM: &str = "v4 = load [v1.b]\n  v5 = add v4, v3.i\n  store.i32 [v1.b], v5";

    #[test]
    fn what_is_loaded_and_stored_again_and_again_is_kept() {
        assert_eq!(accesses(SUM), [0, 0, 1]);
        // The bytes beside it are others, and so is what `restrict` keeps apart.
        assert_eq!(accesses(&format!("{SUM}\n  store.i32 [v1.b + 4], v4")), [0, 1, 1]);
        assert_eq!(accesses(&format!("{SUM}\n  store.i32 [v0.a], v4")), [0, 1, 1]);
        // A pointer that is stored there is no number when it is loaded, and may be the last that was stored.
        assert_eq!(accesses(&format!("{SUM}\n  store.ptr [v1.b], v1.b")), [0, 2, 0]);
        // Reads of the same bytes find them in memory.
        assert_eq!(accesses(&format!("{SUM}\n  v6 = load [v1.b + 2]")), [1, 1, 0]);
        assert_eq!(accesses(&format!("{SUM}\n  mem_copy [v0.a], [v1.b], 8i64 align 4")), [0, 1, 0]);
    }

    #[test]
    fn what_is_stored_at_an_address_that_was_computed_again_is_kept() {
        let twice = "v8 = index v1.b + v2.n * 4\n  v9 = index v1.b + v2.n * 4\n  v4 = load [v8]\n  \
                     v5 = add v4, v3.i\n  store.i32 [v9], v5";
        assert_eq!(accesses(twice), [0, 0, 1]);
        // Another address, and one that is another each time.
        assert_eq!(accesses(&twice.replacen("* 4", "* 8", 1)), [1, 1, 0]);
        assert_eq!(accesses(&twice.replacen("v2.n", "v3.i", 1)), [1, 1, 0]);
        assert_eq!(accesses(&format!("{twice}\n  v9 = index v9 + v3.i * 4")), [1, 1, 0]);
    }

    #[test]
    fn what_may_be_written_otherwise_is_not_kept() {
        for other in [
            "store.i32 [v1.b + 2], v4",
            "store.f32 [v1.b], f32.0x3f800000 untyped",
            "store.i8 [v1.b], 1i8",
            "store.i32 [v1.b], v4 volatile",
            "call fn1.other(v1.b) sig1",
            "fence",
        ] {
            let [loads, stores, behind] = accesses(&format!("{SUM}\n  {other}"));
            assert_eq!((loads, behind), (1, 0), "{other}");
            assert_eq!(stores, 1 + other.matches("store").count(), "{other}");
        }
        // Where the first iteration may not come to, nothing may be accessed.
        let sometimes = "v7 = cmp.lt v3.i, 5i32\n  branch v7, bb5, bb3\nbb5 loop0:\n  ";
        assert_eq!(accesses(&format!("{sometimes}{SUM}")), [1, 1, 0]);
    }
}

//! Stores behind the loads that follow them.
//!
//! The assembler knows nothing of `restrict` and of objects, so a load stays behind the stores in front of
//! it, and waits for what they store to be computed. Statement after statement, `x[i] += a; y[i] += b;`
//! becomes one wait for memory after the other.
//!
//! ```text
//!     before:  p = load x; store x, p + a; q = load y; store y, q + b
//!     after:   p = load x; q = load y; store x, p + a; store y, q + b
//! ```
//!
//! Before: any code. After: a store stands behind later loads of its block of which each is from memory that
//! is apart from what it writes ([`Roots`]), or beside it. The order of stores stays.
//!
//! What is stored later takes its registers meanwhile, so only some stores wait at a time ([`MOST_WORDS`]).

use crate::text::Reached;
use accrue_ir::analysis::roots::{Root, Roots};
use accrue_ir::analysis::written::Place;
use accrue_ir::{Block, Body, Class, Inst, Module, Op};
use std::collections::VecDeque;

/// Registers of 32 bits that stored values and their addresses take at a time.
const MOST_WORDS: u32 = 24;

/// Runs the pass on all functions that the device executes.
pub(crate) fn run(module: &mut Module, reached: &Reached) {
    for func in reached.with_code() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        let wanted: Vec<(Block, usize)> = body
            .order
            .iter()
            .filter_map(|&block| {
                let insts = &body.blocks[block].insts;
                let last = insts.iter().rposition(|inst| matches!(inst.op, Op::Load { .. }))?;
                let stores = insts[..last].iter().any(|inst| matches!(inst.op, Op::Store { .. }));
                stores.then_some((block, last))
            })
            .collect();
        if !wanted.is_empty() {
            let roots = Roots::new(&module.functions[func], &body);
            for (block, last) in wanted {
                let insts = std::mem::take(&mut body.blocks[block].insts);
                body.blocks[block].insts = delayed(&body, &roots, insts, last);
            }
        }
        module.functions[func].body = Some(body);
    }
}

/// The operations of a block with its stores where they can be; `last` is the number of its last load.
fn delayed(body: &Body, roots: &Roots, insts: Vec<Inst>, last: usize) -> Vec<Inst> {
    let mut late = Late { body, roots, stores: VecDeque::new(), written: Vec::with_capacity(insts.len()) };
    for (at, inst) in insts.into_iter().enumerate() {
        let place = Place::of(body, &inst.op);
        match place {
            Some(place) if place.writes && at < last => {
                late.stores.push_back(Store { root: roots.of(place.addr.base), place, inst });
                late.write_first_while_too_many();
                continue;
            }
            _ => late.write_before(&inst, place),
        }
        late.written.push(inst);
        if at == last {
            late.write_first(late.stores.len());
        }
    }
    late.written
}

/// A store that waits.
struct Store {
    inst: Inst,
    place: Place,
    root: Root,
}

impl Store {
    /// Registers that it keeps.
    fn words(&self, body: &Body) -> u32 {
        let mut words = 0;
        self.inst.op.uses(|local| words += body.locals[local].ty.bytes().div_ceil(4));
        words
    }

    /// Whether an operation assigns a local that it uses.
    fn is_changed_by(&self, op: &Op) -> bool {
        let mut changes = false;
        self.inst.op.uses(|used| op.defs(|local| changes |= used == local));
        changes
    }
}

struct Late<'a> {
    body: &'a Body,
    roots: &'a Roots,
    /// In their order.
    stores: VecDeque<Store>,
    written: Vec<Inst>,
}

impl Late<'_> {
    /// Writes the stores that have to be in front of an operation, with those in front of them.
    fn write_before(&mut self, inst: &Inst, place: Option<Place>) {
        let must_wait = |store: &Store| {
            let is_apart = match place {
                Some(place) => {
                    self.roots.are_apart(self.roots.of(place.addr.base), store.root)
                        || place.kind.is_apart(store.place.kind)
                        || place.is_beside(&store.place)
                }
                None => inst.op.class() == Class::Value,
            };
            !is_apart || store.is_changed_by(&inst.op)
        };
        let number = self.stores.iter().rposition(must_wait).map_or(0, |at| at + 1);
        self.write_first(number);
    }

    fn write_first_while_too_many(&mut self) {
        while self.stores.iter().map(|store| store.words(self.body)).sum::<u32>() > MOST_WORDS {
            self.write_first(1);
        }
    }

    fn write_first(&mut self, number: usize) {
        self.written.extend(self.stores.drain(..number).map(|store| store.inst));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    /// What the pass leaves of code of a region with two pointers that lead to memory of their own, and with
    /// numbers `v2` to `v5`.
    fn late(code: &[&str]) -> Vec<String> {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, ptr)\nfunction fn0.r sig0 internal\n  \
             region parallel of \"main\" dims(0, 1, 1, 1, 32) {{\n    param \"a\" pointer present\n    \
             param \"b\" pointer present\n  }} {{\n  params v0.a, v1.b\n  locals v0.a, v1.b: ptr restrict\n  \
             locals v2, v3, v4, v5: f32\nbb0:\n  {}\n  return\n}}\n",
            code.join("\n  ")
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let reached = crate::text::reach(&module).unwrap_or_else(|error| panic!("{error}"));
        run(&mut module, &reached);
        let text = print(&module);
        let lines = text.lines().skip_while(|line| !line.starts_with("bb0")).skip(1);
        lines.take_while(|line| *line != "  return").map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn stores_wait_for_loads_of_other_memory() {
        let [load_a, store_a, load_b, store_b] =
            ["v2 = load [v0.a]", "store.f32 [v0.a], v2", "v3 = load [v1.b]", "store.f32 [v1.b], v3"];
        assert_eq!(late(&[load_a, store_a, load_b, store_b]), [load_a, load_b, store_a, store_b]);
        let beside = "v3 = load [v0.a + 4]";
        assert_eq!(late(&[load_a, store_a, beside, store_b]), [load_a, beside, store_a, store_b]);
    }

    #[test]
    fn stores_stay_in_front_of_what_may_see_them() {
        let store = "store.f32 [v0.a], v2";
        let behind = "v4 = load [v1.b]";
        for (barrier, then) in [
            ("v3 = load [v0.a]", "v2 = copy v3"),
            ("v3 = load [v0.a + 2]", "v2 = copy v3"),
            ("v2 = copy 1.0f32", "v3 = copy v2"),
            ("fence", "v3 = copy v2"),
            ("v3 = load [v1.b] volatile", "v2 = copy v3"),
        ] {
            let code = [store, barrier, then, behind];
            assert_eq!(late(&code), code, "{barrier}");
        }
    }

    #[test]
    fn stores_keep_their_order_and_do_not_take_all_registers() {
        let stores: Vec<String> = (1..13).map(|at| format!("store.f32 [v0.a + {}], v2", 4 * at)).collect();
        let mut code: Vec<&str> = stores.iter().map(String::as_str).collect();
        code.push("v3 = load [v1.b]");
        let written = late(&code);
        let at = written.iter().position(|line| line.starts_with("v3")).unwrap_or_default();
        let most = MOST_WORDS as usize / 3;
        assert_eq!(at, stores.len() - most, "{written:?}");
        let only: Vec<&String> = written.iter().filter(|line| line.starts_with("store")).collect();
        assert_eq!(only, stores.iter().collect::<Vec<_>>());
    }
}

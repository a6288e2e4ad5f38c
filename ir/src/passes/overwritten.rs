//! Removes stores that others overwrite on every way before anything may load what they stored.
//!
//! Before: loads have taken what is stored in front of them from locals ([`super::remember`]). After: of
//! stores to one place behind each other the last is left, where no load, call or the like may see the
//! others: a sorting network over eight elements in memory stores each once.
//!
//! ```text
//!     before:  store p, v1; v2 = v1 + 1; store p, v2
//!     after:   v2 = v1 + 1; store p, v2
//! ```
//!
//! Functions that call `setjmp` and its kin stay as they are: what is stored is what such a call finds when
//! it returns once more.

use super::remember;
use crate::analysis::cfg::Cfg;
use crate::analysis::roots::Roots;
use crate::analysis::written::Place;
use crate::entities::{Block, Func, map_below};
use crate::function::{Body, Function};
use crate::module::Module;
use crate::op::{Class, Operand};
use cranelift_entity::SecondaryMap;
use std::cell::OnceCell;

/// More places are not kept in mind.
const MOST: usize = 32;

/// Bytes at a base that are stored to before anything may load them.
#[derive(Clone, Copy)]
struct Bytes {
    base: Operand,
    start: i64,
    end: i64,
}

/// Runs the pass on a function.
pub fn run(module: &Module, func: Func, body: &mut Body) {
    if !remember::calls_return_twice(module, body) {
        remove(&module.functions[func], body);
    }
}

/// Takes the stores out. What only they needed has no use any more, and no code.
fn remove(function: &Function, body: &mut Body) {
    let cfg = Cfg::new(body);
    let roots = OnceCell::new();
    let mut at_start: SecondaryMap<Block, Option<Vec<Bytes>>> = map_below(body.blocks.len());
    let mut needless: Vec<(Block, usize)> = Vec::new();
    // From the end: what begins behind a block is known before it, but for loops, of which nothing is.
    for &block in cfg.reverse_postorder().iter().rev() {
        let mut known: Option<Vec<Bytes>> = None;
        body.blocks[block].term.successors(|next| {
            let of_next = at_start[next].as_deref().unwrap_or_default();
            match &mut known {
                None => known = Some(of_next.to_vec()),
                Some(known) => known.retain(|bytes| is_covered(bytes, of_next)),
            }
        });
        let mut known = known.unwrap_or_default();
        for (index, inst) in body.blocks[block].insts.iter().enumerate().rev() {
            match Place::of(body, &inst.op) {
                Some(place) if place.writes => {
                    let bytes = bytes_of(&place);
                    if is_covered(&bytes, &known) {
                        needless.push((block, index));
                    } else if known.len() < MOST {
                        known.push(bytes);
                    }
                }
                Some(place) if !known.is_empty() => {
                    let roots = roots.get_or_init(|| Roots::new(function, body));
                    let loaded = bytes_of(&place);
                    known.retain(|bytes| {
                        if bytes.base == loaded.base {
                            bytes.end <= loaded.start || loaded.end <= bytes.start
                        } else {
                            roots.are_apart(roots.of(bytes.base), roots.of(loaded.base))
                        }
                    });
                }
                Some(_) => {}
                None if matches!(inst.op.class(), Class::Value | Class::Lane) => {}
                None => known.clear(),
            }
            inst.op.defs(|local| known.retain(|bytes| bytes.base != Operand::Local(local)));
        }
        at_start[block] = Some(known);
    }
    // The last ones of a block first, so that the places before stay where they are.
    for (block, index) in needless {
        body.blocks[block].insts.remove(index);
    }
}

fn bytes_of(place: &Place) -> Bytes {
    let start = place.addr.offset;
    Bytes { base: place.addr.base, start, end: start.saturating_add(i64::from(place.ty.bytes())) }
}

fn is_covered(bytes: &Bytes, by: &[Bytes]) -> bool {
    by.iter().any(|other| other.base == bytes.base && other.start <= bytes.start && bytes.end <= other.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// How many stores are left of a function with these blocks.
    fn left(blocks: &str) -> usize {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, ptr, i32) -> i64\nsignature sig1 (ptr)\n\
             function fn0.f sig0 internal {{\n  params v0.p, v1.q, v2.n\n  locals v0.p, v1.q: ptr\n  \
             locals v2.n: i32\n  locals v3: i64\n  locals v4: i1\n  locals v5: i32\n{blocks}\n}}\n\
             function fn1.other sig1 external\nfunction fn2.setjmp sig1 external returns_twice\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let func = Func::from_u32(0);
        let mut body = module.functions[func].body.take().unwrap_or_default();
        run(&module, func, &mut body);
        module.functions[func].body = Some(body);
        crate::verify::verify(&module, "overwritten").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module).matches("store.").count()
    }

    fn between(inst: &str) -> usize {
        left(&format!("bb0:\n  store.i64 [v0.p], 1i64\n  {inst}\n  store.i64 [v0.p], 2i64\n  return 0i64"))
    }

    #[test]
    fn what_nothing_may_see_is_not_stored() {
        assert_eq!(between("v3 = copy 5i64"), 1);
        assert_eq!(between("v3 = load [v0.p + 8]"), 1);
        assert_eq!(between("store.i64 [v1.q], 3i64"), 2);
        assert_eq!(between("v3 = sdiv 7i64, 2i64"), 1);
        for seen in [
            "v3 = load [v0.p]",
            "v5 = load [v0.p + 4]",
            "v3 = load [v1.q]",
            "v3 = load [v1.q] volatile",
            "call fn1.other(v0.p) sig1",
            "fence",
            "v0.p = copy v1.q",
            "mem_copy [v1.q], [v0.p], 8i64 align 1",
        ] {
            assert_eq!(between(seen), 2, "{seen}");
        }
        assert_eq!(between("call fn2.setjmp(v1.q) sig1"), 2);
        let volatile = "bb0:\n  store.i64 [v0.p], 1i64 volatile\n  store.i64 [v0.p], 2i64\n  return 0i64";
        assert_eq!(left(volatile), 2);
    }

    #[test]
    fn the_later_store_has_all_of_the_bytes() {
        let both = |first: &str, second: &str| left(&format!("bb0:\n  {first}\n  {second}\n  return 0i64"));
        assert_eq!(both("store.i32 [v0.p + 4], 1i32", "store.i64 [v0.p], 2i64"), 1);
        assert_eq!(both("store.i64 [v0.p], 1i64", "store.i32 [v0.p], 2i32"), 2);
        assert_eq!(both("store.i64 [v0.p], 1i64", "store.i64 [v0.p + 4], 2i64"), 2);
        assert_eq!(both("store.i64 [v0.p], 1i64", "store.i64 [v1.q], 2i64"), 2);
    }

    #[test]
    fn every_way_overwrites() {
        let ways = |one: &str, other: &str| {
            left(&format!(
                "bb0:\n  store.i64 [v0.p], 1i64\n  v4 = cmp.lt v2.n, 3i32\n  branch v4, bb1, bb2\n\
                 bb1:\n  {one}\n  jump bb3\nbb2:\n  {other}\n  jump bb3\nbb3:\n  return 0i64"
            ))
        };
        assert_eq!(ways("store.i64 [v0.p], 2i64", "store.i64 [v0.p], 3i64"), 2);
        assert_eq!(ways("store.i64 [v0.p], 2i64", "v3 = copy 1i64"), 2);
        // A loop may end without any iteration, and what an iteration stores, the next one may load.
        let in_loop = "bb0:\n  store.i64 [v0.p], 1i64\n  jump bb1\nbb1:\n  v4 = cmp.lt v2.n, 3i32\n  \
                       branch v4, bb2, bb3\nbb2:\n  v3 = load [v0.p]\n  v2.n = add v2.n, 1i32\n  \
                       store.i64 [v0.p], v3\n  jump bb1\nbb3:\n  store.i64 [v0.p], 9i64\n  return 0i64";
        assert_eq!(left(in_loop), 3);
    }
}

//! Uses again what a local has, on every way: what was loaded or stored, and what comparisons gave.
//!
//! Before: any code; no loop needs its form any more. After: a load from memory that each way to it has
//! loaded from or stored to before, without a write that may have changed it since, is a copy of a local,
//! also where the ways differ in which load or store it was; so that both have one address, an address has
//! one name first ([`addresses`]). So a member that a loop loads, changes and
//! stores is loaded in front of the loop alone:
//!
//! ```text
//!     before:  v1 = load p; loop       v1 = load p; v2 = v1 + 1; store p, v2; v1 = load p; loop
//!     after:   m = load p; v1 = m      v1 = m; v2 = v1 + 1; store p, v2; m = v2; v1 = m
//! ```
//!
//! Then branches whose comparison all ways have decided are jumps ([`decided`]). Within a block and below it
//! Cranelift finds most of this itself, but nothing where ways meet, and it drops no branch.
//!
//! What a loop does not access is not kept through it.
//!
//! Functions that call `setjmp` and its kin stay as they are: memory keeps what locals do not when such a
//! call returns once more.

mod decided;

use super::{addresses, dce, simplify_cfg};
use crate::analysis::cfg::{Cfg, NaturalLoop};
use crate::analysis::roots::{Root, Roots};
use crate::analysis::written::{Place, Written};
use crate::entities::{Block, Func, Local, map_below};
use crate::function::{Body, Function};
use crate::module::Module;
use crate::op::{Address, Callee, Inst, MemoryKind, Op, Operand};
use crate::types::Type;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// A set of places, or of comparisons: of more than there are bits, the rest is left alone.
type Set = u64;
const MOST: usize = Set::BITS as usize;

/// Runs the pass on a function.
pub fn run(module: &Module, func: Func, body: &mut Body) {
    if !calls_return_twice(module, body) {
        remember(&module.functions[func], body);
    }
}

pub(super) fn calls_return_twice(module: &Module, body: &Body) -> bool {
    body.order.iter().flat_map(|&block| &body.blocks[block].insts).any(|inst| match inst.op {
        Op::Call { callee: Callee::Direct(func), .. } => module.functions[func].returns_twice,
        _ => false,
    })
}

fn remember(function: &Function, body: &mut Body) {
    let cfg = Cfg::new(body);
    let kept = body.locals.len();
    addresses::unite(body, &cfg);
    let changed = use_again(function, body, &cfg);
    // An address that was loaded has one name now, by which what it leads to is found.
    if body.locals.values().skip(kept).any(|local| local.ty == Type::Ptr) {
        addresses::unite(body, &cfg);
        use_again(function, body, &cfg);
    }
    if decided::run(body, &cfg, kept) {
        simplify_cfg::simplify(body);
    }
    if changed {
        dce::clean(body);
    }
}

/// Makes copies of loads; whether there are any.
fn use_again(function: &Function, body: &mut Body, cfg: &Cfg) -> bool {
    let places = places(body);
    if places.is_empty() {
        return false;
    }
    let memory = Memory::new(Roots::new(function, body), places, body);
    let effects = memory.effects(body, cfg);
    let known = flow(body, cfg, &memory.of_loops(body, cfg, &effects), &effects);
    let mut again: Set = 0;
    for &block in cfg.reverse_postorder() {
        let mut set = known[block];
        for (inst, effect) in body.blocks[block].insts.iter().zip(&effects[block]) {
            if matches!(inst.op, Op::Load { .. }) {
                again |= set & effect.accesses;
            }
            set = effect.step(set);
        }
    }
    if again == 0 {
        return false;
    }
    let values: Vec<Option<Local>> = (0..memory.places.len())
        .map(|number| (again & 1 << number != 0).then(|| body.temp(memory.places[number].ty)))
        .collect();
    for &block in cfg.reverse_postorder() {
        let mut set = known[block];
        let mut names = Names::default();
        let insts = std::mem::take(&mut body.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len() + 4);
        for (Inst { mut op, pos }, effect) in insts.into_iter().zip(&effects[block]) {
            let is_known = set & effect.accesses != 0;
            set = effect.step(set);
            let value = effect.number().and_then(|at| values[at]);
            op.map_operands(|operand| names.of(operand));
            match (op, value) {
                (Op::Load { dst, addr, access }, Some(value)) => {
                    if !is_known {
                        names.assign(value);
                        kept.push(Inst { op: Op::Load { dst: value, addr, access }, pos });
                    }
                    names.assign(dst);
                    names.equal(dst, value);
                    kept.push(Inst { op: Op::Copy { dst, src: Operand::Local(value) }, pos });
                }
                (op @ Op::Store { src, .. }, Some(value)) => {
                    kept.push(Inst { op, pos });
                    if src != Operand::Local(value) {
                        names.assign(value);
                        kept.push(Inst { op: Op::Copy { dst: value, src }, pos });
                        src.as_local().into_iter().for_each(|src| names.equal(src, value));
                    }
                }
                (op, _) => {
                    op.defs(|local| names.assign(local));
                    kept.push(Inst { op, pos });
                }
            }
        }
        body.blocks[block].term.map_operands(|operand| names.of(operand));
        body.blocks[block].insts = kept;
    }
    true
}

/// The locals of a block that are equal to one that keeps what is in memory.
#[derive(Default)]
struct Names {
    /// By local, with how often the other one had been assigned.
    of: FxHashMap<Local, (Local, u32)>,
    assigned: FxHashMap<Local, u32>,
}

impl Names {
    fn of(&self, operand: Operand) -> Operand {
        match operand.as_local().and_then(|local| self.of.get(&local)) {
            Some(&(value, assigned)) if assigned == self.assigned(value) => Operand::Local(value),
            _ => operand,
        }
    }

    fn assigned(&self, local: Local) -> u32 {
        self.assigned.get(&local).copied().unwrap_or(0)
    }

    /// A local is assigned: what was equal to it is no more.
    fn assign(&mut self, local: Local) {
        self.of.remove(&local);
        *self.assigned.entry(local).or_default() += 1;
    }

    /// A local has the value of one that keeps what is in memory.
    fn equal(&mut self, local: Local, value: Local) {
        self.of.insert(local, (value, self.assigned(value)));
    }
}

/// What is known at the start of each block: what is at the end of all blocks before it, of what it lets
/// enter.
fn flow(
    body: &Body,
    cfg: &Cfg,
    entered: &SecondaryMap<Block, Set>,
    effects: &Effects,
) -> SecondaryMap<Block, Set> {
    // What a block makes known, and what it lets be known.
    let mut steps: SecondaryMap<Block, (Set, Set)> = map_below(body.blocks.len());
    for &block in cfg.reverse_postorder() {
        let through = |set| effects[block].iter().fold(set, |set, effect| effect.step(set));
        steps[block] = (through(0), through(entered[block]));
    }
    let mut known = entered.clone();
    known[body.entry()] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.reverse_postorder() {
            let end = |from: &Block| steps[*from].0 | steps[*from].1 & known[*from];
            let before = cfg.predecessors(block).iter().filter(|from| cfg.is_reachable(**from));
            let set = before.fold(known[block], |set, from| set & end(from));
            changed |= set != known[block];
            known[block] = set;
        }
    }
    known
}

/// Places of memory that are accessed more than once and loaded from, those with the most accesses first.
fn places(body: &Body) -> Vec<Place> {
    let mut found: FxHashMap<(Address, Type), (Place, u32, bool)> = FxHashMap::default();
    let mut order = Vec::new();
    for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
        let Some(place) = Place::of(body, &inst.op).filter(|place| is_kept(place.ty)) else { continue };
        let key = (place.addr, place.ty);
        let (known, count, is_loaded) = found.entry(key).or_insert_with(|| {
            order.push(key);
            (place, 0, false)
        });
        if known.kind != place.kind {
            known.kind = MemoryKind::Any;
        }
        *count += 1;
        *is_loaded |= !place.writes;
    }
    let mut places: Vec<(Place, u32)> = order
        .iter()
        .map(|key| found[key])
        .filter(|(_, count, is_loaded)| *count > 1 && *is_loaded)
        .map(|(place, count, _)| (place, count))
        .collect();
    places.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    places.into_iter().take(MOST).map(|(place, _)| place).collect()
}

/// Whether a register has values of a type, and memory all of their bits.
fn is_kept(ty: Type) -> bool {
    matches!(ty, Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::F32 | Type::F64 | Type::Ptr)
}

/// What an operation does to what is known: first it takes out what it writes, then adds what it accesses,
/// and takes out what has an address made from the local that it assigns.
#[derive(Clone, Copy)]
struct Effect {
    writes: Set,
    accesses: Set,
    assigns: Set,
}

impl Effect {
    fn step(self, set: Set) -> Set {
        (set & !self.writes | self.accesses) & !self.assigns
    }

    /// The place that it accesses.
    fn number(self) -> Option<usize> {
        (self.accesses != 0).then(|| self.accesses.trailing_zeros() as usize)
    }
}

/// What the operations of each block do.
type Effects = SecondaryMap<Block, Vec<Effect>>;

/// The memory of a function.
struct Memory {
    roots: Roots,
    places: Vec<Place>,
    numbers: FxHashMap<(Address, Type), usize>,
    /// The places whose address a local is part of.
    based_on: SecondaryMap<Local, Set>,
    /// The places at each base.
    at_base: FxHashMap<Operand, Set>,
    of: Vec<(Root, MemoryKind)>,
}

impl Memory {
    fn new(roots: Roots, places: Vec<Place>, body: &Body) -> Memory {
        let mut based_on: SecondaryMap<Local, Set> = map_below(body.locals.len());
        let mut at_base: FxHashMap<Operand, Set> = FxHashMap::default();
        for (number, place) in places.iter().enumerate() {
            *at_base.entry(place.addr.base).or_default() |= 1 << number;
            if let Some(local) = place.addr.base.as_local() {
                based_on[local] |= 1 << number;
            }
        }
        let numbers =
            places.iter().enumerate().map(|(number, place)| ((place.addr, place.ty), number)).collect();
        let of = places.iter().map(|place| (roots.of(place.addr.base), place.kind)).collect();
        Memory { roots, places, numbers, based_on, at_base, of }
    }

    /// All places.
    fn all(&self) -> Set {
        Set::MAX >> (MOST - self.places.len())
    }

    /// What may be known at the start of each block: a loop that does not access a place is not to have a
    /// register for it, which what it computes needs more.
    fn of_loops(&self, body: &Body, cfg: &Cfg, effects: &Effects) -> SecondaryMap<Block, Set> {
        let accessed = |block: Block| effects[block].iter().fold(0, |set, effect| set | effect.accesses);
        let of_loop = |natural: NaturalLoop| {
            (natural.header, natural.blocks.iter().fold(0, |set, block| set | accessed(block)))
        };
        let loops: FxHashMap<Block, Set> = cfg.natural_loops().into_iter().map(of_loop).collect();
        let mut entered = map_below(body.blocks.len());
        for &block in cfg.reverse_postorder() {
            entered[block] = loops.get(&block).map_or(self.all(), |set| self.all() & set);
        }
        entered
    }

    fn effects(&self, body: &Body, cfg: &Cfg) -> Effects {
        let mut written = FxHashMap::default();
        let mut effects: Effects = map_below(body.blocks.len());
        for &block in cfg.reverse_postorder() {
            let of = body.blocks[block].insts.iter().map(|inst| self.effect(body, &inst.op, &mut written));
            effects[block] = of.collect();
        }
        effects
    }

    fn effect(&self, body: &Body, op: &Op, known: &mut FxHashMap<(Root, MemoryKind), Set>) -> Effect {
        let place = Place::of(body, op);
        let writes = match place {
            Some(Place { writes: false, .. }) => 0,
            Some(place) => self.written(&place, known),
            None => {
                let mut written = Written::default();
                written.op(body, (&self.roots, &|_| false), op);
                let may_be = |of: (Root, MemoryKind)| written.may_be(&self.roots, of);
                if written.is_nothing() { 0 } else { self.set(|of| may_be(*of)) }
            }
        };
        let number = place.and_then(|place| self.numbers.get(&(place.addr, place.ty)));
        let mut assigns = 0;
        op.defs(|local| assigns |= self.based_on[local]);
        Effect { writes, accesses: number.map_or(0, |number| 1 << number), assigns }
    }

    /// The places whose value a store may change; what stores through a root change at most is known from
    /// the second on.
    fn written(&self, store: &Place, known: &mut FxHashMap<(Root, MemoryKind), Set>) -> Set {
        let root = self.roots.of(store.addr.base);
        let written = known.entry((root, store.kind)).or_insert_with(|| {
            self.set(|(of, kind)| !store.kind.is_apart(*kind) && !self.roots.are_apart(root, *of))
        });
        let (mut written, mut left) = (*written, self.at_base.get(&store.addr.base).copied().unwrap_or(0));
        while left != 0 {
            let number = left.trailing_zeros() as usize;
            left &= left - 1;
            if store.is_beside(&self.places[number]) {
                written &= !(1 << number);
            }
        }
        written
    }

    /// The places of which this holds.
    fn set(&self, holds: impl Fn(&(Root, MemoryKind)) -> bool) -> Set {
        let of = self.of.iter().enumerate();
        of.filter(|(_, of)| holds(of)).fold(0, |set, (number, _)| set | 1 << number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// The text of a function with these blocks after the pass.
    fn after(blocks: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (ptr, ptr, i32) -> i64\nsignature sig1 (ptr)\n\
             function fn0.f sig0 internal {{\n  params v0.p, v1.q, v2.n\n  locals v0.p, v1.q: ptr\n  \
             locals v2.n: i32\n  locals v3, v4, v5: ptr\n  locals v6, v7: i64\n  locals v8, v9: i1\n  locals v10, v11: i8\n  \
             locals v12, v13: i32\n{blocks}\n}}\n\
             function fn1.other sig1 external\nfunction fn2.setjmp sig1 external returns_twice\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let functions: Vec<_> = module.functions.keys().collect();
        for func in functions {
            let Some(mut body) = module.functions[func].body.take() else { continue };
            if !calls_return_twice(&module, &body) {
                remember(&module.functions[func], &mut body);
            }
            module.functions[func].body = Some(body);
        }
        crate::verify::verify(&module, "remember").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    /// How many loads and branches are left.
    fn left(blocks: &str) -> [usize; 2] {
        let text = after(blocks);
        [text.matches("= load").count(), text.matches("branch").count()]
    }

    /// A loop that takes characters while there are any and they are digits, with `inside` behind the store.
    fn scanner(inside: &str) -> String {
        let test = "v3 = load [v0.p]\n  v4 = load [v0.p + 8]\n  v8 = cmp.ult v3, v4\n  branch v8";
        format!(
            "bb0:\n  v6 = copy 0i64\n  {test}, bb2, bb1\n\
             bb2:\n  v5 = load [v0.p]\n  v10 = load [v5]\n  v12 = convert.sext v10\n  v9 = cmp.ge v12, 48i32\n  \
             branch v9, bb3, bb1\n\
             bb3:\n  {test}, bb4, bb5\n\
             bb4:\n  v5 = load [v0.p]\n  v11 = load [v5]\n  v13 = convert.sext v11\n  v9 = cmp.ne v13, 0i32\n  \
             branch v9, bb6, bb5\n\
             bb6:\n  v5 = load [v0.p]\n  v3 = index v5 + 0i64 * 1 + 1\n  store.ptr [v0.p], v3\n  {inside}\n  \
             jump bb5\n\
             bb5:\n  v6 = add v6, 1i64\n  {test}, bb2, bb1\n\
             bb1:\n  return v6"
        )
    }

    #[test]
    fn a_loop_loads_once_what_it_stores() {
        // The place and the end in front of the loop, a character in each iteration.
        assert_eq!(left(&scanner("")), [3, 3], "{}", after(&scanner("")));
        // Beside it: nothing changes. What may be any of it: all is loaded again.
        assert_eq!(left(&scanner("store.i64 [v0.p + 16], v6"))[0], 3);
        for inside in [
            "store.i8 [v1.q], 0i8",
            "store.ptr [v0.p + 4], v3",
            "call fn1.other(v1.q) sig1",
            "v0.p = copy v1.q",
        ] {
            assert_eq!(left(&scanner(inside))[0], 5, "{}", after(&scanner(inside)));
        }
        assert_eq!(left(&scanner("call fn2.setjmp(v1.q) sig1")), [11, 5]);
        assert_eq!(left(&scanner("").replace("load [v0.p]", "load [v0.p] volatile"))[0], 11);
    }

    #[test]
    fn a_loop_without_accesses_keeps_nothing() {
        let around = |inside: &str| {
            left(&format!(
                "bb0:\n  v6 = load [v0.p]\n  jump bb1\nbb1:\n  {inside}\n  v2.n = sub v2.n, 1i32\n  \
                 v8 = cmp.gt v2.n, 0i32\n  branch v8, bb1, bb2\nbb2:\n  v7 = load [v0.p]\n  return v7"
            ))[0]
        };
        assert_eq!(around("v9 = copy true"), 2);
        assert_eq!(around("v6 = load [v0.p]"), 1);
    }

    /// A branch by `first`, and where it holds, one by `second`, of which `n` is not assigned in between.
    fn decided(first: &str, second: &str) -> bool {
        left(&format!(
            "bb0:\n  v8 = {first}\n  branch v8, bb1, bb2\nbb1:\n  v9 = {second}\n  branch v9, bb3, bb2\n\
             bb2:\n  return 1i64\nbb3:\n  return 2i64"
        ))[1]
            == 1
    }

    #[test]
    fn what_follows_from_a_comparison_is_decided() {
        for (first, second) in [
            ("cmp.lt v2.n, 5i32", "cmp.lt v2.n, 5i32"),
            ("cmp.lt v2.n, 5i32", "cmp.ge v2.n, 5i32"),
            ("cmp.lt v2.n, 5i32", "cmp.gt 5i32, v2.n"),
            ("cmp.lt v2.n, 5i32", "cmp.ne v2.n, 7i32"),
            ("cmp.ge v2.n, 48i32", "cmp.eq v2.n, 0i32"),
            ("cmp.ult v2.n, 5i32", "cmp.ge v2.n, 0i32"),
            ("cmp.eq v2.n, -3i32", "cmp.le v2.n, -3i32"),
            ("cmp.ult v0.p, v1.q", "cmp.uge v0.p, v1.q"),
        ] {
            assert!(decided(first, second), "{first}; {second}");
        }
        for (first, second) in [
            ("cmp.lt v2.n, 5i32", "cmp.lt v2.n, 4i32"),
            ("cmp.lt v2.n, 5i32", "cmp.ult v2.n, 5i32"),
            ("cmp.ult v2.n, -5i32", "cmp.lt v2.n, 0i32"),
            ("cmp.ge v2.n, 0i32", "cmp.ult v2.n, 5i32"),
            ("cmp.ne v2.n, 7i32", "cmp.lt v2.n, 7i32"),
            ("cmp.ult v0.p, v1.q", "cmp.ult v1.q, v0.p"),
        ] {
            assert!(!decided(first, second), "{first}; {second}");
        }
        let assigned = "bb0:\n  v8 = cmp.lt v2.n, 5i32\n  branch v8, bb1, bb2\nbb1:\n  v2.n = add v2.n, 1i32\n  \
                        v9 = cmp.lt v2.n, 5i32\n  branch v9, bb3, bb2\nbb2:\n  return 1i64\nbb3:\n  return 2i64";
        assert_eq!(left(assigned)[1], 2);
        // The comparison stands in front of the assignment, the branch behind it.
        let before = assigned
            .replace("branch v8", "v2.n = add v2.n, 1i32\n  branch v8")
            .replace("bb1:\n  v2.n = add v2.n, 1i32", "bb1:");
        assert_eq!(left(&before)[1], 2);
    }

    /// How many loads are left of a loop over `n` that loads `[v3]` in a block and `[v4]` in one behind it,
    /// made by `first` and `second`.
    fn loads(first: &str, second: &str) -> usize {
        left(&format!(
            "bb0:\n  v6 = copy 0i64\n  v8 = cmp.gt v2.n, 0i32\n  branch v8, bb1, bb4\n\
             bb1:\n  {first}\n  v6 = load [v3]\n  v8 = cmp.gt v6, 0i64\n  branch v8, bb2, bb3\n\
             bb2:\n  {second}\n  v7 = load [v4]\n  v6 = add v6, v7\n  store.i64 [v1.q], v6\n  jump bb3\n\
             bb3:\n  v2.n = sub v2.n, 1i32\n  v8 = cmp.gt v2.n, 0i32\n  branch v8, bb1, bb4\n\
             bb4:\n  return v6"
        ))[0]
    }

    #[test]
    fn equal_arithmetic_is_one_address() {
        let address =
            |to: &str, index: &str| format!("v7 = convert.sext {index}\n  {to} = index v0.p + v7 * 8");
        assert_eq!(loads(&address("v3", "v2.n"), &address("v4", "v2.n")), 1);
        assert_eq!(loads(&address("v3", "v2.n"), &address("v4", "v12")), 2);
        assert_eq!(loads(&address("v3", "v2.n"), &address("v4", "v2.n").replace("* 8", "* 4")), 2);
        assert_eq!(loads(&address("v3", "v2.n"), &address("v4", "v2.n").replace("v0.p", "v1.q")), 2);
        // The variable has another value, or may have one.
        let assigned = format!("v2.n = add v2.n, 1i32\n  {}", address("v4", "v2.n"));
        assert_eq!(loads(&address("v3", "v2.n"), &assigned), 2);
        let stored = format!("store.i64 [v1.q], 5i64\n  {}", address("v4", "v2.n"));
        assert_eq!(loads(&address("v3", "v2.n"), &stored), 2);
    }

    #[test]
    fn a_step_is_made_behind_what_is_at_the_old_place() {
        // `if (*p > 0) x += *p++;`
        let step = "v4 = copy v0.p\n  v5 = index v0.p + 0i64 * 1 + 8\n  v0.p = copy v5";
        let first = "v3 = copy v0.p";
        assert_eq!(loads(first, step), 1);
        // What reads the variable in between, or assigns what it becomes, stays behind the step.
        assert_eq!(loads(first, &format!("{step}\n  store.ptr [v1.q + 8], v0.p")), 2);
        assert_eq!(loads(first, &format!("{step}\n  v5 = copy v1.q")), 2);
    }

    #[test]
    fn what_is_assigned_on_one_way_has_another_value_behind() {
        let text = |other: &str| {
            left(&format!(
                "bb0:\n  v3 = index v0.p + 0i64 * 1 + 8\n  v4 = copy v3\n  v6 = load [v3]\n  v8 = cmp.gt v6, 0i64\n  \
                 branch v8, bb1, bb2\nbb1:\n  {other}\n  v7 = load [v4]\n  v6 = add v6, v7\n  jump bb2\n\
                 bb2:\n  v5 = copy v4\n  v7 = load [v5]\n  v6 = add v6, v7\n  return v6"
            ))[0]
        };
        assert_eq!(text("v12 = copy 1i32"), 1);
        assert_eq!(text("v4 = copy v1.q"), 3);
    }
}

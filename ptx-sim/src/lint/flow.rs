//! Which registers are written before they are read, and where control goes.

use super::operands::{Operands, Register, predicate};
use crate::code::{self, Code, Function, Inst, PredSrc};
use crate::error::{Pos, Problem};
use crate::graph::{self, Graph};
use rustc_hash::FxHashMap;

/// The value of a predicate under which an instruction is executed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Guard {
    register: Register,
    value: bool,
}

impl Guard {
    fn of(inst: &Inst) -> Option<Guard> {
        match inst.guard? {
            PredSrc::Constant(_) => None,
            PredSrc::Slot { index, negated } => {
                Some(Guard { register: Register::Predicate(index), value: !negated })
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    fn intersection(&self, other: &Bits) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }
}

/// What is known at each place of a function, by number: the registers that are written, and those written
/// under a guard.
///
/// In `@%p1 ld.global.u32 %r1, [%rd1]; @%p1 st.global.u32 [%rd2], %r1;` the store reads what was written, as
/// long as `%p1` is not written in between.
struct Facts<'c> {
    code: &'c Code,
    function: &'c Function,
    /// By instruction, from the function's first on.
    operands: Vec<Operands>,
    guarded: FxHashMap<(Register, Guard), usize>,
    /// Numbers of `guarded` by the register that is written under the guard, and by the guard's register.
    of_register: FxHashMap<Register, Vec<usize>>,
    of_guard: FxHashMap<Register, Vec<(usize, Register)>>,
}

impl<'c> Facts<'c> {
    fn new(code: &'c Code, function: &'c Function) -> Facts<'c> {
        let insts = &code.insts[function.start as usize..function.end as usize];
        let mut facts = Facts {
            code,
            function,
            operands: insts.iter().map(Operands::of).collect(),
            guarded: FxHashMap::default(),
            of_register: FxHashMap::default(),
            of_guard: FxHashMap::default(),
        };
        for (inst, operands) in insts.iter().zip(&facts.operands) {
            let Some(guard) = Guard::of(inst) else { continue };
            for &register in &operands.written {
                let next = (function.slots + function.predicates) as usize + facts.guarded.len();
                if facts.guarded.contains_key(&(register, guard)) {
                    continue;
                }
                facts.guarded.insert((register, guard), next);
                facts.of_register.entry(register).or_default().push(next);
                facts.of_guard.entry(guard.register).or_default().push((next, register));
            }
        }
        facts
    }

    fn count(&self) -> usize {
        (self.function.slots + self.function.predicates) as usize + self.guarded.len()
    }

    fn number(&self, register: Register) -> usize {
        match register {
            Register::Slot(slot) => slot as usize,
            Register::Predicate(index) => (self.function.slots + index) as usize,
        }
    }

    fn inst(&self, pc: u32) -> (&'c Inst, &Operands) {
        (&self.code.insts[pc as usize], &self.operands[(pc - self.function.start) as usize])
    }

    fn name(&self, register: Register) -> String {
        let name = match register {
            Register::Slot(slot) => code::name_of(&self.function.slot_names, slot),
            Register::Predicate(index) => code::name_of(&self.function.predicate_names, index),
        };
        name.unwrap_or_else(|| "a register".to_owned())
    }

    /// A register is written on every path; whatever guard a reader has, there is a value.
    fn write(&self, register: Register, known: &mut Bits) {
        known.insert(self.number(register));
        self.of_register.get(&register).into_iter().flatten().for_each(|&fact| known.insert(fact));
    }

    /// The effect of an instruction.
    fn step(&self, pc: u32, known: &mut Bits) {
        let (inst, operands) = self.inst(pc);
        let guard = Guard::of(inst);
        for &written in &operands.written {
            // Registers written under the guard that is overwritten: there is a value only if there is one in
            // any case.
            for &(fact, register) in self.of_guard.get(&written).into_iter().flatten() {
                if !known.contains(self.number(register)) {
                    known.remove(fact);
                }
            }
            match guard {
                None => self.write(written, known),
                Some(guard) => {
                    self.guarded.get(&(written, guard)).into_iter().for_each(|&fact| known.insert(fact));
                }
            }
        }
    }

    /// On this way on, a guard's register has the guard's value.
    fn assume(&self, guard: Guard, known: &mut Bits) {
        for (&(register, of), &fact) in &self.guarded {
            if of == guard && known.contains(fact) {
                self.write(register, known);
            }
        }
    }

    fn is_written(&self, register: Register, guard: Option<Guard>, known: &Bits) -> bool {
        known.contains(self.number(register))
            || guard
                .and_then(|guard| self.guarded.get(&(register, guard)))
                .is_some_and(|&fact| known.contains(fact))
    }
}

/// The line of an instruction.
fn pos(code: &Code, pc: u32) -> Pos {
    Pos { line: code.sites[pc as usize].line, column: 1 }
}

/// Checks a function. `unset` registers, by their names, count as written where it begins.
pub(super) fn check(
    code: &Code,
    function: &Function,
    unset: impl Fn(&str) -> bool,
    problems: &mut Vec<Problem>,
) {
    let graph = Graph::of(&code.insts, function);
    let facts = Facts::new(code, function);
    let before = known_at_blocks(&graph, &facts, unset);
    for (bounds, known) in graph.blocks.windows(2).zip(before) {
        // What control never reaches reads nothing.
        let Some(mut known) = known else { continue };
        for pc in bounds[0]..bounds[1] {
            // The reader puts a return behind each function.
            if pc + 1 == function.end {
                problems.push(Problem::new(pos(code, pc), "control runs off the end of the function"));
                continue;
            }
            let (inst, operands) = facts.inst(pc);
            let guard = Guard::of(inst);
            let guards =
                inst.guard.and_then(predicate).filter(|&register| !facts.is_written(register, None, &known));
            let mut unwritten =
                operands.read.iter().copied().filter(|&register| !facts.is_written(register, guard, &known));
            if let Some(register) = guards.or_else(|| unwritten.next()) {
                let message = format!("{} may be read before it is written", facts.name(register));
                problems.push(Problem::new(pos(code, pc), message));
            }
            facts.step(pc, &mut known);
        }
    }
}

/// By block, what is known where it begins; none if control never comes there.
fn known_at_blocks(graph: &Graph, facts: &Facts<'_>, unset: impl Fn(&str) -> bool) -> Vec<Option<Bits>> {
    let Function { slots, predicates, .. } = *facts.function;
    let mut first = Bits::new(facts.count());
    let registers = (0..slots).map(Register::Slot).chain((0..predicates).map(Register::Predicate));
    registers
        .filter(|&register| unset(&facts.name(register)))
        .for_each(|register| facts.write(register, &mut first));
    let mut before: Vec<Option<Bits>> = vec![None; graph.exit() as usize];
    let mut work = vec![0];
    before[0] = Some(first);
    while let Some(block) = work.pop() {
        let Some(mut known) = before[block as usize].clone() else { continue };
        let (start, end) = (graph.blocks[block as usize], graph.blocks[block as usize + 1]);
        (start..end).for_each(|pc| facts.step(pc, &mut known));
        for &next in graph.successors[block as usize].iter().filter(|next| **next != graph.exit()) {
            let there = on_the_way(graph, facts, (block, next), &known);
            let merged = match &before[next as usize] {
                None => there,
                Some(known) => known.intersection(&there),
            };
            if before[next as usize].as_ref() != Some(&merged) {
                before[next as usize] = Some(merged);
                work.push(next);
            }
        }
    }
    before
}

/// What is known on the way from a block to another one: a jump with a guard tells the value of the guard's
/// register.
fn on_the_way(graph: &Graph, facts: &Facts<'_>, (from, to): (u32, u32), known: &Bits) -> Bits {
    let mut there = known.clone();
    let (last, _) = facts.inst(graph.blocks[from as usize + 1] - 1);
    if let Some(guard) = Guard::of(last).filter(|_| graph::ends_block(&last.op)) {
        let jumps = graph::targets(&last.op).iter().any(|target| graph.block_at(*target) == to);
        // Where the jump leads to what follows it, the guard may have had either value.
        if !jumps || to != from + 1 {
            facts.assume(Guard { value: guard.value == jumps, ..guard }, &mut there);
        }
    }
    there
}

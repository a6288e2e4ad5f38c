//! Which registers are written before they are read.

use super::Problem;
use super::read::{Function, Guard, Inst, Line};
use super::types::is_special;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Whether the first operand is written; stores and the like only read.
fn writes_first(mnemonic: &str) -> bool {
    let mut parts = mnemonic.split('.');
    let name = parts.next().unwrap_or_default();
    if name == "mbarrier" {
        return parts.next() != Some("init");
    }
    !matches!(
        name,
        "st" | "red"
            | "bar"
            | "barrier"
            | "nanosleep"
            | "stackrestore"
            | "bra"
            | "brx"
            | "call"
            | "fence"
            | "ret"
            | "exit"
            | "trap"
    )
}

/// The registers that an operand names.
fn registers(operand: &str) -> impl Iterator<Item = &str> {
    operand
        .split(['[', ']', '{', '}', '(', ')', ',', ' ', '+'])
        .filter(|part| part.starts_with('%') && !is_special(part))
}

/// A straight stretch of instructions.
#[derive(Default)]
struct Stretch<'a> {
    start: usize,
    end: usize,
    /// Stretches behind it, with the guard whose value is known on the way there.
    successors: Vec<(usize, Option<Guard<'a>>)>,
}

type Bits = Vec<u64>;

fn contains(bits: &Bits, index: usize) -> bool {
    bits[index / 64] >> (index % 64) & 1 == 1
}

fn insert(bits: &mut Bits, index: usize) {
    bits[index / 64] |= 1 << (index % 64);
}

fn remove(bits: &mut Bits, index: usize) {
    bits[index / 64] &= !(1 << (index % 64));
}

/// What the check knows of at each place, by number: the registers, and the registers written under a guard.
///
/// In `@%p1 ld.global.u32 %r1, [%rd1]; @%p1 st.global.u32 [%rd2], %r1;` the store reads what was written, as long as
/// `%p1` is not written in between.
struct Facts<'a> {
    registers: FxHashMap<&'a str, usize>,
    guarded: FxHashMap<(&'a str, Guard<'a>), usize>,
    /// Numbers of `guarded` by the register that is written under the guard, and by the guard's register.
    of_register: FxHashMap<&'a str, Vec<usize>>,
    of_guard: FxHashMap<&'a str, Vec<(usize, usize)>>,
}

impl<'a> Facts<'a> {
    fn new(function: &Function<'a>) -> Facts<'a> {
        let insts = || function.lines.iter().filter_map(|(_, line)| line.inst());
        let mut facts = Facts {
            registers: FxHashMap::default(),
            guarded: FxHashMap::default(),
            of_register: FxHashMap::default(),
            of_guard: FxHashMap::default(),
        };
        for inst in insts() {
            let guard = inst.guard.map(|guard| guard.register);
            for name in inst.operands.iter().flat_map(|operand| registers(operand)).chain(guard) {
                let next = facts.registers.len();
                facts.registers.entry(name).or_insert(next);
            }
        }
        for inst in insts() {
            let Some(guard) = inst.guard else { continue };
            for name in written_by(inst) {
                let next = facts.count();
                if let Entry::Vacant(entry) = facts.guarded.entry((name, guard)) {
                    entry.insert(next);
                    facts.of_register.entry(name).or_default().push(next);
                    facts.of_guard.entry(guard.register).or_default().push((next, facts.registers[name]));
                }
            }
        }
        facts
    }

    fn count(&self) -> usize {
        self.registers.len() + self.guarded.len()
    }

    /// A register is written on every path; whatever guard a reader has, there is a value.
    fn write(&self, name: &str, known: &mut Bits) {
        if let Some(&index) = self.registers.get(name) {
            insert(known, index);
        }
        self.of_register.get(name).into_iter().flatten().for_each(|&index| insert(known, index));
    }

    /// The effect of an instruction.
    fn step(&self, inst: &Inst<'a>, known: &mut Bits) {
        for name in written_by(inst) {
            // Registers written under the guard that is overwritten: there is a value only if there is one in any case.
            for &(fact, register) in self.of_guard.get(name).into_iter().flatten() {
                if !contains(known, register) {
                    remove(known, fact);
                }
            }
            match inst.guard {
                None => self.write(name, known),
                Some(guard) => {
                    if let Some(&index) = self.guarded.get(&(name, guard)) {
                        insert(known, index);
                    }
                }
            }
        }
    }

    /// On this way on, a guard's register has the guard's value.
    fn assume(&self, guard: Guard<'a>, known: &mut Bits) {
        for (&(name, of), &fact) in &self.guarded {
            if of == guard && contains(known, fact) {
                self.write(name, known);
            }
        }
    }

    fn is_written(&self, name: &'a str, guard: Option<Guard<'a>>, known: &Bits) -> bool {
        self.registers.get(name).is_some_and(|index| contains(known, *index))
            || guard
                .and_then(|guard| self.guarded.get(&(name, guard)))
                .is_some_and(|index| contains(known, *index))
    }
}

/// Checks a function. `unset` registers count as written where it begins.
pub(super) fn check(function: &Function<'_>, unset: impl Fn(&str) -> bool) -> Result<(), Problem> {
    let stretches = stretches(function)?;
    let facts = Facts::new(function);
    let mut before: Vec<Option<Bits>> = vec![None; stretches.len()];
    if let Some(first) = before.first_mut() {
        let mut known = vec![0; facts.count().div_ceil(64)];
        facts.registers.keys().filter(|name| unset(name)).for_each(|name| facts.write(name, &mut known));
        *first = Some(known);
    }
    let mut work = vec![0];
    while let Some(index) = work.pop() {
        let Some(stretch) = stretches.get(index) else { continue };
        let Some(mut known) = before[index].clone() else { continue };
        for (_, line) in &function.lines[stretch.start..stretch.end] {
            line.inst().into_iter().for_each(|inst| facts.step(inst, &mut known));
        }
        for &(next, guard) in &stretch.successors {
            let mut there = known.clone();
            guard.into_iter().for_each(|guard| facts.assume(guard, &mut there));
            let merged: Bits = match &before[next] {
                None => there,
                Some(known) => known.iter().zip(&there).map(|(a, b)| a & b).collect(),
            };
            if before[next].as_ref() != Some(&merged) {
                before[next] = Some(merged);
                work.push(next);
            }
        }
    }
    for (stretch, before) in stretches.iter().zip(before) {
        // What control never reaches reads nothing.
        let Some(mut known) = before else { continue };
        for (number, line) in &function.lines[stretch.start..stretch.end] {
            let Some(inst) = line.inst() else { continue };
            let problem =
                |name: &str| Problem::new(*number, format!("{name} may be read before it is written"));
            if let Some(guard) = inst.guard
                && !facts.is_written(guard.register, None, &known)
            {
                return Err(problem(guard.register));
            }
            if let Some(name) = read_by(inst).find(|name| !facts.is_written(name, inst.guard, &known)) {
                return Err(problem(name));
            }
            facts.step(inst, &mut known);
        }
    }
    Ok(())
}

/// The registers that an instruction writes.
fn written_by<'a>(inst: &Inst<'a>) -> impl Iterator<Item = &'a str> {
    let count = usize::from(writes_first(inst.mnemonic));
    inst.operands.iter().take(count).flat_map(|operand| registers(operand))
}

/// The registers that an instruction reads, less its guard.
fn read_by<'a>(inst: &Inst<'a>) -> impl Iterator<Item = &'a str> {
    let skipped = usize::from(writes_first(inst.mnemonic));
    inst.operands.iter().skip(skipped).flat_map(|operand| registers(operand))
}

/// Cuts a function at its labels and jumps.
fn stretches<'a>(function: &Function<'a>) -> Result<Vec<Stretch<'a>>, Problem> {
    let mut stretches: Vec<Stretch<'a>> = Vec::new();
    let mut at_label: FxHashMap<&str, usize> = FxHashMap::default();
    let mut start = 0;
    for (index, (_, line)) in function.lines.iter().enumerate() {
        let ends = match line {
            Line::Label(label) => {
                if index > start {
                    stretches.push(Stretch { start, end: index, ..Stretch::default() });
                    start = index;
                }
                at_label.insert(label, stretches.len());
                false
            }
            Line::Inst(inst) => matches!(inst.mnemonic, "bra" | "brx.idx" | "ret" | "exit"),
        };
        if ends {
            stretches.push(Stretch { start, end: index + 1, ..Stretch::default() });
            start = index + 1;
        }
    }
    if start < function.lines.len() {
        stretches.push(Stretch { start, end: function.lines.len(), ..Stretch::default() });
    }
    let count = stretches.len();
    for (index, stretch) in stretches.iter_mut().enumerate() {
        let Some((number, Line::Inst(last))) = function.lines.get(stretch.end.wrapping_sub(1)) else {
            stretch.successors.extend((index + 1 < count).then_some((index + 1, None)));
            continue;
        };
        let mut add = |label: &str| match at_label.get(label) {
            Some(&target) => {
                stretch.successors.push((target, last.guard));
                Ok(())
            }
            None => Err(Problem::new(*number, format!("there is no label {label}"))),
        };
        let goes_on = match last.mnemonic {
            "bra" => {
                last.operands.first().into_iter().try_for_each(|label| add(label))?;
                last.guard.is_some()
            }
            "brx.idx" => {
                let table = last.operands.get(1).and_then(|table| function.tables.get(table));
                let targets = table.ok_or_else(|| Problem::new(*number, "a jump through no table"))?;
                targets.iter().try_for_each(|label| add(label))?;
                false
            }
            "ret" | "exit" => last.guard.is_some(),
            _ => true,
        };
        if goes_on {
            if index + 1 >= count {
                return Err(Problem::new(*number, "control runs off the end of the function"));
            }
            let other = last.guard.map(|guard| Guard { value: !guard.value, ..guard });
            let is_jump = matches!(last.mnemonic, "bra" | "ret" | "exit");
            stretch.successors.push((index + 1, other.filter(|_| is_jump)));
        }
    }
    Ok(stretches)
}

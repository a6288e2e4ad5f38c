//! Which registers are written before they are read.

use super::Problem;
use super::read::{Function, Inst, Line};
use super::types::is_special;
use rustc_hash::FxHashMap;

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
struct Stretch {
    start: usize,
    end: usize,
    successors: Vec<usize>,
}

type Bits = Vec<u64>;

fn contains(bits: &Bits, index: usize) -> bool {
    bits[index / 64] >> (index % 64) & 1 == 1
}

fn insert(bits: &mut Bits, index: usize) {
    bits[index / 64] |= 1 << (index % 64);
}

/// Checks a function. `unset` registers count as written where it begins.
pub(super) fn check(function: &Function<'_>, unset: impl Fn(&str) -> bool) -> Result<(), Problem> {
    let stretches = stretches(function)?;
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    for (_, line) in &function.lines {
        let Some(inst) = line.inst() else { continue };
        for name in inst.operands.iter().flat_map(|operand| registers(operand)).chain(inst.guard) {
            let next = numbers.len();
            numbers.entry(name).or_insert(next);
        }
    }
    let words = numbers.len().div_ceil(64);
    let mut before: Vec<Option<Bits>> = vec![None; stretches.len()];
    if let Some(first) = before.first_mut() {
        let mut written = vec![0; words];
        let names = numbers.iter().filter(|(name, _)| unset(name));
        names.for_each(|(_, index)| insert(&mut written, *index));
        *first = Some(written);
    }
    let mut work = vec![0];
    while let Some(index) = work.pop() {
        let Some(stretch) = stretches.get(index) else { continue };
        let Some(mut written) = before[index].clone() else { continue };
        for (_, line) in &function.lines[stretch.start..stretch.end] {
            line.inst().into_iter().for_each(|inst| writes(inst, &numbers, &mut written));
        }
        for &next in &stretch.successors {
            let merged: Bits = match &before[next] {
                None => written.clone(),
                Some(known) => known.iter().zip(&written).map(|(a, b)| a & b).collect(),
            };
            if before[next].as_ref() != Some(&merged) {
                before[next] = Some(merged);
                work.push(next);
            }
        }
    }
    for (stretch, before) in stretches.iter().zip(before) {
        // What control never reaches reads nothing.
        let Some(mut written) = before else { continue };
        for (number, line) in &function.lines[stretch.start..stretch.end] {
            let Some(inst) = line.inst() else { continue };
            reads(inst, |name| {
                let known = numbers.get(name).is_some_and(|index| contains(&written, *index));
                if known {
                    Ok(())
                } else {
                    Err(Problem::new(*number, format!("{name} may be read before it is written")))
                }
            })?;
            writes(inst, &numbers, &mut written);
        }
    }
    Ok(())
}

fn writes(inst: &Inst<'_>, numbers: &FxHashMap<&str, usize>, written: &mut Bits) {
    // Under a guard it may not happen.
    if inst.guard.is_none() && writes_first(inst.mnemonic) {
        for index in inst.operands.first().into_iter().flat_map(|operand| registers(operand)) {
            if let Some(&index) = numbers.get(index) {
                insert(written, index);
            }
        }
    }
}

fn reads<'a>(inst: &Inst<'a>, mut visit: impl FnMut(&'a str) -> Result<(), Problem>) -> Result<(), Problem> {
    inst.guard.into_iter().try_for_each(&mut visit)?;
    let skipped = usize::from(writes_first(inst.mnemonic));
    for &operand in inst.operands.iter().skip(skipped) {
        registers(operand).try_for_each(&mut visit)?;
    }
    Ok(())
}

/// Cuts a function at its labels and jumps.
fn stretches(function: &Function<'_>) -> Result<Vec<Stretch>, Problem> {
    let mut stretches: Vec<Stretch> = Vec::new();
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
            stretch.successors.extend((index + 1 < count).then_some(index + 1));
            continue;
        };
        let mut add = |label: &str| match at_label.get(label) {
            Some(&target) => {
                stretch.successors.push(target);
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
            stretch.successors.push(index + 1);
        }
    }
    Ok(stretches)
}

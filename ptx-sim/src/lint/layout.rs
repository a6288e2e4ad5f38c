//! Labels that nothing stands behind, and barriers that wait for nothing.

use crate::error::Problem;
use crate::read::ast::{Function, Instruction, Operand, Statement, StatementKind};

/// A label or an instruction.
#[derive(Clone, Copy)]
enum Line<'s, 'a> {
    Label(&'a str),
    Instruction(&'s Instruction<'a>),
}

fn line<'s, 'a>(statement: &'s Statement<'a>) -> Option<(&'s Statement<'a>, Line<'s, 'a>)> {
    let line = match &statement.kind {
        StatementKind::Label(label) => Line::Label(label),
        StatementKind::Instruction(instruction) => Line::Instruction(instruction),
        StatementKind::Open
        | StatementKind::Close
        | StatementKind::Registers { .. }
        | StatementKind::Variable(_)
        | StatementKind::Location(_)
        | StatementKind::Targets { .. }
        | StatementKind::Prototype(_) => return None,
    };
    Some((statement, line))
}

/// Checks a function.
pub(super) fn check(function: &Function<'_>, problems: &mut Vec<Problem>) {
    let mut lines = function.body.iter().flatten().filter_map(line).peekable();
    while let Some((statement, line)) = lines.next() {
        let next = lines.peek().map(|(_, line)| *line);
        let message = match (line, next) {
            (Line::Label(label), next) if is_idle(label, next) => {
                format!("nothing stands between `{label}` and what follows")
            }
            (Line::Instruction(before), Some(Line::Instruction(after)))
                if adds_nothing(before.opcode, after.opcode) =>
            {
                "a barrier follows a barrier".to_owned()
            }
            (Line::Label(_) | Line::Instruction(_), _) => continue,
        };
        problems.push(Problem::new(statement.pos, message));
    }
}

/// Whether a label stands for another place. A jump to itself is an endless loop, and all of it.
fn is_idle(label: &str, next: Option<Line<'_, '_>>) -> bool {
    match next {
        None | Some(Line::Label(_)) => true,
        Some(Line::Instruction(Instruction { guard, opcode, operands })) => {
            let is_loop = matches!(operands.first(), Some(Operand::Name(to, 0)) if *to == label);
            *opcode == "bra" && guard.is_none() && !is_loop
        }
    }
}

/// Whether a barrier waits for nothing that the one before did not wait for. Warps meet before
/// `barrier.sync`, and that is no mistake.
fn adds_nothing(before: &str, barrier: &str) -> bool {
    let is_barrier = |opcode: &str| opcode.starts_with("bar.") || opcode.starts_with("barrier.");
    let is_of_warp = |opcode: &str| opcode.starts_with("bar.warp.");
    is_barrier(before) && is_barrier(barrier) && (!is_of_warp(before) || is_of_warp(barrier))
}

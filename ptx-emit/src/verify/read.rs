//! The text of a module, line by line.

use super::Problem;
use rustc_hash::{FxHashMap, FxHashSet};

/// A module.
pub(super) struct Module<'a> {
    pub(super) version: (u8, u8),
    pub(super) arch: u32,
    /// Functions, globals and shared arrays.
    pub(super) symbols: FxHashSet<&'a str>,
    pub(super) functions: Vec<Function<'a>>,
}

/// A definition of a function or kernel.
#[derive(Default)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    /// Registers declared, by prefix: how many, and their type.
    pub(super) registers: FxHashMap<&'a str, (u32, &'a str)>,
    /// Parameters, arrays, parameters of calls.
    pub(super) symbols: FxHashSet<&'a str>,
    /// Labels of blocks, by the line after them.
    pub(super) labels: FxHashMap<&'a str, usize>,
    /// Tables of targets.
    pub(super) tables: FxHashMap<&'a str, Vec<&'a str>>,
    /// Prototypes of calls through pointers.
    pub(super) prototypes: FxHashSet<&'a str>,
    /// What is executed, and the labels in it, with line numbers.
    pub(super) lines: Vec<(usize, Line<'a>)>,
}

/// A line of a function.
pub(super) enum Line<'a> {
    Label(&'a str),
    Inst(Inst<'a>),
}

impl<'a> Line<'a> {
    pub(super) fn inst(&self) -> Option<&Inst<'a>> {
        match self {
            Line::Label(_) => None,
            Line::Inst(inst) => Some(inst),
        }
    }
}

/// The value of a predicate under which an instruction is executed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Guard<'a> {
    pub(super) register: &'a str,
    pub(super) value: bool,
}

/// An instruction.
pub(super) struct Inst<'a> {
    /// `@%p` or `@!%p`.
    pub(super) guard: Option<Guard<'a>>,
    /// Name and modifiers.
    pub(super) mnemonic: &'a str,
    /// Operands; groups in braces or parentheses and addresses are one each.
    pub(super) operands: Vec<&'a str>,
}

/// Reads a module.
pub(super) fn module(text: &str) -> Result<Module<'_>, Problem> {
    let mut module =
        Module { version: (0, 0), arch: 0, symbols: FxHashSet::default(), functions: Vec::new() };
    let mut function: Option<Function<'_>> = None;
    let mut head: Option<Function<'_>> = None;
    for (index, raw) in text.lines().enumerate() {
        let number = index + 1;
        let line = without_comment(raw).trim();
        if line.is_empty() {
            continue;
        }
        if let Some(open) = &mut function {
            if raw == "}" {
                module.functions.extend(function.take());
            } else {
                statement(open, number, line)?;
            }
            continue;
        }
        if line == "{" {
            function = Some(head.take().unwrap_or_default());
        } else if let Some(version) = line.strip_prefix(".version ") {
            module.version = version
                .split_once('.')
                .and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)))
                .ok_or_else(|| Problem::new(number, "no version"))?;
        } else if let Some(target) = line.strip_prefix(".target sm_") {
            module.arch = target.parse().map_err(|_| Problem::new(number, "no architecture"))?;
        } else if line.contains(".func ") || line.contains(".entry ") {
            let name = callee_name(line).unwrap_or_default();
            module.symbols.insert(name);
            let mut next = Function { name, ..Function::default() };
            line.split(['(', ')', ',']).for_each(|part| declare(&mut next.symbols, part));
            head = Some(next);
        } else if line.trim_start_matches(".visible ").starts_with(".global ") || line.starts_with(".shared ")
        {
            declare(&mut module.symbols, line);
        } else if let (true, Some(head)) = (line.starts_with(".param "), &mut head) {
            declare(&mut head.symbols, line);
        }
    }
    Ok(module)
}

/// A line less its comment; quotes do not occur inside functions, and `//` in a file's name is behind a quote.
fn without_comment(line: &str) -> &str {
    match line.find("//") {
        Some(at) if !line[..at].contains('"') => &line[..at],
        _ => line,
    }
}

/// The name in `.func (RESULT) NAME(...)` or `.visible .entry NAME(`.
fn callee_name(line: &str) -> Option<&str> {
    let after = line.split_once(".func ").or_else(|| line.split_once(".entry "))?.1;
    let after = match after.strip_prefix('(') {
        Some(result) => result.split_once(") ")?.1,
        None => after,
    };
    after.split('(').next()
}

/// Notes the name that a declaration declares: its last word, less the array's size.
fn declare<'a>(symbols: &mut FxHashSet<&'a str>, declaration: &'a str) {
    let declaration = declaration.split(" = ").next().unwrap_or_default().trim_end_matches([';', ',']);
    if !declaration.trim_start().starts_with('.') {
        return;
    }
    if let Some(name) = declaration.split_whitespace().next_back() {
        symbols.insert(name.split('[').next().unwrap_or(name));
    }
}

fn statement<'a>(function: &mut Function<'a>, number: usize, line: &'a str) -> Result<(), Problem> {
    if matches!(line, "{" | "}") || line.starts_with(".loc ") {
        return Ok(());
    }
    if let Some(declaration) = line.strip_prefix(".reg .") {
        let mut words = declaration.trim_end_matches(';').split_whitespace();
        let (ty, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (prefix, count) = name
            .strip_suffix('>')
            .and_then(|name| name.split_once('<'))
            .ok_or_else(|| Problem::new(number, "a declaration of registers without their number"))?;
        let count = count.parse().map_err(|_| Problem::new(number, "registers without number"))?;
        function.registers.insert(prefix, (count, ty));
        return Ok(());
    }
    if line.starts_with(".local ") || line.starts_with(".shared ") || line.starts_with(".param ") {
        declare(&mut function.symbols, line);
        return Ok(());
    }
    if let Some((prototype, _)) = line.split_once(": .callprototype") {
        function.prototypes.insert(prototype);
        return Ok(());
    }
    if let Some(targets) = line.strip_prefix(".branchtargets ") {
        // The label of the table stands on the line before.
        if let Some((_, Line::Label(table))) = function.lines.pop() {
            function.labels.remove(table);
            let targets = targets.trim_end_matches(';').split(", ").collect();
            function.tables.insert(table, targets);
        }
        return Ok(());
    }
    if let Some(label) = line.strip_suffix(':') {
        function.lines.push((number, Line::Label(label)));
        if function.labels.insert(label, function.lines.len()).is_some() {
            return Err(Problem::new(number, format!("label {label} stands twice")));
        }
        return Ok(());
    }
    let text = line.strip_suffix(';').ok_or_else(|| Problem::new(number, "no semicolon"))?;
    function.lines.push((number, Line::Inst(instruction(text))));
    Ok(())
}

fn instruction(text: &str) -> Inst<'_> {
    let (guard, text) = match text.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
        Some((guard, rest)) => {
            (Some(Guard { register: guard.trim_start_matches('!'), value: !guard.starts_with('!') }), rest)
        }
        None => (None, text),
    };
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
    Inst { guard, mnemonic, operands: split_operands(operands) }
}

/// Splits at the commas outside of brackets.
fn split_operands(text: &str) -> Vec<&str> {
    let (mut operands, mut depth, mut start) = (Vec::new(), 0u32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                operands.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        operands.push(text[start..].trim());
    }
    operands
}

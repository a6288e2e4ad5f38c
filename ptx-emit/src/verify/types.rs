//! Operands: what instructions expect, and what stands there.

use super::Problem;
use super::read::{Function, Inst, Module};

/// What an operand must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Pred,
    Word,
    Double,
    F32,
    F64,
    /// 32 bits of any kind, or 64 bits.
    Bits(u32),
    /// An address in brackets.
    Address,
    /// A name: of a label, a table, a function.
    Name,
    /// Registers in braces, or parameters in parentheses.
    Group,
}

/// The registers that hold a value of a type.
fn kind_of(ty: &str) -> Option<Kind> {
    Some(match ty {
        "pred" => Kind::Pred,
        "u8" | "s8" | "b8" | "u16" | "s16" | "b16" | "u32" | "s32" | "b32" => Kind::Word,
        "u64" | "s64" | "b64" => Kind::Double,
        "f32" => Kind::F32,
        "f64" => Kind::F64,
        _ => return None,
    })
}

/// Types among the modifiers, in order.
fn types<'a>(mnemonic: &'a str) -> impl DoubleEndedIterator<Item = Kind> + 'a {
    mnemonic.split('.').filter_map(kind_of)
}

/// What the operands of an instruction must be; `None` for one that is not known.
fn expected(inst: &Inst<'_>) -> Option<Vec<Kind>> {
    let name = inst.mnemonic.split('.').next().unwrap_or_default();
    let last = || types(inst.mnemonic).next_back();
    let first = || types(inst.mnemonic).next();
    let has = |modifier: &str| inst.mnemonic.split('.').any(|part| part == modifier);
    let bits = |kind: Kind| match kind {
        Kind::Word => Kind::Bits(32),
        Kind::Double => Kind::Bits(64),
        other => other,
    };
    Some(match name {
        "add" | "sub" | "div" | "rem" | "min" | "max" | "and" | "or" | "xor" | "copysign" => vec![last()?; 3],
        "mul" if has("wide") => vec![Kind::Double, last()?, last()?],
        "mul" => vec![last()?; 3],
        "mad" if has("wide") => vec![Kind::Double, last()?, last()?, Kind::Double],
        "mad" | "fma" => vec![last()?; 4],
        "neg" | "abs" | "not" | "sqrt" | "rcp" | "brev" => vec![last()?; 2],
        "clz" | "popc" => vec![Kind::Word, last()?],
        "prmt" => vec![Kind::Word; 4],
        "shl" | "shr" => vec![last()?, last()?, Kind::Word],
        "setp" => vec![Kind::Pred, last()?, last()?],
        "selp" => vec![last()?, last()?, last()?, Kind::Pred],
        "cvt" => vec![first()?, last()?],
        "cvta" => vec![Kind::Double; 2],
        "isspacep" => vec![Kind::Pred, Kind::Double],
        "mov" if inst.operands.iter().any(|operand| operand.starts_with('{')) => {
            let side = |operand: &&str| {
                if operand.starts_with('{') { Kind::Group } else { Kind::Bits(64) }
            };
            inst.operands.iter().map(side).collect()
        }
        "mov" if has("b32") || has("b64") => vec![bits(last()?); 2],
        "mov" => vec![last()?; 2],
        "ld" => vec![last()?, Kind::Address],
        "st" => vec![Kind::Address, last()?],
        "atom" if has("cas") => vec![last()?, Kind::Address, last()?, last()?],
        "atom" => vec![last()?, Kind::Address, last()?],
        "red" => vec![Kind::Address, last()?],
        "shfl" => vec![Kind::Word; 5],
        "redux" => vec![Kind::Word; 3],
        "bar" if has("warp") => vec![Kind::Word],
        "bar" | "barrier" => vec![Kind::Word; inst.operands.len().clamp(1, 2)],
        "mbarrier" if has("init") => vec![Kind::Address, Kind::Word],
        "mbarrier" if has("arrive") => vec![Kind::Double, Kind::Address],
        "mbarrier" => vec![Kind::Pred, Kind::Address, Kind::Double],
        "nanosleep" => vec![Kind::Word],
        "alloca" => vec![Kind::Double, Kind::Double, Kind::Word],
        "stacksave" | "stackrestore" => vec![Kind::Double],
        "bra" => vec![Kind::Name],
        "brx" => vec![Kind::Word, Kind::Name],
        "call" => {
            let mut kinds = vec![Kind::Group; inst.operands.len()];
            for (kind, operand) in kinds.iter_mut().zip(&inst.operands) {
                if !operand.starts_with('(') {
                    *kind = if operand.starts_with('%') { Kind::Double } else { Kind::Name };
                }
            }
            kinds
        }
        "fence" | "ret" | "exit" | "trap" => Vec::new(),
        _ => return None,
    })
}

/// The type of a register by its declaration.
fn register_type<'a>(function: &Function<'a>, number: usize, name: &str) -> Result<&'a str, Problem> {
    let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
    let (prefix, index) = name.split_at(digits);
    let declared = function.registers.get(prefix);
    let index: Option<u32> = index.parse().ok();
    match (declared, index) {
        (Some((count, ty)), Some(index)) if index < *count => Ok(ty),
        _ => Err(Problem::new(number, format!("register {name} is not declared"))),
    }
}

/// Whether a name is that of a register that the hardware writes.
pub(super) fn is_special(name: &str) -> bool {
    let base = name.split('.').next().unwrap_or(name);
    matches!(base, "%tid" | "%ntid" | "%ctaid" | "%nctaid" | "%lanemask_lt" | "%lanemask_ge")
}

fn fits(kind: Kind, ty: &str) -> bool {
    match kind {
        Kind::Bits(32) => matches!(ty, "b32" | "f32"),
        Kind::Bits(_) => matches!(ty, "b64" | "f64"),
        other => kind_of(ty) == Some(other),
    }
}

/// Checks the operands of an instruction.
pub(super) fn check(
    module: &Module<'_>,
    function: &Function<'_>,
    number: usize,
    inst: &Inst<'_>,
) -> Result<(), Problem> {
    let kinds = expected(inst).ok_or_else(|| {
        Problem::new(number, format!("{} is no instruction that is written", inst.mnemonic))
    })?;
    if kinds.len() != inst.operands.len() {
        return Err(Problem::new(
            number,
            format!("{} has {} operands, not {}", inst.mnemonic, inst.operands.len(), kinds.len()),
        ));
    }
    if let Some(guard) = inst.guard
        && register_type(function, number, guard.register)? != "pred"
    {
        return Err(Problem::new(number, format!("{} guards, and is no predicate", guard.register)));
    }
    for (kind, operand) in kinds.iter().zip(&inst.operands) {
        operand_is(module, function, number, *kind, operand)?;
    }
    Ok(())
}

fn operand_is(
    module: &Module<'_>,
    function: &Function<'_>,
    number: usize,
    kind: Kind,
    operand: &str,
) -> Result<(), Problem> {
    let wrong = || Problem::new(number, format!("{operand} is not what is expected there"));
    let inner = || operand[1..operand.len().saturating_sub(1)].split(',').map(str::trim);
    match kind {
        Kind::Address => {
            let base = operand.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(wrong)?;
            let base = base.split('+').next().unwrap_or(base);
            if !base.starts_with('%') {
                return symbol(module, function, number, base);
            }
            if register_type(function, number, base)? == "b64" { Ok(()) } else { Err(wrong()) }
        }
        Kind::Name if operand.starts_with('$') && !module.symbols.contains(operand) => {
            let known = function.labels.contains_key(operand)
                || function.tables.contains_key(operand)
                || function.prototypes.contains(operand);
            if known { Ok(()) } else { Err(Problem::new(number, format!("there is no label {operand}"))) }
        }
        Kind::Name => symbol(module, function, number, operand),
        Kind::Group if operand.starts_with('{') => {
            inner().try_for_each(|part| operand_is(module, function, number, Kind::Word, part))
        }
        Kind::Group => inner()
            .filter(|part| !part.is_empty())
            .try_for_each(|part| symbol(module, function, number, part)),
        _ if is_special(operand) => Ok(()),
        _ if operand.starts_with('%') => {
            if fits(kind, register_type(function, number, operand)?) {
                Ok(())
            } else {
                Err(wrong())
            }
        }
        Kind::F32 => {
            if operand.starts_with("0f") {
                Ok(())
            } else {
                Err(wrong())
            }
        }
        Kind::F64 => {
            if operand.starts_with("0d") {
                Ok(())
            } else {
                Err(wrong())
            }
        }
        _ if operand.starts_with(|c: char| c.is_ascii_digit() || c == '-') => Ok(()),
        Kind::Double | Kind::Bits(_) => symbol(module, function, number, operand),
        Kind::Pred | Kind::Word => Err(wrong()),
    }
}

fn symbol(module: &Module<'_>, function: &Function<'_>, number: usize, name: &str) -> Result<(), Problem> {
    if function.symbols.contains(name) || module.symbols.contains(name) {
        return Ok(());
    }
    Err(Problem::new(number, format!("{name} is not declared")))
}

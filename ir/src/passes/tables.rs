//! Reads constant tables while compiling.
//!
//! Before: regions are functions, short loops are written out, so that subscripts of tables such as `static
//! const int step[9]` are constants; in a region the table is mapped, and its slot stands for that. After: a
//! load at a constant place of an object that nothing ever writes is the value that the object is initialised
//! with, and what follows from that is folded. Clauses stay, and with them what launches pass.

use super::env::Env;
use super::fold::fold;
use crate::acc::LaunchArg;
use crate::entities::{Func, Global, Slot};
use crate::function::{Body, SlotKind};
use crate::module::{Init, Module};
use crate::op::{Op, Operand};
use crate::report::PassError;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// Which constant object each parameter of a region is the address of; `None` where launches disagree.
type Passed = FxHashMap<(Func, usize), Option<Global>>;

/// Runs the pass.
pub fn run(module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    let passed = passed(module);
    for func in module.functions.keys().collect::<Vec<_>>() {
        let function = &module.functions[func];
        if !function.is_device_code() {
            continue;
        }
        let Some(mut body) = module.functions[func].body.take() else { continue };
        if read(module, &mut body, |param| passed.get(&(func, param)).copied().flatten()) {
            fold(&mut body, false);
        }
        module.functions[func].body = Some(body);
    }
    Ok(())
}

fn passed(module: &Module) -> Passed {
    let mut passed = Passed::default();
    let bodies = module.functions.values().filter_map(|function| function.body.as_deref());
    let insts = bodies.flat_map(|body| body.order.iter().flat_map(|&block| &body.blocks[block].insts));
    for inst in insts {
        let Op::Launch(launch) = &inst.op else { continue };
        for (param, arg) in launch.args.iter().enumerate() {
            let object = match arg {
                LaunchArg::Map(map) => {
                    launch.maps.get(*map as usize).and_then(|map| match (map.var, map.start) {
                        (Some(var), start) if var == start => Some(var),
                        _ => None,
                    })
                }
                LaunchArg::Value(_) => None,
            };
            let table = match object {
                Some(Operand::Global(global)) if is_table(module, global) => Some(global),
                _ => None,
            };
            passed
                .entry((launch.region, param))
                .and_modify(|known| *known = known.filter(|_| *known == table))
                .or_insert(table);
        }
    }
    passed
}

/// Whether an object keeps a value that is known.
fn is_table(module: &Module, global: Global) -> bool {
    let data = &module.globals[global];
    let is_known = match &data.init {
        Init::Bytes(_, relocations) => relocations.is_empty(),
        Init::Zero => true,
        Init::Extern => false,
    };
    data.constant && is_known && !data.thread_local
}

/// Makes constants of loads from constant objects that code names; whether there were any.
pub(super) fn read_objects(module: &Module, body: &mut Body) -> bool {
    read(module, body, |_| None)
}

/// Makes constants of loads from tables; whether there were any.
fn read(module: &Module, body: &mut Body, passed: impl Fn(usize) -> Option<Global>) -> bool {
    let of_slot = |body: &Body, slot: Slot| match body.slots[slot].kind {
        SlotKind::Mapped(address) => body.params.iter().position(|&param| param == address).and_then(&passed),
        _ => None,
    };
    let mut changed = false;
    for block in body.order.clone() {
        for at in 0..body.blocks[block].insts.len() {
            let Op::Load { dst, addr, access } = body.blocks[block].insts[at].op else { continue };
            let table = match addr.base {
                Operand::Global(global) => Some(global).filter(|&global| is_table(module, global)),
                Operand::Slot(slot) => of_slot(body, slot),
                _ => None,
            };
            let value = table.and_then(|table| value(module, table, addr.offset, body.locals[dst].ty));
            if let Some(src) = value.filter(|_| !access.volatile) {
                body.blocks[block].insts[at].op = Op::Copy { dst, src };
                changed = true;
            }
        }
    }
    changed
}

/// The constant of a type at a place of a table.
fn value(module: &Module, table: Global, offset: i64, ty: Type) -> Option<Operand> {
    let data = &module.globals[table];
    let (size, start) = (ty.bytes() as usize, usize::try_from(offset).ok()?);
    let end = start.checked_add(size)?;
    if u64::try_from(end).ok()? > data.size {
        return None;
    }
    let known: &[u8] = match &data.init {
        Init::Bytes(bytes, _) => bytes,
        Init::Zero | Init::Extern => &[],
    };
    let mut bytes = [0; 8];
    for (to, at) in bytes.get_mut(..size)?.iter_mut().zip(start..) {
        *to = known.get(at).copied().unwrap_or(0);
    }
    let bits = u64::from_le_bytes(bytes);
    let signed = |bits_of: u32| ((bits << (64 - bits_of)) as i64) >> (64 - bits_of);
    Some(match ty {
        Type::F32 => Operand::F32(bits as u32),
        Type::F64 => Operand::F64(bits),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => Operand::Int(ty, signed(ty.bytes() * 8)),
        _ => return None,
    })
}

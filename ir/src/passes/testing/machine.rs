//! An interpreter of the part of the IR that tests of passes need: integers of up to 64 bits, slots,
//! launches.

use crate::acc::{Launch, LaunchArg, PassHow};
use crate::entities::{Global, Local, Slot};
use crate::function::{Body, FunctionKind};
use crate::module::Module;
use crate::op::{Address, BinaryOp, CmpOp, ConvertOp, Op, Operand, Terminator, UnaryOp};
use crate::types::Type;
use std::collections::BTreeMap;

/// Memory, shared by all calls. Slots get addresses on first use.
pub struct Machine<'a> {
    module: &'a Module,
    memory: BTreeMap<u64, u8>,
    top: u64,
    globals: BTreeMap<Global, u64>,
    /// Steps left before the machine gives up.
    pub fuel: u64,
}

struct Frame<'a> {
    body: &'a Body,
    locals: BTreeMap<Local, u64>,
    slots: BTreeMap<Slot, u64>,
}

impl<'a> Machine<'a> {
    pub fn new(module: &'a Module) -> Machine<'a> {
        Machine { module, memory: BTreeMap::new(), top: 0x1000, globals: BTreeMap::new(), fuel: 10_000_000 }
    }

    fn allocate(&mut self, bytes: u64) -> u64 {
        let at = self.top;
        self.top += bytes.next_multiple_of(16) + 16;
        at
    }

    /// The address of a global.
    pub fn global(&mut self, global: Global) -> u64 {
        match self.globals.get(&global) {
            Some(&at) => at,
            None => {
                let at = self.allocate(self.module.globals[global].size);
                self.globals.insert(global, at);
                at
            }
        }
    }

    /// Reads memory, sign-extended.
    pub fn read(&self, at: u64, ty: Type) -> u64 {
        let bytes = u64::from(ty.bytes());
        let value = (0..bytes).rev().fold(0, |value, n| value << 8 | u64::from(self.byte(at + n)));
        extend(ty, value)
    }

    fn byte(&self, at: u64) -> u8 {
        self.memory.get(&at).copied().unwrap_or(0xa5)
    }

    /// Writes memory.
    pub fn write(&mut self, at: u64, ty: Type, value: u64) {
        for n in 0..u64::from(ty.bytes()) {
            self.memory.insert(at + n, (value >> (8 * n)) as u8);
        }
    }

    /// Calls a function by name.
    pub fn call(&mut self, name: &str, args: &[u64]) {
        let module = self.module;
        let function = module.functions.values().find(|f| &*f.name == name).expect("the function");
        let body = function.body.as_deref().expect("a body");
        let locals = body.params.iter().copied().zip(args.iter().copied()).collect();
        let mut frame = Frame { body, locals, slots: BTreeMap::new() };
        let mut block = body.entry();
        loop {
            let data = &body.blocks[block];
            data.insts.iter().for_each(|inst| self.step(&mut frame, &inst.op));
            match &data.term {
                Terminator::Jump(to) => block = *to,
                Terminator::Branch { cond, then, otherwise } => {
                    block = if self.value(&mut frame, *cond) != 0 { *then } else { *otherwise };
                }
                Terminator::Return(_) => return,
                other => panic!("cannot execute {other:?}"),
            }
            self.fuel = self.fuel.checked_sub(1).expect("the program ends");
        }
    }

    fn value(&mut self, frame: &mut Frame<'_>, operand: Operand) -> u64 {
        match operand {
            Operand::Local(local) => frame.locals.get(&local).copied().unwrap_or(0xdead_beef),
            Operand::Slot(slot) => match frame.slots.get(&slot) {
                Some(&at) => at,
                None => {
                    let at = self.allocate(frame.body.slots[slot].size);
                    frame.slots.insert(slot, at);
                    at
                }
            },
            Operand::Global(global) => self.global(global),
            Operand::Int(_, value) => value as u64,
            Operand::Func(_) | Operand::F32(_) | Operand::F64(_) => panic!("cannot evaluate {operand:?}"),
        }
    }

    fn address(&mut self, frame: &mut Frame<'_>, addr: Address) -> u64 {
        self.value(frame, addr.base).wrapping_add(addr.offset as u64)
    }

    fn step(&mut self, frame: &mut Frame<'_>, op: &Op) {
        let body = frame.body;
        let (dst, value) = match *op {
            Op::Copy { dst, src } => (dst, self.value(frame, src)),
            Op::Unary { dst, op, src } => {
                let (ty, value) = (body.operand_type(src), self.value(frame, src));
                let value = match op {
                    UnaryOp::Neg => value.wrapping_neg(),
                    UnaryOp::Not => !value,
                    UnaryOp::Ctz => u64::from(value.trailing_zeros().min(ty.bytes() * 8)),
                    other => panic!("cannot execute {other:?}"),
                };
                (dst, value)
            }
            Op::Binary { dst, op, a, b } => {
                let ty = body.operand_type(a);
                let (a, b) = (self.value(frame, a), self.value(frame, b));
                (dst, binary(op, ty, a, b))
            }
            Op::Compare { dst, op, a, b } => {
                let ty = body.operand_type(a);
                let (a, b) = (self.value(frame, a), self.value(frame, b));
                (dst, u64::from(compare(op, ty, a, b)))
            }
            Op::Convert { dst, op, src } => {
                let (ty, value) = (body.operand_type(src), self.value(frame, src));
                (dst, if op == ConvertOp::ZExt { zero_extend(ty, value) } else { value })
            }
            Op::Select { dst, cond, a, b } => {
                let (cond, a, b) = (self.value(frame, cond), self.value(frame, a), self.value(frame, b));
                (dst, if cond != 0 { a } else { b })
            }
            Op::Index { dst, base, index, scale, offset, extent: _ } => {
                let (base, index) = (self.value(frame, base), self.value(frame, index));
                (dst, base.wrapping_add(index.wrapping_mul(scale as u64)).wrapping_add(offset as u64))
            }
            Op::Load { dst, addr, .. } => {
                let at = self.address(frame, addr);
                (dst, self.read(at, body.locals[dst].ty))
            }
            Op::Store { ty, addr, src, .. } => {
                let (at, value) = (self.address(frame, addr), self.value(frame, src));
                return self.write(at, ty, value);
            }
            Op::MemCopy { dst, src, bytes, .. } => {
                let (to, from) = (self.address(frame, dst), self.address(frame, src));
                for n in 0..self.value(frame, bytes) {
                    let byte = self.byte(from + n);
                    self.memory.insert(to + n, byte);
                }
                return;
            }
            Op::StackAlloc { dst, bytes, .. } => {
                let bytes = self.value(frame, bytes);
                (dst, self.allocate(bytes))
            }
            Op::StackSave { dst, .. } => (dst, 0),
            Op::StackRestore { .. } => return,
            Op::Launch(ref launch) => return self.launch(frame, launch),
            ref other => panic!("cannot execute {other:?}"),
        };
        frame.locals.insert(dst, extend(body.locals[dst].ty, value));
    }

    /// Runs a region on shared memory.
    fn launch(&mut self, frame: &mut Frame<'_>, launch: &Launch) {
        let region = &self.module.functions[launch.region];
        let FunctionKind::Region(table) = &region.kind else { panic!("no region") };
        let mut args = Vec::new();
        for (arg, param) in launch.args.iter().zip(&table.params) {
            args.push(match *arg {
                LaunchArg::Value(value) => self.value(frame, value),
                LaunchArg::Map(index) => {
                    let map = &launch.maps[index as usize];
                    let start = self.value(frame, map.start);
                    match (param.how, map.pointer_bias) {
                        (PassHow::Pointer, Some(bias)) => start.wrapping_sub(self.value(frame, bias)),
                        _ => start,
                    }
                }
            });
        }
        let name = region.name.clone();
        self.call(&name, &args);
    }
}

fn extend(ty: Type, value: u64) -> u64 {
    match ty.int_bits() {
        Some(1) => value & 1,
        Some(bits) if bits < 64 => ((value as i64) << (64 - bits) >> (64 - bits)) as u64,
        _ => value,
    }
}

fn zero_extend(ty: Type, value: u64) -> u64 {
    match ty.int_bits() {
        Some(bits) if bits < 64 => value & ((1 << bits) - 1),
        _ => value,
    }
}

fn binary(op: BinaryOp, ty: Type, a: u64, b: u64) -> u64 {
    let (x, y) = (zero_extend(ty, a), zero_extend(ty, b));
    let shift = (y % u64::from(ty.bytes() * 8)) as u32;
    match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => x.checked_div(y).expect("no division by zero"),
        BinaryOp::SDiv => {
            (a as i64).checked_div(b as i64).expect("no division by zero, nor an overflow") as u64
        }
        BinaryOp::SRem => {
            (a as i64).checked_rem(b as i64).expect("no division by zero, nor an overflow") as u64
        }
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a << shift,
        BinaryOp::LShr => x >> shift,
        BinaryOp::SMax => (a as i64).max(b as i64) as u64,
        BinaryOp::SMin => (a as i64).min(b as i64) as u64,
        BinaryOp::UMax => x.max(y),
        BinaryOp::UMin => x.min(y),
        other => panic!("cannot execute {other:?}"),
    }
}

fn compare(op: CmpOp, ty: Type, a: u64, b: u64) -> bool {
    let (x, y) = (zero_extend(ty, a), zero_extend(ty, b));
    let (a, b) = (a as i64, b as i64);
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Lt => a < b,
        CmpOp::Le => a <= b,
        CmpOp::Gt => a > b,
        CmpOp::Ge => a >= b,
        CmpOp::ULt => x < y,
        CmpOp::ULe => x <= y,
        CmpOp::UGt => x > y,
        CmpOp::UGe => x >= y,
        CmpOp::Unordered => false,
    }
}

//! Printing of operations, operands and terminators.

use super::names::Named;
use super::print::{Offset, PrintOptions, Printer, w};
use super::print_acc::LoopOrOuter;
use crate::acc::Level;
use crate::entities::{Loop, Sig};
use crate::function::Body;
use crate::module::Module;
use crate::op::{Access, Address, Callee, Op, Operand, Space, Terminator};
use crate::types::Type;
use std::fmt::Write;

/// One operation as it stands in the text form, without its position.
pub fn inst_text(module: &Module, body: &Body, op: &Op) -> String {
    let mut printer = Printer::new(module, Some(body), PrintOptions { positions: false });
    printer.op(op);
    printer.out
}

/// One terminator as it stands in the text form, without its position.
pub fn terminator_text(module: &Module, body: &Body, term: &Terminator) -> String {
    let mut printer = Printer::new(module, Some(body), PrintOptions { positions: false });
    printer.terminator(term);
    printer.out
}

impl Printer<'_> {
    pub(super) fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Local(local) => {
                w!(self, "{}", self.local(local));
            }
            Operand::Slot(slot) => {
                w!(self, "{}", self.slot(slot));
            }
            Operand::Global(global) => {
                w!(self, "{}", self.global(global));
            }
            Operand::Func(func) => {
                w!(self, "{}", self.func(func));
            }
            Operand::Int(Type::I1, 0) => self.out.push_str("false"),
            Operand::Int(Type::I1, 1) => self.out.push_str("true"),
            Operand::Int(Type::Ptr, 0) => self.out.push_str("null"),
            Operand::Int(ty, value) => {
                w!(self, "{value}{ty}");
            }
            Operand::F32(bits) => match f32::from_bits(bits) {
                value if value.is_finite() => {
                    w!(self, "{value:?}f32");
                }
                _ => {
                    w!(self, "f32.0x{bits:08x}");
                }
            },
            Operand::F64(bits) => match f64::from_bits(bits) {
                value if value.is_finite() => {
                    w!(self, "{value:?}f64");
                }
                _ => {
                    w!(self, "f64.0x{bits:016x}");
                }
            },
        }
    }

    fn operands(&mut self, operands: &[Operand]) {
        self.list(operands, |p, operand| p.operand(*operand));
    }

    pub(super) fn address(&mut self, address: Address) {
        self.out.push('[');
        self.operand(address.base);
        w!(self, "{}]", Offset(address.offset));
    }

    fn access(&mut self, ty: Option<Type>, access: Access) {
        if ty.map(Type::align) != Some(access.align) {
            w!(self, " align {}", access.align);
        }
        match access.space {
            Space::Generic => {}
            space @ (Space::Global | Space::Shared | Space::Local | Space::Param) => {
                w!(self, " {}", space.spelling());
            }
        }
        self.flag(access.volatile, "volatile");
        self.flag(!access.typed, "untyped");
    }

    /// `mnemonic a, b`.
    fn simple(&mut self, mnemonic: &str, operands: &[Operand]) {
        w!(self, "{mnemonic} ");
        self.operands(operands);
    }

    /// `mnemonic.type [address], a, b`.
    fn memory(&mut self, mnemonic: &str, ty: Type, addr: Address, operands: &[Operand]) {
        w!(self, "{mnemonic}.{ty} ");
        self.address(addr);
        for operand in operands {
            self.out.push_str(", ");
            self.operand(*operand);
        }
    }

    pub(super) fn op(&mut self, op: &Op) {
        if let Some(dst) = op.dst() {
            w!(self, "{} = ", self.local(dst));
        }
        match op {
            Op::Copy { src, .. } => self.simple("copy", &[*src]),
            Op::Unary { op, src, .. } => self.simple(op.spelling(), &[*src]),
            Op::Binary { op, a, b, .. } => self.simple(op.spelling(), &[*a, *b]),
            Op::Compare { op, a, b, .. } => {
                w!(self, "cmp.{} ", op.spelling());
                self.operands(&[*a, *b]);
            }
            Op::Convert { op, src, .. } => {
                w!(self, "convert.{} ", op.spelling());
                self.operand(*src);
            }
            Op::Select { cond, a, b, .. } => self.simple("select", &[*cond, *a, *b]),
            Op::Fma { a, b, c, .. } => self.simple("fma", &[*a, *b, *c]),
            Op::Index { base, index, scale, offset, extent, .. } => {
                self.simple("index", &[*base]);
                self.out.push_str(" + ");
                self.operand(*index);
                w!(self, " * {scale}{}", Offset(*offset));
                if let Some(extent) = extent {
                    w!(self, " below {extent}");
                }
            }
            Op::Load { dst, addr, access } => {
                self.out.push_str("load ");
                self.address(*addr);
                let ty = self.body.and_then(|body| body.locals.get(*dst)).map(|data| data.ty);
                self.access(ty, *access);
            }
            Op::Store { ty, addr, src, access } => {
                self.memory("store", *ty, *addr, &[*src]);
                self.access(Some(*ty), *access);
            }
            Op::MemCopy { dst, src, bytes, align } => {
                self.out.push_str("mem_copy ");
                self.address(*dst);
                self.out.push_str(", ");
                self.address(*src);
                self.out.push_str(", ");
                self.operand(*bytes);
                w!(self, " align {align}");
            }
            Op::MemSet { dst, value, bytes, align } => {
                self.out.push_str("mem_set ");
                self.address(*dst);
                self.out.push_str(", ");
                self.operands(&[*value, *bytes]);
                w!(self, " align {align}");
            }
            Op::AtomicRmw { op, ty, addr, value, reversed, result_new, .. } => {
                w!(self, "atomic_rmw.{}", op.spelling());
                self.memory("", *ty, *addr, &[*value]);
                self.flag(*reversed, "reversed");
                self.flag(*result_new, "result_new");
            }
            Op::AtomicSwap { ty, addr, value, .. } => self.memory("atomic_swap", *ty, *addr, &[*value]),
            Op::AtomicCas { ty, addr, expected, desired, .. } => {
                self.memory("atomic_cas", *ty, *addr, &[*expected, *desired]);
            }
            Op::AtomicLoad { addr, .. } => {
                self.out.push_str("atomic_load ");
                self.address(*addr);
            }
            Op::AtomicStore { ty, addr, src } => self.memory("atomic_store", *ty, *addr, &[*src]),
            Op::Call { callee, sig, args, dest, .. } => self.call(*callee, *sig, args, *dest),
            Op::StackAlloc { bytes, align, each, .. } => {
                self.simple("stack_alloc", &[*bytes]);
                w!(self, " align {align}");
                self.flag(*each, "each");
            }
            Op::StackSave { each, .. } => {
                self.out.push_str("stack_save");
                self.flag(*each, "each");
            }
            Op::StackRestore { saved, each } => {
                self.simple("stack_restore", &[*saved]);
                self.flag(*each, "each");
            }
            Op::VaStart { list } => self.simple("va_start", &[*list]),
            Op::VaArg { list, .. } => self.simple("va_arg", &[*list]),
            Op::VaArgAggregate { list, agg, .. } => {
                self.simple("va_arg_aggregate", &[*list]);
                w!(self, ", {agg}");
            }
            Op::VaCopy { dst, src } => self.simple("va_copy", &[*dst, *src]),
            Op::Fence => self.out.push_str("fence"),
            Op::Trap => self.out.push_str("trap"),
            Op::FrameAddress { level, return_address, .. } => {
                w!(self, "{} {level}", if *return_address { "return_address" } else { "frame_address" });
            }
            Op::ExtractLane { src, lane, .. } => {
                self.simple("extract_lane", &[*src]);
                w!(self, ", {lane}");
            }
            Op::InsertLane { src, value, lane, .. } => {
                self.simple("insert_lane", &[*src, *value]);
                w!(self, ", {lane}");
            }
            Op::Widen { src, half, signed, .. } => {
                self.simple(if *signed { "swiden" } else { "uwiden" }, &[*src]);
                w!(self, ", {half}");
            }
            Op::Narrow { a, b, signed, .. } => {
                self.simple(if *signed { "snarrow" } else { "unarrow" }, &[*a, *b]);
            }
            Op::Launch(launch) => self.launch(launch),
            Op::Data(data) => self.data(data),
            Op::HeadMark { loop_, inner } => {
                w!(self, "head_mark {loop_}{}", if *inner { " inner" } else { "" });
            }
            Op::TailMark { loop_, inner } => {
                w!(self, "tail_mark {loop_}{}", if *inner { " inner" } else { "" });
            }
            Op::Fork { level, loop_ } => self.level_and_loop("fork", *level, *loop_),
            Op::Join { level, loop_ } => self.level_and_loop("join", *level, *loop_),
            Op::Reduction(reduction) => self.reduction(reduction),
            Op::Lock { level, loop_ } => {
                w!(self, "lock {level}, {}", LoopOrOuter(*loop_));
            }
            Op::Unlock { level, loop_ } => {
                w!(self, "unlock {level}, {}", LoopOrOuter(*loop_));
            }
            Op::DimSize { level, .. } => {
                w!(self, "dim_size {level}");
            }
            Op::DimPos { level, .. } => {
                w!(self, "dim_pos {level}");
            }
            Op::OnDevice { device, .. } => self.simple("on_device", &[*device]),
            Op::Barrier { level } => {
                w!(self, "barrier {level}");
            }
            Op::Meet { any, .. } => self.simple("meet", &[*any]),
            Op::LastGang { .. } => self.out.push_str("last_gang"),
            Op::Instance { slot, gang, .. } => self.simple("instance", &[*slot, *gang]),
            Op::LaneReduce { op, src, .. } => self.simple(&format!("lane_reduce.{}", op.spelling()), &[*src]),
            Op::Shuffle { src, by, mode, .. } => {
                self.simple(&format!("shuffle.{}", mode.spelling()), &[*src, *by]);
            }
            Op::LoopShare { share, loop_, trip, .. } => {
                w!(self, "loop_share.{} {loop_}, ", share.spelling());
                self.operand(*trip);
            }
        }
    }

    fn level_and_loop(&mut self, mnemonic: &str, level: Level, loop_: Option<Loop>) {
        w!(self, "{mnemonic} {level}");
        if let Some(loop_) = loop_ {
            w!(self, ", {loop_}");
        }
    }

    fn call(&mut self, callee: Callee, sig: Sig, args: &[Operand], dest: Option<Operand>) {
        match callee {
            Callee::Direct(func) => {
                w!(self, "call {}(", self.func(func));
            }
            Callee::Indirect(address) => {
                self.out.push_str("call *");
                self.operand(address);
                self.out.push('(');
            }
        }
        self.operands(args);
        w!(self, ") {sig}");
        if let Some(dest) = dest {
            self.out.push_str(" to ");
            self.operand(dest);
        }
    }

    pub(super) fn terminator(&mut self, term: &Terminator) {
        match term {
            Terminator::Jump(block) => {
                w!(self, "jump {block}");
            }
            Terminator::Branch { cond, then, otherwise } => {
                self.simple("branch", &[*cond]);
                w!(self, ", {then}, {otherwise}");
            }
            Terminator::Switch { value, cases, default } => {
                self.simple("switch", &[*value]);
                self.out.push_str(" {\n");
                for (low, high, block) in cases {
                    if low == high {
                        w!(self, "    {low}: {block}\n");
                    } else {
                        w!(self, "    {low}..={high}: {block}\n");
                    }
                }
                w!(self, "    default: {default}\n  }}");
            }
            Terminator::Return(Some(value)) => self.simple("return", &[*value]),
            Terminator::Return(None) => self.out.push_str("return"),
            Terminator::Unreachable => self.out.push_str("unreachable"),
        }
    }
}

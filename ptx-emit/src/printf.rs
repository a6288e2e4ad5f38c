//! Puts widths and precisions that are arguments of `printf` into its format.
//!
//! The driver's `vprintf` knows no `%.*f`. Before: calls of `printf` are as the program has them. After:
//! those with a literal format have none with `*`. Where the argument is a constant the format is another
//! literal, otherwise it is put together in memory of the thread by a function of the device library, piece
//! by piece: `"%-*.*f\n"` is `"%-"`, the width, a point and the precision, `"f\n"`. A width below zero needs
//! no care, as its sign is the flag that it stands for.

use crate::callee;
use crate::format::{self, Argument};
use accrue_ir::builder::Cursor;
use accrue_ir::{
    Address, Block, Body, Callee, ConvertOp, Func, GlobalData, Init, Inst, Linkage, Module, Op, Operand, Pos,
    SlotData, Type,
};

/// Function of the device library that adds a piece of a format and a size.
const PUT_SIZE: &str = "__accrue_put_size";

/// Most characters of an `int` and of a point in front of it.
const SIZE_CHARACTERS: u64 = 12;

/// Runs the pass on every body.
pub fn run(module: &mut Module) {
    let mut functions = module.functions.iter();
    let Some((printf, _)) =
        functions.find(|(_, function)| *function.name == *"printf" && function.body.is_none())
    else {
        return;
    };
    for func in module.functions.keys().collect::<Vec<_>>() {
        let Some(mut body) = module.functions[func].body.take() else { continue };
        for block in body.order.clone() {
            if body.blocks[block].insts.iter().any(|inst| is_call(&inst.op, printf)) {
                of_block(module, &mut body, block, printf);
            }
        }
        module.functions[func].body = Some(body);
    }
}

fn is_call(op: &Op, printf: Func) -> bool {
    matches!(*op, Op::Call { callee: Callee::Direct(called), .. } if called == printf)
}

fn of_block(module: &mut Module, body: &mut Body, block: Block, printf: Func) {
    for mut inst in std::mem::take(&mut body.blocks[block].insts) {
        if is_call(&inst.op, printf)
            && let Op::Call { args, .. } = &mut inst.op
            && let Some(parts) = Parts::of(module, args)
        {
            *args = parts.put_together(module, body, block, inst.pos);
        }
        body.blocks[block].insts.push(Inst { op: inst.op, pos: inst.pos });
    }
}

/// A width or a precision that is known at run time.
struct Size {
    /// Bytes of text in front of it, behind the size before.
    before: usize,
    value: Operand,
    is_precision: bool,
}

/// A call of `printf` without the arguments that are sizes.
struct Parts {
    /// The format without what is known at run time.
    text: Vec<u8>,
    sizes: Vec<Size>,
    /// The other arguments, and what happens to them.
    values: Vec<(Operand, Argument)>,
}

impl Parts {
    /// Of a call whose format is a literal with sizes among its arguments.
    fn of(module: &Module, args: &[Operand]) -> Option<Parts> {
        let (&format, rest) = args.split_first()?;
        // What cannot be printed is reported where text is written.
        let (bytes, conversions) = format::rewrite(format::literal(module, format)?).ok()?;
        let has_sizes = conversions.iter().any(|conversion| matches!(conversion, Argument::Size(_)));
        if !has_sizes || conversions.len() > rest.len() {
            return None;
        }
        let mut parts = Parts { text: Vec::new(), sizes: Vec::new(), values: Vec::new() };
        let (mut done, mut told) = (0, 0);
        for (index, &value) in rest.iter().enumerate() {
            let Some(&Argument::Size(at)) = conversions.get(index) else {
                parts.values.push((value, conversions.get(index).copied().unwrap_or(Argument::Plain)));
                continue;
            };
            parts.text.extend_from_slice(&bytes[done..at]);
            done = at + 1;
            let is_precision = parts.text.pop_if(|byte| *byte == b'.').is_some();
            match value.as_int() {
                Some(precision) if is_precision && precision < 0 => {}
                Some(size) => {
                    let point = if is_precision { "." } else { "" };
                    parts.text.extend_from_slice(format!("{point}{size}").as_bytes());
                }
                None => {
                    let before = parts.text.len() - told;
                    told = parts.text.len();
                    parts.sizes.push(Size { before, value, is_precision });
                }
            }
        }
        parts.text.extend_from_slice(&bytes[done..]);
        Some(parts)
    }

    /// The arguments of the call that has no sizes among them; code for them stands at the end of the block.
    fn put_together(self, module: &mut Module, body: &mut Body, block: Block, pos: Pos) -> Vec<Operand> {
        let Parts { text, sizes, values } = self;
        let length = text.len() as u64;
        let literal = GlobalData {
            linkage: Linkage::Internal,
            constant: true,
            pos,
            ..GlobalData::external(".format", length, 1, Init::Bytes(text.into(), Vec::new()))
        };
        let text = Operand::Global(module.globals.push(literal));
        let mut format = text;
        if !sizes.is_empty() {
            let characters = length + SIZE_CHARACTERS * sizes.len() as u64;
            format = Operand::Slot(body.slots.push(SlotData::frame(characters, 1, None)));
            let params = [Type::Ptr, Type::Ptr, Type::I64, Type::I32, Type::I32];
            let (put_size, sig) = callee::declare(module, PUT_SIZE, &params, Some(Type::Ptr), pos);
            let mut cursor = Cursor::with_pos(body, block, pos);
            let (mut end, mut done) = (format, 0);
            for Size { before, value, is_precision } in sizes {
                let piece = cursor.index(text, Operand::Int(Type::I64, 0), 1, done);
                let bytes = Operand::Int(Type::I64, before as i64);
                let is_precision = Operand::Int(Type::I32, is_precision.into());
                let args = vec![end, piece, bytes, value, is_precision];
                let next = cursor.call(Callee::Direct(put_size), sig, args, Some(Type::Ptr));
                done += before as i64;
                end = next.unwrap_or(end);
            }
            let rest = Operand::Int(Type::I64, length as i64 - done);
            cursor.mem_copy(Address::at(end), Address::at(text).plus(done), rest, 1);
        }
        let mut cursor = Cursor::with_pos(body, block, pos);
        let values = values.into_iter().map(|(value, argument)| narrowed(&mut cursor, value, argument));
        [format].into_iter().chain(values).collect()
    }
}

/// An argument as its conversion prints it.
fn narrowed(cursor: &mut Cursor<'_>, value: Operand, argument: Argument) -> Operand {
    let Argument::Narrow { bits, signed } = argument else { return value };
    if cursor.body.operand_type(value) != Type::I32 {
        return value;
    }
    let narrow = cursor.convert(ConvertOp::Trunc, if bits == 8 { Type::I8 } else { Type::I16 }, value);
    cursor.convert(if signed { ConvertOp::SExt } else { ConvertOp::ZExt }, Type::I32, narrow)
}

//! The System V x86-64 calling convention: where arguments and results live.
//!
//! Cranelift assigns integer and floating-point parameters to registers in order, each class by itself, and
//! spills to the stack what is left. That agrees with the ABI for scalars. It does not for values that must
//! be passed whole (an aggregate of two eightbytes with one register left goes to the stack, and a later
//! integer takes the register) nor for values with 16-byte alignment on the stack. So the assignment is made
//! here: register pieces come first in the Cranelift signature, in order, and if the stack holds anything but
//! plain scalars its whole argument area becomes one `StructArgument`, the *stack image*.

use accrue_ir::{Agg, AggregateLayout, Extend, Module, PassBy, Signature, Type};
use cranelift_codegen::ir::{self, AbiParam, ArgumentPurpose, types};
use cranelift_codegen::isa::CallConv;

/// Integer argument registers.
pub(crate) const GPRS: u32 = 6;
/// Vector argument registers.
pub(crate) const XMMS: u32 = 8;

/// A part of a value that travels in one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    /// Travels in a vector register.
    pub sse: bool,
    /// Byte offset in the value's memory image.
    pub offset: u32,
    /// Bytes of the image that belong to it: 1 to 8, or 16 for vectors.
    pub bytes: u32,
}

/// At most two pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pieces {
    list: [Option<Piece>; 2],
}

impl Pieces {
    fn push(&mut self, piece: Piece) {
        let free = if self.list[0].is_none() { 0 } else { 1 };
        self.list[free] = Some(piece);
    }

    /// The pieces in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Piece> {
        self.list.into_iter().flatten()
    }

    fn count(&self, sse: bool) -> u32 {
        self.iter().filter(|p| p.sse == sse).count() as u32
    }
}

/// How an aggregate is passed and returned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Nothing is passed: an empty struct.
    Empty,
    /// In registers.
    Registers(Pieces),
    /// In memory.
    Memory,
    /// One `long double`: in memory as an argument, in `st(0)` as a result.
    X87,
}

/// Classifies an aggregate.
pub(crate) fn classify(layout: &AggregateLayout) -> Class {
    if layout.size == 0 {
        return Class::Empty;
    }
    let unaligned = |&(offset, ty): &(u64, Type)| offset % u64::from(ty.align()) != 0;
    if layout.size > 16 || layout.leaves.iter().any(unaligned) {
        return Class::Memory;
    }
    if layout.leaves.iter().any(|&(_, ty)| ty == Type::F80) {
        return classify_with_x87(layout);
    }
    if let [(0, ty)] = layout.leaves[..]
        && ty.is_vector()
    {
        let mut pieces = Pieces::default();
        pieces.push(Piece { sse: true, offset: 0, bytes: 16 });
        return Class::Registers(pieces);
    }
    let mut pieces = Pieces::default();
    for eightbyte in 0..layout.size.div_ceil(8) {
        let start = eightbyte * 8;
        let end = (start + 8).min(layout.size);
        let inside = |&&(offset, ty): &&(u64, Type)| offset < end && offset + u64::from(ty.bytes()) > start;
        let mut leaves = layout.leaves.iter().filter(inside).peekable();
        if leaves.peek().is_none() {
            continue;
        }
        let sse = leaves.all(|&(_, ty)| matches!(ty.element(), Type::F32 | Type::F64));
        pieces.push(Piece { sse, offset: start as u32, bytes: (end - start) as u32 });
    }
    Class::Registers(pieces)
}

/// The class of eight bytes of an aggregate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Eightbyte {
    None,
    Integer,
    Sse,
    X87,
    X87Up,
    Memory,
}

impl Eightbyte {
    fn merged(self, other: Eightbyte) -> Eightbyte {
        use Eightbyte::*;
        match (self, other) {
            (a, b) if a == b => a,
            (None, known) | (known, None) => known,
            (Memory, _) | (_, Memory) => Memory,
            (Integer, _) | (_, Integer) => Integer,
            (X87 | X87Up, _) | (_, X87 | X87Up) => Memory,
            (Sse, Sse) => Sse,
        }
    }
}

/// Classifies an aggregate of 16 bytes, one of whose members is a `long double`: other members of a union
/// make integers of its halves, where both have one, or put it in memory.
fn classify_with_x87(layout: &AggregateLayout) -> Class {
    let mut halves = [Eightbyte::None; 2];
    for &(offset, ty) in &layout.leaves {
        for (half, class) in halves.iter_mut().enumerate() {
            let start = 8 * half as u64;
            if offset < start + 8 && offset + u64::from(ty.bytes()) > start {
                *class = class.merged(match ty.element() {
                    Type::F80 if half == 0 => Eightbyte::X87,
                    Type::F80 => Eightbyte::X87Up,
                    Type::F32 | Type::F64 => Eightbyte::Sse,
                    _ => Eightbyte::Integer,
                });
            }
        }
    }
    match halves {
        [Eightbyte::X87, Eightbyte::X87Up] => Class::X87,
        [Eightbyte::Integer, Eightbyte::Integer] => {
            let mut pieces = Pieces::default();
            for offset in [0, 8] {
                pieces.push(Piece { sse: false, offset, bytes: 8 });
            }
            Class::Registers(pieces)
        }
        _ => Class::Memory,
    }
}

/// Where an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Nowhere: empty.
    None,
    /// In registers: the index of its first parameter in the Cranelift signature, and its pieces.
    Registers(u32, Pieces),
    /// On the stack, at this offset of the argument area, as `bytes` bytes.
    Stack {
        /// Offset in the argument area.
        offset: u32,
        /// Size, not rounded.
        bytes: u32,
    },
}

/// What is passed, in terms of the IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passed {
    /// A scalar value.
    Scalar(Type, Extend),
    /// The bytes of an aggregate.
    Aggregate(Agg),
}

impl From<PassBy> for Passed {
    fn from(pass: PassBy) -> Self {
        match pass {
            PassBy::Scalar(ty, extend) => Passed::Scalar(ty, extend),
            PassBy::Aggregate(agg) => Passed::Aggregate(agg),
        }
    }
}

/// How a result comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultPlace {
    /// No result, or an empty aggregate.
    None,
    /// A scalar in one register.
    Scalar(Type),
    /// `__int128`: two integer registers.
    Pair,
    /// `long double`: `st(0)`; the Cranelift signature has no result.
    X87,
    /// An aggregate in registers.
    Registers(Pieces),
    /// An aggregate in memory whose address is the hidden first argument.
    Memory,
}

/// The assignment for one function type and argument list.
#[derive(Clone, Debug)]
pub(crate) struct Convention {
    /// The Cranelift signature.
    pub sig: ir::Signature,
    /// One per argument.
    pub places: Vec<Place>,
    /// The result.
    pub result: ResultPlace,
    /// Bytes of the stack argument area, a multiple of 8.
    pub stack_bytes: u32,
    /// The stack area is passed as one image, the last parameter of the Cranelift signature.
    pub image: bool,
    /// Vector registers used, for `%al`.
    pub xmms: u32,
    /// General registers used.
    pub gprs: u32,
}

/// The Cranelift type of one register piece.
pub(crate) fn piece_type(piece: Piece) -> ir::Type {
    match (piece.sse, piece.bytes) {
        (true, 4) => types::F32,
        (true, 16) => types::F64X2,
        (true, _) => types::F64,
        (false, _) => types::I64,
    }
}

fn scalar_param(ty: Type, extend: Extend) -> AbiParam {
    let param = AbiParam::new(scalar_type(ty));
    match (extend, ty) {
        (Extend::Sign, _) => param.sext(),
        (Extend::Zero, _) | (_, Type::I1) => param.uext(),
        (Extend::None, _) => param,
    }
}

/// The Cranelift type of a scalar that fits one value; pairs give the type of a half.
pub(crate) fn scalar_type(ty: Type) -> ir::Type {
    match ty {
        Type::I1 | Type::I8 => types::I8,
        Type::I16 => types::I16,
        Type::I32 => types::I32,
        Type::I64 | Type::Ptr | Type::F80 => types::I64,
        Type::I128 => types::I128,
        Type::F32 | Type::C32 => types::F32,
        Type::F64 | Type::C64 => types::F64,
        Type::I8x16 => types::I8X16,
        Type::I16x8 => types::I16X8,
        Type::I32x4 => types::I32X4,
        Type::I64x2 => types::I64X2,
        Type::F32x4 => types::F32X4,
        Type::F64x2 => types::F64X2,
    }
}

/// Pieces of a scalar in registers; `None` if it always travels in memory.
fn scalar_pieces(ty: Type) -> Option<Pieces> {
    let mut pieces = Pieces::default();
    let mut push = |sse, offset, bytes| pieces.push(Piece { sse, offset, bytes });
    match ty {
        Type::F80 => return None,
        Type::I128 => {
            push(false, 0, 8);
            push(false, 8, 8);
        }
        // The ABI treats complex values as aggregates of their parts.
        Type::C32 => push(true, 0, 8),
        Type::C64 => {
            push(true, 0, 8);
            push(true, 8, 8);
        }
        Type::F32 | Type::F64 => push(true, 0, ty.bytes()),
        Type::I8x16 | Type::I16x8 | Type::I32x4 | Type::I64x2 | Type::F32x4 | Type::F64x2 => {
            push(true, 0, 16)
        }
        Type::I1 | Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Ptr => push(false, 0, ty.bytes()),
    }
    Some(pieces)
}

#[derive(Default)]
struct Assigner {
    params: Vec<AbiParam>,
    gprs: u32,
    xmms: u32,
    stack: u32,
    image: bool,
}

impl Assigner {
    fn fits(&self, pieces: &Pieces) -> bool {
        self.gprs + pieces.count(false) <= GPRS && self.xmms + pieces.count(true) <= XMMS
    }

    fn registers(&mut self, pieces: Pieces, param: impl Fn(Piece) -> AbiParam) -> Place {
        let first = self.params.len() as u32;
        self.params.extend(pieces.iter().map(param));
        self.gprs += pieces.count(false);
        self.xmms += pieces.count(true);
        Place::Registers(first, pieces)
    }

    fn stack(&mut self, bytes: u32, align: u32) -> Place {
        let offset = self.stack.next_multiple_of(align.max(8));
        self.stack = offset + bytes.next_multiple_of(8);
        Place::Stack { offset, bytes }
    }
}

impl Convention {
    /// Assigns a function type; `extra` are the types of the arguments beyond its parameters.
    pub(crate) fn new(module: &Module, signature: &Signature, extra: &[Type]) -> Convention {
        let mut sig = ir::Signature::new(CallConv::SystemV);
        let mut assigner = Assigner::default();
        let result = result_place(module, signature);
        match result {
            ResultPlace::None | ResultPlace::X87 => {}
            ResultPlace::Scalar(ty) => {
                let extend = match signature.result {
                    Some(PassBy::Scalar(_, extend)) => extend,
                    _ => Extend::None,
                };
                sig.returns.push(scalar_param(ty, extend));
            }
            ResultPlace::Pair => sig.returns.extend([AbiParam::new(types::I64); 2]),
            ResultPlace::Registers(pieces) => {
                sig.returns.extend(pieces.iter().map(|p| AbiParam::new(piece_type(p))));
            }
            ResultPlace::Memory => {
                assigner.params.push(AbiParam::new(types::I64));
                assigner.gprs += 1;
                sig.returns.push(AbiParam::new(types::I64));
            }
        }
        let fixed = signature.params.iter().map(|&p| Passed::from(p));
        let extra = extra.iter().map(|&ty| Passed::Scalar(ty, Extend::None));
        // Scalars on the stack, in case no image is needed.
        let mut spilled = Vec::new();
        let places: Vec<Place> = fixed
            .chain(extra)
            .map(|passed| match passed {
                Passed::Scalar(ty, extend) => match scalar_pieces(ty) {
                    Some(pieces) if assigner.fits(&pieces) => assigner.registers(pieces, |piece| match ty {
                        Type::I128 | Type::C32 | Type::C64 => AbiParam::new(piece_type(piece)),
                        _ => scalar_param(ty, extend),
                    }),
                    _ => {
                        // Narrow scalars occupy a whole eightbyte, in the image as well.
                        if ty.bytes() <= 8 && ty != Type::C32 {
                            spilled.push(scalar_param(ty, extend));
                        } else {
                            assigner.image = true;
                        }
                        assigner.stack(ty.bytes(), if ty == Type::C64 { 8 } else { ty.align() })
                    }
                },
                Passed::Aggregate(agg) => {
                    let layout = &module.aggregates[agg];
                    match classify(layout) {
                        Class::Empty => Place::None,
                        Class::Registers(pieces) if assigner.fits(&pieces) => {
                            assigner.registers(pieces, |piece| AbiParam::new(piece_type(piece)))
                        }
                        Class::Registers(_) | Class::Memory | Class::X87 => {
                            assigner.image = true;
                            assigner.stack(layout.size as u32, layout.align.min(1 << 16) as u32)
                        }
                    }
                }
            })
            .collect();
        sig.params = assigner.params;
        if assigner.image {
            sig.params.push(image_param(assigner.stack));
        } else {
            sig.params.extend(spilled);
        }
        Convention {
            sig,
            places,
            result,
            stack_bytes: assigner.stack,
            image: assigner.image,
            xmms: assigner.xmms,
            gprs: assigner.gprs,
        }
    }

    /// Index of a stack scalar in the Cranelift signature, when there is no image: stack scalars follow the
    /// register pieces in order, one eightbyte each.
    pub(crate) fn spilled_index(&self, offset: u32) -> usize {
        debug_assert!(!self.image);
        self.sig.params.len() - ((self.stack_bytes - offset) / 8) as usize
    }

    /// The parameter that is the stack image.
    pub(crate) fn image_index(&self) -> usize {
        self.sig.params.len() - 1
    }
}

/// The parameter that stands for `bytes` bytes of stack arguments.
pub(crate) fn image_param(bytes: u32) -> AbiParam {
    AbiParam::special(types::I64, ArgumentPurpose::StructArgument(bytes))
}

fn result_place(module: &Module, signature: &Signature) -> ResultPlace {
    match signature.result {
        None => ResultPlace::None,
        Some(PassBy::Scalar(Type::F80, _)) => ResultPlace::X87,
        Some(PassBy::Scalar(Type::I128, _)) => ResultPlace::Pair,
        Some(PassBy::Scalar(ty @ (Type::C32 | Type::C64), _)) => {
            scalar_pieces(ty).map_or(ResultPlace::None, ResultPlace::Registers)
        }
        Some(PassBy::Scalar(ty, _)) => ResultPlace::Scalar(ty),
        Some(PassBy::Aggregate(agg)) => match classify(&module.aggregates[agg]) {
            Class::Empty => ResultPlace::None,
            Class::Registers(pieces) => ResultPlace::Registers(pieces),
            Class::Memory => ResultPlace::Memory,
            Class::X87 => ResultPlace::X87,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What GCC makes of unions that hold a `long double`.
    #[test]
    fn long_doubles_in_unions() {
        let class = |others: &[(u64, Type)]| {
            let leaves = [(0, Type::F80)].into_iter().chain(others.iter().copied()).collect();
            classify(&AggregateLayout { size: 16, align: 16, leaves })
        };
        assert_eq!(class(&[]), Class::X87);
        assert_eq!(class(&[(0, Type::F80)]), Class::X87);
        assert_eq!(class(&[(0, Type::I8)]), Class::Memory);
        assert_eq!(class(&[(0, Type::F64), (8, Type::F64)]), Class::Memory);
        assert_eq!(class(&[(0, Type::I32), (8, Type::F32)]), Class::Memory);
        let Class::Registers(pieces) = class(&[(0, Type::I64), (8, Type::I8)]) else {
            panic!("both halves are integers");
        };
        assert!(pieces.iter().all(|piece| !piece.sse && piece.bytes == 8) && pieces.iter().count() == 2);
    }
}

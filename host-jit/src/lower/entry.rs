//! Entering and leaving a function: parameters, results, and what is set up for the whole call.

use super::{Lower, Val, own_memory};
use crate::abi::{self, Convention, GPRS, Piece, Pieces, Place, ResultPlace, XMMS};
use crate::helpers::Helper;
use accrue_ir::{Function, FunctionKind, Module, Operand, PassBy, Signature, Type};
use cranelift_codegen::ir::{self, AbiParam, InstBuilder, StackSlot, Value, types};
use cranelift_codegen::isa::CallConv;

/// What the prologue leaves for the rest of the function.
#[derive(Default)]
pub(super) struct Entry {
    /// Hidden address of an aggregate result.
    result_address: Option<ir::StackSlot>,
    /// Height of the side stack on entry.
    stack_height: Option<StackSlot>,
    /// Of a variadic function: where registers were saved, incoming stack arguments, and what named
    /// parameters used.
    pub(super) variadic: Option<Variadic>,
    /// Of a region: this gang and the number of gangs; then, if it calls functions, those of the region
    /// around it.
    pub(super) gang: Option<StackSlot>,
}

/// The state `va_start` needs.
#[derive(Clone, Copy)]
pub(super) struct Variadic {
    /// The register save area of the ABI.
    pub(super) save_area: StackSlot,
    /// Holds the address of the incoming stack arguments.
    pub(super) stack_args: StackSlot,
    /// General registers that named parameters took.
    pub(super) gprs: u32,
    /// Vector registers that named parameters took.
    pub(super) xmms: u32,
    /// Stack bytes that named parameters took.
    pub(super) stack_bytes: u32,
}

/// Offset of vector registers in the register save area.
pub(super) const SAVED_XMMS: u32 = GPRS * 8;
/// Size of the register save area.
pub(super) const SAVE_AREA: u32 = SAVED_XMMS + XMMS * 16;

/// The C convention of a function.
pub(super) fn convention(module: &Module, function: &Function) -> Convention {
    match function.kind {
        FunctionKind::Normal => Convention::new(module, &module.signatures[function.sig], &[]),
        FunctionKind::Region(_) | FunctionKind::Threaded(_) => {
            Convention::new(module, &Signature::default(), &[])
        }
    }
}

/// The Cranelift signature of a definition.
pub(super) fn signature(convention: &Convention, module: &Module, function: &Function) -> ir::Signature {
    let mut sig = ir::Signature::new(CallConv::SystemV);
    if function.kind.launched().is_some() {
        sig.params.extend([AbiParam::new(types::I64); 3]);
    } else if module.signatures[function.sig].variadic {
        // Every argument register arrives, to be saved; the image gives the address of the stack arguments.
        sig.params.extend([AbiParam::new(types::I64); GPRS as usize]);
        sig.params.extend([AbiParam::new(types::F64); XMMS as usize]);
        sig.params.push(abi::image_param(8));
        sig.returns.clone_from(&convention.sig.returns);
    } else {
        sig.clone_from(&convention.sig);
    }
    sig
}

impl Lower<'_, '_> {
    /// Emits the prologue into the current block, the entry.
    pub(super) fn enter(&mut self, convention: &Convention) {
        let Some(block) = self.b.current_block() else {
            unreachable!("the prologue has a block");
        };
        self.b.append_block_params_for_function_params(block);
        let params = self.b.block_params(block).to_vec();
        self.position(self.function.pos);
        if self.function.kind.launched().is_some() {
            self.enter_launched(&params);
        } else if self.module.signatures[self.function.sig].variadic {
            self.enter_variadic(convention, &params);
        } else {
            self.enter_fixed(convention, &params);
        }
        if self.traits.side_stack {
            let height = self.helper_one(Helper::StackHeight, &[]);
            self.entry.stack_height = Some(self.keep(height));
        }
    }

    /// Puts a value into a new stack slot: values of the prologue that are needed at the end of the function
    /// do not occupy a register in between, and survive `longjmp`.
    fn keep(&mut self, value: Value) -> StackSlot {
        let slot = self.temp_slot(8);
        self.b.ins().stack_store(types::I64, value, slot, 0);
        slot
    }

    fn enter_launched(&mut self, params: &[Value]) {
        let &[args, gang, gangs] = params else {
            unreachable!("the signature of a region has three parameters");
        };
        if self.is_region() {
            self.enter_gang(gang, gangs);
        }
        let body = self.body;
        for (index, &local) in body.params.iter().enumerate() {
            let offset = (index * 8) as i32;
            let ty = self.local_type(local);
            // Values wider than a word travel by address.
            let value = if ty.bytes() > 8 {
                let address = self.b.ins().load(types::I64, own_memory(), args, offset);
                self.load_at(ty, address, 0, own_memory().with_notrap())
            } else {
                self.load_at(ty, args, offset, own_memory())
            };
            self.write(local, value);
        }
    }

    fn enter_gang(&mut self, gang: Value, gangs: Value) {
        let slot = self.temp_slot(32);
        self.entry.gang = Some(slot);
        let mut values = vec![gang, gangs];
        if self.traits.calls {
            values.push(self.helper_one(Helper::CurrentGang, &[]));
            values.push(self.helper_one(Helper::CurrentGangs, &[]));
            // Routines that the region calls ask for it.
            self.helper(Helper::EnterGang, &[gang, gangs]);
        }
        for (index, value) in values.into_iter().enumerate() {
            self.b.ins().stack_store(types::I64, value, slot, index as i32 * 8);
        }
    }

    fn enter_fixed(&mut self, convention: &Convention, params: &[Value]) {
        if convention.result == ResultPlace::Memory {
            self.entry.result_address = Some(self.keep(params[0]));
        }
        let image = convention.image.then(|| params[convention.image_index()]);
        let module = self.module;
        let body = self.body;
        let signature = &module.signatures[self.function.sig];
        for (index, (&pass, &local)) in signature.params.iter().zip(&body.params).enumerate() {
            let place = convention.places[index];
            let value = match place {
                Place::Registers(first, pieces) => {
                    let values = &params[first as usize..];
                    let list: Vec<(Piece, Value)> = pieces.iter().zip(values.iter().copied()).collect();
                    self.join_pieces(pass, &list)
                }
                Place::Stack { offset, .. } => match image {
                    Some(image) => self.load_parameter(pass, image, offset),
                    None => Val::One(params[convention.spilled_index(offset)]),
                },
                Place::None => self.empty_object(),
            };
            self.write(local, value);
        }
    }

    fn enter_variadic(&mut self, convention: &Convention, params: &[Value]) {
        let (gprs, rest) = params.split_at(GPRS as usize);
        let (xmms, image) = rest.split_at(XMMS as usize);
        let image = image[0];
        let save_area = self.temp_slot(SAVE_AREA);
        for (index, &value) in gprs.iter().enumerate() {
            self.b.ins().stack_store(types::I64, value, save_area, index as i32 * 8);
        }
        for (index, &value) in xmms.iter().enumerate() {
            self.b.ins().stack_store(types::I64, value, save_area, SAVED_XMMS as i32 + index as i32 * 16);
        }
        let stack_args = self.keep(image);
        self.entry.variadic = Some(Variadic {
            save_area,
            stack_args,
            gprs: convention.gprs,
            xmms: convention.xmms,
            stack_bytes: convention.stack_bytes,
        });
        let mut gprs = gprs.iter().copied();
        let mut xmms = xmms.iter().copied();
        if convention.result == ResultPlace::Memory
            && let Some(address) = gprs.next()
        {
            self.entry.result_address = Some(self.keep(address));
        }
        let module = self.module;
        let body = self.body;
        let signature = &module.signatures[self.function.sig];
        for (&pass, (&local, &place)) in
            signature.params.iter().zip(body.params.iter().zip(&convention.places))
        {
            let value = match place {
                Place::Registers(_, pieces) => {
                    let mut list = Vec::with_capacity(2);
                    for piece in pieces.iter() {
                        let Some(value) = (if piece.sse { xmms.next() } else { gprs.next() }) else {
                            unreachable!("the assignment stays within the registers");
                        };
                        list.push((piece, self.narrow_register(pass, piece, value)));
                    }
                    self.join_pieces(pass, &list)
                }
                Place::Stack { offset, .. } => self.load_parameter(pass, image, offset),
                Place::None => self.empty_object(),
            };
            self.write(local, value);
        }
    }

    /// In a variadic definition every register arrives at full width; this gives the type the piece has
    /// elsewhere.
    fn narrow_register(&mut self, pass: PassBy, piece: Piece, value: Value) -> Value {
        let ty = match pass {
            PassBy::Scalar(Type::I128 | Type::C32 | Type::C64, _) | PassBy::Aggregate(_) => {
                abi::piece_type(piece)
            }
            PassBy::Scalar(ty, _) => abi::scalar_type(ty),
        };
        match ty {
            types::I8 | types::I16 | types::I32 => self.b.ins().ireduce(ty, value),
            types::F32 => {
                let bits = self.b.ins().bitcast(types::I64, ir::MemFlagsData::new(), value);
                let bits = self.b.ins().ireduce(types::I32, bits);
                self.b.ins().bitcast(types::F32, ir::MemFlagsData::new(), bits)
            }
            _ => value,
        }
    }

    /// The value of a parameter that arrived in registers.
    fn join_pieces(&mut self, pass: PassBy, pieces: &[(Piece, Value)]) -> Val {
        match pass {
            PassBy::Scalar(Type::I128, _) => Val::One(self.b.ins().iconcat(pieces[0].1, pieces[1].1)),
            PassBy::Scalar(ty @ (Type::C32 | Type::C64), _) => {
                let slot = self.spill(16, pieces);
                let address = self.b.ins().stack_addr(types::I64, slot, 0);
                self.load_at(ty, address, 0, own_memory())
            }
            PassBy::Scalar(_, _) => Val::One(pieces[0].1),
            PassBy::Aggregate(agg) => {
                let slot = self.spill(self.module.aggregates[agg].size as u32, pieces);
                Val::One(self.b.ins().stack_addr(types::I64, slot, 0))
            }
        }
    }

    /// Writes register pieces into a new stack slot.
    pub(super) fn spill(&mut self, bytes: u32, pieces: &[(Piece, Value)]) -> StackSlot {
        let slot = self.temp_slot(bytes);
        for &(piece, value) in pieces {
            self.b.ins().stack_store(types::I64, value, slot, piece.offset as i32);
        }
        slot
    }

    /// The value of a parameter in the incoming stack image.
    fn load_parameter(&mut self, pass: PassBy, image: Value, offset: u32) -> Val {
        match pass {
            PassBy::Scalar(ty, _) => self.load_at(ty, image, offset as i32, own_memory()),
            // The argument area belongs to the callee: the object there is already a copy.
            PassBy::Aggregate(_) => Val::One(self.b.ins().iadd_imm_s(image, i64::from(offset))),
        }
    }

    /// The address of an object without bytes.
    pub(super) fn empty_object(&mut self) -> Val {
        let slot = self.temp_slot(0);
        Val::One(self.b.ins().stack_addr(types::I64, slot, 0))
    }

    /// Emits the epilogue for `return value`.
    pub(super) fn leave(&mut self, value: Option<Operand>) {
        let results = if self.function.kind.launched().is_some() {
            self.release_side_stack();
            if let Some(slot) = self.entry.gang.filter(|_| self.traits.calls) {
                let [gang, gangs] =
                    [16, 24].map(|at| self.b.ins().stack_load(types::I64, types::I64, slot, at));
                self.helper(Helper::EnterGang, &[gang, gangs]);
            }
            Vec::new()
        } else {
            self.results(value)
        };
        self.b.ins().return_(&results);
    }

    fn release_side_stack(&mut self) {
        if let Some(slot) = self.entry.stack_height {
            let height = self.b.ins().stack_load(types::I64, types::I64, slot, 0);
            self.helper(Helper::StackRelease, &[height]);
        }
    }

    fn results(&mut self, operand: Option<Operand>) -> Vec<Value> {
        let module = self.module;
        let signature = &module.signatures[self.function.sig];
        let convention = Convention::new(module, signature, &[]);
        let value = match (operand, signature.result) {
            (Some(operand), _) => self.value(operand),
            // A value that the program forgot to return is unspecified.
            (None, Some(PassBy::Scalar(ty, _))) => self.zero(ty),
            (None, Some(PassBy::Aggregate(agg))) => {
                let slot = self.temp_slot(module.aggregates[agg].size as u32);
                Val::One(self.b.ins().stack_addr(types::I64, slot, 0))
            }
            (None, None) => Val::One(self.word(0)),
        };
        // The object may live on the side stack: read it before that is released.
        let results = match convention.result {
            ResultPlace::None => Vec::new(),
            ResultPlace::Scalar(_) => vec![value.first()],
            ResultPlace::Pair => {
                let (low, high) = self.b.ins().isplit(value.first());
                vec![low, high]
            }
            ResultPlace::X87 => {
                let address = match (signature.result, value) {
                    (Some(PassBy::Scalar(_, _)), value) => self.spill_value(Type::F80, value),
                    (_, value) => value.first(),
                };
                self.release_side_stack();
                self.helper(Helper::GiveSt0, &[address]);
                return Vec::new();
            }
            ResultPlace::Registers(pieces) => self.load_pieces_of(signature.result, value, pieces),
            ResultPlace::Memory => {
                let Some(slot) = self.entry.result_address else {
                    unreachable!("the prologue keeps the address of the result");
                };
                let to = self.b.ins().stack_load(types::I64, types::I64, slot, 0);
                if let Some(PassBy::Aggregate(agg)) = signature.result {
                    let layout = &module.aggregates[agg];
                    // The object may be the result object itself; memmove allows it.
                    self.copy_object(to, value.first(), layout.size, layout.align);
                }
                vec![to]
            }
        };
        self.release_side_stack();
        results
    }

    /// Writes a value to a new stack slot and gives its address.
    pub(super) fn spill_value(&mut self, ty: Type, value: Val) -> Value {
        let slot = self.temp_slot(ty.bytes());
        let address = self.b.ins().stack_addr(types::I64, slot, 0);
        self.store_at(ty, value, address, 0, own_memory());
        address
    }

    fn load_pieces_of(&mut self, pass: Option<PassBy>, value: Val, pieces: Pieces) -> Vec<Value> {
        let address = match pass {
            Some(PassBy::Scalar(ty, _)) => self.spill_value(ty, value),
            Some(PassBy::Aggregate(_)) | None => value.first(),
        };
        pieces.iter().map(|piece| self.load_piece(piece, address)).collect()
    }
}

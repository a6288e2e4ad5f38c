//! Calls.

use super::{Lower, Val, own_memory};
use crate::abi::{Convention, Passed, Piece, Pieces, Place, ResultPlace, piece_type};
use crate::helpers::Helper;
use crate::names::Name;
use accrue_ir::{Callee, Extend, Func, FunctionKind, Local, Operand, PassBy, Sig, Type};
use cranelift_codegen::ir::{InstBuilder, SigRef, StackSlot, Value, types};
use std::rc::Rc;

impl Lower<'_, '_> {
    pub(super) fn call(
        &mut self,
        dst: Option<Local>,
        callee: Callee,
        sig: Sig,
        args: &[Operand],
        dest: Option<Operand>,
    ) {
        let (convention, _) = self.convention_for(sig, args);
        let result_object = self.result_object(&convention, sig, dest);
        let mut values = Vec::with_capacity(convention.sig.params.len() + 1);
        if convention.result == ResultPlace::Memory {
            values.extend(result_object);
        }
        let target = match callee {
            Callee::Direct(func) => Target::Name(self.direct_name(func, sig, &convention)),
            Callee::Indirect(address) => Target::Address(self.one(address)),
        };
        let variadic = self.module.signatures[sig].variadic;
        let stacked = match target {
            Target::Address(address) if variadic => Some(address),
            Target::Address(_) | Target::Name(_) => None,
        };
        self.arguments(&convention, sig, args, stacked, &mut values);
        let side_stack = self.height_before(callee);
        let call = match (target, stacked) {
            (Target::Name(name), _) => {
                let signature = self.signature_ref(sig, args, &convention);
                let function = self.function_ref(name, signature);
                self.b.ins().call(function, &values)
            }
            (Target::Address(address), None) => {
                let signature = self.signature_ref(sig, args, &convention);
                self.b.ins().call_indirect(signature, address, &values)
            }
            (Target::Address(_), Some(_)) => {
                let signature = stub_signature(&convention);
                let signature = self.b.import_signature(signature);
                let stub = Name::VariadicIndirect(convention.stack_bytes, convention.xmms);
                let function = self.function_ref(stub, signature);
                self.b.ins().call(function, &values)
            }
        };
        let results = self.b.inst_results(call).to_vec();
        if let Some(slot) = side_stack {
            let height = self.b.ins().stack_load(types::I64, types::I64, slot, 0);
            self.helper(Helper::StackRelease, &[height]);
        }
        self.result(dst, &convention, sig, &results, result_object);
    }

    /// A returns-twice function comes back with the side stack as it was at the first call.
    fn height_before(&mut self, callee: Callee) -> Option<StackSlot> {
        let Callee::Direct(func) = callee else {
            return None;
        };
        if !self.module.functions[func].returns_twice {
            return None;
        }
        // Kept in memory: no value may be alive in a register across the call.
        let height = self.helper_one(Helper::StackHeight, &[]);
        let slot = self.temp_slot(8);
        self.b.ins().stack_store(types::I64, height, slot, 0);
        Some(slot)
    }

    /// External variadic functions read `%al`; those of the program do not.
    fn direct_name(&self, func: Func, sig: Sig, convention: &Convention) -> Name {
        let callee = &self.module.functions[func];
        debug_assert!(matches!(callee.kind, FunctionKind::Normal));
        let variadic = self.module.signatures[sig].variadic || self.module.signatures[callee.sig].variadic;
        if variadic && callee.body.is_none() {
            Name::Variadic(func, convention.xmms)
        } else {
            Name::Call(func)
        }
    }

    fn convention_for(&mut self, sig: Sig, args: &[Operand]) -> (Rc<Convention>, Option<SigRef>) {
        let signature = &self.module.signatures[sig];
        let fixed = signature.params.len();
        if args.len() > fixed {
            let extra: Vec<Type> = args[fixed..].iter().map(|&arg| self.type_of(arg)).collect();
            return (Rc::new(Convention::new(self.module, signature, &extra)), None);
        }
        if let Some((convention, reference)) = self.conventions.get(&sig) {
            return (convention.clone(), Some(*reference));
        }
        let convention = Rc::new(Convention::new(self.module, signature, &[]));
        let reference = self.b.import_signature(convention.sig.clone());
        self.conventions.insert(sig, (convention.clone(), reference));
        (convention, Some(reference))
    }

    fn signature_ref(&mut self, sig: Sig, args: &[Operand], convention: &Convention) -> SigRef {
        match self.convention_for(sig, args).1 {
            Some(reference) => reference,
            None => self.b.import_signature(convention.sig.clone()),
        }
    }

    /// Where an aggregate result goes: the address the call gives, or memory that is thrown away.
    fn result_object(&mut self, convention: &Convention, sig: Sig, dest: Option<Operand>) -> Option<Value> {
        match (convention.result, dest) {
            (ResultPlace::Registers(_) | ResultPlace::Memory | ResultPlace::X87, Some(dest)) => {
                Some(self.one(dest))
            }
            (ResultPlace::Memory, None) => {
                let bytes = match self.module.signatures[sig].result {
                    Some(PassBy::Aggregate(agg)) => self.module.aggregates[agg].size,
                    Some(PassBy::Scalar(ty, _)) => u64::from(ty.bytes()),
                    None => 0,
                };
                let slot = self.temp_slot(bytes as u32);
                Some(self.b.ins().stack_addr(types::I64, slot, 0))
            }
            _ => None,
        }
    }

    /// Pushes the Cranelift arguments. `stacked` is a callee address for the stub of an indirect variadic
    /// call, which finds it right behind the stack arguments.
    fn arguments(
        &mut self,
        convention: &Convention,
        sig: Sig,
        args: &[Operand],
        stacked: Option<Value>,
        values: &mut Vec<Value>,
    ) {
        let params = &self.module.signatures[sig].params;
        let image = convention.image || stacked.is_some();
        let image_bytes = convention.stack_bytes + 8;
        let image = image.then(|| {
            let slot = self.temp_slot(image_bytes);
            self.b.ins().stack_addr(types::I64, slot, 0)
        });
        let mut spilled = Vec::new();
        for (index, &place) in convention.places.iter().enumerate() {
            let passed = match params.get(index) {
                Some(&param) => Passed::from(param),
                None => Passed::Scalar(self.type_of(args[index]), Extend::None),
            };
            // A call without prototype may give fewer arguments than the definition has; the rest is
            // unspecified.
            let value = match (args.get(index), passed) {
                (Some(&arg), _) => self.value(arg),
                (None, Passed::Scalar(ty, _)) => self.zero(ty),
                (None, Passed::Aggregate(_)) => self.empty_object(),
            };
            match place {
                Place::None => {}
                Place::Registers(_, pieces) => self.register_argument(passed, value, pieces, values),
                Place::Stack { offset, bytes } => match image {
                    None => spilled.push(value.first()),
                    Some(image) => self.stack_argument(passed, value, image, offset, bytes),
                },
            }
        }
        values.extend(spilled);
        if let Some(image) = image {
            if let Some(callee) = stacked {
                self.b.ins().store(own_memory(), callee, image, convention.stack_bytes as i32);
            }
            values.push(image);
        }
    }

    fn register_argument(&mut self, passed: Passed, value: Val, pieces: Pieces, values: &mut Vec<Value>) {
        match (passed, value) {
            (Passed::Scalar(Type::I128, _), value) => {
                let (low, high) = self.b.ins().isplit(value.first());
                values.extend([low, high]);
            }
            (Passed::Scalar(ty, _), value @ Val::Pair(..)) => {
                let address = self.spill_value(ty, value);
                for piece in pieces.iter() {
                    let part = self.load_piece(piece, address);
                    values.push(part);
                }
            }
            (Passed::Scalar(_, _), Val::One(value)) => values.push(value),
            (Passed::Aggregate(_), value) => {
                for piece in pieces.iter() {
                    let part = self.load_piece(piece, value.first());
                    values.push(part);
                }
            }
        }
    }

    fn stack_argument(&mut self, passed: Passed, value: Val, image: Value, offset: u32, bytes: u32) {
        match passed {
            Passed::Scalar(ty, extend) => self.store_argument(ty, extend, value, image, offset as i32),
            Passed::Aggregate(agg) => {
                let align = self.module.aggregates[agg].align.min(8);
                let to = self.b.ins().iadd_imm_s(image, i64::from(offset));
                self.copy_object(to, value.first(), u64::from(bytes), align);
            }
        }
    }

    fn result(
        &mut self,
        dst: Option<Local>,
        convention: &Convention,
        sig: Sig,
        results: &[Value],
        object: Option<Value>,
    ) {
        match convention.result {
            ResultPlace::None => {
                if let Some(dst) = dst {
                    let value = self.zero(self.local_type(dst));
                    self.write(dst, value);
                }
            }
            ResultPlace::Scalar(_) => {
                if let Some(dst) = dst {
                    self.write(dst, Val::One(results[0]));
                }
            }
            ResultPlace::Pair => {
                if let Some(dst) = dst {
                    let value = self.b.ins().iconcat(results[0], results[1]);
                    self.write(dst, Val::One(value));
                }
            }
            ResultPlace::X87 => self.x87_result(dst, object),
            ResultPlace::Registers(pieces) => match self.module.signatures[sig].result {
                Some(PassBy::Scalar(ty, _)) => {
                    if let Some(dst) = dst {
                        let list: Vec<(Piece, Value)> = pieces.iter().zip(results.iter().copied()).collect();
                        let slot = self.spill(16, &list);
                        let address = self.b.ins().stack_addr(types::I64, slot, 0);
                        let value = self.load_at(ty, address, 0, own_memory());
                        self.write(dst, value);
                    }
                }
                Some(PassBy::Aggregate(_)) | None => {
                    if let Some(object) = object {
                        for (piece, &value) in pieces.iter().zip(results) {
                            debug_assert_eq!(self.b.func.dfg.value_type(value), piece_type(piece));
                            self.store_piece(piece, value, object);
                        }
                    }
                }
            },
            ResultPlace::Memory => {}
        }
    }

    /// Fetches `st(0)`, which must be popped whether or not the value is wanted. Cranelift's code between the
    /// call and the helper does not touch the x87 stack.
    fn x87_result(&mut self, dst: Option<Local>, object: Option<Value>) {
        let to = match object {
            Some(object) => object,
            None => {
                let slot = self.temp_slot(16);
                self.b.ins().stack_addr(types::I64, slot, 0)
            }
        };
        self.helper(Helper::TakeSt0, &[to]);
        if let Some(dst) = dst {
            let value = self.load_at(Type::F80, to, 0, own_memory());
            self.write(dst, value);
        }
    }
}

enum Target {
    Name(Name),
    Address(Value),
}

/// The signature of the stub of an indirect variadic call: all stack arguments as an image, and behind them
/// the address to jump to.
fn stub_signature(convention: &Convention) -> cranelift_codegen::ir::Signature {
    let mut sig = convention.sig.clone();
    let spilled = if convention.image { 1 } else { (convention.stack_bytes / 8) as usize };
    sig.params.truncate(sig.params.len() - spilled);
    sig.params.push(crate::abi::image_param(convention.stack_bytes + 8));
    sig
}

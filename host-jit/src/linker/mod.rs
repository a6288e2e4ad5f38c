//! A program's functions and objects in a [`Module`] of Cranelift, whichever module that is:
//! `cranelift-jit`'s places them in memory, `cranelift-object`'s would write them to a file.
//!
//! Compiled code and objects refer to [`Name`]s. What a name stands for is declared when the first reference
//! to it is defined; a program refers to few of the functions that headers and other translation units name.

#[cfg(test)]
mod tests;

use crate::codegen::{Code, Place};
use crate::data_object::{DataObject, Symbol, WORD};
use crate::definitions::{self, Definitions};
use crate::error::Error;
use crate::names::Name;
use accrue_ir as air;
use accrue_ir::verify::Verified;
use accrue_ir::{Func, Global};
use accrue_runtime::abi::{DATA_SYMBOL, DIRECT_SYMBOL, LAUNCH_SYMBOL};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::Signature;
use cranelift_codegen::isa::CallConv;
use cranelift_entity::SecondaryMap;
use cranelift_module::{
    DataDescription, DataId, FuncId, FuncOrDataId, Linkage, Module, ModuleError, ModuleReloc,
    ModuleRelocTarget,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The address 0, for what is a number and no address: the offset of an object in a thread's block.
pub(crate) const ABSOLUTE: &str = "__accrue_absolute";
/// The program's thread-local objects: a `helpers::tls::ThreadLocals`.
pub(crate) const THREAD_LOCALS: &str = "__accrue_thread_locals";

/// Alignment of stubs.
const STUB_ALIGN: u64 = 16;

/// Names that nobody defines and that may be so: weak ones, and functions of devices only. They are null.
#[derive(Default)]
pub(crate) struct Missing {
    pub functions: SecondaryMap<Func, bool>,
    pub globals: SecondaryMap<Global, bool>,
}

/// A program on its way into a module.
pub(crate) struct Linker<M> {
    /// The module.
    pub module: M,
    program: Arc<Verified>,
    definitions: Arc<Definitions>,
    missing: Missing,
    /// What the address of a function refers to.
    functions: SecondaryMap<Func, Option<FuncOrDataId>>,
    /// The code of a function, which direct calls go to: the same, or what is behind a stub.
    code: SecondaryMap<Func, Option<FuncId>>,
    globals: SecondaryMap<Global, Option<FuncOrDataId>>,
    /// Offsets of thread-local objects in a thread's block.
    thread_locals: SecondaryMap<Global, u64>,
    stubs: FxHashMap<Name, FuncId>,
    /// Functions of the program that were declared since [`Linker::take_declared`].
    declared: Vec<Func>,
}

impl<M: Module> Linker<M> {
    pub(crate) fn new(
        module: M,
        program: Arc<Verified>,
        definitions: Arc<Definitions>,
        missing: Missing,
    ) -> Linker<M> {
        Linker {
            module,
            program,
            definitions,
            missing,
            functions: SecondaryMap::new(),
            code: SecondaryMap::new(),
            globals: SecondaryMap::new(),
            thread_locals: SecondaryMap::new(),
            stubs: FxHashMap::default(),
            declared: Vec::new(),
        }
    }

    /// The code of a function, if it is defined.
    pub(crate) fn code(&self, func: Func) -> Option<FuncId> {
        self.code[func]
    }

    /// An object that the program defines, if something refers to it.
    pub(crate) fn defined_global(&self, global: Global) -> Option<DataId> {
        match self.globals[self.definitions.global(global)?] {
            Some(FuncOrDataId::Data(id)) => Some(id),
            Some(FuncOrDataId::Func(_)) | None => None,
        }
    }

    /// Says where a thread-local object is in a thread's block.
    pub(crate) fn set_thread_local(&mut self, global: Global, offset: u64) {
        self.thread_locals[global] = offset;
    }

    /// Functions of the program that were declared since the last call: all of them need definitions.
    pub(crate) fn take_declared(&mut self) -> Vec<Func> {
        std::mem::take(&mut self.declared)
    }

    /// What the address of a function refers to.
    pub(crate) fn function(&mut self, func: Func) -> Result<FuncOrDataId, Error> {
        let func = self.definitions.function(func).unwrap_or(func);
        if let Some(known) = self.functions[func] {
            return Ok(known);
        }
        let program = Arc::clone(&self.program);
        let function = &program.functions[func];
        let id = if self.definitions.function(func).is_some() {
            self.declared.push(func);
            let name = definitions::function_name(function);
            FuncOrDataId::Func(match self.exported(name, function.linkage) {
                Some(linkage) => self.module.declare_function(name, linkage, &signature())?,
                None => self.module.declare_anonymous_function(&signature())?,
            })
        } else if self.missing.functions[func] {
            self.import_object(ABSOLUTE)?
        } else {
            self.import_function(definitions::external_name(function))?
        };
        self.functions[func] = Some(id);
        Ok(id)
    }

    /// What the address of a global refers to.
    pub(crate) fn global(&mut self, global: Global) -> Result<FuncOrDataId, Error> {
        let global = self.definitions.global(global).unwrap_or(global);
        if let Some(known) = self.globals[global] {
            return Ok(known);
        }
        let program = Arc::clone(&self.program);
        let data = &program.globals[global];
        let name = definitions::global_name(data);
        let id = if self.definitions.global(global).is_some() {
            FuncOrDataId::Data(match self.exported(name, data.linkage) {
                Some(linkage) => self.module.declare_data(name, linkage, !data.constant, false)?,
                None => self.module.declare_anonymous_data(!data.constant, false)?,
            })
        } else if self.missing.globals[global] {
            self.import_object(ABSOLUTE)?
        } else {
            self.import_object(name)?
        };
        self.globals[global] = Some(id);
        Ok(id)
    }

    /// How a definition is visible under its name; `None` if it is not. A name that several translation units
    /// define is that of the first definition; references know which one they mean.
    fn exported(&self, name: &str, linkage: air::Linkage) -> Option<Linkage> {
        match linkage {
            air::Linkage::Internal => None,
            _ if self.module.get_name(name).is_some() => None,
            air::Linkage::Weak | air::Linkage::Inline => Some(Linkage::Preemptible),
            air::Linkage::External | air::Linkage::Common => Some(Linkage::Export),
        }
    }

    /// A function that the program does not define. Another declaration may say that its name is an object's.
    fn import_function(&mut self, name: &str) -> Result<FuncOrDataId, Error> {
        if let Some(known) = self.module.get_name(name) {
            return Ok(known);
        }
        Ok(self.module.declare_function(name, Linkage::Import, &signature()).map(FuncOrDataId::Func)?)
    }

    /// An object that the program does not define.
    fn import_object(&mut self, name: &str) -> Result<FuncOrDataId, Error> {
        if let Some(known) = self.module.get_name(name) {
            return Ok(known);
        }
        Ok(self.module.declare_data(name, Linkage::Import, true, false).map(FuncOrDataId::Data)?)
    }

    /// Defines the code of a function. Calls go there from now on; addresses do if it has no stub.
    pub(crate) fn define_code(
        &mut self,
        func: Func,
        has_stub: bool,
        code: &mut Code,
    ) -> Result<FuncId, Error> {
        let id = if has_stub {
            self.module.declare_anonymous_function(&signature())?
        } else {
            self.own_function(func)?
        };
        self.code[func] = Some(id);
        let descriptors = self.descriptors(code)?;
        let mut relocations = Vec::with_capacity(code.relocations.len());
        for relocation in &code.relocations {
            let (name, offset) = match relocation.place {
                Place::Own(offset) => (ModuleRelocTarget::FunctionOffset(id, offset), 0),
                Place::Library(call) => (ModuleRelocTarget::LibCall(call), 0),
                Place::Name(Name::Descriptor(index)) => (descriptors[index as usize].into(), 0),
                Place::Name(name) if relocation.kind == Reloc::Abs8 => self.address(name)?,
                Place::Name(name) => (self.callee(name)?.into(), 0),
            };
            let addend = relocation.addend + offset;
            relocations.push(ModuleReloc { offset: relocation.offset, kind: relocation.kind, name, addend });
        }
        self.module.define_function_bytes(id, code.align, &code.bytes, &relocations)?;
        Ok(id)
    }

    /// A function that the program defines.
    fn own_function(&mut self, func: Func) -> Result<FuncId, Error> {
        match self.function(func)? {
            FuncOrDataId::Func(id) => Ok(id),
            FuncOrDataId::Data(_) => unreachable!("functions of the program are declared as functions"),
        }
    }

    /// What a 64-bit address refers to, and how far behind that it is.
    fn address(&mut self, name: Name) -> Result<(ModuleRelocTarget, i64), Error> {
        let id = match name {
            Name::Call(func) | Name::Address(func) => self.function(func)?,
            Name::Global(global) if self.program.globals[global].thread_local => {
                let global = self.definitions.global(global).unwrap_or(global);
                let offset = self.thread_locals[global] as i64;
                return Ok((self.import_object(ABSOLUTE)?.into(), offset));
            }
            Name::Global(global) => self.global(global)?,
            Name::Helper(helper) => self.import_function(helper.symbol())?,
            Name::Launch => self.import_function(LAUNCH_SYMBOL)?,
            Name::Direct => self.import_object(DIRECT_SYMBOL)?,
            Name::Data => self.import_function(DATA_SYMBOL)?,
            Name::ThreadLocals => self.import_object(THREAD_LOCALS)?,
            Name::Variadic(..) | Name::VariadicIndirect(..) => FuncOrDataId::Func(self.callee(name)?),
            Name::Descriptor(_) => unreachable!("descriptors belong to one function"),
        };
        Ok((id.into(), 0))
    }

    /// What a call with a 32-bit displacement goes to. Only the program's own code is sure to be so near.
    fn callee(&mut self, name: Name) -> Result<FuncId, Error> {
        if let Name::Call(func) = name
            && let Some(func) = self.definitions.function(func)
        {
            return match self.code[func] {
                Some(id) => Ok(id),
                None => self.own_function(func),
            };
        }
        if let Some(&stub) = self.stubs.get(&name) {
            return Ok(stub);
        }
        let mut stub = Stub::default();
        match name {
            Name::VariadicIndirect(offset, xmms) => {
                // mov eax, xmms; jmp [rsp + 8 + offset]: the return address lies below the arguments.
                stub.bytes.push(0xb8);
                stub.bytes.extend(xmms.to_le_bytes());
                stub.bytes.extend([0xff, 0xa4, 0x24]);
                stub.bytes.extend((offset + 8).to_le_bytes());
            }
            Name::Variadic(func, xmms) => {
                // mov eax, xmms
                stub.bytes.push(0xb8);
                stub.bytes.extend(xmms.to_le_bytes());
                stub.jump(self.function(func)?.into(), 0);
            }
            _ => {
                let (target, offset) = self.address(name)?;
                stub.jump(target, offset);
            }
        }
        let id = self.define_stub(None, &stub)?;
        self.stubs.insert(name, id);
        Ok(id)
    }

    /// Defines a stub, as `id` or without a name.
    pub(crate) fn define_stub(&mut self, id: Option<FuncId>, stub: &Stub) -> Result<FuncId, Error> {
        let id = match id {
            Some(id) => id,
            None => self.module.declare_anonymous_function(&signature())?,
        };
        self.module.define_function_bytes(id, STUB_ALIGN, &stub.bytes, &stub.relocations)?;
        Ok(id)
    }

    /// The descriptors of a function's directives, as constants.
    fn descriptors(&mut self, code: &mut Code) -> Result<Vec<DataId>, Error> {
        let mut ids = Vec::with_capacity(code.descriptors.len());
        for object in std::mem::take(&mut code.descriptors) {
            let id = self.module.declare_anonymous_data(false, false)?;
            let description = self.describe(id, object)?;
            self.module.define_data(id, &description)?;
            ids.push(id);
        }
        Ok(ids)
    }

    /// An object as [`Module::define_data`] takes it, but for the zeros behind its bytes.
    pub(crate) fn describe(&mut self, id: DataId, object: DataObject) -> Result<DataDescription, Error> {
        let mut description = DataDescription::new();
        let mut bytes = object.bytes;
        for relocation in object.relocations {
            let target = match relocation.target {
                None => FuncOrDataId::Data(id),
                Some(Symbol::Function(func)) if !self.missing.functions[func] => self.function(func)?,
                Some(Symbol::Global(global)) if !self.missing.globals[global] => self.global(global)?,
                // Of a null pointer and a number the sum is a number.
                Some(Symbol::Function(_) | Symbol::Global(_)) => {
                    bytes[relocation.offset..][..WORD].copy_from_slice(&relocation.addend.to_le_bytes());
                    continue;
                }
            };
            let offset = u32::try_from(relocation.offset).map_err(|_| {
                Error::Limit("an initial value has an address beyond the first 4 GiB of an object".into())
            })?;
            let target = description.import_global_value(target.into());
            description.write_data_addr(offset, target, relocation.addend);
        }
        description.define(bytes.into_boxed_slice());
        description.set_align(object.align as u64);
        Ok(description)
    }
}

/// Instructions that are no function of the program.
#[derive(Default)]
pub(crate) struct Stub {
    pub bytes: Vec<u8>,
    pub relocations: Vec<ModuleReloc>,
}

impl Stub {
    /// `movabs r11, target + addend; jmp r11`.
    pub(crate) fn jump(&mut self, name: ModuleRelocTarget, addend: i64) {
        self.bytes.extend([0x49, 0xbb]);
        let offset = self.bytes.len() as u32;
        self.relocations.push(ModuleReloc { offset, kind: Reloc::Abs8, name, addend });
        self.bytes.extend([0; 8]);
        self.bytes.extend([0x41, 0xff, 0xe3]);
    }
}

/// The signature in declarations. Only what builds Cranelift IR from them would read it; here code comes
/// compiled.
fn signature() -> Signature {
    Signature::new(CallConv::SystemV)
}

impl From<ModuleError> for Error {
    fn from(error: ModuleError) -> Error {
        match error {
            ModuleError::Allocation { err } if err.raw_os_error().is_none() => Error::Limit(err.to_string()),
            ModuleError::Allocation { err } => Error::Memory(format!("no memory for the program: {err}")),
            // Names are looked up before they are declared, and nothing is defined twice.
            error => unreachable!("{error}"),
        }
    }
}

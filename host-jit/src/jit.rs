//! A program's code and objects in memory, placed and linked by `cranelift-jit`.
//!
//! Functions that are compiled lazily have stubs. A stub is what the program sees as the function, for ever;
//! it jumps to where a cell says, first to the compiler and then to the code, which is a function of its own.
//! All that a definition refers to is declared with it, so that after each [`Jit::finish`] every reference
//! leads somewhere.

use crate::code_map::{CodeMap, FunctionCode};
use crate::codegen::Code;
use crate::data;
use crate::data_object::DataObject;
use crate::definitions::Definitions;
use crate::error::Error;
use crate::helpers::Helper;
use crate::helpers::tls::ThreadLocals;
use crate::linker::{ABSOLUTE, Linker, Missing, Stub, THREAD_LOCALS};
use crate::memory::{Memory, ZerosBehind};
use crate::symbols::Resolver;
use accrue_ir::verify::Verified;
use accrue_ir::{Func, Global};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::isa::TargetIsa;
use cranelift_entity::EntityRef;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{DataId, FuncId, FuncOrDataId, Module as _, ModuleReloc, default_libcall_names};
use rustc_hash::FxHashMap;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// What a program does not define.
#[derive(Default)]
pub(crate) struct Imports {
    /// Addresses by linker names.
    pub addresses: FxHashMap<String, usize>,
    /// What may lack an address.
    pub missing: Missing,
}

impl Imports {
    /// Whether a name has an address.
    pub(crate) fn find(&mut self, name: &str, resolver: &mut Resolver<'_>) -> bool {
        let address = resolver.find(name);
        self.addresses.extend(address.map(|address| (name.to_owned(), address)));
        address.is_some()
    }
}

/// A program in memory.
pub(crate) struct Jit {
    linker: Linker<JITModule>,
    zeros_behind: ZerosBehind,
    map: &'static CodeMap,
    lazy: Option<Lazy>,
    unfinished: Vec<Unfinished>,
}

/// What stubs need of functions that are not compiled yet.
struct Lazy {
    /// Where the stub of each function goes.
    cells: &'static [AtomicUsize],
    /// Where stubs go first.
    entry: FuncId,
    /// The addresses of stubs.
    stubs: FxHashMap<Func, usize>,
}

/// Makes a stub a direct jump to the code of its function, while other threads may be in it: they execute
/// the first instruction as it was or as it becomes, and what follows it stays.
fn shorten(stub: usize, code: usize) {
    const JUMP: usize = 5;
    let distance = code.wrapping_sub(stub + JUMP) as i64;
    let Ok(distance) = i32::try_from(distance) else { return };
    let [a, b, c, d] = distance.to_le_bytes();
    let jump = u64::from_le_bytes([0xe9, a, b, c, d, 0xcc, 0xcc, 0xcc]);
    // SAFETY: a stub is aligned, longer than this, and memory that is written to as long as code is added.
    let place = unsafe { AtomicU64::from_ptr(ptr::with_exposed_provenance_mut(stub)) };
    place.store(jump, Ordering::Release);
}

/// The first part of a stub, which jumps through its cell; the second calls the compiler.
const STUB_JUMP: usize = 16;

/// A function that is defined and may not run before its references are written.
struct Unfinished {
    func: Func,
    id: FuncId,
    code: Code,
}

impl Jit {
    /// An empty program. Code is `live` if more is compiled while it runs.
    pub(crate) fn new(
        isa: Arc<dyn TargetIsa>,
        module: Arc<Verified>,
        definitions: Arc<Definitions>,
        imports: Imports,
        thread_locals: &'static ThreadLocals,
        live: bool,
    ) -> Result<Jit, Error> {
        let memory = Memory::new(live)
            .map_err(|error| Error::Memory(format!("no memory for machine code: {error}")))?;
        let map = CodeMap::new(Arc::clone(&module), memory.code_space());
        let zeros_behind = memory.zeros_behind();
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        let thread_locals = ptr::from_ref(thread_locals).expose_provenance();
        let Imports { addresses, missing } = imports;
        builder.symbol_lookup_fn(Box::new(move |name| {
            let address = match name {
                ABSOLUTE => Some(0),
                THREAD_LOCALS => Some(thread_locals),
                _ => {
                    addresses.get(name).copied().or_else(|| Helper::find(name)).or_else(|| library_call(name))
                }
            };
            address.map(ptr::with_exposed_provenance)
        }));
        builder.memory_provider(Box::new(memory));
        Ok(Jit {
            linker: Linker::new(JITModule::new(builder), module, definitions, missing),
            zeros_behind,
            map: Box::leak(Box::new(map)),
            lazy: None,
            unfinished: Vec::new(),
        })
    }

    /// Where code is.
    pub(crate) fn map(&self) -> &'static CodeMap {
        self.map
    }

    /// Lets functions be compiled on their first call: their stubs go to `enter` with the function in `r10d`
    /// and `program` in `r11`.
    pub(crate) fn compile_lazily(&mut self, program: usize, enter: usize) -> Result<(), Error> {
        // movabs r11, program; jmp [rip + 0]
        let mut entry = Stub::default();
        entry.bytes.extend([0x49, 0xbb]);
        entry.bytes.extend(program.to_le_bytes());
        entry.bytes.extend([0xff, 0x25, 0, 0, 0, 0]);
        entry.bytes.extend(enter.to_le_bytes());
        let entry = self.linker.define_stub(None, &entry)?;
        let functions = self.map.module().functions.len();
        let cells = std::iter::repeat_with(|| AtomicUsize::new(0)).take(functions).collect();
        self.lazy = Some(Lazy { cells: Box::leak(cells), entry, stubs: FxHashMap::default() });
        Ok(())
    }

    /// Whether a function is compiled, and where its code is.
    pub(crate) fn code(&self, func: Func) -> Option<usize> {
        let id = self.linker.code(func)?;
        Some(self.linker.module.get_finalized_function(id).expose_provenance())
    }

    /// Defines the code of a function. It may run after [`Jit::finish`].
    pub(crate) fn define_code(&mut self, func: Func, mut code: Code) -> Result<(), Error> {
        let id = self.linker.define_code(func, self.lazy.is_some(), &mut code)?;
        self.unfinished.push(Unfinished { func, id, code });
        Ok(())
    }

    /// Says where a thread-local object is in a thread's block. Before code that refers to it is defined.
    pub(crate) fn set_thread_local(&mut self, global: Global, offset: u64) {
        self.linker.set_thread_local(global, offset);
    }

    /// Defines an object that the program names.
    pub(crate) fn define_global(&mut self, global: Global) -> Result<(), Error> {
        let id = match self.linker.global(global)? {
            FuncOrDataId::Data(id) => id,
            FuncOrDataId::Func(_) => unreachable!("objects of the program are declared as objects"),
        };
        self.define_object(id, data::object(&self.map.module().globals[global]))
    }

    /// Defines an object without a name, which nobody changes. It is complete after [`Jit::finish`].
    pub(crate) fn define_constant(&mut self, object: DataObject) -> Result<DataId, Error> {
        let id = self.linker.module.declare_anonymous_data(false, false)?;
        self.define_object(id, object)?;
        Ok(id)
    }

    fn define_object(&mut self, id: DataId, mut object: DataObject) -> Result<(), Error> {
        if object.bytes.is_empty() && object.zeros > 0 {
            // Modules take no object without contents.
            object.bytes.push(0);
            object.zeros -= 1;
        }
        let zeros = object.zeros;
        let description = self.linker.describe(id, object)?;
        self.zeros_behind.set(zeros);
        self.linker.module.define_data(id, &description)?;
        Ok(())
    }

    /// Writes the references of all that was defined since the last call, and makes it ready to run.
    pub(crate) fn finish(&mut self) -> Result<(), Error> {
        loop {
            let declared = self.linker.take_declared();
            if declared.is_empty() {
                break;
            }
            for func in declared {
                if self.lazy.is_some() {
                    self.define_lazy_stub(func)?;
                } else if self.linker.code(func).is_none() {
                    unreachable!("every function that is reached was compiled");
                }
            }
        }
        self.linker.module.finalize_definitions()?;
        let module = &self.linker.module;
        let finished = self.unfinished.drain(..).map(|Unfinished { func, id, code }| {
            let start = module.get_finalized_function(id).expose_provenance();
            if let Some(lazy) = &self.lazy {
                lazy.cells[func.index()].store(start, Ordering::Release);
                if let Some(&stub) = lazy.stubs.get(&func) {
                    shorten(stub, start);
                }
            }
            FunctionCode {
                range: start..start + code.bytes.len(),
                func,
                traps: code.traps,
                lines: code.lines,
            }
        });
        self.map.extend(finished);
        Ok(())
    }

    /// `movabs r11, cell; jmp [r11]`, and where the cell leads at first: `mov r10d, func; jmp entry`. When the
    /// function is there, `jmp code` takes the place of the first ([`shorten`]).
    fn define_lazy_stub(&mut self, func: Func) -> Result<(), Error> {
        let (Some(lazy), FuncOrDataId::Func(id)) = (&self.lazy, self.linker.function(func)?) else {
            unreachable!("functions of the program are declared as functions");
        };
        let cell = &lazy.cells[func.index()];
        let mut stub = Stub::default();
        stub.bytes.extend([0x49, 0xbb]);
        stub.bytes.extend(ptr::from_ref(cell).expose_provenance().to_le_bytes());
        stub.bytes.extend([0x41, 0xff, 0x23]);
        stub.bytes.resize(STUB_JUMP, 0xcc);
        stub.bytes.extend([0x41, 0xba]);
        stub.bytes.extend(func.as_u32().to_le_bytes());
        stub.bytes.push(0xe9);
        stub.relocations.push(ModuleReloc {
            offset: stub.bytes.len() as u32,
            kind: Reloc::X86CallPCRel4,
            name: lazy.entry.into(),
            addend: -4,
        });
        stub.bytes.extend([0; 4]);
        self.linker.define_stub(Some(id), &stub)?;
        // Threads that run already read the cell only through this stub, which nobody knows yet.
        let address = self.linker.module.get_address(&id.into()).expose_provenance();
        cell.store(address + STUB_JUMP, Ordering::Release);
        if let Some(lazy) = &mut self.lazy {
            lazy.stubs.insert(func, address);
        }
        Ok(())
    }

    /// The address of a function of the program as the program sees it: its stub's, if it has one. `None` if
    /// functions are compiled in advance and this one is not reached.
    pub(crate) fn function(&mut self, func: Func) -> Result<Option<usize>, Error> {
        if self.lazy.is_none() {
            return Ok(self.code(func));
        }
        let id = self.linker.function(func)?;
        self.finish()?;
        Ok(Some(self.linker.module.get_address(&id.into()).expose_provenance()))
    }

    /// The address of an object of the program; `None` if the program does not reach it.
    pub(crate) fn global(&self, global: Global) -> Option<usize> {
        let id = self.linker.defined_global(global)?;
        Some(self.linker.module.get_finalized_data(id).0.expose_provenance())
    }

    /// The bytes of an object without a name.
    pub(crate) fn constant(&self, id: DataId) -> &'static [u8] {
        let (start, bytes) = self.linker.module.get_finalized_data(id);
        // SAFETY: memory of the module is never freed, and nobody changes the object.
        unsafe { std::slice::from_raw_parts(start, bytes) }
    }
}

/// Functions of the C library that Cranelift calls by itself where the processor lacks an instruction. A
/// program that names none of them may not have the library loaded.
fn library_call(name: &str) -> Option<usize> {
    unsafe extern "C" {
        fn ceilf();
        fn ceil();
        fn floorf();
        fn floor();
        fn truncf();
        fn trunc();
        fn nearbyintf();
        fn nearbyint();
        fn fmaf();
        fn fma();
    }
    Some(match name {
        "ceilf" => ceilf as *const () as usize,
        "ceil" => ceil as *const () as usize,
        "floorf" => floorf as *const () as usize,
        "floor" => floor as *const () as usize,
        "truncf" => truncf as *const () as usize,
        "trunc" => trunc as *const () as usize,
        "nearbyintf" => nearbyintf as *const () as usize,
        "nearbyint" => nearbyint as *const () as usize,
        "fmaf" => fmaf as *const () as usize,
        "fma" => fma as *const () as usize,
        _ => return None,
    })
}

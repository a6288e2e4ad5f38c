//! Places machine code, makes stubs, applies relocations.

use crate::codegen::{Code, Place, Relocation};
use crate::data_object::{DataObject, Symbol};
use crate::error::Error;
use crate::memory::Arena;
use crate::names::Name;
use crate::program::Shared;
use accrue_ir::{Func, Pos};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{LibCall, TrapCode};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function's code in memory, for faults.
pub(crate) struct Range {
    pub start: usize,
    pub end: usize,
    pub func: Func,
    pub traps: Vec<(u32, TrapCode)>,
    pub lines: Vec<(u32, u32, Pos)>,
}

/// The machine code of a program.
pub(crate) struct Linker {
    arena: Arena,
    /// Code of each function, 0 before it is compiled.
    code: Vec<usize>,
    stubs: FxHashMap<Name, usize>,
    /// Where stubs of functions that are not compiled yet go first.
    lazy_entry: Option<usize>,
    ranges: Vec<Range>,
}

/// Placed code whose relocations are still to be applied.
pub(crate) struct Placed {
    address: usize,
    relocations: Vec<Relocation>,
    waiting: Vec<DataObject>,
    descriptors: Vec<usize>,
}

fn full() -> Error {
    Error::Limit("the program's machine code does not fit its address space of 256 MiB".into())
}

fn write(at: *mut u8, bytes: &[u8]) {
    // SAFETY: callers pass memory of the arena that they allocated in this size.
    unsafe { at.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
}

/// `movabs r11, address; jmp r11`.
fn jump_to(address: usize) -> Vec<u8> {
    let mut bytes = vec![0x49, 0xbb];
    bytes.extend(address.to_le_bytes());
    bytes.extend([0x41, 0xff, 0xe3]);
    bytes
}

impl Linker {
    pub(crate) fn new(arena: Arena, functions: usize) -> Linker {
        Linker {
            arena,
            code: vec![0; functions],
            stubs: FxHashMap::default(),
            lazy_entry: None,
            ranges: Vec::new(),
        }
    }

    /// Whether a function is compiled, and where.
    pub(crate) fn code(&self, func: Func) -> Option<usize> {
        Some(self.code[func.index()]).filter(|&address| address != 0)
    }

    /// The function whose code an address lies in.
    pub(crate) fn find(&self, address: usize) -> Option<&Range> {
        if !self.arena.contains(address) {
            return None;
        }
        let index = self.ranges.partition_point(|range| range.start <= address).checked_sub(1)?;
        self.ranges.get(index).filter(|range| address < range.end)
    }

    /// Whether an address is one of code or of a stub.
    pub(crate) fn holds(&self, address: usize) -> bool {
        self.arena.contains(address)
    }

    /// Makes everything placed so far executable.
    pub(crate) fn seal(&mut self) -> Result<(), Error> {
        self.arena
            .seal()
            .map_err(|error| Error::Memory(format!("cannot make machine code executable: {error}")))
    }

    fn emit(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let at = self.arena.allocate(bytes.len(), 16).ok_or_else(full)?;
        write(at, bytes);
        Ok(at.expose_provenance())
    }

    /// Copies code to its place. From now on calls go there; its own relocations come later, when all that is placed
    /// together has addresses.
    pub(crate) fn place(&mut self, func: Func, code: Code) -> Result<Placed, Error> {
        let at = self.arena.allocate(code.bytes.len(), code.align).ok_or_else(full)?;
        write(at, &code.bytes);
        let address = at.expose_provenance();
        self.code[func.index()] = address;
        self.ranges.push(Range {
            start: address,
            end: address + code.bytes.len(),
            func,
            traps: code.traps,
            lines: code.lines,
        });
        Ok(Placed {
            address,
            relocations: code.relocations,
            waiting: code.descriptors,
            descriptors: Vec::new(),
        })
    }

    /// Applies the relocations of placed code.
    pub(crate) fn relocate(&mut self, shared: &'static Shared, mut placed: Placed) -> Result<(), Error> {
        self.place_descriptors(shared, &mut placed)?;
        for relocation in &placed.relocations {
            let at = placed.address + relocation.offset as usize;
            let target = self.target(shared, &placed, relocation.place)?;
            match relocation.kind {
                Reloc::Abs8 => {
                    let value = target.wrapping_add_signed(relocation.addend as isize);
                    write(std::ptr::with_exposed_provenance_mut(at), &value.to_le_bytes());
                }
                Reloc::X86PCRel4 | Reloc::X86CallPCRel4 | Reloc::X86CallPLTRel4 => {
                    let target = match displacement(target, relocation.addend, at) {
                        Some(_) => target,
                        None => self.jump_stub(relocation.place, target)?,
                    };
                    let Some(value) = displacement(target, relocation.addend, at) else {
                        return Err(full());
                    };
                    write(std::ptr::with_exposed_provenance_mut(at), &value.to_le_bytes());
                }
                kind => unreachable!("relocation {kind:?} is not used by code of this crate"),
            }
        }
        Ok(())
    }

    fn target(&mut self, shared: &'static Shared, placed: &Placed, place: Place) -> Result<usize, Error> {
        match place {
            Place::Own(offset) => Ok(placed.address + offset as usize),
            Place::Library(call) => Ok(library_call(call)),
            Place::Name(Name::Descriptor(index)) => Ok(placed.descriptors[index as usize]),
            Place::Name(Name::Call(func)) => match shared.definition(func) {
                Some(func) => match self.code(func) {
                    Some(address) => Ok(address),
                    None => self.lazy_stub(shared, func),
                },
                None => Ok(shared.external(func)),
            },
            Place::Name(Name::Address(func)) => self.function_address(shared, func),
            Place::Name(Name::Global(global)) => Ok(shared.global(global)),
            Place::Name(Name::Helper(helper)) => Ok(helper.address()),
            Place::Name(Name::Program) => Ok(std::ptr::from_ref(shared).expose_provenance()),
            Place::Name(Name::Launch) => Ok(shared.launch),
            Place::Name(Name::Data) => Ok(shared.data),
            Place::Name(name @ Name::Variadic(func, xmms)) => {
                let target = self.function_address(shared, func)?;
                // mov eax, xmms
                let mut bytes = vec![0xb8];
                bytes.extend(xmms.to_le_bytes());
                bytes.extend(jump_to(target));
                self.stub(name, &bytes)
            }
            Place::Name(name @ Name::VariadicIndirect(offset, xmms)) => {
                // mov eax, xmms; jmp [rsp + 8 + offset]: the return address lies below the arguments.
                let mut bytes = vec![0xb8];
                bytes.extend(xmms.to_le_bytes());
                bytes.extend([0xff, 0xa4, 0x24]);
                bytes.extend((offset + 8).to_le_bytes());
                self.stub(name, &bytes)
            }
        }
    }

    fn stub(&mut self, name: Name, bytes: &[u8]) -> Result<usize, Error> {
        if let Some(&address) = self.stubs.get(&name) {
            return Ok(address);
        }
        let address = self.emit(bytes)?;
        self.stubs.insert(name, address);
        Ok(address)
    }

    /// A jump to something that a 32-bit displacement does not reach.
    fn jump_stub(&mut self, place: Place, target: usize) -> Result<usize, Error> {
        match place {
            Place::Name(name) => self.stub(name, &jump_to(target)),
            Place::Library(_) | Place::Own(_) => self.emit(&jump_to(target)),
        }
    }

    /// The address of a function as the program sees it. A lazily compiled function's is its stub's, for ever.
    pub(crate) fn function_address(&mut self, shared: &'static Shared, func: Func) -> Result<usize, Error> {
        match shared.definition(func) {
            Some(func) if shared.lazy() => self.lazy_stub(shared, func),
            Some(func) => match self.code(func) {
                Some(address) => Ok(address),
                None => unreachable!("every function that is reached was compiled"),
            },
            None => Ok(shared.external(func)),
        }
    }

    /// `movabs r11, &slot; jmp [r11]`, and behind it what the slot holds at first: `mov r10d, func; jmp lazy_entry`.
    fn lazy_stub(&mut self, shared: &'static Shared, func: Func) -> Result<usize, Error> {
        const FIRST: usize = 16;
        let name = Name::Address(func);
        if let Some(&address) = self.stubs.get(&name) {
            return Ok(address);
        }
        let entry = self.lazy_entry(shared)?;
        let slot = shared.slot(func);
        let mut bytes = vec![0x49, 0xbb];
        bytes.extend(std::ptr::from_ref(slot).expose_provenance().to_le_bytes());
        bytes.extend([0x41, 0xff, 0x23]);
        bytes.resize(FIRST, 0xcc);
        bytes.extend([0x41, 0xba]);
        bytes.extend(func.as_u32().to_le_bytes());
        let at = self.arena.allocate(32, 16).ok_or_else(full)?;
        let address = at.expose_provenance();
        let next = address + bytes.len() + 5;
        bytes.push(0xe9);
        bytes.extend((entry.wrapping_sub(next) as i32).to_le_bytes());
        write(at, &bytes);
        // Threads that run already read the slot only through this stub, which nobody knows yet.
        let first = self.code(func).unwrap_or(address + FIRST);
        slot.store(first, Ordering::Release);
        self.stubs.insert(name, address);
        Ok(address)
    }

    /// `movabs r11, program; jmp [rip + 0]` and the address of the code that compiles.
    fn lazy_entry(&mut self, shared: &'static Shared) -> Result<usize, Error> {
        if let Some(entry) = self.lazy_entry {
            return Ok(entry);
        }
        let mut bytes = vec![0x49, 0xbb];
        bytes.extend(std::ptr::from_ref(shared).expose_provenance().to_le_bytes());
        bytes.extend([0xff, 0x25, 0, 0, 0, 0]);
        bytes.extend((crate::lazy::enter_lazily as *const () as usize).to_le_bytes());
        let entry = self.emit(&bytes)?;
        self.lazy_entry = Some(entry);
        Ok(entry)
    }

    /// Places constant data, and gives its address.
    pub(crate) fn place_object(
        &mut self,
        shared: &'static Shared,
        object: DataObject,
    ) -> Result<usize, Error> {
        object.place(|symbol| match symbol {
            Symbol::Function(func) => self.function_address(shared, func),
            Symbol::Global(global) => Ok(shared.global(global)),
        })
    }

    /// Places the descriptors of a function's directives.
    fn place_descriptors(&mut self, shared: &'static Shared, placed: &mut Placed) -> Result<(), Error> {
        for object in std::mem::take(&mut placed.waiting) {
            let address = self.place_object(shared, object)?;
            placed.descriptors.push(address);
        }
        Ok(())
    }
}

fn displacement(target: usize, addend: i64, at: usize) -> Option<i32> {
    i32::try_from((target as i64).wrapping_add(addend).wrapping_sub(at as i64)).ok()
}

fn library_call(call: LibCall) -> usize {
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
    match call {
        LibCall::CeilF32 => ceilf as *const () as usize,
        LibCall::CeilF64 => ceil as *const () as usize,
        LibCall::FloorF32 => floorf as *const () as usize,
        LibCall::FloorF64 => floor as *const () as usize,
        LibCall::TruncF32 => truncf as *const () as usize,
        LibCall::TruncF64 => trunc as *const () as usize,
        LibCall::NearestF32 => nearbyintf as *const () as usize,
        LibCall::NearestF64 => nearbyint as *const () as usize,
        LibCall::FmaF32 => fmaf as *const () as usize,
        LibCall::FmaF64 => fma as *const () as usize,
        LibCall::Memcpy => libc::memcpy as *const () as usize,
        LibCall::Memset => libc::memset as *const () as usize,
        LibCall::Memmove => libc::memmove as *const () as usize,
        LibCall::Memcmp => libc::memcmp as *const () as usize,
        LibCall::Probestack | LibCall::ElfTlsGetAddr | LibCall::ElfTlsGetOffset | LibCall::X86Pshufb => {
            unreachable!("{call} is not used with the settings of this crate")
        }
    }
}

/// A cell that holds the address a function's stub jumps to.
pub(crate) type Slot = AtomicUsize;

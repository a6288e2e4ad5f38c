//! What a program consists of, for runtimes that pair it with code and objects on a device.

use crate::descriptors;
use crate::error::Error;
use crate::program::{Program, Shared};
use accrue_ir::{Func, FunctionKind, Global, Init};
use accrue_runtime::abi::ProgramTable;

/// The globals that the program defines and reaches, but for those of threads.
fn objects(shared: &Shared) -> impl Iterator<Item = Global> {
    let globals = shared.module().globals.iter();
    let defined = globals.filter(|(_, data)| data.init != Init::Extern && !data.thread_local);
    defined.map(|(global, _)| global).filter(|&global| shared.global(global) != 0)
}

impl Program {
    /// The table by which images of the program on devices find its regions and objects, those that it reaches.
    pub fn table(&self) -> Result<&'static ProgramTable, Error> {
        let shared = self.shared();
        let module = shared.module();
        let mut state = shared.state();
        let linker = &mut state.linker;
        let is_region = |func: Func| {
            let function = &module.functions[func];
            matches!(function.kind, FunctionKind::Region(_)) && function.body.is_some()
        };
        let is_known = |func: Func| shared.lazy() || linker.code(func).is_some();
        let regions: Vec<Func> =
            module.functions.keys().filter(|&func| is_region(func) && is_known(func)).collect();
        let declared: Vec<Global> =
            objects(shared).filter(|&global| module.globals[global].declare.is_some()).collect();
        let table = descriptors::program(module, &regions, &declared);
        let address = linker.place_object(shared, table)?;
        // SAFETY: the table was made for the runtime, and stays.
        Ok(unsafe { ProgramTable::read(std::ptr::with_exposed_provenance(address)) })
    }

    /// A test whether an address is one of the program's objects, or right behind one.
    pub fn object_test(&self) -> impl Fn(usize) -> bool + Send + Sync + use<> {
        let shared = self.shared();
        let extent = |global| (shared.global(global), shared.module().globals[global].size);
        let mut extents: Vec<(usize, u64)> = objects(shared).map(extent).collect();
        extents.sort_unstable();
        move |address| {
            let next = extents.partition_point(|&(start, _)| start <= address);
            extents[..next].last().is_some_and(|&(start, bytes)| (address - start) as u64 <= bytes)
        }
    }

    /// Whether an address is that of a function of the program.
    pub fn is_code(&self, address: usize) -> bool {
        self.shared().state().linker.holds(address)
    }
}

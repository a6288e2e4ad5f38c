//! What a program consists of, for runtimes that pair it with code and objects on a device.

use crate::descriptors;
use crate::error::Error;
use crate::program::Program;
use crate::shared::State;
use accrue_ir::{Func, FunctionKind, Global, Init, Module};
use accrue_runtime::abi::ProgramTable;

/// The globals that the program defines and reaches, but for those of threads, and where they are.
fn objects(module: &Module, state: &State) -> impl Iterator<Item = (Global, usize)> {
    let defined = module.globals.iter().filter(|(_, data)| data.init != Init::Extern && !data.thread_local);
    defined.filter_map(|(global, _)| Some((global, state.jit.global(global)?)))
}

impl Program {
    /// The table by which images of the program on devices find its regions and objects, those that it
    /// reaches.
    pub fn table(&self) -> Result<&'static ProgramTable, Error> {
        let shared = self.shared();
        let module = &shared.module;
        let mut state = shared.state();
        let mut regions: Vec<Func> = Vec::new();
        for (func, function) in &module.functions {
            let is_region = matches!(function.kind, FunctionKind::Region(_)) && function.body.is_some();
            if is_region && state.jit.function(func)?.is_some() {
                regions.push(func);
            }
        }
        let objects = objects(module, &state).map(|(global, _)| global);
        let declared: Vec<Global> =
            objects.filter(|&global| module.globals[global].declare.is_some()).collect();
        let table = descriptors::program(module, &regions, &declared);
        let table = state.jit.define_constant(table)?;
        state.jit.finish()?;
        let address = state.jit.constant(table).as_ptr();
        // SAFETY: the table was made for the runtime, and stays.
        Ok(unsafe { ProgramTable::read(address.cast()) })
    }

    /// A test whether an address is one of the program's objects, or right behind one.
    pub fn object_test(&self) -> impl Fn(usize) -> bool + Send + Sync + use<> {
        let module = &self.shared().module;
        let extent = |(global, address)| (address, module.globals[global].size);
        let mut extents: Vec<(usize, u64)> = objects(module, &self.shared().state()).map(extent).collect();
        extents.sort_unstable();
        move |address| {
            let next = extents.partition_point(|&(start, _)| start <= address);
            extents[..next].last().is_some_and(|&(start, bytes)| (address - start) as u64 <= bytes)
        }
    }

    /// Whether an address is that of a function of the program.
    pub fn is_code(&self, address: usize) -> bool {
        self.shared().code.contains(address)
    }
}

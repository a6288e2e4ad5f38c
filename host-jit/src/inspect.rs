//! What a program consists of, for runtimes that pair it with code and objects on a device.

use crate::program::Program;
use accrue_ir::{DeclareKind, FunctionKind, Init};
use std::sync::Arc;

/// An object that the program declares for devices (`acc declare`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its name in the IR.
    pub name: Arc<str>,
    /// Where it is.
    pub address: usize,
    /// Its size.
    pub bytes: u64,
    /// The clause.
    pub declare: DeclareKind,
}

impl Program {
    /// The regions that the program reaches, each with the address of its code.
    pub fn regions(&self) -> Vec<(Arc<str>, usize)> {
        let shared = self.shared();
        let mut state = shared.state();
        let mut regions = Vec::new();
        for (func, function) in &shared.module().functions {
            let is_region = matches!(function.kind, FunctionKind::Region(_)) && function.body.is_some();
            let known = shared.lazy() || state.linker.code(func).is_some();
            if is_region
                && known
                && let Ok(address) = state.linker.function_address(shared, func)
            {
                regions.push((function.name.clone(), address));
            }
        }
        regions
    }

    /// The objects that the program defines, reaches, and declares for devices.
    pub fn declared(&self) -> Vec<Object> {
        let shared = self.shared();
        let module = shared.module();
        let defined =
            module.globals.iter().filter(|(_, data)| data.init != Init::Extern && !data.thread_local);
        defined
            .filter_map(|(global, data)| {
                let object = Object {
                    name: data.name.clone(),
                    address: shared.global(global),
                    bytes: data.size,
                    declare: data.declare?,
                };
                (object.address != 0).then_some(object)
            })
            .collect()
    }

    /// Where the program's objects are, and their bytes, in order of their addresses.
    pub fn objects(&self) -> Vec<(usize, u64)> {
        let shared = self.shared();
        let module = shared.module();
        let defined =
            module.globals.iter().filter(|(_, data)| data.init != Init::Extern && !data.thread_local);
        let mut objects: Vec<(usize, u64)> =
            defined.map(|(global, data)| (shared.global(global), data.size)).collect();
        objects.retain(|&(address, _)| address != 0);
        objects.sort_unstable();
        objects
    }

    /// Whether an address is that of a function of the program.
    pub fn is_code(&self, address: usize) -> bool {
        self.shared().state().linker.holds(address)
    }
}

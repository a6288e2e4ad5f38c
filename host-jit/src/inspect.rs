//! What a program consists of, for runtimes that pair it with code and objects on a device.

use crate::program::Program;
use crate::shared::State;
use accrue_ir::{DeclareKind, FunctionKind, Global, GlobalData, Init};
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
        for (func, function) in &shared.module.functions {
            let is_region = matches!(function.kind, FunctionKind::Region(_)) && function.body.is_some();
            if is_region && let Ok(Some(address)) = state.jit.function(func) {
                regions.push((function.name.clone(), address));
            }
        }
        regions
    }

    /// The objects that the program defines, reaches, and declares for devices.
    pub fn declared(&self) -> Vec<Object> {
        let shared = self.shared();
        let state = shared.state();
        let declared = shared.module.globals.iter().filter_map(|(global, data)| {
            let declare = data.declare?;
            let address = own_object(&state, global, data)?;
            Some(Object { name: data.name.clone(), address, bytes: data.size, declare })
        });
        declared.collect()
    }

    /// Where the program's objects are, and their bytes, in order of their addresses.
    pub fn objects(&self) -> Vec<(usize, u64)> {
        let shared = self.shared();
        let state = shared.state();
        let own = shared.module.globals.iter();
        let mut objects: Vec<(usize, u64)> = own
            .filter_map(|(global, data)| Some((own_object(&state, global, data)?, data.size)))
            .collect();
        objects.sort_unstable();
        objects
    }

    /// Whether an address is that of a function of the program.
    pub fn is_code(&self, address: usize) -> bool {
        self.shared().code.contains(address)
    }
}

/// The address of an object that the program defines and reaches, one for all threads.
fn own_object(state: &State, global: Global, data: &GlobalData) -> Option<usize> {
    let is_own = data.init != Init::Extern && !data.thread_local;
    if is_own { state.jit.global(global) } else { None }
}

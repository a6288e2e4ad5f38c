//! The linker's view of names: which declaration stands for which definition, what functions and globals are
//! called, and which functions the host has.

use accrue_ir::{Func, Function, Global, GlobalData, Init, Linkage, Module};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// Definitions behind declarations.
pub(crate) struct Definitions {
    functions: SecondaryMap<Func, Option<Func>>,
    globals: SecondaryMap<Global, Option<Global>>,
}

/// The linker's name of a function.
pub(crate) fn function_name(function: &Function) -> &str {
    function.link_name.as_deref().unwrap_or(&function.name)
}

/// The name that a function is looked up by which the program does not define.
pub(crate) fn external_name(function: &Function) -> &str {
    function.alias.as_deref().unwrap_or(function_name(function))
}

/// Whether the host has the function: one marked `nohost` is not compiled for it, and is null where it is
/// named, as an undefined weak symbol is.
pub(crate) fn has_code(function: &Function) -> bool {
    function.body.is_some() && !is_nohost(function)
}

/// Whether `acc routine nohost` stands on the function.
pub(crate) fn is_nohost(function: &Function) -> bool {
    function.routine.as_ref().is_some_and(|routine| routine.nohost)
}

/// The linker's name of a global.
pub(crate) fn global_name(global: &GlobalData) -> &str {
    global.link_name.as_deref().unwrap_or(&global.name)
}

impl Definitions {
    /// Matches declarations with definitions of the same name, and aliases with what they stand for.
    pub(crate) fn new(module: &Module) -> Definitions {
        let mut by_name: FxHashMap<&str, Func> = FxHashMap::default();
        let mut undecided = false;
        for (func, function) in &module.functions {
            if has_code(function) {
                // Names private to a translation unit serve aliases only; visible ones win.
                if function.linkage == Linkage::Internal {
                    by_name.entry(function_name(function)).or_insert(func);
                } else {
                    by_name.insert(function_name(function), func);
                }
            } else {
                undecided = true;
            }
        }
        let mut functions: SecondaryMap<Func, Option<Func>> = SecondaryMap::new();
        for (func, function) in &module.functions {
            functions[func] = match (has_code(function), &function.alias) {
                (true, _) => Some(func),
                (false, Some(target)) => by_name.get(&**target).copied(),
                (false, None) if undecided => by_name
                    .get(function_name(function))
                    .copied()
                    .filter(|&found| module.functions[found].linkage != Linkage::Internal),
                (false, None) => None,
            };
        }
        let mut by_name: FxHashMap<&str, Global> = FxHashMap::default();
        for (global, data) in &module.globals {
            if data.init != Init::Extern && data.linkage != Linkage::Internal {
                by_name.insert(global_name(data), global);
            }
        }
        let mut globals: SecondaryMap<Global, Option<Global>> = SecondaryMap::new();
        for (global, data) in &module.globals {
            globals[global] = match data.init {
                Init::Extern => by_name.get(global_name(data)).copied(),
                Init::Zero | Init::Bytes(..) => Some(global),
            };
        }
        Definitions { functions, globals }
    }

    /// The definition of a function, if the program has one.
    pub(crate) fn function(&self, func: Func) -> Option<Func> {
        self.functions[func]
    }

    /// The definition of a global, if the program has one.
    pub(crate) fn global(&self, global: Global) -> Option<Global> {
        self.globals[global]
    }
}

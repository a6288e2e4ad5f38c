//! Which functions return new memory: those of the library, and those of the program that return what such a
//! function has returned, as `static double *array(int n) { double *p = malloc(n * sizeof *p); ...; return p;
//! }`.

use crate::analysis::bases::Bases;
use crate::analysis::callees::Callees;
use crate::analysis::library;
use crate::analysis::survey::allocated;
use crate::entities::Func;
use crate::function::{Body, Linkage};
use crate::module::Module;
use crate::op::{Operand, Terminator};

/// Functions that call each other are followed so deep.
const DEPTH: usize = 3;

/// Notes these functions.
pub(super) fn find(module: &Module, found: &mut Callees) {
    let of_library = module.functions.iter().filter(|(_, data)| {
        data.body.is_none()
            && data.alias.is_none()
            && library::allocates(data.link_name.as_deref().unwrap_or(&data.name))
    });
    found.allocators.extend(of_library.map(|(func, _)| func));
    for _ in 0..DEPTH {
        // Another definition may take the place of a weak one.
        let of_program = module.functions.iter().filter(|(_, data)| data.linkage != Linkage::Weak);
        let new: Vec<Func> = of_program
            .filter(|(func, _)| !found.allocators.contains(func))
            .filter(|(_, data)| data.body.as_deref().is_some_and(|body| returns_new(body, found)))
            .map(|(func, _)| func)
            .collect();
        if found.allocators.is_empty() || new.is_empty() {
            return;
        }
        found.allocators.extend(new);
    }
}

/// Whether a function returns what it has just allocated, whenever it returns.
fn returns_new(body: &Body, known: &Callees) -> bool {
    let returned: Vec<Operand> = body
        .order
        .iter()
        .filter_map(|&block| match body.blocks[block].term {
            Terminator::Return(value) => Some(value.unwrap_or(Operand::NULL)),
            _ => None,
        })
        .collect();
    if returned.is_empty() || returned.iter().any(|value| value.as_local().is_none()) {
        return false;
    }
    let new = allocated(body, &Bases::new(body), known);
    returned.iter().all(|value| value.as_local().is_some_and(|local| new.contains_key(&local)))
}

//! Constant objects are part of the device's code.
//!
//! Objects of functions that only hold constants become objects of the module first (`literals`).
//!
//! Before: a construct that uses a `const` object without a clause maps it, by an implicit `copyin`. After:
//! no construct maps an object whose value the module knows; the device's image of the program has it, as it
//! has those that functions of the device use. A launch is spared a copy, or a look-up, and what is loaded
//! from a known place of it can be known, too. Objects that hold addresses stay mapped: the device's are
//! others.

mod literals;

use super::env::{Env, Work, each_body};
use crate::acc::{DataMap, MapKind};
use crate::module::{Init, Module};
use crate::op::Operand;
use crate::report::{Decision, PassError, topics};

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    each_body(module, |work| {
        let name = work.name();
        let Work { module, body, .. } = work;
        literals::run(module, body);
        let mut known = Vec::new();
        for data in body.constructs.values_mut().filter(|data| !data.kind.is_threaded()) {
            known.extend(data.maps.extract_if(.., |map| is_known(module, map)));
        }
        if env.explains {
            env.report.decisions.extend(known.into_iter().map(|map| Decision {
                pos: map.pos,
                function: name.clone(),
                topic: topics::DATA,
                text: format!("`{}` is constant, and part of the device's code", map.name),
            }));
        }
        Ok(())
    })
}

/// Whether the construct's use of an object has made the map, and the module has its value.
fn is_known(module: &Module, map: &DataMap) -> bool {
    let Some(Operand::Global(global)) = map.var else { return false };
    let data = &module.globals[global];
    let has_value = match &data.init {
        Init::Zero => true,
        Init::Bytes(_, relocations) => relocations.is_empty(),
        Init::Extern => false,
    };
    let is_whole = map.implicit && map.kind == MapKind::CopyIn && map.pointer_bias.is_none();
    is_whole && has_value && data.constant && !data.thread_local && data.declare.is_none()
}

//! placeholder
use super::{Env, PassError};
use crate::module::Module;
/// Runs the pass.
pub fn run(_module: &mut Module, _env: &mut Env<'_>) -> Result<(), PassError> {
    Ok(())
}

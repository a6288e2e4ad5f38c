//! Targets and versions that instructions need, by the table of `accrue-ptx-isa`.

use accrue_ptx_isa::Version;

/// Why an instruction, with its modifiers, cannot stand in a module for this target and version, if so.
pub(crate) fn missing(instruction: &str, target: u32, version: Version) -> Option<String> {
    let need = accrue_ptx_isa::need(instruction);
    if target < need.target {
        return Some(format!("`{instruction}` needs a target of at least sm_{}", need.target));
    }
    if version < need.version {
        let (major, minor) = need.version;
        return Some(format!("`{instruction}` needs .version {major}.{minor} or higher"));
    }
    let first = accrue_ptx_isa::first_without(instruction)?;
    let message = format!("`{instruction}` without `.sync` is no instruction of sm_{first} and above");
    (target >= first).then_some(message)
}

//! The device library: C sources that are compiled into the PTX of programs that need them
//! (`ptx-emit/library`).

use crate::driver;
use accrue_frontend::options::Options;
use accrue_frontend::pp::Input;
use accrue_frontend::session::Session;
use accrue_ir::verify::Verified;
use accrue_ptx_emit::{DeviceLibrary, LIBRARY};
use std::fmt::Write;

macro_rules! sources {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../ptx-emit/library/", $name)))),*]
    };
}

/// Headers, each after those it includes.
const HEADERS: &[(&str, &str)] = sources!["polynomials.h", "device.h", "cores.h", "complex.h",];

/// Sources; each stands alone with the headers.
const SOURCES: &[(&str, &str)] = sources![
    "arithmetic.c",
    "bessel.c",
    "classify.c",
    "complex.c",
    "complex_float.c",
    "complex_inverse.c",
    "ctype.c",
    "error_function.c",
    "exp.c",
    "gamma.c",
    "hyperbolic.c",
    "integer.c",
    "inverse_trig.c",
    "log.c",
    "memory.c",
    "omp.c",
    "pow.c",
    "remainder.c",
    "roots.c",
    "rounding.c",
    "scale.c",
    "search.c",
    "string.c",
    "trig.c",
];

/// How the sources spell the name of a function that they define.
const PREFIX: &str = "__accrue_";

/// The text of a source, its headers in front of it.
fn text(name: &str, source: &str) -> String {
    let mut text = String::new();
    for (name, source) in HEADERS.iter().copied().chain([(name, source)]) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "#line 1 \"{LIBRARY}{name}\"");
        for line in source.lines() {
            let is_ours = line.starts_with("#include \"");
            text.push_str(if is_ours { "" } else { line });
            text.push('\n');
        }
    }
    text
}

/// The source that defines a function.
fn source_of(name: &str) -> Option<usize> {
    let bare = name.strip_prefix(PREFIX).unwrap_or(name);
    let mention = format!("DEVICE({bare})(");
    let direct = SOURCES
        .iter()
        .position(|(_, text)| text.match_indices(&mention).any(|(at, _)| is_definition(text, at)));
    // Some are defined by a macro over their name.
    direct.or_else(|| {
        bare.starts_with("int128_").then(|| SOURCES.iter().position(|(name, _)| *name == "arithmetic.c"))?
    })
}

/// Whether a name in a source is being defined: other sources call it, too. A definition is a line that
/// begins with a type.
fn is_definition(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let is_type = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '*');
    line.starts_with(|c: char| c.is_ascii_alphabetic())
        && text[start..at].chars().all(is_type)
        && !line.ends_with(';')
}

/// The library as the passes of the device ask for it.
#[derive(Debug)]
pub struct Sources;

impl DeviceLibrary for Sources {
    fn source_of(&self, function: &str) -> Option<usize> {
        source_of(function)
    }

    fn module(&self, source: usize) -> Result<Verified, String> {
        let (name, source) = SOURCES[source];
        let options = Options::default();
        let mut session = Session::new(options);
        let input = Input::Memory { name: format!("{LIBRARY}{name}"), text: text(name, source).into_bytes() };
        let module = driver::translate(&mut session, &input);
        module.ok_or_else(|| accrue_frontend::diag::render_text(&session, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_compiles_and_its_functions_are_found_in_it() {
        for (index, (name, _)) in SOURCES.iter().enumerate() {
            let module = Sources.module(index).unwrap_or_else(|error| panic!("{name}: {error}"));
            for function in module.functions.values() {
                let is_public = function.linkage != accrue_ir::Linkage::Internal;
                if function.body.is_some() && is_public {
                    let found = source_of(&function.name).map(|index| SOURCES[index].0);
                    assert_eq!(found, Some(SOURCES[index].0), "{}", function.name);
                }
            }
        }
    }

    #[test]
    fn functions_are_found() {
        assert_eq!(source_of("sin").map(|index| SOURCES[index].0), Some("trig.c"));
        assert_eq!(source_of("__accrue_int128_udiv_low").map(|index| SOURCES[index].0), Some("arithmetic.c"));
        assert_eq!(source_of("fopen"), None);
    }
}

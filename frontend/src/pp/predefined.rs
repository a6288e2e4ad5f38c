//! Macros that are defined before the first line of the program.
//!
//! accrue says it is GCC 12. An older version would give up `CMPLX`, the `__builtin_isnan` family in
//! `<math.h>` and the `_Generic` paths of the C library, and with versions below 7 the library makes typedefs
//! of `_Float32` and its kin, which are keywords here. The one thing that a version above 4.3 promises and
//! accrue does not have, 128-bit floating point, is taken back by the shipped `bits/floatn.h`.
//! `__NO_INLINE__` keeps the library from giving inline bodies to functions it also has compiled.

use super::state::Preprocessor;
use crate::headers;
use crate::options::{MacroOption, Standard};
use std::fmt::Write;

impl Preprocessor<'_> {
    /// Opens the text that defines the macros of the compiler.
    pub(super) fn open_predefined(&mut self) {
        let options = &self.session.options;
        let mut text = headers::PREDEFINED.to_owned();
        let mut define = |name: &str, value: &str| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "#define {name} {value}");
        };
        define("__VERSION__", concat!("\"accrue ", env!("CARGO_PKG_VERSION"), "\""));
        match options.standard {
            Standard::C89 => {}
            Standard::C99 => define("__STDC_VERSION__", "199901L"),
            Standard::C11 => define("__STDC_VERSION__", "201112L"),
            Standard::C17 => define("__STDC_VERSION__", "201710L"),
            Standard::C23 => define("__STDC_VERSION__", "202311L"),
        }
        // C89 had another meaning of `inline`.
        let inline =
            if options.standard == Standard::C89 { "__GNUC_GNU_INLINE__" } else { "__GNUC_STDC_INLINE__" };
        define(inline, "1");
        if options.gnu {
            define("linux", "1");
            define("unix", "1");
        } else {
            define("__STRICT_ANSI__", "1");
        }
        if options.standard >= Standard::C11 {
            define("__STDC_NO_THREADS__", "1");
        }
        if options.optimize > 0 {
            define("__OPTIMIZE__", "1");
        }
        if options.openacc {
            define("_OPENACC", "202211");
        }
        if options.openmp {
            define("_OPENMP", "201811");
        }
        self.open_buffer("<built-in>", text, true);
    }

    /// Opens the text that `-D`, `-U` and `-include` make.
    pub(super) fn open_command_line(&mut self) {
        let mut text = String::new();
        for option in &self.session.options.macros {
            let line = match option {
                MacroOption::Define(definition) => {
                    let (name, body) = definition.split_once('=').unwrap_or((definition, "1"));
                    format!("#define {name} {body}")
                }
                MacroOption::Undef(name) => format!("#undef {name}"),
            };
            text.push_str(&line.replace(['\n', '\r'], " "));
            text.push('\n');
        }
        for name in &self.session.options.forced_includes {
            // An include's quotes enclose a name as it stands, without escapes.
            let _ = writeln!(text, "#include \"{}\"", name.replace(['\n', '\r'], " "));
        }
        if !text.is_empty() {
            self.open_buffer("<command-line>", text, false);
        }
    }

    fn open_buffer(&mut self, name: &str, text: String, system: bool) {
        let text: Vec<u8> = text.into_bytes().into_iter().chain([0]).collect();
        self.open_text(name, String::new(), text.into(), None, system);
    }
}

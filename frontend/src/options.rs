//! What the command line says to the front end.

use accrue_ir::passes::ids;
use std::path::PathBuf;

/// Warnings that are given only if `-WID` asks for them.
const ON_REQUEST: [&str; 1] = [ids::IMPLICIT_SECTION];

/// The language standard of `-std=`, without its dialect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standard {
    /// `c89`, `c90`, `ansi`, `iso9899:1990`.
    C89,
    /// `c99`, `iso9899:1999`.
    C99,
    /// `c11`, `iso9899:2011`.
    C11,
    /// `c17`, `c18`, `iso9899:2017`.
    C17,
    /// `c23`, `c2x`, `iso9899:2024`.
    C23,
}

/// The kind of device that constructs are compiled for, which `device_type` clauses and the context selectors
/// of OpenMP ask about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// The processor the compiler runs on.
    #[default]
    Host,
    /// The host, whose processors execute gangs at the same time.
    Multicore,
    /// NVIDIA GPUs.
    Nvidia,
}

/// One `-D` or `-U`; their order on the command line matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroOption {
    /// `-DNAME`, `-DNAME=BODY`, `-D'NAME(a,b)=BODY'`: the text after `-D`.
    Define(String),
    /// `-UNAME`.
    Undef(String),
}

/// Which warnings are given, and which of them are errors.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct WarningOptions {
    /// `-w`: none at all.
    pub none: bool,
    /// `-Werror`: all are errors.
    pub all_errors: bool,
    /// `-Wno-ID`: these are not given.
    pub disabled: Vec<String>,
    /// `-WID`: these are given, also if that is not usual.
    pub requested: Vec<String>,
    /// `-Werror=ID`: these are errors.
    pub errors: Vec<String>,
    /// `-Wno-error=ID`: these stay warnings under `-Werror`.
    pub not_errors: Vec<String>,
    /// `-Wsystem-headers`: warnings in system headers are given too.
    pub system_headers: bool,
}

impl WarningOptions {
    /// Takes the text after `-W`; `w` alone is spelled `-w` and is not for this function. An id nobody knows
    /// is kept: the command line warns of it.
    pub fn apply(&mut self, text: &str) {
        fn set(list: &mut Vec<String>, id: &str) {
            if !list.iter().any(|known| known == id) {
                list.push(id.to_owned());
            }
        }
        if text == "error" {
            self.all_errors = true;
        } else if text == "no-error" {
            self.all_errors = false;
            self.errors.clear();
        } else if text == "system-headers" {
            self.system_headers = true;
        } else if let Some(id) = text.strip_prefix("error=") {
            self.not_errors.retain(|known| known != id);
            self.disabled.retain(|known| known != id);
            set(&mut self.requested, id);
            set(&mut self.errors, id);
        } else if let Some(id) = text.strip_prefix("no-error=") {
            self.errors.retain(|known| known != id);
            set(&mut self.not_errors, id);
        } else if let Some(id) = text.strip_prefix("no-") {
            self.requested.retain(|known| known != id);
            set(&mut self.disabled, id);
        } else {
            self.disabled.retain(|known| known != text);
            set(&mut self.requested, text);
        }
    }

    /// Whether a warning of this id is given.
    pub fn enabled(&self, id: &str) -> bool {
        let names = |list: &[String]| list.iter().any(|known| known == id);
        !self.none && !names(&self.disabled) && (!ON_REQUEST.contains(&id) || names(&self.requested))
    }

    /// Whether the user names a warning of this id as none that is an error, or as one that is not given.
    pub fn is_kept_warning(&self, id: &str) -> bool {
        self.not_errors.iter().chain(&self.disabled).any(|known| known == id)
    }

    /// Whether a warning of this id, if given, is an error.
    pub fn is_error(&self, id: &str) -> bool {
        self.errors.iter().any(|known| known == id)
            || self.all_errors && !self.not_errors.iter().any(|known| known == id)
    }
}

/// Everything that decides what a translation unit means, apart from its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// `-iquote`: searched for `#include "..."` after the directory of the including file.
    pub quote_dirs: Vec<PathBuf>,
    /// `-I`: searched for both forms of `#include`.
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem`: searched after `-I`; what is found there is a system header.
    pub system_dirs: Vec<PathBuf>,
    /// Whether the C library's headers are searched, after everything else. Off with `-nostdinc`; the headers
    /// that accrue ships are searched all the same.
    pub default_dirs: bool,
    /// `-D` and `-U`, in order.
    pub macros: Vec<MacroOption>,
    /// `-include`: read before the main file, in order.
    pub forced_includes: Vec<String>,
    /// `-std=`, without its dialect.
    pub standard: Standard,
    /// `-std=gnu*`: GNU extensions that are not reserved names are on. Off with `-std=c*`.
    pub gnu: bool,
    /// `-fgnu89-inline`: `inline` as GNU C had it before C99, whatever the standard.
    pub gnu89_inline: bool,
    /// `-fopenacc`; on by default.
    pub openacc: bool,
    /// `-fopenmp`; off by default.
    pub openmp: bool,
    /// `-fimplied-reductions`, on by default: a loop that writes what the construct or a loop around it
    /// reduces has that clause, too.
    pub implied_reductions: bool,
    /// `-fstrict-aliasing`: C's rule of effective types holds.
    pub strict_aliasing: bool,
    /// What `device_type` clauses are resolved for.
    pub target: Target,
    /// The number after `-O`.
    pub optimize: u8,
    /// `-w`, `-W...`.
    pub warnings: WarningOptions,
    /// Whether only what `main` reaches is lowered, in a translation unit that defines it: no other one will
    /// call the rest.
    pub only_reached: bool,
    /// The folder of the cache of headers; none if there is to be none.
    pub header_cache: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            quote_dirs: Vec::new(),
            include_dirs: Vec::new(),
            system_dirs: Vec::new(),
            default_dirs: true,
            macros: Vec::new(),
            forced_includes: Vec::new(),
            standard: Standard::C17,
            gnu: true,
            gnu89_inline: false,
            openacc: true,
            openmp: false,
            implied_reductions: true,
            strict_aliasing: false,
            target: Target::Host,
            optimize: 0,
            warnings: WarningOptions::default(),
            only_reached: false,
            header_cache: None,
        }
    }
}

impl Options {
    /// Sets standard and dialect from the text after `-std=`; false if it names none.
    pub fn set_standard(&mut self, text: &str) -> bool {
        let (standard, gnu) = match text {
            "c89" | "c90" | "ansi" | "iso9899:1990" | "iso9899:199409" => (Standard::C89, false),
            "c99" | "c9x" | "iso9899:1999" | "iso9899:199x" => (Standard::C99, false),
            "c11" | "c1x" | "iso9899:2011" => (Standard::C11, false),
            "c17" | "c18" | "iso9899:2017" | "iso9899:2018" => (Standard::C17, false),
            "c23" | "c2x" | "iso9899:2024" => (Standard::C23, false),
            "gnu89" | "gnu90" => (Standard::C89, true),
            "gnu99" | "gnu9x" => (Standard::C99, true),
            "gnu11" | "gnu1x" => (Standard::C11, true),
            "gnu17" | "gnu18" => (Standard::C17, true),
            "gnu23" | "gnu2x" => (Standard::C23, true),
            _ => return false,
        };
        (self.standard, self.gnu) = (standard, gnu);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_warning_options_win() {
        let mut w = WarningOptions::default();
        w.apply("error");
        w.apply("no-error=shadow");
        assert!(w.is_error("other") && !w.is_error("shadow"));
        w.apply("no-shadow");
        assert!(!w.enabled("shadow"));
        w.apply("error=shadow");
        assert!(w.enabled("shadow") && w.is_error("shadow"));
        w.apply("no-error");
        assert!(!w.is_error("shadow") && !w.is_error("other"));
        w.none = true;
        assert!(!w.enabled("other"));
    }

    #[test]
    fn standards() {
        let mut o = Options::default();
        assert!(o.set_standard("gnu89") && o.gnu && o.standard == Standard::C89);
        assert!(o.set_standard("c11") && !o.gnu && o.standard == Standard::C11);
        assert!(!o.set_standard("c++17") && o.standard == Standard::C11);
        assert!(o.set_standard("gnu2x") && o.gnu && o.standard == Standard::C23);
        assert!(o.set_standard("c23") && !o.gnu && o.standard == Standard::C23);
    }
}

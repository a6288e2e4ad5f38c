//! Why a program cannot be compiled.

use accrue_ir::{Func, FunctionKind, Module, Pos};
use std::fmt;
use std::sync::Arc;

/// A name that nobody defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// The linker's name.
    pub name: Arc<str>,
    /// Where it is declared: file and line; line 0 if unknown.
    pub declared: (Arc<str>, u32),
    /// A function that needs it, and where.
    pub used: Option<(Arc<str>, Arc<str>, u32)>,
}

/// Why a program cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Names that the program needs and nobody defines.
    Undefined(Vec<Undefined>),
    /// Libraries that cannot be loaded; one message each.
    Libraries(Vec<String>),
    /// The program is beyond a known limit.
    Limit(String),
    /// The system refused memory.
    Memory(String),
    /// This machine's processor is not supported.
    Processor(String),
    /// A pass made of a function what is none.
    Defect(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Undefined(names) => {
                for (index, undefined) in names.iter().enumerate() {
                    if index > 0 {
                        writeln!(f)?;
                    }
                    write!(f, "undefined symbol `{}`", undefined.name)?;
                    let (file, line) = &undefined.declared;
                    if *line > 0 {
                        write!(f, ", declared at {file}:{line}")?;
                    }
                    if let Some((function, file, line)) = &undefined.used {
                        write!(f, ", used in `{function}`")?;
                        if *line > 0 {
                            write!(f, " at {file}:{line}")?;
                        }
                    }
                }
                Ok(())
            }
            Error::Libraries(messages) => f.write_str(&messages.join("\n")),
            Error::Limit(message)
            | Error::Memory(message)
            | Error::Processor(message)
            | Error::Defect(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

/// File and line of a position.
pub(crate) fn place(module: &Module, pos: Pos) -> (Arc<str>, u32) {
    (module.files.get(pos.file).cloned().unwrap_or_else(|| "".into()), pos.line)
}

/// The name of the function of the source that a position in the code of `func` is in: another one was put
/// in the place of its call.
pub(crate) fn function_at(module: &Module, func: Func, pos: Pos) -> &Arc<str> {
    let around = &module.functions[func];
    let place = |pos: Pos| (pos.line, pos.column);
    let others = module
        .functions
        .values()
        .filter(|function| function.body.is_some() && matches!(function.kind, FunctionKind::Normal));
    let before = others
        .chain([around])
        .filter(|function| function.pos.file == pos.file && place(function.pos) <= place(pos));
    // Of those that begin before it the last one; `func` itself where nothing begins later.
    &before.max_by_key(|function| place(function.pos)).unwrap_or(around).name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `g` was put into `f`, which begins before it, and into `main`, which begins behind it.
    #[test]
    fn positions_are_in_the_function_that_begins_last_before_them() {
        let text = "file file0 \"a.c\"\nfile file1 \"a.h\"\nsignature sig0 ()\n\
            function fn0.f sig0 external @10:5 {\nbb0: return }\n\
            function fn1.g sig0 external @20:5 {\nbb0: return }\n\
            function fn2.main sig0 external @30:5 {\nbb0: return }\n\
            function fn3.h sig0 internal @file1:3:5 {\nbb0: return }\n\
            function fn4.declared sig0 external @21:5\n";
        let module = accrue_ir::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let [f, g, main, h] = [0, 1, 2, 3].map(Func::from_u32);
        let at = |func: Func, of: Func, line: u32| {
            let pos = Pos { line, column: 1, ..module.functions[of].pos };
            &**function_at(&module, func, pos)
        };
        assert_eq!([at(f, g, 22), at(main, g, 22), at(g, g, 22)], ["g"; 3]);
        assert_eq!([at(f, f, 11), at(main, main, 31), at(main, h, 4)], ["f", "main", "h"]);
        assert_eq!(at(main, h, 1), "main");
    }
}

//! Globals and their initial values.

use super::call_graph::Target;
use super::error::{EmitError, Result};
use super::output::Object;
use super::program::Program;
use accrue_ir::*;
use cranelift_entity::EntitySet;
use std::fmt::{self, Write};

/// Values on one line of an initial value.
const PER_LINE: usize = 16;

impl Program<'_> {
    /// The declarations of the globals that functions name, and of those that their initial values name.
    pub(super) fn globals(&self, named: &EntitySet<Global>) -> Result<String> {
        let mut wanted = named.clone();
        for global in named.iter() {
            self.reaches(global, &mut wanted);
        }
        let mut text = String::new();
        for &global in self.reached.globals.iter().filter(|global| wanted.contains(**global)) {
            self.global(global, &mut text)?;
        }
        Ok(text)
    }

    fn reaches(&self, global: Global, wanted: &mut EntitySet<Global>) {
        let mut work = vec![global];
        while let Some(global) = work.pop() {
            if let Init::Bytes(_, relocations) = &self.module.globals[global].init {
                for relocation in relocations {
                    if let Operand::Global(inner) = relocation.target
                        && wanted.insert(inner)
                    {
                        work.push(inner);
                    }
                }
            }
        }
    }

    fn global(&self, global: Global, text: &mut String) -> Result<()> {
        let data = &self.module.globals[global];
        let name = &self.globals[global];
        let fail = |message: String| EmitError { function: data.name.to_string(), pos: data.pos, message };
        if data.thread_local {
            return Err(fail(format!("`{}` is thread-local, which a device cannot offer", data.name)));
        }
        let size = data.size.max(1);
        let start = text.len();
        match &data.init {
            Init::Extern => {
                return Err(fail(format!("`{}` is not defined in any file of the program", data.name)));
            }
            Init::Zero => {
                let _ = writeln!(text, ".global .align {} .b8 {name}[{size}];", data.align);
            }
            Init::Bytes(bytes, relocations) if relocations.is_empty() => {
                self.bytes(name, bytes, data.align, size, data.constant, text);
            }
            Init::Bytes(bytes, relocations) => {
                let words = self.words(bytes, relocations, size.div_ceil(8)).map_err(fail)?;
                let align = data.align.max(8);
                let _ = write!(text, ".global .align {align} .u64 {name}[{}] = {{", words.len());
                list(text, words.into_iter());
                text.push_str("};\n");
            }
        }
        // The runtime looks for it.
        if data.declare.is_some()
            && let Some(at) = text[start..].find(".global ")
        {
            text.insert_str(start + at, ".visible ");
        }
        Ok(())
    }

    /// What the program declares for devices, among the globals of the text.
    pub(super) fn objects(&self, named: &EntitySet<Global>) -> Vec<Object> {
        let mut wanted = named.clone();
        named.iter().for_each(|global| self.reaches(global, &mut wanted));
        let globals = self.reached.globals.iter().filter(|global| wanted.contains(**global));
        let object = |&global: &Global| {
            let data = &self.module.globals[global];
            data.declare?;
            Some(Object { name: data.name.clone(), symbol: self.globals[global].to_string() })
        };
        globals.filter_map(object).collect()
    }

    /// An array of bytes; a constant string is shown as such.
    pub(super) fn bytes(
        &self,
        name: &str,
        bytes: &[u8],
        align: u32,
        size: u64,
        constant: bool,
        text: &mut String,
    ) {
        if let Some(string) = printable(bytes).filter(|_| constant) {
            let _ = writeln!(text, "// {string}");
        }
        let _ = write!(text, ".global .align {align} .b8 {name}[{size}] = {{");
        // Zeros at the end are implied.
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
        list(text, bytes.get(..end).unwrap_or(&[0]).iter().map(|byte| byte.to_string()));
        text.push_str("};\n");
    }

    /// An initial value with addresses in it, in 64-bit words.
    fn words(
        &self,
        bytes: &[u8],
        relocations: &[Relocation],
        count: u64,
    ) -> std::result::Result<Vec<String>, String> {
        let word = |index: u64| {
            let mut word = [0; 8];
            let start = (index as usize).saturating_mul(8);
            for (to, from) in word.iter_mut().zip(bytes.get(start..).unwrap_or_default()) {
                *to = *from;
            }
            u64::from_le_bytes(word)
        };
        let mut words: Vec<String> = (0..count).map(|index| word(index).to_string()).collect();
        for relocation in relocations {
            let place = (relocation.offset % 8 == 0)
                .then(|| words.get_mut((relocation.offset / 8) as usize))
                .flatten()
                .ok_or("an address in an initial value is not aligned, which PTX cannot express")?;
            *place = match relocation.target {
                Operand::Global(global) => {
                    let name = &self.globals[global];
                    match relocation.addend {
                        0 => format!("generic({name})"),
                        addend => format!("generic({name})+{addend}"),
                    }
                }
                Operand::Func(func) => match self.targets.of(func) {
                    Target::Function(target) if relocation.addend == 0 => self.functions[target].to_string(),
                    Target::Function(_) => {
                        return Err("an address inside a function cannot be an initial value".into());
                    }
                    Target::Library(_) | Target::None => {
                        let name = &self.module.functions[func].name;
                        return Err(format!(
                            "the initial value is the address of `{name}`, which has no device version"
                        ));
                    }
                },
                Operand::Local(_)
                | Operand::Slot(_)
                | Operand::Int(..)
                | Operand::F32(_)
                | Operand::F64(_) => return Err("an initial value is no constant address".into()),
            };
        }
        Ok(words)
    }
}

pub(super) fn list(text: &mut String, items: impl Iterator<Item = impl fmt::Display>) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            text.push_str(if index % PER_LINE == 0 { ",\n\t" } else { ", " });
        }
        let _ = write!(text, "{item}");
    }
}

/// A string literal, for a comment.
fn printable(bytes: &[u8]) -> Option<String> {
    let string = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    let fits = string.len() <= 80 && !string.is_empty();
    let ascii = string.iter().all(|byte| (0x20..0x7f).contains(byte) || matches!(byte, b'\n' | b'\t'));
    (fits && ascii).then(|| format!("{:?}", String::from_utf8_lossy(string)))
}

//! What functions ask of their module and of the launch, collected while they are written.

use super::library::Extern;
use super::name::FORMAT;
use crate::arch::Arch;
use accrue_ir::{File, Global, Module};
use accrue_ptx_isa::{Need, Version};
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What functions ask of their module, collected while they are written.
pub(super) struct Demands {
    /// The PTX version.
    pub(super) version: Version,
    /// Those that were looked up.
    instructions: FxHashSet<Box<str>>,
    /// Source files that `.loc` names.
    pub(super) files: Vec<File>,
    /// Functions of the driver that are called.
    pub(super) externs: BTreeSet<Extern>,
    /// Globals that are named. Formats that were rewritten are not.
    pub(super) globals: EntitySet<Global>,
    /// Formats that are printed, as the driver understands them.
    pub(super) formats: Vec<Vec<u8>>,
    /// The bits of doubles that are operands in constant memory, and the number of each.
    numbers: FxHashMap<u64, usize>,
}

/// Doubles that fit into constant memory.
const MOST_NUMBERS: usize = (64 << 10) / 8;

impl Demands {
    /// Nothing but what the architecture needs.
    pub(super) fn new(module: &Module, arch: Arch) -> Demands {
        Demands {
            version: arch.version(),
            instructions: FxHashSet::default(),
            files: Vec::new(),
            externs: BTreeSet::new(),
            globals: EntitySet::with_capacity(module.globals.len()),
            formats: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    /// Notes an instruction. An instruction that the architecture lacks is the caller's mistake and left to
    /// ptxas.
    pub(super) fn instruction(&mut self, mnemonic: &str) {
        let opcode = mnemonic.bytes().position(|byte| byte == b'.').unwrap_or(mnemonic.len());
        let forms = accrue_ptx_isa::rows(&mnemonic[..opcode]);
        if forms.iter().all(|(.., version)| *version <= self.version) || self.instructions.contains(mnemonic)
        {
            return;
        }
        self.instructions.insert(mnemonic.into());
        let there = Need { target: u32::MAX, version: self.version };
        self.version = accrue_ptx_isa::need_above(mnemonic, there).version;
    }

    /// The name of a string in global memory.
    pub(super) fn format(&mut self, bytes: Vec<u8>) -> String {
        let found = self.formats.iter().position(|known| *known == bytes);
        let index = found.unwrap_or_else(|| {
            self.formats.push(bytes);
            self.formats.len() - 1
        });
        format!("{FORMAT}{}", index + 1)
    }

    /// Where the double with these bits is in constant memory, in bytes from the first one, while there is
    /// room.
    pub(super) fn number(&mut self, bits: u64) -> Option<usize> {
        let next = self.numbers.len();
        let known = self.numbers.get(&bits).copied();
        let number = known.or_else(|| (next < MOST_NUMBERS).then_some(next))?;
        self.numbers.insert(bits, number);
        Some(number * size_of::<u64>())
    }

    /// The bits of these doubles, in order.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let mut numbers: Vec<(usize, u64)> =
            self.numbers.iter().map(|(bits, number)| (*number, *bits)).collect();
        numbers.sort_unstable();
        numbers.into_iter().map(|(_, bits)| bits).collect()
    }

    /// The number of a source file in `.loc`.
    pub(super) fn file(&mut self, file: File) -> usize {
        let found = self.files.iter().position(|known| *known == file);
        1 + found.unwrap_or_else(|| {
            self.files.push(file);
            self.files.len() - 1
        })
    }
}

/// Offset of the scratch address among the launch words; the vector length follows.
pub(super) const LAUNCH_VECTOR_LENGTH: u32 = 8;

/// What a kernel must tell the routines it calls, and what routines need.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LaunchWords {
    /// The address of the launch's scratch memory.
    pub(super) scratch: bool,
    /// The vector length.
    pub(super) vector_length: bool,
    /// Barrier objects of the rows.
    pub(super) rows: bool,
    /// What threads that are none of a team learn at its meetings.
    pub(super) teams: bool,
}

impl LaunchWords {
    pub(super) fn of(all: impl Iterator<Item = LaunchWords>) -> LaunchWords {
        all.fold(LaunchWords::default(), |sum, words| LaunchWords {
            scratch: sum.scratch || words.scratch,
            vector_length: sum.vector_length || words.vector_length,
            rows: sum.rows || words.rows,
            teams: sum.teams || words.teams,
        })
    }
}

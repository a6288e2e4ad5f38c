//! Accesses of elements side by side whose address is known to be aligned, as one access.

use super::error::Result;
use super::function::{FunctionWriter, put};
use super::operand::Word;
use super::program::Program;
use super::register::Reg;
use crate::runs::{self, ELEMENTS, Facts, Run};
use accrue_ir::analysis::written::Place;
use accrue_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The runs of a block.
#[derive(Default)]
pub(super) struct Runs {
    runs: Vec<(Run, Progress)>,
    /// By the number of an operation in the block: its run, and its place in it.
    members: FxHashMap<usize, (usize, usize)>,
}

/// How far a run has come.
#[derive(Default)]
struct Progress {
    /// How many of its accesses have been written.
    done: usize,
    /// What was loaded, or is to be stored, in the order of the addresses.
    values: SmallVec<[Reg; ELEMENTS]>,
}

impl FunctionWriter<'_, '_> {
    /// The runs of a block.
    pub(super) fn runs(&mut self, data: &BlockData) -> Runs {
        let is_wide = |inst: &Inst| {
            let found = Place::of(self.body, &inst.op).zip(runs::access(&inst.op));
            found.is_some_and(|(place, access)| access.align > place.ty.bytes())
        };
        let mut runs = Runs::default();
        if !data.insts.iter().any(is_wide) {
            return runs;
        }
        let read_only = self.read_only();
        let Program { module, tame, .. } = self.program;
        let facts = Facts { module, body: self.body, tame, read_only: &read_only };
        let found = runs::find(facts, data, |_| true).into_iter();
        for run in found.flat_map(|run| run.eligible_parts(|run| run.is_known_aligned(data))) {
            let number = runs.runs.len();
            runs.members.extend(run.at.iter().enumerate().map(|(place, &at)| (at, (number, place))));
            runs.runs.push((run, Progress::default()));
        }
        runs
    }

    /// Writes an operation of a block as a part of its run; whether it has one.
    pub(super) fn in_run(&mut self, runs: &mut Runs, data: &BlockData, index: usize) -> Result<bool> {
        let Some(&(run, place)) = runs.members.get(&index) else { return Ok(false) };
        let (run, Progress { done, values }) = &mut runs.runs[run];
        let class = self.class(run.ty)?;
        if *done == 0 {
            *values = run.at.iter().map(|_| self.temp(class)).collect();
        }
        *done += 1;
        let is_complete = *done == run.at.len();
        let many = if values.len() == 2 { ".v2." } else { ".v4." };
        match (&data.insts[index].op, &data.insts[run.at[0]].op) {
            (Op::Load { dst, .. }, Op::Load { addr, access, .. }) => {
                if *done == 1 {
                    let (name, place) = (self.memory_type(run.ty)?, self.place(*addr, access.space)?);
                    let (space, constant) = (place.space_name(), self.constant(&place, *addr, *access));
                    put!(self, ["ld", space, constant, many, name], Word::Vector(values), &place);
                }
                let dst = self.local(*dst)?;
                put!(self, ["mov.", class.name()], dst, values[place]);
            }
            (Op::Store { src, .. }, Op::Store { addr, access, .. }) => {
                // Until the last of the run is stored, a local may get another value.
                let src = self.value(*src)?;
                put!(self, ["mov.", class.name()], values[place], src);
                if is_complete {
                    let (name, place) = (self.memory_type(run.ty)?, self.place(*addr, access.space)?);
                    put!(self, ["st", place.space_name(), many, name], &place, Word::Vector(values));
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

//! Ends of blocks.

use super::error::Result;
use super::function::{FunctionWriter, ins, put};
use super::operand::Value;
use super::register::{Class, Reg};
use accrue_ir::*;
use std::fmt::Write;

/// A table of targets pays from this many values on ...
const TABLE_CASES: usize = 6;
/// ... if at least one in this many of its entries is a case ...
const TABLE_SPARSENESS: u64 = 4;
/// ... and up to this many entries.
const TABLE_ENTRIES: u64 = 1024;
/// Cases that are tried one after the other.
const CHAIN_CASES: usize = 4;

impl FunctionWriter<'_, '_> {
    /// Writes how a block ends, `next` being the block below it; says whether control may go there without a
    /// jump.
    pub(super) fn terminator(&mut self, term: &Terminator, next: Option<Block>) -> Result<bool> {
        match term {
            Terminator::Jump(to) => Ok(self.jump(*to, next)),
            Terminator::Branch { cond: Operand::Int(_, value), then, otherwise } => {
                Ok(self.jump(if value & 1 == 0 { *otherwise } else { *then }, next))
            }
            Terminator::Branch { cond, then, otherwise } => {
                let (then, otherwise) = (self.flow.destination(*then), self.flow.destination(*otherwise));
                if then == otherwise {
                    return Ok(self.jump(then, next));
                }
                let cond = self.reg(*cond)?;
                if next == Some(then) {
                    if self.flow.is_guardable(then, otherwise) {
                        self.guarded_block = Some((then, cond));
                        return Ok(true);
                    }
                    let otherwise = self.reference(otherwise);
                    self.guarded("@!", cond, otherwise);
                    return Ok(true);
                }
                let then = self.reference(then);
                self.guarded("@", cond, then);
                Ok(self.jump(otherwise, next))
            }
            Terminator::Switch { value, cases, default } => self.switch(*value, cases, *default, next),
            Terminator::Return(value) => {
                if let Some(value) = value {
                    self.return_value(*value)?;
                }
                ins!(self, "ret");
                Ok(false)
            }
            Terminator::Unreachable => {
                ins!(self, "trap");
                ins!(self, "exit");
                Ok(false)
            }
        }
    }

    fn jump(&mut self, to: Block, next: Option<Block>) -> bool {
        let to = self.flow.destination(to);
        if next == Some(to) {
            return true;
        }
        let to = self.reference(to);
        put!(self, ["bra"], to);
        false
    }

    fn switch(
        &mut self,
        value: Operand,
        cases: &[(i64, i64, Block)],
        default: Block,
        next: Option<Block>,
    ) -> Result<bool> {
        if cases.iter().all(|(.., block)| self.flow.destination(*block) == self.flow.destination(default)) {
            return Ok(self.jump(default, next));
        }
        let ty = self.type_of(value);
        let value = self.reg(value)?;
        // Cases are signed numbers of the value's width; narrow values stand zero-extended.
        let value = match ty {
            Type::I8 | Type::I16 => {
                let wide = self.temp(Class::B32);
                ins!(self, "cvt.s32.s{} {wide}, {value}", ty.bytes() * 8);
                wide
            }
            _ => value,
        };
        let mut sorted: Vec<(i64, i64, Block)> = Vec::new();
        for &(low, high, block) in cases {
            let block = self.flow.destination(block);
            if low <= high && block != self.flow.destination(default) {
                sorted.push((low, high, block));
            }
        }
        sorted.sort_by_key(|(low, ..)| *low);
        if self.search(value, &sorted, default)? { Ok(self.jump(default, next)) } else { Ok(false) }
    }

    /// Jumps to the case that holds the value; says whether control goes on below if none does.
    fn search(&mut self, value: Reg, cases: &[(i64, i64, Block)], default: Block) -> Result<bool> {
        if self.table(value, cases, default) {
            return Ok(false);
        }
        let (bits, signed) = if value.class == Class::B64 { (64, "s64") } else { (32, "s32") };
        if cases.len() <= CHAIN_CASES {
            for &(low, high, block) in cases {
                let to = self.reference(block);
                let pred = self.temp(Class::Pred);
                if low == high {
                    put!(self, ["setp.eq.", signed], pred, value, Value::Int(low));
                } else {
                    // One comparison for both ends: below the low end the distance wraps around.
                    let distance = self.temp(value.class);
                    put!(self, ["sub.", signed], distance, value, Value::Int(low));
                    let span = high.wrapping_sub(low) as u64;
                    ins!(self, "setp.le.u{bits} {pred}, {distance}, {span}");
                }
                self.guarded("@", pred, to);
            }
            return Ok(true);
        }
        let (below, above) = cases.split_at(cases.len() / 2);
        let upper = self.label("case");
        let pred = self.temp(Class::Pred);
        put!(self, ["setp.ge.", signed], pred, value, Value::Int(above[0].0));
        self.guarded("@", pred, upper);
        if self.search(value, below, default)? {
            let default = self.reference(default);
            put!(self, ["bra"], default);
        }
        self.place_label(upper);
        self.search(value, above, default)
    }

    /// Jumps through a table, if the cases are dense enough.
    fn table(&mut self, value: Reg, cases: &[(i64, i64, Block)], default: Block) -> bool {
        let (Some(first), Some(last)) = (cases.first(), cases.last()) else { return false };
        let low = first.0;
        let Some(entries) = last.1.checked_sub(low).map(|span| (span as u64).saturating_add(1)) else {
            return false;
        };
        let width = |(low, high, _): &(i64, i64, Block)| (high.wrapping_sub(*low) as u64).saturating_add(1);
        let covered = cases.iter().map(width).fold(0, u64::saturating_add);
        if cases.len() < TABLE_CASES
            || entries > TABLE_ENTRIES
            || entries > covered.saturating_mul(TABLE_SPARSENESS)
        {
            return false;
        }
        let bits = if value.class == Class::B64 { 64 } else { 32 };
        let default = self.reference(default);
        let distance = self.temp(value.class);
        let pred = self.temp(Class::Pred);
        ins!(self, "sub.s{bits} {distance}, {value}, {}", Value::Int(low));
        ins!(self, "setp.ge.u{bits} {pred}, {distance}, {entries}");
        self.guarded("@", pred, default);
        let index = if bits == 64 {
            let index = self.temp(Class::B32);
            ins!(self, "cvt.u32.u64 {index}, {distance}");
            index
        } else {
            distance
        };
        let mut targets = vec![default; entries as usize];
        for &(case_low, case_high, block) in cases {
            let target = self.reference(block);
            let (start, end) = ((case_low - low) as usize, (case_high - low) as usize);
            targets[start..=end].fill(target);
        }
        let table = self.label("table");
        let _ = write!(self.out, "{table}:\n\t.branchtargets ");
        for (position, target) in targets.iter().enumerate() {
            let _ = write!(self.out, "{}{target}", if position == 0 { "" } else { ", " });
        }
        self.out.push_str(";\n");
        ins!(self, "brx.idx {index}, {table}");
        true
    }
}

//! What is asked of a function before its loops are repeated.

use crate::multiples::Multiples;
use crate::ranges::Ranges;
use crate::text::{ReadOnly, Tame};
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::analysis::roots::Roots;
use accrue_ir::{Block, Body, Class, Function, FunctionKind, Local, Module, Op};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Facts about a function before it changes, once something asks.
pub(super) struct Facts<'a> {
    module: &'a Module,
    tame: &'a Tame,
    function: &'a Function,
    liveness: OnceCell<Liveness>,
    read_only: OnceCell<ReadOnly>,
    multiples: OnceCell<Multiples>,
    ranges: OnceCell<Ranges>,
}

impl<'a> Facts<'a> {
    pub(super) fn new((module, tame): (&'a Module, &'a Tame), function: &'a Function) -> Facts<'a> {
        Facts {
            module,
            tame,
            function,
            liveness: OnceCell::new(),
            read_only: OnceCell::new(),
            multiples: OnceCell::new(),
            ranges: OnceCell::new(),
        }
    }

    pub(super) fn liveness(&self, body: &Body) -> &Liveness {
        self.liveness.get_or_init(|| Liveness::new(body, &Cfg::new(body)))
    }

    pub(super) fn read_only(&self, body: &Body) -> &ReadOnly {
        self.read_only.get_or_init(|| ReadOnly::of(self.tame, self.function, body))
    }

    pub(super) fn multiples(&self, body: &Body) -> &Multiples {
        let lanes = match &self.function.kind {
            FunctionKind::Region(region) => region.constant_dims[4],
            FunctionKind::Normal | FunctionKind::Threaded(_) => 0,
        };
        self.multiples.get_or_init(|| Multiples::new(body, lanes))
    }

    pub(super) fn ranges(&self, body: &Body) -> &Ranges {
        self.ranges.get_or_init(|| Ranges::of(body))
    }

    pub(super) fn roots(&self, body: &Body) -> &Roots {
        self.read_only(body).roots()
    }

    /// Whether an operation gives the same whenever it has the same operands: it computes, or loads what
    /// nothing writes.
    pub(super) fn gives_the_same(&self, body: &Body, op: &Op) -> bool {
        match *op {
            Op::Load { addr, access, .. } => {
                !access.volatile && self.read_only(body).has(self.module, addr.base)
            }
            _ => op.effects().pure && op.class() == Class::Value,
        }
    }
}

/// How often each local is written in these blocks.
pub(super) fn definitions(body: &Body, blocks: &[Block]) -> FxHashMap<Local, usize> {
    let mut definitions = FxHashMap::default();
    for inst in blocks.iter().flat_map(|&block| &body.blocks[block].insts) {
        inst.op.defs(|local| *definitions.entry(local).or_default() += 1);
    }
    definitions
}

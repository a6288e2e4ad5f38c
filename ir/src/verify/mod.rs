//! The verifier: what IR must be like for passes and back ends to rely on it.
//!
//! Verified IR does not panic in a pass or back end. Checks come in this order, and all errors are collected:
//! ids (a function with an id out of range is not looked at further), types of operations (the table in
//! `ops`), terminators and the graph, the loop tree and constructs against the graph (`graph`), directives,
//! regions, launches and reduction quads (`acc`). The rules hold after every pass; none depends on the stage.
//! A construct, loop or quad that a pass has replaced is gone, and so are its rules.

mod acc;
mod body;
mod graph;
mod ops;
mod verified;

use crate::acc::RedType;
use crate::entities::{Agg, Block, Func, Global, Sig};
use crate::function::{Body, Function, Linkage};
use crate::module::{GlobalData, Init, Module, Relocation};
use crate::op::{Operand, Pos};
use crate::types::{AggregateLayout, Extend, PassBy, Signature, Type};
use crate::visit::Part;
use std::fmt;
use std::sync::Arc;

pub use verified::{Rejected, Verified};

/// A rule that is broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The function, if it is in one.
    pub function: Option<Arc<str>>,
    /// The block, if it is in one.
    pub block: Option<Block>,
    /// The instruction or terminator as text, or the entity that is wrong.
    pub at: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "function `{function}`")?;
            if let Some(block) = self.block {
                write!(f, ", {block}")?;
            }
            f.write_str(": ")?;
        }
        if let Some(at) = &self.at {
            write!(f, "`{at}`: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Every rule that is broken, and the pass that broke them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyErrors {
    /// The pass or stage after which the module was looked at.
    pub stage: String,
    /// The errors, in order of the module.
    pub errors: Vec<VerifyError>,
}

impl fmt::Display for VerifyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the IR is wrong after `{}`:", self.stage)?;
        for error in &self.errors {
            write!(f, "\n  {error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for VerifyErrors {}

/// Checks a module after a pass or stage of this name.
pub fn verify(module: &Module, stage: &str) -> Result<(), VerifyErrors> {
    let mut verifier = Verifier { module, function: None, errors: Vec::new() };
    verifier.module();
    verifier.result(stage)
}

/// Checks a function that a module would have in the place of its own, as [`verify`] does.
pub fn verify_function(
    module: &Module,
    func: Func,
    function: &Function,
    stage: &str,
) -> Result<(), VerifyErrors> {
    let name = Some(function.name.clone());
    let mut verifier = Verifier { module, function: name, errors: Vec::new() };
    verifier.function(func, function);
    verifier.result(stage)
}

struct Verifier<'a> {
    module: &'a Module,
    function: Option<Arc<str>>,
    errors: Vec<VerifyError>,
}

impl Verifier<'_> {
    fn result(self, stage: &str) -> Result<(), VerifyErrors> {
        match self.errors {
            errors if errors.is_empty() => Ok(()),
            errors => Err(VerifyErrors { stage: stage.to_owned(), errors }),
        }
    }

    fn fail(&mut self, at: impl fmt::Display, message: impl Into<String>) {
        let (function, at) = (self.function.clone(), Some(at.to_string()));
        self.errors.push(VerifyError { function, block: None, at, message: message.into() });
    }

    fn module(&mut self) {
        let module = self.module;
        for (agg, layout) in &module.aggregates {
            self.aggregate(agg, layout);
        }
        for (sig, data) in &module.signatures {
            self.signature(sig, data);
        }
        for (global, data) in &module.globals {
            self.global(global, data);
        }
        for (func, data) in &module.functions {
            self.function = Some(data.name.clone());
            self.function(func, data);
            self.function = None;
        }
        for (what, list) in [("constructors", &module.constructors), ("destructors", &module.destructors)] {
            for (_, func) in list {
                if !module.functions.is_valid(*func) {
                    self.fail(what, format!("{func} does not exist"));
                }
            }
        }
    }

    fn aggregate(&mut self, agg: Agg, layout: &AggregateLayout) {
        if !layout.align.is_power_of_two() {
            self.fail(agg, "the alignment is no power of two");
        }
        for (offset, ty) in &layout.leaves {
            if *ty == Type::I1 || ty.is_vector() || ty.is_complex() {
                self.fail(agg, format!("{ty} is no leaf of an aggregate"));
            }
            if offset.checked_add(u64::from(ty.bytes())).is_none_or(|end| end > layout.size) {
                self.fail(agg, format!("the {ty} at {offset} is not inside"));
            }
        }
    }

    fn signature(&mut self, sig: Sig, data: &Signature) {
        for pass in data.params.iter().chain(&data.result) {
            match pass {
                PassBy::Scalar(ty, extend) => {
                    if *ty == Type::I1 || ty.is_complex() {
                        self.fail(sig, format!("{ty} does not cross calls as a scalar"));
                    }
                    if *extend != Extend::None && !ty.is_int() {
                        self.fail(sig, format!("{ty} is not extended"));
                    }
                }
                PassBy::Aggregate(agg) if self.module.aggregates.is_valid(*agg) => {}
                PassBy::Aggregate(agg) => self.fail(sig, format!("{agg} does not exist")),
            }
        }
    }

    fn global(&mut self, global: Global, data: &GlobalData) {
        if !data.align.is_power_of_two() {
            self.fail(global, "the alignment is no power of two");
        }
        self.position(global, data.pos);
        match &data.init {
            Init::Extern if matches!(data.linkage, Linkage::Internal | Linkage::Common) => {
                self.fail(global, "an internal or common object must be defined");
            }
            Init::Extern | Init::Zero => {}
            Init::Bytes(bytes, relocations) => {
                if data.linkage == Linkage::Common {
                    self.fail(global, "a tentative definition has no initial value");
                }
                if bytes.len() as u64 > data.size {
                    self.fail(global, "the initial value is larger than the object");
                }
                self.relocations(global, data, relocations);
            }
        }
    }

    fn relocations(&mut self, global: Global, data: &GlobalData, relocations: &[Relocation]) {
        let mut offsets: Vec<u64> = Vec::with_capacity(relocations.len());
        for Relocation { offset, target, addend: _ } in relocations {
            let exists = match target {
                Operand::Global(target) => self.module.globals.is_valid(*target),
                Operand::Func(target) => self.module.functions.is_valid(*target),
                Operand::Local(_)
                | Operand::Slot(_)
                | Operand::Int(..)
                | Operand::F32(_)
                | Operand::F64(_) => false,
            };
            if !exists {
                self.fail(global, format!("the address at {offset} is not that of a global or function"));
            }
            if offset.checked_add(8).is_none_or(|end| end > data.size) {
                self.fail(global, format!("the address at {offset} is not inside"));
            }
            offsets.push(*offset);
        }
        offsets.sort_unstable();
        if let Some(pair) = offsets.windows(2).find(|pair| pair[1] - pair[0] < 8) {
            self.fail(global, format!("the addresses at {} and {} overlap", pair[0], pair[1]));
        }
    }

    fn position(&mut self, at: impl fmt::Display, pos: Pos) {
        if pos.line != 0 && !self.module.files.is_valid(pos.file) {
            self.fail(at, format!("the position is in {}, which does not exist", pos.file));
        }
    }

    fn function(&mut self, func: Func, data: &Function) {
        self.position(func, data.pos);
        let Some(signature) = self.module.signatures.get(data.sig) else {
            return self.fail(func, format!("{} does not exist", data.sig));
        };
        if data.body.is_some() && data.alias.is_some() {
            self.fail(func, "another name for a function has no body of its own");
        }
        if data.linkage == Linkage::Common {
            self.fail(func, "a function is not common");
        }
        let broken_agg = signature.params.iter().chain(&signature.result).any(|pass| match pass {
            PassBy::Scalar(..) => false,
            PassBy::Aggregate(agg) => !self.module.aggregates.is_valid(*agg),
        });
        if let Some(body) = data.body.as_deref().filter(|_| !broken_agg) {
            body::verify_body(self.module, data, signature, body, &mut self.errors);
        } else if data.kind.launched().is_some() {
            self.fail(func, "a region has a body");
        }
    }
}

/// The id of a part, if it does not exist.
fn missing(module: &Module, body: &Body, part: &Part<'_>) -> Option<String> {
    fn unless(exists: bool, id: impl fmt::Display) -> Option<String> {
        (!exists).then(|| id.to_string())
    }
    let operand = |operand: &Operand| match operand {
        Operand::Local(local) => unless(body.locals.is_valid(*local), local),
        Operand::Slot(slot) => unless(body.slots.is_valid(*slot), slot),
        Operand::Global(global) => unless(module.globals.is_valid(*global), global),
        Operand::Func(func) => unless(module.functions.is_valid(*func), func),
        Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
    };
    match part {
        Part::Value(value) | Part::Variable(value) => operand(value),
        Part::Address(address) => operand(&address.base),
        Part::Def(local) | Part::NamedLocal(local) => unless(body.locals.is_valid(**local), local),
        Part::Func(func) => unless(module.functions.is_valid(**func), func),
        Part::Sig(sig) => unless(module.signatures.is_valid(**sig), sig),
        Part::Agg(agg) => unless(module.aggregates.is_valid(**agg), agg),
        Part::Block(block) => unless(body.blocks.is_valid(**block), block),
        Part::Loop(loop_) => unless(body.loops.is_valid(**loop_), loop_),
        Part::Construct(construct) => unless(body.constructs.is_valid(**construct), construct),
        Part::Red(red) => unless(red.as_u32() < body.reductions, red),
        Part::Pos(pos) => unless(pos.line == 0 || module.files.is_valid(pos.file), pos.file),
    }
}

/// Type in which a reduction variable is kept in registers.
fn promoted(ty: RedType) -> Type {
    match ty.ty {
        Type::I8 | Type::I16 => Type::I32,
        other => other,
    }
}

#[cfg(test)]
mod tests;

//! Typed tree to IR.
//!
//! - [`globals`]: objects with static storage duration, string literals, static initialisers; only what is
//!   needed.
//! - [`function`]: the state of one function, blocks, scopes; entry and exit.
//! - [`stmt`]: statements, loops, switches, labels.
//! - [`expr`], [`record`], [`lvalue`], [`convert`], [`call`], [`builtin`]: expressions.
//! - [`init`]: automatic initialisers.
//! - [`acc`]: directives, as annotations on blocks and loops and as operations on data.
//!
//! A scalar lives in an IR local unless sema says that it must have an address; everything else is a slot or
//! a global, and its accesses keep that as their symbolic base, which is what the passes on mapped variables
//! look for.

mod acc;
mod builtin;
mod call;
mod convert;
mod elements;
mod expr;
mod function;
mod globals;
mod init;
mod lvalue;
mod record;
mod stmt;
mod types;

use crate::ctype::TypeId;
use crate::diag::{Diagnostic, Id, Sink};
use crate::intern::Interner;
use crate::session::Session;
use crate::source::{SourceMap, Span};
use crate::typed::{FuncId, Stmt, StrId, Unit, VarId};
use accrue_ir as ir;
use accrue_ir::{Module, Pos};
use rustc_hash::FxHashMap;
use std::mem;

/// Lowers a translation unit; `None` if it needs something that accrue does not support, which was reported
/// then. The typed tree of a function is freed when its IR is there, and its memory used for the next one's.
pub fn lower(session: &mut Session, mut unit: Unit) -> Option<Module> {
    let bodies = unit.functions.iter_mut().map(|function| function.body.as_mut());
    let statements =
        bodies.map(|body| body.map_or_else(Vec::new, |body| mem::take(&mut body.body))).collect();
    let unit = &unit;
    let errors = session.sink.errors();
    let mut lower = ModuleLower {
        unit,
        statements,
        sources: &session.sources,
        interner: &session.interner,
        sink: &mut session.sink,
        module: Module::default(),
        vars: vec![None; unit.vars.len()],
        functions: vec![None; unit.functions.len()],
        strings: FxHashMap::default(),
        string_ids: vec![None; unit.strings.len()],
        aggregates: FxHashMap::default(),
        element_types: FxHashMap::default(),
        signatures: FxHashMap::default(),
        signature_ids: FxHashMap::default(),
        files: Vec::new(),
        pending: Vec::new(),
        anonymous: 0,
        refused_complex: false,
        only_reached: false,
    };
    lower.only_reached = session.options.only_reached && lower.is_whole_program();
    lower.run();
    let module = lower.module;
    (session.sink.errors() == errors).then_some(module)
}

/// Work that a reference has asked for.
enum Pending {
    Function(FuncId),
    Global(VarId),
}

/// The state of one translation unit.
struct ModuleLower<'a> {
    unit: &'a Unit,
    /// The statements of the functions that have no IR yet, in the place of those in the unit.
    statements: Vec<Vec<Stmt>>,
    sources: &'a SourceMap,
    interner: &'a Interner,
    sink: &'a mut Sink,
    module: Module,
    vars: Vec<Option<ir::Global>>,
    functions: Vec<Option<ir::Func>>,
    /// Literals with the same bytes share one object.
    strings: FxHashMap<(Vec<u8>, u32), ir::Global>,
    string_ids: Vec<Option<ir::Global>>,
    aggregates: FxHashMap<TypeId, ir::Agg>,
    element_types: FxHashMap<TypeId, Option<std::sync::Arc<ir::Elements>>>,
    signatures: FxHashMap<TypeId, ir::Sig>,
    signature_ids: FxHashMap<ir::Signature, ir::Sig>,
    /// By file id of the source map.
    files: Vec<Option<ir::File>>,
    pending: Vec<Pending>,
    /// Functions that `main` does not reach are left out.
    only_reached: bool,
    /// `long double _Complex` was reported.
    refused_complex: bool,
    /// Number of names made up for objects without one.
    anonymous: u32,
}

impl ModuleLower<'_> {
    /// Emits every definition that other translation units may use, then whatever those need.
    fn run(&mut self) {
        for index in 0..self.unit.vars.len() {
            let id = VarId(index as u32);
            if self.is_root_var(id) {
                self.global(id);
            }
        }
        for index in 0..self.unit.functions.len() {
            let id = FuncId(index as u32);
            if self.is_root_function(id) {
                self.function(id);
            }
        }
        // First in, first out: definitions keep their source order as far as references allow.
        let mut next = 0;
        while next < self.pending.len() {
            match self.pending[next] {
                Pending::Function(id) => self.define_function(id),
                Pending::Global(id) => self.define_global(id),
            }
            next += 1;
        }
    }

    /// The position of a location's first token, for the IR.
    fn pos(&mut self, span: Span) -> Pos {
        let Some(position) = self.sources.position(span.first) else { return Pos::none() };
        let index = position.file.0 as usize;
        if self.files.len() <= index {
            self.files.resize(index + 1, None);
        }
        let file = match self.files[index] {
            Some(file) => file,
            None => {
                let file = self.module.files.push(self.sources.file_name(position.file).into());
                self.files[index] = Some(file);
                file
            }
        };
        Pos { file, line: position.line, column: position.column }
    }

    /// Reports a known limit.
    fn limit(&mut self, id: &'static Id, span: Span, message: impl Into<String>) {
        self.sink.push(Diagnostic::error(id, span, message));
    }

    /// The module's name for a string literal's object.
    fn string(&mut self, id: StrId) -> ir::Global {
        if let Some(global) = self.string_ids[id.0 as usize] {
            return global;
        }
        let global = self.define_string(id);
        self.string_ids[id.0 as usize] = Some(global);
        global
    }
}

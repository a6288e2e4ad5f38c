//! Printing of modules, functions and their declarations.

use super::names::{Named, is_plain};
use super::origin::Origin;
use crate::acc::{Level, PassHow, RegionData, RegionShape, Row, ShapeTrial};
use crate::entities::{Block, Func, Global, Local, Loop, Sig, Slot};
use crate::function::{Beside, BlockData, Body, FunctionKind, LoopData, SlotData, SlotKind};
use crate::module::{DeclareKind, GlobalData, Init, Module};
use crate::op::Pos;
use crate::types::{Extend, PassBy, Signature, Type};
use std::fmt::{self, Write};

// A `String` accepts every write.
macro_rules! w {
    ($printer:expr, $($arg:tt)*) => {
        let _ = write!($printer.out, $($arg)*);
    };
}
pub(super) use w;

/// What to print.
#[derive(Clone, Copy, Debug)]
pub struct PrintOptions {
    /// Print source positions. Text without them reads back with every position absent.
    pub positions: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { positions: true }
    }
}

/// A module as text, positions included.
pub fn print(module: &Module) -> String {
    print_with(module, PrintOptions::default())
}

/// A module as text, positions included, that says where in a target's list it comes from.
pub fn print_dump(module: &Module, origin: &Origin) -> String {
    let mut printer = Printer::new(module, None, PrintOptions::default());
    w!(printer, "stage {} of {}\n", Quoted(&origin.stage), Quoted(&origin.target));
    printer.module();
    printer.out
}

/// A module as text.
pub fn print_with(module: &Module, options: PrintOptions) -> String {
    let mut printer = Printer::new(module, None, options);
    printer.module();
    printer.out
}

/// One function as text: for the reader, since what it refers to is not declared there.
pub fn print_function(module: &Module, func: Func, options: PrintOptions) -> String {
    let mut printer = Printer::new(module, None, options);
    if module.functions.is_valid(func) {
        printer.function(func);
    }
    printer.out
}

/// Writes a module; tolerates ids out of range, so that the verifier can show what is wrong.
pub(super) struct Printer<'a> {
    pub(super) out: String,
    pub(super) module: &'a Module,
    pub(super) body: Option<&'a Body>,
    pos: Pos,
    options: PrintOptions,
}

/// An entity and its name.
pub(super) struct Ref<'a, T>(pub(super) T, pub(super) Option<&'a str>);

impl<T: fmt::Display> fmt::Display for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1.filter(|name| is_plain(name)) {
            Some(name) => write!(f, "{}.{name}", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

/// An entity and its name where it is declared.
pub(super) struct Decl<'a, T>(pub(super) T, pub(super) Option<&'a str>);

impl<T: fmt::Display> fmt::Display for Decl<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(name) if is_plain(name) => write!(f, "{}.{name}", self.0),
            Some(name) => write!(f, "{}.{}", self.0, Quoted(name)),
            None => write!(f, "{}", self.0),
        }
    }
}

/// A text in quotes.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// Bytes in quotes.
struct QuotedBytes<'a>(&'a [u8]);

impl fmt::Display for QuotedBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &byte in self.0 {
            match byte {
                b'"' => f.write_str("\\\"")?,
                b'\\' => f.write_str("\\\\")?,
                b'\n' => f.write_str("\\n")?,
                b'\t' => f.write_str("\\t")?,
                b' '..=b'~' => f.write_char(char::from(byte))?,
                byte => write!(f, "\\x{byte:02x}")?,
            }
        }
        f.write_char('"')
    }
}

/// `+ n` or `- n`, nothing for zero.
pub(super) struct Offset(pub(super) i64);

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            n if n < 0 => write!(f, " - {}", n.unsigned_abs()),
            n => write!(f, " + {n}"),
        }
    }
}

impl<'a> Printer<'a> {
    pub(super) fn new(module: &'a Module, body: Option<&'a Body>, options: PrintOptions) -> Printer<'a> {
        Printer { out: String::new(), module, body, pos: Pos::none(), options }
    }

    pub(super) fn local(&self, local: Local) -> Ref<'a, Local> {
        Ref(local, self.body.and_then(|b| b.locals.get(local)).and_then(|data| data.name.as_deref()))
    }

    pub(super) fn slot(&self, slot: Slot) -> Ref<'a, Slot> {
        Ref(slot, self.body.and_then(|b| b.slots.get(slot)).and_then(|data| data.name.as_deref()))
    }

    pub(super) fn global(&self, global: Global) -> Ref<'a, Global> {
        Ref(global, self.module.globals.get(global).map(|data| &*data.name))
    }

    pub(super) fn func(&self, func: Func) -> Ref<'a, Func> {
        Ref(func, self.module.functions.get(func).map(|data| &*data.name))
    }

    /// The suffix of a position.
    pub(super) fn pos(&mut self, pos: Pos) {
        if !self.options.positions || pos == self.pos {
            return;
        }
        if pos == Pos::none() {
            self.out.push_str(" @none");
        } else if pos.file == self.pos.file {
            w!(self, " @{}:{}", pos.line, pos.column);
        } else {
            w!(self, " @{}:{}:{}", pos.file, pos.line, pos.column);
        }
        self.pos = pos;
    }

    /// `x, y, z`.
    pub(super) fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            each(self, item);
        }
    }

    /// ` word`, if it holds.
    pub(super) fn flag(&mut self, set: bool, word: &str) {
        if set {
            w!(self, " {word}");
        }
    }

    fn module(&mut self) {
        for (file, name) in &self.module.files {
            w!(self, "file {file} {}\n", Quoted(name));
        }
        for (agg, layout) in &self.module.aggregates {
            w!(self, "aggregate {agg} size {} align {} leaves(", layout.size, layout.align);
            self.list(&layout.leaves, |p, (offset, ty)| {
                w!(p, "{offset} {ty}");
            });
            self.out.push_str(")\n");
        }
        for (sig, data) in &self.module.signatures {
            self.signature(sig, data);
        }
        for (global, data) in &self.module.globals {
            self.global_data(global, data);
        }
        for func in self.module.functions.keys() {
            self.function(func);
        }
        self.start_functions("constructors", &self.module.constructors);
        self.start_functions("destructors", &self.module.destructors);
    }

    fn start_functions(&mut self, what: &str, list: &[(u32, Func)]) {
        if !list.is_empty() {
            w!(self, "{what}(");
            self.list(list, |p, &(priority, func)| {
                w!(p, "{priority} {}", p.func(func));
            });
            self.out.push_str(")\n");
        }
    }

    fn pass_by(&mut self, pass: PassBy) {
        match pass {
            PassBy::Scalar(ty, Extend::None) => {
                w!(self, "{ty}");
            }
            PassBy::Scalar(ty, extend) => {
                w!(self, "{ty} {}", extend.spelling());
            }
            PassBy::Aggregate(agg) => {
                w!(self, "{agg}");
            }
        }
    }

    fn signature(&mut self, sig: Sig, data: &Signature) {
        w!(self, "signature {sig} (");
        self.list(&data.params, |p, pass| p.pass_by(*pass));
        if data.variadic {
            self.out.push_str(if data.params.is_empty() { "..." } else { ", ..." });
        }
        self.out.push(')');
        if let Some(result) = data.result {
            self.out.push_str(" -> ");
            self.pass_by(result);
        }
        self.out.push('\n');
    }

    fn link_name(&mut self, word: &str, name: Option<&str>) {
        if let Some(name) = name {
            w!(self, " {word} {}", Quoted(name));
        }
    }

    fn global_data(&mut self, global: Global, data: &GlobalData) {
        w!(self, "global {} {}", Decl(global, Some(&data.name)), data.linkage.spelling());
        w!(self, " size {} align {}", data.size, data.align);
        self.flag(data.thread_local, "thread_local");
        self.flag(data.constant, "constant");
        self.flag(data.restrict, "restrict");
        self.link_name("link", data.link_name.as_deref());
        match data.declare {
            Some(DeclareKind::Map(kind)) => {
                w!(self, " declare({})", kind.spelling());
            }
            None => {}
        }
        match &data.init {
            Init::Extern => self.out.push_str(" extern"),
            Init::Zero => self.out.push_str(" zero"),
            Init::Bytes(bytes, relocations) => {
                w!(self, " bytes {}", QuotedBytes(bytes));
                if !relocations.is_empty() {
                    self.out.push_str(" relocate(");
                    self.list(relocations, |p, r| {
                        w!(p, "{} ", r.offset);
                        p.operand(r.target);
                        w!(p, "{}", Offset(r.addend));
                    });
                    self.out.push(')');
                }
            }
        }
        self.pos(data.pos);
        self.out.push('\n');
    }

    fn function(&mut self, func: Func) {
        let data = &self.module.functions[func];
        if data.body.is_some() && !self.out.is_empty() {
            self.out.push('\n');
        }
        self.body = data.body.as_deref();
        w!(self, "function {} {} {}", Decl(func, Some(&data.name)), data.sig, data.linkage.spelling());
        self.flag(data.noreturn, "noreturn");
        self.flag(data.inline_hint, "inline_hint");
        self.flag(data.noinline, "noinline");
        self.flag(data.returns_twice, "returns_twice");
        self.link_name("link", data.link_name.as_deref());
        self.link_name("alias", data.alias.as_deref());
        if let Some(routine) = &data.routine {
            w!(self, " routine({}", routine.level.map_or("seq", Level::name));
            self.link_name("bind", routine.bind.as_deref());
            self.flag(routine.nohost, "nohost");
            self.flag(routine.implicit, "implicit");
            self.out.push(')');
        }
        self.pos(data.pos);
        match &data.kind {
            FunctionKind::Normal => {}
            FunctionKind::Region(region) | FunctionKind::Threaded(region) => self.region(region),
        }
        if let Some(body) = &data.body {
            self.out.push_str(" {\n");
            self.body(body);
            self.out.push('}');
        }
        self.out.push('\n');
        self.body = None;
    }

    fn region(&mut self, region: &RegionData) {
        w!(self, "\n  region {} of {} dims(", region.construct.name(), Quoted(&region.parent));
        self.list(region.constant_dims, |p, n| {
            w!(p, "{n}");
        });
        self.out.push(')');
        self.flag(region.cooperative, "cooperative");
        if region.wanted_gangs > 0 {
            w!(self, " gangs {}", region.wanted_gangs);
        }
        self.flag(region.open_workers, "open_workers");
        if let Some(Row { stride, reductions, has_loops }) = region.row {
            w!(self, " row {stride} reductions {reductions}");
            self.flag(has_loops, "loops");
        }
        if let Some(RegionShape { workers, lanes, trial }) = region.shape {
            w!(self, " shape {workers} {lanes}");
            if let Some(ShapeTrial { of, code }) = trial {
                w!(self, " trial_of {} code {code}", self.func(of));
            }
        }
        self.out.push_str(" {\n");
        for param in &region.params {
            w!(self, "    param {}", Quoted(&param.name));
            match param.how {
                PassHow::Address => self.out.push_str(" address"),
                PassHow::Pointer => self.out.push_str(" pointer"),
                PassHow::Value(ty) => {
                    w!(self, " value {ty}");
                }
            }
            if let Some(kind) = param.kind {
                w!(self, " {}", kind.spelling());
            }
            if let Some(bytes) = param.bytes {
                w!(self, " bytes {bytes}");
            }
            if param.argument {
                self.out.push_str(" argument");
            }
            self.out.push('\n');
        }
        self.out.push_str("  }");
    }

    fn body(&mut self, body: &'a Body) {
        if !body.params.is_empty() {
            self.out.push_str("  params ");
            self.list(&body.params, |p, local| {
                w!(p, "{}", p.local(*local));
            });
            self.out.push('\n');
        }
        if body.reductions > 0 {
            w!(self, "  reductions {}\n", body.reductions);
        }
        let live = body.live_entities();
        let detached: Vec<Block> = body.blocks.keys().filter(|block| !live.blocks.contains(*block)).collect();
        if !detached.is_empty() {
            self.out.push_str("  detached ");
            self.list(detached, |p, block| {
                w!(p, "{block}");
            });
            self.out.push('\n');
        }
        self.locals(body);
        for (slot, data) in &body.slots {
            self.slot_data(slot, data);
        }
        for (loop_, data) in &body.loops {
            let is_told = live.loops.contains(loop_) || data.is_dissolved();
            self.loop_data(loop_, is_told.then_some(data));
        }
        for (construct, data) in &body.constructs {
            self.construct(construct, live.constructs.contains(construct).then_some(data));
        }
        for clause in &body.region_reductions {
            self.reduction_clause("  reduction", clause);
        }
        if let Some(Beside { used, counts, rows, most_workers }) = &body.beside {
            self.out.push_str("  beside ");
            self.operand(*used);
            self.out.push_str(" (");
            self.list(counts, |p, count| p.operand(*count));
            w!(self, ") rows {rows} workers {most_workers}\n");
        }
        for &block in &body.order {
            if let Some(data) = body.blocks.get(block) {
                self.block(block, data);
            }
        }
    }

    /// Neighbours of one type share a line, up to a width that fits a screen.
    fn locals(&mut self, body: &Body) {
        const WIDTH: usize = 90;
        let mut open: Option<((Type, bool, bool), usize)> = None;
        let end = |(ty, is_part, restrict): (Type, bool, bool)| {
            let [part, restrict] =
                [(is_part, " part"), (restrict, " restrict")].map(|(set, word)| if set { word } else { "" });
            format!(": {ty}{part}{restrict}\n")
        };
        for (local, data) in &body.locals {
            let kind = (data.ty, data.is_part, data.restrict);
            match open {
                Some((same, start)) if same == kind && self.out.len() - start < WIDTH => {
                    self.out.push_str(", ")
                }
                Some((other, _)) => {
                    self.out.push_str(&end(other));
                    open = None;
                }
                None => {}
            }
            if open.is_none() {
                open = Some((kind, self.out.len()));
                self.out.push_str("  locals ");
            }
            w!(self, "{}", Decl(local, data.name.as_deref()));
        }
        if let Some((kind, _)) = open {
            self.out.push_str(&end(kind));
        }
    }

    fn slot_data(&mut self, slot: Slot, data: &SlotData) {
        w!(self, "  slot {} size {} align {}", Decl(slot, data.name.as_deref()), data.size, data.align);
        self.flag(data.restrict, "restrict");
        match data.kind {
            SlotKind::Frame => {}
            SlotKind::Mapped(local) => {
                w!(self, " mapped {}", self.local(local));
            }
            SlotKind::GangPrivate => self.out.push_str(" gang_private"),
            SlotKind::GangCopy => self.out.push_str(" gang_copy"),
            SlotKind::WorkerPrivate => self.out.push_str(" worker_private"),
            SlotKind::Reduction => self.out.push_str(" reduction"),
            SlotKind::Broadcast => self.out.push_str(" broadcast"),
            SlotKind::Launch => self.out.push_str(" launch"),
            SlotKind::GangScratch => self.out.push_str(" gang_scratch"),
        }
        if let Some(loop_) = data.declared_in {
            w!(self, " in {loop_}");
        }
        self.out.push('\n');
    }

    fn loop_data(&mut self, loop_: Loop, data: Option<&LoopData>) {
        w!(self, "  loop {loop_}");
        let Some(data) = data else {
            self.out.push_str(" dead\n");
            return;
        };
        if data.is_dissolved() {
            self.out.push_str(" dissolved");
            self.counted(data);
            return;
        }
        if let Some(parent) = data.parent {
            w!(self, " in {parent}");
        }
        w!(self, " preheader {} header {} body {}", data.preheader, data.header, data.body);
        w!(self, " latch {} exit {}", data.latch, data.exit);
        self.counted(data);
    }

    /// The counted form of a loop, its place and its directive.
    fn counted(&mut self, data: &LoopData) {
        if let Some(induction) = &data.induction {
            w!(self, " for {} = ", self.local(induction.iv));
            self.operand(induction.init);
            w!(self, ", {} ", induction.cmp.spelling());
            self.operand(induction.bound);
            self.out.push_str(", step ");
            self.operand(induction.step);
        }
        self.pos(data.pos);
        if let Some(directive) = &data.directive {
            self.directive(directive);
        }
        self.out.push('\n');
    }

    fn block(&mut self, block: Block, data: &BlockData) {
        w!(self, "{block}");
        if let Some(loop_) = data.loop_ {
            w!(self, " {loop_}");
        }
        if let Some(construct) = data.construct {
            w!(self, " {construct}");
        }
        self.out.push_str(":\n");
        for inst in &data.insts {
            self.out.push_str("  ");
            self.op(&inst.op);
            self.pos(inst.pos);
            self.out.push('\n');
        }
        self.out.push_str("  ");
        self.terminator(&data.term);
        self.pos(data.term_pos);
        self.out.push('\n');
    }
}

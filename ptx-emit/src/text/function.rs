//! One function or kernel: signature, registers, prologue, blocks.

use super::alike;
use super::at_launch::{AtLaunch, Known, Prepared, Wanted};
use super::barrier::{BarrierKind, BarrierMark, Rows};
use super::demands::{Demands, LAUNCH_VECTOR_LENGTH, LaunchWords};
use super::error::{EmitError, Result};
use super::extended::Extended;
use super::flow::Flow;
use super::iterations::{self, GangLoops};
use super::name::{FRAME, KNOWN, LAUNCH, Names, RESULT, SCRATCH, VECTOR_LENGTH};
use super::operand::{Base, Label, Place, Value, Word};
use super::output::Unset;
use super::program::Program;
use super::read_only::ReadOnly;
use super::register::{Class, Reg, Registers, write_number};
use super::runs::Runs;
use super::shared::{Layout, SharedArray};
use super::source_text::{comment_text, file_name};
use super::spaces;
use super::together::{self, Together};
use accrue_ir::analysis::liveness::Liveness;
use accrue_ir::*;
use cranelift_entity::EntitySet;
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};
use std::rc::Rc;

/// Writes an instruction: the text of a line without its semicolon.
macro_rules! ins {
    ($writer:expr, $($text:tt)*) => { $writer.line(format_args!($($text)*)) };
}
pub(super) use ins;

/// Writes an instruction of the commonest form, a name in pieces and operands: what [`ins`] would write,
/// several times as fast.
macro_rules! put {
    ($writer:expr, [$($piece:expr),*], $($operand:expr),* $(,)?) => {
        $writer.plain(&[$($piece),*], &[$($crate::text::operand::Word::from($operand)),*])
    };
}
pub(super) use put;

/// Most threads of a block.
const MOST_THREADS: u32 = 1024;

/// Bytes that a line mostly has, and what is around blocks and functions: room that need not be found again.
const LINE: usize = 40;
const BLOCK_HEAD: usize = 40;
const FUNCTION_HEAD: usize = 2000;

/// A kernel of a graph may begin while the kernel before it ends, and waits here for what that has left in
/// memory. Of other launches this is no more than an instruction.
const GRID_WAIT: &str = "griddepcontrol.wait";

/// Threads at a time of a kernel whose threads execute several rows together: with 64 registers each, they
/// wait for all loads of their rows at once.
const STRIP_THREADS: u32 = 1024;

/// Bytes of each number that the launch has computed.
const KNOWN_BYTES: usize = 8;

/// A function that was written.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Its head, for a declaration before its definition; none for kernels.
    pub(super) prototype: Option<String>,
    /// All of it.
    pub(super) text: String,
    /// What it needs to know (a routine) or tells (a kernel) about the launch.
    pub(super) words: LaunchWords,
    /// It has to do with the launch's scratch memory.
    pub(super) uses_scratch: bool,
    /// Its loops over gangs, if it is a kernel and the host can compute how many iterations they have.
    pub(super) gang_loops: Option<GangLoops>,
    /// What its launch hands over.
    pub(super) at_launch: AtLaunch,
    /// Registers that the program may read before it writes them, if there are any.
    pub(super) unset: Option<Unset>,
}

/// The text of a block, without its label.
struct BlockText {
    block: Block,
    text: String,
    /// What its instructions became, if every block with the same instructions becomes that.
    repeatable: Option<Repeatable>,
    /// Whether control leaves it downwards.
    falls_through: bool,
    /// A barrier that begins it.
    first: Option<BarrierMark>,
    /// A barrier that ends it.
    last: Option<BarrierMark>,
}

/// Text of instructions that has no labels and no barriers.
#[derive(Clone, Copy)]
struct Repeatable {
    bytes: usize,
    /// The lines of the source that were told before it and in it.
    located: [Option<(File, u32)>; 2],
}

/// How many blocks before a block may have its text: those of an iteration of an unrolled loop.
const REPEATED_WITHIN: usize = 8;

/// Writes one function.
pub(super) struct FunctionWriter<'p, 'd> {
    pub(super) program: &'p Program<'p>,
    pub(super) demands: &'d mut Demands,
    pub(super) function: &'p Function,
    pub(super) body: &'p Body,
    pub(super) regs: Registers,
    /// What is known of the rows of its launches.
    pub(super) rows: Rows,
    /// Where control goes.
    pub(super) flow: Flow<'p>,
    pub(super) layout: Layout,
    /// Of kernels: what routines must be told. Of routines: what they ask for.
    pub(super) words: LaunchWords,
    pub(super) global_pointers: EntitySet<Local>,
    pub(super) shared_pointers: EntitySet<Local>,
    /// Those of them that hold addresses of 32 bits in shared memory.
    pub(super) shared_offsets: EntitySet<Local>,
    /// Locals that may lead to the thread's own memory, once something asks.
    own_pointers: Option<EntitySet<Local>>,
    /// What the launch does not write, once something asks.
    read_only: Option<Rc<ReadOnly>>,
    /// Addresses of worker-private slots, computed once.
    pub(super) worker_slots: SecondaryMap<Slot, Option<Reg>>,
    /// The address of the row's barrier object, computed once.
    pub(super) row_object: Option<Reg>,
    /// The address of the thread's round of meetings, computed once.
    pub(super) round: Option<Reg>,
    /// An area of the frame for arguments of the library.
    pub(super) scratch_area: Option<(u64, u64)>,
    /// The first and the last barrier of the block.
    pub(super) first_barrier: Option<BarrierMark>,
    pub(super) last_barrier: Option<BarrierMark>,
    /// The block to be written next, if its accesses to memory are guarded instead of jumped over, and their
    /// guard.
    pub(super) guarded_block: Option<(Block, Reg)>,
    /// The guard of accesses to memory at the current place.
    guard: Option<Reg>,
    pub(super) out: String,
    /// The label placed last, and the text of it.
    last_label: Option<(Label, usize, usize)>,
    name: Rc<str>,
    prologue: String,
    scratch: Option<Reg>,
    gang_part: Option<Reg>,
    pub(super) lane_mask: Option<Reg>,
    together: Together,
    /// The instruction by which the threads of a gang meet.
    pub(super) gang_barrier: &'static str,
    /// Whether the lanes of a warp are certainly together at the current place.
    pub(super) is_together: bool,
    /// Whether the current block is in a loop that a thread goes around often.
    pub(super) is_repeated: bool,
    vector_length: Option<Reg>,
    referenced: EntitySet<Block>,
    labels: u32,
    pub(super) pos: Pos,
    located: Option<(File, u32)>,
    names: Names,
    params: Vec<Rc<str>>,
    gang_loops: Option<GangLoops>,
    known: Known,
    /// What to divide by a number with that the host knows, once something asks.
    prepared: FxHashMap<Local, Prepared>,
    pub(super) extended: Extended,
}

impl<'p, 'd> FunctionWriter<'p, 'd> {
    /// Begins a function that has a body; a declaration is written as one that does nothing.
    pub(super) fn new(
        program: &'p Program<'p>,
        demands: &'d mut Demands,
        func: Func,
        words: LaunchWords,
    ) -> FunctionWriter<'p, 'd> {
        let function = &program.module.functions[func];
        let body = function.body.as_deref().unwrap_or(&program.empty);
        let (layout, names) = program.layouts[func].clone();
        let shared_pointers = spaces::shared_pointers(body, &layout);
        let gang_loops = match &function.kind {
            FunctionKind::Region(region) => GangLoops::of(region, body),
            FunctionKind::Normal | FunctionKind::Threaded(_) => None,
        };
        let handing = gang_loops.as_ref().filter(|_| program.options.launch_numbers);
        let arguments = handing.map(GangLoops::arguments);
        let known = Known::of(body, arguments.as_deref(), program.options.keep_undefined);
        let flow = Flow::new(body, program.graphs[func].as_ref(), |op| known.computes(op));
        FunctionWriter {
            program,
            demands,
            function,
            body,
            regs: Registers::new(body.locals.len()),
            rows: Rows::of(&function.kind),
            flow,
            layout,
            words,
            global_pointers: spaces::global_pointers(function, body),
            shared_offsets: spaces::shared_offsets(body, &shared_pointers),
            shared_pointers,
            own_pointers: None,
            read_only: None,
            worker_slots: SecondaryMap::new(),
            row_object: None,
            round: None,
            scratch_area: None,
            first_barrier: None,
            last_barrier: None,
            guarded_block: None,
            guard: None,
            is_repeated: false,
            out: String::new(),
            last_label: None,
            name: program.functions[func].clone(),
            prologue: String::new(),
            scratch: None,
            gang_part: None,
            lane_mask: None,
            together: Together::default(),
            gang_barrier: "barrier.sync",
            is_together: false,
            vector_length: None,
            referenced: EntitySet::with_capacity(body.blocks.len()),
            labels: 0,
            pos: Pos::none(),
            located: None,
            names,
            params: Vec::new(),
            gang_loops,
            known,
            prepared: FxHashMap::default(),
            extended: Extended::of(body),
        }
    }

    /// The region this is, if it is one.
    pub(super) fn region(&self) -> Option<&'p RegionData> {
        match &self.function.kind {
            FunctionKind::Region(region) => Some(region),
            FunctionKind::Normal | FunctionKind::Threaded(_) => None,
        }
    }

    /// Whether a pointer may lead to memory that only this thread has.
    pub(super) fn may_be_own(&mut self, pointer: Operand) -> bool {
        let Operand::Local(local) = pointer else { return false };
        let Program { module, .. } = self.program;
        if self.own_pointers.is_none() {
            let escapes = self.program.frames_escape();
            let own = spaces::own_pointers(module, self.function, self.body, escapes);
            self.own_pointers = Some(own);
        }
        self.own_pointers.as_ref().is_some_and(|own| own.contains(local))
    }

    /// Whether nothing writes what an address in global memory with this base leads to, as long as the launch
    /// runs.
    pub(super) fn is_constant(&mut self, base: Operand) -> bool {
        let module = self.program.module;
        self.read_only().has(module, base)
    }

    /// What the launch does not write.
    pub(super) fn read_only(&mut self) -> Rc<ReadOnly> {
        let new = || Rc::new(ReadOnly::of(&self.program.tame, self.function, self.body));
        self.read_only.get_or_insert_with(new).clone()
    }

    /// Whether options that change what arithmetic means concern code that comes from here. The device's
    /// library relies on the arithmetic that it is written with: errors of roundings, scaling by powers of
    /// two.
    pub(super) fn is_free(&self, pos: Pos) -> bool {
        !crate::library::in_library(self.program.module, pos.file)
    }

    /// Whether denormals are flushed at the current place.
    pub(super) fn is_fast(&self) -> bool {
        self.program.options.fast_math && self.is_free(self.pos)
    }

    /// A limit, met at the current place.
    pub(super) fn error(&self, message: impl Into<String>) -> EmitError {
        let pos = if self.pos.line == 0 { self.function.pos } else { self.pos };
        EmitError { function: self.function.name.to_string(), pos, message: message.into() }
    }

    /// Writes an instruction, and where it comes from if that changed.
    pub(super) fn line(&mut self, text: fmt::Arguments<'_>) {
        let start = self.begin_line();
        let _ = self.out.write_fmt(text);
        let written = &self.out[start..];
        // Words are short: a search made for long texts would cost more than it finds.
        let first_word = |text: &str| text.bytes().position(|byte| byte == b' ').unwrap_or(text.len());
        let written = match written.as_bytes().first() {
            Some(b'@') => written.get(first_word(written) + 1..).unwrap_or_default(),
            _ => written,
        };
        self.demands.instruction(&written[..first_word(written)]);
        self.out.push_str(";\n");
    }

    /// [`put`].
    pub(super) fn plain(&mut self, name: &[&str], operands: &[Word<'_>]) {
        let mut start = self.begin_line();
        if let (Some(guard), Some(&("ld" | "st"))) = (self.guard, name.first()) {
            self.out.push('@');
            let _ = guard.write_to(&mut self.out);
            self.out.push(' ');
            start = self.out.len();
        }
        name.iter().for_each(|piece| self.out.push_str(piece));
        self.demands.instruction(&self.out[start..]);
        for (index, operand) in operands.iter().enumerate() {
            if index == 0 {
                self.out.push(' ');
            } else {
                self.out.push_str(", ");
            }
            operand.push_to(&mut self.out);
        }
        self.out.push_str(";\n");
    }

    /// Writes a jump of the threads for which a predicate holds (`@`), or does not (`@!`).
    pub(super) fn guarded(&mut self, guard: &str, pred: Reg, to: Label) {
        self.begin_line();
        self.out.push_str(guard);
        // Writing to a string cannot fail.
        let _ = pred.write_to(&mut self.out);
        self.out.push_str(" bra ");
        let _ = to.write_to(&mut self.out);
        self.out.push_str(";\n");
    }

    /// Says where the next instruction comes from if that changed; gives the place where it begins.
    fn begin_line(&mut self) -> usize {
        if self.pos.line != 0 && self.located != Some((self.pos.file, self.pos.line)) {
            self.located = Some((self.pos.file, self.pos.line));
            let file = self.demands.file(self.pos.file);
            self.out.push_str("\t.loc");
            for number in [file as u64, self.pos.line.into(), self.pos.column.into()] {
                self.out.push(' ');
                self.out.push_str(itoa::Buffer::new().format(number));
            }
            self.out.push('\n');
        }
        self.out.push('\t');
        self.out.len()
    }

    /// Takes back what was written from here on.
    pub(super) fn take_back(&mut self, start: usize) {
        self.out.truncate(start);
        (self.located, self.last_label) = (None, None);
    }

    /// A label that is not used yet.
    pub(super) fn label(&mut self, stem: &'static str) -> Label {
        self.labels += 1;
        Label::new(stem, self.labels)
    }

    /// Puts a label here. Two labels at one place become one.
    pub(super) fn place_label(&mut self, label: Label) {
        if let Some(before) = self.label_at_end() {
            self.rename_label(before, label);
        }
        let start = self.out.len();
        let _ = label.write_to(&mut self.out);
        self.out.push_str(":\n");
        self.last_label = Some((label, start, self.out.len()));
    }

    /// The label that stands at the end of what was written.
    fn label_at_end(&self) -> Option<Label> {
        self.last_label.filter(|(_, _, end)| *end == self.out.len()).map(|(label, ..)| label)
    }

    /// Takes the label at the end away; jumps to it go elsewhere.
    fn rename_label(&mut self, label: Label, target: Label) {
        if let Some((_, start, _)) = self.last_label.take() {
            self.out.truncate(start);
        }
        (self.first_barrier, self.last_barrier) = (None, None);
        self.out = self.out.replace(&format!("bra {label};"), &format!("bra {target};"));
    }

    /// A register for an intermediate value.
    pub(super) fn temp(&mut self, class: Class) -> Reg {
        self.regs.temp(class)
    }

    /// The class of a type.
    pub(super) fn class(&self, ty: Type) -> Result<Class> {
        Class::of(ty).ok_or_else(|| match ty {
            Type::F80 => self.error("`long double` does not exist on a device"),
            Type::I128 => self.error("`__int128` in an atomic operation is not supported on a GPU"),
            _ => self.error(format!("a value of type {ty} was not taken apart before PTX was written")),
        })
    }

    /// The type of an operand.
    pub(super) fn type_of(&self, operand: Operand) -> Type {
        self.body.operand_type(operand)
    }

    /// The register of a local.
    pub(super) fn local(&mut self, local: Local) -> Result<Reg> {
        if let Some(reg) = self.regs.known(local) {
            return Ok(reg);
        }
        let data = &self.body.locals[local];
        let is_offset = self.shared_offsets.contains(local);
        let class = if is_offset { Class::B32 } else { self.class(data.ty)? };
        let reg = self.regs.add(local, data, class);
        if self.known.has(local) {
            self.handed_over(local, reg);
        }
        Ok(reg)
    }

    /// Gets the value of a local that the host knows from the launch.
    fn handed_over(&mut self, local: Local, reg: Reg) {
        if reg.class != Class::Pred {
            self.take(local, Wanted::Itself, reg);
            return;
        }
        let number = self.temp(Class::B32);
        self.take(local, Wanted::Itself, number);
        self.once(|w| put!(w, ["setp.ne.u32"], reg, number, Value::Int(0)));
    }

    /// What divides by a number that the host knows; `None` if it does not know that.
    pub(super) fn prepared(&mut self, divisor: Operand) -> Option<Prepared> {
        let Operand::Local(local) = divisor else { return None };
        if !self.known.knows(local) {
            return None;
        }
        if let Some(prepared) = self.prepared.get(&local) {
            return Some(*prepared);
        }
        let divisor = self.local(local).ok()?;
        let [reciprocal, limit] = [Class::B64, divisor.class].map(|class| self.temp(class));
        self.take(local, Wanted::Reciprocal, reciprocal);
        self.take(local, Wanted::Limit, limit);
        let (factor, shift) = self.once(|w| w.halves(reciprocal));
        let prepared = Prepared { divisor, factor, shift, limit };
        self.prepared.insert(local, prepared);
        Some(prepared)
    }

    /// Loads what the launch hands over for a local that the host knows.
    fn take(&mut self, local: Local, wanted: Wanted, reg: Reg) {
        let Some(number) = self.known.ask(local, wanted) else { return };
        let ty = if reg.class == Class::B64 { "u64" } else { "u32" };
        let at = number * KNOWN_BYTES;
        self.once(|w| ins!(w, "ld.param.{ty} {reg}, [{KNOWN}+{at}]"));
    }

    /// An operand as the instruction takes it that gives a local its value.
    pub(super) fn value_for(&mut self, dst: Local, operand: Operand) -> Result<Value> {
        match operand {
            Operand::Slot(slot) if self.shared_offsets.contains(dst) => Ok(self.shared_offset(slot)?.into()),
            operand => self.value(operand),
        }
    }

    /// An operand as an instruction takes it: a register or a number.
    pub(super) fn value(&mut self, operand: Operand) -> Result<Value> {
        Ok(match operand {
            Operand::Local(local) => self.local(local)?.into(),
            Operand::Slot(_) | Operand::Global(_) => self.address_value(Address::at(operand))?.into(),
            Operand::Func(func) => self.function_address(func)?.into(),
            Operand::Int(Type::I1, value) => {
                let reg = self.temp(Class::Pred);
                put!(self, ["mov.pred"], reg, Value::Int(value & 1));
                reg.into()
            }
            Operand::Int(ty, value) => {
                self.class(ty)?;
                Value::Int(match ty {
                    Type::I8 => i64::from(value as u8),
                    Type::I16 => i64::from(value as u16),
                    Type::I32 => i64::from(value as i32),
                    _ => value,
                })
            }
            Operand::F32(bits) => Value::F32(bits),
            Operand::F64(bits) => Value::F64(bits),
        })
    }

    /// An operand in a register.
    pub(super) fn reg(&mut self, operand: Operand) -> Result<Reg> {
        let class = self.class(self.type_of(operand))?;
        let value = self.value(operand)?;
        Ok(self.in_register(class, value))
    }

    /// A value in a register.
    pub(super) fn in_register(&mut self, class: Class, value: Value) -> Reg {
        match value {
            Value::Reg(reg) => reg,
            Value::Int(_) | Value::F32(_) | Value::F64(_) => {
                let reg = self.temp(class);
                put!(self, ["mov.", class.name()], reg, value);
                reg
            }
        }
    }

    /// Writes code at the start of the function, which all of it can use.
    pub(super) fn once<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let pos = std::mem::replace(&mut self.pos, Pos::none());
        let guard = self.guard.take();
        std::mem::swap(&mut self.out, &mut self.prologue);
        let result = write(self);
        std::mem::swap(&mut self.out, &mut self.prologue);
        (self.pos, self.guard) = (pos, guard);
        result
    }

    /// The address of the launch's scratch memory, in global memory.
    pub(super) fn scratch(&mut self) -> Reg {
        if let Some(reg) = self.scratch {
            return reg;
        }
        let reg = self.temp(Class::B64);
        self.scratch = Some(reg);
        if self.region().is_some() {
            self.once(|w| ins!(w, "ld.param.u64 {reg}, [{SCRATCH}]"));
        } else {
            self.words.scratch = true;
            self.once(|w| ins!(w, "ld.shared.u64 {reg}, [{LAUNCH}]"));
        }
        reg
    }

    /// The address of the gang's part of the scratch memory, less where the parts begin.
    pub(super) fn gang_part(&mut self) -> Reg {
        if let Some(reg) = self.gang_part {
            return reg;
        }
        let scratch = self.scratch();
        let reg = self.temp(Class::B64);
        self.gang_part = Some(reg);
        let bytes = self.program.scratch.gang_bytes();
        self.once(|w| {
            let gang = w.gang_number();
            ins!(w, "mad.wide.u32 {reg}, {gang}, {bytes}, {scratch}");
        });
        reg
    }

    /// The vector length.
    pub(super) fn vector_length(&mut self) -> Value {
        let constant = self.region().map_or(0, |region| region.constant_dims[4]);
        if constant != 0 {
            return Value::Int(i64::from(constant));
        }
        if let Some(reg) = self.vector_length {
            return reg.into();
        }
        let reg = self.temp(Class::B32);
        self.vector_length = Some(reg);
        if self.region().is_some() {
            self.once(|w| ins!(w, "ld.param.u32 {reg}, [{VECTOR_LENGTH}]"));
        } else {
            self.words.vector_length = true;
            self.once(|w| ins!(w, "ld.shared.u32 {reg}, [{LAUNCH}+{LAUNCH_VECTOR_LENGTH}]"));
        }
        reg.into()
    }

    /// Notes that a block needs its label.
    pub(super) fn reference(&mut self, block: Block) -> Label {
        let block = self.flow.destination(block);
        self.referenced.insert(block);
        block.into()
    }

    /// Writes the function.
    pub(super) fn write(mut self) -> Result<Written> {
        self.name_params();
        let blocks = self.flow.blocks().to_vec();
        self.together = Together::new(&self.flow, &self.function.kind);
        self.gang_barrier =
            if alike::come_alike(&self.flow, &self.function.kind) { "bar.sync" } else { "barrier.sync" };
        let mut texts: Vec<BlockText> = Vec::with_capacity(blocks.len());
        for (index, &block) in blocks.iter().enumerate() {
            let text = self.block(block, blocks.get(index + 1).copied(), &texts)?;
            texts.push(text);
        }
        self.pos = Pos::none();
        if self.region().is_some() {
            if self.program.options.arch.has(GRID_WAIT) {
                self.once(|w| ins!(w, "{GRID_WAIT}"));
            }
            // The barrier at its end does for one that the kernel begins with.
            self.tell_routines();
        }
        let mut entry = self.load_params()?;
        entry.push_str(&self.prologue);

        let head = self.head()?;
        let comment = self.comment();
        let is_kernel = self.region().is_some();
        let bytes = texts.iter().map(|block| block.text.len() + BLOCK_HEAD).sum::<usize>();
        let mut text = String::with_capacity(bytes + entry.len() + FUNCTION_HEAD);
        let _ = write!(text, "{comment}{head}{}\n{{\n", self.bounds()?);
        text.push_str(&self.regs.declarations());
        self.declare_memory(&mut text);
        text.push_str(&entry);
        self.join_blocks(texts, &mut text);
        text.push_str("}\n");
        let prototype = (!is_kernel).then_some(head);
        let registers = if self.program.options.keep_undefined { self.unset() } else { Vec::new() };
        let unset = (!registers.is_empty()).then(|| Unset { function: self.name.to_string(), registers });
        let uses_scratch = self.scratch.is_some() || self.words.scratch;
        Ok(Written {
            prototype,
            text,
            words: self.words,
            uses_scratch,
            gang_loops: self.gang_loops,
            at_launch: self.known.into_asked(),
            unset,
        })
    }

    /// Registers of the program's variables that have no value where the function begins, and may be read
    /// then.
    fn unset(&mut self) -> Vec<String> {
        let Some(graph) = self.flow.graph() else { return Vec::new() };
        let (body, live) = (self.body, Liveness::new(self.body, graph));
        let is_unset = |local: &Local| body.locals[*local].name.is_some() && !body.params.contains(local);
        let locals: Vec<Local> = live.live_in(body.entry()).filter(is_unset).collect();
        let mut registers = Vec::new();
        for local in locals {
            if self.regs.has(local) {
                registers.extend(self.local(local).map(|register| register.to_string()));
            }
        }
        registers
    }

    fn block(&mut self, block: Block, next: Option<Block>, before: &[BlockText]) -> Result<BlockText> {
        let data = &self.body.blocks[block];
        self.out = String::with_capacity((data.insts.len() + 2) * LINE);
        self.is_together = self.together.at_start(block);
        // What gangs share, a thread often has one iteration of.
        self.is_repeated = data.loop_.is_some_and(|loop_| {
            let directive = self.body.loops[loop_].directive.as_ref();
            directive.is_none_or(|directive| !directive.levels.iter().any(|level| level.is_gang()))
        });
        (self.first_barrier, self.last_barrier, self.last_label) = (None, None, None);
        self.guard =
            self.guarded_block.take().filter(|(guarded, _)| *guarded == block).map(|(_, guard)| guard);
        let repeatable = match self.repeated(data, before).filter(|_| self.guard.is_none()) {
            Some((text, repeatable)) => {
                self.out.push_str(text);
                self.located = repeatable.located[1];
                Some(repeatable)
            }
            None => {
                let repeatable = self.instructions(data)?;
                repeatable.filter(|_| self.guard.take().is_none())
            }
        };
        self.pos = data.term_pos;
        // Nothing may jump to a place where only a jump stands.
        if let (Some(label), Some(to)) = (self.label_at_end(), self.flow.only_successor(&data.term)) {
            let to = self.reference(to);
            self.rename_label(label, to);
        }
        let before = self.out.len();
        let falls_through = self.terminator(&data.term, next)?;
        let silent = self.out.len() == before;
        let last = self.last_barrier.filter(|mark| silent && mark.end == self.out.len());
        let text = std::mem::take(&mut self.out);
        Ok(BlockText { block, text, repeatable, falls_through, first: self.first_barrier, last })
    }

    fn instructions(&mut self, data: &BlockData) -> Result<Option<Repeatable>> {
        let (located, labels) = (self.located, self.labels);
        // Guards are of one access each.
        let mut runs = if self.guard.is_none() { self.runs(data) } else { Runs::default() };
        self.extended.begin();
        for (index, inst) in data.insts.iter().enumerate() {
            self.pos = inst.pos;
            if !self.known.computes(&inst.op) && !self.in_run(&mut runs, data, index)? {
                self.inst(&inst.op)?;
            }
            self.extended.pass(self.body, &inst.op);
            self.is_together = together::stays_together(&inst.op, self.rows, self.is_together);
        }
        let has_marks = self.labels != labels || self.first_barrier.or(self.last_barrier).is_some();
        let located = [located, self.located];
        Ok((!has_marks).then_some(Repeatable { bytes: self.out.len(), located }))
    }

    /// The text of the same instructions, written before: iterations of an unrolled loop are alike.
    fn repeated<'t>(&self, data: &BlockData, before: &'t [BlockText]) -> Option<(&'t str, Repeatable)> {
        before.iter().rev().take(REPEATED_WITHIN).find_map(|earlier| {
            let repeatable = earlier.repeatable?;
            let insts = &self.body.blocks[earlier.block].insts;
            // Most blocks differ in where they come from, which is compared at once.
            let is_same = repeatable.located[0] == self.located
                && data.insts.first().map(|inst| inst.pos) == insts.first().map(|inst| inst.pos)
                && data.insts == *insts;
            is_same.then(|| (&earlier.text[..repeatable.bytes], repeatable))
        })
    }

    /// Puts blocks together: labels where something jumps to them, comments at loops, no barrier after a
    /// barrier.
    fn join_blocks(&self, blocks: Vec<BlockText>, text: &mut String) {
        // A barrier that control leaves the text so far from, by its place in it.
        let barrier = format!("\t{} 0;\n", self.gang_barrier);
        let mut before = text.strip_suffix(&barrier).map(|rest| BarrierMark {
            kind: BarrierKind::Block,
            start: rest.len(),
            end: text.len(),
        });
        for mut block in blocks {
            let labelled = self.referenced.contains(block.block);
            let mut skipped = 0..0;
            if let (false, Some(last), Some(first)) = (labelled, before, block.first) {
                if first.kind.is_covered_by(last.kind) {
                    skipped = first.start..first.end;
                } else {
                    text.truncate(last.start);
                }
            }
            let end = text.len();
            self.loop_comment(block.block, text);
            if labelled {
                let _ = Label::from(block.block).write_to(text);
                text.push_str(":\n");
            }
            // A block that begins with a label of its own has two; its own goes.
            if let (true, Some((own, rest))) = (labelled, leading_label(&block.text)) {
                let old = format!("bra {own};");
                block.text = rest.replace(&old, &format!("bra {};", Label::from(block.block)));
                block.last = None;
            }
            let kept = |mark: &BarrierMark| skipped.is_empty() || mark.start >= skipped.end;
            let moved = text.len();
            text.push_str(&block.text[..skipped.start]);
            text.push_str(&block.text[skipped.end..]);
            before = match block.last.filter(|_| block.falls_through) {
                Some(last) if kept(&last) => {
                    let shift = |at: usize| moved + at - skipped.len();
                    Some(BarrierMark { start: shift(last.start), end: shift(last.end), ..last })
                }
                // The block was nothing but the barrier that was left out, or nothing at all.
                Some(_) => before.filter(|mark| mark.end == end && end == moved),
                None if block.falls_through && block.text.is_empty() => {
                    before.filter(|mark| mark.end == end && end == moved)
                }
                None => None,
            };
        }
    }

    fn loop_comment(&self, block: Block, text: &mut String) {
        let Some(loop_) = self.body.blocks[block].loop_ else { return };
        let data = &self.body.loops[loop_];
        if data.header != block {
            return;
        }
        text.push_str("\t// ");
        self.describe_loop(loop_, text);
        text.push('\n');
    }

    fn describe_loop(&self, loop_: Loop, text: &mut String) {
        let data = &self.body.loops[loop_];
        let _ = write!(text, "{loop_}");
        if let Some(induction) = &data.induction
            && let Some(name) = &self.body.locals[induction.iv].name
        {
            text.extend([" over ", &comment_text(name)]);
        }
        self.place_comment(data.pos, text);
        let Some(directive) = &data.directive else { return };
        text.push_str(if directive.levels.is_empty() { ": seq" } else { ":" });
        directive.levels.iter().for_each(|level| text.extend([" ", level.name()]));
        for clause in &directive.reductions {
            text.extend([", reduction(", clause.op.spelling(), ": ", &comment_text(&clause.name), ")"]);
        }
    }

    /// The loops with directives, those among them that single mode took apart.
    fn loops_comment(&self, text: &mut String) {
        let mut told: FxHashSet<Pos> = FxHashSet::default();
        for (loop_, data) in &self.body.loops {
            if data.directive.is_some() && told.insert(data.pos) {
                text.push_str("\n//   ");
                self.describe_loop(loop_, text);
            }
        }
    }

    fn place_comment(&self, pos: Pos, text: &mut String) {
        if pos.line != 0 {
            let file = self.program.module.files.get(pos.file).map_or("", |file| file_name(file));
            text.extend([", ", &comment_text(file), ":"]);
            let _ = write_number(text, pos.line);
        }
    }

    /// What stands above the function.
    fn comment(&self) -> String {
        let mut text = String::with_capacity(FUNCTION_HEAD);
        text.push_str("// ");
        match self.region() {
            Some(region) => {
                text.extend([region.construct.name(), " in ", &comment_text(&region.parent)]);
                self.place_comment(self.function.pos, &mut text);
                for param in &region.params {
                    text.extend(["\n//   ", &comment_text(&param.name), ": "]);
                    match param.how {
                        PassHow::Address => text.push_str("address of the object"),
                        PassHow::Pointer => text.push_str("pointer"),
                        PassHow::Value(ty) => text.extend([ty.name(), " value"]),
                    }
                    if let Some(bytes) = param.bytes {
                        text.extend([", ", itoa::Buffer::new().format(bytes), " bytes"]);
                    }
                }
            }
            None => {
                text.push_str(&comment_text(&self.function.name));
                self.place_comment(self.function.pos, &mut text);
            }
        }
        self.loops_comment(&mut text);
        text.push('\n');
        text
    }

    fn name_params(&mut self) {
        let body = self.body;
        for (index, &local) in body.params.iter().enumerate() {
            let named = self.region().and_then(|region| region.params.get(index)).map(|param| &*param.name);
            let name = named.or(body.locals[local].name.as_deref()).unwrap_or("parameter");
            self.params.push(self.names.declare(Some(&self.program.names), name));
        }
    }

    /// The signature.
    fn head(&self) -> Result<String> {
        let signature = &self.program.module.signatures[self.function.sig];
        let params = self.params.iter().zip(&signature.params);
        let mut text = String::with_capacity(FUNCTION_HEAD);
        let Some(region) = self.region() else {
            text.push_str(".func");
            if let Some(pass) = signature.result {
                text.extend([" (", &self.param(pass, RESULT)?, ")"]);
            }
            text.extend([" ", &*self.name, "("]);
            for (index, (name, pass)) in params.enumerate() {
                text.extend([if index == 0 { "" } else { ", " }, &self.param(*pass, name)?]);
            }
            text.push(')');
            return Ok(text);
        };
        text.extend([".visible .entry ", &*self.name, "(\n"]);
        for (name, pass) in params {
            text.extend(["\t.param .", self.kernel_type(*pass)?, " ", &**name, ",\n"]);
        }
        text.extend(["\t.param .u64 ", SCRATCH]);
        if region.constant_dims[4] == 0 {
            text.extend([",\n\t.param .u32 ", VECTOR_LENGTH]);
        }
        let known = self.known.asked();
        if known > 0 {
            let _ = write!(text, ",\n\t.param .align {KNOWN_BYTES} .b8 {KNOWN}[{}]", known * KNOWN_BYTES);
        }
        text.push_str("\n)");
        Ok(text)
    }

    fn kernel_type(&self, pass: PassBy) -> Result<&'static str> {
        match pass {
            PassBy::Scalar(ty, _) => self.memory_type(ty),
            PassBy::Aggregate(_) => Err(self.error("a region takes an object by value")),
        }
    }

    /// The launch bounds: exact where the number of threads is constant, else the most there can be.
    fn bounds(&self) -> Result<String> {
        let Some(region) = self.region() else { return Ok(String::new()) };
        let [_, _, _, mut workers, vector] = region.constant_dims;
        let most_workers = iterations::most_workers(region, self.body);
        workers = workers.max(most_workers);
        if workers == 0 || vector == 0 {
            let least = if iterations::are_long(self.body) { "\n.minnctapersm 1" } else { "" };
            return Ok(format!("\n.maxntid {MOST_THREADS}, 1, 1{least}"));
        }
        let row = vector.next_multiple_of(32);
        if row.saturating_mul(workers) > MOST_THREADS {
            return Err(self.error(format!(
                "{workers} workers of {vector} lanes are more than the {MOST_THREADS} threads that a gang can have"
            )));
        }
        // By itself, the assembler saves registers for more gangs at a time, and lets a loop wait for each of
        // its loads.
        let has_strips = self.body.beside.as_ref().is_some_and(|beside| beside.rows > 1);
        let gangs = match self.body {
            _ if has_strips => Some(STRIP_THREADS / (row * workers)),
            // A gang of so many that it has a processor for itself leaves it idle at each barrier.
            body if iterations::are_long(body) => Some(if row * workers == MOST_THREADS / 2 { 2 } else { 1 }),
            _ => None,
        };
        let gangs = gangs.map_or_else(String::new, |gangs| format!("\n.minnctapersm {}", gangs.max(1)));
        let bound = if most_workers > 0 { "maxntid" } else { "reqntid" };
        Ok(format!("\n.{bound} {row}, {workers}, 1{gangs}"))
    }

    fn declare_memory(&self, text: &mut String) {
        if self.layout.frame_bytes > 0 {
            for (offset, name) in &self.layout.frame_names {
                let _ = writeln!(text, "\t// {FRAME}+{offset}: {name}");
            }
            let (align, bytes) = (self.layout.frame_align, self.layout.frame_bytes);
            let _ = writeln!(text, "\t.local .align {align} .b8 {FRAME}[{bytes}];");
        }
        for array in &self.layout.arrays {
            let SharedArray { name, variable, bytes, align, .. } = array;
            let _ = writeln!(text, "\t.shared .align {align} .b8 {name}[{bytes}];\t// {variable}");
        }
    }

    fn load_params(&mut self) -> Result<String> {
        let saved = std::mem::take(&mut self.prologue);
        let signature = &self.program.module.signatures[self.function.sig];
        let body = self.body;
        for (index, &local) in body.params.iter().enumerate() {
            let Some(name) = self.params.get(index).cloned() else { break };
            if !self.regs.has(local) {
                continue;
            }
            let dst = self.local(local)?;
            match signature.params.get(index) {
                Some(PassBy::Scalar(ty, _)) => {
                    let ty = if self.region().is_some() {
                        self.memory_type(*ty)?
                    } else {
                        self.class(*ty)?.name()
                    };
                    let place = Place { space: Space::Param, base: Base::Symbol(name), offset: 0 };
                    self.once(|w| put!(w, ["ld.param.", ty], dst, &place));
                }
                Some(PassBy::Aggregate(agg)) => {
                    let agg = *agg;
                    self.once(|w| w.own_copy(agg, &name, dst))?;
                }
                None => break,
            }
        }
        Ok(std::mem::replace(&mut self.prologue, saved))
    }
}

/// The label that a text begins with, and what follows.
fn leading_label(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = text.strip_prefix('$')?.split_once('\n')?;
    let label = &text[..=first.len()];
    Some((label.strip_suffix(':')?, rest))
}

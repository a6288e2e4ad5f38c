//! A module: header, prototypes, globals, shared buffers, functions, kernels.

use super::call_graph::{self, Reached, Targets};
use super::function::{FunctionWriter, Written};
use super::library::Extern;
use super::name::{BROADCAST, FORMAT, LAUNCH, Names, REDUCTIONS, ROWS};
use super::room::OPEN_STACK;
use super::scratch::Scratch;
use super::shared::{Layout, SHARED_LIMIT};
use super::sync::Rows;
use super::{EmitError, Kernel, Ptx, Result};
use crate::arch::{self, Version};
use crate::options::Options;
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::bits::BitSet;
use accrue_ir::*;
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::rc::Rc;

/// What is known before the first function is written.
pub(super) struct Program<'a> {
    pub(super) module: &'a Module,
    pub(super) options: &'a Options,
    pub(super) targets: Targets<'a>,
    pub(super) reached: Reached,
    /// Names of the module.
    pub(super) names: Names,
    /// The functions' among them.
    pub(super) functions: SecondaryMap<Func, Rc<str>>,
    /// The globals'.
    pub(super) globals: SecondaryMap<Global, Rc<str>>,
    /// The graphs of the functions that have a body.
    pub(super) graphs: SecondaryMap<Func, Option<Cfg>>,
    /// Where the slots of each function are, and the names that are taken inside of it.
    pub(super) layouts: SecondaryMap<Func, (Layout, Names)>,
    /// The scratch memory of launches.
    pub(super) scratch: Scratch,
    /// Whether addresses of frames are in memory or go through calls, once something asks.
    escapes: OnceCell<bool>,
    /// The body of functions that have none.
    pub(super) empty: Body,
    /// The text will be verified.
    pub(super) verify: bool,
}

/// What functions ask of their module, collected while they are written.
pub(super) struct Demands {
    version: Version,
    /// Those that were looked up.
    instructions: FxHashSet<Box<str>>,
    files: Vec<File>,
    /// Functions of the driver that are called.
    pub(super) externs: BTreeSet<Extern>,
    /// Globals that are named. Formats that were rewritten are not.
    pub(super) globals: BitSet<Global>,
    /// Formats that are printed, as the driver understands them.
    formats: Vec<Vec<u8>>,
}

impl Demands {
    /// Notes an instruction. An instruction that the architecture lacks is the caller's mistake and left to ptxas.
    pub(super) fn instruction(&mut self, mnemonic: &str) {
        if arch::is_ancient(mnemonic) {
            return;
        }
        if !self.instructions.contains(mnemonic) {
            self.instructions.insert(mnemonic.into());
            self.version = self.version.max(arch::requirement(mnemonic).version);
        }
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

    /// The number of a source file in `.loc`.
    pub(super) fn file(&mut self, file: File) -> usize {
        let found = self.files.iter().position(|known| *known == file);
        1 + found.unwrap_or_else(|| {
            self.files.push(file);
            self.files.len() - 1
        })
    }
}

/// What a kernel must tell the routines it calls, and what routines need.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LaunchWords {
    /// The address of the launch's scratch memory.
    pub(super) scratch: bool,
    /// The vector length.
    pub(super) vector_length: bool,
    /// Barrier objects of the rows.
    pub(super) rows: bool,
}

impl LaunchWords {
    fn of(all: impl Iterator<Item = LaunchWords>) -> LaunchWords {
        all.fold(LaunchWords::default(), |sum, words| LaunchWords {
            scratch: sum.scratch || words.scratch,
            vector_length: sum.vector_length || words.vector_length,
            rows: sum.rows || words.rows,
        })
    }
}

/// Bytes of local memory that a thread can have.
const LOCAL_LIMIT: u64 = 512 << 10;

/// Bytes that the header, prototypes and buffers of a module mostly have.
const MODULE_HEAD: usize = 4000;

/// Writes a module.
pub(super) fn write(module: &Module, reached: Reached, options: &Options, verify: bool) -> Result<Ptx> {
    let program = Program::new(module, reached, options, verify)?;
    let mut demands = Demands {
        version: options.arch.version(),
        instructions: FxHashSet::default(),
        files: Vec::new(),
        externs: BTreeSet::new(),
        globals: BitSet::new(module.globals.len()),
        formats: Vec::new(),
    };
    let mut written: SecondaryMap<Func, Option<Written>> = SecondaryMap::new();
    for &func in &program.reached.functions {
        written[func] =
            Some(FunctionWriter::new(&program, &mut demands, func, LaunchWords::default()).write()?);
    }
    for &region in &program.reached.regions {
        let reaches = call_graph::closure(&program.reached.callees, region);
        let callees = reaches.iter().filter_map(|func| written[*func].as_ref());
        let words = LaunchWords::of(callees.map(|callee| callee.words));
        let kernel = FunctionWriter::new(&program, &mut demands, region, words).write()?;
        written[region] = Some(kernel);
    }
    let text = program.assemble(&demands, &written)?;
    let unset = |function: &str, register: &str| {
        let mut functions = written.values().flatten().filter(|written| *written.name == *function);
        functions.any(|written| written.unset.iter().any(|unset| unset == register))
    };
    if verify && let Err(problem) = crate::verify::verify(&text, unset) {
        let message = format!("the code written for it is wrong (a mistake in accrue): {problem}");
        return Err(EmitError { function: "module".into(), pos: Pos::none(), message });
    }
    Ok(Ptx {
        text,
        kernels: program.kernels(),
        open_stack: program.open_stack(),
        has_heap: demands.externs.contains(&Extern::Malloc),
        objects: program.objects(&demands.globals),
    })
}

/// Shared buffers by name, with their bytes.
type Buffers = [(&'static str, u64); 2];

/// The high-water marks of the shared buffers.
fn buffers<'a>(layouts: impl Iterator<Item = &'a Layout> + Clone) -> Buffers {
    let most = |bytes: fn(&Layout) -> u64| layouts.clone().map(bytes).max().unwrap_or(0);
    [(REDUCTIONS, most(|layout| layout.reduction_bytes)), (BROADCAST, most(|layout| layout.broadcast_bytes))]
}

/// Alignment of the buffers.
const BUFFER_ALIGN: u32 = 16;
/// Bytes of what kernels tell routines about the launch.
const LAUNCH_BYTES: u64 = 16;
/// Most rows of several warps in 1024 threads. Each has a barrier object of eight bytes.
const MOST_LONG_ROWS: u64 = 16;

impl<'a> Program<'a> {
    /// Bytes of stack that a thread must be given, if nobody knows how many it needs. Code for the simulator has arrays of
    /// variable length there, which GPUs have elsewhere if they are large; then it is as much as there can be.
    fn open_stack(&self) -> Option<u64> {
        let functions = || self.reached.functions.iter().copied();
        let is_circular = || !call_graph::callees_first(&self.reached.callees, functions()).1.is_empty();
        let grows = |op: &Op| matches!(op, Op::Call { callee: Callee::Indirect(_), .. });
        let bodies =
            || self.reached.with_code().filter_map(|func| self.module.functions[func].body.as_deref());
        let has = |body: &Body, wanted: &dyn Fn(&Op) -> bool| {
            body.order.iter().any(|&block| body.blocks[block].insts.iter().any(|inst| wanted(&inst.op)))
        };
        let is_open = bodies().any(|body| has(body, &grows)) || is_circular();
        let allocates = || bodies().any(|body| has(body, &|op| matches!(op, Op::StackAlloc { .. })));
        is_open.then(|| if allocates() { LOCAL_LIMIT } else { OPEN_STACK })
    }

    /// Whether some function puts addresses of its frame into memory, or gives them to others.
    pub(super) fn frames_escape(&self) -> bool {
        *self.escapes.get_or_init(|| {
            let reached = self.reached.functions.iter().chain(&self.reached.regions);
            reached.map(|&func| &self.module.functions[func]).any(|function| {
                let body = function.body.as_deref();
                body.is_some_and(|body| super::spaces::frame_escapes(self.module, function, body))
            })
        })
    }

    fn new(module: &'a Module, reached: Reached, options: &'a Options, verify: bool) -> Result<Program<'a>> {
        let mut names = Names::default();
        names.reserve(Extern::ALL.iter().map(|function| function.symbol()));
        let mut functions: SecondaryMap<Func, Rc<str>> = SecondaryMap::with_default("".into());
        for &func in reached.regions.iter().chain(&reached.functions) {
            functions[func] = names.declare(None, &module.functions[func].name);
        }
        let mut globals: SecondaryMap<Global, Rc<str>> = SecondaryMap::with_default("".into());
        for &global in &reached.globals {
            globals[global] = names.declare(None, &module.globals[global].name);
        }
        let mut graphs: SecondaryMap<Func, Option<Cfg>> = map_below(module.functions.len());
        for func in reached.with_code() {
            graphs[func] = module.functions[func].body.as_deref().map(Cfg::new);
        }
        let mut program = Program {
            module,
            options,
            targets: Targets::new(module),
            reached,
            names,
            functions,
            globals,
            graphs,
            layouts: SecondaryMap::new(),
            scratch: Scratch::default(),
            escapes: OnceCell::new(),
            empty: Body::default(),
            verify,
        };
        program.place_slots()?;
        program.refuse_recursion()?;
        Ok(program)
    }

    /// What the threads of a routine share exists once for all of its calls, so that a call inside of a call would
    /// overwrite it.
    fn refuse_recursion(&self) -> Result<()> {
        for &func in &self.reached.functions {
            let (function, layout) = (&self.module.functions[func], &self.layouts[func].0);
            let Some(body) = function.body.as_deref() else { continue };
            let Some(name) = layout.variables(body).next() else { continue };
            let callees = self.reached.callees[func].iter();
            if callees
                .flat_map(|&callee| call_graph::closure(&self.reached.callees, callee))
                .any(|at| at == func)
            {
                return Err(EmitError {
                    function: function.name.to_string(),
                    pos: function.pos,
                    message: format!(
                        "routine `{}` calls itself, and its threads share `{name}`, of which there is only one",
                        function.name
                    ),
                });
            }
        }
        Ok(())
    }

    /// Decides where the slots of all functions are.
    fn place_slots(&mut self) -> Result<()> {
        for &func in self.reached.functions.iter().chain(&self.reached.regions) {
            let function = &self.module.functions[func];
            let workers = match &function.kind {
                FunctionKind::Region(region) => region.constant_dims[3],
                FunctionKind::Normal => 0,
            };
            let body = function.body.as_deref().unwrap_or(&self.empty);
            let mut names = Names::default();
            let layout = Layout::new(body, workers, &self.names, &mut names, &mut self.scratch);
            if layout.frame_bytes > LOCAL_LIMIT {
                let message = format!(
                    "variables of {} bytes in each thread are more than the {LOCAL_LIMIT} there are",
                    layout.frame_bytes
                );
                return Err(EmitError { function: function.name.to_string(), pos: function.pos, message });
            }
            self.layouts[func] = (layout, names);
        }
        let order = self.reached.functions.iter().chain(&self.reached.regions);
        let module_buffers = buffers(order.map(|&func| &self.layouts[func].0));
        for region in self.reached.regions.clone() {
            let reaches = call_graph::closure(&self.reached.callees, region);
            self.fit_shared(region, &reaches, module_buffers)?;
        }
        let bytes = self.scratch.gang_bytes();
        match self.reached.regions.first() {
            Some(&region) if u32::try_from(bytes).is_err() => {
                let function = &self.module.functions[region];
                let message = format!("{bytes} bytes of scratch memory for each gang are more than 4 GiB");
                Err(EmitError { function: function.name.to_string(), pos: function.pos, message })
            }
            _ => Ok(()),
        }
    }

    /// Moves the largest objects of a kernel out of shared memory until the others fit. A buffer counts as a whole where the
    /// kernel names it: it is as large as the function of the module wants it that wants most.
    fn fit_shared(&mut self, region: Func, reaches: &[Func], module_buffers: Buffers) -> Result<()> {
        let own = buffers(reaches.iter().map(|&func| &self.layouts[func].0));
        let named = module_buffers.into_iter().zip(own).filter(|&(_, (_, own))| own > 0);
        let named: Vec<(&str, u64)> = named.map(|(buffer, _)| buffer).collect();
        let meets = reaches.iter().any(|&func| self.has_row_objects(func));
        let rows = if meets { MOST_LONG_ROWS * 8 } else { 0 };
        loop {
            let arrays = || reaches.iter().flat_map(|&func| &self.layouts[func].0.arrays);
            // In whatever order the assembler places them.
            let align = arrays().map(|array| array.align).max().unwrap_or(1).max(BUFFER_ALIGN);
            let rounded = |bytes: u64| bytes.next_multiple_of(u64::from(align));
            let fixed = [LAUNCH_BYTES, rows].into_iter().chain(named.iter().map(|&(_, bytes)| bytes));
            let fixed: u64 = fixed.map(rounded).sum();
            if fixed + arrays().map(|array| rounded(array.bytes)).sum::<u64>() <= SHARED_LIMIT {
                return Ok(());
            }
            let numbered = reaches.iter().flat_map(|&func| {
                let arrays = self.layouts[func].0.arrays.iter().enumerate();
                arrays.map(move |(index, array)| (array.bytes, func, index))
            });
            let Some((_, func, index)) = numbered.max_by_key(|&(bytes, ..)| bytes) else {
                let function = &self.module.functions[region];
                let parts: Vec<String> =
                    named.iter().map(|(name, bytes)| format!("`{name}` {bytes}")).collect();
                let message = format!(
                    "{fixed} bytes of shared memory are needed, more than the {SHARED_LIMIT} there are: {}",
                    parts.join(", ")
                );
                return Err(EmitError { function: function.name.to_string(), pos: function.pos, message });
            };
            self.layouts[func].0.spill(index, &mut self.scratch);
        }
    }

    /// Whether rows meet at barrier objects in a function.
    fn has_row_objects(&self, func: Func) -> bool {
        let function = &self.module.functions[func];
        let rows = Rows::of(&function.kind);
        let meets = |inst: &Inst| matches!(inst.op, Op::Barrier { level: Level::Vector });
        matches!(rows, Rows::Long | Rows::Any)
            && arch::row_wait(self.options.arch).is_some()
            && function.body.as_deref().is_some_and(|body| {
                body.order.iter().any(|&block| body.blocks[block].insts.iter().any(meets))
            })
    }

    /// How the kernels are launched.
    fn kernels(&self) -> Vec<Kernel> {
        let kernel = |&func: &Func| {
            let function = &self.module.functions[func];
            let FunctionKind::Region(region) = &function.kind else { return None };
            Some(Kernel {
                region: function.name.clone(),
                entry: self.functions[func].to_string(),
                dims: region.constant_dims,
                cooperative: region.cooperative,
                wanted_gangs: region.wanted_gangs,
                most_long_rows: arch::most_long_rows(self.options.arch),
                scratch: self.scratch.gangs_start(),
                scratch_per_gang: self.scratch.gang_bytes(),
            })
        };
        self.reached.regions.iter().filter_map(kernel).collect()
    }

    fn assemble(&self, demands: &Demands, written: &SecondaryMap<Func, Option<Written>>) -> Result<String> {
        let in_order = || {
            let order = self.reached.functions.iter().chain(&self.reached.regions);
            order.filter_map(|func| written[*func].as_ref())
        };
        let functions = in_order().map(|function| function.text.len() + 1).sum::<usize>();
        let globals = self.globals(&demands.globals)?;
        let mut text = String::with_capacity(functions + globals.len() + MODULE_HEAD);
        let (major, minor) = demands.version;
        let arch = self.options.arch;
        let _ = write!(text, ".version {major}.{minor}\n.target {arch}\n.address_size 64\n");
        text.push_str(&self.scratch.comment());
        for (index, file) in demands.files.iter().enumerate() {
            let name = self.module.files.get(*file).map_or("", |name| name);
            let _ = writeln!(text, ".file {} \"{}\"", index + 1, super::quoted_path(name));
        }
        text.push('\n');
        for function in &demands.externs {
            text.push_str(function.prototype());
        }
        for prototype in in_order().filter_map(|function| function.prototype.as_deref()) {
            text.push_str(prototype);
            text.push_str(";\n");
        }
        text.push_str(&globals);
        for (index, bytes) in demands.formats.iter().enumerate() {
            self.bytes(&format!("{FORMAT}{}", index + 1), bytes, 1, bytes.len() as u64, true, &mut text);
        }
        let order = self.reached.functions.iter().chain(&self.reached.regions);
        for (name, bytes) in buffers(order.map(|&func| &self.layouts[func].0)) {
            if bytes > 0 {
                let _ = writeln!(text, ".shared .align {BUFFER_ALIGN} .b8 {name}[{bytes}];");
            }
        }
        let words = LaunchWords::of(in_order().map(|function| function.words));
        if words.scratch || words.vector_length {
            let _ = writeln!(text, ".shared .align 8 .b8 {LAUNCH}[{LAUNCH_BYTES}];");
        }
        if words.rows {
            let _ = writeln!(text, ".shared .align 8 .b64 {ROWS}[{MOST_LONG_ROWS}];");
        }
        for function in in_order() {
            text.push('\n');
            text.push_str(&function.text);
        }
        Ok(text)
    }
}

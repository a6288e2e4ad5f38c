//! What is known of a module before its first function is written: names, targets of calls, and where slots
//! are.

use super::barrier::Rows;
use super::call_graph::{self, Reached, Targets};
use super::error::{EmitError, Result};
use super::library::Extern;
use super::name::{BROADCAST, Names, REDUCTIONS};
use super::scratch::Scratch;
use super::shared::{Layout, SHARED_LIMIT};
use super::spaces;
use super::tame::Tame;
use crate::arch;
use crate::options::Options;
use crate::surplus::is_meeting;
use accrue_ir::analysis::cfg::Cfg;
use accrue_ir::{Body, Func, FunctionKind, Global, Inst, Level, Module, Op, map_below};
use cranelift_entity::SecondaryMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// What is known before the first function is written.
pub(super) struct Program<'a> {
    pub(super) module: &'a Module,
    pub(super) options: &'a Options,
    pub(super) targets: Targets<'a>,
    /// Functions whose calls write little.
    pub(super) tame: Tame,
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
}

/// Bytes of local memory that a thread can have.
pub(super) const LOCAL_LIMIT: u64 = 512 << 10;

/// Shared buffers by name, with their bytes.
pub(super) type Buffers = [(&'static str, u64); 2];

/// The high-water marks of the shared buffers.
pub(super) fn buffers<'a>(layouts: impl Iterator<Item = &'a Layout> + Clone) -> Buffers {
    let most = |bytes: fn(&Layout) -> u64| layouts.clone().map(bytes).max().unwrap_or(0);
    [(REDUCTIONS, most(|layout| layout.reduction_bytes)), (BROADCAST, most(|layout| layout.broadcast_bytes))]
}

/// Alignment of the buffers.
pub(super) const BUFFER_ALIGN: u32 = 16;
/// Bytes of what kernels tell routines about the launch.
pub(super) const LAUNCH_BYTES: u64 = 16;
/// Where the rounds of 1024 threads begin in what they say at meetings of teams, and bytes of all of it.
pub(super) const MEETING_ROUNDS: u32 = 12;
pub(super) const MEETING_BYTES: u64 = MEETING_ROUNDS as u64 + 1024;
/// Most rows of several warps in 1024 threads. Each has a barrier object of eight bytes.
pub(super) const MOST_LONG_ROWS: u64 = 16;

impl<'a> Program<'a> {
    /// Whether some function puts addresses of its frame into memory, or gives them to others.
    pub(super) fn frames_escape(&self) -> bool {
        *self.escapes.get_or_init(|| {
            let reached = self.reached.functions.iter().chain(&self.reached.regions);
            reached.map(|&func| &self.module.functions[func]).any(|function| {
                let body = function.body.as_deref();
                body.is_some_and(|body| spaces::frame_escapes(self.module, function, body))
            })
        })
    }

    pub(super) fn new(module: &'a Module, reached: Reached, options: &'a Options) -> Result<Program<'a>> {
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
            tame: Tame::new(module, &reached),
            reached,
            names,
            functions,
            globals,
            graphs,
            layouts: SecondaryMap::new(),
            scratch: Scratch::default(),
            escapes: OnceCell::new(),
            empty: Body::default(),
        };
        program.place_slots()?;
        program.refuse_recursion()?;
        Ok(program)
    }

    /// What the threads of a routine share exists once for all of its calls, so that a call inside of a call
    /// would overwrite it.
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
                FunctionKind::Normal | FunctionKind::Threaded(_) => 0,
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

    /// Moves the largest objects of a kernel out of shared memory until the others fit. A buffer counts as a
    /// whole where the kernel names it: it is as large as the function of the module wants it that wants
    /// most.
    fn fit_shared(&mut self, region: Func, reaches: &[Func], module_buffers: Buffers) -> Result<()> {
        let own = buffers(reaches.iter().map(|&func| &self.layouts[func].0));
        let named = module_buffers.into_iter().zip(own).filter(|&(_, (_, own))| own > 0);
        let named: Vec<(&str, u64)> = named.map(|(buffer, _)| buffer).collect();
        let meets = reaches.iter().any(|&func| self.has_row_objects(func));
        let rows = if meets { MOST_LONG_ROWS * 8 } else { 0 };
        let has_meetings = reaches.iter().any(|&func| self.has(func, is_meeting));
        let teams = if has_meetings { MEETING_BYTES } else { 0 };
        loop {
            let arrays = || reaches.iter().flat_map(|&func| &self.layouts[func].0.arrays);
            // In whatever order the assembler places them.
            let align = arrays().map(|array| array.align).max().unwrap_or(1).max(BUFFER_ALIGN);
            let rounded = |bytes: u64| bytes.next_multiple_of(u64::from(align));
            let fixed = [LAUNCH_BYTES, rows, teams].into_iter().chain(named.iter().map(|&(_, bytes)| bytes));
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
            && self.has(func, meets)
    }

    /// Whether a function has such an operation.
    fn has(&self, func: Func, is_it: impl Fn(&Inst) -> bool) -> bool {
        self.module.functions[func]
            .body
            .as_deref()
            .is_some_and(|body| body.order.iter().any(|&block| body.blocks[block].insts.iter().any(&is_it)))
    }
}

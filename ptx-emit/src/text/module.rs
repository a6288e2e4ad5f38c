//! A module: header, prototypes, globals, shared buffers, functions, kernels.

use super::call_graph::{self, Reached};
use super::demands::{Demands, LaunchWords};
use super::error::Result;
use super::function::{FunctionWriter, Written};
use super::globals::list;
use super::library::Extern;
use super::name::{FORMAT, LAUNCH, NUMBERS, ROWS, TEAMS};
use super::operand::Value;
use super::output::{Kernel, Ptx};
use super::program::{
    BUFFER_ALIGN, LAUNCH_BYTES, LOCAL_LIMIT, MEETING_BYTES, MOST_LONG_ROWS, Program, buffers,
};
use super::room::OPEN_STACK;
use super::source_text::quoted_path;
use crate::arch;
use crate::options::Options;
use accrue_ir::analysis::call_order::callees_first;
use accrue_ir::{Body, Callee, Func, FunctionKind, Module, Op, RegionShape};
use cranelift_entity::SecondaryMap;
use std::fmt::Write;

/// Bytes that the header, prototypes and buffers of a module mostly have.
const MODULE_HEAD: usize = 4000;

/// Writes a module.
pub(super) fn write(module: &Module, reached: Reached, options: &Options) -> Result<Ptx> {
    let program = Program::new(module, reached, options)?;
    let mut demands = Demands::new(module, options.arch);
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
    let of_function = |func| written[func].as_mut()?.unset.take();
    let unset = program.reached.with_code().filter_map(of_function).collect();
    Ok(Ptx {
        text,
        kernels: program.kernels(&written),
        open_stack: program.open_stack(),
        has_heap: demands.externs.contains(&Extern::Malloc),
        objects: program.objects(&demands.globals),
        unset,
    })
}

impl Program<'_> {
    /// Bytes of stack that a thread must be given, if nobody knows how many it needs. Code for the simulator
    /// has arrays of variable length there, which GPUs have elsewhere if they are large; then it is as much
    /// as there can be.
    fn open_stack(&self) -> Option<u64> {
        let functions = || self.reached.functions.iter().copied();
        let is_circular = || !callees_first(&self.reached.callees, functions()).1.is_empty();
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

    /// How the kernels are launched.
    fn kernels(&self, written: &SecondaryMap<Func, Option<Written>>) -> Vec<Kernel> {
        let kernel = |&func: &Func| {
            let function = &self.module.functions[func];
            let FunctionKind::Region(region) = &function.kind else { return None };
            // Memory that a kernel does not use need not be cleared for it.
            let written = written[func].as_ref()?;
            let of_scratch = |bytes| if written.uses_scratch { bytes } else { 0 };
            let tried = region.shape.and_then(|RegionShape { workers, lanes, trial }| {
                let trial = trial?;
                Some((trial.of, ([workers, lanes], trial.code)))
            });
            let (original, trial) = tried.unzip();
            Some(Kernel {
                region: self.module.functions[original.unwrap_or(func)].name.clone(),
                trial,
                entry: self.functions[func].to_string(),
                dims: region.constant_dims,
                cooperative: region.cooperative,
                wanted_gangs: region.wanted_gangs,
                gang_loops: written.gang_loops.clone(),
                at_launch: written.at_launch.clone(),
                most_long_rows: arch::most_long_rows(self.options.arch),
                scratch: of_scratch(self.scratch.gangs_start()),
                scratch_per_gang: of_scratch(self.scratch.gang_bytes()),
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
            let _ = writeln!(text, ".file {} \"{}\"", index + 1, quoted_path(name));
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
        let numbers = demands.numbers();
        if !numbers.is_empty() {
            let _ = write!(text, ".const .align 8 .f64 {NUMBERS}[{}] = {{", numbers.len());
            list(&mut text, numbers.into_iter().map(Value::F64));
            text.push_str("};\n");
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
        if words.teams {
            let _ = writeln!(text, ".shared .align 4 .b8 {TEAMS}[{MEETING_BYTES}];");
        }
        for function in in_order() {
            text.push('\n');
            text.push_str(&function.text);
        }
        Ok(text)
    }
}

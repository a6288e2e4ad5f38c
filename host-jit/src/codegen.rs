//! One function from IR to relocatable machine code.

use crate::data_object::DataObject;
use crate::definitions::function_name;
use crate::error::Error;
use crate::lower::{self, Traits};
use crate::names::Name;
use crate::options::{OptLevel, Options};
use accrue_ir::passes::Waiting;
use accrue_ir::{Body, Func, Function, Module, Pos};
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{self, ExternalName, LibCall, TrapCode};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::settings::{self, Configurable, SetError};
use cranelift_codegen::{Context, FinalizedRelocTarget};
use cranelift_frontend::FunctionBuilderContext;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The code generators of a program, and what precedes them.
#[derive(Clone)]
pub(crate) struct Targets {
    waiting: Waiting,
    /// For functions in general.
    general: Arc<dyn TargetIsa>,
    /// For functions that call a returns-twice function, in which nothing is kept in registers by
    /// optimisation, and for those that run once from top to bottom, for which optimising takes longer than
    /// it gains.
    plain: Arc<dyn TargetIsa>,
}

impl Targets {
    /// Code generators for this machine.
    pub(crate) fn new(options: &Options) -> Result<Targets, Error> {
        Ok(Targets {
            waiting: options.waiting.clone(),
            general: target(options.opt, options.verify)?,
            plain: target(OptLevel::None, options.verify)?,
        })
    }

    /// The one for functions in general.
    pub(crate) fn general(&self) -> Arc<dyn TargetIsa> {
        Arc::clone(&self.general)
    }

    /// The one for a function with these traits.
    fn of(&self, function: &Function, body: &Body, traits: &Traits, code: &ir::Function) -> &dyn TargetIsa {
        let runs_once = || function_name(function) == "main" && traits.is_straight(body);
        let plain = traits.returns_twice || runs_once() || merged_values(code) > MAX_MERGED_VALUES;
        if plain { &*self.plain } else { &*self.general }
    }
}

/// Functions with more merged values are compiled plainly. The optimising register allocator takes time that
/// grows with the square of their number: half a second here, minutes at ten times as many. Hundreds of loops
/// in each other have so many, as each variable is merged in each header; of programs that people write, none
/// comes near.
const MAX_MERGED_VALUES: usize = 50_000;

/// Values that control flow merges: variables, counted once for each block in which their value depends on
/// the way there.
fn merged_values(function: &ir::Function) -> usize {
    function.layout.blocks().map(|block| function.dfg.num_block_params(block)).sum()
}

/// Whether the processor computes a product and a sum in one operation; otherwise that is a call.
pub(crate) fn rounds_once() -> bool {
    std::arch::is_x86_feature_detected!("fma")
}

fn target(opt: OptLevel, verify: bool) -> Result<Arc<dyn TargetIsa>, Error> {
    let unsupported = |message: String| Error::Processor(message);
    let flags = flags(opt, verify).map_err(|e| unsupported(e.to_string()))?;
    let mut builder = cranelift_codegen::isa::lookup(target_lexicon::Triple::host())
        .map_err(|e| unsupported(format!("this processor is not supported: {e}")))?;
    for (name, present) in [
        ("has_sse3", std::arch::is_x86_feature_detected!("sse3")),
        ("has_ssse3", std::arch::is_x86_feature_detected!("ssse3")),
        ("has_cmpxchg16b", std::arch::is_x86_feature_detected!("cmpxchg16b")),
        ("has_sse41", std::arch::is_x86_feature_detected!("sse4.1")),
        ("has_sse42", std::arch::is_x86_feature_detected!("sse4.2")),
        ("has_popcnt", std::arch::is_x86_feature_detected!("popcnt")),
        ("has_avx", std::arch::is_x86_feature_detected!("avx")),
        ("has_avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("has_fma", rounds_once()),
        ("has_bmi1", std::arch::is_x86_feature_detected!("bmi1")),
        ("has_bmi2", std::arch::is_x86_feature_detected!("bmi2")),
        ("has_lzcnt", std::arch::is_x86_feature_detected!("lzcnt")),
    ] {
        if present {
            builder.enable(name).map_err(|e| unsupported(e.to_string()))?;
        }
    }
    builder.finish(flags).map_err(|e| unsupported(e.to_string()))
}

fn flags(opt: OptLevel, verify: bool) -> Result<settings::Flags, SetError> {
    let mut builder = settings::builder();
    let (level, allocator) = match opt {
        OptLevel::None => ("none", "single_pass"),
        OptLevel::Speed => ("speed", "backtracking"),
    };
    builder.set("opt_level", level)?;
    builder.set("regalloc_algorithm", allocator)?;
    builder.set("enable_verifier", if verify { "true" } else { "false" })?;
    builder.set("is_pic", "false")?;
    builder.set("unwind_info", "false")?;
    // Frames can be walked, and `__builtin_frame_address` has an answer.
    builder.set("preserve_frame_pointers", "true")?;
    // Deep recursion must meet the guard page, whatever the size of a frame.
    builder.set("enable_probestack", "true")?;
    builder.set("probestack_strategy", "inline")?;
    builder.set("enable_heap_access_spectre_mitigation", "false")?;
    builder.set("enable_table_access_spectre_mitigation", "false")?;
    Ok(settings::Flags::new(builder))
}

/// What a relocation points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Something with a name.
    Name(Name),
    /// A function of the C library that Cranelift calls by itself.
    Library(LibCall),
    /// An offset in the function's own code.
    Own(u32),
}

/// A relocation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relocation {
    pub offset: u32,
    pub kind: Reloc,
    pub place: Place,
    pub addend: i64,
}

/// Machine code of a function, not placed yet.
pub(crate) struct Code {
    pub bytes: Vec<u8>,
    pub align: u64,
    pub relocations: Vec<Relocation>,
    pub descriptors: Vec<DataObject>,
    pub traps: Vec<(u32, TrapCode)>,
    /// Ranges of code offsets and where they come from, in order.
    pub lines: Vec<(u32, u32, Pos)>,
}

/// Reusable memory of the code generator; one per thread.
pub(crate) struct Compiler {
    context: Context,
    builder: FunctionBuilderContext,
}

impl Compiler {
    pub(crate) fn new() -> Compiler {
        Compiler { context: Context::new(), builder: FunctionBuilderContext::new() }
    }

    /// Compiles a defined function. What the code generator refuses is a known limit.
    pub(crate) fn compile(&mut self, targets: &Targets, module: &Module, func: Func) -> Result<Code, Error> {
        let function = &module.functions[func];
        let Some(left) = function.body.as_deref() else {
            unreachable!("{} has no body", function.name);
        };
        let mut finished = None;
        let body = match targets.waiting.is_empty() {
            true => left,
            false => {
                let body = finished.insert(left.clone());
                let done = targets.waiting.run(module, func, body);
                done.map_err(|error| Error::Defect(error.to_string()))?;
                body
            }
        };
        let traits = Traits::of(module, body);
        self.context.clear();
        let code = &mut self.context.func;
        let lowered = lower::lower(module, (func, body), &traits, code, &mut self.builder);
        let target = targets.of(function, body, &traits, &self.context.func);
        let refused =
            self.context.compile(target, &mut ControlPlane::default()).err().map(|error| error.inner);
        let compiled = match (refused, self.context.compiled_code()) {
            (None, Some(compiled)) => compiled,
            (refused, _) => {
                let (file, line) = crate::error::place(module, function.pos);
                let why = refused.map_or_else(|| "no code".to_owned(), |error| error.to_string());
                return Err(Error::Limit(format!(
                    "{file}:{line}: function `{}` cannot be compiled: {why}",
                    function.name
                )));
            }
        };
        let buffer = &compiled.buffer;
        let names = self.context.func.params.user_named_funcs();
        let relocations = buffer
            .relocs()
            .iter()
            .map(|reloc| {
                let place = match &reloc.target {
                    FinalizedRelocTarget::Func(offset) => Place::Own(*offset),
                    FinalizedRelocTarget::ExternalName(ExternalName::User(reference)) => {
                        let name = &names[*reference];
                        match Name::decode(name.namespace, name.index) {
                            Some(name) => Place::Name(name),
                            None => unreachable!("{}: unknown name {name}", function.name),
                        }
                    }
                    FinalizedRelocTarget::ExternalName(ExternalName::LibCall(call)) => Place::Library(*call),
                    FinalizedRelocTarget::ExternalName(
                        name @ (ExternalName::TestCase(_) | ExternalName::KnownSymbol(_)),
                    ) => unreachable!("{}: unknown name {name:?}", function.name),
                };
                Relocation { offset: reloc.offset, kind: reloc.kind, place, addend: reloc.addend }
            })
            .collect();
        let lines = buffer
            .get_srclocs_sorted()
            .iter()
            .filter(|range| !range.loc.is_default())
            .filter_map(|range| {
                let pos = lowered.positions.get(range.loc.bits() as usize - 1)?;
                Some((range.start, range.end, *pos))
            })
            .collect();
        Ok(Code {
            bytes: compiled.code_buffer().to_vec(),
            align: u64::from(compiled.buffer.alignment),
            relocations,
            descriptors: lowered.descriptors,
            traps: buffer.traps().iter().map(|trap| (trap.offset, trap.code)).collect(),
            lines,
        })
    }
}

/// Compiles functions on several threads; the result is in the order of the list.
pub(crate) fn compile_all(
    targets: &Targets,
    module: &Module,
    list: &[Func],
    threads: usize,
) -> Result<Vec<Code>, Error> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut compiler = Compiler::new();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&func) = list.get(index) else {
                return done;
            };
            done.push((index, compiler.compile(targets, module, func)));
        }
    };
    let mut all = if threads <= 1 || list.len() < 2 {
        work()
    } else {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (1..threads.min(list.len())).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for handle in handles {
                match handle.join() {
                    Ok(part) => all.extend(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    };
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, code)| code).collect()
}

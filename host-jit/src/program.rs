//! Compiled programs: from a module to something that runs.

use crate::codegen::{Compiler, Targets};
use crate::data::Layout;
use crate::definitions::{self, Definitions};
use crate::error::{Error, Undefined, place};
use crate::faults;
use crate::helpers::tls::Image;
use crate::machine_code::{Linker, Slot};
use crate::memory::Arena;
use crate::needed::{self, Needed, Use};
use crate::stack::Stack;
use crate::symbols::{Resolver, Symbols};
use accrue_ir::verify::Verified;
use accrue_ir::{Func, FunctionKind, Global, Linkage, Module, Operand};
use accrue_runtime::abi::{DATA_SYMBOL, LAUNCH_SYMBOL, REGISTER_LIBRARY_SYMBOL};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::ffi::{CStr, CString, c_char, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// How much the code generator optimises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptLevel {
    /// Fast compilation.
    None,
    /// Fast code.
    #[default]
    Speed,
}

/// When functions are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CompileMode {
    /// Each on its first call.
    #[default]
    Lazy,
    /// All before the program starts, on this number of threads.
    Eager(usize),
}

/// Which functions are wanted; what they do not reach is left out, undefined names included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Roots {
    /// `main`, constructors and destructors, and the function that registers callbacks with the runtime.
    #[default]
    Main,
    /// Every function that is visible to other translation units, too.
    All,
}

/// How to compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How much to optimise.
    pub opt: OptLevel,
    /// When to compile.
    pub mode: CompileMode,
    /// Let the code generator check its input, for tests.
    pub verify: bool,
    /// What to compile.
    pub roots: Roots,
}

/// The state of a program, shared by its code, its threads and the fault handlers. Lives for ever.
pub(crate) struct Shared {
    module: Arc<Verified>,
    options: Options,
    targets: Targets,
    definitions: Definitions,
    externals: SecondaryMap<Func, usize>,
    external_globals: SecondaryMap<Global, usize>,
    tls_names: SecondaryMap<Global, Option<CString>>,
    slots: Vec<Slot>,
    layout: OnceLock<Layout>,
    state: Mutex<State>,
    /// The function that launches regions, 0 if nothing is launched.
    pub(crate) launch: usize,
    /// The function behind data directives, 0 if there are none.
    pub(crate) data: usize,
}

/// What changes while a program is compiled.
pub(crate) struct State {
    pub(crate) linker: Linker,
    pub(crate) compiler: Compiler,
    /// Made when a function is compiled lazily.
    pub(crate) stack: Option<Stack>,
}

impl Shared {
    /// The definition behind a function.
    pub(crate) fn definition(&self, func: Func) -> Option<Func> {
        self.definitions.function(func)
    }

    /// The address of a function that the program does not define.
    pub(crate) fn external(&self, func: Func) -> usize {
        self.externals[func]
    }

    /// The address of a global, or the offset of a thread-local one.
    pub(crate) fn global(&self, global: Global) -> usize {
        match self.definitions.global(global) {
            Some(global) => self.layout().addresses[global],
            None => self.external_globals[global],
        }
    }

    fn layout(&self) -> &Layout {
        match self.layout.get() {
            Some(layout) => layout,
            None => unreachable!("the layout is made before code is linked"),
        }
    }

    /// How a thread's block of thread-local objects starts.
    pub(crate) fn tls_image(&self) -> &Image {
        &self.layout().tls
    }

    /// The name of a thread-local object of a library.
    pub(crate) fn extern_tls_name(&self, global: u32) -> &CStr {
        self.tls_names[Global::from_u32(global)].as_deref().unwrap_or(c"")
    }

    /// Whether functions are compiled on their first call.
    pub(crate) fn lazy(&self) -> bool {
        self.options.mode == CompileMode::Lazy
    }

    /// The cell behind a function's stub.
    pub(crate) fn slot(&'static self, func: Func) -> &'static Slot {
        &self.slots[func.index()]
    }

    /// The code generators.
    pub(crate) fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The program's IR.
    pub(crate) fn module(&self) -> &Module {
        &self.module
    }

    /// The state, if nobody is compiling.
    pub(crate) fn try_state(&self) -> Option<MutexGuard<'_, State>> {
        self.state.try_lock().ok()
    }

    /// The state, waiting for whoever is compiling.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A panic while compiling has ended the program already.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A program in memory.
#[derive(Clone, Copy)]
pub struct Program {
    shared: &'static Shared,
}

/// Compiles a module, or prepares it for lazy compilation.
pub fn compile(module: Arc<Verified>, options: Options, symbols: Symbols<'_>) -> Result<Program, Error> {
    let mut resolver = Resolver::new(symbols).map_err(Error::Libraries)?;
    let definitions = Definitions::new(&module);
    let needed = needed::find(&module, &definitions, roots(&module, options.roots))?;
    let externals = Externals::resolve(&module, &needed, &mut resolver)?;
    let arena = Arena::new(options.mode == CompileMode::Lazy)
        .map_err(|error| Error::Memory(format!("no memory for machine code: {error}")))?;
    let layout = Layout::new(&module, &needed)?;
    let functions = module.functions.len();
    let lazy = options.mode == CompileMode::Lazy;
    let shared: &'static Shared = Box::leak(Box::new(Shared {
        options,
        targets: Targets::new(&options)?,
        definitions,
        externals: externals.functions,
        external_globals: externals.globals,
        tls_names: externals.tls_names,
        slots: std::iter::repeat_with(|| AtomicUsize::new(0))
            .take(if lazy { functions } else { 0 })
            .collect(),
        layout: OnceLock::new(),
        state: Mutex::new(State {
            linker: Linker::new(arena, functions),
            compiler: Compiler::new(),
            stack: None,
        }),
        launch: externals.launch,
        data: externals.data,
        module,
    }));
    let program = Program { shared };
    program.link(layout, &needed)?;
    faults::register(shared);
    Ok(program)
}

/// Takes the bodies away from functions that `main` cannot reach, so that passes do not work on them. For linked
/// programs, before any pass: a pass may make calls of what only a clause names.
pub fn keep_reached(module: Verified) -> Verified {
    let mut module = module.into_module();
    let definitions = Definitions::new(&module);
    let roots: Vec<Func> = roots(&module, Roots::Main).collect();
    let kept = needed::find_before_passes(&mut module, &definitions, roots.into_iter());
    for (func, function) in module.functions.iter_mut() {
        if !kept[func.index()] {
            function.body = None;
        }
    }
    Verified::made(module, "keep-reached")
}

fn roots(module: &Module, roots: Roots) -> impl Iterator<Item = Func> {
    let visible = module.functions.iter().filter(move |(_, function)| {
        let all = roots == Roots::All && function.linkage != Linkage::Internal;
        let normal = matches!(function.kind, FunctionKind::Normal);
        definitions::has_code(function)
            && normal
            && (all || ["main", REGISTER_LIBRARY_SYMBOL].contains(&definitions::function_name(function)))
    });
    let around = module.constructors.iter().chain(&module.destructors);
    visible.map(|(func, _)| func).chain(around.map(|&(_, func)| func))
}

/// Addresses of what the program does not define.
#[derive(Default)]
struct Externals {
    functions: SecondaryMap<Func, usize>,
    globals: SecondaryMap<Global, usize>,
    tls_names: SecondaryMap<Global, Option<CString>>,
    launch: usize,
    data: usize,
}

impl Externals {
    fn resolve(module: &Module, needed: &Needed, resolver: &mut Resolver<'_>) -> Result<Externals, Error> {
        let mut out = Externals::default();
        let mut undefined = Vec::new();
        let used = |from: Use| {
            from.map(|(func, pos)| {
                let (file, line) = place(module, pos);
                (module.functions[func].name.clone(), file, line)
            })
        };
        for &(func, from) in &needed.external_functions {
            let function = &module.functions[func];
            let name = function.alias.as_deref().unwrap_or(definitions::function_name(function));
            match resolver.find(name) {
                Some(address) => out.functions[func] = address,
                None if function.linkage == Linkage::Weak || definitions::is_nohost(function) => {}
                None => undefined.push(Undefined {
                    name: name.into(),
                    declared: place(module, function.pos),
                    used: used(from),
                }),
            }
        }
        for &(global, from) in &needed.external_globals {
            let data = &module.globals[global];
            let name = definitions::global_name(data);
            match resolver.find(name) {
                Some(address) => out.globals[global] = address,
                None if data.linkage == Linkage::Weak => {}
                None => undefined.push(Undefined {
                    name: name.into(),
                    declared: place(module, data.pos),
                    used: used(from),
                }),
            }
            if data.thread_local {
                out.tls_names[global] = CString::new(name).ok();
            }
        }
        for (needed, name, address) in
            [(needed.launches, LAUNCH_SYMBOL, &mut out.launch), (needed.data, DATA_SYMBOL, &mut out.data)]
        {
            if needed.is_none() {
                continue;
            }
            match resolver.find(name) {
                Some(found) => *address = found,
                None => undefined.push(Undefined {
                    name: name.into(),
                    declared: ("".into(), 0),
                    used: used(needed),
                }),
            }
        }
        if undefined.is_empty() { Ok(out) } else { Err(Error::Undefined(undefined)) }
    }
}

impl Program {
    pub(crate) fn shared(&self) -> &'static Shared {
        self.shared
    }

    fn link(self, mut layout: Layout, needed: &Needed) -> Result<(), Error> {
        let shared = self.shared;
        let mut state = shared.state();
        let linker = &mut state.linker;
        let codes = match shared.options.mode {
            CompileMode::Lazy => Vec::new(),
            CompileMode::Eager(threads) => compile_all(shared, &needed.functions, threads)?,
        };
        let mut placed = Vec::with_capacity(codes.len());
        for (&func, code) in needed.functions.iter().zip(codes) {
            placed.push(linker.place(func, code)?);
        }
        let mut failed = None;
        layout.fill(&shared.module, needed, |layout, target| match target {
            Operand::Global(global) => match shared.definitions.global(global) {
                Some(global) => layout.addresses[global],
                None => shared.external_globals[global],
            },
            Operand::Func(func) => linker.function_address(shared, func).unwrap_or_else(|error| {
                failed = Some(error);
                0
            }),
            Operand::Int(_, value) => value as usize,
            Operand::Local(_) | Operand::Slot(_) | Operand::F32(_) | Operand::F64(_) => {
                unreachable!("an initial value refers to {target:?}")
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        layout.finish()?;
        if shared.layout.set(layout).is_err() {
            unreachable!("a program is linked once");
        }
        for placed in placed {
            linker.relocate(shared, placed)?;
        }
        linker.seal()
    }

    /// The address of a function by its linker name, if the program defines and reaches it.
    pub fn function(&self, name: &str) -> Option<*const u8> {
        let shared = self.shared;
        let (func, _) = shared.module.functions.iter().find(|(func, function)| {
            definitions::function_name(function) == name && shared.definition(*func).is_some()
        })?;
        let func = shared.definition(func)?;
        let mut state = shared.state();
        let known = shared.lazy() || state.linker.code(func).is_some();
        let address = if known { state.linker.function_address(shared, func).ok()? } else { return None };
        Some(std::ptr::with_exposed_provenance(address))
    }

    /// Runs constructors and `main`, and gives the status `main` returned. The caller passes it to C's `exit`, which
    /// runs exit handlers and flushes streams. `None` if the program has no `main`.
    ///
    /// From here on faults of the program end the process with the program's own signal.
    pub fn run_main(&self, args: &[CString]) -> Option<i32> {
        unsafe extern "C" {
            static environ: *const *const c_char;
        }
        let main = self.function("main")?;
        let module = &self.shared.module;
        let returns = module
            .functions
            .values()
            .find(|function| definitions::function_name(function) == "main" && function.body.is_some())
            .is_some_and(|function| module.signatures[function.sig].result.is_some());
        faults::install();
        self.run_constructors();
        let mut argv: Vec<*const c_char> = args.iter().map(|arg| arg.as_ptr()).collect();
        let argc = c_int::try_from(argv.len()).unwrap_or(c_int::MAX);
        argv.push(std::ptr::null());
        // Programs keep pointers into it, exit handlers included.
        let argv = Box::leak(argv.into_boxed_slice());
        type Main = unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) -> c_int;
        // SAFETY: every form of `main` accepts these three arguments in the C calling convention.
        let status = unsafe {
            let main = std::mem::transmute::<*const u8, Main>(main);
            main(argc, argv.as_ptr(), environ)
        };
        Some(if returns { status } else { 0 })
    }

    fn run_constructors(&self) {
        let mut list = self.shared.module.constructors.clone();
        list.sort_by_key(|&(priority, _)| priority);
        for (_, func) in list {
            self.call(func);
        }
        if !self.shared.module.destructors.is_empty() {
            static FINISH: OnceLock<&'static Shared> = OnceLock::new();
            extern "C" fn finish() {
                if let Some(&shared) = FINISH.get() {
                    Program { shared }.run_destructors();
                }
            }
            if FINISH.set(self.shared).is_ok() {
                // SAFETY: the handler is a function of this process.
                unsafe { libc::atexit(finish) };
            }
        }
    }

    fn run_destructors(&self) {
        let mut list = self.shared.module.destructors.clone();
        list.sort_by_key(|&(priority, _)| std::cmp::Reverse(priority));
        for (_, func) in list {
            self.call(func);
        }
    }

    fn call(&self, func: Func) {
        let address = {
            let mut state = self.shared.state();
            state.linker.function_address(self.shared, func)
        };
        if let Ok(address) = address {
            // SAFETY: constructors and destructors take no arguments.
            unsafe {
                let function = std::mem::transmute::<usize, extern "C" fn()>(address);
                function();
            }
        }
    }
}

/// Compiles functions on several threads; the result is in the order of the list.
fn compile_all(
    shared: &'static Shared,
    list: &[Func],
    threads: usize,
) -> Result<Vec<crate::codegen::Code>, Error> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut compiler = Compiler::new();
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&func) = list.get(index) else {
                return done;
            };
            done.push((index, compiler.compile(&shared.targets, &shared.module, func)));
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

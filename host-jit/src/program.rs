//! Compiled programs: from a module to something that runs.

use crate::codegen::{self, Compiler, Targets};
use crate::data;
use crate::data_object::DataObject;
use crate::definitions::{self, Definitions};
use crate::error::{Error, Undefined, function_at, place};
use crate::faults;
use crate::helpers::tls::{Image, ThreadLocals};
use crate::jit::{Imports, Jit};
use crate::lazy;
use crate::needed::{self, Needed, Use};
use crate::options::{CompileMode, Options, Roots};
use crate::shared::{Shared, State};
use crate::symbols::{Resolver, Symbols};
use accrue_ir::verify::Verified;
use accrue_ir::{ConstructKind, Device, Func, FunctionKind, Global, Linkage, Module, Operand};
use accrue_runtime::abi::{DATA_SYMBOL, DIRECT_SYMBOL, LAUNCH_SYMBOL, REGISTER_LIBRARY_SYMBOL};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::ffi::{CString, c_char, c_int};
use std::sync::{Arc, Mutex, OnceLock};

/// A program in memory.
#[derive(Clone, Copy)]
pub struct Program {
    shared: &'static Shared,
}

/// Compiles a module, or prepares it for lazy compilation.
pub fn compile(module: Arc<Verified>, options: &Options, symbols: Symbols<'_>) -> Result<Program, Error> {
    let mut resolver = Resolver::new(symbols).map_err(Error::Libraries)?;
    let definitions = Arc::new(Definitions::new(&module));
    let needed = needed::find(&module, &definitions, roots(&module, options.roots))?;
    let (imports, names) = resolve(&module, &needed, &mut resolver)?;
    let targets = Targets::new(options)?;
    let thread_locals: &'static ThreadLocals =
        Box::leak(Box::new(ThreadLocals { image: OnceLock::new(), names }));
    let lazy = options.mode == CompileMode::Lazy;
    let jit = Jit::new(
        targets.general(),
        Arc::clone(&module),
        Arc::clone(&definitions),
        imports,
        thread_locals,
        lazy,
    )?;
    let shared: &'static Shared = Box::leak(Box::new(Shared {
        definitions,
        targets,
        code: jit.map(),
        state: Mutex::new(State { jit, compiler: Compiler::new(), stack: None }),
        module,
    }));
    link(shared, &needed, options.mode, thread_locals)?;
    faults::register(shared.code);
    Ok(Program { shared })
}

/// Defines what the program needs from the start: its objects, and functions unless they are compiled on
/// their first call.
fn link(
    shared: &'static Shared,
    needed: &Needed,
    mode: CompileMode,
    thread_locals: &ThreadLocals,
) -> Result<(), Error> {
    let jit = &mut shared.state().jit;
    let codes = match mode {
        CompileMode::Lazy => {
            let program = std::ptr::from_ref(shared).expose_provenance();
            jit.compile_lazily(program, lazy::enter_lazily as *const () as usize)?;
            Vec::new()
        }
        CompileMode::Eager(threads) => {
            codegen::compile_all(&shared.targets, &shared.module, &needed.functions, threads)?
        }
    };
    let mut image = DataObject::default();
    for &global in &needed.globals {
        let data = &shared.module.globals[global];
        if data.thread_local {
            let offset = image.append(data::object(data)).ok_or_else(|| {
                Error::Limit("the program's thread-local objects do not fit the address space".into())
            })?;
            jit.set_thread_local(global, offset as u64);
        } else {
            jit.define_global(global)?;
        }
    }
    let (size, align) = (image.size(), image.align.max(data::LARGE));
    // Blocks are zero behind the bytes.
    image.zeros = 0;
    let initial = if image.bytes.is_empty() { None } else { Some(jit.define_constant(image)?) };
    for (&func, code) in needed.functions.iter().zip(codes) {
        jit.define_code(func, code)?;
    }
    jit.finish()?;
    let bytes = initial.map_or(&[][..], |initial| jit.constant(initial));
    if thread_locals.image.set(Image { bytes, size, align }).is_err() {
        unreachable!("a program is linked once");
    }
    Ok(())
}

/// Takes the bodies away from functions that `main` cannot reach, so that passes do not work on them. For
/// linked programs, before any pass: a pass may make calls of what only a clause names.
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

/// Whether a program has leagues of OpenMP that ask for several teams, before any pass: the host must then be
/// a target that has several gangs.
pub fn has_leagues(module: &Module) -> bool {
    let bodies = module.functions.values().filter_map(|function| function.body.as_deref());
    bodies.flat_map(|body| body.constructs.values()).any(|construct| {
        construct.kind == ConstructKind::Parallel
            && construct.scheduling.device != Device::Current
            && construct.dims.gangs[0].is_some_and(|gangs| !matches!(gangs, Operand::Int(_, 1)))
    })
}

/// Whether a program has constructs that are tasks of OpenMP, or threads that create such, before any pass.
pub fn has_tasks(module: &Module) -> bool {
    let bodies = module.functions.values().filter_map(|function| function.body.as_deref());
    bodies.flat_map(|body| body.constructs.values()).any(|construct| {
        matches!(construct.kind, ConstructKind::Task | ConstructKind::Team)
            || construct.scheduling.task.is_some()
    })
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

/// Finds what the program does not define; gives the names of thread-local objects of libraries besides.
fn resolve(
    module: &Module,
    needed: &Needed,
    resolver: &mut Resolver<'_>,
) -> Result<(Imports, SecondaryMap<Global, Option<CString>>), Error> {
    let mut imports = Imports::default();
    let mut thread_locals = SecondaryMap::new();
    let mut undefined = Vec::new();
    let used = |from: Use| {
        from.map(|(func, pos)| {
            let (file, line) = place(module, pos);
            (function_at(module, func, pos).clone(), file, line)
        })
    };
    for &(func, from) in &needed.external_functions {
        let function = &module.functions[func];
        let name = definitions::external_name(function);
        if imports.find(name, resolver) {
            continue;
        }
        if definitions::is_nohost(function)
            && function.linkage != Linkage::Weak
            && let Some(address) = faults::address_of_nohost(func)
        {
            imports.addresses.insert(name.to_owned(), address);
        } else if function.linkage == Linkage::Weak || definitions::is_nohost(function) {
            imports.missing.functions[func] = true;
        } else {
            let declared = place(module, function.pos);
            undefined.push(Undefined { name: name.into(), declared, used: used(from) });
        }
    }
    for &(global, from) in &needed.external_globals {
        let data = &module.globals[global];
        let name = definitions::global_name(data);
        if data.thread_local {
            thread_locals[global] = CString::new(name).ok();
        }
        if imports.find(name, resolver) {
            continue;
        }
        if data.linkage == Linkage::Weak {
            imports.missing.globals[global] = true;
        } else {
            let declared = place(module, data.pos);
            undefined.push(Undefined { name: name.into(), declared, used: used(from) });
        }
    }
    let entries = [LAUNCH_SYMBOL, DIRECT_SYMBOL].map(|name| (needed.launches, name));
    for (from, name) in entries.into_iter().chain([(needed.data, DATA_SYMBOL)]) {
        if from.is_some() && !imports.find(name, resolver) {
            undefined.push(Undefined { name: name.into(), declared: ("".into(), 0), used: used(from) });
        }
    }
    if undefined.is_empty() { Ok((imports, thread_locals)) } else { Err(Error::Undefined(undefined)) }
}

impl Program {
    pub(crate) fn shared(&self) -> &'static Shared {
        self.shared
    }

    /// The address of a function by its linker name, if the program defines and reaches it.
    pub fn function(&self, name: &str) -> Option<*const u8> {
        let shared = self.shared;
        let (func, _) = shared.module.functions.iter().find(|(func, function)| {
            definitions::function_name(function) == name && shared.definitions.function(*func).is_some()
        })?;
        let func = shared.definitions.function(func)?;
        shared.state().jit.function(func).ok()?.map(std::ptr::with_exposed_provenance)
    }

    /// Runs constructors and `main`, and gives the status `main` returned. The caller passes it to C's
    /// `exit`, which runs exit handlers and flushes streams. `None` if the program has no `main`.
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
        let address = self.shared.state().jit.function(func);
        if let Ok(Some(address)) = address {
            // SAFETY: constructors and destructors take no arguments.
            unsafe {
                let function = std::mem::transmute::<usize, extern "C" fn()>(address);
                function();
            }
        }
    }
}

//! Building small modules and running them in every compile mode.
#![allow(dead_code, reason = "each test program uses a part of it")]

use accrue_host_jit::{CompileMode, HostTarget, OptLevel, Options, Program, Roots, Symbols, compile};
use accrue_ir::builder::Cursor;
use accrue_ir::passes::{self, Section};
use accrue_ir::report::Report;
use accrue_ir::verify::Verified;
use accrue_ir::*;
use std::sync::Arc;

/// A module under construction.
pub struct Builder {
    pub module: Module,
}

/// A finished module; it must keep the rules of the IR.
pub fn verified(module: Module) -> Verified {
    Verified::check(module, "building").unwrap_or_else(|rejected| panic!("{}", rejected.errors))
}

/// A scalar parameter or result.
pub fn scalar(ty: Type) -> PassBy {
    PassBy::Scalar(ty, Extend::None)
}

impl Builder {
    pub fn new() -> Builder {
        let mut module = Module::default();
        module.files.push("test.c".into());
        Builder { module }
    }

    pub fn sig(&mut self, params: &[PassBy], result: Option<PassBy>, variadic: bool) -> Sig {
        self.module.signatures.push(Signature { params: params.to_vec(), result, variadic })
    }

    /// Declares an external function.
    pub fn declare(&mut self, name: &str, sig: Sig) -> Func {
        let pos = Pos { file: File::from_u32(0), line: 1, column: 1 };
        self.module.functions.push(Function::declared(name.into(), sig, pos))
    }

    /// Defines a function; parameters become locals in order.
    pub fn define(&mut self, name: &str, sig: Sig, build: impl FnOnce(&mut Cursor<'_>, &[Operand])) -> Func {
        let func = self.declare(name, sig);
        self.define_declared(func, build);
        func
    }

    /// Gives a declared function its body.
    pub fn define_declared(&mut self, func: Func, build: impl FnOnce(&mut Cursor<'_>, &[Operand])) {
        let sig = self.module.functions[func].sig;
        let mut body = Body::default();
        let mut args = Vec::new();
        for param in &self.module.signatures[sig].params {
            let ty = match *param {
                PassBy::Scalar(ty, _) => ty,
                PassBy::Aggregate(_) => Type::Ptr,
            };
            let local = body.temp(ty);
            body.params.push(local);
            args.push(Operand::Local(local));
        }
        let entry = body.block();
        let pos = Pos { file: File::from_u32(0), line: 10, column: 1 };
        build(&mut Cursor::with_pos(&mut body, entry, pos), &args);
        self.module.functions[func].body = Some(Box::new(body));
    }

    pub fn global(&mut self, name: &str, size: u64, init: Init) -> Global {
        self.module.globals.push(GlobalData::external(name, size, 16, init))
    }

    /// A string literal.
    pub fn string(&mut self, text: &str) -> Operand {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let global = self.global("", bytes.len() as u64, Init::Bytes(bytes.into(), Vec::new()));
        self.module.globals[global].linkage = Linkage::Internal;
        self.module.globals[global].constant = true;
        self.module.globals[global].align = 1;
        Operand::Global(global)
    }

    pub fn aggregate(&mut self, size: u64, align: u64, leaves: &[(u64, Type)]) -> Agg {
        self.module.aggregates.push(AggregateLayout { size, align, leaves: leaves.to_vec() })
    }

    /// Runs the passes of the host.
    pub fn lower(&mut self, mut target: HostTarget) {
        let module = verified(std::mem::take(&mut self.module));
        let lowered = passes::run(module, &mut target, Section::WHOLE, true, &mut Report::default());
        self.module = lowered.unwrap_or_else(|failed| panic!("{}", failed.error)).into_module();
    }

    /// Compiles in every mode and level and runs the check on each.
    pub fn each(self, check: impl Fn(&Program)) {
        self.each_with(Symbols::default(), check);
    }

    pub fn each_with(self, symbols: Symbols<'_>, check: impl Fn(&Program)) {
        let module = Arc::new(verified(self.module));
        for mode in [CompileMode::Lazy, CompileMode::Eager(1), CompileMode::Eager(2)] {
            for opt in [OptLevel::None, OptLevel::Speed] {
                let options = Options { opt, mode, verify: true, roots: Roots::All, ..Options::default() };
                match compile(module.clone(), &options, symbols) {
                    Ok(program) => check(&program),
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
}

/// The address of a function of the program.
pub fn function(program: &Program, name: &str) -> *const u8 {
    match program.function(name) {
        Some(address) => address,
        None => panic!("no function {name}"),
    }
}

/// Calls a program function as the given type.
#[macro_export]
macro_rules! call {
    ($program:expr, $name:expr, $ty:ty $(, $arg:expr)*) => {{
        let address = $crate::support::function($program, $name);
        // SAFETY: tests give the type they built the function with.
        let function = unsafe { std::mem::transmute::<*const u8, $ty>(address) };
        function($($arg),*)
    }};
}

/// A local operand's local.
pub fn local(operand: Operand) -> Local {
    match operand {
        Operand::Local(local) => local,
        other => panic!("{other:?} is no local"),
    }
}

/// An `i32` constant.
pub fn i32c(value: i64) -> Operand {
    Operand::Int(Type::I32, value)
}

/// An `i64` constant.
pub fn i64c(value: i64) -> Operand {
    Operand::Int(Type::I64, value)
}

/// Memory at an operand.
pub fn mem(base: Operand, offset: i64) -> Address {
    Address { base, offset }
}

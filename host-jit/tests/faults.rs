//! What is left of a process whose program faults: its status and one line. Each case runs in a child of its
//! own, this test program again with the name of the case in the environment.

mod support;

use accrue_host_jit::{CompileMode, OptLevel, Options, Symbols, compile};
use accrue_ir::builder::Cursor;
use accrue_ir::*;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::Arc;
use support::*;

const VARIABLE: &str = "ACCRUE_FAULT_CASE";

/// Runs one case in this process; does not return if it faults.
fn child(case: &str, options: &Options) -> i32 {
    let mut b = Builder::new();
    let main = b.sig(&[scalar(Type::I32), scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    let zero = b.global("zero", 4, Init::Zero);
    let minus_one = b.global("minus_one", 4, Init::Bytes(vec![255; 4].into(), Vec::new()));
    let constant = b.global("constant", 4, Init::Bytes(vec![1; 4].into(), Vec::new()));
    b.module.globals[constant].constant = true;
    let nothing = b.sig(&[], None, false);
    let abort = b.declare("abort", nothing);
    let device_only = b.declare("device_only", nothing);
    let routine = Routine { level: None, bind: None, nohost: true, implicit: false };
    b.module.functions[device_only].routine = Some(routine);
    let exit_sig = b.sig(&[scalar(Type::I32)], None, false);
    let exit = b.declare("exit", exit_sig);
    let on_exit = b.declare("atexit", exit_sig);
    let on_exit_sig = b.sig(&[scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    b.module.functions[on_exit].sig = on_exit_sig;
    let puts_sig = b.sig(&[scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    let puts = b.declare("puts", puts_sig);
    let bye = b.string("bye");
    let recurse_sig = b.sig(&[scalar(Type::I32)], Some(scalar(Type::I32)), false);
    let recurse = b.declare("recurse", recurse_sig);
    b.define_declared(recurse, |c, args| {
        let slot = Operand::Slot(c.body.slots.push(SlotData {
            size: 10000,
            align: 16,
            name: None,
            restrict: false,
            kind: SlotKind::Frame,
            declared_in: None,
        }));
        c.store(Address::at(slot), args[0]);
        let next = c.add(args[0], i32c(1));
        let deeper = c.call(Callee::Direct(recurse), recurse_sig, vec![next], Some(Type::I32));
        let mine = c.load(Type::I32, Address::at(slot));
        let sum = c.add(mine, deeper.expect("a result"));
        c.ret(Some(sum));
    });
    let handler_sig = b.sig(&[scalar(Type::I32)], None, false);
    let handler = b.define("handler", handler_sig, |c, args| {
        // The signal's number shows that the program's own handler saw the processor's fault.
        let status = c.add(args[0], i32c(100));
        c.call(Callee::Direct(exit), exit_sig, vec![status], None);
        c.ret(None);
    });
    let signal_sig = b.sig(&[scalar(Type::I32), scalar(Type::Ptr)], Some(scalar(Type::Ptr)), false);
    let signal = b.declare("signal", signal_sig);
    let farewell = b.define("farewell", nothing, |c, _| {
        c.call(Callee::Direct(puts), puts_sig, vec![bye], Some(Type::I32));
        c.ret(None);
    });
    let int = |c: &mut Cursor<'_>, global: Global| c.load(Type::I32, global);
    b.define("main", main, |c, args| {
        c.pos.line = 42;
        let mut result = i32c(0);
        match case {
            "null" => result = c.load(Type::I32, Address { base: Operand::NULL, offset: 16 }),
            "divide" | "caught" => {
                if case == "caught" {
                    let args = vec![i32c(i64::from(libc::SIGFPE)), Operand::Func(handler)];
                    c.call(Callee::Direct(signal), signal_sig, args, Some(Type::Ptr));
                }
                let divisor = int(c, zero);
                result = c.binary(BinaryOp::SDiv, args[0], divisor);
            }
            "remainder" => {
                let divisor = int(c, zero);
                result = c.binary(BinaryOp::SRem, args[0], divisor);
            }
            "unsigned" => {
                let divisor = int(c, zero);
                result = c.binary(BinaryOp::UDiv, args[0], divisor);
            }
            "overflow" => {
                let divisor = int(c, minus_one);
                result = c.binary(BinaryOp::SDiv, i32c(i64::from(i32::MIN)), divisor);
            }
            "wide" => {
                let divisor = int(c, zero);
                let divisor = c.convert(ConvertOp::SExt, Type::I128, divisor);
                let quotient = c.binary(BinaryOp::SDiv, Operand::Int(Type::I128, 7), divisor);
                result = c.convert(ConvertOp::Trunc, Type::I32, quotient);
            }
            "abort" => {
                c.call(Callee::Direct(abort), nothing, vec![], None);
            }
            "nohost" => {
                c.call(Callee::Direct(device_only), nothing, vec![], None);
            }
            "call" => {
                c.call(Callee::Indirect(Operand::NULL), nothing, vec![], None);
            }
            "trap" => c.trap(),
            "constant" => c.store(constant, i32c(3)),
            "overflowing stack" => {
                result = c
                    .call(Callee::Direct(recurse), recurse_sig, vec![i32c(0)], Some(Type::I32))
                    .expect("a result");
            }
            "array" => {
                let array = c.stack_alloc(i64c(-5), 16);
                c.store(local(array), i32c(1));
            }
            "exit" => {
                c.call(Callee::Direct(on_exit), on_exit_sig, vec![Operand::Func(farewell)], Some(Type::I32));
                c.call(Callee::Direct(exit), exit_sig, vec![i32c(7)], None);
            }
            other => panic!("no case {other}"),
        }
        // Used, so that nothing is removed.
        c.store(zero, result);
        c.ret(Some(result));
    });
    let program = compile(Arc::new(verified(b.module)), options, Symbols::default()).expect("a program");
    program.run_main(&[c"prog".into()]).expect("main")
}

#[test]
fn faults_end_the_process_as_the_program_would() {
    let modes = [
        Options { mode: CompileMode::Lazy, opt: OptLevel::None, verify: true, ..Options::default() },
        Options { mode: CompileMode::Eager(1), opt: OptLevel::Speed, verify: true, ..Options::default() },
    ];
    if let Ok(case) = std::env::var(VARIABLE) {
        let (mode, case) = case.split_once(' ').expect("mode and case");
        let status = child(case, &modes[mode.parse::<usize>().expect("a number")]);
        std::process::exit(status);
    }
    let cases = [
        (
            "null",
            Err(libc::SIGSEGV),
            "accrue: invalid memory access at address 0x10 (SIGSEGV) in function `main` at test.c:42",
        ),
        (
            "divide",
            Err(libc::SIGFPE),
            "accrue: arithmetic exception (SIGFPE) in function `main` at test.c:42",
        ),
        ("caught", Ok(100 + libc::SIGFPE), ""),
        (
            "remainder",
            Err(libc::SIGFPE),
            "accrue: arithmetic exception (SIGFPE) in function `main` at test.c:42",
        ),
        (
            "unsigned",
            Err(libc::SIGFPE),
            "accrue: arithmetic exception (SIGFPE) in function `main` at test.c:42",
        ),
        (
            "overflow",
            Err(libc::SIGFPE),
            "accrue: arithmetic exception (SIGFPE) in function `main` at test.c:42",
        ),
        ("wide", Err(libc::SIGFPE), "accrue: arithmetic exception (SIGFPE)"),
        (
            "abort",
            Err(libc::SIGABRT),
            "accrue: aborted (SIGABRT) in a library, called from function `main` at test.c:42",
        ),
        (
            "call",
            Err(libc::SIGSEGV),
            "accrue: call of address 0x0, which is no function (SIGSEGV) in function `main` at test.c:42",
        ),
        (
            "nohost",
            Err(libc::SIGSEGV),
            "accrue: call of `device_only`, which is `nohost`: the host has no version of it in function `main` at test.c:42",
        ),
        ("trap", Err(libc::SIGILL), "accrue: illegal instruction (SIGILL) in function `main` at test.c:42"),
        ("constant", Err(libc::SIGSEGV), "accrue: invalid memory access at address"),
        (
            "overflowing stack",
            Err(libc::SIGSEGV),
            "accrue: stack overflow (SIGSEGV) in function `recurse` at test.c:1",
        ),
        ("array", Err(libc::SIGSEGV), "accrue: no stack space for a variable-length array of -5 bytes"),
        ("exit", Ok(7), ""),
    ];
    for mode in 0..modes.len() {
        for (case, expected, message) in cases {
            let output = Command::new(std::env::current_exe().expect("this program"))
                .args(["--exact", "faults_end_the_process_as_the_program_would", "--nocapture"])
                .env(VARIABLE, format!("{mode} {case}"))
                .output()
                .expect("a child");
            let stderr = String::from_utf8_lossy(&output.stderr);
            let stdout = String::from_utf8_lossy(&output.stdout);
            let status = match output.status.signal() {
                Some(signal) => Err(signal),
                None => Ok(output.status.code().unwrap_or(-1)),
            };
            assert_eq!(status, expected, "{case}: {stderr}");
            assert!(stderr.contains(message), "{case}: {stderr}");
            assert_eq!(
                stderr.lines().filter(|line| line.starts_with("accrue:")).count(),
                usize::from(!message.is_empty())
            );
            assert_eq!(stdout.contains("bye"), case == "exit");
        }
    }
}

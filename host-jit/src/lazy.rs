//! Compilation of functions on their first call.
//!
//! A function that is not compiled yet has a stub, which jumps to [`enter_lazily`] with its number. That
//! keeps the argument registers, compiles the function under the program's lock, and goes on in its code; the
//! stub's cell then leads there directly. Threads that meet the same function wait for the one that was
//! first.

use crate::error::Error;
use crate::fatal;
use crate::shared::{Shared, State};
use crate::stack::Stack;
use accrue_ir::Func;
use std::arch::naked_asm;
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Where stubs of functions that are not compiled yet arrive: `r10d` is the function, `r11` the program.
/// Argument registers and `%al` are kept.
#[unsafe(naked)]
pub(crate) extern "C" fn enter_lazily() {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "push rax",
        "push rdi",
        "push rsi",
        "push rdx",
        "push rcx",
        "push r8",
        "push r9",
        "sub rsp, 136",
        "movups [rsp], xmm0",
        "movups [rsp + 16], xmm1",
        "movups [rsp + 32], xmm2",
        "movups [rsp + 48], xmm3",
        "movups [rsp + 64], xmm4",
        "movups [rsp + 80], xmm5",
        "movups [rsp + 96], xmm6",
        "movups [rsp + 112], xmm7",
        "mov rdi, r11",
        "mov esi, r10d",
        "call {compile}",
        "mov r11, rax",
        "movups xmm0, [rsp]",
        "movups xmm1, [rsp + 16]",
        "movups xmm2, [rsp + 32]",
        "movups xmm3, [rsp + 48]",
        "movups xmm4, [rsp + 64]",
        "movups xmm5, [rsp + 80]",
        "movups xmm6, [rsp + 96]",
        "movups xmm7, [rsp + 112]",
        "add rsp, 136",
        "pop r9",
        "pop r8",
        "pop rcx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "pop rax",
        "pop rbp",
        "jmp r11",
        compile = sym compile_now,
    )
}

/// Compiles a function, if no other thread has meanwhile, and gives its code.
extern "C" fn compile_now(shared: &'static Shared, func: u32) -> usize {
    // A signal handler of the program that calls a function not compiled yet must not find this thread
    // compiling.
    let signals = SignalsBlocked::new();
    // The program's `errno` is its own.
    let errno = errno();
    let func = Func::from_u32(func);
    let mut guard = shared.state();
    let state = &mut *guard;
    let address = match state.jit.code(func) {
        Some(address) => address,
        None => {
            let mut stack = state.stack.take().unwrap_or_else(compile_stack);
            // Unwinding must not reach the program's frames.
            let work = || stack.run(|| compile_one(shared, state, func));
            let address = match catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| std::process::abort())
            {
                Ok(address) => address,
                Err(error) => fatal::die(libc::SIGABRT, &format!("accrue: {error}")),
            };
            state.stack = Some(stack);
            address
        }
    };
    drop(guard);
    // SAFETY: `__errno_location` is this thread's.
    unsafe { *libc::__errno_location() = errno };
    drop(signals);
    address
}

fn errno() -> c_int {
    // SAFETY: `__errno_location` is this thread's.
    unsafe { *libc::__errno_location() }
}

fn compile_one(shared: &Shared, state: &mut State, func: Func) -> Result<usize, Error> {
    let code = state.compiler.compile(&shared.targets, &shared.module, func)?;
    state.jit.define_code(func, code)?;
    state.jit.finish()?;
    match state.jit.code(func) {
        Some(address) => Ok(address),
        None => unreachable!("the function was defined"),
    }
}

struct SignalsBlocked {
    before: libc::sigset_t,
}

impl SignalsBlocked {
    fn new() -> SignalsBlocked {
        // SAFETY: both sets are initialised by the calls before they are read.
        unsafe {
            let mut all = std::mem::zeroed();
            let mut before = std::mem::zeroed();
            libc::sigfillset(&mut all);
            // Faults of the compiler itself must not be swallowed.
            for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT] {
                libc::sigdelset(&mut all, signal);
            }
            libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut before);
            SignalsBlocked { before }
        }
    }
}

impl Drop for SignalsBlocked {
    fn drop(&mut self) {
        // SAFETY: the set was filled by `pthread_sigmask`.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, std::ptr::null_mut()) };
    }
}

/// The stack that lazy compilation runs on.
fn compile_stack() -> Stack {
    const SIZE: usize = 16 << 20;
    Stack::new(SIZE).unwrap_or_else(|error| {
        fatal::die(libc::SIGABRT, &format!("accrue: no memory for the compiler: {error}"))
    })
}

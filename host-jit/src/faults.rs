//! Fatal signals of the program: one line on standard error, then the program's own death.

use crate::code_map::{CodeMap, FunctionCode};
use crate::definitions;
use crate::fatal::{end_by, say};
use accrue_ir::Func;
use cranelift_codegen::ir::TrapCode;
use cranelift_entity::EntityRef;
use std::arch::naked_asm;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::fmt::Write as _;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Once, OnceLock};

/// Programs whose code may fault.
const MAX_PROGRAMS: usize = 1024;
static PROGRAMS: [AtomicPtr<CodeMap>; MAX_PROGRAMS] =
    [const { AtomicPtr::new(ptr::null_mut()) }; MAX_PROGRAMS];
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// What somebody knows of a memory fault, in words, from its address and the registers. There is no address
/// where the processor does not say it: that of no memory at all.
pub type Explain = fn(Option<u64>, &[u64]) -> Option<String>;

static EXPLAIN: OnceLock<Explain> = OnceLock::new();

/// Asks this function about memory faults of programs. The first one stays.
pub fn explain_faults(explain: Explain) {
    let _ = EXPLAIN.set(explain);
}

thread_local! {
    /// Where a division fault was before it was moved to [`divide_by_zero`].
    static DIVISION: Cell<usize> = const { Cell::new(0) };
}

/// `si_code` of a fault whose address the processor does not say.
const SI_KERNEL: c_int = 0x80;

const FATAL: [(c_int, &str, &str); 5] = [
    (libc::SIGSEGV, "SIGSEGV", "invalid memory access"),
    (libc::SIGBUS, "SIGBUS", "bus error"),
    (libc::SIGFPE, "SIGFPE", "arithmetic exception"),
    (libc::SIGILL, "SIGILL", "illegal instruction"),
    (libc::SIGABRT, "SIGABRT", "aborted"),
];

/// The addresses that stand for functions of a device only: Linux keeps these pages free.
const OF_NOHOST: Range<usize> = 0x1000..0x1_0000;

/// What the host has as the address of a function that is only the device's: a call that goes there faults,
/// and the message names the function.
pub(crate) fn address_of_nohost(func: Func) -> Option<usize> {
    Some(OF_NOHOST.start + func.index()).filter(|address| OF_NOHOST.contains(address))
}

/// The function that such an address stands for.
fn nohost_at(address: usize) -> Option<&'static str> {
    let func = Func::new(address.checked_sub(OF_NOHOST.start).filter(|_| OF_NOHOST.contains(&address))?);
    PROGRAMS.iter().take(COUNT.load(Ordering::Relaxed)).find_map(|place| {
        // SAFETY: programs are never freed.
        let program = unsafe { place.load(Ordering::Acquire).as_ref() }?;
        let function = program.module().functions.get(func)?;
        definitions::is_nohost(function).then_some(&*function.name)
    })
}

/// Makes a program's code known to the handlers.
pub(crate) fn register(code: &'static CodeMap) {
    let index = COUNT.fetch_add(1, Ordering::Relaxed);
    if let Some(place) = PROGRAMS.get(index) {
        place.store(ptr::from_ref(code).cast_mut(), Ordering::Release);
    }
}

/// Installs the handlers, once per process. Handlers that the program installs later replace them.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        alternate_stack();
        for (signal, _, _) in FATAL {
            // SAFETY: the action is initialised, and the handler is safe to run on a signal's stack.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = handle as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
                libc::sigaction(signal, &action, ptr::null_mut());
            }
        }
    });
}

/// Gives the main thread a stack for handlers: its own may be what overflowed.
fn alternate_stack() {
    const SIZE: usize = 256 << 10;
    if let Ok(base) = crate::memory::map_data(SIZE) {
        let stack = libc::stack_t { ss_sp: base.cast(), ss_flags: 0, ss_size: SIZE };
        // SAFETY: the mapping is never freed.
        unsafe { libc::sigaltstack(&stack, ptr::null_mut()) };
    }
}

/// The thread that tells of a fault.
static TELLING: AtomicI32 = AtomicI32::new(0);

/// Keeps a thread for ever if another one tells of a fault: gangs on several threads fault at the same time,
/// and the first message is to be complete.
fn let_one_tell() {
    // SAFETY: the call changes nothing.
    let this = unsafe { libc::gettid() };
    let other = TELLING.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed);
    while other.is_err_and(|other| other != this) {
        // SAFETY: the call waits for a signal.
        unsafe { libc::pause() };
    }
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes a context of this type.
    let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let pc = registers[libc::REG_RIP as usize] as usize;
    if signal == libc::SIGILL && is_division_trap(pc) {
        // The code generator checks divisors itself and traps; C programs expect the processor's own fault.
        DIVISION.set(pc);
        registers[libc::REG_RIP as usize] = divide_by_zero as *const () as i64;
        return;
    }
    let_one_tell();
    let pc = if signal == libc::SIGFPE && pc == division_address() { DIVISION.get() } else { pc };
    let mut message = String::from("accrue: ");
    let (name, what) =
        FATAL.iter().find(|(known, _, _)| *known == signal).map_or(("", ""), |&(_, n, w)| (n, w));
    // SAFETY: the kernel passes the signal's information.
    let info = unsafe { &*info };
    // SAFETY: for memory faults the address member is the one in use.
    let address = unsafe { info.si_addr() }.addr();
    let stack_pointer = registers[libc::REG_RSP as usize] as usize;
    let sent = info.si_code <= 0;
    let is_memory = matches!(signal, libc::SIGSEGV | libc::SIGBUS) && !sent;
    let address = (info.si_code != SI_KERNEL).then_some(address);
    let is_near = |address: usize| address.abs_diff(stack_pointer) < 1 << 16;
    // An instruction that was to be fetched faults at its own address: a call went there.
    let is_call = is_memory && address == Some(pc);
    let mut explained = None;
    if let Some(function) = is_call.then(|| nohost_at(pc)).flatten() {
        let _ = write!(message, "call of `{function}`, which is `nohost`: the host has no version of it");
    } else if is_call {
        let _ = write!(message, "call of address {pc:#x}, which is no function ({name})");
    } else if signal == libc::SIGSEGV && is_memory && address.is_some_and(is_near) {
        let _ = write!(message, "stack overflow ({name})");
    } else if let Some(address) = address.filter(|_| is_memory) {
        let _ = write!(message, "{what} at address {address:#x} ({name})");
        explained = explain(Some(address), registers);
    } else {
        let _ = write!(message, "{what} ({name})");
        explained = if is_memory { explain(None, registers) } else { None };
    }
    if let Some(at) = locate(pc) {
        let _ = write!(message, " in {at}");
    } else if let Some(at) = caller(stack_pointer) {
        let place = if is_call { "in" } else { "in a library, called from" };
        let _ = write!(message, " {place} {at}");
    }
    if let Some(explained) = explained {
        let _ = write!(message, ": {explained}");
    }
    say(&message);
    end_by(signal)
}

fn explain(address: Option<usize>, registers: &[i64]) -> Option<String> {
    let registers: Vec<u64> = registers.iter().map(|register| register.cast_unsigned()).collect();
    EXPLAIN.get()?(address.map(|address| address as u64), &registers)
}

fn with_function<T>(pc: usize, mut visit: impl FnMut(&CodeMap, &FunctionCode) -> T) -> Option<T> {
    PROGRAMS.iter().take(COUNT.load(Ordering::Relaxed)).find_map(|place| {
        // SAFETY: programs are never freed.
        let program = unsafe { place.load(Ordering::Acquire).as_ref() }?;
        program.find(pc, |function| visit(program, function))
    })
}

fn is_division_trap(pc: usize) -> bool {
    with_function(pc, |_, function| {
        let offset = (pc - function.range.start) as u32;
        function.traps.iter().any(|&(at, code)| {
            at == offset && matches!(code, TrapCode::INTEGER_DIVISION_BY_ZERO | TrapCode::INTEGER_OVERFLOW)
        })
    })
    .unwrap_or(false)
}

fn locate(pc: usize) -> Option<String> {
    with_function(pc, |program, function| {
        let module = program.module();
        let offset = (pc - function.range.start) as u32;
        // An operation that the code generator moved, and that took a load in, is nowhere: what comes before
        // it is near.
        let line = function.lines.iter().rev().find(|(start, ..)| *start <= offset);
        match line {
            Some((_, _, pos)) if pos.line > 0 => {
                let name = crate::error::function_at(module, function.func, *pos);
                let (file, line) = crate::error::place(module, *pos);
                format!("function `{name}` at {file}:{line}")
            }
            // In a prologue.
            _ => {
                let function = &module.functions[function.func];
                let (file, line) = crate::error::place(module, function.pos);
                let name = &function.name;
                format!("function `{name}` at {file}:{line}")
            }
        }
    })
}

/// The innermost call in code of a program: the first word on the stack that is an address behind one.
/// Libraries keep no chain of frames, so this may name a call that has returned already, but hardly ever
/// does.
fn caller(stack_pointer: usize) -> Option<String> {
    const WORDS: usize = 1024;
    // A page that may not be mapped is not read: the walk ends with the page the pointer is in, or the next
    // ones while the kernel says that they exist.
    let page = 4096;
    let mut checked = stack_pointer & !(page - 1);
    for index in 0..WORDS {
        let at = stack_pointer.checked_add(index * 8)? & !7;
        let this = at & !(page - 1);
        if index == 0 || this != checked {
            let mut residence = 0_u8;
            // SAFETY: asks about one page; nothing is accessed.
            let unmapped =
                unsafe { libc::mincore(ptr::with_exposed_provenance_mut(this), page, &mut residence) } != 0;
            if unmapped {
                return None;
            }
            checked = this;
        }
        // SAFETY: the page is mapped, and stacks are readable.
        let word = unsafe { ptr::with_exposed_provenance::<usize>(at).read_volatile() };
        if let Some(found) = word.checked_sub(1).and_then(locate) {
            return Some(found);
        }
    }
    None
}

/// Faults as a division by zero does.
#[unsafe(naked)]
extern "C" fn divide_by_zero() {
    naked_asm!("xor ecx, ecx", "xor edx, edx", "div ecx", "ud2")
}

/// The address of the faulting instruction in [`divide_by_zero`], behind two instructions of two bytes each.
fn division_address() -> usize {
    divide_by_zero as *const () as usize + 4
}

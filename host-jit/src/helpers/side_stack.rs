//! The side stack: memory for variable-length arrays, one stack per thread.
//!
//! Cranelift's frames have a fixed size, so what C allocates on the stack at run time lives here. A function
//! that allocates remembers the height on entry and releases to it on return. `longjmp` skips that; the
//! height is put back by the function that called `setjmp`, or by the next outer function that returns.

use std::cell::Cell;
use std::ptr;

/// Address space per thread, as much as the system gives; pages are committed when they are touched.
const SIZES: [usize; 4] = [1 << 30, 256 << 20, 64 << 20, 8 << 20];
/// Every allocation is aligned at least this much.
const ALIGN: usize = 16;

thread_local! {
    static STACK: Cell<Stack> = const { Cell::new(NO_STACK) };
}

const NO_STACK: Stack = Stack { base: 0, size: 0, height: 0 };

#[derive(Clone, Copy)]
struct Stack {
    /// Start of the mapping; 0 before the first allocation.
    base: usize,
    /// Bytes mapped.
    size: usize,
    /// Bytes in use.
    height: usize,
}

/// Allocates `bytes` bytes. A negative or impossible size ends the program as overflowing a stack does, with
/// a message that says why.
pub(crate) extern "C" fn alloc(bytes: u64, align: u64) -> *mut u8 {
    let mut stack = STACK.get();
    if stack.base == 0 {
        match map() {
            Some(fresh) => stack = fresh,
            None => exhausted(bytes, 0),
        }
    }
    let align = (align as usize).max(ALIGN);
    let start = (stack.base + stack.height).next_multiple_of(align) - stack.base;
    let end = usize::try_from(bytes).ok().and_then(|bytes| start.checked_add(bytes));
    match end {
        Some(end) if end <= stack.size => {
            stack.height = end;
            STACK.set(stack);
            ptr::with_exposed_provenance_mut(stack.base + start)
        }
        _ => exhausted(bytes, stack.size),
    }
}

/// The height to come back to.
pub(crate) extern "C" fn height() -> u64 {
    STACK.get().height as u64
}

/// Frees everything above `height`.
pub(crate) extern "C" fn release(height: u64) {
    let mut stack = STACK.get();
    stack.height = height as usize;
    STACK.set(stack);
}

fn map() -> Option<Stack> {
    let (base, size) =
        SIZES.into_iter().find_map(|size| Some((crate::memory::map_data(size).ok()?, size)))?;
    unmap_at_thread_exit(base);
    Some(Stack { base: base.expose_provenance(), size, height: 0 })
}

/// Threads that end give their side stack back; the key's destructor runs after the program's own code has.
fn unmap_at_thread_exit(base: *mut u8) {
    static KEY: std::sync::OnceLock<Option<libc::pthread_key_t>> = std::sync::OnceLock::new();
    unsafe extern "C" fn unmap(base: *mut libc::c_void) {
        let stack = STACK.replace(NO_STACK);
        // SAFETY: the key's value is the mapping that this thread made, and no frame that uses it is left.
        unsafe { libc::munmap(base, stack.size) };
    }
    let key = KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the key is initialised by the call.
        (unsafe { libc::pthread_key_create(&mut key, Some(unmap)) } == 0).then_some(key)
    });
    if let Some(key) = *key {
        // SAFETY: the key exists. Failure only means that the mapping stays.
        unsafe { libc::pthread_setspecific(key, base.cast()) };
    }
}

fn exhausted(bytes: u64, limit: usize) -> ! {
    let bytes = bytes as i64;
    crate::fatal::die(
        libc::SIGSEGV,
        &format!("accrue: no stack space for a variable-length array of {bytes} bytes (limit {limit})"),
    )
}

//! Stacks of one's own: the compiler runs on one, because syntax trees are walked by recursion, and because
//! the program's stack may be small (a thread's, a signal handler's) or nearly full when it calls the
//! compiler.

use std::any::Any;
use std::arch::naked_asm;
use std::io;
use std::panic::{self, AssertUnwindSafe};

/// A stack that lives for ever. Pages that are not used cost nothing.
pub struct Stack {
    top: usize,
}

/// What a call on another stack takes and gives back.
struct Call<'a> {
    work: &'a mut dyn FnMut(),
    panic: Option<Box<dyn Any + Send>>,
}

impl Stack {
    /// A stack of this many bytes, a multiple of the size of a page. What overflows it ends in a fault.
    pub fn new(bytes: usize) -> io::Result<Stack> {
        let base = crate::memory::map_data(bytes)?;
        crate::memory::protect_data(base, GUARD, libc::PROT_NONE)?;
        Ok(Stack { top: base.expose_provenance() + bytes })
    }

    /// Does work on this stack. A panic goes on in the caller.
    pub fn run<T>(&mut self, work: impl FnOnce() -> T) -> T {
        extern "C" fn start(call: &mut Call<'_>) {
            // Unwinding must not reach the frame that switched stacks.
            call.panic = panic::catch_unwind(AssertUnwindSafe(|| (call.work)())).err();
        }
        let mut work = Some(work);
        let mut result = None;
        let mut once = || result = work.take().map(|work| work());
        let mut call = Call { work: &mut once, panic: None };
        // SAFETY: the stack is mapped and aligned, and the exclusive reference shows that nobody else runs on
        // it.
        unsafe { on_stack(self.top, start, &mut call) };
        match (call.panic, result) {
            (Some(panic), _) => panic::resume_unwind(panic),
            (None, Some(result)) => result,
            (None, None) => unreachable!("the work was done"),
        }
    }
}

/// Bytes at the end of a stack that cannot be touched. Functions with larger frames probe every page.
const GUARD: usize = 1 << 12;

/// Calls `function(call)` on the stack that ends at `top`.
#[unsafe(naked)]
unsafe extern "C" fn on_stack(top: usize, function: extern "C" fn(&mut Call<'_>), call: &mut Call<'_>) {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "mov rsp, rdi",
        "mov rdi, rdx",
        "call rsi",
        "mov rsp, rbp",
        "pop rbp",
        "ret",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_has_its_own_stack() {
        fn depth(n: u32) -> u32 {
            let page = std::hint::black_box([n; 1000]);
            if n == 0 { page[999] } else { depth(n - 1) + page[0] - n + 1 }
        }
        let mut stack = Stack::new(64 << 20).expect("a stack");
        assert_eq!(stack.run(|| depth(2_000)), 2_000);
        assert_eq!(stack.run(|| depth(10)), 10);
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        let mut stack = Stack::new(1 << 20).expect("a stack");
        let caught = panic::catch_unwind(AssertUnwindSafe(|| stack.run(|| panic!("inside"))));
        assert_eq!(caught.expect_err("it panics").downcast_ref::<&str>(), Some(&"inside"));
        assert_eq!(stack.run(|| 5), 5);
    }
}

//! Teams of all threads of a gang, on the host: one thread executes them in turn.
//!
//! Each thread of such a team has a stack of its own. It runs up to a barrier, where the next one goes on;
//! when all have come to it, the first one goes on behind it. So a team has as many threads as the program
//! asks for, which costs no more than the switches, and every run is the same.

use crate::fatal::fatal;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

/// Bytes of the stack of a thread: as much as programs expect of a GPU's, and more. What is not used takes no
/// memory.
const STACK: usize = 1 << 20;

/// A thread of such a team.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TeamThread {
    /// Its number.
    pub(crate) number: u32,
    /// How many there are.
    pub(crate) size: u32,
    yielder: NonNull<Yielder<(), ()>>,
}

thread_local! {
    /// The one that this thread executes.
    static RUNNING: Cell<Option<TeamThread>> = const { Cell::new(None) };
    /// Stacks for the next team.
    static STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

/// The thread of a gang's team that this thread executes, if it executes one.
pub(crate) fn team_thread() -> Option<TeamThread> {
    RUNNING.get()
}

/// `__accrue_omp_run_team`: executes `code` once for each of `size` threads, with their numbers.
///
/// # Safety
/// The code may be called with this environment by several threads in turn.
pub unsafe extern "C" fn run_team(
    code: unsafe extern "C" fn(*mut c_void, c_int),
    environment: *mut c_void,
    size: c_int,
) {
    let size = u32::try_from(size).unwrap_or(0);
    let outer = RUNNING.take();
    let mut threads: Vec<Coroutine<(), (), (), DefaultStack>> = Vec::with_capacity(size as usize);
    // Each tells how it is left when it runs for the first time.
    let mut running: Vec<Option<TeamThread>> = vec![None; size as usize];
    for number in 0..size {
        threads.push(Coroutine::with_stack(stack(), move |yielder, ()| {
            RUNNING.set(Some(TeamThread { number, size, yielder: NonNull::from(yielder) }));
            // SAFETY: the caller's promise.
            unsafe { code(environment, number as c_int) };
        }));
    }
    loop {
        let mut waiting = 0;
        for (thread, known) in threads.iter_mut().zip(&mut running) {
            RUNNING.set(*known);
            if let CoroutineResult::Yield(()) = thread.resume(()) {
                *known = RUNNING.get();
                waiting += 1;
            }
        }
        match waiting {
            0 => break,
            _ if waiting == size => {}
            _ => fatal(format_args!(
                "{waiting} of the {size} threads of a team wait at a barrier, and the others do not come to it"
            )),
        }
    }
    RUNNING.set(outer);
    STACKS.with_borrow_mut(|stacks| stacks.extend(threads.into_iter().map(Coroutine::into_stack)));
}

fn stack() -> DefaultStack {
    let spare = STACKS.with_borrow_mut(Vec::pop);
    let made = || DefaultStack::new(STACK).unwrap_or_else(|error| fatal(format_args!("no stack: {error}")));
    spare.unwrap_or_else(made)
}

/// `__accrue_omp_meet`: waits for all threads of the team that this one belongs to.
pub extern "C" fn meet() {
    if let Some(thread) = RUNNING.get() {
        // SAFETY: the thread that runs is the one of this yielder, which lives as long as its stack.
        unsafe { thread.yielder.as_ref() }.suspend(());
    }
}

//! Memory of tasks: blocks of a few sizes, which threads keep for later tasks instead of freeing them.
//!
//! A thread has two lists of each size at most, of [`BATCH`] blocks; beyond them a list goes to a store that
//! all threads share, whole, so that a thread that only creates tasks gets back what others have executed.
//! What a thread has left when it ends goes there, too.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ptr::{self, NonNull};
use std::sync::{Mutex, PoisonError};

/// The alignment of every block.
pub(crate) const ALIGN: usize = 64;
/// Sizes are multiples of this.
const UNIT: usize = 128;
/// How many sizes are kept; larger blocks are freed.
const SIZES: usize = 8;
/// Blocks of a list.
const BATCH: usize = 64;

/// A block that nobody uses.
struct Block {
    next: *mut Block,
}

/// A list of blocks of one size.
struct List {
    first: *mut Block,
    count: usize,
}

// SAFETY: the blocks of a list are nobody else's.
unsafe impl Send for List {}

impl List {
    const fn new() -> List {
        List { first: ptr::null_mut(), count: 0 }
    }

    fn pop(&mut self) -> Option<NonNull<u8>> {
        let block = NonNull::new(self.first)?;
        // SAFETY: the list's blocks are alive.
        self.first = unsafe { block.as_ref().next };
        self.count -= 1;
        Some(block.cast())
    }

    /// # Safety
    /// The block is large enough, and nobody's.
    unsafe fn push(&mut self, block: NonNull<u8>) {
        let block = block.cast::<Block>();
        // SAFETY: the caller's promise.
        unsafe { block.write(Block { next: self.first }) };
        self.first = block.as_ptr();
        self.count += 1;
    }
}

/// A thread's blocks of one size: the list in use, and a full one or none.
struct Pair {
    open: List,
    full: List,
}

impl Pair {
    const fn new() -> Pair {
        Pair { open: List::new(), full: List::new() }
    }

    fn take(&mut self, shared: &Mutex<Vec<List>>) -> Option<NonNull<u8>> {
        if self.open.count == 0 {
            std::mem::swap(&mut self.open, &mut self.full);
        }
        if self.open.count == 0
            && let Some(list) = shared.lock().unwrap_or_else(PoisonError::into_inner).pop()
        {
            self.open = list;
        }
        self.open.pop()
    }

    /// # Safety
    /// As for [`List::push`].
    unsafe fn give(&mut self, block: NonNull<u8>, shared: &Mutex<Vec<List>>) {
        if self.open.count == BATCH {
            std::mem::swap(&mut self.open, &mut self.full);
            share(std::mem::replace(&mut self.open, List::new()), shared);
        }
        // SAFETY: the caller's promise.
        unsafe { self.open.push(block) };
    }
}

fn share(list: List, shared: &Mutex<Vec<List>>) {
    if list.count > 0 {
        shared.lock().unwrap_or_else(PoisonError::into_inner).push(list);
    }
}

/// The lists of a thread.
struct Lists([Pair; SIZES]);

impl Drop for Lists {
    fn drop(&mut self) {
        for (pair, shared) in self.0.iter_mut().zip(&SHARED) {
            for list in [&mut pair.open, &mut pair.full] {
                share(std::mem::replace(list, List::new()), shared);
            }
        }
    }
}

static SHARED: [Mutex<Vec<List>>; SIZES] = [const { Mutex::new(Vec::new()) }; SIZES];

thread_local! {
    static LISTS: RefCell<Lists> = const { RefCell::new(Lists([const { Pair::new() }; SIZES])) };
}

/// Which of the kept sizes a block has that is at least so large, and its layout. None for more than memory.
fn size_of_block(bytes: usize) -> Option<(usize, Layout)> {
    let index = bytes.max(1).div_ceil(UNIT) - 1;
    let bytes = if index < SIZES { (index + 1) * UNIT } else { bytes };
    Layout::from_size_align(bytes, ALIGN).ok().map(|layout| (index, layout))
}

/// A block of at least so many bytes, at a multiple of [`ALIGN`].
pub(crate) fn take(bytes: usize) -> NonNull<u8> {
    let Some((index, layout)) = size_of_block(bytes) else {
        crate::fatal::fatal(format_args!("out of memory: a task with {bytes} bytes"))
    };
    let kept = SHARED.get(index).and_then(|shared| {
        // A thread that is about to end has no lists any more.
        LISTS.try_with(|lists| lists.borrow_mut().0[index].take(shared)).ok().flatten()
    });
    // SAFETY: the size is not zero.
    kept.or_else(|| NonNull::new(unsafe { alloc(layout) })).unwrap_or_else(|| handle_alloc_error(layout))
}

/// Gives a block back.
///
/// # Safety
/// It was taken with this number of bytes, and nobody uses it.
pub(crate) unsafe fn give(block: NonNull<u8>, bytes: usize) {
    let Some((index, layout)) = size_of_block(bytes) else { return };
    let is_kept = SHARED.get(index).is_some_and(|shared| {
        // SAFETY: the caller's promise.
        LISTS.try_with(|lists| unsafe { lists.borrow_mut().0[index].give(block, shared) }).is_ok()
    });
    if !is_kept {
        // SAFETY: as above; `take` has allocated it with this layout.
        unsafe { dealloc(block.as_ptr(), layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::thread;

    /// A size that no task of other tests has.
    const BYTES: usize = SIZES * UNIT;

    #[test]
    fn blocks_come_back() {
        thread::spawn(|| {
            let first = take(BYTES);
            // SAFETY: it is this thread's.
            unsafe { give(first, BYTES) };
            assert_eq!(take(BYTES - 1), first);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn what_another_thread_gives_back_is_used_again() {
        let count = 4 * BATCH;
        let blocks: Vec<usize> = (0..count).map(|_| take(BYTES).as_ptr().expose_provenance()).collect();
        let distinct: HashSet<usize> = blocks.iter().copied().collect();
        assert_eq!(distinct.len(), count);
        let given = blocks.clone();
        thread::spawn(move || {
            for address in given {
                let block = NonNull::new(ptr::with_exposed_provenance_mut(address)).unwrap();
                // SAFETY: the other thread has handed it over.
                unsafe { give(block, BYTES) };
            }
        })
        .join()
        .unwrap();
        assert!(distinct.contains(&take(BYTES).as_ptr().addr()));
    }

    #[test]
    fn large_blocks_are_aligned() {
        for bytes in [1, UNIT, UNIT * SIZES + 1, 100_000] {
            let block = take(bytes);
            assert_eq!(block.as_ptr().addr() % ALIGN, 0);
            // SAFETY: it is this thread's.
            unsafe { give(block, bytes) };
        }
    }
}

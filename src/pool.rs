//! Memory of the compiler: what it allocates between the start of the process and the program's `main`.
//!
//! A compiler allocates many small things, frees few of them, and is done after some milliseconds, of which a
//! general allocator would take a fifth: most of that for the system to hand out memory page by page. The
//! pool takes it in huge pages from one reservation of address space and keeps what is freed in lists by
//! size.
//!
//! The pool serves one thread at a time, the one inside [`with_pool`]; other threads, and everything after
//! it, use the C library's allocator, as the program itself does. What the pool handed out stays valid,
//! wherever it is freed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Address space of the pool; beyond it the C library serves.
const RESERVED: usize = 512 << 20;
/// Size of a huge page, to which the pool is aligned.
const HUGE: usize = 2 << 20;
/// Alignment of every block; what asks for more is left to the C library.
const ALIGN: usize = 16;
/// The largest block; larger ones are mapped, and grow in place, better without the pool.
const LARGEST: usize = 1 << 20;
/// Up to this size there is a class for every multiple of [`ALIGN`], above four for every power of two.
const FINE: usize = 1 << 10;
const FINE_CLASSES: usize = FINE / ALIGN;
/// Blocks of this size and above are cut into small ones when they are free: memory that is in the caches
/// already, and that the system need not clear.
const CUT: usize = 16 << 10;
const CLASSES: usize = FINE_CLASSES + 4 * (LARGEST.ilog2() - FINE.ilog2()) as usize;

/// The allocator of this process.
pub struct Allocator {
    /// Start of the reservation; 0 before there is one.
    base: AtomicUsize,
    /// Whether a thread is using the pool.
    busy: AtomicBool,
    pool: UnsafeCell<Pool>,
}

/// The state of the pool.
struct Pool {
    /// What was never handed out, and is zero.
    fresh: usize,
    end: usize,
    /// What is left of a large block that was freed and is being cut into small ones.
    spare: usize,
    spare_end: usize,
    /// Number of free blocks that can be cut.
    large: usize,
    /// Freed blocks by class, each of which holds the address of the next; 0 ends a list.
    free: [usize; CLASSES],
}

// SAFETY: `pool` is touched only by the thread that has set `busy` (see `with_pool`), and the rest is atomic.
unsafe impl Sync for Allocator {}

thread_local! {
    /// Whether this thread is inside of [`with_pool`].
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator {
    base: AtomicUsize::new(0),
    busy: AtomicBool::new(false),
    pool: UnsafeCell::new(Pool { fresh: 0, end: 0, spare: 0, spare_end: 0, large: 0, free: [0; CLASSES] }),
};

/// Runs `work`, whose allocations on this thread come from the pool.
pub fn with_pool<T>(work: impl FnOnce() -> T) -> T {
    /// Gives the pool back, also when `work` panics.
    struct Turn;
    impl Drop for Turn {
        fn drop(&mut self) {
            INSIDE.set(false);
            ALLOCATOR.busy.store(false, Ordering::Release);
        }
    }
    if ALLOCATOR.busy.swap(true, Ordering::Acquire) {
        return work();
    }
    let _turn = Turn;
    if ALLOCATOR.base.load(Ordering::Relaxed) != 0 || ALLOCATOR.reserve() {
        INSIDE.set(true);
    }
    work()
}

/// The class of a size that is not zero, and the bytes of its blocks.
#[inline]
fn class(size: usize) -> (usize, usize) {
    if size <= FINE {
        let index = (size - 1) / ALIGN;
        return (index, (index + 1) * ALIGN);
    }
    let power = (size - 1).ilog2();
    let quarter = (size - 1) >> (power - 2) & 3;
    let index = FINE_CLASSES + 4 * (power - FINE.ilog2()) as usize + quarter;
    (index, (quarter + 5) << (power - 2))
}

/// The bytes of the blocks of a class.
fn block_size(class: usize) -> usize {
    match class.checked_sub(FINE_CLASSES) {
        None => (class + 1) * ALIGN,
        Some(coarse) => (coarse % 4 + 5) << (FINE.ilog2() as usize + coarse / 4 - 2),
    }
}

impl Allocator {
    /// Maps the address space. Called by the thread that has set `busy`.
    fn reserve(&self) -> bool {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a fresh anonymous mapping.
        let mapping = unsafe { libc::mmap(ptr::null_mut(), RESERVED + HUGE, access, flags, -1, 0) };
        if mapping == libc::MAP_FAILED {
            return false;
        }
        let base = mapping.expose_provenance().next_multiple_of(HUGE);
        // SAFETY: the range lies in the mapping. Without huge pages all is as well, but slower.
        unsafe { libc::madvise(ptr::with_exposed_provenance_mut(base), RESERVED, libc::MADV_HUGEPAGE) };
        // SAFETY: this thread has set `busy`.
        let pool = unsafe { &mut *self.pool.get() };
        (pool.fresh, pool.end) = (base, base + RESERVED);
        self.base.store(base, Ordering::Release);
        true
    }

    /// Whether the pool handed out this block.
    #[inline]
    fn owns(&self, block: *mut u8) -> bool {
        // Whoever holds a block of the pool has seen the base being set.
        block.addr().wrapping_sub(self.base.load(Ordering::Relaxed)) < RESERVED
    }

    /// A block that is not at hand.
    ///
    /// # Safety
    ///
    /// As for [`GlobalAlloc::alloc`].
    #[inline(never)]
    unsafe fn look_for(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        let block = self.pool(layout).and_then(|pool| unsafe { (*pool).allocate(layout.size()) });
        match block {
            Some((block, _)) => block,
            // SAFETY: the caller's promise.
            None => unsafe { System.alloc(layout) },
        }
    }

    /// The pool, if this thread is to allocate this from it.
    #[inline]
    fn pool(&self, layout: Layout) -> Option<*mut Pool> {
        let fits = layout.align() <= ALIGN && layout.size().wrapping_sub(1) < LARGEST;
        (fits && INSIDE.get()).then_some(self.pool.get())
    }
}

impl Pool {
    /// A block of at least `size` bytes, a small number, if nothing has to be looked for: as most blocks are
    /// had, without a call.
    #[inline]
    fn at_hand(&mut self, size: usize) -> Option<*mut u8> {
        let (class, bytes) = (size.wrapping_sub(1) / ALIGN, size.next_multiple_of(ALIGN));
        if *self.free.get(class).filter(|_| size <= FINE)? != 0 {
            return Some(self.take(class));
        }
        let place = match self.large {
            _ if self.spare_end - self.spare >= bytes => &mut self.spare,
            0 if self.end - self.fresh >= bytes => &mut self.fresh,
            _ => return None,
        };
        let block = ptr::with_exposed_provenance_mut(*place);
        *place += bytes;
        Some(block)
    }

    /// A block of at least `size` bytes, and whether it is known to be zero.
    #[inline]
    fn allocate(&mut self, size: usize) -> Option<(*mut u8, bool)> {
        let (class, bytes) = class(size);
        if self.free[class] != 0 {
            self.large -= usize::from(bytes >= CUT);
            return Some((self.take(class), false));
        }
        if size <= FINE && (self.spare_end - self.spare >= bytes || self.find_spare()) {
            let block = ptr::with_exposed_provenance_mut(self.spare);
            self.spare += bytes;
            return Some((block, false));
        }
        if self.end - self.fresh < bytes {
            return None;
        }
        let block = ptr::with_exposed_provenance_mut(self.fresh);
        self.fresh += bytes;
        Some((block, true))
    }

    /// The first free block of a class that has one.
    #[inline]
    fn take(&mut self, class: usize) -> *mut u8 {
        let block = ptr::with_exposed_provenance_mut::<u8>(self.free[class]);
        // SAFETY: a free block holds the address of the next one.
        self.free[class] = unsafe { block.cast::<usize>().read() };
        block
    }

    /// Cuts another large block, the smallest there is. What is left of the last one is too small to matter.
    #[cold]
    fn find_spare(&mut self) -> bool {
        if self.large == 0 {
            return false;
        }
        let (first, _) = class(CUT);
        let Some(class) = (first..CLASSES).find(|&class| self.free[class] != 0) else { return false };
        self.large -= 1;
        self.spare = self.take(class).expose_provenance();
        self.spare_end = self.spare + block_size(class);
        true
    }

    #[inline]
    fn free(&mut self, block: *mut u8, size: usize) {
        let (class, bytes) = class(size);
        self.large += usize::from(bytes >= CUT);
        // SAFETY: the block is at least `ALIGN` bytes of the pool that nobody uses any more.
        unsafe { block.cast::<usize>().write(self.free[class]) };
        self.free[class] = block.expose_provenance();
    }

    /// Makes a block fit `new_size` bytes where it is, if it can.
    #[inline]
    fn resize(&mut self, block: *mut u8, size: usize, new_size: usize) -> bool {
        let (bytes, new_bytes) = (class(size).1, class(new_size).1);
        if bytes == new_bytes {
            return true;
        }
        let start = block.addr();
        if start + bytes == self.fresh && new_bytes > bytes && self.end - start >= new_bytes {
            self.fresh = start + new_bytes;
            return true;
        }
        false
    }
}

// SAFETY: blocks of the pool are disjoint, aligned to `ALIGN`, and at least as large as asked for; all others
// are the C library's, and go back to it.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: a thread that is inside has set `busy`; no other reference to the pool is alive.
        let block = self.pool(layout).and_then(|pool| unsafe { (*pool).at_hand(layout.size()) });
        match block {
            Some(block) => block,
            // SAFETY: the caller's promise.
            None => unsafe { self.look_for(layout) },
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        let block = self.pool(layout).and_then(|pool| unsafe { (*pool).allocate(layout.size()) });
        match block {
            Some((block, true)) => block,
            Some((block, false)) => {
                // SAFETY: the block has this size.
                unsafe { block.write_bytes(0, layout.size()) };
                block
            }
            // SAFETY: the caller's promise.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !self.owns(block) {
            // SAFETY: the block came from the C library.
            unsafe { System.dealloc(block, layout) };
        } else if INSIDE.get() {
            // SAFETY: as in `alloc`; the block came from the pool.
            unsafe { (*self.pool.get()).free(block, layout.size()) };
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !self.owns(block) {
            // SAFETY: the block came from the C library.
            return unsafe { System.realloc(block, layout, new_size) };
        }
        // SAFETY: the alignment is valid, and the caller promises that the size is, too.
        let new_layout = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        if let Some(pool) = self.pool(new_layout)
            // SAFETY: as in `alloc`.
            && unsafe { (*pool).resize(block, layout.size(), new_size) }
        {
            return block;
        }
        // SAFETY: a new block of this layout; the old one is at least as large as its own.
        unsafe {
            let new = self.alloc(new_layout);
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size().min(new_size));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, PoisonError};

    /// One pool serves all tests of the process, in turn.
    static TURN: Mutex<()> = Mutex::new(());

    #[test]
    fn classes_hold_their_sizes_and_waste_a_quarter_at_most() {
        let mut last = class(1);
        for size in 1..=LARGEST {
            let (index, bytes) = class(size);
            assert!(index < CLASSES && bytes >= size && bytes % ALIGN == 0, "{size}: {index}, {bytes}");
            assert_eq!(block_size(index), bytes);
            assert!(bytes - size < ALIGN.max(size / 4 + 1), "{size}: {bytes}");
            assert!(last == (index, bytes) || (index == last.0 + 1 && bytes > last.1), "{size}");
            last = (index, bytes);
        }
        assert_eq!(last, (CLASSES - 1, LARGEST));
    }

    #[test]
    fn blocks_keep_their_contents_inside_and_outside() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let (kept, mut grown) = with_pool(|| {
            let lists: Vec<Vec<usize>> = (0..2000).map(|n| (0..n % 300).collect()).collect();
            let kept: Vec<Vec<usize>> = lists.iter().filter(|list| list.len() % 3 == 0).cloned().collect();
            drop(lists);
            let zeroed = vec![0_u64; 5000];
            assert!(zeroed.iter().all(|&word| word == 0));
            drop(zeroed);
            let zeroed = vec![0_u64; 5000];
            assert!(zeroed.iter().all(|&word| word == 0));
            (kept, vec![7_u8; 100])
        });
        grown.resize(3 << 20, 7);
        assert!(grown.iter().all(|&byte| byte == 7));
        assert!(kept.iter().all(|list| list.iter().enumerate().all(|(at, &number)| at == number)));
        std::thread::spawn(move || drop(kept)).join().expect("blocks may be freed by another thread");
    }

    #[test]
    fn a_second_thread_is_served_by_the_c_library() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        with_pool(|| {
            let block =
                std::thread::spawn(|| with_pool(|| vec![1_u8; 64])).join().expect("it only allocates");
            assert!(!ALLOCATOR.owns(block.as_ptr().cast_mut()));
        });
    }
}

//! Memory allocators (OpenMP 5.0, 3.7). There is one kind of memory, so that spaces do not differ; alignment,
//! pool size and fallback are honoured.

use crate::fatal::fatal;
use crate::races;
use crate::team::environment::environment;
use std::alloc::Layout;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr::{null_mut, with_exposed_provenance};
use std::sync::atomic::{AtomicUsize, Ordering};

/// `omp_null_allocator`: in `omp_alloc` and `omp_free` the default one.
const NULL_ALLOCATOR: usize = 0;
/// `omp_default_mem_alloc`.
const DEFAULT_MEM_ALLOC: usize = 1;
/// `omp_thread_mem_alloc`, the last allocator that is always there.
const LAST_PREDEFINED: usize = 8;
/// `omp_low_lat_mem_space`, the last space.
const LAST_SPACE: usize = 4;

/// `omp_alloctrait_key_t`.
mod key {
    use std::ffi::c_int;
    pub(super) const SYNC_HINT: c_int = 1;
    pub(super) const ALIGNMENT: c_int = 2;
    pub(super) const ACCESS: c_int = 3;
    pub(super) const POOL_SIZE: c_int = 4;
    pub(super) const FALLBACK: c_int = 5;
    pub(super) const FB_DATA: c_int = 6;
    pub(super) const PINNED: c_int = 7;
    pub(super) const PARTITION: c_int = 8;
}

/// `omp_alloctrait_value_t`.
mod value {
    pub(super) const DEFAULT: usize = usize::MAX;
    pub(super) const FALSE: usize = 0;
    pub(super) const DEFAULT_MEM_FB: usize = 11;
    pub(super) const NULL_FB: usize = 12;
    pub(super) const ABORT_FB: usize = 13;
    pub(super) const ALLOCATOR_FB: usize = 14;
}

/// `omp_alloctrait_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Trait {
    key: c_int,
    value: usize,
}

/// What `omp_init_allocator` makes; its address is the handle.
struct Allocator {
    alignment: usize,
    pool_size: usize,
    used: AtomicUsize,
    fallback: usize,
    fallback_allocator: usize,
}

/// Stands before each block.
#[derive(Clone, Copy)]
struct Header {
    /// What `malloc` gave.
    start: *mut c_void,
    /// Bytes that count against the allocator's pool: those of the block.
    bytes: usize,
    allocator: usize,
}

thread_local! {
    static DEFAULT: Cell<usize> = Cell::new(environment().allocator);
}

/// `omp_init_allocator`: the null allocator if the traits make no sense or ask for pinned memory.
///
/// # Safety
/// `traits` points to `count` traits.
pub unsafe extern "C" fn omp_init_allocator(space: usize, count: c_int, traits: *const Trait) -> usize {
    let traits = match usize::try_from(count) {
        Ok(count) if count > 0 && !traits.is_null() => {
            // SAFETY: the caller's promise.
            unsafe { std::slice::from_raw_parts(traits, count) }
        }
        _ => &[],
    };
    match Allocator::new(traits) {
        Some(allocator) if space <= LAST_SPACE => Box::into_raw(Box::new(allocator)).expose_provenance(),
        _ => NULL_ALLOCATOR,
    }
}

impl Allocator {
    fn new(traits: &[Trait]) -> Option<Allocator> {
        let mut made = Allocator {
            alignment: 1,
            pool_size: usize::MAX,
            used: AtomicUsize::new(0),
            fallback: value::DEFAULT_MEM_FB,
            fallback_allocator: NULL_ALLOCATOR,
        };
        for &Trait { key, value } in traits {
            let default = value == value::DEFAULT;
            match key {
                key::SYNC_HINT | key::ACCESS | key::PARTITION => {}
                key::ALIGNMENT if default => made.alignment = 1,
                key::ALIGNMENT if value.is_power_of_two() => made.alignment = value,
                key::POOL_SIZE if default => made.pool_size = usize::MAX,
                key::POOL_SIZE => made.pool_size = value,
                key::FALLBACK if default => made.fallback = value::DEFAULT_MEM_FB,
                key::FALLBACK if (value::DEFAULT_MEM_FB..=value::ALLOCATOR_FB).contains(&value) => {
                    made.fallback = value
                }
                key::FB_DATA => made.fallback_allocator = value,
                key::PINNED if default || value == value::FALSE => {}
                _ => return None,
            }
        }
        (made.fallback != value::ALLOCATOR_FB || made.fallback_allocator != NULL_ALLOCATOR).then_some(made)
    }

    /// Takes bytes from the pool, if they are there.
    fn reserve(&self, bytes: usize) -> bool {
        let take = |used: usize| used.checked_add(bytes).filter(|&used| used <= self.pool_size);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }

    /// Gives bytes back to the pool.
    fn give(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The allocator behind a handle; `None` for one that is always there.
///
/// # Safety
/// The handle is a predefined one or one of `omp_init_allocator`'s that was not destroyed.
unsafe fn made<'a>(handle: usize) -> Option<&'a Allocator> {
    if handle <= LAST_PREDEFINED {
        return None;
    }
    // SAFETY: other handles are addresses of live allocators.
    Some(unsafe { &*with_exposed_provenance::<Allocator>(handle) })
}

/// `omp_destroy_allocator`.
///
/// # Safety
/// The handle is one of `omp_init_allocator`'s that was not destroyed, or a predefined one, which stays.
pub unsafe extern "C" fn omp_destroy_allocator(handle: usize) {
    if handle > LAST_PREDEFINED {
        // SAFETY: other handles were made from a box.
        drop(unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<Allocator>(handle)) });
    }
}

/// `omp_set_default_allocator`, for this thread.
pub extern "C" fn omp_set_default_allocator(handle: usize) {
    DEFAULT.set(if handle == NULL_ALLOCATOR { environment().allocator } else { handle });
}

/// `omp_get_default_allocator`.
pub extern "C" fn omp_get_default_allocator() -> usize {
    DEFAULT.get()
}

/// `omp_alloc`: null for no bytes.
///
/// # Safety
/// The handle is a predefined one or one of `omp_init_allocator`'s that was not destroyed.
pub unsafe extern "C" fn omp_alloc(bytes: usize, handle: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { omp_aligned_alloc(1, bytes, handle) }
}

/// `omp_calloc`: null for no elements, and for more bytes than there can be.
///
/// # Safety
/// As for [`omp_alloc`].
pub unsafe extern "C" fn omp_calloc(count: usize, bytes: usize, handle: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { omp_aligned_calloc(1, count, bytes, handle) }
}

/// `omp_aligned_calloc`.
///
/// # Safety
/// As for [`omp_alloc`].
pub unsafe extern "C" fn omp_aligned_calloc(
    align: usize,
    count: usize,
    bytes: usize,
    handle: usize,
) -> *mut c_void {
    let Some(bytes) = count.checked_mul(bytes) else { return null_mut() };
    // SAFETY: the caller's promise.
    let block = unsafe { omp_aligned_alloc(align, bytes, handle) };
    if !block.is_null() {
        // SAFETY: the block has so many bytes.
        unsafe { block.cast::<u8>().write_bytes(0, bytes) };
    }
    block
}

/// `omp_aligned_alloc`: at a multiple of `align`, a power of two, and of what the allocator asks for.
///
/// # Safety
/// As for [`omp_alloc`].
pub unsafe extern "C" fn omp_aligned_alloc(align: usize, bytes: usize, handle: usize) -> *mut c_void {
    if bytes == 0 || !align.is_power_of_two() {
        return null_mut();
    }
    let handle = if handle == NULL_ALLOCATOR { DEFAULT.get() } else { handle };
    let mut next = handle;
    // A chain of fallbacks that comes back to its start ends here.
    for _ in 0..MAX_FALLBACKS {
        // SAFETY: the caller's promise; a fallback's handle is the program's as well.
        let allocator = unsafe { made(next) };
        let block = allocate(align, bytes, next, allocator);
        if !block.is_null() {
            races::entries::fresh(block, bytes as i64);
            return block;
        }
        match allocator.map(|allocator| (allocator.fallback, allocator.fallback_allocator)) {
            Some((value::DEFAULT_MEM_FB, _)) => next = DEFAULT_MEM_ALLOC,
            Some((value::ALLOCATOR_FB, other)) => next = other,
            Some((value::ABORT_FB, _)) => {
                fatal(format_args!("omp_alloc: no {bytes} bytes left, and no fallback"))
            }
            Some((value::NULL_FB, _)) | Some(_) | None => return null_mut(),
        }
    }
    null_mut()
}

/// `omp_realloc`: a block of another size, perhaps of another allocator, with as much of the contents as fits;
/// without one, that of the block.
///
/// # Safety
/// As for [`omp_alloc`] and [`omp_free`].
pub unsafe extern "C" fn omp_realloc(
    block: *mut c_void,
    bytes: usize,
    handle: usize,
    free_handle: usize,
) -> *mut c_void {
    if block.is_null() {
        // SAFETY: the caller's promise.
        return unsafe { omp_alloc(bytes, handle) };
    }
    if bytes == 0 {
        // SAFETY: the caller's promise.
        unsafe { omp_free(block, free_handle) };
        return null_mut();
    }
    // SAFETY: the caller's promise; `allocate` wrote the header.
    let header = unsafe { block.cast::<Header>().sub(1).read() };
    let handle = if handle == NULL_ALLOCATOR { header.allocator } else { handle };
    // SAFETY: the caller's promise.
    let former = unsafe { made(header.allocator) };
    // The block's own bytes are there for its successor.
    let reused = former.filter(|_| handle == header.allocator);
    reused.into_iter().for_each(|allocator| allocator.give(header.bytes));
    // SAFETY: the caller's promise.
    let new = unsafe { omp_alloc(bytes, handle) };
    if new.is_null() {
        reused
            .into_iter()
            .for_each(|allocator| _ = allocator.used.fetch_add(header.bytes, Ordering::Relaxed));
        return null_mut();
    }
    // SAFETY: both blocks have so many bytes; the old one is not used any more.
    unsafe {
        new.cast::<u8>().copy_from_nonoverlapping(block.cast(), header.bytes.min(bytes));
        libc::free(header.start);
    }
    if reused.is_none() {
        former.into_iter().for_each(|allocator| allocator.give(header.bytes));
    }
    new
}

/// Longer chains of fallback allocators are taken for circles.
const MAX_FALLBACKS: usize = 64;

fn allocate(align: usize, bytes: usize, handle: usize, allocator: Option<&Allocator>) -> *mut c_void {
    let own = allocator.map_or(1, |allocator| allocator.alignment);
    let align = own.max(align).max(align_of::<libc::max_align_t>());
    // Room for the header, and for moving the block to its alignment.
    let Some(total) = bytes.checked_add(align).and_then(|bytes| bytes.checked_add(size_of::<Header>()))
    else {
        return null_mut();
    };
    if Layout::from_size_align(total, 1).is_err()
        || allocator.is_some_and(|allocator| !allocator.reserve(bytes))
    {
        return null_mut();
    }
    // SAFETY: any size may be asked for.
    let start = unsafe { libc::malloc(total) };
    if start.is_null() {
        if let Some(allocator) = allocator {
            allocator.give(bytes);
        }
        return null_mut();
    }
    let after_header = start.cast::<u8>().wrapping_add(size_of::<Header>());
    let block = after_header.wrapping_add(after_header.align_offset(align));
    // SAFETY: there is room for a header before the block, and both are aligned for it.
    unsafe { block.cast::<Header>().sub(1).write(Header { start, bytes, allocator: handle }) };
    block.cast()
}

/// `omp_free`: the block knows its allocator.
///
/// # Safety
/// The address is null or one of `omp_alloc`'s that was not freed, and its allocator was not destroyed.
pub unsafe extern "C" fn omp_free(block: *mut c_void, _handle: usize) {
    if block.is_null() {
        return;
    }
    // SAFETY: the caller's promise; `allocate` wrote the header.
    unsafe {
        let header = block.cast::<Header>().sub(1).read();
        if let Some(allocator) = made(header.allocator) {
            allocator.give(header.bytes);
        }
        libc::free(header.start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn init(traits: &[(c_int, usize)]) -> usize {
        let traits: Vec<Trait> = traits.iter().map(|&(key, value)| Trait { key, value }).collect();
        // SAFETY: so many traits.
        unsafe { omp_init_allocator(0, traits.len() as c_int, traits.as_ptr()) }
    }

    #[test]
    fn predefined() {
        // SAFETY: predefined handles; the block is ours.
        unsafe {
            assert!(omp_alloc(0, DEFAULT_MEM_ALLOC).is_null());
            for handle in 0..=LAST_PREDEFINED {
                let block = omp_alloc(100, handle);
                assert!(!block.is_null());
                block.cast::<u8>().write_bytes(7, 100);
                omp_free(block, handle);
            }
            assert!(omp_alloc(usize::MAX - 5, DEFAULT_MEM_ALLOC).is_null());
            omp_free(null_mut(), NULL_ALLOCATOR);
        }
    }

    #[test]
    fn alignment_and_pool() {
        let handle = init(&[
            (key::ALIGNMENT, 4096),
            (key::POOL_SIZE, 1000),
            (key::FALLBACK, value::NULL_FB),
            (key::PINNED, 0),
        ]);
        // SAFETY: a live handle; the blocks are ours.
        unsafe {
            let block = omp_alloc(600, handle);
            assert!(!block.is_null());
            assert_eq!(block.addr() % 4096, 0);
            assert!(omp_alloc(600, handle).is_null());
            omp_free(block, handle);
            let block = omp_alloc(1000, handle);
            assert!(!block.is_null());
            omp_free(block, NULL_ALLOCATOR);
            omp_destroy_allocator(handle);
        }
    }

    #[test]
    fn fallbacks() {
        let inner = init(&[(key::POOL_SIZE, 10)]);
        let outer =
            init(&[(key::POOL_SIZE, 10), (key::FALLBACK, value::ALLOCATOR_FB), (key::FB_DATA, inner)]);
        omp_set_default_allocator(outer);
        assert_eq!(omp_get_default_allocator(), outer);
        // SAFETY: live handles; the block is ours.
        unsafe {
            // Too large for both pools, so it comes from the default memory.
            let block = omp_alloc(100, NULL_ALLOCATOR);
            assert!(!block.is_null());
            omp_free(block, NULL_ALLOCATOR);
            omp_set_default_allocator(NULL_ALLOCATOR);
            omp_destroy_allocator(outer);
            omp_destroy_allocator(inner);
        }
        assert_eq!(omp_get_default_allocator(), DEFAULT_MEM_ALLOC);
    }

    #[test]
    fn blocks_change_their_size() {
        let handle = init(&[(key::POOL_SIZE, 1000), (key::FALLBACK, value::NULL_FB)]);
        // SAFETY: live handles; the blocks are ours.
        unsafe {
            let block = omp_aligned_calloc(256, 20, 30, handle).cast::<u8>();
            assert_eq!((block.addr() % 256, *block, *block.add(599)), (0, 0, 0));
            block.write_bytes(5, 600);
            // The bytes of the block itself are available.
            let larger = omp_realloc(block.cast(), 1000, handle, handle).cast::<u8>();
            assert_eq!((*larger, *larger.add(599)), (5, 5));
            assert!(omp_realloc(larger.cast(), 1001, NULL_ALLOCATOR, handle).is_null());
            let elsewhere = omp_realloc(larger.cast(), 2000, DEFAULT_MEM_ALLOC, handle).cast::<u8>();
            assert_eq!(*elsewhere.add(599), 5);
            let whole = omp_calloc(10, 100, handle);
            assert!(!whole.is_null());
            assert!(omp_realloc(whole, 0, handle, handle).is_null());
            assert!(omp_calloc(usize::MAX, 2, handle).is_null());
            assert!(omp_aligned_alloc(3, 8, handle).is_null());
            omp_free(elsewhere.cast(), NULL_ALLOCATOR);
            omp_destroy_allocator(handle);
        }
    }

    #[test]
    fn senseless_traits() {
        assert_eq!(init(&[(key::ALIGNMENT, 3)]), NULL_ALLOCATOR);
        assert_eq!(init(&[(key::PINNED, 1)]), NULL_ALLOCATOR);
        assert_eq!(init(&[(key::FALLBACK, 99)]), NULL_ALLOCATOR);
        assert_eq!(init(&[(key::FALLBACK, value::ALLOCATOR_FB)]), NULL_ALLOCATOR);
        assert_eq!(init(&[(77, 0)]), NULL_ALLOCATOR);
    }
}

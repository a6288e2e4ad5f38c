//! Thread-local objects of a program: one block of memory per thread and program, made from an image on first
//! use.

use accrue_ir::Global;
use cranelift_entity::SecondaryMap;
use std::cell::{Cell, RefCell};
use std::ffi::CString;
use std::ptr;
use std::sync::OnceLock;

/// The thread-local objects that a program defines or names. Lives for ever.
pub(crate) struct ThreadLocals {
    /// The program's own, from when it is linked.
    pub image: OnceLock<Image>,
    /// The names of those that libraries define.
    pub names: SecondaryMap<Global, Option<CString>>,
}

/// How a thread's block of thread-local objects starts.
pub(crate) struct Image {
    /// Initial bytes, constant while the process runs; the block is zero beyond them.
    pub bytes: &'static [u8],
    /// Size of a block.
    pub size: usize,
    /// Alignment of a block.
    pub align: usize,
}

impl ThreadLocals {
    fn image(&self) -> &Image {
        match self.image.get() {
            Some(image) => image,
            None => unreachable!("a program runs once it is linked"),
        }
    }
}

thread_local! {
    /// The block used last: whose it is, and its address.
    static LAST: Cell<(usize, *mut u8)> = const { Cell::new((0, ptr::null_mut())) };
    /// All blocks of the thread. Never freed before the thread's last destructor: the program's own run late.
    static BLOCKS: RefCell<Vec<(usize, *mut u8)>> = const { RefCell::new(Vec::new()) };
}

/// This thread's block for the program.
pub(crate) extern "C" fn block(objects: &'static ThreadLocals) -> *mut u8 {
    let key = ptr::from_ref(objects).addr();
    let (last, address) = LAST.get();
    if last == key {
        return address;
    }
    let found = BLOCKS.try_with(|blocks| {
        let mut blocks = blocks.borrow_mut();
        if let Some(&(_, address)) = blocks.iter().find(|(owner, _)| *owner == key) {
            return address;
        }
        let address = new_block(objects.image());
        blocks.push((key, address));
        address
    });
    // A destructor that runs after the list is gone sees a fresh block.
    let address = found.unwrap_or_else(|_| new_block(objects.image()));
    LAST.set((key, address));
    address
}

fn new_block(image: &Image) -> *mut u8 {
    let mut address = ptr::null_mut();
    let align = image.align.max(16);
    // SAFETY: the alignment is a power of two and a multiple of a pointer's size.
    let failed = unsafe { libc::posix_memalign(&mut address, align, image.size.max(1)) } != 0;
    if failed {
        crate::fatal::die(libc::SIGABRT, "accrue: no memory for a thread's thread-local objects");
    }
    let address = address.cast::<u8>();
    // SAFETY: the block has `size` bytes, at least as many as the image.
    unsafe {
        ptr::write_bytes(address, 0, image.size);
        ptr::copy_nonoverlapping(image.bytes.as_ptr(), address, image.bytes.len());
    }
    address
}

/// The address of this thread's instance of a thread-local object that a library defines.
pub(crate) extern "C" fn external(objects: &'static ThreadLocals, global: u64) -> *mut u8 {
    let name = objects.names[Global::from_u32(global as u32)].as_deref().unwrap_or(c"");
    // SAFETY: the name is a C string.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()).cast() }
}

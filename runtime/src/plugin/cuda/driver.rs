//! Calls of the driver: results as errors, contexts, and which devices there are.

use crate::plugin::{Error, Result};
use cudarc::driver::sys;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSliceMut;
use std::alloc::Layout;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::MaybeUninit;

/// Bytes of a huge page of the processors that the driver exists for.
const HUGE_PAGE: usize = 2 << 20;

/// Turns a result of the driver into one of this crate.
pub(super) fn check(what: &str, result: sys::CUresult) -> Result<()> {
    if result == sys::CUresult::CUDA_SUCCESS { Ok(()) } else { Err(error(what, result)) }
}

/// Memory of the host that the driver does not move.
pub(super) fn pinned(bytes: usize) -> Result<usize> {
    let mut memory = std::ptr::null_mut();
    // SAFETY: the pointer is to a variable of the type that the function asks for.
    let result = unsafe { sys::cuMemHostAlloc(&mut memory, bytes, 0) };
    check("pinned memory", result).map_err(|error| Error::Failed(format!("no {error}")))?;
    Ok(memory.expose_provenance())
}

/// Much of such memory, in huge pages if the system has any: to make small ones takes four times as long.
pub(super) fn pinned_pages(bytes: usize) -> Result<usize> {
    let Ok(layout) = Layout::from_size_align(bytes, HUGE_PAGE) else { return pinned(bytes) };
    // SAFETY: the layout is that of some bytes.
    let memory = unsafe { std::alloc::alloc(layout) };
    if memory.is_null() {
        return pinned(bytes);
    }
    // SAFETY: the memory is ours, and large enough; nobody reads it before it was written.
    let result = unsafe {
        libc::madvise(memory.cast(), bytes, libc::MADV_HUGEPAGE);
        std::slice::from_raw_parts_mut(memory.cast::<MaybeUninit<u8>>(), bytes)
            .par_chunks_mut(HUGE_PAGE)
            .for_each(|page| page.fill(MaybeUninit::new(0)));
        sys::cuMemHostRegister_v2(memory.cast(), bytes, 0)
    };
    if result == sys::CUresult::CUDA_SUCCESS {
        return Ok(memory.expose_provenance());
    }
    // SAFETY: the memory was allocated so, and the driver did not take it.
    unsafe { std::alloc::dealloc(memory, layout) };
    pinned(bytes)
}

/// A stream that waits for no other one.
pub(super) fn create_stream() -> Result<sys::CUstream> {
    let mut stream = std::ptr::null_mut();
    let flags = sys::CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
    // SAFETY: the pointer is to a variable of the type that the function asks for.
    check("cuStreamCreate", unsafe { sys::cuStreamCreate(&mut stream, flags) })?;
    Ok(stream)
}

/// The stream calls `function` with a box of `data` when it comes to it, from a thread of the driver: no
/// function of the driver may be called there.
///
/// # Safety
/// `function` takes what the box holds, and may be called then; the stream is one of the current context.
pub(super) unsafe fn call_later<T>(
    stream: sys::CUstream,
    function: unsafe extern "C" fn(*mut c_void),
    data: T,
) -> Result<()> {
    let data = Box::into_raw(Box::new(data));
    // SAFETY: the caller's promise; the box is taken once.
    let result = unsafe { sys::cuLaunchHostFunc(stream, Some(function), data.cast()) };
    check("cuLaunchHostFunc", result).inspect_err(|_| {
        // SAFETY: the stream did not take it.
        drop(unsafe { Box::from_raw(data) });
    })
}

#[cold]
pub(super) fn error(what: &str, result: sys::CUresult) -> Error {
    let mut text = std::ptr::null();
    // SAFETY: the driver is loaded, and gives a string that it owns, or leaves the null pointer.
    let known = unsafe { sys::cuGetErrorString(result, &mut text) };
    let text = if known == sys::CUresult::CUDA_SUCCESS && !text.is_null() {
        // SAFETY: the driver's strings are static.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    } else {
        format!("{result:?}")
    };
    Error::Failed(format!("{what}: {text}"))
}

/// A GPU, not used yet.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(super) device: sys::CUdevice,
    pub(super) name: CString,
    pub(super) memory: usize,
    /// Its compute capability: 90 for 9.0.
    pub capability: u32,
    pub(super) processors: u32,
    /// Threads that one of them can hold.
    pub(super) threads_per_processor: u32,
    /// Bytes of shared memory that one of them can have for its CTAs.
    pub(super) shared_per_processor: u32,
    /// Memory can be allocated in the order of a stream.
    pub(super) has_pools: bool,
    /// Its code can read and write all memory of the host.
    pub(super) sees_host: bool,
}

impl Gpu {
    /// Its name, as the driver has it.
    pub fn name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    /// Threads that it can hold.
    pub(super) fn threads(&self) -> u64 {
        u64::from(self.processors) * u64::from(self.threads_per_processor)
    }
}

/// The GPUs of this machine; an error if there is no driver, or no GPU that it can use.
pub fn probe() -> Result<Vec<Gpu>> {
    // SAFETY: this looks for the driver's library only.
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::Failed("there is no CUDA driver on this machine".into()));
    }
    let mut count = 0;
    // SAFETY: the driver is there; the pointer is to a variable of the type that the function asks for.
    unsafe {
        check("cuInit", sys::cuInit(0))?;
        check("cuDeviceGetCount", sys::cuDeviceGetCount(&mut count))?;
    }
    let gpus = (0..count).map(open).collect::<Result<Vec<Gpu>>>()?;
    if gpus.is_empty() { Err(Error::Failed("the CUDA driver finds no GPU".into())) } else { Ok(gpus) }
}

/// The version of the driver's interface, 12080 for 12.8; 0 if it does not say.
pub(super) fn number() -> c_int {
    let mut version = 0;
    // SAFETY: the driver is there; the pointer is to a variable of the type that the function asks for.
    let known = unsafe { sys::cuDriverGetVersion(&mut version) } == sys::CUresult::CUDA_SUCCESS;
    if known { version } else { 0 }
}

/// The version in words.
pub(super) fn version() -> CString {
    let text = if number() > 0 { version_text(number()) } else { String::new() };
    CString::new(text).unwrap_or_default()
}

fn version_text(version: c_int) -> String {
    format!("CUDA Driver {}.{}", version / 1000, version % 1000 / 10)
}

fn open(ordinal: c_int) -> Result<Gpu> {
    use sys::CUdevice_attribute::*;
    let mut device = 0;
    let mut name: [c_char; 256] = [0; 256];
    let mut memory = 0;
    let mut numbers = [0; 7];
    let attributes = [
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
    ];
    // SAFETY: every pointer is to a variable of the type that the function asks for; the name is as long as
    // it is told.
    unsafe {
        check("cuDeviceGet", sys::cuDeviceGet(&mut device, ordinal))?;
        // One byte less, so that a zero byte remains.
        check("cuDeviceGetName", sys::cuDeviceGetName(name.as_mut_ptr(), 255, device))?;
        check("cuDeviceTotalMem", sys::cuDeviceTotalMem_v2(&mut memory, device))?;
        for (number, attribute) in numbers.iter_mut().zip(attributes) {
            check("cuDeviceGetAttribute", sys::cuDeviceGetAttribute(number, attribute, device))?;
        }
    }
    let [processors, major, minor, pools, threads, pageable, shared] =
        numbers.map(|number| u32::try_from(number).unwrap_or(0));
    // SAFETY: the last byte of the buffer is zero.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_owned();
    Ok(Gpu {
        device,
        name,
        memory,
        capability: major * 10 + minor,
        processors: processors.max(1),
        threads_per_processor: threads,
        shared_per_processor: shared,
        has_pools: pools != 0,
        sees_host: pageable != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(version_text(12080), "CUDA Driver 12.8");
        assert_eq!(version_text(13000), "CUDA Driver 13.0");
    }

    #[test]
    fn a_machine_without_a_gpu_says_so() {
        // On a machine with one there is nothing to see here.
        if let Err(Error::Failed(message)) = probe() {
            assert!(message.contains("CUDA") || message.starts_with("cu"), "{message}");
        }
    }
}

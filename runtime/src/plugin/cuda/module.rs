//! The program's code on a GPU.

use super::driver::{Gpu, check};
use crate::plugin::ptx::{Image, Kernel, Shapes};
use crate::plugin::{Error, Result, Shape};
use cudarc::driver::sys;
use rustc_hash::FxHashMap;
use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicI32, Ordering};

/// A kernel that is loaded.
pub(super) struct Function {
    pub(super) handle: usize,
    pub(super) kernel: Kernel,
    /// Threads of a CTA that its registers allow.
    pub(super) most_threads: u32,
    /// Bytes of local memory of a thread.
    pub(super) local_bytes: u64,
    /// Bytes of shared memory of a CTA.
    shared_bytes: u32,
    /// Per cent of a processor's fast memory that its launches want as shared memory: what was said last.
    shared_part: AtomicI32,
    /// Of its launches.
    pub(super) shapes: Shapes,
    /// The same region in other shapes, which launches try.
    pub(super) trials: Vec<Function>,
}

/// Bytes of shared memory that the driver takes for each CTA.
const RESERVED_SHARED: u32 = 1 << 10;

/// CTAs with as little shared memory are no reason to divide the fast memory anew.
const LITTLE_SHARED: u32 = 8 << 10;

/// More than this is left to the driver.
const MOST_PART: i32 = 50;

/// The driver chooses.
const ANY_PART: i32 = sys::CUshared_carveout_enum::CU_SHAREDMEM_CARVEOUT_DEFAULT as i32;

impl Function {
    /// Tells the driver how much of the processors' fast memory a launch needs as shared memory. By itself,
    /// it leaves room for as many CTAs as registers and threads allow, and the cache has the rest, which is
    /// less than there could be if there are a few CTAs for each processor.
    pub(super) fn divide_fast_memory(&self, gpu: &Gpu, shape: &Shape) -> Result<()> {
        if self.shared_bytes < LITTLE_SHARED {
            return Ok(());
        }
        let product = |dims: [u32; 3]| dims.map(u64::from).into_iter().fold(1, u64::saturating_mul);
        let ctas = product(shape.grid).div_ceil(gpu.processors.into());
        let is_full = ctas.saturating_mul(product(shape.block)) >= gpu.threads_per_processor.into();
        let wanted = ctas.saturating_mul((self.shared_bytes + RESERVED_SHARED).into());
        let part = wanted.saturating_mul(100).div_ceil(gpu.shared_per_processor.max(1).into());
        let part = i32::try_from(part).ok().filter(|&part| !is_full && part <= MOST_PART).unwrap_or(ANY_PART);
        if self.shared_part.swap(part, Ordering::Relaxed) == part {
            return Ok(());
        }
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
        // SAFETY: the function is of a module that stays loaded.
        let result = unsafe { sys::cuFuncSetAttribute(self.handle as sys::CUfunction, attribute, part) };
        check("cuFuncSetAttribute", result)
    }
}

/// A module that is loaded; it stays as long as the process.
#[derive(Default)]
pub(super) struct Module {
    /// Kernels, by the name of the region.
    pub(super) functions: FxHashMap<String, Function>,
    /// Addresses of objects, by their names in the program.
    pub(super) objects: FxHashMap<String, u64>,
}

/// Bytes of the driver's messages that are kept.
const LOG_BYTES: usize = 1 << 16;

/// Loads the program's code in the current context.
pub(super) fn load(image: &Image) -> Result<Module> {
    if image.ptx.is_empty() {
        return Ok(Module::default());
    }
    let module = compile(&image.ptx)?;
    let mut loaded = Module::default();
    for (region, kernel) in &image.kernels {
        loaded.functions.insert(region.clone(), function(module, region, kernel)?);
    }
    for (object, symbol) in &image.objects {
        let name = c_string(symbol)?;
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: the module is loaded; the pointers are to variables of the types that the function asks
        // for.
        let result = unsafe { sys::cuModuleGetGlobal_v2(&mut address, &mut bytes, module, name.as_ptr()) };
        check(&format!("object `{symbol}`"), result)?;
        loaded.objects.insert(object.clone(), address);
    }
    Ok(loaded)
}

fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::Failed("the device's code contains a zero byte".into()))
}

/// The variable that tells the driver's compiler how much to optimise.
const LEVEL: &str = "ACCRUE_JIT_LEVEL";

/// What a value of [`LEVEL`] means.
fn level(value: &str) -> Result<usize> {
    let level = value.parse().ok().filter(|level| (0..=4).contains(level));
    level.ok_or_else(|| Error::Failed(format!("{LEVEL}: `{value}` is not a number from 0 to 4")))
}

/// The driver's own compiler turns PTX into code of this GPU; what it has to say is part of the error.
fn compile(ptx: &str) -> Result<sys::CUmodule> {
    use sys::CUjit_option::{
        CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL,
    };
    let text = c_string(ptx)?;
    let mut module = std::ptr::null_mut();
    let mut log = vec![0u8; LOG_BYTES];
    let mut options = vec![CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values = vec![log.as_mut_ptr().cast::<c_void>(), std::ptr::without_provenance_mut(log.len())];
    if let Some(value) = std::env::var_os(LEVEL).filter(|value| !value.is_empty()) {
        options.push(CU_JIT_OPTIMIZATION_LEVEL);
        values.push(std::ptr::without_provenance_mut(level(&value.to_string_lossy())?));
    }
    // SAFETY: options and values are parallel arrays, and the log is as long as it says.
    let result = unsafe {
        sys::cuModuleLoadDataEx(
            &mut module,
            text.as_ptr().cast(),
            options.len() as u32,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    check("the driver refuses the device's code", result)
        .map_err(|error| Error::Failed(with_log(error.to_string(), &log)))?;
    Ok(module)
}

fn with_log(error: String, log: &[u8]) -> String {
    let end = log.iter().position(|&byte| byte == 0).unwrap_or(log.len());
    let log = String::from_utf8_lossy(&log[..end]);
    if log.trim().is_empty() { error } else { format!("{error}\n{}", log.trim_end()) }
}

fn function(module: sys::CUmodule, region: &str, kernel: &Kernel) -> Result<Function> {
    let symbol = c_string(&kernel.entry)?;
    let mut handle = std::ptr::null_mut();
    let (mut most_threads, mut local_bytes, mut shared_bytes) = (0, 0, 0);
    let threads = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
    let local = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES;
    let shared = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
    // SAFETY: the module is loaded; the pointers are to variables of the types that the functions ask for.
    unsafe {
        let found = sys::cuModuleGetFunction(&mut handle, module, symbol.as_ptr());
        check(&format!("kernel of the region `{region}`"), found)?;
        check("cuFuncGetAttribute", sys::cuFuncGetAttribute(&mut most_threads, threads, handle))?;
        check("cuFuncGetAttribute", sys::cuFuncGetAttribute(&mut local_bytes, local, handle))?;
        check("cuFuncGetAttribute", sys::cuFuncGetAttribute(&mut shared_bytes, shared, handle))?;
    }
    let most_threads = u32::try_from(most_threads).unwrap_or(0);
    let local_bytes = u64::try_from(local_bytes).unwrap_or(0);
    let trials = kernel.trials.iter().map(|trial| function(module, region, trial)).collect::<Result<_>>()?;
    let shapes = Shapes::default();
    Ok(Function {
        handle: handle as usize,
        kernel: kernel.clone(),
        most_threads,
        local_bytes,
        shared_bytes: u32::try_from(shared_bytes).unwrap_or(0),
        shared_part: AtomicI32::new(ANY_PART),
        shapes,
        trials,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_end_at_their_zero_byte() {
        assert_eq!(with_log("bad".into(), b"line 3: no\n\0\0\0"), "bad\nline 3: no");
        assert_eq!(with_log("bad".into(), b"\0\0"), "bad");
    }

    #[test]
    fn levels_of_the_driver_s_compiler_are_numbers() {
        assert_eq!(["0", "4"].map(|value| level(value).ok()), [Some(0), Some(4)]);
        assert!(["5", "-1", "high"].iter().all(|value| level(value).is_err()));
    }
}

//! A loader for NVIDIA GPUs: enough to execute every region of a program there and to see that its results are right.
//!
//! The host's memory is the truth. Each launch copies what it maps to the device, waits for the kernel, and copies it
//! back, whatever the data constructs around it say: slow, and as correct as a host with shared memory.

use crate::abi::{ArgDesc, LaunchDesc};
use crate::fatal::fatal;
use crate::values::{MapValues, Values};
use cudarc::driver::sys;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::fmt;
use std::sync::OnceLock;

/// What a launch needs to know about a kernel.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    /// Its name in PTX.
    pub entry: String,
    /// Constant launch dimensions: gangs in x, y, z, workers, lanes; 0 where the launch decides.
    pub dims: [u32; 5],
    /// Gangs wait for each other, so that all of them must be resident at once.
    pub cooperative: bool,
    /// Bytes of scratch memory, besides those of the gangs.
    pub scratch: u64,
    /// Bytes of scratch memory for each gang.
    pub scratch_per_gang: u64,
}

/// The device, and the program's code on it.
struct Loader {
    context: usize,
    processors: u32,
    kernels: HashMap<String, (usize, Kernel)>,
}

static LOADER: OnceLock<Loader> = OnceLock::new();

/// Why the device cannot be used.
#[derive(Debug)]
pub struct Unavailable(String);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}

fn check(what: &str, result: sys::CUresult) -> Result<(), Unavailable> {
    if result == sys::CUresult::CUDA_SUCCESS {
        return Ok(());
    }
    let mut text = std::ptr::null();
    // SAFETY: the driver is loaded, and gives a string that it owns, or leaves the null pointer.
    let known = unsafe { sys::cuGetErrorString(result, &mut text) };
    let text = if known == sys::CUresult::CUDA_SUCCESS && !text.is_null() {
        // SAFETY: the driver's strings are static.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    } else {
        format!("{result:?}")
    };
    Err(Unavailable(format!("{what}: {text}")))
}

/// A device that is open, but has no program yet.
#[derive(Debug)]
pub struct Device {
    context: usize,
    processors: u32,
    /// Its compute capability: 90 for 9.0.
    pub capability: u32,
}

/// Opens the first device.
pub fn open() -> Result<Device, Unavailable> {
    // SAFETY: this looks for the driver's library only.
    if !unsafe { sys::is_culib_present() } {
        return Err(Unavailable("there is no CUDA driver on this machine".to_owned()));
    }
    let mut context = std::ptr::null_mut();
    let mut numbers = [0; 3];
    // SAFETY: the driver is there; every pointer is to a variable of the type that the function asks for.
    unsafe {
        check("cuInit", sys::cuInit(0))?;
        let mut device = 0;
        check("cuDeviceGet", sys::cuDeviceGet(&mut device, 0))?;
        check("cuDevicePrimaryCtxRetain", sys::cuDevicePrimaryCtxRetain(&mut context, device))?;
        let attributes = [
            sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
            sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        ];
        for (number, attribute) in numbers.iter_mut().zip(attributes) {
            check("cuDeviceGetAttribute", sys::cuDeviceGetAttribute(number, attribute, device))?;
        }
    }
    let [processors, major, minor] = numbers.map(|number| u32::try_from(number).unwrap_or(0));
    Ok(Device { context: context as usize, processors: processors.max(1), capability: major * 10 + minor })
}

/// Loads a module; regions then run there. `kernels` are by the name of the region.
pub fn load(device: Device, ptx: &str, kernels: HashMap<String, Kernel>) -> Result<(), Unavailable> {
    let mut module = std::ptr::null_mut();
    let text = CString::new(ptx).map_err(|_| Unavailable("the PTX contains a zero byte".to_owned()))?;
    let mut log = vec![0u8; 1 << 16];
    // SAFETY: the device is open; options and values are parallel arrays, and the log is as long as it says.
    unsafe {
        check("cuCtxSetCurrent", sys::cuCtxSetCurrent(device.context as sys::CUcontext))?;
        let mut options = [
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let loaded = sys::cuModuleLoadDataEx(
            &mut module,
            text.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        );
        check("cuModuleLoadDataEx", loaded).map_err(|Unavailable(error)| {
            let log = String::from_utf8_lossy(&log);
            Unavailable(format!("{error}\n{}", log.trim_end_matches('\0')))
        })?;
    }
    let mut found = HashMap::new();
    for (name, kernel) in kernels {
        let symbol =
            CString::new(&*kernel.entry).map_err(|_| Unavailable("a name contains a zero byte".into()))?;
        let mut function = std::ptr::null_mut();
        // SAFETY: the module was loaded.
        let result = unsafe { sys::cuModuleGetFunction(&mut function, module, symbol.as_ptr()) };
        check(&format!("kernel `{name}`"), result)?;
        found.insert(name, (function as usize, kernel));
    }
    let Device { context, processors, .. } = device;
    let _ = LOADER.set(Loader { context, processors, kernels: found });
    Ok(())
}

/// Copies of host memory on the device, for one launch.
struct Copies {
    list: Vec<(MapValues, sys::CUdeviceptr)>,
}

impl Copies {
    /// The device address of a host address inside of a map.
    fn translate(&self, host: u64) -> Option<u64> {
        self.list
            .iter()
            .find(|(map, _)| host >= map.start && host < map.start + map.bytes.max(1))
            .map(|(map, device)| device + (host - map.start))
    }
}

/// Whether regions run on the device.
pub(crate) fn is_loaded() -> bool {
    LOADER.get().is_some()
}

/// Executes a region on the device. `dims` are the launch's own, 0 where it names none.
pub(crate) fn launch(desc: &LaunchDesc, values: &mut Values, dims: [u64; 5], maps: &[MapValues]) {
    let Some(loader) = LOADER.get() else { return };
    if let Err(error) = loader.launch(desc, values, dims, maps) {
        fatal(format_args!("{}:{}: the region `{}`: {error}", desc.pos.file, desc.pos.line, desc.region));
    }
}

impl Loader {
    /// How many gangs of so many threads can be on the device at once.
    fn resident(&self, function: usize, threads: u32) -> Result<u32, Unavailable> {
        let mut blocks = 0;
        let function = function as sys::CUfunction;
        // SAFETY: the function is of a module that stays loaded.
        let result = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, function, threads as i32, 0)
        };
        check("cuOccupancyMaxActiveBlocksPerMultiprocessor", result)?;
        Ok(u32::try_from(blocks).unwrap_or(0).max(1) * self.processors)
    }

    fn launch(
        &self,
        desc: &LaunchDesc,
        values: &mut Values,
        dims: [u64; 5],
        maps: &[MapValues],
    ) -> Result<(), Unavailable> {
        let Some((function, kernel)) = self.kernels.get(&*desc.region) else {
            return Err(Unavailable("it has no kernel".to_owned()));
        };
        // SAFETY: the context lives as long as the process.
        check("cuCtxSetCurrent", unsafe { sys::cuCtxSetCurrent(self.context as sys::CUcontext) })?;
        let pick = |index: usize, default: u32| match (kernel.dims[index], dims[index]) {
            (0, 0) => default,
            (0, asked) => u32::try_from(asked as i64).unwrap_or(1).max(1),
            (constant, _) => constant,
        };
        let lanes = pick(4, 32).min(1024);
        let row = lanes.next_multiple_of(32);
        let most_workers = if row > 32 { (1024 / row).min(15) } else { 32 };
        let workers = pick(3, 1).min(most_workers);
        let mut gangs = [pick(0, self.processors * 4), pick(1, 1), pick(2, 1)];
        if kernel.cooperative {
            gangs = [gangs[0].min(self.resident(*function, row * workers)?), 1, 1];
        }
        let copies = copy_in(maps)?;
        let mut args: Vec<u64> = Vec::with_capacity(desc.args.len() + 2);
        for arg in &desc.args {
            args.push(match *arg {
                ArgDesc::Address(map) => device_address(&copies, maps[map as usize])?,
                ArgDesc::Pointer(map) => {
                    let map = maps[map as usize];
                    device_address(&copies, map)?.wrapping_sub(map.bias)
                }
                ArgDesc::Value => values.next(),
            });
        }
        let count: u64 = gangs.iter().map(|&gangs| u64::from(gangs)).product();
        let scratch = usize::try_from(kernel.scratch + kernel.scratch_per_gang * count)
            .map_err(|_| Unavailable("more gangs than memory".to_owned()))?;
        let mut memory = 0;
        // SAFETY: plain allocation on the current device.
        unsafe {
            check("cuMemAlloc", sys::cuMemAlloc_v2(&mut memory, scratch))?;
            check("cuMemsetD8", sys::cuMemsetD8_v2(memory, 0, scratch))?;
        }
        args.push(memory);
        if kernel.dims[4] == 0 {
            args.push(u64::from(lanes));
        }
        let mut params: Vec<*mut c_void> =
            args.iter_mut().map(|arg| std::ptr::from_mut(arg).cast()).collect();
        // SAFETY: one value per parameter, as wide as any; the function is of a module that stays loaded.
        unsafe {
            let [x, y, z] = gangs;
            let function = *function as sys::CUfunction;
            let stream = std::ptr::null_mut();
            let none = std::ptr::null_mut();
            let params = params.as_mut_ptr();
            let launched = match kernel.cooperative {
                true => sys::cuLaunchCooperativeKernel(function, x, y, z, row, workers, 1, 0, stream, params),
                false => sys::cuLaunchKernel(function, x, y, z, row, workers, 1, 0, stream, params, none),
            };
            check("cuLaunchKernel", launched)?;
            check("kernel", sys::cuCtxSynchronize())?;
            check("cuMemFree", sys::cuMemFree_v2(memory))?;
        }
        copy_out(copies)
    }
}

/// Maps that overlap share one copy of all that they cover.
fn copy_in(maps: &[MapValues]) -> Result<Copies, Unavailable> {
    let mut ranges: Vec<MapValues> =
        maps.iter().copied().filter(|map| map.bytes > 0 && map.start != 0).collect();
    ranges.sort_by_key(|map| map.start);
    let mut merged: Vec<MapValues> = Vec::new();
    for map in ranges {
        match merged.last_mut() {
            Some(last) if map.start <= last.start + last.bytes => {
                last.bytes = last.bytes.max(map.start + map.bytes - last.start);
            }
            _ => merged.push(map),
        }
    }
    let mut copies = Copies { list: Vec::with_capacity(merged.len()) };
    for map in merged {
        let mut device = 0;
        // SAFETY: the program says that so many bytes are at this address; a wrong section faults, as on a host.
        unsafe {
            check("cuMemAlloc", sys::cuMemAlloc_v2(&mut device, map.bytes as usize))?;
            let host = std::ptr::with_exposed_provenance::<c_void>(map.start as usize);
            check("copy to the device", sys::cuMemcpyHtoD_v2(device, host, map.bytes as usize))?;
        }
        copies.list.push((map, device));
    }
    Ok(copies)
}

fn device_address(copies: &Copies, map: MapValues) -> Result<u64, Unavailable> {
    match copies.translate(map.start) {
        Some(address) => Ok(address),
        // Nothing is there to be accessed.
        None if map.bytes == 0 || map.start == 0 => Ok(map.start),
        None => Err(Unavailable("a mapped object has no copy on the device".to_owned())),
    }
}

fn copy_out(copies: Copies) -> Result<(), Unavailable> {
    for (map, device) in copies.list {
        let mut result = vec![0u8; map.bytes as usize];
        // SAFETY: the buffer is as long as the copy on the device; the program's memory was read from before. Constants
        // are in memory that cannot be written, so what did not change stays untouched.
        unsafe {
            let copied = sys::cuMemcpyDtoH_v2(result.as_mut_ptr().cast(), device, result.len());
            check("copy from the device", copied)?;
            check("cuMemFree", sys::cuMemFree_v2(device))?;
            let host = std::ptr::with_exposed_provenance_mut::<u8>(map.start as usize);
            if std::slice::from_raw_parts(host, result.len()) != result {
                std::ptr::copy_nonoverlapping(result.as_ptr(), host, result.len());
            }
        }
    }
    Ok(())
}

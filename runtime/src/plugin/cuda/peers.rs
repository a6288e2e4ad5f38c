//! Copies between the memories of two GPUs. Where they have a link, and each may see the other's pool, the
//! copy takes the link; otherwise the driver takes it through memory of the host.

use super::driver::check;
use crate::plugin::{Device, Native, Result};
use cudarc::driver::sys;
use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

/// A GPU that is open.
#[derive(Clone, Copy)]
struct Peer {
    device: sys::CUdevice,
    context: usize,
}

impl Peer {
    fn of(device: &dyn Device) -> Option<Peer> {
        let context = device.native(Native::Context);
        let number = device.native(Native::Device).cast::<sys::CUdevice>();
        // SAFETY: the handle is the address of a number that lives as long as the device.
        (!context.is_null()).then(|| Peer { device: unsafe { *number }, context: context as usize })
    }

    fn context(self) -> sys::CUcontext {
        self.context as sys::CUcontext
    }
}

/// Pairs of which the second one's memory was shown to the first one.
static SHOWN: Mutex<Vec<(c_int, c_int)>> = Mutex::new(Vec::new());

/// Copies on a stream of one of them, or of any other GPU. Another context may be current behind it.
///
/// # Safety
/// There are so many bytes at the two addresses, until the stream has come to the copy.
pub(super) unsafe fn copy(
    (target, to): (&dyn Device, u64),
    (source, from): (&dyn Device, u64),
    bytes: usize,
    stream: impl FnOnce() -> Result<sys::CUstream>,
) -> Result<bool> {
    let Some((target, source)) = Peer::of(target).zip(Peer::of(source)) else { return Ok(false) };
    show(target.device, source.device)?;
    show(source.device, target.device)?;
    // Asking for its context has made it the current one: that of the stream comes last.
    let stream = stream()?;
    // SAFETY: the caller's promise; contexts and stream exist.
    let result =
        unsafe { sys::cuMemcpyPeerAsync(to, target.context(), from, source.context(), bytes, stream) };
    check("copy between devices", result).map(|()| true)
}

/// Lets a GPU see the pool of another one, if it can.
fn show(to: sys::CUdevice, of: sys::CUdevice) -> Result<()> {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if shown.contains(&(to, of)) {
        return Ok(());
    }
    shown.push((to, of));
    let (mut can, mut pool) = (0, std::ptr::null_mut());
    let location = sys::CUmemLocation { type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: to };
    // SAFETY: the pointers are to variables of the types that the functions ask for.
    unsafe {
        check("cuDeviceCanAccessPeer", sys::cuDeviceCanAccessPeer(&mut can, to, of))?;
        if can == 0 || sys::cuDeviceGetDefaultMemPool(&mut pool, of) != sys::CUresult::CUDA_SUCCESS {
            return Ok(());
        }
        let access = sys::CUmemAccessDesc {
            location,
            flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        };
        check("cuMemPoolSetAccess", sys::cuMemPoolSetAccess(pool, &access, 1))
    }
}

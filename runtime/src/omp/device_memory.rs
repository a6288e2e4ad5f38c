//! Device memory (OpenMP 5.2, 18.8). Addresses of a device are never looked at by the host.

use super::devices::{Place, omp_get_default_device, place_of};
use super::entries::taskwait_on;
use crate::device;
use crate::memory::table::Range;
use crate::memory::{Memory, Sides, address, work_on};
use crate::site::Site;
use crate::twin;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

/// The most dimensions that `omp_target_memcpy_rect` copies.
const MAX_DIMS: c_int = 16;

fn number(address: *const c_void) -> u64 {
    address.expose_provenance() as u64
}

/// The memory that addresses of a device number are in; the inner `None` is the program's own. `None` where
/// there is no such device.
fn memory_of(device: c_int, site: &Site<'_>) -> Option<Option<&'static Memory>> {
    match place_of(device.into()).ok()? {
        Place::Initial => Some(None),
        Place::Device(unit) => {
            device::need_unit(unit, site);
            Some(unit.memory())
        }
    }
}

/// `omp_target_alloc`: null if the device does not exist, or has not so much memory.
pub extern "C" fn omp_target_alloc(bytes: usize, device: c_int) -> *mut c_void {
    let site = Site::routine("omp_target_alloc");
    match memory_of(device, &site) {
        Some(_) | None if bytes == 0 => null_mut(),
        None => null_mut(),
        // SAFETY: any size may be asked for.
        Some(None) => unsafe { libc::malloc(bytes) },
        Some(Some(memory)) => work_on(memory, site, |work| {
            let block = memory.device.allocate(bytes, "omp_target_alloc", work.queue).ok();
            block.map_or(null_mut(), |block| {
                twin::allocated(block, bytes);
                address(block)
            })
        }),
    }
}

/// `omp_target_free`. Of a device that does not exist nothing is freed.
///
/// # Safety
/// The address is one of `omp_target_alloc`'s for this device, or null.
pub unsafe extern "C" fn omp_target_free(block: *mut c_void, device: c_int) {
    let site = Site::routine("omp_target_free");
    if block.is_null() {
        return;
    }
    match memory_of(device, &site) {
        None => {}
        // SAFETY: the caller's promise.
        Some(None) => unsafe { libc::free(block) },
        Some(Some(memory)) => work_on(memory, site, |work| {
            memory.free(number(block), work);
            twin::freed(number(block));
        }),
    }
}

/// `omp_target_is_present`: on the host everything is.
pub extern "C" fn omp_target_is_present(host: *const c_void, device: c_int) -> c_int {
    let memory = memory_of(device, &Site::routine("omp_target_is_present"));
    c_int::from(memory.is_some_and(|memory| match memory {
        None => !host.is_null(),
        Some(memory) => memory.is_present(Range { start: number(host), bytes: 0 }),
    }))
}

/// `omp_target_is_accessible`: whether the device can use the program's memory where it is.
pub extern "C" fn omp_target_is_accessible(host: *const c_void, bytes: usize, device: c_int) -> c_int {
    let memory = memory_of(device, &Site::routine("omp_target_is_accessible"));
    c_int::from(!host.is_null() && bytes > 0 && matches!(memory, Some(None)))
}

/// `omp_get_mapped_ptr`: null for what is not present.
pub extern "C" fn omp_get_mapped_ptr(host: *const c_void, device: c_int) -> *mut c_void {
    match memory_of(device, &Site::routine("omp_get_mapped_ptr")) {
        None => null_mut(),
        Some(None) => host.cast_mut(),
        Some(Some(memory)) => memory.device_address(number(host)).map_or(null_mut(), address),
    }
}

/// What `dispatch` gives a variant that wants an address of the default device: as `use_device_ptr`, it
/// leaves a pointer to what is not present as it is.
pub extern "C" fn device_pointer(host: *mut c_void) -> *mut c_void {
    match memory_of(omp_get_default_device(), &Site::routine("dispatch")) {
        None | Some(None) => host,
        Some(Some(memory)) => memory.device_address(number(host)).map_or(host, address),
    }
}

/// The two sides of a copy by their device numbers, if there are such devices.
fn sides<'a>(to: c_int, from: c_int, site: Site<'a>) -> Option<Sides<'a>> {
    Some(Sides { to: memory_of(to, &site)?, from: memory_of(from, &site)?, site })
}

/// `omp_target_memcpy`; 0 is success.
///
/// # Safety
/// As for `memmove` of the two places that the offsets lead to.
pub unsafe extern "C" fn omp_target_memcpy(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_offset: usize,
    from_offset: usize,
    to_device: c_int,
    from_device: c_int,
) -> c_int {
    let Some(sides) = sides(to_device, from_device, Site::routine("omp_target_memcpy")) else {
        return libc::EINVAL;
    };
    if bytes > 0 && (to.is_null() || from.is_null()) {
        return libc::EINVAL;
    }
    let (to, from) =
        (number(to).wrapping_add(to_offset as u64), number(from).wrapping_add(from_offset as u64));
    // SAFETY: the caller's promise.
    unsafe { sides.copy(to, from, bytes) };
    0
}

/// Bytes that `omp_target_memset` sends to a device at once.
const FILL_BYTES: usize = 1 << 16;

/// `omp_target_memset`: fills memory of a device, and gives its address back.
///
/// # Safety
/// As for `memset` of the place.
pub unsafe extern "C" fn omp_target_memset(
    to: *mut c_void,
    value: c_int,
    bytes: usize,
    device: c_int,
) -> *mut c_void {
    let site = Site::routine("omp_target_memset");
    let Some(memory) = memory_of(device, &site).filter(|_| bytes > 0 && !to.is_null()) else { return to };
    let Some(memory) = memory else {
        // SAFETY: the caller's promise.
        return unsafe { libc::memset(to, value, bytes) };
    };
    let fill = vec![value.to_le_bytes()[0]; bytes.min(FILL_BYTES)];
    let sides = Sides { to: Some(memory), from: None, site };
    for done in (0..bytes).step_by(FILL_BYTES) {
        let start = number(to).wrapping_add(done as u64);
        // SAFETY: the caller's promise.
        unsafe { sides.copy(start, number(fill.as_ptr().cast()), (bytes - done).min(FILL_BYTES)) };
    }
    to
}

/// `omp_target_memset_async`. It is a task that waits for its dependences, and is executed at once.
///
/// # Safety
/// As for [`omp_target_memset`]; `depend_list` leads to as many dependences as `depends` says.
pub unsafe extern "C" fn omp_target_memset_async(
    to: *mut c_void,
    value: c_int,
    bytes: usize,
    device: c_int,
    depends: c_int,
    depend_list: *mut c_void,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { wait_for(depends, depend_list) };
    // SAFETY: the caller's promise.
    unsafe { omp_target_memset(to, value, bytes, device) }
}

/// Waits for the tasks that the dependences of a copy are about. The copy is then done at once, so that tasks
/// that depend on it need not wait.
///
/// # Safety
/// `list` leads to `count` objects of type `omp_depend_t`.
unsafe fn wait_for(count: c_int, list: *const c_void) {
    if count > 0 && !list.is_null() {
        // SAFETY: an `omp_depend_t` has the form of a dependence in the array of a task.
        unsafe { taskwait_on(null(), list, count.into(), 0) };
    }
}

/// `omp_target_memcpy_async`. The copy is a task that waits for its dependences, and is executed at once.
///
/// # Safety
/// As for [`omp_target_memcpy`]; `depend_list` leads to as many dependences as `depends` says.
pub unsafe extern "C" fn omp_target_memcpy_async(
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    to_offset: usize,
    from_offset: usize,
    to_device: c_int,
    from_device: c_int,
    depends: c_int,
    depend_list: *mut c_void,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { wait_for(depends, depend_list) };
    // SAFETY: the caller's promise.
    unsafe { omp_target_memcpy(to, from, bytes, to_offset, from_offset, to_device, from_device) }
}

/// A box within an array, one entry per dimension, outermost first: the extents that are copied, and on
/// either side where the box begins and how large the array is.
#[derive(Clone, Copy)]
struct Rect<'a> {
    volume: &'a [usize],
    to_offsets: &'a [usize],
    from_offsets: &'a [usize],
    to_dims: &'a [usize],
    from_dims: &'a [usize],
}

impl<'a> Rect<'a> {
    /// The innermost dimension's extent and offsets, and the dimensions within the outermost.
    fn split(self) -> (usize, usize, usize, Rect<'a>) {
        let inner = Rect {
            volume: &self.volume[1..],
            to_offsets: &self.to_offsets[1..],
            from_offsets: &self.from_offsets[1..],
            to_dims: &self.to_dims[1..],
            from_dims: &self.from_dims[1..],
        };
        (self.volume[0], self.to_offsets[0], self.from_offsets[0], inner)
    }

    /// Bytes of one step in the outermost dimension, to and from; `None` if they cannot be counted.
    fn strides(self, element: usize) -> Option<(usize, usize)> {
        let product = |dims: &[usize]| dims.iter().try_fold(element, |bytes, &dim| bytes.checked_mul(dim));
        Some((product(&self.to_dims[1..])?, product(&self.from_dims[1..])?))
    }
}

/// # Safety
/// The box lies within both arrays, which do not overlap.
unsafe fn copy_rect(sides: Sides<'_>, to: u64, from: u64, element: usize, rect: Rect<'_>) -> Option<()> {
    let (extent, to_offset, from_offset, inner) = rect.split();
    let (to_stride, from_stride) = rect.strides(element)?;
    let to = to.wrapping_add(to_offset.checked_mul(to_stride)? as u64);
    let from = from.wrapping_add(from_offset.checked_mul(from_stride)? as u64);
    if inner.volume.is_empty() {
        // SAFETY: the caller's promise.
        unsafe { sides.copy(to, from, extent.checked_mul(element)?) };
        return Some(());
    }
    for index in 0..extent {
        let to = to.wrapping_add((index * to_stride) as u64);
        let from = from.wrapping_add((index * from_stride) as u64);
        // SAFETY: the caller's promise, for one slice of the box.
        unsafe { copy_rect(sides, to, from, element, inner)? };
    }
    Some(())
}

/// `omp_target_memcpy_rect`; 0 is success. With both addresses null it gives the number of dimensions it can
/// copy.
///
/// # Safety
/// The five arrays have one entry per dimension, and the box that they describe lies within both arrays.
pub unsafe extern "C" fn omp_target_memcpy_rect(
    to: *mut c_void,
    from: *const c_void,
    element: usize,
    dims: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_dims: *const usize,
    from_dims: *const usize,
    to_device: c_int,
    from_device: c_int,
) -> c_int {
    if to.is_null() && from.is_null() {
        return MAX_DIMS;
    }
    let site = Site::routine("omp_target_memcpy_rect");
    let Some(sides) = sides(to_device, from_device, site).filter(|_| (1..=MAX_DIMS).contains(&dims)) else {
        return libc::EINVAL;
    };
    if [volume, to_offsets, from_offsets, to_dims, from_dims].iter().any(|array| array.is_null()) {
        return libc::EINVAL;
    }
    // SAFETY: the caller's promise.
    let array = |first: *const usize| unsafe { std::slice::from_raw_parts(first, dims as usize) };
    let rect = Rect {
        volume: array(volume),
        to_offsets: array(to_offsets),
        from_offsets: array(from_offsets),
        to_dims: array(to_dims),
        from_dims: array(from_dims),
    };
    // SAFETY: the caller's promise.
    match unsafe { copy_rect(sides, number(to), number(from), element, rect) } {
        Some(()) => 0,
        None => libc::EINVAL,
    }
}

/// `omp_target_memcpy_rect_async`. The copy is a task that waits for its dependences, and is executed at
/// once.
///
/// # Safety
/// As for [`omp_target_memcpy_rect`]; `depend_list` leads to as many dependences as `depends` says.
pub unsafe extern "C" fn omp_target_memcpy_rect_async(
    to: *mut c_void,
    from: *const c_void,
    element: usize,
    dims: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_dims: *const usize,
    from_dims: *const usize,
    to_device: c_int,
    from_device: c_int,
    depends: c_int,
    depend_list: *mut c_void,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        wait_for(depends, depend_list);
        omp_target_memcpy_rect(
            to,
            from,
            element,
            dims,
            volume,
            to_offsets,
            from_offsets,
            to_dims,
            from_dims,
            to_device,
            from_device,
        )
    }
}

/// `omp_target_associate_ptr`; 0 is success. The host's own addresses cannot stand for others.
pub extern "C" fn omp_target_associate_ptr(
    host: *const c_void,
    on_device: *const c_void,
    bytes: usize,
    offset: usize,
    device: c_int,
) -> c_int {
    let Some(Some(memory)) = memory_of(device, &Site::routine("omp_target_associate_ptr")) else {
        return libc::EINVAL;
    };
    let range = Range { start: number(host), bytes: bytes as u64 };
    let done = memory.associate(range, number(on_device).wrapping_add(offset as u64));
    if done { 0 } else { libc::EINVAL }
}

/// `omp_target_disassociate_ptr`; 0 is success.
pub extern "C" fn omp_target_disassociate_ptr(host: *const c_void, device: c_int) -> c_int {
    match memory_of(device, &Site::routine("omp_target_disassociate_ptr")) {
        Some(Some(memory)) if memory.disassociate(number(host)) => 0,
        _ => libc::EINVAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::{null, null_mut};

    #[test]
    fn rectangles() {
        let from: [[i32; 5]; 4] =
            std::array::from_fn(|row| std::array::from_fn(|column| (10 * row + column) as i32));
        let mut to = [[0i32; 3]; 3];
        let copy = |to: *mut i32, dims, volume: [usize; 2], device| {
            // SAFETY: the box lies within both arrays.
            unsafe {
                omp_target_memcpy_rect(
                    to.cast(),
                    from.as_ptr().cast(),
                    size_of::<i32>(),
                    dims,
                    volume.as_ptr(),
                    [1, 0].as_ptr(),
                    [2, 3].as_ptr(),
                    [3, 3].as_ptr(),
                    [4, 5].as_ptr(),
                    0,
                    device,
                )
            }
        };
        let place = to.as_mut_ptr().cast();
        assert_eq!(copy(place, 2, [2, 2], 0), 0);
        assert_eq!(copy(place, 2, [2, 2], 1), libc::EINVAL);
        assert_eq!(copy(place, 0, [2, 2], 0), libc::EINVAL);
        assert_eq!(copy(place, 2, [1, usize::MAX], 0), libc::EINVAL);
        assert_eq!(to, [[0, 0, 0], [23, 24, 0], [33, 34, 0]]);
        // SAFETY: null addresses ask for the limit.
        let limit = unsafe {
            omp_target_memcpy_rect(null_mut(), null(), 0, 0, null(), null(), null(), null(), null(), 0, 0)
        };
        assert!(limit >= 3);
    }

    #[test]
    fn devices_that_do_not_exist() {
        assert!(omp_target_alloc(8, 3).is_null());
        let mut byte = 0u8;
        let place: *mut c_void = (&raw mut byte).cast();
        // SAFETY: nothing is copied.
        assert_eq!(unsafe { omp_target_memcpy(place, place, 1, 0, 0, 0, 3) }, libc::EINVAL);
        assert_eq!((omp_target_is_present(place, 0), omp_target_is_present(place, 3)), (1, 0));
        assert_eq!(omp_target_is_present(null(), 0), 0);
    }
}

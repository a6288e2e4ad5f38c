//! Device memory (OpenMP 5.0, 3.6). The only device is the host, whose number is 0 as there are no others.

use std::ffi::{c_int, c_void};

/// `omp_initial_device` of OpenMP 5.2.
const INITIAL_DEVICE: c_int = -1;
/// The most dimensions that `omp_target_memcpy_rect` copies.
const MAX_DIMS: c_int = 16;

/// Whether the number is the host's.
pub(crate) fn is_device(number: c_int) -> bool {
    matches!(number, 0 | INITIAL_DEVICE)
}

/// `omp_target_alloc`: null if the device does not exist.
pub extern "C" fn omp_target_alloc(bytes: usize, device: c_int) -> *mut c_void {
    match is_device(device) && bytes > 0 {
        // SAFETY: any size may be asked for.
        true => unsafe { libc::malloc(bytes) },
        false => std::ptr::null_mut(),
    }
}

/// `omp_target_free`.
///
/// # Safety
/// The address is one of `omp_target_alloc`'s, or null.
pub unsafe extern "C" fn omp_target_free(address: *mut c_void, _device: c_int) {
    // SAFETY: the caller's promise.
    unsafe { libc::free(address) };
}

/// `omp_target_is_present`: on the host everything is.
pub extern "C" fn omp_target_is_present(address: *const c_void, device: c_int) -> c_int {
    c_int::from(is_device(device) && !address.is_null())
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
    if !is_device(to_device) || !is_device(from_device) {
        return libc::EINVAL;
    }
    if bytes > 0 {
        let to = to.cast::<u8>().wrapping_add(to_offset);
        let from = from.cast::<u8>().wrapping_add(from_offset);
        // SAFETY: the caller's promise.
        unsafe { libc::memmove(to.cast(), from.cast(), bytes) };
    }
    0
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
unsafe fn copy_rect(to: *mut u8, from: *const u8, element: usize, rect: Rect<'_>) -> Option<()> {
    let (extent, to_offset, from_offset, inner) = rect.split();
    let (to_stride, from_stride) = rect.strides(element)?;
    let to = to.wrapping_add(to_offset.checked_mul(to_stride)?);
    let from = from.wrapping_add(from_offset.checked_mul(from_stride)?);
    if inner.volume.is_empty() {
        let bytes = extent.checked_mul(element)?;
        if bytes > 0 {
            // SAFETY: the caller's promise.
            unsafe { libc::memmove(to.cast(), from.cast(), bytes) };
        }
        return Some(());
    }
    for index in 0..extent {
        let (to, from) = (to.wrapping_add(index * to_stride), from.wrapping_add(index * from_stride));
        // SAFETY: the caller's promise, for one slice of the box.
        unsafe { copy_rect(to, from, element, inner)? };
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
    if !is_device(to_device) || !is_device(from_device) || !(1..=MAX_DIMS).contains(&dims) {
        return libc::EINVAL;
    }
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
    match unsafe { copy_rect(to.cast(), from.cast(), element, rect) } {
        Some(()) => 0,
        None => libc::EINVAL,
    }
}

/// `omp_target_associate_ptr`: the host's own addresses cannot stand for others.
pub extern "C" fn omp_target_associate_ptr(
    _host: *const c_void,
    _device_address: *const c_void,
    _bytes: usize,
    _offset: usize,
    _device: c_int,
) -> c_int {
    libc::EINVAL
}

/// `omp_target_disassociate_ptr`: nothing is associated.
pub extern "C" fn omp_target_disassociate_ptr(_host: *const c_void, _device: c_int) -> c_int {
    libc::EINVAL
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

//! Places and affinity (OpenMP 5.0, 3.2.23 to 3.2.33): threads are not bound, so there are no places; the
//! affinity of a thread can still be shown in a format of the program's choice.

use super::devices::{omp_get_num_teams, omp_get_team_num};
use super::threads::{omp_get_ancestor_thread_num, omp_get_level, omp_get_num_threads, omp_get_thread_num};
use crate::team::environment::environment;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int};
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use std::sync::{Mutex, PoisonError};

const DEFAULT_FORMAT: &str = "level %L thread %i affinity %A";

/// The format that the program has set, bytes of a C string.
static FORMAT: Mutex<Option<Vec<u8>>> = Mutex::new(None);

/// `omp_get_place_num`: no place.
pub extern "C" fn omp_get_place_num() -> c_int {
    -1
}

/// `omp_get_place_num_procs`: places that do not exist have no processors.
pub extern "C" fn omp_get_place_num_procs(_place: c_int) -> c_int {
    0
}

/// `omp_get_place_proc_ids`: there are none to write.
pub extern "C" fn omp_get_place_proc_ids(_place: c_int, _ids: *mut c_int) {}

/// `omp_get_partition_place_nums`: there are none to write.
pub extern "C" fn omp_get_partition_place_nums(_places: *mut c_int) {}

/// The format that the program has set, or else the environment.
fn format() -> Vec<u8> {
    let set = FORMAT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let of_environment = || std::env::var_os("OMP_AFFINITY_FORMAT").map(OsStringExt::into_vec);
    set.or_else(of_environment).unwrap_or_else(|| DEFAULT_FORMAT.as_bytes().to_vec())
}

/// `OMP_DISPLAY_AFFINITY`: a thread shows its affinity in its first region.
pub(crate) fn display_once() {
    thread_local! {
        static SHOWN: Cell<bool> = const { Cell::new(false) };
    }
    if environment().display_affinity && !SHOWN.replace(true) {
        // SAFETY: no format is given.
        unsafe { omp_display_affinity(std::ptr::null()) };
    }
}

/// A format that an argument gives, or else the one that was set.
///
/// # Safety
/// `given` is a C string, or null.
unsafe fn format_or(given: *const c_char) -> Vec<u8> {
    if given.is_null() {
        return format();
    }
    // SAFETY: the caller's promise.
    match unsafe { CStr::from_ptr(given) }.to_bytes() {
        b"" => format(),
        text => text.to_vec(),
    }
}

/// `omp_set_affinity_format`.
///
/// # Safety
/// `text` is a C string.
pub unsafe extern "C" fn omp_set_affinity_format(text: *const c_char) {
    if text.is_null() {
        return;
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) }.to_bytes().to_vec();
    *FORMAT.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
}

/// `omp_get_affinity_format`: the length of the format, and as much of it as the buffer holds.
///
/// # Safety
/// `buffer` has room for `size` bytes.
pub unsafe extern "C" fn omp_get_affinity_format(buffer: *mut c_char, size: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe { give(&format(), buffer, size) }
}

/// `omp_capture_affinity`: the length of the text, and as much of it as the buffer holds.
///
/// # Safety
/// `buffer` has room for `size` bytes; `given` is a C string, or null.
pub unsafe extern "C" fn omp_capture_affinity(
    buffer: *mut c_char,
    size: usize,
    given: *const c_char,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe { give(&expand(&format_or(given)), buffer, size) }
}

/// `omp_display_affinity`.
///
/// # Safety
/// `given` is a C string, or null.
pub unsafe extern "C" fn omp_display_affinity(given: *const c_char) {
    // SAFETY: the caller's promise.
    let mut text = expand(&unsafe { format_or(given) });
    text.push(b'\n');
    // A program may have closed the stream; then nobody looks.
    let _ = std::io::stderr().write_all(&text);
}

/// # Safety
/// `buffer` has room for `size` bytes.
unsafe fn give(text: &[u8], buffer: *mut c_char, size: usize) -> usize {
    if size > 0 && !buffer.is_null() {
        let fits = text.len().min(size - 1);
        // SAFETY: the caller's promise; a final zero fits as well.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast(), fits);
            buffer.add(fits).write(0);
        }
    }
    text.len()
}

/// A field of a format: `%`, then `0` for leading zeros, `.` for right alignment, a width, and a letter or a
/// name in braces.
struct Field {
    zeros: bool,
    right: bool,
    width: usize,
    letter: u8,
}

/// Wider fields are cut: no line is that long.
const MAX_WIDTH: usize = 1024;

/// Long names of fields, and their letters.
const NAMES: [(&[u8], u8); 10] = [
    (b"team_num", b't'),
    (b"num_teams", b'T'),
    (b"nesting_level", b'L'),
    (b"thread_num", b'n'),
    (b"num_threads", b'N'),
    (b"ancestor_tnum", b'a'),
    (b"host", b'H'),
    (b"process_id", b'P'),
    (b"native_thread_id", b'i'),
    (b"thread_affinity", b'A'),
];

fn expand(format: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut rest = format;
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            text.push(first);
        } else if let Some((b'%', after)) = rest.split_first() {
            text.push(b'%');
            rest = after;
        } else {
            let (field, after) = read_field(rest);
            append(&mut text, &field);
            rest = after;
        }
    }
    text
}

/// The field after a `%`, and what follows it. A name that is not known stands for an undefined field.
fn read_field(mut text: &[u8]) -> (Field, &[u8]) {
    let mut field = Field { zeros: false, right: false, width: 0, letter: 0 };
    if let Some(after) = text.strip_prefix(b"0") {
        (field.zeros, text) = (true, after);
    }
    if let Some(after) = text.strip_prefix(b".") {
        (field.right, text) = (true, after);
    }
    while let Some((digit @ b'0'..=b'9', after)) = text.split_first() {
        field.width = (field.width * 10 + usize::from(digit - b'0')).min(MAX_WIDTH);
        text = after;
    }
    if let Some(after) = text.strip_prefix(b"{")
        && let Some(end) = after.iter().position(|&byte| byte == b'}')
    {
        let name = &after[..end];
        field.letter = NAMES.iter().find(|(known, _)| *known == name).map_or(0, |&(_, letter)| letter);
        return (field, &after[end + 1..]);
    }
    match text.split_first() {
        Some((&letter, after)) => (Field { letter, ..field }, after),
        None => (field, text),
    }
}

fn append(text: &mut Vec<u8>, field: &Field) {
    let value = value(field.letter);
    let padding = field.width.saturating_sub(value.len());
    let digits = value.strip_prefix('-').unwrap_or(&value);
    if field.zeros && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        text.extend(value.bytes().take(value.len() - digits.len()));
        text.extend(std::iter::repeat_n(b'0', padding));
        text.extend(digits.bytes());
    } else if field.right {
        text.extend(std::iter::repeat_n(b' ', padding));
        text.extend(value.bytes());
    } else {
        text.extend(value.bytes());
        text.extend(std::iter::repeat_n(b' ', padding));
    }
}

fn value(letter: u8) -> String {
    match letter {
        b't' => omp_get_team_num().to_string(),
        b'T' => omp_get_num_teams().to_string(),
        b'L' => omp_get_level().to_string(),
        b'n' => omp_get_thread_num().to_string(),
        b'N' => omp_get_num_threads().to_string(),
        b'a' => omp_get_ancestor_thread_num(omp_get_level() - 1).to_string(),
        b'H' => host_name(),
        b'P' => std::process::id().to_string(),
        // SAFETY: asks for a number.
        b'i' => unsafe { libc::gettid() }.to_string(),
        b'A' => processors(),
        _ => "undefined".into(),
    }
}

fn host_name() -> String {
    let mut name = [0u8; 256];
    // SAFETY: so many bytes; the last one stays zero.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    match CStr::from_bytes_until_nul(&name) {
        Ok(name) if !failed => name.to_string_lossy().into_owned(),
        _ => "unknown".into(),
    }
}

/// The processors that the thread may run on, as ranges.
fn processors() -> String {
    // SAFETY: a set of processors is plain bits.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set has the size that is said.
    if unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) } != 0 {
        return "0".into();
    }
    let bits = 8 * size_of::<libc::cpu_set_t>();
    // SAFETY: the number is within the set.
    let member = |cpu: usize| cpu < bits && unsafe { libc::CPU_ISSET(cpu, &set) };
    let mut ranges = Vec::new();
    let mut cpu = 0;
    while cpu < bits {
        let first = cpu;
        while member(cpu) {
            cpu += 1;
        }
        match cpu - first {
            0 => cpu += 1,
            1 => ranges.push(first.to_string()),
            _ => ranges.push(format!("{first}-{}", cpu - 1)),
        }
    }
    ranges.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(format: &str) -> String {
        String::from_utf8(expand(format.as_bytes())).expect("formats of text give text")
    }

    #[test]
    fn fields() {
        assert_eq!(expanded("a %n/%N %% %{nesting_level}!"), "a 0/1 % 0!");
        assert_eq!(expanded("[%4n][%.4n][%0.4N][%04N]"), "[0   ][   0][0001][0001]");
        assert_eq!(expanded("[%4a][%.4a][%04a]"), "[-1  ][  -1][-001]");
        assert_eq!(expanded("%z %{nonsense} %{thread_num"), "undefined undefined undefinedthread_num");
        assert_eq!(expanded("%"), "undefined");
        assert_eq!(expanded("%P"), std::process::id().to_string());
        assert_eq!(expanded("%99999999999999999999n").len(), MAX_WIDTH);
    }

    #[test]
    fn formats_are_kept_and_cut() {
        let mut buffer = [1 as c_char; 8];
        // SAFETY: C strings, and buffers of their size.
        unsafe {
            omp_set_affinity_format(c"thread %n of %N".as_ptr());
            assert_eq!(omp_get_affinity_format(buffer.as_mut_ptr(), buffer.len()), 15);
            assert_eq!(CStr::from_ptr(buffer.as_ptr()), c"thread ");
            assert_eq!(omp_capture_affinity(buffer.as_mut_ptr(), buffer.len(), c"%n-%N".as_ptr()), 3);
            assert_eq!(CStr::from_ptr(buffer.as_ptr()), c"0-1");
            assert_eq!(omp_capture_affinity(std::ptr::null_mut(), 0, std::ptr::null()), 13);
        }
    }
}

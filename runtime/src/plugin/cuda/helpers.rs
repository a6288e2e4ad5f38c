//! Kernels of the plugin itself, for what the driver's calls do too slowly: a launch of one takes its place
//! among the other launches of a tape ([`super::tape`]), a copy of a few bytes does not.
//!
//! `poke` writes up to eight bytes that are arguments. `publish` copies a few bytes each from some places to
//! pinned memory of the host, may give the places values back, and tells the host by a number in pinned
//! memory that it has. `answer` does that for a few words, which tell of themselves that they have arrived:
//! a number behind bytes has to wait until they are in the host's memory, for half a microsecond.
//! `clear` fills words with zeros.

use super::driver::check;
use crate::plugin::Result;
use cudarc::driver::sys;
use std::ffi::CStr;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// Copies that one launch of `publish` makes.
pub(super) const PUBLISHED: usize = 4;
/// Bytes of such a copy, at most: a thread for each.
pub(super) const PUBLISHED_BYTES: usize = 64;
/// Bytes of a copy of `answer`, at most.
pub(super) const WORD: usize = 8;
/// Words that a CTA of `clear` fills at once.
pub(super) const CLEARED: u32 = 256;

/// The kernels, loaded.
pub(super) struct Helpers {
    /// Arguments: address, value, number of bytes.
    pub(super) poke: usize,
    /// Arguments: address of the number, the number; then for each copy its source, its target, the number
    /// of bytes (with [`RESETS`] if the source gets a value back), and that value.
    pub(super) publish: usize,
    /// Arguments: for each copy its source, its [`Answer`], the number of bytes, which is 0, 4 or 8 (with
    /// [`RESETS`] if the source gets a value back), and that value.
    pub(super) answer: usize,
    /// Arguments: address, number of 32-bit words.
    pub(super) clear: usize,
    /// They wait for the kernel before them, as those of the program do.
    pub(super) wait: bool,
}

/// Beside the number of bytes of a copy: the source gets the value that follows.
pub(super) const RESETS: u64 = 1 << 32;

/// Where `answer` copies to, in pinned memory: the lower and the upper half of up to eight bytes, each with
/// [`ARRIVED`] above it. Each half arrives as a whole.
#[repr(C, align(16))]
pub(super) struct Answer([AtomicU64; 2]);

/// What the upper half of a word of an [`Answer`] is when the lower one is there.
const ARRIVED: u64 = 1 << 32;

impl Answer {
    /// The answer at a place.
    ///
    /// # Safety
    /// The place is pinned memory of 16 bytes, aligned as much, which nothing but answers uses meanwhile.
    pub(super) unsafe fn at(place: usize) -> &'static Answer {
        // SAFETY: the caller's promise; pinned memory stays as long as the process.
        unsafe { &*std::ptr::with_exposed_provenance::<Answer>(place) }
    }

    /// Nothing has arrived.
    pub(super) fn clear(&self) {
        self.0.iter().for_each(|half| half.store(0, Ordering::Relaxed));
    }

    /// The bytes, once they have arrived.
    pub(super) fn get(&self) -> Option<[u8; WORD]> {
        let [low, high] = self.0.each_ref().map(|half| half.load(Ordering::Acquire));
        let value = (low % ARRIVED) | (high << 32);
        (low >= ARRIVED && high >= ARRIVED).then(|| value.to_le_bytes())
    }
}

impl Helpers {
    /// Loads the kernels in the current context. They wait for the kernel before them if those of the program
    /// do.
    pub(super) fn load(wait: bool) -> Result<Helpers> {
        let text = format!("{}\0", text(wait));
        let mut module = std::ptr::null_mut();
        // SAFETY: the pointer is to a variable of the right type; the text ends with a zero byte.
        let result = unsafe { sys::cuModuleLoadData(&mut module, text.as_ptr().cast()) };
        check("the driver refuses the plugin's own kernels", result)?;
        let function = |name: &CStr| {
            let mut handle = std::ptr::null_mut();
            // SAFETY: the module is loaded; the pointer is to a variable of the right type.
            let found = unsafe { sys::cuModuleGetFunction(&mut handle, module, name.as_ptr()) };
            check("a kernel of the plugin", found)?;
            Ok(handle as usize)
        };
        Ok(Helpers {
            poke: function(c"accrue_poke")?,
            publish: function(c"accrue_publish")?,
            answer: function(c"accrue_answer")?,
            clear: function(c"accrue_clear")?,
            wait,
        })
    }
}

/// What kernels say that wait for the kernel before them.
pub(super) const WAIT: &str = "griddepcontrol.wait;\n";

/// The kernels as PTX, for every target that accrue has or for those that can wait.
fn text(wait: bool) -> String {
    let (head, wait) = if wait { (HEAD_90, WAIT) } else { (HEAD, "") };
    let mut text = format!(
        "{head}.visible .entry accrue_poke(.param .b64 at, .param .b64 value, .param .b64 bytes)\n{{\n{REGISTERS}{wait}{POKE}}}\n\
         .visible .entry accrue_clear(.param .b64 at, .param .b64 words)\n{{\n{REGISTERS}{wait}{CLEAR}}}\n\
         .visible .entry accrue_publish(.param .b64 number_at, .param .b64 number, {copies})\n{{\n\
         {REGISTERS}{wait}mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd1, %r1;\n",
        copies = copies()
    );
    for copy in 0..PUBLISHED {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "ld.param.u64 %rd2, [bytes{copy}];\n\
             and.b64 %rd3, %rd2, 4294967295;\n\
             setp.ge.u64 %p1, %rd1, %rd3;\n\
             @%p1 bra $next{copy};\n\
             ld.param.u64 %rd4, [from{copy}];\n\
             add.u64 %rd4, %rd4, %rd1;\n\
             ld.global.u8 %r2, [%rd4];\n\
             ld.param.u64 %rd5, [to{copy}];\n\
             add.u64 %rd5, %rd5, %rd1;\n\
             st.global.u8 [%rd5], %r2;\n\
             setp.lt.u64 %p1, %rd2, {RESETS};\n\
             @%p1 bra $next{copy};\n\
             ld.param.u64 %rd6, [value{copy}];\n\
             shl.b32 %r3, %r1, 3;\n\
             shr.u64 %rd6, %rd6, %r3;\n\
             st.global.u8 [%rd4], %rd6;\n\
             $next{copy}:\n"
        );
    }
    text.push_str(TELL);
    let _ = write!(
        text,
        ".visible .entry accrue_answer({})\n{{\n{REGISTERS}{wait}mov.u32 %r1, %tid.x;\nmov.u64 %rd3, 0;\n",
        copies()
    );
    for copy in 0..PUBLISHED {
        let _ = write!(
            text,
            "setp.eq.u32 %p1, %r1, {copy};\n\
             @%p1 ld.param.u64 %rd1, [from{copy}];\n\
             @%p1 ld.param.u64 %rd2, [to{copy}];\n\
             @%p1 ld.param.u64 %rd3, [bytes{copy}];\n\
             @%p1 ld.param.u64 %rd4, [value{copy}];\n"
        );
    }
    text.push_str(ANSWER);
    text
}

/// The parameters that say what is copied.
fn copies() -> String {
    let of_one = |copy: usize| {
        format!(
            ".param .b64 from{copy}, .param .b64 to{copy}, .param .b64 bytes{copy}, .param .b64 value{copy}"
        )
    };
    (0..PUBLISHED).map(of_one).collect::<Vec<_>>().join(", ")
}

const HEAD: &str = ".version 6.0\n.target sm_70\n.address_size 64\n";
const HEAD_90: &str = ".version 7.8\n.target sm_90\n.address_size 64\n";

const REGISTERS: &str = ".reg .pred %p<3>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n";

const POKE: &str = "mov.u32 %r1, %tid.x;
cvt.u64.u32 %rd1, %r1;
ld.param.u64 %rd2, [bytes];
setp.ge.u64 %p1, %rd1, %rd2;
@%p1 ret;
ld.param.u64 %rd3, [at];
add.u64 %rd3, %rd3, %rd1;
ld.param.u64 %rd4, [value];
shl.b32 %r2, %r1, 3;
shr.u64 %rd4, %rd4, %r2;
st.global.u8 [%rd3], %rd4;
ret;
";

const CLEAR: &str = "mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mov.u32 %r4, %nctaid.x;
mad.lo.u32 %r1, %r2, %r3, %r1;
mul.lo.u32 %r4, %r4, %r3;
cvt.u64.u32 %rd1, %r1;
cvt.u64.u32 %rd2, %r4;
ld.param.u64 %rd3, [words];
ld.param.u64 %rd4, [at];
mov.u32 %r5, 0;
$more:
setp.ge.u64 %p1, %rd1, %rd3;
@%p1 ret;
shl.b64 %rd5, %rd1, 2;
add.u64 %rd5, %rd4, %rd5;
st.global.u32 [%rd5], %r5;
add.u64 %rd1, %rd1, %rd2;
bra $more;
";

/// The bytes of all threads are in the host's memory before the number is. Where nothing is copied, nobody
/// waits.
const TELL: &str = "ld.param.u64 %rd2, [bytes0];
setp.eq.u64 %p2, %rd2, 0;
@!%p2 bar.sync 0;
setp.ne.u32 %p1, %r1, 0;
@%p1 ret;
ld.param.u64 %rd1, [number_at];
setp.eq.u64 %p1, %rd1, 0;
@%p1 ret;
ld.param.u64 %rd2, [number];
@!%p2 fence.acq_rel.sys;
st.volatile.global.u64 [%rd1], %rd2;
ret;
}
";

/// A thread has a copy of its own.
const ANSWER: &str = "setp.eq.u64 %p1, %rd3, 0;
@%p1 ret;
and.b64 %rd5, %rd3, 4294967295;
setp.eq.u64 %p1, %rd5, 8;
mov.u32 %r3, 0;
ld.global.u32 %r2, [%rd1];
@%p1 ld.global.u32 %r3, [%rd1+4];
mov.u32 %r4, 1;
mov.b64 %rd5, {%r2, %r4};
mov.b64 %rd6, {%r3, %r4};
st.volatile.global.v2.u64 [%rd2], {%rd5, %rd6};
setp.lt.u64 %p2, %rd3, 4294967296;
@%p2 ret;
mov.b64 {%r2, %r3}, %rd4;
st.global.u32 [%rd1], %r2;
@%p1 st.global.u32 [%rd1+4], %r3;
ret;
}
";

#[cfg(test)]
mod tests {
    use super::*;

    /// Where NVIDIA's assembler is, it says that the text is PTX.
    #[test]
    fn the_assembler_takes_them() {
        let path = std::env::temp_dir().join(format!("accrue-helpers-{}.ptx", std::process::id()));
        for (arch, wait) in [("sm_70", false), ("sm_90", true)] {
            std::fs::write(&path, text(wait)).expect("the file can be written");
            let mut command = std::process::Command::new("ptxas");
            match command.args(["-arch", arch, "-o", "/dev/null"]).arg(&path).output() {
                Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
                Err(error) => eprintln!("skipped: no ptxas: {error}"),
            }
        }
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn publish_has_parameters_for_all_its_copies() {
        let text = text(true);
        assert_eq!(text.matches(WAIT).count(), 4);
        for (kernel, parameters) in
            [("accrue_publish(", 2 + 4 * PUBLISHED), ("accrue_answer(", 4 * PUBLISHED)]
        {
            let list = text.rsplit_once(kernel).map(|(_, rest)| rest.split(')').next());
            assert_eq!(list.flatten().map(|list| list.matches(".param").count()), Some(parameters));
        }
        assert_eq!(text.matches(".visible .entry").count(), 4);
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn an_answer_is_there_when_both_halves_are() {
        let answer = Answer([const { AtomicU64::new(u64::MAX) }; 2]);
        answer.clear();
        assert_eq!(answer.get(), None);
        answer.0[1].store(ARRIVED | 0x89ab_cdef, Ordering::Relaxed);
        assert_eq!(answer.get(), None);
        answer.0[0].store(ARRIVED | 0x0123_4567, Ordering::Relaxed);
        assert_eq!(answer.get(), Some(0x89ab_cdef_0123_4567_u64.to_le_bytes()));
    }
}

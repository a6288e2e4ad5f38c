//! Kernels of the plugin itself, for what the driver's calls do too slowly: a launch of one takes its place
//! among the other launches of a tape ([`super::tape`]), a copy of a few bytes does not.
//!
//! `poke` writes up to eight bytes that are arguments. `publish` copies a few bytes each from some places to
//! pinned memory of the host, may give the places values back, and tells the host by a number in pinned
//! memory that it has. `clear` fills words with zeros.

use super::driver::check;
use crate::plugin::Result;
use cudarc::driver::sys;
use std::ffi::CStr;
use std::fmt::Write as _;

/// Copies that one launch of `publish` makes.
pub(super) const PUBLISHED: usize = 4;
/// Bytes of such a copy, at most: a thread for each.
pub(super) const PUBLISHED_BYTES: usize = 64;
/// Words that a CTA of `clear` fills at once.
pub(super) const CLEARED: u32 = 256;

/// The kernels, loaded.
pub(super) struct Helpers {
    /// Arguments: address, value, number of bytes.
    pub(super) poke: usize,
    /// Arguments: address of the number, the number; then for each copy its source, its target, the number
    /// of bytes (with [`RESETS`] if the source gets a value back), and that value.
    pub(super) publish: usize,
    /// Arguments: address, number of 32-bit words.
    pub(super) clear: usize,
    /// They wait for the kernel before them, as those of the program do.
    pub(super) wait: bool,
}

/// Beside the number of bytes of a copy of `publish`: the source gets the value that follows.
pub(super) const RESETS: u64 = 1 << 32;

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
         .visible .entry accrue_publish(.param .b64 number_at, .param .b64 number"
    );
    for copy in 0..PUBLISHED {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            ", .param .b64 from{copy}, .param .b64 to{copy}, .param .b64 bytes{copy}, .param .b64 value{copy}"
        );
    }
    let _ = write!(text, ")\n{{\n{REGISTERS}{wait}mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd1, %r1;\n");
    for copy in 0..PUBLISHED {
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
    text
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

/// The bytes of all threads are in the host's memory before the number is.
const TELL: &str = "bar.sync 0;
setp.ne.u32 %p1, %r1, 0;
@%p1 ret;
ld.param.u64 %rd1, [number_at];
setp.eq.u64 %p1, %rd1, 0;
@%p1 ret;
ld.param.u64 %rd2, [number];
fence.acq_rel.sys;
st.volatile.global.u64 [%rd1], %rd2;
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
        assert_eq!(text.matches(WAIT).count(), 3);
        let parameters = text.rsplit_once("accrue_publish(").map(|(_, rest)| rest.split(')').next());
        assert_eq!(parameters.flatten().map(|list| list.matches(".param").count()), Some(2 + 4 * PUBLISHED));
        assert_eq!(text.matches(".visible .entry").count(), 3);
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}

//! Folders of tests, each with a program, a header and a cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Once;
use std::time::Duration;

/// A folder of a test's own, with a program and a system header.
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
    /// The cache that is off, so that all files are the other one's.
    off: &'static str,
}

pub(crate) const PROGRAM: &str =
    "#include <answer.h>\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", ANSWER); }\n";

/// Switches the cache of headers off.
pub(crate) const HEADERS: &str = "ACCRUE_HEADER_CACHE";
/// Switches the cache of programs off.
pub(crate) const PROGRAMS: &str = "ACCRUE_PROGRAM_CACHE";

/// The places of all tests. They are made together, as each must be some seconds old.
const PLACES: [&str; 21] = [
    "second",
    "numbers",
    "off",
    "others",
    "changed",
    "damaged",
    "others_files",
    "nowhere",
    "concurrent",
    "small",
    "same",
    "program_found",
    "program_off",
    "program_changed",
    "program_options",
    "program_told",
    "program_dated",
    "program_damaged",
    "program_several",
    "program_other_folder",
    "program_same",
];

impl Place {
    /// The place of a test, old enough for its headers to be kept, with one of the caches off.
    pub(crate) fn new(name: &str, off: &'static str) -> Place {
        static MADE: Once = Once::new();
        MADE.call_once(|| {
            PLACES.iter().for_each(|name| Place::named(name, off).make());
            // What was changed just now is not kept: it could change again without another time.
            std::thread::sleep(Duration::from_millis(3100));
        });
        assert!(PLACES.contains(&name), "{name} is none of {PLACES:?}");
        Place::named(name, off)
    }

    fn named(name: &str, off: &'static str) -> Place {
        Place { folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cache_{name}")), off }
    }

    fn make(&self) {
        // It may be there from an earlier run, or not.
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(self.folder.join("include")).expect("the folder can be made");
        self.write("program.c", PROGRAM);
        self.write("include/answer.h", "#define ANSWER 42\n");
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("the file can be written");
    }

    /// `accrue run` with options and the place's cache.
    pub(crate) fn start(&self, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        command.arg("run").args(options);
        command.env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.env_remove(HEADERS).env_remove(PROGRAMS).env(self.off, "0");
        command.env_remove("ACC_DEVICE_TYPE").env("NO_COLOR", "1");
        command
    }

    /// The same for the place's program.
    pub(crate) fn command(&self, options: &[&str]) -> Command {
        let mut command = self.start(options);
        command.arg("-isystem").arg(self.folder.join("include"));
        command.arg(self.folder.join("program.c"));
        command
    }

    pub(crate) fn run(&self, options: &[&str]) -> (String, String) {
        told(self.command(options).output().expect("accrue starts"))
    }

    /// The program's output.
    pub(crate) fn output(&self) -> String {
        self.run(&[]).0
    }

    /// The files of the cache.
    pub(crate) fn kept(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.cache()) else { return Vec::new() };
        entries.map(|entry| entry.expect("the folder can be read").path()).collect()
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.folder.join("cache/accrue")
    }

    /// The one file of the cache.
    pub(crate) fn file(&self) -> PathBuf {
        let kept = self.kept();
        assert_eq!(kept.len(), 1, "{kept:?}");
        kept[0].clone()
    }

    /// What a program prints and is told is the same with every change to the one file of its cache.
    pub(crate) fn damage(&self) {
        assert_eq!(self.output(), "42\n");
        let file = self.file();
        let right = fs::read(&file).expect("it can be read");
        let step = right.len() / 40;
        let changed = (0..right.len()).step_by(step).map(|at| {
            let mut wrong = right.clone();
            wrong[at] ^= 0x10;
            wrong
        });
        let cut = [0, 1, 15, 40, right.len() / 2, right.len() - 1].map(|length| right[..length].to_vec());
        let longer = [right.as_slice(), b"more"].concat();
        for wrong in changed.chain(cut).chain([longer, vec![0; right.len()]]) {
            fs::write(&file, &wrong).expect("it can be written");
            assert_eq!(self.run(&[]), ("42\n".to_owned(), String::new()));
            assert_eq!(fs::read(&file).expect("it can be read"), right, "it was written again");
        }
    }
}

/// What a command printed, and what it told.
pub(crate) fn told(output: Output) -> (String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}

/// The number of the file on disk, which is another one when it was written again.
pub(crate) fn inode(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).expect("the file is there").ino()
}

//! `accrue golden` on folders of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("golden_{name}"));
    let _ = fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    folder
}

/// Status, standard output and standard error.
#[track_caller]
fn golden(folder: &Path, options: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.arg("golden").arg(folder).args(options).env_remove("ACC_DEVICE_TYPE");
    let Output { status, stdout, stderr } =
        command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

/// A case that prints its name.
fn says(name: &str) -> String {
    format!(
        "// A licence.\n\n/* and more\n//! golden not this: one\n*/\n//! golden out: run\n#include <stdio.h>\n\
         int main(void)\n{{\n    puts(\"{name}\");\n    return 0;\n}}\n"
    )
}

#[test]
fn a_header_counts_behind_other_comments() {
    let folder = folder("behind", &[("a.c", &says("here")), ("a.out", "here\n")]);
    assert_eq!(
        golden(&folder, &[]),
        (0, "1 cases: 1 goldens as expected, 0 different, 0 written\n".into(), String::new())
    );
    // A single file is a suite, too.
    assert_eq!(golden(&folder.join("a.c"), &[]).0, 0);
}

#[test]
fn what_checks_nothing_is_an_error() {
    let empty = folder(
        "empty",
        &[("a.c", "int main(void) { return 0; }\n"), ("readme.txt", "//! golden out: run\n")],
    );
    let (status, printed, errors) = golden(&empty, &[]);
    assert_eq!((status, printed.as_str()), (1, ""));
    assert!(errors.contains("no golden case") && errors.contains("//! golden SUFFIX"), "{errors}");

    let some = folder("filtered_out", &[("a.c", &says("here")), ("a.out", "here\n")]);
    let (status, _, errors) = golden(&some, &["--filter", "nothing"]);
    assert!(status == 1 && errors.contains("no golden matches the filter"), "{status} {errors}");

    for (name, text, problem) in [
        ("misspelt", "//! gloden out: run\nint x;\n", "a.c:1: unknown option `gloden out`"),
        (
            "misplaced",
            "int x;\n//! golden out: run\n",
            "a.c:2: a header stands before the first line of code",
        ),
    ] {
        let folder = folder(name, &[("a.c", text)]);
        let (status, _, errors) = golden(&folder, &[]);
        assert!(status == 1 && errors.contains(problem), "{status} {errors}");
    }
    let (status, ..) = golden(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden_nowhere"), &[]);
    assert_eq!(status, 1);
}

#[test]
fn blessing_writes_what_is_then_expected() {
    let folder = folder("bless", &[("a.c", &says("new")), ("sub/b.c", &says("old")), ("sub/b.out", "old\n")]);
    let (status, printed, _) = golden(&folder, &[]);
    assert_eq!(status, 1, "{printed}");
    assert!(printed.contains("a.out: there is no such file yet") && printed.contains("+new"), "{printed}");
    assert!(printed.contains("2 cases: 1 goldens as expected, 1 different, 0 written"), "{printed}");
    assert!(printed.contains("--bless"), "{printed}");
    let (status, printed, _) = golden(&folder, &["--bless"]);
    assert!(status == 0 && printed.contains("1 goldens as expected, 0 different, 1 written"), "{printed}");
    assert_eq!(golden(&folder, &[]).0, 0);
    fs::write(folder.join("a.out"), "other\n").unwrap_or_else(|error| panic!("{error}"));
    let (status, printed, _) = golden(&folder, &[]);
    assert!(status == 1 && printed.contains("-other\n+new\n"), "{printed}");
}

#[test]
fn a_golden_that_takes_too_long_is_stopped() {
    let endless = "//! golden out: run\n#include <unistd.h>\nint main(void)\n{\n    fork();\n    for (;;)\n        pause();\n}\n";
    let folder = folder("timeout", &[("a.c", endless), ("b.c", &says("here")), ("b.out", "here\n")]);
    for options in [&["--timeout", "0.5"][..], &["--timeout", "0.5", "--bless"]] {
        let (status, printed, _) = golden(&folder, options);
        assert_eq!(status, 1, "{printed}");
        assert!(printed.contains("a.out: stopped after 0.5 s"), "{printed}");
        assert!(printed.contains("1 goldens as expected, 0 different, 0 written, 1 failed"), "{printed}");
    }
    assert!(!folder.join("a.out").exists());
    for wrong in ["0", "-1", "soon", "inf", "1e300"] {
        assert_eq!(golden(&folder, &["--timeout", wrong]).0, 2, "{wrong}");
    }
}

#[test]
fn filters_and_jobs_change_no_order() {
    let cases: Vec<(String, String)> =
        (0..9).map(|n| (format!("case{n}.c"), says(&format!("{n}")))).collect();
    let mut files: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (&**name, &**text)).collect();
    files.push(("case4.out", "4\n"));
    let folder = folder("jobs", &files);
    let (status, alone, _) = golden(&folder, &["--jobs", "1"]);
    assert_eq!(status, 1);
    for jobs in ["2", "4", "32"] {
        assert_eq!(golden(&folder, &["--jobs", jobs]).1, alone);
    }
    assert!(alone.contains("9 cases: 1 goldens as expected, 8 different"), "{alone}");
    let places: Vec<Option<usize>> = (0..9).map(|n| alone.find(&format!("case{n}.out"))).collect();
    assert!(places.iter().flatten().is_sorted() && places.iter().flatten().count() == 8, "{places:?}");
    let (status, printed, _) = golden(&folder, &["--filter", "case4"]);
    assert_eq!((status, printed.as_str()), (0, "1 cases: 1 goldens as expected, 0 different, 0 written\n"));
    let (_, printed, _) = golden(&folder, &["--filter", "case4", "--filter", "case7.out"]);
    assert!(printed.contains("2 cases: 1 goldens as expected, 1 different"), "{printed}");
    assert_eq!(golden(&folder, &["--jobs", "0"]).0, 2);
}

#[test]
fn results_as_json() {
    let folder = folder("json", &[("a.c", &says("a")), ("a.out", "a\n"), ("b.c", &says("<b> & \\\"c\\\""))]);
    let (status, printed, errors) = golden(&folder, &["--format", "json"]);
    assert_eq!((status, errors.as_str()), (1, ""));
    let lines: Vec<serde_json::Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect();
    assert_eq!(lines.len(), 3, "{printed}");
    assert_eq!((&lines[0]["status"], &lines[1]["status"]), (&"same".into(), &"different".into()));
    assert!(lines[1]["detail"].as_str().is_some_and(|text| text.contains("+<b> & \"c\"")), "{printed}");
    assert!(lines[1]["golden"].as_str().is_some_and(|path| path.ends_with("b.out")), "{printed}");
    let totals = ["cases", "same", "different", "written", "failed"].map(|name| lines[2][name].as_u64());
    assert_eq!(totals, [2, 1, 1, 0, 0].map(Some));
}

#[test]
fn results_as_junit() {
    let folder = folder("junit", &[("a.c", &says("a")), ("a.out", "a\n"), ("b.c", &says("<b> & c"))]);
    let (status, printed, _) = golden(&folder, &["--format", "junit"]);
    assert_eq!(status, 1);
    assert!(printed.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"), "{printed}");
    assert!(printed.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{printed}");
    assert!(printed.contains("+&lt;b&gt; &amp; c"), "{printed}");
    assert_eq!(printed.matches("<testcase ").count(), 2, "{printed}");
    assert!(printed.ends_with("</testsuite>\n</testsuites>\n"), "{printed}");
    let (status, printed, _) = golden(&folder, &["--format", "junit", "--filter", "a.out"]);
    assert!(status == 0 && printed.contains("failures=\"0\""), "{printed}");
}

//! Inputs that no program is, given to the command line: each ends with an answer or a clear error, soon,
//! without a panic.

use std::fs::{File, OpenOptions};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No input here needs a second of a release build.
const PATIENCE: Duration = Duration::from_secs(60);

/// Bytes of diagnostics that somebody may still want to look through.
const MANY_WORDS: usize = 2 << 20;

const MAIN: &str = "int main(void) { return 0; }\n";

/// A folder of its own for a test; removed when the test is over.
struct Scratch(TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a temporary file");
        path
    }
}

fn accrue(args: &[&str], file: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(args).arg(file).stdin(Stdio::null());
    command
}

fn finish(mut command: Command, what: &str) -> Output {
    let start = Instant::now();
    let output = command.output().expect("accrue starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("panicked"), "{what}: {errors}");
    assert_eq!(output.status.signal(), None, "{what}: {errors}");
    assert!(start.elapsed() < PATIENCE, "{what} took {:?}", start.elapsed());
    assert!(errors.len() < MANY_WORDS, "{what}: {} bytes of messages", errors.len());
    output
}

/// Compiles and runs `text`; the exit status must be `status`, and `says` must be in the messages.
fn expect(what: &str, text: impl AsRef<[u8]>, status: i32, says: &str) {
    let scratch = Scratch::new();
    let output = finish(accrue(&["run"], &scratch.file("a.c", text)), what);
    let errors = String::from_utf8_lossy(&output.stderr);
    let start: String = errors.chars().take(600).collect();
    assert_eq!(output.status.code(), Some(status), "{what}: {start}");
    assert!(errors.contains(says), "{what} does not say {says:?}: {start}");
}

fn nested(open: &str, inner: &str, close: &str) -> String {
    const DEEP: usize = 100_000;
    format!("{}{inner}{}", open.repeat(DEEP), close.repeat(DEEP))
}

fn in_main(body: &str) -> String {
    format!("int main(void) {{ int x = 1; {body} return 0; }}\n")
}

#[test]
fn deep_nesting() {
    let deep = |what: &str, text: String| expect(what, text, 1, "nesting-too-deep]");
    deep("parentheses", in_main(&format!("x = {};", nested("(", "x", ")"))));
    deep("blocks", in_main(&nested("{", "", "}")));
    deep("initialisers", format!("int a[1] = {};\n{MAIN}", nested("{", "0", "}")));
    deep("unary", in_main(&format!("x = {};", nested("- ", "x", ""))));
    deep("casts", in_main(&format!("x = {};", nested("(int)", "x", ""))));
    deep("conditionals", in_main(&format!("x = {};", nested("x ? 1 : ", "0", ""))));
    deep("statement-expressions", in_main(&format!("x = {};", nested("({", "1;", "});"))));
    deep("structs", format!("{} x;\n{MAIN}", nested("struct {", "int a;", "}")));
    deep("declarators", format!("int {};\n{MAIN}", nested("(", "p", ")")));
    deep("clauses", in_main(&format!("\n#pragma acc parallel if{}\n{{}}\n", nested("(", "1", ")"))));
    expect("else-if", in_main(&nested("if (x) x = 2; else ", ";", "")), 1, "nesting-unsupported]");
    expect("if-directives", format!("{}{MAIN}", nested("#if 1\n", "", "#endif\n")), 0, "");
    expect("if-expression", format!("#if {}\n#endif\n{MAIN}", nested("(", "1", ")")), 1, "condition]");
}

#[test]
fn long_lines_and_words() {
    const LONG: usize = 1_000_000;
    expect("spaces", format!("int x;{}{MAIN}", " ".repeat(LONG)), 0, "");
    expect("string", format!("char *s = \"{}\";\n{MAIN}", "a".repeat(LONG)), 0, "");
    expect("name", in_main(&format!("{} = 1;", "a".repeat(LONG))), 1, "undeclared]");
    expect("number", in_main(&format!("x = {};", "1".repeat(LONG))), 0, "overflow]");
    expect("header", format!("#include \"{}\"\n", "a".repeat(LONG)), 1, "include]");
    expect("splices", format!("{}{MAIN}", "\\\n".repeat(LONG)), 0, "");
    expect("many-errors", "int x = y;\n".repeat(20_000), 1, "not-shown]");
    let list = "x, ".repeat(20_000);
    expect(
        "many-clauses",
        in_main(&format!("\n#pragma acc parallel copy({list}x)\n{{}}\n")),
        0,
        "repeated-variable]",
    );
}

#[test]
fn what_doubles_at_each_step() {
    let steps = |first: &str, step: fn(usize) -> String| -> String {
        std::iter::once(first.to_owned()).chain((1..50).map(step)).collect()
    };
    let macros = steps("#define A0 1, 1\n", |n| format!("#define A{n} A{m}, A{m}\n", m = n - 1));
    expect("macros", format!("{macros}int x[] = {{A49}};\n{MAIN}"), 1, "macro-limit]");
    let structs = steps("struct S0 { char a; };\n", |n| match n {
        ..31 => format!("struct S{n} {{ struct S{m} a, b; }};\n", m = n - 1),
        _ => String::new(),
    });
    let uses = "struct S30 x; struct S30 f(struct S30 a) { return a; } int main(void) { return x.a.b.a.a.b.b.b.a.a.b.b.b.a.b.a.b.b.b.a.a.b.b.b.a.b.b.a.b.b.a.a; }\n";
    expect("structs", format!("{structs}{uses}"), 0, "");
    let unions =
        steps("union U0 { char a; };\n", |n| format!("union U{n} {{ union U{m} a, b; }};\n", m = n - 1));
    expect(
        "unions",
        format!(
            "{unions}union U49 f(union U49 a) {{ return a; }}\nint main(void) {{ union U49 x = {{0}}; f(x); return 0; }}\n"
        ),
        0,
        "",
    );
    let functions = steps("typedef int F0(); typedef int G0(void);\n", |n| {
        let both =
            |name: char| format!("typedef {name}{m} *{name}{n}({name}{m} *, {name}{m} *);\n", m = n - 1);
        both('F') + &both('G')
    });
    expect("functions", format!("{functions}F49 *p; G49 *q; int main(void) {{ return p != q; }}\n"), 0, "");
    let values = format!("int x = {}7{};", "({ __auto_type v = ".repeat(50), "; v; })".repeat(50));
    expect("auto-types", format!("int main(void) {{ {values} return x != 7; }}\n"), 0, "");
    let types = format!("{}*(int (*)[x])0{} v;", "typeof(".repeat(50), ")".repeat(50));
    expect("typeof", in_main(&format!("{types} if (sizeof v != 4) return 1;")), 0, "");
    expect("type-text", format!("{functions}F49 *p; int main(void) {{ double x = p; }}\n"), 1, "...");
}

#[test]
fn loops_in_loops() {
    let nest = "for (int i = 0; i < 1; i++) ".repeat(450);
    expect("plain", in_main(&format!("{nest} x++; if (x != 2) return 1;")), 0, "");
    let directives = "\n#pragma acc loop seq\nfor (int i = 0; i < 1; i++)".repeat(220);
    let region =
        format!("\n#pragma acc parallel reduction(+:x)\n{{ {directives} x++; }}\nif (x != 2) return 1;");
    expect("region", in_main(&region), 0, "");
    let collapse = "\n#pragma acc parallel loop collapse(1000000)\nfor (int i = 0; i < 1; i++) x++;";
    expect("collapse", in_main(collapse), 1, "clause-argument]");
}

#[test]
fn huge_objects() {
    expect("static", format!("static char a[1L << 40];\n{MAIN}"), 0, "");
    expect("too-large", format!("static char a[1L << 62][4];\n{MAIN}"), 1, "array-size]");
    expect(
        "range",
        format!("static char a[1L << 40] = {{[0 ... (1L << 40) - 1] = 1}};\n{MAIN}"),
        1,
        "range-designator-unsupported]",
    );
    expect(
        "automatic",
        in_main("char a[1L << 40], *volatile p = a; *p = 1; x = *p;"),
        1,
        "the variables of function `main` take",
    );
    let parameters = vec!["int"; 20_000].join(", ");
    expect(
        "parameters",
        format!("int f({parameters});\nint main(void) {{ return f(); }}\n"),
        1,
        "argument-count]",
    );
    let arguments = vec!["1"; 5_000].join(", ");
    expect(
        "arguments",
        format!("int printf(const char *, ...);\nint main(void) {{ return printf(\"\", {arguments}); }}\n"),
        0,
        "",
    );
}

#[test]
fn a_private_copy_of_a_huge_object() {
    let program = "double big[100000000];\nint main(void)\n{\n#pragma acc parallel loop reduction(+:big)\n    \
                   for (int i = 0; i < 100; i++)\n        big[i] += 1;\n}\n";
    expect(
        "a huge reduction",
        program,
        1,
        "error[host-unsupported]: the reduction of `big` needs a private copy",
    );
}

#[test]
fn no_text() {
    let bytes: Vec<u8> = (0..50_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    expect("bytes", &bytes, 1, "error[");
    expect("executable", b"\x7fELF\x02\x01\x01\0\0\0", 1, "error[");
    expect("zero-byte", "int x;\0", 1, "null-character]");
    expect("empty", "", 1, "no function `main`");
    expect("latin", b"char s[] = \"\xff\xfe\"; int main(void) { return s[0] != '\\xff'; }\n", 0, "");
    expect("line-ends", "#define A \\\r\n 0\r\nint main(void)\r\n{\r\n  return A;\r\n}\r\n", 0, "");
}

#[test]
fn files_that_are_none() {
    let scratch = Scratch::new();
    let run = |path: &Path| {
        let output = finish(accrue(&["run"], path), &path.display().to_string());
        assert_eq!(output.status.code(), Some(1), "{}", path.display());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(run(scratch.0.path()).contains("it is a directory"));
    assert!(run(&scratch.path("none.c")).contains("no such file"));
    let pipe = scratch.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
    assert!(made.success());
    // Nobody writes to the pipe.
    assert!(run(&scratch.file("p.c", "#include \"pipe\"\n")).contains("it is not a regular file"));
    assert!(run(&scratch.file("z.c", "#include \"/dev/zero\"\n")).contains("it is not a regular file"));
    assert!(run(&scratch.file("d.c", "#include \"/\"\n")).contains("it is a directory"));
    assert!(run(&scratch.file("s.c", "#include \"s.c\"\n")).contains("include-depth"));
}

#[test]
fn output_that_cannot_be_written() {
    let scratch = Scratch::new();
    let file = scratch.file("a.c", "#include <stdio.h>\n#include <math.h>\nint main(void) { return x; }\n");
    let full = || OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let mut command = accrue(&["run", "-E"], &file);
    command.stdout(full());
    let output = finish(command, "a full disk");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));

    let mut command = accrue(&["run", "-E"], &file);
    command.stdout(closed_pipe());
    assert_eq!(finish(command, "a reader that left").status.code(), Some(0));

    let mut command = accrue(&["run"], &file);
    command.stderr(full());
    assert_eq!(finish(command, "messages on a full disk").status.code(), Some(1));
}

/// A broken pipe ends a program as it would without the compiler, which ignores it for itself.
#[test]
fn a_program_whose_reader_left() {
    let scratch = Scratch::new();
    let text = "#include <stdio.h>\nint main(void) { while (puts(\"still here\")) { } return 0; }\n";
    let mut command = accrue(&["run"], &scratch.file("a.c", text));
    command.stdout(closed_pipe());
    let output = command.output().expect("accrue starts");
    assert_eq!(output.status.signal(), Some(libc::SIGPIPE), "{:?}", output.status);
}

/// The writing end of a pipe without a reader.
fn closed_pipe() -> File {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    std::os::fd::OwnedFd::from(writer).into()
}

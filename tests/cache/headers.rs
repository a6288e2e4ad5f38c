//! The cache of headers: what a program does and is told is the same with and without it, whatever is done to
//! the cache and to the headers in it.

use crate::place::{PROGRAM, PROGRAMS, Place, inode, told};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Where programs are compiled anew.
fn place_of(name: &str) -> Place {
    Place::new(name, PROGRAMS)
}

#[test]
fn a_second_start_finds_what_the_first_kept() {
    let place = place_of("second");
    assert_eq!(place.output(), "42\n");
    let file = place.file();
    let first = inode(&file);
    assert_eq!(fs::metadata(&file).expect("it is there").permissions().mode() & 0o777, 0o600);
    assert_eq!(place.output(), "42\n");
    // Another program and another comment, the same headers.
    place.write("program.c", &format!("/* Another one. */\n{PROGRAM}"));
    assert_eq!(place.output(), "42\n");
    assert_eq!((place.file(), inode(&file)), (file, first), "nothing was written again");
    // Other macros are another state.
    assert_eq!(place.run(&["-DANSWER=42"]).0, "42\n");
    assert_eq!(place.run(&["-O0"]).0, "42\n");
    assert!(place.kept().len() > 1);
}

/// What the compiler adds to a program needs no declaration that the program does not name.
#[test]
fn regions_know_their_device() {
    let place = place_of("numbers");
    let program = "#include <omp.h>\n#include <stdio.h>\nint main(void) { int number = -1;\n#pragma omp target map(from : \
                   number)\nnumber = omp_get_device_num();\nprintf(\"%d\\n\", number); }\n";
    place.write("program.c", program);
    for _ in 0..2 {
        let (output, messages) = place.run(&["-fopenmp", "--device", "sim"]);
        assert_eq!((&*output, &*messages), ("0\n", ""));
    }
    assert_eq!(place.kept().len(), 1);
}

#[test]
fn it_can_be_switched_off() {
    let place = place_of("off");
    assert_eq!(place.run(&["-fno-header-cache"]).0, "42\n");
    let output = place.command(&[]).env("ACCRUE_HEADER_CACHE", "0").output().expect("accrue starts");
    assert_eq!(told(output).0, "42\n");
    assert!(place.kept().is_empty());
    assert_eq!(place.run(&["-fno-header-cache", "-fheader-cache"]).0, "42\n");
    assert_eq!(place.kept().len(), 1);
    // Other commands show what all headers become.
    let place = place_of("others");
    for command in ["ir", "clif"] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_accrue"));
        run.arg(command)
            .arg("-isystem")
            .arg(place.folder.join("include"))
            .arg(place.folder.join("program.c"));
        run.env("XDG_CACHE_HOME", place.folder.join("cache"));
        assert!(run.output().expect("accrue starts").status.success());
    }
    assert!(place.kept().is_empty());
}

#[test]
fn changed_headers_are_read_again() {
    let place = place_of("changed");
    assert_eq!(place.output(), "42\n");
    // The same length.
    place.write("include/answer.h", "#define ANSWER 43\n");
    assert_eq!(place.output(), "43\n");
    // Another file of the name, with the times of the old one.
    place.write("include/other.h", "#define ANSWER 44\n");
    let times = fs::metadata(place.folder.join("include/answer.h")).expect("it is there");
    let other = fs::File::options().write(true).open(place.folder.join("include/other.h")).expect("it opens");
    other.set_modified(times.modified().expect("there is a time")).expect("the time can be set");
    fs::rename(place.folder.join("include/other.h"), place.folder.join("include/answer.h"))
        .expect("it moves");
    assert_eq!(place.output(), "44\n");
    // A header where there was none, in front of the one that was found.
    std::thread::sleep(Duration::from_millis(3100));
    assert_eq!(place.output(), "44\n");
    assert_eq!(place.output(), "44\n");
    place.write("include/stdio.h", "int printf(const char *, ...);\n#undef ANSWER\n#define ANSWER 45\n");
    assert_eq!(place.output(), "45\n");
    fs::remove_file(place.folder.join("include/stdio.h")).expect("it is there");
    assert_eq!(place.output(), "44\n");
    fs::remove_file(place.folder.join("include/answer.h")).expect("it is there");
    assert!(place.run(&[]).1.contains("cannot find the header"));
}

#[test]
fn damaged_files_are_ignored() {
    place_of("damaged").damage();
}

#[test]
fn files_of_others_are_ignored() {
    let place = place_of("others_files");
    assert_eq!(place.output(), "42\n");
    let (file, cache) = (place.file(), place.cache());
    let first = inode(&file);
    let set = |path: &Path, mode: u32| {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("the mode can be set");
    };
    set(&file, 0o666);
    assert_eq!(place.output(), "42\n");
    assert_ne!(inode(&file), first, "what others can write is replaced");
    let second = inode(&file);
    // A link instead of the file.
    fs::rename(&file, place.folder.join("elsewhere")).expect("it moves");
    std::os::unix::fs::symlink(place.folder.join("elsewhere"), &file).expect("links can be made");
    assert_eq!(place.output(), "42\n");
    assert_ne!(inode(&file), second);
    // In a folder that others can write, nothing is read or written.
    set(&cache, 0o777);
    fs::remove_file(&file).expect("it is there");
    assert_eq!(place.output(), "42\n");
    assert!(place.kept().is_empty());
}

#[test]
fn without_a_place_for_it_programs_run_all_the_same() {
    let place = place_of("nowhere");
    // A file where the folder would be; a mode would not stop the superuser.
    place.write("cache", "");
    assert_eq!(place.run(&[]), ("42\n".to_owned(), String::new()));
    let mut command = place.command(&[]);
    command.env_remove("XDG_CACHE_HOME").env_remove("HOME");
    assert_eq!(told(command.output().expect("accrue starts")), ("42\n".to_owned(), String::new()));
}

#[test]
fn starts_at_the_same_time_do_not_disturb_each_other() {
    let place = place_of("concurrent");
    for _ in 0..3 {
        let starts: Vec<_> = (0..8)
            .map(|_| {
                let mut command = place.command(&[]);
                command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
                command.spawn().expect("accrue starts")
            })
            .collect();
        for start in starts {
            let output = start.wait_with_output().expect("it ends");
            assert_eq!(told(output), ("42\n".to_owned(), String::new()));
        }
        fs::remove_file(place.file()).expect("it is there, alone");
    }
}

#[test]
fn the_cache_stays_small() {
    let place = place_of("small");
    for number in 0..110 {
        let define = format!("-DNUMBER={number}");
        assert_eq!(place.run(&[&define]).0, "42\n");
    }
    let kept = place.kept();
    assert_eq!(kept.len(), 100, "{kept:?}");
}

/// Programs whose diagnostics or meaning depend on what their headers declare: with the cache empty, with it
/// full, and without it they must be told and print the same.
#[test]
fn diagnostics_and_meaning_are_the_same() {
    const HEADS: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
    let place = place_of("same");
    place.write("include/twice.h", "#ifdef TWICE\nint more(void) { return 3; }\n#endif\n#define TWICE\n");
    place.write("include/once.h", "#pragma once\nstatic int once = 5;\n");
    place.write(
        "include/kinds.h",
        "enum kind { FIRST, SECOND = 7 };\nstruct pair { struct inner { int a; } in; enum kind kind; };\n\
         typedef int (*binary)(struct pair *, int);\nstatic inline int sum(struct pair *p, int n)\n\
         { return p->in.a + p->kind + n; }\nstatic const int table[] = { 1, 2, 3 };\n\
         int tentative;\n#pragma pack(push, 1)\nstruct tight { char c; int i; };\n#pragma pack(pop)\n\
         extern int (plus)(int a, int b);\n_Static_assert(SECOND == 7, \"\");\n",
    );
    std::thread::sleep(Duration::from_millis(3100));
    let with_heads = |text: &str| format!("{HEADS}{text}");
    let programs = [
        with_heads("int main(void) { puts(\"a\"); return 0; }"),
        // Declared by a header, and used wrongly.
        with_heads("int main(void) { puts(1, 2); char *p = strlen(\"a\"); return 0; }"),
        with_heads("int main(void) { prinft(\"a\"); strln(\"\"); return 0; }"),
        with_heads("int main(void) { fprintf(stdeer, \"a\"); return 0; }"),
        with_heads("int puts; int main(void) { return 0; }"),
        with_heads("double strlen(int a) { return a; } int main(void) { return 0; }"),
        with_heads("typedef float size_t; int main(void) { return 0; }"),
        with_heads("struct _IO_FILE { int a; }; int main(void) { return 0; }"),
        with_heads("int main(void) { FILE f; printf(\"%d\\n\", (int)sizeof f); div_t d = { 1, 2 }; printf(\"%d\\n\", d.rem); }"),
        with_heads("int main(void) { int unused; printf(\"%s\\n\", 3); }"),
        // Macros of headers.
        with_heads("#undef NULL\n#define NULL 3\nint main(void) { printf(\"%d\\n\", NULL); }"),
        with_heads("#define EOF 3\nint main(void) { printf(\"%d\\n\", EOF); }"),
        with_heads("#ifdef RAND_MAX\n#ifndef _STDIO_H\n#error a\n#endif\nint main(void) { return puts(\"a\") < 0; }\n#endif\n"),
        with_heads("#include <stdio.h>\n#include <errno.h>\n#include <stddef.h>\nint main(void) { printf(\"%d\\n\", EDOM); }"),
        // Macros of the program before the headers.
        format!("#define _GNU_SOURCE\n{HEADS}int main(void) {{ char *s = NULL; printf(\"%d\\n\", asprintf(&s, \"abc\")); }}"),
        format!("#define size_t wrong\n{HEADS}int main(void) {{ puts(\"a\"); }}"),
        format!("#define puts(x) printf(\"<%s>\\n\", x)\n{HEADS}int main(void) {{ return 0; }}"),
        format!("#define NDEBUG\n#include <assert.h>\n{HEADS}int main(void) {{ assert(0); puts(\"a\"); }}"),
        format!("#include <assert.h>\n{HEADS}#define NDEBUG\n#include <assert.h>\nint main(void) {{ assert(0); puts(\"a\"); }}"),
        // Included again.
        format!("#include <twice.h>\n{HEADS}#include <twice.h>\nint main(void) {{ printf(\"%d\\n\", more()); }}"),
        format!("#include <once.h>\n{HEADS}#include <once.h>\nint main(void) {{ printf(\"%d\\n\", once); }}"),
        // What kinds of declarations there are.
        format!("#include <kinds.h>\n{HEADS}int main(void) {{ struct pair p = {{ {{ 1 }}, SECOND }}; binary f = sum; struct inner i = p.in; \
                 printf(\"%d %d %d %d\\n\", f(&p, table[2]), i.a, tentative, (int)sizeof(struct tight)); }}"),
        format!("#include <kinds.h>\n{HEADS}int plus(int a, int b) {{ return a + b; }} int main(void) {{ printf(\"%d %d\\n\", plus(1, 2), FIRST); }}"),
        format!("#include <kinds.h>\n{HEADS}enum {{ SECOND }}; int main(void) {{ return 0; }}"),
        format!("#include <kinds.h>\n{HEADS}extern int tentative; int main(void) {{ printf(\"%d\\n\", tentative); }}"),
        "#include <math.h>\n#include <openacc.h>\n#include <stdio.h>\n#include <time.h>\n#include <stdarg.h>\n#include <stdint.h>\n\
         #include <setjmp.h>\nstatic jmp_buf there; static int add(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int);\
         va_end(l); return s; }\nint main(void) { float a[8]; \n#pragma acc parallel loop\nfor (int i = 0; i < 8; i++) a[i] = sqrtf(i * i);\n\
         if (setjmp(there) == 0) longjmp(there, 1);\nprintf(\"%g %d %d %d\\n\", a[7], add(2, 3, 4), acc_get_num_devices(acc_device_host), \
         (int)INT32_MAX); return isnan(a[0]) || fpclassify(1.0) != FP_NORMAL || time(NULL) == 0; }"
            .to_owned(),
        "#include <stdio.h> // input\n#include <limits.h> /* limits */\n\nint main(void) { printf(\"%d %s %d\\n\", INT_MAX, __FILE__ + sizeof __FILE__ - 3, __LINE__); }".to_owned(),
        "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", __COUNTER__);".to_owned(),
    ];
    for (number, text) in programs.iter().enumerate() {
        place.write("program.c", text);
        for options in [&[][..], &["-std=c99", "-O0"], &["-fopenmp", "-Wall", "-Wextra"]] {
            let without = place.run(&[options, &["-fno-header-cache"]].concat());
            for time in 1..=2 {
                assert_eq!(
                    place.run(options),
                    without,
                    "program {number}, {options:?}, start {time}:\n{text}"
                );
            }
        }
        let preprocess = |options: &[&str]| {
            let (text, told) = place.run(&[&["-E"], options].concat());
            assert!(!text.is_empty(), "{told}");
            text
        };
        assert_eq!(preprocess(&[]), preprocess(&["-fno-header-cache"]));
    }
    assert!(place.kept().len() > 10);
}

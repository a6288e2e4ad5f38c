//! The cache of programs.

use crate::place::{HEADERS, PROGRAM, Place, inode, told};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;

/// Where headers are read anew.
fn place(name: &str) -> Place {
    Place::new(name, HEADERS)
}

/// Of a program that was found, headers are not asked for: their own cache stays empty.
#[test]
fn a_second_start_finds_the_program() {
    let place = place("program_found");
    let run = || {
        let output = place.command(&[]).env_remove(HEADERS).output().expect("accrue starts");
        assert_eq!(told(output), ("42\n".to_owned(), String::new()));
        let kept = place.kept();
        let ends = |end| kept.iter().find(|path| path.extension().is_some_and(|extension| extension == end));
        (ends("program").cloned(), ends("headers").cloned())
    };
    let (Some(program), Some(headers)) = run() else { panic!("not both were kept: {:?}", place.kept()) };
    let first = inode(&program);
    fs::remove_file(&headers).expect("it is there");
    assert_eq!(run(), (Some(program.clone()), None));
    assert_eq!(inode(&program), first, "nothing was written again");
    // Code is made later, and by what the start says.
    assert_eq!(place.run(&["--eager"]), ("42\n".to_owned(), String::new()));
    assert_eq!(place.file(), program);
}

#[test]
fn it_can_be_switched_off() {
    let place = place("program_off");
    assert_eq!(place.run(&["-fno-program-cache"]).0, "42\n");
    let output = place.command(&[]).env("ACCRUE_PROGRAM_CACHE", "0").output().expect("accrue starts");
    assert_eq!(told(output).0, "42\n");
    // These do more than to run the program.
    assert_eq!(place.run(&["--verify"]).0, "42\n");
    assert_eq!(place.run(&["-fsyntax-only"]).0, "");
    assert_eq!(place.run(&["--device", "sim"]).0, "42\n");
    assert!(place.kept().is_empty());
    assert_eq!(place.run(&["-fno-program-cache", "-fprogram-cache"]).0, "42\n");
    assert_eq!(place.kept().len(), 1);
}

#[test]
fn changed_sources_are_compiled_again() {
    let place = place("program_changed");
    assert_eq!(place.output(), "42\n");
    // The program itself, at once, with the length it had.
    place.write("program.c", &PROGRAM.replace("ANSWER)", "1000+1)"));
    assert_eq!(place.output(), "1001\n");
    place.write("program.c", PROGRAM);
    assert_eq!(place.output(), "42\n");
    // A header of it.
    place.write("include/answer.h", "#define ANSWER 43\n");
    assert_eq!(place.output(), "43\n");
    assert_eq!(place.output(), "43\n");
    // A header in front of one that was found.
    fs::create_dir_all(place.folder.join("first")).expect("the folder can be made");
    let first = format!("-I{}", place.folder.join("first").display());
    let run = || place.run(&[&first]).0;
    std::thread::sleep(std::time::Duration::from_millis(3100));
    assert_eq!((run(), run()), ("43\n".to_owned(), "43\n".to_owned()));
    place.write("first/answer.h", "#define ANSWER 44\n");
    assert_eq!(run(), "44\n");
    fs::remove_file(place.folder.join("first/answer.h")).expect("it is there");
    assert_eq!(run(), "43\n");
    fs::remove_file(place.folder.join("include/answer.h")).expect("it is there");
    assert!(place.run(&[]).1.contains("cannot find the header"));
}

/// Everything on the command line and in the environment that makes another program of a source.
#[test]
fn other_options_are_another_program() {
    let place = place("program_options");
    let text = "#include <stdio.h>\n#include <string.h>\nint add(int a) { return a + 1; }\nint main(int argc, char **argv) {\n\
                int gangs = 0, sum = 0; float x = 1e8f, one = 1;\n#ifdef N\nputs(\"N\");\n#endif\n\
                #pragma acc parallel num_gangs(4) reduction(+ : gangs)\ngangs++;\n\
                #pragma acc parallel loop reduction(+ : sum)\nfor (int i = 0; i < 10; i++) sum += add(i);\n\
                x = x + one;\nint shared = 1;\n#pragma acc parallel copyin(shared)\nshared = 2;\n\
                printf(\"%d %d %d %d %s\\n\", gangs, sum, shared, _OPENACC_IS, argc > 1 ? argv[1] : \"\"); }\n"
        .replace("_OPENACC_IS", "IS\n#ifdef _OPENMP\n+ 10\n#endif\n");
    place.write("program.c", &format!("#ifdef _OPENACC\n#define IS 1\n#else\n#define IS 0\n#endif\n{text}"));
    let options: [&[&str]; 12] = [
        &[],
        &["-DN"],
        &["-fno-openacc"],
        &["-fopenmp"],
        &["-O0"],
        &["-std=c99"],
        &["--gangs", "3"],
        &["--device", "host-discrete"],
        &["--memory", "discrete"],
        &["--device", "multicore", "--gangs", "2"],
        &["--deterministic"],
        &["-ffast-math"],
    ];
    let without: Vec<_> =
        options.iter().map(|options| place.run(&[options, &["-fno-program-cache"][..]].concat())).collect();
    for start in 1..=2 {
        for (options, without) in options.iter().zip(&without) {
            assert_eq!(place.run(options), *without, "{options:?}, start {start}");
        }
    }
    assert_eq!(place.kept().len(), options.len());
    // What the program is given makes no other one.
    let with = |arguments: &[&str]| {
        told(place.command(&[]).arg("--").args(arguments).output().expect("accrue starts")).0
    };
    assert!(with(&["a"]).ends_with(" a\n"));
    assert!(with(&["b", "c"]).ends_with(" b\n"));
    assert_eq!(place.kept().len(), options.len());
    let multicore = place.command(&[]).env("ACC_DEVICE_TYPE", "multicore").output().expect("accrue starts");
    told(multicore);
    assert_eq!(place.kept().len(), options.len() + 1);
    // Folders named in the environment.
    fs::create_dir_all(place.folder.join("more")).expect("the folder can be made");
    place.write("more/extra.h", "#define EXTRA \"extra\"\n");
    place.write(
        "program.c",
        "#include <stdio.h>\n#if __has_include(<extra.h>)\n#include <extra.h>\n#else\n#define EXTRA \"none\"\n\
         #endif\nint main(void) { puts(EXTRA); }\n",
    );
    let more = place.folder.join("more");
    let extra = |set: bool| {
        let mut command = place.command(&[]);
        if set {
            command.env("CPATH", &more);
        }
        told(command.output().expect("accrue starts")).0
    };
    for _ in 0..2 {
        assert_eq!((extra(false), extra(true)), ("none\n".to_owned(), "extra\n".to_owned()));
    }
}

#[test]
fn what_is_told_is_told_at_each_start() {
    let place = place("program_told");
    let parallel =
        "int main(void) { int a = 0, b[4];\n#pragma acc parallel loop\nfor (int i = 0; i < 4; i++) a += i;\n";
    let programs = [
        // The front end's, and a pass's.
        "int main(void) { int unused; char *p = 3; return 0; }",
        &format!("{parallel}return a != 6; }}"),
        &format!(
            "{parallel}#pragma acc parallel loop independent\nfor (int i = 1; i < 4; i++) b[i] = b[i - 1];\nreturn 0; }}"
        ),
        "int main(void) { return missing(); }",
        "extern int missing(void); int main(void) { return missing(); }",
    ];
    for text in programs {
        place.write("program.c", text);
        let first = place.run(&["-Wall"]);
        assert!(!first.1.is_empty(), "{text}");
        assert_eq!(place.run(&["-Wall"]), first);
        // Without the warnings there may be nothing to tell.
        let quiet = place.run(&["-w"]);
        assert_eq!(place.run(&["-w"]), quiet);
    }
    // Places of faults.
    place.write("program.c", "int *nowhere;\nint main(void) {\n  return *nowhere;\n}\n");
    let first = place.run(&[]);
    assert!(first.1.contains("program.c:3"), "{first:?}");
    assert_eq!(place.run(&[]), first);
}

#[test]
fn programs_that_know_the_time_are_not_kept() {
    let place = place("program_dated");
    for name in ["__DATE__", "__TIME__", "__TIMESTAMP__"] {
        place.write("program.c", &format!("#include <stdio.h>\nint main(void) {{ puts({name}); }}\n"));
        assert!(!place.output().is_empty());
        assert!(place.kept().is_empty(), "{name}");
    }
    // Nor is what can be read once only.
    let mut start = place.start(&["-"]);
    start.stdin(fs::File::open(place.folder.join("program.c")).expect("it opens"));
    assert!(!told(start.output().expect("accrue starts")).0.is_empty());
    let pipe = place.folder.join("pipe.c");
    let path = std::ffi::CString::new(pipe.to_str().expect("a name")).expect("no zero");
    // SAFETY: the path is a C string.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    let start =
        place.start(&[]).arg(&pipe).stdout(std::process::Stdio::piped()).spawn().expect("accrue starts");
    fs::write(&pipe, "#include <stdio.h>\nint main(void) { puts(\"piped\"); }\n").expect("it is read");
    assert_eq!(told(start.wait_with_output().expect("it ends")).0, "piped\n");
    assert!(place.kept().is_empty());
}

#[test]
fn damaged_files_are_ignored() {
    place("program_damaged").damage();
}

#[test]
fn programs_of_several_files() {
    let place = place("program_several");
    place.write("program.c", "int two(void); int main(void) { return two(); }\n");
    place.write("two.c", "#include <stdio.h>\nint two(void) { return puts(\"two\") < 0; }\n");
    let run = || {
        let output = place.command(&[]).arg(place.folder.join("two.c")).output().expect("accrue starts");
        told(output)
    };
    let two = ("two\n".to_owned(), String::new());
    assert_eq!((run(), run()), (two.clone(), two));
    assert_eq!(place.kept().len(), 1);
    place.write("two.c", "#include <stdio.h>\nint two(void) { return puts(\"2\") < 0; }\n");
    assert_eq!(run().0, "2\n");
}

/// The same names in another folder are other files.
#[test]
fn names_are_those_of_a_folder() {
    let place = place("program_other_folder");
    let run = |folder: &str, text: &str| {
        fs::create_dir_all(place.folder.join(folder)).expect("the folder can be made");
        place.write(&format!("{folder}/part.h"), text);
        let source = "#include <stdio.h>\n#include \"part.h\"\nint main(void) { puts(PART); }\n";
        place.write(&format!("{folder}/program.c"), source);
    };
    run("a", "#define PART \"a\"\n");
    run("b", "#define PART \"b\"\n");
    std::thread::sleep(std::time::Duration::from_millis(3100));
    for _ in 0..2 {
        for folder in ["a", "b"] {
            let mut start = place.start(&["program.c"]);
            let output = start.current_dir(place.folder.join(folder)).output().expect("accrue starts");
            assert_eq!(told(output).0, format!("{folder}\n"));
        }
    }
    assert_eq!(place.kept().len(), 2);
}

/// All that programs are made of comes back: those of the tests do the same from the cache.
#[test]
fn programs_do_the_same_when_they_were_kept() {
    let place = place("program_same");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut run, mut found) = (0, 0);
    for folder in ["examples", "tests/acc", "tests/c"] {
        let entries = fs::read_dir(root.join(folder)).expect("the folder can be read");
        let mut sources: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
        sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
        // What they print is known, and does not depend on when threads run.
        sources.retain(|path| path.with_extension("out").exists());
        sources.sort();
        for source in sources {
            let start = |options: &[&str]| -> Output {
                let mut start = place.start(&[options, &["-fopenmp", "-w"]].concat());
                start.arg(&source).stdin(std::process::Stdio::null()).output().expect("accrue starts")
            };
            let before = place.kept();
            let without = start(&["-fno-program-cache"]);
            let outputs = [start(&[]), start(&[])];
            found += usize::from(place.kept() != before);
            run += 1;
            for output in outputs {
                let is_same = output.status.into_raw() == without.status.into_raw();
                assert!(is_same, "{}: {output:?}", source.display());
                // Messages about faults hold addresses.
                assert_eq!(told(output).0, told(without.clone()).0, "{}", source.display());
            }
        }
    }
    assert!(run > 180 && found > run * 3 / 4, "{found} of {run} programs were kept");
}

//! C programs of any length, as input for measuring how fast accrue compiles.
//!
//! A program is a row of modules of some fifty lines, each with three or four functions and one or two
//! compute regions: the kinds of code that numerical programs consist of, with stdio, stdlib and math. Every
//! region's result is compared with a serial computation. All functions have external linkage, so a compiler
//! must handle all of them; `main` reaches every second module. With an argument the program also prints when
//! it entered `main`.

/// What a program of [`program`] holds.
#[derive(Clone, Debug)]
pub struct Generated {
    /// C.
    pub text: String,
    /// Lines of it.
    pub lines: usize,
    /// Functions, `main` included.
    pub functions: usize,
    /// Compute constructs.
    pub regions: usize,
    /// What it prints. With an argument, a line follows that holds the seconds of the monotonic clock, in
    /// decimals, at which `main` was entered.
    pub output: String,
}

const HEAD: &str = "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n\n";

const MAIN_STARTS: &str = "\
int main(int argc, char **argv)
{
    struct timespec entered;
    clock_gettime(CLOCK_MONOTONIC, &entered);
    int failures = 0;

";

const MAIN_ENDS: &str = "    if (argc > 1)
        printf(\"%lld.%09ld\\n\", (long long)entered.tv_sec, entered.tv_nsec);
    return failures != 0;
}
";

/// One kind of module; `@k` is the number of the module, `@n` a size, `@c` a small constant.
const TEMPLATES: [&str; 5] = [
    include_str!("modules/statistics.c"),
    include_str!("modules/diffusion.c"),
    include_str!("modules/records.c"),
    include_str!("modules/linear.c"),
    include_str!("modules/sampling.c"),
];

/// A program of about `lines` lines: at least that many, and at most one module more.
pub fn program(lines: usize) -> Generated {
    let mut text = HEAD.to_owned();
    let mut main = MAIN_STARTS.to_owned();
    let (mut modules, mut reached, mut length) = (0, 0, HEAD.lines().count() + 12);
    while length < lines {
        let module = TEMPLATES[modules % TEMPLATES.len()]
            .replace("@k", &modules.to_string())
            .replace("@n", &(40 + modules * 7 % 60).to_string())
            .replace("@c", &(2 + modules * 5 % 9).to_string());
        length += module.lines().count() + 1;
        text.push_str(&module);
        text.push('\n');
        if modules % 2 == 0 {
            main.push_str(&format!("    failures += test_{modules}();\n"));
            length += 1;
            reached += 1;
        }
        modules += 1;
    }
    main.push_str(&format!("    printf(\"{reached} modules, %d failures\\n\", failures);\n"));
    main.push_str(MAIN_ENDS);
    text.push_str(&main);
    Generated {
        lines: text.lines().count(),
        functions: text.lines().filter(|line| *line == "{").count(),
        regions: text.matches("#pragma acc parallel").count() + text.matches("#pragma acc kernels").count(),
        output: format!("{reached} modules, 0 failures\n"),
        text,
    }
}

//! What the command line and the user are told about GPUs: `-fopenacc-dim=`, and clauses that a GPU cannot
//! follow.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of its own for each test, with the text.
fn source(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    path
}

fn accrue(args: &[&str], file: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(args).arg(file);
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The dimensions of the only launch, as `explain` names them.
fn launch(option: &str, loop_clauses: &str) -> String {
    let name = format!("dims_{option}_{loop_clauses}.c").replace([':', '=', '(', ')', ' '], "_");
    let program = format!(
        "int main(void)\n{{\n    int a[9];\n#pragma acc parallel loop {loop_clauses}\n    \
         for (int i = 0; i < 9; i++)\n        a[i] = i;\n    return a[0];\n}}\n"
    );
    let file = source(&name, &program);
    let output = accrue(&["explain", option], &file);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let line = lines.lines().find_map(|line| line.split("a launch has ").nth(1));
    line.unwrap_or_else(|| panic!("{lines}")).to_owned()
}

#[test]
fn sizes_of_the_command_line_fill_what_the_program_leaves_open() {
    let all = "gang worker vector";
    assert_eq!(launch("-fopenacc-dim=7:3:96", all), "7 gangs of 3 workers of 96 lanes");
    assert_eq!(
        launch("-fopenacc-dim=:-:64", all),
        "G gangs of 4 workers of 64 lanes; G: as many as have something to do, or can be resident"
    );
    assert_eq!(launch("-fopenacc-dim=5", all), "5 gangs of 8 workers of 32 lanes");
    assert_eq!(
        launch("-fopenacc-dim=0:0", all),
        "G gangs of W workers of 32 lanes; G: as many as have something to do, or can be resident; W: chosen at the launch"
    );
    // What the program says counts, and levels that no loop has get nothing.
    assert_eq!(launch("-fopenacc-dim=7:3:96", "gang num_gangs(2)"), "2 gangs of 1 workers of 32 lanes");
    // Too many for a gang.
    assert_eq!(launch("-fopenacc-dim=1:64:32", all), "1 gangs of 32 workers of 32 lanes");
}

#[test]
fn clauses_behind_device_type_count_on_their_device_only() {
    let clauses = "device_type(nvidia) num_gangs(2) vector_length(64) device_type(host) num_gangs(7)";
    assert_eq!(launch("-w", clauses), "2 gangs of 4 workers of 64 lanes");
    assert_eq!(launch("--target=ptx", clauses), "2 gangs of 4 workers of 64 lanes");
    assert_eq!(
        launch("-w", "dtype(host) num_gangs(7) dtype(*) num_gangs(3)"),
        "3 gangs of 8 workers of 32 lanes"
    );
    let program = "#include <stdio.h>\nint main(void)\n{\n    int lanes = 0;\n#pragma acc parallel copy(lanes) \\\n    device_type(nvidia) vector_length(96) device_type(host) vector_length(1)\n    {\n        lanes = __builtin_goacc_parlevel_size(2);\n#pragma acc loop vector\n        for (int i = 0; i < 9; i++)\n            ;\n    }\n    printf(\"%d\\n\", lanes);\n    return 0;\n}\n";
    let file = source("device_types.c", program);
    for (device, lanes) in [("host", "1\n"), ("host-discrete", "1\n"), ("sim", "96\n")] {
        let output = accrue(&["run", "-w", "--device", device], &file);
        assert_eq!(text(&output.stdout), lanes, "{device}: {}", text(&output.stderr));
    }
}

#[test]
fn sizes_that_are_none_are_wrong_usage_everywhere() {
    let file = source("dims_nonsense.c", "int main(void) { return 3; }\n");
    for option in
        ["-fopenacc-dim=x", "-fopenacc-dim=1:2:3:4", "-fopenacc-dim=-1", "-fopenacc-dim=1:99999999999"]
    {
        for command in ["run", "ptx", "explain", "ir"] {
            let output = accrue(&[command, option], &file);
            assert_eq!(output.status.code(), Some(2), "{command} {option}");
            assert!(text(&output.stderr).contains("-fopenacc-dim="), "{}", text(&output.stderr));
        }
    }
    assert_eq!(accrue(&["run", "-fopenacc-dim=1:2:3"], &file).status.code(), Some(3));
}

const BOUNDED: &str = "\
int main(int argc, char **argv)
{
    double a[100];
#pragma omp target teams distribute parallel for thread_limit(20) num_teams(argc) map(tofrom : a)
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma omp target teams distribute parallel for num_threads(40) thread_limit(12) firstprivate(argc)
    for (int i = 0; i < 100; i++)
        a[i] = argc;
#pragma omp target parallel for num_threads(argc)
    for (int i = 0; i < 100; i++)
        a[i] += i;
#pragma omp target parallel for if (parallel : argc > 3)
    for (int i = 0; i < 100; i++)
        a[i] += i;
    return a[1] != 3;
}
";

#[test]
fn sizes_of_openmp_are_told_in_the_clauses_that_it_has() {
    let file = source("bounded.c", BOUNDED);
    let warned = text(&accrue(&["ptx", "-fopenmp"], &file).stderr);
    for expected in [
        "`thread_limit(20)` is no multiple of 32: each team takes 32 threads, 12 of them idle\n",
        "`thread_limit(12)` is no multiple of 32",
    ] {
        assert!(warned.contains(expected), "{warned}");
    }
    let told = text(&accrue(&["explain", "-fopenmp"], &file).stdout);
    for expected in [
        "launch: a launch has G gangs of 1 workers of 20 lanes; G: what `num_teams` says\n",
        "W: what `num_threads` says; V: what `num_threads` says\n",
        "W: what `if` says; V: what `if` says\n",
        "data: `map(tofrom: a)` (800 bytes): to the device",
        "data: implicit `map(tofrom: a)` (800 bytes): to the device at the start and back at the end, unless it \
         is there already; no clause of the `target` construct names it, and it is no scalar\n",
        "loop: parallel: as the directive says\n",
    ] {
        assert!(told.contains(expected), "{told}");
    }
    for other in ["`copy", "num_gangs", "num_workers", "vector_length", "`parallel`", "independent"] {
        assert!(!told.contains(other), "{other}: {told}");
        assert!(!warned.contains(other), "{other}: {warned}");
    }
}

const CLAMPED: &str = "\
int main(void)
{
    int a[9], n = 2;
#pragma acc parallel loop gang worker vector num_workers(64) vector_length(20)
    for (int i = 0; i < 9; i++)
        a[i] = i;
#pragma acc parallel loop gang worker vector num_workers(20) vector_length(2000)
    for (int i = 0; i < 9; i++)
        a[i] = i;
#pragma acc kernels loop independent gang(n) vector(64)
    for (int i = 0; i < 9; i++)
        a[i] = i;
    return a[0];
}
";

#[test]
fn clauses_that_a_gpu_cannot_follow_are_warned_of_with_their_places() {
    let file = source("clamped.c", CLAMPED);
    let output = accrue(&["ptx", "--diagnostics", "json"], &file);
    assert!(output.status.success());
    let found: Vec<String> = text(&output.stderr).lines().map(str::to_owned).collect();
    let expected = [
        ("vector-length-padded", 4, 76),
        ("launch-size-reduced", 4, 58),
        ("launch-size-reduced", 7, 76),
        ("launch-size-reduced", 7, 58),
        ("clause-ignored", 10, 2),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (line, (id, row, column)) in found.iter().zip(expected) {
        assert!(line.contains(&format!("\"id\":\"{id}\"")), "{line}");
        assert!(line.contains(&format!("\"line\":{row},\"column\":{column}}}")), "{line}");
    }
    let shown = text(&accrue(&["ptx"], &file).stderr);
    assert!(shown.contains("num_workers(64) vector_length(20)"), "the source line is shown: {shown}");
}

#[test]
fn only_the_gpu_is_concerned_and_options_of_warnings_apply() {
    let file = source("clamped_options.c", CLAMPED);
    let output = accrue(&["run"], &file);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    assert_eq!(text(&accrue(&["ptx", "-w"], &file).stderr), "");
    let output = accrue(&["ptx", "-Wno-launch-size-reduced", "-Werror=clause-ignored"], &file);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("error[clause-ignored]") && !shown.contains("launch-size-reduced"), "{shown}");
}

#[test]
fn levels_of_kernels_loops_that_depend_on_each_other_are_warned_of() {
    let program = "int main(void)\n{\n    int a[9] = {0};\n#pragma acc kernels loop gang(4) vector\n    for (int i = 1; i < 9; i++)\n        a[i] = a[i - 1];\n#pragma acc kernels loop gang\n    for (int i = 0; i < 9; i++)\n        a[i]++;\n    return a[0] - 1;\n}\n";
    let file = source("levels_alone.c", program);
    for command in [&["run", "--diagnostics", "json"][..], &["ptx", "--diagnostics", "json"]] {
        let output = accrue(command, &file);
        assert!(output.status.success(), "{output:?}");
        let told = text(&output.stderr);
        let found: Vec<&str> = told.lines().collect();
        assert_eq!(found.len(), 1, "{found:#?}");
        for part in ["\"id\":\"independent-refuted\"", "\"line\":4,", "distance 1", "runs sequentially"] {
            assert!(found[0].contains(part), "{part}: {}", found[0]);
        }
    }
}

#[test]
fn what_a_gpu_cannot_do_is_an_error_at_its_place() {
    let program = "#include <stdio.h>\nint main(void)\n{\n#pragma acc parallel\n    fflush(stdout);\n}\n";
    let output = accrue(&["ptx"], &source("limit.c", program));
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("error[device-unsupported]: ") && shown.contains("limit.c:5:"), "{shown}");
}

#[test]
fn a_function_does_not_know_how_many_teams_are_around_its_call() {
    let program = |call: &str| {
        format!(
            "#include <omp.h>\n#pragma omp declare target\nint level(void) {{ return omp_get_level(); }}\n\
             #pragma omp end declare target\nint main(void)\n{{\n    int a = 0;\n    {call}\n    return a;\n}}\n"
        )
    };
    let run = |name: &str, call: &str| accrue(&["run", "-w", "-fopenmp"], &source(name, &program(call)));
    assert!(run("level_on_host.c", "a = level();").status.success());
    let in_team = "_Pragma(\"omp target parallel map(tofrom : a)\")\n    a = level();";
    let shown = text(&run("level_in_team.c", in_team).stderr);
    for part in ["error[host-unsupported]: `omp_get_level` is asked in a function", "level_in_team.c:3:"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn threads_of_a_team_that_cannot_come_or_exclude_each_other_are_told() {
    let team = |what: &str| {
        format!(
            "#include <omp.h>\n#pragma omp declare target\nomp_lock_t word;\nint total;\n#pragma omp end declare target\n\
             int main(void)\n{{\n#pragma omp target\n#pragma omp parallel num_threads(4)\n    {{\n        \
             int me = omp_get_thread_num();\n{what}\n    }}\n    return 0;\n}}\n"
        )
    };
    let locks = source("team_locks.c", &team("omp_set_lock(&word); total += me; omp_unset_lock(&word);"));
    assert!(accrue(&["run", "-w", "-fopenmp"], &locks).status.success());
    let shown = text(&accrue(&["ptx", "-w", "-fopenmp"], &locks).stderr);
    for part in ["error[device-unsupported]: threads of a device exclude each other here", "team_locks.c:12:"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let parted = source("team_parted.c", &team("if (me < 3) {\n#pragma omp barrier\n}"));
    let output = accrue(&["run", "-w", "-fopenmp"], &parted);
    let shown = text(&output.stderr);
    assert!(!output.status.success(), "{shown}");
    assert!(shown.contains("3 of the 4 threads of a team wait at a barrier"), "{shown}");
    // One thread executes `ordered`.
    let ordered = source(
        "team_ordered.c",
        &team("#pragma omp for ordered\nfor (int i = 0; i < 4; i++) {\n#pragma omp ordered\ntotal += i;\n}"),
    );
    let shown = text(&accrue(&["run", "-fopenmp"], &ordered).stderr);
    assert!(shown.contains("warning[omp-one-thread]: `omp_get_thread_num` is 0 here"), "{shown}");
}

#[test]
fn functions_whose_loops_one_thread_executes_are_told() {
    let program = |called: &str| {
        format!(
            "#pragma omp declare target\nstatic int all;\nstatic void add(void)\n{{\n#pragma omp critical\n    all++;\n}}\n\
             static void own(int *a, int n)\n{{\n#pragma omp parallel for\n    for (int i = 0; i < n; i++)\n        a[i]++;\n\
             }}\nstatic void again(int *a, int n)\n{{\n    own(a, n);\n    if (n > 1)\n        again(a, n / 2);\n}}\n\
             static void team(void)\n{{\n#pragma omp parallel\n    add();\n}}\n#pragma omp end declare target\n\
             int main(void)\n{{\n    int a[9] = {{0}};\n#pragma omp target map(tofrom : a)\n    {called}\n    \
             return 0;\n}}\n"
        )
    };
    for (name, call, is_told) in
        [("own", "own(a, 9);", false), ("again", "again(a, 9);", true), ("team", "team();", true)]
    {
        let file = source(&format!("functions_{name}.c"), &program(call));
        let output = accrue(&["ptx", "-fopenmp"], &file);
        let shown = text(&output.stderr);
        let warning = format!("one thread of the device executes each `parallel` that `{name}` leads to");
        assert!(output.status.success() && shown.contains(&warning) == is_told, "{name}: {shown}");
        assert!(accrue(&["run", "-fopenmp"], &file).status.success());
    }
}

#[test]
fn a_function_that_is_called_by_its_address_does_not_know_its_thread() {
    let program = "#include <omp.h>\n#pragma omp declare target\nstatic int number(void) { return omp_get_thread_num(); }\n\
                   static int (*const table[1])(void) = {number};\n#pragma omp end declare target\nint main(void)\n{\n    \
                   int a[9];\n#pragma omp target parallel for map(from : a)\n    for (int i = 0; i < 9; i++)\n        \
                   a[i] = table[0]();\n    return a[0];\n}\n";
    let output = accrue(&["ptx", "-fopenmp"], &source("address_asks.c", program));
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    for part in ["error[device-unsupported]: ", "may lead to `number`", "address_asks.c:11:"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(accrue(&["run", "-fopenmp"], &source("address_asks_host.c", program)).status.success());
}

/// A routine that calls itself; `{local}` is what its threads share, or not.
fn recursive(local: &str) -> String {
    format!(
        "#pragma acc routine vector\nstatic int sum(int *p, int n)\n{{\n    {local};\n#pragma acc loop vector\n    \
         for (int i = 0; i < 8; i++)\n        p[i] += n;\n    return n > 0 ? sum(p, n - 1) : p[3];\n}}\n\
         int main(void)\n{{\n    int a[8] = {{ 1, 2, 3, 4, 5, 6, 7, 8 }}, r;\n#pragma acc parallel num_gangs(1) copyout(r) \
         copy(a)\n    r = sum(a, 3);\n    return r;\n}}\n"
    )
}

#[test]
fn routines_with_levels_are_called_by_name() {
    let program = "#pragma acc routine vector\nvoid all(int *p)\n{\n}\nint main(void)\n{\n    int a = 0;\n\
                   #pragma acc parallel copy(a)\n    {\n        void (*call)(int *) = all;\n        call(&a);\n    }\n    \
                   return a;\n}\n";
    let output = accrue(&["ptx"], &source("routine_address.c", program));
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("the address of `all` is taken") && shown.contains("`routine vector`"), "{shown}");
    let output =
        accrue(&["ptx"], &source("seq_address.c", &program.replace("routine vector", "routine seq")));
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn recursion_has_no_variables_that_threads_share() {
    let output =
        accrue(&["ptx"], &source("recursion_array.c", &recursive("int own[8]; own[n] = p[n]; p = own")));
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("`sum` calls itself, and its threads share `own`"), "{shown}");
    let output = accrue(&["run", "--device", "sim"], &source("recursion.c", &recursive("(void)0")));
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(10), String::new()));
}

const CALLER: &str = "\
#pragma acc routine vector
void scale(float *row, int n, float by);
#pragma acc routine seq
extern int twice(int);
int main(void)
{
    float x[4][64];
    for (int i = 0; i < 256; i++)
        x[0][i] = i;
#pragma acc parallel loop gang copy(x) vector_length(64)
    for (int j = 0; j < 4; j++)
        scale(x[j], 64, twice(j));
    return x[1][3] != 134;
}
";

const CALLED: &str = "\
#pragma acc routine vector
void scale(float *row, int n, float by)
{
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        row[i] *= by;
}
#pragma acc routine seq
int twice(int a) { return 2 * a; }
";

#[test]
fn a_routine_of_another_file_is_linked_and_one_of_no_file_is_named() {
    let (caller, called) = (source("routine_caller.c", CALLER), source("routine_called.c", CALLED));
    let output = accrue(&["ptx"], &caller);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stderr);
    assert!(shown.contains("routine `twice`, which is called here,"), "{shown}");
    assert!(shown.contains("routine_caller.c:12:25"), "{shown}");
    let caller = caller.to_string_lossy().into_owned();
    let output = accrue(&["ptx", &caller], &called);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("call scale, ("), "{}", text(&output.stdout));
    let output = accrue(&["run", &caller], &called);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn stages_of_the_gpu_are_listed_and_can_be_printed() {
    let file = source(
        "stages.c",
        "int main(void)\n{\n    int a = 1, b[9];\n#pragma acc parallel\n    {\n        a = b[0]++;\n\
         #pragma acc loop worker\n        for (int i = 0; i < 9; i++)\n            b[i] = a;\n    }\n    return 0;\n}\n",
    );
    let list = |target| text(&accrue(&["ir", "--target", target, "--stage", "list"], &file).stdout);
    let (host, gpu) = (list("host"), list("ptx"));
    let only_in = |a: &str, b: &str| -> Vec<String> {
        let names = |list: &str| -> Vec<String> {
            list.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
        };
        let others = names(b);
        names(a).into_iter().filter(|name| !others.contains(name)).collect()
    };
    assert_eq!(
        only_in(&host, &gpu),
        [
            "teams",
            "alone",
            "hoist",
            "vectorize",
            "rotate",
            "steps",
            "remember",
            "overwritten",
            "around-calls"
        ]
    );
    let own = [
        "fuse",
        "inline-regions",
        "choose-early",
        "assign-levels",
        "unroll-whole",
        "tables",
        "elements",
        "reach",
        "unread",
        "hold",
        "collapse",
        "updates",
        "copies",
        "scans",
        "neuter",
        "surplus",
        "stack",
        "scalarize",
        "printf",
        "once",
        "carry",
        "narrow",
        "angles",
        "link",
        "few",
        "define",
        "addresses",
        "share",
        "lift",
        "quotients",
        "late",
        "unroll",
        "reload",
        "conditions",
        "choose-rest",
        "align",
        "barriers",
        "ends",
    ];
    assert_eq!(only_in(&gpu, &host), own);
    let stage = |stage| accrue(&["ir", "--target", "ptx", "--stage", stage], &file);
    let printed = |name| text(&stage(name).stdout);
    assert!(printed("simplify-cfg").contains("fork worker") && !printed("neuter").contains("fork worker"));
    assert!(printed("scalarize").contains("barrier worker"));
    assert_eq!(
        accrue(&["ir", "--stage", "neuter"], &file).status.code(),
        Some(2),
        "the host has no such pass"
    );
    let file = source(
        "linked.c",
        "#include <math.h>\nvoid f(float *x)\n{\n#pragma acc parallel loop copy(x[0 : 9])\n    \
         for (int i = 0; i < 9; i++)\n        x[i] = expf(x[i]);\n}\n",
    );
    let printed = |stage| text(&accrue(&["ir", "--target", "ptx", "--stage", stage], &file).stdout);
    assert!(printed("carry").contains(".expf(") && !printed("carry").contains("__accrue_expf"));
    let inlined = printed("inline");
    assert!(inlined.contains(" = fma ") && !inlined.contains(".fmaf(") && !inlined.contains(".expf("));
}

#[test]
fn fast_math_leaves_the_library_of_the_device_as_it_is() {
    let program = "#include <math.h>\nvoid f(int n, double *x, float *y)\n{\n#pragma acc parallel loop copy(x[0 : n], y[0 : n])\n    \
         for (int i = 0; i < n; i++) {\n        x[i] = sin(x[i]) * x[i] + 1;\n        y[i] = expf(y[i]) * y[i] + 1;\n    }\n}\n";
    let file = source("fast_math.c", program);
    let module = |options: &[&str]| {
        let output = accrue(&[&["ptx"], options].concat(), &file);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    // Names of the instructions that come from the library, or of those that do not.
    let instructions = |module: &str, wants_library: bool| -> Vec<String> {
        let is_library = |number: &str| {
            module.lines().any(|line| line.starts_with(&format!(".file {number} \"<device>/")))
        };
        let (mut here, mut found) = (false, Vec::new());
        for line in module.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some(".loc") => here = words.next().is_some_and(is_library),
                Some(".visible" | ".func") => here = false,
                Some(name) if here == wants_library => found.push(name.to_owned()),
                _ => {}
            }
        }
        found
    };
    let (exact, fast, contracted) = (module(&["-ffp-contract=off"]), module(&["-ffast-math"]), module(&[]));
    let library = instructions(&exact, true);
    assert!(library.iter().filter(|name| name.starts_with("fma.rn.f")).count() > 20, "{exact}");
    assert_eq!(library, instructions(&fast, true));
    assert_eq!(library, instructions(&contracted, true));
    let has = |module: &str, name: &str| instructions(module, false).iter().any(|found| found == name);
    assert!(!has(&exact, "fma.rn.f64") && !has(&exact, "fma.rn.f32"), "{exact}");
    assert!(has(&contracted, "fma.rn.f64") && has(&fast, "fma.rn.ftz.f32"), "{fast}");
}

const DIVIDED: &str = "\
double factor = 2;
int calls, unwritten = 3, named;
#pragma acc declare copyin(named)
static int table[2];
static const int constants[2] = {1, 2};
static void fill(int *p) { p[0] = 7; }
static double scaled(double x)
{
    static int device_only;
    device_only++;
    calls++;
    return factor * x + table[0] + unwritten + named + constants[1] + device_only;
}
int main(void)
{
    double o[4];
    factor = 5;
    named = constants[0];
    fill(table);
#pragma acc parallel loop num_gangs(1) vector_length(1) copyout(o)
    for (int i = 0; i < 4; i++)
        o[i] = scaled(i);
    return calls + unwritten > 100;
}
";

/// Host and device have one each of what a function without `routine` uses: told where it matters, and
/// nowhere else.
#[test]
fn objects_that_host_and_device_have_one_each_of_are_warned_of() {
    let file = source("divided.c", DIVIDED);
    for args in [&["run"][..], &["run", "--memory", "discrete"], &["run", "--device", "sim"], &["ptx"]] {
        let told = text(&accrue(&[args, &["--diagnostics", "json"]].concat(), &file).stderr);
        let found: Vec<&str> = told.lines().filter(|line| line.contains("\"routine-variable\"")).collect();
        assert_eq!(found.len(), 3, "{args:?}: {told}");
        for (line, (name, row, update)) in found.iter().zip([
            ("calls", 11, "update self(calls)` where"),
            ("factor", 12, "update device(factor)` where"),
            ("table", 12, "update device(table)` where"),
        ]) {
            let place = format!("\"line\":{row},");
            let expected = [
                &place,
                &format!("uses `{name}`, which no `declare` names"),
                &format!("copyin({name})"),
                update,
            ];
            assert!(expected.iter().all(|part| line.contains(&**part)), "{args:?}: {line}");
        }
    }
    let explained = text(&accrue(&["explain"], &file).stdout);
    for clause in ["implicit `copy(calls)`", "implicit `copyin(factor)`", "implicit `copyin(table)`"] {
        assert!(explained.contains(clause), "{clause}: {explained}");
    }
    let quiet = accrue(&["run", "-Wno-routine-variable"], &file);
    assert!(quiet.status.success() && quiet.stderr.is_empty(), "{}", text(&quiet.stderr));
    assert_eq!(accrue(&["run", "-Werror=routine-variable"], &file).status.code(), Some(1));
}

#[test]
fn the_last_option_about_contraction_counts() {
    let program = "void f(double *a, double *b, double c, int n)\n{\n#pragma acc parallel loop deviceptr(a, b)\n    \
                   for (int i = 0; i < n; i++)\n        a[i] = a[i] * b[i] + c;\n}\n";
    let file = source("contraction.c", program);
    for (options, contracted) in [
        (&[][..], true),
        (&["-ffp-contract=fast"], true),
        (&["-ffp-contract=off"], false),
        (&["-ffast-math", "-ffp-contract=off"], false),
        (&["-ffp-contract=off", "-ffast-math"], true),
        (&["-ffp-contract=off", "-ffast-math", "-fno-fast-math"], false),
        (&["-ffp-contract=off", "-ffp-contract=on"], true),
    ] {
        let output = accrue(&[&["ptx"][..], options].concat(), &file);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout).contains("fma.rn.f64"), contracted, "{options:?}");
    }
    let output = accrue(&["ptx", "-ffp-contract=quick"], &file);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`-ffp-contract=quick`"), "{}", text(&output.stderr));
}

/// The initial value is an address: there is nothing to copy, and the device keeps its own value.
#[test]
fn objects_that_cannot_be_copied_are_errors_where_they_differ() {
    let program = |store: &str| {
        format!(
            "int numbers[2] = {{1, 2}};\nint *chosen = &numbers[0];\nvoid look(int **);\nstatic int value(void) {{ return *chosen; }}\n\
             void look(int **at) {{ (void)at; }}\nint main(void)\n{{\n    int r = 0;\n    {store};\n#pragma acc parallel copy(r)\n    \
             r = value();\n    return r - *chosen;\n}}\n"
        )
    };
    let stored = source("chosen.c", &program("chosen = &numbers[1]"));
    let shared = accrue(&["run"], &stored);
    assert_eq!(shared.status.code(), Some(0), "{}", text(&shared.stderr));
    assert!(text(&shared.stderr).contains("warning[routine-variable]: `value`"), "{}", text(&shared.stderr));
    for args in [&["run", "-w", "--memory", "discrete"][..], &["run", "--device", "sim"], &["ptx"]] {
        let refused = accrue(args, &stored);
        assert_eq!(refused.status.code(), Some(1), "{args:?}");
        assert!(
            text(&refused.stderr).contains("error[routine-variable]: `value`"),
            "{}",
            text(&refused.stderr)
        );
    }
    let kept = accrue(&["ptx", "-Wno-error=routine-variable"], &stored);
    assert!(kept.status.success(), "{}", text(&kept.stderr));
    // An address that is given away may be read only.
    let looked_at =
        accrue(&["run", "--memory", "discrete"], &source("looked_at.c", &program("look(&chosen)")));
    assert_eq!(looked_at.status.code(), Some(0), "{}", text(&looked_at.stderr));
}

/// Statements for an iteration `m`, and whether their array is in memory.
const ARRAYS: &[(&str, bool)] = &[
    // Three loops, and one whose first value depends on a counter around.
    (
        "float t[4][8]; for (int i = 0; i < 4; i++) for (int j = 0; j < 8; j++) t[i][j] = x[m * 32 + i * 8 + j];\n\
         for (int k = 0; k < 4; k++) for (int i = k + 1; i < 4; i++) { float by = t[i][k] / t[k][k];\n\
         for (int j = k; j < 8; j++) t[i][j] -= by * t[k][j]; }\n\
         for (int i = 0; i < 4; i++) y[m * 4 + i] = t[i][i + 4];",
        false,
    ),
    // A loop that stays, of iterations that each go through the array.
    (
        "float row[33]; for (int j = 0; j < 33; j++) row[j] = j; for (int i = 0; i < n; i++)\n\
         for (int j = 0; j < 32; j++) { float best = row[j] + x[m * n + i]; if (row[j + 1] < best) best = row[j + 1];\n\
         if (x[j] < best) best = x[j]; row[j + 1] = best; }\n\
         y[m] = row[32];",
        false,
    ),
    // Subscripts that come again, in more iterations than others are written out of.
    (
        "float w[8]; for (int i = 0; i < 8; i++) w[i] = x[m * 8 + i]; for (int i = 0; i < 64; i++)\n\
         { w[i % 8] += sqrtf(w[(i + 1) % 8]) * x[i]; if (w[i % 8] > 3) w[(i + 5) & 7] = 0; }\n\
         y[m] = w[7];",
        false,
    ),
    // The same in many iterations, and in as many as are asked for.
    (
        "float w[16]; for (int i = 0; i < 16; i++) w[i] = x[m + i]; for (int i = 0; i < 400; i++)\n\
         w[i % 16] += w[(i + 9) % 16] * w[i + 6 & 15] * expf(x[i]); y[m] = w[5];",
        false,
    ),
    (
        "float w[5] = {0}; for (int i = 3; i < n; i++) { w[i % 5] = x[i] - w[(i + 1) % 5]; if (w[i % 5] > 9) break; }\n\
         y[m] = w[0] + w[4];",
        false,
    ),
    // They come again, but nobody knows with which the loop begins.
    ("float w[16] = {0}; for (int i = m; i < n; i++) w[i & 15] += x[i]; y[m] = w[3];", true),
    // A subscript that data tell: one of a few elements, and of many.
    (
        "float t[4][8]; for (int i = 0; i < 4; i++) for (int j = 0; j < 8; j++) t[i][j] = x[m * 32 + i * 8 + j];\n\
         y[m] = t[(int)x[m] & 3][2];",
        false,
    ),
    (
        "float t[9][3]; for (int i = 0; i < 9; i++) for (int j = 0; j < 3; j++) t[i][j] = x[m * 27 + i * 3 + j];\n\
         y[m] = t[(int)x[m] & 7][2];",
        true,
    ),
    // One that is chosen among constants.
    (
        "float t[8]; int at = 0; for (int i = 0; i < 8; i++) { t[i] = x[m * 8 + i]; if (t[i] > t[at]) at = i; }\n\
         y[m] = t[at] + at;",
        false,
    ),
    // Loops of too many iterations, and of an unknown number.
    (
        "float t[100]; for (int i = 0; i < 100; i++) t[i] = x[i + m]; for (int i = 0; i < 100; i++) y[m] += t[i] * t[99 - i];",
        true,
    ),
    ("float t[8] = {0}; for (int i = 0; i < n; i++) t[i] += x[i + m]; y[m] = t[7] + t[3];", false),
    ("float t[16] = {0}; for (int i = 0; i < n; i++) t[i] += x[i + m]; y[m] = t[7] + t[3];", true),
    // A function gets the address.
    ("float t[4]; for (int i = 0; i < 4; i++) t[i] = x[i + m]; y[m] = least(t);", true),
];

#[test]
fn arrays_of_a_thread_are_registers_where_loops_make_subscripts_constant() {
    for (number, (statements, in_memory)) in ARRAYS.iter().enumerate() {
        let program = format!(
            "#include <math.h>\n#pragma acc routine seq\n__attribute__((noinline)) float least(const float *t)\n{{\n    \
             float a = t[0];\n    for (int i = 1; i < 4; i++)\n        a = t[i] < a ? t[i] : a;\n    return a;\n}}\n\
             void f(int n, const float *restrict x, float *restrict y)\n{{\n#pragma acc parallel loop deviceptr(x, y)\n\
             for (int m = 0; m < n; m++) {{\n{statements}\n}}\n}}\n"
        );
        let output = accrue(&["ptx", "-w"], &source(&format!("arrays_{number}.c"), &program));
        let ptx = text(&output.stdout);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(ptx.contains("__frame"), *in_memory, "{statements}\n{ptx}");
    }
}

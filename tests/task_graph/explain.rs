//! What `accrue explain` says of tasks: of a program, and of a run.

use libtest_mimic::Failed;
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "int f(int *p, int n)
{
    int a = 0;
    for (int i = 0; i < n; i++) {
#pragma omp target nowait depend(inout : a) depend(in : p[i]) map(tofrom : a)
        a += 1;
    }
#pragma omp target update from(a) nowait depend(in : a)
#pragma omp task depend(inout : p[0]) shared(a) depend(in : a)
    a += *p;
#pragma omp target depend(in : a) map(to : a)
    a += 2;
#pragma omp target nowait depend(iterator(i = 0 : n), out : p[i])
    a = 3;
#pragma omp taskwait
    return a;
}
";

const SAID: &str = "FILE:5:2: f: task: `a`: behind earlier target tasks of this directive, if both name the same place: on one device by the order of a queue, or an event; the host does not wait
FILE:8:2: f: task: `a`: behind the target task at line 5, if both name the same place: on one device by the order of a queue, or an event; the host does not wait
FILE:9:2: f: task: `p`: behind the target task at line 5, if both name the same place: by a host function of its queue, which lets this task begin
FILE:9:2: f: task: `a`: behind the target task at line 5, if both name the same place: by a host function of its queue, which lets this task begin
FILE:11:2: f: task: `a`: behind the target task at line 5, if both name the same place: on one device by the order of a queue, or an event; the host does not wait
FILE:11:2: f: task: the task has no `nowait`: the host waits for its end
FILE:13:2: f: task: the dependences have iterators: what the task is behind is known when the program runs
FILE:15:2: f: task: `taskwait`: the host waits once, for all target tasks before it that are not known to be done
";

const RUN: &str = r#"{"behind":{"file":"FILE","line":15},"by":"submission","count":4,"file":"FILE","line":18,"topic":"task"}
{"behind":{"file":"FILE","line":18},"by":"host-function","count":4,"file":"FILE","line":21,"topic":"task"}
{"calls":4,"ended":0,"event":0,"host":0,"host-function":4,"host-wait":0,"queue":0,"submission":4,"targets":4,"topic":"total","waits":0}
"#;

fn accrue(args: &[&str]) -> Result<String, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    let outcome = command.args(args).env("ACC_DEVICE_TYPE", "host").env("OMP_NUM_THREADS", "1").output()?;
    match outcome.status.success() {
        true => Ok(String::from_utf8_lossy(&outcome.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&outcome.stderr).into_owned().into()),
    }
}

/// What is known of a program, in the lines of the topic `task`, for either target.
pub fn of_a_program() -> Result<(), Failed> {
    let file = std::env::temp_dir().join(format!("accrue-explain-{}.c", std::process::id()));
    std::fs::write(&file, PROGRAM)?;
    let name = file.to_string_lossy();
    let said = ["ptx", "host"].map(|target| accrue(&["explain", "-fopenmp", "--target", target, &name]));
    // The system clears the folder, too.
    let _ = std::fs::remove_file(&file);
    for said in said {
        let said: String =
            said?.lines().filter(|line| line.contains(": task: ")).map(|line| format!("{line}\n")).collect();
        if said != SAID.replace("FILE", &name) {
            return Err(said.into());
        }
    }
    Ok(())
}

/// What a trace tells.
pub fn of_a_run() -> Result<(), Failed> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/task_host_device.c");
    let file = std::env::temp_dir().join(format!("accrue-explain-{}.json", std::process::id()));
    let (name, trace) = (program.to_string_lossy(), file.to_string_lossy());
    accrue(&["run", "-fopenmp", "--memory", "discrete", "--trace", &trace, &name])?;
    let [text, objects] =
        ["text", "json"].map(|format| accrue(&["explain", "--format", format, "--trace", &trace]));
    let _ = std::fs::remove_file(&file);
    let (text, objects) = (text?, objects?);
    let is_text = text.contains(":21: task: behind line 18 by a host function") && text.contains("4 times\n");
    let is_total = text.ends_with("waits of the host for a device: 0; calls of the host: 4\n");
    if is_text && is_total && objects == RUN.replace("FILE", &name) {
        return Ok(());
    }
    Err(format!("{text}\n{objects}").into())
}

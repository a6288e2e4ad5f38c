//! Constructs that compiled code executes as calls of their regions, and what keeps it from that.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A command of accrue on a program; `name` is that of a file that no other test writes. Words `NAME=VALUE`
/// are variables of the environment.
fn accrue(name: &str, words: &[&str], program: &str) -> Output {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("direct_{name}.c"));
    std::fs::write(&path, program).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.env_remove("ACC_DEVICE_TYPE").env_remove("ACC_NUM_CORES").env("NO_COLOR", "1");
    for word in words {
        match word.split_once('=').filter(|(name, _)| name.starts_with("ACC")) {
            Some((name, value)) => command.env(name, value),
            None => command.arg(word),
        };
    }
    command.arg(path).output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// What a program prints that ends well.
fn prints(name: &str, words: &[&str], program: &str) -> String {
    let output = accrue(name, words, program);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {}\n{errors}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Launches of every kind of argument, many of them from one place, with atomics of every width.
const SUMS: &str = r#"#include <stdio.h>
int main(void)
{
    int a[40], n = 40;
    double sum = 0, *p = &sum;
    short small = 0;
    long many = 0;
    float less = 0;
    unsigned char bits = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int round = 0; round < 50; round++) {
#pragma acc parallel loop copy(a[0:n]) num_gangs(3)
        for (int i = 0; i < n; i++)
            a[i] += round;
#pragma acc parallel loop copyin(a[n / 4:n / 2]) copy(p[0:1]) reduction(+:many)
        for (int i = n / 4; i < n / 4 + n / 2; i++) {
            many += a[i];
#pragma acc atomic
            p[0] += a[i];
        }
#pragma acc serial loop copyin(a) copy(small, less, bits)
        for (int i = 0; i < n; i++) {
            short seen;
#pragma acc atomic capture
            seen = small++;
#pragma acc atomic
            less -= i % 4;
#pragma acc atomic
            bits += i;
            small += seen < 0;
        }
    }
    printf("%d %d %g %d %ld %g %d\n", a[0], a[39], sum, small, many, less, bits);
    return 0;
}
"#;

#[test]
fn every_device_computes_the_same() {
    let expected = prints("sums", &["run"], SUMS);
    assert_eq!(expected, "1225 1264 436000 2000 436000 -3000 88\n");
    let others: [&[&str]; 8] = [
        &["run", "-O0"],
        &["run", "--eager"],
        &["run", "--gangs", "4"],
        &["run", "--device", "multicore", "--gangs", "4"],
        &["run", "--memory", "discrete"],
        &["run", "--device", "sim"],
        &["check"],
        &["run", "ACC_PROFLIB=/nonexistent.so"],
    ];
    for words in others {
        let printed = prints("sums", words, SUMS);
        assert!(printed.starts_with(&expected), "{words:?}: {printed}");
    }
}

/// Prints how many constructs a callback hears of, which is registered and unregistered between launches.
const EVENTS: &str = r#"#include <acc_prof.h>
#include <openacc.h>
#include <stdio.h>
static int begun, started;
static void heard(acc_prof_info *info, acc_event_info *event, acc_api_info *api)
{
    begun += info->event_type == acc_ev_compute_construct_start;
    started += info->event_type == acc_ev_device_init_start;
}
static int step(int x)
{
#pragma acc parallel copy(x)
    x++;
    return x;
}
int main(void)
{
    int x = 0;
    for (int i = 0; i < 10; i++)
        x = step(x);
    acc_prof_register(acc_ev_compute_construct_start, heard, acc_reg);
    for (int i = 0; i < 7; i++)
        x = step(x);
    acc_prof_unregister(acc_ev_compute_construct_start, heard, acc_reg);
    for (int i = 0; i < 5; i++)
        x = step(x);
    printf("%d %d", x, begun);
    acc_prof_register(acc_ev_device_init_start, heard, acc_reg);
    acc_shutdown(acc_device_host);
    x = step(x);
    acc_set_device_type(acc_device_host);
    x = step(x);
    printf(" %d %d %d\n", x, begun, started);
    return 0;
}
"#;

#[test]
fn callbacks_hear_of_constructs_as_long_as_they_are_registered() {
    assert_eq!(prints("events", &["run"], EVENTS), "22 7 24 7 1\n");
}

#[test]
fn constructs_are_counted_where_that_is_asked_for() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("direct_counts.json");
    let variable = format!("ACCRUE_STATS={}", file.display());
    prints("counts", &["run", &variable], SUMS);
    let counts = std::fs::read_to_string(&file).expect("the counts were written");
    assert!(counts.starts_with("{\"regions\": 150 "), "{counts}");
}

/// Two threads add to the same variables at the same time, and one alone before and after.
const THREADS: &str = r#"#include <pthread.h>
#include <stdio.h>
static long count;
static double sum;
static void *work(void *unused)
{
    for (int round = 0; round < 100; round++) {
#pragma acc parallel loop present(count, sum)
        for (int i = 0; i < 2000; i++) {
#pragma acc atomic
            count++;
#pragma acc atomic
            sum += 1;
        }
    }
    return unused;
}
int main(void)
{
    pthread_t other;
    work(0);
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    work(0);
    printf("%ld %g\n", count, sum);
    return 0;
}
"#;

#[test]
fn atomics_are_those_of_threads_once_there_are_several() {
    for words in [&["run"][..], &["run", "-O0"], &["run", "--eager"]] {
        assert_eq!(prints("threads", words, THREADS), "800000 800000\n", "{words:?}");
    }
}

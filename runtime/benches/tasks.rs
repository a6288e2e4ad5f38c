//! What threads and tasks of OpenMP cost: to fork and join a team, and to create and execute tasks without
//! code, alone and with dependences.

use accrue_runtime::abi::{
    ASYNC_SYNC, ArgDesc, ArgKind, Array, ConstructKind, HostEntry, LAUNCH_SYMBOL, LaunchDesc, SourcePos, Str,
    VERSION,
};
use accrue_runtime::symbols;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::ptr::with_exposed_provenance;

const ARGS: [ArgDesc; 1] = [ArgDesc { name: Str::new(""), kind: ArgKind::Value.number(), map: 0 }];

const fn desc(kind: ConstructKind, flags: u32, entry: HostEntry) -> LaunchDesc {
    LaunchDesc {
        version: VERSION,
        kind: kind.number(),
        host_entry: Some(entry),
        region: Str::new("bench$region0"),
        function: Str::new("bench"),
        pos: SourcePos { file: Str::new("bench.c"), line: 1 },
        maps: Array::new(&[]),
        args: Array::new(&ARGS),
        flags,
        fused: 0,
    }
}

fn symbol(name: &str) -> *const u8 {
    let found = symbols::table().into_iter().find(|&(known, _)| known == name);
    found.unwrap_or_else(|| panic!("the runtime has no {name}")).1
}

/// The runtime's entry for launches, as compiled code has it.
fn launch(desc: &'static LaunchDesc, values: &[u64]) {
    type Launch = unsafe extern "C" fn(*const LaunchDesc, *const u64);
    thread_local! {
        // SAFETY: the function behind the symbol has this type.
        static LAUNCH: Launch = unsafe { std::mem::transmute::<*const u8, Launch>(symbol(LAUNCH_SYMBOL)) };
    }
    // SAFETY: the values are those that the descriptor calls for.
    LAUNCH.with(|launch| unsafe { launch(desc, values.as_ptr()) });
}

unsafe extern "C" fn nothing(args: *const u64, _: u64, _: u64) {
    black_box(args);
}

/// The first thread calls the function behind the argument, the others go on to the barrier.
unsafe extern "C" fn first_calls(args: *const u64, _: u64, _: u64) {
    // SAFETY: the function behind the symbol has this type.
    let number =
        unsafe { std::mem::transmute::<*const u8, extern "C" fn() -> i32>(symbol("omp_get_thread_num")) };
    if number() == 0 {
        // SAFETY: `team` passes the address of a reference.
        unsafe { (*with_exposed_provenance::<&dyn Fn()>(*args as usize))() };
    }
}

static TEAM: LaunchDesc = desc(ConstructKind::Team, 0, first_calls);
static EMPTY_TEAM: LaunchDesc = desc(ConstructKind::Team, 0, nothing);
static TASK: LaunchDesc = desc(ConstructKind::Task, LaunchDesc::TASK, nothing);

fn team(desc: &'static LaunchDesc, threads: u64, code: &dyn Fn()) {
    let argument = (&raw const code).expose_provenance() as u64;
    launch(desc, &[1, 0, ASYNC_SYNC as u64, u64::MAX, 0, threads, 0, 0, 0, 0, argument]);
}

/// A task with dependences: pairs of an address and a kind.
fn task(depends: &[[u64; 2]]) {
    let first = depends.as_ptr().expose_provenance() as u64;
    let count = depends.len() as u64;
    launch(&TASK, &[1, 0, ASYNC_SYNC as u64, u64::MAX, 0, first, count, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
}

const TASKS: u64 = 20_000;

fn tasks(criterion: &mut Criterion) {
    let (read, update) = (1, 3);
    let four = |index: u64| {
        let place = |by: u64| 4096 + 8 * ((index + by) % 64);
        task(&[[place(0), read], [place(1), read], [place(2), read], [place(7), update]]);
    };
    let chain = |_: u64| task(&[[4096, update]]);
    let plain = |_: u64| task(&[]);
    let kinds: [(&str, &dyn Fn(u64)); 3] = [("plain", &plain), ("4 dependences", &four), ("chain", &chain)];
    for threads in [1, 2, 4] {
        let mut group = criterion.benchmark_group(format!("{threads} threads"));
        group.bench_function("fork and join", |bench| bench.iter(|| team(&EMPTY_TEAM, threads, &|| {})));
        group.throughput(Throughput::Elements(TASKS)).sample_size(20);
        for (name, create) in kinds {
            group.bench_function(name, |bench| {
                bench.iter(|| team(&TEAM, threads, &|| (0..TASKS).for_each(create)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, tasks);
criterion_main!(benches);

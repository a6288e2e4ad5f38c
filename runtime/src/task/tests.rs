//! Graphs of tasks.

use super::harness::{Task, depend, parallel, single, task, taskloop, taskwait};
use crate::abi::{TASK_DETACHABLE, TASK_FINAL};
use crate::omp::entries;
use crate::omp::threads::*;
use crate::task::depend::Dependence;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const THREADS: [u64; 3] = [1, 2, 8];
const INOUT: u64 = 3;

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (mut a, mut b) = (0, 0);
    let (left, right) = (&mut a, &mut b);
    task(move || *left = fib(n - 1));
    task(move || *right = fib(n - 2));
    taskwait();
    a + b
}

#[test]
fn tasks_create_tasks() {
    assert_eq!(fib(15), 610);
    for threads in THREADS {
        let result = AtomicU64::new(0);
        parallel(threads, || single(|| result.store(fib(18), Ordering::Relaxed)));
        assert_eq!(result.into_inner(), 2584);
    }
}

#[test]
fn barriers_wait_for_all_tasks() {
    for threads in THREADS {
        let count = AtomicU32::new(0);
        let count = &count;
        parallel(threads, || {
            for round in 1..=20 {
                for _ in 0..10 {
                    task(move || {
                        task(move || task(move || _ = count.fetch_add(1, Ordering::Relaxed)));
                    });
                }
                entries::barrier();
                assert_eq!(u64::from(count.load(Ordering::Relaxed)), round * 10 * threads);
                entries::barrier();
            }
        });
    }
}

/// A random graph: each task combines what it reads into what it writes, so that another order gives another
/// result.
fn random_graph(seed: u64, tasks: usize) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % below
    };
    let cells = 1 + random(8);
    let graph: Vec<Vec<(u64, u64)>> = (0..tasks)
        .map(|_| {
            if random(40) == 0 {
                return vec![(7 + random(2), 0)];
            }
            (0..random(5)).map(|_| ([1, 1, 2, 3, 4, 5][random(6) as usize], random(cells))).collect()
        })
        .collect();
    let serial: Vec<AtomicU64> = (0..cells).map(AtomicU64::new).collect();
    let parallel_: Vec<AtomicU64> = (0..cells).map(AtomicU64::new).collect();
    // What several tasks of a generation do commutes; `inoutset` ones need an atomic operation.
    let execute = |cells: &[AtomicU64], number: usize, list: &[(u64, u64)]| {
        let read = list.iter().filter(|(kind, _)| matches!(kind, 1..=3));
        let sum = read.fold(number as u64 + 1, |sum, &(_, cell)| {
            sum.wrapping_mul(31).wrapping_add(cells[cell as usize].load(Ordering::Relaxed))
        });
        for &(kind, cell) in list {
            match kind {
                2 | 3 => {
                    let of_set = list.iter().any(|&(kind, other)| matches!(kind, 4 | 5) && other == cell);
                    let cell = &cells[cell as usize];
                    let value = if of_set { 3 } else { sum };
                    cell.store(
                        cell.load(Ordering::Relaxed).rotate_left(7).wrapping_add(value),
                        Ordering::Relaxed,
                    );
                }
                // Without the exclusion, one of two additions would be lost.
                4 => {
                    let cell = &cells[cell as usize];
                    let value = cell.load(Ordering::Relaxed);
                    std::hint::spin_loop();
                    cell.store(value.wrapping_add(number as u64), Ordering::Relaxed);
                }
                5 => _ = cells[cell as usize].fetch_add(number as u64, Ordering::Relaxed),
                7 | 8 => cells.iter().for_each(|cell| {
                    cell.store(
                        cell.load(Ordering::Relaxed).wrapping_mul(5).wrapping_add(1),
                        Ordering::Relaxed,
                    );
                }),
                _ => {}
            }
        }
    };
    // A cell that a task uses in several ways would make the result depend on more than the order.
    let graph: Vec<Vec<(u64, u64)>> = graph
        .into_iter()
        .map(|list| {
            let mut known = Vec::new();
            list.into_iter()
                .filter(|&(_, cell)| {
                    !known.contains(&cell) && {
                        known.push(cell);
                        true
                    }
                })
                .collect()
        })
        .collect();
    for (number, list) in graph.iter().enumerate() {
        execute(&serial, number, list);
    }
    let base = parallel_.as_ptr() as u64;
    for (number, list) in graph.iter().enumerate() {
        let addresses: Vec<(u64, u64)> =
            list.iter().map(|&(kind, cell)| (kind, if kind > 6 { 0 } else { base + 8 * cell })).collect();
        let (execute, cells) = (&execute, &parallel_);
        depend(&addresses, move || execute(cells, number, list));
    }
    taskwait();
    let values =
        |cells: &[AtomicU64]| cells.iter().map(|cell| cell.load(Ordering::Relaxed)).collect::<Vec<_>>();
    assert_eq!(values(&serial), values(&parallel_), "seed {seed}: {graph:?}");
}

#[test]
fn random_graphs_give_the_serial_result() {
    random_graph(7, 100);
    for threads in THREADS {
        parallel(threads, || {
            single(|| (1..700).for_each(|seed| random_graph(seed * threads, 5 + seed as usize % 90)));
        });
    }
}

/// Every thread has a graph of its own, in tasks of its own.
#[test]
fn graphs_side_by_side() {
    parallel(4, || {
        for seed in 1..100 {
            task(move || random_graph(seed + 1_000_000, 30));
        }
    });
}

#[test]
fn a_long_chain_needs_no_stack() {
    for threads in THREADS {
        let count = AtomicUsize::new(0);
        let count = &count;
        parallel(threads, || {
            single(|| {
                for index in 0..100_000 {
                    depend(&[(3, 8)], move || assert_eq!(count.fetch_add(1, Ordering::Relaxed), index));
                }
                taskwait();
                assert_eq!(count.load(Ordering::Relaxed), 100_000);
            });
        });
    }
}

/// Each task creates the next one.
#[test]
fn a_chain_of_children_needs_no_stack() {
    fn next(count: &'static AtomicUsize) {
        if count.fetch_add(1, Ordering::Relaxed) % 100_000 < 99_999 {
            task(move || next(count));
        }
    }
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    for threads in THREADS {
        parallel(threads, || single(|| next(&COUNT)));
    }
    assert_eq!(COUNT.load(Ordering::Relaxed), 300_000);
}

#[test]
fn undeferred_tasks_are_done_at_once() {
    for threads in THREADS {
        parallel(threads, || {
            single(|| {
                let count = AtomicU32::new(0);
                let count = &count;
                for round in 0..100 {
                    let slow = move || {
                        std::thread::yield_now();
                        count.fetch_add(1, Ordering::Relaxed);
                    };
                    depend(&[(2, 8)], slow);
                    let depends = [Dependence { address: 8, kind: 3 }];
                    let undeferred = Task { depends: &depends, is_deferred: false, ..Task::PLAIN };
                    undeferred.create(move || {
                        assert_eq!(count.load(Ordering::Relaxed), 2 * round + 1);
                        count.fetch_add(1, Ordering::Relaxed);
                    });
                    assert_eq!(count.load(Ordering::Relaxed), 2 * round + 2);
                }
            });
        });
    }
}

#[test]
fn children_of_final_tasks_are_executed_at_once() {
    parallel(4, || {
        single(|| {
            assert_eq!((omp_in_final(), omp_in_explicit_task()), (0, 0));
            Task { flags: TASK_FINAL, ..Task::PLAIN }.create(|| {
                assert_eq!((omp_in_final(), omp_in_explicit_task()), (1, 1));
                let mut done = 0;
                let (place, thread) = (&mut done, omp_get_thread_num());
                task(move || {
                    assert_eq!((omp_in_final(), omp_get_thread_num()), (1, thread));
                    *place = 1;
                });
                assert_eq!(done, 1);
            });
        });
    });
}

#[test]
fn groups_wait_for_descendants() {
    for threads in THREADS {
        parallel(threads, || {
            let count = AtomicU32::new(0);
            let count = &count;
            for round in 1..=50 {
                entries::taskgroup_start();
                task(move || {
                    task(move || _ = count.fetch_add(1, Ordering::Relaxed));
                    entries::taskgroup_start();
                    task(move || task(move || _ = count.fetch_add(1, Ordering::Relaxed)));
                    entries::taskgroup_end();
                    assert!(count.load(Ordering::Relaxed) > 2 * (round - 1));
                });
                entries::taskgroup_end();
                assert_eq!(count.load(Ordering::Relaxed), 2 * round);
            }
        });
    }
}

#[test]
fn taskwait_with_dependences_waits_for_these() {
    for threads in THREADS {
        parallel(threads, || {
            single(|| {
                let first = AtomicU32::new(0);
                let first = &first;
                for round in 1..=50 {
                    depend(&[(2, 16)], move || _ = first.fetch_add(1, Ordering::Relaxed));
                    let list = [Dependence { address: 16, kind: 1 }];
                    // SAFETY: one dependence.
                    unsafe { entries::taskwait_on(c"".as_ptr(), list.as_ptr().cast(), 1, 0) };
                    assert_eq!(first.load(Ordering::Relaxed), round);
                }
                let second = AtomicU32::new(0);
                let second = &second;
                for _ in 0..10 {
                    depend(&[(1, 16)], move || _ = second.fetch_add(1, Ordering::Relaxed));
                }
                let list = [Dependence { address: 16, kind: 3 }, Dependence { address: 24, kind: 2 }];
                // SAFETY: two dependences.
                unsafe { entries::taskwait_on(c"".as_ptr(), list.as_ptr().cast(), 2, 1) };
                depend(&[(1, 24)], move || assert_eq!(second.load(Ordering::Relaxed), 10));
                taskwait();
            });
        });
    }
}

#[test]
fn each_task_of_a_loop_is_executed_once() {
    for threads in THREADS {
        for (tasks, is_deferred) in [(0, true), (1, true), (5, true), (900, true), (900, false)] {
            let seen: Vec<AtomicU32> = (0..tasks).map(|_| AtomicU32::new(0)).collect();
            let children = AtomicU32::new(0);
            let (seen, children) = (&seen[..], &children);
            parallel(threads, || {
                single(|| {
                    taskloop(tasks, is_deferred, |number| {
                        seen[number as usize].fetch_add(1, Ordering::Relaxed);
                        if number % 7 == 0 {
                            task(move || _ = children.fetch_add(1, Ordering::Relaxed));
                            taskwait();
                        } else if number % 50 == 1 {
                            taskloop(3, true, |_| _ = children.fetch_add(1, Ordering::Relaxed));
                            task(move || _ = children.fetch_add(1, Ordering::Relaxed));
                        }
                    });
                    assert!(seen.iter().all(|count| count.load(Ordering::Relaxed) == 1));
                    let of =
                        |step: u64, at: u64| (0..tasks).filter(|number| number % step == at).count() as u32;
                    let both = (0..tasks).filter(|number| number % 7 == 0 && number % 50 == 1).count() as u32;
                    let wanted = of(7, 0) + 4 * (of(50, 1) - both);
                    assert_eq!(children.load(Ordering::Relaxed), wanted);
                });
            });
        }
    }
}

#[test]
fn a_long_task_of_a_loop_does_not_hold_up_the_others() {
    parallel(2, || {
        single(|| {
            let done = AtomicU32::new(0);
            // Whoever has the first task waits for all others.
            taskloop(40, true, |number| {
                done.fetch_add(1, Ordering::AcqRel);
                while number == 0 && done.load(Ordering::Acquire) < 40 {
                    std::thread::yield_now();
                }
            });
        });
    });
}

#[test]
fn events_are_fulfilled_by_any_thread() {
    for threads in THREADS {
        parallel(threads, || {
            single(|| {
                let (count, handles) = (AtomicU32::new(0), Mutex::new(Vec::new()));
                let count = &count;
                std::thread::scope(|scope| {
                    for index in 0..20u64 {
                        let depends = [Dependence { address: 64 + 8 * index, kind: 2 }];
                        let detached = Task { flags: TASK_DETACHABLE, depends: &depends, ..Task::PLAIN };
                        let handle = detached.create(move || _ = count.fetch_add(1, Ordering::Relaxed));
                        let fulfilled = AtomicU32::new(0);
                        let fulfilled: &'static AtomicU32 = Box::leak(Box::new(fulfilled));
                        handles.lock().unwrap().push(handle);
                        scope.spawn(move || {
                            std::thread::sleep(Duration::from_micros(300 * index % 1000));
                            fulfilled.store(1, Ordering::Relaxed);
                            omp_fulfill_event(handle as usize);
                        });
                        depend(&[(3, 64 + 8 * index)], move || {
                            assert_eq!(fulfilled.load(Ordering::Relaxed), 1);
                            count.fetch_add(100, Ordering::Relaxed);
                        });
                        if index % 5 == 0 {
                            taskwait();
                            assert_eq!(u64::from(count.load(Ordering::Relaxed)), 101 * (index + 1));
                        }
                    }
                    entries::taskgroup_start();
                    entries::taskgroup_end();
                });
                let mut handles = handles.into_inner().unwrap();
                handles.dedup();
                assert_eq!(handles.len(), 20);
                taskwait();
                assert_eq!(count.load(Ordering::Relaxed), 2020);
            });
        });
    }
}

#[test]
fn a_barrier_waits_for_events() {
    for threads in THREADS {
        let fulfilled = Arc::new(AtomicU32::new(0));
        parallel(threads, || {
            if omp_get_thread_num() == 0 {
                let handle = Task { flags: TASK_DETACHABLE, ..Task::PLAIN }.create(|| {});
                let fulfilled = Arc::clone(&fulfilled);
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(5));
                    fulfilled.store(1, Ordering::Relaxed);
                    omp_fulfill_event(handle as usize);
                });
            }
            entries::barrier();
            assert_eq!(fulfilled.load(Ordering::Relaxed), 1);
        });
    }
}

/// A task that waits holds a lock: nothing that is executed meanwhile on its thread may want it.
/// A task that ends before its child, and that nobody would have counted otherwise, at some depth.
#[test]
fn children_outlive_tasks_that_are_executed_at_once() {
    fn nest(depth: u32, event: &'static AtomicU64, cell: u64) {
        if depth > 0 {
            let around = Task { is_deferred: depth.is_multiple_of(2), ..Task::PLAIN };
            around.create(move || nest(depth - 1, event, cell));
            return;
        }
        let depends = [Dependence { address: cell, kind: INOUT }];
        let detached = Task { flags: TASK_DETACHABLE, depends: &depends, ..Task::PLAIN };
        event.store(detached.create(|| {}), Ordering::Relaxed);
        // In the table of a task that ends now, behind the one with the event.
        depend(&[(INOUT, cell)], move || task(move || _ = event.fetch_add(1 << 32, Ordering::Relaxed)));
    }
    for threads in THREADS {
        parallel(threads, || {
            for depth in 1..6 {
                let event: &'static AtomicU64 = Box::leak(Box::default());
                let cell = event.as_ptr().expose_provenance() as u64;
                entries::taskgroup_start();
                nest(depth, event, cell);
                // Which task creates the child is open where several threads are.
                while event.load(Ordering::Relaxed) == 0 {
                    entries::taskyield();
                }
                let handle = event.load(Ordering::Relaxed);
                assert!(handle < 1 << 32);
                task(move || omp_fulfill_event(handle as usize));
                entries::taskgroup_end();
                assert_eq!(event.load(Ordering::Relaxed), handle + (1 << 32));
            }
        });
    }
}

#[test]
fn waiting_tasks_execute_descendants_only() {
    for threads in THREADS {
        let holder = AtomicUsize::new(0);
        let holder = &holder;
        thread_local! {
            static INSIDE: AtomicU32 = const { AtomicU32::new(0) };
        }
        parallel(threads, || {
            for _ in 0..100 {
                task(move || {
                    let before = INSIDE.with(|inside| inside.fetch_add(1, Ordering::Relaxed));
                    assert_eq!(before, 0, "a task begins on the stack of a sibling");
                    for _ in 0..3 {
                        task(std::thread::yield_now);
                    }
                    taskwait();
                    INSIDE.with(|inside| inside.fetch_sub(1, Ordering::Relaxed));
                    holder.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(holder.load(Ordering::Relaxed) as u64, 100 * threads);
    }
}

#[test]
fn settings_of_a_task_are_its_own() {
    parallel(2, || {
        single(|| {
            omp_set_num_threads(5);
            task(|| {
                assert_eq!(omp_get_max_threads(), 5);
                omp_set_num_threads(9);
                task(|| assert_eq!(omp_get_max_threads(), 9));
            });
            taskwait();
            assert_eq!(omp_get_max_threads(), 5);
        });
    });
}

/// A region inside of a task has a team of its own, whose barriers do not wait for the task's siblings.
#[test]
fn regions_in_tasks() {
    let count = AtomicU32::new(0);
    let count = &count;
    parallel(2, || {
        omp_set_max_active_levels(2);
        for _ in 0..20 {
            task(move || {
                parallel(2, || {
                    task(move || _ = count.fetch_add(1, Ordering::Relaxed));
                    entries::barrier();
                    taskwait();
                });
            });
        }
    });
    assert_eq!(count.load(Ordering::Relaxed), 80);
}

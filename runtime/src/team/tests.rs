//! Regions, barriers and worksharing.

use crate::omp::entries;
use crate::omp::threads::*;
use crate::task::harness::{parallel, single};
use std::collections::BTreeSet;
use std::ffi::{c_int, c_ulong, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

#[test]
fn every_thread_executes_the_region_once() {
    for threads in [1, 2, 8] {
        for _ in 0..50 {
            let seen = Mutex::new(BTreeSet::new());
            parallel(threads, || {
                assert_eq!(omp_get_num_threads(), threads as c_int);
                assert_eq!((omp_get_level(), omp_in_parallel()), (1, c_int::from(threads > 1)));
                assert!(seen.lock().unwrap().insert(omp_get_thread_num()));
            });
            assert_eq!(seen.into_inner().unwrap(), (0..threads as c_int).collect());
        }
    }
    assert_eq!((omp_get_num_threads(), omp_get_level()), (1, 0));
}

#[test]
fn regions_nest() {
    omp_set_max_active_levels(2);
    let count = AtomicU32::new(0);
    parallel(2, || {
        let outer = omp_get_thread_num();
        parallel(3, || {
            assert_eq!((omp_get_level(), omp_get_active_level(), omp_get_num_threads()), (2, 2, 3));
            assert_eq!((omp_get_ancestor_thread_num(1), omp_get_team_size(1)), (outer, 2));
            assert_eq!(
                (omp_get_ancestor_thread_num(2), omp_get_ancestor_thread_num(3)),
                (omp_get_thread_num(), -1)
            );
            count.fetch_add(1, Ordering::Relaxed);
            parallel(2, || {
                assert_eq!((omp_get_level(), omp_get_active_level(), omp_get_num_threads()), (3, 2, 1));
                assert_eq!((omp_get_team_size(2), omp_get_team_size(3)), (3, 1));
                count.fetch_add(100, Ordering::Relaxed);
            });
        });
        assert_eq!(omp_get_thread_num(), outer);
    });
    assert_eq!(count.into_inner(), 606);
}

#[test]
fn settings_are_inherited_and_forgotten() {
    omp_set_num_threads(3);
    parallel(0, || {
        assert_eq!((omp_get_num_threads(), omp_get_max_threads()), (3, 3));
        omp_set_num_threads(7);
    });
    assert_eq!(omp_get_max_threads(), 3);
}

#[test]
fn barriers_separate() {
    for threads in [1, 2, 8] {
        let count = AtomicU64::new(0);
        parallel(threads, || {
            for round in 1..=200 {
                count.fetch_add(1, Ordering::Relaxed);
                entries::barrier();
                assert_eq!(count.load(Ordering::Relaxed), round * threads);
                entries::barrier();
            }
        });
    }
}

/// The iterations that all threads execute, in a loop of this schedule.
fn iterations(threads: u64, schedule: c_int, chunk: i64, trip: u64) -> Vec<u64> {
    let all = Mutex::new(Vec::new());
    parallel(threads, || {
        let mut own = Vec::new();
        let (mut from, mut to): (c_ulong, c_ulong) = (0, 0);
        // SAFETY: two numbers.
        let mut more =
            unsafe { entries::loop_start(c"".as_ptr(), schedule, chunk, trip, &mut from, &mut to) };
        while more != 0 {
            assert!(from < to && to <= trip);
            own.extend(from..to);
            // SAFETY: as above.
            more = unsafe { entries::loop_next(&mut from, &mut to) };
        }
        entries::loop_end();
        all.lock().unwrap().extend(own);
    });
    let mut all = all.into_inner().unwrap();
    all.sort_unstable();
    all
}

#[test]
fn every_iteration_is_executed_once() {
    for threads in [1, 2, 8] {
        for schedule in [1, 2, 3, 4, 5] {
            for chunk in [0, 1, 3, 100] {
                for trip in [0, 1, 2, 7, 8, 9, 64, 1000] {
                    let wanted: Vec<u64> = (0..trip).collect();
                    assert_eq!(
                        iterations(threads, schedule, chunk, trip),
                        wanted,
                        "{threads} {schedule} {chunk}"
                    );
                }
            }
        }
    }
}

#[test]
fn loops_of_many_iterations_do_not_overflow() {
    for schedule in [1, 2, 3] {
        let count = AtomicU64::new(0);
        parallel(3, || {
            let (mut from, mut to): (c_ulong, c_ulong) = (0, 0);
            // SAFETY: two numbers.
            let mut more = unsafe {
                entries::loop_start(c"".as_ptr(), schedule, i64::MAX, u64::MAX, &mut from, &mut to)
            };
            while more != 0 {
                count.fetch_add(to - from, Ordering::Relaxed);
                // SAFETY: as above.
                more = unsafe { entries::loop_next(&mut from, &mut to) };
            }
            entries::loop_end();
        });
        assert_eq!(count.into_inner(), u64::MAX, "{schedule}");
    }
}

/// Many loops without barriers between them: threads are ahead of each other.
#[test]
fn loops_may_overtake() {
    let counts: Vec<AtomicU64> = (0..100).map(|_| AtomicU64::new(0)).collect();
    parallel(4, || {
        for (index, count) in counts.iter().enumerate() {
            let (mut from, mut to): (c_ulong, c_ulong) = (0, 0);
            let schedule = [2, 3][index % 2];
            // SAFETY: two numbers.
            let mut more = unsafe { entries::loop_start(c"".as_ptr(), schedule, 1, 10, &mut from, &mut to) };
            while more != 0 {
                count.fetch_add(to - from, Ordering::Relaxed);
                // SAFETY: as above.
                more = unsafe { entries::loop_next(&mut from, &mut to) };
            }
            entries::loop_end();
        }
    });
    assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 10));
}

#[test]
fn ordered_blocks_are_in_order() {
    for threads in [1, 2, 8] {
        for schedule in [1, 2, 3] {
            for chunk in [0, 1, 4] {
                let seen = Mutex::new(Vec::new());
                parallel(threads, || {
                    let (mut from, mut to): (c_ulong, c_ulong) = (0, 0);
                    // SAFETY: two numbers.
                    let mut more = unsafe {
                        entries::loop_start(c"".as_ptr(), schedule + 16, chunk, 50, &mut from, &mut to)
                    };
                    while more != 0 {
                        // Not every iteration has an `ordered` block.
                        for iteration in (from..to).filter(|iteration| iteration % 3 != 1) {
                            entries::ordered_start(iteration);
                            seen.lock().unwrap().push(iteration);
                            entries::ordered_end();
                        }
                        // SAFETY: as above.
                        more = unsafe { entries::loop_next(&mut from, &mut to) };
                    }
                    entries::loop_end();
                });
                let wanted: Vec<u64> = (0..50).filter(|iteration| iteration % 3 != 1).collect();
                assert_eq!(seen.into_inner().unwrap(), wanted, "{threads} {schedule} {chunk}");
            }
        }
    }
}

#[test]
fn one_thread_executes_a_single_block() {
    for threads in [1, 2, 8] {
        let count = AtomicU32::new(0);
        parallel(threads, || {
            for round in 1..=100 {
                single(|| {
                    count.fetch_add(1, Ordering::Relaxed);
                });
                assert_eq!(count.load(Ordering::Relaxed), round);
                entries::barrier();
            }
            (0..100).filter(|_| entries::single_start() != 0).for_each(|_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
        });
        assert_eq!(count.into_inner(), 200);
    }
}

#[test]
fn copyprivate_hands_over() {
    parallel(4, || {
        for round in 0..50 {
            let mut value = 1000 + round;
            if entries::single_start() != 0 {
                entries::copyprivate_give((&raw mut value).cast::<c_void>());
            } else {
                let given = entries::copyprivate_take().cast::<u64>();
                // SAFETY: the variable stands until the barrier below.
                value = unsafe { given.read() };
            }
            entries::barrier();
            assert_eq!(value, 1000 + round);
        }
    });
}

#[test]
fn critical_blocks_and_reductions_exclude() {
    static LOCK: AtomicU64 = AtomicU64::new(0);
    let (critical, reduced) = (AtomicU64::new(0), AtomicU64::new(0));
    let add = |to: &AtomicU64| to.store(to.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    parallel(8, || {
        for _ in 0..2000 {
            // SAFETY: a zeroed pointer.
            unsafe {
                entries::critical_start(LOCK.as_ptr().cast());
                add(&critical);
                entries::critical_end(LOCK.as_ptr().cast());
            }
            entries::reduce_start();
            add(&reduced);
            entries::reduce_end();
        }
    });
    assert_eq!((critical.into_inner(), reduced.into_inner()), (16000, 16000));
}

/// Regions of threads that OpenMP does not know.
#[test]
fn other_threads_have_teams_of_their_own() {
    let count = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    parallel(3, || {
                        assert_eq!((omp_get_num_threads(), omp_get_level()), (3, 1));
                        count.fetch_add(1, Ordering::Relaxed);
                    });
                }
            });
        }
    });
    assert_eq!(count.into_inner(), 1200);
}

/// Loops without barriers between them, each with zeros at first that all of its threads count in.
#[test]
fn threads_of_a_loop_have_memory_in_common() {
    let sums = Mutex::new(vec![0; 100]);
    parallel(4, || {
        for sum in 0..100 {
            let (mut from, mut to): (c_ulong, c_ulong) = (0, 0);
            // SAFETY: two numbers.
            unsafe { entries::loop_start(c"".as_ptr(), 1 + 32, 0, 7, &mut from, &mut to) };
            let count = entries::loop_memory(200).cast::<AtomicU64>();
            // SAFETY: 200 bytes, which are zeros at first.
            let (first, last) = unsafe { (&*count, &*count.add(24)) };
            let before = first.fetch_add(to - from, Ordering::Relaxed);
            assert_eq!(last.load(Ordering::Relaxed), 0);
            let mut sums = sums.lock().unwrap();
            sums[sum] = sums[sum].max(before + to - from);
            entries::loop_end();
        }
    });
    assert_eq!(sums.into_inner().unwrap(), [7; 100]);
}

/// A loop of `trip` iterations with 3 of a nest in each: every iteration waits for the one before and for the
/// one 7 before.
fn chained(threads: u64, schedule: c_int, chunk: i64, trip: c_ulong) {
    let order = Mutex::new(Vec::new());
    parallel(threads, || {
        entries::doacross_start(3);
        let (mut from, mut to) = (0, 0);
        // SAFETY: two numbers, and no name of a file.
        unsafe {
            let mut more =
                entries::loop_start(std::ptr::null(), schedule, chunk, trip, &mut from, &mut to) != 0;
            while more {
                for iteration in from..to {
                    for number in 3 * iteration..3 * iteration + 3 {
                        entries::doacross_wait(number);
                        entries::doacross_wait(number.saturating_sub(6));
                        order.lock().unwrap().push(number);
                        entries::doacross_post(number + 1);
                    }
                }
                more = entries::loop_next(&mut from, &mut to) != 0;
            }
        }
        entries::loop_end();
    });
    assert_eq!(order.into_inner().unwrap(), (0..3 * trip).collect::<Vec<_>>(), "{schedule} {chunk} {trip}");
}

#[test]
fn iterations_wait_for_single_ones() {
    for threads in [1, 2, 5] {
        for (schedule, chunk) in [(1, 0), (1, 1), (1, 4), (2, 1), (2, 5), (3, 2)] {
            for trip in [0, 1, 4, 33] {
                chained(threads, schedule, chunk, trip);
            }
        }
    }
}

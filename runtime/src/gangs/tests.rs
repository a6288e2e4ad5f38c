use super::*;
use crate::abi::HostEntry;
use execute::{GangCode, at_once, await_turn, lock, unlock};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

#[test]
fn numbers_of_gangs() {
    let bounded = |kind, asked, configured| number(kind, false, asked, (configured, true));
    assert_eq!(bounded(ConstructKind::Parallel, 0, 3), 3);
    assert_eq!(bounded(ConstructKind::Parallel, 1, 3), 1);
    assert_eq!(bounded(ConstructKind::Kernels, 2, 3), 2);
    assert_eq!(number(ConstructKind::Kernels, true, 2, (3, true)), 1);
    assert_eq!(bounded(ConstructKind::Parallel, 100, 3), 3);
    assert_eq!(bounded(ConstructKind::Parallel, -5, 3), 3);
    assert_eq!(bounded(ConstructKind::Serial, 0, 3), 1);
    assert_eq!(bounded(ConstructKind::Parallel, 8, 1), 1);
    let at_once = |asked| number(ConstructKind::Parallel, false, asked, (3, false));
    assert_eq!((at_once(0), at_once(1), at_once(100)), (3, 1, 100));
    assert_eq!(at_once(i64::MAX), i32::MAX as u64);
}

#[test]
fn the_least_bound_counts() {
    assert_eq!(most_threads(Some(3), None), 3);
    assert_eq!(most_threads(Some(3), Some("2")), 2);
    assert_eq!(most_threads(Some(3), Some("5")), 3);
    assert_eq!(most_threads(None, Some(" 7 ")), 7);
    for nothing in ["0", "-1", "many", "", "65536"] {
        assert_eq!(most_threads(Some(2), Some(nothing)), 2, "{nothing:?}");
    }
}

fn code<T>(entry: HostEntry, data: &T) -> GangCode {
    GangCode { entry, args: std::ptr::from_ref(data).cast(), device: None }
}

/// What the gangs of a launch have.
///
/// # Safety
/// The arguments are those that [`code`] makes of such data.
unsafe fn data<'a, T>(args: *const u64) -> &'a T {
    // SAFETY: the caller's promise; the launch ends before the data do.
    unsafe { &*args.cast::<T>() }
}

#[test]
fn each_gang_is_executed_once() {
    unsafe extern "C" fn count(args: *const u64, gang: u64, gangs: u64) {
        // SAFETY: the test gives these data.
        let counts: &Vec<AtomicU64> = unsafe { data(args) };
        assert_eq!(counts.len() as u64, gangs);
        assert_eq!(region().map(|region| region.gang), Some((gang, gangs)));
        counts[gang as usize].fetch_add(1, Ordering::Relaxed);
    }
    for round in 0..200 {
        for (gangs, more) in [(2, 1), (4, 3), (100, 2), (3, 2)] {
            let counts: Vec<AtomicU64> = (0..gangs).map(|_| AtomicU64::new(0)).collect();
            _ = at_once(code(count, &counts), gangs, more, round % 2 == 0);
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1), "{counts:?}");
            assert_eq!(region(), None);
        }
        if round % 50 == 0 {
            // Threads of the pool fall asleep meanwhile.
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn gangs_combine_in_their_order() {
    unsafe extern "C" fn note(args: *const u64, gang: u64, _: u64) {
        if gang.is_multiple_of(3) {
            thread::yield_now();
        }
        await_turn();
        // SAFETY: the test gives these data.
        let order: &Mutex<Vec<u64>> = unsafe { data(args) };
        order.lock().unwrap().push(gang);
    }
    for _ in 0..200 {
        let order = Mutex::new(Vec::<u64>::new());
        _ = at_once(code(note, &order), 9, 3, true);
        assert_eq!(order.into_inner().unwrap(), (0..9).collect::<Vec<_>>());
    }
}

#[test]
fn one_gang_at_a_time_has_the_lock() {
    unsafe extern "C" fn add(args: *const u64, _: u64, _: u64) {
        // SAFETY: the test gives these data.
        let sum: &AtomicU64 = unsafe { data(args) };
        for _ in 0..100 {
            lock();
            // Two steps, between which another gang would be lost.
            let before = sum.load(Ordering::Relaxed);
            std::hint::spin_loop();
            sum.store(before + 1, Ordering::Relaxed);
            unlock();
        }
    }
    for _ in 0..50 {
        let sum = AtomicU64::new(0);
        _ = at_once(code(add, &sum), 7, 3, false);
        assert_eq!(sum.into_inner(), 700);
    }
}

#[test]
fn launches_of_several_threads_and_of_gangs_end() {
    unsafe extern "C" fn add(args: *const u64, _: u64, _: u64) {
        // SAFETY: the test gives these data.
        unsafe { data::<AtomicU64>(args) }.fetch_add(1, Ordering::Relaxed);
    }
    unsafe extern "C" fn nest(args: *const u64, _: u64, _: u64) {
        // SAFETY: the test gives these data.
        _ = at_once(code(add, unsafe { data::<AtomicU64>(args) }), 3, 2, true);
    }
    let sum = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| _ = at_once(code(nest, &sum), 5, 2, true)));
        }
    });
    assert_eq!(sum.into_inner(), 4 * 50 * 5 * 3);
}

/// All threads of a team come to a barrier before any goes on, and each knows its number behind it.
#[test]
fn threads_of_a_team_meet() {
    #[derive(Default)]
    struct Seen {
        before: Vec<u32>,
        behind: Vec<(u32, usize)>,
    }
    unsafe extern "C" fn code(seen: *mut std::ffi::c_void, number: std::ffi::c_int) {
        let seen = seen.cast::<Seen>();
        let number = number.unsigned_abs();
        // SAFETY: one thread executes those of the team in turn.
        unsafe { (*seen).before.push(number) };
        team::meet();
        let known = team::team_thread().map(|thread| thread.number);
        // SAFETY: as above.
        let seen = unsafe { &mut *seen };
        seen.behind.push((known.unwrap_or(u32::MAX), seen.before.len()));
    }
    for size in [1, 2, 100] {
        let mut seen = Seen::default();
        // SAFETY: the code and what it gets fit each other.
        unsafe { team::run_team(code, (&raw mut seen).cast(), size) };
        let size = size.unsigned_abs();
        assert_eq!(seen.before, (0..size).collect::<Vec<_>>());
        assert_eq!(seen.behind, (0..size).map(|number| (number, size as usize)).collect::<Vec<_>>());
        assert!(team::team_thread().is_none());
    }
}

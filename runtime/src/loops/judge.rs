//! Which accesses depend on each other, and which loop carries that.

use super::nest::{Active, Spare, Tick};
use super::report::{self, Carried, Relation};
use super::shadow::{Access, Atomics, Cell, MOST_TICKS, Shadow};
use super::table::{self, Kind, Table};
use crate::fatal::fatal;
use std::ops::Range;

/// The loops that a thread is in, and what it accessed.
#[derive(Default)]
pub(super) struct Judge {
    now: Tick,
    nest: Vec<Active>,
    shadow: Shadow,
}

impl Judge {
    /// Loops that run.
    pub(super) fn depth(&self) -> u32 {
        self.nest.len() as u32
    }

    /// A loop begins inside of `around` others.
    pub(super) fn enter(&mut self, loop_: u32, around: u32) {
        self.leave(around);
        let now = self.tick();
        self.nest.push(Active::new(loop_, now));
        report::ran(loop_, 0);
    }

    /// An iteration of the loop inside of `around` others begins.
    pub(super) fn iterate(&mut self, around: u32) {
        self.leave(around + 1);
        let now = self.tick();
        let Some(active) = self.nest.get_mut(around as usize) else { return };
        let number = active.iterate(now);
        if number <= report::FEW {
            report::ran(active.loop_, number);
        }
    }

    /// All loops but the outer `around` are left: by a jump out of them, or by one out of a function.
    pub(super) fn leave(&mut self, around: u32) {
        self.nest.truncate(around as usize);
    }

    /// The innermost loop may carry something in an object.
    pub(super) fn spare(&mut self, object: Range<u64>, how: Spare) {
        if let Some(active) = self.nest.last_mut()
            && active.spare(object.clone(), how)
            && how == Spare::Reduced
        {
            self.shadow.forget(object);
        }
    }

    /// Memory becomes a new object.
    pub(super) fn fresh(&mut self, bytes: Range<u64>) {
        self.shadow.forget(bytes);
    }

    /// Memory is accessed.
    pub(super) fn access(&mut self, bytes: Range<u64>, site: u32) {
        let Some(table) = table::get() else { return };
        let Some(data) = table.sites.get(site as usize) else { return };
        let later = Access::new(self.now, site);
        let view = View { nest: &self.nest, table, later, kind: data.kind };
        self.shadow.visit(bytes, |address, cell| view.cell(address, cell));
    }

    fn tick(&mut self) -> Tick {
        self.now += 1;
        if self.now == MOST_TICKS {
            fatal(format_args!("check: more than {MOST_TICKS} iterations cannot be told apart"));
        }
        self.now
    }
}

/// An access, and the loops that it is in.
struct View<'a> {
    nest: &'a [Active],
    table: &'a Table,
    later: Access,
    kind: Kind,
}

impl View<'_> {
    /// Compares the access with earlier ones of some bytes, and adds it to them.
    fn cell(&self, address: u64, cell: &mut Cell) {
        let entered = self.nest.iter().map(|active| active.since);
        let relation = if self.kind.writes() { Relation::Output } else { Relation::Flow };
        let write = cell.write;
        let depends = |earlier, relation| self.depends(address, earlier, relation, write);
        depends(write, relation);
        let atomics = cell.atomics.as_deref();
        match self.kind {
            Kind::Read | Kind::Use => {
                let writes = atomics.iter().flat_map(|atomics| atomics.writes.iter());
                writes.for_each(|earlier| depends(earlier, Relation::Flow));
                cell.reads.add(self.later, entered);
            }
            Kind::Write | Kind::Set => {
                let reads = atomics.iter().flat_map(|atomics| atomics.reads.iter()).chain(cell.reads.iter());
                reads.for_each(|earlier| depends(earlier, Relation::Anti));
                let writes = atomics.iter().flat_map(|atomics| atomics.writes.iter());
                writes.for_each(|earlier| depends(earlier, Relation::Output));
                cell.overwrite(self.later);
            }
            Kind::AtomicRead => {
                cell.atomics.get_or_insert_with(Box::<Atomics>::default).reads.add(self.later, entered);
            }
            Kind::AtomicWrite => {
                cell.reads.iter().for_each(|earlier| depends(earlier, Relation::Anti));
                cell.atomics.get_or_insert_with(Box::<Atomics>::default).writes.add(self.later, entered);
            }
        }
    }

    /// Reports a dependence on an earlier access if a loop carries it: the outermost one in which the two
    /// accesses are in different iterations. `write` is the last one before both, or the earlier one itself.
    #[inline]
    fn depends(&self, address: u64, earlier: Access, relation: Relation, write: Access) {
        let tick = earlier.tick();
        if !earlier.happened() || self.nest.last().is_none_or(|innermost| tick >= innermost.current) {
            return;
        }
        for active in self.nest {
            if tick < active.since {
                return;
            }
            if tick < active.current {
                self.carried(active, address, [write, earlier], relation);
                return;
            }
        }
    }

    fn carried(&self, active: &Active, address: u64, [write, earlier]: [Access; 2], relation: Relation) {
        let is_exempt = match active.spares(address) {
            Some(Spare::All | Spare::Reduced) => true,
            Some(Spare::AllButFlow) => relation != Relation::Flow,
            None => self.kind.is_of_scalar() && relation != Relation::Flow,
        };
        if is_exempt {
            return;
        }
        let iterations = [earlier, self.later].map(|access| active.iteration_at(access.tick()));
        let sites = [earlier, self.later].map(Access::site);
        let is_covered = write.tick() >= active.since
            && active.iteration_at(write.tick()) == active.iteration_at(earlier.tick());
        report::carried(self.table, active.loop_, Carried { sites, relation, iterations, is_covered });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITES: &str = "file t.c\nloop 0 1 1 parallel counted f\nloop 0 2 1 parallel counted f\n\
                         loop 0 3 1 parallel counted f\nloop 0 4 1 parallel counted f\n\
                         at 0 5 1 read . a\nat 0 6 1 write . a\nat 0 7 1 atomic-read . a\nat 0 8 1 atomic-write . a\n\
                         at 0 9 1 use . a\nat 0 10 1 set . a\n";

    /// Accesses in a judge with the table above. Its loops are the caller's own: results are the process's.
    struct Run(Judge);

    impl Run {
        fn new() -> Run {
            let text = std::ffi::CString::new(SITES).expect("no zero byte");
            // SAFETY: a C string; what is read of it is copied.
            unsafe { table::load(text.as_ptr()) };
            Run(Judge::default())
        }

        fn access(&mut self, address: u64, site: u32) {
            self.0.access(address..address + 4, site);
        }
    }

    const READ: u32 = 0;
    const WRITE: u32 = 1;
    const ATOMIC_READ: u32 = 2;
    const ATOMIC_WRITE: u32 = 3;
    const USE: u32 = 4;
    const SET: u32 = 5;

    /// Pairs that a loop carried, with distances; by the sites.
    fn carried(loop_: u32) -> Vec<([u32; 2], Relation, u64)> {
        report::pairs(loop_).into_iter().map(|pair| (pair.sites, pair.relation, pair.distance())).collect()
    }

    /// All that concerns the shared results is one test, since the table's loops are shared.
    #[test]
    fn loops_carry_what_their_own_iterations_share() {
        let mut run = Run::new();
        // Loop 1 in loop 0. Each outer iteration writes an element that the next one reads, and the inner
        // iterations read one that the outer iteration has written.
        run.0.enter(0, 0);
        for i in 0..4 {
            run.0.iterate(0);
            run.access(1000 + 4 * i, WRITE);
            run.0.enter(1, 1);
            for _ in 0..3 {
                run.0.iterate(1);
                run.access(1000 + 4 * i, READ);
                run.access(996 + 4 * i, READ);
                run.access(2000, ATOMIC_WRITE);
                run.access(2000, ATOMIC_READ);
            }
            run.0.leave(1);
            run.access(3000, USE);
            run.access(3000, SET);
        }
        run.0.leave(0);
        assert_eq!(carried(1), []);
        let expected = [([SET, USE], Relation::Flow, 1), ([WRITE, READ], Relation::Flow, 1)];
        let mut found = carried(0);
        found.sort_by_key(|(sites, ..)| std::cmp::Reverse(*sites));
        assert_eq!(found, expected);

        // What was read before a loop began, or in an iteration of another loop, is not carried.
        run.access(1000, READ);
        run.0.enter(2, 0);
        run.0.iterate(0);
        run.access(1000, WRITE);
        run.0.spare(5000..5004, Spare::All);
        run.0.spare(6000..6004, Spare::AllButFlow);
        for _ in 0..3 {
            run.0.iterate(0);
            run.access(5000, READ);
            run.access(5000, WRITE);
            run.access(6000, WRITE);
            run.access(6000, READ);
            run.0.fresh(7000..7004);
            run.access(7000, READ);
            run.access(7000, WRITE);
        }
        assert_eq!(carried(2), []);
        // Bytes of a word.
        run.0.access(8000..8001, WRITE);
        run.0.iterate(0);
        run.0.access(8001..8002, WRITE);
        assert_eq!(carried(2), []);
        run.0.iterate(0);
        run.access(8000, READ);
        assert_eq!(carried(2), [([WRITE, READ], Relation::Flow, 1)], "of two writes the nearer counts");
        run.0.leave(0);

        // A first read is remembered however many follow, and atomic accesses meet plain ones.
        run.0.enter(3, 0);
        for i in 0..9 {
            run.0.iterate(0);
            run.access(1000, READ);
            if i == 8 {
                run.access(1000, WRITE);
                run.access(9000, ATOMIC_READ);
                run.access(9004, ATOMIC_WRITE);
            }
        }
        run.0.iterate(0);
        run.access(9000, WRITE);
        run.access(9004, READ);
        let mut found = carried(3);
        found.sort_by_key(|(sites, ..)| *sites);
        let expected = [
            ([READ, WRITE], Relation::Anti, 1),
            ([ATOMIC_READ, WRITE], Relation::Anti, 1),
            ([ATOMIC_WRITE, READ], Relation::Flow, 1),
        ];
        assert_eq!(found, expected);
    }
}

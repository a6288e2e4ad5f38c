//! Grid and block of a launch, from what the program asks for, what the kernel was compiled for, and what the
//! device can do.

use super::image::{Busy, Kernel};
use crate::plugin::{Error, Result, Shape};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, PoisonError};

/// Lanes of a warp.
const WARP: u32 = 32;
/// Threads of a CTA, at most.
const THREADS: u32 = 1024;
/// Workers that have rows of their own, at most, and gangs of such that each processor should have.
const MOST_ROWS: u32 = 8;
const GANGS_OF_ROWS: u64 = 4;
/// Threads of the CTAs in x, at most, where the kernel does not say how many these are: kernels count
/// threads and steps over all of them in 32 bits (`shares_narrow` of the emitter).
const ROW_OF_THREADS: u32 = 1 << 28;
/// CTAs in y and z, at most.
const GRID_YZ: u32 = 65535;

/// The block of a launch, before its grid is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Lanes that the program sees.
    pub lanes: u32,
    /// Lanes with those that pad a row to whole warps.
    pub row: u32,
    /// Rows.
    pub workers: u32,
}

/// A dimension: a constant of the kernel, or what the launch asks for, or the default. A number that makes no
/// sense counts as 1, as the specification leaves open.
fn pick(kernel: &Kernel, asked: [u64; 5], index: usize, default: u32) -> u32 {
    match (kernel.dims[index], asked[index]) {
        (0, 0) => default,
        (0, asked) => u32::try_from(asked as i64).unwrap_or(1).max(1),
        (constant, _) => constant,
    }
}

/// Gangs in x, y and z that are no more in all than a program asks for: those in x have a part of each row
/// only.
fn spread(asked: u32, busy: [u64; 3]) -> [u32; 3] {
    let mut left = asked.max(1);
    busy.map(|gangs| {
        let gangs = u32::try_from(gangs).map_or(left, |gangs| gangs.clamp(1, left));
        left /= gangs;
        gangs
    })
}

impl Block {
    /// The block of a launch. `most_threads` is what the kernel's registers allow.
    pub fn new(kernel: &Kernel, asked: [u64; 5], most_threads: u32) -> Block {
        let most_threads = most_threads.clamp(WARP, THREADS);
        let mut lanes = pick(kernel, asked, 4, WARP).min(THREADS);
        if kernel.dims[4] == 0 {
            lanes = lanes.min(most_threads);
        }
        let row = lanes.next_multiple_of(WARP);
        let most = kernel.most_long_rows.filter(|_| row > WARP).unwrap_or(THREADS);
        let default = kernel.work.as_ref().map_or(1, |work| work.most_workers.max(1));
        let mut workers = pick(kernel, asked, 3, default).min(most).min(THREADS / row);
        if kernel.dims[3] == 0 {
            workers = workers.min((most_threads / row).max(1));
        }
        Block { lanes, row, workers }
    }

    /// The same block with as many lanes as a row of iterations is worth on a device with so many
    /// `processors`, where the launch chooses. `most_threads` is what the kernel's registers allow.
    pub fn with_lanes(self, kernel: &Kernel, args: &[u64], (processors, most_threads): (u32, u32)) -> Block {
        let lanes = kernel.work.as_ref().and_then(|work| (work.lanes)(args, processors));
        let most = most_threads.clamp(WARP, THREADS) / self.workers / WARP * WARP;
        lanes.map_or(self, |lanes| {
            let lanes = lanes.next_multiple_of(WARP).min(most.max(WARP));
            Block { lanes, row: lanes, ..self }
        })
    }

    /// The same block with as many workers as a launch has use for, where nobody says how many: each of the
    /// device's `processors` should have some gangs.
    pub fn with_rows(self, kernel: &Kernel, asked: [u64; 5], args: &[u64], processors: u32) -> Block {
        let rows = || {
            let work = kernel.work.as_ref().filter(|work| work.has_rows)?;
            let is_open = [kernel.dims[3], kernel.dims[0]] == [0; 2] && [asked[0], asked[3]] == [0; 2];
            let [gangs, ..] = (work.gangs)(args, 1, self.lanes).filter(|_| is_open)?.gangs;
            // Where lanes share loops with workers, full gangs are better as long as all processors have one:
            // what a gang loads from is nearby then.
            let busy = u64::from(processors) * if work.most_workers > 0 { 1 } else { GANGS_OF_ROWS };
            let most = (MOST_ROWS * WARP / self.row).max(1);
            let enough = (0..=most.ilog2()).map(|power| 1 << power).take_while(|rows| gangs / rows >= busy);
            Some(enough.last().unwrap_or(1))
        };
        rows().map_or(self, |workers| Block { workers: workers as u32, ..self })
    }

    /// The same block with as many workers as a row of a nest has use for, where the launch chooses, in as
    /// few parts as there must be: 4 for 112 columns, 5 for 300.
    pub fn with_parts_of_rows(self, kernel: &Kernel, args: &[u64]) -> Block {
        let workers = || {
            let work = kernel.work.as_ref().filter(|work| work.most_workers > 0)?;
            let [warps, y, z] = (work.gangs)(args, 1, self.lanes)?.gangs;
            let parts = warps.div_ceil(self.workers.into());
            Some(warps.div_ceil(parts.max(1))).filter(|_| (y, z) != (1, 1))
        };
        workers().map_or(self, |workers| Block { workers: workers as u32, ..self })
    }

    /// Threads of a CTA.
    pub fn threads(self) -> u32 {
        self.row * self.workers
    }

    /// The whole launch. `resident` CTAs can be on the device at once: as many are started where the program
    /// leaves their number open, and no more of a cooperative kernel. With arguments, only those are started
    /// that have something to do, and more if that is worth it.
    pub fn shape(self, kernel: &Kernel, asked: [u64; 5], args: Option<&[u64]>, resident: u32) -> Shape {
        let resident = resident.max(1);
        let busy = || {
            let work = kernel.work.as_ref().filter(|_| kernel.dims[0] == 0)?;
            (work.gangs)(args?, self.workers, self.lanes)
        };
        let is_asked = asked[0] != 0;
        let busy = busy().filter(|busy| !is_asked || busy.gangs[1..] != [1; 2]);
        let in_x = |Busy { gangs: [gangs, ..], most_waves, fewer }: Busy| {
            let most = u64::from(resident) * u64::from(most_waves);
            let gangs = if gangs <= most { gangs.max(1) } else { fewer.max(resident.into()) };
            u32::try_from(gangs).ok()
        };
        let gangs = if kernel.wanted_gangs > 0 {
            kernel.wanted_gangs
        } else {
            busy.and_then(in_x).unwrap_or(resident)
        };
        let beside = |index: usize| {
            let gangs = busy.map_or(1, |busy| busy.gangs[index].clamp(1, GRID_YZ.into()));
            pick(kernel, asked, index, gangs as u32).min(GRID_YZ)
        };
        let x = pick(kernel, asked, 0, gangs);
        let [mut x, y, z] = match busy.filter(|_| is_asked) {
            Some(busy) => spread(x, [busy.gangs[0], beside(1).into(), beside(2).into()]),
            None => [x, beside(1), beside(2)],
        };
        let most = if kernel.dims[0] == 0 { ROW_OF_THREADS / self.threads() } else { i32::MAX as u32 };
        x = x.min(most);
        let grid = if kernel.cooperative { [x.min(resident), 1, 1] } else { [x, y, z] };
        Shape { grid, block: [self.row, self.workers, 1], lanes: self.lanes, span: None, trial: None }
    }
}

/// Shapes of a kernel's launches that are remembered, at most.
const MOST_KNOWN: usize = 256;

/// What the shape of a launch depends on: what the program asks for, and some arguments.
type Key = SmallVec<[u64; 12]>;

/// The values that a launch of this shape with these arguments hands over behind them.
pub fn values(kernel: &Kernel, args: &[u64], shape: &Shape) -> Result<Arc<[u64]>> {
    let Some(work) = &kernel.work else { return Ok(Arc::default()) };
    let missing = "compiler bug: the host cannot compute what the kernel's threads need";
    let ([x, y, z], [_, workers, _]) = (shape.grid, shape.block);
    Ok((work.values)(args, [x, y, z, workers, shape.lanes])
        .ok_or_else(|| Error::Failed(missing.into()))?
        .into())
}

/// The shape of a launch, and what it hands over.
type Computed = (Shape, Arc<[u64]>);

/// The shapes of launches of a kernel on a device, and what they hand over. To compute that takes as long as
/// the rest of a launch.
#[derive(Debug, Default)]
pub struct Shapes(Mutex<FxHashMap<Key, Computed>>);

impl Shapes {
    /// The shape of a launch, and what it hands over; `compute` depends on these, and on what never changes.
    pub fn get(
        &self,
        kernel: &Kernel,
        asked: [u64; 5],
        args: &[u64],
        compute: impl FnOnce() -> Result<Shape>,
    ) -> Result<Computed> {
        let Some(work) = &kernel.work else { return Ok((compute()?, Arc::default())) };
        let reads = work.reads.iter().map(|&index| args.get(index).copied().unwrap_or_default());
        let key: Key = asked.into_iter().chain(reads).collect();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&key) {
            return Ok(found.clone());
        }
        let shape = compute()?;
        let values = values(kernel, args, &shape)?;
        let found = (shape, values);
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(key, found.clone());
        Ok(found)
    }
}

/// Bytes of scratch memory of a launch; `None` if that is more than there can be.
pub fn scratch(kernel: &Kernel, shape: &Shape) -> Option<usize> {
    let gangs = shape.grid.iter().try_fold(1u64, |product, &count| product.checked_mul(u64::from(count)))?;
    let bytes = kernel.scratch_per_gang.checked_mul(gangs)?.checked_add(kernel.scratch)?;
    usize::try_from(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::ptx::Work;

    fn kernel(dims: [u32; 5]) -> Kernel {
        Kernel { entry: "k".into(), dims, scratch: 16, scratch_per_gang: 4, ..Kernel::default() }
    }

    /// What nobody can say anything about.
    fn nothing() -> Work {
        Work {
            reads: vec![1],
            gangs: Arc::new(|_, _, _| None),
            lanes: Arc::new(|_, _| None),
            values: Arc::new(|args, _| Some(args.to_vec())),
            has_rows: false,
            most_workers: 0,
        }
    }

    #[test]
    fn shapes_are_computed_once_for_what_they_depend_on() {
        let shapes = Shapes::default();
        let with_work = Kernel { work: Some(nothing()), ..kernel([0, 0, 0, 8, 32]) };
        let computed = |kernel: &Kernel, asked: u64, args: &[u64]| {
            let mut is_new = false;
            let shape = || {
                is_new = true;
                Ok(Block::new(kernel, [0; 5], 1024).shape(kernel, [asked, 0, 0, 0, 0], Some(args), 7))
            };
            let (shape, values) = shapes.get(kernel, [asked, 0, 0, 0, 0], args, shape).expect("a shape");
            assert_eq!(shape.grid[0], if asked > 0 { asked as u32 } else { 7 });
            assert_eq!(values.last(), args.last().filter(|_| kernel.work.is_some()));
            is_new
        };
        // The second argument counts, the first one does not.
        let launches = [(0, [1, 2]), (0, [3, 2]), (0, [1, 3]), (5, [1, 2]), (0, [1, 2])];
        assert_eq!(
            launches.map(|(asked, args)| computed(&with_work, asked, &args)),
            [true, false, true, true, false]
        );
        // Nothing depends on arguments.
        let without = kernel([0, 0, 0, 8, 32]);
        assert!(computed(&without, 0, &[1, 2]) && computed(&without, 0, &[1, 2]));
        for size in 0..2 * MOST_KNOWN as u64 {
            computed(&with_work, 0, &[0, 100 + size]);
        }
        assert!(shapes.0.lock().expect("nobody panicked").len() <= MOST_KNOWN);
    }

    #[test]
    fn blocks() {
        let block = |dims, asked, most| {
            let Block { lanes, row, workers } = Block::new(&kernel(dims), asked, most);
            (lanes, row, workers)
        };
        assert_eq!(block([0; 5], [0; 5], 1024), (32, 32, 1));
        assert_eq!(block([0, 0, 0, 4, 33], [0; 5], 1024), (33, 64, 4));
        assert_eq!(block([0, 0, 0, 32, 32], [0; 5], 1024), (32, 32, 32));
        assert_eq!(block([0, 0, 0, 32, 64], [0; 5], 1024), (64, 64, 16));
        assert_eq!(block([0, 0, 0, 4, 1024], [0; 5], 1024), (1024, 1024, 1));
        assert_eq!(block([0; 5], [0, 0, 0, 8, 128], 1024), (128, 128, 8));
        assert_eq!(block([0; 5], [0, 0, 0, u64::MAX, -3i64 as u64], 1024), (1, 32, 1));
        // Registers leave room for fewer threads than the program asks for.
        assert_eq!(block([0; 5], [0, 0, 0, 32, 32], 640), (32, 32, 20));
        assert_eq!(block([0; 5], [0, 0, 0, 1, 1024], 640), (640, 640, 1));
        assert_eq!(block([0, 0, 0, 32, 32], [0; 5], 640), (32, 32, 32));
        // Rows of several warps that meet at barriers with numbers.
        let numbered = |dims| {
            let kernel = Kernel { most_long_rows: Some(15), ..kernel(dims) };
            Block::new(&kernel, [0, 0, 0, 32, 64], 1024).workers
        };
        assert_eq!(
            [[0; 5], [0, 0, 0, 16, 64], [0, 0, 0, 0, 128], [0, 0, 0, 0, 32]].map(numbered),
            [15, 15, 8, 32]
        );
    }

    #[test]
    fn grids() {
        let block = Block { lanes: 32, row: 32, workers: 1 };
        let grid = |kernel: &Kernel, asked| block.shape(kernel, asked, Some(&[]), 264).grid;
        assert_eq!(grid(&kernel([0; 5]), [0; 5]), [264, 1, 1]);
        assert_eq!(grid(&kernel([0; 5]), [1000, 2, 3, 0, 0]), [1000, 2, 3]);
        assert_eq!(grid(&kernel([7, 0, 0, 0, 0]), [1000, 0, 0, 0, 0]), [7, 1, 1]);
        assert_eq!(grid(&kernel([0; 5]), [1, 1 << 20, 1, 0, 0]), [1, 65535, 1]);
        let together = Kernel { cooperative: true, ..kernel([0; 5]) };
        assert_eq!(grid(&together, [1000, 0, 0, 0, 0]), [264, 1, 1]);
        assert_eq!(grid(&together, [100, 0, 0, 0, 0]), [100, 1, 1]);
        let wanted = |wanted_gangs| grid(&Kernel { wanted_gangs, ..together.clone() }, [0; 5]);
        assert_eq!([wanted(0), wanted(33), wanted(1000)], [[264, 1, 1], [33, 1, 1], [264, 1, 1]]);
        let work = |gangs: Option<u64>, most_waves| Work {
            gangs: Arc::new(move |_, _, _| Some(Busy { gangs: [gangs?, 1, 1], most_waves, fewer: 1 })),
            ..nothing()
        };
        let busy = |gangs, most_waves, asked| {
            grid(&Kernel { work: Some(work(gangs, most_waves)), ..kernel([0; 5]) }, [asked, 0, 0, 0, 0])[0]
        };
        assert_eq!([busy(Some(7), 1, 0), busy(Some(0), 1, 0), busy(None, 1, 0)], [7, 1, 264]);
        assert_eq!([busy(Some(265), 1, 0), busy(Some(528), 2, 0), busy(Some(529), 2, 0)], [264, 528, 264]);
        assert_eq!(busy(Some(7), 1, 5), 5);
        let repeated = |gangs, fewer| {
            let busy = move |_: &[u64], _, _| Some(Busy { gangs: [gangs, 1, 1], most_waves: 4, fewer });
            let work = Work { gangs: Arc::new(busy), ..work(None, 1) };
            grid(&Kernel { work: Some(work), ..kernel([0; 5]) }, [0; 5])[0]
        };
        // All, as many as can be resident at least, those that have enough to do.
        assert_eq!([repeated(1056, 132), repeated(1057, 133), repeated(8448, 1056)], [1056, 264, 1056]);
        let strips = |gangs, asked| {
            let gangs = move |_: &[u64], _, _| Some(Busy { gangs, most_waves: 4, fewer: 1 });
            let work = Work { gangs: Arc::new(gangs), ..nothing() };
            grid(&Kernel { work: Some(work), ..kernel([0; 5]) }, asked)
        };
        assert_eq!(strips([2, 64, 510], [0; 5]), [2, 64, 510]);
        assert_eq!(strips([2, 1 << 20, 0], [0; 5]), [2, 65535, 1]);
        assert_eq!(strips([2, 64, 510], [0, 3, 0, 0, 0]), [2, 3, 510]);
        // As many as the program asks for, in all.
        assert_eq!(strips([2, 64, 510], [1000, 0, 0, 0, 0]), [2, 64, 7]);
        assert_eq!(strips([32, 1000, 1], [100, 0, 0, 0, 0]), [32, 3, 1]);
        assert_eq!(strips([32, 1000, 1], [7, 0, 0, 0, 0]), [7, 1, 1]);
        let rows = |gangs, asked: [u64; 5]| {
            let work = Work {
                gangs: Arc::new(move |_, _, _| Some(Busy { gangs: [gangs?, 1, 1], most_waves: 1, fewer: 1 })),
                has_rows: true,
                ..nothing()
            };
            block.with_rows(&Kernel { work: Some(work), ..kernel([0; 5]) }, asked, &[], 10).workers
        };
        assert_eq!([39, 79, 80, 320, 5000].map(|gangs| rows(Some(gangs), [0; 5])), [1, 1, 2, 8, 8]);
        assert_eq!([rows(None, [0; 5]), rows(Some(5000), [0, 0, 0, 1, 0])], [1, 1]);
        let flat = |warps| {
            let gangs = move |_: &[u64], workers: u32, _| {
                let gangs = [u64::div_ceil(warps, workers.into()), 1, 1];
                Some(Busy { gangs, most_waves: 1, fewer: 1 })
            };
            let work = Work { gangs: Arc::new(gangs), has_rows: true, most_workers: 8, ..nothing() };
            let kernel = Kernel { work: Some(work), ..kernel([0; 5]) };
            let block = Block::new(&kernel, [0; 5], 1024);
            (block.workers, block.with_rows(&kernel, [0; 5], &[], 10).workers)
        };
        assert_eq!([5, 19, 20, 79, 80, 5000].map(flat).map(|(_, workers)| workers), [1, 1, 2, 4, 8, 8]);
        assert_eq!(flat(20).0, 8);
        let parts = |warps, y| {
            let gangs = move |_: &[u64], workers: u32, _| {
                let gangs = [u64::div_ceil(warps, workers.into()), y, 1];
                Some(Busy { gangs, most_waves: 1, fewer: 1 })
            };
            let work = Work { gangs: Arc::new(gangs), most_workers: 8, ..nothing() };
            let kernel = Kernel { work: Some(work), ..kernel([0; 5]) };
            Block::new(&kernel, [0; 5], 1024).with_parts_of_rows(&kernel, &[]).workers
        };
        assert_eq!([1, 4, 8, 10, 16, 17].map(|warps| parts(warps, 100)), [1, 4, 8, 5, 8, 6]);
        // Nobody has rows of his own.
        assert_eq!(parts(4, 1), 8);
    }

    #[test]
    fn scratch_has_a_part_for_each_gang() {
        let shape = |grid| Shape { grid, block: [32, 1, 1], lanes: 32, span: None, trial: None };
        assert_eq!(scratch(&kernel([0; 5]), &shape([10, 2, 3])), Some(16 + 4 * 60));
        let huge = Kernel { scratch_per_gang: u64::MAX / 2, ..kernel([0; 5]) };
        assert_eq!(scratch(&huge, &shape([3, 1, 1])), None);
    }
}

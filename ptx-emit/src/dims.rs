//! Launch dimensions: what the program asks for, what the command line says for what it leaves open, and what
//! a gang of a GPU can have.
//!
//! The number of workers is a constant only if the vector length is: where both would have to give way at run
//! time, the code must not rely on one of them.

use crate::arch::{self, WARP};
use crate::levels::{self, rows::Lanes};
use crate::options::Options;
use crate::storage::Threads;
use accrue_ir::analysis::gang_loop::is_one_gang_loop;
use accrue_ir::passes::Warning;
use accrue_ir::{Body, ConstructKind, Dims, Level, LoopDirective, Operand, Pos, RegionData, SizeClauses};

/// Workers of a gang where nobody says and there are worker loops: 256 threads with the default vector
/// length.
pub(crate) const DEFAULT_WORKERS: u32 = 8;

/// Lanes of a worker where nobody says: one warp.
const DEFAULT_VECTOR: u32 = 32;

/// Most threads of a gang.
const MAX_THREADS: u32 = 1024;

/// Most gangs in the second and third dimension.
const MAX_GANGS_BEYOND_FIRST: u32 = 65535;

/// Ids of the warnings of this module.
pub mod ids {
    /// A size is larger than a GPU can have.
    pub const SIZE_REDUCED: &str = "launch-size-reduced";
    /// A vector length is no multiple of a warp.
    pub const VECTOR_PADDED: &str = "vector-length-padded";
    pub use accrue_ir::passes::ids::CLAUSE_IGNORED;
}

/// Sizes of `-fopenacc-dim=`, gangs, workers, lanes: for constructs that do not say. `Some(0)` is the number
/// that the launch chooses at run time; `None` leaves it to the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DefaultDims(pub [Option<u32>; 3]);

impl DefaultDims {
    /// Reads `GANGS:WORKERS:VECTOR`: fields may be empty or `-`, the last ones may be missing.
    pub fn parse(text: &str) -> Result<DefaultDims, String> {
        let mut dims = [None; 3];
        for (index, field) in text.split(':').enumerate() {
            let Some(place) = dims.get_mut(index) else {
                return Err("there are three sizes: gangs, workers and vector length".to_owned());
            };
            if matches!(field, "" | "-") {
                continue;
            }
            let is_number = field.bytes().all(|byte| byte.is_ascii_digit());
            let size = field.parse::<u32>().ok().filter(|&size| is_number && i32::try_from(size).is_ok());
            *place = Some(size.ok_or_else(|| format!("`{field}` is no number of threads"))?);
        }
        Ok(DefaultDims(dims))
    }
}

/// The dimensions of a region, and where they come from.
pub(crate) struct Choice {
    /// Gangs in three dimensions, workers, lanes; 0 where the launch decides.
    pub(crate) dims: [u32; 5],
    /// What the program asks for and does not get.
    pub(crate) warnings: Vec<Warning>,
}

/// A size that the program asks for: on the construct, or on a loop of `kernels`.
#[derive(Clone, Copy)]
struct Asked {
    /// Known at run time only: 0.
    size: u32,
    pos: Pos,
    clause: &'static str,
    /// By a loop: the construct says nothing.
    on_loop: bool,
}

/// The sizes for what a region's construct does not say: those of `-fopenacc-dim=`, or those that
/// measurements are about or have found.
fn defaults(options: &Options, region: &RegionData) -> [Option<u32>; 3] {
    let [gangs, workers, lanes] = options.default_dims.0;
    let of_shape = region.shape.map(|shape| (shape.workers, shape.lanes)).unzip();
    [gangs, workers.or(of_shape.0), lanes.or(of_shape.1)]
}

/// Whether a region's workers may be as many as a launch has use for: nobody says how many, and each is a
/// warp.
pub(crate) fn rows_are_open(options: &Options, asked: &Dims, region: &RegionData) -> bool {
    let is_warp = |size: i64| (1..=WARP.into()).contains(&size);
    let vector = asked.vector.map(|vector| vector.as_int().is_some_and(is_warp));
    let [_, workers, default_vector] = defaults(options, region);
    asked.workers.is_none()
        && workers.is_none()
        && vector.unwrap_or_else(|| default_vector.is_none_or(|size| is_warp(size.into())))
}

/// Whether nobody says how many workers and lanes a region has.
pub(crate) fn rows_and_lanes_are_open(options: &Options, asked: &Dims, region: &RegionData) -> bool {
    asked.workers.is_none() && asked.vector.is_none() && defaults(options, region)[1..] == [None; 2]
}

/// Whether nobody says how many gangs, workers and lanes a region has: no measurement counts as saying.
pub(crate) fn threads_are_open(options: &Options, asked: &Dims) -> bool {
    let Dims { gangs, workers, vector, .. } = asked;
    gangs.iter().all(Option::is_none)
        && workers.is_none()
        && vector.is_none()
        && options.default_dims.0 == [None; 3]
}

/// Chooses the dimensions of a region; `dims` is what its construct says.
pub(crate) fn choose(
    options: &Options,
    dims: &Dims,
    region: &RegionData,
    body: &Body,
    threads: Threads,
) -> Choice {
    let mut warnings = Vec::new();
    let [gangs, workers, vector] = asked(dims, region, body, &mut warnings);
    let vector = match (threads.lanes, vector) {
        (Lanes::Constant(lanes), None) => lanes,
        (Lanes::Launch(_), None) => 0,
        _ => choose_vector(
            options,
            region,
            body,
            (vector, dims.clauses != SizeClauses::OpenAcc),
            &mut warnings,
        ),
    };
    let workers = match threads.workers_are_open {
        true => 0,
        false if threads.lanes.fill_gangs() && workers.is_none() => 1,
        false if threads.have_columns => levels::columns::WORKERS,
        false => {
            let has_use = threads.calls_workers || levels::uses(body, Level::Worker);
            choose_workers(options, region, body, (workers, vector, has_use), &mut warnings)
        }
    };
    let [x, mut y, mut z] = choose_gangs(options, region, body, (gangs, threads.gangs_wait), &mut warnings);
    // Dimensions that nobody mentions have one gang.
    for (size, asked) in [&mut y, &mut z].into_iter().zip(&dims.gangs[1..]) {
        if asked.is_none() {
            *size = 1;
        }
    }
    Choice { dims: [x, y, z, workers, vector], warnings }
}

/// The dimensions of a launch in words; a letter stands for a size that is known at run time only.
pub(crate) fn describe(asked: &Dims, dims: [u32; 5], threads: Threads) -> String {
    let [x, y, z, workers, vector] = dims;
    let mut reasons = String::new();
    let mut name = |size: u32, letter: char, clause: Option<&str>, otherwise: &str| {
        if size != 0 {
            return size.to_string();
        }
        let reason = clause.map_or_else(|| otherwise.to_owned(), |clause| format!("what `{clause}` says"));
        reasons.push_str(&format!("; {letter}: {reason}"));
        letter.to_string()
    };
    let of_gangs = |dim: usize| asked.gangs[dim].map(|_| asked.clauses.gangs());
    let mut gangs = name(x, 'G', of_gangs(0), "as many as have something to do, or can be resident");
    if (y, z) != (1, 1) {
        let y = name(y, 'H', of_gangs(1), "chosen at the launch");
        let z = name(z, 'I', of_gangs(2), "chosen at the launch");
        gangs = format!("{gangs}x{y}x{z}");
    }
    let workers = name(workers, 'W', asked.workers.map(|_| asked.clauses.workers()), "chosen at the launch");
    let by_rows = "chosen at the launch, by the length and the number of rows";
    let vector_name = name(vector, 'V', asked.vector.map(|_| asked.clauses.vector()), by_rows);
    if threads.lanes == Lanes::Constant(vector) && vector > DEFAULT_VECTOR {
        reasons.push_str(&format!("; {vector} lanes: rows are long, or few"));
    }
    // No more gangs are launched than can be resident.
    if threads.gangs_wait && x != 1 && (x != 0 || asked.gangs[0].is_some()) {
        reasons.push_str("; fewer gangs where not so many can be resident: they wait for each other");
    }
    format!("a launch has {gangs} gangs of {workers} workers of {vector_name} lanes{reasons}")
}

/// The threads of a launch that no loop of the region gives something to do.
pub(crate) fn idle(dims: [u32; 5], body: &Body) -> Vec<String> {
    let levels =
        [(Level::Worker, dims[3], "workers of a gang"), (Level::Vector, dims[4], "lanes of a worker")];
    let unused = levels.into_iter().filter(|&(level, size, _)| size != 1 && !levels::uses(body, level));
    unused
        .map(|(level, size, threads)| {
            let idle = match size {
                0 => format!("all {threads} but one are"),
                _ => format!("{} of the {size} {threads} {}", size - 1, if size == 2 { "is" } else { "are" }),
            };
            format!("{idle} idle: no loop is shared by {}", level.name())
        })
        .collect()
}

/// What the program asks for of gangs, workers and lanes.
fn asked(dims: &Dims, region: &RegionData, body: &Body, warnings: &mut Vec<Warning>) -> [Option<Asked>; 3] {
    let [gangs, _, _, workers, vector] = region.constant_dims;
    let given =
        |is_given: bool, size, pos, clause| is_given.then_some(Asked { size, pos, clause, on_loop: false });
    let [gangs_at, workers_at, vector_at] = dims.pos;
    let mut asked = [
        given(dims.gangs[0].is_some(), gangs, gangs_at, dims.clauses.gangs()),
        given(dims.workers.is_some(), workers, workers_at, dims.clauses.workers()),
        given(dims.vector.is_some(), vector, vector_at, dims.clauses.vector()),
    ];
    for directive in body.loops.values().filter_map(|data| data.directive.as_ref()) {
        for (place, (clause, size)) in asked.iter_mut().zip(sizes(directive)) {
            let Some(size) = size else { continue };
            let size = size.as_int().and_then(|size| u32::try_from(size).ok()).filter(|&size| size > 0);
            match (size, *place) {
                (Some(size), None) => {
                    *place = Some(Asked { size, pos: directive.pos, clause, on_loop: true });
                }
                // Loops of one launch have one size: the largest.
                (Some(size), Some(other)) if other.on_loop && other.size < size => {
                    *place = Some(Asked { size, pos: directive.pos, clause, on_loop: true });
                }
                (Some(_), Some(_)) => {}
                (None, _) => warnings.push(Warning {
                    id: ids::CLAUSE_IGNORED,
                    pos: directive.pos,
                    function: region.parent.clone(),
                    message: format!("the argument of `{clause}` is ignored: it is no constant"),
                    notes: Vec::new(),
                }),
            }
        }
    }
    asked
}

/// The sizes that a loop of `kernels` may name.
fn sizes(directive: &LoopDirective) -> [(&'static str, Option<Operand>); 3] {
    [
        ("gang", directive.gang.as_ref().and_then(|gang| gang.num)),
        ("worker", directive.worker.flatten()),
        ("vector", directive.vector.flatten()),
    ]
}

fn choose_vector(
    options: &Options,
    region: &RegionData,
    body: &Body,
    (asked, is_openmp): (Option<Asked>, bool),
    warnings: &mut Vec<Warning>,
) -> u32 {
    let Some(asked) = asked else {
        // `serial` has one lane, and says so by its kind.
        return match region.constant_dims[4] {
            0 if levels::uses(body, Level::Vector) => {
                defaults(options, region)[2].unwrap_or(DEFAULT_VECTOR).min(MAX_THREADS)
            }
            0 => DEFAULT_VECTOR,
            constant => constant,
        };
    };
    let size = asked.size.min(MAX_THREADS);
    if size < asked.size {
        warnings.push(reduced(region, asked, size, &format!("a gang has at most {MAX_THREADS} threads")));
    } else if size > 1 && !size.is_multiple_of(WARP) {
        let row = size.next_multiple_of(WARP);
        let who = if is_openmp { "team" } else { "worker" };
        let message = format!(
            "`{}({size})` is no multiple of {WARP}: each {who} takes {row} threads, {} of them idle",
            asked.clause,
            row - size
        );
        let (pos, function) = (asked.pos, region.parent.clone());
        warnings.push(Warning { id: ids::VECTOR_PADDED, pos, function, message, notes: Vec::new() });
    }
    size
}

fn choose_workers(
    options: &Options,
    region: &RegionData,
    body: &Body,
    (asked, vector, has_use): (Option<Asked>, u32, bool),
    warnings: &mut Vec<Warning>,
) -> u32 {
    let row = if vector == 0 { WARP } else { vector.next_multiple_of(WARP) };
    let rows = MAX_THREADS / row;
    let (fit, why) = match arch::most_long_rows(options.arch) {
        _ if row == WARP => (rows, format!("a gang has at most {MAX_THREADS} threads")),
        Some(most) if most < rows => {
            (most, format!("a gang has barriers for {most} workers of several warps before sm_80"))
        }
        _ => (rows, format!("a gang has at most {MAX_THREADS} threads, and a worker takes {row}")),
    };
    let workers = match (asked, region.constant_dims[3]) {
        (Some(asked), _) => {
            if asked.size > fit {
                warnings.push(reduced(region, asked, fit, &why));
            }
            asked.size.min(fit)
        }
        (None, 0) if has_use => {
            // Where rows share the iterations of one loop, long ones are fewer: gangs of as many threads as
            // of usual rows, of which there are enough for all processors.
            let usual = match levels::rows_are_alike(body) {
                true => (DEFAULT_WORKERS * WARP / row).max(1),
                false => DEFAULT_WORKERS,
            };
            defaults(options, region)[1].unwrap_or(usual).min(fit)
        }
        (None, 0) => 1,
        (None, constant) => constant.min(fit),
    };
    if vector == 0 && workers > 1 { 0 } else { workers }
}

fn choose_gangs(
    options: &Options,
    region: &RegionData,
    body: &Body,
    (asked, gangs_wait): (Option<Asked>, bool),
    warnings: &mut Vec<Warning>,
) -> [u32; 3] {
    let [mut x, mut y, mut z, ..] = region.constant_dims;
    // Code that no loop shares between gangs would only be repeated by more of them.
    match asked {
        Some(asked) if asked.size > 0 => x = asked.size,
        Some(_) => {}
        None if x == 0 && !levels::uses(body, Level::Gang) => x = 1,
        None if x == 0 => x = options.default_dims.0[0].unwrap_or(0),
        None => {}
    }
    // Statements between the loops of `kernels` are executed once, after one loop and before the next.
    let has_phases = region.construct == ConstructKind::Kernels && !is_one_gang_loop(body);
    if has_phases {
        (y, z) = (1, 1);
    }
    if has_phases && !gangs_wait {
        if let Some(asked) = asked.filter(|asked| asked.size != 1) {
            warnings.push(Warning {
                id: ids::CLAUSE_IGNORED,
                pos: asked.pos,
                function: region.parent.clone(),
                message: format!(
                    "`{}` is ignored: one gang executes a `kernels` construct without loops over the first dimension of gangs",
                    asked.clause
                ),
                notes: Vec::new(),
            });
        }
        x = 1;
    }
    for size in [&mut y, &mut z] {
        if *size > MAX_GANGS_BEYOND_FIRST {
            let pos = asked.map_or_else(Pos::none, |asked| asked.pos);
            let asked = Asked { size: *size, pos, clause: "num_gangs", on_loop: false };
            let why = "a GPU has no more gangs in the second and third dimension";
            warnings.push(reduced(region, asked, MAX_GANGS_BEYOND_FIRST, why));
            *size = MAX_GANGS_BEYOND_FIRST;
        }
    }
    [x, y, z]
}

fn reduced(region: &RegionData, asked: Asked, to: u32, why: &str) -> Warning {
    Warning {
        id: ids::SIZE_REDUCED,
        pos: asked.pos,
        function: region.parent.clone(),
        message: format!("`{}({})` is reduced to {to}: {why}", asked.clause, asked.size),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_numbers_or_left_open() {
        let parse = |text| DefaultDims::parse(text).map(|dims| dims.0);
        assert_eq!(parse(""), Ok([None; 3]));
        assert_eq!(parse("32:8:64"), Ok([Some(32), Some(8), Some(64)]));
        assert_eq!(parse("::128"), Ok([None, None, Some(128)]));
        assert_eq!(parse("0:-"), Ok([Some(0), None, None]));
        for nonsense in ["x", "1:2:3:4", "+1", "1:-2", "4294967296", "2147483648", " 1", "1:2:3:"] {
            assert!(parse(nonsense).is_err(), "{nonsense}");
        }
    }
}

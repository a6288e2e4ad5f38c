//! Shapes of launches that are measured: how many workers and lanes a gang has where the program leaves that
//! open.
//!
//! What the emitter chooses by what it knows of a region is not always what is fastest on a device. So a
//! program can be compiled with copies of its regions, each with another shape, of which the launches of a
//! run take one after the other ([`Shapes::Tried`]); and with the shapes that such a run has found best
//! ([`Shapes::Found`]).
//!
//! ```text
//!     before:  function fn2.main.region0: region ... dims(0, 1, 1, 0, 0)
//!     after:   the same, and
//!              function fn3.main.region0.2x32: region ... dims(0, 1, 1, 0, 0) shape 2 32 trial_of fn2 code 7
//!              function fn4.main.region0.1x128: ...
//! ```
//!
//! A shape stands in place of `-fopenacc-dim=`: a clause counts more, and a region whose workers and lanes
//! are all named, or that uses neither, gets the same dimensions whatever is tried.
//!
//! What was measured is known again by the region's name and a [`fingerprint`] of its code. Shapes change
//! speed only: a launch may have any.
//!
//! Before: regions are cut out, and no level is assigned. After: the same, with copies.

use accrue_ir::passes::Warning;
use accrue_ir::report::{Decision, topics};
use accrue_ir::text::{PrintOptions, print_function};
use accrue_ir::{ConstructKind, Func, FunctionKind, Module, RegionShape, ShapeTrial};

/// Id of the warning about a region that is not what was measured.
pub const OUTDATED: &str = "shapes-outdated";

/// Workers and lanes of a gang.
pub type Threads = [u32; 2];

/// Shapes that are tried beside the one that the emitter chooses: gangs of two warps to the largest, as rows
/// of a warp and as one row.
const TRIED: [Threads; 9] =
    [[2, 32], [4, 32], [8, 32], [16, 32], [32, 32], [1, 64], [1, 128], [1, 256], [1, 512]];

/// What is known of the best shapes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Shapes {
    /// Nothing.
    #[default]
    Usual,
    /// They are to be measured.
    Tried,
    /// Those of these regions.
    Found(Vec<Found>),
}

/// What was measured of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Its name in the IR.
    pub region: String,
    /// Its code when it was measured.
    pub fingerprint: u64,
    /// The best shape.
    pub shape: Threads,
}

impl Shapes {
    /// Whether regions are copied or get a shape.
    pub(crate) fn is_unusual(&self) -> bool {
        *self != Shapes::Usual
    }
}

/// What the pass has to say.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) warnings: Vec<Warning>,
}

/// Runs the pass.
pub(crate) fn run(module: &mut Module, shapes: &Shapes) -> Said {
    let mut said = Said::default();
    let is_open = |func: &Func| {
        let kind = &module.functions[*func].kind;
        matches!(kind, FunctionKind::Region(region) if region.construct != ConstructKind::Serial)
    };
    for func in module.functions.keys().filter(is_open).collect::<Vec<_>>() {
        match shapes {
            Shapes::Usual => {}
            Shapes::Tried => {
                let trial = ShapeTrial { of: func, code: fingerprint(module, func) };
                TRIED.into_iter().for_each(|threads| copy(module, trial, threads));
            }
            Shapes::Found(found) => {
                let name = &module.functions[func].name;
                let Some(found) = found.iter().find(|found| *found.region == **name) else { continue };
                apply(module, func, found, &mut said);
            }
        }
    }
    said
}

/// Adds a copy of a region with another shape.
fn copy(module: &mut Module, trial: ShapeTrial, [workers, lanes]: Threads) {
    let mut function = module.functions[trial.of].clone();
    function.name = format!("{}.{workers}x{lanes}", function.name).into();
    if let FunctionKind::Region(region) = &mut function.kind {
        region.shape = Some(RegionShape { workers, lanes, trial: Some(trial) });
    }
    module.functions.push(function);
}

/// Gives a region the shape that was found for it, if it is still the same.
fn apply(module: &mut Module, func: Func, found: &Found, said: &mut Said) {
    let is_same = found.fingerprint == fingerprint(module, func);
    let function = &mut module.functions[func];
    let (pos, [workers, lanes]) = (function.pos, found.shape);
    let FunctionKind::Region(region) = &mut function.kind else { return };
    if is_same {
        region.shape = Some(RegionShape { workers, lanes, trial: None });
        let text = format!("measured as best: {workers} workers of {lanes} lanes");
        said.decisions.push(Decision { pos, function: region.parent.clone(), topic: topics::LAUNCH, text });
    } else {
        said.warnings.push(Warning {
            id: OUTDATED,
            pos,
            function: region.parent.clone(),
            message: "the shape that was measured for this region is not used: its code has changed"
                .to_owned(),
            notes: vec!["`accrue run --tune` measures again".to_owned()],
        });
    }
}

/// A number of the code of a region, the same in every run and whatever else is in the program: entities of
/// the module count by their names.
pub(crate) fn fingerprint(module: &Module, func: Func) -> u64 {
    let text = print_function(module, func, PrintOptions { positions: false });
    // What stands in front is the function's own number.
    let code = text.split_once("region").map_or("", |(_, code)| code);
    let numbered = ["fn", "sig", "global", "agg"];
    let mut words = code.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let mut hash = Fnv::default();
    words.by_ref().for_each(|word| {
        let plain = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let letters = plain.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_number = letters.len() < plain.len() && numbered.contains(&letters);
        hash.add(if is_number { letters } else { plain });
        hash.add(&word[plain.len()..]);
    });
    hash.0
}

/// The hash of Fowler, Noll and Vo (FNV-1a), which is the same wherever it is computed.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::parse;

    /// A program with a region, behind other functions, that calls one of them.
    fn program(others: usize, bound: u32) -> (Module, Func) {
        let other = |at: usize| format!("function fn{at}.f{at} sig0 internal {{\nbb0:\n  return\n}}\n");
        let head: String = (0..others).map(other).collect();
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 ()\n{head}function fn{others}.r sig0 internal\n  \
             region parallel of \"main\" dims(0, 1, 1, 0, 0) {{\n  }} {{\n  locals v0: i32\nbb0:\n  \
             call fn{}.f{}() sig0\n  v0 = copy {bound}i32\n  return\n}}\n",
            0, 0
        );
        let module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let func = module.functions.keys().next_back().expect("a region");
        (module, func)
    }

    fn number(others: usize, bound: u32) -> u64 {
        let (module, func) = program(others, bound);
        fingerprint(&module, func)
    }

    #[test]
    fn code_is_known_again_wherever_it_stands() {
        assert_eq!(number(1, 5), number(3, 5));
        assert_ne!(number(1, 5), number(1, 6));
        // Files of earlier versions name it.
        assert_eq!(number(1, 5), 0x0ac9_b4ec_d5a6_e3c3);
    }

    #[test]
    fn every_shape_has_a_copy() {
        let (mut module, func) = program(1, 5);
        run(&mut module, &Shapes::Tried);
        let trial = ShapeTrial { of: func, code: number(1, 5) };
        let trials = module.functions.values().filter(|function| match &function.kind {
            FunctionKind::Region(region) => region.shape.is_some_and(|shape| shape.trial == Some(trial)),
            _ => false,
        });
        assert_eq!(trials.count(), TRIED.len());
    }

    #[test]
    fn what_has_changed_gets_no_shape() {
        for (fingerprint, has_shape) in [(number(1, 5), true), (number(1, 6), false)] {
            let (mut module, func) = program(1, 5);
            let found = Found { region: "r".to_owned(), fingerprint, shape: [4, 64] };
            let said = run(&mut module, &Shapes::Found(vec![found]));
            let FunctionKind::Region(region) = &module.functions[func].kind else { panic!("no region") };
            let wanted = RegionShape { workers: 4, lanes: 64, trial: None };
            assert_eq!(region.shape, has_shape.then_some(wanted));
            assert_eq!((said.decisions.len(), said.warnings.len()), (has_shape.into(), (!has_shape).into()));
        }
    }
}

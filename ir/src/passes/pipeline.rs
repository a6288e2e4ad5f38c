//! The list of a target, and the one way to run it.
//!
//! A target has one list of [`Pass`]es, [`Pipeline::PASSES`], from what the front end leaves to what its code
//! generator takes. [`run`] goes through it, or through a [`Section`] of it: a dump of the IR is the module
//! between two passes, and what a pass needs besides the module is the target as its options made it, so that
//! work may stop after any pass and go on from the text of the module in another process.

use super::env::{Env, each_body};
use crate::entities::Func;
use crate::function::{Body, Function};
use crate::module::Module;
use crate::op::Pos;
use crate::report::{Fault, PassError, Report};
use crate::target::Target;
use crate::verify::{self, Verified, VerifyErrors};
use std::fmt;

/// What a pass does that works on a module.
type OfModule<T> = fn(&mut Module, &mut Env<'_, T>) -> Result<(), PassError>;

/// What a pass does that works on one function: its body is rewritten. Of the module it asks what is
/// declared, and looks at no body, so that it does not matter whether it has worked on other functions yet.
pub type OfEach = fn(&Module, Func, &mut Body);

enum Run<T: 'static> {
    Module(OfModule<T>),
    Each(OfEach),
}

/// An entry of a list.
pub struct Pass<T: 'static> {
    /// Name on the command line and in messages.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    run: Run<T>,
    runs_for: fn(&T) -> bool,
}

impl<T> Pass<T> {
    /// A pass that runs for every target of the type.
    pub const fn new(name: &'static str, about: &'static str, run: OfModule<T>) -> Pass<T> {
        Pass { name, about, run: Run::Module(run), runs_for: |_| true }
    }

    /// A pass that works on one function, for every target of the type.
    pub const fn of_each(name: &'static str, about: &'static str, run: OfEach) -> Pass<T> {
        Pass { name, about, run: Run::Each(run), runs_for: |_| true }
    }

    /// The same pass, for targets with an option, such as an optimisation level, without which it does
    /// nothing.
    pub const fn when(mut self, runs_for: fn(&T) -> bool) -> Pass<T> {
        self.runs_for = runs_for;
        self
    }
}

impl<T> fmt::Debug for Pass<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A target with its list.
pub trait Pipeline: Target + Sized + 'static {
    /// Every pass that runs for some target of the type, in order.
    const PASSES: &'static [Pass<Self>];

    /// The passes that run for this target, in order.
    fn passes(&self) -> impl Iterator<Item = &'static Pass<Self>> {
        Self::PASSES.iter().filter(|pass| (pass.runs_for)(self))
    }
}

/// A part of a target's list, by places in [`Pipeline::PASSES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    from: usize,
    to: usize,
}

/// A section that no target of the type has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SectionError {
    /// No pass of this name runs for the target.
    Unknown {
        /// The name.
        stage: String,
        /// The target.
        target: &'static str,
    },
    /// The pass to stop after comes before the pass to start after.
    Backwards {
        /// The pass to start after.
        start: String,
        /// The pass to stop after.
        stop: String,
    },
}

impl fmt::Display for SectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SectionError::Unknown { stage, target } => {
                write!(f, "unknown stage `{stage}` of target {target}")
            }
            SectionError::Backwards { start, stop } => {
                write!(f, "stage `{stop}` comes before stage `{start}`")
            }
        }
    }
}

impl std::error::Error for SectionError {}

impl Section {
    /// The whole list.
    pub const WHOLE: Section = Section { from: 0, to: usize::MAX };

    /// What follows one pass, up to and including another.
    pub fn new<T: Pipeline>(
        target: &T,
        start_after: Option<&str>,
        stop_after: Option<&str>,
    ) -> Result<Section, SectionError> {
        let behind = |name: Option<&str>, otherwise: usize| match name {
            None => Ok(otherwise),
            Some(name) => place(target, name).map(|index| index + 1),
        };
        let section = Section { from: behind(start_after, 0)?, to: behind(stop_after, usize::MAX)? };
        match (start_after, stop_after) {
            (Some(start), Some(stop)) if section.from > section.to => {
                Err(SectionError::Backwards { start: start.to_owned(), stop: stop.to_owned() })
            }
            _ => Ok(section),
        }
    }

    /// What comes before a pass, from the start of the list on.
    pub fn before<T: Pipeline>(target: &T, name: &str) -> Result<Section, SectionError> {
        place(target, name).map(|to| Section { from: 0, to })
    }
}

/// The place of a pass that runs for the target.
fn place<T: Pipeline>(target: &T, name: &str) -> Result<usize, SectionError> {
    let is_it = |pass: &Pass<T>| pass.name == name && (pass.runs_for)(target);
    let unknown = || SectionError::Unknown { stage: name.to_owned(), target: target.name() };
    T::PASSES.iter().position(is_it).ok_or_else(unknown)
}

/// What a pass that gave up has left.
#[derive(Clone, PartialEq, Debug)]
pub struct Failed {
    /// The module: that of the names and files that the error is about.
    pub module: Module,
    /// Why the pass gave up.
    pub error: PassError,
}

/// The passes at the end of a section that work on one function: they may wait until its code is wanted.
#[derive(Clone, Default)]
pub struct Waiting {
    passes: Vec<(&'static str, OfEach)>,
    verifies: bool,
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.passes.iter().map(|(name, _)| name)).finish()
    }
}

impl Waiting {
    /// Whether nothing is left to do.
    pub fn is_empty(&self) -> bool {
        self.passes.is_empty()
    }

    /// Runs the passes on a body of a module, which keeps its own.
    pub fn run(&self, module: &Module, func: Func, body: &mut Body) -> Result<(), PassError> {
        for &(pass, run) in &self.passes {
            run(module, func, body);
            if self.verifies {
                let function =
                    Function { body: Some(Box::new(body.clone())), ..module.functions[func].clone() };
                let errors = verify::verify_function(module, func, &function, pass);
                errors.map_err(|errors| rejected(pass, &errors))?;
            }
        }
        Ok(())
    }
}

/// Runs the passes of a section that must run before the code of any function is made, and gives the others.
pub fn run_now<T: Pipeline>(
    module: Verified,
    target: &mut T,
    section: Section,
    verify: bool,
    report: &mut Report,
) -> Result<(Verified, Waiting), Box<Failed>> {
    let (now, waiting) = divide(target, section, verify);
    Ok((run(module, target, now, verify, report)?, waiting))
}

/// The part of a section that [`run_now`] runs, and the passes that it gives.
fn divide<T: Pipeline>(target: &T, section: Section, verify: bool) -> (Section, Waiting) {
    let end = section.to.min(T::PASSES.len());
    let all = &T::PASSES[section.from.min(end)..end];
    let now = all.iter().rposition(|pass| matches!(pass.run, Run::Module(_)) && (pass.runs_for)(target));
    let to = section.from.min(end) + now.map_or(0, |last| last + 1);
    let passes = T::PASSES[to..end].iter().filter(|pass| (pass.runs_for)(target));
    let passes = passes.filter_map(|pass| match pass.run {
        Run::Module(_) => None,
        Run::Each(run) => Some((pass.name, run)),
    });
    (Section { from: section.from, to }, Waiting { passes: passes.collect(), verifies: verify })
}

/// The passes that wait, for a module that has been through all others of the list.
pub fn waiting<T: Pipeline>(target: &T) -> Waiting {
    divide(target, Section::WHOLE, false).1
}

/// Runs the passes of a section. With `verify`, the IR is verified after each. What passes tell the user goes
/// to `report`, if one of them gives up, too.
pub fn run<T: Pipeline>(
    module: Verified,
    target: &mut T,
    section: Section,
    verify: bool,
    report: &mut Report,
) -> Result<Verified, Box<Failed>> {
    let mut module = module.into_module();
    match run_on(&mut module, target, section, verify, report) {
        Ok(()) => Ok(Verified::left_by_pass(module)),
        Err(error) => Err(Box::new(Failed { module, error })),
    }
}

fn run_on<T: Pipeline>(
    module: &mut Module,
    target: &mut T,
    section: Section,
    verify: bool,
    report: &mut Report,
) -> Result<(), PassError> {
    let explains = target.explains();
    let mut env = Env { target, report, explains, verifies: verify };
    let end = section.to.min(T::PASSES.len());
    for pass in &T::PASSES[section.from.min(end)..end] {
        if (pass.runs_for)(env.target) {
            let done = match pass.run {
                Run::Module(run) => run(module, &mut env),
                Run::Each(run) => each_body(module, |work| {
                    run(work.module, work.func, work.body);
                    Ok(())
                }),
            };
            done.map_err(|error| PassError { pass: pass.name, ..error })?;
            if verify {
                verify_after(module, pass.name)?;
            }
        }
    }
    Ok(())
}

/// Verifies the module after a pass.
fn verify_after(module: &Module, pass: &'static str) -> Result<(), PassError> {
    verify::verify(module, pass).map_err(|errors| rejected(pass, &errors))
}

fn rejected(pass: &'static str, errors: &VerifyErrors) -> PassError {
    PassError {
        pass,
        fault: Fault::Defect,
        function: "".into(),
        pos: Pos::none(),
        message: errors.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acc::{Level, Reduction};
    use crate::entities::Loop;
    use crate::op::{Address, LoopShare, Operand};
    use crate::report::Limit;
    use crate::target::{Context, Emitter};
    use crate::text;
    use crate::types::Type;

    /// A target with two passes of its own that break the rules of the IR.
    struct Careless;

    impl Pipeline for Careless {
        const PASSES: &'static [Pass<Careless>] = &[
            Pass::LOWER,
            Pass::KERNELS,
            Pass::new("lose-a-latch", "make the header of a loop its latch", |module, _| {
                for body in module.functions.values_mut().filter_map(|function| function.body.as_deref_mut())
                {
                    body.loops.values_mut().for_each(|data| data.latch = data.header);
                }
                Ok(())
            }),
            Pass::PRIVATIZE,
            Pass::new("repeat-a-block", "give a block two places in the layout", |module, _| {
                for body in module.functions.values_mut().filter_map(|function| function.body.as_deref_mut())
                {
                    body.order.push(body.entry());
                }
                Ok(())
            }),
            Pass::OUTLINE.when(|_| false),
        ];
    }

    impl Target for Careless {
        fn name(&self) -> &'static str {
            "careless"
        }

        fn partitions(&self, _: Context<'_>, _: &[Level]) -> bool {
            false
        }

        fn reduce_scalar(
            &mut self,
            _: &mut Emitter<'_>,
            _: &Reduction,
            local: Operand,
        ) -> Result<Operand, Limit> {
            Ok(local)
        }

        fn reduce_array(
            &mut self,
            _: &mut Emitter<'_>,
            _: &Reduction,
            _: Address,
            _: Operand,
        ) -> Result<(), Limit> {
            Ok(())
        }

        fn dim_size(&mut self, _: &mut Emitter<'_>, _: Level) -> Operand {
            Operand::Int(Type::I32, 1)
        }

        fn dim_pos(&mut self, _: &mut Emitter<'_>, _: Level) -> Operand {
            Operand::Int(Type::I32, 0)
        }

        fn loop_share(&mut self, _: &mut Emitter<'_>, _: LoopShare, _: Loop, trip: Operand) -> Operand {
            trip
        }
    }

    const PROGRAM: &str = "\
signature sig0 ()
function fn0.f sig0 external {
  locals v0.i: i32
  locals v1: i1
  loop loop0 preheader bb0 header bb1 body bb2 latch bb3 exit bb4 for v0.i = 0i32, lt 9i32, step 1i32
bb0: v0.i = copy 0i32 jump bb1
bb1 loop0: v1 = cmp.lt v0.i, 9i32 branch v1, bb2, bb4
bb2 loop0: jump bb3
bb3 loop0: v0.i = add v0.i, 1i32 jump bb1
bb4: return
}
";

    fn run_section(section: Section, verify: bool) -> Result<(), PassError> {
        let module = text::parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        let module = Verified::check(module, "test").unwrap_or_else(|rejected| panic!("{}", rejected.errors));
        let run = run(module, &mut Careless, section, verify, &mut Report::default());
        run.map(drop).map_err(|failed| failed.error)
    }

    /// What tests with `--verify` rely on: the pass is named that broke the loop tree, or the layout of
    /// blocks.
    #[test]
    fn a_pass_that_breaks_the_ir_is_named() {
        let found = |section| run_section(section, true).expect_err("a pass breaks the IR");
        let latch = found(Section::WHOLE);
        assert_eq!((latch.pass, latch.fault), ("lose-a-latch", Fault::Defect));
        assert!(
            latch.message.contains("wrong after `lose-a-latch`") && latch.message.contains("loop0"),
            "{latch}"
        );
        let layout = found(Section::new(&Careless, Some("privatize"), None).expect("a section"));
        assert_eq!((layout.pass, layout.fault), ("repeat-a-block", Fault::Defect));
        assert!(layout.message.contains("twice"), "{layout}");
        assert_eq!(run_section(Section::WHOLE, false), Ok(()));
    }

    #[test]
    fn sections_are_of_passes_that_run() {
        let section = |start, stop| Section::new(&Careless, start, stop).map_err(|error| error.to_string());
        assert_eq!(section(None, None), Ok(Section::WHOLE));
        assert_eq!(run_section(section(None, Some("kernels")).expect("a section"), true), Ok(()));
        assert_eq!(section(Some("kernels"), Some("kernels")), Ok(Section { from: 2, to: 2 }));
        assert_eq!(
            section(Some("privatize"), Some("lower")),
            Err("stage `lower` comes before stage `privatize`".to_owned())
        );
        for unknown in ["outline", "reach"] {
            assert_eq!(
                section(Some(unknown), None),
                Err(format!("unknown stage `{unknown}` of target careless"))
            );
        }
    }
}

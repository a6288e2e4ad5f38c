//! From source files to one IR module: the front end on each file, then the linker, then the passes.

use crate::device_library;
use crate::diagnostics::{DEVICE_UNSUPPORTED, HOST_UNSUPPORTED};
use accrue_frontend::diag::{Late, LatePlace, Severity};
use accrue_frontend::options::{Options, WarningOptions};
use accrue_frontend::pp::{self, Input};
use accrue_frontend::session::Session;
use accrue_frontend::{diag, lower, parse, sema};
use accrue_ir::passes::{self, Fault, PassError, Report, Stage, Warning};
use accrue_ir::target::Target;
use accrue_ir::{Module, Pos};
use accrue_ptx_emit::text::{self, EmitError, Ptx, Reached};
use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Why there is no module.
#[derive(Debug)]
pub enum Failure {
    /// The program has errors; they were shown.
    Program,
    /// The command line makes no sense.
    Usage(String),
    /// Anything else, with its message.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Program => Ok(()),
            Failure::Usage(message) | Failure::Other(message) => f.write_str(message),
        }
    }
}

/// How diagnostics are written to standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagnosticFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Preprocesses each file and returns the text, as `-E` prints it.
pub fn preprocess(files: &[PathBuf], options: &Options, format: DiagnosticFormat) -> Result<String, Failure> {
    let mut text = String::new();
    let mut failed = false;
    for file in files {
        let mut session = Session::new(options.clone());
        let tokens = pp::preprocess(&mut session, &input(file)?);
        text.push_str(&pp::print(&session, &tokens));
        failed |= show(&mut session, format);
    }
    if failed { Err(Failure::Program) } else { Ok(text) }
}

/// Compiles all files and links them; shows diagnostics on standard error.
pub fn compile(files: &[PathBuf], options: &Options, format: DiagnosticFormat) -> Result<Module, Failure> {
    link(compile_files(files, options, format)?)
}

/// Compiles files as programs: all of them are one, unless several define `main`; then each is one.
pub fn compile_programs(
    files: &[PathBuf],
    options: &Options,
    format: DiagnosticFormat,
) -> Result<Vec<(String, Module)>, Failure> {
    let modules = compile_files(files, options, format)?;
    let has_main = |module: &&Module| {
        module.functions.values().any(|function| &*function.name == "main" && function.body.is_some())
    };
    let name = |file: &PathBuf| file.display().to_string();
    if modules.iter().filter(has_main).count() > 1 {
        return Ok(files.iter().map(name).zip(modules).collect());
    }
    let first = files.first().map(name).unwrap_or_default();
    Ok(vec![(first, link(modules)?)])
}

fn compile_files(
    files: &[PathBuf],
    options: &Options,
    format: DiagnosticFormat,
) -> Result<Vec<Module>, Failure> {
    let mut modules = Vec::with_capacity(files.len());
    let mut failure = None;
    for file in files {
        match compile_file(file, options, format) {
            Ok(module) => modules.push(module),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    match failure {
        Some(failure) => Err(failure),
        None => Ok(modules),
    }
}

/// Where a source comes from: a file, or standard input, written `-`.
fn input(file: &Path) -> Result<Input, Failure> {
    if file != Path::new("-") {
        return Ok(Input::Path(file.to_path_buf()));
    }
    let mut text = Vec::new();
    std::io::stdin()
        .read_to_end(&mut text)
        .map_err(|error| Failure::Other(format!("cannot read standard input: {error}")))?;
    Ok(Input::Memory { name: "<stdin>".to_owned(), text })
}

fn link(mut modules: Vec<Module>) -> Result<Module, Failure> {
    if modules.len() == 1
        && let Some(module) = modules.pop()
    {
        return Ok(module);
    }
    accrue_ir::link_units::link(modules).map_err(|errors| Failure::Other(errors.to_string()))
}

fn compile_file(file: &Path, options: &Options, format: DiagnosticFormat) -> Result<Module, Failure> {
    if file.extension().is_some_and(|extension| extension == "ir") {
        return read_ir(file);
    }
    let mut session = Session::new(options.clone());
    let module = translate(&mut session, &input(file)?);
    if show(&mut session, format) {
        return Err(Failure::Program);
    }
    module.ok_or_else(|| Failure::Other(format!("{}: no module and no error", file.display())))
}

/// The front end, stage by stage; each works only on what the one before accepted. Errors are in the session.
pub fn translate(session: &mut Session, input: &Input) -> Option<Module> {
    let tokens = pp::preprocess(session, input);
    if session.errors() > 0 {
        return None;
    }
    let tree = parse::parse(session, &tokens);
    drop(tokens);
    if tree.misread {
        return None;
    }
    let unit = sema::analyze(session, &tree)?;
    if session.errors() > 0 {
        return None;
    }
    drop(tree);
    lower::lower(session, &unit)
}

/// Shows the diagnostics of a session; whether there are errors among them.
fn show(session: &mut Session, format: DiagnosticFormat) -> bool {
    let errors = session.errors();
    report(&match format {
        DiagnosticFormat::Text => diag::render_text(session, diag::wants_color()),
        DiagnosticFormat::Json => diag::render_json(session),
    });
    errors > 0
}

/// Writes to standard error. If that fails, there is nobody left to tell.
pub fn report(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

fn read_ir(file: &Path) -> Result<Module, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::Other(format!("cannot read {}: {error}", file.display())))?;
    let name = file.display();
    let module = accrue_ir::text::parse(&text).map_err(|error| Failure::Other(format!("{name}:{error}")))?;
    // Passes and back ends rely on it, and who wrote the file is not known.
    if let Err(found) = accrue_ir::verify::verify(&module, "reading") {
        let told = found.errors.iter().map(|error| {
            let line = accrue_ir::text::line_of(&text, &module, error);
            line.map_or_else(|| format!("{name}: {error}"), |line| format!("{name}:{line}: {error}"))
        });
        return Err(Failure::Other(told.collect::<Vec<_>>().join("\n")));
    }
    Ok(module)
}

/// How what comes after the front end tells the user about the program.
#[derive(Clone, Debug)]
pub struct Messages {
    /// For people or for programs.
    pub format: DiagnosticFormat,
    /// Which warnings are given.
    pub warnings: WarningOptions,
}

impl Messages {
    fn show(&self, module: &Module, severity: Severity, said: Warning) {
        let Warning { id, pos, function: _, message, notes } = said;
        let file = module.files.get(pos.file).map_or_else(String::new, |name| name.to_string());
        let place = LatePlace { file, line: pos.line, column: pos.column };
        self.report(&Late { notes, ..Late::new(severity, id, message, place) });
    }

    /// Warns of something that has no place in the program, unless the options say otherwise.
    pub fn complain(&self, id: &'static str, message: String) -> Result<(), Failure> {
        if !self.warnings.enabled(id) {
            return Ok(());
        }
        let is_error = self.warnings.is_error(id);
        let severity = if is_error { Severity::Error } else { Severity::Warning };
        self.report(&Late::new(severity, id, message, LatePlace::default()));
        if is_error { Err(Failure::Program) } else { Ok(()) }
    }

    fn report(&self, late: &Late) {
        report(&match self.format {
            DiagnosticFormat::Text => late.text(diag::wants_color()),
            DiagnosticFormat::Json => late.json(),
        });
    }

    /// Something that is not supported.
    fn limit(&self, module: &Module, id: &'static str, function: &str, pos: Pos, message: &str) -> Failure {
        let message = if pos.line == 0 { format!("in `{function}`: {message}") } else { message.to_owned() };
        let said = Warning { id, pos, function: function.into(), message, notes: Vec::new() };
        self.show(module, Severity::Error, said);
        Failure::Program
    }

    /// A pass that gave up.
    fn of_pass(&self, module: &Module, limit: &'static str, error: PassError) -> Failure {
        match error.fault {
            Fault::Limit => self.limit(module, limit, &error.function, error.pos, &error.message),
            Fault::Defect => Failure::Other(format!("compiler bug: {error}")),
        }
    }

    /// Something that has no form in PTX.
    fn of_text(&self, module: &Module, error: EmitError) -> Failure {
        self.limit(module, DEVICE_UNSUPPORTED, &error.function, error.pos, &error.message)
    }

    /// Shows the warnings of a program for a device that shares the host's memory or has memory of its own; an error if the
    /// options make one of them one.
    pub fn warn(&self, module: &Module, report: Report, own_memory: bool) -> Result<(), Failure> {
        let divided = report.divided.into_iter().map(|warning| (warning, own_memory));
        let mut failed = false;
        for (warning, is_wrong) in report.warnings.into_iter().map(|warning| (warning, false)).chain(divided)
        {
            // What gives another result is told unless its id is named.
            let is_wrong = is_wrong && !self.warnings.is_kept_warning(warning.id);
            if !is_wrong && !self.warnings.enabled(warning.id) {
                continue;
            }
            let is_error = is_wrong || self.warnings.is_error(warning.id);
            failed |= is_error;
            let severity = if is_error { Severity::Error } else { Severity::Warning };
            self.show(module, severity, warning);
        }
        if failed { Err(Failure::Program) } else { Ok(()) }
    }
}

/// Runs the passes for the host, up to and including `stop_after`. Debug builds verify the IR after each.
pub fn lower_for_host(
    module: &mut Module,
    target: &mut dyn Target,
    stop_after: Option<Stage>,
    verify: bool,
    messages: &Messages,
) -> Result<Report, Failure> {
    let lowered = passes::pipeline(module, target, stop_after, verify || cfg!(debug_assertions));
    lowered.map_err(|error| messages.of_pass(module, HOST_UNSUPPORTED, error))
}

/// Runs the passes for NVIDIA GPUs, the device's own among them, at most until the program is linked.
pub fn lower_for_ptx(
    module: &mut Module,
    options: &accrue_ptx_emit::Options,
    stop_after: Option<accrue_ptx_emit::Stage>,
    verify: bool,
    messages: &Messages,
) -> Result<Report, Failure> {
    let verify = verify || cfg!(debug_assertions);
    let lowered = accrue_ptx_emit::lower(module, options, stop_after, verify);
    lowered.map_err(|error| messages.of_pass(module, DEVICE_UNSUPPORTED, error))
}

/// The IR of a program for a GPU, the functions of the device's library that it calls included, and what of it the device
/// runs; up to and including `stop_after`, which comes after linking. Shows what the device does otherwise than asked.
pub fn device_module(
    mut module: Module,
    options: &accrue_ptx_emit::Options,
    stop_after: Option<accrue_ptx_emit::Stage>,
    verify: bool,
    messages: &Messages,
) -> Result<(Module, Reached), Failure> {
    let found = lower_for_ptx(&mut module, options, None, verify, messages)?;
    messages.warn(&module, found, true)?;
    let (mut module, reached) = device_library::link(
        module,
        |library| lower_for_ptx(library, options, None, verify, messages).map(|_| ()),
        |module| text::reach(module).map_err(|error| messages.of_text(module, error)),
    )?;
    let verify = verify || cfg!(debug_assertions);
    let lowered = accrue_ptx_emit::lower_program(&mut module, reached, options, stop_after, verify);
    let reached = lowered.map_err(|error| messages.of_pass(&module, DEVICE_UNSUPPORTED, error))?;
    Ok((module, reached))
}

/// The PTX of a program. Shows what the device does otherwise than asked.
pub fn ptx(
    module: Module,
    options: &accrue_ptx_emit::Options,
    verify: bool,
    messages: &Messages,
) -> Result<Ptx, Failure> {
    let (module, reached) = device_module(module, options, None, verify, messages)?;
    let ptx = text::module(&module, reached, options).map_err(|error| messages.of_text(&module, error))?;
    if verify || cfg!(debug_assertions) {
        accrue_ptx_sim::lint(&ptx.text, |function, register| ptx.is_unset(function, register))
            .map_err(|error| Failure::Other(format!("compiler bug: the PTX is wrong\n{error}")))?;
    }
    Ok(ptx)
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::target::{Context, Emitter, RoutineCall};
    use accrue_ir::{Address, Body, Level, Loop, LoopShare, Operand, Reduction};

    /// A target that breaks the rules of the IR in its first hook.
    struct Careless;

    impl Target for Careless {
        fn name(&self) -> &'static str {
            "careless"
        }

        fn assign_levels(&mut self, _: Context<'_>, _: &[RoutineCall], body: &mut Body) {
            body.order.push(body.entry());
        }

        fn partitions(&self, _: Context<'_>, _: &[Level]) -> bool {
            false
        }

        fn reduce_scalar(&mut self, _: &mut Emitter<'_>, _: &Reduction, local: Operand) -> Operand {
            local
        }

        fn reduce_array(&mut self, _: &mut Emitter<'_>, _: &Reduction, _: Address, _: Operand) {}

        fn dim_size(&mut self, _: &mut Emitter<'_>, _: Level) -> Operand {
            Operand::Int(accrue_ir::Type::I32, 1)
        }

        fn dim_pos(&mut self, _: &mut Emitter<'_>, _: Level) -> Operand {
            Operand::Int(accrue_ir::Type::I32, 0)
        }

        fn loop_share(&mut self, _: &mut Emitter<'_>, _: LoopShare, _: Loop, trip: Operand) -> Operand {
            trip
        }
    }

    /// What tests with `--verify` rely on.
    #[test]
    fn with_verify_the_ir_is_looked_at_after_every_pass() {
        let text = "void f(int *a) {\n#pragma acc parallel loop copy(a[0:9])\nfor (int i = 0; i < 9; i++) a[i] = i; }";
        let input = Input::Memory { name: "f.c".into(), text: text.into() };
        let mut session = Session::new(Options::default());
        let mut module = translate(&mut session, &input).expect("it compiles");
        let messages = Messages { format: DiagnosticFormat::Text, warnings: WarningOptions::default() };
        let stage = Stage::by_name("assign-levels");
        let lowered = lower_for_host(&mut module, &mut Careless, stage, true, &messages);
        let Err(Failure::Other(message)) = lowered else { panic!("{lowered:?}") };
        assert!(message.contains("wrong after `assign-levels`") && message.contains("twice"), "{message}");
    }
}

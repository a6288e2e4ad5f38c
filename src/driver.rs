//! From source files to one IR module: the front end on each file, then the linker, then the passes.

use crate::device_library;
use crate::diagnostics::{DEVICE_UNSUPPORTED, HOST_UNSUPPORTED};
use accrue_frontend::cache::Facts;
use accrue_frontend::diag::{Late, LatePlace, Severity};
use accrue_frontend::options::{Options, WarningOptions};
use accrue_frontend::pp::{self, Input};
use accrue_frontend::session::Session;
use accrue_frontend::{diag, lower, sema};
use accrue_host_jit::HostTarget;
use accrue_ir::passes::{self, Failed, Section, Waiting};
use accrue_ir::report::{Fault, Report, Warning};
use accrue_ir::text::Origin;
use accrue_ir::verify::Verified;
use accrue_ir::{Module, Pos};
use accrue_ptx_emit::text::{EmitError, Ptx};
use accrue_ptx_emit::{PtxTarget, Shapes};
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

/// A program behind the front end.
#[derive(Debug)]
pub struct Compiled {
    /// All files of it.
    pub module: Verified,
    /// What the file system was asked for it; `None` if there is more to compiling it again: something was
    /// told, or it is no C.
    pub facts: Option<Facts>,
}

/// Compiles all files and links them; shows diagnostics on standard error.
pub fn compile(files: &[PathBuf], options: &Options, format: DiagnosticFormat) -> Result<Compiled, Failure> {
    let mut facts = Some(Facts::default());
    let mut modules = Vec::with_capacity(files.len());
    for Compiled { module, facts: asked } in compile_files(files, options, format)? {
        facts = facts.zip(asked).map(|(mut facts, asked)| {
            facts.extend(asked);
            facts
        });
        modules.push(module);
    }
    Ok(Compiled { module: link(modules)?, facts })
}

/// Compiles files as programs: all of them are one, unless several define `main`; then each is one.
pub fn compile_programs(
    files: &[PathBuf],
    options: &Options,
    format: DiagnosticFormat,
) -> Result<Vec<(String, Verified)>, Failure> {
    let modules: Vec<Verified> =
        compile_files(files, options, format)?.into_iter().map(|compiled| compiled.module).collect();
    let has_main = |module: &&Verified| {
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
) -> Result<Vec<Compiled>, Failure> {
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

fn link(mut modules: Vec<Verified>) -> Result<Verified, Failure> {
    if modules.len() == 1
        && let Some(module) = modules.pop()
    {
        return Ok(module);
    }
    let modules = modules.into_iter().map(Verified::into_module).collect();
    let linked = accrue_ir::link_units::link(modules).map_err(|errors| Failure::Other(errors.to_string()))?;
    Ok(Verified::made(linked, "linking"))
}

fn compile_file(file: &Path, options: &Options, format: DiagnosticFormat) -> Result<Compiled, Failure> {
    if is_ir(file) {
        return read_ir(file).map(|(module, _)| Compiled { module, facts: None });
    }
    let input = input(file)?;
    let mut session = Session::new(options.clone());
    let mut module = translate(&mut session, &input);
    session.settle();
    if session.is_cached && !session.sink.list().is_empty() {
        // What is told does not depend on which headers were kept, nor on what of them was.
        session = Session::new(Options { header_cache: None, ..options.clone() });
        module = translate(&mut session, &input);
    }
    if show(&mut session, format) {
        return Err(Failure::Program);
    }
    session.keep_headers();
    let facts = session.sink.list().is_empty().then_some(session.facts);
    let module =
        module.ok_or_else(|| Failure::Other(format!("{}: no module and no error", file.display())))?;
    Ok(Compiled { module, facts })
}

/// The front end, stage by stage; each works only on what the one before accepted. Errors are in the session.
pub fn translate(session: &mut Session, input: &Input) -> Option<Verified> {
    let tokens = pp::preprocess(session, input);
    if session.errors() > 0 {
        return None;
    }
    let unit = sema::parse_and_analyze(session, &tokens)?;
    drop(tokens);
    lower::lower(session, unit).map(|module| Verified::made(module, "lower"))
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

/// The module of a dump: what `accrue ir` printed after a stage of a target.
pub fn resume(files: &[PathBuf], stage: &str, target: &str) -> Result<Verified, Failure> {
    let [file] = files else {
        return Err(Failure::Usage("--from-stage takes one file, as `accrue ir` prints it".to_owned()));
    };
    let name = file.display();
    if file != Path::new("-") && !is_ir(file) {
        return Err(Failure::Usage(format!(
            "--from-stage takes the IR of a program; `{name}` is no `.ir` file"
        )));
    }
    let (module, origin) = read_ir(file)?;
    match origin {
        Some(origin) if (&*origin.stage, &*origin.target) != (stage, target) => Err(Failure::Usage(format!(
            "`{name}` is from {origin}, not from stage `{stage}` of target {target}"
        ))),
        _ => Ok(module),
    }
}

fn is_ir(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "ir")
}

/// The module of a file or of standard input, and where in a target's list it comes from.
fn read_ir(file: &Path) -> Result<(Verified, Option<Origin>), Failure> {
    let is_input = file == Path::new("-");
    let name = if is_input { "standard input".to_owned() } else { file.display().to_string() };
    let text = match is_input {
        true => std::io::read_to_string(std::io::stdin()),
        false => std::fs::read_to_string(file),
    };
    let text = text.map_err(|error| Failure::Other(format!("cannot read {name}: {error}")))?;
    let parsed = accrue_ir::text::parse_dump(&text);
    let (module, origin) = parsed.map_err(|error| Failure::Other(format!("{name}:{error}")))?;
    // Passes and back ends rely on it, and who wrote the file is not known.
    let module = Verified::check(module, "reading").map_err(|rejected| {
        let told = rejected.errors.errors.iter().map(|error| {
            let line = accrue_ir::text::line_of(&text, &rejected.module, error);
            line.map_or_else(|| format!("{name}: {error}"), |line| format!("{name}:{line}: {error}"))
        });
        Failure::Other(told.collect::<Vec<_>>().join("\n"))
    })?;
    Ok((module, origin))
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
    fn of_pass(&self, limit: &'static str, failed: Failed) -> Failure {
        let Failed { module, error } = failed;
        match error.fault {
            Fault::Limit => self.limit(&module, limit, &error.function, error.pos, &error.message),
            Fault::Defect => Failure::Other(format!("compiler bug: {error}")),
        }
    }

    /// Something that has no form in PTX.
    fn of_text(&self, module: &Module, error: EmitError) -> Failure {
        self.limit(module, DEVICE_UNSUPPORTED, &error.function, error.pos, &error.message)
    }

    /// Shows the warnings of a program for a device that shares the host's memory or has memory of its own;
    /// an error if the options make one of them one. Says whether there were any.
    pub fn warn(&self, module: &Module, report: Report, own_memory: bool) -> Result<bool, Failure> {
        let divided = report.divided.into_iter().map(|warning| (warning, own_memory));
        let (mut told, mut failed) = (false, false);
        for (warning, is_wrong) in report.warnings.into_iter().map(|warning| (warning, false)).chain(divided)
        {
            // What gives another result is told unless its id is named.
            let is_wrong = is_wrong && !self.warnings.is_kept_warning(warning.id);
            if !is_wrong && !self.warnings.enabled(warning.id) {
                continue;
            }
            let is_error = is_wrong || self.warnings.is_error(warning.id);
            (told, failed) = (true, failed | is_error);
            let severity = if is_error { Severity::Error } else { Severity::Warning };
            self.show(module, severity, warning);
        }
        if failed { Err(Failure::Program) } else { Ok(told) }
    }
}

/// Runs passes of the host's list. Debug builds verify the IR after each.
pub fn lower_for_host(
    module: Verified,
    target: &mut HostTarget,
    section: Section,
    verify: bool,
    messages: &Messages,
) -> Result<(Verified, Report), Failure> {
    let mut report = Report::default();
    let lowered = passes::run(module, target, section, verify || cfg!(debug_assertions), &mut report);
    let module = lowered.map_err(|failed| messages.of_pass(HOST_UNSUPPORTED, *failed))?;
    Ok((module, report))
}

/// Runs passes of the host's list as far as a program needs them before it starts, and gives those that each
/// function waits for until it is compiled.
pub fn prepare_for_host(
    module: Verified,
    target: &mut HostTarget,
    section: Section,
    verify: bool,
    messages: &Messages,
) -> Result<(Verified, Report, Waiting), Failure> {
    let mut report = Report::default();
    let lowered = passes::run_now(module, target, section, verify || cfg!(debug_assertions), &mut report);
    let (module, waiting) = lowered.map_err(|failed| messages.of_pass(HOST_UNSUPPORTED, *failed))?;
    Ok((module, report, waiting))
}

/// Runs passes of the list of NVIDIA GPUs. Debug builds verify the IR after each.
pub fn lower_for_ptx(
    module: Verified,
    target: &mut PtxTarget,
    section: Section,
    verify: bool,
    messages: &Messages,
) -> Result<(Verified, Report), Failure> {
    let mut report = Report::default();
    let lowered = passes::run(module, target, section, verify || cfg!(debug_assertions), &mut report);
    let module = lowered.map_err(|failed| messages.of_pass(DEVICE_UNSUPPORTED, *failed))?;
    Ok((module, report))
}

/// An NVIDIA GPU with accrue's own library.
pub fn gpu(options: &accrue_ptx_emit::Options) -> PtxTarget {
    PtxTarget::new(options.clone(), &device_library::Sources)
}

/// The PTX of a program that the front end has just compiled, or of what the first passes made of it. Shows
/// what the device does otherwise than asked.
pub fn ptx(
    module: Verified,
    options: &accrue_ptx_emit::Options,
    section: Section,
    verify: bool,
    messages: &Messages,
) -> Result<Ptx, Failure> {
    let mut target = gpu(options);
    let (module, mut report) = lower_for_ptx(module, &mut target, section, verify, messages)?;
    if options.shapes == Shapes::Tried {
        // What holds of a region holds of its copies.
        report.warn_once();
    }
    messages.warn(&module, report, true)?;
    let ptx = accrue_ptx_emit::text(&module, target).map_err(|error| messages.of_text(&module, error))?;
    if verify || cfg!(debug_assertions) {
        accrue_ptx_sim::lint(&ptx.text, |function, register| ptx.is_unset(function, register))
            .map_err(|error| Failure::Other(format!("compiler bug: the PTX is wrong\n{error}")))?;
    }
    Ok(ptx)
}

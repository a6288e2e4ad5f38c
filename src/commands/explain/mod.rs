//! `accrue explain`: what the compiler decided, one line per decision; or what the id of a diagnostic means; or
//! what a trace tells of tasks.

mod ids;
mod trace;

use crate::args::{ExplainArgs, Format, Target};
use crate::start::Status;
use accrue::driver::{self, Failure};
use accrue_host_jit::Gangs;
use accrue_ir::passes::Section;
use accrue_ir::report::topics::{BROADCAST, LAUNCH, LEADER, LEVEL, LOOP, REDUCTION, REDUNDANT};
use accrue_ir::report::{Decision, LoopVerdict};
use accrue_ir::verify::Verified;
use accrue_ir::{Module, Pos};
use accrue_ptx_emit::{LINK, Options};
use rustc_hash::FxHashSet;
use serde_json::json;

/// Runs the command.
pub fn run(args: &ExplainArgs) -> Result<Status, Failure> {
    if args.list_ids {
        super::print(&ids::list())?;
        return Ok(Status::SUCCESS);
    }
    if let Some(file) = &args.trace {
        super::print(&trace::explain(file, args.format == Format::Json)?)?;
        return Ok(Status::SUCCESS);
    }
    if let Some(names) = ids::asked(&args.compile.files) {
        super::print(&ids::explain(&names, args.format == Format::Json)?)?;
        return Ok(Status::SUCCESS);
    }
    let mut out = String::new();
    for (_, module) in args.compile.compile_programs(args.target.frontend())? {
        explain(args, module, &mut out)?;
    }
    super::print(&out)?;
    Ok(Status::SUCCESS)
}

/// Adds the lines of one program.
fn explain(args: &ExplainArgs, module: Verified, out: &mut String) -> Result<(), Failure> {
    let (verify, messages) = (args.compile.verify, args.compile.messages());
    let (module, report) = match args.target {
        Target::Host | Target::Multicore => {
            let ordered = args.reduction.deterministic;
            let at_once = args.target == Target::Multicore;
            let gangs = if at_once { Gangs::AtOnce { ordered } } else { Gangs::One };
            let mut target = args.compile.host_target(gangs)?.with_explanations();
            driver::lower_for_host(module, &mut target, Section::WHOLE, verify, &messages)?
        }
        Target::Ptx => {
            let options = Options { explain: true, ..args.compile.ptx_options(args.arch, &args.reduction)? };
            let mut target = driver::gpu(&options);
            // What comes behind decides nothing that a directive asks for.
            let section =
                Section::before(&target, LINK).map_err(|error| Failure::Other(error.to_string()))?;
            driver::lower_for_ptx(module, &mut target, section, verify, &messages)?
        }
    };
    let verdicts = report.loops.iter().map(Said::Loop);
    let mut decisions: Vec<Said<'_>> = verdicts.chain(report.decisions.iter().map(Said::Decision)).collect();
    // By place; for one place what becomes of loops and data is told before what threads do with them, each
    // in the order of the passes. Code that a pass made several times is told of once.
    let is_of_threads = |topic| [LEVEL, LAUNCH, REDUCTION, LEADER, REDUNDANT, BROADCAST].contains(&topic);
    decisions.sort_by_key(|said| {
        let Pos { file, line, column } = said.pos();
        (file, line, column, is_of_threads(said.topic()))
    });
    let mut told = FxHashSet::default();
    for said in decisions {
        let line = match args.format {
            Format::Text => text(&module, said),
            Format::Json => object(&module, said).to_string(),
        };
        if told.insert(line.clone()) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    Ok(())
}

/// A line of the explanation.
#[derive(Clone, Copy)]
enum Said<'a> {
    Decision(&'a Decision),
    Loop(&'a LoopVerdict),
}

impl Said<'_> {
    fn pos(&self) -> Pos {
        match self {
            Said::Decision(decision) => decision.pos,
            Said::Loop(verdict) => verdict.pos,
        }
    }

    fn topic(&self) -> &'static str {
        match self {
            Said::Decision(decision) => decision.topic,
            Said::Loop(_) => LOOP,
        }
    }

    fn function(&self) -> &str {
        match self {
            Said::Decision(decision) => &decision.function,
            Said::Loop(verdict) => &verdict.function,
        }
    }

    fn text(&self) -> &str {
        match self {
            Said::Decision(decision) => &decision.text,
            Said::Loop(verdict) => &verdict.text,
        }
    }
}

fn file(module: &Module, pos: Pos) -> &str {
    module.files.get(pos.file).map_or("<unknown>", |name| name)
}

fn text(module: &Module, said: Said<'_>) -> String {
    let pos = said.pos();
    // The name of a file may hold anything, and a decision is one line.
    let file = file(module, pos).replace(char::is_control, "?");
    format!("{file}:{}:{}: {}: {}: {}", pos.line, pos.column, said.function(), said.topic(), said.text())
}

fn object(module: &Module, said: Said<'_>) -> serde_json::Value {
    let place = |pos: Pos| json!({ "file": file(module, pos), "line": pos.line, "column": pos.column });
    let mut object = place(said.pos());
    object["function"] = said.function().into();
    object["topic"] = said.topic().into();
    object["text"] = said.text().into();
    let Said::Loop(verdict) = said else { return object };
    object["verdict"] = verdict.outcome.name().into();
    if let Some(reason) = verdict.reason {
        object["reason"] = reason.into();
    }
    for (name, pos) in [("from", verdict.from), ("to", verdict.to)] {
        if let Some(pos) = pos {
            object[name] = place(pos);
        }
    }
    if let Some(distance) = verdict.distance {
        object["distance"] = distance.into();
    }
    if let Some(condition) = &verdict.condition {
        object["condition"] = condition.as_str().into();
    }
    for (name, list) in [("private", &verdict.private), ("last", &verdict.last)] {
        if !list.is_empty() {
            object[name] = list.iter().map(|name| &**name).collect();
        }
    }
    for (field, list) in [("reductions", &verdict.reductions), ("scans", &verdict.scans)] {
        if !list.is_empty() {
            object[field] =
                list.iter().map(|(op, name)| json!({ "op": op.spelling(), "name": &**name })).collect();
        }
    }
    object
}

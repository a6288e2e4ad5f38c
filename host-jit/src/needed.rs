//! Which functions and globals a program needs: what can be reached from where it starts.

use crate::definitions::Definitions;
use crate::error::Error;
use accrue_ir::visit::{Part, PartMut};
use accrue_ir::{Func, Function, Global, Init, Module, Op, Operand, Pos, Slot, SlotData};
use cranelift_entity::EntityRef;

/// The greatest frame of one function, in bytes.
const MAX_FRAME: u64 = 1 << 30;
/// The greatest object with static storage duration, in bytes.
const MAX_GLOBAL: u64 = 1 << 40;

/// Why something is needed: the function and the position that name it first.
pub(crate) type Use = Option<(Func, Pos)>;

/// What can be reached from the start.
#[derive(Default)]
pub(crate) struct Needed {
    /// Defined functions, in order of discovery.
    pub functions: Vec<Func>,
    /// Functions that the program does not define.
    pub external_functions: Vec<(Func, Use)>,
    /// Defined globals.
    pub globals: Vec<Global>,
    /// Globals that the program does not define.
    pub external_globals: Vec<(Global, Use)>,
    /// A region is launched somewhere.
    pub launches: Use,
    /// A data directive is executed somewhere.
    pub data: Use,
}

struct Walk<'a> {
    module: &'a Module,
    definitions: &'a Definitions,
    seen_functions: Vec<bool>,
    seen_globals: Vec<bool>,
    out: Needed,
}

/// Walks from the given functions.
pub(crate) fn find(
    module: &Module,
    definitions: &Definitions,
    roots: impl Iterator<Item = Func>,
) -> Result<Needed, Error> {
    let mut walk = Walk {
        module,
        definitions,
        seen_functions: vec![false; module.functions.len()],
        seen_globals: vec![false; module.globals.len()],
        out: Needed::default(),
    };
    for root in roots {
        walk.function(root, None);
    }
    let (mut functions, mut globals) = (0, 0);
    loop {
        if let Some(&func) = walk.out.functions.get(functions) {
            functions += 1;
            walk.body(func)?;
        } else if let Some(&global) = walk.out.globals.get(globals) {
            globals += 1;
            walk.initializer(global)?;
        } else {
            return Ok(walk.out);
        }
    }
}

/// Which functions can be reached from the given ones in a module that the passes have not seen: whatever
/// names a function counts, in clauses and in dead code, too.
pub(crate) fn find_before_passes(
    module: &mut Module,
    definitions: &Definitions,
    roots: impl Iterator<Item = Func>,
) -> Vec<bool> {
    let mut kept = vec![false; module.functions.len()];
    let mut seen_globals = vec![false; module.globals.len()];
    let mut named: Vec<Operand> = roots.map(Operand::Func).collect();
    while let Some(operand) = named.pop() {
        match operand {
            Operand::Func(func) => {
                let func = definitions.function(func).unwrap_or(func);
                if std::mem::replace(&mut kept[func.index()], true) {
                    continue;
                }
                let mut name = |operand: Operand| match operand {
                    Operand::Func(_) | Operand::Global(_) => named.push(operand),
                    Operand::Local(_)
                    | Operand::Slot(_)
                    | Operand::Int(..)
                    | Operand::F32(_)
                    | Operand::F64(_) => {}
                };
                module.functions[func].parts_mut(|part| match part {
                    PartMut::Value(operand) | PartMut::Variable(operand) => name(*operand),
                    PartMut::Address(address) => name(address.base),
                    PartMut::Func(func) => name(Operand::Func(*func)),
                    PartMut::Def(_)
                    | PartMut::NamedLocal(_)
                    | PartMut::Sig(_)
                    | PartMut::Agg(_)
                    | PartMut::Block(_)
                    | PartMut::Loop(_)
                    | PartMut::Construct(_)
                    | PartMut::Red(_)
                    | PartMut::Pos(_) => {}
                });
            }
            Operand::Global(global) => {
                let global = definitions.global(global).unwrap_or(global);
                let seen = std::mem::replace(&mut seen_globals[global.index()], true);
                if let (false, Init::Bytes(_, relocations)) = (seen, &module.globals[global].init) {
                    named.extend(relocations.iter().map(|relocation| relocation.target));
                }
            }
            Operand::Local(_) | Operand::Slot(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }
    kept
}

impl Walk<'_> {
    fn function(&mut self, func: Func, from: Use) {
        let target = self.definitions.function(func);
        let key = target.unwrap_or(func);
        if std::mem::replace(&mut self.seen_functions[key.index()], true) {
            return;
        }
        match target {
            Some(func) => self.out.functions.push(func),
            None => self.out.external_functions.push((func, from)),
        }
    }

    fn global(&mut self, global: Global, from: Use) {
        let target = self.definitions.global(global);
        let key = target.unwrap_or(global);
        if std::mem::replace(&mut self.seen_globals[key.index()], true) {
            return;
        }
        match target {
            Some(global) => self.out.globals.push(global),
            None => self.out.external_globals.push((global, from)),
        }
    }

    fn operand(&mut self, operand: Operand, from: Use) {
        match operand {
            Operand::Global(global) => self.global(global, from),
            Operand::Func(func) => self.function(func, from),
            Operand::Local(_) | Operand::Slot(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }

    fn body(&mut self, func: Func) -> Result<(), Error> {
        let module = self.module;
        let Some(body) = module.functions[func].body.as_deref() else {
            return Ok(());
        };
        // What stands in dead code need not exist.
        for block in crate::lower::reachable(body) {
            let data = &body.blocks[block];
            for inst in &data.insts {
                let from = Some((func, inst.pos));
                match inst.op {
                    Op::Launch(_) => self.out.launches = self.out.launches.or(from),
                    Op::Data(_) => self.out.data = self.out.data.or(from),
                    _ => {}
                }
                inst.op.parts(|part| match part {
                    Part::Value(operand) => self.operand(*operand, from),
                    Part::Address(address) => self.operand(address.base, from),
                    Part::Func(func) => self.function(*func, from),
                    Part::Variable(_)
                    | Part::Def(_)
                    | Part::NamedLocal(_)
                    | Part::Sig(_)
                    | Part::Agg(_)
                    | Part::Block(_)
                    | Part::Loop(_)
                    | Part::Construct(_)
                    | Part::Red(_)
                    | Part::Pos(_) => {}
                });
            }
            let from = Some((func, data.term_pos));
            data.term.operands(|operand| self.operand(operand, from));
        }
        check_frame(module, &module.functions[func], body.slots.iter())
    }

    fn initializer(&mut self, global: Global) -> Result<(), Error> {
        let module = self.module;
        let data = &module.globals[global];
        if data.size > MAX_GLOBAL {
            let (file, line) = crate::error::place(module, data.pos);
            return Err(Error::Limit(format!(
                "{file}:{line}: object `{}` of {} bytes is too large (limit {MAX_GLOBAL})",
                data.name, data.size
            )));
        }
        if let Init::Bytes(_, relocations) = &data.init {
            for relocation in relocations {
                self.operand(relocation.target, None);
            }
        }
        Ok(())
    }
}

fn check_frame<'a>(
    module: &Module,
    function: &Function,
    slots: impl Iterator<Item = (Slot, &'a SlotData)>,
) -> Result<(), Error> {
    let total: u128 = slots.map(|(_, slot)| u128::from(slot.size) + u128::from(slot.align) + 16).sum();
    if total <= u128::from(MAX_FRAME) {
        return Ok(());
    }
    let (file, line) = crate::error::place(module, function.pos);
    Err(Error::Limit(format!(
        "{file}:{line}: the variables of function `{}` take {total} bytes of stack (limit {MAX_FRAME})",
        function.name
    )))
}

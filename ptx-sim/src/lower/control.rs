//! Jumps, calls, the end of threads.

use super::function::FunctionLowerer;
use super::mods::Mods;
use super::symbol::Symbol;
use crate::code::{Builtin, CallSite, Callee, Op, Src, Words};
use crate::error::Result;
use crate::read::ast::Operand;
use crate::ty::Ty;

impl<'a> FunctionLowerer<'_, 'a, '_> {
    /// Lowers an instruction of control flow; `None` if it is another.
    pub(super) fn control(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Option<Op>> {
        Ok(Some(match m.name() {
            "bra" => {
                m.flag("uni");
                let [Operand::Name(label, 0)] = self.exactly::<1>(ops)? else {
                    return self.problem("a label is expected");
                };
                self.jump(label);
                Op::Branch { to: 0 }
            }
            "brx" => {
                m.need("`.idx`", &["idx"])?;
                m.flag("uni");
                let [index, Operand::Name(table, 0)] = self.exactly::<2>(ops)? else {
                    return self.problem("an index and a table are expected");
                };
                let index = self.src(index, Ty::U32)?;
                self.jump_table(table)?;
                Op::BranchTable { index, targets: Box::default() }
            }
            "call" => self.call(m, ops)?,
            "ret" => {
                m.flag("uni");
                self.exactly::<0>(ops)?;
                Op::Return
            }
            "exit" => Op::Exit,
            "trap" => Op::Trap,
            "brkpt" => Op::Breakpoint,
            "nanosleep" => {
                let ty = m.ty()?;
                let [time] = self.exactly::<1>(ops)?;
                self.src(time, ty)?;
                Op::Sleep
            }
            // Launches of a queue are executed one after the other.
            "griddepcontrol" => {
                if !m.flag("wait") && !m.flag("launch_dependents") {
                    return self.problem("`.wait` or `.launch_dependents` is expected");
                }
                self.exactly::<0>(ops)?;
                Op::Nop
            }
            "pmevent" => Op::Nop,
            _ => return Ok(None),
        }))
    }

    /// `call[.uni] [(RESULTS),] F [, (ARGS)] [, PROTOTYPE]`
    fn call(&mut self, m: &mut Mods<'a>, ops: &[Operand<'a>]) -> Result<Op> {
        m.flag("uni");
        let (results, rest) = match ops {
            [Operand::List(results), rest @ ..] => (&results[..], rest),
            rest => (&[][..], rest),
        };
        let [Operand::Name(callee, 0), rest @ ..] = rest else {
            return self.problem("a function is expected");
        };
        let (args, rest) = match rest {
            [Operand::List(args), rest @ ..] => (&args[..], rest),
            rest => (&[][..], rest),
        };
        let args = self.call_words(args)?;
        let results = self.call_words(results)?;
        let shape = (results.len(), args.len());
        let target = match self.find(callee) {
            Some(Symbol::Function(number)) => {
                self.check_direct(callee, &args, &results)?;
                Callee::Function(number)
            }
            Some(Symbol::Builtin(builtin)) => {
                let wanted = match builtin {
                    Builtin::Vprintf => (1, 2),
                    Builtin::AssertFail => (0, 5),
                    Builtin::Malloc => (1, 1),
                    Builtin::Free => (0, 1),
                };
                if shape != wanted || args.iter().chain(&results).any(|words| words.count != 1) {
                    return self.problem(format!("a wrong call of `{callee}`"));
                }
                Callee::Builtin(builtin)
            }
            Some(Symbol::Register { slot, ty }) => {
                if ty.bits() != 64 || !ty.is_int() {
                    return self.problem(format!("`{callee}` cannot hold an address"));
                }
                let [Operand::Name(prototype, 0)] = rest else {
                    return self.problem("a call through a register names a prototype");
                };
                if let Some(wanted) = self.prototypes.get(prototype)
                    && *wanted != shape
                {
                    return self.problem(format!("the call does not match `{prototype}`"));
                }
                Callee::Through(Src::slot(slot))
            }
            Some(Symbol::Undefined) => {
                return self.problem(format!("`{callee}` is declared and defined nowhere"));
            }
            Some(_) => return self.problem(format!("`{callee}` is no function")),
            None => return self.problem(format!("`{callee}` is not declared")),
        };
        Ok(Op::Call(Box::new(CallSite { callee: target, args, results })))
    }

    fn call_words(&mut self, list: &[Operand<'a>]) -> Result<Vec<Words>> {
        let mut all = Vec::with_capacity(list.len());
        for operand in list {
            match operand {
                Operand::Name(name, 0) => match self.find(name) {
                    Some(Symbol::Words(words)) => all.push(words),
                    _ => return self.problem(format!("`{name}` is no parameter of this call")),
                },
                _ => return self.problem("arguments are variables in parameter space"),
            }
        }
        Ok(all)
    }

    fn check_direct(&self, callee: &str, args: &[Words], results: &[Words]) -> Result<()> {
        let function = crate::read::definitions(self.module).find(|function| function.name == callee);
        let Some(function) = function else { return Ok(()) };
        if function.entry {
            return self.problem(format!("`{callee}` is a kernel"));
        }
        let same = |wanted: &[crate::read::ast::Variable<'_>], given: &[Words]| {
            wanted.len() == given.len()
                && wanted.iter().zip(given).all(|(wanted, given)| {
                    super::link::bytes_of(wanted).div_ceil(8) == u64::from(given.count)
                })
        };
        if same(&function.params, args) && same(&function.results, results) {
            return Ok(());
        }
        self.problem(format!("the call does not match the parameters of `{callee}`"))
    }
}

//! Writes numbers that are known where constructs read them: arguments that are the same constant in all
//! calls, and locals that are computed once, from constants.
//!
//! Before: constructs stand in functions, which benchmarks and solvers call with the sizes of their data:
//! `jacobi(1024, a, b)` of a `static void jacobi(int n, ...)`. After: where nothing but calls names the
//! function, and each passes the same number, `n` is that number, in clauses as in code. So a target knows
//! the strides and the numbers of iterations when it shares loops; and the number does not travel with
//! launches. Loops have been judged by then, as the program is written: a verdict holds for any `n`. The same
//! goes for a slot that such a parameter is kept in, as `kernels` maps what it mentions.
//!
//! All targets run the pass, as what travels with a launch is what they agree on. A parameter that the
//! function writes, or that the program names in a clause other than `firstprivate`, is a variable and stays.
//! So does a local with several definitions: of `int n = 512, plane = n * n;` both are numbers.

use super::env::Env;
use super::fold::evaluate;
use crate::analysis::slot_uses::of_slots;
use crate::analysis::steady::{named, steady_params};
use crate::entities::{Func, Local, Slot, map_below};
use crate::function::{Body, Linkage};
use crate::module::{Init, Module};
use crate::op::{Address, Callee, Op, Operand};
use crate::report::PassError;
use crate::types::Type;
use crate::visit::{Part, PartMut};
use cranelift_entity::SecondaryMap;

/// Constants are passed on through so many calls.
const DEPTH: usize = 4;

/// Runs the pass.
pub fn run(module: &mut Module, env: &mut Env<'_>) -> Result<(), PassError> {
    let rounds = if env.target.keeps_arguments() { 0 } else { DEPTH };
    for _ in 0..rounds {
        let found = Arguments::of(module);
        let changed = found.into_iter().filter(|(func, known)| write(module, *func, known)).count();
        if changed == 0 {
            break;
        }
    }
    for function in module.functions.values_mut() {
        if let Some(body) = function.body.as_deref_mut()
            && body.constructs.values().next().is_some()
        {
            write_computed(body);
        }
    }
    Ok(())
}

/// What calls pass to each function: for each parameter the constant, if it is one and the same.
type Known = Vec<Option<Operand>>;

/// Of the functions of a module.
struct Arguments {
    /// `None` before the first call.
    of: SecondaryMap<Func, Option<Known>>,
    /// Whether something but calls in this module may enter a function.
    is_open: SecondaryMap<Func, bool>,
}

impl Arguments {
    /// The functions with constants.
    fn of(module: &Module) -> Vec<(Func, Known)> {
        let mut found =
            Arguments { of: map_below(module.functions.len()), is_open: map_below(module.functions.len()) };
        for (func, function) in &module.functions {
            let is_called_only = function.linkage == Linkage::Internal
                && function.body.is_some()
                && !module.signatures[function.sig].variadic;
            found.is_open[func] = !is_called_only;
        }
        if module.functions.keys().all(|func| found.is_open[func]) {
            return Vec::new();
        }
        for global in module.globals.values() {
            let Init::Bytes(_, relocations) = &global.init else { continue };
            relocations.iter().for_each(|relocation| found.name(relocation.target));
        }
        let bodies = module.functions.values().filter_map(|function| function.body.as_deref());
        bodies.for_each(|body| found.body(body));
        let Arguments { mut of, is_open } = found;
        let closed = module.functions.keys().filter(|&func| !is_open[func]);
        closed.filter_map(|func| Some((func, of[func].take()?))).collect()
    }

    /// A value names what it is the address of.
    fn name(&mut self, operand: Operand) {
        if let Operand::Func(func) = operand {
            self.is_open[func] = true;
        }
    }

    fn body(&mut self, body: &Body) {
        body.annotations(|part| self.part(&part));
        for &block in &body.order {
            let data = &body.blocks[block];
            data.term.parts(|part| self.part(&part));
            for inst in &data.insts {
                if let Op::Call { callee: Callee::Direct(func), args, .. } = &inst.op {
                    self.call(*func, args);
                    args.iter().for_each(|&arg| self.name(arg));
                } else {
                    inst.op.parts(|part| self.part(&part));
                }
            }
        }
    }

    /// What is no call: a task or a launch that enters the function passes what is not seen here.
    fn part(&mut self, part: &Part<'_>) {
        if let Part::Func(func) = part {
            self.is_open[**func] = true;
        }
        part.operand().into_iter().for_each(|operand| self.name(operand));
    }

    fn call(&mut self, func: Func, args: &[Operand]) {
        match &mut self.of[func] {
            Some(known) => {
                for (known, arg) in known.iter_mut().zip(args) {
                    *known = known.filter(|known| known == arg);
                }
            }
            first @ None => {
                *first = Some(args.iter().map(|&arg| Some(arg).filter(|&arg| is_number(arg))).collect())
            }
        }
    }
}

/// Writes the constants into a function; whether there were any to write.
fn write(module: &mut Module, func: Func, known: &Known) -> bool {
    let Some(body) = module.functions[func].body.as_deref_mut() else { return false };
    if known.len() != body.params.len() {
        return false;
    }
    let mut values: SecondaryMap<Local, Option<Operand>> = map_below(body.locals.len());
    for ((&param, is_steady), value) in body.params.iter().zip(steady_params(body)).zip(known) {
        let ty = body.locals[param].ty;
        values[param] = value.filter(|&value| is_steady && ty != Type::Ptr && body.operand_type(value) == ty);
    }
    let changed = substitute(body, &values);
    if changed {
        write_computed(body);
        read_from_slots(body);
    }
    changed
}

/// Writes what is computed once, from constants, where it is read.
fn write_computed(body: &mut Body) {
    loop {
        let named = named(body);
        let mut values: SecondaryMap<Local, Option<Operand>> = map_below(body.locals.len());
        for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
            let src = match inst.op {
                Op::Copy { src, .. } => Some(src),
                ref op => match evaluate(body, op) {
                    Some(Op::Copy { src, .. }) => Some(src),
                    _ => None,
                },
            };
            let (Some(dst), Some(src)) = (inst.op.dst(), src.filter(|&src| is_number(src))) else { continue };
            let is_same = named[dst] == 1 && body.operand_type(src) == body.locals[dst].ty;
            values[dst] = Some(src).filter(|_| is_same);
        }
        if !substitute(body, &values) {
            break;
        }
    }
}

/// Writes values where locals are read; whether any was.
fn substitute(body: &mut Body, values: &SecondaryMap<Local, Option<Operand>>) -> bool {
    if values.values().all(Option::is_none) {
        return false;
    }
    let mut changed = false;
    for construct in body.constructs.values_mut() {
        let is_variable = |var: Operand| var.as_local().is_none_or(|local| values[local].is_none());
        let before = construct.firstprivate.len();
        construct.firstprivate.retain(|private| is_variable(private.var));
        changed |= construct.firstprivate.len() < before;
    }
    body.parts_mut(|part| {
        if let PartMut::Value(operand) = part
            && let Some(value) = operand.as_local().and_then(|local| values[local])
        {
            *operand = value;
            changed = true;
        }
    });
    changed
}

/// Writes the constant where a slot is read that the first block gives it, and nothing else gives a value:
/// `kernels` maps the scalars that it mentions, so that a parameter has a slot there.
fn read_from_slots(body: &mut Body) {
    if body.constructs.values().any(|data| data.kind.is_threaded()) {
        return;
    }
    let uses = of_slots(body);
    let mut values: SecondaryMap<Slot, Option<Operand>> = map_below(body.slots.len());
    for inst in &body.blocks[body.order[0]].insts {
        if let Op::Store { addr: Address { base: Operand::Slot(slot), .. }, src, .. } = inst.op {
            values[slot] = Some(src).filter(|&src| is_number(src));
        }
    }
    let constructs = body.constructs.values();
    let private: Vec<Operand> =
        constructs.flat_map(|data| &data.private).map(|private| private.var).collect();
    for (slot, uses) in uses.iter() {
        let is_constant = uses.stores == 1 && uses.are_plain() && !private.contains(&Operand::Slot(slot));
        values[slot] = values[slot].filter(|_| is_constant);
    }
    for inst in body.blocks.values().flat_map(|data| &data.insts) {
        if let Op::Load { dst, addr: Address { base: Operand::Slot(slot), .. }, .. } = inst.op {
            let is_same = |value: &Operand| body.operand_type(*value) == body.locals[dst].ty;
            values[slot] = values[slot].filter(is_same);
        }
    }
    let value = |operand: Operand| operand.as_slot().and_then(|slot| values[slot]);
    for construct in body.constructs.values_mut() {
        construct.maps.retain(|map| map.var.and_then(value).is_none());
        construct.firstprivate.retain(|private| value(private.var).is_none());
    }
    for data in body.blocks.values_mut() {
        data.insts.retain(|inst| !matches!(inst.op, Op::Store { addr, .. } if value(addr.base).is_some()));
        for inst in &mut data.insts {
            if let Op::Load { dst, addr, .. } = inst.op
                && let Some(src) = value(addr.base)
            {
                inst.op = Op::Copy { dst, src };
            }
        }
    }
}

/// Whether an argument is a constant.
fn is_number(operand: Operand) -> bool {
    matches!(operand, Operand::Int(..) | Operand::F32(_) | Operand::F64(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// What `f`, which returns its two parameters' sum, reads behind the pass, with `g` calling it so.
    fn read(linkage: &str, code: &str, calls: &str) -> String {
        let text = format!(
            "signature sig0 (i32, i32) -> i32\nsignature sig1 (i32)\n\
             function fn0.f sig0 {linkage} {{\n params v0.n, v1.m locals v0.n, v1.m, v2: i32\n\
             bb0: {code} v2 = add v0.n, v1.m return v2\n}}\n\
             function fn1.g sig1 external {{\n params v0.x locals v0.x, v1: i32 locals v2: ptr\n\
             bb0: {calls} return\n}}\n"
        );
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        for _ in 0..DEPTH {
            let found = Arguments::of(&module);
            found.into_iter().for_each(|(func, known)| _ = write(&mut module, func, &known));
        }
        crate::verify::verify(&module, "arguments")
            .unwrap_or_else(|errors| panic!("{errors}\n{}", text::print(&module)));
        let text = text::print(&module);
        let (_, sum) = text.split_once("v2 = add ").unwrap_or_else(|| panic!("{text}"));
        sum.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn what_all_calls_pass_is_written() {
        let one = "v1 = call fn0.f(3i32, v0.x) sig0";
        let two = "v1 = call fn0.f(3i32, 4i32) sig0 v1 = call fn0.f(3i32, 5i32) sig0";
        assert_eq!(read("internal", "", one), "3i32, v1.m");
        assert_eq!(read("internal", "", two), "3i32, v1.m");
        assert_eq!(read("internal", "v1.m = copy 8i32", one), "3i32, v1.m");
    }

    /// A function that keeps its parameter in a slot, which a `kernels` construct maps and reads.
    fn in_slot(code: &str, map: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (i32)\nsignature sig1 ()\n\
             function fn0.f sig0 internal {{\n params v0.n locals v0.n, v1: i32 locals v2: ptr\n\
             slot s0.n size 4 align 4\n\
             construct construct0 kernels entry bb1 exit bb2 {{\n map {map} \"n\" var s0.n start s0.n bytes 4i64 \
             elements 4 (0 i32 signed)\n }}\n\
             bb0: store.i32 [s0.n], v0.n jump bb1\nbb1 construct0: v1 = load [s0.n] {code} jump bb2\nbb2: return\n}}\n\
             function fn1.g sig1 external {{\nbb0: call fn0.f(7i32) sig0 return\n}}\n"
        );
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        for (func, known) in Arguments::of(&module) {
            write(&mut module, func, &known);
        }
        crate::verify::verify(&module, "arguments")
            .unwrap_or_else(|errors| panic!("{errors}\n{}", text::print(&module)));
        text::print(&module)
    }

    #[test]
    fn slots_of_parameters_are_constants_that_kernels_need_not_map() {
        let text = in_slot("", "copy implicit");
        assert!(text.contains("v1 = copy 7i32") && !text.contains("map "), "{text}");
        for (code, map) in
            [("store.i32 [s0.n], v1", "copy implicit"), ("v2 = copy s0.n", "copy implicit"), ("", "copyin")]
        {
            let text = in_slot(code, map);
            assert!(text.contains("v1 = load [s0.n]") && text.contains("map "), "{text}");
        }
    }

    /// What a construct reads of `v0`, which `code` in front of it computes, and its clauses.
    fn in_construct(code: &str, clause: &str, inside: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 ()\nfunction fn0.f sig0 external {{\n\
             locals v0.n, v1.m, v2, v3: i32\n slot s0.out size 4 align 4\n\
             construct construct0 parallel entry bb1 exit bb2 {{\n {clause}\n }}\n\
             bb0: {code} jump bb1\nbb1 construct0: v3 = add v0.n, 1i32 {inside} store.i32 [s0.out], v3 jump bb2\n\
             bb2: return\n}}\n"
        );
        let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        write_computed(module.functions[Func::from_u32(0)].body.as_deref_mut().expect("a body"));
        crate::verify::verify(&module, "arguments")
            .unwrap_or_else(|errors| panic!("{errors}\n{}", text::print(&module)));
        text::print(&module)
    }

    #[test]
    fn what_is_computed_from_constants_is_written() {
        let firstprivate = "first private \"n\" v0.n size 4 align 4";
        let computed = "v2 = copy 3i32 v1.m = add v2, 4i32 v0.n = mul v1.m, v1.m";
        let text = in_construct(computed, firstprivate, "");
        assert!(text.contains("store.i32 [s0.out], 50i32") && !text.contains("first private"), "{text}");
        for (code, clause, inside) in [
            ("v0.n = copy 3i32 v0.n = copy 4i32", firstprivate, ""),
            ("v0.n = load [s0.out]", firstprivate, ""),
            ("v0.n = copy 3i32", firstprivate, "v0.n = add v0.n, 1i32"),
            ("v0.n = copy 3i32", "private \"n\" v0.n size 4 align 4", ""),
        ] {
            let text = in_construct(code, clause, inside);
            assert!(text.contains("add v0.n, 1i32"), "{text}");
        }
    }

    #[test]
    fn what_may_differ_stays() {
        let once = "v1 = call fn0.f(3i32, 4i32) sig0";
        let variables = "v0.n, v1.m";
        assert_eq!(read("external", "", once), variables);
        assert_eq!(read("internal", "", "v1 = call fn0.f(v0.x, v0.x) sig0"), variables);
        assert_eq!(read("internal", "", &format!("{once} v1 = call fn0.f(4i32, 3i32) sig0")), variables);
        assert_eq!(read("internal", "", &format!("{once} v2 = copy fn0.f")), variables);
        assert_eq!(read("internal", "v0.n = copy 2i32 v1.m = copy 2i32", once), variables);
        assert_eq!(read("internal", "", ""), variables);
    }
}

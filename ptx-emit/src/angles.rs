//! Sine and cosine of one angle at once.
//!
//! Before: calls of the C library are calls. After: where a block asks for the sine and the cosine of the
//! same number, one call of `sincos` gives both: what is done first with an angle, which takes longer than
//! the rest, is done once. Both have the bits that they have from `sin` and `cos`.
//!
//! ```text
//!     before:  s = call sin(x);  ...  c = call cos(x)
//!     after:   call sincos(x, a, b);  s = load [a];  t = load [b];  ...  c = t
//! ```

use accrue_ir::{
    Access, Address, Block, Body, Callee, Extend, Func, Function, FunctionKind, Inst, Local, Module, Op,
    Operand, PassBy, Pos, Sig, Signature, Slot, SlotData, SlotKind, Type, last_definition,
};
use smallvec::SmallVec;

/// Operations that a number is made of are followed so far, to find it made again.
const DEEPEST: usize = 8;

/// The functions of a type: sine, cosine, and both.
struct Angles {
    ty: Type,
    names: [&'static str; 2],
    both: &'static str,
}

const ALL: [Angles; 2] = [
    Angles { ty: Type::F64, names: ["sin", "cos"], both: "sincos" },
    Angles { ty: Type::F32, names: ["sinf", "cosf"], both: "sincosf" },
];

/// Runs the pass on all functions.
pub(crate) fn run(module: &mut Module) {
    for angles in &ALL {
        let of_library = |name: &str| {
            let named =
                |(_, function): &(Func, &Function)| &*function.name == name && function.body.is_none();
            module.functions.iter().find(named).map(|(func, _)| func)
        };
        let [Some(sine), Some(cosine)] = angles.names.map(of_library) else { continue };
        let has_pair =
            |body: &Body| body.order.iter().any(|&block| pair(body, block, 0, [sine, cosine]).is_some());
        if !module.functions.values().filter_map(|function| function.body.as_deref()).any(has_pair) {
            continue;
        }
        let Some((both, sig)) = declare(module, angles) else { continue };
        for function in module.functions.values_mut() {
            let is_executed = matches!(function.kind, FunctionKind::Normal | FunctionKind::Region(_));
            if let Some(body) = function.body.as_deref_mut().filter(|_| is_executed) {
                join(body, [sine, cosine], (both, sig, angles.ty));
            }
        }
    }
}

/// The function that gives both, unless the program has another one of this name.
fn declare(module: &mut Module, angles: &Angles) -> Option<(Func, Sig)> {
    let pointer = PassBy::Scalar(Type::Ptr, Extend::None);
    let params = vec![PassBy::Scalar(angles.ty, Extend::None), pointer, pointer];
    let signature = Signature { params, result: None, variadic: false };
    if let Some((func, function)) = module.functions.iter().find(|(_, f)| &*f.name == angles.both) {
        let is_it = function.body.is_none() && module.signatures[function.sig] == signature;
        return is_it.then_some((func, function.sig));
    }
    let sig = module.signatures.push(signature);
    Some((module.functions.push(Function::declared(angles.both.into(), sig, Pos::none())), sig))
}

/// The next two calls in a block for the sine and the cosine of one number.
fn pair(body: &Body, block: Block, from: usize, functions: [Func; 2]) -> Option<[usize; 2]> {
    let insts = &body.blocks[block].insts;
    let calls = |from: usize| {
        (from..insts.len()).filter_map(move |at| call(&insts[at].op, functions).map(|call| (at, call)))
    };
    calls(from).find_map(|(first, (one, angle, _))| {
        let is_other = |&(second, (other, same, _)): &(usize, (usize, Operand, Local))| {
            other != one && is_same(body, insts, functions, [(angle, first), (same, second)], DEEPEST)
        };
        calls(first + 1).find(is_other).map(|(second, _)| [first, second])
    })
}

/// Whether two operands have the same value, each at its place among some instructions, the first of which
/// comes first: numbers are often loaded anew for each function.
fn is_same(
    body: &Body,
    insts: &[Inst],
    functions: [Func; 2],
    [(a, at_a), (b, at_b)]: [(Operand, usize); 2],
    depth: usize,
) -> bool {
    if a == b && !insts[at_a..at_b].iter().any(|inst| inst.op.dst().map(Operand::Local) == Some(a)) {
        return true;
    }
    let assigned = |operand: Operand, before: usize| {
        let local = operand.as_local()?;
        let at = last_definition(&insts[..before], local)?;
        Some((at, local, &insts[at].op))
    };
    let Some(((from_a, local_a, op_a), (from_b, local_b, op_b))) = assigned(a, at_a).zip(assigned(b, at_b))
    else {
        return false;
    };
    let stays = match op_a {
        Op::Load { access, .. } if !access.volatile => {
            from_a < from_b && {
                let is_quiet = |inst: &Inst| !inst.op.effects().writes || call(&inst.op, functions).is_some();
                insts[from_a..from_b].iter().all(is_quiet)
            }
        }
        op => from_a < from_b && op.effects().pure,
    };
    let blank = |op: &Op| {
        let (mut op, mut operands) = (op.clone(), SmallVec::<[Operand; 4]>::new());
        op.operands(|operand| operands.push(operand));
        op.map_operands(|operand| if operand.as_local().is_some() { Operand::bool(false) } else { operand });
        op.map_defs(|_| local_a);
        (op, operands)
    };
    let ((shape_a, operands_a), (shape_b, operands_b)) = (blank(op_a), blank(op_b));
    let mut pairs = operands_a.into_iter().zip(operands_b);
    stays
        && depth > 0
        && body.locals[local_a].ty == body.locals[local_b].ty
        && shape_a == shape_b
        && pairs.all(|(a, b)| is_same(body, insts, functions, [(a, from_a), (b, from_b)], depth - 1))
}

/// Which of two functions is called, with which number, and what has the result.
fn call(op: &Op, functions: [Func; 2]) -> Option<(usize, Operand, Local)> {
    let Op::Call { dst: Some(dst), callee: Callee::Direct(func), args, dest: None, .. } = op else {
        return None;
    };
    let [angle] = args[..] else { return None };
    Some((functions.iter().position(|of| of == func)?, angle, *dst))
}

fn join(body: &mut Body, functions: [Func; 2], (both, sig, ty): (Func, Sig, Type)) {
    let mut results: Option<[Slot; 2]> = None;
    for block in body.order.clone() {
        let mut from = 0;
        while let Some([first, second]) = pair(body, block, from, functions) {
            let [first, second] = [first, second].map(|at| (at, body.blocks[block].insts[at].clone()));
            let found = [&first, &second].map(|(_, inst)| call(&inst.op, functions));
            let [Some((which, angle, now)), Some((.., later))] = found else { break };
            let slots = *results.get_or_insert_with(|| [(); 2].map(|()| slot(body, ty)));
            let ahead = body.temp(ty);
            let (pos, [sine, cosine]) = (first.1.pos, slots.map(Operand::Slot));
            let args = vec![angle, sine, cosine];
            let give = |dst: Local, from: Operand| {
                let (addr, access) = (Address::at(from), Access::natural(ty));
                Inst { op: Op::Load { dst, addr, access }, pos }
            };
            let [mine, other] = if which == 0 { [sine, cosine] } else { [cosine, sine] };
            let callee = Callee::Direct(both);
            let call = Inst { op: Op::Call { dst: None, callee, sig, args, dest: None }, pos };
            let insts = &mut body.blocks[block].insts;
            insts[second.0].op = Op::Copy { dst: later, src: Operand::Local(ahead) };
            insts.splice(first.0..=first.0, [call, give(ahead, other), give(now, mine)]);
            from = first.0 + 3;
        }
    }
}

fn slot(body: &mut Body, ty: Type) -> Slot {
    body.slots.push(SlotData {
        size: ty.bytes().into(),
        align: ty.align(),
        name: None,
        restrict: false,
        kind: SlotKind::Frame,
        declared_in: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_ir::text::{parse, print};

    fn joined(code: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (f32) -> f32\nsignature sig1 (f32, f32) -> f32\n\
             function fn0.sinf sig0 external\nfunction fn1.cosf sig0 external\n\
             function fn2.f sig1 external {{\n  params v0, v1\n  locals v0: f32\n  locals v1: f32\n  \
             locals v2: f32\n  locals v3: f32\n  slot s0 size 4 align 4\nbb0:\n{code}  return v2\n}}\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        run(&mut module);
        let text = print(&module);
        accrue_ir::verify::verify(&module, "angles").unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        text
    }

    #[test]
    fn both_of_one_angle_are_one_call() {
        for (first, second) in [("fn0.sinf", "fn1.cosf"), ("fn1.cosf", "fn0.sinf")] {
            let text = joined(&format!(
                "  v2 = call {first}(v0) sig0\n  v2 = add v2, v1\n  v3 = call {second}(v0) sig0\n  \
                 v2 = add v2, v3\n"
            ));
            assert_eq!(text.matches(" = call ").count(), 0, "{text}");
            assert_eq!(text.matches("call fn3.sincosf(v0, s1, s2)").count(), 1, "{text}");
            let own = if first == "fn0.sinf" { "v2 = load [s1]" } else { "v2 = load [s2]" };
            assert!(text.contains(own), "{text}");
        }
    }

    #[test]
    fn numbers_may_be_made_again() {
        let text = joined(
            "  v3 = load [s0]\n  v3 = mul v3, v1\n  v2 = call fn0.sinf(v3) sig0\n  v0 = load [s0]\n  \
             v3 = mul v0, v1\n  v0 = call fn1.cosf(v3) sig0\n",
        );
        assert!(text.contains("sincosf"), "{text}");
    }

    #[test]
    fn others_stay() {
        for code in [
            "  v2 = call fn0.sinf(v0) sig0\n  v3 = call fn1.cosf(v1) sig0\n",
            "  v2 = call fn0.sinf(v0) sig0\n  v0 = add v0, v1\n  v3 = call fn1.cosf(v0) sig0\n",
            "  v2 = call fn0.sinf(v0) sig0\n  v3 = call fn0.sinf(v0) sig0\n",
            "  v0 = call fn0.sinf(v0) sig0\n  v3 = call fn1.cosf(v0) sig0\n",
            "  v3 = add v0, v1\n  v2 = call fn0.sinf(v3) sig0\n  v3 = add v0, v2\n  v2 = call fn1.cosf(v3) sig0\n",
            "  v3 = load [s0]\n  v2 = call fn0.sinf(v3) sig0\n  store.f32 [s0], v2\n  v3 = load [s0]\n  \
             v2 = call fn1.cosf(v3) sig0\n",
        ] {
            assert!(!joined(code).contains("sincosf"), "{code}");
        }
    }
}

//! Calls that give the same address each time, in front of loops.
//!
//! Before: `isdigit(c)` calls the C library for the place where the thread has its table. After: outermost
//! loops with such calls have one in front of them. It does nothing else, so that there it also stands for
//! loops that would not come to it.

use crate::analysis::library;
use crate::entities::{Func, Local, Loop};
use crate::function::{Body, Linkage};
use crate::module::Module;
use crate::op::{Callee, Inst, Op, Operand};
use rustc_hash::FxHashMap;

/// The function that an operation calls for a place of the thread.
fn called(module: &Module, op: &Op) -> Option<(Func, Local)> {
    let Op::Call { dst: Some(dst), callee: Callee::Direct(func), args, dest: None, .. } = op else {
        return None;
    };
    let function = &module.functions[*func];
    let name = function.link_name.as_ref().unwrap_or(&function.name);
    let is_library = function.body.is_none() && function.linkage == Linkage::External;
    (is_library && args.is_empty() && library::gives_place_of_thread(name)).then_some((*func, *dst))
}

/// Runs the step on a function of the host.
pub(super) fn ask_ahead(module: &Module, body: &mut Body) {
    let mut known: FxHashMap<(Loop, Func), Local> = FxHashMap::default();
    for block in body.order.clone() {
        let Some(outermost) = body.loops_around(body.blocks[block].loop_).last() else { continue };
        for index in 0..body.blocks[block].insts.len() {
            let Inst { op, pos } = &body.blocks[block].insts[index];
            let Some((func, dst)) = called(module, op) else { continue };
            let (mut call, pos) = (op.clone(), *pos);
            let place = *known.entry((outermost, func)).or_insert_with(|| {
                let place = body.temp(body.locals[dst].ty);
                call.map_defs(|_| place);
                let preheader = body.loops[outermost].preheader;
                body.blocks[preheader].insts.push(Inst { op: call, pos });
                place
            });
            body.blocks[block].insts[index].op = Op::Copy { dst, src: Operand::Local(place) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{parse, print};

    /// A loop in a loop that calls a function in its body, after the step.
    fn after(name: &str, arguments: &str) -> String {
        let text = format!(
            "file file0 \"a.c\"\nsignature sig0 (i32)\nsignature sig1 () -> ptr\nfunction fn0.f sig0 external {{\n  \
             params v0.n\n  locals v0.n, v1, v2: i32\n  locals v3: i1\n  locals v4: ptr\n  \
             loop loop0 preheader bb0 header bb1 body bb2 latch bb6 exit bb7\n  \
             loop loop1 in loop0 preheader bb2 header bb3 body bb4 latch bb4 exit bb5\n\
             bb0:\n  v1 = copy 0i32\n  jump bb1\nbb1 loop0:\n  v3 = cmp.lt v1, v0.n\n  branch v3, bb2, bb7\n\
             bb2 loop0:\n  v2 = copy 0i32\n  jump bb3\nbb3 loop1:\n  v3 = cmp.lt v2, v0.n\n  branch v3, bb4, bb5\n\
             bb4 loop1:\n  v4 = call fn1.{name}({arguments}) sig1\n  v2 = add v2, 1i32\n  jump bb3\n\
             bb5 loop0:\n  v4 = call fn1.{name}({arguments}) sig1\n  jump bb6\n\
             bb6 loop0:\n  v1 = add v1, 1i32\n  jump bb1\nbb7:\n  v4 = call fn1.{name}({arguments}) sig1\n  return\n}}\n\
             function fn1.{name} sig1 external\n"
        );
        let mut module = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        let func = Func::from_u32(0);
        let mut body = module.functions[func].body.take().expect("the first function has one");
        ask_ahead(&module, &mut body);
        module.functions[func].body = Some(body);
        crate::verify::verify(&module, "ahead").unwrap_or_else(|errors| panic!("{errors}"));
        print(&module)
    }

    #[test]
    fn places_of_the_thread_are_asked_for_once() {
        let text = after("__ctype_b_loc", "");
        assert!(text.contains("v1 = copy 0i32\n  v5 = call fn1.__ctype_b_loc() sig1\n  jump bb1"), "{text}");
        assert_eq!((text.matches("= call").count(), text.matches("v4 = copy v5").count()), (2, 2), "{text}");
    }

    #[test]
    fn other_calls_stay() {
        assert_eq!(after("next", "").matches("v4 = call").count(), 3);
    }
}

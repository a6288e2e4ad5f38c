//! Barriers that nothing follows.
//!
//! A loop over workers or lanes ends with a barrier. Where the region ends there, too, nobody needs it: each
//! thread has passed all other barriers, and the launch is over when all threads have left. It costs more
//! than its wait. `ptxas` brings the lanes that leave the loop in different rounds together in front of it,
//! and so does not keep addresses of the launch in registers of the whole warp, but fetches them at each
//! access to memory. One of all gangs takes 10 us; without any, a launch need not have all gangs resident.

use accrue_ir::{Block, Body, FunctionKind, Module, Op, Terminator};

/// Runs the pass on all regions. A routine's caller goes on.
pub(crate) fn run(module: &mut Module) {
    for function in module.functions.values_mut() {
        if let (FunctionKind::Region(region), Some(body)) = (&mut function.kind, &mut function.body) {
            drop_last_barriers(body);
            // Together, gangs have one dimension; the code relies on that.
            let is_flat = region.constant_dims[1..3] == [1, 1];
            region.cooperative &= !is_flat || may_wait_for_gangs(body);
        }
    }
}

/// Whether gangs wait for each other, here or in what is called.
fn may_wait_for_gangs(body: &Body) -> bool {
    let may = |op: &Op| match op {
        Op::Barrier { level } => level.is_gang(),
        Op::Call { .. } => true,
        _ => false,
    };
    body.order.iter().any(|&block| body.blocks[block].insts.iter().any(|inst| may(&inst.op)))
}

fn drop_last_barriers(body: &mut Body) {
    let returns = |&block: &Block| matches!(body.blocks[block].term, Terminator::Return(_));
    let mut ends: Vec<Block> = body.order.iter().copied().filter(returns).collect();
    while let Some(end) = ends.pop() {
        let insts = &mut body.blocks[end].insts;
        while insts.last().is_some_and(|inst| matches!(inst.op, Op::Barrier { .. })) {
            insts.pop();
        }
        if insts.is_empty() {
            let comes = |&block: &Block| matches!(body.blocks[block].term, Terminator::Jump(to) if to == end);
            ends.extend(body.order.iter().copied().filter(comes));
        }
    }
}

#[cfg(test)]
mod tests {
    use accrue_ir::text::{parse, print};

    fn text(kind: &str) -> String {
        format!(
            "signature sig0 (ptr)\nfunction fn0.r sig0 internal\n  {kind} {{\n  params v0.a\n  locals v0.a: ptr\n\
             bb0:\n  barrier worker\n  store.i32 [v0.a], 1i32\n  barrier gang\n  barrier vector\n  \
             jump bb1\nbb1:\n  barrier worker\n  return\n}}\n"
        )
    }

    fn ended(text: &str) -> String {
        let mut module = parse(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
        super::run(&mut module);
        print(&module)
    }

    fn barriers(kind: &str) -> usize {
        ended(&text(kind)).matches("  barrier").count()
    }

    #[test]
    fn only_the_last_barriers_of_a_region_go() {
        let region = "region parallel of \"main\" dims(0, 1, 1, 1, 32) {\n    \
                      param \"a\" pointer deviceptr bytes 0\n  }";
        assert_eq!(barriers(region), 1);
        assert_eq!(barriers("routine(worker)"), 4);
    }

    #[test]
    fn gangs_are_resident_together_as_long_as_they_wait_for_each_other() {
        let region = "region parallel of \"main\" dims(0, 1, 1, 1, 32) cooperative {\n    \
                      param \"a\" pointer deviceptr bytes 0\n  }";
        let last = text(region);
        assert!(last.contains(" cooperative ") && !ended(&last).contains(" cooperative "));
        let first = last.replace("barrier worker\n  store", "barrier gang\n  store");
        assert!(ended(&first).contains(" cooperative "));
    }
}

//! Where lanes that part must meet again, by the structure of the program: at the first instruction that all
//! ways from a branch to the end of its function lead through, its immediate post-dominator. A way that ends
//! in `trap` leads nowhere: it ends the kernel.

use crate::code::{Code, Function, Inst, Op};
use crate::graph::Graph;

/// No block, or no instruction.
const NONE: u32 = u32::MAX;

/// By instruction, where the lanes meet that a branch there parts.
#[derive(Debug)]
pub(crate) struct Joins(Vec<u32>);

impl Joins {
    /// Those of all functions of a module.
    pub(crate) fn of(code: &Code) -> Joins {
        let mut joins = Joins(vec![NONE; code.insts.len()]);
        code.functions.iter().for_each(|function| joins.add(&code.insts, function));
        joins
    }

    /// Where the lanes meet that the instruction parts; none if that is only where the function ends.
    pub(crate) fn at(&self, pc: u32) -> Option<u32> {
        self.0.get(pc as usize).copied().filter(|join| *join != NONE)
    }

    fn add(&mut self, insts: &[Inst], function: &Function) {
        let graph = Graph::of(insts, function);
        let after = immediate_post_dominators(&graph);
        for (block, bounds) in graph.blocks.windows(2).enumerate() {
            let last = bounds[1] - 1;
            if let (true, Some(join)) =
                (parts(&insts[last as usize]), graph.blocks.get(after[block] as usize))
                && after[block] < graph.exit()
            {
                self.0[last as usize] = *join;
            }
        }
    }
}

/// Whether lanes that execute an instruction may go on at different ones.
fn parts(inst: &Inst) -> bool {
    match &inst.op {
        Op::Branch { .. } => inst.guard.is_some(),
        Op::BranchTable { .. } => true,
        _ => false,
    }
}

/// By block, the next one that all ways from it to the end lead through; `NONE` if no way leads there.
fn immediate_post_dominators(graph: &Graph) -> Vec<u32> {
    let count = graph.exit() as usize + 1;
    let mut predecessors = vec![Vec::new(); count];
    for (block, ways) in graph.successors.iter().enumerate() {
        ways.iter().for_each(|to| predecessors[*to as usize].push(block as u32));
    }
    // From the end backwards, each block after all that it is reached from, but for loops.
    let mut order = Vec::with_capacity(count);
    let mut is_seen = vec![false; count];
    is_seen[graph.exit() as usize] = true;
    let mut stack = vec![(graph.exit(), 0)];
    while let Some((block, next)) = stack.last_mut() {
        let Some(before) = predecessors[*block as usize].get(*next).copied() else {
            order.push(*block);
            stack.pop();
            continue;
        };
        *next += 1;
        if !std::mem::replace(&mut is_seen[before as usize], true) {
            stack.push((before, 0));
        }
    }
    order.reverse();
    let mut rank = vec![NONE; count];
    order.iter().enumerate().for_each(|(place, block)| rank[*block as usize] = place as u32);
    let mut after = vec![NONE; count];
    after[graph.exit() as usize] = graph.exit();
    let mut changed = true;
    while changed {
        changed = false;
        for block in &order[1..] {
            let known = graph.successors[*block as usize].iter().filter(|to| after[**to as usize] != NONE);
            let met = known.copied().reduce(|a, b| meet(a, b, &after, &rank)).unwrap_or(NONE);
            changed |= std::mem::replace(&mut after[*block as usize], met) != met;
        }
    }
    after
}

/// The next block that the ways from both lead through.
fn meet(mut a: u32, mut b: u32, after: &[u32], rank: &[u32]) -> u32 {
    while a != b {
        while rank[a as usize] > rank[b as usize] {
            a = after[a as usize];
        }
        while rank[b as usize] > rank[a as usize] {
            b = after[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::device::Memory;
    use crate::verify::Typing;

    /// The lines of a kernel's branches, and of where their lanes meet.
    fn joins(body: &str) -> Vec<(u32, Option<u32>)> {
        let text = format!(
            ".version 7.0\n.target sm_70\n.address_size 64\n.entry k()\n{{\n.reg .pred %p<4>; .reg .b32 %r<4>;\n{body}\n}}"
        );
        let module = crate::read::module(&text).expect("a module");
        let code = crate::lower::lower(&module, &Memory::new(1 << 20, 0, 0), Typing::Loose).expect("code");
        let joins = Joins::of(&code);
        let line = |pc: u32| code.sites[pc as usize].line - 6;
        let branches = (0..code.insts.len() as u32).filter(|pc| parts(&code.insts[*pc as usize]));
        branches.map(|pc| (line(pc), joins.at(pc).map(line))).collect()
    }

    #[test]
    fn lanes_meet_behind_branches_and_loops() {
        // An alternative; a condition inside of a loop, with another way out of it.
        let both = "@%p0 bra $else;\nmov.u32 %r0, 1;\nbra $end;\n$else:\nmov.u32 %r0, 2;\n$end:\nmov.u32 %r1, 3;\nret;";
        assert_eq!(joins(both), [(1, Some(7))]);
        let in_loop = "$loop:\nmov.u32 %r0, 1;\n@%p0 bra $next;\nmov.u32 %r0, 2;\n@%p1 bra $out;\n$next:\nmov.u32 %r1, 1;\n\
                       @%p2 bra $loop;\n$out:\nmov.u32 %r2, 1;\nret;";
        assert_eq!(joins(in_loop), [(3, Some(10)), (5, Some(10)), (8, Some(10))]);
        assert_eq!(joins(&in_loop.replace("@%p1 bra $out;", "")), [(3, Some(7)), (8, Some(10))]);
    }

    #[test]
    fn lanes_that_end_meet_nowhere() {
        assert_eq!(joins("@%p0 bra $end;\nret;\n$end:\nmov.u32 %r0, 1;\nexit;"), [(1, None)]);
        assert_eq!(joins("@%p0 bra $end;\n@%p1 ret;\n$end:\nmov.u32 %r0, 1;\nret;"), [(1, None)]);
        // Who traps ends all of them.
        assert_eq!(joins("@%p0 bra $go;\ntrap;\nexit;\n$go:\nmov.u32 %r0, 1;\nret;"), [(1, Some(5))]);
        // Nobody comes out of this loop; a table of jumps.
        assert_eq!(joins("$loop:\n@%p0 bra $loop;\nbra $loop;"), [(2, None)]);
        let table = "$t: .branchtargets $a, $b;\nbrx.idx %r0, $t;\n$a:\nbra $c;\n$b:\nbra $c;\n$c:\nmov.u32 %r1, 1;\nret;";
        assert_eq!(joins(table), [(2, Some(8))]);
    }
}

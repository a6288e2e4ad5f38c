//! Removing blocks that control does not reach, and loops whose blocks stay.

use crate::entities::Loop;
use crate::function::{Body, LoopData};

impl Body {
    /// Takes the blocks that [`Body::reachable`] leaves out of the layout.
    pub fn remove_unreachable(&mut self) {
        let reached = self.reachable();
        self.order.retain(|block| reached.contains(*block));
    }

    /// Takes a loop apart: its blocks go to its parent, as do the loops in it and the slots declared in it.
    /// What is left of the loop is what [`LoopData::dissolved`] keeps.
    pub fn dissolve_loop(&mut self, loop_: Loop) {
        let data = &mut self.loops[loop_];
        let parent = data.parent;
        *data = std::mem::replace(data, LoopData::dead()).dissolved();
        for data in self.blocks.values_mut().filter(|data| data.loop_ == Some(loop_)) {
            data.loop_ = parent;
        }
        for data in self.loops.values_mut().filter(|data| data.parent == Some(loop_)) {
            data.parent = parent;
        }
        for data in self.slots.values_mut().filter(|data| data.declared_in == Some(loop_)) {
            data.declared_in = parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::cfg::tests::graph;
    use crate::entities::Block;
    use crate::function::LoopData;
    use crate::op::Pos;

    #[test]
    fn a_latch_control_never_reaches_stays_with_its_loop() {
        let mut body = graph(&[&[1], &[2, 4], &[4], &[1], &[], &[4]]);
        let b = Block::from_u32;
        let loop_ = body.loops.push(LoopData {
            parent: None,
            preheader: b(0),
            header: b(1),
            body: b(2),
            latch: b(3),
            exit: b(4),
            induction: None,
            directive: None,
            pos: Pos::none(),
        });
        for i in 1..4 {
            body.blocks[b(i)].loop_ = Some(loop_);
        }
        body.remove_unreachable();
        assert_eq!(body.order, [0, 1, 2, 3, 4].map(b));
        assert!(body.live_entities().loops.contains(loop_));
        body.dissolve_loop(loop_);
        body.remove_unreachable();
        assert!(body.loop_tree().is_empty(), "nothing is left of a loop without counter and directive");
        assert_eq!(body.order, [0, 1, 2, 4].map(b));
        assert!(body.live_entities().loops.is_empty());
    }
}

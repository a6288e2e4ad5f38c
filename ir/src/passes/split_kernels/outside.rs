//! What the rest of a function has to do with a construct.
//!
//! A function may have many constructs, and to look at all of it for each of them takes a time that grows
//! with the square of its length. Where there are several, each is cut in a layout of its own: its blocks,
//! those that lead to it, and the one behind it. What the rest of the function mentions and reads is found
//! out once.

use super::owners::{Owner, Owners};
use crate::acc::{ConstructData, ConstructKind, Level};
use crate::analysis::cfg::{Cfg, predecessors_of};
use crate::analysis::liveness::Liveness;
use crate::analysis::strides::Constants;
use crate::entities::{Block, Construct, Local, Loop, Slot, map_below};
use crate::function::{BlockData, Body, LoopData};
use crate::module::Module;
use crate::op::{Op, Operand};
use crate::target::RoutineCall;
use crate::visit::Part;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// The constructs of a function that may be cut, and what is known of the function as a whole.
pub(super) struct Outside {
    constructs: Vec<Region>,
    /// If there are several.
    rest: Option<Rest>,
    constants: OnceCell<Constants>,
    escaping: OnceCell<EntitySet<Slot>>,
    is_tied: OnceCell<bool>,
}

/// A construct.
struct Region {
    construct: Construct,
    entry: Block,
    exit: Block,
    /// In the order of the layout.
    blocks: Vec<Block>,
    /// The blocks outside that lead to the entry, in the order of the layout, before anything is cut.
    before: Vec<Block>,
    /// How many blocks the function has then.
    known: usize,
}

impl Region {
    /// The blocks outside that lead to the entry, in the order of the layout. Cuts let edges lead to blocks
    /// that they make.
    fn leading(&self, body: &Body) -> Vec<Block> {
        let leads = |block: &Block| body.blocks[*block].term.leads_to(self.entry);
        let mut leading: Vec<Block> = self.before.iter().copied().filter(leads).collect();
        let new = (self.known..body.blocks.len()).map(Block::new);
        let new: Vec<Block> = new.filter(leads).collect();
        match (&leading[..], &new[..]) {
            (_, []) => {}
            ([], [_]) => leading = new,
            _ => leading = predecessors_of(body, self.entry),
        }
        leading.retain(|&block| body.blocks[block].construct != Some(self.construct));
        leading
    }
}

/// What constructs do not have in their layouts.
struct Rest {
    /// By construct; `None` is the code in none of them.
    mentioned: Owners<Option<Construct>>,
    live: Liveness,
}

impl Outside {
    /// Of a function before anything is cut.
    pub(super) fn of(module: &Module, body: &Body) -> Outside {
        let constructs = constructs(body);
        let is_divided = constructs.len() > 1;
        let outside = Outside {
            rest: is_divided.then(|| Rest::of(body, &constructs)),
            constructs,
            constants: OnceCell::new(),
            escaping: OnceCell::new(),
            is_tied: OnceCell::new(),
        };
        if is_divided {
            // Later, the layout is not that of the function.
            _ = (outside.constants(body), outside.escaping(body), outside.is_tied(module, body));
        }
        outside
    }

    /// The constructs.
    pub(super) fn constructs(&self) -> Vec<Construct> {
        self.constructs.iter().map(|region| region.construct).collect()
    }

    fn region(&self, construct: Construct) -> Option<&Region> {
        self.constructs.iter().find(|region| region.construct == construct)
    }

    /// Lets the layout be that of a construct. Returns what it was if that is another one; `None` if nothing
    /// leads to the construct.
    pub(super) fn narrow(&self, body: &mut Body, construct: Construct) -> Option<Narrowed> {
        let mut narrowed = Narrowed { whole: Vec::new(), blocks: body.blocks.len() };
        if self.rest.is_none() {
            return Some(narrowed);
        }
        let region = self.region(construct)?;
        // Those that lead there come first, since control has to enter the layout somewhere.
        let mut order = region.leading(body);
        if order.is_empty() {
            return None;
        }
        let goes_round = order.contains(&region.exit);
        order.extend_from_slice(&region.blocks);
        order.extend((!goes_round).then_some(region.exit));
        narrowed.whole = std::mem::replace(&mut body.order, order);
        Some(narrowed)
    }

    /// Whether code mentions a variable that is not in the layout of a construct.
    pub(super) fn mentions(&self, construct: Construct, variable: Operand) -> bool {
        let owner = self.rest.as_ref().and_then(|rest| rest.mentioned.of(variable));
        owner.is_some_and(|owner| owner != Owner::Only(Some(construct)))
    }

    /// What the function may read behind a construct, and the block there, as far as the layout does not show
    /// it.
    pub(super) fn live_behind(&self, construct: Construct) -> impl Iterator<Item = (Block, Local)> {
        let region = self.rest.as_ref().zip(self.region(construct));
        region
            .into_iter()
            .flat_map(|(rest, region)| rest.live.live_in(region.exit).map(|local| (region.exit, local)))
    }

    /// The constants of the function.
    pub(super) fn constants(&self, body: &Body) -> &Constants {
        self.constants.get_or_init(|| Constants::of(body))
    }

    /// The slots of which a pointer, a reduction or another data directive than a construct may have the
    /// place.
    pub(super) fn escaping(&self, body: &Body) -> &EntitySet<Slot> {
        self.escaping.get_or_init(|| {
            let mut found = EntitySet::with_capacity(body.slots.len());
            // A reduction needs the variable's place.
            let directives = body.loops.values().filter_map(|data| data.directive.as_ref());
            let reduced = directives.flat_map(|directive| &directive.reductions).map(|clause| clause.var);
            reduced.for_each(|var| add_slot(&mut found, var));
            add_escaping(body, &body.order, &mut found);
            found
        })
    }

    /// Whether gangs of all constructs are tied together: by routines that they execute together, or by
    /// levels of gangs beside each other.
    pub(super) fn is_tied(&self, module: &Module, body: &Body) -> bool {
        *self.is_tied.get_or_init(|| {
            let has_gang_routine = RoutineCall::all_in(module, body).into_iter().any(|call| {
                let in_nest = body.loops_around(call.loop_).any(|loop_| body.loops[loop_].is_partitioned());
                call.level.is_gang() && !in_nest
            });
            let directives = body.loops.values().filter_map(|data| data.directive.as_ref());
            let mut levels = directives.flat_map(|directive| &directive.levels);
            has_gang_routine || levels.any(|level| matches!(level, Level::Gang2 | Level::Gang3))
        })
    }

    /// Lets the layout be that of the function again, with the blocks that a cut has made.
    pub(super) fn widen(&mut self, body: &mut Body, narrowed: Narrowed) {
        if self.rest.is_none() {
            return;
        }
        let part = std::mem::replace(&mut body.order, narrowed.whole);
        if let Some(escaping) = self.escaping.get_mut() {
            let on_host: Vec<Block> =
                part.iter().copied().filter(|&block| body.blocks[block].construct.is_none()).collect();
            add_escaping(body, &on_host, escaping);
        }
        if body.blocks.len() == narrowed.blocks {
            return;
        }
        // New blocks stand in front of the block that they stand in front of in the part, or behind the last
        // one.
        let is_old = |&block: &Block| block.index() < narrowed.blocks;
        let Some(last) = part.iter().rposition(is_old) else { return };
        let mut new: Vec<(Block, &[Block])> = Vec::new();
        let mut start = 0;
        for (n, &block) in part.iter().enumerate().filter(|(_, block)| is_old(block)) {
            if start < n {
                new.push((block, &part[start..n]));
            }
            start = n + 1;
        }
        for (block, blocks) in new {
            insert_beside(&mut body.order, (block, 0), blocks);
        }
        insert_beside(&mut body.order, (part[last], 1), &part[last + 1..]);
    }
}

/// The layout of a function while that of a construct is in its place.
pub(super) struct Narrowed {
    whole: Vec<Block>,
    /// How many blocks there were.
    blocks: usize,
}

/// The `kernels` constructs with loops that threads share, and their blocks.
fn constructs(body: &Body) -> Vec<Region> {
    let mut has_nests: EntitySet<Construct> = EntitySet::new();
    for data in body.loops.values().filter(|data| data.is_partitioned()) {
        has_nests.extend(body.blocks.get(data.header).and_then(|header| header.construct));
    }
    if has_nests.is_empty() {
        return Vec::new();
    }
    let is_asked = |construct: &Construct| {
        has_nests.contains(*construct) && body.constructs[*construct].kind == ConstructKind::Kernels
    };
    let asked = body.live_constructs().into_iter().filter(is_asked);
    let region = |construct| {
        let data = &body.constructs[construct];
        let (entry, exit, known) = (data.entry, data.exit, body.blocks.len());
        Region { construct, entry, exit, blocks: Vec::new(), before: Vec::new(), known }
    };
    let mut constructs: Vec<Region> = asked.map(region).collect();
    let entries: FxHashMap<Block, usize> =
        constructs.iter().enumerate().map(|(n, region)| (region.entry, n)).collect();
    let mut place: SecondaryMap<Construct, Option<usize>> = map_below(body.constructs.len());
    constructs.iter().enumerate().for_each(|(n, region)| place[region.construct] = Some(n));
    for &block in &body.order {
        if let Some(n) = body.blocks[block].construct.and_then(|construct| place[construct]) {
            constructs[n].blocks.push(block);
        }
        for next in body.blocks[block].term.targets() {
            if let Some(&n) = entries.get(&next)
                && constructs[n].before.last() != Some(&block)
            {
                constructs[n].before.push(block);
            }
        }
    }
    constructs
}

/// Puts blocks in front of another one in a layout, or so many places behind its front.
fn insert_beside(order: &mut Vec<Block>, (block, behind): (Block, usize), blocks: &[Block]) {
    if let Some(at) = order.iter().position(|&other| other == block) {
        order.splice(at + behind..at + behind, blocks.iter().copied());
    }
}

impl Rest {
    fn of(body: &Body, constructs: &[Region]) -> Rest {
        let mut inside: SecondaryMap<Block, Option<Construct>> = map_below(body.blocks.len());
        for Region { construct, blocks, .. } in constructs {
            blocks.iter().for_each(|&block| inside[block] = Some(*construct));
        }
        let mut mentioned = Owners::new(body);
        body.order.iter().for_each(|&block| mentioned.note_block(&body.blocks[block], inside[block]));
        for loop_ in body.live_loops() {
            let data = &body.loops[loop_];
            data.parts(|part| mentioned.note(&part, inside[data.header]));
        }
        Rest { mentioned, live: Liveness::new(body, &Cfg::new(body)) }
    }
}

/// Adds the slots whose places some blocks use otherwise than to load and store all of them.
fn add_escaping(body: &Body, blocks: &[Block], found: &mut EntitySet<Slot>) {
    for &block in blocks {
        let data = &body.blocks[block];
        for inst in &data.insts {
            match &inst.op {
                Op::Load { addr, access, .. } if addr.offset == 0 && !access.volatile => {}
                Op::Store { addr, access, src, .. } if addr.offset == 0 && !access.volatile => {
                    add_slot(found, *src);
                }
                op => op.parts(|part| match part {
                    Part::Value(operand) | Part::Variable(operand) => add_slot(found, *operand),
                    Part::Address(address) => add_slot(found, address.base),
                    _ => {}
                }),
            }
        }
        data.term.operands(|operand| add_slot(found, operand));
    }
}

fn add_slot(found: &mut EntitySet<Slot>, operand: Operand) {
    if let Operand::Slot(slot) = operand {
        found.insert(slot);
    }
}

/// What a cut changes of a body, as it was before the cut.
pub(super) struct Draft {
    order: Vec<Block>,
    /// The blocks of the layout; of code outside of the construct, which the cut leaves as it is, without the
    /// instructions.
    blocks: Vec<(Block, BlockData)>,
    loops: Vec<(Loop, LoopData)>,
    construct: (Construct, ConstructData),
    /// In which loops all blocks, loops and slots are.
    in_loops: [Vec<Option<Loop>>; 3],
    /// How many locals and constructs there are.
    counts: [usize; 2],
}

impl Draft {
    /// Of a construct in its layout.
    pub(super) fn of(body: &Body, construct: Construct) -> Draft {
        let block = |&block: &Block| {
            let data = &body.blocks[block];
            let is_cut = data.construct == Some(construct);
            let insts = if is_cut { data.insts.clone() } else { Vec::new() };
            (block, BlockData { insts, term: data.term.clone(), ..*data })
        };
        let around = body.blocks[body.constructs[construct].entry].loop_;
        let mut is_here: SecondaryMap<Block, bool> = map_below(body.blocks.len());
        body.order.iter().for_each(|&block| is_here[block] = true);
        let is_changed = |&(loop_, data): &(Loop, &LoopData)| {
            is_here[data.header] || around.is_some_and(|around| body.loop_is_within(Some(around), loop_))
        };
        let in_loops = [
            body.blocks.values().map(|data| data.loop_).collect(),
            body.loops.values().map(|data| data.parent).collect(),
            body.slots.values().map(|data| data.declared_in).collect(),
        ];
        Draft {
            order: body.order.clone(),
            blocks: body.order.iter().map(block).collect(),
            loops: body.loops.iter().filter(is_changed).map(|(loop_, data)| (loop_, data.clone())).collect(),
            construct: (construct, body.constructs[construct].clone()),
            in_loops,
            counts: [body.locals.len(), body.constructs.len()],
        }
    }

    /// Undoes the cut.
    pub(super) fn restore(self, body: &mut Body) {
        let Draft { order, blocks, loops, construct, in_loops: [of_blocks, of_loops, of_slots], counts } =
            self;
        body.order = order;
        for (block, mut data) in blocks {
            if data.construct != Some(construct.0) {
                data.insts = std::mem::take(&mut body.blocks[block].insts);
            }
            body.blocks[block] = data;
        }
        for (loop_, data) in loops {
            body.loops[loop_] = data;
        }
        body.constructs[construct.0] = construct.1;
        shorten(&mut body.blocks, of_blocks.len());
        shorten(&mut body.loops, of_loops.len());
        shorten(&mut body.slots, of_slots.len());
        shorten(&mut body.locals, counts[0]);
        shorten(&mut body.constructs, counts[1]);
        body.blocks.values_mut().zip(of_blocks).for_each(|(data, loop_)| data.loop_ = loop_);
        body.loops.values_mut().zip(of_loops).for_each(|(data, loop_)| data.parent = loop_);
        body.slots.values_mut().zip(of_slots).for_each(|(data, loop_)| data.declared_in = loop_);
    }
}

/// Leaves the first elements of a map.
fn shorten<K: EntityRef, V>(map: &mut PrimaryMap<K, V>, count: usize) {
    if map.len() > count {
        *map = std::mem::take(map).into_iter().take(count).map(|(_, data)| data).collect();
    }
}

//! One iteration of an innermost loop as a graph of values.
//!
//! Since locals are assignable, what a local holds depends on where it is read; here every reading is
//! resolved to the value that arrives, equal values are one node, and branches around code that may be
//! executed needlessly have become selections. Loops with other branches, with anything but arithmetic and
//! plain accesses in them, or with more than a few dozen values have no such graph.

use super::mentions::Mentions;
use crate::entities::{Block, Local, Loop};
use crate::function::{Body, LoopData};
use crate::op::{Access, Class, Op, Operand, Pos, Terminator};
use crate::types::Type;
use crate::visit::PartMut;
use cranelift_entity::EntitySet;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

/// Loops with more values than this are left alone: a stencil of three dimensions computes a hundred, most of
/// them parts of addresses.
const MAX_NODES: usize = 192;
/// Nor are more blocks, which also ends the walk around a cycle that is no loop of the tree.
const MAX_BLOCKS: u32 = 16;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub u32);

/// Arguments of an operation.
pub type Args = SmallVec<[Value; 3]>;

/// How a value comes about.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// What a local that the loop assigns holds when the iteration begins.
    Entry(Local),
    /// An operand that no iteration changes.
    Invariant(Operand),
    /// The result of an operation. Its destination and operands are placeholders; the arguments are what the
    /// operands were, in the order of [`crate::visit`]. For a load, `stores` is the number of stores before
    /// it.
    Op {
        /// The operation.
        op: Op,
        /// Its arguments.
        args: Args,
        /// For loads: how many stores of the iteration come before.
        stores: u32,
    },
}

/// A store of the iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stored {
    /// The type in memory.
    pub ty: Type,
    /// The base of the address.
    pub base: Value,
    /// Bytes added to it.
    pub offset: i64,
    /// What is stored.
    pub value: Value,
    /// How.
    pub access: Access,
    /// Nodes before this one were evaluated before the store.
    pub at: Value,
    /// Where the program has it.
    pub pos: Pos,
    /// Its block, and its number there.
    pub place: (Block, usize),
}

/// The graph.
#[derive(Debug)]
pub struct Iteration {
    /// Nodes in an order of evaluation.
    pub nodes: Vec<Node>,
    /// Their types.
    pub types: Vec<Type>,
    /// Where the program computes each of them first.
    pub places: Vec<Pos>,
    /// Values that depend on nothing that changes from one iteration to the next; loads are not among them.
    pub invariant: Vec<bool>,
    /// What lets the iteration run.
    pub condition: Value,
    /// The locals that the iteration assigns with their values at its end, in order of the locals.
    pub results: Vec<(Local, Value)>,
    /// Its stores, in order.
    pub stores: Vec<Stored>,
    /// The instructions that load, with what they give: block, and number there. A block that is reached on
    /// several ways may give several values.
    loads: Vec<(Value, (Block, usize))>,
}

/// Takes the place of an operand in a template.
const NO_OPERAND: Operand = Operand::Int(Type::I1, 0);

/// Why there is no graph: nothing to tell anyone.
struct Unfit;

/// Takes the place of the destination in a template.
fn no_local() -> Local {
    Local::from_u32(0)
}

struct Walk<'a> {
    body: &'a Body,
    mentions: &'a Mentions,
    loop_: Loop,
    assigned: EntitySet<Local>,
    graph: Iteration,
    env: FxHashMap<Local, Value>,
    /// Of each node, what equal nodes have alike.
    keys: Vec<u32>,
    /// Where ways out of blocks meet again; `None` while that is being found.
    joins: FxHashMap<Block, Option<Block>>,
    blocks: u32,
    /// Where the instruction is that is looked at.
    pos: Pos,
}

impl Iteration {
    /// The graph of a loop whose blocks (as in [`super::loops::Nest::blocks`]) are all its own.
    pub fn of(body: &Body, mentions: &Mentions, loop_: Loop, blocks: &[Block]) -> Option<Iteration> {
        let data = &body.loops[loop_];
        if blocks.len() as u32 > MAX_BLOCKS {
            return None;
        }
        let assigned = body.assigned(blocks.iter().copied());
        let graph = Iteration {
            nodes: Vec::new(),
            types: Vec::new(),
            places: Vec::new(),
            invariant: Vec::new(),
            condition: Value(0),
            results: Vec::new(),
            stores: Vec::new(),
            loads: Vec::new(),
        };
        let mut walk = Walk {
            body,
            mentions,
            loop_,
            assigned,
            graph,
            env: FxHashMap::default(),
            keys: Vec::new(),
            joins: FxHashMap::default(),
            blocks: 0,
            pos: Pos::none(),
        };
        walk.run(data).ok()?;
        let Walk { mut graph, env, .. } = walk;
        graph.results = env.into_iter().collect();
        graph.results.sort_unstable_by_key(|(local, _)| *local);
        Some(graph)
    }

    /// The node behind a value.
    pub fn node(&self, value: Value) -> &Node {
        &self.nodes[value.0 as usize]
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.types[value.0 as usize]
    }

    /// Whether a value is the same in all iterations, as far as that follows without looking at memory.
    pub fn is_invariant(&self, value: Value) -> bool {
        self.invariant[value.0 as usize]
    }

    /// The operation and arguments of a value, if an operation makes it.
    pub fn op(&self, value: Value) -> Option<(&Op, &[Value])> {
        match self.node(value) {
            Node::Op { op, args, .. } => Some((op, args)),
            Node::Entry(_) | Node::Invariant(_) => None,
        }
    }

    /// The instructions that load a value, block and number there, if none of them gives another value on
    /// another way.
    pub fn loads_of(&self, value: Value) -> Option<Vec<(Block, usize)>> {
        let places: Vec<_> = self.loads.iter().filter(|(of, _)| *of == value).map(|(_, at)| *at).collect();
        let is_other = |&(of, at): &(Value, (Block, usize))| of != value && places.contains(&at);
        (!self.loads.iter().any(is_other)).then_some(places)
    }

    /// The value of an integer constant.
    pub fn constant(&self, value: Value) -> Option<i64> {
        match self.node(value) {
            Node::Invariant(operand) => operand.as_int(),
            Node::Entry(_) | Node::Op { .. } => None,
        }
    }

    /// The value of a local at the end of the iteration, if the iteration assigns it.
    pub fn result(&self, local: Local) -> Option<Value> {
        let at = self.results.binary_search_by_key(&local, |(local, _)| *local).ok()?;
        Some(self.results[at].1)
    }

    /// The locals whose values at the beginning of the iteration matter.
    pub fn entries(&self) -> impl Iterator<Item = (Value, Local)> + '_ {
        self.nodes.iter().enumerate().filter_map(|(n, node)| match node {
            Node::Entry(local) => Some((Value(n as u32), *local)),
            Node::Invariant(_) | Node::Op { .. } => None,
        })
    }

    /// Which values depend on a given one, itself included.
    pub fn dependents(&self, on: Value) -> Vec<bool> {
        let mut depends = vec![false; self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            depends[n] = n as u32 == on.0
                || match node {
                    Node::Op { args, .. } => args.iter().any(|arg| depends[arg.0 as usize]),
                    Node::Entry(_) | Node::Invariant(_) => false,
                };
        }
        depends
    }
}

/// Whether an operation may be part of a graph.
fn is_simple(op: &Op) -> bool {
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => !access.volatile,
        // What may trap must stay where it is.
        _ => op.class() == Class::Value && !op.effects().writes,
    }
}

impl Walk<'_> {
    fn run(&mut self, data: &LoopData) -> Result<(), Unfit> {
        self.insts(data.header, false)?;
        let Terminator::Branch { cond, then, otherwise } = self.body.blocks[data.header].term else {
            return Err(Unfit);
        };
        if then != data.body || otherwise != data.exit {
            return Err(Unfit);
        }
        self.graph.condition = self.operand(cond)?;
        self.way(data.body, data.header, false)
    }

    /// Walks from a block to where control arrives at `end`, by all ways there are.
    fn way(&mut self, mut block: Block, end: Block, needlessly: bool) -> Result<(), Unfit> {
        while block != end {
            self.insts(self.inside(block)?, needlessly)?;
            match self.body.blocks[block].term {
                Terminator::Jump(next) => block = next,
                Terminator::Branch { cond, then, otherwise } => {
                    let join = self.join(block)?;
                    let cond = self.operand(cond)?;
                    let before = self.env.clone();
                    self.way(then, join, true)?;
                    let yes = std::mem::replace(&mut self.env, before);
                    self.way(otherwise, join, true)?;
                    self.merge(cond, yes)?;
                    block = join;
                }
                Terminator::Switch { .. } | Terminator::Return(_) | Terminator::Unreachable => {
                    return Err(Unfit);
                }
            }
        }
        Ok(())
    }

    /// The first block that all ways out of a block pass.
    fn join(&mut self, block: Block) -> Result<Block, Unfit> {
        if let Some(&known) = self.joins.get(&block) {
            return known.ok_or(Unfit);
        }
        // A block that is asked for again while it is being found is on a cycle.
        self.joins.insert(block, None);
        let join = match self.body.blocks[self.inside(block)?].term {
            Terminator::Jump(next) => next,
            Terminator::Branch { then, otherwise, .. } => {
                let others = self.passed(otherwise)?;
                let meets = |block: &Block| others.contains(block);
                self.passed(then)?.into_iter().find(meets).ok_or(Unfit)?
            }
            Terminator::Switch { .. } | Terminator::Return(_) | Terminator::Unreachable => return Err(Unfit),
        };
        self.joins.insert(block, Some(join));
        Ok(join)
    }

    /// A block and those that all ways from there to the header pass, in order.
    fn passed(&mut self, mut block: Block) -> Result<SmallVec<[Block; 4]>, Unfit> {
        let header = self.body.loops[self.loop_].header;
        let mut list = SmallVec::from_slice(&[block]);
        while block != header {
            // A cycle that is no loop of the tree never arrives.
            if list.len() as u32 > MAX_BLOCKS {
                return Err(Unfit);
            }
            block = self.join(block)?;
            list.push(block);
        }
        Ok(list)
    }

    fn inside(&self, block: Block) -> Result<Block, Unfit> {
        if self.body.blocks[block].loop_ == Some(self.loop_) { Ok(block) } else { Err(Unfit) }
    }

    /// Goes on with `yes` where the condition holds, and with the environment as it is elsewhere.
    fn merge(&mut self, cond: Value, yes: FxHashMap<Local, Value>) -> Result<(), Unfit> {
        let mut locals: Vec<Local> = yes.keys().chain(self.env.keys()).copied().collect();
        locals.sort_unstable();
        locals.dedup();
        // What only one block mentions is not read where the sides meet.
        locals.retain(|&local| !self.mentions.in_one_block(local));
        for local in locals {
            let a = match yes.get(&local) {
                Some(&value) => value,
                None => self.push(Node::Entry(local), self.body.locals[local].ty)?,
            };
            let b = self.read(local)?;
            let merged = if a == b {
                a
            } else {
                let op = Op::Select { dst: no_local(), cond: NO_OPERAND, a: NO_OPERAND, b: NO_OPERAND };
                let ty = self.body.locals[local].ty;
                self.push(Node::Op { op, args: Args::from_slice(&[cond, a, b]), stores: 0 }, ty)?
            };
            self.env.insert(local, merged);
        }
        Ok(())
    }

    /// The instructions of a block. Code that is executed `needlessly` may neither store nor touch memory
    /// that the iteration did not touch anyway.
    fn insts(&mut self, block: Block, needlessly: bool) -> Result<(), Unfit> {
        self.blocks += 1;
        if self.blocks > MAX_BLOCKS {
            return Err(Unfit);
        }
        let body = self.body;
        for (index, inst) in body.blocks[block].insts.iter().enumerate() {
            if !is_simple(&inst.op) {
                return Err(Unfit);
            }
            self.pos = inst.pos;
            match inst.op {
                Op::Copy { dst, src } => {
                    let value = self.operand(src)?;
                    self.env.insert(dst, value);
                }
                Op::Store { ty, addr, src, access } => {
                    if needlessly {
                        return Err(Unfit);
                    }
                    let (base, value) = (self.operand(addr.base)?, self.operand(src)?);
                    let at = Value(self.graph.nodes.len() as u32);
                    self.graph.stores.push(Stored {
                        ty,
                        base,
                        offset: addr.offset,
                        value,
                        access,
                        at,
                        pos: inst.pos,
                        place: (block, index),
                    });
                }
                ref op => {
                    let value = self.compute(op, needlessly)?;
                    let load = (value, (block, index));
                    if matches!(op, Op::Load { .. }) && !self.graph.loads.contains(&load) {
                        self.graph.loads.push(load);
                    }
                }
            }
        }
        Ok(())
    }

    fn compute(&mut self, op: &Op, needlessly: bool) -> Result<Value, Unfit> {
        let mut template = op.clone();
        let mut args = Args::new();
        let mut dst = None;
        let mut unfit = false;
        template.parts_mut(|part| {
            let operand = match part {
                PartMut::Value(operand) => operand,
                PartMut::Address(address) => &mut address.base,
                PartMut::Def(local) => {
                    dst = Some(std::mem::replace(local, no_local()));
                    return;
                }
                PartMut::Variable(_)
                | PartMut::NamedLocal(_)
                | PartMut::Func(_)
                | PartMut::Sig(_)
                | PartMut::Agg(_)
                | PartMut::Block(_)
                | PartMut::Loop(_)
                | PartMut::Construct(_)
                | PartMut::Red(_)
                | PartMut::Pos(_) => {
                    unfit = true;
                    return;
                }
            };
            match self.operand(std::mem::replace(operand, NO_OPERAND)) {
                Ok(value) => args.push(value),
                Err(Unfit) => unfit = true,
            }
        });
        let (Some(dst), false) = (dst, unfit) else { return Err(Unfit) };
        let is_load = matches!(op, Op::Load { .. });
        let stores = if is_load { self.graph.stores.len() as u32 } else { 0 };
        let known = self.graph.nodes.len();
        let ty = self.body.locals[dst].ty;
        let value = self.push(Node::Op { op: template, args, stores }, ty)?;
        if needlessly && is_load && value.0 as usize == known {
            return Err(Unfit);
        }
        self.env.insert(dst, value);
        Ok(value)
    }

    fn operand(&mut self, operand: Operand) -> Result<Value, Unfit> {
        match operand {
            Operand::Local(local) => self.read(local),
            Operand::Slot(_)
            | Operand::Global(_)
            | Operand::Func(_)
            | Operand::Int(..)
            | Operand::F32(_)
            | Operand::F64(_) => self.push(Node::Invariant(operand), self.body.operand_type(operand)),
        }
    }

    fn read(&mut self, local: Local) -> Result<Value, Unfit> {
        if let Some(&value) = self.env.get(&local) {
            return Ok(value);
        }
        let node = if self.assigned.contains(local) {
            Node::Entry(local)
        } else {
            Node::Invariant(Operand::Local(local))
        };
        self.push(node, self.body.locals[local].ty)
    }

    /// The node, which is new only if there is no equal one.
    fn push(&mut self, node: Node, ty: Type) -> Result<Value, Unfit> {
        let graph = &mut self.graph;
        let key = key(&node);
        let same =
            |&(n, other): &(usize, &u32)| *other == key && graph.types[n] == ty && graph.nodes[n] == node;
        if let Some((known, _)) = self.keys.iter().enumerate().find(same) {
            return Ok(Value(known as u32));
        }
        if graph.nodes.len() == MAX_NODES {
            return Err(Unfit);
        }
        let invariant = match &node {
            Node::Entry(_) => false,
            Node::Invariant(_) => true,
            Node::Op { op: Op::Load { .. }, .. } => false,
            Node::Op { args, .. } => args.iter().all(|arg| graph.invariant[arg.0 as usize]),
        };
        self.keys.push(key);
        graph.nodes.push(node);
        graph.types.push(ty);
        graph.places.push(self.pos);
        graph.invariant.push(invariant);
        Ok(Value(graph.nodes.len() as u32 - 1))
    }
}

/// What equal nodes have alike, and few others.
fn key(node: &Node) -> u32 {
    let mut hasher = FxHasher::default();
    match node {
        Node::Entry(local) => local.hash(&mut hasher),
        Node::Invariant(operand) => operand.hash(&mut hasher),
        Node::Op { op, args, stores } => (discriminant(op), args, stores).hash(&mut hasher),
    }
    (hasher.finish() >> 32) as u32
}

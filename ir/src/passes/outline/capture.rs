//! What a region takes over from its parent: one variable after the other, in the order of the clauses.

use super::super::env::Work;
use super::Members;
use crate::acc::{
    ConstructData, ConstructKind, DataMap, LaunchArg, MapKind, PassHow, PrivateVar, RegionParam,
};
use crate::edit::rename::Rename;
use crate::entities::{Block, Global, Local, Loop, Slot, map_below, set_of};
use crate::function::{Body, FunctionKind, LocalData, SlotData, SlotKind};
use crate::op::{Access, Address, BinaryOp, ConvertOp, Op, Operand, Pos};
use crate::report::PassError;
use crate::types::Type;
use crate::visit::{Part, PartMut};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::sync::Arc;

/// Alignment of arrays of variable length, as of those that functions declare.
const ARRAY_ALIGN: u32 = 16;

/// How often variables are referred to.
pub struct References {
    locals: Counts,
    slots: FxHashMap<Slot, Objects>,
    globals: FxHashMap<Global, Objects>,
    /// Of a whole function, pointers that it was called with and never changes.
    arguments: EntitySet<Local>,
}

/// Numbers of references to locals.
enum Counts {
    /// Of a whole function.
    All(SecondaryMap<Local, u32>),
    /// Of a part of one: a function may have many, and few of its locals are in each.
    Some(FxHashMap<Local, u32>),
}

impl Counts {
    fn add(&mut self, local: Local) {
        match self {
            Counts::All(counts) => counts[local] += 1,
            Counts::Some(counts) => *counts.entry(local).or_default() += 1,
        }
    }

    fn of(&self, local: Local) -> u32 {
        match self {
            Counts::All(counts) => counts[local],
            Counts::Some(counts) => counts.get(&local).copied().unwrap_or(0),
        }
    }
}

/// References to an object in memory.
#[derive(Clone, Copy, Default)]
struct Objects {
    count: u32,
    /// The type of the loads and stores at its start, if there is only one.
    scalar: Option<Type>,
    mixed: bool,
}

impl Objects {
    fn access(&mut self, offset: i64, ty: Type) {
        if offset != 0 || self.scalar.is_some_and(|known| known != ty) {
            self.mixed = true;
        }
        self.scalar = Some(ty);
    }
}

impl References {
    /// Those of the whole body of a function of a kind.
    pub fn all(kind: &FunctionKind, body: &Body) -> References {
        let mut references = References::none(Counts::All(map_below(body.locals.len())));
        for &block in &body.order {
            references.block(body, block);
        }
        body.annotations(|part| references.part(part));
        let pointers = body.params.iter().zip(0..).filter(|&(&param, number)| {
            // What threads are given may be any variable of the function around them.
            let is_given = kind.launched().is_none_or(|data| data.params[number].argument);
            body.locals[param].ty == Type::Ptr && is_given
        });
        references.arguments = set_of(pointers.map(|(&param, _)| param));
        if !references.arguments.is_empty() {
            for inst in body.order.iter().flat_map(|&block| &body.blocks[block].insts) {
                inst.op.defs(|local| {
                    references.arguments.remove(local);
                });
            }
        }
        references
    }

    /// Those of some blocks.
    fn of_blocks(body: &Body, blocks: &[Block]) -> References {
        let most = blocks.iter().map(|&block| body.blocks[block].insts.len()).sum();
        let counts = FxHashMap::with_capacity_and_hasher(most, FxBuildHasher);
        let mut references = References::none(Counts::Some(counts));
        for &block in blocks {
            references.block(body, block);
        }
        references
    }

    fn none(locals: Counts) -> References {
        let (slots, globals, arguments) = (FxHashMap::default(), FxHashMap::default(), EntitySet::new());
        References { locals, slots, globals, arguments }
    }

    fn part(&mut self, part: Part<'_>) {
        part.operand().into_iter().for_each(|operand| self.operand(operand));
    }

    fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Local(local) => self.locals.add(local),
            Operand::Slot(slot) => self.slots.entry(slot).or_default().count += 1,
            Operand::Global(global) => self.globals.entry(global).or_default().count += 1,
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }

    fn access(&mut self, addr: &Address, ty: Type) {
        match addr.base {
            Operand::Slot(slot) => self.slots.entry(slot).or_default().access(addr.offset, ty),
            Operand::Global(global) => self.globals.entry(global).or_default().access(addr.offset, ty),
            Operand::Local(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
    }

    fn block(&mut self, body: &Body, block: Block) {
        let data = &body.blocks[block];
        data.parts(|part| self.part(part));
        for inst in &data.insts {
            if let Op::Load { dst, addr, .. } = &inst.op {
                self.access(addr, body.locals[*dst].ty);
            } else if let Op::Store { ty, addr, .. } = &inst.op {
                self.access(addr, *ty);
            }
        }
    }

    fn count(&self, variable: Operand) -> u32 {
        match variable {
            Operand::Local(local) => self.locals.of(local),
            Operand::Slot(slot) => self.slots.get(&slot).map_or(0, |object| object.count),
            Operand::Global(global) => self.globals.get(&global).map_or(0, |object| object.count),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => 0,
        }
    }

    /// The one type with which the start of an object is accessed.
    fn scalar(&self, variable: Operand) -> Option<Type> {
        let object = match variable {
            Operand::Slot(slot) => self.slots.get(&slot),
            Operand::Global(global) => self.globals.get(&global),
            Operand::Local(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                None
            }
        }?;
        object.scalar.filter(|_| !object.mixed)
    }
}

/// A parameter of the region.
pub struct Param {
    /// Receives it.
    pub local: Local,
    /// Its line in the mapping table.
    pub line: RegionParam,
}

/// A region in the making.
pub struct Capture<'a, 'w> {
    /// The parent.
    pub work: &'a mut Work<'w>,
    /// The region's body.
    pub region: Body,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What the launch gives for them.
    pub args: Vec<LaunchArg>,
    /// Maps that the launch needs besides the clauses'.
    pub maps: Vec<DataMap>,
    /// Biases of maps that are parts of objects.
    pub biases: Vec<(u32, Operand)>,
    /// What the parent does just before the launch.
    pub before: Vec<Op>,
    /// What the region does first.
    pub prologue: Vec<Op>,
    data: &'a ConstructData,
    totals: &'a References,
    inside: References,
    rename: Rename,
    moved_slots: Vec<Slot>,
}

impl<'a, 'w> Capture<'a, 'w> {
    /// For a construct with these members; `totals` counts the whole parent.
    pub fn new(
        work: &'a mut Work<'w>,
        data: &'a ConstructData,
        members: &Members,
        totals: &'a References,
    ) -> Capture<'a, 'w> {
        let mut inside = References::of_blocks(work.body, &members.blocks);
        for &loop_ in &members.loops {
            work.body.loops[loop_].parts(|part| inside.part(part));
        }
        for &inner in &members.constructs {
            work.body.constructs[inner].parts(|part| inside.part(part));
        }
        for clause in &data.reductions {
            clause.parts(|part| inside.part(part));
        }
        Capture {
            work,
            region: Body::default(),
            params: Vec::new(),
            args: Vec::new(),
            maps: Vec::new(),
            biases: Vec::new(),
            before: Vec::new(),
            prologue: Vec::new(),
            data,
            totals,
            inside,
            rename: Rename::default(),
            moved_slots: Vec::new(),
        }
    }

    /// Takes over what the clauses name, as far as the region uses it.
    pub fn clauses(&mut self) -> Result<(), PassError> {
        let data = self.data;
        for (index, map) in data.maps.iter().enumerate() {
            if let Some(var) = map.var
                && self.wanted(var)
            {
                self.map(index as u32, map, var)?;
            }
        }
        for private in &data.firstprivate {
            if self.wanted(private.var) {
                self.firstprivate(private)?;
            }
        }
        for private in &data.private {
            if self.wanted(private.var) {
                self.private(private)?;
            }
        }
        // Bounds of sections were evaluated before the construct, into locals that no clause names.
        for clause in &data.reductions {
            let counts = clause.parts.iter().map(|part| ("count", part.count));
            for (name, bound) in counts.chain([("lower", clause.lower)]) {
                if let Some(Operand::Local(local)) = bound
                    && self.wanted(Operand::Local(local))
                {
                    self.value(local, name.into())?;
                }
            }
        }
        Ok(())
    }

    /// Whether the region uses a variable that it does not have yet.
    fn wanted(&self, var: Operand) -> bool {
        self.inside.count(var) > 0
            && match var {
                Operand::Local(local) => !self.rename.locals.contains_key(&local),
                Operand::Slot(slot) => !self.rename.slots.contains_key(&slot),
                Operand::Global(global) => !self.rename.globals.contains_key(&global),
                Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => false,
            }
    }

    fn param(&mut self, ty: Type, line: RegionParam, arg: LaunchArg) -> Local {
        let local = self.region.local(ty, Some(line.name.clone()));
        self.params.push(Param { local, line });
        self.args.push(arg);
        local
    }

    fn map(&mut self, index: u32, map: &DataMap, var: Operand) -> Result<(), PassError> {
        if map.kind == MapKind::FirstPrivate {
            return self.travelling_array(index, map, var);
        }
        let is_pointer =
            map.pointer_bias.is_some() || map.kind == MapKind::DevicePtr || var.as_local().is_some();
        let is_part = !is_pointer && map.start != var;
        let how = if is_pointer || is_part { PassHow::Pointer } else { PassHow::Address };
        let name = self.variable_name(var).unwrap_or_else(|| map.name.clone());
        let one_run = Some(map.bytes).filter(|_| map.strides.is_empty());
        let bytes = one_run.and_then(Operand::as_int).and_then(|bytes| u64::try_from(bytes).ok());
        let argument = var.as_local().is_some_and(|local| self.totals.arguments.contains(local));
        let line = RegionParam { name: name.clone(), how, kind: Some(map.kind), bytes, argument };
        let param = self.param(Type::Ptr, line, LaunchArg::Map(index));
        if is_pointer {
            return self.pointer(map, var, param, name);
        }
        if is_part {
            let bias = self.distance(var, map.start);
            self.biases.push((index, bias));
        }
        let (size, align) = self.layout(var);
        let (name, restrict, kind) = (Some(name), self.is_restrict(var), SlotKind::Mapped(param));
        let slot = self.region.slots.push(SlotData { size, align, name, restrict, kind, declared_in: None });
        self.rename.variable(var, Operand::Slot(slot));
        Ok(())
    }

    /// An array of variable length, which its address stands for: a task gets a copy, the threads of a team
    /// make one each.
    fn travelling_array(&mut self, index: u32, map: &DataMap, var: Operand) -> Result<(), PassError> {
        let Operand::Local(local) = var else {
            return Err(self.work.defect(map.pos, format!("`{}` travels, and has a size", map.name)));
        };
        let (how, kind) = (PassHow::Address, Some(MapKind::FirstPrivate));
        let line = RegionParam { name: map.name.clone(), how, kind, bytes: None, argument: false };
        let param = self.param(Type::Ptr, line, LaunchArg::Map(index));
        if self.data.kind != ConstructKind::Team {
            self.stands_for(param, local);
            return Ok(());
        }
        let mut bytes = map.bytes;
        if let Operand::Local(size) = bytes {
            if !self.rename.locals.contains_key(&size) {
                self.value(size, "<size>".into())?;
            }
            bytes = self.rename.operand(bytes);
        }
        let copy = self.region.local(Type::Ptr, Some(map.name.clone()));
        self.prologue.push(Op::StackAlloc { dst: copy, bytes, align: ARRAY_ALIGN, each: false });
        let [dst, src] = [copy, param].map(|base| Address { base: Operand::Local(base), offset: 0 });
        self.prologue.push(Op::MemCopy { dst, src, bytes, align: 1 });
        self.rename.locals.insert(local, copy);
        Ok(())
    }

    /// A pointer variable, private to the region, that starts as the translated pointer.
    fn pointer(
        &mut self,
        map: &DataMap,
        var: Operand,
        param: Local,
        name: Arc<str>,
    ) -> Result<(), PassError> {
        if let Operand::Local(local) = var {
            if self.work.body.locals[local].ty != Type::Ptr {
                return Err(self.work.defect(map.pos, format!("`{name}` is mapped, but has no address")));
            }
            self.stands_for(param, local);
            return Ok(());
        }
        let restrict = self.is_restrict(var);
        let slot = self.frame_slot(Type::Ptr.bytes().into(), Type::Ptr.align(), name, restrict);
        let access = Access::natural(Type::Ptr);
        let addr = Address { base: Operand::Slot(slot), offset: 0 };
        self.prologue.push(Op::Store { ty: Type::Ptr, addr, src: Operand::Local(param), access });
        self.rename.variable(var, Operand::Slot(slot));
        Ok(())
    }

    /// Bytes from an object's start to the part of it that is mapped. Like a pointer's bias, it leads from
    /// the device address of the part to that of the whole.
    fn distance(&mut self, whole: Operand, part: Operand) -> Operand {
        let [from, to, distance] = [(); 3].map(|()| self.work.body.temp(Type::I64));
        self.before.push(Op::Convert { dst: from, op: ConvertOp::Bits, src: whole });
        self.before.push(Op::Convert { dst: to, op: ConvertOp::Bits, src: part });
        let (a, b) = (Operand::Local(to), Operand::Local(from));
        self.before.push(Op::Binary { dst: distance, op: BinaryOp::Sub, a, b });
        Operand::Local(distance)
    }

    fn firstprivate(&mut self, private: &PrivateVar) -> Result<(), PassError> {
        if let Operand::Local(local) = private.var {
            return self.value(local, private.name.clone());
        }
        let restrict = self.is_restrict(private.var);
        let slot = self.frame_slot(private.bytes, private.align, private.name.clone(), restrict);
        self.rename.variable(private.var, Operand::Slot(slot));
        let to = Address { base: Operand::Slot(slot), offset: 0 };
        let from = Address { base: private.var, offset: 0 };
        if let Some(ty) = self.value_type(private) {
            let access = Access { align: private.align, ..Access::natural(ty) };
            let read = self.work.body.temp(ty);
            self.before.push(Op::Load { dst: read, addr: from, access });
            let line = value_line(private.name.clone(), ty);
            let param = self.param(ty, line, LaunchArg::Value(Operand::Local(read)));
            self.prologue.push(Op::Store { ty, addr: to, src: Operand::Local(param), access });
            return Ok(());
        }
        let bytes = Operand::Int(Type::I64, private.bytes as i64);
        let param = self.travelling(private.name.clone(), private.var, private.bytes, private.pos);
        let src = Address { base: Operand::Local(param), offset: 0 };
        self.prologue.push(Op::MemCopy { dst: to, src, bytes, align: private.align });
        Ok(())
    }

    /// The type as which a `firstprivate` object fits a value parameter: the one it is accessed with, so that
    /// it can become a local, or else an integer of its size.
    fn value_type(&self, private: &PrivateVar) -> Option<Type> {
        let integer = match private.bytes {
            1 => Type::I8,
            2 => Type::I16,
            4 => Type::I32,
            8 => Type::I64,
            _ => return None,
        };
        let used = self.inside.scalar(private.var);
        Some(used.filter(|ty| u64::from(ty.bytes()) == private.bytes && ty.is_word()).unwrap_or(integer))
    }

    /// A local by value.
    fn value(&mut self, local: Local, name: Arc<str>) -> Result<(), PassError> {
        let LocalData { ty, .. } = self.work.body.locals[local];
        if ty.is_word() {
            let line = value_line(name, ty);
            let param = self.param(ty, line, LaunchArg::Value(Operand::Local(local)));
            self.stands_for(param, local);
            return Ok(());
        }
        if ty == Type::I1 {
            return Err(self
                .work
                .defect(self.data.pos, format!("`{name}` is a truth value, and has no memory form")));
        }
        // Too large for a register: through memory.
        let data = SlotData::frame(ty.bytes().into(), ty.align(), Some(name.clone()));
        let slot = self.work.body.slots.push(data);
        let access = Access::natural(ty);
        let addr = Address { base: Operand::Slot(slot), offset: 0 };
        self.before.push(Op::Store { ty, addr, src: Operand::Local(local), access });
        let param = self.travelling(name.clone(), Operand::Slot(slot), ty.bytes().into(), self.data.pos);
        let copy = self.region.local(ty, Some(name));
        let addr = Address { base: Operand::Local(param), offset: 0 };
        self.prologue.push(Op::Load { dst: copy, addr, access });
        self.rename.locals.insert(local, copy);
        Ok(())
    }

    /// An object whose bytes travel with the launch; the parameter is the address of the copy.
    fn travelling(&mut self, name: Arc<str>, object: Operand, bytes: u64, pos: Pos) -> Local {
        let index = (self.data.maps.len() + self.maps.len()) as u32;
        self.maps.push(DataMap::whole(MapKind::FirstPrivate, name.clone(), object, bytes, pos));
        let how = PassHow::Address;
        let (kind, bytes) = (Some(MapKind::FirstPrivate), Some(bytes));
        let line = RegionParam { name, how, kind, bytes, argument: false };
        self.param(Type::Ptr, line, LaunchArg::Map(index))
    }

    fn private(&mut self, private: &PrivateVar) -> Result<(), PassError> {
        if let Operand::Local(local) = private.var {
            let data = self.work.body.locals[local].clone();
            let copy = self.region.locals.push(data);
            self.rename.locals.insert(local, copy);
        } else {
            let restrict = self.is_restrict(private.var);
            let slot = self.frame_slot(private.bytes, private.align, private.name.clone(), restrict);
            self.rename.variable(private.var, Operand::Slot(slot));
        }
        Ok(())
    }

    fn frame_slot(&mut self, size: u64, align: u32, name: Arc<str>, restrict: bool) -> Slot {
        self.region.slots.push(SlotData { restrict, ..SlotData::frame(size, align, Some(name)) })
    }

    /// Whether a variable of the parent is a pointer declared `restrict`.
    fn is_restrict(&self, var: Operand) -> bool {
        match var {
            Operand::Local(local) => self.work.body.locals[local].restrict,
            Operand::Slot(slot) => self.work.body.slots[slot].restrict,
            Operand::Global(global) => self.work.module.globals[global].restrict,
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => false,
        }
    }

    /// Lets a parameter be what a local of the parent is.
    fn stands_for(&mut self, param: Local, local: Local) {
        self.region.locals[param].restrict = self.work.body.locals[local].restrict;
        self.rename.locals.insert(local, param);
    }

    fn layout(&self, var: Operand) -> (u64, u32) {
        match var {
            Operand::Slot(slot) => {
                let data = &self.work.body.slots[slot];
                (data.size, data.align)
            }
            Operand::Global(global) => {
                let data = &self.work.module.globals[global];
                (data.size, data.align)
            }
            Operand::Local(_) | Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {
                (0, 1)
            }
        }
    }

    fn variable_name(&self, var: Operand) -> Option<Arc<str>> {
        match var {
            Operand::Local(local) => self.work.body.locals[local].name.clone(),
            Operand::Slot(slot) => self.work.body.slots[slot].name.clone(),
            Operand::Global(global) => Some(self.work.module.globals[global].name.clone()),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => None,
        }
    }

    /// Renames a part of the code from the parent's variables to the region's, which get what they lack.
    pub fn rename(&mut self, part: PartMut<'_>) -> Result<(), PassError> {
        match part {
            PartMut::Value(operand) | PartMut::Variable(operand) => self.rename_operand(operand),
            PartMut::Address(address) => self.rename_operand(&mut address.base),
            PartMut::Def(local) | PartMut::NamedLocal(local) => {
                *local = self.local(*local)?;
                Ok(())
            }
            PartMut::Func(_)
            | PartMut::Sig(_)
            | PartMut::Agg(_)
            | PartMut::Block(_)
            | PartMut::Loop(_)
            | PartMut::Construct(_)
            | PartMut::Red(_)
            | PartMut::Pos(_) => Ok(()),
        }
    }

    fn rename_operand(&mut self, operand: &mut Operand) -> Result<(), PassError> {
        if let Operand::Local(local) = operand {
            *local = self.local(*local)?;
            return Ok(());
        }
        self.have(*operand)?;
        *operand = self.rename.operand(*operand);
        Ok(())
    }

    /// The region's name for a local.
    fn local(&mut self, local: Local) -> Result<Local, PassError> {
        if let Some(&known) = self.rename.locals.get(&local) {
            return Ok(known);
        }
        self.have(Operand::Local(local))?;
        Ok(self.rename.local(local))
    }

    /// Makes sure that the region has a variable.
    fn have(&mut self, var: Operand) -> Result<(), PassError> {
        if !self.wanted(var) {
            return Ok(());
        }
        match var {
            Operand::Local(local) => {
                self.only_inside(var)?;
                let data = self.work.body.locals[local].clone();
                self.rename.locals.insert(local, self.region.locals.push(data));
            }
            Operand::Slot(slot) => {
                self.only_inside(var)?;
                let moved = self.region.slots.push(self.work.body.slots[slot].clone());
                self.moved_slots.push(moved);
                self.rename.slots.insert(slot, Operand::Slot(moved));
            }
            Operand::Global(global) => {
                let data = &self.work.module.globals[global];
                if !data.constant && data.declare.is_none() && !self.data.kind.is_threaded() {
                    // A `static` of a block inside the construct.
                    self.only_inside(var)?;
                }
                self.rename.globals.insert(global, var);
            }
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => {}
        }
        Ok(())
    }

    fn only_inside(&self, var: Operand) -> Result<(), PassError> {
        if self.totals.count(var) == self.inside.count(var) { Ok(()) } else { Err(self.no_clause(var)) }
    }

    fn no_clause(&self, var: Operand) -> PassError {
        let id = match var {
            Operand::Local(local) => local.to_string(),
            Operand::Slot(slot) => slot.to_string(),
            Operand::Global(global) => global.to_string(),
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => String::new(),
        };
        let name = self.variable_name(var).map_or(String::new(), |name| format!(" (`{name}`)"));
        self.work.defect(self.data.pos, format!("{id}{name} is used in a construct, but no clause says how"))
    }

    /// Corrects what moved slots say about loops, once the loops have their new ids.
    pub fn finish_slots(&mut self, loops: &FxHashMap<Loop, Loop>) {
        for &slot in &self.moved_slots {
            let declared_in = &mut self.region.slots[slot].declared_in;
            *declared_in = declared_in.and_then(|loop_| loops.get(&loop_).copied());
        }
    }
}

fn value_line(name: Arc<str>, ty: Type) -> RegionParam {
    let (how, bytes) = (PassHow::Value(ty), Some(ty.bytes().into()));
    RegionParam { name, how, kind: None, bytes, argument: false }
}

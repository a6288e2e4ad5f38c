//! The clauses of launches and of the data region around them.

use super::host::HostSide;
use super::separate::Piece;
use crate::acc::{
    Async, ConstructData, DataKind, DataMap, DataOp, Dims, MapKind, MapModifiers, PrivateVar, Scheduling,
    Wait,
};
use crate::analysis::cfg::predecessors_of;
use crate::builder::Cursor;
use crate::entities::{Construct, Local, Slot, set_of};
use crate::function::{Body, SlotData};
use crate::op::{BinaryOp, CmpOp, Op, Operand};
use crate::types::Type;
use cranelift_entity::EntitySet;

/// Whether a construct writes a variable that its clauses give it as a value or as a pointer.
pub(super) fn writes_clause_variables(body: &Body, construct: Construct) -> bool {
    let data = &body.constructs[construct];
    let values = data.firstprivate.iter().map(|private| private.var);
    let pointers =
        data.maps.iter().filter(|map| map.pointer_bias.is_some() || map.kind == MapKind::DevicePtr);
    let given = values
        .chain(pointers.filter_map(|map| map.var))
        .chain(data.maps.iter().filter_map(|map| map.var).filter(|var| var.as_local().is_some()));
    let (locals, objects): (Vec<Operand>, Vec<Operand>) = given.partition(|var| var.as_local().is_some());
    let locals: EntitySet<Local> = set_of(locals.into_iter().filter_map(Operand::as_local));
    body.construct_blocks(construct).into_iter().any(|block| {
        body.blocks[block].insts.iter().any(|inst| {
            let mut writes = false;
            inst.op.defs(|local| writes |= locals.contains(local));
            // An address that goes elsewhere may be written through.
            if !objects.is_empty() && !matches!(inst.op, Op::Load { .. }) {
                inst.op.operands(|operand| writes |= objects.contains(&operand));
            }
            writes
        })
    })
}

/// Gives the launches their clauses, and puts a data region around them if there are several.
pub(super) fn give_clauses(
    body: &mut Body,
    construct: Construct,
    side: &HostSide,
    pieces: Vec<Piece>,
    created: Vec<Slot>,
) {
    let data = body.constructs[construct].clone();
    let kept = |map: &&DataMap| !matches!(map.var, Some(Operand::Slot(slot)) if side.slots.contains(&slot));
    let (given, values): (Vec<&DataMap>, Vec<&DataMap>) = data.maps.iter().partition(kept);
    let private = |map: &&DataMap| {
        let Some(Operand::Slot(slot)) = map.var else { return None };
        let SlotData { size, align, .. } = body.slots[slot];
        let (name, var) = (map.name.clone(), Operand::Slot(slot));
        Some(PrivateVar { name, var, bytes: size, align, implicit: true, pos: map.pos })
    };
    let values: Vec<PrivateVar> = values.iter().filter_map(private).collect();
    let created = created.into_iter().map(|slot| body.create_clause(slot, data.pos));
    let maps: Vec<DataMap> = given.into_iter().cloned().chain(created).collect();
    let is_alone = matches!(&pieces[..], [only] if !only.repeats);
    for piece in &pieces {
        let (own, scheduling) = match is_alone {
            true => (maps.clone(), data.scheduling.clone()),
            false => in_data_region(body, piece, &maps, &data.scheduling),
        };
        let target = &mut body.constructs[piece.construct];
        target.firstprivate.extend(values.iter().cloned());
        (target.maps, target.scheduling) = (own, scheduling);
        if piece.nest.is_none() {
            // One gang executes it.
            target.dims = Dims::default();
        }
    }
    body.constructs[construct] = ConstructData::dead();
    if !is_alone && !maps.is_empty() {
        put_data_region(body, &data, maps);
    }
}

/// The clauses of a launch in a data region, which has moved everything, and waited.
fn in_data_region(
    body: &Body,
    piece: &Piece,
    maps: &[DataMap],
    scheduling: &Scheduling,
) -> (Vec<DataMap>, Scheduling) {
    let mut used = vec![false; maps.len()];
    let names_locals = maps.iter().any(|map| map.var.is_some_and(|var| var.as_local().is_some()));
    piece.operands(body, |operand| {
        let is_variable = match operand {
            Operand::Slot(_) | Operand::Global(_) => true,
            Operand::Local(_) => names_locals,
            Operand::Func(_) | Operand::Int(..) | Operand::F32(_) | Operand::F64(_) => false,
        };
        if !is_variable {
            return;
        }
        let uses = maps.iter().zip(&mut used).filter(|(map, _)| map.var == Some(operand));
        uses.for_each(|(_, is_used)| *is_used = true);
    });
    let present = |map: &DataMap| {
        let read_later = map.modifiers.read_later;
        DataMap { modifiers: MapModifiers { read_later, ..MapModifiers::default() }, ..map.clone() }
    };
    let own = maps.iter().zip(used).filter(|(_, is_used)| *is_used).map(|(map, _)| present(map)).collect();
    let async_ = on_one_queue(scheduling.async_);
    (own, Scheduling { wait: Wait::default(), async_, ..scheduling.clone() })
}

/// Puts a data region around what a construct was.
fn put_data_region(body: &mut Body, data: &ConstructData, maps: Vec<DataMap>) {
    let before = predecessors_of(body, data.entry).first().copied();
    let Some(before) = before else { return };
    let mut cursor = Cursor::with_pos(body, before, data.pos);
    let if_ = begins(&mut cursor, &data.scheduling);
    let async_ = on_one_queue(data.scheduling.async_);
    let scheduling = Scheduling { if_, self_: None, async_, ..data.scheduling.clone() };
    let begin = DataOp::new(DataKind::DataBegin, maps, scheduling);
    let scheduling = Scheduling { wait: Wait::default(), ..begin.scheduling.clone() };
    let end = DataOp { kind: DataKind::DataEnd, scheduling, ..begin.clone() };
    cursor.data(begin);
    Cursor::at_start(body, data.exit, data.pos, |cursor| cursor.data(end));
}

/// The queue of launches and of the data region around them: the host waits once, at the end.
fn on_one_queue(async_: Async) -> Async {
    if async_ == Async::Sync { Async::OfData } else { async_ }
}

/// The condition under which a data region moves anything: the construct's `if`, and not its `self`.
fn begins(cursor: &mut Cursor<'_>, scheduling: &Scheduling) -> Option<Operand> {
    let Some(self_) = scheduling.self_ else { return scheduling.if_ };
    let if_ = scheduling
        .if_
        .unwrap_or_else(|| cursor.compare(CmpOp::Eq, Operand::Int(Type::I32, 0), Operand::Int(Type::I32, 0)));
    let on_host = cursor.binary(BinaryOp::And, self_, if_);
    Some(cursor.binary(BinaryOp::Xor, on_host, if_))
}

//! The end of a stretch: what the leader changed reaches the threads that waited.

use super::threads::index;
use super::{Meeting, Neuter, number};
use accrue_ir::builder::Cursor;
use accrue_ir::edit::split::{block_before, redirect};
use accrue_ir::{Address, Block, ConvertOp, Level, Local, Operand, Pos, Slot, SlotData, SlotKind, Type};

/// Where a local is in the record of a stretch.
struct Field {
    local: Local,
    /// The type in the record.
    ty: Type,
    at: Address,
}

impl Neuter<'_> {
    /// Writes the code between the exits of a stretch and their targets.
    pub(super) fn meeting(
        &mut self,
        level: Level,
        exits: &[(Block, Block)],
        targets: &[Block],
        changed: &[Local],
        pos: Pos,
    ) -> Meeting {
        let mut changed = changed.to_vec();
        let numbers = number(targets);
        let selector = (targets.len() > 1).then(|| self.body.temp(Type::I32));
        changed.extend(selector);
        let first = targets.first().copied().unwrap_or_else(|| self.body.entry());
        let meet = block_before(self.body, first);
        let publish = block_before(self.body, meet);
        let mut published = vec![publish];
        for &(from, to) in exits {
            let mut next = publish;
            if let Some(selector) = selector {
                next = block_before(self.body, publish);
                published.push(next);
                let mut cursor = Cursor::with_pos(self.body, next, pos);
                cursor.assign(selector, Operand::Int(Type::I32, numbers[&to]));
                cursor.jump(publish);
            }
            redirect(self.body, from, to, next);
        }
        self.record(level, publish, meet, &changed, pos);
        let mut cursor = Cursor::with_pos(self.body, meet, pos);
        match (selector, targets) {
            (Some(selector), [rest @ .., last]) => {
                let cases = rest.iter().map(|to| (numbers[to], numbers[to], *to)).collect();
                cursor.switch(Operand::Local(selector), cases, *last);
            }
            (_, [only, ..]) => cursor.jump(*only),
            (_, []) => {}
        }
        Meeting { block: meet, has_record: !changed.is_empty(), published }
    }

    /// Through a record in memory that they share, between two barriers: this one, and the one that ends
    /// partitioned mode.
    pub(super) fn record(&mut self, level: Level, publish: Block, meet: Block, changed: &[Local], pos: Pos) {
        let fields = self.fields(level, changed);
        let mut cursor = Cursor::with_pos(self.body, publish, pos);
        for field in &fields {
            let mut value = Operand::Local(field.local);
            if cursor.body.locals[field.local].ty == Type::I1 {
                value = cursor.convert(ConvertOp::ZExt, field.ty, value);
            }
            cursor.store(field.at, value);
        }
        cursor.jump(meet);
        let mut cursor = Cursor::with_pos(self.body, meet, pos);
        cursor.barrier(level);
        for field in &fields {
            let value = cursor.load(field.ty, field.at);
            let value = match cursor.body.locals[field.local].ty {
                Type::I1 => cursor.compare(accrue_ir::CmpOp::Ne, value, Operand::Int(field.ty, 0)),
                _ => value,
            };
            cursor.assign(field.local, value);
        }
    }

    /// Lays out the record, widest fields first.
    fn fields(&mut self, level: Level, changed: &[Local]) -> Vec<Field> {
        let memory = |ty: Type| if ty == Type::I1 { Type::I8 } else { ty };
        let mut list: Vec<(Local, Type)> =
            changed.iter().map(|&local| (local, memory(self.body.locals[local].ty))).collect();
        list.sort_by_key(|&(_, ty)| std::cmp::Reverse(ty.align()));
        let size: u64 = list.iter().map(|&(_, ty)| u64::from(ty.bytes())).sum();
        if size == 0 {
            return Vec::new();
        }
        let slot = self.record_slot(level, size);
        let mut offset = 0;
        let mut fields = Vec::with_capacity(list.len());
        for (local, ty) in list {
            fields.push(Field { local, ty, at: Address::from(slot).plus(offset) });
            offset += i64::from(ty.bytes());
        }
        fields
    }

    fn record_slot(&mut self, level: Level, size: u64) -> Slot {
        let kind = [SlotKind::Launch, SlotKind::Broadcast, SlotKind::WorkerPrivate][index(level)];
        let slot = self.body.slots.push(SlotData {
            size,
            align: 16,
            name: None,
            restrict: false,
            kind,
            declared_in: None,
        });
        self.records.add_slot(slot);
        slot
    }
}

//! The present table: which parts of the host's memory have a copy on the device, and how long it will stay.
//!
//! Blocks do not overlap. Each has two reference counters (OpenACC 3.3, 2.6.7): the structured one counts the
//! data and compute constructs that are inside, the dynamic one `enter data` and its routines. A block is
//! gone when both are zero. OpenMP has one counter (5.2, 5.8.6), so that `exit data` ends what a construct
//! began: all its lifetimes count in the dynamic one.

use super::mark::Mark;
use super::sites::Sites;
use crate::abi::Elements;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A range of host memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    /// First byte.
    pub(crate) start: u64,
    /// Bytes.
    pub(crate) bytes: u64,
}

impl Range {
    /// The byte behind the last one. A range that would wrap around ends with the address space.
    pub(crate) fn end(self) -> u64 {
        self.start.saturating_add(self.bytes)
    }

    /// Whether all of `other` is in it.
    pub(crate) fn contains(self, other: Range) -> bool {
        self.start <= other.start && other.end() <= self.end()
    }
}

/// How a lifetime counts in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counter {
    /// Of a construct.
    Structured,
    /// Of `enter data` and its routines.
    Dynamic,
    /// OpenMP has one counter, in which all its lifetimes count: that of `enter data`.
    Single,
}

/// Whose the device memory of a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// The runtime's, in memory that starts there, at the block or a few bytes before: freed with the block.
    Runtime(u64),
    /// The program's own (`acc_map_data`): the block stays until `acc_unmap_data`.
    Program,
    /// An object of the device's code (`declare`): the block stays for ever.
    Code,
    /// The runtime's, with other members of a structure in the memory that starts there.
    Part(u64),
    /// As for `declare`, but by `link`: the block goes as those of the runtime do, the memory stays.
    Link,
}

impl Owner {
    /// Whether counters decide when the block goes.
    pub(crate) fn is_counted(self) -> bool {
        match self {
            Owner::Runtime(_) | Owner::Part(_) | Owner::Link => true,
            Owner::Program | Owner::Code => false,
        }
    }
}

/// A pointer in a block whose copy on the device points to device memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Attachment {
    /// Attach actions without their detach actions.
    pub(crate) count: u64,
    /// What the device's copy holds.
    pub(crate) value: u64,
}

/// A part of the host's memory that has a copy.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The part.
    pub(crate) range: Range,
    /// Address of the copy.
    pub(crate) device: u64,
    /// Whose it is.
    pub(crate) owner: Owner,
    /// The structured reference counter.
    pub(crate) structured: u64,
    /// The dynamic reference counter.
    pub(crate) dynamic: u64,
    /// The pointer through which the section was reached, if it was: it may point outside of the section.
    pub(crate) pointer: u64,
    /// Attached pointers in it, by their host addresses.
    pub(crate) attached: BTreeMap<u64, Attachment>,
    /// What the program called it when it was made.
    pub(crate) name: &'static str,
    /// What it holds, where a clause said so.
    pub(crate) elements: Option<&'static Elements>,
    /// The region that used it last, where results are checked.
    pub(crate) region: Option<Arc<str>>,
    /// Most terms of a reduction in a region that used it.
    pub(crate) terms: u64,
    /// Behind the work that made it: other queues wait for that before they use the block.
    pub(crate) ready: Option<Arc<Mark>>,
    /// Behind work of asynchronous constructs that have left the block, at most one for each queue: whoever
    /// copies it out or frees it waits for that.
    pub(crate) users: Vec<Arc<Mark>>,
}

impl Block {
    /// A block without lifetimes.
    pub(crate) fn new(range: Range, device: u64, owner: Owner, name: &'static str) -> Block {
        Block {
            range,
            device,
            owner,
            structured: 0,
            dynamic: 0,
            pointer: range.start,
            attached: BTreeMap::new(),
            name,
            elements: None,
            region: None,
            terms: 0,
            ready: None,
            users: Vec::new(),
        }
    }

    /// A lifetime begins.
    pub(crate) fn hold(&mut self, counter: Counter) {
        match counter {
            Counter::Structured => self.structured += 1,
            Counter::Dynamic | Counter::Single => self.dynamic += 1,
        }
    }

    /// A lifetime ends. Its block may have gone by force, and this one come since.
    pub(crate) fn let_go(&mut self, counter: Counter) {
        let count = match counter {
            Counter::Structured => &mut self.structured,
            Counter::Dynamic | Counter::Single => &mut self.dynamic,
        };
        *count = count.saturating_sub(1);
    }

    /// Notes that the work before a mark uses the block.
    pub(crate) fn used_until(&mut self, mark: Arc<Mark>) {
        self.users.retain(|other| other.queue != mark.queue);
        self.users.push(mark);
    }

    /// The device's counterpart of a host address in the block.
    pub(crate) fn translate(&self, host: u64) -> u64 {
        self.device.wrapping_add(host.wrapping_sub(self.range.start))
    }

    /// From host addresses to the device's.
    pub(crate) fn distance(&self) -> u64 {
        self.device.wrapping_sub(self.range.start)
    }

    /// Whether nobody needs the block any more.
    pub(crate) fn is_unused(&self) -> bool {
        self.owner.is_counted() && self.structured == 0 && self.dynamic == 0
    }

    /// The parts of a range that hold no attached pointers, so that copies leave both sides' pointers alone.
    /// Who copies just a pointer means it, but in OpenMP.
    pub(crate) fn without_pointers(&self, range: Range, counter: Counter) -> Vec<Range> {
        const POINTER: u64 = size_of::<usize>() as u64;
        let is_meant = counter != Counter::Single && range.bytes == POINTER;
        if is_meant && self.attached.contains_key(&range.start) {
            return vec![range];
        }
        let mut parts = Vec::with_capacity(1);
        let mut start = range.start;
        let from = range.start.saturating_sub(POINTER - 1);
        for (&pointer, _) in self.attached.range(from..range.end()) {
            if pointer > start {
                parts.push(Range { start, bytes: pointer - start });
            }
            start = start.max(pointer + POINTER);
        }
        if start < range.end() {
            parts.push(Range { start, bytes: range.end() - start });
        }
        parts
    }
}

/// What the table says about a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// All of it is in the block that starts there.
    Inside(u64),
    /// A part of it is in that block, and maybe others in others.
    Partly(u64),
    /// Nothing of it has a copy.
    Nowhere,
}

/// The blocks of a device.
#[derive(Default, Debug)]
pub(crate) struct Table {
    blocks: BTreeMap<u64, Block>,
    /// Pointers of members in whose place the whole structure is: when it goes, they come back.
    pub(super) aside: Vec<Block>,
    /// Blocks in memory that several share, by its address.
    parts: BTreeMap<u64, u64>,
    /// Blocks that have come and gone.
    pub(super) changes: u64,
    pub(super) sites: Sites,
}

impl Table {
    /// Where a range is. One without bytes is at its address.
    pub(crate) fn find(&self, range: Range) -> Found {
        let wanted = Range { bytes: range.bytes.max(1), ..range };
        match self.blocks.range(..wanted.end()).next_back() {
            Some((&start, block)) if block.range.contains(wanted) => Found::Inside(start),
            Some((_, block)) if block.range.end() > wanted.start => {
                // The first one that it meets, so that messages do not depend on what else is there.
                let mut meets = self.blocks.range(..wanted.end());
                let first = meets.find(|(_, block)| block.range.end() > wanted.start);
                Found::Partly(first.map_or(block.range.start, |(&start, _)| start))
            }
            _ => Found::Nowhere,
        }
    }

    /// The block that holds all of a range.
    pub(crate) fn holder(&self, range: Range) -> Option<&Block> {
        match self.find(range) {
            Found::Inside(start) => self.get(start),
            Found::Partly(_) | Found::Nowhere => None,
        }
    }

    /// The block that holds the byte at this address.
    pub(crate) fn block_at(&mut self, host: u64) -> Option<&mut Block> {
        match self.find(Range { start: host, bytes: 1 }) {
            Found::Inside(start) => self.get_mut(start),
            Found::Partly(_) | Found::Nowhere => None,
        }
    }

    /// The block that was reached through this pointer.
    pub(crate) fn reached_through(&self, pointer: u64) -> Option<&Block> {
        self.blocks.values().find(|block| block.pointer == pointer)
    }

    /// Whether a pointer in some copy leads to a block.
    pub(super) fn is_attached(&self, block: &Block) -> bool {
        let mut attached = self.blocks.values().flat_map(|other| other.attached.values());
        attached.any(|attachment| attachment.value == block.translate(block.pointer))
    }

    /// The device's counterpart of a host address.
    pub(crate) fn translate(&self, host: u64) -> Option<u64> {
        self.holder(Range { start: host, bytes: 1 }).map(|block| block.translate(host))
    }

    /// The block whose copy holds all of these bytes of device memory.
    pub(crate) fn by_device(&self, device: u64, bytes: u64) -> Option<&Block> {
        self.blocks.values().find(|block| {
            device >= block.device && device.saturating_add(bytes) <= block.device + block.range.bytes
        })
    }

    /// The block whose copy shares bytes with this range of device memory.
    pub(crate) fn meets_device(&self, device: u64, bytes: u64) -> Option<&Block> {
        self.blocks.values().find(|block| {
            device < block.device + block.range.bytes && block.device < device.saturating_add(bytes)
        })
    }

    /// The block that starts there.
    pub(crate) fn get(&self, start: u64) -> Option<&Block> {
        self.blocks.get(&start)
    }

    /// The block of a pointer that came with the section behind it.
    pub(crate) fn pointer_block(&mut self, at: u64) -> Option<&mut Block> {
        let range = Range { start: at, bytes: size_of::<usize>() as u64 };
        self.get_mut(at).filter(|block| block.range == range && matches!(block.owner, Owner::Part(_)))
    }

    /// The block that starts there.
    pub(crate) fn get_mut(&mut self, start: u64) -> Option<&mut Block> {
        self.blocks.get_mut(&start)
    }

    /// Adds a block; nothing else covers its range.
    pub(crate) fn insert(&mut self, block: Block) {
        debug_assert_eq!(self.find(block.range), Found::Nowhere);
        self.changes += 1;
        self.blocks.insert(block.range.start, block);
    }

    /// Takes a block out.
    pub(crate) fn remove(&mut self, start: u64) -> Option<Block> {
        self.changes += 1;
        self.blocks.remove(&start)
    }

    /// Takes the block of a pointer out as long as the structure around it is there.
    pub(super) fn set_aside(&mut self, start: u64) -> Option<&Block> {
        let block = self.remove(start)?;
        self.aside.push(block);
        self.aside.last()
    }

    /// The blocks that share bytes with a range.
    pub(crate) fn meeting(&self, range: Range) -> impl Iterator<Item = &Block> {
        self.blocks
            .values()
            .filter(move |block| block.range.start < range.end() && range.start < block.range.end())
    }

    /// Somebody uses a part of the memory at this device address.
    pub(crate) fn hold_part(&mut self, device: u64) {
        *self.parts.entry(device).or_default() += 1;
    }

    /// Somebody does not any more. Says whether it was the last one.
    pub(crate) fn release_part(&mut self, device: u64) -> bool {
        let Some(count) = self.parts.get_mut(&device) else { return false };
        *count -= 1;
        let last = *count == 0;
        if last {
            self.parts.remove(&device);
        }
        last
    }

    /// Forgets everything; gives the device memory that was the runtime's.
    pub(crate) fn take_all(&mut self) -> Vec<u64> {
        let own = self.blocks.values().filter_map(|block| match block.owner {
            Owner::Runtime(memory) => Some(memory),
            Owner::Part(_) | Owner::Program | Owner::Code | Owner::Link => None,
        });
        let all = own.chain(self.parts.keys().copied()).collect();
        *self = Table::default();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn block(start: u64, bytes: u64, device: u64) -> Block {
        Block { dynamic: 1, ..Block::new(Range { start, bytes }, device, Owner::Runtime(device), "a") }
    }

    fn range(start: u64, bytes: u64) -> Range {
        Range { start, bytes }
    }

    #[test]
    fn ranges_are_inside_partly_or_nowhere() {
        let mut table = Table::default();
        table.insert(block(100, 20, 1000));
        table.insert(block(120, 10, 5000));
        for (start, bytes) in [(100, 20), (100, 1), (119, 1), (105, 0)] {
            assert_eq!(table.find(range(start, bytes)), Found::Inside(100), "{start} {bytes}");
        }
        assert_eq!(table.find(range(120, 0)), Found::Inside(120));
        for (start, bytes) in [(90, 11), (90, 200), (100, 21), (119, 2)] {
            assert_eq!(table.find(range(start, bytes)), Found::Partly(100), "{start} {bytes}");
        }
        assert_eq!(table.find(range(125, 50)), Found::Partly(120));
        for (start, bytes) in [(90, 10), (99, 0), (130, 1), (130, u64::MAX), (0, 0)] {
            assert_eq!(table.find(range(start, bytes)), Found::Nowhere, "{start} {bytes}");
        }
        assert_eq!(table.translate(119), Some(1019));
        assert_eq!(table.translate(120), Some(5000));
        assert_eq!(table.translate(130), None);
    }

    #[test]
    fn device_addresses_lead_back() {
        let mut table = Table::default();
        table.insert(block(100, 20, 1000));
        assert_eq!(table.by_device(1019, 1).map(|block| block.range.start), Some(100));
        assert!(table.by_device(1019, 2).is_none());
        assert!(table.meets_device(1019, 2).is_some());
        assert!(table.meets_device(1020, 2).is_none());
        assert!(table.meets_device(990, 10).is_none());
    }

    #[test]
    fn copies_leave_attached_pointers_alone() {
        let mut block = block(100, 40, 1000);
        assert_eq!(block.without_pointers(range(100, 40), Counter::Dynamic), [range(100, 40)]);
        let attachment = Attachment { count: 1, value: 7 };
        block.attached.insert(108, attachment);
        block.attached.insert(132, attachment);
        assert_eq!(block.without_pointers(range(100, 40), Counter::Dynamic), [range(100, 8), range(116, 16)]);
        assert_eq!(block.without_pointers(range(108, 8), Counter::Dynamic), [range(108, 8)]);
        assert_eq!(block.without_pointers(range(108, 8), Counter::Single), []);
        assert_eq!(block.without_pointers(range(109, 7), Counter::Dynamic), []);
        assert_eq!(block.without_pointers(range(112, 8), Counter::Dynamic), [range(116, 4)]);
        assert_eq!(block.without_pointers(range(116, 4), Counter::Dynamic), [range(116, 4)]);
    }

    #[test]
    fn a_pointer_outside_of_its_section_is_found() {
        let mut table = Table::default();
        table.insert(Block { pointer: 92, ..block(100, 8, 1000) });
        assert_eq!(table.reached_through(92).map(|block| block.device), Some(1000));
    }

    #[test]
    fn counters_decide_unless_the_program_owns_the_memory() {
        let mut block = block(100, 8, 1000);
        assert!(!block.is_unused());
        block.dynamic = 0;
        assert!(block.is_unused());
        block.owner = Owner::Program;
        assert!(!block.is_unused());
    }
}

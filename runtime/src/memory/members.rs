//! Members of one structure that a directive names one by one, as in `enter data copyin(s.n, s.p[0:n])`:
//! their copies lie as the members do, so that code which knows the structure finds all of them from the
//! address of one. A section through a pointer member brings the pointer with it, since without it nobody
//! could reach the section.

use super::enter::Wish;
use super::entry::{Entry, Item};
use super::leave::release;
use super::state::Memory;
use super::table::{Attachment, Block, Counter, Found, Owner, Range, Table};
use super::work::Work;
use crate::abi::{MapDesc, MapKind, Member};
use smallvec::SmallVec;
use std::collections::BTreeMap;

const POINTER: u64 = size_of::<usize>() as u64;
/// The strictest alignment of an object on the host. Copies are as far from a multiple of it as their
/// originals.
pub(super) const ALIGNMENT: u64 = 16;

/// Attached pointers by their host addresses.
pub(super) type Attached = BTreeMap<u64, Attachment>;

/// Where new copies of members go.
#[derive(Default, Debug)]
pub(super) struct Placement {
    /// Parts of host memory, with the device's counterpart of their start.
    parts: Vec<(Range, u64)>,
}

impl Placement {
    /// The place of a copy of this range, and the memory that it is a part of.
    pub(super) fn find(&self, range: Range) -> Option<(u64, Owner)> {
        let (part, device) = self.parts.iter().find(|(part, _)| part.contains(range))?;
        Some((device + (range.start - part.start), Owner::Part(*device)))
    }
}

/// The structure that an expression names a member of: the variable in front of the first member access, or
/// a pointer in front of a later one through which another item is mapped. Without that item, `s.p[0].x` may
/// be in an array that is a member of `s`, and of `s.p->x`, the pointer has to be there beside the other
/// members of `s`. Of `a[i].x`, it is the element.
fn structure<'a>(name: &'a str, items: &[Item<'_>]) -> Option<&'a str> {
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let end = end + brackets(&name[end..])?;
    let rest = &name[end..];
    if end == 0 || !(rest.starts_with('.') || rest.starts_with("->")) {
        return None;
    }
    let leads_through = |pointer: &str| {
        let mut sections = items.iter().filter(|item| item.desc.is(MapDesc::THROUGH_POINTER));
        sections.any(|item| {
            let section = item.desc.name.strip_prefix(pointer).and_then(|rest| rest.strip_prefix('['));
            section.and_then(|rest| rest.split_once(']')).is_some_and(|(_, behind)| behind.is_empty())
        })
    };
    let (mut last, mut depth, mut opened) = (end, 0, end);
    for (at, byte) in name.bytes().enumerate().skip(end + 1) {
        match byte {
            b'[' => {
                opened = if depth == 0 { at } else { opened };
                depth += 1;
            }
            b']' => depth -= 1,
            b'-' if depth == 0 && name[at..].starts_with("->") && leads_through(&name[..at]) => last = at,
            b'.' if depth == 0 && name[..at].ends_with(']') && leads_through(&name[..opened]) => {
                last = opened
            }
            _ => {}
        }
    }
    Some(&name[..last])
}

/// The length of the subscripts with which a text starts.
fn brackets(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// Whether the members that a directive names of an element are given a place: `a[i].x`, with the pointers of
/// sections such as `a[i].p[0:n]` beside them. Pointers alone are so only if a region of OpenMP looks for
/// them behind a pointer `a`: a program that maps all sections first, and the array afterwards, could not map
/// that any more.
fn is_placed_element(element: &str, items: &[Item<'_>], counter: Counter) -> bool {
    let array = element.split_once('[').map(|(array, _)| array);
    items.iter().any(|item| {
        if item.desc.is(MapDesc::THROUGH_POINTER) {
            return counter == Counter::Single && Some(item.desc.name.text()) == array;
        }
        item.desc.name.strip_prefix(element).is_some_and(|rest| rest.starts_with('.'))
    })
}

/// The part of the structure that a clause is about.
fn span(item: &Item<'_>) -> Range {
    if item.desc.is(MapDesc::THROUGH_POINTER) && item.values.pointer_at != 0 {
        Range { start: item.values.pointer_at, bytes: POINTER }
    } else {
        item.range()
    }
}

/// The pointer that leads to a member, of `s.p->x` and `s.p[i].x`: `s.p`, if it is a member itself.
fn leads_to_member<'a>(item: &Item<'a>) -> Option<&'a str> {
    let name = item.desc.name.text();
    let is_data =
        makes_copies(item.desc.kind()) || matches!(item.desc.kind(), MapKind::Present | MapKind::NoCreate);
    let leads_on = item.desc.is(MapDesc::THROUGH_POINTER) && item.values.pointer_at != 0;
    if !is_data || !leads_on || name.ends_with(']') {
        return None;
    }
    let (mut pointer, mut depth, mut opened) = (None, 0, 0);
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'[' => {
                opened = if depth == 0 { at } else { opened };
                depth += 1;
            }
            b']' => depth -= 1,
            b'-' if depth == 0 && name[at..].starts_with("->") => pointer = Some(at),
            b'.' if depth == 0 && name[..at].ends_with(']') => pointer = Some(opened),
            _ => {}
        }
    }
    pointer.map(|end| &name[..end])
}

/// The structures that a clause is about, with the part of each.
fn parts<'a>(item: &Item<'a>, items: &[Item<'a>]) -> SmallVec<[(&'a str, Range); 2]> {
    match leads_to_member(item) {
        Some(pointer) => {
            let around = structure(pointer, items).map(|variable| (variable, span(item)));
            around.into_iter().chain([(pointer, item.range())]).collect()
        }
        None => structure(item.desc.name.text(), items)
            .map(|variable| (variable, span(item)))
            .into_iter()
            .collect(),
    }
}

/// The pointer member through which an earlier directive mapped the structure that holds a member: `s.p`, of
/// `s.p[i].q` behind `enter data copyin(s.p[0:n])`. What is behind it lies in no place beside `s`.
fn section_before<'a>(table: &Table, holder: &Block, name: &'a str) -> Option<&'a str> {
    let (pointer, _) = holder.name.strip_suffix(']')?.rsplit_once('[')?;
    let behind = name.strip_prefix(pointer)?;
    let leads_on = behind.starts_with('[') || behind.starts_with("->");
    // An array of `s` that was mapped alone has to lie in it.
    (leads_on && table.is_attached(holder)).then(|| &name[..pointer.len()])
}

/// In which turn an item of a directive is entered, wherever it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// An object.
    Whole,
    /// A member that is a structure itself, of which other items name members.
    Structure,
    /// All others.
    Part,
}

impl Turn {
    /// One after the other.
    pub(super) const ALL: [Turn; 3] = [Turn::Whole, Turn::Structure, Turn::Part];

    pub(super) fn of(item: &Item<'_>, items: &[Item<'_>]) -> Turn {
        let implicit = item.desc.is(MapDesc::IMPLICIT);
        if implicit && !item.desc.is(MapDesc::THROUGH_POINTER) {
            return Turn::Whole;
        }
        let (whole, own) = (item.range(), span(item));
        let is_in = |other: Range| other.bytes > 0 && other != whole && other != own && whole.contains(other);
        if item.desc.is(MapDesc::BY_USE) || !items.iter().any(|other| is_in(span(other))) {
            return Turn::Part;
        }
        structure(&item.desc.name, items).map_or(Turn::Whole, |_| Turn::Structure)
    }
}

/// Whether clauses of a construct name all members that it uses of a structure without a clause, which then
/// is not brought: a member in `map(to: s.a)` is not copied back.
pub(super) fn are_named(item: &Item<'_>, items: &[Item<'_>]) -> bool {
    let members = item.desc.members.list();
    let is_named = |member: &Member| {
        let range = Range { start: item.values.start + member.offset, bytes: member.bytes };
        let mut clauses = items.iter().filter(|other| {
            let kind = other.desc.kind();
            // A section that is present does not bring the pointer that leads to it.
            let is_there = kind == MapKind::Present && !other.desc.is(MapDesc::THROUGH_POINTER);
            !other.desc.is(MapDesc::IMPLICIT) && (makes_copies(kind) || is_there)
        });
        clauses.any(|other| range.start < span(other).end() && span(other).start < range.end())
    };
    !members.is_empty()
        && item.desc.is(MapDesc::IMPLICIT)
        && !item.desc.is(MapDesc::THROUGH_POINTER)
        && members.iter().all(is_named)
}

pub(super) fn makes_copies(kind: MapKind) -> bool {
    matches!(kind, MapKind::Copy | MapKind::CopyIn | MapKind::CopyOut | MapKind::Create)
}

impl Memory {
    /// Makes room for the members that a directive names, structure by structure, where none of them is
    /// present.
    pub(super) fn place_members(
        &self,
        table: &mut Table,
        items: &[Item<'_>],
        counter: Counter,
        work: &Work<'_>,
    ) -> Placement {
        let mut structures: BTreeMap<&str, Vec<Range>> = BTreeMap::new();
        for item in items.iter().filter(|item| makes_copies(item.desc.kind())) {
            for (variable, span) in parts(item, items) {
                if variable.ends_with(']') && !is_placed_element(variable, items, counter) {
                    continue;
                }
                structures.entry(variable).or_default().push(span);
            }
        }
        let mut placement = Placement::default();
        for (variable, spans) in structures {
            let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
            let end = spans.iter().map(|span| span.end()).max().unwrap_or(0);
            let is_absent = |span: &Range| span.start != 0 && table.find(*span) == Found::Nowhere;
            // Somebody else's object in between would not be a member.
            let whole = Range { start: first, bytes: end - first };
            if counter == Counter::Single && spans.iter().any(is_absent) {
                set_pointers_aside(table, whole, &spans);
            }
            let absent = |span: &Range| span.start != 0 && table.find(*span) == Found::Nowhere;
            if spans.iter().all(absent) && table.find(whole) == Found::Nowhere && whole.bytes > 0 {
                let before = first % ALIGNMENT;
                let device = work.allocate(before + whole.bytes, variable);
                table.hold_part(device);
                placement.parts.push((Range { start: first - before, bytes: before + whole.bytes }, device));
            }
        }
        placement
    }

    /// Ends the program if members that a directive names do not lie on the device as they do on the host, as
    /// some of them were there before: whoever knows the structure would find the others in the wrong place.
    /// Where a region says which members it uses, [`Memory::find_members`] looks at these instead.
    pub(super) fn check_members(&self, table: &Table, items: &[Item<'_>]) {
        if items.len() < 2 {
            return;
        }
        let mut seen: Vec<(&str, u64, &Item<'_>)> = Vec::new();
        for item in items {
            for (variable, span) in parts(item, items) {
                let is_known =
                    |other: &Item<'_>| *other.desc.name == *variable && !other.desc.members.list().is_empty();
                if items.iter().any(is_known) {
                    continue;
                }
                let Some(block) = table.holder(span).filter(|_| span.start != 0) else { continue };
                let distance = block.distance();
                let variable = section_before(table, block, &item.desc.name).unwrap_or(variable);
                match seen.iter().find(|(other, ..)| *other == variable) {
                    None => seen.push((variable, distance, item)),
                    Some((_, other, _)) if *other == distance => {}
                    Some((.., other)) => item.fail(format_args!(
                        "`{}' and `{}' are members of one structure, but were mapped by different directives, so that \
                         they do not lie beside each other on the device: map the structure, or both together",
                        other.desc.name, item.desc.name,
                    )),
                }
            }
        }
    }

    /// Says where a structure is of which a construct uses members that are present without the rest, by its
    /// own clauses or by directives before it. The region computes the places of all from the structure's
    /// address, so that those that it uses have to lie on the device as they do on the host; what lies
    /// elsewhere does not matter. Ends the program if some do not.
    pub(super) fn find_members(&self, table: &Table, items: &[Item<'_>], entries: &mut [Entry]) {
        let is_found = |(item, _): &(&Item<'_>, &mut Entry)| {
            let kind = item.desc.kind();
            item.desc.is(MapDesc::IMPLICIT)
                && (makes_copies(kind) || matches!(kind, MapKind::NoCreate | MapKind::Present))
        };
        for (item, entry) in items.iter().zip(entries).filter(is_found) {
            let members = item.desc.members.list();
            let through_pointer = item.desc.is(MapDesc::THROUGH_POINTER);
            let start = if through_pointer { item.values.pointer() } else { item.values.start };
            let known = members.iter().map(|member| (member.offset, member.offset + member.bytes));
            let unknown = whole(item).filter(|_| members.is_empty()).map(|bytes| (0, bytes));
            let hull = known.chain(unknown).reduce(|(low, high), (from, to)| (low.min(from), high.max(to)));
            let Some((low, high)) = hull.filter(|_| start != 0) else { continue };
            let whole = Range { start: start + low, bytes: high - low };
            let distance = match (table.find(whole), members) {
                (Found::Nowhere, [first, ..]) if !through_pointer => item.fail(format_args!(
                    "the region uses `{}', which is not present on the device, as other members of the structure are: \
                     map the structure, or all together",
                    first.name,
                )),
                (Found::Nowhere, _) => None,
                (Found::Inside(block), _) => table.get(block).map(Block::distance),
                (Found::Partly(_), []) => distance_of_all(table, whole, item),
                (Found::Partly(_), _) => distance_of(table, start, item),
            };
            let Some(device) = distance.map(|distance| item.values.start.wrapping_add(distance)) else {
                continue;
            };
            // The next time, the start of the structure does not tell whether all is where it was.
            let all = Range { start: start.min(whole.start), bytes: whole.end() - start.min(whole.start) };
            entry.by_members = table.holder(all).is_none();
            entry.device = Some(device);
        }
    }

    /// Memory in which no copy was placed after all goes.
    pub(super) fn end_placement(&self, table: &mut Table, placement: Placement, work: &Work<'_>) {
        for (_, device) in placement.parts {
            if table.release_part(device) {
                work.free(device, "");
            }
        }
    }

    /// Gives the place of members that came with their sections to the whole structure, which a clause now
    /// brings: their pointers stay attached in it. Only where nothing but pointers of members is there, none
    /// of them on behalf of a construct of OpenACC, which would expect to find them until its end. OpenMP has
    /// not mapped them at all (5.2, 5.8.3), so that they come back when the structure goes.
    pub(super) fn absorb_members(
        &self,
        table: &mut Table,
        (whole, counter): (Range, Counter),
        work: &Work<'_>,
    ) -> Option<Attached> {
        let is_member = |block: &Block| whole.contains(block.range) && came_with_section(block);
        if counter == Counter::Structured || !table.meeting(whole).all(is_member) {
            return None;
        }
        let starts: Vec<u64> = table.meeting(whole).map(|block| block.range.start).collect();
        let mut attached = Attached::new();
        for start in starts {
            let block = match counter {
                Counter::Single => table.set_aside(start).cloned(),
                Counter::Dynamic | Counter::Structured => release(table, start, work),
            };
            attached.extend(block.into_iter().flat_map(|block| block.attached));
        }
        Some(attached)
    }

    /// The pointer member that leads to a section counts as the section does.
    pub(super) fn enter_pointer(
        &self,
        table: &mut Table,
        wish: Wish<'_>,
        work: &Work<'_>,
    ) -> Option<Box<Entry>> {
        let Wish { item, counter, placement, held, .. } = wish;
        let range = span(&item);
        structure(&item.desc.name, &[])?;
        if range.start != item.values.pointer_at {
            return None;
        }
        if table.find(range) == Found::Nowhere {
            let (device, owner) = placement.find(range)?;
            if let Owner::Part(part) = owner {
                table.hold_part(part);
            }
            work.upload(device, range, &item.desc.name);
            work.made(range.start);
            let mut block = Block::new(range, device, owner, item.desc.name.text());
            block.hold(counter);
            let holds = counter != Counter::Single || held.is_first(&block);
            table.insert(block);
            let device = Some(device);
            let entry = Entry::new(MapKind::Create, item, counter);
            return Some(Box::new(Entry { range, device, counted: true, holds, ..entry }));
        }
        let (device, holds) = match table.pointer_block(range.start) {
            Some(block) => (Some(block.device), table.hold(range.start, counter, held)),
            None => {
                let block = table.aside.iter().find(|block| block.range == range)?;
                (Some(block.device), table.hold_block(block.clone(), counter, held))
            }
        };
        let entry = Entry::new(MapKind::Create, item, counter);
        Some(Box::new(Entry { range, device, counted: true, holds, ..entry }))
    }
}

/// Whether a block is nothing but a pointer member that a section brought with it.
fn came_with_section(block: &Block) -> bool {
    block.range.bytes == POINTER
        && block.attached.contains_key(&block.range.start)
        && block.structured == 0
        && matches!(block.owner, Owner::Part(_))
}

/// Makes room for members beside pointers that sections of earlier directives brought with them: OpenMP has
/// not mapped these pointers (5.2, 5.8.3). A directive that names them too has copies of its own beside the
/// other members, and the earlier ones come back when it ends. What else lies between the members stays.
fn set_pointers_aside(table: &mut Table, whole: Range, spans: &[Range]) {
    let is_named = |block: &Block| spans.contains(&block.range) && came_with_section(block);
    if table.meeting(whole).all(is_named) {
        let starts: Vec<u64> = table.meeting(whole).map(|block| block.range.start).collect();
        for start in starts {
            table.set_aside(start);
        }
    }
}

/// From the host's structure to the device's copies of the members that a construct uses.
fn distance_of(table: &Table, start: u64, item: &Item<'_>) -> Option<u64> {
    let mut first: Option<(&Member, u64)> = None;
    let mut absent = None;
    for member in item.desc.members.list() {
        let range = Range { start: start + member.offset, bytes: member.bytes };
        if table.find(range) == Found::Nowhere {
            absent = absent.or(Some(member).filter(|member| !member.maybe()));
            continue;
        }
        // Of an array, there may be parts.
        for distance in table.meeting(range).map(Block::distance) {
            match first {
                None => first = Some((member, distance)),
                Some((_, other)) if other == distance => {}
                Some((other, _)) => apart(item, &other.name, &member.name),
            }
        }
    }
    if let (Some((there, _)), Some(absent)) = (first, absent) {
        item.fail(format_args!(
            "the region uses `{}', which is not present on the device, while `{}' of the same structure is: map the \
             structure, or both together",
            absent.name, there.name,
        ));
    }
    first.map(|(_, distance)| distance)
}

/// The bytes of the structure that an item is, or leads to, if that is known.
fn whole(item: &Item<'_>) -> Option<u64> {
    // An array is one part.
    item.desc.elements.filter(|elements| elements.parts().len() > 1).map(|elements| elements.bytes)
}

/// The same for a construct that may use all of it.
fn distance_of_all(table: &Table, whole: Range, item: &Item<'_>) -> Option<u64> {
    let mut blocks = table.meeting(whole);
    let first = blocks.next()?;
    if let Some(other) = blocks.find(|block| block.distance() != first.distance()) {
        apart(item, first.name, other.name);
    }
    Some(first.distance())
}

#[cold]
fn apart(item: &Item<'_>, one: &str, other: &str) -> ! {
    item.fail(format_args!(
        "the region uses `{one}' and `{other}', members of one structure that were mapped by different directives, so \
         that they do not lie beside each other on the device: map the structure, or both together",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_of_names() {
        for (name, variable) in [
            ("s.a", "s"),
            ("v_1->b[0:n]", "v_1"),
            ("s.t.u", "s"),
            ("a[b[0]].x.y", "a[b[0]]"),
            ("a[0][i].x[0:n]", "a[0][i]"),
            ("a[0]->x", "a[0]"),
            ("a[0:n]", ""),
            ("a", ""),
            ("(*p).x", ""),
        ] {
            assert_eq!(structure(name, &[]).unwrap_or_default(), variable, "{name}");
        }
    }
}

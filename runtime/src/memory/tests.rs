//! Lifetimes on a device whose memory can be looked at. Errors end the process, so they are tested by whole
//! programs.

use super::entry::{Entry, Item};
use super::leave::Exit;
use super::table::{Counter, Range};
use super::{Memory, Routine, Side, Work};
use crate::abi::{ASYNC_SYNC, Array, MapDesc, MapKind, Object, ProgramTable, SourcePos, Str};
use crate::device::kind::{self, DeviceId};
use crate::plugin::Runs;
use crate::plugin::host::{DiscreteHost, Image};
use crate::site::Site;
use crate::values::{MapValues, Row};
use smallvec::{SmallVec, smallvec};

/// A device with an image of a program that declares these objects, on either side.
fn memory(host: &[Object], device: &[Object]) -> &'static Memory {
    let table = ProgramTable::new(&[], device.to_vec().leak());
    let image = Image { table: Box::leak(Box::new(table)), is_own: Box::new(|_| false), number: 0 };
    let id = DeviceId { kind: kind::HOST, number: 0 };
    Box::leak(Box::new(Memory::new(Box::new(DiscreteHost::new(image)), id, host.to_vec().leak())))
}

/// An object of the program.
fn object(values: &MapValues, flags: u32) -> Object {
    Object { name: Str::new("g"), address: values.start, bytes: values.runs.bytes, flags }
}

fn desc(kind: MapKind, name: &'static str) -> MapDesc {
    MapDesc {
        name: Str::new(name),
        pos: SourcePos { file: Str::new("t.c"), line: 1 },
        rows: Array::new(&[]),
        elements: None,
        members: Array::new(&[]),
        kind: kind.number(),
        flags: if name.contains('[') { MapDesc::THROUGH_POINTER } else { 0 },
        strides: 0,
    }
}

fn values<T>(data: &[T]) -> MapValues {
    let start = data.as_ptr().expose_provenance() as u64;
    let runs = Runs::one(size_of_val(data) as u64);
    MapValues { start, runs, bias: 0, pointer_at: 0, rows: SmallVec::new() }
}

fn range(values: &MapValues) -> Range {
    Range { start: values.start, bytes: values.runs.bytes }
}

fn with<T>(memory: &'static Memory, what: impl FnOnce(&Work<'_>) -> T) -> T {
    let work = Work::begin(memory, ASYNC_SYNC, Site::routine("test"));
    let result = what(&work);
    work.end();
    result
}

fn enter(
    memory: &'static Memory,
    clauses: &[(MapDesc, MapValues)],
    counter: Counter,
) -> SmallVec<[Entry; 4]> {
    let items: Vec<Item<'_>> = clauses.iter().map(|(desc, values)| Item { desc, values }).collect();
    with(memory, |work| memory.enter(&items, counter, work))
}

fn peek<T: Copy>(device: u64, index: usize) -> T {
    // SAFETY: the tests read within what they have mapped.
    unsafe { *std::ptr::with_exposed_provenance::<T>(device as usize).add(index) }
}

fn poke<T>(device: u64, index: usize, value: T) {
    // SAFETY: as above.
    unsafe { *std::ptr::with_exposed_provenance_mut::<T>(device as usize).add(index) = value }
}

#[test]
fn the_last_lifetime_copies_out() {
    let memory = memory(&[], &[]);
    let mut data = [1i32, 2, 3, 4];
    data.as_mut_ptr().expose_provenance();
    let map = values(&data);
    let device = with(memory, |work| memory.enter_range_of_routine(range(&map), Routine::CopyIn, work));
    assert_eq!(peek::<i32>(device, 3), 4);
    let entries = enter(memory, &[(desc(MapKind::Copy, "data"), map.clone())], Counter::Structured);
    assert_eq!(entries[0].device, Some(device));
    poke(device, 0, 10i32);
    let exit = Exit { copyout: true, finalize: false };
    with(memory, |work| memory.exit(range(&map), exit, work));
    assert!(memory.is_present(range(&map)), "the construct still counts");
    assert_eq!(peek::<i32>(map.start, 0), 1);
    with(memory, |work| memory.leave(&entries, work));
    assert!(!memory.is_present(range(&map)));
    assert_eq!(peek::<i32>(map.start, 0), 10);
}

#[test]
fn what_nobody_copied_is_poison() {
    let memory = memory(&[], &[]);
    let data = [1i32; 4];
    let map = values(&data);
    let device = with(memory, |work| memory.enter_range_of_routine(range(&map), Routine::Create, work));
    assert_eq!(peek::<u32>(device, 0), 0xfbfb_fbfb);
    with(memory, |work| memory.update(Range { start: map.start + 4, bytes: 4 }, Side::Device, work));
    assert_eq!((peek::<i32>(device, 1), peek::<u32>(device, 2)), (1, 0xfbfb_fbfb));
}

#[test]
fn a_section_of_a_member_brings_its_pointer() {
    #[repr(C)]
    struct Vector {
        length: u64,
        data: *const f64,
    }
    let memory = memory(&[], &[]);
    let data = [1.0f64, 2.0];
    let vector = [Vector { length: 2, data: data.as_ptr() }];
    let all = values(&vector);
    let length = MapValues { runs: Runs::one(8), ..all.clone() };
    let section = MapValues { pointer_at: all.start + 8, ..values(&data) };
    let clauses = [
        (desc(MapKind::CopyIn, "v.length"), length),
        (desc(MapKind::CopyIn, "v.data[0:2]"), section.clone()),
    ];
    let entries = enter(memory, &clauses, Counter::Structured);
    let device = entries[0].device.unwrap_or_default();
    assert_eq!(peek::<u64>(device, 0), 2);
    assert_eq!(
        Some(peek::<u64>(device, 1)),
        entries[1].device,
        "the pointer lies behind the length, attached"
    );
    let pointer = Range { start: all.start + 8, bytes: 8 };
    assert!(memory.is_present(pointer) && !memory.is_present(range(&all)));
    with(memory, |work| memory.leave(&entries, work));
    assert!(!memory.is_present(pointer) && !memory.is_present(range(&section)));
    assert_eq!(vector[0].data, data.as_ptr());
    assert_eq!(vector[0].length, 2);
}

#[test]
fn rows_behind_an_array_of_pointers() {
    let memory = memory(&[], &[]);
    let rows = [[1i64, 2, 3], [4, 5, 6]];
    let pointers = [rows[0].as_ptr(), std::ptr::null(), rows[1].as_ptr()];
    rows.as_ptr().expose_provenance();
    let mut map = values(&pointers);
    map.rows = smallvec![Row { lower: 8, runs: Runs::one(16) }];
    let entries = enter(memory, &[(desc(MapKind::Copy, "t[0:3][1:2]"), map)], Counter::Structured);
    let device = entries[0].device.unwrap_or_default();
    let row = peek::<u64>(device, 2);
    assert_eq!((peek::<i64>(row, 1), peek::<i64>(row, 2)), (5, 6));
    poke(row, 2, 60i64);
    with(memory, |work| memory.leave(&entries, work));
    assert_eq!(peek::<i64>(rows.as_ptr().addr() as u64, 5), 60);
    assert_eq!(pointers[0], rows[0].as_ptr(), "pointers are never copied back");
}

#[test]
fn declared_objects_are_present_from_the_start() {
    let (host, device) = ([7i32; 2], [8i32; 2]);
    let (map, copy) = (values(&host), values(&device));
    let memory = memory(&[object(&map, 0)], &[object(&copy, 0)]);
    assert!(!memory.is_present(range(&map)));
    memory.begin();
    assert_eq!(memory.device_address(map.start + 4), Some(copy.start + 4));
    let exit = Exit { copyout: false, finalize: true };
    with(memory, |work| memory.exit(range(&map), exit, work));
    assert!(memory.is_present(range(&map)), "declared objects stay");
    memory.end();
    assert!(!memory.is_present(range(&map)));
    assert_eq!(peek::<i32>(copy.start, 0), 8, "nothing was freed or written");
    assert_eq!(memory.device.object(&object(&map, 0)), Some(copy.start));
}

#[test]
fn linked_objects_have_a_copy_while_data_clauses_make_one() {
    let (host, device) = ([1i32, 2, 3, 4], [0i32; 4]);
    let (map, copy) = (values(&host), values(&device));
    let memory = memory(&[object(&map, Object::LINK)], &[object(&copy, Object::LINK)]);
    memory.begin();
    let part = MapValues { start: map.start + 4, runs: Runs::one(8), ..map };
    let entries = enter(memory, &[(desc(MapKind::CopyIn, "g"), part)], Counter::Structured);
    assert_eq!(entries[0].device, Some(copy.start + 4));
    assert_eq!((peek::<i32>(copy.start, 1), peek::<i32>(copy.start, 2)), (2, 3));
    with(memory, |work| memory.leave(&entries, work));
    assert_eq!(memory.device_address(map.start + 4), None);
}

//! The records of `accrue_runtime::abi` as data objects: one for each directive and one for the program, with
//! the texts and lists that they lead to.

use crate::data_object::{DataObject, Symbol};
use crate::kinds;
use accrue_ir::{
    DataMap, DataOp, DeclareKind, Device, Elements, Func, Global, Launch, LaunchArg, MapKind, Module,
    PassHow, Pos, RegionData, RowSection, Scheduling, Type,
};
use accrue_runtime::abi::{
    self, ArgDesc, ArgKind, Array, DataDesc, ElementPart, LaunchDesc, MapDesc, Object, ProgramTable, Region,
    SourcePos, VERSION,
};
use rustc_hash::FxHashMap;
use std::mem::offset_of;

/// The descriptor of a launch in a function, whose directive is at `pos`.
pub(crate) fn launch(
    module: &Module,
    function: &str,
    launch: &Launch,
    region: &RegionData,
    pos: Pos,
) -> DataObject {
    let mut out = Writer::new(module);
    let at = out.list::<LaunchDesc>(1);
    out.number(at + offset_of!(LaunchDesc, version), VERSION);
    out.number(at + offset_of!(LaunchDesc, kind), kinds::construct(region.construct).number());
    out.object.relocate(at + offset_of!(LaunchDesc, host_entry), Some(Symbol::Function(launch.region)), 0);
    out.text(at + offset_of!(LaunchDesc, region), &module.functions[launch.region].name);
    out.text(at + offset_of!(LaunchDesc, function), function);
    out.pos(at + offset_of!(LaunchDesc, pos), pos);
    out.maps(at + offset_of!(LaunchDesc, maps), &launch.maps);
    out.args(at + offset_of!(LaunchDesc, args), region, &launch.args);
    let Scheduling { wait, task, device, .. } = &launch.scheduling;
    let flags = kinds::flags([
        (wait.present, LaunchDesc::WAIT),
        (task.is_some(), LaunchDesc::TASK),
        (region.constant_dims[0] == 1, LaunchDesc::ONE_GANG),
        (*device != Device::Current, LaunchDesc::TEAMS),
    ]);
    out.number(at + offset_of!(LaunchDesc, flags), flags);
    out.number(at + offset_of!(LaunchDesc, fused), launch.fused);
    out.object
}

/// The descriptor of a data directive in a function, which is at `pos`.
pub(crate) fn data(module: &Module, function: &str, op: &DataOp, pos: Pos) -> DataObject {
    let mut out = Writer::new(module);
    let at = out.list::<DataDesc>(1);
    let (kind, flags) = kinds::data(op.kind);
    out.number(at + offset_of!(DataDesc, version), VERSION);
    out.number(at + offset_of!(DataDesc, kind), kind.number());
    let Scheduling { wait, task, .. } = &op.scheduling;
    let flags = flags | kinds::flags([(wait.present, DataDesc::WAIT), (task.is_some(), DataDesc::TASK)]);
    out.number(at + offset_of!(DataDesc, flags), flags);
    out.text(at + offset_of!(DataDesc, function), function);
    out.pos(at + offset_of!(DataDesc, pos), pos);
    out.maps(at + offset_of!(DataDesc, maps), &op.maps);
    out.object
}

/// The table of a program with these regions and these objects, which it declares for devices.
pub(crate) fn program(module: &Module, regions: &[Func], objects: &[Global]) -> DataObject {
    let mut out = Writer::new(module);
    let at = out.list::<ProgramTable>(1);
    out.number(at + offset_of!(ProgramTable, version), VERSION);
    let list = out.array::<Region>(at + offset_of!(ProgramTable, regions), regions.len());
    for (at, &func) in list.zip(regions) {
        out.text(at + offset_of!(Region, name), &module.functions[func].name);
        out.object.relocate(at + offset_of!(Region, entry), Some(Symbol::Function(func)), 0);
    }
    let list = out.array::<Object>(at + offset_of!(ProgramTable, objects), objects.len());
    for (at, &global) in list.zip(objects) {
        let data = &module.globals[global];
        let is_link = data.declare == Some(DeclareKind::Map(MapKind::Link));
        out.text(at + offset_of!(Object, name), &data.name);
        out.object.relocate(at + offset_of!(Object, address), Some(Symbol::Global(global)), 0);
        out.long(at + offset_of!(Object, bytes), data.size);
        out.number(at + offset_of!(Object, flags), kinds::flags([(is_link, Object::LINK)]));
    }
    out.object
}

/// Writes records. Offsets are those in the object.
struct Writer<'a> {
    module: &'a Module,
    object: DataObject,
    /// Texts that are there: most of the positions name one file.
    texts: FxHashMap<&'a str, usize>,
}

impl<'a> Writer<'a> {
    fn new(module: &'a Module) -> Writer<'a> {
        Writer { module, object: DataObject::default(), texts: FxHashMap::default() }
    }

    /// Room for records in a row.
    fn list<T>(&mut self, count: usize) -> usize {
        self.object.reserve(count * size_of::<T>(), align_of::<T>())
    }

    fn number(&mut self, at: usize, value: u32) {
        self.object.write(at, &value.to_le_bytes());
    }

    fn long(&mut self, at: usize, value: u64) {
        self.object.write(at, &value.to_le_bytes());
    }

    /// An array of `count` elements behind all else; gives where each of them is.
    fn array<T: 'static>(&mut self, at: usize, count: usize) -> impl Iterator<Item = usize> + use<T> {
        let first = self.list::<T>(count);
        if count > 0 {
            self.object.relocate(at + Array::<T>::FIRST, None, first);
        }
        self.long(at + Array::<T>::COUNT, count as u64);
        (0..count).map(move |index| first + index * size_of::<T>())
    }

    fn text(&mut self, at: usize, text: &'a str) {
        if text.is_empty() {
            return;
        }
        let known = self.texts.get(text).copied();
        let first = known.unwrap_or_else(|| {
            let first = self.object.reserve(text.len(), 1);
            self.object.write(first, text.as_bytes());
            self.texts.insert(text, first);
            first
        });
        self.object.relocate(at + Array::<u8>::FIRST, None, first);
        self.long(at + Array::<u8>::COUNT, text.len() as u64);
    }

    fn pos(&mut self, at: usize, pos: Pos) {
        let file = self.module.files.get(pos.file).map_or("", |file| file);
        self.text(at + offset_of!(SourcePos, file), file);
        self.number(at + offset_of!(SourcePos, line), pos.line);
    }

    fn maps(&mut self, at: usize, maps: &'a [DataMap]) {
        for (at, map) in self.array::<MapDesc>(at, maps.len()).zip(maps) {
            self.map(at, map);
        }
    }

    fn map(&mut self, at: usize, map: &'a DataMap) {
        self.text(at + offset_of!(MapDesc, name), &map.name);
        self.pos(at + offset_of!(MapDesc, pos), map.pos);
        // How many strides the rows of each level have.
        let levels =
            || std::iter::successors(map.rows.as_ref(), |section: &&RowSection| section.rows.as_deref());
        for (at, section) in self.array::<u32>(at + offset_of!(MapDesc, rows), levels().count()).zip(levels())
        {
            self.number(at, section.strides.len() as u32);
        }
        if let Some(elements) = &map.elements {
            self.elements(at + offset_of!(MapDesc, elements), elements);
        }
        let members = self.array::<abi::Member>(at + offset_of!(MapDesc, members), map.members.len());
        for (at, member) in members.zip(&map.members) {
            self.text(at + offset_of!(abi::Member, name), &member.name);
            self.long(at + offset_of!(abi::Member, offset), member.offset);
            self.long(at + offset_of!(abi::Member, bytes), member.bytes);
            self.number(at + offset_of!(abi::Member, maybe), member.maybe.into());
        }
        self.number(at + offset_of!(MapDesc, kind), kinds::map(map.kind).number());
        let flags = kinds::flags([
            (map.implicit, MapDesc::IMPLICIT),
            (map.pointer_bias.is_some(), MapDesc::THROUGH_POINTER),
        ]);
        self.number(at + offset_of!(MapDesc, flags), flags | kinds::modifiers(map.modifiers));
        self.number(at + offset_of!(MapDesc, strides), map.strides.len() as u32);
    }

    /// The address of a record that says what an array holds.
    fn elements(&mut self, at: usize, elements: &Elements) {
        let record = self.list::<abi::Elements>(1);
        self.object.relocate(at, None, record);
        self.long(record + offset_of!(abi::Elements, bytes), elements.bytes);
        let parts =
            self.array::<ElementPart>(record + offset_of!(abi::Elements, parts), elements.parts.len());
        for (at, part) in parts.zip(&elements.parts) {
            self.long(at + offset_of!(ElementPart, offset), part.offset);
            self.long(at + offset_of!(ElementPart, count), part.count);
            self.number(at + offset_of!(ElementPart, kind), kinds::scalar(part.ty).number());
            self.number(at + offset_of!(ElementPart, bytes), part.ty.ty.bytes());
        }
    }

    fn args(&mut self, at: usize, region: &'a RegionData, args: &[LaunchArg]) {
        for ((at, arg), index) in self.array::<ArgDesc>(at, args.len()).zip(args).zip(0..) {
            let param: Option<(PassHow, &'a str)> =
                region.params.get::<usize>(index).map(|param| (param.how, &*param.name));
            let (kind, map) = match (*arg, param) {
                (LaunchArg::Value(_), Some((PassHow::Value(Type::Ptr), name))) => {
                    self.text(at + offset_of!(ArgDesc, name), name);
                    (ArgKind::PointerValue, 0)
                }
                (LaunchArg::Value(_), _) => (ArgKind::Value, 0),
                (LaunchArg::Map(map), Some((PassHow::Pointer, _))) => (ArgKind::Pointer, map),
                (LaunchArg::Map(map), _) => (ArgKind::Address, map),
            };
            self.number(at + offset_of!(ArgDesc, kind), kind.number());
            self.number(at + offset_of!(ArgDesc, map), map);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_object::WORD;
    use accrue_ir::{
        DataKind, ElementPart as Part, MapModifiers, Member, Operand, RedType, Scheduling, Stride,
    };
    use std::sync::Arc;

    fn map(name: &str) -> DataMap {
        let number = Operand::Int(Type::I64, 8);
        let double = RedType { ty: Type::F64, signed: true, boolean: false };
        let stride = Stride { count: number, distance: number };
        let row = |rows| RowSection { lower: number, bytes: number, strides: vec![stride], rows };
        DataMap {
            kind: MapKind::UpdateSelf,
            modifiers: MapModifiers { always_in: true, ..MapModifiers::default() },
            implicit: false,
            name: name.into(),
            var: None,
            start: number,
            bytes: number,
            strides: vec![stride; 2],
            pointer_bias: Some(number),
            pointer_at: None,
            rows: Some(row(Some(Box::new(row(None))))),
            elements: Some(Arc::new(Elements {
                bytes: 8,
                parts: vec![Part { offset: 0, ty: double, count: 1 }],
            })),
            members: vec![
                Member { name: "s.a".into(), offset: 0, bytes: 4, maybe: false },
                Member { name: "s.b".into(), offset: 8, bytes: 16, maybe: true },
            ],
            pos: Pos::none(),
        }
    }

    /// Where an object is that refers to itself only.
    fn placed(mut object: DataObject) -> usize {
        let memory = vec![0u64; object.size().div_ceil(WORD)].leak();
        let start = memory.as_mut_ptr().expose_provenance();
        for relocation in std::mem::take(&mut object.relocations) {
            assert_eq!(relocation.target, None);
            let address = start.wrapping_add_signed(relocation.addend as isize);
            object.write(relocation.offset, &address.to_le_bytes());
        }
        object.bytes.resize(memory.len() * WORD, 0);
        for (word, bytes) in memory.iter_mut().zip(object.bytes.as_chunks::<WORD>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        start
    }

    #[test]
    fn the_runtime_reads_what_was_written() {
        let op = DataOp {
            kind: DataKind::Update { if_present: true },
            maps: vec![map("a"), map("main")],
            device_addresses: Vec::new(),
            scheduling: Scheduling::default(),
            device_type: None,
            device_num: None,
            default_async: None,
        };
        let object = data(&Module::default(), "main", &op, Pos::none());
        let address = placed(object);
        // SAFETY: the descriptor was made for the runtime, and stays.
        let desc = unsafe { DataDesc::read(std::ptr::with_exposed_provenance(address)) };
        assert_eq!((desc.kind(), desc.function.text()), (abi::DataKind::Update, "main"));
        assert!(desc.is(DataDesc::IF_PRESENT) && !desc.is(DataDesc::WAIT));
        let [first, second] = desc.maps() else { panic!("{desc:?}") };
        assert_eq!((first.name.text(), second.name.text()), ("a", "main"));
        assert!(std::ptr::eq(second.name.text(), desc.function.text()), "texts are there once");
        assert_eq!(
            (first.kind(), first.strides, first.rows.list()),
            (abi::MapKind::UpdateSelf, 2, &[1, 1][..])
        );
        assert_eq!(first.flags, MapDesc::ALWAYS_IN | MapDesc::THROUGH_POINTER);
        let [part] = first.elements.expect("the clause says what it is").parts() else { panic!("{desc:?}") };
        assert_eq!((part.kind(), part.bytes, part.count), (abi::ScalarKind::Float, 8, 1));
        let members = first.members.list().iter();
        let members: Vec<_> = members.map(|m| (m.name.text(), m.offset, m.bytes, m.maybe)).collect();
        assert_eq!(members, [("s.a", 0, 4, 0), ("s.b", 8, 16, 1)]);
    }

    #[test]
    fn a_table_lists_regions_and_objects() {
        use accrue_ir::{GlobalData, Init};
        let mut module = Module::default();
        let object = |name: &str, kind| GlobalData {
            declare: Some(DeclareKind::Map(kind)),
            ..GlobalData::external(name, 40, 8, Init::Zero)
        };
        let objects = [("a", MapKind::Create), ("b", MapKind::Link)];
        let objects = objects.map(|(name, kind)| module.globals.push(object(name, kind)));
        let table = program(&module, &[], &objects);
        let word = |at: usize| u64::from_le_bytes(table.bytes[at..at + 8].try_into().expect("eight bytes"));
        let count = |list| word(list + Array::<u8>::COUNT);
        assert_eq!(count(offset_of!(ProgramTable, regions)), 0);
        assert_eq!(count(offset_of!(ProgramTable, objects)), 2);
        for (global, flags) in objects.into_iter().zip([0, Object::LINK]) {
            let is_address = |target| target == Some(Symbol::Global(global));
            let found = table.relocations.iter().find(|relocation| is_address(relocation.target));
            let record = found.expect("its address is there").offset - offset_of!(Object, address);
            assert_eq!(word(record + offset_of!(Object, bytes)), 40);
            assert_eq!(word(record + offset_of!(Object, flags)), u64::from(flags));
        }
    }
}

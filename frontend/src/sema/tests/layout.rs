//! Layout of structs and unions against what GCC 12 does on x86-64. The tables were printed by programs that
//! GCC compiled: size, alignment, and for each member its first bit and, for bit-fields, its width.

use super::analyse;
use crate::ctype::RecordId;
use crate::ctype::TypeTable;

/// (definition of `S`, size, alignment, [(member, first bit, width or 0)]).
type Case = (&'static str, u64, u64, &'static [(&'static str, u64, u32)]);

const CASES: &[Case] = &[
    ("struct S { char a; int b; };", 8, 4, &[("a", 0, 0), ("b", 32, 0)]),
    ("struct S { char a; double b; char c; };", 24, 8, &[("a", 0, 0), ("b", 64, 0), ("c", 128, 0)]),
    (
        "struct S { int a:3; int b:5; int c:24; int d:1; };",
        8,
        4,
        &[("a", 0, 3), ("b", 3, 5), ("c", 8, 24), ("d", 32, 1)],
    ),
    ("struct S { char a; int b:24; };", 4, 4, &[("a", 0, 0), ("b", 8, 24)]),
    ("struct S { char a; int b:25; };", 8, 4, &[("a", 0, 0), ("b", 32, 25)]),
    ("struct S { short a:9; short b:9; };", 4, 2, &[("a", 0, 9), ("b", 16, 9)]),
    ("struct S { int a:4; int :0; int b:4; };", 8, 4, &[("a", 0, 4), ("b", 32, 4)]),
    ("struct S { char a; int :0; char b; };", 5, 1, &[("a", 0, 0), ("b", 32, 0)]),
    ("struct S { char a; long :0; char b; };", 9, 1, &[("a", 0, 0), ("b", 64, 0)]),
    ("struct S { int a:4; short :0; char b; };", 4, 4, &[("a", 0, 4), ("b", 16, 0)]),
    ("struct S { char c; int :5; };", 2, 1, &[("c", 0, 0)]),
    ("struct S { long long a:33; int b:20; };", 8, 8, &[("a", 0, 33), ("b", 33, 20)]),
    ("struct S { unsigned long a:60; unsigned b:8; };", 16, 8, &[("a", 0, 60), ("b", 64, 8)]),
    ("struct S { _Bool a:1; _Bool b:1; int c:30; };", 4, 4, &[("a", 0, 1), ("b", 1, 1), ("c", 2, 30)]),
    ("struct S { int a:31; int b:2; };", 8, 4, &[("a", 0, 31), ("b", 32, 2)]),
    ("struct S { char a:4; int b:10; char c:4; };", 4, 4, &[("a", 0, 4), ("b", 4, 10), ("c", 16, 4)]),
    (
        "struct __attribute__((packed)) S { char a; int b; short c; };",
        7,
        1,
        &[("a", 0, 0), ("b", 8, 0), ("c", 40, 0)],
    ),
    (
        "struct __attribute__((packed)) S { char a; int b:20; int c:13; };",
        6,
        1,
        &[("a", 0, 0), ("b", 8, 20), ("c", 28, 13)],
    ),
    ("struct __attribute__((packed)) S { int a:17; };", 3, 1, &[("a", 0, 17)]),
    (
        "struct __attribute__((packed)) S { char a; long b:33; int :0; char c; };",
        9,
        1,
        &[("a", 0, 0), ("b", 8, 33), ("c", 64, 0)],
    ),
    (
        "struct S { char a; int b __attribute__((packed)); char c; };",
        6,
        1,
        &[("a", 0, 0), ("b", 8, 0), ("c", 40, 0)],
    ),
    (
        "struct S { char a; int b:20 __attribute__((packed)); int c:20 __attribute__((packed)); };",
        6,
        1,
        &[("a", 0, 0), ("b", 8, 20), ("c", 28, 20)],
    ),
    (
        "struct S { char a; char b __attribute__((aligned(8))); char c; };",
        16,
        8,
        &[("a", 0, 0), ("b", 64, 0), ("c", 72, 0)],
    ),
    (
        "struct __attribute__((packed)) S { char a; int b __attribute__((aligned(4))); char c; };",
        12,
        4,
        &[("a", 0, 0), ("b", 32, 0), ("c", 64, 0)],
    ),
    ("struct S { char a; int b; } __attribute__((aligned(32)));", 32, 32, &[("a", 0, 0), ("b", 32, 0)]),
    (
        "struct __attribute__((packed, aligned(4))) S { char a; int b; char c; };",
        8,
        4,
        &[("a", 0, 0), ("b", 8, 0), ("c", 40, 0)],
    ),
    ("struct S { char a; _Alignas(16) char b; };", 32, 16, &[("a", 0, 0), ("b", 128, 0)]),
    (
        "#pragma pack(1)\nstruct S { char a; int b; double c; };",
        13,
        1,
        &[("a", 0, 0), ("b", 8, 0), ("c", 40, 0)],
    ),
    (
        "#pragma pack(2)\nstruct S { char a; int b; char c; double d; };",
        16,
        2,
        &[("a", 0, 0), ("b", 16, 0), ("c", 48, 0), ("d", 64, 0)],
    ),
    (
        "#pragma pack(2)\nstruct S { char a; int b:20; int c:20; };",
        6,
        2,
        &[("a", 0, 0), ("b", 8, 20), ("c", 28, 20)],
    ),
    (
        "#pragma pack(1)\nstruct S { int a:3; long b:40; int :0; char c; };",
        9,
        1,
        &[("a", 0, 3), ("b", 3, 40), ("c", 64, 0)],
    ),
    (
        "#pragma pack(4)\nstruct S { char a; double b; long double c; };",
        28,
        4,
        &[("a", 0, 0), ("b", 32, 0), ("c", 96, 0)],
    ),
    (
        "#pragma pack(push, 1)\nstruct T { char x; int y; };\n#pragma pack(pop)\nstruct S { char a; struct T t; int b; };",
        12,
        4,
        &[("a", 0, 0), ("t", 8, 0), ("b", 64, 0)],
    ),
    (
        "#pragma pack(2)\nstruct S { char a; char b __attribute__((aligned(8))); };",
        4,
        2,
        &[("a", 0, 0), ("b", 16, 0)],
    ),
    ("struct S { int n; char v[]; };", 4, 4, &[("n", 0, 0)]),
    ("struct S { char n; double v[]; };", 8, 8, &[("n", 0, 0)]),
    ("struct S { char a; int v[0]; };", 4, 4, &[("a", 0, 0)]),
    ("struct S { };", 0, 1, &[]),
    ("struct S { struct {} e; int a; };", 4, 4, &[("e", 0, 0), ("a", 0, 0)]),
    (
        "struct S { char a; struct { int x; char y; }; short b; };",
        16,
        4,
        &[("a", 0, 0), ("x", 32, 0), ("y", 64, 0), ("b", 96, 0)],
    ),
    (
        "struct S { char a; union { int x; double y; }; char b; };",
        24,
        8,
        &[("a", 0, 0), ("x", 64, 0), ("y", 64, 0), ("b", 128, 0)],
    ),
    ("union S { char a; int b[3]; double c; };", 16, 8, &[("a", 0, 0), ("b", 0, 0), ("c", 0, 0)]),
    ("union S { int a:3; char b; };", 4, 4, &[("a", 0, 3), ("b", 0, 0)]),
    ("union __attribute__((packed)) S { char a[5]; int b; };", 5, 1, &[("a", 0, 0), ("b", 0, 0)]),
    ("union S { char a[5]; short b; };", 6, 2, &[("a", 0, 0), ("b", 0, 0)]),
    ("struct S { char a; long double b; char c; };", 48, 16, &[("a", 0, 0), ("b", 128, 0), ("c", 256, 0)]),
    (
        "struct S { char a; float _Complex b; char c; double _Complex d; };",
        32,
        8,
        &[("a", 0, 0), ("b", 32, 0), ("c", 96, 0), ("d", 128, 0)],
    ),
    ("struct S { char a; __int128 b; };", 32, 16, &[("a", 0, 0), ("b", 128, 0)]),
    (
        "enum E { A, B }; struct S { char a; enum E e; enum E f:2; char c; };",
        12,
        4,
        &[("a", 0, 0), ("e", 32, 0), ("f", 64, 2), ("c", 72, 0)],
    ),
    (
        "enum __attribute__((packed)) E { A, B }; struct S { char a; enum E e; char c; };",
        3,
        1,
        &[("a", 0, 0), ("e", 8, 0), ("c", 16, 0)],
    ),
    (
        "struct S { char a; void *p; char b; int (*f)(void); };",
        32,
        8,
        &[("a", 0, 0), ("p", 64, 0), ("b", 128, 0), ("f", 192, 0)],
    ),
    (
        "typedef int T __attribute__((aligned(16))); struct S { char a; T b; char c; };",
        32,
        16,
        &[("a", 0, 0), ("b", 128, 0), ("c", 160, 0)],
    ),
    (
        "typedef int T __attribute__((aligned(1))); struct S { char a; T b; const T c[2]; };",
        13,
        1,
        &[("a", 0, 0), ("b", 8, 0), ("c", 40, 0)],
    ),
    (
        "typedef int T __attribute__((aligned(1))); struct S { T a:16; char b; };",
        4,
        2,
        &[("a", 0, 16), ("b", 16, 0)],
    ),
    (
        "typedef struct { float x[4]; } T __attribute__((aligned(16))); struct S { char a; T b[2]; T *c; };",
        64,
        16,
        &[("a", 0, 0), ("b", 128, 0), ("c", 384, 0)],
    ),
    (
        "typedef int T[3] __attribute__((aligned(16))); struct S { char a; T b; char c; };",
        32,
        16,
        &[("a", 0, 0), ("b", 128, 0), ("c", 224, 0)],
    ),
    (
        "typedef int T __attribute__((aligned(16))); struct __attribute__((packed)) S { char a; T b; };",
        5,
        1,
        &[("a", 0, 0), ("b", 8, 0)],
    ),
    (
        "struct I { char a; } __attribute__((aligned(8))); struct S { char x; struct I i; char y; };",
        24,
        8,
        &[("x", 0, 0), ("i", 64, 0), ("y", 128, 0)],
    ),
    ("struct S { unsigned a:1; unsigned long long b:63; };", 8, 8, &[("a", 0, 1), ("b", 1, 63)]),
    (
        "struct S { unsigned char a:3, b:5, c:1; unsigned short d:7; };",
        2,
        2,
        &[("a", 0, 3), ("b", 3, 5), ("c", 8, 1), ("d", 9, 7)],
    ),
    ("struct S { int a:8; int b:16; int c:8; };", 4, 4, &[("a", 0, 8), ("b", 8, 16), ("c", 24, 8)]),
    ("struct S { char a; short b:1; char c; };", 4, 2, &[("a", 0, 0), ("b", 8, 1), ("c", 16, 0)]),
    ("struct S { char c[3]; int :8; int d:1; };", 8, 4, &[("c", 0, 0), ("d", 32, 1)]),
    ("struct S { short a; int :32; short b; };", 10, 2, &[("a", 0, 0), ("b", 64, 0)]),
];

fn position(
    types: &TypeTable,
    record: RecordId,
    name: crate::intern::Symbol,
    base: u64,
) -> Option<(u64, u32)> {
    for field in types.records[record.0 as usize].fields.iter().flatten() {
        let offset = base + field.offset * 8;
        if field.name == Some(name) {
            let (bit, width) = field.bits.unwrap_or((0, 0));
            return Some((offset + u64::from(bit), width));
        }
        if let (None, Some(inner)) = (field.name, types.record(field.ty.ty))
            && let Some(found) = position(types, inner, name, offset)
        {
            return Some(found);
        }
    }
    None
}

#[test]
fn records_are_laid_out_as_gcc_lays_them_out() {
    let mut wrong = Vec::new();
    for (definition, size, align, members) in CASES {
        let keyword = if definition.contains("union S") || definition.contains("union __attribute__") {
            "union"
        } else {
            "struct"
        };
        let (mut session, unit) = analyse(&format!("{definition}\n#pragma pack()\n{keyword} S object;"));
        let Some(unit) = unit else {
            wrong.push(format!("{definition}: {:?}", session.sink.list()));
            continue;
        };
        let ty = unit.vars.last().unwrap().ty.ty;
        let found = (unit.types.size(ty), unit.types.align(ty));
        if found != (Some(*size), *align) {
            wrong.push(format!("{definition}: {found:?} for {size}, {align}"));
        }
        let record = unit.types.record(ty).unwrap();
        for (name, bit, width) in *members {
            let symbol = session.interner.intern(name);
            let found = position(&unit.types, record, symbol, 0);
            if found != Some((*bit, *width)) {
                wrong.push(format!("{definition}: {name} at {found:?} for {bit}, {width}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

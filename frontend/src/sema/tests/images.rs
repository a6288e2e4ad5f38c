//! Initialisers and constant expressions: the bytes of the object `x`, as programs that GCC 12 compiled
//! printed them.

use super::analyse;
use crate::ctype::{CType, FloatKind, TypeId};
use crate::typed::{Expr, ExprKind, FloatConst, Unit};

const CASES: &[(&str, &str)] = &[
    ("int x[5] = {1, 2, 3};", "0100000002000000030000000000000000000000"),
    (
        "int x[] = {[3] = 4, 5, [0] = 1, [6 ... 7] = 9};",
        "0100000000000000000000000400000005000000000000000900000009000000",
    ),
    ("char x[] = \"hello\";", "68656c6c6f00"),
    ("char x[3] = \"abc\";", "616263"),
    ("char x[8] = {\"ab\"};", "6162000000000000"),
    ("char x[2][4] = {\"ab\", {'c', 'd'}};", "6162000063640000"),
    ("char x[] = \"a\\x41\\101\\n\\e\\u00e9\" \"b\";", "6141410a1bc3a96200"),
    ("int x[] = L\"h\\u00e9\";", "68000000e900000000000000"),
    ("unsigned short x[] = u\"a\\U0001F600\";", "61003dd800de0000"),
    ("unsigned x[] = U\"\\U0001F600\";", "00f6010000000000"),
    ("struct { int a, b; } x = {.b = 2, .a = 1};", "0100000002000000"),
    (
        "struct { struct { int a, b; } in[2]; int c; } x = {1, 2, 3, 4, 5};",
        "0100000002000000030000000400000005000000",
    ),
    (
        "struct { struct { int a, b; } in[2]; int c; } x = {.in[1].b = 5, 6, .in[0] = {7}};",
        "0700000000000000000000000500000006000000",
    ),
    (
        "struct { struct { int a, b; } in[2]; int c; } x = {.in = {{1, 2}, {3, 4}}, .in[0].a = 9};",
        "0900000002000000030000000400000000000000",
    ),
    (
        "struct { struct { int a, b; } in[2]; int c; } x = {.in = {{1, 2}, {3, 4}}, .in = {[1] = {8}}};",
        "0000000000000000080000000000000000000000",
    ),
    ("struct { char n[4]; int v; } x[2] = {\"ab\", 1, \"cd\", 2};", "61620000010000006364000002000000"),
    (
        "struct { char n[4]; int v; } x[] = {{\"ab\", 1}, {.v = 7, .n = \"z\"}};",
        "61620000010000007a00000007000000",
    ),
    ("union { int a; char b[8]; } x = {1};", "0100000000000000"),
    ("union { int a; char b[8]; } x = {.b = \"hey\"};", "6865790000000000"),
    ("struct { int a; union { int u; float f; }; int b; } x = {1, 2, 3};", "010000000200000003000000"),
    ("struct { int a; union { int u; float f; }; int b; } x = {.f = 1.5f, 4};", "000000000000c03f04000000"),
    ("struct { int a:3, b:5; unsigned c:20; } x = {-1, 3, 0x12345};", "1f452301"),
    ("struct { int a:3, :5, c:8; } x = {1, 2};", "01020000"),
    ("struct { long a:40; int b:24; } x = {-2, 5};", "feffffffff050000"),
    (
        "double x[] = {1, 2.5, -0.0, 1e-310, 0x1p-1074, .1, 1e400/1e400 > 0 ? 1 : 2};",
        "000000000000f03f000000000000044000000000000000802be6708b6812000001000000000000009a9999999999b93f0000000000000040",
    ),
    (
        "float x[] = {0.1f, 16777217, 0x1.fffffep127f, 1e-45f, 3.4028235677973366e38};",
        "cdcccc3d0000804bffff7f7f010000000000807f",
    ),
    ("long double x = 0.1L;", "cdccccccccccccccfb3f000000000000"),
    ("long double x = 1.0L/3;", "abaaaaaaaaaaaaaafd3f000000000000"),
    (
        "long double x[] = {1.5e4000L, -3, 0x1.8p-16445L};",
        "4929c0fe5ae24b9de77300000000000000000000000000c000c000000000000002000000000000000000000000000000",
    ),
    ("_Complex double x = 1 + 2.0i;", "000000000000f03f0000000000000040"),
    ("float _Complex x[2] = {3, 2.0fi};", "00004040000000000000000000000040"),
    ("_Bool x[] = {2, 0.5, 0, 1 == 1};", "01010001"),
    ("unsigned char x[] = {300 - 45, -1, 'a'};", "ffff61"),
    (
        "long x[] = {1 << 31 - 1, 0xffffffff, -1, 4294967296 / 3, -7 / 2, -7 % 3, ~0u, 1 ? -1 : 2u, sizeof(int) - 5 > 0};",
        "0000004000000000ffffffff00000000ffffffffffffffff5555555500000000fdffffffffffffffffffffffffffffffffffffff00000000ffffffff000000000100000000000000",
    ),
    (
        "unsigned long x[] = {-1, 18446744073709551615u, 0x8000000000000000, 07777, 0b1011, 'ab', '\\377'};",
        "ffffffffffffffffffffffffffffffff0000000000000080ff0f0000000000000b000000000000006261000000000000ffffffffffffffff",
    ),
    ("short x[][2] = {1, 2, 3};", "0100020003000000"),
    ("short x[][2] = {{1}, {2, 3}};", "0100000002000300"),
    (
        "int x[2][2][2] = {{1, 2, {3}}, {[1] = {4, 5}}};",
        "0100000002000000030000000000000000000000000000000400000005000000",
    ),
    ("struct f { int n; short v[]; } x = {3, {1, 2, 3}};", "03000000"),
    ("struct s { int a; } ; struct s x = (struct s){4};", "04000000"),
    ("int x[] = (int[]){1, 2, 3};", "010000000200000003000000"),
    ("struct e { int a; struct {} b; int c; } x = {1, {}, 2};", "0100000002000000"),
    ("int x[3] = {};", "000000000000000000000000"),
    ("struct { int a[2]; int b; } x[2] = {{{1}, 2}, 3};", "010000000000000002000000030000000000000000000000"),
    (
        "struct { char a; struct { short b[2]; long c; } d; } x = {1, 2, 3, 4};",
        "010000000000000002000300000000000400000000000000",
    ),
    ("int x = {5};", "05000000"),
    ("char x = {'a'};", "61"),
    ("unsigned x = (unsigned char)-1;", "ff000000"),
    ("int x = (char)200 + (_Bool)5;", "c9ffffff"),
    (
        "int x[] = {(int)3.99, (int)-3.99, (unsigned char)255.9, (int)1e3f};",
        "03000000fdffffffff000000e8030000",
    ),
    ("struct { int a[3]; } x = {{[1] = 5}};", "000000000500000000000000"),
    ("struct { int a, b, c; } x = {.c = 3, .a = 1, 2};", "010000000200000003000000"),
    (
        "struct { int x, y; } x[3] = {[2].y = 1, [0] = {4, 5}, [1].x = 7, 8};",
        "040000000500000007000000080000000000000001000000",
    ),
    ("struct { struct { char a, b; } s; char c[3]; } x = {.s.b = 1, 2, .c[1] = 5, 6};", "0001020506"),
    ("long long x = 9223372036854775807LL - 1 + 1;", "ffffffffffffff7f"),
    ("int x = 5 / 2 * 2.0;", "04000000"),
    ("int x = 'A' + '\\0' + L'\\xff' + u'\\xffff';", "3f010100"),
    ("__int128 x = (__int128)1 << 100;", "00000000000000000000000010000000"),
    ("unsigned __int128 x = -1;", "ffffffffffffffffffffffffffffffff"),
    ("double x = 1.0f / 3.0f;", "000000605555d53f"),
    ("float x = 1.0 / 3.0;", "abaaaa3e"),
    ("double x = (float)0.1;", "000000a09999b93f"),
    ("long x = 1.5L * 3;", "0400000000000000"),
    ("int x = __builtin_offsetof(struct { char a; int b[3]; }, b[2]);", "0c000000"),
    (
        "int x[] = {__builtin_popcount(255), __builtin_clz(1), __builtin_ctzll(8), __builtin_ffs(0), __builtin_bswap32(1), __builtin_parity(7)};",
        "080000001f00000003000000000000000000000101000000",
    ),
    (
        "double x[] = {__builtin_inf(), __builtin_nan(\"\"), __builtin_huge_val(), -__builtin_inff()};",
        "000000000000f07f000000000000f87f000000000000f07f000000000000f0ff",
    ),
    (
        "int x = _Generic(1L, int: 1, long: 2, default: 3) + _Alignof(double) + __builtin_types_compatible_p(int, const int);",
        "0b000000",
    ),
    (
        "int x = sizeof(\"abc\") + sizeof(L\"ab\") + sizeof 'a' + sizeof(int[3][4]) + sizeof(1.0f) + sizeof(1 ? (char)1 : (short)2);",
        "4c000000",
    ),
];

fn scalar(unit: &Unit, value: &Expr, ty: TypeId) -> Vec<u8> {
    let size = unit.types.size(ty).unwrap() as usize;
    let mut bytes = match &value.kind {
        ExprKind::Int(value) => value.to_le_bytes().to_vec(),
        ExprKind::Float(FloatConst::Double(value)) => match unit.types.get(ty) {
            CType::Float(FloatKind::Float) => (*value as f32).to_le_bytes().to_vec(),
            _ => value.to_le_bytes().to_vec(),
        },
        ExprKind::Float(FloatConst::Extended(bytes)) => bytes.to_vec(),
        ExprKind::Complex(re, im) => [scalar(unit, re, re.ty.ty), scalar(unit, im, im.ty.ty)].concat(),
        ExprKind::String(id) => unit.strings[id.0 as usize].bytes.clone(),
        other => panic!("not a constant: {other:?}"),
    };
    bytes.resize(size, 0);
    bytes
}

fn image(unit: &Unit) -> Vec<u8> {
    let var = unit.vars.iter().rfind(|var| var.init.is_some() && var.name.is_some()).unwrap();
    let mut image = vec![0u8; unit.types.size(var.ty.ty).unwrap() as usize];
    for entry in &var.init.as_ref().unwrap().entries {
        let bytes = scalar(unit, &entry.value, entry.ty);
        let offset = entry.offset as usize;
        match entry.bits {
            None => {
                let end = (offset + bytes.len()).min(image.len());
                image[offset.min(end)..end].copy_from_slice(&bytes[..end - offset.min(end)]);
            }
            Some((bit, width)) => {
                for index in 0..width {
                    let set = bytes[index as usize / 8] >> (index % 8) & 1;
                    let at = (bit + index) as usize;
                    let byte = &mut image[offset + at / 8];
                    *byte = *byte & !(1 << (at % 8)) | set << (at % 8);
                }
            }
        }
    }
    image
}

#[test]
fn initialisers_give_the_bytes_gcc_gives() {
    let mut wrong = Vec::new();
    for (text, expected) in CASES {
        let (session, unit) = analyse(text);
        let found = match unit {
            Some(unit) => image(&unit).iter().map(|byte| format!("{byte:02x}")).collect(),
            None => format!("{:?}", session.sink.list()),
        };
        if found != *expected {
            wrong.push(format!("{text}\n  found    {found}\n  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! The calling convention against the system's C compiler: C calls compiled code with generated argument
//! lists, which passes everything on to C functions that check it, and hands their results back.

mod support;

use accrue_host_jit::Symbols;
use accrue_ir::*;
use std::fmt::Write as _;
use std::process::Command;
use support::*;
use tempfile::TempDir;

/// A small deterministic generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

#[derive(Clone, Copy, PartialEq)]
struct Scalar {
    c: &'static str,
    ty: Type,
    extend: Extend,
}

const fn plain(c: &'static str, ty: Type, extend: Extend) -> Scalar {
    Scalar { c, ty, extend }
}

const SCALARS: [Scalar; 10] = [
    plain("signed char", Type::I8, Extend::Sign),
    plain("unsigned char", Type::I8, Extend::Zero),
    plain("short", Type::I16, Extend::Sign),
    plain("int", Type::I32, Extend::Sign),
    plain("long", Type::I64, Extend::None),
    plain("float", Type::F32, Extend::None),
    plain("double", Type::F64, Extend::None),
    plain("long double", Type::F80, Extend::None),
    plain("__int128", Type::I128, Extend::None),
    plain("void *", Type::Ptr, Extend::None),
];

/// Scalars that survive the default argument promotions.
const PROMOTED: [usize; 6] = [3, 4, 6, 7, 8, 9];

struct Struct {
    name: String,
    fields: Vec<(Scalar, u64)>,
    size: u64,
    align: u64,
    packed: bool,
}

fn make_struct(index: usize, random: &mut Random) -> Struct {
    let packed = index % 7 == 6;
    let count = 1 + random.below(4);
    let mut fields = Vec::new();
    let (mut size, mut align) = (0_u64, 1_u64);
    for _ in 0..count {
        let scalar = SCALARS[random.below(SCALARS.len())];
        let field = if packed { 1 } else { u64::from(scalar.ty.align()) };
        size = size.next_multiple_of(field);
        fields.push((scalar, size));
        size += u64::from(scalar.ty.bytes());
        align = align.max(field);
    }
    Struct { name: format!("struct S{index}"), fields, size: size.next_multiple_of(align), align, packed }
}

#[derive(Clone, Copy)]
enum Ty {
    Scalar(Scalar),
    Struct(usize),
}

struct Suite {
    structs: Vec<Struct>,
    source: String,
}

impl Suite {
    fn c_type(&self, ty: Ty) -> &str {
        match ty {
            Ty::Scalar(scalar) => scalar.c,
            Ty::Struct(index) => &self.structs[index].name,
        }
    }

    fn value(scalar: Scalar, seed: usize) -> String {
        match scalar.ty {
            Type::I8 if scalar.extend == Extend::Zero => format!("{}", 150 + seed % 100),
            Type::I8 => format!("{}", -100 + (seed % 200) as i32),
            Type::I16 => format!("{}", -30000 + (seed * 37 % 60000) as i32),
            Type::Ptr => format!("(void *)0x{:x}", 0x7000_0000_1234_u64 + seed as u64),
            Type::F32 | Type::F64 | Type::F80 => format!("{}.25", seed * 3),
            Type::I128 => format!("((__int128)-{seed} * 1234567890123456789 * 987654321)"),
            Type::I64 => format!("-{seed}000000000007L"),
            _ => format!("-{}", seed * 1001),
        }
    }

    fn expression(&self, ty: Ty, seed: usize) -> String {
        match ty {
            Ty::Scalar(scalar) => format!("({}){}", scalar.c, Suite::value(scalar, seed)),
            Ty::Struct(index) => {
                let data = &self.structs[index];
                let parts: Vec<String> = data
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(field, &(scalar, _))| {
                        format!(".f{field} = {}", Suite::value(scalar, seed + field))
                    })
                    .collect();
                format!("({}){{{}}}", data.name, parts.join(", "))
            }
        }
    }

    fn check(&self, ty: Ty, name: &str, seed: usize) -> String {
        match ty {
            Ty::Scalar(scalar) => {
                format!("  bad += {name} != ({}){};\n", scalar.c, Suite::value(scalar, seed))
            }
            Ty::Struct(index) => {
                let mut out = String::new();
                for (field, &(scalar, _)) in self.structs[index].fields.iter().enumerate() {
                    let value = Suite::value(scalar, seed + field);
                    let _ = writeln!(out, "  bad += {name}.f{field} != ({}){value};", scalar.c);
                }
                out
            }
        }
    }
}

struct Signatures {
    params: Vec<Ty>,
    /// Parameters from here on are variadic.
    fixed: usize,
    result: Option<Ty>,
}

const STRUCTS: usize = 40;
const FUNCTIONS: usize = 400;

fn make(random: &mut Random) -> (Suite, Vec<Signatures>) {
    let structs: Vec<Struct> = (0..STRUCTS).map(|index| make_struct(index, random)).collect();
    let mut source = String::from("#include <stdarg.h>\nint bad;\n");
    for data in &structs {
        let attribute = if data.packed { "__attribute__((packed)) " } else { "" };
        let _ = write!(source, "struct {attribute}{} {{", data.name.trim_start_matches("struct "));
        for (field, (scalar, _)) in data.fields.iter().enumerate() {
            let _ = write!(source, " {} f{field};", scalar.c);
        }
        source.push_str(" };\n");
        let _ = writeln!(source, "_Static_assert(sizeof({}) == {}, \"\");", data.name, data.size);
    }
    let mut list = Vec::new();
    for index in 0..FUNCTIONS {
        let any = |random: &mut Random| {
            if random.below(5) < 2 {
                Ty::Struct(random.below(STRUCTS))
            } else {
                Ty::Scalar(SCALARS[random.below(SCALARS.len())])
            }
        };
        let count = random.below(13);
        let variadic = index % 3 == 2 && count > 0;
        let fixed = if variadic { 1 + random.below(count) } else { count };
        let params = (0..count)
            .map(|param| {
                if param < fixed {
                    any(random)
                } else if random.below(3) == 0 {
                    Ty::Struct(random.below(STRUCTS))
                } else {
                    Ty::Scalar(SCALARS[PROMOTED[random.below(PROMOTED.len())]])
                }
            })
            .collect();
        let result = (random.below(6) > 0).then(|| any(random));
        list.push(Signatures { params, fixed, result });
    }
    (Suite { structs, source }, list)
}

/// C code for one signature: a function that checks, and one that drives compiled code.
fn emit_c(suite: &mut Suite, index: usize, sig: &Signatures) {
    let variadic = sig.fixed < sig.params.len();
    let result = sig.result.map_or("void".to_owned(), |ty| suite.c_type(ty).to_owned());
    let named: Vec<String> = sig.params[..sig.fixed]
        .iter()
        .enumerate()
        .map(|(i, &ty)| format!("{} a{i}", suite.c_type(ty)))
        .collect();
    let fixed_all: Vec<String> =
        sig.params.iter().enumerate().map(|(i, &ty)| format!("{} a{i}", suite.c_type(ty))).collect();
    let dots = if variadic { ", ..." } else { "" };
    let list = if named.is_empty() { "void".to_owned() } else { named.join(", ") + dots };
    let all = if fixed_all.is_empty() { "void".to_owned() } else { fixed_all.join(", ") };
    let mut out = String::new();
    // Everything fixed, for compiled variadic functions that have fetched their arguments.
    let mut body = String::new();
    for (i, &ty) in sig.params.iter().enumerate() {
        body += &suite.check(ty, &format!("a{i}"), index + i * 5);
    }
    let give =
        sig.result.map_or(String::new(), |ty| format!("  return {};\n", suite.expression(ty, index + 77)));
    let _ = write!(out, "{result} fixed_{index}({all}) {{\n{body}{give}}}\n");
    let _ = writeln!(out, "{result} check_{index}({list}) {{");
    if variadic {
        let _ = writeln!(out, "  va_list ap; va_start(ap, a{});", sig.fixed - 1);
        for (i, &ty) in sig.params.iter().enumerate().skip(sig.fixed) {
            let _ = writeln!(out, "  {} a{i} = va_arg(ap, {});", suite.c_type(ty), suite.c_type(ty));
        }
        out.push_str("  va_end(ap);\n");
    }
    out += &body;
    out += &give;
    out += "}\n";
    let args: Vec<String> =
        sig.params.iter().enumerate().map(|(i, &ty)| suite.expression(ty, index + i * 5)).collect();
    let _ = writeln!(out, "int drive_{index}({result} (*f)({list})) {{\n  bad = 0;");
    match sig.result {
        Some(ty) => {
            let _ = writeln!(out, "  {result} r = f({});", args.join(", "));
            out += &suite.check(ty, "r", index + 77);
        }
        None => {
            let _ = writeln!(out, "  f({});", args.join(", "));
        }
    }
    out.push_str("  return bad;\n}\n");
    suite.source += &out;
}

fn compile_c(source: &str) -> Option<TempDir> {
    let dir = tempfile::tempdir().ok()?;
    let (input, output) = (dir.path().join("abi.c"), dir.path().join("libabi.so"));
    std::fs::write(&input, source).ok()?;
    let status =
        Command::new("cc").args(["-O1", "-w", "-shared", "-fPIC", "-o"]).arg(&output).arg(&input).status();
    match status {
        Ok(status) if status.success() => Some(dir),
        _ => None,
    }
}

struct Ir {
    b: Builder,
    aggs: Vec<Agg>,
}

impl Ir {
    fn pass(&self, ty: Ty) -> PassBy {
        match ty {
            Ty::Scalar(scalar) => PassBy::Scalar(scalar.ty, scalar.extend),
            Ty::Struct(index) => PassBy::Aggregate(self.aggs[index]),
        }
    }

    /// Defines `name(params)` that passes everything on to `target`, called as `call_sig`, through a pointer
    /// if asked.
    fn forward(&mut self, suite: &Suite, name: &str, sig: &Signatures, target: &str, kind: Kind) {
        let variadic = sig.fixed < sig.params.len();
        let result = sig.result.map(|ty| self.pass(ty));
        let fixed: Vec<PassBy> = sig.params[..sig.fixed].iter().map(|&ty| self.pass(ty)).collect();
        let all: Vec<PassBy> = sig.params.iter().map(|&ty| self.pass(ty)).collect();
        // Aggregates behind the dots are known to the call's own type only.
        let to_variadic = variadic && kind != Kind::FetchAll;
        let call_sig = self.b.sig(&all, result, to_variadic);
        let own_sig = match kind {
            Kind::FetchAll => self.b.sig(&fixed, result, variadic),
            Kind::Direct | Kind::Indirect => self.b.sig(&all, result, false),
        };
        let callee = self.b.declare(target, call_sig);
        let size = match sig.result {
            Some(Ty::Struct(index)) => suite.structs[index].size,
            _ => 0,
        };
        let aggs = &self.aggs;
        self.b.define(name, own_sig, |c, args| {
            let mut values = args.to_vec();
            if kind == Kind::FetchAll && variadic {
                let list = Operand::Slot(c.body.slots.push(slot(24)));
                c.va_start(list);
                let copy = Operand::Slot(c.body.slots.push(slot(24)));
                c.va_copy(copy, list);
                for &ty in &sig.params[sig.fixed..] {
                    values.push(match ty {
                        Ty::Scalar(scalar) => c.va_arg(scalar.ty, copy),
                        Ty::Struct(index) => c.va_arg_aggregate(copy, aggs[index]),
                    });
                }
            }
            let callee = if kind == Kind::Indirect {
                Callee::Indirect(Operand::Func(callee))
            } else {
                Callee::Direct(callee)
            };
            let value = match sig.result {
                None => {
                    c.op(Op::Call { dst: None, callee, sig: call_sig, args: values, dest: None });
                    None
                }
                Some(Ty::Scalar(scalar)) => {
                    let dst = c.temp(scalar.ty);
                    c.op(Op::Call { dst: Some(dst), callee, sig: call_sig, args: values, dest: None });
                    Some(Operand::Local(dst))
                }
                Some(Ty::Struct(_)) => {
                    let object = Operand::Slot(c.body.slots.push(slot(size)));
                    c.call_aggregate(callee, call_sig, values, object);
                    Some(object)
                }
            };
            c.terminate(Terminator::Return(value));
        });
    }
}

fn slot(size: u64) -> SlotData {
    SlotData { size, align: 16, name: None, restrict: false, kind: SlotKind::Frame, declared_in: None }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Calls the target by name.
    Direct,
    /// Calls it through a pointer.
    Indirect,
    /// Is variadic itself, fetches what is behind the dots, and calls a function without dots.
    FetchAll,
}

#[test]
fn agrees_with_the_c_compiler() {
    let mut random = Random(20261121);
    let (mut suite, list) = make(&mut random);
    for (index, sig) in list.iter().enumerate() {
        emit_c(&mut suite, index, sig);
    }
    let Some(dir) = compile_c(&suite.source) else {
        eprintln!("skipped: no working C compiler `cc`");
        return;
    };
    let mut ir = Ir { b: Builder::new(), aggs: Vec::new() };
    for data in &suite.structs {
        let leaves: Vec<(u64, Type)> =
            data.fields.iter().map(|&(scalar, offset)| (offset, scalar.ty)).collect();
        let agg = ir.b.aggregate(data.size, data.align, &leaves);
        ir.aggs.push(agg);
    }
    let mut names = Vec::new();
    for (index, sig) in list.iter().enumerate() {
        let kinds = if sig.fixed < sig.params.len() {
            // C drives these with a variadic function type; the ABI of a call is the same.
            vec![(Kind::FetchAll, "fixed")]
        } else {
            vec![(Kind::Direct, "check"), (Kind::Indirect, "check")]
        };
        for (number, (kind, target)) in kinds.into_iter().enumerate() {
            let name = format!("jit_{index}_{number}");
            ir.forward(&suite, &name, sig, &format!("{target}_{index}"), kind);
            names.push((index, name));
        }
    }
    // Fixed functions that call variadic ones, directly and through a pointer; C drives them through the
    // fixed twin.
    for (index, sig) in list.iter().enumerate().filter(|(_, sig)| sig.fixed < sig.params.len()) {
        for (kind, suffix) in [(Kind::Direct, "d"), (Kind::Indirect, "i")] {
            ir.forward(&suite, &format!("call_{index}_{suffix}"), sig, &format!("check_{index}"), kind);
        }
    }
    // And variadic compiled functions that those twins call: compiled code on both sides.
    let libraries = ["abi".to_owned()];
    let library_dirs = [dir.path().to_owned()];
    let symbols = Symbols { runtime: &[], libraries: &libraries, library_dirs: &library_dirs };
    let library = std::ffi::CString::new(dir.path().join("libabi.so").into_os_string().into_encoded_bytes())
        .expect("a path");
    // SAFETY: the library was just built.
    let handle = unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_NOW) };
    assert!(!handle.is_null());
    let drive = |name: &str, target: *const u8| {
        let c_name = std::ffi::CString::new(name).expect("a name");
        // SAFETY: the driver takes one function pointer of its own type.
        unsafe {
            let driver = libc::dlsym(handle, c_name.as_ptr());
            assert!(!driver.is_null());
            let driver: extern "C" fn(*const u8) -> i32 = std::mem::transmute(driver);
            driver(target)
        }
    };
    ir.b.each_with(symbols, |program| {
        for (index, name) in &names {
            let bad = drive(&format!("drive_{index}"), function(program, name));
            assert_eq!(
                bad,
                0,
                "{name}: {:?}",
                suite.source.lines().find(|l| l.contains(&format!(" check_{index}(")))
            );
        }
        for (index, sig) in list.iter().enumerate().filter(|(_, sig)| sig.fixed < sig.params.len()) {
            // A call with dots puts arguments where a call without puts them, save that %al is set.
            for suffix in ["d", "i"] {
                let name = format!("call_{index}_{suffix}");
                let bad = drive(&format!("drive_{index}"), function(program, &name));
                assert_eq!(bad, 0, "{name} with {} fixed", sig.fixed);
            }
        }
    });
}

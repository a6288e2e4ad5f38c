//! The same functions and objects in a module that writes an object file.

use super::Linker;
use crate::codegen::{Compiler, Targets};
use crate::data;
use crate::definitions::Definitions;
use crate::options::Options;
use accrue_ir::text;
use accrue_ir::verify::Verified;
use cranelift_module::{FuncOrDataId, Module as _, default_libcall_names};
use cranelift_object::{ObjectBuilder, ObjectModule};
use std::process::Command;
use std::sync::Arc;

const PROGRAM: &str = r#"
signature sig0 (i32) -> i32
signature sig1 (ptr, ...) -> i32
global g0.values external size 8 align 4 bytes "\x07\x00\x00\x00("
global g1.second external size 8 align 8 bytes "" relocate(0 g0.values + 4)
global g2.callback external size 8 align 8 bytes "" relocate(0 fn1.twice)
global g3.room internal size 400 align 4 zero
global g4.format internal size 4 align 1 constant bytes "%d\x0a\x00"

function fn0.f sig0 external {
  params v0.x
  locals v0.x, v1: i32
  locals v2: ptr
  locals v3, v4, v5, v6, v7, v8, v9: i32
bb0:
  store.i32 [g3.room + 20], 1i32
  v1 = call fn2.abs(v0.x) sig0
  v2 = load [g1.second]
  v3 = load [v2]
  v4 = add v1, v3
  v5 = call fn1.twice(v0.x) sig0
  v6 = add v4, v5
  v7 = load [g3.room + 20]
  v8 = add v6, v7
  v9 = call fn3.printf(g4.format, v8) sig1
  return v8
}

function fn1.twice sig0 internal {
  params v0.x
  locals v0.x, v1: i32
bb0:
  v1 = add v0.x, v0.x
  return v1
}
function fn2.abs sig0 external
function fn3.printf sig1 external
"#;

const MAIN: &str = r#"
extern int f(int), values[2], (*callback)(int);
int main(void) { return f(-3) != 3 + 40 - 6 + 1 || values[0] != 7 || callback(4) != 8; }
"#;

#[test]
fn object_files_hold_the_same_program() {
    let program = text::parse(PROGRAM).expect("the text is well formed");
    let program = Arc::new(Verified::check(program, "reading").expect("the program keeps the rules"));
    let definitions = Arc::new(Definitions::new(&program));
    let targets = Targets::new(&Options::default()).expect("the processor is known");
    let builder = ObjectBuilder::new(targets.general(), "program", default_libcall_names());
    let module = ObjectModule::new(builder.expect("the target has object files"));
    let mut linker = Linker::new(module, Arc::clone(&program), definitions, super::Missing::default());
    for (global, global_data) in &program.globals {
        let FuncOrDataId::Data(id) = linker.global(global).expect("it is declared") else {
            panic!("{} is an object", global_data.name);
        };
        let mut object = data::object(global_data);
        object.bytes.resize(object.size(), 0);
        let description = linker.describe(id, object).expect("it is small");
        linker.module.define_data(id, &description).expect("it is defined once");
    }
    let mut compiler = Compiler::new();
    for (func, function) in &program.functions {
        if function.body.is_some() {
            let mut code = compiler.compile(&targets, &program, func).expect("it compiles");
            linker.define_code(func, false, &mut code).expect("it is defined once");
        }
    }
    assert!(linker.take_declared().into_iter().all(|func| linker.code(func).is_some()));

    let folder = tempfile::tempdir().expect("there is a folder");
    let file = |name: &str| folder.path().join(name);
    let bytes = linker.module.finish().emit().expect("the object is complete");
    std::fs::write(file("program.o"), bytes).expect("it can be written");
    std::fs::write(file("main.c"), MAIN).expect("it can be written");
    let linked = Command::new("cc")
        .args(["-no-pie", "-z", "noexecstack", "-o"])
        .args([file("main"), file("main.c"), file("program.o")])
        .status();
    assert!(linked.expect("there is a C compiler").success());
    let output = Command::new(file("main")).output().expect("it can be run");
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stdout)), (Some(0), "38\n"));
}

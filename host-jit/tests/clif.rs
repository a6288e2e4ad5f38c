//! The text of the Cranelift IR.

mod support;

use accrue_host_jit::clif;
use accrue_ir::*;
use support::*;

#[test]
fn names_what_it_refers_to() {
    let mut b = Builder::new();
    let sig = b.sig(&[scalar(Type::I32)], Some(scalar(Type::I32)), false);
    let x = b.global("x", 4, Init::Zero);
    let abs = b.declare("abs", sig);
    b.define("f", sig, |c, args| {
        let value = c.load(Type::I32, x);
        let sum = c.add(value, args[0]);
        let result = c.call(Callee::Direct(abs), sig, vec![sum], Some(Type::I32));
        c.ret(result);
    });
    b.define("g", sig, |c, args| c.ret(Some(args[0])));
    let module = verified(b.module);
    let text = clif(&module, Some("f"));
    let expected = "\
; f
;   userextname0, u2:0: &x
;   userextname1, u0:0: abs
function u0:1(i32) -> i32 system_v {
    gv0 = symbol userextname0
    sig0 = (i32) -> i32 system_v
    fn0 = colocated u0:0 sig0

block0(v0: i32):
    v1 = symbol_value.i64 gv0
    v2 = load.i32 notrap aligned v1
    v3 = iadd v2, v0
    v4 = call fn0(v3)
    return v4
}
";
    assert_eq!(text, expected);
    assert_eq!(clif(&module, None).matches("function u0:").count(), 2);
    assert_eq!(clif(&module, Some("abs")), "");
}

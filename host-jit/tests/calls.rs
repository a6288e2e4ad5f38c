//! Calls between compiled code and C.

mod support;

use accrue_ir::*;
use std::ffi::{CStr, c_char};
use support::*;

#[test]
fn calls_printf_like_functions() {
    let mut b = Builder::new();
    let snprintf_sig =
        b.sig(&[scalar(Type::Ptr), scalar(Type::I64), scalar(Type::Ptr)], Some(scalar(Type::I32)), true);
    let snprintf = b.declare("snprintf", snprintf_sig);
    let format = b.string("%d %.2f %s %ld %Lf %g %g %g %g %g %g %g %g %d");
    let text = b.string("text");
    let sig = b.sig(&[scalar(Type::Ptr), scalar(Type::F80)], Some(scalar(Type::I32)), false);
    b.define("f", sig, |c, args| {
        let mut list =
            vec![args[0], i64c(200), format, i32c(-7), Operand::f64(2.5), text, i64c(1 << 40), args[1]];
        list.extend((0..8).map(|i| Operand::f64(f64::from(i) + 0.5)));
        list.push(i32c(99));
        let dst = c.temp(Type::I32);
        c.op(Op::Call {
            dst: Some(dst),
            callee: Callee::Direct(snprintf),
            sig: snprintf_sig,
            args: list,
            dest: None,
        });
        c.terminate(Terminator::Return(Some(Operand::Local(dst))));
    });
    // A caller with a `long double` argument that Rust can call.
    let outer = b.sig(&[scalar(Type::Ptr), scalar(Type::F64)], Some(scalar(Type::I32)), false);
    let f = Func::from_u32(1);
    b.define("g", outer, |c, args| {
        let wide = c.convert(ConvertOp::FToF, Type::F80, args[1]);
        let dst = c.temp(Type::I32);
        let args = vec![args[0], wide];
        c.op(Op::Call { dst: Some(dst), callee: Callee::Direct(f), sig, args, dest: None });
        c.terminate(Terminator::Return(Some(Operand::Local(dst))));
    });
    // The same call through a pointer.
    b.define("h", sig, |c, args| {
        let mut list =
            vec![args[0], i64c(200), format, i32c(-7), Operand::f64(2.5), text, i64c(1 << 40), args[1]];
        list.extend((0..8).map(|i| Operand::f64(f64::from(i) + 0.5)));
        list.push(i32c(99));
        let dst = c.temp(Type::I32);
        let callee = Callee::Indirect(Operand::Func(snprintf));
        c.op(Op::Call { dst: Some(dst), callee, sig: snprintf_sig, args: list, dest: None });
        c.terminate(Terminator::Return(Some(Operand::Local(dst))));
    });
    let h = Func::from_u32(3);
    b.define("i", outer, |c, args| {
        let wide = c.convert(ConvertOp::FToF, Type::F80, args[1]);
        let dst = c.temp(Type::I32);
        let args = vec![args[0], wide];
        c.op(Op::Call { dst: Some(dst), callee: Callee::Direct(h), sig, args, dest: None });
        c.terminate(Terminator::Return(Some(Operand::Local(dst))));
    });
    b.each(|program| {
        for name in ["g", "i"] {
            let mut buffer = [0 as c_char; 200];
            call!(program, name, extern "C" fn(*mut c_char, f64) -> i32, buffer.as_mut_ptr(), 1.25);
            // SAFETY: snprintf terminates the text.
            let text = unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_str();
            let expected = "-7 2.50 text 1099511627776 1.250000 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 99";
            assert_eq!(text, Ok(expected));
        }
    });
}

/// A compiled variadic function that hands its `va_list` to C.
#[test]
fn passes_argument_lists_on() {
    let mut b = Builder::new();
    let v_sig = b.sig(
        &[scalar(Type::Ptr), scalar(Type::I64), scalar(Type::Ptr), scalar(Type::Ptr)],
        Some(scalar(Type::I32)),
        false,
    );
    let vsnprintf = b.declare("vsnprintf", v_sig);
    let print_sig = b.sig(&[scalar(Type::Ptr), scalar(Type::Ptr)], Some(scalar(Type::I32)), true);
    let print = b.define("print", print_sig, |c, args| {
        let list = Operand::Slot(c.body.slots.push(SlotData {
            size: 24,
            align: 8,
            name: None,
            restrict: false,
            kind: SlotKind::Frame,
            declared_in: None,
        }));
        c.va_start(list);
        let args = vec![args[0], i64c(200), args[1], list];
        let result = c.call(Callee::Direct(vsnprintf), v_sig, args, Some(Type::I32));
        c.ret(result);
    });
    let format = b.string("%d %d %d %d %d %d %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f %Lg %s");
    let text = b.string("end");
    let sig = b.sig(&[scalar(Type::Ptr)], Some(scalar(Type::I32)), false);
    b.define("f", sig, |c, args| {
        let mut list = vec![args[0], format];
        list.extend((1..=6).map(i32c));
        list.extend((1..=9).map(|i| Operand::f64(f64::from(i))));
        list.push(c.convert(ConvertOp::FToF, Type::F80, Operand::f64(0.125)));
        list.push(text);
        let result = c.call(Callee::Direct(print), print_sig, list, Some(Type::I32));
        c.ret(result);
    });
    b.each(|program| {
        let mut buffer = [0 as c_char; 200];
        call!(program, "f", extern "C" fn(*mut c_char) -> i32, buffer.as_mut_ptr());
        // SAFETY: vsnprintf terminates the text.
        let text = unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_str();
        assert_eq!(text, Ok("1 2 3 4 5 6 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 0.125 end"));
    });
}

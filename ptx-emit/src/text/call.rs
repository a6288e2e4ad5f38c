//! Calls, parameters and results.
//!
//! Scalars cross calls in parameters of their register's type; objects as arrays of bytes, which the callee
//! copies to its own frame.

use super::call_graph::Target;
use super::error::Result;
use super::function::{FunctionWriter, ins};
use super::name::ARGUMENT;
use super::operand::{Place, Value};
use super::register::{Class, Reg};
use accrue_ir::passes::ask_threads::LEVEL_QUERIES;
use accrue_ir::*;
use std::fmt::Write;
use std::rc::Rc;

/// Largest object that is passed by value.
const MOST_BYTES: u64 = 4096;

/// An argument, evaluated before the parameters of the call are declared.
enum Argument {
    Scalar(Class, Value),
    Object(Agg, Place),
}

impl FunctionWriter<'_, '_> {
    /// The declaration of a parameter or result.
    pub(super) fn param(&self, pass: PassBy, name: &str) -> Result<String> {
        match pass {
            PassBy::Scalar(ty, _) => {
                self.memory_type(ty)?;
                Ok(format!(".param .{} {name}", self.class(ty)?.name()))
            }
            PassBy::Aggregate(agg) => {
                let layout = &self.program.module.aggregates[agg];
                if layout.size > MOST_BYTES {
                    return Err(self.error(format!(
                        "an object of {} bytes is passed by value; {MOST_BYTES} are the most",
                        layout.size
                    )));
                }
                Ok(format!(".param .align {} .b8 {name}[{}]", layout.align.max(1), layout.size.max(1)))
            }
        }
    }

    /// At the start of a function: the object in a parameter becomes an object of the function.
    pub(super) fn own_copy(&mut self, agg: Agg, name: &Rc<str>, dst: Reg) -> Result<()> {
        let layout = &self.program.module.aggregates[agg];
        let (bytes, align) = (layout.size, layout.align);
        let own = self.frame_place(bytes.max(1), u32::try_from(align).unwrap_or(8).max(8));
        self.copy_param(&own, &Self::param_place(name), bytes, align);
        let address = self.generic(&own, true);
        ins!(self, "mov.b64 {dst}, {address}");
        Ok(())
    }

    /// Copies an object from or to the parameter space, which loops cannot index.
    fn copy_param(&mut self, dst: &Place, src: &Place, bytes: u64, align: u64) {
        let mut at = 0;
        while at < bytes {
            let mut step = align.clamp(1, 8);
            while step > bytes - at {
                step /= 2;
            }
            let piece = self.temp(if step == 8 { Class::B64 } else { Class::B32 });
            let bits = step * 8;
            ins!(self, "ld{}.u{bits} {piece}, {}", src.space_name(), src.plus(at));
            ins!(self, "st{}.u{bits} {}, {piece}", dst.space_name(), dst.plus(at));
            at += step;
        }
    }

    pub(super) fn return_value(&mut self, value: Operand) -> Result<()> {
        let signature = &self.program.module.signatures[self.function.sig];
        match signature.result {
            Some(PassBy::Scalar(..)) => {
                let class = self.class(self.type_of(value))?;
                let value = self.value(value)?;
                ins!(self, "st.param.{} {}, {value}", class.name(), Self::result_place());
            }
            Some(PassBy::Aggregate(agg)) => {
                let layout = &self.program.module.aggregates[agg];
                let (bytes, align) = (layout.size, layout.align);
                let src = self.place(Address::at(value), Space::Generic)?;
                self.copy_param(&Self::result_place(), &src, bytes, align);
            }
            None => {}
        }
        Ok(())
    }

    /// What is said of a function that nobody runs on the device.
    pub(super) fn no_device_version(&self, func: Func) -> super::EmitError {
        let function = &self.program.module.functions[func];
        let name = &function.name;
        self.error(match function.routine {
            Some(_) => format!(
                "routine `{name}`, which is called here, is declared with `acc routine` and defined in no file of the program"
            ),
            None if LEVEL_QUERIES.contains(&&**name) => format!(
                "function `{name}` has no device version: a `target` construct knows what is around it, a function \
                 that it calls does not; ask in the construct, and pass the answer on"
            ),
            None => format!("function `{name}` has no device version"),
        })
    }

    pub(super) fn call(
        &mut self,
        dst: Option<Local>,
        callee: Callee,
        sig: Sig,
        args: &[Operand],
        dest: Option<Operand>,
    ) -> Result<()> {
        match callee {
            Callee::Direct(func) => match self.program.targets.of(func) {
                Target::Function(target) => {
                    let sig = self.program.module.functions[target].sig;
                    let name = self.program.functions[target].to_string();
                    self.call_named(dst, &name, sig, args, dest)
                }
                Target::Library(library) => self.library_call(library, dst, args),
                Target::None => Err(self.no_device_version(func)),
            },
            Callee::Indirect(address) => {
                let address = self.reg(address)?;
                self.call_through(dst, address, sig, args, dest)
            }
        }
    }

    /// The arguments, as the signature takes them. A call without a prototype may pass more than the function
    /// takes.
    fn arguments(&mut self, sig: Sig, args: &[Operand]) -> Result<Vec<Argument>> {
        let params = &self.program.module.signatures[sig].params;
        if args.len() < params.len() {
            return Err(self.error("a call passes fewer arguments than the function takes"));
        }
        let mut list = Vec::with_capacity(params.len());
        for (&pass, &arg) in params.iter().zip(args) {
            list.push(match pass {
                PassBy::Scalar(ty, _) => {
                    let value = self.value(arg)?;
                    Argument::Scalar(self.class(ty)?, self.adapted(value, self.type_of(arg), ty)?)
                }
                PassBy::Aggregate(agg) => {
                    Argument::Object(agg, self.place(Address::at(arg), Space::Generic)?)
                }
            });
        }
        Ok(list)
    }

    /// A value where a call without a prototype gives or expects another type than the function has: integers
    /// are cut or extended by zeros, as they are in the registers of a host.
    fn adapted(&mut self, value: Value, from: Type, to: Type) -> Result<Value> {
        let (from_class, to_class) = (self.class(from)?, self.class(to)?);
        if from == to || (from_class == to_class && from_class == Class::B64) {
            return Ok(value);
        }
        let is_int = |class| matches!(class, Class::B32 | Class::B64);
        if !is_int(from_class) || !is_int(to_class) {
            return Err(self.error(format!("a call takes a value of type {from} for one of type {to}")));
        }
        let (value, result) = (self.in_register(from_class, value), self.temp(to_class));
        match to_class {
            Class::B64 => ins!(self, "cvt.u64.u32 {result}, {value}"),
            _ => self.truncate(result, to, value),
        }
        Ok(result.into())
    }

    fn call_named(
        &mut self,
        dst: Option<Local>,
        name: &str,
        sig: Sig,
        args: &[Operand],
        dest: Option<Operand>,
    ) -> Result<()> {
        let arguments = self.arguments(sig, args)?;
        self.call_with(dst, name, "", sig, &arguments, dest)
    }

    fn call_through(
        &mut self,
        dst: Option<Local>,
        address: Reg,
        sig: Sig,
        args: &[Operand],
        dest: Option<Operand>,
    ) -> Result<()> {
        let signature = &self.program.module.signatures[sig];
        if signature.variadic && args.len() > signature.params.len() {
            return Err(self.error(
                "a call through a pointer passes arguments that the function's type does not name; give it a prototype",
            ));
        }
        let arguments = self.arguments(sig, args)?;
        let prototype = self.label("prototype");
        let mut list = Vec::new();
        for pass in &signature.params {
            list.push(self.param(*pass, "_")?);
        }
        let result = match signature.result {
            Some(pass) => format!("({}) ", self.param(pass, "_")?),
            None => String::new(),
        };
        let _ = writeln!(self.out, "\t{prototype}: .callprototype {result}_ ({});", list.join(", "));
        self.call_with(dst, &address.to_string(), &format!(", {prototype}"), sig, &arguments, dest)
    }

    fn call_with(
        &mut self,
        dst: Option<Local>,
        callee: &str,
        prototype: &str,
        sig: Sig,
        arguments: &[Argument],
        dest: Option<Operand>,
    ) -> Result<()> {
        let result = self.program.module.signatures[sig].result;
        let target = match dest {
            Some(dest) => Some(self.place(Address::at(dest), Space::Generic)?),
            None => None,
        };
        self.out.push_str("\t{\n");
        for (number, argument) in arguments.iter().enumerate() {
            let name: Rc<str> = format!("{ARGUMENT}{number}").into();
            match argument {
                Argument::Scalar(class, value) => {
                    let class = class.name();
                    let _ = writeln!(self.out, "\t.param .{class} {name};");
                    ins!(self, "st.param.{class} [{name}], {value}");
                }
                Argument::Object(agg, src) => {
                    let declaration = self.param(PassBy::Aggregate(*agg), &name)?;
                    let _ = writeln!(self.out, "\t{declaration};");
                    let layout = &self.program.module.aggregates[*agg];
                    let (bytes, align) = (layout.size, layout.align);
                    self.copy_param(&Self::param_place(&name), src, bytes, align);
                }
            }
        }
        let returned: Rc<str> = format!("{ARGUMENT}{}", arguments.len()).into();
        let mut results = String::new();
        if let Some(pass) = result {
            let declaration = self.param(pass, &returned)?;
            let _ = writeln!(self.out, "\t{declaration};");
            results = format!("({returned}), ");
        }
        let names: Vec<String> = (0..arguments.len()).map(|number| format!("{ARGUMENT}{number}")).collect();
        ins!(self, "call {results}{callee}, ({}){prototype}", names.join(", "));
        match (result, dst, target) {
            (Some(PassBy::Scalar(ty, _)), Some(dst), _) => {
                let (wanted, class) = (self.body.locals[dst].ty, self.class(ty)?);
                let dst = self.local(dst)?;
                let given = if wanted == ty { dst } else { self.temp(class) };
                ins!(self, "ld.param.{} {given}, [{returned}]", class.name());
                if given != dst {
                    let value = self.adapted(given.into(), ty, wanted)?;
                    ins!(self, "mov.{} {dst}, {value}", dst.class.name());
                }
            }
            (Some(PassBy::Aggregate(agg)), _, Some(target)) => {
                let layout = &self.program.module.aggregates[agg];
                let (bytes, align) = (layout.size, layout.align);
                self.copy_param(&target, &Self::param_place(&returned), bytes, align);
            }
            _ => {}
        }
        self.out.push_str("\t}\n");
        Ok(())
    }

    /// Calls a function of the driver with scalar arguments.
    pub(super) fn call_extern(&mut self, symbol: &str, args: &[(Class, Value)], result: Option<Reg>) {
        self.out.push_str("\t{\n");
        let mut names = Vec::new();
        for (number, (class, value)) in args.iter().enumerate() {
            let _ = writeln!(self.out, "\t.param .{} {ARGUMENT}{number};", class.name());
            ins!(self, "st.param.{} [{ARGUMENT}{number}], {value}", class.name());
            names.push(format!("{ARGUMENT}{number}"));
        }
        let returned = format!("{ARGUMENT}{}", args.len());
        let results = match result {
            Some(reg) => {
                let _ = writeln!(self.out, "\t.param .{} {returned};", reg.class.name());
                format!("({returned}), ")
            }
            None => String::new(),
        };
        ins!(self, "call {results}{symbol}, ({})", names.join(", "));
        if let Some(reg) = result {
            ins!(self, "ld.param.{} {reg}, [{returned}]", reg.class.name());
        }
        self.out.push_str("\t}\n");
    }
}

//! Calls of functions of the C library that PTX or the driver offers ([`Library`]): a few instructions, or a
//! call of the driver.

use super::error::Result;
use super::function::{FunctionWriter, ins};
use super::library::{Extern, Library};
use super::operand::Value;
use super::register::{Class, Reg};
use crate::format;
use accrue_ir::{Address, Local, Operand, Type};

impl<'p> FunctionWriter<'p, '_> {
    pub(super) fn library_call(
        &mut self,
        library: Library,
        dst: Option<Local>,
        args: &[Operand],
    ) -> Result<()> {
        if let Some(op) = dst.and_then(|dst| library.operation(dst, args)) {
            return self.inst(&op);
        }
        match (library, args) {
            // Nobody looks at the result.
            (Library::Unary(_), [_]) | (Library::Binary(_), [_, _]) | (Library::MultiplyAdd, [_, _, _]) => {
                Ok(())
            }
            (Library::Printf, [format, rest @ ..]) => self.printf(dst, *format, rest),
            (Library::Puts, [string]) => {
                let string = self.value(*string)?;
                self.print_with(dst, b"%s\n\0", Class::B64, string)
            }
            (Library::Putchar, [character]) => {
                let character = self.value(*character)?;
                self.print_with(dst, b"%c\0", Class::B32, character)
            }
            (Library::AssertFail, [message, file, line, function]) => {
                self.demands.externs.insert(Extern::AssertFail);
                let args = [
                    (Class::B64, self.value(*message)?),
                    (Class::B64, self.value(*file)?),
                    (Class::B32, self.value(*line)?),
                    (Class::B64, self.value(*function)?),
                    (Class::B64, Value::Int(1)),
                ];
                self.call_extern(Extern::AssertFail.symbol(), &args, None);
                Ok(())
            }
            (Library::Abort, _) => {
                ins!(self, "trap");
                Ok(())
            }
            (Library::Malloc, [bytes]) => {
                let bytes = self.value(*bytes)?;
                let result = self.result_or_temp(dst, Class::B64)?;
                self.malloc(result, bytes);
                Ok(())
            }
            (Library::Share, [bytes]) => self.share(dst, *bytes),
            (Library::Own, [bytes]) => self.own(dst, *bytes),
            (Library::Calloc, [count, size]) => self.calloc(dst, *count, *size),
            (Library::Free, [pointer]) => {
                self.demands.externs.insert(Extern::Free);
                let pointer = self.value(*pointer)?;
                self.call_extern(Extern::Free.symbol(), &[(Class::B64, pointer)], None);
                Ok(())
            }
            (Library::MemCopy, [to, from, bytes]) => {
                self.mem_copy(Address::at(*to), Address::at(*from), *bytes, 1)?;
                self.give(dst, *to)
            }
            (Library::MemSet, [to, value, bytes]) => {
                let byte = self.reg(*value)?;
                let low = self.temp(Class::B32);
                ins!(self, "and.b32 {low}, {byte}, 255");
                self.fill(Address::at(*to), low.into(), *bytes, 1)?;
                self.give(dst, *to)
            }
            _ => Err(self.error("a function of the C library is called with too few or too many arguments")),
        }
    }

    fn give(&mut self, dst: Option<Local>, value: Operand) -> Result<()> {
        let Some(dst) = dst else { return Ok(()) };
        let value = self.value(value)?;
        let dst = self.local(dst)?;
        ins!(self, "mov.{} {dst}, {value}", dst.class.name());
        Ok(())
    }

    /// The register of the local that receives a result, or one nobody looks at.
    fn result_or_temp(&mut self, dst: Option<Local>, class: Class) -> Result<Reg> {
        match dst {
            Some(dst) => self.local(dst),
            None => Ok(self.temp(class)),
        }
    }

    /// `printf`: the driver's `vprintf` takes the arguments in memory, each at a multiple of its size.
    fn printf(&mut self, dst: Option<Local>, format: Operand, rest: &[Operand]) -> Result<()> {
        let (format, conversions) = match format::literal(self.program.module, format) {
            Some(literal) => {
                let (bytes, conversions) = format::rewrite(literal).map_err(|message| self.error(message))?;
                if conversions.len() > rest.len() {
                    return Err(self.error("`printf` has fewer arguments than its format asks for"));
                }
                (self.format(bytes).into(), conversions)
            }
            None => (self.value(format)?, Vec::new()),
        };
        let mut values = Vec::with_capacity(rest.len());
        let mut end = 0u64;
        for (index, &arg) in rest.iter().enumerate() {
            let ty = self.type_of(arg);
            let value = self.value(arg)?;
            let value = self.narrowed(value, ty, conversions.get(index).copied());
            let (class, value) = match self.class(ty)? {
                Class::F32 => {
                    let (single, double) = (self.in_register(Class::F32, value), self.temp(Class::F64));
                    ins!(self, "cvt.f64.f32 {double}, {single}");
                    (Class::F64, double.into())
                }
                class => (class, value),
            };
            let size = if class == Class::B32 { 4 } else { 8 };
            let offset = end.next_multiple_of(size);
            end = offset + size;
            values.push((offset, class, value));
        }
        let arguments = if values.is_empty() {
            Value::Int(0)
        } else {
            let area = self.argument_area(end);
            for (offset, class, value) in values {
                ins!(self, "st.local.{} {}, {value}", class.name(), area.plus(offset));
            }
            self.generic(&area, true).into()
        };
        self.vprintf(dst, format, arguments)
    }

    pub(super) fn print_with(
        &mut self,
        dst: Option<Local>,
        format: &[u8],
        class: Class,
        value: Value,
    ) -> Result<()> {
        let format = self.format(format.to_vec());
        let area = self.argument_area(8);
        ins!(self, "st.local.{} {area}, {value}", class.name());
        let arguments = self.generic(&area, true);
        self.vprintf(dst, format.into(), arguments.into())
    }

    /// The generic address of a format.
    pub(super) fn format(&mut self, bytes: Vec<u8>) -> Reg {
        let name = self.demands.format(bytes);
        let (own, generic) = (self.temp(Class::B64), self.temp(Class::B64));
        ins!(self, "mov.u64 {own}, {name}");
        ins!(self, "cvta.global.u64 {generic}, {own}");
        generic
    }

    /// An argument as its conversion prints it.
    fn narrowed(&mut self, value: Value, ty: Type, conversion: Option<format::Argument>) -> Value {
        let Some(format::Argument::Narrow { bits, signed }) = conversion else { return value };
        if ty != Type::I32 {
            return value;
        }
        let (wide, narrow) = (self.in_register(Class::B32, value), self.temp(Class::B32));
        let sign = if signed { 's' } else { 'u' };
        ins!(self, "cvt.{sign}32.{sign}{bits} {narrow}, {wide}");
        narrow.into()
    }

    fn vprintf(&mut self, dst: Option<Local>, format: Value, arguments: Value) -> Result<()> {
        self.demands.externs.insert(Extern::Vprintf);
        let result = self.result_or_temp(dst, Class::B32)?;
        let args = [(Class::B64, format), (Class::B64, arguments)];
        self.call_extern(Extern::Vprintf.symbol(), &args, Some(result));
        Ok(())
    }

    pub(super) fn malloc(&mut self, result: Reg, bytes: Value) {
        self.demands.externs.insert(Extern::Malloc);
        self.call_extern(Extern::Malloc.symbol(), &[(Class::B64, bytes)], Some(result));
    }

    fn calloc(&mut self, dst: Option<Local>, count: Operand, size: Operand) -> Result<()> {
        let (count, size) = (self.reg(count)?, self.reg(size)?);
        let (bytes, high, wanted) = (self.temp(Class::B64), self.temp(Class::B64), self.temp(Class::B64));
        let (overflow, null) = (self.temp(Class::Pred), self.temp(Class::Pred));
        ins!(self, "mul.lo.u64 {bytes}, {count}, {size}");
        ins!(self, "mul.hi.u64 {high}, {count}, {size}");
        ins!(self, "setp.ne.u64 {overflow}, {high}, 0");
        // More than there is: nothing is allocated then.
        ins!(self, "selp.b64 {wanted}, -1, {bytes}, {overflow}");
        let result = self.temp(Class::B64);
        self.malloc(result, wanted.into());
        let done = self.label("null");
        ins!(self, "setp.eq.u64 {null}, {result}, 0");
        ins!(self, "@{null} bra {done}");
        self.clear(result, bytes.into());
        self.place_label(done);
        self.give_memory(dst, result)
    }

    /// An address that was allocated is the result.
    pub(super) fn give_memory(&mut self, dst: Option<Local>, memory: Reg) -> Result<()> {
        if let Some(dst) = dst {
            let dst = self.local(dst)?;
            ins!(self, "mov.b64 {dst}, {memory}");
        }
        Ok(())
    }
}

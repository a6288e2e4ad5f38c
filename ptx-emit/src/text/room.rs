//! Memory of which a program may want more than there is: the heap of the device, the stack of a thread. Who
//! asks for too much ends the program with the number of bytes, rather than with an address that leads
//! nowhere.

use super::error::Result;
use super::function::{FunctionWriter, ins};
use super::library::Extern;
use super::operand::Value;
use super::register::{Class, Reg};
use accrue_ir::{Local, Operand};

/// Bytes of stack of a thread where nobody knows how many it needs.
pub const OPEN_STACK: u64 = 16 << 10;
/// How often memory is asked for that is not there: other gangs give theirs back when they end.
const ATTEMPTS: u32 = 1 << 14;
/// Nanoseconds between two attempts.
const PAUSE: u32 = 1_000_000;

impl FunctionWriter<'_, '_> {
    /// Memory on the device's heap, for what threads share. Gangs that find none wait for others to end, so
    /// that there are fewer at a time.
    pub(super) fn share(&mut self, dst: Option<Local>, bytes: Operand) -> Result<()> {
        let (bytes, memory) = (self.reg(bytes)?, self.temp(Class::B64));
        let (attempt, found, more) = (self.temp(Class::B32), self.temp(Class::Pred), self.temp(Class::Pred));
        let (again, given) = (self.label("share"), self.label("shared"));
        ins!(self, "mov.b32 {attempt}, 0");
        self.place_label(again);
        self.malloc(memory, bytes.into());
        ins!(self, "setp.ne.u64 {found}, {memory}, 0");
        ins!(self, "@{found} bra {given}");
        ins!(self, "add.s32 {attempt}, {attempt}, 1");
        ins!(self, "setp.lt.u32 {more}, {attempt}, {ATTEMPTS}");
        ins!(self, "nanosleep.u32 {PAUSE}");
        ins!(self, "@{more} bra {again}");
        let message = "accrue: %llu bytes are wanted for an array of variable length that threads of a gang share, and the \
                       device's heap has no room for them beside those of the other gangs\n";
        let condition = "the heap has room for what threads share; fewer gangs (num_gangs) want less";
        self.refuse(message, bytes, condition)?;
        self.place_label(given);
        self.give_memory(dst, memory)
    }

    /// Memory on the device's heap for what is too large for a thread's frame. A thread does not wait for
    /// others: they may wait for it.
    pub(super) fn own(&mut self, dst: Option<Local>, bytes: Operand) -> Result<()> {
        let (bytes, memory) = (self.reg(bytes)?, self.temp(Class::B64));
        let (found, given) = (self.temp(Class::Pred), self.label("given"));
        self.malloc(memory, bytes.into());
        ins!(self, "setp.ne.u64 {found}, {memory}, 0");
        ins!(self, "@{found} bra {given}");
        let message = "accrue: %llu bytes are wanted for an array of variable length of one thread, and the device's heap has \
                       no room for them beside the arrays of the other threads\n";
        self.refuse(message, bytes, "the heap has room for the arrays of each thread")?;
        self.place_label(given);
        self.give_memory(dst, memory)
    }

    /// Says how many bytes were wanted, once for all lanes that want as many, and ends the program:
    /// `condition` does not hold.
    fn refuse(&mut self, message: &str, bytes: Reg, condition: &str) -> Result<()> {
        let text = |text: &str| [text.as_bytes(), b"\0"].concat();
        let (lanes, before) = (self.temp(Class::B32), self.temp(Class::B32));
        let (others, told) = (self.temp(Class::Pred), self.label("told"));
        ins!(self, "activemask.b32 {lanes}");
        ins!(self, "mov.u32 {before}, %lanemask_lt");
        ins!(self, "and.b32 {before}, {before}, {lanes}");
        ins!(self, "setp.ne.u32 {others}, {before}, 0");
        ins!(self, "@{others} bra {told}");
        self.print_with(None, &text(message), Class::B64, bytes.into())?;
        self.place_label(told);
        let pos = if self.pos.line == 0 { self.function.pos } else { self.pos };
        let file = self.program.module.files.get(pos.file).map_or("", |name| name);
        let [condition, file, function] =
            [condition, file, &self.function.name].map(|name| self.format(text(name)));
        let args = [
            (Class::B64, condition.into()),
            (Class::B64, file.into()),
            (Class::B32, Value::Int(pos.line.into())),
            (Class::B64, function.into()),
            (Class::B64, Value::Int(1)),
        ];
        self.demands.externs.insert(Extern::AssertFail);
        self.call_extern(Extern::AssertFail.symbol(), &args, None);
        ins!(self, "trap");
        Ok(())
    }
}

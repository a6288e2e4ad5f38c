//! Summaries of functions, over the call graph.
//!
//! What a function calls counts as its own, with the parameters of the called function replaced by what they
//! are given. A summary only grows by that, so that functions which call each other come to an end, too.

mod allocators;
mod origins;
mod ranges;
#[cfg(test)]
mod tests;

use super::callees::{Access, ByValue, Callees, Deed, Place, Summary, Witness};
use super::library::{self, Count};
use crate::entities::{Block, Func, Sig};
use crate::function::{Body, Function};
use crate::module::Module;
use crate::op::{Address, Callee, Class, Op, Operand, Pos, Terminator};
use crate::types::{PassBy, Type};
use cranelift_entity::{EntitySet, SecondaryMap};
use origins::{Origin, Origins, hull, sum};
use ranges::Ranges;

/// Rounds over the call graph in which distances may grow; they do so for ever where a function passes
/// `p + 1` on to itself.
const MOST_ROUNDS: u32 = 8;

/// The summaries of the functions of a module that code of devices calls, and what else is asked about calls
/// and globals. `signed_wraps`: signed integers wrap around.
pub fn of(module: &Module, signed_wraps: bool) -> Callees {
    let mut found = Callees::unknown();
    let globals = module.globals.iter().filter(|(_, data)| data.restrict);
    found.restrict.extend(globals.map(|(global, _)| global));
    allocators::find(module, &mut found);
    for (global, data) in &module.globals {
        let is_plain = data.size > 0 && !data.thread_local && data.declare.is_none();
        found.layouts[global] = is_plain.then_some((data.size, data.align));
    }
    for sig in module.signatures.keys() {
        found.by_value[sig] = by_value(module, sig);
    }
    let mut reached = Reached::default();
    called_on_devices(module, |func| reached.add(func));
    let mut next = 0;
    while let Some(&func) = reached.list.get(next) {
        next += 1;
        let data = &module.functions[func];
        let (mut summary, mut calls) = match (&data.body, &data.alias) {
            (Some(body), _) => Look::at(module, (func, body), &found.by_value, signed_wraps),
            (None, Some(_)) => (Summary::default(), Vec::new()),
            (None, None) => (of_library(func, data.link_name.as_deref().unwrap_or(&data.name)), Vec::new()),
        };
        // What the function is another name of, and what a device calls in its place.
        let bound = data.routine.as_ref().and_then(|routine| routine.bind.as_deref());
        for name in [data.alias.as_deref(), bound].into_iter().flatten() {
            let is_it = |data: &Function| data.body.is_some() && *data.name == *name;
            let other = module.functions.iter().find(|(_, data)| is_it(data)).map(|(other, _)| other);
            let call = Call::instead(other.unwrap_or(func), module.signatures[data.sig].params.len());
            match other {
                Some(_) => calls.push(call),
                None => _ = summary.call(&of_library(func, name), &call, true),
            }
        }
        found.summaries[func] = summary;
        calls.iter().for_each(|call| reached.add(call.callee));
        reached.calls[func] = calls;
    }
    for round in 0.. {
        let mut changed = false;
        for &func in &reached.list {
            for call in &reached.calls[func] {
                let callee = found.summaries[call.callee].clone();
                changed |= found.summaries[func].call(&callee, call, round < MOST_ROUNDS);
            }
        }
        if !changed {
            break;
        }
    }
    found
}

/// The functions that code of devices calls, directly or not.
#[derive(Default)]
struct Reached {
    list: Vec<Func>,
    known: EntitySet<Func>,
    calls: SecondaryMap<Func, Vec<Call>>,
}

impl Reached {
    fn add(&mut self, func: Func) {
        if self.known.insert(func) {
            self.list.push(func);
        }
    }
}

/// Visits the functions that compute constructs and routines call by their names.
fn called_on_devices(module: &Module, mut visit: impl FnMut(Func)) {
    for data in module.functions.values() {
        let Some(body) = &data.body else { continue };
        if body.constructs.is_empty() && data.routine.is_none() {
            continue;
        }
        for block in body.order.iter().map(|&block| &body.blocks[block]) {
            if block.construct.is_none() && data.routine.is_none() {
                continue;
            }
            for inst in &block.insts {
                if let Op::Call { callee: Callee::Direct(func), .. } = inst.op {
                    visit(func);
                }
            }
        }
    }
}

fn by_value(module: &Module, sig: Sig) -> ByValue {
    let signature = &module.signatures[sig];
    let size = |by: &PassBy| match by {
        PassBy::Aggregate(agg) => Some(module.aggregates[*agg].size),
        PassBy::Scalar(..) => None,
    };
    let arguments = signature.params.iter().enumerate().filter_map(|(n, by)| Some((n, size(by)?)));
    ByValue { arguments: arguments.collect(), result: signature.result.as_ref().and_then(size) }
}

/// What a function without a body does.
fn of_library(func: Func, name: &str) -> Summary {
    let witness = |deed| Witness { function: Some(func), deed, pos: Pos::none() };
    let Some(accesses) = library::accesses(name) else {
        let deed = match name {
            name if library::ends_the_program(name) => Deed::Ends,
            name if library::prints(name) => Deed::Prints,
            _ => Deed::Unknown,
        };
        return Summary { accesses: Vec::new(), obstacle: Some(witness(deed)) };
    };
    let accesses = accesses.iter().map(|access| Access {
        place: Place::Parameter(access.argument),
        bytes: match access.count {
            Count::Bytes(bytes) => Some((0, i64::from(bytes))),
            Count::Argument(_) => None,
        },
        ty: None,
        writes: access.writes,
        witness: witness(Deed::Accesses),
    });
    Summary { accesses: accesses.collect(), obstacle: None }
}

impl Summary {
    /// Adds an access; whether that was not known. `is_exact`: distances may still grow.
    fn access(&mut self, new: Access, is_exact: bool) -> bool {
        if new.place == Place::Elsewhere && new.writes {
            return self.obstacle(new.witness);
        }
        let same = |old: &&mut Access| old.place == new.place && old.writes == new.writes;
        let Some(old) = self.accesses.iter_mut().find(same) else {
            self.accesses.push(new);
            return true;
        };
        let mut bytes = hull(old.bytes, new.bytes);
        if bytes != old.bytes && !is_exact {
            bytes = None;
        }
        let ty = old.ty.filter(|_| old.ty == new.ty);
        let changed = (bytes, ty) != (old.bytes, old.ty);
        (old.bytes, old.ty) = (bytes, ty);
        changed
    }

    fn obstacle(&mut self, witness: Witness) -> bool {
        let is_first = self.obstacle.is_none();
        self.obstacle.get_or_insert(witness);
        is_first
    }

    /// Adds what a call does; whether that was not known.
    fn call(&mut self, callee: &Summary, call: &Call, is_exact: bool) -> bool {
        let mut changed = callee.obstacle.is_some_and(|obstacle| self.obstacle(obstacle));
        for &access in &callee.accesses {
            let Place::Parameter(n) = access.place else {
                changed |= self.access(access, is_exact);
                continue;
            };
            // A call with too few arguments gives the function any value.
            let Some(origins) = call.arguments.get(n) else {
                changed |= self.access(Access { place: Place::Elsewhere, bytes: None, ..access }, is_exact);
                continue;
            };
            for origin in origins {
                if let Some(place) = origin.place {
                    let bytes = sum(origin.distance, access.bytes);
                    changed |= self.access(Access { place, bytes, ..access }, is_exact);
                }
            }
        }
        changed
    }
}

/// A call in a function, with what its arguments point to.
#[derive(Clone, Debug)]
struct Call {
    callee: Func,
    arguments: Vec<Vec<Origin>>,
}

impl Call {
    /// Of a function that is called in the place of one with so many parameters.
    fn instead(callee: Func, parameters: usize) -> Call {
        let start = |n| vec![Origin { place: Some(Place::Parameter(n)), distance: Some((0, 0)) }];
        Call { callee, arguments: (0..parameters).map(start).collect() }
    }
}

/// Looks at what a function does by itself.
struct Look<'a> {
    module: &'a Module,
    func: Func,
    by_value: &'a SecondaryMap<Sig, ByValue>,
    origins: Origins,
    ranges: Ranges<'a>,
    /// The instruction that is looked at.
    at: (Block, usize),
    summary: Summary,
    calls: Vec<Call>,
}

impl<'a> Look<'a> {
    /// What a function does by itself, and what it calls.
    fn at(
        module: &'a Module,
        (func, body): (Func, &'a Body),
        by_value: &'a SecondaryMap<Sig, ByValue>,
        signed_wraps: bool,
    ) -> (Summary, Vec<Call>) {
        let sig = module.functions[func].sig;
        let mut look = Look {
            module,
            func,
            by_value,
            origins: Origins::new(body, &module.signatures[sig]),
            ranges: Ranges::new(body, signed_wraps),
            at: (Block::from_u32(0), 0),
            summary: Summary::default(),
            calls: Vec::new(),
        };
        for &block in &body.order {
            let data = &body.blocks[block];
            for (n, inst) in data.insts.iter().enumerate() {
                look.at = (block, n);
                look.inst(body, &inst.op, inst.pos);
            }
            if let (Terminator::Return(Some(object)), Some(size)) = (&data.term, by_value[sig].result) {
                // Who called copies the object.
                look.at = (block, data.insts.len());
                look.touch(Address::at(*object), (Some(size), None), false, data.term_pos);
            }
        }
        (look.summary, look.calls)
    }

    fn inst(&mut self, body: &Body, op: &Op, pos: Pos) {
        let size = |bytes: &Operand| bytes.as_int().and_then(|bytes| u64::try_from(bytes).ok());
        let scalar = |ty: Type| (Some(u64::from(ty.bytes())), Some(ty));
        match op {
            Op::Load { dst, addr, access } if !access.volatile => {
                self.touch(*addr, scalar(body.locals[*dst].ty), false, pos);
            }
            Op::Store { ty, addr, access, .. } if !access.volatile => {
                self.touch(*addr, scalar(*ty), true, pos);
            }
            Op::MemCopy { dst, src, bytes, .. } => {
                self.touch(*src, (size(bytes), None), false, pos);
                self.touch(*dst, (size(bytes), None), true, pos);
            }
            Op::MemSet { dst, bytes, .. } => self.touch(*dst, (size(bytes), None), true, pos),
            Op::Call { callee: Callee::Direct(callee), sig, args, dest, .. } => {
                let by_value = &self.by_value[*sig];
                for &(n, size) in &by_value.arguments {
                    if let Some(&argument) = args.get(n) {
                        self.touch(Address::at(argument), (Some(size), None), false, pos);
                    }
                }
                if let Some(dest) = *dest {
                    self.touch(Address::at(dest), (by_value.result, None), true, pos);
                }
                let arguments = args.iter().map(|&argument| self.origins.of(argument)).collect();
                self.calls.push(Call { callee: *callee, arguments });
            }
            op => {
                let deed = match op.class() {
                    Class::Value | Class::Lane | Class::Abstract => return,
                    Class::Frame => {
                        // A list of arguments is an object that its operations change.
                        let mut objects: Vec<Operand> = Vec::new();
                        op.operands(|operand| objects.push(operand));
                        objects.retain(|&object| body.operand_type(object) == Type::Ptr);
                        for object in objects {
                            self.touch(Address::at(object), (None, None), true, pos);
                        }
                        return;
                    }
                    Class::Call if *op == Op::Trap => Deed::Ends,
                    Class::Call => Deed::Unknown,
                    Class::Memory | Class::Atomic | Class::Directive | Class::Threads => Deed::Orders,
                };
                self.summary.obstacle(Witness { function: Some(self.func), deed, pos });
            }
        }
    }

    /// Notes an access of so many bytes of a type.
    fn touch(&mut self, addr: Address, (bytes, ty): (Option<u64>, Option<Type>), writes: bool, pos: Pos) {
        let bytes = bytes.and_then(|bytes| i64::try_from(bytes).ok());
        let reach = bytes.and_then(|bytes| Some((addr.offset, addr.offset.checked_add(bytes)?)));
        let witness = Witness { function: Some(self.func), deed: Deed::Accesses, pos };
        for Origin { place, distance } in self.origins.of(addr.base) {
            let Some(place) = place else { continue };
            let is_constant = matches!(place, Place::Global(global) if self.module.globals[global].constant);
            if writes || !is_constant {
                // In a loop, what the counters are may tell more.
                let bytes = sum(distance, reach).or_else(|| self.ranges.of(place, self.at, writes));
                self.summary.access(Access { place, bytes, ty, writes, witness }, true);
            }
        }
    }
}

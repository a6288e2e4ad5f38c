"""Addresses of the device: `host_data`, `deviceptr`, and the routines of the API; and functions of the host that get a pointer to data that is
on the device."""

import nests
from context import Context, LEVELS, Unit, Var, View, chance, pick
from scalars import Struct
from tree import Block, Clause, Construct, Directive, Line, Named, OneLine


def kinds(host):
    """Statements about addresses, with their weights."""
    return [(host_data, 0.7), (device_pointer, 0.5), (own_memory, 0.7), (present_pointer, 0.7)]


class Launcher(Named):
    """A function of the host with a construct that works on what its parameter points to."""

    def __init__(self, host, var, clause):
        super().__init__(host.program.name("g"), True)
        program = host.program
        self.pointer = Var("p", var.type, var.dims)
        self.pointer.heap = True
        self.body = Block()
        unit = Unit()
        ctx = Context(program, unit, Block(), host.times)
        ctx.on_device = True
        ctx.may_declare = False
        ctx.levels = LEVELS
        ctx.is_redundant = True
        ctx.outs.append(View(self.pointer))
        program.fuel = program.size
        levels = nests.choose_levels(ctx, True)
        nest = nests.prepare(ctx, levels, True)
        item = (self.pointer,) if clause == "deviceptr" else (self.pointer, "".join(f"[0:{dim}]" for dim in var.dims))
        clauses = [Clause(clause, [item], keep=True)] + nest.clauses
        self.body.add(OneLine(Directive("parallel loop", clauses), nest.statement(), nest.saved))
        program.all_functions.append(self)

    def print(self, printer):
        if printer.is_dropped(self):
            return
        declared = self.pointer.pointer().replace("%", self.pointer.name)
        printer.lines.append(f"static void {printer.name(self)}({declared}) {{")
        self.body.print(printer)
        printer.lines.append("}")


def mapped(host):
    """An entry that is on the device as a whole, with its value there."""
    found = host.some(1, lambda entry: entry.mapped and entry.window is None and len(entry.var.dims) == 1 and not entry.var.owner
                      and entry.var.sum is None and not isinstance(entry.var.type, Struct))
    for entry in found:
        host.need_device(entry.var)
        host.settle([entry.var])
        entry.host_ok = False
        return entry
    return None


def host_data(host):
    """A function gets the device's address of data."""
    entry = mapped(host)
    if entry:
        function = Launcher(host, entry.var, "deviceptr")
        body = Block([Line(function, "(", entry.var.start(), ");")])
        clauses = [Clause("use_device", [(entry.var.start(),)], keep=True)]
        host.add(Construct(Directive("host_data", clauses, True), body))


def device_pointer(host):
    """The same by `acc_deviceptr`."""
    entry = mapped(host)
    if entry:
        function = Launcher(host, entry.var, "deviceptr")
        host.add(Line(function, "(acc_deviceptr(", entry.var.start(), "));", only="directives"))
        host.add(Line(function, "(", entry.var.start(), ");", only="twin"))


def present_pointer(host):
    """A function gets the host's address of data that is on the device."""
    entry = mapped(host)
    if entry:
        function = Launcher(host, entry.var, "present")
        host.add(Line(function, "(", entry.var.start(), ");"))


def own_memory(host):
    """Memory of the device that the program allocates, with copies there and back."""
    found = host.some(1, lambda entry: len(entry.var.dims) == 1 and entry.var.sum is None and not isinstance(entry.var.type, Struct))
    if not found:
        return
    var = found[0].var
    host.need_host([var])
    function = Launcher(host, var, "deviceptr")
    name = host.program.name("d")
    size = f"{var.elements()} * sizeof({var.type.spelling})"
    inner = Block(braces=True)
    for only, allocate, there, back, free in (
            ("directives", "acc_malloc", "acc_memcpy_to_device", "acc_memcpy_from_device", "acc_free"),
            ("twin", "malloc", "memcpy", "memcpy", "free")):
        inner.add(Line(f"{var.type.spelling} *{name} = {allocate}({size});", keep=True, only=only))
        inner.add(Line(f"{there}({name}, ", var.start(), f", {size});", keep=True, only=only))
        inner.add(Line(function, f"({name});", only=only))
        inner.add(Line(f"{back}(", var.start(), f", {name}, {size});", keep=True, only=only))
        inner.add(Line(f"{free}({name});", keep=True, only=only))
    host.add(inner)
    host.host_wrote([var])

"""Addresses of the device: `host_data`, `deviceptr`, and the routines of the API; and functions of the host that get a pointer to data that is
on the device."""

import nests
from context import Context, LEVELS, Unit, Var, View, chance, pick
from scalars import SCALARS, Struct
from tree import Block, Clause, Construct, Directive, Line, Named, OneLine


def kinds(host):
    """Statements about addresses, with their weights."""
    return [(host_data, 0.7), (device_pointer, 0.5), (own_memory, 0.7), (present_pointer, 0.7), (rows, 0.7)]


class Launcher(Named):
    """A function of the host with a construct that works on what its parameter points to."""

    def __init__(self, host, var, clause):
        super().__init__(host.program.name("g"), True)
        program = host.program
        self.pointer = Var("p", var.type, var.dims)
        self.pointer.heap = True
        # Parameters with the numbers of elements, for a parameter that is an array of variable length.
        self.counts = [f"n{at}" for at in range(len(var.dims))] if len(var.dims) > 1 or chance(program.rng, 0.3) else []
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
        bounds = self.counts or [str(dim) for dim in var.dims]
        item = (self.pointer,) if clause == "deviceptr" else (self.pointer, "".join(f"[0:{bound}]" for bound in bounds))
        clauses = [Clause(clause, [item], keep=True)] + nest.clauses
        self.body.add(OneLine(Directive("parallel loop", clauses), nest.statement(), nest.saved))
        program.all_functions.append(self)

    def call(self, *address):
        """Parts of a call."""
        lengths = [str(dim) for dim in self.pointer.dims] if self.counts else []
        return (self, "(" + "".join(f"{length}, " for length in lengths), *address, ")")

    def print(self, printer):
        if printer.is_dropped(self):
            return
        declared = self.pointer.pointer().replace("%", self.pointer.name)
        if self.counts:
            lengths = "".join(f"[{count}]" for count in self.counts)
            declared = ", ".join(f"int {count}" for count in self.counts) + f", {self.pointer.type.spelling} {self.pointer.name}{lengths}"
        printer.lines.append(f"static void {printer.name(self)}({declared}) {{")
        self.body.print(printer)
        printer.lines.append("}")


def mapped(host, dimensions=(1, 2)):
    """An entry that is on the device as a whole, with its value there."""
    found = host.some(1, lambda entry: entry.mapped and entry.window is None and len(entry.var.dims) in dimensions and not entry.var.owner
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
        body = Block([Line(*function.call(entry.var.start()), ";")])
        clauses = [Clause("use_device", [(entry.var.start(),)], keep=True)]
        clauses += [Clause(host.rng.choice(("if(zero == 0)", "if_present")))] if chance(host.rng, 0.3) else []
        host.add(Construct(Directive("host_data", clauses, True), body))


def device_pointer(host):
    """The same by `acc_deviceptr`."""
    entry = mapped(host)
    if entry:
        function = Launcher(host, entry.var, "deviceptr")
        host.add(Line(*function.call("acc_deviceptr(", entry.var.start(), ")"), ";", only="directives"))
        host.add(Line(*function.call(entry.var.start()), ";", only="twin"))


def present_pointer(host):
    """A function gets the host's address of data that is on the device."""
    entry = mapped(host)
    if entry:
        function = Launcher(host, entry.var, "present")
        host.add(Line(*function.call(entry.var.start()), ";"))


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
        inner.add(Line(*function.call(name), ";", only=only))
        inner.add(Line(f"{back}(", var.start(), f", {name}, {size});", keep=True, only=only))
        inner.add(Line(f"{free}({name});", keep=True, only=only))
    host.add(inner)
    host.host_wrote([var])


def rows(host):
    """An array of pointers to rows, each of which is brought to the device by itself and attached there."""
    rng = host.rng
    program = host.program
    count, length = rng.randint(1, 4), rng.choice((3, 8, 33, 64))
    var = Var(program.name("m"), rng.choice([scalar for scalar in SCALARS if scalar.family != "complex"]), (count, length))
    var.heap = True  # nobody has a private copy of it
    spelling = var.type.spelling
    inner = Block(braces=True)
    inner.add(Line(f"{spelling} *", var, f"[{count}];", keep=True))
    inner.add(Line(f"for (int k = 0; k < {count}; k++) ", var, f"[k] = malloc({length} * sizeof({spelling}));", keep=True))
    inner.add(Line(f"for (int k = 0; k < {count}; k++) for (int j = 0; j < {length}; j++) ", var, "[k][j] = (k + j * 7) % 61 % 2;", keep=True))

    def each(words):
        inner.add(Line(f"for (int k = 0; k < {count}; k++) {{", keep=True, only="directives"))
        inner.add(Directive(words, [Clause("", [(var, f"[k][0:{length}]")], keep=True)]))
        inner.add(Line("}", keep=True, only="directives"))

    inner.add(Directive("enter data", [Clause(rng.choice(("copyin", "create")), [(var, f"[0:{count}]")], keep=True)]))
    each("enter data copyin")
    ctx = Context(program, Unit(), Block(), host.times)
    ctx.on_device = True
    ctx.may_declare = False
    ctx.levels = LEVELS
    ctx.is_redundant = True
    ctx.outs.append(View(var))
    program.fuel = program.size
    nest = nests.prepare(ctx, nests.choose_levels(ctx, True), True)
    clauses = [Clause("present", [(var, f"[0:{count}]")], keep=True)] + nest.clauses
    inner.add(OneLine(Directive("parallel loop", clauses), nest.statement(), nest.saved))
    if chance(rng, 0.3):
        each("update self")
        each("exit data delete")
    else:
        each("exit data copyout")
    inner.add(Directive("exit data", [Clause("delete", [(var, f"[0:{count}]")], keep=True)]))
    show = "show_real" if var.type.family == "real" else "show"
    inner.add(Line(f'for (int k = 0; k < {count}; k++) for (int j = 0; j < {length}; j++) {show}("{var.name}", k * {length} + j, ', var, "[k][j]);", keep=True))
    inner.add(Line(f"for (int k = 0; k < {count}; k++) free(", var, "[k]);", keep=True))
    host.add(inner)

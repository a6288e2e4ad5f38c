"""The host's part of a test: variables, data directives, queues, and the order in which constructs follow one another.

Of every variable is known whether the host's copy and the device's copy hold its value (`Entry`). A copy that does not is brought up to date
before it is read, so that a program computes the same whether the device has memory of its own or not. In the same way a queue that works on a
variable is waited for before anything else touches the variable.
"""

import nests
import regions
import single
from context import Context, Unit, Var, View, chance, pick
from reductions import Reduction, assign_all, define, operators_of, pick_operator, prepare, random_type, start_value
from scalars import SCALARS, Struct
from tree import Block, Clause, Construct, Directive, Expr, For, Line, literal

SIZES = [(1, 1), (5, 2), (16, 3), (32, 2), (33, 2), (64, 3), (100, 2), (257, 1), (1025, 2)]


class Entry:
    """What is known about a variable of a test."""

    def __init__(self, var):
        self.var = var
        self.mapped = None  # how it came to the device: data, enter, declare
        self.window = None  # (first, length) of what was mapped
        self.host_ok = True
        self.device_ok = False
        self.queue = None  # works on it

    def may_be_section(self):
        var = self.var
        return len(var.dims) == 1 and var.dims[0] >= 4 and var.sum is None


class Host:
    """The function of a test."""

    def __init__(self, program, number):
        self.program = program
        self.rng = program.rng
        self.number = number
        self.top = Block()
        self.block = self.top
        self.times = 1
        self.entries = {}
        self.ends = Block()  # frees memory
        self.depth = 0
        self.pinned = []  # stay on the device for now

    def add(self, statement):
        return self.block.add(statement)

    # Variables

    def declare(self):
        """Declares variables and gives them values."""
        rng = self.rng
        for _ in range(rng.randint(3, 6)):
            self.declare_array()
        for _ in range(rng.randint(2, 4)):
            var = Var(self.program.name("v"), rng.choice(SCALARS), (), is_global=chance(rng, 0.2))
            self.enter(var)
        for _ in range(rng.randint(2, 5)):
            self.declare_accumulator()
        for entry in list(self.entries.values()):
            self.initialise(entry.var)

    def enter(self, var):
        """Registers a variable and prints where it lives."""
        self.entries[var] = Entry(var)
        if var.is_global:
            self.program.globals.append(var)
        if var.heap:
            before, after = ("", "") if var.is_global else var.pointer().split("%")
            size = f"sizeof({var.type.spelling}[{var.elements()}])"
            self.top.add(Line(before, var, after, f" = malloc({size});", keep=True))
            self.ends.add(Line("free(", var, ");", keep=True))
        elif var.is_global:
            return
        else:
            length = "".join(f"[{dim}]" for dim in var.dims)
            self.top.add(Line(var.type.spelling + " ", var, length + ";", keep=True))

    def declare_array(self):
        rng = self.rng
        size = pick(rng, SIZES)
        dims = (size,)
        if chance(rng, 0.25):
            dims = (rng.choice((3, 8, 16, 33)), rng.choice((4, 7, 16, 32)))
            if chance(rng, 0.2):
                dims = (rng.choice((3, 5)), rng.choice((4, 7)), rng.choice((2, 9)))
        type_ = rng.choice(self.program.structs) if chance(rng, 0.12) else rng.choice(SCALARS)
        if isinstance(type_, Struct) and chance(rng, 0.4):
            dims = ()
        var = Var(self.program.name("a"), type_, dims, is_global=chance(rng, 0.4))
        if len(dims) in (1, 2) and chance(rng, 0.35):
            var.heap = True
        self.enter(var)

    def declare_accumulator(self):
        rng = self.rng
        type_ = random_type(self.program)
        operator = pick_operator(rng, type_)
        scalar = type_.fields[0].scalar if isinstance(type_, Struct) else type_
        dims = (rng.choice((1, 3, 7, 16)),) if self.program.options.array_reductions and chance(rng, 0.15) else ()
        var = Var(self.program.name("r"), type_, dims, is_global=chance(rng, 0.2))
        start = start_value(rng, scalar, operator)
        prepare(var, start, operator)
        var.start_value = start
        self.enter(var)
        if not dims and not var.is_global and chance(rng, 0.15):
            self.top.add(Line("sink(&", var, ");"))

    def initialise(self, var):
        if var.sum is not None:
            assign_all(self.top, var, var.start_value)
            return
        ctx = Context(self.program, Unit(), self.top)
        if var.dims or isinstance(var.type, Struct):
            single.fill(ctx, View(var), keep=True)
        else:
            parts = View(var).element([])
            ctx.add(Line(parts, " = ", single.value_of(ctx, var.type, 1), ";", keep=True))

    # What constructs ask for

    def sample(self, count):
        """Some arrays and structures that are no accumulators."""
        found = [entry for entry in self.entries.values()
                 if entry.var.sum is None and (entry.var.dims or isinstance(entry.var.type, Struct))]
        self.rng.shuffle(found)
        return found[:count]

    def scalars(self, count):
        found = [entry for entry in self.entries.values()
                 if entry.var.sum is None and not entry.var.dims and not isinstance(entry.var.type, Struct)]
        self.rng.shuffle(found)
        return found[:count]

    def accumulators(self, count):
        found = [entry for entry in self.entries.values() if entry.var.sum is not None]
        self.rng.shuffle(found)
        return found[:count]

    def may_count(self, view):
        from atomics import may_count
        return may_count(view)

    def view(self, var, section):
        """What a construct sees of a variable of which a section is there."""
        if section is None:
            return View(var)
        return View(var).window(literal(section[0]), section[1])

    def item(self, var, section):
        """A variable in a clause."""
        if section is not None:
            return (var.start(), f"[{section[0]}:{section[1]}]" + "".join(f"[0:{dim}]" for dim in var.dims[1:]))
        if var.heap:
            return (var.start(), "".join(f"[0:{dim}]" for dim in var.dims))
        return (var.start(),)

    # Copies and queues

    def wait(self, queue):
        """Lets the host wait for a queue."""
        rng = self.rng
        if chance(rng, 0.3):
            self.add(Directive("wait"))
            waited = [entry.queue for entry in self.entries.values() if entry.queue]
        elif chance(rng, 0.2):
            self.add(Line(f"acc_wait({queue});", keep=True))
            waited = [queue]
        else:
            self.add(Directive(f"wait({queue})"))
            waited = [queue]
        for entry in self.entries.values():
            if entry.queue in waited:
                entry.queue = None

    def settle(self, variables):
        """Lets the host wait for the queues that work on variables."""
        for var in variables:
            entry = self.entries[var]
            if entry.queue:
                self.wait(entry.queue)

    def need_host(self, variables):
        """The host's copies are right from here on."""
        for var in variables:
            entry = self.entries[var]
            self.settle([var])
            if not entry.host_ok:
                self.add(Directive("update", [Clause(self.rng.choice(("self", "host")), [self.item(var, entry.window)])], True))
                entry.host_ok = True

    def need_device(self, var):
        """The device's copy is right from here on."""
        entry = self.entries[var]
        if not entry.device_ok:
            self.settle([var])
            self.add(Directive("update", [Clause("device", [self.item(var, entry.window)])], True))
            entry.device_ok = True

    def host_wrote(self, variables):
        for var in variables:
            if var in self.entries:
                self.entries[var].device_ok = False

    def choose_queue(self, region):
        """The queue that a construct works on, or None."""
        if region.on_host or not chance(self.rng, 0.25):
            return None
        return self.rng.choice((1, 2, 3))

    def prepare(self, region, used, queue):
        """Adds the clauses of data, of queues and of conditions; what must happen before goes in front."""
        rng = self.rng
        if region.on_host:
            self.prepare_on_host(region, used)
            return
        waits = {}
        for var, explicit, needs_value, is_written in used:
            entry = self.entries[var]
            if not entry.mapped:
                self.need_host([var])
            elif needs_value:
                self.need_device(var)
            if entry.queue and entry.queue != queue:
                if chance(rng, 0.5):
                    self.wait(entry.queue)
                else:
                    waits[entry.queue] = True
            if explicit or entry.mapped:
                self.data_clause(region, var, needs_value, is_written)
        if waits:
            region.clauses.append(Clause("wait", [(str(other),) for other in waits], keep=True))
        if queue is not None:
            region.clauses.append(Clause(f"async({queue})", keep=True))
        elif chance(rng, 0.05):
            region.clauses.append(Clause("if(zero == 0)"))
        if chance(rng, 0.2) and all(self.entries[var].mapped for var, _, _, _ in used):
            region.clauses.append(Clause("default(present)"))

    def data_clause(self, region, var, needs_value, is_written):
        """The clause for one variable."""
        rng = self.rng
        entry = self.entries[var]
        if entry.mapped:
            options = [("present", 4), ("copy", 1), ("copyin", 0.5), ("copyout", 0.5), ("create", 0.5), ("no_create", 0.5)]
            if not var.heap and entry.window is None and (var.dims or isinstance(var.type, Struct)):
                options.append(("", 2))
            name = pick(rng, options)
            if name:
                region.clauses.append(Clause(name, [self.item(var, entry.window)], keep=True))
            return
        section = region.sections.get(var)
        if is_written and needs_value:
            name = "copy"
        elif is_written:
            name = rng.choice(("copyout", "copyout", "copy"))
        else:
            name = rng.choice(("copyin", "copyin", "copy"))
        is_aggregate = bool(var.dims) or isinstance(var.type, Struct)
        if is_aggregate and not var.heap and section is None and var.sum is None and chance(rng, 0.2):
            return
        region.clauses.append(Clause(name, [self.item(var, section)], keep=True))

    def prepare_on_host(self, region, used):
        """A construct whose condition lets the host execute it."""
        for var, explicit, _, is_written in used:
            self.need_host([var])
            if explicit:
                self.data_clause(region, var, True, is_written)
        region.clauses.append(Clause(self.rng.choice(("if(zero != 0)", "self", "self(1)", "self(zero == 0)")), keep=True))

    def after(self, region, used, queue, statement):
        """What is known once the construct was submitted."""
        statement.keep = any(is_written and not self.entries[var].device_ok for var, _, _, is_written in used)
        for var, _, _, is_written in used:
            entry = self.entries[var]
            entry.queue = queue
            if not is_written:
                continue
            if region.on_host:
                entry.device_ok = False
            elif entry.mapped:
                entry.host_ok, entry.device_ok = False, True

    # Statements

    def statements(self, count):
        for _ in range(count):
            kinds = [
                (regions.compute, 8),
                (host_code, 2),
                (enter_data, 1.5),
                (exit_data, 1.5),
                (data_region, 1.5 if self.depth < 2 else 0),
                (update, 1),
                (repeated, 0.7 if self.depth < 1 else 0),
            ]
            pick(self.rng, kinds)(self)

    def finish(self):
        """Ends the lifetimes of data, and shows every variable."""
        for entry in self.entries.values():
            if entry.mapped == "enter":
                leave(self, entry)
        for var in self.entries:
            self.need_host([var])
        self.add(Directive("wait"))
        for var in self.entries:
            observe(self.block, var)
        self.add(self.ends)


def observe(block, var):
    """Shows all elements of a variable to the comparison."""
    braces = "".join(f"for (int k{at} = 0; k{at} < {dim}; k{at}++) " for at, dim in enumerate(var.dims))
    index = "".join(f"[k{at}]" for at in range(len(var.dims)))
    flat = "0"
    for at, dim in enumerate(var.dims):
        flat = f"({flat}) * {dim} + k{at}" if at else "k0"
    for name, scalar, length in Reduction(View(var), "+").fields():
        inner = f"for (int m = 0; m < {length}; m++) " if length else ""
        access = (var.start(), f"{index}{name}{'[m]' if length else ''}")
        shown = f'"{var.name}{name}", {flat}'
        if scalar.family == "complex":
            block.add(Line(braces + inner + f"show_pair({shown}, ", access, ");"))
        elif scalar.family == "real":
            block.add(Line(braces + inner + f"show_real({shown}, ", access, ");"))
        else:
            block.add(Line(braces + inner + f"show({shown}, ", access, ");"))


def host_code(host):
    """Statements of the host on a few variables."""
    found = [entry for entry in host.entries.values() if entry.var.sum is None]
    host.rng.shuffle(found)
    found = found[:host.rng.randint(1, 4)]
    host.need_host([entry.var for entry in found])
    ctx = Context(host.program, Unit(), Block(braces=True), host.times)
    ctx.writes += [View(entry.var) for entry in found]
    host.program.fuel = 8
    single.statements(ctx, host.rng.randint(1, 3))
    host.add(ctx.block)
    host.host_wrote(ctx.unit.written)


def unmapped(host):
    found = [entry for entry in host.entries.values() if not entry.mapped]
    host.rng.shuffle(found)
    return found


def choose_window(host, entry):
    """Maps all of a variable or a section."""
    var = entry.var
    if entry.may_be_section() and chance(host.rng, 0.2):
        low = host.rng.randrange(var.dims[0] // 2)
        return (low, host.rng.randint(1, var.dims[0] - low))
    return None


def begin(host, entry, name, how):
    """A variable comes to the device."""
    host.settle([entry.var])
    entry.window = choose_window(host, entry)
    entry.mapped = how
    entry.device_ok = name in ("copyin", "copy")
    return Clause(name, [host.item(entry.var, entry.window)], keep=True)


def enter_data(host):
    """`enter data` for a few variables."""
    found = unmapped(host)[:host.rng.randint(1, 3)]
    clauses = [begin(host, entry, host.rng.choice(("copyin", "copyin", "create")), "enter") for entry in found]
    if clauses:
        host.add(Directive("enter data", clauses, True))


def leave(host, entry):
    """`exit data` for a variable."""
    var = entry.var
    host.settle([var])
    item = [host.item(var, entry.window)]
    if entry.host_ok and chance(host.rng, 0.6):
        clause = Clause("delete", item, keep=True)
    else:
        host.need_device(var)
        clause = Clause("copyout", item, keep=True)
    host.add(Directive("exit data", [clause] + ([Clause("finalize")] if chance(host.rng, 0.2) else []), True))
    entry.mapped, entry.window, entry.host_ok, entry.device_ok = None, None, True, False


def exit_data(host):
    found = [entry for entry in host.entries.values() if entry.mapped == "enter" and entry not in host.pinned]
    if found:
        leave(host, host.rng.choice(found))


def data_region(host):
    """A `data` construct around further statements."""
    rng = host.rng
    found = unmapped(host)[:rng.randint(1, 4)]
    if not found:
        return
    names = {}
    clauses = []
    for entry in found:
        name = rng.choice(("copy", "copy", "copyin", "copyout", "create"))
        names[entry] = name
        clauses.append(begin(host, entry, name, "data"))
    outer, host.block = host.block, Block()
    host.depth += 1
    host.statements(rng.randint(1, 3))
    host.depth -= 1
    for entry in found:
        host.settle([entry.var])
        if names[entry] in ("copy", "copyout"):
            host.need_device(entry.var)
            entry.host_ok = True
        else:
            host.need_host([entry.var])
        entry.mapped, entry.window, entry.device_ok = None, None, False
    body, host.block = host.block, outer
    host.add(Construct(Directive("data", clauses, True), body))


def update(host):
    """An `update` that nothing asks for."""
    found = [entry for entry in host.entries.values() if entry.mapped]
    if not found:
        return
    entry = host.rng.choice(found)
    host.settle([entry.var])
    item = [host.item(entry.var, entry.window)]
    if entry.host_ok:
        host.add(Directive("update", [Clause("device", item)], True))
        entry.device_ok = True
    elif entry.device_ok:
        host.add(Directive("update", [Clause("self", item)], True))
        entry.host_ok = True


def repeated(host):
    """A loop of the host around statements; in front of it and at its end both copies of everything are right."""
    count = host.rng.randint(1, 3)
    level(host)
    outer, host.block = host.block, Block()
    host.depth += 1
    host.times *= count
    pinned, host.pinned = host.pinned, [entry for entry in host.entries.values() if entry.mapped]
    host.statements(host.rng.randint(1, 2))
    for entry in host.entries.values():
        if entry.mapped == "enter" and entry not in host.pinned:
            leave(host, entry)
    host.pinned = pinned
    host.depth -= 1
    host.times //= count
    level(host)
    body, host.block = host.block, outer
    shape = nests.Shape(Var(host.program.name("t"), nests.INT_TYPE), 0, 1, count)
    host.add(For(shape, count, body))


def level(host):
    """Brings all copies up to date."""
    for entry in host.entries.values():
        host.settle([entry.var])
        if entry.mapped:
            host.need_host([entry.var])
            host.need_device(entry.var)

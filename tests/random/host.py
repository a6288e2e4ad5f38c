"""The host's part of a test: the order in which constructs, data directives and the host's own code follow one another.

Of every variable is known whether the host's copy and the device's copy hold its value (`Entry` in `variables.py`). A copy that does not is
brought up to date before it is read, so that a program computes the same whether the device has memory of its own or not. In the same
way a queue that works on a variable is waited for before anything else touches the variable.
"""

import data
import pointers
import regions
import single
from context import Context, Unit, View, chance, pick
from reductions import Reduction
from tree import Block, Clause, Directive, Line, literal

QUEUES = (1, 1, 2, 2, 3, "")  # the empty one is that of `async` without a number


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
        self.pinned = []  # entries that stay on the device for now

    def add(self, statement):
        return self.block.add(statement)

    # What constructs ask for

    def some(self, count, fits):
        """Up to so many entries that fit, in any order."""
        found = [entry for entry in self.entries.values() if fits(entry)]
        self.rng.shuffle(found)
        return found[:count]

    def sample(self, count):
        """Arrays and structures that are no accumulators."""
        return self.some(count, lambda entry: entry.var.sum is None and entry.is_aggregate())

    def scalars(self, count):
        return self.some(count, lambda entry: entry.var.sum is None and not entry.is_aggregate())

    def accumulators(self, count):
        return self.some(count, lambda entry: entry.var.sum is not None)

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
        form = pick(rng, [("all", 2), ("one", 4), ("call", 1), ("call all", 0.5), ("through", 1)])
        waited = [queue]
        if queue == "" and form != "call" or form.endswith("all"):
            self.add(Line("acc_wait_all();", keep=True, only="directives") if form == "call all" else Directive("wait"))
            waited = [entry.queue for entry in self.entries.values()]
        elif form == "call":
            self.add(Line(f"acc_wait({'acc_async_noval' if queue == '' else queue});", keep=True, only="directives"))
        elif form == "through":
            other = rng.choice((4, 5))
            self.add(Directive(f"wait({queue}) async({other})"))
            self.add(Directive(f"wait({other})"))
        else:
            self.add(Directive(f"wait({queue})"))
        for entry in self.entries.values():
            if entry.queue in waited:
                entry.queue = None

    def settle(self, variables):
        """Lets the host wait for the queues that work on variables."""
        for var in variables:
            entry = self.entries[var]
            if entry.queue is not None:
                self.wait(entry.queue)

    def settle_all(self):
        """Lets the host wait for every queue."""
        if any(entry.queue is not None for entry in self.entries.values()):
            self.add(Directive("wait"))
        for entry in self.entries.values():
            entry.queue = None

    def need_host(self, variables):
        """The host's copies are right from here on."""
        for var in variables:
            entry = self.entries[var]
            if not entry.host_ok and isinstance(entry.queue, int) and chance(self.rng, 0.3):
                # The directive waits for the queue itself.
                waited = entry.queue
                item = Clause("self", [self.item(var, entry.window)], keep=True)
                self.add(Directive("update", [item, Clause("wait", [(str(waited),)], keep=True)], True))
                entry.host_ok = True
                for other in self.entries.values():
                    if other.queue == waited:
                        other.queue = None
            self.settle([var])
            if not entry.host_ok:
                data.update_host(self, entry)
                self.settle([var])

    def need_device(self, var):
        """The device's copy is right from here on, on the queue that works on it."""
        entry = self.entries[var]
        if not entry.device_ok:
            self.settle([var])
            data.update_device(self, entry)

    def host_wrote(self, variables):
        for var in variables:
            if var in self.entries:
                self.entries[var].device_ok = False

    # Constructs

    def choose_queue(self, region):
        """The queue that a construct works on, or None."""
        if region.on_host or not chance(self.rng, 0.25):
            return None
        return self.rng.choice(QUEUES)

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
            if entry.queue is not None and entry.queue != queue:
                if chance(rng, 0.5) or entry.queue == "":
                    self.wait(entry.queue)
                else:
                    waits[entry.queue] = True
            if explicit or entry.mapped:
                self.data_clause(region, var, needs_value, is_written)
        if waits:
            region.clauses.append(Clause("wait", [(str(other),) for other in waits], keep=True))
        if queue is not None:
            region.clauses.append(Clause(asynchronous(rng, queue), keep=True))
        if chance(rng, 0.05):
            region.clauses.append(Clause("if(zero == 0)"))
        if chance(rng, 0.2) and all(self.entries[var].mapped for var, _, _, _ in used):
            region.clauses.append(Clause("default(present)"))
        elif chance(rng, 0.2) and not region.is_implicit:
            region.clauses += [Clause("default(none)"), Clause("copyin" if region.kind == "kernels" else "firstprivate", [("zero",)])]

    def data_clause(self, region, var, needs_value, is_written):
        """The clause for one variable."""
        rng = self.rng
        entry = self.entries[var]
        if entry.mapped:
            options = [("present", 4), ("copy", 1), ("copyin", 0.5), ("copyout", 0.5), ("create", 0.5), ("no_create", 0.5)]
            if not var.heap and entry.window is None and entry.is_aggregate():
                options.append(("", 2))
            name = pick(rng, options)
            if name:
                region.clauses.append(Clause(name, [self.item(var, entry.window)], keep=True))
            else:
                region.is_implicit = True
            return
        section = region.sections.get(var)
        if is_written and needs_value:
            name = "copy"
        elif is_written:
            name = rng.choice(("copyout", "copyout", "copy"))
        else:
            name = rng.choice(("copyin", "copyin", "copy"))
        if entry.is_aggregate() and not var.heap and section is None and var.sum is None and not var.declared and chance(rng, 0.2):
            region.is_implicit = True
            return
        if var.owner:
            region.clauses.append(Clause("copyin", [(var,)], keep=True))
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
            kinds = [(regions.compute, 8), (host_code, 1.5)] + data.kinds(self) + pointers.kinds(self)
            pick(self.rng, kinds)(self)

    def finish(self):
        """Ends the lifetimes of data, and shows every variable."""
        for entry in self.entries.values():
            while entry.mapped == "enter":
                data.leave(self, entry)
        for var in self.entries:
            self.need_host([var])
        self.add(Directive("wait"))
        for var in self.entries:
            observe(self.block, var)
        self.add(self.ends)


def asynchronous(rng, queue):
    """The clause `async` for a queue."""
    if queue == "":
        return "async"
    return f"async({queue})" if chance(rng, 0.7) else f"async(zero + {queue})"


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
        function = {"complex": "show_pair", "real": "show_real"}.get(scalar.family, "show")
        block.add(Line(braces + inner + f"{function}({shown}, ", access, ");"))


def host_code(host):
    """Statements of the host on a few variables."""
    found = host.some(host.rng.randint(1, 4), lambda entry: entry.var.sum is None)
    host.need_host([entry.var for entry in found])
    ctx = Context(host.program, Unit(), Block(braces=True), host.times)
    ctx.writes += [View(entry.var) for entry in found]
    host.program.fuel = 8
    single.statements(ctx, host.rng.randint(1, 3))
    host.add(ctx.block)
    host.host_wrote(ctx.unit.written)

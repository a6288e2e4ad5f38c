"""Data directives and the calls that stand for them: `enter data`, `exit data`, `data`, `update`, whole or by sections, on queues or not;
and loops of the host around such statements."""

import host as host_module
import nests
from context import Var, chance, pick
from tree import Block, Clause, Construct, Directive, For, Line


def kinds(host):
    """Statements about data, with their weights."""
    return [
        (enter_data, 1.5),
        (exit_data, 1.5),
        (data_region, 1.5 if host.depth < 2 else 0),
        (again, 0.7 if host.depth < 2 else 0),
        (update, 1),
        (update_section, 1),
        (change_global, 0.7 if host.program.device_variables else 0),
        (repeated, 0.7 if host.depth < 1 else 0),
        (without_effect, 0.5 if host.depth < 2 else 0),
        (update_block, 0.7),
    ]


def spelled(rng, name):
    """A clause of data by one of its names."""
    if name in ("copy", "copyin", "copyout", "create") and chance(rng, 0.1):
        return rng.choice(("p", "present_or_")) + name
    return name


def queue_clauses(host, entry):
    """`async` for a data directive on a variable, now and then; the entry's queue."""
    if not chance(host.rng, 0.15):
        return []
    entry.queue = host.rng.choice(host_module.QUEUES)
    return [Clause(host_module.asynchronous(host.rng, entry.queue), keep=True)]


def address(entry):
    """The arguments of a routine of the API that stand for all of a variable."""
    var = entry.var
    start = (var.start(),) if var.dims else ("&", var.start())
    return start + (f", {var.elements()} * sizeof({var.type.spelling})",)


def call(host, function, entry):
    """A call of the API."""
    host.add(Line(function + "(", *address(entry), ");", keep=True, only="directives"))


def by_call(host, entry):
    """Whether a call of the API stands for a directive on the entry."""
    return entry.window is None and not entry.var.owner and chance(host.rng, 0.15)


def update_host(host, entry):
    """Brings the host's copy up to date; perhaps on a queue."""
    entry.host_ok = True
    if by_call(host, entry):
        call(host, "acc_update_self", entry)
        return
    item = Clause(host.rng.choice(("self", "host")), [host.item(entry.var, entry.window)], keep=True)
    host.add(Directive("update", [item] + queue_clauses(host, entry), True))


def update_device(host, entry):
    """Brings the device's copy up to date; perhaps on a queue."""
    entry.device_ok = True
    if by_call(host, entry):
        call(host, "acc_update_device", entry)
        return
    item = Clause("device", [host.item(entry.var, entry.window)], keep=True)
    host.add(Directive("update", [item] + queue_clauses(host, entry), True))


def choose_window(host, entry):
    """Maps all of a variable or a section."""
    var = entry.var
    if entry.may_be_section() and chance(host.rng, 0.2):
        low = host.rng.randrange(var.dims[0] // 2)
        return (low, host.rng.randint(1, var.dims[0] - low))
    return None


def begin(host, entry, name, how, whole=False):
    """Clauses by which a variable, or a section of it, comes to the device."""
    host.settle([entry.var])
    entry.window = None if whole else choose_window(host, entry)
    entry.mapped = how
    entry.count = 1
    entry.device_ok = name in ("copyin", "copy")
    clauses = [Clause("copyin", [(entry.var,)], keep=True)] if entry.var.owner else []
    return clauses + [Clause(spelled(host.rng, name), [host.item(entry.var, entry.window)], keep=True)]


def unmapped(host, count):
    return host.some(count, lambda entry: not entry.mapped)


def enter_data(host):
    """`enter data` for a few variables."""
    found = unmapped(host, host.rng.randint(1, 3))
    if len(found) == 1 and not found[0].var.owner and chance(host.rng, 0.3):
        name = host.rng.choice(("copyin", "create"))
        begin(host, found[0], name, "enter")
        found[0].window = None
        call(host, "acc_" + name, found[0])
        return
    if len(found) == 1 and found[0].var.owner and chance(host.rng, 0.6):
        attach(host, found[0])
        return
    clauses = []
    for entry in found:
        clauses += begin(host, entry, host.rng.choice(("copyin", "copyin", "create")), "enter")
    if clauses:
        if len(found) == 1:
            clauses += queue_clauses(host, found[0])
        host.add(Directive("enter data", clauses, True))


def attach(host, entry):
    """What a member points to comes to the device first, then the structure, whose pointer is attached: all of it, as the element that the
    pointer itself points to has to be there."""
    array, owner = begin(host, entry, "copyin", "enter", whole=True)[::-1]
    host.add(Directive("enter data", [array], True))
    host.add(Directive("enter data", [owner, Clause("attach", [(entry.var.start(),)], keep=True)], True))
    entry.is_attached = True


def leave(host, entry):
    """`exit data` for a variable; one of several if it has entered several times."""
    rng = host.rng
    var = entry.var
    host.settle([var])
    item = [host.item(var, entry.window)]
    owner = [Clause("delete", [(var,)], keep=True)] if var.owner else []
    finalize = chance(rng, 0.15)
    if entry.is_attached:
        host.add(Directive("exit data", [Clause("detach", [(var.start(),)], keep=True)], True))
        entry.is_attached = False
    if entry.count > 1 and not finalize:
        entry.count -= 1
        host.add(Directive("exit data", [Clause(rng.choice(("delete", "copyout")), item, keep=True)] + owner, True))
        return
    if entry.host_ok and chance(rng, 0.6):
        name = "delete"
    else:
        host.need_device(var)
        host.settle([var])
        name = "copyout"
    entry.mapped, entry.host_ok, entry.device_ok = None, True, False
    if not finalize and by_call(host, entry):
        call(host, "acc_" + name, entry)
    else:
        ends = [Clause("finalize", keep=True)] if finalize else []
        host.add(Directive("exit data", [Clause(name, item, keep=True)] + owner + ends + queue_clauses(host, entry), True))
    entry.window = None


def exit_data(host):
    for entry in host.some(1, lambda entry: entry.mapped == "enter" and entry not in host.pinned):
        leave(host, entry)


def data_region(host):
    """A `data` construct around further statements."""
    rng = host.rng
    found = unmapped(host, rng.randint(1, 4))
    if not found:
        return
    names = {}
    clauses = []
    for entry in found:
        names[entry] = rng.choice(("copy", "copy", "copyin", "copyout", "create"))
        clauses += begin(host, entry, names[entry], "data")
    outer = open_body(host)
    host.statements(rng.randint(1, 3))
    for entry in found:
        host.settle([entry.var])
        if names[entry] in ("copy", "copyout"):
            host.need_device(entry.var)
            host.settle([entry.var])
            entry.host_ok = True
        else:
            host.need_host([entry.var])
        entry.mapped, entry.window, entry.device_ok = None, None, False
    host.add(Construct(Directive("data", clauses, True), close_body(host, outer)))


def open_body(host):
    """Begins a body of statements of the host."""
    outer, host.block = host.block, Block()
    host.depth += 1
    return outer


def close_body(host, outer):
    """Ends it, and gives it back."""
    body, host.block = host.block, outer
    host.depth -= 1
    return body


def again(host):
    """Data that is there already is entered once more, which copies nothing: by a `data` construct, or by `enter data`."""
    rng = host.rng
    found = host.some(2, lambda entry: entry.mapped in ("enter", "data", "declare") and not entry.var.owner)
    if not found:
        return
    if found[0].mapped == "enter" and chance(rng, 0.5):
        entry = found[0]
        host.settle([entry.var])
        item = [host.item(entry.var, entry.window)]
        host.add(Directive("enter data", [Clause(rng.choice(("copyin", "create")), item, keep=True)], True))
        entry.count += 1
        return
    clauses = []
    for entry in found:
        name = rng.choice(("copy", "copyin", "copyout", "create", "present", "no_create"))
        clauses.append(Clause(name, [host.item(entry.var, entry.window)]))
    pinned, host.pinned = host.pinned, host.pinned + found
    outer = open_body(host)
    host.statements(rng.randint(1, 2))
    body = close_body(host, outer)
    host.pinned = pinned
    host.add(Construct(Directive("data", clauses, True), body))


def update(host):
    """An `update` that nothing asks for; or one that does nothing, by its condition."""
    rng = host.rng
    found = host.some(1, lambda entry: entry.mapped)
    if not found:
        for entry in unmapped(host, 1):
            if not entry.var.declared and not entry.var.owner:
                item = [host.item(entry.var, None)]
                host.add(Directive("update", [Clause(rng.choice(("self", "device")), item), Clause("if_present", keep=True)], True))
        return
    entry = found[0]
    host.settle([entry.var])
    item = [host.item(entry.var, entry.window)]
    if chance(rng, 0.2):
        host.add(Directive("update", [Clause(rng.choice(("self", "device")), item), Clause("if(zero != 0)", keep=True)], True))
    elif entry.host_ok:
        host.add(Directive("update", [Clause("device", item), Clause("if(zero == 0)")][:rng.randint(1, 2)], True))
        entry.device_ok = True
    elif entry.device_ok:
        host.add(Directive("update", [Clause("self", item), Clause("if_present")][:rng.randint(1, 2)], True))
        entry.host_ok = True


def update_section(host):
    """A part of an array is written on one side, and that part is brought to the other one."""
    rng = host.rng
    found = host.some(1, lambda entry: entry.mapped and entry.may_be_section() and len(entry.var.dims) == 1
                      and entry.var.type.spelling in ("int", "double", "short"))
    if not found:
        return
    entry = found[0]
    var = entry.var
    host.need_host([var])
    host.need_device(var)
    host.settle([var])
    first, length = entry.window or (0, var.dims[0])
    low = rng.randrange(length)
    low, part = first + low, rng.randint(1, length - low)
    section = (var.start(), f"[{low}:{part}]")
    name = host.program.name("k")
    factor = rng.choice((1, 3, -2))
    loop = f"for (int {name} = {low}; {name} < {low + part}; {name}++) "
    statement = (loop, var.start(), f"[{name}] = {name} % 30 * {factor} + 5;")
    if chance(rng, 0.5):
        host.add(Line(*statement, keep=True))
        host.add(Directive("update", [Clause("device", [section])], True))
        return
    host.add(Directive("parallel loop", [Clause("present", [host.item(var, entry.window)], keep=True)], True))
    host.add(Line(*statement, keep=True))
    host.add(Directive("update", [Clause(rng.choice(("self", "host")), [section])], True))


def update_block(host):
    """A block inside of a plane is written on one side and brought to the other one: its rows have gaps between them."""
    rng = host.rng
    found = host.some(1, lambda entry: entry.mapped and entry.window is None and len(entry.var.dims) == 2 and entry.var.sum is None
                      and entry.var.type.spelling in ("int", "float", "double", "short", "long"))
    if not found:
        return
    entry = found[0]
    var = entry.var
    host.need_host([var])
    host.need_device(var)
    host.settle([var])
    lows = [rng.randrange(dim) for dim in var.dims]
    parts = [rng.randint(1, dim - low) for dim, low in zip(var.dims, lows)]
    section = (var.start(), "".join(f"[{low}:{part}]" if chance(rng, 0.6) else f"[zero + {low}:{part}]" for low, part in zip(lows, parts)))
    one, other = host.program.name("k"), host.program.name("k")
    heads = [f"for (int {name} = {low}; {name} < {low + part}; {name}++) " for name, low, part in zip((one, other), lows, parts)]
    statement = (*heads, var.start(), f"[{one}][{other}] = ({one} * 5 + {other}) % 50;")
    if chance(rng, 0.5):
        host.add(Line(*statement, keep=True))
        host.add(Directive("update", [Clause("device", [section], keep=True)], True))
        return
    host.add(Directive("parallel loop collapse(2)", [Clause("present", [host.item(var, None)], keep=True)], True))
    host.add(Line(*statement, keep=True))
    host.add(Directive("update", [Clause(rng.choice(("self", "host")), [section], keep=True)], True))


def without_effect(host):
    """Directives whose condition says no, on data that is not there."""
    rng = host.rng
    found = [entry for entry in unmapped(host, 2) if not entry.var.owner and not entry.var.declared]
    if not found:
        return
    clauses = [Clause(rng.choice(("copy", "copyin", "copyout", "create")), [host.item(entry.var, None)], keep=True) for entry in found]
    clauses.append(Clause(rng.choice(("if(0)", "if(zero != 0)")), keep=True))
    if chance(rng, 0.4):
        kept = [clause for clause in clauses if clause.name in ("copyin", "create") or clause.name.startswith("if")]
        if len(kept) > 1:
            host.add(Directive("enter data", kept, True))
        return
    host.settle([entry.var for entry in found])
    outer = open_body(host)
    # Inside of the construct these variables have no attributes of their own, whatever the condition says: nothing uses them there.
    hidden = [host.entries.pop(entry.var) for entry in found]
    host.statements(rng.randint(1, 2))
    for entry in hidden:
        host.entries[entry.var] = entry
    host.add(Construct(Directive("data", clauses, True), close_body(host, outer)))


def change_global(host):
    """A variable that functions with `routine` read gets other values, on both sides."""
    rng = host.rng
    var = rng.choice(host.program.device_variables)
    host.settle_all()
    name = host.program.name("k")
    host.add(Line(f"for (int {name} = 0; {name} < {var.dims[0]}; {name}++) ", var, f"[{name}] = {name} * {rng.randint(1, 9)} % 50;", keep=True))
    host.add(Directive("update", [Clause("device", [(var,)])], True))


def repeated(host):
    """A loop of the host around statements; in front of it and at its end both copies of everything are right."""
    count = host.rng.randint(1, 3)
    level(host)
    outer = open_body(host)
    host.times *= count
    pinned, host.pinned = host.pinned, [entry for entry in host.entries.values() if entry.mapped]
    counts = {entry: entry.count for entry in host.pinned}
    host.statements(host.rng.randint(1, 2))
    for entry in host.entries.values():
        while entry.mapped == "enter" and (entry not in host.pinned or entry.count > counts[entry]):
            leave(host, entry)
    host.pinned = pinned
    host.times //= count
    level(host)
    body = close_body(host, outer)
    shape = nests.Shape(Var(host.program.name("t"), nests.INT_TYPE), 0, 1, count)
    host.add(For(shape, count, body))


def level(host):
    """Brings all copies up to date."""
    for entry in host.entries.values():
        host.settle([entry.var])
        if entry.mapped:
            host.need_host([entry.var])
            host.need_device(entry.var)
            host.settle([entry.var])

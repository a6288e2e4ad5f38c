"""Atomic statements of every form. On variables that all iterations of a loop share they commute, and what they capture is used only where
the set of captured values is known; on variables that the executing unit owns anything goes."""

import reductions
import single
from context import Var, View, chance, pick
from scalars import Struct
from tree import Around, Block, Directive, Expr, Group, Line, OneLine
from values import index_below, integer, squeeze, value_of

OPERATORS = ("+", "*", "&", "|", "^")


def may_count(view):
    """Whether iterations may update it atomically, all of them in any order."""
    scalar = view.type
    if isinstance(scalar, Struct) or scalar.family in ("bool", "complex"):
        return False
    return view.var.operator in OPERATORS


def statement(ctx):
    """An atomic statement on something shared, or on something owned."""
    if ctx.counters and (chance(ctx.rng, 0.7) or not ctx.on_device):
        shared(ctx, ctx.rng.choice(ctx.counters))
    elif ctx.on_device:
        owned(ctx)


def atomic(ctx, kind, statement, keep=False):
    """The statement with its directive."""
    ctx.add(OneLine(Directive(f"atomic {kind}".rstrip()), statement, keep=keep))


def shared(ctx, view):
    """An update of a variable that all iterations update by the same operator."""
    rng = ctx.rng
    var = view.var
    if var in ctx.program.tickets:
        return
    parts = view.element([index_below(ctx, dim) for dim in view.dims])
    scalar = view.type
    sums = [reduction for reduction in ctx.reductions if is_wrapping_sum(reduction)]
    if var.operator == "+" and var.sum.sum <= 100 and not view.dims and sums and chance(rng, 0.5):
        ticket(ctx, view, rng.choice(sums))
        return
    value = reductions.contribution(ctx, var.sum, scalar, var.operator)
    if value is None:
        return
    ctx.unit.reads(var)
    ctx.unit.writes(var)
    value = Expr(value.kind, value.lo, value.hi, "(", value, ")")
    if chance(rng, 0.25):
        name = ctx.program.name("c")
        body = Block([Line(f"{scalar.spelling} {name};", keep=True)], braces=True)
        inner = ctx.child(body)
        capture(inner, name, parts, var.operator, value)
        body.add(Line(f"(void){name};", keep=True))
        ctx.add(body)
        return
    atomic(ctx, rng.choice(("", "update")), Line(*update(rng, parts, scalar, var.operator, value)))


def is_wrapping_sum(reduction):
    """A sum in which every bit of what is added counts, whatever it is."""
    view = reduction.view
    if isinstance(view.type, Struct) or view.dims or reduction.operator != "+":
        return False
    return view.type.family == "unsigned" and not view.type.is_narrow()


def ticket(ctx, view, total):
    """Each execution draws another number; their sum is known. No other statement may update the variable."""
    if not view.var.sum.adds(ctx.times, 1):
        return
    ctx.program.tickets[view.var] = True
    ctx.unit.reads(view.var)
    ctx.unit.writes(view.var)
    ctx.unit.reads(total.view.var)
    ctx.unit.writes(total.view.var)
    name = ctx.program.name("c")
    body = Block([Line(f"{view.type.spelling} {name};", keep=True)], braces=True)
    inner = ctx.child(body)
    form = ctx.rng.choice(((f"{name} = ", view.element([]), "++;"), (f"{name} = ++", view.element([]), ";"),
                           (f"{name} = ", view.element([]), " += 1;")))
    atomic(inner, "capture", Line(*form), keep=True)
    body.add(Line(total.view.element([]), f" += ({total.view.type.spelling}){name};", keep=True))
    ctx.add(body)


def update(rng, parts, scalar, operator, value):
    """Parts of `x = x OP value`."""
    if operator == "+" and scalar.is_integer() and chance(rng, 0.2):
        return rng.choice(((parts, "++;"), ("++", parts, ";"), (parts, "--;"), ("--", parts, ";")))
    if operator == "+" and chance(rng, 0.15):
        return (parts, " -= ", value, ";") if chance(rng, 0.5) else (parts, " = ", parts, " - ", value, ";")
    form = rng.randrange(3)
    if form == 0:
        return (parts, " = ", parts, f" {operator} ", value, ";")
    if form == 1 and operator not in ("/", ">>"):
        return (parts, " = ", value, f" {operator} ", parts, ";")
    return (parts, f" {operator}= ", value, ";")


def capture(ctx, name, parts, operator, value):
    """`atomic capture` of the value before or after an update."""
    rng = ctx.rng
    form = rng.randrange(5)
    if form == 0:
        atomic(ctx, "capture", Line(f"{name} = ", parts, f" {operator}= ", value, ";"), keep=True)
        return
    if form == 4 and operator in ("+", "*", "&", "|", "^"):
        lines = [Line(f"{name} = ", parts, ";", keep=True), Line(parts, " = ", value, f" {operator} ", parts, ";", keep=True)]
        if chance(rng, 0.5):
            lines.reverse()
        atomic(ctx, "capture", Block(lines, braces=True, keep=True), keep=True)
        return
    if form == 1:
        atomic(ctx, "capture", Line(f"{name} = ", parts, " = ", parts, f" {operator} ", value, ";"), keep=True)
        return
    lines = [Line(f"{name} = ", parts, ";", keep=True), Line(parts, f" {operator}= ", value, ";", keep=True)]
    if form == 3:
        lines.reverse()
    atomic(ctx, "capture", Block(lines, braces=True, keep=True), keep=True)


def owned(ctx):
    """Any form on a variable of the unit, in a block that leaves the variable within its span."""
    views = [view for view in single.plain(ctx.writes) if not isinstance(view.type, Struct)
             and view.type.family in ("int", "unsigned", "real")]
    if not views:
        return
    rng = ctx.rng
    view = rng.choice(views)
    scalar = view.type
    parts, _ = single.target(ctx, view)
    name = ctx.program.name("c")
    value = value_of(ctx, scalar, 1)
    value = Expr(value.kind, value.lo, value.hi, "(", value, ")")
    form = pick(rng, [("write", 2), ("read", 2), ("swap", 2), ("update", 3), ("capture", 3)])
    if form == "write":
        atomic(ctx, "write", Line(parts, " = ", value, ";"))
        return
    if form == "read":
        ctx.unit.reads(view.var)
        var = Var(ctx.program.name("x"), scalar)
        together = ctx.child(Group())
        together.add(Line(f"{scalar.spelling} ", var, ";", keep=True))
        atomic(together, "read", Line(var, " = ", parts, ";"), keep=True)
        ctx.add(together.block)
        ctx.own(View(var))
        return
    ctx.unit.reads(view.var)
    inner = ctx.child(Block(braces=True))
    inner.add(Line(f"{scalar.spelling} {name};", keep=True))
    if form == "swap":
        lines = [Line(f"{name} = ", parts, ";", keep=True), Line(parts, " = ", value, ";", keep=True)]
        atomic(inner, "capture", Block(lines, braces=True, keep=True), keep=True)
    else:
        modify(inner, form, name, parts, scalar)
    inner.add(Line(f"(void){name};", keep=True))
    ctx.add(inner.block)


def modify(ctx, form, name, parts, scalar):
    """An update, captured or not, and what brings the variable back into its span."""
    rng = ctx.rng
    if scalar.family == "real":
        operator, value = rng.choice(("+", "+", "-", "*")), value_of(ctx, scalar, 1)
        back = Line(parts, f" = ({scalar.spelling})((int)", parts, " % 101);", keep=True)
    else:
        operator = rng.choice(("+", "&", "|", "^", "-", "*", "/", ">>"))
        value = value_of(ctx, scalar, 1)
        if operator == "/":
            value = squeeze(integer(ctx, 1), 1, 30)
        elif operator == ">>":
            value = squeeze(integer(ctx, 1), 0, 6)
        elif scalar.family == "int" and operator in ("*", "-"):
            # No product leaves the type.
            value = squeeze(integer(ctx, 1), -100, 100)
        back = None
        if scalar.family == "int" or scalar.is_narrow():
            back = Line(parts, " = ", parts, f" % {scalar.hi + 1};", keep=True)
            if scalar.is_narrow() and scalar.family == "unsigned" and operator not in ("/", ">>"):
                value = squeeze(value, 0, 50)
    value = Expr(value.kind, value.lo, value.hi, "(", value, ")")
    if form == "update":
        atomic(ctx, rng.choice(("", "update")), Line(*update(rng, parts, scalar, operator, value)), keep=True)
        ctx.add(Line(f"{name} = 0;", keep=True))
    else:
        capture(ctx, name, parts, operator, value)
    if back:
        ctx.add(back)

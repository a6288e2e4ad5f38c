"""Loops: their heads, and partitioned ones with all their clauses.

`split` is what makes a partitioned loop free of races: it hands every iteration a part of an array that no other one touches.
"""

import reductions
import single
from context import LEVELS, Var, View, chance, pick
from scalars import INDEX_LIMITS, INDEX_TYPES, Struct
from tree import Block, Clause, Directive, Expr, For, Line, OneLine, Saved, literal
from values import integer, squeeze, value_of

TRIPS = [(0, 2), (1, 4), (2, 4), (3, 5), (5, 3), (7, 3), (16, 4), (31, 2), (32, 3), (33, 3), (64, 2), (100, 1), (257, 1), (1025, 2)]
MOST_TIMES = 2500  # iterations of a loop, all executions of it together


class IndexType:
    """The type of a loop's variable."""

    def __init__(self, spelling):
        self.spelling = spelling


INT_TYPE = IndexType("int")


class Shape:
    """The head of a loop: from `start` on by `step`."""

    def __init__(self, var, start, step, count, relation="<", slack=0, at_run_time=None, outside=False):
        self.var = var
        self.start = start
        self.step = step
        self.count = count
        self.relation = relation
        self.slack = slack
        self.at_run_time = at_run_time
        self.outside = outside  # declared in front of the loop
        self.limit = None  # an expression that may make it shorter

    def first(self, printer):
        """A declaration of the variable with its first value."""
        return f"{self.var.type.spelling} {printer.name(self.var)} = {self.start};"

    def end(self, count):
        """The bound for a number of iterations."""
        last = self.start + self.step * (count - 1)
        if self.relation == "!=":
            return self.start + self.step * count
        strict = self.relation in ("<", ">")
        toward = 1 if self.step > 0 else -1
        if count == 0:
            return self.start if strict else self.start - toward
        return last + toward * (self.slack + (1 if strict else 0))

    def head(self, printer, count):
        name = printer.name(self.var)
        spelling = self.var.type.spelling
        end = self.end(count)
        bound = f"({end})" if end < 0 else str(end)
        if self.limit is not None and count == self.count:
            bound = printer.text((self.limit,))
        elif self.at_run_time:
            bound = f"({spelling})({self.at_run_time} + {bound})"
        if self.step == 1:
            advance = f"{name}++"
        elif self.step == -1:
            advance = f"{name}--"
        else:
            advance = f"{name} {'+' if self.step > 0 else '-'}= {abs(self.step)}"
        declared = "" if self.outside else spelling + " "
        return f"for ({declared}{name} = {self.start}; {name} {self.relation} {bound}; {advance})"

    def raw(self):
        """The variable as an int."""
        last = self.start + self.step * (max(self.count, 1) - 1)
        cast = "" if self.var.type.spelling in ("int", "short", "char", "signed char", "unsigned char", "unsigned short") else "(int)"
        return Expr("int", min(self.start, last), max(self.start, last), cast, self.var)

    def value(self):
        """The number of the iteration, from 0 on."""
        raw = self.raw()
        if self.start == 0 and self.step == 1:
            return Expr("int", 0, max(self.count - 1, 0), *raw.parts)
        text = ["(", raw, f" - {self.start})" if self.start >= 0 else f" + {-self.start})"]
        if self.step < 0:
            text = [f"({self.start} - ", raw, ")"]
        if abs(self.step) > 1:
            text = ["(", *text, f" / {abs(self.step)})"]
        return Expr("int", 0, max(self.count - 1, 0), *text)

    def owned(self):
        return [self.limit] if self.limit is not None else []


class Walk(Shape):
    """The head of a loop whose variable is a pointer into an array."""

    def __init__(self, var, start, count):
        super().__init__(var, 0, 1, count)
        self.base = start

    def first(self, printer):
        return f"{self.var.type.spelling}{printer.name(self.var)} = {printer.text(self.base)};"

    def head(self, printer, count):
        name = printer.name(self.var)
        base = printer.text(self.base)
        return f"for ({self.var.type.spelling}{name} = {base}; {name} < {base} + {count}; {name}++)"

    def raw(self):
        return Expr("int", 0, max(self.count - 1, 0), "(int)(", self.var, " - ", self.base, ")")

    def value(self):
        return self.raw()


def random_shape(ctx, count, plain_names=False):
    """A head with a number of iterations."""
    rng = ctx.rng
    type_ = "int" if plain_names else pick(rng, INDEX_TYPES)
    step = pick(rng, [(1, 8), (2, 1), (3, 1), (-1, 2), (-2, 1), (7, 0.5)])
    signed = not (type_.startswith("unsigned") or type_ == "size_t")
    limit = INDEX_LIMITS.get(type_, 1 << 30)
    if (count + 1) * abs(step) + 12 > limit:
        type_, signed, limit = "int", True, 1 << 30
    if step > 0:
        start = rng.choice((0, 0, 0, 1, 3, -4 if signed else 2))
    else:
        start = -step * count + rng.choice((0, 1, 5)) - (1 if signed and step == -1 and chance(rng, 0.5) else 0)
    relation = rng.choice(("<", "<", "<", "<=") if step > 0 else (">", ">="))
    if not signed and (step < 0 and relation == ">=" or count == 0 and relation == "<=" and start == 0):
        relation = ">" if step < 0 else "<"
    if ctx.program.options.not_equal and abs(step) == 1 and chance(rng, 0.1):
        relation = "!="
    slack = rng.randrange(abs(step)) if step > 1 and count > 0 else 0
    at_run_time = ctx.zero if chance(rng, 0.35) else None
    var = Var(ctx.program.name("i"), IndexType(type_))
    return Shape(var, start, step, count, relation, slack, at_run_time)


def sequential(ctx, loop):
    """`loop seq` in front of a loop, perhaps with a reduction that is active anyway."""
    clauses = [Clause("seq", keep=True)]
    if ctx.reductions and chance(ctx.rng, 0.3):
        reduction = ctx.rng.choice(ctx.reductions)
        clauses.append(Clause("reduction", [reduction.item], prefix=reduction.operator + ":"))
        ctx.unit.reads(reduction.view.var)
        ctx.unit.writes(reduction.view.var)
    return OneLine(Directive("loop", clauses, keep=False), loop)


def undecided(ctx, loop):
    """A loop for the compiler to decide about: `auto`, or in `kernels` one that nobody calls independent."""
    clauses = [Clause("auto", keep=True)]
    if ctx.in_kernels and ctx.levels and chance(ctx.rng, 0.7):
        clauses = [Clause(level, keep=True) for level in ctx.levels if chance(ctx.rng, 0.3)]
    return OneLine(Directive("loop", clauses, keep=False), loop)


def choose_levels(ctx, across):
    """Levels that a loop names; `across` forbids gangs or demands them where code around the loop is redundant."""
    rng = ctx.rng
    if ctx.auto:
        return ()
    below = [level for level in ctx.levels if not (level == "gang" and across is False)]
    options = [((), 2 if across is not False else 0)]
    for bits in range(1, 1 << len(below)):
        chosen = tuple(level for at, level in enumerate(below) if bits >> at & 1)
        if across and "gang" not in chosen:
            continue
        options.append((chosen, 2))
    return pick(rng, options)


def level_clauses(ctx, levels):
    """Clauses that name the levels, with their arguments, and `auto` or `independent`."""
    rng = ctx.rng
    clauses = []
    for level in levels:
        text = level
        if level == "gang" and chance(rng, 0.25):
            text = f"gang(static:{rng.choice(('*', '1', '2', '3', '7', '32'))})"
        elif ctx.in_kernels and level in ctx.free_levels and chance(rng, 0.2):
            text = {"gang": f"gang({rng.choice(('num:', ''))}{rng.choice((1, 2, 5, 33))})",
                    "worker": f"worker({rng.choice(('num:', ''))}{rng.choice((1, 2, 3, 4))})",
                    "vector": f"vector({rng.choice(('length:', ''))}{rng.choice((1, 7, 32, 64))})"}[level]
        clauses.append(Clause(text, keep=True))
    if ctx.in_kernels:
        clauses.append(Clause("independent", keep=True))
    elif chance(rng, 0.25):
        clauses.append(Clause("independent"))
    return clauses


def below(levels, available):
    """Levels that loops inside of a loop over `levels` may have."""
    last = max(LEVELS.index(level) for level in levels)
    return tuple(level for level in available if LEVELS.index(level) > last)


class Nest:
    """A partitioned loop that is being made: its heads, from the outermost to the innermost."""

    def __init__(self, ctx, shapes):
        self.shapes = shapes
        self.total = 1
        for shape in shapes:
            self.total *= shape.count
        self.body = Block()
        self.saved = []
        self.clauses = []
        self.is_tiled = False
        self.fills = False  # gives an array its first values

    def linear(self):
        """The number of the iteration, over all loops."""
        value = self.shapes[0].value()
        if len(self.shapes) == 1:
            return value
        parts = [value]
        for shape in self.shapes[1:]:
            parts = ["(", *parts, f") * {shape.count} + ", shape.value()]
        return Expr("int", 0, max(self.total - 1, 0), "(", *parts, ")")

    def statement(self):
        """The loops, one inside the other."""
        loop = None
        for shape in reversed(self.shapes):
            body = self.body if loop is None else loop
            loop = For(shape, shape.count, body, tight=loop is not None, keep=True)
            loop.may_shrink = not self.fills
        return loop


def choose_counts(ctx, views):
    """Numbers of iterations of a nest: often those of an array that it writes."""
    rng = ctx.rng
    most = max(min(MOST_TIMES, ctx.program.work) // max(ctx.times * ctx.load, 1), 3)
    roll = rng.random()
    fitting = [view for view in views if view.dims and view.dims[0] <= most]
    if fitting and roll < 0.5:
        view = rng.choice(fitting)
        if len(view.dims) > 1 and view.dims[0] * view.dims[1] <= most and chance(rng, 0.6):
            return list(view.dims[:2])
        return [view.dims[0]]
    length = pick(rng, [(1, 6), (2, 3), (3, 1)])
    counts = []
    for _ in range(length):
        count = pick(rng, [(count, weight) for count, weight in TRIPS if count <= max(most, 1)])
        counts.append(count)
        most //= max(count, 1)
    return counts


def split(ctx, nest, view):
    """The part of a view that an iteration of the nest gets, or None if the view is too small. The second value says whether the
    parts together are all of it."""
    rng = ctx.rng
    if not view.dims:
        return None, False
    counts = tuple(shape.count for shape in nest.shapes)
    if len(counts) > 1 and len(view.dims) >= len(counts) and chance(rng, 0.7) \
            and all(count <= dim for count, dim in zip(counts, view.dims)):
        part = view
        for shape in nest.shapes:
            part = part.at(shape.value())
        return part, counts == view.dims[:len(counts)]
    if len(counts) == 1 and chance(rng, 0.4):
        raw = nest.shapes[0].raw()
        if 0 <= raw.lo and raw.hi < view.dims[0] and counts[0] > 0:
            return view.at(raw), False
    if nest.total > view.dims[0] or nest.total == 0:
        return None, False
    size = view.dims[0] // nest.total
    linear = nest.linear()
    if size > 1 and size <= 64 and chance(rng, 0.5):
        start = Expr("int", 0, view.dims[0] - size, linear, f" * {size}")
        return view.window(start, size), False
    if chance(rng, 0.15):
        return view.at(Expr("int", 0, view.dims[0] - 1, f"{view.dims[0] - 1} - ", linear)), nest.total == view.dims[0]
    return view.at(linear), nest.total == view.dims[0]


def add_tiling(ctx, nest):
    """`collapse` or `tile` for a nest of several loops; now and then `tile` for one."""
    rng = ctx.rng
    length = len(nest.shapes)
    if (length > 1 and chance(rng, 0.35)) or (length == 1 and chance(rng, 0.08)):
        sizes = [(rng.choice(("*", "1", "2", "3", "4", "8", "16")),) for _ in nest.shapes]
        nest.clauses.append(Clause("tile", sizes, keep=True))
        nest.is_tiled = True
    elif length > 1:
        nest.clauses.append(Clause("collapse", [(str(length),)], keep=True))


def choose_private(ctx, nest, outer, inner, taken):
    """Variables with a copy of their own in each iteration, which it writes first."""
    rng = ctx.rng
    views = [view for view in outer.readable() if view.is_whole() and view.var.sum is None and view.var not in taken
             and view.var.elements() <= 40 and not isinstance(view.type, IndexType)]
    rng.shuffle(views)
    views = views[:pick(rng, [(0, 6), (1, 3), (2, 1)])]
    inner.reads = [other for other in inner.reads if other.var not in [view.var for view in views]]
    for view in views:
        clause = Clause("private", [(view.var,)], keep=True)
        nest.clauses.append(clause)
        nest.saved.append(Saved(clause, view.var))
        own = View(view.var)
        if view.dims or isinstance(view.type, Struct):
            single.fill(inner.child(inner.block, levels=(), auto=False, unit=Ignored(inner.unit, view.var)), own, keep=True)
        else:
            inner.add(Line(view.var.start(), " = ", value_of(inner, view.type), ";", keep=True))
        inner.writes.append(own)


class Ignored:
    """A unit that does not see the uses of one variable."""

    def __init__(self, unit, var):
        self.unit = unit
        self.var = var
        self.tops, self.taken, self.unreduced = unit.tops, unit.taken, unit.unreduced

    def reads(self, var):
        if var is not self.var:
            self.unit.reads(var)

    def writes(self, var):
        if var is not self.var:
            self.unit.writes(var)

    def fills(self, var):
        self.writes(var)


def without(ctx, var):
    """The context without reads of a variable."""
    inner = ctx.child(ctx.block)
    inner.reads = [view for view in inner.reads if view.var is not var]
    inner.writes = [view for view in inner.writes if view.var is not var]
    return inner


def prepare(ctx, levels, across):
    """The nest of a partitioned loop in the context, with all its clauses and its body."""
    rng = ctx.rng
    pool = ctx.free_outs() if across else single.plain(ctx.writes)
    pool = [view for view in pool if view.dims]
    shapes = [random_shape(ctx, count) for count in choose_counts(ctx, pool)]
    nest = Nest(ctx, shapes)
    ctx.program.work -= nest.total * ctx.times * ctx.load
    nest.clauses += level_clauses(ctx, levels)
    add_tiling(ctx, nest)
    chosen = reductions.choose(ctx, across)
    reduced = [reduction.view.var for reduction in chosen.active]

    inner = ctx.child(nest.body, times=ctx.times * max(nest.total, 1), in_loop=True, is_redundant=False, repeats=False,
                      may_declare=True, unprivate=[], may_return=False)
    inner.certain = ctx.certain and nest.total > 0
    inner.reads = [view for view in ctx.readable() if view.var not in reduced]
    inner.writes = []
    inner.outs = []
    inner.reductions = chosen.active
    inner.gang_reductions = []
    inner.indices += [shape.value() for shape in shapes]
    if across:
        inner.load = 1
        inner.counters = list(ctx.gang_counters)
        inner.gang_counters = []
    if levels:
        inner.levels = below(levels, ctx.levels)
    else:
        inner.levels, inner.auto = (), True
    parts = hand_out(ctx, nest, inner, pool, across)
    if ctx.writes and not across:
        share_counters(ctx, inner, parts + reduced)
    taken = parts + reduced + [view.var for view in inner.counters] + ctx.unprivate
    taken += [reduction.view.var for reduction in ctx.reductions]
    choose_private(ctx, nest, ctx, inner, taken)
    fill_first(inner, nest)
    if len(shapes) == 1 and not nest.is_tiled and not nest.fills and chance(rng, 0.12):
        limit_by_value(ctx, shapes[0], [view.var.root for view in inner.writes + inner.counters] + reduced)
    if chance(rng, 0.04):
        cache(inner)
    single.statements(inner, rng.randint(1, 5))
    for reduction in chosen.active:
        if chance(rng, 0.85):
            reductions.update(inner, reduction)
    for reduction in chosen.named:
        # Even where nothing is accumulated.
        inner.unit.reads(reduction.view.var)
        inner.unit.writes(reduction.view.var)
    for operator, items in reductions.clauses_of(chosen, rng):
        nest.clauses.append(Clause("reduction", items, prefix=operator + ":", keep=True))
    return nest


def changeable(ctx):
    """What statements in the context may change. The iterations of a loop with a directive are counted before the first."""
    views = ctx.writes + ctx.outs + ctx.counters + ctx.gang_counters
    views += [reduction.view for reduction in ctx.reductions + ctx.gang_reductions]
    return [view.var.root for view in views]


def limit_by_value(ctx, shape, changing):
    """Lets a value that the loop does not change end the loop, perhaps sooner than its number of iterations does."""
    if shape.start != 0 or shape.step != 1 or shape.relation != "<":
        return
    still = ctx.child(ctx.block)
    still.reads = [view for view in ctx.reads if view.var.root not in changing]
    still.writes = [view for view in ctx.writes if view.var.root not in changing]
    limit = squeeze(integer(still, 1), 0, shape.count)
    shape.limit = Expr("int", limit.lo, limit.hi, f"({shape.var.type.spelling})(", limit, ")")


def cache(inner):
    """A `cache` directive for something that the loop reads."""
    views = [view for view in inner.reads if view.is_whole() and len(view.dims) == 1]
    if views:
        view = inner.rng.choice(views)
        inner.unit.reads(view.var)
        inner.block.statements.insert(0, Directive("cache", [Clause("", [(view.var, f"[0:{view.dims[0]}]")])], True, keep=False))


def hand_out(ctx, nest, inner, pool, across):
    """Gives iterations their parts of arrays; the variables."""
    rng = ctx.rng
    pool = list(pool)
    rng.shuffle(pool)
    wanted = pick(rng, [(0, 1), (1, 5), (2, 3), (3, 1)])
    inner.fresh = []
    parts = []
    for view in pool:
        if len(parts) >= wanted:
            break
        if view.var in parts:
            continue
        part, is_all = split(ctx, nest, view)
        if part is None:
            continue
        parts.append(view.var)
        inner.reads = [other for other in inner.reads if other.var is not view.var]
        inner.writes.append(part)
        if is_all and chance(rng, 0.5) and not isinstance(view.type, Struct):
            inner.fresh.append((view, part))
        if across:
            ctx.unit.taken[view.var] = True
    return parts


def share_counters(ctx, inner, taken):
    """Makes something that the unit owns a thing that iterations update atomically."""
    rng = ctx.rng
    if not chance(rng, 0.15):
        return
    from atomics import may_count
    views = [view for view in ctx.writes if may_count(view) and view.var not in taken
             and view.var not in [reduction.view.var for reduction in ctx.reductions]]
    if not views:
        return
    view = rng.choice(views)
    inner.counters.append(view)
    inner.reads = [other for other in inner.reads if other.var is not view.var]


def fill_first(inner, nest):
    """Writes parts that together are all of an array, before anything else: the array needs no value before the loop."""
    for view, part in inner.fresh:
        if inner.certain and view in inner.unit.tops:
            inner.unit.fills(view.var)
            nest.fills = True
        else:
            inner.unit.writes(view.var)
        quiet = without(inner, view.var)
        quiet.levels, quiet.auto = (), False
        if part.dims:
            single.fill(quiet.child(inner.block, unit=Ignored(inner.unit, view.var)), part, keep=True)
        else:
            inner.add(Line(part.element([]), " = ", value_of(quiet, part.type, 1), ";", keep=True))


def partitioned(ctx):
    """A partitioned loop in the context."""
    across = None
    if ctx.is_redundant and "gang" in ctx.levels:
        across = chance(ctx.rng, 0.75)
    levels = choose_levels(ctx, across)
    nest = prepare(ctx, levels, bool(across))
    loop = nest.statement()
    if chance(ctx.rng, 0.1) and len(nest.shapes) == 1:
        nest.shapes[0].outside = True
        ctx.add(Line(f"{nest.shapes[0].var.type.spelling} ", nest.shapes[0].var, ";"))
    removable = not across and bool(levels)
    ctx.add(OneLine(Directive("loop", nest.clauses, keep=not removable), loop, nest.saved))


def partitioned_fill(ctx, view, keep):
    """Assigns to every element of a view by a partitioned loop."""
    ctx.unit.writes(view.var)
    across = False if ctx.is_redundant and "gang" in ctx.levels else None
    levels = choose_levels(ctx, across)
    shape = random_shape(ctx, view.dims[0])
    shape.step, shape.start, shape.slack, shape.relation = 1, 0, 0, "<"
    is_walk = chance(ctx.rng, 0.12)
    if is_walk:
        shape = Walk(Var(ctx.program.name("i"), IndexType(view.type.spelling + " *")), view.address(), view.dims[0])
    inner = without(ctx.child(), view.var)
    inner.reductions, inner.writes, inner.counters = [], [], []
    inner.reads = [other for other in ctx.readable() if other.var is not view.var]
    inner.levels, inner.auto = (), False
    inner.indices.append(shape.value())
    inner.block = Block()
    parts = ("*", shape.var) if is_walk else view.element([shape.value()])
    inner.add(Line(parts, " = ", value_of(inner, view.type, 1), ";", keep=True))
    loop = For(shape, view.dims[0], inner.block, keep=True)
    loop.may_shrink = False
    directive = Directive("loop", level_clauses(ctx, levels), keep=not levels)
    ctx.add(OneLine(directive, loop, keep=keep))

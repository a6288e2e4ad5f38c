"""Compute constructs: `parallel`, `kernels` and `serial`, combined with a loop or not, with the clauses that their body needs."""

import nests
from atomics import may_count
import reductions
import single
from context import Context, LEVELS, Unit, View, chance, pick
from scalars import Struct
from tree import Block, Clause, Construct, Directive, Line, OneLine, Saved, literal
from values import value_of

GANGS = [(None, 4), (1, 3), (2, 2), (3, 2), (5, 1), (13, 2), (32, 1), (33, 1), (100, 0.5)]
WORKERS = [(None, 5), (1, 1), (2, 2), (3, 2), (4, 2), (7, 1), (8, 1), (13, 0.5), (32, 0.5)]
VECTORS = [(None, 5), (1, 1), (2, 0.7), (7, 1), (16, 1), (31, 0.7), (32, 2), (33, 1), (64, 2), (96, 0.5), (100, 0.5), (128, 1),
           (256, 0.5), (1000, 0.3), (1024, 0.3)]
KERNELS_GANGS = [(None, 4), (1, 1), (4, 1), (13, 1), (33, 1), (100, 0.7), (300, 0.3), (1000, 0.3)]


class Region:
    """A compute construct that is being made."""

    def __init__(self, host):
        self.host = host
        self.program = host.program
        rng = self.program.rng
        self.kind = pick(rng, [("parallel", 9), ("kernels", 3), ("serial", 2)])
        self.combined = chance(rng, 0.35)
        self.unit = Unit()
        self.clauses = []
        self.shared = {}  # variables whose data the construct needs; True if by a clause of data
        self.saved = []
        self.is_implicit = False  # some variable has no clause
        self.sections = {}
        self.ctx = Context(self.program, self.unit, Block(), host.times)
        self.ctx.on_device = True
        self.ctx.levels = LEVELS
        self.ctx.in_kernels = self.kind == "kernels"
        self.on_host = chance(rng, 0.06)  # by `if` or `self`
        self.dimensions()

    def dimensions(self):
        """Clauses for the numbers of gangs, workers and lanes."""
        rng = self.program.rng
        ctx = self.ctx
        gangs = None
        if self.kind != "serial":
            gangs = pick(rng, KERNELS_GANGS if self.kind == "kernels" else GANGS)
            workers, lanes = pick(rng, WORKERS), pick(rng, VECTORS)
            while (workers or 1) * (lanes or 1) > 1024:
                workers, lanes = pick(rng, WORKERS), pick(rng, VECTORS)
            ctx.free_levels = tuple(level for level, number in zip(LEVELS, (gangs, workers, lanes)) if number is None)
            for name, number in (("num_gangs", gangs), ("num_workers", workers), ("vector_length", lanes)):
                if number is not None:
                    text = str(number) if chance(rng, 0.7) else f"zero + {number}"
                    self.clauses.append(Clause(name, [(text,)], keep=name == "num_gangs" and number == 1))
        ctx.is_redundant = self.kind == "parallel" and gangs != 1
        ctx.load = min(gangs or 8, 16) if ctx.is_redundant else 1

    def clause(self, name, var, prefix="", keep=True):
        """Adds a clause for a variable."""
        clause = Clause(name, [self.item(var)], prefix=prefix, keep=keep)
        self.clauses.append(clause)
        return clause

    def item(self, var):
        """The variable in a clause of data, with its section."""
        return self.host.item(var, self.sections.get(var))

    def take_arrays(self):
        """Gives the body arrays and structures, to read or to write."""
        rng = self.program.rng
        ctx = self.ctx
        entries = self.host.sample(pick(rng, [(1, 2), (2, 4), (3, 4), (5, 2)]))
        for entry in entries:
            var = entry.var
            if not entry.mapped and not self.on_host and entry.may_be_section() and chance(rng, 0.25):
                low = rng.randrange(var.dims[0] // 2)
                self.sections[var] = (low, rng.randint(1, var.dims[0] - low))
            view = self.host.view(var, entry.window if entry.mapped else self.sections.get(var))
            # accrue has no `firstprivate` for planes of variable length.
            is_plane = var.is_variable and len(var.dims) > 1
            may_be_private = not entry.mapped and self.kind != "kernels" and var.elements() <= 40 and not var.heap and var.syntax == "%"
            if may_be_private and not self.combined and not var.declared and var not in self.sections and chance(rng, 0.1):
                self.saved.append(Saved(self.clause("private", var), var))
                single.fill(ctx.child(ctx.block, levels=(), unit=nests.Ignored(ctx.unit, var)), view, keep=True)
                ctx.writes.append(view)
                continue
            if may_be_private and not is_plane and chance(rng, 0.15):
                self.saved.append(Saved(self.clause("firstprivate", var), var))
                ctx.writes.append(view)
                self.host.need_host([var])
                continue
            self.shared[var] = True
            self.is_implicit = self.is_implicit or bool(var.owner)
            self.unit.tops.append(view)
            if not ctx.is_redundant:
                (ctx.writes if chance(rng, 0.8) else ctx.reads).append(view)
            elif view.dims and chance(rng, 0.5):
                ctx.outs.append(view)
            else:
                ctx.reads.append(view)

    def take_scalars(self):
        """Gives the body scalars of the host."""
        rng = self.program.rng
        ctx = self.ctx
        for entry in self.host.scalars(rng.randint(1, 3)):
            var = entry.var
            view = View(var)
            how = pick(rng, [("implicit", 4), ("firstprivate", 2), ("copyin", 2), ("copy", 2), ("private", 0 if self.combined else 1)])
            if entry.mapped or self.kind == "kernels" or self.on_host or how in ("copyin", "copy"):
                if self.kind == "kernels" or how == "copy" or entry.mapped or self.on_host:
                    self.shared[var] = how != "implicit" or self.kind != "kernels"
                    self.is_implicit = self.is_implicit or not self.shared[var]
                    (ctx.reads if ctx.is_redundant else ctx.writes).append(view)
                else:
                    self.shared[var] = True
                    ctx.reads.append(view)
                continue
            clause = self.clause(how, var) if how != "implicit" else None
            self.is_implicit = self.is_implicit or how == "implicit"
            self.saved.append(Saved(clause, var))
            if how == "private":
                ctx.add(Line(var, " = ", value_of(ctx, var.type, 1), ";", keep=True))
            else:
                self.host.need_host([var])
            ctx.writes.append(view)

    def take_accumulators(self):
        """Gives the body variables to reduce and to update atomically."""
        rng = self.program.rng
        ctx = self.ctx
        for entry in self.host.accumulators(pick(rng, [(0, 1), (1, 3), (2, 3), (3, 2), (5, 1)])):
            var = entry.var
            view = self.host.view(var, entry.window if entry.mapped else None)
            reduction = self.reduction(view)
            counts = var.operator in ("+", "*", "&", "|", "^") and chance(rng, 0.25)
            reduction.on_construct = not self.combined and self.kind != "kernels" and not entry.mapped and chance(rng, 0.5)
            if counts and not isinstance(var.type, Struct):
                reduction.on_construct = False
            if self.kind == "kernels":
                reduction.on_construct = False
                self.shared[var] = True
                ctx.writes.append(view)
            elif not ctx.is_redundant and reduction.on_construct and not view.dims:
                self.shared[var] = False
                ctx.reductions.append(reduction)
            elif not ctx.is_redundant and not self.combined and chance(rng, 0.35):
                reduction.on_construct = False
                self.shared[var] = True
                self.unit.unreduced[var] = True
                ctx.writes.append(view)
            elif ctx.is_redundant and counts and may_count(view):
                self.shared[var] = True
                ctx.gang_counters.append(view)
            else:
                self.shared[var] = not reduction.on_construct and not (self.combined and not view.dims and chance(rng, 0.5))
                ctx.gang_reductions.append(reduction)
            if reduction.on_construct:
                self.clauses.append(Clause("reduction", [reduction.item], prefix=var.operator + ":", keep=True))
                self.unit.reads(var)
                self.unit.writes(var)

    def reduction(self, view):
        """A reduction of an accumulator; of an array, perhaps of a section."""
        var = view.var
        if view.dims and chance(self.program.rng, 0.2):
            index = self.program.rng.randrange(view.dims[0])
            text = str(index)
            if self.program.options.variable_bounds and chance(self.program.rng, 0.5):
                text = f"zero + {index}"
            return reductions.Reduction(View(var).at(literal(index)), var.operator, (var, f"[{text}]"))
        if view.dims and chance(self.program.rng, 0.4):
            low = self.program.rng.randrange(view.dims[0])
            section = (low, self.program.rng.randint(1, view.dims[0] - low))
            return reductions.Reduction(self.host.view(var, section), var.operator, self.host.item(var, section))
        return reductions.Reduction(view, var.operator, self.host.item(var, None))

    def fill(self):
        """The body. The loop of a combined construct, or None."""
        ctx = self.ctx
        if not self.combined:
            single.statements(ctx, ctx.rng.randint(2, 6))
            return None
        levels = nests.choose_levels(ctx, True if ctx.is_redundant else None)
        if self.kind == "serial" and chance(ctx.rng, 0.5):
            levels = ()
        ctx.may_declare = False
        ctx.unprivate = [one.var for one in self.saved]
        return nests.prepare(ctx, levels, ctx.is_redundant)

    def data_clauses(self):
        """Clauses for the data that the body uses, and what has to happen to it before."""
        rng = self.program.rng
        names = []
        for var, explicit in self.shared.items():
            is_read, is_written, is_filled = var in self.unit.read, var in self.unit.written, var in self.unit.filled
            if not (is_read or is_written):
                if not chance(rng, 0.1):
                    continue
                is_read = True
            names.append((var, explicit, is_read or (is_written and not is_filled), is_written))
        return names


def compute(host):
    """A compute construct, in the host's block."""
    host.program.fuel = host.program.size * 4
    region = Region(host)
    region.take_scalars()
    region.take_arrays()
    region.take_accumulators()
    nest = region.fill()
    used = region.data_clauses()
    queue = host.choose_queue(region)
    host.prepare(region, used, queue)
    name = region.kind
    if nest is None:
        directive = Directive(name, region.clauses + for_devices(host.program.rng, region))
        statement = Construct(directive, region.ctx.block, region.saved)
    else:
        directive = Directive(name + " loop", merge(host.program.rng, region, nest))
        statement = OneLine(directive, nest.statement(), nest.saved + region.saved)
    host.add(statement)
    host.after(region, used, queue, statement)


def merge(rng, region, nest):
    """Clauses of the construct and of the loop, in any order."""
    clauses = region.clauses + nest.clauses
    if chance(rng, 0.3) and not any(var.owner for var in region.shared):
        rng.shuffle(clauses)
    return clauses + for_devices(rng, region)


def for_devices(rng, region):
    """Clauses for some devices only, which come last."""
    free = [level for level in ("worker", "vector") if level in region.ctx.free_levels]
    if region.kind != "parallel" or len(free) < 2 or not chance(rng, 0.12):
        return []
    device = rng.choice(("*", "nvidia", "host"))
    return [Clause(f"device_type({device}) {rng.choice(('num_workers(2)', 'vector_length(64)', 'num_workers(3) vector_length(32)'))}")]

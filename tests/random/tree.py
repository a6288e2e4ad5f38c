"""The tree of a program, and its two printings: with directives, and the sequential twin.

Expressions and statements are made of *parts*: strings, variables, functions, and expressions. A node that may go has a number, and an
edit is an entry `number -> what to do` of a dictionary, so that a program that fails becomes shorter without being parsed: the
generator makes the same tree from the same seed, and the printer leaves out what the edits name. Every edit keeps a program valid:

| node | edit | effect |
| --- | --- | --- |
| expression | `literal` | a value inside of its range takes its place |
| expression | `child N` | its operand number N takes its place, if its range allows |
| statement | `drop` | it goes |
| `if`, loop, block | `body` | its body takes its place |
| loop | `trips N` | it has N iterations |
| clause | `drop` | it goes, if the program may do without |
| variable, function | `drop` | it goes, with the statements that write it; what reads it becomes a literal |
"""

INDENT = "  "


class Numbers:
    """Numbers of nodes, in the order in which they are made."""

    def __init__(self):
        self.last = 0

    def next(self):
        self.last += 1
        return self.last


NUMBERS = Numbers()


class Named:
    """A variable or a function. Those of file scope have a second instance for the twin, with another name."""

    def __init__(self, name, is_global):
        self.name = name
        self.is_global = is_global
        self.number = NUMBERS.next()


class Expr:
    """An expression whose value lies between `lo` and `hi`; `kind` says what C makes of it.

    | kind | C type | values |
    | --- | --- | --- |
    | `int` | int | lo..hi |
    | `float`, `double` | the same | whole numbers lo..hi, exact |
    | `complex` | a complex type | both parts as above |
    """

    def __init__(self, kind, lo, hi, *parts):
        self.kind = kind
        self.lo = lo
        self.hi = hi
        self.parts = parts
        self.number = NUMBERS.next()

    def literal(self):
        """A value inside of the range, as C spells it."""
        value = 0 if self.lo <= 0 <= self.hi else self.lo
        return spell(value, self.kind)

    def children(self):
        """Operands that may stand for the whole."""
        return [part for part in self.parts
                if isinstance(part, Expr) and part.kind == self.kind and part.lo >= self.lo and part.hi <= self.hi]


def spell(value, kind):
    """A literal of an expression's kind."""
    text = {"int": f"{value}", "float": f"{value}.0f", "double": f"{value}.0", "complex": f"{value}.0"}[kind]
    return f"({text})" if value < 0 else text


def literal(value, kind="int"):
    """An expression with one value."""
    return Expr(kind, value, value, spell(value, kind))


class Printer:
    """Prints statements, with directives or as the twin, under edits."""

    def __init__(self, twin, edits):
        self.twin = twin
        self.edits = edits
        self.lines = []
        self.depth = 1

    def edit(self, node):
        """The edit of a node."""
        return self.edits.get(node.number)

    def is_dropped(self, node):
        return self.edits.get(node.number) == "drop"

    def line(self, text):
        self.lines.append(INDENT * self.depth + text)

    def directive(self, text):
        """A directive, which the twin does not have."""
        if not self.twin:
            self.lines.append("#pragma acc " + text)

    def name(self, named):
        return "R_" + named.name if self.twin and named.is_global else named.name

    def misses(self, parts):
        """Whether the parts, those inside of expressions apart, name something that was dropped."""
        for part in parts:
            if isinstance(part, Named) and self.is_dropped(part):
                return True
            if isinstance(part, tuple) and self.misses(part):
                return True
        return False

    def text(self, parts):
        """The parts as C."""
        out = []
        for part in parts:
            if isinstance(part, str):
                out.append(part)
            elif isinstance(part, Expr):
                out.append(self.expression(part))
            elif isinstance(part, tuple):
                out.append(self.text(part))
            else:
                out.append(self.name(part))
        return "".join(out)

    def expression(self, expr):
        edit = self.edit(expr)
        if edit == "literal" or self.misses(expr.parts):
            return expr.literal()
        if edit:
            child = next((part for part in expr.children() if part.number == edit[1]), None)
            return self.expression(child) if child else expr.literal()
        return self.text(expr.parts)


class Statement:
    """Anything that prints lines. Those that are kept go only with what encloses them or what they write."""

    def __init__(self, keep=False):
        self.keep = keep
        self.number = NUMBERS.next()

    def print(self, printer):
        """Prints the statement unless it was dropped."""
        if printer.is_dropped(self) or printer.misses(self.essential()):
            return
        self.print_kept(printer)

    def essential(self):
        """Parts without which the statement means nothing."""
        return ()

    def print_kept(self, printer):
        raise NotImplementedError

    def bodies(self):
        """Statements inside."""
        return []

    def owned(self):
        """Expressions and clauses inside, for the reducer."""
        return []


class Line(Statement):
    """A simple statement, the same in both printings, or in one of them only."""

    def __init__(self, *parts, keep=False, only=None):
        super().__init__(keep)
        self.parts = parts
        self.only = only

    def essential(self):
        return self.parts

    def print_kept(self, printer):
        if self.only is None or (self.only == "twin") == printer.twin:
            printer.line(printer.text(self.parts))

    def owned(self):
        return [part for part in flatten(self.parts) if isinstance(part, Expr)]


def flatten(parts):
    """All parts, those in nested tuples too."""
    for part in parts:
        if isinstance(part, tuple):
            yield from flatten(part)
        else:
            yield part


class Block(Statement):
    """Statements one after another; in braces unless it is a body."""

    def __init__(self, statements=None, braces=False, keep=False):
        super().__init__(keep)
        self.statements = statements if statements is not None else []
        self.braces = braces

    def add(self, statement):
        self.statements.append(statement)
        return statement

    def print_kept(self, printer):
        braces = self.braces and printer.edit(self) != "body"
        if braces:
            printer.line("{")
            printer.depth += 1
        for statement in self.statements:
            statement.print(printer)
        if braces:
            printer.depth -= 1
            printer.line("}")

    def bodies(self):
        return self.statements


class Group(Block):
    """Statements that go together or not at all, such as a declaration and the loop that gives values."""


def print_body(printer, body):
    """A body between braces that its caller prints."""
    printer.depth += 1
    body.print(printer)
    printer.depth -= 1


class Verbatim(Statement):
    """A line that an edit makes; it has no number."""

    number = None

    def __init__(self, text):
        self.text = text

    def print(self, printer):
        printer.line(self.text)


class If(Statement):
    """`if` with or without `else`."""

    def __init__(self, condition, then, other=None):
        super().__init__()
        self.condition = condition
        self.then = then
        self.other = other

    def print_kept(self, printer):
        if printer.edit(self) == "body":
            printer.line("{")
            print_body(printer, self.then)
            printer.line("}")
            return
        printer.line(f"if ({printer.text((self.condition,))}) {{")
        print_body(printer, self.then)
        if self.other and not printer.is_dropped(self.other):
            printer.line("} else {")
            print_body(printer, self.other)
        printer.line("}")

    def bodies(self):
        return [self.then] + ([self.other] if self.other else [])

    def owned(self):
        return [self.condition]


class Around(Statement):
    """Text around a body: `while`, `do`, `case`. Without its edit `body` it is kept as it is."""

    def __init__(self, before, body, after, keep=False):
        super().__init__(keep)
        self.before = before
        self.body = body
        self.after = after

    def print_kept(self, printer):
        printer.line(printer.text(self.before))
        print_body(printer, self.body)
        printer.line(printer.text(self.after))

    def bodies(self):
        return [self.body]

    def owned(self):
        return [part for part in flatten(self.before + self.after) if isinstance(part, Expr)]


class Clause:
    """A clause with items, `prefix` in front of them. One that is kept goes with its last item only."""

    def __init__(self, name, items=None, prefix="", keep=False):
        self.name = name
        self.items = items
        self.prefix = prefix
        self.keep = keep
        self.number = NUMBERS.next()

    def text(self, printer):
        """As C, or None if it is gone."""
        if printer.is_dropped(self):
            return None
        if self.items is None:
            return self.name
        items = [printer.text(item) for item in self.items if not printer.misses(item)]
        return f"{self.name}({self.prefix}{', '.join(items)})" if items else None

    def kept_items(self, printer):
        """The items that are left."""
        if printer.is_dropped(self):
            return []
        return [item for item in self.items or [] if not printer.misses(item)]


class Directive(Statement):
    """A directive without a body. Without items in any clause it means nothing and goes, unless it needs none."""

    def __init__(self, name, clauses=(), needs_items=False, keep=True):
        super().__init__(keep)
        self.name = name
        self.clauses = list(clauses)
        self.needs_items = needs_items

    def words(self, printer):
        """The directive as C, or None."""
        if printer.is_dropped(self):
            return None
        texts = [clause.text(printer) for clause in self.clauses]
        if self.needs_items and not any(clause.items and clause.kept_items(printer) for clause in self.clauses
                                        if clause.name not in ("async", "wait", "if")):
            return None
        return " ".join([self.name] + [text for text in texts if text])

    def print_kept(self, printer):
        words = self.words(printer)
        if words is not None:
            printer.directive(words)

    def owned(self):
        return owned_by_clauses(self.clauses)


def owned_by_clauses(clauses):
    """Clauses and the expressions in them."""
    found = list(clauses)
    for clause in clauses:
        for item in clause.items or []:
            found += [part for part in flatten(item) if isinstance(part, Expr)]
    return found


class Saved:
    """A variable with a copy of its own inside of a construct: the twin restores it afterwards, as long as the clause is there."""

    def __init__(self, clause, var):
        self.clause = clause
        self.var = var

    def is_active(self, printer):
        if printer.is_dropped(self.var):
            return False
        return self.clause is None or not printer.is_dropped(self.clause)


def print_saved(printer, saved, print_inside):
    """What a construct prints in the twin: the variables that it has copies of keep their values."""
    active = [one for one in saved if one.is_active(printer)] if printer.twin else []
    if not active:
        print_inside()
        return
    printer.line("{")
    printer.depth += 1
    for one in active:
        name = printer.name(one.var)
        printer.line(f"SAVE({name})")
    print_inside()
    for one in active:
        printer.line(f"RESTORE({printer.name(one.var)})")
    printer.depth -= 1
    printer.line("}")


class Construct(Statement):
    """A directive with a block: compute constructs, data constructs."""

    def __init__(self, directive, body, saved=()):
        super().__init__()
        self.directive = directive
        self.body = body
        self.saved = list(saved)

    def print_kept(self, printer):
        words = self.directive.words(printer)
        if words is None:
            self.body.print(printer)
            return

        def inside():
            printer.directive(words)
            printer.line("{")
            print_body(printer, self.body)
            printer.line("}")

        print_saved(printer, self.saved, inside)

    def bodies(self):
        return [self.body]

    def owned(self):
        return self.directive.owned()


class OneLine(Statement):
    """A directive on one statement: `atomic`, or a loop."""

    def __init__(self, directive, statement, saved=(), keep=False):
        super().__init__(keep)
        self.directive = directive
        self.statement = statement
        self.saved = list(saved)

    def essential(self):
        return self.statement.essential()

    def print_kept(self, printer):
        words = self.directive.words(printer)

        def inside():
            if words is not None:
                printer.directive(words)
            self.statement.print(printer)

        print_saved(printer, self.saved if words is not None else [], inside)

    def bodies(self):
        return [self.statement]

    def owned(self):
        return self.directive.owned()


class For(Statement):
    """A loop that counts. `shape` prints its head for a number of iterations; `tight` loops have nothing but a loop inside."""

    def __init__(self, shape, count, body, tight=False, keep=False):
        super().__init__(keep)
        self.shape = shape
        self.count = count
        self.body = body
        self.tight = tight
        self.may_shrink = True

    def print_kept(self, printer):
        edit = printer.edit(self)
        if edit == "body":
            start = len(printer.lines)
            printer.line("{")
            print_body(printer, Block([Verbatim(self.shape.first(printer)), self.body]))
            if len(printer.lines) == start + 2:
                del printer.lines[start:]
            else:
                printer.line("}")
            return
        count = edit[1] if edit and edit[0] == "trips" else self.count
        head = self.shape.head(printer, count)
        if self.tight:
            printer.line(head)
            self.body.print(printer)
        else:
            printer.line(head + " {")
            print_body(printer, self.body)
            printer.line("}")

    def bodies(self):
        return [self.body]

    def owned(self):
        return self.shape.owned()

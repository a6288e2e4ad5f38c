"""What the programs of `regions.py` bring to devices: arrays in all kinds of storage, structures, and what pointers lead to.

Each object has views, arrays of elements that code changes. In the sequential program that is the reference, an object
has a second copy, `dev_` and its name, if devices have memory of their own: `D(name)` is the copy that a device uses.
"""

from nests import TYPES

OTHERS = ["char", "_Bool", "__int128", "unsigned __int128", "float _Complex", "double _Complex", "enum colour"]


class View:
    """Elements of an object: `form` is how an element is written, with the object's name and the element's number."""

    def __init__(self, owner, form, type, length, addressable=True, contiguous=True):
        self.owner, self.form, self.type, self.length = owner, form, type, length
        self.addressable, self.contiguous = addressable, contiguous

    def place(self, name, number):
        return self.form(name, number)

    def at(self, number):
        return self.place(self.owner.place(), number)

    def section(self, first, length):
        """A section for `cache`, which is a hint about code of a device."""
        return self.place(self.owner.name, f"{first}:{length}") if "[(" not in self.place("", "0") else self.place(self.owner.name, str(first))

    def copied(self, low, high, to, source):
        """The loop that copies elements from one memory to the other."""
        return f"for (int k = {low}; k < {high}; k++) {self.place(to, 'k')} = {self.place(source, 'k')};"


class Part:
    """Some elements of a view."""

    def __init__(self, view, first, length):
        self.view, self.first, self.length = view, first, length
        self.type, self.addressable, self.contiguous = view.type, view.addressable, view.contiguous

    def at(self, number):
        return self.view.at(f"{self.first} + {number}" if self.first else number)

    def section(self, first, length):
        return self.view.section(self.first + first, length)


class Object:
    """Something that is brought to a device as a whole, or by rows."""

    # Whether a device has it as long as the program, or the function, is there.
    declared = False
    # Only by `enter data` and `exit data`, element after element.
    dynamic_only = False
    # Whether sections of it may be named.
    divisible = False
    is_pointer = False

    def __init__(self, name, length):
        self.name, self.length = name, length
        # Rows on the device, if any, with its counters.
        self.window, self.structured, self.dynamic = None, 0, 0
        # Whether code uses the device's copy.
        self.on_device = False
        self.queue = None
        self.views = []
        self.storage = "global"
        # How the host names it in clauses for a device's address.
        self.unit = 1

    def place(self):
        return f"D({self.name})" if self.on_device else self.name

    def transfer(self, window, to_device):
        """What the sequential program does for a copy."""
        low, high = window[0] * self.unit, window[1] * self.unit
        names = (f"dev_{self.name}", self.name)
        return "SEP(" + " ".join(view.copied(*((low, high) if self.divisible else (0, view.length)), *(names if to_device else names[::-1])) for view in self.views) + ")"

    @property
    def whole(self):
        return (0, self.length // self.unit)

    def globals(self):
        return ""

    def locals(self):
        return ""

    def setup(self, name):
        return ""

    def enter(self, kind, window, clauses=""):
        return f"#pragma acc enter data {kind}({', '.join(self.items(window))}){clauses}"

    def leave(self, kind, window, clauses=""):
        return f"#pragma acc exit data {kind}({', '.join(reversed(self.items(window)))}){clauses}"

    def update(self, direction, window, clauses=""):
        return f"#pragma acc update {direction}({', '.join(self.items(window))}){clauses}"


class Array(Object):
    """An array, or memory behind a pointer."""

    divisible = True

    def __init__(self, name, length, random, storage=None):
        super().__init__(name, length)
        self.storage = storage or random.choice(["global", "global", "static", "local", "local", "kept", "heap", "heap", "heap", "variable", "created", "copied", "link", "here"])
        columns = random.choice([0, 0, 0, 4, 8])
        self.columns = columns if length % (columns or 1) == 0 else 0
        self.unit = self.columns or 1
        self.is_pointer = self.storage == "heap"
        self.type = random.choice(TYPES * 2 + OTHERS)
        self.fields = []
        if random.randrange(7) == 0 and not storage:
            self.fields = [("a", random.choice(TYPES), True), ("b", "unsigned", False), ("c", random.choice(OTHERS), True), ("u.d", random.choice(TYPES), True)]
            self.type = f"struct item_{name}"
        form = (lambda at, k: f"{at}[({k}) / {self.columns}][({k}) % {self.columns}]") if self.columns else (lambda at, k: f"{at}[{k}]")
        if self.fields:
            self.views = [View(self, lambda at, k, field=field: f"{form(at, k)}.{field}", type, length, addressable, False) for field, type, addressable in self.fields]
        else:
            self.views = [View(self, form, self.type, length)]

    def types(self):
        if not self.fields:
            return ""
        (a, b, c, d) = (type for _, type, _ in self.fields)
        return f"struct item_{self.name} {{ {a} a; {b} b : 11; {c} c; union {{ {d} d; char e; }} u; }};\n"

    def declaration(self, name):
        rows = self.length // self.unit
        if self.is_pointer:
            return f"{self.type} (*{name})[{self.columns}];" if self.columns else f"{self.type} *{name};"
        if self.storage == "variable":
            return f"{self.type} {name}[rows_{self.name}]" + (f"[columns_{self.name}];" if self.columns else ";")
        return f"{self.type} {name}[{rows}]" + (f"[{self.columns}];" if self.columns else ";")

    def globals(self):
        if self.storage in ("local", "kept", "variable", "here"):
            return self.types()
        clause = {"created": "create", "copied": "copyin", "link": "link"}.get(self.storage)
        static = "static " if self.storage == "static" else ""
        text = f"{self.types()}{static}{self.declaration(self.name)}\nSEP({static}{self.declaration(f'dev_{self.name}')})\n"
        return text + (f"#pragma acc declare {clause}({self.name})\n" if clause else "")

    def locals(self):
        if self.storage not in ("local", "kept", "variable", "here"):
            return ""
        static = "static " if self.storage == "kept" else ""
        sizes = f"int rows_{self.name} = {self.length // self.unit}, columns_{self.name} = {self.columns};\n" if self.storage == "variable" else ""
        text = f"{sizes}{static}{self.declaration(self.name)}\nSEP({static}{self.declaration(f'dev_{self.name}')})\n"
        return text + (f"#pragma acc declare create({self.name})\n" if self.storage == "here" else "")

    def setup(self, name):
        return f"{name} = malloc({self.length // self.unit} * sizeof *{name});" if self.is_pointer else ""

    def read_by_functions(self):
        """Its elements for functions that devices and the host call."""
        view = self.views[0]
        return View(self, lambda _, k: view.form(f"G({self.name})", k), view.type, view.length, False, False)

    def parameter(self, name):
        """How a function declares it that is given a pointer to its elements."""
        return f"{self.type} (*{name})[{self.columns}]" if self.columns else f"{self.type} *{name}"

    @property
    def declared(self):
        """Whether a device has it as long as the program, or the function, is there."""
        return self.storage in ("created", "copied", "here")

    def items(self, window):
        return [f"{self.name}[{window[0]}:{window[1] - window[0]}]" + (f"[0:{self.columns}]" if self.columns else "")]

    def named(self):
        return self.items(self.whole)[0] if self.is_pointer else self.name

    def size(self):
        return f"{self.length} * sizeof({self.type})"


class Box(Object):
    """A structure with arrays, or a pointer to one."""

    def __init__(self, name, length, random):
        super().__init__(name, length)
        self.is_pointer = random.randrange(2) == 0
        self.lengths = [length, random.choice([12, 40])]
        self.types = [random.choice(TYPES + OTHERS) for _ in range(2)]
        dot = "->" if self.is_pointer else "."
        self.views = [View(self, lambda at, k, member=member: f"{at}{dot}{member}[{k}]", type, count) for member, type, count in zip("xy", self.types, self.lengths)]
        self.views.append(View(self, lambda at, k: f"{at}{dot}z", "unsigned", 1, False, False))

    def globals(self):
        star = "*" if self.is_pointer else ""
        members = f"char before; {self.types[0]} x[{self.lengths[0]}]; unsigned z : 5; {self.types[1]} y[{self.lengths[1]}]; long behind;"
        return f"struct {self.name} {{ {members} }} {star}{self.name};\nSEP(struct {self.name} {star}dev_{self.name};)\n"

    def setup(self, name):
        return f"{name} = malloc(sizeof *{name});" if self.is_pointer else ""

    def items(self, _):
        return [f"{self.name}[0:1]" if self.is_pointer else self.name]

    def named(self):
        return self.items(None)[0]

    def size(self):
        return f"sizeof(struct {self.name})"


class Deep(Object):
    """A structure with pointers, perhaps behind one itself, or with an outer structure that leads to it."""

    def __init__(self, name, length, random):
        super().__init__(name, length)
        self.kind = random.choice(["value", "pointer", "linked"])
        self.lengths = [length, random.choice([10, 36])]
        self.types = [random.choice(TYPES + OTHERS) for _ in range(2)]
        self.is_pointer = self.kind == "pointer"
        dot = {"value": ".", "pointer": "->", "linked": ".in->"}[self.kind]
        self.dot = dot
        self.views = [View(self, lambda at, k, member=member: f"{at}{dot}{member}[{k}]", type, count) for member, type, count in zip("pq", self.types, self.lengths)]
        self.views.append(View(self, lambda at, k: f"{at}{dot}n", "int", 1, True, False))

    def globals(self):
        star = "*" if self.is_pointer else ""
        inner = f"struct {self.name} {{ {self.types[0]} *p; int n; {self.types[1]} *q; }}"
        if self.kind == "linked":
            return f"{inner};\nstruct outer_{self.name} {{ int before; struct {self.name} *in; }} {self.name};\nSEP(struct outer_{self.name} dev_{self.name};)\n"
        return f"{inner} {star}{self.name};\nSEP(struct {self.name} {star}dev_{self.name};)\n"

    def setup(self, name):
        start = {"value": "", "pointer": f"{name} = malloc(sizeof *{name});\n", "linked": f"{name}.in = malloc(sizeof *{name}.in);\n"}[self.kind]
        return start + "".join(f"{name}{self.dot}{member} = malloc({count} * sizeof *{name}{self.dot}{member});\n" for member, count in zip("pq", self.lengths)).rstrip()

    def items(self, _):
        first = {"value": [self.name], "pointer": [f"{self.name}[0:1]"], "linked": [self.name, f"{self.name}.in[0:1]"]}[self.kind]
        return first + [f"{self.name}{self.dot}{member}[0:{count}]" for member, count in zip("pq", self.lengths)]

    def enter_apart(self):
        """What pointers lead to comes first, under other names, and then the structure, whose pointers are attached."""
        members = [f"{self.name}{self.dot}{member}" for member in "pq"]
        around = self.items(None)[:-2]
        sections = ", ".join(f"{self.name}_{member}[0:{count}]" for member, count in zip("pq", self.lengths))
        declared = " ".join(f"{type} *{self.name}_{member} = {place};" for type, member, place in zip(self.types, "pq", members))
        return f"{{ {declared}\n#pragma acc enter data copyin({sections})\n#pragma acc enter data copyin({', '.join(around)})\n#pragma acc enter data attach({', '.join(members)})\n}}"

    def update(self, direction, window, clauses=""):
        # Pointers are not for copies.
        parts = [f"{self.name}{self.dot}{member}[0:{count}]" for member, count in zip("pq", self.lengths)]
        return f"#pragma acc update {direction}({', '.join([f'{self.name}{self.dot}n', *parts])}){clauses}"


class Rows(Object):
    """An array of pointers, or of structures with pointers, to rows."""

    dynamic_only = True

    def __init__(self, name, length, random):
        super().__init__(name, length)
        self.rows, self.type = random.choice([2, 5]), random.choice(TYPES + OTHERS)
        self.columns = length // self.rows
        self.length = self.rows * self.columns
        self.kind = random.choice(["pointers", "structures", "heap"])
        self.member = ".p" if self.kind == "structures" else ""
        self.is_pointer = self.kind == "heap"
        self.views = [View(self, lambda at, k: f"{at}[({k}) / {self.columns}]{self.member}[({k}) % {self.columns}]", self.type, self.length, True, False)]

    def globals(self):
        if self.kind == "structures":
            return f"struct {self.name} {{ int before; {self.type} *p; }} {self.name}[{self.rows}];\nSEP(struct {self.name} dev_{self.name}[{self.rows}];)\n"
        shape = "**{}" if self.is_pointer else f"*{{}}[{self.rows}]"
        return f"{self.type} {shape.format(self.name)};\nSEP({self.type} {shape.format(f'dev_{self.name}')};)\n"

    def setup(self, name):
        start = f"{name} = malloc({self.rows} * sizeof *{name});\n" if self.is_pointer else ""
        return f"{start}for (int k = 0; k < {self.rows}; k++) {name}[k]{self.member} = malloc({self.columns} * sizeof({self.type}));"

    def row(self):
        return f"{self.name}[row]{self.member}[0:{self.columns}]"

    def each(self, directive):
        return f"for (int row = 0; row < {self.rows}; row++) {{\n{directive}\n}}"

    def items(self, _):
        return [f"{self.name}[0:{self.rows}]"]

    def enter(self, kind, window, clauses=""):
        first = f"#pragma acc enter data copyin({self.name}[0:{self.rows}]){clauses}\n"
        return first + self.each(f"#pragma acc enter data {kind}({self.row()}){clauses}")

    def leave(self, kind, window, clauses=""):
        return self.each(f"#pragma acc exit data {kind}({self.row()}){clauses}") + f"\n#pragma acc exit data delete({self.name}[0:{self.rows}]){clauses}"

    def update(self, direction, window, clauses=""):
        return self.each(f"#pragma acc update {direction}({self.row()}){clauses}")


class Scalar(Object):
    """A variable that is no array."""

    def __init__(self, name, length, random):
        super().__init__(name, 1)
        self.type = random.choice(TYPES + OTHERS)
        self.static = random.choice(["", "static "])
        self.declared = random.randrange(3) == 0
        self.views = [View(self, lambda at, k: at, self.type, 1, True, False)]

    def globals(self):
        text = f"{self.static}{self.type} {self.name};\nSEP({self.static}{self.type} dev_{self.name};)\n"
        return text + (f"#pragma acc declare create({self.name})\n" if self.declared else "")

    def items(self, _):
        return [self.name]

    def size(self):
        return f"sizeof {self.name}"

"""Random data environments: `python3 tests/random/generate.py --environment --seed 7` prints a program of `--size` times four steps.

The program has an array, memory behind a pointer, and two structures with members that are numbers, pointers and an array, one of them behind
a pointer. Steps map these, whole, by sections or member by member, copy parts to and fro, and compute on the device; other values are written on the
host meanwhile. What the device's copies hold, how often each is counted and which pointers lead to them is followed here, for memory that is not the host's:
programs run where the device has memory of its own only. A step that the model calls wrong, or whose result is open, is not made.

Odd seeds are programs of OpenACC, with two counters, even ones of OpenMP, with one.

With several devices each step means one of them, by the device that the thread has chosen or by a clause, and each has a memory of its own. Regions of
OpenACC are then on queues, too, for which the program waits at once, from the same device or from another.
"""

import random

LENGTH = 12  # elements of arrays
SLOTS = {"n": (0, 1), "x": (1, 2), "p": (2, 3), "q": (3, 4), "m": (4, 10)}  # a structure's members, in units of the model
POINTERS = {2: "p", 3: "q"}
WHOLE = 10
POINTER = "pointer"
KINDS = {"region": 8, "enter_step": 3, "exit_step": 3, "data": 1.5, "update": 3, "write": 2, "ask": 1}
FEATURES = ("members",)


class Wrong(Exception):
    """The step would be a mistake of the program, or its result is open."""


class Item:
    """What a clause names: a range of an object, perhaps through a pointer member."""

    def __init__(self, text, obj, low, high, through=None, member=False):
        self.text, self.obj, self.low, self.high = text, obj, low, high
        self.through = through  # (structure, slot)
        self.member = member  # of a structure, or through a member

    def span(self):
        """The part of the structure that it is about."""
        return (self.through[0], self.through[1], self.through[1] + 1) if self.through else (self.obj, self.low, self.high)


class Block:
    """A copy on the device."""

    def __init__(self, obj, low, high, values, group):
        self.obj, self.low, self.high, self.values, self.group = obj, low, high, values, group
        self.structured = self.dynamic = 0
        self.attached = {}  # slot: [block, count]
        self.pointer_only = False

    def contains(self, low, high):
        return self.low <= low and high <= self.high


class Environment:
    """A program with what the host and the device hold."""

    def __init__(self, seed, size, without, devices=1):
        self.random = random.Random(f"environment {seed}")
        self.memories = [[] for _ in range(devices)]  # the blocks of each device
        self.lists = [[] for _ in range(devices)]  # items of `enter data` on each
        self.device = 0
        self.default = 0  # what a directive of OpenMP without `device` means
        self.kinds = KINDS if devices == 1 else {**KINDS, "switch": 4}
        self.omp = seed % 2 == 0
        self.without = without
        self.size = size
        self.host = {name: [self.random.randrange(100) for _ in range(LENGTH)] for name in ("a", "h", "vp", "vq", "sp", "sq")}
        for name in ("v", "s"):
            self.host[name] = [self.random.randrange(100) if slot not in POINTERS else POINTER for slot in range(WHOLE)]
        self.initial = {name: list(values) for name, values in self.host.items()}
        self.groups = 0
        self.lines = []
        self.depth = 1
        self.constructs = 0
        self.named = []  # what open constructs name, and where they have it
        self.step = 0

    # The model.

    @property
    def blocks(self):
        return self.memories[self.device]

    @blocks.setter
    def blocks(self, blocks):
        self.memories[self.device] = blocks

    @property
    def entered(self):
        return self.lists[self.device]

    @entered.setter
    def entered(self, items):
        self.lists[self.device] = items

    def find(self, obj, low, high):
        """The block that holds a range, or None; partly is wrong."""
        met = [block for block in self.blocks if block.obj == obj and block.low < high and low < block.high]
        if not met:
            return None
        if len(met) > 1 or not met[0].contains(low, high):
            raise Wrong
        return met[0]

    def is_present(self, obj, low, high):
        return any(block.obj == obj and block.contains(low, high) for block in self.blocks)

    def new_group(self):
        self.groups += 1
        return self.groups

    def hold(self, block, structured, held):
        """A lifetime begins; says whether it counts. In OpenMP, a directive counts once in all that was mapped together."""
        if not self.omp:
            if structured:
                block.structured += 1
            else:
                block.dynamic += 1
            return True
        if block.group in held:
            return False
        held.add(block.group)
        for other in self.together(block):
            other.dynamic += 1
        return True

    def hold_new(self, block, structured, held):
        if self.omp:
            block.dynamic += 1
            counts = block.group not in held
            held.add(block.group)
            return counts
        return self.hold(block, structured, held)

    def together(self, block):
        return [other for other in self.blocks if other.group == block.group]

    def enter(self, items, structured):
        """Enters [(kind, item)]; gives what the end has to undo."""
        whole = [pair for pair in items if not pair[1].member]
        members = [pair for pair in items if pair[1].member]
        if any(self.overlap(one, other) for at, (_, one) in enumerate(items) for _, other in items[:at]):
            raise Wrong
        held = set()
        entries = [self.enter_one(kind, item, None, structured, held) for kind, item in whole]
        groups = {}
        for name in ("v", "s"):
            spans = [item.span() for kind, item in members if item.span()[0] == name and kind in ("copy", "copyin", "copyout", "create")]
            if not spans:
                continue
            low, high = min(span[1] for span in spans), max(span[2] for span in spans)
            if not any(block.obj == name and block.low < high and low < block.high for block in self.blocks):
                groups[name] = self.new_group()
        entries += [self.enter_one(kind, item, groups.get(item.span()[0]), structured, held) for kind, item in members]
        places = {}
        for _, item in members:
            name, low, high = item.span()
            there = [block for block in self.blocks if block.obj == name and block.contains(low, high)]
            if there and places.setdefault(name, there[0].group) != there[0].group:
                raise Wrong
        for entry in entries:
            self.attach(entry)
        return entries

    @staticmethod
    def overlap(one, other):
        """Whether two items name the same: two parts of one array have one address, which is a known limit."""
        is_same = one.text.split("[")[0] == other.text.split("[")[0]
        return is_same or one.obj == other.obj and one.low < other.high and other.low < one.high

    def enter_one(self, kind, item, group, structured, held):
        block = self.find(item.obj, item.low, item.high)
        entry = {"kind": kind, "item": item, "block": block, "member": None, "structured": structured, "attached": None, "holds": []}
        if block is None:
            if kind == "present":
                raise Wrong
            if kind == "no_create":
                return entry
            if item.obj in ("v", "s") and (item.low, item.high) == (0, WHOLE) and any(b.obj == item.obj for b in self.blocks):
                raise Wrong
            copies = kind in ("copy", "copyin")
            values = [value if copies else None for value in self.host[item.obj][item.low:item.high]]
            own = group if not item.through and group is not None else self.new_group()
            block = Block(item.obj, item.low, item.high, values, own)
            self.blocks.append(block)
            entry["block"] = block
            holds = self.hold_new(block, structured, held)
        else:
            holds = self.hold(block, structured, held)
        if holds:
            entry["holds"].append(block)
        if item.through:
            name, slot = item.through
            pointer = next((b for b in self.blocks if b.obj == name and b.contains(slot, slot + 1)), None)
            if pointer is None and group is not None:
                pointer = Block(name, slot, slot + 1, [POINTER], group)
                pointer.pointer_only = True
                self.blocks.append(pointer)
                holds = self.hold_new(pointer, structured, held)
            elif pointer is not None and pointer.pointer_only:
                holds = self.hold(pointer, structured, held)
            else:
                return entry
            entry["member"] = pointer
            if holds:
                entry["holds"].append(pointer)
        return entry

    def attach(self, entry):
        item, block = entry["item"], entry["block"]
        if not item.through or block is None:
            return
        name, slot = item.through
        pointer = next((b for b in self.blocks if b.obj == name and b.contains(slot, slot + 1)), None)
        if pointer is None:
            return
        known = pointer.attached.setdefault(slot, [block, 0])
        if known[0] is not block:
            raise Wrong
        known[1] += 1
        entry["attached"] = (pointer, slot)

    def detach(self, pointer, slot):
        known = pointer.attached.get(slot)
        if known and pointer in self.blocks:
            known[1] -= 1
            if known[1] == 0:
                del pointer.attached[slot]
                pointer.values[slot - pointer.low] = POINTER

    def let_go(self, block, structured, copies, low, high):
        """A lifetime ends; the last one copies and frees."""
        if block not in self.blocks:
            return
        if structured:
            block.structured -= 1
        else:
            block.dynamic -= 1
        if block.structured == 0 and block.dynamic == 0:
            if copies:
                self.to_host(block, low, high)
            self.free(block)

    def free(self, block):
        self.blocks.remove(block)
        if any(known[0] is block for other in self.blocks for known in other.attached.values()):
            raise Wrong

    def let_go_all(self, holds, copies):
        """The end of a directive of OpenMP: all counters change before anything is copied or freed."""
        for block in holds:
            for other in self.together(block):
                other.dynamic -= 1
        for block, low, high in copies:
            if block in self.blocks and block.dynamic == 0:
                self.to_host(block, low, high)
        unused = [block for block in self.blocks if block.dynamic == 0]
        self.blocks = [block for block in self.blocks if block.dynamic]
        if any(known[0] in unused for other in self.blocks for known in other.attached.values()):
            raise Wrong

    def to_host(self, block, low, high):
        for at in range(low, high):
            value = block.values[at - block.low]
            if at in block.attached:
                continue
            if value is None:
                raise Wrong
            if value != POINTER:
                self.host[block.obj][at] = value

    def to_device(self, item):
        block = self.find(item.obj, item.low, item.high)
        for at in range(item.low, item.high):
            if self.host[item.obj][at] != POINTER:
                block.values[at - block.low] = self.host[item.obj][at]

    def leave(self, entries):
        held = [entry["block"] for entry in entries] + [entry["member"] for entry in entries]
        held += [entry["attached"][0] for entry in entries if entry["attached"]]
        if any(block and block not in self.blocks for block in held):
            raise Wrong  # another one may have come in the place of what has gone
        for entry in reversed(entries):
            if entry["attached"]:
                self.detach(*entry["attached"])
        if self.omp:
            copied = [entry for entry in entries if entry["block"] and entry["kind"] in ("copy", "copyout")]
            self.let_go_all([block for entry in entries for block in entry["holds"] if block in self.blocks],
                            [(entry["block"], entry["item"].low, entry["item"].high) for entry in copied])
            return
        for entry in sorted(reversed(entries), key=lambda entry: not entry["item"].member):
            if entry["block"] is None:
                continue
            if entry["member"] is not None:
                self.let_go(entry["member"], entry["structured"], False, 0, 0)
            item = entry["item"]
            self.let_go(entry["block"], entry["structured"], entry["kind"] in ("copy", "copyout"), item.low, item.high)

    # What clauses name.

    def section(self, full=False):
        low = 0 if full or self.random.random() < 0.4 else self.random.randrange(LENGTH - 2)
        return low, LENGTH if full or self.random.random() < 0.4 else self.random.randint(low + 1, LENGTH)

    def item(self):
        rng = self.random
        choices = ["a", "a[]", "h[]", "h[]"]
        if "members" not in self.without:
            choices += ["v", "s", "v.x", "s.x", "v.n", "s.n", "v.m", "s.m", "v.m[]", "s.m[]", "v.p[]", "v.p[]", "v.q[]", "s.p[]", "s.p[]", "s.q[]"]
        return self.item_of(rng.choice(choices))

    def item_of(self, what):
        low, high = self.section()
        if what == "a":
            return Item("a", "a", 0, LENGTH)
        if what in ("a[]", "h[]"):
            return Item(f"{what[0]}[{low}:{high - low}]", what[0], low, high)
        name = what[0]
        if what in ("v", "s"):
            return Item("v" if name == "v" else "s[0:1]", name, 0, WHOLE)
        field = what[2]
        lvalue = f"{name}.{field}" if name == "v" else f"s->{field}"
        first, end = SLOTS[field]
        if field in "pq":
            return Item(f"{lvalue}[{low}:{high - low}]", name + field, low, high, (name, first), True)
        if what.endswith("[]"):
            low = self.random.randrange(6)
            high = self.random.randint(low + 1, 6)
            return Item(f"{lvalue}[{low}:{high - low}]", name, first + low, first + high, None, True)
        return Item(lvalue, name, first, end, None, True)

    # Steps.

    def emit(self, text):
        self.lines.append("    " * self.depth + text)

    def clauses(self, pairs, always=()):
        if not self.omp:
            return " ".join(f"{kind}({item.text})" for kind, item in pairs)
        words = {"copy": "tofrom", "copyin": "to", "copyout": "from", "create": "alloc", "present": "present, alloc", "delete": "release"}
        return " ".join(f"map({'always, ' if item in always else ''}{words[kind]} : {item.text})" for kind, item in pairs)

    def pragma(self, acc, omp, rest):
        self.emit(f"#pragma omp {omp}{self.device_clause()} {rest}" if self.omp else f"#pragma acc {acc} {rest}")

    def device_clause(self):
        """What names the device in a directive of OpenMP; nothing if it is the one without a clause, most of the time."""
        is_named = self.default != self.device or len(self.memories) > 1 and self.random.random() < 0.2
        return f" device({self.device})" if is_named else ""

    def check(self):
        self.step += 1
        for name, values in self.host.items():
            if name in ("v", "s"):
                lvalue = "v" if name == "v" else "(*s)"
                numbers = [value for value in values if value != POINTER]
                self.emit(f"check_structure({self.step}, \"{name}\", &{lvalue}, (int[]){{{', '.join(map(str, numbers))}}}, {name}_p, {name}_q);")
            else:
                self.emit(f"check({self.step}, \"{name}\", {self.array(name)}, (int[]){{{', '.join(map(str, values))}}}, {LENGTH});")

    @staticmethod
    def array(name):
        return {"a": "a", "h": "h"}.get(name) or f"{name[0]}_{name[1]}"

    def snapshot(self):
        """A copy of the state, for a step that turns out to be wrong."""
        return ({name: list(values) for name, values in self.host.items()},
                [[(block, list(block.values), block.structured, block.dynamic, {slot: list(known) for slot, known in block.attached.items()})
                  for block in blocks] for blocks in self.memories],
                [list(items) for items in self.lists], (self.device, self.default), len(self.lines))

    def restore(self, state):
        self.host, memories, self.lists, (self.device, self.default), lines = state
        self.memories = []
        for blocks in memories:
            self.memories.append([])
            for block, values, structured, dynamic, attached in blocks:
                block.values, block.structured, block.dynamic, block.attached = values, structured, dynamic, attached
                self.memories[-1].append(block)
        del self.lines[lines:]

    def attempt(self, kind):
        state = self.snapshot()
        depth = self.depth
        try:
            getattr(self, kind)()
            return True
        except Wrong:
            self.restore(state)
            self.depth = depth
            return False

    def steps(self, count):
        done = 0
        for _ in range(count * 40):
            if done == count:
                return
            kind = self.random.choices(list(self.kinds), list(self.kinds.values()))[0]
            if kind == "data" and self.constructs == 3:
                continue
            done += self.attempt(kind)

    def switch(self):
        self.switch_to(self.random.randrange(len(self.memories)))

    def switch_to(self, device):
        """The steps that come mean this device."""
        self.device = device
        if not self.omp:
            self.emit(self.random.choice([f"#pragma acc set device_num({device})", f"acc_set_device_num({device}, acc_get_device_type());"]))
        elif self.random.random() < 0.4:
            self.emit(f"omp_set_default_device({device});")
            self.default = device

    def several(self, kinds, most=3):
        return [(self.random.choice(kinds), self.item()) for _ in range(self.random.choice([1, 1, 2, most]))]

    def write(self):
        name = self.random.choice([name for name in self.host if "members" not in self.without or name in ("a", "h")])
        if name in ("v", "s"):
            field, at = self.random.choice([("n", 0), ("x", 1)] + [(f"m[{k}]", 4 + k) for k in range(6)])
            value = self.random.randrange(100)
            self.host[name][at] = value
            self.emit(f"{'v.' if name == 'v' else 's->'}{field} = {value};")
            return
        low, high = self.section()
        add = self.random.randint(1, 9)
        self.emit(f"for (int i = {low}; i < {high}; i++) {self.array(name)}[i] += {add};")
        for at in range(low, high):
            self.host[name][at] += add

    def enter_step(self):
        pairs = self.several(["copyin", "copyin", "create"])
        calls = [self.routine(kind, item) for kind, item in pairs]
        if len(pairs) == 1 and all(calls) and self.random.random() < 0.4:
            self.emit(calls[0])
        else:
            self.pragma("enter data", "target enter data", self.clauses(pairs))
        self.enter(pairs, False)
        self.entered += [item for _, item in pairs]

    def exit_step(self):
        if not self.entered:
            raise Wrong
        picked = self.random.sample(range(len(self.entered)), min(len(self.entered), self.random.choice([1, 1, 2])))
        pairs = [(self.random.choice(["copyout", "copyout", "delete"]), self.entered[at]) for at in picked]
        if any(self.overlap(one, other) or one.span()[0] == other.span()[0] for at, (_, one) in enumerate(pairs) for _, other in pairs[:at]):
            raise Wrong
        self.entered = [item for at, item in enumerate(self.entered) if at not in picked]
        final = len(pairs) == 1 and self.random.random() < 0.2
        if final and self.exit_all(*pairs[0]):
            return
        calls = [self.routine(kind, item) for kind, item in pairs]
        if len(pairs) == 1 and all(calls) and self.random.random() < 0.4:
            self.emit(calls[0])
        else:
            self.pragma("exit data", "target exit data", self.clauses(pairs))
        held, holds, copies = set(), [], []
        for kind, item in pairs:
            block = self.find(item.obj, item.low, item.high)
            if block is None or block.dynamic == 0:
                raise Wrong
            if item.through:
                name, slot = item.through
                pointer = next((b for b in self.blocks if b.obj == name and b.contains(slot, slot + 1)), None)
                if pointer is not None:
                    if slot in pointer.attached:
                        self.detach(pointer, slot)
                    if pointer.pointer_only:
                        if pointer.dynamic == 0:
                            raise Wrong
                        if not self.omp:
                            self.let_go(pointer, False, False, 0, 0)
                        elif pointer.group not in held:
                            held.add(pointer.group)
                            holds.append(pointer)
            if not self.omp:
                self.let_go(block, False, kind == "copyout", item.low, item.high)
                continue
            if block.group not in held:
                held.add(block.group)
                holds.append(block)
            if kind == "copyout":
                copies.append((block, item.low, item.high))
        if self.omp:
            self.let_go_all(holds, copies)
        self.check()

    def routine(self, kind, item):
        """The call that does what a clause does for memory that no pointer member leads to."""
        if self.omp or item.obj not in ("a", "h") and not (item.through is None and item.member):
            return None
        address = {"a": "a", "h": "h"}.get(item.obj)
        address = f"&{address}[{item.low}]" if address else "&" + item.text.split("[")[0] + (f"[{item.low - 4}]" if "[" in item.text else "")
        return f"acc_{kind}({address}, {item.high - item.low} * sizeof(int));"

    def exit_all(self, kind, item):
        """All dynamic lifetimes of a block end at once."""
        block = self.find(item.obj, item.low, item.high)
        if self.omp or item.through or block is None or block.dynamic == 0 or block.attached:
            return False
        if self.random.random() < 0.5 and self.routine(kind, item):
            self.emit(self.routine(kind, item).replace("(", "_finalize(", 1))
        else:
            self.pragma("exit data", "", self.clauses([(kind, item)]) + " finalize")
        block.dynamic = 1
        self.let_go(block, False, kind == "copyout", item.low, item.high)
        self.entered = [other for other in self.entered if not (other.obj == item.obj and block.contains(other.low, other.high))]
        self.check()
        return True

    def data(self):
        pairs = self.several(["copy", "copy", "copyin", "create"])
        self.pragma("data", "target data", self.clauses(pairs))
        self.emit("{")
        self.depth += 1
        self.constructs += 1
        entries = self.enter(pairs, True)
        before, device = len(self.entered), self.device
        self.named.append((device, {item.obj for _, item in pairs}))
        try:
            self.steps(self.random.randint(1, 5))
        finally:
            self.constructs -= 1
            self.named.pop()
        # The end means the device of the start.
        device, self.device = self.device, device
        if len(self.entered) < before:
            raise Wrong  # what was entered before the construct may be what its end expects
        self.depth -= 1
        self.emit("}")
        self.leave(entries)
        self.device = device
        self.check()

    def update(self):
        item = self.item()
        if item.through and self.random.random() < 0.5:
            item.text = item.text.replace("v.p", "v_p").replace("v.q", "v_q").replace("s->p", "s_p").replace("s->q", "s_q")
        block = self.find(item.obj, item.low, item.high)
        to_host = self.random.random() < 0.6
        if block is None:
            if self.omp or self.random.random() < 0.5:
                raise Wrong
            self.emit(f"#pragma acc update {'self' if to_host else 'device'}({item.text}) if_present")
        elif self.omp:
            self.emit(f"#pragma omp target update{self.device_clause()} {'from' if to_host else 'to'}({item.text})")
        else:
            self.emit(f"#pragma acc update {'self' if to_host else 'device'}({item.text})")
        if block is not None and to_host:
            self.to_host(block, item.low, item.high)
        elif block is not None:
            self.to_device(item)
        self.check()

    def ask(self):
        item = self.item()
        start = item.text.split("[")[0]
        if item.obj in ("a", "h", "vp", "vq", "sp", "sq"):
            address, size = f"&{self.array(item.obj)}[{item.low}]", item.high - item.low
        else:
            address, size = ("s", 0) if item.text == "s[0:1]" else (f"&{start}", 0)
            if "[" in item.text and item.member:
                address, size = f"&{item.text.split(':')[0]}]", item.high - item.low
        if self.omp:
            present = self.is_present(item.obj, item.low, item.low + 1)
            self.emit(f"ask({self.step}, \"{item.text}\", omp_target_is_present({address}, {self.device}), {int(present)});")
        else:
            present = self.is_present(item.obj, item.low, item.high)
            size = f"{size} * sizeof(int)" if size else f"sizeof *({address})"
            self.emit(f"ask({self.step}, \"{item.text}\", acc_is_present({address}, {size}), {int(present)});")

    # Regions.

    def region(self):
        rng = self.random
        names = ["a", "h"] if "members" in self.without else ["a", "h", "v.x", "s.x", "v.m", "s.m", "v.p", "v.p", "v.q", "s.p", "s.p", "s.q"]
        what = rng.choice(names)
        structure = what[0] if what[0] in "vs" else None
        field = what[2] if structure else None
        reads = rng.choice([None, None, "n", "x"]) if structure else None
        if reads == field:
            reads = None
        pairs = self.several(["copy", "copy", "copyin", "present"], 2) if rng.random() < 0.6 else []
        if rng.random() < 0.5:
            wanted = {"a": "a[]", "h": "h[]"}.get(what, what if field == "x" else f"{what}[]")
            pairs.append((rng.choice(["copy", "copy", "present", "copyin"]), self.item_of(wanted)))
        pairs = [(("copy" if self.omp and kind == "present" else kind), item) for kind, item in pairs]
        named = {item.text for _, item in pairs}
        if len(named) < len(pairs):
            raise Wrong
        always = {item for kind, item in pairs if kind in ("copy", "copyin") and rng.random() < 0.15 and not item.through} if self.omp else set()
        # Whole objects that no clause names come first.
        entries = []
        variable = structure or what
        used = self.used(structure, field, reads)
        low, high = (0, 6) if field == "m" else (0, 1) if field == "x" else self.section()
        if field == "m":
            low = rng.randrange(6)
            high = rng.randint(low + 1, 6)
        spans = [item.span() for _, item in pairs]
        named = all(any(span[0] == "v" and span[1] < part[1] and part[0] < span[2] for span in spans) for part in used)
        if variable == "v" and not named:
            entries += self.implicit_object(Item("v", "v", 0, WHOLE), used)
        if variable == "a" and not any(item.obj == "a" for _, item in pairs):
            entries += self.implicit_object(Item("a", "a", 0, LENGTH), [(low, high)])
        entries += self.enter(pairs, True)
        for item in always:
            self.to_device(item)
        if variable in ("h", "s") and not self.omp and not any(block.obj == variable for block in self.blocks):
            if any(variable in names and device != self.device for device, names in self.named):
                raise Wrong  # the compiler takes the clause around it for that of this device
            parts = used or [(low, high)]  # what the construct uses is copied, and back
            entries += self.enter([("copy", Item("", variable, min(part[0] for part in parts), max(part[1] for part in parts)))], True)
        if variable in ("a", "h") and not self.leads(variable, low, high, pairs) or variable == "s" and not all(self.is_present("s", *part) for part in used):
            raise Wrong
        if structure and not self.is_together(structure, used):
            raise Wrong
        obj, first = self.target(structure, field, what)
        block = self.find(obj, first + low, first + high)
        if block is None:
            raise Wrong
        if field in ("p", "q") and not self.leads_to(structure, field, block):
            raise Wrong
        at = slice(first + low - block.low, first + high - block.low)
        factor, add = rng.randint(1, 3), rng.randint(0, 9)
        if any(value is None for value in block.values[at]):
            factor = 0
        extra = 0
        if reads:
            slot = SLOTS[reads][0]
            extra = next(b.values[slot - b.low] for b in self.blocks if b.obj == structure and b.contains(slot, slot + 1))
            if extra is None:
                raise Wrong
        value = f"{what[0] + ('.' if structure == 'v' else '->') + reads}" if reads else "0"
        lvalue = what if not structure else (f"v.{field}" if structure == "v" else f"s->{field}")
        self.emit_region((pairs, always), lvalue + ("" if field == "x" else "[i]"), (low, high), factor, add, value)
        for k in range(at.start, at.stop):
            old = block.values[k] * factor if factor else 0
            index = k - at.start + low
            block.values[k] = (old + add + index + extra) % 1000
        for kind, item in pairs:
            if item in always and kind == "copy":
                self.to_host(self.find(item.obj, item.low, item.high), item.low, item.high)
        self.leave(entries)
        self.check()

    def emit_region(self, pairs, lvalue, bounds, factor, add, value):
        old = f"{lvalue} * {factor} + " if factor else ""
        assignment = f"{lvalue} = ({old}{add} + i + {value}) % 1000;"
        form = self.random.choice(["loop", "serial", "bounds"])
        clauses = self.clauses(*pairs)
        queue = None
        if len(self.memories) > 1 and not self.omp and self.random.random() < 0.8:
            queue = self.random.randint(1, 2)
            clauses += f" async({queue})"
        low, high = bounds
        if form == "serial":
            self.pragma("serial", "target", clauses)
        else:
            self.pragma("parallel loop", "target teams distribute parallel for", clauses)
        if form == "bounds":
            self.lines.insert(len(self.lines) - 1, "    " * self.depth + f"low = {low}, high = {high};")
            low, high = "low", "high"
        self.emit(f"for (int i = {low}; i < {high}; i++) {assignment}")
        if queue:
            self.wait(queue)

    def wait(self, queue):
        """The host waits for a queue of the device."""
        device, other = self.device, self.random.choice([3, 4])
        if self.random.random() < 0.7:
            self.switch()
        clause = f"async({other}) wait(devnum: {device} : {queue})"
        forms = [[f"#pragma acc wait(devnum: {device} : queues: {queue})"], [f"acc_wait_device({queue}, {device});"], [f"acc_wait_all_device({device});"],
                 [f"#pragma acc wait(devnum: {device} : {queue}) async({other})", f"acc_wait({other});"],
                 [f"acc_wait_device_async({queue}, {other}, {device});", f"#pragma acc wait({other})"],
                 [f"#pragma acc serial {clause}", ";", f"acc_wait({other});"],
                 [f"#pragma acc enter data create(beside) {clause}", f"#pragma acc exit data delete(beside) async({other})", f"acc_wait({other});"],
                 [f"while (!acc_async_test_device({queue}, {device})) continue;"]]
        if self.device == device:
            forms += [[f"#pragma acc wait({queue})"], ["acc_wait_all();"]]
        for line in self.random.choice(forms):
            self.emit(line)

    @staticmethod
    def used(structure, field, reads):
        return [SLOTS[name] for name in (field, reads) if name] if structure else []

    @staticmethod
    def target(structure, field, what):
        if not structure:
            return what, 0
        if field in ("p", "q"):
            return structure + field, 0
        return structure, SLOTS[field][0]

    def implicit_object(self, item, used):
        """An object without a clause: copied, or what of it is present is used."""
        met = [block for block in self.blocks if block.obj == item.obj]
        if not met:
            return self.enter([("copy", item)], True)
        if item.obj == "a" and (len(met) > 1 or not all(met[0].contains(*part) for part in used)):
            raise Wrong
        return []

    def leads(self, variable, low, high, pairs):
        """Whether the region's pointer leads to what it uses: to what its clause names, without one to what is there."""
        block = self.find(variable, low, high)
        named = [item for _, item in pairs if item.obj == variable]
        if named:
            return block is not None and block.contains(named[0].low, named[0].high)
        others = [other for other in self.blocks if other.obj == variable]
        if not self.omp:
            return block is not None and len(others) == 1  # without constant bounds, only the start is known
        at_start = [other for other in others if other.low == 0]
        return block in (at_start or others) and len(at_start or others) == 1

    def is_together(self, structure, used):
        held = [next((b for b in self.blocks if b.obj == structure and b.contains(*part)), None) for part in used]
        return all(held) and len({block.group for block in held}) == 1

    def leads_to(self, structure, field, block):
        slot = SLOTS[field][0]
        pointer = next((b for b in self.blocks if b.obj == structure and b.contains(slot, slot + 1)), None)
        return pointer is not None and slot in pointer.attached and pointer.attached[slot][0] is block

    # The program.

    def text(self):
        self.steps(4 * self.size)
        for device in range(len(self.memories)):
            if len(self.memories) > 1:
                self.switch_to(device)
            while self.entered:
                if not self.attempt("exit_step"):
                    break
        initial = self.initial
        numbers = {name: ", ".join(str(value) for value in values if value != POINTER) for name, values in initial.items()}
        head = HEAD + "".join(f"static int {self.array(name)}_0[{LENGTH}] = {{{numbers[name]}}};\n" for name in ("h", "vp", "vq", "sp", "sq"))
        head += f"static int a[{LENGTH}] = {{{numbers['a']}}};\n"
        head += "".join(f"static int {name}_0[] = {{{numbers[name]}}};\n" for name in ("v", "s"))
        pointers = "".join(f"    int *{self.array(name)} = copy_of({self.array(name)}_0);\n" for name in ("h", "vp", "vq", "sp", "sq"))
        body = "\n".join(self.lines)
        return f"{head}\nint main(void)\n{{\n{pointers}{SETUP}{body}\n    return wrong;\n}}\n"


HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENACC
#include <openacc.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

struct part { int n, x, *p, *q, m[6]; };

static int wrong, low, high, beside;

static void check(int step, const char *name, const int *is, const int *want, int count)
{
    for (int i = 0; i < count; i++)
        if (is[i] != want[i] && wrong++ < 10)
            printf("step %d: %s[%d] is %d, not %d\\n", step, name, i, is[i], want[i]);
}

static void check_structure(int step, const char *name, const struct part *is, const int *want, int *p, int *q)
{
    int numbers[8] = {is->n, is->x};
    memcpy(numbers + 2, is->m, sizeof is->m);
    check(step, name, numbers, want, 8);
    if ((is->p != p || is->q != q) && wrong++ < 10)
        printf("step %d: %s has other pointers\\n", step, name);
}

static void ask(int step, const char *what, int is, int want)
{
    if (!is != !want && wrong++ < 10)
        printf("step %d: %s is%s present\\n", step, what, is ? "" : " not");
}

static int *copy_of(const int *from)
{
    int *to = malloc(12 * sizeof *to);
    memcpy(to, from, 12 * sizeof *to);
    return to;
}

"""

SETUP = """    struct part v = {v_0[0], v_0[1], v_p, v_q}, *s = malloc(sizeof *s);
    *s = (struct part){s_0[0], s_0[1], s_p, s_q};
    memcpy(v.m, v_0 + 2, sizeof v.m);
    memcpy(s->m, s_0 + 2, sizeof s->m);
    low = high = 0;
"""

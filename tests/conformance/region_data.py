"""What steps of the programs of `regions.py` do with data: directives and routines that bring objects there and back, and queues.

Which rows of an object are on a device, how often it was brought there, and which queue works on it, stands in the object.
"""

import re

from region_objects import Array, Box, Deep, Scalar


class Environment:
    """Makes steps about data. `Program` has the objects, the nests of loops, and constructs."""

    # What the host sees, and queues.

    def hashes(self, things):
        """What the host has of objects that no queue works on."""
        self.step += 1
        lines = []
        for thing in dict.fromkeys(things):
            for number, view in enumerate(thing.views if thing.queue is None else []):
                element = view.place(thing.name, "k")
                value = f"(long)__real__ {element} * 31 + (long)__imag__ {element}" if view.type.endswith("_Complex") else element
                lines.append(f'HASH({self.step}, "{thing.name}.{number}", {view.length}, {value})')
        return "\n".join(lines)

    def wait(self, queue):
        """The host waits for a queue."""
        for thing in self.objects:
            if thing.queue == queue:
                thing.queue = None
        if not queue:
            for thing in self.objects:
                thing.queue = None
            return self.nests.pick("#pragma acc wait", "API(acc_wait_all();)", "API(while (!acc_async_test_all());)")
        return self.nests.pick(f"#pragma acc wait({queue})", f"API(acc_wait({queue});)", f"#pragma acc wait({queue}) if(1)", f"#pragma acc wait(queues: {queue}, 9)", f"#pragma acc wait(devnum: acc_get_device_num(acc_get_device_type()) : {queue})", f"API(while (!acc_async_test({queue}));)")

    def settled(self, things):
        """Lines behind which the host may touch objects."""
        return "\n".join(self.wait(queue) for queue in dict.fromkeys(thing.queue for thing in things) if queue is not None and any(thing.queue == queue for thing in things))

    def ordered(self, things, queue):
        """Lines in front of work on a queue, and clauses of it, so that it begins behind other work on the same objects."""
        if queue is None:
            return self.settled(things), ""
        lines, clauses = [], f" async({queue})" if queue else " async"
        for other in dict.fromkeys(thing.queue for thing in things):
            if other in (None, queue):
                continue
            if other == "" or queue == "":
                lines.append(self.wait(other))
                continue
            form = self.nests.pick("clause", "directive", "routine")
            if form == "clause":
                clauses += f" wait({other})"
            else:
                lines.append(f"#pragma acc wait({other}) async({queue})" if form == "directive" else f"API(acc_wait_async({other}, {queue});)")
        for thing in things:
            thing.queue = queue
        return "\n".join(lines), clauses

    def queue(self, one_of=4):
        return self.random.choice(self.queues) if self.nests.chance(one_of) else None

    # Data.

    def absent(self):
        return [thing for thing in self.objects if thing.window is None]

    def some_window(self, thing):
        """Rows of an object that does not have to be there as a whole."""
        low, high = thing.whole
        if thing.divisible and high > 3 and self.nests.chance(3):
            low = self.random.randrange(high // 2)
            high = self.random.randrange(low + 1, high + 1)
        return low, high

    def fill(self, thing):
        """Sets all elements that are on a device and have no value."""
        if thing.queue is None and self.nests.chance(2):
            return f"{thing.update('device', thing.window)}\n{thing.transfer(thing.window, True)}"
        before, clauses = self.ordered([thing], thing.queue)
        thing.on_device, lines = True, [before]
        for view in thing.views:
            low, high = (edge * thing.unit for edge in thing.window) if thing.divisible else (0, view.length)
            values = f"(k * {self.random.randrange(1, 99)} + {self.random.randrange(99)}) % 701 - 200"
            lines.append(f"#pragma acc parallel loop present({thing.items(thing.window)[0]}){clauses}\nfor (int k = {low}; k < {high}; k++) {view.at('k')} = {values};")
        thing.on_device = False
        return "\n".join(lines)

    def enter(self):
        """Brings an object to the device, or counts once more."""
        found = [thing for thing in self.objects if thing.dynamic < 2 and not thing.declared]
        if not found:
            return self.construct()
        thing = self.random.choice(found)
        new = thing.window is None
        window = self.some_window(thing) if new else thing.window
        kind = self.nests.pick("copyin", "copyin", "create", "copyin_readonly")
        readonly, kind = kind == "copyin_readonly", kind.split("_")[0]
        before, clauses = self.ordered([thing], self.queue() if not thing.dynamic_only else None)
        text = thing.enter(kind, window, clauses)
        if readonly and not thing.dynamic_only:
            text = text.replace("copyin(", "copyin(readonly: ")
        if isinstance(thing, Deep) and new and kind == "copyin" and thing.queue is None and self.nests.chance(3):
            text = thing.enter_apart()
        if isinstance(thing, (Array, Box, Scalar)) and thing.queue is None and window == thing.whole and self.nests.chance(4):
            text = f"API(acc_{kind}({self.address(thing)}, {thing.size()});)"
        if text.startswith("#") and not thing.dynamic_only and self.nests.chance(8):
            return f"{before}\n{text} if(0)"
        thing.dynamic += 1
        if new:
            thing.window = window
            text += f"\n{thing.transfer(window, True)}" if kind == "copyin" else f"\n{self.fill(thing)}"
        return f"{before}\n{text}"

    def address(self, thing):
        return thing.name if thing.is_pointer or isinstance(thing, Array) else f"&{thing.name}"

    def leave(self, thing=None):
        """Brings an object back, or counts once less."""
        found = [thing] if thing else [other for other in self.objects if other.dynamic]
        if not found:
            return self.enter()
        thing = self.random.choice(found)
        kind = self.nests.pick("copyout", "copyout", "delete")
        finalize = (self.nests.chance(4) or thing.dynamic > 1 and self.nests.chance(3)) and not thing.dynamic_only
        before, clauses = self.ordered([thing], self.queue() if not thing.dynamic_only else None)
        window = thing.window
        text = thing.leave(kind, window, clauses + (" finalize" if finalize else ""))
        if isinstance(thing, (Array, Box, Scalar)) and thing.queue is None and window == thing.whole and self.nests.chance(4):
            text = f"API(acc_{kind}{'_finalize' if finalize else ''}({self.address(thing)}, {thing.size()});)"
        thing.dynamic = 0 if finalize else thing.dynamic - 1
        if not thing.dynamic and not thing.structured:
            text += f"\n{thing.transfer(window, False)}" if kind == "copyout" else ""
            thing.window = None
        return f"{before}\n{text}\n{self.hashes([thing])}"

    def data(self, depth):
        """Steps while a device has some objects."""
        found = [thing for thing in self.objects if not thing.dynamic_only and not thing.declared]
        if not found:
            return self.construct()
        chosen = self.random.sample(found, min(len(found), self.random.randrange(1, 4)))
        queue = self.queue(5)
        before, ordering = self.ordered(chosen, queue)
        lines, clauses, ends = [before], [], []
        for thing in chosen:
            if thing.window:
                kind = self.nests.pick("copy", "copyin", "copyout", "create", "present", "no_create")
                clauses.append(f"{kind}({', '.join(thing.items(thing.window))})")
            else:
                kind = self.nests.pick("copy", "copy", "copyin", "create", "copyout")
                thing.window = self.some_window(thing)
                clauses.append(f"{kind}({', '.join(thing.items(thing.window))})")
                if kind in ("copy", "copyin"):
                    lines.append(thing.transfer(thing.window, True))
                else:
                    ends.append(thing)
            thing.structured += 1
            clauses[-1] = clauses[-1].replace("copyin(", self.nests.pick("copyin(", "copyin(readonly: ", "pcopyin(", "present_or_copyin("))
            thing.kinds = [*getattr(thing, "kinds", []), kind]
        if self.nests.chance(6):
            other = [thing for thing in self.absent() if thing not in chosen and not thing.dynamic_only]
            clauses += [f"no_create({thing.items(thing.whole)[0]})" for thing in other[:1]]
        body = [self.fill(thing) for thing in ends]
        body += [self.some_step(depth + 1) for _ in range(self.random.randrange(1, 4))]
        last, waits = self.ordered(chosen, queue)
        body += [last, *(f"#pragma acc wait({other}) async({queue})" for other in re.findall(r"wait\((.*?)\)(?= wait|$)", waits))]
        lines.append(f"#pragma acc data {' '.join(clauses)}{ordering}\n{{\n" + "\n".join(body) + "\n}")
        for thing in chosen:
            kind = thing.kinds.pop()
            thing.structured -= 1
            if not thing.structured and not thing.dynamic:
                if kind in ("copy", "copyout"):
                    lines.append(thing.transfer(thing.window, False))
                thing.window = None
        return "\n".join(lines) + "\n" + self.hashes(chosen)

    def mapped(self, depth):
        """Steps while memory of a device that the program asked for is an object's."""
        found = [thing for thing in self.absent() if isinstance(thing, (Array, Box, Scalar)) and thing.storage != "link"]
        if not found or self.shared:
            return self.construct()
        thing = self.random.choice(found)
        before, name = self.settled([thing]), self.nests.name("m")
        thing.window, thing.structured = thing.whole, thing.structured + 1
        start = f"API(void *{name} = acc_malloc({thing.size()}); acc_map_data({self.address(thing)}, {name}, {thing.size()});)"
        body = [self.fill(thing)] + [self.some_step(depth + 1) for _ in range(self.random.randrange(1, 3))] + [self.settled([thing])]
        while thing.dynamic:
            body.append(self.leave(thing))
            body.append(self.settled([thing]))
        thing.structured -= 1
        thing.window = None
        return "\n".join([before, "{", start, *body, f"API(acc_unmap_data({self.address(thing)}); acc_free({name});)\n}}", self.hashes([thing])])

    def update(self):
        """Copies there or back, of all or of some elements."""
        found = [thing for thing in self.objects if thing.window]
        if not found:
            return self.enter()
        thing = self.random.choice(found)
        low, high = thing.window
        if thing.divisible and high - low > 1 and self.nests.chance(2):
            low = self.random.randrange(low, high)
            high = self.random.randrange(low + 1, high + 1)
        to_device = self.nests.chance(2)
        direction = "device" if to_device else self.nests.pick("self", "host")
        before, clauses = self.ordered([thing], self.queue() if not thing.dynamic_only else None)
        effect, text = thing.transfer((low, high), to_device), thing.update(direction, (low, high), clauses)
        if isinstance(thing, Array):
            if thing.columns and self.nests.chance(2):
                first = self.random.randrange(thing.columns)
                count = self.random.randrange(1, thing.columns - first + 1)
                text = f"#pragma acc update {direction}({thing.name}[{low}:{high - low}][{first}:{count}]){clauses}"
                to, source = ("D({0})", "{0}") if to_device else ("{0}", "D({0})")
                to, source = to.format(thing.name), source.format(thing.name)
                effect = f"SEP(for (int k = {low}; k < {high}; k++) for (int l = {first}; l < {first + count}; l++) {to}[k][l] = {source}[k][l];)"
            elif thing.queue is None and self.nests.chance(3):
                text = f"API(acc_update_{'device' if to_device else 'self'}(&{thing.name}[{low}], {high - low} * sizeof *{thing.name});)"
        if thing.dynamic_only is False and text.startswith("#") and self.nests.chance(5):
            text += self.nests.pick(" if(0)", " if(1)", " if_present")
            effect = "" if text.endswith("if(0)") else effect
        absent = [other for other in self.absent() if not other.dynamic_only]
        if absent and self.nests.chance(5):
            text += f"\n#pragma acc update device({self.random.choice(absent).items((0, 1))[0]}) if_present"
        return f"{before}\n{text}\n{effect}\n{self.hashes([thing])}"

    def ask(self):
        """Whether objects are present, and pointers attached."""
        thing = self.random.choice(self.objects)
        if isinstance(thing, Deep) and thing.window:
            member = f"{thing.name}{thing.dot}{self.nests.pick('p', 'q')}"
            return self.settled([thing]) + "\n" + self.nests.pick(
                f"#pragma acc enter data attach({member})\n#pragma acc exit data detach({member})", f"API(acc_attach((void **)&{member}); acc_detach((void **)&{member});)")
        if self.shared or thing.divisible and thing.window not in (None, thing.whole) or not isinstance(thing, (Array, Box, Scalar)):
            return self.nests.pick(self.wait(self.random.choice(self.queues[:4])), f"API(acc_set_default_async({self.random.choice(self.queues[:3])});)")
        return self.settled([thing]) + f'\nAPI(show("present", acc_is_present({self.address(thing)}, {thing.size()}) != 0);)\nSEQ(show("present", {int(bool(thing.window))});)'

    # Work on addresses of a device.

    def address_step(self):
        """A function that works on a device's address of an object."""
        found = [thing for thing in self.objects if isinstance(thing, Array) and thing is not self.table and thing.window == thing.whole and not thing.fields and thing.type in self.launched]
        if not found:
            return self.allocated()
        thing = self.random.choice(found)
        count = self.random.randrange(1, thing.length + 1)
        call = f"launch_{thing.type.replace(' ', '_')}(({thing.type} *){{}}, {count}, {self.random.randrange(99)});"
        before = self.settled([thing, self.table])
        if self.nests.chance(2):
            return f"{before}\n#pragma acc host_data use_device({thing.name}){self.nests.pick('', ' if_present', ' if(1)')}\n{{\n{call.format(f'D({thing.name})')}\n}}\n{self.hashes([thing])}"
        return f"{before}\n{call.format(f'DEVICE({thing.name})')}\n{self.hashes([thing])}"

    def allocated(self):
        """Memory of a device without a host's, with copies there and back."""
        found = [thing for thing in self.objects if isinstance(thing, Array) and thing is not self.table and not thing.fields and thing.type in self.launched]
        if not found:
            return self.construct()
        thing = self.random.choice(found)
        name, second, size, type = self.nests.name("d"), self.nests.name("d"), thing.size(), thing.type
        call = f"launch_{type.replace(' ', '_')}({{}}, {thing.length}, {self.random.randrange(99)});"
        part = f"{self.random.randrange(1, thing.length + 1)} * sizeof({type})"
        return "\n".join([
            self.settled([thing, self.table]), f"{{ {type} *{name} = acc_malloc({size}), *{second} = acc_malloc({size});", f"acc_memcpy_to_device({name}, {thing.name}, {size});", call.format(name),
            f"acc_memcpy_device({second}, {name}, {size});", call.format(second), f"acc_memcpy_from_device({thing.name}, {second}, {part});", f"acc_free({name}); acc_free({second}); }}", self.hashes([thing])])

    def change(self):
        """The host changes an object that a device may have."""
        thing = self.random.choice(self.objects)
        factor, offset = self.random.randrange(1, 9), self.random.randrange(50)
        lines = [self.settled([thing])]
        for view in thing.views:
            element = view.place(thing.name, "k")
            lines.append(f"for (int k = 0; k < {view.length}; k++) {element} = ((long){element} * {factor} + {offset}) % 500;")
        if thing.window and thing.divisible and self.nests.chance(2):
            lines += [thing.update("device", thing.window), thing.transfer(thing.window, True)]
        return "\n".join([*lines, self.hashes([thing])])

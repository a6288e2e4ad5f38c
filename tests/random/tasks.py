"""Random graphs of OpenMP tasks: `python3 tests/random/tasks.py SEED` prints a C program.

The program executes the same steps twice: as plain C in the order of the program, and as tasks whose `depend`
clauses name what each reads and writes. It compares the cells, prints their checksum, and ends with 1 if they
differ. Steps are host tasks, target tasks with and without `nowait`, tasks in groups, tasks with children that
have dependences of their own, additions that exclude each other, and waits.
"""

import random
import sys

CELLS = 8


class Graph:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.serial, self.tasks = [], []

    def emit(self, serial, tasks):
        self.serial.append(serial)
        self.tasks.append(tasks)

    def cells(self, least, most):
        return self.random.sample(range(CELLS), self.random.randint(least, most))

    def update(self, written, read, number):
        """Every cell that is written gets a hash of itself, the others and the step."""
        lines = []
        for cell in written:
            terms = "".join(f" ^ c[{other}] * {2 * self.random.randint(1, 500) + 1}u" for other in read + written)
            lines.append(f"c[{cell}] = mix(c[{cell}]{terms}, {number}u);")
        return " ".join(lines)

    def depend(self, kind, cells):
        return f" depend({kind} : {', '.join(f'c[{cell}]' for cell in cells)})" if cells else ""

    def depends(self, written, read):
        """Clauses for what is read and written; a written cell may be `out`, in one list or in several."""
        text = self.depend("in", read)
        for cell in written:
            text += self.depend(self.random.choice(["inout", "inout", "out"]), [cell])
        if not read and self.random.random() < 0.1 and len(written) == 1:
            cell = written[0]
            return f" depend(iterator(k = {cell} : {cell + 1}), inout : c[k])"
        return text

    def step(self, number):
        chosen = self.cells(1, 4)
        split = self.random.randint(1, len(chosen))
        written, read = chosen[:split], chosen[split:]
        kind = self.random.choice(["host"] * 6 + ["target", "target", "add", "add", "group", "nested", "wait", "now"])
        body = self.update(written, read, number)
        clauses = self.depends(written, read)
        if kind == "host":
            more = self.random.choice(["", "", " untied", f" priority({number % 3})", " mergeable", " final(1)"])
            self.emit(body, f"#pragma omp task{clauses}{more} shared(c)\n{{ {body} }}")
        elif kind == "target":
            maps = f" map(tofrom : {', '.join(f'c[{cell}]' for cell in sorted(written))})"
            maps += f" map(to : {', '.join(f'c[{cell} : 1]' for cell in sorted(read))})" if read else ""
            nowait = self.random.choice([" nowait", " nowait", ""])
            # One section over all cells would make parts of it present, so that each step maps copies.
            ins = "".join(f"unsigned in{cell} = c[{cell}]; " for cell in chosen)
            if nowait and len(chosen) == 1:
                cell = chosen[0]
                code = f"c[{cell}] = c[{cell}] * 5u + {number}u;"
                self.emit(code, f"#pragma omp target{clauses} nowait map(tofrom : c[{cell} : 1])\n{{ {code} }}")
            else:
                local = body
                for cell in chosen:
                    local = local.replace(f"c[{cell}]", f"in{cell}")
                outs = " ".join(f"c[{cell}] = in{cell};" for cell in written)
                names = ", ".join(f"in{cell}" for cell in chosen)
                self.emit(
                    body,
                    f"#pragma omp task{clauses} shared(c)\n{{ {ins}\n#pragma omp target map(tofrom : {names})\n"
                    f"{{ {local} }}\n{outs} }}",
                )
        elif kind == "add":
            # Sums do not depend on the order in which the tasks exclude each other.
            for cell in range(self.random.randint(2, 5)):
                code = " ".join(f"c[{cell}] = c[{cell}] + {number * 7 + cell * 3 + 1}u;" for cell in written)
                clauses = self.depend("mutexinoutset", written) + self.depend("in", read)
                self.emit(code, f"#pragma omp task{clauses} shared(c)\n{{ {code} }}")
        elif kind == "group":
            self.emit(body, f"#pragma omp taskgroup\n{{\n#pragma omp task{clauses} shared(c)\n{{ {body} }}\n}}")
        elif kind == "nested":
            parts = [f"c[{cell}] = mix(c[{cell}], {number + part}u);" for part in range(3) for cell in written]
            children = "\n".join(
                f"#pragma omp task depend(inout : {part.split(' ')[0]}) shared(c)\n{{ {part} }}" for part in parts
            )
            tail = self.random.choice(["#pragma omp taskwait", None])
            inner = f"{children}\n{tail}" if tail else f"#pragma omp taskgroup\n{{\n{children}\n}}"
            self.emit(" ".join(parts), f"#pragma omp task{self.depends(written, [])} shared(c)\n{{\n{inner}\n}}")
        elif kind == "now":
            self.emit(body, f"#pragma omp task if(0){clauses} shared(c)\n{{ {body} }}")
        else:
            cell = written[0]
            code = f"seen = mix(seen ^ c[{cell}], {number}u);"
            self.emit(code, f"#pragma omp taskwait depend(in : c[{cell}])\n{code}")


PROGRAM = """#include <stdio.h>
#pragma omp declare target
static unsigned mix(unsigned x, unsigned step)
{{
    x = (x ^ step) * 2654435761u;
    return x ^ x >> 15;
}}
#pragma omp end declare target
static unsigned first[{cells}], second[{cells}];
static unsigned serial(unsigned *c)
{{
    unsigned seen = 0;
{serial}
    return seen;
}}
static unsigned tasks(unsigned *c)
{{
    unsigned seen = 0;
#pragma omp parallel
#pragma omp single
    {{
{tasks}
    }}
    return seen;
}}
int main(void)
{{
    for (unsigned i = 0; i < {cells}; i++)
        first[i] = second[i] = i * 77 + 5;
    unsigned a = serial(first), b = tasks(second), wrong = a != b, sum = a;
    for (int i = 0; i < {cells}; i++) {{
        wrong += first[i] != second[i];
        sum = sum * 31 + second[i];
    }}
    printf("%u, wrong %u\\n", sum, wrong);
    return wrong != 0;
}}
"""


def program(seed):
    """The text of a program."""
    graph = Graph(seed)
    for number in range(1, graph.random.randint(10, 60)):
        graph.step(number)
    return PROGRAM.format(cells=CELLS, serial="\n".join(graph.serial), tasks="\n".join(graph.tasks))


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")

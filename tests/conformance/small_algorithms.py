"""Small algorithms for the bodies of `bodies.py`, over arrays of the element's own, with random lengths and types."""


class Algorithms:
    """Makes such algorithms for a body."""

    def __init__(self, body):
        self.body, self.random, self.pick, self.name = body, body.random, body.pick, body.name

    def some(self, scope):
        """An algorithm, whose results the scope has behind it."""
        return self.pick(
            self.sorted, self.sorted, self.divisors, self.sums, self.digits, self.stack, self.ring, self.matrix, self.checksum, self.states, self.halved, self.histogram, self.least,
            self.table, self.grid, self.polynomial, self.hashed, self.triangle, self.runs, self.permuted, self.linked,
        )(scope)

    def values(self, scope, types=("int", "short", "unsigned char", "long", "unsigned", "signed char"), lengths=(3, 4, 5, 8, 9, 12)):
        """A new array with values: its declaration, name, type and length."""
        name, type, length = self.name("a"), self.pick(*types), self.pick(*lengths)
        inner = self.body.inside(scope, length)
        inner.integers.append((f"{name}_k", "int", 0, length - 1))
        text = f"{type} {name}[{length}];\nfor (int {name}_k = 0; {name}_k < {length}; {name}_k++) {name}[{name}_k] = {self.body.stored(inner, type)};"
        return text, name, type, length

    def small(self, scope, depth=1):
        return self.body.squeezed(self.body.expression(scope, depth))[0]

    def sorted(self, scope):
        """An array that is sorted, in one of the ways that everybody knows."""
        text, a, type, n = self.values(scope, ("int", "short", "unsigned char", "long", "float", "double"))
        less = self.pick("<", ">")
        swap = f"{{ {type} t = {a}[i]; {a}[i] = {a}[j]; {a}[j] = t; }}"
        way = self.pick(
            f"for (int i = 1; i < {n}; i++) {{ {type} v = {a}[i]; int j = i - 1; while (j >= 0 && v {less} {a}[j]) {{ {a}[j + 1] = {a}[j]; j--; }} {a}[j + 1] = v; }}",
            f"for (int i = 1; i < {n}; i++) {{ {type} v = {a}[i]; int j; for (j = i; j > 0 && v {less} {a}[j - 1]; j--) {a}[j] = {a}[j - 1]; {a}[j] = v; }}",
            f"for (int i = 0; i < {n} - 1; i++) for (int j = i + 1; j < {n}; j++) if ({a}[j] {less} {a}[i]) {swap}",
            f"for (int i = 0; i < {n} - 1; i++) {{ int best = i; for (int j = i + 1; j < {n}; j++) if ({a}[j] {less} {a}[best]) best = j; int j = best; if (j != i) {swap} }}",
            f"for (int more = 1; more;) {{ more = 0; for (int j = 1; j < {n}; j++) {{ int i = j - 1; if ({a}[j] {less} {a}[i]) {{ {swap} more = 1; }} }} }}",
            f"for (int gap = {n} / 2; gap > 0; gap /= 2) for (int i = gap; i < {n}; i++) {{ {type} v = {a}[i]; int j = i; for (; j >= gap && v {less} {a}[j - gap]; j -= gap) {a}[j] = {a}[j - gap]; {a}[j] = v; }}",
            f"for (int i = 0; i < {n}; i++) {{ int j = i; while (j > 0) {{ int p = (j - 1) / 2; if (!({a}[p] {less} {a}[j])) break; {type} t = {a}[p]; {a}[p] = {a}[j]; {a}[j] = t; j = p; }} }}",
            # A network: pairs in a fixed order.
            f"for (int r = 0; r < {n}; r++) for (int i = r & 1; i + 1 < {n}; i += 2) {{ {type} x = {a}[i], y = {a}[i + 1]; {a}[i] = x < y ? x : y; {a}[i + 1] = x < y ? y : x; }}",
        )
        scope.arrays.append((a, type, n))
        return f"{text}\n{way}"

    def divisors(self, scope):
        x, y, n = self.name("v"), self.name("v"), self.name("v")
        type = self.pick("int", "unsigned", "long", "unsigned short")
        loop = self.pick(
            f"while ({y}) {{ {type} t = {x} % {y}; {x} = {y}; {y} = t; {n}++; }}", f"for (; {x} != {y}; {n}++) {{ if ({x} > {y}) {x} -= {y}; else {y} -= {x}; if ({n} > 60) break; }}",
            f"for ({type} d = 2; d * d <= {x} && {n} < 60; d++) {{ while ({x} % d == 0) {{ {x} /= d; {n}++; }} if (d > 40) break; }}",
            f"while ({x} > 1 && {n} < 60) {{ {x} = {x} & 1 ? ({x} * 3 + 1) % 1000 : {x} / 2; {n}++; }}",
        )
        start = f"{type} {x} = 1 + ({self.small(scope)} & 1023), {y} = 1 + ({self.small(scope)} & 511);\nint {n} = 0;"
        scope.integers += [(x, type, 0, 3000), (n, "int", 0, 80)]
        return f"{start}\n{loop}"

    def sums(self, scope):
        """Sums of all that is in front, in place or beside."""
        text, a, type, n = self.values(scope, ("unsigned", "unsigned char", "unsigned short", "unsigned long"))
        b = self.name("a")
        loop = self.pick(
            f"for (int i = 1; i < {n}; i++) {a}[i] += {a}[i - 1];", f"for (int i = {n} - 2; i >= 0; i--) {a}[i] ^= {a}[i + 1];", f"for (int i = 2; i < {n}; i++) {a}[i] = {a}[i - 1] + {a}[i - 2] * 3u;",
            f"for (int d = 1; d < {n}; d *= 2) for (int i = {n} - 1; i >= d; i--) {a}[i] += {a}[i - d];",
        )
        copy = f"{type} {b}[{n + 1}];\n{b}[0] = {self.pick(0, 1)};\nfor (int i = 0; i < {n}; i++) {b}[i + 1] = {b}[i] + {a}[i];"
        scope.arrays += [(a, type, n), (b, type, n + 1)]
        return f"{text}\n{loop}\n{copy}"

    def digits(self, scope):
        """The digits of a number, from the last to the first one, and back."""
        d, n, x, base = self.name("a"), self.name("n"), self.name("v"), self.pick(2, 3, 7, 8, 10, 16)
        length = {2: 12, 3: 8, 7: 5, 8: 4, 10: 4, 16: 3}[base]
        type = self.pick("char", "unsigned char", "int", "short")
        text = f"{type} {d}[{length}];\nint {n} = 0;\nunsigned {x} = {self.small(scope)} & 1023;\ndo {{ {d}[{n}++] = {x} % {base}; {x} /= {base}; }} while ({x} && {n} < {length});\nfor (int i = 0, j = {n} - 1; i < j; i++, j--) {{ {type} t = {d}[i]; {d}[i] = {d}[j]; {d}[j] = t; }}\nfor (int i = 0; i < {n}; i++) {x} = {x} * {base + 1} + {d}[i];"
        scope.integers += [(n, "int", 1, length), (x, "unsigned", 0, 2**32 - 1)]
        scope.arrays.append((d, type, 1))
        return text

    def stack(self, scope):
        """A machine with a stack, whose code is data."""
        code, c_name, _, n = self.values(scope, ("unsigned char", "int", "short"), (5, 8, 12))
        s, at, v = self.name("a"), self.name("n"), self.name("v")
        text = f"""unsigned {s}[{n + 1}];
int {at} = 0;
{s}[{at}++] = {self.small(scope)};
for (int i = 0; i < {n}; i++) {{
switch ({c_name}[i] & 7) {{
case 0: case 5: {s}[{at}++] = i * 3; break;
case 1: if ({at} > 1) {{ {at}--; {s}[{at} - 1] += {s}[{at}]; }} break;
case 2: if ({at} > 1) {{ {at}--; {s}[{at} - 1] *= {s}[{at}]; }} {self.pick('break;', '')}
case 3: {s}[{at} - 1] ^= 0x55; break;
case 4: if ({at} > 1) {{ unsigned t = {s}[{at} - 1]; {s}[{at} - 1] = {s}[{at} - 2]; {s}[{at} - 2] = t; }} break;
default: {s}[{at}] = {s}[{at} - 1]; {at}++; {self.pick('break;', f'if ({at} > 4) continue;')}
}}
{s}[0] += {at};
}}
unsigned {v} = 0;
while ({at} > 0) {v} = {v} * 5 + {s}[--{at}];"""
        scope.integers.append((v, "unsigned", 0, 2**32 - 1))
        return f"{code}\n{text}"

    def ring(self, scope):
        """Values that go round in a buffer."""
        r, head, v, size = self.name("a"), self.name("n"), self.name("v"), self.pick(3, 4, 5, 8)
        type, turns = self.pick("int", "unsigned char", "long", "short"), self.pick(4, 9, 13)
        step = self.pick(f"{head} = ({head} + 1) % {size};", f"if (++{head} == {size}) {head} = 0;", f"{head} = {head} == {size - 1} ? 0 : {head} + 1;")
        text = f"{type} {r}[{size}] = {{{self.small(scope)}, 3}};\nint {head} = 0;\nunsigned {v} = 1;\nfor (int i = 0; i < {turns}; i++) {{ {v} = {v} * 3u + {r}[{head}]; {r}[{head}] = (int){v} % 100 + i; {step} }}"
        scope.arrays.append((r, type, size))
        scope.integers += [(head, "int", 0, size - 1), (v, "unsigned", 0, 2**32 - 1)]
        return text

    def matrix(self, scope):
        """Products of small matrices, or elimination in one."""
        n, type, m, i, j = self.pick(2, 3, 4), self.pick("unsigned", "double", "float"), self.name("m"), self.name("i"), self.name("i")
        inner = self.body.inside(scope, n * n)
        inner.integers += [(i, "int", 0, n - 1), (j, "int", 0, n - 1)]
        fill = f"{type} {m}[{n}][{n}], {m}_to[{n}][{n}];\nfor (int {i} = 0; {i} < {n}; {i}++) for (int {j} = 0; {j} < {n}; {j}++) {{ {m}[{i}][{j}] = {self.small(inner)} % 9; {m}_to[{i}][{j}] = {i} == {j}; }}"
        mod = "" if type == "unsigned" else f"{m}_t[i][j] = kept({m}_t[i][j]); "
        lines = [
            f"for (int r = 0; r < {self.pick(1, 2, 3)}; r++) {{ {type} {m}_t[{n}][{n}]; for (int i = 0; i < {n}; i++) for (int j = 0; j < {n}; j++) {{ {m}_t[i][j] = 0; for (int k = 0; k < {n}; k++) {m}_t[i][j] += {m}_to[i][k] * {m}[k][j]; {mod}}} memcpy({m}_to, {m}_t, sizeof {m}_t); }}",
            f"for (int i = 0; i < {n}; i++) for (int j = 0; j < i; j++) {{ {type} t = {m}[i][j]; {m}[i][j] = {m}[j][i]; {m}[j][i] = t; }}",
            f"for (int k = 0; k < {n}; k++) for (int i = k + 1; i < {n}; i++) {{ {type} f = {m}[i][k] * {m}[k][k]; for (int j = k; j < {n}; j++) {m}[i][j] -= f * {m}_to[k][j]; }}",
        ]
        text = "\n".join(self.random.sample(lines, self.random.randrange(1, 4)))
        element = lambda name: f"{name}[{self.body.subscript(scope, n)}][{self.body.subscript(scope, n)}]"
        if type == "unsigned":
            scope.integers += [(element(m), type, 0, 2**32 - 1), (element(f"{m}_to"), type, 0, 2**32 - 1)]
        else:
            v = self.name("r")
            text += f"\ndouble {v} = kept({element(m)} + {element(f'{m}_to')});"
            scope.reals.append((v, "double"))
        return f"{fill}\n{text}"

    def checksum(self, scope):
        text, a, type, n = self.values(scope, ("unsigned char", "unsigned short", "unsigned"))
        v, poly = self.name("v"), self.pick("0xEDB88320u", "0x8408u", "0x8Cu")
        loop = self.pick(
            f"for (int i = 0; i < {n}; i++) {{ {v} ^= {a}[i]; for (int b = 0; b < 8; b++) {v} = {v} & 1 ? {v} >> 1 ^ {poly} : {v} >> 1; }}",
            f"for (int i = 0; i < {n}; i++) {v} = ({v} ^ {a}[i]) * 16777619u;", f"for (int i = 0; i < {n}; i++) {{ {v} = {v} << 5 | {v} >> 27; {v} += {a}[i]; }}",
            f"unsigned {v}_b = 0; for (int i = 0; i < {n}; i++) {{ {v} = ({v} + {a}[i]) % 65521; {v}_b = ({v}_b + {v}) % 65521; }} {v} |= {v}_b << 16;",
        )
        scope.arrays.append((a, type, n))
        scope.integers.append((v, "unsigned", 0, 2**32 - 1))
        return f"{text}\nunsigned {v} = {self.pick('0xffffffffu', '1', '0')};\n{loop}"

    def states(self, scope):
        """A machine of states, which reads characters."""
        text, a, type, n = self.values(scope, ("signed char", "unsigned char", "int", "short"), (8, 9, 12))
        state, v, ways = self.name("n"), self.name("v"), self.random.randrange(2)
        kind = "enum { IDLE, WORD, NUMBER, END }" if ways else "int"
        names = ("IDLE", "WORD", "NUMBER", "END") if ways else ("0", "1", "2", "3")
        loop = f"""{{ {kind} state = {names[0]};
for (int i = 0; i < {n} && state != {names[3]}; i++) {{
int c = {a}[i] & 15;
switch (state) {{
case {names[0]}: if (c < 3) break; state = c < 9 ? {names[1]} : {names[2]}; {v} += i; break;
case {names[1]}: {v} = {v} * 2 + c; if (c == 0) state = {names[0]}; else if (c > 12) {{ state = {names[2]}; i--; }} break;
case {names[2]}: if (c & 1) {{ {v} ^= c; {self.pick('continue', 'break')}; }} state = c == 14 ? {names[3]} : {names[0]}; break;
default: break;
}}
if ({v} > 100000u) {v} -= 99999u;
if ({state}++ > {2 * n}) break;
}} }}"""
        scope.arrays.append((a, type, n))
        scope.integers += [(v, "unsigned", 0, 2**32 - 1), (state, "int", 0, 3 * n)]
        return f"{text}\nunsigned {v} = 1;\nint {state} = 0;\n{loop}"

    def halved(self, scope):
        """A search in what is sorted."""
        a, low, n = self.name("a"), self.name("n"), self.pick(4, 5, 8, 13)
        type = self.pick("int", "long", "short", "double")
        wanted = self.small(scope)
        loop = self.pick(
            f"int {a}_h = {n}; while ({low} < {a}_h) {{ int mid = ({low} + {a}_h) / 2; if ({a}[mid] < {wanted}) {low} = mid + 1; else {a}_h = mid; }}",
            f"int {a}_h = {n} - 1, {a}_f = -1; while ({low} <= {a}_h) {{ int mid = {low} + ({a}_h - {low} >> 1); if ({a}[mid] == {wanted}) {{ {a}_f = mid; break; }} if ({a}[mid] < {wanted}) {low} = mid + 1; else {a}_h = mid - 1; }} {low} += {a}_f & 1;",
            f"while ({low} < {n} && {a}[{low}] < {wanted}) {low}++;", f"for (; {low} < {n}; {low}++) if (!({a}[{low}] < {wanted})) break;",
        )
        scope.arrays.append((a, type, n))
        scope.integers.append((low, "int", 0, n + 1))
        return f"{type} {a}[{n}];\nfor (int i = 0; i < {n}; i++) {a}[i] = i * {self.pick(1, 3, 50)} - {self.pick(0, 20, 99)};\nint {low} = 0;\n{loop}"

    def histogram(self, scope):
        text, a, type, n = self.values(scope)
        b, bins = self.name("a"), self.pick(2, 4, 5, 8)
        of = self.pick("int", "unsigned char", "unsigned")
        bin_ = f"(unsigned){a}[i] % {bins}"
        loop = self.pick(f"for (int i = 0; i < {n}; i++) {b}[{bin_}]++;", f"for (int i = 0; i < {n}; i++) {{ int k = {bin_}; if ({b}[k] < {self.pick(2, 100)}) {b}[k] += i; }}", f"for (int i = 0; i < {n}; i++) {{ {of} *at = &{b}[{bin_}]; *at = *at * 2 + 1; if (*at > 50) *at = 0; }}")
        zero = self.pick(f"{of} {b}[{bins}] = {{0}};", f"{of} {b}[{bins}];\nmemset({b}, 0, sizeof {b});", f"{of} {b}[{bins}];\nfor (int i = 0; i < {bins}; i++) {b}[i] = 0;")
        scope.arrays += [(a, type, n), (b, of, bins)]
        return f"{text}\n{zero}\n{loop}"

    def least(self, scope):
        """The least or greatest element, and where it is."""
        text, a, type, n = self.values(scope, ("int", "short", "unsigned char", "long", "float", "double", "unsigned", "signed char"))
        best, at, relation = self.name("v"), self.name("n"), self.pick("<", ">", "<=", ">=")
        loop = self.pick(
            f"for (int i = 1; i < {n}; i++) if ({a}[i] {relation} {best}) {{ {best} = {a}[i]; {at} = i; }}", f"for (int i = 0; i < {n}; i++) {{ {at} = {a}[i] {relation} {best} ? i : {at}; {best} = {a}[i] {relation} {best} ? {a}[i] : {best}; }}",
            f"for (int i = 0; i < {n}; i++) {best} = {best} {relation} {a}[i] ? {best} : {a}[i];\nwhile ({at} < {n - 1} && {a}[{at}] != {best}) {at}++;", f"for (int i = {n} - 1; i >= 0; i--) if ({best} {relation} {a}[i] && i != 2) {best} = {a}[i], {at} = i;",
        )
        scope.arrays.append((a, type, n))
        scope.integers.append((at, "int", 0, n - 1))
        if type in ("float", "double"):
            scope.reals.append((best, type))
        else:
            self.body.variable(scope, best, type)
        return f"{text}\n{type} {best} = {a}[0];\nint {at} = 0;\n{loop}"

    def table(self, scope):
        """The longest common part, or the least cost, by a table of two rows or of all."""
        one, a, _, n = self.values(scope, ("unsigned char", "int"), (4, 5, 8))
        two, b, _, m = self.values(scope, ("unsigned char", "int"), (3, 5, 7))
        t, v = self.name("t"), self.name("v")
        same = f"({a}[i - 1] & 3) == ({b}[j - 1] & 3)"
        if self.random.randrange(2):
            loop = f"int {t}[2][{m + 1}];\nmemset({t}, 0, sizeof {t});\nfor (int i = 1; i <= {n}; i++) for (int j = 1; j <= {m}; j++) {t}[i & 1][j] = {same} ? {t}[~i & 1][j - 1] + 1 : {t}[~i & 1][j] > {t}[i & 1][j - 1] ? {t}[~i & 1][j] : {t}[i & 1][j - 1];\nint {v} = {t}[{n} & 1][{m}];"
        else:
            loop = f"short {t}[{n + 1}][{m + 1}];\nfor (int i = 0; i <= {n}; i++) {t}[i][0] = i;\nfor (int j = 0; j <= {m}; j++) {t}[0][j] = j;\nfor (int i = 1; i <= {n}; i++) for (int j = 1; j <= {m}; j++) {{ int x = {t}[i - 1][j] + 1, y = {t}[i][j - 1] + 1, z = {t}[i - 1][j - 1] + !({same}); {t}[i][j] = x < y ? x < z ? x : z : y < z ? y : z; }}\nint {v} = {t}[{n}][{m}];"
        scope.integers.append((v, "int", 0, n + m))
        return f"{one}\n{two}\n{loop}"

    def grid(self, scope):
        """A way through a grid, by a queue of places."""
        g, q, v, n = self.name("g"), self.name("q"), self.name("v"), self.pick(3, 4)
        text = f"""signed char {g}[{n}][{n}];
unsigned char {q}[{n * n}];
for (int i = 0; i < {n}; i++) for (int j = 0; j < {n}; j++) {g}[i][j] = (({self.small(scope)} >> (i + j & 3)) + i * j) % 4 == 1 ? -1 : 0;
int {q}_first = 0, {q}_end = 0;
{g}[0][0] = 1; {q}[{q}_end++] = 0;
while ({q}_first < {q}_end) {{
int at = {q}[{q}_first++], y = at / {n}, x = at % {n};
static const signed char dx[4] = {{1, 0, -1, 0}};
for (int d = 0; d < 4; d++) {{
int to_x = x + dx[d], to_y = y + dx[3 - d];
if (to_x < 0 || to_x >= {n} || to_y < 0 || to_y >= {n} || {g}[to_y][to_x]) continue;
{g}[to_y][to_x] = {g}[y][x] + 1; {q}[{q}_end++] = to_y * {n} + to_x;
}}
}}
int {v} = {q}_end;
for (int i = 0; i < {n}; i++) for (int j = 0; j < {n}; j++) {v} += {g}[i][j] * (i + 2 * j);"""
        scope.integers.append((v, "int", -500, 2000))
        return text

    def polynomial(self, scope):
        """A polynomial, a root by steps, or a fraction in a fraction."""
        text, a, _, n = self.values(scope, ("float", "double"))
        v, x = self.name("r"), self.name("r")
        type = self.pick("float", "double")
        loop = self.pick(
            f"for (int i = {n}; i-- > 0;) {v} = {v} * {x} + {a}[i];", f"{type} {x}_p = 1; for (int i = 0; i < {n}; i++) {{ {v} += {x}_p * {a}[i]; {x}_p *= {x}; }}",
            f"{v} = {x} + 1; for (int i = 0; i < 20; i++) {{ {type} next = ({v} + {x} / {v}) / 2; if (next == {v}) break; {v} = next; }}", f"for (int i = 0; i < {n}; i++) {v} = {a}[i] + 1 / (2 + {v} * {v});",
            f"{type} {x}_c = 0; for (int i = 0; i < {n}; i++) {{ {type} y = {a}[i] - {x}_c, t = {v} + y; {x}_c = (t - {v}) - y; {v} = t; }}",
        )
        start = f"{type} {x} = ({self.small(scope)} & 63) * 0.125f, {v} = 0;"
        scope.reals.append((v, type))
        return f"{text}\n{start}\n{loop}\n{v} = kept({v});"

    def hashed(self, scope):
        """A table of keys that go on to the next free place."""
        text, a, _, n = self.values(scope, ("int", "unsigned char", "short"), (4, 5, 6))
        k, v, size = self.name("a"), self.name("v"), self.pick(8, 7, 9)
        loop = f"""int {k}[{size}], {v} = 0;
for (int i = 0; i < {size}; i++) {k}[i] = -1;
for (int i = 0; i < {n}; i++) {{
int key = {a}[i] & 31, at = key % {size};
while ({k}[at] != -1 && {k}[at] != key) {{ at = (at + 1) % {size}; {v}++; }}
{k}[at] = key;
}}"""
        scope.arrays.append((k, "int", size))
        scope.integers.append((v, "int", 0, 60))
        return f"{text}\n{loop}"

    def triangle(self, scope):
        """A triangle of numbers in a row."""
        n, a, type = self.pick(3, 4, 5, 6), self.name("a"), self.pick("unsigned", "unsigned short", "unsigned char", "unsigned long")
        loop = self.pick(
            f"for (int i = 0; i < {n}; i++) {{ {a}[i] = 1; for (int j = i - 1; j > 0; j--) {a}[j] += {a}[j - 1]; }}", f"for (int i = 0; i < {n}; i++) {{ unsigned s = {self.small(scope)}; for (int j = 0; j < i; j++) s -= {a}[j] * (unsigned)(i - j); {a}[i] = s; }}",
            f"int {a}_n = 0; for (int i = 0; {a}_n < {n}; i++) for (int j = 0; j <= i && {a}_n < {n}; j++) {a}[{a}_n++] = i * 10 + j;",
        )
        scope.arrays.append((a, type, n))
        return f"{type} {a}[{n}];\n{loop}"

    def runs(self, scope):
        """How long the same value stays, as pairs."""
        text, a, _, n = self.values(scope, ("unsigned char", "int", "signed char"), (5, 8, 12))
        r, count, type = self.name("a"), self.name("n"), self.pick("struct { int value; unsigned char times; }", "struct { short value; int times; }")
        loop = f"for (int i = 0; i < {n};) {{ int j = i + 1; while (j < {n} && ({a}[j] & 1) == ({a}[i] & 1)) j++; {r}[{count}].value = {a}[i] & 1; {r}[{count}].times = j - i; {count}++; i = j; }}"
        v = self.name("v")
        scope.integers += [(count, "int", 1, n), (v, "unsigned", 0, 2**32 - 1)]
        return f"{text}\n{type} {r}[{n}];\nint {count} = 0;\n{loop}\nunsigned {v} = 0;\nfor (int i = 0; i < {count}; i++) {v} = {v} * 13u + {r}[i].value * 100 + {r}[i].times;"

    def permuted(self, scope):
        """An order of numbers, and the next one, or the way back."""
        n, p, v, inverse = self.pick(3, 4, 5), self.name("a"), self.name("v"), self.name("a")
        type = self.pick("int", "unsigned char", "short")
        start = f"{type} {p}[{n}];\nfor (int i = 0; i < {n}; i++) {p}[i] = i;\nfor (int i = {n} - 1; i > 0; i--) {{ int j = ({self.small(scope)} & 63) % (i + 1); {type} t = {p}[i]; {p}[i] = {p}[j]; {p}[j] = t; }}"
        following = f"for (int r = 0; r < {self.pick(1, 3)}; r++) {{ int i = {n} - 2; while (i >= 0 && {p}[i] > {p}[i + 1]) i--; if (i < 0) break; int j = {n} - 1; while ({p}[j] < {p}[i]) j--; {type} t = {p}[i]; {p}[i] = {p}[j]; {p}[j] = t; for (int x = i + 1, y = {n} - 1; x < y; x++, y--) {{ t = {p}[x]; {p}[x] = {p}[y]; {p}[y] = t; }} }}"
        cycles = f"int {v} = 0;\n{type} {inverse}[{n}];\nfor (int i = 0; i < {n}; i++) {inverse}[{p}[i]] = i;\n{{ unsigned seen = 0; for (int i = 0; i < {n}; i++) {{ if (seen >> i & 1) continue; {v}++; for (int j = i; !(seen >> j & 1); j = {p}[j]) seen |= 1u << j; }} }}"
        scope.arrays += [(p, type, n), (inverse, type, n)]
        scope.integers.append((v, "int", 1, n))
        return f"{start}\n{following}\n{cycles}"

    def linked(self, scope):
        """Structures that lead to each other, by pointers or numbers."""
        s, n, v = self.name("s"), self.pick(3, 4, 6, 8), self.name("v")
        inner = self.body.inside(scope, n)
        inner.integers.append((f"{s}_k", "int", 0, n - 1))
        value = self.small(inner)
        step = self.pick(1, 2, 3)
        if self.random.randrange(2):
            text = f"struct {s} {{ int value; struct {s} *next; }} {s}[{n}];\nfor (int {s}_k = 0; {s}_k < {n}; {s}_k++) {{ {s}[{s}_k].value = {value}; {s}[{s}_k].next = {s}_k + {step} < {n} ? &{s}[{s}_k + {step}] : 0; }}"
            more = self.pick("", f"struct {s} *{s}_head = 0;\nfor (struct {s} *p = {s}, *next; p; p = next) {{ next = p->next; p->next = {s}_head; {s}_head = p; }}\n")
            walk = f"{more}unsigned {v} = 0;\nfor (struct {s} *p = {'%s_head' % s if more else s}; p; p = p->next) {v} = {v} * 3u + p->value;"
        else:
            text = f"struct {{ short value; signed char next; }} {s}[{n}];\nfor (int {s}_k = {n} - 1; {s}_k >= 0; {s}_k--) {{ {s}[{s}_k].value = {value}; {s}[{s}_k].next = {s}_k >= {step} ? {s}_k - {step} : -1; }}"
            walk = f"unsigned {v} = 0;\nfor (int at = {n - 1}; at >= 0; at = {s}[at].next) {{ {v} = {v} * 3u + {s}[at].value; if ({s}[at].value & 1) {s}[at].value++; }}\nfor (int at = 0; at < {n}; at++) {v} ^= {s}[at].value << at;"
        scope.integers.append((v, "unsigned", 0, 2**32 - 1))
        return f"{text}\n{walk}"

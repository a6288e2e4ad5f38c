//! Mutations that keep tokens whole: what comes out is closer to a C program than changed bytes are.

/// Words and numbers that lead to rarely used code.
const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2147483647",
    "2147483648",
    "-9223372036854775807L-1",
    "18446744073709551615u",
    "1e308",
    "0.0f",
    "1.0L",
    "1.0fi",
    "'a'",
    "\"s\"",
    "L\"w\"",
    "char",
    "signed char",
    "unsigned",
    "short",
    "long",
    "long long",
    "__int128",
    "_Bool",
    "float",
    "double",
    "long double",
    "float _Complex",
    "double _Complex",
    "void",
    "struct S",
    "union U",
    "enum E",
    "const",
    "volatile",
    "restrict",
    "_Atomic",
    "static",
    "extern",
    "_Thread_local",
    "register",
    "inline",
    "typedef",
    "*",
    "[2]",
    "[n]",
    "[]",
    "()",
    "(void)",
    "{0}",
    "{1, 2}",
    "[0] =",
    ".a =",
    ": 3",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "&&",
    "||",
    "!",
    "~",
    "++",
    "--",
    "=",
    "+=",
    "<<=",
    "?",
    ":",
    ",",
    ";",
    ".",
    "->",
    "(",
    ")",
    "{",
    "}",
    "sizeof",
    "_Alignof",
    "__real__",
    "__imag__",
    "({ 1; })",
    "&&label",
    "goto label;",
    "label:",
    "goto *p;",
    "break;",
    "continue;",
    "return 0;",
    "if (x)",
    "else",
    "for (int i = 0; i < 3; i++)",
    "while (x)",
    "do",
    "while (x);",
    "switch (x)",
    "case 1:",
    "default:",
    "__builtin_va_arg(ap, int)",
    "__builtin_alloca(n)",
    "setjmp(b)",
    "__attribute__((aligned(64)))",
    "__attribute__((packed))",
    "__attribute__((mode(TI)))",
    "__attribute__((cleanup(f)))",
    "\n#pragma acc parallel loop reduction(+:s)\n",
    "\n#pragma acc parallel copy(a)\n",
    "\n#pragma acc kernels\n",
    "\n#pragma acc loop gang worker vector\n",
    "\n#pragma acc loop collapse(2)\n",
    "\n#pragma acc loop tile(2, 3)\n",
    "\n#pragma acc data copyin(a[0:n])\n",
    "\n#pragma acc atomic capture\n",
    "\n#pragma acc atomic\n",
    "\n#pragma acc routine vector\n",
    "\n#pragma acc declare create(a)\n",
    "\n#pragma acc wait(1) async\n",
    "\n#pragma acc host_data use_device(a)\n",
    "\n#pragma acc update host(a)\n",
    "\n#pragma omp target map(tofrom: a)\n",
    "\n#pragma omp task depend(inout: a)\n",
    "private(x)",
    "firstprivate(x)",
    "reduction(max:x)",
    "reduction(&&:a[0:2])",
    "num_gangs(n)",
    "vector_length(32)",
    "async(1)",
    "if(x)",
    "gang",
    "worker",
    "vector",
    "seq",
    "independent",
];

/// A random number generator: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// The text with some of its tokens replaced, repeated, moved or left out.
pub fn mutate(text: &[u8], seed: u32) -> Vec<u8> {
    let mut random = Random(u64::from(seed) << 1 | 1);
    let mut tokens = split(text);
    for _ in 0..=random.below(4) {
        change(&mut tokens, &mut random);
    }
    tokens.concat()
}

fn change(tokens: &mut Vec<&[u8]>, random: &mut Random) {
    let at = random.below(tokens.len());
    let other = random.below(tokens.len());
    let end = tokens.len().min(at + 1 + random.below(12));
    let word = WORDS[random.below(WORDS.len())].as_bytes();
    match random.below(7) {
        _ if tokens.is_empty() => tokens.push(word),
        0 => drop(tokens.drain(at..end)),
        1 => tokens.swap(at, other),
        2 => tokens[at] = tokens[other],
        3 => tokens[at] = word,
        4 => drop(tokens.splice(at..at, [b" ".as_slice(), word, b" "])),
        5 => {
            let copied = tokens[at..end].to_vec();
            drop(tokens.splice(other..other, copied));
        }
        _ => {
            let moved: Vec<&[u8]> = tokens.drain(at..end).collect();
            let to = other.min(tokens.len());
            drop(tokens.splice(to..to, moved));
        }
    }
}

/// Words and numbers whole, everything else byte by byte.
fn split(text: &[u8]) -> Vec<&[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.chunk_by(|a, b| is_word(a) && is_word(b)).collect()
}

//! Every (operator, type) pair that the specification forbids, as a program with an error in two places.

use crate::generate::{Class, OPERATORS, Operator, TYPES};

/// Id of the diagnostic.
pub const ID: &str = "reduction-type";

/// A program that must be rejected.
#[derive(Debug)]
pub struct Case {
    /// As a word of a test's name.
    pub name: String,
    /// C.
    pub text: String,
    /// Lines of the errors, in order.
    pub lines: Vec<u32>,
}

/// Types that no operator takes: a word, what must be declared before, and the type.
const NEVER: [(&str, &str, &str); 4] = [
    ("pointer", "", "int *"),
    ("function-pointer", "typedef int (*callback)(int);", "callback"),
    ("struct-with-pointer", "struct node { int value; struct node *next; };", "struct node"),
    ("union", "union either { int i; float f; };", "union either"),
];

/// Structs of arithmetic members, each legal for an operator only if all its members are.
const STRUCTS: [(&str, &str, &str, Class); 2] = [
    ("struct-with-real", "struct mixed { int i; double d; };", "struct mixed", Class::Real),
    ("struct-with-complex", "struct wave { int i; float _Complex c; };", "struct wave", Class::Complex),
];

/// All illegal pairs.
pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for operator in OPERATORS {
        for ty in TYPES.iter().filter(|ty| !operator.takes(ty.class)) {
            all.push(case(operator, ty.word, "", ty.spelling));
        }
        for (word, before, spelling) in NEVER {
            all.push(case(operator, word, before, spelling));
        }
        for (word, before, spelling, _) in STRUCTS.iter().filter(|(.., class)| !operator.takes(*class)) {
            all.push(case(operator, word, before, spelling));
        }
    }
    all
}

/// The reduction stands on a loop and on a compute construct, after a declaration in line 2.
fn case(operator: Operator, word: &str, before: &str, spelling: &str) -> Case {
    let op = operator.spelling();
    let text = format!(
        "/* Reduction {op} on {spelling}. */\n\
         {before}\n\
         static {spelling} s;\n\
         void on_loop(int n)\n\
         {{\n\
         #pragma acc parallel loop gang reduction({op}:s)\n    \
         for (int i = 0; i < n; i++)\n        ;\n\
         }}\n\
         void on_construct(void)\n\
         {{\n\
         #pragma acc parallel reduction({op}:s)\n    \
         {{\n    }}\n\
         }}\n\
         int main(void)\n{{\n    return 0;\n}}\n"
    );
    Case { name: format!("{}-{word}", operator.name()), text, lines: vec![6, 12] }
}

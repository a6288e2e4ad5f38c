//! Types, operators, and the assembly of one program per operator and position.
//!
//! Every value is chosen so that the result is exact in every order of evaluation: sums and products of
//! floating point stay far below the precision, products meet few factors other than 1, and integers do not
//! overflow except where the standard defines the wrap.

use crate::positions::{COMPARE, POSITIONS, Position};
use std::fmt::Write;

/// Iterations that every position is tried with.
pub const TRIP_COUNTS: [u32; 5] = [0, 1, 31, 33, 1025];
/// Those of short programs.
const SHORT_TRIP_COUNTS: [u32; 5] = [0, 1, 31, 33, 259];
/// Elements of the input arrays: what the largest nest reads.
pub const SIZE: u32 = 6 * 1025;

/// What decides which operators a type takes and which values it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// `_Bool`.
    Bool,
    /// Any other integer.
    Integer,
    /// `float` or `double`.
    Real,
    /// A complex type.
    Complex,
}

/// A reduction operator of the specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `+`
    Add,
    /// `*`
    Multiply,
    /// `max`
    Max,
    /// `min`
    Min,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
}

/// All of them.
pub const OPERATORS: [Operator; 9] = [
    Operator::Add,
    Operator::Multiply,
    Operator::Max,
    Operator::Min,
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::LogicalAnd,
    Operator::LogicalOr,
];

impl Operator {
    /// As a word of a test's name.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Add => "add",
            Operator::Multiply => "multiply",
            Operator::Max => "max",
            Operator::Min => "min",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Xor => "xor",
            Operator::LogicalAnd => "logical-and",
            Operator::LogicalOr => "logical-or",
        }
    }

    /// As the clause spells it.
    pub fn spelling(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Multiply => "*",
            Operator::Max => "max",
            Operator::Min => "min",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
            Operator::LogicalAnd => "&&",
            Operator::LogicalOr => "||",
        }
    }

    /// Whether the specification allows the operator on the class.
    pub fn takes(self, class: Class) -> bool {
        match self {
            Operator::Add | Operator::Multiply | Operator::LogicalAnd | Operator::LogicalOr => true,
            Operator::Max | Operator::Min => class != Class::Complex,
            Operator::And | Operator::Or | Operator::Xor => matches!(class, Class::Bool | Class::Integer),
        }
    }

    /// The expression that combines two values.
    fn combine(self, left: &str, right: &str) -> String {
        match self {
            Operator::Max => format!("({left} > {right} ? {left} : {right})"),
            Operator::Min => format!("({left} < {right} ? {left} : {right})"),
            Operator::Add
            | Operator::Multiply
            | Operator::And
            | Operator::Or
            | Operator::Xor
            | Operator::LogicalAnd
            | Operator::LogicalOr => format!("{left} {} {right}", self.spelling()),
        }
    }

    /// The usual statement that folds `value` into `variable`.
    pub fn update(self, variable: &str, value: &str) -> String {
        match self {
            Operator::Max | Operator::Min | Operator::LogicalAnd | Operator::LogicalOr => {
                format!("{variable} = {};", self.combine(variable, value))
            }
            Operator::Add | Operator::Multiply | Operator::And | Operator::Or | Operator::Xor => {
                format!("{variable} {}= {value};", self.spelling())
            }
        }
    }

    /// The same in a form that reads the variable elsewhere in the body.
    pub fn update_reading(self, ty: Type, variable: &str, value: &str) -> String {
        match self {
            Operator::Max => format!("if ({value} > {variable}) {variable} = {value};"),
            Operator::Min => format!("if ({variable} > {value}) {variable} = {value};"),
            Operator::LogicalAnd => {
                format!("if (!({value})) {variable} = 0; else {variable} = {variable} != 0;")
            }
            Operator::LogicalOr => format!("if ({value}) {variable} = 1; else {variable} = {variable} != 0;"),
            Operator::Add | Operator::Multiply | Operator::And | Operator::Or | Operator::Xor => {
                format!(
                    "{{ {ty} seen = {variable}; {variable} = {}; }}",
                    self.combine("seen", value),
                    ty = ty.spelling
                )
            }
        }
    }

    /// A start value for an inner accumulator that leaves the outer one's result alone: the identity, or for
    /// the idempotent `max` and `min` the outer start value `start`.
    pub fn inner_start(self, start: &str) -> String {
        match self {
            Operator::Add | Operator::Or | Operator::Xor | Operator::LogicalOr => "0".to_owned(),
            Operator::Multiply | Operator::LogicalAnd => "1".to_owned(),
            Operator::And => "-1".to_owned(),
            Operator::Max | Operator::Min => start.to_owned(),
        }
    }

    /// Start values of the two variables: neither is the identity where the type has another value.
    fn starts(self, class: Class) -> (&'static str, &'static str) {
        match (self, class) {
            // Only 0 and 1: whether a loop without iterations normalises other values is left open.
            (Operator::LogicalAnd, _) => ("1", "0"),
            (Operator::LogicalOr, _) => ("0", "1"),
            (Operator::And, Class::Bool) => ("1", "0"),
            (Operator::And, _) => ("0x77", "(-1)"),
            (Operator::Or, Class::Bool) => ("0", "1"),
            (Operator::Or, _) => ("0x10", "1"),
            (Operator::Xor, _) => ("0x55", "1"),
            (Operator::Max, Class::Bool) => ("0", "1"),
            (Operator::Min, Class::Bool) => ("1", "0"),
            (Operator::Max, _) => ("2", "100"),
            (Operator::Min, _) => ("90", "3"),
            (Operator::Multiply, Class::Complex) => ("(2 + 1i)", "(-1i)"),
            (Operator::Multiply, _) => ("5", "2"),
            (Operator::Add, Class::Bool) => ("0", "1"),
            (Operator::Add, Class::Complex) => ("(7 - 2i)", "(-3 + 4i)"),
            (Operator::Add, _) => ("7", "100"),
        }
    }

    /// Element `i` of the first input array, as C.
    fn value(self, class: Class) -> &'static str {
        match (self, class) {
            (Operator::Multiply, Class::Complex) => "i % 601 == 3 ? 1 + 1i : i % 601 == 30 ? 1i : 1",
            (Operator::Multiply, Class::Bool) => "i % 500 != 32",
            (Operator::Multiply, _) => "i % 601 == 3 ? 3 : i % 601 == 30 ? -1 : 1",
            (Operator::Add, Class::Complex) => "(i * 7 % 13 - 6) + (i * 5 % 11) * 0.25i",
            (Operator::Add, Class::Real) => "(i * 7 % 13 - 6) * 0.25",
            (Operator::Add, Class::Bool) => "i % 40 == 39",
            (Operator::Add, Class::Integer) => "i * 7 % 13 - 6",
            (Operator::Max, Class::Bool) => "i % 40 == 32",
            (Operator::Min, Class::Bool) => "i % 40 != 32",
            (Operator::Max | Operator::Min, Class::Real) => "(i * 37 % 211 - 100) * 0.5",
            (Operator::Max | Operator::Min, _) => "i * 37 % 211 - 100",
            (Operator::And, Class::Bool) => "i % 50 != 20",
            (Operator::And, _) => "~(i % 9 == 5 ? 1 << i / 128 % 7 : 0)",
            (Operator::Or, Class::Bool) => "i % 50 == 20",
            (Operator::Or, _) => "i % 9 == 5 ? 1 << i / 128 % 7 : 0",
            (Operator::Xor, _) => "i * 11 % 97",
            (Operator::LogicalAnd, _) => "i % 500 != 32",
            (Operator::LogicalOr, _) => "i % 500 == 32",
        }
    }

    /// Element `i` of the second input array, in which the logical operators meet no decisive value.
    fn second_value(self, class: Class) -> &'static str {
        match self {
            Operator::LogicalAnd => "2",
            Operator::LogicalOr => "0",
            Operator::Add
            | Operator::Multiply
            | Operator::Max
            | Operator::Min
            | Operator::And
            | Operator::Or
            | Operator::Xor => self.value(class),
        }
    }
}

/// A type of C.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// As a declaration spells it.
    pub spelling: &'static str,
    /// As part of an identifier.
    pub word: &'static str,
    /// Its class.
    pub class: Class,
}

const fn ty(spelling: &'static str, word: &'static str, class: Class) -> Type {
    Type { spelling, word, class }
}

/// Every type that a reduction variable can have.
pub const TYPES: [Type; 16] = [
    ty("_Bool", "bool", Class::Bool),
    ty("char", "char", Class::Integer),
    ty("signed char", "schar", Class::Integer),
    ty("unsigned char", "uchar", Class::Integer),
    ty("short", "short", Class::Integer),
    ty("unsigned short", "ushort", Class::Integer),
    ty("int", "int", Class::Integer),
    ty("unsigned int", "uint", Class::Integer),
    ty("long", "long", Class::Integer),
    ty("unsigned long", "ulong", Class::Integer),
    ty("long long", "llong", Class::Integer),
    ty("unsigned long long", "ullong", Class::Integer),
    ty("float", "float", Class::Real),
    ty("double", "double", Class::Real),
    ty("float _Complex", "cfloat", Class::Complex),
    ty("double _Complex", "cdouble", Class::Complex),
];

/// A generated program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of the operator.
    pub operator: &'static str,
    /// Name of the position.
    pub position: &'static str,
    /// C.
    pub text: String,
    /// Comparisons that it makes.
    pub checks: u32,
}

/// All programs of the matrix.
pub fn programs() -> Vec<Program> {
    with_trip_counts(&TRIP_COUNTS)
}

/// The same with few iterations, for devices on which each of them takes long.
pub fn short_programs() -> Vec<Program> {
    with_trip_counts(&SHORT_TRIP_COUNTS)
}

/// What is combined where strategies and shapes are mixed. Together the types need all that a strategy can be
/// made of: sums of integers have atomic instructions everywhere, sums of doubles in global memory, products
/// of shorts have swaps of their words, products of complex doubles nothing but locks and trees.
const MIXED: [(Operator, [&str; 2]); 2] =
    [(Operator::Add, ["int", "double"]), (Operator::Multiply, ["short", "cdouble"])];
/// Less than a warp, and more than two.
const MIXED_TRIP_COUNTS: [u32; 2] = [5, 70];

/// A few programs in which constructs leave the numbers of workers and lanes open.
pub fn mixed_programs() -> Vec<Program> {
    let mut all = Vec::new();
    for position in &POSITIONS {
        for (operator, words) in MIXED {
            let types: Vec<Type> = TYPES.into_iter().filter(|ty| words.contains(&ty.word)).collect();
            let mut program = program(operator, position, &types, &MIXED_TRIP_COUNTS);
            for clause in ["num_workers(3)", "num_workers(4)", "vector_length(32)", "vector_length(64)"] {
                program.text = program.text.replace(clause, "");
            }
            all.push(program);
        }
    }
    all
}

fn with_trip_counts(counts: &[u32]) -> Vec<Program> {
    let mut all = Vec::new();
    for operator in OPERATORS {
        let types: Vec<Type> = TYPES.into_iter().filter(|ty| operator.takes(ty.class)).collect();
        for position in &POSITIONS {
            all.push(program(operator, position, &types, counts));
        }
    }
    all
}

fn program(operator: Operator, position: &'static Position, types: &[Type], counts: &[u32]) -> Program {
    let mut text = format!(
        "/* Reduction {} in position {}, against a serial loop. */\n\
         extern int printf(const char *, ...);\n\n\
         enum {{ SIZE = {SIZE} }};\n\
         static int checks, mismatches;\n\
         static void differ(const char *type, int n, int which)\n\
         {{\n    mismatches++;\n    printf(\"%s, n = %d, result %d\\n\", type, n, which);\n}}\n",
        operator.spelling(),
        position.name,
    );
    text.push_str(COMPARE);
    let mut calls = String::new();
    let mut checks = 0;
    for &ty in types {
        inputs(&mut text, operator, ty);
        text.push_str(&position.function(operator, ty));
        for &trips in counts {
            for shape in position.shapes {
                let [outer, middle, inner] = shape.map(|extent| if extent == 0 { trips } else { extent });
                let _ = writeln!(calls, "    test_{}({outer}, {middle}, {inner});", ty.word);
                checks += position.checks;
            }
        }
    }
    text.push_str("\nint main(void)\n{\n");
    for ty in types {
        let _ = writeln!(text, "    fill_{}();", ty.word);
    }
    text.push_str(&calls);
    text.push_str(
        "    printf(\"%d checks, %d mismatches\\n\", checks, mismatches);\n    return mismatches != 0;\n}\n",
    );
    Program { operator: operator.name(), position: position.name, text, checks }
}

/// The input arrays of a type, the function that fills them, and the serial reference.
fn inputs(text: &mut String, operator: Operator, ty: Type) {
    let Type { spelling, word, class } = ty;
    let (first, second) = operator.starts(class);
    let _ = write!(
        text,
        "\nstatic {spelling} a_{word}[SIZE], b_{word}[SIZE];\n\
         static const {spelling} first_{word} = {first}, second_{word} = {second};\n\
         static void fill_{word}(void)\n{{\n    for (int i = 0; i < SIZE; i++) {{\n        \
         a_{word}[i] = {};\n        b_{word}[i] = {};\n    }}\n}}\n\
         static {spelling} serial_{word}({spelling} start, const {spelling} *from, int n)\n{{\n    \
         for (int i = 0; i < n; i++)\n        {}\n    return start;\n}}\n",
        operator.value(class),
        operator.second_value(class),
        operator.update("start", "from[i]"),
    );
}

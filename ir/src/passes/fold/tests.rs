//! Random programs compute the same after folding, removal of dead code and merging of blocks.

use super::fold;
use crate::entities::{Func, Global, Local, Slot};
use crate::module::Module;
use crate::op::{Access, Address, BinaryOp, CmpOp, ConvertOp, Op, Operand, UnaryOp};
use crate::passes::testing::machine::Machine;
use crate::passes::testing::{Program, Single, run_to};
use crate::text;
use crate::types::Type;

/// A small generator of pseudorandom numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

const TYPES: [Type; 4] = [Type::I8, Type::I16, Type::I32, Type::I64];
const CONSTANTS: [i64; 8] = [0, 1, -1, 2, 7, 127, -128, 63];
const OPS: [BinaryOp; 13] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::SMin,
    BinaryOp::SMax,
    BinaryOp::UMin,
    BinaryOp::UMax,
    BinaryOp::Add,
];
const COMPARISONS: [CmpOp; 10] = [
    CmpOp::Eq,
    CmpOp::Ne,
    CmpOp::Lt,
    CmpOp::Le,
    CmpOp::Gt,
    CmpOp::Ge,
    CmpOp::ULt,
    CmpOp::ULe,
    CmpOp::UGt,
    CmpOp::UGe,
];

struct Generator {
    random: Random,
    p: Program,
    locals: Vec<(Type, Vec<Local>)>,
    pointer: Local,
    array: Slot,
}

impl Generator {
    fn operand(&mut self, ty: Type) -> Operand {
        if self.random.below(4) == 0 {
            return Operand::Int(ty, self.random.pick(&CONSTANTS));
        }
        Operand::Local(self.local(ty))
    }

    fn local(&mut self, ty: Type) -> Local {
        let list =
            self.locals.iter().find(|(of, _)| *of == ty).map(|(_, list)| list.clone()).expect("the type");
        self.random.pick(&list)
    }

    fn instruction(&mut self) {
        let ty = self.random.pick(&TYPES);
        let dst = self.local(ty);
        let op = match self.random.below(9) {
            0 => Op::Copy { dst, src: self.operand(ty) },
            1 => {
                let op = self.random.pick(&[UnaryOp::Neg, UnaryOp::Not, UnaryOp::Ctz]);
                Op::Unary { dst, op, src: self.operand(ty) }
            }
            2 => {
                let from = self.random.pick(&TYPES);
                let op = match from.bytes().cmp(&ty.bytes()) {
                    std::cmp::Ordering::Less => self.random.pick(&[ConvertOp::SExt, ConvertOp::ZExt]),
                    std::cmp::Ordering::Equal => ConvertOp::Bits,
                    std::cmp::Ordering::Greater => ConvertOp::Trunc,
                };
                Op::Convert { dst, op, src: self.operand(from) }
            }
            3 => {
                let cond = self.condition();
                Op::Select { dst, cond, a: self.operand(ty), b: self.operand(ty) }
            }
            4 => {
                let index = Operand::Int(Type::I64, self.random.below(4) as i64);
                let base = self.random.pick(&[Operand::Slot(self.array), Operand::Local(self.pointer)]);
                let base =
                    if base == Operand::Local(self.pointer) { Operand::Slot(self.array) } else { base };
                Op::Index {
                    dst: self.pointer,
                    base,
                    index,
                    scale: 8,
                    offset: 8 * self.random.below(3) as i64,
                    extent: None,
                }
            }
            5 => {
                let addr =
                    Address { base: Operand::Local(self.pointer), offset: 8 * self.random.below(2) as i64 };
                Op::Load { dst, addr, access: Access::natural(ty) }
            }
            6 => {
                let addr =
                    Address { base: Operand::Local(self.pointer), offset: 8 * self.random.below(2) as i64 };
                Op::Store { ty, addr, src: self.operand(ty), access: Access::natural(ty) }
            }
            _ => {
                let op = self.random.pick(&OPS);
                Op::Binary { dst, op, a: self.operand(ty), b: self.operand(ty) }
            }
        };
        self.p.at().op(op);
    }

    fn condition(&mut self) -> Operand {
        let ty = self.random.pick(&TYPES);
        let (a, b) = (self.operand(ty), self.operand(ty));
        let op = self.random.pick(&COMPARISONS);
        self.p.at().compare(op, a, b)
    }

    /// Straight code, branches and short loops.
    fn statements(&mut self, depth: usize) {
        for _ in 0..3 + self.random.below(12) {
            self.instruction();
        }
        match if depth == 0 { 2 } else { self.random.below(3) } {
            0 => {
                let cond = self.condition();
                let [then, otherwise, join] = [(); 3].map(|()| self.p.block());
                self.p.at().branch(cond, then, otherwise);
                for side in [then, otherwise] {
                    self.p.block = side;
                    self.statements(depth - 1);
                    self.p.at().jump(join);
                }
                self.p.block = join;
                self.statements(depth - 1);
            }
            1 => {
                let counter = self.p.local("n", Type::I32);
                let [init, bound, step] = [0, 3, 1].map(|value| Operand::Int(Type::I32, value));
                let induction = crate::Induction { iv: counter, init, bound, step, cmp: CmpOp::Lt };
                let open = self.p.open(induction, None);
                self.statements(depth - 1);
                self.p.close(open);
                self.statements(depth - 1);
            }
            _ => {}
        }
    }
}

fn program(seed: u64) -> (Module, u64) {
    let mut p = Program::new();
    let out = p.module.globals.push(crate::GlobalData::external("out", 256, 8, crate::Init::Zero));
    let array = p.slot("array", 64);
    let pointer = p.local("p", Type::Ptr);
    p.at().assign(pointer, Operand::Slot(array));
    for n in 0..8 {
        p.at().store(Address::from(array).plus(8 * n), Operand::Int(Type::I64, n * 0x0102_0304));
    }
    let locals = TYPES.map(|ty| {
        let list: Vec<Local> = (0..4).map(|n| p.local(&format!("x{n}"), ty)).collect();
        for (n, &local) in list.iter().enumerate() {
            p.at().assign(local, Operand::Int(ty, n as i64 * 37 - 50));
        }
        (ty, list)
    });
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut g = Generator { random, p, locals: locals.to_vec(), pointer, array };
    g.statements(3);
    let mut offset = 0;
    for (ty, list) in g.locals.clone() {
        for local in list {
            g.p.at().store(Address { base: Operand::Global(out), offset }, Operand::Local(local));
            offset += i64::from(ty.bytes());
        }
    }
    for n in 0..8 {
        let value = g.p.at().load(Type::I64, Address::from(array).plus(8 * n));
        g.p.at().store(Address { base: Operand::Global(out), offset: 64 + 8 * n }, value);
    }
    (g.p.finish(), 128)
}

fn memory(module: &Module, bytes: u64) -> Vec<u64> {
    let mut machine = Machine::new(module);
    machine.call("f", &[]);
    let at = machine.global(Global::from_u32(0));
    (0..bytes / 8).map(|n| machine.read(at + 8 * n, Type::I64)).collect()
}

fn size(module: &Module) -> usize {
    let body = module.functions[Func::from_u32(0)].body.as_ref().expect("a body");
    body.order.iter().map(|&block| body.blocks[block].insts.len()).sum()
}

#[test]
fn random_programs_keep_their_meaning() {
    let (mut before, mut after) = (0, 0);
    for seed in 1..400 {
        let (module, bytes) = program(seed);
        let mut optimised = module.clone();
        run_to(&mut optimised, &mut Single::default(), "simplify-cfg");
        assert_eq!(memory(&optimised, bytes), memory(&module, bytes), "seed {seed}");
        before += size(&module);
        after += size(&optimised);
    }
    assert!(after * 10 < before * 9, "{before} operations became {after}");
}

#[test]
fn constant_branches_disappear_with_what_they_guard() {
    let mut p = Program::new();
    let x = p.local("x", Type::I32);
    p.at().assign(x, Operand::Int(Type::I32, 3));
    let cond = p.at().compare(CmpOp::Gt, Operand::Local(x), Operand::Int(Type::I32, 5));
    let [then, join] = [(); 2].map(|()| p.block());
    p.at().branch(cond, then, join);
    p.block = then;
    p.at().trap();
    p.go(join);
    let mut module = p.finish();
    run_to(&mut module, &mut Single::default(), "simplify-cfg");
    let body = module.functions[Func::from_u32(0)].body.as_ref().expect("a body");
    assert_eq!((body.order.len(), size(&module), body.locals.len()), (1, 0, 0));
}

/// What a function whose blocks, named `bb0` and so on, access an object becomes.
fn folded(blocks: &str) -> String {
    let text = format!(
        "signature sig0 (i32)\nfunction fn0.f sig0 external {{\n params v0.n locals v0.n: i32 locals v1: ptr\n\
         locals v2: i1 slot s0.a size 64 align 4\n{blocks}}}\n"
    );
    let mut module = text::parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let body = module.functions[Func::from_u32(0)].body.as_deref_mut().expect("a body");
    fold(body, false);
    text::print(&module)
}

#[test]
fn what_is_known_in_a_block_is_known_in_the_only_one_behind_it() {
    let straight = "bb0: v1 = index s0.a + 0i64 * 1 + 32 jump bb2\nbb1: store.i32 [v1 + 4], v0.n return\n\
                    bb2: jump bb1\n";
    let text = folded(straight);
    assert!(text.contains("store.i32 [s0.a + 36], v0.n"), "{text}");
    // Control comes from elsewhere, too, and with another address.
    let joined = "bb0: v2 = cmp.lt v0.n, 3i32 v1 = index s0.a + 0i64 * 1 + 32 branch v2, bb1, bb2\n\
                  bb1: v1 = index s0.a + 0i64 * 1 + 16 jump bb2\nbb2: store.i32 [v1 + 4], v0.n return\n";
    let text = folded(joined);
    assert!(text.contains("store.i32 [v1 + 4], v0.n"), "{text}");
}

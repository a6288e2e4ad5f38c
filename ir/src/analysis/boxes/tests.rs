use super::*;
use crate::analysis::bases::Base;
use crate::analysis::computable::is_computable;
use crate::entities::{Block, Local, Loop};
use crate::op::Pos;
use crate::types::Type;
use cranelift_entity::EntityRef;
use std::rc::Rc;

/// The counter of a loop, or a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Var {
    Counter(usize),
    Param(usize),
}

/// A sum of products of variables with numbers before them.
type Poly = Vec<(i64, Vec<Var>)>;

/// A nest: per loop the number of iterations, which counters of outer loops may stand in, and an address.
struct Case {
    trips: Vec<Poly>,
    address: Poly,
    bytes: i64,
    /// The box has no byte too many.
    exact: bool,
}

fn value(poly: &Poly, counters: &[i64], params: &[i64]) -> i64 {
    let var = |var: &Var| match *var {
        Var::Counter(n) => counters[n],
        Var::Param(n) => params[n],
    };
    poly.iter().map(|(factor, vars)| factor * vars.iter().map(var).product::<i64>()).sum()
}

fn sum(atoms: &mut Atoms, poly: &Poly) -> Sum {
    let mut total = Sum::default();
    for (factor, vars) in poly {
        let mut term = Sum::constant(*factor);
        for var in vars {
            let atom = match *var {
                Var::Counter(n) => {
                    let loop_ = Loop::new(n);
                    atoms.intern(Kind::Counter(loop_), Some(loop_), (0, i64::MAX >> 1))
                }
                Var::Param(n) => atoms.intern(Kind::Entry(Local::new(n)), None, (-1 << 31, (1 << 31) - 1)),
            };
            term = term.times(&Sum::atom(atom)).expect("small");
        }
        total = total.plus(1, &term).expect("small");
    }
    total
}

/// The lowest and the highest byte of all accesses, the latter exclusive.
fn enumerated(case: &Case, params: &[i64]) -> Option<(i64, i64)> {
    fn walk(case: &Case, params: &[i64], counters: &mut Vec<i64>, ends: &mut Option<(i64, i64)>) {
        if counters.len() == case.trips.len() {
            let low = value(&case.address, counters, params);
            let high = low + case.bytes;
            let (a, b) = ends.unwrap_or((low, high));
            *ends = Some((a.min(low), b.max(high)));
            return;
        }
        for counter in 0..value(&case.trips[counters.len()], counters, params) {
            counters.push(counter);
            walk(case, params, counters, ends);
            counters.pop();
        }
    }
    let mut ends = None;
    walk(case, params, &mut Vec::new(), &mut ends);
    ends
}

struct Machine<'a> {
    atoms: &'a Atoms,
    params: &'a [i64],
}

impl Machine<'_> {
    fn sum(&self, sum: &Sum) -> i64 {
        let value = |atom: &Atom| match &self.atoms.data(*atom).kind {
            Kind::Entry(local) => self.params[local.index()],
            Kind::Binary(BinaryOp::SDiv, a, b) => self.sum(a) / self.sum(b),
            Kind::Binary(BinaryOp::SMax, a, b) => self.sum(a).max(self.sum(b)),
            other => panic!("{other:?}"),
        };
        sum.terms().map(|(product, factor)| factor * product.iter().map(value).product::<i64>()).sum()
    }

    fn bound(&self, bound: &Bound) -> i64 {
        let all = |list: &[Bound]| list.iter().map(|bound| self.bound(bound)).collect::<Vec<_>>();
        match bound {
            Bound::Sum(sum) => self.sum(sum),
            Bound::Floor { plus, times, dividend, divisor } => {
                self.sum(plus) + times * self.sum(dividend).div_euclid(*divisor)
            }
            Bound::Min(list) => all(list).into_iter().min().expect("several"),
            Bound::Max(list) => all(list).into_iter().max().expect("several"),
        }
    }

    fn ends(&self, whole: &ByteBox) -> Option<(i64, i64)> {
        let full = whole.parts.iter().filter(|part| part.guard.iter().all(|sum| self.sum(sum) >= 0));
        let ends = full.map(|part| (self.bound(&part.low), self.bound(&part.high)));
        ends.reduce(|(a, b), (c, d)| (a.min(c), b.max(d))).filter(|(low, high)| low < high)
    }
}

/// A read of 8 bytes.
fn touch(address: Sum, facts: Vec<Fact>) -> Touch {
    Touch {
        address,
        root: None,
        base: Base::Unknown,
        variable: None,
        subscripts: Rc::default(),
        bytes: 8,
        ty: Some(Type::F64),
        writes: false,
        value: None,
        loop_: Loop::new(0),
        facts: facts.into(),
        control: Rc::default(),
        pos: Pos::none(),
        at: (Block::new(0), 0),
        callee: None,
    }
}

/// Compares a box with what is accessed, for all small values of the parameters.
fn check(name: &str, case: &Case) {
    let mut atoms = Atoms::default();
    let address = sum(&mut atoms, &case.address);
    let mut facts = Vec::new();
    for (n, trip) in case.trips.iter().enumerate() {
        let mut runs = trip.clone();
        runs.extend([(-1, vec![Var::Counter(n)]), (-1, vec![])]);
        facts.push(Fact::AtLeastZero(sum(&mut atoms, &runs)));
    }
    let touch = Touch { bytes: case.bytes, ..touch(address, facts) };
    let known = |atoms: &Atoms, atom| is_computable(atoms, atom, &|_, _| false);
    let whole = ByteBox::of(&mut atoms, &mut Projections::default(), [&touch], known)
        .unwrap_or_else(|stray| panic!("{name}: {stray:?}"));
    for n in -2..7 {
        for m in -2..7 {
            let params = [n, m];
            let (found, expected) =
                (Machine { atoms: &atoms, params: &params }.ends(&whole), enumerated(case, &params));
            match (found, expected) {
                (None, None) => {}
                (Some((a, b)), Some((c, d))) if a <= c && d <= b && (!case.exact || (a, b) == (c, d)) => {}
                _ => panic!("{name}, n = {n}, m = {m}: {found:?} and not {expected:?}; {whole:?}"),
            }
        }
    }
}

const I: Var = Var::Counter(0);
const J: Var = Var::Counter(1);
const K: Var = Var::Counter(2);
const N: Var = Var::Param(0);
const M: Var = Var::Param(1);

fn poly(terms: &[(i64, &[Var])]) -> Poly {
    terms.iter().map(|(factor, vars)| (*factor, vars.to_vec())).collect()
}

type Terms<'a> = &'a [(i64, &'a [Var])];

fn exactly(name: &str, trips: &[Terms<'_>], address: Terms<'_>) {
    let trips = trips.iter().map(|trip| poly(trip)).collect();
    check(name, &Case { trips, address: poly(address), bytes: 8, exact: true });
}

#[test]
fn boxes_of_ordinary_loops_are_exact() {
    let n: Terms<'_> = &[(1, &[N])];
    let m: Terms<'_> = &[(1, &[M])];
    exactly("plain", &[n], &[(8, &[I])]);
    exactly("offset", &[n], &[(8, &[I]), (-16, &[])]);
    exactly("backwards", &[n], &[(-8, &[I]), (8, &[N])]);
    exactly("no loop", &[], &[(8, &[N])]);
    exactly("every third", &[&[(1, &[N]), (-2, &[])]], &[(24, &[I])]);
    exactly("two rows", &[n, m], &[(8, &[I, M]), (8, &[J])]);
    exactly("columns", &[n, m], &[(8, &[J, N]), (8, &[I])]);
    exactly(
        "inner part",
        &[&[(1, &[N]), (-2, &[])], &[(1, &[M]), (-2, &[])]],
        &[(8, &[I, M]), (8, &[M]), (8, &[J]), (8, &[])],
    );
    exactly("lower triangle", &[n, &[(1, &[I]), (1, &[])]], &[(8, &[I, N]), (8, &[J])]);
    exactly("upper triangle", &[n, &[(1, &[N]), (-1, &[I])]], &[(8, &[I, N]), (8, &[I]), (8, &[J])]);
    exactly("trapezium", &[n, &[(1, &[M]), (-1, &[I])]], &[(8, &[I]), (8, &[J])]);
    exactly("inner loop that may not run", &[n, &[(1, &[M]), (-1, &[I])]], &[(8, &[I])]);
    exactly("three loops", &[n, m, &[(3, &[])]], &[(24, &[I, M]), (24, &[J]), (8, &[K])]);
    exactly("stride of unknown sign", &[&[(4, &[])]], &[(8, &[I, M])]);
    exactly("two strides of unknown sign", &[n, &[(3, &[])]], &[(8, &[I, M]), (-8, &[J, M])]);
}

#[test]
fn steps_of_loops_are_rounded() {
    // for (i = 0; i < n; i += 2): the last iteration is (n - 1) / 2.
    for (step, stride) in [(2, 16), (3, 24), (2, 8), (3, 8)] {
        let mut atoms = Atoms::default();
        let runs = poly(&[(1, &[N]), (-step, &[I]), (-1, &[])]);
        let facts = vec![Fact::AtLeastZero(sum(&mut atoms, &runs))];
        let address = sum(&mut atoms, &poly(&[(stride, &[I])]));
        let touch = touch(address, facts);
        let known = |atoms: &Atoms, atom| is_computable(atoms, atom, &|_, _| false);
        let whole = ByteBox::of(&mut atoms, &mut Projections::default(), [&touch], known).expect("affine");
        for n in -3..20 {
            let found = Machine { atoms: &atoms, params: &[n, 0] }.ends(&whole);
            let expected = (n > 0).then(|| (0, stride * ((n - 1) / step) + 8));
            assert_eq!(found, expected, "step {step}, stride {stride}, n {n}");
        }
    }
}

#[test]
fn declared_extents_bound_boxes_too() {
    // double (*a)[5]: for (i = 0; i < n; i++) for (j = 0; j < m; j++) a[i][j], where the row ends at 5.
    let mut atoms = Atoms::default();
    let facts = [
        &[(1, &[N][..]), (-1, &[I]), (-1, &[])][..],
        &[(1, &[M]), (-1, &[J]), (-1, &[])],
        &[(4, &[]), (-1, &[J])],
    ];
    let facts = facts.iter().map(|fact| Fact::AtLeastZero(sum(&mut atoms, &poly(fact)))).collect();
    let address = sum(&mut atoms, &poly(&[(40, &[I]), (8, &[J])]));
    let known = |atoms: &Atoms, atom| is_computable(atoms, atom, &|_, _| false);
    let whole = ByteBox::of(&mut atoms, &mut Projections::default(), [&touch(address, facts)], known)
        .expect("affine");
    for (n, m) in [(3, 2), (3, 5), (3, 9), (1, 4), (0, 4), (3, -1)] {
        let found = Machine { atoms: &atoms, params: &[n, m] }.ends(&whole);
        let expected = (n > 0 && m > 0).then(|| (0, 40 * (n - 1) + 8 * m.min(5)));
        assert_eq!(found, expected, "n {n}, m {m}");
    }
}

#[test]
fn boxes_hold_what_is_accessed() {
    let mut state = 1u64;
    let mut random = |below: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % below
    };
    for n in 0..400 {
        let depth = 1 + random(3) as usize;
        let mut trips = Vec::new();
        for level in 0..depth {
            let mut trip = vec![(random(4) - 1, vec![])];
            trip.push((random(3) - 1, vec![if random(2) == 0 { N } else { M }]));
            if level > 0 && random(2) == 0 {
                trip.push((random(3) - 1, vec![Var::Counter(random(level as i64) as usize)]));
            }
            trips.push(trip);
        }
        let mut address = vec![(8 * (random(5) - 2), vec![])];
        for level in 0..depth {
            let mut product = vec![Var::Counter(level)];
            if random(3) == 0 {
                product.push(if random(2) == 0 { N } else { M });
            }
            address.push((8 * (random(5) - 2), product));
        }
        check(&format!("nest {n}"), &Case { trips, address, bytes: 8, exact: false });
    }
}

#[test]
fn what_is_not_known_before_has_no_box() {
    let mut atoms = Atoms::default();
    let loop_ = Loop::new(0);
    let selected = atoms.opaque(Vec::new(), Some(loop_), (0, 100));
    let counter = atoms.intern(Kind::Counter(Loop::new(0)), Some(Loop::new(0)), (0, i64::MAX >> 1));
    let square = Sum::atom(counter).times(&Sum::atom(counter)).expect("small");
    // `(unsigned)i + m`, where nothing says that it fits.
    let wraps = Kind::Converted(ConvertOp::ZExt, Type::I64, Sum::atom(counter));
    let wraps = atoms.intern(wraps, Some(loop_), (0, (1 << 32) - 1));
    for (address, why) in [
        (Sum::atom(selected), Unbounded::Address),
        (Sum::atom(wraps), Unbounded::Wraps),
        (Sum::atom(counter), Unbounded::Loop(counter)),
        (square, Unbounded::Shape),
    ] {
        let touches = [touch(Sum::constant(0), Vec::new()), touch(address, Vec::new())];
        let known = |atoms: &Atoms, atom| is_computable(atoms, atom, &|_, _| false);
        assert_eq!(
            ByteBox::of(&mut atoms, &mut Projections::default(), &touches, known),
            Err(Stray { touch: 1, why })
        );
    }
}

/// `for (i = 0; i < n; i++) for (j = 0; j < m or m - q; j++) p[stride * q + j]`, where `q` is a remainder or
/// quotient of a dividend.
#[test]
fn remainders_and_quotients_have_exact_boxes_or_none() {
    let up = |constant: i64| poly(&[(1, &[I]), (constant, &[])]);
    let down = poly(&[(-1, &[I]), (1, &[N]), (-1, &[])]);
    let dividends = [up(0), up(1), up(2), up(7), down, poly(&[(1, &[I]), (1, &[N])]), poly(&[(2, &[I])])];
    let constant = |number: i64| poly(&[(number, &[])]);
    let by = |op: BinaryOp, number: i64| (op, constant(number));
    let divisions = [
        by(BinaryOp::SRem, 2),
        by(BinaryOp::SRem, 5),
        by(BinaryOp::And, 3),
        by(BinaryOp::SDiv, 2),
        by(BinaryOp::SDiv, 3),
        by(BinaryOp::AShr, 1),
        (BinaryOp::SRem, poly(&[(1, &[M])])),
    ];
    let mut found = 0;
    for (dividend, (op, divisor)) in dividends.iter().flat_map(|a| divisions.iter().map(move |b| (a, b))) {
        for (stride, is_bound, with_counter) in
            [(1, false, false), (3, false, false), (1, true, false), (-2, true, false), (1, false, true)]
        {
            let mut atoms = Atoms::default();
            let [whole, by] = [dividend, divisor].map(|poly| sum(&mut atoms, poly));
            let kind = Kind::Binary(*op, whole, by);
            let quotient = Sum::atom(atoms.intern(kind, Some(Loop::new(0)), (i64::MIN, i64::MAX)));
            let runs = sum(&mut atoms, &poly(&[(1, &[N]), (-1, &[I]), (-1, &[])]));
            let inner = sum(&mut atoms, &poly(&[(1, &[M]), (-1, &[J]), (-1, &[])]));
            let inner = if is_bound { inner.plus(-1, &quotient).expect("small") } else { inner };
            let other = sum(&mut atoms, &poly(&[(8, &[J]), (if with_counter { 8 } else { 0 }, &[I])]));
            let address = other.plus(8 * stride, &quotient).expect("small");
            let touch = touch(address, vec![Fact::AtLeastZero(runs), Fact::AtLeastZero(inner)]);
            let known = |atoms: &Atoms, atom| is_computable(atoms, atom, &|_, _| false);
            let Ok(whole) = ByteBox::of(&mut atoms, &mut Projections::default(), [&touch], known) else {
                continue;
            };
            found += 1;
            for (n, m) in (-1..9).flat_map(|n| (-3..9).filter(|&m| m != 0).map(move |m| (n, m))) {
                let mut expected: Option<(i64, i64)> = None;
                for i in 0..n {
                    let (a, b) = (value(dividend, &[i], &[n, m]), value(divisor, &[i], &[n, m]));
                    let q = match op {
                        BinaryOp::SRem => a % b,
                        BinaryOp::And => a & b,
                        BinaryOp::AShr => a >> b,
                        _ => a / b,
                    };
                    for j in 0..if is_bound { m - q } else { m } {
                        let low = 8 * (stride * q + j + if with_counter { i } else { 0 });
                        let (first, end) = expected.unwrap_or((low, low + 8));
                        expected = Some((first.min(low), end.max(low + 8)));
                    }
                }
                let ends = Machine { atoms: &atoms, params: &[n, m] }.ends(&whole);
                assert_eq!(
                    ends, expected,
                    "{dividend:?} {op:?} {divisor:?}, {stride}, n {n}, m {m}: {whole:?}"
                );
            }
        }
    }
    assert!(found > 100, "{found} boxes");
}

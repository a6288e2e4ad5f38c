// options: -fopenmp
// Members of a structure that other directives have mapped apart: a region finds those that it uses, wherever
// the others lie.
#include <stdio.h>
#include <stdlib.h>
struct S { int pad; int a; double big[100]; int b; int *p; double *opt; int nopt; };

static int fails;

#define CHECK(x, want) do { if ((x) != (want)) { printf("%s: %d, not %d (line %d)\n", #x, (int)(x), (int)(want), __LINE__); fails++; } } while (0)

static void only_a(void) {
  struct S v; v.a = 1; v.b = 2;
#pragma acc enter data copyin(v.b)
#pragma acc parallel copy(v.a)
  { v.a += 5; }
  CHECK(v.a, 6);
#pragma acc exit data delete(v.b)
}

static void only_a_ptr(struct S *s) {
  s->a = 1; s->b = 2;
#pragma acc enter data copyin(s->b)
#pragma acc parallel copy(s->a)
  { s->a += 5; }
  CHECK(s->a, 6);
#pragma acc exit data delete(s->b)
}

static void only_b_ptr(struct S *s) {
  s->a = 1; s->b = 2;
#pragma acc enter data copyin(s->b)
#pragma acc enter data copyin(s->a)
#pragma acc parallel present(s->b)
  { s->b += 5; }
#pragma acc parallel present(s->a)
  { s->a += 5; }
#pragma acc update self(s->a, s->b)
  CHECK(s->a, 6);
  CHECK(s->b, 7);
#pragma acc exit data delete(s->b)
#pragma acc exit data delete(s->a)
}

static void only_b_implicit(void) {
  struct S v;
  v.a = 1; v.b = 2;
#pragma acc enter data copyin(v.b)
#pragma acc enter data copyin(v.a)
#pragma acc parallel
  { v.b += 5; }
#pragma acc parallel
  { v.a += 5; }
#pragma acc update self(v.a, v.b)
  CHECK(v.a, 6);
  CHECK(v.b, 7);
#pragma acc exit data delete(v.b)
#pragma acc exit data delete(v.a)
}

static void optional(struct S *s) {
  s->nopt = 3; s->a = 0; s->opt = 0;
#pragma acc data copyin(s->nopt) copy(s->a)
#pragma acc parallel
  {
     if (s->nopt > 5) s->a += s->opt[0];
     s->a += s->nopt;
  }
  CHECK(s->a, 3);
}

static void omp_only_a(void) {
  struct S v; v.a = 1; v.b = 2;
#pragma omp target enter data map(to: v.b)
#pragma omp target map(tofrom: v.a)
  { v.a += 5; }
  CHECK(v.a, 6);
#pragma omp target exit data map(delete: v.b)
}

static void omp_only_a_ptr(struct S *s) {
  s->a = 1; s->b = 2;
#pragma omp target enter data map(to: s->b)
#pragma omp target map(tofrom: s->a)
  { s->a += 5; }
  CHECK(s->a, 6);
#pragma omp target exit data map(delete: s->b)
}

static void omp_p(struct S *s) {
  int buf[10]; s->p = buf; for (int i = 0; i < 10; i++) buf[i] = i;
#pragma omp target enter data map(to: s->p[0:10])
  s->a = 1;
#pragma omp target map(tofrom: s->a)
  { s->a += 5; }
  CHECK(s->a, 6);
#pragma omp target map(tofrom: s->p[0:10])
  { s->p[3] += 5; }
#pragma omp target exit data map(from: s->p[0:10])
  CHECK(s->p[3], 8);
}
/* The first member, behind another one: the start of the structure is in its block. */
static void first(void) {
  struct S v;
  v.pad = 3, v.b = 4;
#pragma acc enter data copyin(v.b)
#pragma acc parallel copy(v.pad)
  { v.pad += 5; }
  CHECK(v.pad, 8);
#pragma acc exit data delete(v.b)
}

/* Again and again, while the other member moves. */
static void again(struct S *s) {
  s->pad = 1, s->a = 0;
#pragma acc enter data copyin(s->pad, s->a)
  for (int i = 0; i < 4; i++) {
    s->b = i;
#pragma acc enter data copyin(s->b)
#pragma acc parallel present(s->a)
    { s->a += 1; }
#pragma acc parallel present(s->b)
    { s->b += 10; }
#pragma acc update self(s->b)
    CHECK(s->b, 10 + i);
#pragma acc exit data delete(s->b)
  }
#pragma acc exit data copyout(s->a) delete(s->pad)
  CHECK(s->a, 4);
}

#pragma acc routine seq
static int sum(const int *a, const int *b) { return *a + *b; }

/* Addresses of members are no other use of the structure. */
static void addresses(struct S *s) {
  s->pad = 1, s->a = 2, s->b = 7;
#pragma acc enter data copyin(s->b)
#pragma acc parallel copy(s->a, s->pad)
  { s->a += sum(&s->pad, &s->a); }
  CHECK(s->a, 5);
#pragma acc exit data delete(s->b)
}

/* A region uses one member while another one is there: this one counts as often as before. */
static void counts(struct S *s) {
  struct S v;
  int buf[4] = {1, 2, 3, 4};
  v.p = buf;
  v.a = 1;
#pragma omp target enter data map(to: v.p[0:4])
#pragma omp target map(tofrom: v.a)
  { v.a += 1; }
  buf[1] = 9;
#pragma omp target exit data map(release: v.p[0:4])
#pragma omp target map(tofrom: v.p[0:4])
  { v.p[1] += 1; }
  CHECK(v.a, 2);
  CHECK(buf[1], 10);
  s->b = 5;
}

/* Clauses have no order: a pointer member is in the structure that a later clause brings. */
static void any_order(struct S *s) {
  int buf[4] = {1, 2, 3, 4};
  s->p = buf;
#pragma omp target map(tofrom: s->p[0:4]) map(tofrom: s[0:1])
  { s->p[2] += s->b; s->a = s->p[0]; }
  CHECK(buf[2], 8);
  CHECK(s->a, 1);
#pragma acc parallel copy(s->p[0:4], s[0:1])
  { s->p[2] += s->b; s->a = s->p[1]; }
  CHECK(buf[2], 13);
  CHECK(s->a, 2);
}

/* Clauses may name what the region does not use, wherever it lies; parts of an array member are its place. */
static void unused(struct S *s) {
  s->a = 1, s->b = 2, s->pad = 3;
  for (int i = 0; i < 100; i++) s->big[i] = i;
#pragma acc enter data copyin(s->b)
#pragma acc parallel present(s->b) copy(s->a)
  { s->a += 1; }
#pragma acc parallel loop copy(s->pad, s->big[2:5])
  for (int i = 2; i < 7; i++) s->big[i] += s->pad;
#pragma acc exit data delete(s->b)
  CHECK(s->a, 2);
  CHECK(s->big[6], 9);
#pragma acc parallel loop
  for (int i = 3; i < 5; i++) s->big[i] += s->pad;
  CHECK(s->big[4], 10);
}

/* What a data construct maps through a member that the region does not use may lie apart. */
static void around(struct S *s) {
  struct S v;
  int buf[4] = {1, 2, 3, 4};
  v.p = buf;
  v.a = 1;
#pragma acc enter data copyin(v.a)
#pragma acc data copy(v.p[0:4])
  {
#pragma acc parallel present(v.a)
    { v.a += 1; }
#pragma acc update self(v.a)
  }
#pragma acc exit data delete(v.a)
  CHECK(v.a, 2);
  s->a = v.a;
}

int main(void) {
  struct S *s = calloc(1, sizeof *s);
  only_a();
  only_a_ptr(s);
  only_b_ptr(s);
  only_b_implicit();
  optional(s);
  omp_only_a();
  omp_only_a_ptr(s);
  omp_p(s);
  first();
  again(s);
  addresses(s);
  counts(s);
  any_order(s);
  unused(s);
  around(s);
  printf("%d wrong\n", fails);
  free(s);
}

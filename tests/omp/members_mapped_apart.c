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
  printf("%d wrong\n", fails);
  free(s);
}

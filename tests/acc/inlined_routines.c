// Routines in the place of their calls: what a call keeps apart stays apart.
#include <stdio.h>

enum { N = 200 };

struct point {
  double x, y;
  int tag;
};

union number {
  float value;
  unsigned bits;
};

struct mixed {
  char name[3];
  short count;
  union number number;
  double *where;
};

// The caller's object stays as it is.
#pragma acc routine seq
static struct point moved(struct point p, double by) {
  p.x += by;
  p.y -= by;
  p.tag++;
  return p;
}

// The result goes to the object that it is made of, two members of which change places.
#pragma acc routine seq
static struct point swapped(const struct point *p) {
  struct point q = {p->y, p->x, -p->tag};
  return q;
}

#pragma acc routine seq
static struct point itself(const struct point *p) { return *p; }

#pragma acc routine seq
static int first_multiple(int from, int of) {
  if (of == 0)
    return -1;
  for (int i = from;; i++) {
    if (i % of == 0)
      return i;
    if (i > from + 100)
      break;
  }
  return -2;
}

#pragma acc routine seq
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

#pragma acc routine seq
static int is_odd(int n);

#pragma acc routine seq
static int is_even(int n) { return n == 0 || is_odd(n - 1); }

#pragma acc routine seq
static int is_odd(int n) { return n != 0 && is_even(n - 1); }

#pragma acc routine seq
static unsigned bits_of(float value) {
  union number both;
  both.value = value;
  return both.bits;
}

#pragma acc routine seq
static void both(int n, int *sum, int *product) {
  *sum += n;
  *product *= n;
}

#pragma acc routine seq
static void two_levels(int n, int *sum) {
  int ignored = 1;
  both(n, sum, &ignored);
  both(ignored, sum, &n);
  *sum += n;
}

#pragma acc routine seq
static int next_number(int reset) {
  static int numbers[2];
  if (reset)
    numbers[0] = 0;
  return numbers[0]++;
}

#pragma acc routine seq
static struct mixed filled(int i, double *where) {
  struct mixed m = {"ab", (short)i, {.value = i * 0.5f}, where};
  m.name[2] = (char)('a' + i % 26);
  return m;
}

#pragma acc routine seq
static int local_array(int n) {
  int digits[4] = {0};
  for (int i = 0; i < 4; i++) {
    digits[i] = n % 10;
    n /= 10;
  }
  return digits[0] * 1000 + digits[1] * 100 + digits[2] * 10 + digits[3];
}

#pragma acc routine seq
static int of_unwritten(int n) {
  int i, last;
  for (i = 0; i < n; i++)
    last = i * 3;
  return n > 0 ? last : 7;
}

#pragma acc routine seq
__attribute__((noinline)) static int apart(int n) { return n ^ 0x55; }

// Without a prototype, arguments are what the default promotions make of them.
#pragma acc routine seq
static int old_style(c, wide)
char c;
long wide;
{
  c += 1;
  return c + (int)(wide >> 32);
}

static int failures;

static void check(const char *what, int i, double found, double expected) {
  if (found != expected && failures++ < 10)
    printf("%s[%d]: %g instead of %g\n", what, i, found, expected);
}

static struct point points[N];
static double results[N], copies[N];
static int numbers[N], counts[N];
static struct mixed mixes[N];

static void objects(void) {
#pragma acc parallel loop copyout(points, results, copies)
  for (int i = 0; i < N; i++) {
    struct point p = {i, 2 * i, i}, q = moved(p, 0.5);
    q = moved(q, 0.25);
    q = swapped(&q);
    q = itself(&q);
    points[i] = q;
    results[i] = p.x + p.y + p.tag;
    struct point many[3] = {p, q, p};
    for (int k = 0; k < 3; k++)
      many[k] = moved(many[k], k);
    copies[i] = many[2].x + many[1].y + many[0].tag;
  }
  for (int i = 0; i < N; i++) {
    check("x", i, points[i].x, 2 * i - 0.75);
    check("y", i, points[i].y, i + 0.75);
    check("tag", i, points[i].tag, -(i + 2));
    check("results", i, results[i], 4.0 * i);
    check("copies", i, copies[i], i + 2 + (i + 0.75 - 1) + i + 1);
  }
}

static void control(void) {
#pragma acc parallel loop copyout(numbers, counts)
  for (int i = 0; i < N; i++) {
    int sum = first_multiple(i, 7), n = 0;
    if (first_multiple(i, i % 3) < 0)
      sum += 1000;
    while (first_multiple(n, 5) < i)
      n += first_multiple(1, 3);
    numbers[i] = sum + 10000 * n;
    counts[i] = factorial(i % 8) + is_even(i) + 2 * is_odd(i % 9) + apart(i) + of_unwritten(i % 4);
  }
  for (int i = 0; i < N; i++) {
    int sum = first_multiple(i, 7), n = 0, product = 1;
    if (first_multiple(i, i % 3) < 0)
      sum += 1000;
    while ((n + 4) / 5 * 5 < i)
      n += 3;
    check("numbers", i, numbers[i], sum + 10000 * n);
    for (int k = 2; k <= i % 8; k++)
      product *= k;
    int last = i % 4 > 0 ? (i % 4 - 1) * 3 : 7;
    check("counts", i, counts[i], product + (i % 2 == 0) + 2 * (i % 9 % 2) + (i ^ 0x55) + last);
  }
}

static void memory(void) {
#pragma acc parallel loop copyout(numbers, counts, mixes) copyin(results)
  for (int i = 0; i < N; i++) {
    int sum = i, product = 3;
    both(4, &sum, &product);
    two_levels(product, &sum);
    numbers[i] = sum;
    mixes[i] = filled(i, &results[i]);
    counts[i] = (int)(bits_of(i + 1.0f) >> 23) + local_array(1000 + i) + old_style('a', (long)i << 32);
  }
  for (int i = 0; i < N; i++) {
    check("sum", i, numbers[i], i + 4 + 12 + 12 + 144);
    check("name", i, mixes[i].name[2], 'a' + i % 26);
    check("count", i, mixes[i].count, i);
    check("number", i, mixes[i].number.value, i * 0.5);
    int exponent = 127;
    for (int n = i + 1; n > 1; n /= 2)
      exponent++;
    int n = 1000 + i, turned = n % 10 * 1000 + n / 10 % 10 * 100 + n / 100 % 10 * 10 + n / 1000;
    check("bits", i, counts[i], exponent + turned + 'a' + 1 + i);
  }
}

// What one thread does for all stays once.
static void single_mode(void) {
  int first = 0, second = 0, total = 0;
#pragma acc parallel num_gangs(1) num_workers(4) vector_length(32) copyout(first, second, numbers) copy(total)
  {
    first = next_number(1);
    second = next_number(0);
    struct point p = moved((struct point){1, 2, 3}, second);
#pragma acc loop worker vector reduction(+ : total)
    for (int i = 0; i < N; i++) {
      struct point q = moved(p, i);
      int own = 1;
      both(i, &total, &own);
      numbers[i] = (int)q.x + q.tag + own;
    }
    first = next_number(0);
  }
  check("first", 0, first, 2);
  check("second", 0, second, 1);
  check("total", 0, total, N * (N - 1) / 2);
  for (int i = 0; i < N; i++)
    check("moved", i, numbers[i], 2 + i + 5 + i);
}

int main(void) {
  objects();
  control();
  memory();
  single_mode();
  return failures != 0;
}

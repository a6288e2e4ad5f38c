// Small functions in loops, each in a way that the place of its call must not change.
#include <stdio.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>

static int add(int a, int b) { return a + b; }

// Parameters are variables of the callee's own.
static int countdown(int n) {
  int steps = 0;
  while (n > 0) {
    n -= 3;
    steps++;
  }
  return steps * 100 + n;
}

// One object for all calls, wherever they are.
static int ticket(void) {
  static int next = 100;
  return next++;
}

static int twice(int (*f)(int, int), int x) { return f(x, x); }

// A new object for every call, in a loop, too.
static int *remember(int value, int *old) {
  int mine[4] = {value, value + 1};
  *old = mine[0] + mine[1] + mine[2];
  return old;
}

static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int total = 0;
  while (n-- > 0)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

static int forwarded(int a, int b) { return sum(3, a, b, a * b); }

// Memory of an array of variable length, or of alloca, is there until the function that asked returns.
static int variable(int n) {
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i;
  return a[n - 1] + (int)(sizeof a / sizeof *a);
}
static char *borrowed(int n) { return memset(__builtin_alloca(n), 'x', n); }
static int first(int n) { return borrowed(n) != NULL; }

static jmp_buf back;
static int jumps;
static void leap(int value) {
  jumps++;
  longjmp(back, value);
}
static int guarded(int n) {
  volatile int seen = 0;
  if (setjmp(back) == 0)
    seen = 1;
  else
    seen = seen * 10 + 2;
  if (seen < n * 100)
    leap(1);
  return seen;
}

static volatile int port;
static int poll(void) { return port; }
static void write_port(int value) { port = value; }

static long narrow(signed char c) { return c; }
static unsigned long wide(unsigned char c) { return c; }
static _Bool truth(int x) { return x; }
static short shorter(long x) { return x; }

static void nothing(void) {}
static int ends(int x) {
  if (x > 1000)
    abort();
  return x;
}
static int early(int x) {
  for (int i = 0; i < 10; i++) {
    for (int j = 0; j < 10; j++)
      if (i * j == x)
        return i * 10 + j;
    if (i == x)
      continue;
  }
  return -1;
}
static int chosen(int x) {
  switch (x % 5) {
  case 0: return 7;
  case 1:
  case 2: x += 3;
  default: return x;
  case 4: break;
  }
  return -x;
}
static int both(int a, int b) { return a > 2 && b > 2; }
static int either(int a, int b) { return a > 7 || b > 7; }
static int neither(int a, int b) { return !either(a, b); }
static const char *word(int x) { return both(x, 5) ? "both" : neither(x, 1) ? "neither" : "other"; }
static int swapped(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
  return *a - *b;
}
__attribute__((noinline)) static int apart(int x) { return x ^ 1; }
static int old_style(a, b) char a; long b; { return a + (int)b; }
static double mixed(float f, double d, long double l) { return f + d + (double)l; }
static void *frame(void) { return __builtin_return_address(0); }

int main(void) {
  long total = 0;
  int old = 0;
  for (int i = 0; i < 12; i++) {
    int x = i, y = i * 2;
    total = total * 3 + add(i, countdown(i)) + ticket() + twice(add, i);
    total += *remember(i, &old) + depth(i) + is_even(i) * 5 + ackermann(2, i % 4);
    total += sum(2, i, 4) + forwarded(i, 3) + variable(i + 1) + first(i + 1);
    write_port(i);
    total += poll() + poll() + narrow((signed char)(i * 50)) + (long)wide((unsigned char)(i * 50));
    total += truth(i & 4) + shorter(i * 70000L) + ends(i) + early(i) + chosen(i) + swapped(&x, &y) + x * y;
    total += both(i, i) + either(i, 3) * 2 + neither(i, i) * 4 + apart(i) + old_style(i * 30, (long)i);
    total += (long)(mixed(i, 0.5, 0.25L) * 4) + (frame() != NULL);
    nothing();
    printf("%d %ld %s\n", i, total, word(i));
    total %= 100003;
  }
  for (int i = 0; i < 3; i++) {
    int seen = guarded(i);
    printf("%d %d\n", seen, jumps);
  }
  printf("%d\n", depth(20000));
  return 0;
}

// Structures and unions whose members could be variables, and what keeps them objects.
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct pair { int a, b; };
struct mixed { char c; short s; int i; long l; float f; double d; };
struct bits { unsigned a : 3, b : 7, c : 22; int d : 5; };
struct nested { struct pair p[2]; struct { struct pair in; int tail; } q; };
union pun { float f; uint32_t u; unsigned char bytes[4]; struct { uint16_t low, high; } half; };
union wide { double d; uint64_t u; struct { float x, y; } two; };
struct number { double complex z; long double l; __int128 w; };
struct packed { char c; int i; } __attribute__((packed));
struct big { int a[40]; };
struct chars { char text[13]; };

static struct pair pair(int a, int b) { return (struct pair){a, b}; }
static struct pair flip(struct pair p) {
  int t = p.a;
  p.a = p.b;
  p.b = t;
  return p;
}
static struct pair plus(struct pair p, struct pair q) { return pair(p.a + q.a, p.b + q.b); }
static struct mixed fill(int i) {
  struct mixed m = {i, i * 2, i * 3, i * 4L, i * 0.5f, i * 0.25};
  return m;
}
static double total(struct mixed m) { return m.c + m.s + m.i + m.l + m.f + m.d; }
static struct bits pack(int i) {
  struct bits b = {0};
  b.a = i;
  b.b = i * 9;
  b.c = i * 1001;
  b.d = -i;
  return b;
}
static long unpack(struct bits b) { return b.a + b.b * 10L + b.c * 100L + b.d; }
static uint32_t flipped(float f) {
  union pun p = {.f = f};
  p.u ^= 0x80000000u;
  p.bytes[0] |= 1;
  return p.u + p.half.high;
}
static uint32_t exponent(float f) {
  union pun p;
  p.f = f;
  return p.u >> 23 & 255;
}
static float halves(double d) {
  union wide w;
  w.d = d;
  return w.two.y + (float)(w.u >> 60);
}
static double back(uint64_t u) {
  union wide w;
  w.u = u;
  return w.d;
}
static struct number numbers(int i) {
  struct number n = {i + 2.0 * I, i * 0.5L, (__int128)i << 70};
  return n;
}
static double of_number(struct number n) {
  return creal(n.z) * 3 + cimag(n.z) + (double)n.l + (double)(n.w >> 68);
}
static double complex spin(double complex z) { return z * (0.0 + 1.0 * I); }
static float complex small(float complex z) { return conjf(z) + 1; }
static struct nested nest(int i) {
  struct nested n = {{{i, i + 1}, {i + 2, i + 3}}, {{i + 4, i + 5}, i + 6}};
  n.p[1] = flip(n.p[0]);
  n.q.in = n.p[1];
  return n;
}
static int of_nested(struct nested n) { return n.p[0].a + n.p[1].a * 10 + n.q.in.b * 100 + n.q.tail * 1000; }
static int element(struct nested n, int at) { return n.p[at & 1].a; }
static int loose(struct packed p) { return p.c + p.i; }
static struct big large(int i) {
  struct big b = {{i}};
  b.a[39] = i;
  b.a[i % 40] += 2;
  return b;
}
static struct chars named(int i) {
  struct chars c = {"abcdefghijkl"};
  c.text[i % 12] = 'X';
  return c;
}
static void escape(struct pair **where, struct pair *p) { *where = p; }
static int through(struct pair p) {
  struct pair *q;
  escape(&q, &p);
  q->a += 5;
  return p.a * 10 + p.b;
}
static int bytes_of(struct pair p) {
  unsigned char b[sizeof p];
  memcpy(b, &p, sizeof p);
  return b[0] + b[4] * 2;
}
// The result is the argument's own object.
static struct pair *self(struct pair *p) { return p; }
static void turn(struct pair *p) { *p = flip(*p); }
static _Thread_local struct pair own = {1, 2};
static struct pair shared[3];
static struct pair step(void) {
  own = plus(own, pair(1, 1));
  return own;
}
static volatile struct pair device;

int main(void) {
  for (int i = 0; i < 9; i++) {
    struct pair p = pair(i, -i), q = p, *r = &shared[i % 3];
    p = flip(plus(p, flip(pair(3, 4))));
    q = q;
    *r = plus(*r, p);
    p = plus(p, *self(&p));
    turn(&q);
    device.a = i;
    device.b = device.a + 1;
    struct mixed m = fill(i);
    printf("%d: %d %d, %d %d, %g", i, p.a, p.b, q.a, q.b, total(m));
    m.l = i;
    struct mixed copy = m;
    m.c = 100;
    printf(" %g %g", total(m), total(copy));
    printf(" %ld %u %u", unpack(pack(i)), flipped(i), exponent(i + 0.5f));
    printf(" %g %g", halves(i * 1.5), back((uint64_t)i << 52));
    printf(" %g", of_number(numbers(i)));
    double complex z = spin(i + 0.5 * I);
    float complex s = small(i - 0.5f * I);
    printf(" %g %g %g %g", creal(z), cimag(z), crealf(s), cimagf(s));
    printf(" %d %d %d\n", of_nested(nest(i)), element(nest(i), i), loose((struct packed){i, i * 2}));
    struct big b = large(i), b2 = b;
    b.a[0] = 9;
    struct chars c = named(i);
    struct pair t = step();
    printf("   %d %d %d %s", b.a[39], b2.a[0], b2.a[i], c.text);
    printf(" %d %d", through(p), bytes_of(pair(i, i + 1)));
    printf(" %d %d %d %d\n", t.a, own.b, shared[0].a, device.b);
  }
  struct pair in_loop;
  for (int i = 0; i < 4; i++) {
    struct pair once;
    if (i == 0)
      in_loop = pair(7, 8);
    once = plus(in_loop, pair(i, 0));
    in_loop = flip(once);
    printf("%d %d\n", once.a, in_loop.a);
  }
  unsigned char raw[sizeof(struct pair)];
  struct pair source = {0x01020304, 0x05060708}, target;
  memcpy(raw, &source, sizeof raw);
  memcpy(&target, raw, sizeof target);
  memset(&source, 0x11, sizeof source);
  printf("%x %x %x\n", target.a, target.b, source.b);
  return 0;
}

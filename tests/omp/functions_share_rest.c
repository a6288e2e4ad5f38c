// options: -fopenmp
// What `parallel` in functions may have besides: declared reductions, nests that are no boxes, arrays of variable length,
// tasks, and what one thread executes in order.
#include <stdio.h>
#include <omp.h>
struct p { double lo, hi; int at; };
#pragma omp declare reduction(mm : struct p : omp_out.lo = omp_in.lo < omp_out.lo ? omp_in.lo : omp_out.lo, omp_out.at = omp_in.hi > omp_out.hi ? omp_in.at : omp_out.at, omp_out.hi = omp_in.hi > omp_out.hi ? omp_in.hi : omp_out.hi) initializer(omp_priv = {1e9, -1e9, -1})
#pragma omp declare target
static struct p ends(const double *a, int n)
{
  struct p p = {1e9, -1e9, -1};
#pragma omp parallel for reduction(mm : p)
  for (int i = 0; i < n; i++) { if (a[i] < p.lo) p.lo = a[i]; if (a[i] > p.hi) { p.hi = a[i]; p.at = i; } }
  return p;
}
static void scan(double *a, int n)
{
  double x = 0;
#pragma omp parallel for reduction(inscan, +: x)
  for (int i = 0; i < n; i++) { x += a[i];
#pragma omp scan inclusive(x)
    a[i] = x; }
}
static int cond(const double *a, int n)
{
  int x = -1;
#pragma omp parallel for lastprivate(conditional: x)
  for (int i = 0; i < n; i++) if (a[i] > 100) x = i;
  return x;
}
static long ord(const double *a, int n)
{
  long x = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < n; i++) {
    double y = a[i];
#pragma omp ordered
    x = (x * 3 + (long)y) % 1009; }
  return x;
}
static int crit(const double *a, int n)
{
  int x = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp critical
    x = x + (a[i] > 50); }
  return x;
}
static int tri(double *a, int n)
{
  int c = 0;
#pragma omp parallel for collapse(2) reduction(+:c)
  for (int i = 0; i < n; i++) for (int j = i; j < n; j++) c += (int)a[(i + j) % n] % 3;
  return c;
}
static double vla(double *a, int n)
{
  double t[n], s = 0;
#pragma omp parallel
  {
#pragma omp for
  for (int i = 0; i < n; i++) t[i] = a[n - 1 - i];
#pragma omp for reduction(+:s)
  for (int i = 0; i < n; i++) s += t[i] * (i % 2);
  }
  return s;
}
static int stat(double *a, int n)
{
  static int calls;
  int k = 5;
#pragma omp parallel for linear(k : 2)
  for (int i = 0; i < n; i++) { a[i] += k % 2; k += 2; }
#pragma omp atomic
  calls++;
  return k;
}
static int tasks(double *a, int n)
{
  int s = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i += 10)
#pragma omp task shared(s)
    {
#pragma omp atomic
      s += (int)a[i] % 5;
    }
  return s;
}
static int tl(double *a, int n)
{
  int s = 0;
#pragma omp parallel
  {
  int me = omp_get_thread_num();
#pragma omp single
#pragma omp taskloop shared(s)
  for (int i = 0; i < n; i += 10)
    {
#pragma omp atomic
      s += (int)a[i] % 5 + me * 0;
    }
  }
  return s;
}
#pragma omp end declare target
static double a[3][150]; static long out[3][12];
int main(void) {
  for (int g = 0; g < 3; g++) for (int i = 0; i < 150; i++) a[g][i] = (i * 37 + g * 11) % 128;
#pragma omp target teams distribute map(tofrom: a, out)
  for (int g = 0; g < 3; g++) {
    struct p p = ends(a[g], 150);
    out[g][0] = p.lo; out[g][1] = p.hi; out[g][2] = p.at;
    out[g][3] = cond(a[g], 150); out[g][4] = ord(a[g], 150); out[g][5] = crit(a[g], 150);
    out[g][6] = tri(a[g], 20); out[g][7] = vla(a[g], 150); out[g][8] = stat(a[g], 150);
    out[g][9] = tasks(a[g], 150); out[g][10] = tl(a[g], 150);
    scan(a[g], 150);
    out[g][11] = a[g][149];
  }
  for (int g = 0; g < 3; g++) { for (int k = 0; k < 12; k++) printf("%ld ", out[g][k]); puts(""); }
}

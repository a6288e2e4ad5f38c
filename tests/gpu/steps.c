// Launch after launch, as a loop over time makes them, for a driver whose kernels do nothing: see driver.c. What regions copy comes
// back as it was.
#include <openacc.h>
#include <stdio.h>
#include <time.h>

enum { N = 1000, STEPS = 500 };

static double a[N], b[N];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

// The host waits for none of these.
static double stay(void) {
  double begin = now();
  for (int s = 0; s < STEPS; s++) {
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++)
      b[i] = a[i] * s;
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < N; i++)
      a[i] = b[i] * 0.5;
  }
  return (now() - begin) / STEPS / 2;
}

static double queue(void) {
  double begin = now();
  for (int s = 0; s < STEPS; s++) {
#pragma acc parallel loop present(a, b) async(1)
    for (int i = 0; i < N; i++)
      b[i] = a[i] * s;
  }
#pragma acc wait(1)
  return (now() - begin) / STEPS;
}

// Values go there and come back: the same one twice, then another.
static double scalars(void) {
  double begin = now();
  for (int s = 0; s < STEPS; s++) {
    double sum = s / 2;
    float least = -1.5f;
    char flag = 'a' + s % 3;
#pragma acc parallel loop present(a) reduction(+ : sum) reduction(min : least) copy(flag)
    for (int i = 0; i < N; i++) {
      sum += a[i];
      least = a[i] < least ? a[i] : least;
      if (a[i] < 0)
        flag = 'z';
    }
    if (sum != s / 2 || least != -1.5f || flag != 'a' + s % 3)
      printf("%d: %g %g %c\n", s, sum, least, flag);
  }
  return (now() - begin) / STEPS;
}

// A block that held a value is given to somebody who leaves something else there.
static void reuse(void) {
  for (int s = 0; s < 8; s++) {
    double first = 3;
#pragma acc serial copy(first)
    first += 0;
    double out[1];
#pragma acc data create(out)
    {
      out[0] = 4;
#pragma acc update device(out)
#pragma acc serial present(out)
      out[0] += 0;
#pragma acc update self(out)
    }
    double second = 3;
#pragma acc serial copy(second)
    second += 0;
    if (first != 3 || out[0] != 4 || second != 3)
      printf("%d: %g %g %g\n", s, first, out[0], second);
  }
}

int main(int argc, char **argv) {
#pragma acc data copy(a, b)
  {
    double times[] = {stay(), queue(), scalars()};
    reuse();
    if (argc > 1)
      printf("ns: %.0f %.0f %.0f\n", times[0], times[1], times[2]);
  }
  puts("done");
  return 0;
}

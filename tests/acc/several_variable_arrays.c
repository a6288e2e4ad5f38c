// Several reduced arrays of variable length: their memory is given back in the opposite order.
#include <stdio.h>

#define N 50

static void print(const char *name, int n, const int *v, const long *w) {
  printf("%s", name);
  for (int i = 0; i < n; i++)
    printf(" %d %ld", v[i], w[i]);
  printf("\n");
}

int main(void) {
  int n = 5, v[n];
  long w[n];
  for (int i = 0; i < n; i++)
    v[i] = w[i] = i;
#pragma acc parallel loop reduction(+ : v) reduction(max : w)
  for (int i = 0; i < N; i++) {
    v[i % n] += i;
    w[i % n] = w[i % n] > i * 37 % 41 ? w[i % n] : i * 37 % 41;
  }
  print("one loop", n, v, w);

#pragma acc parallel loop gang num_gangs(3) copy(v, w)
  for (int j = 0; j < 4; j++) {
#pragma acc loop worker reduction(+ : v, w)
    for (int i = 0; i < N; i++) {
      v[i % n] += i;
      w[(i + j) % n] += 1;
    }
#pragma acc loop vector reduction(+ : w[1 : n - 2])
    for (int i = 0; i < N; i++)
      w[1 + i % (n - 2)] += j;
  }
  print("inner loops", n, v, w);

#pragma acc parallel reduction(+ : v) reduction(max : w) num_gangs(1)
  {
    int own[n];
    for (int i = 0; i < n; i++)
      own[i] = i;
#pragma acc loop worker vector reduction(+ : own, v)
    for (int i = 0; i < N; i++) {
      own[i % n] += 2;
      v[i % n]--;
    }
    for (int i = 0; i < n; i++)
      w[i] = own[i] > w[i] ? own[i] : w[i];
  }
  print("one gang", n, v, w);
}

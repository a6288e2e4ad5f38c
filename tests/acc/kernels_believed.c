// Levels on a loop of `kernels` are believed where subscripts are not known to differ; what its iterations leave in
// variables is kept all the same.
// options: -Wno-independent-refuted
#include <stdio.h>

enum { N = 64 };
static int place[N];

int main(void) {
  int a[N], b[N], more[N], last = -1, step = 2;
  float value = 0, *address = &value;
  for (int i = 0; i < N; i++) {
    place[i] = (i * 7) % N;
    more[i] = 0;
  }

  // An object in memory, as its address is taken.
#pragma acc kernels copy(value) copyout(a) copyin(place)
#pragma acc loop gang vector
  for (int i = 0; i < N; i++) {
    a[place[i]] = i;
    value = (float)step;
    value = (float)(i + 4);
  }
  printf("%g %d\n", *address, a[7]);

  // A scalar.
#pragma acc kernels copyout(b) copyin(place)
#pragma acc loop gang worker
  for (int i = 0; i < N; i++) {
    b[place[i]] = i;
    last = 3 * i;
  }
  printf("%d %d\n", last, b[14]);

  // A second counter.
  int second = 5;
#pragma acc kernels copy(more) copyin(place)
#pragma acc loop gang vector
  for (int i = 0; i < N; i++) {
    more[place[i]] = second;
    second += step;
  }
  printf("%d %d %d\n", second, more[7], more[N - 7]);

  // An array that the region declares: each gang would have its own.
  int total = 0;
#pragma acc kernels copyin(place) copy(total)
  {
    int own[N];
#pragma acc loop gang
    for (int i = 0; i < N; i++)
      own[place[i]] = i;
    for (int i = 0; i < N; i++)
      total += own[i] * (i % 3);
  }
  printf("%d\n", total);
  return 0;
}

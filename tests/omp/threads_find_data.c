// options: -fopenmp
// The threads of a team find data present while another one still copies it there, and may use it at once.
#include <omp.h>
#include <stdio.h>

#define ROUNDS 20
#define N 512

static int shared[N];

int main(void) {
  int wrong = 0;
  for (int i = 0; i < N; i++)
    shared[i] = 5 * i;
#pragma omp parallel num_threads(8) reduction(+ : wrong)
  {
    int id = omp_get_thread_num();
    int own[N];
    for (int round = 0; round < ROUNDS; round++) {
      switch ((id + round) % 4) {
      case 0: {
#pragma omp target data map(to : shared) map(from : own)
#pragma omp target teams loop
        for (int i = 0; i < N; i++)
          own[i] = shared[i] + id;
        break;
      }
      case 1: {
#pragma omp target enter data map(to : shared)
#pragma omp target teams loop map(from : own) nowait depend(out : own)
        for (int i = 0; i < N; i++)
          own[i] = shared[i] + id;
#pragma omp taskwait
#pragma omp target exit data map(release : shared)
        break;
      }
      case 2: {
#pragma omp target teams loop map(to : shared) map(from : own) nowait
        for (int i = 0; i < N; i++)
          own[i] = shared[i] + id;
#pragma omp taskwait
        break;
      }
      default: {
#pragma omp target teams loop map(to : shared) map(from : own)
        for (int i = 0; i < N; i++)
          own[i] = shared[i] + id;
      }
      }
      for (int i = 0; i < N; i++)
        wrong += own[i] != 5 * i + id;
    }
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}

// Threads of the host that find data present while another one still copies it there may use it at once: each
// has a directive without `async` behind it, of which it cannot know that it copied nothing.
// options: --memory discrete
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 8
#define ROUNDS 20
#define N 512

static int read_only[N], constant[N];

// By `data`, `enter data`, a routine, and compute constructs with the clause.
static void *work(void *argument) {
  long id = (long)argument, wrong = 0;
  int own[N];
  for (int round = 0; round < ROUNDS; round++) {
    switch ((id + round) % 4) {
    case 0: {
#pragma acc data copyin(read_only) copyout(own)
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
        own[i] = read_only[i] + (int)id;
      break;
    }
    case 1: {
#pragma acc enter data copyin(read_only)
#pragma acc parallel loop present(read_only) copyout(own) async(id)
      for (int i = 0; i < N; i++)
        own[i] = read_only[i] + (int)id;
#pragma acc wait(id)
#pragma acc exit data delete(read_only)
      break;
    }
    case 2: {
      int *device = acc_copyin(read_only, sizeof read_only);
#pragma acc parallel loop deviceptr(device) copyout(own) async(id)
      for (int i = 0; i < N; i++)
        own[i] = device[i] + (int)id;
#pragma acc wait(id)
      acc_delete(read_only, sizeof read_only);
      break;
    }
    default: {
#pragma acc parallel loop copyin(read_only) copyout(own) async(id)
      for (int i = 0; i < N; i++)
        own[i] = read_only[i] + (int)id;
#pragma acc wait(id)
    }
    }
    for (int i = 0; i < N; i++)
      wrong += own[i] != 5 * i + id;
    // A part of what another thread has entered.
    int sum = 0;
#pragma acc kernels copyin(constant[0 : N / 2])
    for (int i = 0; i < N / 2; i++)
      sum += constant[i];
    wrong += sum != N / 2 * 3;
  }
  return (void *)wrong;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < N; i++) {
    read_only[i] = 5 * i;
    constant[i] = 3;
  }
  for (long id = 0; id < THREADS; id++)
    pthread_create(&threads[id], NULL, work, (void *)id);
  long wrong = 0;
  for (int id = 0; id < THREADS; id++) {
    void *result;
    pthread_join(threads[id], &result);
    wrong += (long)result;
  }
  printf("%ld wrong, present %d %d\n", wrong, acc_is_present(read_only, sizeof read_only),
         acc_is_present(constant, sizeof constant));
  return wrong != 0;
}

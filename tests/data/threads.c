// Several host threads use a device at once: each with data of its own, and all with one array that they count on.
// options: --memory discrete
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 8
#define N 256

static int shared[N];

static void *work(void *argument) {
  long id = (long)argument, wrong = 0;
  int own[N];
  for (int round = 0; round < 50; round++) {
    for (int i = 0; i < N; i++)
      own[i] = i;
#pragma acc data copy(own) copyin(shared)
    {
#pragma acc parallel loop async(id)
      for (int i = 0; i < N; i++)
        own[i] = own[i] * (int)id + shared[i];
      int sum = 0;
#pragma acc parallel loop reduction(+ : sum) async(id)
      for (int i = 0; i < N; i++)
        sum += own[i] - shared[i];
#pragma acc wait(id)
      wrong += sum != N * (N - 1) / 2 * id;
    }
#pragma acc enter data copyin(own)
    acc_set_default_async((int)id);
#pragma acc exit data delete(own) async
    acc_wait((int)id);
    for (int i = 0; i < N; i++)
      wrong += own[i] != i * id + 7 * i;
  }
  return (void *)wrong;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < N; i++)
    shared[i] = 7 * i;
  for (long id = 0; id < THREADS; id++)
    pthread_create(&threads[id], NULL, work, (void *)id);
  long wrong = 0;
  for (int id = 0; id < THREADS; id++) {
    void *result;
    pthread_join(threads[id], &result);
    wrong += (long)result;
  }
  printf("%ld wrong, present %d\n", wrong, acc_is_present(shared, sizeof shared));
  return wrong != 0;
}

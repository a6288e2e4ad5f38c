// Random numbers by a state for each gang and lane, which NVIDIA's names for their numbers choose.
// also: --gangs 3
#include <openacc.h>
#include <stdio.h>

#define GANGS 4
#define LANES 32

static unsigned states[GANGS * LANES], drawn[GANGS * LANES];

#pragma acc routine seq
static unsigned draw(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

int main(void) {
  int wrong = 0, gangs = 0;
  for (int i = 0; i < GANGS * LANES; i++)
    states[i] = i;
#pragma acc parallel num_gangs(GANGS) num_workers(1) vector_length(LANES) copy(states, drawn) copy(gangs)
  {
    if (__pgi_workeridx() == 0) {
#pragma acc atomic update
      gangs += __pgi_gangidx() >= 0;
    }
#pragma acc loop gang vector
    for (int i = 0; i < 1000; i++) {
      int place = __pgi_gangidx() * LANES + __pgi_vectoridx();
      drawn[place] += draw(&states[place]) > 0xffffu;
    }
  }
  for (int i = 0; i < GANGS * LANES; i++)
    wrong += drawn[i] != 0;
  printf("%d %d\n", wrong, gangs > 0);
}

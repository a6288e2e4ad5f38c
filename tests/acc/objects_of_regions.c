// Objects that only regions and functions which they call name: both mean one object, on devices with memory of
// their own, too. What names them is a region, a data directive, or nothing but such functions.
// options: -Wno-routine-variable
#include <stdio.h>

static int marks[4];
static double table[3];
static struct { int count, parts[3]; } both;
static int alone[2];
static int present[4];

static void put(int i, int value) {
  marks[i] += value;
  table[i % 3] += value;
  both.parts[i % 3] += value;
  both.count++;
  alone[0]++;
}

static int got(int i) { return marks[i] + (int)table[i % 3] * 100 + both.parts[i % 3] * 10000 + both.count * 1000000; }

static int last(void) { return alone[0] + present[1]; }

int main(void) {
  int results[7] = {0};
#pragma acc serial copy(results)
  {
    marks[1] = 5;
    table[1] = 2;
    both.parts[1] = 7;
    put(1, 1);
    results[0] = got(1);
  }
#pragma acc serial copy(results)
  {
    for (int i = 0; i < 4; i++)
      put(i, i + 1);
    results[1] = marks[1];
    results[2] = (int)table[1] + both.count;
  }
#pragma acc parallel loop
  for (int i = 0; i < 4; i++)
    marks[i] += 10;
#pragma acc serial copy(results)
  results[3] = got(1);
#pragma acc enter data copyin(present)
#pragma acc serial present(present)
  present[1] = 40;
#pragma acc serial copy(results)
  results[4] = last();
#pragma acc exit data copyout(present)
#pragma acc serial copy(results)
  results[5] = last();
  for (int i = 0; i < 6; i++)
    printf("%d\n", results[i]);
}

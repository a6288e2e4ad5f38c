// Sections of structures are reduced through pointers: at file scope, in a function, of a parameter.
#include <stdio.h>
#include <stdlib.h>

struct pair { int x; long y; };
struct one { float f; };
struct mixed { int n; short s[3]; };

static struct pair *outer;
static struct mixed *several;

static void of_parameter(struct one *p) {
#pragma acc parallel loop reduction(+ : p[0:2])
  for (int i = 0; i < 100; i++)
    p[i % 2].f += i;
}

int main(void) {
  outer = calloc(4, sizeof *outer);
  several = calloc(3, sizeof *several);
  struct pair *inner = calloc(4, sizeof *inner);
  struct one singles[2] = {{1}, {2}};
  for (int k = 0; k < 4; k++)
    outer[k].x = inner[k].x = k + 1, outer[k].y = inner[k].y = 1;
#pragma acc parallel reduction(+ : outer[1:2]) reduction(+ : several[0:3])
  {
#pragma acc loop gang worker vector reduction(+ : outer[1:2]) reduction(+ : several[0:3])
    for (int i = 0; i < 300; i++) {
      outer[1 + i % 2].x++;
      outer[1 + i % 2].y += i;
      several[i % 3].n += 2;
      several[i % 3].s[i % 2] += 1;
    }
  }
#pragma acc parallel reduction(* : outer[0:4])
  {
  }
#pragma acc parallel loop reduction(+ : inner[0:4])
  for (int i = 0; i < 64; i++)
    inner[i % 4].y += i;
  of_parameter(singles);
  for (int k = 0; k < 4; k++)
    printf("%d %ld %d %ld\n", outer[k].x, outer[k].y, inner[k].x, inner[k].y);
  for (int k = 0; k < 3; k++)
    printf("%d %d %d %d\n", several[k].n, several[k].s[0], several[k].s[1], several[k].s[2]);
  printf("%g %g\n", singles[0].f, singles[1].f);
}

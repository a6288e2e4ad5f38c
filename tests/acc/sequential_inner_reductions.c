// A sequential loop's clause holds for the loops around it that threads share, which have none.
#include <stdio.h>
#define N 200

static int a[N][4];

int main(void)
{
  int s = 1, most = 0, t[3] = {1, 2, 3};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 4; j++)
      a[i][j] = (i * 7 + j * 5) % 31;
#pragma acc parallel loop gang vector copy(s)
  for (int i = 0; i < N; i++)
#pragma acc loop seq reduction(+ : s)
    for (int j = 0; j < 4; j++)
      s += a[i][j];
#pragma acc parallel copy(most)
#pragma acc loop gang
  for (int i = 0; i < N; i += 50)
#pragma acc loop worker vector
    for (int k = i; k < i + 50; k++)
#pragma acc loop seq reduction(max : most)
      for (int j = 0; j < 4; j++)
        most = a[k][j] * k > most ? a[k][j] * k : most;
#pragma acc parallel loop gang worker copy(t)
  for (int i = 0; i < N; i++)
#pragma acc loop seq reduction(+ : t)
    for (int j = 0; j < 3; j++)
      t[j] += a[i][j];
  printf("%d %d %d %d %d\n", s, most, t[0], t[1], t[2]);
}

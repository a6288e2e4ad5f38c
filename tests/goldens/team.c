// Executes the golden case of a team of all threads of a gang.
// options: -fopenmp
#include <stdio.h>

#include "../../golden/cases/tasks/team.c"

int main(void)
{
    int a[120];
    for (int i = 0; i < 120; i++)
        a[i] = i * i % 17;
    team(a, 3);
    long sum = 0;
    for (int i = 0; i < 120; i++)
        sum += a[i] * (i + 1L);
    printf("%d %d %d %ld\n", a[0], a[41], a[119], sum);
    return 0;
}

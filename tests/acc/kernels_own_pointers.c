// Pointers that `kernels` declares lead to its own arrays in each of the launches that it becomes.

#include <stdio.h>

static int a[20000], b[20000];

struct list {
    int *at;
};

int main(void)
{
    int n = 20000;
#pragma acc kernels copy(a)
    {
        int held[2] = {1, 4}, *r = held;
        for (int i = 0; i < n; i++)
            a[i] += i;
        a[7] += r[0];
        for (int i = 0; i < n; i++)
            a[i] += r[1];
    }
    printf("%d %d\n", a[7], a[19999]);
    // What a loop reduces behind the pointer.
#pragma acc kernels copy(a)
    {
        int held[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *r = held;
#pragma acc loop reduction(+ : r[0:8])
        for (int i = 0; i < n; i++) {
            a[i] ^= 3;
            r[i % 8]++;
        }
        a[0] = r[0];
        a[1] = r[7];
    }
    printf("%d %d\n", a[0], a[1]);
    // A pointer in a structure, to a variable that the host's loop repeats.
#pragma acc kernels copy(a, b)
    {
        int sum = 2;
        struct list first = {&sum};
        for (int step = 0; step < 3; step++) {
            for (int i = 0; i < n; i++)
                b[i] = a[i] + *first.at;
            *first.at += b[5] % 3;
        }
    }
    printf("%d %d\n", b[5], b[19999]);
    return 0;
}

/* Widths and precisions of printf that are arguments: constants, known at run time, below zero. */
#include <stdio.h>

int main(void) {
    const char *word = "accrue";
    const int wide = 9;
#pragma acc parallel loop seq num_gangs(1) num_workers(1) vector_length(1)
    for (int i = -3; i < 4; i++) {
        double x = 3.14159 * i;
        printf("[%*d|%-*d|%0*d]", 2 * i, i, 6, i, i + 5, i);
        printf("[%.*f|%*.*e|%+-*.*g]", i, x, 14, i, x, 3 * i, i + 1, x);
        printf("[%.*d|%.*x]%%*", i, i * i, 3, i * i);
        printf("[%*hhd|%-*hx|%.*ld|%*lld]", i, 300 + i, 5, 70000 + i, 4, (long)i, wide, -5000000000LL * i);
        printf("[%.*f|%*c|%%|%5.*f]\n", 2, x, i, 'c', -1, x);
    }
#pragma acc serial
    {
        char own[] = "abcdef";
        for (int i = -1; i < 3; i++)
            printf("[%.*s|%*.*s|%-*s]\n", i, own, 5, 3, own, 8 - i, own);
    }
    printf("%.*s\n", 3, word);
    return 0;
}

// Of options that exclude each other the last counts, as with other C compilers; what changes nothing here is accepted.
// options: -std=c11 -std=gnu11 -O0 -O3 -O1 -w -w -g -g3 -ggdb -Wall -Wall -pthread -pthread -fopenmp -fno-openmp
// also: -march=native -mtune=native -mavx2 -m64 -ffast-math -funroll-loops -fno-tree-vectorize -ffp-contract=off
// also: -fgnu89-inline -std=gnu89 -std=gnu17 -fno-builtin -fPIC -fno-common
#include <stdio.h>

int main(void) {
#if defined(_OPENMP) || !defined(__OPTIMIZE__) || defined(__STRICT_ANSI__)
    puts("an earlier option counts");
#endif
    printf("%d\n", (typeof(1)){5});
    return 0;
}

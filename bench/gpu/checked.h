// The loops of nests.c and the suites behind it: each is called as often as `rounds`, the program's argument,
// says, before the next one, as its twin in CUDA is. What its first call leaves in `c` is added up and printed.
#define CHECKED(name, type, count, call)                     \
    do {                                                     \
        clear(c);                                            \
        call;                                                \
        const type *out = (const type *)c;                   \
        double sum = 0;                                      \
        _Pragma("acc update self(c[0:N])")                   \
        for (long i = 0; i < (count); i += 97)               \
            sum += out[i];                                   \
        printf("%s %.9g\n", name, sum);                      \
        for (int round = 1; round < rounds; round++)         \
            call;                                            \
    } while (0)

static void clear(float *restrict c)
{
#pragma acc parallel loop present(c)
    for (int i = 0; i < N; i++)
        c[i] = 0;
}

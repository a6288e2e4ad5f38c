// Accesses by other types that C permits, in loops that keep values in registers where it does not: members of
// unions, characters, copies, memory of the heap that takes the type of what is stored there.
// also: -fno-strict-aliasing
// also: -O0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

union word {
    float number;
    int bits;
    short halves[2];
};

struct tagged {
    int tag;
    union word word;
};

/* A member is written, another one of the same bytes is read. */
NOINLINE static int through_members(union word *u, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += u->bits;
        u->number = u->number + 1;
    }
    return sum;
}

NOINLINE static int through_array_members(union word *u, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += u->halves[i & 1];
        u->number *= 1.5f;
    }
    return sum;
}

NOINLINE static int through_nested_members(struct tagged *t, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += t->word.bits;
        *&t->word.number += 0.25f;
    }
    return sum;
}

/* Characters are parts of everything. */
NOINLINE static unsigned long by_characters(unsigned char *bytes, unsigned long *whole, int n)
{
    unsigned long sum = 0;
    for (int i = 0; i < n; i++) {
        bytes[i & 7]++;
        sum = sum * 3 + *whole;
    }
    return sum;
}

NOINLINE static double by_copies(double *number, const long *bits, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        long next = bits[i];
        memcpy(number, &next, sizeof next);
        sum += *number;
    }
    return sum;
}

struct pair {
    double first;
    int second;
};

/* The first member is the structure, and structures are copied whole. */
NOINLINE static double by_structures(struct pair *pairs, double *first, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        struct pair next = {i, i};
        pairs[0] = next;
        sum += *first;
        *first = -sum;
        sum += pairs[0].first;
    }
    return sum;
}

NOINLINE static double by_members(struct pair *pairs, int n)
{
    double *first = &pairs->first;
    int *second = &pairs->second;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        *second += i;
        *first += *second;
        sum += pairs->first + pairs->second;
    }
    return sum;
}

/* Memory of the heap is a long, then a double, then a long again. */
NOINLINE static long reused(void *memory, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++) {
        long *whole = memory;
        *whole = i;
        sum += *whole;
        double *number = memory;
        *number = i * 0.5;
        sum += *number < 3;
    }
    double last = *(double *)memory;
    return sum * 100 + (long)(last * 2);
}

NOINLINE static float taken_over(void *memory, int n)
{
    int *counter = memory;
    *counter = 0;
    for (int i = 0; i < n; i++)
        *counter += i;
    int total = *counter;
    float *number = memory;
    *number = total;
    for (int i = 0; i < n; i++)
        *number += 0.5f;
    return *number;
}

/* Stores of two types to the same memory keep their order: the last one counts. */
NOINLINE static int last_store(int *a, float *b, int n)
{
    for (int i = 0; i < n; i++) {
        *a = i;
        *b = i + 0.5f;
    }
    float found;
    memcpy(&found, a, sizeof found);
    return (int)(found * 10);
}

NOINLINE static int first_again(int *a, void *b, int n)
{
    int kept = *a;
    for (int i = 0; i < n; i++) {
        *(float *)b = i;
        *a = kept;
    }
    return *a;
}

/* An arena of characters from which objects of any type are cut. */
struct node {
    struct node *next;
    double value;
    long count;
};

static char *arena;
static unsigned long used;

static void *cut(unsigned long size)
{
    void *result = arena + used;
    used += (size + 15) / 16 * 16;
    return result;
}

NOINLINE static double list(int n)
{
    struct node *first = 0;
    for (int i = 0; i < n; i++) {
        struct node *node = cut(sizeof *node);
        node->next = first;
        node->value = i * 0.5;
        node->count = i;
        first = node;
    }
    double sum = 0;
    for (struct node *node = first; node; node = node->next) {
        node->value += node->count;
        node->count++;
        sum += node->value * node->count;
    }
    return sum;
}

/* Where the rule holds: pointers stay what they are while numbers are stored. */
double *values, *totals;

NOINLINE static double rows(double **row, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            row[i][n - 1] += row[j][0] * (i + j);
    for (int i = 0; i < n; i++)
        totals[i & 3] += values[i];
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += row[i][n - 1] + totals[i & 3];
    return sum;
}

/* A loop that stores only sometimes, or not at all, writes nothing else. */
static const int constant = 5;

NOINLINE static int sometimes(int *place, const int *when, int n)
{
    for (int i = 0; i < n; i++) {
        int now = *place;
        if (when[i] > now)
            *place = when[i];
    }
    return *place;
}

NOINLINE static int left_early(int *place, const int *when, int n)
{
    for (int i = 0; i < n; i++) {
        *place += when[i];
        if (*place > 10)
            break;
        if (*place == 7)
            return -*place;
    }
    return *place;
}

/* Signed and unsigned numbers of a width are of one kind, and a complex number is two numbers. */
NOINLINE static unsigned signs(int *a, unsigned *b, int n)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++) {
        *a -= i;
        sum += *b;
    }
    return sum;
}

NOINLINE static double parts(double _Complex *z, double *part, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        *z += 1.0 + i * 1.0i;
        sum += part[0] - part[1];
        part[1] += 0.5;
    }
    return sum + __real__ *z + __imag__ *z;
}

typedef int __attribute__((may_alias)) any_int;

NOINLINE static int may_alias(float *number, any_int *bits, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        *number += 1;
        sum ^= *bits + i;
    }
    return sum;
}

struct flags {
    unsigned low : 5, high : 7;
    unsigned char byte;
    short half;
};

NOINLINE static int fields(struct flags *flags, int n)
{
    int sum = 0;
    unsigned char *byte = &flags->byte;
    for (int i = 0; i < n; i++) {
        flags->high += 3;
        *byte += flags->low;
        flags->half -= *byte;
        sum += flags->high + flags->byte + flags->half;
    }
    return sum;
}

int main(void)
{
    union word u = {.number = 1.25f};
    printf("%d\n", through_members(&u, 5));
    u.number = 3;
    printf("%d\n", through_array_members(&u, 6));
    struct tagged t = {1, {.number = 2}};
    printf("%d\n", through_nested_members(&t, 6));
    unsigned long whole = 0x0102030405060708;
    printf("%lu\n", by_characters((unsigned char *)&whole, &whole, 20));
    double number = 0;
    long bits[3] = {0x3ff0000000000000, 0x4000000000000000, 0x4008000000000000};
    printf("%g\n", by_copies(&number, bits, 3));
    struct pair pairs[2] = {{1, 2}, {3, 4}};
    printf("%g\n", by_structures(pairs, &pairs[0].first, 5));
    printf("%g\n", by_members(pairs, 5));
    void *memory = malloc(64);
    printf("%ld\n", reused(memory, 9));
    printf("%g\n", taken_over(memory, 9));
    printf("%d\n", last_store(memory, memory, 4));
    *(int *)memory = 17;
    printf("%d\n", first_again(memory, memory, 3));
    arena = malloc(4096);
    printf("%g\n", list(20));
    double *row[4];
    for (int i = 0; i < 4; i++) {
        row[i] = cut(4 * sizeof(double));
        for (int j = 0; j < 4; j++)
            row[i][j] = i + j;
    }
    row[2] = row[1];
    double own_totals[4] = {0};
    totals = own_totals;
    values = row[3];
    printf("%g\n", rows(row, 4));
    int when[5] = {1, 2, 3, 9, 4}, place = 2;
    printf("%d", sometimes(&place, when, 5));
    printf(" %d", sometimes((int *)&constant, when, 3));
    place = 4;
    printf(" %d", left_early(&place, when, 0));
    printf(" %d", left_early(&place, when, 3));
    printf(" %d\n", left_early(&place, when, 5));
    int both = 50;
    printf("%u\n", signs(&both, (unsigned *)&both, 8));
    double _Complex z = 1;
    printf("%g\n", parts(&z, (double *)&z, 4));
    float aliased = 1;
    printf("%d\n", may_alias(&aliased, (any_int *)&aliased, 4));
    struct flags flags = {3, 9, 250, 11};
    printf("%d\n", fields(&flags, 7));
    free(memory);
    free(arena);
    return 0;
}

// Callbacks from the library: qsort, bsearch, atexit, signal handlers.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { char name[8]; int weight; };
static int comparisons;

static int by_weight(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    comparisons++;
    return (x->weight > y->weight) - (x->weight < y->weight);
}
static int by_name(const void *a, const void *b) { return strcmp(((struct item *)a)->name, ((struct item *)b)->name); }
static int down(const void *a, const void *b) { return *(double *)a < *(double *)b ? 1 : -(*(double *)a > *(double *)b); }
static int pointers(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void last(void) { printf("last words\n"); }
static void first(void) { printf("first words\n"); }
static volatile sig_atomic_t caught;
static void handler(int number) { caught = number; }

int main(void)
{
    struct item items[] = {{"pear", 30}, {"fig", 5}, {"apple", 20}, {"plum", 10}, {"date", 1}};
    enum { N = sizeof items / sizeof *items };
    qsort(items, N, sizeof *items, by_weight);
    for (int i = 0; i < N; i++)
        printf("%s ", items[i].name);
    printf("%d\n", comparisons > 0);
    qsort(items, N, sizeof *items, by_name);
    struct item key = {"fig"}, *found = bsearch(&key, items, N, sizeof *items, by_name);
    printf("%s %d %s\n", found->name, found->weight, items[0].name);
    double d[] = {1.5, -2, 9, 0, 3.25};
    qsort(d, 5, sizeof *d, down);
    for (int i = 0; i < 5; i++)
        printf("%g ", d[i]);
    const char *words[] = {"delta", "alpha", "charlie", "bravo"};
    qsort(words, 4, sizeof *words, pointers);
    printf("%s %s\n", words[0], words[3]);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    printf("%d\n", caught == SIGUSR1);
    atexit(last);
    atexit(first);
    return 0;
}

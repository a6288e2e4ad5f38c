// Pointer arithmetic, comparison, void pointers, conversion to integers, pointers to pointers, restrict, offsets.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}
static void insert(struct node **where, struct node *n)
{
    while (*where && (*where)->value < n->value)
        where = &(*where)->next;
    n->next = *where;
    *where = n;
}
static void add(int n, int *restrict to, const int *restrict from) { while (n--) *to++ += *from++; }
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int main(void)
{
    int a[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, *p = a + 3, *q = &a[8];
    printf("%td %d %d %d\n", q - p, p < q, p[-2], *(q - 1));
    int first = *p++, second = *++p, third = (*p)++;
    printf("%d %d %d\n", first, second, third);
    printf("%d %d\n", *p, (int)(p - a));
    p += 2;
    p -= -1;
    printf("%d %d\n", *p, -(1[q]));
    void *v = a;
    printf("%d %d\n", ((int *)v)[4], *(int *)((char *)v + 2 * sizeof(int)));
    uintptr_t bits = (uintptr_t)q;
    printf("%d %d\n", (int *)bits == q, (int)((uintptr_t)(a + 1) - (uintptr_t)a));
    struct node nodes[4] = {{3}, {1}, {4}, {2}}, *list = 0;
    for (int i = 0; i < 4; i++)
        insert(&list, &nodes[i]);
    for (struct node *n = reverse(list); n; n = n->next)
        printf("%d ", n->value);
    printf("\n");
    int b[3] = {10, 20, 30};
    add(3, b, a + 7);
    printf("%d %d %d\n", b[0], b[1], b[2]);
    struct node *holder = container_of(&nodes[2].next, struct node, next);
    printf("%d\n", holder == &nodes[2]);
    char **words = malloc(3 * sizeof *words);
    for (int i = 0; i < 3; i++) {
        words[i] = malloc(4);
        memcpy(words[i], &"onetwosix"[3 * i], 3);
        words[i][3] = 0;
    }
    char **w = words;
    printf("%s ", *w++);
    printf("%c %c %s\n", **w, (*w)[1], w[1]);
    for (int i = 0; i < 3; i++)
        free(words[i]);
    free(words);
    printf("%d %d\n", !p, p && *p);
    int x = 5, *px = &x, **ppx = &px, ***pppx = &ppx;
    ***pppx += 2;
    printf("%d %d\n", x, &*px == *ppx);
    printf("%zu %zu\n", offsetof(struct node, next), offsetof(struct { char c; int a[5]; }, a[3]));
    return 0;
}

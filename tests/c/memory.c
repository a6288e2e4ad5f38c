// The heap: growth, zeroing, alignment, many blocks, a table that is rehashed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { const char *key; int count; };
struct table { struct entry *entries; size_t capacity, used; };

static size_t hash(const char *s)
{
    size_t h = 14695981039346656037u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 1099511628211u;
    return h;
}
static struct entry *slot(struct table *t, const char *key)
{
    size_t i = hash(key) % t->capacity;
    while (t->entries[i].key && strcmp(t->entries[i].key, key))
        i = (i + 1) % t->capacity;
    return &t->entries[i];
}
static void put(struct table *t, const char *key)
{
    if (t->used * 2 >= t->capacity) {
        struct table bigger = {calloc(t->capacity * 2 + 8, sizeof(struct entry)), t->capacity * 2 + 8, t->used};
        for (size_t i = 0; i < t->capacity; i++)
            if (t->entries[i].key)
                *slot(&bigger, t->entries[i].key) = t->entries[i];
        free(t->entries);
        *t = bigger;
    }
    struct entry *e = slot(t, key);
    if (!e->key) {
        e->key = key;
        t->used++;
    }
    e->count++;
}

int main(void)
{
    static char text[] = "the cat and the dog and the bird or a cat";
    struct table t = {0};
    for (char *w = strtok(text, " "); w; w = strtok(0, " "))
        put(&t, w);
    printf("%zu %d %d %d %d\n", t.used, slot(&t, "the")->count, slot(&t, "cat")->count, slot(&t, "or")->count,
           slot(&t, "fish")->count);
    free(t.entries);
    int *p = malloc(sizeof *p), n = 1;
    p[0] = 1;
    for (; n < 10000; n++) {
        if ((n & (n - 1)) == 0)
            p = realloc(p, 2 * n * sizeof *p);
        p[n] = p[n - 1] + n;
    }
    printf("%d\n", p[9999]);
    free(p);
    void *a = aligned_alloc(256, 512);
    printf("%d\n", (int)((uintptr_t)a % 256));
    free(a);
    int(*matrix)[7] = calloc(5, sizeof *matrix);
    matrix[4][6] = 3;
    printf("%d %d\n", matrix[4][6], matrix[0][0]);
    free(matrix);
    free(NULL);
    return 0;
}

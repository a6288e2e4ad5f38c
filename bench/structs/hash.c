/* A table of n numbers with open addressing: functions that take a pointer to the table. */
#include "../loops/timing.h"
#include <stdint.h>

typedef struct {
    uint32_t key, count;
} entry;

typedef struct {
    entry *entries;
    uint32_t mask, used;
} table;

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ x >> 16;
}

static entry *slot(const table *t, uint32_t key)
{
    uint32_t at = mix(key) & t->mask;
    while (t->entries[at].count && t->entries[at].key != key)
        at = (at + 1) & t->mask;
    return &t->entries[at];
}

static void insert(table *t, uint32_t key)
{
    entry *e = slot(t, key);
    if (!e->count) {
        e->key = key;
        t->used++;
    }
    e->count++;
}

static int lookup(const table *t, uint32_t key)
{
    return slot(t, key)->count;
}

table words;

void setup(long n)
{
    uint32_t size = 1;
    while (size < 2 * n)
        size *= 2;
    words.entries = array(size, sizeof(entry));
    words.mask = size - 1;
}

double kernel(long n)
{
    for (uint32_t i = 0; i <= words.mask; i++)
        words.entries[i] = (entry){0, 0};
    words.used = 0;
    for (long i = 0; i < n; i++)
        insert(&words, (uint32_t)(i * i % 10007));
    long found = 0;
    for (long i = 0; i < n; i++)
        found += lookup(&words, (uint32_t)i);
    return found + words.used;
}

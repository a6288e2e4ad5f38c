/* An AVL tree, a trie and binary trees of malloc: nodes with pointers, recursion. */
#include "../loops/timing.h"
#include <stdint.h>
#include <string.h>

typedef struct avl {
    int key, height;
    struct avl *left, *right;
} avl;

static int height(const avl *t)
{
    return t ? t->height : 0;
}

static void update(avl *t)
{
    int l = height(t->left), r = height(t->right);
    t->height = (l > r ? l : r) + 1;
}

static avl *rotate_right(avl *t)
{
    avl *l = t->left;
    t->left = l->right;
    l->right = t;
    update(t);
    update(l);
    return l;
}

static avl *rotate_left(avl *t)
{
    avl *r = t->right;
    t->right = r->left;
    r->left = t;
    update(t);
    update(r);
    return r;
}

static avl *insert(avl *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->key = key;
        t->height = 1;
        t->left = t->right = NULL;
        return t;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    else
        return t;
    update(t);
    int balance = height(t->left) - height(t->right);
    if (balance > 1) {
        if (key > t->left->key)
            t->left = rotate_left(t->left);
        return rotate_right(t);
    }
    if (balance < -1) {
        if (key < t->right->key)
            t->right = rotate_right(t->right);
        return rotate_left(t);
    }
    return t;
}

static int contains(const avl *t, int key)
{
    while (t && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t != NULL;
}

static long walk(const avl *t, int depth)
{
    return t ? (long)t->key * depth + walk(t->left, depth + 1) + walk(t->right, depth + 1) : 0;
}

static void free_avl(avl *t)
{
    if (!t)
        return;
    free_avl(t->left);
    free_avl(t->right);
    free(t);
}

struct trie {
    struct trie *child[26];
    int count;
};

static struct trie *pool;
static int pool_used;

static void add_word(struct trie *t, const char *word)
{
    for (; *word; word++) {
        int c = *word - 'a';
        if (!t->child[c]) {
            struct trie *n = &pool[pool_used++];
            memset(n, 0, sizeof *n);
            t->child[c] = n;
        }
        t = t->child[c];
    }
    t->count++;
}

static int find_word(const struct trie *t, const char *word)
{
    for (; *word; word++)
        if (!(t = t->child[*word - 'a']))
            return 0;
    return t->count;
}

typedef struct tn {
    struct tn *left, *right;
} tn;

static tn *bottom_up(unsigned depth)
{
    tn *t = malloc(sizeof *t);
    if (depth > 0) {
        t->left = bottom_up(depth - 1);
        t->right = bottom_up(depth - 1);
    } else
        t->left = t->right = NULL;
    return t;
}

static long item_check(const tn *t)
{
    return t->left ? 1 + item_check(t->left) + item_check(t->right) : 1;
}

static void delete_tree(tn *t)
{
    if (t->left) {
        delete_tree(t->left);
        delete_tree(t->right);
    }
    free(t);
}

void setup(long n)
{
    pool = malloc((n * 6 + 10) * sizeof *pool);
}

double kernel(long n)
{
    avl *t = NULL;
    uint32_t seed = 17;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        t = insert(t, seed >> 12);
    }
    long sum = walk(t, 1), hits = 0;
    for (int i = 0; i < n * 8; i++)
        hits += contains(t, i * 5);
    free_avl(t);
    pool_used = 1;
    memset(pool, 0, sizeof *pool);
    char word[6] = {0};
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t s = seed;
        for (int k = 0; k < 5; k++, s /= 26)
            word[k] = 'a' + s % (k < 2 ? 26 : 5);
        if (i % 3)
            add_word(pool, word);
        else
            hits += find_word(pool, word);
    }
    for (int d = 4; d <= 14; d += 2) {
        tn *b = bottom_up(d);
        hits += item_check(b);
        delete_tree(b);
    }
    return sum % 1000003 + hits;
}

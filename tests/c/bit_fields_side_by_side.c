// Bit-fields right beside each other have one integer, which has no byte of another member: threads may
// change members on both sides of them at the same time.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct mixed {
    unsigned char a : 3;
    unsigned b : 20, c : 7;
    unsigned long d : 40, e : 20;
    short f;
};
struct between {
    char before;
    int inside : 8;
    char behind;
    unsigned one : 1, : 3, two : 4, : 0, three : 9, four : 7;
};
struct forty {
    unsigned long low : 10, high : 30;
    unsigned char last;
};
union view {
    unsigned narrow : 3;
    signed wide : 30;
    unsigned char bytes[4];
};
struct pixel {
    unsigned short red : 5, green : 6, blue : 5;
};

static void dump(const void *object, size_t size)
{
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const unsigned char *)object)[i]);
    printf("\n");
}

static struct between shared;
enum { TIMES = 60000 };

static void *change_fields(void *nothing)
{
    for (int i = 0; i < TIMES; i++) {
        shared.inside++;
        shared.two++;
    }
    return nothing;
}

static void *change_members(void *nothing)
{
    for (int i = 0; i < TIMES; i++) {
        shared.before += 3;
        shared.behind += 5;
        shared.three += 7;
    }
    return nothing;
}

int main(void)
{
    struct mixed m;
    memset(&m, 0, sizeof m);
    m.a = 5, m.b = 0xabcde, m.c = 99, m.d = 0x123456789a, m.e = 0xfedcb, m.f = -2;
    printf("%zu %zu %zu %zu %zu\n", sizeof m, sizeof shared, sizeof(struct forty), sizeof(union view),
           sizeof(struct pixel));
    dump(&m, sizeof m);
    m.b += m.a, m.c -= m.b, m.d ^= m.e, m.e <<= 3, m.a--;
    printf("%u %u %u %lx %lx %d\n", m.a, m.b, m.c, (unsigned long)m.d, (unsigned long)m.e, m.f);

    struct forty t = {.high = 0x2aaaaaaa, .low = 0x155, .last = 0xee};
    t.high++, t.low++;
    dump(&t, sizeof t);
    union view v = {.wide = -3};
    v.narrow++;
    printf("%d %u\n", v.wide, v.narrow);
    dump(&v, sizeof v);

    struct pixel row[9];
    for (int i = 0; i < 9; i++)
        row[i] = (struct pixel){i, i * 3, i >> 1};
    unsigned sum = 0;
    for (int i = 0; i < 9; i++) {
        struct pixel *p = &row[i];
        unsigned grey = (p->red * 2 + p->green + p->blue * 2) / 5;
        p->red = (p->red + grey) / 2, p->green = p->green * 3 / 4 + grey / 4, p->blue ^= grey & 3;
        sum = sum * 31 + p->red * 5 + p->green * 3 + p->blue;
    }
    printf("%u\n", sum);
    dump(row, sizeof row);

    pthread_t threads[2];
    pthread_create(&threads[0], NULL, change_fields, NULL);
    pthread_create(&threads[1], NULL, change_members, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d %d %d %u %u\n", shared.before, shared.inside, shared.behind, shared.two, shared.three);
    return 0;
}

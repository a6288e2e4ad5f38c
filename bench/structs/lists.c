/* Linked lists, bit-fields, unions, queues and an event simulation with function pointers in structures. */
#include "../loops/timing.h"
#include <stdint.h>
#include <string.h>

typedef struct link {
    struct link *next;
    int value;
} link;

union number {
    float f;
    uint32_t u;
    struct {
        uint32_t fraction : 23, exponent : 8, sign : 1;
    } parts;
};

struct pixel {
    uint16_t red : 5, green : 6, blue : 5;
};

struct shape {
    double (*area)(const struct shape *);
    void (*grow)(struct shape *, double);
    double a, b;
};

static double area_circle(const struct shape *s) { return 3.14159265 * s->a * s->a; }
static double area_box(const struct shape *s) { return s->a * s->b; }
static double area_triangle(const struct shape *s) { return s->a * s->b / 2; }
static void grow_one(struct shape *s, double by) { s->a *= by; }
static void grow_both(struct shape *s, double by)
{
    s->a *= by;
    s->b *= by;
}

link *nodes;
struct pixel *pixels;
struct shape *shapes;

static link *reverse(link *l)
{
    link *r = NULL;
    while (l) {
        link *next = l->next;
        l->next = r;
        r = l;
        l = next;
    }
    return r;
}

static link *merge(link *a, link *b)
{
    link head, *tail = &head;
    while (a && b)
        if (a->value <= b->value) {
            tail->next = a;
            tail = a;
            a = a->next;
        } else {
            tail->next = b;
            tail = b;
            b = b->next;
        }
    tail->next = a ? a : b;
    return head.next;
}

static link *sort(link *l)
{
    if (!l || !l->next)
        return l;
    link *slow = l, *fast = l->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    link *second = slow->next;
    slow->next = NULL;
    return merge(sort(l), sort(second));
}

static float inverse_root(float x)
{
    union number n = {.f = x};
    n.u = 0x5f3759df - (n.u >> 1);
    return n.f * (1.5f - 0.5f * x * n.f * n.f);
}

static float doubled(float x)
{
    union number n = {.f = x};
    n.parts.exponent++;
    return n.f;
}

void setup(long n)
{
    nodes = array(n, sizeof *nodes);
    pixels = array(n, sizeof *pixels);
    shapes = array(n, sizeof *shapes);
}

double kernel(long n)
{
    uint32_t seed = 4;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        nodes[i].value = seed >> 9;
        nodes[i].next = i + 1 < n ? &nodes[i + 1] : NULL;
        pixels[i] = (struct pixel){i, i * 3, i >> 4};
        shapes[i] = (struct shape){i % 3 == 0 ? area_circle : i % 3 == 1 ? area_box : area_triangle,
                                   i % 3 ? grow_both : grow_one, 1 + i % 5, 2 + i % 7};
    }
    link *l = sort(reverse(nodes));
    uint32_t sum = 0;
    for (link *p = l; p; p = p->next)
        sum = sum * 31 + p->value;
    double total = sum;
    for (int round = 0; round < 4; round++) {
        for (long i = 0; i < n; i++) {
            struct pixel *p = &pixels[i];
            unsigned grey = (p->red * 2 + p->green + p->blue * 2) / 5;
            p->red = (p->red + grey) / 2;
            p->green = p->green * 3 / 4 + grey / 4;
            p->blue ^= grey & 3;
        }
        for (long i = 0; i < n; i++) {
            shapes[i].grow(&shapes[i], 1.01);
            total += shapes[i].area(&shapes[i]);
        }
        for (long i = 1; i < n; i++)
            total += doubled(inverse_root(i));
    }
    for (long i = 0; i < n; i++)
        total += pixels[i].red + pixels[i].green * pixels[i].blue;
    return total;
}

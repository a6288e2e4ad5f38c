// Structures: assignment, arrays in them, nesting, copies, comparison of members, returned members, self assignment.
#include <stdio.h>
#include <string.h>

struct vec { double v[3]; };
struct particle { struct vec x, v; char name[5]; unsigned flags : 3; };
struct empty {};

static struct vec add(struct vec a, struct vec b) { for (int i = 0; i < 3; i++) a.v[i] += b.v[i]; return a; }
static struct particle make(const char *name)
{
    struct particle p = {{{1, 2, 3}}, {{4, 5, 6}}, "", 5};
    strncpy(p.name, name, 4);
    return p;
}
static void modify(struct particle p) { p.x.v[0] = -1; }
static struct particle *biggest(struct particle *a, struct particle *b) { return a->x.v[0] > b->x.v[0] ? a : b; }

int main(void)
{
    struct particle p = make("abcd"), q, list[3];
    q = p;
    q.x = add(p.x, p.v);
    q.name[0] = 'X';
    modify(q);
    printf("%g %g %s %s %d\n", q.x.v[0], p.x.v[0], p.name, q.name, q.flags);
    list[0] = list[1] = p;
    list[2] = q;
    list[1].x.v[2] = 99;
    printf("%g %g %g\n", list[0].x.v[2], list[1].x.v[2], list[2].x.v[2]);
    printf("%g %c\n", add(make("m").x, q.x).v[1], make("name").name[2]);
    biggest(&p, &q)->flags = 7;
    printf("%d %d\n", p.flags, q.flags);
    q = q;
    *&q = *biggest(&q, &p);
    printf("%s\n", q.name);
    struct { struct { int a, b; } in; int c; } n = {{1, 2}, 3}, m;
    m = n;
    m.in.a += m.in.b * m.c;
    printf("%d %d\n", m.in.a, n.in.a);
    struct particle *pp = list;
    (*pp++).flags = 1;
    (pp++)->flags = 2;
    printf("%d %d %td\n", list[0].flags, list[1].flags, pp - list);
    printf("%zu\n", sizeof(struct empty));
    struct big { int a[1000]; } big = {{[999] = 5}}, other;
    other = big;
    printf("%d %d\n", other.a[999], other.a[500]);
    struct vec chain;
    chain = q.v = p.v = (struct vec){{7, 8, 9}};
    printf("%g %g\n", chain.v[2], q.v.v[0]);
    return 0;
}

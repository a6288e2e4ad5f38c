// Tentative definitions, incomplete types completed later, extern arrays, redeclaration, composite types.
#include <stdio.h>

int a;
int a;
int a = 5;
static int b;
static int b;
extern int c;
int c;
int d[];
extern int e[];
int e[3] = {1, 2, 3};
struct s;
struct s *pointer;
extern struct s whole;
struct s { int x; struct s *next; };
struct s whole = {9, &whole};
int function(int, int (*)[]);
int function(int n, int (*p)[3]) { return n + (*p)[2]; }
int function();
enum later { ONE = 1, TWO };
typedef struct tree tree;
struct tree { tree *left, *right; int value; };
static tree leaf = {0, 0, 3}, root = {&leaf, &leaf, 4};
static int self = sizeof self;
static void *cycle = &cycle;
typedef int number;
typedef int number;
const number fixed;
int *into = &e[1];
const char *text = "middle" + 3;

int main(void)
{
    pointer = &whole;
    printf("%d %d %d %d %d\n", a, b, c, d[0], e[2]);
    printf("%d %d\n", pointer->x, pointer->next->next == pointer);
    printf("%d\n", function(1, &e));
    printf("%d %d %d\n", root.left->value, self, cycle == &cycle);
    printf("%d %d %s\n", fixed, *into, text);
    {
        extern int e[];
        printf("%d\n", e[0]);
    }
    return 0;
}

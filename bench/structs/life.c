/* A generation of Conway's game on a torus of about n cells. */
#include "../loops/timing.h"

typedef struct {
    int width, height;
    unsigned char *cells;
} grid;

static int at(const grid *g, int x, int y)
{
    x = (x + g->width) % g->width;
    y = (y + g->height) % g->height;
    return g->cells[y * g->width + x];
}

static void set(grid *g, int x, int y, int value)
{
    g->cells[y * g->width + x] = value;
}

static int around(const grid *g, int x, int y)
{
    int sum = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i || j)
                sum += at(g, x + i, y + j);
    return sum;
}

static int lives(int is_alive, int neighbours)
{
    return neighbours == 3 || (is_alive && neighbours == 2);
}

grid now, then;

void setup(long n)
{
    int width = 1;
    while (width * width < n)
        width++;
    now = (grid){width, width, array(width * width, 1)};
    then = (grid){width, width, array(width * width, 1)};
    for (int i = 0; i < width * width; i++)
        now.cells[i] = i * 7 % 3 == 0;
}

double kernel(long n)
{
    long sum = 0;
    (void)n;
    for (int y = 0; y < now.height; y++)
        for (int x = 0; x < now.width; x++)
            set(&then, x, y, lives(at(&now, x, y), around(&now, x, y)));
    for (long i = 0; i < now.width * now.height; i++)
        sum += then.cells[i];
    return sum;
}

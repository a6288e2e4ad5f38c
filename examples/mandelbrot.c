// The Mandelbrot set as text: iterations of very different length, so the schedule matters on a device.
#include <stdio.h>

enum { WIDTH = 72, HEIGHT = 24, LIMIT = 200 };
static unsigned char image[HEIGHT][WIDTH];

#pragma acc routine seq
static int escape(double cx, double cy)
{
    double x = 0, y = 0;
    int i = 0;
    while (i < LIMIT && x * x + y * y < 4) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        i++;
    }
    return i;
}

int main(void)
{
    int inside = 0;
#pragma acc parallel loop gang vector collapse(2) copyout(image) reduction(+:inside)
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            int n = escape(-2.2 + 3.2 * column / WIDTH, -1.19 + 2.4 * row / HEIGHT);
            image[row][column] = n;
            inside += n == LIMIT;
        }

    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) {
            int n = image[row][column];
            putchar(n == LIMIT ? '#' : n > 12 ? '+' : n > 6 ? '.' : ' ');
        }
        putchar('\n');
    }
    printf("%d points inside\n", inside);
    return 0;
}

/* A recursive filter over rows, then over columns, forwards and backwards: six nests in one region, most of
   whose scalars go from one iteration to the next. */
#include <math.h>

enum { WIDTH = 720, HEIGHT = 480 };

void filter(float in[WIDTH][HEIGHT], float out[WIDTH][HEIGHT], float one[WIDTH][HEIGHT],
            float two[WIDTH][HEIGHT], float alpha)
{
    float xm1, tm1, ym1, ym2, xp1, xp2, tp1, tp2, yp1, yp2;
    float k, a1, a2, a3, a4, a5, a6, a7, a8, b1, b2, c1, c2;
#pragma acc kernels
    {
        k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha)) /
            (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
        a1 = a5 = k;
        a2 = a6 = k * expf(-alpha) * (alpha - 1.0f);
        a3 = a7 = k * expf(-alpha) * (alpha + 1.0f);
        a4 = a8 = -k * expf(-2.0f * alpha);
        b1 = powf(2.0f, -alpha);
        b2 = -expf(-2.0f * alpha);
        c1 = c2 = 1;
        for (int i = 0; i < WIDTH; i++) {
            ym1 = ym2 = xm1 = 0;
            for (int j = 0; j < HEIGHT; j++) {
                one[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
                xm1 = in[i][j];
                ym2 = ym1;
                ym1 = one[i][j];
            }
        }
        for (int i = 0; i < WIDTH; i++) {
            yp1 = yp2 = xp1 = xp2 = 0;
            for (int j = HEIGHT - 1; j >= 0; j--) {
                two[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
                xp2 = xp1;
                xp1 = in[i][j];
                yp2 = yp1;
                yp1 = two[i][j];
            }
        }
        for (int i = 0; i < WIDTH; i++)
            for (int j = 0; j < HEIGHT; j++)
                out[i][j] = c1 * (one[i][j] + two[i][j]);
        for (int j = 0; j < HEIGHT; j++) {
            tm1 = ym1 = ym2 = 0;
            for (int i = 0; i < WIDTH; i++) {
                one[i][j] = a5 * out[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
                tm1 = out[i][j];
                ym2 = ym1;
                ym1 = one[i][j];
            }
        }
        for (int j = 0; j < HEIGHT; j++) {
            tp1 = tp2 = yp1 = yp2 = 0;
            for (int i = WIDTH - 1; i >= 0; i--) {
                two[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
                tp2 = tp1;
                tp1 = out[i][j];
                yp2 = yp1;
                yp1 = two[i][j];
            }
        }
        for (int i = 0; i < WIDTH; i++)
            for (int j = 0; j < HEIGHT; j++)
                out[i][j] = c2 * (one[i][j] + two[i][j]);
    }
}

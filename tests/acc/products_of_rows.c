// Threads that go through a row each, several rows or elements at once: products and distances of the rows of two matrices, of
// lengths and beginnings that leave elements over, of all types.
#include <stdio.h>

enum { ROWS = 37, BIG = 520, MOST = 21 };

static int wrong;
#define CHECK(condition) ((condition) ? (void)0 : (void)(wrong++, printf("line %d: %s\n", __LINE__, #condition)))

static unsigned random_state = 5;

static int next(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return (int)(random_state >> 28) - 8;
}

// Each row has its own thread; every row of `b` is gone through by each, `length` elements from `start` on.
#define PRODUCTS(name, type, sum_type) \
    static void name(int length, int start) \
    { \
        static type a[ROWS * MOST], b[ROWS * MOST]; \
        static sum_type product[ROWS * ROWS], least[ROWS]; \
        for (int i = 0; i < ROWS * MOST; i++) { \
            a[i] = (type)next(); \
            b[i] = (type)next(); \
        } \
        _Pragma("acc parallel loop gang worker vector collapse(2) copyin(a, b) copyout(product)") \
        for (int i = 0; i < ROWS; i++) { \
            for (int j = 0; j < ROWS; j++) { \
                sum_type sum = 0; \
                for (int k = 0; k < length; k++) { \
                    sum += (sum_type)a[i * MOST + start + k] * (sum_type)b[j * MOST + start + k]; \
                } \
                product[i * ROWS + j] = sum; \
            } \
        } \
        _Pragma("acc parallel loop gang vector copyin(a, b) copyout(least)") \
        for (int j = 0; j < ROWS; j++) { \
            sum_type nearest = 30000; \
            for (int i = 0; i < ROWS; i++) { \
                sum_type distance = 0; \
                for (int k = start; k < start + length; k++) { \
                    sum_type difference = (sum_type)a[i * MOST + k] - (sum_type)b[j * MOST + k]; \
                    distance += difference * difference; \
                } \
                nearest = distance < nearest ? distance : nearest; \
            } \
            least[j] = nearest; \
        } \
        for (int j = 0; j < ROWS; j++) { \
            sum_type nearest = 30000; \
            for (int i = 0; i < ROWS; i++) { \
                sum_type volatile sum = 0, distance = 0; \
                for (int k = start; k < start + length; k++) { \
                    sum_type x = (sum_type)a[i * MOST + k], y = (sum_type)b[j * MOST + k]; \
                    sum += x * y; \
                    distance += (x - y) * (x - y); \
                } \
                CHECK(product[i * ROWS + j] == sum); \
                nearest = distance < nearest ? distance : nearest; \
            } \
            CHECK(least[j] == nearest); \
        } \
    }

PRODUCTS(of_bytes, signed char, int)
PRODUCTS(of_shorts, short, int)
PRODUCTS(of_ints, int, long long)
PRODUCTS(of_longs, long long, long long)
PRODUCTS(of_floats, float, float)
PRODUCTS(of_doubles, double, double)

// Enough threads that each has several rows of `b`: one of them beside rows that its neighbours have, too.
static void large(int length)
{
    static float a[BIG][MOST], b[BIG][MOST], product[BIG][BIG], named[BIG][BIG];
    for (int i = 0; i < BIG; i++) {
        for (int k = 0; k < MOST; k++) {
            a[i][k] = next();
            b[i][k] = next();
        }
    }
#pragma acc kernels copyin(a, b) copyout(product)
    for (int i = 0; i < BIG; i++) {
        for (int j = 0; j < BIG; j++) {
            float sum = 0;
            for (int k = 0; k < length; k++) {
                sum += a[i][k] * b[j][k];
            }
            product[i][j] = sum;
        }
    }
#pragma acc parallel loop gang vector collapse(2) copyin(a, b) copyout(named)
    for (int i = 0; i < BIG; i++) {
        for (int j = 0; j < BIG; j++) {
            float sum = 1;
            for (int k = 0; k < length; k++) {
                float difference = a[i][k] - b[j][k];
                sum += difference * difference;
            }
            named[i][j] = sum;
        }
    }
    for (int i = 0; i < BIG; i++) {
        for (int j = 0; j < BIG; j++) {
            float sum = 0, squares = 1;
            for (int k = 0; k < length; k++) {
                sum += a[i][k] * b[j][k];
                squares += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);
            }
            CHECK(product[i][j] == sum);
            CHECK(named[i][j] == squares);
        }
    }
}

int main(void)
{
    for (int length = 0; length <= MOST - 3; length += length < 5 ? 1 : 4) {
        for (int start = 0; start < 4; start += 1 + (length > 4)) {
            of_bytes(length, start);
            of_shorts(length, start);
            of_ints(length, start);
            of_longs(length, start);
            of_floats(length, start);
            of_doubles(length, start);
        }
    }
    large(3);
    large(MOST);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}

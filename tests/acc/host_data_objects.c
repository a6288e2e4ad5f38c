// `use_device` takes variables of any kind: inside the construct, the name of an object denotes it on the device.
#include <openacc.h>
#include <stdio.h>

struct pair {
    int first;
    double second[2];
};

static void set(int *number, struct pair *pair, double *row)
{
    *number = 3;
    pair->first = 4;
    pair->second[1] = 5.5;
    row[2] = 7;
}

int main(void)
{
    int number = 1;
    struct pair pair = {0};
    double rows[2][3] = {{0}};
    double *pointer = rows[0];
#pragma acc data copy(number, pair, rows)
#pragma acc host_data use_device(number, pair, rows, pointer)
    {
        set(&number, &pair, rows[1]);
        printf("%d %d %d\n", (int)sizeof rows, (int)sizeof pair.second, (int)sizeof number);
        double **place = &pointer;
        printf("%d\n", *place == pointer);
    }
    printf("%d %d %g %g\n", number, pair.first, pair.second[1], rows[1][2]);
    return 0;
}

// What was computed from elements that nobody wrote decides what is summed.
// expect: memory that nobody wrote, which was read at at 15
int main(void)
{
    double a[64], b[64], sum = 0;
#pragma acc data create(a, b)
    {
#pragma acc parallel loop
        for (int i = 0; i < 32; i++)
            a[i] = i;
#pragma acc parallel loop
        for (int i = 0; i < 64; i++) b[i] = 2 * a[i];
#pragma acc parallel loop reduction(+ : sum)
        for (int i = 0; i < 64; i++)
            if (b[i] > 1)
                sum += 1;
    }
    return sum != 31;
}

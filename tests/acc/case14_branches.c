// Branches into and out of compute constructs.
// expect-error: construct-branch at 14
// expect-error: construct-branch at 19
// expect-error: construct-branch at 21
// expect-warning: lost-scalar at 25
int main(int argc, char **argv)
{
    int s = 0;

    for (int k = 0; k < 3; k++) {
#pragma acc parallel
        {
            if (k == 1)
                break;
        }
    }
#pragma acc parallel
    {
        return 1;
    }
    goto inside;
#pragma acc serial
    {
    inside:
        s++;
    }
    return s;
}

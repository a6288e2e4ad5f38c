// Branches into and out of compute constructs.
// expect-error: construct-branch at 13
// expect-error: construct-branch at 18
// expect-error: construct-branch at 20
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

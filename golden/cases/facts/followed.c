//! golden lower.ir: ir --stage lower --no-positions
//! golden followed.ir: ir --target ptx --stage followed --no-positions
/* The element that the place of a maximum leads to is loaded once, in front of the loop. */
int followed(int n, const int *x, int best)
{
#pragma acc kernels
    for (int i = 1; i < n; i++)
        if (x[i] > x[best])
            best = i;
    return best;
}

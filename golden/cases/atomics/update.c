//! golden ptx: ptx
//! count ptx: atom=7 red=7
/* `atomic update`: every operator on int, in global memory. One instruction where PTX has it, else a loop around cas. */
void update(int n, int *restrict i)
{
#pragma acc parallel loop gang vector copy(i[0 : 16])
    for (int k = 0; k < n; k++) {
#pragma acc atomic update
        i[0]++;
#pragma acc atomic update
        --i[1];
#pragma acc atomic
        i[2] += k;
#pragma acc atomic
        i[3] -= k;
#pragma acc atomic
        i[4] = k - i[4];
#pragma acc atomic
        i[5] *= k;
#pragma acc atomic
        i[6] /= k + 1;
#pragma acc atomic
        i[7] = k / i[7];
#pragma acc atomic
        i[8] &= k;
#pragma acc atomic
        i[9] |= k;
#pragma acc atomic
        i[10] ^= k;
#pragma acc atomic
        i[11] <<= 1;
#pragma acc atomic
        i[12] >>= 1;
#pragma acc atomic
        i[13] = k << i[13];
    }
}

//! golden ptx: ptx
//! golden sm_70.ptx: ptx --arch sm_70
//! count ptx: atom=11 red=6
//! count sm_70.ptx: atom=11 red=6
/* `atomic update` on every type: a sum and a product of each. Small integers go through the word that holds them. */
#include <complex.h>

struct cells {
    _Bool b;
    char c;
    unsigned char uc;
    short s;
    unsigned short us;
    int i;
    unsigned u;
    long l;
    unsigned long ul;
    float f;
    double d;
};

void types(int n, struct cells *restrict p)
{
#pragma acc parallel loop gang vector copy(p[0 : 2])
    for (int k = 0; k < n; k++) {
#pragma acc atomic
        p[0].b |= k;
#pragma acc atomic
        p[0].c += k;
#pragma acc atomic
        p[0].uc += k;
#pragma acc atomic
        p[0].s += k;
#pragma acc atomic
        p[0].us += k;
#pragma acc atomic
        p[0].i += k;
#pragma acc atomic
        p[0].u += k;
#pragma acc atomic
        p[0].l += k;
#pragma acc atomic
        p[0].ul += k;
#pragma acc atomic
        p[0].f += k;
#pragma acc atomic
        p[0].d -= k;
#pragma acc atomic
        p[1].c *= k;
#pragma acc atomic
        p[1].us *= k;
#pragma acc atomic
        p[1].u *= k;
#pragma acc atomic
        p[1].l *= k;
#pragma acc atomic
        p[1].f *= k;
#pragma acc atomic
        p[1].d /= k + 1;
    }
}

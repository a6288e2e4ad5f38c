//! golden ptx: ptx -fno-launch-numbers
//! golden lock.ptx: ptx -fno-launch-numbers --reduction lock
//! golden cas.ptx: ptx -fno-launch-numbers --reduction cas
//! golden tree.ptx: ptx -fno-launch-numbers --reduction tree
//! golden deterministic.ptx: ptx -fno-launch-numbers --deterministic --arch sm_80
//! golden explain: explain
//! count ptx: shfl=40 atom=1 red=1 bar=5 barrier=0
//! count lock.ptx: shfl=24 atom=2 red=0 bar=4 barrier=0
//! count cas.ptx: shfl=32 atom=4 red=0 bar=4 barrier=0
//! count tree.ptx: shfl=65 atom=1 red=0 bar=10 barrier=0
//! count deterministic.ptx: shfl=65 atom=1 red=0 bar=10 barrier=0
/* A sum that PTX has an atomic instruction for, and a product that it has none for. */
void both(int n, double *restrict x, double *restrict sum, double *restrict product)
{
    double s = *sum, p = *product;
#pragma acc parallel loop gang worker vector reduction(+ : s) reduction(* : p) copyin(x[0 : n])
    for (int i = 0; i < n; i++) {
        s += x[i];
        p *= x[i];
    }
    *sum = s;
    *product = p;
}

// A real operand of a complex operator has no imaginary part: infinities, NaNs and signs of zeros show it.
#include <complex.h>
#include <stdio.h>
#include <math.h>
#define P(e) do { double complex r_=(e); printf("%s = %g %g\n", #e, creal(r_), cimag(r_)); } while (0)
int main(void){ volatile double inf=INFINITY, nz=-0.0, one=1; double complex z=CMPLX(inf,1), w=CMPLX(1,nz), u=CMPLX(nz,nz); volatile float f=2;
P(z*2.0); P(2.0*z); P(z*one); P(w+1.0); P(1.0+w); P(w-1.0); P(1.0-w); P(u*2.0); P(u/2.0); P(z/2.0); P(2.0/w); P(one/z); P(w*f); z*=2.0; P(z); z+=1.0; P(z); w-=1; P(w); u/=2; P(u); P(w*I); P(I*w); P(z+I); P(z-I); P(u+I*0.0); P(1.0/u); P(w/I); P(2*I*w); P(-u); P(conj(u)); float complex q=w; q*=f; P(q); int k=3; P(k*w); P(w*k+k); P(w==1.0); P(cexp(I*M_PI)); P(1.0i*1.0i); P((1.0+2.0i)*0.5); }

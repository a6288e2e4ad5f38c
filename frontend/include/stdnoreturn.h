/* <stdnoreturn.h> (C11 7.23) */
#ifndef __ACCRUE_STDNORETURN_H
#define __ACCRUE_STDNORETURN_H
#define noreturn _Noreturn
#endif

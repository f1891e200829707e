/* Which instructions compute. `path` picks among kernels that give the same whole-number sums. */

#ifndef PATHS_H
#define PATHS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define X86 1
#define ON_AVX2 __attribute__((target("avx2,fma")))
#define APART __attribute__((noinline)) /* its registers are its own */
#define ON_VNNI __attribute__((target("avx2,fma,avxvnni")))
#else
#define X86 0
#endif

#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* A float loop is compiled twice, for any processor and for AVX2 with FMA; `path` says which runs. */
#if X86
#define TWICE(name, takes, gives)                        \
    ON_AVX2 static void name##_avx2 takes { name##_body gives; } \
    static void name##_any takes { name##_body gives; }
#define PICK(path, name) ((path) == PORTABLE ? name##_any : name##_avx2)
#else
#define TWICE(name, takes, gives) static void name##_any takes { name##_body gives; }
#define PICK(path, name) name##_any
#endif

enum { PORTABLE = 0, AVX2 = 1, VNNI = 2 };

/* A tile is TILE tokens by ACROSS outputs: twelve sums in registers, and room for what is multiplied. SUMS names them one by
   one, since compilers keep an array in memory. A tile of fewer tokens computes its first one again and drops it. */
enum { TILE = 6, ACROSS = 16 };
#define KEEP(low, high) __asm__("" : "+x"(low), "+x"(high)); /* in registers, here and now */
#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5)

#endif

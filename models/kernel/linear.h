/* Products of quantised activations with the weights of a linear map; GELU where the map says so.

   An output is scale of the token * (scale of the weights * whole-number sum - shift) + bias, group by group for weights of
   4 bits. The sums are exact on every path, and what follows is the same for a token wherever it stands in a tile. */

#ifndef LINEAR_H
#define LINEAR_H

#include "panel.h"

enum { FLUSH = 8, MOST_GROUPS = 64 }; /* products of 4-bit weights that 16 bits hold: 8 * 2 * 15 * 127 < 2^15 */

/* Activations of a block of tokens: q (rows x width), and of each row its scale and the sums of its groups. */
typedef struct {
    const int8_t *q;
    const float *scale, *sums;
} activations;

/* --- any processor ---------------------------------------------------------------------------------------------- */

static int32_t dot8(const int8_t *a, const int8_t *w, int n) {
    int32_t sum = 0;
    for (int i = 0; i < n; i++) sum += (int32_t)a[i] * (int32_t)w[i];
    return sum;
}

static int32_t dot4(const int8_t *a, const uint8_t *w) { /* one group */
    int32_t sum = 0;
    for (int at = 0; at < GROUP; at += CHUNK, w += CHUNK / 2, a += CHUNK)
        for (int i = 0; i < CHUNK / 2; i++) {
            sum += (int32_t)(w[i] & 15) * a[i];
            sum += (int32_t)(w[i] >> 4) * a[CHUNK / 2 + i];
        }
    return sum;
}

static float plain_sum(const linear *l, const int8_t *a, const float *sums, int o) {
    int n = l->in, groups = n / GROUP;
    if (l->bits == 8) return l->scale[o] * (float)dot8(a, (const int8_t *)l->q + (size_t)o * n, n);
    float sum = 0.0f;
    for (int g = 0; g < groups; g++) {
        float s = l->scale[(size_t)o * groups + g], z = l->zero[(size_t)o * groups + g];
        sum += s * (float)dot4(a + g * GROUP, (const uint8_t *)l->q + (size_t)o * n / 2 + g * GROUP / 2) - s * z * sums[g];
    }
    return sum;
}

static void apply_plainly(const linear *l, activations a, int rows, float *y, int curved) {
    for (int o = 0; o < l->out; o++)
        for (int r = 0; r < rows; r++) {
            const float *sums = a.sums + (size_t)r * (l->in / GROUP);
            float sum = a.scale[r] * plain_sum(l, a.q + (size_t)r * l->in, sums, o) + l->bias[o];
            y[(size_t)r * l->out + o] = curved ? gelu_(sum) : sum;
        }
}

/* --- tiles ------------------------------------------------------------------------------------------------------ */

#if X86
#define LOAD(at) _mm256_loadu_si256((const __m256i *)(at))
#define STORE(at, value) _mm256_storeu_si256((__m256i *)(at), value)

ON_AVX2 INLINE __m256i four(const void *from) { /* the same four bytes in all lanes */
    int32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return _mm256_set1_epi32(bytes);
}

/* The sums of a tile: to (groups x 6 x 16), exact. a: rows of n activations, as many as `rows` says. start (16): where the
   sums begin. */
#define ROW(type, r) const type *a##r = (const type *)a + (size_t)((r) < rows ? (r) : 0) * n;
#define BEGIN(r) __m256i low##r = first, high##r = second;
#define END(r)                  \
    STORE(to + 16 * (r), low##r); \
    STORE(to + 16 * (r) + 8, high##r);

/* Weights of 8 bits meet activations as 16: the products of a pair, added up, leave nothing to overflow. */
ON_AVX2 APART static void sums8_avx2(const void *a, int rows, const char *w, int n, const int32_t *start, int32_t *to) {
#define AT(r) ROW(int16_t, r)
    EACH(AT)
#undef AT
    __m256i first = LOAD(start), second = LOAD(start + 8);
    EACH(BEGIN)
    for (int k = 0; k < n; k += 2, w += 4 * ACROSS) {
        __m256i left = LOAD(w), right = LOAD(w + 32), x;
#define ADD(r)                                                         \
    x = four(a##r + k);                                                \
    low##r = _mm256_add_epi32(low##r, _mm256_madd_epi16(x, left));     \
    high##r = _mm256_add_epi32(high##r, _mm256_madd_epi16(x, right));
        EACH(ADD)
#undef ADD
    }
    EACH(END)
}

#define BYTES(r) ROW(int8_t, r)

/* The unsigned operand is a + 128, which `start` takes out again. */
ON_VNNI APART static void sums8_vnni(const void *a, int rows, const char *w, int n, const int32_t *start, int32_t *to) {
    const __m256i flip = _mm256_set1_epi8((char)0x80);
    __m256i first = LOAD(start), second = LOAD(start + 8);
    EACH(BYTES)
    EACH(BEGIN)
    for (int k = 0; k < n; k += 4, w += 4 * ACROSS) {
        __m256i left = LOAD(w), right = LOAD(w + 32), x;
#define ADD(r)                                           \
    x = _mm256_xor_si256(four(a##r + k), flip);          \
    low##r = _mm256_dpbusd_avx_epi32(low##r, x, left);   \
    high##r = _mm256_dpbusd_avx_epi32(high##r, x, right); \
    KEEP(low##r, high##r)
        EACH(ADD)
#undef ADD
    }
    EACH(END)
}

/* Of 4-bit weights 16 bits hold FLUSH sums of two products; then they are added up in 32. */
ON_AVX2 APART static void sums4_avx2(const void *a, int rows, const char *w, int n, const int32_t *start, int32_t *to) {
    const __m256i ones = _mm256_set1_epi16(1), first = _mm256_setzero_si256(), second = first;
    EACH(BYTES)
    (void)start;
    memset(to, 0, sizeof(int32_t) * TILE * ACROSS * (n / GROUP));
    for (int k = 0; k < n; k += 4 * FLUSH) {
        EACH(BEGIN)
#pragma GCC unroll 8
        for (int i = k; i < k + 4 * FLUSH; i += 4, w += 4 * ACROSS) {
            __m256i left = LOAD(w), right = LOAD(w + 32), x;
#define ADD(r)                                                             \
    x = four(a##r + i);                                                    \
    low##r = _mm256_add_epi16(low##r, _mm256_maddubs_epi16(left, x));      \
    high##r = _mm256_add_epi16(high##r, _mm256_maddubs_epi16(right, x)); \
    KEEP(low##r, high##r)
            EACH(ADD)
#undef ADD
        }
        int32_t *sums = to + (size_t)(k / GROUP) * TILE * ACROSS;
#define FLUSHED(r)                                                                                        \
    STORE(sums + 16 * (r), _mm256_add_epi32(LOAD(sums + 16 * (r)), _mm256_madd_epi16(low##r, ones)));     \
    STORE(sums + 16 * (r) + 8, _mm256_add_epi32(LOAD(sums + 16 * (r) + 8), _mm256_madd_epi16(high##r, ones)));
        EACH(FLUSHED)
#undef FLUSHED
    }
}

ON_VNNI APART static void sums4_vnni(const void *a, int rows, const char *w, int n, const int32_t *start, int32_t *to) {
    const __m256i first = _mm256_setzero_si256(), second = first;
    EACH(BYTES)
    (void)start;
    for (int g = 0; g < n; g += GROUP, to += TILE * ACROSS) {
        EACH(BEGIN)
        for (int k = g; k < g + GROUP; k += 4, w += 4 * ACROSS) {
            __m256i left = LOAD(w), right = LOAD(w + 32), x;
#define ADD(r)                                           \
    x = four(a##r + k);                                  \
    low##r = _mm256_dpbusd_avx_epi32(low##r, left, x);   \
    high##r = _mm256_dpbusd_avx_epi32(high##r, right, x); \
    KEEP(low##r, high##r)
            EACH(ADD)
#undef ADD
        }
        EACH(END)
    }
}

static void tile_sums(const panels *p, const char *panel, const void *a, int rows, int32_t *to, int path) {
    const int32_t *start = (const int32_t *)panel + ACROSS;
    const char *w = panel + p->head;
    int n = p->map->in;
    if (p->map->bits == 4) (path == VNNI ? sums4_vnni : sums4_avx2)(a, rows, w, n, start, to);
    else (path == VNNI ? sums8_vnni : sums8_avx2)(a, rows, w, n, start, to);
}

/* Sums to outputs: y, rows of 16, `stride` apart. */
ON_AVX2 static void finish(const panels *p, const char *panel, const int32_t *sums, activations a, int rows, float *y, int stride, int curved) {
    const float *bias = (const float *)panel, *shift = bias + 2 * ACROSS, *scale = shift + (size_t)ACROSS * p->groups;
    int across = p->map->in / GROUP;
    for (int r = 0; r < rows; r++) {
        __m256 low = _mm256_setzero_ps(), high = low;
        for (int g = 0; g < p->groups; g++) {
            const int32_t *from = sums + ((size_t)g * TILE + r) * ACROSS;
            __m256 less = _mm256_set1_ps(a.sums[(size_t)r * across + g]);
            low = _mm256_fmadd_ps(_mm256_cvtepi32_ps(LOAD(from)), _mm256_loadu_ps(scale + g * ACROSS), low);
            high = _mm256_fmadd_ps(_mm256_cvtepi32_ps(LOAD(from + 8)), _mm256_loadu_ps(scale + g * ACROSS + 8), high);
            low = _mm256_fnmadd_ps(less, _mm256_loadu_ps(shift + g * ACROSS), low);
            high = _mm256_fnmadd_ps(less, _mm256_loadu_ps(shift + g * ACROSS + 8), high);
        }
        __m256 s = _mm256_set1_ps(a.scale[r]);
        low = _mm256_fmadd_ps(s, low, _mm256_loadu_ps(bias));
        high = _mm256_fmadd_ps(s, high, _mm256_loadu_ps(bias + 8));
        _mm256_storeu_ps(y + (size_t)r * stride, curved ? gelu8(low) : low);
        _mm256_storeu_ps(y + (size_t)r * stride + 8, curved ? gelu8(high) : high);
    }
}

ON_AVX2 static void widen(const int8_t *from, size_t n, int16_t *to) {
    for (size_t i = 0; i < n; i += 16) STORE(to + i, _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(from + i))));
}

/* y (rows x out, a multiple of 16) of a block of rows that stays in the cache while all panels pass over it. wide: room for
   rows x in. */
static void apply_tiles(const panels *p, activations all, int rows, float *y, int curved, int16_t *wide, int path) {
    const linear *l = p->map;
    int sixteen = together(l, path) == 2;
    if (sixteen) widen(all.q, (size_t)rows * l->in, wide);
    const char *panel = p->first;
    int32_t sums[MOST_GROUPS * TILE * ACROSS];
    for (int o = 0; o < l->out; o += ACROSS, panel += p->size)
        for (int r = 0; r < rows; r += TILE) {
            int some = rows - r < TILE ? rows - r : TILE;
            const void *q = sixteen ? (const void *)(wide + (size_t)r * l->in) : (const void *)(all.q + (size_t)r * l->in);
            activations a = {all.q, all.scale + r, all.sums + (size_t)r * (l->in / GROUP)};
            tile_sums(p, panel, q, some, sums, path);
            finish(p, panel, sums, a, some, y + (size_t)r * l->out + o, l->out, curved);
        }
}
#endif

#endif

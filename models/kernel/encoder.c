/* The layers of a BERT-family encoder over packed tokens: weights of 8 or 4 bits, activations of 8 bits, all else float.

   Tokens of all texts lie side by side without padding. Activations are scaled token by token, so a text's result does not
   depend on what else is computed with it. Integer products are exact on every path: `path` chooses among instructions that
   give the same sums.

   Memory belongs to the caller. Nothing is allocated and nothing is kept: calls may run side by side. */

#include <math.h>
#include <stdint.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define X86 1
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
#define TWICE(name, takes, gives)                                                   \
    __attribute__((target("avx2,fma"))) static void name##_avx2 takes { name##_body gives; } \
    static void name##_any takes { name##_body gives; }
#define PICK(path, name) ((path) == PORTABLE ? name##_any : name##_avx2)
#else
#define TWICE(name, takes, gives) static void name##_any takes { name##_body gives; }
#define PICK(path, name) name##_any
#endif

enum { PORTABLE = 0, AVX2 = 1, VNNI = 2 };
enum { BLOCK = 32, GROUP = 128, CACHED = 16384, MOST_GROUPS = 64 };

/* y = x W^T + b with `out` rows of `in` weights. in: a multiple of 128.
   bits 8: q holds int8 in [-127, 127]; scale (out); sums (out) the sum of each row.
   bits 4: q holds two weights a byte, in chunks of 64: low halves first 32, high halves the others; scale and zero
   (out x in / 128), w = scale * (q - zero). */
typedef struct {
    int32_t in, out, bits, unused;
    const void *q;
    const float *scale, *zero, *bias;
    const int32_t *sums;
} linear;

typedef struct {
    linear query, key, value, joined, up, down;
    const float *attention_gain, *attention_shift, *output_gain, *output_shift;
} layer;

/* --- activations ---------------------------------------------------------------------------------------------- */

/* Row by row: q = round(x / s) with s = max|x| / 127, and the sum of q over each group of 128. */
INLINE void quantise_body(const float *x, int rows, int width, int8_t *q, float *scale, int32_t *sums) {
    int groups = width / GROUP;
    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * width;
        int8_t *to = q + (size_t)r * width;
        float most = 0.0f;
#pragma omp simd reduction(max : most)
        for (int i = 0; i < width; i++) {
            float a = fabsf(row[i]);
            most = a > most ? a : most;
        }
        float s = most / 127.0f, inverse = most > 0.0f ? 127.0f / most : 0.0f;
        scale[r] = s;
        for (int g = 0; g < groups; g++) {
            int32_t sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int i = g * GROUP; i < (g + 1) * GROUP; i++) {
                int32_t v = (int32_t)rintf(row[i] * inverse);
                v = v > 127 ? 127 : v < -127 ? -127 : v;
                to[i] = (int8_t)v;
                sum += v;
            }
            sums[(size_t)r * groups + g] = sum;
        }
    }
}
TWICE(quantise, (const float *x, int rows, int width, int8_t *q, float *scale, int32_t *sums), (x, rows, width, q, scale, sums))

/* --- products ------------------------------------------------------------------------------------------------- */

static int32_t dot8_portable(const int8_t *a, const int8_t *w, int n) {
    int32_t sum = 0;
    for (int i = 0; i < n; i++) sum += (int32_t)a[i] * (int32_t)w[i];
    return sum;
}

static int32_t dot4_portable(const int8_t *a, const uint8_t *w) { /* one group */
    int32_t sum = 0;
    for (int chunk = 0; chunk < GROUP / 64; chunk++) {
        const uint8_t *bytes = w + chunk * BLOCK;
        const int8_t *at = a + chunk * 64;
        for (int i = 0; i < BLOCK; i++) {
            sum += (int32_t)(bytes[i] & 15) * at[i];
            sum += (int32_t)(bytes[i] >> 4) * at[BLOCK + i];
        }
    }
    return sum;
}

static void rows8_portable(const linear *l, const int8_t *a, int rows, int32_t *acc, int o) {
    for (int r = 0; r < rows; r++)
        acc[r] = dot8_portable(a + (size_t)r * l->in, (const int8_t *)l->q + (size_t)o * l->in, l->in);
}

#if X86
__attribute__((target("avx2"))) static inline int32_t total(__m256i v) {
    __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4e));
    s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xb1));
    return _mm_cvtsi128_si32(s);
}

__attribute__((target("avx2"))) static inline float total_ps(__m256 v) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    s = _mm_add_ss(s, _mm_shuffle_ps(s, s, 1));
    return _mm_cvtss_f32(s);
}

/* Two rows by four outputs. |a| <= 127 and |w| <= 127, so a pair of products stays inside 16 bits. */
__attribute__((target("avx2"))) static void tile8_avx2(const int8_t *a0, const int8_t *a1, const int8_t *w, int n, int32_t *acc) {
    __m256i sum[8];
    const __m256i ones = _mm256_set1_epi16(1);
    for (int i = 0; i < 8; i++) sum[i] = _mm256_setzero_si256();
    for (int k = 0; k < n; k += BLOCK) {
        __m256i x0 = _mm256_loadu_si256((const __m256i *)(a0 + k)), x1 = _mm256_loadu_si256((const __m256i *)(a1 + k));
        __m256i p0 = _mm256_abs_epi8(x0), p1 = _mm256_abs_epi8(x1);
        for (int j = 0; j < 4; j++) {
            __m256i v = _mm256_loadu_si256((const __m256i *)(w + (size_t)j * n + k));
            sum[j] = _mm256_add_epi32(sum[j], _mm256_madd_epi16(_mm256_maddubs_epi16(p0, _mm256_sign_epi8(v, x0)), ones));
            sum[4 + j] = _mm256_add_epi32(sum[4 + j], _mm256_madd_epi16(_mm256_maddubs_epi16(p1, _mm256_sign_epi8(v, x1)), ones));
        }
    }
    for (int i = 0; i < 8; i++) acc[i] = total(sum[i]);
}

/* The same, four rows by four outputs; the unsigned operand is a + 128, which the weights' sums take out again. */
__attribute__((target("avx2,avxvnni"), always_inline)) static inline void tile8_vnni_(const int8_t *a, int n, int rows, const int8_t *w, const int32_t *sums, int32_t *acc) {
    const __m256i flip = _mm256_set1_epi8((char)0x80);
    __m256i sum[16];
    for (int i = 0; i < 16; i++) sum[i] = _mm256_setzero_si256();
    for (int k = 0; k < n; k += BLOCK) {
        __m256i v[4];
        for (int j = 0; j < 4; j++) v[j] = _mm256_loadu_si256((const __m256i *)(w + (size_t)j * n + k));
        for (int r = 0; r < rows; r++) {
            __m256i x = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(a + (size_t)r * n + k)), flip);
            for (int j = 0; j < 4; j++) sum[4 * r + j] = _mm256_dpbusd_avx_epi32(sum[4 * r + j], x, v[j]);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < 4; j++) acc[4 * r + j] = total(sum[4 * r + j]) - 128 * sums[j];
}
__attribute__((target("avx2,avxvnni"))) static void tile8_vnni(const int8_t *a, int n, int rows, const int8_t *w, const int32_t *sums, int32_t *acc) {
    if (rows == 4) tile8_vnni_(a, n, 4, w, sums, acc); /* the usual case, its loops unrolled */
    else tile8_vnni_(a, n, rows, w, sums, acc);
}

/* One output by up to four rows of 4-bit weights; four products of at most 15 * 127 stay inside 16 bits. */
__attribute__((target("avx2,fma"), always_inline)) static inline void rows4_avx2_(const int8_t *a, int n, int rows, const uint8_t *w, const float *scale, float *acc) {
    const __m256i low = _mm256_set1_epi8(15), ones = _mm256_set1_epi16(1);
    __m256 sum[4];
    for (int r = 0; r < rows; r++) sum[r] = _mm256_setzero_ps();
    for (int g = 0; g < n / GROUP; g++) {
        __m256i b0 = _mm256_loadu_si256((const __m256i *)(w + g * 64)), b1 = _mm256_loadu_si256((const __m256i *)(w + g * 64 + 32));
        __m256i w0 = _mm256_and_si256(b0, low), w1 = _mm256_and_si256(_mm256_srli_epi16(b0, 4), low);
        __m256i w2 = _mm256_and_si256(b1, low), w3 = _mm256_and_si256(_mm256_srli_epi16(b1, 4), low);
        __m256 s = _mm256_set1_ps(scale[g]);
        for (int r = 0; r < rows; r++) {
            const __m256i *x = (const __m256i *)(a + (size_t)r * n + g * GROUP);
            __m256i p = _mm256_maddubs_epi16(w0, _mm256_loadu_si256(x));
            p = _mm256_add_epi16(p, _mm256_maddubs_epi16(w1, _mm256_loadu_si256(x + 1)));
            p = _mm256_add_epi16(p, _mm256_maddubs_epi16(w2, _mm256_loadu_si256(x + 2)));
            p = _mm256_add_epi16(p, _mm256_maddubs_epi16(w3, _mm256_loadu_si256(x + 3)));
            sum[r] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_madd_epi16(p, ones)), s, sum[r]);
        }
    }
    for (int r = 0; r < rows; r++) acc[r] = total_ps(sum[r]);
}
__attribute__((target("avx2,fma"))) static void rows4_avx2(const int8_t *a, int n, int rows, const uint8_t *w, const float *scale, float *acc) {
    if (rows == 4) rows4_avx2_(a, n, 4, w, scale, acc); /* the usual case, its loops unrolled */
    else rows4_avx2_(a, n, rows, w, scale, acc);
}

__attribute__((target("avx2,fma,avxvnni"), always_inline)) static inline void rows4_vnni_(const int8_t *a, int n, int rows, const uint8_t *w, const float *scale, float *acc) {
    const __m256i low = _mm256_set1_epi8(15);
    __m256 sum[4];
    for (int r = 0; r < rows; r++) sum[r] = _mm256_setzero_ps();
    for (int g = 0; g < n / GROUP; g++) {
        __m256i b0 = _mm256_loadu_si256((const __m256i *)(w + g * 64)), b1 = _mm256_loadu_si256((const __m256i *)(w + g * 64 + 32));
        __m256i w0 = _mm256_and_si256(b0, low), w1 = _mm256_and_si256(_mm256_srli_epi16(b0, 4), low);
        __m256i w2 = _mm256_and_si256(b1, low), w3 = _mm256_and_si256(_mm256_srli_epi16(b1, 4), low);
        __m256 s = _mm256_set1_ps(scale[g]);
        for (int r = 0; r < rows; r++) {
            const __m256i *x = (const __m256i *)(a + (size_t)r * n + g * GROUP);
            __m256i p = _mm256_dpbusd_avx_epi32(_mm256_setzero_si256(), w0, _mm256_loadu_si256(x));
            p = _mm256_dpbusd_avx_epi32(p, w1, _mm256_loadu_si256(x + 1));
            p = _mm256_dpbusd_avx_epi32(p, w2, _mm256_loadu_si256(x + 2));
            p = _mm256_dpbusd_avx_epi32(p, w3, _mm256_loadu_si256(x + 3));
            sum[r] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(p), s, sum[r]);
        }
    }
    for (int r = 0; r < rows; r++) acc[r] = total_ps(sum[r]);
}
__attribute__((target("avx2,fma,avxvnni"))) static void rows4_vnni(const int8_t *a, int n, int rows, const uint8_t *w, const float *scale, float *acc) {
    if (rows == 4) rows4_vnni_(a, n, 4, w, scale, acc); /* the usual case, its loops unrolled */
    else rows4_vnni_(a, n, rows, w, scale, acc);
}
#endif

/* --- a linear layer --------------------------------------------------------------------------------------------- */

static void linear8(const linear *l, const int8_t *a, const float *scale, int rows, float *y, int path) {
    const int8_t *w = (const int8_t *)l->q;
    int n = l->in, o = 0;
    int32_t acc[16];
#if X86
    if (path == VNNI)
        for (; o + 4 <= l->out; o += 4)
            for (int r = 0; r < rows; r += 4) {
                int some = rows - r < 4 ? rows - r : 4;
                tile8_vnni(a + (size_t)r * n, n, some, w + (size_t)o * n, l->sums + o, acc);
                for (int i = 0; i < some; i++)
                    for (int j = 0; j < 4; j++)
                        y[(size_t)(r + i) * l->out + o + j] = scale[r + i] * l->scale[o + j] * (float)acc[4 * i + j] + l->bias[o + j];
            }
    if (path == AVX2)
        for (; o + 4 <= l->out; o += 4)
            for (int r = 0; r < rows; r += 2) {
                int second = r + 1 < rows ? r + 1 : r;
                tile8_avx2(a + (size_t)r * n, a + (size_t)second * n, w + (size_t)o * n, n, acc);
                for (int i = 0; i <= second - r; i++)
                    for (int j = 0; j < 4; j++)
                        y[(size_t)(r + i) * l->out + o + j] = scale[r + i] * l->scale[o + j] * (float)acc[4 * i + j] + l->bias[o + j];
            }
#endif
    for (; o < l->out; o++)
        for (int r = 0; r < rows; r++) {
            rows8_portable(l, a + (size_t)r * n, 1, acc, o);
            y[(size_t)r * l->out + o] = scale[r] * l->scale[o] * (float)acc[0] + l->bias[o];
        }
}

static void linear4(const linear *l, const int8_t *a, const float *scale, const int32_t *sums, int rows, float *y, int path) {
    int n = l->in, groups = n / GROUP;
    for (int o = 0; o < l->out; o++) {
        const uint8_t *w = (const uint8_t *)l->q + (size_t)o * n / 2;
        const float *s = l->scale + (size_t)o * groups, *z = l->zero + (size_t)o * groups;
        float shifts[MOST_GROUPS];
        for (int g = 0; g < groups; g++) shifts[g] = s[g] * z[g];
        for (int r = 0; r < rows; r += 4) {
            int some = rows - r < 4 ? rows - r : 4;
            float acc[4];
#if X86
            if (path == VNNI) rows4_vnni(a + (size_t)r * n, n, some, w, s, acc);
            else if (path == AVX2) rows4_avx2(a + (size_t)r * n, n, some, w, s, acc);
            else
#endif
                for (int i = 0; i < some; i++) {
                    acc[i] = 0.0f;
                    for (int g = 0; g < groups; g++)
                        acc[i] += s[g] * (float)dot4_portable(a + (size_t)(r + i) * n + g * GROUP, w + g * 64);
                }
            for (int i = 0; i < some; i++) {
                const int32_t *at = sums + (size_t)(r + i) * groups;
                float shift = 0.0f;
                for (int g = 0; g < groups; g++) shift += shifts[g] * (float)at[g];
                y[(size_t)(r + i) * l->out + o] = scale[r + i] * (acc[i] - shift) + l->bias[o];
            }
        }
    }
}

/* In blocks of rows that stay in the first cache while all outputs pass over them. */
static void apply(const linear *l, const int8_t *a, const float *scale, const int32_t *sums, int rows, float *y, int path) {
    int block = (CACHED / l->in) & ~3, groups = l->in / GROUP;
    if (block < 4) block = 4;
    for (int r = 0; r < rows; r += block) {
        int some = rows - r < block ? rows - r : block;
        const int8_t *from = a + (size_t)r * l->in;
        float *to = y + (size_t)r * l->out;
        if (l->bits == 4) linear4(l, from, scale + r, sums + (size_t)r * groups, some, to, path);
        else linear8(l, from, scale + r, some, to, path);
    }
}

/* --- the float part --------------------------------------------------------------------------------------------- */

/* e^x within 3e-7 of the value, for x <= 0 or not much above. */
INLINE float exp_(float x) {
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    float z = x * 1.44269504089f, n = floorf(z + 0.5f), f = (z - n) * 0.69314718056f;
    float p = 1.0f + f * (1.0f + f * (0.5f + f * (0.16666667f + f * (0.041666667f + f * (0.0083333333f + f * 0.0013888889f)))));
    union { int32_t i; float f; } two = {((int32_t)n + 127) << 23};
    return p * two.f;
}

/* x Phi(x), the error function within 1.5e-7 (Abramowitz and Stegun, 7.1.26). */
INLINE void gelu_body(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float v = x[i], u = fabsf(v) * 0.70710678f, t = 1.0f / (1.0f + 0.3275911f * u);
        float tail = t * (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f)))) * exp_(-u * u);
        float erf_ = v < 0.0f ? tail - 1.0f : 1.0f - tail;
        x[i] = 0.5f * v * (1.0f + erf_);
    }
}
TWICE(gelu, (float *x, size_t n), (x, n))

/* x = norm(x + y), row by row. */
INLINE void add_norm_body(float *x, const float *y, int rows, int width, const float *gain, const float *shift, float eps) {
    for (int r = 0; r < rows; r++) {
        float *row = x + (size_t)r * width;
        const float *more = y + (size_t)r * width;
        float sum = 0.0f, squares = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < width; i++) {
            row[i] += more[i];
            sum += row[i];
        }
        float mean = sum / (float)width;
#pragma omp simd reduction(+ : squares)
        for (int i = 0; i < width; i++) {
            float d = row[i] - mean;
            squares += d * d;
        }
        float inverse = 1.0f / sqrtf(squares / (float)width + eps);
        for (int i = 0; i < width; i++) row[i] = (row[i] - mean) * inverse * gain[i] + shift[i];
    }
}
TWICE(add_norm, (float *x, const float *y, int rows, int width, const float *gain, const float *shift, float eps), (x, y, rows, width, gain, shift, eps))

/* One text, one head: out = softmax(q k^T / sqrt(d)) v. turned: d x n, weights: n. */
INLINE void attend_body(const float *q, const float *k, const float *v, int n, int d, int stride, float *out, float *turned, float *weights) {
    float factor = 1.0f / sqrtf((float)d);
    for (int j = 0; j < n; j++)
        for (int c = 0; c < d; c++) turned[(size_t)c * n + j] = k[(size_t)j * stride + c];
    for (int i = 0; i < n; i++) {
        const float *row = q + (size_t)i * stride;
        float *to = out + (size_t)i * stride;
        for (int j = 0; j < n; j++) weights[j] = 0.0f;
        int c = 0;
        for (; c + 8 <= d; c += 8) { /* eight at a time: the sums go to memory and back an eighth as often */
            const float *t = turned + (size_t)c * n;
            float a[8];
            for (int l = 0; l < 8; l++) a[l] = row[c + l] * factor;
#pragma omp simd
            for (int j = 0; j < n; j++) {
                float w = weights[j];
                for (int l = 0; l < 8; l++) w += a[l] * t[(size_t)l * n + j];
                weights[j] = w;
            }
        }
        for (; c < d; c++) {
            float a = row[c] * factor;
            const float *column = turned + (size_t)c * n;
            for (int j = 0; j < n; j++) weights[j] += a * column[j];
        }
        float most = weights[0], sum = 0.0f;
#pragma omp simd reduction(max : most)
        for (int j = 1; j < n; j++) most = weights[j] > most ? weights[j] : most;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < n; j++) {
            weights[j] = exp_(weights[j] - most);
            sum += weights[j];
        }
        for (int c = 0; c < d; c++) to[c] = 0.0f;
        int j = 0;
        for (; j + 4 <= n; j += 4) {
            const float *from = v + (size_t)j * stride, *w = weights + j;
#pragma omp simd
            for (int c = 0; c < d; c++)
                to[c] += w[0] * from[c] + w[1] * from[stride + c] + w[2] * from[2 * stride + c] + w[3] * from[3 * stride + c];
        }
        for (; j < n; j++) {
            float a = weights[j];
            const float *from = v + (size_t)j * stride;
            for (int c = 0; c < d; c++) to[c] += a * from[c];
        }
        float inverse = 1.0f / sum;
        for (int c = 0; c < d; c++) to[c] *= inverse;
    }
}
TWICE(attend, (const float *q, const float *k, const float *v, int n, int d, int stride, float *out, float *turned, float *weights), (q, k, v, n, d, stride, out, turned, weights))

/* --- from outside ----------------------------------------------------------------------------------------------- */

/* The fastest path this processor has. */
int ss_best_path(void) {
#if X86
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return PORTABLE;
    unsigned a = 7, b, c = 1, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return (a >> 4) & 1 ? VNNI : AVX2;
#else
    return PORTABLE;
#endif
}

/* Floats of scratch that `ss_encode` needs. */
size_t ss_scratch(int tokens, int longest, int width, int inner) {
    size_t t = (size_t)tokens;
    int wide = inner > width ? inner : width;
    return t * (3 * (size_t)width + wide) + t * (wide / 4 + 1) + t + t * (wide / GROUP) + (size_t)longest * (width + 1) + 64;
}

/* x (tokens x width) becomes the last layer's output. starts (texts + 1): where each text's tokens begin. */
void ss_encode(const layer *layers, int count, int heads, int width, int inner, float eps, const int32_t *starts, int texts,
               float *x, float *scratch, int path) {
    int tokens = starts[texts], d = width / heads, wide = inner > width ? inner : width;
    float *q = scratch, *k = q + (size_t)tokens * width, *v = k + (size_t)tokens * width, *h = v + (size_t)tokens * width;
    float *scale = h + (size_t)tokens * wide;
    int32_t *sums = (int32_t *)(scale + tokens);
    int8_t *a = (int8_t *)(sums + (size_t)tokens * (wide / GROUP));
    float *turned = (float *)(a + (((size_t)tokens * wide + 63) & ~(size_t)63));
    int longest = 0;
    for (int s = 0; s < texts; s++) longest = starts[s + 1] - starts[s] > longest ? starts[s + 1] - starts[s] : longest;
    float *weights = turned + (size_t)longest * d;
    for (int at = 0; at < count; at++) {
        const layer *l = layers + at;
        PICK(path, quantise)(x, tokens, width, a, scale, sums);
        apply(&l->query, a, scale, sums, tokens, q, path);
        apply(&l->key, a, scale, sums, tokens, k, path);
        apply(&l->value, a, scale, sums, tokens, v, path);
        for (int s = 0; s < texts; s++) {
            size_t from = (size_t)starts[s] * width;
            int n = starts[s + 1] - starts[s];
            for (int head = 0; n > 0 && head < heads; head++)
                PICK(path, attend)(q + from + head * d, k + from + head * d, v + from + head * d, n, d, width, h + from + head * d, turned, weights);
        }
        PICK(path, quantise)(h, tokens, width, a, scale, sums);
        apply(&l->joined, a, scale, sums, tokens, q, path);
        PICK(path, add_norm)(x, q, tokens, width, l->attention_gain, l->attention_shift, eps);
        PICK(path, quantise)(x, tokens, width, a, scale, sums);
        apply(&l->up, a, scale, sums, tokens, h, path);
        PICK(path, gelu)(h, (size_t)tokens * inner);
        PICK(path, quantise)(h, tokens, inner, a, scale, sums);
        apply(&l->down, a, scale, sums, tokens, q, path);
        PICK(path, add_norm)(x, q, tokens, width, l->output_gain, l->output_shift, eps);
    }
}

/* For tests: the exact sums of one row against every output. bits 4: (out x groups). */
void ss_sums(const linear *l, const int8_t *a, int32_t *to, int path) {
    int n = l->in, groups = n / GROUP;
    for (int o = 0; o < l->out; o++) {
        if (l->bits == 4) {
            for (int g = 0; g < groups; g++) {
                const uint8_t *w = (const uint8_t *)l->q + (size_t)o * n / 2 + g * 64;
                float acc[4], one = 1.0f;
#if X86
                if (path == VNNI) { rows4_vnni(a + g * GROUP, GROUP, 1, w, &one, acc); to[(size_t)o * groups + g] = (int32_t)acc[0]; continue; }
                if (path == AVX2) { rows4_avx2(a + g * GROUP, GROUP, 1, w, &one, acc); to[(size_t)o * groups + g] = (int32_t)acc[0]; continue; }
#endif
                (void)acc; (void)one;
                to[(size_t)o * groups + g] = dot4_portable(a + g * GROUP, w);
            }
            continue;
        }
        int32_t acc[16];
        const int8_t *w = (const int8_t *)l->q + (size_t)o * n;
#if X86
        if (path != PORTABLE && o + 4 <= l->out) {
            if (path == VNNI) tile8_vnni(a, n, 1, w, l->sums + o, acc);
            else tile8_avx2(a, a, w, n, acc);
            to[o] = acc[0];
            continue;
        }
#endif
        (void)acc;
        to[o] = dot8_portable(a, w, n);
    }
}

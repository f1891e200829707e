/* One text, one head: out = softmax(q k^T / sqrt(d)) v. Rows of q, k, v and out lie `stride` apart. */

#ifndef ATTENTION_H
#define ATTENTION_H

#include "activation.h"

/* Floats of scratch for texts of up to `longest` tokens: keys turned over, and the weights of a tile of queries. */
static size_t attention_scratch(int longest, int d) {
    return ((size_t)longest + ACROSS) * (d + TILE);
}

INLINE void attend_plainly_body(const float *q, const float *k, const float *v, int n, int d, int stride, float *out, float *scratch) {
    float factor = 1.0f / sqrtf((float)d), *turned = scratch, *weights = scratch + (size_t)n * d;
    for (int j = 0; j < n; j++)
        for (int c = 0; c < d; c++) turned[(size_t)c * n + j] = k[(size_t)j * stride + c];
    for (int i = 0; i < n; i++) {
        const float *row = q + (size_t)i * stride;
        float *to = out + (size_t)i * stride;
        for (int j = 0; j < n; j++) weights[j] = 0.0f;
        for (int c = 0; c < d; c++) {
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
        for (int j = 0; j < n; j++) {
            float a = weights[j];
            const float *from = v + (size_t)j * stride;
            for (int c = 0; c < d; c++) to[c] += a * from[c];
        }
        float inverse = 1.0f / sum;
        for (int c = 0; c < d; c++) to[c] *= inverse;
    }
}
TWICE(attend_plainly, (const float *q, const float *k, const float *v, int n, int d, int stride, float *out, float *scratch), (q, k, v, n, d, stride, out, scratch))

#if X86
/* c (rows x 16) = factor of each row * a (rows x depth) b (depth x 16). */
ON_AVX2 static void tile(const float *a, int a_stride, int rows, const float *b, int b_stride, int depth, float *c, int c_stride, const float *factors) {
#define BEGIN(r)                                                           \
    const float *a##r = a + (size_t)((r) < rows ? (r) : 0) * a_stride;     \
    __m256 low##r = _mm256_setzero_ps(), high##r = low##r;
    EACH(BEGIN)
#undef BEGIN
    for (int k = 0; k < depth; k++, b += b_stride) {
        __m256 left = _mm256_loadu_ps(b), right = _mm256_loadu_ps(b + 8), x;
#define ADD(r)                                    \
    x = _mm256_broadcast_ss(a##r + k);            \
    low##r = _mm256_fmadd_ps(x, left, low##r);    \
    high##r = _mm256_fmadd_ps(x, right, high##r); \
    KEEP(low##r, high##r)
        EACH(ADD)
#undef ADD
    }
#define END(r)                                                                                          \
    if ((r) < rows) {                                                                                   \
        __m256 factor = _mm256_set1_ps(factors[r]);                                                     \
        _mm256_storeu_ps(c + (size_t)(r) * c_stride, _mm256_mul_ps(factor, low##r));                    \
        _mm256_storeu_ps(c + (size_t)(r) * c_stride + 8, _mm256_mul_ps(factor, high##r));               \
    }
    EACH(END)
#undef END
}

/* A row of scores becomes e^(score - the highest); 1 / their sum comes back. wide: n, up to a multiple of 8. */
ON_AVX2 static float soften(float *row, int n, int wide) {
    for (int j = n; j < wide; j++) row[j] = -INFINITY;
    __m256 most = _mm256_loadu_ps(row), sum = _mm256_setzero_ps();
    for (int j = 8; j < wide; j += 8) most = _mm256_max_ps(most, _mm256_loadu_ps(row + j));
    most = _mm256_max_ps(most, _mm256_permute2f128_ps(most, most, 1));
    most = _mm256_max_ps(most, _mm256_shuffle_ps(most, most, 0x4e));
    most = _mm256_max_ps(most, _mm256_shuffle_ps(most, most, 0xb1));
    for (int j = 0; j < wide; j += 8) {
        __m256 e = exp8(_mm256_sub_ps(_mm256_loadu_ps(row + j), most));
        _mm256_storeu_ps(row + j, e);
        sum = _mm256_add_ps(sum, e); /* past n: e^-87, which no sum of 1 and more feels */
    }
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    s = _mm_add_ss(s, _mm_shuffle_ps(s, s, 1));
    return 1.0f / _mm_cvtss_f32(s);
}

/* Queries in tiles of six: their scores against all keys stay in the first cache until they have weighed the values. */
ON_AVX2 static void attend_avx2(const float *q, const float *k, const float *v, int n, int d, int stride, float *out, float *scratch) {
    if (d % ACROSS) {
        attend_plainly_avx2(q, k, v, n, d, stride, out, scratch);
        return;
    }
    int wide = (n + ACROSS - 1) / ACROSS * ACROSS;
    float *turned = scratch, *scores = scratch + (size_t)wide * d, factors[TILE], inverses[TILE];
    for (int c = 0; c < d; c++) {
        float *column = turned + (size_t)c * wide;
        for (int j = 0; j < n; j++) column[j] = k[(size_t)j * stride + c];
        for (int j = n; j < wide; j++) column[j] = 0.0f;
    }
    for (int r = 0; r < TILE; r++) factors[r] = 1.0f / sqrtf((float)d);
    for (int i = 0; i < n; i += TILE) {
        int rows = n - i < TILE ? n - i : TILE;
        const float *from = q + (size_t)i * stride;
        for (int j = 0; j < wide; j += ACROSS) tile(from, stride, rows, turned + j, wide, d, scores + j, wide, factors);
        for (int r = 0; r < rows; r++) inverses[r] = soften(scores + (size_t)r * wide, n, wide);
        for (int c = 0; c < d; c += ACROSS)
            tile(scores, wide, rows, v + c, stride, n, out + (size_t)i * stride + c, stride, inverses);
    }
}
#endif

static void attend(const float *q, const float *k, const float *v, int n, int d, int stride, float *out, float *scratch, int path) {
#if X86
    if (path != PORTABLE) {
        attend_avx2(q, k, v, n, d, stride, out, scratch);
        return;
    }
#endif
    (void)path;
    attend_plainly_any(q, k, v, n, d, stride, out, scratch);
}

#endif

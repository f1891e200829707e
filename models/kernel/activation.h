/* What happens to activations between the products: 8 bits a number, the exponential, GELU, sum and norm. */

#ifndef ACTIVATION_H
#define ACTIVATION_H

#include "paths.h"

enum { GROUP = 128 };

/* Row by row: q = round(x / s) with s = max|x| / 127, and the sum of q over each group of 128 (exact in a float). */
INLINE void quantise_body(const float *x, int rows, int width, int8_t *q, float *scale, float *sums) {
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
            sums[(size_t)r * groups + g] = (float)sum;
        }
    }
}
TWICE(quantise, (const float *x, int rows, int width, int8_t *q, float *scale, float *sums), (x, rows, width, q, scale, sums))

/* e^x within 3e-7 of the value, for x <= 0 or not much above. */
INLINE float exp_(float x) {
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    float z = x * 1.44269504089f, n = floorf(z + 0.5f), f = (z - n) * 0.69314718056f;
    float p = 1.0f + f * (1.0f + f * (0.5f + f * (0.16666667f + f * (0.041666667f + f * (0.0083333333f + f * 0.0013888889f)))));
    union { int32_t i; float f; } two = {((int32_t)n + 127) << 23};
    return p * two.f;
}

/* x Phi(x), the error function within 1.5e-7 (Abramowitz and Stegun, 7.1.26). */
INLINE float gelu_(float v) {
    float u = fabsf(v) * 0.70710678f, t = 1.0f / (1.0f + 0.3275911f * u);
    float tail = t * (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f)))) * exp_(-u * u);
    float erf_ = v < 0.0f ? tail - 1.0f : 1.0f - tail;
    return 0.5f * v * (1.0f + erf_);
}

#if X86
/* The same, eight at a time. */
ON_AVX2 INLINE __m256 exp8(__m256 x) {
    x = _mm256_min_ps(_mm256_set1_ps(88.0f), _mm256_max_ps(_mm256_set1_ps(-87.0f), x)); /* in this order a NaN stays one */
    __m256 z = _mm256_mul_ps(x, _mm256_set1_ps(1.44269504089f));
    __m256 n = _mm256_round_ps(z, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 f = _mm256_mul_ps(_mm256_sub_ps(z, n), _mm256_set1_ps(0.69314718056f));
    __m256 p = _mm256_set1_ps(0.0013888889f);
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(0.0083333333f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(0.041666667f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(0.16666667f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(0.5f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f));
    p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f));
    __m256i two = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_mul_ps(p, _mm256_castsi256_ps(two));
}

ON_AVX2 INLINE __m256 gelu8(__m256 v) {
    const __m256 sign = _mm256_set1_ps(-0.0f), one = _mm256_set1_ps(1.0f);
    __m256 u = _mm256_mul_ps(_mm256_andnot_ps(sign, v), _mm256_set1_ps(0.70710678f));
    __m256 t = _mm256_div_ps(one, _mm256_fmadd_ps(_mm256_set1_ps(0.3275911f), u, one));
    __m256 p = _mm256_set1_ps(1.061405429f);
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(-1.453152027f));
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(1.421413741f));
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(-0.284496736f));
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(0.254829592f));
    __m256 tail = _mm256_mul_ps(_mm256_mul_ps(p, t), exp8(_mm256_xor_ps(_mm256_mul_ps(u, u), sign)));
    __m256 erf_ = _mm256_or_ps(_mm256_sub_ps(one, tail), _mm256_and_ps(v, sign)); /* 1 - tail is not negative */
    return _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(0.5f), v), _mm256_add_ps(one, erf_));
}
#endif

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

#endif

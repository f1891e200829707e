/* The layers of a BERT-family encoder over packed tokens: weights of 8 or 4 bits, activations of 8 bits, all else float.

   Tokens of all texts lie side by side without padding. Activations are scaled token by token, so a text's result does not
   depend on what else is computed with it. Integer products are exact on every path.

   A layer is computed for a few whole texts at a time, and what follows attention for a block of tokens at a time, so that
   what one step writes is still in the cache for the next.

   Memory belongs to the caller. Nothing is allocated and nothing is kept: calls may run side by side. */

#include "attention.h"
#include "linear.h"

enum { TEXTS = 192, BLOCK = 48 }; /* tokens of the texts of one turn, unless one is longer; of a block */

typedef struct {
    linear query, key, value, joined, up, down;
    const float *attention_gain, *attention_shift, *output_gain, *output_shift;
} layer;

/* What a call works in. */
typedef struct {
    float *q, *k, *v, *seen;     /* tokens of a turn x width */
    float *inner, *scale, *sums; /* a block */
    int8_t *a;
    int16_t *wide;
    float *attention;
    char *panels;
} workshop;

static void *take(uintptr_t *at, size_t bytes) {
    uintptr_t found = *at;
    *at += (bytes + 63) & ~(uintptr_t)63;
    return (void *)found;
}

/* The workshop that lies at `at`, which moves to where it ends. */
static workshop laid_out(uintptr_t *at, int tokens, int longest, int width, int inner, int heads) {
    size_t turn = tokens < TEXTS ? tokens : longest > TEXTS ? longest : TEXTS, most = inner > width ? inner : width;
    size_t weights = 4 * (size_t)width * width + 2 * (size_t)width * inner;
    size_t outputs = 5 * (size_t)width + inner + 6 * ACROSS, groups = most / GROUP;
    workshop w;
    w.q = take(at, turn * width * sizeof(float));
    w.k = take(at, turn * width * sizeof(float));
    w.v = take(at, turn * width * sizeof(float));
    w.seen = take(at, turn * width * sizeof(float));
    w.inner = take(at, BLOCK * most * sizeof(float));
    w.scale = take(at, BLOCK * sizeof(float));
    w.sums = take(at, BLOCK * groups * sizeof(float));
    w.a = take(at, BLOCK * most);
    w.wide = take(at, BLOCK * most * sizeof(int16_t));
    w.attention = take(at, attention_scratch(longest, width / heads) * sizeof(float));
    /* Weights as pairs of 16 bits, outputs that fill the last panel of each map, and what stands before the weights. */
    w.panels = take(at, 2 * (weights + 6 * ACROSS * most) + outputs * sizeof(float) * (2 + 2 * groups) + 6 * 64);
    return w;
}

/* One map, ready for a path. */
typedef struct {
    const linear *map;
#if X86
    panels panels;
#endif
} ready;

static ready prepared(const linear *l, uintptr_t *at, const workshop *w, int path) {
    ready found = {.map = l};
#if X86
    if (path != PORTABLE) {
        found.panels = panels_of(l, (char *)*at, path);
        take(at, panels_bytes(&found.panels));
        fill(&found.panels, path, (uint8_t *)w->wide);
    }
#endif
    (void)at, (void)w, (void)path;
    return found;
}

static void apply(const ready *map, const workshop *w, int rows, float *y, int curved, int path) {
    activations a = {w->a, w->scale, w->sums};
#if X86
    if (path != PORTABLE) {
        apply_tiles(&map->panels, a, rows, y, curved, w->wide, path);
        return;
    }
#endif
    (void)path;
    apply_plainly(map->map, a, rows, y, curved);
}

/* Some whole texts through one layer; their x begins at `x`, their starts count from `base`. */
static void turn(const layer *l, const ready *maps, int heads, int width, int inner, float eps, const int32_t *starts, int texts, float *x,
                 const workshop *w, int path) {
    int base = starts[0], tokens = starts[texts] - base, d = width / heads;
    for (int r = 0; r < tokens; r += BLOCK) {
        int rows = tokens - r < BLOCK ? tokens - r : BLOCK;
        size_t at = (size_t)r * width;
        PICK(path, quantise)(x + at, rows, width, w->a, w->scale, w->sums);
        apply(maps + 0, w, rows, w->q + at, 0, path);
        apply(maps + 1, w, rows, w->k + at, 0, path);
        apply(maps + 2, w, rows, w->v + at, 0, path);
    }
    for (int s = 0; s < texts; s++) {
        int n = starts[s + 1] - starts[s];
        for (int head = 0; n > 0 && head < heads; head++) {
            size_t at = (size_t)(starts[s] - base) * width + (size_t)head * d;
            attend(w->q + at, w->k + at, w->v + at, n, d, width, w->seen + at, w->attention, path);
        }
    }
    for (int r = 0; r < tokens; r += BLOCK) {
        int rows = tokens - r < BLOCK ? tokens - r : BLOCK;
        size_t at = (size_t)r * width;
        PICK(path, quantise)(w->seen + at, rows, width, w->a, w->scale, w->sums);
        apply(maps + 3, w, rows, w->q + at, 0, path);
        PICK(path, add_norm)(x + at, w->q + at, rows, width, l->attention_gain, l->attention_shift, eps);
        PICK(path, quantise)(x + at, rows, width, w->a, w->scale, w->sums);
        apply(maps + 4, w, rows, w->inner, 1, path);
        PICK(path, quantise)(w->inner, rows, inner, w->a, w->scale, w->sums);
        apply(maps + 5, w, rows, w->q + at, 0, path);
        PICK(path, add_norm)(x + at, w->q + at, rows, width, l->output_gain, l->output_shift, eps);
    }
}

/* --- from outside ----------------------------------------------------------------------------------------------- */

/* Changes whenever what is said to or by these functions does. */
int ss_version(void) { return 2; }

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

/* Bytes of scratch that `ss_encode` needs. */
size_t ss_scratch(int tokens, int longest, int width, int inner, int heads) {
    uintptr_t end = 0;
    laid_out(&end, tokens, longest, width, inner, heads);
    return end + 64;
}

/* x (tokens x width) becomes the last layer's output. starts (texts + 1): where each text's tokens begin. */
void ss_encode(const layer *layers, int count, int heads, int width, int inner, float eps, const int32_t *starts, int texts,
               float *x, void *scratch, int path) {
    int longest = 0;
    for (int s = 0; s < texts; s++) longest = starts[s + 1] - starts[s] > longest ? starts[s + 1] - starts[s] : longest;
    uintptr_t at = ((uintptr_t)scratch + 63) & ~(uintptr_t)63;
    workshop w = laid_out(&at, starts[texts], longest, width, inner, heads);
    for (int here = 0; here < count; here++) {
        const layer *l = layers + here;
        const linear *maps[] = {&l->query, &l->key, &l->value, &l->joined, &l->up, &l->down};
        ready each[6];
        uintptr_t panels_at = (uintptr_t)w.panels;
        for (int i = 0; i < 6; i++) each[i] = prepared(maps[i], &panels_at, &w, path);
        for (int s = 0, next; s < texts; s = next) {
            for (next = s + 1; next < texts && starts[next + 1] - starts[s] <= TEXTS; next++) {}
            turn(l, each, heads, width, inner, eps, starts + s, next - s, x + (size_t)starts[s] * width, &w, path);
        }
    }
}

/* For tests: the exact sums of up to six rows of activations (rows x in) with every output, of each group for weights of 4
   bits: to (groups x rows x out). scratch: 12 x in bytes, and 3 x (in + 16) for each output and 16 more. */
void ss_sums(const linear *l, const int8_t *a, int rows, int32_t *to, void *scratch, int path) {
    int groups = l->bits == 4 ? l->in / GROUP : 1;
#if X86
    if (path != PORTABLE) {
        int16_t *wide = scratch;
        panels p = panels_of(l, (char *)scratch + 2 * (size_t)TILE * l->in, path);
        int sixteen = together(l, path) == 2;
        fill(&p, path, scratch);
        widen(a, (size_t)rows * l->in, wide);
        for (int o = 0; o < l->out; o += ACROSS) {
            int32_t sums[MOST_GROUPS * TILE * ACROSS];
            int some = l->out - o < ACROSS ? l->out - o : ACROSS;
            tile_sums(&p, p.first + p.size * (o / ACROSS), sixteen ? (const void *)wide : a, rows, sums, path);
            for (int g = 0; g < groups; g++)
                for (int r = 0; r < rows; r++)
                    memcpy(to + ((size_t)g * rows + r) * l->out + o, sums + ((size_t)g * TILE + r) * ACROSS, sizeof(int32_t) * some);
        }
        return;
    }
#endif
    (void)scratch, (void)path;
    for (int g = 0; g < groups; g++)
        for (int r = 0; r < rows; r++)
            for (int o = 0; o < l->out; o++, to++) {
                const int8_t *from = a + (size_t)r * l->in;
                const uint8_t *w = (const uint8_t *)l->q + (size_t)o * l->in / 2 + g * GROUP / 2;
                *to = l->bits == 4 ? dot4(from + g * GROUP, w) : dot8(from, (const int8_t *)l->q + (size_t)o * l->in, l->in);
            }
}

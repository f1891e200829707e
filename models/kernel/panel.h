/* Linear maps as the tiles read them: for one call, out of the caller's scratch, weights of 4 bits as bytes. */

#ifndef PANEL_H
#define PANEL_H

#include "activation.h"

enum { CHUNK = 64 };

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

#if X86
/* How many inputs of one output lie side by side: what one multiplication adds up. */
static int together(const linear *l, int path) { return l->bits == 8 && path == AVX2 ? 2 : 4; }

/* The panels of a map, one for each 16 outputs: bias (16); where whole-number sums begin, to take out what made an operand
   unsigned (16); shift and scale (groups x 16 each); weights. 8-bit weights make one group. Missing outputs are 0. */
typedef struct {
    const linear *map;
    char *first;
    int groups;
    size_t head, size; /* bytes before the weights, and of a panel */
} panels;

static panels panels_of(const linear *l, char *at, int path) {
    int groups = l->bits == 4 ? l->in / GROUP : 1;
    size_t head = sizeof(float) * ACROSS * (2 + 2 * (size_t)groups);
    size_t size = head + (size_t)ACROSS * l->in * (together(l, path) == 2 ? sizeof(int16_t) : 1);
    return (panels){l, at, groups, head, size};
}

static size_t panels_bytes(const panels *p) { return p->size * ((p->map->out + ACROSS - 1) / ACROSS); }

/* One row of weights, 4 bits to 8. */
static void unpack(const uint8_t *q, int in, uint8_t *to) {
    for (int at = 0; at < in; at += CHUNK, q += CHUNK / 2)
        for (int i = 0; i < CHUNK / 2; i++) {
            to[at + i] = q[i] & 15;
            to[at + CHUNK / 2 + i] = q[i] >> 4;
        }
}

static void fill(const panels *p, int path, uint8_t *row) {
    const linear *l = p->map;
    for (int o = 0; o < l->out; o++) {
        char *panel = p->first + p->size * (o / ACROSS);
        int lane = o % ACROSS;
        if (lane == 0) memset(panel, 0, o + ACROSS > l->out ? p->size : p->head);
        float *bias = (float *)panel, *shift = bias + 2 * ACROSS, *scale = shift + (size_t)ACROSS * p->groups;
        bias[lane] = l->bias[o];
        const uint8_t *w = (const uint8_t *)l->q + (size_t)o * l->in;
        if (l->bits == 4) {
            for (int g = 0; g < p->groups; g++) {
                size_t from = (size_t)o * p->groups + g;
                scale[g * ACROSS + lane] = l->scale[from];
                shift[g * ACROSS + lane] = l->scale[from] * l->zero[from];
            }
            unpack((const uint8_t *)l->q + (size_t)o * l->in / 2, l->in, row);
            w = row;
        } else {
            scale[lane] = l->scale[o];
            if (path == VNNI) ((int32_t *)panel)[ACROSS + lane] = -128 * l->sums[o];
        }
        char *to = panel + p->head + 4 * lane;
        if (together(l, path) == 2)
            for (int k = 0; k < l->in; k += 2, to += 4 * ACROSS) {
                int16_t pair[2] = {(int8_t)w[k], (int8_t)w[k + 1]};
                memcpy(to, pair, sizeof pair);
            }
        else
            for (int k = 0; k < l->in; k += 4, to += 4 * ACROSS) memcpy(to, w + k, 4);
    }
}
#endif

#endif

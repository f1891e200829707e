#include "encoder.c"
#include <stdlib.h>
#include <stdio.h>
static float *floats(int n) { float *f = malloc(sizeof(float) * n); for (int i = 0; i < n; i++) f[i] = (float)((i * 37 % 101) - 50) / 97.0f; return f; }
static linear make(int in, int out, int bits) {
    linear l = {in, out, bits, 0, 0, floats(out * (in / GROUP)), floats(out * (in / GROUP)), floats(out), calloc(out, 4)};
    int8_t *q = malloc((size_t)in * out * bits / 8);
    for (int i = 0; i < in * out * bits / 8; i++) q[i] = bits == 8 ? (int8_t)(i % 255 - 127) : (int8_t)(i * 31);
    l.q = q;
    return l;
}
int main(void) {
    for (int path = 0; path <= ss_best_path(); path++)
        for (int bits = 4; bits <= 8; bits += 4)
            for (int n = 0; n < 9; n++) {
                layer l = {make(128, 128, bits), make(128, 128, bits), make(128, 128, bits), make(128, 128, bits), make(128, 256, bits), make(256, 128, bits), floats(128), floats(128), floats(128), floats(128)};
                int starts[4] = {0, n, n + 1, 2 * n + 1}, tokens = 2 * n + 1, longest = n > 1 ? n : 1;
                float *x = floats(tokens * 128), *scratch = malloc(sizeof(float) * ss_scratch(tokens, longest, 128, 256));
                ss_encode(&l, 1, 4, 128, 256, 1e-12f, starts, 3, x, scratch, path);
                free(scratch);
            }
    puts("done");
    return 0;
}

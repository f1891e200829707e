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
static void encodes(int path, int bits, int n, int heads) {
    layer l = {make(128, 128, bits), make(128, 128, bits), make(128, 128, bits), make(128, 128, bits), make(128, 256, bits), make(256, 128, bits), floats(128), floats(128), floats(128), floats(128)};
    int starts[4] = {0, n, n + 1, 2 * n + 1}, tokens = 2 * n + 1, longest = n > 1 ? n : 1;
    float *x = floats(tokens * 128);
    void *scratch = malloc(ss_scratch(tokens, longest, 128, 256, heads));
    ss_encode(&l, 1, heads, 128, 256, 1e-12f, starts, 3, x, scratch, path);
    free(scratch);
}
static void sums(int path, int bits, int in, int out) {
    linear l = make(in, out, bits);
    void *scratch = malloc(12 * in + (size_t)(out + 16) * 3 * (in + 16));
    for (int rows = 1; rows <= TILE; rows++) {
        int8_t *a = malloc(rows * in);
        for (int i = 0; i < rows * in; i++) a[i] = (int8_t)(i % 255 - 127);
        int32_t *to = malloc(sizeof(int32_t) * rows * out * (bits == 4 ? in / GROUP : 1));
        ss_sums(&l, a, rows, to, scratch, path);
        free(to);
        free(a);
    }
    free(scratch);
}
int main(void) {
    const int lengths[] = {0, 1, 2, 5, 6, 7, 8, 16, 47, 49, 95, 96, 97, 192, 193};
    for (int path = 0; path <= ss_best_path(); path++)
        for (int bits = 4; bits <= 8; bits += 4) {
            for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
                for (int heads = 4; heads <= 16; heads *= 2) encodes(path, bits, lengths[i], heads); /* 32, 16 and 8 wide */
            for (int out = 1; out <= 33; out += 4) sums(path, bits, 3 * GROUP, out);
        }
    puts("done");
    return 0;
}

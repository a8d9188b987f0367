/* SPDX-License-Identifier: Apache-2.0 */
/* usage: overlay LIBRARY [OPERATIONS]
 * The registers of NoC overlay streams that firmware and kernels use, from the host, against a plain model of them: random
 * writes and reads over the 64 streams of a few tiles.  Any library with the libttsim ABI. */
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>

enum { TILES = 3, STREAMS = 64 };
enum { REMOTE_SRC = 4, BUF_START = 8, BUF_SIZE = 10, SPACE_UPDATE = 270, SPACE = 297 };

struct stream {
    uint32_t remote_src, buf_start, buf_size, space;
};

static uint64_t next(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = (*state ^ *state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ z >> 27;
}

static uint64_t address_of(unsigned stream, unsigned index)
{
    return UINT64_C(0xFFB40000) + stream * UINT64_C(0x1000) + index * UINT64_C(4);
}

int main(int argc, char **argv)
{
    static struct stream model[TILES][STREAMS];
    struct simlib sim;
    struct tap tap = {0};
    if (argc < 2 || !simlib_open(&sim, argv[1]))
        return 2;
    long operations = argc > 2 ? strtol(argv[2], NULL, 0) : 4000, wrong = 0;
    uint64_t state = 4;
    simlib_start(&sim);
    for (long i = 0; i < operations; i++) {
        uint64_t draw = next(&state);
        unsigned tile = (unsigned)(draw % TILES), stream = (unsigned)(draw >> 8 & 63);
        unsigned x = sim_tensix_x(tile * 50), y = sim_tensix_y(tile * 50);
        struct stream *s = &model[tile][stream];
        uint32_t value = (uint32_t)(draw >> 32), want = 0;
        unsigned index = 0;
        bool write = draw >> 16 & 1;
        switch (draw >> 17 & 3) {
        case 0:
            index = REMOTE_SRC;
            value &= 0xFFFFFF;
            s->remote_src = write ? value : s->remote_src;
            want = s->remote_src;
            break;
        case 1:
            index = BUF_START;
            s->buf_start = write ? value & 0x1FFFF : s->buf_start;
            want = s->buf_start;
            break;
        case 2:
            index = BUF_SIZE;
            s->buf_size = write ? value & 0x1FFFF : s->buf_size;
            s->space = write ? value & 0x1FFFF : s->space;
            want = s->buf_size;
            break;
        default:
            index = write ? SPACE_UPDATE : SPACE;
            value = (value & 0x1FFFF) << 6;
            s->space = (s->space + (write ? value >> 6 : 0)) & 0x1FFFF;
            want = s->space;
        }
        if (write)
            simlib_write32(&sim, x, y, address_of(stream, index), value);
        else
            wrong += simlib_read32(&sim, x, y, address_of(stream, index)) != want;
    }
    tap_ok(&tap, wrong == 0, "%ld random accesses to streams: %ld wrong answers", operations, wrong);
    sim.exit();
    return tap_end(&tap);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Save, restore and go on = not stopping; what is no snapshot is refused. */
#include "../support/tap.h"
#include "../support/workload.h"

enum { TILES = 21, SAVES = 12 };

typedef struct stream {
    uint8_t *data;
    size_t size, room, at;
    size_t limit; /* reads and writes fail from here on */
} stream;

static bool put(void *context, const void *data, size_t size)
{
    stream *s = context;
    if (s->size + size > s->limit) {
        return false;
    }
    if (s->size + size > s->room) {
        s->room = (s->size + size) * 2;
        s->data = realloc(s->data, s->room);
        if (!s->data) {
            abort();
        }
    }
    memcpy(s->data + s->size, data, size);
    s->size += size;
    return true;
}
static bool get(void *context, void *data, size_t size)
{
    stream *s = context;
    size_t end = s->size < s->limit ? s->size : s->limit;
    if (s->at + size > end) {
        return false;
    }
    memcpy(data, s->data + s->at, size);
    s->at += size;
    return true;
}

static kerr_chip *make(uint32_t threads)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = threads;
    return chip_new(&config);
}

int main(void)
{
    tap t = {0};
    test_random random = {.state = 4711};
    kerr_chip *straight = make(1);
    workload_start_mix(straight, TILES, 1);
    for (unsigned i = 0; i < SAVES; i++) {
        stream s = {.limit = SIZE_MAX};
        MUST(straight, kerr_run(straight, 1 + test_below(&random, 3000)));
        uint64_t cycle = chip_cycle(straight), hash = chip_hash(straight);
        MUST(straight, kerr_save(straight, put, &s));
        tap_ok(&t, chip_hash(straight) == hash, "saving at cycle %u changes nothing", (unsigned)cycle);
        kerr_chip *other = make(1 + i % 3);
        MUST(other, kerr_restore(other, get, &s));
        tap_ok(&t, s.at == s.size, "restoring takes all of the snapshot");
        tap_ok(&t, chip_cycle(other) == cycle && chip_hash(other) == hash, "a restored chip has the hash of the saved");
        uint64_t step = 1 + test_below(&random, 4000);
        MUST(straight, kerr_run(straight, step));
        MUST(other, kerr_run(other, step));
        tap_ok(&t, chip_hash(other) == chip_hash(straight), "%u cycles later still so", (unsigned)step);
        if (i == 0) { /* back in time, in a chip that has run on */
            s.at = 0;
            MUST(other, kerr_restore(other, get, &s));
            MUST(other, kerr_run(other, step));
            tap_ok(&t, chip_hash(other) == chip_hash(straight), "restoring into a chip that has run on");
            stream again = {.limit = SIZE_MAX};
            s.at = 0;
            MUST(other, kerr_restore(other, get, &s));
            MUST(other, kerr_save(other, put, &again));
            tap_ok(&t, again.size == s.size && memcmp(again.data, s.data, s.size) == 0,
                   "saving what was restored gives the same bytes");
            free(again.data);

            uint64_t before = chip_hash(other);
            uint8_t keep = s.data[0];
            s.data[0] ^= 0xff;
            s.at = 0;
            tap_ok(&t, kerr_restore(other, get, &s) == KERR_BAD_SNAPSHOT, "a wrong header is refused");
            tap_ok(&t, chip_hash(other) == before, "and leaves the chip unchanged");
            s.data[0] = keep;
            s.at = 0;
            s.limit = 0;
            kerr_status status = kerr_restore(other, get, &s);
            tap_ok(&t, status == KERR_BAD_SNAPSHOT || status == KERR_IO, "an empty stream is refused");
            bool refused = true, unchanged = true, like_reset = true;
            kerr_chip *fresh = make(1);
            uint64_t reset_hash = chip_hash(fresh);
            for (unsigned k = 0; k < 40; k++) {
                s.at = 0;
                s.limit = k < 20 ? k * 8 : test_below(&random, (uint32_t)s.size);
                status = kerr_restore(other, get, &s);
                refused &= status == KERR_BAD_SNAPSHOT || status == KERR_IO;
                unchanged &= chip_hash(other) == before;
            }
            tap_ok(&t, refused, "a snapshot cut short anywhere is refused");
            tap_ok(&t, unchanged, "and leaves the chip unchanged");
            MUST(other, kerr_run(other, step));
            tap_ok(&t, chip_hash(other) == chip_hash(straight), "which runs on as if nothing had been");
            for (unsigned k = 0; k < 20; k++) {
                s.at = 0;
                s.limit = test_below(&random, (uint32_t)s.size);
                status = kerr_rewind(other, get, &s);
                refused &= status == KERR_BAD_SNAPSHOT || status == KERR_IO;
                like_reset &= chip_hash(other) == reset_hash;
            }
            tap_ok(&t, refused && like_reset, "kerr_rewind leaves it as after reset");
            kerr_destroy(fresh);
            s.limit = SIZE_MAX;
            s.at = 0;
            MUST(other, kerr_restore(other, get, &s));
            MUST(other, kerr_run(other, step));
            tap_ok(&t, chip_hash(other) == chip_hash(straight), "after all that the whole snapshot still works");
            stream full = {.limit = 100};
            tap_ok(&t, kerr_save(other, put, &full) == KERR_IO, "a stream that takes no more is an I/O status");
            free(full.data);
        }
        kerr_destroy(other);
        free(s.data);
    }
    kerr_destroy(straight);
    return tap_end(&t);
}

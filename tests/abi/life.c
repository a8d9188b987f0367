/* SPDX-License-Identifier: Apache-2.0 */
/* usage: life LIBRARY
 * init, exit, init again; dlclose and dlopen; a copy loaded from memory; fork.  Any library with the libttsim ABI
 * that can be forked. */
#include "../../bench/rv_load.h"
#include "simlib.h"
#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 20, BEFORE = 20011, AFTER = 30013 };

static void load_all(struct simlib *sim)
{
    struct rv_program program;
    struct rv_memory memory;
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        unsigned x = sim_tensix_x(i), y = sim_tensix_y(i);
        rv_load_start(&memory, UINT32_MAX, i);
        rv_load_program(&program, true);
        simlib_write(sim, x, y, RV_BUFFER, &memory, sizeof memory);
        simlib_write(sim, x, y, 0, program.word, program.size_bytes);
        rv_poll_program(&program, RV_POLL, true);
        for (unsigned core = 1; core < 5; core++)
            simlib_write(sim, x, y, sim_reset_pc[core], program.word, program.size_bytes);
        simlib_write32(sim, x, y, SIM_SOFT_RESET, 0);
    }
}

/* Over what the working cores have in memory. */
static uint64_t hash_all(struct simlib *sim)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (unsigned i = 0; i < SIM_TENSIX; i++) {
        struct rv_memory memory;
        simlib_read(sim, sim_tensix_x(i), sim_tensix_y(i), RV_BUFFER, &memory, sizeof memory);
        for (size_t k = 0; k < sizeof memory; k++)
            hash = (hash ^ ((const uint8_t *)&memory)[k]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

static bool fresh(struct simlib *sim)
{
    return simlib_read32(sim, 1, 2, 0) == 0 && simlib_read32(sim, 16, 11, RV_BLOCK) == 0 &&
           simlib_read32(sim, 1, 2, SIM_SOFT_RESET) == SIM_RESET_ALL;
}

static uint64_t load_and_run(struct simlib *sim)
{
    load_all(sim);
    sim->clock(BEFORE);
    sim->clock(AFTER);
    return hash_all(sim);
}

static void again(struct tap *tap, struct simlib *sim, const char *path)
{
    simlib_start(sim);
    uint64_t first = load_and_run(sim);
    sim->exit();
    bool is_fresh = true, same = true;
    for (int i = 0; i < 3; i++) {
        simlib_start(sim);
        is_fresh = is_fresh && fresh(sim);
        same = same && load_and_run(sim) == first;
        sim->exit();
    }
    tap_ok(tap, is_fresh, "exit and init again give a fresh chip");
    tap_ok(tap, same, "and the same run gives the same memory");

    is_fresh = same = true;
    for (int i = 0; i < 3; i++) {
        dlclose(sim->handle);
        if (!simlib_open(sim, path))
            exit(2);
        simlib_start(sim);
        is_fresh = is_fresh && fresh(sim);
        same = same && load_and_run(sim) == first;
        if (i != 1) /* once without exit: dlclose must do */
            sim->exit();
    }
    tap_ok(tap, is_fresh && same, "dlclose, dlopen, init");

    /* As tt-umd does it: a copy in memory, with nothing beside it. */
    int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("libttsim_copy.so", MFD_CLOEXEC);
    struct stat info;
    char name[64];
    struct simlib copy;
    bool copied = from >= 0 && to >= 0 && fstat(from, &info) == 0;
    for (off_t left = copied ? info.st_size : 0; copied && left > 0;) {
        char block[65536];
        ssize_t n = read(from, block, sizeof block);
        copied = n > 0 && write(to, block, (size_t)n) == n;
        left -= n;
    }
    snprintf(name, sizeof name, "/proc/self/fd/%d", to);
    if (tap_ok(tap, copied && simlib_open(&copy, name), "a copy in memory can be opened")) {
        simlib_start(&copy);
        simlib_start(sim);
        uint64_t mine = load_and_run(&copy);
        tap_ok(tap, fresh(sim), "two copies in a process are two chips");
        tap_ok(tap, mine == first, "and the copy gives the same memory");
        copy.exit();
        sim->exit();
        dlclose(copy.handle);
    }
    close(from);
    close(to);
}

/* Children of a process with a chip in mid-run, all alive at once, end where the parent ends. */
static void forks(struct tap *tap, struct simlib *sim, const char *threads)
{
    setenv("KERR_THREADS", threads, 1);
    simlib_start(sim);
    load_all(sim);
    sim->clock(BEFORE);
    pid_t child[CHILDREN];
    int ends[CHILDREN][2];
    for (int i = 0; i < CHILDREN; i++) {
        child[i] = pipe(ends[i]) == 0 ? fork() : -1;
        if (child[i] == 0) {
            /* Each slices its clocks in another way. */
            uint32_t first = (uint32_t)i * 997 % AFTER + 1;
            sim->clock(first);
            sim->clock(AFTER - first);
            uint64_t hash = hash_all(sim);
            if (i % 2)
                sim->exit();
            bool written = write(ends[i][1], &hash, sizeof hash) == (ssize_t)sizeof hash;
            if (i % 4 < 2)
                _exit(written ? 0 : 1);
            fclose(stdout);
            exit(written ? 0 : 1); /* through the library's destructors */
        }
        close(ends[i][1]);
    }
    sim->clock(AFTER);
    uint64_t want = hash_all(sim);
    int ended = 0, same = 0;
    for (int i = 0; i < CHILDREN; i++) {
        uint64_t got = 0;
        int status = 1;
        same += read(ends[i][0], &got, sizeof got) == (ssize_t)sizeof got && got == want;
        ended += child[i] > 0 && waitpid(child[i], &status, 0) == child[i] && status == 0;
        close(ends[i][0]);
    }
    tap_ok(tap, ended == CHILDREN, "%s threads: %d of %d forked children ended well", threads, ended, CHILDREN);
    tap_ok(tap, same == CHILDREN, "%s threads: %d of %d have the parent's memory", threads, same, CHILDREN);
    sim->clock(AFTER);
    uint64_t later = hash_all(sim);
    sim->exit();
    tap_ok(tap, later != want, "%s threads: the parent goes on after them", threads);
}

static void many_threads(struct tap *tap, struct simlib *sim)
{
    static const char *const counts[] = {"1", "2", "8"};
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        setenv("KERR_THREADS", counts[i], 1);
        simlib_start(sim);
        hash[i] = load_and_run(sim);
        sim->exit();
    }
    tap_ok(tap, hash[0] == hash[1] && hash[1] == hash[2], "1, 2 and 8 threads give the same memory");
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1]))
        return 2;
    setenv("KERR_HOST_TIME", "0", 1);
    again(&tap, &sim, argv[1]);
    many_threads(&tap, &sim);
    forks(&tap, &sim, "1");
    forks(&tap, &sim, "8");
    return tap_end(&tap);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* usage: dma LIBRARY
 * Host memory as the card reaches it: through the PCI Express tile (manual PCIExpressTile/README, "NoC to Host"), its
 * outbound iATU as tt-umd and tt-kmd program it, and the callbacks.  Here the host itself sends the requests, through a
 * window onto the tile that it sits behind. */
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define THROUGH_IATU UINT64_C(0x1000000000000000)
#define NOC_WINDOW_BYTES (UINT64_C(1) << 58)
enum { HOST_BYTES = 1 << 16, CALLS_MAX = 16 };
#define HOST_BASE UINT64_C(0x4000000000)

static uint8_t host[HOST_BYTES];
static struct {
    uint64_t address;
    uint32_t size;
    bool write;
} calls[CALLS_MAX];
static unsigned call_count;
static pid_t caller;
static bool outside; /* a call to an address that the host did not offer, or from elsewhere */

static void note(uint64_t address, uint32_t size, bool write)
{
    outside = outside || address < HOST_BASE || address - HOST_BASE + size > HOST_BYTES || gettid() != caller;
    if (call_count < CALLS_MAX)
        calls[call_count++] = (__typeof__(calls[0])){address, size, write};
}
static void host_read(uint64_t address, void *data, uint32_t size)
{
    note(address, size, false);
    if (!outside)
        memcpy(data, host + (address - HOST_BASE), size);
}
static void host_write(uint64_t address, const void *data, uint32_t size)
{
    note(address, size, true);
    if (!outside)
        memcpy(host + (address - HOST_BASE), data, size);
}

static void iatu(struct simlib *sim, unsigned region, unsigned offset, uint32_t value)
{
    sim->mem_wr(sim->bar2 + 0x1000 + region * 0x200 + offset, &value, 4);
}
/* tt-umd's order: 0x1C and 0x20 are zero. */
static void iatu_umd(struct simlib *sim, unsigned region, uint64_t base, uint32_t size, uint64_t target)
{
    uint64_t limit = base + size - 1;
    iatu(sim, region, 0x04, 0);
    iatu(sim, region, 0x00, 0);
    iatu(sim, region, 0x08, (uint32_t)base);
    iatu(sim, region, 0x0C, (uint32_t)(base >> 32));
    iatu(sim, region, 0x10, (uint32_t)limit);
    iatu(sim, region, 0x14, (uint32_t)target);
    iatu(sim, region, 0x18, (uint32_t)(target >> 32));
    iatu(sim, region, 0x04, UINT32_C(1) << 31);
}
/* tt-kmd's: regions above 4 GiB, with the upper half of the limit at 0x20. */
static void iatu_kmd(struct simlib *sim, unsigned region, uint64_t base, uint64_t limit, uint64_t target)
{
    iatu(sim, region, 0x08, (uint32_t)base);
    iatu(sim, region, 0x0C, (uint32_t)(base >> 32));
    iatu(sim, region, 0x14, (uint32_t)target);
    iatu(sim, region, 0x18, (uint32_t)(target >> 32));
    iatu(sim, region, 0x10, (uint32_t)limit);
    iatu(sim, region, 0x20, (uint32_t)(limit >> 32));
    iatu(sim, region, 0x00, 1 << 13);
    iatu(sim, region, 0x04, limit == 0 ? 0 : UINT32_C(1) << 31);
    iatu(sim, region, 0x1C, 0);
}

static void put(struct simlib *sim, uint64_t address, const void *data, uint32_t size)
{
    call_count = 0;
    simlib_write(sim, 19, 24, address, data, size);
}
static void get(struct simlib *sim, uint64_t address, void *data, uint32_t size)
{
    call_count = 0;
    simlib_read(sim, 19, 24, address, data, size);
}
static bool one_call(uint64_t address, uint32_t size, bool write)
{
    return call_count == 1 && calls[0].address == address && calls[0].size == size && calls[0].write == write;
}

static void works(struct tap *tap, struct simlib *sim)
{
    char text[32] = "";
    sim->set_dma(host_read, host_write);
    simlib_start(sim);
    put(sim, THROUGH_IATU + HOST_BASE + 0x100, "hello, host", 12);
    tap_ok(tap, one_call(HOST_BASE + 0x100, 12, true) && strcmp((char *)host + 0x100, "hello, host") == 0,
           "without regions the iATU changes nothing: a write");
    get(sim, THROUGH_IATU + HOST_BASE + 0x100, text, 12);
    tap_ok(tap, one_call(HOST_BASE + 0x100, 12, false) && strcmp(text, "hello, host") == 0, "a read");

    iatu_umd(sim, 5, 0x40000000, 0x4000, HOST_BASE + 0x2000);
    put(sim, THROUGH_IATU + 0x40000010, "region 5", 9);
    tap_ok(tap, one_call(HOST_BASE + 0x2010, 9, true), "through a region of tt-umd's");
    static const unsigned attributes[] = {5, 6, 7};
    bool good = true;
    for (unsigned i = 0; i < 3; i++) {
        put(sim, attributes[i] * NOC_WINDOW_BYTES + 0x40000000, "abcd", 4);
        good = good && one_call(HOST_BASE + 0x2000, 4, true);
    }
    tap_ok(tap, good, "and with the other transaction attributes");
    put(sim, HOST_BASE + 0x10, "abcd", 4);
    good = one_call(HOST_BASE + 0x10, 4, true);
    put(sim, 3 * NOC_WINDOW_BYTES + HOST_BASE + 0x20, "abcd", 4);
    tap_ok(tap, good && one_call(HOST_BASE + 0x20, 4, true), "the first four windows go past the iATU");

    iatu_kmd(sim, 0, UINT64_C(0x500000000), UINT64_C(0x600000FFF), HOST_BASE);
    get(sim, THROUGH_IATU + UINT64_C(0x500000040), text, 4);
    tap_ok(tap, one_call(HOST_BASE + 0x40, 4, false), "through a region of the driver's, above 4 GiB");
    iatu_kmd(sim, 0, 0, 0, 0);
    get(sim, THROUGH_IATU + HOST_BASE + 0x44, text, 4);
    tap_ok(tap, one_call(HOST_BASE + 0x44, 4, false), "which is gone when it switches it off");

    iatu_umd(sim, 6, 0x40004000, 0x1000, HOST_BASE + 0x8000); /* right behind region 5 */
    put(sim, THROUGH_IATU + 0x40003FFC, "12345678", 8);
    tap_ok(tap,
           call_count == 2 && calls[0].address == HOST_BASE + 0x5FFC && calls[0].size == 4 &&
               calls[1].address == HOST_BASE + 0x8000 && memcmp(host + 0x8000, "5678", 4) == 0,
           "a write across two regions goes to both");
    uint32_t back = 0;
    sim->mem_rd(sim->bar2 + 0x1000 + 6 * 0x200 + 0x14, &back, 4);
    tap_ok(tap, back == 0x8000, "iATU registers read back");
    tap_ok(tap, !outside, "all calls on the thread inside the call, within what the host offers");

    pid_t child = fork();
    if (child == 0) {
        caller = gettid();
        host[0x2000] = 0;
        put(sim, THROUGH_IATU + 0x40000000, "x", 1);
        _exit(host[0x2000] == 'x' ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    tap_ok(tap, status == 0 && host[0x2000] == 'a', "a forked child writes to its own copy of host memory");
    sim->exit();
}

/* In a child: its stderr is ours to read. */
static void without_callbacks(struct tap *tap, struct simlib *sim)
{
    int pipes[2];
    char text[1024] = "";
    if (pipe(pipes) != 0)
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], 2);
        sim->set_dma(NULL, NULL);
        simlib_start(sim);
        put(sim, THROUGH_IATU + 0x1000, "abcd", 4);
        uint32_t word = 0;
        simlib_read(sim, 1, 2, 0, &word, 4);
        _exit(word == UINT32_MAX ? 0 : 1);
    }
    close(pipes[1]);
    int status = 1;
    waitpid(child, &status, 0);
    ssize_t length = read(pipes[0], text, sizeof text - 1);
    close(pipes[0]);
    tap_ok(tap, length > 0 && strstr(text, "0x1000000000001000") != NULL && strstr(text, "no DMA callbacks") != NULL,
           "without callbacks a fault says so");
    tap_ok(tap, status == 0, "and the card is dead");
    if (tap->failed)
        printf("# %s\n", text);
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1]))
        return 2;
    setenv("KERR_HOST_TIME", "0", 1);
    caller = gettid();
    works(&tap, &sim);
    without_callbacks(&tap, &sim);
    return tap_end(&tap);
}

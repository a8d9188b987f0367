/* SPDX-License-Identifier: Apache-2.0 */
/* usage: completion LIBRARY
 * Fast dispatch as a simulator's host does it: it looks at its own memory and calls clock(1), until the card writes
 * there (docs/drop-in.md, "Host time").  Kerr only. */
#include "rvasm.h"
#include "simlib.h"
#include "tap.h"

#include <stdlib.h>

enum { READ_CYCLES = 1000 };

/* The low half of the wall clock; the read itself costs READ_CYCLES first. */
static uint32_t wall_clock(struct simlib *sim)
{
    return simlib_read32(sim, 1, 2, 0xFFB121F0);
}

static uint32_t completion[16];
static unsigned completions;
#define COMPLETION UINT64_C(0x10000)
static void host_read(uint64_t address, void *data, uint32_t size)
{
    (void)address;
    memset(data, 0, size);
}
static void host_write(uint64_t address, const void *data, uint32_t size)
{
    if (address == COMPLETION && size <= sizeof completion) {
        memcpy(completion, data, size);
        completions++;
    }
}
static void start_completer(struct simlib *sim, uint32_t loops)
{
    static const uint32_t registers[][2] = {
        {0x00, 0x4000},     {0x04, 0},          {0x08, 2 | 2 << 6}, /* from L1 of 2-2 */
        {0x0C, COMPLETION}, {0x10, 0x10000000}, {0x14, 19 | 24 << 6}, {0x18, 0}, {0x1C, 2 | 1 << 4}, {0x20, 64},
        {0x24, 0},          {0x40, 1},
    };
    struct rv_program p = {.size_bytes = 0};
    rv_emit_firmware_csr(&p);
    rv_emit_li(&p, RV_A1, loops);
    rv_emit(&p, rv_addi(RV_A1, RV_A1, -1));
    rv_emit(&p, rv_bne(RV_A1, RV_ZERO, -4));
    rv_emit_li(&p, RV_A0, 0xFFB20000);
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        rv_emit_li(&p, RV_A2, registers[i][1]);
        rv_emit(&p, rv_sw(RV_A2, (int32_t)registers[i][0], RV_A0));
    }
    rv_emit(&p, rv_jal(RV_ZERO, 0));
    simlib_write32(sim, 2, 2, 0x4000, 0xC0FFEE);
    simlib_write(sim, 2, 2, 0, p.word, p.size_bytes);
    simlib_write32(sim, 2, 2, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
}
static uint32_t wait_for_completion(struct simlib *sim, uint32_t *calls)
{
    memset(completion, 0, sizeof completion);
    completions = 0;
    sim->set_dma(host_read, host_write);
    simlib_start(sim);
    start_completer(sim, 100000);
    for (*calls = 0; completion[0] != 0xC0FFEE && *calls < 1000; ++*calls)
        sim->clock(1);
    uint32_t end = wall_clock(sim);
    sim->exit();
    return end;
}
static void completion_queue(struct tap *tap, struct simlib *sim)
{
    uint32_t calls, again;
    uint32_t end = wait_for_completion(sim, &calls);
    tap_ok(tap, calls < 40 && completions == 1, "a write of the card ends a row of clock(1): %u calls", calls);
    tap_ok(tap, end < 100000 * 3 + 2 * READ_CYCLES, "and not later than a read's time after it (cycle %u)", end);
    tap_ok(tap, wait_for_completion(sim, &again) == end && again == calls, "and the same again on another run");
}

int main(int argc, char **argv)
{
    struct tap tap = {0};
    struct simlib sim;
    if (argc != 2 || !simlib_open(&sim, argv[1]))
        return 2;
    unsetenv("KERR_HOST_TIME");
    completion_queue(&tap, &sim);
    return tap_end(&tap);
}

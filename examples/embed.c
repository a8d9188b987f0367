/* SPDX-License-Identifier: Apache-2.0 */
/* Kerr inside a C program: make a chip, give a core a few words of code, run, look at the result.
 *
 *   cc examples/embed.c $(pkg-config --cflags --libs kerr) -o embed
 *
 * Every call returns a status; the library itself prints nothing and never ends the process. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "kerr.h"

enum { CODE = 0x0, RESULT = 0x10000 };

/* 10 + 9 + ... + 1, stored at RESULT; then the core stays in a loop. */
static const uint32_t program[] = {
    0x00000513, /*       li   a0, 0        */
    0x00A00593, /*       li   a1, 10       */
    0x00B50533, /* more: add  a0, a0, a1   */
    0xFFF58593, /*       addi a1, a1, -1   */
    0xFE059CE3, /*       bnez a1, more     */
    0x00010637, /*       lui  a2, 0x10     */
    0x00A62023, /*       sw   a0, 0(a2)    */
    0x0000006F, /* stay: j    stay         */
};

static void check(kerr_status status, const char *what)
{
    if (status != KERR_OK) {
        fprintf(stderr, "embed: %s: %s\n", what, kerr_status_text(status));
        exit(EXIT_FAILURE);
    }
}

/* What the guest did wrong is data, too. */
static void print_faults(const kerr_chip *chip)
{
    uint32_t count = 0;
    check(kerr_fault_count(chip, &count), "faults");
    for (uint32_t i = 0; i < count; i++) {
        kerr_fault fault;
        char line[512];
        check(kerr_fault_get(chip, i, &fault), "fault");
        kerr_fault_format(&fault, line, sizeof line);
        fprintf(stderr, "embed: %s\n", line);
    }
}

int main(void)
{
    kerr_chip *chip = NULL;
    check(kerr_create(NULL, &chip), "create");

    /* The first of the 140 Tensix tiles, and its RISCV B. */
    kerr_xy tile = kerr_tensix_xy(0);
    kerr_core core = KERR_CORE_B;

    /* kerr_load checks the whole program before it writes the first byte.  RISCV B starts at address 0. */
    const kerr_segment segment = {
        .address = CODE, .memory_size = sizeof program, .file_size = sizeof program, .data = program};
    check(kerr_load(chip, tile, core, &segment, 1), "load");
    check(kerr_core_start(chip, tile, core, CODE), "start");

    /* Runs until the word is there, looking every 64 cycles; a run of a fixed length is kerr_run. */
    const kerr_until until = {
        .kind = KERR_UNTIL_WORD_NE, .at = tile, .address = RESULT, .mask = UINT32_MAX, .value = 0, .every = 64};
    bool reached = false;
    kerr_status status = kerr_run_until(chip, &until, 10000, &reached);
    if (status == KERR_FAULTED)
        print_faults(chip);
    check(status, "run");
    if (!reached) {
        fprintf(stderr, "embed: no result after 10000 cycles\n");
        return EXIT_FAILURE;
    }

    /* peek looks without touching; read would be a request over the NoC. */
    uint32_t result = 0;
    uint64_t cycle = 0;
    kerr_core_info info;
    check(kerr_peek(chip, tile, RESULT, &result, sizeof result), "peek");
    check(kerr_cycle(chip, &cycle), "cycle");
    check(kerr_core_query(chip, tile, core, &info), "query");
    printf("Kerr %s: RISCV %s of tile %u,%u says %" PRIu32 "\n", kerr_version(), kerr_core_name(core), tile.x, tile.y,
           result);
    printf("seen in cycle %" PRIu64 ", the core's pc is 0x%" PRIX32 "\n", cycle, info.pc);

    kerr_destroy(chip);
    return result == 55 ? EXIT_SUCCESS : EXIT_FAILURE;
}

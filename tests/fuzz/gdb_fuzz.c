/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: any bytes as what a debugger sends, through the frames and then as packets to a chip with a small program. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/gdb/gdb_packet.h"
#include "../../src/gdb/gdb_session.h"
#include "../../tools/gdb_past.h"

/* Two programs of a few bytes for every tile. */
static const char *program_path(void *context, kerr_xy at, unsigned index)
{
    static const char *const paths[] = {"/a", "/b"};
    (void)context;
    (void)at;
    return index < 2 ? paths[index] : NULL;
}

static bool program_read(void *context, const char *path, char **data, size_t *size)
{
    (void)context;
    *size = 5;
    *data = strdup(path[1] == 'a' ? "first" : "other");
    return *data != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool truth)
{
    if (!truth) {
        abort();
    }
}

/* Whoever debugs for ever is interrupted. */
static bool enough(void *context)
{
    return ++*(unsigned *)context > 4;
}

static void handle(gdb_session *s, const char *packet, size_t size)
{
    gdb_handle(s, packet, size);
    require(s->reply.size == 0 || s->reply.data[s->reply.size] == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* li a0, 0; addi a0, a0, 1; sw a0, 64(zero); j -8 */
    static const uint32_t program[] = {0x00000513, 0x00150513, 0x04A02023, 0xFF9FF06F};
    static gdb_parser parser; /* large, and every input begins it anew */
    kerr_chip *chip = NULL;
    gdb_session session;
    static past past;
    unsigned runs = 0;
    memset(&parser, 0, sizeof parser);
    const kerr_xy at = kerr_tensix_xy(0);
    require(kerr_create(NULL, &chip) == KERR_OK && kerr_poke(chip, at, 0, program, sizeof program) == KERR_OK &&
            kerr_core_start(chip, at, KERR_CORE_B, 0) == KERR_OK && past_begin(&past, chip, 0));
    gdb_begin(&session, chip, &gdb_past_time, &past);
    static const gdb_programs programs = {.path = program_path, .read = program_read};
    session.programs = &programs;
    past.interrupted = enough;
    past.context = &runs;
    unsigned packets = 0;
    for (size_t i = 0; i < size && packets < 16; i++) {
        if (gdb_parse(&parser, data[i]) == GDB_PACKET) {
            runs = 0;
            packets++;
            handle(&session, parser.packet, parser.size);
        }
    }
    /* Checksums keep a fuzzer out: the same bytes once more, packets by lines. */
    for (size_t i = 0, from = 0; i <= size && packets < 16; i++) {
        if (i == size || data[i] == '\n') {
            char *line = malloc(i - from + 1);
            require(line != NULL);
            memcpy(line, data + from, i - from);
            line[i - from] = '\0';
            runs = 0;
            packets++;
            handle(&session, line, i - from);
            free(line);
            from = i + 1;
        }
    }
    gdb_end(&session);
    past_end(&past);
    kerr_destroy(chip);
    return 0;
}

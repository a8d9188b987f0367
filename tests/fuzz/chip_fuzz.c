/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: saved chips of any content.  An input is either a file, as kerr show gets one, or changes to the stream of a chip
 * at work: well formed and with any state in it.  Whatever it is, it is refused and the chip is unchanged, or it is a chip that can be
 * run, looked at and saved again.
 *
 * A whole chip takes long to restore: most inputs change one tile, which alone is restored, by the same function, and run. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../src/chip/restore.c" /* for its restore_tile */
#include "../../tools/chip_file.h"
#include "../support/saved.h"
#include "kerr.h"
#include "kerr_findings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    RUN = 3000,
    RUN_TILE = 400,
    TILES = 2,
    TILE_BYTES = 400000,
    TAIL_BYTES = 60000,
    HEAD_BYTES = 96,
    CHANGE = 7,
    CHANGES_MOST = 64
};

static void require(bool truth, const char *what)
{
    if (!truth) {
        (void)fprintf(stderr, "chip_fuzz: %s\n", what);
        abort();
    }
}

/* ---- A chip at work --------------------------------------------------------------------------------------------- */

static uint32_t ttinsn(const char *text)
{
    uint32_t word = 0;
    kerr_text_error error;
    require(kerr_assemble_tensix(text, &word, &error) == KERR_OK, text);
    return word << 2 | word >> 30;
}

static kerr_chip *busy_chip(void)
{
    /* li a0, 0; addi a0, a0, 1; sw a0, 64(zero); lw a2, 64(zero); mul a3, a0, a2; j -16 */
    static const uint32_t counts[] = {0x00000513, 0x00150513, 0x04A02023, 0x04002603, 0x02C506B3, 0xFF1FF06F};
    /* lui a1, 0xffec1; addi a0, a0, 1; sw a0, 0(a1); j -8: until the mailbox is full */
    static const uint32_t mails[] = {0xFFEC15B7, 0x00150513, 0x00A5A023, 0xFF9FF06F};
    const uint32_t pushes[] = {ttinsn("SFPLOADI VD=1, Imm16=0x3F80"),
                               ttinsn("SFPMUL VA=1, VB=1, VC=9, VD=2"),
                               ttinsn("SFPNOP"),
                               ttinsn("INCRWC DstInc=1"),
                               ttinsn("ZEROACC Mode=3"),
                               ttinsn("SETDMAREG NewValue=5, ResultHalfReg=3"),
                               ttinsn("SEMPOST SemaphoreMask=2"),
                               0xFE5FF06F /* j -28 */};
    kerr_config config;
    kerr_chip *chip = NULL;
    kerr_config_init(&config);
    config.threads = 1;
    require(kerr_create(&config, &chip) == KERR_OK, "create");
    for (uint32_t i = 0; i < TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        for (uint32_t core = 0; core < KERR_CORE_COUNT; core++) {
            const bool push = core >= KERR_CORE_T0 && core <= KERR_CORE_T2, mail = core == KERR_CORE_B && i == 1;
            const uint32_t *program = push ? pushes : mail ? mails : counts;
            const uint32_t address = 0x1000 * core;
            require(kerr_poke(chip, at, address, program,
                              push   ? sizeof pushes
                              : mail ? sizeof mails
                                     : sizeof counts) == KERR_OK &&
                        kerr_core_start(chip, at, (kerr_core)core, address) == KERR_OK,
                    "start");
        }
    }
    if (kerr_run(chip, 700) != KERR_OK) {
        kerr_fault fault;
        char text[512] = "?";
        if (kerr_fault_get(chip, 0, &fault) == KERR_OK) {
            (void)kerr_fault_format(&fault, text, sizeof text);
        }
        require(false, text);
    }
    return chip;
}

static uint64_t hash_of(const kerr_chip *chip)
{
    uint64_t hash = 0;
    require(kerr_hash(chip, &hash) == KERR_OK, "hash");
    return hash;
}

static bool nowhere(void *context, const void *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return true;
}

static void look(void *context, const kerr_state_item *item)
{
    *(uint64_t *)context += item->value;
}

/* Nothing that can be done to a chip crashes. */
static void use(kerr_chip *chip)
{
    kerr_fault fault;
    kerr_finding finding;
    char text[512];
    uint32_t faults = 0;
    size_t bytes = 0;
    uint64_t sum = 0;
    const kerr_status status = kerr_run(chip, RUN);
    require(status == KERR_OK || status == KERR_FAULTED, "a chip that was taken does not run");
    (void)hash_of(chip);
    require(kerr_save(chip, nowhere, &bytes) == KERR_OK && bytes > 0, "a chip that was taken cannot be saved");
    (void)kerr_state_visit(chip, kerr_tensix_xy(0), KERR_STATE_PLAIN, look, &sum);
    require(kerr_fault_count(chip, &faults) == KERR_OK, "faults");
    for (uint32_t i = 0; i < faults && i < 8; i++) {
        if (kerr_fault_get(chip, i, &fault) == KERR_OK) {
            (void)kerr_fault_format(&fault, text, sizeof text);
        }
        if (kerr_finding_get(chip, i, &finding) == KERR_OK) {
            (void)kerr_finding_format(&finding, text, sizeof text);
            (void)kerr_finding_json(&finding, NULL, NULL, text, sizeof text);
        }
    }
}

/* ---- Inputs --------------------------------------------------------------------------------------------------------- */

static void try_file(const uint8_t *data, size_t size)
{
    char path[64];
    tool_error error = {""};
    kerr_chip *chip = NULL;
    const int file = memfd_create("chip_fuzz", MFD_CLOEXEC);
    require(file >= 0 && write(file, data, size) == (ssize_t)size, "a file in memory");
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (chip_file_read(path, &chip, &error)) {
        use(chip);
    } else {
        require(chip == NULL && strstr(error.text, path) != NULL, "refused without a sentence");
    }
    kerr_destroy(chip);
    (void)close(file);
}

static void apply(uint8_t *byte, const uint8_t *record)
{
    switch (record[5] & 3) {
    case 0: *byte = record[6]; break;
    case 1: *byte ^= (uint8_t)(1u << (record[6] & 7)); break;
    case 2: *byte = (uint8_t)(*byte + (int8_t)record[6]); break;
    default: *byte = 0xFF; break;
    }
}

/* A record changes a byte: where (anywhere, the first tile, packets and routers, the header), how, to what. */
static void change(saved_bytes *to, const uint8_t *record)
{
    uint32_t offset;
    memcpy(&offset, record + 1, sizeof offset);
    size_t from = 0, span = to->size;
    switch (record[0] & 7) {
    case 0: break;
    case 1: span = HEAD_BYTES; break;
    case 2:
    case 3:
        from = to->size - TAIL_BYTES;
        span = TAIL_BYTES;
        break;
    default:
        from = HEAD_BYTES;
        span = TILE_BYTES;
        break;
    }
    apply(&to->data[from + offset % span], record);
}

static void try_changes(kerr_chip *chip, const saved_bytes *good, const uint8_t *data, size_t size)
{
    static saved_bytes changed;
    const bool keep = (data[0] & 0x18) == 0;
    if (changed.data == NULL) {
        changed.data = malloc(good->size);
        require(changed.data != NULL, "memory");
    }
    memcpy(changed.data, good->data, good->size);
    changed.size = good->size;
    changed.at = 0;
    const size_t count = (size - 1) / CHANGE;
    for (size_t i = 0; i < count && i < CHANGES_MOST; i++) {
        change(&changed, data + 1 + CHANGE * i);
    }
    if ((data[0] & 0x70) == 0x70) {
        uint32_t cut = 0;
        memcpy(&cut, data, size < sizeof cut ? size : sizeof cut);
        changed.size = cut % changed.size;
    }
    const uint64_t before = keep ? hash_of(chip) : 0;
    const kerr_status status = keep ? kerr_restore(chip, saved_get, &changed) : kerr_rewind(chip, saved_get, &changed);
    if (status == KERR_OK) {
        use(chip);
    } else {
        require(status == KERR_BAD_SNAPSHOT || status == KERR_IO, "refused for another reason");
        require(!keep || hash_of(chip) == before, "refused, and the chip has changed");
    }
}

/* One tile from where the stream is. */
static kerr_status restore_one(kerr_chip *chip, uint32_t i, saved_bytes *from)
{
    static const uint8_t all[L1_BYTES >> TOUCH_SHIFT] = {1};
    struct tile *tile = chip_tile(chip, i);
    memset((uint8_t *)tile + STATE_FIRST, 0, STATE_BYTES);
    const kerr_status status = restore_tile(chip, tile, all, saved_get, from);
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
        tile->dev.niu[noc].response_first = tile->dev.niu[noc].response_last = NO_PACKET;
    }
    return status;
}

static void back_to(kerr_chip *chip, saved_bytes *good)
{
    good->at = 0;
    require(kerr_rewind(chip, saved_get, good) == KERR_OK, "the good one is refused");
}

/* The tiles that work, and nothing else: what they have sent would be somewhere else. */
static void try_tile(kerr_chip *chip, saved_bytes *good, const uint8_t *data, size_t size)
{
    static saved_bytes changed;
    static uint32_t since;
    snapshot_header header;
    if (since++ % 256 == 0 || !fabric_is_empty(&chip->fabric)) {
        back_to(chip, good);
    }
    if (changed.data == NULL) {
        good->at = sizeof header;
        require(restore_one(chip, 0, good) == KERR_OK, "the good tile is refused");
        changed.size = good->at;
        changed.data = malloc(changed.size);
        require(changed.data != NULL, "memory");
    }
    memcpy(changed.data, good->data, changed.size);
    memcpy(&header, good->data, sizeof header);
    for (size_t i = 0; i < (size - 1) / CHANGE && i < CHANGES_MOST; i++) {
        const uint8_t *record = data + 1 + CHANGE * i;
        uint32_t offset;
        memcpy(&offset, record + 1, sizeof offset);
        apply(&changed.data[sizeof header + offset % (changed.size - sizeof header)], record);
    }
    chip->now = header.now;
    chip->stop_cycle = header.stop_cycle;
    changed.at = sizeof header;
    good->at = changed.size;
    kerr_status status = restore_one(chip, 1, good);
    require(status == KERR_OK, "the good tile is refused");
    status = restore_one(chip, 0, &changed);
    if (status == KERR_OK) {
        (void)kerr_run(chip, RUN_TILE);
    } else {
        require(status == KERR_BAD_SNAPSHOT || status == KERR_IO, "refused for another reason");
        good->at = sizeof header;
        require(restore_one(chip, 0, good) == KERR_OK, "the good tile is refused");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kerr_chip *chip;
    static saved_bytes good;
    if (chip == NULL) {
        chip = busy_chip();
        require(kerr_save(chip, saved_put, &good) == KERR_OK && good.size > TILE_BYTES + TAIL_BYTES + HEAD_BYTES,
                "save");
    }
    if (size == 0 || (data[0] & 0x80) != 0) {
        try_file(data + (size != 0), size - (size != 0));
        return 0;
    }
    if ((data[0] & 7) != 0) {
        try_tile(chip, &good, data, size);
    } else {
        try_changes(chip, &good, data, size);
    }
    return 0;
}

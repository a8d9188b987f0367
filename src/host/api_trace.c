/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h, traces: who listens to what, and the words for it. */
#include "chip/chip.h"
#include "tensix/tensix.h"
#include "tensix/trace.h"
#include "tile/devices.h"

#include <stdio.h>
#include <string.h>

kerr_status kerr_set_trace_kinds(kerr_chip *chip, uint32_t kinds, kerr_trace_fn fn, void *context)
{
    const uint32_t all = KERR_TRACE_INSTRUCTION | KERR_TRACE_STATE | KERR_TRACE_TENSIX | KERR_TRACE_PARKING |
                         KERR_TRACE_SHAKE | KERR_TRACE_ACCESS;
    if (chip == NULL || (kinds & ~all) != 0) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    chip->environment.trace = fn;
    chip->environment.trace_context = context;
    chip->environment.trace_kinds = fn != NULL ? kinds : 0;
    chip_trace_shake(chip);
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        tile_note_trace(chip_tile(chip, i));
    }
    for (uint32_t i = 0; i < CHIP_TILES && fn != NULL; i++) {
        memset(chip_tile(chip, i)->traced_state, RV_IN_RESET, sizeof chip_tile(chip, i)->traced_state);
        for (unsigned c = 0; c < chip_tile(chip, i)->cores && (kinds & KERR_TRACE_PARKING) == 0; c++) {
            tile_core_wake(chip_tile(chip, i), c, chip->now);
        }
    }
    return KERR_OK;
}

kerr_status kerr_set_trace(kerr_chip *chip, kerr_trace_fn fn, void *context)
{
    return kerr_set_trace_kinds(chip, KERR_TRACE_INSTRUCTION, fn, context);
}

const char *kerr_tensix_unit_name(kerr_tensix_unit unit)
{
    static const char *const names[KERR_UNIT_COUNT] = {
        [KERR_UNIT_SYNC] = "Sync Unit",
        [KERR_UNIT_SCALAR] = "Scalar Unit (ThCon)",
        [KERR_UNIT_CONFIG] = "Configuration Unit",
        [KERR_UNIT_MOVER] = "Mover",
        [KERR_UNIT_MISC] = "Miscellaneous Unit",
        [KERR_UNIT_UNPACK] = "Unpackers",
        [KERR_UNIT_MATRIX] = "Matrix Unit (FPU)",
        [KERR_UNIT_VECTOR] = "Vector Unit (SFPU)",
        [KERR_UNIT_PACK] = "Packer",
    };
    return (unsigned)unit < KERR_UNIT_COUNT ? names[unit] : "?";
}

static bool is_t(kerr_core core)
{
    return core >= KERR_CORE_T0 && core <= KERR_CORE_T2;
}

static unsigned thread_of(kerr_core core, uint32_t address)
{
    return is_t(core) ? (unsigned)core - KERR_CORE_T0 : address >> 16 & 3;
}

/* The devices of a Tensix tile that cores wait for, as the manual calls them; the length, or -1 if it is none of them. */
static int format_fifo(kerr_core core, uint32_t address, bool is_store, char *buffer, size_t size)
{
    if (core > KERR_CORE_T2) {
        return -1; /* RISCV NC sees none of them */
    }
    switch (address >> 16) {
    case 0xFFE4:
    case 0xFFE5:
    case 0xFFE6: return snprintf(buffer, size, "Tensix T%u instruction FIFO", thread_of(core, address));
    case 0xFFE8:
    case 0xFFE9:
    case 0xFFEA:
        if (!is_t(core)) {
            return snprintf(buffer, size, is_store ? "PCBuf to T%u" : "PCBuf to T%u, until it is empty and T%u idle",
                            thread_of(core, address), thread_of(core, address));
        }
        switch (address & 0xFFFF) {
        case 0: return snprintf(buffer, size, "PCBuf from B");
        case 4: return snprintf(buffer, size, "TTSync: Tensix T%u done", thread_of(core, address));
        case 8: return snprintf(buffer, size, "TTSync: MOP expander of T%u done", thread_of(core, address));
        default: return -1;
        }
    case 0xFFEC:
        if ((address & 0xFFC) != 0) {
            return -1;
        }
        return snprintf(buffer, size, is_store ? "mailbox to %s" : "mailbox from %s",
                        kerr_core_name((kerr_core)(address >> 12 & 3)));
    default: return -1;
    }
}

size_t kerr_address_format(kerr_tile_kind kind, kerr_core core, uint32_t address, bool is_store, char *buffer,
                           size_t size)
{
    if (buffer == NULL) {
        size = 0;
    }
    int length = kind == KERR_TILE_TENSIX ? format_fifo(core, address, is_store, buffer, size) : -1;
    if (length < 0) {
        const char *name = address < tile_l1_bytes(kind)            ? "L1"
                           : address - LOCAL_RAM_BASE < 8192        ? "local RAM"
                           : devices_register_name(address) != NULL ? devices_register_name(address)
                                                                    : NULL;
        length = name == NULL ? snprintf(buffer, size, "0x%08x", address)
                              : snprintf(buffer, size, "%s 0x%08x", name, address);
    }
    return length < 0 ? 0 : (size_t)length;
}

/* ---- Who waits ------------------------------------------------------------------------------------------------ */

static kerr_status find_coprocessor(const kerr_chip *chip, kerr_xy at, const struct tile **tile)
{
    const int index = chip != NULL ? chip_tile_index(at) : -1;
    if (chip == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (index < 0 || index >= KERR_TENSIX_TILES || !kerr_tile_is_on(chip, at)) {
        return KERR_BAD_TILE;
    }
    *tile = chip_tile(chip, index);
    return KERR_OK;
}

kerr_status kerr_thread_query(const kerr_chip *chip, kerr_xy at, uint32_t thread, kerr_thread_info *info)
{
    const struct tile *tile = NULL;
    const kerr_status status = find_coprocessor(chip, at, &tile);
    if (status != KERR_OK || info == NULL || thread >= TENSIX_THREADS) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    struct tensix copy = tile->dev.tensix;
    kerr_trace_tensix record;
    *info = (kerr_thread_info){.in_flight = copy.thread[thread].in_flight, .by = -1};
    if (tensix_gate(&tile->lent, &copy, thread, chip->now, &record)) {
        info->waits = true;
        info->reason = record.reason;
        info->by = record.by;
        info->pushed_by_b = record.last;
        info->word = record.word;
        info->pc = record.pc;
        info->detail = record.detail;
        info->since = record.begin;
    }
    return KERR_OK;
}

kerr_status kerr_sync_query(const kerr_chip *chip, kerr_xy at, kerr_sync_info *info)
{
    const struct tile *tile = NULL;
    const kerr_status status = find_coprocessor(chip, at, &tile);
    if (status != KERR_OK || info == NULL) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    const struct tensix *tx = &tile->dev.tensix;
    for (unsigned i = 0; i < 8; i++) {
        info->semaphore[i].value = tx->semaphore[i].value;
        info->semaphore[i].max = tx->semaphore[i].max;
        info->mutex[i] = (int8_t)(i < MUTEXES ? (int)tx->mutex[i] - 1 : -1);
    }
    for (unsigned i = 0; i < 2; i++) {
        info->matrix_owns[i][0] = tx->src[i].matrix_owns[0];
        info->matrix_owns[i][1] = tx->src[i].matrix_owns[1];
    }
    return KERR_OK;
}

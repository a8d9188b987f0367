/* SPDX-License-Identifier: Apache-2.0 */
/* An L2CPU tile without its X280 cores: the external peripherals that software sets up before it lets them go (manual
 * L2CPUTile/MemoryMap).  Letting them go is a fault in arc.c.  Internal devices, the scratchpad and the windows to GDDR
 * and the NoC are faults here: they belong to the cores. */
#include "chip/passive.h"

#include <string.h>

static const char page[] = "L2CPUTile/MemoryMap";

#define LOW_BASE UINT64_C(0x20000000)          /* in the address space of the cores */
#define HIGH_BASE UINT64_C(0xFFFFF7FEFFF00000) /* past them */
enum {
    PERIPHERALS_BYTES = 0x80000,
    WINDOWS = 0,
    RESET_VECTORS = 0x10000,
    SCRATCH = 0x10100,
    CONTROL = 0x10400,
    NIU_0 = 0x56000,
    NIU_1 = 0x57000,
    NIU_BYTES = 0x1000,
};
/* Order of the fuses: manual L2CPUTile/README, "Reset". */
static const uint8_t l2cpu_row[PASSIVE_L2CPUS] = {3, 9, 5, 7};

static passive_result word(passive *state, unsigned index, uint32_t offset, uint32_t **out)
{
    l2cpu_tile *tile = &state->l2cpu[index];
    const struct {
        uint32_t first, bytes;
        uint32_t *words;
    } block[] = {
        {WINDOWS, sizeof tile->window, tile->window},
        {RESET_VECTORS, sizeof tile->reset_vector, tile->reset_vector},
        {SCRATCH, sizeof tile->scratch, tile->scratch},
        {CONTROL, sizeof tile->control, tile->control},
    };
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        if (offset >= block[i].first && offset - block[i].first < block[i].bytes) {
            *out = &block[i].words[(offset - block[i].first) / 4];
            return PASSIVE_OK;
        }
    }
    return PASSIVE_NOTHING;
}

static passive_result refuse(unsigned index, uint64_t address, uint32_t length, bool peripheral, passive_fault *fault)
{
    if (peripheral) {
        return passive_refuse(fault, PASSIVE_NOTHING, KERR_FAULT_UNDEFINED, page,
                              "%u bytes at 0x%llx of L2CPU tile 8-%u: no such register, or not whole words", length,
                              (unsigned long long)address, l2cpu_row[index]);
    }
    return passive_refuse(fault, PASSIVE_FAULT, KERR_FAULT_UNIMPLEMENTED, page,
                          "%u bytes at 0x%llx of L2CPU tile 8-%u: only external peripherals of the X280 are there",
                          length, (unsigned long long)address, l2cpu_row[index]);
}

/* Offset into the external peripherals, or false. */
static bool in_peripherals(uint64_t address, uint32_t length, uint32_t *offset)
{
    const uint64_t base = address >= HIGH_BASE ? HIGH_BASE : LOW_BASE;
    if (address < base || address - base >= PERIPHERALS_BYTES || length > PERIPHERALS_BYTES - (address - base)) {
        return false;
    }
    *offset = (uint32_t)(address - base);
    return true;
}

static passive_result access(passive *state, unsigned index, uint64_t address, uint8_t *read_to,
                             const uint8_t *write_from, uint32_t length, passive_fault *fault)
{
    uint32_t offset;
    if (!in_peripherals(address, length, &offset)) {
        return refuse(index, address, length, false, fault);
    }
    if (offset % 4 != 0 || length % 4 != 0) {
        return refuse(index, address, length, true, fault);
    }
    const noc_node node = noc_node_at(8, l2cpu_row[index]);
    for (unsigned pass = write_from != NULL ? 0 : 1; pass < 2; pass++) { /* look before writing */
        for (uint32_t i = 0; i < length; i += 4) {
            const uint32_t here = offset + i;
            const bool is_niu = here >= NIU_0 && here < NIU_1 + NIU_BYTES;
            const unsigned noc = here >= NIU_1;
            const uint32_t niu_offset = here & (NIU_BYTES - 1);
            uint32_t value = 0, *register_word = &value;
            if (is_niu ? !passive_niu_read(state, node, noc, niu_offset, &value)
                       : word(state, index, here, &register_word) != PASSIVE_OK) {
                return refuse(index, address + i, length - i, true, fault);
            }
            if (pass == 0) {
                continue;
            }
            if (read_to != NULL) {
                memcpy(read_to + i, register_word, 4);
            } else {
                memcpy(&value, write_from + i, 4);
                if (is_niu) {
                    passive_niu_write(state, node, noc, niu_offset, value);
                } else {
                    *register_word = value;
                }
            }
        }
    }
    return PASSIVE_OK;
}

passive_result l2cpu_read(const passive *state, unsigned index, uint64_t address, void *data, uint32_t length,
                          passive_fault *fault)
{
    return access((passive *)(uintptr_t)state, index, address, data, NULL, length, fault); /* only reads */
}

passive_result l2cpu_write(passive *state, unsigned index, uint64_t address, const void *data, uint32_t length,
                           passive_fault *fault)
{
    return access(state, index, address, NULL, data, length, fault);
}

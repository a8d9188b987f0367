/* SPDX-License-Identifier: Apache-2.0 */
/* Names of registers, for faults and tools.  From isa/tile.regs, isa/noc.regs and isa/overlay.regs. */
#include "noc_regs.h"
#include "tile/blocks.h"
#include "tile/overlay.h"

#include <stddef.h>

struct named {
    uint32_t address;
    uint16_t count, stride;
    char name[48];
};

static const struct named registers[] = {
#define X(name, address, count, stride, access, reset, model) {address, count, stride, name},
    TILE_REGS(X)
#undef X
};

/* Of one NIU: offsets. */
static const struct named niu_registers[] = {
#define X(name, address, count, stride, access, reset, model) {address, count, stride, name},
    NOC_REGS(X)
#undef X
};

#define X(text, address, count, stride, access, reset, model)                                                          \
    _Static_assert(sizeof text <= sizeof(((struct named *)0)->name), "longer than the table allows: " text);
TILE_REGS(X)
NOC_REGS(X)
#undef X

static const char *find(const struct named *table, size_t rows, uint32_t address)
{
    for (size_t i = 0; i < rows; i++) {
        uint32_t offset = (address & ~3u) - table[i].address;
        if (offset % table[i].stride == 0 && offset / table[i].stride < table[i].count)
            return table[i].name;
    }
    return NULL;
}

const char *devices_register_name(uint32_t address)
{
    const char *stream_register = overlay_register_name(address);
    if (stream_register)
        return stream_register;
    if (address >= NOC0_REGS_START_ADDR && address <= NOC1_REGS_START_ADDR_LAST)
        return find(niu_registers, sizeof niu_registers / sizeof *niu_registers, address & 0xFFFF);
    return find(registers, sizeof registers / sizeof *registers, address);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Names of registers, for faults and tools.  From isa/tile.regs and isa/overlay.regs. */
#include "noc/overlay.h"
#include "tile/blocks.h"

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

#define X(text, address, count, stride, access, reset, model)                                                          \
    _Static_assert(sizeof text <= sizeof(((struct named *)0)->name), "longer than the table allows: " text);
TILE_REGS(X)
#undef X

const char *devices_register_name(uint32_t address)
{
    const char *stream_register = overlay_register_name(address);
    if (stream_register)
        return stream_register;
    for (unsigned i = 0; i < sizeof registers / sizeof *registers; i++) {
        uint32_t offset = (address & ~3u) - registers[i].address;
        if (offset % registers[i].stride == 0 && offset / registers[i].stride < registers[i].count)
            return registers[i].name;
    }
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the core that gdb looks at. */
#include "gdb_session.h"

#include <string.h>

/* Which kerr.h register the number is; false: none.  Words of a vector register follow each other. */
static bool kerr_number(uint32_t number, uint32_t *reg, unsigned *words)
{
    *words = 1;
    if (number < GDB_PC) {
        *reg = KERR_REG_X + number;
    } else if (number == GDB_PC) {
        *reg = KERR_REG_PC;
    } else if (number < GDB_CSR) {
        *reg = KERR_REG_F + number - GDB_F0;
    } else if (number < GDB_CSR + 0x1000) {
        *reg = KERR_REG_CSR + number - GDB_CSR;
    } else if (number >= GDB_V0 && number < GDB_REGISTERS) {
        *reg = KERR_REG_V + 4 * (number - GDB_V0);
        *words = 4;
    } else {
        return false;
    }
    return true;
}

bool gdb_register_get(const gdb_session *s, uint32_t number, gdb_text *to)
{
    uint32_t reg = 0;
    unsigned words = 0;
    if (!kerr_number(number, &reg, &words)) {
        return false;
    }
    for (unsigned i = 0; i < words; i++) {
        uint32_t value = 0;
        if (kerr_reg_get(s->chip, s->general.at, s->general.core, reg + i, &value) == KERR_OK) {
            const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                                      (uint8_t)(value >> 24)};
            gdb_add_hex(to, bytes, sizeof bytes);
        } else {
            gdb_add(to, "xxxxxxxx");
        }
    }
    return true;
}

bool gdb_register_set(gdb_session *s, uint32_t number, const uint8_t *bytes, size_t size)
{
    uint32_t reg = 0;
    unsigned words = 0;
    if (!kerr_number(number, &reg, &words) || size < 4u * words) {
        return false;
    }
    for (unsigned i = 0; i < words; i++) {
        const uint8_t *b = bytes + (size_t)4 * i;
        const uint32_t value = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        if (kerr_reg_set(s->chip, s->general.at, s->general.core, reg + i, value) != KERR_OK) {
            return false;
        }
    }
    return true;
}

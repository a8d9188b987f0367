/* SPDX-License-Identifier: Apache-2.0 */
/* SFPCONFIG (manual SFPCONFIG, f916ebc3). */
#include "tensix/vector/lanes.h"
#include "tensix/vector/macro.h"

enum {
    MOD1_IMM16_IS_VALUE = 1,
    MOD1_BITWISE = 6,
    MOD1_BITWISE_OR = 2,
    MOD1_BITWISE_AND = 4,
    MOD1_BITWISE_XOR = 6,
    MOD1_IMM16_IS_LANE_MASK = 8,
    IMM16_BITS = 0xFFFF,
};

static uint32_t combined(unsigned Mod1, uint32_t old, uint32_t value)
{
    switch (Mod1 & MOD1_BITWISE) {
    case MOD1_BITWISE_OR: return old | value;
    case MOD1_BITWISE_AND: return old & value;
    case MOD1_BITWISE_XOR: return old ^ value;
    default: return value;
    }
}

/* ROW_MASK does not count here. */
uint32_t vector_config_lanes(const struct vector_files *v)
{
    return ((v->LaneFlags | ~v->UseLaneFlagsForLaneEnable) & ((1u << LANE_COLUMNS) - 1)) * 0x01010101u;
}

static void write_lane(struct vector_files *v, const struct vector_operands *o, unsigned lane)
{
    const uint32_t of_lreg = v->LReg[0][lane % LANE_COLUMNS];
    const bool immediate = o->mod & MOD1_IMM16_IS_VALUE;
    const uint32_t value = immediate ? (uint32_t)o->imm : of_lreg;
    uint32_t *misc = &v->LoadMacroConfig.Misc[lane], *config = &v->LaneConfig[lane];
    switch (o->VD) {
    case 0:
    case 1:
    case 2:
    case 3: v->LoadMacroConfig.InstructionTemplate[o->VD][lane] = of_lreg; break;
    case 4:
    case 5:
    case 6:
    case 7: v->LoadMacroConfig.Sequence[o->VD - 4][lane] = value; break;
    case 8: *misc = combined(o->mod, *misc, value & LOAD_MACRO_MISC_MASK); break;
    case 9:
    case 10:
    case 16: break; /* nothing: present silicon; 16 comes from macros */
    case 15:
        *config = combined(o->mod, *config, value & LANE_CONFIG_MASK) |
                  (immediate ? *config & LANE_CONFIG_MASK & ~(uint32_t)IMM16_BITS : 0);
        break;
    default: v->LReg[o->VD][lane] = immediate ? vector_lreg_default(o->VD) : of_lreg;
    }
}

/* Eight lanes of input, each for its column of four lanes. */
void vector_config(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const unsigned column = lane % LANE_COLUMNS;
        const bool chosen = !(o->mod & MOD1_IMM16_IS_LANE_MASK) || ((uint32_t)o->imm >> 2 * column & 1);
        if (chosen && (lanes >> lane & 1))
            write_lane(v, o, lane);
    }
    if (o->VD == 15)
        vector_lane_config_changed(v);
    if (o->VD <= 8)
        macro_config_changed(v);
}

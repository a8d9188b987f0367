/* SPDX-License-Identifier: Apache-2.0 */
/* Vector Unit (SFPU): manual VectorUnit and the pages of its instructions. */
#include "tensix/vector.h"

#include "tensix_units.h"
#include "tile/blocks.h"

enum { SOFT_RESET_BIT = 10 };

static struct vector_files *vector_of(tensix_step *s)
{
    return &tile_tensix_files(s->tile)->vector;
}

/* Manual SoftReset: instructions do not start while the unit is held in reset.  It leaves open whether they are discarded;
 * here they wait. */
static bool held(tensix_step *s)
{
    if (!soft_reset_bit(tile_devices_const(s->tile), SOFT_RESET_BIT))
        return false;
    s->again = UINT64_MAX; /* soft_reset.c says when */
    return true;
}

uint32_t vector_lanes_enabled(const struct vector_files *vector)
{
    uint32_t lanes = vector->LaneFlags | ~vector->UseLaneFlagsForLaneEnable;
    for (unsigned lane = 0; lane < LANES; lane++)
        if (vector->LaneConfig[lane % LANE_COLUMNS] >> LANE_CONFIG_ROW_MASK_SHIFT >> lane / LANE_COLUMNS & 1)
            lanes &= ~(UINT32_C(1) << lane);
    return lanes;
}

/* OPEN: whether LaneEnabled, which other writes depend on, matters here too.  No page says that it does. */
uint32_t vector_backdoor_load(tensix_step *s, struct vector_files *vector, unsigned VD)
{
    uint32_t lanes = UINT32_MAX;
    if (VD < 12)
        return lanes;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(vector->LaneConfig[lane] & LANE_CONFIG_DISABLE_BACKDOOR_LOAD)) {
            vector->LoadMacroConfig.InstructionTemplate[VD - 12][lane] = s->word;
            lanes &= ~(UINT32_C(1) << lane);
        }
    }
    return lanes;
}

step_result vector_SFPNOP(tensix_step *s, const struct op_SFPNOP *op)
{
    (void)op;
    return held(s) ? STEP_STALLED : STEP_RETIRED;
}

/* ---- SFPENCC ------------------------------------------------------------------------------------------------- */

enum { SFPENCC_MOD1_EC = 1, SFPENCC_MOD1_EI = 2, SFPENCC_MOD1_RI = 8, SFPENCC_IMM2_E = 1, SFPENCC_IMM2_R = 2 };

step_result vector_SFPENCC(tensix_step *s, const struct op_SFPENCC *op)
{
    if (held(s))
        return STEP_STALLED;
    struct vector_files *vector = vector_of(s);
    const uint32_t lanes = vector_backdoor_load(s, vector, op->VD);
    if (op->Mod1 & SFPENCC_MOD1_EI) {
        vector->UseLaneFlagsForLaneEnable &= ~lanes;
        vector->UseLaneFlagsForLaneEnable |= op->Imm2 & SFPENCC_IMM2_E ? lanes : 0;
    } else if (op->Mod1 & SFPENCC_MOD1_EC) {
        vector->UseLaneFlagsForLaneEnable ^= lanes;
    }
    if ((op->Mod1 & SFPENCC_MOD1_RI) && !(op->Imm2 & SFPENCC_IMM2_R))
        vector->LaneFlags &= ~lanes;
    else
        vector->LaneFlags |= lanes;
    return STEP_RETIRED;
}

/* ---- SFPLOADI ------------------------------------------------------------------------------------------------ */

enum {
    SFPLOADI_MOD0_FLOATB = 0,
    SFPLOADI_MOD0_FLOATA = 1,
    SFPLOADI_MOD0_USHORT = 2,
    SFPLOADI_MOD0_SHORT = 4,
    SFPLOADI_MOD0_UPPER = 8,
    SFPLOADI_MOD0_LOWER = 10,
};

/* The exponent gets a new bias and nothing else: no denormals, infinities or NaNs. */
static uint32_t fp32_from_fp16_plain(uint32_t x)
{
    return x >> 15 << 31 | ((x >> 10 & 0x1F) + 112) << 23 | (x & 0x3FF) << 13;
}

step_result vector_SFPLOADI(tensix_step *s, const struct op_SFPLOADI *op)
{
    if (held(s))
        return STEP_STALLED;
    struct vector_files *vector = vector_of(s);
    const uint32_t lanes = vector_lanes_enabled(vector);
    if (op->VD >= 8) { /* LReg 11 to 14 are written by SFPCONFIG only */
        vector_backdoor_load(s, vector, op->VD);
        return STEP_RETIRED;
    }
    uint32_t value, keep = 0; /* bits of the old value */
    switch (op->Mod0) {
    case SFPLOADI_MOD0_FLOATB: value = op->Imm16 << 16; break;
    case SFPLOADI_MOD0_FLOATA: value = fp32_from_fp16_plain(op->Imm16); break;
    case SFPLOADI_MOD0_USHORT: value = op->Imm16; break;
    case SFPLOADI_MOD0_SHORT: value = (uint32_t)(int16_t)op->Imm16; break;
    case SFPLOADI_MOD0_UPPER: value = op->Imm16 << 16, keep = 0xFFFF; break;
    case SFPLOADI_MOD0_LOWER: value = op->Imm16, keep = 0xFFFF0000; break;
    default:
        if (lanes != 0 && tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPLOADI",
                                       "SFPLOADI with Mod0 %u, which has no meaning", op->Mod0))
            return STEP_FAULTED;
        return STEP_RETIRED;
    }
    uint32_t *lreg = vector->LReg[op->VD];
    for (unsigned lane = 0; lane < LANES; lane++)
        if (lanes >> lane & 1)
            lreg[lane] = value | (lreg[lane] & keep);
    return STEP_RETIRED;
}

/* ---- SFPCONFIG ----------------------------------------------------------------------------------------------- */

enum {
    MOD1_IMM16_IS_VALUE = 1,
    MOD1_BITWISE = 6,
    MOD1_BITWISE_OR = 2,
    MOD1_BITWISE_AND = 4,
    MOD1_BITWISE_XOR = 6,
    MOD1_IMM16_IS_LANE_MASK = 8,
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

/* Eight lanes of input, each for its column of four lanes. */
step_result vector_SFPCONFIG(tensix_step *s, const struct op_SFPCONFIG *op)
{
    if (held(s))
        return STEP_STALLED;
    struct vector_files *vector = vector_of(s);
    const uint32_t columns = vector->LaneFlags | ~vector->UseLaneFlagsForLaneEnable;
    const bool immediate = op->Mod1 & MOD1_IMM16_IS_VALUE;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const unsigned column = lane % LANE_COLUMNS;
        if (((op->Mod1 & MOD1_IMM16_IS_LANE_MASK) && !(op->Imm16 >> 2 * column & 1)) || !(columns >> column & 1))
            continue;
        const uint32_t value = immediate ? op->Imm16 : vector->LReg[0][column];
        uint32_t *misc = &vector->LoadMacroConfig.Misc[lane], *config = &vector->LaneConfig[lane];
        switch (op->VD) {
        case 0:
        case 1:
        case 2:
        case 3: vector->LoadMacroConfig.InstructionTemplate[op->VD][lane] = vector->LReg[0][column]; break;
        case 4:
        case 5:
        case 6:
        case 7: vector->LoadMacroConfig.Sequence[op->VD - 4][lane] = value; break;
        case 8: *misc = combined(op->Mod1, *misc, value & 0xFFF); break;
        case 9:
        case 10: break; /* nothing, says the page of present silicon */
        case 15:
            *config = combined(op->Mod1, *config, value & LANE_CONFIG_MASK) |
                      (immediate ? *config & LANE_CONFIG_MASK & ~0xFFFFu : 0);
            break;
        default: vector->LReg[op->VD][lane] = immediate ? vector_lreg_default(op->VD) : value;
        }
    }
    return STEP_RETIRED;
}

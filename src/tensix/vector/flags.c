/* SPDX-License-Identifier: Apache-2.0 */
/* Which lanes are enabled, and the instructions that say so: SFPENCC, SFPSETCC, SFPCOMPC, SFPPUSHC, SFPPOPC (manual VectorUnit
 * "Lane Predication Masks").  LaneFlags, UseLaneFlagsForLaneEnable and the entries of the stacks are masks of all lanes. */
#include "tensix/vector/lanes.h"

#include "base/bits.h"

uint32_t vector_lanes_with_some(const struct vector_files *v, uint32_t bit)
{
    uint32_t lanes = 0;
    for (unsigned i = 0; i < LANES; i++)
        lanes |= (uint32_t)((v->LaneConfig[i] & bit) != 0) << i;
    return lanes;
}

void vector_lane_config_changed(struct vector_files *v)
{
    v->lane_config_any = 0;
    for (unsigned i = 0; i < LANES; i++)
        v->lane_config_any |= v->LaneConfig[i];
}

/* ROW_MASK of the first eight lanes counts, a bit for each row of their column. */
uint32_t vector_lanes_masked(const struct vector_files *v)
{
    if (LIKELY(v->lane_config_any >> LANE_CONFIG_ROW_MASK_SHIFT == 0))
        return 0;
    uint32_t lanes = 0;
    for (unsigned i = 0; i < LANES; i++)
        lanes |= (v->LaneConfig[i % LANE_COLUMNS] >> LANE_CONFIG_ROW_MASK_SHIFT >> i / LANE_COLUMNS & 1) << i;
    return lanes;
}

uint32_t vector_lanes_enabled(const struct vector_files *v)
{
    return (v->LaneFlags | ~v->UseLaneFlagsForLaneEnable) & ~vector_lanes_masked(v);
}

void vector_encc(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPENCC_MOD1_EC = 1, SFPENCC_MOD1_EI = 2, SFPENCC_MOD1_RI = 8, SFPENCC_IMM2_E = 1, SFPENCC_IMM2_R = 2 };
    if (o->mod & SFPENCC_MOD1_EI) {
        v->UseLaneFlagsForLaneEnable &= ~lanes;
        v->UseLaneFlagsForLaneEnable |= o->imm & SFPENCC_IMM2_E ? lanes : 0;
    } else if (o->mod & SFPENCC_MOD1_EC) {
        v->UseLaneFlagsForLaneEnable ^= lanes;
    }
    const bool clear = (o->mod & SFPENCC_MOD1_RI) && !(o->imm & SFPENCC_IMM2_R);
    flags_put(v, lanes, clear ? 0 : UINT32_MAX);
}

SIMD_CLONES void vector_setcc(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    enum { SFPSETCC_MOD1_IMM_BIT0 = 1, SFPSETCC_MOD1_CLEAR = 8, IS_ZERO = 2, INVERTED = 4 };
    uint32_t flags, zero[LANES];
    if (o->mod & SFPSETCC_MOD1_CLEAR) {
        flags = 0;
    } else if (o->mod & SFPSETCC_MOD1_IMM_BIT0) {
        flags = o->imm ? UINT32_MAX : 0;
    } else if (o->mod & IS_ZERO) { /* NE0, EQ0 */
        const uint32_t *c = v->LReg[o->VC];
        LANEWISE(zero, c[i] | (0u - c[i])); /* bit 31: it is not */
        flags = lanes_signs(zero);
        flags = o->mod & INVERTED ? ~flags : flags;
    } else { /* LT0, GTE0 */
        flags = lanes_signs(v->LReg[o->VC]);
        flags = o->mod & INVERTED ? ~flags : flags;
    }
    flags_put(v, lanes, flags & v->UseLaneFlagsForLaneEnable);
}

/* ---- The stacks ----------------------------------------------------------------------------------------------- */

static bool is_uniform(const struct vector_files *v)
{
    return vector_stack_depth(v) >= 0;
}

static uint32_t lanes_of_depth(const struct vector_files *v, unsigned depth)
{
    if (LIKELY(is_uniform(v)))
        return v->flag_stack_size[0] == depth ? UINT32_MAX : 0;
    uint32_t lanes = 0;
    for (unsigned i = 0; i < LANES; i++)
        lanes |= (uint32_t)(v->flag_stack_size[i] == depth) << i;
    return lanes;
}

uint32_t vector_stack_full(const struct vector_files *v)
{
    return lanes_of_depth(v, FLAG_STACK_DEPTH);
}

uint32_t vector_stack_empty(const struct vector_files *v)
{
    return lanes_of_depth(v, 0);
}

/* The top entries of all stacks; of empty ones `empty` in both halves. */
static struct flag_stack_entry top_of(const struct vector_files *v, uint32_t empty)
{
    if (LIKELY(is_uniform(v))) {
        const unsigned depth = v->flag_stack_size[0];
        return depth != 0 ? v->FlagStack[depth - 1] : (struct flag_stack_entry){empty, empty};
    }
    struct flag_stack_entry top = {0, 0};
    for (unsigned depth = 0; depth <= FLAG_STACK_DEPTH; depth++) {
        const uint32_t lanes = lanes_of_depth(v, depth);
        top.LaneFlags |= lanes & (depth ? v->FlagStack[depth - 1].LaneFlags : empty);
        top.UseLaneFlagsForLaneEnable |= lanes & (depth ? v->FlagStack[depth - 1].UseLaneFlagsForLaneEnable : empty);
    }
    return top;
}

static uint32_t mixed(uint32_t old, uint32_t new, uint32_t lanes)
{
    return (old & ~lanes) | (new &lanes);
}

/* Writes the top entries in `lanes`; a stack that is empty has none. */
static void put_top(struct vector_files *v, uint32_t lanes, struct flag_stack_entry top)
{
    if (LIKELY(lanes == UINT32_MAX && is_uniform(v))) {
        if (v->flag_stack_size[0] != 0)
            v->FlagStack[v->flag_stack_size[0] - 1] = top;
        return;
    }
    for (unsigned depth = 1; depth <= FLAG_STACK_DEPTH; depth++) {
        const uint32_t here = lanes & lanes_of_depth(v, depth);
        struct flag_stack_entry *entry = &v->FlagStack[depth - 1];
        entry->LaneFlags = mixed(entry->LaneFlags, top.LaneFlags, here);
        entry->UseLaneFlagsForLaneEnable = mixed(entry->UseLaneFlagsForLaneEnable, top.UseLaneFlagsForLaneEnable, here);
    }
}

static void resize(struct vector_files *v, uint32_t lanes, int by)
{
    if (LIKELY(lanes == UINT32_MAX && is_uniform(v))) {
        memset(v->flag_stack_size, v->flag_stack_size[0] + by, sizeof v->flag_stack_size);
        return;
    }
    for (unsigned i = 0; i < LANES; i++)
        v->flag_stack_size[i] = (uint8_t)(v->flag_stack_size[i] + (lanes >> i & 1 ? by : 0));
}

static uint32_t boolean_op(unsigned Mod1, uint32_t a, uint32_t b)
{
    switch (Mod1) {
    case 1: return b;
    case 2: return ~b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a & ~b;
    case 6: return a | ~b;
    case 7: return ~a & b;
    case 8: return ~a | b;
    case 9: return ~a & ~b;
    case 10: return ~a | ~b;
    case 11: return a ^ b;
    default: return ~(a ^ b);
    }
}

enum { LAST_BOOLEAN_OP = 12, INVERT = 13, ALL_TRUE = 14 /* 15: flags false */ };

void vector_compc(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    (void)o;
    const struct flag_stack_entry top = top_of(v, UINT32_MAX);
    const uint32_t inverted = top.LaneFlags & ~v->LaneFlags;
    flags_put(v, lanes, inverted & top.UseLaneFlagsForLaneEnable & v->UseLaneFlagsForLaneEnable);
}

/* OPEN: what a push onto a full stack and a change of the top of an empty one do: undefined in the manual.  Nothing here. */
void vector_pushc(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const int depth = vector_stack_depth(v);
    if (LIKELY(o->mod == 0 && lanes == UINT32_MAX && depth >= 0 && depth < FLAG_STACK_DEPTH)) {
        v->FlagStack[depth] = (struct flag_stack_entry){v->LaneFlags, v->UseLaneFlagsForLaneEnable};
        memset(v->flag_stack_size, depth + 1, sizeof v->flag_stack_size);
        return;
    }
    if (o->mod == 0) {
        lanes &= ~vector_stack_full(v);
        resize(v, lanes, 1);
        put_top(v, lanes, (struct flag_stack_entry){v->LaneFlags, v->UseLaneFlagsForLaneEnable});
        return;
    }
    struct flag_stack_entry top = top_of(v, 0);
    lanes &= ~vector_stack_empty(v);
    if (o->mod <= LAST_BOOLEAN_OP) {
        top.LaneFlags = boolean_op(o->mod, top.LaneFlags, v->LaneFlags);
        top.UseLaneFlagsForLaneEnable = v->UseLaneFlagsForLaneEnable;
    } else if (o->mod == INVERT) {
        flags_put(v, lanes, ~v->LaneFlags);
        top = (struct flag_stack_entry){v->LaneFlags, v->UseLaneFlagsForLaneEnable};
    } else {
        top = (struct flag_stack_entry){o->mod == ALL_TRUE ? UINT32_MAX : 0, UINT32_MAX};
    }
    put_top(v, lanes, top);
}

/* An empty stack has false in both halves of its top, and stays empty. */
void vector_popc(struct vector_files *v, uint32_t lanes, const struct vector_operands *o)
{
    const int depth = vector_stack_depth(v);
    if (LIKELY(o->mod == 0 && lanes == UINT32_MAX && depth > 0)) {
        v->LaneFlags = v->FlagStack[depth - 1].LaneFlags;
        v->UseLaneFlagsForLaneEnable = v->FlagStack[depth - 1].UseLaneFlagsForLaneEnable;
        memset(v->flag_stack_size, depth - 1, sizeof v->flag_stack_size);
        return;
    }
    const struct flag_stack_entry top = top_of(v, 0);
    uint32_t flags, use = top.UseLaneFlagsForLaneEnable;
    if (o->mod == 0) {
        resize(v, lanes & ~vector_stack_empty(v), -1);
        flags = top.LaneFlags;
    } else if (o->mod <= LAST_BOOLEAN_OP) {
        flags = boolean_op(o->mod, v->LaneFlags, top.LaneFlags);
    } else if (o->mod == INVERT) {
        flags = ~v->LaneFlags;
        use = v->UseLaneFlagsForLaneEnable;
    } else {
        flags = o->mod == ALL_TRUE ? UINT32_MAX : 0;
        use = UINT32_MAX;
    }
    flags_put(v, lanes, flags);
    v->UseLaneFlagsForLaneEnable = mixed(v->UseLaneFlagsForLaneEnable, use, lanes);
}

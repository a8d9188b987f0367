/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/files.h"

#include "tensix/regs/dst.h"
#include "tensix/vector/macro.h"

#include <string.h>

/* Manual LReg; SFPCONFIG (f916ebc3) for 11 to 14, which SoftReset gives too, but with an older value of 12: 1/65536. */
static const uint32_t constants[] = {
    [8] = 0x3F56594B,  /* 0.8373 */
    [9] = 0,           /* 0 */
    [10] = 0x3F800000, /* 1 */
    [11] = 0xBF800000, /* -1 */
    [12] = 0x3B000000, /* 1/512 */
    [13] = 0xBF2CC4C7, /* -0.67487759 */
    [14] = 0xBEB08FF9, /* -0.34484843 */
};

uint32_t vector_lreg_default(unsigned index)
{
    return constants[index];
}

void dst_set_rows_valid(struct tensix_files *files, unsigned first, unsigned count, bool valid)
{
    if ((first | count) % 32 == 0) {
        memset(&files->dst_row_undefined[first / 32], valid ? 0 : 0xFF, count / 8);
        return;
    }
    for (unsigned row = first; row < first + count; row += 8) {
        uint32_t *word = &files->dst_row_undefined[row / 32];
        *word = valid ? *word & ~(UINT32_C(0xFF) << row % 32) : *word | UINT32_C(0xFF) << row % 32;
    }
}

static void fill(uint32_t lreg[LANES], uint32_t value)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        lreg[lane] = value;
}

/* OPEN: what the PRNG starts from.  Zero here, as in the reference. */
void vector_reset(struct vector_files *vector)
{
    memset(vector, 0, sizeof *vector);
    for (unsigned i = 8; i <= 14; i++)
        fill(vector->LReg[i], constants[i]);
    for (unsigned lane = 0; lane < LANES; lane++)
        vector->LReg[15][lane] = 2 * lane;
}

void tensix_files_power_on(struct tensix_files *files)
{
    vector_reset(&files->vector);
}

/* The registers that nothing can write, and that sums and products are known by; a tile without a coprocessor has zero in both. */
static bool constants_are_there(const struct vector_files *v)
{
    const uint32_t one = v->LReg[LREG_ONE][0] == 0 && v->LReg[8][0] == 0 ? 0 : constants[LREG_ONE];
    for (unsigned lane = 0; lane < LANES; lane++)
        if (v->LReg[LREG_ZERO][lane] != 0 || v->LReg[LREG_ONE][lane] != one)
            return false;
    return true;
}

bool tensix_files_are_sane(const struct tensix_files *files)
{
    const struct vector_files *v = &files->vector;
    uint32_t any = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        any |= v->LaneConfig[lane];
        if (v->flag_stack_size[lane] > FLAG_STACK_DEPTH || v->mad.index[lane] >= LREGS)
            return false;
    }
    if (any != v->lane_config_any || !macro_is_sane(v) || !constants_are_there(v))
        return false;
    const uint32_t *cells = (const uint32_t *)files; /* SrcA and SrcB are first */
    uint32_t set = 0;
    for (unsigned i = 0; i < 2 * SRC_BANKS * SRC_ROWS * SRC_COLUMNS; i++)
        set |= cells[i];
    return set >> SRC_CELL_BITS == 0;
}

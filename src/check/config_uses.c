/* SPDX-License-Identifier: Apache-2.0 */
/* Words of Config by who reads them, from the sections that the vendor's headers divide it into. */
#include "tensix_isa.h"

#include "check/config_uses.h"

#include "cfg_fields.h"

enum { THCON_SECTION = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32 };
enum {
    ALU_WORDS = 9,
    PACK_FIRST = PACK0_CFGREG_BASE_ADDR32,
    PACK_LAST = UNP0_ADDR_CTRL_ZW_REG_0_Wstride_ADDR32 - 2,
    UNPACK_LAST = THCON_CFGREG_BASE_ADDR32 - 1,
};

static bool is_thcon(unsigned word)
{
    return word >= THCON_CFGREG_BASE_ADDR32 && word < THCON_CFGREG_BASE_ADDR32 + 2 * THCON_SECTION;
}
static unsigned thcon_offset(unsigned word) /* of section 0 */
{
    return (word - THCON_CFGREG_BASE_ADDR32) % THCON_SECTION + THCON_CFGREG_BASE_ADDR32;
}
static bool within(unsigned word, unsigned first, unsigned last)
{
    return word >= first && word <= last;
}

/* Of unpacker 0 and of unpacker 1. */
static bool unpacker_uses(unsigned which, unsigned word)
{
    if (is_thcon(word)) {
        const unsigned at = thcon_offset(word);
        return (word - THCON_CFGREG_BASE_ADDR32) / THCON_SECTION == which &&
               (within(at, THCON_SEC0_REG0_TileDescriptor_ADDR32, THCON_SEC0_REG0_TileDescriptor_ADDR32 + 3) ||
                within(at, THCON_SEC0_REG2_Out_data_format_ADDR32, THCON_SEC0_REG5_Tile_x_dim_cntx2_ADDR32) ||
                within(at, THCON_SEC0_REG7_Offset_address_ADDR32, THCON_SEC0_REG7_Offset_cntx3_address_ADDR32) ||
                within(at, THCON_SEC0_REG10_Unpack_limit_address_ADDR32, THCON_SEC0_REG10_Unpacker_Reg_Wr_Addr_ADDR32));
    }
    if (which == 0)
        return within(word, UNP0_ADDR_CTRL_ZW_REG_0_Wstride_ADDR32 - 1, UNP0_ADDR_CTRL_ZW_REG_0_Wstride_ADDR32) ||
               within(word, UNP0_ADDR_BASE_REG_0_Base_ADDR32, UNP0_ADDR_CTRL_ZW_REG_1_Wstride_ADDR32);
    return within(word, UNP1_ADDR_CTRL_XY_REG_0_Ystride_ADDR32, UNP1_ADDR_CTRL_ZW_REG_0_Wstride_ADDR32) ||
           within(word, UNP1_ADDR_CTRL_XY_REG_1_Ystride_ADDR32, UNPACK_LAST);
}

static bool packer_uses(unsigned word)
{
    const unsigned at = is_thcon(word) ? thcon_offset(word) : 0;
    return within(word, PACK_FIRST, PACK_LAST) ||
           within(word, DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32, DEST_TARGET_REG_CFG_PACK_SEC3_Offset_ADDR32) ||
           within(at, THCON_SEC0_REG1_Row_start_section_size_ADDR32, THCON_SEC0_REG1_Downsample_mask_ADDR32) ||
           within(at, THCON_SEC0_REG8_Row_start_section_size_ADDR32, THCON_SEC0_REG9_Pack_1_3_fifo_size_ADDR32);
}

bool config_is_used(unsigned unit, unsigned op, uint32_t instruction, unsigned word)
{
    switch (unit) {
    case UNIT_UNPACK: return op == TENSIX_UNPACR && unpacker_uses(instruction >> 23 & 1, word);
    case UNIT_PACK: return op == TENSIX_PACR && packer_uses(word);
    case UNIT_MATRIX:
        return word < ALU_WORDS && op != TENSIX_SETRWC && op != TENSIX_INCRWC && op != TENSIX_CLEARDVALID &&
               op != TENSIX_GATESRCRST && op != TENSIX_ZEROSRC;
    case UNIT_VECTOR:
        return (op == TENSIX_SFPLOAD || op == TENSIX_SFPSTORE || op == TENSIX_SFPLOADMACRO) && word < ALU_WORDS;
    case UNIT_MOVER: return within(word, THCON_SEC0_REG6_Source_address_ADDR32, THCON_SEC0_REG6_Buffer_size_ADDR32);
    default: return false;
    }
}

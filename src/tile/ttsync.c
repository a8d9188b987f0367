/* SPDX-License-Identifier: Apache-2.0 */
/* TTSync: how RISCV Ti waits for the Tensix instructions it has pushed.
 *
 * Manual BabyRISCV/ManualTTSync and AutoTTSync.  Manual: a load from PC_BUF_BASE + 4 or + 8 returns when the thread,
 * or its MOP expander, has nothing left to do; the value is undefined (zero here) and stores are discarded.
 * Automatic: loads and stores of backend configuration, GPRs and TDMA-RISC wait by themselves for instructions that use the
 * same resource; here stands which resources an address is, tensix/frontend/autosync.c has those of instructions. */
#include "tile/blocks.h"

#include "cfg_fields.h"
#include "tensix/step.h"
#include "tensix/tensix.h"

_Static_assert(TTSYNC_GLOBAL_CFG == TENSIX_TRISC_SYNC_TrackGlobalCfg_MASK, "isa/cfg.regs");
_Static_assert(TTSYNC_GPR == TENSIX_TRISC_SYNC_TrackGPR_MASK, "isa/cfg.regs");
_Static_assert(TTSYNC_TDMA == TENSIX_TRISC_SYNC_TrackTDMARegs_MASK, "isa/cfg.regs");

enum { SOFT_RESET_AUTO = 23 };
enum { UNPACKER0 = 1, UNPACKER1 = 2, REMAINDER = 4, ALL_PARTS = 7 };

/* The parts of a bank of Config that a word belongs to, less one so that most words, which are in the remainder, need no
 * row.  The manual's table has fields; those that share a word agree.  It is odd in places and says so: a goal not always
 * achieved, and of TileDescriptor the first word only. */
#define WORD(field, parts) [field##_ADDR32] = (parts) ^ REMAINDER
static const uint8_t parts_of_word[GLOBAL_CFGREG_BASE_ADDR32] = {
    WORD(UNP0_ADDR_CTRL_XY_REG_0_Xstride, UNPACKER0),
    WORD(UNP0_ADDR_CTRL_ZW_REG_0_Zstride, UNPACKER0 | UNPACKER1),
    WORD(UNP1_ADDR_CTRL_XY_REG_0_Xstride, UNPACKER1),
    WORD(UNP1_ADDR_CTRL_ZW_REG_0_Zstride, UNPACKER1),
    WORD(UNP0_ADDR_BASE_REG_0_Base, ALL_PARTS),
    WORD(UNP0_ADDR_BASE_REG_1_Base, ALL_PARTS),
    WORD(UNP0_FORCED_SHARED_EXP_shared_exp, ALL_PARTS), /* and UNP0_ADD_DEST_ADDR_CNTR */
    WORD(UNP0_BLOBS_Y_START_CNTX_01_blobs_y_start, UNPACKER0),
    WORD(UNP0_BLOBS_Y_START_CNTX_23_blobs_y_start, UNPACKER0),
    WORD(UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val, UNPACKER0),
    WORD(UNP1_ADDR_CTRL_XY_REG_1_Xstride, UNPACKER1),
    WORD(UNP1_ADDR_CTRL_ZW_REG_1_Zstride, UNPACKER1),
    WORD(UNP1_ADDR_BASE_REG_0_Base, UNPACKER1),
    WORD(UNP1_ADDR_BASE_REG_1_Base, UNPACKER1),
    WORD(UNP1_FORCED_SHARED_EXP_shared_exp, UNPACKER1), /* and UNP1_ADD_DEST_ADDR_CNTR */
    WORD(UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val, UNPACKER1),
    WORD(THCON_SEC0_REG0_TileDescriptor, UNPACKER0),
    WORD(THCON_SEC0_REG2_Out_data_format, UNPACKER0),
    WORD(THCON_SEC0_REG2_Disable_zero_compress_cntx0, UNPACKER0),
    WORD(THCON_SEC0_REG2_Unpack_limit_address, UNPACKER0),
    WORD(THCON_SEC0_REG2_Unpack_fifo_size, UNPACKER0),
    WORD(THCON_SEC0_REG3_Base_address, UNPACKER0),
    WORD(THCON_SEC0_REG3_Base_cntx1_address, UNPACKER0),
    WORD(THCON_SEC0_REG3_Base_cntx2_address, UNPACKER0),
    WORD(THCON_SEC0_REG3_Base_cntx3_address, UNPACKER0),
    WORD(THCON_SEC0_REG4_Base_cntx4_address, UNPACKER0),
    WORD(THCON_SEC0_REG4_Base_cntx5_address, UNPACKER0),
    WORD(THCON_SEC0_REG4_Base_cntx6_address, UNPACKER0),
    WORD(THCON_SEC0_REG4_Base_cntx7_address, UNPACKER0),
    WORD(THCON_SEC0_REG5_Dest_cntx0_address, UNPACKER0),
    WORD(THCON_SEC0_REG5_Dest_cntx2_address, UNPACKER0),
    WORD(THCON_SEC0_REG5_Tile_x_dim_cntx0, UNPACKER0),
    WORD(THCON_SEC0_REG5_Tile_x_dim_cntx2, UNPACKER0),
    WORD(THCON_SEC0_REG7_Offset_address, UNPACKER0),
    WORD(THCON_SEC0_REG7_Offset_cntx1_address, UNPACKER0),
    WORD(THCON_SEC0_REG7_Offset_cntx2_address, UNPACKER0),
    WORD(THCON_SEC0_REG7_Offset_cntx3_address, UNPACKER0),
    WORD(THCON_SEC0_REG10_Unpack_limit_address, UNPACKER0),
    WORD(THCON_SEC0_REG10_Unpack_fifo_size, UNPACKER0),
    WORD(THCON_SEC1_REG0_TileDescriptor, UNPACKER1),
    WORD(THCON_SEC1_REG2_Out_data_format, UNPACKER1),
    WORD(THCON_SEC1_REG2_Disable_zero_compress_cntx0, UNPACKER1),
    WORD(THCON_SEC1_REG3_Base_address, UNPACKER1),
    WORD(THCON_SEC1_REG3_Base_cntx1_address, UNPACKER1),
    WORD(THCON_SEC1_REG7_Offset_address, UNPACKER1),
    WORD(THCON_SEC1_REG7_Offset_cntx1_address, UNPACKER1),
};
#undef WORD

/* "RISCV address to resource mapping", of backend configuration; index is that of the word there. */
static unsigned config_resources(unsigned index, bool subdivided)
{
    const unsigned bank = index / CFG_WORDS, word = index % CFG_WORDS, thread_word = index - 3 * CFG_WORDS;
    unsigned parts = subdivided ? REMAINDER : ALL_PARTS;
    if (bank < 2 && word < GLOBAL_CFGREG_BASE_ADDR32) {
        if (subdivided)
            parts = parts_of_word[word] ^ REMAINDER;
        return parts << (bank ? AUTO_CONFIG1 : AUTO_CONFIG0);
    }
    if (subdivided && bank >= 3 && thread_word == DEST_TARGET_REG_CFG_MATH_Offset_ADDR32) /* thread 0's alone */
        parts = UNPACKER0 | UNPACKER1;
    return parts << AUTO_CONFIG0 | parts << AUTO_CONFIG1;
}

void ttsync_request_waits(struct tile *tile, uint64_t cycle)
{
    tensix_changing(tile_lent(tile), &tile_devices(tile)->tensix, TENSIX_WATCH_CORE, cycle - 1);
}

bool ttsync_auto_waits(struct tile *tile, unsigned client, ttsync_resource resource, uint32_t address, bool is_store,
                       uint64_t cycle)
{
    if (!client_is_t(client))
        return false; /* "Anything done by RISCV B or RISCV NC" is not handled */
    struct devices *dev = tile_devices(tile);
    const unsigned thread = client_thread(client);
    const uint32_t track = dev->tensix.thread[thread].config[TENSIX_TRISC_SYNC_TrackTensixInstructions_ADDR32];
    if (!(track & TENSIX_TRISC_SYNC_TrackTensixInstructions_MASK) || !(track & resource) ||
        soft_reset_bit(dev, SOFT_RESET_AUTO))
        return false;
    const bool subdivided = track & TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr_MASK;
    const unsigned resources = resource == TTSYNC_GPR ? 1u << AUTO_GPR
                               : resource == TTSYNC_TDMA
                                   ? 1u << AUTO_TDMA
                                   : config_resources((address - TENSIX_CFG_BASE) / 4, subdivided);
    if (!tensix_auto_waits(&dev->tensix, thread, resources, is_store, subdivided, cycle))
        return false;
    ttsync_request_waits(tile, cycle);
    tile_has_event(tile, tensix_next(&dev->tensix));
    return true;
}

static bool exists(uint32_t address)
{
    return address == TTSYNC_COPROCESSOR_DONE_CHECK || address == TTSYNC_MOP_EXPANDER_DONE_CHECK;
}

dev_result ttsync_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    struct devices *dev = tile_devices(tile);
    unsigned thread = client_thread(client);
    if (!exists(address))
        return DEV_NOTHING;
    const bool all = address == TTSYNC_COPROCESSOR_DONE_CHECK;
    const bool busy =
        all ? !tensix_thread_idle(&dev->tensix, thread, cycle) : tensix_mop_busy(&dev->tensix, thread, cycle);
    if (busy && !pcbuf_override_busy(dev, thread)) {
        tensix_wait(&dev->tensix, thread, all ? TENSIX_WAITS_DONE : TENSIX_WAITS_MOP, cycle);
        tile_has_event(tile, tensix_next(&dev->tensix));
        return DEV_WAIT;
    }
    *value = 0;
    return DEV_OK;
}

dev_result ttsync_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)value, (void)cycle;
    return exists(address) ? DEV_OK : DEV_NOTHING;
}

bool ttsync_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)tile, (void)client, (void)cycle;
    *value = 0;
    return exists(address);
}

bool ttsync_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)value, (void)cycle;
    return exists(address);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* matmul.c: what T0 does with the unpackers (manual UNPACR_Regular): whole tiles, one an UNPACR, of A to SrcB with unpacker 1
 * and of B to SrcA with unpacker 0.  Two contexts, so that the next addresses are written while the last are in use. */
#ifndef MATMUL_UNPACK_H
#define MATMUL_UNPACK_H

#define UNPACK(unpacker) TT_OP_UNPACR(unpacker, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)
enum { SEC1 = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32 };
enum { ROW_0 = 4 * ROW, GPR_SCRATCH = 16 }; /* output addresses to SrcA count from four rows before the first */
enum { BASE_SRCA = THCON_SEC0_REG3_Base_address_ADDR32, BASE_SRCB = BASE_SRCA + SEC1 };
enum { REPLAY_LENGTH = 4 };

static void configure_unpacker(const struct job *job, unsigned section)
{
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_InDataFormat, job->in) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_XDim, section ? TILE_DATUMS / FACES : 0));
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section + 1,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_YDim, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_ZDim, FACES));
    kerr_cfg_write(THCON_SEC0_REG2_Out_data_format_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG2_Out_data_format, job->reg) | KERR_CFG(THCON_SEC0_REG2_Throttle_mode, 2));
    kerr_cfg_write(THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32 + section,
                   0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx0_SHAMT |
                       0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx4_SHAMT);
}

static void configure(const struct job *job)
{
    const uint32_t face = TILE_DATUMS / FACES, z_stride = face * datum_bytes(job->reg);
    TT_SETADCXY(0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1);
    TT_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    kerr_cfg_write(UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, KERR_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, z_stride));
    kerr_cfg_write(UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, KERR_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, z_stride));
    configure_unpacker(job, 0);
    configure_unpacker(job, SEC1);
    kerr_cfg_write(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, ROW_0 | ROW_0 << 16);
    kerr_cfg_write(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, face | face << 16);
    kerr_cfg_write(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_ADDR32,
                   KERR_CFG(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1));
    KERR_CFG_THREAD(SRCA_SET_SetOvrdWithAddr, 1);
    TT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
    TT_SETADCXX(0, 1, 1, TILE_DATUMS - 1, 0);
    write_from_gpr(GPR_SCRATCH, SCRATCH_SEC0_val_ADDR32, datapath_tile_bytes(job->in) / 16);
}

/* Template 0, so that a mask chooses the context: the next tile of B, then on by a tile. */
static void set_unpack_mop(void)
{
    TT_REPLAY(0, 2 * REPLAY_LENGTH, 0, 1);
    kerr_tt_push(UNPACK(0));
    TT_CFGSHIFTMASK(1, 3, 31, 0, 3, BASE_SRCA);
    TT_NOP();
    TT_NOP();
    kerr_tt_push(UNPACK(0));
    TT_CFGSHIFTMASK(1, 3, 31, 0, 3, BASE_SRCA + 1);
    TT_NOP();
    TT_NOP();
    const uint32_t first = TT_OP_REPLAY(0, REPLAY_LENGTH, 0, 0),
                   second = TT_OP_REPLAY(REPLAY_LENGTH, REPLAY_LENGTH, 0, 0);
    const uint32_t word[TENSIX_MOP_CFG_COUNT] = {0, 0, NOP, first, NOP, NOP, NOP, second, NOP};
    set_mop(word);
}

/* One tile of A with a row of the block: `count` tiles of B. */
static inline void unpack(uint32_t context, uint32_t a, uint32_t b, uint32_t count)
{
    kerr_cfg_write(BASE_SRCB + context, a / 16 - 1);
    kerr_cfg_write(BASE_SRCA + context, b / 16 - 1);
    KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC] = 0; /* one more in use */
    TT_STALLWAIT(BLOCK_UNPACK, BUSY_RISC_CFG);
    kerr_tt_push(UNPACK(1));
    TT_RT_MOP(0, count - 1, context ? 0xffff : 0);
    TT_SEMGET(1 << UNPACK_SYNC);
    TT_RT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, context ? 0 : 0x0101);
}

int main(void)
{
    const struct job job = get_job();
    const uint32_t bytes = datapath_tile_bytes(job.in), a_slot = job.block_rows * job.step * bytes,
                   b_slot = job.block_columns * job.step * bytes;
    const uint32_t units_a_step = job.step * job.block_rows;
    uint32_t step = 0, context = 0, units = 0, finished = 0, freed = 0;
    configure(&job);
    set_unpack_mop();
    TT_SEMINIT(2, 0, 1 << UNPACK_SYNC);
    thread_is_done();
    FOR_EACH_BLOCK(job, row, column)
    {
        for (uint32_t inner = 0; inner < job.inner; inner += job.step, step++) {
            const uint32_t a = BUFFER_A + step % MATMUL_SLOTS * a_slot, b = BUFFER_B + step % MATMUL_SLOTS * b_slot;
            wait_for(&SHARED->a.count, step + 1);
            wait_for(&SHARED->b.count, step + 1);
            for (uint32_t i = 0; i < job.step; i++)
                for (uint32_t r = 0; r < job.block_rows; r++, context ^= 1) {
                    while (kerr_settle(KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC]) >= 2)
                        ;
                    /* All but the last are with the unpackers, so all but the last two are done. */
                    if (units >= 2 && ++finished == units_a_step) {
                        finished = 0;
                        SHARED->freed.count = ++freed;
                    }
                    unpack(context, a + (r * job.step + i) * bytes, b + i * job.block_columns * bytes,
                           job.block_columns);
                    units++;
                }
        }
    }
    thread_is_done();
    SHARED->freed.count = step;
    kerr_finish((int32_t)step);
}

#endif /* MATMUL_UNPACK_H */

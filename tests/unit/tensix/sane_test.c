/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* What of a restored snapshot is refused: each count and place at its limit, and one further. */
#include "tensix_isa.h"

#include "unit/tensix/exec.h"

struct limit {
    size_t at, size;
    uint64_t good, bad;
    const char *name;
};

static void set(uint8_t *state, const struct limit *l, uint64_t value)
{
    memcpy(state + l->at, &value, l->size); /* little-endian */
}

/* ---- struct tensix ------------------------------------------------------------------------------------------------------ */

enum { LOAD, STORE, LOAD_REGISTER, STORE_REGISTER, INCREMENT, SWAP, COMPARE, POINTER }; /* scalar_memory.c */
enum { L1_TO_L1 = 3, COMMAND_NOP = 0x89 };

static const uint32_t first_counter = (uint32_t)OPCODE_SETADC << 24, last_counter = (uint32_t)OPCODE_SETADCXX << 24;
static const struct tensix_request requests[SCALAR_REQUESTS] = {
    {.kind = LOAD, .bytes = 16, .thread = 2, .gpr = 60, .address = 0x20},
    {.kind = STORE, .bytes = 4, .thread = 1, .gpr = 63, .address = TENSIX_L1_BYTES - 4},
    {.kind = LOAD_REGISTER, .bytes = 4, .address = 0xFFB12000},
    {.kind = STORE_REGISTER, .address = 0xFFB12001},
    {.kind = INCREMENT, .bytes = 4, .address = 0x24},
    {.kind = SWAP, .address = 0x30},
    {.kind = COMPARE, .address = 0x34},
    {.kind = POINTER, .address = 0x40}};

/* Something of everything, as far as it may be. */
static void fill(struct tensix *tx)
{
    memset(tx, 0, sizeof *tx);
    tx->later_count = 2;
    tx->later[0] = (struct tensix_write){.kind = LATER_GPR, .place = 3 * TENSIX_GPRS - 1};
    tx->later[1] = (struct tensix_write){.kind = LATER_CONFIG, .place = 256 + CFG_WORDS - 1};
    memcpy(tx->scalar.request, requests, sizeof requests);
    tx->scalar.count = SCALAR_REQUESTS;
    for (unsigned i = 0; i < LATE_UNITS; i++) {
        struct tensix_late *late = &tx->shake.late[i];
        *late =
            (struct tensix_late){.due = 5, .word = (uint32_t)(i == 0 ? OPCODE_UNPACR : OPCODE_PACR) << 24, .count = 2};
        for (unsigned k = 0; k < LATE_AFTER; k++)
            late->after[k].word = k & 1 ? first_counter : last_counter;
    }
    tx->mover = (struct tensix_mover){.left = 2, .source = 0x100, .destination = 0x200, .mode = L1_TO_L1};
    tx->mover.queued = 2;
    tx->mover.head = MOVER_COMMANDS - 1;
    for (unsigned i = 0; i < MOVER_COMMANDS; i++)
        tx->mover.queue[i].command = COMMAND_NOP;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        tx->thread[i].in_flight = TENSIX_FIFO_CAPACITY;
        tx->thread[i].fifo_count = 4;
        tx->thread[i].replay_mode = tx->thread[i].replay_left = 3;
    }
}

#define LIMIT(member, good, bad)                                                                                       \
    {                                                                                                                  \
        offsetof(struct tensix, member), sizeof((struct tensix *)NULL)->member, good, bad, #member                     \
    }
static const struct limit limits[] = {
    LIMIT(later_count, LATER_CAPACITY, LATER_CAPACITY + 1),
    LIMIT(later[0].place, 0, 3 * TENSIX_GPRS),
    LIMIT(later[1].place, 256, 512),
    LIMIT(later[1].place, CFG_WORDS - 1, CFG_WORDS),
    LIMIT(later[1].place, 0, 256 + CFG_WORDS),
    LIMIT(later[1].kind, LATER_CONFIG, LATER_CONFIG + 1),
    LIMIT(shake.late[0].word, (uint32_t)OPCODE_UNPACR << 24, (uint32_t)OPCODE_PACR << 24),
    LIMIT(shake.late[1].word, (uint32_t)OPCODE_PACR << 24, (uint32_t)OPCODE_UNPACR << 24),
    LIMIT(shake.late[1].thread, 2, 3),
    LIMIT(shake.late[0].count, LATE_AFTER, LATE_AFTER + 1),
    LIMIT(shake.late[1].after[0].word, first_counter, first_counter - 1),
    LIMIT(shake.late[0].after[1].word, last_counter, last_counter + (1u << 24)),
    LIMIT(shake.store[2].index, 3 * CFG_WORDS - 1, 3 * CFG_WORDS),
    LIMIT(turn[0], 2, 3),
    LIMIT(turn[23], 2, 3),
    LIMIT(src[0].unpacker_bank, 1, 2),
    LIMIT(src[1].matrix_bank, 1, 2),
    LIMIT(src[1].implied_format[0], 15, 16),
    LIMIT(src[0].implied_format[1], 15, 16),
    LIMIT(src[0].last_row, 63, 64),
    LIMIT(src[1].unpacker_row[2], 63, 64),
    LIMIT(context_counter[1][2], 7, 8),
    LIMIT(packer.data.bits, 127, 128),
    LIMIT(packer.exponents.bits, 127, 128),
    LIMIT(packer.row_starts.bits, 127, 128),
    LIMIT(packer.group_count, 15, 16),
    LIMIT(packer.fifo_head, 3, 4),
    LIMIT(packer.fifo_count, 4, 5),
    LIMIT(packer.compression.block, 31, 32),
    LIMIT(thread[0].fifo_head, 31, 32),
    LIMIT(thread[1].fifo_count, 32, 33),
    LIMIT(thread[2].replay_head, 7, 8),
    LIMIT(thread[2].replay_count, 8, 9),
    LIMIT(thread[0].gate_head, 1, 2),
    LIMIT(thread[1].gate_count, 2, 3),
    LIMIT(thread[2].taken_at, 7, 8),
    LIMIT(thread[0].passed_at, 1, 2),
    LIMIT(thread[1].mop.step, 4, 5),
    LIMIT(thread[2].in_flight, 4, 3), /* of which four are in the first FIFO */
    LIMIT(thread[2].in_flight, 32, 33),
    LIMIT(thread[0].replay_mode, 1, 4),
    LIMIT(thread[0].replay_mode, 2, 0),
    LIMIT(thread[1].replay_left, 31, 0),
    LIMIT(scalar.head, 0, SCALAR_REQUESTS),
    LIMIT(scalar.count, 0, SCALAR_REQUESTS + 1),
    LIMIT(scalar.request[7].kind, POINTER, POINTER + 1),
    LIMIT(scalar.request[0].thread, 0, 3),
    LIMIT(scalar.request[0].gpr, 4, 5),
    LIMIT(scalar.request[1].gpr, 62, 64),
    LIMIT(scalar.request[0].address, 0x40, 0x48),
    LIMIT(scalar.request[1].address, 0x44, 0x42),
    LIMIT(scalar.request[1].address, 0, TENSIX_L1_BYTES),
    LIMIT(scalar.request[1].bytes, 2, 3),
    LIMIT(scalar.request[1].bytes, 1, 8),
    LIMIT(scalar.request[2].address, 0xFFB12004, 0xFFB12002),
    LIMIT(scalar.request[3].address, 0xFFFFFFFC, 0xFFFFFFFC), /* any */
    LIMIT(scalar.request[4].address, 0x14, TENSIX_L1_BYTES),
    LIMIT(scalar.request[5].address, 0x10, 0x18),
    LIMIT(scalar.request[6].address, 0x14, 0x16),
    LIMIT(scalar.request[7].address, 0x10, 0x14),
    LIMIT(mover.head, 0, MOVER_COMMANDS),
    LIMIT(mover.queued, MOVER_COMMANDS, MOVER_COMMANDS + 1),
    LIMIT(mover.parameters, 2, 3),
    LIMIT(mover.mode, L1_TO_L1, 4),
    LIMIT(mover.left, 1, 0x10000),
    LIMIT(mover.source, 0x110, 0x108),
    LIMIT(mover.source, TENSIX_L1_BYTES - 32, TENSIX_L1_BYTES - 16),
    LIMIT(mover.destination, 0x210, 0x208),
    LIMIT(mover.target, 0, 1),
    LIMIT(mover.queue[3].command, COMMAND_NOP, 0x41),
};

static void limits_of_the_coprocessor(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    fill(tx);
    assert_true(tensix_is_sane(tx));
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        const struct limit *l = &limits[i];
        fill(tx);
        set((uint8_t *)tx, l, l->good);
        if (!tensix_is_sane(tx))
            fail_msg("%s of 0x%llx is refused", l->name, (unsigned long long)l->good);
        set((uint8_t *)tx, l, l->bad);
        if (l->bad != l->good && tensix_is_sane(tx))
            fail_msg("%s of 0x%llx is not", l->name, (unsigned long long)l->bad);
    }
}

/* ---- struct tensix_files ---------------------------------------------------------------------------------------------- */

#undef LIMIT
#define LIMIT(member, good, bad)                                                                                       \
    {                                                                                                                  \
        offsetof(struct tensix_files, member), sizeof((struct tensix_files *)NULL)->member, good, bad, #member         \
    }
static const struct limit files_limits[] = {
    LIMIT(SrcA[0][0][0], 0x7FFFF, 0x80000),
    LIMIT(SrcB[1][63][15], 0x7FFFF, 0x80000),
    LIMIT(vector.flag_stack_size[0], 8, 9),
    LIMIT(vector.flag_stack_size[31], 8, 9),
    LIMIT(vector.mad.index[0], 16, 17),
    LIMIT(vector.mad.index[31], 16, 17),
    LIMIT(vector.lane_config_any, 0, 1),
    LIMIT(vector.macros_differ, 0, 1),
    LIMIT(vector.LaneConfig[31], 0, 4),
    LIMIT(vector.LReg[LREG_ZERO][0], 0, 1),
    LIMIT(vector.LReg[LREG_ZERO][31], 0, 1),
    LIMIT(vector.LReg[LREG_ONE][0], 0x3F800000, 0x3F800001),
    LIMIT(vector.macro.at, 7, 8),
    LIMIT(vector.macro.exchanging, 8, 9),
    LIMIT(vector.macro.exchange[0].VB, 16, 17),
    LIMIT(vector.macro.exchange[7].VC, 16, 17),
    LIMIT(vector.macro.exchange[7].VD, 16, 17),
    LIMIT(vector.macro.waiting[MACRO_MAD], 1u << 5, 1u << 4),
    LIMIT(vector.macro.slot[MACRO_MAD][5][2].VB, 15, 16),
    LIMIT(vector.macro.slot[MACRO_MAD][5][2].VC, 15, 16),
    LIMIT(vector.macro.slot[MACRO_MAD][5][2].VD, 16, 17),
    LIMIT(vector.macro.slot[MACRO_MAD][5][2].Mod0, 15, 16),
    LIMIT(vector.macro.slot[MACRO_MAD][5][2].thread, 2, 3),
    LIMIT(vector.macro.slot[MACRO_MAD][5][2].instructions, 1, 2),
    LIMIT(vector.macro.slot[MACRO_MAD][5][2].word, 0x84000000 /* SFPMAD */, 0x72000000 /* SFPSTORE */),
    LIMIT(vector.macro.slot[MACRO_MAD][5][1].columns, 1u << 1, 1u << 2),
};

static void limits_of_the_register_files(void **state)
{
    struct tile *tile = *state;
    struct tensix_files *files = &tile->files;
    struct vector_scheduled *one = &files->vector.macro.slot[MACRO_MAD][5][2];
    *one = (struct vector_scheduled){.word = 0x84000000, .columns = 1u << 2};
    one[-1].word = one->word;
    files->vector.macro.waiting[MACRO_MAD] = 1u << 5;
    assert_true(tensix_files_are_sane(files));
    for (unsigned i = 0; i < sizeof files_limits / sizeof *files_limits; i++) {
        const struct limit *l = &files_limits[i];
        uint64_t before = 0;
        memcpy(&before, (uint8_t *)files + l->at, l->size);
        set((uint8_t *)files, l, l->good);
        if (!tensix_files_are_sane(files))
            fail_msg("%s of 0x%llx is refused", l->name, (unsigned long long)l->good);
        set((uint8_t *)files, l, l->bad);
        if (tensix_files_are_sane(files))
            fail_msg("%s of 0x%llx is not", l->name, (unsigned long long)l->bad);
        set((uint8_t *)files, l, before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(limits_of_the_coprocessor), CASE(limits_of_the_register_files)};
    return RUN(tests);
}

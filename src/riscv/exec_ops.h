/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions, one piece each.  Included twice by exec.c: in run_fast, where NEXT goes straight to the next
 * instruction, and in run_careful, where NEXT goes through the checks of every single instruction.
 *
 * In scope: core, bus, x, op, block, base (cycle of the block's instruction 0, moved by delays), limit,
 * shared_limit, base_limit (highest base for which the whole block stays below limit).
 * NOW is the cycle in which op enters EX1.  What delays op moves base on; AFTER_DELAY (op is done) and BEFORE_DELAY (op
 * is not) then leave if the limit is passed. */

#define RD x[op->rd]
#define RS1 x[op->rs1]
#define RS2 x[op->rs2]
#define IMM op->immediate

#define VALUE_LUI IMM
#define VALUE_ADDI RS1 + IMM
#define VALUE_ANDI RS1 &IMM
#define VALUE_ORI RS1 | IMM
#define VALUE_SLLI RS1 << IMM
#define VALUE_SRLI RS1 >> IMM
#define VALUE_SRAI (uint32_t)((int32_t)RS1 >> IMM)
#define VALUE_ADD RS1 + RS2
#define VALUE_SUB RS1 - RS2
#define VALUE_XOR RS1 ^ RS2
#define VALUE_OR RS1 | RS2
#define VALUE_AND RS1 &RS2
#define ALU(NAME, VALUE)                                                                                               \
    OP(NAME)                                                                                                           \
    {                                                                                                                  \
        RD = (VALUE);                                                                                                  \
        NEXT;                                                                                                          \
    }

ALU(LUI, VALUE_LUI)
ALU(AUIPC, IMM)
ALU(ADDI, VALUE_ADDI)
ALU(SLTI, (int32_t)RS1 < (int32_t)IMM)
ALU(SLTIU, RS1 < IMM)
ALU(XORI, RS1 ^ IMM)
ALU(ORI, VALUE_ORI)
ALU(ANDI, RS1 &IMM)
ALU(SLLI, VALUE_SLLI)
ALU(SRLI, VALUE_SRLI)
ALU(SRAI, VALUE_SRAI)
ALU(ADD, VALUE_ADD)
ALU(SUB, VALUE_SUB)
ALU(SLL, RS1 << (RS2 & 31))
ALU(SLT, (int32_t)RS1 < (int32_t)RS2)
ALU(SLTU, RS1 < RS2)
ALU(XOR, VALUE_XOR)
ALU(SRL, RS1 >> (RS2 & 31))
ALU(SRA, (uint32_t)((int32_t)RS1 >> (RS2 & 31)))
ALU(OR, VALUE_OR)
ALU(AND, RS1 &RS2)
ALU(SH1ADD, (RS1 << 1) + RS2)
ALU(SH2ADD, (RS1 << 2) + RS2)
ALU(SH3ADD, (RS1 << 3) + RS2)
ALU(ANDN, RS1 & ~RS2)
ALU(ORN, RS1 | ~RS2)
ALU(XNOR, ~(RS1 ^ RS2))
ALU(CLZ, RS1 == 0 ? 32 : (uint32_t)__builtin_clz(RS1))
ALU(CTZ, RS1 == 0 ? 32 : (uint32_t)__builtin_ctz(RS1))
ALU(CPOP, (uint32_t)__builtin_popcount(RS1))
ALU(SEXT_B, (uint32_t)(int32_t)(int8_t)RS1)
ALU(SEXT_H, (uint32_t)(int32_t)(int16_t)RS1)
ALU(ZEXT_H, RS1 & 0xFFFF)
ALU(MIN, (int32_t)RS1 < (int32_t)RS2 ? RS1 : RS2)
ALU(MINU, RS1 < RS2 ? RS1 : RS2)
ALU(MAX, (int32_t)RS1 > (int32_t)RS2 ? RS1 : RS2)
ALU(MAXU, RS1 > RS2 ? RS1 : RS2)
ALU(ROL, rotate_left(RS1, RS2))
ALU(ROR, rotate_left(RS1, 32 - (RS2 & 31)))
ALU(RORI, rotate_left(RS1, 32 - (bits(op->word, 24, 20))))
ALU(ORC_B, orc_b(RS1))
ALU(REV8, grev(RS1, 24))
ALU(BREV8, grev(RS1, 7))
ALU(GREVI, grev(RS1, bits(op->word, 24, 20)))
ALU(PACK, (RS1 & 0xFFFF) | RS2 << 16)

/* fence.i is a nop on these cores (no Zifencei). */
OP(FENCE_I)
{
    NEXT;
}

#define MULTIPLY(NAME, VALUE)                                                                                          \
    OP(NAME)                                                                                                           \
    {                                                                                                                  \
        RD = (uint32_t)(VALUE);                                                                                        \
        lsu_settle(core, op->rd, NOW + COST_MUL_LATENCY);                                                              \
        NEXT;                                                                                                          \
    }

MULTIPLY(MUL, RS1 *RS2)
MULTIPLY(MULH, (uint64_t)((int64_t)(int32_t)RS1 *(int32_t)RS2) >> 32)
MULTIPLY(MULHSU, (uint64_t)((int64_t)(int32_t)RS1 *(int64_t)RS2) >> 32)
MULTIPLY(MULHU, (uint64_t)RS1 *RS2 >> 32)

#define DIVIDE(NAME, VALUE, SIGNED)                                                                                    \
    OP(NAME)                                                                                                           \
    {                                                                                                                  \
        const uint32_t dividend = RS1, divisor = RS2;                                                                  \
        RD = (VALUE);                                                                                                  \
        base += divide_cycles(dividend, divisor, SIGNED) - 1;                                                          \
        AFTER_DELAY;                                                                                                   \
        NEXT;                                                                                                          \
    }

DIVIDE(DIV,
       divisor == 0                                       ? UINT32_MAX
       : dividend == 0x80000000u && divisor == UINT32_MAX ? dividend
                                                          : (uint32_t)((int32_t)dividend / (int32_t)divisor),
       true)
DIVIDE(DIVU, divisor == 0 ? UINT32_MAX : dividend / divisor, false)
DIVIDE(REM,
       divisor == 0                                       ? dividend
       : dividend == 0x80000000u && divisor == UINT32_MAX ? 0
                                                          : (uint32_t)((int32_t)dividend % (int32_t)divisor),
       true)
DIVIDE(REMU, divisor == 0 ? dividend : dividend % divisor, false)

/* ---- Loads and stores.  The short cut is L1 without the L0 data cache, no store in the way, a slot free. */

#define LOAD(NAME, SIZE, SIGN, FROM_L1, FROM_LOCAL, FROM_L0)                                                           \
    OP(NAME)                                                                                                           \
    {                                                                                                                  \
        const uint32_t address = RS1 + IMM;                                                                            \
        const uint64_t now = NOW;                                                                                      \
        if (LIKELY(address < short_l1 && (address & (SIZE - 1)) == 0 && now < shared_limit &&                          \
                   (!lsu_may_conflict(core, address) || !lsu_conflicts(core, address, SIZE)))) {                       \
            uint64_t *slot = &core->load_slot_16[core->load_count % COST_L1_LOADS_IN_FLIGHT];                          \
            if (LIKELY(*slot + 32 <= now * 16)) {                                                                      \
                *slot = now * 16 + lsu_slot_hold(core->kind);                                                          \
                core->load_count++;                                                                                    \
                RD = (FROM_L1);                                                                                        \
                SETTLE_L1(op->rd, now + COST_LOAD_L1);                                                                 \
                NEXT;                                                                                                  \
            }                                                                                                          \
        } else if (address - LOCAL_RAM_BASE < short_local && (address & (SIZE - 1)) == 0) {                            \
            RD = (FROM_LOCAL);                                                                                         \
            lsu_settle(core, op->rd, now + COST_LOAD_LOCAL);                                                           \
            NEXT;                                                                                                      \
        }                                                                                                              \
        if (address < short_l0 && lsu_hits_l0(core, address) && (address & (SIZE - 1)) == 0) {                         \
            RD = (FROM_L0);                                                                                            \
            core->l0.requests++;                                                                                       \
            lsu_settle(core, op->rd, now + COST_LOAD_L0_HIT);                                                          \
            NEXT;                                                                                                      \
        }                                                                                                              \
        GENERAL(lsu_load(core, bus, LAP, op, address, SIZE, SIGN, &general_now, shared_limit));                        \
    }

LOAD(LW, 4, false, load32(bus->l1 + address), load32(core->local + (address - LOCAL_RAM_BASE)),
     load32(lsu_l0_byte(core, address)))
LOAD(LH, 2, true, (uint32_t)(int32_t)(int16_t)load16(bus->l1 + address),
     (uint32_t)(int32_t)(int16_t)load16(core->local + (address - LOCAL_RAM_BASE)),
     (uint32_t)(int32_t)(int16_t)load16(lsu_l0_byte(core, address)))
LOAD(LHU, 2, false, load16(bus->l1 + address), load16(core->local + (address - LOCAL_RAM_BASE)),
     load16(lsu_l0_byte(core, address)))
LOAD(LB, 1, true, (uint32_t)(int32_t)(int8_t)bus->l1[address],
     (uint32_t)(int32_t)(int8_t)core->local[address - LOCAL_RAM_BASE],
     (uint32_t)(int32_t)(int8_t)*lsu_l0_byte(core, address))
LOAD(LBU, 1, false, bus->l1[address], core->local[address - LOCAL_RAM_BASE], *lsu_l0_byte(core, address))

#define STORE(NAME, SIZE)                                                                                              \
    OP(NAME)                                                                                                           \
    {                                                                                                                  \
        const uint32_t address = RS1 + IMM;                                                                            \
        const uint32_t value = RS2;                                                                                    \
        if (LIKELY(address < short_store && (address & (SIZE - 1)) == 0 && NOW < shared_limit)) {                      \
            if (LIKELY(lsu_quick_store_##SIZE(core, bus, address, value, NOW))) {                                      \
                NEXT_IF_CURRENT;                                                                                       \
            }                                                                                                          \
        } else if (address - LOCAL_RAM_BASE < short_local && (address & (SIZE - 1)) == 0) {                            \
            core->side_effect = true;                                                                                  \
            memcpy(core->local + (address - LOCAL_RAM_BASE), &value, SIZE);                                            \
            NEXT;                                                                                                      \
        } else if (SIZE == 4 && address >= KEPT_FIRST && short_store != 0 && core->stores.count == 0 &&                \
                   (address & 3) == 0 && NOW < shared_limit && bus->keep(bus->owner, address, value)) {                \
            core->side_effect = true;                                                                                  \
            NEXT;                                                                                                      \
        }                                                                                                              \
        GENERAL(lsu_store(core, bus, op, address, SIZE, value, &general_now, shared_limit));                           \
    }

STORE(SW, 4)
STORE(SH, 2)
STORE(SB, 1)

OP(FLW)
{
    GENERAL(lsu_load(core, bus, LAP, op, x[op->rs1] + IMM, 4, false, &general_now, shared_limit));
}
OP(FLH)
{
    GENERAL(lsu_load(core, bus, LAP, op, x[op->rs1] + IMM, 2, false, &general_now, shared_limit));
}
OP(FSW)
{
    /* Floating-point sources are checked here: the block's checks know integer registers only. */
    base += core->ready[op->rs2] > NOW ? core->ready[op->rs2] - NOW : 0;
    BEFORE_DELAY;
    GENERAL(lsu_store(core, bus, op, x[op->rs1] + IMM, 4, core->fp.f[op->rs2 - READY_F], &general_now, shared_limit));
}
OP(FSH)
{
    base += core->ready[op->rs2] > NOW ? core->ready[op->rs2] - NOW : 0;
    BEFORE_DELAY;
    GENERAL(lsu_store(core, bus, op, x[op->rs1] + IMM, 2, core->fp.f[op->rs2 - READY_F] & 0xFFFF, &general_now,
                      shared_limit));
}

#define ATOMIC(NAME)                                                                                                   \
    OP(NAME)                                                                                                           \
    {                                                                                                                  \
        GENERAL(lsu_atomic(core, bus, op, &general_now, shared_limit));                                                \
    }
ATOMIC(AMOADD_W)
ATOMIC(AMOSWAP_W)
ATOMIC(AMOXOR_W)
ATOMIC(AMOOR_W)
ATOMIC(AMOAND_W)
ATOMIC(AMOMIN_W)
ATOMIC(AMOMAX_W)
ATOMIC(AMOMINU_W)
ATOMIC(AMOMAXU_W)

OP(FENCE)
{
    GENERAL(fence_and_sync(core, bus, &general_now, shared_limit));
}
OP(TTINSN)
{
    unsigned more = 0;
    GENERAL((result = lsu_push(core, bus, op, PUSHES, &more, &general_now, shared_limit), op += more, result));
}
OP(VEC)
{
    GENERAL(lsu_vector(core, bus, op, &general_now, shared_limit));
}
OP(FP)
{
    GENERAL(float_op(core, op, &general_now, limit));
}

#define CSR(NAME)                                                                                                      \
    OP(NAME)                                                                                                           \
    {                                                                                                                  \
        core->instret += op->index - counted;                                                                          \
        counted = op->index;                                                                                           \
        core->pc = block->pc + op->index * 4u;                                                                         \
        GENERAL(csr_op(core, bus, op, &general_now));                                                                  \
    }
CSR(CSRRW)
CSR(CSRRS)
CSR(CSRRC)
CSR(CSRRWI)
CSR(CSRRSI)
CSR(CSRRCI)

/* ---- Control flow: the end of a block. */

#define BRANCH(NAME, CONDITION)                                                                                        \
    OP(NAME)                                                                                                           \
    {                                                                                                                  \
        const bool taken = (CONDITION);                                                                                \
        const uint32_t pc = block->pc + op->index * 4u;                                                                \
        const bool right = predict(core, pc, taken);                                                                   \
        if (taken) {                                                                                                   \
            base = NOW + 1 + (right ? 0 : COST_MISPREDICT);                                                            \
            core->pc = IMM;                                                                                            \
            core->sequential = false;                                                                                  \
            NEXT_LAP;                                                                                                  \
        }                                                                                                              \
        if (UNLIKELY(!right)) {                                                                                        \
            base += COST_MISPREDICT;                                                                                   \
            AFTER_DELAY;                                                                                               \
        }                                                                                                              \
        NEXT;                                                                                                          \
    }
BRANCH(BEQ, RS1 == RS2)
BRANCH(BNE, RS1 != RS2)
BRANCH(BLT, (int32_t)RS1 < (int32_t)RS2)
BRANCH(BGE, (int32_t)RS1 >= (int32_t)RS2)
BRANCH(BLTU, RS1 < RS2)
BRANCH(BGEU, RS1 >= RS2)

OP(JAL)
{
    const uint32_t pc = block->pc + op->index * 4u;
    if (UNLIKELY(IMM == pc)) {
        note_end(core, pc, NOW, core->instret + (uint64_t)(op->index - counted));
    }
    RD = pc + 4;
    const bool right = predict(core, pc, true);
    base = NOW + 1 + (right ? 0 : COST_MISPREDICT);
#ifdef WITH_PAIRS
    if (UNLIKELY(IMM == pc) && right && !tells && core->settled <= base && base < limit) {
        core->instret += limit - base; /* the laps up to the limit are all like this one */
        base = limit;
    }
#endif
    core->pc = IMM;
    core->sequential = false;
    NEXT_BLOCK;
}
OP(JALR)
{
    const uint32_t pc = block->pc + op->index * 4u;
    const uint32_t target = (RS1 + IMM) & ~1u;
    RD = pc + 4;
    base = NOW + 1 + (predict_target(core, pc, target) ? 0 : COST_MISPREDICT);
    core->pc = target;
    core->sequential = false;
    NEXT_BLOCK;
}

OP(ILLEGAL)
{
    STOP_AT(illegal_op(core, bus, op, NOW));
}
OP(ECALL)
{
    break_op(core, bus, NOW);
    LEAVE_AFTER(RV_EXIT_STATE);
}
OP(EBREAK)
{
    break_op(core, bus, NOW);
    LEAVE_AFTER(RV_EXIT_STATE);
}
OP(MRET)
{
    base = NOW + 1 + COST_MISPREDICT;
    core->instret += (uint64_t)(op->index + 1 - counted);
    core->t = base;
    core->pc = core->interrupt_return;
    core->in_interrupt = false;
    core->sequential = false;
    core->side_effect = true;
    bus->interrupt(bus->owner, core->index, false, core->t);
    return GO_ON; /* another interrupt may be waiting */
}

/* ---- Pairs: the first here, then on into the second. */
#ifdef WITH_PAIRS
#define PAIR(A, B)                                                                                                     \
    pair_##A##_##B:                                                                                                    \
    {                                                                                                                  \
        RD = VALUE_##A;                                                                                                \
        op++;                                                                                                          \
        goto op_##B;                                                                                                   \
    }
#define PAIRS(A) PAIR_SECONDS(PAIR, A)
PAIR_FIRSTS(PAIRS)
#undef PAIR
#undef PAIRS
#endif

#undef RD
#undef RS1
#undef RS2
#undef IMM
#undef ALU
#undef MULTIPLY
#undef DIVIDE
#undef LOAD
#undef STORE
#undef ATOMIC
#undef CSR
#undef BRANCH
#undef VALUE_LUI
#undef VALUE_ADDI
#undef VALUE_ANDI
#undef VALUE_ORI
#undef VALUE_SLLI
#undef VALUE_SRLI
#undef VALUE_SRAI
#undef VALUE_ADD
#undef VALUE_SUB
#undef VALUE_XOR
#undef VALUE_OR
#undef VALUE_AND

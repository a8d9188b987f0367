/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding into blocks.  Which words are instructions is isa/rv32.isa's business (rv_identify); here the
 * operands are laid out for the executor and the places are found where a result may not be there yet. */
#include "riscv/block.h"

#include "base/bits.h"
#include "base/pages.h"
#include "base/random.h"
#include "kerr.h"
#include "riscv/core.h"

#include <sys/mman.h>

enum {
    BUCKETS_FIRST = 1 << 9, /* a page of them; more as there are more blocks */
    BUCKETS = 1 << 14,
    ARENA_BYTES = 64 << 20, /* per worker, address space only */
    WORST_BLOCK_BYTES = 4096,
};
_Static_assert(sizeof(rv_block) + (2 * BLOCK_MAX + 1) * sizeof(rv_decoded) + BLOCK_MAX * 4 <= WORST_BLOCK_BYTES,
               "a block fits, each instruction with a check before it");

/* Blocks within one line of an instruction cache are found by place first: of 140 tiles with the same code all but one find them
 * there. */
enum { LINE_BYTES = 16, QUICK = 1 << 11 };

struct rv_block_store {
    size_t used; /* bytes of arena */
    uint32_t blocks;
    uint32_t buckets; /* of bucket */
    const rv_block *quick[QUICK];
    rv_block *bucket[BUCKETS];
    _Alignas(16) uint8_t arena[ARENA_BYTES + WORST_BLOCK_BYTES];
};

/* A small program touches few pages of a store. */
static void use_buckets(rv_block_store *store, uint32_t count)
{
    /* Looked through before anything is entered. */
    pages_populate(store->quick, sizeof store->quick);
    pages_populate(store->bucket, count * sizeof(rv_block *));
    store->buckets = count;
}

/* Twice as many: those of bucket i go to i or i + n. */
static void add_buckets(rv_block_store *store)
{
    const uint32_t before = store->buckets;
    use_buckets(store, 2 * before);
    for (uint32_t i = 0; i < before; i++) {
        rv_block *block = store->bucket[i];
        store->bucket[i] = NULL;
        while (block != NULL) {
            rv_block *const next = block->next, **const bucket = &store->bucket[block->key % store->buckets];
            block->next = *bucket;
            *bucket = block;
            block = next;
        }
    }
}

rv_block_store *rv_block_store_create(void)
{
    void *memory =
        mmap(NULL, sizeof(rv_block_store), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    rv_block_store *store = memory;
    use_buckets(store, BUCKETS_FIRST);
    return store;
}

void rv_block_store_destroy(rv_block_store *store)
{
    if (store != NULL) {
        munmap(store, sizeof *store);
    }
}

bool rv_block_store_is_filling_up(const rv_block_store *store)
{
    return store->used > ARENA_BYTES / 2;
}

void rv_block_store_clear(rv_block_store *store)
{
    /* Gives the pages back as well. */
    madvise(store, sizeof *store, MADV_DONTNEED);
    use_buckets(store, BUCKETS_FIRST);
}

static uint32_t immediate_of(rv_format format, uint32_t pc, uint32_t word)
{
    switch (format) {
    case RV_FMT_I: return (uint32_t)((int32_t)word >> 20);
    case RV_FMT_S: return (uint32_t)sign_extend(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
    case RV_FMT_B:
        return pc + (uint32_t)sign_extend(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 | bits(word, 30, 25) << 5 |
                                              bits(word, 11, 8) << 1,
                                          13);
    case RV_FMT_U: return word & 0xFFFFF000u;
    case RV_FMT_J:
        return pc + (uint32_t)sign_extend(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
                                              bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1,
                                          21);
    case RV_FMT_SHAMT: return bits(word, 24, 20);
    case RV_FMT_CSR:
    case RV_FMT_CSRI: return bits(word, 31, 20);
    default: return 0;
    }
}

static bool has_rs1(rv_format format)
{
    return format == RV_FMT_R || format == RV_FMT_I || format == RV_FMT_S || format == RV_FMT_B ||
           format == RV_FMT_SHAMT || format == RV_FMT_UNARY || format == RV_FMT_CSR || format == RV_FMT_AMO;
}

static bool has_rs2(rv_format format)
{
    return format == RV_FMT_R || format == RV_FMT_S || format == RV_FMT_B || format == RV_FMT_AMO;
}

static bool has_rd(rv_format format)
{
    return !(format == RV_FMT_S || format == RV_FMT_B || format == RV_FMT_FENCE || format == RV_FMT_NONE ||
             format == RV_FMT_TT);
}

rv_decoded rv_decode(unsigned kind, uint32_t pc, uint32_t word)
{
    enum rv_op op = rv_identify(word);
    if (op != RV_ILLEGAL && (rv_op_cores(op) >> kind & 1) == 0) {
        op = RV_ILLEGAL;
    }
    const rv_format format = rv_op_format(op);
    rv_decoded d = {.code = (uint8_t)op, .word = word, .rd = X_SINK, .immediate = immediate_of(format, pc, word)};
    if (has_rs1(format)) {
        d.rs1 = (uint8_t)bits(word, 19, 15);
    }
    if (has_rs2(format)) {
        d.rs2 = (uint8_t)bits(word, 24, 20);
    }
    if (has_rd(format) && bits(word, 11, 7) != 0) {
        d.rd = (uint8_t)bits(word, 11, 7);
    }
    switch (op) {
    case RV_AUIPC: d.immediate += pc; break;
    case RV_FLW:
    case RV_FLH: d.rd = (uint8_t)(READY_F + bits(word, 11, 7)); break;
    case RV_FSW:
    case RV_FSH: d.rs2 = (uint8_t)(READY_F + bits(word, 24, 20)); break;
    case RV_CSRRWI:
    case RV_CSRRSI:
    case RV_CSRRCI: d.extra = (uint8_t)bits(word, 19, 15); break;
    case RV_TTINSN:
        /* manual PushTensixInstruction: the pushed word is this one rotated right by two bits. */
        d.immediate = word >> 2 | word << 30;
        break;
    case RV_FP: {
        const rv_fp_use use = rv_fp_inspect(word);
        if (!use.valid) {
            d.code = RV_ILLEGAL;
        } else if (!use.writes_x) {
            d.rd = (uint8_t)(READY_F + bits(word, 11, 7));
        }
        break;
    }
    case RV_VEC: {
        const rv_vec_use use = rv_vec_inspect(word);
        if (!use.valid) {
            d.code = RV_ILLEGAL;
        } else if (!use.writes_x) {
            d.rd = X_SINK;
        }
        break;
    }
    default: break;
    }
    return d;
}

static bool ends_block(unsigned code)
{
    switch (code) {
    case RV_ILLEGAL:
    case RV_JAL:
    case RV_JALR:
    case RV_ECALL:
    case RV_EBREAK:
    case RV_MRET: return true;
    default: return false;
    }
}

/* How many instructions later a consumer may still have to wait for the result. */
static unsigned shadow_of(unsigned code)
{
    switch (code) {
    case RV_LB:
    case RV_LH:
    case RV_LW:
    case RV_LBU:
    case RV_LHU:
    case RV_FLW:
    case RV_FLH:
        /* Further back the retire-order queue has seen to it (see long_left). */
        return COST_RETIRE_QUEUE - 1;
    case RV_MUL:
    case RV_MULH:
    case RV_MULHSU:
    case RV_MULHU: return COST_MUL_LATENCY - 1;
    default: return 0; /* amo, csr, fp and vec leave the fast path or check by themselves */
    }
}

static int first_of(unsigned code)
{
    switch (code) {
#define CASE(A)                                                                                                        \
    case RV_##A: return FIRST_##A;
        PAIR_FIRSTS(CASE)
#undef CASE
    default: return -1;
    }
}

static int second_of(unsigned code)
{
    switch (code) {
#define CASE(A, B)                                                                                                     \
    case RV_##B: return SECOND_##B;
        PAIR_SECONDS(CASE, 0)
#undef CASE
    default: return -1;
    }
}

static void find_pairs(rv_decoded *ops, const rv_decoded *end)
{
    for (rv_decoded *op = ops; op < end; op++) {
        op->fast = op->code;
        const int first = first_of(op->code), second = op + 1 < end ? second_of(op[1].code) : -1;
        if (first >= 0 && second >= 0) {
            op->fast = (uint16_t)(CODE_PAIRS + first * SECOND_COUNT + second);
            op++;
            op->fast = op->code;
        }
    }
}

static rv_block *build(rv_block_store *store, unsigned kind, uint32_t pc, const uint8_t *code, uint32_t max_count)
{
    rv_block *block = (rv_block *)(void *)(store->arena + store->used);
    rv_decoded *out = block->ops;
    uint32_t words[BLOCK_MAX];
    uint32_t last_slow[33]; /* index + 1 of the latest instruction with a slow result, per register */
    unsigned shadow[33];
    memset(last_slow, 0, sizeof last_slow);
    memset(shadow, 0, sizeof shadow);
    uint32_t count = 0;
    bool ended = false;
    while (!ended && count < max_count) {
        words[count] = load32(code + count * 4);
        rv_decoded d = rv_decode(kind, pc + count * 4, words[count]);
        d.index = (uint8_t)count;
        bool wait[2] = {false, false};
        const uint8_t source[2] = {d.rs1, d.rs2};
        for (unsigned s = 0; s < 2; s++) {
            const uint8_t r = source[s];
            wait[s] = r != 0 && r < 32 && last_slow[r] != 0 && count - (last_slow[r] - 1) <= shadow[r];
        }
        if (wait[0] || wait[1]) {
            rv_decoded check = d;
            check.code = wait[0] && wait[1] ? CODE_CHECK : CODE_CHECK1;
            check.rs1 = wait[0] ? d.rs1 : d.rs2;
            *out++ = check;
        }
        *out++ = d;
        if (shadow_of(d.code) != 0 && d.rd < 32) {
            last_slow[d.rd] = count + 1;
            shadow[d.rd] = shadow_of(d.code);
        }
        count++;
        ended = ends_block(d.code);
    }
    if (!ended) {
        *out++ = (rv_decoded){.code = CODE_END, .index = (uint8_t)count};
    }
    find_pairs(block->ops, out);
    uint32_t *kept = (uint32_t *)(void *)out;
    memcpy(kept, words, count * 4);
    memset(block, 0, sizeof *block);
    block->pc = pc;
    block->ended = ended;
    block->count = (uint16_t)count;
    block->steps = (uint16_t)(out - block->ops);
    const size_t end = (size_t)((uint8_t *)(kept + count) - store->arena);
    store->used = (end + 15) & ~(size_t)15;
    return block;
}

/* What counts as an instruction depends on the core: T2 has vectors, B and NC have mret. */
static uint8_t class_of(unsigned kind)
{
    return kind == KERR_CORE_T2 ? 2 : kind == KERR_CORE_T0 || kind == KERR_CORE_T1 ? 1 : 0;
}

/* Whether the block is that of these words at pc. */
static inline bool is_of(const rv_block *block, uint8_t core_class, uint32_t pc, const uint8_t *code, uint32_t in_reach)
{
    const void *words = block->ops + block->steps;
    return block->pc == pc && block->core_class == core_class &&
           (block->count == in_reach || (block->ended && block->count < in_reach)) &&
           memcmp(words, code, (size_t)block->count * 4) == 0;
}

const rv_block *rv_block_get(rv_block_store *store, unsigned kind, uint32_t pc, const uint8_t *code,
                             uint32_t code_bytes, uint32_t max_count)
{
    const uint32_t in_reach = code_bytes / 4 < max_count ? code_bytes / 4 : max_count;
    const uint8_t core_class = class_of(kind);
    /* Code that rewrites itself differs in few words; four of them keep its versions apart. */
    uint64_t key = pc ^ core_class;
    for (uint32_t i = 0; i < in_reach && i < 4; i++) {
        key = mix64(key ^ (uint64_t)load32(code + i * 4) << 32);
    }
    rv_block **bucket = &store->bucket[(uint32_t)key % store->buckets];
    for (const rv_block *b = *bucket; b != NULL; b = b->next) {
        if (is_of(b, core_class, pc, code, in_reach)) {
            return b;
        }
    }
    if (store->used + WORST_BLOCK_BYTES > ARENA_BYTES) {
        /* Full before the next barrier could empty it: a block for this one call. */
        const size_t used = store->used;
        store->used = ARENA_BYTES;
        rv_block *block = build(store, kind, pc, code, in_reach);
        block->transient = true;
        store->used = used;
        return block;
    }
    rv_block *block = build(store, kind, pc, code, in_reach);
    block->core_class = core_class;
    block->key = (uint32_t)key;
    block->next = *bucket;
    *bucket = block;
    if (++store->blocks > 2 * store->buckets && store->buckets < BUCKETS) {
        add_buckets(store);
    }
    return block;
}

const rv_block *rv_block_in_line(rv_block_store *store, unsigned kind, uint32_t pc, const uint8_t *line,
                                 uint32_t max_count)
{
    const uint32_t skip = pc % LINE_BYTES, in_line = (LINE_BYTES - skip) / 4;
    const uint32_t in_reach = in_line < max_count ? in_line : max_count;
    /* Programs of several cores of a tile lie some KiB apart. */
    const rv_block **quick = &store->quick[(pc / LINE_BYTES + (pc >> 2) % 4 * (QUICK / 4) + (pc >> 12) * 37) % QUICK];
    if (LIKELY(*quick != NULL && is_of(*quick, class_of(kind), pc, line + skip, in_reach))) {
        return *quick;
    }
    const rv_block *block = rv_block_get(store, kind, pc, line + skip, LINE_BYTES - skip, max_count);
    if (!block->transient) {
        *quick = block;
    }
    return block;
}

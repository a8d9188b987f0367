/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix_model.h"

#include "ttasm.h"

#include <string.h>

enum {
    MODEL_LOADING = 0xff, /* until the thread's memory requests are done */
    /* RDCFG delivers after two cycles "and additional ones if there is contention for GPR writes"; this many
     * instructions later it is there. */
    RDCFG_DISTANCE = 8,
    /* WRCFG and CFGSHIFTMASK take two cycles; the bank they write is not changed so soon after them. */
    CONFIG_DISTANCE = 4,
};

typedef struct run {
    tensix_model *m;
    unsigned thread;
    bool ok;
} run;

static bool refuse(tensix_model *m, const char *reason)
{
    m->reason = reason;
    return false;
}

/* ---- GPRs ---------------------------------------------------------------------------------- */

static bool usable(tensix_model *m, unsigned t, unsigned first, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (m->not_before[t][first + i]) {
            return refuse(m, "a GPR is used before its value is there");
        }
    }
    return true;
}
static uint32_t half(const tensix_model *m, unsigned t, unsigned index)
{
    return m->gpr[t][index >> 1] >> (index & 1) * 16 & 0xffff;
}
static void set_half(tensix_model *m, unsigned t, unsigned index, uint32_t value)
{
    unsigned shift = (index & 1) * 16;
    m->gpr[t][index >> 1] = (m->gpr[t][index >> 1] & ~(0xffffu << shift)) | (value & 0xffff) << shift;
}

static bool alu(tensix_model *m, unsigned t, uint32_t word)
{
    unsigned left = word & 63, right = word >> 6 & 63, result = word >> 12 & 63, mode = word >> 18 & 7;
    bool constant = word >> 23 & 1;
    if (!usable(m, t, left, 1) || !usable(m, t, result, 1) || (!constant && !usable(m, t, right, 1))) {
        return false;
    }
    uint32_t a = m->gpr[t][left], b = constant ? right : m->gpr[t][right], value;
    unsigned modes = 0;
    switch (word >> 24) {
    case TT_ADDDMAREG: value = a + b; break;
    case TT_SUBDMAREG: value = a - b; break;
    case TT_MULDMAREG: value = (a & 0xffff) * (b & 0xffff); break;
    case TT_BITWOPDMAREG:
        value = mode == 0 ? a & b : mode == 1 ? a | b : a ^ b;
        modes = 2;
        break;
    case TT_SHIFTDMAREG:
        value = mode == 0 ? a << (b & 31) : a >> (b & 31);
        modes = 1;
        break;
    default: /* CMPDMAREG */
        value = mode == 0 ? a > b : mode == 1 ? a < b : a == b;
        modes = 2;
        break;
    }
    if (mode > modes) {
        return refuse(m, "a mode that is not there");
    }
    m->gpr[t][result] = value;
    return true;
}

/* ---- L1 and registers ---------------------------------------------------------------------- */

/* Where an address is in m->l1: in what belongs to the thread, or in what belongs to all if shared. */
static bool place(tensix_model *m, unsigned t, uint32_t address, unsigned size, bool shared, unsigned *at)
{
    uint32_t first = shared ? STREAM_L1_SHARED : t * STREAM_L1_THREAD_BYTES;
    uint32_t bytes = shared ? STREAM_L1_BYTES - STREAM_L1_SHARED : STREAM_L1_THREAD_BYTES;
    uint32_t offset = address - STREAM_L1 - first;
    if (offset >= bytes || offset + size > bytes) {
        return refuse(m, "an address outside the thread's memory");
    }
    *at = first + offset;
    return true;
}
static uint32_t l1_word(const tensix_model *m, unsigned at)
{
    return m->l1[at] | (uint32_t)m->l1[at + 1] << 8 | (uint32_t)m->l1[at + 2] << 16 | (uint32_t)m->l1[at + 3] << 24;
}
static void l1_set_word(tensix_model *m, unsigned at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        m->l1[at + i] = (uint8_t)(value >> 8 * i);
    }
}

static bool indirect(tensix_model *m, unsigned t, uint32_t word)
{
    static const unsigned bytes_of[] = {16, 4, 2, 1}, step_of[] = {0, 2, 4, 16};
    bool load = word >> 24 == TT_LOADIND;
    unsigned address = word & 63, data = word >> 6 & 63, offset = word >> 14 & 127;
    unsigned bytes = bytes_of[word >> (load ? 22 : 21) & 3], at;
    if (!load && !(word >> 23 & 1)) {
        return refuse(m, "STOREIND elsewhere than to L1");
    }
    if (bytes == 16) {
        data &= 60;
    }
    if (!usable(m, t, address, 1) || !usable(m, t, data, bytes == 16 ? 4 : 1) || !usable(m, t, offset >> 1, 1)) {
        return false;
    }
    if (data <= offset >> 1 && offset >> 1 < data + (bytes == 16 ? 4 : 1)) {
        return refuse(m, "a load into its own offset");
    }
    uint32_t where = (m->gpr[t][address] * 16 + half(m, t, offset)) & ~(bytes - 1u);
    if (!place(m, t, where, bytes, false, &at)) {
        return false;
    }
    set_half(m, t, offset, half(m, t, offset) + step_of[word >> 12 & 3]);
    for (unsigned i = 0; i < bytes; i++) {
        uint32_t *gpr = &m->gpr[t][data + i / 4];
        unsigned shift = i % 4 * 8;
        if (load) {
            *gpr = (*gpr & ~(0xffu << shift)) | (uint32_t)m->l1[at + i] << shift;
        } else {
            m->l1[at + i] = (uint8_t)(*gpr >> shift);
        }
    }
    if (load) {
        memset(&m->not_before[t][data], MODEL_LOADING, bytes == 16 ? 4 : 1);
    }
    return true;
}

static bool atomic(tensix_model *m, unsigned t, uint32_t word)
{
    unsigned address = word & 63, data = word >> 6 & 63, sel = word >> 12 & 3, at;
    if (!usable(m, t, address, 1)) {
        return false;
    }
    uint32_t where = m->gpr[t][address] * 16;
    bool shared = where >= STREAM_L1 + STREAM_L1_SHARED;
    if (!place(m, t, where, 16, shared, &at)) {
        return false;
    }
    if (shared && word >> 24 != TT_ATINCGET) {
        return refuse(m, "the order of threads would matter");
    }
    uint32_t old = l1_word(m, at + 4 * sel);
    switch (word >> 24) {
    case TT_ATINCGET: {
        uint32_t mask = (uint32_t)((2ull << (word >> 14 & 31)) - 1);
        if (!usable(m, t, data, 1)) {
            return false;
        }
        l1_set_word(m, at + 4 * sel, ((old + m->gpr[t][data]) & mask) | (old & ~mask));
        m->gpr[t][data] = old;
        m->not_before[t][data] = MODEL_LOADING;
        return true;
    }
    case TT_ATINCGETPTR: {
        unsigned width = word >> 14 & 15;
        uint32_t mask = (1u << width) - 1, capacity = width ? 1u << (width - 1) : 0x8000;
        uint32_t filled = l1_word(m, at + 4) - l1_word(m, at);
        if (sel & 1 ? filled != 0 && filled % capacity == 0 : filled == 0) {
            return refuse(m, "ATINCGETPTR would wait");
        }
        if (!usable(m, t, data, 1)) {
            return false;
        }
        uint32_t more = word >> 22 & 1 ? 0 : 1u << (word >> 18 & 15);
        l1_set_word(m, at + 4 * sel, ((old + more) & mask) | (old & ~mask));
        m->gpr[t][data] = old;
        return true;
    }
    case TT_ATSWAP:
        data &= 60;
        if (!usable(m, t, data, 4)) {
            return false;
        }
        for (unsigned i = 0; i < 16; i++) {
            if (word >> (14 + i / 2) & 1) {
                m->l1[at + i] = (uint8_t)(m->gpr[t][data + i / 4] >> i % 4 * 8);
            }
        }
        return true;
    default: /* ATCAS */
        if (old != (word >> 14 & 15)) {
            return refuse(m, "ATCAS would wait");
        }
        l1_set_word(m, at + 4 * sel, word >> 18 & 15);
        return true;
    }
}

uint32_t model_register_address(unsigned thread, unsigned index)
{
    return 0xffb30000 + thread * 0x800 + (index ? 0x0c : 0x00); /* NOC_RET_ADDR_LO, NOC_TARG_ADDR_LO */
}

static bool register_move(tensix_model *m, unsigned t, uint32_t word)
{
    unsigned gpr = word >> 18 & 63;
    uint32_t address = 0xffb00000 + ((word & 0x3ffff) << 2);
    for (unsigned i = 0; i < MODEL_REGISTERS; i++) {
        if (address == model_register_address(t, i)) {
            if (!usable(m, t, gpr, 1)) {
                return false;
            }
            if (word >> 24 == TT_STOREREG) {
                m->registers[t][i] = m->gpr[t][gpr];
            } else {
                m->gpr[t][gpr] = m->registers[t][i];
                m->not_before[t][gpr] = MODEL_LOADING;
            }
            return true;
        }
    }
    return refuse(m, "a register that is not the thread's");
}

/* ---- Configuration ------------------------------------------------------------------------- */

static void config_write(tensix_model *m, unsigned bank, unsigned index, uint32_t value)
{
    m->config[bank][index] = value;
    if (index >= MODEL_GLOBAL_CONFIG) {
        m->config[!bank][index] = value;
    }
}
static uint32_t rotate_right(uint32_t x, unsigned n)
{
    return n ? x << (32 - n) | x >> n : x;
}

static bool configure(tensix_model *m, unsigned t, uint32_t word)
{
    unsigned bank = m->thread_config[t][0] & 1, gpr = word >> 16 & 63;
    unsigned opcode = word >> 24;
    unsigned index = opcode == TT_WRCFG || opcode == TT_RDCFG ? word & 0x7ff : word & 0xff;
    if (index >= MODEL_CONFIG_WORDS || index == 4) {
        return refuse(m, "a configuration word that is not there, or resets others");
    }
    uint32_t old = m->config[bank][index];
    m->config_recent[t] = CONFIG_DISTANCE + 1; /* the end of model_instruction() takes one off */
    switch (opcode) {
    case TT_WRCFG:
        if (word >> 15 & 1) {
            if (!usable(m, t, gpr & 60, 4)) {
                return false;
            }
            for (unsigned i = 0; i < 4; i++) {
                config_write(m, bank, (index & ~3u) + i, m->gpr[t][(gpr & 60) + i]);
            }
            return true;
        }
        if (!usable(m, t, gpr, 1)) {
            return false;
        }
        config_write(m, bank, index, m->gpr[t][gpr]);
        return true;
    case TT_RDCFG:
        if (!usable(m, t, gpr, 1)) {
            return false;
        }
        m->gpr[t][gpr] = old;
        m->not_before[t][gpr] = RDCFG_DISTANCE + 1;
        return true;
    case TT_CFGSHIFTMASK: {
        unsigned scratch = word >> 8 & 3, rotate = word >> 10 & 31;
        uint32_t mask = (uint32_t)((2ull << (word >> 15 & 31)) - 1);
        uint32_t value = rotate_right(m->config[bank][MODEL_SCRATCH + (scratch < 3 ? scratch : t)] & mask, rotate);
        if (!(word >> 23 & 1)) {
            old &= ~rotate_right(mask, rotate);
        }
        switch (word >> 20 & 7) {
        case 0: old |= value; break;
        case 1: old &= value; break;
        case 2: old ^= value; break;
        case 3: old += value; break;
        case 4: old |= ~value; break;
        case 5: old &= ~value; break;
        case 6: old ^= ~value; break;
        default: old -= value;
        }
        config_write(m, bank, index, old);
        return true;
    }
    default: { /* RMWCIB0..3 */
        unsigned shift = (opcode - TT_RMWCIB0) * 8;
        uint32_t mask = (word >> 16 & 0xff) << shift;
        config_write(m, bank, index, ((word >> 8 & 0xff) << shift & mask) | (old & ~mask));
        return true;
    }
    }
}

/* ---- Sync ---------------------------------------------------------------------------------- */

static bool post(tensix_model *m, unsigned i)
{
    if (m->reference && m->sem[i].value >= m->sem[i].max) {
        return refuse(m, "a post at Max");
    }
    m->sem[i].value = (uint8_t)(m->sem[i].value < 15 ? m->sem[i].value + 1 : 15);
    return true;
}
static bool get(tensix_model *m, unsigned i)
{
    if (m->reference && m->sem[i].value == 0) {
        return refuse(m, "a get at zero");
    }
    m->sem[i].value = (uint8_t)(m->sem[i].value ? m->sem[i].value - 1 : 0);
    return true;
}

static bool synchronise(tensix_model *m, unsigned t, uint32_t word)
{
    unsigned opcode = word >> 24;
    if (opcode == TT_ATGETM || opcode == TT_ATRELM) {
        unsigned i = word & 0xffff;
        if (i == 1 || i > 4) {
            return refuse(m, "a mutex that is not there");
        }
        if (opcode == TT_ATGETM ? m->mutex[i] != 0 : m->mutex[i] != t + 1) {
            return refuse(m, "a mutex that is held, or is not");
        }
        m->mutex[i] = (uint8_t)(opcode == TT_ATGETM ? t + 1 : 0);
        return true;
    }
    for (unsigned i = 0; i < 8; i++) {
        if (!(word >> (2 + i) & 1)) {
            continue;
        }
        if (opcode == TT_SEMINIT) {
            m->sem[i].value = word >> 16 & 15;
            m->sem[i].max = word >> 20 & 15;
        } else if (opcode == TT_SEMPOST ? !post(m, i) : opcode == TT_SEMGET && !get(m, i)) {
            return false;
        } else if (opcode == TT_SEMWAIT &&
                   (((word & 1) && m->sem[i].value == 0) || ((word & 2) && m->sem[i].value >= m->sem[i].max))) {
            return refuse(m, "SEMWAIT would wait");
        }
    }
    return opcode != TT_SEMWAIT || (word & 3) != 0 || refuse(m, "SEMWAIT without a condition");
}

/* ---- All together -------------------------------------------------------------------------- */

static void memory_done(tensix_model *m, unsigned t)
{
    for (unsigned i = 0; i < 64; i++) {
        if (m->not_before[t][i] == MODEL_LOADING) {
            m->not_before[t][i] = 0;
        }
    }
}

static bool execute(tensix_model *m, unsigned t, uint32_t word)
{
    unsigned opcode = word >> 24;
    switch (opcode) {
    case TT_NOP:
    case TT_DMANOP: return (word & 0xffffff) == 0 || refuse(m, "a NOP with operands");
    case TT_SETRWC: /* counters: nothing here can see them */
    case TT_INCRWC:
    case TT_SETADC:
    case TT_SETADCXX:
    case TT_SETADCXY:
    case TT_SETADCZW:
    case TT_INCADCXY:
    case TT_INCADCZW:
    case TT_ADDRCRXY:
    case TT_ADDRCRZW: return true;
    case TT_SETDMAREG:
        if (word >> 7 & 1) {
            return refuse(m, "SETDMAREG from signals");
        }
        if (!usable(m, t, (word & 127) >> 1, 1)) {
            return false;
        }
        set_half(m, t, word & 127, word >> 8);
        return true;
    case TT_ADDDMAREG:
    case TT_SUBDMAREG:
    case TT_MULDMAREG:
    case TT_BITWOPDMAREG:
    case TT_SHIFTDMAREG:
    case TT_CMPDMAREG: return alu(m, t, word);
    case TT_LOADIND:
    case TT_STOREIND: return indirect(m, t, word);
    case TT_ATINCGET:
    case TT_ATINCGETPTR:
    case TT_ATSWAP:
    case TT_ATCAS: return atomic(m, t, word);
    case TT_LOADREG:
    case TT_STOREREG: return register_move(m, t, word);
    case TT_FLUSHDMA:
        if ((word & 15) == 0 || (word & 1)) {
            memory_done(m, t);
        }
        return true;
    case TT_STALLWAIT: {
        uint32_t block = word >> 15, consumers = TT_B5_THCON | TT_B7_CONFIG;
        if ((block & consumers) == consumers) {
            if (word & TT_C0_THCON) {
                memory_done(m, t);
            }
            for (unsigned i = 0; (word & TT_C12_CONFIG) && i < 64; i++) {
                if (m->not_before[t][i] != MODEL_LOADING) {
                    m->not_before[t][i] = 0;
                }
            }
        }
        return true;
    }
    case TT_ATGETM:
    case TT_ATRELM:
    case TT_SEMINIT:
    case TT_SEMPOST:
    case TT_SEMGET:
    case TT_SEMWAIT: return synchronise(m, t, word);
    case TT_SETC16: {
        unsigned index = word >> 16 & 0xff;
        if (index >= MODEL_THREAD_CONFIG) {
            return refuse(m, "a thread's configuration word that is not there");
        }
        if (index == 0 && m->config_recent[t]) {
            return refuse(m, "the bank changes under a configuration instruction");
        }
        m->thread_config[t][index] = (uint16_t)word;
        return true;
    }
    case TT_WRCFG:
    case TT_RDCFG:
    case TT_RMWCIB0:
    case TT_RMWCIB0 + 1:
    case TT_RMWCIB0 + 2:
    case TT_RMWCIB0 + 3:
    case TT_CFGSHIFTMASK: return configure(m, t, word);
    default: return refuse(m, "an opcode that the model does not have");
    }
}

static void instruction(void *context, uint32_t word)
{
    run *r = context;
    tensix_model *m = r->m;
    if (!r->ok) {
        return;
    }
    if (m->limit == 0) {
        r->ok = refuse(m, "too long");
        return;
    }
    m->limit--;
    m->instructions++;
    m->opcodes[word >> 24]++;
    r->ok = execute(m, r->thread, word);
    for (unsigned i = 0; i < 64; i++) {
        uint8_t *left = &m->not_before[r->thread][i];
        *left = (uint8_t)(*left == 0 || *left == MODEL_LOADING ? *left : *left - 1);
    }
    if (m->config_recent[r->thread]) {
        m->config_recent[r->thread]--;
    }
}

static void count_word(void *context, uint32_t word)
{
    (void)word;
    ++*(unsigned *)context;
}
static bool makes_nothing(const plain_expander *front, uint32_t mop)
{
    plain_expander x = *front;
    unsigned count = 0;
    x.record_left = 0;
    memset(x.buffer, 0, sizeof x.buffer);
    plain_push(&x, mop, count_word, &count);
    return count == 0;
}

bool model_push(tensix_model *m, unsigned thread, uint32_t word)
{
    run r = {m, thread, true};
    if (word >> 24 == TT_MOP && makes_nothing(&m->front[thread], word)) {
        return refuse(m, "a MOP of length zero");
    }
    plain_push(&m->front[thread], word, instruction, &r);
    return r.ok;
}
bool model_push_behind_mop(tensix_model *m, unsigned thread, uint32_t word)
{
    run r = {m, thread, true};
    plain_push_behind_mop(&m->front[thread], word, instruction, &r);
    return r.ok;
}
bool model_semaphore_store(tensix_model *m, unsigned semaphore, uint32_t value)
{
    return value & 1 ? get(m, semaphore) : post(m, semaphore);
}
void model_drained(tensix_model *m, unsigned thread)
{
    memset(m->not_before[thread], 0, sizeof m->not_before[thread]);
    m->config_recent[thread] = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "traffic.h"

enum {
    CODE_STEP = 0xF000, /* of a tile's second core */
    BARRIER_COUNT = TRAFFIC_CONTROL,
    RELEASE = TRAFFIC_CONTROL + 0x10,
    RELEASE_SOURCE = TRAFFIC_CONTROL + 0x20,
    DUMP = TRAFFIC_CONTROL + 0x40,   /* + 16 * second core: results that nobody defines */
    DONE = TRAFFIC_CONTROL + 0x60,   /* + 16 * second core */
    RECORD = TRAFFIC_CONTROL + 0x80, /* + 0x40 * second core: cycles at which waits ended */
    NIU = (int)0xFFB20000,
    NIU_STEP = 0x10000,
    NODES = KERR_GRID_X * KERR_GRID_Y,
    CLAIMS = 20000,
    LINE = 16,
    FLIT = 64,
    PACKET = 16384,
    PORTS = 3,
    RECTANGLE_BYTES = 0x2000, /* multicasts go to the first bytes of a memory: all tiles have them */
};

/* Offsets of an initiator. */
enum { TARG = 0, RET = 0xC, TAG = 0x18, CTRL = 0x1C, LEN = 0x20, LEN_1 = 0x24, AT_DATA = 0x28, EXCLUDE = 0x2C };
enum { CMD_CTRL = 0x40, INITIATOR = 0x800, COUNTERS = 0x200 };
/* NOC_CTRL */
enum {
    RD = 0,
    AT = 1,
    WR = 2,
    BYTE_ENABLE = 1 << 2,
    INLINE = 1 << 3,
    MARKED = 1 << 4,
    BROADCAST = 1 << 5,
    LINKED = 1 << 6,
    STATIC = 1 << 7,
    RESERVE = 1 << 8,
    Y_MAJOR = 1 << 16,
    WITH_SOURCE = 1 << 17
};
/* Counters by number (manual NoC/Counters). */
enum {
    MST_ATOMIC_RESP_RECEIVED,
    MST_WR_ACK_RECEIVED,
    MST_RD_RESP_RECEIVED,
    MST_RD_DATA_WORD_RECEIVED,
    MST_CMD_ACCEPTED,
    MST_RD_REQ_SENT,
    MST_NONPOSTED_ATOMIC_SENT,
    MST_POSTED_ATOMIC_SENT,
    MST_NONPOSTED_WR_DATA_WORD_SENT,
    MST_POSTED_WR_DATA_WORD_SENT,
    MST_NONPOSTED_WR_REQ_SENT,
    MST_POSTED_WR_REQ_SENT,
    MST_NONPOSTED_WR_REQ_STARTED,
    MST_POSTED_WR_REQ_STARTED,
    MST_RD_REQ_STARTED,
    MST_NONPOSTED_ATOMIC_STARTED,
    MST_REQS_OUTSTANDING_ID,
    MST_WRITE_REQS_OUTGOING_ID = 32,
    SLV_ATOMIC_RESP_SENT = 48,
    SLV_WR_ACK_SENT,
    SLV_RD_RESP_SENT,
    SLV_RD_DATA_WORD_SENT,
    SLV_REQ_ACCEPTED,
    SLV_RD_REQ_RECEIVED,
    SLV_NONPOSTED_ATOMIC_RECEIVED,
    SLV_POSTED_ATOMIC_RECEIVED,
    SLV_NONPOSTED_WR_DATA_WORD_RECEIVED,
    SLV_POSTED_WR_DATA_WORD_RECEIVED,
    SLV_NONPOSTED_WR_REQ_RECEIVED,
    SLV_POSTED_WR_REQ_RECEIVED,
    SLV_NONPOSTED_WR_REQ_STARTED,
    SLV_POSTED_WR_REQ_STARTED
};
/* Transaction ids: six for a core's requests, one for reads that others get, one for the barrier; + 8 for the second. */
enum { IDS = 6, ID_ELSEWHERE = 6, ID_BARRIER = 7 };

typedef enum kind {
    KIND_READ,
    KIND_READ_ELSEWHERE,
    KIND_READ_REGISTER,
    KIND_WRITE,
    KIND_WRITE_ELSEWHERE,
    KIND_WRITE_BYTES,
    KIND_WRITE_REGISTER,
    KIND_WRITE_FROM_REGISTER,
    KIND_INLINE,
    KIND_MULTICAST,
    KIND_MULTICAST_REGISTER,
    KIND_MULTICAST_INLINE,
    KIND_LONG_READ,
    KIND_LONG_WRITE,
    KIND_ATOMIC,
    KIND_ADD,
    KIND_MULTICAST_ADD,
    KIND_CORE,
    KIND_WAIT,
    KIND_DELAY,
    KIND_STREAM, /* from here on in racy plans only */
    KIND_INSIDES,
    KIND_RESET,
    KIND_FAULT, /* in faulty plans only */
    KINDS
} kind;

static const char *const kind_names[KINDS] = {"read",
                                              "read for another tile",
                                              "read of a register",
                                              "write",
                                              "write that another tile hears of",
                                              "byte-enabled write",
                                              "write to a register",
                                              "write from a register",
                                              "inline write",
                                              "multicast",
                                              "multicast to registers",
                                              "inline multicast",
                                              "read of more than 16 KiB",
                                              "write of more than 16 KiB",
                                              "atomic",
                                              "addition with others",
                                              "multicast addition",
                                              "load and store",
                                              "wait",
                                              "delay",
                                              "update of a stream",
                                              "access to the insides of cores",
                                              "reset of a core",
                                              "request that is wrong"};

typedef enum use { USE_READ, USE_ADD, USE_WRITE } use;

typedef struct claim {
    uint32_t space; /* a memory; or registers of a node: 1000 + node * 2 + noc */
    uint32_t first, last;
    uint8_t use;
    uint8_t agent;
    bool answered; /* its agent will know when it is over: at its next wait */
    bool done;     /* its agent knows that it is over, and may use the bytes again in this phase */
    bool forever;  /* nobody will know */
} claim;

struct traffic {
    traffic_options options;
    test_random random;
    traffic_agent agent[TRAFFIC_AGENTS];
    unsigned agents;
    traffic_agent looker[TRAFFIC_AGENTS * 3];
    unsigned lookers;
    uint8_t *before[TRAFFIC_MEMORIES], *after[TRAFFIC_MEMORIES];
    uint32_t counter[NODES][2][TRAFFIC_COUNTERS];
    uint32_t reg[NODES][2][TRAFFIC_REGISTERS];
    unsigned kinds[KINDS];
    claim claims[CLAIMS];
    unsigned claim_count;
    bool answered,
        outgoing; /* the last request: its agent gets the answer; it is a write, so that its source is free soon */
    uint16_t pending_ids[TRAFFIC_AGENTS][2]; /* ids with requests since the last wait */
};

/* ---- Places ----------------------------------------------------------------------------------------------- */

static const uint16_t register_offset[TRAFFIC_REGISTERS] = {0x1800 + TARG, 0x1800 + RET, 0x1800 + LEN,
                                                            0x1800 + AT_DATA};

traffic_place traffic_place_of(unsigned memory, unsigned port)
{
    static const uint8_t column[14] = {1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10};
    static const uint8_t bank_y[4][PORTS] = {{0, 1, 11}, {2, 10, 3}, {9, 4, 8}, {5, 7, 6}};
    traffic_place p = {.base = TRAFFIC_DATA};
    if (memory < TRAFFIC_TENSIX) {
        p.at = kerr_tensix_xy(memory);
        p.name = p.at.x | (uint32_t)p.at.y << 6;
    } else if (memory < TRAFFIC_TENSIX + TRAFFIC_ETH) {
        unsigned i = memory - TRAFFIC_TENSIX, channel = i;
        channel += channel >= 5; /* channels 5 and 8 have no name */
        channel += channel >= 8;
        p.at = (kerr_xy){column[channel], 1};
        p.name = (20 + i) | 25u << 6;
    } else {
        unsigned i = memory - TRAFFIC_TENSIX - TRAFFIC_ETH;
        bool is_l1 = i >= TRAFFIC_BANKS;
        unsigned bank = is_l1 ? (i - TRAFFIC_BANKS) / PORTS : i;
        port = is_l1 ? (i - TRAFFIC_BANKS) % PORTS : port;
        p.at = (kerr_xy){bank < 4 ? 0 : 9, bank_y[bank % 4][port]};
        p.name = (bank < 4 ? 17 : 18) | (12 + bank % 4 * 3 + port) << 6;
        p.base = is_l1 ? UINT64_C(0x2000008000) : 0x12340000 + bank * UINT64_C(0x1000000);
    }
    return p;
}

static bool is_bank(unsigned memory)
{
    return memory >= TRAFFIC_TENSIX + TRAFFIC_ETH && memory < TRAFFIC_TENSIX + TRAFFIC_ETH + TRAFFIC_BANKS;
}

static unsigned node_of(kerr_xy at)
{
    return at.y * (unsigned)KERR_GRID_X + at.x;
}

static unsigned below(traffic *t, uint32_t n)
{
    return test_below(&t->random, n);
}

static uint8_t *memory_of(traffic *t, unsigned memory)
{
    if (!t->after[memory]) {
        t->after[memory] = calloc(1, TRAFFIC_BYTES);
        t->before[memory] = calloc(1, TRAFFIC_BYTES);
        if (!t->after[memory] || !t->before[memory]) {
            abort();
        }
    }
    return t->after[memory];
}

/* ---- Who uses which bytes in this phase ------------------------------------------------------------------- */

static bool is_free(const traffic *t, unsigned agent, uint32_t space, uint32_t first, uint32_t bytes, use u)
{
    if (t->options.racy) {
        return true;
    }
    for (unsigned i = 0; i < t->claim_count; i++) {
        const claim *c = &t->claims[i];
        if (c->space != space || c->last < first || c->first >= first + bytes || (c->agent == agent && c->done)) {
            continue;
        }
        if (c->use != u || u == USE_WRITE) {
            return false;
        }
    }
    return true;
}

static void use_it(traffic *t, unsigned agent, uint32_t space, uint32_t first, uint32_t bytes, use u, bool forever)
{
    if (t->options.racy) {
        return;
    }
    if (t->claim_count == CLAIMS) {
        fprintf(stderr, "traffic: too many requests in a plan\n");
        abort();
    }
    t->claims[t->claim_count++] = (claim){.space = space,
                                          .first = first,
                                          .last = first + bytes - 1,
                                          .use = (uint8_t)u,
                                          .agent = (uint8_t)agent,
                                          .forever = forever};
}

static void end_of_phase(traffic *t)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < t->claim_count; i++) {
        if (t->claims[i].forever) {
            t->claims[kept++] = t->claims[i];
        }
    }
    t->claim_count = kept;
}

static uint32_t register_space(unsigned node, unsigned noc)
{
    return 1000 + node * 2 + noc;
}

static bool has_agent(const traffic *t, unsigned memory)
{
    for (unsigned i = 0; i < t->agents; i++) {
        if (t->agent[i].memory == memory) {
            return true;
        }
    }
    return false;
}

/* ---- The model: counters ---------------------------------------------------------------------------------- */

typedef struct request {
    unsigned agent, noc, id;
    uint32_t ctrl;
    bool elsewhere; /* `back` gets the acknowledgements */
    kerr_xy back;
} request;

static uint32_t *count(traffic *t, kerr_xy at, unsigned noc, unsigned counter)
{
    return &t->counter[node_of(at)][noc][counter];
}

static void add_narrow(uint32_t *counter, uint32_t n)
{
    *counter = (*counter + n) & 0xFF;
}

static uint32_t flits(uint64_t address, uint32_t bytes)
{
    return (uint32_t)((address % FLIT + bytes + FLIT - 1) / FLIT);
}

static kerr_xy home(const traffic *t, unsigned agent)
{
    return traffic_place_of(t->agent[agent].memory, 0).at;
}

static void count_write_sent(traffic *t, const request *r, uint32_t data_flits)
{
    kerr_xy at = home(t, r->agent);
    bool marked = r->ctrl & MARKED;
    ++*count(t, at, r->noc, MST_CMD_ACCEPTED);
    ++*count(t, at, r->noc, marked ? MST_NONPOSTED_WR_REQ_STARTED : MST_POSTED_WR_REQ_STARTED);
    ++*count(t, at, r->noc, marked ? MST_NONPOSTED_WR_REQ_SENT : MST_POSTED_WR_REQ_SENT);
    *count(t, at, r->noc, marked ? MST_NONPOSTED_WR_DATA_WORD_SENT : MST_POSTED_WR_DATA_WORD_SENT) += data_flits;
    if (marked) {
        add_narrow(count(t, at, r->noc, MST_REQS_OUTSTANDING_ID + r->id), 1);
    }
}

static void count_write_received(traffic *t, const request *r, kerr_xy at, uint32_t data_flits)
{
    bool marked = r->ctrl & MARKED;
    ++*count(t, at, r->noc, marked ? SLV_NONPOSTED_WR_REQ_STARTED : SLV_POSTED_WR_REQ_STARTED);
    ++*count(t, at, r->noc, marked ? SLV_NONPOSTED_WR_REQ_RECEIVED : SLV_POSTED_WR_REQ_RECEIVED);
    *count(t, at, r->noc, marked ? SLV_NONPOSTED_WR_DATA_WORD_RECEIVED : SLV_POSTED_WR_DATA_WORD_RECEIVED) +=
        data_flits;
    if (marked) {
        kerr_xy back = r->elsewhere ? r->back : home(t, r->agent);
        ++*count(t, at, r->noc, SLV_WR_ACK_SENT);
        ++*count(t, back, r->noc, MST_WR_ACK_RECEIVED);
        add_narrow(count(t, back, r->noc, MST_REQS_OUTSTANDING_ID + r->id), 0xFF);
    }
}

static void count_read(traffic *t, const request *r, kerr_xy from, kerr_xy to, uint32_t data_flits)
{
    kerr_xy at = home(t, r->agent);
    ++*count(t, at, r->noc, MST_CMD_ACCEPTED);
    ++*count(t, at, r->noc, MST_RD_REQ_STARTED);
    ++*count(t, at, r->noc, MST_RD_REQ_SENT);
    add_narrow(count(t, at, r->noc, MST_REQS_OUTSTANDING_ID + r->id), 1);
    ++*count(t, from, r->noc, SLV_REQ_ACCEPTED);
    ++*count(t, from, r->noc, SLV_RD_REQ_RECEIVED);
    ++*count(t, from, r->noc, SLV_RD_RESP_SENT);
    *count(t, from, r->noc, SLV_RD_DATA_WORD_SENT) += data_flits;
    ++*count(t, to, r->noc, MST_RD_RESP_RECEIVED);
    *count(t, to, r->noc, MST_RD_DATA_WORD_RECEIVED) += data_flits;
    add_narrow(count(t, to, r->noc, MST_REQS_OUTSTANDING_ID + r->id), 0xFF);
}

static void count_atomic_sent(traffic *t, const request *r)
{
    kerr_xy at = home(t, r->agent);
    ++*count(t, at, r->noc, MST_CMD_ACCEPTED);
    ++*count(t, at, r->noc, r->ctrl & MARKED ? MST_NONPOSTED_ATOMIC_SENT : MST_POSTED_ATOMIC_SENT);
    if (r->ctrl & MARKED) {
        ++*count(t, at, r->noc, MST_NONPOSTED_ATOMIC_STARTED);
        add_narrow(count(t, at, r->noc, MST_REQS_OUTSTANDING_ID + r->id), 1);
    }
}

static void count_atomic_received(traffic *t, const request *r, kerr_xy at)
{
    ++*count(t, at, r->noc, SLV_REQ_ACCEPTED);
    ++*count(t, at, r->noc, r->ctrl & MARKED ? SLV_NONPOSTED_ATOMIC_RECEIVED : SLV_POSTED_ATOMIC_RECEIVED);
    if (r->ctrl & MARKED) {
        kerr_xy back = home(t, r->agent);
        ++*count(t, at, r->noc, SLV_ATOMIC_RESP_SENT);
        ++*count(t, back, r->noc, MST_ATOMIC_RESP_RECEIVED);
        add_narrow(count(t, back, r->noc, MST_REQS_OUTSTANDING_ID + r->id), 0xFF);
    }
}

/* ---- The model: atomics on a line of 16 bytes ------------------------------------------------------------- */

static uint32_t get_word(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static void put_word(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint32_t act(uint8_t *line, unsigned word, uint32_t what, uint32_t data)
{
    uint32_t result = get_word(line + 4 * word);
    uint8_t *at = line + 4 * (what & 3);
    uint32_t old = get_word(at);
    switch (what >> 12) {
    case 1: {
        uint32_t mask = (uint32_t)((UINT64_C(2) << (what >> 2 & 31)) - 1);
        put_word(at, ((old + data) & mask) | (old & ~mask));
        break;
    }
    case 3:
        for (unsigned i = 0; i < 16; i++) {
            if (what >> 2 >> i / 2 & 1) {
                line[i] = (uint8_t)(data >> i % 4 * 8);
            }
        }
        break;
    case 4:
        if (old == (what >> 2 & 15)) {
            put_word(at, what >> 6 & 15);
        }
        break;
    case 6: put_word(at, data); break;
    case 7: put_word(line + 4 * (what >> 2 & 3), data); break;
    case 9:
        for (unsigned i = 0; i < 16; i += 4) {
            if ((what & 7) == 7) {
                for (unsigned j = i; j < i + 4; j++) {
                    unsigned sum = line[j] + (data >> j % 4 * 8 & 0xFF);
                    line[j] = (uint8_t)((what & 15) == 7 && sum > 255 ? 255 : sum);
                }
            } else {
                put_word(line + i, get_word(line + i) + data);
            }
        }
        break;
    case 10: {
        int32_t a = (int32_t)old, b = (int32_t)data;
        uint32_t results[8] = {old + data,
                               old ^ data,
                               old | data,
                               old & data,
                               a < b ? old : data,
                               a > b ? old : data,
                               old < data ? old : data,
                               old > data ? old : data};
        put_word(at, what >> 11 & 1 ? results[what >> 8 & 7] : data);
        break;
    }
    default: break;
    }
    return result;
}

/* ---- Programs --------------------------------------------------------------------------------------------- */

enum { R_NIU = S0, R_CONTROL = S1, R_ONE = S2, R_SUM = S3, R_COUNTERS = S4 };

static bool is_second(const traffic_agent *a)
{
    return a->memory < TRAFFIC_TENSIX ? a->core != KERR_CORE_B : a->core != KERR_CORE_E0;
}

static unsigned first_id(const traffic_agent *a)
{
    return is_second(a) ? 8 : 0;
}

uint32_t traffic_done_address(kerr_core core)
{
    return DONE + (core == KERR_CORE_B ? 0 : 16);
}

static void store(rvasm *a, uint32_t value, int32_t offset, unsigned base)
{
    if (value == 0) {
        rva(a, rv_sw(X0, offset, base));
        return;
    }
    if (value < 0x800) {
        rva(a, rv_addi(T0, X0, (int32_t)value));
    } else {
        rva_li(a, T0, value);
    }
    rva(a, rv_sw(T0, offset, base));
}

/* Loads [base + offset] until it equals T1; `how` says what else is in the loop. */
static void poll(rvasm *a, int32_t offset, unsigned base, unsigned how)
{
    uint32_t loop = rva_here(a);
    switch (how % 5) {
    case 0: rva(a, rv_addi(R_SUM, R_SUM, 1)); break; /* never the same again: not to be parked */
    case 1: rva(a, rv_xor(T3, R_ONE, T1)); break;
    case 2: rva(a, rv_fence()); break;
    default: break;
    }
    rva(a, rv_lw(T0, offset, base));
    rva(a, rv_bne(T0, T1, rva_to(a, loop)));
}

/* The same until it is at least T1. */
static void poll_reached(rvasm *a, int32_t offset, unsigned base)
{
    uint32_t loop = rva_here(a);
    rva(a, rv_lw(T0, offset, base));
    rva(a, rv_sub(T0, T0, T1));
    rva(a, rv_blt(T0, X0, rva_to(a, loop)));
}

static void record(traffic *t, traffic_agent *g)
{
    if (t->options.racy) {
        unsigned slot = below(t, 8) * 4 + (is_second(g) ? 0x40 : 0);
        rva(g->code, rv_csrr(T0, CSR_mcycle));
        rva(g->code, rv_add(T0, T0, R_SUM));
        rva(g->code, rv_sw(T0, (int32_t)(RECORD - TRAFFIC_CONTROL + slot), R_CONTROL));
    }
}

/* The initiator that this agent uses on this NoC for its n-th request. */
static unsigned initiator_of(const traffic_agent *g, unsigned n)
{
    return is_second(g) ? 2 : n % 2;
}

static void wait_free(traffic *t, traffic_agent *g, unsigned noc, unsigned initiator)
{
    rva_li(g->code, R_NIU, (uint32_t)NIU + noc * NIU_STEP + initiator * INITIATOR);
    rva(g->code, rv_mv(T1, X0));
    poll(g->code, CMD_CTRL, R_NIU, below(t, 5));
}

typedef struct command {
    uint64_t targ, ret;
    uint32_t targ_hi, ret_hi, data;
    uint64_t length;
} command;

static void issue(traffic *t, const request *r, const command *c)
{
    traffic_agent *g = &t->agent[r->agent];
    rvasm *a = g->code;
    unsigned initiator = initiator_of(g, below(t, 2));
    wait_free(t, g, r->noc, initiator);
    store(a, (uint32_t)c->targ, TARG, R_NIU);
    store(a, (uint32_t)(c->targ >> 32), TARG + 4, R_NIU);
    store(a, c->targ_hi, TARG + 8, R_NIU);
    store(a, (uint32_t)c->ret, RET, R_NIU);
    store(a, (uint32_t)(c->ret >> 32), RET + 4, R_NIU);
    store(a, c->ret_hi, RET + 8, R_NIU);
    store(a, r->id << 10, TAG, R_NIU);
    store(a, r->ctrl, CTRL, R_NIU);
    store(a, (uint32_t)c->length, LEN, R_NIU);
    if (!t->options.reference) {
        store(a, (uint32_t)(c->length >> 32), LEN_1, R_NIU);
    }
    store(a, c->data, AT_DATA, R_NIU);
    rva(a, rv_sw(R_ONE, CMD_CTRL, R_NIU));
    if (below(t, 4) == 0) {
        rva(a, rv_lw(T0, CMD_CTRL, R_NIU));
        rva(a, rv_add(R_SUM, R_SUM, T0));
    }
    t->answered = r->ctrl & MARKED && r->id % 8 != ID_ELSEWHERE;
    t->outgoing = (r->ctrl & 3) == WR && !t->options.reference;
    t->pending_ids[r->agent][r->noc] |= (uint16_t)(1u << r->id);
}

/* A request of more than one packet must have left before the next one is started anywhere in this NIU. */
static void wait_split(traffic *t, const request *r)
{
    for (unsigned i = 0; i < 2; i++) {
        wait_free(t, &t->agent[r->agent], r->noc, i);
    }
}

static void wait_counter(traffic *t, unsigned agent, unsigned noc, unsigned counter, bool at_least)
{
    traffic_agent *g = &t->agent[agent];
    rva_li(g->code, R_COUNTERS, (uint32_t)NIU + noc * NIU_STEP + COUNTERS);
    rva_li(g->code, T1, *count(t, home(t, agent), noc, counter));
    if (at_least) {
        poll_reached(g->code, (int32_t)counter * 4, R_COUNTERS);
    } else {
        poll(g->code, (int32_t)counter * 4, R_COUNTERS, below(t, 5));
    }
}

/* Everything that this agent has asked for and will hear of. */
static void wait_own(traffic *t, unsigned agent)
{
    traffic_agent *g = &t->agent[agent];
    for (unsigned noc = 0; noc < 2; noc++) {
        uint16_t ids = t->pending_ids[agent][noc];
        if (!ids) {
            continue;
        }
        for (unsigned i = is_second(g) ? 2 : 0; i < (is_second(g) ? 3u : 2u); i++) {
            wait_free(t, g, noc, i);
        }
        for (unsigned id = 0; id < 16; id++) {
            if ((ids >> id & 1) && id % 8 != ID_ELSEWHERE) {
                wait_counter(t, agent, noc, MST_REQS_OUTSTANDING_ID + id, false);
            }
            if ((ids >> id & 1) && !t->options.reference) {
                wait_counter(t, agent, noc, MST_WRITE_REQS_OUTGOING_ID + id, false);
            }
        }
    }
    record(t, g);
}

/* ---- Requests --------------------------------------------------------------------------------------------- */

static uint32_t random_length(traffic *t, uint32_t most)
{
    static const uint32_t limits[6] = {4, 32, 64, 300, 2048, PACKET};
    uint32_t limit = limits[below(t, 6)];
    limit = limit < most ? limit : most;
    return 1 + below(t, limit);
}

/* A memory to reach; agents more often than others, so that they disturb each other. */
static unsigned random_memory(traffic *t, bool banks)
{
    unsigned n = below(t, 10);
    if (n == 0 && banks) {
        bool l1 = !t->options.reference && below(t, 3) == 0;
        return TRAFFIC_TENSIX + TRAFFIC_ETH +
               (l1 ? TRAFFIC_BANKS + below(t, TRAFFIC_DRAM_TILES) : below(t, TRAFFIC_BANKS));
    }
    if (n == 1) {
        return TRAFFIC_TENSIX + below(t, TRAFFIC_ETH);
    }
    if (n == 2) {
        return below(t, TRAFFIC_TENSIX);
    }
    return t->agent[below(t, t->agents)].memory;
}

/* In racy plans everybody meets in a small part. */
static uint32_t random_offset(traffic *t, uint32_t bytes)
{
    uint32_t room = t->options.racy && bytes <= 0x4000 ? 0x5000 : TRAFFIC_BYTES;
    return below(t, room - bytes + 1);
}

static uint32_t random_channel(traffic *t, bool multicast)
{
    if (below(t, 2)) {
        return 0;
    }
    return STATIC | (multicast ? 4 + below(t, 2) : below(t, 4)) << 13;
}

static request random_request(traffic *t, unsigned agent, uint32_t ctrl)
{
    request r = {.agent = agent, .noc = below(t, 2), .id = below(t, IDS) + first_id(&t->agent[agent]), .ctrl = ctrl};
    r.ctrl |= random_channel(t, ctrl & BROADCAST);
    return r;
}

typedef struct spot {
    unsigned memory;
    uint32_t offset;
    traffic_place place;
} spot;

static spot random_spot(traffic *t, unsigned memory, uint32_t bytes, uint32_t modulo, uint32_t remainder)
{
    spot s = {.memory = memory, .place = traffic_place_of(memory, below(t, PORTS))};
    s.offset = random_offset(t, bytes + modulo);
    s.offset += (remainder + modulo - s.offset % modulo) % modulo;
    return s;
}

static uint64_t address_of(const spot *s)
{
    return s->place.base + s->offset;
}

/* A posted request is noticed by the receiver's cores; where there are none its target is not used again. */
static bool unnoticed(const traffic *t, const request *r, unsigned memory)
{
    return !(r->ctrl & MARKED) && (t->options.reference || !has_agent(t, memory));
}

static bool do_read(traffic *t, unsigned agent, bool elsewhere)
{
    uint32_t bytes = random_length(t, PACKET);
    unsigned from = random_memory(t, true), to = t->agent[agent].memory;
    if (elsewhere) {
        to = t->agent[below(t, t->agents)].memory;
    }
    spot s = random_spot(t, from, bytes, 1, 0);
    spot d = random_spot(t, to, bytes, is_bank(from) ? 64 : 16, s.offset % (is_bank(from) ? 64 : 16));
    if (!is_free(t, agent, from, s.offset, bytes, USE_READ) || !is_free(t, agent, to, d.offset, bytes, USE_WRITE) ||
        (from == to && s.offset < d.offset + bytes && d.offset < s.offset + bytes && !t->options.racy)) {
        return false;
    }
    request r = random_request(t, agent, RD | MARKED);
    if (elsewhere) {
        r.id = ID_ELSEWHERE + first_id(&t->agent[agent]);
    }
    use_it(t, agent, from, s.offset, bytes, USE_READ, false);
    use_it(t, agent, to, d.offset, bytes, USE_WRITE, false);
    issue(t, &r, &(command){address_of(&s), address_of(&d), s.place.name, d.place.name, 0, bytes});
    count_read(t, &r, s.place.at, d.place.at, flits(address_of(&d), bytes));
    memmove(memory_of(t, to) + d.offset, memory_of(t, from) + s.offset, bytes);
    return true;
}

static bool do_read_register(traffic *t, unsigned agent)
{
    unsigned from = random_memory(t, false), to = t->agent[agent].memory, n = below(t, 2), i = below(t, 4);
    traffic_place there = traffic_place_of(from, 0);
    spot d = random_spot(t, to, 4, 4, 0);
    uint32_t space = register_space(node_of(there.at), n);
    if (!is_free(t, agent, space, i, 1, USE_READ) || !is_free(t, agent, to, d.offset, 4, USE_WRITE)) {
        return false;
    }
    request r = random_request(t, agent, RD | MARKED);
    use_it(t, agent, space, i, 1, USE_READ, false);
    use_it(t, agent, to, d.offset, 4, USE_WRITE, false);
    issue(
        t, &r,
        &(command){(uint32_t)NIU + n * NIU_STEP + register_offset[i], address_of(&d), there.name, d.place.name, 0, 4});
    count_read(t, &r, there.at, d.place.at, 1);
    put_word(memory_of(t, to) + d.offset, t->reg[node_of(there.at)][n][i]);
    return true;
}

/* elsewhere: an agent's tile gets the acknowledgement; nobody waits for it, so that the target is not used again. */
static bool do_write(traffic *t, unsigned agent, bool elsewhere)
{
    uint32_t bytes = random_length(t, PACKET);
    unsigned from = t->agent[agent].memory, to = random_memory(t, true);
    spot s = random_spot(t, from, bytes, 1, 0), d = random_spot(t, to, bytes, 16, s.offset % 16);
    if (!is_free(t, agent, from, s.offset, bytes, USE_READ) || !is_free(t, agent, to, d.offset, bytes, USE_WRITE) ||
        (from == to && s.offset < d.offset + bytes && d.offset < s.offset + bytes && !t->options.racy)) {
        return false;
    }
    request r = random_request(t, agent, WR | (elsewhere || below(t, 2) ? MARKED : 0));
    bool linked = t->agent[agent].alone && below(t, 8) == 0;
    traffic_place back = s.place;
    if (elsewhere) {
        back = traffic_place_of(t->agent[below(t, t->agents)].memory, 0);
        r.id = ID_ELSEWHERE + first_id(&t->agent[agent]);
        r.elsewhere = true;
        r.back = back.at;
    }
    use_it(t, agent, from, s.offset, bytes, USE_READ, false);
    use_it(t, agent, to, d.offset, bytes, USE_WRITE, elsewhere || unnoticed(t, &r, to));
    for (unsigned times = 0; times < 1u + linked; times++) {
        r.ctrl = (r.ctrl & ~(uint32_t)LINKED) | (linked && times == 0 ? LINKED : 0);
        issue(t, &r, &(command){address_of(&s), address_of(&d), back.name, d.place.name, 0, bytes});
        count_write_sent(t, &r, flits(address_of(&d), bytes));
        count_write_received(t, &r, d.place.at, flits(address_of(&d), bytes));
    }
    memmove(memory_of(t, to) + d.offset, memory_of(t, from) + s.offset, bytes);
    return true;
}

static bool do_write_bytes(traffic *t, unsigned agent)
{
    unsigned from = t->agent[agent].memory, to = random_memory(t, true);
    spot s = random_spot(t, from, 64, 16, 0), d = random_spot(t, to, 64, 16, 0);
    uint64_t mask = test_random64(&t->random) >> below(t, 64);
    mask = mask ? mask : 1;
    uint32_t bytes = 64 - (uint32_t)__builtin_clzll(mask);
    bytes = bytes < 16 ? 16 : bytes;
    if (!is_free(t, agent, from, s.offset, 64, USE_READ) || !is_free(t, agent, to, d.offset, 64, USE_WRITE) ||
        (from == to && s.offset < d.offset + 64 && d.offset < s.offset + 64 && !t->options.racy)) {
        return false;
    }
    request r = random_request(t, agent, WR | BYTE_ENABLE | (below(t, 2) ? MARKED : 0));
    use_it(t, agent, from, s.offset, 64, USE_READ, false);
    use_it(t, agent, to, d.offset, 64, USE_WRITE, unnoticed(t, &r, to));
    issue(t, &r, &(command){address_of(&s), address_of(&d), s.place.name, d.place.name, 0, mask});
    count_write_sent(t, &r, flits(address_of(&d), bytes));
    count_write_received(t, &r, d.place.at, flits(address_of(&d), bytes));
    for (unsigned i = 0; i < 64; i++) {
        if (mask >> i & 1) {
            memory_of(t, to)[d.offset + i] = memory_of(t, from)[s.offset + i];
        }
    }
    return true;
}

/* A word to a register of a Tensix or Ethernet tile: from L1, or inline. */
static bool do_write_register(traffic *t, unsigned agent, bool is_inline)
{
    unsigned from = t->agent[agent].memory, to = random_memory(t, false), n = below(t, 2), i = below(t, 4);
    traffic_place there = traffic_place_of(to, 0), here = traffic_place_of(from, 0);
    uint32_t address = (uint32_t)NIU + n * NIU_STEP + register_offset[i], value = (uint32_t)test_random64(&t->random);
    spot s = random_spot(t, from, 4, 16, address % 16);
    uint32_t space = register_space(node_of(there.at), n);
    if (!is_free(t, agent, space, i, 1, USE_WRITE) || (!is_inline && !is_free(t, agent, from, s.offset, 4, USE_READ))) {
        return false;
    }
    request r = random_request(t, agent, WR | (is_inline ? INLINE : 0) | (below(t, 2) ? MARKED : 0));
    use_it(t, agent, space, i, 1, USE_WRITE, unnoticed(t, &r, to));
    if (is_inline) {
        issue(t, &r, &(command){address, 0, there.name, here.name, value, 0xFu << address % 16});
    } else {
        use_it(t, agent, from, s.offset, 4, USE_READ, false);
        issue(t, &r, &(command){address_of(&s), address, here.name, there.name, 0, 4});
        value = get_word(memory_of(t, from) + s.offset);
    }
    count_write_sent(t, &r, is_inline ? 0 : 1);
    count_write_received(t, &r, there.at, 1);
    t->reg[node_of(there.at)][n][i] = value;
    return true;
}

static bool do_write_from_register(traffic *t, unsigned agent)
{
    unsigned from = t->agent[agent].memory, to = random_memory(t, true), n = below(t, 2), i = below(t, 4);
    traffic_place here = traffic_place_of(from, 0);
    uint32_t space = register_space(node_of(here.at), n);
    spot d = random_spot(t, to, 4, 4, 0);
    if (!is_free(t, agent, space, i, 1, USE_READ) || !is_free(t, agent, to, d.offset, 4, USE_WRITE)) {
        return false;
    }
    request r = random_request(t, agent, WR | (below(t, 2) ? MARKED : 0));
    use_it(t, agent, space, i, 1, USE_READ, false);
    use_it(t, agent, to, d.offset, 4, USE_WRITE, unnoticed(t, &r, to));
    issue(t, &r,
          &(command){(uint32_t)NIU + n * NIU_STEP + register_offset[i], address_of(&d), here.name, d.place.name, 0, 4});
    count_write_sent(t, &r, 1);
    count_write_received(t, &r, d.place.at, 1);
    put_word(memory_of(t, to) + d.offset, t->reg[node_of(here.at)][n][i]);
    return true;
}

/* Corners in NoC 0 coordinates; only Tensix tiles take broadcasts.  The fields are start and end in the NoC's own
 * direction, so that NoC 1 has them the other way round. */
typedef struct rectangle {
    uint32_t field;
    unsigned receivers;
    uint8_t memory[TRAFFIC_TENSIX];
} rectangle;

static bool in_span(unsigned first, unsigned last, unsigned at)
{
    return first <= last ? first <= at && at <= last : at >= first || at <= last;
}

static rectangle random_rectangle(traffic *t, const request *r)
{
    rectangle q = {.receivers = 0};
    kerr_xy a = kerr_tensix_xy(below(t, TRAFFIC_TENSIX)), b = kerr_tensix_xy(below(t, TRAFFIC_TENSIX));
    if (below(t, 3)) { /* small */
        b.x = (uint8_t)(a.x + below(t, 3));
        b.y = (uint8_t)(a.y + below(t, 3));
        b.x = b.x > 16 ? 16 : b.x;
        b.y = b.y > 11 ? 11 : b.y;
    }
    if (t->options.reference) { /* no wrapping, nothing but Tensix tiles in it */
        b.x = a.x <= 7 && b.x > 7 ? 7 : a.x >= 10 && b.x < 10 ? 10 : b.x;
        if (a.x > b.x) {
            uint8_t x = a.x;
            a.x = b.x, b.x = x;
        }
        if (a.y > b.y) {
            uint8_t y = a.y;
            a.y = b.y, b.y = y;
        }
    }
    uint32_t low = a.x | (uint32_t)a.y << 6, high = b.x | (uint32_t)b.y << 6;
    q.field = r->noc ? low | high << 12 : high | low << 12;
    for (unsigned i = 0; i < TRAFFIC_TENSIX; i++) {
        kerr_xy at = kerr_tensix_xy(i);
        if (in_span(a.x, b.x, at.x) && in_span(a.y, b.y, at.y) &&
            (i != t->agent[r->agent].memory || r->ctrl & WITH_SOURCE)) {
            q.memory[q.receivers++] = (uint8_t)i;
        }
    }
    return q;
}

typedef enum multicast { CAST_MEMORY, CAST_REGISTER, CAST_INLINE, CAST_ADD } multicast;

static bool do_multicast(traffic *t, unsigned agent, multicast how)
{
    traffic_agent *g = &t->agent[agent];
    uint32_t bytes = how == CAST_MEMORY ? random_length(t, 4096) : how == CAST_ADD ? LINE : 4;
    uint32_t ctrl = (how == CAST_ADD ? AT : WR) | BROADCAST | (how == CAST_INLINE ? INLINE : 0) |
                    (below(t, 2) ? MARKED : 0) | (below(t, 2) ? WITH_SOURCE : 0);
    if (t->options.reference || below(t, 4)) {
        ctrl |= RESERVE;
    }
    if (!t->options.reference && below(t, 3) == 0) {
        ctrl |= Y_MAJOR;
    }
    request r = random_request(t, agent, ctrl);
    rectangle q = random_rectangle(t, &r);
    unsigned n = below(t, 2), i = below(t, 4);
    uint32_t to = below(t, RECTANGLE_BYTES - bytes - 16), value = (uint32_t)test_random64(&t->random);
    to -= how == CAST_ADD ? to % LINE : 0;
    uint64_t address =
        how == CAST_MEMORY || how == CAST_ADD ? TRAFFIC_DATA + to : (uint32_t)NIU + n * NIU_STEP + register_offset[i];
    spot s = random_spot(t, g->memory, bytes, 16, address % 16);
    bool from_memory = how == CAST_MEMORY || how == CAST_REGISTER;
    bool good = q.receivers != 0 && (!from_memory || is_free(t, agent, g->memory, s.offset, bytes, USE_READ));
    for (unsigned k = 0; good && k < q.receivers; k++) {
        unsigned node = node_of(kerr_tensix_xy(q.memory[k]));
        bool to_memory = how == CAST_MEMORY || how == CAST_ADD;
        good = is_free(t, agent, to_memory ? q.memory[k] : register_space(node, n), to_memory ? to : i,
                       to_memory ? bytes : 1, how == CAST_ADD ? USE_ADD : USE_WRITE);
        if (how == CAST_MEMORY && q.memory[k] == g->memory && s.offset < to + bytes && to < s.offset + bytes) {
            good = good && t->options.racy;
        }
    }
    if (!good) {
        return false;
    }
    if (from_memory) {
        use_it(t, agent, g->memory, s.offset, bytes, USE_READ, false);
    }
    uint32_t home_name = s.place.name;
    /* Inline writes and atomics go to NOC_TARG_ADDR. */
    command c = {address_of(&s), address, home_name, q.field, value, bytes};
    if (how == CAST_INLINE) {
        c = (command){address, 0, q.field, home_name, value, 0xFu << address % 16};
    } else if (how == CAST_ADD) {
        c = (command){address, DUMP + (is_second(g) ? 16 : 0), q.field, home_name, value, 0x107C};
    }
    issue(t, &r, &c);
    uint8_t copy[4096];
    memcpy(copy, memory_of(t, g->memory) + s.offset, from_memory ? bytes : 4);
    uint32_t sent_flits = how == CAST_MEMORY ? flits(address, bytes) : how == CAST_REGISTER ? 1 : 0;
    if (how == CAST_ADD) {
        count_atomic_sent(t, &r);
    } else {
        count_write_sent(t, &r, sent_flits);
    }
    for (unsigned k = 0; k < q.receivers; k++) {
        kerr_xy at = kerr_tensix_xy(q.memory[k]);
        unsigned node = node_of(at);
        switch (how) {
        case CAST_MEMORY:
            use_it(t, agent, q.memory[k], to, bytes, USE_WRITE, unnoticed(t, &r, q.memory[k]));
            memcpy(memory_of(t, q.memory[k]) + to, copy, bytes);
            count_write_received(t, &r, at, sent_flits);
            break;
        case CAST_REGISTER:
        case CAST_INLINE:
            use_it(t, agent, register_space(node, n), i, 1, USE_WRITE, unnoticed(t, &r, q.memory[k]));
            t->reg[node][n][i] = how == CAST_INLINE ? value : get_word(copy);
            count_write_received(t, &r, at, 1);
            break;
        case CAST_ADD:
            use_it(t, agent, q.memory[k], to, bytes, USE_ADD, unnoticed(t, &r, q.memory[k]));
            act(memory_of(t, q.memory[k]) + to, 0, 0x107C, value);
            count_atomic_received(t, &r, at);
            break;
        }
    }
    return true;
}

static bool do_long(traffic *t, unsigned agent, bool is_write)
{
    if (!t->agent[agent].alone) {
        return false; /* the other core must not start anything meanwhile */
    }
    uint32_t bytes = PACKET + 1 + below(t, 2 * PACKET);
    unsigned here = t->agent[agent].memory, there = random_memory(t, true);
    unsigned from = is_write ? here : there, to = is_write ? there : here;
    spot s = random_spot(t, from, bytes, 64, 0), d = random_spot(t, to, bytes, 64, 0);
    if (!is_free(t, agent, from, s.offset, bytes, USE_READ) || !is_free(t, agent, to, d.offset, bytes, USE_WRITE) ||
        (from == to && s.offset < d.offset + bytes && d.offset < s.offset + bytes)) {
        return false;
    }
    request r = random_request(t, agent, is_write ? WR | (below(t, 2) ? MARKED : 0) : RD | MARKED);
    wait_split(t, &r);
    use_it(t, agent, from, s.offset, bytes, USE_READ, false);
    use_it(t, agent, to, d.offset, bytes, USE_WRITE, is_write && unnoticed(t, &r, to));
    issue(t, &r, &(command){address_of(&s), address_of(&d), s.place.name, d.place.name, 0, bytes});
    wait_split(t, &r);
    for (uint32_t at = 0; at < bytes; at += PACKET) {
        uint32_t f = flits(0, bytes - at < PACKET ? bytes - at : PACKET);
        if (is_write) {
            count_write_sent(t, &r, f);
            count_write_received(t, &r, d.place.at, f);
        } else {
            count_read(t, &r, s.place.at, d.place.at, f);
        }
    }
    memmove(memory_of(t, to) + d.offset, memory_of(t, from) + s.offset, bytes);
    return true;
}

/* One of every kind that the manual describes, but for sums of floating point numbers. */
static uint32_t random_operation(traffic *t, unsigned word, bool *defined)
{
    static const uint8_t formats[5] = {4, 12, 13, 7, 15};
    unsigned offset = below(t, 4) ? word : below(t, 4);
    *defined = true;
    switch (below(t, 8)) {
    case 0: return 0x1000 | below(t, 32) << 2 | offset;
    case 1: return 0x3000 | below(t, 256) << 2;
    case 2: return 0x4000 | below(t, 256) << 2 | offset;
    case 3: return 0x6000 | 4 | offset;
    case 4: return 0x7000 | offset << 2;
    case 5: return 0xA300 | offset;
    case 6: *defined = false; return 0x9000 | formats[below(t, 5)];
    default: return 0xA800 | below(t, 8) << 8 | offset;
    }
}

static bool do_atomic(traffic *t, unsigned agent)
{
    unsigned here = t->agent[agent].memory, there = random_memory(t, false), word = below(t, 4);
    spot s = random_spot(t, there, LINE, LINE, 0), d = random_spot(t, here, 4, 4, 0);
    bool defined = true;
    uint32_t what = random_operation(t, word, &defined), data = (uint32_t)test_random64(&t->random);
    if (t->options.reference) {
        what = 0x107C;
        word = 0;
        defined = true;
    }
    request r = random_request(t, agent, AT | (below(t, 2) ? MARKED : 0));
    bool answered = defined && r.ctrl & MARKED;
    if (!is_free(t, agent, there, s.offset, LINE, USE_WRITE) ||
        (answered && !is_free(t, agent, here, d.offset, 4, USE_WRITE)) ||
        (here == there && d.offset / LINE == s.offset / LINE)) {
        return false;
    }
    use_it(t, agent, there, s.offset, LINE, USE_WRITE, unnoticed(t, &r, there));
    uint64_t back = address_of(&d);
    if (answered) {
        use_it(t, agent, here, d.offset, 4, USE_WRITE, false);
    } else {
        back = DUMP + (is_second(&t->agent[agent]) ? 16 : 0);
    }
    issue(t, &r, &(command){address_of(&s) + word * 4, back, s.place.name, d.place.name, data, what});
    count_atomic_sent(t, &r);
    count_atomic_received(t, &r, s.place.at);
    uint32_t result = act(memory_of(t, there) + s.offset, word, what, data);
    if (answered) {
        put_word(memory_of(t, here) + d.offset, result);
    }
    return true;
}

/* Additions to words that others add to as well. */
static bool do_add(traffic *t, unsigned agent)
{
    unsigned there = t->agent[below(t, t->agents < 3 ? t->agents : 3)].memory;
    spot s = {.memory = there, .place = traffic_place_of(there, 0), .offset = 0x8000 + below(t, 4) * LINE};
    unsigned word = t->options.reference ? 0 : below(t, 4);
    uint32_t data = (uint32_t)test_random64(&t->random);
    if (!is_free(t, agent, there, s.offset, LINE, USE_ADD)) {
        return false;
    }
    request r = random_request(t, agent, AT | (below(t, 2) ? MARKED : 0));
    uint32_t what = below(t, 2) || t->options.reference ? 0x107C | word : 0xA800 | word;
    use_it(t, agent, there, s.offset, LINE, USE_ADD, unnoticed(t, &r, there));
    issue(t, &r,
          &(command){address_of(&s) + word * 4, DUMP + (is_second(&t->agent[agent]) ? 16 : 0), s.place.name,
                     traffic_place_of(t->agent[agent].memory, 0).name, data, what});
    count_atomic_sent(t, &r);
    count_atomic_received(t, &r, s.place.at);
    act(memory_of(t, there) + s.offset, word, what, data);
    return true;
}

/* The core itself: a word of L1 plus something goes elsewhere in L1. */
static bool do_core(traffic *t, unsigned agent)
{
    unsigned here = t->agent[agent].memory;
    rvasm *a = t->agent[agent].code;
    spot s = random_spot(t, here, 4, 4, 0), d = random_spot(t, here, 4, 4, 0);
    if (!is_free(t, agent, here, s.offset, 4, USE_READ) || !is_free(t, agent, here, d.offset, 4, USE_WRITE) ||
        s.offset == d.offset) {
        return false;
    }
    uint32_t data = (uint32_t)test_random64(&t->random);
    use_it(t, agent, here, s.offset, 4, USE_READ, false);
    use_it(t, agent, here, d.offset, 4, USE_WRITE, false);
    rva_li(a, T1, (uint32_t)address_of(&s));
    rva_li(a, T2, (uint32_t)address_of(&d));
    rva_li(a, T3, data);
    rva(a, rv_fence());
    rva(a, rv_lw(T0, 0, T1));
    rva(a, rv_add(T0, T0, T3));
    rva(a, rv_sw(T0, 0, T2));
    rva(a, rv_fence());
    for (unsigned i = t->claim_count - 2; !t->options.racy && i < t->claim_count; i++) {
        t->claims[i].done = true;
    }
    put_word(memory_of(t, here) + d.offset, get_word(memory_of(t, here) + s.offset) + data);
    return true;
}

static bool do_wait(traffic *t, unsigned agent)
{
    wait_own(t, agent);
    for (unsigned i = 0; i < t->claim_count; i++) {
        claim *c = &t->claims[i];
        c->done = c->done || (c->agent == agent && c->answered);
    }
    for (unsigned noc = 0; noc < 2; noc++) {
        t->pending_ids[agent][noc] &= 1u << ID_ELSEWHERE | 1u << (ID_ELSEWHERE + 8);
    }
    return true;
}

static bool do_delay(traffic *t, unsigned agent)
{
    rvasm *a = t->agent[agent].code;
    rva_li(a, T0, 1 + below(t, below(t, 4) ? 30 : 400));
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(T0, T0, -1));
    rva(a, rv_mul(R_SUM, R_SUM, T0));
    rva(a, rv_bne(T0, X0, rva_to(a, loop)));
    return true;
}

/* ---- Racy plans only: no model ---------------------------------------------------------------------------- */

static unsigned random_tensix_agent(traffic *t)
{
    unsigned i;
    do {
        i = below(t, t->agents);
    } while (t->agent[i].memory >= TRAFFIC_TENSIX);
    return i;
}

/* An inline write to a register of an agent's tile. */
static bool poke_register(traffic *t, unsigned agent, unsigned memory, uint32_t address, uint32_t value)
{
    traffic_place there = traffic_place_of(memory, 0), here = traffic_place_of(t->agent[agent].memory, 0);
    request r = random_request(t, agent, WR | INLINE | (below(t, 2) ? MARKED : 0));
    issue(t, &r, &(command){address, 0, there.name, here.name, value, 0xFu << address % 16});
    count_write_sent(t, &r, 0);
    count_write_received(t, &r, there.at, 1);
    return true;
}

static uint32_t stream_register(unsigned stream, unsigned i)
{
    return 0xFFB40000 + stream * 0x1000 + i * 4;
}

/* As kernels use streams: a counter that others add to. */
static bool do_stream(traffic *t, unsigned agent)
{
    return poke_register(t, agent, t->agent[below(t, t->agents)].memory, stream_register(below(t, 4), 270),
                         (1 + below(t, 9)) << 6);
}

/* A local RAM, a pc snapshot or a software interrupt that nobody has enabled. */
static bool do_insides(traffic *t, unsigned agent)
{
    unsigned memory = t->agent[random_tensix_agent(t)].memory;
    uint32_t address = below(t, 2) ? 0xFFB14000 + below(t, 5) * 0x2000 + 0x700 + below(t, 8) * 4 : 0xFFB13138;
    if (address != 0xFFB13138 && below(t, 2)) {
        return poke_register(t, agent, memory, address, (uint32_t)test_random64(&t->random));
    }
    traffic_place there = traffic_place_of(memory, 0);
    spot d = random_spot(t, t->agent[agent].memory, 4, 4, 0);
    request r = random_request(t, agent, RD | MARKED);
    issue(t, &r, &(command){address, address_of(&d), there.name, d.place.name, 0, 4});
    count_read(t, &r, there.at, d.place.at, 1);
    return true;
}

/* T1 goes into reset or leaves it. */
static bool do_reset(traffic *t, unsigned agent)
{
    unsigned i = random_tensix_agent(t);
    uint32_t held = t->agent[i].alone ? 0x40000 : 0; /* NC has no program */
    return poke_register(t, agent, t->agent[i].memory, 0xFFB121B0, held | (below(t, 2) ? 0x2000 : 0));
}

/* Each is found out somewhere else: at the sender, the receiver, a bank, a router without a tile. */
static bool do_fault(traffic *t, unsigned agent)
{
    enum { ROUTER_NAME = 8 | 4 << 6, L1_END = 0x180000 };
    traffic_place here = traffic_place_of(t->agent[agent].memory, 0);
    traffic_place there = traffic_place_of(t->agent[random_tensix_agent(t)].memory, 0);
    traffic_place bank = traffic_place_of(TRAFFIC_TENSIX + TRAFFIC_ETH + below(t, TRAFFIC_BANKS), below(t, PORTS));
    const kerr_xy router = {8, 4};
    uint64_t own = TRAFFIC_DATA + below(t, 64) * 64;
    request r = {.agent = agent, .noc = below(t, 2), .id = below(t, IDS) + first_id(&t->agent[agent])};
    switch (below(t, 7)) {
    case 0:
        r.ctrl = WR | MARKED;
        issue(t, &r, &(command){own, L1_END - 16, here.name, there.name, 0, 64});
        count_write_sent(t, &r, 1);
        count_write_received(t, &r, there.at, 1);
        return true;
    case 1:
        r.ctrl = RD | MARKED;
        issue(t, &r, &(command){L1_END - 64, own, there.name, here.name, 0, 128});
        count_read(t, &r, there.at, here.at, 2);
        return true;
    case 2:
        r.ctrl = RD | MARKED;
        issue(t, &r, &(command){0x1000, own, ROUTER_NAME, here.name, 0, 64});
        count_read(t, &r, router, here.at, 1);
        return true;
    case 3:
        r.ctrl = WR;
        issue(t, &r, &(command){own, 0x1000, here.name, ROUTER_NAME, 0, 64});
        count_write_sent(t, &r, 1);
        return true;
    case 4:
        r.ctrl = AT | MARKED;
        issue(t, &r, &(command){0x1000, own, bank.name, here.name, 1, 0x107C});
        count_atomic_sent(t, &r);
        count_atomic_received(t, &r, bank.at);
        return true;
    case 5: /* not sent at all */
        r.ctrl = WR | MARKED;
        issue(t, &r, &(command){L1_END - 16, own, here.name, there.name, 0, 64});
        return true;
    default:
        r.ctrl = WR | INLINE | MARKED;
        issue(t, &r, &(command){own, 0, there.name, here.name, 5, 0xF});
        count_write_sent(t, &r, 0);
        count_write_received(t, &r, there.at, 1);
        return true;
    }
}

static bool do_one(traffic *t, unsigned agent, kind k)
{
    bool most = !t->options.reference;
    switch (k) {
    case KIND_READ: return do_read(t, agent, false);
    case KIND_READ_ELSEWHERE: return most && do_read(t, agent, true);
    case KIND_READ_REGISTER: return do_read_register(t, agent);
    case KIND_WRITE: return do_write(t, agent, false);
    case KIND_WRITE_ELSEWHERE: return most && do_write(t, agent, true);
    case KIND_WRITE_BYTES: return most && do_write_bytes(t, agent);
    case KIND_WRITE_REGISTER: return do_write_register(t, agent, false);
    case KIND_WRITE_FROM_REGISTER: return most && do_write_from_register(t, agent);
    case KIND_INLINE: return do_write_register(t, agent, true);
    case KIND_MULTICAST: return do_multicast(t, agent, CAST_MEMORY);
    case KIND_MULTICAST_REGISTER: return do_multicast(t, agent, CAST_REGISTER);
    case KIND_MULTICAST_INLINE: return most && do_multicast(t, agent, CAST_INLINE);
    case KIND_LONG_READ: return most && do_long(t, agent, false);
    case KIND_LONG_WRITE: return most && do_long(t, agent, true);
    case KIND_ATOMIC: return do_atomic(t, agent);
    case KIND_ADD: return do_add(t, agent);
    case KIND_MULTICAST_ADD: return most && do_multicast(t, agent, CAST_ADD);
    case KIND_CORE: return do_core(t, agent);
    case KIND_WAIT: return do_wait(t, agent);
    case KIND_DELAY: return do_delay(t, agent);
    case KIND_STREAM: return do_stream(t, agent);
    case KIND_INSIDES: return do_insides(t, agent);
    case KIND_RESET: return do_reset(t, agent);
    case KIND_FAULT: return do_fault(t, agent);
    case KINDS: break;
    }
    return false;
}

static void random_requests(traffic *t, unsigned agent)
{
    static const uint8_t weight[KINDS] = {12, 2, 2, 12, 2, 5, 2, 2, 4, 4, 1, 1, 1, 1, 8, 5, 1, 6, 4, 5, 8, 4, 2, 3};
    unsigned all = 0, kinds = t->options.faulty ? KINDS : t->options.racy ? KIND_FAULT : KIND_STREAM;
    for (unsigned k = 0; k < kinds; k++) {
        all += weight[k];
    }
    for (unsigned n = 0; n < t->options.requests; n++) {
        unsigned pick = below(t, all), k = 0;
        while (pick >= weight[k]) {
            pick -= weight[k++];
        }
        unsigned claims = t->claim_count;
        for (unsigned tries = 0; tries < 4; tries++) {
            if (do_one(t, agent, (kind)k)) {
                t->kinds[k]++;
                break;
            }
        }
        for (; claims < t->claim_count && k != KIND_CORE; claims++) {
            claim *c = &t->claims[claims];
            c->answered = t->answered || (t->outgoing && c->use == USE_READ);
        }
    }
}

/* ---- Phases ----------------------------------------------------------------------------------------------- */

/* What others have sent here; only counters that the barrier does not move. */
static void wait_for_others(traffic *t, unsigned agent)
{
    static const uint8_t counters[] = {MST_RD_RESP_RECEIVED, SLV_POSTED_WR_REQ_RECEIVED, SLV_POSTED_ATOMIC_RECEIVED};
    for (unsigned noc = 0; noc < 2 && !t->options.reference; noc++) {
        for (unsigned i = 0; i < sizeof counters; i++) {
            wait_counter(t, agent, noc, counters[i], true);
        }
    }
    record(t, &t->agent[agent]);
}

static void arrive(traffic *t, unsigned agent)
{
    traffic_agent *g = &t->agent[agent];
    request r = {.agent = agent, .noc = below(t, 2), .id = ID_BARRIER + first_id(g), .ctrl = AT | MARKED};
    traffic_place first = traffic_place_of(t->agent[0].memory, 0), here = traffic_place_of(g->memory, 0);
    issue(t, &r, &(command){BARRIER_COUNT, DUMP + (is_second(g) ? 16 : 0), first.name, here.name, 1, 0x107C});
    count_atomic_sent(t, &r);
    count_atomic_received(t, &r, first.at);
    do_wait(t, agent);
}

/* The first agent waits for all, then tells them. */
static void release(traffic *t, unsigned phase)
{
    rvasm *a = t->agent[0].code;
    rva_li(a, T1, t->agents * (phase + 1));
    poll(a, BARRIER_COUNT - TRAFFIC_CONTROL, R_CONTROL, 2 + below(t, 3));
    store(a, phase + 1, RELEASE_SOURCE - TRAFFIC_CONTROL, R_CONTROL);
    rva(a, rv_fence());
    uint64_t told[4] = {0};
    for (unsigned i = 0; i < t->agents; i++) {
        unsigned memory = t->agent[i].memory;
        if (told[memory / 64] >> memory % 64 & 1) {
            continue;
        }
        told[memory / 64] |= UINT64_C(1) << memory % 64;
        traffic_place here = traffic_place_of(t->agent[0].memory, 0), there = traffic_place_of(memory, 0);
        request r = {.agent = 0, .noc = below(t, 2), .id = ID_BARRIER, .ctrl = WR | MARKED};
        issue(t, &r, &(command){RELEASE_SOURCE, RELEASE, here.name, there.name, 0, 4});
        count_write_sent(t, &r, 1);
        count_write_received(t, &r, there.at, 1);
    }
    do_wait(t, 0);
}

/* RISCV B gets interrupts of both NIUs when a transaction id has nothing outstanding any more; the handler takes and
 * notes them (manual NoC/Interrupts, PIC). */
static void take_interrupts(rvasm *a)
{
    enum { RTZ_CFG = 0x178, RTZ_NUM = 0x378, HW_INT_EN = (int)0xFFB13004, HW_INT_PC = (int)0xFFB13128, NOTES = 0xC0 };
    size_t over = rva_later(a, rv_j(0));
    uint32_t handler = rva_here(a);
    for (unsigned noc = 0; noc < 2; noc++) {
        rva_li(a, S8, (uint32_t)NIU + noc * NIU_STEP + RTZ_NUM);
        rva(a, rv_lw(S9 + noc, 0, S8));
    }
    rva(a, rv_csrr(S8, CSR_mcycle));
    rva(a, rv_add(S11, S11, S8));
    rva(a, rv_sh3add(S9, S9, S10));
    rva(a, rv_xor(S11, S11, S9));
    rva(a, rv_sw(S11, RECORD - TRAFFIC_CONTROL + NOTES, R_CONTROL));
    rva(a, rv_mret());
    rva_land(a, over);
    for (unsigned noc = 0; noc < 2; noc++) {
        rva_li(a, T1, (uint32_t)HW_INT_PC + 4 + 4 * noc);
        store(a, handler, 0, T1);
        rva_li(a, T1, (uint32_t)NIU + noc * NIU_STEP + RTZ_CFG);
        store(a, 0x3F, 0, T1);
    }
    rva_li(a, T1, (uint32_t)HW_INT_EN);
    store(a, 6, 0, T1);
}

static void begin_agent(traffic *t, traffic_agent *g)
{
    g->code = rva_new(is_second(g) ? CODE_STEP : 0);
    rva_li(g->code, T0, CFG0_DisLowCash | CFG0_DisTriscCache); /* as start-up code does */
    rva(g->code, rv_csrrs(X0, CSR_cfg0, T0));
    rva_li(g->code, R_CONTROL, TRAFFIC_CONTROL);
    rva_li(g->code, R_ONE, 1);
    rva_li(g->code, R_SUM, 0);
    if (t->options.racy && g->memory < TRAFFIC_TENSIX && g->core == KERR_CORE_B && below(t, 3) == 0) {
        take_interrupts(g->code);
    }
}

static void end_agent(traffic_agent *g)
{
    store(g->code, TRAFFIC_DONE, (int32_t)(traffic_done_address(g->core) - TRAFFIC_CONTROL), R_CONTROL);
    rva_end(g->code);
    if (g->code->count * 4 > CODE_STEP) {
        fprintf(stderr, "traffic: a program of %zu words is too long\n", g->code->count);
        abort();
    }
}

/* T0, T1, T2 of a tile: poll something, note what and when, disturb, again. */
static void look_on(traffic *t, unsigned memory, kerr_core core)
{
    enum { LOOKER_CODE = 0x40000, LOOKER_NOTES = 0x48000 };
    traffic_agent *g = &t->looker[t->lookers++];
    *g = (traffic_agent){.memory = memory, .core = core};
    g->code = rva_new(LOOKER_CODE + (uint32_t)core * 0x1000);
    rvasm *a = g->code;
    bool cached = below(t, 3) == 0;
    if (!cached) {
        rva_li(a, T0, CFG0_DisLowCash | CFG0_DisTriscCache);
        rva(a, rv_csrrs(X0, CSR_cfg0, T0));
    }
    rva_li(a, S0, LOOKER_NOTES + (uint32_t)core * 0x100);
    rva_li(a, S1, TRAFFIC_DATA + below(t, 0x1000) * 4);
    rva_li(a, S3, 0);
    uint32_t again = rva_here(a);
    unsigned waits = 1 + below(t, 4);
    for (unsigned i = 0; i < waits; i++) {
        uint32_t niu = (uint32_t)NIU + below(t, 2) * NIU_STEP;
        switch (below(t, 5)) {
        case 0: rva_li(a, S2, niu + below(t, 3) * INITIATOR + CMD_CTRL); break;
        case 1: rva_li(a, S2, niu + COUNTERS + below(t, TRAFFIC_COUNTERS) * 4); break;
        case 2: rva_li(a, S2, stream_register(below(t, 4), 297)); break;
        case 3: rva_li(a, S2, niu + register_offset[below(t, 4)]); break;
        default: rva_li(a, S2, TRAFFIC_DATA + below(t, 0x1400) * 4); break;
        }
        rva_li(a, T4, 200 + below(t, 1000)); /* gives up, so that all of them go round */
        rva(a, rv_lw(T2, 0, S2));
        bool endless = below(t, 4) == 0, fenced = below(t, 3) == 0;
        uint32_t loop = rva_here(a);
        if (fenced) {
            rva(a, rv_fence());
        }
        rva(a, rv_lw(T1, 0, S2));
        size_t out = rva_later(a, rv_bne(T1, T2, 0));
        if (!endless) {
            rva(a, rv_addi(T4, T4, -1));
            rva(a, rv_bne(T4, X0, rva_to(a, loop)));
        } else {
            rva(a, rv_j(rva_to(a, loop)));
        }
        rva_land(a, out);
        rva(a, rv_csrr(T3, CSR_mcycle));
        rva(a, rv_add(S3, S3, T3));
        rva(a, rv_xor(S3, S3, T1));
        rva(a, rv_sw(S3, (int32_t)i * 8, S0));
        rva(a, rv_sw(T1, (int32_t)i * 8 + 4, S0));
        switch (below(t, 4)) {
        case 0: rva(a, rv_amoadd_w(T1, S3, S1)); break;
        case 1: rva(a, rv_sw(S3, 0, S1)); break;
        case 2: rva(a, rv_sb(S3, (int32_t)below(t, 64), S1)); break;
        default: break;
        }
    }
    rva(a, rv_j(rva_to(a, again)));
}

static void choose_agents(traffic *t)
{
    while (t->agents == 0 || (t->agents < TRAFFIC_AGENTS - 2 && t->options.tiles > 0)) {
        unsigned memory = below(t, TRAFFIC_TENSIX);
        if (t->agents != 0 && !t->options.reference && below(t, 8) == 0) {
            memory = TRAFFIC_TENSIX + below(t, TRAFFIC_ETH);
        }
        bool is_eth = memory >= TRAFFIC_TENSIX, two = below(t, 3) == 0;
        t->options.tiles -= t->options.tiles != 0;
        if (has_agent(t, memory)) {
            continue;
        }
        t->agent[t->agents++] = (traffic_agent){memory, is_eth ? KERR_CORE_E0 : KERR_CORE_B, !two, NULL};
        if (two) {
            t->agent[t->agents++] = (traffic_agent){memory, is_eth ? KERR_CORE_E1 : KERR_CORE_NC, false, NULL};
        }
        uint8_t *bytes = memory_of(t, memory);
        for (unsigned i = 0; i < TRAFFIC_BYTES; i += 8) {
            uint64_t value = test_random64(&t->random);
            value = below(t, 4) ? value : value & UINT64_C(0xF0000000F); /* what a compare and swap may find */
            memcpy(bytes + i, &value, 8);
        }
        memcpy(t->before[memory], bytes, TRAFFIC_BYTES);
    }
}

traffic *traffic_new(const traffic_options *options)
{
    traffic *t = calloc(1, sizeof *t);
    if (!t) {
        abort();
    }
    t->options = *options;
    t->random.state = options->seed * 0x9E3779B97F4A7C15u + options->racy + 2 * options->reference;
    choose_agents(t);
    for (unsigned i = 0; i < t->agents; i++) {
        begin_agent(t, &t->agent[i]);
    }
    for (unsigned phase = 0; phase < options->phases; phase++) {
        for (unsigned i = 0; i < t->agents; i++) {
            random_requests(t, i);
        }
        for (unsigned i = 0; i < t->agents; i++) {
            do_wait(t, i);
            wait_for_others(t, i);
        }
        for (unsigned i = 0; i < t->agents; i++) {
            arrive(t, i);
        }
        release(t, phase);
        for (unsigned i = 0; i < t->agents; i++) {
            rva_li(t->agent[i].code, T1, phase + 1);
            poll(t->agent[i].code, RELEASE - TRAFFIC_CONTROL, R_CONTROL, 1 + below(t, 4));
            record(t, &t->agent[i]);
        }
        end_of_phase(t);
    }
    for (unsigned i = 0; i < t->agents; i++) {
        end_agent(&t->agent[i]);
        bool first = t->agent[i].memory < TRAFFIC_TENSIX && t->agent[i].core == KERR_CORE_B;
        for (unsigned core = KERR_CORE_T0; options->racy && first && core <= KERR_CORE_T2; core++) {
            look_on(t, t->agent[i].memory, (kerr_core)core);
        }
    }
    return t;
}

void traffic_free(traffic *t)
{
    for (unsigned i = 0; i < t->agents; i++) {
        free(t->agent[i].code);
    }
    for (unsigned i = 0; i < t->lookers; i++) {
        free(t->looker[i].code);
    }
    for (unsigned i = 0; i < TRAFFIC_MEMORIES; i++) {
        free(t->before[i]);
        free(t->after[i]);
    }
    free(t);
}

unsigned traffic_agents(const traffic *t)
{
    return t->agents;
}
const traffic_agent *traffic_agent_at(const traffic *t, unsigned i)
{
    return &t->agent[i];
}
const uint8_t *traffic_before(const traffic *t, unsigned memory)
{
    return t->before[memory];
}
const uint8_t *traffic_after(const traffic *t, unsigned memory)
{
    return t->after[memory];
}
uint32_t traffic_counter(const traffic *t, kerr_xy at, unsigned noc, unsigned counter)
{
    return t->counter[node_of(at)][noc][counter];
}
uint32_t traffic_register(const traffic *t, kerr_xy at, unsigned noc, unsigned i, uint32_t *address)
{
    *address = (uint32_t)NIU + noc * NIU_STEP + register_offset[i];
    return t->reg[node_of(at)][noc][i];
}
const char *traffic_kind(const traffic *t, unsigned i, unsigned *number)
{
    const unsigned kinds = t->options.faulty ? KINDS : t->options.racy ? KIND_FAULT : KIND_STREAM;
    *number = i < kinds ? t->kinds[i] : 0;
    return i < kinds ? kind_names[i] : NULL;
}

const char *traffic_counter_name(unsigned counter)
{
    static const char *const names[TRAFFIC_COUNTERS] = {
        [MST_ATOMIC_RESP_RECEIVED] = "MST_ATOMIC_RESP_RECEIVED",
        [MST_WR_ACK_RECEIVED] = "MST_WR_ACK_RECEIVED",
        [MST_RD_RESP_RECEIVED] = "MST_RD_RESP_RECEIVED",
        [MST_RD_DATA_WORD_RECEIVED] = "MST_RD_DATA_WORD_RECEIVED",
        [MST_CMD_ACCEPTED] = "MST_CMD_ACCEPTED",
        [MST_RD_REQ_SENT] = "MST_RD_REQ_SENT",
        [MST_NONPOSTED_ATOMIC_SENT] = "MST_NONPOSTED_ATOMIC_SENT",
        [MST_POSTED_ATOMIC_SENT] = "MST_POSTED_ATOMIC_SENT",
        [MST_NONPOSTED_WR_DATA_WORD_SENT] = "MST_NONPOSTED_WR_DATA_WORD_SENT",
        [MST_POSTED_WR_DATA_WORD_SENT] = "MST_POSTED_WR_DATA_WORD_SENT",
        [MST_NONPOSTED_WR_REQ_SENT] = "MST_NONPOSTED_WR_REQ_SENT",
        [MST_POSTED_WR_REQ_SENT] = "MST_POSTED_WR_REQ_SENT",
        [MST_NONPOSTED_WR_REQ_STARTED] = "MST_NONPOSTED_WR_REQ_STARTED",
        [MST_POSTED_WR_REQ_STARTED] = "MST_POSTED_WR_REQ_STARTED",
        [MST_RD_REQ_STARTED] = "MST_RD_REQ_STARTED",
        [MST_NONPOSTED_ATOMIC_STARTED] = "MST_NONPOSTED_ATOMIC_STARTED",
        [SLV_ATOMIC_RESP_SENT] = "SLV_ATOMIC_RESP_SENT",
        [SLV_WR_ACK_SENT] = "SLV_WR_ACK_SENT",
        [SLV_RD_RESP_SENT] = "SLV_RD_RESP_SENT",
        [SLV_RD_DATA_WORD_SENT] = "SLV_RD_DATA_WORD_SENT",
        [SLV_REQ_ACCEPTED] = "SLV_REQ_ACCEPTED",
        [SLV_RD_REQ_RECEIVED] = "SLV_RD_REQ_RECEIVED",
        [SLV_NONPOSTED_ATOMIC_RECEIVED] = "SLV_NONPOSTED_ATOMIC_RECEIVED",
        [SLV_POSTED_ATOMIC_RECEIVED] = "SLV_POSTED_ATOMIC_RECEIVED",
        [SLV_NONPOSTED_WR_DATA_WORD_RECEIVED] = "SLV_NONPOSTED_WR_DATA_WORD_RECEIVED",
        [SLV_POSTED_WR_DATA_WORD_RECEIVED] = "SLV_POSTED_WR_DATA_WORD_RECEIVED",
        [SLV_NONPOSTED_WR_REQ_RECEIVED] = "SLV_NONPOSTED_WR_REQ_RECEIVED",
        [SLV_POSTED_WR_REQ_RECEIVED] = "SLV_POSTED_WR_REQ_RECEIVED",
        [SLV_NONPOSTED_WR_REQ_STARTED] = "SLV_NONPOSTED_WR_REQ_STARTED",
        [SLV_POSTED_WR_REQ_STARTED] = "SLV_POSTED_WR_REQ_STARTED",
    };
    if (names[counter]) {
        return names[counter];
    }
    return counter < MST_WRITE_REQS_OUTGOING_ID ? "MST_REQS_OUTSTANDING_ID" : "MST_WRITE_REQS_OUTGOING_ID";
}

/* ---- On a chip of ours ------------------------------------------------------------------------------------ */

void traffic_start(const traffic *t, kerr_chip *chip)
{
    for (unsigned m = 0; m < TRAFFIC_MEMORIES; m++) {
        if (t->before[m]) {
            traffic_place p = traffic_place_of(m, 0);
            MUST(chip, kerr_poke(chip, p.at, p.base, t->before[m], TRAFFIC_BYTES));
        }
    }
    for (unsigned i = 0; i < t->agents; i++) {
        chip_start(chip, home(t, i), t->agent[i].core, t->agent[i].code);
    }
    for (unsigned i = 0; i < t->lookers; i++) {
        chip_start(chip, traffic_place_of(t->looker[i].memory, 0).at, t->looker[i].core, t->looker[i].code);
    }
}

bool traffic_ended(const traffic *t, const kerr_chip *chip)
{
    for (unsigned i = 0; i < t->agents; i++) {
        if (chip_word(chip, home(t, i), traffic_done_address(t->agent[i].core)) != TRAFFIC_DONE) {
            return false;
        }
    }
    return true;
}

bool traffic_run(const traffic *t, kerr_chip *chip, uint64_t max_cycles)
{
    for (uint64_t now = 0; now < max_cycles; now += 10000) {
        if (kerr_run(chip, 10000) != KERR_OK) {
            chip_print_faults(chip);
            return false;
        }
        if (traffic_ended(t, chip)) {
            return kerr_run(chip, 20000) == KERR_OK; /* posted requests land */
        }
    }
    for (unsigned i = 0; i < t->agents; i++) {
        kerr_core_info info;
        kerr_xy at = home(t, i);
        MUST(chip, kerr_core_query(chip, at, t->agent[i].core, &info));
        printf("# %u-%u core %d: state %d pc %#x x5 %#x x6 %#x s0 %#x s4 %#x\n", at.x, at.y, (int)t->agent[i].core,
               (int)info.state, info.pc, chip_x(chip, at, t->agent[i].core, T0), chip_x(chip, at, t->agent[i].core, T1),
               chip_x(chip, at, t->agent[i].core, R_NIU), chip_x(chip, at, t->agent[i].core, R_COUNTERS));
    }
    return false;
}

unsigned traffic_compare(const traffic *t, const kerr_chip *chip)
{
    enum { SHOWN = 8 };
    unsigned wrong = 0;
    for (unsigned m = 0; m < TRAFFIC_MEMORIES; m++) {
        traffic_place p = traffic_place_of(m, 0);
        static uint8_t got[TRAFFIC_BYTES];
        static const uint8_t zero[TRAFFIC_BYTES];
        const uint8_t *want = t->after[m] ? t->after[m] : zero;
        MUST(chip, kerr_peek(chip, p.at, p.base, got, TRAFFIC_BYTES));
        if (memcmp(got, want, TRAFFIC_BYTES) == 0) {
            continue;
        }
        unsigned i = 0;
        while (got[i] == want[i]) {
            i++;
        }
        if (wrong++ < SHOWN) {
            printf("# %u-%u: byte %#llx is %#x, not %#x\n", p.at.x, p.at.y, (unsigned long long)p.base + i, got[i],
                   want[i]);
        }
    }
    for (unsigned node = 0; node < NODES; node++) {
        kerr_xy at = {(uint8_t)(node % KERR_GRID_X), (uint8_t)(node / KERR_GRID_X)};
        kerr_tile_kind tile = kerr_tile_kind_at(at);
        uint64_t high = tile == KERR_TILE_DRAM ? UINT64_C(0x10000000000) : 0;
        if (tile != KERR_TILE_TENSIX && tile != KERR_TILE_ETH && tile != KERR_TILE_DRAM) {
            continue;
        }
        for (unsigned noc = 0; noc < 2; noc++) {
            for (unsigned c = 0; c < TRAFFIC_COUNTERS; c++) {
                uint32_t got = 0, want = t->counter[node][noc][c];
                MUST(chip, kerr_peek(chip, at, high + (uint32_t)NIU + noc * NIU_STEP + COUNTERS + c * 4, &got, 4));
                if (got != want && wrong++ < SHOWN) {
                    printf("# %u-%u NoC %u: counter %u, %s, is %u, not %u\n", at.x, at.y, noc, c,
                           traffic_counter_name(c), got, want);
                }
            }
            for (unsigned i = 0; i < TRAFFIC_REGISTERS; i++) {
                uint32_t got = 0, address, want = traffic_register(t, at, noc, i, &address);
                MUST(chip, kerr_peek(chip, at, high + address, &got, 4));
                if (got != want && wrong++ < SHOWN) {
                    printf("# %u-%u: register %#x is %#x, not %#x\n", at.x, at.y, address, got, want);
                }
            }
        }
    }
    return wrong;
}

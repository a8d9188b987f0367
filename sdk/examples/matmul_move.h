/* SPDX-License-Identifier: Apache-2.0 */
/* matmul.c: what B and NC do with the NoC (manual NoC/MemoryMap, NoC/Counters).  B uses NoC 0 for A, NC NoC 1 for B and for
 * C, so that each has the counters of its NIU for itself. */
#ifndef MATMUL_MOVE_H
#define MATMUL_MOVE_H

#if KERR_CORE == KERR_CORE_B
enum { NIU = NOC0_REGS_START_ADDR, OPERAND = 0 };
#else
enum { NIU = NOC1_REGS_START_ADDR, OPERAND = 1 };
#endif
enum { WRITER = NIU, READER = NIU + 0x800, MULTICASTER = NIU + 0x1000 }; /* request initiators */
enum {                                                                   /* registers of an initiator */
       TARG_ADDR_LO = 0x00,
       TARG_ADDR_MID = 0x04,
       TARG_ADDR_HI = 0x08,
       RET_ADDR_LO = 0x0c,
       RET_ADDR_MID = 0x10,
       RET_ADDR_HI = 0x14,
       CTRL = 0x1c,
       AT_LEN_BE = 0x20,
       CMD_CTRL = 0x40
};
enum { WRITE_ACKS = NIU + 0x204, READ_RESPONSES = NIU + 0x208 };
/* NOC_CTRL: with response, static virtual channel 1; multicasts on 4, with path reservation. */
enum { CTRL_READ = 0x2090, CTRL_WRITE = 0x2092, CTRL_MULTICAST = 0x81b2 };

static uint32_t acks, responses; /* what the counters will be when all is done */

static inline uint32_t xy(uint32_t x, uint32_t y)
{
    return x | y << 6;
}

static inline void set(uint32_t initiator, uint32_t reg, uint32_t value)
{
    *KERR_WORD(initiator + reg) = value;
}

static void set_up_niu(void)
{
    const uint32_t here = xy(KERR_PARAMS->tile_x, KERR_PARAMS->tile_y);
    set(READER, CTRL, CTRL_READ);
    set(READER, RET_ADDR_MID, 0);
    set(READER, RET_ADDR_HI, here);
    set(WRITER, CTRL, CTRL_WRITE);
    set(MULTICASTER, CTRL, CTRL_MULTICAST);
    for (uint32_t initiator = WRITER; initiator <= MULTICASTER; initiator += MULTICASTER - WRITER) {
        set(initiator, TARG_ADDR_MID, 0);
        set(initiator, TARG_ADDR_HI, here);
    }
    acks = kerr_settle(*KERR_WORD(WRITE_ACKS));
    responses = kerr_settle(*KERR_WORD(READ_RESPONSES));
}

static inline void start(uint32_t initiator, uint32_t from, uint32_t to, uint32_t bytes)
{
    set(initiator, TARG_ADDR_LO, from);
    set(initiator, RET_ADDR_LO, to);
    set(initiator, AT_LEN_BE, bytes);
    set(initiator, CMD_CTRL, 1);
}

static inline void wait_free(uint32_t initiator)
{
    while (kerr_settle(*KERR_WORD(initiator + CMD_CTRL)) != 0)
        ;
}

static void read_far(uint32_t there, uint32_t from, uint32_t to, uint32_t bytes)
{
    wait_free(READER);
    set(READER, TARG_ADDR_MID, 0);
    set(READER, TARG_ADDR_HI, there);
    start(READER, from, to, bytes);
    responses++;
}

/* To one tile, or with the MULTICASTER to those in a rectangle. */
static void write_far(uint32_t initiator, uint32_t there, uint32_t from, uint32_t to, uint32_t bytes,
                      uint32_t receivers)
{
    enum { PACKET = 16384 };
    for (uint32_t at = 0; at < bytes; at += PACKET) {
        wait_free(initiator);
        set(initiator, RET_ADDR_MID, 0);
        set(initiator, RET_ADDR_HI, there);
        start(initiator, from + at, to + at, bytes - at < PACKET ? bytes - at : PACKET);
        acks += receivers;
    }
}

static void wait_read(void)
{
    while (kerr_settle(*KERR_WORD(READ_RESPONSES)) != responses)
        ;
}

static void wait_written(void)
{
    while (kerr_settle(*KERR_WORD(WRITE_ACKS)) != acks)
        ;
}

static void read_tile(uint32_t base, uint32_t index, uint32_t to, uint32_t bytes)
{
    const uint32_t bank = index % MATMUL_BANKS, port = KERR_PARAMS->tile_y % 3; /* not all through one */
    read_far(xy(matmul_bank_x(bank), matmul_bank_y(bank) + port), base + index / MATMUL_BANKS * bytes, to, bytes);
}

/* ---- The row or column of tiles that works with the same tiles of A or of B */

struct group {
    uint32_t size, place, sender; /* places in the row or column */
    uint32_t sender_at, others;   /* where it is, and the rectangle of all of them */
};

static struct group get_group(const struct job *job)
{
    const uint32_t ends = argument(MATMUL_ENDS);
    const uint32_t x0 = ends & 255, x1 = ends >> 8 & 255, y0 = ends >> 16 & 255, y1 = ends >> 24;
    const uint32_t x = KERR_PARAMS->tile_x, y = KERR_PARAMS->tile_y;
    if (OPERAND ==
        0) { /* NoC 0 goes to the right and down, NoC 1 to the left and up: a rectangle begins where packets come in */
        const uint32_t sender = matmul_row_sender(job->row, job->grid_columns);
        return (struct group){job->grid_columns, job->column, sender, xy(matmul_column_x(x0, sender), y),
                              xy(x0, y) << 12 | xy(x1, y)};
    }
    const uint32_t sender = matmul_column_sender(job->column, job->grid_rows);
    return (struct group){job->grid_rows, job->row, sender, xy(x, y0 + sender), xy(x, y1) << 12 | xy(x, y0)};
}

static volatile uint32_t *arrived(void)
{
    return OPERAND == 0 ? &SHARED->a.count : &SHARED->b.count;
}

/* Slot by slot: the tile that sends waits until all have room, the others say that they have. */
static void send(const struct group *g, uint32_t step, uint32_t at, uint32_t bytes)
{
    volatile uint32_t *word = &SHARED->from[OPERAND][step % MATMUL_SLOTS].count;
    for (uint32_t i = 0; i < g->size; i++)
        if (i != g->place)
            wait_for(&SHARED->ready[OPERAND][i].count, step + 1);
    *word = step + 1;
    kerr_publish(word);
    if (g->size > 1) {
        write_far(MULTICASTER, g->others, at, at, bytes, g->size - 1);
        write_far(MULTICASTER, g->others, (uint32_t)(uintptr_t)word, (uint32_t)(uintptr_t)arrived(), 4, g->size - 1);
    }
    *arrived() = step + 1;
}

static void say_ready(const struct group *g, uint32_t step)
{
    volatile uint32_t *word = &SHARED->from[OPERAND][step % MATMUL_SLOTS].count;
    *word = step + 1;
    kerr_publish(word);
    write_far(WRITER, g->sender_at, (uint32_t)(uintptr_t)word,
              (uint32_t)(uintptr_t)&SHARED->ready[OPERAND][g->place].count, 4, 1);
}

/* A step: some columns of A (rows of B) for one block of C. */
struct position {
    uint32_t row, column, inner, step, block;
};

/* To the next step; false: there is none. */
static bool advance(const struct job *job, struct position *p)
{
    p->step++;
    p->inner += job->step;
    if (p->inner < job->inner)
        return true;
    p->inner = 0;
    p->block++;
    p->column += job->grid_columns * job->block_columns;
    if (p->column < job->columns)
        return true;
    p->column = job->column * job->block_columns;
    p->row += job->grid_rows * job->block_rows;
    return p->row < job->rows;
}

static uint32_t slot_bytes(const struct job *job)
{
    return (OPERAND == 0 ? job->block_rows : job->block_columns) * job->step * datapath_tile_bytes(job->in);
}

static uint32_t slot(const struct job *job, uint32_t step)
{
    return (OPERAND == 0 ? BUFFER_A : BUFFER_B) + step % MATMUL_SLOTS * slot_bytes(job);
}

static void wait_for_room(uint32_t step)
{
    if (step >= MATMUL_SLOTS)
        wait_for(&SHARED->freed.count, step + 1 - MATMUL_SLOTS);
}

/* The tiles of one step: of A, block_rows times `step` of them, of B, `step` times block_columns. */
static void begin_read(const struct job *job, const struct position *p)
{
    const uint32_t bytes = datapath_tile_bytes(job->in);
    const uint32_t down = OPERAND == 0 ? job->block_rows : job->step,
                   across = OPERAND == 0 ? job->step : job->block_columns;
    const uint32_t width = OPERAND == 0 ? job->inner : job->columns,
                   base = argument(OPERAND == 0 ? MATMUL_A : MATMUL_B);
    const uint32_t first = OPERAND == 0 ? p->row * width + p->inner : p->inner * width + p->column;
    uint32_t to = slot(job, p->step);
    wait_for_room(p->step);
    for (uint32_t i = 0; i < down; i++)
        for (uint32_t j = 0; j < across; j++, to += bytes)
            read_tile(base, first + i * width + j, to, bytes);
}

static void write_block(const struct job *job, const struct position *p)
{
    const uint32_t bytes = datapath_tile_bytes(job->out), tiles = job->block_rows * job->block_columns;
    uint32_t from = BUFFER_C + p->block % 2 * tiles * bytes;
    wait_for(&SHARED->packed.count, p->block + 1);
    for (uint32_t i = 0; i < job->block_rows; i++)
        for (uint32_t j = 0; j < job->block_columns; j++, from += bytes) {
            const uint32_t index = (p->row + i) * job->columns + p->column + j, bank = index % MATMUL_BANKS;
            write_far(WRITER, xy(matmul_bank_x(bank), matmul_bank_y(bank)), from,
                      argument(MATMUL_C) + index / MATMUL_BANKS * bytes, bytes, 1);
        }
    wait_written();
    SHARED->written.count = p->block + 1;
}

int main(void)
{
    const struct job job = get_job();
    const bool multicast = job.flags & MATMUL_MULTICAST;
    const struct group group = get_group(&job);
    const bool reads = !multicast || group.place == group.sender;
    struct position now = {.row = job.row * job.block_rows, .column = job.column * job.block_columns}, last = now;
    bool more = now.row < job.rows && now.column < job.columns;
    set_up_niu();
    if (more && reads)
        begin_read(&job, &now);
    while (more) {
        struct position next = now;
        more = advance(&job, &next);
        if (reads) {
            wait_read();
            if (more) /* the next tiles come while these are sent on */
                begin_read(&job, &next);
            if (multicast)
                send(&group, now.step, slot(&job, now.step), slot_bytes(&job));
            else
                *arrived() = now.step + 1;
        } else {
            wait_for_room(now.step);
            say_ready(&group, now.step);
        }
        if (OPERAND == 1 && next.block != now.block) { /* the block before this: its results are likely to be there */
            if (now.block > 0)
                write_block(&job, &last);
            last = now;
        }
        now = next;
    }
    if (OPERAND == 1 && now.block > 0)
        write_block(&job, &last);
    wait_written();
    kerr_finish((int32_t)now.block);
}

#endif /* MATMUL_MOVE_H */

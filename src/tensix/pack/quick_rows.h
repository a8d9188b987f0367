/* SPDX-License-Identifier: Apache-2.0 */
/* PACRs of a tile in one go (row.h).  What they would change is gathered first, until it is known that all of them can be.  Included by
 * quick.c alone, behind what it has for one of them. */
#ifndef KERR_TENSIX_PACK_QUICK_ROWS_H
#define KERR_TENSIX_PACK_QUICK_ROWS_H

/* What PACRs in a row change, until it is known that all of them can be. */
struct row_state {
    struct tensix_adc_channel adc[2];
    uint8_t tile_position, tile_plane;
    const uint16_t *cells[PACK_ROW_MOST * PACK_INTERFACES];
    unsigned rows, bytes;
    unsigned cycles; /* that the packer takes for all of them */
    bool last;       /* ends the tile */
};

/* What the word of a PACR says: rows have few that differ. */
struct row_kind {
    uint32_t word; /* 0: none */
    unsigned mask, apart, rows, bytes;
    uint16_t offset[PACK_INTERFACES]; /* of the rows that are read, from the first one */
    uint16_t mod;
    bool last;
};

/* False: it is not for this path. */
static bool know(const tensix_step *s, uint32_t word, const struct input *in, struct row_kind *kind)
{
    enum { PACR_WORD = 0x41 << 24 };
    /* DstAccessMode AddrMod AddrCntContext ReadIntfSel Concat Last */
    enum { ANY = 1 << 17 | 3 << 15 | 3 << 13 | 15 << 8 | 1 << 4 | 1 };
    const struct op_PACR op = decode_PACR(word);
    const unsigned remapped = in->access & DEST_ACCESS_CFG_remap_addrs_MASK ? STRIDE_REMAPPED : STRIDE;
    if ((word & ~(uint32_t)ANY) != PACR_WORD)
        return false;
    *kind = (struct row_kind){.word = word,
                              .mask = op.ReadIntfSel ? op.ReadIntfSel : 0xF,
                              .apart = op.DstAccessMode ? remapped : 1,
                              .mod = s->t->config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32 + op.AddrMod],
                              .last = op.Last};
    for (unsigned i = 0; i < PACK_INTERFACES; i++)
        if (kind->mask >> i & 1)
            kind->offset[kind->rows++] = (uint16_t)(i * kind->apart);
    kind->bytes = 2 * format_bits(s->tx->packer.plan.LateToFormat) * kind->rows;
    return kind->bytes % PACK_UNIT_BYTES == 0;
}

/* The rows of DstBits that it reads, as find_rows has it.  False: it is not for this path. */
static inline bool row_numbers(const struct input *in, const struct row_kind *kind,
                               const struct tensix_adc_channel *adc, bool wide, uint16_t rows[PACK_INTERFACES])
{
    const unsigned start = start_row(in, adc), apart = kind->apart;
    if (start >= DST_ROWS || (apart == 1 && kind->mask << (start & 3) > 0xF) || start + 3 * apart >= DST_ROWS + 3)
        return false;
    for (unsigned i = 0; i < kind->rows; i++) {
        const unsigned row = start + kind->offset[i];
        if (row >= DST_ROWS)
            return false;
        rows[i] = (uint16_t)(wide ? dst_row32(in->access, row) : dst_row16(in->access, row));
    }
    return true;
}

/* Where they are.  False also where one is undefined. */
static inline bool row_cells(const struct input *in, const struct row_kind *kind, const struct tensix_adc_channel *adc,
                             bool wide, const uint16_t *cells[PACK_INTERFACES])
{
    const struct tensix_files *files = in->files;
    if (kind->mask == 0xF && kind->apart == 1) { /* an aligned block of four, which stand together */
        const unsigned start = start_row(in, adc);
        if (start >= DST_ROWS || (start & 3) != 0)
            return false;
        const unsigned r = wide ? dst_row32(in->access, start) : dst_row16(in->access, start);
        for (unsigned i = 0; i < PACK_INTERFACES; i++)
            cells[i] = files->DstBits[r + i];
        return (files->dst_row_undefined[r / 32] >> r % 32 & 0xF) == 0;
    }
    uint16_t rows[PACK_INTERFACES];
    if (!row_numbers(in, kind, adc, wide, rows))
        return false;
    for (unsigned i = 0; i < kind->rows; i++) {
        if (!dst_row_valid(files, rows[i]))
            return false;
        cells[i] = files->DstBits[rows[i]];
    }
    return true;
}

/* The next one.  How many units of 16 bytes come of it; 0: it is not for this path. */
static inline unsigned take(const tensix_step *s, const uint32_t *config, const struct input *in,
                            const struct row_kind *kind, struct row_state *state)
{
    const struct tensix_packer *p = &s->tx->packer;
    const uint16_t **cells = state->cells + state->rows;
    if (!row_cells(in, kind, &state->adc[0], p->plan.Read_32b_data, cells) || pack_raises_max_exponent(p, cells[0]))
        return 0;
    unsigned units = kind->bytes / PACK_UNIT_BYTES;
    if (in->exponents) {
        const unsigned before = (p->exponents.bits / 8 + state->rows) % PACK_UNIT_BYTES, after = before + kind->rows;
        if (after > PACK_UNIT_BYTES)
            return 0;
        units += after == PACK_UNIT_BYTES;
    }
    state->rows += kind->rows;
    state->bytes += kind->bytes;
    state->last = kind->last;
    if (kind->last)
        state->tile_position = state->tile_plane = 0;
    else
        step_position(&state->tile_position, &state->tile_plane, config, kind->rows);
    pack_advance_source(&state->adc[0], kind->mod);
    pack_advance_destination(&state->adc[1], kind->mod);
    return units;
}

/* An INCADCZW of the packer's counters alone: those of a row go on with it.  False: it is something else. */
static inline bool count_zw(uint32_t word, struct row_state *state)
{
    enum { YZW_MASK = 0x1FFF, INCREMENTS = 0xFFF << 6, OF_PACKER = OPCODE_INCADCZW << 24 | 1 << 23 };
    if ((word & ~(uint32_t)INCREMENTS) != OF_PACKER)
        return false;
    const struct op_INCADCZW op = decode_INCADCZW(word);
    state->adc[0].z = (state->adc[0].z + op.Z0Inc) & YZW_MASK;
    state->adc[0].w = (state->adc[0].w + op.W0Inc) & YZW_MASK;
    state->adc[1].z = (state->adc[1].z + op.Z1Inc) & YZW_MASK;
    state->adc[1].w = (state->adc[1].w + op.W1Inc) & YZW_MASK;
    return true;
}

/* Where `size` bytes go from where a stream stands; NULL: somebody heeds what is written there, or L1 ends before. */
static uint8_t *place_of(const tensix_step *s, const struct tensix_pack_stream *stream, unsigned size)
{
    return (uint64_t)stream->address + size <= s->tile->l1_size
               ? s->tile->l1_unheeded(s->tile->owner, stream->address, size)
               : NULL;
}

/* All that was taken, to L1.  False: somebody heeds what is written there, and nothing has changed. */
static bool put(tensix_step *s, const struct row_state *state)
{
    struct tensix_packer *p = &s->tx->packer;
    uint8_t exponents[PACK_UNIT_BYTES + PACK_ROW_MOST * PACK_INTERFACES];
    const bool bfp = format_is_bfp(p->plan.LateToFormat);
    const unsigned before = p->exponents.bits / 8, all = bfp ? before + state->rows : 0;
    const unsigned whole = all / PACK_UNIT_BYTES * PACK_UNIT_BYTES;
    const unsigned bits = format_bits(p->plan.LateToFormat);
    uint8_t *data = place_of(s, &p->data, state->bytes);
    uint8_t *units = whole != 0 ? place_of(s, &p->exponents, whole) : NULL;
    if (data == NULL || (whole != 0 && units == NULL))
        return false;
    if (UNLIKELY(p->plan.accumulate)) {
        uint8_t bytes[4 * ROW_DATUMS * PACK_ROW_MOST * PACK_INTERFACES];
        pack_way_rows((enum pack_way)p->plan.way, bits, state->rows, bytes, exponents + before, state->cells,
                      DST_LOW_HALF * DST_COLUMNS);
        l1_accumulate_row(p->plan.LateToFormat, data, bytes, state->bytes);
        memcpy(data, bytes, state->bytes);
    } else {
        pack_way_rows((enum pack_way)p->plan.way, bits, state->rows, data, exponents + before, state->cells,
                      DST_LOW_HALF * DST_COLUMNS);
    }
    p->data.address += state->bytes;
    p->datums += state->rows * ROW_DATUMS;
    p->tile_position = state->tile_position;
    p->tile_plane = state->tile_plane;
    memcpy(s->t->adc[ADC_PACKER], state->adc, sizeof state->adc);
    if (!bfp)
        return true;
    memcpy(exponents, p->exponents.buffer, before);
    if (whole != 0) {
        memcpy(units, exponents, whole);
        p->exponents.address += whole;
        memset(p->exponents.buffer, 0, sizeof p->exponents.buffer);
    }
    memcpy(p->exponents.buffer, exponents + whole, all - whole);
    p->exponents.bits = (uint8_t)(8 * (all - whole));
    return true;
}

/* The tile is at its end; its last PACR has made so many units. */
static void end_tile(tensix_step *s, const uint32_t *config, unsigned *units)
{
    struct pack_job job;
    job_of(&job, s, config, true);
    pack_output_close(&job);
    *units += job.units;
}

/* What the packer takes for so many units. */
static inline unsigned issue_of(unsigned units, bool accumulate)
{
    return (units + COST_PACK_WRITES - 1) / COST_PACK_WRITES * (accumulate ? COST_PACK_ADD : 1);
}

/* Takes what it can of a row into `state`; the units of 16 bytes that the last PACR makes are in *units. */
static inline unsigned take_row(const tensix_step *s, struct pack_row *row, const uint32_t *config,
                                struct row_state *state, unsigned *units)
{
    const struct input in = input_of(s, &s->tx->packer.plan, config);
    const bool accumulate = s->tx->packer.plan.accumulate;
    uint64_t cycle = s->cycle, free = cycle; /* in which the next one comes to the gate, the packer takes it */
    unsigned n = 0, packs = 0;
    struct row_kind kind = {.word = 0};
    while (n < row->count && packs < PACK_ROW_MOST && !state->last) {
        struct tensix_adc_channel before[2];
        uint32_t word = row->words[(row->first + n) & row->mask];
        const bool counts = word >> 24 == OPCODE_INCADCZW;
        if (counts) {
            if (n + 1 >= row->count || packs == 0)
                break;
            memcpy(before, state->adc, sizeof before);
            if (!count_zw(word, state))
                break;
            word = row->words[(row->first + n + 1) & row->mask];
        }
        const uint64_t gate = cycle + counts, at = max64(gate, free);
        const unsigned now = at < row->until && (word == kind.word || know(s, word, &in, &kind))
                                 ? take(s, config, &in, &kind, state)
                                 : 0;
        if (now == 0) {
            if (counts) /* it is counted later */
                memcpy(state->adc, before, sizeof before);
            break;
        }
        if (counts) {
            row->at[n++] = row->counted_at = cycle;
            row->counts++;
        }
        if (at != gate) {
            row->waits += at - gate;
            row->waited_until = at;
        }
        row->at[n++] = at;
        packs++;
        *units = now;
        cycle = at + 1;
        free = at + issue_of(now, accumulate);
        state->cycles += issue_of(now, accumulate);
    }
    return n;
}

unsigned pack_run_row(tensix_step *s, struct pack_row *row)
{
    struct tensix *tx = s->tx;
    struct tensix_packer *p = &tx->packer;
    const uint32_t *config = tx->config[CFG_FIELD(s->t->config, CFG_STATE_ID_StateID)];
    if (!is_quick_now(s, config) || pack_is_held(s))
        return 0;
    struct row_state state;
    memcpy(state.adc, s->t->adc[ADC_PACKER], sizeof state.adc);
    state.tile_position = p->tile_position;
    state.tile_plane = p->tile_plane;
    state.rows = state.bytes = state.cycles = 0;
    state.last = false;
    unsigned units = 0;
    row->waits = row->counts = 0;
    const unsigned n = take_row(s, row, config, &state, &units);
    if (n == 0)
        return 0;
    if (starts_tile(p)) { /* which the first one does, here or there */
        struct pack_job job;
        job_of(&job, s, config, false);
        pack_output_open(&job);
    }
    if (!put(s, &state))
        return 0;
    s->cycle = row->at[n - 1];
    s->issue = issue_of(units, p->plan.accumulate);
    tx->data_cycles[1] += state.cycles - s->issue;
    if (state.last)
        end_tile(s, config, &units);
    s->issue = issue_of(units, p->plan.accumulate);
    s->latency = s->issue + COST_PACK_PIPELINE;
    tx->data_cycles[1] += s->issue;
    return n;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Output address generator and the buffers before L1: manual WormholeB0 Packers/OutputAddressGenerator (40bb8250), sizes of
 * tiles as WormholeB0 TDMA-RISC has them.
 *
 * All output goes to L1 in aligned units of 16 bytes.  A unit that is not full waits in its stream until more comes, or until
 * Last or Flush fills it up with zeroes.
 * LastTileSize, which no page defines: from where the tile starts to the end of its data, all sections included, in units of 16
 * bytes.  A card counts the section of row starts so (compress.c); OPEN: that of exponents.
 * OPEN: an exponent is for 16 datums of output (manual Packers/FormatConversion).  PACR says one for each row that is read; the two
 * are the same for whole rows. */
#include "tensix/pack/pack.h"

#include "base/bits.h"
#include "hooks/hooks.h"
#include "num/l1_accumulate.h"

#include "cfg_fields.h"

#include <string.h>

enum { UNIT_BITS = 128, MOST_BYTES = PACK_UNIT_BYTES + 4 * ROW_DATUMS * PACK_INTERFACES * PACK_PLANS };

/* ---- Addresses, in units of 16 bytes ---- */

enum { PLACE_MASK = 0x1FFFF };

/* In a FIFO, behind the last place it begins again. */
uint32_t pack_place(const struct pack_job *job, const struct tensix_adc_channel *adc)
{
    const uint32_t *config = job->config, *section = job->section;
    const uint32_t *fifo = config + (job->context & 2 ? THCON_SEC1_REG9_Pack_0_2_limit_address_ADDR32 -
                                                            THCON_SEC0_REG9_Pack_0_2_limit_address_ADDR32
                                                      : 0);
    fifo += job->context & 1 ? 2 : 0; /* Pack_1_3 */
    const uint32_t counted = CFG_FIELD(config, PCK0_ADDR_BASE_REG_1_Base) +
                             adc->y * CFG_FIELD(config, PCK0_ADDR_CTRL_XY_REG_1_Ystride) +
                             adc->z * CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_1_Zstride) +
                             adc->w * CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_1_Wstride);
    uint32_t address = CFG_FIELD(section, THCON_SEC0_REG1_L1_Dest_addr) + (counted >> 4) +
                       !CFG_FIELD(section, THCON_SEC0_REG1_Sub_l1_tile_header_size);
    if (CFG_FIELD(section, THCON_SEC0_REG1_Add_l1_dest_addr_offset))
        address += job->s->tile->pack_offsets[job->context];
    const uint32_t last = CFG_FIELD(fifo, THCON_SEC0_REG9_Pack_0_2_limit_address) * 2 + 1;
    return address > last ? address - CFG_FIELD(fifo, THCON_SEC0_REG9_Pack_0_2_fifo_size) * 2 : address;
}
_Static_assert(THCON_SEC0_REG9_Pack_1_3_limit_address_ADDR32 == THCON_SEC0_REG9_Pack_0_2_limit_address_ADDR32 + 2,
               "limit and size of the other two contexts");

static bool open_stream(struct tensix_pack_stream *stream, uint32_t address)
{
    if (stream->open)
        return false;
    stream->address = (address & PLACE_MASK) << 4;
    stream->open = true;
    return true;
}

void pack_output_open(struct pack_job *job, uint32_t place)
{
    struct tensix_packer *p = job->packer;
    uint32_t address = place;
    if (job->modes->compress) {
        if (open_stream(&p->row_starts, address))
            pack_put_bits(job, &p->row_starts, 0, 16); /* where the first row starts */
        address += CFG_FIELD(job->section, THCON_SEC0_REG1_Row_start_section_size);
    }
    if (job->conversion.LateToFormat & OUT_HAS_EXPONENTS) { /* FP8 and INT8 too, which have none */
        open_stream(&p->exponents, address);
        address += CFG_FIELD(job->section, THCON_SEC0_REG1_Exp_section_size);
    }
    if (open_stream(&p->data, address))
        p->tile_start = place & PLACE_MASK;
}

/* ---- To L1 ---- */

/* Whole units; what lies behind the end of L1 is lost, and a fault says so (pacr.c). */
static void write_units(struct pack_job *job, struct tensix_pack_stream *stream, uint8_t *bytes, unsigned count)
{
    const uint32_t size = job->s->tile->l1_size, address = stream->address;
    stream->address += count;
    if ((uint64_t)address + count > size) {
        if (stream->address < address) /* it does not come round to L1 */
            stream->address = UINT32_MAX - (PACK_UNIT_BYTES - 1);
        if (!job->overrun)
            job->overrun_address = address > size ? address : size;
        job->overrun = true;
        count = address > size ? 0 : size - address;
    }
    if (count == 0)
        return;
    if (job->modes->accumulate && stream == &job->packer->data)
        hook_l1(job->s->tile, address, count, CHECK_READ);
    if (job->modes->accumulate && stream == &job->packer->data)
        l1_accumulate_row(job->conversion.LateToFormat, job->s->tile->l1 + address, bytes, count);
    job->s->tx->yield |= job->s->tile->l1_write(job->s->tile->owner, address, bytes, count, job->s->cycle);
}

static void write_buffer(struct pack_job *job, struct tensix_pack_stream *stream)
{
    write_units(job, stream, stream->buffer, PACK_UNIT_BYTES);
    memset(stream->buffer, 0, sizeof stream->buffer);
    stream->bits = 0;
}

void pack_put_bits(struct pack_job *job, struct tensix_pack_stream *stream, uint32_t value, unsigned bits)
{
    while (bits) {
        const unsigned room = 8 - stream->bits % 8u, take = bits < room ? bits : room;
        stream->buffer[stream->bits / 8] |= (uint8_t)((value & ((1u << take) - 1)) << stream->bits % 8u);
        value >>= take;
        bits -= take;
        stream->bits = (uint8_t)(stream->bits + take);
        if (stream->bits == UNIT_BITS)
            write_buffer(job, stream);
    }
}

/* The same for whole bytes behind whole bytes, of up to PACK_PLANS plans; what is in `bytes` afterwards is of no use. */
void pack_put_bytes(struct pack_job *job, struct tensix_pack_stream *stream, uint8_t *bytes, unsigned count)
{
    if (LIKELY(stream->bits == 0 && count % PACK_UNIT_BYTES == 0)) {
        write_units(job, stream, bytes, count);
        return;
    }
    uint8_t all[MOST_BYTES];
    const unsigned before = stream->bits / 8u, total = before + count,
                   whole = total / PACK_UNIT_BYTES * PACK_UNIT_BYTES;
    memcpy(all, stream->buffer, before);
    memcpy(all + before, bytes, count);
    if (whole) {
        uint8_t rest[PACK_UNIT_BYTES] = {0};
        memcpy(rest, all + whole, total - whole);
        write_units(job, stream, all, whole);
        memcpy(stream->buffer, rest, sizeof rest);
    } else {
        memcpy(stream->buffer, all, total);
    }
    stream->bits = (uint8_t)(8 * (total - whole));
}

/* ---- Groups that share an exponent ---- */

static void convert_group(struct pack_job *job)
{
    struct tensix_packer *p = job->packer;
    uint8_t datums[ROW_DATUMS];
    const uint8_t exponent = job->modes->stochastic_late ? pack_late_bfp_stochastic(job, p->group, datums)
                                                         : pack_late_bfp(job->conversion, p->group, datums);
    for (unsigned i = 0; i < p->group_count; i++)
        pack_put_bits(job, &p->data, datums[i], format_bits(job->conversion.LateToFormat));
    pack_put_bits(job, &p->exponents, exponent, 8);
    memset(p->group, 0, sizeof p->group);
    p->group_count = 0;
}

void pack_finish_group(struct pack_job *job)
{
    if (job->packer->group_count)
        convert_group(job); /* the missing ones are zero */
}

void pack_assemble(struct pack_job *job, uint32_t word)
{
    struct tensix_packer *p = job->packer;
    const unsigned to = job->conversion.LateToFormat;
    if (!format_is_bfp(to)) {
        pack_put_bits(job, &p->data, pack_late(job->conversion, word), format_bits(to));
        return;
    }
    p->group[p->group_count++] = word;
    if (p->group_count == ROW_DATUMS)
        convert_group(job);
}

/* ---- The end of a tile ---- */

static void close_stream(struct pack_job *job, struct tensix_pack_stream *stream)
{
    if (stream->bits)
        write_buffer(job, stream);
    stream->open = false;
}

/* Manual WormholeB0 TDMA-RISC, "The AccTileSize state is updated".  REG8 has Add_tile_header_size five bits lower. */
static void tile_is_done(struct pack_job *job)
{
    struct tensix_packer *p = job->packer;
    const uint32_t *reg8 =
        job->section + THCON_SEC0_REG1_Row_start_section_size_ADDR32 - THCON_SEC0_REG8_Row_start_section_size_ADDR32;
    const unsigned header = job->context & 1 ? CFG_FIELD(reg8, THCON_SEC0_REG8_Add_tile_header_size)
                                             : CFG_FIELD(job->section, THCON_SEC0_REG1_Add_tile_header_size);
    p->last_thread = job->s->thread;
    p->last_tile_size = (uint16_t)((p->data.address >> 4) - p->tile_start);
    p->acc_tile_size[job->s->thread] = (uint16_t)(p->acc_tile_size[job->s->thread] + p->last_tile_size + header);
    if (CFG_FIELD(job->section, THCON_SEC0_REG1_Enable_out_fifo) && p->fifo_count < PACK_FIFO) {
        p->fifo[(p->fifo_head + p->fifo_count) % PACK_FIFO] =
            (struct tensix_packed_tile){p->last_tile_size, p->all_zero_flags};
        p->fifo_count++;
        job->s->tile->devices_changed(job->s->tile->owner, job->s->cycle);
    }
}

void pack_output_close(struct pack_job *job, bool last)
{
    struct tensix_packer *p = job->packer;
    if (job->modes->compress)
        pack_compress_tile_end(job);
    pack_finish_group(job);
    close_stream(job, &p->data);
    close_stream(job, &p->exponents);
    close_stream(job, &p->row_starts);
    if (last)
        tile_is_done(job);
    p->datums = 0;
}

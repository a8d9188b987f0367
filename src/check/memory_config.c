/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration behind an access of the packer or an unpacker: which word has led it there or chosen its format, and who wrote
 * that last.  A stride that is wrong shows far behind the instruction that wrote it. */
#include "tensix_isa.h"

#include "check/memory.h"

#include "base/bits.h"
#include "num/formats.h"
#include "tensix/unpack/unpack.h"

#include "cfg_fields.h"

#include <stdio.h>

enum { SECTION = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32, ADC_PACKER = 2 };

static unsigned bank_of(unsigned bank, unsigned word)
{
    return word >= GLOBAL_CFGREG_BASE_ADDR32 ? 0 : bank;
}

void memory_config(struct tile_check *check, unsigned bank, unsigned word)
{
    if (bank >= CHECK_THREAD_CONFIG)
        return;
    kerr_access *by = &check->memory->config_by[bank_of(bank, word)][word];
    *by = check->who;
    by->address = word;
    by->size = 1;
    by->is_write = true;
}

/* ---- What the instruction that begins works with ------------------------------------------------------------------------- */

/* The word that is word `of_section_0` in the section of the packer's context: REG1 or REG8, of section 0 or 1 (pack/config.c). */
static unsigned packer_word(unsigned context, unsigned of_section_0)
{
    const unsigned within = context & 1 ? of_section_0 + THCON_SEC0_REG8_Row_start_section_size_ADDR32 -
                                              THCON_SEC0_REG1_Row_start_section_size_ADDR32
                                        : of_section_0;
    return within + context / 2 * SECTION;
}

void memory_unit_begins(struct tile_check *check, const tensix_step *s)
{
    struct check_memory *m = check->memory;
    const struct config_reader *reader = &check->reader;
    const uint32_t *config = s->tx->config[reader->bank];
    m->format = MEMORY_NO_FORMAT;
    if (s->op == TENSIX_PACR) {
        enum { AUTOMATIC_THREAD = 3 };
        const struct op_PACR op = decode_PACR(s->word);
        m->adc_thread = !op.OvrdThreadId                        ? s->thread
                        : op.AddrCntContext == AUTOMATIC_THREAD ? 0
                                                                : (uint8_t)op.AddrCntContext;
        m->format_word = (uint16_t)packer_word(reader->context, THCON_SEC0_REG1_Out_data_format_ADDR32);
        m->format_bit = THCON_SEC0_REG1_Out_data_format_SHAMT;
        m->format = (uint8_t)((config[m->format_word] & THCON_SEC0_REG1_Out_data_format_MASK) >>
                              THCON_SEC0_REG1_Out_data_format_SHAMT);
    } else if (s->op == TENSIX_UNPACR && check->buffers->count != 0) {
        const struct op_UNPACR op = decode_UNPACR(s->word);
        struct unpack_config c;
        if (!unpack_read_config(s, &op, &c))
            return;
        const bool own = reader->flags & CONFIG_CONTEXT_FORMATS;
        m->format = c.InDataFormat;
        m->format_word = (uint16_t)(own ? THCON_SEC0_REG7_Offset_address_ADDR32 + (c.at.context & 3)
                                        : THCON_SEC0_REG0_TileDescriptor_InDataFormat_ADDR32);
        m->format_word = (uint16_t)(m->format_word + SECTION * c.which);
        m->format_bit = (uint8_t)(own ? 16 + 8 * (c.at.context >> 2) : 0);
    }
}

/* ---- Where an address comes from -------------------------------------------------------------------------------------------- */

struct part {
    unsigned word, bit;     /* of configuration */
    uint32_t stride, count; /* count 1 and no name: it is added as it is */
    const char *counter;
};

/* Of what is added up, the largest stride that counts; where none does, the last. */
static const struct part *largest(const struct part *parts, unsigned count)
{
    const struct part *found = &parts[count - 1];
    uint32_t most = 0;
    for (unsigned i = 0; i < count; i++) {
        if (parts[i].counter == NULL || parts[i].stride * parts[i].count <= most)
            continue;
        most = parts[i].stride * parts[i].count;
        found = &parts[i];
    }
    return found;
}

static struct memory_cause cause_of(const struct tile_check *check, const struct part *part)
{
    const kerr_access *by = &check->memory->config_by[bank_of(check->reader.bank, part->word)][part->word];
    struct memory_cause cause = {.by = by->actor != KERR_ACTOR_NONE ? by : NULL,
                                 .field = cfg_field_name(CFG_SPACE_CONFIG, part->word, part->bit)};
    if (part->counter != NULL)
        snprintf(cause.text, sizeof cause.text, "; ADC %s %u x stride 0x%x", part->counter, part->count, part->stride);
    return cause;
}

struct memory_cause memory_cause_of_row(const struct tile_check *check)
{
    if (check->who.actor != KERR_ACTOR_THREAD || check->who.unit != UNIT_PACK)
        return (struct memory_cause){0};
    const struct tensix *tx = &check->tile->dev.tensix;
    const uint32_t *config = tx->config[check->reader.bank];
    const struct tensix_adc_channel *adc = &tx->thread[check->memory->adc_thread].adc[ADC_PACKER][0];
    const unsigned offset = DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32 + check->reader.context;
    const struct part parts[] = {
        {PCK0_ADDR_CTRL_XY_REG_0_Ystride_ADDR32, PCK0_ADDR_CTRL_XY_REG_0_Ystride_SHAMT,
         CFG_FIELD(config, PCK0_ADDR_CTRL_XY_REG_0_Ystride), adc->y, "Y"},
        {PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32, PCK0_ADDR_CTRL_ZW_REG_0_Zstride_SHAMT,
         CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_0_Zstride), adc->z, "Z"},
        {PCK0_ADDR_CTRL_ZW_REG_0_Wstride_ADDR32, PCK0_ADDR_CTRL_ZW_REG_0_Wstride_SHAMT,
         CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_0_Wstride), adc->w, "W"},
        {offset, 0, 0, 1, NULL},
    };
    return cause_of(check, largest(parts, sizeof parts / sizeof *parts));
}

struct memory_cause memory_cause_of_l1(const struct tile_check *check)
{
    const struct config_reader *reader = &check->reader;
    if (check->who.actor != KERR_ACTOR_THREAD)
        return (struct memory_cause){0};
    if (check->who.unit == UNIT_UNPACK && reader->reader == CFG_READER_UNPACK) {
        const unsigned base =
            (unsigned)THCON_SEC0_REG3_Base_address_ADDR32 + reader->context + (unsigned)SECTION * reader->which;
        return cause_of(check, &(struct part){base, 0, 0, 1, NULL});
    }
    if (check->who.unit != UNIT_PACK)
        return (struct memory_cause){0};
    const struct tensix *tx = &check->tile->dev.tensix;
    const uint32_t *config = tx->config[reader->bank];
    const struct tensix_adc_channel *adc = &tx->thread[check->memory->adc_thread].adc[ADC_PACKER][1];
    const struct part parts[] = {
        {PCK0_ADDR_CTRL_XY_REG_1_Ystride_ADDR32, PCK0_ADDR_CTRL_XY_REG_1_Ystride_SHAMT,
         CFG_FIELD(config, PCK0_ADDR_CTRL_XY_REG_1_Ystride), adc->y, "Y"},
        {PCK0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, PCK0_ADDR_CTRL_ZW_REG_1_Zstride_SHAMT,
         CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_1_Zstride), adc->z, "Z"},
        {PCK0_ADDR_CTRL_ZW_REG_1_Wstride_ADDR32, PCK0_ADDR_CTRL_ZW_REG_1_Wstride_SHAMT,
         CFG_FIELD(config, PCK0_ADDR_CTRL_ZW_REG_1_Wstride), adc->w, "W"},
        {packer_word(reader->context, THCON_SEC0_REG1_L1_Dest_addr_ADDR32), 0, 0, 1, NULL},
    };
    return cause_of(check, largest(parts, sizeof parts / sizeof *parts));
}

/* ---- Formats of buffers --------------------------------------------------------------------------------------------------------- */

void memory_buffer_unit(struct tile_check *check, uint32_t address, uint32_t size, unsigned how)
{
    const struct check_memory *m = check->memory;
    const struct check_buffers *b = check->buffers;
    const bool packs = check->who.unit == UNIT_PACK && (how & CHECK_WRITE),
               unpacks = check->who.unit == UNIT_UNPACK && (how & CHECK_READ);
    if (m->format == MEMORY_NO_FORMAT || !(packs || unpacks))
        return;
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->entry[i].tile.x != check->tile->at.x || b->entry[i].tile.y != check->tile->at.y ||
            address >= b->entry[i].end || address + size <= b->entry[i].first || b->entry[i].format == m->format)
            continue;
        const struct memory_cause cause = cause_of(check, &(struct part){m->format_word, m->format_bit, 0, 1, NULL});
        kerr_access access = check->who;
        access.address = address;
        access.size = size;
        access.is_write = packs;
        check_report(check, FINDING_BUFFER_FORMAT, &access, cause.by, cause.field,
                     packs ? "TensixCoprocessor/Packers/FormatConversion"
                           : "TensixCoprocessor/Unpackers/FormatConversion",
                     "%s %s %s, in the buffer of %s from 0x%x to 0x%x", packs ? "PACR writes" : "UNPACR reads",
                     format_name(m->format), packs ? "to L1" : "from L1", format_name(b->entry[i].format),
                     b->entry[i].first, b->entry[i].end);
        return;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction that uses a word of Config in the cycles between the instruction of its own thread that writes it and the one in
 * which the write is there (manual ConfigurationUnit): it finds the old value, and nothing stalls.  What another thread does in
 * these cycles is a race, of which the synchronisation checks tell. */
#include "check/hazard.h"

#include "check/config_uses.h"

#include "cfg_fields.h"
#include "tensix_isa.h"

void hazard_config_later(struct tile_check *check, unsigned bank, unsigned word, uint64_t visible)
{
    struct check_hazard *h = &check->hazard;
    if (h->count == CHECK_CONFIG_LATER)
        return; /* no unit has that many under way */
    h->later[h->count].visible = visible;
    h->later[h->count].bank = (uint8_t)bank;
    h->later[h->count].word = (uint8_t)word;
    h->later[h->count].by = check->who;
    h->later[h->count].by.address = word;
    h->later[h->count].by.size = 1;
    h->later[h->count++].by.is_write = true;
}

static void report(struct tile_check *check, const struct tensix_step *s, unsigned i)
{
    const struct check_hazard *h = &check->hazard;
    kerr_access access = check->who;
    access.address = h->later[i].word;
    access.size = 1;
    check_report(check, FINDING_HAZARD_CONFIG, &access, &h->later[i].by, NULL,
                 "BlackholeA0/TensixTile/TensixCoprocessor/ConfigurationUnit",
                 "%s uses Config[%u][%u] in cycle %llu; %s writes it, which is there from cycle %llu on",
                 tensix_ops[s->op].name, h->later[i].bank, h->later[i].word, (unsigned long long)s->cycle,
                 tensix_ops[tensix_op_of[h->later[i].by.instruction >> 24]].name,
                 (unsigned long long)h->later[i].visible);
}

void hazard_uses(struct tile_check *check, const struct tensix_step *s)
{
    struct check_hazard *h = &check->hazard;
    unsigned kept = 0;
    for (unsigned i = 0; i < h->count; i++) {
        if (h->later[i].visible <= s->cycle)
            continue;
        const bool is_global = h->later[i].word >= GLOBAL_CFGREG_BASE_ADDR32;
        if (h->later[i].by.thread == s->thread && h->later[i].by.cycle < s->cycle &&
            (h->later[i].bank == check->reader.bank || is_global) &&
            config_bits_read(&check->reader, h->later[i].word) != 0)
            report(check, s, i);
        h->later[kept++] = h->later[i];
    }
    h->count = kept;
}

/* Manual SFPLOAD, "Instruction scheduling": three other instructions have to stand between one of the Matrix Unit that writes Dst and
 * an SFPLOAD of that region; the region is the aligned block of 8 rows of manual Dst, where the same heading says that hardware
 * stalls for PACR and for the Matrix Unit. */
void hazard_dst(struct tile_check *check, unsigned row, unsigned rows, unsigned how)
{
    enum { BETWEEN = 3, BLOCK_ROWS = 8 };
    kerr_access *block = check->hazard.block;
    const kerr_access *who = &check->who;
    if (who->actor != KERR_ACTOR_THREAD || rows == 0)
        return;
    for (unsigned b = row / BLOCK_ROWS; b <= (row + rows - 1) / BLOCK_ROWS && b < CHECK_DST_BLOCKS; b++) {
        if (who->unit == UNIT_MATRIX && (how & CHECK_WRITE) && tensix_op_of[who->instruction >> 24] != TENSIX_ZEROACC) {
            block[b] = *who;
            block[b].address = b * BLOCK_ROWS;
            block[b].size = BLOCK_ROWS;
            block[b].is_write = true;
        } else if (who->unit == UNIT_VECTOR && (how & CHECK_READ) && block[b].actor != KERR_ACTOR_NONE &&
                   who->cycle <= block[b].cycle + BETWEEN) {
            kerr_access access = *who;
            access.address = row;
            access.size = rows;
            check_report(
                check, FINDING_HAZARD_DST, &access, &block[b], NULL, "BlackholeA0/TensixTile/TensixCoprocessor/SFPLOAD",
                "%s reads row %u of Dst %u cycles behind %s, which writes there: %u other instructions have to be "
                "between them, or STALLWAIT C4",
                tensix_ops[tensix_op_of[access.instruction >> 24]].name, row, (unsigned)(who->cycle - block[b].cycle),
                tensix_ops[tensix_op_of[block[b].instruction >> 24]].name, (unsigned)BETWEEN);
        }
    }
}

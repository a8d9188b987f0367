/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOADMACRO, what it schedules (manual SFPLOADMACRO, f7fda211): sequences, templates, operands, what is forgotten. */
#include "tensix/vector/macro.h"

#include "base/bits.h"
#include "tensix_isa.h"

enum { MACROS_LOOK = 4 }; /* of macros_differ: from this bit on */

static bool same_macro(const struct load_macro_config *c, unsigned MacroIndex, unsigned a, unsigned b)
{
    uint32_t differ = (c->Sequence[MacroIndex][a] ^ c->Sequence[MacroIndex][b]) | (c->Misc[a] ^ c->Misc[b]);
    for (unsigned k = 0; k < LOAD_MACROS; k++)
        differ |= c->InstructionTemplate[k][a] ^ c->InstructionTemplate[k][b];
    return differ == 0;
}

/* The columns of `left` that have the macro of the first of them. */
static unsigned alike(const struct vector_files *v, unsigned MacroIndex, unsigned left)
{
    if (LIKELY(!(v->macros_differ & 1)))
        return left;
    const unsigned first = (unsigned)__builtin_ctz(left);
    unsigned columns = 0;
    for (unsigned i = first; i < LANE_COLUMNS; i++)
        if ((left >> i & 1) && same_macro(&v->LoadMacroConfig, MacroIndex, first, i))
            columns |= 1u << i;
    return columns;
}

/* SequenceBits.  By the page one without a source still forgets what has its delay.  The kernel library's uint32 to fp32 has such
 * bytes of zero in the cycle before its SFPMAD is due and gives right results on cards: a byte without source and delay does
 * nothing here.  OPEN: whether one without a source but with a delay forgets; a card would tell by a macro that has one. */
enum { SOURCE = 7, DELAY_SHIFT = 3, FORGETS = 0x3F, USE_LREG16 = 0x40, KEEP = 0x80 };
enum { NOTHING = 0, UNDEFINED = 1, NOP = 2, STORE = 3, FIRST_TEMPLATE = 4 };

static uint32_t template_of(const struct vector_files *v, unsigned column, unsigned sequence)
{
    const unsigned source = sequence & SOURCE;
    if (source >= FIRST_TEMPLATE)
        return v->LoadMacroConfig.InstructionTemplate[source - FIRST_TEMPLATE][column];
    return source == STORE ? macro_word_of(TENSIX_SFPSTORE) : macro_word_of(TENSIX_SFPNOP);
}

static bool can_execute(unsigned unit, uint32_t word)
{
    return macro_unit_of(tensix_op_of[word >> 24]) == unit ||
           (unit != MACRO_STORE && tensix_op_of[word >> 24] == TENSIX_SFPNOP);
}

static uint8_t sequence_of(const struct vector_files *v, unsigned MacroIndex, unsigned column, unsigned unit)
{
    return (uint8_t)(v->LoadMacroConfig.Sequence[MacroIndex][column] >> 8 * unit);
}

static bool refuse(tensix_step *s, unsigned MacroIndex, unsigned unit, uint32_t word, unsigned columns)
{
    static const char *const units[] = {"simple", "MAD", "round", "store"};
    const unsigned op = tensix_op_of[word >> 24];
    return tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPLOADMACRO",
                        "macro %u has %s for the %s sub-unit, which cannot execute it%s: lanes 0x%08x", MacroIndex,
                        op < TENSIX_OP_COUNT ? tensix_ops[op].name : "no instruction", units[unit],
                        unit == MACRO_STORE ? "" : ": SFPNOP there", columns * 0x01010101u);
}

/* What macro_refuses would find something in. */
static bool is_plain(const struct vector_files *v, unsigned MacroIndex)
{
    bool plain = true;
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        const uint8_t sequence = sequence_of(v, MacroIndex, 0, unit);
        plain = plain && ((sequence & SOURCE) == NOTHING ||
                          ((sequence & SOURCE) != UNDEFINED && can_execute(unit, template_of(v, 0, sequence))));
    }
    return plain;
}

void macro_config_changed(struct vector_files *v)
{
    const struct load_macro_config *c = &v->LoadMacroConfig;
    uint32_t differ = 0;
    for (unsigned i = 0; i < LANES; i++) {
        for (unsigned k = 0; k < LOAD_MACROS; k++)
            differ |=
                (c->Sequence[k][i] ^ c->Sequence[k][0]) | (c->InstructionTemplate[k][i] ^ c->InstructionTemplate[k][0]);
        differ |= c->Misc[i] ^ c->Misc[0];
    }
    v->macros_differ = differ != 0;
    for (unsigned k = 0; k < LOAD_MACROS; k++)
        v->macros_differ |= (uint32_t)(v->macros_differ || !is_plain(v, k)) << (MACROS_LOOK + k);
}

bool macro_refuses(tensix_step *s, unsigned MacroIndex)
{
    const struct vector_files *v = &s->tile->files->vector;
    unsigned storing = 0;
    if (LIKELY(!(v->macros_differ >> (MACROS_LOOK + MacroIndex) & 1)))
        return false;
    for (unsigned left = MACRO_ALL_COLUMNS, columns; left != 0; left &= ~columns) {
        columns = alike(v, MacroIndex, left);
        const unsigned column = (unsigned)__builtin_ctz(left);
        for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
            const uint8_t sequence = sequence_of(v, MacroIndex, column, unit);
            const uint32_t word = template_of(v, column, sequence);
            if ((sequence & SOURCE) == NOTHING)
                continue;
            storing |= unit == MACRO_STORE ? columns : 0;
            if (UNLIKELY((sequence & SOURCE) == UNDEFINED)) {
                if (tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPLOADMACRO",
                                 "macro %u takes its instruction from source 1, which does not exist: sequence 0x%08x, "
                                 "lanes 0x%08x",
                                 MacroIndex, v->LoadMacroConfig.Sequence[MacroIndex][column], columns * 0x01010101u))
                    return true;
            } else if (UNLIKELY(!can_execute(unit, word)) && refuse(s, MacroIndex, unit, word, columns)) {
                return true;
            }
        }
    }
    return UNLIKELY(storing != 0 && storing != MACRO_ALL_COLUMNS) &&
           tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPLOADMACRO",
                        "macro %u schedules SFPSTORE in some lanes only: 0x%08x", MacroIndex, storing * 0x01010101u);
}

/* What the entries of a slot come to. */
static void summarize(struct vector_macro *m, unsigned unit, unsigned slot)
{
    unsigned waiting = 0, instructions = 0;
    for (unsigned i = 0; i < LANE_COLUMNS; i++) {
        waiting |= m->slot[unit][slot][i].columns != 0;
        instructions |= m->slot[unit][slot][i].instructions;
    }
    m->waiting[unit] = (uint8_t)((m->waiting[unit] & ~(1u << slot)) | waiting << slot);
    m->instructions[unit] = (uint8_t)((m->instructions[unit] & ~(1u << slot)) | instructions << slot);
}

/* ForgetFutureInstructionWhoseDelayIs. */
static void forget(struct vector_macro *m, unsigned unit, unsigned slot, unsigned columns)
{
    if (LIKELY(!(m->waiting[unit] >> slot & 1)))
        return;
    for (unsigned i = 0; i < LANE_COLUMNS; i++) {
        struct vector_scheduled *e = &m->slot[unit][slot][i];
        if ((e->columns &= (uint8_t)~columns) == 0)
            *e = (struct vector_scheduled){.columns = 0};
    }
    summarize(m, unit, slot);
}

/* The instruction's registers are overridden by those of SFPLOADMACRO. */
static void override(struct vector_scheduled *e, unsigned unit, unsigned sequence, unsigned VD)
{
    const struct op_SFPMAD low = decode_SFPMAD(e->word);
    const struct op_SFPSTORE high = decode_SFPSTORE(e->word);
    if (unit == MACRO_STORE) {
        e->VD = (uint8_t)(sequence & USE_LREG16 ? 16 : sequence & KEEP ? high.VD : VD);
        return;
    }
    const unsigned op = tensix_op_of[e->word >> 24], own = vector_has_low_VD(op) ? low.VD : high.VD;
    if (sequence & KEEP) {
        e->VB = (uint8_t)VD;
        e->VC = (uint8_t)(vector_has_VC(op) ? low.VC : own);
    } else {
        e->VC = (uint8_t)VD;
        e->VB = (uint8_t)(vector_has_VB(op, e->word) ? low.VB : own);
    }
    e->Mod0 = (uint8_t)high.Mod0; /* of SFPLUT */
    e->VD = (uint8_t)(sequence & USE_LREG16 ? 16 : VD);
}

static void schedule_one(tensix_step *s, struct vector_files *v, const struct macro_load *load, unsigned unit,
                         unsigned columns)
{
    enum { USES_LOAD_MOD0 = 4, UNIT_DELAY_KIND = 8 };
    struct vector_macro *m = &v->macro;
    const unsigned column = (unsigned)__builtin_ctz(columns);
    const uint8_t sequence = sequence_of(v, load->MacroIndex, column, unit);
    const unsigned slot = (m->at + (sequence >> DELAY_SHIFT & 7u)) & MACRO_SLOT_MASK;
    if ((sequence & FORGETS) == 0)
        return;
    forget(m, unit, slot, columns);
    if ((sequence & SOURCE) == NOTHING || (sequence & SOURCE) == UNDEFINED)
        return;
    uint32_t word = template_of(v, column, sequence);
    if (UNLIKELY(!can_execute(unit, word))) {
        if (unit == MACRO_STORE)
            return; /* undefined */
        word = macro_word_of(TENSIX_SFPNOP);
    }
    const uint32_t misc = v->LoadMacroConfig.Misc[column];
    struct vector_scheduled *e = m->slot[unit][slot];
    while (e->columns != 0) /* columns are in one entry each: there is a free one */
        e++;
    *e = (struct vector_scheduled){.word = word,
                                   .macro = s->word,
                                   .pc = s->pc,
                                   .Addr = (uint16_t)load->Addr,
                                   .columns = (uint8_t)columns,
                                   .thread = s->thread,
                                   .instructions = misc >> (UNIT_DELAY_KIND + unit) & 1};
    override(e, unit, sequence, load->VD);
    if (unit == MACRO_STORE)
        e->Mod0 = (uint8_t)(misc >> (USES_LOAD_MOD0 + load->MacroIndex) & 1 ? load->Mod0 : misc & 15);
    m->waiting[unit] |= (uint8_t)(1u << slot);
    m->instructions[unit] |= (uint8_t)(e->instructions << slot);
    m->pending = 1;
}

void macro_schedule(tensix_step *s, struct macro_load load)
{
    struct vector_files *v = &s->tile->files->vector;
    struct vector_macro *m = &v->macro;
    macro_tell(s->tile, s->tx, s->thread, s->word, s->pc, macro_detail(MACRO_LOAD, load.VD, load.Addr), s->cycle);
    macro_come_to(m, s->cycle + 1);
    for (unsigned left = MACRO_ALL_COLUMNS, columns; left != 0; left &= ~columns) {
        columns = alike(v, load.MacroIndex, left);
        for (unsigned unit = 0; unit < MACRO_UNITS; unit++)
            schedule_one(s, v, &load, unit, columns);
    }
    macro_stays_busy(s, m);
    macro_arrange(s->tx, m);
}

bool macro_is_sane(const struct vector_files *v)
{
    const struct vector_macro *m = &v->macro;
    struct vector_files copy = *v;
    macro_config_changed(&copy);
    bool sane = copy.macros_differ == v->macros_differ && m->at < MACRO_DELAYS && m->exchanging <= LANE_COLUMNS;
    for (unsigned i = 0; i < LANE_COLUMNS; i++)
        sane = sane && m->exchange[i].VB < LREGS && m->exchange[i].VC < LREGS && m->exchange[i].VD < LREGS;
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        for (unsigned slot = 0; slot < MACRO_DELAYS; slot++) {
            unsigned columns = 0;
            for (unsigned i = 0; i < LANE_COLUMNS; i++) {
                const struct vector_scheduled *e = &m->slot[unit][slot][i];
                sane = sane && (columns & e->columns) == 0 && e->VB < 16 && e->VC < 16 && e->VD < LREGS &&
                       e->Mod0 < 16 && e->thread < 3 && e->instructions < 2 &&
                       (e->columns == 0 || can_execute(unit, e->word));
                columns |= e->columns;
            }
            sane = sane && (m->waiting[unit] >> slot & 1) == (columns != 0);
        }
    }
    return sane;
}

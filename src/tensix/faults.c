/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of instructions at the wait gate, and the instructions of the front end, which come there only where they must not. */
#include "tensix_units.h"

#include <stdarg.h>
#include <stdio.h>

bool tensix_fault(tensix_step *s, kerr_fault_kind kind, const char *manual, const char *text, ...)
{
    char buffer[sizeof((kerr_fault *)0)->text];
    va_list arguments;
    if (s->ahead)
        return true;
    va_start(arguments, text);
    vsnprintf(buffer, sizeof buffer, text, arguments);
    va_end(arguments);
    s->tx->yield = true;
    return s->tile->fault(s->tile->owner, kind, s->thread, s->pc & TENSIX_ENTRY_BY_B, s->pc & ~3u, s->word, s->cycle,
                          manual, buffer);
}

step_result tensix_unimplemented(tensix_step *s, unsigned op)
{
    tensix_fault(s, KERR_FAULT_UNIMPLEMENTED, tensix_ops[op].page, "%s: the %s unit does not have it yet",
                 tensix_ops[op].name, tensix_unit_names[tensix_ops[op].unit]);
    return STEP_FAULTED;
}

step_result tensix_unknown(tensix_step *s, unsigned op)
{
    tensix_fault(s, KERR_FAULT_UNKNOWN, NULL, "%s: no document says what it does", tensix_ops[op].name);
    return STEP_FAULTED;
}

step_result tensix_illegal(tensix_step *s)
{
    tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/README", "opcode 0x%02x does not exist", s->word >> 24);
    return STEP_FAULTED;
}

/* Instructions of the front end come to the gate only where they must not. */
static step_result not_here(tensix_step *s, const char *name)
{
    tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/MOPExpander",
                 "%s at the wait gate: RISCV B pushes behind the MOP expander, and a replay buffer may not hold it",
                 name);
    return STEP_FAULTED;
}

step_result frontend_MOP(tensix_step *s, const struct op_MOP *op)
{
    (void)op;
    return not_here(s, "MOP");
}

step_result frontend_MOP_CFG(tensix_step *s, const struct op_MOP_CFG *op)
{
    (void)op;
    return not_here(s, "MOP_CFG");
}

step_result frontend_REPLAY(tensix_step *s, const struct op_REPLAY *op)
{
    (void)op;
    return not_here(s, "REPLAY");
}

/* RESOURCEDECL is for Auto TTSync, before the FIFO; from elsewhere it does nothing. */
step_result frontend_RESOURCEDECL(tensix_step *s, const struct op_RESOURCEDECL *op)
{
    (void)s, (void)op;
    return STEP_RETIRED;
}

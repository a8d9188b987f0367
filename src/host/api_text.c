/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h: instructions as text.  No chip is needed. */
#include "kerr.h"

#include "riscv/disasm.h"
#include "tensix/text.h"
#include "tensix_isa.h"

#include <stdio.h>

bool kerr_disassemble_tensix(uint32_t word, char *buffer, size_t size)
{
    return tensix_disassemble(word, buffer, buffer == NULL ? 0 : size);
}

bool kerr_disassemble_riscv(uint32_t instruction, uint32_t pc, char *buffer, size_t size)
{
    return rv_disassemble(instruction, pc, buffer, buffer == NULL ? 0 : size);
}

bool kerr_is_ttinsn(uint32_t instruction, uint32_t *word)
{
    if ((instruction & 3) == 3) {
        return false;
    }
    if (word != NULL) {
        *word = instruction >> 2 | instruction << 30;
    }
    return true;
}

kerr_status kerr_assemble_tensix(const char *text, uint32_t *word, kerr_text_error *error)
{
    tensix_text_error found = {0};
    if (text == NULL || word == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    if (tensix_assemble(text, word, &found)) {
        return KERR_OK;
    }
    if (error != NULL) {
        error->column = found.column;
        (void)snprintf(error->text, sizeof error->text, "%s", found.text);
    }
    return KERR_BAD_TEXT;
}

uint32_t kerr_tensix_op_count(void)
{
    return TENSIX_OP_COUNT;
}

const char *kerr_tensix_op_name(uint32_t op)
{
    return op < TENSIX_OP_COUNT ? tensix_ops[op].name : NULL;
}

const char *kerr_tensix_op_unit(uint32_t op)
{
    return op < TENSIX_OP_COUNT ? tensix_unit_names[tensix_ops[op].unit] : NULL;
}

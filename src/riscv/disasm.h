/* SPDX-License-Identifier: Apache-2.0 */
/* Baby core instructions as text, in the spelling of GNU objdump -M no-aliases.  Names and operand formats are those of
 * isa/rv32.isa; below OP-FP and OP-V, which are one row there, the names stand in disasm.c. */
#ifndef KERR_RISCV_DISASM_H
#define KERR_RISCV_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the text, cut to size with its 0 byte.  pc is for the targets of jumps and branches.  A .ttinsn is written
 * with the word that it pushes.  False, and ".word 0x..." is written, if no baby core has the instruction. */
bool rv_disassemble(uint32_t instruction, uint32_t pc, char *buffer, size_t size);

#endif

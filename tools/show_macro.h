/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of a kernel with SFPLOADMACRO: what each sub-unit of a Vector Unit does in each cycle. */
#ifndef KERR_TOOLS_SHOW_MACRO_H
#define KERR_TOOLS_SHOW_MACRO_H

#include "kerr.h"
#include "tool_error.h"

enum { SHOW_MACRO_CYCLES = 32, SHOW_MACRO_MOST = 4096 };

/* Runs the chip on until a tile executes SFPLOADMACRO and draws `cycles` cycles from there.  what: "TILE", then to standard output, or
 * "TILE=FILE.svg". */
bool show_macro(kerr_chip *chip, const char *what, uint32_t cycles, tool_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the symbols of a program say about its end, and for which core it was linked (sdk/README.md, "Start and end"). */
#ifndef KERR_TOOLS_ELF_ENDS_H
#define KERR_TOOLS_ELF_ENDS_H

#include "elf_load.h"

/* Where a core may stay for good. */
typedef struct elf_ends {
    kerr_code of[KERR_ENDS_MAX];
    size_t count;
} elf_ends;

/* What the program names itself: all that begins with __kerr_end or __kerr_idle. */
bool elf_image_ends(const elf_image *image, elf_ends *ends, tool_error *error);
/* Adds "SYMBOL", "ADDRESS" or "ADDRESS+SIZE".  *found: there is such a symbol, or it is an address. */
bool elf_image_add_end(const elf_image *image, const char *text, elf_ends *ends, bool *found, tool_error *error);
/* The core that an ELF file of the sdk was linked for; false if it does not say. */
bool elf_image_core(const elf_image *image, kerr_core *core);

#endif

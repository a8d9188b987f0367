/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the source for a chip whose programs nobody has named: what stands around a pc in L1 is looked for in ELF files by
 * content (code_match.h).  In two passes: what is asked before the search is only remembered. */
#ifndef KERR_TOOLS_CHIP_CODE_H
#define KERR_TOOLS_CHIP_CODE_H

#include <stddef.h>
#include <stdio.h>

#include "kerr_findings.h"

typedef struct chip_code chip_code;

/* NULL without memory. */
chip_code *chip_code_new(const kerr_chip *chip);
void chip_code_free(chip_code *code);
/* Below these folders, or in these files, for so many seconds at most. */
void chip_code_search(chip_code *code, const char *const *folders, size_t count, double seconds);
void chip_code_place(void *code, kerr_xy at, int core, uint32_t pc, kerr_place *place); /* a kerr_place_fn */
/* Of programs that were asked for lines and have none to give: a sentence each. */
void chip_code_tell_of_lines(const chip_code *code, FILE *to);

#endif

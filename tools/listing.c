/* SPDX-License-Identifier: Apache-2.0 */
#include "listing.h"

#include <inttypes.h>

#include "kerr.h"

bool listing_word(FILE *to, uint64_t address, uint32_t word, listing_kind kind)
{
    char text[KERR_INSTRUCTION_TEXT_MAX];
    uint32_t pushed = 0;
    if (kind == LISTING_TENSIX) {
        const bool known = kerr_disassemble_tensix(word, text, sizeof text);
        (void)fprintf(to, "%08" PRIx32 "  %s", word, text);
        return known;
    }
    if (kerr_is_ttinsn(word, &pushed)) {
        const bool known = kerr_disassemble_tensix(pushed, text, sizeof text);
        (void)fprintf(to, "%08" PRIx32 "  .ttinsn %s", word, text);
        return known;
    }
    const bool known = kerr_disassemble_riscv(word, (uint32_t)address, text, sizeof text);
    (void)fprintf(to, "%08" PRIx32 "  %s", word, text);
    return known;
}

bool listing_line(FILE *to, uint64_t address, uint32_t word, listing_kind kind)
{
    (void)fprintf(to, "%8" PRIx64 ":  ", address);
    const bool known = listing_word(to, address, word, kind);
    (void)putc('\n', to);
    return known;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Says hello through L1.  The same file serves all five cores: each writes a line of its own.
 *
 *   kerr-cc B hello.c -o hello_B.elf
 *   kerr run 1,2:B=hello_B.elf --dump 1,2@0x20000+64=hex */
#include "kerr_sdk.h"
#include "kerr_text.h"

enum { LINE_BYTES = 64 };

static const char *const names[] = {"B", "T0", "T1", "T2", "NC"};

int main(void)
{
    kerr_text line = kerr_text_at(KERR_SHARED_BASE + LINE_BYTES * KERR_CORE, LINE_BYTES);
    kerr_text_put(&line, "Hello from RISCV ");
    kerr_text_put(&line, names[KERR_CORE]);
    kerr_text_put(&line, " of tile ");
    kerr_text_number(&line, kerr_tile_x());
    kerr_text_char(&line, ',');
    kerr_text_number(&line, kerr_tile_y());
    kerr_text_put(&line, " in cycle ");
    kerr_text_number(&line, kerr_wall_clock_low());
    kerr_text_char(&line, '\n');
    return 0;
}

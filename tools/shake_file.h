/* SPDX-License-Identifier: Apache-2.0 */
/* Files that say which delays of --shake happen: kerr run --shake-only, kerr shrink. */
#ifndef KERR_TOOLS_SHAKE_FILE_H
#define KERR_TOOLS_SHAKE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "kerr.h"
#include "tool_error.h"

/* Lines of "SITE X,Y SUB FIRST[-LAST] [LARGEST]"; # begins a comment.  *ranges is the caller's to free. */
bool shake_file_parse(const char *name, char *text, kerr_shake_range **ranges, size_t *count, tool_error *error);
/* Reads the file and tells the chip. */
bool shake_file_apply(const char *path, uint64_t seed, kerr_chip *chip, tool_error *error);
void shake_file_print(FILE *to, const kerr_shake_range *ranges, size_t count);

#endif

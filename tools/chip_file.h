/* SPDX-License-Identifier: Apache-2.0 */
/* Chips in files: what kerr run --save writes and kerr show reads. */
#ifndef KERR_TOOLS_CHIP_FILE_H
#define KERR_TOOLS_CHIP_FILE_H

#include "kerr.h"
#include "tool_error.h"

bool chip_file_write(const char *path, const kerr_chip *chip, tool_error *error);
/* Asked now and then whether to go on; false: no more, and it fails. */
typedef bool (*chip_file_ask)(void *context);
/* The same, but the file is there whole or not at all. */
bool chip_file_write_whole(const char *path, const kerr_chip *chip, tool_error *error);
bool chip_file_write_asking(const char *path, const kerr_chip *chip, chip_file_ask ask, void *context,
                            tool_error *error);
/* *chip is the caller's to destroy. */
bool chip_file_read(const char *path, kerr_chip **chip, tool_error *error);
/* Into a chip that is there.  keep: it stays as it is if the file is no good, which is read twice for that; else it is then as after
 * kerr_reset, or as the file has it if only its end is damaged. */
bool chip_file_restore(const char *path, kerr_chip *chip, bool keep, chip_file_ask ask, void *context,
                       tool_error *error);

#endif

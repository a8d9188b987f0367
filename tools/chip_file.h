/* SPDX-License-Identifier: Apache-2.0 */
/* Chips in files: what kerr run --save writes and kerr show reads. */
#ifndef KERR_TOOLS_CHIP_FILE_H
#define KERR_TOOLS_CHIP_FILE_H

#include "kerr.h"
#include "tool_error.h"

bool chip_file_write(const char *path, const kerr_chip *chip, tool_error *error);
/* The same, but the file is there whole or not at all. */
bool chip_file_write_whole(const char *path, const kerr_chip *chip, tool_error *error);
/* *chip is the caller's to destroy. */
bool chip_file_read(const char *path, kerr_chip **chip, tool_error *error);

#endif

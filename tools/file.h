/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files in memory, and paths next to another file. */
#ifndef KERR_TOOLS_FILE_H
#define KERR_TOOLS_FILE_H

#include <stddef.h>

#include "tool_error.h"

/* Reads a file of at most max bytes; *data is the caller's to free, with a 0 byte behind the last one. */
bool file_read(const char *path, size_t max, char **data, size_t *size, tool_error *error);
/* path as seen from the folder of beside; beside NULL means as it is.  The caller's to free; NULL without memory. */
char *file_path_beside(const char *beside, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Where the drop-in library is. */
#ifndef KERR_TOOLS_EXEC_LIBRARY_H
#define KERR_TOOLS_EXEC_LIBRARY_H

#include "tool_error.h"

enum { EXEC_PATH = 4096 };

/* The one that was given, or libttsim.so of this build: beside the command, or where `make install` puts it. */
bool exec_library_find(const char *given, char path[EXEC_PATH], tool_error *error);

#endif

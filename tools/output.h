/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are to be written when a run is over: whether they can be is found out before it. */
#ifndef KERR_TOOLS_OUTPUT_H
#define KERR_TOOLS_OUTPUT_H

#include "tool_error.h"

/* `option` ("--save") begins the message.  NULL and "-" are always good.  Nothing is left behind, and what is there stays as it is. */
bool output_check(const char *option, const char *path, tool_error *error);
/* The same of a folder that is made if it is not there, and stays. */
bool output_check_folder(const char *option, const char *path, tool_error *error);
/* A file or folder that is to be read. */
bool input_check(const char *path, bool folder, tool_error *error);

#endif

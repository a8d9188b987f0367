/* SPDX-License-Identifier: Apache-2.0 */
/* What is wanted of kerr exec: its options. */
#ifndef KERR_TOOLS_EXEC_WISH_H
#define KERR_TOOLS_EXEC_WISH_H

#include <stddef.h>
#include <stdint.h>

#include "chip_series.h"
#include "tool_error.h"

enum { EXEC_FOLDERS = 32 };

typedef struct exec_wish {
    const char *library, *threads, *seed, *shake, *harvest, *on_fault, *client_timeout, *output, *record, *report,
        *trace, *kernels;
    const char *policy, *check, *findings, *save;
    chip_series series; /* the library's; what is in its folder is removed here */
    const char *attach; /* where; or NULL */
    bool no_attach, has_port, findings_ok;
    uint16_t port;                         /* for gdb */
    double hang, timeout;                  /* seconds; < 0: not given */
    const char *folders[EXEC_FOLDERS + 3]; /* with those of add_folders */
    size_t folder_count;
    bool quiet;
    int operands;
    char *const *program; /* ends with NULL */
} exec_wish;

/* The program stays the caller's to find: the last `operands` of the arguments. */
bool exec_wish_parse(exec_wish *w, int count, char *const *arguments, bool *help, tool_error *error);

#endif

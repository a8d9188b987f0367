/* SPDX-License-Identifier: Apache-2.0 */
/* What the Python package has of the kerr command: saved chips and traces, as the command reads and writes them.  A library beside
 * libkerr, which needs libc alone; this one needs libzstd too. */
#ifndef KERR_TOOLS_PYTHON_FILES_H
#define KERR_TOOLS_PYTHON_FILES_H

#include "kerr.h"

/* Asked now and then whether to go on. */
typedef bool (*kerr_files_ask)(void *context);
/* The name of the function at pc, or NULL; it stays. */
typedef const char *(*kerr_files_function)(void *context, kerr_xy at, unsigned core, uint32_t pc);
typedef struct kerr_files_trace kerr_files_trace;

/* False, or NULL: a sentence is in `text`. */
bool kerr_files_save(const char *path, const kerr_chip *chip, kerr_files_ask ask, void *context, char *text,
                     size_t size);
/* keep: the chip stays as it is if the file is no good; else it is of no use then. */
bool kerr_files_restore(const char *path, kerr_chip *chip, bool keep, kerr_files_ask ask, void *context, char *text,
                        size_t size);
/* A trace for the Perfetto UI of all that the chip does from now on; it takes the place of a hook of kerr_set_trace.  What `ask`
 * answers does not matter: it may call kerr_cut. */
kerr_files_trace *kerr_files_trace_begin(const char *path, kerr_chip *chip, kerr_files_function function,
                                         kerr_files_ask ask, void *context, char *text, size_t size);
/* chip: as given, or NULL if it is gone. */
bool kerr_files_trace_end(kerr_files_trace *trace, kerr_chip *chip, char *text, size_t size);

#endif

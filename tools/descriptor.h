/* SPDX-License-Identifier: Apache-2.0 */
/* Soc descriptors: the YAML files host software (tt-umd, tt-metal) describes a chip with. */
#ifndef KERR_TOOLS_DESCRIPTOR_H
#define KERR_TOOLS_DESCRIPTOR_H

#include <stdio.h>

#include "kerr.h"
#include "tool_error.h"

/* Compares a descriptor with a chip of this shape and prints each difference and note to a stream. *fits says whether host software
 * that reads it would find what it expects.  False, with the error, if it is no descriptor at all. */
bool descriptor_compare(const char *path, const kerr_harvesting *shape, FILE *to, bool *fits, tool_error *error);

#endif

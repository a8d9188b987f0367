/* SPDX-License-Identifier: Apache-2.0 */
/* Which words of Config an instruction reads while it executes: by its unit, and of unpackers by which of the two.  Words that
 * only some modes read are included. */
#ifndef KERR_CHECK_CONFIG_USES_H
#define KERR_CHECK_CONFIG_USES_H

#include <stdbool.h>
#include <stdint.h>

/* `word` of the bank that its thread uses. */
bool config_is_used(unsigned unit, unsigned op, uint32_t instruction, unsigned word);

#endif

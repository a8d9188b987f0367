/* SPDX-License-Identifier: Apache-2.0 */
#ifndef KERR_DROPIN_FINDINGS_FILE_H
#define KERR_DROPIN_FINDINGS_FILE_H

#include "kerr_findings.h"

/* What was found on a chip, a line of JSON each, behind what is in the file: chips and processes of one run follow each other.
 * False: it cannot be written. */
bool findings_file_append(const char *path, const kerr_chip *chip);

#endif

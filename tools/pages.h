/* SPDX-License-Identifier: Apache-2.0 */
/* The pages of docs/findings, which scripts/embed-pages.py has put into the command. */
#ifndef KERR_TOOLS_PAGES_H
#define KERR_TOOLS_PAGES_H

#include <stddef.h>

typedef struct finding_page {
    const char *name;         /* of the kind */
    const char *const *lines; /* up to NULL */
} finding_page;
/* NULL past the end. */
const finding_page *finding_page_at(size_t index);
const finding_page *finding_page_by_name(const char *name);

#endif

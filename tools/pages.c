/* SPDX-License-Identifier: Apache-2.0 */
#include "pages.h"

#include <string.h>

#include "finding_pages.h"

enum { PAGES = sizeof finding_pages / sizeof *finding_pages };

const finding_page *finding_page_at(size_t index)
{
    return index < PAGES ? &finding_pages[index] : NULL;
}

const finding_page *finding_page_by_name(const char *name)
{
    for (size_t i = 0; i < PAGES; i++) {
        if (strcmp(finding_pages[i].name, name) == 0) {
            return &finding_pages[i];
        }
    }
    return NULL;
}

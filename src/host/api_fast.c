/* SPDX-License-Identifier: Apache-2.0 */
/* The switches of the fast mechanisms, by name (base/fast.def). */
#include "base/fast.h"
#include "kerr_findings.h"

#include <stdio.h>

bool kerr_fast_at(uint32_t index, kerr_fast *fast)
{
    if (fast == NULL || index >= FAST_MECHANISMS) {
        return false;
    }
    *fast = (kerr_fast){fast_texts[index].name, fast_texts[index].text, UINT32_C(1) << index};
    return true;
}

bool kerr_fast_parse(const char *text, uint32_t *without, kerr_text_error *error)
{
    const char *bad = "";
    size_t length = 0;
    if (text != NULL && without != NULL && fast_parse(text, without, &bad, &length)) {
        return true;
    }
    if (error != NULL) {
        const char *names[FAST_MECHANISMS];
        char given[32];
        for (unsigned i = 0; i < FAST_MECHANISMS; i++) {
            names[i] = fast_texts[i].name;
        }
        const bool sign = *bad == '-' || *bad == '+';
        snprintf(given, sizeof given, "%.*s", (int)(length - sign), bad + sign);
        const char *near = kerr_name_near(given, names, FAST_MECHANISMS);
        error->column = text == NULL ? 1 : (uint32_t)(bad - text) + 1;
        snprintf(error->text, sizeof error->text,
                 "'%.24s' is no fast mechanism: all, none, or -NAME and +NAME (kerr info lists them)%s%s%s", given,
                 near != NULL ? "; did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* kerr_findings.h: the kinds, from kinds.def. */
#include "check/check.h"

#include <string.h>

static const struct {
    const char *name, *title;
    kerr_severity severity;
} kinds[FINDING_KINDS] = {
#define KIND(constant, name, severity, class, title) {name, title, KERR_SEVERITY_##severity},
#include "check/kinds.def"
#undef KIND
};

uint32_t kerr_finding_kinds(void)
{
    return FINDING_KINDS;
}

const char *kerr_finding_name(kerr_finding_kind kind)
{
    return kind < FINDING_KINDS ? kinds[kind].name : NULL;
}

const char *kerr_finding_title(kerr_finding_kind kind)
{
    return kind < FINDING_KINDS ? kinds[kind].title : NULL;
}

kerr_severity kerr_finding_severity(kerr_finding_kind kind)
{
    return kind < FINDING_KINDS ? kinds[kind].severity : KERR_SEVERITY_NOTE;
}

bool kerr_finding_by_name(const char *name, kerr_finding_kind *kind)
{
    for (uint32_t i = 0; name != NULL && kind != NULL && i < FINDING_KINDS; i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            *kind = i;
            return true;
        }
    }
    return false;
}

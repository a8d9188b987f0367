/* SPDX-License-Identifier: Apache-2.0 */
/* kerr explain: the page of a kind of finding. */
#include <stdio.h>
#include <strings.h>

#include "kerr_findings.h"
#include "pages.h"
#include "verbs.h"

typedef struct explain_wish {
    unsigned count;
} explain_wish;

static void print_page(const finding_page *page)
{
    for (const char *const *line = page->lines; *line != NULL; line++) {
        (void)printf("%s\n", *line);
    }
}

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    explain_wish *w = context;
    (void)id;
    for (uint32_t i = 0; i < kerr_finding_kinds(); i++) {
        const finding_page *page =
            strcasecmp(value, kerr_finding_name(i)) == 0 ? finding_page_by_name(kerr_finding_name(i)) : NULL;
        if (page != NULL) {
            (void)printf("%s", w->count++ > 0 ? "\n" : "");
            print_page(page);
            return true;
        }
    }
    const char *near = kerr_finding_near(value);
    char meant[64];
    return tool_fail(error, "there is no kind of finding '%s' (kerr explain lists them)%s", value,
                     meant_text(meant, sizeof meant, "", near));
}

static void list_kinds(void)
{
    static const char *const severities[] = {"note", "warning", "error"};
    for (uint32_t i = 0; i < kerr_finding_kinds(); i++) {
        (void)printf("%-18s %-8s %s\n", kerr_finding_name(i), severities[kerr_finding_severity(i)],
                     kerr_finding_title(i));
    }
}

int explain_main(int count, char *const *arguments)
{
    explain_wish wish = {.count = 0};
    tool_error error;
    bool help = false;
    if (!options_parse(VERB_EXPLAIN, count, arguments, take_argument, &wish, &help, &error)) {
        return verb_refuse(VERB_EXPLAIN, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_EXPLAIN);
    } else if (wish.count == 0) {
        list_kinds();
    }
    return EXIT_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "shake_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

enum { FILE_MAX = 1 << 24 };

static bool find_site(const char *name, uint8_t *site)
{
    for (uint32_t i = 0; kerr_shake_site(i) != NULL; i++) {
        if (strcmp(kerr_shake_site(i)->name, name) == 0) {
            *site = (uint8_t)i;
            return true;
        }
    }
    return false;
}

static bool parse_line(const char *line, kerr_shake_range *range, tool_error *error)
{
    char site[32];
    unsigned x, y, sub, largest = 0;
    int used = 0, more = 0;
    *range = (kerr_shake_range){0};
    if (sscanf(line, "%31s %u,%u %u %" SCNu64 "%n", site, &x, &y, &sub, &range->first, &used) < 5) {
        return tool_fail(error, "not SITE X,Y SUB FIRST[-LAST] [LARGEST]");
    }
    range->last = range->first;
    if (line[used] == '-' && sscanf(line + used, "-%" SCNu64 "%n", &range->last, &more) == 1) {
        used += more;
    }
    if (sscanf(line + used, " %u%n", &largest, &more) == 1) {
        used += more;
    }
    if (line[used + (int)strspn(line + used, " \t\r")] != '\0') {
        return tool_fail(error, "'%s' behind the numbers", line + used);
    }
    if (!find_site(site, &range->site)) {
        return tool_fail(error, "there is no site '%s' (docs/shake.md has them)", site);
    }
    if (x >= KERR_GRID_X || y >= KERR_GRID_Y || sub > UINT16_MAX || range->last < range->first) {
        return tool_fail(error, "a number is out of range");
    }
    range->at = (kerr_xy){(uint8_t)x, (uint8_t)y};
    range->sub = (uint16_t)sub;
    range->largest = largest;
    return true;
}

bool shake_file_parse(const char *name, char *text, kerr_shake_range **ranges, size_t *count, tool_error *error)
{
    size_t room = 64, number = 0;
    *count = 0;
    *ranges = malloc(room * sizeof **ranges);
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line != NULL && *ranges != NULL; line = strsep(&rest, "\n")) {
        line[strcspn(line, "#")] = '\0';
        number++;
        if (line[strspn(line, " \t\r")] == '\0') {
            continue;
        }
        if (*count == room) {
            room *= 2;
            kerr_shake_range *larger = realloc(*ranges, room * sizeof **ranges);
            if (larger == NULL) {
                break;
            }
            *ranges = larger;
        }
        if (!parse_line(line, &(*ranges)[*count], error)) {
            free(*ranges);
            *ranges = NULL;
            return tool_fail_at(error, "%s, line %zu", name, number);
        }
        ++*count;
    }
    if (*ranges == NULL || rest != NULL) {
        free(*ranges);
        *ranges = NULL;
        return tool_fail(error, "out of memory");
    }
    return true;
}

bool shake_file_apply(const char *path, uint64_t seed, kerr_chip *chip, tool_error *error)
{
    char *text;
    size_t size, count;
    kerr_shake_range *ranges;
    if (!file_read(path, FILE_MAX, &text, &size, error)) {
        return false;
    }
    const bool parsed = strlen(text) == size ? shake_file_parse(path, text, &ranges, &count, error)
                                             : tool_fail(error, "%s: not a text file", path);
    free(text);
    if (!parsed) {
        return false;
    }
    const kerr_status status = kerr_set_shake(chip, seed, ranges, count);
    free(ranges);
    return status == KERR_OK ||
           tool_fail(error, "%s: %s", path,
                     status == KERR_BAD_ARGUMENT ? "two lines have a delay in common, or there are more than 65536"
                                                 : kerr_status_text(status));
}

void shake_file_print(FILE *to, const kerr_shake_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const kerr_shake_range *range = &ranges[i];
        fprintf(to, "%s %u,%u %u %" PRIu64, kerr_shake_site(range->site)->name, range->at.x, range->at.y, range->sub,
                range->first);
        if (range->last != range->first) {
            fprintf(to, "-%" PRIu64, range->last);
        }
        if (range->largest != 0) {
            fprintf(to, " %u", range->largest);
        }
        fputc('\n', to);
    }
}

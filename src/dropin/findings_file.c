/* SPDX-License-Identifier: Apache-2.0 */
#include "dropin/findings_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* In one piece, so that lines of several processes do not get mixed. */
static bool write_line(int file, const char *line, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(file, line + done, size - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

bool findings_file_append(const char *path, const kerr_chip *chip)
{
    uint32_t count = 0, filled = 0;
    if (kerr_finding_count(chip, &count) != KERR_OK)
        return false;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    kerr_finding *list = calloc((size_t)count + 1, sizeof *list);
    char *line = malloc(KERR_FINDING_JSON_MAX);
    bool good =
        file >= 0 && list != NULL && line != NULL && kerr_finding_list(chip, 0, list, count, &filled) == KERR_OK;
    for (uint32_t i = 0; good && i < filled; i++) {
        const size_t n = kerr_finding_json(&list[i], NULL, NULL, line, KERR_FINDING_JSON_MAX - 1);
        if (n > 0 && n < KERR_FINDING_JSON_MAX - 1) {
            line[n] = '\n';
            good = write_line(file, line, n + 1);
        }
    }
    if (file >= 0)
        good = close(file) == 0 && good;
    free(list);
    free(line);
    return good;
}

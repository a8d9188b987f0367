/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool put(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, context) == size;
}

static bool get(void *context, void *data, size_t size)
{
    return fread(data, 1, size, context) == size;
}

bool chip_file_write(const char *path, const kerr_chip *chip, tool_error *error)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    const kerr_status status = kerr_save(chip, put, file);
    const bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        return tool_fail(error, "%s: cannot be written to the end", path);
    }
    return status == KERR_OK || tool_fail(error, "%s: the chip cannot be saved: %s", path, kerr_status_text(status));
}

bool chip_file_read(const char *path, kerr_chip **chip, tool_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    kerr_status status = kerr_create(NULL, chip);
    if (status != KERR_OK) {
        (void)fclose(file);
        return tool_fail(error, "cannot make a chip: %s", kerr_status_text(status));
    }
    status = kerr_restore(*chip, get, file);
    (void)fclose(file);
    return status == KERR_OK ||
           tool_fail(error, "%s: is not a chip that this build saved: %s", path, kerr_status_text(status));
}

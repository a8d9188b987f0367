/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: any bytes as a job file, and as the forms of the command line that say the same.  The first byte
 * chooses. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool truth)
{
    if (!truth) {
        abort();
    }
}

/* What a job holds must be in range, whatever was written. */
static void check(const job *read)
{
    require(read->config.threads <= JOB_THREADS_MAX);
    for (size_t i = 0; i < read->program_count; i++) {
        require(read->programs[i].elf != NULL && tile_set_count(&read->programs[i].tiles) > 0);
        require(read->programs[i].cores != 0 && read->programs[i].cores < 1u << KERR_CORE_COUNT);
    }
    for (size_t i = 0; i < read->preload_count; i++) {
        const job_preload *preload = &read->preloads[i];
        require((preload->file != NULL) + (preload->words != NULL) + (preload->size > 0) == 1);
    }
    for (size_t i = 0; i < read->dump_count; i++) {
        require(read->dumps[i].size > 0 && (read->dumps[i].file != NULL) == (read->dumps[i].format == DUMP_TO_FILE));
    }
    for (size_t i = 0; i < read->until_count; i++) {
        require(read->untils[i].address % 4 == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    job todo;
    tool_error error = {""};
    bool ok;
    if (size == 0) {
        return 0;
    }
    char *text = malloc(size);
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    job_init(&todo);
    switch (data[0]) {
    case 'p': ok = job_add_program(&todo, text, &error); break;
    case 'l': ok = job_add_preload(&todo, text, &error); break;
    case 'd': ok = job_add_dump(&todo, text, &error); break;
    case 'u': ok = job_add_until(&todo, text, &error); break;
    default: ok = job_read(&todo, "input", text, size - 1, &error); break;
    }
    if (ok) {
        check(&todo);
    } else {
        require(error.text[0] != '\0');
    }
    job_free(&todo);
    free(text);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: any bytes as an ELF file.  What is accepted must hold together: it is loaded onto a core, and every pc
 * of its code is looked up in its line tables. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/dwarf_lines.h"
#include "../../tools/elf_load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One chip for all inputs: making one for each would be most of the time. */
static kerr_chip *chip;

static void require(bool truth)
{
    if (!truth) {
        abort();
    }
}

static void look_up(const elf_image *image)
{
    dwarf_lines *lines = dwarf_lines_open(image->elf);
    require(lines != NULL);
    for (size_t i = 0; i < image->piece_count; i++) {
        const elf_piece *piece = &image->pieces[i];
        for (uint32_t offset = 0; offset < piece->file_size && offset < 64; offset += 4) {
            uint32_t linked;
            dwarf_place place;
            if (elf_image_linked_pc(image, piece->load_address + offset, &linked) &&
                dwarf_lines_find(lines, linked, &place)) {
                dwarf_lines_find_inlined(lines, linked, &place);
                (void)dwarf_lines_state(lines);
                require(place.from == NULL || strlen(place.from) < SIZE_MAX);
                require(place.function == NULL || strlen(place.function) < SIZE_MAX);
                require(place.file == NULL || strlen(place.file) < SIZE_MAX);
            }
        }
    }
    dwarf_lines_close(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tool_error error = {""};
    elf_image image;
    if (chip == NULL) {
        require(kerr_create(NULL, &chip) == KERR_OK);
    }
    char *copy = malloc(size + 1);
    require(copy != NULL);
    memcpy(copy, data, size);
    if (!elf_image_from_memory(&image, "input", copy, size, &error)) {
        require(strncmp(error.text, "input: ", 7) == 0);
        return 0;
    }
    require(elf_image_check_entry(&image, image.entry, &error));
    if (!elf_image_load(&image, chip, kerr_tensix_xy(0), (kerr_core)(size % KERR_CORE_COUNT), &error)) {
        require(strncmp(error.text, "input: ", 7) == 0);
    }
    look_up(&image);
    elf_image_free(&image);
    return 0;
}

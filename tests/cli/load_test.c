/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files and job files as the command's parts read them: a refusal leaves the chip as it was, and what a job file says
 * arrives where it belongs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "../../tools/elf_load.h"
#include "../../tools/job.h"

enum { BASE = 0x3000, OTHER = 0x9000 };

/* An executable with two segments of 16 bytes each: code at BASE, and data where the test wants it. */
static char *make_elf(uint32_t second, uint32_t second_load, size_t *size)
{
    enum { PAYLOAD = 16 };
    *size = sizeof(Elf32_Ehdr) + 2 * sizeof(Elf32_Phdr) + 2 * PAYLOAD;
    char *file = calloc(1, *size);
    assert_non_null(file);
    Elf32_Ehdr header = {
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = EM_RISCV,
        .e_version = EV_CURRENT,
        .e_entry = BASE,
        .e_phoff = sizeof(Elf32_Ehdr),
        .e_ehsize = sizeof(Elf32_Ehdr),
        .e_phentsize = sizeof(Elf32_Phdr),
        .e_phnum = 2,
    };
    Elf32_Phdr segments[2] = {
        {.p_type = PT_LOAD,
         .p_vaddr = BASE,
         .p_paddr = BASE,
         .p_filesz = PAYLOAD,
         .p_memsz = PAYLOAD,
         .p_flags = PF_R | PF_X},
        {.p_type = PT_LOAD,
         .p_vaddr = second,
         .p_paddr = second_load,
         .p_filesz = PAYLOAD,
         .p_memsz = 2 * PAYLOAD,
         .p_flags = PF_R | PF_W},
    };
    segments[0].p_offset = sizeof header + sizeof segments;
    segments[1].p_offset = segments[0].p_offset + PAYLOAD;
    memcpy(file, &header, sizeof header);
    memcpy(file + sizeof header, segments, sizeof segments);
    memset(file + segments[0].p_offset, 0xA5, 2 * PAYLOAD);
    return file;
}

static uint32_t peek32(const kerr_chip *chip, kerr_xy at, uint32_t address)
{
    uint32_t word = 0;
    assert_int_equal(kerr_peek(chip, at, address, &word, sizeof word), KERR_OK);
    return word;
}

static uint64_t hash_of(const kerr_chip *chip)
{
    uint64_t hash = 0;
    assert_int_equal(kerr_hash(chip, &hash), KERR_OK);
    return hash;
}

/* A chip with some content. */
static kerr_chip *make_chip(void)
{
    kerr_chip *chip = NULL;
    const uint32_t mark = 0x11223344;
    assert_int_equal(kerr_create(NULL, &chip), KERR_OK);
    assert_int_equal(kerr_poke(chip, kerr_tensix_xy(0), BASE, &mark, sizeof mark), KERR_OK);
    return chip;
}

static void refused_load_leaves_the_chip_unchanged(void **state)
{
    (void)state;
    kerr_chip *chip = make_chip();
    const uint64_t before = hash_of(chip);
    /* Outside L1, across its end, and in the hole below the local RAM: the first segment must not arrive either. */
    static const uint32_t places[] = {0x00800000, 0x0017FFF0, 0xFFA00000};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        size_t size;
        char *file = make_elf(places[i], places[i], &size);
        elf_image image;
        tool_error error;
        assert_true(elf_image_from_memory(&image, "x.elf", file, size, &error));
        assert_false(elf_image_load(&image, chip, kerr_tensix_xy(0), KERR_CORE_B, &error));
        assert_non_null(strstr(error.text, "x.elf"));
        assert_non_null(strstr(error.text, "outside the memory"));
        assert_int_equal(peek32(chip, kerr_tensix_xy(0), BASE), 0x11223344);
        assert_true(hash_of(chip) == before);
        elf_image_free(&image);
    }
    kerr_destroy(chip);
}

static void load_on_a_tile_without_cores_is_refused(void **state)
{
    (void)state;
    kerr_chip *chip = make_chip();
    const uint64_t before = hash_of(chip);
    size_t size;
    char *file = make_elf(OTHER, OTHER, &size);
    elf_image image;
    tool_error error;
    assert_true(elf_image_from_memory(&image, "x.elf", file, size, &error));
    assert_false(elf_image_load(&image, chip, (kerr_xy){8, 0}, KERR_CORE_B, &error));
    assert_true(hash_of(chip) == before);
    elf_image_free(&image);
    kerr_destroy(chip);
}

static void load_address_wins_and_its_tail_is_not_cleared(void **state)
{
    (void)state;
    kerr_chip *chip = make_chip();
    const uint32_t mark = 0x11223344;
    const kerr_xy at = kerr_tensix_xy(0);
    assert_int_equal(kerr_poke(chip, at, OTHER + 16, &mark, sizeof mark), KERR_OK);
    size_t size;
    char *file = make_elf(0xFFB00000, OTHER, &size);
    elf_image image;
    tool_error error;
    assert_true(elf_image_from_memory(&image, "x.elf", file, size, &error));
    assert_true(elf_image_load(&image, chip, at, KERR_CORE_B, &error));
    assert_int_equal(peek32(chip, at, BASE), 0xA5A5A5A5);
    assert_int_equal(peek32(chip, at, OTHER + 12), 0xA5A5A5A5);
    assert_int_equal(peek32(chip, at, OTHER + 16), 0x11223344);
    elf_image_free(&image);

    /* Linked and loaded at one place, what the file does not hold is zero. */
    file = make_elf(OTHER, OTHER, &size);
    assert_true(elf_image_from_memory(&image, "x.elf", file, size, &error));
    assert_true(elf_image_load(&image, chip, at, KERR_CORE_B, &error));
    assert_int_equal(peek32(chip, at, OTHER + 16), 0);
    elf_image_free(&image);
    kerr_destroy(chip);
}

/* Every truncation of a good file, and every single byte of its headers changed to a few values: no crash, and either a
 * sentence or an image that holds together. */
static void damaged_files_are_refused_or_whole(void **state)
{
    (void)state;
    size_t size;
    char *good = make_elf(OTHER, OTHER, &size);
    elf_image image;
    tool_error error;
    for (size_t length = 0; length < size; length++) {
        char *copy = malloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, good, length);
        assert_false(elf_image_from_memory(&image, "x.elf", copy, length, &error));
        assert_int_equal(strncmp(error.text, "x.elf: ", 7), 0);
    }
    static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    for (size_t at = 0; at < sizeof(Elf32_Ehdr) + 2 * sizeof(Elf32_Phdr); at++) {
        for (size_t v = 0; v < sizeof values; v++) {
            char *copy = malloc(size);
            assert_non_null(copy);
            memcpy(copy, good, size);
            copy[at] = (char)values[v];
            if (elf_image_from_memory(&image, "x.elf", copy, size, &error)) {
                for (size_t i = 0; i < image.piece_count; i++) {
                    const elf_piece *piece = &image.pieces[i];
                    assert_true(piece->data >= image.file &&
                                piece->data + piece->file_size <= image.file + image.file_size);
                }
            }
            elf_image_free(&image);
        }
    }
    free(good);
}

static void job_values_arrive(void **state)
{
    (void)state;
    static const char text[] = "cycles: 3k\n"
                               "timeout: 1.5\n"
                               "threads: 3\n"
                               "seed: 0xFFFFFFFFFFFFFFFF\n"
                               "every: 7\n"
                               "policy: {all: go-on, hazard: ignore}\n"
                               "programs:\n"
                               "  - elf: a.elf\n"
                               "  - {elf: /b.elf, tiles: \"2-4,5\", cores: [T0, NCRISC], entry: 0x44}\n"
                               "preload:\n"
                               "  - {tile: \"1,2\", address: 0x10, words: [1, 0xFFFFFFFF]}\n"
                               "  - {tile: \"0,0\", address: 0x100000000, fill: 5, size: 8}\n"
                               "dump: [{tile: all, address: 1, size: 2}]\n"
                               "until: {tile: \"1,2\", address: 8, mask: 0xF0, ne: 0x30}\n";
    job todo;
    tool_error error;
    job_init(&todo);
    assert_true(job_read(&todo, "folder/j.yaml", text, sizeof text - 1, &error));
    assert_true(todo.has_cycles && todo.cycles == 3000 && todo.timeout_seconds > 1.49 && todo.timeout_seconds < 1.51);
    assert_int_equal(todo.config.threads, 3);
    assert_true(todo.config.seed == UINT64_MAX);
    assert_int_equal(todo.every, 7);
    assert_int_equal(todo.policies.of[KERR_FAULT_UNDEFINED], KERR_POLICY_GO_ON);
    assert_int_equal(todo.policies.of[KERR_FAULT_HAZARD], KERR_POLICY_IGNORE);
    assert_int_equal(todo.program_count, 2);
    assert_string_equal(todo.programs[0].elf, "folder/a.elf");
    assert_true(tile_set_has(&todo.programs[0].tiles, kerr_tensix_xy(0)));
    assert_int_equal(todo.programs[0].cores, 1u << KERR_CORE_B);
    assert_string_equal(todo.programs[1].elf, "/b.elf");
    assert_int_equal(tile_set_count(&todo.programs[1].tiles), 3);
    assert_int_equal(todo.programs[1].cores, 1u << KERR_CORE_T0 | 1u << KERR_CORE_NC);
    assert_true(todo.programs[1].has_entry && todo.programs[1].entry == 0x44);
    assert_int_equal(todo.preload_count, 2);
    assert_int_equal(todo.preloads[0].word_count, 2);
    assert_true(todo.preloads[0].words[1] == UINT32_MAX);
    assert_true(todo.preloads[1].address == UINT64_C(0x100000000) && todo.preloads[1].size == 8);
    assert_int_equal(todo.dump_count, 1);
    assert_int_equal(tile_set_count(&todo.dumps[0].tiles), KERR_TENSIX_TILES);
    assert_int_equal(todo.dumps[0].format, DUMP_TO_HEX);
    assert_int_equal(todo.until_count, 1);
    assert_int_equal(todo.untils[0].kind, KERR_UNTIL_WORD_NE);
    assert_true(todo.untils[0].mask == 0xF0 && todo.untils[0].value == 0x30);
    job_free(&todo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_load_leaves_the_chip_unchanged),
        cmocka_unit_test(load_on_a_tile_without_cores_is_refused),
        cmocka_unit_test(load_address_wins_and_its_tail_is_not_cleared),
        cmocka_unit_test(damaged_files_are_refused_or_whole),
        cmocka_unit_test(job_values_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

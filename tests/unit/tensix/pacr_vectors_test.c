/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* PACR against what the vendor's simulator did: tests/vectors/pacr.vec, or the file that is named,
 * which tests/oracle/pack_ref.py makes and describes. */
#include "unit/tensix/exec.h"

#include "tensix/regs/dst.h"

static const char *path = "tests/vectors/pacr.vec";

enum { OUT = 0x40000, OUT_BYTES = 0x10000, PACK_THREAD = 2 };

static uint32_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static uint32_t crc32(const uint8_t *bytes, unsigned count)
{
    uint32_t crc = UINT32_MAX;
    for (unsigned i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* Rows of Dst16b or Dst32b as they would be if DEST_ACCESS_CFG were 0. */
static void fill_dst(struct tile *tile, uint64_t seed)
{
    static uint16_t bits[DST_ROWS][DST_COLUMNS];
    const uint32_t *config = tile->dev.tensix.config[0], access = config[DEST_ACCESS_CFG_remap_addrs_ADDR32];
    const bool wide = CFG_FIELD(config, PCK_DEST_RD_CTRL_Read_32b_data);
    for (unsigned row = 0; row < DST_ROWS; row++)
        for (unsigned column = 0; column < DST_COLUMNS; column++)
            bits[row][column] = (uint16_t)next(&seed);
    for (unsigned row = 0; row < DST_ROWS; row++) {
        const unsigned plain = dst_row32(0, row);
        uint32_t cells[DST_COLUMNS];
        for (unsigned i = 0; i < DST_COLUMNS; i++)
            cells[i] = (uint32_t)bits[plain][i] << 16 | bits[plain + DST_LOW_HALF][i];
        if (wide)
            dst_write32(&tile->files, access, row, cells);
        else
            dst_write16(&tile->files, access, row, bits[row]);
    }
}

static void fill_l1(struct tile *tile, uint64_t seed)
{
    for (unsigned i = 0; i < OUT_BYTES; i += 4)
        memcpy(tile->l1 + OUT + i, &(uint32_t){next(&seed)}, 4);
}

static void pacr_does_what_was_recorded(void **state)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct tile *tile = NULL;
    char line[200], name[80] = "";
    unsigned cases = 0, wrong = 0;
    uint64_t dst_seed = 0;
    while (fgets(line, sizeof line, file)) {
        unsigned long a = 0, b = 0;
        if (sscanf(line, "case %79[^\n]", name) == 1) {
            if (tile)
                assert_int_equal(fake_teardown((void **)&tile), 0);
            assert_int_equal(fake_setup((void **)&tile), 0);
            tile->goes_on = true; /* rows that are not within a group of four */
        } else if (sscanf(line, " dst %lu", &a) == 1) {
            dst_seed = a;
        } else if (sscanf(line, " l1 %lu", &a) == 1) {
            fill_l1(tile, a);
        } else if (sscanf(line, " cfg %lu %lx", &a, &b) == 2) {
            tile->dev.tensix.config[0][a] = (uint32_t)b;
            if (a >= GLOBAL_CFGREG_BASE_ADDR32)
                tile->dev.tensix.config[1][a] = (uint32_t)b;
        } else if (sscanf(line, " push %lx", &a) == 1) {
            if (dst_seed) /* configuration is complete */
                fill_dst(tile, dst_seed);
            dst_seed = 0;
            exec_word(tile, PACK_THREAD, (uint32_t)a);
        } else if (sscanf(line, " crc %lx", &a) == 1) {
            cases++;
            if (crc32(tile->l1 + OUT, OUT_BYTES) != a) {
                print_error("case %s: L1 is not as recorded%s%s\n", name, tile->faults ? "; " : "", tile->fault_text);
                wrong++;
            }
        }
    }
    fclose(file);
    assert_int_equal(fake_teardown((void **)&tile), 0);
    assert_int_equal(wrong, 0);
    assert_true(cases >= 300);
    (void)state;
}

int main(int argc, char **argv)
{
    path = argc > 1 ? argv[1] : path;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pacr_does_what_was_recorded),
    };
    return cmocka_run_group_tests_name("tensix/pacr_vectors", tests, NULL, NULL);
}

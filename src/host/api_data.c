/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h: the data registers of the Tensix coprocessor. */
#include "chip/chip.h"
#include "kerr.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/matrix_unit.h"
#include "tile/tile.h"

_Static_assert((int)KERR_DATA_COLUMNS == DST_COLUMNS && (int)KERR_DATA_COLUMNS == SRC_COLUMNS, "one width");

/* A cell has the mantissa before the exponent (manual WormholeB0 SrcASrcB). */
static void src_row_in_order(const uint32_t *cells, uint32_t values[KERR_DATA_COLUMNS])
{
    for (unsigned i = 0; i < KERR_DATA_COLUMNS; i++) {
        values[i] = (cells[i] & 0x40000) | (cells[i] & 0xFF) << 10 | (cells[i] >> 8 & 0x3FF);
    }
}

static void dst16_in_order(const struct tensix_files *files, uint32_t access, kerr_data_file file, uint32_t row,
                           uint32_t values[KERR_DATA_COLUMNS])
{
    uint16_t bits[DST_COLUMNS];
    dst_read16(files, access, row, bits);
    for (unsigned i = 0; i < KERR_DATA_COLUMNS; i++) {
        values[i] = file == KERR_DST_BF16   ? dst_decode_bf16(bits[i])
                    : file == KERR_DST_FP16 ? dst_decode_fp16(bits[i])
                                            : bits[i];
    }
}

static void dst32_in_order(const struct tensix_files *files, uint32_t access, kerr_data_file file, uint32_t row,
                           uint32_t values[KERR_DATA_COLUMNS])
{
    dst_read32(files, access, row, values);
    for (unsigned i = 0; i < KERR_DATA_COLUMNS && file == KERR_DST_FP32; i++) {
        values[i] = dst_decode_fp32(values[i]);
    }
}

kerr_status kerr_data_row(const kerr_chip *chip, kerr_xy at, kerr_data_file file, uint32_t row,
                          uint32_t values[KERR_DATA_COLUMNS])
{
    if (chip == NULL || values == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    const int index = chip_tile_index(at);
    if (index < 0 || kerr_tile_kind_at(at) != KERR_TILE_TENSIX || !kerr_tile_is_on(chip, at)) {
        return KERR_BAD_TILE;
    }
    const struct tile *tile = chip_tile(chip, index);
    const struct tensix_files *files = tile_tensix_files_const(tile);
    const uint32_t access = dst_access_of(*tile->lent.features, tile->dev.tensix.config[0]);
    const uint32_t rows = file <= KERR_SRCB ? SRC_BANKS * SRC_ROWS : file <= KERR_DST_RAW16 ? DST_ROWS : DST_ROWS / 2;
    if ((unsigned)file > KERR_DST_RAW32) {
        return KERR_BAD_ARGUMENT;
    }
    if (row >= rows) {
        return KERR_BAD_ADDRESS;
    }
    switch (file) {
    case KERR_SRCA: src_row_in_order(files->SrcA[row / SRC_ROWS][row % SRC_ROWS], values); break;
    case KERR_SRCB: src_row_in_order(files->SrcB[row / SRC_ROWS][row % SRC_ROWS], values); break;
    case KERR_DST_BF16:
    case KERR_DST_FP16:
    case KERR_DST_RAW16: dst16_in_order(files, access, file, row, values); break;
    case KERR_DST_FP32:
    case KERR_DST_RAW32: dst32_in_order(files, access, file, row, values); break;
    }
    return KERR_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Dst as RISCV T0, T1 and T2 see it from TENSIX_DST_START_ADDR on: manual BlackholeA0 Dst (093af914) "RISCV access to Dst".
 *
 * RISC_DEST_ACCESS_CTRL_SEC of the core's thread says what an element is and how its bits are converted.  T0 and T1 access
 * one element at a time, T2 as many as there are in the access.  What is beyond the manual: an undefined row reads as zero,
 * as for packers; a store to one makes it valid, with zeros beside the element stored (kernel library: a store from RISC
 * clears the zero flag of its row). */
#include "tensix/regs/matrix_unit.h"

#include "tile/blocks.h"

#define PAGE "TensixCoprocessor/Dst"

enum dst_format { FP32 = 0, INT32, FP16, BF16, INT16, INT8 };

typedef struct view {
    enum dst_format format;
    bool no_swizzle, unsigned_int;
    unsigned size; /* of an element, in bytes; 0: the format is reserved */
    uint32_t access;
} view;

static view view_of(const struct devices *dev, unsigned client)
{
    static const uint8_t sizes[8] = {[FP32] = 4, [INT32] = 4, [FP16] = 2, [BF16] = 2, [INT16] = 2, [INT8] = 1};
    enum { SECTION = 5 }; /* bits from one thread's fields to the next one's */
    const unsigned thread = client_thread(client);
    const uint32_t *config = dev->tensix.config[CFG_FIELD(dev->tensix.thread[thread].config, CFG_STATE_ID_StateID)];
    const uint32_t field[RISC_DEST_ACCESS_CTRL_SEC0_fmt_ADDR32 + 1] = {
        [RISC_DEST_ACCESS_CTRL_SEC0_fmt_ADDR32] = config[RISC_DEST_ACCESS_CTRL_SEC0_fmt_ADDR32] >> SECTION * thread};
    const unsigned fmt = CFG_FIELD(field, RISC_DEST_ACCESS_CTRL_SEC0_fmt);
    return (view){
        .format = (enum dst_format)fmt,
        .no_swizzle = CFG_FIELD(field, RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle),
        .unsigned_int = CFG_FIELD(field, RISC_DEST_ACCESS_CTRL_SEC0_unsigned_int),
        .size = sizes[fmt],
        .access = dst_access_of(dev, config),
    };
}

/* ---- Elements ------------------------------------------------------------------------------------------------ */

static uint32_t negated_below(uint32_t value, uint32_t sign) /* of sign and magnitude */
{
    return value & sign ? 0 - (value & (sign - 1)) : value;
}

static uint32_t sign_and_magnitude(uint32_t value, uint32_t sign) /* the least value becomes the one above it */
{
    return value & sign ? sign | ((0 - (value + (value == sign))) & (sign - 1)) : value;
}

static uint32_t from_dst32(const view *v, uint32_t x)
{
    if (v->no_swizzle)
        return x;
    x = dst_decode_fp32(x);
    return v->format == INT32 ? negated_below(x, UINT32_C(1) << 31) : x;
}

static uint32_t to_dst32(const view *v, uint32_t x)
{
    if (v->no_swizzle)
        return x;
    return dst_encode_fp32(v->format == INT32 ? sign_and_magnitude(x, UINT32_C(1) << 31) : x);
}

/* Integer "8" has its magnitude in bits 14:5 and 16 below, unless it is zero. */
static uint32_t from_dst16(const view *v, uint16_t x)
{
    if (v->format == INT8) {
        const bool plain = v->no_swizzle || v->unsigned_int;
        const uint32_t magnitude = x >> 5 & (plain ? 0xFF : 0x7F);
        return (plain || !(x & 0x8000) ? magnitude : 0 - magnitude) & 0xFF;
    }
    if (v->no_swizzle)
        return x;
    switch (v->format) {
    case FP16: return dst_decode_fp16(x);
    case BF16: return dst_decode_bf16(x);
    default: return v->unsigned_int ? x : negated_below(x, 0x8000) & 0xFFFF;
    }
}

static uint16_t to_dst16(const view *v, uint32_t x)
{
    if (v->format == INT8) {
        if (v->no_swizzle || v->unsigned_int || x < 0x80)
            return (uint16_t)(x << 5 | (x ? 16 : 0));
        /* "Meant to be conversion from two's complement to sign-magnitude, but isn't." */
        const uint32_t magnitude = (0x180 - x - (x == 0x80)) & 0xFF;
        return (uint16_t)(0x8000 | magnitude << 5 | 16);
    }
    if (v->no_swizzle)
        return (uint16_t)x;
    switch (v->format) {
    case FP16: return dst_encode_fp16((uint16_t)x);
    case BF16: return dst_encode_bf16((uint16_t)x);
    default: return (uint16_t)(v->unsigned_int ? x : sign_and_magnitude(x, 0x8000));
    }
}

static uint32_t load(const struct tensix_files *files, const view *v, uint32_t index)
{
    const unsigned row = index / DST_COLUMNS, column = index % DST_COLUMNS;
    if (v->size == 4) {
        const unsigned r = dst_row32(v->access, row);
        const uint32_t x = (uint32_t)files->DstBits[r][column] << 16 | files->DstBits[r + DST_LOW_HALF][column];
        return from_dst32(v, dst_row_valid(files, r) ? x : 0);
    }
    const unsigned r = dst_row16(v->access, row);
    return from_dst16(v, dst_row_valid(files, r) ? files->DstBits[r][column] : 0);
}

static void store(struct tensix_files *files, const view *v, uint32_t index, uint32_t value)
{
    const unsigned row = index / DST_COLUMNS, column = index % DST_COLUMNS;
    if (v->size == 4) {
        uint16_t *high = dst_open32(files, v->access, row);
        const uint32_t x = to_dst32(v, value);
        high[column] = (uint16_t)(x >> 16);
        high[DST_LOW_HALF * DST_COLUMNS + column] = (uint16_t)x;
    } else {
        dst_open16(files, v->access, row)[column] = to_dst16(v, value);
    }
}

/* ---- Accesses ------------------------------------------------------------------------------------------------ */

/* NULL, or what is wrong with it. */
static const char *refusal(const view *v, unsigned client, uint32_t address, unsigned size)
{
    if (v->size == 0)
        return "RISC_DEST_ACCESS_CTRL_SEC.fmt is reserved";
    if (size < v->size)
        return "an element is larger than that";
    if (size > v->size && client != KERR_CORE_T2)
        return "T0 and T1 access one element at a time";
    if (address % size != 0)
        return "it is not aligned";
    if ((address - TENSIX_DST_START_ADDR) / v->size >= DST_ROWS * DST_COLUMNS / (v->size == 4 ? 2 : 1))
        return "it is behind the last row";
    return NULL;
}

static bool allowed(struct tile *tile, const view *v, unsigned client, uint32_t address, unsigned size, uint64_t cycle,
                    const char *what)
{
    const char *why = refusal(v, client, address, size);
    if (why)
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, address, cycle, PAGE,
                   "%s of %u bytes at 0x%08x of Dst with fmt %u: %s", what, size, address, v->format, why);
    return !why;
}

dev_result dst_window_read(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint64_t cycle,
                           uint32_t *value)
{
    const view v = view_of(tile_devices_const(tile), client);
    *value = 0;
    if (!allowed(tile, &v, client, address, size, cycle, "load"))
        return DEV_FAULT;
    for (unsigned at = 0; at < size; at += v.size)
        *value |= load(tile_tensix_files_const(tile), &v, (address + at - TENSIX_DST_START_ADDR) / v.size) << 8 * at;
    return DEV_OK;
}

dev_result dst_window_write(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint32_t value,
                            uint64_t cycle)
{
    const view v = view_of(tile_devices_const(tile), client);
    if (!allowed(tile, &v, client, address, size, cycle, "store"))
        return DEV_FAULT;
    const uint32_t mask = v.size == 4 ? UINT32_MAX : (1u << 8 * v.size) - 1;
    for (unsigned at = 0; at < size; at += v.size)
        store(tile_tensix_files(tile), &v, (address + at - TENSIX_DST_START_ADDR) / v.size, value >> 8 * at & mask);
    return DEV_OK;
}

/* A debugger's: a word of as many elements as are in it. */
bool dst_window_peek(const struct tile *tile, unsigned client, uint32_t address, uint32_t *value)
{
    const view v = view_of(tile_devices_const(tile), client);
    *value = 0;
    if (refusal(&v, KERR_CORE_T2, address, 4))
        return false;
    for (unsigned at = 0; at < 4; at += v.size)
        *value |= load(tile_tensix_files_const(tile), &v, (address + at - TENSIX_DST_START_ADDR) / v.size) << 8 * at;
    return true;
}

bool dst_window_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value)
{
    const view v = view_of(tile_devices_const(tile), client);
    if (refusal(&v, KERR_CORE_T2, address, 4))
        return false;
    const uint32_t mask = v.size == 4 ? UINT32_MAX : (1u << 8 * v.size) - 1;
    for (unsigned at = 0; at < 4; at += v.size)
        store(tile_tensix_files(tile), &v, (address + at - TENSIX_DST_START_ADDR) / v.size, value >> 8 * at & mask);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Dst as RISCV T0, T1 and T2 see it from TENSIX_DST_START_ADDR on: manual BlackholeA0 Dst (093af914) "RISCV access to Dst".
 *
 * RISC_DEST_ACCESS_CTRL_SEC of the core's thread says what an element is and how its bits are converted.  T0 and T1 access
 * one element at a time, T2 as many as there are in the access.  What is beyond the manual: an undefined row reads as zero,
 * as for packers; a store to one makes it valid, with zeros beside the element stored (kernel library: a store from RISC
 * clears the zero flag of its row). */
#include "tensix/regs/matrix_unit.h"

#include "hooks/hooks.h"
#include "num/dst_cells.h"

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
        .access = dst_access_of(debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_FEATURE_DISABLE), config),
    };
}

/* ---- Elements ------------------------------------------------------------------------------------------------ */

static struct dst_window window_of(const view *v)
{
    return (struct dst_window){.fmt = (uint8_t)v->format, .no_swizzle = v->no_swizzle, .unsigned_int = v->unsigned_int};
}

static uint32_t from_dst32(const view *v, uint32_t x)
{
    return dst_window_load32(window_of(v), (struct dst32_cell){x});
}

static uint32_t to_dst32(const view *v, uint32_t x)
{
    return dst_window_store32(window_of(v), x).bits;
}

static uint32_t from_dst16(const view *v, uint16_t x)
{
    const struct dst16_cell cell = {x};
    return v->format == INT8 ? dst_window_load8(window_of(v), cell) : dst_window_load16(window_of(v), cell);
}

static uint16_t to_dst16(const view *v, uint32_t x)
{
    return v->format == INT8 ? dst_window_store8(window_of(v), (uint8_t)x).bits
                             : dst_window_store16(window_of(v), (uint16_t)x).bits;
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

/* For checks: an access stays within a row. */
static void tell(const struct tile *tile, const view *v, uint32_t address, unsigned how)
{
    const struct check_rows rows = {
        .access = v->access,
        .row = (uint16_t)((address - TENSIX_DST_START_ADDR) / v->size / DST_COLUMNS),
        .rows = 1,
        .wide = v->size == 4,
    };
    hook_dst(tile, rows, how);
}

dev_result dst_window_read(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint64_t cycle,
                           uint32_t *value)
{
    const view v = view_of(tile_devices_const(tile), client);
    *value = 0;
    if (!allowed(tile, &v, client, address, size, cycle, "load"))
        return DEV_FAULT;
    tell(tile, &v, address, CHECK_READ);
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
    tell(tile, &v, address, CHECK_WRITE);
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

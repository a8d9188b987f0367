// SPDX-License-Identifier: Apache-2.0
// What noc_worker.py times: transactions of one core as tt-metal's NoC estimator tests make them (device 2.0 API), between two
// reads of the wall clock.  Compile-time: MODE, FLAG (stateful; of a multicast: the sender too), BYTES.  Run time: number of
// transactions, of receivers, address in L1, where the result goes; then coordinates.
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/tensor/noc_traits.h"
#include "api/tensor/tensor_accessor.h"

constexpr uint32_t mode = get_compile_time_arg_val(0), bytes = get_compile_time_arg_val(2);
constexpr bool flag = get_compile_time_arg_val(1) != 0;
enum { WRITE, WRITE_MANY, MULTICAST, LINKED, READ, READ_MANY, DRAM_READ, DRAM_WRITE }; // DRAM: FLAG is one bank for all

// Known before the clock is read: tt-metal's kernels have these as constants.
static inline uint32_t argument(uint32_t i)
{
    uint32_t value = get_arg_val<uint32_t>(i);
    asm volatile("" : "+r"(value));
    return value;
}

void kernel_main()
{
    const uint32_t count = argument(0), receivers = argument(1);
    const uint32_t from = argument(2), to = argument(3), result = argument(4);
    const uint32_t buffer = argument(5);
    constexpr uint32_t pages = 8; // a bank each
    constexpr uint32_t first = 6; // of the coordinates
    volatile tt_l1_ptr uint32_t *clock = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(from - 64);
    volatile tt_reg_ptr uint32_t *wall = reinterpret_cast<volatile tt_reg_ptr uint32_t *>(RISCV_DEBUG_REG_WALL_CLOCK_L);
    Noc noc(noc_index);
    UnicastEndpoint one;
    MulticastEndpoint many;
    const auto pages_of = TensorAccessor(TensorAccessorArgs<3>(), buffer);
    const uint32_t x = argument(first), y = argument(first + 1);
    const uint32_t x2 = argument(first + 2), y2 = argument(first + 3);
    constexpr NocOptions options = flag ? NocOptions::MCAST_INCL_SRC : NocOptions::DEFAULT;

    clock[0] = wall[0]; // as the profiler's zones: time low and high, stored, before what is timed
    clock[1] = wall[2];
    if constexpr (mode == WRITE || mode == WRITE_MANY) {
        for (uint32_t r = 0; r < receivers; r++) {
            uint32_t to_x = x, to_y = y;
            if constexpr (mode == WRITE_MANY) {
                const uint32_t packed = get_arg_val<uint32_t>(first + r);
                to_x = packed >> 16;
                to_y = packed & 0xFFFF;
            }
            if constexpr (flag) {
                noc.set_async_write_state(one, bytes, {.noc_x = to_x, .noc_y = to_y, .addr = to});
                for (uint32_t i = 0; i < count; i++)
                    noc.async_write_with_state(one, one, bytes, {.addr = from},
                                               {.noc_x = to_x, .noc_y = to_y, .addr = to});
            } else {
                for (uint32_t i = 0; i < count; i++)
                    if constexpr (mode == WRITE)
                        noc.async_write<NocOptions::CUSTOM_VC>(one, one, bytes, {.addr = from},
                                                               {.noc_x = to_x, .noc_y = to_y, .addr = to},
                                                               NocOptVals{.vc = 0});
                    else
                        noc.async_write(one, one, bytes, {.addr = from}, {.noc_x = to_x, .noc_y = to_y, .addr = to});
            }
        }
        noc.async_write_barrier();
    } else if constexpr (mode == MULTICAST || mode == LINKED) {
        for (uint32_t i = 0; i + (mode == LINKED) < count; i++)
            noc.async_write_multicast<options>(
                one, many, bytes, receivers, {.addr = from},
                {.noc_x_start = x, .noc_y_start = y, .noc_x_end = x2, .noc_y_end = y2, .addr = to}, mode == LINKED);
        if constexpr (mode == LINKED)
            noc.async_write_multicast<options>(
                one, many, bytes, receivers, {.addr = from},
                {.noc_x_start = x, .noc_y_start = y, .noc_x_end = x2, .noc_y_end = y2, .addr = to});
        noc.async_write_barrier();
    } else if constexpr (mode == READ || mode == READ_MANY) {
        for (uint32_t r = 0; r < receivers; r++) {
            uint32_t at_x = x, at_y = y;
            if constexpr (mode == READ_MANY) {
                const uint32_t packed = get_arg_val<uint32_t>(first + r);
                at_x = packed >> 16;
                at_y = packed & 0xFFFF;
            }
            if constexpr (flag) {
                noc.set_async_read_state(one, bytes, {.noc_x = at_x, .noc_y = at_y, .addr = from});
                for (uint32_t i = 0; i < count; i++)
                    noc.async_read_with_state(one, one, bytes, {.noc_x = at_x, .noc_y = at_y, .addr = from},
                                              {.addr = from});
            } else {
                for (uint32_t i = 0; i < count; i++)
                    noc.async_read<NocOptions::CUSTOM_VC>(one, one, bytes, {.noc_x = at_x, .noc_y = at_y, .addr = from},
                                                          {.addr = from}, NocOptVals{.vc = 0});
            }
        }
        noc.async_read_barrier();
    } else {
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t page = flag ? 0 : i % pages;
            if constexpr (mode == DRAM_READ)
                noc.async_read(pages_of, one, bytes, {.page_id = page}, {.addr = from});
            else
                noc.async_write(one, pages_of, bytes, {.addr = from}, {.page_id = page});
        }
        if constexpr (mode == DRAM_READ)
            noc.async_read_barrier();
        else
            noc.async_write_barrier();
    }
    const uint32_t end = wall[0];
    clock[0] = end - clock[0];
    noc_async_write(from - 64, get_noc_addr_from_bank_id<true>(0, result), 64);
    noc_async_write_barrier();
}

# SPDX-License-Identifier: Apache-2.0
"""The small ttnn program of ttnn_robust.py, to be run in ttnn's environment:  ttnn_program.py KIND [COUNT [SEED]]

KIND good: an addition, a matrix product and three kernels of its own on two tiles; says "bits HASH" of all results,
"durations N ..." of the two data movement kernels of each tile, and "began N ...", when they began, by the clock of the
tile, which counts since the chip was made.  COUNT does so many times what KIND says, each in a process of its own, forked
when ttnn is there and nothing is open (importing it takes much longer than all of the rest).
KIND killed: COUNT such processes that are killed at moments by SEED, then one that is not.
Other kinds are mistakes in one of those kernels, MISTAKES: they say "exception SECONDS TEXT" of the second time, for in the
first their kernels are compiled.
"""

import hashlib
import os
import random
import signal
import sys
import time

import torch
import ttnn

TILES, PAGES = 2, 8
# What a mistake is made of: lines for the reader and for the compute kernel.
MISTAKES = {
    "good": ("", ""),
    "undefined": ('asm volatile(".word 0xffffffff");', ""),
    "no-tile": ("noc_async_read(get_noc_addr(31, 31, 0x100), get_write_ptr(0), 32); noc_async_read_barrier();", ""),
    "no-data": ("cb_wait_front(1, 1);", ""),
    "no-space": ("", "cb_reserve_back(2, 8);"),
    "busy": ('for (volatile uint32_t i = 0;; i++) {}', ""),
}
READER = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint32_t start = reg_read(RISCV_DEBUG_REG_WALL_CLOCK_L);
    InterleavedAddrGenFast<true> source = {
        .bank_base_address = get_arg_val<uint32_t>(0), .page_size = 2048, .data_format = DataFormat::Float16_b};
    MISTAKE
    for (uint32_t i = 0; i < PAGES; i++) {
        cb_reserve_back(0, 1);
        noc_async_read_tile(i, source, get_write_ptr(0));
        noc_async_read_barrier();
        cb_push_back(0, 1);
    }
    volatile tt_l1_ptr uint32_t* times = (volatile tt_l1_ptr uint32_t*)get_write_ptr(1);
    times[0] = reg_read(RISCV_DEBUG_REG_WALL_CLOCK_L) - start;
    times[2] = start;
    cb_push_back(1, 1);
}
"""
WRITER = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint32_t start = reg_read(RISCV_DEBUG_REG_WALL_CLOCK_L);
    uint32_t tile = get_arg_val<uint32_t>(2);
    InterleavedAddrGenFast<true> target = {
        .bank_base_address = get_arg_val<uint32_t>(0), .page_size = 2048, .data_format = DataFormat::Float16_b};
    InterleavedAddrGen<true> log = {.bank_base_address = get_arg_val<uint32_t>(1), .page_size = 64};
    for (uint32_t i = 0; i < PAGES; i++) {
        cb_wait_front(2, 1);
        noc_async_write_tile(tile * PAGES + i, target, get_read_ptr(2));
        noc_async_write_barrier();
        cb_pop_front(2, 1);
    }
    cb_wait_front(1, 1);
    volatile tt_l1_ptr uint32_t* times = (volatile tt_l1_ptr uint32_t*)get_read_ptr(1);
    times[1] = reg_read(RISCV_DEBUG_REG_WALL_CLOCK_L) - start;
    times[3] = start;
    noc_async_write(get_read_ptr(1), get_noc_addr(tile, log), 64);
    noc_async_write_barrier();
}
"""
COMPUTE = """
#include "api/compute/common.h"
#include "api/compute/tile_move_copy.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/exp.h"
void kernel_main() {
    unary_op_init_common(0, 2);
    exp_tile_init();
    MISTAKE
    for (uint32_t i = 0; i < PAGES; i++) {
        cb_wait_front(0, 1);
        tile_regs_acquire();
        copy_tile(0, 0, 0);
        exp_tile(0);
        tile_regs_commit();
        tile_regs_wait();
        cb_reserve_back(2, 1);
        pack_tile(0, 2);
        cb_push_back(2, 1);
        tile_regs_release();
        cb_pop_front(0, 1);
    }
}
"""


def say(text):
    os.write(OUT, (text + "\n").encode())


def descriptor(kind, source, target, log):
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(TILES - 1, 0))])
    kernel = ttnn.KernelDescriptor

    def of(text, mistake, config, *arguments):
        text = text.replace("MISTAKE", mistake).replace("PAGES", str(PAGES))
        return kernel(kernel_source=text, source_type=kernel.SourceType.SOURCE_CODE, core_ranges=cores, config=config,
                      runtime_args=[(ttnn.CoreCoord(i, 0), [*arguments, i]) for i in range(TILES)] if arguments else [])

    def buffer(index, size, page):
        form = ttnn.CBFormatDescriptor(buffer_index=index, data_format=ttnn.bfloat16, page_size=page)
        return ttnn.CBDescriptor(total_size=size, core_ranges=cores, format_descriptors=[form])

    reader, compute = MISTAKES[kind]
    return ttnn.ProgramDescriptor(kernels=[
        of(READER, reader, ttnn.ReaderConfigDescriptor(), source.buffer_address()),
        of(WRITER, "", ttnn.WriterConfigDescriptor(), target.buffer_address(), log.buffer_address()),
        of(COMPUTE, compute, ttnn.ComputeConfigDescriptor())],
        semaphores=[], cbs=[buffer(0, 4096, 2048), buffer(1, 64, 64), buffer(2, 4096, 2048)])


def own_kernels(device, kind):
    def put(tensor, data_type, layout):
        return ttnn.from_torch(tensor, dtype=data_type, layout=layout, device=device)

    data = torch.linspace(-2, 2, 32 * 32 * PAGES).reshape(32 * PAGES, 32).bfloat16()
    source = put(data, ttnn.bfloat16, ttnn.TILE_LAYOUT)
    target = put(torch.zeros(32 * PAGES * TILES, 32).bfloat16(), ttnn.bfloat16, ttnn.TILE_LAYOUT)
    log = put(torch.zeros(TILES, 16, dtype=torch.int32), ttnn.uint32, ttnn.ROW_MAJOR_LAYOUT)
    ttnn.generic_op([source, log, target], descriptor(kind, source, target, log))
    ttnn.synchronize_device(device)
    result = ttnn.to_torch(target)
    assert torch.allclose(result.float(), torch.exp(data.float()).repeat(TILES, 1), rtol=0.03), "exp is wrong"
    times = ttnn.to_torch(log)
    return result, times[:, :2].flatten().tolist(), times[:, 2:4].flatten().tolist()


def good():
    device = ttnn.open_device(device_id=0)
    digest = hashlib.sha256()
    torch.manual_seed(9)
    a, b = (ttnn.from_torch(torch.randn(64, 64).bfloat16(), layout=ttnn.TILE_LAYOUT, device=device) for _ in range(2))
    tensors = [ttnn.to_torch(ttnn.add(a, b)), ttnn.to_torch(ttnn.matmul(a, b))]
    result, durations, began = own_kernels(device, "good")
    for tensor in (*tensors, result):
        digest.update(tensor.contiguous().view(torch.int16).numpy().tobytes())
    ttnn.close_device(device)
    say(f"bits {digest.hexdigest()[:16]}\ndurations {' '.join(map(str, durations))}\nbegan {' '.join(map(str, began))}")


def mistake(kind):
    device = ttnn.open_device(device_id=0)
    started = time.monotonic()
    try:
        own_kernels(device, kind)
        return "nothing happened"
    except Exception as error:  # pylint: disable=broad-except
        return f"exception {time.monotonic() - started:.2f} {type(error).__name__}: {str(error).strip()}".replace("\n", " ")[:600]


def apart(call, seconds=None):
    """In a process of its own, which is killed after so many seconds; its status and how long it took."""
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        call()
        sys.stdout.flush()
        os._exit(0)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1], time.monotonic() - started


def main():
    kind, count, seed = sys.argv[1], *map(int, sys.argv[2:] + ["1", "1"][len(sys.argv) - 2:])
    say("ready")
    if kind == "killed":
        _, whole = apart(good)
        generator = random.Random(seed)
        for _ in range(count):
            apart(good, generator.uniform(0, whole))
    if kind in ("good", "killed"):
        for _ in range(count if kind == "good" and count > 1 else 0):
            apart(good)
        if kind == "killed" or count == 1:
            good()
        return 0
    apart(lambda: mistake(kind))
    say(mistake(kind))
    return 1


# ttnn's own messages must not get between ours.
OUT = os.dup(1)
os.dup2(2, 1)
sys.exit(main())

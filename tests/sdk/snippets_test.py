#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/findings, wrong and mended, are C that compiles: with the sdk's headers, and tt-metal's functions by name."""

import glob
import os
import re

from tap import BUILD, Tap, path, run, write

# What the examples take for granted: tt-metal's data movement, and names of the reader's own.
PRELUDE = """
#include "kerr_cfg.h"
#include "kerr_sdk.h"
#include "kerr_tensix.h"
void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes), noc_async_write(uint32_t from, uint64_t to, uint32_t bytes);
void noc_async_read_barrier(void), noc_async_write_barrier(void), noc_async_read_tile(uint32_t tile, const uint32_t *in, uint32_t to);
void cb_reserve_back(uint32_t cb, uint32_t pages), cb_wait_front(uint32_t cb, uint32_t pages), cb_pop_front(uint32_t cb, uint32_t pages);
void copy_tile(uint32_t cb, uint32_t tile, uint32_t dst), release(uint32_t buffer), use(uint32_t value);
uint32_t get_write_ptr(uint32_t cb);
void *memset(void *, int, unsigned);
extern uint32_t from, buffer, bytes, tiles, tile_bytes, cb_in, cb_out, l1_address, in_accessor, next, address, value, n, sum, done;
extern uint64_t a, b, dram_address;
extern volatile uint32_t *result, *ready, *flag, *data;
extern uint32_t in[16];
enum { BLOCK_SYNC = 2, BLOCK_PACK = 4, BLOCK_UNPACK = 8, BLOCK_MATH = 64, BLOCK_CFG = 128, WHILE_ZERO = 1, WHILE_MAX = 2 };
enum { GPR_FORMAT = 16, GPR_NEXT = 17, ADDRESS = 10, to = KERR_SHARED_BASE };
"""


def halves():
    """Page, which half, text."""
    for page in sorted(glob.glob("docs/findings/*.md")):
        for block in re.findall(r"^```c\n(.*?)^```", open(page, encoding="utf-8").read(), re.M | re.S):
            wrong, _, mended = block.partition("/* mended */")
            yield os.path.basename(page)[:-3], "wrong", wrong
            yield os.path.basename(page)[:-3], "mended", mended


def source(page, half, text):
    kind = "int" if "return 0;" in text else "void"
    names = re.findall(r"^#define (\w+)", text, re.M)
    end = "return 1;" if kind == "int" else ""
    undefined = "".join(f"#undef {name}\n" for name in names)
    return f"{kind} {page.replace('-', '_')}_{half}(void);\n{kind} {page.replace('-', '_')}_{half}(void)\n{{\n" \
           f'#line 1 "{page}.md, {half}"\n{text}\n{end}}}\n{undefined}'


def main():
    tap = Tap()
    parts = list(halves())
    tap.case("every page of a kind has an example", len(parts) == 2 * (len(glob.glob("docs/findings/*.md")) - len(
        [name for name in ("README", "real") if os.path.exists(f"docs/findings/{name}.md")])), len(parts))
    write("snippets.c", PRELUDE + "".join(source(*part) for part in parts))
    done = run(f"{os.environ.get('KERR_CC_PREFIX', 'riscv64-unknown-elf-')}gcc", "-march=rv32im_zicsr_zba_zbb", "-mabi=ilp32", "-std=gnu17",
               "-O2", "-ffreestanding", "-DKERR_CORE=1", "-Wall", "-Wno-unused", "-Wno-maybe-uninitialized", "-Wno-uninitialized",
               "-Wno-array-bounds", "-I", os.path.join(BUILD, "sdk", "include"), "-c", path("snippets.c"), "-o", path("snippets.o"))
    for page, half, _ in parts:
        said = [line for line in done.stderr.splitlines() if line.startswith(f"{page}.md, {half}:")]
        tap.case(f"{page}, {half}: it compiles", not said, "\n".join(said))
    tap.case("all of them", done.returncode == 0, done.stderr)
    tap.done()


main()

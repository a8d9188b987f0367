#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sdk's project as it is copied out of an installation, and its helpers: kerr_noc.h, kerr_cb.h, kerr_sync.h, kerr_compute.h.  What they
do to whole tensors is checked by sdk/ops too."""

import os
import random
import shutil
import struct

from tap import BUILD, CORES, Tap, kerr_cc, kerr_run, path, read, run, write

KERR = os.path.abspath(os.path.join(BUILD, "kerr"))
TILES, FACE = 8, 256

ADDS = """
#define KERR_NOC (KERR_CORE == KERR_CORE_B)
#include "kerr_noc.h"
enum { COUNTER = KERR_SHARED_BASE + 4, TIMES = 20 };
int main(void)
{
    const uint32_t old = KERR_SHARED_BASE + 0x1004 + 0x1000 * (KERR_CORE == KERR_CORE_B), seen = old + 0x100;
    kerr_noc_begin(kerr_noc_xy(kerr_tile_x(), kerr_tile_y()));
    for (uint32_t i = 0; i < TIMES; i++) {
        kerr_noc_add(kerr_noc_xy(1, 2), COUNTER, 3, old);
        kerr_fence();
        KERR_WORD(seen)[i] = *KERR_WORD(old);
    }
    return 0;
}
"""

BALL = """
#include "kerr_sync.h"
enum { ROUNDS = 10, BALL_AT_T0 = 1, BALL_AT_T1 = 2, FROM_CORE = 3 };
int main(void)
{
#if KERR_CORE == KERR_CORE_T0
    kerr_semaphore_begin(BALL_AT_T1, 1, 0);
    kerr_semaphore_begin(FROM_CORE, 4, 0);
    kerr_semaphore_begin(BALL_AT_T0, 1, 1);
    for (int i = 0; i < ROUNDS; i++) {
        kerr_semaphore_wait(BALL_AT_T0, KERR_HOLD_SYNC);
        kerr_semaphore_get(BALL_AT_T0);
        kerr_semaphore_post(BALL_AT_T1);
    }
    while (kerr_semaphore_read(FROM_CORE) != 3) { }
    kerr_semaphore_get_from_core(FROM_CORE);
#else
    uint32_t most = 0;
    for (int i = 0; i < ROUNDS; i++) {
        kerr_semaphore_wait(BALL_AT_T1, KERR_HOLD_SYNC);
        kerr_semaphore_get(BALL_AT_T1);
        kerr_semaphore_wait_room(BALL_AT_T0, KERR_HOLD_SYNC);
        kerr_semaphore_post(BALL_AT_T0);
        kerr_thread_wait();
        most = kerr_semaphore_read(BALL_AT_T0) > most ? kerr_semaphore_read(BALL_AT_T0) : most;
    }
    for (int i = 0; i < 3; i++)
        kerr_semaphore_post_from_core(FROM_CORE);
    while (kerr_semaphore_read(FROM_CORE) != 2) { }
    KERR_WORD(KERR_SHARED_BASE)[0] = kerr_semaphore_read(BALL_AT_T0) << 16 | kerr_semaphore_read(BALL_AT_T1) << 8 | most;
#endif
    return 0;
}
"""


def compiled(tap, name, cores, source, *options):
    for core in cores:
        result = kerr_cc(core, source, "-Werror", *options, "-o", path(f"{name}_{core}.elf"))
        tap.case(f"{name} compiles for {core}", result.returncode == 0, result.stderr)
    return [f"{core}={path(f'{name}_{core}.elf')}" for core in cores]


def test_headers(tap):
    for header, cores in (("kerr_noc.h", CORES), ("kerr_cb.h", CORES), ("kerr_sync.h", CORES), ("kerr_compute.h", ("T0", "T1", "T2"))):
        source = write("one.c", f'#include "{header}"\nint main(void) {{ return 0; }}\n')
        for core in cores:
            result = kerr_cc(core, source, "-Werror", "-Wno-unused-function", "-o", path("one.elf"))
            tap.case(f"{header} alone, {core}", result.returncode == 0, result.stderr)


def test_project(tap):
    project = path("project")
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(os.path.join(BUILD, "sdk", "project"), project)
    names = [f"COMPILER={os.path.abspath(os.path.join(BUILD, 'sdk', 'kerr-cc'))}", f"SIMULATOR={KERR}"]
    result = run("make", "--no-print-directory", "-C", project, "test", *names)
    tap.case("the project builds, runs with checks and is right", result.returncode == 0 and "8192 of 8192 datums are right" in result.stdout
             and "finding" not in result.stderr, result.stdout + result.stderr)
    tap.case("its job has written a timeline and the chip", all(os.path.getsize(os.path.join(project, f)) > 0 for f in ("run.pftrace", "end.chip")))
    with open(os.path.join(project, "c.bin"), "r+b") as file:
        file.seek(2 * 1030)
        file.write(b"\x80\x44")
    result = run("make", "--no-print-directory", "-C", project, "-o", "run", "test", *names)
    tap.case("a wrong datum is found, with its place", result.returncode != 0 and "tile 1, datum 6:" in result.stdout, result.stdout)
    result = run("make", "--no-print-directory", "-C", project, "clean", *names)
    tap.equal("clean leaves what was copied", sorted(os.listdir(project)), sorted(os.listdir(os.path.join("sdk", "project"))))
    return project


def floats(data):
    return struct.unpack(f"<{len(data) // 2}f", b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2)))


def broadcast(b, how):
    """Of one tile: four faces of 16 x 16, one behind the other.  A column is that of its own face; eight rows have their first one."""
    def source(i):
        row, column = i % FACE // 16, i % 16
        row, column = (row, 0) if how == "KERR_COLUMN" else (row // 8 * 8, column) if how == "KERR_ROW_OF_EIGHT" else (row, column)
        return i // FACE * FACE + row * 16 + column
    return [b[source(i)] for i in range(len(b))]


def test_binary(tap, project):
    """kerr_binary_tiles() with each operation and broadcast; numbers so small that all results are exact."""
    rng = random.Random(3)
    tensors = [b"".join(struct.pack("<f", rng.randint(-8, 8))[2:] for _ in range(TILES * 4 * FACE)) for _ in range(2)]
    for name, data in zip(("a.bin", "b.bin"), tensors):
        with open(os.path.join(project, name), "wb") as file:
            file.write(data)
    a, b = map(floats, tensors)
    movers = compiled(tap, "reader", ["NC"], os.path.join(project, "reader.c")) + compiled(tap, "writer", ["B"], os.path.join(project, "writer.c"))
    for operation, of in (("KERR_ADD", lambda x, y: x + y), ("KERR_SUB", lambda x, y: x - y), ("KERR_MUL", lambda x, y: x * y)):
        for how in ("KERR_NONE", "KERR_COLUMN", "KERR_ROW_OF_EIGHT"):
            programs = compiled(tap, "compute", ["T0", "T1", "T2"], os.path.join(project, "compute.c"), f"-DOPERATION={operation}", f"-DBROADCAST={how}")
            result = kerr_run(*movers, *programs, "--check", "--preload", f"2,2@0x20000={project}/a.bin", "--preload", f"2,2@0x30000={project}/b.bin",
                              "--dump", f"2,2@0x40000+{TILES * 8 * FACE}={path('c.bin')}")
            size = 4 * FACE
            expected = [of(x, y) for i in range(TILES) for x, y in zip(a[i * size:(i + 1) * size], broadcast(b[i * size:(i + 1) * size], how))]
            got = list(floats(read("c.bin"))) if result.returncode == 0 else []
            wrong = [(i, x, y) for i, (x, y) in enumerate(zip(got, expected)) if x != y]
            tap.case(f"{operation}, {how}", len(got) == len(expected) and not wrong, f"{result.stderr}{wrong[:5]}")


def test_noc(tap):
    programs = compiled(tap, "adds", ["B", "NC"], write("adds.c", ADDS))
    everywhere = [f"1-3,2:{program}" for program in programs]
    zero = write("zero.bin", bytes(4))
    result = kerr_run(*everywhere, "--check", "--preload", f"1,2@0x20004={zero}", "--dump", f"1-3,2@0x20000+0x3000={path('adds.bin')}")
    tap.case("six cores of three tiles add", result.returncode == 0, result.stderr)
    data = read("adds.bin") if result.returncode == 0 else bytes(3 * 0x3000)
    tap.equal("the counter has all of it", struct.unpack_from("<I", data, 4)[0], 3 * 20 * 6)
    seen = [struct.unpack_from("<20I", data, tile * 0x3000 + core) for tile in range(3) for core in (0x1104, 0x2104)]
    tap.equal("each has seen what was there before, and nobody the same", sorted(sum(seen, ())), list(range(0, 360, 3)))


def test_semaphores(tap):
    result = kerr_run(*compiled(tap, "ball", ["T0", "T1"], write("ball.c", BALL)), "--dump", f"1,2@0x20000+4={path('ball.bin')}")
    tap.case("a ball goes to and fro", result.returncode == 0, result.stderr)
    tap.equal("and is where it began", read("ball.bin") if result.returncode == 0 else b"", struct.pack("<I", 1 << 16 | 1))


def main():
    tap = Tap()
    test_headers(tap)
    project = test_project(tap)
    test_binary(tap, project)
    test_noc(tap)
    test_semaphores(tap)
    tap.done()


if __name__ == "__main__":
    main()

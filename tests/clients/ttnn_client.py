# SPDX-License-Identifier: Apache-2.0
"""What ttnn_test.py runs inside ttnn's environment:  ttnn_client.py open|tensors LIBRARY [FIRMWARE LOG]

open: just opens the device.  tensors: opens it, writes the boot log (where every core is, by the symbols of the
firmware in the folder FIRMWARE), looks at what an idle chip costs, sends tensors to DRAM and L1 and back, and closes it.
Prints TAP.
"""

import os
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
from abi_chip import SOFT_RESET, Chip, functions
from tap import Tap
import ttnn

TENSIX = [(x, y) for y in range(2, 12) for x in (*range(1, 8), *range(10, 17))]
ETHERNET = [(x, 25) for x in range(20, 32)]  # translated coordinates, as ttnn uses them
# Firmware of each core, and the control word that puts the core's pc on the debug bus.
TENSIX_PCS = {"brisc": 0x2207000B, "trisc0": 0x2207000D, "trisc1": 0x2207000F, "trisc2": 0x22070011,
              "ncrisc": 0x22070019}
ETHERNET_PCS = {"idle_erisc": 0x22070013, "subordinate_idle_erisc": 0x22070015}
GO_MESSAGE = {"TENSIX": 0x4F0, "ETHERNET": 0x590}
RUN_MSG_DONE = 0
# What a booted chip may cost.  If one of its cores were not parked, ten million cycles would take ten milliseconds and more.
MILLION, CLOCKS, CLOCKS_MS, RESIDENT_MB, FORK_MB = 1000000, 10, 1.0, 128, 16


def boot_log(tap, chip, firmware, path):
    """Where every core of the chip is; each must be in its firmware."""
    lost, lines = [], []
    for kind, tiles, pcs in (("TENSIX", TENSIX, TENSIX_PCS), ("ETHERNET", ETHERNET, ETHERNET_PCS)):
        tables = {name: functions(firmware, name) for name in pcs}
        for tile in tiles:
            done = chip.read(tile, GO_MESSAGE[kind]) >> 24 == RUN_MSG_DONE
            line = [f"{kind.lower()} {tile[0]}-{tile[1]}", f"reset {chip.read(tile, SOFT_RESET):#x}",
                    "idle" if done else "not done"]
            for name, control in pcs.items():
                pc = chip.pc(tile, control)
                where = [symbol for first, end, symbol in tables[name] if first <= pc < end]
                line.append(f"{name} {pc:#x} {where[0] if where else '?'}")
                if not where or not done:
                    lost.append(f"{tile[0]}-{tile[1]} {name} at {pc:#x}")
            lines.append("  ".join(line))
    with open(path, "w", encoding="utf-8") as log:
        log.write("\n".join([f"# firmware: {firmware}", *lines, ""]))
    cores = len(TENSIX) * len(TENSIX_PCS) + len(ETHERNET) * len(ETHERNET_PCS)
    tap.case(f"firmware idles on {cores} cores", not lost, "\n".join([f"{len(lost)} do not:", *lost[:20]]))
    tap.case("all cores are out of reset", all(chip.read(tile, SOFT_RESET) & 0x47800 == 0 for tile in TENSIX))


def memory_mb(name):
    """A line of this process' memory, all mappings together."""
    with open("/proc/self/smaps_rollup", encoding="ascii") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(name + ":")) / 1024


def clocks_ms(chip):
    start = time.perf_counter()
    for _ in range(CLOCKS):
        chip.lib.libttsim_clock(MILLION)
    return 1e3 * (time.perf_counter() - start)


def forked(chip, number):
    """What a forked child does with the chip: it goes on, and has few pages of its own.  Its exit status is the answer."""
    signal.alarm(60)
    good = chip.read(TENSIX[0], SOFT_RESET) & 0x47800 == 0
    chip.write(TENSIX[0], 0x100000, number)
    chip.lib.libttsim_clock(MILLION)
    good = good and chip.read(TENSIX[0], 0x100000) == number
    os._exit(min(int(memory_mb("Private_Dirty")), 254) if good else 255)


def idle_chip(tap, chip, grown):
    print(f"# a booted chip: {grown:.0f} MB resident")
    tap.case(f"at most {RESIDENT_MB} MB resident after the boot", grown <= RESIDENT_MB, f"{grown} MB")
    chip.lib.libttsim_clock(MILLION)
    best = min(clocks_ms(chip) for _ in range(3))
    print(f"# ten calls of clock(1000000): {best:.3f} ms")
    tap.case(f"ten million cycles take less than {CLOCKS_MS} ms: every core is parked", best < CLOCKS_MS, f"{best} ms")
    chip.write(TENSIX[0], 0x100000, 7)
    sizes = []
    for number in (1, 3):
        child = os.fork()
        if child == 0:
            forked(chip, number)
        sizes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    tap.case(f"a fork goes on with the chip, in less than {FORK_MB} MB of its own", all(0 <= s < FORK_MB for s in sizes),
             f"{sizes} MB; 255: wrong answers")
    tap.equal("and leaves the parent's alone", chip.read(TENSIX[0], 0x100000), 7)


def round_trip(tap, device, name, dtype, shape, memory):
    """A tensor to the device and back."""
    count = 1
    for extent in shape:
        count *= extent
    values = [float(i * 37 % 251) for i in range(count)]
    tensor = ttnn.Tensor(values, shape, dtype, ttnn.ROW_MAJOR_LAYOUT)
    on_device = tensor.to(device, memory)
    kind = str(on_device.memory_config().buffer_type).rsplit(".", maxsplit=1)[-1]
    back = on_device.cpu().to_list()
    while isinstance(back[0], list):
        back = [value for row in back for value in row]
    tap.case(f"{name} to {kind} and back", back == values, f"{back[:8]} ..")
    return on_device


def tensors(tap, device):
    for memory in (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG):
        # Kept until the end, so that each gets a place of its own.
        kept = [round_trip(tap, device, "a tile of float32", ttnn.float32, [1, 1, 32, 64], memory),
                round_trip(tap, device, "bfloat16", ttnn.bfloat16, [1, 3, 50, 30], memory),
                round_trip(tap, device, "a megabyte", ttnn.float32, [1, 1, 256, 1024], memory)]
        first = ttnn.Tensor([float(i) for i in range(64)], [1, 1, 1, 64], ttnn.float32, ttnn.ROW_MAJOR_LAYOUT)
        copies = [first.to(device, memory) for _ in range(20)]
        tap.case("twenty small ones", all(copy.cpu().to_list()[0][0][0] == [float(i) for i in range(64)]
                                          for copy in copies))
        del kept, copies


def main():
    action, library = sys.argv[1:3]
    tap = Tap()
    before = memory_mb("Anonymous")
    device = ttnn.open_device(device_id=0)
    grown = memory_mb("Anonymous") - before
    if action == "open":
        ttnn.close_device(device)
        return
    tap.equal("a Blackhole", str(device.arch()), "Arch.BLACKHOLE")
    grid = device.compute_with_storage_grid_size()
    tap.equal("13 x 10 tiles compute", (grid.x, grid.y), (13, 10))
    chip = Chip(library)
    boot_log(tap, chip, *sys.argv[3:5])
    idle_chip(tap, chip, grown)
    tensors(tap, device)
    ttnn.close_device(device)
    tap.case("closes", True)
    device = ttnn.open_device(device_id=0)
    tap.case("opens again", True)
    round_trip(tap, device, "again float32", ttnn.float32, [1, 1, 32, 64], ttnn.L1_MEMORY_CONFIG)
    ttnn.close_device(device)
    tap.done()


main()

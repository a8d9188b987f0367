# SPDX-License-Identifier: Apache-2.0
"""A chip behind the libttsim ABI, seen by a host, and what its cores run."""

import ctypes
import os
import struct

from elf_symbols import elf_symbols

WINDOW = 100  # of 2 MiB; clients from PyPI use the first one only
WINDOW_CONFIG, WINDOW_SIZE = 0x1FC00000, 2 << 20
SOFT_RESET, DEBUG_BUS_CONTROL, DEBUG_BUS_DATA = 0xFFB121B0, 0xFFB12054, 0xFFB1205C


class Chip:
    """The chip that a client in this process has opened, by the path of its library."""

    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        self.lib.libttsim_pci_config_rd32.restype = ctypes.c_uint32
        low, high = (self.lib.libttsim_pci_config_rd32(0, offset) for offset in (0x10, 0x14))
        self.bar0 = high << 32 | low & ~15

    def write_bar(self, offset, data):
        self.lib.libttsim_pci_mem_wr_bytes(ctypes.c_uint64(self.bar0 + offset), data, len(data))

    def point(self, tile, address):
        """Aims our window; says where in BAR0 the address is then."""
        x, y = tile
        config = address // WINDOW_SIZE | x << 43 | y << 49
        for i in range(3):
            word = struct.pack("<I", config >> 32 * i & 0xFFFFFFFF)
            self.write_bar(WINDOW_CONFIG + 12 * WINDOW + 4 * i, word)
        return WINDOW * WINDOW_SIZE + address % WINDOW_SIZE

    def read(self, tile, address):
        place, word = self.point(tile, address), ctypes.create_string_buffer(4)
        self.lib.libttsim_pci_mem_rd_bytes(ctypes.c_uint64(self.bar0 + place), word, 4)
        return struct.unpack("<I", word.raw)[0]

    def write(self, tile, address, value):
        self.write_bar(self.point(tile, address), struct.pack("<I", value))

    def pc(self, tile, control):
        self.write(tile, DEBUG_BUS_CONTROL, control)
        return self.read(tile, DEBUG_BUS_DATA) & 0x3FFFFFFF


def functions(firmware, name):
    """(first address, last address + 1, function) of a firmware image."""
    symbols = elf_symbols(os.path.join(firmware, name, f"{name}.elf"))
    return [(at, at + size, symbol) for symbol, (at, size) in symbols.items() if size and at < 0xFFB00000]

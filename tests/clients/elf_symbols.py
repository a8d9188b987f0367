# SPDX-License-Identifier: Apache-2.0
"""The symbols of a 32-bit little-endian ELF file."""

import struct


def elf_symbols(path):
    """name -> (address, size)"""
    with open(path, "rb") as file:
        elf = file.read()
    if elf[:6] != b"\x7fELF\x01\x01":
        raise ValueError(f"{path}: not a 32-bit little-endian ELF file")
    table, size, count = struct.unpack_from("<I", elf, 32)[0], *struct.unpack_from("<2H", elf, 46)
    sections = [struct.unpack_from("<10I", elf, table + size * i) for i in range(count)]
    found = {}
    for _, kind, _, _, offset, length, link, _, _, entry in sections:
        if kind != 2:  # SHT_SYMTAB
            continue
        names = sections[link][4]
        for at in range(offset, offset + length, entry):
            name, address, bytes_long = struct.unpack_from("<3I", elf, at)
            start = names + name
            found[elf[start : elf.index(b"\0", start)].decode()] = (address, bytes_long)
    return found

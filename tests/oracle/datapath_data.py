# SPDX-License-Identifier: Apache-2.0
"""Input of the data path vectors: for each format, tiles as they stand in L1, with every pattern of 16 bits or less and an
edge-heavy choice of 32.  Exact integers only, so that every Python makes the same."""

MASK = (1 << 64) - 1
# Mantissas of FP32 around what is dropped when 10, 7, 6 and 3 bits stay: ties with an even and an odd neighbour, one beside.
MANTISSAS = [0, 1, 0x7FFFFF, 0x400000] + [
    base + offset for drop in (13, 16, 17, 20) for base in (1 << drop - 1, 3 << drop - 1) for offset in (-1, 0, 1)]
MANTISSAS += [0x7FF000, 0x7F8000, 0x7F0000, 0x780000]
TILE = 1024


class Random:
    """splitmix64."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return ((z ^ z >> 31) >> 11) % limit


def words(values, size):
    return b"".join(value.to_bytes(size, "little") for value in values)


def near_rows(rows, exponent_bits, mantissa_bits, seed):
    """Rows of 16 floats whose exponents are within ten of each other, as block floats meet them."""
    random = Random(seed)
    for _ in range(rows):
        top = random.below(1 << exponent_bits)
        for _ in range(16):
            exponent = max(top - random.below(11), 0)
            yield random.below(2) << exponent_bits + mantissa_bits | exponent << mantissa_bits | \
                random.below(1 << mantissa_bits)


def all_16_bits(exponent_bits, short):
    """Every pattern, mixed so that a row has exponents from everywhere, then rows with exponents close together."""
    count = (4 if short else 64) * TILE
    values = [(i * 40503 + 17 * (i >> 12)) & 0xFFFF for i in range(count)]
    values += near_rows((1 if short else 8) * 64, exponent_bits, 15 - exponent_bits, 1)
    return words(values, 2)


def edges_32(short):
    count = 512 * len(MANTISSAS)
    order = ((i * 7919) % count for i in range(count))
    values = [(i % 512) << 23 | MANTISSAS[i // 512] for i in order]
    values = values[:2 * TILE] if short else values
    values += near_rows((1 if short else 4) * 64, 8, 23, 2)
    values += near_rows(-len(values) // 16 % 64, 8, 23, 3)
    return words(values, 4)


def integers_32(short):
    random = Random(4)
    values = [sign | (1 << bit) + offset & 0x7FFFFFFF for bit in range(31) for sign in (0, 1 << 31) for offset in (-1, 0, 1)]
    values += (random.below(1 << 32) for _ in range((1 if short else 4) * TILE - len(values)))
    return words(values, 4)


def bytes_mixed():
    return bytes(range(256)) * 4 + bytes(i * 89 & 255 for i in range(TILE))


def block_floats(mantissa_bits, short):
    """Rows share an exponent: every exponent with every mantissa."""
    per_row, out = 16 * mantissa_bits // 8, b""
    rows = [(r & 255, r >> 8) for r in range((4 if short else 64) * 64 if mantissa_bits == 8 else 256)]
    for at in range(0, len(rows), 64):
        tile = rows[at:at + 64]
        out += bytes(exponent for exponent, _ in tile)
        for exponent, group in tile:
            if mantissa_bits == 8:
                out += bytes((group * 16 + i * 7 & 255) for i in range(16))
            else:
                out += bytes((0xE4 * (i + 1) + exponent * (i & 1) + 0x1B * i) & 255 for i in range(per_row))
    return out


def make(name, short=False):
    """Input for a format of datapath.h."""
    if name in ("BF16", "FP16", "INT16"):
        return all_16_bits(5 if name == "FP16" else 8, short)
    if name in ("FP32", "TF32"):
        return edges_32(short)
    if name == "INT32":
        return integers_32(short)
    if name.startswith("BFP"):
        return block_floats(int(name[3]), short)
    return bytes_mixed()

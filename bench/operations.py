# SPDX-License-Identifier: Apache-2.0
"""Operations of ttnn that are measured, as NAME-SIZE: on matrices of SIZE x SIZE in BF16 (typecast: from FP32).

Names are known without ttnn; what they do needs it.  Whoever measures runs those of NAMED, and twelve that a seed draws from all,
so that nothing is tuned for a list.
"""

import random

# What one operand, or two, become; of rows: along the last dimension.
ONE = ("abs", "neg", "relu", "exp", "exp2", "expm1", "log", "log2", "log1p", "sqrt", "rsqrt", "reciprocal", "square", "sigmoid", "tanh",
       "gelu", "silu", "mish", "softplus", "softsign", "selu", "hardswish", "erf", "erfc", "sin", "cos", "atan", "sinh", "cosh",
       "floor", "ceil", "trunc", "sign", "isnan", "logical_not", "nez", "typecast", "transpose")
TWO = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "eq", "lt", "logaddexp", "squared_difference", "logical_and",
       "matmul")
ROWS = ("softmax", "layer_norm", "rms_norm", "sum", "mean", "max", "min")
NAMED = ("add-1024", "exp-1024", "softmax-1024", "matmul-512", "gelu-1024", "sigmoid-1024", "layer_norm-1024", "typecast-1024",
         "transpose-1024", "sum-1024")
SIZES, DRAWN = (256, 512, 1024), 12


def draw(seed):
    """Twelve names that are not in NAMED."""
    rng = random.Random(seed)
    names = [f"{name}-{size}" for name in ONE + TWO + ROWS for size in SIZES]
    return rng.sample([name for name in names if name not in NAMED], DRAWN)


def is_name(line):
    name, _, size = line.rpartition("-")
    return name in ONE + TWO + ROWS and size.isdecimal() and int(size) > 0


def prepare(line, ttnn, torch, device):
    """A function that does it once and gives its result, and one that gives what torch says.  Operands are in the card's DRAM."""
    name, size = line.rsplit("-", 1)
    torch.manual_seed(1)
    x, y = torch.randn(int(size), int(size)), torch.randn(int(size), int(size))
    x, y = x if name == "typecast" else x.bfloat16(), y.bfloat16()
    put = {torch.float32: ttnn.float32, torch.bfloat16: ttnn.bfloat16}
    a, b = (ttnn.from_torch(t, dtype=put[t.dtype], layout=ttnn.TILE_LAYOUT, device=device) for t in (x, y))
    wide, other = x.float(), y.float()
    if name == "typecast":
        return lambda: ttnn.typecast(a, ttnn.bfloat16), lambda: wide.bfloat16()
    if name == "transpose":
        return lambda: ttnn.transpose(a, -2, -1), lambda: wide.t()
    if name in ("layer_norm", "rms_norm"):
        centred = wide - wide.mean(-1, keepdim=True) if name == "layer_norm" else wide
        return lambda: getattr(ttnn, name)(a), lambda: centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-12)
    if name in ROWS:
        same = {"max": torch.amax, "min": torch.amin}.get(name) or getattr(torch, name)
        return lambda: getattr(ttnn, name)(a, dim=-1), lambda: same(wide, dim=-1)
    if name in TWO:
        same = {"divide": torch.div, "squared_difference": lambda p, q: (p - q) ** 2}.get(name) or getattr(torch, name)
        return lambda: getattr(ttnn, name)(a, b), lambda: same(wide, other)
    same = {"nez": lambda p: p != 0}.get(name) or getattr(torch, name, None) or getattr(torch.nn.functional, name)
    return lambda: getattr(ttnn, name)(a), lambda: same(wide)

# SPDX-License-Identifier: Apache-2.0
"""The ttnn operations that Kerr is tried with: a table of cases, each a function of an open device.

A case returns pairs of what the device gave and what torch expects (None: nothing to compare with, only with
another library).  Its inputs depend on its name alone.  `least` is the Pearson correlation that ttnn's own tests ask
for in such a case; 1 means equality.
"""

import math
import zlib

import torch
import ttnn

CASES = {}
SLOW, FAST = "slow", "fast"
# Convolutions and pools keep their tables in a part of L1 that is set aside when the device is opened.
SMALL = {"l1_small_size": 32768}
TYPES = {"bf16": ttnn.bfloat16, "fp32": ttnn.float32, "bfp8": ttnn.bfloat8_b, "bfp4": ttnn.bfloat4_b, "i32": ttnn.int32,
         "u32": ttnn.uint32, "u16": ttnn.uint16, "u8": ttnn.uint8}
INTEGERS = ("i32", "u32", "u16", "u8")


class Case:
    def __init__(self, name, function, least, modes, open_with):
        self.name, self.function, self.least, self.modes, self.open_with = name, function, least, modes, open_with


def add(name, function, least=0.999, modes=(SLOW, FAST), **open_with):
    CASES[name] = Case(name, function, least, modes, open_with)


def case(name, least=0.999, modes=(SLOW, FAST), **open_with):
    return lambda function: add(name, function, least, modes, **open_with) or function


def seed(name):
    torch.manual_seed(zlib.crc32(name.encode()))


def torch_type(kind):
    if kind in INTEGERS:
        return torch.int32
    return torch.float32 if kind == "fp32" else torch.bfloat16


def normal(*shape, kind="bf16"):
    return torch.randn(*shape).to(torch_type(kind))


def spread(low, high, *shape, kind="bf16"):
    if kind in INTEGERS:
        return torch.randint(low, high, shape, dtype=torch.int32)
    return (torch.rand(*shape) * (high - low) + low).to(torch_type(kind))


def put(tensor, device, kind="bf16", layout=ttnn.TILE_LAYOUT, memory=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(tensor, dtype=TYPES[kind], layout=layout, device=device, memory_config=memory)


def precise(device, fidelity=ttnn.MathFidelity.HiFi4, fp32=True, approx=False, packer=True):
    return ttnn.init_device_compute_kernel_config(device.arch(), math_fidelity=fidelity, math_approx_mode=approx,
                                                  fp32_dest_acc_en=fp32, packer_l1_acc=packer)


# ---- Element by element.  name: torch function, lowest and highest input, correlation.
UNARY = {
    "relu": (torch.relu, -4, 4, 1), "abs": (torch.abs, -4, 4, 1), "neg": (torch.neg, -4, 4, 1),
    "exp": (torch.exp, -4, 4, 0.999), "exp2": (torch.exp2, -4, 4, 0.999), "expm1": (torch.expm1, -2, 2, 0.999),
    "log": (torch.log, 0.1, 9, 0.999), "log2": (torch.log2, 0.1, 9, 0.999), "log10": (torch.log10, 0.1, 9, 0.999),
    "log1p": (torch.log1p, 0.1, 9, 0.999), "sqrt": (torch.sqrt, 0.1, 9, 0.999), "rsqrt": (torch.rsqrt, 0.1, 9, 0.999),
    "cbrt": (lambda x: torch.sign(x) * torch.abs(x) ** (1 / 3), 0.1, 9, 0.999),
    "reciprocal": (torch.reciprocal, 0.5, 9, 0.999), "square": (torch.square, -4, 4, 0.999),
    "sigmoid": (torch.sigmoid, -4, 4, 0.999), "tanh": (torch.tanh, -4, 4, 0.99),
    "gelu": (torch.nn.functional.gelu, -4, 4, 0.999), "silu": (torch.nn.functional.silu, -4, 4, 0.999),
    "mish": (torch.nn.functional.mish, -4, 4, 0.999), "softplus": (torch.nn.functional.softplus, -4, 4, 0.999),
    "softsign": (torch.nn.functional.softsign, -4, 4, 0.999), "selu": (torch.nn.functional.selu, -4, 4, 0.999),
    "hardswish": (torch.nn.functional.hardswish, -4, 4, 0.999), "hardtanh": (torch.nn.functional.hardtanh, -4, 4, 1),
    "hardsigmoid": (torch.nn.functional.hardsigmoid, -4, 4, 0.999), "relu6": (torch.nn.functional.relu6, -9, 9, 1),
    "log_sigmoid": (torch.nn.functional.logsigmoid, -4, 4, 0.999), "erf": (torch.erf, -2, 2, 0.999),
    "erfc": (torch.erfc, -2, 2, 0.999), "erfinv": (torch.erfinv, -0.9, 0.9, 0.999),
    "sin": (torch.sin, -3, 3, 0.999), "cos": (torch.cos, -3, 3, 0.999), "tan": (torch.tan, -1.2, 1.2, 0.999),
    "asin": (torch.asin, -0.9, 0.9, 0.999), "acos": (torch.acos, -0.9, 0.9, 0.999), "atan": (torch.atan, -4, 4, 0.999),
    "sinh": (torch.sinh, -3, 3, 0.999), "cosh": (torch.cosh, -3, 3, 0.999), "asinh": (torch.asinh, -3, 3, 0.999),
    "acosh": (torch.acosh, 1.1, 9, 0.999), "atanh": (torch.atanh, -0.9, 0.9, 0.999),
    "floor": (torch.floor, -9, 9, 1), "ceil": (torch.ceil, -9, 9, 1), "trunc": (torch.trunc, -9, 9, 1),
    "round": (torch.round, -9, 9, 1), "frac": (torch.frac, -9, 9, 0.999), "sign": (torch.sign, -4, 4, 1),
    "signbit": (torch.signbit, -4, 4, 1), "logical_not": (torch.logical_not, -4, 4, 1),
    "isnan": (torch.isnan, -4, 4, 1), "isinf": (torch.isinf, -4, 4, 1), "isfinite": (torch.isfinite, -4, 4, 1),
    "i0": (torch.i0, -3, 3, 0.999), "rad2deg": (torch.rad2deg, -3, 3, 0.999), "tanhshrink":
    (torch.nn.functional.tanhshrink, -3, 3, 0.99), "gtz": (lambda x: x > 0, -4, 4, 1), "ltz": (lambda x: x < 0, -4, 4, 1),
    "nez": (lambda x: x != 0, -4, 4, 1), "eqz": (lambda x: x == 0, -4, 4, 1),
}
FP32_UNARY = ("relu", "abs", "exp", "log", "sqrt", "rsqrt", "reciprocal", "sigmoid", "tanh", "gelu", "silu", "erf", "sin",
              "cos", "floor", "square", "softplus", "isnan", "sign")


def unary(name, kind):
    reference, low, high, _ = UNARY[name]

    def run(device):
        data = spread(low, high, 64, 96, kind=kind)
        return [(getattr(ttnn, name)(put(data, device, kind)), reference(data.float()))]
    return run


for op, (_, _, _, wanted) in UNARY.items():
    add(f"unary/{op}-bf16", unary(op, "bf16"), wanted)
for op in FP32_UNARY:
    add(f"unary/{op}-fp32", unary(op, "fp32"), UNARY[op][3])
for op in ("relu", "exp", "sqrt", "gelu"):
    add(f"unary/{op}-bfp8", unary(op, "bfp8"), min(UNARY[op][3], 0.999))

PARAMETERS = {
    "leaky_relu": ((0.1,), lambda x: torch.nn.functional.leaky_relu(x, 0.1)),
    "elu": ((), torch.nn.functional.elu), "celu": ((), torch.nn.functional.celu),
    "threshold": ((0.5, 1.0), lambda x: torch.nn.functional.threshold(x, 0.5, 1.0)),
    "heaviside": ((0.5,), lambda x: torch.heaviside(x, torch.tensor(0.5))),
    "clamp": ((-1.0, 1.0), lambda x: torch.clamp(x, -1, 1)), "pow": ((2,), lambda x: x**2),
    "hardshrink": ((), torch.nn.functional.hardshrink), "softshrink": ((), torch.nn.functional.softshrink),
    "add": ((1.5,), lambda x: x + 1.5), "multiply": ((1.5,), lambda x: x * 1.5), "rsub": ((1.5,), lambda x: 1.5 - x),
}
for op, (extra, reference_of) in PARAMETERS.items():
    def with_parameters(device, op=op, extra=extra, reference_of=reference_of):
        data = spread(-4, 4, 64, 64)
        return [(getattr(ttnn, op)(put(data, device), *extra), reference_of(data.float()))]
    add(f"unary/{op}-parameter", with_parameters)

BINARY = {
    "add": torch.add, "subtract": torch.sub, "multiply": torch.mul, "divide": torch.div, "maximum": torch.maximum,
    "minimum": torch.minimum, "eq": torch.eq, "ne": torch.ne, "lt": torch.lt, "gt": torch.gt, "le": torch.le,
    "ge": torch.ge, "logical_and": torch.logical_and, "logical_or": torch.logical_or, "logical_xor": torch.logical_xor,
    "squared_difference": lambda a, b: (a - b) ** 2, "logaddexp": torch.logaddexp, "hypot": torch.hypot,
    "atan2": torch.atan2, "ldexp": torch.ldexp, "pow": torch.pow, "xlogy": torch.xlogy, "fmod": torch.fmod,
    "remainder": torch.remainder,
}
BINARY_KINDS = {"fp32": ("add", "subtract", "multiply", "divide", "maximum", "eq", "lt", "pow"),
                "bfp8": ("add", "multiply", "subtract"), "bfp4": ("add",),
                "i32": ("add", "subtract", "multiply", "eq", "lt", "gt", "maximum", "minimum"), "u32": ("add", "eq"),
                "u16": ("add",)}


def binary(name, kind, shapes=((64, 96), (64, 96))):
    def run(device):
        low, high = (0.5, 3) if name in ("pow", "xlogy", "fmod", "remainder", "divide") else (-4, 4)
        if kind in INTEGERS:
            low, high = (0, 1000) if kind.startswith("u") else (-1000, 1000)
        a, b = (spread(low, high, *shape, kind=kind) for shape in shapes)
        if name in ("eq", "ne", "le", "ge"):
            a[..., :8, :8] = b[..., :8, :8] if b.shape == a.shape else 0
        exact = (a, b) if kind in INTEGERS else (a.float(), b.float())
        return [(getattr(ttnn, name)(put(a, device, kind), put(b, device, kind)), BINARY[name](*exact))]
    return run


for op in BINARY:
    add(f"binary/{op}-bf16", binary(op, "bf16"))
for data_type, ops in BINARY_KINDS.items():
    for op in ops:
        add(f"binary/{op}-{data_type}", binary(op, data_type), 1 if data_type in INTEGERS else
            0.98 if data_type == "bfp4" else 0.999)
for label, second in {"row": (1, 1, 1, 64), "column": (1, 1, 64, 1), "one": (1, 1, 1, 1), "batch": (1, 1, 64, 64)}.items():
    for op in ("add", "multiply", "subtract"):
        add(f"binary/{op}-broadcast-{label}", binary(op, "bf16", ((2, 3, 64, 64), second)))
for op, reference_of in {"bitwise_and": torch.bitwise_and, "bitwise_or": torch.bitwise_or,
                         "bitwise_xor": torch.bitwise_xor, "bitwise_left_shift": torch.bitwise_left_shift,
                         "bitwise_right_shift": torch.bitwise_right_shift}.items():
    def bitwise(device, op=op, reference_of=reference_of):
        a, b = spread(0, 30000, 64, 64, kind="i32"), spread(0, 15, 64, 64, kind="i32")
        return [(getattr(ttnn, op)(put(a, device, "i32"), put(b, device, "i32")), reference_of(a, b))]
    add(f"binary/{op}-i32", bitwise, 1)


@case("ternary/where")
def where(device):
    pick, a, b = spread(0, 2, 64, 64, kind="i32").bfloat16(), normal(64, 64), normal(64, 64)
    return [(ttnn.where(*(put(t, device) for t in (pick, a, b))), torch.where(pick != 0, a, b))]


@case("ternary/addcmul")
def addcmul(device):
    a, b, c = normal(64, 64), normal(64, 64), normal(64, 64)
    return [(ttnn.addcmul(*(put(t, device) for t in (a, b, c)), value=0.5), torch.addcmul(a, b, c, value=0.5))]


@case("ternary/lerp")
def lerp(device):
    a, b, c = normal(64, 64), normal(64, 64), normal(64, 64)
    return [(ttnn.lerp(*(put(t, device) for t in (a, b, c))), torch.lerp(a, b, c))]


@case("ternary/mac")
def mac(device):
    a, b, c = normal(64, 64), normal(64, 64), normal(64, 64)
    return [(ttnn.mac(*(put(t, device) for t in (a, b, c))), a.float() * b + c)]


# ---- Types
def typecast(source, target):
    def run(device):
        data = spread(0, 100, 64, 64, kind=source)
        if target in INTEGERS:
            data = data.float().round().to(data.dtype)
        return [(ttnn.typecast(put(data, device, source), TYPES[target]), data.float())]
    return run


for source_kind in TYPES:
    for target_kind in TYPES:
        if source_kind != target_kind:
            add(f"typecast/{source_kind}-{target_kind}", typecast(source_kind, target_kind), 0.98)


# ---- Reductions
def reduction(name, kind, dim, shape=(2, 64, 96)):
    def run(device):
        data = spread(0.5, 1.1, *shape, kind=kind) if name == "prod" else normal(*shape, kind=kind)
        wide = data.double()
        if name in ("max", "min"):
            golden = getattr(torch, f"a{name}")(wide, dim=() if dim is None else dim)
        elif name in ("std", "var"):
            golden = getattr(torch, name)(wide, dim=dim, correction=1)
        else:
            golden = getattr(torch, name)(wide) if dim is None else getattr(torch, name)(wide, dim=dim)
        arguments = {} if dim is None else {"dim": dim}
        return [(getattr(ttnn, name)(put(data, device, kind), **arguments), golden.float())]
    return run


for op in ("sum", "mean", "max", "min"):
    for dimension in (-1, -2, 0, None):
        add(f"reduce/{op}-bf16-{'all' if dimension is None else dimension}", reduction(op, "bf16", dimension), 0.99)
    add(f"reduce/{op}-fp32--1", reduction(op, "fp32", -1), 0.999)
for op in ("std", "var"):
    add(f"reduce/{op}-bf16--1", reduction(op, "bf16", -1), 0.98)
add("reduce/prod-bf16--1", reduction("prod", "bf16", -1, (1, 1, 32, 64)), 0.98)
add("reduce/sum-bfp8--1", reduction("sum", "bfp8", -1), 0.99)


@case("reduce/argmax", 1)
def argmax(device):
    data = torch.randperm(64 * 256).reshape(1, 1, 64, 256).remainder(251).bfloat16()
    data[..., 0, :] = torch.arange(256)
    data[..., 77] = 300
    return [(ttnn.argmax(put(data, device, layout=ttnn.ROW_MAJOR_LAYOUT), dim=-1), torch.argmax(data, dim=-1))]


@case("reduce/argmax-multicore", 1)
def argmax_multicore(device):
    data = normal(1, 1, 32, 2048)
    data[..., 1000] = 100
    tensor = put(data, device, layout=ttnn.ROW_MAJOR_LAYOUT)
    return [(ttnn.argmax(tensor, dim=-1, keepdim=True), torch.argmax(data, dim=-1, keepdim=True))]


def topk(width, count):
    def run(device):
        data = torch.stack([torch.randperm(width) for _ in range(32)]).reshape(1, 1, 32, width).bfloat16()
        data = data / 4 if width > 256 else data
        values, indices = ttnn.topk(put(data, device), count, dim=-1, largest=True, sorted=True)
        golden, _ = torch.topk(data, count, dim=-1)
        # Which of equal values is named is left open: what is at the indices must be the values.
        there = torch.gather(data.float(), -1, ttnn.to_torch(indices).to(torch.int64) & 0xFFFF)
        return [(values, golden), (indices, None), (there, golden)]
    return run


add("reduce/topk-64-32", topk(64, 32))
add("reduce/topk-256-32", topk(256, 32))
add("reduce/topk-1024-64", topk(1024, 64))


@case("reduce/sort")
def sort(device):
    data = torch.stack([torch.randperm(128) for _ in range(32)]).bfloat16()
    values, indices = ttnn.sort(put(data, device), dim=-1)
    return [(values, torch.sort(data, dim=-1)[0]), (indices, None)]


@case("reduce/cumsum--1")
def cumsum_last(device):
    data = normal(1, 2, 32, 64, kind="fp32")
    return [(ttnn.cumsum(put(data, device, "fp32"), dim=-1), torch.cumsum(data, -1))]


@case("reduce/cumsum-0")
def cumsum_first(device):
    data = normal(4, 2, 32, 64)
    return [(ttnn.cumsum(put(data, device), dim=0), torch.cumsum(data.float(), 0))]


@case("reduce/cumprod")
def cumprod(device):
    data = spread(0.8, 1.2, 1, 2, 32, 64, kind="fp32")
    return [(ttnn.cumprod(put(data, device, "fp32"), dim=1), torch.cumprod(data, 1))]


# ---- Normalisations
def softmax(shape, kind="bf16", **arguments):
    def run(device):
        data = normal(*shape, kind=kind)
        dim = arguments.get("dim", -1)
        more = {key: value for key, value in arguments.items() if key not in ("dim", "config")}
        if "config" in arguments:
            more["compute_kernel_config"] = precise(device)
        return [(ttnn.softmax(put(data, device, kind), dim=dim, **more), torch.softmax(data.float(), dim))]
    return run


add("norm/softmax", softmax((2, 64, 96)))
add("norm/softmax-256", softmax((256, 256)))
add("norm/softmax-stable", softmax((2, 64, 96), numeric_stable=True))
add("norm/softmax--2", softmax((2, 64, 96), dim=-2))
add("norm/softmax-fp32", softmax((64, 96), "fp32", config=True))
add("norm/softmax-odd", softmax((1, 1, 50, 70)))


@case("norm/softmax-in-place")
def softmax_in_place(device):
    data = normal(1, 1, 64, 64)
    return [(ttnn.softmax_in_place(put(data, device)), torch.softmax(data.float(), -1))]


@case("norm/scale-mask-softmax")
def scale_mask_softmax(device):
    data = normal(1, 1, 64, 64)
    mask = torch.where(torch.rand(1, 1, 1, 64) < 0.3, -10000.0, 0.0).bfloat16()
    golden = torch.softmax(data.float() * 0.125 + mask.float(), -1)
    return [(ttnn.scale_mask_softmax(put(data, device), 0.125, put(mask, device), is_causal_mask=False), golden)]


def layer_norm(kind="bf16", affine=True, width=96, residual=False):
    def run(device):
        data, weight, bias, more = normal(64, width, kind=kind), normal(width, kind=kind), normal(width, kind=kind), {}
        total = data.float()
        if affine:
            more.update(weight=put(weight, device, kind), bias=put(bias, device, kind))
        if residual:
            other = normal(64, width, kind=kind)
            more["residual_input_tensor"] = put(other, device, kind)
            total = total + other.float()
        golden = torch.nn.functional.layer_norm(total, [width], *((weight.float(), bias.float()) if affine else ()))
        return [(ttnn.layer_norm(put(data, device, kind), **more), golden)]
    return run


add("norm/layer", layer_norm())
add("norm/layer-plain", layer_norm(affine=False))
add("norm/layer-fp32", layer_norm("fp32"))
add("norm/layer-wide", layer_norm(width=512))
add("norm/layer-residual", layer_norm(residual=True))


@case("norm/rms")
def rms(device):
    data, weight = normal(64, 128), normal(128)
    golden = data.float() * torch.rsqrt(data.float().square().mean(-1, keepdim=True) + 1e-6) * weight.float()
    return [(ttnn.rms_norm(put(data, device), weight=put(weight, device), epsilon=1e-6), golden)]


@case("norm/batch")
def batch(device):
    data = normal(2, 3, 32, 32)
    mean, var = normal(1, 3, 1, 1), spread(0.5, 2, 1, 3, 1, 1)
    golden = (data.float() - mean.float()) / torch.sqrt(var.float() + 1e-5)
    return [(ttnn.batch_norm(put(data, device), running_mean=put(mean, device), running_var=put(var, device),
                             training=False, eps=1e-5), golden)]


@case("norm/group", 0.99, **SMALL)
def group(device):
    channels, groups = 64, 2
    data = normal(1, channels, 16, 16)
    weight, bias = normal(channels), normal(channels)
    golden = torch.nn.functional.group_norm(data.float(), groups, weight.float(), bias.float())
    golden = golden.permute(0, 2, 3, 1).reshape(1, 1, 256, channels)
    grid = ttnn.CoreGrid(y=1, x=1)
    mask = ttnn.to_device(ttnn.create_group_norm_input_mask(channels, groups, grid.y, ttnn.bfloat16), device)
    scale, shift = (ttnn.from_torch(ttnn.create_group_norm_weight_bias_rm(t, channels, grid.y), dtype=ttnn.bfloat16,
                                    layout=ttnn.ROW_MAJOR_LAYOUT, device=device) for t in (weight, bias))
    tensor = put(data.permute(0, 2, 3, 1).reshape(1, 1, 256, channels), device)
    return [(ttnn.group_norm(tensor, num_groups=groups, input_mask=mask, weight=scale, bias=shift, core_grid=grid,
                             inplace=False), golden)]


# ---- Matrix products
FIDELITIES = {"lofi": ttnn.MathFidelity.LoFi, "hifi2": ttnn.MathFidelity.HiFi2, "hifi3": ttnn.MathFidelity.HiFi3,
              "hifi4": ttnn.MathFidelity.HiFi4}


def matmul(kinds=("bf16", "bf16"), shape=(64, 128, 96), fidelity=None, fp32=False, batch_of=(), out=None, **more):
    def run(device):
        m, k, n = shape
        a = normal(*batch_of, m, k, kind=kinds[0])
        b = normal(*batch_of, k, n, kind=kinds[1])
        arguments = dict(more)
        if fidelity:
            arguments["compute_kernel_config"] = precise(device, FIDELITIES[fidelity], fp32)
        if out:
            arguments["dtype"] = TYPES[out]
        return [(ttnn.matmul(put(a, device, kinds[0]), put(b, device, kinds[1]), **arguments), a.float() @ b.float())]
    return run


add("matmul/default-256", matmul(shape=(256, 256, 256)), 0.999)
add("matmul/default-512", matmul(shape=(512, 512, 512)), 0.999)
for level in FIDELITIES:
    for wide in (False, True):
        suffix = "-fp32acc" if wide else ""
        add(f"matmul/bf16-{level}{suffix}", matmul(fidelity=level, fp32=wide), 0.99 if level == "lofi" else 0.999)
        add(f"matmul/bfp8-{level}{suffix}", matmul(("bfp8", "bfp8"), fidelity=level, fp32=wide), 0.99)
        add(f"matmul/bfp4-{level}{suffix}", matmul(("bfp4", "bfp4"), fidelity=level, fp32=wide), 0.97)
    add(f"matmul/fp32-{level}", matmul(("fp32", "fp32"), fidelity=level, fp32=True), 0.99)
add("matmul/bf16-bfp8", matmul(("bf16", "bfp8"), fidelity="hifi2"), 0.99)
add("matmul/bf16-bfp4", matmul(("bf16", "bfp4"), fidelity="lofi"), 0.97)
add("matmul/bfp8-to-bf16", matmul(("bfp8", "bfp8"), fidelity="hifi2", out="bf16"), 0.99)
add("matmul/bf16-to-fp32", matmul(fidelity="hifi4", fp32=True, out="fp32"), 0.999)
add("matmul/odd", matmul(shape=(50, 70, 90)))
add("matmul/batch", matmul(batch_of=(2, 3), shape=(64, 64, 64)))
add("matmul/tall", matmul(shape=(1024, 64, 64)))
add("matmul/wide", matmul(shape=(32, 256, 1024)))
add("matmul/transposed", lambda device: matmul_transposed(device))


def matmul_transposed(device):
    a, b = normal(64, 128), normal(96, 128)
    return [(ttnn.matmul(put(a, device), put(b, device), transpose_b=True), a.float() @ b.float().T)]


@case("matmul/linear")
def linear(device):
    a, b, c = normal(64, 128), normal(128, 96), normal(1, 96)
    return [(ttnn.linear(put(a, device), put(b, device), bias=put(c, device)), a.float() @ b.float() + c.float())]


@case("matmul/linear-gelu")
def linear_gelu(device):
    a, b, c = normal(64, 128), normal(128, 96) / 8, normal(1, 96)
    golden = torch.nn.functional.gelu(a.float() @ b.float() + c.float())
    return [(ttnn.linear(put(a, device), put(b, device), bias=put(c, device), activation="gelu"), golden)]


@case("matmul/mcast-2d")
def mcast_2d(device):
    a, b = normal(256, 256), normal(256, 256)
    config = ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
        compute_with_storage_grid_size=(4, 4), in0_block_w=2, out_subblock_h=1, out_subblock_w=2, per_core_M=2,
        per_core_N=2, transpose_mcast=False, fused_activation=None)
    return [(ttnn.matmul(put(a, device), put(b, device), program_config=config), a.float() @ b.float())]


@case("matmul/mcast-1d")
def mcast_1d(device):
    a, b = normal(64, 256), normal(256, 512)
    config = ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig(
        compute_with_storage_grid_size=(8, 1), in0_block_w=2, out_subblock_h=1, out_subblock_w=2, per_core_M=2,
        per_core_N=2, fuse_batch=True, fused_activation=None, mcast_in0=True)
    return [(ttnn.matmul(put(a, device), put(b, device), program_config=config), a.float() @ b.float())]


# ---- Movement of data
def moved(call, reference, *shape, kind="bf16", layout=ttnn.TILE_LAYOUT):
    def run(device):
        data = spread(-90, 90, *shape, kind=kind) if kind in INTEGERS else normal(*shape, kind=kind)
        return [(call(put(data, device, kind, layout)), reference(data))]
    return run


MOVES = {
    "tilize": (ttnn.tilize, lambda x: x, (2, 64, 96), ttnn.ROW_MAJOR_LAYOUT),
    "untilize": (ttnn.untilize, lambda x: x, (2, 64, 96), ttnn.TILE_LAYOUT),
    "to-tile-odd": (lambda x: ttnn.to_layout(x, ttnn.TILE_LAYOUT), lambda x: x, (1, 50, 70), ttnn.ROW_MAJOR_LAYOUT),
    "to-row-major-odd": (lambda x: ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT), lambda x: x, (1, 50, 70), ttnn.TILE_LAYOUT),
    "transpose-wh": (lambda x: ttnn.transpose(x, -2, -1), lambda x: x.transpose(-2, -1), (2, 3, 64, 96), ttnn.TILE_LAYOUT),
    "transpose-hc": (lambda x: ttnn.transpose(x, 1, 2), lambda x: x.transpose(1, 2), (2, 3, 64, 96), ttnn.TILE_LAYOUT),
    "transpose-cn": (lambda x: ttnn.transpose(x, 0, 1), lambda x: x.transpose(0, 1), (2, 3, 64, 96), ttnn.TILE_LAYOUT),
    "permute-0213": (lambda x: ttnn.permute(x, (0, 2, 1, 3)), lambda x: x.permute(0, 2, 1, 3), (2, 3, 64, 96),
                     ttnn.TILE_LAYOUT),
    "permute-3210": (lambda x: ttnn.permute(x, (3, 2, 1, 0)), lambda x: x.permute(3, 2, 1, 0), (2, 3, 32, 32),
                     ttnn.TILE_LAYOUT),
    "permute-0231-rows": (lambda x: ttnn.permute(x, (0, 2, 3, 1)), lambda x: x.permute(0, 2, 3, 1), (1, 32, 16, 16),
                          ttnn.ROW_MAJOR_LAYOUT),
    "slice": (lambda x: x[:, 0:32, 32:96], lambda x: x[:, 0:32, 32:96], (2, 64, 96), ttnn.TILE_LAYOUT),
    "slice-rows": (lambda x: x[:, 3:40, 8:72], lambda x: x[:, 3:40, 8:72], (2, 64, 96), ttnn.ROW_MAJOR_LAYOUT),
    "pad": (lambda x: ttnn.pad(x, [(0, 0), (0, 32), (0, 32)], 2.5),
            lambda x: torch.nn.functional.pad(x, (0, 32, 0, 32), value=2.5), (2, 32, 32), ttnn.TILE_LAYOUT),
    "reshape": (lambda x: ttnn.reshape(x, (4, 32, 96)), lambda x: x.reshape(4, 32, 96), (2, 64, 96), ttnn.TILE_LAYOUT),
    "reshape-tiles": (lambda x: ttnn.reshape(x, (2, 96, 64)), lambda x: x.reshape(2, 96, 64), (2, 64, 96),
                      ttnn.TILE_LAYOUT),
    "repeat": (lambda x: ttnn.repeat(x, (2, 1, 2)), lambda x: x.repeat(2, 1, 2), (2, 32, 64), ttnn.TILE_LAYOUT),
    "repeat-interleave": (lambda x: ttnn.repeat_interleave(x, 2, dim=0), lambda x: x.repeat_interleave(2, dim=0),
                          (2, 32, 64), ttnn.TILE_LAYOUT),
    "clone": (ttnn.clone, lambda x: x, (2, 32, 64), ttnn.TILE_LAYOUT),
    "tril": (ttnn.tril, torch.tril, (1, 1, 64, 64), ttnn.TILE_LAYOUT),
    "roll": (lambda x: ttnn.roll(x, 1, 0), lambda x: torch.roll(x, 1, 0), (2, 32, 64), ttnn.TILE_LAYOUT),
}
for label, (call_of, reference_of, extents, first_layout) in MOVES.items():
    for data_type in ("bf16", "fp32", "i32"):
        if data_type != "i32" or label in ("transpose-cn", "slice", "clone", "transpose-wh", "tilize", "untilize"):
            add(f"move/{label}-{data_type}", moved(call_of, reference_of, *extents, kind=data_type, layout=first_layout),
                1 if data_type == "bf16" or data_type == "i32" else 0.9999)
for label in ("transpose-wh", "transpose-hc", "slice", "clone"):
    call_of, reference_of, extents, first_layout = MOVES[label]
    add(f"move/{label}-bfp8", moved(call_of, reference_of, *extents, kind="bfp8"), 0.999)


def concat(dim, layout):
    def run(device):
        tensors = [normal(2, 64, 96) for _ in range(3)]
        return [(ttnn.concat([put(t, device, layout=layout) for t in tensors], dim=dim), torch.concat(tensors, dim))]
    return run


for dimension in (0, 1, 2):
    add(f"move/concat-{dimension}", concat(dimension, ttnn.TILE_LAYOUT), 1)
    add(f"move/concat-{dimension}-rows", concat(dimension, ttnn.ROW_MAJOR_LAYOUT), 1)


@case("move/split", 1)
def split(device):
    data = normal(1, 64, 128)
    return list(zip(ttnn.split(put(data, device), 64, dim=2), torch.split(data, 64, dim=2)))


@case("move/stack", 1)
def stack(device):
    tensors = [normal(32, 64) for _ in range(3)]
    return [(ttnn.stack([put(t, device) for t in tensors], dim=0), torch.stack(tensors))]


@case("move/gather", 1)
def gather(device):
    data, index = normal(1, 1, 32, 64), torch.randint(0, 64, (1, 1, 32, 64))
    picks = ttnn.from_torch(index.to(torch.int32), dtype=ttnn.uint32, layout=ttnn.TILE_LAYOUT, device=device)
    return [(ttnn.gather(put(data, device), -1, index=picks), torch.gather(data, -1, index))]


@case("move/upsample", 1, **SMALL)
def upsample(device):
    data = normal(1, 8, 8, 32)
    golden = torch.nn.functional.interpolate(data.permute(0, 3, 1, 2), scale_factor=2).permute(0, 2, 3, 1)
    return [(ttnn.upsample(put(data, device, layout=ttnn.ROW_MAJOR_LAYOUT), 2), golden)]


@case("move/full-and-arange", 1)
def full_and_arange(device):
    return [(ttnn.full((64, 64), 3.5, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device), torch.full((64, 64), 3.5)),
            (ttnn.arange(0, 64, dtype=ttnn.int32, device=device), torch.arange(64)),
            (ttnn.zeros((64, 64), dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device), torch.zeros(64, 64))]


def embedding(layout):
    def run(device):
        index, table = torch.randint(0, 128, (2, 32)), normal(128, 64)
        indices = ttnn.from_torch(index.to(torch.int32), dtype=ttnn.uint32, device=device)
        return [(ttnn.embedding(indices, put(table, device, layout=ttnn.ROW_MAJOR_LAYOUT), layout=layout),
                 torch.nn.functional.embedding(index, table))]
    return run


add("move/embedding", embedding(ttnn.TILE_LAYOUT), 1)
add("move/embedding-rows", embedding(ttnn.ROW_MAJOR_LAYOUT), 1)


@case("random/uniform")
def uniform(device):
    tensor = ttnn.rand((32, 32), device=device, dtype=ttnn.bfloat16, seed=7)
    values = ttnn.to_torch(tensor).float()
    inside = torch.tensor(bool(((values >= 0) & (values <= 1)).all() and values.std() > 0.2))
    return [(tensor, None), (inside, torch.tensor(True))]


# ---- Convolutions and pools
def conv2d(channels=(32, 32), size=16, kernel=3, stride=1, padding=1, groups=1, shard=None, bias=True, kinds=("bf16", "bf16"),
           **config):
    def run(device):
        inward, outward = channels
        data, weight = normal(1, inward, size, size), normal(outward, inward // groups, kernel, kernel)
        shift = normal(1, 1, 1, outward)
        golden = torch.nn.functional.conv2d(data.float(), weight.float(), shift.float().reshape(-1) if bias else None, stride,
                                            padding, 1, groups)
        tensor = ttnn.from_torch(data.permute(0, 2, 3, 1), dtype=TYPES[kinds[0]], device=device,
                                 layout=ttnn.TILE_LAYOUT if kinds[0] == "bfp8" else ttnn.ROW_MAJOR_LAYOUT)
        result, (height, width) = ttnn.conv2d(
            input_tensor=tensor, weight_tensor=ttnn.from_torch(weight, ttnn.float32 if kinds[1] != "bf16" else ttnn.bfloat16),
            in_channels=inward, out_channels=outward, device=device,
            bias_tensor=ttnn.from_torch(shift, ttnn.float32 if kinds[1] != "bf16" else ttnn.bfloat16) if bias else None,
            kernel_size=(kernel, kernel), stride=(stride, stride), padding=(padding, padding), batch_size=1,
            input_height=size, input_width=size, groups=groups, dtype=TYPES[kinds[0]],
            conv_config=ttnn.Conv2dConfig(weights_dtype=TYPES[kinds[1]], shard_layout=shard, **config),
            return_output_dim=True)
        values = ttnn.to_torch(result)[..., :outward].reshape(1, height, width, outward).permute(0, 3, 1, 2)
        return [(values, golden)]
    return run


add("conv/3x3", conv2d(), 0.998, **SMALL)
add("conv/3x3-64-channels", conv2d((64, 64), 16), 0.998, **SMALL)
add("conv/1x1", conv2d((32, 64), 16, 1, 1, 0), 0.998, **SMALL)
add("conv/stride-2", conv2d((32, 32), 16, 3, 2, 1), 0.998, **SMALL)
add("conv/3-channels", conv2d((3, 32), 32, 3, 1, 1), 0.998, **SMALL)
add("conv/7x7-stride-2", conv2d((3, 32), 32, 7, 2, 3), 0.998, **SMALL)
add("conv/no-bias", conv2d(bias=False), 0.998, **SMALL)
add("conv/groups", conv2d((64, 64), 16, groups=2), 0.998, **SMALL)
add("conv/height-sharded", conv2d(shard=ttnn.TensorMemoryLayout.HEIGHT_SHARDED), 0.998, **SMALL)
add("conv/block-sharded", conv2d((64, 64), 16, shard=ttnn.TensorMemoryLayout.BLOCK_SHARDED), 0.998, **SMALL)
add("conv/width-sharded", conv2d((256, 64), 8, shard=ttnn.TensorMemoryLayout.WIDTH_SHARDED), 0.998, **SMALL)
add("conv/bfp8-weights", conv2d(kinds=("bf16", "bfp8")), 0.99, **SMALL)


def pool(name, reference, kernel, stride, padding):
    def run(device):
        data = normal(1, 32, 16, 16)
        tensor = put(data.permute(0, 2, 3, 1).reshape(1, 1, 256, 32), device, layout=ttnn.ROW_MAJOR_LAYOUT)
        arguments = dict(batch_size=1, input_h=16, input_w=16, channels=32, kernel_size=[kernel, kernel],
                         stride=[stride, stride], padding=[padding, padding])
        if name == "max_pool2d":
            arguments["dilation"] = [1, 1]
        golden = reference(data.float(), kernel, stride, padding)
        result = ttnn.to_torch(getattr(ttnn, name)(tensor, **arguments))
        shape = (1, golden.shape[2], golden.shape[3], -1)
        return [(result.reshape(shape)[..., :32].permute(0, 3, 1, 2), golden)]
    return run


add("conv/max-pool-2", pool("max_pool2d", torch.nn.functional.max_pool2d, 2, 2, 0), 1, **SMALL)
add("conv/max-pool-3", pool("max_pool2d", torch.nn.functional.max_pool2d, 3, 2, 1), 1, **SMALL)
add("conv/avg-pool-2", pool("avg_pool2d", torch.nn.functional.avg_pool2d, 2, 2, 0), 0.998, **SMALL)


@case("conv/global-avg-pool", 0.998, **SMALL)
def global_avg_pool(device):
    data = normal(1, 8, 8, 64)
    return [(ttnn.global_avg_pool2d(put(data, device)), data.float().mean((1, 2), keepdim=True))]


# ---- Attention
def attention(heads=2, kv_heads=2, length=128, width=64, causal=True, kind="bf16"):
    def run(device):
        q = normal(1, heads, length, width)
        k, v = normal(1, kv_heads, length, width), normal(1, kv_heads, length, width)
        config = ttnn.SDPAProgramConfig(compute_with_storage_grid_size=device.compute_with_storage_grid_size(),
                                        q_chunk_size=64, k_chunk_size=64, exp_approx_mode=False)
        repeated = [t.float().repeat_interleave(heads // kv_heads, 1) for t in (k, v)]
        golden = torch.nn.functional.scaled_dot_product_attention(q.float(), *repeated, is_causal=causal)
        result = ttnn.transformer.scaled_dot_product_attention(*(put(t, device, kind) for t in (q, k, v)), is_causal=causal,
                                                               program_config=config,
                                                               compute_kernel_config=precise(device, ttnn.MathFidelity.HiFi2, False))
        return [(result, golden)]
    return run


add("attention/causal", attention(), 0.99)
add("attention/full", attention(causal=False), 0.99)
add("attention/grouped", attention(heads=4, kv_heads=1), 0.99)
add("attention/bfp8", attention(kind="bfp8"), 0.99)


@case("attention/heads", 1)
def heads_and_back(device):
    data = normal(1, 64, 3 * 128)
    q, k, v = ttnn.transformer.split_query_key_value_and_split_heads(put(data, device), num_heads=4)
    golden = [t.reshape(1, 64, 4, 32).permute(0, 2, 1, 3) for t in data.split(128, -1)]
    joined = ttnn.transformer.concatenate_heads(q)
    return [(q, golden[0]), (k, golden[1].transpose(-1, -2)), (v, golden[2]), (joined, data[..., :128])]


# ---- Shards in L1
SHARDS = {"height": ((256, 64), (4, 1), ttnn.ShardStrategy.HEIGHT), "width": ((64, 256), (4, 1), ttnn.ShardStrategy.WIDTH),
          "block": ((128, 128), (2, 2), ttnn.ShardStrategy.BLOCK)}


def sharded(strategy):
    shape, (x, y), kind = SHARDS[strategy]
    return ttnn.create_sharded_memory_config((1, 1, *shape), ttnn.CoreGrid(x=x, y=y), kind, ttnn.ShardOrientation.ROW_MAJOR)


def shard_case(strategy, call, reference):
    def run(device):
        data = normal(1, 1, *SHARDS[strategy][0])
        tensor = ttnn.to_memory_config(put(data, device), sharded(strategy))
        return [(ttnn.to_memory_config(call(tensor, sharded(strategy)), ttnn.DRAM_MEMORY_CONFIG), reference(data.float()))]
    return run


SHARDED = {"copy": (lambda x, _: x, lambda x: x, 1), "exp": (lambda x, m: ttnn.exp(x, memory_config=m), torch.exp, 0.999),
           "add": (lambda x, m: ttnn.add(x, x, memory_config=m), lambda x: x + x, 1),
           "to-l1": (lambda x, _: ttnn.to_memory_config(x, ttnn.L1_MEMORY_CONFIG), lambda x: x, 1)}
for label in SHARDS:
    for op, (call_of, reference_of, wanted) in SHARDED.items():
        add(f"sharded/{label}-{op}", shard_case(label, call_of, reference_of), wanted)


@case("sharded/matmul-block")
def sharded_matmul(device):
    a, b = normal(1, 1, 128, 128), normal(1, 1, 128, 128)
    tensor = ttnn.to_memory_config(put(a, device), sharded("block"))
    result = ttnn.matmul(tensor, put(b, device), memory_config=sharded("block"))
    return [(ttnn.to_memory_config(result, ttnn.DRAM_MEMORY_CONFIG), a.float() @ b.float())]


@case("sharded/reshard", 1)
def reshard(device):
    data = normal(1, 1, 128, 128)
    tensor = ttnn.to_memory_config(put(data, device), sharded("block"))
    other = ttnn.create_sharded_memory_config((1, 1, 128, 128), ttnn.CoreGrid(x=4, y=1), ttnn.ShardStrategy.HEIGHT)
    return [(ttnn.to_memory_config(ttnn.to_memory_config(tensor, other), ttnn.DRAM_MEMORY_CONFIG), data)]


@case("sharded/layer-norm-width")
def sharded_layer_norm(device):
    data = normal(1, 1, 64, 256)
    tensor = ttnn.to_memory_config(put(data, device), sharded("width"))
    result = ttnn.layer_norm(tensor, memory_config=sharded("width"))
    return [(ttnn.to_memory_config(result, ttnn.DRAM_MEMORY_CONFIG), torch.nn.functional.layer_norm(data.float(), [256]))]


@case("sharded/dram")
def l1_interleaved(device):
    a, b = normal(64, 64), normal(64, 64)
    memory = ttnn.L1_MEMORY_CONFIG
    return [(ttnn.add(put(a, device, memory=memory), put(b, device, memory=memory), memory_config=memory), a.float() + b.float())]


# ---- Other element by element operations: with parameters, of integers, with types that differ, with an activation
OTHERS = {
    "relu_max": ((3.0,), lambda x: torch.clamp(x, 0, 3)), "relu_min": ((1.0,), lambda x: torch.clamp(x, min=1)),
    "softcap": ((2.0,), lambda x: 2 * torch.tanh(x / 2)), "rpow": ((2.0,), torch.exp2), "rdiv": ((2.0,), lambda x: 2 / x),
    "remainder": ((1.5,), lambda x: torch.remainder(x, 1.5)), "fmod": ((1.5,), lambda x: torch.fmod(x, 1.5)),
    "floor_div": ((1.5,), lambda x: torch.floor(x / 1.5)), "polygamma": ((2,), lambda x: torch.polygamma(2, x)),
    "hardmish": ((), lambda x: x * torch.clamp(x + 2, 0, 2) / 2), "i1": ((), torch.special.i1),
    "lgamma": ((), torch.lgamma), "digamma": ((), torch.digamma), "xielu": ((), lambda x: 0.8 * x * x + 0.5 * x),
}
for op, (extra, reference_of) in OTHERS.items():
    def other_unary(device, op=op, extra=extra, reference_of=reference_of):
        data = spread(1.2, 4, 64, 64)
        return [(getattr(ttnn, op)(put(data, device), *extra), reference_of(data.float()))]
    add(f"unary/{op}-other", other_unary, 0.99)

INTEGER_PAIRS = {
    "gcd": torch.gcd, "lcm": torch.lcm,
    "remainder": torch.remainder, "fmod": torch.fmod, "logical_left_shift": lambda a, b: a << (b & 7),
    "logical_right_shift": lambda a, b: a >> (b & 7), "squared_difference": lambda a, b: (a - b) ** 2, "rsub": lambda a, b: b - a,
}
for op, reference_of in INTEGER_PAIRS.items():
    def integer_pair(device, op=op, reference_of=reference_of):
        a, b = spread(1, 30000, 64, 64, kind="i32"), spread(1, 180, 64, 64, kind="i32")
        b = b & 7 if "shift" in op else b
        return [(getattr(ttnn, op)(put(a, device, "i32"), put(b, device, "i32")), reference_of(a, b))]
    add(f"binary/{op}-integers", integer_pair, 1 if op != "lcm" else 0.999)


@case("binary/types-that-differ")
def types_that_differ(device):
    a, b = normal(2, 3, 40, 1, kind="fp32"), normal(2, 1, 40, 70)
    golden = torch.relu(a + b.float())
    relu = [ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)]
    return [(ttnn.add(put(a, device, "fp32"), put(b, device), activations=relu, dtype=ttnn.float32), golden),
            (ttnn.add(put(a, device, "fp32"), put(b, device, "bfp8"), activations=relu, dtype=ttnn.bfloat16), golden)]


@case("binary/every-value")
def every_value(device):
    """All bit patterns of BF16, each in both places: infinities, NaN, zeros with their signs, denormal numbers."""
    a, b = ((torch.randperm(65536) - 32768).to(torch.int16).view(torch.bfloat16).reshape(256, 256) for _ in range(2))
    first, second = put(a, device), put(b, device)
    return [(getattr(ttnn, name)(first, second), None) for name in ("add", "multiply", "divide", "maximum", "lt")] + \
        [(ttnn.isnan(first), torch.isnan(a)), (ttnn.isinf(first), torch.isinf(a))]


@case("ternary/addcdiv")
def addcdiv(device):
    a, b, c = normal(64, 64), normal(64, 64), spread(0.5, 2, 64, 64)
    return [(ttnn.addcdiv(*(put(t, device) for t in (a, b, c)), value=0.5), a.float() + 0.5 * b.float() / c.float())]


@case("ternary/where-broadcast", 1)
def where_broadcast(device):
    pick = spread(0, 2, 2, 1, 40, 40, kind="i32").bfloat16()
    a, b = normal(1, 3, 1, 40), normal(2, 3, 40, 1)
    return [(ttnn.where(*(put(t, device) for t in (pick, a, b))), torch.where(pick != 0, a, b)),
            (ttnn.where(put(pick, device), put(a[:, :1], device), -2.0), torch.where(pick != 0, a[:, :1], -2.0))]


@case("ternary/quantize")
def quantize(device):
    data = spread(-9, 9, 64, 96, kind="fp32")
    steps = ttnn.quantize(put(data, device, "fp32"), 0.1, 5)
    golden = torch.quantize_per_tensor(data, 0.1, 5, torch.qint8)
    other = ttnn.requantize(steps, 0.1, 5, 0.2, -3)
    back = golden.dequantize()
    return [(steps, golden.int_repr()), (ttnn.dequantize(steps, 0.1, 5), back), (other, back / 0.2 - 3)]


# ---- Gradients
BACKWARD = {"relu": torch.relu, "gelu": torch.nn.functional.gelu, "sigmoid": torch.sigmoid, "tanh": torch.tanh, "exp": torch.exp,
            "log": torch.log, "rsqrt": torch.rsqrt, "silu": torch.nn.functional.silu, "hardswish": torch.nn.functional.hardswish,
            "atan": torch.atan, "mul": torch.mul, "div": torch.div, "hypot": torch.hypot, "xlogy": torch.xlogy,
            "addcmul": lambda a, b, c: torch.addcmul(a, b, c, value=0.5)}


def backward(name):
    def run(device):
        count = {"mul": 2, "div": 2, "hypot": 2, "xlogy": 2, "addcmul": 3}.get(name, 1)
        grad, inputs = normal(1, 1, 64, 64), [spread(0.5, 3, 1, 1, 64, 64) for _ in range(count)]
        leaves = [tensor.float().requires_grad_() for tensor in inputs]
        BACKWARD[name](*leaves).backward(grad.float())
        extra = (0.5,) if name == "addcmul" else ()
        results = getattr(ttnn, f"{name}_bw")(put(grad, device), *(put(tensor, device) for tensor in inputs), *extra)
        return [(result, leaf.grad) for result, leaf in zip(results, leaves)]
    return run


for op in BACKWARD:
    add(f"backward/{op}", backward(op), 0.99)


@case("backward/embedding")
def backward_embedding(device):
    index, table, grad = torch.randint(0, 96, (2, 64)), normal(96, 64), normal(1, 1, 128, 64)
    golden = torch.zeros(96, 64).index_add(0, index.flatten(), grad.float().reshape(128, 64))
    indices = ttnn.from_torch(index.to(torch.int32), dtype=ttnn.uint32, device=device)
    return [(ttnn.embedding_bw(indices, put(table, device, layout=ttnn.ROW_MAJOR_LAYOUT), put(grad, device)), golden)]


# ---- Other movement
OTHER_MOVES = {
    "slice-steps": (lambda x: ttnn.slice(x, [0, 1, 3, 2], [2, 3, 60, 90], [1, 1, 2, 3]), lambda x: x[:, 1:3, 3:60:2, 2:90:3],
                    (2, 3, 64, 96), ttnn.ROW_MAJOR_LAYOUT),
    "pad-front": (lambda x: ttnn.pad(x, [(1, 0), (2, 1), (3, 4), (5, 6)], 2.5),
                  lambda x: torch.nn.functional.pad(x, (5, 6, 3, 4, 2, 1, 1, 0), value=2.5), (1, 2, 30, 20), ttnn.ROW_MAJOR_LAYOUT),
    "repeat-interleave-last": (lambda x: ttnn.repeat_interleave(x, 3, dim=2), lambda x: x.repeat_interleave(3, dim=2), (2, 33, 65),
                               ttnn.TILE_LAYOUT),
    "roll-two": (lambda x: ttnn.roll(x, [3, -2], [1, 2]), lambda x: torch.roll(x, (3, -2), (1, 2)), (2, 33, 65), ttnn.TILE_LAYOUT),
    "permute-odd": (lambda x: ttnn.permute(x, (2, 0, 3, 1)), lambda x: x.permute(2, 0, 3, 1), (2, 5, 33, 70), ttnn.TILE_LAYOUT),
    "reshape-odd": (lambda x: ttnn.reshape(x, (7, 11, 30)), lambda x: x.reshape(7, 11, 30), (1, 5, 33, 14), ttnn.TILE_LAYOUT),
    "tilize-with-value": (lambda x: ttnn.tilize_with_val_padding(x, [3, 64, 96], 7.0), lambda x: x, (3, 33, 65),
                          ttnn.ROW_MAJOR_LAYOUT),
    "untilize-with-unpadding": (lambda x: ttnn.untilize_with_unpadding(x, [1, 40, 50]), lambda x: x[:, :41, :51], (2, 64, 96),
                                ttnn.TILE_LAYOUT),
    "fold": (lambda x: ttnn.fold(x, 2, 2), lambda x: x.reshape(1, 8, 2, 8, 2, 8).permute(0, 1, 3, 2, 4, 5).reshape(1, 8, 8, 32),
             (1, 16, 16, 8), ttnn.ROW_MAJOR_LAYOUT),
}
for label, (call_of, reference_of, extents, first_layout) in OTHER_MOVES.items():
    add(f"move/{label}", moved(call_of, reference_of, *extents, layout=first_layout), 1)
    if label.startswith(("slice", "permute", "reshape")):
        add(f"move/{label}-i32", moved(call_of, reference_of, *extents, kind="i32", layout=first_layout), 1)


def scatter(name, dim):
    def run(device):
        data, source = normal(4, 20, 50), normal(4, 20, 50)
        index = torch.argsort(torch.rand(4, 20, 50), dim=dim)
        result = getattr(ttnn, name)(put(data, device), dim, put(index.int(), device, "u32"), put(source, device))
        return [(result, getattr(torch, name)(data.float(), dim, index, source.float()))]
    return run


add("move/scatter", scatter("scatter", -1), 1)
add("move/scatter-first", scatter("scatter", 0), 1)
add("move/scatter-add", scatter("scatter_add", -1))


@case("move/index-fill", 1)
def index_fill(device):
    data, index = normal(4, 5, 32, 64), torch.tensor([0, 3])
    rows = ttnn.ROW_MAJOR_LAYOUT
    return [(ttnn.index_fill(put(data, device, layout=rows), 1, put(index.int(), device, "u32", rows), 2.5),
             data.index_fill(1, index, 2.5))]


@case("move/upsample-bilinear", **SMALL)
def upsample_bilinear(device):
    data = normal(1, 8, 8, 32)
    golden = torch.nn.functional.interpolate(data.float().permute(0, 3, 1, 2), scale_factor=2, mode="bilinear").permute(0, 2, 3, 1)
    return [(ttnn.upsample(put(data, device, layout=ttnn.ROW_MAJOR_LAYOUT), 2, mode="bilinear"), golden)]


# ---- Other sorts and sums
@case("reduce/sort-descending", 1)
def sort_descending(device):
    data = torch.stack([torch.randperm(65536)[:512] for _ in range(40)]).to(torch.int32)
    values, indices = ttnn.sort(put(data, device, "u16"), dim=-1, descending=True)
    there = torch.gather(data, -1, ttnn.to_torch(indices).to(torch.int64) & 0xFFFF)
    golden = torch.sort(data, dim=-1, descending=True)[0]
    return [(ttnn.to_torch(values).to(torch.int32) & 0xFFFF, golden), (there, golden)]


@case("reduce/topk-smallest")
def topk_smallest(device):
    data = normal(1, 1, 33, 96)
    values, _ = ttnn.topk(put(data, device), 5, dim=-1, largest=False, sorted=True)
    return [(values, torch.topk(data, 5, dim=-1, largest=False)[0])]


@case("reduce/two-dimensions-odd", 0.99)
def two_dimensions_odd(device):
    data = normal(2, 3, 33, 70)
    tensor = put(data, device)
    return [(ttnn.sum(tensor, dim=[-1, -2]), data.float().sum((-1, -2))), (ttnn.max(tensor, dim=[-1, -2]), data.amax((-1, -2))),
            (ttnn.mean(tensor, dim=1, keepdim=True), data.float().mean(1, keepdim=True))]


@case("reduce/ema")
def ema(device):
    data = normal(1, 2, 32, 128)
    golden = data.float().clone()
    for step in range(1, 128):
        golden[..., step] = 0.3 * golden[..., step - 1] + 0.7 * golden[..., step]
    return [(ttnn.ema(put(data, device), 0.3), golden)]


# ---- Other norms
@case("norm/batch-training")
def batch_training(device):
    data, mean, var = normal(3, 4, 32, 32), normal(1, 4, 1, 1), spread(0.5, 2, 1, 4, 1, 1)
    weight, bias = normal(1, 4, 1, 1), normal(1, 4, 1, 1)
    running = [t.float().flatten().clone() for t in (mean, var)]
    golden = torch.nn.functional.batch_norm(data.float(), *running, weight.float().flatten(), bias.float().flatten(), True, 0.3)
    means, variances = put(mean, device), put(var, device)
    result = ttnn.batch_norm(put(data, device), running_mean=means, running_var=variances, weight=put(weight, device),
                             bias=put(bias, device), training=True, momentum=0.3)
    return [(result, golden), (means, running[0]), (variances, running[1])]


def norm_in_parts(name):
    def run(device):
        data, weight = normal(1, 1, 32, 256), normal(1, 1, 1, 256)
        parts = getattr(ttnn, f"{name}_pre_all_gather")(put(data, device))
        result = getattr(ttnn, f"{name}_post_all_gather")(put(data, device), parts, weight=put(weight, device), epsilon=1e-5)
        wide = data.float()
        centre = wide.mean(-1, keepdim=True) if name == "layer_norm" else 0
        golden = (wide - centre) * torch.rsqrt((wide - centre).square().mean(-1, keepdim=True) + 1e-5) * weight.float()
        return [(result, golden)]
    return run


add("norm/layer-in-parts", norm_in_parts("layer_norm"))
add("norm/rms-in-parts", norm_in_parts("rms_norm"))


# ---- Other matrix products
@case("matmul/addmm")
def addmm(device):
    a, b, c = normal(64, 96), normal(64, 128), normal(128, 96)
    golden = torch.addmm(a.float(), b.float(), c.float(), beta=2.0, alpha=0.5)
    return [(ttnn.addmm(*(put(t, device) for t in (a, b, c)), alpha=0.5, beta=2.0), golden)]


@case("matmul/mcast-2d-bias-gelu")
def mcast_2d_bias_gelu(device):
    a, b, c = normal(256, 256), normal(256, 256) / 16, normal(1, 256)
    config = ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
        compute_with_storage_grid_size=(4, 4), in0_block_w=2, out_subblock_h=1, out_subblock_w=2, per_core_M=2,
        per_core_N=2, transpose_mcast=True, fused_activation=ttnn.UnaryWithParam(ttnn.UnaryOpType.GELU, 1.0))
    result = ttnn.linear(put(a, device, "bfp8"), put(b, device, "bfp8"), bias=put(c, device, "bfp8"), program_config=config,
                         compute_kernel_config=precise(device, ttnn.MathFidelity.HiFi2))
    return [(result, torch.nn.functional.gelu(a.float() @ b.float() + c.float()))]


def dram_sharded(kind):
    def run(device):
        a, b = normal(1, 1, 32, 512), normal(1, 1, 512, 512)
        banks = device.dram_grid_size().x
        columns = -(-512 // (32 * banks)) * 32
        cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(banks - 1, 0))})
        shards = ttnn.ShardSpec(cores, (512, columns), ttnn.ShardOrientation.ROW_MAJOR)
        weights = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.WIDTH_SHARDED, ttnn.BufferType.DRAM, shards)
        width = ttnn.create_sharded_memory_config((1, 1, 32, 512), ttnn.CoreGrid(x=8, y=1), ttnn.ShardStrategy.WIDTH)
        config = ttnn.MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig(in0_block_w=2, per_core_M=1, per_core_N=2,
                                                                            fused_activation=None)
        result = ttnn.matmul(put(a, device, memory=width), put(b, device, kind, memory=weights), program_config=config,
                             memory_config=ttnn.L1_WIDTH_SHARDED_MEMORY_CONFIG,
                             compute_kernel_config=precise(device, ttnn.MathFidelity.HiFi2, False))
        return [(result, a.float() @ b.float())]
    return run


add("matmul/dram-sharded", dram_sharded("bf16"))
add("matmul/dram-sharded-bfp4", dram_sharded("bfp4"), 0.97)


@case("matmul/sparse")
def sparse_matmul(device):
    """Of eight matrices on the right those are used that a table names, for each of four on the left."""
    a, b = normal(1, 4, 32, 64), normal(1, 8, 64, 64)
    wanted = (torch.rand(1, 1, 4, 8) < 0.5).bfloat16()
    config = ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig(
        compute_with_storage_grid_size=(2, 1), in0_block_w=1, out_subblock_h=1, out_subblock_w=1, per_core_M=1, per_core_N=1,
        fuse_batch=False, fused_activation=None, mcast_in0=True)
    result = ttnn.sparse_matmul(put(a, device), put(b, device), sparsity=put(wanted, device, layout=ttnn.ROW_MAJOR_LAYOUT),
                                nnz=int(wanted.sum()), program_config=config)
    pick = wanted.reshape(1, 4, 1, 8, 1, 1) != 0
    golden = a.float().reshape(1, 4, 1, 1, 32, 64) @ b.float().reshape(1, 1, 1, 8, 64, 64)
    values = ttnn.to_torch(result).reshape(golden.shape)
    return [(torch.where(pick, values, 0), torch.where(pick, golden, 0))]


# ---- Other convolutions and pools
def conv_transpose2d(device):
    data, weight, shift = normal(1, 32, 8, 8), normal(32, 48, 3, 3) / 4, normal(1, 1, 1, 48)
    golden = torch.nn.functional.conv_transpose2d(data.float(), weight.float(), shift.float().flatten(), 2, 1, 1)
    result, (height, width) = ttnn.conv_transpose2d(
        input_tensor=put(data.permute(0, 2, 3, 1), device, layout=ttnn.ROW_MAJOR_LAYOUT), weight_tensor=ttnn.from_torch(weight),
        bias_tensor=ttnn.from_torch(shift), in_channels=32, out_channels=48, device=device, kernel_size=(3, 3), stride=(2, 2),
        padding=(1, 1), output_padding=(1, 1), batch_size=1, input_height=8, input_width=8, dtype=ttnn.bfloat16,
        return_output_dim=True)
    return [(ttnn.to_torch(result)[..., :48].reshape(1, height, width, 48).permute(0, 3, 1, 2), golden)]


def conv1d(device):
    data, weight = normal(2, 64, 50), normal(64, 1, 4) / 2
    golden = torch.nn.functional.conv1d(data.float(), weight.float(), padding=3, groups=64)
    result, length = ttnn.conv1d(
        input_tensor=put(data.permute(0, 2, 1).reshape(2, 1, 50, 64), device, layout=ttnn.ROW_MAJOR_LAYOUT),
        weight_tensor=ttnn.from_torch(weight), in_channels=64, out_channels=64, device=device, kernel_size=4, stride=1, padding=3,
        groups=64, batch_size=2, input_length=50, dtype=ttnn.bfloat16, return_output_dim=True)
    return [(ttnn.to_torch(result)[..., :64].reshape(2, length, 64).permute(0, 2, 1), golden)]


add("conv/transposed", conv_transpose2d, 0.998, **SMALL)
add("conv/one-dimension-depthwise", conv1d, 0.998, **SMALL)
add("conv/depthwise", conv2d((64, 64), 12, groups=64), 0.998, **SMALL)
add("conv/fp32", conv2d(kinds=("fp32", "fp32")), 0.998, **SMALL)
add("conv/double-buffer", conv2d((64, 64), 16, shard=ttnn.TensorMemoryLayout.HEIGHT_SHARDED, act_block_h_override=32,
                                 enable_act_double_buffer=True), 0.998, **SMALL)


def other_pool(name, reference, size, **arguments):
    def run(device):
        data = normal(1, 48, size, size)
        tensor = put(data.permute(0, 2, 3, 1).reshape(1, 1, size * size, 48), device, layout=ttnn.ROW_MAJOR_LAYOUT)
        golden = reference(data.float())
        result = ttnn.to_torch(getattr(ttnn, name)(tensor, batch_size=1, input_h=size, input_w=size, channels=48, **arguments))
        return [(result.reshape(1, golden.shape[2], golden.shape[3], -1)[..., :48].permute(0, 3, 1, 2), golden)]
    return run


THREE = {"kernel_size": [3, 3], "stride": [2, 2], "padding": [1, 1]}
add("conv/max-pool-dilated", other_pool("max_pool2d", lambda x: torch.nn.functional.max_pool2d(x, 3, 1, 1, 2), 16,
                                        kernel_size=[3, 3], stride=[1, 1], padding=[1, 1], dilation=[2, 2]), 1, **SMALL)
add("conv/max-pool-ceil", other_pool("max_pool2d", lambda x: torch.nn.functional.max_pool2d(x, 3, 2, 1, ceil_mode=True), 16,
                                     dilation=[1, 1], ceil_mode=True, **THREE), 1, **SMALL)
add("conv/avg-pool-without-padding", other_pool(
    "avg_pool2d", lambda x: torch.nn.functional.avg_pool2d(x, 3, 2, 1, count_include_pad=False), 15, count_include_pad=False,
    **THREE), 0.998, **SMALL)
add("conv/adaptive-avg-pool", other_pool("adaptive_avg_pool2d", lambda x: torch.nn.functional.adaptive_avg_pool2d(x, (4, 2)), 16,
                                         output_size=[4, 2]), 0.998, **SMALL)


# ---- Other parts of transformers
def grid_for(q_chunk=32, k_chunk=32):
    return ttnn.SDPAProgramConfig(compute_with_storage_grid_size=(8, 4), q_chunk_size=q_chunk, k_chunk_size=k_chunk,
                                  exp_approx_mode=False)


def plain_attention(q, k, v, **arguments):
    k, v = (t.float().repeat_interleave(q.shape[1] // t.shape[1], 1) for t in (k, v))
    return torch.nn.functional.scaled_dot_product_attention(q.float(), k, v, **arguments)


@case("attention/mask", 0.99)
def attention_mask(device):
    q, k, v = normal(2, 2, 64, 32), normal(2, 2, 128, 32), normal(2, 2, 128, 32)
    mask = torch.where(torch.rand(2, 1, 64, 128) < 0.3, -torch.inf, 0.0).bfloat16()
    result = ttnn.transformer.scaled_dot_product_attention(*(put(t, device) for t in (q, k, v)), is_causal=False,
                                                           attn_mask=put(mask, device), program_config=grid_for())
    return [(result, plain_attention(q, k, v, attn_mask=mask.float()))]


@case("attention/window", 0.99)
def attention_window(device):
    q, k, v = (normal(1, 2, 128, 64) for _ in range(3))
    rows, columns = torch.arange(128).reshape(-1, 1), torch.arange(128)
    seen = (columns <= rows) & (columns > rows - 40)
    result = ttnn.transformer.scaled_dot_product_attention(*(put(t, device) for t in (q, k, v)), is_causal=True,
                                                           sliding_window_size=40, program_config=grid_for())
    return [(result, plain_attention(q, k, v, attn_mask=seen))]


def attention_decode(paged, kind="bf16"):
    def run(device):
        users, heads, length, width, page, last = 2, 8, 128, 64, 32, (77, 31)
        q, k, v = normal(1, users, heads, width), normal(users, 2, length, width), normal(users, 2, length, width)
        seen = torch.arange(length) <= torch.tensor(last).reshape(users, 1, 1, 1)
        golden = plain_attention(q.permute(1, 2, 0, 3), k, v, attn_mask=seen).permute(2, 0, 1, 3)
        rows = ttnn.ROW_MAJOR_LAYOUT
        more = {"cur_pos_tensor": put(torch.tensor(last, dtype=torch.int32), device, "i32", rows), "program_config": grid_for()}
        if not paged:
            call, tables = ttnn.transformer.scaled_dot_product_attention_decode, ()
        else:
            places = torch.randperm(users * length // page)
            k, v = (t.reshape(users, 2, -1, page, width).transpose(1, 2).reshape(-1, 2, page, width)[places] for t in (k, v))
            call = ttnn.transformer.paged_scaled_dot_product_attention_decode
            tables = (put(torch.argsort(places).reshape(users, -1).int(), device, "i32", rows),)
        result = call(put(q, device), put(k, device, kind), put(v, device, kind), *tables, **more)
        return [(ttnn.to_torch(result)[:, :, :heads], golden)]
    return run


add("attention/decode", attention_decode(False), 0.99)
add("attention/decode-paged", attention_decode(True), 0.99)
add("attention/decode-paged-bfp8", attention_decode(True, "bfp8"), 0.99)


@case("attention/joint", 0.99)
def attention_joint(device):
    first, second = [normal(1, 2, 64, 64) for _ in range(3)], [normal(1, 2, 32, 64) for _ in range(3)]
    golden = plain_attention(*(torch.concat(pair, 2) for pair in zip(first, second)))
    results = ttnn.transformer.joint_scaled_dot_product_attention(*(put(t, device) for t in first + second), joint_strategy="rear",
                                                                  program_config=grid_for())
    return list(zip(results, golden.split((64, 32), 2)))


@case("attention/latent", 0.99)
def attention_latent(device):
    q, k = normal(1, 4, 64, 128), normal(1, 1, 64, 128)
    result = ttnn.transformer.flash_mla_prefill(put(q, device), put(k, device), 64, program_config=grid_for())
    return [(result, plain_attention(q, k, k[..., :64], is_causal=True))]


def turned(x):
    return torch.concat((-x[..., x.shape[-1] // 2:], x[..., :x.shape[-1] // 2]), -1)


@case("attention/rotary")
def rotary(device):
    x, cos, sin = normal(1, 2, 64, 64), normal(1, 1, 128, 64), normal(1, 1, 128, 64)
    wide, c, s = x.float(), cos.float(), sin.float()
    call = ttnn.experimental.rotary_embedding
    one = x[:, :, :32]
    return [(call(*(put(t, device) for t in (x, cos, sin))), wide * c[..., :64, :] + turned(wide) * s[..., :64, :]),
            (call(*(put(t, device) for t in (one, cos, sin)), 17),
             wide[:, :, :32] * c[..., 17:18, :] + turned(wide[:, :, :32]) * s[..., 17:18, :])]


@case("attention/rotary-pairs")
def rotary_pairs(device):
    x, cos, sin = normal(1, 2, 64, 64), normal(1, 1, 64, 64), normal(1, 1, 64, 64)
    swap, even = torch.zeros(1, 1, 32, 32).bfloat16(), torch.arange(0, 32, 2)
    swap[..., even, even + 1], swap[..., even + 1, even] = 1, -1
    pairs = torch.stack((-x.float()[..., 1::2], x.float()[..., 0::2]), -1).flatten(-2)
    return [(ttnn.experimental.rotary_embedding_llama(*(put(t, device) for t in (x, cos, sin, swap))),
             x.float() * cos.float() + pairs * sin.float())]


@case("attention/heads-grouped", 1)
def heads_grouped(device):
    data = normal(1, 1, 64, 64 * 8)
    results = ttnn.experimental.nlp_create_qkv_heads(put(data, device), num_heads=4, num_kv_heads=2, transpose_k_heads=True)
    q, k, v = (t.reshape(1, 64, -1, 64).permute(0, 2, 1, 3) for t in data[0].split((256, 128, 128), -1))
    joined = ttnn.experimental.nlp_concat_heads(results[0])
    return [*zip(results, (q, k.transpose(-1, -2), v)), (joined, data[..., :256])]


@case("attention/caches", 1)
def caches(device):
    """Filling and updating what attention keeps of earlier tokens, by user and by page."""
    rows, pairs = ttnn.ROW_MAJOR_LAYOUT, []
    old, new = normal(2, 2, 128, 64), normal(1, 2, 64, 64)
    cache, golden = put(old, device), old.clone()
    ttnn.fill_cache(cache, put(new, device), 1)
    golden[1, :, :64] = new[0]
    pairs.append((cache, golden))
    old, new, places = normal(8, 1, 128, 64), normal(1, 8, 32, 64), [3, 8, 31, 32, 40, 64, 99, 127]
    cache, golden = put(old, device), old.clone()
    height = ttnn.create_sharded_memory_config((1, 8, 32, 64), ttnn.CoreGrid(x=8, y=1), ttnn.ShardStrategy.HEIGHT)
    ttnn.experimental.paged_update_cache(cache, put(new, device, memory=height), update_idxs=places)
    golden[torch.arange(8), 0, places] = new[0, :, 0]
    pairs.append((cache, golden))
    old, new, pages = normal(8, 2, 32, 64), normal(1, 2, 96, 64), torch.tensor([[5, 2, 7, 0], [1, 3, 4, 6]])
    cache, golden = put(old, device), old.clone()
    ttnn.experimental.paged_fill_cache(cache, put(new, device), put(pages.int(), device, "i32", rows), batch_idx=1)
    golden[pages[1, :3]] = new[0].reshape(2, 3, 32, 64).transpose(0, 1)
    pairs.append((cache, golden))
    return pairs


# ---- Operations for training
MOREH = {
    "sum": (lambda x, y: ttnn.moreh_sum(x, dim=2, keepdim=True), lambda x, y: x.sum(2, keepdim=True)),
    "softmax-first": (lambda x, y: ttnn.moreh_softmax(x, 1), lambda x, y: torch.softmax(x, 1)),
    "logsoftmax": (lambda x, y: ttnn.moreh_logsoftmax(x, 3), lambda x, y: torch.log_softmax(x, 3)),
    "softmax-backward": (lambda x, y: ttnn.moreh_softmax_backward(x, y, 2), lambda x, y: (y - (x * y).sum(2, keepdim=True)) * x),
    "norm": (lambda x, y: ttnn.moreh_norm(x, 2.5, dim=3, keepdim=True), lambda x, y: torch.norm(x, 2.5, 3, True)),
    "norm-infinite": (lambda x, y: ttnn.moreh_norm(x, float("inf"), dim=3, keepdim=True),
                      lambda x, y: torch.norm(x, torch.inf, 3, True)),
    "cumsum": (lambda x, y: ttnn.moreh_cumsum(x, 1), lambda x, y: torch.cumsum(x, 1)),
    "matmul": (lambda x, y: ttnn.moreh_matmul(x, y, transpose_other=True), lambda x, y: x @ y.transpose(-1, -2)),
    "layer-norm": (lambda x, y: ttnn.moreh_layer_norm(x, 2, 1e-5)[0],
                   lambda x, y: torch.nn.functional.layer_norm(x, x.shape[-2:])),
}
for label, (call_of, reference_of) in MOREH.items():
    def training(device, call=call_of, reference=reference_of):
        x, y = normal(2, 3, 40, 70), normal(2, 3, 40, 70)
        return [(call(put(x, device), put(y, device)), reference(x.float(), y.float()))]
    add(f"training/{label}", training, 0.99)


@case("training/descent", 0.99)
def descent(device):
    param, grad, momentum = normal(64, 96), normal(64, 96), normal(64, 96)
    results = ttnn.moreh_sgd(*(put(t, device) for t in (param, grad, momentum, param, momentum)), lr=0.1, momentum=0.9, dampening=0.1,
                             weight_decay=0.01, nesterov=False, momentum_initialized=True)
    step = 0.9 * momentum.float() + 0.9 * (grad.float() + 0.01 * param.float())
    return list(zip(results, (param.float() - 0.1 * step, step)))


# ---- Shards that do not divide evenly
@case("sharded/uneven", 1)
def sharded_uneven(device):
    data, pairs = normal(1, 1, 160, 160), []
    for layout, shape, grid in ((ttnn.TensorMemoryLayout.HEIGHT_SHARDED, (64, 160), (3, 1)),
                                (ttnn.TensorMemoryLayout.WIDTH_SHARDED, (160, 64), (3, 1)),
                                (ttnn.TensorMemoryLayout.BLOCK_SHARDED, (64, 64), (3, 3))):
        cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(grid[0] - 1, grid[1] - 1))})
        memory = ttnn.MemoryConfig(layout, ttnn.BufferType.L1, ttnn.ShardSpec(cores, shape, ttnn.ShardOrientation.ROW_MAJOR))
        tensor = put(data, device, memory=memory)
        pairs += [(ttnn.neg(tensor), -data), (ttnn.to_memory_config(tensor, ttnn.DRAM_MEMORY_CONFIG), data)]
    return pairs


# ---- The host's side: cache, queues, traces
@case("system/program-cache")
def program_cache(device):
    before = device.num_program_cache_entries()
    pairs = []
    for _ in range(3):
        a, b = normal(64, 64), normal(64, 64)
        pairs.append((ttnn.multiply(put(a, device), put(b, device)), a.float() * b.float()))
    grown = device.num_program_cache_entries() - before
    return [*pairs, (torch.tensor(grown <= 1), torch.tensor(True))]


@case("system/many-programs")
def many_programs(device):
    a = put(torch.ones(32, 32).bfloat16(), device)
    total = a
    for _ in range(50):
        total = ttnn.add(total, a)
    return [(total, torch.full((32, 32), 51.0))]


@case("system/trace", modes=(FAST,), trace_region_size=200000)
def trace(device):
    first, second = normal(64, 64), normal(64, 64)
    tensor, weight = put(first, device), put(normal(64, 64), device)
    ttnn.matmul(ttnn.exp(tensor), weight)
    number = ttnn.begin_trace_capture(device, cq_id=0)
    result = ttnn.matmul(ttnn.exp(tensor), weight)
    ttnn.end_trace_capture(device, number, cq_id=0)
    wanted = ttnn.to_torch(weight).float()
    pairs = []
    for data in (first, second, first):
        ttnn.copy_host_to_device_tensor(ttnn.from_torch(data, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT), tensor)
        ttnn.execute_trace(device, number, cq_id=0, blocking=True)
        pairs.append((ttnn.to_torch(result), torch.exp(data.float()).bfloat16().float() @ wanted))
    ttnn.release_trace(device, number)
    return pairs


@case("system/two-queues", modes=(FAST,), num_command_queues=2)
def two_queues(device):
    pairs, tensor = [], put(normal(64, 64), device)
    ttnn.synchronize_device(device)  # the first data went through the other queue, and nothing orders the two
    for _ in range(3):
        data = normal(64, 64)
        host = ttnn.from_torch(data, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
        ttnn.copy_host_to_device_tensor(host, tensor, cq_id=1)
        written = ttnn.record_event(device, 1)
        ttnn.wait_for_event(0, written)
        result = ttnn.exp(tensor)
        done = ttnn.record_event(device, 0)
        ttnn.wait_for_event(1, done)
        pairs.append((ttnn.to_torch(result), torch.exp(data.float())))
    return pairs


@case("system/two-queues-trace", modes=(FAST,), num_command_queues=2, trace_region_size=200000)
def two_queues_trace(device):
    tensor = put(normal(64, 64), device)
    ttnn.gelu(tensor)
    number = ttnn.begin_trace_capture(device, cq_id=0)
    result = ttnn.gelu(tensor)
    ttnn.end_trace_capture(device, number, cq_id=0)
    pairs = []
    for _ in range(3):
        data = normal(64, 64)
        ttnn.copy_host_to_device_tensor(ttnn.from_torch(data, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT), tensor, cq_id=1)
        ttnn.wait_for_event(0, ttnn.record_event(device, 1))
        ttnn.execute_trace(device, number, cq_id=0, blocking=False)
        ttnn.wait_for_event(1, ttnn.record_event(device, 0))
        pairs.append((ttnn.to_torch(result), torch.nn.functional.gelu(data.float())))
    ttnn.release_trace(device, number)
    return pairs


# ---- Models
@case("model/transformer-block", 0.99)
def transformer_block(device):
    """Attention and a feed-forward part with their norms and residuals, four heads, 64 tokens of 128."""
    tokens, width, heads = 64, 128, 4
    x = normal(1, tokens, width)
    wqkv, wo = normal(width, 3 * width) / 8, normal(width, width) / 8
    w1, w2 = normal(width, 4 * width) / 8, normal(4 * width, width) / 16
    g1, b1, g2, b2 = (normal(width) for _ in range(4))

    def golden():
        norm = torch.nn.functional.layer_norm
        h = norm(x.float(), [width], g1.float(), b1.float()) @ wqkv.float()
        q, k, v = (t.reshape(1, tokens, heads, -1).permute(0, 2, 1, 3) for t in h.split(width, -1))
        a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(width // heads), -1) @ v
        y = x.float() + a.permute(0, 2, 1, 3).reshape(1, tokens, width) @ wo.float()
        h = torch.nn.functional.gelu(norm(y, [width], g2.float(), b2.float()) @ w1.float())
        return y + h @ w2.float()

    tensor = put(x, device)
    h = ttnn.linear(ttnn.layer_norm(tensor, weight=put(g1, device), bias=put(b1, device)), put(wqkv, device))
    q, k, v = ttnn.transformer.split_query_key_value_and_split_heads(h, num_heads=heads)
    scores = ttnn.softmax(ttnn.multiply(ttnn.matmul(q, k), 1 / math.sqrt(width // heads)), dim=-1)
    a = ttnn.transformer.concatenate_heads(ttnn.matmul(scores, v))
    y = ttnn.add(tensor, ttnn.linear(a, put(wo, device)))
    h = ttnn.linear(ttnn.layer_norm(y, weight=put(g2, device), bias=put(b2, device)), put(w1, device), activation="gelu")
    return [(ttnn.add(y, ttnn.linear(h, put(w2, device))), golden())]


@case("model/cnn", 0.98, **SMALL)
def cnn(device):
    """Two convolutions with relu and a pool after each, then a linear layer."""
    x = normal(1, 3, 32, 32)
    w1, w2, w3 = normal(32, 3, 3, 3) / 4, normal(64, 32, 3, 3) / 8, normal(64, 32) / 8
    functional = torch.nn.functional
    golden = functional.max_pool2d(functional.relu(functional.conv2d(x.float(), w1.float(), padding=1)), 2)
    golden = functional.max_pool2d(functional.relu(functional.conv2d(golden, w2.float(), padding=1)), 2)
    golden = golden.mean((2, 3)) @ w3.float()

    def layer(tensor, weight, size):
        outward, inward = weight.shape[:2]
        tensor = ttnn.conv2d(input_tensor=tensor, weight_tensor=ttnn.from_torch(weight), in_channels=inward,
                             out_channels=outward, device=device, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1),
                             batch_size=1, input_height=size, input_width=size, dtype=ttnn.bfloat16,
                             conv_config=ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16,
                                                           activation=ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)))
        tensor = ttnn.to_layout(ttnn.to_memory_config(tensor, ttnn.DRAM_MEMORY_CONFIG), ttnn.ROW_MAJOR_LAYOUT)
        return ttnn.max_pool2d(tensor, batch_size=1, input_h=size, input_w=size, channels=outward, kernel_size=[2, 2],
                               stride=[2, 2], padding=[0, 0], dilation=[1, 1])

    tensor = ttnn.from_torch(x.permute(0, 2, 3, 1).reshape(1, 1, 1024, 3), dtype=ttnn.bfloat16, device=device)
    tensor = layer(layer(tensor, w1, 32), w2, 16)
    tensor = ttnn.to_layout(ttnn.to_memory_config(tensor, ttnn.DRAM_MEMORY_CONFIG), ttnn.TILE_LAYOUT)
    pooled = ttnn.mean(ttnn.reshape(tensor, (1, 64, 64)), dim=1)
    return [(ttnn.matmul(pooled, put(w3, device)), golden)]

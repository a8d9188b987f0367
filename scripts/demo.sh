#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The demo: five examples on a simulated chip, each run as a user would.  `make demo` builds first, then
# calls this.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
out=$build/demo
kernels=$build/kernels
for needed in "$build/kerr" "$build/examples/picture" "$build/examples/multiply" "$kernels/hello_B.elf" "$kernels/datapath_T2.elf" \
    "$kernels/matmul_NC.bin"; do
    [ -e "$needed" ] || { echo "demo: $needed is not there: run \`make demo\`" >&2; exit 2; }
done
mkdir -p "$out"

title() { printf '\n== %s\n' "$1"; }
show() { # command...
    printf '$ %s\n' "$*"
    "$@"
}
# The lines of a zero-padded dump.
text() { tr -d '\0' <"$1" | sed 's/^/  | /'; }

title "1 of 5: hello through L1 (sdk/examples/hello.c on the five cores of tile 1,2)"
# The tile's coordinates, where the kernel looks for them (sdk/include/kerr_params.h).
printf '\1\0\0\0\2\0\0\0' >"$out/tile_1_2.bin"
show "$build/kerr" run 1,2:B="$kernels/hello_B.elf" 1,2:T0="$kernels/hello_T0.elf" 1,2:T1="$kernels/hello_T1.elf" \
    1,2:T2="$kernels/hello_T2.elf" 1,2:NC="$kernels/hello_NC.elf" \
    --preload 1,2@0x18000="$out/tile_1_2.bin" --dump 1,2@0x20000+320="$out/hello.txt"
text "$out/hello.txt"

title "2 of 5: a producer and three consumers over mailboxes (sdk/examples/producer.c, consumer.c)"
show "$build/kerr" run 1,2:B="$kernels/producer_B.elf" 1,2:T0="$kernels/consumer_T0.elf" \
    1,2:T1="$kernels/consumer_T1.elf" 1,2:T2="$kernels/consumer_T2.elf" --dump 1,2@0x20000+512="$out/mailbox.txt"
text "$out/mailbox.txt"

title "3 of 5: 140 tiles paint a picture, five cores each (sdk/examples/mandelbrot.c, examples/picture.c)"
show "$build/examples/picture" "$kernels" "$out/picture"

title "4 of 5: a matrix through the coprocessor, L1 -> unpacker -> SrcA -> Dst -> packer -> L1 (sdk/examples/datapath.c)"
# 64 x 64 BF16 numbers row by row, and what the kernel is told: tilize, BF16 up to the packer, BFP8 out, four tiles in two rows.
python3 - "$out" <<'EOF'
import math, struct, sys
words = (struct.unpack("<I", struct.pack("<f", math.cos(math.hypot(x - 20, y - 40) / 4)))[0] >> 16
         for y in range(64) for x in range(64))
open(sys.argv[1] + "/matrix.bin", "wb").write(struct.pack("<4096H", *words))
tilize, bf16, bfp8 = 1 << 2, 5, 6
arguments = (tilize, bf16, bf16, bf16, bfp8, 4, 0x20000, 2048, 0x40000, 1088, 2, 1)
open(sys.argv[1] + "/datapath.bin", "wb").write(struct.pack("<16I", 1, 2, 0, 1, *arguments))
EOF
show "$build/kerr" run 1,2:T0="$kernels/datapath_T0.elf" 1,2:T1="$kernels/datapath_T1.elf" 1,2:T2="$kernels/datapath_T2.elf" \
    --preload 1,2@0x18000="$out/datapath.bin" --preload 1,2@0x20000="$out/matrix.bin" --save "$out/end.chip"
show "$build/kerr" show "$out/end.chip" --pixels 4 1,2@0x20000:bf16:64x64="$out/matrix.png" \
    1,2@0x40000:bfp8:64x64/tiles="$out/tiles.png" 1,2@0x40000:sm8:64x64="$out/wrong.png" 1,2@dst:bf16="$out/dst.png"
echo "The matrix as it was: $out/matrix.png; as BFP8 tiles: $out/tiles.png; these read row by row, as a wrong stride would:"
echo "$out/wrong.png; its third tile in Dst, left and right halves of the rows in turn: $out/dst.png"

title "5 of 5: two matrices multiplied by the whole chip, DRAM to DRAM (sdk/examples/matmul.c, examples/multiply.c)"
show "$build/examples/multiply" "$kernels" "$out/utilisation"

title "done"
echo "The picture: $out/picture.png (and .ppm).  Next: README.md, docs/tour.md, sdk/README.md."

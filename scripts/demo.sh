#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The demo: three examples on a simulated chip, each run as a user would.  `make demo` builds first, then
# calls this.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
out=$build/demo
kernels=$build/kernels
for needed in "$build/kerr" "$build/examples/picture" "$kernels/hello_B.elf"; do
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

title "1 of 3: hello through L1 (sdk/examples/hello.c on the five cores of tile 1,2)"
# The tile's coordinates, where the kernel looks for them (sdk/include/kerr_params.h).
printf '\1\0\0\0\2\0\0\0' >"$out/tile_1_2.bin"
show "$build/kerr" run 1,2:B="$kernels/hello_B.elf" 1,2:T0="$kernels/hello_T0.elf" 1,2:T1="$kernels/hello_T1.elf" \
    1,2:T2="$kernels/hello_T2.elf" 1,2:NC="$kernels/hello_NC.elf" \
    --preload 1,2@0x18000="$out/tile_1_2.bin" --dump 1,2@0x20000+320="$out/hello.txt"
text "$out/hello.txt"

title "2 of 3: a producer and three consumers over mailboxes (sdk/examples/producer.c, consumer.c)"
show "$build/kerr" run 1,2:B="$kernels/producer_B.elf" 1,2:T0="$kernels/consumer_T0.elf" \
    1,2:T1="$kernels/consumer_T1.elf" 1,2:T2="$kernels/consumer_T2.elf" --dump 1,2@0x20000+512="$out/mailbox.txt"
text "$out/mailbox.txt"

title "3 of 3: 140 tiles paint a picture, five cores each (sdk/examples/mandelbrot.c, examples/picture.c)"
show "$build/examples/picture" "$kernels" "$out/picture"

title "done"
echo "The picture: $out/picture.png (and .ppm).  Next: README.md, docs/tour.md, sdk/README.md."

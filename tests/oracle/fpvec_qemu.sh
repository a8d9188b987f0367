#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random F, Zfh and V instructions through us and through qemu-riscv32.
# usage: fpvec_qemu.sh FPVEC_QEMU [COUNT [SEED]]     FPVEC_QEMU is fpvec_qemu.c linked with the library
set -eu
tool=$1
count=${2:-20000}
seed=${3:-1}
chunk=20000 # cases at a time, 64 MB of files
here=$(dirname "$0")
for need in riscv64-unknown-elf-gcc qemu-riscv32; do
    if ! command -v $need >/dev/null; then
        echo "missing tool $need"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
riscv64-unknown-elf-gcc -march=rv32gcv -mabi=ilp32d -nostdlib -static -Wl,--no-warn-rwx-segments \
    -Wl,--section-start=.code=0x100000 -Wl,--section-start=.case=0x200000 -o "$work/runner" "$here/fpvec_runner.S"
status=0
while [ "$count" -gt 0 ]; do
    [ "$count" -ge "$chunk" ] || chunk=$count
    "$tool" gen "$chunk" "$seed" >"$work/cases"
    # A case that qemu refuses ends it: check says which.
    qemu-riscv32 -cpu rv32,v=true,vlen=128,elen=64,Zfh=true,vext_spec=v1.0 "$work/runner" \
        <"$work/cases" >"$work/results" || true
    "$tool" check "$work/cases" "$work/results" || status=1
    count=$((count - chunk))
    seed=$((seed + 1))
done
exit $status

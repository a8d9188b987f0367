#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random F, Zfh and V instructions through us and through qemu-riscv32.
# usage: fpvec_qemu.sh FPVEC_QEMU [COUNT [SEED]]     FPVEC_QEMU is fpvec_qemu.c linked with the library
set -eu
tool=$1
count=${2:-20000}
seed=${3:-1}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
riscv64-unknown-elf-gcc -march=rv32gcv -mabi=ilp32d -nostdlib -static -Wl,--no-warn-rwx-segments -Wl,--section-start=.code=0x100000 \
    -Wl,--section-start=.case=0x200000 -o "$work/runner" "$here/fpvec_runner.S"
"$tool" gen "$count" "$seed" >"$work/cases"
qemu-riscv32 -cpu rv32,v=true,vlen=128,elen=64,Zfh=true,vext_spec=v1.0 "$work/runner" <"$work/cases" >"$work/results" || true
"$tool" check "$work/cases" "$work/results"

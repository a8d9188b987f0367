#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: build_elfs.sh SOURCES OUTPUT
# Builds the small programs that tt-exalens' own tests load (its folder riscv-src, given as SOURCES) with a stock
# RISC-V compiler into OUTPUT/build/riscv-src/blackhole, where the tests look for them.  Their own build takes the
# vendor's compiler; what that one adds and is needed here is eight nops behind each ebreak.
set -eu
sources=$1
output=$2/build/riscv-src/blackhole
cross=${CROSS:-riscv64-unknown-elf-}
objects=$2/build/objects
headers=$2/build/headers
mkdir -p "$output" "$objects" "$headers"

# A bare cross compiler comes without a library; this much of its headers the programs use.
echo '#include <stdint-gcc.h>' >"$headers/stdint.h"
cat >"$headers/cstdint" <<'END'
#include <stdint.h>
namespace std {
using ::int16_t; using ::int32_t; using ::int64_t; using ::int8_t; using ::intptr_t;
using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::uint8_t; using ::uintptr_t;
}
END
cat >"$headers/array" <<'END'
namespace std {
template <typename T, unsigned N> struct array { T _M_elems[N]; };
}
END

# One translation unit to an object: KIND (debug, release, coverage), source, object.
compile() {
    machine="-march=rv32im_zicsr -mabi=ilp32 -mstrict-align -I$headers"
    case $1 in
    debug) options="-O0" ;;
    coverage) options="-O0 -fprofile-arcs -ftest-coverage -fprofile-info-section -DCOVERAGE" ;;
    release) options="-O3 -DTENSIX_FIRMWARE" ;;
    esac
    case $2 in
    *.S)
        "${cross}g++" $machine $options -g -c -o "$3" "$2"
        return
        ;;
    */coverage.c) options="-O3 -fno-strict-aliasing -fno-builtin" ;;
    esac
    # The vendor's compiler saves ra in every function with a frame, this one not where nothing is called; the
    # debugger's unwinder wants it.
    sed 's/asm volatile("ebreak")/asm volatile("ebreak" ::: "ra")/' "$2" >"$3.source"
    "${cross}g++" $machine $options -std=c++17 -g -ffast-math -fno-use-cxa-atexit -fno-exceptions -fno-rtti \
        -S -o "$3.s" -x c++ "$3.source"
    sed 's/^\([ \t]*\)ebreak[ \t]*$/\1ebreak\n\1.rept 8\n\1nop\n\1.endr/' "$3.s" >"$3.padded.s"
    "${cross}g++" $machine -c -o "$3" "$3.padded.s"
}

for kind in debug release coverage; do
    compile $kind "$sources/tmu-crt0.S" "$objects/crt0.$kind.o"
    for app in sample run_elf_test callstack cov_test globals_test edge_mem_test; do
        compile $kind "$sources/$app.cc" "$objects/$app.$kind.o"
    done
done
compile release "$sources/coverage.c" "$objects/coverage.o"

for core in brisc trisc0 trisc1 trisc2 ncrisc erisc0 erisc1 drisc; do
    for app in sample run_elf_test callstack cov_test globals_test edge_mem_test; do
        for kind in debug release coverage; do
            layout=$kind
            extra=
            if [ $kind = coverage ]; then
                layout=debug
                extra="$objects/coverage.o -lgcov"
            fi
            "${cross}g++" -march=rv32im -mabi=ilp32 -g -nostdlib \
                -Wl,-z,max-page-size=16 -Wl,-z,common-page-size=16 -Wl,--no-warn-rwx-segments \
                "$objects/crt0.$kind.o" "$objects/$app.$kind.o" $extra -lgcc \
                -T"$sources/memory.blackhole.$layout.ld" -T"$sources/$core.ld" -T"$sources/sections.ld" \
                -o "$output/$app.$kind.$core.elf"
        done
    done
done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs to a directory of its own and builds a program against it, with pkg-config, shared and static.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=${KERR_TEST_TMP:-$(mktemp -d)}
prefix=$scratch/prefix
export KERR_DEPS=skip PKG_CONFIG_PATH=$prefix/lib/pkgconfig

make --no-print-directory install PREFIX="$prefix"

cat >"$scratch/program.c" <<'END'
#include <kerr.h>
#include <stdio.h>

int main(void)
{
    kerr_chip *chip;
    uint64_t cycle = 0;
    if (kerr_create(NULL, &chip) != KERR_OK || kerr_run(chip, 1000) != KERR_OK || kerr_cycle(chip, &cycle) != KERR_OK) {
        return 1;
    }
    kerr_destroy(chip);
    printf("%s %llu\n", kerr_version(), (unsigned long long)cycle);
    return 0;
}
END
version=$(pkg-config --modversion kerr)
read -ra cflags <<<"$(pkg-config --cflags kerr)"
read -ra libs <<<"$(pkg-config --libs kerr)"

check() { # name, expected, command...
    local name=$1 expected=$2 got
    shift 2
    if got=$("$@") && [ "$got" = "$expected" ]; then
        echo "ok - $name"
    else
        echo "not ok - $name: expected '$expected', got '${got:-}'"
    fi
}

gcc "${cflags[@]}" "$scratch/program.c" -o "$scratch/shared" "${libs[@]}"
check "a program against the shared library" "$version 1000" env LD_LIBRARY_PATH="$prefix/lib" "$scratch/shared"
gcc "${cflags[@]}" "$scratch/program.c" -o "$scratch/static" "$prefix/lib/libkerr.a" -pthread
check "a program against the static library" "$version 1000" "$scratch/static"
for file in lib/kerr/sim/libttsim.so lib/kerr/sim/soc_descriptor.yaml bin/kerr; do
    check "$file is there" "$prefix/$file" ls "$prefix/$file"
done

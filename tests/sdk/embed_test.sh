#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/embed.c, the example of the README: linked with the static library by the build, and here with the
# shared one, as a user would.
set -u
tmp=${KERR_TEST_TMP:-$BUILD/tests/sdk-tmp}
mkdir -p "$tmp"
count=0
failed=0
expect() { # name, status, output
    count=$((count + 1))
    if [ "$2" = 0 ] && printf '%s\n' "$3" | grep -q 'RISCV B of tile 1,2 says 55$'; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        printf '%s\n' "$3" | sed 's/^/# /'
        failed=1
    fi
}
output=$("$BUILD/examples/embed" 2>&1)
expect "with libkerr.a" $? "$output"
output=$(${CC:-gcc} -std=c17 -Wall -Wextra -Werror -Iinclude examples/embed.c -L"$BUILD" -lkerr -o "$tmp/embed" 2>&1 &&
    LD_LIBRARY_PATH=$BUILD "$tmp/embed" 2>&1)
expect "with libkerr.so and no other flag" $? "$output"
echo "1..$count"
exit $failed

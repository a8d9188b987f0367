#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that a make target needs, if they are missing.
#
#   scripts/install-deps.sh [--list] SET...      sets: build test
#
# Does nothing, quickly, when all is there.  Says what it installs and why.  Uses apt-get as root, or through
# sudo where that works without a question; else says what to run.  KERR_DEPS=skip switches it off.
set -euo pipefail

# package  command that does as well (or -)  why
build_set='
gcc            gcc          the C compiler
libc6-dev      -            C headers
make           make         the build
python3        python3      the table generator
libelf-dev     -            ELF files in the kerr command
libdw-dev      -            source lines in the kerr command
libyaml-dev    -            job files in the kerr command
zlib1g-dev     -            needed by libelf and for PNG pictures
libzstd-dev    -            saved chips are compressed
pkg-config     pkg-config   finding libraries
'
test_set='
clang                    clang                      second compiler, fuzzing
clang-format             clang-format               make format and make lint
@clang_rt                -                          sanitizer and fuzzer run time of clang
libcmocka-dev            -                          unit tests
qemu-user                qemu-riscv32               reference for RISC-V programs
gcc-riscv64-unknown-elf  riscv64-unknown-elf-gcc    compiler for baby-core kernels
shellcheck               shellcheck                 make lint
gdb-multiarch            gdb-multiarch              the debugger that kerr gdb is tested with
tmux                     tmux                       the terminal that kerr top is tested in
chromium                 chromium                   the HTML report of kerr exec, headless
valgrind                 valgrind                   counting host instructions: make bench-ablation, bench-real
libsimde-dev             -                          AVX-512 forms are tested on machines that have none
'

[ "${KERR_DEPS:-}" = skip ] && exit 0
list=no
if [ "${1:-}" = --list ]; then
    list=yes
    shift
fi
wanted=
for set in "$@"; do
    case $set in
        build) wanted+=$build_set ;;
        test) wanted+=$test_set ;;
        *) echo "install-deps: unknown set '$set' (build, test)" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    # Not a Debian: the build says for itself what it misses.
    exit 0
fi

is_installed() { # package
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The run time libraries must fit the version of the default clang.
clang_rt_package() {
    local major=
    if command -v clang >/dev/null; then
        major=$(clang --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p' | head -n 1 || true)
    else
        major=$(apt-cache show clang 2>/dev/null | sed -n 's/^Version: [0-9]*:\([0-9]*\)\..*/\1/p' | head -n 1 || true)
    fi
    echo "libclang-rt-${major:-14}-dev"
}

missing=()
reasons=()
find_missing() {
    local package command why
    missing=()
    reasons=()
    while read -r package command why; do
        [ -n "$package" ] || continue
        if [ "$command" != - ] && command -v "$command" >/dev/null; then
            continue
        fi
        [ "$package" = @clang_rt ] && package=$(clang_rt_package)
        if ! is_installed "$package"; then
            missing+=("$package")
            reasons+=("$why")
        fi
    done <<<"$wanted"
}

find_missing
[ ${#missing[@]} -eq 0 ] && exit 0
if [ $list = yes ]; then
    printf '%s\n' "${missing[@]}"
    exit 0
fi

cannot() { # why
    echo "install-deps: $1" >&2
    echo "install-deps: please run:  sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
    exit 1
}

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        cannot "packages are missing, and this is neither root nor is sudo available without a password"
    fi
fi
command -v apt-get >/dev/null || cannot "packages are missing, and there is no apt-get"

apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@"
}

echo "install-deps: refreshing the package lists"
updated=no
for wait in 0 5 15 30; do
    sleep $wait
    if apt update >/dev/null; then
        updated=yes
        break
    fi
    echo "install-deps: apt-get update failed, trying again" >&2
done
[ $updated = yes ] || echo "install-deps: going on with the package lists as they are" >&2

find_missing # the name of the clang run time may only be known now
for i in "${!missing[@]}"; do
    echo "install-deps: installing ${missing[$i]} (${reasons[$i]})"
done
for attempt in 1 2 3; do
    if apt install -y --no-install-recommends "${missing[@]}" >/dev/null; then
        echo "install-deps: done"
        exit 0
    fi
    echo "install-deps: apt-get install failed (attempt $attempt)" >&2
    sleep $((attempt * 5))
done
cannot "apt-get could not install the packages"

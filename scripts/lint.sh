#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The quick checks of `make lint`, each one also a test (tests/infra.list).
#
#   scripts/lint.sh [--fix] [CHECK...]     checks: format sections exports layers paths spdx shell python pages
#                                          (default: all)
#
# BUILD says where the libraries and kerr are (sections, exports, layers, pages).  --fix lets `format` rewrite the files.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
fix=no
if [ "${1:-}" = --fix ]; then
    fix=yes
    shift
fi
failed=0

complain() { # text
    echo "lint: $1" >&2
    failed=1
}

# Our own files; several build directories may lie about.
tree_files() { # find expression...
    find Makefile mk include isa src tools sdk examples tests bench scripts docs .ci README.md CONTRIBUTING.md kerr.pc.in \
        -name __pycache__ -prune -o -type f "$@" -print 2>/dev/null | sort
}

check_format() {
    local files
    mapfile -t files < <(find src include tools tests bench sdk examples -type f -name '*.[ch]' 2>/dev/null | sort)
    if ! command -v clang-format >/dev/null; then
        echo "SKIP format: missing tool clang-format"
    elif [ $fix = yes ]; then
        clang-format -i "${files[@]}"
    else
        clang-format --dry-run -Werror "${files[@]}" || complain "run \`make format\`"
    fi
}

# No hidden globals: writable data in an object of the library is an error.  Constants that hold pointers live in
# .data.rel.ro and are fine.
check_sections() {
    [ -f "$build/libkerr.a" ] || { complain "sections: $build/libkerr.a is not there"; return; }
    local found
    found=$(readelf -SW "$build/libkerr.a" | awk '
        /^File:/ { file = $2 }
        { sub(/^ *\[ *[0-9]+\] */, "") }
        $1 ~ /^\.(data|bss|tdata|tbss)(\.|$)/ && $1 !~ /^\.data\.rel\.ro/ && $5 !~ /^0+$/ { print file ": " $1 " has 0x" $5 " bytes" }')
    [ -z "$found" ] || complain "hidden globals:
$found"
}

# Exported symbols: the checked-in list, the header and the library say the same.
map_symbols() { # map file
    sed -n '/global:/,/local:/s/^ *\([a-z_0-9]*\);$/\1/p' "$1" | sort
}
library_symbols() { # library
    nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//' | sort
}
header_symbols() { # header
    sed -e 's|/\*[^*]*\*/||g' "$1" | awk '
        /\/\*/ { inside = 1 } !inside { print } /\*\// { inside = 0 }' |
        grep -v typedef | grep -oE '\bkerr_[a-z_0-9]+\(' | tr -d '(' | sort -u
}
compare_lists() { # what, expected, got
    diff <(echo "$2") <(echo "$3") >&2 || complain "$1 differ"
}
check_exports() {
    local listed
    listed=$(map_symbols src/kerr.map)
    compare_lists "include/kerr.h, kerr_findings.h, kerr_pci.h and src/kerr.map" \
        "$( (header_symbols include/kerr.h; header_symbols include/kerr_findings.h; header_symbols include/kerr_pci.h) | sort)" "$listed"
    if [ -f "$build/libkerr.so" ]; then
        compare_lists "src/kerr.map and the symbols of libkerr.so" "$listed" "$(library_symbols "$build/libkerr.so")"
    fi
    if [ -f "$build/sim/libttsim.so" ]; then
        compare_lists "src/libttsim.map and the symbols of libttsim.so" "$(map_symbols src/libttsim.map)" \
            "$(library_symbols "$build/sim/libttsim.so")"
        compare_lists "the libraries libttsim.so needs and libc" "libc.so.6" \
            "$(readelf -dW "$build/sim/libttsim.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld-linux')"
    fi
}

# No folder uses what is above it: headers, and symbols of objects.
check_layers() {
    python3 scripts/layers.py --build "$build" || complain "layers: scripts/layers.py has the order"
}

# No file names a place that exists on one machine only.
check_paths() {
    local found
    found=$(tree_files | xargs -d '\n' grep -nIE '(^|[^A-Za-z0-9_.}/-])/(work|home|root)/' || true)
    [ -z "$found" ] || complain "machine paths:
$found"
}

check_spdx() {
    local file
    while read -r file; do
        # Read whole: head would close the pipe under pipefail.
        sed -n '1,5p' "$file" | grep 'SPDX-License-Identifier: Apache-2.0' >/dev/null || complain "$file: no SPDX line in its first five lines"
    done < <(tree_files \( -name '*.[chS]' -o -name '*.ld' -o -name '*.py' -o -name '*.sh' -o -name '*.mk' -o -name Makefile \
        -o -name '*.isa' -o -name '*.tbl' -o -name '*.regs' -o -name '*.list' -o -name '*.map' \) | grep -v '^isa/gen/tests/bad/')
}

check_shell() {
    local files
    mapfile -t files < <(tree_files | xargs -d '\n' grep -lIE '^#!.*\b(bash|sh)$')
    if ! command -v shellcheck >/dev/null; then
        echo "SKIP shell: missing tool shellcheck"
        return
    fi
    shellcheck -S warning "${files[@]}" || complain "shellcheck"
}

check_python() {
    local files cache
    mapfile -t files < <(tree_files -name '*.py')
    cache=$(mktemp -d)
    PYTHONPYCACHEPREFIX=$cache python3 -W error -m py_compile "${files[@]}" || complain "python"
    rm -rf "$cache"
}

# Pages made from tables are up to date.
check_pages() {
    local scratch
    scratch=$(mktemp -d)
    python3 isa/gen/gen_regs.py isa/tile.regs "$scratch/tile_regs.h" "$scratch/registers.md" || complain "gen_regs.py"
    local kind
    for kind in eth dram noc; do
        python3 isa/gen/gen_regs.py isa/$kind.regs "$scratch/${kind}_regs.h" "$scratch/$kind-registers.md" || complain "gen_regs.py"
        diff -q "$scratch/$kind-registers.md" docs/$kind-registers.md >/dev/null || complain "docs/$kind-registers.md is old: run \`make docs\`"
    done
    diff -q "$scratch/registers.md" docs/registers.md >/dev/null || complain "docs/registers.md is old: run \`make docs\`"
    python3 isa/gen/gen_overlay.py isa/overlay.regs "$scratch/overlay_regs.h" "$scratch/overlay.md" || complain "gen_overlay.py"
    diff -q "$scratch/overlay.md" docs/overlay-registers.md >/dev/null || complain "docs/overlay-registers.md is old: run \`make docs\`"
    python3 isa/gen/gen_cfg.py isa/cfg.regs "$scratch/cfg_fields.h" "$scratch/cfg_names.c" "$scratch/cfg.md" || complain "gen_cfg.py"
    diff -q "$scratch/cfg.md" docs/configuration.md >/dev/null || complain "docs/configuration.md is old: run \`make docs\`"
    python3 isa/gen/gen_tensix.py isa/tensix.isa "$scratch" "$scratch/isa.md" || complain "gen_tensix.py"
    diff -q "$scratch/isa.md" docs/isa.md >/dev/null || complain "docs/isa.md is old: run \`make docs\`"
    python3 scripts/shake_page.py src/base/shake.def "$scratch/shake.md" || complain "shake_page.py"
    diff -q "$scratch/shake.md" docs/shake.md >/dev/null || complain "docs/shake.md is old: run \`make docs\`"
    if [ ! -x "$build/kerr" ]; then
        complain "pages: $build/kerr is not there"
    elif ! "$build/kerr" --dump-docs | diff - docs/cli.md >/dev/null; then
        complain "docs/cli.md is old: run \`make docs\`"
    fi
    rm -rf "$scratch"
}

checks=("$@")
[ ${#checks[@]} -gt 0 ] || checks=(format sections exports layers paths spdx shell python pages)
for check in "${checks[@]}"; do
    case $check in
        format | sections | exports | layers | paths | spdx | shell | python | pages) "check_$check" ;;
        *) echo "lint: unknown check '$check'" >&2; exit 2 ;;
    esac
done
if [ $failed = 0 ]; then
    echo "lint: ${checks[*]}: clean"
fi
exit $failed

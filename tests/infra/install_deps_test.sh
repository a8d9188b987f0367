#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/install-deps.sh on machines that are not this one: its PATH holds stand-ins that write down what they
# are asked to do.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=${KERR_TEST_TMP:-$(mktemp -d)}
bin=$scratch/bin
calls=$scratch/calls

stand_in() { # name, script
    printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}

# A machine with nothing on it, run by root.  Arguments: packages that are there.
new_machine() {
    rm -rf "$bin" "$calls" "$scratch/installed"
    mkdir -p "$bin" "$scratch/installed"
    : >"$calls"
    local tool package
    for tool in bash env sed head; do
        ln -s "$(command -v $tool)" "$bin/$tool"
    done
    for package in "$@"; do
        : >"$scratch/installed/$package"
    done
    stand_in id 'echo 0'
    stand_in sleep 'true'
    stand_in dpkg-query "[ -e \"$scratch/installed/\${@: -1}\" ] && echo -n installed"
    stand_in apt-cache 'echo "Version: 1:19.0-63"'
    stand_in apt-get "echo \"\$@\" >>'$calls'"
}

run() {
    output=$(env -i PATH="$bin" "$(command -v bash)" scripts/install-deps.sh "$@" 2>&1) && status=0 || status=$?
}

check() { # name, command...
    local name=$1
    shift
    if "$@"; then
        echo "ok - $name"
    else
        echo "not ok - $name (status $status)"
        printf '%s\n' "$output" "calls:" "$(cat "$calls")"
    fi
}
says() { [[ $output == *"$1"* ]]; }
asked() { grep -q -- "$1" "$calls"; }

build=(gcc libc6-dev make python3 libelf-dev libdw-dev libyaml-dev zlib1g-dev libzstd-dev pkg-config)

new_machine "${build[@]}"
run build
check "with everything there it says nothing" [ -z "$output$(cat "$calls")" ]
check "and succeeds" [ $status = 0 ]

new_machine gcc libc6-dev make python3 libdw-dev libyaml-dev zlib1g-dev libzstd-dev pkg-config
run build
check "root installs what is missing" asked 'install -y --no-install-recommends libelf-dev$'
check "after a refresh of the lists" asked 'update$'
check "and says what and why" says 'installing libelf-dev (ELF files'
check "root succeeds" [ $status = 0 ]

new_machine
run build test
check "the clang run time fits the default clang" asked 'libclang-rt-19-dev'

new_machine "${build[@]:1}"
stand_in gcc 'true'
run build
check "a compiler from elsewhere will do" [ -z "$output" ]

new_machine "${build[@]:1}"
stand_in apt-get "echo \"\$@\" >>'$calls'; [[ \$* != *update* ]] || [ \$(grep -c update '$calls') -ge 3 ]"
stand_in grep "exec '$(command -v grep)' \"\$@\""
run build
check "a refresh that fails is tried again" [ "$(grep -c update "$calls") $status" = "3 0" ]

new_machine "${build[@]:1}"
stand_in apt-get "[[ \$* == *update* ]]"
run build
check "packages that cannot be installed stop it" [ $status = 1 ]
check "and it says what to run" says 'sudo apt-get update && sudo apt-get install -y gcc'

new_machine "${build[@]:1}"
stand_in id 'echo 1000'
run build
check "without root and sudo it says what to run" says 'please run:  sudo apt-get update && sudo apt-get install -y gcc'
check "without root and sudo it stops" [ "$status$(cat "$calls")" = 1 ]

new_machine "${build[@]:1}"
stand_in id 'echo 1000'
# shellcheck disable=SC2016
stand_in sudo 'shift; exec "$@"'
stand_in true 'exit 0'
run build
check "sudo is used where it is there" asked 'install -y --no-install-recommends gcc$'

run nonsense
check "an unknown set is refused" [ $status = 2 ]

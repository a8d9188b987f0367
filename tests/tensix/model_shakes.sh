#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random streams against the plain model under many seeds of shaken timing: model_shakes.sh STREAMS LIBRARY SEEDS
set -eu
for seed in $(seq 1 "$3"); do
    KERR_SHAKE=$seed "$1" "$2" model 60 $((seed * 1000)) >"${KERR_TEST_TMP:-/tmp}/model_shakes.txt" || {
        cat "${KERR_TEST_TMP:-/tmp}/model_shakes.txt"
        echo "not ok 1 - seed $seed of shaken timing"
        exit 1
    }
done
echo "ok 1 - the model's results under $3 seeds of shaken timing"
echo "1..1"

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr_cfg.h: the same positions as the simulator has, for every core, and what its functions push and store."""

import os
import re
import struct

from tap import BUILD, CORES, SHARED, Tap, kerr_cc, kerr_run, path, read, write

PROGRAM = r"""
#include "kerr_cfg.h"
#include "kerr_sdk.h"
int main(void)
{
    volatile uint32_t *out = KERR_WORD(KERR_SHARED_BASE);
    out[0] = KERR_CFG(THCON_SEC0_REG1_In_data_format, 0x35);
#if KERR_CORE != KERR_CORE_NC && KERR_CORE != KERR_CORE_B
    const volatile uint32_t *config = KERR_WORD(TENSIX_CFG_STATE0);
    kerr_cfg_write(THCON_SEC0_REG3_Base_address_ADDR32, 0x12345678);
    KERR_CFG_RMW(THCON_SEC0_REG1_Pac_LF8_4b_exp, 1);
    KERR_CFG_RMW(STACC_RELU_ReluThreshold, 0xABCD);
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
    out[1] = config[THCON_SEC0_REG3_Base_address_ADDR32];
    out[2] = config[THCON_SEC0_REG1_Pac_LF8_4b_exp_ADDR32];
    out[3] = config[STACC_RELU_ReluThreshold_ADDR32];
#endif
    kerr_finish(7);
}
"""


def defines(name):
    with open(name, encoding="utf-8") as file:
        return dict(re.findall(r"#define (\w+_(?:ADDR32|SHAMT|MASK)) (\S+)", file.read()))


tap = Tap()
ours = defines(os.path.join(BUILD, "sdk/include/kerr_cfg.h"))
simulator = {name: value for name, value in defines(os.path.join(BUILD, "gen/cfg_fields.h")).items() if "_CFGREG_BASE" not in name}
tap.case("every field of isa/cfg.regs, where the simulator has it", len(ours) > 1000 and ours == simulator,
         str(set(ours.items()) ^ set(simulator.items()))[:300])
source = write("cfg.c", PROGRAM)
for core in CORES:
    elf = path(f"cfg_{core}.elf")
    result = kerr_cc(core, source, "-Werror", "-o", elf)
    if not tap.case(f"{core}: compiles", result.returncode == 0, result.stderr):
        continue
    result = kerr_run(f"1,2:{core}={elf}", "--dump", f"1,2@{SHARED}+16={path('words.bin')}")
    words = struct.unpack("<4I", read("words.bin")) if result.returncode == 0 else ()
    want = (0x500, 0x12345678, 1 << 23, 0xABCD << 6) if core.startswith("T") else (0x500, 0, 0, 0)
    tap.case(f"{core}: values at their places, cut to the field; a store and read-modify-writes of Config", words == want,
             f"{[hex(word) for word in words]}\n{result.stderr}")
tap.done()

# SPDX-License-Identifier: Apache-2.0
# F, Zfh and V of the baby cores against qemu-riscv32 (tests/fpvec.list).
FPVEC_BIN := $(BUILD)/tests/oracle/fpvec_qemu
$(FPVEC_BIN): $(BUILD)/obj/tests/oracle/fpvec_qemu.o $(BUILD)/libkerr.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^
check-targets += $(FPVEC_BIN)

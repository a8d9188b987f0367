# SPDX-License-Identifier: Apache-2.0
# Host programs that open a libttsim.so by path (tests/abi.list).  They link with libc only.

ABI_BINS := $(patsubst tests/abi/%.c,$(BUILD)/tests/abi/%,$(sort $(wildcard tests/abi/*.c)))
$(ABI_BINS): $(BUILD)/tests/abi/%: $(BUILD)/obj/tests/abi/%.o
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $< -ldl
TEST_BINS += $(ABI_BINS)
check-targets += $(ABI_BINS) $(BUILD)/sim/libttsim.so $(BUILD)/sim/soc_descriptor.yaml

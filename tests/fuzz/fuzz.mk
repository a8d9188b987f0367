# SPDX-License-Identifier: Apache-2.0
# libFuzzer targets: clang, the library and the command's parts compiled once more with coverage and sanitizers.
# tests/fuzz/run.py runs them.

FUZZ_CC ?= clang
FUZZ_OPT := -O1
# clang takes two minutes for each of the first two with its optimiser and all checks, a few seconds without.
$(BUILD)/fuzz/src/riscv/exec.o $(BUILD)/fuzz/src/tensix/matrix/fast.o: FUZZ_OPT := -O0
FUZZ_WATCH := -fsanitize=fuzzer-no-link
# A hash looks at all bytes of a chip, for every input, and at nothing that an input chooses.
$(BUILD)/fuzz/src/chip/hash.o: FUZZ_WATCH := -fno-sanitize=all
$(BUILD)/fuzz/src/chip/hash.o: FUZZ_OPT := -O2
FUZZ_FLAGS = -std=c17 $(FUZZ_OPT) -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -pthread
fuzz-obj = $(patsubst $(BUILD)/obj/%,$(BUILD)/fuzz/%,$(1))
FUZZ_LIB_OBJS := $(call fuzz-obj,$(LIB_OBJS))
FUZZ_TOOL_OBJS := $(call fuzz-obj,$(filter-out $(TOOL_VERBS),$(TOOL_OBJS)))
FUZZ_BINS := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/fuzz/%,$(sort $(wildcard tests/fuzz/*_fuzz.c)))

$(BUILD)/fuzz/%.o: %.c $(BUILD)/flags.txt | $(GEN_HEADERS) $(BUILD_INFO)
	@mkdir -p $(@D)
	$(call say,FUZZ,$<)
	$(Q)$(FUZZ_CC) $(CPPFLAGS_ALL) $(CPPFLAGS_$(call top,$<)) $(FUZZ_FLAGS) $(FUZZ_WATCH) -MMD -MP -c $< -o $@
$(BUILD)/fuzz/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags.txt
	@mkdir -p $(@D)
	$(call say,FUZZ,$<)
	$(Q)$(FUZZ_CC) $(CPPFLAGS_ALL) $(CPPFLAGS_src) $(FUZZ_FLAGS) $(FUZZ_WATCH) -MMD -MP -c $< -o $@

$(BUILD)/gen/fuzz/fuzz_patterns.h: tests/fuzz/patterns.py isa/rv32.isa
	@mkdir -p $(@D)
	$(call say,GEN ,$@)
	$(Q)$(PYTHON) $^ > $@
$(BUILD)/fuzz/tests/fuzz/code_fuzz.o: $(BUILD)/gen/fuzz/fuzz_patterns.h
$(BUILD)/fuzz/tests/fuzz/code_fuzz.o: CPPFLAGS_tests += -I$(BUILD)/gen/fuzz

$(BUILD)/tests/fuzz/code_fuzz $(BUILD)/tests/fuzz/guest_fuzz: $(FUZZ_LIB_OBJS)
# It has restore.c in itself.
$(BUILD)/tests/fuzz/chip_fuzz: $(filter-out %/chip/restore.o,$(FUZZ_LIB_OBJS)) $(FUZZ_TOOL_OBJS)
$(BUILD)/fuzz/tests/fuzz/chip_fuzz.o: CPPFLAGS_tests += -Isrc -I$(BUILD)/gen
$(filter-out %/code_fuzz %/guest_fuzz %/chip_fuzz,$(FUZZ_BINS)): $(FUZZ_LIB_OBJS) $(FUZZ_TOOL_OBJS)
$(FUZZ_BINS): $(BUILD)/tests/fuzz/%: $(BUILD)/fuzz/tests/fuzz/%.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $(filter %.o,$^) $(if $(filter %/code_fuzz %/guest_fuzz,$@),,$(TOOL_LIBS))
test-targets += $(FUZZ_BINS)

-include $(shell find $(BUILD)/fuzz -name '*.d' 2>/dev/null)

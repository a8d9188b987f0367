# SPDX-License-Identifier: Apache-2.0
# The forms for AVX-512 and AVX2 of src/num and src/tensix/matrix on any processor (tests/tensix.list): their units compiled with
# the intrinsics of tests/emulated/include, and the unit tests that compare them with the plain forms, linked with these in
# front of the library.  Not all of the compiler's work pays: what is unrolled here is 32 instructions each.

EMULATED_SRCS := $(addprefix src/,num/fma_lanes.c num/pack_rows.c num/unpack_block.c tensix/matrix/fast.c) tests/emulated/emulated.c
EMULATED_OBJS := $(EMULATED_SRCS:%.c=$(BUILD)/emulated/%.o)
EMULATED_TESTS := $(addprefix tests/unit/,num/fma_lanes_test num/rows_test num/pack_ways_test tensix/matrix_kernel_test tensix/unpack_rows_test \
    tensix/pack_rows_test)
EMULATED_BINS := $(patsubst tests/unit/%,$(BUILD)/tests/emulated/%,$(EMULATED_TESTS))

$(EMULATED_OBJS): $(BUILD)/emulated/%.o: %.c $(BUILD)/flags.txt | $(GEN_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC  ,$@)
	$(Q)$(CC) $(CPPFLAGS_ALL) -Itests/emulated/include $(CPPFLAGS_src) $(CFLAGS_ALL) $(CFLAGS_$<) -O1 -DUNROLL_8= -Wno-psabi -MMD -MP -c $< -o $@

# What such a test is linked with otherwise, without the units that are here already.
emulated-rest = $(filter-out $(patsubst $(BUILD)/emulated/%,$(BUILD)/obj/%,$(EMULATED_OBJS)),$(call obj,$(call link-of,$(1))))
$(foreach test,$(EMULATED_TESTS),$(eval $(patsubst tests/unit/%,$(BUILD)/tests/emulated/%,$(test)): $(BUILD)/obj/$(test).o \
    $(EMULATED_OBJS) $(call emulated-rest,$(test).c) $(BUILD)/libkerr.a))
$(BUILD)/tests/emulated/intrinsics_test: $(call obj,tests/emulated/intrinsics_test.c tests/emulated/native.c) $(EMULATED_OBJS) $(BUILD)/libkerr.a
$(EMULATED_BINS) $(BUILD)/tests/emulated/intrinsics_test:
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(TEST_LIBS)
test-targets += $(EMULATED_BINS) $(BUILD)/tests/emulated/intrinsics_test
-include $(EMULATED_OBJS:.o=.d)

# SPDX-License-Identifier: Apache-2.0
# Tests of the parts of the kerr command that need a chip in hand; the others are scripts (tests/cli.list).

CLI_TEST_BINS := $(patsubst tests/cli/%.c,$(BUILD)/tests/cli/%,$(sort $(wildcard tests/cli/*_test.c)))
TOOL_PART_OBJS := $(filter-out $(TOOL_VERBS),$(TOOL_OBJS))
$(CLI_TEST_BINS): $(BUILD)/tests/cli/%: $(BUILD)/obj/tests/cli/%.o $(TOOL_PART_OBJS) $(BUILD)/libkerr.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o %.a,$^) $(TOOL_LIBS) -lcmocka
TEST_UNIT_BINS += $(CLI_TEST_BINS)
check-targets += $(BUILD)/kerr

# What tests/cli/trace_test.py looks at.
$(BUILD)/tests/cli/timeline_feed: $(BUILD)/obj/tests/cli/timeline_feed.o $(TOOL_PART_OBJS) $(BUILD)/libkerr.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o %.a,$^) $(TOOL_LIBS)
check-targets += $(BUILD)/tests/cli/timeline_feed

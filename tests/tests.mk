# SPDX-License-Identifier: Apache-2.0
# The unit tests (tests/unit, mirrors src/) and the baby-core tests (tests/isa/rv32, tests/qemu, tests/same,
# tests/timing).
#
# A unit test is tests/unit/**/NAME_test.c, linked with libkerr.a and cmocka into $(BUILD)/tests/unit/**/NAME_test.
# With a comment 'LINK: src/a.c src/b.c' (or @tile) in its first ten lines it gets exactly these sources instead of the library,
# with @library these and the library.
# A comment 'TSAN: yes' there adds it to the thread sanitizer's suite.

TEST_LIBS := -lcmocka -lm

UNIT_SRCS := $(sort $(shell find tests/unit -name '*_test.c' 2>/dev/null))
# Words of the form test.c=source.c, one per source named by a LINK line.
UNIT_LINK := $(if $(UNIT_SRCS),$(shell awk 'FNR <= 10 && sub(/.*LINK: */, "") { sub(/\*\/.*/, ""); \
    for (i = 1; i <= NF; i++) print FILENAME "=" $$i }' $(UNIT_SRCS)))
UNIT_TSAN := $(if $(UNIT_SRCS),$(shell awk 'FNR <= 10 && /TSAN: yes/ { print FILENAME }' $(UNIT_SRCS)))

test-bin = $(patsubst %.c,$(BUILD)/%,$(1))
# @tile: the blocks of a tile without the tile itself, for tests with fake_tile.h.
TILE_BLOCK_SRCS := $(filter-out $(patsubst %,src/tile/%.c,tile run bus cores l1 packets faults trace host_side) src/tile/devices_sane.c src/tile/deadlock.c src/tile/deadlock_loop.c src/tile/stops.c src/tile/pusher.c,$(wildcard src/tile/*.c)) \
    src/noc/niu_regs.c src/noc/fabric.c src/noc/store.c src/noc/coords.c src/noc/tables.c src/noc/atomics.c $(wildcard src/num/*.c) \
    src/base/pages.c src/base/shake.c src/noc/grid.c $(wildcard src/riscv/*.c src/tensix/*.c src/tensix/*/*.c) gen/tensix_isa.c gen/cfg_names.c gen/rv32_ops.c
link-of = $(filter-out @library,$(patsubst @tile,$(TILE_BLOCK_SRCS),$(patsubst $(1)=%,%,$(filter $(1)=%,$(UNIT_LINK)))))
define unit-rule
$(call test-bin,$(1)): $(call obj,$(1)) $(call obj,$(call link-of,$(1))) \
    $(if $(and $(call link-of,$(1)),$(if $(filter $(1)=@library,$(UNIT_LINK)),,own)),,$(BUILD)/libkerr.a)
endef
$(foreach src,$(UNIT_SRCS),$(eval $(call unit-rule,$(src))))

UNIT_BINS := $(call test-bin,$(UNIT_SRCS))
TEST_UNIT_BINS += $(UNIT_BINS)
TEST_TSAN_BINS += $(call test-bin,$(UNIT_TSAN))

# The programs that tests/rv.list runs.
RV_TEST_SRCS := tests/isa/rv32/run_t.c tests/isa/rv32/edges.c tests/qemu/compare.c $(wildcard tests/same/*.c) \
    $(wildcard tests/noc/*.c) $(wildcard tests/tensix/*.c) $(wildcard tests/check/*.c) tests/timing/silicon.c tests/timing/noc_silicon.c \
    tests/timing/tensix_silicon.c tests/timing/typecasts.c tests/timing/matmul_silicon.c
RV_TEST_BINS := $(call test-bin,$(RV_TEST_SRCS))
RV_SUPPORT_OBJS := $(call obj,$(sort $(wildcard tests/support/*.c)))
# Parts of the drop-in library, and of the command; before the library, which they need.
$(BUILD)/tests/same/replay_snapshots: $(filter-out %/libttsim.o,$(DROPIN_OBJS))
$(BUILD)/tests/same/past: $(call obj,tools/past.c tools/past_pages.c)
$(RV_TEST_BINS): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(RV_SUPPORT_OBJS) $(BUILD)/libkerr.a
check-targets += $(RV_TEST_BINS)
# Checks under the sanitizers too.
TEST_UNIT_BINS += $(filter $(BUILD)/tests/check/%pairs $(BUILD)/tests/same/checks,$(RV_TEST_BINS))
TEST_TSAN_BINS += $(filter $(BUILD)/tests/same/threads $(BUILD)/tests/same/two_chips $(BUILD)/tests/noc/threads,$(RV_TEST_BINS))

# The instructions of a kernel of the sdk, which has its own names for them.
CFLAGS_tests/support/typecast_words.c := -I$(BUILD)/sdk/include -DKERR_CORE=KERR_CORE_NC
$(BUILD)/obj/tests/support/typecast_words.o: $(BUILD)/sdk/.generated

$(UNIT_BINS) $(RV_TEST_BINS): $(WHOLE_LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $(call linked,$(filter %.o,$^) $(filter %.a,$^)) $(TEST_LIBS)

# The instruction cases of the coprocessor, on a tile without cores (tests/tensix.list).
TENSIX_RUN_T := $(BUILD)/tests/isa/tensix/run_t
$(TENSIX_RUN_T): $(call obj,tests/isa/tensix/run_t.c $(TILE_BLOCK_SRCS)) $(WHOLE_LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $(call linked,$^) $(TEST_LIBS)
check-targets += $(TENSIX_RUN_T)

# docs/timing.md: every silicon zone, the card's figure and ours.
silicon-targets += silicon-table
.PHONY: silicon-table
silicon-table: $(addprefix $(BUILD)/tests/timing/,silicon noc_silicon tensix_silicon typecasts matmul_silicon) kernels
	sed -n '/^<!-- ttnn matmul: begin/,/^<!-- data movement: end/p' docs/timing.md > $(BUILD)/timing-real.md
	$(BUILD)/tests/timing/silicon tests/timing/silicon_zones.csv docs/timing.md
	$(BUILD)/tests/timing/noc_silicon tests/timing/noc_zones.csv docs/timing.md
	$(BUILD)/tests/timing/tensix_silicon tests/timing/tensix_zones.csv docs/timing.md
	$(BUILD)/tests/timing/typecasts $(BUILD)/kernels docs/timing.md
	$(BUILD)/tests/timing/matmul_silicon tests/timing/matmul_zones.csv $(BUILD)/kernels docs/timing.md
	(echo; cat $(BUILD)/timing-real.md) >> docs/timing.md
# The end of docs/timing.md: whole operations of ttnn and data-movement kernels, by TTNN_PYTHON.  A quarter of an hour.
.PHONY: silicon-real
silicon-real:
	$(PYTHON) tests/real/matmul_times.py --build $(BUILD) --write docs/timing.md
	$(PYTHON) tests/real/noc_times.py --build $(BUILD) --write docs/timing.md

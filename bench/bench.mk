# SPDX-License-Identifier: Apache-2.0
# make bench [REF=path/to/another/libttsim.so] [RECORD=1] [BENCH_FLAGS="--only rv-one --reps 5"]
# BENCH_ONLY=ref measures only REF.  RECORD=1 appends the results to bench/history.csv.

$(BUILD)/bench/bench: $(BUILD)/obj/bench/bench.o
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -ldl -lm

BENCH_COMMIT = $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
BENCH_COMPILER = $(shell $(CC) --version | head -n 1)

.PHONY: bench-run
bench-run: $(BUILD)/bench/bench $(BUILD)/sim/libttsim.so $(foreach core,T0 T1 T2,$(BUILD)/kernels/datapath_$(core).elf) \
    $(foreach core,T0 T1 T2,$(BUILD)/kernels/vector_$(core).elf) \
    $(foreach core,B T0 T1 T2 NC,$(BUILD)/kernels/matmul_$(core).elf) $(BUILD)/kernels/typecast_T1.elf $(OP_ELFS)
	$(BUILD)/bench/bench $(if $(REF),--ref '$(REF)') $(if $(filter ref,$(BENCH_ONLY)),--ref-only) $(if $(RECORD),--record bench/history.csv) \
	    --kernels $(BUILD)/kernels --commit '$(BENCH_COMMIT)' --compiler '$(BENCH_COMPILER)' $(BENCH_FLAGS) $(BUILD)/sim/libttsim.so
bench-targets += bench-run

# What a trace costs: needs kerr.h, which libttsim.so does not have.
$(BUILD)/bench/trace_bench: $(BUILD)/obj/bench/trace_bench.o $(BUILD)/libkerr.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lpthread

.PHONY: bench-trace
bench-trace: $(BUILD)/bench/trace_bench
	$(BUILD)/bench/trace_bench
bench-targets += bench-trace

# What checks cost, and that they find nothing in a kernel that is right.
$(BUILD)/bench/check_bench: $(BUILD)/obj/bench/check_bench.o $(BUILD)/libkerr.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lpthread
check-targets += $(BUILD)/bench/check_bench

.PHONY: bench-check
bench-check: $(BUILD)/bench/check_bench $(foreach core,B T0 T1 T2 NC,$(BUILD)/kernels/matmul_$(core).elf)
	$(BUILD)/bench/check_bench $(BUILD)/kernels
	$(if $(TTNN_PYTHON),@$(MAKE) --no-print-directory BUILD=$(BUILD) $(BUILD)/meter/libttsim.so)
	$(if $(TTNN_PYTHON),$(PYTHON) bench/check_real.py --build $(BUILD))
bench-targets += bench-check

# What the hooks of checks cost while they are off, in instructions: against a build that has none (callgrind counts).
.PHONY: bench-hooks
bench-hooks: $(BUILD)/bench/check_bench $(foreach core,B T0 T1 T2 NC,$(BUILD)/kernels/matmul_$(core).elf)
	+@$(MAKE) --no-print-directory BUILD=$(BUILD)/without-checks KERR_DEPS=skip EXTRA_CFLAGS='$(EXTRA_CFLAGS) -DKERR_WITHOUT_CHECKS' \
	    $(BUILD)/without-checks/bench/check_bench
	$(PYTHON) bench/hooks.py $(BUILD)/bench/check_bench $(BUILD)/without-checks/bench/check_bench $(BUILD)/kernels

# Cycles and instructions of op-*, and the test that they are right on a few tiles.
$(BUILD)/bench/op_run: $(BUILD)/obj/bench/op_run.o $(BUILD)/libkerr.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lpthread -lm
test-targets += $(BUILD)/bench/op_run $(OP_ELFS)

# What snapshots and going back cost, with the command's own files and its past.
SNAPSHOT_BENCH_OBJS := $(call obj,tools/chip_file.c tools/past.c tools/past_pages.c tools/tool_error.c)
$(BUILD)/bench/snapshot_bench: $(BUILD)/obj/bench/snapshot_bench.o $(SNAPSHOT_BENCH_OBJS) $(BUILD)/libkerr.a
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ -lzstd -lpthread -lm
check-targets += $(BUILD)/bench/snapshot_bench

.PHONY: bench-snapshot
bench-snapshot: $(BUILD)/bench/snapshot_bench $(foreach core,B T0 T1 T2 NC,$(BUILD)/kernels/matmul_$(core).elf)
	$(BUILD)/bench/snapshot_bench $(BUILD)/kernels $(BUILD)
bench-targets += bench-snapshot

# What Python adds to a run: the same library from C.
$(BUILD)/bench/run_bench: $(BUILD)/obj/bench/run_bench.o $(BUILD)/libkerr.so
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(BUILD)/libkerr.so -Wl,-rpath,'$$ORIGIN/..'
check-targets += $(BUILD)/bench/run_bench

.PHONY: bench-python
bench-python: $(BUILD)/bench/run_bench
	$(PYTHON) bench/python_run.py $(BUILD)
bench-targets += bench-python

# What each mechanism of src/base/fast.def is worth, in host instructions (callgrind).  Half an hour on two cores; KERR_RECORDINGS=DIR adds
# recorded operations of ttnn.  BENCH_FLAGS="--load op-exp --mechanism park", or "--write docs/performance.md".
.PHONY: bench-ablation
bench-ablation: $(BUILD)/bench/bench $(BUILD)/sim/libttsim.so $(BUILD)/kerr $(OP_ELFS) kernels
	nice -n 5 $(PYTHON) bench/ablation.py --build $(BUILD) $(BENCH_FLAGS)

# Host instructions of one transfer of data, by part.  A minute on two cores.  BENCH_FLAGS="--line dram", or "--write docs/performance.md".
.PHONY: bench-transfers
bench-transfers: $(BUILD)/bench/bench $(BUILD)/sim/libttsim.so
	nice -n 5 $(PYTHON) bench/transfers.py --build $(BUILD) $(BENCH_FLAGS)

# Recorded operations of ttnn, in KERR_RECORDINGS=DIR or $(BUILD)/recordings: made once, with the vendor's binaries in them, and measured as
# often as one likes.  TTNN_PYTHON=python make recordings [RECORDINGS_FLAGS="--seed 7", or operations]
.PHONY: recordings
recordings: $(BUILD)/kerr $(BUILD)/sim/libttsim.so $(BUILD)/sim/soc_descriptor.yaml
	@$(PYTHON) bench/recordings.py make --build $(BUILD) $(RECORDINGS_FLAGS) || [ $$? = 77 ]

# Host instructions of recorded operations; with TTNN_PYTHON=python also ttnn and a file of the LLK suite on Kerr and on REF, with the time
# inside each library: TTNN_PYTHON=python LLK_TESTS=... SFPI=... make bench-real REF=path/to/libttsim.so
$(BUILD)/meter/libttsim.so: bench/abi_meter.c $(BUILD)/sim/soc_descriptor.yaml
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) -shared -fPIC $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS_ALL) -o $@ bench/abi_meter.c -ldl
	$(Q)cp $(BUILD)/sim/soc_descriptor.yaml $(@D)
compile-targets += $(BUILD)/meter/libttsim.so
test-targets += $(BUILD)/meter/libttsim.so

.PHONY: bench-real
bench-real: $(BUILD)/meter/libttsim.so $(BUILD)/sim/libttsim.so $(BUILD)/kerr
	@$(PYTHON) bench/recordings.py measure --build $(BUILD) $(RECORDINGS_FLAGS) || [ $$? = 77 ]
	@$(PYTHON) bench/real.py --build $(BUILD) $(if $(REF),--ref '$(REF)') $(BENCH_FLAGS) || [ $$? = 77 ]
	@$(PYTHON) bench/real_llk.py --build $(BUILD) $(if $(REF),--ref '$(REF)') || [ $$? = 77 ]

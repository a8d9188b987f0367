# SPDX-License-Identifier: Apache-2.0
# What people type.  A verb first sees to the system packages it needs, then makes the rest in a second make,
# so that on a fresh machine the compiler is there before make looks for it.

AGAIN = $(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
DEPS = @scripts/install-deps.sh
RUN_TESTS = $(PYTHON) scripts/run-tests.py --build $(BUILD) --xfail tests/xfail.txt

.PHONY: all build-all demo check test test-long test-real bench silicon lint format install asan ubsan sanitize tsan docs status deps clean \
    mutate help unit-run compile-all built-for-check built-for-test built-for-long

all:
	$(DEPS) build
	+@$(AGAIN) build-all

build-all: $(BUILT) $(all-targets)

demo:
	$(DEPS) build test
	+@$(AGAIN) build-all
	@$(if $(demo-targets),$(MAKE) --no-print-directory $(demo-targets),echo "demo: no examples in this tree")

# ---- Tests.  Tiers: check (a minute), test (what CI runs, under 15 minutes), long (no limit).
check:
	$(DEPS) build test
	+@$(AGAIN) built-for-check
	@$(RUN_TESTS) --tier check $(TEST_UNIT_BINS)
test:
	$(DEPS) build test
	+@$(AGAIN) built-for-test
	@$(RUN_TESTS) --tier test $(TEST_UNIT_BINS)
test-long:
	$(DEPS) build test
	+@$(AGAIN) built-for-long
	@$(RUN_TESTS) --tier long $(TEST_UNIT_BINS)
# Suites of others, where they are found (docs/conformance.md): TTEXALENS_TESTS names a clone of tt-exalens, LLK_TESTS
# and SFPI the vendor's kernel tests and compiler, TTNN_PYTHON a Python with ttnn and torch.  REF is another libttsim.so
# to compare with; LLK_FLAGS (as "--per-file 100") and REAL_FLAGS go to the two lists, ROBUST_FLAGS (as "--runs 5") to what
# is done to ttnn programs that go wrong or are killed.  The third runs some of both with all checks on (docs/findings/real.md).
test-real:
	$(DEPS) build test
	+@$(AGAIN) build-all $(BUILD)/tests/same/replay_snapshots
	@$(PYTHON) tests/real/exalens.py --build $(BUILD) --write docs/conformance.md --jobs 2 || [ $$? = 77 ]
	@REF=$(REF) $(PYTHON) tests/real/llk.py --build $(BUILD) --write docs/conformance.md $(LLK_FLAGS) || [ $$? = 77 ]
	@$(PYTHON) tests/real/ttnn_list.py --build $(BUILD) --write docs/conformance.md $(if $(REF),--ref '$(REF)' \
	    --ref-env TT_METAL_DISABLE_SFPLOADMACRO=1) $(REAL_FLAGS) \
	    || [ $$? = 77 ]
	@$(PYTHON) tests/real/checks.py --build $(BUILD) --write docs/findings/real.md || [ $$? = 77 ]
	@$(PYTHON) tests/real/ttnn_snapshots.py --build $(BUILD) || [ $$? = 77 ]
	@$(PYTHON) tests/real/ttnn_robust.py --build $(BUILD) --write docs/conformance.md $(ROBUST_FLAGS) || [ $$? = 77 ]
built-for-check: build-all $(TEST_UNIT_BINS) $(check-targets)
built-for-test: built-for-check $(test-targets)
built-for-long: built-for-test $(long-targets)
built-for-check built-for-test built-for-long build-all compile-all: ; @:

# ---- The unit suite under a sanitizer, in a build directory of its own.  Line numbers are all that a report needs of -g.
# sanitize: addresses and undefined behaviour in one build, which is half the work of two.
sanitize:
	+@$(AGAIN) BUILD=$(BUILD)/sanitize SAN=both OPT='-O1 -g1' unit-run
asan:
	+@$(AGAIN) BUILD=$(BUILD)/asan SAN=address OPT='-O1 -g1' unit-run
ubsan:
	+@$(AGAIN) BUILD=$(BUILD)/ubsan SAN=undefined OPT='-O1 -g1' unit-run
tsan:
	+@$(AGAIN) BUILD=$(BUILD)/tsan SAN=thread OPT='-O1 -g1' unit-run
# The thread sanitizer of gcc 12 stumbles over some random address layouts; not every container lets us switch that off.
NO_ASLR = $$(setarch -R true 2>/dev/null && echo setarch -R)
SAN_BINS = $(sort $(or $(if $(filter thread,$(SAN)),$(TEST_TSAN_BINS)),$(TEST_UNIT_BINS)))
unit-run: $(if $(SAN),$(SAN_BINS))
	@$(if $(filter thread,$(SAN)),$(NO_ASLR) )$(RUN_TESTS) --only-programs --tap --timeout 900 $(SAN_BINS)

# ---- Tests of the tests: breaks src/num and src/tensix on purpose and looks who notices (docs/mutation.md).
# SEED=n COUNT=n FILE='src/tensix/pack/*' JOBS=n; in $(BUILD)/mutate, where the first run takes some minutes to prepare.
mutate:
	$(DEPS) build test
	@$(PYTHON) scripts/mutate.py --build $(BUILD)/mutate $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) \
	    $(foreach glob,$(FILE),--file '$(glob)') $(if $(JOBS),--jobs $(JOBS))

# ---- Measurements
bench:
	$(DEPS) build test
	+@$(AGAIN) build-all
	@$(if $(bench-targets),$(MAKE) --no-print-directory $(bench-targets),echo "bench: no benchmarks in this tree")
silicon:
	$(DEPS) build test
	+@$(AGAIN) build-all
	@$(if $(silicon-targets),$(MAKE) --no-print-directory $(silicon-targets),echo "silicon: no zones in this tree")

# ---- Care of the tree
compile-all: built-for-check $(compile-targets)
lint:
	$(DEPS) build test
	+@$(AGAIN) BUILD=$(BUILD)/lint-gcc CC=gcc compile-all
	+@$(AGAIN) BUILD=$(BUILD)/lint-clang CC=clang compile-all
	@BUILD=$(BUILD)/lint-gcc scripts/lint.sh
format:
	$(DEPS) test
	@scripts/lint.sh --fix format
# Pages that are made from tables and kept in the tree.
docs: $(docs-targets)
	@$(PYTHON) isa/gen/gen_regs.py isa/tile.regs $(BUILD)/gen/tile_regs.h docs/registers.md
	@$(PYTHON) isa/gen/gen_overlay.py isa/overlay.regs $(BUILD)/gen/overlay_regs.h docs/overlay-registers.md
	@$(PYTHON) isa/gen/gen_regs.py isa/noc.regs $(BUILD)/gen/noc_regs.h docs/noc-registers.md
	@$(PYTHON) isa/gen/gen_regs.py isa/eth.regs $(BUILD)/gen/eth_regs.h docs/eth-registers.md
	@$(PYTHON) isa/gen/gen_regs.py isa/dram.regs $(BUILD)/gen/dram_regs.h docs/dram-registers.md
	@$(PYTHON) scripts/shake_page.py src/base/shake.def docs/shake.md
	@$(PYTHON) isa/gen/gen_tensix.py isa/tensix.isa $(BUILD)/gen docs/isa.md
	@$(PYTHON) isa/gen/gen_cfg.py isa/cfg.regs $(BUILD)/gen/cfg_fields.h $(BUILD)/gen/cfg_names.c docs/configuration.md
status:
	@$(PYTHON) scripts/status.py --build $(BUILD) > docs/status.md.new
	@mv docs/status.md.new docs/status.md
deps:
	$(DEPS) build test
clean:
	rm -rf $(BUILD)

# ---- Installation
INSTALL_BIN := $(DESTDIR)$(PREFIX)/bin
INSTALL_LIB := $(DESTDIR)$(PREFIX)/lib
INSTALL_SDK := $(DESTDIR)$(PREFIX)/share/kerr/sdk
install:
	$(DEPS) build
	+@$(AGAIN) build-all $(BUILD)/kerr.pc
	install -d $(INSTALL_LIB)/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 644 include/kerr.h include/kerr_findings.h include/kerr_pci.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 $(BUILD)/libkerr.a $(INSTALL_LIB)/libkerr.a
	install -m 755 $(BUILD)/libkerr.so $(INSTALL_LIB)/libkerr.so.$(VERSION)
	install -m 755 $(BUILD)/libkerr_files.so $(INSTALL_LIB)/libkerr_files.so
	ln -sf libkerr.so.$(VERSION) $(INSTALL_LIB)/libkerr.so.$(SOVERSION)
	ln -sf libkerr.so.$(SOVERSION) $(INSTALL_LIB)/libkerr.so
	install -m 644 $(BUILD)/kerr.pc $(INSTALL_LIB)/pkgconfig/kerr.pc
	if [ -d $(BUILD)/sim ]; then install -d $(INSTALL_LIB)/kerr/sim && \
	    install -m 644 $(BUILD)/sim/* $(INSTALL_LIB)/kerr/sim/; fi
	if [ -f $(BUILD)/kerr ]; then install -d $(INSTALL_BIN) && install -m 755 $(BUILD)/kerr $(INSTALL_BIN)/kerr; fi
	for page in $(wildcard $(BUILD)/kerr.1 docs/kerr.1); do \
	    install -d $(DESTDIR)$(PREFIX)/share/man/man1 && \
	    install -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man1/ || exit 1; done
	find sdk -type f \( -name '*.[chS]' -o -name '*.ld' -o -name '*.mk' -o -name '*.md' \) | while read -r file; do \
	    install -D -m 644 "$$file" "$(INSTALL_SDK)/$${file#sdk/}" || exit 1; done
	@$(if $(install-targets),$(MAKE) --no-print-directory $(install-targets))

help:
	@echo 'make            libkerr, the drop-in (sim/), the kerr command, the sdk'
	@echo 'make demo       builds and runs the examples'
	@echo 'make check      tests, about a minute'
	@echo 'make test       tests, what CI runs'
	@echo 'make test-long  conformance, fuzzing, sweeps, new seeds'
	@echo 'make test-real  suites of others, where they are found: docs/conformance.md'
	@echo 'make mutate     changes of the code that tests must notice: SEED, COUNT, FILE (docs/mutation.md)'
	@echo 'make bench      speed (REF=path/to/libttsim.so to compare)'
	@echo 'make recordings   operations of ttnn, recorded into KERR_RECORDINGS=DIR (TTNN_PYTHON=python with ttnn and torch)'
	@echo 'make bench-real   host instructions of recorded operations; with TTNN_PYTHON the speed of ttnn'
	@echo 'make bench-ablation   what each mechanism of src/base/fast.def is worth'
	@echo 'make silicon    the timing table, ours against the card'
	@echo 'make lint       format, warnings of two compilers, sections, paths, licence headers'
	@echo 'make format     formats the sources in place'
	@echo 'make sanitize tsan asan ubsan   the unit suite under sanitizers (sanitize: address and undefined in one)'
	@echo 'make status     docs/status.md from the tables and the last test run'
	@echo 'make docs       generated pages: docs/registers.md, docs/*-registers.md, docs/isa.md'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
	@echo 'make deps       system packages for everything above'
	@echo 'make clean      removes $(BUILD)'

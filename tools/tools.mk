# SPDX-License-Identifier: Apache-2.0
# What is made from the table in tools/options.def besides the kerr command itself.

# The man page that `make install` takes along.
$(BUILD)/kerr.1: $(BUILD)/kerr
	$(call say,MAN ,$@)
	$(Q)$(BUILD)/kerr --dump-man > $@
all-targets += $(BUILD)/kerr.1

# docs/cli.md is checked in for readers; `scripts/lint.sh pages` says when it is out of date.
.PHONY: cli-docs
cli-docs: $(BUILD)/kerr
	$(BUILD)/kerr --dump-docs > docs/cli.md
docs-targets += cli-docs

# The pages of docs/findings, for kerr explain.
FINDING_PAGES := $(filter-out %/README.md %/real.md,$(sort $(wildcard docs/findings/*.md)))
$(BUILD)/gen/tools/finding_pages.h: scripts/embed-pages.py $(FINDING_PAGES)
	@mkdir -p $(@D)
	$(call say,GEN ,$@)
	$(Q)$(PYTHON) scripts/embed-pages.py $@ $(FINDING_PAGES)
$(BUILD)/obj/tools/pages.o $(BUILD)/fuzz/tools/pages.o: $(BUILD)/gen/tools/finding_pages.h

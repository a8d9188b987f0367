# SPDX-License-Identifier: Apache-2.0
# The tables of docs/formats.md.
.PHONY: docs-formats
docs-formats: $(BUILD)/tests/unit/num/formats_page_test
	@$< write >/dev/null
docs-targets += docs-formats

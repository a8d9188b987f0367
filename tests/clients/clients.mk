# SPDX-License-Identifier: Apache-2.0
# The environments of the real clients are made before the tests of tier test, where progress can be seen.  What
# cannot be had is said again, and counted, by the tests that need it.

test-targets += client-venvs
.PHONY: client-venvs
client-venvs:
	@BUILD=$(BUILD) $(PYTHON) tests/clients/venv_of_client.py || [ $$? -eq 77 ]

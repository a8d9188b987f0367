# SPDX-License-Identifier: Apache-2.0
"""As KERR_VERSION_* of include/kerr.h; tests/python compares them."""

VERSION = "0.1.0"

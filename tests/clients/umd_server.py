# SPDX-License-Identifier: Apache-2.0
"""A host that opens a simulator through tt-umd and serves it by tt-umd's own sockets:  umd_server.py LIBRARY DIRECTORY

Prints the directory once others can attach, and ends with standard input.
"""

import sys

import tt_umd

options = tt_umd.SimulationConnectorOptions()
options.simulator_directory = sys.argv[1]
options.server_directory = sys.argv[2]
options.serve_over_sockets = True
opened = tt_umd.SimulationConnector.discover(options)  # keeps the devices
print("serves in", opened[0].server_directory, flush=True)
sys.stdin.read()

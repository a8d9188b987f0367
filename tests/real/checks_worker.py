# SPDX-License-Identifier: Apache-2.0
"""Cases of ttnn_cases.py, each in a process of its own with a findings file of its own:  checks_worker.py FOLDER CASE...

Of each a line of JSON goes to stdout; what checks found is in FOLDER/CASE.jsonl, with "+" for "/".  To import ttnn takes longer
than most cases, so the processes are forked from one that has.
"""

import ctypes
import json
import os
import sys

import ttnn_worker


def run_one(name, folder, answer):
    os.environ["KERR_FINDINGS"] = os.path.join(folder, name.replace("/", "+") + ".jsonl")
    devices = ttnn_worker.Devices()
    result = ttnn_worker.run(ttnn_worker.ttnn_cases.CASES[name], devices, folder)
    devices.close()
    os.write(answer, json.dumps({key: result[key] for key in ("case", "status", "detail", "seconds")}).encode())
    ctypes.CDLL(None).exit(0)  # which the simulator notices, and writes what it has found


def main():
    folder = sys.argv[1]
    for name in sys.argv[2:]:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            run_one(name, folder, write)
        os.close(write)
        status = os.waitpid(child, 0)[1]
        text = os.read(read, 65536).decode()
        os.close(read)
        died = {"case": name, "status": "died", "detail": f"status {status}", "seconds": 0}
        ttnn_worker.say(text if text and status == 0 else json.dumps(died))


main()

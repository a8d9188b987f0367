# SPDX-License-Identifier: Apache-2.0
"""The attach protocol (include/kerr_attach.h) by hand, for tests that send what kerr would not."""

import contextlib
import socket
import struct

(HELLO, STATUS, GRID, READ, CORE, TILE, STATE, FAULTS, HASH, PAUSE, CONTINUE, GDB) = range(1, 13)
OK, BAD_REQUEST, NO_CHIP, REFUSED, BUSY, NO_MEMORY, NOT_YOURS = range(7)


def request(verb, x=0, y=0, core=255, what=0, size=0, address=0, version=1):
    return struct.pack("<IHHBBBBIQ", 20, verb, version, x, y, core, what, size, address)


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def receive(self, size):
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise EOFError(f"the other side has closed, {len(data)} of {size} bytes came")
            data += more
        return data

    def reply(self):
        size, _, result = struct.unpack("<IHH", self.receive(8))
        return result, self.receive(size)

    def ask(self, *arguments, **more):
        with contextlib.suppress(BrokenPipeError):  # who is turned away gets his reply before he has asked
            self.socket.sendall(request(*arguments, **more))
        return self.reply()

    def status(self):
        fields = struct.unpack("<QQII8B", self.ask(STATUS)[1])
        return dict(zip(("cycle", "ns", "chips", "faults", "has_chip", "paused", "debugged", "stopped", "in_call"), fields))

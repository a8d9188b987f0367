# SPDX-License-Identifier: Apache-2.0
"""Reads a Perfetto trace without Perfetto: the wire format of protobuf, and of its messages what kerr writes.

Anything else in the file (an unknown field, a wrong wire type, a name that was not interned before, an end without a
begin) is an error: what a lenient reader takes, the Perfetto UI may drop without a word."""


class Bad(Exception):
    pass


def varint(data, at):
    value = shift = 0
    while True:
        if at >= len(data):
            raise Bad("a varint is cut short")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, at
        shift += 7
        if shift > 63:
            raise Bad("a varint is too long")


def fields(data):
    """(number, wire type, value) of each field of a message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise Bad(f"field {number}: wire type {wire}")
        if at > len(data):
            raise Bad(f"field {number} goes past the end of its message")
        yield number, wire, value


NUMBER, FIXED, TEXT, MESSAGE = "number", "fixed", "text", "message"
# google/perfetto, protos/perfetto/trace: field number to (name, kind, what a message holds, repeated).
ANNOTATION = {1: ("name_iid", NUMBER), 3: ("uint_value", NUMBER), 6: ("string_value", TEXT)}
EVENT = {4: ("annotations", MESSAGE, ANNOTATION), 9: ("type", NUMBER), 10: ("name_iid", NUMBER), 11: ("track", NUMBER),
         47: ("flows", FIXED), 48: ("ending_flows", FIXED)}
INTERNED = {1: ("iid", NUMBER), 2: ("name", TEXT)}
DATA = {2: ("event_names", MESSAGE, INTERNED), 3: ("annotation_names", MESSAGE, INTERNED)}
PROCESS = {1: ("pid", NUMBER), 6: ("name", TEXT)}
TRACK = {1: ("uuid", NUMBER), 2: ("name", TEXT), 3: ("process", MESSAGE, PROCESS), 5: ("parent", NUMBER),
         11: ("child_ordering", NUMBER), 12: ("rank", NUMBER)}
PACKET = {8: ("timestamp", NUMBER), 10: ("sequence", NUMBER), 11: ("event", MESSAGE, EVENT), 12: ("data", MESSAGE, DATA),
          13: ("flags", NUMBER), 60: ("track", MESSAGE, TRACK)}
WIRE = {NUMBER: 0, FIXED: 1, TEXT: 2, MESSAGE: 2}


def decode(data, schema):
    """A message as a map from field name to the list of its values."""
    message = {}
    for number, wire, value in fields(data):
        if number not in schema:
            raise Bad(f"unknown field {number}")
        name, kind, *inner = schema[number]
        if wire != WIRE[kind]:
            raise Bad(f"{name} has wire type {wire}")
        if kind == TEXT:
            value = value.decode()
        if kind == MESSAGE:
            value = decode(value, inner[0])
        message.setdefault(name, []).append(value)
    return message


BEGIN, END, INSTANT = 1, 2, 3


class Slice:
    def __init__(self, name, depth, begin, details, flows, ending_flows):
        self.name, self.depth, self.begin, self.end = name, depth, begin, None
        self.details, self.flows, self.ending_flows = details, flows, ending_flows
        self.begin_cycle, self.end_cycle = details["cycle"], None
        self.instant = False

    @property
    def cycles(self):
        return self.end_cycle - self.begin_cycle


class Track:
    def __init__(self, name, process):
        self.name, self.process, self.slices, self.open, self.latest = name, process, [], [], 0

    def named(self, text):
        return [s for s in self.slices if text in s.name]


class Trace:
    """processes: name to pid.  tracks: (process, name) to Track; lanes: to all of that name, which the UI draws as one."""

    def __init__(self, data):
        self.processes, self.tracks, self.lanes, self.by_uuid, self.process_by_uuid = {}, {}, {}, {}, {}
        self.flows = {}  # id to the slices it goes through
        self.event_names, self.annotation_names = {}, {}
        self.cleared, self.packets = False, 0
        for number, wire, packet in fields(data):
            if number != 1 or wire != 2:
                raise Bad("not a row of packets")
            self.take(decode(packet, PACKET))
            self.packets += 1
        for track in self.by_uuid.values():
            if track.open:
                raise Bad(f"{track.name}: {track.open[-1].name} is not ended")

    def take(self, packet):
        if packet.get("sequence") != [1]:
            raise Bad("a packet without our sequence")
        flags = packet.get("flags", [0])[0]
        self.cleared = self.cleared or flags & 1
        if not self.cleared:
            raise Bad("names before the state was cleared")
        for data in packet.get("data", []):
            for table, names in (("event_names", self.event_names), ("annotation_names", self.annotation_names)):
                for entry in data.get(table, []):
                    if entry["iid"][0] in names or entry["iid"][0] == 0:
                        raise Bad(f"{table}: {entry['iid'][0]} twice, or 0")
                    names[entry["iid"][0]] = entry["name"][0]
        for descriptor in packet.get("track", []):
            self.describe(descriptor)
        for event in packet.get("event", []):
            if not flags & 2:
                raise Bad("an event that does not ask for names")
            self.happen(packet["timestamp"][0], event)

    def describe(self, d):
        uuid = d["uuid"][0]
        if uuid == 0 or uuid in self.by_uuid or uuid in self.process_by_uuid:
            raise Bad(f"track {uuid} twice, or 0")
        if "process" in d:
            name, pid = d["process"][0]["name"][0], d["process"][0]["pid"][0]
            if name in self.processes or pid in self.processes.values() or pid == 0:
                raise Bad(f"process {name} twice, or pid 0")
            self.processes[name] = pid
            self.process_by_uuid[uuid] = name
            return
        process = self.process_by_uuid[d["parent"][0]]
        track = self.by_uuid[uuid] = Track(d["name"][0], process)
        self.tracks.setdefault((process, track.name), track)
        self.lanes.setdefault((process, track.name), []).append(track)

    def happen(self, time, event):
        kind, track = event["type"][0], self.by_uuid[event["track"][0]]
        details = {}
        for a in event.get("annotations", []):
            value = a["string_value"][0] if "string_value" in a else a["uint_value"][0]
            details[self.annotation_names[a["name_iid"][0]]] = value
        if time < track.latest:
            raise Bad(f"{track.name}: {time} after {track.latest}")
        track.latest = time
        cycle = details["end cycle"] if kind == END else details["cycle"]
        if time != cycle * 20 // 27:
            raise Bad(f"{track.name}: cycle {cycle} is not at {time} ns")
        if kind == END:
            if not track.open:
                raise Bad(f"{track.name}: an end without a begin at {time}")
            ended = track.open.pop()
            ended.end, ended.end_cycle = time, cycle
            return
        s = Slice(self.event_names[event["name_iid"][0]], len(track.open), time, details, event.get("flows", []),
                  event.get("ending_flows", []))
        for flow in s.flows + s.ending_flows:
            self.flows.setdefault(flow, []).append((track, s))
        track.slices.append(s)
        if kind == INSTANT:
            s.instant, s.end, s.end_cycle = True, time, cycle
        elif kind == BEGIN:
            track.open.append(s)
        else:
            raise Bad(f"type {kind}")

    def track(self, process, name):
        return self.tracks.get((process, name)) or Track(name, process)


if __name__ == "__main__":
    import sys
    with open(sys.argv[1], "rb") as trace_file:
        trace = Trace(trace_file.read())
    for (process, name), track in sorted(trace.tracks.items()):
        print(f"{process} / {name}: {len(track.slices)}")
        for s in track.slices[:int(sys.argv[2]) if len(sys.argv) > 2 else 20]:
            print(f"  {s.begin_cycle:>8} {s.end_cycle:>8} {'  ' * s.depth}{s.name}{' .' if s.instant else ''}"
                  f"{' ->' if s.flows else ''}{' <-' if s.ending_flows else ''}")

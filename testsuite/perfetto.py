# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""perfetto.py TRACE.txt BATCHES.csv PAIRS.csv OPEN.csv CLOCK: reads a Perfetto trace as protoc decodes
it, and compares it with what nfarun says of the same batches: their messages, labels and losses
(--to csv), the pairs (--latency --slowest) and the requests without an answer (--open). CLOCK is the
number of cycles a second. Prints every difference, every track and every name that is used before it
is described, every slice that does not nest, every flow that does not join, and every wrong count of
open requests. Then prints how many slices there are of each kind.

Of several files, joined by commas, each is a part of one trace: what is open at the end of a part goes
on in the next."""
import csv
import re
import sys
from collections import Counter, defaultdict

from perfetto_text import one, parse, wrong

trace_names, batches_name, pairs_name, open_name, clock = sys.argv[1:]


def nanoseconds(cycles):
    return int(cycles) * 10**9 // int(clock)


class Part:
    """What holds within one part of the trace."""

    def __init__(self):
        self.now = None
        self.tracks = {}
        self.names = {}
        self.notes = {}
        self.stacks = defaultdict(list)


slices, messages, labels, losses, marks = [], Counter(), Counter(), Counter(), Counter()
flow_begins, flow_ends = {}, {}
carried = {}


def notes_of(part, event):
    notes = {}
    for note in event["debug_annotations"]:
        name = part.notes.get(one(note, "name_iid"))
        if name is None:
            wrong.append("annotation without a name")
        if note["array_values"]:
            notes[name] = [value for item in note["array_values"]
                           for kind in ("uint_value", "pointer_value") for value in item[kind]]
        else:
            notes[name] = [value for kind in ("bool_value", "uint_value", "string_value", "pointer_value")
                           for value in note[kind]][0]
    return notes


def take_slice(part, event, kind, uuid, notes, name):
    stack = part.stacks[uuid]
    count = one(event, "extra_counter_values")
    if kind == "TYPE_SLICE_BEGIN":
        flow = one(event, "flow_ids")
        slice = {"rule": part.tracks[uuid][0], "name": name, "begin": part.now, "flow": flow, "end": None,
                 "why": None}
        if "continued" in notes:
            slice = carried.pop(flow)
            if slice["name"] != name:
                wrong.append(f"slice {flow} goes on with another name")
        else:
            slices.append(slice)
        if stack:
            wrong.append(f"two slices on one lane at {part.now}")
        stack.append(slice)
    elif not stack:
        wrong.append(f"end without a begin at {part.now}")
        return
    else:
        slice = stack.pop()
        slice["end"] = part.now
        slice["why"] = notes.get("why")
        if slice["why"] == "continued":
            carried[slice["flow"]] = slice
    if count != sum(map(len, part.stacks.values())):
        wrong.append(f"{count} requests in flight at {part.now}")


def take_instant(part, event, uuid, notes, name):
    track, parent = part.tracks[uuid]
    parent = part.tracks[parent][0] if parent else None
    if parent == "messages":
        messages[part.now, track, name, notes.get("address"), notes["header"]] += 1
        for flow in event["flow_ids"]:
            flow_begins[flow] = (part.now, name)
        for flow in event["terminating_flow_ids"]:
            flow_ends[flow] = (part.now, name)
    elif parent == "labels":
        if name != track:
            wrong.append(f"label {name} on the track of {track}")
        for line in notes.get("line", [None]):
            labels[part.now, name, line] += 1
    elif track == "losses" and name == "lost":
        losses[part.now, notes["messages"]] += 1
    elif track in ("losses", "time"):
        marks[part.now, name] += 1
    else:
        wrong.append(f"instant on track {track}")


def take_event(part, event):
    uuid, kind = one(event, "track_uuid"), one(event, "type")
    name = part.names.get(one(event, "name_iid"))
    if uuid not in part.tracks:
        wrong.append(f"track {uuid} is not described")
        return
    if name is None and kind != "TYPE_SLICE_END":
        wrong.append(f"event without a name at {part.now}")
    notes = notes_of(part, event)
    if kind == "TYPE_INSTANT":
        take_instant(part, event, uuid, notes, name)
    else:
        take_slice(part, event, kind, uuid, notes, name)


def take_packet(part, packet):
    if one(packet, "trusted_packet_sequence_id") != 1:
        wrong.append("packet of no sequence")
    flags = one(packet, "sequence_flags")
    if flags != (1 if part.now is None else 2):
        wrong.append(f"flags {flags}")
    if part.now is None:
        part.now = one(packet, "timestamp")
        clocks = {one(c, "clock_id"): c for c in one(packet, "clock_snapshot")["clocks"]}
        if any(one(c, "timestamp") != part.now for c in clocks.values()) or \
                one(clocks[64], "is_incremental") != "true" or one(packet, "timestamp_clock_id") != 6:
            wrong.append("clocks")
        return
    part.now += one(packet, "timestamp", 0)
    for track in packet["track_descriptor"]:
        parent = one(track, "parent_uuid")
        if one(track, "uuid") in part.tracks or (parent and parent not in part.tracks):
            wrong.append(f"track {track}")
        part.tracks[one(track, "uuid")] = (one(track, "name"), parent)
    for data in packet["interned_data"]:
        for table, field in ((part.names, "event_names"), (part.notes, "debug_annotation_names")):
            for name in data[field]:
                if one(name, "iid") in table:
                    wrong.append(f"name {name} twice")
                table[one(name, "iid")] = one(name, "name")
    for event in packet["track_event"]:
        take_event(part, event)


for trace_name in trace_names.split(","):
    part = Part()
    for packet in parse(open(trace_name))["packet"]:
        take_packet(part, packet)
    for uuid, stack in part.stacks.items():
        if stack:
            wrong.append(f"slice without an end on track {uuid}")
if carried:
    wrong.append("slices that do not go on")


def compare(what, got, wanted):
    for x in (got - wanted).keys():
        wrong.append(f"{what} only in the Perfetto trace: {x}")
    for x in (wanted - got).keys():
        wrong.append(f"{what} only in nfarun's answer: {x}")


want_messages, want_labels, want_losses, want_marks = Counter(), Counter(), Counter(), Counter()
seen = set()
for row in csv.DictReader(open(batches_name)):
    time = nanoseconds(row["time"])
    if row["lost"]:
        want_losses[time, "?" if row["lost"] == "?" else int(row["lost"])] += 1
        continue
    if row["time"] not in seen:
        for label in filter(None, row["labels"].split(",")):
            name, _, line = label.partition("@")
            line = int(line.split("=")[-1], 0) if line else None
            want_labels[time, name, line] += 1
        if row["damaged"]:
            want_marks[time, "damaged"] += 1
    seen.add(row["time"])
    if row["slot"] == "":
        want_marks[time, row["type"]] += 1
        continue
    want_messages[time, row["slot"], row["type"] or "#" + row["opcode"],
                  int(row["address"], 16) if row["address"] else None, int(row["header"], 16)] += 1
compare("message", messages, want_messages)
compare("label", labels, want_labels)
compare("loss", losses, want_losses)
compare("mark", marks, want_marks)

TYPE = re.compile(r"\.(\w+)")
compare("pair", Counter(
    (s["rule"], s["begin"], s["end"], s["name"], flow_ends.get(s["flow"], (None, None))[1])
    for s in slices if not s["why"]), Counter(
    (row["pair"], nanoseconds(row["time"]), nanoseconds(row["answer_time"]), TYPE.search(row["request"])[1],
     TYPE.search(row["answer"])[1]) for row in csv.DictReader(open(pairs_name))))
compare("request", Counter((s["rule"], s["begin"], s["name"], s["why"]) for s in slices if s["why"]),
        Counter((row["pair"], nanoseconds(row["time"]), TYPE.search(row["request"])[1], row["why"])
                for row in csv.DictReader(open(open_name))))
for s in slices:
    if flow_begins.get(s["flow"]) != (s["begin"], s["name"]):
        wrong.append(f"slice {s} and its request do not join")
    if (s["flow"] in flow_ends) != (not s["why"]) or \
            (not s["why"] and flow_ends[s["flow"]][0] != s["end"]):
        wrong.append(f"slice {s} and its answer do not join")
if set(flow_begins) != {s["flow"] for s in slices} or len(flow_begins) != len(slices):
    wrong.append("flows without a slice")
for line in wrong[:20]:
    print(line)
for (rule, why), n in sorted(Counter((s["rule"], s["why"] or "answered") for s in slices).items()):
    print(rule, why, n)

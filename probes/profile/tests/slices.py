# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""slices.py TRACE.txt: reads a Perfetto trace of nfaperf, decoded by protoc. Prints its slices as
folded stacks: a line for each stack, with what was spent in its innermost slice. Before that it
prints errors: tracks and names that are not described, slices that are not nested, tracks with
overlapping slices, and slices of a thread that do not belong to its process."""
import os
import sys
from collections import Counter

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "testsuite"))
from perfetto_text import one, parse, wrong  # noqa: E402

now, tracks, names, spent = None, {}, {}, Counter()
stack, running = [], None


def take(event):
    global running
    track, kind = one(event, "track_uuid"), one(event, "type")
    if track not in tracks:
        wrong.append(f"track {track} is not described")
    if kind == "TYPE_SLICE_BEGIN":
        name = names.get(one(event, "name_iid"))
        if name is None:
            wrong.append(f"slice without a name at {now}")
        if not stack and tracks[tracks[track][1]][0].split(" (")[0] != name:
            wrong.append(f"{name} begins on a track of {tracks[tracks[track][1]][0]}")
        stack.append(name)
        running = track
    elif kind != "TYPE_SLICE_END" or not stack:
        wrong.append(f"{kind} at {now}")
    else:
        stack.pop()
    if track != running:
        wrong.append(f"tracks {track} and {running} overlap at {now}")


for packet in parse(open(sys.argv[1]))["packet"]:
    if now is None:
        now = one(packet, "timestamp")
        continue
    step = one(packet, "timestamp", 0)
    if step:
        now += step
        spent[";".join(stack)] += step
    for track in packet["track_descriptor"]:
        tracks[one(track, "uuid")] = (one(track, "name"), one(track, "parent_uuid"))
    for data in packet["interned_data"]:
        for name in data["event_names"]:
            if one(name, "iid") in names:
                wrong.append(f"name {name} twice")
            names[one(name, "iid")] = one(name, "name")
    for event in packet["track_event"]:
        take(event)
if stack:
    wrong.append("slices without an end")
for line in wrong[:20]:
    print(line)
for line in sorted(f"{path} {n}" for path, n in spent.items()):
    print(line)

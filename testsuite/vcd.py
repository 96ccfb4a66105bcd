# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""vcd.py WAVES.vcd BATCHES.csv FIELDS.json CLOCK [SAVE.gtkw]: reads a value change dump, and compares the values
of all variables in the cycles of batches, and in the cycles after them, with what nfarun says of the same batches
(--to csv, and --to json --fields). CLOCK is the number of cycles a second; 0: a cycle is a nanosecond. The save file
must show what has values, and nothing that is not in the dump. Prints each difference, each wire that changes
elsewhere, and then how many slots and variables of labels there are, the variables of the first slot, and the first
values of those of pairs."""
import bisect
import csv
import json
import sys
from collections import defaultdict

waves_name, batches_name, fields_name, clock = *sys.argv[1:4], int(sys.argv[4])
wrong = []


def time_of(cycle):
    return cycle * 10**12 // clock if clock else cycle


class Wave:
    """The values of a variable. A later value of the same time replaces an earlier one."""

    def __init__(self, kind, width):
        self.kind, self.width, self.times, self.values = kind, width, [], []

    def add(self, time, value):
        if self.times and self.times[-1] == time:
            self.values[-1] = value
        elif not self.values or self.values[-1] != value:
            self.times.append(time)
            self.values.append(value)

    def at(self, time):
        i = bisect.bisect_right(self.times, time)
        return self.values[i - 1] if i else None

    def rises(self):
        return [t for t, v, before in zip(self.times, self.values, [0] + self.values) if v == 1 and before != 1]


def read(lines):
    """Returns the variables of a dump, by name, and its last time."""
    waves, names, scope, time, top = {}, {}, [], None, None
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scope.append(words[2])
            top = scope[0]
        elif words[0] == "$upscope":
            scope.pop()
        elif words[0] == "$var":
            names[words[3]] = Wave(words[1], int(words[2]))
            waves[".".join(scope[1:] + [words[4]])] = names[words[3]]
        elif words[0][0] == "#":
            if time is not None and int(words[0][1:]) < time:
                wrong.append("time falls: " + line)
            time = int(words[0][1:])
        elif time is None or words[0][0] == "$":
            continue
        elif words[0][0] in "01x":
            names[words[0][1:]].add(time, int(words[0][0]) if words[0][0] != "x" else None)
        elif words[0][0] == "b":
            names[words[1]].add(time, int(words[0][1:], 2) if "x" not in words[0] else None)
        elif words[0][0] == "s" and len(words) > 1:
            names[words[1]].add(time, words[0][1:])
    return waves, time, top


waves, last, top = read(open(waves_name))
wires = defaultdict(set)  # name: the cycles in which the wire is 1
values = []  # (cycle, name, value)
cycles, lost = set(), 0
for row in csv.DictReader(open(batches_name)):
    cycle = int(row["time"])
    cycles.add(cycle)
    if row["lost"]:
        wires["trace.loss"].add(cycle)
        lost = None if lost is None or row["lost"] == "?" else lost + int(row["lost"])
        values = [v for v in values if v[:2] != (cycle, "trace.lost")] + [(cycle, "trace.lost", lost)]
        continue
    lines = defaultdict(list)
    for label in filter(None, row["labels"].split(",")):
        name, _, line = label.partition("@")
        lines[name].append(int(line.split("=")[-1], 0) if line else None)
    for name, of_label in lines.items():
        if of_label[0] is None and f"labels.{name}" in waves:
            wires["labels." + name].add(cycle)
        else:
            wires[f"labels.{name}.{name}_accepted"].add(cycle)
            values += [(cycle, f"labels.{name}.{name}_lines", len(of_label)),
                       (cycle, f"labels.{name}.{name}_line", of_label[0])]
    if row["damaged"]:
        wires["trace.damaged"].add(cycle)
    if not row["slot"]:
        wires["trace." + row["type"]].add(cycle)
        continue
    slot = row["slot"] + "." + row["slot"] + "_"
    wires[slot + "valid"].add(cycle)
    values += [(cycle, slot + "type", row["type"] or "#" + row["opcode"]),
               (cycle, slot + "header", int(row["header"], 16))]
    if row["address"] or slot + "address" in waves:
        values.append((cycle, slot + "address", int(row["address"], 16) if row["address"] else None))

fields = defaultdict(set)  # slot: the fields that its messages have
for record in map(json.loads, open(fields_name)):
    for message in record.get("messages", []):
        fields[message["slot"]].update(message["fields"])
for record in map(json.loads, open(fields_name)):
    for message in record.get("messages", []):
        slot = message["slot"]
        for name in fields[slot]:
            known_as = "field_" + name if name in ("valid", "type", "address", "header") else name
            values.append((record["time"], f"{slot}.{slot}_{known_as}", message["fields"].get(name)))

for cycle, name, value in values:
    if waves[name].at(time_of(cycle)) != value:
        wrong.append(f"{name} at {cycle}: {waves[name].at(time_of(cycle))}, not {value}")
for name, wave in waves.items():
    scope = name.split(".")[0]
    if wave.width != 1 or not (scope in ("trace", "labels") or name == f"{scope}.{scope}_valid"):
        continue
    high = wires.pop(name, set())
    for cycle in cycles | {cycle + 1 for cycle in cycles}:
        if wave.at(time_of(cycle)) != (cycle in high):
            wrong.append(f"{name} at {cycle}: {wave.at(time_of(cycle))}")
    if wave.rises() != [time_of(cycle) for cycle in sorted(high) if cycle - 1 not in high]:
        wrong.append(f"{name} rises elsewhere")
wrong += [f"there is no {name}" for name in wires]
if cycles and last < time_of(max(cycles) + 1):
    wrong.append(f"the dump ends at {last}")
if len(sys.argv) > 5:
    shown = [line.strip() for line in open(sys.argv[5]) if line[0] not in "[@*-"]
    paths = {f"{top}.{name}" + (f"[{wave.width - 1}:0]" if wave.kind != "string" and wave.width > 1 else ""): wave
             for name, wave in waves.items()}
    wrong += [f"the save file has {name}" for name in shown if name not in paths]
    wrong += [f"the save file lacks {name}" for name, wave in paths.items()
              if any(value not in (None, 0) for value in wave.values) and name not in shown]
    wrong += [f"the save file has {name} twice" for name in set(shown) if shown.count(name) > 1]
for line in wrong[:20]:
    print(line)
slots = [name.split(".")[0] for name in waves if name.endswith("_valid")]
print("slots:", len(slots))
print("labels:", sum(name.startswith("labels.") for name in waves))
for name, wave in waves.items():
    if name.split(".")[0] == slots[0]:
        print(wave.kind, wave.width, name)
for name, wave in waves.items():
    if name.startswith("pairs."):
        known = [f"{time}={value}" for time, value in zip(wave.times, wave.values) if value is not None]
        print(name, *known[:5], *([f"and {len(known) - 5} more"] if len(known) > 5 else []))

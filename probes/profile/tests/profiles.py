# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""profiles.py speedscope FILE.json TITLE | pprof DECODED.txt cycles|instructions: reads stacks in a
form of another tool, checks that the form is right, and prints the stacks as folded ones. A profile of
pprof is read as protoc decodes it. Errors are printed before the stacks."""
import json
import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "testsuite"))
from perfetto_text import one, parse, wrong  # noqa: E402


def expect(what, text):
    if not what:
        wrong.append(text)


def folded(names, weight):
    path = ";".join("".join("_" if c in "; \x7f" or c < " " else c for c in name) for name in names)
    return f"{path} {weight}"


# The keys of each object in speedscope's schema: those that must be there, and those that may be.
FILE = {"$schema": str, "shared": dict, "profiles": list}, {"name": str, "activeProfileIndex": int,
                                                            "exporter": str}
FRAME = {"name": str}, {"file": str, "line": int, "col": int}
SAMPLED = {"type": str, "name": str, "unit": str, "startValue": int, "endValue": int,
           "samples": list, "weights": list}, {}
UNITS = "none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"


def has_keys(value, keys):
    for key, kind in keys[0].items():
        expect(type(value.get(key)) is kind, f"{key} is {value.get(key)!r}")
    for key in value:
        expect(key in keys[0] or type(value[key]) is keys[1].get(key), f"{key} is not in the schema")


def speedscope(path, title):
    top = json.load(open(path, encoding="utf-8"))
    has_keys(top, FILE)
    expect(top["$schema"] == "https://www.speedscope.app/file-format-schema.json", "the schema")
    expect(top["name"] == title, f"the name is {top['name']!a}")
    expect(0 <= top["activeProfileIndex"] < len(top["profiles"]), "the active profile")
    frames = top["shared"]["frames"]
    for frame in frames:
        has_keys(frame, FRAME)
    expect(len({frame["name"] for frame in frames}) == len(frames), "frames twice")
    used, lines = set(), []
    for profile in top["profiles"]:
        has_keys(profile, SAMPLED)
        expect(profile["type"] == "sampled" and profile["unit"] in UNITS, "type and unit")
        expect(len(profile["samples"]) == len(profile["weights"]), "a weight for each sample")
        expect(profile["startValue"] == 0 and profile["endValue"] == sum(profile["weights"]), "the end")
        for sample, weight in zip(profile["samples"], profile["weights"]):
            expect(all(0 <= i < len(frames) for i in sample), f"frames of {sample}")
            used.update(sample)
            lines.append(folded([frames[i]["name"] for i in sample], weight))
    expect(len(used) == len(frames), "frames that no sample has")
    return lines


def by_id(messages, what):
    table = {one(m, "id", 0): m for m in messages}
    expect(len(table) == len(messages) and 0 not in table, f"numbers of {what}")
    return table


def pprof(path, unit):
    profile = parse(open(path, encoding="utf-8"))
    strings = profile["string_table"]
    mappings = by_id(profile["mapping"], "mappings")
    functions = by_id(profile["function"], "functions")
    locations = by_id(profile["location"], "locations")
    types = [strings[one(t, "type")] for t in profile["sample_type"]]
    expect(strings[0] == "" and types == ["cycles", "instructions"], "the types of values")
    expect(strings[one(profile, "default_sample_type")] == unit, "the default type")
    for mapping in mappings.values():
        name = strings[one(mapping, "filename")]
        expect(name and one(mapping, "memory_limit") > one(mapping, "memory_start", 0) and
               one(mapping, "has_functions") == "true", f"mapping {name}")
    names = {}
    for number, location in locations.items():
        function = functions[one(one(location, "line"), "function_id")]
        names[number] = strings[one(function, "name")]
        mapping = one(location, "mapping_id", 0)
        expect(mapping == 0 or mapping in mappings, f"mapping of {names[number]}")
        file = "" if mapping == 0 else os.path.basename(strings[one(mappings[mapping], "filename")])
        # The functions of a random machine begin with the name of their file.
        own = re.fullmatch(r"(mod\d+|vmlinux\d+)(_f\d+)?", names[number])
        expect(own is None or own[1] == file, f"{names[number]} is in {file!r}")
    lines = []
    for sample in profile["sample"]:
        expect(len(sample["value"]) == len(types), "a value for each type")
        weight = sample["value"][types.index(unit)]
        if weight:
            lines.append(folded([names[i] for i in reversed(sample["location_id"])], weight))
    return lines


stacks = {"speedscope": speedscope, "pprof": pprof}[sys.argv[1]](*sys.argv[2:])
for line in wrong[:20]:
    print(line)
for line in sorted(stacks):
    print(line)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""checker.py table | errors STATE TYPES: reads from standard input the automaton that nfacc derived
from the tables of T 4.3. table: prints it as T table 6 and says how many cells are those of the
thesis. errors: prints the events that lead from STATE to the error, and for each the messages with
opcode and VCs that TYPES, a file from `nfacc --list eci`, has (T eq. 25 and table 7)."""
import re
import sys

EVENTS = "A11 A21 A22 A31 A32 F21 F31 F32 R12 R13 R23 RA2 RA3".split()
# The rows of T table 6.
THESIS = {
    "010010": "X 101001 111011 X X 111011 111011 111011 X X 010010 X 111111",
    "101001": "101001 X X X X 101001 101001 101001 101001 101001 X 111011 111111",
    "111011": "101001 101001 111011 X X 111011 111011 111011 101001 101001 010010 111011 111111",
    "111111": "101001 101001 111011 101001 111011 111011 111111 111111 101001 101001 010010 111011 111111",
    "X": "X X X X X X X X X X X X X",
}


def read(text):
    """next[state][event]: the state after the event."""
    def name(s):
        return "X" if s == "error" else s[1:]

    states = [name(s) for s in re.findall(r"^\tstate (\w+)", text, re.M)]
    after = {s: {} for s in states}
    edge = r"^\t(\w+) -> (\w+) : (Any|None|true)\(?([^;)]*)\)?;"
    for a, b, mode, events in re.findall(edge, text, re.M):
        listed = re.findall(r"\w+", events)
        for e in EVENTS:
            if (e in listed) == (mode == "Any"):
                assert e not in after[name(a)], (a, e)
                after[name(a)][e] = name(b)
    return after


def table(after):
    print("state   " + " ".join(f"{e:6}" for e in EVENTS).rstrip())
    for s in sorted(after):
        print(f"{s:7} " + " ".join(f"{after[s][e]:6}" for e in EVENTS).rstrip())
    cells = [(s, e) for s in THESIS for e in EVENTS]
    same = sum(after.get(s, {}).get(e) == THESIS[s].split()[EVENTS.index(e)] for s, e in cells)
    print(f"{same} of {len(cells)} cells are those of the thesis")


def errors(after, state, path):
    with open(path) as f:
        text = f.read()
    print(" ".join(e for e in EVENTS if after[state][e] == "X"))
    for e in EVENTS:
        if after[state][e] != "X":
            continue
        types = re.search(rf"^event {e} is (.*)", text, re.M).group(1)
        for group, kind in re.findall(r"(\w+)\.(\w+)", types):
            row = rf"^type {kind} opcode (\d+) on (.*?)(?: address| fields|$)"
            opcode, slots = re.search(row, text, re.M).groups()
            vcs = re.search(rf"{group}@([\d,]+)", slots).group(1).replace(",", " ")
            print(f"{e}: {kind} {opcode} on {vcs}")


def main():
    after = read(sys.stdin.read())
    if sys.argv[1] == "table":
        table(after)
    else:
        errors(after, *sys.argv[2:])


main()

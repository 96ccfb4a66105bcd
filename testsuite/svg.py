# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""svg.py DRAWING AUTOMATON: prints what is wrong with the drawing of an automaton on an overlay."""
import math
import re
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
nfa = open(sys.argv[2], encoding="utf-8").read()


def wanted(text, found, what):
    if text != found:
        print(f"{what}: only in the image {sorted(text - found)}, only in the drawing {sorted(found - text)}")


def centre(shape):
    """Returns the middle of a circle or of a square, and its radius."""
    n = {k: float(v) for k, v in shape.attrib.items() if re.fullmatch(r"[-0-9.]+", v)}
    if shape.tag == SVG + "circle":
        return n["cx"], n["cy"], n["r"]
    return n["x"] + n["width"] / 2, n["y"] + n["height"] / 2, n["width"] / 2


states = {g.get("id"): g for g in root.iter(SVG + "g") if g.get("id")}
wanted(set(re.findall(r"^\tstate (s\d+)\b", nfa, re.M)), set(states), "states")
edges = {(a, b) for a, b in re.findall(r"^\t(s\d+) -> (s\d+) :", nfa, re.M)}
drawn = {tuple("s" + n for n in p.get("id")[1:].split("-")) for p in root.iter(SVG + "path")
         if p.get("class") == "edge"}
wanted(edges, drawn, "edges")

always = set(re.findall(r"^\tevery -> (s\d+) :", nfa, re.M))
start = set(re.findall(r"^\tstate (s\d+) start", nfa, re.M))
classes = {s: [x.get("class") for x in g] for s, g in states.items()}
wanted(always | start, {s for s in states if "entry" in classes[s]}, "where it starts")
wanted(always, {s for s in states if "dot" in classes[s]}, "where it always starts")
accepting = set(re.findall(r"^\tstate (s\d+)[^;]* accept\(", nfa, re.M))
wanted(accepting, {s for s, g in states.items() if any(x.get("fill-opacity") for x in g)}, "accepting states")

# A node has one state at most, nothing is on top of another thing, and each node is in a clique.
cliques = [centre(c) for c in root.iter(SVG + "circle") if c.get("class") == "clique"]
nodes = [centre(x) for g in states.values() for x in g if (x.get("class") or "").startswith("state")]
nodes += [centre(x) for x in root if x.get("class") == "unused"]
head = "".join(root.find(SVG + "text").itertext())
size = [int(n) for n in re.findall(r"\d+", head)]
per_clique = size[1] + (size[2] if "counters" in head else 0)
if len(nodes) != per_clique:
    print(f"{len(nodes)} nodes, but {per_clique} in the heading")
for what, places in ("cliques", cliques), ("nodes", nodes):
    for i, (x, y, r) in enumerate(places):
        for u, v, s in places[:i]:
            if math.hypot(x - u, y - v) < r + s:
                print(f"two {what} lie on each other at {x} {y}")
for x, y, r in nodes:
    if sum(math.hypot(x - u, y - v) + r <= s for u, v, s in cliques) != 1:
        print(f"a node is in no clique at {x} {y}")
left, top, width, height = (float(n) for n in root.get("viewBox").split())
for x, y, r in cliques:
    if not (left <= x - r and x + r <= left + width and top <= y - r and y + r <= top + height):
        print(f"a clique is outside of the picture at {x} {y}")

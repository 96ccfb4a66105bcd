#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""engine_depth.py [-m MOST] [NAME...]: how deep the logic of the whole engine is, by Yosys. For
each overlay below and each of overlays/, or for those named, it prints what the engine costs and, for
each module, the deepest path that ends in a register of that module. With -m it exits with 1 if a
path is deeper than MOST. NFACC and SRCDIR as in the tests.

The engine is synthesised as one netlist, so a path goes through as many modules as it does there. A
path begins at a flip-flop, a memory or an input of the engine, and it ends at one or at an output.
Its depth is the number of cells on it. A LUT counts one. So do a CFGLUT5, and a LUT RAM or a shift
register from its address to its output. CARRY4s connected from CO to CI are one chain, and a path
through n of them counts one for every four begun.

A path that begins at a configuration net does not count, because such a net changes only while no
batch is inside. Configuration nets are the bits of the filter: the flip-flops that are written in
nfacc_chain.v, nfacc_lut5.v or nfacc_lut4x2.v, and what a CFGLUT5 holds. The registers of elements
(BASE, LIMIT and so on) do count."""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.environ.get("SRCDIR", os.path.join(HERE, "..", ".."))
RTL = os.path.join(SRC, "rtl")
NFACC = os.environ.get("NFACC", "nfacc")
CONFIGURATION = {"chain", "lut5", "lut4x2"}  # modules whose flip-flops are configuration nets
QUARTER = 4                        # depths are counted in quarters of a cell: a CARRY4 is one
NEVER = -1000000                   # the depth of what no register reaches

OVERLAYS = {
    "300": "clique 5; length 20; rings 3; reach 1; lines 1;",
    "300-block": "clique 5; length 20; rings 3; reach 1; lines 1; memory block;",
    "300-tests": "clique 5; length 20; rings 3; reach 1; lines 1; memory block; "
                 "guards 4; ranges 1; letter_bits 9;",
    "300-memory": "clique 5; length 20; rings 3; reach 1; lines 4096; state memory;",
    "300-all": "clique 5; length 20; rings 3; reach 1; lines 4096; state memory; memory block; "
               "time yes; keys yes; key_ranges 4; broadcast yes; guards 4; ranges 1; letter_bits 9;",
    "4-time": "clique 2; length 2; rings 1; reach 0; lines 1; time yes;",
    "4-keys": "clique 2; length 2; rings 1; reach 0; lines 16; keys yes; key_ranges 4; time yes; "
              "broadcast yes;",
    "4-memory": "clique 2; length 2; rings 1; reach 0; lines 64; counters 1; counter_width 16; "
                "state memory; time yes; keys yes; key_ranges 4; broadcast yes; data 64;",
    "4-banks": "clique 2; length 2; rings 1; reach 0; lines 64; state memory; banks 2; "
               "names 2; time yes; broadcast yes; data 64;",
    "4-histogram": "clique 2; length 2; rings 1; reach 0; lines 1; histogram 8;",
    "4-payload": "clique 2; length 2; rings 1; reach 0; lines 1; payload 64;",
    "4-payload-tests": "clique 2; length 2; rings 1; reach 0; lines 1; payload 64; payload_tests 1;",
    "4-payload-shadow": "clique 2; length 2; rings 1; reach 0; lines 1; payload 64; payload_tests 1; "
                        "shadow yes;",
    "4-payload-swap": "clique 2; length 2; rings 1; reach 0; lines 1; payload 64; payload_tests 1; "
                      "shadow yes; label_swap yes;",
    "45-8lines": "clique 3; length 5; rings 3; reach 1; lines 8; memory block; shadow yes;",
}
BENCH = """overlay bench; protocol eci-coherence;
decoder rows; predecessors lut5; labels 1; window 64;
"""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")


def sources():
    """The files of the engine's modules, by the names of these modules."""
    with open(os.path.join(RTL, "nfacc.f")) as f:
        files = sorted(line.strip() for line in f if not line.startswith("//"))
    return {re.match(r"\w+/nfacc_(\w+)\.v$", f)[1]: os.path.join(RTL, f) for f in files}


def shipped():
    """The texts of overlays/, by their names. Some name no protocol; these have that of BENCH."""
    texts = {}
    for path in sorted(glob.glob(os.path.join(SRC, "overlays", "*.ov"))):
        with open(path) as f:
            text = f.read()
        if not re.search(r"^protocol ", text, re.M):
            text = re.sub(r"^(overlay .*)$", r"\1 protocol eci-coherence;", text, flags=re.M)
        texts[os.path.basename(path)[:-3]] = text
    return texts


def parameters(folder, text):
    """Writes nfacc_overlay.vh for an overlay's text."""
    path = os.path.join(folder, "bench.ov")
    with open(path, "w") as f:
        f.write(text)
    run(NFACC, "-I", os.path.join(SRC, "protocols"), "-I", folder, "--emit=verilog", "--overlay", path,
        "-o", os.path.join(folder, "nfacc_overlay.vh"))


def netlist(text):
    """The engine for an overlay's text, as Yosys describes it."""
    with tempfile.TemporaryDirectory() as folder:
        parameters(folder, text)
        out = os.path.join(folder, "engine.json")
        run("yosys", "-q", "-p", f"read_verilog -I{folder} -I{RTL} {' '.join(sources().values())}; "
            "hierarchy -top nfacc_engine -chparam XILINX 1; rename -top nfacc_engine; "
            "synth_xilinx -family xcup -nowidelut -noiopad -noclkbuf -flatten -top nfacc_engine; "
            f"write_json {out}")
        with open(out) as f:
            return json.load(f)["modules"]["nfacc_engine"]


def levels():
    """For each module how far below the engine it is, by the longest way."""
    inside = {}
    for module, file in sources().items():
        with open(file) as f:
            inside[module] = re.findall(r"^\s*nfacc_(\w+) (?:#\(|\w+ \()", f.read(), re.M)
    level = {"engine": 0}
    names = ["engine"]
    for name in names:
        for inner in inside.get(name, ()):
            if level.get(inner, -1) < level[name] + 1:
                level[inner] = level[name] + 1
                names.append(inner)
    return level


LEVELS = levels()


def module_of(attributes):
    """The module to which a cell or net belongs. After flattening, `src` names its file and those
    of the modules around it, in any order."""
    files = [m for m in re.findall(r"nfacc_(\w+)\.v:", attributes.get("src", "")) if m in LEVELS]
    return max(files, key=LEVELS.get, default="")


def whole(depth):
    """A depth in quarters, as that of a path that goes on after its chain of carries."""
    return depth if depth < 0 else (depth + QUARTER - 1) // QUARTER * QUARTER


class Timing:
    """The paths of a netlist. In `ends` are the deepest to each place where paths end: depth,
    module, name, and the bit that goes in."""

    def __init__(self, module):
        self.count = collections.Counter()
        self.starts = {}   # bit: what it is the output of, or None for a configuration net
        self.drivers = {}  # bit: kind of its cell, bits that it depends on, carry that comes in
        self.known = {}
        self.names = collections.defaultdict(list)
        self.scopes = {}   # prefix of names: module that has them
        for name, net in module["netnames"].items():
            if not net["hide_name"]:
                for i, bit in enumerate(net["bits"]):
                    label = name if len(net["bits"]) == 1 else f"{name}[{i}]"
                    self.names[bit].append((module_of(net["attributes"]), label))
                self.scopes[name.rpartition(".")[0]] = module_of(net["attributes"])
        self.inputs = []   # bit, module and name of where a path ends
        for name, port in module["ports"].items():
            for bit in port["bits"]:
                if port["direction"] == "input":
                    self.starts[bit] = name
                else:
                    self.inputs.append((bit, "engine", name))
        for name, cell in module["cells"].items():
            self.count[cell["type"]] += 1
            self.add(name, cell)
        self.ends = [(whole(self.depth(bit)) // QUARTER, of, name, bit)
                     for bit, of, name in self.inputs]

    def scope(self, name):
        """The module of a cell with this name."""
        while name not in self.scopes:
            name = name.rpartition(".")[0]
        return self.scopes[name]

    def name(self, bit, of):
        """The name of a net, rather as module `of` has it."""
        names = self.names.get(bit, [])
        return min([n for m, n in names if m == of] or [n for _, n in names] or ["?"], key=len)

    def add(self, name, cell):
        kind, pins = cell["type"], cell["connections"]
        of = module_of(cell["attributes"]) or self.scope(name)
        if re.match(r"LUT\d$|INV$", kind):
            self.drivers[pins["O"][0]] = ("LUT", [pins[p][0] for p in pins if p != "O"], None)
        elif kind == "CARRY4":
            for i in range(4):
                into = pins["CYINIT"] + pins["S"][:i + 1] + pins["DI"][:i + 1]
                for bit in [pins[p][i] for p in ("O", "CO") if i < len(pins.get(p, []))]:
                    self.drivers[bit] = ("CARRY4", into, pins["CI"][0])
        elif kind == "CFGLUT5":
            self.drivers[pins["O6"][0]] = ("LUT", [pins[f"I{i}"][0] for i in range(5)], None)
            for bit in pins["CDO"]:
                self.starts[bit] = None
            self.end(pins, ("CDI", "CE"), of, name)
        elif re.match(r"FD[RSCP]E$", kind):
            bit = pins["Q"][0]
            self.starts[bit] = None if of in CONFIGURATION else self.name(bit, of)
            self.end(pins, [p for p in pins if p not in ("Q", "C")], of, self.name(bit, of))
        elif re.match(r"RAM\d+[MX]\w*$", kind):
            self.ram(kind, pins, of, name)
        elif re.match(r"SRL", kind):
            bit = pins["Q"][0]
            self.starts[bit] = self.name(bit, of)
            self.drivers[bit] = ("LUT", [b for p in pins if p[0] == "A" for b in pins[p]], None)
            self.end(pins, ("D", "CE"), of, self.name(bit, of))
        elif re.match(r"RAMB|URAM", kind):
            outputs = [p for p, way in cell["port_directions"].items() if way == "output"]
            for bit in [b for p in outputs for b in pins[p]]:
                self.starts[bit] = self.name(bit, of)
            self.end(pins, [p for p in pins if p not in outputs and "CLK" not in p], of, name)
        else:
            sys.exit(f"what is a {kind}?")

    def ram(self, kind, pins, of, name):
        """A LUT RAM: every output reads one address; all else is of the write."""
        outputs = [p for p in pins if re.match(r"DO|[DS]PO|O$", p)]
        for pin in outputs:
            reads = "DPRA" if pin == "DPO" else "ADDR" + pin[2:] if pin.startswith("DO") else "A"
            address = [b for p in pins if re.match(reads + r"\d*$", p) for b in pins[p]]
            if not address:
                sys.exit(f"what is {pin} of a {kind}?")
            for bit in pins[pin]:
                self.starts[bit] = self.name(bit, of)
                self.drivers[bit] = ("LUT", address, None)
        self.end(pins, [p for p in pins if p not in outputs and p != "WCLK"], of, name)

    def end(self, pins, names, of, name):
        self.inputs += [(bit, of, name) for p in names for bit in pins.get(p, [])]

    def depth(self, bit):
        """The most quarters of cells from a register to this bit."""
        if bit not in self.known:
            known = NEVER if self.starts.get(bit) is None else 0
            if bit in self.drivers:
                kind, into, carry = self.drivers[bit]
                here = max([whole(self.depth(b)) for b in into] or [NEVER])
                if kind == "LUT":
                    known = max(known, here + QUARTER)
                else:
                    known = max(here, self.carry(carry)) + 1
            self.known[bit] = known if known >= 0 else NEVER
        return self.known[bit]

    def carry(self, bit):
        """The depth of a carry that goes into a CARRY4; the chain goes on if a CARRY4 made it."""
        chained = bit in self.drivers and self.drivers[bit][0] == "CARRY4"
        return self.depth(bit) if chained else whole(self.depth(bit))

    def start(self, bit):
        """The name of the register where the deepest path to this bit begins."""
        while self.depth(bit) > 0:
            kind, into, carry = self.drivers[bit]
            bit = max(into, key=lambda b: whole(self.depth(b)))
            if kind == "CARRY4" and self.carry(carry) >= whole(self.depth(bit)):
                bit = carry
        return self.starts.get(bit) or "?"

    def rows(self):
        """For each module the deepest path that ends in it, deepest first."""
        deepest = {}
        for end in self.ends:
            if end[0] > deepest.get(end[1], (-1,))[0]:
                deepest[end[1]] = end
        return sorted(((d, of, self.start(bit), name) for of, (d, _, name, bit) in deepest.items()),
                      key=lambda row: (-row[0], row[1]))

    def cost(self):
        """LUT sites, flip-flops and block RAMs of 18 Kb."""
        total = lambda pattern: sum(n for kind, n in self.count.items() if re.match(pattern, kind))
        wide = {"RAM32M16": 8, "RAM64M8": 8, "RAM32M": 4, "RAM64M": 4}
        rams = sum(wide.get(k, 2) * n for k, n in self.count.items() if re.match(r"RAM\d", k))
        sites = total(r"LUT\d|CFGLUT5|SRL|INV") + rams
        return sites, total("FD"), total("RAMB18") + 2 * total("RAMB36")


def texts():
    """All overlays' texts by their names."""
    return {name: BENCH + text for name, text in OVERLAYS.items()} | shipped()


def report(names=None):
    """Prints the paths of the engine for each overlay named, or for all. Returns the most cells."""
    most = 0
    for name, text in texts().items():
        if names and name not in names:
            continue
        timing = Timing(netlist(text))
        rows = timing.rows()
        sites, ffs, rams = timing.cost()
        most = max(most, rows[0][0])
        print(f"engine {name}: {sites} LUT sites, {ffs} FFs, {rams} BRAM18, depth {rows[0][0]}")
        for depth, of, start, end in rows:
            print(f"{depth:4}  {of:14}{start} -> {end}")
        sys.stdout.flush()
    return most


def main():
    options = argparse.ArgumentParser()
    options.add_argument("-m", type=int, metavar="MOST", help="the most cells of a path")
    options.add_argument("names", nargs="*")
    o = options.parse_args()
    for name in o.names:
        if name not in texts():
            options.error(f"no overlay {name}")
    sys.setrecursionlimit(100000)
    most = report(o.names)
    if o.m is not None and most > o.m:
        sys.exit(f"a path of {most} cells, more than {o.m}")


if __name__ == "__main__":
    main()

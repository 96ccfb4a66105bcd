#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""bench_monitor.py [RUNS]: what a monitor costs a simulation by Verilator, in processor time. The design is
the example rtl/example/nfacc_example_axi.v, whose engine has the overlays below; the monitor is at its
registers, an AXI4-Lite, with the rules of examples/bus/axi4-lite.re. The runs take turns, so that all
see the same machine, and medians are printed. The environment says where things are: NFACC, SRCDIR,
BUILDDIR."""
import os
import resource
import statistics
import subprocess
import sys
import tempfile

SRC, BUILD, NFACC = os.environ["SRCDIR"], os.path.abspath(os.environ["BUILDDIR"]), os.environ["NFACC"]
SRC, NFACC = os.path.abspath(SRC), os.path.abspath(NFACC)
RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 7
# Name, overlay, cycles.
DESIGNS = [("20 states", "5,4,1,0", 400000), ("80 states", "5,8,2,1", 200000)]
FILTER = "protocol axi4-lite; filter slow = true* AW_WAIT AW_WAIT AW; filter bad = true* breach;"
PORTS = ["aclk=clk", "aresetn=!rst", "awprot=3'd0", "arprot=3'd0"]
WAYS = [("without", "alone", []), ("the tap alone", "monitored", ["+nfacc.action=print"]),
        ("explain=0", "monitored", ["+nfacc.image=rules.bin", "+nfacc.explain=0"]),
        ("explain=1", "monitored", ["+nfacc.image=rules.bin"])]


def run(*command, **how):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout.decode()}")
    return done.stdout.decode()


def build(folder, overlay):
    """Makes both simulations of a design in a folder, and the images."""
    here = {"cwd": folder}
    rtl = os.path.join(SRC, "rtl")
    with open(os.path.join(folder, "engine.re"), "w") as f:
        f.write(FILTER)
    run(NFACC, "--emit=verilog", "--overlay", overlay, "--protocol", "axi4-lite", "-o", "nfacc_overlay.vh",
        **here)
    run(NFACC, "--overlay", overlay, "--emit=mem", "engine.re", "-o", "engine.mem", **here)
    run(NFACC, "--overlay", "none", "--source", f"{SRC}/examples/bus/axi4-lite.re", "-o", "rules.bin", **here)
    run(NFACC, "--emit=monitor", "--protocol", "axi4-lite", "--at", "nfacc_engine.s_axil_",
        *[x for p in PORTS for x in ("--signal", p)], "-o", "monitor.sv", **here)
    common = ["verilator", "--cc", "--exe", "--build", "-j", "2", "-O3", "--x-assign", "fast",
              "--x-initial", "fast", "--noassert", "-MAKEFLAGS", "OPT_FAST=-O2 OPT_GLOBAL=-O2",
              "-CFLAGS", f"-I{SRC}/include", "--top-module", "nfacc_example_axi", "-I.", f"-I{rtl}",
              "-y", f"{rtl}/example"]
    for part in "engine", "nfa", "stream", "prim":
        common += ["-y", f"{rtl}/{part}"]
    common += [f"{SRC}/testsuite/bench/bench_monitor.cpp", f"{rtl}/example/nfacc_example_axi.v"]
    run(*common, "-Mdir", "alone", **here)
    run(*common, "-Mdir", "monitored", "monitor.sv", f"{rtl}/sim/nfacc_monitor.sv",
        f"{rtl}/sim/nfacc_monitor.c", "-LDFLAGS", f"-L{BUILD}/.libs -lnfart -Wl,-rpath,{BUILD}/.libs", **here)


def seconds(folder, kind, cycles, more):
    """Returns the processor time of a simulation, and the last line that it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = run(f"{kind}/Vnfacc_example_axi", "engine.mem", str(cycles), *more, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, said.strip().split("\n")[-1]


print("| design | cycles | monitor | CPU s | beside none | a cycle ns |\n|---|---|---|---|---|---|")
for name, overlay, cycles in DESIGNS:
    with tempfile.TemporaryDirectory() as folder:
        build(folder, overlay)
        times = {way: [] for way, _, _ in WAYS}
        for _ in range(RUNS):
            for way, kind, more in WAYS:
                time, said = seconds(folder, kind, cycles, more)
                times[way].append(time)
        none = statistics.median(times["without"])
        for way, _, _ in WAYS:
            t = statistics.median(times[way])
            print(f"| {name} | {cycles:,} | {way} | {t:.2f} | {t / none:.3f} | {t / cycles * 1e9:.0f} |", flush=True)
    print(f"The last one: {said}", file=sys.stderr)

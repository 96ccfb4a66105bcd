#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""bench_misses.py [option...]: the thesis's experiment on cache misses (T 4.2).

One image tells three kinds of misses apart for each of the 24 lines, and counts all requests
besides. It runs over traces of nfagen's model. Its counts are compared with what the model knows,
and the thesis's observations become numbers. The thesis counted each kind in a run of its own. Here
the counts of different seeds stand for these runs.

-n SEEDS        runs with the seeds 1 to SEEDS (10 if not given); they change victims and latencies
-k KEYS         the seed of keys and flushes (1 if not given)
--shared-loads  loads leave lines shared (nfagen's option)
--filter FILE   what tells the misses apart (examples/misses/misses.re if not given)
-d FILE         writes the counts of seed 1, for misses.gp
--rtl MODELS    runs seed 1 on the simulated engine too, whose model is in the folder MODELS
--overlay FILE  the overlay of that engine (misses.ov if not given); if it has fewer lines than the
                tree there are several runs

The exit code is 1 if a count differs, or if the mean of ten seeds or more misses an observation.
NFACC, NFARUN, NFAGEN and SRCDIR as in the tests."""
import argparse
import csv
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.environ.get("SRCDIR", os.path.join(HERE, "..", ".."))
NFACC = os.environ.get("NFACC", "nfacc")
NFARUN = os.environ.get("NFARUN", "nfarun")
NFAGEN = os.environ.get("NFAGEN", "nfagen")
REQUESTS = os.path.join(HERE, "misses-all.re")
KINDS = ["compulsory", "capacity", "coherency"]
FLUSHES = OFTEN, SELDOM = "0.125", "0.01"
BASE, LINES, LINE_BYTES = 0x8080, 24, 128
ADDRESSES = [BASE + LINE_BYTES * i for i in range(LINES)]
# Observation 2, p = 0.125: the least slope of capacity misses, the greatest of coherency misses.
STEEP, FLAT = 0.8, 0.4


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


# ---- counting ----

def generate(folder, flush, seed, given):
    """Makes a trace. Returns its path, and by address the model's counts."""
    trace, truth = os.path.join(folder, "trace.nft"), os.path.join(folder, "truth.csv")
    run(NFAGEN, "-q", "--model", "misses", "--flush", flush, "--seed", str(seed),
        "--keys", str(given.k), *(["--shared-loads"] if given.shared_loads else []),
        "--truth", truth, "-f", "compact", "-o", trace)
    with open(truth, newline="") as f:
        return trace, {int(row.pop("line"), 16): {k: int(v) for k, v in row.items()}
                       for row in csv.DictReader(f)}


def no_counts():
    return {a: dict.fromkeys([*KINDS, "request"], 0) for a in ADDRESSES}


def count(image, trace):
    """Counts what each label accepts on each line, in one run of the software engine."""
    counts = no_counts()
    table = run(NFARUN, "-q", "--substream", f"{BASE:#x},{LINES}", "--count", "--by", "line",
                "-t", "csv", image, trace)
    for row in csv.DictReader(table.splitlines()):
        counts[int(row["address"], 16)][row["label"]] += int(row["accepted"])
    return counts


def count_rtl(image, trace, models, lines):
    """The same on a simulated engine with so many lines. It does not say which line accepted. But a
    batch that is accepted here has one message, whose address says it."""
    counts = no_counts()
    for first in range(0, LINES, lines):
        output = run(NFARUN, "-q", "--engine", "rtl", "--model", models, "--substream",
                     f"{ADDRESSES[first]:#x},{min(lines, LINES - first)}", image, trace)
        for batch in output.splitlines():
            labels, address = re.fullmatch(r"\d+ \[(\S+)\] \S+:0x([0-9a-f]+)\)", batch).groups()
            for label in labels.split(","):
                counts[int(address, 16)][label] += 1
    return counts


# ---- what the counts say ----

def differing(counts, truth):
    """Returns how many of the 24 x 3 counts differ from the model's, and on how many lines there
    are not as many requests as misses of the three kinds."""
    return (sum(counts[a][k] != truth[a][k] for a in ADDRESSES for k in KINDS),
            sum(counts[a]["request"] != sum(counts[a][k] for k in KINDS) for a in ADDRESSES))


def separate_runs(runs):
    """The thesis's four runs, starting with each seed: the requests are those of this seed, and
    each kind is that of another one. Returns on how many lines there are more requests than misses
    of the three kinds, and on how many there are fewer."""
    more = fewer = 0
    for i in range(len(runs)):
        total, *kinds = [runs[(i + k) % len(runs)][0] for k in range(4)]
        for a in ADDRESSES:
            c, parts = total[a]["request"], sum(c[a][k] for c, k in zip(kinds, KINDS))
            more, fewer = more + (c > parts), fewer + (c < parts)
    return more, fewer


def mean(values):
    return sum(values) / len(values)


def slope(counts, truth, kind):
    """The slope of the line of least squares through log misses over log accesses. Lines without a
    miss of this kind have no logarithm and are left out."""
    points = [(math.log(truth[a]["accesses"]), math.log(counts[a][kind]))
              for a in ADDRESSES if counts[a][kind] > 0]
    mean_x, mean_y = mean([x for x, _ in points]), mean([y for _, y in points])
    return (sum((x - mean_x) * (y - mean_y) for x, y in points) /
            sum((x - mean_x) ** 2 for x, _ in points))


def row(name, values):
    print(f"{name:<56}" + "".join(f"{v:>14}" for v in values))


def report_counts(runs, n):
    """Prints whether the counts are right. Returns that."""
    wrong = [[sum(x) for x in zip(*(differing(*r) for r in runs[p]))] for p in FLUSHES]
    row(f"seeds 1 to {n}", [f"p = {p}" for p in FLUSHES])
    row("counts that differ from the model's", [f"{w[0]} of {n * LINES * 3}" for w in wrong])
    row("lines with c other than c0 + c12 + c3", [f"{w[1]} of {n * LINES}" for w in wrong])
    return wrong == [[0, 0], [0, 0]]


def report_observations(runs, n):
    """Prints what the thesis observed, as means over the seeds. Returns whether it holds here."""
    if n >= 4:
        apart = [separate_runs(runs[p]) for p in FLUSHES]
        for i, what in enumerate(["above", "below"]):
            row(f"  with a run for each kind: c {what} the sum",
                [f"{counts[i]} of {n * LINES}" for counts in apart])
    misses = {k: [mean([sum(c[a][k] for a in ADDRESSES) for c, _ in runs[p]]) for p in FLUSHES]
              for k in KINDS}
    slopes = {k: [mean([slope(*r, k) for r in runs[p]]) for p in FLUSHES] for k in KINDS[1:]}
    for k in KINDS:
        row(f"{k} misses", [f"{m:.1f}" for m in misses[k]])
    ratios = [x / y for x, y in zip(misses["capacity"], misses["coherency"])]
    row("1: capacity misses for each coherency miss", [f"{r:.2f}" for r in ratios])
    for k in KINDS[1:]:
        row(f"2: slope of log {k} misses over log accesses", [f"{s:.3f}" for s in slopes[k]])
    return (ratios[0] > 1 > ratios[1] and
            slopes["capacity"][0] >= STEEP and slopes["coherency"][0] <= FLAT)


def write_data(path, first):
    """Writes blocks for gnuplot. The first has a row for each line: its accesses, and its misses
    for each p. Then come, for each p, rows of line, kind and misses."""
    with open(path, "w") as f:
        f.write(f'line accesses "misses, p = {OFTEN}" "misses, p = {SELDOM}"\n')
        for a in ADDRESSES:
            misses = [str(first[p][0][a]["request"]) for p in FLUSHES]
            f.write(f"{a - BASE:#x} {first[OFTEN][1][a]['accesses']} {' '.join(misses)}\n")
        for p in FLUSHES:
            f.write("\n\n")
            for y, kind in enumerate(["coherency", "capacity", "request"]):
                for x, a in enumerate(ADDRESSES):
                    f.write(f"{x} {y} {first[p][0][a][kind]}\n")


# ---- the whole ----

def on_engine(folder, image, given):
    """Compares the counts of the simulated engine with the model's. Returns whether they are the
    same."""
    run(NFACC, "--overlay", given.overlay, given.filter, REQUESTS, "-o", image)
    with open(given.overlay) as f:
        lines = int(re.search(r"^lines (\d+);", f.read(), re.M).group(1))
    wrong = []
    for p in FLUSHES:
        trace, truth = generate(folder, p, 1, given)
        wrong.append(differing(count_rtl(image, trace, given.rtl, lines), truth)[0])
    row(f"the same on a simulated engine of {lines} lines, seed 1",
        [f"{w} of {LINES * 3}" for w in wrong])
    return wrong == [0, 0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int, default=10)
    parser.add_argument("-k", type=int, default=1)
    parser.add_argument("--shared-loads", action="store_true")
    parser.add_argument("--filter", default=os.path.join(SRC, "examples", "misses", "misses.re"))
    parser.add_argument("-d")
    parser.add_argument("--rtl")
    parser.add_argument("--overlay", default=os.path.join(HERE, "misses.ov"))
    given = parser.parse_args()
    runs = {p: [] for p in FLUSHES}
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, "misses.bin")
        run(NFACC, "--overlay", "none", given.filter, REQUESTS, "-o", image)
        for p in FLUSHES:
            for seed in range(1, given.n + 1):
                trace, truth = generate(folder, p, seed, given)
                runs[p].append((count(image, trace), truth))
        if not report_counts(runs, given.n):
            sys.exit(1)
        hold = report_observations(runs, given.n)
        if given.rtl and not on_engine(folder, image, given):
            sys.exit(1)
    if given.d:
        write_data(given.d, {p: runs[p][0] for p in FLUSHES})
    sys.exit(given.n >= 10 and not hold)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""--rate beside an oracle: etm-rate.py NFACC ETMSIM EXAMPLES SEED FIRST TRIALS.

Budget and period are computed here with fractions, and bounds by their closed forms. A core that sends as much
as it may is played against a regulator written here; etmsim executes the registers on what it sent, and no
window of that may have more bytes than nfacc says. Prints a line for each property that failed, then a summary.
"""
import json
import math
import random
import subprocess
import sys
from fractions import Fraction

NFACC, ETMSIM, EXAMPLES, SEED, FIRST, TRIALS = sys.argv[1:4] + [int(a) for a in sys.argv[4:7]]
STATES = {"pr": 2, "pr13": 4, "tb31": 4, "tb22": 4, "tb13": 4}
FREE = {"pr": 1, "pr13": 1, "tb31": 3, "tb22": 2, "tb13": 1}
UNITS = [("B/s", 1), ("kB/s", 10**3), ("MB/s", 10**6), ("KiB/s", 2**10), ("MiB/s", 2**20)]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def decimal(number, unit):
    """A number in a unit as decimal digits, or None if they do not end."""
    value = Fraction(number, unit)
    for places in range(10):
        if (value * 10**places).denominator == 1:
            digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
            return digits if places == 0 else digits[:-places] + "." + digits[-places:]
    return None


def in_units(number, units, rng):
    names = [(d, n) for n, u in units for d in [decimal(number, u)] if d is not None]
    digits, name = rng.choice(names)
    return digits + rng.choice(["", " "]) + name


def regulator(machine, budget, period):
    """A generator: gets whether a cycle has a line, gives whether the output is then on."""
    state, used, cycle, on = 0, 0, 0, False
    while True:
        line = yield on
        cycle += 1
        tick, full = cycle % period == 0, False
        if machine.startswith("pr") and state == 0 and tick:
            used = 0
        elif line:
            used += 1
            full = used == budget
            used %= budget
        if full and state < STATES[machine] - 1:
            state += 1
        elif tick and state > 0:
            state -= 1
        on = state >= FREE[machine]


def attack(machine, budget, period, overrun, cycles, rng):
    """The cycles in which lines come: as many as possible, in phases of saving and of sending."""
    model, lines, left, busy = regulator(machine, budget, period), [], overrun, 0
    on = next(model)
    send, until = True, rng.randrange(4 * period)
    for cycle in range(1, cycles + 1):
        if cycle > until:
            send = not send
            until += rng.randrange(1, 5 * period)
            if not send and rng.random() < 0.8:  # sending begins so that a budget is used at a tick
                until += -until % period + max(period - budget, 0) + rng.randrange(-1, 2)
        line = (send or rng.random() < 0.02) and (not on or left > 0)
        left -= line and on
        if line:
            lines.append(cycle)
        before, on = on, model.send(line)
        if on and not before:
            left = overrun
    return lines


def execute(registers, lines, cycles, folder):
    """What etmsim says: whether the output is on after each cycle."""
    with open(folder + "lines.bt", "w", encoding="ascii") as f:
        for cycle in lines:
            f.write(f"{cycle} pmu.L2D_CACHE_REFILL@21\n")
    out = run(ETMSIM, registers, folder + "lines.bt", "--until", str(cycles))
    assert out.returncode == 0, out.stderr
    changes = {}
    for text in out.stdout.splitlines():
        changes[int(text.split()[0])] = "extout0" in text
    on, all_on = False, [False]
    for cycle in range(1, cycles + 1):
        on = changes.get(cycle, on)
        all_on.append(on)
    return all_on


def late(lines, on):
    """The most lines that came after one rise of the output."""
    sent, most, count = set(lines), 0, 0
    for cycle in range(1, len(on)):
        if on[cycle - 1]:
            count += cycle in sent
            most = max(most, count)
        else:
            count = 0
    return most


def densest(lines, width):
    """The most lines in a window of so many cycles, wherever it begins."""
    most, first = 0, 0
    for last, cycle in enumerate(lines):
        while cycle - lines[first] >= width:
            first += 1
        most = max(most, last - first + 1)
    return most


def draw(rng):
    clock = rng.choice([1000000, 1250000, 2400000, rng.randrange(1000000, 4000000)])
    size = rng.choice([16, 64, 64, 128, rng.randrange(1, 4097)])
    longest = Fraction(rng.randrange(20, 160) * 10**12 // clock + 1, 10**12)
    share = Fraction(rng.randrange(1, 100), rng.choice([120, 500]))
    rate = max(1, int(clock * size * share))
    return clock, size, longest, rate


def trial(rng, folder, wrong):
    clock, size, longest, rate = draw(rng)
    machine, overrun = rng.choice(sorted(STATES)), rng.choice([0, 1, 2, 5, rng.randrange(12)])
    cycles = int(longest * clock)
    budget = int(Fraction(rate) * cycles / (clock * size))
    options = ["--rate", in_units(rate, UNITS, rng), "--clock",
               in_units(clock, [("Hz", 1), ("kHz", 10**3), ("MHz", 10**6), ("GHz", 10**9)], rng),
               "--period", in_units(int(longest * 10**12), [("us", 10**6), ("ms", 10**9), ("s", 10**12)], rng),
               "--event-bytes", str(size), "--target", "etm4:a53", f"{EXAMPLES}/{machine}.re"]
    what = f"{machine} {' '.join(options[:8])} --bound {overrun}"
    report = run(NFACC, *options, "--bound", str(overrun), "--emit=json")
    if budget == 0:
        if report.returncode != 2 or "less than an event" not in report.stderr:
            wrong.append(f"{what}: not refused")
        return 0, 0
    if budget == 1 and report.returncode == 4 and machine.startswith("pr"):
        return 0, 0  # a line is a budget, so the registers have no counter of lines
    period = math.ceil(Fraction(budget * size * clock, rate))
    if period < 2 or report.returncode not in (0, 7):
        wrong.append(f"{what}: {report.returncode} {report.stderr}")
        return 0, 0
    report = json.loads(report.stdout)
    if (report["budget"], report["period"]) != (budget, period):
        wrong.append(f"{what}: {report['budget']} {report['period']}, not {budget} {period}")
        return 0, 0
    reading = report["readings"][0]
    said, free = reading.get("bytes"), FREE[machine]
    bounded = overrun < (STATES[machine] - free) * budget
    if reading["bounded"] != bounded:
        wrong.append(f"{what}: bounded is {reading['bounded']}")
    if bounded and said["a_second_for_ever"] != math.ceil(Fraction(budget * size * clock, period)):
        wrong.append(f"{what}: for ever {said['a_second_for_ever']}")
    if bounded and (said["rate"], said["over"]) != ([budget * size, 1], (free * budget + overrun) * size):
        wrong.append(f"{what}: {said['rate']} n + {said['over']}")
    if said is None:
        return 1, 0
    registers = folder + "r.regs"
    out = run(NFACC, *options, "-o", registers)
    assert out.returncode == 0, out.stderr
    n = 30 * period
    lines = attack(machine, budget, period, overrun, n, rng)
    if late(lines, execute(registers, lines, n, folder)) > overrun:
        wrong.append(f"{what}: etmsim's output is not that of the regulator here")
    met = densest(lines, period) * size == said["one_period"]
    windows = [(k * period, (said["rate"][0] * k + said["over"]) / said["rate"][1]) for k in range(1, 9)]
    windows += [(period, said["one_period"]), (math.ceil(clock / 1000), said["in_a_millisecond"])]
    for width, most in windows:
        if densest(lines, width) * size > most:
            wrong.append(f"{what}: {densest(lines, width) * size} bytes in {width} cycles, above {most}")
    return 1, met


def main():
    wrong, ran, met = [], 0, 0
    for i in range(FIRST, FIRST + TRIALS):
        one, tight = trial(random.Random(SEED * 1000003 + i), "./", wrong)
        ran, met = ran + one, met + tight
    print("\n".join(wrong + [f"{TRIALS} trials, {ran} regulators, {met} attained their bound"]))
    # The attack has to be strong, or bounds that are too low would pass.
    sys.exit(1 if wrong or ran * 2 < TRIALS or met == 0 else 0)


main()

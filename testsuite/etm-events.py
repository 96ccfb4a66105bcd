# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""The events of a shipped core: etm-events.py NFACC SOURCES CORE.

Reads table and description by expressions of its own, and compiles a machine for each event.
"""
import json
import re
import subprocess
import sys

NFACC, SOURCES, CORE = sys.argv[1:]
SETS = {"PMU_ALL": "a35 a53 a55 a57 a72 a76 a78", "PMU_IN_ORDER": "a35 a53 a55", "PMU_NONE": ""}
MACHINE = """tick 999;
machine m {
	counter c at 9 roll;
	state a start;
	state b output(o);
	count c : %s;
	a -> b : @c;
	b -> a : tick;
}
"""


def text(path):
    with open(f"{SOURCES}/{path}", encoding="utf-8") as f:
        return f.read()


def cores(mask):
    words = [w.strip() for w in mask.split("|")]
    return set(" ".join(SETS.get(w, w[4:].lower()) for w in words).split())


rows = re.findall(r"^PMU_EVENT\((0x\w+), (\w+), ([^)]*)\)", text("contract/etm/pmu.def"), re.M)
table = {name: (int(number, 16), cores(mask)) for number, name, mask in rows}
assert len(table) == len(rows) == len({n for n, _ in table.values()}), "names or numbers stand twice"
assert [n for n, _ in table.values()] == sorted(n for n, _ in table.values()), "by number"

ete = CORE == "armv9"
events = re.findall(r"^event (\w+)(?: (\d+)(?:\.\.(\d+))?)?;", text(f"targets/{CORE}.etm"), re.M)
assert len(events) > 12
for name, first, last in events:
    number, counts = table[name]
    assert ete or CORE in counts, f"{CORE} does not count {name}"
    lines = [number] if ete else [4 + i for i in range(int(first), int(last or first) + 1)]
    command = [NFACC, "--target", f"{'ete' if ete else 'etm4'}:{CORE}", "--emit=json", "-"]
    run = subprocess.run(command, input=MACHINE % name, capture_output=True, text=True, check=False)
    assert run.returncode == (0 if len(lines) <= 4 else 3), (name, run.stderr)
    if run.returncode != 0:
        continue
    made = json.loads(run.stdout)
    assert made["inputs"] == [{"input": n, "event": name, "number": number} for n in lines], name
    registers = {r["name"]: int(r["value"], 16) for r in made["registers"]}
    selected = registers["TRCEXTINSELR0" if ete else "TRCEXTINSELR"]
    assert selected == (number if ete else sum(n << 8 * i for i, n in enumerate(lines))), name
print(f"{len(events)} events by their names")

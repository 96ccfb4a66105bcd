# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""Usage: engine_plan.py OVERLAY PROTOCOL SEED MOST FOLDER...: compiles cases of the folders for the
overlay, runs nfarun on them, and writes plan.json for engine_cocotb.py, in this folder. A case is a
filter NAME.re with a trace NAME.bt or NAME.raw; of those that fit, MOST are chosen by the seed, with three
random ones of its own. Folders that are not there have none."""
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import nfart

NFACC, NFARUN = os.environ["NFACC"], os.environ["NFARUN"]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def must(*command):
    done = run(*command)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def registers(overlay, protocol):
    """The registers' places, which of them there are not in an engine without what their meaning begins with
    (`time:`, say), which can be written, the value of ID, and the fingerprint."""
    text = must(NFACC, "--emit=regs", "--overlay", overlay, "--protocol", protocol)
    rows = re.findall(r"^\| 0x(\w+) \| `(\w+)` \| (\w+) \| (.*) \|$", text, re.M)
    places = {name: int(at, 16) for at, name, _, _ in rows}
    absent, low_absent = set(), False
    for _, name, _, what in rows:
        low_absent = low_absent if what == "high half" else \
            re.match("(time|window_after own|counts|joins|label_swap|histogram|ring): ", what) is not None
        if low_absent:
            absent.add(name)
    writable = {name: 1 if name in ("ENABLE", "BY_LINE") else 0xFFFFFFFF
                for _, name, access, _ in rows if access == "RW" and name not in absent}
    readable = [name for _, name, access, _ in rows if access != "WO" and name not in absent]
    known = next(int(what, 16) for _, name, _, what in rows if name == "ID")
    return (places, sorted(absent), readable, writable, known,
            int(re.search(r"Fingerprint (\w+)", text).group(1), 16))


def made(overlay, filter, trace, name):
    """Compiles a case, and runs it in software. Returns None if it does not fit the overlay."""
    image, words, records = f"{name}.bin", f"{name}.mem", f"{name}.rec"
    done = run(NFACC, "--overlay", overlay, filter, "-o", image)
    if done.returncode == 3:
        return None
    if done.returncode:
        sys.exit(f"{filter}: {done.stderr}")
    must(NFACC, "--emit=mem", "--overlay", overlay, filter, "-o", words)
    must(NFARUN, "-q", "-t", "records", *(["--from", "raw"] if str(trace).endswith(".raw") else []),
         "-o", records, image, trace)
    return {"name": name, "image": image, "words": words, "trace": str(trace), "wanted": records}


def candidates(folders, protocol):
    """Filters of the protocol with a trace, and without options or losses."""
    for folder in folders:
        for filter in sorted(Path(folder).glob("*.re")):
            if filter.with_suffix(".opt").exists() or filter.with_suffix(".cc").exists() or \
                    not filter.with_suffix(".out").exists():
                continue
            if not re.search(rf"^\s*protocol\s+{protocol}\s*;", filter.read_text(), re.M):
                continue
            for suffix in ".bt", ".raw":
                trace = filter.with_suffix(suffix)
                if trace.exists() and "!lost" not in trace.read_text(errors="replace"):
                    yield filter, trace
                    break


def written(name, protocol, filter, batches):
    """Writes a filter and its trace."""
    with open(f"{name}.re", "w") as file:
        file.write(f"protocol {protocol};\n{filter}\n")
    with open(f"{name}.bt", "w") as file:
        for time, batch in enumerate(batches, 1):
            file.write(f"{time} {batch}\n")
    return Path(f"{name}.re"), Path(f"{name}.bt")


#: Messages of each protocol, and filters over them.
MESSAGES = {"bytes": ["b=0x61", "b=0x62", "b=0x63"],
            "eci": ["cpu.MREQ_RLDD@6:0x80", "fpga.MRSP_PEMD@4:0x80", "cpu.MREQ_RLDD@7:0x100",
                    "cpu.MREQ_RLDD@6:0x80 fpga.MRSP_PEMD@4:0x100"]}
FILTERS = {"bytes": ("filter ab = true* 'a' 'b'; filter c = true* 'c';",
                     "window 3; filter aba = true* 'a' 'b' 'a';",
                     "limit 5; filter run = true* 'b' 'b'+ 'c';"),
           "eci": ("filter pair = true* cpu.MREQ_RLDD fpga.MRSP_PEMD;",
                   "window 2; filter two = true* cpu.MREQ_RLDD@7 fpga.MRSP_PEMD;",
                   "substream cl from 0x80 count 3; filter line = true* cpu.MREQ_RLDD fpga.MRSP_PEMD;")}


def own(protocol, seed):
    """Cases that need no folder: random traces."""
    at = random.Random(seed)
    for number, filter in enumerate(FILTERS[protocol]):
        yield written(f"own{number}", protocol, filter,
                      [at.choice(MESSAGES[protocol]) for _ in range(200)])


def overflowing(overlay, protocol):
    """A case whose every batch goes out, in more cycles than a stalled output can hold."""
    pair = written("every", protocol, "filter every = true+;", MESSAGES[protocol][-1:] * 800)
    return made(overlay, *pair, "every")


def short(case):
    """Is the trace of a case short enough, and whole? One is damaged behind what its filter reads."""
    try:
        return len(list(nfart.Reader(case["trace"], nfart.Image(case["image"]).protocol))) < 2000
    except nfart.Error:
        return False


def main(overlay, protocol, seed, most, *folders):
    places, absent, readable, writable, known, fingerprint = registers(overlay, protocol)
    found = list(candidates(folders, protocol))
    random.Random(int(seed)).shuffle(found)
    found = list(own(protocol, int(seed))) + found
    cases = []
    for filter, trace in found:
        if len(cases) == int(most):
            break
        case = made(overlay, filter, trace, f"{filter.parent.name}-{filter.stem}".lstrip("-"))
        if case and short(case):
            cases.append(case)
    with open("plan.json", "w") as file:
        json.dump({"seed": int(seed), "registers": places, "absent": absent,
                   "readable": readable, "writable": writable, "id": known, "fingerprint": fingerprint, "writes": 300, "cases": cases,
                   "overflow": overflowing(overlay, protocol)}, file, indent=1)
    print(len(cases))


main(*sys.argv[1:])

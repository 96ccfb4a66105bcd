#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""thesis.py page [PAGE] | check PAGE | check-long PAGE: runs the commands of items.py. page: prints
doc/develop/thesis.md; with PAGE, what takes long is copied from there, if it is there, and not run.
check: compares each item of the page that takes at most a second or so with what its command prints
now, as TAP. check-long: does so with the other ones. NFACC, NFARUN, NFAGEN, SRCDIR, BUILDDIR and
SHARED are as in the tests.

A command runs in a folder with links to the source tree and, as build/, to the build folder, where the
tools have their usual names."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import items

SRC = os.path.abspath(os.environ["SRCDIR"])
BUILD = os.path.abspath(os.environ["BUILDDIR"])
MAP_ILP = os.path.join(BUILD, "testsuite", "map", "ilp", "map_ilp")
SHARED = os.environ.get("SHARED", os.path.join(SRC, "..", "shared"))
CAPTURE = os.path.join(SHARED, "traces", "enzian-iperf-*.csv")

HEAD = """<!-- SPDX-License-Identifier: BSD-2-Clause -->
<!-- SPDX-FileCopyrightText: nfacc contributors -->
<!-- Made by `make thesis` from testsuite/thesis/items.py: change that file, not this one. -->
# The thesis, and what comes out here

What sections 4 and 5 of the thesis print (Manuel Bröchin, *High-speed Tracing of Coherence Traffic
using FPGAs*, ETH Zurich, 2021; T in this tree), beside what this project gets, and the commands
that print it. Where both are the same text, the table says so.

`make thesis` runs all the commands and writes this page; `make thesis QUICK=1` runs only those
that take seconds, and leaves the rest of the page as it is. `make check` runs the quick ones and
compares the results with the page, `make check-long` does so with the others. The commands run
in the top folder of the sources, after a build in `build/`, with

```
PATH=$PWD/build:$PWD/build/testsuite/map/ilp:$PATH
export PATH
```

`map_ilp` is there if GLPK is. Rows of a capture need `traces/enzian-iperf-*.csv` in the folder that
the variable SHARED names; where a page is made without it, they say that it is not there.

The thesis's board and Vivado are not to be had here. So there are no numbers on routing and timing,
and LUTs are those that Yosys counts.

## Where the thesis slipped

"""


class Place:
    """Where commands run."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="nfacc-thesis.")
        os.mkdir(os.path.join(self.folder, "bin"))
        for name in "nfacc", "nfarun", "nfagen":
            os.symlink(os.path.abspath(os.environ[name.upper()]),
                       os.path.join(self.folder, "bin", name))
        if os.path.exists(MAP_ILP):
            os.symlink(MAP_ILP, os.path.join(self.folder, "bin", "map_ilp"))
        os.symlink(BUILD, os.path.join(self.folder, "build"))
        for name in "examples", "testsuite", "overlays", "protocols", "rtl":
            os.symlink(os.path.join(SRC, name), os.path.join(self.folder, name))
        self.env = os.environ | {
            "PATH": os.path.join(self.folder, "bin") + ":" + os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1", "SRCDIR": SRC,
            "NFACC": os.path.abspath(os.environ["NFACC"])}
        for name in "MAKEFLAGS", "MFLAGS", "MAKELEVEL":
            self.env.pop(name, None)

    def run(self, command):
        """What the command prints; dies if it fails."""
        done = subprocess.run(["sh", "-ec", command], cwd=self.folder, env=self.env,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise ValueError(f"{command}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def remove(self):
        shutil.rmtree(self.folder)


def lacks(item):
    """What the item needs and this machine lacks; None: nothing."""
    for need in item.needs.split():
        if need == "capture":
            if not glob.glob(CAPTURE):
                return "the capture is not there"
        elif need == "map_ilp":
            if not os.path.exists(MAP_ILP):
                return "GLPK is not installed"
        elif shutil.which(need) is None:
            return f"{need} is not installed"
    return None


def cell(text):
    return text.replace("|", "\\|").replace("*", "\\*")


def block(item, place):
    """The item's part of the page, from `###` on."""
    lines = [f"### {item.name}", ""]
    if item.command:
        why = lacks(item)
        printed = "" if why else place.run(item.command)
        lines += ["```", *[part.strip() for part in item.command.split("\n")], "```", ""]
        if item.rows:
            lines += ["| | thesis | here |", "|---|---|---|"]
        for name, thesis, pattern, *form in item.rows:
            if why:
                lines.append(f"| {cell(name)} | {cell(thesis)} | ({why}) |")
                continue
            found = re.search(pattern, printed, re.M)
            if found is None:
                raise ValueError(f"{item.name}: {name}: no {pattern} in\n{printed}")
            here = form[0].format(*found.groups()) if form else ", ".join(found.groups())
            same = " (same)" if here == thesis else ""
            lines.append(f"| {cell(name)} | {cell(thesis)} | {cell(here)}{same} |")
        if item.whole and why:
            lines.append(f"It prints nothing here: {why}.")
        elif item.whole:
            lines += ["It prints:", "", "```", *printed.rstrip("\n").split("\n"), "```"]
        lines.append("")
    for text in filter(None, (item.remark, item.slip and "**Slip.** " + item.slip)):
        lines += [*wrapped(text), ""]
    return "\n".join(lines)


def wrapped(text):
    """The text in lines of at most 100 columns."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > 100:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".lstrip()
    return [*lines, line]


def old_block(item, path):
    """The item's part of a page that was made before; None: it has none."""
    with open(path) as f:
        found = re.search(rf"^### {re.escape(item.name)}\n.*?(?=^##|\Z)", f.read(), re.M | re.S)
    return found and found.group(0)


def page(place, old):
    out = [HEAD]
    for item in items.ITEMS:
        if item.slip:
            text = wrapped(f"{item.slip} (*{cell(item.name)}*)")
            out.append("- " + "\n  ".join(text) + "\n")
    section = None
    for item in items.ITEMS:
        if item.section != section:
            section = item.section
            out.append(f"\n## {section}\n\n")
        print(item.name, file=sys.stderr, flush=True)
        text = old and item.slow and old_block(item, old) or block(item, place)
        out.append(text + ("\n" if item is not items.ITEMS[-1] else ""))
    return re.sub(r"\n{3,}", "\n\n", "".join(out)).rstrip("\n") + "\n"


def check(place, path, slow):
    with open(path) as f:
        text = f.read()
    n = 0
    for item in items.ITEMS:
        if not item.command or item.slow != slow:
            continue
        n += 1
        why = lacks(item)
        if why:
            print(f"ok {n} - {item.name} # SKIP {why}")
            continue
        try:
            now = block(item, place)
        except ValueError as e:
            now = str(e)
        if now.rstrip("\n") + "\n" in text:
            print(f"ok {n} - {item.name}")
        else:
            print(f"not ok {n} - {item.name}")
            print("# what it is now; `make thesis` puts it into the page:")
            print("\n".join("# " + line for line in now.split("\n")))
    print(f"1..{n}")


def main():
    place = Place()
    try:
        if sys.argv[1] == "page":
            old = sys.argv[2] if len(sys.argv) > 2 else None
            for item in items.ITEMS:
                if lacks(item) and not (old and item.slow):
                    print(f"thesis.py: {item.name}: {lacks(item)}", file=sys.stderr)
            sys.stdout.write(page(place, old))
        else:
            check(place, sys.argv[2], sys.argv[1] == "check-long")
    except ValueError as e:
        sys.exit(str(e))
    finally:
        place.remove()


main()

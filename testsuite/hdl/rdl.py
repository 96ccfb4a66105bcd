# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""rdl.py RDL HEADER REGS IPXACT: compares the registers and fields of the three files that come
from nfacc --emit=rdl with the page of nfacc --emit=regs: names, places, access, lowest bits, widths."""
import re
import sys
import xml.etree.ElementTree as xml

from systemrdl import RDLCompiler

rdl, header, regs, ipxact = sys.argv[1:]


def of_page(text):
    """Returns {register: (offset, access)} and {(register, field): (lowest bit, width)}."""
    registers, fields, at = {}, {}, None
    for line in text.splitlines():
        if m := re.match(r"\| 0x(\w+) \| `(\w+)` \| (\w+) \|", line):
            registers[m[2]] = (int(m[1], 16), m[3])
        elif m := re.match(r"### (\w+) at ", line):
            at = m[1]
        elif line.startswith("### ") or line.startswith("## "):
            at = None
        elif at and (m := re.match(r"\| (\d+)(?::(\d+))? \| `(\w+)` \|", line)):
            low = int(m[2] or m[1])
            fields[at, m[3]] = (low, int(m[1]) - low + 1)
    for name in registers:
        if not any(r == name for r, _ in fields):
            fields[name, "value"] = (0, 32)
    return registers, fields


def of_header(text):
    """Returns the fields of PeakRDL's header, with names in lower case."""
    fields = {}
    for r, f, low in re.findall(r"#define NFACC__(\w+?)__(\w+)_bp (\d+)", text):
        width = re.search(r"#define NFACC__%s__%s_bw (\d+)" % (r, f), text)[1]
        mask = int(re.search(r"#define NFACC__%s__%s_bm (\w+)" % (r, f), text)[1], 0)
        assert mask == ((1 << int(width)) - 1) << int(low), (r, f)
        fields[r, f.lower()] = (int(low), int(width))
    return fields


def of_ipxact(path):
    registers, fields = {}, {}
    tree = xml.parse(path).getroot()
    strip = lambda e: e.tag.split("}")[1]
    child = lambda e, name: next((c for c in e if strip(c) == name), None)
    number = lambda s: int(s.replace("'h", "0x"), 0)
    for r in (e for e in tree.iter() if strip(e) == "register"):
        name = child(r, "name").text
        registers[name] = number(child(r, "addressOffset").text)
        for f in (e for e in r if strip(e) == "field"):
            fields[name, child(f, "name").text] = (number(child(f, "bitOffset").text),
                                                   number(child(f, "bitWidth").text))
    return registers, fields


compiler = RDLCompiler()
compiler.compile_file(rdl)
registers, fields = {}, {}
for r in compiler.elaborate().top.registers():
    access = {(True, False): "RO", (False, True): "WO", (True, True): "RW"}
    registers[r.inst_name] = (r.absolute_address, access[r.has_sw_readable, r.has_sw_writable])
    for f in r.fields():
        fields[r.inst_name, f.inst_name] = (f.lsb, f.width)
page = of_page(open(regs).read())
xml_registers, xml_fields = of_ipxact(ipxact)
wrong = 0
for what, got, wanted in (("registers", registers, page[0]), ("fields", fields, page[1]),
                          ("fields of the header", of_header(open(header).read()), page[1]),
                          ("registers of IP-XACT", xml_registers,
                           {name: at for name, (at, _) in page[0].items()}),
                          ("fields of IP-XACT", xml_fields, page[1])):
    if got != wanted:
        wrong = 1
        print(what, sorted(set(got.items()) ^ set(wanted.items())))
if not wrong:
    print("%d registers and %d fields are the same in header, IP-XACT and page"
          % (len(page[0]), len(page[1])))
sys.exit(wrong)

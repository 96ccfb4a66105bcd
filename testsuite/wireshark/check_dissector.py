# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""check_dissector.py LIST JSON SCRIPT PCAPNG: compares what tshark shows of a pcapng trace, by the
dissector SCRIPT, with the same trace as JSON: fields and columns. LIST is what nfacc --list prints of the
protocol. Prints what differs, or how many packets and pairs there were."""
import collections
import json
import re
import subprocess
import sys

from packets import LOSS, MESSAGE, UNKNOWN, Protocol, wanted

OWN = ["cycle", "slot", "group", "channel", "type", "opcode", "addr", "header", "label", "tick", "end",
       "damaged", "lost", "lost_unknown", "pair", "answer_in", "request_in", "latency"]
EXPERTS = ["accepted", "unknown", "loss", "damage", "unanswered", "unasked", "malformed"]
NO_EXPERTS = {x: "" for x in EXPERTS}


def key_of(protocol, packet, keys):
    values = protocol.values(packet)
    return tuple(protocol.line(packet) if k == "line" else values[k] for k in keys)


def join(protocol, packets):
    """Joins requests to answers. Returns for each packet, by rule in their order, what the dissector
    is to say: {rule: (answer, request, latency, unanswered, unasked)}."""
    said = [collections.OrderedDict() for _ in packets]
    number = 0 # of the first packet of a batch
    open_now = collections.defaultdict(list)
    while number < len(packets):
        end = number
        while (end < len(packets) and packets[end].cycle == packets[number].cycle
               and packets[end].kind == packets[number].kind == MESSAGE):
            end += 1
        if packets[number].kind == LOSS:
            open_now.clear()
        for i in range(number, end):
            for rule, _, answers, keys, _ in protocol.pairs:
                if protocol.type_of(packets[i]) not in answers:
                    continue
                place = rule, key_of(protocol, packets[i], keys)
                if open_now[place]:
                    request = open_now[place].pop(0)
                    said[request][rule] = (i + 1, None, None, False, False)
                    latency = packets[i].cycle - packets[request].cycle
                    said[i][rule] = (None, request + 1, latency, False, False)
                else:
                    said[i][rule] = (None, None, None, False, True)
        for i in range(number, end):
            for rule, requests, _, keys, in_order in protocol.pairs:
                if protocol.type_of(packets[i]) in requests:
                    waiting = open_now[rule, key_of(protocol, packets[i], keys)]
                    waiting[:] = [*waiting, i] if in_order else [i]
                    said[i][rule] = (None, None, None, True, False)
        number = max(end, number + 1)
    names = [rule for rule, *_ in protocol.pairs]
    return [collections.OrderedDict(sorted(one.items(), key=lambda x: names.index(x[0]))) for one in said]


def texts(values):
    return ",".join(str(v) for v in values if v is not None)


def address_bits(protocol):
    return protocol.address[1] + protocol.address[2].bit_length() - 1


def shown_digits(protocol):
    """How many digits tshark prints of an address, which it keeps in 8, 16, 32 or 64 bits."""
    return next(n for n in (2, 4, 8, 16) if 4 * n >= address_bits(protocol))


def short(labels):
    return labels[:200] + ("..." if len(labels) > 200 else "")


def columns_of(protocol, packet, said, second):
    """What the columns Source, Destination and Info are to hold. `second`: this is tshark's second pass."""
    labels = f" [{short(packet.labels)}]" if packet.labels else ""
    if packet.kind == LOSS:
        return ["", "", "lost: " + ("?" if packet.header == UNKNOWN else str(packet.header))]
    if packet.kind != MESSAGE:
        return ["", "", " ".join(name for name in ("tick", "end") if getattr(packet, name)) + labels]
    group, at, channel = packet.slot.partition("@")
    kind, line = protocol.type_of(packet), protocol.line(packet)
    text = f"{group}.{kind}{at}{channel}" if kind else f"{packet.slot}=0x{packet.header:0{-(-protocol.bits // 4)}x}"
    if kind and line is not None:
        text += f":0x{line:x}"
    text += labels
    for rule, (_, _, latency, unanswered, _) in said.items():
        if latency is not None:
            text += f" {rule} latency {latency}"
        elif unanswered and second:
            text += f" {rule} unanswered"
    groups = list(dict.fromkeys(s.partition("@")[0] for s in protocol.slots))
    other = groups[1 - groups.index(group)] if len(groups) == 2 else ""
    return [group, other, text]


def columns(script, trace, passes):
    """The columns that tshark shows of each packet."""
    command = ["tshark", *passes, "-X", f"lua_script:{script}", "-r", trace, "-T", "tabs", "-o",
               'gui.column.format:"Source","%s","Destination","%d","Info","%i"']
    done = subprocess.run(command, capture_output=True, text=True)
    return [[x.strip() for x in line.split("\t") if x.strip() != "→"] for line in done.stdout.splitlines()]


def tree_address(script, trace, number):
    """The address of a packet as the tree shows it."""
    command = ["tshark", "-X", f"lua_script:{script}", "-r", trace, "-V", "-Y", f"frame.number == {number}"]
    shown = subprocess.run(command, capture_output=True, text=True).stdout
    return re.search(r"^    Address: (.*)", shown, re.M).group(1)


def fields_of(protocol, packet, said):
    """What tshark is to print for a packet."""
    out = {"cycle": str(packet.cycle), "label": packet.labels, **NO_EXPERTS}
    out["accepted"] = "1" if packet.labels else ""
    for flag in ("tick", "end", "damaged"):
        out[flag] = "1" if getattr(packet, flag) else ""
    out["damage"] = out["damaged"]
    if packet.kind == LOSS:
        known = packet.header != UNKNOWN
        out["loss"] = "1"
        out["lost" if known else "lost_unknown"] = str(packet.header) if known else "1"
    if packet.kind != MESSAGE:
        return out
    line, kind = protocol.line(packet), protocol.type_of(packet)
    group, _, channel = packet.slot.partition("@")
    rules = list(said.values())
    out.update(slot=packet.slot, group=group, channel=channel, type=kind or "",
               unknown="" if kind else "1", header=f"0x{packet.header:016x}",
               addr="" if line is None else f"0x{line:0{shown_digits(protocol)}x}",
               opcode=str(protocol.bits_of(packet.header, protocol.opcode)),
               pair=",".join(said), answer_in=texts(r[0] for r in rules),
               request_in=texts(r[1] for r in rules), latency=texts(r[2] for r in rules),
               unanswered=texts(1 for r in rules if r[3]), unasked=texts(1 for r in rules if r[4]))
    for name, value in protocol.values(packet).items():
        out["field." + name if name in OWN else name] = str(value)
    return out


def told(path):
    """The fields that nfarun's JSON has of each packet; None: it is no message."""
    for line in open(path):
        for m in json.loads(line).get("messages") or [{}]:
            yield m.get("fields")


def tshark(script, trace, prefix, names):
    """The fields that tshark prints of each packet, in two passes, so that requests know their
    answers."""
    command = ["tshark", "-2", "-X", f"lua_script:{script}", "-r", trace, "-T", "fields",
               "-E", "separator=;", "-E", "aggregator=,"]
    for name in names:
        command += ["-e", f"{prefix}.{name}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or "Lua" in done.stderr:
        print(done.stderr)
    return [dict(zip(names, line.split(";"))) for line in done.stdout.splitlines()]


def main():
    protocol = Protocol(sys.argv[1])
    packets = list(wanted(sys.argv[2]))
    said = join(protocol, packets)
    names = OWN + EXPERTS + ["field." + n if n in OWN else n for n in protocol.names]
    prefix = re.sub(r"\W", "_", protocol.name.lower())
    shown = tshark(sys.argv[3], sys.argv[4], prefix, names)
    if len(shown) != len(packets):
        print(f"{len(packets)} packets, but tshark shows {len(shown)}")
    for i, (packet, got, fields) in enumerate(zip(packets, shown, told(sys.argv[2]))):
        want = fields_of(protocol, packet, said[i])
        if packet.kind == MESSAGE and fields != protocol.values(packet):
            print(f"packet {i + 1}: its fields are {protocol.values(packet)}, not {fields}")
            return
        for name in names:
            if got[name] != want.get(name, ""):
                print(f"packet {i + 1}: {name} is '{got[name]}', not '{want.get(name, '')}'")
                return
    for passes in [], ["-2"]:
        shown = columns(sys.argv[3], sys.argv[4], passes)
        want = [columns_of(protocol, *p, bool(passes)) for p in zip(packets, said)]
        wrong = [i for i, (got, right) in enumerate(zip(shown, want)) if got != right]
        if wrong or len(shown) != len(want):
            print(f"{len(shown)} rows; row {wrong[0] + 1} is {shown[wrong[0]]}, not {want[wrong[0]]}")
    lines = [(i, protocol.line(p)) for i, p in enumerate(packets) if p.kind == MESSAGE]
    for i, line in [x for x in lines if x[1] is not None][:1]:
        want = f"0x{line:0{-(-address_bits(protocol) // 4)}x}"
        if tree_address(sys.argv[3], sys.argv[4], i + 1) != want:
            print(f"the tree's address is {tree_address(sys.argv[3], sys.argv[4], i + 1)}, not {want}")
    answered = sum(r[2] is not None for one in said for r in one.values())
    print(f"packets: {len(packets)}, answered: {answered}")


main()

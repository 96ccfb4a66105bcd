# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""coherence_bus.py ace|tlc TRACE SEED FAULTS [together]: drives the messages of a trace as the signals of a bus.
TRACE has one message a batch, of at most 16 lines, as `nfagen --rules` makes it. The messages of a line keep their
order, and the lines are mixed anew, so that answers have the order that the bus asks for: CR that of AC, RACK that
of R, and so on. Of FAULTS messages each is replaced by another one of its channel, or repeated where the bus allows
that. With `together` half of the GrantAcks come in the cycle of their Grant, as the bus allows. This script knows
the handshakes and codes of the standards (AMBA IHI 0022, chapters on ACE; TileLink 1.8, TL-C), and nothing of taps.
It writes bus.vcd; bus.bt, the messages of each cycle; one.bt, the same one by one, with number and cycle of each in
one.cycles; and bench.v, which drives the module of `nfacc --emit=tap` in nfacc_tap_ace.v or nfacc_tap_tlc.v with the
values of bus.hex, and prints its messages."""
import random
import re
import sys

protocol, trace, seed, faults = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
together = sys.argv[5:] == ["together"]
rng = random.Random(seed)

# ---- messages ----


class Message:
    """A message of the trace: `side` is the master or client, `channel` that of the standard."""

    def __init__(self, text):
        self.text, line = text.rsplit(":", 1)
        self.line = int(line, 16)
        word = re.match(r"\w+\.([A-Z]+)(\d)_(\w+)@(\d+)", self.text)
        self.channel, self.side, self.kind, self.slot = word[1], int(word[2]), word[3], int(word[4])
        self.key = None

    def renamed(self, kind):
        return Message("%s:0x%x" % (self.text.replace("_" + self.kind + "@", "_" + kind + "@"), self.line))


class Ace:
    """Which messages open and close what the bus keeps in order, and the signals of each."""
    reads = {"READ_NO_SNOOP": 0, "READ_ONCE": 0, "READ_SHARED": 1, "READ_CLEAN": 2, "READ_NOT_SHARED_DIRTY": 3,
             "READ_UNIQUE": 7, "CLEAN_UNIQUE": 11, "MAKE_UNIQUE": 12}
    writes = {"WRITE_NO_SNOOP": 0, "WRITE_CLEAN": 2, "WRITE_BACK": 3, "EVICT": 4}
    snoops = {"READ_ONCE": [0], "READ_SHARED": [1, 2, 3], "READ_UNIQUE": [7], "CLEAN_INVALID": [9],
              "MAKE_INVALID": [13]}
    # IsShared, PassDirty, DataTransfer
    answers = {"NONE": (0, 0, 0), "SHARED": (1, 0, 0), "DATA": (0, 0, 1), "DATA_SHARED": (1, 0, 1),
               "DIRTY": (0, 1, 1), "DIRTY_SHARED": (1, 1, 1)}
    results = {"UNIQUE": (0, 0), "UNIQUE_DIRTY": (0, 1), "SHARED": (1, 0), "SHARED_DIRTY": (1, 1)}
    ports = ["m0_", "m1_"]
    reset = ("aresetn", 0)
    clock = "aclk"
    signals = {
        "AR": {"arvalid": 1, "arready": 1, "araddr": 44, "arid": 4, "arsnoop": 4, "ardomain": 2, "arbar": 2},
        "R": {"rvalid": 1, "rready": 1, "rid": 4, "rresp": 4, "rlast": 1, "rdata": 16},
        "AW": {"awvalid": 1, "awready": 1, "awaddr": 44, "awid": 4, "awsnoop": 3, "awdomain": 2},
        "B": {"bvalid": 1, "bready": 1, "bid": 4},
        "AC": {"acvalid": 1, "acready": 1, "acaddr": 44, "acsnoop": 4},
        "CR": {"crvalid": 1, "crready": 1, "crresp": 5},
        "CD": {"cdvalid": 1, "cdready": 1, "cdlast": 1},
        "K": {"rack": 1}, "W": {"wack": 1},
    }
    # What a message may be replaced by.
    alike = {"R": [list(results)], "CR": [["NONE", "SHARED"], ["DATA", "DATA_SHARED", "DIRTY", "DIRTY_SHARED"]],
             "AR": [list(reads)], "AW": [list(writes)], "AC": [list(snoops)]}
    repeated = ["AR", "AW"]

    def opens(self, m):
        return {"AR": ["R"], "R": ["K"], "AW": ["B"], "B": ["W"], "AC": ["CR"],
                "CR": ["CD"] if m.channel == "CR" and self.answers[m.kind][2] else []}.get(m.channel, [])

    def closes(self, m):
        return m.channel in ("R", "K", "B", "W", "CR", "CD")

    def new_key(self, m, used):
        return rng.randrange(3) if m.channel in ("AR", "AW") else None

    def beats(self, m):
        """How many beats come before the message, and after it."""
        return (rng.choice([0, 0, 3]) if m.channel in ("R", "CD") else 0), 0

    def payload(self, m, beat):
        """The signals of a beat; that with number 0 is the message."""
        address = m.line | (rng.randrange(64) if m.channel in ("AR", "AW") else 0)
        domain = rng.choice([0, 3] if m.kind in ("READ_NO_SNOOP", "WRITE_NO_SNOOP") else [1, 2])
        p = {"araddr": address, "awaddr": address, "acaddr": m.line, "ardomain": domain, "awdomain": domain,
             "arbar": rng.choice([0, 2]), "rlast": beat == 0, "cdlast": beat == 0}
        for name in ("arid", "rid", "awid", "bid"):
            p[name] = m.key or 0
        if m.channel == "AR":
            p["arsnoop"] = self.reads[m.kind]
        if m.channel == "AW":
            p["awsnoop"] = self.writes[m.kind]
        if m.channel == "AC":
            p["acsnoop"] = rng.choice(self.snoops[m.kind])
        if m.channel == "R":
            shared, dirty = self.results[m.kind]
            p["rresp"] = shared << 3 | dirty << 2
        if m.channel == "CR":
            shared, dirty, data = self.answers[m.kind]
            p["crresp"] = rng.getrandbits(1) << 4 | shared << 3 | dirty << 2 | data
        return p


class Tlc:
    codes = {"Block": 6, "Perm": 7, "Ack": 4, "AckData": 5, "Release": 6, "ReleaseData": 7, "Grant": 4, "GrantData": 5}
    params = {"A": {"NtoB": 0, "NtoT": 1, "BtoT": 2}, "B": {"toT": 0, "toB": 1, "toN": 2},
              "C": {"TtoB": 0, "TtoN": 1, "BtoN": 2, "TtoT": 3, "BtoB": 4, "NtoN": 5}, "D": {"toT": 0, "toB": 1}}
    ports = ["client0_", "client1_"]
    reset = ("reset", 1)
    clock = "clock"
    signals = {
        "A": {"a_valid": 1, "a_ready": 1, "a_opcode": 3, "a_param": 3, "a_source": 5, "a_address": 36, "a_size": 4},
        "B": {"b_valid": 1, "b_ready": 1, "b_opcode": 3, "b_param": 2, "b_address": 36},
        "C": {"c_valid": 1, "c_ready": 1, "c_opcode": 3, "c_param": 3, "c_source": 5, "c_address": 36, "c_size": 4},
        "D": {"d_valid": 1, "d_ready": 1, "d_opcode": 3, "d_param": 2, "d_source": 5, "d_sink": 3, "d_size": 4},
        "E": {"e_valid": 1, "e_ready": 1, "e_sink": 3},
    }
    alike = {
        "A": [[a + "_" + b for a in ("Block", "Perm") for b in ("NtoB", "NtoT", "BtoT")]],
        "B": [[a + "_" + b for a in ("Block", "Perm") for b in ("toT", "toB", "toN")]],
        "C": [[a + "_" + b for a in ("Ack", "AckData") for b in ("TtoB", "TtoN", "BtoN", "TtoT", "BtoB", "NtoN")],
              [a + "_" + b for a in ("Release", "ReleaseData") for b in ("TtoB", "TtoN", "BtoN")]],
        "D": [[a + "_" + b for a in ("Grant", "GrantData") for b in ("toT", "toB")]],
    }
    repeated = ["A", "B"]

    def opens(self, m):
        release = m.channel == "C" and m.kind.startswith("Release")
        grant = m.channel == "D" and m.kind.startswith("Grant")
        return ["G"] if m.channel == "A" else ["L"] if release else ["E"] if grant else []

    def closes(self, m):
        return m.channel in ("D", "E")

    def new_key(self, m, used):
        """A source or sink that nothing else has."""
        free = [k for k in range(8 if m.channel == "D" else 31) if k not in used]
        return rng.choice(free) if free else None

    def beats(self, m):
        return 0, 7 if "Data" in m.kind else 0

    def payload(self, m, beat):
        kind = m.kind.split("_")
        p = {"size": 6, "address": m.line, "opcode": 6 if m.kind == "ReleaseAck" else self.codes.get(kind[0], 0),
             "param": self.params[m.channel][kind[1]] if len(kind) > 1 else 0}
        if m.key is not None:
            p["source"] = p["sink"] = m.key
        if m.channel == "D":
            p["source"], p["sink"] = m.answers, m.key if m.key is not None else 0
        p = {m.channel.lower() + "_" + k: v for k, v in p.items()}
        if beat and m.channel == "D":
            p["d_sink"] = m.key or 0
        return p


# The slots of the protocols, in their order.
SLOTS = {
    "ace": [("m0", c) for c in (0, 2, 5, 6, 7, 16)] + [("m1", c) for c in (8, 10, 13, 14, 15, 17)] +
           [("ic", c) for c in (1, 3, 4, 9, 11, 12)],
    "tlc": [("client0", c) for c in (0, 2, 4)] + [("client1", c) for c in (5, 7, 9)] +
           [("manager", c) for c in (1, 3, 6, 8)],
}
bus = Ace() if protocol == "ace" else Tlc()

# ---- the order ----


def class_closed(m):
    """What the message closes an entry of."""
    if protocol == "ace":
        return m.channel
    return "E" if m.channel == "E" else "L" if m.kind == "ReleaseAck" else "G"


class State:
    """How far each line is, and what is open: lists of (line, key), the oldest first."""

    def __init__(self, streams):
        self.at = {line: 0 for line in streams}
        self.open = {}

    def copy(self):
        s = State({})
        s.at, s.open = dict(self.at), {k: list(v) for k, v in self.open.items()}
        return s

    def entry(self, m):
        """The entry that the message would close; None: another one comes before it."""
        entries = self.open.get((m.side, class_closed(m)), [])
        mine = next(i for i, e in enumerate(entries) if e[0] == m.line)
        if protocol == "ace" and any(e[1] == entries[mine][1] for e in entries[:mine]):
            return None
        return entries[mine]

    def step(self, m):
        """Sends a message. False: the bus does not allow it now."""
        if bus.closes(m):
            entry = self.entry(m)
            if entry is None:
                return False
            self.open[m.side, class_closed(m)].remove(entry)
            m.answers = entry[1]
            if protocol == "ace" or m.channel == "E":
                m.key = entry[1]
        for what in bus.opens(m):
            entries = self.open.setdefault((m.side, what), [])
            key = bus.new_key(m, {e[1] for e in entries})
            if protocol == "ace" and m.channel not in ("AR", "AW"):
                entries.append((m.line, None))
                continue
            if key is None or len(entries) > 12:
                return False
            m.key = key
            entries.append((m.line, key))
        self.at[m.line] += 1
        return True

    def finishes(self, streams):
        """Can all that is open be closed? Lines go on only while they have something open."""
        s = self.copy()
        going = True
        while going:
            going = False
            lines = {e[0] for entries in s.open.values() for e in entries if e[0] in s.at}
            following = [streams[line][s.at[line]] for line in sorted(lines) if s.at[line] < len(streams[line])]
            rng.shuffle(following)
            for m in sorted(following, key=lambda m: len(bus.opens(m))):
                after = s.copy()
                if after.step(m):
                    s, going = after, True
                    break
        return not any(e[0] in s.at for entries in s.open.values() for e in entries)


def whole(stream):
    """The stream up to where nothing of it is open."""
    n = best = 0
    for i, m in enumerate(stream):
        n += len(bus.opens(m)) - bus.closes(m)
        if n == 0:
            best = i + 1
    return stream[:best]


def ordered(streams):
    """The messages of all lines in an order that the bus allows; or None, if chance found none."""
    state, out = State(streams), []
    while True:
        lines = [line for line in streams if state.at[line] < len(streams[line])]
        if not lines:
            return out
        # Whether all can be closed is tried at random, so a line gets several chances.
        for line in [rng.choice(lines) for _ in range(50 * len(lines))]:
            m, after = streams[line][state.at[line]], state.copy()
            if not after.step(m):
                continue
            sent = m.key, getattr(m, "answers", None)
            if not bus.opens(m) or protocol == "tlc" or after.finishes(streams):
                m.key, m.answers = sent
                out.append(m)
                state = after
                break
        else:
            return None


def broken(messages):
    """Replaces or repeats some messages. A repeated request has a key that is answered only once."""
    places = set(rng.sample(range(len(messages)), faults))
    out = []
    for i, m in enumerate(messages):
        kinds = next((k for k in bus.alike.get(m.channel, []) if m.kind in k), None) if i in places else None
        if kinds is None:
            out.append(m)
        elif m.channel in bus.repeated and rng.random() < .5:
            twice = m.renamed(m.kind)
            twice.key = 15 if protocol == "ace" else 31
            out.extend([m, twice])
        else:
            other = m.renamed(rng.choice([k for k in kinds if k != m.kind]))
            other.key, other.answers = m.key, getattr(m, "answers", None)
            out.append(other)
    return out


# ---- signals ----


class Wave:
    """The values that each signal takes, by cycle."""

    def __init__(self):
        self.changes = {}

    def put(self, cycle, name, value):
        self.changes.setdefault(cycle, {})[name] = int(value)


def handshake(wave, names, port, begin, end, payload):
    """Offers a beat in the cycles from begin to end, in the last of which it is accepted."""
    valid = next((n for n in names if n.endswith("valid")), None)
    if valid is None:
        wave.put(end, port + list(names)[0], 1)
        wave.put(end + 1, port + list(names)[0], 0)
        return
    for cycle in range(begin, end + 1):
        wave.put(cycle, port + valid, 1)
        wave.put(cycle, port + valid.replace("valid", "ready"), cycle == end)
        for name, width in names.items():
            if not name.endswith(("valid", "ready")):
                wave.put(cycle, port + name, payload.get(name, rng.getrandbits(width) if cycle == begin else None)
                         if name in payload or cycle == begin else wave.changes[begin][port + name])
    wave.put(end + 1, port + valid, 0)
    wave.put(end + 1, port + valid.replace("valid", "ready"), rng.getrandbits(1))


def draw(messages):
    """Returns the wave, the cycle of each message, and how many cycles there are."""
    wave, free, last, before_it, cycles, now = Wave(), {}, {}, {}, [], 5
    for m in messages:
        before, after = bus.beats(m)
        place = (m.side, m.channel)
        # The cycle in which the message counts comes after that of the line's last one.
        cycle = max(free.get(place, 5), last.get(m.line, 4) + 1, now - 6)
        granted, before_it[m.line] = before_it.get(m.line), (m.side, m.channel)
        if together and place == (m.side, "E") and granted == (m.side, "D") and rng.random() < .5 and \
                free.get(place, 5) <= last[m.line]:
            cycles.append(last[m.line])
            handshake(wave, bus.signals["E"], bus.ports[m.side], last[m.line], last[m.line], bus.payload(m, 0))
            free[place] = last[m.line] + 1
            continue
        for beat in [*range(-before, 0), 0, *range(1, after + 1)]:
            begin = cycle
            cycle += rng.choice([0, 0, 0, 1, 3])
            if beat == 0:
                cycle = max(cycle, last.get(m.line, 4) + 1)
                cycles.append(cycle)
                last[m.line] = cycle
                now = max(now, cycle)
            handshake(wave, bus.signals[m.channel], bus.ports[m.side], begin, cycle, bus.payload(m, beat))
            cycle += 1
        free[place] = cycle
    return wave, cycles, max(free.values()) + 3


def write_vcd(wave, end):
    names = [(port + name, width) for port in bus.ports for channel in bus.signals.values()
             for name, width in channel.items()]
    names += [(bus.clock, 1), (bus.reset[0], 1)]
    code = {name: "s%d" % i for i, (name, _) in enumerate(names)}
    widths = dict(names)

    def value(name, v):
        v &= (1 << widths[name]) - 1
        return "%d%s\n" % (v, code[name]) if widths[name] == 1 else "b%s %s\n" % (bin(v)[2:], code[name])
    with open("bus.vcd", "w", encoding="utf-8") as f:
        f.write("$timescale 1ns $end\n$scope module top $end\n$scope module bus $end\n")
        for name, width in names:
            f.write("$var wire %d %s %s $end\n" % (width, code[name], name))
        f.write("$upscope $end\n$upscope $end\n$enddefinitions $end\n")
        for cycle in range(end):
            changes = wave.changes.setdefault(cycle, {})
            if cycle == 0:
                # In reset the signals may have any value, but valid is low (A3.1.2 of IHI 0022).
                changes.update({n: 0 if "valid" in n or "ack" in n else rng.getrandbits(w) for n, w in names})
                changes[bus.reset[0]] = bus.reset[1]
            elif cycle == 3:
                changes[bus.reset[0]] = 1 - bus.reset[1]
            changes[bus.clock] = 0
            f.write("#%d\n" % (10 * cycle) + "".join(value(n, v) for n, v in changes.items()))
            f.write("#%d\n1%s\n" % (10 * cycle + 5, code[bus.clock]))


def write_bench(wave, end):
    """The values of a cycle are a line of bus.hex."""
    module = "nfacc_tap_" + protocol
    with open(module + ".v", encoding="utf-8") as f:
        ports = set(re.findall(r"input wire (?:\[[^]]*\] )?(\w+)", f.read()))
    names = [(port + name, width) for port in bus.ports for channel in bus.signals.values()
             for name, width in channel.items() if port + name in ports] + [(bus.reset[0], 1)]
    bits, slots = sum(w for _, w in names), SLOTS[protocol]
    now = {}
    with open("bus.hex", "w", encoding="utf-8") as f:
        for cycle in range(end):
            now.update(wave.changes[cycle] if cycle in wave.changes else {})
            word = 0
            for name, width in names:
                word = word << width | now[name] & ((1 << width) - 1)
            f.write("%x\n" % word)
    at, wires = bits, []
    for name, width in names:
        at -= width
        wires.append(".%s(v[%d:%d])" % (name, at + width - 1, at))
    wires += [".%s(%d'd0)" % (name, 2) for name in sorted(ports) if name.endswith("awbar")]
    with open("bench.v", "w", encoding="utf-8") as f:
        f.write("module bench;\n\treg clk = 0;\n\tinteger i;\n\treg [%d:0] all [0:%d];\n\treg [%d:0] v;\n"
                % (bits - 1, end - 1, bits - 1))
        f.write("\twire s_valid;\n\twire [%d:0] s_present;\n\twire [%d:0] s_header;\n\twire [63:0] s_time;\n"
                % (len(slots) - 1, 64 * len(slots) - 1))
        f.write("\t%s #(%s) tap (.%s(clk), %s, .s_valid(s_valid), .s_present(s_present), .s_header(s_header), "
                ".s_time(s_time));\n" % (module, ", ".join(".%s_BITS(%d)" % (n.upper(), w) for n, w in names if w > 1),
                                         bus.clock, ", ".join(wires)))
        f.write("\tinitial begin\n\t\t$readmemh(\"bus.hex\", all);\n\t\tfor (i = 0; i < %d; i = i + 1) begin\n"
                "\t\t\tv = all[i];\n\t\t\t#1 clk = 1;\n\t\t\t#1 clk = 0;\n\t\t\tif (s_valid) begin\n"
                "\t\t\t\t$write(\"%%0d\", s_time);\n" % end)
        for k, (group, channel) in enumerate(slots):
            f.write("\t\t\t\tif (s_present[%d]) $write(\" %s@%d=0x%%h\", s_header[%d:%d]);\n"
                    % (k, group, channel, 64 * k + 63, 64 * k))
        f.write("\t\t\t\t$display;\n\t\t\tend\n\t\tend\n\tend\nendmodule\n")


def main():
    streams = {}
    with open(trace, encoding="utf-8") as f:
        for text in f:
            m = Message(text.split()[1])
            streams.setdefault(m.line, []).append(m)
    streams = {line: whole(s) for line, s in streams.items()}
    order = next((o for o in (ordered(streams) for _ in range(20)) if o is not None), None)
    if order is None:
        sys.exit("coherence_bus.py: no message can be next")
    messages = broken(order)
    wave, cycles, end = draw(messages)
    write_vcd(wave, end)
    write_bench(wave, end)
    groups = {g: i for i, g in enumerate(["m0", "m1", "ic", "client0", "client1", "manager"])}
    sent = sorted(zip(cycles, messages), key=lambda x: (x[0], groups[x[1].text.split(".")[0]], x[1].slot))
    with open("bus.bt", "w", encoding="utf-8") as f, open("one.bt", "w", encoding="utf-8") as one, \
            open("one.cycles", "w", encoding="utf-8") as numbers:
        for i, (cycle, m) in enumerate(sent):
            new = i == 0 or sent[i - 1][0] != cycle
            f.write("%s%s:0x%x" % ("%s%d " % ("\n" if i else "", cycle) if new else " ", m.text, m.line))
            one.write("%d %s:0x%x\n" % (i, m.text, m.line))
            numbers.write("%d %d\n" % (i, cycle))
        f.write("\n")


main()

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""What the tests of pcapng traces and of dissectors share: a protocol as nfacc --list prints it, the
packets that nfarun's JSON asks for, and a reader of pcapng. Nothing here is taken from the code that
is tested."""
import collections
import json
import re
import struct

MESSAGE, LOSS, TIME = range(3)
UNKNOWN = 2**64 - 1

# A packet: its kind, cycle, slot (by name), header or number of lost messages, and the labels, flags
# and comment that it should have.
Packet = collections.namedtuple("Packet", "kind cycle slot header labels tick end damaged not_all comment")


class Protocol:
    """What nfacc --list PROTOCOL prints."""

    def __init__(self, path):
        self.slots = []        # names, in order
        self.types = {}        # (slot, opcode): name
        self.addressed = set() # names of the types that have an address
        self.fields = {}       # type: {field: (lowest bit, bits)}
        self.everywhere = {}   # fields of messages without a type: those that all types have
        self.pairs = []        # (name, types of requests, types of answers, keys, in order?)
        self.address = None    # (lowest bit, bits, bytes of a line)
        for line in open(path):
            self.take(line.split())
        every = list(self.fields.values())
        self.names = sorted({f for fields in every for f in fields})
        if every:
            self.everywhere = {f: p for f, p in every[0].items() if all(f in x for x in every)}

    @staticmethod
    def slots_of(words):
        for word in words:
            group, at, channels = word.partition("@")
            yield from (group + at + c for c in channels.split(","))

    @staticmethod
    def place(text):
        low, _, high = text.partition("..")
        return int(low), int(high or low) - int(low) + 1

    def take(self, words):
        kind, name = words[0], words[1]
        if kind == "protocol":
            self.name = name
        elif kind == "slots":
            self.slots += self.slots_of(words[1:])
        elif kind == "field" and name == "opcode":
            self.opcode = self.place(words[2])
        elif kind == "field" and name == "header":
            self.bits = self.place(words[2])[1]
        elif kind == "field" and name == "address":
            self.address = (*self.place(words[2]), int(words[4]))
        elif kind == "type":
            self.take_type(name, words)
        elif kind == "pair":
            text, order, _ = (" ".join(words[2:]).replace(",", "") + "|").partition(" in order|")
            requests, answers, *keys = re.split(" -> | by ", text.rstrip("|"))
            self.pairs.append((name[:-1], requests.split(), answers.split(), " ".join(keys).split(),
                               bool(order)))

    def take_type(self, name, words):
        rest = [w for w in words[5:]]
        marks = [w for w in rest if w in ("address", "broadcast", "fields")]
        slots = rest[:rest.index(marks[0])] if marks else rest
        for slot in self.slots_of(slots):
            self.types[slot, int(words[3])] = name
        if "address" in marks:
            self.addressed.add(name)
        fields = " ".join(rest[rest.index("fields") + 1:]) if "fields" in marks else ""
        self.fields[name] = {f: self.place(p) for f, p in
                             (item.split() for item in fields.split(", ") if item)}

    @staticmethod
    def bits_of(header, place):
        return header >> place[0] & (1 << place[1]) - 1

    def type_of(self, packet):
        return self.types.get((packet.slot, self.bits_of(packet.header, self.opcode)))

    def values(self, packet):
        """The fields of a message, by name."""
        places = self.fields.get(self.type_of(packet), self.everywhere)
        return {name: self.bits_of(packet.header, place) for name, place in places.items()}

    def line(self, packet):
        """The byte address of a message's line, or None."""
        if self.type_of(packet) not in self.addressed:
            return None
        return self.bits_of(packet.header, self.address) * self.address[2]


def labels_of(batch):
    if "lines" not in batch:
        return ",".join(batch["labels"])
    lines = [(x.pop("label"), *x.items()) for x in batch["lines"]]
    return ",".join(f"{label}@{v}" if k == "address" else f"{label}@{k}={v}"
                    for label, (k, v) in lines)


def wanted(path):
    """The packets for the batches in nfarun's JSON."""
    for line in open(path):
        batch = json.loads(line)
        if "lost" in batch:
            lost = batch["lost"]
            yield Packet(LOSS, batch["time"], None, UNKNOWN if lost is None else lost, "",
                         False, False, False, False, f"lost messages: {'?' if lost is None else lost}")
            continue
        labels = labels_of(batch)
        rest = (labels, batch.get("tick", False), batch.get("end", False),
                batch.get("damaged", False), False, f"accepted: {labels}" if labels else "")
        if not batch["messages"]:
            yield Packet(TIME, batch["time"], None, 0, *rest)
        for m in batch["messages"]:
            yield Packet(MESSAGE, batch["time"], m["slot"], int(m["header"], 16), *rest)


# ---- pcapng ----

def options(data):
    """The options at the end of a block, as pairs of code and bytes."""
    while data:
        code, n = struct.unpack_from("<HH", data)
        if code == 0:
            assert n == 0 and len(data) == 4, "something follows the last option"
            return
        yield code, data[4:4 + n]
        assert not any(data[4 + n:4 + n + -n % 4]), "padding is not zero"
        data = data[4 + n + -n % 4:]


def blocks(path):
    """The blocks of a file, as pairs of type and content."""
    data = open(path, "rb").read()
    while data:
        kind, n = struct.unpack_from("<II", data)
        assert n % 4 == 0 and n <= len(data), "a block has a wrong length"
        assert struct.unpack_from("<I", data, n - 4)[0] == n, "the two lengths of a block differ"
        yield kind, data[8:n - 4]
        data = data[n:]


class Pcapng:
    """A pcapng trace: `section` and `interface` are options of these blocks, and `packets` pairs of
    a time in nanoseconds and a Packet."""

    def __init__(self, path, protocol):
        first, second, *rest = blocks(path)
        assert first[0] == 0x0a0d0d0a and first[1][:8] == bytes.fromhex("4d3c2b1a01000000")
        assert second[0] == 1 and struct.unpack_from("<HHI", second[1]) == (147, 0, 0)
        self.section = list(options(first[1][16:]))
        self.interface = dict(options(second[1][8:]))
        self.protocol = protocol
        self.numbers = set() # by which dissectors know the protocol
        self.packets = [self.packet(kind, data) for kind, data in rest]

    def packet(self, kind, data):
        interface, high, low, n, original = struct.unpack_from("<IIIII", data)
        assert (kind, interface) == (6, 0) and n == original, "not a packet, or cut"
        comments = [text.decode() for code, text in options(data[20 + n + -n % 4:]) if code == 1]
        number, kind, flags, slot, zero, cycle, header = struct.unpack_from(">IBBBBQQ", data, 20)
        assert zero == 0 and flags < 16 and len(comments) <= 1
        self.numbers.add(number)
        return high << 32 | low, Packet(
            kind, cycle, self.protocol.slots[slot] if kind == MESSAGE else None, header,
            data[44:20 + n].decode(), bool(flags & 1), bool(flags & 2), bool(flags & 4),
            bool(flags & 8), "".join(comments))

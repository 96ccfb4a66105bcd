# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""bus.py ace EVENTS WAVE SEED [FLAW]: writes the waveform of the ACE port of a front end, to whose
ports the events of a run of nfavirt came (rtl/events.h). Requests and snoops wait and overlap at
random. FLAW leaves something out or changes it. Prints of each snoop the cycle in
which it was answered, and its address."""
import random
import struct
import sys

INIT, WRITE, SNOOP, DVM, CLEAN, SEND, CLEANED, SENT = range(8)
TLBI_VA, TLBI_VA_LAST, TLBI_ASID, TLBI_ALL, ICACHE_VA, SYNC = range(6)


def events(path):
    with open(path, "rb") as f:
        data = f.read()
    at = 0
    while at < len(data):
        what, address, value, more, answer = struct.unpack_from("<5Q", data, at)
        at += 40
        line = None
        if what in (SNOOP, CLEANED):
            line = struct.unpack_from("<8Q", data, at)
            at += 64
        yield what, address, value, more, answer, line


class Wave:
    """Signals of one clock. What is not set in a cycle is 0 if it is a handshake, or else x."""

    RESTS = ("valid", "ready", "write", "done")

    def __init__(self, path, signals, clock, reset):
        self.file = open(path, "w")
        self.signals, self.now, self.cycle = signals, {}, 0
        self.id = {name: chr(35 + i) for i, name in enumerate(signals)}
        put = self.file.write
        put("$timescale 1ns $end\n$scope module top $end\n")
        put("$var wire 1 ! %s $end\n$var wire 1 \" %s $end\n" % (clock, reset))
        put("$scope module front $end\n")
        for name, bits in signals.items():
            put("$var wire %d %s m_%s [%d:0] $end\n" % (bits, self.id[name], name, bits - 1))
        self.rest = {name: "b%s %s\n" % ("0" if name.endswith(self.RESTS) else "x", self.id[name])
                     for name in signals}
        put("$upscope $end\n$upscope $end\n$enddefinitions $end\n#0\n0!\n0\"\n")
        put("".join(self.rest.values()))
        self.step({})
        self.step({})
        put('1"\n')

    def step(self, values):
        now, text = self.now, []
        for name in now.keys() - values.keys():
            text.append(self.rest[name])
        for name, value in values.items():
            if now.get(name) != value:
                text.append("b%s %s\n" % (format(value, "b"), self.id[name]))
        self.now = values
        self.cycle += 1
        text.append("#%d\n1!\n#%d\n0!\n" % (10 * self.cycle - 5, 10 * self.cycle))
        self.file.write("".join(text))


def dvm_parts(kind, va, asid, rng):
    """The parts of a DVM message (IHI 0022, DVMv8)."""
    junk = rng.randrange(256) << 24 | 0x3 << 8 | 2 << 10
    asid_bits = (asid >> 8) << 32 | (asid & 255) << 16 | 1 << 5
    second = ((va >> 41 & 15) << 40 | (va >> 40 & 1) << 3 | va & 0xfffffff000)
    first = (va >> 45 & 7) << 40 | junk
    if kind == TLBI_VA:
        return [first | asid_bits | 1, second]
    if kind == TLBI_VA_LAST:
        return [first | asid_bits | 1 << 4 | 1, second]
    if kind == TLBI_ASID:
        return [junk | asid_bits]
    if kind == TLBI_ALL:
        return [junk]
    if kind == ICACHE_VA:
        return [first | asid_bits | 3 << 12 | 1, second | va & 0xff0]
    return [4 << 12 | 1 << 15]


class Ace:
    SIGNALS = {
        "acvalid": 1, "acready": 1, "acaddr": 44, "acsnoop": 4, "crvalid": 1, "crready": 1, "crresp": 5,
        "arvalid": 1, "arready": 1, "araddr": 44, "arsnoop": 4, "arid": 4,
        "rvalid": 1, "rready": 1, "rdata": 64, "rid": 4, "rlast": 1,
        "reg_write": 1, "reg_done": 1, "reg_addr": 12, "reg_data": 64,
    }

    def __init__(self, path, all_events, seed, flaw):
        self.rng = random.Random(seed)
        self.flaw = flaw
        self.wave = Wave(path, self.SIGNALS, "aclk", "aresetn")
        self.events = all_events
        self.at = 0
        self.waiting = []     # snoops that were accepted on AC, and not answered yet
        self.offered = None   # what is valid on AC and was not accepted
        self.come = self.snoops()
        self.next = next(self.come, None)
        self.run()

    def snoops(self):
        """What comes on AC: the number of the event that must come before, address and kind."""
        sent = 0
        for i, (what, address, value, more, answer, _) in enumerate(self.events):
            if what == SEND and answer:
                sent = i
            if what == SNOOP:
                kinds = {0: [0], 1: [1, 3], 2: [2], 3: [7], 4: [9, 13]}[value]
                yield i - 6, address, self.rng.choice(kinds)
            elif what == DVM:
                for part in dvm_parts(value, address, more, self.rng):
                    yield i - 6, part, 15
            elif what == SENT:
                yield sent, 0, 14

    def cycle(self, values):
        """One cycle, in which AC may go on by itself."""
        if self.offered is None and self.next and self.next[0] <= self.at and \
                len(self.waiting) < 8 and self.rng.random() < 0.6:
            self.offered = self.next[1:]
            self.next = next(self.come, None)
        if self.offered is not None:
            ready = self.rng.random() < 0.6
            values.update(acvalid=1, acready=int(ready), acaddr=self.offered[0],
                          acsnoop=self.offered[1])
            if ready:
                self.waiting.append(self.offered)
                self.offered = None
        self.wave.step(values)

    def idle(self):
        while self.rng.random() < 0.3:
            self.cycle({})

    def shake(self, channel, values):
        """A handshake. Returns the cycle in which it was done."""
        self.idle()
        while True:
            ready = self.rng.random() < 0.7
            self.cycle({channel + "valid": 1, channel + "ready": int(ready), **values})
            if ready:
                return self.wave.cycle - 1

    def ask(self, address, snoop, number):
        self.shake("ar", {"araddr": address, "arsnoop": snoop, "arid": number})

    def respond(self, number):
        self.shake("r", {"rdata": self.rng.getrandbits(64), "rid": number, "rlast": 1})

    def read(self, line, number, address):
        self.ask(address & ~63, 0, number)
        for i, word in enumerate(line):
            self.shake("r", {"rdata": word, "rid": number, "rlast": int(i == 7)})

    def answer(self):
        while not self.waiting:
            self.cycle({})
        self.waiting.pop(0)
        return self.shake("cr", {"crresp": self.rng.randrange(32)})

    def send(self, kind, va, asid):
        for part in [] if kind == SYNC else dvm_parts(kind, va, asid, self.rng):
            self.ask(part, 15, 2)
            self.respond(2)
        self.ask(dvm_parts(SYNC, 0, 0, self.rng)[0], 15, 2)
        self.respond(2)

    def run(self):
        cleaning, cleaned = 0, (0,) * 8
        for self.at, (what, address, value, more, answer, line) in enumerate(self.events):
            if what == WRITE:
                self.idle()
                if self.flaw != "registers":
                    for done in 0, 1:
                        self.cycle({"reg_write": 1, "reg_done": done, "reg_addr": address,
                                    "reg_data": value})
            elif what == SNOOP:
                while not self.waiting:
                    self.cycle({})
                if self.flaw != "lines":
                    self.read(line, 0, address)
                elif self.rng.random() < 0.5:  # another line, of the last table that was cleaned
                    self.read(cleaned, 0, address ^ 4096)
                print(self.answer(), hex(address))
            elif what == DVM:
                for _ in dvm_parts(value, address, more, self.rng):
                    self.answer()
                if value == SYNC:
                    self.ask(0, 14, 3)
                    self.respond(3)
            elif what == CLEAN and answer:
                cleaning = address ^ (1 << 30 if self.flaw == "cleans" else 0)
                self.ask(cleaning, 9, 1)
                self.respond(1)
            elif what == CLEANED:
                self.read(cleaned if self.flaw == "cleans" else line, 1, cleaning)
                if any(line):
                    cleaned = line
            elif what == SEND and answer:
                self.send(value, address, more)
            elif what == SENT:
                self.answer()
        self.wave.step({})


if __name__ == "__main__":
    flaw = sys.argv[5] if len(sys.argv) > 5 else ""
    Ace(sys.argv[3], list(events(sys.argv[2])), int(sys.argv[4]), flaw)

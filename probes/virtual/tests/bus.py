# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""bus.py BUS EVENTS WAVE SEED [FLAW]: writes the waveform of a port of a front end, to whose ports
the events of a run of nfavirt came (rtl/events.h). BUS is ace or eci. Requests and snoops wait and
overlap at random. FLAW leaves something out or changes it. Prints of each snoop the cycle in which
it was answered, and its line."""
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


class Port:
    """What all ports have: the events in their order, registers, and a memory that is read."""

    MEMORY = {"arvalid": 1, "arready": 1, "arid": 4,
              "rvalid": 1, "rready": 1, "rdata": 64, "rid": 4, "rlast": 1}
    REGISTERS = {"reg_write": 1, "reg_done": 1, "reg_addr": 12, "reg_data": 64}

    def __init__(self, path, all_events, seed, flaw):
        self.rng = random.Random(seed)
        self.flaw = flaw
        self.wave = Wave(path, {name: bits for name, bits in self.SIGNALS.items()
                                if flaw != "ginv" or not name.startswith(("dvm_", "send_"))},
                         *self.CLOCK)
        self.events = all_events
        self.at = 0
        self.come = self.snoops()
        self.next = next(self.come, None)

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

    def read(self, line, number, address):
        self.ask(address & ~63, 0, number)
        for i, word in enumerate(line):
            self.shake("r", {"rdata": word, "rid": number, "rlast": int(i == len(line) - 1)})

    def answered(self, cycle, address):
        print(cycle, hex(address & ~63))

    def run(self):
        cleaning, self.cleaned = 0, (0,) * 8
        for self.at, (what, address, value, more, answer, line) in enumerate(self.events):
            if what == WRITE:
                self.idle()
                if self.flaw != "registers":
                    for done in 0, 1:
                        self.cycle({"reg_write": 1, "reg_done": done, "reg_addr": address,
                                    "reg_data": value})
            elif what == SNOOP:
                self.snoop(address, line)
            elif what == DVM:
                self.dvm(value, address, more)
            elif what == CLEAN and answer:
                cleaning = address ^ (1 << 30 if self.flaw == "cleans" else 0)
                self.clean(cleaning)
            elif what == CLEANED:
                self.read(self.cleaned if self.flaw == "cleans" else line, 1, cleaning)
                if any(line):
                    self.cleaned = line
            elif what == SEND and answer:
                self.send(value, address, more)
            elif what == SENT:
                self.sent()
        self.wave.step({})


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


class Ace(Port):
    SIGNALS = {
        "acvalid": 1, "acready": 1, "acaddr": 44, "acsnoop": 4,
        "crvalid": 1, "crready": 1, "crresp": 5, "araddr": 44, "arsnoop": 4, **Port.MEMORY, **Port.REGISTERS,
    }
    CLOCK = "aclk", "aresetn"

    def __init__(self, *given):
        self.waiting = []     # snoops that were accepted on AC, and not answered yet
        self.offered = None   # what is valid on AC and was not accepted
        super().__init__(*given)
        self.crowd = int(self.flaw[5:]) if self.flaw.startswith("crowd") else 0

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
        if self.offered is None and self.next and len(self.waiting) < (self.crowd or 8) and \
                (self.next[0] <= self.at or self.crowd) and self.rng.random() < 0.6:
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

    def ask(self, address, snoop, number):
        self.shake("ar", {"araddr": address, "arsnoop": snoop, "arid": number})

    def respond(self, number):
        self.shake("r", {"rdata": self.rng.getrandbits(64), "rid": number, "rlast": 1})

    def answer(self):
        while not self.waiting:
            self.cycle({})
        cycle = self.shake("cr", {"crresp": self.rng.randrange(32)})
        self.waiting.pop(0)
        return cycle

    def snoop(self, address, line):
        while len(self.waiting) < (self.crowd or 1) and self.next:
            self.cycle({})
        if self.flaw != "lines":
            self.read(line, 0, address)
        elif self.rng.random() < 0.5:  # another line, of the last table that was cleaned
            self.read(self.cleaned, 0, address ^ 4096)
        self.answered(self.answer(), address)

    def dvm(self, kind, va, asid):
        for _ in dvm_parts(kind, va, asid, self.rng):
            self.answer()
        if kind == SYNC:
            self.ask(0, 14, 3)
            self.respond(3)

    def clean(self, address):
        self.ask(address, 9, 1)
        self.respond(1)

    def send(self, kind, va, asid):
        for part in [] if kind == SYNC else dvm_parts(kind, va, asid, self.rng):
            self.ask(part, 15, 2)
            self.respond(2)
        self.ask(dvm_parts(SYNC, 0, 0, self.rng)[0], 15, 2)
        self.respond(2)

    def sent(self):
        self.answer()


RLDD, RLDI, RLDT, RLDY, RLDWB, RLDX, RC2D_O, RC2D_S = range(8)
PSHA, PEMD, GINV, GSYNC = 9, 10, 20, 24


def hashed(address):
    """An address of 40 bits as headers have it."""
    at = address >> 7
    h = at & 0x1ffffe000
    h |= (at >> 8 & 31 ^ at >> 13 & 31) << 8
    h |= (at >> 5 & 7 ^ at >> 18 & 7) << 5
    h |= (at >> 3 & 3 ^ at >> 16 & 3 ^ at >> 5 & 3) << 3
    h |= at & 7 ^ at >> 13 & 7 ^ at >> 5 & 7
    return h << 7 | address & 127


class Eci(Port):
    SIGNALS = {
        "rx_valid": 1, "rx_ready": 1, "rx_first": 1, "rx_vc": 4, "rx_data": 64,
        "tx_valid": 1, "tx_ready": 1, "tx_first": 1, "tx_vc": 4, "tx_data": 64,
        "araddr": 40, "dvm_kind": 3, "dvm_va": 36, "dvm_asid": 16,
        "send_kind": 3, "send_va": 42, "send_asid": 16, **Port.MEMORY, **Port.REGISTERS,
    }
    CLOCK = "clk", "rst_n"

    def __init__(self, *given):
        self.words = []     # that wait on rx, with the snoop that they ask for
        self.open = {}      # by event: snoops that were accepted on rx, and not answered yet
        self.second = {}    # by event: that of the other half of the line, in the same request
        super().__init__(*given)

    def snoops(self):
        """What is asked for on rx: the number of the event that must come before, that of the
        snoop, its address and kind, and the quarters. Some are asked for in another order."""
        reads = []
        for i, (what, address, value, _, _, _) in enumerate(self.events):
            if what == SNOOP:
                before = reads[-1] if reads else None
                if before and before[4] in (3, 12) and value == before[3] and \
                        address & 63 == 0 and address ^ before[2] & ~63 == 64 and \
                        all(e[0] in (CLEAN, SEND) and not e[4]
                            for e in self.events[before[1] + 1:i]):
                    before[4] = 15
                    self.second[before[1]] = i
                    continue
                half = 2 * (address >> 6 & 1)
                quarters = 1 << (address >> 5 & 3) if self.rng.random() < 0.2 else 3 << half
                reads.append([i - 6, i, address, value, quarters])
        for i in range(len(reads) - 1):
            if self.rng.random() < 0.3:
                reads[i], reads[i + 1] = reads[i + 1], reads[i]
                reads[i][0] = min(reads[i][0], reads[i + 1][0])
        return iter(reads)

    def header(self, vcs, opcode, address, number, dmask):
        line = hashed(address) | self.rng.getrandbits(1) << 45
        return [1, vcs + (~line >> 7 & 1), opcode << 59 | number << 50 | dmask << 46 | line]

    def data(self, header, n):
        return [header] + [[0, header[1], self.rng.choice((self.rng.getrandbits(64), header[2]))]
                           for _ in range(n)]

    def request(self):
        """The next request of a core."""
        _, i, address, kind, quarters = self.next
        self.next = next(self.come, None)
        opcode = self.rng.choice({0: [RLDT, RLDY], 1: [RLDD], 2: [RLDI], 3: [RLDX, RLDWB, RC2D_S],
                                  4: [RC2D_S, RC2D_O, RLDWB]}[kind])
        vcs = 2 if opcode in (RLDT, RLDY, RLDWB, RC2D_O) and self.rng.random() < 0.5 else 6
        taken = {number for number, line in self.open.values() if line == address >> 7}
        number = self.rng.choice([n for n in range(32) if n not in taken])
        dmask = 0 if kind == 4 and quarters == 15 and self.rng.random() < 0.5 else quarters
        header = self.header(vcs, opcode, address, number, dmask)
        self.words.append((header, i, number, address >> 7))

    def noise(self):
        """Words on rx that concern no snoop: lines that cores give back, I/O, other channels."""
        address = self.rng.choice(self.events)[1] & (1 << 40) - 1
        dmask = self.rng.randrange(16)
        word = self.rng.choice((
            self.header(4, self.rng.choice((0, 1, 3)), address, 0, dmask),
            self.header(10, self.rng.choice((2, 4, 5, 6, 7, 8)), address, 0, 0),
            [1, self.rng.choice((0, 1, 12, 13)), self.rng.getrandbits(64)]))
        self.words += [(x, None, 0, 0) for x in self.data(word, 4 * dmask.bit_count()
                                                          if word[1] in (4, 5) else 0)]

    def cycle(self, values):
        """One cycle, in which rx may go on by itself."""
        if not self.words and self.next and self.next[0] <= self.at and len(self.open) < 40 and \
                self.rng.random() < 0.6:
            self.request()
        if not self.words and self.rng.random() < 0.05:
            self.noise()
        if self.words and self.rng.random() < 0.8:
            ready = self.rng.random() < 0.6
            (first, vc, data), i, number, line = self.words[0]
            values.update(rx_valid=1, rx_ready=int(ready), rx_first=first, rx_vc=vc, rx_data=data)
            if first and data >> 59 == GINV and vc >> 1 == 3 and self.flaw != "ginv":
                values.update(dvm_kind=self.heard[0], dvm_va=self.heard[1] >> 12,
                              dvm_asid=self.heard[2])
            if ready:
                self.words.pop(0)
                if i is not None:
                    self.open[i] = number, line
        self.wave.step(values)

    def receive(self, header):
        """Something that counts when it is accepted."""
        while self.words:
            self.cycle({})
        self.words.append((header, None, 0, 0))
        while self.words and self.words[0][0] is header:
            self.cycle({})

    def transmit(self, words, **more):
        """Returns the cycle of the header."""
        cycle = None
        for first, vc, data in words:
            at = self.shake("tx_", {"tx_first": first, "tx_vc": vc, "tx_data": data,
                                    **(more if first and self.flaw != "ginv" else {})})
            cycle = at if cycle is None else cycle
        return cycle

    def ask(self, address, _, number):
        self.shake("ar", {"araddr": address, "arid": number})

    def snoop(self, address, line):
        if self.at in self.second.values():
            return
        while self.at not in self.open:
            self.cycle({})
        number, _ = self.open.pop(self.at)
        kind = self.events[self.at][2]
        other = self.second.get(self.at)
        if self.flaw == "lines":
            if self.rng.random() < 0.5:  # another line, of the last table that was cleaned
                self.read(self.cleaned, 0, address ^ 4096)
        elif other or self.rng.random() < 0.7:
            rest = self.events[other][5] if other else tuple(self.rng.getrandbits(64) for _ in line)
            self.read(rest + line if address & 64 else line + rest, 0, address & ~127)
        else:
            self.read(line, 0, address)
        half = self.rng.choice((3, 1 << (address >> 5 & 1))) << 2 * (address >> 6 & 1)
        quarters = 15 if other else half
        if self.rng.random() < 0.1:  # a line that the home itself takes back
            self.transmit([self.header(8, 14, address, self.rng.randrange(1, 64), 15)])
        if kind == 4:
            words = [self.header(10, PEMD, address & ~127, number, 0)]
        else:
            words = self.data(self.header(4, self.rng.choice((PSHA, PEMD)), address & ~127, number,
                                          quarters), 4 * quarters.bit_count())
        cycle = self.transmit(words)
        self.answered(cycle, address)
        if other:
            self.answered(cycle, address ^ 64)

    def dvm(self, kind, va, asid):
        if kind == SYNC:
            self.receive(self.header(6, GSYNC, self.rng.getrandbits(40), 0, 0))
            self.transmit([self.header(10, GSYNC, 0, 0, 0)])
            return
        rng = self.rng
        if kind in (TLBI_ASID, TLBI_ALL):
            va = rng.getrandbits(48)
        self.heard = kind, va, rng.getrandbits(16) if kind == TLBI_ALL else asid
        self.receive(self.header(6, GINV, rng.getrandbits(40), 0, 0))

    def clean(self, address):
        self.transmit([self.header(8, self.rng.choice((11, 12, 13, 14)), address & ~63, 0,
                                   self.rng.randrange(16))])

    def send(self, kind, va, asid):
        if kind != SYNC:
            self.transmit([self.header(6, GINV, self.rng.getrandbits(40), 0, 0)],
                          send_kind=kind, send_va=va >> 6, send_asid=asid)
        self.transmit([self.header(6, GSYNC, self.rng.getrandbits(40), 0, 0)])

    def sent(self):
        self.receive(self.header(10, GSYNC, self.rng.getrandbits(40), 0, 0))


if __name__ == "__main__":
    flaw = sys.argv[5] if len(sys.argv) > 5 else ""
    port = {"ace": Ace, "eci": Eci}[sys.argv[1]]
    port(sys.argv[3], list(events(sys.argv[2])), int(sys.argv[4]), flaw).run()

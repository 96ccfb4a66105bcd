# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""ntrace.py: encodes random walks through a program (etrace.py) as messages of N-Trace, after the
rules of the specification. It does not use the code of nfaperf.

ntrace.py traces ELF SEED <SETTINGS    traces of walks. Each line of the input is a file and its settings;
                                       the tokens of the walk go to FILE.truth
ntrace.py spoil ELF                    traces that cannot be right; prints names and offsets
ntrace.py inferred ELF                 a trace of jumps whose targets are loaded right before them

A SETTING is NAME=NUMBER, with the names in SETTINGS.
"""
import random
import struct
import sys

from etrace import SETTINGS as WALK, USER, decode, walk

SETTINGS = dict(WALK, **{
    # a history of this many outcomes (0: a message for each branch that is taken); halfwords in a message
    'history': 31, 'count': 60000,
    # whether a full history comes with an address, as if there were an indirect jump
    'full_address': 0,
    # whether histories and branches are repeated, and messages of ownership sent
    'repeated': 1, 'owned': 1,
    # entries of the stack of return addresses (0: none)
    'returns': 0,
    # messages between two synchronisations, and how often one comes on straight code (per mille)
    'resync': 50, 'straight': 0,
    # how often messages are lost (per mille); whether addresses are extended
    'losses': 0, 'extend_address': 0})
OWNERSHIP, DIRECT, INDIRECT, ERROR, SYNC, DIRECT_SYNC, INDIRECT_SYNC = 2, 3, 4, 8, 9, 11, 12
FULL, INDIRECT_HISTORY, INDIRECT_HISTORY_SYNC, REPEAT, ENDS = 27, 28, 29, 30, 33


class Message:
    """The bytes of a message."""
    def __init__(self, code, setting, source=0):
        self.bits, self.ends, self.setting = [], set(), setting
        self.fixed(code, 6)
        self.fixed(source, setting['source_width'])

    def fixed(self, value, width):
        self.bits += [value >> i & 1 for i in range(width)]
        return self

    def variable(self, value):
        """Sends the bits of the value that are needed, and more up to the end of a byte."""
        self.fixed(value, max(1, value.bit_length()))
        self.bits += [0] * (-len(self.bits) % 6)
        self.ends.add(len(self.bits) // 6 - 1)
        return self

    def address(self, value):
        """Sends an address without its lowest bit."""
        value >>= 1
        if not self.setting['extend_address']:
            return self.variable(value)
        width = -len(self.bits) % 6 or 6
        while (value >> width - 1 if value >> width - 1 & 1 == 0 else (value ^ (1 << 63) - 1) >> width - 1) != 0:
            width += 6
        self.fixed(value, width)
        self.ends.add(len(self.bits) // 6 - 1)
        return self

    def octets(self):
        last = len(self.bits) // 6 - 1
        assert len(self.bits) % 6 == 0 and last in self.ends
        return bytes(sum(bit << i for i, bit in enumerate(self.bits[6 * k:6 * k + 6])) << 2 |
                     (3 if k == last else 1 if k in self.ends else 0) for k in range(last + 1))


class Encoder:
    """One hart. Messages go to `out`."""
    def __init__(self, setting, rng, source=0):
        self.s, self.rng, self.source, self.out = setting, rng, source, []
        self.count, self.history, self.reference, self.since = 0, 1, 0, 0
        self.stack, self.owner = [], None
        self.last, self.times = None, 0          # the last branch message, and how often it was repeated
        self.pattern, self.patterns = None, 0    # a full history, and how often it came

    def message(self, code):
        return Message(code, self.s, self.source)

    def put(self, m):
        if self.s['stamps'] if 'stamps' in self.s else self.rng.random() < .3:
            m.variable(self.rng.getrandbits(self.rng.randrange(1, 64)))
        self.out.append(m.octets())
        self.since += 1

    def flush(self):
        if self.times:
            self.put(self.message(REPEAT).variable(self.times))
        self.last, self.times = None, 0
        self.flush_pattern()

    def flush_pattern(self):
        if self.patterns == 1:
            self.put(self.message(FULL).fixed(1, 4).variable(self.pattern))
        elif self.patterns:
            self.put(self.message(FULL).fixed(2, 4).variable(self.pattern).variable(self.patterns))
        self.pattern, self.patterns = None, 0

    def full_history(self):
        if self.patterns and (self.pattern != self.history or not self.s['repeated']):
            self.flush()
        elif not self.patterns:
            self.flush()
        self.pattern, self.patterns, self.history = self.history, self.patterns + 1, 1

    def full_count(self):
        self.flush()
        self.put(self.message(FULL).fixed(0, 4).variable(self.count))
        self.count = 0

    def own(self, cycle, force=False):
        """Says privilege and context, if they have changed."""
        owner = cycle.privilege, cycle.context
        if not self.s['owned'] or owner == self.owner and not force:
            return
        self.flush()
        whole = force or self.owner is None or self.owner[1] != cycle.context
        process = 2 | cycle.privilege << 2 | cycle.context << 5 if whole else cycle.privilege << 2
        self.put(self.message(OWNERSHIP).variable(process))
        self.owner = owner

    def synchronise(self, code, reason, address, kind=0):
        self.flush()
        m = self.message(code).fixed(reason, 4)
        if code in (INDIRECT_SYNC, INDIRECT_HISTORY_SYNC):
            m.fixed(kind, 2)
        m.variable(self.count).address(address)
        if code == INDIRECT_HISTORY_SYNC:
            m.variable(self.history)
        self.put(m)
        self.stack, self.since, self.count, self.history, self.reference = [], 0, 0, 1, address

    def branch(self, target):
        """A branch was taken, without a history."""
        if self.since > self.s['resync']:
            self.synchronise(DIRECT_SYNC, 2, target)
            return True
        if self.s['repeated'] and self.last == (DIRECT, self.count):
            self.times += 1
        else:
            self.flush()
            self.last = DIRECT, self.count
            self.put(self.message(DIRECT).variable(self.count))
        self.count = 0
        return False

    def indirect(self, kind, target):
        """An indirect jump, or a trap. Returns whether it synchronises."""
        histories = self.s['history'] and (self.history > 1 or self.rng.random() < .8)
        if self.since > self.s['resync']:
            self.synchronise(INDIRECT_HISTORY_SYNC if histories else INDIRECT_SYNC, 2, target, kind)
            return True
        same = kind, self.count, target, self.history
        if self.s['repeated'] and self.last == same and not self.patterns:
            self.times += 1
        else:
            self.flush()
            self.last = same
            m = self.message(INDIRECT_HISTORY if histories else INDIRECT).fixed(kind, 2)
            m.variable(self.count).address(self.reference ^ target)
            if histories:
                m.variable(self.history)
            self.put(m)
        self.count, self.history, self.reference = 0, 1, target
        return False

    def end(self, reason):
        self.flush()
        m = self.message(ENDS).fixed(reason, 4).fixed(1 if self.s['history'] else 0, 2).variable(self.count)
        if self.s['history']:
            m.variable(self.history)
        self.put(m)

    def is_implicit(self, cycle, target):
        """Keeps the stack of return addresses. Returns whether a return has no message."""
        kind = cycle.instruction.kind
        if kind in ('call', 'calls') and self.s['returns']:
            del self.stack[:max(0, len(self.stack) + 1 - self.s['returns'])]
            self.stack.append(cycle.pc + cycle.instruction.size)
        elif kind == 'return' and self.stack and self.stack[-1] == target:
            self.stack.pop()
            return True
        return False


def retire(e, now, after):
    """Encodes an instruction that retires. Returns whether a message has synchronised."""
    kind = now.instruction.kind
    e.count += now.instruction.size // 2
    if kind == 'branch' and e.s['history']:
        e.history = e.history << 1 | int(now.taken)
        if e.history.bit_length() > e.s['history']:
            if e.s['full_address']:
                return e.indirect(0, after.pc)
            e.full_history()
    elif kind == 'branch' and now.taken:
        return e.branch(after.pc)
    implicit = e.is_implicit(now, after.pc)
    if kind in ('calls', 'jumps', 'swap', 'back', 'return') and not implicit:
        return e.indirect(0, after.pc)
    if e.count > e.s['count']:
        e.full_count()
    if e.rng.randrange(1000) < e.s['straight']:
        e.synchronise(INDIRECT_HISTORY_SYNC if e.s['history'] else SYNC, e.rng.choice([0, 2, 4, 6]), after.pc)
        return True
    return False


def encode(cycles, e, code):
    """Encodes the cycles of a hart. Marks as untraced what no message tells."""
    on, lost = False, 0
    for i, now in enumerate(cycles):
        after = cycles[i + 1] if i + 1 < len(cycles) else None
        if lost:
            lost -= 1
            now.untraced = True
            on = on and lost > 0
            if not on and lost == 0:
                e.put(e.message(ERROR).fixed(0, 4).variable(4))
            continue
        if now.untraced:
            continue
        if not on:
            e.history, e.count, e.owner = 1, 0, None
            e.last, e.times, e.pattern, e.patterns = None, 0, None, 0
            e.synchronise(SYNC, e.rng.choice([3, 5, 7]), now.pc)
            e.own(now, True)
            on = True
        ecall = now.instruction is not None and now.instruction.kind == 'trap'
        if after is None or after.untraced:
            if ecall:
                now.untraced = True
            elif now.instruction is not None:
                e.count += now.instruction.size // 2
                if now.instruction.kind == 'branch' and e.s['history']:
                    e.history = e.history << 1 | int(now.taken)
            e.end(4)
            on = False
            continue
        if now.instruction is None or ecall:
            odd = code[now.pc].kind == 'trap' and not ecall
            synced = e.indirect(3 if odd else 2 if now.trap == 'exception' else 3, after.pc)
        else:
            synced = retire(e, now, after)
        e.own(after, synced)
        if e.rng.randrange(1000) < e.s['losses']:
            lost = e.rng.randint(2, 60)
    return e


def trace(program, seed, path, setting):
    """Writes a trace of all harts, with padding and messages of others between, and the truth."""
    rng = random.Random(f'{seed} {path}')
    code, symbols = program
    streams, tokens = [], []
    for hart in range(setting['harts']):
        cycles, count, gap = walk(rng, code, symbols, setting), 0, False
        streams.append(encode(cycles, Encoder(setting, rng, hart), code).out)
        for i, c in enumerate(cycles):
            gap = gap or c.untraced
            if c.instruction is not None and not c.untraced:
                high = 8 << 60 if c.pc >> 63 else 0
                privilege = c.privilege if setting['owned'] else int(high != 0)
                satp = high if privilege else c.context if setting['owned'] else 0
                tokens.append(struct.pack('<QQQIBBH', c.pc, count, satp, c.instruction.bits, privilege,
                                          2 if gap and count else 0, hart))
                count, gap = count + 1, False
    with open(path, 'wb') as file:
        while any(streams):
            stream = rng.choice([s for s in streams if s])
            file.write(stream.pop(0))
            if rng.random() < .1:
                file.write(b'\xff' * rng.randint(1, 3))
            if rng.random() < .05:
                m = Message(rng.choice([5, 56, 62]), setting, rng.randrange(setting['harts']))
                file.write(m.variable(rng.getrandbits(90)).octets())
    with open(path + '.truth', 'wb') as file:
        file.write(b''.join(tokens))


def spoiled(kind, symbols, e):
    """Makes a trace whose last message is wrong."""
    at = symbols['fork' if kind in ('branches', 'more', 'direct') else 'spin' if kind == 'never' else 'straight']
    e.synchronise(SYNC, 3, at)
    if kind == 'within':        # the third instruction has four bytes
        e.out.append(e.message(SYNC).fixed(2, 4).variable(3).address(at).octets())
    elif kind == 'target':
        e.out.append(e.message(SYNC).fixed(2, 4).variable(1).address(at).octets())
    elif kind == 'jump':        # past the jump at its end
        e.out.append(e.message(DIRECT).variable(500).octets())
    elif kind == 'none':
        e.out.append(e.message(INDIRECT).fixed(0, 2).variable(1).variable(0).octets())
    elif kind == 'direct':      # no branch at all
        e.out.append(e.message(DIRECT).variable(0).octets())
    elif kind == 'branches':
        e.out.append(e.message(INDIRECT_HISTORY).fixed(2, 2).variable(4).variable(0).variable(2).octets())
    elif kind == 'more':
        e.out.append(e.message(INDIRECT_HISTORY).fixed(2, 2).variable(2).variable(0).variable(9).octets())
    elif kind == 'fewer':
        e.out.append(e.message(FULL).fixed(2, 4).variable(2).variable(3).octets())
    elif kind == 'never':
        e.out.append(e.message(FULL).fixed(1, 4).variable(2).octets())
    elif kind == 'history':
        e.out.append(e.message(FULL).fixed(1, 4).variable(0).octets())
    elif kind == 'wide':
        e.out.append(e.message(DIRECT).variable(1 << 23).octets())
    elif kind == 'repeat':
        e.out.append(e.message(REPEAT).variable(3).octets())
    elif kind == 'privilege':
        e.out.append(e.message(OWNERSHIP).variable(8).octets())
    elif kind == 'owner':
        e.out.append(e.message(OWNERSHIP).variable(1).octets())
    elif kind == 'short':
        e.out.append(bytes([SYNC << 2, 3]))
    elif kind == 'begin':
        e.out.append(bytes([SYNC << 2 | 1, 3]))
    elif kind == 'end':
        e.out.append(bytes([SYNC << 2, 2, 3]))
    elif kind == 'long':
        e.out.append(bytes([62 << 2] + [0] * 300))
    elif kind == 'first':       # nothing says where the program is
        e.out[:] = [e.message(DIRECT).variable(3).octets()]
    return e.out


def spoil(elf):
    """Writes good messages and a bad one. Prints the offset of the bad one."""
    symbols = decode(elf)[1]
    for kind in ('within', 'target', 'jump', 'none', 'direct', 'branches', 'more', 'never', 'history', 'wide', 'repeat',
                 'privilege', 'owner', 'short', 'begin', 'end', 'long', 'first'):
        out = spoiled(kind, symbols, Encoder(dict(SETTINGS, stamps=0), random.Random(0)))
        with open('bad.' + kind, 'wb') as file:
            file.write(b''.join(out))
        print(kind, sum(map(len, out[:-1])))


def inferred(elf):
    """Writes a message that counts through all instructions from `first`, in the order of their labels."""
    code, symbols = decode(elf)
    order = sorted((name, at) for name, at in symbols.items() if name.startswith('step'))
    e = Encoder(dict(SETTINGS, stamps=0), random.Random(0))
    e.synchronise(SYNC, 3, order[0][1])
    path = []
    for _, at in order:
        while True:
            path.append((at, code[at]))
            e.count += code[at].size // 2
            if code[at].kind == 'jumps':
                break
            at += code[at].size
    e.end(0)
    with open('inferred', 'wb') as file:
        file.write(b''.join(e.out))
    with open('inferred.truth', 'wb') as file:
        for i, (at, x) in enumerate(path):
            file.write(struct.pack('<QQQIBBH', at, i, 0, x.bits, USER, 0, 0))


def traces(elf, seed):
    """Writes the traces that the input lists."""
    program = decode(elf)
    for line in sys.stdin:
        path, *words = line.split()
        setting = dict(SETTINGS)
        for word in words:
            name, value = word.split('=')
            assert name in setting, name
            setting[name] = int(value)
        trace(program, seed, path, setting)


if __name__ == '__main__':
    {'traces': traces, 'spoil': spoil, 'inferred': inferred}[sys.argv[1]](*sys.argv[2:])

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""etrace.py: walks at random through a program, and encodes the walk as packets of E-Trace, after the
flow chart of the specification. It does not use the code of nfaperf. binutils decode the program.

etrace.py program SEED >SOURCE.S              a random program
etrace.py traces ELF SEED <SETTINGS           traces of walks. Each line of the input is a file and its
                                              settings; the tokens of the walk go to FILE.truth
etrace.py compare FILE...                     whether each hart in FILE.got has the tokens of the truth
etrace.py inside FILE...                      whether each hart has only tokens of the truth, in order,
                                              with their instructions; those from HIDDEN on without
etrace.py spoil ELF                           traces that cannot be right; prints names and offsets

A SETTING is NAME=NUMBER: a parameter of nfaperf's --encoder, or one of the names in SETTINGS.
"""
import random
import re
import struct
import subprocess
import sys

SETTINGS = {'iaddress_width': 64, 'iaddress_lsb': 1, 'privilege_width': 2, 'ecause_width': 4,
            'context_width': 0, 'time_width': 0, 'return_stack_size': 0, 'call_counter_size': 0,
            'source_width': 0, 'timestamp_width': 0,
            # how many instructions and harts, how often traps come and returns go astray (per mille)
            'steps': 3000, 'harts': 1, 'traps': 10, 'astray': 0,
            # full addresses, no shortened packets, packets between two synchronisations
            'full': 0, 'long': 0, 'resync': 1000,
            # how often tracing is switched off for some instructions (per mille)
            'pauses': 0,
            # how often an indirect jump goes back to where the program just was, and how often others go
            # to where it does that (per mille)
            'again': 0}
USER, MACHINE = 0, 3
HIDDEN = 0x80010000    # a test leaves out the code from here on


# ---- programs ----

def function(rng, number, count):
    """Returns the lines of a function with random jumps. Each loop has a branch or an indirect jump: a
    trace does not tell how often other loops ran."""
    labels = rng.randint(3, 8)
    lines = [f'\t.type f{number}, @function', f'f{number}:', f'\tbnez a0, .L{number}_{rng.randrange(labels)}']
    for label in range(labels):
        lines.append(f'.L{number}_{label}:')
        for _ in range(rng.randint(1, 4)):
            other = rng.randrange(count)
            lines.append('\t' + rng.choice([
                'addi a0, a0, 1', 'add a1, a1, a0', 'lui a2, 0x12345', 'ld a3, 0(sp)', 'mul a4, a4, a0',
                f'bnez a0, .L{number}_{rng.randrange(labels)}', f'beq a0, a1, .L{number}_{rng.randrange(labels)}',
                f'bltu a1, a5, .L{number}_{rng.randrange(labels)}',
                f'jal ra, f{other}', f'jal t0, f{other}', f'call f{other}', 'jalr ra, 0(a6)', 'jalr a6',
                f'j .L{number}_{rng.randrange(label + 1, labels)}' if label + 1 < labels else 'nop',
                'ecall', 'ebreak']))
        if rng.random() < .2:
            lines.append(rng.choice(['\tjr a6', '\tjr t0', '\tret', f'\tj f{rng.randrange(number, count)}']))
    return lines + ['\tret' if number % 3 else '\tjr t0']


def program(seed):
    """Prints a random program. A trap's handler has branches and calls, too."""
    rng = random.Random(seed)
    count = 12
    print('\t.globl _start\n_start:')
    for number in range(count):
        print('\t.section .hidden, "ax"' if number == 9 else '', '\n'.join(function(rng, number, count)), sep='\n')
    print('\t.text\nstraight:\n\taddi a0, a0, 1\n\tadd a1, a1, a0\n\tlui a2, 0x12345\n\tadd a1, a1, a0\n\tjr a6\nspin:\n\tj spin\nfork:\n\tbnez a0, spin\n\tbnez a1, spin\n\tj spin')
    for number in range(2):
        print('\t.section .hidden, "ax"' if number else '\t.text', f'\t.type handler{number}, @function\nhandler{number}:\n\taddi a0, a0, 1\n\tbnez a0, .Lh{number}\n'
              f'\tcall f{number}\n.Lh{number}:\n\tmret', sep='\n')


class Instruction:
    """What a walk needs to know: how long it is, what it does, and where it goes."""
    def __init__(self, bits, size, name, operands):
        self.bits, self.size, self.kind, self.target = bits, size, 'plain', None
        name = name.removeprefix('c.')
        numbers = re.findall(r'\b([0-9a-f]+)(?: <|$)', operands)
        registers = operands.split(',')
        if name in ('beq', 'bne', 'blt', 'bge', 'bltu', 'bgeu', 'beqz', 'bnez'):
            self.kind, self.target = 'branch', int(numbers[-1], 16)
        elif name in ('jal', 'j'):
            link = registers[0] in ('ra', 't0') if name == 'jal' else False
            self.kind, self.target = ('call' if link else 'jump'), int(numbers[-1], 16)
        elif name in ('jalr', 'jr'):
            source = re.search(r'\(?(\w+)\)?$', operands.split('#')[0].strip())[1]
            to = 'zero' if name == 'jr' else registers[0] if len(registers) > 1 else 'ra'
            if to in ('ra', 't0'):
                swap = source in ('ra', 't0') and source != to
                self.kind = 'swap' if swap else 'calls'
            else:
                self.kind = 'return' if source in ('ra', 't0') else 'jumps'
        elif name in ('ecall', 'ebreak', 'mret'):
            self.kind = 'back' if name == 'mret' else 'trap'


def decode(elf):
    """Returns {address: Instruction} and {symbol: address}."""
    text = subprocess.run(['riscv64-linux-gnu-objdump', '-d', '-M', 'no-aliases', elf], check=True,
                          capture_output=True, text=True).stdout
    code, symbols = {}, {}
    for line in text.splitlines():
        if match := re.match(r'([0-9a-f]+) <(.+)>:$', line):
            symbols[match[2]] = int(match[1], 16)
        elif match := re.match(r' *([0-9a-f]+):\t([0-9a-f]+) +\t(\S+)\t?(.*)', line):
            code[int(match[1], 16)] = Instruction(int(match[2], 16), len(match[2]) // 2, match[3],
                                                  match[4].split('#')[0].strip())
    return code, symbols


# ---- walks ----

class Cycle:
    """An instruction that retires, or a trap that is taken (or both)."""
    def __init__(self, pc, instruction, privilege, context):
        self.pc, self.privilege, self.context = pc, privilege, context
        self.instruction = instruction    # None: only a trap
        self.trap = None                  # 'exception' or 'interrupt'
        self.taken = False                # for a branch
        self.untraced = False
        self.predicted = False            # a return whose target is implicit


def walk(rng, code, symbols, setting):
    """Returns the cycles of a random walk."""
    functions = [at for name, at in symbols.items() if re.match(r'f\d+$', name)]
    places = [at for at in sorted(code) if not symbols['spin'] <= at < symbols['handler0']]
    handlers = [symbols['handler0'], symbols['handler1']]
    pc, privilege, context, links, saved, cycles = functions[0], MACHINE, 0, [], [], []
    if setting['context_width']:
        privilege, context = USER, rng.randrange(1 << setting['context_width'])
    off, straight = 0, []
    while len(cycles) < setting['steps']:
        x = code[pc]
        back = bool(cycles) and cycles[-1].instruction and cycles[-1].instruction.kind == 'back'
        if cycles and not back and not off and rng.randrange(1000) < setting['traps']:
            cycles.append(Cycle(pc, None, privilege, context))
            cycles[-1].trap = rng.choice(['exception', 'interrupt'])
            saved.append((pc, privilege))
            pc, privilege = rng.choice(handlers), MACHINE
            if rng.randrange(10) == 0:    # another trap, before the handler begins
                cycles.append(Cycle(pc, None, privilege, context))
                cycles[-1].trap = 'interrupt'
                saved.append((pc, privilege))
                pc = rng.choice(handlers)
            x = code[pc]
        c = Cycle(pc, x, privilege, context)
        cycles.append(c)
        off = off - 1 if off else rng.randint(1, 30) if rng.randrange(1000) < setting['pauses'] else 0
        c.untraced = off > 0
        following = pc + x.size
        straight = straight + [pc] if straight and straight[-1] + code[straight[-1]].size == pc else [pc]
        if x.kind in ('call', 'calls'):
            links.append(following)
        if x.kind == 'branch':
            c.taken = rng.random() < .5
            pc = x.target if c.taken else following
        elif x.kind in ('jump', 'call'):
            pc = x.target
        elif x.kind == 'return':
            pc = links.pop() if links else rng.choice(functions)
            if rng.randrange(1000) < setting['astray']:
                pc = rng.choice(places)
        elif x.kind == 'calls':
            pc = rng.choice(functions)
        elif x.kind in ('jumps', 'swap'):
            pc = rng.choice(places)
        elif x.kind == 'trap':
            c.trap = 'exception'
            saved.append((following, privilege))
            pc, privilege = rng.choice(handlers), MACHINE
        elif x.kind == 'back':
            pc, privilege = saved.pop() if saved else (rng.choice(functions), USER)
            if privilege == USER and setting['context_width']:
                context = rng.randrange(1 << setting['context_width'])
        else:
            pc = following
        if x.kind in ('return', 'calls', 'jumps', 'swap') and rng.randrange(1000) < setting['again']:
            pc = rng.choice(straight) if x.kind == 'jumps' else symbols['straight']
        if len(links) > 40:
            del links[:20]
    return cycles


# ---- packets ----

class Bits:
    """The bits of a packet, the lowest one first."""
    def __init__(self):
        self.bits = []

    def put(self, value, width):
        self.bits += [value >> i & 1 for i in range(width)]

    def flag(self, differs):
        self.bits.append(self.bits[-1] ^ int(differs))


class Encoder:
    """One hart. Each packet goes to `send` as (bits of its payload)."""
    def __init__(self, setting, send):
        self.s, self.send_bits = setting, send
        self.branches, self.last, self.count = [], 0, 0
        self.stack = []
        self.returned = self.branched = False    # since the last call; since the last return
        self.implicit = bool(setting['return_stack_size'] or setting['call_counter_size'])
        self.limit = (1 << setting['return_stack_size'] if setting['return_stack_size'] else
                      (1 << setting['call_counter_size']) - 1)

    def send(self, bits):
        self.send_bits(bits.bits)
        self.branches = []
        self.count += 1

    def support(self, qualification, enabled):
        b = Bits()
        for value, width in ((3, 2), (3, 2), (enabled, 1), (0, 1), (qualification, 2),
                             (int(self.implicit) | self.s['full'] << 2, 5), (0, 6)):
            b.put(value, width)
        self.send(b)

    def where(self, b, cycle):
        b.put(cycle.privilege, self.s['privilege_width'])
        b.put(0x123456789, self.s['time_width'])
        b.put(cycle.context, self.s['context_width'])

    def address_bits(self, value):
        width = self.s['iaddress_width']
        return value % (1 << width) >> self.s['iaddress_lsb'], width - self.s['iaddress_lsb']

    def synchronise(self, cycle, trap=None, handler=True):
        b = Bits()
        b.put(3, 2)
        b.put(0 if trap is None else 1, 2)
        branch = cycle.instruction is not None and cycle.instruction.kind == 'branch'
        b.put(int(not (branch and cycle.taken)), 1)
        self.where(b, cycle)
        if trap is not None:
            b.put(5, self.s['ecause_width'])
            b.put(int(trap == 'interrupt'), 1)
            b.put(int(handler), 1)
        b.put(*self.address_bits(cycle.pc))
        if trap == 'exception':
            b.put(0xdeadbeefcafe, self.s['iaddress_width'])
        self.last, self.stack = cycle.pc, []
        self.returned = self.branched = False
        self.send(b)
        self.count = 0

    def context(self, cycle):
        b = Bits()
        b.put(3, 2)
        b.put(2, 2)
        self.where(b, cycle)
        self.send(b)

    def map(self, b, size):
        b.put(sum(int(not taken) << i for i, taken in enumerate(self.branches)), size)

    def report(self, cycle, updiscon=False, depth=None):
        b, n = Bits(), len(self.branches)
        b.put(1 if n else 2, 2)
        if n:
            b.put(n, 5)
            self.map(b, next(size for size in (1, 3, 7, 15, 31) if n <= size))
        b.put(*self.address_bits(cycle.pc if self.s['full'] else cycle.pc - self.last))
        b.flag(False)
        b.flag(updiscon)
        b.flag(depth is not None)
        width = self.s['return_stack_size'] + (self.s['return_stack_size'] > 0) + self.s['call_counter_size']
        b.put((-1 if b.bits[-1] else 0) if depth is None else depth, width)
        self.last = cycle.pc
        self.send(b)

    def report_map(self):
        b = Bits()
        b.put(1, 2)
        b.put(0, 5)
        self.map(b, 31)
        self.send(b)

    def depth(self, previous):
        """Returns the depth that a report of the current instruction must have, or None. The
        specification leaves out a depth of 0 after a return; then the address may be ambiguous."""
        if not self.implicit:
            return None
        if previous is not None and previous.predicted:
            return len(self.stack)
        return len(self.stack) if self.returned and not self.branched else None

    def retire(self, cycle, target):
        """Keeps the stack of return addresses. `target` is where the program goes on."""
        kind = cycle.instruction.kind
        if kind == 'branch':
            self.branched = True
        if not self.implicit:
            return
        if kind in ('call', 'calls'):
            del self.stack[:max(0, len(self.stack) + 1 - self.limit)]
            self.stack.append(cycle.pc + cycle.instruction.size)
            self.returned = False
        elif kind == 'return' and self.stack:
            cycle.predicted = self.stack[-1] == target or not self.s['return_stack_size']
            if cycle.predicted:
                self.stack.pop()
                self.returned, self.branched = True, False


def encode(cycles, setting, send):
    """Encodes the cycles of a hart."""
    e, reported = Encoder(setting, send), False
    e.support(0, 1)
    astray = None                         # depth of the stack at a return that went elsewhere
    for i, now in enumerate(cycles):
        before = cycles[i - 1] if i else None
        after = cycles[i + 1] if i + 1 < len(cycles) else None
        if now.untraced:
            continue
        first = before is None or before.untraced
        reported = reported and not first
        kind = now.instruction.kind if now.instruction else None
        jumped = not first and before.instruction is not None and not before.trap and (
            before.instruction.kind in ('jumps', 'calls', 'swap', 'back') or
            before.instruction.kind == 'return' and not before.predicted)
        if kind == 'branch':
            e.branches.append(now.taken)
        trap_follows = after is not None and after.instruction is None
        changes = after is not None and after.privilege != now.privilege
        last = after is None or after.untraced
        synchronises = now.trap is not None or trap_follows or changes or e.count == setting['resync'] or last
        if not first and before.trap:
            if now.instruction is None:
                e.synchronise(now, before.trap, False)
                reported = False
            elif reported:
                e.synchronise(now)
            else:
                e.synchronise(now, before.trap)
            reported = False
        elif now.instruction is not None and (
                first or now.privilege != before.privilege or e.count > setting['resync']):
            e.synchronise(now)
        elif jumped and now.instruction is None:
            e.synchronise(now, now.trap, False)
            reported = True
        elif jumped:
            e.report(now, synchronises, astray)
        elif now.instruction is not None and (
                e.count == setting['resync'] and e.branches or now.trap or trap_follows or
                changes and e.branches or last):
            e.report(now, False, e.depth(before))
        elif len(e.branches) == 31:
            e.report_map()
        elif not first and now.context != before.context:
            e.context(now)
        astray = None
        if now.instruction is not None:
            stacked = len(e.stack)
            e.retire(now, after.pc if after is not None else None)
            if kind == 'return' and e.implicit and stacked and not now.predicted:
                astray = stacked
        if last:
            e.support(3 if jumped else 1, 0)
    return e


# ---- files ----

def packet(rng, setting, source, payload):
    """Returns the bytes of a packet with its encapsulation."""
    bits = [0, 1] + payload
    spare = setting['source_width'] % 8
    if not setting['long']:
        while len(bits) > 6 and bits[-1] == bits[-2]:
            bits.pop()
    while (spare + len(bits)) % 8:
        bits.append(bits[-1])
    time = setting['timestamp_width'] and rng.random() < .7
    length = (spare + len(bits)) // 8
    head = Bits()
    head.put(length | rng.randrange(4) << 5 | int(bool(time)) << 7, 8)
    head.put(source, setting['source_width'])
    if time:
        head.put(rng.getrandbits(setting['timestamp_width']), setting['timestamp_width'])
    return octets(head.bits + bits)


def octets(bits):
    """Returns bits as bytes."""
    return bytes(sum(bit << i for i, bit in enumerate(bits[at:at + 8])) for at in range(0, len(bits), 8))


def trace(program_, seed, path, setting):
    """Writes a trace of all harts, with padding and packets of data between, and the truth."""
    rng = random.Random(f'{seed} {path}')
    code, symbols = program_
    streams, tokens = [], []
    for hart in range(setting['harts']):
        cycles, packets, count = walk(rng, code, symbols, setting), [], 0
        encode(cycles, setting, packets.append)
        streams.append([packet(rng, setting, hart, bits) for bits in packets])
        for i, c in enumerate(cycles):
            if c.instruction is not None and not c.untraced:
                lost = i > 0 and cycles[i - 1].untraced and count > 0
                satp = c.context if c.privilege == USER else 8 << 60 if c.pc >> 63 else 0
                tokens.append(struct.pack('<QQQIBBH', c.pc, count, satp, c.instruction.bits, c.privilege,
                                          2 if lost else 0, hart))
                count += 1
    with open(path, 'wb') as file:
        while any(streams):
            stream = rng.choice([s for s in streams if s])
            file.write(stream.pop(0))
            if rng.random() < .1:
                file.write(bytes([rng.choice([0, 128, 32])]))
            if rng.random() < .05:
                file.write(data(rng, setting))
    with open(path + '.truth', 'wb') as file:
        file.write(b''.join(tokens))


def data(rng, setting):
    """Returns a packet of the trace of data."""
    bits = Bits()
    bits.put(5 | rng.randrange(4) << 5, 8)
    bits.put(0, setting['source_width'])
    bits.put(3, 2)
    bits.put(rng.getrandbits(38 - setting['source_width'] % 8), 38 - setting['source_width'] % 8)
    return octets(bits.bits)


def harts_of(path):
    """Returns {hart: its tokens} of a file of tokens without head."""
    harts = {}
    with open(path, 'rb') as file:
        for token in struct.iter_unpack('<QQQIBBH', file.read()):
            harts.setdefault(token[6], []).append(token)
    return harts


def compare(mine, wanted):
    """Returns the first difference between the tokens of a hart and the truth, or None."""
    for i, (a, b) in enumerate(zip(mine, wanted)):
        if a != b:
            return f'token {i}: {[hex(x) for x in a]}, wanted {[hex(x) for x in b]}'
    return None if len(mine) == len(wanted) else f'{len(mine)} tokens, wanted {len(wanted)}'


def inside(mine, wanted):
    """Returns what is wrong if tokens of a hart are not in the truth, or if all of it is missing."""
    known, rest = 0, iter(wanted)
    for i, a in enumerate(mine):
        hidden = a[0] >= HIDDEN
        if not any(a[0] == b[0] and a[4] == b[4] and a[3] in (0 if hidden else b[3], b[3]) for b in rest):
            return f'token {i} did not run: {[hex(x) for x in a]}'
        if (a[3] == 0) != hidden:
            return f'token {i} has an instruction, or lacks it: {[hex(x) for x in a]}'
        known += not hidden
    return None if known else 'all tokens are unknown'


def check(how, paths):
    """Prints for each file whether it is right."""
    for path in paths:
        got, truth = harts_of(path + '.got'), harts_of(path + '.truth')
        wrong = [f'hart {hart}: {what}' for hart, wanted in truth.items() if (what := how(got.get(hart, []), wanted))]
        print(path, *wrong or ['right'])


def spoiled(kind, symbols, setting):
    """Returns the packets of a trace, of which the last one is wrong."""
    payloads = []
    e = Encoder(setting, payloads.append)
    e.support(0, 1)
    at = {name: Cycle(address, None, MACHINE, 0) for name, address in symbols.items()}
    e.synchronise(at[{'never': 'spin', 'branches': 'fork'}.get(kind, 'straight')])
    if kind == 'outcomes':    # the program comes to the jump without branches
        e.branches = [True, True, False]
        e.report(at['f1'])
    elif kind == 'outcome':   # f1 begins with a branch
        e.report(at['f1'])
    elif kind == 'branches':  # the second branch has no outcome
        e.report(at['spin'])
    elif kind == 'never':
        e.report(at['spin'])
        e.report(at['f1'])
    elif kind == 'jump':      # 31 outcomes and no address, but a jump comes first
        e.branches = [True] * 31
        e.report_map()
    elif kind == 'privilege':
        e.synchronise(Cycle(symbols['f1'], None, 2, 0))
    elif kind == 'format':
        payloads.append([0, 0, 1, 0, 1, 1])
    packets = [packet(random.Random(0), setting, 0, bits) for bits in payloads]
    if kind == 'type':
        packets.append(bytes([2, 0xfd, 0xff]))
    elif kind == 'long':
        packets.append(bytes([20, 0xa] + [0x55] * 19))
    elif kind == 'first':     # nothing says where the program is
        del packets[1]
    return packets


def spoil(elf):
    """Writes good packets and a bad one. Prints the offset of the bad one."""
    symbols = decode(elf)[1]
    for kind in ('outcomes', 'outcome', 'branches', 'never', 'jump', 'privilege', 'format', 'type', 'long', 'first'):
        packets = spoiled(kind, symbols, dict(SETTINGS, iaddress_width=40))
        with open('bad.' + kind, 'wb') as file:
            file.write(b''.join(packets))
        print(kind, sum(map(len, packets[:-1])))


def traces(elf, seed):
    """Writes the traces that the input lists."""
    program_ = decode(elf)
    for line in sys.stdin:
        path, *words = line.split()
        setting = dict(SETTINGS)
        for word in words:
            name, value = word.split('=')
            assert name in setting, name
            setting[name] = int(value)
        trace(program_, seed, path, setting)


def main(command, *rest):
    """Runs a command; see the top."""
    if command == 'program':
        program(int(rest[0]))
    elif command == 'traces':
        traces(*rest)
    elif command == 'spoil':
        spoil(*rest)
    else:
        check({'compare': compare, 'inside': inside}[command], rest)


if __name__ == '__main__':
    main(*sys.argv[1:])

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""etrace.py: walks at random through a program, and encodes the walk as packets of E-Trace, after the
flow chart of the specification. It does not use the code of nfaperf. binutils decode the program.

etrace.py program SEED [loads] >SOURCE.S      a random program; maybe with jumps to targets that are loaded
                                              right before, and handlers at 0x1f000
etrace.py traces ELF SEED <SETTINGS           traces of walks. Each line of the input is a file and its
                                              settings; the tokens of the walk go to FILE.truth
etrace.py compare FILE...                     whether each hart in FILE.got has the tokens of the truth
etrace.py inside FILE...                      whether each hart has only tokens of the truth, in order,
                                              with their instructions; those in HIDDEN without
etrace.py spoil ELF                           traces that cannot be right; prints names, offsets and encoders
etrace.py count ELF NUMBER                    a trace with as many branches in a packet; prints the cycles

A SETTING is NAME=NUMBER: a parameter of nfaperf's --encoder, or one of the names in SETTINGS. The file is long
because it shares nothing with the decoder: it has programs, walks, and an encoder with all modes.
"""
import random
import re
import struct
import subprocess
import sys

SETTINGS = {'iaddress_width': 64, 'iaddress_lsb': 1, 'privilege_width': 2, 'ecause_width': 4,
            'context_width': 0, 'time_width': 0, 'return_stack_size': 0, 'call_counter_size': 0,
            'source_width': 0, 'timestamp_width': 0, 'bpred_size': 0, 'cache_size': 0, 'f0s_width': 0,
            'sijump': 0, 'mtvec': 0, 'stvec': 0,
            # how many instructions and harts, how often traps come and returns go astray (per mille)
            'steps': 3000, 'harts': 1, 'traps': 10, 'astray': 0,
            # full addresses, no shortened packets, packets between two synchronisations
            'full': 0, 'long': 0, 'resync': 1000,
            # how often tracing is switched off for some instructions (per mille)
            'pauses': 0,
            # how often an indirect jump goes back to where the program just was, and how often others go
            # to where it does that (per mille)
            'again': 0,
            # how often a branch goes as the time before (per mille), so that the encoder predicts it; traps
            # often follow one that does not
            'steady': 0}
USER, SUPERVISOR, MACHINE = 0, 1, 3
HIDDEN = 4             # bits 16 to 19 of the addresses whose code a test leaves out


# ---- programs ----

def function(rng, number, count, loads):
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
                'ecall', 'ebreak', *(loaded_jump(rng) if loads else [])]))
        if rng.random() < .2:
            lines.append(rng.choice(['\tjr a6', '\tjr t0', '\tret', f'\tj f{rng.randrange(number, count)}']))
    return lines + ['\tret' if number % 3 else '\tjr t0']


def loaded_jump(rng):
    """Returns jumps whose targets are loaded right before them: by auipc, lui and c.lui."""
    link = rng.choice(['zero', 'ra', 't0'])
    register = rng.choice(['a6', 'a7', 'ra', 't0'])
    return [f'.option push\n\t.option norvc\n\tauipc {register}, 0\n\tjalr {link}, 12({register})\n\tnop\n\t.option pop',
            f'.option push\n\t.option norvc\n\tlui {register}, 0x1f\n\tjalr {link}, {rng.choice([0, 64, 136])}({register})\n\t.option pop',
            f'lui {register}, 0x1f\n\tjr {register}',
            f'lui {register}, 0x1f\n\tjalr {register}', 'lui a7, 0x1f\n\tnop\n\tjr a6', 'lui a7, 0x1f\n\tjr a6']


def low():
    """Prints the code at 0x1f000: tables of handlers for machine and supervisor, and what they jump to."""
    print('\t.section .low, "ax"\n\t.option push\n\t.option norvc')
    for number in range(32):
        print(f'\tj low{number % 3}')
    print('\tnop\n\tnop\n\tnop\n\taddi a0, a0, 1\n\tjr a6\n\t.option pop')
    for number in range(3):
        print(f'low{number}:\n\taddi a0, a0, 1\n\tbnez a0, low{number}\n\tbeqz a1, .Ll{number}\n\tcall low{number}\n.Ll{number}:\n\tmret')


def program(seed, loads):
    """Prints a random program. A trap's handler has branches and calls, too."""
    rng = random.Random(seed)
    count = 12
    print('\t.globl _start\n_start:')
    for number in range(count):
        print('\t.section .hidden, "ax"' if number == 9 else '', '\n'.join(function(rng, number, count, loads)), sep='\n')
    print('\t.text\nstraight:\n\taddi a0, a0, 1\n\tadd a1, a1, a0\n\tlui a2, 0x12345\n\tadd a1, a1, a0\n\tjr a6\nspin:\n\tj spin\nfork:\n\tbnez a0, spin\n\tbnez a1, spin\n\tj spin\nloop:\n\tbnez a0, out\n\taddi a1, a1, 1\n\tj loop\nout:\n\tjr a6')
    for number in range(2):
        print('\t.section .hidden, "ax"' if number else '\t.text', f'\t.type handler{number}, @function\nhandler{number}:\n\taddi a0, a0, 1\n\tbnez a0, .Lh{number}\n'
              f'\tcall f{number}\n.Lh{number}:\n\tmret', sep='\n')
    if loads:
        low()


class Instruction:
    """What a walk needs to know: how long it is, what it does, and where it goes."""
    def __init__(self, bits, size, name, operands):
        self.bits, self.size, self.kind, self.target = bits, size, 'plain', None
        self.loads = None                 # a register, its value, and whether that is a distance
        self.register, self.offset = None, 0
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
            self.register, self.offset = source, int(re.search(r'(-?\d+)\(', operands)[1]) if '(' in operands else 0
            to = 'zero' if name == 'jr' else registers[0] if len(registers) > 1 else 'ra'
            if to in ('ra', 't0'):
                swap = source in ('ra', 't0') and source != to
                self.kind = 'swap' if swap else 'calls'
            else:
                self.kind = 'return' if source in ('ra', 't0') else 'jumps'
        elif name in ('lui', 'auipc'):
            self.loads = registers[0], int(registers[1], 16) << 12, name == 'auipc'
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
        self.cause = 5
        self.constant = None              # the target of a jump that was loaded right before
        self.sequential = False           # it is so, and the encoder has seen both


def walk(rng, code, symbols, setting):
    """Returns the cycles of a random walk."""
    functions = [at for name, at in symbols.items() if re.match(r'f\d+$', name)]
    places = [at for at in sorted(code) if not symbols['spin'] <= at < symbols['handler0']]
    handlers = [symbols['handler0'], symbols['handler1']]
    pc, privilege, context, links, saved, cycles = functions[0], MACHINE, 0, [], [], []
    if setting['context_width']:
        privilege, context = USER, rng.randrange(1 << setting['context_width'])
    off, straight, outcomes, surprise = 0, [], {}, False

    def trap_goes_to(kind):
        """Returns the handler, its privilege and the cause. With registers it is where they say."""
        cause = rng.randrange(16)
        if not setting['mtvec']:
            return rng.choice(handlers), MACHINE, cause
        to = rng.choice([MACHINE, SUPERVISOR])
        vector = setting['mtvec'] if to == MACHINE else setting['stvec']
        return vector // 4 * 4 + (4 * cause if vector % 4 and kind == 'interrupt' else 0), to, cause

    while len(cycles) < setting['steps']:
        x = code[pc]
        back = bool(cycles) and cycles[-1].instruction and cycles[-1].instruction.kind == 'back'
        if cycles and not back and not off and rng.randrange(1000) < (300 if surprise else setting['traps']):
            cycles.append(Cycle(pc, None, privilege, context))
            cycles[-1].trap = rng.choice(['exception', 'interrupt'])
            saved.append((pc, privilege))
            pc, privilege, cycles[-1].cause = trap_goes_to(cycles[-1].trap)
            if rng.randrange(10) == 0:    # another trap, before the handler begins
                cycles.append(Cycle(pc, None, privilege, context))
                cycles[-1].trap = 'interrupt'
                saved.append((pc, privilege))
                pc, privilege, cycles[-1].cause = trap_goes_to('interrupt')
            x = code[pc]
        c = Cycle(pc, x, privilege, context)
        load = cycles[-1].instruction.loads if cycles and cycles[-1].instruction and not cycles[-1].trap else None
        # a counter of calls takes each return for one to its call
        if load and load[0] == x.register and not (
                x.kind == 'return' and setting['call_counter_size'] and not setting['sijump']):
            c.constant = load[1] + x.offset + (cycles[-1].pc if load[2] else 0)
        cycles.append(c)
        off = off - 1 if off else rng.randint(1, 30) if rng.randrange(1000) < setting['pauses'] else 0
        c.untraced = off > 0
        following = pc + x.size
        surprise = False
        straight = straight + [pc] if straight and straight[-1] + code[straight[-1]].size == pc else [pc]
        if x.kind in ('call', 'calls'):
            links.append(following)
        if x.kind == 'branch':
            c.taken = outcomes[pc] if pc in outcomes and rng.randrange(1000) < setting['steady'] else rng.random() < .5
            surprise = bool(setting['steady']) and outcomes.get(pc, c.taken) != c.taken
            outcomes[pc] = c.taken
            pc = x.target if c.taken else following
        elif x.kind in ('jump', 'call'):
            pc = x.target
        elif c.constant is not None:
            pc = c.constant
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
            pc, privilege, c.cause = trap_goes_to('exception')
        elif x.kind == 'back':
            pc, privilege = saved.pop() if saved else (rng.choice(functions), USER)
            if privilege == USER and c.privilege != USER and setting['context_width']:
                context = rng.randrange(1 << setting['context_width'])
        else:
            pc = following
        if x.kind in ('return', 'calls', 'jumps', 'swap') and c.constant is None and rng.randrange(1000) < setting['again']:
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
    def __init__(self, setting, send, rng):
        self.s, self.send_bits, self.rng = setting, send, rng
        self.states, self.targets = {}, {}       # of the branch predictor and the jump target cache
        self.correct = 0                         # how many of the branches were as predicted
        self.branches, self.last, self.count = [], 0, 0
        self.stack = []
        self.returned = self.branched = False    # since the last call; since the last return
        self.implicit = bool(setting['return_stack_size'] or setting['call_counter_size'])
        self.limit = (1 << setting['return_stack_size'] if setting['return_stack_size'] else
                      (1 << setting['call_counter_size']) - 1)

    def send(self, bits):
        self.send_bits(bits.bits)
        self.branches, self.correct = [], 0
        self.count += 1

    def index(self, address, size):
        return address >> self.s['iaddress_lsb'] & (1 << size) - 1

    def branch(self, cycle):
        """Notes the outcome of a branch, and whether it was predicted."""
        self.branches.append(cycle.taken)
        if self.s['bpred_size']:
            at = self.index(cycle.pc, self.s['bpred_size'])
            state = self.states.get(at, '01')
            self.correct += (state[0] == '1') == cycle.taken
            self.states[at] = {('00', False): '00', ('00', True): '01', ('01', False): '00', ('01', True): '11',
                               ('11', True): '11', ('11', False): '10', ('10', True): '11',
                               ('10', False): '00'}[state, cycle.taken]

    def is_full(self):
        """Whether outcomes must be sent: 31, unless all are as predicted, or the first one after them that
        is not."""
        return len(self.branches) >= 31 and (not self.s['bpred_size'] or self.correct < len(self.branches))

    def is_cached(self, address):
        """Notes the target of an indirect jump. Returns whether its index is to be sent."""
        if not self.s['cache_size']:
            return False
        at = self.index(address, self.s['cache_size'])
        known = self.targets.get(at) == address
        self.targets[at] = address
        return known and self.correct < 31 and self.rng.random() < .8

    def support(self, qualification, enabled):
        b = Bits()
        for value, width in ((3, 2), (3, 2), (enabled, 1), (0, 1), (qualification, 2),
                             (int(self.implicit) | (self.s['mtvec'] > 0) << 1 | self.s['full'] << 2 |
                              (self.s['cache_size'] > 0) << 3 | (self.s['bpred_size'] > 0) << 4, 5), (0, 6)):
            b.put(value, width)
        self.send(b)

    def where(self, b, cycle):
        b.put(cycle.privilege, self.s['privilege_width'])
        b.put(0x123456789, self.s['time_width'])
        b.put(cycle.context, self.s['context_width'])

    def address_bits(self, value):
        width = self.s['iaddress_width']
        return value % (1 << width) >> self.s['iaddress_lsb'], width - self.s['iaddress_lsb']

    def synchronise(self, cycle, trap=None, handler=True, cause=5):
        b = Bits()
        b.put(3, 2)
        b.put(0 if trap is None else 1, 2)
        branch = cycle.instruction is not None and cycle.instruction.kind == 'branch'
        b.put(int(not (branch and cycle.taken)), 1)
        self.where(b, cycle)
        if trap is not None:
            b.put(cause, self.s['ecause_width'])
            b.put(int(trap == 'interrupt'), 1)
            b.put(int(handler), 1)
        if not (trap and handler and self.s['mtvec']):
            b.put(*self.address_bits(cycle.pc))
        if trap == 'exception':
            b.put(0xdeadbeefcafe, self.s['iaddress_width'])
        self.last, self.stack = cycle.pc, []
        self.returned = self.branched = False
        self.states, self.targets = {}, {}
        self.send(b)
        self.count = 0
        if branch:    # the predictor learns it, but it is reported
            self.branch(cycle)
            self.branches, self.correct = [], 0

    def context(self, cycle):
        b = Bits()
        b.put(3, 2)
        b.put(2, 2)
        self.where(b, cycle)
        self.send(b)

    def map(self, b, size=None):
        n = len(self.branches)
        size = size or next(size for size in (1, 3, 7, 15, 31) if n <= size)
        b.put(sum(int(not taken) << i for i, taken in enumerate(self.branches)), size)

    def report(self, cycle, updiscon=False, depth=None, jumped=False):
        b, n = Bits(), len(self.branches)
        if jumped and self.is_cached(cycle.pc):
            b.put(0, 2)
            b.put(1, self.s['f0s_width'])
            b.put(self.index(cycle.pc, self.s['cache_size']), self.s['cache_size'])
            b.put(n, 5)
            if n:
                self.map(b)
            self.depth_bits(b, depth)
            self.last = cycle.pc
            self.send(b)
            return
        if self.correct >= 31:
            self.put_count(b, 2 if n == self.correct else 3)
        else:
            b.put(1 if n else 2, 2)
        if n and self.correct < 31:
            b.put(n, 5)
            self.map(b)
        b.put(*self.address_bits(cycle.pc if self.s['full'] else cycle.pc - self.last))
        b.flag(False)
        b.flag(updiscon)
        self.depth_bits(b, depth)
        self.last = cycle.pc
        self.send(b)

    def put_count(self, b, form):
        assert len(self.branches) - self.correct == form % 2 or form == 0
        b.put(0, 2)
        b.put(0, self.s['f0s_width'])
        b.put(self.correct - 31, 32)
        b.put(form, 2)

    def depth_bits(self, b, depth):
        b.flag(depth is not None)
        width = self.s['return_stack_size'] + (self.s['return_stack_size'] > 0) + self.s['call_counter_size']
        b.put((-1 if b.bits[-1] else 0) if depth is None else depth, width)

    def report_map(self):
        b = Bits()
        if self.correct >= 31:
            self.put_count(b, 0)
        else:
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
        elif kind == 'return' and self.stack and not cycle.sequential:
            cycle.predicted = self.stack[-1] == target or not self.s['return_stack_size']
            if cycle.predicted:
                self.stack.pop()
                self.returned, self.branched = True, False


def encode(cycles, setting, send, rng):
    """Encodes the cycles of a hart."""
    e, reported = Encoder(setting, send, rng), False
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
        now.sequential = bool(setting['sijump']) and now.constant is not None and not first
        jumped = not first and before.instruction is not None and not before.trap and (
            before.instruction.kind in ('jumps', 'calls', 'swap', 'back') or
            before.instruction.kind == 'return' and not before.predicted) and not before.sequential
        if kind == 'branch':
            e.branch(now)
        trap_follows = after is not None and after.instruction is None
        changes = after is not None and after.privilege != now.privilege
        last = after is None or after.untraced
        synchronises = now.trap is not None or trap_follows or changes or e.count == setting['resync'] or last
        if not first and before.trap:
            if now.instruction is None:
                e.synchronise(now, before.trap, False, before.cause)
                reported = False
            elif reported:
                e.synchronise(now)
            else:
                e.synchronise(now, before.trap, True, before.cause)
            reported = False
        elif now.instruction is not None and (
                first or now.privilege != before.privilege or e.count > setting['resync']):
            e.synchronise(now)
        elif jumped and now.instruction is None:
            e.synchronise(now, now.trap, False, now.cause)
            reported = True
        elif jumped:
            e.report(now, synchronises, astray, True)
        elif now.instruction is not None and (
                e.count == setting['resync'] and e.branches or now.trap or trap_follows or
                changes and e.branches or last):
            e.report(now, False, e.depth(before))
        elif e.is_full():
            e.report_map()
        elif not first and now.context != before.context:
            e.context(now)
        astray = None
        if now.instruction is not None:
            stacked = len(e.stack)
            e.retire(now, after.pc if after is not None else None)
            if kind == 'return' and e.implicit and stacked and not now.predicted and not now.sequential:
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
        encode(cycles, setting, packets.append, rng)
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
        hidden = a[0] >> 16 & 15 == HIDDEN
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


# What encoders of traces that cannot be right have, and what nfaperf is told.
PREDICTS, CACHES = {'bpred_size': 4}, {'cache_size': 4}
SPOILED = {'reserved': (PREDICTS, PREDICTS), 'failed': (PREDICTS, PREDICTS), 'predicts': (PREDICTS, {}),
           'empty': (CACHES, CACHES), 'caches': (CACHES, {}), 'unpredicted': ({}, PREDICTS),
           'uncached': ({}, CACHES), 'subformat': (PREDICTS, {'bpred_size': 4, 'f0s_width': 2}),
           'vector': ({'mtvec': 0x1f000}, {})}


def spoiled(kind, symbols, setting):
    """Returns the packets of a trace, of which the last one is wrong."""
    payloads = []
    e = Encoder(setting, payloads.append, random.Random(0))
    e.support(0, 1)
    at = {name: Cycle(address, None, MACHINE, 0) for name, address in symbols.items()}
    e.synchronise(at[{'never': 'spin', 'branches': 'fork', 'failed': 'loop'}.get(kind, 'straight')])
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
    elif kind in ('format', 'unpredicted', 'uncached', 'subformat'):
        payloads.append([0, 0, 1, 1, 1, 0])
    elif kind == 'reserved':
        payloads.append([0, 0] + [0] * 32 + [1, 0])
    elif kind == 'empty':
        e.report(at['straight'])
        e.synchronise(at['straight'])
        b = Bits()
        b.put(0, 2)
        b.put(e.index(symbols['straight'], 4), 4)
        payloads.append(b.bits + [0] * 6)
    elif kind == 'failed':    # the last branch is not where the program jumps
        b = Bits()
        e.branches, e.correct = [False] * 32, 31
        e.put_count(b, 3)
        b.put(*e.address_bits(symbols['straight'] - e.last))
        payloads.append(b.bits)
    elif kind == 'vector':
        e.synchronise(at['f1'], 'interrupt')
    packets = [packet(random.Random(0), setting, 0, bits) for bits in payloads]
    if kind == 'type':
        packets.append(bytes([2, 0xfd, 0xff]))
    elif kind == 'long':
        packets.append(bytes([20, 0xa] + [0x55] * 19))
    elif kind == 'first':     # nothing says where the program is
        del packets[1]
    elif kind in ('predicts', 'caches'):
        del packets[1:]
    return packets


def spoil(elf):
    """Writes good packets and a bad one. Prints the offset of the bad one, and the encoder to read it with."""
    symbols = decode(elf)[1]
    for kind in ('outcomes', 'outcome', 'branches', 'never', 'jump', 'privilege', 'format', 'type', 'long', 'first', *SPOILED):
        mine, theirs = SPOILED.get(kind, ({}, {}))
        packets = spoiled(kind, symbols, dict(SETTINGS, iaddress_width=40, **mine))
        with open('bad.' + kind, 'wb') as file:
            file.write(b''.join(packets))
        print(kind, sum(map(len, packets[:-1])), ','.join(f'{name}={value}' for name, value in
                                                          {'iaddress_width': 40, **theirs}.items()))


def count(elf, number):
    """Writes a packet with many branches of a loop that are as predicted, and one that is not."""
    symbols, payloads = decode(elf)[1], []
    setting = dict(SETTINGS, bpred_size=4)
    e = Encoder(setting, payloads.append, random.Random(0))
    e.support(0, 1)
    e.synchronise(Cycle(symbols['loop'], None, MACHINE, 0))
    b = Bits()
    e.branches, e.correct = range(number + 1), number
    e.put_count(b, 0)
    payloads.append(b.bits)
    with open('counted', 'wb') as file:
        file.write(b''.join(packet(random.Random(0), setting, 0, bits) for bits in payloads))
    print(3 * (1 + number))    # the last instruction takes no cycle


def traces(elf, seed):
    """Writes the traces that the input lists."""
    program_ = decode(elf)
    for line in sys.stdin:
        path, *words = line.split()
        setting = dict(SETTINGS)
        for word in words:
            name, value = word.split('=')
            assert name in setting, name
            setting[name] = int(value, 0)
        trace(program_, seed, path, setting)


def main(command, *rest):
    """Runs a command; see the top."""
    if command == 'program':
        program(int(rest[0]), 'loads' in rest)
    elif command == 'traces':
        traces(*rest)
    elif command == 'spoil':
        spoil(*rest)
    elif command == 'count':
        count(rest[0], int(rest[1]))
    else:
        check({'compare': compare, 'inside': inside}[command], rest)


if __name__ == '__main__':
    main(*sys.argv[1:])

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""tap_verilog.py NFACC NFARUN SEED COUNT [FOLDER]: random taps over random waveforms.

The module of nfacc --emit=tap, simulated by Icarus, must make the messages that nfarun reads of the
waveform, and that the executable specification tapref.py in FOLDER makes of it unless the taps have
registers, queues, payload or signals of more than 64 bits, which it does not know. The values have two states, but signals may be x at the
start. There the module is not looked at, as it has no second value for what is unknown. COUNT pairs share a simulation. Files are made in the current folder. Exit code 1:
something differs, and the lines DIFFERS say what."""
import contextlib
import importlib
import io
import json
import random
import subprocess
import sys


class Side:
    """An interface: its protocol, what its signals are called in the waveform, and their widths."""

    def __init__(self, rng, reset, falling, remembers, payload):
        pick = rng.choice
        self.rng = rng
        self.prefix = ''
        # The executable specification has no signals of more than 64 bits.
        self.wide = rng.random() < .4
        self.signals = {'s%d' % i: pick([1, 1, 1, 2, 3, 8, 13, 40] + [65, 100, 128, 200] * self.wide)
                        for i in range(rng.randint(2, 6))}
        # The variable of a signal with several bits may be narrower or wider.
        self.widths = {n: w if w == 1 or rng.random() < .8 else rng.randint(2, w + 5)
                       for n, w in self.signals.items()}
        if rng.random() < .2:
            self.signals['wire'] = self.widths['wire'] = 1
        # What the taps remember: registers, and pairs of signals of queues.
        self.made = {}
        if remembers:
            self.made = {'r%d' % i: pick([1, 3, 8]) for i in range(rng.randint(0, 2))}
            for i in range(rng.randint(0 if self.made else 1, 2)):
                self.made.update({'q%d' % i: pick([1, 3, 8]), 'there%d' % i: 1})
        self.seen = [*self.signals, *self.made]
        self.reset = reset
        self.falling = falling
        self.payload = payload
        self.slots = rng.randint(1, 3)

    def number(self):
        width = self.rng.randint(1, 9)
        return self.rng.choice(['0', '1', str(self.rng.randint(0, 9)),
                                "%d'h%x" % (width, self.rng.getrandbits(width))])

    def leaf(self):
        name = self.rng.choice(self.seen)
        width, kind = {**self.signals, **self.made}[name], self.rng.random()
        if kind < .1:
            return self.number()
        if kind < .3 and width > 1:
            high = self.rng.randrange(width)
            return '%s[%d:%d]' % (name, high, self.rng.randint(0, high))
        return '%s[%d]' % (name, self.rng.randrange(width)) if kind < .4 else name

    def expression(self, depth, back):
        rng, kind = self.rng, self.rng.random()

        def sub(b=back):
            return self.expression(depth - 1, b)
        if depth == 0 or kind < .15:
            return self.leaf()
        if kind < .32:
            return '%s (%s)' % (rng.choice('!~&|^-'), sub())
        if kind < .4:
            return '{%s}' % ', '.join(sub() for _ in range(rng.randint(1, 3)))
        if kind < .5:
            return '(%s ? %s : %s)' % (sub(), sub(), sub())
        if kind < .68 and back:
            name = rng.choice(['past', 'stable', 'rose', 'fell'])
            args = rng.randint(1, 2) if name == 'stable' else 1
            text = '%s(%s)' % (name, ', '.join(sub(False) for _ in range(args)))
            return '(%s)[0]' % text if rng.random() < .1 else text
        return '(%s %s %s)' % (sub(), rng.choice('+ - << >> < <= > >= == != & ^ | && ||'.split()),
                               sub())

    def condition(self):
        """Of a row. Some are of a form in which a sample without a past often shows what is wrong."""
        rng = self.rng
        back = '%s(%s)' % (rng.choice(['past', 'stable', 'rose', 'fell']), self.leaf())
        if rng.random() < .7:
            return self.expression(3, True)
        return rng.choice([
            '!(%s || %s)' % (back, self.leaf()), '!(%s && %s)' % (back, self.leaf()),
            '!(%s ? %s : %s)' % (back, self.leaf(), self.leaf()),
            '!(%s %s %s)' % (back, rng.choice(['&', '|', '==', '!=']), self.leaf()),
            "%s >> {%s, 32'h0, %s}" % (self.leaf(), self.leaf(), self.leaf())])

    def memory(self):
        """The statements of what the taps remember. A queue sees registers, and queues before it."""
        rng, out, everything = self.rng, '', self.seen

        def narrow(width):
            """An expression of at most this width."""
            text = self.expression(2, False)
            return rng.choice(["(%s) != 0" % text, self.leaf() + ' != 0'] if width == 1 else
                              ["{%d'd%d, (%s) != 0}" % (width - 1, rng.randrange(2 ** (width - 1)), text)] +
                              [n for n in self.seen if self.signals.get(n, self.made.get(n)) <= width])
        self.seen = [n for n in everything if n[0] not in 'qt']
        for i in range(2):
            if 'q%d' % i not in self.made:
                continue
            # A key has at most 64 bits.
            names = [n for n in self.seen if self.signals.get(n, 1) <= 64] + ['1', "2'd2"]
            keys = rng.choice([None, (rng.choice(names), rng.choice(names))])
            put, take = (' by ' + k for k in keys) if keys else ('', '')
            out += 'queue q%d[%d] of %d, there%d {\n\tput %s%s when %s;\n\ttake%s when %s;\n}\n' % (
                i, self.made['q%d' % i], rng.choice([1, 2, 3, 5]), i, narrow(self.made['q%d' % i]), put,
                self.expression(2, False), take, self.expression(2, False))
            self.seen += ['q%d' % i, 'there%d' % i]
        self.seen = everything
        for n, width in self.made.items():
            if n[0] == 'r':
                out += 'register %s[%d] = %s;\n' % (n, width, narrow(width))
        return out

    def filling(self):
        """An expression for the payload, no wider than it."""
        rng, parts, width = self.rng, [], 0
        for _ in range(rng.randint(1, 8)):
            name = rng.choice(self.seen)
            bits = {**self.signals, **self.made}[name]
            if width + bits <= self.payload:
                parts.append(rng.choice([name, name, 'past(%s)' % name, '~%s' % name]))
                width += bits
            elif width + 60 <= self.payload and bits > 60:
                low = rng.randint(0, bits - 60)
                parts.append('%s[%d:%d]' % (name, low + 59, low))
                width += 60
        if width < self.payload:
            parts.insert(0, '(%s) != 0' % self.expression(2, True))
        return parts[0] if len(parts) == 1 else '{%s}' % ', '.join(parts)

    def text(self, name, address, line):
        """The description of its protocol."""
        rng = self.rng
        out = 'protocol %s; opcode auto; idle auto; groups m; channels 0..%d;\n' % (
            name, self.slots - 1)
        if self.payload:
            out += 'payload %d;\n' % self.payload
        if address:
            out += 'address auto %d line %d;\n' % (address, line)
        types, fields = [], {}
        for slot in range(self.slots):
            types.append([('%sT%d%d' % (name, slot, k), address and rng.random() < .5)
                          for k in range(rng.randint(1, 3))])
            out += 'types on %d { %s }\n' % (slot, ' '.join(
                n + (' address;' if a else ';') for n, a in types[-1]))
        names = [n for row in types for n, _ in row]
        for k in range(rng.randint(0, 3)):
            of = rng.sample(names, rng.randint(1, len(names)))
            fields['%sf%d' % (name, k)] = of
            out += 'field %sf%d : 9 of %s;\n' % (name, k, ', '.join(of))
        out += 'clock %sclk;\n' % ('falling ' if self.falling else rng.choice(['', 'rising ']))
        if self.reset is not None:
            out += 'reset %srst or other;\n' % self.reset
        out += 'signal %s;\n' % ', '.join(n + ('[%d]' % w if w > 1 else '')
                                          for n, w in self.signals.items())
        out += self.memory()
        narrow = [n for n, w in {**self.signals, **self.made}.items() if w <= 8] or ['1']
        for slot in range(self.slots):
            out += 'tap m@%d {\n' % slot
            for _ in range(rng.randint(1, 4)):
                kind, addressed = rng.choice(types[slot])
                sets = ['addr = %s' % rng.choice([rng.choice(narrow), 'past(%s)' %
                                                  rng.choice(narrow)])] if addressed else []
                for field, of in fields.items():
                    if kind in of and rng.random() < .7:
                        value = rng.choice(narrow)
                        sets.append('%s = %s' % (field, rng.choice([
                            value, 'past(%s)' % value, '(%s) != 0' % self.expression(2, True),
                            '{%s, rose(%s)}' % (value, value)])))
                if self.payload and rng.random() < .7:
                    sets.append('payload = %s' % self.filling())
                out += '\t%s when %s%s;\n' % (kind, self.condition(),
                                              ': ' + ', '.join(sets) if sets else '')
            # The clock is looked for where the signals are, so at least one is looked at.
            out += '\t%s when s0 != 0;\n}\n' % types[slot][0][0]
        return out


class Pair:
    """A description of taps, a waveform, and what the testbench does."""

    def __init__(self, seed, number):
        rng = random.Random(seed)
        self.seed, self.number = seed, number
        self.name = 'p%d' % number
        uses = rng.random() < .2
        self.falling = rng.random() < .3
        names = ['a', 'b'] if uses else ['']
        reset = [rng.choice(['', '!', '']) if rng.random() < .6 else None for _ in names]
        self.remembers = rng.random() < .4
        # The payload of all uses is as wide as the widest.
        payloads = [rng.choice([64, 128, 192, 512]) if rng.random() < .4 else 0 for _ in names]
        self.payload = max(payloads)
        self.sides = [Side(rng, r, self.falling, self.remembers, bits)
                      for r, bits in zip(reset, payloads)]
        self.wide = any(s.wide for s in self.sides)
        address, line = rng.choice([(0, 1), (8, 1), (12, 8)])
        if uses:
            text = 'protocol %s;\n' % self.name
            for n, s in zip(names, self.sides):
                s.prefix = n + '_'
                kind = '%sk%s' % (self.name, n)
                write(kind + '.proto', s.text(kind, address, line))
                text += 'use %s as %s at "top.%s";\n' % (kind, n, s.prefix)
            write(self.name + '.proto', text)
        else:
            write(self.name + '.proto', self.sides[0].text(self.name, address, line))
        self.wave(rng)

    def wave(self, rng):
        """Makes the waveform and the statements of the testbench."""
        # Port of the module, width of the variable, and its value now.
        self.ports = [('clk', 1)]
        for s in self.sides:
            if s.reset is not None:
                self.ports.append((s.prefix + 'rst', 1))
            self.ports += [(s.prefix + n, s.widths[n]) for n in s.signals]
        codes = {n: '!' + str(i) for i, (n, _) in enumerate(self.ports)}
        head = '$timescale 1ns $end\n$scope module top $end\n'
        for n, w in self.ports:
            head += '$var wire %d %s %s%s $end\n' % (w, codes[n], n,
                                                     ' [%d:0]' % (w - 1) if w > 1 else '')
        vcd = [head + '$upscope $end\n$enddefinitions $end\n#0\n%d%s\n' % (self.falling, codes['clk'])]
        steps = []
        self.unknown = set()  # samples that see an x, or have one before
        values = {}

        def put(name, width, value):
            values[name] = value
            vcd.append('%s%s\n' % (value, codes[name]) if width == 1 else
                       'b%s %s\n' % (value, codes[name]))
            return '%s <= %d\'b%s;' % (verilog(name), width, value)

        # Signals are x at the start. What is put then would be unknown for ever.
        late = rng.random() < .3 and not self.remembers
        for n, w in self.ports[1:]:
            bits = 'x' * w if late and rng.random() < .5 else bin(rng.getrandbits(w))[2:].zfill(w)
            steps.append(put(n, w, bits))
        # A change from x is an edge in Verilog, so the clock begins with the other one.
        clk, cycle, unknown_before, time = int(self.falling), 0, False, 0
        steps.append('#0;')
        # What is in a queue before a reset shows only after a short one.
        resets = .3 if self.remembers else .1
        for k in range(rng.randint(20, 80)):
            clk ^= 1
            delay = rng.randint(1, 5)
            if clk == (not self.falling):
                unknown = any('x' in v for v in values.values())
                if unknown or unknown_before:
                    self.unknown.add(cycle)
                unknown_before = unknown
                cycle += 1
            time += delay
            vcd.append('#%d\n%d%s\n' % (time, clk, codes['clk']))
            line = ['#%d clk = %d;' % (delay, clk)]
            for n, w in self.ports[1:]:
                settle = late and k == 4 and 'x' in values[n]
                if settle or rng.random() < (resets if n.endswith('rst') else .4):
                    line.append(put(n, w, bin(rng.getrandbits(w))[2:].zfill(w)))
            steps.append(' '.join(line))
        write(self.name + '.vcd', ''.join(vcd))
        self.steps = steps

    def bench(self):
        """The module that drives the module of the taps. It prints its outputs at each sample."""
        regs = ''.join('\treg [%d:0] %s;\n' % (w - 1, verilog(n)) for n, w in self.ports[1:])
        params = ['.%s_BITS(%d)' % ((s.prefix + n).upper(), s.widths[n])
                  for s in self.sides for n, w in s.signals.items() if w > 1]
        ports = ['.%s(%s)' % (verilog(n), verilog(n)) for n, _ in self.ports]
        return '''module b_%s;
\treg clk = %d;
%s\twire s_valid;
\twire [63:0] s_time;
\twire [%d:0] s_present;
\twire [%d:0] s_header;
\twire [%d:0] s_payload;
\tnfacc_tap_%s %s tap (%s, .s_valid(s_valid), .s_present(s_present), .s_header(s_header), .s_time(s_time)%s);
\talways @(%s clk)
\t\t$strobe("%d %%0d %%b %%b %%b %%b", s_time, s_valid, s_present, s_header, s_payload);
\tinitial begin
\t\t%s
\tend
endmodule
''' % (self.name, self.falling, regs, self.slots - 1, self.slots * self.bits - 1,
            self.slots * (self.payload or 1) - 1, self.name,
            '#(%s)' % ', '.join(params) if params else '', ', '.join(ports),
            ', .s_payload(s_payload)' if self.payload else '',
            'negedge' if self.falling else 'posedge', self.number, '\n\t\t'.join(self.steps))


def verilog(name):
    return '\\%s ' % name if name == 'wire' else name


def write(path, text):
    with open(path, 'w') as f:
        f.write(text)


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def sizes(module):
    """The slots and the bits of a header, of the text of a module."""
    slots = int(module.split('output reg [')[1].split(':')[0]) + 1
    return slots, (int(module.split('output reg [')[2].split(':')[0]) + 1) // slots


def specified(tapref, path, wave):
    """What the executable specification makes of a waveform."""
    out = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):
        p = tapref.Proto(path, ['.'], {})
        for time, messages in tapref.batches(p, wave, {}, {}, False):
            out.write('%d %s\n' % (time, ' '.join(tapref.item(p, *m) for m in messages)))
    return out.getvalue()


def reader(nfarun, pair):
    """What nfarun reads of the waveform: as text, and as {time: {slot: (header, payload)}}."""
    args = [nfarun, '-p', pair.name + '.proto', pair.name + '.vcd', '--to']
    text, lines = run(*args, 'text'), run(*args, 'json')
    first, slots = 0, {}
    for s in pair.sides:
        for k in range(s.slots):
            slots['%s@%d' % (s.prefix[:-1] or 'm', k)] = first + k
        first += s.slots
    found = {}
    for line in lines.stdout.splitlines():
        batch = json.loads(line)
        found[batch['time']] = {slots[m['slot']]: (int(m['header'], 16), int(m.get('payload', '0'), 16))
                                for m in batch['messages']}
    wrong = text.returncode or lines.returncode
    return text.stderr + lines.stderr if wrong else None, text.stdout, found


def simulated(pairs):
    """{pair: {time: {slot: (header, payload)}}}, of the simulation of all modules. Bits that are x are 0."""
    write('bench.v', ''.join(p.bench() for p in pairs))
    made = run('iverilog', '-g2005', '-Wall', '-Wno-timescale', '-o', 'bench.vvp', 'bench.v',
               *[p.module for p in pairs])
    said = [x for x in made.stderr.splitlines() if 'bench.v' not in x]
    if made.returncode or said:
        print('DIFFERS Icarus says: ' + '\n'.join(said[:20] or made.stderr.splitlines()[:20]))
        sys.exit(1)
    found = {p.number: {} for p in pairs}
    for line in run('vvp', '-n', 'bench.vvp').stdout.splitlines():
        number, time, valid, present, header, payload = line.split()
        pair = pairs[int(number) - pairs[0].number]
        if valid == 'x' or 'x' in present:
            found[pair.number][int(time)] = 'x'
        elif valid == '1':
            header, payload = (int(x.replace('x', '0').replace('z', '0'), 2)
                               for x in (header, payload))
            found[pair.number][int(time)] = {
                i: (header >> i * pair.bits & (1 << pair.bits) - 1,
                    payload >> i * pair.payload & (1 << pair.payload) - 1)
                for i, bit in enumerate(reversed(present)) if bit == '1'}
    return found


def main():
    nfacc, nfarun, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    tapref = None
    if len(sys.argv) > 5:
        sys.path.insert(0, sys.argv[5])
        sys.dont_write_bytecode = True
        tapref = importlib.import_module('tapref')
    pairs, bad, total = [], 0, 0
    for number in range(count):
        pair = Pair(seed + number, number)
        made = run(nfacc, '--emit=tap', '--protocol', './%s.proto' % pair.name)
        if made.returncode:
            print('DIFFERS seed %d: %s' % (pair.seed, made.stderr))
            sys.exit(1)
        pair.module = 'nfacc_tap_%s.v' % pair.name
        write(pair.module, made.stdout)
        pair.slots, pair.bits = sizes(made.stdout)
        pairs.append(pair)
    hardware = simulated(pairs)
    for pair in pairs:
        wrong, text, software = reader(nfarun, pair)
        if (not wrong and tapref and not pair.remembers and not pair.payload and not pair.wide and
                specified(tapref, pair.name + '.proto', pair.name + '.vcd') != text):
            wrong = 'nfarun and tapref.py'
        times = sorted((set(software) | set(hardware[pair.number])) - pair.unknown)
        total += sum(len(software.get(t, {})) for t in times)
        for t in times:
            if not wrong and software.get(t) != hardware[pair.number].get(t):
                wrong = 'nfarun and the module, in cycle %d: %s and %s' % (
                    t, software.get(t), hardware[pair.number].get(t))
        if wrong:
            bad += 1
            print('DIFFERS seed %d, %s.proto: %s' % (pair.seed, pair.name, wrong))
    print('%d pairs with %d messages, %d differ' % (count, total, bad))
    sys.exit(bad > 0 or total == 0)


if __name__ == '__main__':
    main()

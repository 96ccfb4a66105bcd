# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""tap_payload.py NFARUN SEED COUNT [VCD2FST]: payload from random signals of random waveforms.

Signals and variables have up to 690 bits, in one piece or in several, and the values x and z. What
nfarun reads, and what it says of unknown bits and of bits that are cut, must be what is found here by
handling the digits as text. With VCD2FST all waveforms are read as FST, too. Files are made in the
current folder. Exit code 1: something differs, and the lines DIFFERS say what."""
import json
import random
import re
import subprocess
import sys

WIDTHS = [1, 2, 31, 63, 64, 65, 100, 127, 128, 129, 256, 511, 512, 513, 600]


class Signal:
    """A signal of `bits` bits and its variable of `width` digits, the value of which is a text."""

    def __init__(self, rng, name):
        self.name = name
        self.bits = rng.choice(WIDTHS)
        near = [max(2, self.bits + k) for k in (-70, -64, -1, 1, 64, 90)]
        self.width = self.bits if self.bits == 1 or rng.random() < .5 else rng.choice(near)
        # Some are dumped bit by bit, or in pieces that a waveform calls bits; the lowest one first.
        self.pieces = []
        if self.width > 1 and rng.random() < .3:
            most = rng.choice([1, 50])
            while sum(self.pieces) < self.width:
                self.pieces.append(min(rng.randint(1, most), self.width - sum(self.pieces)))
        self.digits = 'x' * self.width

    def variables(self):
        if len(self.pieces) > 1:
            return ''.join('$var wire %d %s:%d %s [%d] $end\n' % (width, self.name, i, self.name, i)
                           for i, width in enumerate(self.pieces))
        return '$var wire %d %s %s $end\n' % (self.width, self.name, self.name)

    def change(self, rng):
        """Chooses a value. Returns the lines of the waveform for it."""
        kind = rng.random()
        digits = '01xz' if kind < .3 else '01'
        value = ''.join(rng.choice(digits) for _ in range(self.width))
        if rng.random() < .4:  # what is above the signal is often 0, or the value short
            keep = rng.randint(1, self.width)
            value = '0' * (self.width - keep) + value[self.width - keep:]
        self.digits = value
        if len(self.pieces) > 1:
            lines, end = '', self.width
            for i, width in enumerate(self.pieces):
                lines += 'b%s %s:%d\n' % (value[end - width:end], self.name, i)
                end -= width
            return lines
        if self.width == 1:
            return '%s%s\n' % (value, self.name)
        short = value.lstrip('0') or '0'
        if short[0] in 'xz' and len(short) < len(value):
            short = '0' + short
        return 'b%s %s\n' % (short if rng.random() < .5 else value, self.name)

    def seen(self):
        """The value as the taps have it."""
        return self.digits.rjust(self.bits, '0')[-self.bits:]

    def is_cut(self):
        return self.width > self.bits and self.digits[:-self.bits].strip('0') != ''


class Part:
    """A part of a payload: a signal, some of its bits, their inverse, or those of the sample before."""

    def __init__(self, rng, signal, room):
        self.signal = signal
        self.high = rng.randrange(signal.bits) if rng.random() < .4 else signal.bits - 1
        self.low = max(0, self.high - room + 1)
        if self.high < signal.bits - 1 or rng.random() < .2:
            self.low = rng.randint(self.low, self.high)
        self.inverse, self.past = rng.random() < .2, rng.random() < .3
        self.width = self.high - self.low + 1
        name = 'past(%s)' % signal.name if self.past else signal.name
        if self.width < signal.bits:
            name += '[%d:%d]' % (self.high, self.low)
        self.text = '~' + name if self.inverse else name

    def value(self, now, before):
        digits = before[self.signal.name] if self.past else now[self.signal.name]
        digits = digits[len(digits) - 1 - self.high:len(digits) - self.low]
        return digits.translate(str.maketrans('01', '10')) if self.inverse else digits


def filling(rng, signals, bits):
    parts, width = [], 0
    while not parts or (width < bits and rng.random() < .7):
        parts.append(Part(rng, rng.choice(signals), bits - width))
        width += parts[-1].width
    return parts


def pair(seed, number):
    """Makes a description and a waveform. Returns the batches, and the lines that are said."""
    rng = random.Random(seed)
    payload = 64 * rng.randint(1, 8)
    signals = [Signal(rng, 'd%d' % i) for i in range(rng.randint(1, 4))]
    rows = {t: filling(rng, signals, payload) for t in 'AB'}
    with open('p%d.proto' % number, 'w') as f:
        f.write('protocol p%d;\nopcode auto; idle auto; groups m; types { A; B; }\npayload %d;\n'
                'clock clk;\nsignal a, b, %s;\ntap m {\n' % (number, payload, ', '.join(
                    '%s[%d]' % (s.name, s.bits) for s in signals)))
        for t, parts in rows.items():
            f.write('\t%s when %s: payload = {%s};\n' % (t, t.lower(), ', '.join(p.text for p in parts)))
        f.write('}\n')
    wave = '$scope module top $end\n$var wire 1 ! clk $end\n$var wire 1 a a $end\n$var wire 1 b b $end\n'
    wave += ''.join(s.variables() for s in signals) + '$upscope $end\n$enddefinitions $end\n#0\n0!\n'
    before, found, said = None, [], {}

    def count(kind, what, cycle, names):
        entry = said.setdefault((kind, what), [0, cycle, ' '.join(dict.fromkeys(names))])
        entry[0] += 1
    for cycle in range(rng.randint(3, 30)):
        a, b = rng.choice(['10', '01', '11', '00'])
        wave += '#%d\n%sa\n%sb\n' % (10 * cycle + 2, a, b)
        wave += ''.join(s.change(rng) for s in signals if cycle == 0 or rng.random() < .6)
        wave += '#%d\n1!\n#%d\n0!\n' % (10 * cycle + 5, 10 * cycle + 7)
        now = {s.name: s.seen() for s in signals}
        kind = 'A' if a == '1' else 'B' if b == '1' else None
        if kind:
            parts = rows[kind]
            back = any(p.past for p in parts)
            digits = ''.join(p.value(now, before or {s.name: 'x' * s.bits for s in signals}) for p in parts)
            found.append((cycle, kind, int(re.sub('[xz]', '0', digits), 2)))
            if re.search('[xz]', digits) and (before or not back):
                count(kind, 'messages with unknown bits', cycle, [
                    p.signal.name for p in parts
                    if re.search('[xz]', now[p.signal.name] + (before[p.signal.name] if back else ''))])
            cut = [p.signal.name for p in parts if p.signal.is_cut()]
            if cut:
                count(kind, 'messages with bits cut', cycle, cut)
        before = now
    with open('p%d.vcd' % number, 'w') as f:
        f.write(wave)
    return found, sorted('tap: m %s: %s: %d, first in cycle %d (%s)' % (*k, *v) for k, v in said.items())


def read(nfarun, number, wave):
    args = [nfarun, 'convert', '-p', './p%d.proto' % number, '--at', 'top.', wave, '--to', 'json']
    done = subprocess.run(args, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    found = []
    for line in done.stdout.splitlines():
        batch = json.loads(line)
        for m in batch['messages']:
            found.append((batch['time'], m['type'].rpartition('.')[2], int(m['payload'], 16)))
    return found, sorted(s for s in done.stderr.splitlines() if s.startswith('tap: m ') or 'error' in s)


def main():
    nfarun, seed, count, vcd2fst = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    bad = total = told = 0
    for number in range(count):
        wanted = pair(seed + number, number)
        waves = ['p%d.vcd' % number]
        if vcd2fst:
            waves.append('p%d.fst' % number)
            subprocess.run([vcd2fst[0], *waves], check=True, capture_output=True)
        for wave in waves:
            got = read(nfarun, number, wave)
            total += len(got[0])
            told += len(got[1])
            if got != wanted:
                bad += 1
                print('DIFFERS seed %d, %s:' % (seed + number, wave))
                for name, w, g in zip(('messages', 'said'), wanted, got):
                    print(' ', name, [x for x in w if x not in g], 'and', [x for x in g if x not in w])
    print('%d waveforms with %d messages, of which %d lines tell something, %d differ' % (
        count, total, told, bad))
    sys.exit(bad > 0 or total == 0 or told == 0)


if __name__ == '__main__':
    main()

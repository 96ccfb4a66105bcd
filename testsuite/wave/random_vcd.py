#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""random_vcd.py WAVEDUMP SEED COUNT FOLDER: writes random VCDs, most in the usual layout and some in any other that is allowed,
and compares what wavedump reads, with and without scanning, by two threads in small pieces, and as FST (vcd2fst), with oracle.py. What differs stays in FOLDER."""
import os
import random
import shutil
import subprocess
import sys

import oracle

STATES = '01xXzZuUwWlLhH-'


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.plain = self.r.random() < .5      # as simulators write it
        self.fst = self.plain and self.r.random() < .5
        self.ascii = self.plain or self.r.random() < .9
        self.end = self.r.choice(['\n', '\n', '\n', '\r\n']) if not self.plain else '\n'

    def code(self, i):
        letters = [chr(c) for c in range(33, 127 if self.ascii else 256)]
        n = self.r.choice([1, 1, 2, 2, 3, 4, 9, 20]) if not self.plain else 1 if i < 90 else 2
        if self.plain:
            return chr(33 + i % 94) + ('' if i < 94 else chr(33 + i // 94))
        return ''.join(self.r.choice(letters if k or self.r.random() < .5 else '!b01#x') for k in range(n))

    def blank(self):
        if self.plain:
            return self.end
        x = self.r.random()
        if x < .8:
            return self.end
        return self.r.choice([' ', '\t', '\n\n', ' \n', '\n ', '\n\t', '\r\n', '  '])

    def digits(self, width):
        r = self.r
        n = r.choice([width, width, r.randint(1, width), width + 3]) if not self.fst else width
        some = r.choice(['01', '01', '01xz', STATES if not self.fst else '01xz'])
        return ''.join(r.choice(some) for _ in range(n))

    def change(self, code, width):
        r = self.r
        if width == 1 and r.random() < .9:
            gap = ' ' if not self.plain and r.random() < .05 else ''
            return r.choice('01' if r.random() < .7 else '01xz' if self.fst else STATES) + gap + code
        gap = ' ' if self.plain or r.random() < .95 else r.choice(['  ', '\t', '\n'])
        return r.choice('bbbbB') + self.digits(width) + gap + code

    def make(self):
        r = self.r
        n = r.choice([1, 3, 10, 40, 150])
        codes, text, names = [], '$timescale 1ns $end' + self.end + '$scope module t $end' + self.end, []
        for i in range(2 * n):
            code = self.code(i)
            if all(code != c for c, _, _ in codes) and not code.startswith('$'):
                kind = 'real' if r.random() < .05 and not self.fst else 'wire'
                codes.append((code, 64 if kind == 'real' else r.choice([1, 1, 1, 2, 8, 13, 32, 64, 65, 130, 300]), kind))
        codes = codes or [('!', 1, 'wire')]
        for i, (code, width, kind) in enumerate(codes):
            name = 's%d' % i + (' [%d:0]' % (width - 1) if width > 1 else '')
            text += '$var %s %d %s %s $end%s' % (kind, width, code, name, self.end)
            if kind == 'wire':
                names.append('t.' + name)
        text += '$upscope $end' + self.end + '$enddefinitions $end' + self.end
        time, odd = r.choice([0, 0, 17]), .3 if self.plain else 2
        if r.random() < .5 or self.fst:
            text += '#%d%s' % (time, self.end)
        for _ in range(r.choice([1, 5, 50, 200])):
            for _ in range(r.choice([0, 1, 3, 20])):
                code, width, kind = r.choice(codes)
                text += 'r%.16g %s' % (r.random(), code) if kind == 'real' else self.change(code, width)
                text += self.blank()
            x = r.random() * 100
            if x < odd and not self.fst:
                text += '$dumpoff' + self.blank() + 'x' + codes[0][0] + self.blank() + '$end' + self.blank()
            elif x < 2 * odd and not self.fst:
                text += '$dumpon' + self.blank() + '1' + codes[0][0] + self.blank() + '$end' + self.blank()
            elif x < 3 * odd and not self.fst:
                text += '$comment #5 1' + codes[0][0] + ' b01 ' + codes[-1][0] + ' $end' + self.blank()
            time += r.choice([0, 1, 1, 7, 1000])
            text += '#%d%s' % (time, self.blank())
        some = r.sample(names, min(len(names), r.choice([1, 2, 8]))) if names and r.random() < .7 else []
        return text, some


def got(command):
    x = subprocess.run(command, capture_output=True)
    return x.stdout.decode('latin-1'), x.stderr.decode('latin-1'), x.returncode


def check(dump, seed, folder):
    maker = Maker(seed)
    text, some = maker.make()
    vcd, fst = '%s/%d.vcd' % (folder, seed), '%s/%d.fst' % (folder, seed)
    open(vcd, 'w', newline='', encoding='latin-1').write(text)
    want = oracle.reading(vcd, some)
    ways = [['-e'], ['-ae'], ['-pe']] + [['-ej', str(n)] for n in (maker.r.randint(2, 60), maker.r.randint(60, 2000))]
    bad = [' '.join(w) for w in ways if got([dump] + w + [vcd] + some)[0] != want]
    pieces = ['-j', str(maker.r.randint(2, 500))]
    if got([dump] + pieces + [vcd] + some)[0] != got([dump, vcd] + some)[0]:
        bad.append(' '.join(pieces))
    if maker.fst and shutil.which('vcd2fst'):
        pack = maker.r.choice(['-F', '-4', '-Z'])
        subprocess.run(['vcd2fst', pack, vcd, fst], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # vcd2fst writes no FST that can be read if nothing changes.
        readable = subprocess.run(['fst2vcd', '-f', fst], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
        if readable and got([dump, '-e', fst] + some)[0] != oracle.reading(fst, some):
            bad.append('fst ' + pack)
    if bad:
        print('seed %d: %s differ: %s %s' % (seed, ', '.join(bad), vcd, ' '.join("'%s'" % s for s in some)))
        return False
    for path in (vcd, fst):
        if os.path.exists(path):
            os.remove(path)
    return True


def main():
    dump, seed, count, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    good = sum(check(dump, seed + i, folder) for i in range(count))
    print('%d of %d waveforms are read alike' % (good, count))
    sys.exit(good != count)


main()

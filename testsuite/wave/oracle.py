#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""oracle.py FILE [PATH...]: a slow and obvious reading of a VCD, printed as `wavedump -e` prints it. An FST goes through
fst2vcd first. Without paths, all signals are chosen."""
import gzip
import re
import subprocess
import sys

OTHER = ('real', 'realtime', 'real_parameter', 'shortreal', 'string', 'event')
SCALARS = '01xXzZuUwWlLhH-'


def words(path):
    data = open(path, 'rb').read()
    if data[:2] == b'\x1f\x8b':
        data = gzip.decompress(data)
    if data[:1] in (b'\0', b'\xfe'):
        data = subprocess.run(['fst2vcd', '-f', path], stdout=subprocess.PIPE, check=True).stdout
    data = data.decode('latin-1')
    for number, line in enumerate(data.split('\n')):
        for word in re.findall(r'[^\0-\x20]+', line):
            yield number + 1, word


class Dump:
    def __init__(self, path):
        self.words = words(path)
        self.variables = []  # (path, code), logic ones only
        self.width = {}
        scope = []
        for _, word in self.words:
            if word == '$enddefinitions':
                self.section()
                return
            if not word.startswith('$'):
                raise ValueError(word)
            if word == '$end':
                continue
            rest = self.section()
            if word == '$scope':
                scope.append(' '.join(rest[1:]).lstrip('\\'))
            elif word == '$upscope':
                scope.pop()
            elif word == '$var' and rest[0] not in OTHER:
                name = ' '.join(rest[3:]).lstrip('\\')
                width = max(1, int(rest[1]))
                self.variables.append(('.'.join(scope + [name]), rest[2]))
                self.width[rest[2]] = max(width, self.width.get(rest[2], 1))
        raise ValueError('no $enddefinitions')

    def section(self):
        got = []
        for _, word in self.words:
            if word == '$end':
                return got
            got.append(word)
        raise ValueError('no $end')

    def steps(self):
        """-> time, lost, resumed, and {code: digits} of what was written."""
        now, lost, resumed, written = None, False, False, {}
        for line, word in self.words:
            if now is None and word[0] != '#':
                now = 0
            if word[0] == '#':
                time = int(word[1:].split('.')[0])
                if now is not None and time < now:
                    raise ValueError('time goes back')
                if now is not None and time > now:
                    yield now, lost, resumed, written
                    lost, resumed, written = False, False, {}
                now = time
            elif word[0] in SCALARS:
                written[word[1:] or next(self.words)[1]] = word[0]
            elif word[0] in 'bB':
                written[next(self.words)[1]] = word[1:]
            elif word[0] in 'rRsS':
                next(self.words)
            elif word == '$dumpoff':
                self.section()
                lost, written = True, {}
            elif word == '$dumpon':
                resumed = True
            elif word in ('$comment', '$vcdclose', '$date', '$version'):
                self.section()
            elif word not in ('$dumpvars', '$dumpall', '$end'):
                raise ValueError(word)
        if now is not None:
            yield now, lost, resumed, written


def bits(digits, width):
    known = {'0': '0', 'L': '0', 'l': '0', '1': '1', 'H': '1', 'h': '1'}
    fill = '0' if digits[:1] in known else 'x'
    text = ''.join(known.get(c, 'x') for c in digits) or 'x'
    return text.rjust(width, fill)[-width:]


def reading(file, paths):
    dump = Dump(file)
    chosen = {}  # code: path of its first variable
    for path, code in dump.variables:
        if not paths or path in paths:
            chosen.setdefault(code, path)
    out = []
    for time, lost, resumed, written in dump.steps():
        out.append('#%d%s%s' % (time, ' lost' if lost else '', ' resumed' if resumed else ''))
        for code, path in chosen.items():
            if code in written:
                out.append('%s %s' % (path, bits(written[code], dump.width[code])))
    return ''.join(line + '\n' for line in out)


if __name__ == '__main__':
    sys.stdout.write(reading(sys.argv[1], sys.argv[2:]))

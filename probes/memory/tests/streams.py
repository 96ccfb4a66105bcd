#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""Streams of memory messages for the filters of examples/mem, and what the filters must say of them.

streams.py text FILE: FILE as batch text. A line of FILE is a message, `SLOT KIND BLOCK[+OFFSET]
[thread=N] [held] [beyond] [by=N] [> LABEL,...]`; in protocol mem-word (first line `protocol mem-word`) BLOCK
is the number of a word, and +OFFSET is that of the word in its block. `byte=N` is its field.
streams.py wanted FILE: what `nfarun -q --lines` must print, from what stands behind `>`.
streams.py random FILTER SEED N: a random stream of N messages as such a FILE, with the labels that
an obvious program gives, which keeps for each block all that happened to it.
"""
import random
import sys

KINDS = ('LOAD SAVE BOTH COPY STORE FETCH FILL MALLOC CALLOC REALLOC FREE MMAP MREMAP MUNMAP - - - - - '
         'LOCK UNLOCK INIT DESTROY THREAD EXIT BEGIN END FORK EXEC JOIN').split()
SLOTS = 'data bss heap mapped zeroed'.split()
READS = ('LOAD', 'BOTH', 'FETCH')
WRITES = ('SAVE', 'BOTH', 'COPY', 'STORE', 'FILL')
ACCESSES = ('LOAD', 'SAVE', 'BOTH', 'COPY', 'STORE', 'FETCH', 'FILL')
STREAM_WORDS = ('load-before-store', 'race', 'ring')


class Message:
    def __init__(self, slot, kind, line=0, offset=0, thread=0, held=0, beyond=0, byte=0, by=0):
        self.slot, self.kind, self.line, self.offset = slot, kind, line, offset
        self.thread, self.held, self.beyond, self.byte = thread, held, beyond, byte
        self.by = by

    def header(self, words):
        head = self.thread << 61 | KINDS.index(self.kind) << 56
        if self.slot == 'program':
            return head | self.by << 32
        if words:
            return (head | self.beyond << 55 | self.held << 54 | self.offset << 37 |
                    self.line << 3 | self.byte)
        return head | self.line << 32 | self.beyond << 31 | self.held << 30 | self.offset

    def __str__(self):
        if self.slot == 'program':
            return f'program {self.kind} thread={self.thread} by={self.by}'
        return (f'{self.slot} {self.kind} {self.line}+{self.offset} thread={self.thread}' +
                ' held' * self.held + ' beyond' * self.beyond +
                (f' byte={self.byte}' if self.byte else ''))


def parse(path):
    """Yields (message, labels) of a file; first of all whether it is of mem-word."""
    with open(path) as f:
        lines = [line.split('#')[0].strip() for line in f]
    lines = [line for line in lines if line]
    yield lines[0] == 'protocol mem-word', None
    for line in lines[1:]:
        what, _, labels = line.partition('>')
        words = what.split()
        m = Message(words[0], words[1])
        for word in words[2:]:
            if word in ('held', 'beyond'):
                setattr(m, word, 1)
            elif '=' in word:
                setattr(m, *(lambda k, v: (k, int(v)))(*word.split('=')))
            else:
                m.line, _, offset = word.partition('+')
                m.line, m.offset = int(m.line), int(offset or 0)
        yield m, [label.strip() for label in labels.split(',') if label.strip()]


def text(path):
    messages = parse(path)
    words, _ = next(messages)
    for time, (m, _) in enumerate(messages, 1):
        print(f'{time} {m.slot}={m.header(words):#x}')


def wanted(path):
    messages = parse(path)
    words, _ = next(messages)
    for time, (m, labels) in enumerate(messages, 1):
        if labels:
            line = m.line * 8 if words else m.line
            print(time, '[' + ','.join(f'{label}@{line:#x}' for label in labels) + ']')


# The obvious programs. Each returns the labels that the last message of a block's history has. The
# history is a list of messages. It includes the messages about threads.

def use_after_free(past, m):
    if m.kind in ACCESSES and any(p.kind == 'FREE' for p in past):
        yield 'used'


def double_free(past, m):
    if m.kind != 'FREE':
        return
    if any(p.kind == 'FREE' for p in past):
        yield 'twice'
    if m.offset:
        yield 'inside'
    if m.slot in ('data', 'bss', 'mapped'):
        yield 'foreign'
    if m.beyond:  # the bit of a free is `mismatched`
        yield 'mismatched'


def load_before_store(past, m):
    reads = ('LOAD', 'BOTH')
    if m.slot == 'heap' and m.kind in reads and \
            not any(p.kind in WRITES or p.kind in reads for p in past):
        yield 'unset'


def lock(past, m):
    if m.kind not in ACCESSES or not 40 <= m.offset:
        return
    own = [p for p in past if p.slot != 'program' and p.offset == 0]
    freed = False
    for p in own:
        if p.kind == 'UNLOCK':
            freed = True
        elif p.kind in ('LOCK', 'DESTROY'):
            freed = False
    if freed:
        yield 'unlocked'
    holders = set()
    for p in own:
        if p.kind == 'UNLOCK':
            holders.clear()
        elif p.kind == 'LOCK':
            holders.add(p.thread)
    if holders - {m.thread}:
        yield 'stranger'


def race(past, m):
    if m.kind not in WRITES or any(p.kind in ('LOCK', 'UNLOCK', 'INIT') for p in past):
        return
    for i, p in enumerate(past):
        if (p.kind in WRITES and p.thread != m.thread and not (p.held and m.held) and
                not ordered(p.thread, m.thread, past[i + 1:])):
            yield 'race'
            return


def ordered(first, second, between):
    joins = [i for i, p in enumerate(between) if p.kind == 'JOIN' and p.thread == first]
    if any(p.kind == 'THREAD' and p.thread == first for p in between):
        return True
    if not joins:
        return False
    starts = any(p.kind == 'THREAD' for p in between[joins[0]:])
    return between[joins[0]].by != 0 or first == 0 or second == 0 or starts


def order(past, m):
    own = [p.kind for p in past if p.slot != 'program' and p.offset == 0]
    dynamic = [p.kind for p in past if p.slot in ('heap', 'zeroed', 'mapped') and p.offset == 0]
    last = [k for k in own if k in ('INIT', 'DESTROY')][-1:]
    if m.offset == 0 and m.kind == 'LOCK' and m.slot in ('heap', 'zeroed', 'mapped') and \
            'INIT' not in own and 'LOCK' not in dynamic:
        yield 'early'
    if m.offset == 0 and m.kind in ('LOCK', 'UNLOCK') and last == ['DESTROY']:
        yield 'late'
    if m.offset == 0 and m.kind == 'INIT' and last == ['INIT']:
        yield 'again'
    if m.kind == 'FREE' and last == ['INIT']:
        yield 'freed'


def beyond(_, m):
    if m.kind in ACCESSES and m.beyond:
        yield 'beyond'


def ring(past, m):
    puts = ('SAVE', 'COPY', 'STORE', 'FILL')
    if m.kind not in puts or m.byte:
        return
    for p in reversed(past):
        if p.byte == 0 and p.kind in puts:
            yield 'overrun'
            return
        if p.byte == 0 and p.kind in READS:
            return


def random_message(r, words, lines):
    if r.random() < 0.1:
        kind = r.choice(KINDS[23:])
        return Message('program', kind, thread=r.randrange(8),
                       by=r.randrange(2) if kind == 'JOIN' else 0)
    if r.random() < (0.98 if words else 0.5):
        kinds = ACCESSES
    else:
        kinds = KINDS[19:23] if words else KINDS[7:14] + KINDS[19:23] + ['FREE']
    kind = r.choice(kinds)
    slot = r.choice(SLOTS)
    home = {'MALLOC': 'heap', 'REALLOC': 'heap', 'CALLOC': 'zeroed', 'MMAP': 'mapped',
            'MREMAP': 'mapped', 'MUNMAP': 'mapped'}
    return Message(home.get(kind, slot), kind, r.randint(1, lines),
                   r.choice((0, 8, 40, 48, 1 << 16)) if words else r.choice((0, 0, 8, 40, 48)),
                   r.choice((0, 0, 1, 1, 2, 7, r.randrange(8))), r.randrange(2), r.randrange(2),
                   r.choice((0, 0, 0, 4)) if words else 0)


def make(name, seed, n):
    r = random.Random(seed)
    words = name in STREAM_WORDS
    oracle = globals()[name.replace('-', '_')]
    print('protocol', 'mem-word' if words else 'mem')
    past, lines = [], 100 if name == 'load-before-store' else 30 if name == 'race' else 6
    for _ in range(n):
        m = random_message(r, words, lines)
        mine = [p for p in past if p.slot == 'program' or p.line == m.line]
        labels = list(oracle(mine, m)) if m.slot != 'program' else []
        print(m, ('> ' + ','.join(labels)) if labels else '')
        past.append(m)


if __name__ == '__main__':
    if sys.argv[1] == 'random':
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        {'text': text, 'wanted': wanted}[sys.argv[1]](sys.argv[2])

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""tokens.py: answers questions of tests about a token file (probes/profile/stacks/token.h) and ELF files.
It does not use the code of nfaperf.

tokens.py count TOKENS ADDRESS...    how many tokens are at each address
tokens.py cycles TOKENS FROM TO      the cycles of the instructions from FROM to before TO
tokens.py sum TOKENS                 tokens, cycles (each hart's added up), and tokens in user mode
tokens.py text TOKENS ELF            how many tokens are no instructions of this static program
tokens.py programs TOKENS TRUTH      what each program ran in user mode: name, tokens, cycles
tokens.py inside TOKENS TRUTH NAME FROM TO
                                     the cycles of a program's instructions from FROM to before TO,
                                     whose addresses are those in a page: 12 bits count
"""
import struct
import subprocess
import sys

import numpy

TOKEN = numpy.dtype([('pc', '<u8'), ('cycle', '<u8'), ('satp', '<u8'), ('instruction', '<u4'),
                     ('privilege', 'u1'), ('flags', 'u1'), ('hart', '<u2')])
HEAD = 32


def load(path):
    """Returns the tokens of a file that is not compressed; fails unless the head is right."""
    with open(path, 'rb') as file:
        head = file.read(HEAD)
    magic, version, size, _, reserved, _ = struct.unpack('<8sIIIIQ', head)
    assert (magic, version, size, reserved) == (b'\x89RVtok\r\n', 1, TOKEN.itemsize, 0), head
    return numpy.memmap(path, dtype=TOKEN, mode='r', offset=HEAD)


def gaps(tokens):
    """Returns the cycles of each token. The first one of a hart has none."""
    cycles = numpy.zeros(len(tokens), dtype='u8')
    for hart in numpy.unique(tokens['hart']):
        mine = tokens['hart'] == hart
        cycles[mine] = numpy.diff(tokens['cycle'][mine], prepend=tokens['cycle'][mine][:1])
    return cycles


def segments(path):
    """Yields (address, bytes) of each executable segment of a 64-bit ELF file."""
    with open(path, 'rb') as file:
        elf = file.read()
    start, = struct.unpack_from('<Q', elf, 32)
    size, count = struct.unpack_from('<HH', elf, 54)
    for i in range(count):
        kind, flags, offset, address, _, length = struct.unpack_from('<IIQQQQ', elf, start + i * size)
        if kind == 1 and flags & 1:
            yield address, elf[offset:offset + length]


def symbols(path):
    """Returns {name: address} from the output of nm."""
    lines = subprocess.run(['riscv64-linux-gnu-nm', path], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {line.split()[2]: int(line.split()[0], 16) for line in lines if len(line.split()) == 3}


def wrong_text(tokens, path):
    """Returns the tokens whose instruction is not that of the static program at their address."""
    right = numpy.zeros(len(tokens), dtype=bool)
    for address, data in segments(path):
        words = numpy.frombuffer(data + bytes(4), dtype='u1').astype('u4')
        words = words[:-3] | words[1:-2] << 8 | words[2:-1] << 16 | words[3:] << 24
        words = numpy.where(words & 3 == 3, words, words & 0xffff)
        inside = (tokens['pc'] >= address) & (tokens['pc'] < address + len(data))
        at = (tokens['pc'][inside] - numpy.uint64(address)).astype('i8')
        right[inside] = words[at] == tokens['instruction'][inside]
    return tokens[~right]


def stays(tokens, path):
    """Yields (name, indices) for each stay in user mode in the truth file of the plugin."""
    of_hart = {int(hart): numpy.flatnonzero(tokens['hart'] == hart)
               for hart in numpy.unique(tokens['hart'])}
    with open(path, encoding='ascii') as file:
        for line in file:
            hart, first, count, satp, _, name = line.rstrip('\n').split(' ', 5)
            indices = of_hart[int(hart)][int(first):int(first) + int(count)]
            assert (tokens['privilege'][indices] == 0).all(), line
            assert (tokens['satp'][indices] == int(satp, 16)).all(), line
            yield name, indices


def main(command, path, *rest):
    """Runs a command; see the top."""
    tokens = load(path)
    if command == 'count':
        print(*(int((tokens['pc'] == int(at, 16)).sum()) for at in rest))
    elif command == 'cycles':
        inside = (tokens['pc'] >= int(rest[0], 16)) & (tokens['pc'] < int(rest[1], 16))
        print(int(gaps(tokens)[inside].sum()))
    elif command == 'sum':
        print(len(tokens), int(gaps(tokens).sum()), int((tokens['privilege'] == 0).sum()))
    elif command == 'text':
        wrong = wrong_text(tokens, rest[0])
        print(len(wrong), *(hex(pc) for pc in wrong['pc'][:10]))
    elif command == 'programs':
        cycles, sums = gaps(tokens), {}
        for name, indices in stays(tokens, rest[0]):
            counts = sums.setdefault(name, [0, 0])
            counts[0] += len(indices)
            counts[1] += int(cycles[indices].sum())
        assert sum(counts[0] for counts in sums.values()) == int((tokens['privilege'] == 0).sum())
        for name in sorted(sums):
            print(name, *sums[name])
    elif command == 'inside':
        cycles, low, high = gaps(tokens), int(rest[2], 16) & 4095, int(rest[3], 16) & 4095
        total = 0
        for name, indices in stays(tokens, rest[0]):
            if name == rest[1]:
                place = tokens['pc'][indices] & numpy.uint64(4095)
                total += int(cycles[indices][(place >= low) & (place < high)].sum())
        print(total)
    else:
        sys.exit(f'tokens.py: no command {command}')


if __name__ == '__main__':
    main(*sys.argv[1:])

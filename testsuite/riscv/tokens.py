# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""tokens.py: what tests ask of a file of tokens (sources/riscv/token.h) and of ELF files, without the
code of nfaperf.

tokens.py count TOKENS ADDRESS...    how many tokens are at each address
tokens.py cycles TOKENS FROM TO      the cycles of the instructions from FROM to before TO
tokens.py sum TOKENS                 tokens, and cycles, each hart's added up
tokens.py text TOKENS ELF            fails unless each token is an instruction of this static program
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
    """Returns the cycles of each token. A hart begins at cycle 0."""
    cycles = numpy.zeros(len(tokens), dtype='u8')
    for hart in numpy.unique(tokens['hart']):
        mine = tokens['hart'] == hart
        cycles[mine] = numpy.diff(tokens['cycle'][mine], prepend=numpy.uint64(0))
    return cycles


def segments(path):
    """Yields (address, bytes) of what an ELF file for 64 bits has in segments that can be executed."""
    with open(path, 'rb') as file:
        elf = file.read()
    start, = struct.unpack_from('<Q', elf, 32)
    size, count = struct.unpack_from('<HH', elf, 54)
    for i in range(count):
        kind, flags, offset, address, _, length = struct.unpack_from('<IIQQQQ', elf, start + i * size)
        if kind == 1 and flags & 1:
            yield address, elf[offset:offset + length]


def symbols(path):
    """Returns {name: address} of what nm prints."""
    lines = subprocess.run(['riscv64-linux-gnu-nm', path], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {line.split()[2]: int(line.split()[0], 16) for line in lines if len(line.split()) == 3}


def wrong_text(tokens, path):
    """Returns the tokens that are not what the static program has at their addresses."""
    right = numpy.zeros(len(tokens), dtype=bool)
    for address, data in segments(path):
        words = numpy.frombuffer(data + bytes(4), dtype='u1').astype('u4')
        words = words[:-3] | words[1:-2] << 8 | words[2:-1] << 16 | words[3:] << 24
        words = numpy.where(words & 3 == 3, words, words & 0xffff)
        inside = (tokens['pc'] >= address) & (tokens['pc'] < address + len(data))
        at = (tokens['pc'][inside] - numpy.uint64(address)).astype('i8')
        right[inside] = words[at] == tokens['instruction'][inside]
    return tokens[~right]


def main(command, path, *rest):
    """Runs a command; see the top."""
    tokens = load(path)
    if command == 'count':
        print(*(int((tokens['pc'] == int(at, 16)).sum()) for at in rest))
    elif command == 'cycles':
        inside = (tokens['pc'] >= int(rest[0], 16)) & (tokens['pc'] < int(rest[1], 16))
        print(int(gaps(tokens)[inside].sum()))
    elif command == 'sum':
        print(len(tokens), int(gaps(tokens).sum()))
    elif command == 'text':
        wrong = wrong_text(tokens, rest[0])
        print(len(wrong), *(hex(pc) for pc in wrong['pc'][:10]))
    else:
        sys.exit(f'tokens.py: no command {command}')


if __name__ == '__main__':
    main(*sys.argv[1:])

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""texts.py: writes a token file (probes/profile/stacks/token.h) as the text of a simulator, from the
format that its sources print. It does not use the code of nfaperf.

texts.py gem5 TOKENS ELF >TEXT    as gem5 --debug-flags=ExecAll; ELF gives mnemonics and symbols
texts.py rvfi TOKENS OUT >TEXT    as CVA6's rvfi_tracer, with instructions that change satp; the file
                                  OUT gets the tokens that the text then means
"""
import re
import struct
import subprocess
import sys


def load(path):
    """Yields (address, cycle, satp, instruction, privilege, hart) of each token."""
    with open(path, 'rb') as file:
        data = file.read()[32:]
    for pc, cycle, satp, bits, privilege, _, hart in struct.iter_unpack('<QQQIBBH', data):
        yield pc, cycle, satp, bits, privilege, hart


def disassemble(path):
    """Returns {address: (symbol, offset, mnemonic, operands)} from the output of objdump."""
    text = subprocess.run(['riscv64-linux-gnu-objdump', '-d', '-M', 'no-aliases', path], check=True,
                          capture_output=True, text=True).stdout
    code, symbol, start = {}, '', 0
    for line in text.splitlines():
        if match := re.match(r'([0-9a-f]+) <(.+)>:$', line):
            start, symbol = int(match[1], 16), match[2]
        elif match := re.match(r' *([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\t?([^#<]*)', line):
            at = int(match[1], 16)
            code[at] = symbol, at - start, match[2].replace('.', '_'), match[3].strip()
    return code


def gem5(tokens, elf):
    """Prints lines of ExecAll. Atomic instructions have two micro-operations, as in gem5."""
    code = disassemble(elf)
    harts = len({token[5] for token in tokens})
    print('gem5 Simulator System.  https://www.gem5.org\nGlobal frequency set at 1000000000000 ticks per second')
    for number, (pc, cycle, _, bits, _, hart) in enumerate(tokens):
        symbol, offset, name, operands = code.get(pc, ('', 0, 'unknown', f'{bits:#x}'))
        cpu = f'system.cpu{hart}' if harts > 1 else 'system.cpu'
        place = f' @{symbol}+{offset}' if offset else f' @{symbol}' if symbol else ''
        begin = f'{cycle * 500:7d}: {cpu}: A0 T0 : {pc:#x}{place}'
        text = f'{name} {operands}'
        after = ' : IntAlu :  D=0x0000000000000000  flags=(IsInteger)'
        if name.startswith('amo'):
            print(f'{begin}    : {text:26s}')
            for part in range(2):
                print(f'{begin}.{part:2d} : {text:26s}{after}')
        else:
            print(f'{begin}    : {text:26s}{after}')
        if number % 100 == 7:
            print(f'{cycle * 500:7d}: system.membus: recvTimingReq: packet ReadReq [{pc:x}:{pc + 3:x}]')


def csr(kind, source, target):
    """Returns an instruction that reads and writes satp."""
    return 0x180 << 20 | source << 15 | kind << 12 | target << 7 | 0x73


def changes(number, before, satp):
    """Returns instructions that change satp, each with a register that it writes, and what is in this
    register and in satp afterwards."""
    lui = 0x00003337
    if number % 4 == 0:  # csrw satp, t1: first with a mode that is ignored
        return [(lui, 6, satp & ~(15 << 60) | 9 << 60, before), (csr(1, 6, 0), 0, 0, before), (lui, 6, satp, before),
                (csr(1, 6, 0), 0, 0, satp)]
    if number % 4 == 1:  # csrrc, then csrrs
        return [(lui, 6, before & ~satp, before), (csr(3, 6, 7), 7, before, before & satp), (lui, 6, satp, before & satp),
                (csr(2, 6, 0), 0, 0, satp)]
    if number % 4 == 2:  # csrrw t1, satp, t1
        return [(lui, 6, satp, before), (csr(1, 6, 6), 6, before, satp)]
    return [(csr(2, 0, 7), 7, satp, satp)]  # nobody saw the write, but csrr t2, satp reads it


def rvfi(tokens, out):
    """Prints the two lines of each instruction. Firmware changes satp in four ways."""
    written, now = [], 0
    print("*** [rvfi_tracer] WARNING No valid address of 'tohost' (tohost == 0x0000000000000000)\n")

    def put(privilege, pc, bits, register, value):
        digits = 8 if bits & 3 == 3 else 4
        print(f'core   {"INTERRUPT " if pc % 50 == 10 else ""}0: 0x{pc:016x} (0x{bits:08x}) DASM({bits:08x})')
        print(f'{privilege} 0x{pc:016x} (0x{bits:0{digits}x})' + (f' x{register:2d} 0x{value:016x}' if register else ''))
        written.append(struct.pack('<QQQIBBH', pc, len(written), now, bits, privilege, 0, 0))

    for number, (pc, _, satp, bits, privilege, _) in enumerate(tokens):
        if satp != now:
            for i, step in enumerate(changes(number, now, satp)):
                put(3, 0x1000 + 4 * i, *step[:3])
                now = step[3]
        put(privilege, pc, bits, 10, number)
        if number % 1000 == 999:
            print(f'LOAD_PAGE_FAULT exception @ 0x{pc:016x} (0x{bits:08x})')
    with open(out, 'wb') as file:
        file.write(struct.pack('<8sIIIIQ', b'\x89RVtok\r\n', 1, 32, 0, 0, 0) + b''.join(written))


def main(form, path, *rest):
    """Runs a command; see the top."""
    tokens = list(load(path))
    if form == 'gem5':
        gem5(tokens, *rest)
    else:
        rvfi(tokens, *rest)


if __name__ == '__main__':
    main(*sys.argv[1:])

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""bus_data.py NFARUN VCD BUS SCOPE [OPTION...]: the payload that the taps of BUS-data find in a design.

The data of each transfer are found in the waveform by the rules of the bus, and must be the payload
of the messages that nfarun makes of it with these options, in the same cycles. Prints how many there
are. Exit code 1: something differs."""
import json
import subprocess
import sys


def samples(path, scope):
    """The values of the scope's variables before each rising edge of its clock, x and z as 0."""
    names, values, around, clocks = {}, {}, [], []
    before = {}
    with open(path) as f:
        words = iter(f.read().split())
    for word in words:
        if word == '$scope':
            next(words)
            around.append(next(words))
        elif word == '$upscope':
            around.pop()
        elif word == '$var':
            next(words), next(words)
            code, name = next(words), next(words)
            if around[-1] == scope:
                names[name] = code
            if name == 'clk':
                clocks.append(code)
        elif word == '$enddefinitions':
            around = None
        elif around is not None:
            continue
        elif word[0] == '#':
            before = dict(values)
        elif word[0] in '01xz' or word[0] == 'b':
            code, text = (next(words), word[1:]) if word[0] == 'b' else (word[1:], word[0])
            values[code] = int(text.replace('x', '0').replace('z', '0'), 2)
            if code == clocks[0] and text == '1' and before.get(code) == 0:
                yield {n: before.get(c, 0) for n, c in names.items()}


def transfers(bus, path, scope):
    """(cycle, slot, data) of each transfer with data."""
    phase = None
    for cycle, v in enumerate(samples(path, scope)):
        if bus in ('axi4', 'axi4-lite'):
            if v['wvalid'] and v['wready']:
                yield cycle, 'm@1', v['wdata']
            if v['rvalid'] and v['rready']:
                yield cycle, 'm@4', v['rdata']
        elif bus == 'axi-stream' and v['tvalid'] and v['tready']:
            yield cycle, 's@1', v['tdata']
        elif bus == 'apb' and v['psel'] and v['penable'] and v['pready']:
            yield cycle, 'm@1', v['pwdata' if v['pwrite'] else 'prdata']
        elif bus == 'wishbone':
            if v['cyc'] and v['stb'] and v['we'] and phase is None:
                yield cycle, 'm@0', v['dat_w']
            if v['ack']:
                yield cycle, 'm@1', 0 if v['we'] else v['dat_r']
            phase = True if v['cyc'] and v['stb'] and not v['ack'] and not v['err'] else None
        elif bus == 'ahb-lite':
            if phase and v['hready'] and (phase == 'hwdata' or not v['hresp']):
                yield cycle, 'm@1', v[phase]
            if v['hready']:
                phase = ('hwdata' if v['hwrite'] else 'hrdata') if v['htrans'] & 2 else None
        elif bus == 'tilelink-ul':
            if v['a_valid'] and v['a_ready'] and v['a_opcode'] in (0, 1):
                yield cycle, 'm@0', v['a_data']
            if v['d_valid'] and v['d_ready'] and v['d_opcode'] == 1:
                yield cycle, 'm@1', v['d_data']


TYPES = {'W', 'WLAST', 'R', 'RLAST', 'BEAT', 'LAST', 'READ', 'WRITE', 'WRITE_NOW', 'ACK', 'ACK_NOW', 'OK',
         'ERROR', 'SHORT_ERROR', 'PUT_FULL', 'PUT_PARTIAL', 'DATA'}
# Those of the other slot: the address phase, and answers that have no data.
WITHOUT = {('wishbone', 'm@0', 'READ'), ('ahb-lite', 'm@0', 'READ'), ('ahb-lite', 'm@0', 'WRITE'),
           ('tilelink-ul', 'm@1', 'ACK')}


def main():
    nfarun, path, bus, scope = sys.argv[1:5]
    done = subprocess.run([nfarun, 'convert', '-p', bus + '-data', '--at', '%s.' % scope, path, '--to', 'json',
                           *sys.argv[5:]], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    got = []
    for line in done.stdout.splitlines():
        batch = json.loads(line)
        for m in batch['messages']:
            kind = m['type'].rpartition('.')[2]
            if kind in TYPES and (bus, m['slot'], kind) not in WITHOUT:
                got.append((batch['time'], m['slot'], int(m['payload'], 16)))
    # An ERROR of a read has no data.
    wanted = list(transfers(bus, path, scope.rpartition('.')[2]))
    places = {x[:2] for x in wanted}
    got = [x for x in got if x[:2] in places or x[2] != 0]
    print('%d transfers, %d with data that are not 0' % (len(wanted), sum(x[2] != 0 for x in wanted)))
    if wanted != got or sum(x[2] != 0 for x in wanted) < 5:
        print('wanted', [x for x in wanted if x not in got], 'got', [x for x in got if x not in wanted])
        print(done.stderr)
        sys.exit(1)


if __name__ == '__main__':
    main()

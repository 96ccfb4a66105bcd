#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""fst_parts.py HOW IN... OUT: makes FSTs that vcd2fst does not write out of those that it writes.

  wrap IN OUT        all of it packed in a wrapper block
  join A B OUT       the values of A, then those of B
  blackout IN OUT    dumping is off at times 5 to 9 and 20 to 30
  alias IN OUT       the index as in blocks of kind 5
  unfinished IN OUT  as a simulator leaves it: with a block that is not finished, and OUT.hier
  cut IN OUT         without the last 5 bytes"""
import gzip
import struct
import sys

VALUES = (1, 5, 8)


def blocks(data):
    at = 0
    while at < len(data):
        kind, n = data[at], struct.unpack('>Q', data[at + 1:at + 9])[0]
        yield kind, data[at + 9:at + 1 + n]
        at += 1 + n


def block(kind, content):
    return bytes([kind]) + struct.pack('>Q', len(content) + 8) + content


def varint(x):
    out = b''
    while x > 127:
        out += bytes([x & 127 | 128])
        x >>= 7
    return out + bytes([x])


def take(data, at, signed=False):
    x = shift = 0
    while True:
        x |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            break
    if signed and x >> (shift - 1) & 1:
        x -= 1 << shift
    return x, at


def old_index(content):
    """The content of a block of kind 8 with the index of kind 5."""
    ntimes = struct.unpack('>Q', content[-16:-8])[0]
    end = len(content) - 24 - ntimes - 8
    n = struct.unpack('>Q', content[end:end + 8])[0]
    index, out, at, alias = content[end - n:end], b'', 0, 0
    while at < n:
        if index[at] & 1 == 0:
            x, at = take(index, at)
            out += varint(x)
            continue
        x, at = take(index, at, True)
        x >>= 1
        if x > 0:
            out += varint(x << 1 | 1)
        else:
            alias = -x or alias
            out += varint(0) + varint(alias)
    return content[:end - n] + out + struct.pack('>Q', len(out)) + content[end + 8:]


def main():
    how, out = sys.argv[1], sys.argv[-1]
    data = [open(name, 'rb').read() for name in sys.argv[2:-1]]
    parts = list(blocks(data[0]))
    if how == 'wrap':
        made = block(254, struct.pack('>Q', len(data[0])) + gzip.compress(data[0]))
    elif how == 'join':
        more = [b for b in blocks(data[1]) if b[0] in VALUES]
        last = max(i for i, b in enumerate(parts) if b[0] in VALUES)
        made = b''.join(block(*b) for b in parts[:last + 1] + more + parts[last + 1:])
    elif how == 'blackout':
        made = data[0] + block(2, varint(4) + b'\0' + varint(5) + b'\1' + varint(4) + b'\0' + varint(11) + b'\1' + varint(10))
    elif how == 'alias':
        made = b''.join(block(5, old_index(c)) if k == 8 else block(k, c) for k, c in parts)
    elif how == 'unfinished':
        kept = b''.join(block(*b) for b in parts if b[0] == 0 or b[0] in VALUES)
        made = kept + b'\xff' + bytes(8) + bytes(24) + b'\x09\x09\x03xx'
        hierarchy = next(c for k, c in parts if k == 4)
        open(out + '.hier', 'wb').write(gzip.decompress(hierarchy[8:]))
    elif how == 'cut':
        made = data[0][:-5]
    open(out, 'wb').write(made)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""Names of files with any bytes, for names.test.

names.py make SEED DIR N    makes N names, each a file in DIR with the bytes of DIR/trace
names.py traces DIR FILE    every member `trace` of the JSON lines in FILE must be such a name
names.py json FILE MEMBER NAME   a member of the first object, by a path like a.b.0
names.py comment FILE TEXT  a comment in the first block of a pcapng file begins with TEXT

Names on the command line are percent-encoded. Each byte of a name that is not part of a valid UTF-8
character stands as U+FFFD in the output.
"""
import codecs
import json
import os
import random
import struct
import sys
import urllib.parse

codecs.register_error("each", lambda error: ("\ufffd", error.start + 1))

PIECES = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xf4\x90\x80\x80", b"\xc0\x80", b'"',
          b"\\", b"\x7f", b"\x01", b"\n", b"\t", b"\x1b[2J", b"a", b"%", b"'", b"<&>", b"$(x)", b"`",
          "é".encode(), "\uffff".encode(), "\U0001f600".encode(), b"\xf0\x9f\x98"]


def shown(name):
    return name.decode("utf-8", "each")


def make(seed, folder, n):
    draw = random.Random(int(seed))
    trace = open(os.path.join(folder, "trace"), "rb").read()
    for i in range(int(n)):
        parts = []
        for _ in range(draw.randrange(1, 9)):
            if draw.random() < 0.5:
                parts.append(bytes([draw.choice([b for b in range(1, 256) if b != 0x2f])]))
            else:
                parts.append(draw.choice(PIECES))
        name = b"n%d" % i + b"".join(parts)
        with open(os.path.join(os.fsencode(folder), name), "wb") as f:
            f.write(trace)


def traces(folder, file):
    wanted = {shown(os.fsencode(name)) for name in os.listdir(folder)}
    found = {os.path.basename(json.loads(line)["trace"]) for line in open(file, "rb")}
    for name in sorted(wanted - found):
        print("missing:", ascii(name))
    for name in sorted(found - wanted):
        print("not a name:", ascii(name))
    print(len(found), "names")


def member(file, path, name):
    at = json.loads(open(file, "rb").readline().decode("utf-8"))
    for step in path.split("."):
        at = at[int(step)] if isinstance(at, list) else at[step]
    print("the name" if shown(urllib.parse.unquote_to_bytes(name)) in at else ascii(at))


def comment(file, text):
    data = open(file, "rb").read()
    at, end = 24, struct.unpack_from("<I", data, 4)[0] - 4
    while at < end:
        code, size = struct.unpack_from("<HH", data, at)
        value = data[at + 4:at + 4 + size]
        if code == 1 and value.decode("utf-8").startswith(shown(urllib.parse.unquote_to_bytes(text))):
            print("the comment")
        at += 4 + (size + 3) // 4 * 4


{"make": make, "traces": traces, "json": member, "comment": comment}[sys.argv[1]](*sys.argv[2:])

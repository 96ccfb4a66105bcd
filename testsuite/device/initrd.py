# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""initrd.py OUT NAME=PATH...: writes a first file system for Linux with these files, and with the
libraries of those that are programs."""
import os
import subprocess
import sys


def member(f, number, name, mode, data):
    name = name.encode() + b"\0"
    fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0]
    head = b"070701" + b"".join(b"%08x" % x for x in fields) + name
    f.write(head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4))


out, *given = sys.argv[1:]
files = dict(x.split("=", 1) for x in given)
for program in list(files.values()):
    if os.access(program, os.X_OK):
        words = subprocess.run(["ldd", program], capture_output=True, text=True).stdout.split()
        files.update({word[1:]: word for word in words if word.startswith("/")})
folders = {"sys", "dev", "proc"}
for name in files:
    while os.path.dirname(name):
        name = os.path.dirname(name)
        folders.add(name)
with open(out, "wb") as f:
    members = [(name, 0o40755, b"") for name in sorted(folders)]
    members += [(name, 0o100755, open(path, "rb").read()) for name, path in sorted(files.items())]
    members.append(("TRAILER!!!", 0, b""))
    for number, (name, mode, data) in enumerate(members, 1):
        member(f, number, name, mode, data)

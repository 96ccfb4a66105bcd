#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""Writes a program with random frames, whose accesses to the stack are known to be right or wrong.

    locals.py SEED CASES >program.c

The program has a function for each case. It makes one access, to an element of an array, by an index,
by a pointer, or by memcpy, from the function itself or from another one. Without an argument, all of
them are in their array, with one, none is. Wrong ones only load, so that the program goes on.
"""
import random
import sys

TYPES = {"char": 1, "short": 2, "int": 4, "long": 8}


def declaration(r, name):
    kind = r.choice(list(TYPES))
    n = r.choice([1, 2, 3, 5, 8, 10, 17, 40])
    return kind, n, f"\tvolatile {kind} {name}[{n}] = {{ 0 }};\n"


def write_case(r, i):
    text = ""
    names = []
    for k in range(r.randint(1, 5)):
        kind, n, line = declaration(r, f"v{i}_{k}")
        names.append((f"v{i}_{k}", kind, n))
        text += line
    text += f"\tlong plain{i} = bad;\n"
    inner = r.random() < 0.3
    if inner:
        text += "\t{\n"
        kind, n, line = declaration(r, f"w{i}")
        names.append((f"w{i}", kind, n))
        text += "\t" + line
    name, kind, n = r.choice(names)
    for other, *_ in names:
        if r.random() < 0.5:
            text += f"\ttouch((void *){other});\n"
    far = r.choice([1, 1, 1, 2, 3, 8])
    step = r.choice(["up", "down"])
    wrong = n - 1 + far if step == "up" else -far
    right = r.randrange(n)
    text += f"\tvolatile int at{i} = bad ? {wrong} : {right};\n"
    how = r.choice(["index", "pointer", "deeper", "copy"])
    if how == "index":
        text += f"\tsink += {name}[at{i}];\n"
    elif how == "pointer":
        text += f"\tvolatile {kind} *p{i} = {name};\n\tp{i} += at{i};\n\tsink += *p{i};\n"
    elif how == "deeper":
        text += f"\tsink += get_{kind}({name}, at{i});\n"
    else:
        least = min(right, n - 1)
        text += (f"\tmemcpy(buffer, (char *){name} + {least * TYPES[kind]}, "
                 f"(size_t)(bad ? {(n - least + far) * TYPES[kind]} : {(n - least) * TYPES[kind]}));\n")
    if inner:
        text += "\t}\n"
    text += f"\tsink += plain{i};\n"
    return f"static void case{i}(int bad)\n{{\n{text}}}\n"


def main():
    r = random.Random(int(sys.argv[1]))
    cases = int(sys.argv[2])
    print("#include <stdlib.h>\n#include <string.h>\nstatic volatile long sink;\nstatic char buffer[4096];")
    print("static void touch(volatile char *p)\n{\n\tsink += *p;\n}")
    for kind in TYPES:
        print(f"static long get_{kind}(volatile {kind} *p, int at)\n{{\n\treturn p[at];\n}}")
    for i in range(cases):
        print(write_case(r, i))
    print("int main(int argc, char **argv)\n{")
    for i in range(cases):
        print(f"\tcase{i}(argc > 1);")
    print("\treturn 0;\n}")


main()

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""What programs that check Perfetto traces have in common: they read a trace as protoc decodes it, and
collect in the list `wrong` what is not as it should be."""
from collections import defaultdict

wrong = []


def parse(lines):
    """Returns the message that the lines are: a dictionary of lists."""
    top = defaultdict(list)
    stack = [top]
    for line in lines:
        line = line.strip()
        if line == "}":
            stack.pop()
        elif line.endswith("{"):
            message = defaultdict(list)
            stack[-1][line[:-2]].append(message)
            stack.append(message)
        else:
            name, value = line.split(": ", 1)
            if name.isdigit():
                wrong.append("field without a name: " + line)
            stack[-1][name].append(value.strip('"') if value[0] == '"' else
                                   int(value) if value.lstrip("-").isdigit() else value)
    return top


def one(message, name, default=None):
    values = message[name]
    if len(values) > 1:
        wrong.append(f"{len(values)} times {name}")
    return values[0] if values else default

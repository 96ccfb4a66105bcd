# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""editors.py GRAMMAR FILE...: applies a TextMate grammar, of whose expressions all mean the same in
Python, to files. Prints each character without a scope that is no part of a name, no bracket and no
separator, each reserved word that has a wrong scope, and each reserved word that no file has."""
import json
import re
import sys

KINDS = {
    "source.nfacc": {
        "protocol": "keyword.control.nfacc", "filter": "keyword.control.nfacc", "let": "keyword.control.nfacc",
        "Any": "support.function.nfacc", "None": "support.function.nfacc", "true": "constant.language.nfacc",
        "end": "constant.language.nfacc", "tick": "constant.language.nfacc", "count": "storage.modifier.nfacc",
        "in": "keyword.operator.word.nfacc"},
    "source.nfacc.proto": {
        "protocol": "keyword.control.nfacc", "header": "keyword.control.nfacc", "types": "keyword.control.nfacc",
        "event": "keyword.control.nfacc", "broadcast": "storage.modifier.nfacc", "by": "storage.modifier.nfacc"},
    "source.nfacc.coh": {
        "checker": "keyword.control.nfacc", "node": "keyword.control.nfacc", "legal": "keyword.control.nfacc",
        "tap": "keyword.control.nfacc", "between": "storage.modifier.nfacc"},
    "source.nfacc.ov": {
        "overlay": "keyword.control.nfacc", "clique": "keyword.control.nfacc", "decoder": "keyword.control.nfacc",
        "rows": "storage.modifier.nfacc"},
}

grammar = json.load(open(sys.argv[1]))
KINDS = KINDS[grammar["scopeName"]]


def flat(patterns):
    for p in patterns:
        if "include" in p:
            yield from flat(grammar["repository"][p["include"][1:]]["patterns"])
        else:
            yield p


def match(expression, text, at):
    """An editor searches through the line, so a word does not begin inside another one."""
    m = re.compile(expression).match(text, at)
    inside = m and at and re.match(r"\w\w", text[at - 1:at + 1])
    return None if inside else m


def scopes(text):
    """Pairs of scope and text, in order, for the whole text."""
    out, at, stack = [], 0, [(list(flat(grammar["patterns"])), None, None)]
    while at < len(text):
        patterns, end, name = stack[-1]
        m = end and match(end, text, at)
        if m:
            stack.pop()
            out.append((name, m.group()))
            at = m.end()
            continue
        for p in patterns:
            m = match(p.get("match", p.get("begin")), text, at)
            if m:
                break
        if not m:
            out.append((name, text[at]))
            at += 1
            continue
        if "captures" in p:
            out += [(p["captures"][str(i)]["name"], m.group(i)) for i in (1, 2)]
        else:
            out.append((p.get("name"), m.group()))
        if "begin" in p:
            stack.append((list(flat(p.get("patterns", []))), p["end"], p.get("name")))
        at = m.end()
    return out


seen = set()
for path in sys.argv[2:]:
    for scope, part in scopes(open(path).read()):
        if scope is None and not re.match(r"[\w\s;,(){}\[\].]", part):
            print(f"{path}: {part!r} has no scope")
        # Behind `field` a word is a name, whatever it means elsewhere.
        if part in KINDS and scope != "entity.name.nfacc":
            seen.add(part)
            if scope != KINDS[part]:
                print(f"{path}: {part} is {scope}")
for word in sorted(set(KINDS) - seen):
    print(f"no example has {word}")

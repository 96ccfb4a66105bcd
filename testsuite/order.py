# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""order.py NFARUN SEED COUNT [TAPREF]: random protocols with rules for pairs, most of them in order, and
random traces. What nfarun answers about the pairs must be what a slow search finds in lists, which shares no code
with it. TAPREF is the folder of the executable specification tapref.py, whose pairs must be the same where
no messages are lost. Prints what differs, and last how many protocols and pairs there were."""
import collections
import csv
import os
import random
import re
import subprocess
import sys

nfarun, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
tapref = None
if len(sys.argv) > 4:
    sys.path.insert(0, sys.argv[4])
    import tapref

SLOTS = ["a@0", "a@1", "b"]
LINE = 64
Rule = collections.namedtuple("Rule", "name requests answers keys in_order")
Message = collections.namedtuple("Message", "slot type fields") # fields: `line`, and those of the protocol
Found = collections.namedtuple("Found", "rule time request answer_time answer why") # why: None if answered


class Case:
    def __init__(self, r):
        types = [f"T_X{i}" for i in range(6)]
        with_g = {t: r.choice([None, 2, 4]) for t in types} # the lowest bit of the field g
        addressed = {t for t in types if r.random() < 0.8}
        self.rules = []
        while not self.rules:
            for i in range(r.randint(1, 5)):
                mixed = r.sample(types, r.randint(2, 5))
                cut = r.randint(1, len(mixed) - 1)
                able = ["f"] + ["line"] * (set(mixed) <= addressed) + ["g"] * all(with_g[t] for t in mixed)
                in_order = r.random() < 0.75
                keys = r.sample(able, r.randint(0 if in_order else 1, len(able)))
                self.rules.append(Rule(f"p{i}", mixed[:cut], mixed[cut:], keys, in_order))
        self.text = "header 32; opcode 28..31; idle 15; address 20..23 line 64;\ngroups a 0..1, b;\ntypes T {\n"
        for i, t in enumerate(types):
            self.text += f"\t{t[2:]} {i}{' address' * (t in addressed)};\n"
        self.text += "}\nfield f 0..1;\n"
        for t in types:
            if with_g[t]:
                self.text += f"field g {with_g[t]}..{with_g[t] + 1} of {t};\n"
        for x in self.rules:
            requests, answers, keys = map(", ".join, (x.requests, x.answers, x.keys))
            self.text += (f"pair {x.name}: {requests} -> {answers}{' by ' * bool(keys)}{keys}"
                          f"{' in order' * x.in_order};\n")
        self.trace, self.batches = "", []
        time, losses = 0, r.random() < 0.6
        for _ in range(r.choice([5, 60, 300])):
            time += r.randint(1, 3)
            if losses and r.random() < 0.02:
                self.batches.append((time, None))
                self.trace += f"{time} !lost {r.choice(['?', '7'])}\n"
                continue
            batch = []
            for slot in r.sample(SLOTS, r.choice([1, 1, 2, 3])):
                t = r.choice(types)
                f = {"f": r.getrandbits(2), "line": r.getrandbits(2) * LINE, "g": r.getrandbits(2)}
                header = types.index(t) << 28 | f["f"] | (f["line"] // LINE << 20 if t in addressed else 0)
                header |= f["g"] << with_g[t] if with_g[t] else 0
                batch.append((SLOTS.index(slot), Message(slot, t, f), header))
            batch.sort()
            self.batches.append((time, [m for _, m, _ in batch]))
            self.trace += f"{time} {' '.join(f'{m.slot}=0x{h:x}' for _, m, h in batch)}\n"
        self.addressed = addressed

    def search(self):
        """Returns what became of all requests and answers, and for each rule how many requests waited
        at most."""
        found, most = [], []
        for rule in self.rules:
            waiting = [] # (time, message), the oldest first
            most.append(0)
            def key(m):
                return [m.fields[k] for k in rule.keys]
            for time, batch in self.batches:
                if batch is None:
                    found += [Found(rule, t, m, None, None, "loss") for t, m in waiting]
                    waiting = []
                    continue
                for m in batch:
                    if m.type not in rule.answers:
                        continue
                    mine = [x for x in waiting if key(x[1]) == key(m)]
                    found.append(Found(rule, *(mine[0] if mine else (None, None)), time, m,
                                       None if mine else "unasked"))
                    if mine:
                        waiting.remove(mine[0])
                for m in batch:
                    if m.type not in rule.requests:
                        continue
                    before = [x for x in waiting if key(x[1]) == key(m)]
                    if before and not rule.in_order:
                        found.append(Found(rule, *before[0], None, None, "replaced"))
                        waiting.remove(before[0])
                    waiting.append((time, m))
                most[-1] = max(most[-1], len(waiting))
            found += [Found(rule, t, m, None, None, "end") for t, m in waiting]
        return found, most


def ask(*words):
    done = subprocess.run([nfarun, *words, "-t", "csv"], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return list(csv.DictReader(done.stdout.splitlines())), done.stderr


def slot_and_type(text):
    group, kind, channel = re.match(r"(\w+)\.(\w+)(@\d+)?", text).groups()
    return group + (channel or ""), kind


def keys_of(rule, m):
    shown = [f"{k}=0x{m.fields[k]:x}" if k == "line" else f"{k}={m.fields[k]}" for k in rule.keys]
    return " ".join(shown)


def differ(number, what, want, got):
    if want != got:
        print(f"seed {number}: {what}: missing {list((want - got).items())[:3]}, "
              f"wrong {list((got - want).items())[:3]}")


def compare(number, case):
    open("order.proto", "w").write("protocol order;\n" + case.text)
    open("order.bt", "w").write(case.trace)
    trace = ["-j", str(1 + number % 3), "-p", "./order.proto", "order.bt"]
    found, most = case.search()
    answered = [x for x in found if x.why is None]
    rows, _ = ask("-q", "--latency", "--slowest", "10000", *trace)
    differ(number, "pairs", collections.Counter(
        (x.rule.name, x.time, (x.request.slot, x.request.type), x.answer_time, (x.answer.slot, x.answer.type),
         keys_of(x.rule, x.request)) for x in answered), collections.Counter(
        (r["pair"], int(r["time"]), slot_and_type(r["request"]), int(r["answer_time"]), slot_and_type(r["answer"]),
         r["keys"]) for r in rows))
    rows, said = ask("--open", *trace)
    differ(number, "open", collections.Counter(
        (x.rule.name, x.time, (x.request.slot, x.request.type), keys_of(x.rule, x.request), x.why)
        for x in found if x.why not in (None, "unasked")), collections.Counter(
        (r["pair"], int(r["time"]), slot_and_type(r["request"]), r["keys"], r["why"]) for r in rows))
    n = sum(x.why == "unasked" for x in found)
    if f"answers without a request: {n}\n" not in said:
        print(f"seed {number}: not {n} answers without a request: {said}")
    rows, _ = ask("-q", "--in-flight", *trace)
    differ(number, "in flight", collections.Counter(dict(zip((x.name for x in case.rules), most))),
           collections.Counter({r["pair"]: int(r["most"]) for r in rows if r["pair"] != "all"}))
    by = {
        "type": lambda x: [(x.request.type, x.answer.type)],
        "group": lambda x: [(x.request.slot[0], x.answer.slot[0])],
        "line": lambda x: [(f"0x{x.request.fields['line']:x}",)] if x.request.type in case.addressed else [],
    }
    for name, parts in by.items():
        rows, _ = ask("-q", "--latency", "--by", name, *trace)
        want = collections.Counter((x.rule.name, *p) for x in answered for p in parts(x))
        got = collections.Counter()
        for r in rows:
            last = (r["line"],) if name == "line" else (r["request"], r["answer"])
            if last != ("",) and last != ("-",):
                got[(r["pair"], *last)] += int(r["count"])
        differ(number, "by " + name, want, +got)
    rows, _ = ask("-q", "--latency", "--by", "label", "-p", "./order.proto", "-e",
                  "filter zero = true* T_X0; filter five = true* T_X5;", "order.bt")
    of_time = {t: {m.type for m in batch} for t, batch in case.batches if batch}
    want = collections.Counter()
    for x in answered:
        for label, t in ("zero", "T_X0"), ("five", "T_X5"):
            want[x.rule.name, label] += t in of_time[x.time] | of_time[x.answer_time]
    differ(number, "by label", +want, +collections.Counter({(r["pair"], r["label"]): int(r["count"]) for r in rows}))
    if tapref and all(batch is not None for _, batch in case.batches):
        rules = [x for x in case.rules if x.in_order]
        proto = collections.namedtuple("Proto", "pairs uses addr")(
            [(x.name, x.requests, x.answers, x.keys) for x in rules], [], (10, LINE))
        stream = [(t, [(("a", 0), m.type, {"addr": m.fields["line"], **m.fields}) for m in batch])
                  for t, batch in case.batches]
        texts = {"loss": None, "end": "{0.rule.name} {0.time} open", None: "{0.rule.name} {0.time} {0.answer_time}",
                 "unasked": "{0.rule.name} - {0.answer_time}"}
        differ(number, "specification", collections.Counter(tapref.pairs(proto, stream)), collections.Counter(
            texts[x.why].format(x) for x in found if x.rule.in_order))
    return len(answered)


pairs = sum(compare(n, Case(random.Random(n))) for n in range(seed, seed + count))
print(f"{count} protocols, {'some' if pairs > count else 'few'} pairs")

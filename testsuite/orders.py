# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""orders.py NFACC NFARUN RULES SEED RUNS: what the checker in the form "only" finds in batches of one to four
messages of a line. It explores the rules of two nodes itself, draws runs of them, and changes one message of every
second one. Then it tries every order of each batch's messages, one by one. Prints, by messages in a batch: the
batches of unchanged runs; the batches of changed runs that no order explains, and those of them that are accepted;
and the accepted others of all runs. Then how many a checker finds that takes one message alone."""
import itertools
import random
import re
import subprocess
import sys

nfacc, nfarun, rules_file, seed, runs = *sys.argv[1:4], int(sys.argv[4]), int(sys.argv[5])
FLIGHT, LENGTH = 4, 24
# What a message of each event is called, and the channels that it can be on.
MESSAGES = {
    "R12": ("cpu.MREQ_RLDI", 6, 7), "R13": ("cpu.MREQ_RLDD", 6, 7), "R23": ("cpu.MREQ_RC2D_S", 6, 7),
    "V21": ("cpu.MRSP_VICS", 10, 11), "V32": ("cpu.MRSP_VICC", 4, 5, 10, 11),
    "V31": ("cpu.MRSP_VICD", 4, 5, 10, 11), "A11": ("cpu.MRSP_HAKV", 10, 11),
    "A21": ("cpu.MRSP_HAKD", 4, 5, 10, 11), "A22": ("cpu.MRSP_HAKS", 10, 11),
    "A31": ("cpu.MRSP_VICDHI", 4, 5, 10, 11), "A32": ("cpu.MRSP_HAKN_S", 4, 5, 10, 11),
    "RA2": ("fpga.MRSP_PSHA", 4, 5), "RA3": ("fpga.MRSP_PEMD", 4, 5, 10, 11),
    "F21": ("fpga.MFWD_SINV_H", 8, 9), "F31": ("fpga.MFWD_FEVX_EH", 8, 9), "F32": ("fpga.MFWD_FLDRS_EH", 8, 9),
}


class Rules:
    """The rules of a file: two nodes, and a tap between them."""

    def __init__(self, text):
        self.names, self.first, self.rules, self.place = [], [], [], {}
        statements = [" ".join(s.split()) for s in re.sub("//.*", "", text).split(";")]
        assert "tap between" in statements
        for s in statements:
            word, _, rest = s.partition(" ")
            if word == "node":
                node, _, variables = rest.partition(":")
                for v in variables.split(","):
                    name, _, values = v.partition("=")
                    self.names.append((node, name.strip()))
                    self.first.append(values.split()[0])
            elif word == "order":
                for event in re.split(", *", rest):
                    self.place[event] = s
            elif word.endswith(":"):
                self.rule(word[:-1], rest)

    def rule(self, node, text):
        parts = re.fullmatch(r"([^!?:]*)(?:([!?]) ([\w, ]*))? ?:?([^:]*)", text)
        tests, kind, events, settings = parts.groups()

        def pairs(words):
            return [(self.names.index((node, w.split("=")[0])), w.split("=")[1].split("|")) for w in words.split()]

        for event in re.split(", *", events.strip()):
            self.rules.append((node, pairs(tests), kind, event, pairs(settings)))

    def moves(self, state):
        """Yields the event that the tap sees, or None, and the state after it. A state has the values, and for
        each of the nodes what it sent: before the tap, and after it. In such a queue only the first message of
        each place can go on."""
        values, queues = state

        def arranged(queue):
            return tuple(sorted(queue, key=lambda e: self.place.get(e, e)))

        def without(queue, i):
            return queue[:i] + queue[i + 1:]

        def first(queue, i):
            return all(self.place.get(e, e) != self.place.get(queue[i], queue[i]) for e in queue[:i])

        for node, tests, kind, event, settings in self.rules:
            if any(values[i] not in allowed for i, allowed in tests):
                continue
            after = list(values)
            for i, value in settings:
                after[i] = value[0]
            sender = dict(queues)
            if kind == "!":
                before, behind = sender[node]
                if len(before) + len(behind) == FLIGHT:
                    continue
                sender[node] = (arranged(before + (event,)), behind)
                yield None, (tuple(after), tuple(sorted(sender.items())))
                continue
            for other in sender:
                before, behind = dict(queues)[other]
                for i, e in enumerate(behind):
                    if other != node and e == event and first(behind, i):
                        took = dict(queues)
                        took[other] = (before, without(behind, i))
                        yield None, (tuple(after), tuple(sorted(took.items())))
        for node, (before, behind) in queues:
            for i, e in enumerate(before):
                if first(before, i):
                    passed = dict(queues)
                    passed[node] = (without(before, i), arranged(behind + (e,)))
                    yield e, (values, tuple(sorted(passed.items())))

    def explore(self):
        """Numbers the states. Stores the moves of each."""
        start = (tuple(self.first), tuple((node, ((), ())) for node in sorted({n for n, _ in self.names})))
        number, todo, self.edges = {start: 0}, [start], []
        for state in todo:
            self.edges.append([])
            for event, after in self.moves(state):
                if after not in number:
                    number[after] = len(todo)
                    todo.append(after)
                self.edges[-1].append((event, number[after]))


class Knowledge:
    """Sets of states, as numbers with a bit for each."""

    def __init__(self, edges):
        self.edges, self.known = edges, {}
        self.all = (1 << len(edges)) - 1

    def states(self, some):
        return [i for i in range(len(self.edges)) if some >> i & 1]

    def after(self, some, event):
        if (some, event) not in self.known:
            todo = list({to for i in self.states(some) for e, to in self.edges[i] if e == event})
            found = set(todo)
            for i in todo:
                for e, to in self.edges[i]:
                    if e is None and to not in found:
                        found.add(to)
                        todo.append(to)
            self.known[some, event] = sum(1 << i for i in found)
        return self.known[some, event]

    def after_batch(self, some, events):
        """The states after the events in any order."""
        together = 0
        for order in itertools.permutations(events):
            now = some
            for event in order:
                now = self.after(now, event)
            together |= now
        return together

    def wrong(self, batches):
        """Yields of each batch whether no order explains it."""
        now = self.all
        for events in batches:
            after = self.after_batch(now, events)
            yield after == 0
            now = after or self.after_batch(self.all, events) or self.all


def draw_run(edges):
    state, run = random.randrange(len(edges)), []
    while len(run) < LENGTH:
        event, state = random.choice(edges[state])
        if event is not None:
            run.append(event)
    return run


def change(run):
    at = random.randrange(len(run))
    sender = MESSAGES[run[at]][0].split(".")[0]
    others = [e for e in MESSAGES if MESSAGES[e][0].startswith(sender + ".") and e != run[at]]
    run[at:at + 1] = random.choice([[], [run[at]] * 2] + [[random.choice(others)] for _ in range(4)])


def divide(run, size):
    """Yields batches of so many messages, as pairs of event and text; fewer where there is no free channel."""
    batch, most = {}, random.choice(size)
    for event in run:
        name, *channels = MESSAGES[event]
        slots = {(name.split(".")[0], c) for c in channels}
        if len(batch) == most or not slots - set(batch):
            yield list(batch.values())
            batch, most = {}, random.choice(size)
        slot = random.choice(sorted(slots - set(batch)))
        batch[slot] = (event, f"{name}@{slot[1]}")
    yield list(batch.values())


def accepted(image, trace):
    with open("orders.bt", "w", encoding="ascii") as f:
        f.write(trace)
    out = subprocess.run([nfarun, "-q", image, "orders.bt"], capture_output=True, text=True, check=True).stdout
    return {int(line.split()[0]) for line in out.splitlines()}


def compile_checker(name, source):
    subprocess.run([nfacc, "--overlay", "none", "--form=only", "--substream", "0,1048576", source, "-o", name],
                   check=True)


def measure(knowledge, size, images):
    """Returns the times of the batches of unchanged runs, of those that no order explains, and, for each image, of
    those that it accepts."""
    clean, wrong, lines, time = set(), set(), [], 0
    for number in range(runs):
        run = draw_run(knowledge.edges)
        changed = number % 2 == 1
        if changed:
            change(run)
        batches = list(divide(run, size))
        for batch, is_wrong in zip(batches, knowledge.wrong([[e for e, _ in b] for b in batches])):
            time += 1
            lines.append(" ".join([str(time)] + [f"{text}:{0x80 * (number + 1):#x}" for _, text in batch]))
            if not changed:
                clean.add(time)
                assert not is_wrong
            elif is_wrong:
                wrong.add(time)
    trace = "\n".join(lines) + "\n"
    return clean, wrong, [accepted(image, trace) for image in images]


def row(*cells):
    print("{:>8} {:>8} {:>8} {:>8} {:>14}".format(*cells))


def main():
    random.seed(seed)
    with open(rules_file, encoding="ascii") as f:
        rules = Rules(f.read())
    rules.explore()
    knowledge = Knowledge(rules.edges)
    compile_checker("orders.bin", rules_file)
    text = subprocess.run([nfacc, "--form=only", "--overlay", "none", "--emit=re", rules_file], capture_output=True,
                          text=True, check=True).stdout
    with open("alone.re", "w", encoding="ascii") as f:
        f.write(text.replace(" orders 4 ", " orders 1 "))
    compile_checker("alone.bin", "alone.re")
    print(f"{len(rules.edges)} states")
    found_alone = []
    row("messages", "clean", "errors", "found", "false alarms")
    for size in ("1", "2", "3", "4", "1 2 3 4"):
        clean, wrong, (got, alone) = measure(knowledge, [int(n) for n in size.split()],
                                             ("orders.bin", "alone.bin"))
        row(size if len(size) == 1 else "1 to 4", len(clean), len(wrong), len(got & wrong), len(got - wrong))
        found_alone.append(len(alone & wrong))
    print("one message alone finds", *found_alone)


main()

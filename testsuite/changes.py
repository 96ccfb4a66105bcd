# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""changes.py FOLDER NAME changes NFACC NFARUN SEED RUNS [WRITERS]: what a derived checker finds of changes of one message. It
reads FOLDER/NAME.coh, whose tap is at a node, and its protocol by itself, explores the rules, and draws RUNS runs of
them. Each message of a run is dropped, doubled, and replaced by each other one. Which of these changes no run of the
rules explains, and where that shows, it finds with the sets of all states that are possible. The checker must accept
there first, and nothing of the other streams. WRITERS are values of a node's first variable, separated by commas:
while one of the equal nodes has such a value, no other may have anything but its first one. Prints a row of a table,
then what is wrong.
changes.py FOLDER NAME trace: reads a trace from standard input. Prints the times of the messages that no run explains,
the first one of each line, and then how many messages there were of each event that the tap can see, the least."""
import itertools
import random
import re
import subprocess
import sys

folder, name = sys.argv[1:3]
LENGTH = 16


def without_comments(path):
    with open(path, encoding="utf-8") as f:
        return re.sub(r"//.*", "", f.read())


class Protocol:
    """Of each event the node that sends it, and a message of it as traces have it. Of each message its event. Where a
    description has events of its own (class Headers), they replace these."""

    def __init__(self, path):
        text, self.event, self.message, types = without_comments(path), {}, {}, {}
        self.headers = None
        for prefix, group, channel, _ in re.findall(r"types (\w+) from (\w+) on (\d+) {([^}]*)}", text):
            types[prefix] = (group, channel)
        for event, group, names in re.findall(r"event (\w+) from (\w+) = ([^;]*)", text):
            for one in re.split(", *", names):
                message = "%s.%s@%s" % (group, one, types[one.split("_")[0]][1])
                self.message[message] = event
                self.event.setdefault(event, (group, message))


class Rules:
    """The statements of a file, with the signs for equal nodes written out."""

    def __init__(self, path):
        self.count, self.headers = 0, []
        self.first, self.values, self.rules, self.flight, self.kept = {}, {}, [], {}, {}
        for s in without_comments(path).split(";"):
            s = " ".join(s.split())
            equal = re.match(r"node (\w+)\[(\d)\]", s)
            if re.match(r"(event|home) \w+#? *(from|=|\[)", s):
                self.headers.append(s)
            elif equal:
                self.count = int(equal[2])
                for i in range(self.count):
                    self.statement(s.replace(equal[0], "node %s%d" % (equal[1], i)), 0)
                self.equal = [equal[1] + str(i) for i in range(self.count)]
            elif re.search(r"\w[#~]", s):
                for i in range(self.count):
                    self.statement(s, i)
            elif s:
                self.statement(s, 0)

    def written_out(self, item, number):
        """An item of a list once for each number that its first word stands for, or the item itself."""
        item = re.sub(r"(\w)#", r"\g<1>%d" % number, item)
        word = re.match(r"\w+([*~])", item)
        if not word:
            return [item]
        return [item.replace(word[0], word[0][:-1] + str(i), 1) for i in range(self.count)
                if word[1] == "*" or i != number]

    def items(self, text, separator, number):
        return [w for item in re.split(separator, text.strip()) if item for w in self.written_out(item, number)]

    def statement(self, s, number):
        word, _, rest = s.partition(" ")
        if word == "node":
            node, _, variables = rest.partition(":")
            for v in self.items(variables, " *, *", number):
                var, _, values = v.partition("=")
                values = self.items(values, " +", number)
                self.first[node, var.strip()] = values[0]
                self.values[node, var.strip()] = values
        elif word == "tap":
            self.tap = re.fullmatch(r"at (\w+)", rest)[1]
        elif word == "flight":
            node, most = self.items(rest, " ", number)
            self.flight[node] = int(most)
        elif word == "order":
            events = self.items(rest, " *, *", number)
            for event in events:
                self.kept[event] = events[0]
        elif word not in ("protocol", "checker", "group"):
            for one in self.written_out(s, number):
                self.rule(one, number)
        elif word == "protocol":
            self.protocol = rest

    def rule(self, text, number):
        node, rest = text.split(":", 1)
        tests, kind, events, settings = re.fullmatch(r"([^!?:]*(?:!=[^!?:]*)*)(?:([!?]) ([\w#*~, ]*))? ?:?([^:]*)",
                                                     rest).groups()
        allowed = []
        for test in self.items(tests, " +", number):
            var, unequal, values = re.fullmatch(r"(\w+)(!?)=(.*)", test).groups()
            values = self.items(values, r"\|", number)
            if unequal:
                values = [v for v in self.values[node, var] if v not in values]
            allowed.append(((node, var), values))
        then = [w.split("=") for w in self.items(settings, " +", number)]
        then = [((node, var), self.items(value, " ", number)[0]) for var, value in then]
        for event in self.items(events, " *, *", number) if kind else [None]:
            self.rules.append((node, kind, event, allowed, then))


class System:
    """All states that the rules allow. A state has the values of the variables and the queues that hold messages, as
    sorted pairs: who sends, who receives, and what keeps the order, with the messages, the oldest first."""

    def __init__(self, protocol, rules):
        self.protocol, self.rules = protocol, rules
        self.place = {key: i for i, key in enumerate(rules.first)}
        self.receivers = {}
        for node, kind, event, _, _ in rules.rules:
            if kind == "?":
                self.receivers.setdefault(event, set()).add(node)
        start = (tuple(rules.first.values()), ())
        self.number, self.states, self.edges = {start: 0}, [start], []
        for state in self.states:
            self.edges.append([])
            for event, after in self.moves(state):
                if after not in self.number:
                    self.number[after] = len(self.states)
                    self.states.append(after)
                self.edges[-1].append((event, self.number[after]))

    def moves(self, state):
        for node, kind, event, allowed, then in self.rules.rules:
            if any(state[0][self.place[key]] not in values for key, values in allowed):
                continue
            values, queues = list(state[0]), dict(state[1])
            for key, value in then:
                values[self.place[key]] = value
            if kind == "!":
                for to in self.receivers[event]:
                    key = (node, to, self.rules.kept.get(event, event))
                    queues[key] = queues.get(key, ()) + (event,)
                if sum(len(q) for (sender, _, _), q in queues.items() if sender == node) > self.rules.flight[node]:
                    continue
            elif kind == "?":
                key = (self.protocol.event[event][0], node, self.rules.kept.get(event, event))
                if queues.get(key, (None,))[0] != event:
                    continue
                queues[key] = queues[key][1:]
                if not queues[key]:
                    del queues[key]
            seen = event if kind and node == self.rules.tap else None
            yield seen, (tuple(values), tuple(sorted(queues.items())))

    def conflicts(self, writers):
        """How many states have a writer beside another node that has the line."""
        firsts = [next(i for key, i in self.place.items() if key[0] == node) for node in self.rules.equal]
        none = self.states[0][0][firsts[0]]
        return sum(1 for values, _ in self.states for a, b in itertools.permutations(firsts, 2)
                   if values[a] in writers and values[b] != none)


class Headers:
    """Messages as headers, for a protocol whose groups have channels of their own and whose types have numbers. An
    event has tests of fields, and a message for a home that has not its line is of the event `home`."""

    def __init__(self, path, rules):
        text = without_comments(path)
        self.numbers = {key: int(n) for key, n in re.findall(r"(header|opcode) (\d+)", text)}
        self.lsb = int(re.search(r"address (\d+)", text)[1])
        self.types, self.fields, self.events, self.declared, self.homes, self.event = {}, {}, {}, [], [], {}
        for prefix, group, channel, body in re.findall(r"types (\w+) from (\w+) on (\d+) {([^}]*)}", text):
            for name, number in re.findall(r"(\w+) (\d+) address", body):
                self.types["%s_%s" % (prefix, name)] = (group, channel, int(number))
        for event, names in re.findall(r"event (\w+) from \w+ = ([^;]*)", text):
            self.events[event] = re.split(", *", names)
        for field, low, high, of in re.findall(r"field (\w+) (\d+)\.\.(\d+)(?: of ([^;]*))?;", text):
            self.fields[field] = (int(low), int(high), of and re.split(", *", of))
        for s in rules.headers:
            for i in range(rules.count if "#" in s else 1):
                self.statement(re.sub(r"(\w)#", r"\g<1>%d" % i, s).replace("== #", "== %d" % i))
        own = {event for event, _, _ in self.declared}
        for _, _, event, _, _ in rules.rules:
            if event in self.events and event not in own:
                own.add(event)
                self.declared.append((event, None, [(event, [])]))
        for event, sender, _ in self.declared:
            self.event[event] = (sender or self.types[self.events[event][0]][0], event)
        self.by_type = {kind: [(event, [tests for word, tests in parts if kind in self.events[word]])
                               for event, _, parts in self.declared
                               if any(kind in self.events[word] for word, _ in parts)] for kind in self.types}
        self.values = sorted({int(value, 0) for parts in [p for _, _, p in self.declared] + [p for _, p in self.homes]
                              for _, tests in parts for _, _, value in tests})
        # The event that all messages for a home that has not their line are of.
        self.stray = "home" if self.homes else None

    def parts(self, text):
        return [(word, [re.fullmatch(r"(\w+) (?:& (\w+) )?== (\w+)", t).groups() for t in re.split(", *", tests)]
                 if tests else []) for word, tests in re.findall(r"(\w+)(?:\[([^]]*)\])?", text)]

    def statement(self, s):
        word, name, rest = s.split(" ", 2)
        if word == "event":
            sender, parts = re.fullmatch(r"from (\w+) = (.*)", rest).groups()
            self.declared.append((name, sender, self.parts(parts)))
        else:
            lines, parts = re.fullmatch(r"\[([^]]*)\]: (.*)", rest).groups()
            self.homes.append((self.parts("x[%s]" % lines)[0][1], self.parts(parts)))

    def field(self, kind, name, header):
        """The value of a field; None: messages of this type have none."""
        if name == "addr":
            return (header >> self.lsb & (1 << 42) - 1) * 64
        low, high, of = self.fields[name]
        if of and not any(kind == x or kind.startswith(x + "_") for x in of):
            return None
        return header >> low & (1 << high - low + 1) - 1

    def passes(self, kind, tests, header):
        for name, mask, value in tests:
            have = self.field(kind, name, header)
            if have is None or have & (int(mask, 0) if mask else -1) != int(value, 0):
                return False
        return True

    def is_stray(self, kind, header):
        return any((word == "any" or kind in self.events[word]) and self.passes(kind, tests, header)
                   and not self.passes(kind, lines, header)
                   for lines, parts in self.homes for word, tests in parts)

    def of(self, kind, header):
        """The event of a header; None: of none."""
        found = [event for event, parts in self.by_type[kind] if any(self.passes(kind, tests, header) for tests in parts)]
        assert len(found) < 2, found
        return None if not found else self.stray if self.is_stray(kind, header) else found[0]

    def draw(self, event, line):
        """A random message of an event for a line. Mostly fields have values that tests name."""
        kinds = [k for k in self.types if event == self.stray or any(e == event for e, _ in self.by_type[k])]
        while True:
            kind = random.choice(kinds)
            header = random.getrandbits(64)
            for low, high, _ in self.fields.values():
                if random.random() < 0.9:
                    header = header & ~((1 << high - low + 1) - 1 << low) | random.choice(self.values) << low
            header = header & ~((1 << 42) - 1 << self.lsb) | line << self.lsb
            header = header & (1 << 60) - 1 | self.types[kind][2] << 60
            if self.of(kind, header) == event:
                return "%s@%s=0x%016x" % (self.types[kind][0], self.types[kind][1], header)

    def read(self, text):
        """The event and the line of a message in a trace."""
        short = re.fullmatch(r"\w+\.(\w+)@\d+:0x(\w+)", text)
        if short:  # no field but opcode and address has a bit that is 1
            kind = short[1]
            header = self.types[kind][2] << 60 | int(short[2], 16) >> 6 << self.lsb
        else:
            group, channel, header = re.match(r"(\w+)@(\d+)=0x(\w+)", text).groups()
            header = int(header, 16)
            kind = next(k for k, (g, c, n) in self.types.items() if (g, c, n) == (group, channel, header >> 60))
        return self.of(kind, header), header >> self.lsb & (1 << 42) - 1


class Knowledge:
    """Sets of states, each of which is known by a number. A set holds what was possible at the last message."""

    def __init__(self, edges):
        self.edges, self.sets, self.numbers, self.known = edges, [], {}, {}
        self.silent = [{to for event, to in edge if event is None} for edge in edges]
        self.all = self.number(frozenset(range(len(edges))))

    def number(self, states):
        if states not in self.numbers:
            self.numbers[states] = len(self.sets)
            self.sets.append(states)
        return self.numbers[states]

    def after(self, now, event):
        if (now, event) not in self.known:
            found = set(self.sets[now])
            todo = list(found)
            for i in todo:
                new = self.silent[i] - found
                found |= new
                todo.extend(new)
            self.known[now, event] = self.number(
                frozenset(to for i in found for seen, to in self.edges[i] if seen == event))
        return self.known[now, event]

    def wrong_at(self, stream):
        """The place of the first message that no run explains; None: a run explains them all."""
        now = self.all
        for i, event in enumerate(stream):
            now = self.after(now, event)
            if not self.sets[now]:
                return i
        return None


def draw(edges):
    """What the tap sees of a random run. After a start of random length it is kept."""
    at, stream, skipped = 0, [], random.randrange(40)
    while len(stream) < skipped + LENGTH:
        event, at = random.choice(edges[at])
        if event is not None:
            stream.append(event)
    return stream[skipped:]


def changes(stream, events):
    for i, event in enumerate(stream):
        yield stream[:i] + stream[i + 1:]
        yield stream[:i] + [event] + stream[i:]
        for other in events:
            if other != event:
                yield stream[:i] + [other] + stream[i + 1:]


def accepted(nfacc, nfarun, streams, protocol):
    """Runs the checker over streams, each on its own line. Returns the place of the first accepted message of each."""
    coh, image = "%s/%s.coh" % (folder, name), name + ".bin"
    subprocess.run([nfacc, "-I", folder, "--overlay", "none", "--verify=off", "-Wno-checker-order", "-Wno-bounded",
                    "--substream", "0,%d" % len(streams), coh, "-o", image], check=True)
    where, time = {}, 0
    with open(name + ".bt", "w", encoding="utf-8") as f:
        for line, stream in enumerate(streams):
            for i, event in enumerate(stream):
                time += 1
                where[time] = (line, i)
                if protocol.headers:
                    f.write("%d %s\n" % (time, protocol.headers.draw(event, line)))
                else:
                    f.write("%d %s:0x%x\n" % (time, protocol.event[event][1], 64 * line))
    out = subprocess.run([nfarun, "-q", image, name + ".bt"], check=True, stdout=subprocess.PIPE, text=True).stdout
    first = [None] * len(streams)
    for text in out.splitlines():
        line, i = where[int(text.split()[0])]
        if first[line] is None:
            first[line] = i
    return first


def print_changes(system, nfacc, nfarun, seed, runs, writers=""):
    random.seed(int(seed))
    knowledge, streams, runs = Knowledge(system.edges), [], int(runs)
    for _ in range(runs):
        run = draw(system.edges)
        streams.append(run)
        streams.extend(changes(run, system.events))
    want = [knowledge.wrong_at(stream) for stream in streams]
    got = accepted(nfacc, nfarun, streams, system.protocol)
    possible = sum(1 for w in want if w is not None)
    found = sum(1 for w, g in zip(want, got) if w is not None and w == g)
    false = sum(1 for w, g in zip(want, got) if w is None and g is not None)
    print("%-9s %7d %8d %9d %6d %13d" % (name, len(system.states), len(streams) - runs, possible, found, false))
    conflicts = system.conflicts(writers.split(","))
    if possible != found or conflicts or false:
        print("not as it must be: %d missed or late, %d false, %d states with a writer and another"
              % (possible - found, false, conflicts))


def print_trace(system):
    knowledge, streams = Knowledge(system.edges), {}
    seen = dict.fromkeys(system.seen, 0)
    for text in sys.stdin:
        time, message = text.split()
        if system.protocol.headers:
            event, line = system.protocol.headers.read(message)
        else:
            message, _, line = message.partition(":")
            event = system.protocol.message[message]
        seen[event] = seen.get(event, 0) + 1
        streams.setdefault(line, []).append((int(time), event))
    for stream in streams.values():
        wrong = knowledge.wrong_at([event for _, event in stream])
        if wrong is not None:
            print(stream[wrong][0])
    print("least", min(seen.values()))


rules = Rules("%s/%s.coh" % (folder, name))
messages = Protocol("%s/%s.proto" % (folder, rules.protocol))
if rules.headers:
    messages.headers = Headers("%s/%s.proto" % (folder, rules.protocol), rules)
    messages.event = messages.headers.event
everything = System(messages, rules)
everything.events = everything.seen = sorted({event for edge in everything.edges for event, _ in edge if event})
if rules.headers and messages.headers.stray:
    everything.events = everything.seen + [messages.headers.stray]
{"changes": print_changes, "trace": print_trace}[sys.argv[3]](everything, *sys.argv[4:])

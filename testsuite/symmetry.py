# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""symmetry.py NFACC NFARUN SEED MACHINES: checkers of random machines with equal nodes, against a search that shares
nothing with nfacc. A machine is drawn as data, explored as that, and written with the signs of nfacc-coherence(5). Some
machines name one of the equal nodes, or set the tap at one, so that fewer or none can be renamed. nfacc must find as
many states, and as many up to renaming, as the search, which tries all renamings of the nodes on the data and keeps
those that leave the machine as it is. Of random streams, half of them runs with changes, the checker must accept first
what no run explains, in the form `any`, `states` or `follow`. nfacc must make the same automaton if all is written out, without signs."""
import itertools
import os
import random
import re
import subprocess
import sys

nfacc, nfarun, seed, machines = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
MOST_STATES = 2000
STREAMS, LENGTH = 24, 14
failures = 0


def protocol(n):
    """Node cN sends Ask, Say and Ack; home sends Tell, Hint, each with the number of a node, and All."""
    nodes = ["c%d" % i for i in range(n)] + ["home"]
    out = ["protocol equal;", "header 64;", "opcode 60..63;", "idle 15;", "address 6..47 line 64;",
           "groups %s;" % ", ".join(nodes), "channels 0..%d;" % n]
    for i in range(n):
        out.append("types C%d from c%d on %d { ASK 0 address; SAY 1 address; ACK 2 address; }" % (i, i, i))
    out.append("types H from home on %d { %s }" % (n, " ".join("M%d %d address;" % (i, i) for i in range(2 * n + 1))))
    for i in range(n):
        for k, name in enumerate(("Ask", "Say", "Ack")):
            out.append("event %s%d from c%d = C%d_%s;" % (name, i, i, i, name.upper()))
        out.append("event Tell%d from home = H_M%d;" % (i, 2 * i))
        out.append("event Hint%d from home = H_M%d;" % (i, 2 * i + 1))
    out.append("event All from home = H_M%d;" % (2 * n))
    return "\n".join(out) + "\n"


def message(event, n):
    name, i = re.fullmatch(r"([A-Z][a-z]+)(\d?)", event).groups()
    if name in ("Ask", "Say", "Ack"):
        return "c%s.C%s_%s@%s:0x80" % (i, i, name.upper(), i)
    return "home.H_M%d@%d:0x80" % ({"Tell": 0, "Hint": 1}[name] + 2 * int(i) if name != "All" else 2 * n, n)


def renamed(word, to):
    """A name or value whose last digit is the number of a node gets another one. Plain values have no digit."""
    return word[:-1] + str(to[int(word[-1])]) if word[-1].isdigit() else word


class Machine:
    """Templates, in which `#` is the number of the statement, `~` all others and `*` all; and what they mean: `rules`
    are (node, kind, event, tests, settings), where tests are pairs of a variable and the set of its values."""

    def __init__(self, rng):
        self.n = n = rng.choice((2, 2, 2, 3, 3, 4))
        self.equal = ["c%d" % i for i in range(n)]
        self.nodes = self.equal + ["home"]
        self.known = rng.random() < 0.3
        self.values = {"x": ["a", "b", "c"][:rng.choice((2, 2, 3))],
                       "y": ["-", "k*"] if rng.random() < 0.2 else ["-", "o"],
                       "q": ["-", "r*"], "h": ["-", "w"], "w*": ["-", "t"]}
        self.templates = self.draw(rng)
        several = "All" in str(self.templates) or "'c~'" in str(self.templates)
        self.flight = [("c#", rng.choice((1, 1, 2))), ("home", n if several else rng.choice((1, 2)))]
        self.order = [o for o in ("Ask#, Say#", "Tell*, Hint*", "Tell#, Hint#") if rng.random() < 0.4]
        if "Tell*, Hint*" in self.order and "Tell#, Hint#" in self.order:
            self.order.remove("Tell#, Hint#")
        self.tap = rng.choice(["at home"] * 5 + ["between"] * 3 + ["at c%d" % rng.randrange(n)])
        # What breaks the symmetry: a rule for one node alone, or another limit.
        how = rng.random() * 0.9
        i = rng.randrange(n)
        if how < 0.15:
            self.templates.append(("c%d" % i, "", None, [("x", ["a"])], [("x", "b")]))
        elif how < 0.25 and "'Tell#'" in str(self.templates):
            self.templates.append(("home", "!", "Tell%d" % i, [("h", ["w"])], [("h", "-")]))
        elif how < 0.35:
            self.flight.append(("c%d" % i, 3 - self.flight[0][1]))
        elif how < 0.45:
            self.templates.append(("home", "", None, [("q", ["r%d" % i])], [("q", "-")]))
        self.write_out()

    def draw(self, rng):
        out = []

        def tests(node, odds):
            found = []
            for v in ("x", "y") if node != "home" else ("q", "h", "w#", "w*"):
                if rng.random() < odds:
                    found.append((v, [rng.choice(self.choices(v))]))
            return found

        def settings(node, odds):
            found = [(v, values[0]) for v, values in tests(node, odds)]
            return [s for s in found if s[0] != "w*" or "w#" not in [t[0] for t in found]]

        for event in ("Ask#", "Say#"):
            out.append(("c#", "!", event, tests("c#", 0.5), settings("c#", 0.7)))
            for k in range(rng.choice((1, 1, 2))):
                out.append(("home", "?", event, tests("home", 0.5) if k else [], settings("home", 0.5)))
        for event in rng.sample(("Tell#", "Hint#", "Tell~", "All"), 2):
            out.append(("home", "!", event, tests("home", 0.6), settings("home", 0.6)))
            if event == "Hint#" and rng.random() < 0.6:
                out.append(("c~", "?", event, tests("c#", 0.1), settings("c#", 0.5)))
            elif event == "All":
                out.append(("c#", "?", event, tests("c#", 0.1), settings("c#", 0.5)))
            else:
                out.append(("c#", "?", event.replace("~", "#"), tests("c#", 0.1), settings("c#", 0.5)))
                if event == "Tell~" and not any("#" in str(t) for t in out[-2]):
                    out[-2] = out[-2][:4] + ([s for s in out[-2][4] if s[0] != "q"] + [("q", "r#")],)
        if rng.random() < 0.4:
            out.append(("c#", "!", "Ack#", tests("c#", 0.6), settings("c#", 0.6)))
            out.append(("home", "?", "Ack#", tests("home", 0.2), [("w#", rng.choice("-t"))]))
        if rng.random() < 0.3:
            out.append(("c#", "", None, tests("c#", 0.7), settings("c#", 0.9)))
        if rng.random() < 0.5:  # so the machine never gets stuck
            out += [("c#", "", None, [("x", ["a"])], [("x", "b")]), ("c#", "", None, [("x", ["b"])], [("x", "a")])]
        return out

    def choices(self, var):
        values = self.values[var if var in self.values else "w*"]
        return [v.replace("*", "#") for v in values]

    def expand(self, word, number):
        if word.endswith("*"):
            return [word[:-1] + str(i) for i in range(self.n)]
        if word.endswith("~"):
            return [word[:-1] + str(i) for i in range(self.n) if i != number]
        return [word.replace("#", str(number))]

    def write_out(self):
        self.vars = {}
        for node in self.nodes:
            for v in ("x", "y") if node != "home" else ("q", "h", "w*"):
                for name in self.expand(v, 0):
                    self.vars[node, name] = [w for value in self.values[v] for w in self.expand(value, 0)]
        self.rules = []
        for template in self.templates:
            for number in range(self.n) if re.search("[#~]", str(template)) else [None]:
                self.write_out_rule(template, number)
        self.limit = {node: 4 for node in self.nodes}
        for node, most in self.flight:
            for number in range(self.n):
                self.limit[node.replace("#", str(number))] = most
        self.queue = {}
        for number in range(self.n):
            for line in self.order:
                events = [e for item in line.split(", ") for e in self.expand(item, number)]
                for e in events:
                    self.queue[e] = events[0]

    def write_out_rule(self, template, number):
        node, kind, event, tests, then = template
        for one in self.expand(node, number):
            for e in self.expand(event, number) if event else [None]:
                self.rules.append((one, kind, e, tuple(((one, v), frozenset(w.replace("#", str(number)) for w in values))
                                                       for var, values in tests for v in self.expand(var, number)),
                                   tuple(((one, v), w.replace("#", str(number)))
                                         for var, w in then for v in self.expand(var, number))))

    def header(self, signs):
        out = ["protocol equal;", "checker c;"]
        names = ["c[%d]" % self.n] if signs else self.equal
        for node in names + ["home"]:
            own = ("x", "y") if node != "home" else ("q", "h", "w*")
            out.append("node %s: %s;" % (node, ", ".join(
                "%s = %s" % (v, " ".join(w for value in self.values[own_v] for w in ([value] if signs else
                                                                                     self.expand(value, 0))))
                for own_v in own for v in ([own_v] if signs else self.expand(own_v, 0)))))
        out.append("tap %s;" % self.tap)
        if self.known:
            out.append("start known;")
        return out

    def text(self):
        """With signs."""
        out = self.header(True)
        out += ["flight %s %d;" % f for f in self.flight] + ["order %s;" % o for o in self.order]
        for node, kind, event, tests, then in self.templates:
            out.append("%s: %s %s: %s;" % (node, " ".join("%s=%s" % (v, "|".join(w)) for v, w in tests),
                                           kind + " " + event if kind else "", " ".join("%s=%s" % s for s in then)))
        return "\n".join(out) + "\n"

    def plain(self):
        """Without signs."""
        out = self.header(False)
        for node, most in self.flight:
            out += ["flight %s %d;" % (node.replace("#", str(i)), most) for i in range(self.n if "#" in node else 1)]
        for o in self.order:
            for i in range(self.n if "#" in o else 1):
                out.append("order %s;" % ", ".join(e for item in o.split(", ") for e in self.expand(item, i)))
        for node, kind, event, tests, then in self.rules:
            out.append("%s: %s %s: %s;" % (node, " ".join("%s=%s" % (v[1], "|".join(w)) for v, w in tests),
                                           kind + " " + event if kind else "",
                                           " ".join("%s=%s" % (v[1], w) for v, w in then)))
        return "\n".join(out) + "\n"


class Search:
    """All states of a machine. A state is the values of the variables and, for each sender, the messages under way in
    the order in which they were sent: their event, who has to receive them, and whether they passed a tap between."""

    def __init__(self, m):
        self.m = m
        self.receivers = {}
        for node, kind, event, _, _ in m.rules:
            if kind == "?":
                self.receivers.setdefault(event, set()).add(node)
        self.tap = m.tap[3:] if m.tap.startswith("at") else None
        self.start = start = (tuple(v[0] for v in m.vars.values()), ())
        self.place = {key: i for i, key in enumerate(m.vars)}
        self.number, self.states, self.edges, self.stuck = {start: 0}, [start], [], None
        depth = [0]
        for state in self.states:
            found, here = [], depth[self.number[state]]
            for event, after, _ in self.moves(state):
                if after not in self.number:
                    self.number[after] = len(self.states)
                    self.states.append(after)
                    depth.append(here + 1)
                if event or after != state:
                    found.append((event, self.number[after]))
            self.edges.append(found)
            if not found and self.stuck is None:
                self.stuck = here
            if len(self.states) > MOST_STATES:
                return

    def sender(self, event):
        return "home" if event[:4] in ("Tell", "Hint", "All") else "c" + event[-1]

    def normal(self, queues):
        return tuple(sorted((k, q) for k, q in queues.items() if q))

    def moves(self, state):
        for node, kind, event, tests, then in self.m.rules:
            if any(state[0][self.place[v]] not in values for v, values in tests):
                continue
            values, queues = list(state[0]), dict(state[1])
            for v, w in then:
                values[self.place[v]] = w
            order = self.m.queue.get(event, event)
            if kind == "!":
                to = self.receivers[event]
                used = sum((len(to if k[1] != "all" else [1]) and len(q) * (1 if k[1] != "all" else 0)) +
                           (sum(len(self.receivers[e]) for e in q) if k[1] == "all" else 0)
                           for k, q in queues.items() if k[0] == node)
                if used + len(to) > self.m.limit[node]:
                    continue
                for one in ["all"] if self.tap is None else to:
                    k = (node, one, order)
                    queues[k] = queues.get(k, ()) + (event,)
            elif kind == "?":
                k = (self.sender(event), node, order)
                if queues.get(k, (None,))[0] != event:
                    continue
                queues[k] = queues[k][1:]
            how = "%s %s" % (node, {"!": "sends ", "?": "receives ", "": "changes its variables"}[kind] + (event or ""))
            yield (event if kind and self.tap == node else None), (tuple(values), self.normal(queues)), how
        for k, q in state[1]:
            if k[1] != "all":
                continue
            queues = dict(state[1])
            queues[k] = q[1:]
            for one in self.receivers[q[0]]:
                queues[k[0], one, k[2]] = queues.get((k[0], one, k[2]), ()) + (q[0],)
            yield q[0], (state[0], self.normal(queues)), q[0] + " passes the tap"

    def leads_to_stuck(self, trace):
        """Can the system make these moves, and then none?"""
        now = {self.start}
        for how in trace:
            now = {after for state in now for _, after, done in self.moves(state) if done == how}
        return len(trace) == self.stuck and any(
            not any(event or after != state for event, after, _ in self.moves(state)) for state in now)

    def seen(self):
        events = sorted({e for _, kind, e, _, _ in self.m.rules if kind})
        return [e for e in events if self.tap is None or self.tap == self.sender(e) or self.tap in self.receivers[e]]

    # ---- renaming ----

    def renamed_machine(self, to):
        def key(v):
            return (renamed(v[0], to) if v[0] != "home" else "home", renamed(v[1], to))
        return sorted(((renamed(node, to) if node != "home" else node, kind, renamed(event, to) if event else "",
                        sorted((key(v), sorted(renamed(w, to) for w in values)) for v, values in tests),
                        sorted((key(v), renamed(w, to)) for v, w in dict(then).items()))
                       for node, kind, event, tests, then in self.m.rules), key=repr)

    def symmetries(self):
        """All renamings that leave the machine as it is, made of exchanges."""
        n, same = self.m.n, list(range(self.m.n))
        plain = self.renamed_machine(same)
        exchanges = []
        for i, k in itertools.combinations(range(n), 2):
            to = list(same)
            to[i], to[k] = k, i
            if (self.tap in ("c%d" % i, "c%d" % k) or self.m.limit["c%d" % i] != self.m.limit["c%d" % k] or
                    self.renamed_machine(to) != plain):
                continue
            exchanges.append(tuple(to))
        group = {tuple(same)}
        while True:
            more = {tuple(e[g[i]] for i in range(n)) for g in group for e in exchanges} | group
            if len(more) == len(group):
                return sorted(group)
            group = more

    def renamed_state(self, state, to):
        values = [None] * len(state[0])
        for (node, v), i in self.place.items():
            j = self.place[renamed(node, to) if node != "home" else node, renamed(v, to)]
            values[j] = renamed(state[0][i], to)
        queues = {}
        for (sender, receiver, _), q in state[1]:
            after = tuple(renamed(e, to) for e in q)
            k = (renamed(sender, to) if sender != "home" else sender,
                 renamed(receiver, to) if receiver not in ("home", "all") else receiver,
                 self.m.queue.get(after[0], after[0]))
            queues[k] = after
        return tuple(values), self.normal(queues)

    def orbits(self):
        group = self.symmetries()
        seen, n = set(), 0
        for state in self.states:
            if state in seen:
                continue
            n += 1
            for to in group:
                other = self.renamed_state(state, to)
                assert other in self.number, "a renaming leaves the states"
                seen.add(other)
        return n, len(group)

    # ---- streams ----

    def close(self, states):
        stack, found = list(states), set(states)
        while stack:
            for event, to in self.edges[stack.pop()]:
                if event is None and to not in found:
                    found.add(to)
                    stack.append(to)
        return found

    def first_error(self, stream):
        now = self.close([0] if self.m.known else range(len(self.states)))
        for i, event in enumerate(stream):
            now = self.close({to for s in now for e, to in self.edges[s] if e == event})
            if not now:
                return i
        return None

    def run(self, rng):
        state, out = 0 if self.m.known else rng.randrange(len(self.states)), []
        for _ in range(300):
            event, state = rng.choice(self.edges[state])
            if event:
                out.append(event)
            if len(out) == LENGTH:
                break
        return out


def wrong(what, m, *more):
    global failures
    failures += 1
    print("%s: %s" % (what, " ".join(map(str, more))))
    print(m.text())


def derived(text):
    with open("m.coh", "w", encoding="utf-8") as f:
        f.write(text)
    return subprocess.run([nfacc, "-I", ".", "--overlay", "none", "--verify=off", "--emit=re", "m.coh"],
                          capture_output=True, text=True, check=False)


def one(rng, counts):
    m = Machine(rng)
    s = Search(m)
    if len(s.states) > MOST_STATES or not s.seen():
        counts["too large"] += 1
        return
    with open("equal.proto", "w", encoding="utf-8") as f:
        f.write(protocol(m.n))
    made = derived(m.text())
    if s.stuck is not None:
        counts["stuck"] += 1
        trace = re.findall(r"note: ((?:c\d|home) (?:sends|receives|changes) .*|\w+ passes the tap)", made.stderr)
        if "after these moves" not in made.stderr or not s.leads_to_stuck(trace):
            wrong("the way to where nobody can move", m, s.stuck, made.stderr)
        return
    if "gave up" in made.stderr:
        counts["too large"] += 1
        return
    if made.returncode != 0:
        wrong("nfacc", m, made.stderr)
        return
    orbits, group = s.orbits()
    counts["machines"] += 1
    counts["renamed"] += group > 1
    counts["states"] += len(s.states)
    counts["orbits"] += orbits
    want = "%d states of the system, " % len(s.states)
    want += "%d up to renaming of equal nodes, " % orbits if orbits != len(s.states) else ""
    if want not in made.stdout or (orbits == len(s.states) and "renaming" in made.stdout):
        wrong("states", m, want, "but", made.stdout.split("\n")[1])
    plain = derived(m.plain())
    automaton = [re.sub(r"//.*", "", x.stdout) for x in (made, plain)]
    if automaton[0] != automaton[1]:
        wrong("not the same automaton without signs", m, plain.stderr, m.plain())
    streams, seen = [], s.seen()
    for i in range(STREAMS):
        stream = s.run(rng) if i % 4 != 3 else [rng.choice(seen) for _ in range(LENGTH)]
        for _ in range(rng.randrange(3) if stream else 0):
            stream[rng.randrange(len(stream))] = rng.choice(seen)
        streams.append(stream)
    with open("m.coh", "w", encoding="utf-8") as f:
        f.write(m.text())
    form = rng.choice(([], ["--form=follow"]) if m.known else ([], ["--form=states"], ["--form=follow"]))
    counts["in sets"] += bool(form)
    subprocess.run([nfacc, "-I", ".", "--overlay", "none", *form, "--substream", "0,%d" % STREAMS, "m.coh", "-o", "m.bin"], stderr=subprocess.DEVNULL,
                   check=True)
    lines, time, at = [], 0, {}
    for line, stream in enumerate(streams):
        for i, event in enumerate(stream):
            time += 1
            at[time] = (line, i)
            lines.append("%d %s" % (time, message(event, m.n).replace(":0x80", ":0x%x" % (line * 64))))
    got = subprocess.run([nfarun, "-q", "m.bin"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    first = {}
    for text in got.stdout.split("\n"):
        if "[c]" in text:
            line, i = at[int(text.split()[0])]
            first.setdefault(line, i)
    for line, stream in enumerate(streams):
        want = s.first_error(stream)
        counts["streams"] += 1
        counts["errors"] += want is not None
        if first.get(line) != want:
            wrong("stream", m, stream, "wanted", want, "got", first.get(line))


totals = dict.fromkeys(("machines", "renamed", "states", "orbits", "in sets", "streams", "errors", "stuck", "too large"), 0)
for number in range(machines):
    before = failures
    one(random.Random(seed * 1000003 + number), totals)
    if failures != before:
        print("machine %d of seed %d" % (number, seed))
        if failures > 3:
            break
print(", ".join("%d %s" % (n, what) for what, n in totals.items()))
sys.exit(failures != 0)

# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""The Python module against the C library: layouts of structs, and results against those of nfarun.

The environment says where things are: NFACC, NFARUN, NFAGEN, BUILDDIR, SRCDIR, NFART_LIBRARY.
"""
import ctypes
import os
import re
import subprocess
import tempfile
import unittest

import nfart
from nfart import _library

HERE = tempfile.TemporaryDirectory()
EXAMPLES = os.environ["SRCDIR"] + "/examples/"


def setUpModule():
    unittest.addModuleCleanup(HERE.cleanup)


def tool(name, *arguments):
    return subprocess.run([os.environ[name], *arguments], check=True, capture_output=True,
                          text=True).stdout


def image(text, name="some", *options):
    """Compiles a filter, and returns its image."""
    path = os.path.join(HERE.name, name)
    with open(path + ".re", "w") as f:
        f.write(text)
    tool("NFACC", "--overlay", "none", *options, path + ".re", "-o", path + ".bin")
    return path + ".bin"


def by_name(m):
    """Returns matches of the labels f and g as pairs of time and label."""
    return [(time, "fg"[label]) for time, label in zip(m.time.tolist(), m.label.tolist())]


class Layout(unittest.TestCase):
    def test_structs(self):
        found = {}
        for s in _library.STRUCTS:
            found[s.__name__] = [ctypes.sizeof(s)]
            for name, *_ in s._fields_:
                found[s.__name__ + "." + name] = [getattr(s, name).offset, getattr(s, name).size]
        found["NFART_SLOTS"] = [_library.SLOTS]
        found["NFART_LOST_UNKNOWN"] = [_library.LOST_UNKNOWN]
        found["NFART_VERSION"] = [_library.VERSION]
        for table in _library.STATUSES, _library.OUTCOMES, _library.WHENS:
            found.update({name: [value] for name, value in table.items()})
        printed = subprocess.run([os.environ["BUILDDIR"] + "/testsuite/python/layout"], check=True,
                                 capture_output=True, text=True).stdout
        wanted = {words[0]: [int(n) for n in words[1:]]
                  for words in map(str.split, printed.splitlines())}
        self.assertEqual(wanted, found)
        self.assertEqual(["NFART_PAIR_" + name.upper() for name in nfart.PAIR_OUTCOMES],
                         list(_library.OUTCOMES))


class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.trace = os.path.join(HERE.name, "some.nft")
        tool("NFAGEN", "-q", "-n", "2000", "--fault", "lost-samples", "--fault", "never-completed",
             "-f", "compact", "-o", cls.trace)
        cls.path = image("protocol eci;"
                         "filter f = true* R13 None(RA2, RA3)* R13; filter g = true* RA2;")
        cls.image = nfart.Image(cls.path)
        every = image("protocol eci; filter e = true*;", "every")
        rows = tool("NFARUN", "-q", "--to", "csv", every, cls.trace)
        cls.rows = [row.split(",") for row in rows.splitlines()[1:]]

    def test_image(self):
        self.assertEqual(["f", "g"], self.image.labels)
        self.assertEqual("eci", self.image.protocol.name)
        self.assertIn("cpu@6", self.image.protocol.slots)
        self.assertEqual(["fetch", "snoop"], self.image.protocol.pairs)
        with open(self.path, "rb") as f:
            self.assertEqual(self.image.states, nfart.Image(f.read()).states)

    def test_protocol(self):
        p = self.image.protocol
        slot = p.slot("cpu@6")
        header = p.header(slot, "MREQ_RLDD", 0x8080)
        self.assertEqual("MREQ_RLDD", p.type(slot, header))
        self.assertEqual(0x8080, p.address(slot, header))
        self.assertEqual(5, p.field("rreqid", slot, header | 5 << 50))
        self.assertIn(None, [p.type(slot, opcode << 59) for opcode in range(32)])
        with self.assertRaises(ValueError):
            p.header(slot, "MRSP_PEMD", 0x8080)

    def test_reader(self):
        with nfart.Reader(self.trace, self.image.protocol) as reader:
            batches = list(reader)
            stats = reader.stats
            self.assertEqual("compact", reader.format)
        lost = [b.lost for b in batches if b.lost is not None]
        self.assertEqual((stats["losses"], stats["lost"]), (len(lost), sum(lost)))
        self.assertEqual(1, len(lost))
        self.assertEqual(stats["messages"], sum(len(b.slots) for b in batches))
        with open(self.trace, "rb") as f:
            reader = nfart.Reader(f.read(), self.image.protocol, format="compact")
        self.assertEqual(batches, list(reader))

    def test_messages(self):
        m = nfart.messages(self.trace, self.image.protocol)
        wanted = [int(row[0]) for row in self.rows if row[2] != ""]
        self.assertEqual(wanted, m.time.tolist())
        p = self.image.protocol
        self.assertTrue(all(p.type(s, h) for s, h in zip(m.slot.tolist(), m.header.tolist())))

    def test_matches(self):
        found = nfart.matches(self.image, self.trace)
        counts = nfart.count(self.image, self.trace)
        labels = found.label.tolist()
        self.assertEqual(counts, {"f": labels.count(0), "g": labels.count(1)})
        self.assertGreater(min(counts.values()), 0)
        printed = tool("NFARUN", "-q", self.path, self.trace)
        lines = [line for line in printed.splitlines() if "[" in line]
        wanted = [(int(line.split()[0]), label) for line in lines
                  for label in re.findall(r"\[(.*?)\]", line)[0].split()]
        self.assertEqual(wanted, by_name(found))

    def test_engine(self):
        engine, found = nfart.Engine(self.image), []
        for batch in nfart.Reader(self.trace, self.image.protocol):
            found += [(batch.time, label) for label in engine.step(batch).labels]
        m = nfart.matches(self.image, self.trace)
        self.assertEqual(found, by_name(m))
        f = nfart.Filter(self.image)
        for batch in nfart.Reader(self.trace, self.image.protocol):
            f.put(batch)
        f.end()
        again = f.matches()
        self.assertEqual(m.time.tolist(), again.time.tolist())
        self.assertEqual(0, len(f.matches().time))

    def test_lines(self):
        path = image("protocol eci; substream cl from 0x8080 count 16; filter f = true* RA2;",
                     "lines")
        with nfart.Image(path) as im:
            m, p = nfart.matches(im, self.trace, lines=True), im.protocol
            engine = nfart.Engine(im, lines=True)
            found = [(b.time, address) for b in nfart.Reader(self.trace, p)
                     for _, address in engine.step(b).lines]
        self.assertEqual(found, list(zip(m.time.tolist(), m.address.tolist())))
        self.assertGreater(len(set(m.address.tolist())), 8)

    def test_pairs(self):
        p = nfart.pairs(self.trace, self.image.protocol)
        rows = tool("NFARUN", "-q", "--latency", "--to", "csv", self.trace).splitlines()[1:]
        for i, row in enumerate(rows):
            name, n, least, *_, most = row.split(",")
            self.assertEqual(name, self.image.protocol.pairs[i])
            latency = [a - t for rule, outcome, t, a in
                       zip(p.rule.tolist(), p.outcome.tolist(), p.time.tolist(),
                           p.answer_time.tolist())
                       if rule == i and nfart.PAIR_OUTCOMES[outcome] == "answered"]
            self.assertEqual([int(n), int(least), int(most)],
                             [len(latency), min(latency), max(latency)])
        unanswered = [o for o in p.outcome.tolist()
                      if nfart.PAIR_OUTCOMES[o] in ("open", "replaced", "lost")]
        rows = tool("NFARUN", "-q", "--open", "--to", "csv", self.trace).splitlines()[1:]
        self.assertEqual(len(rows), len(unanswered))

    def test_bytes(self):
        with nfart.Image(image("protocol bytes; filter f = true* 'a' 'b';", "bytes")) as im:
            f = nfart.Filter(im)
            f.bytes(b"xxab", 100)
            self.assertEqual([103], f.matches().time.tolist())
            f.bytes(b"ab", 104)
            f.end()
            self.assertEqual([105], f.matches().time.tolist())
        with self.assertRaises(ValueError):
            nfart.Filter(self.image).bytes(b"ab", 1)


class Errors(unittest.TestCase):
    def test_places(self):
        im = nfart.Image(image("protocol eci; filter f = true* R13;", "errors"))
        bad = os.path.join(HERE.name, "bad.bt")
        with open(bad, "w") as f:
            f.write("1 cpu.MREQ_RLDD@6:0x8080\n2 nonsense\n")
        with self.assertRaises(nfart.Error) as caught:
            nfart.count(im, bad)
        e = caught.exception
        self.assertEqual((bad, 2, 1), (e.file, e.line, e.status))
        for call in (lambda: nfart.Image(bad), lambda: nfart.Image(b"nothing"),
                     lambda: nfart.Reader("/nowhere", im.protocol)):
            with self.assertRaises(nfart.Error):
                call()
        with self.assertRaises(ValueError):
            nfart.Reader(bad, im.protocol, format="nix")
        with self.assertRaises(ValueError):
            nfart.Engine(im).step(nfart.Batch(1, (64,), (0,)))

    def test_closed(self):
        im = nfart.Image(image("protocol eci; filter f = true* R13;", "closed"))
        engine, reader = nfart.Engine(im), nfart.Reader(b"1 cpu.MREQ_RLDD@6:0x8080\n", im.protocol)
        im.close()
        im.close()
        with self.assertRaises(ValueError):
            engine.step(nfart.Batch(1))
        with self.assertRaises(ValueError):
            list(reader)
        with self.assertRaises(ValueError):
            nfart.Filter(im)


if __name__ == "__main__":
    unittest.main()

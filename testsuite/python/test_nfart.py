# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The file is long because it tests the whole module over the same traces.
"""The Python module against the C library: layouts of structs, and results against those of nfarun.

The environment says where things are: NFACC, NFARUN, NFAGEN, BUILDDIR, SRCDIR, NFART_LIBRARY.
"""
import array
import ctypes
import errno
import mmap
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import threading
import unittest
from unittest import mock

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
    maxDiff = None

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

    def test_between(self):
        times = [int(row[0]) for row in self.rows]
        begin, end = times[len(times) // 3], times[len(times) // 2]
        for a, b in (begin, end), (None, end), (begin, None), (None, None), (begin, begin + 1):
            wanted = [t for t in times if (a is None or t >= a) and (b is None or t < b)]
            with nfart.Reader(self.trace, self.image.protocol, between=(a, b)) as r:
                self.assertEqual(sorted(set(wanted)), sorted({x.time for x in r}))
            got = nfart.messages(self.trace, self.image.protocol, between=(a, b))
            self.assertTrue(set(got.time.tolist() if hasattr(got.time, "tolist") else got.time)
                            <= set(wanted))
        for wrong in (end, begin), (begin, begin), (-1, end), (0, 0):
            with self.assertRaises(ValueError):
                nfart.Reader(self.trace, self.image.protocol, between=wrong)

    def test_image(self):
        self.assertEqual(["f", "g"], self.image.labels)
        self.assertEqual("eci", self.image.protocol.name)
        self.assertIn("cpu@6", self.image.protocol.slots)
        self.assertEqual(["fetch", "snoop"], self.image.protocol.pairs)
        with open(self.path, "rb") as f:
            self.assertEqual(self.image.states, nfart.Image(f.read()).states)

    def test_payload(self):
        with open(os.path.join(HERE.name, "eci-data.proto"), "w") as f:
            f.write("protocol eci-data extends eci;\npayload 192;\n")
        path = image("protocol eci-data; filter f = true* any[payload[191..188] == 0];", "payload",
                     "-I", HERE.name)
        im = nfart.Image(path)
        self.assertEqual((3, 0), (im.payload, self.image.payload))
        batch = nfart.Batch(1, (0,), (0,), None)
        for put in nfart.Filter(im).put, nfart.Engine(im).step:
            with self.assertRaisesRegex(ValueError, "looks at payload"):
                put(batch)
        with self.assertRaisesRegex(nfart.Error, "192 bits of payload"):
            nfart.Filter(im).read(nfart.Reader(self.trace, im.protocol))

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
                     lambda: nfart.Reader(b"nothing", im.protocol, format="compact")):
            with self.assertRaises(nfart.Error):
                call()
        with self.assertRaises(ValueError):
            nfart.Reader(bad, im.protocol, format="nix")
        with self.assertRaises(ValueError):
            nfart.Engine(im).step(nfart.Batch(1, (64,), (0,)))

    def test_files(self):
        p = nfart.Protocol("eci")
        closed = os.path.join(HERE.name, "closed-folder")
        os.mkdir(closed)
        for kind, number, path in ((FileNotFoundError, errno.ENOENT, "/nowhere.bin"),
                                   (IsADirectoryError, errno.EISDIR, closed),
                                   (OSError, errno.ELOOP, os.path.join(HERE.name, "loop.bin"))):
            if number == errno.ELOOP:
                os.symlink(path, path)
            for source in path, pathlib.Path(path):
                for call in (nfart.Image, nfart.Protocol, lambda x: nfart.Reader(x, p),
                             lambda x: nfart.messages(x, p), lambda x: nfart.pairs(x, p)):
                    with self.subTest(path=path), self.assertRaises(kind) as caught:
                        call(source)
                    self.assertEqual((number, path), (caught.exception.errno,
                                                      caught.exception.filename))
        with self.assertRaises(ValueError):
            nfart.Image("a\0b")
        for source in 1, None, 1.5, ["/nowhere"]:
            for call in nfart.Image, nfart.Protocol, lambda x: nfart.Reader(x, p):
                with self.assertRaises(TypeError):
                    call(source)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_permission(self):
        path = os.path.join(HERE.name, "secret")
        os.close(os.open(path, os.O_CREAT, 0))
        for call in nfart.Image, lambda x: nfart.Reader(x, nfart.Protocol("eci")):
            with self.assertRaises(PermissionError):
                call(path)

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


class Values(unittest.TestCase):
    """What C can't hold is refused, not cut off."""

    def refused(self, *calls):
        for call in calls:
            with self.subTest(line=call.__code__.co_firstlineno), self.assertRaises(
                    (ValueError, OverflowError)):
                call()

    def test_batch(self):
        Batch = nfart.Batch
        self.refused(lambda: Batch(-1), lambda: Batch(2 ** 64, lost=1), lambda: Batch(-1, lost=1),
                     lambda: Batch(1), lambda: Batch(1, (0,)), lambda: Batch(1, (0,), (1, 2)),
                     lambda: Batch(1, (0, 0), (1, 2)), lambda: Batch(1, (-1,), (1,)),
                     lambda: Batch(1, (64,), (1,)), lambda: Batch(1, (0,), (-1,)),
                     lambda: Batch(1, (0,), (2 ** 64,)), lambda: Batch(1, lost=-2),
                     lambda: Batch(1, lost=2 ** 64 - 1), lambda: Batch(1, (0,), (1,), lost=1),
                     lambda: Batch(1, lost=1)._replace(time=-1), lambda: Batch._make((-1,)))
        for call in (lambda: Batch(1.5, lost=1), lambda: Batch("1", lost=1), lambda: Batch(1, 0, 0),
                     lambda: Batch(1, (0,), (None,))):
            with self.assertRaises(TypeError):
                call()
        self.assertEqual((2 ** 64 - 1, (63, 0), (2 ** 64 - 1, 0), None),
                         Batch(2 ** 64 - 1, [63, 0], [2 ** 64 - 1, 0]))

    def test_protocol(self):
        p = nfart.Protocol("eci")
        slots, big = len(p.slots), 2 ** 64
        slot = p.slot("cpu@6")
        self.refused(lambda: p.slot("nix"), lambda: p.type(-1, 0), lambda: p.type(slots, 0),
                     lambda: p.type(2 ** 32, 0), lambda: p.type(0, -1), lambda: p.type(0, big),
                     lambda: p.address(2 ** 32 + slot, 0), lambda: p.address(slot, big),
                     lambda: p.field("nix", slot, 0), lambda: p.field("rreqid", -1, 0),
                     lambda: p.field("rreqid", slot, big), lambda: p.header(2 ** 32, "MREQ_RLDD"),
                     lambda: p.header(-1, "MREQ_RLDD"), lambda: p.header(slot, "MREQ_RLDD", -128),
                     lambda: p.header(slot, "MREQ_RLDD", big),
                     lambda: p.header(slot, "MREQ_RLDD\0", 0),
                     lambda: nfart.Reader(b"", p, format="text\0"),
                     lambda: nfart.Reader(b"", p, map="{}\0"))

    def test_engines(self):
        with nfart.Image(image("protocol bytes; filter f = true*;", "values")) as im:
            f, engine, beyond = nfart.Filter(im), nfart.Engine(im), nfart.Batch(1, (1,), (0,))
            self.refused(lambda: f.bytes(b"ab", -1), lambda: f.bytes(b"ab", 2 ** 64 - 1),
                         lambda: f.bytes(b"", 2 ** 64), lambda: f.put(beyond),
                         lambda: engine.step(beyond))
            for call in lambda: f.put((1,)), lambda: engine.step((1, (0,), (0,), None)):
                with self.assertRaises(TypeError):
                    call()
            f.bytes(b"ab", 2 ** 64 - 2)
            self.assertEqual([2 ** 64 - 2, 2 ** 64 - 1], f.matches().time.tolist())

    def test_order(self):
        def one(time):
            return nfart.Batch(time, (0,), (0,))

        def lost(time):
            return nfart.Batch(time, lost=1)

        im = nfart.Image(image("protocol bytes; filter f = true*;", "order"))

        def run(*calls):
            f = nfart.Filter(im)
            for call in calls:
                call(f)
            return f.matches().time.tolist()

        def put(batch):
            return lambda f: f.put(batch)

        def data(text, time):
            return lambda f: f.bytes(text, time)

        def read(time):
            return lambda f: f.read(nfart.Reader(b"%d b.CHAR@0:0\n" % time, im.protocol))

        def end(f):
            f.end()

        self.refused(lambda: run(put(one(5)), put(one(4))), lambda: run(put(one(5)), put(one(5))),
                     lambda: run(put(one(5)), put(lost(4))), lambda: run(put(lost(5)), put(one(4))),
                     lambda: run(put(one(5)), put(lost(5)), put(one(5))),
                     lambda: run(data(b"abc", 5), put(one(7))), lambda: run(put(one(5)), data(b"a", 5)),
                     lambda: run(end, put(one(5))), lambda: run(end, data(b"a", 5)),
                     lambda: run(put(one(5)), end, put(lost(6))), lambda: run(put(one(5)), read(6)))
        self.assertEqual([0, 5, 6, 7, 8], run(put(one(0)), put(lost(0)), put(lost(4)), put(one(5)),
                                              put(lost(5)), data(b"abc", 6), data(b"", 1), end, end))
        # What was refused leaves no trace.
        f = nfart.Filter(im)
        f.put(one(5))
        with self.assertRaises(ValueError):
            f.put(one(3))
        f.put(one(6))
        self.assertEqual([5, 6], f.matches().time.tolist())

    def test_read(self):
        im = nfart.Image(image("protocol eci; filter f = true*;", "read"))
        text = b"".join(b"%d cpu.MREQ_RLDD@6:0x8080\n" % t for t in (3, 5, 7, 9))
        f, reader = nfart.Filter(im), nfart.Reader(text, im.protocol)
        for batch, _ in zip(reader, range(2)):
            f.put(batch)
        f.read(reader)
        self.assertEqual([3, 5, 9], f.matches().time.tolist())
        for call in (lambda: f.read(nfart.Reader(text, im.protocol)),
                     lambda: f.put(nfart.Batch(11, (0,), (0,)))):
            with self.assertRaises(ValueError):
                call()
        other = nfart.Protocol("mem")
        with self.assertRaises(nfart.Error) as caught:
            nfart.Filter(im).read(nfart.Reader(b"", other, format="text"))
        self.assertEqual(_library.STATUSES["NFART_USAGE"], caught.exception.status)


class Protocols(unittest.TestCase):
    def test_shipped(self):
        p = nfart.Protocol("eci")
        with nfart.Image(image("protocol eci; filter f = true*;", "shipped")) as im:
            for name in "name", "slots", "fields", "pairs":
                self.assertEqual(getattr(im.protocol, name), getattr(p, name))
        trace = EXAMPLES + "inflight/inflight.bt"
        found = nfart.pairs(trace, p)
        latency = [a - t for t, a, outcome in zip(found.time.tolist(), found.answer_time.tolist(),
                                                  found.outcome.tolist())
                   if nfart.PAIR_OUTCOMES[outcome] == "answered"]
        rows = tool("NFARUN", "-q", "--latency", "-p", "eci", "--to", "csv", trace).splitlines()[1:]
        self.assertEqual(sum(int(row.split(",")[1]) for row in rows), len(latency))
        with self.assertRaises(nfart.Error) as caught:
            nfart.Protocol("ecii")
        self.assertEqual((_library.STATUSES["NFART_USAGE"], ""),
                         (caught.exception.status, caught.exception.file))

    def test_described(self):
        folder = pathlib.Path(HERE.name, "described")
        folder.mkdir()
        shipped = os.environ["SRCDIR"] + "/protocols/mem.proto"
        self.assertEqual(nfart.Protocol("mem").slots, nfart.Protocol(shipped).slots)
        (folder / "base.proto").write_bytes(pathlib.Path(shipped).read_bytes().replace(
            b"protocol mem;", b"protocol base;"))
        (folder / "more.proto").write_text("protocol base extends mem;\n")
        self.assertEqual("base", nfart.Protocol(folder / "base.proto").name)
        bad = folder / "bad.proto"
        bad.write_text("protocol bad;\nnonsense here;\n")
        (folder / "plain").write_bytes((folder / "base.proto").read_bytes())
        here = os.getcwd()
        os.chdir(folder)
        try:
            self.assertEqual("base", nfart.Protocol(pathlib.Path("plain")).name)
        finally:
            os.chdir(here)
        with self.assertRaises(nfart.Error) as caught:
            nfart.Protocol(bad)
        e = caught.exception
        self.assertEqual((str(bad), 2, _library.STATUSES["NFART_INPUT"]), (e.file, e.line, e.status))
        with self.assertRaises(TypeError):
            nfart.Protocol(b"eci")

    def test_in_order(self):
        path = pathlib.Path(HERE.name, "fifo.proto")
        path.write_text("protocol fifo; header 16; opcode 12..15; groups m; channels 0..1;\n"
                        "types Q on 0 { READ 0; } types A on 1 { DATA 0; } field id 0..1;\n"
                        "pair one: Q_READ -> A_DATA in order;\n"
                        "pair each: Q_READ -> A_DATA by id in order;\n")
        trace = b"1 m@0=0x1\n2 m@0=0x1\n3 m@0=0x2 m@1=0x2\n4 m@1=0x2\n5 m@1=0x1\n6 !lost ?\n7 m@1=0x2\n"
        found = nfart.pairs(trace, nfart.Protocol(path))
        rows = [(nfart.Protocol(path).pairs[rule], nfart.PAIR_OUTCOMES[outcome], time, answer)
                for rule, outcome, time, answer in zip(*(column.tolist() for column in (
                    found.rule, found.outcome, found.time, found.answer_time)))]
        self.assertEqual([("one", "answered", 1, 3), ("each", "unasked", 0, 3),
                          ("one", "answered", 2, 4), ("each", "answered", 3, 4),
                          ("one", "answered", 3, 5), ("each", "answered", 1, 5),
                          ("each", "lost", 2, 0),
                          ("one", "unasked", 0, 7), ("each", "unasked", 0, 7)], rows)

    def test_belongs(self):
        # The protocol of an image keeps it, and what uses a protocol keeps that.
        p = nfart.Image(image("protocol eci; filter f = true*;", "belongs")).protocol
        self.assertEqual("MREQ_RLDD", p.type(6, p.header(p.slot("cpu@6"), "MREQ_RLDD")))
        reader = nfart.Reader(b"1 cpu.MREQ_RLDD@6:0x8080\n", nfart.Protocol("eci"))
        self.assertEqual(1, len(list(reader)))


class Sources(unittest.TestCase):
    def test_bytes(self):
        path = image("protocol bytes; filter f = true* 'a' 'b';", "sources")
        trace = os.path.join(HERE.name, "raw")
        content = b"xxab" * 500
        with open(trace, "wb") as f:
            f.write(content)
        with open(path, "rb") as f:
            packed = f.read()
        wanted = nfart.matches(nfart.Image(path), trace, format="raw").time.tolist()
        self.assertEqual(500, len(wanted))

        def forms(data):
            yield data
            yield bytearray(data)
            yield memoryview(data)
            yield memoryview(b"?" + data + b"?")[1:-1]
            yield array.array("B", data)
            with tempfile.TemporaryFile() as f:
                f.write(data)
                f.flush()
                for access in mmap.ACCESS_READ, mmap.ACCESS_WRITE:
                    yield mmap.mmap(f.fileno(), 0, access=access)
            if nfart._numpy is not None:
                yield nfart._numpy.frombuffer(data, dtype="uint8")

        for source in (path, pathlib.Path(path), *forms(packed)):
            im = nfart.Image(source)
            self.assertEqual(["f"], im.labels)
        for source in (trace, pathlib.Path(trace), *forms(content)):
            with self.subTest(kind=type(source)):
                self.assertEqual(wanted, nfart.matches(im, source, format="raw").time.tolist())
                self.assertEqual(len(content), len(nfart.messages(source, im.protocol,
                                                                  format="raw").time))
                if not isinstance(source, (str, pathlib.Path)):
                    f = nfart.Filter(im)
                    f.bytes(source, 1)
                    self.assertEqual(500, len(f.matches().time))
        for source in memoryview(packed)[::2], memoryview(content)[::2]:
            with self.assertRaises((BufferError, ValueError)):
                nfart.Image(source)

    def test_held(self):
        # While a reader reads from it a bytearray keeps its size; then it is free again.
        data = bytearray(b"1 cpu.MREQ_RLDD@6:0x8080\n" * 1)
        reader = nfart.Reader(data, nfart.Protocol("eci"))
        with self.assertRaises(BufferError):
            data.extend(b"?" * 4096)
        self.assertEqual(1, len(list(reader)))
        reader.close()
        data.extend(b"?" * 4096)


class Columns(unittest.TestCase):
    """messages() and pairs(), which C fills, against loops over the batches."""

    @classmethod
    def setUpClass(cls):
        cls.trace = os.path.join(HERE.name, "columns.nft")
        tool("NFAGEN", "-q", "-n", "120000", "--merge", "4", "--fault", "lost-samples", "-f", "compact",
             "-o", cls.trace)
        cls.p = nfart.Protocol("eci")

    def test_messages(self):
        wanted = [(b.time, s, h) for b in nfart.Reader(self.trace, self.p)
                  for s, h in zip(b.slots, b.headers)]
        self.assertGreater(len(wanted), 1 << 16)
        for room in nfart._ROOM, 64, 100:
            with mock.patch.object(nfart, "_ROOM", room):
                m = nfart.messages(self.trace, self.p)
            self.assertEqual(wanted, list(zip(*(column.tolist() for column in m))))
        with mock.patch.object(nfart, "_ROOM", 63), self.assertRaises(nfart.Error):
            nfart.messages(self.trace, self.p)

    def test_pairs(self):
        wanted = [column.tolist() for column in nfart.pairs(self.trace, self.p)]
        self.assertGreater(len(wanted[0]), 1 << 15)
        self.assertIn("lost", {nfart.PAIR_OUTCOMES[o] for o in wanted[1]})
        for room in 1, 2, 100, 1 << 20:
            with mock.patch.object(nfart, "_ROOM", room):
                found = nfart.pairs(self.trace, self.p)
            self.assertEqual(wanted, [column.tolist() for column in found])
        headers = dict(zip(*(column.tolist() for column in (
            nfart.messages(self.trace, self.p)[0::2]))))
        for time, header in list(zip(wanted[2], wanted[4]))[:100]:
            self.assertEqual("fetch", self.p.pairs[wanted[0][0]])
            self.assertIn(time, headers)

    def test_waiting(self):
        # At the end, and at a loss, more pairs come at once than columns have room for.
        n, slot = 100000, self.p.slot("cpu@6")
        types = [line for i in range(n) for line in ("%d cpu.MREQ_RLDD@6:0x%x" % (i, i * 128),)]
        text = ("\n".join(types) + "\n").encode()
        found = nfart.pairs(text, self.p)
        self.assertEqual({nfart.PAIR_OUTCOMES.index("open")}, set(found.outcome.tolist()))
        self.assertEqual(list(range(n)), found.time.tolist())
        self.assertEqual({slot}, set(found.slot.tolist()))
        self.assertEqual({0}, set(found.answer_time.tolist()))
        text += b"%d !lost 3\n" % n
        found = nfart.pairs(text, self.p)
        self.assertEqual({nfart.PAIR_OUTCOMES.index("lost")}, set(found.outcome.tolist()))
        self.assertEqual(list(range(n)), found.time.tolist())

    def test_error(self):
        # A trace that is damaged after many messages gives an exception, not a part.
        text = b"".join(b"%d cpu.MREQ_RLDD@6:0x8080\n" % t for t in range(70000)) + b"nonsense\n"
        for call in nfart.messages, nfart.pairs:
            with self.assertRaises(nfart.Error) as caught:
                call(text, self.p)
            self.assertEqual(70001, caught.exception.line)


class Interrupted(Exception):
    pass


class Interrupts(unittest.TestCase):
    """The handler of a signal raises, as that of Ctrl-C does, at any moment."""

    def setUp(self):
        def handler(*_):
            raise Interrupted

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, handler))
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)

    def test_running(self):
        trace = os.path.join(HERE.name, "interrupts.nft")
        tool("NFAGEN", "-q", "-n", "20000", "-f", "compact", "-o", trace)
        p, r, raised = nfart.Protocol("eci"), random.Random(1), 0
        for call in nfart.messages, nfart.pairs:
            wanted = [column.tolist() for column in call(trace, p)]
            for _ in range(100):
                found = None
                try:
                    signal.setitimer(signal.ITIMER_REAL, r.uniform(1e-5, 4e-3))
                    found = call(trace, p)
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except Interrupted:
                    raised += 1
                if found is not None:
                    self.assertEqual(wanted, [column.tolist() for column in found])
        self.assertGreater(raised, 0)

    def test_waiting(self):
        # The trace is a pipe to which nobody writes: the exception comes at once.
        p = nfart.Protocol("eci")
        for call in (nfart.messages, nfart.pairs, lambda *x, **y: list(nfart.Reader(*x, **y))):
            out, into = os.pipe()
            try:
                os.write(into, b"1 cpu.MREQ_RLDD@6:0x8080\n")
                signal.setitimer(signal.ITIMER_REAL, 0.02)
                with self.assertRaises(Interrupted):
                    call(f"/dev/fd/{out}", p, format="text")
            finally:
                os.close(out)
                os.close(into)


class Threads(unittest.TestCase):
    """Threads that share objects: no crash, and each record once."""

    @classmethod
    def setUpClass(cls):
        cls.trace = os.path.join(HERE.name, "threads.nft")
        tool("NFAGEN", "-q", "-n", "3000", "-f", "compact", "-o", cls.trace)
        cls.path = image("protocol eci; filter f = true* R13; filter g = true* RA2;", "threads")
        with nfart.Image(cls.path) as im:
            cls.batches = list(nfart.Reader(cls.trace, im.protocol))
            cls.times = nfart.matches(im, cls.trace).time.tolist()

    def together(self, *works):
        """Runs works in threads, and returns what they return. ValueError is what a closed object
        raises; any other exception fails the test."""
        results, errors = [], []

        def run(work):
            try:
                results.append(work())
            except ValueError as e:
                self.assertRegex(str(e), "closed|has ended")
            except BaseException as e:
                errors.append(e)

        threads = [threading.Thread(target=run, args=(work,)) for work in works]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual([], errors)
        return results

    def test_reader(self):
        p = nfart.Protocol("eci")
        for _ in range(20):
            reader = nfart.Reader(self.trace, p)

            def drain():
                return [(b, reader.stats["batches"] > 0) for b in reader]

            found = self.together(*[drain] * 4)
            self.assertEqual(self.batches, sorted(b for part in found for b, _ in part))

    def test_filter(self):
        with nfart.Image(self.path) as im:
            for _ in range(20):
                f, reader = nfart.Filter(im), nfart.Reader(self.trace, im.protocol)
                found = self.together(*[lambda: (f.read(reader), f.counts, f.matches())] * 4,
                                      lambda: reader.stats, lambda: f.counts)
                times = [t for x in found if isinstance(x, tuple) for t in x[2].time.tolist()]
                self.assertEqual(self.times, times)

    def test_engine(self):
        with nfart.Image(self.path) as im:
            for _ in range(5):
                engine = nfart.Engine(im)
                self.together(*[lambda: [engine.step(b) for b in self.batches[:500]]] * 3,
                              engine.reset)

    def test_closed(self):
        for _ in range(100):
            im = nfart.Image(self.path)
            reader, engine, f = (nfart.Reader(self.trace, im.protocol), nfart.Engine(im),
                                 nfart.Filter(im))
            another = nfart.Reader(self.trace, im.protocol)
            self.together(lambda: list(reader), lambda: [engine.step(b) for b in self.batches[:50]],
                          lambda: f.read(another), reader.close, im.close, engine.close, f.close,
                          another.close)


if __name__ == "__main__":
    unittest.main()

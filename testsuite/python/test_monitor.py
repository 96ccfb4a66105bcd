# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""nfart.Monitor against nfarun --explain, messages in words, and the options of nfart.Reader for waveforms.

The environment says where things are, as for test_nfart.py.
"""
import glob
import os
import subprocess
import tempfile
import unittest

import nfart

HERE = tempfile.TemporaryDirectory()
EXAMPLES = os.environ["SRCDIR"] + "/examples/"
BUS = EXAMPLES + "bus/"


def setUpModule():
    unittest.addModuleCleanup(HERE.cleanup)


def nfarun(*arguments):
    """Returns the output of nfarun, which may find nothing."""
    return subprocess.run([os.environ["NFARUN"], "-q", *arguments], capture_output=True, text=True).stdout


def image(source, *options):
    """Compiles a file, or a filter, and returns the image."""
    if os.path.sep not in source:
        path = os.path.join(HERE.name, "some.re")
        with open(path, "w") as f:
            f.write(source)
        source = path
    out = os.path.join(HERE.name, os.path.basename(source) + ".bin")
    subprocess.run([os.environ["NFACC"], "--overlay", "none", *options, source, "-o", out], check=True)
    return out


class Monitors(unittest.TestCase):
    maxDiff = None

    def compared(self, path, trace, options=(), **more):
        """The texts must be those of nfarun. Returns the matches."""
        im = nfart.Image(path)
        until = int(options[1]) if options else None
        with nfart.Monitor(im) as m:
            found = [x for b in nfart.Reader(trace, im.protocol, **more) for x in m.put(b)]
            if until is not None:
                found += m.until(until)
            found += m.end()
            counts = m.counts
        wanted = nfarun("--explain=all", *options, path, trace)
        self.assertEqual("" if wanted.startswith("no batch is accepted") else wanted,
                         "\n".join(x.text for x in found))
        self.assertEqual(nfart.count(im, trace, **more) if until is None else counts,
                         {n: c for n, c in counts.items()})
        for x in found:
            self.assertTrue(x.text.startswith(f"{x.time} [" + ",".join(
                n for n in x.labels if not n.startswith("|"))), x)
        return found

    def test_examples(self):
        n = 0
        for source in sorted(glob.glob(EXAMPLES + "*/*.re")):
            trace, opt = source[:-3] + ".bt", source[:-3] + ".opt"
            if not os.path.exists(trace):
                continue
            with self.subTest(source):
                with open(opt if os.path.exists(opt) else os.devnull) as f:
                    options = f.read().split()
                options = options if options[:1] == ["--until"] else []
                folder = os.path.dirname(source)
                n += len(self.compared(image(source, "--source", "-I", folder), trace, options))
        self.assertGreater(n, 60)

    def test_losses_and_ticks(self):
        trace = os.path.join(HERE.name, "losses.bt")
        with open(trace, "w") as f:
            f.write("1 cpu.MREQ_RLDD@6:0x8080\n2 fpga.MRSP_PSHA@4:0x8080\n14 !lost 3\n"
                    "17 cpu.MREQ_RLDD@6:0x8080\n31 !lost ?\n32 !lost 1\n"
                    "48 cpu.MREQ_RLDD@6:0x8080\n50 fpga.MRSP_PSHA@4:0x8080\n")
        for options in [], ["--until", "81"]:
            for text in ("tick 7; filter f = true* tick;", "tick 5; filter f = true* MREQ_RLDD true* tick;",
                         "filter f = true* MRSP_PSHA end;", "tick 3; limit 4; filter f = true* tick;"):
                with self.subTest(text, options=options):
                    self.compared(image("protocol eci; " + text), trace, options)

    def test_until(self):
        # A tick comes as soon as it is known that no batch has its time.
        im = nfart.Image(image("protocol bytes; tick 10; filter f = true* None(any, notick){2};"))
        m = nfart.Monitor(im)
        self.assertEqual([], m.until(5))
        self.assertEqual([], m.put(nfart.Batch(6, (0,), (97,))))
        self.assertEqual([], m.until(19))
        (match,) = m.until(20)
        self.assertEqual((20, ("f",), (), True, False), (match.time, match.labels, match.messages,
                                                        match.tick, match.end))
        self.assertEqual([30, 40], [x.time for x in m.put(nfart.Batch(43, lost=2)) + m.until(45)])
        self.assertEqual({"f": 3}, m.counts)
        for call in (lambda: m.put(nfart.Batch(45, (0,), (97,))), lambda: m.until(-1),
                     lambda: m.put(nfart.Batch(45, lost=1))):
            with self.assertRaises(ValueError):
                call()
        m.put(nfart.Batch(46, (0,), (97,)))
        self.assertEqual([], m.end())
        self.assertEqual([], m.end())
        for call in lambda: m.put(nfart.Batch(60, (0,), (97,))), lambda: m.until(60):
            with self.assertRaises(ValueError):
                call()
        m.close()
        with self.assertRaises(ValueError):
            m.end()
        self.assertEqual([10, 20], [x.time for x in nfart.Monitor(im, tick=5).watch(
            [nfart.Batch(1, (0,), (97,)), nfart.Batch(21, (0,), (97,))]) if x.time % 10 == 0])

    def test_words(self):
        im = nfart.Image(image(BUS + "axi4-lite.re"))
        p, m = im.protocol, nfart.Monitor(im, before=2)
        aw, w = p.message("AW", 0x4c, prot=2), p.message("W", data=7, strb=15)
        self.assertEqual([], m.put(nfart.Batch.of(3, aw, w)))
        self.assertEqual([], m.put(nfart.Batch.of(5, p.message("B", resp=2))))
        (match,) = m.put(nfart.Batch.of(9, p.message("AW_DROP")))
        self.assertEqual(("handshake",), match.labels)
        self.assertEqual([3, 5], [b.time for b in match.before])
        self.assertEqual((nfart.Message("m@0", "AW_DROP", None, {}),), match.messages)
        self.assertEqual("m@0 AW_DROP None", str(match.messages[0]).replace("AW_DROP", "AW_DROP None"))
        decoded = p.decode(*aw)
        self.assertEqual(("m@0", "AW", 0x4c), decoded[:3])
        self.assertEqual((12, 2), (decoded.fields["offset"], decoded.fields["prot"]))
        self.assertEqual("m@0 AW 0x4c prot=2", str(decoded))
        for call in (lambda: p.message("AX"), lambda: p.message("AW", 1 << 40),
                     lambda: p.message("W", 64), lambda: p.message("W", nix=1),
                     lambda: p.message("AW", prot=8), lambda: p.message("AW", slot="m@1"),
                     lambda: p.message("AW", -1), lambda: p.set_field("resp", 0, aw[1], 1)):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(ValueError):
            m.put(nfart.Batch(10, (5,), (0,)))
        packed = aw[1] | w[1] << 64
        self.assertEqual(nfart.Batch.of(3, aw, w), nfart.Batch.of_tap(3, 0b11, packed))
        self.assertEqual(nfart.Batch.of(3, w), nfart.Batch.of_tap(3, 0b10, packed))

    def test_waves(self):
        im = nfart.Image(image(BUS + "axi4-lite.re", "--source"))
        trace = BUS + "broken.vcd"
        self.assertEqual(2, len(self.compared_wave(im, trace, "lite.")))
        p = nfart.Protocol("axi4-lite")
        with self.assertRaises(nfart.Error) as caught:
            nfart.Reader(trace, p, at="nix.")
        self.assertIn("nix.", str(caught.exception))

        def read(**how):
            return [tuple(b) for b in nfart.Reader(trace, p, **how)]

        plain = read(at="lite.")
        self.assertEqual(plain, read(at=["lite."]))
        self.assertEqual(plain, read(at="lite.", taps=p))
        self.assertEqual(plain, [tuple(b) for b in nfart.Reader(trace, im.protocol, at="lite.", taps=p)])
        self.assertNotEqual(plain, read(at="lite.", signals={"awvalid": "lite.wvalid"}))
        for how, options in (({"end": True}, ["--end"]), ({"time": "wave"}, ["--time=wave"]),
                             ({"signals": {"awvalid": "lite.wvalid"}}, ["--signal", "awvalid=lite.wvalid"])):
            text = nfarun("-t", "text", "-p", "axi4-lite", "--at", "lite.", *options, trace)
            self.assertEqual([int(line.split()[0]) for line in text.splitlines()],
                             [b[0] for b in read(at="lite.", **how)])
        for call in lambda: read(time="ns"), lambda: read(at="a\0b"), lambda: read(signals={"a": "\0"}):
            with self.assertRaises(ValueError):
                call()
        for call in lambda: read(at=[1]), lambda: nfart.Monitor("axi.bin"), lambda: nfart.Filter("axi.bin"):
            with self.assertRaises(TypeError):
                call()
        self.assertEqual({"handshake": 2}, {n: c for n, c in nfart.count(
            im, trace, at="lite.").items() if c})

    def compared_wave(self, im, trace, at):
        found = list(nfart.Monitor(im).watch(nfart.Reader(trace, im.protocol, at=at)))
        path = os.path.join(HERE.name, "axi4-lite.re.bin")
        self.assertEqual(nfarun("--explain=all", "--at", at, path, trace),
                         "\n".join(x.text for x in found))
        return found


if __name__ == "__main__":
    unittest.main()

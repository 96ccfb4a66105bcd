#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""numbers.py NAME: works out again what the thesis computes in its text from numbers that it gives.
Each line is a name, a colon and the result."""
import math
import sys


def throughput():
    """T 4.1."""
    blocks = 1.6e9 * 1.5
    words = {"empty": 80543, "PEMD data": 29713, "RLDD": 1830, "PEMD": 1830, "GINV/GSYNC": 422}
    wanted = words["RLDD"] + words["PEMD"]
    total = sum(words.values())
    return [
        ("expected bandwidth", f"{16 * 128 / 1.3e-6 / 1e9:.3f} GB/s"),
        ("bound at the VC layer", f"{2 * 128 / 0.135e-6 / 1e9:.3f} GB/s"),
        ("bound at the block layer", f"{16 * 128 / 5.2e-6 / 1e9:.3f} GB/s"),
        ("16 stalls in a row", f"{16 * 0.135:.2f} us"),
        ("raw blocks", f"{blocks:.1e}"),
        ("raw data words", f"{7 * blocks:.2e}"),
        ("size of the raw trace", f"{blocks * 64 / 1e9:.1f} GB, {blocks * 64 * 8 / 1e12:.2f}e12 bits"),
        ("data words", f"{total} = 7 x {total // 7}" + (f" + {total % 7}" if total % 7 else "")),
        ("wanted words", f"{wanted}, {100 * wanted / total:.1f} %"),
        ("wanted words, unfiltered", f"{100 * wanted / (7 * blocks):.7f} %"),
        ("16 words for each PEMD", f"{16 * words['PEMD']}, {words['PEMD data'] - 16 * words['PEMD']} fewer "
                                   "than counted"),
    ]


# T table 8: LUTs and FFs of the three configurations.
TABLE8 = {
    "Control*": (21446, 32404, 38666, 33980, 37539, 41991),
    "Control": (44, 486, 44, 493, 44, 491),
    "Tracing Engine*": (1844, 5112, 19074, 6682, 17938, 14699),
    "Tracing Engine": (1, 2141, 118, 2141, 1, 2141),
    "FIFO": (772, 2639, 774, 2634, 773, 2640),
    "Input Reduction": (256, 110, 583, 236, 256, 110),
    "NFA*": (174, 158, 16958, 1607, 16266, 9744),
    "STE*": (41, 11, 3425, 265, 54, 35),
    "Output Reduction": (642, 64, 641, 64, 642, 64),
    "PCIe Buffer": (45, 28, 42, 27, 42, 32),
    "AXI XDMA": (18748, 23388, 18741, 23388, 18745, 23388),
}


def sums():
    """T table 8: what the modules add up to; and the ratios that T 5.1 takes from it."""
    def rest(whole, *parts):
        return " ".join(str(TABLE8[whole][i] - sum(TABLE8[p][i] for p in parts)) for i in range(6))

    return [
        ("Tracing Engine* less its modules", rest("Tracing Engine*", "Tracing Engine", "FIFO",
                                                  "Input Reduction", "NFA*", "Output Reduction")),
        ("Control* less its modules", rest("Control*", "Control", "Tracing Engine*", "PCIe Buffer",
                                           "AXI XDMA")),
        ("STE* with 128 lines to 1", f"{TABLE8['STE*'][2] / TABLE8['STE*'][0]:.1f}"),
        ("NFA* with 128 lines to 1", f"{TABLE8['NFA*'][2] / TABLE8['NFA*'][0]:.1f}"),
        ("Control* of 1.1 million LUTs", f"{100 * TABLE8['Control*'][4] / 1.1e6:.1f} %"),
    ]


def lines():
    """T 5.1: up to how many lines one engine (eq. 29) costs less than one engine for each line."""
    def decoders(n):
        return 1 + n / 2 * math.log2(n) / 5 + n

    most = max(n for n in range(1, 4096) if decoders(n) < n * decoders(1))
    return [("lines", str(most))]


def checker():
    """T 5.4.1: LUTs of the checker's STEs, each with the STE and the decoders of T table 8 at 300 STEs."""
    ste, decoder = 17, 37
    return [("5 states, 4 decoders each", str(5 * (ste + 4 * decoder))),
            ("15 states, 1 decoder each", str(15 * (ste + decoder)))]


def density():
    """T eq. 32 as it is printed, (3 + 2N)C / LR, of (5,20,3,1) and of the clique (100,1,1,0)."""
    def printed(c, l, r, n):
        return (3 + 2 * n) * c / (l * r)

    return [("(5,20,3,1)", f"{printed(5, 20, 3, 1):.4f}"), ("(100,1,1,0)", f"{printed(100, 1, 1, 0):.4f}")]


def configuration():
    """T eq. 51, at 300 STEs and 20 headers, and as T 5.4.3 takes it: 100 STEs, 28 headers."""
    def bits(stes, preds, headers):
        return stes * (preds + 3 + headers * 32)

    return [("(5,20,3,1), 20 headers", str(bits(300, 25, 20))),
            ("(5,20,1,0), 28 headers", str(bits(100, 15, 28))),
            ("a clique of 100, 28 headers", str(bits(100, 100, 28)))]


def line_rate():
    """T 6.1: VCs 2 to 11 in both directions, 8 bytes each, 300 MHz."""
    return [("line rate", f"{10 * 2 * 8 * 3e8 / 1e9:.0f} GB/s")]


def main():
    tables = (throughput, sums, lines, checker, density, configuration, line_rate)
    for name, value in {f.__name__: f for f in tables}[sys.argv[1]]():
        print(f"{name}: {value}")


main()

# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""items.py: the tables, figures and equations of sections 4 and 5 of the thesis (and one of 6.1),
what it says there, and the commands that say what comes out here. thesis.py runs them."""
import re
from typing import NamedTuple


class Item(NamedTuple):
    section: str
    name: str           # the heading
    command: str = ""   # a command a line, for sh; empty: nothing of it can be had here
    # Rows of a table: name, the thesis's value, a pattern for what the command prints, and, if the
    # groups of the pattern are not just to stand with commas between them, a format for them.
    rows: tuple = ()
    whole: bool = False  # the page has all that the command prints
    remark: str = ""
    slip: str = ""      # where the thesis is wrong; it stands at the top of the page, too
    slow: bool = False  # left to `make check-long`
    needs: str = ""     # programs, or `capture`


BLOCKS = "T 4.1: filters, and the block layer"
MISSES = "T 4.2: cache misses"
COHERENCE = "T 4.3: a checker of coherence"
HARDWARE = "T 5.1: hardware"
LANGUAGE = "T 5.2: the filter language"
MAPPING = "T 5.3: mapping"
DESIGN = "T 5.4: design decisions"
RATE = "T 6.1: line rate"

SIZES = r" +(\d+) +(\d+)"
SIZES_LOOPS = r" +(\d+) +(\d+) +(\d+)"


def printed(name):
    """The pattern of a line of numbers.py."""
    return "^" + name.replace("*", r"\*").replace("(", r"\(").replace(")", r"\)") + ": (.*)"


def estimate(*overlays):
    """A command that estimates these overlays."""
    return "\n".join(f"nfacc --estimate --overlay {o}" for o in overlays)


def overlay(name, what):
    """The pattern of something after the line of an overlay in what --estimate prints."""
    return rf"^overlay {name} (?s:.*?)" + what


# The last column of a row of bench_streams.
LAST = r".*? (\S+(?: [GMu]\S+)?)$"
BITS = r"^T eq\. 30, 31, 51 +\d+ +\d+ +(\d+)"
# The last two columns of a row of bench_misses.py.
TWO = r"(\S+(?: of \d+)?) +(\S+(?: of \d+)?)$"
EQUATIONS = r"^T eq\. 30, 31, 51 +(\d+) +(\d+)"

ITEMS = [
    Item(BLOCKS, "Figure 24", "nfacc --list eci-block",
         rows=tuple((f"{what}: incoming, outgoing block", bits, rf"^type BLOCK_SYNC .*?{field} ([\d.]+)", form)
                    for what, field, bits, form in (
                        ("is a SYNC block", "sync", "0, 32", "{0} of in, {0} of out"),
                        ("is a data block", "data", "1, 33", "{0} of in, {0} of out"),
                        ("VC i gets data", "vcs", "15:2, 47:34", "{0} of in, {0} of out"),
                        ("estimated state of the link", "link", "18:16, 50:48", "{0} of in, {0} of out"),
                        ("request type", "request", "20:19, 52:51", "{0} of in, {0} of out"),
                        ("ack", "ack", "21, 53", "{0} of in, {0} of out"))),
         remark="Here each half is a message of its own, in the slot `in` or `out`, so a cycle "
                "without a block differs from one with an idle block "
                "(`protocols/eci-block.proto`)."),
    Item(BLOCKS, "Figure 25a", "nfacc --estimate --overlay none examples/messages/messages.re",
         rows=(("states, edges", "2, 2", r"^optimised" + SIZES),),
         remark="The filter for the requests and responses of the benchmark. Here a state needs "
                "no other one to be active before every batch, so one state is enough."),
    Item(BLOCKS, "Figure 25b", "nfacc --estimate --overlay none examples/blocks/blocks.re",
         rows=(("states", "2", r"^optimised +(\d+)"),),
         remark="Guards on the bits of the VCs stand for the 8-bit function of the thesis's "
                "decoder."),
    Item(BLOCKS, "Table 3",
         "nfagen -q --model streams --rounds 4 -f compact -o streams.nft\n"
         "nfacc --overlay none examples/blocks/blocks.re -o blocks.bin\n"
         "nfarun -q -t compact -o kept.nft blocks.bin streams.nft\n"
         "nfarun -q --count --by type -p eci-block kept.nft",
         rows=(("empty data words", "80543", r"^WORD_EMPTY +(\d+)"),
               ("PEMD response data", "29713", r"^DATA_MRSP +(\d+)"),
               ("RLDD headers", "1830", r"^MREQ_RLDD +(\d+)"),
               ("PEMD headers", "1830", r"^MRSP_PEMD +(\d+)"),
               ("GINV/GSYNC", "422", r"^MREQ_GSYNC +(\d+)")),
         remark="The words of the blocks that figure 25b keeps, on generated traffic of the same "
                "benchmark, which has somewhat more requests."),
    Item(BLOCKS, "Figure 26, bandwidth and observations", "make -s -C build bench-streams",
         rows=tuple((name, thesis, f"^{re.escape(name)} +{re.escape(thesis)}" + LAST)
                    for name, thesis in (
                        ("a line alone, to the CPU and back", "1.3 us"),
                        ("bandwidth", "0.25 GB/s"),
                        ("latency at the VC layer", "0.135 us"),
                        ("most in flight at the VC layer", "2"),
                        ("latency at the block layer", "5.2 us"),
                        ("most in flight at the block layer", "16"),
                        ("observation 1: most in flight of one core", "1"),
                        ("observation 2: share of time with 16 in flight", "often"),
                        ("observation 3: share of a core's time in requests", "most"),
                        ("observation 4: longest wait at the barrier, share", "1/3"),
                        ("observation 5: last to finish starts first, share", "all"),
                        ("observation 6: correlation of latency and load", "large"),
                        ("observation 7: steps of core 0 to lower addresses", "none"),
                        ("observation 7: steps of core 7 to lower addresses", "all"))),
         remark="A model of 16 cores that stream through 4 kB each (`nfagen --model streams`). "
                "Observation 7 is the thesis's equation for the index of a line. `make "
                "bench-streams PLOT=1` draws the figure.",
         slow=True),
    Item(BLOCKS, "Throughput, and the sums of table 3", "python3 testsuite/thesis/numbers.py throughput",
         rows=(("expected bandwidth", "1.57 GB/s", printed("expected bandwidth")),
               ("bound at the VC layer", "1.9 GB/s", printed("bound at the VC layer")),
               ("bound at the block layer", "0.4 GB/s", printed("bound at the block layer")),
               ("16 stalls in a row", "2.1 us", printed("16 stalls in a row")),
               ("raw blocks", "2.4e+09", printed("raw blocks")),
               ("raw data words", "1.6e+10", printed("raw data words")),
               ("size of the raw trace", "1.2 TiB", printed("size of the raw trace")),
               ("sum of table 3", "whole blocks", printed("data words")),
               ("headers that are wanted", "3660, 3 %", printed("wanted words")),
               ("share of an unfiltered trace", "0.000022 %", printed("wanted words, unfiltered")),
               ("data of 1830 PEMDs", "29713", printed("16 words for each PEMD"))),
         remark="The thesis's sums, worked out again from the numbers in its text.",
         slip="The raw trace of 2.4e9 blocks of 64 bytes has 154 GB, not 1.2 TiB. The thesis "
              "took bits for bytes."),
    Item(MISSES, "Figure 27", "nfacc --estimate --overlay none testsuite/bench/opt/misses.re",
         rows=(("general: states, edges", "7, 8", r"^without epsilons" + SIZES),
               ("homogeneous: states, edges", "10, 21", r"^homogeneous" + SIZES_LOOPS,
                "{0}, {1} and {2} loops"),
               ("optimised (-O1): states, edges", "", r"^optimised" + SIZES_LOOPS, "{0}, {1} and {2} loops"))),
    Item(MISSES, "Figures 28 and 29", "make -s -C build bench-misses",
         rows=tuple((f"{name} (p = 0.125, 0.01)", thesis, rf"^ *{line}.*? +" + TWO, "{0}, {1}")
                    for name, thesis, line in (
                        ("counts that differ from the generator's", "", "counts that differ"),
                        ("lines where c is not c0 + c12 + c3", "some", "lines with c other"),
                        ("with a run for each kind: c above the sum", "some, such as 0x0",
                         "with a run for each kind: c above"),
                        ("with a run for each kind: c below the sum", "some, such as 0x180",
                         "with a run for each kind: c below"),
                        ("observation 1: capacity misses for each coherence miss", "many more, the other way around",
                         "1: "),
                        ("observation 2: slope of capacity misses over accesses", "hotness reflected, much less",
                         "2: slope of log capacity"),
                        ("observation 2: slope of coherence misses over accesses", "not many, about the same",
                         "2: slope of log coheren"))),
         remark="Over ten seeds; slopes are of logarithms (`doc/develop/misses.md`). One run counts all "
                "kinds, where the thesis needed four, so the sum is exact. `make bench-misses` "
                "also draws both figures.",
         slip="The tree of 511 entries has nine levels, so a lookup visits nine nodes, not "
              "eight. c is 1 plus the sum of figures 29c and 29e, not 1 minus it. The caption of "
              "figure 29 has p = 0.1 in the place of 0.01.",
         slow=True),
    Item(COHERENCE, "Table 4, table 5, equation 24", "grep -E '^(legal|message)' examples/coherence/moesi-tables.coh",
         whole=True,
         remark="Both tables are input here: `nfacc` reads them, and derives what follows. The "
                "legal pairs stand in the order of equation 24. Table 5 as nfacc-coherence(5) "
                "writes it: what a message needs, and what it leaves."),
    Item(COHERENCE, "Table 6, equations 19 to 23",
         "nfacc --emit=re --restart=never -Wno-checker-lines -Wno-checker-order examples/coherence/moesi-tables.coh >checker.re\n"
         "python3 testsuite/thesis/checker.py table <checker.re", whole=True),
    Item(COHERENCE, "Equation 25, table 7",
         "nfacc --list eci >types\n"
         "nfacc --emit=re --restart=never -Wno-checker-lines -Wno-checker-order examples/coherence/moesi-tables.coh >checker.re\n"
         "python3 testsuite/thesis/checker.py errors 010010 types <checker.re",
         rows=(("events from 010010 to the error", "A11 A31 A32 R12 R13 RA2", r"^(A11 .*)"),
               ("A11", "HAKI 6 on 10 11, HAKV 8 on 10 11",
                r"^A11: MRSP_(HAKV .*)\nA11: MRSP_(HAKI .*)", "{1}, {0}"),
               ("A31", "VICDHI 3 on 4 5 10 11", r"^A31: MRSP_(.*)"),
               ("A32", "HAKD 4 on 4 5, HAKN_S 5 on 10 11", r"^A32: MRSP_(.*)"),
               ("R12", "RLDI 1 on 6 7", r"^R12: MREQ_(.*)"),
               ("R13", "RLDD 0 on 6 7, RLDX 5 on 6 7", r"^R13: MREQ_(.*)\nR13: MREQ_(.*)", "{0}, {1}"),
               ("RA2", "PSHA 9 on 4 5", r"^RA2: MRSP_(.*)")),
         slip="Table 7 has HAKD as A32. By table 2 it is A21, and real captures agree: it "
              "answers SINV_H. And HAKN_S, which is A32, also comes on VCs 4 and 5."),
    Item(COHERENCE, "What the checker finds", "make -s -C build bench-coherence",
         rows=(("states of the checker besides the error", "4", r"^tables of the thesis .* (\d+) beliefs"),
               ("messages of a capture, and changes of one of them", "", r"^(\d+) messages, no error; (\d+) changes"),
               ("the thesis's tables: dropped, doubled, other ones found", "no error detected",
                r"^tables of the thesis +(\d+) +(\d+) +(\d+) +([\d.]+ %)", "{0}, {1}, {2} ({3})"),
               ("eci.coh: dropped, doubled, other ones found", "",
                r"^eci.coh +(\d+) +(\d+) +(\d+) +([\d.]+ %)", "{0}, {1}, {2} ({3})")),
         remark="The thesis ran its checker beside a correct implementation and saw no error. "
                "Here each message of a capture of such a system is dropped, doubled, and turned "
                "into each other event of its sender. The tables find few of these changes, "
                "because they leave out voluntary downgrades and what is in flight. A checker "
                "derived from rules, `examples/coherence/eci.coh`, finds almost all.",
         slow=True, needs="capture"),
    Item(HARDWARE, "Table 8: sums and ratios", "python3 testsuite/thesis/numbers.py sums",
         rows=(("Tracing Engine* less its modules: LUTs, FFs, three times", "0 0 0 0 0 0",
                printed("Tracing Engine* less its modules")),
               ("Control* less its modules", "0 0 0 0 0 0", printed("Control* less its modules")),
               ("STE* with 128 lines to STE* with 1", "85", printed("STE* with 128 lines to 1")),
               ("NFA* with 128 lines to NFA* with 1", "almost 100", printed("NFA* with 128 lines to 1")),
               ("300 states, of 1.1 million LUTs", "3 %", printed("Control* of 1.1 million LUTs"))),
         remark="The thesis's modules, added up again.",
         slip="In table 8 some 770 LUTs and 3400 FFs of Control\\* belong to no module; and 3425 "
              "/ 41 is 83.5, not 85."),
    Item(HARDWARE, "Equations 26 to 31, table 9, table 8: the model of the thesis",
         estimate("table8-4", "table8-4x128", "table8-300"),
         rows=(("(2,2,1,0), 1 line: LUTs, FFs", "174, 158", overlay("table8-4", EQUATIONS)),
               ("(2,2,1,0), 128 lines", "16958, 1607", overlay("table8-4x128", EQUATIONS)),
               ("(5,20,3,1), 1 line", "16266, 9744", overlay("table8-300", EQUATIONS)),
               ("our model: (2,2,1,0), 1 line", "", overlay("table8-4", r"^nfacc +(\d+) +(\d+)")),
               ("our model: (2,2,1,0), 128 lines", "", overlay("table8-4x128", r"^nfacc +(\d+) +(\d+)")),
               ("our model: (5,20,3,1), 1 line", "", overlay("table8-300", r"^nfacc +(\d+) +(\d+)"))),
         remark="The thesis's column is what Vivado counted for module NFA\\*. In the first "
                "three rows the other column is what equations 30 and 31 say of it.",
         slip="The model does not always over-approximate: for (2,2,1,0,1) equation 30 says 72 "
              "FFs, and table 8 has 158. Of these, 110 are in module NFA itself, which the model "
              "leaves out."),
    Item(HARDWARE, "Table 8, NFA*: what Yosys counts",
         "python3 testsuite/bench/bench_rtl.py table8-4 table8-4x128 table8-300",
         rows=(("(2,2,1,0), 1 line: LUTs, FFs", "174, 158", r"^table8-4 .*? \| +(\d+) +(\d+)"),
               ("(2,2,1,0), 128 lines", "16958, 1607", r"^table8-4x128 .*? \| +(\d+) +(\d+)"),
               ("(5,20,3,1), 1 line", "16266, 9744", r"^table8-300 .*? \| +(\d+) +(\d+)")),
         remark="The same function in our engine, before routing. `make bench-rtl` has more "
                "overlays, and what the other modules cost. Table 8's row on routing time cannot "
                "be had without Vivado.",
         slow=True, needs="yosys"),
    Item(HARDWARE, "Many lines: one engine or one for each", estimate("table8-4x128") +
         "\npython3 testsuite/thesis/numbers.py lines",
         rows=(("128 lines: LUTs by eq. 31, and 128 engines for one line", "",
                EQUATIONS + r".*\n +one line, 128 times +(\d+)", "{0}, {2}"),
               ("128 lines: LUTs by our model, and 128 engines", "",
                r"^nfacc +(\d+) .*\n +states in memory +\d+ .*\n +one line, 128 times +(\d+)"),
               ("up to how many lines the thesis's engine is cheaper", "below 1024", printed("lines")))),
    Item(HARDWARE, "Figure 30", "make -s -C build bench-sweep", whole=True,
         remark="Each parameter grows alone, from (2,2,1,0) with one line: what Yosys counts, "
                "our model, and the thesis's (equations 31 and 30). The thesis prints no numbers "
                "for this figure. The curve of C is a parabola there. Here it is nearly a line, "
                "because predecessors go five to a LUT and all STEs share the memory of rows. "
                "Below some ten STEs that memory makes our engine the larger one, and our model "
                "too high. `make bench-sweep PLOT=1` draws the figure.",
         slow=True, needs="yosys"),
    Item(HARDWARE, "Equation 32: density",
         "python3 testsuite/thesis/numbers.py density\n" + estimate("5,20,3,1", "100,1,1,0"),
         rows=(("(5,20,3,1)", "", r"^\(5,20,3,1\): (.*)(?s:.*)^overlay 5,20,3,1 .* density (.*)",
                "{1}, by eq. 32 {0}"),
               ("(100,1,1,0)", "", r"^\(100,1,1,0\): (.*)(?s:.*)^overlay 100,1,1,0 .* density (.*)",
                "{1}, by eq. 32 {0}")),
         slip="Equation 32 is too large by the factor C. With CLR STEs, each with (3 + 2N)C "
              "neighbours, the density is (3 + 2N) / LR, or less where there are fewer "
              "neighbours than that. In figure 31 C is 1, so it does not show."),
    Item(HARDWARE, "Figure 31", remark="Routing time over density. It cannot be had here: there "
                                       "is no Vivado. The densities of its overlays follow from "
                                       "equation 32."),
    Item(HARDWARE, "Figure 32", estimate("violet", "yellow", "red", "green", "orange", "blue", "rings4"),
         rows=tuple((name, values, rf"^overlay {name} .* (\d+) lines?: (\d+) STEs, fan-in (\d+)", form)
                    for name, values, form in (
                        ("violet", "160 STEs, fan-in 24", "{1} STEs, fan-in {2}"),
                        ("yellow", "150 STEs, fan-in 50, 4 lines", "{1} STEs, fan-in {2}, {0} lines"),
                        ("red", "100 STEs, fan-in 100", "{1} STEs, fan-in {2}"),
                        ("green", "604 STEs, fan-in 6", "{1} STEs, fan-in {2}"),
                        ("orange", "4 STEs, 128 lines", "{1} STEs, {0} lines"),
                        ("blue", "36 STEs, fan-in 5, 32 lines", "{1} STEs, fan-in {2}, {0} lines"),
                        ("rings4", "(5,20,4,1)", "{1} STEs, fan-in {2}"))),
         remark="The overlays are shipped. That they meet timing on the board cannot be shown "
                "here."),
    Item(HARDWARE, "(5,20,4,1) and the largest overlay of the work before",
         "python3 testsuite/thesis/graphs.py rings 3,7,2,1\n"
         "python3 testsuite/thesis/graphs.py rings 3,7,2,1 on 5,20,4,1 >small.g\n"
         "nfacc --map-graph small.g || true\n"
         "python3 testsuite/thesis/graphs.py rings 3,7,1,0 on 5,20,4,1 >ring.g\n"
         "nfacc --map-graph ring.g | sed -n '1s/ .*//; 1s/^/a ring: /p'\n"
         "python3 testsuite/thesis/graphs.py rings 3,7,2,0 on 5,20,4,1 >two.g\n"
         "nfacc --map-graph two.g | sed -n '1s/ .*//; 1s/^/two rings: /p'",
         rows=(("STEs of (3,7,2,1), of which (5,20,4,1) has almost ten times as many", "42", r"^(\d+) nodes"),
               ("(3,7,2,1) is a subgraph of (5,20,4,1)", "yes", r"^(fits|no-fit)"),
               ("one of its two rings of 7 cliques of 3, both without edges between them", "",
                r"^a ring: (.*)\ntwo rings: (.*)")),
         slip="(5,20,4,1) is no supergraph of (3,7,2,1): the mapper tried all placements. A ring of 7 "
              "cliques of 3 has a place on it, and so have two; the edges between the two have none."),
    Item(LANGUAGE, "Equations 33 to 44, figure 33",
         "nfacc --estimate --overlay none -Wno-anchored testsuite/thesis/inflight.re",
         rows=(("states at most (eq. 40)", "7", r"^at most.*34\) +(\d+)"),
               ("edges at most (eq. 44)", "6", r"^at most.*34\) +\d+ +(\d+)"),
               ("the construction itself: states, edges", "", r"^as built" + SIZES),
               ("implemented: states, edges (figure 33)", "4, 4", r"^optimised" + SIZES)),
         slip="Equation 43 drops a term of equation 42. The bound on the edges of figure 33 is "
              "7, not 6."),
    Item(LANGUAGE, "Equation 45: what Any saves",
         "nfacc --estimate -O2 --overlay none testsuite/thesis/any.re\n"
         "nfacc --estimate -O2 --overlay none testsuite/thesis/choice.re\n"
         "nfacc --equal testsuite/thesis/any.re testsuite/thesis/choice.re && echo equal",
         rows=(("with Any: states", "1", r"^optimised +(\d+)"),
               ("six alternatives: states at most", "8", r"(?s:.*)^at most.*34\) +(\d+)"),
               ("six alternatives, optimised (-O2)", "", r"(?s:.*)^optimised +(\d+)"),
               ("both mean the same", "", r"^(equal)")),
         remark="The thesis counts two states besides the six alternatives. Its equation 33 is a "
                "larger bound, with two states for each choice. The optimiser makes Any of the "
                "alternatives."),
    Item(MAPPING, "Figure 34",
         "for n in 50 70 100 120 150 200; do\n"
         "for seed in 1 2 3; do\n"
         "python3 testsuite/thesis/graphs.py figure34 $n,$seed on 10,$((n / 10)),1,0 >$n.g\n"
         "nfacc --map-graph $n.g | sed -n \"1s/^\\([a-z-]*\\) [0-9.]* /$n: \\1 /p\"\n"
         "done\n"
         "done",
         rows=tuple((f"n = {n}", thesis, "(?s:.*?)".join(rf"^{n}: fits (\d+)" for _ in range(3)),
                     "fits; placements tried: {}, {}, {}")
                    for n, thesis in (
                        (50, "Baseline, Symmetry, Clique"), (70, "Baseline, Symmetry, Clique"),
                        (100, "Symmetry, Clique"), (120, "Clique"), (150, "Clique, over a minute"),
                        (200, "Clique, over a minute"))),
         remark="The thesis's column says which of its formulations solved that size, with "
                "Gurobi in at most four hours. Here the search finds each placement at once. "
                "`make bench-map PLOT=1` draws the figure with all formulations, the thesis's "
                "four too, and igraph's LAD in the place of Glasgow."),
    Item(MAPPING, "Equations 14 to 18 and 46 to 49",
         "python3 testsuite/thesis/graphs.py figure34 50,1 on 10,5,1,0 >50.g\n"
         "python3 testsuite/thesis/graphs.py figure34 200,1 on 10,20,1,0 >200.g\n"
         "map_ilp ilp-baseline 50.g || true\n"
         "map_ilp ilp-clique 200.g || true\n"
         "map_ilp ilp-clique 50.g",
         rows=(("rows of equation 49 and the others, n = 50", "", r"^ilp-baseline: .* have (\d+) rows"),
               ("rows of equation 17 and the others, n = 200", "", r"^ilp-clique: .* have (\d+) rows"),
               ("equations 14 to 18, n = 50, by GLPK", "solved", r"(?s:.*)^(fits|no-fit)")),
         needs="map_ilp",
         remark="The thesis's integer programs are an oracle in the tests of the mapper, built "
                "literally (`doc/develop/mapping.md`); `map_ilp` is in `testsuite/map/ilp/`. It "
                "builds no program of more than 200,000 rows, unless a third argument says so."),
    Item(DESIGN, "Figure 35",
         "nfacc --estimate --overlay none testsuite/thesis/out.re\n"
         "nfacc --estimate --overlay none testsuite/thesis/in.re",
         rows=(("general: states, edges", "3, 9", r"^as built" + SIZES_LOOPS, "{0}, {1} and {2} loops"),
               ("homogeneous: three times as many", "9, 27", r"^homogeneous" + SIZES_LOOPS,
                "{0}, {1} and {2} loops"),
               ("optimised", "", r"^optimised" + SIZES_LOOPS, "{0}, {1} and {2} loops"),
               ("turned round, homogeneous", "3, 9", r"(?s:.*)^homogeneous" + SIZES_LOOPS,
                "{0}, {1} and {2} loops")),
         remark="Transitions that leave a state share their input, so each state is replicated "
                "once for each input. The optimiser undoes most of it. With the transitions "
                "turned round the automaton is homogeneous, and stays as it is."),
    Item(DESIGN, "Table 10",
         "for f in requests misses coherence; do\nnfacc --estimate --overlay none testsuite/bench/opt/$f.re\ndone",
         rows=tuple((f"{name}: {form}", thesis, r"(?s:.*?)".join([r"^automaton"] * (i + 1)) +
                     r"(?s:.*?)^" + line + SIZES_LOOPS, "{0} states, {1} edges, {2} loops")
                    for i, (name, general, homogeneous) in enumerate((
                        ("block request-response", "2 states, 2 edges", "2 states, 2 edges"),
                        ("cache miss", "7 states, 8 edges", "10 states, 21 edges"),
                        ("MOESI correctness", "5 states, 19 edges", "15 states, 53 edges")))
                    for form, line, thesis in (("general", "without epsilons", general),
                                               ("homogeneous", "homogeneous", homogeneous))),
         slip="The caption of table 10 says that self loops are not counted. 8 leaves them out, "
              "but 19, 21 and 53 include them."),
    Item(DESIGN, "What homogeneous states cost: the coherence checker",
         "python3 testsuite/thesis/numbers.py checker\n"
         "nfacc --estimate --overlay 5,20,3,1,1 testsuite/bench/opt/coherence.re",
         rows=(("decoders in an STE, not homogeneous", "at least 4", r"^without epsilons(?: +\d+){5} +(\d+)"),
               ("STEs by table 8: 5 with 4 decoders, 15 with 1", "most likely cheaper",
                r"^5 states, 4 decoders each: (\d+)\n15 states, 1 decoder each: (\d+)", "{0}, {1} LUTs"),
               ("by T eq. 29, in (5,20,3,1) with 28 slots", "",
                r"^without epsilons.* (\d+)\nhomogeneous.* (\d+)", "{0}, {1} LUTs"),
               ("by our model, in (5,20,3,1) with 28 slots", "",
                r"^without epsilons.* (\d+) +\d+\nhomogeneous.* (\d+) +\d+", "{0}, {1} LUTs")),
         remark="The thesis expects that one decoder for each STE is cheaper, though the states "
                "are replicated. By its table 8 the two cost about the same, and by its equation "
                "29 replication costs more where STEs have many predecessors."),
    Item(DESIGN, "Equation 50",
         "nfacc --estimate --overlay none testsuite/thesis/choices.re\n"
         "nfacc --check --stats --overlay 5,20,1,0 testsuite/thesis/choices.re 2>&1",
         rows=(("n = 15 choices: fan-in", "16", r"^homogeneous(?: +\d+){3} +(\d+)"),
               ("on (5,20,1,0), where an STE has 14 neighbours", "not mapped",
                r"^split: .* into (\d+)", "mapped, with a state in {0} copies")),
         remark="A state with more neighbours than an STE is split into copies that share them "
                "out, so the filter fits all the same. The fan-in is n, and not n + 1: `true*` "
                "takes no state here."),
    Item(DESIGN, "Figure 36",
         "python3 testsuite/thesis/graphs.py napoly 12,7\n"
         "python3 testsuite/thesis/graphs.py rings 1,1,12,3\n"
         "python3 testsuite/thesis/graphs.py napoly 12,7 on 1,1,12,3 >napoly.g\n"
         "nfacc --map-graph napoly.g",
         rows=(("Napoly, n = 12, f = 7: edges, diameter", "30, 4", r"12 nodes, (\d+) edges, diameter (\d+)"),
               ("(1,1,12,3): edges, half the diameter", "36, 2", r"(?s:.*)12 nodes, (\d+) edges, diameter (\d+)"),
               ("Napoly mapped onto (1,1,12,3)", "fits", r"^(fits|no-fit)"))),
    Item(DESIGN, "Equation 51", estimate("table8-300") + "\npython3 testsuite/thesis/numbers.py configuration\n"
         "nfacc --emit=verilog --overlay table8-300 | grep -o 'MOST_WORDS = [0-9]*'",
         rows=(("bits for 300 STEs, 20 headers", "200400", BITS),
               ("bits for 100 STEs, 28 headers", "several hundreds of thousands",
                printed("(5,20,1,0), 28 headers")),
               ("our engine, 300 STEs, 20 headers: bits", "", r"^nfacc +\d+ +\d+ +(\d+)"),
               ("words of 32 bits to load, one a cycle", "a bit a cycle", r"MOST_WORDS = (\d+)")),
         remark="Our engine goes on tracing while an image is loaded, if it has a shadow "
                "(`doc/develop/rtl.md`).",
         slip="Equation 51 lacks a bit for each STE that says Any or None, which T 6.2 lists; "
              "and 100 STEs need some 92,000 bits, not several hundreds of thousands."),
    Item(RATE, "Line rate", "python3 testsuite/thesis/numbers.py line_rate",
         rows=(("10 VCs, two directions, 8 bytes, 300 MHz", "64 GB/s", printed("line rate")),),
         slip="The engine takes 48 GB/s, not 64 GB/s."),
]

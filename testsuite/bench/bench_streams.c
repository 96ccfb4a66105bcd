/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_streams: the bottleneck analysis of T 4.1 on the model of 16 streaming cores: the numbers
 * of its text, and its observations in figure 26, beside what the thesis says.
 */
#include "testsuite/bench/measure.h"
#include "testsuite/bench/streams.h"
#include "tools/nfagen/blocks/block_streams.h"

enum { ROUNDS = 20, CORES = 16, SEED = 1 };

#define CLOCK 300e6 /* cycles a second */
#define LINE 128

/* Returns GB/s for lines that take so many cycles. */
static double bandwidth(double lines, double cycles)
{
	return lines * LINE * CLOCK / cycles / 1e9;
}

static void bench_row(const char *what, const char *thesis, double ours, const char *unit)
{
	printf("%-52s %-12s %.3f%s%s\n", what, thesis, ours, *unit != 0 ? " " : "", unit);
}

static void bench_count(const char *what, const char *thesis, uint32_t ours)
{
	printf("%-52s %-12s %u\n", what, thesis, ours);
}

int main(void)
{
	struct streams_numbers blocks = streams_run("eci-block", SEED, CORES, ROUNDS);
	struct streams_numbers vcs = streams_run("eci", SEED, CORES, ROUNDS);
	struct streams_numbers one = streams_run("eci-block", SEED, 1, ROUNDS);

	printf("%-52s %-12s %s\n", "what", "thesis", "model");
	bench_row("a line alone, to the CPU and back", "1.3 us",
		  (one.latency + one.pause) / CLOCK * 1e6, "us");
	bench_row("expected bandwidth, 16 lines in that time", "1.57 GB/s",
		  bandwidth(CORES, one.latency + one.pause), "GB/s");
	bench_row("bandwidth", "0.25 GB/s", bandwidth(blocks.requests, (double)blocks.cycles),
		  "GB/s");
	bench_row("latency at the VC layer", "0.135 us", vcs.latency / CLOCK * 1e6, "us");
	bench_count("most in flight at the VC layer", "2", vcs.most);
	bench_row("bound from the VC layer", "1.9 GB/s", bandwidth(vcs.most, vcs.latency), "GB/s");
	bench_row("latency at the block layer", "5.2 us", blocks.latency / CLOCK * 1e6, "us");
	bench_count("most in flight at the block layer", "16", blocks.most);
	bench_row("bound from the block layer", "0.4 GB/s", bandwidth(blocks.most, blocks.latency),
		  "GB/s");
	bench_row("16 requests one after the other at the VC layer", "2.1 us",
		  CORES * vcs.latency / CLOCK * 1e6, "us");
	bench_count("observation 1: most in flight of one core", "1", blocks.most_of_core);
	bench_row("observation 2: share of time with 16 in flight", "often", blocks.full, "");
	bench_row("observation 3: share of a core's time in requests", "most", blocks.waiting, "");
	bench_row("observation 4: longest wait at the barrier, share", "1/3", blocks.barrier_most,
		  "");
	bench_row("observation 4: mean share of time at the barrier", "", blocks.barrier, "");
	bench_row("observation 5: last to finish starts first, share", "all", blocks.reversed, "");
	bench_row("observation 6: correlation of latency and load", "large", blocks.correlation,
		  "");
	bench_row("observation 7: steps of core 0 to lower addresses", "none", blocks.falling[0],
		  "");
	bench_row("observation 7: steps of core 7 to lower addresses", "all", blocks.falling[1],
		  "");
	return 0;
}

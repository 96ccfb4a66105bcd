/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_fields: what guards, keys and ticks cost the software engine. Each row has two filters that
 * differ in one of these, over the same trace in memory, on one core. Its columns are the speed
 * with it, the speed without it, the ratio of the two, and the ratio to reach.
 *
 * Times are processor time, medians of RUNS. NFACC_SIMD=portable, AVX2 or AVX-512 chooses a SIMD
 * level.
 */
#include <inttypes.h>
#include <string.h>

#include "support/clock.h"
#include "testsuite/bench/measure.h"
#include "testsuite/bench/subject.h"
#include "testsuite/bench/traffic.h"

enum { RUNS = 5 };

#define REQ "cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX"
#define SLOW "filter slow = true* req None(rsp, tick)* None(rsp, notick){11};\n"
#define LETS "let req = Any(" REQ ");\nlet rsp = Any(fpga.MRSP_PEMD, fpga.MRSP_PSHA);\n"
#define PAIR "filter f = true* req None(rsp)* req;\n"

static const char plain[] = LETS PAIR;
static const char guarded[] =
	"let req = Any(cpu.MREQ_RLDD[dmask == 0, rreqid != 3], cpu.MREQ_RLDI[addr in 0..0xfffff],\n"
	"              cpu.MREQ_RLDX[ns == 1]);\n"
	"let rsp = Any(fpga.MRSP_PEMD[dirty & 3 == 1], fpga.MRSP_PSHA[rreqid in 1..20]);\n" PAIR;
static const char lines[] = "substream cl from 0 count 32;\n" LETS PAIR;
static const char values[] = "substream rreqid from 0 count 32;\n" LETS PAIR;
static const char two_ranges[] =
	"substream cl from 0 count 16, from 0x800 count 16;\n" LETS PAIR;
static const char ticks[] = "tick 100;\n" LETS SLOW;
static const char many_ticks[] = "tick 2;\n" LETS SLOW;
static const char million[] = "substream cl from 0 count 1048576;\n" LETS PAIR;
static const char million_ticks[] = "tick 100;\nsubstream cl from 0 count 1048576;\n" LETS SLOW;

static const struct {
	const char *what, *with, *without;
	struct traffic t;
	double target;
} rows[] = {
	{ "guards on the common types, dense", guarded, plain,
	  { NFART_FORMAT_DENSE, 400000, 1, 3, 3, 0, true }, 0.5 },
	{ "guards on the common types, compact", guarded, plain,
	  { NFART_FORMAT_COMPACT, 2000000, 2, 2, 3, 0, true }, 0.5 },
	{ "a field as key in place of lines", values, lines,
	  { NFART_FORMAT_COMPACT, 1000000, 2, 2, 3, 32, true }, 0 },
	{ "two ranges of lines in place of one", two_ranges, lines,
	  { NFART_FORMAT_COMPACT, 1000000, 2, 2, 3, 32, false }, 0 },
	{ "a tick every 40 batches", ticks, plain,
	  { NFART_FORMAT_COMPACT, 2000000, 2, 2, 300, 0, false }, 0 },
	{ "a tick in every batch, and one between", many_ticks, plain,
	  { NFART_FORMAT_COMPACT, 1000000, 2, 2, 300, 0, false }, 0 },
	{ "a million lines, a tick every 40 batches", million_ticks, million,
	  { NFART_FORMAT_COMPACT, 1000000, 2, 2, 100, 1 << 20, false }, 0 },
};

static struct speed bench_measure(const char *text, const struct traffic *t, struct buf *trace)
{
	struct nfart_image *im = subject_compile("bench", text, strlen(text), 1);
	struct subject_options o = { .level = subject_level(), .runs = RUNS };
	struct speed s;

	if (trace->n == 0 && !traffic_make(im, t, trace))
		die("out of memory");
	s = subject_filter(im, trace, &o);
	nfart_image_free(im);
	return s;
}

static void bench_show(const char *what, double with, double without, const char *unit,
		       double target, uint64_t accepted)
{
	char aim[16] = "-";

	if (target > 0)
		snprintf(aim, sizeof aim, "%.2f", target);
	printf("%-46s %8.2f %8.2f %-8s %6.2f %6s   %" PRIu64 "\n", what, with, without, unit,
	       with / without, aim, accepted);
	fflush(stdout);
}

/* Measures filters that see a message, and another one after a gap of so many ticks. Returns how
 * many of these are done in a second. */
static double gaps(const struct nfart_image *im, uint64_t n)
{
	struct nfart_batch b = { .mask = (uint64_t)1 << 6 }; /* cpu@6, opcode 0 */
	double t[RUNS];

	for (int i = 0; i < RUNS; i++) {
		struct nfart_filter_options o = { .simd = subject_level() };
		struct nfart_error e;
		struct nfart_filter *f = nfart_filter_new(im, &o, &e);
		double begin = clock_cpu_seconds();
		b.time = 0;
		for (int k = 0; f != NULL && k < 1000; k++) {
			if (!nfart_filter_put(f, &b))
				die("out of memory");
			b.time += n;
		}
		t[i] = clock_cpu_seconds() - begin;
		nfart_filter_free(f);
	}
	return 1000 / median(t, RUNS);
}

static void gap_row(void)
{
	static const char text[] = "tick 1;\ncounter c = true* tick at 1000003 roll;\n" LETS SLOW
				   "filter p = true* req (tick{97})* rsp;\n"
				   "filter q = true* req (tick{101})* rsp;\nfilter c = @c rsp;\n";
	struct nfart_image *im = subject_compile("bench", text, sizeof text - 1, 1);

	bench_show("gaps of 10^12 ticks, beside gaps of 10^4", gaps(im, 1000000000000) / 1e3,
		   gaps(im, 10000) / 1e3, "k/s", 0, 0);
	nfart_image_free(im);
}

int main(void)
{
	printf("\nguards, keys and ticks, one core, %s instructions, trace in memory;\n"
	       "processor time, medians of %d\n\n%-46s %8s %8s %-8s %6s %6s   %s\n",
	       nfart_simd_name(subject_level()), RUNS, "", "with", "without", "", "ratio", "aim",
	       "accepted");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf trace = { 0 };
		struct speed without = bench_measure(rows[i].without, &rows[i].t, &trace);
		struct speed with = bench_measure(rows[i].with, &rows[i].t, &trace);
		bench_show(rows[i].what, (double)with.messages / with.seconds / 1e6,
			   (double)without.messages / without.seconds / 1e6, "M msg/s",
			   rows[i].target, with.accepted);
		buf_free(&trace);
	}
	gap_row();
	return NFART_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads dense traces from the page cache, through a mapping of the file. The result must be the
 * same as from a copy. It also cuts the file off while it is being read.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/trace/mapped.h"
#include "testsuite/unit/unit.h"

enum { ROWS = 80000, ROW = 8 + 28 * 8 }; /* the rows fill two and a half windows of the mapping */

static struct nfart_mapping mapping;
static volatile sig_atomic_t holes;

static void on_bus(int n, siginfo_t *info, void *context)
{
	(void)context;
	holes++;
	if (!nfart_mapping_fill(&mapping, info->si_addr))
		signal(n, SIG_DFL);
}

/* Writes a trace to a new file and stores in *im the image of a filter for it. Returns the file's
 * size. */
static off_t write_trace(char *name, struct nfart_image **im)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_DENSE };
	struct sigaction bus = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };
	int fd = mkstemp(name);
	FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
	struct nfart_error e;
	struct nfart_writer *w;
	uint64_t state = 1;
	off_t size;

	*im = unit_image("filter f = true* cpu.MREQ_RLDD; window 2; log = all;");
	unit_check(f != NULL && sigaction(SIGBUS, &bus, NULL) == 0);
	w = nfart_writer_new(f, nfart_image_proto(*im), &o, &e);
	unit_check(w != NULL);
	for (uint64_t i = 1; i <= ROWS; i++) {
		struct nfart_batch b = { .time = i, .mask = 1u << unit_below(&state, 28) };
		b.header[__builtin_ctzll(b.mask)] = (uint64_t)unit_below(&state, 9) << 59;
		unit_check(nfart_writer_put(w, &b, NULL));
	}
	unit_check(nfart_writer_close(w, &e) == NFART_OK);
	size = (off_t)ftello(f);
	unit_check(fclose(f) == 0 && size > 2 * MAPPED_WINDOW);
	return size;
}

/* The statistics of reading the file, and a sum over the batches that were output. */
struct outcome {
	struct nfart_reader_stats read;
	uint64_t accepted, output, sum;
};

/* When a file is cut off, and to how many bytes. */
struct cut {
	const char *name;
	/* The file is cut off before the reader is asked for chunk number `chunk`, or when output
	 * number `output` is written. -1: not then. */
	int chunk, output;
	off_t to;
	struct outcome *o;
};

static bool mapped_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct cut *c = ctx;

	c->o->sum = c->o->sum * 31 + b->time * 2 + r->accepted;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		c->o->sum = c->o->sum * 31 + b->header[__builtin_ctzll(m)];
	if (c->output >= 0 && c->output-- == 0)
		unit_check(truncate(c->name, c->to) == 0);
	return true;
}

static void read_file(const struct nfart_image *im, struct cut *c, bool mapped, bool stepwise)
{
	struct nfart_reader_options ro = { .mapping = mapped ? &mapping : NULL };
	struct nfart_filter_options fo = { .sink = mapped_sink, .ctx = c, .stepwise = stepwise };
	struct nfart_error e;
	struct nfart_reader *r = nfart_reader_open(c->name, nfart_image_proto(im), &ro, &e);
	struct nfart_filter *f = nfart_filter_new(im, &fo, &e);
	int got = 1;

	unit_check(r != NULL && f != NULL);
	memset(c->o, 0, sizeof *c->o);
	while (got == 1) {
		if (c->chunk >= 0 && c->chunk-- == 0)
			unit_check(truncate(c->name, c->to) == 0);
		got = nfart_filter_read(f, r, &e);
	}
	unit_eq(got, 0);
	unit_check(nfart_filter_end(f));
	c->o->read = *nfart_reader_stats(r);
	c->o->accepted = nfart_filter_stats(f).accepted;
	c->o->output = nfart_filter_stats(f).output;
	nfart_filter_free(f);
	nfart_reader_free(r);
	unit_check(mapping.begin == 0 && mapping.end == 0);
}

START_TEST(mapped_is_the_same)
{
	char name[] = "mapped-XXXXXX";
	struct nfart_image *im;
	struct outcome copied, seen;
	struct cut c = { name, -1, -1, 0, &copied }, d = { name, -1, -1, 0, &seen };
	off_t size = write_trace(name, &im);

	for (int stepwise = 0; stepwise < 2; stepwise++) {
		read_file(im, &c, false, stepwise != 0);
		read_file(im, &d, true, stepwise != 0);
		unit_eq(copied.read.batches, ROWS);
		unit_eq(seen.read.bytes, (uint64_t)size);
		unit_check(copied.accepted != 0 && memcmp(&copied, &seen, sizeof seen) == 0);
	}
	unit_eq(holes, 0);
	remove(name);
	nfart_image_free(im);
}
END_TEST

/* Cuts the file off before some chunk is read. The new end is before, in or after this chunk, and
 * in the current window of the mapping or in another one. The reader must deliver the batches that
 * it read before, and those that are left in the file. It must report a loss. */
START_TEST(mapped_is_cut_off)
{
	static const int chunks[] = { 0, 3, 120, 130, 200 };
	static const int rows[] = { 0, 10, 700, 1000, 33000, 34000, 36500, 60000, 79000 };
	struct nfart_image *im;
	struct outcome copied, seen;

	for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++)
		for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
			char name[] = "mapped-XXXXXX";
			struct cut c = { name, chunks[i], -1, rows[k] * ROW + 5000, &seen };
			struct cut d = { name, -1, -1, 0, &copied };
			write_trace(name, &im);
			read_file(im, &c, true, false);
			/* This reader copies. It reads what is left of the file. */
			read_file(im, &d, false, false);
			unit_check(seen.read.losses != 0 && seen.read.lost_unknown);
			unit_check(seen.read.batches >= copied.read.batches);
			remove(name);
			nfart_image_free(im);
		}
	unit_check(holes != 0);
}
END_TEST

/* Cuts the file off while rows of a chunk are output. The later rows of the chunk may have become
 * zeros, and a loss is reported. */
START_TEST(mapped_is_cut_off_in_a_chunk)
{
	for (int output = 0; output < 3000; output += 700) {
		char name[] = "mapped-XXXXXX";
		struct nfart_image *im;
		struct outcome seen;
		struct cut c = { name, -1, output, 6000, &seen };
		write_trace(name, &im);
		read_file(im, &c, true, output % 200 != 0);
		unit_check(seen.read.losses != 0 && seen.read.lost_unknown);
		unit_check(seen.read.batches < ROWS);
		remove(name);
		nfart_image_free(im);
	}
}
END_TEST

Suite *suite_mapped(void)
{
	const TTest *const tests[] = { mapped_is_the_same, mapped_is_cut_off,
				       mapped_is_cut_off_in_a_chunk, NULL };

	return unit_suite("mapped", tests);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtl_pauses MODEL.so IMAGE TRACE: how many cycles the simulated engine pauses. The image accepts
 * every batch, and the overlay has shadow. Before each command all batches of the trace go in, so
 * their lines are no longer as a restart leaves them. Prints:
 *
 * - arm: cycles from the one in which the command is at the pins until the record of the first
 *   batch that is taken, where one comes in each cycle, without those that a batch takes by itself;
 * - restart: the same for a batch that comes after the command has been answered;
 * - swap: the same, without a cycle for each word of the image.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "contract/image/image.h"
#include "include/nfart.h"
#include "runtime/device/nfacc_registers.h"
#include "runtime/device/rtl_engine.h"
#include "runtime/trace/batch.h"
#include "support/buf.h"

enum { MOST_WAIT = 100000 };

struct pauses {
	struct rtl_engine *en;
	uint64_t records, time, cycle; /* records since the last probe; the first one's */
};

static void pauses_sink(void *ctx, const struct nfart_batch *b, uint64_t labels)
{
	struct pauses *p = ctx;

	(void)labels;
	if (p->records++ == 0) {
		p->time = b->time;
		p->cycle = rtl_engine_cycles(p->en);
	}
}

/* Gives the batch in this cycle. Its time is the cycle. */
static void pauses_batch(struct pauses *p, struct nfart_batch *b)
{
	b->time = rtl_engine_cycles(p->en);
	rtl_engine_batch(p->en, b);
}

/* Gives one batch, after those before it have left. Returns the cycles until its record is there, 0
 * if none comes. */
static uint64_t pauses_latency(struct pauses *p, struct nfart_batch *b)
{
	p->records = 0;
	pauses_batch(p, b);
	for (uint64_t i = 0; i < MOST_WAIT && p->records == 0; i++)
		rtl_engine_idle(p->en, 1);
	return p->records == 0 || p->time != b->time ? 0 : p->cycle - p->time;
}

/* Gives all batches of the trace, and waits until they have left. *b is the last one then. */
static bool pauses_fill(struct pauses *p, const struct nfart_image *im, const char *trace,
			struct nfart_batch *b)
{
	struct nfart_reader_options from = { .format = NFART_FORMAT_TEXT };
	struct nfart_error e;
	struct nfart_reader *r = nfart_reader_open(trace, im->proto, &from, &e);
	struct nfart_batch next;
	int more = -1;

	while (r != NULL && (more = nfart_reader_next(r, &next, &e)) > 0) {
		*b = next;
		pauses_batch(p, b);
		rtl_engine_idle(p->en, 32); /* a record takes as many cycles as it has words */
	}
	nfart_reader_free(r);
	rtl_engine_idle(p->en, 1000);
	return more == 0;
}

/* Posts a command and runs until it has been answered. Returns the cycle in which it was posted. */
static uint64_t pauses_command(struct pauses *p, uint32_t bit)
{
	uint64_t start = rtl_engine_cycles(p->en);

	rtl_engine_post(p->en, NFACC_REG_CONTROL, bit);
	while (rtl_engine_why(p->en) == NULL && rtl_engine_writing(p->en))
		rtl_engine_idle(p->en, 1);
	return start;
}

static bool pauses_run(struct pauses *p, const struct nfart_image *im, const char *trace)
{
	const uint32_t *halves = im->device.halves;
	size_t n = im->device.n;
	uint64_t alone, start, armed, restarted, swapped;
	struct nfart_batch b = { 0 };
	uint32_t words;

	if (rtl_engine_load(p->en, halves, n) != (int)NFACC_LOAD_OK ||
	    !rtl_engine_command(p->en, NFACC_CONTROL_ARM) || !pauses_fill(p, im, trace, &b))
		return false;
	alone = pauses_latency(p, &b);
	start = pauses_command(p, NFACC_CONTROL_RESTART);
	if (alone == 0 || pauses_latency(p, &b) == 0)
		return false;
	restarted = p->cycle - start - alone;
	if (!pauses_fill(p, im, trace, &b) || !rtl_engine_command(p->en, NFACC_CONTROL_STOP) ||
	    !rtl_engine_wait(p->en, NFACC_STATUS_DONE, NFACC_STATUS_DONE, MOST_WAIT))
		return false;
	p->records = 0;
	start = rtl_engine_cycles(p->en);
	rtl_engine_post(p->en, NFACC_REG_CONTROL, NFACC_CONTROL_ARM);
	for (uint64_t i = 0; i < MOST_WAIT && p->records == 0; i++)
		pauses_batch(p, &b);
	armed = p->cycle - start - alone;
	if (p->records == 0 || !pauses_fill(p, im, trace, &b))
		return false;
	rtl_engine_post_words(p->en, halves, n);
	if (!rtl_engine_wait(p->en, NFACC_STATUS_STAGED, NFACC_STATUS_STAGED, MOST_WAIT) ||
	    !rtl_engine_read(p->en, NFACC_REG_WORDS, &words))
		return false;
	start = pauses_command(p, NFACC_CONTROL_SWAP);
	if (pauses_latency(p, &b) == 0)
		return false;
	swapped = p->cycle - start - alone - words;
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", armed, restarted, swapped);
	return rtl_engine_why(p->en) == NULL;
}

int main(int argc, char **argv)
{
	struct pauses p = { 0 };
	struct rtl_options o = { argc > 1 ? argv[1] : NULL, NULL, NULL, pauses_sink, &p };
	struct nfart_image *im = NULL;
	struct buf file = { 0 };
	struct nfart_error e = { 0 };
	bool ok = false;

	if (argc != 4)
		return NFART_USAGE;
	if (buf_read_file(&file, argv[2], 1 << 26) == 0)
		im = nfart_image_load(file.at, file.n, argv[2], &e);
	if (im != NULL)
		p.en = rtl_engine_open(im->fp.hardware, &o, &e);
	if (p.en != NULL)
		ok = pauses_run(&p, im, argv[3]);
	if (!ok)
		fprintf(stderr, "%s\n", p.en == NULL ? "an input failed" :
			rtl_engine_why(p.en) != NULL ? rtl_engine_why(p.en) : "no record comes");
	rtl_engine_close(p.en);
	nfart_image_free(im);
	buf_free(&file);
	return ok ? 0 : NFART_SYSTEM;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtl_overload MODEL.so IMAGE TRACE: gives the simulated engine a batch of the trace in every cycle,
 * whether or not it can keep up. Prints how many messages came out, how many are counted in loss
 * records, how many such records there are, how often a record's time is below that of the one
 * before it, DROPPED, and STATUS.late.
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

enum { MOST_WAIT = 1000000 };

struct overload {
	uint64_t out, lost, records, falls, last;
};

static void overload_sink(void *ctx, const struct nfart_batch *b, uint64_t labels)
{
	struct overload *n = ctx;

	(void)labels;
	n->out += (uint64_t)__builtin_popcountll(b->mask);
	n->lost += b->lost;
	n->records += batch_is_loss(b);
	n->falls += b->time < n->last;
	n->last = b->time;
}

static bool overload_run(struct rtl_engine *en, const struct nfart_image *im, struct nfart_reader *r,
			 uint32_t *dropped, uint32_t *status)
{
	struct nfart_batch b;
	struct nfart_error e;
	int more;

	if (rtl_engine_load(en, im->device.halves, im->device.n) != (int)NFACC_LOAD_OK ||
	    !rtl_engine_command(en, NFACC_CONTROL_ARM))
		return false;
	while ((more = nfart_reader_next(r, &b, &e)) > 0)
		rtl_engine_batch(en, &b);
	return more == 0 && rtl_engine_command(en, NFACC_CONTROL_STOP) &&
	       rtl_engine_wait(en, NFACC_STATUS_DONE, NFACC_STATUS_DONE, MOST_WAIT) &&
	       rtl_engine_read(en, NFACC_REG_DROPPED_LO, dropped) &&
	       rtl_engine_read(en, NFACC_REG_STATUS, status);
}

int main(int argc, char **argv)
{
	struct overload n = { 0 };
	struct rtl_options o = { argc > 1 ? argv[1] : NULL, NULL, NULL, overload_sink, &n };
	struct nfart_reader_options from = { .format = NFART_FORMAT_TEXT };
	struct nfart_image *im = NULL;
	struct nfart_reader *r = NULL;
	struct rtl_engine *en = NULL;
	struct buf file = { 0 };
	struct nfart_error e = { 0 };
	uint32_t dropped = 0, status = 0;
	bool ok = false;

	if (argc != 4)
		return NFART_USAGE;
	if (buf_read_file(&file, argv[2], 1 << 26) == 0)
		im = nfart_image_load(file.at, file.n, argv[2], &e);
	if (im != NULL)
		r = nfart_reader_open(argv[3], im->proto, &from, &e);
	if (r != NULL)
		en = rtl_engine_open(im->fp.hardware, &o, &e);
	if (en != NULL)
		ok = overload_run(en, im, r, &dropped, &status);
	if (!ok)
		fprintf(stderr, "%s\n", en != NULL ? "the engine failed" : "an input failed");
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %d\n", n.out, n.lost,
	       n.records, n.falls, dropped, (status & NFACC_STATUS_LATE) != 0);
	rtl_engine_close(en);
	nfart_reader_free(r);
	nfart_image_free(im);
	buf_free(&file);
	return ok ? 0 : NFART_SYSTEM;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "include/nfart.h"
#include "testsuite/unit/unit.h"

/* Headers of cpu.MREQ_RLDD and fpga.MRSP_PEMD for the line at this byte address. */
static uint64_t rldd(uint64_t address)
{
	return address;
}

static uint64_t pemd(uint64_t address)
{
	return (uint64_t)10 << 59 | address;
}

enum { RLDD_SLOT = 6, PEMD_SLOT = 14 + 4 };

static struct nfart_batch batch(uint64_t time)
{
	return (struct nfart_batch){ .time = time };
}

static void engine_put(struct nfart_batch *b, uint32_t slot, uint64_t header)
{
	b->mask |= (uint64_t)1 << slot;
	b->header[slot] = header;
}

static struct nfart_engine *engine(const struct nfart_image *im,
				   const struct nfart_engine_options *o)
{
	static const struct nfart_engine_options none;
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(im, o != NULL ? o : &none, &e);

	if (en == NULL)
		unit_fail("%s", e.what);
	return en;
}

/* Runs the engine over a batch of one message. Returns the labels as a mask. */
static uint64_t engine_take(struct nfart_engine *en, uint32_t slot, uint64_t header)
{
	struct nfart_batch b = batch(1);
	struct nfart_result r;

	engine_put(&b, slot, header);
	unit_check(nfart_engine_step(en, &b, &r));
	unit_check(r.accepted == (r.labels[0] != 0));
	return r.labels[0];
}

static void lose(struct nfart_engine *en)
{
	struct nfart_batch b = batch(1);
	struct nfart_result r;

	unit_check(nfart_engine_step(en, &b, &r));
	unit_check(!r.accepted && !r.logged && r.nlines == 0);
}

static const char second[] =
	"protocol eci; filter second = true* MREQ_RLDD None(MRSP_PEMD)* MREQ_RLDD;";

START_TEST(one_copy)
{
	struct nfart_image *im = unit_image(second);
	struct nfart_engine *en = engine(im, NULL);

	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x80)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x100)), 1);
	unit_eq(engine_take(en, PEMD_SLOT, pemd(0x80)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x80)), 0);
	nfart_engine_reset(en);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x80)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x80)), 1);
	nfart_engine_free(en);
	nfart_engine_free(NULL);
	nfart_image_free(im);
	nfart_image_free(NULL);
}
END_TEST

/* Observes as many lines as an address can have. A copy takes memory only when a message of its
 * line comes, so the engine must be cheap. */
START_TEST(lazy_copies)
{
	struct nfart_image *im =
		unit_image("substream cl from 0 count 8589934592;"
			   "filter second = true* MREQ_RLDD None(MRSP_PEMD)* MREQ_RLDD;"
			   "filter first = MREQ_RLDD;");
	struct nfart_engine *en = engine(im, NULL);
	uint64_t seed = 4;

	for (uint64_t i = 0; i < 3000; i++)
		unit_eq(engine_take(en, RLDD_SLOT, rldd((i * 0x12345 % 0x100000000) << 7)), 2);
	for (uint64_t i = 0; i < 3000; i++)
		unit_eq(engine_take(en, RLDD_SLOT, rldd((i * 0x12345 % 0x100000000) << 7)), 1);
	nfart_engine_reset(en);
	for (int i = 0; i < 100; i++) {
		uint64_t line = unit_below(&seed, 3000) * (uint64_t)0x12345 % 0x100000000 << 7;
		if (engine_take(en, PEMD_SLOT, pemd(line)) == 0)
			unit_eq(engine_take(en, RLDD_SLOT, rldd(line)) & 2, 0);
	}
	nfart_engine_free(en);
	nfart_image_free(im);
}
END_TEST

START_TEST(lines_apart)
{
	struct nfart_image *im =
		unit_image("substream cl from 0x80 count 2;"
			   "filter second = true* MREQ_RLDD None(MRSP_PEMD)* MREQ_RLDD;");
	struct nfart_engine *en = engine(im, NULL);

	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x80)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x100)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x180)), 0); /* this line is not observed */
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x180)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0)), 0);
	unit_eq(engine_take(en, PEMD_SLOT, pemd(0x100)), 0);
	/* MREQ_GSYNC has no address. */
	unit_eq(engine_take(en, RLDD_SLOT, (uint64_t)24 << 59 | 0x80), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x80)), 1);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x100)), 0);
	nfart_engine_free(en);
	nfart_image_free(im);
}
END_TEST

/* A copy that has no message in a batch keeps its state. If the copy accepted an earlier batch, it
 * must not accept this batch again. */
START_TEST(lines_of_one_batch)
{
	struct nfart_image *im = unit_image("substream cl from 0x80 count 4; log = MREQ_RLDD;"
					    "filter b = MRSP_PEMD; filter a = true* MREQ_RLDD;");
	struct nfart_engine_options o = { .lines = true };
	struct nfart_engine *en = engine(im, &o);
	struct nfart_batch b = batch(1);
	struct nfart_result r;

	engine_put(&b, PEMD_SLOT, pemd(0x180));
	engine_put(&b, RLDD_SLOT, rldd(0x180));
	engine_put(&b, 7, rldd(0x80));
	engine_put(&b, 14 + 6, rldd(0x100));
	engine_put(&b, 14 + 7, rldd(0x80));
	engine_put(&b, 14 + 5, pemd(0x80));
	engine_put(&b, 5, pemd(0x400));
	unit_check(nfart_engine_step(en, &b, &r));
	unit_check(r.accepted && r.logged && r.by_line);
	unit_eq(r.labels[0], 3);
	unit_eq(r.nlines, 5);
	static const struct nfart_line want[] = {
		{ 0, 0x80 }, { 0, 0x180 }, { 1, 0x80 }, { 1, 0x100 }, { 1, 0x180 }
	};
	for (size_t i = 0; i < 5; i++) {
		unit_eq(r.lines[i].label, want[i].label);
		unit_eq(r.lines[i].address, want[i].address);
	}
	b = batch(2);
	engine_put(&b, RLDD_SLOT, rldd(0x200));
	unit_check(nfart_engine_step(en, &b, &r));
	unit_eq(r.labels[0], 2);
	unit_check(r.logged);
	unit_eq(r.nlines, 1);
	unit_eq(r.lines[0].address, 0x200);
	b = batch(3);
	engine_put(&b, RLDD_SLOT, rldd(0x280));
	unit_check(nfart_engine_step(en, &b, &r));
	unit_check(!r.accepted && !r.logged && r.nlines == 0);
	nfart_engine_free(en);
	nfart_image_free(im);
}
END_TEST

START_TEST(substream_override)
{
	struct nfart_image *im =
		unit_image("substream cl from 0x80 count 1; filter a = true* MREQ_RLDD;");
	struct nfart_engine_options o = { .has_substream = true, .base = 0x1000, .count = 2 };
	struct nfart_engine *en = engine(im, &o);
	struct nfart_error e;

	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x80)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0xf80)), 0);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x1000)), 1);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x1080)), 1);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0x1100)), 0);
	nfart_engine_free(en);
	/* The base is the address of a byte inside a line. The count is so large that the range
	 * ends with the last line that exists. */
	o.base = 0xffffffffff;
	o.count = UINT64_MAX;
	en = engine(im, &o);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0xffffffff80)), 1);
	unit_eq(engine_take(en, RLDD_SLOT, rldd(0xffffffff00)), 0);
	nfart_engine_free(en);
	o.count = 0;
	ck_assert_ptr_null(nfart_engine_new(im, &o, &e));
	unit_eq(e.status, NFART_USAGE);
	nfart_image_free(im);
}
END_TEST

START_TEST(substream_of_an_overlay)
{
	struct nfart_engine_options o = { .has_substream = true, .base = 0x80, .count = 8 };
	struct pipeline_options po;
	struct nfart_image *im;
	struct nfart_error e;
	struct pipeline p;

	pipeline_options_init(&po);
	unit_compile(&p, &po, "substream cl from 0x80 count 1; filter a = true* MREQ_RLDD;");
	im = nfart_image_load(p.job.made.image.at, p.job.made.image.n, "image", &e);
	pipeline_free(&p);
	ck_assert_ptr_nonnull(im);
	nfart_engine_free(engine(im, &o));
	o.count = 9;
	ck_assert_ptr_null(nfart_engine_new(im, &o, &e));
	unit_eq(e.status, NFART_NOFIT);
	nfart_image_free(im);
}
END_TEST

START_TEST(loss)
{
	struct nfart_image *im = unit_image(second);
	struct nfart_engine_options o = { .reset_on_loss = true };
	struct nfart_engine *keep = engine(im, NULL), *reset = engine(im, &o);

	unit_eq(engine_take(keep, RLDD_SLOT, rldd(0)), 0);
	unit_eq(engine_take(reset, RLDD_SLOT, rldd(0)), 0);
	lose(keep);
	lose(reset);
	unit_eq(engine_take(keep, RLDD_SLOT, rldd(0)), 1);
	unit_eq(engine_take(reset, RLDD_SLOT, rldd(0)), 0);
	unit_eq(engine_take(reset, RLDD_SLOT, rldd(0)), 1);
	nfart_engine_free(keep);
	nfart_engine_free(reset);
	nfart_image_free(im);
}
END_TEST

/* A filter with more labels than a word has bits. */
START_TEST(many_labels)
{
	enum { N = 130 };
	struct buf text = { 0 };
	struct nfart_image *im;
	struct nfart_engine *en;
	struct nfart_batch b = batch(1);
	struct nfart_result r;

	buf_addf(&text, "protocol bytes;");
	for (int i = 0; i < N; i++)
		buf_addf(&text, "filter f%d = true* #%d;", i, i);
	im = unit_image(text.at);
	en = engine(im, NULL);
	unit_eq(nfart_image_nlabels(im), N);
	ck_assert_str_eq(nfart_image_labels(im)[N - 1], "f129");
	for (uint32_t i = 0; i < N; i++) {
		engine_put(&b, 0, i);
		unit_check(nfart_engine_step(en, &b, &r));
		unit_eq(r.nlabels, N);
		for (uint32_t k = 0; k < N; k++)
			unit_check((r.labels[k / 64] >> k % 64 & 1) == (k == i));
	}
	nfart_engine_free(en);
	nfart_image_free(im);
	buf_free(&text);
}
END_TEST

Suite *suite_engine(void)
{
	const TTest *const tests[] = { one_copy,
				       lazy_copies,
				       lines_apart,
				       lines_of_one_batch,
				       substream_override,
				       substream_of_an_overlay,
				       loss,
				       many_labels,
				       NULL };

	return unit_suite("engine", tests);
}

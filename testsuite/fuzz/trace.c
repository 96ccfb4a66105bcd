/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <string.h>

#include "contract/proto/proto.h"
#include "grammar/describe/builtin.h"
#include "runtime/trace/reader.h"
#include "testsuite/fuzz/fuzz.h"

enum { MOST = 200 }; /* the most records that are kept, to be written */

struct records {
	size_t n;
	struct nfart_batch at[MOST];
};

const struct nfart_proto *fuzz_proto(const char *name)
{
	static struct {
		const char *name;
		struct nfart_proto *p;
	} known[4];
	size_t i = 0;

	while (known[i].name != NULL && strcmp(known[i].name, name) != 0)
		i++;
	if (known[i].name == NULL) {
		known[i].name = name;
		known[i].p = proto_builtin(name);
		fuzz_expect(known[i].p != NULL);
	}
	return known[i].p;
}

/* Checks that this can be a record of a trace. */
static void check_record(const struct nfart_proto *p, const struct nfart_batch *b)
{
	fuzz_expect(p->nslots == 64 || b->mask >> p->nslots == 0);
	for (uint64_t m = b->mask; m != 0; m &= m - 1) {
		uint64_t header = b->header[__builtin_ctzll(m)];
		fuzz_expect((header & ~proto_header_mask(p)) == 0);
		fuzz_expect((int32_t)proto_opcode(p, header) != p->header.idle);
	}
}

/* A trace while it is read. */
struct reading {
	const struct nfart_proto *p;
	struct records *out; /* the first MOST records */
	bool any, any_batch;
	uint64_t last, last_batch, batches, sum; /* `sum` is a hash of all records */
};

static bool trace_take(void *ctx, const struct nfart_batch *b)
{
	struct reading *x = ctx;

	check_record(x->p, b);
	fuzz_expect(!x->any || b->time >= x->last);
	fuzz_expect(b->mask == 0 || !x->any_batch || b->time > x->last_batch);
	x->any = true;
	x->last = b->time;
	x->sum = (x->sum ^ b->time ^ b->mask << 1) * 0x9e3779b97f4a7c15u;
	x->sum += b->mask == 0 ? b->lost : b->header[__builtin_ctzll(b->mask)] ^ b->damaged;
	for (uint64_t m = b->payload_words != 0 ? b->mask : 0; m != 0; m &= m - 1) {
		const uint64_t *p = nfart_batch_payload(b, (uint32_t)__builtin_ctzll(m));
		for (uint32_t i = 0; i < b->payload_words; i++)
			x->sum = (x->sum ^ p[i]) * 0x9e3779b97f4a7c15u;
	}
	if (b->mask != 0) {
		x->any_batch = true;
		x->last_batch = b->time;
		x->batches++;
	}
	if (x->out->n < MOST)
		x->out->at[x->out->n++] = *b;
	return true;
}

/* Reads to the end or to an error, record by record or, with `each`, by reader_each(). With `must`,
 * an error is a fault. Returns a hash of what was read and how it ended. */
static uint64_t read_by(bool each, const void *data, size_t n, const struct nfart_proto *p,
			const struct nfart_reader_options *o, struct records *out, bool must)
{
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_reader *r = nfart_reader_memory(data, n, "fuzz", p, o, &e);
	struct reading x = { .p = p, .out = out };
	struct nfart_batch b;
	int got = r == NULL ? -1 : 1;

	out->n = 0;
	if (each && r != NULL)
		got = reader_each(r, trace_take, &x, &e);
	while (got > 0 && (got = nfart_reader_next(r, &b, &e)) > 0)
		trace_take(&x, &b);
	fuzz_expect(got == 0 || e.status != NFART_OK);
	fuzz_expect(got == 0 || !must);
	if (r != NULL) {
		const struct nfart_reader_stats *stats = nfart_reader_stats(r);
		fuzz_expect(stats->batches == x.batches);
		x.sum += stats->messages + stats->losses * 3 + stats->lost * 5 +
			 stats->bad_chunks * 7 + stats->damaged * 11;
	}
	nfart_reader_free(r);
	return x.sum ^ (uint64_t)(int64_t)got;
}

/* Reads in both ways, which must give the same, and keeps the first MOST records in *out. */
static void read_all(const void *data, size_t n, const struct nfart_proto *p,
		     const struct nfart_reader_options *o, struct records *out, bool must)
{
	uint64_t sum = read_by(true, data, n, p, o, out, must);

	fuzz_expect(read_by(false, data, n, p, o, out, must) == sum);
}

static bool trace_same(const struct nfart_batch *x, const struct nfart_batch *y)
{
	if (x->time != y->time || x->mask != y->mask || (x->mask == 0 && x->lost != y->lost))
		return false;
	for (uint64_t m = x->mask; m != 0; m &= m - 1)
		if (x->header[__builtin_ctzll(m)] != y->header[__builtin_ctzll(m)])
			return false;
	return true;
}

/* Makes *o the options for the middle of a trace. False: it has none. */
static bool middle(const struct records *all, struct nfart_reader_options *o)
{
	if (all->n < 3)
		return false;
	o->begin = all->at[all->n / 3].time;
	o->end = all->at[2 * all->n / 3].time;
	return o->begin < o->end;
}

/* Reads the middle of a trace: nothing else may come. */
static void check_part(const void *data, size_t n, const struct nfart_proto *p,
		       const struct nfart_reader_options *o, const struct records *all)
{
	static struct records part;
	struct nfart_reader_options po = *o;

	if (!middle(all, &po))
		return;
	read_all(data, n, p, &po, &part, false);
	for (size_t i = 0; i < part.n; i++)
		fuzz_expect(part.at[i].time >= po.begin && part.at[i].time < po.end);
}

static void check_written(const struct nfart_proto *p, enum nfart_format format,
			  const struct records *all)
{
	static struct records again;
	struct nfart_writer_options wo = { .format = format };
	struct nfart_reader_options ro = { .format = format };
	struct nfart_error e;
	struct nfart_writer *w;
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	fuzz_expect(f != NULL);
	w = nfart_writer_new(f, p, &wo, &e);
	fuzz_expect(w != NULL);
	for (size_t i = 0; i < all->n; i++)
		fuzz_expect(nfart_writer_put(w, &all->at[i], NULL));
	fuzz_expect(nfart_writer_close(w, &e) == NFART_OK);
	fclose(f);
	read_all(text, n, p, &ro, &again, true);
	fuzz_expect(again.n == all->n);
	for (size_t i = 0; i < all->n; i++)
		fuzz_expect(trace_same(&all->at[i], &again.at[i]));
	if (middle(all, &ro)) {
		size_t found = 0;
		read_all(text, n, p, &ro, &again, true);
		for (size_t i = 0; i < all->n; i++)
			if (all->at[i].time >= ro.begin && all->at[i].time < ro.end)
				fuzz_expect(found < again.n &&
					    trace_same(&all->at[i], &again.at[found++]));
		fuzz_expect(found == again.n);
	}
	free(text);
}

void fuzz_trace(const void *data, size_t n, const char *proto, const struct nfart_reader_options *o)
{
	static struct records all;
	const struct nfart_proto *p = fuzz_proto(proto);

	read_all(data, n, p, o, &all, false);
	check_part(data, n, p, o, &all);
	check_written(p, NFART_FORMAT_TEXT, &all);
	check_written(p, NFART_FORMAT_COMPACT, &all);
	if (p->header.idle != PROTO_NO_IDLE)
		check_written(p, NFART_FORMAT_DENSE, &all);
}

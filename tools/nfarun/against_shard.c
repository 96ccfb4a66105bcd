/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/against_shard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contract/proto/proto.h"
#include "runtime/ask/asked_file.h"

enum { SIDES = 2 };

/* ---- which shard of which traces ---- */

/* Makes *size, *crc and *chunks what identifies a trace (runtime/run/shard.h, Note [which trace]).
 * If k is not NULL, fills it in for the trace. False: *e says why. */
static bool identify(const struct against_side *a, uint64_t *size, uint64_t *crc, uint64_t *chunks,
		     struct asked_key *k, uint64_t number, uint64_t total, struct nfart_error *e)
{
	struct nfart_reader *r = nfart_reader_open(a->trace, a->p, &a->o->reader, e);
	struct asked_key other = { { 0 } };
	bool ok = r != NULL && asked_key_fill(k != NULL ? k : &other, r, number, total, e);

	if (ok) {
		*size = (k != NULL ? k : &other)->word[ASKED_AT_TRACE_SIZE];
		*crc = (k != NULL ? k : &other)->word[ASKED_AT_TRACE_CRC];
		ok = shard_chunks_crc(r, 0, UINT64_MAX, chunks);
		if (!ok)
			nfart_fail(e, NFART_SYSTEM, "the trace can't be read");
	}
	if (r != NULL && !ok && a->trace != NULL)
		snprintf(e->file, sizeof e->file, "%s", a->trace);
	nfart_reader_free(r);
	return ok;
}

/* Fills in the key of a shard of the comparison; chunks[K] becomes the checksum of the headers of
 * trace K's chunks. False: *e says why. */
static bool against_key(const struct against_side side[SIDES], uint64_t number, uint64_t total,
			struct asked_key *k, uint64_t chunks[SIDES], struct nfart_error *e)
{
	const struct nfarun_ask *q = &side[0].o->ask;
	uint64_t size, crc;

	*k = (struct asked_key){ { 0 } };
	k->word[ASKED_AT_QUESTION] = (uint64_t)q->question | (uint64_t)q->by << 8;
	k->word[ASKED_AT_PERIOD] = q->period;
	return identify(&side[0], &k->word[ASKED_AT_OTHER_SIZE], &k->word[ASKED_AT_OTHER_CRC],
			&chunks[0], NULL, number, total, e) &&
	       identify(&side[1], &size, &crc, &chunks[1], k, number, total, e);
}

/* ---- writing ---- */

/* Writes what a trace was summed up to. False: memory is short, or f failed. */
static bool write_side(struct asked_writer *w, uint64_t number, const struct against_side *a)
{
	struct blocks_place at = blocks_place(a->blocks);
	uint64_t record[ASKED_SIDE_WORDS] = { number, at.length, at.filled, at.at };
	long series = against_dividend(a->rows.n);
	struct buf b = { 0 };
	bool ok;

	shard_add_stats(&b, &a->stats);
	for (int i = 0; i < SHARD_STATS && !b.failed; i++)
		record[4 + i] = get_le64((const unsigned char *)b.at + 8 * (size_t)i);
	ok = !b.failed && asked_put(w, ASKED_SIDE, record);
	buf_free(&b);
	for (size_t i = 0; i < a->rows.n && ok; i++) {
		const struct against_row *r = &a->rows.at[i];
		ok = asked_put(w, ASKED_ROW,
			       (const uint64_t[]){ r->rule,
						   r->request | (uint64_t)r->answer << 32 });
	}
	for (long s = 0; s < series; s++)
		for (size_t i = 0; i <= at.at && ok; i++) {
			double sum = blocks_get(a->blocks, s, i);
			uint64_t bits;
			memcpy(&bits, &sum, sizeof bits);
			ok = sum == 0 ||
			     asked_put(w, ASKED_SUM,
				       (const uint64_t[]){ (uint64_t)s | (uint64_t)i << 32, bits });
		}
	return ok;
}

/* ---- reading ---- */

/* Takes the records of a shard. */
struct side_taker {
	struct against_side *side; /* [SIDES] */
	struct against_side *now;  /* the latest one; NULL: none came */
	uint64_t number, total;    /* of the shard */
	bool has[SIDES], failed;   /* failed: memory was short */
};

static bool is_in(uint64_t side, uint64_t number, uint64_t total)
{
	return side % total == number;
}

/* Returns what the end of a shard keeps of the checksums of its traces' chunks. */
static uint64_t chunks_of(uint64_t number, uint64_t total, const uint64_t chunks[SIDES])
{
	uint64_t both = 0;

	for (uint64_t i = 0; i < SIDES; i++)
		both |= is_in(i, number, total) ? chunks[i] << 32 * i : 0;
	return both;
}

static bool take_side(struct side_taker *t, const uint64_t *w)
{
	struct blocks_place at = { w[1], w[2], w[3] };

	if (w[0] >= SIDES || !is_in(w[0], t->number, t->total) || t->has[w[0]])
		return false;
	t->has[w[0]] = true;
	t->now = &t->side[w[0]];
	shard_take_stats(w + 4, &t->now->stats);
	return blocks_enter(t->now->blocks, &at);
}

/* Can the comparison have such a row? */
static bool row_can_be(const struct against_side *a, const struct against_row *r)
{
	const struct nfarun_ask *q = &a->o->ask;
	const struct proto_names *names = &a->p->names;
	uint32_t most = 0;

	if (q->question == ASK_RATE)
		return r->rule <= 2 && r->request == 0 && r->answer == 0;
	if (q->question == ASK_COUNT) {
		most = q->by == BY_GROUP ? names->ngroups
					 : names->ntypes + (1u << a->p->header.op_bits);
		return r->rule == 0 && r->request < most && r->answer == 0;
	}
	if (q->question == ASK_LATENCY && (q->by == BY_TYPE || q->by == BY_GROUP))
		most = q->by == BY_TYPE ? names->ntypes : names->ngroups;
	return r->rule < names->npairs && r->request <= most && r->answer <= most;
}

static bool take_row(struct side_taker *t, const uint64_t *w)
{
	struct against_row r = { (uint32_t)w[0], (uint32_t)w[1], (uint32_t)(w[1] >> 32) };
	size_t before = t->now != NULL ? t->now->rows.n : 0;

	if (t->now == NULL || w[0] > UINT32_MAX || !row_can_be(t->now, &r))
		return false;
	against_row(t->now, &r);
	t->failed |= t->now->failed;
	return t->now->rows.n == before + 1;
}

static bool take_sum(struct side_taker *t, const uint64_t *w)
{
	uint64_t series = w[0] & UINT32_MAX, block = w[0] >> 32;
	double sum;

	memcpy(&sum, &w[1], sizeof sum);
	if (t->now == NULL || series >= (uint64_t)against_dividend(t->now->rows.n) ||
	    block > blocks_place(t->now->blocks).at || !isfinite(sum) || sum < 0)
		return false;
	blocks_set(t->now->blocks, (long)series, (size_t)block, sum);
	return true;
}

static bool take_record(void *ctx, enum asked_kind kind, const uint64_t *w)
{
	return kind == ASKED_SIDE  ? take_side(ctx, w)
	       : kind == ASKED_ROW ? take_row(ctx, w)
	       : kind == ASKED_SUM ? take_sum(ctx, w)
				   : false;
}

/* Takes the file of a shard, which was opened. False: *e says why. */
static bool take_file(struct side_taker *t, FILE *f, const char *name, struct asked_end *end,
		      struct nfart_error *e)
{
	bool ok = asked_each(f, name, take_record, t, end, e);

	for (uint64_t k = 0; k < SIDES && ok; k++)
		if (is_in(k, t->number, t->total) && !t->has[k]) {
			nfart_fail(e, NFART_INPUT, "a trace is missing in this shard");
			snprintf(e->file, sizeof e->file, "%s", name);
			ok = false;
		}
	if (t->failed)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	return ok && !t->failed;
}

/* ---- a shard ---- */

/* Is the output the file of the shard already, with this key and of these chunks? */
static bool is_done(const struct against_side side[SIDES], const struct asked_key *k,
		    uint64_t chunks)
{
	const struct nfarun_options *o = side[0].o;
	struct against_side there[SIDES];
	struct side_taker t = { .side = there, .number = o->shards.shard, .total = o->shards.n };
	struct asked_end end;
	struct nfart_error e;
	uint64_t number;
	FILE *f = NULL;
	bool ok = true;

	for (int i = 0; i < SIDES; i++)
		ok = against_open(&there[i], o, side[i].stop, side[i].p, side[i].trace) && ok;
	ok = ok && asked_open(&f, o->output.out, k, &number, &e) && number == o->shards.shard &&
	     take_file(&t, f, o->output.out, &end, &e) && end.chunks_crc == chunks;
	if (f != NULL)
		fclose(f);
	against_close(&there[0]);
	against_close(&there[1]);
	return ok;
}

enum nfart_status against_shard_run(struct against_side side[SIDES], FILE *f, bool *done,
				    struct nfart_error *e)
{
	const struct nfarun_shards *s = &side[0].o->shards;
	struct asked_writer *w = calloc(1, sizeof *w);
	struct asked_end end = { .empty = true };
	enum nfart_status status = NFART_OK;
	uint64_t chunks[SIDES];
	struct asked_key k;
	bool ok = w != NULL;

	if (!ok)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	ok = ok && against_key(side, s->shard, s->n, &k, chunks, e);
	end.chunks_crc = ok ? chunks_of(s->shard, s->n, chunks) : 0;
	*done = ok && s->resume && is_done(side, &k, end.chunks_crc);
	if (ok && !*done)
		asked_begin(w, f, &k);
	for (uint64_t i = 0; i < SIDES && ok && !*done && status == NFART_OK; i++) {
		struct against_side *a = &side[i];
		if (!is_in(i, s->shard, s->n))
			continue;
		against_read(a);
		if (*a->stop != 0)
			status = NFART_PARTIAL;
		else if (a->code != NFART_OK && a->code != NFART_PARTIAL)
			status = (*e = a->error).status;
		else if (!write_side(w, i, a))
			status = nfart_fail(e, NFART_SYSTEM,
					    "out of memory, or the output can't be written");
	}
	if (ok && !*done && status == NFART_OK && !asked_finish(w, &end))
		status = nfart_fail(e, NFART_SYSTEM,
				    "out of memory, or the output can't be written");
	free(w);
	return ok ? status : e->status;
}

/* ---- merging ---- */

enum nfart_status against_shard_merge(struct against_side side[SIDES], struct nfart_error *e)
{
	const struct nfarun_shards *s = &side[0].o->shards;
	bool *seen = calloc(s->nfiles, sizeof *seen), ok = seen != NULL;
	uint64_t chunks[SIDES], number;
	struct asked_end end;
	struct asked_key k;

	if (!ok)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	ok = ok && against_key(side, 0, s->nfiles, &k, chunks, e);
	for (uint32_t i = 0; i < s->nfiles && ok; i++) {
		struct side_taker t = { .side = side, .total = s->nfiles };
		FILE *f;
		ok = asked_open(&f, s->files[i], &k, &number, e);
		if (ok && seen[number]) {
			nfart_fail(e, NFART_INPUT, "this shard is here already");
			snprintf(e->file, sizeof e->file, "%s", s->files[i]);
			ok = false;
		}
		t.number = number;
		ok = ok && take_file(&t, f, s->files[i], &end, e);
		if (ok && end.chunks_crc != chunks_of(number, s->nfiles, chunks)) {
			nfart_fail(e, NFART_INPUT, "a trace was changed since this shard was made");
			snprintf(e->file, sizeof e->file, "%s", s->files[i]);
			ok = false;
		}
		if (ok)
			seen[number] = true;
		if (f != NULL)
			fclose(f);
	}
	for (int i = 0; i < SIDES; i++)
		side[i].code = side[i].stats.bad_chunks != 0 ? NFART_PARTIAL : NFART_OK;
	free(seen);
	return ok ? NFART_OK : e->status;
}

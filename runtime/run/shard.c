/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Runs a shard, and merges all shards of a run (shard.h, Note [shards]).
 */
#include "runtime/run/shard.h"

#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"

static bool by_line(const struct run *r)
{
	return r->image->substreams.by_line || r->engine.has_substream;
}

static bool has_time(const struct run *r)
{
	return r->image->alphabet.time != IMAGE_NO_TIME;
}

static size_t piece_bytes(const struct run *r)
{
	return r->how.piece_bytes != 0 ? r->how.piece_bytes : RUN_PIECE;
}

/* ---- the key ---- */

bool shard_key(const struct run *r, uint64_t number, uint64_t total, struct shard_key *k,
	       struct nfart_error *e)
{
	const struct nfart_engine_options *o = &r->engine;
	unsigned char bytes[SHARD_AT_CRC * 8];

	memset(k, 0, sizeof *k);
	if (run_follows(r)) {
		nfart_fail(e, NFART_USAGE, "the image has rules that an engine follows, and what "
			   "it knows of them is not in a shard");
		return false;
	}
	if (!shard_trace_crc(r->reader, &k->word[SHARD_AT_TRACE_CRC])) {
		nfart_fail(e, NFART_USAGE,
			   "shards are of a compact or dense trace in a file, with its index");
		return false;
	}
	memcpy(&k->word[SHARD_AT_MAGIC], SHARD_MAGIC, 8);
	k->word[SHARD_AT_MAGIC] = get_le64((const unsigned char *)&k->word[SHARD_AT_MAGIC]);
	k->word[SHARD_AT_VERSION] = SHARD_VERSION;
	k->word[SHARD_AT_NUMBER] = number;
	k->word[SHARD_AT_TOTAL] = total;
	k->word[SHARD_AT_IMAGE_SIZE] = r->image->file.n;
	k->word[SHARD_AT_IMAGE_CRC] = crc32c(0, r->image->file.bytes, r->image->file.n);
	k->word[SHARD_AT_TRACE_SIZE] = r->reader->in.size;
	k->word[SHARD_AT_OPTIONS] = (uint64_t)(o->lines | o->reset_on_loss << 1 |
					       o->has_substream << 2 | r->reader->o.strict << 3 |
					       by_line(r) << 4 | o->keep_on_loss << 5);
	k->word[SHARD_AT_BASE] = o->has_substream ? o->base : 0;
	k->word[SHARD_AT_COUNT] = o->has_substream ? o->count : 0;
	k->word[SHARD_AT_PIECE] = piece_bytes(r);
	for (int i = 0; i < SHARD_AT_CRC; i++)
		put_le64(bytes + 8 * i, k->word[i]);
	k->word[SHARD_AT_CRC] = crc32c(0, bytes, sizeof bytes);
	return true;
}

/* Do both keys belong to shards of one run? They may differ in the shard's number. */
static bool same_run(const struct shard_key *a, const struct shard_key *b)
{
	for (int i = 0; i < SHARD_AT_CRC; i++)
		if (i != SHARD_AT_NUMBER && a->word[i] != b->word[i])
			return false;
	return true;
}

/* ---- is a shard done already? ---- */

/* Computes the checksum of the chunks that shard `number` of `total` is made from. False: it can't
 * be computed. */
static bool chunks_crc(const struct run *r, uint64_t number, uint64_t total, uint64_t *crc)
{
	struct trace_index ix = { 0 };
	struct trace_border first;
	uint64_t from = 0, until = UINT64_MAX;

	if (!by_line(r)) {
		if (!trace_index_open(&ix, r->reader)) {
			trace_index_close(&ix);
			return false;
		}
		reader_border(r->reader, &first);
		from = shard_target(first.offset, ix.end, number, total);
		until = shard_target(first.offset, ix.end, number + 1, total);
		trace_index_close(&ix);
	}
	return shard_chunks_crc(r->reader, from, until, crc);
}

bool shard_done(const struct run *r, const char *name, uint64_t number, uint64_t total)
{
	struct shard_file s = { 0 };
	struct shard_key k;
	struct nfart_error e;
	uint64_t crc;
	int got = -1;

	if (shard_key(r, number, total, &k, &e) && shard_open(&s, name, &e) &&
	    memcmp(&s.key, &k, sizeof k) == 0)
		do
			got = shard_next(&s, &e);
		while (got == 1);
	if (got == 0 && (!chunks_crc(r, number, total, &crc) || crc != s.chunks_crc))
		got = -1;
	shard_close(&s);
	return got == 0;
}

/* ---- running a shard ---- */

struct shard_runner {
	struct run *r;
	struct trace_index index;
	struct nfart_reader *reader;
	struct nfart_filter *decoder; /* NULL: pieces are not decoded */
	struct piece_runner runner;
	struct piece piece;
	uint64_t until; /* the offset at which the shard ends */
	uint64_t chunks_crc;
	bool line; /* there are substreams: a shard is a share of the lines */
};

/* Finds where shard `number` of `total` begins and ends. Puts the border where it begins into the
 * piece's `exit`, because the first piece continues from there. Puts the offset where it ends into
 * x->until. False: the shard is empty. */
static bool find_shard(struct shard_runner *x, uint64_t number, uint64_t total)
{
	struct trace_border *entry = &x->piece.source.exit;
	uint64_t end, offset = 0;

	reader_border(x->r->reader, entry);
	x->until = UINT64_MAX;
	x->r->work.combined = true;
	x->r->work.stats.size = x->index.end - entry->offset;
	if (x->line)
		return true;
	if (!shard_part(x->r->reader, number, total, entry, &x->until))
		return false;
	/* The index goes on behind the place where the shard begins. */
	while (number != 0 && offset < entry->offset && trace_index_next(&x->index, &offset))
		continue;
	end = x->until < x->index.end ? x->until : x->index.end;
	x->r->work.stats.size = end > entry->offset ? end - entry->offset : 0;
	return true;
}

/* Reads and runs the next piece, which begins where the current one ended. False: *e says why. */
static bool run_piece(struct shard_runner *x, struct nfart_error *e)
{
	struct piece *p = &x->piece;
	uint64_t offset;
	bool ok;

	p->source.entry = p->source.exit;
	p->source.until = x->until;
	while (trace_index_next(&x->index, &offset))
		if (offset >= p->source.entry.offset + piece_bytes(x->r)) {
			p->source.until = offset < x->until ? offset : x->until;
			break;
		}
	piece_fill(p, x->reader, x->decoder);
	if (p->status != NFART_OK) {
		*e = p->error;
		return false;
	}
	if (x->line) {
		ok = runner_run_share(&x->runner, p);
	} else {
		ok = piece_state_copy(&p->guess, &p->last) && runner_run(&x->runner, p);
	}
	if (!ok)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	return ok;
}

static enum nfart_status run_pieces(struct shard_runner *x, FILE *f, struct nfart_error *e)
{
	uint64_t pieces = 0;

	do {
		if (*x->r->stop != 0)
			return NFART_PARTIAL;
		if (!run_piece(x, e))
			return e->status;
		if (!shard_write_piece(f, x->r->image, &x->piece, x->runner.share))
			return NFART_SYSTEM;
		pieces++;
		x->r->work.stats.batches += x->piece.stats.batches;
		x->r->work.stats.bytes += x->piece.stats.bytes;
		if (x->r->progress != NULL)
			x->r->progress(x->r->progress_ctx, x->r);
	} while (x->piece.source.rest || x->piece.source.until < x->until);
	return shard_write_end(f, pieces, x->chunks_crc) ? NFART_OK : NFART_SYSTEM;
}

enum nfart_status shard_run(struct run *r, uint64_t number, uint64_t total, FILE *f,
			    struct nfart_error *e)
{
	struct shard_runner x = { .r = r, .line = by_line(r) };
	enum nfart_status status = NFART_SYSTEM;
	struct shard_key k;

	memset(e, 0, sizeof *e);
	if (!shard_key(r, number, total, &k, e))
		return e->status;
	combiner_setup_runner(r, &x.runner, x.line ? (uint32_t)number : 0,
			      x.line ? (uint32_t)total : 1);
	x.runner.decoded = true;
	x.reader = reader_another(r->reader);
	if (x.reader == NULL || !piece_init(&x.piece, x.runner.shares, piece_bytes(r)) ||
	    !decoded_init(&x.piece.records.decoded, x.line ? (uint32_t)total : 0, (uint32_t)number,
			  1) ||
	    !trace_index_open(&x.index, r->reader)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	} else if (!chunks_crc(r, number, total, &x.chunks_crc)) {
		nfart_fail(e, NFART_SYSTEM, "the trace can't be read");
	} else if (runner_open(&x.runner, e) && runner_decoder(&x.runner, &x.decoder, e) &&
		   shard_write_key(f, &k)) {
		if (!has_time(r) && find_shard(&x, number, total))
			status = run_pieces(&x, f, e);
		else
			status = shard_write_end(f, 0, x.chunks_crc) ? NFART_OK : NFART_SYSTEM;
	} else if (e->what[0] != 0) {
		status = e->status;
	}
	if (status == NFART_SYSTEM && e->what[0] == 0)
		nfart_fail(e, NFART_SYSTEM, "out of memory, or the output can't be written");
	runner_close(&x.runner);
	piece_free(&x.piece);
	nfart_reader_free(x.reader);
	nfart_filter_free(x.decoder);
	trace_index_close(&x.index);
	return status;
}

/* ---- merging ---- */

struct merger {
	struct run *r;
	struct combiner combiner;
	struct shard_file *file; /* [total]: the file of each shard, by number */
	uint32_t total;
	bool line; /* there are substreams: a shard is a share of the lines */
	struct nfart_reader *reader;
	struct nfart_filter *decoder; /* NULL: pieces are not decoded */
	/* `piece` is the current piece; `whole` is for reading all of its records. */
	struct piece piece, whole;
	struct trace_border border; /* the true border before the next piece */
	uint64_t batches;
};

static bool shard_fail(const struct shard_file *s, struct nfart_error *e, const char *what)
{
	nfart_fail(e, NFART_INPUT, "%s", what);
	snprintf(e->file, sizeof e->file, "%s", s->name);
	return false;
}

static bool open_files(struct merger *m, const char *const *names, struct nfart_error *e)
{
	struct shard_key k;

	if (!shard_key(m->r, 0, m->total, &k, e))
		return false;
	for (uint32_t i = 0; i < m->total; i++) {
		struct shard_file s;
		uint64_t number;
		bool ok = shard_open(&s, names[i], e);
		if (ok && !same_run(&s.key, &k))
			ok = shard_fail(&s, e,
					"a shard of another image, trace, number of shards or "
					"other options");
		number = ok ? s.key.word[SHARD_AT_NUMBER] : 0;
		if (ok && (number >= m->total || m->file[number].f != NULL))
			ok = shard_fail(&s, e, "this shard is here already");
		if (!ok) {
			shard_close(&s);
			return false;
		}
		m->file[number] = s;
	}
	return true;
}

static bool same_border(const struct trace_border *a, const struct trace_border *b)
{
	const struct trace_clock *x = &a->clock, *y = &b->clock;

	return a->offset == b->offset && a->sequence == b->sequence && a->closed == b->closed &&
	       a->scanning == b->scanning && a->vague == b->vague && x->any == y->any &&
	       x->after_loss == y->after_loss && x->any_batch == y->any_batch &&
	       x->last == y->last && x->last_batch == y->last_batch;
}

/* Reads all records of the current piece from the trace, since the shard's file has only those that
 * were noted. False: *e says why. */
static bool read_whole(struct merger *m, const struct shard_file *s, struct nfart_error *e)
{
	struct piece *p = &m->piece, *q = &m->whole;

	q->source.entry = m->border;
	q->source.until = p->source.until;
	piece_fill(q, m->reader, m->decoder);
	if (q->status != NFART_OK) {
		*e = q->error;
		return false;
	}
	if (piece_end(q).n != piece_end(p).n)
		return shard_fail(s, e, "the trace is not the one that was run");
	piece_swap_records(p, q);
	return true;
}

/* Corrects the current piece if its shard had a wrong border or state, and reads its records where
 * combining needs all of them. False: *e says why, or memory ran out. */
static bool correct(struct merger *m, const struct shard_file *s, struct nfart_error *e)
{
	struct piece *p = &m->piece;
	struct run *r = m->r;
	size_t found = 0;

	p->before = m->batches;
	if (!same_border(&m->border, &p->source.entry) &&
	    (p->source.entry.clock.any ||
	     !trace_border_follows(&m->border, &p->source.entry, &p->source.exit))) {
		if (m->line)
			return shard_fail(s, e, "the trace is not the one that was run");
		p->source.entry = m->border;
		/* combiner_add() reports an error of reading */
		piece_fill(p, m->reader, m->decoder);
		return piece_state_copy(&p->guess, &m->combiner.truth) &&
		       runner_run(&m->combiner.runner, p);
	}
	for (uint32_t i = 0; i < p->shares; i++)
		found += p->found[i].words.n / PIECE_ENTRY;
	if ((!m->line && !piece_state_same(&m->combiner.truth, &p->guess)) ||
	    (r->image->stream.limit != 0 &&
	     r->result.output + found + r->image->window.before >= r->image->stream.limit))
		return read_whole(m, s, e);
	return true;
}

static bool same_stats(const struct nfart_reader_stats *a, const struct nfart_reader_stats *b)
{
	return a->batches == b->batches && a->messages == b->messages && a->losses == b->losses &&
	       a->lost == b->lost && a->bad_chunks == b->bad_chunks && a->damaged == b->damaged;
}

/* Takes the next piece from the n files from number `first` on, each of which has a share of the
 * piece. Returns 1; 0 at the end; -1 if *e says why. */
static int take_piece(struct merger *m, uint32_t first, uint32_t n, struct nfart_error *e)
{
	struct piece *p = &m->piece;
	struct nfart_reader_stats stats = { 0 };
	struct trace_border entry = { 0 }, exit = { 0 };
	int got = 0;

	piece_clear(p);
	for (uint32_t i = 0; i < n; i++) {
		struct shard_file *s = &m->file[first + i];
		int more = shard_next(s, e);
		if (more < 0)
			return -1;
		if (i != 0 && more != got) {
			shard_fail(s, e, "the shards have not as many sections");
			return -1;
		}
		got = more;
		if (got == 0)
			continue;
		if (!shard_take_piece(s, m->r->image, p, i, e))
			return -1;
		if (i != 0 && (!same_stats(&stats, &p->stats) ||
			       !same_border(&entry, &p->source.entry) ||
			       !same_border(&exit, &p->source.exit))) {
			shard_fail(s, e, "the shards are not of one trace");
			return -1;
		}
		stats = p->stats;
		entry = p->source.entry;
		exit = p->source.exit;
	}
	return got;
}

static enum nfart_status merge_files(struct merger *m, uint32_t first, uint32_t n,
				     struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;
	struct run *r = m->r;
	int got;

	while (status == NFART_OK && !run_finished(r) && (got = take_piece(m, first, n, e)) != 0) {
		if (got < 0)
			return e->status;
		if (*r->stop != 0) {
			r->result.interrupted = true;
			return NFART_OK;
		}
		if (!m->line && !runner_fits(&m->combiner.runner, &m->piece.last)) {
			shard_fail(&m->file[first], e, "a state that can't be");
			return e->status;
		}
		if (!correct(m, &m->file[first], e))
			return e->what[0] != 0 ? e->status : NFART_SYSTEM;
		m->border = m->piece.source.exit;
		m->batches += m->piece.stats.batches;
		status = combiner_add(&m->combiner, &m->piece, e);
		if (r->progress != NULL)
			r->progress(r->progress_ctx, r);
	}
	return status;
}

/* Runs one more piece after the last one of all files. It is needed where the last piece was filled
 * again from another border and stopped early. */
static enum nfart_status merge_rest(struct merger *m, struct nfart_error *e)
{
	struct piece *p = &m->piece;

	p->source.entry = m->border;
	p->source.until = UINT64_MAX;
	piece_fill(p, m->reader, m->decoder);
	p->before = m->batches;
	if (!piece_state_copy(&p->guess, &m->combiner.truth) || !runner_run(&m->combiner.runner, p))
		return NFART_SYSTEM;
	m->border = p->source.exit;
	m->batches += p->stats.batches;
	return combiner_add(&m->combiner, p, e);
}

static enum nfart_status shard_join(struct merger *m, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;
	struct run *r = m->r;

	reader_border(r->reader, &m->border);
	if (m->line)
		status = merge_files(m, 0, m->total, e);
	for (uint32_t i = 0;
	     !m->line && i < m->total && status == NFART_OK && !r->result.interrupted; i++)
		status = merge_files(m, i, 1, e);
	while (status == NFART_OK && m->piece.source.rest && !r->result.interrupted &&
	       !run_finished(r))
		status = merge_rest(m, e);
	if (status == NFART_OK && !run_window_end(r))
		status = NFART_SYSTEM;
	return status;
}

enum nfart_status shard_merge(struct run *r, const char *const *names, uint32_t n,
			      struct nfart_error *e)
{
	struct merger m = { .r = r, .total = n, .line = by_line(r) };
	uint32_t shares = m.line ? n : 1;
	enum nfart_status status = NFART_SYSTEM;

	if (!run_begin(r, e))
		return e->status;
	r->work.combined = true;
	r->work.stats.size = nfart_reader_stats(r->reader)->size;
	m.file = calloc(n, sizeof *m.file);
	m.reader = reader_another(r->reader);
	if (m.file == NULL || m.reader == NULL || !piece_init(&m.piece, shares, piece_bytes(r)) ||
	    !piece_init(&m.whole, 1, piece_bytes(r)) ||
	    !decoded_init(&m.piece.records.decoded, m.line ? shares : 0, 0, 0) ||
	    !decoded_init(&m.whole.records.decoded, m.line ? shares : 0, 0, 0))
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else if (!combiner_open(&m.combiner, r, m.line, true, shares, e) ||
		 !runner_decoder(&m.combiner.runner, &m.decoder, e) || !open_files(&m, names, e) ||
		 !run_window_open(r, r->image, e))
		status = e->status;
	else if (!has_time(r))
		status = shard_join(&m, e);
	else
		status = NFART_OK;
	for (uint32_t i = 0; m.file != NULL && i < n; i++)
		shard_close(&m.file[i]);
	free(m.file);
	combiner_close(&m.combiner);
	piece_free(&m.piece);
	piece_free(&m.whole);
	nfart_reader_free(m.reader);
	nfart_filter_free(m.decoder);
	if (status == NFART_OK && has_time(r)) {
		r->work.combined = false;
		return run_end(r, run_loop(r, e), e);
	}
	return run_end(r, status, e);
}

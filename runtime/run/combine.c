/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/run/combine.h"

#include <stdlib.h>
#include <string.h>

void join_stepper(const struct run *r, struct stepper *s, uint32_t part, uint32_t parts)
{
	const struct nfart_image *a = r->image, *b = r->second;

	memset(s, 0, sizeof *s);
	s->image[0] = a;
	s->image[1] = b;
	s->o = r->engine;
	s->swap_at = b != NULL ? r->swap_at : 0;
	s->part = part;
	s->parts = parts;
	/* A batch may be logged on lines of several parts, and count once. */
	s->keep_logged = parts > 1 || a->window != 0 || a->limit != 0 ||
			 (b != NULL && (b->window != 0 || b->limit != 0));
}

bool join_open(struct join *j, struct run *r, bool by_line, bool decoded, uint32_t parts,
	       struct nfart_error *e)
{
	memset(j, 0, sizeof *j);
	j->r = r;
	j->by_line = by_line;
	join_stepper(r, &j->stepper, 0, 1);
	j->stepper.decoded = decoded;
	j->cursor = calloc(parts, sizeof *j->cursor);
	j->labels = calloc(bits_words(r->nlabels) + 1, 8);
	if (j->cursor == NULL || j->labels == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return false;
	}
	return step_open(&j->stepper, e);
}

void join_close(struct join *j)
{
	step_close(&j->stepper);
	engine_state_free(&j->truth.engine);
	vec_free(&j->repaired.words);
	vec_free(&j->lines);
	free(j->cursor);
	free(j->labels);
}

/* ---- one record ---- */

static int by_label(const void *x, const void *y)
{
	const struct nfart_line *a = x, *b = y;

	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

/* Adds the entry at the cursor, which goes behind it, to *res. */
static bool add_entry(struct join *j, struct join_cursor *c, size_t lw, struct nfart_result *res)
{
	const uint64_t *w = c->found->words.at + c->at;
	size_t nlines = w[ENTRY_WHAT] >> 8;

	res->accepted |= (w[ENTRY_WHAT] & ENTRY_ACCEPTED) != 0;
	res->logged |= (w[ENTRY_WHAT] & ENTRY_LOGGED) != 0;
	for (size_t i = 0; i < lw; i++)
		j->labels[i] |= w[PIECE_ENTRY + i];
	w += PIECE_ENTRY + lw;
	for (size_t i = 0; i < nlines; i++) {
		struct nfart_line l = { (uint32_t)w[2 * i], w[2 * i + 1] };
		if (!vec_push(&j->lines, l))
			return false;
	}
	c->at += PIECE_ENTRY + lw + 2 * nlines;
	return true;
}

/* The next record that has an entry: the offset of it, and the entry's ENTRY_WHAT; false: no more. */
static bool next_entry(const struct join *j, size_t n, size_t *offset, uint64_t *what)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct join_cursor *c = &j->cursor[i];
		const uint64_t *w = c->found->words.at + c->at;
		if (c->at == c->end || (any && w[ENTRY_OFFSET] >= *offset))
			continue;
		any = true;
		*offset = w[ENTRY_OFFSET];
		*what = w[ENTRY_WHAT];
	}
	return any;
}

static bool join_record(struct join *j, struct piece *p, size_t n, size_t *offset, bool second)
{
	struct run *r = j->r;
	const struct nfart_image *im = second ? r->second : r->image;
	size_t lw = bits_words(im->nlabels), at = *offset;
	struct nfart_result res = { .labels = j->labels, .nlabels = im->nlabels };
	struct nfart_batch b;

	memset(j->labels, 0, lw * 8);
	j->lines.n = 0;
	for (size_t i = 0; i < n; i++) {
		struct join_cursor *c = &j->cursor[i];
		if (c->at < c->end && c->found->words.at[c->at + ENTRY_OFFSET] == at &&
		    !add_entry(j, c, lw, &res))
			return false;
	}
	if (n > 1 && j->lines.n > 1)
		qsort(j->lines.at, j->lines.n, sizeof *j->lines.at, by_label);
	res.lines = j->lines.at;
	res.nlines = j->lines.n;
	res.by_line = r->engine.lines && (im->by_line || r->engine.has_substream);
	piece_record(p, offset, &b);
	r->stats.losses += b.mask == 0;
	return run_record(r, &b, &res);
}

/* ---- a piece ---- */

/* Passes on what the first n cursors have, in order. `begin` is before the piece. */
static bool join_entries(struct join *j, struct piece *p, size_t n,
			 const struct nfart_reader_stats *begin, struct nfart_error *e)
{
	struct run *r = j->r;
	size_t offset = 0;
	uint64_t what = 0;

	while (next_entry(j, n, &offset, &what)) {
		bool second = (what & ENTRY_SECOND) != 0;
		if (second && !r->swapped && !run_swap(r, e))
			return false;
		if (!join_record(j, p, n, &offset, second))
			return false;
		if (run_finished(r)) {
			r->stats = *begin;
			piece_count(p, offset, &r->stats);
			return true;
		}
	}
	return true;
}

static bool join_by_line(struct join *j, struct piece *p, const struct nfart_reader_stats *begin,
			 struct nfart_error *e)
{
	for (uint32_t i = 0; i < p->parts; i++) {
		j->r->logged += p->found[i].logged;
		j->cursor[i] = (struct join_cursor){ &p->found[i], 0, p->found[i].words.n };
	}
	return join_entries(j, p, p->parts, begin, e);
}

static bool join_by_time(struct join *j, struct piece *p, const struct nfart_reader_stats *begin,
			 struct nfart_error *e)
{
	const struct piece_found *f = &p->found[0];
	size_t from = 0;
	uint32_t mark;

	j->r->logged += f->logged;
	if (!piece_state_same(&j->truth, &p->guess)) {
		if (!step_repair(&j->stepper, p, &j->truth, &j->repaired, &mark))
			return false;
		from = mark < p->nmarks ? p->marks[mark].found : f->words.n;
		j->r->logged -= mark < p->nmarks ? p->marks[mark].logged : f->logged;
		j->r->logged += j->repaired.logged;
		j->cursor[0] = (struct join_cursor){ &j->repaired, 0, j->repaired.words.n };
		if (!join_entries(j, p, 1, begin, e))
			return false;
	}
	if (!run_finished(j->r)) {
		j->cursor[0] = (struct join_cursor){ f, from, f->words.n };
		if (!join_entries(j, p, 1, begin, e))
			return false;
	}
	return piece_state_copy(&j->truth, &p->last);
}

static void add_stats(struct nfart_reader_stats *s, const struct nfart_reader_stats *x)
{
	s->batches += x->batches;
	s->messages += x->messages;
	s->losses += x->losses;
	s->lost += x->lost;
	s->lost_unknown |= x->lost_unknown;
	s->damaged += x->damaged;
	s->bad_chunks += x->bad_chunks;
	s->bytes += x->bytes;
}

enum nfart_status join_piece(struct join *j, struct piece *p, struct nfart_error *e)
{
	struct run *r = j->r;
	struct nfart_reader_stats begin = r->stats;

	if (p->failed || !(j->by_line ? join_by_line(j, p, &begin, e) :
						  join_by_time(j, p, &begin, e)))
		return NFART_SYSTEM;
	if (run_finished(r))
		return NFART_OK;
	if (r->second != NULL && !r->swapped && p->before + p->stats.batches >= r->swap_at &&
	    !run_swap(r, e))
		return e->status;
	r->stats = begin;
	add_stats(&r->stats, &p->stats);
	if (p->status != NFART_OK)
		*e = p->error;
	return p->status;
}

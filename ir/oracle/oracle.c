/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/oracle/oracle.h"

#include "ir/oracle/oracle_copy.h"

struct run {
	const struct oracle_source *source;
	const struct nfart_proto *proto;
	const struct nfart_batch *batches;
	size_t n;
	uint64_t first_line, nlines, limit;
	size_t label_words;
	struct oracle_record *out; /* [n]: the result */
};

/* ---- copies (nfacc-filter(5), Substreams) --------------------------------------------------- */

/* Does some copy see the message in `slot` of b? If so, *line is that copy: the index of its line,
 * or 0 if there is only one copy. */
static bool copy_of(const struct run *r, const struct nfart_batch *b, uint32_t slot, uint64_t *line)
{
	const struct nfart_proto *proto = r->proto;

	*line = 0;
	if ((b->mask >> slot & 1) == 0)
		return false;
	if (!r->source->by_line)
		return true;
	if (!bits_get(proto->has_addr, proto_code(proto, slot, b->header[slot])))
		return false;
	*line = proto_line(proto, b->header[slot]);
	return *line >= r->first_line && *line - r->first_line < r->nlines;
}

/* Returns a mask of the slots of b whose messages copy `line` sees. */
static uint64_t slots_of_copy(const struct run *r, const struct nfart_batch *b, uint64_t line)
{
	uint64_t slots = 0, of;

	for (uint32_t slot = 0; slot < r->proto->nslots; slot++)
		if (copy_of(r, b, slot, &of) && of == line)
			slots |= (uint64_t)1 << slot;
	return slots;
}

static bool add_line(struct oracle_record *x, uint32_t label, uint64_t address)
{
	struct nfart_line *lines = realloc(x->lines, (x->nlines + 1) * sizeof *lines);

	if (lines == NULL)
		return false;
	x->lines = lines;
	lines[x->nlines++] = (struct nfart_line){ label, address };
	return true;
}

/* Adds to record x the labels and the log mark that copy `line` gives it. False: out of memory. */
static bool report(const struct run *r, struct oracle_record *x, uint64_t line,
		   const uint64_t *labels, bool logged)
{
	size_t n = r->source->nlabels;

	x->logged = x->logged || logged;
	for (size_t l = bits_next(labels, n, 0); l < n; l = bits_next(labels, n, l + 1)) {
		bits_set(x->labels, l);
		if (r->source->by_line &&
		    !add_line(x, (uint32_t)l, line << r->proto->line_shift))
			return false;
	}
	return true;
}

/* Runs the records [begin, end) through copy `line`, from its start states on. False: out of
 * memory. */
static bool run_copy(const struct run *r, size_t begin, size_t end, uint64_t line)
{
	struct arena arena = { NULL, 0, 0 };
	size_t n = 0, most = end - begin;
	struct oracle_sight *seen = arena_array(&arena, most, sizeof *seen);
	uint64_t *labels = arena_array(&arena, most, r->label_words * sizeof *labels);
	bool *logged = arena_array(&arena, most, sizeof *logged);
	bool ok = seen != NULL && labels != NULL && logged != NULL;

	for (size_t i = begin; ok && i < end; i++) {
		uint64_t slots = slots_of_copy(r, &r->batches[i], line);

		if (slots != 0)
			seen[n++] = (struct oracle_sight){ &r->batches[i], slots };
	}
	ok = ok && oracle_copy_run(r->source, seen, n, labels, r->label_words, logged);
	for (size_t i = 0; ok && i < n; i++)
		ok = report(r, &r->out[seen[i].batch - r->batches], line,
			    labels + i * r->label_words, logged[i]);
	arena_free(&arena);
	return ok;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Runs the records [begin, end) through every copy that sees some of their messages. False: out of
 * memory. */
static bool run_piece(const struct run *r, size_t begin, size_t end)
{
	VEC(uint64_t) lines = { NULL, 0, 0 };
	bool ok = true;
	uint64_t line;

	for (size_t i = begin; ok && i < end; i++)
		for (uint32_t slot = 0; ok && slot < r->proto->nslots; slot++)
			if (copy_of(r, &r->batches[i], slot, &line))
				ok = vec_push(&lines, line);
	if (lines.n != 0)
		qsort(lines.at, lines.n, sizeof *lines.at, by_value);
	for (size_t i = 0; ok && i < lines.n; i++)
		if (i == 0 || lines.at[i] != lines.at[i - 1])
			ok = run_copy(r, begin, end, lines.at[i]);
	vec_free(&lines);
	return ok;
}

/* ---- window and limit (nfacc-filter(5)) ----------------------------------------------------- */

static bool is_accepted(const struct run *r, size_t i)
{
	return bits_any(r->out[i].labels, r->label_words);
}

/* Walks from record i, in steps of 1 or -1, to the next accepted batch. Returns whether there is
 * one and at most window - 1 logged batches lie between it and record i. */
static bool near_accepted(const struct run *r, size_t i, int step)
{
	uint64_t between = 0;

	/* A step below 0 makes i huge, and ends the loop, too. */
	for (i += (size_t)step; i < r->n; i += (size_t)step) {
		if (is_accepted(r, i))
			return between < r->source->window;
		between += r->out[i].logged;
	}
	return false;
}

static void decide_output(const struct run *r)
{
	uint64_t limit = r->limit, done = 0;

	for (size_t i = 0; i < r->n && (limit == 0 || done < limit); i++) {
		struct oracle_record *x = &r->out[i];

		if (r->batches[i].mask == 0) {
			x->output = true;
			continue;
		}
		x->output = is_accepted(r, i) ||
			    (x->logged && (near_accepted(r, i, -1) || near_accepted(r, i, 1)));
		done += x->output;
	}
}

/* ---- the run -------------------------------------------------------------------------------- */

static int by_label(const void *a, const void *b)
{
	const struct nfart_line *x = a, *y = b;

	if (x->label != y->label)
		return x->label < y->label ? -1 : 1;
	return (x->address > y->address) - (x->address < y->address);
}

static bool run_all(const struct run *r, bool reset_on_loss)
{
	size_t begin = 0;
	bool ok = true;

	for (size_t i = 0; i < r->n; i++) {
		r->out[i].labels = calloc(r->label_words + 1, sizeof(uint64_t));
		if (r->out[i].labels == NULL)
			return false;
	}
	for (size_t i = 0; reset_on_loss && ok && i < r->n; i++)
		if (r->batches[i].mask == 0) {
			ok = run_piece(r, begin, i);
			begin = i;
		}
	if (!ok || !run_piece(r, begin, r->n))
		return false;
	for (size_t i = 0; i < r->n; i++)
		if (r->out[i].nlines != 0)
			qsort(r->out[i].lines, r->out[i].nlines, sizeof *r->out[i].lines, by_label);
	decide_output(r);
	return true;
}

/* Does the work of oracle_run(), after `s` was filled in from the tree. */
static enum nfart_status run_source(const struct oracle_source *s, const struct nfart_batch *b,
				    size_t n, const struct oracle_options *o,
				    struct oracle_record **out)
{
	struct run r = { .source = s, .proto = s->ast->proto, .batches = b, .n = n,
			 .first_line = s->first_line, .nlines = s->nlines, .limit = s->limit,
			 .label_words = bits_words(s->nlabels) };

	if (o != NULL && o->no_limit)
		r.limit = 0;
	if (o != NULL && o->has_substream) {
		if (!s->by_line || o->nlines == 0)
			return NFART_USAGE;
		r.first_line = o->first_line;
		r.nlines = o->nlines;
	}
	r.out = calloc(n + 1, sizeof *r.out);
	if (r.out == NULL)
		return NFART_SYSTEM;
	if (!run_all(&r, o != NULL && o->reset_on_loss)) {
		oracle_free(r.out, n);
		return NFART_SYSTEM;
	}
	*out = r.out;
	return NFART_OK;
}

enum nfart_status oracle_run(const struct ast *a, const struct nfart_batch *b, size_t n,
			     const struct oracle_options *o, struct oracle_record **out)
{
	struct oracle_source s;
	enum nfart_status status;

	*out = NULL;
	if (!oracle_source_init(&s, a))
		return NFART_SYSTEM;
	status = run_source(&s, b, n, o, out);
	oracle_source_free(&s);
	return status;
}

void oracle_free(struct oracle_record *out, size_t n)
{
	if (out == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		free(out[i].labels);
		free(out[i].lines);
	}
	free(out);
}

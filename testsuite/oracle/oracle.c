/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/oracle/oracle.h"

#include "testsuite/oracle/oracle_copy.h"

enum { MOST_COPIES = 1 << 16, MOST_TICKS = 1 << 16 };

/* A range of copies: one for each line, or value of a field, first … first + count - 1. */
struct range {
	uint64_t first, count;
};

struct run {
	const struct oracle_source *source;
	const struct nfart_proto *proto;
	const struct nfart_batch *batches;
	size_t n;
	size_t begin;                /* the copies were in their start states before this record */
	struct range *ranges;        /* [nranges]: in the order of the source */
	size_t nranges;              /* 0: there is one copy */
	uint64_t limit;
	size_t label_words;
	struct oracle_record *out;   /* [n]: the result */
	enum nfart_status status;
};

static bool is_loss(const struct nfart_batch *b)
{
	return b->mask == 0 && b->when == 0;
}

/* ---- copies (nfacc-filter(5), Substreams) --------------------------------------------------- */

/* Finds the place of a line or value among all copies. False: no copy is for it. */
static bool place_of(const struct run *r, uint64_t value, uint64_t *place)
{
	*place = 0;
	for (size_t i = 0; i < r->nranges; i++) {
		const struct range *x = &r->ranges[i];
		if (value >= x->first && value - x->first < x->count) {
			*place += value - x->first;
			return true;
		}
		*place += x->count;
	}
	return false;
}

/* The inverse of place_of(). */
static uint64_t value_at(const struct run *r, uint64_t place)
{
	size_t i = 0;

	for (; place >= r->ranges[i].count; i++)
		place -= r->ranges[i].count;
	return r->ranges[i].first + place;
}

/* Finds the line, or the value of the key, of a message. False: it has none. */
static bool key_of(const struct run *r, uint32_t code, uint64_t header, uint64_t *value)
{
	const struct proto_place *at;

	if (r->source->key == PROTO_ADDR) {
		*value = proto_line(r->proto, header);
		return bits_get(r->proto->codes.has_addr, code);
	}
	at = proto_field_place(r->proto, r->source->key, code);
	if (at == NULL)
		return false;
	*value = header >> at->lsb & (((uint64_t)1 << at->bits) - 1);
	return true;
}

/* Which copies see the message in `slot` of b? ONE: the one in place *place. */
enum who { NOBODY, ONE, EVERYBODY };

static enum who copy_of(const struct run *r, const struct nfart_batch *b, uint32_t slot,
			uint64_t *place);

/* Returns the highest slot of b whose message is in `set` and has this number at `lsb`; -1: none. */
static int slot_with_number(const struct run *r, const struct nfart_batch *b, const uint64_t *set,
			    uint32_t lsb, uint64_t number, uint64_t mask)
{
	int slot = (int)r->proto->nslots - 1;

	while (slot >= 0 &&
	       ((b->mask >> slot & 1) == 0 ||
		!bits_get(set, proto_code(r->proto, (uint32_t)slot, b->header[slot])) ||
		(b->header[slot] >> lsb & mask) != number))
		slot--;
	return slot;
}

/* Finds the copy of an answer of a join (nfacc-protocol(5)): looks for its request, from the batch
 * before it back to the start states. */
static enum who joined_copy(const struct run *r, const struct nfart_batch *b, uint32_t slot,
			    uint64_t *place)
{
	uint32_t code = proto_code(r->proto, slot, b->header[slot]), i = 0;
	const struct proto_join *j;
	uint64_t mask, number;

	while (i < r->proto->joins.n && !bits_get(r->proto->joins.at[i].answers, code))
		i++;
	if (i == r->proto->joins.n)
		return NOBODY;
	j = &r->proto->joins.at[i];
	mask = ((uint64_t)1 << j->bits) - 1;
	number = b->header[slot] >> j->answer_lsb & mask;
	while (b-- > r->batches + r->begin) {
		int request = slot_with_number(r, b, j->requests, j->request_lsb, number, mask);
		if (request >= 0)
			return copy_of(r, b, (uint32_t)request, place);
		if (slot_with_number(r, b, j->answers, j->answer_lsb, number, mask) >= 0)
			return NOBODY;
	}
	return NOBODY;
}

static enum who copy_of(const struct run *r, const struct nfart_batch *b, uint32_t slot,
			uint64_t *place)
{
	uint32_t code = proto_code(r->proto, slot, b->header[slot]);
	uint64_t value;

	*place = 0;
	if ((b->mask >> slot & 1) == 0)
		return NOBODY;
	if (r->nranges == 0)
		return ONE;
	if (bits_get(r->proto->codes.broadcast, code))
		return EVERYBODY;
	if (key_of(r, code, b->header[slot], &value))
		return place_of(r, value, place) ? ONE : NOBODY;
	return joined_copy(r, b, slot, place);
}

/* Returns a mask of the slots of b whose messages the copy in this place sees. */
static uint64_t slots_of_copy(const struct run *r, const struct nfart_batch *b, uint64_t place)
{
	uint64_t slots = 0, of;

	for (uint32_t slot = 0; slot < r->proto->nslots; slot++) {
		enum who who = copy_of(r, b, slot, &of);
		if (who == EVERYBODY || (who == ONE && of == place))
			slots |= (uint64_t)1 << slot;
	}
	return slots;
}

static bool add_line(struct oracle_record *x, uint32_t label, uint64_t place)
{
	struct nfart_line *lines = realloc(x->lines, (x->nlines + 1) * sizeof *lines);

	if (lines == NULL)
		return false;
	x->lines = lines;
	lines[x->nlines++] = (struct nfart_line){ label, place };
	return true;
}

/* Adds to record x the labels and the log mark that a copy gives it. False: out of memory. */
static bool oracle_report(const struct run *r, struct oracle_record *x, uint64_t place,
			  const uint64_t *labels, bool logged)
{
	size_t n = r->source->nlabels + r->source->noutputs;

	x->logged = x->logged || logged;
	for (size_t l = bits_next(labels, n, 0); l < n; l = bits_next(labels, n, l + 1)) {
		bits_set(x->labels, l);
		x->accepted = x->accepted || l < r->source->nlabels;
		if (r->nranges != 0 && !add_line(x, (uint32_t)l, place))
			return false;
	}
	return true;
}

/* Runs the records [begin, end) through the copy in a place, from its start states on. False: out
 * of memory. */
static bool run_copy(const struct run *r, size_t begin, size_t end, uint64_t place)
{
	struct arena arena = { NULL, 0, 0 };
	size_t n = 0, most = end - begin;
	struct oracle_sight *seen = arena_array(&arena, most, sizeof *seen);
	uint64_t *labels = arena_array(&arena, most, r->label_words * sizeof *labels);
	bool *logged = arena_array(&arena, most, sizeof *logged);
	bool ok = seen != NULL && labels != NULL && logged != NULL;

	for (size_t i = begin; ok && i < end; i++) {
		uint64_t slots = slots_of_copy(r, &r->batches[i], place);

		if (slots != 0 || r->batches[i].when != 0)
			seen[n++] = (struct oracle_sight){ &r->batches[i], slots };
	}
	ok = ok && oracle_copy_run(r->source, seen, n, labels, r->label_words, logged);
	for (size_t i = 0; ok && i < n; i++)
		ok = oracle_report(r, &r->out[seen[i].batch - r->batches], place,
				   labels + i * r->label_words, logged[i]);
	arena_free(&arena);
	return ok;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns how many copies there are, or MOST_COPIES + 1 if there are more. */
static uint64_t count_copies(const struct run *r)
{
	uint64_t n = r->nranges == 0;

	for (size_t i = 0; i < r->nranges && n <= MOST_COPIES; i++)
		n = r->ranges[i].count > MOST_COPIES ? MOST_COPIES + 1 : n + r->ranges[i].count;
	return n <= MOST_COPIES ? n : MOST_COPIES + 1;
}

/* Does every copy see something of the records [begin, end)? */
static bool all_see(const struct run *r, size_t begin, size_t end)
{
	uint64_t place;

	for (size_t i = begin; i < end; i++) {
		if (r->batches[i].when != 0)
			return true;
		for (uint32_t slot = 0; slot < r->proto->nslots; slot++)
			if (copy_of(r, &r->batches[i], slot, &place) == EVERYBODY)
				return true;
	}
	return false;
}

/* Runs the records [begin, end) through every copy that sees something of them. False: see
 * r->status. */
static bool run_piece(struct run *r, size_t begin, size_t end)
{
	VEC(uint64_t) places = { NULL, 0, 0 };
	uint64_t place, copies = count_copies(r);
	bool ok = true, all;

	r->begin = begin;
	all = all_see(r, begin, end);
	if (all && copies > MOST_COPIES) {
		r->status = NFART_GAVEUP;
		return false;
	}
	for (uint64_t k = 0; all && ok && k < copies; k++)
		ok = run_copy(r, begin, end, k);
	for (size_t i = begin; !all && ok && i < end; i++)
		for (uint32_t slot = 0; ok && slot < r->proto->nslots; slot++)
			if (copy_of(r, &r->batches[i], slot, &place) == ONE)
				ok = vec_push(&places, place);
	if (places.n != 0)
		qsort(places.at, places.n, sizeof *places.at, by_value);
	for (size_t i = 0; ok && i < places.n; i++)
		if (i == 0 || places.at[i] != places.at[i - 1])
			ok = run_copy(r, begin, end, places.at[i]);
	vec_free(&places);
	return ok;
}

/* ---- window and limit (nfacc-filter(5)) ----------------------------------------------------- */

static bool is_accepted(const struct run *r, size_t i)
{
	return r->out[i].accepted;
}

/* Walks from record i, in steps of 1 or -1, to the next accepted batch. Returns whether there is
 * one and at most window - 1 logged batches lie between it and record i. */
static bool near_accepted(const struct run *r, size_t i, int step, uint64_t window)
{
	uint64_t between = 0;

	/* A step below 0 makes i huge, and ends the loop, too. */
	for (i += (size_t)step; i < r->n; i += (size_t)step) {
		if (is_accepted(r, i))
			return between < window;
		between += r->out[i].logged;
	}
	return false;
}

static void decide_output(const struct run *r)
{
	uint64_t limit = r->limit, done = 0;

	for (size_t i = 0; i < r->n && (limit == 0 || done < limit); i++) {
		struct oracle_record *x = &r->out[i];

		if (is_loss(&r->batches[i])) {
			x->output = true;
			continue;
		}
		x->output = is_accepted(r, i) ||
			    (x->logged && (near_accepted(r, i, -1, r->source->after) ||
					   near_accepted(r, i, 1, r->source->before)));
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

/* Sorts the pairs of a record, and puts the line or value in the place of its place. */
static void finish_lines(const struct run *r, struct oracle_record *x)
{
	bool lines = r->source->key == PROTO_ADDR;

	if (x->nlines != 0)
		qsort(x->lines, x->nlines, sizeof *x->lines, by_label);
	for (size_t i = 0; i < x->nlines; i++)
		x->lines[i].address = value_at(r, x->lines[i].address)
				      << (lines ? r->proto->header.line_shift : 0);
}

static bool run_all(struct run *r, bool reset_on_loss)
{
	size_t begin = 0;
	bool ok = true;

	for (size_t i = 0; i < r->n; i++) {
		r->out[i].labels = calloc(r->label_words + 1, sizeof(uint64_t));
		if (r->out[i].labels == NULL)
			return false;
	}
	for (size_t i = 0; reset_on_loss && ok && i < r->n; i++)
		if (is_loss(&r->batches[i])) {
			ok = run_piece(r, begin, i);
			begin = i;
		}
	if (!ok || !run_piece(r, begin, r->n))
		return false;
	for (size_t i = 0; i < r->n; i++)
		finish_lines(r, &r->out[i]);
	decide_output(r);
	return true;
}

/* Fills in the ranges: those of the source, or the one of the options. False: out of memory. */
static bool set_ranges(struct run *r, const struct oracle_options *o)
{
	const struct oracle_source *s = r->source;
	uint32_t shift = s->key == PROTO_ADDR ? s->ast->proto->header.line_shift : 0;

	r->nranges = s->nranges;
	r->ranges = calloc(r->nranges + 1, sizeof *r->ranges);
	if (r->ranges == NULL)
		return false;
	for (size_t i = 0; i < r->nranges; i++)
		r->ranges[i] = (struct range){ s->ranges[i].first.value >> shift,
					       s->ranges[i].count.value };
	if (o != NULL && o->has_substream) {
		r->nranges = 1;
		r->ranges[0] = (struct range){ o->first, o->count };
	}
	return true;
}

/* Does the work of oracle_run(), after `s` was filled in from the tree. */
static enum nfart_status run_source(const struct oracle_source *s, const struct nfart_batch *b,
				    size_t n, const struct oracle_options *o,
				    struct oracle_record **out)
{
	struct run r = { .source = s,
			 .proto = s->ast->proto,
			 .batches = b,
			 .n = n,
			 .limit = o != NULL && o->no_limit ? 0 : s->limit,
			 .label_words = bits_words(s->nlabels + s->noutputs),
			 .status = NFART_SYSTEM };
	bool ok;

	if (o != NULL && o->has_substream && (s->nranges == 0 || o->count == 0))
		return NFART_USAGE;
	r.out = calloc(n + 1, sizeof *r.out);
	ok = r.out != NULL && set_ranges(&r, o) && run_all(&r, o != NULL && o->reset_on_loss);
	free(r.ranges);
	if (!ok) {
		oracle_free(r.out, n);
		return r.status;
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

/* ---- time (nfacc-filter(5)) ------------------------------------------------------------------ */

/* The ticks that are still to come: at `next`, and every `step` from there on, up to `last`. */
struct ticks {
	uint64_t next, step, last;
	bool any;
};

static bool is_due(const struct ticks *t)
{
	return t->any && t->next <= t->last;
}

static void oracle_advance(struct ticks *t)
{
	t->any = t->next <= UINT64_MAX - t->step;
	t->next += t->step;
}

/* Appends the ticks before `time` as batches of their own. */
static enum nfart_status put_ticks(struct oracle_stream *out, struct ticks *t, uint64_t time)
{
	for (size_t n = 0; is_due(t) && t->next < time; n++, oracle_advance(t)) {
		struct nfart_batch b = { .time = t->next, .when = NFART_TICK };
		if (n == MOST_TICKS)
			return NFART_GAVEUP;
		if (!vec_push(out, b))
			return NFART_SYSTEM;
	}
	return NFART_OK;
}

/* Appends a record after the ticks before it. A batch takes the tick of its time. */
static enum nfart_status put_record(struct oracle_stream *out, struct ticks *t,
				    const struct nfart_batch *b)
{
	enum nfart_status status = put_ticks(out, t, b->time);

	if (status == NFART_OK && !vec_push(out, *b))
		status = NFART_SYSTEM;
	if (status == NFART_OK && !is_loss(b) && is_due(t) && t->next == b->time) {
		out->at[out->n - 1].when |= NFART_TICK;
		oracle_advance(t);
	}
	return status;
}

/* Finds the ticks of the stream, and the time of its end. There is at least one batch. */
static void plan(const struct oracle_source *s, const struct nfart_batch *b, size_t n,
		 uint64_t until, struct ticks *t, uint64_t *end)
{
	uint64_t first = 0, latest = until, last = until;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (!is_loss(&b[i])) {
			first = any ? first : b[i].time;
			any = true;
			last = b[i].time > last ? b[i].time : last;
		}
		latest = b[i].time > latest ? b[i].time : latest;
	}
	*end = latest == UINT64_MAX ? latest : latest + 1;
	*t = (struct ticks){ .step = s->tick, .last = s->end ? *end : last };
	if (s->tick == 0)
		return;
	t->next = first - first % s->tick;
	t->any = true;
	oracle_advance(t);
}

enum nfart_status oracle_time(const struct ast *a, const struct nfart_batch *b, size_t n,
			      uint64_t until, struct oracle_stream *out)
{
	struct nfart_batch end = { .when = NFART_END };
	enum nfart_status status = NFART_OK;
	struct ticks t = { .any = false };
	struct oracle_source s;
	bool any = false;

	if (!oracle_source_init(&s, a))
		return NFART_SYSTEM;
	for (size_t i = 0; i < n; i++)
		any = any || !is_loss(&b[i]);
	if (any)
		plan(&s, b, n, until, &t, &end.time);
	for (size_t i = 0; i < n && status == NFART_OK; i++)
		status = put_record(out, &t, &b[i]);
	if (status == NFART_OK && any && s.end)
		status = put_record(out, &t, &end);
	/* What is left is after the last batch. */
	if (status == NFART_OK)
		status = put_ticks(out, &t, UINT64_MAX);
	if (status == NFART_OK && is_due(&t))
		status = put_record(out, &t, &(struct nfart_batch){ .time = t.next,
								    .when = NFART_TICK });
	oracle_source_free(&s);
	return status;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What taps could not tell: counted, and said at the end.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/wave/tap_run.h"

void tap_say(const struct tap_run *r, const char *format, ...)
{
	struct buf b = { 0 };
	char text[2048]; /* what is longer is cut */
	va_list ap;

	if (r->o->say == NULL)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	buf_addf(&b, "tap: %s", text);
	if (!b.failed)
		r->o->say(r->o->say_ctx, b.at);
	buf_free(&b);
}

/* Are all bits of a register known? */
static bool is_known(const struct tap_side *s, uint32_t reg)
{
	const uint64_t *known = &s->code.known[s->code.place[reg]];
	uint32_t width = tap_width(s->x, reg);

	for (uint32_t i = 0; i < width / 64; i++)
		if (known[i] != UINT64_MAX)
			return false;
	return width % 64 == 0 || (~known[width / 64] & (((uint64_t)1 << width % 64) - 1)) == 0;
}

/* Has the signal a bit that is unknown now, or if `before` is set in the sample before? */
static bool is_unknown(const struct tap_side *s, uint32_t signal, bool before)
{
	return !is_known(s, signal) || (before && !is_known(s, s->x->nsignals + signal));
}

/* Appends the names of the signals of an expression that are to blame. `seen` has those that are
 * listed. */
static void blame(const struct tap_side *s, const struct tap_expr *e, enum tap_count what,
		  bool *seen, struct buf *b)
{
	for (uint32_t i = 0; i < e->nsignals; i++) {
		uint32_t k = e->signals[i];
		bool guilty = what == TAP_CUT_BITS
				      ? s->sources[k].cut != 0
				      : is_unknown(s, k, e->looks_back && s->code.past);
		if (!guilty || seen[k])
			continue;
		seen[k] = true;
		buf_addf(b, "%s%s", b->n != 0 ? " " : "", s->x->signals[k].name);
	}
}

bool tap_is_dim(const struct tap_side *s, const struct tap_expr *e)
{
	return !is_known(s, e->result) && (s->code.past || !e->looks_back);
}

/* Returns the names of the signals to blame, from malloc(). NULL: out of memory. */
static char *names_of(const struct tap_side *s, const struct tap_row *row, enum tap_count what)
{
	bool *seen = calloc(s->x->nsignals + 1, sizeof *seen);
	struct buf b = { 0 };

	if (seen == NULL)
		return NULL;
	buf_add(&b, "", 0);
	if (what == TAP_UNKNOWN_CONDITION)
		blame(s, &row->when, what, seen, &b);
	for (uint32_t i = 0; i < row->nfields && what != TAP_UNKNOWN_CONDITION; i++)
		if (what == TAP_CUT_BITS || tap_is_dim(s, &row->fields[i].value))
			blame(s, &row->fields[i].value, what, seen, &b);
	free(seen);
	if (!b.failed && b.at == NULL)
		return strdup("");
	if (!b.failed)
		return b.at;
	buf_free(&b);
	return NULL;
}

bool tap_count(struct tap_side *s, const struct tap *tap, const struct tap_row *row,
	       enum tap_count what, uint64_t cycle)
{
	struct tap_counter c = { tap->slot, row->type, what, 1, cycle, NULL };

	for (size_t i = 0; i < s->counters.n; i++) {
		struct tap_counter *x = &s->counters.at[i];
		if (x->slot != tap->slot || x->type != row->type || x->what != what)
			continue;
		x->n++;
		return true;
	}
	c.signals = names_of(s, row, what);
	if (c.signals != NULL && vec_push(&s->counters, c))
		return true;
	free(c.signals);
	return false;
}

/* Says what was counted of the queues of an interface. */
static void say_queues(const struct tap_run *r, const struct tap_side *s)
{
	static const char *const texts[TAP_QUEUE_COUNTS] = {
		[TAP_QUEUE_UNTOLD] = "samples that could not be told",
		[TAP_QUEUE_EMPTY] = "nothing waits to be taken",
		[TAP_QUEUE_FULL] = "no room, the oldest given up",
	};

	for (uint32_t i = 0; i < s->x->nqueues; i++)
		for (int k = 0; k < TAP_QUEUE_COUNTS; k++)
			if (s->queues[i].counts[k].n != 0)
				tap_say(r, "queue %s%s%s: %s: %" PRIu64 ", first in cycle %" PRIu64,
					s->x->name != NULL ? s->x->name : "",
					s->x->name != NULL ? "." : "",
					s->x->signals[s->x->queues[i].signal].name, texts[k],
					s->queues[i].counts[k].n, s->queues[i].counts[k].first);
}

void tap_say_counts(const struct tap_run *r)
{
	static const char *const texts[TAP_COUNTS] = { "samples that could not be told",
						       "messages with unknown bits",
						       "messages with bits cut" };

	for (size_t i = 0; i < r->cycles.n && r->o->say != NULL; i++)
		if (r->cycles.at[i].n == 0)
			r->o->say(r->o->say_ctx,
				  "note: a clock has no edge in the waveform, so its "
				  "signals were never sampled");
	for (uint32_t i = 0; i < r->nsides; i++)
		for (size_t k = 0; k < r->sides[i].counters.n; k++) {
			const struct tap_counter *c = &r->sides[i].counters.at[k];
			char slot[80];
			proto_slot_name(r->p, c->slot, slot);
			tap_say(r, "%s %s: %s: %" PRIu64 ", first in cycle %" PRIu64 " (%s)", slot,
				c->type, texts[c->what], c->n, c->first, c->signals);
		}
	for (uint32_t i = 0; i < r->nsides; i++)
		say_queues(r, &r->sides[i]);
}

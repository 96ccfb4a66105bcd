/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/ask/asked_flight.h"

#define ENDS ((uint64_t)1 << 32)

/* ---- writing ---- */

static bool write_stretch(struct asked_writer *w, uint64_t what, const struct in_flight_stretch *s)
{
	return asked_put(w, ASKED_STRETCH,
			 (const uint64_t[]){ what, s->level, s->time, s->most, s->most_time });
}

/* Writes that a stretch begins at `time` with what is open. */
static bool write_begin(struct flight_writer *w, uint64_t time)
{
	bool ok = in_flight_count(w->f, time);

	if (ok)
		in_flight_begin(w->f);
	for (uint32_t i = 0; i <= w->rules && ok; i++) {
		struct in_flight_stretch s = in_flight_now(w->f, i);
		ok = write_stretch(w->out, i, &s);
	}
	return ok;
}

bool flight_put_end(struct flight_writer *w, uint64_t time)
{
	bool ok = !w->switched || in_flight_count(w->f, time);

	for (uint32_t i = 0; w->switched && i <= w->rules && ok; i++) {
		struct in_flight_stretch s = in_flight_now(w->f, i);
		size_t n;
		const uint64_t *cycles = in_flight_cycles(w->f, i, &n);
		for (size_t k = 0; k < n && ok; k++)
			ok = asked_put(w->out, ASKED_LEVEL, (const uint64_t[]){ i, k, cycles[k] });
		ok = ok && write_stretch(w->out, i | ENDS, &s);
	}
	return ok;
}

bool flight_put_entry(struct flight_writer *w, const struct pairs_entry *x)
{
	bool loss = x->kind == PAIRS_LOSS;

	if (loss && !flight_put_end(w, x->time))
		return false;
	if (!asked_put_entry(w->out, x) || (loss && !in_flight_drop(w->f, x->time)))
		return false;
	w->switched |= x->kind == PAIRS_SWITCH;
	return !w->switched || (!loss && x->kind != PAIRS_SWITCH) || write_begin(w, x->time);
}

/* ---- taking ---- */

bool flight_allows(const struct flight_taker *t, const struct pairs_entry *x)
{
	switch (x->kind) {
	case PAIRS_EVENT_ANSWER:
	case PAIRS_EVENT_REQUEST:
	case PAIRS_TAKEN:
	case PAIRS_SWITCH:
		return !t->told;
	case PAIRS_LOSS:
		return !t->told || (!t->begun && t->next == 0 && x->time == t->to);
	default:
		return t->begun;
	}
}

bool flight_took(struct flight_taker *t, const struct pairs_entry *x)
{
	t->told |= x->kind == PAIRS_SWITCH;
	return !t->told || x->kind != PAIRS_LOSS || t->f == NULL || in_flight_drop(t->f, x->time);
}

bool flight_agrees(const struct flight_taker *t, const struct nfart_pairs *q)
{
	bool same = !t->begun && t->next == 0;
	uint64_t all = 0;

	for (uint32_t i = 0; i < t->rules; i++) {
		uint64_t open = nfart_pairs_in_flight(q, i);
		same &= in_flight_now(t->f, i).level == open;
		all += open;
	}
	return same && in_flight_now(t->f, t->rules).level == all;
}

bool flight_take_level(struct flight_taker *t, const uint64_t *w, bool *failed)
{
	if (!t->begun || w[0] != t->next || w[1] != t->levels || w[2] > UINT64_MAX - t->cycles)
		return false;
	t->levels++;
	t->cycles += w[2];
	*failed |= t->f != NULL &&
		   !in_flight_add(t->f, t->next, t->above.at[t->next] + w[1], w[2]);
	return !*failed;
}

/* Takes that a stretch begins for a rule. */
static bool take_begin(struct flight_taker *t, const struct in_flight_stretch *s, bool *failed)
{
	struct in_flight_stretch now = { .level = s->level };

	if (s->most != s->level || s->most_time != s->time ||
	    (t->next != 0 ? s->time != t->from : s->time < t->to))
		return false;
	if (t->f != NULL) {
		now = in_flight_now(t->f, t->next);
		if (now.time > s->time || now.level < s->level)
			return false;
	}
	if (t->next == 0) {
		t->above.n = 0;
		t->from = s->time;
	}
	*failed |= !vec_push(&t->above, now.level - s->level);
	if (t->next == t->rules && t->f != NULL)
		*failed |= !in_flight_count(t->f, s->time);
	return !*failed;
}

/* Takes that a stretch ends for a rule, whose levels came. */
static bool take_end(struct flight_taker *t, const struct in_flight_stretch *s)
{
	struct in_flight_stretch end = *s;

	if (t->levels == 0 || s->most != t->levels - 1 || s->level > s->most ||
	    s->time < t->from || s->time - t->from != t->cycles || s->most_time < t->from ||
	    s->most_time > s->time || (t->next != 0 && s->time != t->to))
		return false;
	t->to = s->time;
	t->levels = t->cycles = 0;
	if (t->f == NULL)
		return true;
	end.level += t->above.at[t->next];
	end.most += t->above.at[t->next];
	in_flight_go_on(t->f, t->next, &end);
	return true;
}

bool flight_take_stretch(struct flight_taker *t, const uint64_t *w, bool *failed)
{
	const struct in_flight_stretch s = { w[1], w[2], w[3], w[4] };

	if (!t->told || w[0] != (t->next | (t->begun ? ENDS : 0)) ||
	    !(t->begun ? take_end(t, &s) : take_begin(t, &s, failed)))
		return false;
	if (t->next++ == t->rules) {
		t->next = 0;
		t->begun = !t->begun;
	}
	return true;
}

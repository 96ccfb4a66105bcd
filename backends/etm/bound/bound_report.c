/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/bound/bound.h"
#include "backends/etm/bound/bound_bytes.h"

#include <inttypes.h>
#include <string.h>

#include "support/escape.h"

/* ---- witnesses ---- */

/* Appends the names of the inputs of a set, separated by plus signs. */
static void print_inputs(uint64_t set, struct buf *b)
{
	static const struct {
		const char *name;
		unsigned first, n;
	} groups[] = {
		{ "external", ETM_INPUT_EXTIN, 4 },  { "pe", ETM_INPUT_PE, 8 },
		{ "single", ETM_INPUT_SINGLE, 8 },   { "address", ETM_INPUT_ADDRESS, 16 },
		{ "range", ETM_INPUT_RANGE, 8 },     { "context", ETM_INPUT_CONTEXT, 8 },
		{ "vmid", ETM_INPUT_VMID, 8 },
	};
	const char *between = "";

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		for (unsigned k = 0; k < groups[i].n; k++)
			if (set >> (groups[i].first + k) & 1) {
				buf_addf(b, "%s%s %u", between, groups[i].name, k);
				between = " + ";
			}
}

/* A run of equal cycles of a witness. */
struct run {
	uint32_t edge;
	uint64_t n;
};

/* The smallest set of inputs that is a line; it prints as "line". */
static uint64_t plain_line(const struct bound_form *f)
{
	for (unsigned i = 0; i < f->ninputs; i++)
		if (f->line[i])
			return f->inputs[i];
	return 0;
}

static void print_run(const struct bound_form *f, const struct run *r, struct buf *b)
{
	uint32_t i = r->edge % f->ninputs;
	uint64_t rest = f->inputs[i] & ~(f->line[i] ? plain_line(f) : 0);

	if (r->n == 0)
		return;
	if (r->n > 1)
		buf_addf(b, "%" PRIu64 " ", r->n);
	if (r->edge >= f->ninputs)
		buf_addf(b, "tick%s", f->line[i] ? " with line" : "");
	else if (f->line[i])
		buf_addf(b, "line%s", r->n == 1 ? "" : "s");
	else
		buf_addf(b, "idle");
	if (rest != 0) {
		buf_addf(b, " with ");
		print_inputs(rest, b);
	}
	buf_addf(b, ", ");
}

/* Where a walk along paths is. */
struct walk {
	const struct bound_form *form;
	unsigned control;
	uint32_t count;
};

/* Appends the cycles of a path in runs, and where the output rises and falls. */
static void print_path(struct walk *w, const struct bound_path *p, struct buf *b)
{
	const struct bound_form *f = w->form;
	struct run run = { 0 };
	size_t before = b->n;

	for (size_t i = 0; i < p->edges.n; i++) {
		uint32_t e = p->edges.at[i];
		struct bound_move m = f->move[w->control][e >= f->ninputs]
					     [bound_level(f, w->count)][e % f->ninputs];
		bool on = f->throttled[w->control];

		if (run.n > 0 && run.edge != e) {
			print_run(f, &run, b);
			run.n = 0;
		}
		run.edge = e;
		run.n++;
		w->count = bound_count(f, w->count, m.act);
		w->control = m.to;
		if (on != f->throttled[m.to]) {
			print_run(f, &run, b);
			run.n = 0;
			buf_addf(b, "%s, ", on ? "off" : "on");
		}
	}
	print_run(f, &run, b);
	if (b->n > before + 2)
		b->n -= 2; /* the last ", " */
}

/* A path from the start, and what comes behind it. */
struct witness {
	const char *what;
	const struct bound_path *to, *in;
	bool attained;
};

/* Writes the witnesses of b to w[0 … 2]. Returns how many there are. */
static unsigned witnesses(const struct etm_bound *b, struct witness *w)
{
	const struct bound_most *m = &b->most;
	unsigned n = 0;

	if (m->finite) {
		w[n++] = (struct witness){ "one period", &m->to_window, &m->in_window,
					   b->attained.window };
		if (etm_bound_holds(b))
			w[n++] = (struct witness){ "n periods", &m->to_over, &m->in_over,
						   b->attained.over };
		else
			w[n++] = (struct witness){ "for ever", &m->to_cycle, &m->in_cycle,
						   b->attained.rate };
	} else {
		w[n++] = (struct witness){ "for ever", &m->to_cycle, &m->in_cycle,
					   b->endless != 0 };
	}
	return n;
}

static void print_witness(const struct etm_bound *b, const struct witness *w, bool json,
			  struct buf *out)
{
	struct walk at = { .form = &b->form, .control = b->form.start,
			   .count = b->form.start_count };
	struct buf text[2] = { { 0 }, { 0 } };

	print_path(&at, w->to, &text[0]);
	print_path(&at, w->in, &text[1]);
	for (unsigned i = 0; i < 2; i++)
		out->failed = out->failed || text[i].failed;
	if (json) {
		buf_addf(out, "{\"of\":\"%s\",\"executed\":%s,\"before\":", w->what,
			 w->attained ? "true" : "false");
		escape_json(out, text[0].n > 0 ? text[0].at : "", text[0].n);
		buf_addf(out, ",\"cycles\":");
		escape_json(out, text[1].n > 0 ? text[1].at : "", text[1].n);
		buf_addf(out, "}");
	} else {
		buf_addf(out, "  %s%s:\n", w->what,
			 w->attained ? "" : " (it does not fit into the period)");
		if (text[0].n > 0)
			buf_addf(out, "    before: %.*s\n", (int)text[0].n, text[0].at);
		buf_addf(out, "    cycles: %.*s\n", (int)text[1].n, text[1].at);
	}
	buf_free(&text[0]);
	buf_free(&text[1]);
}

/* ---- readings ---- */

/* Is a worse than b? Endless lines are worst; then the higher rate; then what comes on top. */
static bool worse(const struct etm_bound *a, const struct etm_bound *b)
{
	const struct bound_most *x = &a->most, *y = &b->most;
	uint64_t rate_x = x->rate_lines * y->rate_ticks, rate_y = y->rate_lines * x->rate_ticks;

	if (x->finite != y->finite)
		return !x->finite;
	if (!x->finite)
		return false;
	if (rate_x != rate_y)
		return rate_x > rate_y;
	return x->over * (int64_t)y->rate_ticks > y->over * (int64_t)x->rate_ticks;
}

/* Appends how many lines come in n periods: "28 n + 55" or, if need be, "(4 n + 9) / 3". */
static void print_over(const struct bound_most *m, struct buf *b)
{
	if (m->rate_ticks != 1)
		buf_addf(b, "(");
	buf_addf(b, "%" PRIu64 " n %c %" PRIu64, m->rate_lines, m->over < 0 ? '-' : '+',
		 (uint64_t)(m->over < 0 ? -m->over : m->over));
	if (m->rate_ticks != 1)
		buf_addf(b, ") / %" PRIu64, m->rate_ticks);
}

/* Appends the numbers of the states, for JSON or after the word "state". */
static void print_states(uint8_t states, bool json, struct buf *b)
{
	const char *between = "";

	if (!json)
		buf_addf(b, "state%s ", (states & (states - 1)) != 0 ? "s" : "");
	for (unsigned s = 0; s < BOUND_STATES; s++)
		if (states >> s & 1) {
			buf_addf(b, "%s%u", between, s);
			between = json ? "," : " and ";
		}
}

static bool is_tight(const struct etm_bound *b)
{
	if (!b->most.finite)
		return b->endless != 0;
	return b->attained.window && b->attained.over &&
	       (etm_bound_holds(b) || b->attained.rate);
}

static void print_row(const struct etm_bound *b, const char *name, struct buf *out)
{
	struct buf over = { 0 };

	if (b->most.finite)
		print_over(&b->most, &over);
	else
		buf_addf(&over, "endless");
	out->failed = out->failed || over.failed;
	buf_addf(out, "%-20s %6" PRIu32, name, b->k);
	if (b->most.finite)
		buf_addf(out, " %11" PRIu64, b->most.window);
	else
		buf_addf(out, " %11s", "endless");
	buf_addf(out, "  %-16s %-6s", over.failed ? "" : over.at,
		 etm_bound_holds(b) ? "yes" : "no");
	if (b->least != 0)
		buf_addf(out, " %12" PRIu32, b->least);
	else
		buf_addf(out, " %12s", "none");
	buf_addf(out, "  %s\n", is_tight(b) ? "yes" : "no");
	buf_free(&over);
}

static void print_json(const struct etm_bound *b, const char *name, const struct etm_rate *rate,
		       struct buf *out)
{
	const struct bound_most *m = &b->most;
	struct witness w[2];
	unsigned n = witnesses(b, w);

	buf_addf(out, "{\"reading\":\"%s\",\"lines\":%" PRIu32 ",\"period\":%" PRIu64
		      ",\"bounded\":%s,\"tight\":%s",
		 name, b->k, b->period, etm_bound_holds(b) ? "true" : "false",
		 is_tight(b) ? "true" : "false");
	if (m->finite)
		buf_addf(out, ",\"one_period\":%" PRIu64 ",\"rate\":[%" PRIu64 ",%" PRIu64
			      "],\"over\":%" PRId64,
			 m->window, m->rate_lines, m->rate_ticks, m->over);
	if (rate->clock != 0)
		bound_bytes_json(b, rate, out);
	if (b->least != 0)
		buf_addf(out, ",\"least_budget\":%" PRIu32, b->least);
	buf_addf(out, ",\"searched_budgets\":%" PRIu32 ",\"configurations\":%zu,\"tick_lost\":[",
		 b->searched, b->nodes);
	print_states(b->tick_lost, true, out);
	buf_addf(out, "],\"lines_lost\":[");
	print_states(b->lines_lost, true, out);
	buf_addf(out, "],\"unregulated\":[");
	print_states(b->outside, true, out);
	buf_addf(out, "],\"witnesses\":[");
	for (unsigned i = 0; i < n; i++) {
		buf_addf(out, "%s", i > 0 ? "," : "");
		print_witness(b, &w[i], true, out);
	}
	buf_addf(out, "]}");
}

/* ---- the report ---- */

/* The bounds in all readings, and which of them is the worst. */
struct all {
	struct etm_bound bounds[ETM_READINGS];
	unsigned worst;
	uint32_t overrun, budget;
	const struct etm_rate *rate; /* borrowed */
};

/* Appends a warning for each way in which pulses are lost or lines are not regulated. */
static void print_warnings(const struct all *a, struct buf *out)
{
	uint8_t tick = 0, lines = 0, outside = 0;

	for (unsigned i = 0; i < ETM_READINGS; i++) {
		tick |= a->bounds[i].tick_lost;
		lines |= a->bounds[i].lines_lost;
		outside |= a->bounds[i].outside;
	}
	if (tick != 0) {
		buf_addf(out, "warning: if both counters pulse in one cycle in ");
		print_states(tick, false, out);
		buf_addf(out, ", the tick is lost: the core gets a budget less\n");
	}
	if (lines != 0) {
		buf_addf(out, "warning: if both counters pulse in one cycle in ");
		print_states(lines, false, out);
		buf_addf(out, ", the budget's pulse is lost: its lines are not charged\n");
	}
	if (outside != 0) {
		buf_addf(out, "note: lines in ");
		print_states(outside, false, out);
		buf_addf(out, " are not counted by the registers, and not by the bound\n");
	}
}

static void print_bytes(const struct all *a, struct buf *out)
{
	char name[ETM_READING_NAME];

	bound_bytes_heading(&a->bounds[0], a->rate, out);
	etm_reading_name(a->worst, name);
	bound_bytes_row(&a->bounds[a->worst], name, a->rate, out);
	for (unsigned i = 0; i < ETM_READINGS; i++) {
		etm_reading_name(i, name);
		if (i != a->worst)
			bound_bytes_row(&a->bounds[i], name, a->rate, out);
	}
}

static void print_text(const struct all *a, struct buf *out)
{
	const struct etm_bound *worst = &a->bounds[a->worst];
	struct witness w[2];
	unsigned n = witnesses(worst, w);
	char name[ETM_READING_NAME];

	etm_reading_name(a->worst, name);
	buf_addf(out, "budget %" PRIu32 ", period %" PRIu64 " cycles, overrun %" PRIu32 "\n",
		 a->budget, a->bounds[0].period, a->overrun);
	buf_addf(out, "worst reading: %s\n", name);
	for (unsigned i = 0; i < n; i++)
		print_witness(worst, &w[i], false, out);
	buf_addf(out, "\n%-20s %6s %11s  %-16s %-6s %12s  %s\n", "reading", "budget",
		 "one period", "n periods", "bound", "least budget", "tight");
	print_row(worst, name, out);
	for (unsigned i = 0; i < ETM_READINGS; i++) {
		etm_reading_name(i, name);
		if (i != a->worst)
			print_row(&a->bounds[i], name, out);
	}
	if (a->rate->clock != 0)
		print_bytes(a, out);
	print_warnings(a, out);
}

static void print_all_json(const struct all *a, struct buf *out)
{
	char name[ETM_READING_NAME];

	etm_reading_name(a->worst, name);
	buf_addf(out, "{\"budget\":%" PRIu32 ",\"period\":%" PRIu64 ",\"overrun\":%" PRIu32,
		 a->budget, a->bounds[0].period, a->overrun);
	if (a->rate->clock != 0)
		buf_addf(out, ",\"clock\":%" PRIu64 ",\"line_bytes\":%" PRIu32, a->rate->clock,
			 a->rate->bytes);
	buf_addf(out, ",\"worst\":\"%s\",\"readings\":[", name);
	for (unsigned i = 0; i < ETM_READINGS; i++) {
		etm_reading_name(i, name);
		buf_addf(out, "%s", i > 0 ? "," : "");
		print_json(&a->bounds[i], name, a->rate, out);
	}
	buf_addf(out, "]}\n");
}

enum nfart_status etm_bound_report(struct buf *out, const struct etm_regs *r, bool ete,
				   uint32_t overrun, const struct etm_rate *rate, bool json,
				   const char **why)
{
	struct all *a = calloc(1, sizeof *a);
	enum nfart_status s = a == NULL ? NFART_SYSTEM : NFART_OK;
	bool bounded = true;

	*why = NULL;
	for (unsigned i = 0; s == NFART_OK && *why == NULL && i < ETM_READINGS; i++) {
		s = etm_bound(&a->bounds[i], r, ete, etm_reading_of(i), overrun);
		*why = a->bounds[i].unjudged;
		bounded = bounded && etm_bound_holds(&a->bounds[i]);
		if (worse(&a->bounds[i], &a->bounds[a->worst]))
			a->worst = i;
	}
	if (s == NFART_GAVEUP)
		*why = "there are too many configurations, or too many paths";
	else if (s == NFART_OK && *why != NULL)
		s = NFART_GAVEUP;
	if (s == NFART_OK) {
		a->overrun = overrun;
		a->rate = rate;
		a->budget = a->bounds[0].k;
		if (json)
			print_all_json(a, out);
		else
			print_text(a, out);
		s = out->failed ? NFART_SYSTEM : bounded ? NFART_OK : NFART_NO;
	}
	for (unsigned i = 0; a != NULL && i < ETM_READINGS; i++)
		etm_bound_free(&a->bounds[i]);
	free(a);
	return s;
}

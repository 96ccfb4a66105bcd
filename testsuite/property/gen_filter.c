/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/property/gen_draw.h"

#include <string.h>

enum { POSITIONS = 2000 };

/* A filter that is being written. */
struct filter {
	struct gen g;
	size_t left;            /* positions that may still be used */
	uint32_t tops;          /* number of expressions still to come; they share `left` */
	uint32_t nexprs;        /* number of named expressions: e0, e1 … */
	size_t size[GEN_NAMES]; /* [i]: the positions of expression number i */
	uint32_t ncounters;     /* number of counters: c0, c1 … */
	bool has_head;          /* `head` is the name of an expression that begins with a counter */
	size_t head_size;
};

/* ---- expressions (nfacc-filter(5), section Expressions) ------------------------------------ */

/* What may stand at a place in an expression without parentheses around it. */
enum level { ALTERNATIVES, CONCATENATION, FACTOR };

struct bounds {
	const char *text;
	size_t most; /* how many times the positions of the repeated expression are counted */
};

/* Draws a bound for an expression of which there are `times` copies already. With the bound they
 * still fit into the positions that are left. Large bounds are rare. */
static struct bounds draw_bounds(struct filter *f, size_t times)
{
	static const struct bounds all[] = {
		{ "*", 1 }, { "*", 1 }, { "*", 1 }, { "+", 1 }, { "+", 1 }, { "?", 1 }, { "?", 1 },
		{ "{1}", 1 }, { "{0}", 0 }, { "{0,0}", 0 }, { "{0,}", 1 }, { "{1,}", 1 },
		{ "{0,1}", 1 }, { "{0,2}", 2 }, { "{1,2}", 2 }, { "{2}", 2 }, { "{2,}", 2 },
		{ "{2,3}", 3 }, { "{3,}", 3 }, { "{0x5}", 5 }, { "{3,20}", 20 }, { "{12,}", 12 },
	};
	enum { N = sizeof all / sizeof *all };
	const struct bounds *x = &all[gen_below(&f->g, N)];

	return times * x->most <= f->left / 2 ? *x : all[0];
}

static void add_leaf(struct filter *f, size_t times)
{
	uint32_t name = f->nexprs != 0 ? gen_below(&f->g, f->nexprs) : 0;

	if (f->nexprs != 0 && times * f->size[name] <= f->left && gen_chance(&f->g, 15)) {
		f->left -= times * f->size[name];
		buf_addf(f->g.b, "e%u", name);
	} else if (times > f->left || gen_chance(&f->g, 6)) {
		buf_addf(f->g.b, "eps");
	} else {
		f->left -= times;
		gen_pred(&f->g);
	}
}

/* Adds an expression that is nested at most `depth` deep. The bounds around it make `times` copies
 * of it. */
static void add_expr(struct filter *f, uint32_t depth, enum level level, size_t times)
{
	uint32_t kind = depth == 0 ? 0 : gen_below(&f->g, 100), n = 2 + gen_below(&f->g, 2);
	bool is_list = kind >= 20 && kind < 75, is_cat = is_list && kind < 55;
	enum level own = is_cat ? CONCATENATION : is_list ? ALTERNATIVES : FACTOR;
	bool parens = own < level || gen_chance(&f->g, 10);
	struct bounds inner, outer = { "", 1 };

	buf_addf(f->g.b, "%s", parens ? "(" : "");
	if (is_list) {
		for (uint32_t i = 0; i < n; i++) {
			if (i != 0)
				buf_addf(f->g.b, "%s", is_cat ? " " : " | ");
			add_expr(f, depth - 1, is_cat ? FACTOR : CONCATENATION, times);
		}
	} else if (kind < 20) {
		add_leaf(f, times);
	} else {
		inner = draw_bounds(f, times);
		if (gen_chance(&f->g, 15)) /* repeat the repetition, as in `a+{2}` */
			outer = draw_bounds(f, times * inner.most);
		add_expr(f, depth - 1, FACTOR, times * inner.most * outer.most);
		buf_addf(f->g.b, "%s%s", inner.text, outer.text);
	}
	buf_addf(f->g.b, "%s", parens ? ")" : "");
}

/* Adds `@` and a counter, or the name of an expression that begins with a counter. */
static void add_head(struct filter *f)
{
	if (f->has_head && f->head_size <= f->left && gen_chance(&f->g, 30)) {
		f->left -= f->head_size;
		buf_addf(f->g.b, "head");
	} else {
		buf_addf(f->g.b, "@c%u", gen_below(&f->g, f->ncounters));
	}
}

/* Adds an expression that begins with a counter. */
static void add_counted(struct filter *f, uint32_t depth)
{
	uint32_t form = gen_below(&f->g, 5);
	bool parens = form == 2 || form == 4;

	buf_addf(f->g.b, "%s", parens ? "(" : "");
	add_head(f);
	if (form == 1 || form == 2) {
		buf_addf(f->g.b, " ");
		add_expr(f, depth, FACTOR, 1);
	} else if (form == 3 || form == 4) {
		buf_addf(f->g.b, " | ");
		add_expr(f, depth, ALTERNATIVES, 1);
	}
	buf_addf(f->g.b, "%s", parens ? ")" : "");
	if (form == 4) {
		buf_addf(f->g.b, " ");
		add_expr(f, 1, FACTOR, 1);
	}
}

/* Adds the expression of a filter, of log or of a counter. It uses its share of the positions. */
static void add_top(struct filter *f)
{
	uint32_t depth = 1 + gen_below(&f->g, 3);
	size_t share = f->left / f->tops, kept = f->left - share;

	f->left = share;
	if (f->ncounters != 0 && gen_chance(&f->g, 40)) {
		add_counted(f, depth);
	} else if (share > 1 && gen_chance(&f->g, 60)) {
		buf_addf(f->g.b, "true* ");
		f->left--;
		add_expr(f, depth, FACTOR, 1);
	} else {
		add_expr(f, depth, ALTERNATIVES, 1);
	}
	f->left += kept;
	f->tops--;
}

/* ---- statements (nfacc-filter(5)) ----------------------------------------------------------- */

/* Adds a substream for a field, or for two ranges of lines. False: no field of the protocol has
 * three bits or more in all types that have it, and there are no lines. */
static bool add_key(struct gen *g)
{
	const struct nfart_proto *p = g->proto;
	uint32_t first = p->names.nfields != 0 ? gen_below(g, p->names.nfields) : 0,
		 below = gen_below(g, 2);

	for (uint32_t i = 0; i < p->names.nfields && gen_chance(g, 70); i++) {
		const struct proto_field *field = &p->names.fields[(first + i) % p->names.nfields];
		bool wide = true;
		for (uint32_t k = 0; k < field->nplaces; k++)
			wide = wide && field->places[k].bits >= 3;
		if (!wide)
			continue;
		buf_addf(g->b, "substream %s from 3 count %u, from %u count %u;\n", field->name,
			 1 + gen_below(g, 2), below, 1 + gen_below(g, 2));
		return true;
	}
	if (p->header.addr_bits == 0)
		return false;
	buf_addf(g->b, "substream cl from 0x%llx count 2, from 0x%llx count %u;\n",
		 (unsigned long long)((g->line + 3) << p->header.line_shift),
		 (unsigned long long)(g->line << p->header.line_shift), 1 + gen_below(g, 3));
	return true;
}

static void add_settings(struct filter *f)
{
	static const uint8_t windows[] = { 0, 1, 1, 2, 2, 3, 4, 5, 8, 20 };
	struct gen *g = &f->g;

	if (g->time)
		buf_addf(g->b, "tick %u;\n", 1 + gen_below(g, 9));
	if (g->sides && gen_chance(g, 50))
		buf_addf(g->b, "window %u, %u;\n", windows[gen_below(g, sizeof windows)],
			 windows[gen_below(g, sizeof windows)]);
	else if (gen_chance(g, 70))
		buf_addf(g->b, "window %u;\n", windows[gen_below(g, sizeof windows)]);
	if (gen_chance(g, 15))
		buf_addf(g->b, "limit %u;\n", 1 + gen_below(g, 6));
	if (g->keys && add_key(g))
		return;
	if (gen_chance(g, g->proto->header.addr_bits != 0 ? 50 : 2)) {
		uint64_t line = g->line + gen_below(g, GEN_LINES - 1);
		uint32_t within =
			gen_chance(g, 20) ? gen_below(g, 1u << g->proto->header.line_shift) : 0;

		buf_addf(g->b, "substream cl from 0x%llx count %u;\n",
			 (unsigned long long)(line << g->proto->header.line_shift | within),
			 1 + gen_below(g, 4));
	}
}

/* Adds names. What a name stands for uses positions where the name is used, not here. */
static void add_lets(struct filter *f)
{
	struct gen *g = &f->g;
	size_t left = f->left;

	for (uint32_t n = gen_below(g, GEN_NAMES); n > 0; n--) {
		if (gen_chance(g, 50)) {
			buf_addf(g->b, "let p%u = ", g->npreds);
			g->is_none[g->npreds] = gen_pred(g);
			g->npreds++;
		} else {
			buf_addf(g->b, "let e%u = ", f->nexprs);
			add_expr(f, 1, ALTERNATIVES, 1);
			f->size[f->nexprs++] = left - f->left;
			f->left = left;
		}
		buf_addf(g->b, ";\n");
	}
}

/* Adds n counters, each of which may use the counters before it. Counter i has a reset if bit i of
 * `resets` is 1. */
static void add_counters(struct filter *f, uint32_t n, uint32_t resets)
{
	static const char *const modes[] = { "", " pulse", " latch", " roll" };
	struct gen *g = &f->g;

	for (uint32_t i = 0; i < n; i++) {
		buf_addf(g->b, "counter c%u = ", i);
		add_top(f);
		if (resets >> i & 1) {
			buf_addf(g->b, " reset ");
			add_top(f);
		}
		buf_addf(g->b, " at %u", 1 + gen_below(g, gen_chance(g, 80) ? 4 : 20));
		buf_addf(g->b, "%s;\n", modes[gen_below(g, 4)]);
		f->ncounters++;
	}
	if (n != 0 && gen_chance(g, 40)) {
		size_t left = f->left;

		buf_addf(g->b, "let head = ");
		add_counted(f, 1);
		buf_addf(g->b, ";\n");
		f->head_size = left - f->left;
		f->left = left;
		f->has_head = true;
	}
}

/* Adds an automaton with at most three labels. Each of its transitions uses a position. */
static void add_automaton(struct filter *f, uint32_t index)
{
	struct gen *g = &f->g;
	uint32_t n = 1 + gen_below(g, 4), named = 0;
	size_t share = f->left / f->tops, used = 0;

	buf_addf(g->b, "automaton m%u {\n", index);
	for (uint32_t q = 0; q < n; q++) {
		buf_addf(g->b, "\tstate m%us%u", index, q);
		if (q == 0 || gen_chance(g, 30))
			buf_addf(g->b, " start");
		if (named < 2 && gen_chance(g, 30)) {
			buf_addf(g->b, " accept");
			named++;
		}
		if (gen_chance(g, 25))
			buf_addf(g->b, " accept(L%u)", index);
		buf_addf(g->b, "%s;\n", gen_chance(g, 25) ? " log" : "");
	}
	for (uint32_t edges = 1 + gen_below(g, 9); edges > 0; edges--) {
		uint32_t from = gen_below(g, n), to = gen_below(g, n);

		buf_addf(g->b, "\tm%us%u -> m%us%u : ", index, from, index, to);
		if (used < share && gen_chance(g, 75)) {
			gen_pred(g);
			used++;
		} else {
			buf_addf(g->b, "eps");
		}
		buf_addf(g->b, ";\n");
	}
	buf_addf(g->b, "}\n");
	f->left -= used;
	f->tops--;
}

void gen_filter(uint64_t seed, const struct gen_options *o, struct buf *b)
{
	struct filter f = { .left = o->positions != 0 ? o->positions : POSITIONS };
	/* How many expressions there may be besides the first one. With few positions: few. */
	uint32_t more = f.left < 8 ? 0 : f.left < 40 ? 1 : 2;
	uint32_t automata = 0, filters, counters = 0, resets, log;
	struct gen *g = &f.g;
	bool settings_first;

	gen_init(g, seed, o);
	g->b = b;
	if (more != 0 && gen_chance(g, 50))
		automata = 1 + gen_below(g, more);
	filters = 1 + gen_below(g, more != 0 && automata < 2 ? more + 1 : 1);
	if (more != 0 && o->counters && gen_chance(g, 60))
		counters = 1 + gen_below(g, more + 1);
	resets = gen_below(g, 1u << counters);
	log = gen_below(g, more != 0 ? 3 : 2); /* 0: no log; 1: log = all; 2: an expression */
	settings_first = gen_chance(g, 50);
	f.left -= log == 1;
	f.tops = automata + filters + counters + (uint32_t)__builtin_popcount(resets) + (log == 2);

	buf_addf(b, "// seed %llu\n", (unsigned long long)seed);
	if (strcmp(g->proto->name, "eci") != 0 || gen_chance(g, 70))
		buf_addf(b, "protocol %s;\n", g->proto->name);
	if (settings_first)
		add_settings(&f);
	add_lets(&f);
	add_counters(&f, counters, resets);
	for (uint32_t i = 0; i < filters; i++) {
		buf_addf(b, "filter f%u = ", i);
		add_top(&f);
		buf_addf(b, ";\n");
	}
	for (uint32_t i = 0; i < automata; i++)
		add_automaton(&f, i);
	for (uint32_t n = o->machines ? 1 + gen_below(g, 2) : 0, i = 0; i < n; i++)
		gen_machine(g, i);
	if (log == 1) {
		buf_addf(b, "log = all;\n");
	} else if (log == 2) {
		buf_addf(b, "log = ");
		add_top(&f);
		buf_addf(b, ";\n");
	}
	if (!settings_first)
		add_settings(&f);
}

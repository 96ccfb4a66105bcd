/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fit: tests what fits which overlay. Some filters fit only with states split. The cost model is
 * compared with numbers from yosys. For random filters, the cheapest overlay, the Pareto front and
 * the smallest values of parameters are compared with a trial of every overlay of a small range.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/overlay/fit/fit_search.h"
#include "compiler/pipeline.h"
#include "grammar/describe/builtin.h"
#include "testsuite/property/gen.h"

static int tests, failed;

static void fit_show(bool ok, const char *what)
{
	printf("%s %d - %s\n", ok ? "ok" : "not ok", ++tests, what);
	failed += !ok;
}

static enum nfart_status fit_compile(struct pipeline *p, const char *text, size_t n,
				     const char *overlay, enum pipeline_stage last)
{
	struct pipeline_file f = { "fit.re", text, n, false };
	struct diags d = { .werror = false };
	struct pipeline_options o;

	pipeline_options_init(&o);
	o.last = last;
	if (overlay != NULL && !overlay_parse(&d, "overlay", overlay, strlen(overlay), &o.overlay))
		printf("# overlay?\n");
	diag_free(&d);
	return pipeline_run(p, &o, &f, 1);
}

/* ---- filters that fit only with states split ---- */

static const char labels64[] = "overlay many; labels 64;";
static const char narrow[] = "overlay narrow; clique 2; length 60; rings 1; reach 0;";

/* Writes n filters. Filter number i is the text `before`, i, `between`, i, `after`. */
static void write_filters(struct buf *b, uint32_t n, const char *before, const char *between,
			  const char *after)
{
	buf_addf(b, "protocol bytes;\n");
	for (uint32_t i = 0; i < n; i++)
		buf_addf(b, "filter f%" PRIu32 " = %s #%" PRIu32 " %s #%" PRIu32 " %s;\n", i,
			 before, i, between, i, after);
}

static void write_choices(struct buf *b, uint32_t n, const char *before, const char *after)
{
	buf_addf(b, "protocol bytes;\nfilter f = %s(", before);
	for (uint32_t i = 0; i < n; i++)
		buf_addf(b, "%s#%" PRIu32 " #%" PRIu32, i != 0 ? " | " : "", i, i);
	buf_addf(b, ")%s;\n", after);
}

/* Checks that the filter in b is placed on the overlay. Some states must be split if `splits` is
 * true, and none if it is false. Frees b. */
static void fit_fits(struct buf *b, const char *overlay, bool splits, const char *what)
{
	struct pipeline p;
	enum nfart_status status = fit_compile(&p, b->at, b->n, overlay, STAGE_IMAGE);

	if (status != NFART_OK)
		diag_print(&p.diags, stdout, false);
	fit_show(status == NFART_OK && (p.job.made.splits.splits.n != 0) == splits, what);
	pipeline_free(&p);
	buf_free(b);
	memset(b, 0, sizeof *b);
}

static void test_splits(void)
{
	struct buf b = { 0 };

	for (uint32_t n = 30; n <= 60; n += 30) {
		write_filters(&b, n, "true*", "!'x'*", "");
		fit_fits(&b, labels64, false, "filters that share nothing");
		write_filters(&b, n, "true* 'x'", "", "");
		fit_fits(&b, labels64, true, "filters with one state in front of all");
		write_filters(&b, n, "true* 'x' true*", "", "");
		fit_fits(&b, labels64, true, "filters with a looping state in front of all");
		write_filters(&b, n, "", "", "'x'");
		fit_fits(&b, labels64, true, "filters with one start");
	}
	write_choices(&b, 12, "'x' ", "");
	fit_fits(&b, labels64, false, "fewer choices than neighbours (T eq. 50)");
	write_choices(&b, 60, "'x' ", "");
	fit_fits(&b, labels64, true, "more choices than neighbours");
	write_choices(&b, 60, "", " 'x' 'y'");
	fit_fits(&b, labels64, true, "more choices than neighbours, in front of a state");
	write_choices(&b, 60, "'x' ", " 'x' 'y'");
	fit_fits(&b, labels64, true, "more choices than neighbours, between two states");
	write_choices(&b, 12, "'x' ", " 'x' 'y'");
	fit_fits(&b, narrow, true, "choices on a narrow ring");
}

/* ---- the cost model ---- */

/* What yosys counted (make bench-rtl), and how near to that the model must come. */
static const struct {
	const char *overlay;
	uint64_t luts, ffs;
} measured[] = {
	{ "clique 2; length 2; rings 1; reach 0; decoder ste; lines 1; labels 1;", 153, 32 },
	{ "lines 1; labels 1;", 6844, 1439 },
	{ "lines 1; labels 1; memory block;", 3806, 1344 },
	{ "lines 1; labels 8;", 7344, 1516 },
	{ "lines 1; labels 1; predecessors mask;", 9721, 9279 },
	{ "clique 5; length 6; rings 2; lines 1; labels 1;", 1460, 423 },
	{ "clique 5; length 6; rings 2; lines 2; labels 1;", 3358, 519 },
	{ "clique 5; length 6; rings 2; lines 8; labels 8;", 11411, 1000 },
	{ "clique 5; length 6; rings 2; lines 4; labels 1; decoder ste;", 6207, 442 },
	{ "lines 1; labels 1; counters 1;", 10377, 3492 },
	{ "clique 5; length 6; rings 2; lines 1; labels 1; counters 1;", 2164, 834 },
	{ "clique 5; length 6; rings 2; lines 4; labels 1; counters 1;", 8953, 1653 },
	{ "clique 5; length 6; rings 2; lines 1; labels 1; counters 1; predecessors mask;", 2998,
	  2904 },
	{ "clique 5; length 6; rings 2; lines 1; labels 8; counters 3; counter_width 8;", 3316,
	  1135 },
	{ "clique 8; length 20; rings 1; reach 0; lines 1; labels 8;", 3959, 875 },
	{ "clique 100; length 1; rings 1; reach 0; lines 1; labels 8;", 4680, 672 },
};

static bool near(uint64_t model, uint64_t is)
{
	return model * 10 <= is * 11 && is * 10 <= model * 11;
}

static void test_cost(void)
{
	struct fit_weights two = { 2, 3 };
	char text[256], what[320];

	for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
		struct diags d = { .werror = false };
		struct overlay_desc v;
		struct fit_cost c;
		snprintf(text, sizeof text, "overlay x; protocol eci-coherence; %s",
			 measured[i].overlay);
		if (!overlay_parse(&d, "overlay", text, strlen(text), &v))
			printf("# overlay?\n");
		diag_free(&d);
		v.o.slots = 20;
		v.o.op_bits = 5;
		c = fit_cost(&v.o, &two);
		snprintf(what, sizeof what, "cost of %s: %" PRIu64 " LUT sites, %" PRIu64 " FFs",
			 measured[i].overlay, c.luts, c.ffs);
		fit_show(near(c.luts, measured[i].luts) && near(c.ffs, measured[i].ffs) &&
			 c.cost == 2 * c.luts + 3 * c.ffs, what);
	}
}

/* ---- the search, compared with trying every overlay ---- */

static const struct fit_range range = {
	.clique = 5, .length = 6, .rings = 4, .reach = 2, .stes = 30
};
enum { FILTERS = 200 };

static bool by_trial(const struct fit_unit *u, const struct fit_options *o,
		     const struct fit_result *r)
{
	struct overlay x = r->front.n != 0 ? r->front.at[0].o : (struct overlay){ .clique = 0 };
	size_t fitting = 0;

	if (r->front.n == 0) {
		overlay_default(&x, u->nfa->spec->proto);
		x.lines = (uint32_t)u->lines;
		x.window = (uint32_t)u->window;
		x.labels = (uint32_t)u->labels;
	}
	for (x.clique = 1; x.clique <= range.clique; x.clique++)
		for (x.length = 1; x.length <= range.length; x.length++)
			for (x.rings = 1; x.rings <= range.rings; x.rings++)
				for (x.reach = 0; x.reach <= range.reach; x.reach++) {
					fit_work_t left = UINT64_MAX;
					bool beaten = false;
					if (overlay_nste(&x) > range.stes ||
					    fit_all(u, 1, &x, &o->map, &left) != FIT_YES)
						continue;
					fitting++;
					for (size_t i = 0; i < r->front.n; i++)
						beaten |= overlay_nste(&r->front.at[i].o) <=
								  overlay_nste(&x) &&
							  overlay_npred(&r->front.at[i].o) <=
								  overlay_npred(&x);
					if (!beaten || fit_cost(&x, &o->weights).cost <
							       r->front.at[0].cost.cost) {
						printf("# missed %u,%u,%u,%u\n", x.clique, x.length,
						       x.rings, x.reach);
						return false;
					}
				}
	return (fitting == 0) == (r->front.n == 0);
}

static bool is_front(const struct fit_unit *u, const struct fit_options *o,
		     const struct fit_result *r)
{
	for (size_t i = 0; i < r->front.n; i++) {
		const struct overlay *x = &r->front.at[i].o;
		fit_work_t left = UINT64_MAX;
		if (fit_all(u, 1, x, &o->map, &left) != FIT_YES)
			return false;
		for (size_t k = 0; k < r->front.n; k++)
			if (k != i && overlay_nste(&r->front.at[k].o) <= overlay_nste(x) &&
			    overlay_npred(&r->front.at[k].o) <= overlay_npred(x))
				return false;
		if (i != 0 && r->front.at[i].cost.cost < r->front.at[i - 1].cost.cost)
			return false;
	}
	return true;
}

/* Checks that fit_smallest() finds the same value of the parameter as a trial of all values up to
 * 12. */
static bool smallest_by_trial(const struct fit_unit *u, const struct fit_options *o,
			      struct overlay x, const struct overlay_param *param)
{
	struct fit_smallest s;
	uint32_t *value = overlay_field(&x, param), v;

	if (!fit_smallest(u, 1, &x, param, &o->map, UINT64_MAX, &s))
		return false;
	for (v = param->lowest; v <= 12; v++) {
		fit_work_t left = UINT64_MAX;
		*value = v;
		if (fit_all(u, 1, &x, &o->map, &left) == FIT_YES)
			break;
	}
	if (v > 12)
		return !s.found || s.value > 12;
	if (!s.found || s.value != v || !s.proved)
		printf("# %s: %u instead of %u%s\n", param->name, s.value, v,
		       s.proved ? "" : ", not proved");
	return s.found && s.value == v && s.proved;
}

static void test_filter(const struct nfart_proto *proto, uint64_t seed, bool ok[3], size_t *nothing)
{
	struct gen_options g = { .proto = proto, .positions = 6 + seed % 20 };
	struct overlay x = { .none = false };
	struct fit_options o;
	struct fit_result r, cheapest;
	struct buf text = { 0 };
	struct fit_unit u;
	struct pipeline p;

	fit_options_init(&o);
	o.range = range;
	gen_filter(seed, &g, &text);
	if (fit_compile(&p, text.at, text.n, "overlay any; labels 64;", STAGE_NFA) == NFART_OK &&
	    fit_unit_init(&u, &p.spec, &p.nfa)) {
		overlay_default(&x, p.spec.proto);
		ok[0] &= fit_search(&u, 1, &x, &o, &r) == NFART_OK && r.complete &&
			 r.unknown == 0 && is_front(&u, &o, &r) && by_trial(&u, &o, &r);
		o.cheapest = true;
		ok[1] &= fit_search(&u, 1, &x, &o, &cheapest) == NFART_OK &&
			 cheapest.front.n == (r.front.n != 0) &&
			 (r.front.n == 0 ||
			  cheapest.front.at[0].cost.cost == r.front.at[0].cost.cost);
		*nothing += r.front.n == 0;
		x.clique = 1 + (uint32_t)(seed % 3);
		x.length = 1 + (uint32_t)(seed / 3 % 4);
		x.rings = 1 + (uint32_t)(seed / 12 % 3);
		x.reach = seed / 36 % 2;
		x.labels = 64;
		x.window = 65536;
		x.lines = 65536;
		for (size_t i = 0; i < 4; i++)
			ok[2] &= smallest_by_trial(&u, &o, x, &overlay_params[i]);
		fit_result_free(&r);
		fit_result_free(&cheapest);
	}
	if (!ok[0] || !ok[1] || !ok[2])
		printf("# seed %" PRIu64 "\n", seed);
	pipeline_free(&p);
	buf_free(&text);
}

int main(void)
{
	struct nfart_proto *proto = proto_builtin("bytes");
	bool ok[3] = { true, true, true };
	size_t nothing = 0;

	test_splits();
	test_cost();
	for (uint64_t seed = 1; seed <= FILTERS && ok[0] && ok[1] && ok[2]; seed++)
		test_filter(proto, seed, ok, &nothing);
	printf("# %zu of %d filters fit nowhere in the range\n", nothing, FILTERS);
	fit_show(ok[0], "the front is what trying every overlay finds");
	fit_show(ok[1], "the cheapest is the first of the front");
	fit_show(ok[2], "the smallest values are what trying all finds");
	printf("1..%d\n", tests);
	proto_free(proto);
	return failed != 0;
}

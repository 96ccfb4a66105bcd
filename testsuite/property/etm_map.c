/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Maps the regulators of examples/etm, and random machines, to a trace unit. What the registers
 * mean must be what the machine says (backends/etm/proof/, which shares no code with the mapper).
 *
 * NFACC_SEED is the first seed, NFACC_MAPPED how many machines there are.
 */
#include <inttypes.h>
#include <string.h>

#include "backends/etm/etm.h"
#include "backends/etm/proof/etm_readings.h"
#include "compiler/pipeline.h"
#include "contract/etm/etm_text.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

static uint64_t etm_map_draw(uint64_t *seed, uint64_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % below;
}

/* ---- a machine, compiled ---- */

struct outcome {
	enum nfart_status status; /* of the mapper */
	enum etm_meaning meaning;
	uint32_t selectors;
	struct buf text;          /* what is different, or what was reported */
};

static void etm_map_compare(const struct pipeline *p, const struct etm_core *core,
			    struct outcome *out)
{
	const struct etm_program *x = p->job.made.own;
	struct etm_compared in = {
		.spec = &p->spec, .machine = &p->spec.machines.at[0], .core = core, .regs = &x->regs
	};
	const unsigned readings[] = {
		0, etm_reading_number((struct etm_reading){ .priority = true }),
		etm_reading_number((struct etm_reading){ .overlap = true })
	};
	struct etm_result r;

	for (size_t i = 0; i < p->spec.outputs.n; i++)
		in.pins[in.noutputs++] = (etm_pins_t)(1u << x->report.output[i]);
	for (unsigned i = 0; p->options.etm.layout == ETM_LAYOUT_AUTHORS && i < ETM_OUTPUTS; i++)
		if ((x->regs.eventctl0[0] >> i * ETM_TRCEVENTCTL0R_EVENT0_WIDTH & 0xff) != 0)
			in.pins[0] |= (etm_pins_t)(1u << i);
	out->selectors = x->report.selectors;
	/* The robust layout means the source in three readings. */
	for (unsigned i = 0; i == 0 || (i < 3 && p->options.etm.layout == ETM_LAYOUT_ROBUST &&
					out->meaning == ETM_MEANS_SOURCE); i++) {
		out->status = etm_compare(&in, readings[i], &r);
		out->meaning = r.meaning;
		if (out->status == NFART_OK && r.meaning != ETM_MEANS_SOURCE)
			etm_result_print(&in, &r, "#  ", &out->text);
		etm_result_free(&r);
	}
}

static void etm_map_compile(const char *text, const char *const *params, size_t nparams,
			    const struct etm_core *core, enum etm_layout layout,
			    struct outcome *out)
{
	struct pipeline *p = calloc(1, sizeof *p);
	struct pipeline_options o;
	struct pipeline_file file = { "machine", text, strlen(text), FORM_FILTERS };

	memset(out, 0, sizeof *out);
	out->status = NFART_SYSTEM;
	if (p == NULL)
		return;
	pipeline_options_init(&o);
	o.etm.core = core;
	o.etm.layout = layout;
	o.front.params = params;
	o.front.nparams = nparams;
	out->status = pipeline_run(p, &o, &file, 1);
	if (out->status == NFART_OK)
		etm_map_compare(p, core, out);
	else if (p->diags.records.n != 0)
		buf_addf(&out->text, "%s", p->diags.records.at[0].message);
	pipeline_free(p);
	free(p);
}

/* ---- the regulators ---- */

static void regulators(struct tap *t, const struct etm_core *core)
{
	static const char *const budget[] = { "budget=28", "period=6001" };
	static const char *const strobe[] = { "cycles=5001", "off=10000" };
	static const struct {
		const char *name;
		const char *const *params;
		bool layout;
		uint32_t most, robust; /* selectors */
	} files[] = {
		{ "pr", budget, true, 5, 5 }, { "pr-stop", budget, false, 5, 5 },
		{ "pr-always", budget, true, 4, 4 }, { "pr-user", budget, false, 9, 10 },
		{ "pr13", budget, false, 7, 8 }, { "tb31", budget, true, 6, 8 },
		{ "tb22", budget, true, 6, 7 }, { "tb13", budget, true, 6, 7 },
		{ "tb31-exact", budget, false, 10, 10 }, { "count32", NULL, false, 1, 1 },
		{ "strobing", strobe, false, 2, 2 },
	};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		for (int layout = 0; layout <= ETM_LAYOUT_ROBUST; layout++) {
			if (layout == ETM_LAYOUT_AUTHORS && !files[i].layout)
				continue;
			struct buf path = { 0 }, text = { 0 };
			struct outcome out = { .status = NFART_SYSTEM };
			buf_addf(&path, "%s/examples/etm/%s.re", getenv("SRCDIR"), files[i].name);
			if (!path.failed && buf_read_file(&text, path.at, 1 << 16) == 0)
				etm_map_compile(text.at, files[i].params,
						files[i].params != NULL ? 2 : 0, core,
						(enum etm_layout)layout, &out);
			tap_case(t,
				 out.status == NFART_OK && out.meaning == ETM_MEANS_SOURCE &&
					 (layout == ETM_LAYOUT_AUTHORS ||
					  out.selectors <= (layout == ETM_LAYOUT_FEWEST
								    ? files[i].most
								    : files[i].robust)),
				 "%s, layout %d: %" PRIu32 " selectors%s%s", files[i].name, layout,
				 out.selectors, out.text.n != 0 ? ": " : "",
				 out.text.n != 0 ? out.text.at : "");
			buf_free(&out.text);
			buf_free(&path);
			buf_free(&text);
		}
}

/* ---- random machines ---- */

struct shape {
	uint64_t seed;
	unsigned states, counters;
	bool tick;
};

static void draw_term(struct shape *s, unsigned counters, struct buf *b)
{
	static const char *const preds[] = {
		"Any(LINES)", "Any(L2D_CACHE_WB)", "None(L2D_CACHE_REFILL)", "Any(CTI_TRIGGER@1)",
		"Any(FETCH_EL0)", "None(FETCH_EL1)", "true"
	};
	uint64_t kind = etm_map_draw(&s->seed, 4);

	if (kind == 0 && s->tick)
		buf_addf(b, etm_map_draw(&s->seed, 4) == 0 ? "notick" : "tick");
	else if (kind <= 2 && counters != 0)
		buf_addf(b, "%s@c%d", etm_map_draw(&s->seed, 5) == 0 ? "!" : "",
			 (int)etm_map_draw(&s->seed, counters));
	else
		buf_addf(b, "%s", preds[etm_map_draw(&s->seed, sizeof preds / sizeof preds[0])]);
}

static void draw_cond(struct shape *s, unsigned counters, bool when, struct buf *b)
{
	draw_term(s, counters, b);
	if (etm_map_draw(&s->seed, 3) == 0) {
		buf_addf(b, " & ");
		draw_term(s, counters, b);
	}
	if (when && etm_map_draw(&s->seed, 3) == 0)
		buf_addf(b, " when s%d", (int)etm_map_draw(&s->seed, s->states));
	buf_addf(b, ";\n");
}

static void draw_machine(struct shape *s, struct buf *b)
{
	if (s->tick)
		buf_addf(b, "tick %d;\n", 1 + (int)etm_map_draw(&s->seed, 4));
	buf_addf(b, "machine m {\n");
	for (unsigned i = 0; i < s->counters; i++)
		buf_addf(b, "counter c%u at %d roll;\n", i, 1 + (int)etm_map_draw(&s->seed, 3));
	for (unsigned i = 0; i < s->states; i++)
		buf_addf(b, "state s%u%s%s;\n", i, i == 0 ? " start" : "",
			 i + 1 == s->states || etm_map_draw(&s->seed, 3) == 0 ? " output(o)" : "");
	for (unsigned i = 0; i < s->counters; i++) {
		buf_addf(b, "count c%u : ", i);
		draw_cond(s, i, true, b);
		if (etm_map_draw(&s->seed, 2) == 0) {
			buf_addf(b, "reset c%u : ", i);
			draw_cond(s, i, true, b);
		}
	}
	for (unsigned n = s->states + (unsigned)etm_map_draw(&s->seed, 4); n > 0; n--) {
		if (etm_map_draw(&s->seed, 8) == 0)
			buf_addf(b, "* -> s%d : ", (int)etm_map_draw(&s->seed, s->states));
		else
			buf_addf(b, "s%d -> s%d : ", (int)etm_map_draw(&s->seed, s->states),
				 (int)etm_map_draw(&s->seed, s->states));
		draw_cond(s, s->counters, false, b);
	}
	buf_addf(b, "}\n");
}

/* Maps one random machine. Returns whether it was mapped and proved. */
static bool etm_map_one(struct tap *t, uint64_t seed, const struct etm_core *core, uint64_t *nofit)
{
	struct shape s = { .seed = seed };
	struct buf b = { 0 };
	struct outcome out, robust;
	bool mapped, right;

	s.states = 1 + (unsigned)etm_map_draw(&s.seed, 4);
	s.tick = etm_map_draw(&s.seed, 3) != 0;
	s.counters = (unsigned)etm_map_draw(&s.seed, 3 - (unsigned)s.tick);
	draw_machine(&s, &b);
	etm_map_compile(b.at, NULL, 0, core, ETM_LAYOUT_FEWEST, &out);
	*nofit += out.status == NFART_NOFIT;
	etm_map_compile(b.at, NULL, 0, core, ETM_LAYOUT_ROBUST, &robust);
	mapped = out.status == NFART_OK && out.meaning == ETM_MEANS_SOURCE;
	right = robust.status == NFART_NOFIT ||
		(mapped && robust.status == NFART_OK && robust.meaning == ETM_MEANS_SOURCE &&
		 robust.selectors >= out.selectors);
	if (!right)
		tap_case(t, false,
			 "NFACC_SEED=%" PRIu64
			 " NFACC_MAPPED=1: robust, status %d, meaning %d: %s\n%s",
			 seed, robust.status, robust.meaning,
			 robust.text.n != 0 ? robust.text.at : "", b.at);
	if (!mapped && out.status != NFART_NOFIT) {
		tap_case(t, false,
			 "NFACC_SEED=%" PRIu64 " NFACC_MAPPED=1: status %d, meaning %d: %s\n%s",
			 seed, out.status, out.meaning, out.text.n != 0 ? out.text.at : "", b.at);
	}
	buf_free(&out.text);
	buf_free(&robust.text);
	buf_free(&b);
	return mapped && right;
}

int main(void)
{
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_MAPPED", 150), mapped = 0,
		 nofit = 0;
	struct diags d = { .werror = false };
	struct etm_core core;
	struct tap t = { 0 };

	if (etm_core_find(&d, NULL, 0, "a53", 3, &core) != NFART_OK)
		return 99;
	regulators(&t, &core);
	for (uint64_t i = 0; i < n; i++)
		mapped += etm_map_one(&t, seed + i, &core, &nofit);
	tap_case(&t, mapped > 0 || n < 10,
		 "%" PRIu64 " random machines from seed %" PRIu64 ": %" PRIu64
		 " mapped and proved, %" PRIu64 " do not fit",
		 n, seed, mapped, nofit);
	diag_free(&d);
	return tap_end(&t);
}

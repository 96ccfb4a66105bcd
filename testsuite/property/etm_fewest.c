/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Does the mapper find the fewest selectors? All programs of few selectors for a trace unit with
 * two states are enumerated, and what the sequencer does with each is taken from the decoder's
 * etm_move(). This gives the least number for each of the 256 machines that have two states and see
 * two signals: two external inputs, or one and `tick`. The mapper must find the same number, for
 * the default reading, and with --layout=robust for both priorities of the sequencer. Where both
 * numbers are equal, --layout=fewest must be robust, too; where not, it must warn. The default
 * layout must be robust where there is such a mapping, and else be the other one, with the warning.
 *
 * The mapper's rules hold for these programs, too: a state of the machine is a state of the
 * sequencer, and the event of an external output looks at states alone.
 *
 * NFACC_SELECTORS is the largest number of selectors that is enumerated, from 1 to 6.
 */
#include <string.h>

#include "backends/etm/etm.h"
#include "backends/etm/etm_decode.h"
#include "backends/etm/proof/etm_readings.h"
#include "compiler/pipeline.h"
#include "contract/etm/etm_text.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

/* Row h << 2 | a << 1 | x: the sequencer is in state h, and the two signals are a and x. */
enum { ROWS = 8, MACHINES = 1 << ROWS, MOST = 6, FUNCTIONS = 32, EVENTS = 2 + MOST + MOST / 2 };
enum { OUT_ANY, OUT_IN_0, OUT_IN_1, OUTS };
enum { DEFAULT, BOTH, DEMANDS };

/* What a selector or an event computes. */
struct function {
	uint8_t rows;
	bool states; /* it looks at states alone */
};

struct universe {
	const char *name;
	const char *second[2]; /* how a source says that the second signal is not there, or is */
	bool tick;
	unsigned nfunctions;
	struct function function[FUNCTIONS];
	/* The fewest selectors with which the sequencer moves as `next` says, in the default
	 * reading or in both priorities, and an event tells a state as an output needs it. 0xff:
	 * more than were tried. */
	uint8_t fewest[DEMANDS][MACHINES][OUTS];
	uint8_t moves[2][ROWS * 2]; /* [priority][s << 3 | reset << 2 | back << 1 | forward] */
};

struct program {
	unsigned n, nevents;
	struct function event[EVENTS];
};

/* ---- what selectors compute ---- */

static void add_function(struct universe *u, uint8_t rows, bool states)
{
	for (unsigned i = 0; i < u->nfunctions; i++)
		if (u->function[i].rows == rows && u->function[i].states == states)
			return;
	u->function[u->nfunctions++] = (struct function){ rows, states };
}

/* Lists OR over signals of one group and its inverse. The states are in the group of `tick`. */
static void list_functions(struct universe *u)
{
	static const uint8_t state[2] = { 0x0f, 0xf0 }, a = 0xcc, x = 0xaa;
	const uint8_t inputs[2] = { a, u->tick ? 0 : x };
	const uint8_t rest[3] = { state[0], state[1], u->tick ? x : 0 };

	for (unsigned mask = 1; mask < 8; mask++) {
		uint8_t in = 0, out = 0;
		for (unsigned i = 0; i < 3; i++) {
			in |= i < 2 && (mask >> i & 1) ? inputs[i] : 0;
			out |= (mask >> i & 1) ? rest[i] : 0;
		}
		add_function(u, in, false);
		add_function(u, (uint8_t)~in, false);
		add_function(u, out, (mask & 4) == 0);
		add_function(u, (uint8_t)~out, (mask & 4) == 0);
	}
}

/* ---- what programs do ---- */

static void list_moves(struct universe *u)
{
	for (unsigned p = 0; p < 2; p++)
		for (unsigned i = 0; i < ROWS * 2; i++)
			u->moves[p][i] =
				(uint8_t)etm_move((struct etm_reading){ .priority = p != 0 },
						  i >> 3, i & 1, i >> 1 & 1, i >> 2 & 1);
}

/* The rows in which the sequencer is in state 1 after the cycle. */
static uint8_t next_of(const uint8_t *moves, uint8_t forward, uint8_t back, uint8_t reset)
{
	uint8_t next = 0;

	for (unsigned r = 0; r < ROWS; r++)
		next |= (uint8_t)(moves[r >> 2 << 3 | (reset >> r & 1) << 2 | (back >> r & 1) << 1 |
					(forward >> r & 1)] << r);
	return next;
}

static void fewest_note(struct universe *u, const struct program *p, uint8_t next, unsigned demand)
{
	uint8_t *fewest = u->fewest[demand][next];

	for (unsigned i = 0; i < p->nevents; i++)
		for (unsigned out = 0; out < OUTS; out++)
			if (p->n < fewest[out] &&
			    (out == OUT_ANY ||
			     (p->event[i].states &&
			      p->event[i].rows == (out == OUT_IN_0 ? 0x0f : 0xf0))))
				fewest[out] = (uint8_t)p->n;
}

/* Tries all ways to give events to the three functions of the sequencer. */
static void try_program(struct universe *u, const struct program *p)
{
	for (unsigned f = 0; f < p->nevents; f++)
		for (unsigned b = 0; b < p->nevents; b++)
			for (unsigned r = 0; r < p->nevents; r++) {
				uint8_t next[2];
				for (unsigned i = 0; i < 2; i++)
					next[i] = next_of(u->moves[i], p->event[f].rows,
							  p->event[b].rows, p->event[r].rows);
				fewest_note(u, p, next[0], DEFAULT);
				if (next[0] == next[1])
					fewest_note(u, p, next[0], BOTH);
			}
}

static void add_event(struct program *p, uint8_t rows, bool states)
{
	p->event[p->nevents++] = (struct function){ rows, states };
}

/* Tries all programs that have, besides those of *p, `left` selectors: pairs from number `from` on
 * and, if `left` is odd, one selector alone. */
static void fewest_extend(struct universe *u, const struct program *p, unsigned left, unsigned from)
{
	unsigned n = u->nfunctions;

	if (left == 0)
		try_program(u, p);
	for (unsigned i = 0; left == 1 && i < n; i++) {
		struct program more = *p;
		add_event(&more, u->function[i].rows, u->function[i].states);
		try_program(u, &more);
	}
	for (unsigned i = from; left >= 2 && i < n * n * 2; i++) {
		const struct function *f = &u->function[i / 2 % n], *g = &u->function[i / 2 / n];
		uint8_t both = f->rows & g->rows;
		struct program more = *p;
		if (g < f)
			continue;
		add_event(&more, f->rows, f->states);
		add_event(&more, g->rows, g->states);
		add_event(&more, i % 2 != 0 ? (uint8_t)~both : both, f->states && g->states);
		fewest_extend(u, &more, left - 2, i);
	}
}

static void enumerate(struct universe *u, unsigned most)
{
	list_functions(u);
	list_moves(u);
	memset(u->fewest, 0xff, sizeof u->fewest);
	for (unsigned n = 0; n <= most; n++) {
		struct program p = { .n = n };
		add_event(&p, 0x00, true);
		add_event(&p, 0xff, true);
		fewest_extend(u, &p, n, 0);
	}
}

/* ---- machines ---- */

/* Machine `next`: bit s << 2 | a << 1 | x says in which state it is after a cycle that began in
 * state s. It starts in state 0, and its output is on in state 1. Returns the fewest selectors, or
 * 0xff. */
static uint8_t fewest_of(const struct universe *u, unsigned next, unsigned demand)
{
	bool reached = (next & 0x0f) != 0; /* state 1 */
	uint8_t best = 0xff;

	for (unsigned free = 0; free < (reached ? 1u : 16u); free++) {
		uint8_t x = (uint8_t)(reached ? next : (next & 0x0f) | free << 4);
		uint8_t swapped = (uint8_t)~(x << 4 | x >> 4);
		uint8_t plain = u->fewest[demand][x][reached ? OUT_IN_1 : OUT_ANY];
		uint8_t turned = u->fewest[demand][swapped][reached ? OUT_IN_0 : OUT_ANY];
		best = plain < best ? plain : best;
		best = turned < best ? turned : best;
	}
	return best;
}

static void write_machine(const struct universe *u, unsigned next, struct buf *b)
{
	buf_addf(b, "%smachine m { state s0 start; state s1 output(o);\n",
		 u->tick ? "tick 5;\n" : "");
	for (unsigned r = 0; r < ROWS; r++)
		if ((next >> r & 1) != r >> 2)
			buf_addf(b, "s%u -> s%u : %s(A_ONE) & %s;\n", r >> 2, next >> r & 1,
				 (r >> 1 & 1) != 0 ? "Any" : "None", u->second[r & 1]);
	buf_addf(b, "}\n");
}

struct mapped {
	enum nfart_status status;
	uint32_t selectors;
	bool warned;
	bool means[2]; /* [priority]: the registers mean the source */
};

static void fewest_compare(const struct pipeline *p, const struct etm_core *core,
			   struct mapped *out)
{
	const struct etm_program *x = p->job.made.own;
	struct etm_compared in = { .spec = &p->spec,
				   .machine = &p->spec.machines.at[0],
				   .core = core,
				   .regs = &x->regs,
				   .noutputs = 1,
				   .pins = { 1 } };

	out->selectors = x->report.selectors;
	for (unsigned i = 0; i < 2 && out->status == NFART_OK; i++) {
		struct etm_result r;
		out->status = etm_compare(&in, i, &r);
		out->means[i] = r.meaning == ETM_MEANS_SOURCE;
		etm_result_free(&r);
	}
}

static struct mapped fewest_map(const char *text, const struct etm_core *core,
				enum etm_layout layout)
{
	struct mapped out = { .status = NFART_SYSTEM };
	struct pipeline *p = calloc(1, sizeof *p);
	struct pipeline_file file = { "machine", text, strlen(text), FORM_FILTERS };
	struct pipeline_options o;

	if (p == NULL)
		return out;
	pipeline_options_init(&o);
	o.etm.core = core;
	o.etm.layout = layout;
	out.status = pipeline_run(p, &o, &file, 1);
	for (size_t i = 0; i < p->diags.records.n; i++)
		out.warned = out.warned || strcmp(p->diags.records.at[i].code, "etm-priority") == 0;
	if (out.status == NFART_OK)
		fewest_compare(p, core, &out);
	pipeline_free(p);
	free(p);
	return out;
}

/* Was as much found as was enumerated, or more than that, or nothing? */
static bool agrees(const struct mapped *x, uint8_t fewest, unsigned most)
{
	if (x->status != NFART_OK)
		return x->status == NFART_NOFIT && fewest == 0xff;
	return fewest != 0xff ? x->selectors == fewest : x->selectors > most;
}

/* Do the registers mean the source, in both priorities if they can, and was it said where they
 * can't without more selectors? */
static bool is_right(const struct mapped *plain, const struct mapped *robust)
{
	if (plain->status != NFART_OK)
		return robust->status == NFART_NOFIT && !plain->warned;
	if (robust->status != NFART_OK)
		return plain->means[0] && !plain->means[1] && plain->warned;
	return plain->means[0] && robust->means[0] && robust->means[1] && !robust->warned &&
	       plain->warned == (plain->selectors != robust->selectors) &&
	       (plain->warned || plain->means[1]);
}

/* Is the default layout robust if it can be, and else the one with the fewest selectors? */
static bool is_default(const struct mapped *x, const struct mapped *plain,
		       const struct mapped *robust)
{
	if (plain->status != NFART_OK)
		return x->status == NFART_NOFIT;
	if (robust->status != NFART_OK)
		return x->status == NFART_OK && x->warned && x->selectors == plain->selectors;
	return x->status == NFART_OK && !x->warned && x->selectors == robust->selectors &&
	       x->means[0] && x->means[1];
}

/* Maps machine `next` in three layouts and prints what is wrong. Returns whether nothing is. */
static bool fewest_check(struct tap *t, const struct universe *u, const struct etm_core *core,
			 unsigned next, unsigned most)
{
	struct buf b = { 0 };
	struct mapped plain, robust, usual;
	uint8_t fewest = fewest_of(u, next, DEFAULT), both = fewest_of(u, next, BOTH);
	bool right;

	write_machine(u, next, &b);
	plain = fewest_map(b.at, core, ETM_LAYOUT_FEWEST);
	robust = fewest_map(b.at, core, ETM_LAYOUT_ROBUST);
	usual = fewest_map(b.at, core, ETM_LAYOUT_AUTO);
	right = agrees(&plain, fewest, most) && agrees(&robust, both, most) &&
		is_right(&plain, &robust) && is_default(&usual, &plain, &robust);
	if (!right)
		tap_case(t, false,
			 "%s, machine %02x: fewest %u, not %u; robust %u, not %u; status %d, %d, "
			 "warned %d, equal %d%d %d%d\n# %s",
			 u->name, next, plain.selectors, fewest, robust.selectors, both,
			 plain.status, robust.status, plain.warned, plain.means[0], plain.means[1],
			 robust.means[0], robust.means[1], b.at);
	buf_free(&b);
	return right;
}

static void check_all(struct tap *t, struct universe *u, const struct etm_core *core, unsigned most)
{
	unsigned right = 0, known = 0, dearer = 0;

	enumerate(u, most);
	for (unsigned next = 0; next < MACHINES; next++) {
		uint8_t fewest = fewest_of(u, next, DEFAULT), both = fewest_of(u, next, BOTH);
		known += both != 0xff;
		dearer += both != 0xff && both > fewest;
		right += fewest_check(t, u, core, next, most);
	}
	tap_case(t, right == MACHINES && (known > MACHINES / 2 || most < 4),
		 "%s: %u of %u machines as "
		 "enumerated, %u of them with at most %u selectors; robust takes more for %u",
		 u->name, right, MACHINES, known, most, dearer);
}

int main(void)
{
	static const char text[] =
		"etm tiny; states 2; counters 1; bits 16; selectors 16; inputs 2; "
		"ranges 0; outputs 1; cti 4; bus 2; interrupt level; event A_ONE 0; event B_ONE 1;";
	static struct universe inputs = { .name = "two inputs",
					  .second = { "None(B_ONE)", "Any(B_ONE)" } },
			       tick = { .name = "an input and tick",
					.second = { "notick", "tick" },
					.tick = true };
	unsigned most = (unsigned)setting("NFACC_SELECTORS", 4);
	struct diags d = { .werror = false };
	struct etm_core core;
	struct tap t = { 0 };

	if (most < 1 || most > MOST ||
	    etm_core_parse(&d, "tiny", text, strlen(text), &core) != NFART_OK)
		return 99;
	check_all(&t, &inputs, &core, most);
	check_all(&t, &tick, &core, most);
	diag_free(&d);
	return tap_end(&t);
}

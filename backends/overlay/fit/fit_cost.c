/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Estimates what the NFA costs in an FPGA. Every term stands for a module in rtl/ and counts
 * as many LUTs as an OR of the module's inputs takes. The constants were fitted to what yosys
 * counts for overlays of 4 to 604 STEs and 1 to 128 lines; `make bench-rtl` prints estimate
 * and count side by side.
 */
#include "backends/overlay/fit/fit_cost.h"

/* Returns how many LUTs of six inputs a tree takes that combines n inputs into one output. */
static uint64_t tree(uint64_t n)
{
	return n <= 1 ? 1 : (n + 3) / 5;
}

static uint64_t divide_up(uint64_t n, uint64_t by)
{
	return (n + by - 1) / by;
}

/* Returns a * b, or UINT64_MAX if the product is larger than that. */
static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Adds to *c the cost of the memories of rows, with the registers and write signals around them. */
static void rows(const struct overlay *o, struct fit_cost *c)
{
	uint64_t columns = divide_up(overlay_row_width(o), 16), tables = overlay_ntable(o);
	uint32_t slots = overlay_nslots(o);

	if (o->memory == OVERLAY_LUT)
		c->luts += 8 * slots * columns * tables;
	c->luts += 9 * slots + 60;
	c->ffs += 8 * slots + 4 * overlay_row_words(o);
	if (o->lines > 1)
		c->ffs += slots * (1 + overlay_line_bits(o));
}

/* Adds to *c the cost of matching predicates, which every line does for itself. */
static void match(const struct overlay *o, struct fit_cost *c)
{
	uint32_t slots = overlay_nslots(o);
	uint64_t stes = overlay_nste(o), n = o->decoder == OVERLAY_BANK ? o->bank : stes;

	if (o->decoder == OVERLAY_STE)
		c->luts += (stes * overlay_ntable(o) + 1) * slots;
	else
		rows(o, c);
	if (o->lines == 1)
		c->luts += n * tree(slots + 1);
	else
		c->luts +=
			n * o->lines * divide_up(13 * slots, 20) + (uint64_t)slots * o->lines;
	c->ffs += n * (o->lines == 1 || o->decoder == OVERLAY_BANK ? o->lines : 0) + n;
	if (o->decoder == OVERLAY_BANK) {
		c->luts += stes * o->lines * divide_up(5 * (uint64_t)o->bank, 16);
		c->ffs += stes * overlay_select_bits(o);
	}
}

/* Adds to *c the cost of the ORs over predecessors and of the state bits. */
static void states(const struct overlay *o, struct fit_cost *c)
{
	uint64_t stes = overlay_nste(o), each = stes * o->lines;

	if (o->predecessors == OVERLAY_LUT5) {
		c->luts += each * (overlay_npredlut(o) + tree(overlay_npredlut(o) + 3));
	} else {
		c->luts += each * (divide_up(3 * overlay_npred(o), 5) + 2);
		c->ffs += stes * (overlay_npred(o) + 1);
	}
	c->ffs += each + stes;
	if (o->lines > 1) {
		c->luts += 2 * each;
		c->ffs += stes * divide_up(o->lines, 6);
	}
}

/* Adds to *c the cost of the counters. Each has an OR that counts, an OR that resets, a register
 * for the count, and a comparison of the count with its bound. */
static void counters(const struct overlay *o, struct fit_cost *c)
{
	uint64_t n = overlay_ncounters(o), each = n * o->lines, w = o->counter_width;
	/* Only STEs of a counter's own clique and of neighbouring cliques can make it count. */
	uint64_t stes = (uint64_t)overlay_nneighbours(o) * o->clique;

	if (n == 0)
		return;
	if (o->predecessors == OVERLAY_LUT5) {
		c->luts += 2 * each * (overlay_npredlut(o) + tree(overlay_npredlut(o)));
	} else {
		c->luts += 2 * each * divide_up(3 * stes, 5);
		c->ffs += 2 * n * overlay_npred(o);
	}
	c->luts += each * (2 * w + 3) + n * (w / 5 + 1);
	c->ffs += each * w + n * (w + 2) + 2 * o->lines;
}

/* Adds to *c what keeps the states of lines in a memory: the words on their way, and the steps that
 * are made of a batch. The memory itself takes no LUTs. */
static void memory(const struct overlay *o, struct fit_cost *c)
{
	uint64_t slots = overlay_nslots(o), line = overlay_line_bits(o);
	uint64_t word = overlay_nste(o) + (uint64_t)overlay_ncounters(o) * (o->counter_width + 1);

	c->luts += 4 * word + 80 + slots * slots * (line + 13) / 6 + slots * line;
	c->ffs += 4 * word + 200 + 2 * slots * slots +
		  slots * (2 * line + 5 * (uint64_t)overlay_row_bits(o));
	if (o->time == OVERLAY_TIME_YES) {
		c->luts += word / 3 + 60;
		c->ffs += word + 80;
	}
}

/* Adds to *c what names of lines cost: with copies a set of label tables for each line, in place of
 * flip-flops for six lines, and a search for each name. */
static void names(const struct overlay *o, struct fit_cost *c)
{
	uint64_t lines = o->lines, outputs = (uint64_t)o->labels + 1, groups = overlay_ngroup(o);
	uint64_t n = o->names, name = o->labels + overlay_line_bits(o);
	uint64_t each = (uint64_t)overlay_nste(o) * lines;

	if (n == 0)
		return;
	if (o->state == OVERLAY_STATE_MEMORY) {
		c->luts += 2 * n * name + 20;
		c->ffs += 2 * (n * name + 4 + overlay_line_bits(o)) + 2;
		return;
	}
	c->luts += (lines - 1) * (outputs * groups + outputs * groups / 5) + lines * outputs + 15 +
		   n * (name * divide_up(lines, 3) + 2 * lines);
	c->luts -= lines > 1 ? 2 * each : 0;
	c->ffs += (n + 1) * (lines * outputs + outputs + 2) + name * n * (n + 1) / 2 +
		  lines * outputs * (1 + divide_up(groups, 5)) + 2 * lines + 2 * n;
	c->ffs -= lines > 1 ? overlay_nste(o) * divide_up(lines, 6) : 0;
}

/* Adds to *c what deals out batches to two banks and joins their answers. */
static void join(const struct overlay *o, struct fit_cost *c)
{
	uint64_t line = overlay_line_bits(o), names = (uint64_t)o->names * (o->labels + line);

	c->luts += 140 + 2 * (uint64_t)o->slots + names;
	c->ffs += 90 + o->labels + names;
}

/* Estimates an overlay whose states are not in a memory. */
static struct fit_cost copies_cost(const struct overlay *o, const struct fit_weights *w)
{
	uint64_t outputs = (uint64_t)(o->labels + 1) * overlay_ngroup(o);
	struct fit_cost c = { .luts = 20, .ffs = 14 };
	uint64_t luts, ffs;

	match(o, &c);
	states(o, &c);
	counters(o, &c);
	c.luts += outputs + outputs / 5;
	c.ffs += (uint64_t)(o->labels + 1) * divide_up(overlay_ngroup(o), 5);
	names(o, &c);
	luts = times(c.luts, w->lut);
	ffs = times(c.ffs, w->ff);
	c.cost = luts > UINT64_MAX - ffs ? UINT64_MAX : luts + ffs;
	return c;
}

struct fit_cost fit_cost(const struct overlay *o, const struct fit_weights *w)
{
	struct overlay one = *o, bank = *o;
	struct fit_cost c, more = { 0 };

	if (o->state == OVERLAY_STATE_COPIES)
		return copies_cost(o, w);
	one.lines = 1;
	one.names = 0;
	c = copies_cost(&one, w);
	bank.lines = (uint32_t)divide_up(o->lines, o->banks);
	memory(&bank, &more);
	names(&bank, &more);
	if (o->banks == 2) {
		more.luts += c.luts + more.luts;
		more.ffs += c.ffs + more.ffs;
		join(o, &more);
	}
	c.luts += more.luts;
	c.ffs += more.ffs;
	more.luts = times(more.luts, w->lut);
	more.ffs = times(more.ffs, w->ff);
	more.cost = more.luts > UINT64_MAX - more.ffs ? UINT64_MAX : more.luts + more.ffs;
	c.cost = c.cost > UINT64_MAX - more.cost ? UINT64_MAX : c.cost + more.cost;
	return c;
}

uint64_t fit_cost_stes(const struct overlay *o, uint64_t n, uint64_t decoders)
{
	struct fit_cost decoder = { 0 }, state = { 0 };
	uint64_t stes = overlay_nste(o), all;

	match(o, &decoder);
	states(o, &state);
	all = times(decoder.luts, decoders);
	all = times(n, all > UINT64_MAX - state.luts ? UINT64_MAX : all + state.luts);
	return all > UINT64_MAX - stes ? UINT64_MAX / stes : (all + stes / 2) / stes;
}

struct fit_cost fit_tests_cost(const struct overlay *o)
{
	uint64_t mask = overlay_guard_tables(o), range = overlay_range_tables(o);
	/* With shadow there are two sets of payload tests. */
	uint64_t sets = o->shadow == OVERLAY_SHADOW_YES ? 2 : 1;
	uint64_t payload = overlay_payload_tables(o);
	struct fit_cost c = { 0 };

	if (overlay_ntest(o) == 0)
		return c;
	c.luts = 8 + o->guards * (mask + tree(mask));
	c.luts += o->ranges * (range + divide_up(9 * range, 16));
	c.luts += o->payload_tests * (sets * (payload + divide_up(9 * payload, 16)) + sets - 1);
	c.luts *= o->slots;
	/* The results of payload tests wait for those of the header. */
	c.ffs = (uint64_t)o->slots * (12 + overlay_ntest(o) +
				      sets * o->payload_tests * overlay_payload_words(o));
	/* If labels swap, the results of both sets wait with a batch for the NFA, beside it while
	 * it is decided, and where it is taken back to. LUT RAM has a bit of 32 batches in half a
	 * LUT. */
	if (o->label_swap == OVERLAY_LABEL_SWAP_YES) {
		c.luts += (uint64_t)o->slots * 2 * o->payload_tests;
		c.ffs += (uint64_t)o->slots * 3 * 2 * o->payload_tests;
	}
	return c;
}

uint64_t fit_histogram_rams(const struct overlay *o)
{
	enum { WORD = 124 }; /* bits of a bin: a count and its generation (nfacc_histogram.v) */
	uint32_t bits = o->histogram, wide;

	if (bits == 0)
		return 0;
	while (1u << bits < o->labels)
		bits++;
	/* A block has 512 words of 36 bits, or twice as many of half as many bits, and so on. */
	wide = bits <= 9 ? 36 : bits == 10 ? 18 : 9;
	return 2 * divide_up(WORD, wide) * (bits == 12 ? 2 : 1);
}

/* Returns how many batches come while a swap holds the input FIFO, as nfacc_engine.v has it in
 * MEANWHILE. */
static uint64_t meanwhile(const struct overlay *o)
{
	uint64_t codes = overlay_row_bits(o) > overlay_recode_bits(o) ? overlay_row_bits(o) :
			 overlay_recode_bits(o);
	bool labels = o->label_swap == OVERLAY_LABEL_SWAP_YES;
	uint64_t n = (uint64_t)overlay_most_words(o) + o->window + 64, steps = 0;

	if (o->decoder != OVERLAY_STE || overlay_ntest(o) != 0)
		n += (uint64_t)1 << codes;
	if (o->state == OVERLAY_STATE_MEMORY)
		steps = (uint64_t)o->slots + 16 +
			(o->broadcast == OVERLAY_BROADCAST_YES ? o->lines : 0);
	return n + (labels ? 128 + 2 * 48 * steps : 24 * steps);
}

uint64_t fit_payload_rams(const struct overlay *o)
{
	/* A block has 512 words of 36 bits; the queue and the output FIFO have at most so many. */
	uint64_t wide = divide_up((uint64_t)o->slots * o->payload, 36), deep, arrived = 1;

	if (o->shadow == OVERLAY_SHADOW_YES)
		while (arrived * 512 < 2 * (meanwhile(o) + 8))
			arrived *= 2;
	deep = arrived + 1 + (o->state == OVERLAY_STATE_MEMORY);
	if (o->window != 0)
		deep += divide_up((uint64_t)1 << contract_log2(o->window + 2), 512);
	return o->payload == 0 ? 0 : wide * deep;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/etm/proof/etm_signals.h"

#include <inttypes.h>
#include <string.h>

#include "support/bits.h"

enum {
	MOST_LINES = 8,
	MOST_CUTS = 64,
	NO_SLOT = -1
};

/* The bits of an address that a comparator, and a header, has. */
#define ADDRESS_BITS ((((uint64_t)1 << ETM_FETCH_BITS) - 1) & ~(uint64_t)3)

struct maker {
	struct etm_signals *t;
	const struct spec *s;
	const struct machine *m;
	const struct etm_core *core;
	const struct etm_regs *r;
	const struct etm_machine *machine;
	uint64_t used;             /* the inputs that the registers look at */
	bool fetches;              /* the source looks at fetches */
	int fetch_slot;
	unsigned nlines;
	uint64_t cut[MOST_CUTS];   /* addresses at which something may begin */
	unsigned ncuts;
	const char *why;           /* why it was given up */
};

static struct etm_signal *add(struct maker *k, enum etm_signal_kind kind)
{
	struct etm_signals *t = k->t;

	if (t->n == ETM_SIDE_ATOMS) {
		k->why = "too many different signals";
		return NULL;
	}
	t->at[t->n] = (struct etm_signal){ .kind = kind, .slot = UINT32_MAX };
	return &t->at[t->n++];
}

/* ---- predicates of the source ---- */

static void each_cond(struct maker *k, const struct machine_cond *c,
		      void (*visit)(struct maker *, pred_id_t))
{
	for (uint32_t i = 0; i < c->nterms; i++)
		if (c->terms[i].kind == MACHINE_PRED)
			visit(k, c->terms[i].pred);
}

static void each_pred(struct maker *k, void (*visit)(struct maker *, pred_id_t))
{
	const struct machine *m = k->m;

	for (size_t i = 0; i < m->counters.n; i++) {
		for (size_t j = 0; j < m->counters.at[i].count.n; j++)
			each_cond(k, &m->counters.at[i].count.at[j], visit);
		for (size_t j = 0; j < m->counters.at[i].reset.n; j++)
			each_cond(k, &m->counters.at[i].reset.at[j], visit);
	}
	for (size_t i = 0; i < m->moves.n; i++)
		each_cond(k, &m->moves.at[i].cond, visit);
}

static const char *group_of(const struct spec *s, uint32_t slot)
{
	return s->proto->names.groups[s->proto->slots[slot].group];
}

/* Is a message in the slot, with opcode 0, in the set of the predicate? */
static bool has_slot(const struct spec *s, pred_id_t p, uint32_t slot)
{
	return bits_get(s->preds.preds.at[p].letters, slot << s->proto->header.op_bits);
}

static void visit_lines(struct maker *k, pred_id_t p)
{
	const struct spec *s = k->s;

	for (uint32_t slot = 0; slot < s->proto->nslots && k->why == NULL; slot++) {
		struct etm_signal *x;
		unsigned i = 0;

		if ((int)slot == k->fetch_slot || !has_slot(s, p, slot))
			continue;
		while (i < k->t->n && k->t->at[i].slot != slot)
			i++;
		if (i < k->t->n || (x = add(k, ETM_SIGNAL_LINE)) == NULL)
			continue;
		x->slot = slot;
		x->number = (uint32_t)s->proto->slots[slot].channel;
		if (!k->core->ete && strcmp(group_of(s, slot), ETM_GROUP_PMU) == 0)
			x->number += k->core->cti;
		else if (k->core->ete && strcmp(group_of(s, slot), ETM_GROUP_PMU) != 0)
			x->number = strcmp(group_of(s, slot), ETM_GROUP_CTI) == 0
				? x->number + ETM_ETE_CTI
				: UINT32_MAX; /* nothing that TRCEXTINSELR could choose */
	}
}

static void visit_fetches(struct maker *k, pred_id_t p)
{
	uint32_t first = (uint32_t)k->fetch_slot << k->s->proto->header.op_bits;

	for (uint32_t letter = alphabet_next(&k->s->preds.alphabet, (uint32_t)k->fetch_slot,
					     UINT32_MAX);
	     letter != UINT32_MAX;
	     letter = alphabet_next(&k->s->preds.alphabet, (uint32_t)k->fetch_slot, letter))
		if (alphabet_code(&k->s->preds.alphabet, letter) - first < ETM_FETCH_LEVELS &&
		    bits_get(k->s->preds.preds.at[p].letters, letter))
			k->fetches = true;
}

/* ---- lines ---- */

/* Adds what the registers look at and the source does not, and notes which inputs a line activates.
 * Input selectors may choose the same line. */
static void add_inputs(struct maker *k)
{
	struct etm_signals *t = k->t;

	for (unsigned i = 0; i < ETM_INPUTS && k->why == NULL; i++) {
		bool line = i < ETM_INPUT_EXTIN + ETM_EXTIN;
		uint32_t number = line ? k->machine->extin.number[i - ETM_INPUT_EXTIN] : i;
		struct etm_signal *x;
		unsigned j = 0;

		if (!(k->used >> i & 1) || (i >= ETM_INPUT_RANGE && i < ETM_INPUT_CONTEXT))
			continue;
		while (j < t->n && (!line || t->at[j].number != number))
			j++;
		if (j == t->n) {
			x = add(k, line ? ETM_SIGNAL_LINE : ETM_SIGNAL_OTHER);
			if (x == NULL)
				return;
			x->number = number;
		}
		t->inputs[j] |= (uint64_t)1 << i;
	}
	k->nlines = t->n;
	if (t->n > MOST_LINES)
		k->why = "too many lines at once";
}

/* ---- fetches ---- */

static void add_cut(struct maker *k, uint64_t address)
{
	unsigned i = 0;

	if (address > ADDRESS_BITS)
		return;
	while (i < k->ncuts && k->cut[i] != address)
		i++;
	if (i < k->ncuts)
		return;
	if (k->ncuts == MOST_CUTS)
		k->why = "too many ranges of addresses";
	else
		k->cut[k->ncuts++] = address;
}

/* Cuts where a test of a guard begins or ends. */
static void cut_guards(struct maker *k)
{
	const struct alphabet *a = &k->s->preds.alphabet;

	for (uint32_t level = 0; level < ETM_FETCH_LEVELS; level++) {
		const struct alphabet_guard *g = alphabet_guard(
			a, ((uint32_t)k->fetch_slot << k->s->proto->header.op_bits) + level);

		for (uint32_t i = 0; g != NULL && i < g->nuses; i++) {
			const struct header_test *x = &a->asked[a->uses[g->first_use + i]];

			if (x->mask != ADDRESS_BITS) {
				k->why = "a guard that is no range of addresses";
				return;
			}
			add_cut(k, (x->lo + 3) & ~(uint64_t)3);
			add_cut(k, (x->hi & ~(uint64_t)3) + 4);
		}
	}
}

static uint64_t low_of(const struct maker *k, unsigned range)
{
	return k->r->acv[2 * range] & ADDRESS_BITS;
}

static uint64_t high_of(const struct maker *k, unsigned range)
{
	return k->r->acv[2 * range + 1] & ADDRESS_BITS;
}

static void cut_comparators(struct maker *k)
{
	for (unsigned i = 0; i < 8; i++)
		if (k->used >> (ETM_INPUT_RANGE + i) & 1) {
			add_cut(k, low_of(k, i));
			add_cut(k, high_of(k, i) + 4);
		}
}

/* Is comparator `range` active when an instruction is fetched? Bits 8 to 11 of its type exclude the
 * levels of the secure state, bits 12 to 14 those of the other; EL3 has one bit. */
static bool range_active(struct maker *k, unsigned range, uint32_t level, uint64_t address)
{
	uint64_t type = k->r->acat[2 * range], other = level < 3 ? level + 12 : 11;

	if (ETM_GET(TRCACATR, TYPE, type) != 0)
		k->why = "a comparator of another type than instruction fetches";
	if ((type >> (level + 8) & 1) != (type >> other & 1))
		k->why = "a comparator for one security state alone";
	return !(type >> (level + 8) & 1) && address >= low_of(k, range) &&
	       address <= high_of(k, range);
}

/* Returns the letter of a fetch: the class of its code whose sample passes the same tests. */
static uint32_t fetch_letter(const struct maker *k, uint32_t level, uint64_t address)
{
	const struct alphabet *a = &k->s->preds.alphabet;
	uint32_t code = ((uint32_t)k->fetch_slot << k->s->proto->header.op_bits) + level;
	const struct alphabet_guard *g = alphabet_guard(a, code);
	const struct record_message fetched = { { address } };

	for (uint32_t i = 0; g != NULL && i < g->nclasses; i++) {
		const struct alphabet_class *c = &a->classes[g->first_class + i];
		bool same = true;

		for (uint32_t j = 0; j < g->nuses; j++) {
			const struct header_test *x = &a->asked[a->uses[g->first_use + j]];

			same = same && header_test_passes(x, &c->sample) ==
					       header_test_passes(x, &fetched);
		}
		if (same)
			return c->letter;
	}
	return code;
}

static int compare_cuts(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* Are two fetches the same to registers and to all predicates of the source? */
static bool alike(const struct maker *k, unsigned x, unsigned y)
{
	const struct spec *s = k->s;
	const struct etm_signal *a = &k->t->at[x], *b = &k->t->at[y];
	uint32_t p, q;

	if (k->t->inputs[x] != k->t->inputs[y])
		return false;
	if (k->m == NULL || k->fetch_slot == NO_SLOT)
		return true;
	p = fetch_letter(k, a->level, a->address);
	q = fetch_letter(k, b->level, b->address);
	for (size_t i = 0; i < s->preds.preds.n; i++)
		if (bits_get(s->preds.preds.at[i].letters, p) !=
		    bits_get(s->preds.preds.at[i].letters, q))
			return false;
	return true;
}

/* Adds a fetch for each level and each stretch of addresses, if it is not like one before it. */
static void add_fetches(struct maker *k)
{
	struct etm_signals *t = k->t;

	add_cut(k, 0);
	if (k->m != NULL && k->fetch_slot != NO_SLOT)
		cut_guards(k);
	cut_comparators(k);
	qsort(k->cut, k->ncuts, sizeof *k->cut, compare_cuts);
	for (uint32_t level = 0; level < ETM_FETCH_LEVELS; level++)
		for (unsigned c = 0; c < k->ncuts && k->why == NULL; c++) {
			struct etm_signal *x = add(k, ETM_SIGNAL_FETCH);
			unsigned j = k->nlines, at = t->n - 1;

			if (x == NULL)
				return;
			x->slot = k->fetch_slot == NO_SLOT ? UINT32_MAX : (uint32_t)k->fetch_slot;
			x->level = level;
			x->address = k->cut[c];
			t->inputs[at] = 0;
			for (unsigned i = 0; i < 8; i++)
				if ((k->used >> (ETM_INPUT_RANGE + i) & 1) &&
				    range_active(k, i, level, x->address))
					t->inputs[at] |= (uint64_t)1 << (ETM_INPUT_RANGE + i);
			while (j < at && !alike(k, j, at))
				j++;
			if (j < at)
				t->n--;
		}
}

/* ---- all of it ---- */

static void visit_pred(struct maker *k, pred_id_t id)
{
	const struct pred *p = &k->s->preds.preds.at[id];
	const struct alphabet *a = &k->s->preds.alphabet;
	struct etm_pred *out = &k->t->preds[id];

	*out = (struct etm_pred){ .none = p->none };
	for (unsigned i = 0; i < k->t->n; i++) {
		const struct etm_signal *x = &k->t->at[i];
		bool in = x->slot != UINT32_MAX &&
			  (x->kind == ETM_SIGNAL_FETCH
				   ? bits_get(p->letters, fetch_letter(k, x->level, x->address))
				   : has_slot(k->s, id, x->slot));

		out->atoms |= (uint32_t)in << i;
	}
	if (a->time == IMAGE_NO_TIME)
		return;
	out->tick = bits_get(p->letters, a->time + IMAGE_TICK);
	out->notick = bits_get(p->letters, a->time);
}

static bool make_letters(struct maker *k)
{
	struct etm_signals *t = k->t;
	uint32_t fetches = t->n - k->nlines;

	t->letters = malloc(((size_t)fetches + 1) * sizeof *t->letters << k->nlines);
	if (t->letters == NULL)
		return false;
	for (uint32_t f = 0; f <= fetches; f++)
		for (uint32_t lines = 0; lines >> k->nlines == 0; lines++)
			t->letters[t->nletters++] =
				lines | (f == 0 ? 0u : 1u << (k->nlines + f - 1));
	return true;
}

static int find_fetch_slot(const struct spec *s)
{
	for (uint32_t i = 0; i < s->proto->nslots; i++)
		if (strcmp(group_of(s, i), ETM_GROUP_FETCH) == 0)
			return (int)i;
	return NO_SLOT;
}

enum nfart_status etm_signals(struct etm_signals *t, const struct spec *s, const struct machine *m,
			      const struct etm_core *core, const struct etm_regs *r,
			      const struct etm_machine *machine, const char **why)
{
	struct maker k = { .t = t, .s = s, .m = m, .core = core, .r = r, .machine = machine };

	memset(t, 0, sizeof *t);
	etm_uses(machine, &k.used, NULL, NULL);
	k.fetch_slot = m != NULL ? find_fetch_slot(s) : NO_SLOT;
	if (m != NULL)
		each_pred(&k, visit_lines);
	if (m != NULL && k.fetch_slot != NO_SLOT)
		each_pred(&k, visit_fetches);
	add_inputs(&k);
	if (k.why == NULL && (k.fetches || (k.used >> ETM_INPUT_RANGE & 0xff) != 0))
		add_fetches(&k);
	*why = k.why;
	if (k.why != NULL)
		return NFART_GAVEUP;
	if (m != NULL) {
		t->preds = calloc(s->preds.preds.n + 1, sizeof *t->preds);
		if (t->preds == NULL)
			return NFART_SYSTEM;
		each_pred(&k, visit_pred);
	}
	return make_letters(&k) ? NFART_OK : NFART_SYSTEM;
}

void etm_signals_free(struct etm_signals *t)
{
	free(t->letters);
	free(t->preds);
	t->letters = NULL;
	t->preds = NULL;
}

/* Appends a message of a type that the protocol names: group, type, channel and address. */
static void print_message(const struct spec *s, const struct etm_signal *x, struct buf *b)
{
	const struct nfart_proto *p = s->proto;
	uint32_t op = x->kind == ETM_SIGNAL_FETCH ? x->level : 0,
		 code = (x->slot << p->header.op_bits) + op;
	char name[80];

	if (p->codes.type_of[code] == 0) {
		proto_slot_name(p, x->slot, name);
		buf_addf(b, "%s=0x%" PRIx64, name, (uint64_t)op << p->header.op_lsb | x->address);
		return;
	}
	buf_addf(b, "%s.%s", p->names.groups[p->slots[x->slot].group],
		 p->names.types[p->codes.type_of[code] - 1]);
	if (p->slots[x->slot].channel != PROTO_NO_CHANNEL)
		buf_addf(b, "@%d", p->slots[x->slot].channel);
	if (bits_get(p->codes.has_addr, code))
		buf_addf(b, ":0x%" PRIx64, x->address);
}

void etm_signals_print(const struct etm_signals *t, const struct spec *s, uint32_t letter,
		       struct buf *b)
{
	bool first = true;

	for (unsigned i = 0; i < t->n; i++) {
		const struct etm_signal *x = &t->at[i];

		if (!(letter >> i & 1))
			continue;
		buf_addf(b, "%s", first ? "" : " ");
		first = false;
		if (x->slot != UINT32_MAX && s != NULL)
			print_message(s, x, b);
		else if (x->kind == ETM_SIGNAL_LINE)
			buf_addf(b, "input%" PRIu32, x->number);
		else if (x->kind == ETM_SIGNAL_FETCH)
			buf_addf(b, "fetch%" PRIu32 ":0x%" PRIx64, x->level, x->address);
		else
			buf_addf(b, "resource%" PRIu32, x->number);
	}
}

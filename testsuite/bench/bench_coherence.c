/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * bench_coherence: how much the checkers of coherence find. Each message of a trace is dropped,
 * doubled, and turned into each other event of its sender, one change at a time. For the tables of
 * the thesis, the rules of ECI, and projections of these, it prints how many of the changed traces
 * have an error. Those that eci.coh finds are those that no run of its rules explains. Then two
 * messages of a line are changed, the second one so that it is found alone, and it prints how many
 * of these a checker finds that begins anew after the first error. First it prints how long
 * derivation takes, also with rules that have 22 times as many states.
 *
 *   bench_coherence FOLDER-OF-RULES [TRACE]
 */
#include <string.h>

#include "compiler/coherence/beliefs.h"
#include "grammar/describe/proto_text.h"
#include "support/bits.h"
#include "support/buf.h"
#include "support/clock.h"
#include "testsuite/bench/measure.h"

enum { MOST_MESSAGES = 4096, SAMPLE = 1500, ROUNDS = 5 };

/* The messages of a trace that are events, in their order. */
struct messages {
	size_t n;
	uint32_t event[MOST_MESSAGES]; /* index into the protocol's events */
	uint64_t line[MOST_MESSAGES];
};

static const struct nfart_proto *bench_find(void *ctx, const char *name, size_t n)
{
	(void)name;
	(void)n;
	return ctx;
}

static void add_message(const struct nfart_proto *p, uint32_t slot, uint64_t header,
			struct messages *m)
{
	uint32_t code = proto_code(p, slot, header);

	for (uint32_t i = 0; i < p->names.nevents; i++)
		for (uint32_t k = 0; k < p->names.events[i].ntypes; k++)
			if (p->codes.type_of[code] == p->names.events[i].types[k] + 1 &&
			    p->slots[slot].group == p->names.events[i].group &&
			    m->n < MOST_MESSAGES) {
				m->event[m->n] = i;
				m->line[m->n++] = proto_line(p, header);
			}
}

static void read_trace(const struct nfart_proto *p, const char *path, struct messages *m)
{
	struct nfart_reader_options o = { .format = NFART_FORMAT_AUTO };
	struct nfart_error e;
	struct nfart_reader *r = nfart_reader_open(path, p, &o, &e);
	struct nfart_batch b;

	if (r == NULL)
		die(e.what);
	while (nfart_reader_next(r, &b, &e) == 1)
		for (uint32_t slot = 0; slot < p->nslots; slot++)
			if ((b.mask >> slot & 1) != 0)
				add_message(p, slot, b.header[slot], m);
	nfart_reader_free(r);
}

/* The event of the protocol that an event is: these rules have no tests of fields. */
static uint32_t proto_of(const struct coh *c, uint32_t event)
{
	return c->parts.at[c->events[event].parts.first].proto;
}

/* One change: message `at` becomes `n` messages of this event. */
struct change {
	size_t at;
	uint32_t n, event;
};

/* Does the checker find an error in the line of a changed message? */
static bool finds(const struct coh *c, const struct beliefs *b, const struct messages *m,
		  const struct change *change)
{
	uint32_t belief = 0;

	for (size_t i = 0; i < m->n; i++) {
		uint32_t n = i == change->at ? change->n : 1;
		uint32_t event = 0;

		if (m->line[i] != m->line[change->at])
			continue;
		while (event < c->nevents &&
		       proto_of(c, event) != (i == change->at ? change->event : m->event[i]))
			event++;
		for (; n > 0 && event < c->nevents && (b->seen >> event & 1) != 0; n--) {
			belief = belief_after(b, belief, event);
			if (belief == COH_NONE)
				return true;
		}
	}
	return false;
}

typedef VEC(struct change) changes_t;

/* All changes: first those that drop, then those that double, then the others. */
static void list_changes(const struct nfart_proto *p, const struct messages *m, changes_t *all)
{
	bool ok = true;

	for (uint32_t n = 0; n <= 2; n += 2)
		for (size_t i = 0; i < m->n; i++)
			ok = ok && vec_push(all, ((struct change){ i, n, m->event[i] }));
	for (size_t i = 0; i < m->n; i++)
		for (uint32_t event = 0; event < p->names.nevents; event++)
			if (event != m->event[i] &&
			    p->names.events[event].group == p->names.events[m->event[i]].group)
				ok = ok && vec_push(all, ((struct change){ i, 1, event }));
	if (!ok)
		die("out of memory");
}

/* ---- checkers ---- */

struct checker {
	struct coh coh;
	struct coh_system system;
	double seconds; /* from the text to the system */
};

static void bench_load(const struct nfart_proto *p, const char *text, struct checker *k)
{
	struct coh_options o = { bench_find, (void *)(uintptr_t)p };
	struct diags d = { .werror = false };
	double begin = clock_seconds();
	bool ok;

	memset(k, 0, sizeof *k);
	ok = coh_parse(&d, diag_add_source(&d, "rules", text, strlen(text)), &o, &k->coh) ==
	     NFART_OK;
	ok = ok && (k->coh.rules ? system_of_rules(&k->coh, &d, &system_usual,
						   &k->system) == NFART_OK
				 : system_of_tables(&k->coh, &k->system));
	if (!ok)
		die(d.records.n != 0 ? d.records.at[0].message : "out of memory");
	diag_free(&d);
	k->seconds = clock_seconds() - begin;
}

/* Returns the events that a projection such as "R,RA" sees; "": all. */
static uint64_t seen_of(const struct coh *c, const char *projection)
{
	uint64_t seen = 0;

	for (const char *at = projection; *at != 0; at += strcspn(at, ","), at += *at == ',')
		seen |= coh_find_events(c, at, strcspn(at, ","));
	return *projection == 0 ? UINT64_MAX : seen;
}

/* Sets the bit of each change that a checker finds, and counts beliefs. */
static uint32_t find_changes(const struct checker *k, const char *projection,
			     const struct messages *m, const changes_t *all, uint64_t *found)
{
	struct beliefs b;
	struct change none = { 0, 1, m->n != 0 ? m->event[0] : 0 };
	uint32_t n;

	if (beliefs_find(&k->system, k->coh.nevents, seen_of(&k->coh, projection), k->coh.known,
			 &beliefs_usual, &b) != NFART_OK)
		die("no beliefs");
	for (size_t i = 0; i < m->n; i++) {
		none.at = i;
		none.event = m->event[i];
		if (finds(&k->coh, &b, m, &none))
			die("an error in the unchanged trace");
	}
	for (size_t i = 0; i < all->n; i++)
		if (finds(&k->coh, &b, m, &all->at[i]))
			bits_set(found, i);
	n = b.n;
	beliefs_free(&b);
	return n;
}

/* Prints a row: what the checkers of these projections, separated by blanks, find together. */
static void bench_row(const struct checker *k, const char *name, const char *projections,
		      const struct messages *m, const changes_t *all)
{
	uint64_t *found = calloc(bits_words(all->n) + 1, sizeof *found);
	size_t parts[3] = { 0 }, sum = 0, sample = 0, n = m->n;
	char one[64];

	if (found == NULL)
		die("out of memory");
	do {
		snprintf(one, sizeof one, "%.*s", (int)strcspn(projections, " "), projections);
		find_changes(k, one, m, all, found);
		projections += strcspn(projections, " ");
	} while (*projections++ != 0);
	for (size_t i = 0; i < all->n; i++) {
		bool is = bits_get(found, i);

		parts[i < n ? 0 : i < 2 * n ? 1 : 2] += is;
		sum += is;
	}
	/* The sample is spread evenly, so it is the same in every run. */
	for (size_t i = 0; i < SAMPLE; i++)
		sample += bits_get(found, i * all->n / SAMPLE);
	printf("%-22s %5zu %5zu %6zu   %5.1f %%  %5zu\n", name, parts[0], parts[1], parts[2],
	       100.0 * (double)sum / (double)all->n, sample);
	free(found);
}

/* ---- two changes ---- */

/* Finds at which messages a checker that begins anew has an error, with n changes of one line. */
static void find_alarms(const struct coh *c, const struct beliefs *b, const struct messages *m,
			const struct change *const *changes, size_t n,
			bool alarm[static MOST_MESSAGES])
{
	uint32_t belief = 0;

	memset(alarm, 0, MOST_MESSAGES * sizeof *alarm);
	for (size_t i = 0; i < m->n; i++) {
		uint32_t times = 1, proto = m->event[i], event = 0;

		for (size_t k = 0; k < n; k++)
			if (changes[k]->at == i) {
				times = changes[k]->n;
				proto = changes[k]->event;
			}
		while (event < c->nevents && proto_of(c, event) != proto)
			event++;
		for (; m->line[i] == m->line[changes[0]->at] && event < c->nevents && times > 0;
		     times--) {
			uint32_t next = belief_after(b, belief, event);

			alarm[i] = alarm[i] || next == COH_NONE;
			belief = next != COH_NONE ? next : b->restart.at[event];
		}
	}
}

/* Is a second change found that is found alone? It is if there is an error at or after it that the
 * first change alone does not make. */
static bool finds_second(const struct coh *c, const struct beliefs *b, const struct messages *m,
			 const struct change *first, const struct change *second)
{
	const struct change *both[] = { first, second };
	bool one[MOST_MESSAGES], two[MOST_MESSAGES];

	find_alarms(c, b, m, both, 1, one);
	find_alarms(c, b, m, both, 2, two);
	for (size_t i = second->at; i < m->n; i++)
		if (two[i] && !one[i])
			return true;
	return false;
}

/* Prints how many second changes are found, of pairs of changes of a line. */
static void bench_second(const struct checker *k, const struct messages *m, const changes_t *all)
{
	struct beliefs b;
	size_t alone = 0, found = 0;

	if (beliefs_find(&k->system, k->coh.nevents, UINT64_MAX, k->coh.known, &beliefs_usual,
			 &b) != NFART_OK)
		die("no beliefs");
	/* Two steps without a common factor spread the pairs over all changes. */
	for (size_t i = 0; i < 40 * (size_t)SAMPLE; i++) {
		const struct change *x = &all->at[i * 7919 % all->n];
		const struct change *y = &all->at[i * 104729 % all->n];

		if (x->at >= y->at || m->line[x->at] != m->line[y->at] ||
		    !finds(&k->coh, &b, m, x) || !finds(&k->coh, &b, m, y))
			continue;
		alone++;
		found += finds_second(&k->coh, &b, m, x, y);
	}
	printf("%zu pairs of changes, both found alone; the second found after the first: %zu, "
	       "%.1f %%\n", alone, found, alone != 0 ? 100.0 * (double)found / (double)alone : 0);
	beliefs_free(&b);
}

/* Prints sizes, and the median time from the text to the beliefs. */
static void derivation(const struct nfart_proto *p, const char *name, const char *text)
{
	double seconds[ROUNDS];
	struct checker k;
	struct beliefs b;

	for (int i = 0; i < ROUNDS; i++) {
		double begin;

		bench_load(p, text, &k);
		begin = clock_seconds();
		if (beliefs_find(&k.system, k.coh.nevents, UINT64_MAX, false, &beliefs_usual, &b) !=
		    NFART_OK)
			die("no beliefs");
		seconds[i] = k.seconds + clock_seconds() - begin;
		if (i + 1 == ROUNDS)
			printf("%-22s %6u states, %4u beliefs, %6.1f ms\n", name, k.system.nstates,
			       b.n, 1e3 * median(seconds, ROUNDS));
		beliefs_free(&b);
		system_free(&k.system);
		coh_free(&k.coh);
	}
}

/* Appends the rules of ECI with one more variable, which has 22 values and changes at any time. */
static void widen(const char *text, struct buf *b)
{
	const char *node = strstr(text, "node fpga: ");

	if (node == NULL)
		die("no node fpga");
	buf_add(b, text, (size_t)(node - text));
	buf_addf(b, "node fpga: t =");
	for (int i = 0; i < 22; i++)
		buf_addf(b, " %d", i);
	buf_addf(b, ", %s", node + strlen("node fpga: "));
	for (int i = 0; i < 22; i++)
		buf_addf(b, "fpga: t=%d : t=%d;\n", i, (i + 1) % 22);
}

static char *read_rules(const char *folder, const char *name, struct buf *b)
{
	struct buf path = { 0 };

	buf_addf(&path, "%s/coherence/%s", folder, name);
	if (path.failed || buf_read_file(b, path.at, 1 << 20) != 0)
		die(name);
	buf_free(&path);
	return b->at;
}

int main(int argc, char **argv)
{
	static struct messages m;
	struct buf rules = { 0 }, tables = { 0 }, wide = { 0 };
	struct nfart_proto *p = NULL;
	struct diags d = { .werror = false };
	struct checker thesis, eci;
	changes_t all = { 0 };

	if (argc < 2 || proto_find(&d, NULL, 0, "eci", 3, &p) != NFART_OK)
		die("usage: bench_coherence FOLDER [TRACE]");
	read_rules(argv[1], "eci.coh", &rules);
	read_rules(argv[1], "moesi-tables.coh", &tables);
	widen(rules.at, &wide);
	derivation(p, "tables of the thesis", tables.at);
	derivation(p, "eci.coh", rules.at);
	derivation(p, "eci.coh, 22 times", wide.at);
	if (argc > 2) {
		bench_load(p, rules.at, &eci);
		bench_load(p, tables.at, &thesis);
		read_trace(p, argv[2], &m);
		list_changes(p, &m, &all);
		printf("\n%zu messages, no error; %zu changes of one message\n", m.n, all.n);
		printf("%-22s %5s %5s %6s %9s  %5s\n", "found", "drop", "twice", "other", "all",
		       "of 1500");
		bench_row(&thesis, "tables of the thesis", "", &m, &all);
		bench_row(&eci, "eci.coh", "", &m, &all);
		bench_row(&eci, "R,RA", "R,RA", &m, &all);
		bench_row(&eci, "F,A", "F,A", &m, &all);
		bench_row(&eci, "R,RA,V", "R,RA,V", &m, &all);
		bench_row(&eci, "RA,V,A", "RA,V,A", &m, &all);
		bench_row(&eci, "R,RA  F,A", "R,RA F,A", &m, &all);
		bench_row(&eci, "R,RA,V  F,A  RA,V,A", "R,RA,V F,A RA,V,A", &m, &all);
		bench_row(&eci, "R,RA  RA,F,V,A", "R,RA RA,F,V,A", &m, &all);
		bench_second(&eci, &m, &all);
		vec_free(&all);
		system_free(&eci.system);
		coh_free(&eci.coh);
		system_free(&thesis.system);
		coh_free(&thesis.coh);
	}
	buf_free(&rules);
	buf_free(&tables);
	buf_free(&wide);
	proto_free(p);
	diag_free(&d);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Checkers that are derived from descriptions of coherence: the tables of the thesis, cell for
 * cell. Rules with tests that compare many variables.
 */
#include <string.h>

#include "compiler/coherence/beliefs.h"
#include "compiler/coherence/compose.h"
#include "grammar/describe/builtin.h"
#include "testsuite/unit/unit.h"

static const struct nfart_proto *coherence_find(void *ctx, const char *name, size_t n)
{
	(void)name;
	(void)n;
	return ctx;
}

/* Reads examples/coherence/NAME and makes its system. */
static void coherence_load(const char *name, struct nfart_proto *proto, struct coh *c,
			   struct coh_system *s)
{
	struct coh_options o = { coherence_find, proto };
	struct diags d = { .werror = false };
	struct buf path = { 0 }, text = { 0 };

	buf_addf(&path, "%s/examples/coherence/%s", getenv("SRCDIR"), name);
	ck_assert_int_eq(buf_read_file(&text, path.at, 1 << 20), 0);
	if (coh_parse(&d, diag_add_source(&d, name, text.at, text.n), &o, c) != NFART_OK)
		unit_fail("%s: %s", name, d.records.at[0].message);
	memset(s, 0, sizeof *s);
	if (c->rules)
		ck_assert_int_eq(system_of_rules(c, &d, &system_usual, s), NFART_OK);
	else
		ck_assert(system_of_tables(c, s));
	diag_free(&d);
	buf_free(&path);
	buf_free(&text);
}

/* Returns a belief as T table 6 writes it in binary: the first legal pair is the highest bit. */
static uint32_t bits(const struct beliefs *b, uint32_t belief)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < 6 && belief != COH_NONE; i++)
		set |= (uint32_t)(belief_states(b, belief)[0] >> i & 1) << (5 - i);
	return set;
}

/* Counts states and transitions of the automaton and of its homogeneous form (T table 10). States
 * are those of T table 6, the last of them the error, which stays. A transition is a pair of states
 * with all events that lead from one to the other. The homogeneous form has a state for each set of
 * events that enters a state. */
static void sizes(uint32_t n, uint32_t nevents, const struct beliefs *b, uint32_t out[3])
{
	uint64_t events[8][8] = { { 0 } };
	uint32_t copies[8] = { 0 };

	ck_assert_uint_le(n, 7);
	for (uint32_t from = 0; from <= n; from++)
		for (uint32_t i = 0; i < nevents; i++) {
			uint32_t to = from == n ? n : belief_after(b, from, i);

			events[from][to == COH_NONE ? n : to] |= (uint64_t)1 << i;
		}
	memset(out, 0, 3 * sizeof *out);
	for (uint32_t to = 0; to <= n; to++)
		for (uint32_t from = 0; from <= n; from++) {
			uint32_t k = 0;

			while (k < from && events[k][to] != events[from][to])
				k++;
			out[0] += events[from][to] != 0;
			copies[to] += k == from && events[from][to] != 0;
		}
	for (uint32_t from = 0; from <= n; from++) {
		out[1] += copies[from];
		for (uint32_t to = 0; to <= n; to++)
			out[2] += events[from][to] != 0 ? copies[from] : 0;
	}
}

START_TEST(tables)
{
	static const char *const events[] = { "A11", "A21", "A22", "A31", "A32", "F21", "F31",
					      "F32", "R12", "R13", "R23", "RA2", "RA3" };
	/* T table 6; 0 is X */
	static const struct {
		uint32_t state, next[13];
	} table[] = {
		{ 022, { 0, 051, 073, 0, 0, 073, 073, 073, 0, 0, 022, 0, 077 } },
		{ 051, { 051, 0, 0, 0, 0, 051, 051, 051, 051, 051, 0, 073, 077 } },
		{ 073, { 051, 051, 073, 0, 0, 073, 073, 073, 051, 051, 022, 073, 077 } },
		{ 077, { 051, 051, 073, 051, 073, 073, 077, 077, 051, 051, 022, 073, 077 } },
	};
	struct nfart_proto *proto = proto_builtin("eci");
	struct coh_system s;
	struct beliefs b;
	struct coh c;
	uint32_t got[3];

	coherence_load("moesi-tables.coh", proto, &c, &s);
	ck_assert_int_eq(beliefs_find(&s, c.nevents, UINT64_MAX, c.known, &beliefs_usual, &b),
			 NFART_OK);
	ck_assert_uint_eq(c.nevents, 13);
	ck_assert_uint_eq(b.n, 4);
	ck_assert_uint_eq(bits(&b, 0), 077);
	for (uint32_t i = 0; i < b.n; i++) {
		uint32_t row = 0;

		while (row < 4 && table[row].state != bits(&b, i))
			row++;
		ck_assert_uint_lt(row, 4);
		for (uint32_t k = 0; k < 13; k++) {
			uint32_t event = coh_find_event(&c, events[k], 3);

			ck_assert_uint_ne(event, COH_NONE);
			ck_assert_uint_eq(bits(&b, belief_after(&b, i, event)), table[row].next[k]);
		}
	}
	sizes(b.n, c.nevents, &b, got);
	ck_assert_uint_eq(got[0], 19);
	ck_assert_uint_eq(got[1], 15);
	ck_assert_uint_eq(got[2], 53);
	beliefs_free(&b);
	system_free(&s);
	coh_free(&c);
	proto_free(proto);
}
END_TEST

/* Composes rules of which the first has these tests, of n variables a0, a1, ... with 32 values
 * each. Returns how many moves the first rule has. */
static uint32_t compare_many(uint32_t n, const char *tests, enum nfart_status want)
{
	struct nfart_proto *proto = proto_builtin("eci");
	struct coh_options o = { coherence_find, proto };
	struct diags d = { .werror = false };
	struct buf text = { 0 };
	struct composed x;
	struct coh c;
	uint32_t moves = 0;

	buf_addf(&text, "protocol eci; checker many;\nnode cpu:");
	for (uint32_t i = 0; i < n; i++) {
		buf_addf(&text, "%s a%u = v0", i != 0 ? "," : "", i);
		for (uint32_t v = 1; v < COH_VALUES; v++)
			buf_addf(&text, " v%u", v);
	}
	buf_addf(&text, ";\nnode fpga: h = -;\ntap at cpu;\ncpu: %s ! R12;\nfpga: ? R12;\n",
		 tests);
	if (coh_parse(&d, diag_add_source(&d, "many", text.at, text.n), &o, &c) != NFART_OK)
		unit_fail("%s: %s", text.at, d.records.at[0].message);
	ck_assert_int_eq(compose(&c, &x), want);
	for (size_t i = 0; i < x.moves.n; i++)
		moves += x.moves.at[i].rule == 0;
	composed_free(&x);
	coh_free(&c);
	diag_free(&d);
	buf_free(&text);
	proto_free(proto);
	return moves;
}

/* A value that a test leaves another variable none for is not tried any further; and not too many
 * are. With all values of all comparisons, these take hours. */
START_TEST(comparisons)
{
	ck_assert_uint_eq(compare_many(4, "a0=a1 a1=a2 a2=a3 a0=a2 a0=a3 a1=a3 a0!=v1", NFART_OK),
			  31);
	ck_assert_uint_eq(compare_many(8, "a0=v3 a0!=v3 a0!=a1 a1!=a2 a2!=a3 a3!=a4 a4!=a5 a5!=a6",
				       NFART_OK), 0);
	ck_assert_uint_eq(compare_many(2, "a0!=a1", NFART_OK), 32);
	ck_assert_uint_eq(compare_many(8, "a0!=a1 a1!=a2 a2!=a3 a3!=a4 a4!=a5 a5!=a6 a6!=a7 a0=a1",
				       NFART_GAVEUP), 0);
}
END_TEST

Suite *suite_coherence(void)
{
	const TTest *const tests[] = { tables, comparisons, NULL };

	return unit_suite("coherence", tests);
}

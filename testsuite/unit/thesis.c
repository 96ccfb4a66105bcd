/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The numbers of states and transitions that the thesis gives (T table 10, figures 27 and 33),
 * compared with ours.
 */
#include <string.h>

#include "testsuite/unit/unit.h"

static void thesis_compile(struct pipeline *p, int level, uint32_t off, const char *text)
{
	struct pipeline_options o;

	pipeline_options_init(&o);
	o.last = STAGE_NFA;
	o.passes.level = level;
	o.passes.off = off;
	unit_compile(p, &o, text);
}

/* ---- the coherence checker (T table 6), computed from its conditions (table 5) ---- */

/* There are six legal pairs (home state, remote state). remote[i] is the remote state of pair i, in
 * the order of T eq. 24: 1 is I, 2 is S, 3 is E or M. The conditions depend on no home state. */
enum { PAIRS = 6, EVENTS = 13 };
static const int remote[PAIRS] = { 1, 2, 1, 3, 2, 1 };
static const char *const events[EVENTS] = { "A11", "A21", "A22", "A31", "A32", "F21", "F31",
					    "F32", "R12", "R13", "R23", "RA2", "RA3" };

/* Returns the pairs with a remote state from lo to hi, as a mask: bit 5 - i stands for pair i. */
static uint32_t pairs(int lo, int hi)
{
	uint32_t set = 0;

	for (int i = 0; i < PAIRS; i++)
		if (remote[i] >= lo && remote[i] <= hi)
			set |= 1u << (PAIRS - 1 - i);
	return set;
}

/* T eq. 20: returns the pairs that are possible after event m, if those in `before` were possible
 * before it. */
static uint32_t thesis_after(uint32_t before, const char *m)
{
	uint32_t set = 0;

	for (int i = 0; i < PAIRS; i++) {
		int rs = remote[i], y;
		if ((before >> (PAIRS - 1 - i) & 1) == 0)
			continue;
		if (strncmp(m, "RA", 2) == 0) {
			y = m[2] - '0';
			set |= rs < y ? pairs(1, y) : 0;
		} else if (m[0] == 'A') {
			set |= rs == m[1] - '0' ? pairs(1, m[2] - '0') : 0;
		} else if (m[0] == 'R') {
			set |= rs == m[1] - '0' ? pairs(rs, rs) : 0;
		} else {
			set |= rs <= m[1] - '0' ? pairs(1, rs) : 0;
		}
	}
	return set;
}

/* Prints the automaton: a state for each set that can be reached, and one transition for each pair
 * of states, with all events that lead from one to the other. */
static void checker(struct buf *b)
{
	uint32_t state[1 << PAIRS] = { (1 << PAIRS) - 1 }, n = 1;

	for (uint32_t i = 0; i < n; i++)
		for (int m = 0; m < EVENTS; m++) {
			uint32_t next = thesis_after(state[i], events[m]), k = 0;
			while (k < n && state[k] != next)
				k++;
			if (k == n)
				state[n++] = next;
		}
	ck_assert_uint_eq(n, 5);
	buf_addf(b, "protocol eci; automaton coherence {");
	for (uint32_t i = 0; i < n; i++)
		buf_addf(b, "state s%u%s%s;", state[i], i == 0 ? " start" : "",
			 state[i] == 0 ? " accept(illegal)" : "");
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n; k++) {
			const char *sep = "Any(";
			for (int m = 0; m < EVENTS; m++) {
				if (thesis_after(state[i], events[m]) != state[k])
					continue;
				if (sep[0] == 'A')
					buf_addf(b, "s%u -> s%u : ", state[i], state[k]);
				buf_addf(b, "%s%s", sep, events[m]);
				sep = ", ";
			}
			if (sep[0] == ',')
				buf_addf(b, ");");
		}
	buf_addf(b, "}");
}

START_TEST(coherence)
{
	/* The rows of T table 6, with the events in the order of `events`. */
	static const struct {
		uint32_t state, next[EVENTS];
	} table[] = {
		{ 022, { 0, 051, 073, 0, 0, 073, 073, 073, 0, 0, 022, 0, 077 } },
		{ 051, { 051, 0, 0, 0, 0, 051, 051, 051, 051, 051, 0, 073, 077 } },
		{ 073, { 051, 051, 073, 0, 0, 073, 073, 073, 051, 051, 022, 073, 077 } },
		{ 077, { 051, 051, 073, 051, 073, 073, 077, 077, 051, 051, 022, 073, 077 } },
	};
	struct buf text = { 0 };
	struct pipeline p;

	for (size_t i = 0; i < 4; i++)
		for (int m = 0; m < EVENTS; m++)
			ck_assert_uint_eq(thesis_after(table[i].state, events[m]),
					  table[i].next[m]);
	checker(&text);
	ck_assert(!text.failed);
	thesis_compile(&p, 0, 0, text.at);
	ck_assert_uint_eq(p.passes.at[0].states[0], 5);
	ck_assert_uint_eq(p.passes.at[0].edges[0], 19);
	ck_assert_uint_eq(p.nfa.states.n, 15);
	ck_assert_uint_eq(nfa_count_edges(&p.nfa, true), 53);
	pipeline_free(&p);
	thesis_compile(&p, 2, 0, text.at);
	ck_assert_uint_eq(p.nfa.states.n, 10);
	pipeline_free(&p);
	buf_free(&text);
}
END_TEST

/* ---- the automaton for cache misses (T figure 27) ---- */

static const char misses[] =
	"protocol eci; automaton misses {"
	"state s0 start; state compulsory accept; state s1;"
	"state evicted; state capacity accept; state taken; state coherence accept;"
	"s0 -> s0 : None(R12, R13); s0 -> compulsory : Any(R12, R13); compulsory -> s1 : eps;"
	"s1 -> s1 : None(V21, V31, F21, F31);"
	"s1 -> evicted : Any(V21, V31); s1 -> taken : Any(F21, F31);"
	"evicted -> evicted : None(R12, R13); evicted -> capacity : Any(R12, R13); capacity -> s1 "
	": eps;"
	"taken -> taken : None(R12, R13); taken -> coherence : Any(R12, R13); coherence -> s1 : "
	"eps; }";

START_TEST(cache_misses)
{
	struct pipeline p;

	thesis_compile(&p, 0, 0, misses);
	ck_assert_uint_eq(p.passes.at[0].states[0], 7);
	ck_assert_uint_eq(p.passes.at[0].edges[0], 8 + 4);
	ck_assert_uint_eq(p.nfa.states.n, 10);
	ck_assert_uint_eq(nfa_count_edges(&p.nfa, true), 21);
	pipeline_free(&p);
	thesis_compile(&p, 2, 0, misses);
	ck_assert_uint_eq(p.nfa.states.n, 9);
	pipeline_free(&p);
}
END_TEST

/* ---- a request while another one is served (T figure 33, eq. 33 and 34) ---- */

#define REQUESTS                                                                                   \
	"let req = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX);"                              \
	"let no_rsp = None(fpga.MRSP_PEMD, fpga.MRSP_PSHA);"

START_TEST(bounds)
{
	struct pipeline p;

	thesis_compile(&p, 0, 0, REQUESTS "filter f = req no_rsp* req;");
	/* The thesis gives 6 as its sum 1 + 1 + 2 + 1 + 1 + 1, because eq. 43 drops a term of eq.
	 * 42. The right sum is 7. */
	ck_assert_uint_eq(p.bound.states, 7);
	ck_assert_uint_eq(p.bound.edges, 7);
	ck_assert_uint_le(p.passes.at[0].states[0], 7);
	ck_assert_uint_le(p.passes.at[0].edges[0], 7);
	pipeline_free(&p);
}
END_TEST

static void check_in_flight(const char *text, uint32_t off, size_t states, size_t edges)
{
	struct pipeline p;

	thesis_compile(&p, 1, off, text);
	ck_assert_uint_eq(p.nfa.states.n, states);
	ck_assert_uint_eq(nfa_count_edges(&p.nfa, false), edges);
	pipeline_free(&p);
}

START_TEST(in_flight)
{
	check_in_flight(REQUESTS "filter f = true* req no_rsp* req;", unit_pass("always"), 4, 4);
	check_in_flight(REQUESTS "filter f = true* req no_rsp* req; log = all;",
			unit_pass("always"), 4, 4);
}
END_TEST

Suite *suite_thesis(void)
{
	const TTest *const tests[] = { coherence, cache_misses, bounds, in_flight, NULL };

	return unit_suite("thesis", tests);
}

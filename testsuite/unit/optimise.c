/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * What -O2 and -Os make of small filters: each rule where it applies and where it must not. That the
 * meaning stays is for passes.c and the property test.
 */
#include <string.h>

#include "testsuite/unit/unit.h"

static uint32_t without(const char *name)
{
	uint32_t bits = 0;

	for (size_t i = 0; pass_name(i) != NULL; i++)
		if (strcmp(pass_name(i), name) == 0)
			bits |= 1u << i;
	ck_assert_uint_ne(bits, 0);
	return bits;
}

static void compile(struct pipeline *p, int level, uint32_t off, const char *overlay,
		    const char *text)
{
	struct pipeline_options o;
	bool bad = false;

	pipeline_options_init(&o);
	o.last = STAGE_NFA;
	o.passes.level = level;
	o.passes.off = off;
	o.count = 0; /* repetitions stay states */
	unit_check(overlay_numbers(overlay, &o.overlay, &bad) && !bad);
	unit_compile(p, &o, text);
}

/* States at -O2, without the search and with it. */
static void check_states(const char *text, size_t simulated, size_t searched)
{
	struct pipeline p;

	compile(&p, 2, without("search"), "none", text);
	if (p.nfa.states.n != simulated)
		unit_fail("%s: %zu states, not %zu", text, p.nfa.states.n, simulated);
	pipeline_free(&p);
	compile(&p, 2, 0, "none", text);
	if (p.nfa.states.n != searched)
		unit_fail("%s: %zu states, not %zu, with search", text, p.nfa.states.n, searched);
	pipeline_free(&p);
}

START_TEST(joined)
{
	/* Alternatives that differ in one predicate. */
	check_states("protocol bytes; filter x = 'a' ('b' | 'c') 'd';", 4, 4);
	check_states("protocol bytes; filter x = 'a' 'b' 'd' | 'a' 'c' 'd';", 4, 4);
	/* None or None: one predicate where there is one slot, none where there are more. */
	check_states("protocol bytes; filter x = 'a' (None('b') | None('c')) 'd';", 4, 4);
	check_states("filter x = R23 (None(R12) | None(RA2)) R13;", 5, 5);
	check_states("filter x = R23 (Any(R12) | None(R12, RA2)) R13;", 5, 5);
	/* Neither with other predecessors, nor other successors, nor another label or log mark. */
	check_states("protocol bytes; filter x = 'a' 'b' 'd' | 'e' 'c' 'd';", 6, 6);
	check_states("protocol bytes; filter x = 'a' 'b' 'd' | 'a' 'c' 'e';", 6, 6);
	check_states("protocol bytes; filter x = 'a' 'b'; filter y = 'a' 'c';", 4, 4);
	check_states("protocol bytes; filter x = 'a' ('b' | 'c'); log = 'a' 'c';", 4, 4);
	/* Other predecessors, but what the wider predicate adds is there anyway. */
	check_states("protocol bytes; filter x = 'a' 'b' 'd' | 'e' 'c' 'd' | 'e' 'b' 'd'"
		     "| 'a' 'c' 'd';", 4, 4);
}
END_TEST

START_TEST(covered)
{
	/* One alternative says more than the other. */
	check_states("protocol bytes; filter x = 'a' ('b' | Any('b', 'c') true*) 'd';", 5, 5);
	check_states("protocol bytes; filter x = true* 'a' 'b' | true* Any('a', 'c') Any('b', 'd');",
		     2, 2);
	check_states("protocol bytes; filter x = true* 'a' 'b' | true* Any('a', 'c') 'd';", 4, 4);
	/* Two together say what a third does. */
	check_states("protocol bytes; filter x = 'a' (Any('b', 'c') 'd' | 'b' Any('d', 'e') |"
		     "'c' Any('d', 'f'));", 6, 6);
	/* Labels: a set within another; not one beside it. */
	check_states("protocol bytes; filter x = 'a' 'b'; filter y = 'a' Any('b', 'c');", 4, 4);
	check_states("protocol bytes; filter x = 'a' 'b' | 'a' 'c'; filter y = 'a' Any('b', 'c');",
		     3, 3);
	/* Every batch can enter a state that is entered from all there is. */
	check_states("protocol bytes; automaton m { state s start; state t accept;"
		     "s -> s : None('a'); s -> t : 'a'; t -> s : None('a'); t -> t : 'a'; }", 1, 1);
	check_states("protocol bytes; automaton m { state s start; state t accept;"
		     "s -> s : None('a', 'b'); s -> t : 'a'; t -> s : None('a'); t -> t : 'a'; }",
		     3, 3);
}
END_TEST

START_TEST(counters)
{
	/* What counts is a set of batches: here 'b' counts whether or not 'a' was before. */
	check_states("protocol bytes; counter c = true* 'b' | true* 'a' 'b' at 2; filter f = @c;", 2, 2);
	/* A state that counts is no other state's equal. */
	check_states("protocol bytes; counter c = 'a' 'b' at 2; filter f = 'a' 'c' 'd' | 'a' 'b' 'd' | @c;",
		     6, 6);
	/* Two counters are two. */
	check_states("protocol bytes; counter c = true* 'a' at 2; counter d = true* 'a' at 2;"
		     "filter f = @c 'b' | @d 'b';", 4, 4);
}
END_TEST

/* What search finds and simulation does not: whether anything else says it at the same time. */
START_TEST(searched)
{
	check_states("protocol bytes; filter a = true* 'p'; automaton m { state s start; state t;"
		     "state u accept; s -> t : 'a'; t -> t : 'a'; t -> u : 'b'; }", 4, 4);
}
END_TEST

/* Above the bound on states nothing is compared in pairs. */
START_TEST(limits)
{
	struct pipeline p;

	compile(&p, 2, 0, "none", "protocol bytes; filter x = 'a'{1100} ('b' | 'c') 'd';");
	ck_assert_uint_eq(p.nfa.states.n, 1 + 1100 + 3);
	pipeline_free(&p);
	compile(&p, 2, 0, "none", "protocol bytes; filter x = 'a'{900} ('b' | 'c') 'd';");
	ck_assert_uint_eq(p.nfa.states.n, 1 + 900 + 2);
	pipeline_free(&p);
}
END_TEST

/* Four ends that merge into one with more neighbours than an STE has. */
#define FAN                                                                                        \
	"protocol bytes; filter x = true* ('a' 'm' 'x' 'y'{0,2} | 'b' 'n' 'x' 'y'{0,2} |"          \
	"'c' 'o' 'x' 'y'{0,2} | 'd' 'p' 'x' 'y'{0,2});"

START_TEST(size)
{
	struct pipeline two, s;

	compile(&two, 2, 0, "none", FAN);
	compile(&s, PASS_LEVEL_S, 0, "none", FAN);
	ck_assert_uint_eq(two.nfa.states.n, s.nfa.states.n);
	ck_assert_uint_le(nfa_count_edges(&s.nfa, true), nfa_count_edges(&two.nfa, true));
	pipeline_free(&s);
	/* Two neighbours: an STE on a ring of one-STE cliques. */
	compile(&s, PASS_LEVEL_S, 0, "1,40,1,0", FAN);
	ck_assert_uint_ge(s.nfa.states.n, two.nfa.states.n);
	pipeline_free(&s);
	pipeline_free(&two);
}
END_TEST

Suite *suite_optimise(void)
{
	const TTest *const tests[] = { joined, covered, counters, searched, limits, size, NULL };

	return unit_suite("optimise", tests);
}

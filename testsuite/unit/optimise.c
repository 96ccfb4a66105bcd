/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests how small -O2 and -Os make some filters. Each rule of the optimiser is tested in a filter
 * where it applies, and in one where it must not be applied. passes.c and the property test check
 * that filters keep their meaning.
 */
#include <string.h>

#include "testsuite/unit/unit.h"

static void optimise_compile(struct pipeline *p, int level, uint32_t off, const char *overlay,
			     const char *text)
{
	struct pipeline_options o;
	bool bad = false;

	pipeline_options_init(&o);
	o.last = STAGE_NFA;
	o.passes.level = level;
	o.passes.off = off;
	o.count = 0; /* repetitions stay states; none becomes a counter */
	unit_check(overlay_numbers(overlay, &o.overlay, &bad) && !bad);
	unit_compile(p, &o, text);
}

/* Checks the number of states at -O2, without the pass that searches and with it. */
static void check_states(const char *text, size_t simulated, size_t searched)
{
	struct pipeline p;

	optimise_compile(&p, 2, unit_pass("search"), "none", text);
	if (p.nfa.states.n != simulated)
		unit_fail("%s: %zu states, not %zu", text, p.nfa.states.n, simulated);
	pipeline_free(&p);
	optimise_compile(&p, 2, 0, "none", text);
	if (p.nfa.states.n != searched)
		unit_fail("%s: %zu states, not %zu, with search", text, p.nfa.states.n, searched);
	pipeline_free(&p);
}

START_TEST(joined)
{
	/* Alternatives that differ in one predicate become one state. */
	check_states("protocol bytes; filter x = 'a' ('b' | 'c') 'd';", 4, 4);
	check_states("protocol bytes; filter x = 'a' 'b' 'd' | 'a' 'c' 'd';", 4, 4);
	/* `None or None` is one predicate in a protocol with one slot, and none with more slots. */
	check_states("protocol bytes; filter x = 'a' (None('b') | None('c')) 'd';", 4, 4);
	check_states("filter x = R23 (None(R12) | None(RA2)) R13;", 5, 5);
	check_states("filter x = R23 (Any(R12) | None(R12, RA2)) R13;", 5, 5);
	/* States are not merged if they differ in predecessors, in successors, in a label or in the
	 * log mark. */
	check_states("protocol bytes; filter x = 'a' 'b' 'd' | 'e' 'c' 'd';", 6, 6);
	check_states("protocol bytes; filter x = 'a' 'b' 'd' | 'a' 'c' 'e';", 6, 6);
	check_states("protocol bytes; filter x = 'a' 'b'; filter y = 'a' 'c';", 4, 4);
	check_states("protocol bytes; filter x = 'a' ('b' | 'c'); log = 'a' 'c';", 4, 4);
	/* The predecessors differ, but the words that the wider predicate adds are in the filter
	 * anyway. */
	check_states("protocol bytes; filter x = 'a' 'b' 'd' | 'e' 'c' 'd' | 'e' 'b' 'd'"
		     "| 'a' 'c' 'd';", 4, 4);
}
END_TEST

START_TEST(covered)
{
	/* If one alternative accepts all that the other accepts, the other is removed. In the third
	 * filter neither does, so both stay. */
	check_states("protocol bytes; filter x = 'a' ('b' | Any('b', 'c') true*) 'd';", 5, 5);
	check_states(
		"protocol bytes; filter x = true* 'a' 'b' | true* Any('a', 'c') Any('b', 'd');", 2,
		2);
	check_states("protocol bytes; filter x = true* 'a' 'b' | true* Any('a', 'c') 'd';", 4, 4);
	/* Two alternatives together accept what a third one accepts, so the third is removed. */
	check_states("protocol bytes; filter x = 'a' (Any('b', 'c') 'd' | 'b' Any('d', 'e') |"
		     "'c' Any('d', 'f'));", 6, 6);
	/* States with different labels stay apart, unless they are active at the same times. */
	check_states("protocol bytes; filter x = 'a' 'b'; filter y = 'a' Any('b', 'c');", 4, 4);
	check_states("protocol bytes; filter x = 'a' 'b' | 'a' 'c'; filter y = 'a' Any('b', 'c');",
		     3, 3);
	/* In the first automaton every batch leads to one state or the other, from both states. */
	check_states("protocol bytes; automaton m { state s start; state t accept;"
		     "s -> s : None('a'); s -> t : 'a'; t -> s : None('a'); t -> t : 'a'; }", 1, 1);
	check_states("protocol bytes; automaton m { state s start; state t accept;"
		     "s -> s : None('a', 'b'); s -> t : 'a'; t -> s : None('a'); t -> t : 'a'; }",
		     3, 3);
}
END_TEST

START_TEST(counters)
{
	/* A counter counts a set of batches: here it counts 'b', whether or not an 'a' came
	 * before. */
	check_states("protocol bytes; counter c = true* 'b' | true* 'a' 'b' at 2; filter f = @c;",
		     2, 2);
	/* A state that a counter counts is never merged with a state that it does not count. */
	check_states("protocol bytes; counter c = 'a' 'b' at 2; filter f = 'a' 'c' 'd' | 'a' 'b' "
		     "'d' | @c;",
		     6, 6);
	/* Two equal counters stay two counters. */
	check_states("protocol bytes; counter c = true* 'a' at 2; counter d = true* 'a' at 2;"
		     "filter f = @c 'b' | @d 'b';", 4, 4);
}
END_TEST

/* Tests the pass that searches. It finds more than simulation, because it checks whether other
 * states accept the same at the same time. */
START_TEST(searched)
{
	check_states("protocol bytes; filter a = true* 'p'; automaton m { state s start; state t;"
		     "state u accept; s -> t : 'a'; t -> t : 'a'; t -> u : 'b'; }", 4, 4);
}
END_TEST

/* In a filter with more states than the bound, states are not compared in pairs. */
START_TEST(limits)
{
	struct pipeline p;

	optimise_compile(&p, 2, 0, "none", "protocol bytes; filter x = 'a'{1100} ('b' | 'c') 'd';");
	ck_assert_uint_eq(p.nfa.states.n, 1 + 1100 + 3);
	pipeline_free(&p);
	optimise_compile(&p, 2, 0, "none", "protocol bytes; filter x = 'a'{900} ('b' | 'c') 'd';");
	ck_assert_uint_eq(p.nfa.states.n, 1 + 900 + 2);
	pipeline_free(&p);
}
END_TEST

/* Four ends that would merge into one state with more neighbours than an STE has. */
#define FAN                                                                                        \
	"protocol bytes; filter x = true* ('a' 'm' 'x' 'y'{0,2} | 'b' 'n' 'x' 'y'{0,2} |"          \
	"'c' 'o' 'x' 'y'{0,2} | 'd' 'p' 'x' 'y'{0,2});"

START_TEST(size)
{
	struct pipeline two, s;

	optimise_compile(&two, 2, 0, "none", FAN);
	optimise_compile(&s, PASS_LEVEL_S, 0, "none", FAN);
	ck_assert_uint_eq(two.nfa.states.n, s.nfa.states.n);
	ck_assert_uint_le(nfa_count_edges(&s.nfa, true), nfa_count_edges(&two.nfa, true));
	pipeline_free(&s);
	/* An overlay with two neighbours for each STE: a ring of cliques of one STE. */
	optimise_compile(&s, PASS_LEVEL_S, 0, "1,40,1,0", FAN);
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

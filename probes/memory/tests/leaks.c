/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Blocks that point to each other at random, from a seed. Prints how many blocks and bytes are
 * lost, possibly lost and reachable, and how many of the lost ones must be named so that these lead
 * to all of them: found by the closure of a relation, with numbers in place of addresses.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60 };

static uint64_t state;
static uint64_t hidden[MOST]; /* addresses, inverted */
static size_t bytes[MOST];
static int n;
/* Whether block i (or the variable, MOST) leads to block k: by its start, or by its inside. */
static char start[MOST + 1][MOST], inside[MOST + 1][MOST];
static uint64_t variable[MOST];

static unsigned draw(unsigned below)
{
	state = state * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)((state >> 33) % below);
}

static void store(int from, unsigned word, int to)
{
	const size_t far = draw(2) ? 0 : draw((unsigned)bytes[to]);
	uint64_t *at = from == MOST ? variable : (uint64_t *)~hidden[from];

	at[word] = ~hidden[to] + far;
	(far ? inside : start)[from][to] = 1;
}

static void build(void)
{
	n = 1 + (int)draw(MOST);
	for (int i = 0; i < n; i++) {
		bytes[i] = 8 + draw(draw(8) ? 100 : 20000);
		hidden[i] = ~(uint64_t)calloc(1, bytes[i]);
	}
	for (int i = 0; i < n; i++)
		for (unsigned word = 0; word < 2 && (word + 1) * 8 <= bytes[i]; word++)
			if (draw(2))
				store(i, word, (int)draw((unsigned)n));
	for (unsigned word = draw(6); word-- > 0;)
		store(MOST, word, (int)draw((unsigned)n));
}

/* Adds what follows by one more step, until nothing does. `of`: which blocks are there already. */
static void close_over(char *of, int by_inside)
{
	for (int again = 1; again;) {
		again = 0;
		for (int i = 0; i < n; i++)
			for (int k = 0; of[i] && k < n; k++)
				if (!of[k] && (start[i][k] || (by_inside && inside[i][k])))
					again = of[k] = 1;
	}
}

static void count(const char *what, const char *of)
{
	size_t blocks = 0, all = 0;

	for (int i = 0; i < n; i++)
		if (of[i]) {
			blocks++;
			all += bytes[i];
		}
	printf("%s %zu %zu\n", what, blocks, all);
}

/* How many blocks of `lost` are needed so that they lead to all others of them. */
static int needed(const char *lost)
{
	static char leads[MOST][MOST];
	int number = 0;

	for (int i = 0; i < n; i++) {
		leads[i][i] = 1;
		close_over(leads[i], 1);
	}
	for (int i = 0; i < n; i++) {
		int need = lost[i];

		/* Not needed: another one leads to it, and it does not lead back or comes later. */
		for (int k = 0; k < n; k++)
			if (lost[k] && leads[k][i] && (!leads[i][k] || k < i))
				need = 0;
		number += need;
	}
	return number;
}

static void expect(void)
{
	char reachable[MOST] = { 0 }, possible[MOST] = { 0 }, lost[MOST] = { 0 };

	memcpy(reachable, start[MOST], sizeof reachable);
	close_over(reachable, 0);
	for (int k = 0; k < n; k++) {
		possible[k] = reachable[k] || inside[MOST][k];
		for (int i = 0; i < n; i++)
			possible[k] |= reachable[i] && inside[i][k];
	}
	close_over(possible, 1);
	for (int i = 0; i < n; i++) {
		lost[i] = !possible[i];
		possible[i] &= !reachable[i];
	}
	count("lost", lost);
	count("possible", possible);
	count("reachable", reachable);
	printf("named %d\n", needed(lost));
}

static void clear_stack(void)
{
	volatile char zeros[8192];

	memset((void *)zeros, 0, sizeof zeros);
}

int main(int argc, char **argv)
{
	static char out[BUFSIZ];

	setvbuf(stdout, out, _IOFBF, sizeof out);
	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	build();
	expect();
	fflush(stdout);
	clear_stack();
	return 0;
}

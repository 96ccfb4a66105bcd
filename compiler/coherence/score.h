/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * score.h: how much a checker finds. A fixed set of runs of a system is drawn, and one message of
 * each run is dropped, doubled, or replaced by another event of its sender. The same description
 * gives the same runs on every machine.
 */
#ifndef NFACC_COMPILER_SCORE_H
#define NFACC_COMPILER_SCORE_H

#include "compiler/coherence/beliefs.h"

enum { SCORE_RUNS = 1500, SCORE_LENGTH = 32, SCORE_WORDS = (SCORE_RUNS + 63) / 64 };

struct score_runs {
	struct score_run {
		uint32_t n; /* how many events the changed run has */
		uint8_t event[SCORE_LENGTH + 1]; /* indices into coh.events */
	} run[SCORE_RUNS];
};

/* Draws the changed runs. A run begins in any state. */
void score_draw(const struct coh *c, const struct coh_system *s, struct score_runs *runs);

/* Sets the bit of each run in which a checker with these beliefs finds an error. */
void score_find(const struct score_runs *runs, const struct beliefs *b,
		uint64_t found[static SCORE_WORDS]);

/* Returns how many bits are set in x and not in y. */
uint32_t score_gain(const uint64_t *x, const uint64_t *y);

#endif

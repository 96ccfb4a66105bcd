/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * unfold.h: makes of a system whose states stand for orbits (symmetry.h) that of all states. The
 * tap tells equal nodes apart, so what it can know is a set of these.
 *
 * Note [unfolding]. A state is a renaming of the one that stands for its orbit. Renamings lead to
 * the same state if they differ by one before them that does not change it. So the states of an
 * orbit are the cosets of the renamings that leave it as it is, and a move of a state is that of
 * the one that stands for it, renamed. No state is looked at again. States and moves come out in
 * the order in which an exploration of all states would find them.
 */
#ifndef NFACC_COMPILER_UNFOLD_H
#define NFACC_COMPILER_UNFOLD_H

#include "compiler/coherence/symmetry.h"
#include "compiler/coherence/system.h"

/* What stands for orbits: states [s->nstates], and by edge the renaming by which the state that it
 * leads to becomes what the move leads to. */
struct orbits {
	const struct symmetry *y;
	const struct state *states;
	const uint16_t *renamed;
};

/* Replaces *s, whose states stand for orbits, by the system of all states. Returns NFART_OK;
 * NFART_GAVEUP (reported) if these are more than COH_MOST_TIMES how->most, or if
 * too many sets of renamings leave a state as it is; or NFART_SYSTEM. The cost is linear in all
 * states and their moves, in the renamings times the rules and times these sets, and for each orbit
 * in the renamings that leave its state as it is. */
enum nfart_status unfold(const struct orbits *o, struct diags *d, const struct system_options *how,
			 struct coh_system *s);

#endif

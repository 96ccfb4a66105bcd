/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_signals.h: what can arrive from outside in a cycle, as both a source and registers see it.
 *
 * A signal is a line that an external input selector can choose, or an instruction fetch from some
 * addresses at some exception level, or an input that only registers look at. Lines arrive
 * independently of each other; of fetches there is at most one in a cycle. Addresses are cut where
 * a guard of the source or a comparator could tell two of them apart, so a fetch is the same to
 * both for all its addresses.
 */
#ifndef NFACC_BACKENDS_ETM_ETM_SIGNALS_H
#define NFACC_BACKENDS_ETM_ETM_SIGNALS_H

#include "backends/etm/proof/etm_side.h"
#include "contract/etm/etm_core.h"
#include "include/nfart_status.h"
#include "ir/spec.h"

enum etm_signal_kind { ETM_SIGNAL_LINE, ETM_SIGNAL_FETCH, ETM_SIGNAL_OTHER };

struct etm_signal {
	enum etm_signal_kind kind;
	uint32_t slot;    /* of the protocol; UINT32_MAX: none */
	uint32_t number;  /* LINE: the number in TRCEXTINSELR; OTHER: the input (etm_decode.h) */
	uint32_t level;   /* FETCH: the exception level */
	uint64_t address; /* FETCH: the lowest address */
};

struct etm_signals {
	unsigned n;
	struct etm_signal at[ETM_SIDE_ATOMS]; /* the atoms of letters */
	uint64_t inputs[ETM_SIDE_ATOMS];      /* the inputs that a signal activates */
	uint32_t *letters;                    /* [nletters]: all that can arrive in a cycle */
	size_t nletters;
	struct etm_pred *preds;               /* of the machine, by pred_id_t */
};

/* Finds the signals that machine m of spec s, and the registers, look at. `machine` is the machine
 * of the registers. With m == NULL there is no source, and s and core may be NULL. NFART_GAVEUP:
 * there are too many, or a guard or comparator has a form that no range has; *why says so.
 * NFART_SYSTEM: out of memory. Free *t with etm_signals_free() in any case. */
enum nfart_status etm_signals(struct etm_signals *t, const struct spec *s, const struct machine *m,
			      const struct etm_core *core, const struct etm_regs *r,
			      const struct etm_machine *machine, const char **why);
void etm_signals_free(struct etm_signals *t);

/* Appends a letter as batch text: items separated by blanks, nothing for the empty letter. */
void etm_signals_print(const struct etm_signals *t, const struct spec *s, uint32_t letter,
		       struct buf *b);

#endif

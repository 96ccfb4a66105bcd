/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_memory.h: the registers and queues of an interface (contract/proto/tap.h, Note [what taps
 * remember]) while its taps run over a waveform. The values of registers and of the made signals of
 * queues are in the state of its expressions; this module owns the entries of queues.
 */
#ifndef NFART_TAP_MEMORY_H
#define NFART_TAP_MEMORY_H

#include "contract/proto/tap.h"
#include "runtime/wave/tap_code.h"

struct tap_entry {
	uint64_t value, known; /* both rails */
	uint64_t key;
	bool has_key;          /* all bits of the key are known; else it is like no other key */
};

/* What is counted of a queue. */
enum tap_queue_count {
	TAP_QUEUE_UNTOLD, /* whether to put or to take, or what, was not known */
	TAP_QUEUE_EMPTY,  /* nothing was there to take */
	TAP_QUEUE_FULL,   /* an entry was given up */
	TAP_QUEUE_COUNTS
};

struct tap_queue_state {
	struct tap_entry *entries; /* [n] of [deep]: the oldest is first */
	uint32_t n;
	uint32_t found;            /* the entry that its signals show: n: the one that is put now;
				    * UINT32_MAX: none */
	bool told;                 /* whether there is one is known */
	enum tap_truth putting;
	struct tap_entry next;     /* with putting: what is put */
	struct {
		uint64_t n, first;     /* how often; the cycle of the first */
	} counts[TAP_QUEUE_COUNTS];
};

/* Makes the queues of x, [x->nqueues]. NULL: out of memory. Free it with tap_memory_free(). */
struct tap_queue_state *tap_memory_new(const struct tap_interface *x);
void tap_memory_free(struct tap_queue_state *q, const struct tap_interface *x);

/* There is no sample before: empties all. */
void tap_memory_clear(struct tap_queue_state *q, struct tap_code_state *s,
		      const struct tap_interface *x);

/* Gives the signals of queues their values in the current sample, before rows are tried. Cost:
 * linear in the entries. */
void tap_memory_look(struct tap_queue_state *q, struct tap_code_state *s,
		     const struct tap_interface *x);

/* Goes to the next sample, after the current one, with this number, has become the sample before.
 * Returns whether anything changed. */
bool tap_memory_step(struct tap_queue_state *q, struct tap_code_state *s,
		     const struct tap_interface *x, uint64_t cycle);

#endif

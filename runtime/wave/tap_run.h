/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_run.h: runs the taps of a protocol over a waveform, and makes batches (nfacc-protocol(5),
 * Taps). tap_place.c finds the signals, tap_run.c samples them, tap_say.c counts what could not be
 * told, tap_reader.c is the trace format.
 */
#ifndef NFART_TAP_RUN_H
#define NFART_TAP_RUN_H

#include "contract/proto/proto.h"
#include "contract/proto/tap.h"
#include "include/nfart.h"
#include "runtime/wave/tap_code.h"
#include "runtime/wave/tap_memory.h"
#include "runtime/wave/tap_names.h"
#include "runtime/wave/wave.h"
#include "support/buf.h"
#include "support/vec.h"

/* A signal of an interface in the waveform: its parts, of which the highest bits are first. */
struct tap_source {
	bool used;             /* a tap or the reset needs it */
	uint32_t nparts;
	struct tap_part *parts; /* [nparts]: values become indices of chosen values once they are
				 * chosen. None: the signal has its usual value. */
	uint32_t width;        /* of all parts */
	uint64_t cut;          /* with one part or more: bits above those that are declared and not
				* 0, or unknown; set by the sampler */
};

/* What is counted of the messages of one type in one slot. */
enum tap_count { TAP_UNKNOWN_CONDITION, TAP_UNKNOWN_BITS, TAP_CUT_BITS, TAP_COUNTS };

struct tap_counter {
	uint32_t slot;
	const char *type;
	enum tap_count what;
	uint64_t n, first;     /* how often; the cycle of the first */
	char *signals;         /* the names of those that were to blame for the first */
};

/* An edge of a clock that several interfaces may share. */
struct tap_cycle {
	uint64_t n;            /* the number of the next sample */
	bool ticks;            /* there is one at the current time stamp */
};

/* An interface at a place in the waveform. */
struct tap_side {
	const struct tap_interface *x;
	struct tap_source *sources; /* [x->nsignals] */
	struct tap_source clock;    /* no parts: each time stamp is a sample */
	const struct tap_expr *reset; /* NULL: there is none */
	uint32_t cycle;             /* index of its cycle; sides with one clock and edge share it */
	int level;                  /* of the clock: 0, 1, or -1: unknown */
	struct tap_code_state code;
	struct tap_queue_state *queues;
	bool changed;               /* a signal changed since the last sample */
	bool quiet;                 /* the last sample equals the one before, and did nothing */
	VEC(struct tap_counter) counters;
};

struct tap_run {
	const struct nfart_proto *p;
	const struct tap_form *form;
	const struct nfart_wave *o; /* options; never NULL */
	struct wave *wave;
	const struct wave_bits *bits;
	uint32_t nsides;
	struct tap_side *sides;     /* [nsides] */
	VEC(struct tap_cycle) cycles;
	/* Which signals depend on chosen value i: all.at[first[i]] up to that of i + 1. */
	struct {
		uint32_t *first;
		VEC(uint32_t) all;  /* side << 16 | signal */
	} users;
	bool every;                 /* each time stamp is a step */
	struct {
		bool begun, ended;
		bool done;          /* the waveform has no more steps */
		bool lost;          /* a blackout began, and no sample came since */
	} is;
	struct {
		bool any;           /* a batch was made, at this time */
		uint64_t time;
	} last;
	/* [slot]: the payload of the messages of the last batch, with p->payload */
	uint64_t payload[NFART_SLOTS][NFART_PAYLOAD_WORDS];
	/* What was read and is not yet used. */
	struct {
		struct wave_step step;  /* the next step, if has_step is set */
		bool has_step;
		bool has_batch;         /* `batch` waits, since a loss comes before it */
		struct nfart_batch batch;
	} ahead;
};

/* Finds the signals of all interfaces. NFART_OK; NFART_INPUT: some were not found, and *e says
 * which; NFART_USAGE: several places fit, or clocks differ; NFART_SYSTEM: out of memory. */
enum nfart_status tap_place(struct tap_run *r, struct nfart_error *e);

/* Says one line: `format` without a newline, to the callback of the options. */
void tap_say(const struct tap_run *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Opens taps over a waveform, which it borrows until tap_run_free(). Returns what tap_place()
 * does. */
enum nfart_status tap_run_open(struct tap_run *r, const struct nfart_proto *p,
			       const struct nfart_wave *o, struct wave *w, struct nfart_error *e);

/* Makes the next batch or loss record. Returns 1, 0 at the end, or -1 after an error. */
int tap_run_next(struct tap_run *r, struct nfart_batch *b, struct nfart_error *e);
void tap_run_free(struct tap_run *r);

/* Forgets where the signals of an interface are. */
void tap_side_forget(struct tap_side *s);

/* Has a value unknown bits for another reason than that there is no sample before? */
bool tap_is_dim(const struct tap_side *s, const struct tap_expr *e);

/* Counts something of a row of the tap, in the sample with number `cycle`. False: out of memory. */
bool tap_count(struct tap_side *s, const struct tap *tap, const struct tap_row *row,
	       enum tap_count what, uint64_t cycle);

/* Says what was counted. */
void tap_say_counts(const struct tap_run *r);

#endif

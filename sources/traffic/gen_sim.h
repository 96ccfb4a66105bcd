/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_sim.h: the inside of the generator's simulation, for its three files: gen_coherence.c (what
 * begins when, the tap), gen_nodes.c (how the nodes react) and gen_fault.c. Not part of any
 * interface.
 */
#ifndef NFART_GEN_SIM_H
#define NFART_GEN_SIM_H

#include "include/nfart.h"
#include "sources/traffic/gen_coherence.h"
#include "sources/traffic/gen_queue.h"
#include "sources/traffic/gen_random.h"

enum state { STATE_I = 1, STATE_S, STATE_M }; /* 1, 2, 3 in the names of the events; M is M or E */

struct line {
	uint64_t looked;    /* the cycle in which the tap last looked at a message of this line */
	uint8_t cpu, home;  /* enum state: in the CPU's cache; as the directory has it */
	uint8_t request;    /* the request's kind, while requesting */
	uint8_t request_id;
	bool requesting;    /* the CPU has sent a request and has no answer yet */
	bool asked;         /* the home has that request and owes the answer */
	bool forwarding;    /* the home is about to send a forward, or has sent one … */
	bool waiting;       /* … and waits for its acknowledgement */
	bool dirty;         /* the CPU has written, or its last victim had data */
	bool silent;        /* after GEN_NEVER_COMPLETED */
};

enum {
	MAX_UNDER_WAY = 1024,   /* messages under way; fewer than GEN_QUEUE_MAX with all faults */
	DATA_CYCLES = 4,        /* 17 words at the 5 a cycle that the link carries each way */
	LINK_CYCLES = 32,       /* one way, and up to 7 more depending on the line */
	SLICES = 8,             /* the cache has a set of RReqIds in each slice */
	PROBES = 8,             /* lines tried for an operation before another operation is tried */
	CROWD = 8               /* so many times more ready than wanted: waiting does not help */
};

#define ONE ((int64_t)1 << 32)
#define NEVER UINT64_MAX

struct gen {
	struct gen_options o;
	struct gen_codec codec;
	struct gen_stats stats;
	struct gen_random random;
	struct line *lines;
	uint64_t now;
	int64_t credit;            /* messages to send, in units of 2^-32; below 0: too many sent */
	bool drained;
	uint32_t wanted;           /* messages in distinct slots that the next batch waits for */
	uint32_t total_weight;
	uint64_t next_fault;       /* progress at which another fault becomes due */
	uint32_t due;              /* bit k: a fault of kind k is due */
	uint32_t unshown;          /* faults taken and not yet in the trace */
	uint32_t gap;              /* messages still to be lost */
	struct gen_fault *gap_fault; /* what they are lost to, until the loss record is out */
	uint64_t gap_end;          /* time of the last lost batch */
	struct nfart_batch held;   /* follows the loss record just given out; mask 0: none */
	uint32_t rreq_free[SLICES];
	uint64_t hreq_free[2];     /* by parity of the line */
	uint64_t slot_free[NFART_SLOTS]; /* cycle from which the slot can carry another message */
	struct gen_queue queue;
	uint32_t nready;
	struct gen_flight ready[GEN_QUEUE_MAX];
	bool taken[GEN_QUEUE_MAX]; /* of ready: goes into the next batch */
};

static inline uint32_t sim_below(struct gen *g, uint32_t n)
{
	return gen_random_below(&g->random, n);
}

/* ---- gen_fault.c ---------------------------------------------------------------------------- */

/* Sets `due` and `next_fault` from the faults not taken yet. Called at the start, and whenever progress
 * reaches `next_fault`. */
void sim_update_due(struct gen *g);

static inline uint64_t sim_progress(const struct gen *g)
{
	return g->o.by_message ? g->stats.messages : g->stats.batches;
}

static inline bool sim_is_due(const struct gen *g, enum gen_fault_kind kind)
{
	return (g->due >> kind & 1) != 0;
}

/* The fault of this kind that is to happen now, or NULL. In a gap no fault happens. */
struct gen_fault *sim_take_fault(struct gen *g, enum gen_fault_kind kind);

/* Notes when and where a taken fault is in the trace. */
void sim_show_fault(struct gen *g, enum gen_fault_kind kind, uint64_t time, uint32_t line);

/* ---- gen_nodes.c ---------------------------------------------------------------------------- */

/* Begins a transaction of this kind on a line. False: the line's state doesn't allow it now. */
bool sim_try(struct gen *g, enum gen_op op, uint32_t line);

/* Begins an I/O or GSYNC transaction. */
void sim_start_io(struct gen *g);

/* Chooses the forward that fits the line's state. False: none does, and the forward is dropped. */
bool sim_settle_forward(struct gen *g, struct gen_flight *f);

/* The tap has seen a message: it acts on the home, or is sent on to the CPU. */
void sim_seen(struct gen *g, const struct gen_flight *f);

/* A grant or a forward reaches the CPU. */
void sim_at_cpu(struct gen *g, const struct gen_flight *f);

#endif

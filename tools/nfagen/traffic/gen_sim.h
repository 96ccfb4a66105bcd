/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_sim.h: the state of the generator's simulation. Only the simulation's three files include it:
 * gen_coherence.c begins transactions and simulates the tap, gen_nodes.c simulates how the two
 * nodes react, and gen_fault.c injects faults.
 */
#ifndef NFART_GEN_SIM_H
#define NFART_GEN_SIM_H

#include "include/nfart.h"
#include "tools/nfagen/traffic/gen_coherence.h"
#include "tools/nfagen/traffic/gen_queue.h"
#include "tools/nfagen/traffic/gen_random.h"

/* The state of a cache line. Names of events contain these numbers: R12 is a request for a line in
 * state 1 (I) to get it in state 2 (S). STATE_M stands for both M and E. */
enum state { STATE_I = 1, STATE_S, STATE_M };

struct line {
	uint64_t looked;    /* the cycle in which the tap last looked at a message of this line */
	/* State of the line (enum state): `cpu` in the cache of the CPU, `home` in the
	 * directory. */
	uint8_t cpu, home;
	uint8_t request;    /* while `requesting`: the kind of the request */
	uint8_t request_id; /* while `requesting`: its RReqId */
	bool requesting;    /* the CPU has sent a request and has no answer yet */
	bool asked;         /* the home has got the request and owes the answer */
	bool forwarding;    /* a forward is to be sent, or the home waits for its acknowledgement */
	bool waiting;       /* the home has sent a forward and waits for its acknowledgement */
	bool dirty;         /* the CPU has written the line, or its last victim had data */
	bool silent;        /* GEN_NEVER_COMPLETED hit the line, so it has no more messages */
};

enum {
	/* A transaction begins only if fewer messages than this are under way. The messages that
	 * faults add must fit into GEN_QUEUE_MAX, too. */
	MAX_UNDER_WAY = 1024,
	/* How many cycles a message with data occupies its slot. It has up to 17 words, and each
	 * direction of the link carries 5 words in a cycle. */
	DATA_CYCLES = 4,
	LINK_CYCLES = 32,       /* cycles of latency in one direction; each line adds 0 to 7 */
	SLICES = 8,             /* slices of the CPU's cache; each has its own set of RReqIds */
	PROBES = 8,             /* lines tried for an operation before another operation is tried */
	/* A batch waits for gen.wanted messages in distinct slots. But once CROWD times as many are
	 * ready, it goes out without waiting. */
	CROWD = 8
};

#define ONE ((int64_t)1 << 32)
#define NEVER UINT64_MAX

struct gen {
	struct gen_options o;
	struct gen_codec codec;
	struct gen_stats stats;
	struct gen_random random;
	uint64_t first_line;       /* index of the first line that is in the slice */
	struct line *lines;
	uint64_t now;
	/* Which transactions begin, and when. */
	struct {
		/* Messages that the rate allows to begin now, in units of 2^-32. It is negative
		 * after more messages were begun than the rate allows. */
		int64_t credit;
		bool drained;      /* gen_drain() was called, so no more transactions begin */
		uint32_t total_weight; /* sum of the weights of all operations */
	} begin;
	struct {
		uint64_t next;     /* value of sim_progress() at which another becomes due */
		uint32_t due;      /* bit k: a fault of kind k is due */
		uint32_t unshown;  /* number of faults that are taken and not yet in the trace */
	} fault;
	struct {
		uint32_t left;     /* number of messages that are still to be lost */
		struct gen_fault *fault; /* what made the gap; NULL after its loss record */
		uint64_t end;      /* time of the last batch that was lost */
	} gap;
	/* Batches that are made and not yet returned. */
	struct {
		struct nfart_batch held;  /* to return after a loss record; held.mask 0: none */
		struct nfart_batch ahead; /* to merge: the record after those returned */
		bool is_ahead;            /* there is such a record */
	} kept;
	struct {
		uint32_t rreq[SLICES]; /* [slice]: a bit for each free RReqId */
		/* [lowest bit of the line's index]: a bit for each free HReqId */
		uint64_t hreq[2];
		/* cycle from which the slot can carry another message */
		uint64_t slot[NFART_SLOTS];
	} free;
	struct gen_queue queue;    /* messages under way */
	/* Messages at the tap that wait for their slot. */
	struct {
		uint32_t n;
		struct gen_flight flights[GEN_QUEUE_MAX];
		bool taken[GEN_QUEUE_MAX]; /* by index into `flights`: in the next batch */
		/* number of messages in distinct slots for which the next batch waits */
		uint32_t wanted;
	} ready;
};

/* Draws a random number below n. */
static inline uint32_t sim_below(struct gen *g, uint32_t n)
{
	return gen_random_below(&g->random, n);
}

/* Returns the index of a simulated line, as headers have it. */
static inline uint64_t sim_line(const struct gen *g, uint32_t line)
{
	return g->first_line + (uint64_t)line * (g->o.lines.slice == GEN_BOTH ? 1 : 2);
}

/* ---- gen_fault.c ---------------------------------------------------------------------------- */

/* Computes `fault.due` and `fault.next` from the faults that are not taken yet. It is called at the
 * start, after a fault was taken, and when the progress reaches `fault.next`. */
void sim_update_due(struct gen *g);

/* Returns how long the trace is by now, in the unit in which faults give their places. */
static inline uint64_t sim_progress(const struct gen *g)
{
	return g->o.fault.by_message ? g->stats.messages : g->stats.batches;
}

static inline bool sim_is_due(const struct gen *g, enum gen_fault_kind kind)
{
	return (g->fault.due >> kind & 1) != 0;
}

/* Takes a fault of this kind that is due: the caller makes it happen now. NULL: none is due, or
 * there is a gap, in which no other fault happens. */
struct gen_fault *sim_take_fault(struct gen *g, enum gen_fault_kind kind);

/* Notes that a fault is now in the trace, at this time and on this line. It is the first fault of
 * this kind that was taken but not noted so far. */
void sim_show_fault(struct gen *g, enum gen_fault_kind kind, uint64_t time, uint32_t line);

/* ---- gen_nodes.c ---------------------------------------------------------------------------- */

/* Begins operation `op` on a line. False: the state of the line doesn't allow it now. */
bool sim_try(struct gen *g, enum gen_op op, uint32_t line);

/* Begins a transaction without a line: I/O or GSYNC, drawn at random. */
void sim_start_io(struct gen *g);

/* Adapts the kind of forward f to the home's state of the line when the home sends it. False: the
 * forward has become pointless. Then it is ended, and the caller drops it. */
bool sim_settle_forward(struct gen *g, struct gen_flight *f);

/* Handles a message that the tap has seen. If the CPU has sent it, the home gets it now. If the
 * home has sent it, it travels on to the CPU. */
void sim_seen(struct gen *g, const struct gen_flight *f);

/* Handles a message that reaches the CPU. It is a grant or a forward. */
void sim_at_cpu(struct gen *g, const struct gen_flight *f);

#endif

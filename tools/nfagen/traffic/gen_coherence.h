/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_coherence.h: simulates the traffic between a CPU and an FPGA. The FPGA is the home of some
 * cache lines and has their directory (T 1.4, figure 4; table 2). The simulation gives the traffic
 * as a tap at the FPGA sees it, one batch at a time.
 *
 * These rules hold in the trace unless a fault is injected:
 *   - For each line the CPU has at most one request under way, and the home at most one forward.
 *   - Every request is answered once, and every forward is acknowledged once.
 *   - Requests, voluntary downgrades and acknowledgements fit the state of the line: I, S, M or E.
 *     If a forward crosses a message of the CPU, the acknowledgement tells the CPU's state at that
 *     time (A11, A22, or A21 to an F31).
 *   - The home sends no forward while it owes an answer for the line. It doesn't answer while it
 *     waits for an acknowledgement.
 *   - Messages of one line and direction arrive in the order in which they were sent. A batch has
 *     at most one message of a line, unless cycles are merged (gen_options.merge).
 *
 * The same options give the same trace on any machine. The simulation needs 24 bytes for each line.
 */
#ifndef NFART_GEN_COHERENCE_H
#define NFART_GEN_COHERENCE_H

#include "include/nfart.h"
#include "tools/nfagen/traffic/gen_message.h"

/* The operations that the nodes begin. Weights set how often each of them is drawn. */
enum gen_op {
	GEN_READ,    /* the CPU reads a line that it doesn't have: R12 or R13 */
	GEN_WRITE,   /* the CPU writes a line that it doesn't have (R13) or shares (R23) */
	GEN_EVICT,   /* the CPU gives up a line or a right to it: V21, V31, V32 */
	GEN_UPGRADE, /* the CPU wants to write a line that it shares: R23 */
	GEN_FORWARD, /* the home takes back a line or a right to it: F21, F31, F32 */
	GEN_OPS
};

/* The link has two halves: one carries the lines with an even index, the other those with an odd
 * one. */
enum gen_slice { GEN_BOTH, GEN_EVEN, GEN_ODD };

enum gen_fault_kind {
	GEN_LOST_ACK,        /* an acknowledgement is not sent; both nodes go on as if it were */
	/* a request is sent again before it is answered; it is answered once */
	GEN_DOUBLE_REQUEST,
	GEN_WRONG_RESPONSE,  /* an R23 is answered by RA2 */
	GEN_LOST_SAMPLES,    /* messages are missing; a loss record is in their place */
	GEN_NEVER_COMPLETED, /* a request is not answered, and its line is silent afterwards */
	/* Faults of the block layer, which gen_blocks.h generates. */
	GEN_LOST_BLOCK,      /* a data block is damaged on its way, and is sent again */
	GEN_CREDIT_OVERRUN,  /* a message is sent without enough credits */
	/* Those of gen_rules.h, of one message. */
	GEN_DROPPED, GEN_DOUBLED, GEN_REPLACED,
	GEN_FAULT_KINDS
};

struct gen_fault {
	enum gen_fault_kind kind;
	/* The number of the batch (with gen_options.fault.by_message: of the message) from which on
	 * the fault may happen. It happens at the first opportunity. */
	uint64_t at;
	/* `taken`: the fault was chosen to happen. `shown`: the fault is in the trace. */
	bool taken, shown;
	/* Time of the batch with the message concerned. For GEN_LOST_ACK this message is the
	 * forward that was not acknowledged. For GEN_LOST_SAMPLES: time of the loss record. */
	uint64_t time;
	uint64_t address;  /* byte address of the line concerned */
	uint64_t lost;     /* GEN_LOST_SAMPLES: number of messages that are missing */
	bool from_cpu;     /* faults of the block layer: the CPU has sent the block or message */
	uint32_t vc;       /* GEN_CREDIT_OVERRUN: virtual channel of the message */
};

enum { GEN_MAX_FAULTS = 64, GEN_MAX_LINES = 1 << 24 };

/* `rate` and `io` are fractions, in units of 2^-32. */
struct gen_options {
	uint64_t seed;
	struct {
		/* Index of the first simulated cache line. The address of the protocol must have
		 * room for first + n. */
		uint64_t first;
		uint32_t n;          /* from 1 to GEN_MAX_LINES */
		uint32_t cpu_home;   /* at most `n`: that many, the last ones, are at home on the
				      * CPU */
		/* If not GEN_BOTH, the lines have every other index, from `first` or the next one
		 * on. */
		enum gen_slice slice;
	} lines;
	uint64_t rate;       /* mean number of messages in a cycle, above 0, at most 16 */
	/* Which transactions there are. */
	struct {
		uint64_t io;         /* share of I/O and GSYNC, from 0 to 1 */
		bool sync_only;      /* `io` is the share of GSYNC alone; there is no I/O */
		uint32_t weights[GEN_OPS]; /* of each operation, at most 10^6; not all are 0 */
		/* Percentage of downgrades and upgrades that a forward is made to cross. It has
		 * no effect if the weight of GEN_FORWARD is 0. */
		uint32_t crossing;
	} mix;
	struct {
		/* If above 1: the mean number of messages in a batch. Messages wait for each
		 * other to fill a batch. */
		uint32_t gather;
		/* If above 1: messages of so many cycles make one batch, unless two of them need
		 * one slot. The batch has the time of the first one. Its messages of a line are in
		 * no order. */
		uint32_t merge;
	} batch;
	bool plain;          /* headers have opcode and address; all other bits are 0 */
	bool shared_loads;   /* RLDD is answered by RA2, as captures show, and not by RA3 */
	struct {
		bool by_message;     /* gen_fault.at counts messages and not batches */
		/* [n], borrowed. The generator writes into each fault when it happened. */
		struct gen_fault *list;
		uint32_t n;
	} fault;
};

struct gen_stats {
	uint64_t batches, messages, losses;
	uint64_t ops[GEN_OPS]; /* transactions begun, by operation */
	uint64_t crossed;      /* forwards that crossed a downgrade or a request */
	uint64_t io, syncs;    /* `io`: I/O transactions begun; `syncs`: GSYNC transactions begun */
};

struct gen;

/* Makes a generator. The caller frees it with gen_free(), which accepts NULL. The protocol p and
 * the faults of *o must outlive it. NULL: memory is short, or the protocol lacks the messages of
 * ECI; *e says which. */
struct gen *gen_new(const struct nfart_proto *p, const struct gen_options *o,
		    struct nfart_error *e);
void gen_free(struct gen *g);

/* Stores the next batch or loss record in *b. False: there is no more traffic, because every line
 * is silent, or because gen_drain() was called and every transaction is complete. The expected cost
 * is a few heap operations for each message. */
bool gen_next(struct gen *g, struct nfart_batch *b);

/* After this call no transaction begins. gen_next() completes those that have begun. */
void gen_drain(struct gen *g);

/* Returns the statistics so far. They belong to the generator, which keeps them up to date. */
const struct gen_stats *gen_stats(const struct gen *g);

/* Returns the name of a kind of fault, for example "lost-ack". */
const char *gen_fault_name(enum gen_fault_kind kind);

/* Returns the kind of fault that has this name (n bytes). GEN_FAULT_KINDS: there is none. */
enum gen_fault_kind gen_fault_parse(const char *name, size_t n);

#endif

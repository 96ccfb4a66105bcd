/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * gen_coherence.h: simulates the traffic between a CPU and the directory of an FPGA that is home to
 * some cache lines (T 1.4, figure 4; table 2), as a tap at the FPGA sees it, one batch at a time.
 *
 * These rules hold in the trace unless a fault is injected:
 *   - the CPU has at most one request of a line in flight, the home at most one forward;
 *   - every request is answered once, every forward is acknowledged once;
 *   - requests, voluntary downgrades and acknowledgements fit the states I, S, {M,E} of the line;
 *     messages that cross are answered by the CPU's state at that time (A11, A22, A21 to an F31);
 *   - the home doesn't forward while it owes an answer for the line, and doesn't answer while it
 *     waits for an acknowledgement;
 *   - messages of one line and direction arrive in the order in which they were sent, and a batch
 *     has at most one message of a line.
 *
 * Same options, same trace, on any machine. Memory: 24 bytes a line.
 */
#ifndef NFART_GEN_COHERENCE_H
#define NFART_GEN_COHERENCE_H

#include "include/nfart.h"
#include "sources/traffic/gen_message.h"

/* What the two nodes begin; weights choose between them. */
enum gen_op {
	GEN_READ,    /* R12 or R13 of a line the CPU has not */
	GEN_WRITE,   /* R13 of a line the CPU has not, R23 of one it shares */
	GEN_EVICT,   /* V21, V31, V32 */
	GEN_UPGRADE, /* R23 */
	GEN_FORWARD, /* F21, F31, F32 */
	GEN_OPS
};

enum gen_fault_kind {
	GEN_LOST_ACK,        /* an acknowledgement is not sent; both nodes continue as if it were */
	GEN_DOUBLE_REQUEST,  /* a request is sent again before its answer; it is answered once */
	GEN_WRONG_RESPONSE,  /* R23 answered by RA2 */
	GEN_LOST_SAMPLES,    /* messages are missing, with a loss record in their place */
	GEN_NEVER_COMPLETED, /* a request is not answered, and its line is silent afterwards */
	GEN_FAULT_KINDS
};

struct gen_fault {
	enum gen_fault_kind kind;
	uint64_t at;       /* at the first opportunity from this batch (or message) on */
	bool taken, shown; /* it has been chosen; it is in the trace */
	uint64_t time;     /* of the batch with the message to blame, or of the loss record */
	uint64_t address;  /* of the line, in bytes */
	uint64_t lost;     /* GEN_LOST_SAMPLES: how many messages */
};

enum { GEN_MAX_FAULTS = 64, GEN_MAX_LINES = 1 << 24 };

/* Numbers with fractions are in units of 2^-32. */
struct gen_options {
	uint64_t seed;
	uint64_t first_line; /* index; first_line + lines must fit the protocol's address */
	uint32_t lines;      /* 1 … GEN_MAX_LINES */
	uint64_t rate;       /* mean messages a cycle, above 0, at most 16 */
	uint64_t io;         /* share of I/O and GSYNC among the transactions, 0 … 1 */
	bool sync_only;      /* of these, only GSYNC */
	uint32_t weights[GEN_OPS]; /* each at most 10^6; not all 0 */
	uint32_t crossing;   /* percent of downgrades and upgrades that a forward is made to cross,
			      * if forwards have a weight */
	uint32_t gather;     /* mean messages a batch, above 1: they wait for each other; else 0 */
	bool plain;          /* headers with opcode and address alone */
	bool shared_loads;   /* RLDD is answered by RA2, as captures show, not by RA3 */
	bool by_message;     /* `at` of the faults counts messages */
	struct gen_fault *faults; /* nfaults of them; borrowed, filled in */
	uint32_t nfaults;
};

struct gen_stats {
	uint64_t batches, messages, losses;
	uint64_t ops[GEN_OPS]; /* transactions begun */
	uint64_t crossed;      /* forwards that crossed a downgrade or a request */
	uint64_t io, syncs;
};

struct gen;

/* NULL: *e says why (memory, or the protocol lacks the messages of ECI). p and what o points to
 * must outlive the generator. Free with gen_free(); gen_free(NULL) is fine. */
struct gen *gen_new(const struct nfart_proto *p, const struct gen_options *o,
		    struct nfart_error *e);
void gen_free(struct gen *g);

/* The next batch, or a loss record. False: there is no more traffic (every line is silent, or
 * drained). Expected cost: a few heap operations a message. */
bool gen_next(struct gen *g, struct nfart_batch *b);

/* Begins no more transactions; those under way are completed. */
void gen_drain(struct gen *g);

const struct gen_stats *gen_stats(const struct gen *g);

/* "lost-ack" and so on, and back (GEN_FAULT_KINDS: no such fault). */
const char *gen_fault_name(enum gen_fault_kind kind);
enum gen_fault_kind gen_fault_parse(const char *name, size_t n);

#endif

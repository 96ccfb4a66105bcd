/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ntrace.h: makes tokens of messages of N-Trace (Note [N-Trace messages]), by following the given
 * code from one message to the next.
 *
 * Note [counted instructions]
 * A message counts the instructions that have retired since the one before it, in halfwords. The
 * decoder goes on by as many: direct jumps to their targets, and branches as their outcomes say.
 * Outcomes come with the message, or in earlier ones when the encoder's memory for them was full.
 * Without a history of outcomes, no branch is taken, besides the last instruction of a message for
 * a branch that was taken. Then the program goes to the address of the message: after an indirect
 * jump, after a trap, or after any instruction where the message synchronises. Some encoders also
 * say the address where their memory for outcomes is full.
 *
 * Outcomes of earlier messages are used at once, up to the last one. So the decoder may be ahead of
 * the count.
 *
 * An indirect jump that is not the last instruction of its message is inferred. A return goes to
 * the address on top of a stack, which calls fill and synchronisations empty. A return that has a
 * message takes its address from the stack only if it is on top. Other jumps follow an instruction
 * that has loaded their target.
 *
 * Messages have no privilege besides those of ownership. If there are none, a negative address is
 * the supervisor's, and others are the user's. An ecall is no instruction that retires, but it is a
 * token, before the handler of the exception that it raises.
 *
 * Code is found as in Note [following a program]. Where there is none, the address that was reached
 * is a token without an instruction, and following begins again at the next address that has code.
 * Messages that cannot be followed in the given code are errors.
 */
#ifndef NFACC_RISCV_NTRACE_H
#define NFACC_RISCV_NTRACE_H

#include "probes/profile/stacks/linked_code.h"
#include "probes/profile/stacks/ntrace_message.h"
#include "probes/profile/stacks/token.h"

enum {
	NTRACE_SOME = 1 << 12,    /* tokens that are made at once */
	NTRACE_MOST = 1 << 20,    /* instructions before the next branch */
	NTRACE_RETURNS = 32,      /* return addresses */
	NTRACE_SOURCES = 1 << 16
};

/* What is known about one source of messages, a hart. */
struct ntrace_source {
	bool started;             /* there was a synchronisation; messages are followed */
	bool began;               /* there was any token */
	bool gap;                 /* tokens are missing before the next one */
	bool lost;                /* pc is where there is no code */
	bool unsure;              /* calls are missing on the stack */
	bool histories;           /* outcomes of branches come as histories */
	bool owned;               /* privilege and context are known */
	bool taken;               /* the last instruction is a branch that was taken */
	uint64_t pc;              /* of the next instruction */
	uint64_t reference;       /* the address that was reported last */
	int64_t count;            /* halfwords that were counted and not executed yet */
	uint64_t outcomes;        /* outcomes that were not used yet: the lowest bits, */
	unsigned noutcomes;       /* and their number; the highest of them is the next one */
	uint64_t straight;        /* instructions since the last branch */
	uint32_t last;            /* the last instruction of this message; 0: none yet */
	struct linked_load load;  /* what it has loaded */
	uint8_t privilege, flags;
	uint64_t context;
	uint64_t returns[NTRACE_RETURNS];
	unsigned depth;
	uint64_t instructions;    /* number of tokens */
	struct ntrace_message repeated; /* the last branch message, with its whole address */
};

struct ntrace {
	struct etrace_encoder encoder;
	struct linked_code code;
	struct ntrace_source *sources[NTRACE_SOURCES];
	struct ntrace_message message; /* the message that is followed */
	struct ntrace_source *source;  /* its source; NULL: it was followed to its end */
	uint64_t times;                /* how often it still comes after this time */
	struct nfaperf_token *out;
	size_t n;
};

/* Returns a decoder, or NULL if there is no memory. `code` must outlive it. */
struct ntrace *ntrace_new(const struct etrace_encoder *encoder, const struct rv_code *code);
void ntrace_free(struct ntrace *t);

/*
 * Takes the message in the `size` bytes at `at`. ntrace_go_on() then makes its tokens; all of them
 * must be made before the next message is taken. Returns NULL, or what is wrong.
 */
const char *ntrace_take(struct ntrace *t, const unsigned char *at, size_t size);

/* Whether the message was followed to its end. */
static inline bool ntrace_is_done(const struct ntrace *t)
{
	return t->source == NULL;
}

/*
 * Follows the message. Writes up to NTRACE_SOME tokens to out, and sets *n to their number. Returns
 * NULL, or what is wrong. Tokens that were written before an error must not be used.
 */
const char *ntrace_go_on(struct ntrace *t, struct nfaperf_token *out, size_t *n);

#endif

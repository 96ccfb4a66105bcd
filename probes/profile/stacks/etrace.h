/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etrace.h: makes tokens of packets of E-Trace (Note [E-Trace packets]), by following the given
 * code from one packet to the next.
 *
 * Note [following a program]
 * A packet has outcomes of branches and the address of an instruction that has retired. The decoder
 * goes on from the instruction that was reported last: branches as their outcomes say, direct jumps
 * to their targets, and after an indirect jump or trap to the address. It stops at the address,
 * when all outcomes are used. If it has come there without an indirect jump, the program may have
 * come there a second time, by one. The next packet decides this: if it is no synchronisation and no
 * trap, the decoder goes on to the second time. The flag `updiscon` says the same beforehand.
 *
 * With implicit returns, the decoder keeps a stack of return addresses. `irdepth` is its depth
 * where the reported instruction is, or where a return went elsewhere. This is as in the decoder of the
 * specification 2.0.
 *
 * With branch prediction, outcomes are known only where the program comes to their branches: as the
 * same predictor says, or not as it says. So a few bytes can be billions of instructions.
 *
 * The jump target cache has the targets of indirect jumps and returns from traps that are reported.
 * Implicit returns and jumps that are inferred from the instruction before are not in it.
 *
 * The code at an address is that of the file that was linked for it: a kernel, or the only program
 * that is given for this address. Where there is no code, the reported addresses are tokens without
 * instructions, and following begins again at the first one that has code. With implicit returns,
 * branch prediction or jump target cache it begins again at the next synchronisation, because the
 * stack and the tables are not known. Packets that cannot be followed in the given code are errors.
 */
#ifndef NFACC_RISCV_ETRACE_H
#define NFACC_RISCV_ETRACE_H

#include "probes/profile/stacks/etrace_packet.h"
#include "probes/profile/stacks/etrace_tables.h"
#include "probes/profile/stacks/linked_code.h"
#include "probes/profile/stacks/token.h"

enum {
	ETRACE_MOST = 1 << 20,    /* instructions of a packet without counted branches */
	ETRACE_RETURNS = 1 << 8   /* return addresses */
};

/* What is known about one source of packets, a hart. */
struct etrace_source {
	bool started;             /* there was a synchronisation; packets are followed */
	bool began;               /* there was any token */
	bool lost;                /* pc is where there is no code */
	bool adrift;              /* lost, and the address of the last report is not known */
	bool trapped;             /* a trap was taken, but its handler has not begun */
	bool inferred;            /* pc was reported, and maybe not for its last time */
	bool last_trap_return;    /* the instruction before pc is a return from a trap */
	uint64_t pc, address;     /* of the last instruction; of the last report */
	uint32_t instruction;     /* at pc */
	struct linked_load load;  /* by the instruction before pc */
	uint64_t branches;        /* outcomes that were not used yet: */
	unsigned known;           /* as many in the map, then as predicted, */
	bool failed;              /* besides the last one */
	uint64_t map;
	struct etrace_tables *tables; /* NULL: the encoder has none */
	uint8_t privilege;
	uint64_t context;
	unsigned options;
	uint64_t returns[ETRACE_RETURNS];
	unsigned depth;
	uint64_t instructions;    /* number of tokens */
};

struct etrace {
	struct etrace_encoder encoder;
	struct linked_code code;
	struct etrace_source *sources[1 << 16];
	bool more;                 /* the last packet was not followed to its end */
	struct nfaperf_token *out; /* the tokens of a packet */
	size_t n;
};

/* Returns a decoder, or NULL if there is no memory. `code` must outlive it. */
struct etrace *etrace_new(const struct etrace_encoder *encoder, const struct rv_code *code);
void etrace_free(struct etrace *t);

/*
 * Follows the packet in the frame f of instructions, which begins at `at`. Writes up to ETRACE_MOST
 * tokens to out, and sets *n to their number. Returns NULL, or what is wrong. Tokens that were
 * written before an error must not be used. If t->more is set then, it must be called again with
 * the same packet.
 */
const char *etrace_follow(struct etrace *t, const struct etrace_frame *f, const unsigned char *at,
			  struct nfaperf_token *out, size_t *n);

#endif

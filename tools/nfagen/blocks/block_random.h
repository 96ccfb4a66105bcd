/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * block_random.h: a model of traffic for the block layer: random messages of many virtual channels
 * and both lengths, in bursts that exhaust credits. The CPU requests lines and gets them, writes
 * lines back, and sends I/O and GSYNC, which are answered.
 */
#ifndef NFART_BLOCK_RANDOM_H
#define NFART_BLOCK_RANDOM_H

#include "tools/nfagen/blocks/gen_blocks.h"

enum { RANDOM_LOADS = 32, RANDOM_ANSWERS = RANDOM_LOADS + 96 };

/* A message that the FPGA sends later. */
struct random_answer {
	uint64_t time; /* 0: none */
	uint64_t header;
	uint32_t vc;
};

struct block_random {
	/* Set by the caller. */
	struct gen_random random;
	uint64_t first_line; /* index of the first line, as in headers */
	uint32_t lines;      /* at least 1 */
	uint64_t rate;       /* mean messages that the CPU sends in a cycle, in units of 2^-32 */
	/* State. */
	uint64_t now;
	uint32_t burst;      /* messages that are still to be sent one after the other */
	uint32_t requested;  /* a bit for each RReqId in use */
	struct random_answer answers[RANDOM_ANSWERS];
};

/* Initialises the model and returns it as traffic for a generator. It sends without end. */
struct block_traffic block_random_init(struct block_random *r);

#endif

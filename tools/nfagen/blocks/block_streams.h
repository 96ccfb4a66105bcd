/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * block_streams.h: a model of the thesis's bandwidth benchmark (T 4.1): each core of the CPU reads
 * 4 kB of the FPGA's memory line by line, one request at a time, and waits at a barrier for the
 * others, round after round. Every request leaves by MREQ_RLDD and is answered by MRSP_PEMD with
 * the line.
 */
#ifndef NFART_BLOCK_STREAMS_H
#define NFART_BLOCK_STREAMS_H

#include "tools/nfagen/blocks/gen_blocks.h"

enum {
	STREAM_CORES = 16, /* the most cores */
	STREAM_BYTES = 4096,
	STREAM_LINES = STREAM_BYTES / 128
};

struct stream_core {
	uint64_t next;  /* time at which it requests its next line; UINT64_MAX: it waits */
	uint32_t line;  /* lines of this round that it has */
	uint32_t round;
};

/* A message of the directory that is under way. */
struct stream_answer {
	uint64_t time;
	uint64_t header;
	uint32_t vc;
};

struct block_streams {
	/* Set by the caller. */
	struct gen_random random;
	uint64_t base;            /* physical address of the first core's memory */
	uint32_t cores, rounds;   /* cores: 1 to STREAM_CORES */
	const struct nfart_proto *proto;
	/* State. */
	uint64_t now;
	struct stream_core core[STREAM_CORES];
	uint32_t finished[STREAM_CORES], nfinished; /* cores at the barrier, in order of arrival */
	uint64_t queue[STREAM_CORES];               /* requests that the directory has not begun */
	uint32_t first, waiting;                    /* of `queue` */
	uint64_t begin;                             /* time at which it may begin the next one */
	/* Of requests that it has begun; time 0: none. */
	struct stream_answer answers[2];
	int slots[2][BLOCK_VCS];                    /* [sender]: slots at the virtual channels */
};

/* Initialises the model and returns it as traffic for a generator. */
struct block_traffic block_streams_init(struct block_streams *s);

#endif

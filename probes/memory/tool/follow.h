/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * follow.h: copies of nfamem, for --follow.
 *
 * Each process of the program is read by a process of nfamem. Where a process forks, its reader
 * forks, too: so what is known of the memory, and of the state of a filter, holds for the child as
 * well. Where a program is executed, the first process of nfamem forks a copy that begins anew.
 */
#ifndef NFACC_NFAMEM_FOLLOW_H
#define NFACC_NFAMEM_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/channel.h"

/* What the processes of nfamem share. */
struct follow_shared {
	_Atomic uint32_t interrupted; /* by Ctrl-C: all are to be left alone */
	_Atomic uint32_t status;      /* enum nfart_status of a copy that failed; NFART_OK: none */
	_Atomic uint32_t chosen;      /* there was a program with the objects of --watch */
};

struct follow {
	struct follow_shared *shared; /* NULL without --follow */
	int ends;    /* of a pipe, to read; closed at its other end when all copies ended */
	int own_end; /* in a copy: its other end */
	/* The channels, as they were made: the processes could write over what is there. */
	struct mem_channel *first, made;
	uint64_t pid_space; /* of this process */
	uint32_t arrivals;  /* that were seen */
};

/* Begins with the first of some channels, which must outlive *f. */
enum nfart_status follow_open(struct follow *f, struct mem_channel *first, struct nfart_error *e);

/* Returns the channel with this number; NULL: there is none. */
struct mem_channel *follow_slot(const struct follow *f, uint64_t slot);

/* Makes a copy of this process. Returns 0 in the copy, which ends with _exit(2); -1 if there is
 * none. All output must be flushed before. */
pid_t follow_copy(struct follow *f);

/* Are there copies, or copies of copies, that have not ended? Waits for that at most so long. */
bool follow_others(const struct follow *f, int milliseconds);

/* Does the channel with this number belong to a process that waits for a reader, and can be
 * followed? `executed`: as in struct mem_follow. */
bool follow_waits(const struct follow *f, uint64_t slot, bool executed);

/* Lets the process of a channel go on. It runs unwatched if `detach` was set before. */
void follow_attach(struct mem_channel *c);

/* Returns a channel of a program that was executed and waits for a reader; NULL: there is none.
 * Cost: one word is read if none has come, else one in each channel. */
struct mem_channel *follow_arrived(struct follow *f);

/* Returns a channel of a child of the process with channel c, where that died before it could tell
 * of it; NULL: there is none. */
struct mem_channel *follow_orphan(const struct follow *f, const struct mem_channel *c);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * follow.h: copies of nfamem, for --follow.
 *
 * Each process of the program is read by its own process of nfamem. If a process of the program
 * forks, its reader forks too. The new reader then knows the memory of the child, and has the state
 * of the filter. If a process executes a program, the first process of nfamem forks a copy, and
 * that copy begins anew.
 */
#ifndef NFACC_NFAMEM_FOLLOW_H
#define NFACC_NFAMEM_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/channel.h"

/* Memory that all processes of nfamem share. */
struct follow_shared {
	_Atomic uint32_t interrupted; /* Ctrl-C came: leave all processes of the program alone */
	_Atomic uint32_t status;      /* enum nfart_status of a copy that failed; else NFART_OK */
	_Atomic uint32_t matches;     /* a copy has written matches */
	_Atomic uint32_t chosen;      /* a program had the objects of --watch */
};

struct follow {
	struct follow_shared *shared; /* NULL without --follow */
	int ends;    /* reading end of a pipe; at its end of file all copies have ended */
	int own_end; /* in a copy: the writing end of the pipe */
	/*
	 * The first channel, and a copy of it as it was at first. The processes could overwrite the
	 * former.
	 */
	struct mem_channel *first, made;
	uint64_t pid_space; /* PID namespace of this process */
	uint32_t arrivals;  /* number of executed programs that were seen */
};

/* Sets up *f. `first` is the first of the channels, which must outlive *f. */
enum nfart_status follow_open(struct follow *f, struct mem_channel *first, struct nfart_error *e);

/* Returns the channel with this number, or NULL if there is none. */
struct mem_channel *follow_slot(const struct follow *f, uint64_t slot);

/*
 * Forks a copy of this process. Returns 0 in the copy, which must end with _exit(2). Returns -1 on
 * failure. All output must be flushed before the call.
 */
pid_t follow_copy(struct follow *f);

/* Waits at most `milliseconds` until all copies have ended. Returns whether some have not. */
bool follow_others(const struct follow *f, int milliseconds);

/*
 * Whether the channel with this number belongs to a process that waits for a reader. Its process
 * must be in the same PID namespace. `executed`: as in struct mem_follow.
 */
bool follow_waits(const struct follow *f, uint64_t slot, bool executed);

/* Lets the process of a channel go on. If `detach` is set, the process runs unwatched. */
void follow_attach(struct mem_channel *c);

/*
 * Returns the channel of an executed program that waits for a reader, or NULL. Cost: reads one word
 * if no program was executed since the last call; else one word in each channel.
 */
struct mem_channel *follow_arrived(struct follow *f);

/*
 * Returns the channel of a child of the process with channel c. That process died before it could
 * record the fork. Returns NULL if there is no such child.
 */
struct mem_channel *follow_orphan(const struct follow *f, const struct mem_channel *c);

#endif

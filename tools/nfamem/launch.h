/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * launch.h: starts a program with the library inside it that records its accesses, and waits
 * for it.
 */
#ifndef NFACC_NFAMEM_LAUNCH_H
#define NFACC_NFAMEM_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "include/nfart_status.h"
#include "sources/process/channel.h"

struct launch {
	struct mem_channel *channel;
	size_t bytes; /* of the channel */
	int fd;     /* of the channel */
	/* Why the channel is not shared with the program, which then has to run unwatched; or
	 * empty. */
	char unshared[160];
	int pidfd;
	pid_t pid;
	bool ended;
	int code;   /* if it ended: its exit code, or 128 + the number of the signal */
};

/* Set by SIGINT: the program is to be left alone. */
extern volatile sig_atomic_t launch_interrupted;

/* Makes the channel, in which the caller then says what is wanted. Undo with launch_close(). */
enum nfart_status launch_open(struct launch *l, struct nfart_error *e);

/* Starts the program; `watched`: with the library. On failure *e says why: there is none, or it
 * can't be executed. */
enum nfart_status launch_start(struct launch *l, char **argv, bool watched, struct nfart_error *e);

/* Waits until the program has ended, but no longer than some nanoseconds. */
void launch_wait(struct launch *l, long nanoseconds);

/* The program goes on if it has not ended. */
void launch_close(struct launch *l);

#endif

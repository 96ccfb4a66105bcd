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
#include "probes/memory/reader/channel.h"

struct launch {
	struct mem_channel *channel; /* of the process that is read */
	struct mem_channel *first;   /* of the program that was started */
	size_t bytes;  /* of all channels */
	int fd;        /* of their file */
	/* Why the channel is not shared with the program, which then has to run unwatched; or
	 * empty. */
	char unshared[160];
	int pidfd;     /* -1: the process ended long ago, or the kernel has no such thing */
	pid_t pid;
	bool copy;     /* the process is no child of this one: launch_adopt() */
	bool ended;
	int code;   /* if it ended: its exit code, or 128 + the number of the signal */
};

/* Set by SIGINT: the program is to be left alone. */
extern volatile sig_atomic_t launch_interrupted;

/* Makes the channel, in which the caller then says what is wanted; `follow`: and those of other
 * processes. Undo with launch_close(). */
enum nfart_status launch_open(struct launch *l, bool follow, struct nfart_error *e);

/* Starts the program; `watched`: with the library. On failure *e says why: there is none, or it
 * can't be executed. */
enum nfart_status launch_start(struct launch *l, char **argv, bool watched, struct nfart_error *e);

/* Opens a descriptor that says when a process ends; -1 if that can't be. */
int launch_watch(pid_t pid);

/* In a copy of nfamem: from here on *l is about another process, with the channel c. Takes pidfd,
 * which launch_watch() has opened. */
void launch_adopt(struct launch *l, struct mem_channel *c, int pidfd);

/* Gives back the channel of a process that is gone, after launch_adopt(): others may take it. */
void launch_release(struct launch *l);

/* Waits until the program has ended, but no longer than some nanoseconds. */
void launch_wait(struct launch *l, long nanoseconds);

/* The program goes on if it has not ended. */
void launch_close(struct launch *l);

#endif

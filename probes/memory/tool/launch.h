/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* launch.h: starts the program with libnfamem-inside.so preloaded, and waits for it. */
#ifndef NFACC_NFAMEM_LAUNCH_H
#define NFACC_NFAMEM_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/channel.h"

struct launch {
	struct mem_channel *channel; /* channel of the process that is being read */
	struct mem_channel *first;   /* channel of the program that was started */
	size_t bytes;  /* size of all channels */
	int fd;        /* the file with all channels */
	/*
	 * Why the channel cannot be shared with the program, so that the program has to run
	 * unwatched. Empty if it can be shared.
	 */
	char unshared[160];
	int pidfd;     /* -1: the process ended long ago, or the kernel has no pidfd */
	pid_t pid;
	bool copy;     /* the process is not a child of this one: see launch_adopt() */
	bool ended;
	int code;   /* once it has ended: its exit code, or 128 + number of the signal */
};

/* Set by SIGINT, and by other signals if nfamem is attached: leave the program alone. */
extern volatile sig_atomic_t launch_interrupted;

/*
 * Makes the channel. The caller then fills in what it wants. With `follow` it makes the channels of
 * other processes, too. `fd`: takes this empty file for it; -1: makes one. Undo it with
 * launch_close().
 */
enum nfart_status launch_open(struct launch *l, bool follow, int fd, struct nfart_error *e);

/*
 * Starts the program. With `watched` the library is preloaded. Sets *e on failure: the program does
 * not exist or cannot be executed.
 */
enum nfart_status launch_start(struct launch *l, char **argv, bool watched, struct nfart_error *e);

/*
 * From now on the program that writes to the channel learns it if this process ends without
 * launch_let_go(). launch_open() calls the one, launch_close() the other.
 */
void launch_hold(struct mem_channel *c);
void launch_let_go(struct mem_channel *c);

/*
 * From here on no signal ends nfamem that can be handled, also not while it ends by itself. SIGINT,
 * SIGTERM, SIGQUIT and SIGHUP only set launch_interrupted.
 */
void launch_attach(void);

/* Takes a process that runs already, and in which the library is loaded later. */
void launch_take(struct launch *l, pid_t pid);

/* Opens a descriptor (pidfd) that tells when a process ends. Returns -1 on failure. */
int launch_watch(pid_t pid);

/*
 * Called in a copy of nfamem: from now on *l is about another process, with the channel c. Takes
 * pidfd, which launch_watch() has opened.
 */
void launch_adopt(struct launch *l, struct mem_channel *c, int pidfd);

/*
 * After launch_adopt(): gives back the channel of a process that has ended, so that other processes
 * may take it.
 */
void launch_release(struct launch *l);

/* Waits until the program has ended, but at most `nanoseconds`. */
void launch_wait(struct launch *l, long nanoseconds);

/* Frees *l. If the program has not ended, it goes on. */
void launch_close(struct launch *l);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum nfart_status follow_open(struct follow *f, struct mem_channel *first, struct nfart_error *e)
{
	struct stat space;
	int ends[2];
	void *shared = mmap(NULL, sizeof *f->shared, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	*f = (struct follow){ .ends = -1, .own_end = -1, .first = first, .made = *first };
	if (shared == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0)
		return nfart_fail(e, NFART_SYSTEM, "can't follow processes: %s", strerror(errno));
	close(ends[1]);
	f->ends = ends[0];
	f->shared = shared;
	if (stat("/proc/self/ns/pid", &space) == 0)
		f->pid_space = space.st_ino;
	return NFART_OK;
}

/* Opens the writing end of the pipe. Only copies have it open. */
static int open_end(const struct follow *f)
{
	char path[48];

	snprintf(path, sizeof path, "/proc/self/fd/%d", f->ends);
	return open(path, O_WRONLY | O_CLOEXEC);
}

pid_t follow_copy(struct follow *f)
{
	int end = open_end(f);
	pid_t pid = end >= 0 ? fork() : -1;

	if (pid != 0) {
		if (end >= 0)
			close(end);
		return pid;
	}
	if (f->own_end >= 0)
		close(f->own_end);
	f->own_end = end;
	return 0;
}

bool follow_others(const struct follow *f, int milliseconds)
{
	struct pollfd p = { .fd = f->ends, .events = POLLIN };

	return poll(&p, 1, milliseconds) == 0 || (p.revents & POLLHUP) == 0;
}

struct mem_channel *follow_slot(const struct follow *f, uint64_t slot)
{
	return slot < f->made.follow.slots
		       ? (struct mem_channel *)((char *)f->first + slot * f->made.bytes)
		       : NULL;
}

void follow_attach(struct mem_channel *c)
{
	atomic_store(&c->follow.attached, 1);
}

bool follow_waits(const struct follow *f, uint64_t slot, bool executed)
{
	struct mem_channel *c = follow_slot(f, slot);
	const struct mem_follow *m = &c->follow;

	if (c == NULL || !atomic_load(&m->ready) || atomic_load(&m->attached) ||
	    (m->executed != 0) != executed)
		return false;
	if (m->pid_space != f->pid_space || m->pid == 0) {
		atomic_store(&c->detach, 1);
		follow_attach(c);
		return false;
	}
	c->bytes = f->made.bytes;
	c->size.sites_max = f->made.size.sites_max;
	c->size.threads_max = f->made.size.threads_max;
	c->size.ring_words = f->made.size.ring_words;
	return true;
}

/* 1 + the highest slot that was ever taken. */
static uint32_t used(const struct follow *f)
{
	uint32_t n = atomic_load(&f->first->follow.used);

	return n < f->made.follow.slots ? n : f->made.follow.slots;
}

struct mem_channel *follow_arrived(struct follow *f)
{
	uint32_t arrivals = atomic_load(&f->first->follow.arrivals);

	if (f->arrivals == arrivals)
		return NULL;
	for (uint32_t i = 1; i < used(f); i++)
		if (follow_waits(f, i, true))
			return follow_slot(f, i);
	f->arrivals = arrivals;
	return NULL;
}

struct mem_channel *follow_orphan(const struct follow *f, const struct mem_channel *c)
{
	for (uint32_t i = 1; i < used(f); i++) {
		struct mem_channel *child = follow_slot(f, i);

		if (child != c && follow_slot(f, child->follow.origin) == c &&
		    follow_waits(f, i, false))
			return child;
	}
	return NULL;
}

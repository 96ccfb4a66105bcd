/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/copies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Tells the notes and the outputs which process they are about. */
static void introduce(struct run *x)
{
	const struct mem_follow *f = &x->launch.channel->follow;

	x->process = (struct outputs_process){ .pid = f->pid,
					       .program = f->program,
					       .path = x->program.path };
	snprintf(x->name, sizeof x->name, "%s (process %" PRIu32 ")", x->program.path, f->pid);
}

static enum nfart_status begin_child(struct run *x, uint32_t thread, struct nfart_error *e)
{
	struct mem_channel *c = x->launch.channel;

	order_free(x->order);
	x->memory.counts = (struct memory_counts){ 0 };
	x->memory.channel_sites = mem_sites(c);
	introduce(x);
	x->order = run_order(x);
	if (x->order == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	return outputs_inherit(&x->outputs, &x->process, thread, e);
}

static enum nfart_status begin_program(struct run *x, struct nfart_error *e)
{
	char link[48], path[PATH_MAX] = "";
	ssize_t n;

	snprintf(link, sizeof link, "/proc/%" PRIu32 "/exe", x->launch.channel->follow.pid);
	n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = 0;
	order_free(x->order);
	memory_free(&x->memory);
	program_look(&x->program, path);
	snprintf(x->program.path, sizeof x->program.path, "%s", path);
	snprintf(x->program.file, sizeof x->program.file, "%s", path);
	introduce(x);
	x->order = NULL;
	if (run_begin(x, e) != NFART_OK)
		return e->status;
	return outputs_renew(&x->outputs, &x->memory, &x->process, e);
}

/* Runs a copy of nfamem: reads its process to the end, then exits. */
static _Noreturn void go_on(struct run *x, enum nfart_status status, struct nfart_error *e)
{
	if (status == NFART_OK) {
		bool fine = run_read(x, e);

		fine = outputs_end(&x->outputs, x->launch.channel, &x->process, fine ? e : NULL) &&
		       fine;
		status = fine ? outputs_commit(&x->outputs, &x->process, e) : e->status;
	}
	run_report(status, e);
	if (filters_count(&x->outputs.filters) > 0)
		atomic_store(&x->follow.shared->matches, 1);
	if (status != NFART_OK) {
		atomic_store(&x->follow.shared->status, (uint32_t)status);
		run_wait(x);
	}
	launch_let_go(x->launch.channel);
	if (x->launch.ended || atomic_load(&x->launch.channel->state) == MEM_REPLACED)
		launch_release(&x->launch);
	_exit(0);
}

/* Makes a copy of nfamem, which reads the process with the channel `c`. */
static bool copy_nfamem(struct run *x, struct mem_channel *c, uint32_t thread,
			struct nfart_error *e)
{
	struct nfart_error own = { 0 };
	enum nfart_status status;
	int pidfd;
	pid_t pid;

	if (!memory_settle(&x->memory)) {
		*e = x->memory.error;
		return false;
	}
	if (!outputs_flush(&x->outputs, e))
		return false;
	fflush(NULL);
	pidfd = launch_watch((pid_t)c->follow.pid);
	/*
	 * Attach before the copy is made. If the process is dead, the copy gives the channel back
	 * at once. To attach later would then mark a free channel as attached.
	 */
	follow_attach(c);
	pid = follow_copy(&x->follow);
	if (pid == 0) {
		launch_adopt(&x->launch, c, pidfd);
		c->loss.reader = (uint32_t)getpid();
		launch_hold(c);
		x->progress.wanted = false;
		x->state.reason = x->state.detaching = x->state.chooses = x->state.executes =
			x->state.ended = false;
		x->state.waited = 0;
		status = c->follow.executed ? begin_program(x, &own) : begin_child(x, thread, &own);
		go_on(x, status, &own);
	}
	if (pidfd >= 0)
		close(pidfd);
	if (pid < 0) {
		atomic_store(&c->detach, 1);
		run_note(x,
			 ": its child is not watched, because nfamem can't make a process to watch "
			 "it",
			 "");
	}
	return true;
}

/* Writes a note if a program that is about to be executed cannot be watched. */
static void say_unwatched(struct run *x, uint32_t pid, const uint64_t *words, size_t n)
{
	char path[PATH_MAX] = "";
	struct program p;

	memcpy(path, words,
	       n * sizeof words[0] < sizeof path - 1 ? n * sizeof words[0] : sizeof path - 1);
	if (path[0] == 0)
		return;
	program_look(&p, path);
	if (p.unwatched == NULL)
		return;
	progress_end(&x->progress);
	if (!x->o->quiet)
		fprintf(stderr, "nfamem: note: %s (process %" PRIu32 ") is not watched: %s\n", path,
			pid, p.unwatched);
	x->state.executes = false;
}

bool copies_event(struct run *x, uint32_t thread, enum mem_event kind, const uint64_t *words,
		  size_t n, struct nfart_error *e)
{
	if (kind == MEM_EXEC)
		say_unwatched(x, x->process.pid, words, n);
	if (kind == MEM_SPAWN)
		say_unwatched(x, (uint32_t)words[0], words + 1, n - 1);
	if (kind != MEM_FORK || words[1] == 0)
		return true;
	if (follow_waits(&x->follow, words[1], false))
		return copy_nfamem(x, follow_slot(&x->follow, words[1]), thread, e);
	run_note(x, ": a child is not watched, because it is in another PID namespace", "");
	return true;
}

bool copies_arrivals(struct run *x, struct nfart_error *e)
{
	struct mem_channel *c;
	bool fine = true;

	while (fine && !x->launch.copy && (c = follow_arrived(&x->follow)) != NULL)
		fine = copy_nfamem(x, c, 0, e);
	return fine;
}

bool copies_orphans(struct run *x, struct nfart_error *e)
{
	struct mem_channel *c;
	bool fine = true;

	while (fine && (c = follow_orphan(&x->follow, x->launch.channel)) != NULL)
		fine = copy_nfamem(x, c, 0, e);
	if (x->state.executes && atomic_load(&x->launch.channel->state) != MEM_REPLACED)
		run_note(x,
			 " executed a program that was not watched: the library of nfamem was not "
			 "loaded into it",
			 "");
	return fine;
}

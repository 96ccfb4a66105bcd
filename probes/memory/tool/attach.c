/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include "probes/memory/tool/attach.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/memfd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probes/memory/reader/channel.h"
#include "probes/memory/tool/returns.h"
#include "probes/memory/tool/settle.h"
#include "probes/memory/tool/target.h"
#include "support/beside.h"

enum {
	RTLD_NOW_LOCAL = 2,
	TRIES = 40, /* how often libc is looked for, */
	APART = 50000 /* and microseconds between two times */
};

static const char library_name[] = "libnfamem-inside.so";

static bool has_ended(struct nfart_error *e)
{
	nfart_fail(e, NFART_SYSTEM, "it has ended");
	return false;
}

/* A call in which nothing but the process itself can go wrong. */
static bool call(struct attach *a, struct tracee *at, uint64_t function, const uint64_t *arguments,
		 unsigned n, uint64_t *result, struct nfart_error *e)
{
	const bool fine = at != NULL
				  ? tracees_call(&a->threads, at, function, arguments, n, result, e)
				  : has_ended(e);

	a->broken |= !fine;
	return fine;
}

/* Gives back what the process had before, also what it does at signals. */
static bool call_leave(struct attach *a, struct tracee *at, struct nfart_error *e)
{
	uint64_t result;

	a->threads.restores = true;
	const bool fine = call(a, at, a->call.leave, NULL, 0, &result, e);
	a->threads.restores = false;
	return fine;
}

static struct tracee *leader(struct attach *a)
{
	return tracees_find(&a->threads, a->leader);
}

/* ---- a file for the channel ---- */

static enum nfart_status make_file(struct attach *a, int *fd, struct nfart_error *e)
{
	static const char name[] = "nfamem";
	const uint64_t arguments[] = { tracees_push(&a->threads, leader(a), name, sizeof name),
				       MFD_CLOEXEC };
	int64_t result;
	char path[64];

	if (!tracees_syscall(&a->threads, leader(a), SYS_memfd_create, arguments, 2, &result, e))
		return e->status;
	if (result < 0)
		return nfart_fail(e, NFART_SYSTEM, "it can't share memory with nfamem: %s",
				  strerror((int)-result));
	a->remote = (int)result;
	snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)a->threads.pid, a->remote);
	*fd = open(path, O_RDWR | O_CLOEXEC);
	if (*fd < 0)
		return nfart_fail(e, NFART_SYSTEM, "its memory can't be shared");
	return NFART_OK;
}

static void close_remote(struct attach *a)
{
	const uint64_t argument = (uint64_t)a->remote;
	struct nfart_error ignored;
	int64_t result;

	if (a->remote >= 0 && leader(a) != NULL)
		tracees_syscall(&a->threads, leader(a), SYS_close, &argument, 1, &result, &ignored);
	a->remote = -1;
}

/* ---- errno of the leader ---- */

static bool keep_errno(struct attach *a, struct nfart_error *e)
{
	return call(a, leader(a), a->libc.errno_location, NULL, 0, &a->errno_at, e) &&
	       (tracees_read(&a->threads, a->errno_at, &a->errno_was, sizeof a->errno_was) ||
		has_ended(e));
}

static void give_errno(struct attach *a)
{
	if (a->errno_at != 0)
		tracees_write(&a->threads, a->errno_at, &a->errno_was, sizeof a->errno_was);
	a->errno_at = 0;
}

/*
 * Looks for the functions of the process's libc. Later there is another libc in it: that of the
 * decoder, which the library loads.
 */
static enum nfart_status find_libc(struct attach *a, struct nfart_error *e)
{
	struct target_maps maps;
	const struct target_map *libc;

	if (!target_read_maps(a->threads.pid, &maps))
		return nfart_fail(e, NFART_SYSTEM, "its mappings can't be read");
	libc = target_find(&maps, "libc.so.6");
	if (libc != NULL)
		a->libc = (struct attach_libc){
			target_gate(&a->threads, &maps, libc),
			target_symbol(&a->threads, libc, "__errno_location"),
			target_symbol(&a->threads, libc, "dlopen"),
			target_symbol(&a->threads, libc, "dlclose"),
			target_symbol(&a->threads, libc, "dlerror"),
		};
	vec_free(&maps.list);
	if (a->libc.gate == 0 || a->libc.errno_location == 0 || a->libc.open == 0 ||
	    a->libc.close == 0 || a->libc.error == 0)
		return nfart_fail(e, NFART_SYSTEM, "its C library is older than glibc 2.34");
	return NFART_OK;
}

/* Finds a thread that may call functions of libc, and stops it. */
static enum nfart_status choose_leader(struct attach *a, struct nfart_error *e)
{
	enum nfart_status status = settle_find(&a->threads, &a->leader, e);

	a->threads.gate = a->libc.gate;
	if (status == NFART_OK && !keep_errno(a, e))
		status = e->status;
	return status;
}

enum nfart_status attach_open(struct attach *a, pid_t pid, int *fd, struct nfart_error *e)
{
	enum nfart_status status;

	*a = (struct attach){ .remote = -1, .threads.mem = -1 };
	status = target_check(pid, e);
	if (status == NFART_OK)
		status = tracees_open(&a->threads, pid, e);
	/* A program that has just started needs some time to load its libc. */
	for (unsigned i = 0; status == NFART_OK && find_libc(a, e) != NFART_OK; i++) {
		if (i == TRIES)
			return e->status;
		usleep(APART);
	}
	if (status == NFART_OK)
		status = choose_leader(a, e);
	if (status == NFART_OK)
		status = make_file(a, fd, e);
	return status;
}

/* ---- the library ---- */

/* Says what dlopen had to say. */
static enum nfart_status say_dlerror(struct attach *a, struct nfart_error *e)
{
	char text[256] = "";
	uint64_t at = 0;

	if (call(a, leader(a), a->libc.error, NULL, 0, &at, e) && at != 0)
		for (size_t i = 0; i + 1 < sizeof text; i++)
			if (!tracees_read(&a->threads, at + i, text + i, 1) || text[i] == 0)
				break;
	text[sizeof text - 1] = 0;
	return nfart_fail(e, NFART_SYSTEM, "the library of nfamem can't be loaded into it: %s",
			  text);
}

static bool find_functions(struct attach *a)
{
	const struct {
		const char *name;
		uint64_t *at;
	} wanted[] = {
		{ "nfamem_begin", &a->call.begin },   { "nfamem_watch", &a->call.watch },
		{ "nfamem_adopt", &a->call.adopt },   { "nfamem_thread", &a->call.thread },
		{ "nfamem_asleep", &a->call.asleep }, { "nfamem_thunk", &a->call.thunk },
		{ "nfamem_go", &a->call.go },         { "nfamem_where", &a->call.where },
		{ "nfamem_leave", &a->call.leave },   { "nfamem_alone", &a->call.alone },
		{ "nfamem_unload", &a->call.unload }, { "nfamem_unmap", &a->call.unmap },
	};
	struct target_maps maps;
	const struct target_map *m;
	bool fine = target_read_maps(a->threads.pid, &maps);

	m = fine ? target_find(&maps, library_name) : NULL;
	for (size_t i = 0; m != NULL && fine && i < sizeof wanted / sizeof *wanted; i++)
		fine = (*wanted[i].at = target_symbol(&a->threads, m, wanted[i].name)) != 0;
	/* Later, only calls made in the library are not those of the program. */
	if (m != NULL)
		a->threads.gate = target_gate(&a->threads, &maps, m);
	vec_free(&maps.list);
	return m != NULL && fine && a->threads.gate != 0;
}

static enum nfart_status load(struct attach *a, struct nfart_error *e)
{
	char path[PATH_MAX];
	uint64_t arguments[] = { 0, RTLD_NOW_LOCAL };

	beside_find(library_name, PKGLIBDIR, path);
	arguments[0] = tracees_push(&a->threads, leader(a), path, strlen(path) + 1);
	if (!call(a, leader(a), a->libc.open, arguments, 2, &a->library, e))
		return e->status;
	if (a->library == 0)
		return say_dlerror(a, e);
	if (!find_functions(a))
		return nfart_fail(e, NFART_SYSTEM, "another library of nfamem was loaded into it");
	return NFART_OK;
}

/* ---- watching ---- */

/* Whether a mapping is a stack, or has the thread-local memory of a thread. */
static bool is_of_thread(const struct attach *a, const struct target_map *m)
{
	for (size_t i = 0; i < a->threads.n; i++) {
		const struct user_regs_struct *r = &a->threads.at[i].regs;

		if ((r->rsp >= m->from && r->rsp < m->to) ||
		    (r->fs_base >= m->from && r->fs_base < m->to))
			return true;
	}
	return false;
}

/*
 * The memory that the program has allocated before. Anonymous memory right behind a file is the bss
 * of a module: what is watched of it is watched already.
 */
static bool adopt_memory(struct attach *a, struct nfart_error *e)
{
	struct target_maps maps;
	bool fine = target_read_maps(a->threads.pid, &maps) || has_ended(e);

	for (size_t i = 0; fine && i < maps.list.n; i++) {
		const struct target_map *m = &maps.list.at[i];
		const bool behind = i > 0 && m[-1].file && m[-1].to == m->from;
		const uint64_t arguments[] = { m->from, m->to - m->from };
		uint64_t result;

		if (m->file || m->shared || !m->readable || !m->writable || m->executable ||
		    (behind && strcmp(m->name, "[heap]") != 0) || is_of_thread(a, m))
			continue;
		fine = call(a, leader(a), a->call.adopt, arguments, 2, &result, e);
		a->older += fine ? result : 0;
	}
	vec_free(&maps.list);
	return fine;
}

/* Each thread but the leader gets what a thread needs that is watched. */
static bool watch_threads(struct attach *a, struct nfart_error *e)
{
	for (size_t i = 0; i < a->threads.n; i++) {
		struct tracee *at = &a->threads.at[i];
		uint64_t result;

		if (at->tid != a->leader &&
		    !call(a, at, a->call.thread, &at->mask, 1, &result, e))
			return false;
	}
	a->begun = true;
	return true;
}

/* The threads go on with what the kernel has interrupted: now that is a matter of the library. */
static bool settle_threads(struct attach *a, struct nfart_error *e)
{
	const uint64_t needed = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGTRAP - 1) |
				UINT64_C(1) << (SIGSYS - 1);

	for (size_t i = 0; i < a->threads.n; i++) {
		struct tracee *at = &a->threads.at[i];

		if (!settle_attached(&a->threads, at, a->call.asleep, a->thunk, e))
			return false;
		at->mask &= ~needed;
	}
	return true;
}

static bool watch(struct attach *a, struct nfart_error *e)
{
	uint64_t result, arguments[1] = { (uint64_t)a->remote };

	a->stage = ATTACH_BEGUN;
	if (!call(a, leader(a), a->call.begin, arguments, 1, &result, e))
		return false;
	a->remote = -1;
	give_errno(a);
	if (result == 0) {
		nfart_fail(e, NFART_SYSTEM, "the library of nfamem could not prepare to watch it");
		return false;
	}
	if (tracees_stop(&a->threads, e) != NFART_OK)
		return false;
	arguments[0] = a->threads.n;
	a->stage = ATTACH_WATCHES;
	if (!call(a, leader(a), a->call.watch, arguments, 1, &result, e))
		return false;
	if (result == 0) {
		nfart_fail(e, NFART_SYSTEM, "the library of nfamem could not prepare to watch it");
		return false;
	}
	return adopt_memory(a, e) && watch_threads(a, e) &&
	       call(a, leader(a), a->call.thunk, NULL, 0, &a->thunk, e) &&
	       call(a, leader(a), a->call.go, &leader(a)->mask, 1, &result, e) &&
	       settle_threads(a, e);
}

void attach_free(struct attach *a)
{
	if (a->threads.mem < 0)
		return;
	close_remote(a);
	give_errno(a);
	tracees_free(&a->threads);
}

/* ---- letting go ---- */

/* A thread that is looked at: whether it will return into the library, or into a copy. */
struct look {
	struct attach *attach;
	const struct target_maps *maps;
	struct tracee *at;
	bool ours;
};

static void look_at(void *ctx, uint64_t pc)
{
	struct look *k = ctx;
	const enum settle_whose whose = settle_whose(k->maps, pc);
	struct nfart_error ignored;
	uint64_t where;

	if (whose == SETTLE_MAYBE_COPY && !k->ours)
		k->ours = call(k->attach, k->at, k->attach->call.where, &pc, 1, &where, &ignored) &&
			  where == MEM_COPYING;
	k->ours |= whose == SETTLE_LIBRARY;
}

/* If a stack cannot be followed, the thread may return to any address that is in it. */
static void look_at_words(struct look *k)
{
	static uint64_t words[8192];
	uint64_t end = 0, sp = k->at->regs.rsp & ~UINT64_C(7);

	for (size_t i = 0; i < k->maps->list.n; i++)
		if (sp >= k->maps->list.at[i].from && sp < k->maps->list.at[i].to)
			end = k->maps->list.at[i].to;
	for (; sp < end && !k->ours; sp += sizeof words) {
		const size_t n = end - sp < sizeof words ? end - sp : sizeof words;

		k->ours = !tracees_read(&k->attach->threads, sp, words, n);
		for (size_t i = 0; i < n / sizeof *words && !k->ours; i++)
			look_at(k, words[i]);
	}
}

/* Whether a thread may come back to the library. */
static bool returns(struct attach *a, const struct target_maps *maps)
{
	struct returns *r = returns_new(a->threads.pid);
	struct look k = { .attach = a, .maps = maps };

	for (size_t i = 0; i < a->threads.n && !k.ours; i++) {
		k.at = &a->threads.at[i];
		tracees_show(k.at);
		if (r == NULL || !returns_of(r, k.at->tid, look_at, &k))
			look_at_words(&k);
	}
	returns_free(r);
	return k.ours;
}

/* Stops all threads where they can be let go of. */
static bool stop_outside(struct attach *a, struct nfart_error *e)
{
	enum { ROUNDS = 200, ROUNDS_APART = 2000 };

	for (unsigned i = 0; i < ROUNDS; i++) {
		if (tracees_stop(&a->threads, e) != NFART_OK)
			return false;
		if (settle_outside(&a->threads, a->call.where, a->thunk, e))
			return true;
		tracees_go(&a->threads);
		usleep(ROUNDS_APART);
	}
	return false;
}

/* Every thread is on its own again. *stays: one of them may come back to the library. */
static bool leave_threads(struct attach *a, bool *stays, struct nfart_error *e)
{
	struct target_maps maps;

	*stays = false;
	for (size_t i = 0; i < a->threads.n; i++) {
		struct tracee *at = &a->threads.at[i];
		uint64_t result;

		if (!call(a, at, a->call.alone, NULL, 0, &result, e) ||
		    !settle_left(&a->threads, at, a->thunk))
			return false;
		*stays |= (result & MEM_ALONE_STAYS) != 0;
		at->mask |= result & ~MEM_ALONE_STAYS;
	}
	if (!target_read_maps(a->threads.pid, &maps))
		return false;
	*stays = *stays || returns(a, &maps);
	vec_free(&maps.list);
	return true;
}

static bool unload(struct attach *a, struct nfart_error *e)
{
	uint64_t result;
	bool fine;

	fine = choose_leader(a, e) == NFART_OK &&
	       (a->stage == ATTACH_NOTHING ||
		(call(a, leader(a), a->call.unload, NULL, 0, &result, e) &&
		 call(a, leader(a), a->call.unmap, NULL, 0, &result, e))) &&
	       call(a, leader(a), a->libc.close, &a->library, 1, &result, e);
	give_errno(a);
	return fine;
}

/* ---- if attaching fails ---- */

/*
 * Gives back what nfamem_watch() and later calls have taken, while all threads are stopped. The
 * leader is the last one that becomes a watched thread, so it has nothing to give back.
 */
static bool leave_half(struct attach *a)
{
	struct nfart_error ignored;
	uint64_t result;
	bool fine = call_leave(a, leader(a), &ignored);

	for (size_t i = 0; fine && a->begun && i < a->threads.n; i++) {
		struct tracee *at = &a->threads.at[i];

		if (at->tid == a->leader)
			continue;
		fine = call(a, at, a->call.alone, NULL, 0, &result, &ignored) &&
		       (result & MEM_ALONE_STAYS) == 0;
		at->mask |= result & ~MEM_ALONE_STAYS;
	}
	return fine;
}

/*
 * Takes the library out of the process again. Where a call was broken off, the library may hold its
 * own locks: then it stays.
 */
static void undo(struct attach *a)
{
	struct nfart_error ignored;
	bool fine = a->library != 0 && !a->broken;

	if (fine && a->stage == ATTACH_WATCHES)
		fine = leave_half(a);
	a->threads.gate = a->libc.gate;
	give_errno(a);
	close_remote(a);
	tracees_go(&a->threads);
	if (fine)
		unload(a, &ignored);
	tracees_go(&a->threads);
}

/* Adds to *e that the library is still in the process, if it is. */
static enum nfart_status say_rest(struct attach *a, struct nfart_error *e)
{
	const struct nfart_error why = *e;
	struct target_maps maps;
	bool remains = target_read_maps(a->threads.pid, &maps);

	remains = remains && target_find(&maps, library_name) != NULL;
	vec_free(&maps.list);
	if (!remains)
		return why.status;
	return nfart_fail(e, why.status, "%s; the library of nfamem remains in it%s", why.what,
			  a->stage == ATTACH_WATCHES ? ", and it may not go on as before" : "");
}

enum nfart_status attach_begin(struct attach *a, struct nfart_error *e)
{
	enum nfart_status status = load(a, e);

	if (status == NFART_OK && !watch(a, e))
		status = e->status;
	if (status == NFART_OK) {
		a->attached = true;
		a->watched = a->threads.n;
		tracees_go(&a->threads);
	} else {
		undo(a);
		status = say_rest(a, e);
	}
	return status;
}

/* ---- the end ---- */

const char *attach_end(struct attach *a)
{
	struct nfart_error e = { 0 };
	bool stays = false, fine;

	if (!stop_outside(a, &e)) {
		tracees_go(&a->threads);
		return "a thread of it was in the library all the time, which remains in it";
	}
	fine = a->threads.n > 0 && call_leave(a, &a->threads.at[0], &e) &&
	       leave_threads(a, &stays, &e);
	tracees_go(&a->threads);
	if (!fine)
		return "it ended meanwhile";
	if (!stays && !unload(a, &e))
		stays = true;
	tracees_go(&a->threads);
	return stays ? "a thread will still return through the library, which remains in it" : NULL;
}

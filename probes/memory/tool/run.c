/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "probes/memory/reader/summary.h"
#include "probes/memory/tool/copies.h"
#include "probes/memory/tool/watch.h"
#include "support/clock.h"

enum {
	SHORT_WAIT = 100000, /* nanoseconds to wait if nothing was written */
	LONG_WAIT = 2000000, /* nanoseconds, if nothing was written for a while */
	/* After this time (in nanoseconds) a missing stamp is given up. */
	SKIP_AFTER = 100000000,
	/*
	 * Time (in nanoseconds) in which a process must have noticed that it is to be left alone.
	 */
	DETACH_WITHIN = 2000000000,
	OTHERS_EACH = 2,  /* milliseconds between two looks at other processes */
	MODULES_KNOWN = 2 /* value of watch_pending once all modules are recorded */
};

void run_note(struct run *x, const char *what, const char *more)
{
	progress_end(&x->progress);
	if (!x->o->quiet)
		fprintf(stderr, "nfamem: note: %s%s%s\n", x->name, what, more);
}

void run_unseen(struct run *x)
{
	struct buf text = { 0 };

	summary_unseen(x->launch.channel, &text);
	buf_add(&text, "", 1);
	if (text.n > 1 && !text.failed)
		run_note(x, ": not seen: ", text.at);
	buf_free(&text);
}

void run_report(enum nfart_status status, const struct nfart_error *e)
{
	if (status != NFART_OK && e->file[0] != 0)
		nfart_error_print(stderr, e);
	else if (status != NFART_OK && e->what[0] != 0)
		fprintf(stderr, "nfamem: error: %s\n", e->what);
}

static bool take_accesses(void *ctx, uint32_t ring, const uint64_t *words, size_t n)
{
	struct run *x = ctx;

	x->state.executes = false;
	return x->sink.accesses(x->sink.ctx, ring, words, n);
}

static bool take_event(void *ctx, uint32_t ring, enum mem_event kind, const uint64_t *words,
		       size_t n)
{
	struct run *x = ctx;

	if (!x->sink.event(x->sink.ctx, ring, kind, words, n))
		return false;
	x->state.executes = kind == MEM_EXEC;
	return x->follow.shared == NULL || copies_event(x, ring, kind, words, n, &x->memory.error);
}

static bool take_stamp(void *ctx, uint32_t ring)
{
	struct run *x = ctx;

	return x->sink.stamp(x->sink.ctx, ring);
}

struct order *run_order(struct run *x)
{
	struct order_sink sink = { take_accesses, take_event, x, NULL };

	if (x->sink.stamp != NULL)
		sink.stamp = take_stamp;

	return order_new(x->launch.channel, &sink);
}

enum nfart_status run_begin(struct run *x, struct nfart_error *e)
{
	if (!memory_init(&x->memory, x->launch.channel, x->program.file))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (x->o->checking.keeps_symbols)
		names_keep_symbols(x->memory.names);
	x->memory.marked = !x->o->watching.from_start;
	x->memory.recording = x->o->watching.from_start || !x->program.starts_itself;
	x->sink = memory_sink(&x->memory);
	if (!(x->o->checking.checks >> CHECK_RACE & 1))
		x->sink.stamp = NULL;
	x->order = run_order(x);
	if (x->order == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	return NFART_OK;
}

#define NANOSECONDS UINT64_C(1000000000) /* in a second */

static bool is_interrupted(struct run *x)
{
	if (x->follow.shared == NULL)
		return launch_interrupted;
	if (launch_interrupted)
		atomic_store(&x->follow.shared->interrupted, 1);
	return atomic_load(&x->follow.shared->interrupted);
}

/* Whether watching is to end because of --duration. */
static bool is_too_long(const struct run *x)
{
	return x->o->watching.duration != 0 &&
	       clock_nanoseconds() - x->state.begin >= x->o->watching.duration * NANOSECONDS;
}

/* Ends without letting go of the process, which then does what --when-lost says. */
static _Noreturn void end_as_lost(const struct run *x)
{
	if (x->o->watching.when_lost == MEM_LOST_KILL)
		kill(x->launch.pid, SIGKILL);
	_exit(NFART_SYSTEM);
}

/*
 * Writes a note once if the library says why it does not watch. Also tells the library to leave the
 * program alone, if Ctrl-C or --detach-after says so.
 */
static void look_at_channel(struct run *x)
{
	struct mem_channel *c = x->launch.channel;
	char reason[sizeof c->reason];
	/* The library writes the reason before it changes its state, so read the state first. */
	bool settled = atomic_load(&c->state) != MEM_STARTING || x->launch.ended;

	/* If the first process of nfamem is killed, a copy ends as if it were killed, too. */
	if (x->launch.copy && mem_reader_died(x->launch.first))
		end_as_lost(x);
	if (!x->state.reason && settled && c->reason[0] != 0) {
		memcpy(reason, c->reason, sizeof reason);
		reason[sizeof reason - 1] = 0;
		run_note(x,
			 atomic_load(&c->state) == MEM_DETACHED ? " is not watched: "
								: " is only partly watched: ",
			 reason);
		x->state.reason = true;
	}
	if (!x->state.detaching &&
	    (is_interrupted(x) || is_too_long(x) || (x->o->watching.detach_after != 0 &&
				   x->memory.counts.accesses >= x->o->watching.detach_after))) {
		atomic_store(&c->detach, 1);
		x->state.detaching = true;
		x->state.waited = 0;
	}
}

/*
 * Called if the objects of --watch do not exist in this program. Without --follow that is an error.
 * With --follow another program may have them, so this one runs on. The channel then names one
 * function of length 0. No block is allocated by it, so nothing is watched.
 */
static bool without_objects(struct run *x, struct nfart_error *e)
{
	struct mem_channel *c = x->launch.channel;

	if (x->follow.shared == NULL) {
		kill(x->launch.pid, SIGKILL);
		x->state.reason = true; /* so that no note says why it was not watched */
		return false;
	}
	*e = (struct nfart_error){ 0 };
	c->watch.ranges = 0;
	c->watch.callers = 1;
	c->watch.range[0].from = c->watch.range[0].bytes = 0;
	atomic_store(&c->watch.pending, 0);
	return true;
}

/*
 * If the program waits for the choice that --watch or --stack makes, and all of its modules were
 * read, fills in where the objects are, or the modules with debug information.
 */
static bool choose_objects(struct run *x, enum order_found found, struct nfart_error *e)
{
	struct mem_channel *c = x->launch.channel;
	bool waits = atomic_load(&c->watch.pending) == MODULES_KNOWN;

	if (!waits || !x->state.chooses || found != ORDER_NOTHING) {
		x->state.chooses = waits;
		return true;
	}
	if (c->code.wanted)
		locals_choose(&x->memory, &c->code);
	if (x->o->watching.nwatch > 0 &&
	    watch_find(c, x->memory.names, x->o->watching.watch, x->o->watching.nwatch, e) !=
	    NFART_OK)
		return without_objects(x, e);
	if (x->follow.shared != NULL && x->o->watching.nwatch > 0)
		atomic_store(&x->follow.shared->chosen, 1);
	for (uint32_t i = 0; i < c->watch.ranges && i < NFAMEM_WATCHED; i++)
		if (!ranges_add(&x->memory.chosen, c->watch.range[i].from,
				c->watch.range[i].from + c->watch.range[i].bytes, 1)) {
			nfart_fail(e, NFART_SYSTEM, "out of memory");
			return false;
		}
	atomic_store(&c->watch.pending, 0);
	return true;
}

/* Called if nothing was read. Decides whether the process is at its end; if not, waits. */
static bool is_over(struct run *x, enum order_found found)
{
	const struct mem_channel *c = x->launch.channel;
	bool ended = x->launch.ended || atomic_load(&c->state) == MEM_REPLACED;
	const bool hurry = x->state.waited < LONG_WAIT && x->memory.counters.at == NULL;
	long wait = hurry ? SHORT_WAIT : LONG_WAIT;

	if (found == ORDER_WAITS && (ended || x->state.waited >= SKIP_AFTER)) {
		order_skip(x->order);
		x->state.waited = 0;
		return false;
	}
	/*
	 * Read once more after the end was seen: words may have been written after the last
	 * reading.
	 */
	if (found == ORDER_NOTHING && ended && x->state.ended)
		return true;
	x->state.ended = ended;
	/*
	 * After Ctrl-C, do not wait for the end of the program. After --detach-after, do wait,
	 * unless the program ran before.
	 */
	if ((is_interrupted(x) || x->o->watching.pid != 0) && x->state.detaching &&
	    (atomic_load(&c->state) == MEM_DETACHED || x->state.waited >= DETACH_WITHIN))
		return true;
	if (!ended)
		launch_wait(&x->launch, wait);
	x->state.waited += wait;
	return false;
}

bool run_read(struct run *x, struct nfart_error *e)
{
	x->state.begin = clock_nanoseconds();
	for (;;) {
		enum order_found found = order_read(x->order, &x->memory.error);

		if (found == ORDER_FAILED || !memory_settle(&x->memory)) {
			*e = x->memory.error;
			return false;
		}
		if (x->progress.wanted)
			memory_take_counters(&x->memory, x->launch.channel);
		progress_show(&x->progress, x->memory.counts.accesses);
		look_at_channel(x);
		if (!choose_objects(x, found, e))
			return false;
		if (x->follow.shared != NULL && !copies_arrivals(x, e))
			return false;
		if (found == ORDER_SOME)
			x->state.waited = 0;
		else if (is_over(x, found))
			return x->follow.shared == NULL || copies_orphans(x, e);
		else if (x->state.waited == 2 * LONG_WAIT && !outputs_flush(&x->outputs, e))
			return false;
	}
}

void run_wait(struct run *x)
{
	struct mem_channel *c = x->launch.channel;
	long waited = 0;

	atomic_store(&c->detach, 1);
	while (!x->launch.ended && !is_interrupted(x) && atomic_load(&c->state) != MEM_REPLACED) {
		struct nfart_error ignored;

		/* A process that ran before goes on without nfamem. */
		if (x->o->watching.pid != 0 &&
		    (atomic_load(&c->state) == MEM_DETACHED || waited >= DETACH_WITHIN))
			return;
		launch_wait(&x->launch, LONG_WAIT);
		order_read(x->order, &ignored);
		waited += LONG_WAIT;
	}
}

void run_others(struct run *x)
{
	struct nfart_error e = { 0 };
	long waited = 0;

	while (waited < DETACH_WITHIN) {
		bool interrupted = is_interrupted(x);
		bool others = follow_others(&x->follow, x->launch.ended ? OTHERS_EACH : 0);

		if (!copies_arrivals(x, &e))
			run_report(e.status, &e);
		if (!others && (x->launch.ended || interrupted) && !follow_others(&x->follow, 0))
			break;
		launch_wait(&x->launch, LONG_WAIT);
		waited += interrupted ? LONG_WAIT : 0;
	}
}

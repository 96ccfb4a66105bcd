/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfamem: runs a program with a library that records its memory accesses, or loads it into one that
 * runs, and reads what the library records. If nfamem is slow the program waits, so nothing is lost.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "probes/memory/reader/libdw.h"
#include "probes/memory/tool/run.h"
#include "support/cli.h"

/* Writes notes about what is known before the start. Returns whether the program can be watched. */
static bool say_what_is_watched(struct run *x)
{
	if (x->program.unwatched != NULL)
		run_note(x, " is not watched: ", x->program.unwatched);
	else if (x->program.script && !x->o->watching.follow)
		run_note(x,
			 " is a script. The programs that it executes are watched with --follow. "
			 "Without it, only its interpreter is watched: ",
			 x->program.file);
	return x->program.unwatched == NULL;
}

/* Writes a note if the library has never run in the program. */
static void say_what_was_not_watched(struct run *x)
{
	if (x->program.unwatched == NULL && !x->state.reason &&
	    atomic_load(&x->launch.channel->state) == MEM_STARTING &&
	    x->memory.counts.accesses == 0)
		run_note(x, " was not watched: the library of nfamem was not loaded into it", "");
	if (x->outputs.filters.leaks != NULL && !leaks_looked(x->outputs.filters.leaks))
		run_note(x, ": leaks were not looked for: ",
			 x->o->watching.pid != 0 ? "nfamem attached to it when it ran"
						 : "it was not watched to its exit");
	if (libdw_missing())
		run_note(x, ": its functions have no names: libdw can't be loaded", "");
	run_unseen(x);
}

/* The call stacks that the checks need. A filter may match any access. */
static struct mem_stacks wanted_stacks(const struct nfamem_checking *k, bool filter)
{
	static const uint32_t suspects[NFAMEM_CHECKS] = {
		[CHECK_USE_AFTER_FREE] = MEM_SUSPECT_LOST,
		[CHECK_BEYOND] = MEM_SUSPECT_LOST,
		[CHECK_UNINITIALISED] = MEM_SUSPECT_UNSET,
		[CHECK_RACE] = MEM_SUSPECT_RACE,
		[CHECK_ORDER] = MEM_SUSPECT_LOCK,
	};
	struct mem_stacks s = { .frames = (uint32_t)k->stacks };

	for (unsigned i = 0; i < NFAMEM_CHECKS; i++)
		if ((filter && i != CHECK_RACE) || k->checks >> i & 1)
			s.suspects |= suspects[i];
	return s;
}

/* Says in an error about which process it is. */
static enum nfart_status say_process(const struct run *x, struct nfart_error *e)
{
	const struct nfart_error why = *e;

	return nfart_fail(e, why.status, "can't attach to process %" PRIu64 ": %s",
			  x->o->watching.pid, why.what);
}

/* Whether only the numbers of all accesses are wanted, from the start of the program to its end. */
static bool only_counts(const struct run *x)
{
	const struct nfamem_watching *w = &x->o->watching;

	return x->memory.noutputs == 0 && x->launch.channel->size.counters != 0 && !w->follow &&
	       w->pid == 0 && w->nwatch == 0 && w->detach_after == 0 &&
	       (w->from_start || !x->program.starts_itself);
}

static enum nfart_status prepare_run(struct run *x, struct nfart_error *e)
{
	const struct nfamem_options *o = x->o;
	struct mem_channel *c;
	int fd = -1;

	if (o->watching.pid != 0 &&
	    attach_open(&x->attach, (pid_t)o->watching.pid, &fd, e) != NFART_OK)
		return say_process(x, e);
	if (launch_open(&x->launch, o->watching.follow, fd, e) != NFART_OK)
		return e->status;
	if (x->program.unwatched == NULL && x->launch.unshared[0] != 0)
		x->program.unwatched = x->launch.unshared;
	c = x->launch.channel;
	c->engine = (uint32_t)o->watching.engine;
	c->ordered = o->checking.checks >> CHECK_RACE & 1;
	c->leaks = o->checking.checks >> CHECK_LEAK & 1 && o->watching.pid == 0;
	c->stacks = wanted_stacks(&o->checking, o->filter != NULL);
	c->loss.when = (uint32_t)o->watching.when_lost;
	c->code.wanted = o->checking.checks >> CHECK_STACK & 1;
	c->watch.pending = o->watching.nwatch > 0 || c->code.wanted;
	c->follow.choose = c->watch.pending;
	if (o->watching.follow && follow_open(&x->follow, c, e) != NFART_OK)
		return e->status;
	if (run_begin(x, e) != NFART_OK)
		return e->status;
	if (outputs_begin(&x->outputs, &x->memory, e) != NFART_OK)
		return e->status;
	c->counting = only_counts(x);
	if (!c->counting)
		return libdw_load(e);
	memory_counts_in(&x->memory, c);
	return NFART_OK;
}

/*
 * Whether to show the progress. If a trace goes to the terminal, it shows the progress well enough.
 */
static bool wants_progress(const struct run *x)
{
	return !x->o->quiet && (x->o->out != NULL || !isatty(STDOUT_FILENO));
}

/* What of the process is known, and what is not. */
static void say_attached(struct run *x)
{
	char text[160];

	snprintf(text, sizeof text,
		 "%zu thread%s; in %" PRIu64
		 " KiB that it had allocated before, blocks are not known",
		 x->attach.watched, x->attach.watched == 1 ? "" : "s", x->attach.older / 1024);
	run_note(x, " is watched from now on: ", text);
}

static enum nfart_status start_program(struct run *x, struct nfart_error *e)
{
	enum nfart_status status;

	if (x->o->watching.pid != 0) {
		launch_take(&x->launch, (pid_t)x->o->watching.pid);
		status = attach_begin(&x->attach, e);
		if (status != NFART_OK)
			return say_process(x, e);
		say_attached(x);
	} else {
		status = launch_start(&x->launch, x->o->command, say_what_is_watched(x), e);
	}
	x->process = (struct outputs_process){ .pid = (uint32_t)x->launch.pid, .path = x->name };
	outputs_process(&x->outputs, &x->process);
	return status;
}

/* Reads the program to its end. */
static enum nfart_status read_program(struct run *x, struct nfart_error *e)
{
	bool fine;

	progress_begin(&x->progress, wants_progress(x));
	fine = run_read(x, e);
	progress_end(&x->progress);
	memory_take_counters(&x->memory, x->launch.channel);
	fine = outputs_end(&x->outputs, x->launch.channel, &x->process, fine ? e : NULL) && fine;
	if (!fine) {
		outfile_abort(&x->outputs.out);
		run_report(e->status, e);
		run_wait(x);
	}
	return fine ? NFART_OK : e->status;
}

/* Waits for the other processes of --follow. If one failed returns its status, else `status`. */
static enum nfart_status wait_for_others(struct run *x, enum nfart_status status)
{
	run_others(x);
	if (x->o->watching.nwatch > 0 && !atomic_load(&x->follow.shared->chosen))
		run_note(x, ": no program that ran has the objects that --watch names", "");
	return status != NFART_OK ? status
				  : (enum nfart_status)atomic_load(&x->follow.shared->status);
}

/* The program of a process that runs already. */
static void look_at_process(struct run *x)
{
	char link[64];
	ssize_t n;

	x->attach.threads.mem = -1;
	snprintf(link, sizeof link, "/proc/%" PRIu64 "/exe", x->o->watching.pid);
	n = readlink(link, x->program.file, sizeof x->program.file - 1);
	x->program.file[n > 0 ? n : 0] = 0;
	snprintf(x->name, sizeof x->name, "%s",
		 n > 0 ? x->program.file : "the process");
}

/* Lets go of a process that nfamem attached to. */
static void let_go(struct run *x)
{
	const char *rest = NULL;

	if (x->attach.attached && !x->launch.ended)
		rest = attach_end(&x->attach);
	if (rest != NULL && !x->launch.ended)
		run_note(x, ": ", rest);
	attach_free(&x->attach);
}

static int run_nfamem(const struct nfamem_options *o)
{
	static struct run x;
	struct nfart_error e = { 0 };
	enum nfart_status status;
	bool started = false, found;

	x.o = o;
	if (o->watching.pid != 0) {
		launch_attach();
		look_at_process(&x);
	} else
		snprintf(x.name, sizeof x.name, "%s", o->command[0]);
	if (o->watching.pid == 0)
		program_look(&x.program, o->command[0]);
	status = outputs_open(&x.outputs, o, &e);
	if (status == NFART_OK)
		status = prepare_run(&x, &e);
	if (status == NFART_OK) {
		status = start_program(&x, &e);
		started = status == NFART_OK;
	}
	if (!started)
		run_report(status, &e);
	else
		status = read_program(&x, &e);
	if (started && o->watching.follow)
		status = wait_for_others(&x, status);
	if (status == NFART_OK) {
		status = outputs_commit(&x.outputs, &x.process, &e);
		run_report(status, &e);
	}
	if (started && (x.launch.ended || o->watching.pid != 0))
		say_what_was_not_watched(&x);
	if (started && !x.launch.ended)
		run_note(&x, " goes on, but it is not watched any more", "");
	found = filters_count(&x.outputs.filters) > 0 ||
		(x.follow.shared != NULL && atomic_load(&x.follow.shared->matches) != 0);
	if (o->watching.pid != 0)
		let_go(&x);
	outputs_free(&x.outputs);
	order_free(x.order);
	memory_free(&x.memory);
	launch_close(&x.launch);
	if (status == NFART_OK && found && o->checking.error_exitcode != 0)
		return (int)o->checking.error_exitcode;
	return status == NFART_OK && x.launch.ended ? x.launch.code : (int)status;
}

int main(int argc, char **argv)
{
	struct nfamem_options o;
	int code = nfamem_options_parse(&o, argc, argv);

	if (code == OPTION_GO_ON)
		code = run_nfamem(&o);
	return cli_finish("nfamem", code);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfamem: runs a program with a library inside it that records its memory accesses, and reads what
 * comes. The program waits where nfamem is slow, so nothing is lost.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sources/process/lines.h"
#include "sources/process/matches.h"
#include "sources/process/memory.h"
#include "sources/process/messages.h"
#include "sources/process/order.h"
#include "sources/process/page_map.h"
#include "sources/process/recording.h"
#include "sources/process/summary.h"
#include "support/cli.h"
#include "support/outfile.h"
#include "tools/nfamem/filter_file.h"
#include "tools/nfamem/launch.h"
#include "tools/nfamem/nfamem_options.h"
#include "tools/nfamem/program.h"
#include "tools/nfamem/progress.h"
#include "tools/nfamem/watch.h"
#include "tools/nfarun/protocol.h"

enum {
	SHORT_WAIT = 50000,  /* nanoseconds after which nfamem looks again if anything was written */
	LONG_WAIT = 2000000, /* the same, when nothing was written for a while */
	/* A stamp that is so long missing comes no more. */
	SKIP_AFTER = 100000000,
	/* A program that is to be left alone is given so long to notice it. */
	DETACH_WITHIN = 2000000000,
	MODULES_KNOWN = 2 /* mem_channel.watch_pending, when the program has told its modules */
};

struct run {
	const struct nfamem_options *o;
	struct program program;
	struct launch launch;
	struct order *order;
	struct memory memory;
	struct lines *lines;
	struct nfart_image *image;
	struct messages *messages;
	struct matches *matches;
	struct protocol protocol; /* of the recording */
	struct recording *recording;
	struct page_map *page_map;
	struct outfile out;
	struct progress progress;
	long waited;    /* nanoseconds since anything was read */
	bool reason, detaching;
	bool chooses;   /* the program waits for --watch, and what it wrote before is being read */
};

static void note(struct run *x, const char *what, const char *more)
{
	progress_end(&x->progress);
	if (!x->o->quiet)
		fprintf(stderr, "nfamem: note: %s%s%s\n", x->o->command[0], what, more);
}

/* Says what is known before the start. Returns whether the program can be watched. */
static bool say_what_is_watched(struct run *x)
{
	if (x->program.unwatched != NULL)
		note(x, " runs unwatched: ", x->program.unwatched);
	else if (x->program.script)
		note(x, " is a script; its interpreter is watched, and not what that executes: ", x->program.file);
	return x->program.unwatched == NULL;
}

/* Says at the end what could not be known before: the library was never at work. */
static void say_what_was_not_watched(struct run *x)
{
	if (x->program.unwatched == NULL && !x->reason &&
	    atomic_load(&x->launch.channel->state) == MEM_STARTING && x->memory.counts.accesses == 0)
		note(x, " ran unwatched: the library of nfamem was not loaded into it", "");
}

static enum nfart_status prepare_filter(struct run *x, struct nfart_error *e)
{
	struct memory_output output;

	x->image = filter_file_open(x->o->filter, e);
	if (x->image == NULL)
		return e->status;
	x->messages = messages_new(&x->memory, nfart_image_proto(x->image), e);
	if (x->messages == NULL)
		return e->status;
	x->matches = matches_new(&x->memory, x->messages, x->image, x->out.f, e);
	if (x->matches == NULL)
		return e->status;
	output = messages_output(x->messages);
	memory_add_output(&x->memory, &output);
	return NFART_OK;
}

static enum nfart_status prepare_recording(struct run *x, struct nfart_error *e)
{
	const char *name = x->o->format == FORMAT_COMPACT ? "mem" : "mem-word";
	int code = protocol_open(&x->protocol, "nfamem", name, NULL, 0);
	struct memory_output output;

	if (code != NFART_OK)
		return nfart_fail(e, (enum nfart_status)code, "protocol %s can't be read", name);
	x->messages = messages_new(&x->memory, x->protocol.p, e);
	if (x->messages == NULL)
		return e->status;
	x->recording = recording_new(x->messages, x->protocol.p, x->out.f, e);
	if (x->recording == NULL)
		return e->status;
	output = messages_output(x->messages);
	memory_add_output(&x->memory, &output);
	return NFART_OK;
}

static enum nfart_status prepare_lines(struct run *x, struct nfart_error *e)
{
	static const enum lines_form forms[] = { LINES_SYMBOLIC, LINES_RAW, LINES_BOTH };
	struct memory_output output;

	x->lines = lines_new(&x->memory, x->out.f, forms[x->o->format]);
	if (x->lines == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	output = lines_output(x->lines);
	memory_add_output(&x->memory, &output);
	return NFART_OK;
}

static enum nfart_status prepare_page_map(struct run *x, struct nfart_error *e)
{
	struct memory_output output;

	x->page_map = page_map_new();
	if (x->page_map == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	output = page_map_output(x->page_map);
	memory_add_output(&x->memory, &output);
	return NFART_OK;
}

static enum nfart_status prepare(struct run *x, struct nfart_error *e)
{
	const struct nfamem_options *o = x->o;
	enum nfart_status status = NFART_OK;
	struct order_sink sink;

	if (launch_open(&x->launch, e) != NFART_OK)
		return e->status;
	if (x->program.unwatched == NULL && x->launch.unshared[0] != 0)
		x->program.unwatched = x->launch.unshared;
	x->launch.channel->engine = (uint32_t)o->engine;
	x->launch.channel->watch_pending = o->nwatch > 0;
	if (!memory_init(&x->memory, x->launch.channel, x->program.file))
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	x->memory.marked = !o->from_start;
	x->memory.recording = o->from_start || !x->program.starts_itself;
	sink = memory_sink(&x->memory);
	x->order = order_new(x->launch.channel, &sink);
	if (x->order == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (o->page_map != NULL)
		status = outfile_probe(o->page_map, e);
	if (o->page_map != NULL && status == NFART_OK)
		status = prepare_page_map(x, e);
	if (status != NFART_OK)
		return status;
	if (o->filter != NULL)
		status = prepare_filter(x, e);
	else if (o->format >= FORMAT_COMPACT)
		status = prepare_recording(x, e);
	else if ((!o->summary && o->page_map == NULL) || o->format_given)
		status = prepare_lines(x, e);
	return status;
}

/* Says once what the library inside says, and asks it to leave the program alone. */
static void look_at_channel(struct run *x)
{
	struct mem_channel *c = x->launch.channel;
	char reason[sizeof c->reason];
	/* The library says why before it says what follows from it. */
	bool settled = atomic_load(&c->state) != MEM_STARTING || x->launch.ended;

	if (!x->reason && settled && c->reason[0] != 0) {
		memcpy(reason, c->reason, sizeof reason);
		reason[sizeof reason - 1] = 0;
		note(x, atomic_load(&c->state) == MEM_DETACHED ? " runs unwatched: "
								  : " is watched in part: ", reason);
		x->reason = true;
	}
	if (!x->detaching && (launch_interrupted ||
			      (x->o->detach_after != 0 &&
			       x->memory.counts.accesses >= x->o->detach_after))) {
		atomic_store(&c->detach, 1);
		x->detaching = true;
		x->waited = 0;
	}
}

/* Once the program waits for it, and its modules are known, says where the objects of --watch are. */
static bool choose(struct run *x, enum order_found found, struct nfart_error *e)
{
	struct mem_channel *c = x->launch.channel;
	bool waits = x->o->nwatch > 0 && atomic_load(&c->watch_pending) == MODULES_KNOWN;

	if (!waits || !x->chooses || found != ORDER_NOTHING) {
		x->chooses = waits;
		return true;
	}
	if (watch_find(c, x->memory.names, x->o->watch, x->o->nwatch, e) != NFART_OK) {
		kill(x->launch.pid, SIGKILL);
		x->reason = true; /* for which it was not watched */
		return false;
	}
	for (uint32_t i = 0; i < c->watch_ranges && i < NFAMEM_WATCHED; i++)
		if (!ranges_add(&x->memory.chosen, c->watch[i].from,
				c->watch[i].from + c->watch[i].bytes, 1)) {
			nfart_fail(e, NFART_SYSTEM, "out of memory");
			return false;
		}
	atomic_store(&c->watch_pending, 0);
	return true;
}

/* Nothing was read: waits, and decides whether that was all. */
static bool is_over(struct run *x, enum order_found found)
{
	const struct mem_channel *c = x->launch.channel;
	bool ended = x->launch.ended;
	long wait = x->waited < LONG_WAIT ? SHORT_WAIT : LONG_WAIT;

	if (found == ORDER_WAITS && (ended || x->waited >= SKIP_AFTER)) {
		order_skip(x->order);
		x->waited = 0;
		return false;
	}
	if (found == ORDER_NOTHING && ended)
		return true;
	/* After --detach-after the program's end is waited for; after Ctrl-C it is not. */
	if (launch_interrupted && x->detaching &&
	    (atomic_load(&c->state) == MEM_DETACHED || x->waited >= DETACH_WITHIN))
		return true;
	launch_wait(&x->launch, wait);
	x->waited += wait;
	return false;
}

/* A trace on the terminal shows well enough how far it is. */
static bool wants_progress(const struct run *x)
{
	return !x->o->quiet && (x->o->out != NULL || !isatty(STDOUT_FILENO));
}

static bool read_all(struct run *x, struct nfart_error *e)
{
	for (;;) {
		enum order_found found = order_read(x->order, &x->memory.error);

		if (found == ORDER_FAILED || !memory_settle(&x->memory)) {
			*e = x->memory.error;
			return false;
		}
		progress_show(&x->progress, x->memory.counts.accesses);
		look_at_channel(x);
		if (!choose(x, found, e))
			return false;
		if (found == ORDER_SOME)
			x->waited = 0;
		else if (is_over(x, found))
			return true;
		else if (x->waited == 2 * LONG_WAIT && x->lines != NULL &&
			 !lines_flush(x->lines, e))
			return false;
	}
}

static bool write_rest(struct run *x, struct nfart_error *e)
{
	struct buf text = { 0 };
	bool fine = (x->lines == NULL || lines_flush(x->lines, e)) &&
		    (x->matches == NULL || matches_end(x->matches, e)) &&
		    recording_close(x->recording, e) == NFART_OK;

	x->recording = NULL;
	if (fine && x->o->summary) {
		summary_print(&x->memory, x->launch.channel, &text);
		fine = !text.failed && fwrite(text.at, 1, text.n, x->out.f) == text.n;
		if (!fine)
			nfart_fail(e, NFART_SYSTEM, "can't write the summary");
	}
	buf_free(&text);
	return fine;
}

static enum nfart_status write_page_map(const struct run *x, struct nfart_error *e)
{
	struct buf picture = { 0 };
	struct outfile out = { 0 };
	enum nfart_status status;

	if (!page_map_draw(x->page_map, x->o->command[0], &picture)) {
		buf_free(&picture);
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	status = outfile_open(&out, x->o->page_map, e);
	if (status == NFART_OK)
		fwrite(picture.at, 1, picture.n, out.f);
	if (status == NFART_OK)
		status = outfile_commit(&out, e);
	buf_free(&picture);
	return status;
}

/* Waits for the program, which is not watched any more, after an error. */
static void wait_for_end(struct run *x)
{
	atomic_store(&x->launch.channel->detach, 1);
	while (!x->launch.ended && !launch_interrupted) {
		struct nfart_error ignored;

		launch_wait(&x->launch, LONG_WAIT);
		order_read(x->order, &ignored);
	}
}

/* Says what went wrong, unless the compiler has said it. */
static void report(enum nfart_status status, const struct nfart_error *e)
{
	if (status != NFART_OK && e->file[0] != 0)
		nfart_error_print(stderr, e);
	else if (status != NFART_OK && e->what[0] != 0)
		fprintf(stderr, "nfamem: error: %s\n", e->what);
}

static void free_all(struct run *x)
{
	order_free(x->order);
	lines_free(x->lines);
	page_map_free(x->page_map);
	matches_free(x->matches);
	recording_close(x->recording, NULL);
	messages_free(x->messages);
	protocol_close(&x->protocol);
	nfart_image_free(x->image);
	memory_free(&x->memory);
	launch_close(&x->launch);
}

static int run(const struct nfamem_options *o)
{
	static struct run x;
	struct nfart_error e = { 0 };
	enum nfart_status status;
	bool started = false, fine;

	x.o = o;
	program_look(&x.program, o->command[0]);
	status = outfile_open(&x.out, o->out, &e);
	if (status == NFART_OK)
		status = prepare(&x, &e);
	if (status == NFART_OK) {
		status = launch_start(&x.launch, o->command, say_what_is_watched(&x), &e);
		started = status == NFART_OK;
	}
	if (started) {
		progress_begin(&x.progress, wants_progress(&x));
		fine = read_all(&x, &e);
		progress_end(&x.progress);
		fine = write_rest(&x, fine ? &e : NULL) && fine;
		status = fine ? NFART_OK : e.status;
	}
	if (status == NFART_OK)
		status = outfile_commit(&x.out, &e);
	if (status == NFART_OK && x.page_map != NULL)
		status = write_page_map(&x, &e);
	outfile_abort(&x.out);
	report(status, &e);
	if (started && status != NFART_OK)
		wait_for_end(&x);
	if (started && x.launch.ended)
		say_what_was_not_watched(&x);
	if (started && !x.launch.ended)
		note(&x, " goes on, and is not watched any more", "");
	free_all(&x);
	return status == NFART_OK && x.launch.ended ? x.launch.code : (int)status;
}

int main(int argc, char **argv)
{
	struct nfamem_options o;
	int code = nfamem_options_parse(&o, argc, argv);

	if (code == OPTION_GO_ON)
		code = run(&o);
	return cli_finish("nfamem", code);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The constructor, which runs before all other code of the program. It sets up all that watching
 * needs. If something is missing, the program runs unwatched.
 */
#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/locals.h"
#include "probes/memory/inside/modules.h"
#include "probes/memory/inside/next.h"
#include "probes/memory/inside/raw.h"
#include "probes/memory/inside/roots.h"
#include "probes/memory/inside/sites.h"
#include "probes/memory/inside/stacks.h"

#include <time.h>

struct inside inside;
__thread struct inside_thread inside_self INSIDE_TLS;

void inside_reason(const char *text)
{
	struct mem_channel *c = inside.channel;
	if (!c || c->reason[0])
		return;
	size_t n = raw_length(text);
	if (n >= sizeof c->reason)
		n = sizeof c->reason - 1;
	raw_copy(c->reason, text, n);
}

static bool variable_begins(const char *s, const char *with)
{
	size_t n = raw_length(with);
	return raw_length(s) >= n && raw_same(s, with, n);
}

/* Removes the entry that begins with `name` from an environment. Returns its value, or NULL. */
static const char *take_variable(char **environment, const char *name)
{
	const char *value = NULL;
	char **to = environment;
	for (char **e = environment; *e; e++) {
		if (variable_begins(*e, name))
			value = *e + raw_length(name);
		else
			*to++ = *e;
	}
	*to = NULL;
	return value;
}

/*
 * Removes this library from LD_PRELOAD, so that the program sees the environment without it. Other
 * libraries stay in the list. nfamem has put this library first.
 */
static void take_library(char **environment, const char *library)
{
	static const char name[] = "LD_PRELOAD=";
	char **e = environment;
	while (*e && !variable_begins(*e, name))
		e++;
	if (!*e || !*library || !variable_begins(*e + sizeof name - 1, library))
		return;
	char *list = *e + sizeof name - 1, *rest = list + raw_length(library);
	if (*rest == ':')
		raw_copy(list, rest + 1, raw_length(rest + 1) + 1);
	else if (*rest == 0)
		take_variable(environment, name);
}

bool start_tables(void)
{
	stacks_start();
	return sites_start() && mirror_start();
}

bool start_handlers(void)
{
	signals_start();
	return fault_start() && calls_start();
}

__attribute__((constructor)) static void start(int argc, char **argv, char **environment)
{
	(void)argc;
	modules_dlopen = next_find("dlopen");
	const char *value = take_variable(environment, "NFAMEM_CHANNEL=");
	if (!value)
		return;
	take_library(environment, family_library());
	inside.channel = family_open(value);
	struct mem_channel *c = inside.channel;
	if (!c)
		return;
	inside.engine = c->engine;
	/* Everything that can fail comes before anything of the program changes. */
	if (!start_tables() || !start_handlers()) {
		inside_reason("the library of nfamem could not prepare to watch it");
		c->state = MEM_DETACHED;
		inside.channel = NULL;
		return;
	}
	fault_thread();
	ring_start();
	if (c->counting)
		count_start();
	roots_thread(true);
	modules_start();
	if (c->follow.executed && !family_wait(c)) {
		c->state = MEM_DETACHED;
		inside.channel = NULL;
		return;
	}
	/* 2: all modules were recorded. */
	if (atomic_load(&c->watch.pending))
		atomic_store(&c->watch.pending, 2);
	while (atomic_load_explicit(&c->watch.pending, memory_order_acquire)) {
		struct timespec nap = { 0, 100000 };
		RAW3(SYS_nanosleep, &nap, 0, 0);
		if (mem_reader_died(c)) {
			life_lost();
			inside.channel = NULL;
			return;
		}
	}
	inside.watching = true;
	calls_go();
	modules_watch();
	if (inside.locals)
		locals_start((uintptr_t)argv);
	c->state = MEM_RUNNING;
}

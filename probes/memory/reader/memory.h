/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * memory.h: what a program does with its memory, with places in place of addresses.
 *
 * It takes what order.h reads from a channel, keeps the program's modules, regions and blocks, and
 * passes every access and event on to outputs. Nothing in the channel is believed.
 */
#ifndef NFACC_PROBES_MEMORY_READER_MEMORY_H
#define NFACC_PROBES_MEMORY_READER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/names.h"
#include "probes/memory/reader/order.h"
#include "probes/memory/reader/places.h"
#include "probes/memory/reader/ranges.h"

/* An instruction that accesses memory, as it was when its first access came. */
struct memory_site {
	uint64_t pc;
	struct place *last; /* where it accessed memory last: a guess for place_has() */
	/* What lines.h writes for the instruction; NULL: nothing yet. It belongs to lines.h. */
	const char *text;
	uint16_t text_bytes;
	uint16_t bytes;
	uint8_t kind;       /* enum mem_kind */
	bool known;
	bool atomic; /* with a lock prefix, or xchg */
	bool ahead;  /* it loads more than it was asked for; see string_code.h */
};

/* An access by an instruction. */
struct memory_access {
	uint64_t address, bytes, pc;
	struct place *place;      /* NULL: not known */
	struct memory_site *site; /* NULL: the instruction has none, and `bytes` may be large */
	uint32_t thread;          /* number of its ring */
	enum mem_kind kind;
};

/* Any other event. Which fields are used depends on the kind; channel.h says what comes with it. */
struct memory_event {
	enum mem_event kind;
	uint32_t thread;
	uint64_t address, bytes, pc; /* of the block, the lock, or what is written */
	uint64_t from;               /* MEM_COPY: what is read; else the old address */
	/* The place at `address`, and at `from`; NULL: not known. For MEM_FREE and MEM_MUNMAP the
	 * place is passed before it is gone, for allocations once it is there. */
	struct place *place, *other;
};

/* Takes accesses and events as they come. A function that returns false ends the reading; it fills
 * *e of the call that led to it. */
struct memory_output {
	bool (*access)(void *ctx, const struct memory_access *a, struct nfart_error *e);
	bool (*event)(void *ctx, const struct memory_event *v, struct nfart_error *e);
	/* Places that this output has noted are used again after this call. May be NULL. */
	bool (*settle)(void *ctx, struct nfart_error *e);
	void *ctx;
};

struct memory_counts {
	uint64_t loads, stores; /* an instruction that does both counts in both */
	uint64_t accesses;      /* by instructions */
	uint64_t event[MEM_EVENTS];
};

enum { MEMORY_OUTPUTS = 4 };

struct memory {
	struct names *names;
	struct places *places;
	struct memory_site *sites; /* MEM_SITES_MAX of them */
	const struct mem_site *channel_sites;
	const char *program;       /* path of the module without a path */
	bool unloaded;             /* a module was, since the last one was loaded */
	uint32_t replaced;         /* grows when addresses may have got other names */
	bool recording;            /* what comes is passed on, and counted */
	bool marked;               /* MEM_BEGIN and MEM_END switch `recording` */
	/* If there are any: of data and bss only accesses to these are passed on, although whole
	 * pages are watched. */
	struct ranges chosen;
	struct memory_counts counts;
	struct memory_output output[MEMORY_OUTPUTS];
	unsigned noutputs;
	struct nfart_error error;
};

/* Begins with a program of which nothing is known. `program` is the path of its file. The channel
 * and the string must outlive *m. The caller then sets `recording` and adds outputs. False: out of
 * memory. Free with memory_free(), also after failure. */
bool memory_init(struct memory *m, struct mem_channel *c, const char *program);
void memory_free(struct memory *m);

void memory_add_output(struct memory *m, const struct memory_output *o);

/* Returns the sink for order_new(). When reading fails because of it, m->error says why. Cost of an
 * access: some nanoseconds if its instruction accessed the same place before, else
 * places_find(). */
struct order_sink memory_sink(struct memory *m);

/* Calls the outputs' settle(), and lets places be used again. Call this after each order_read(). */
bool memory_settle(struct memory *m);

#endif

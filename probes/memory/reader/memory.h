/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * memory.h: what a program does with its memory. It turns addresses into places.
 *
 * It takes the events that order.h reads from a channel. It keeps the program's modules, regions
 * and blocks, and passes each access and event to the outputs. It checks everything that it reads
 * from the channel, because the program may have overwritten it.
 */
#ifndef NFACC_PROBES_MEMORY_READER_MEMORY_H
#define NFACC_PROBES_MEMORY_READER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart_status.h"
#include "probes/memory/reader/call_stacks.h"
#include "probes/memory/reader/names.h"
#include "probes/memory/reader/order.h"
#include "probes/memory/reader/places.h"
#include "probes/memory/reader/ranges.h"

/*
 * Whose code an instruction is: that of the C library and the loader; that of a library that
 * implements OpenMP by futexes (libgomp); or any other.
 */
enum memory_code { MEMORY_CODE_OTHER, MEMORY_CODE_LIBC, MEMORY_CODE_OPENMP };

/* An instruction that accesses memory, as the channel described it at its first access. */
struct memory_site {
	uint64_t pc;
	struct place *last; /* the place of its last access, a first guess for the next one */
	/* Used by lines.h: the text for this instruction; NULL: not made yet. */
	const char *text;
	uint16_t text_bytes;
	uint16_t bytes;
	uint8_t kind;       /* enum mem_kind */
	uint8_t code;       /* enum memory_code */
	bool known;
	bool atomic; /* it has a lock prefix or is xchg */
	bool ahead;  /* it loads more bytes than the program needs; see string_code.h */
	struct mem_lanes lanes;
};

/* An access by one instruction. */
struct memory_access {
	uint64_t address, bytes, pc;
	struct place *place;      /* NULL: not known */
	struct memory_site *site; /* NULL: the instruction has no site, and `bytes` may be large */
	uint32_t thread;          /* number of the thread's ring */
	/*
	 * It stands between two numbers that are stored one by one. If both were read at once, as
	 * compilers like to, the processor would wait for the stores.
	 */
	enum mem_kind kind;
	uint32_t stack;           /* number in memory.stacks; 0: not known */
};

/* Any other event. Which fields are set depends on the kind; see enum mem_event in channel.h. */
struct memory_event {
	enum mem_event kind;
	uint32_t thread;
	uint32_t stack; /* number in memory.stacks; 0: not known */
	/*
	 * Of the block, of the lock, or of what is written. MEM_THREAD, MEM_JOIN: `thread` is the
	 * creator, or the thread that has ended; `address` is the new thread, or who waited.
	 */
	uint64_t address, bytes, pc;
	/*
	 * MEM_FREE, MEM_REALLOC: enum mem_freed; MEM_LOCK, MEM_GIVE, MEM_TAKE: the third word;
	 * MEM_LEAK: enum mem_leak
	 */
	uint64_t how;
	uint64_t from;               /* MEM_COPY: where the bytes are read; else the old address */
	/*
	 * The places at `address` and at `from`; NULL: not known. For MEM_FREE and MEM_MUNMAP the
	 * block is not yet marked as gone. For allocations the block is already there.
	 */
	struct place *place, *other;
	/* MEM_FUNCTION, MEM_LOCAL: the words of the event (channel.h); else NULL. */
	const uint64_t *words;
	size_t nwords;
};

/*
 * Takes accesses and events, one by one. A function that returns false sets *e and ends the
 * reading.
 */
struct memory_output {
	bool (*access)(void *ctx, const struct memory_access *a, struct nfart_error *e);
	bool (*event)(void *ctx, const struct memory_event *v, struct nfart_error *e);
	/*
	 * Called after each reading of the channel. Afterwards, places that no address belongs to
	 * are used for something else. So the output must drop its pointers to places. May be NULL.
	 */
	bool (*settle)(void *ctx, struct nfart_error *e);
	void *ctx;
	/* Called when a stamp of a thread was passed. May be NULL. */
	bool (*stamp)(void *ctx, uint32_t thread, struct nfart_error *e);
};

struct memory_counts {
	uint64_t loads, stores; /* an instruction that does both counts in both */
	uint64_t accesses;      /* accesses by instructions */
	uint64_t event[MEM_EVENTS];
};

/* The mask of the next access of a thread. */
struct memory_mask {
	uint64_t mask;
	bool waits;
};

/* The call stack of what a thread does next at pc. 0: none was recorded. */
struct memory_stack {
	uint64_t pc;
	uint32_t number;
	uint32_t last; /* number of the thread's last stack; 0: there was none */
};

/* Of each thread, by its number: arrays of MEMORY_THREADS entries. */
struct memory_threads {
	struct memory_mask *mask;
	struct memory_stack *stack;
	uint64_t *handle; /* its pthread_t */
	uint32_t n;       /* 1 + the highest thread that has begun */
};

enum { MEMORY_OUTPUTS = 8, MEMORY_THREADS = 1 << 16 };

struct memory {
	struct names *names;
	struct places *places;
	struct call_stacks *stacks;
	struct memory_site *sites; /* MEM_SITES_MAX entries */
	const struct mem_site *channel_sites;
	struct memory_threads threads;
	const char *program;       /* path of the program; its module has an empty path */
	bool unloaded;             /* a module was unloaded since the last one was loaded */
	uint32_t replaced;         /* grows when an address may have got another name */
	bool recording;            /* events are counted and passed to the outputs */
	bool marked;               /* MEM_BEGIN and MEM_END switch `recording` on and off */
	uint32_t calm;             /* see place.calm; messages.h changes it */
	/*
	 * If not empty: of data and bss, only accesses to these ranges are passed on. Whole pages
	 * are watched, so accesses to their neighbours come too.
	 */
	struct ranges chosen;
	struct memory_counts counts;
	/*
	 * If the channel counts (mem_channel.counting): its counters, its sizes as they were at
	 * first, since the program could change them, and how much of `counts` came from there.
	 */
	struct {
		const uint64_t *at; /* NULL: it does not count */
		struct mem_sizes size;
		struct memory_counts taken;
	} counters;
	struct memory_output output[MEMORY_OUTPUTS];
	unsigned noutputs;
	struct nfart_error error;
};

/*
 * Initialises *m. `program` is the path of the program's file. The channel and that string must
 * outlive *m. The caller then sets `recording` and adds outputs. Returns false if there is no
 * memory. Free it with memory_free(), also on failure.
 */
bool memory_init(struct memory *m, struct mem_channel *c, const char *program);
void memory_free(struct memory *m);

/* Whose code an address is in. Cost: linear in the modules. */
enum memory_code memory_code_of(const struct memory *m, uint64_t pc);

void memory_add_output(struct memory *m, const struct memory_output *o);

/*
 * Returns the sink for order_new(). If the reading fails because of this sink, m->error says why.
 * Cost of an access: some nanoseconds if its instruction accessed the same place before; else that
 * of places_find().
 */
struct order_sink memory_sink(struct memory *m);

/* Says before the program starts that the channel counts. */
void memory_counts_in(struct memory *m, struct mem_channel *c);

/*
 * Sets `counts` to what the counters of the channel say now, if it counts. Cost: linear in the
 * sites of all threads.
 */
void memory_take_counters(struct memory *m, const struct mem_channel *c);

/*
 * Calls settle() of each output, and then frees places that are gone. Call it after each
 * order_read().
 */
bool memory_settle(struct memory *m);

#endif

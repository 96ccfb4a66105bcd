/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Sites: the instructions that touched watched memory, or may (a patch looks ahead). A site stays
 * until its text is unmapped. All functions but sites_start are called with sites_lock held
 * and all signals blocked: in the handlers of fault.c.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_SITES_H
#define NFACC_PROBES_MEMORY_INSIDE_SITES_H
#include "probes/memory/inside/decode.h"
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/lock.h"
#include "probes/memory/inside/raw.h"

/* Where things are in a copy of an instruction, in bytes from its start (copy.h). */
struct copy {
	uintptr_t at; /* 0: there is none */
	uint16_t bytes;
	uint16_t entry;     /* where a jump to it goes: 1 behind the hlt, 0 where it does not log */
	uint16_t saved;     /* from here on the scratch registers are saved */
	uint16_t lookup;    /* the access to mirror_pages */
	uint16_t committed; /* from here on the access is recorded */
	uint16_t tail;      /* the access itself */
	/* Of an atomic instruction: */
	uint16_t flagged; /* from here on rax and flags are saved, too */
	uint16_t taken;   /* from here to `committed` rcx is a stamp that is not written */
	struct {
		uint16_t flagged; /* from here to `leave` the other stamp is made */
		uint16_t taken;   /* from here to `leave` rcx is it */
		uint16_t leave;
		uint16_t slow; /* a hlt: it cannot be made here */
	} after;
	uint8_t address;   /* the register that holds the address */
	uint8_t temporary; /* another scratch register; rcx is the third */
};

struct site {
	uintptr_t pc;
	uint32_t number[DECODE_OPERANDS]; /* in the channel's table; 0: none was left */
	struct decode d;
	struct copy copy;
	uint8_t state; /* enum mem_site_state */
	bool patch_failed;
	uint8_t reach;     /* bytes from pc that its jump depends on, 0: no jump */
	bool gone;         /* its text was unmapped: only pc, d and number are right */
	uint16_t room;     /* bytes that pages_take gave for the copy */
	struct site *next; /* whose copy begins in the same page */
};

extern struct lock sites_lock;

/* Makes the table. False, with the reason said, if there is no memory. */
bool sites_start(void);

/* The site at pc, or NULL. */
struct site *sites_find(uintptr_t pc);

/* The site at pc, made if there is none: decoded and numbered. NULL if that is no instruction, or
   the table is full. */
struct site *sites_make(uintptr_t pc);

/* Says in the channel how a site is handled. */
void sites_state(struct site *s, enum mem_site_state state);

/* Counts a fault at a site, which may be NULL. */
void sites_fault(struct site *s);

/* Says that a site's copy begins at s->copy.at, where pages_take gave `room` bytes. */
void sites_placed(struct site *s, size_t room);

/*
 * Keeps the copy that a site has, for threads and handlers that are in it, while the site gets
 * another. False, with nothing changed, where there is no room.
 */
bool sites_keep_copy(const struct site *s);

/*
 * The text in a range is unmapped, and no thread is in it: its sites and their copies are gone. One
 * that comes again, with the same operands, keeps its numbers: so those last for a library that is
 * loaded often. Cost: linear in the sites.
 */
void sites_forget(uintptr_t at, size_t bytes);

/* The site in whose copy pc is, or NULL. */
struct site *sites_of_copy(uintptr_t pc);
#endif

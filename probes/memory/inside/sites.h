/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Sites. A site is an instruction that accessed watched memory, or that may do so (engine_patch.c
 * looks ahead). A site exists until its code is unmapped. All functions except sites_start are
 * called with sites_lock held and all signals blocked: in the handlers of fault.c.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_SITES_H
#define NFACC_PROBES_MEMORY_INSIDE_SITES_H
#include "probes/memory/inside/decode.h"
#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/lock.h"
#include "probes/memory/inside/raw.h"

/*
 * A piece of a copy that counts (copy_count.c), for the instruction at the site's pc + `away`; or
 * for several instructions, if they are copied as they are.
 */
struct copy_part {
	uint16_t at, end; /* offsets in the copy */
	uint16_t away;
	/*
	 * If it counts: between these offsets the registers are saved, and from the latter on the
	 * access is counted. `committed` is 0 if it does not count.
	 */
	uint16_t saved, committed;
	uint8_t value, pointer;    /* registers that are saved; REGISTER_NONE: none */
	uint32_t number; /* if it counts: of its counter; the site may have another one by now */
};
enum { COPY_PARTS = 24 };

/* Offsets of the parts of an instruction's copy, in bytes from its start (copy.h). */
struct copy {
	uintptr_t at; /* address of the copy; 0: there is none */
	uint16_t bytes;
	uint16_t entry;     /* target of a jump to the copy: 1, after the hlt; 0 without a head */
	uint16_t saved;     /* from here on the scratch registers are saved */
	uint16_t lookup;    /* where the copy reads mirror_pages */
	uint16_t committed; /* from here on the access is recorded */
	uint16_t tail;      /* the tail */
	/* Each is a hlt: the access is suspect (stacks.h, locals.h). 0: there is none. */
	struct {
		uint16_t lost, unset, local;
	} suspect[DECODE_OPERANDS];
	/* Only in a copy that counts. The piece that looks the page up comes after the parts. */
	uint16_t parts;
	uint16_t other; /* where that piece begins */
	struct copy_part part[COPY_PARTS];
	/* Only in a copy of an atomic instruction: */
	uint16_t flagged; /* from here on rax and flags are saved, too */
	uint16_t taken;   /* from here to `committed` rcx holds a stamp that is not written yet */
	struct {
		uint16_t flagged; /* from here to `leave` the second stamp is taken and written */
		uint16_t taken;   /* from here to `leave` rcx holds the second stamp */
		uint16_t leave;
		uint16_t slow; /* a hlt: the handler writes the second stamp */
	} after;
	uint8_t address;   /* the register that holds the operand's address */
	uint8_t temporary; /* a second scratch register; rcx is the third */
};

struct site {
	uintptr_t pc;
	uint32_t number[DECODE_OPERANDS]; /* site number of each operand; 0: none was left */
	struct decode d;
	struct copy copy;
	uint8_t state; /* enum mem_site_state */
	bool patch_failed;
	bool copy_unsure; /* if copies count: it accesses memory that has no alias by gs */
	bool copy_alone; /* if copies count: its copy does not go on behind it */
	bool flags_free; /* if copies count: the flags that the instruction leaves are not used */
	uint8_t suspects;  /* stacks of it that were recorded, as far as they count (stacks.c) */
	uint8_t reach;     /* bytes from pc on that the jump depends on; 0: no jump */
	bool gone;         /* the code was unmapped: only pc, d and number are valid */
	uint8_t returns;   /* its copy goes on up to a return: 1 + the bytes before that */
	bool leads : 1;    /* a call whose copy goes to the stretch at its target */
	bool stretch : 1;  /* no instruction, but the stretch of code at pc (stretch.h) */
	bool watched : 1;  /* it accessed watched memory, and a stretch may hold it */
	bool nop : 1;      /* a nop that holds the jump of a site, which lies `apart` from here */
	uint8_t tries;     /* of one that was watched: how often stretches were made for it */
	int8_t apart;      /* bytes from here to the nop that holds its jump; 0: none does */
	uint16_t waits;    /* of one that was watched: faults since they were */
	uint16_t room;     /* bytes that pages_take gave for the copy */
	struct site *next; /* the next site whose copy begins in the same page */
};

extern struct lock sites_lock;

/* Makes the tables. If there is no memory, says so in the channel and returns false. */
bool sites_start(void);

/* The site at pc, or NULL. */
struct site *sites_find(uintptr_t pc);

/*
 * The site at pc. If there is none, decodes the instruction and makes one. Returns NULL if there is
 * no valid instruction, or if the table is full. If code may have changed, call decode_forget()
 * first.
 */
struct site *sites_make(uintptr_t pc);

/* Sets how accesses of a site are handled, also in the channel. */
void sites_state(struct site *s, enum mem_site_state state);

/* Counts a fault at a site. `s` may be NULL. */
void sites_fault(struct site *s);

/* Notes that the copy of a site is at s->copy.at, where pages_take gave `room` bytes. */
void sites_placed(struct site *s, size_t room);

/*
 * Keeps the old copy of a site that is about to get a new one: threads and handlers may still be in
 * the old copy. If there is no room, returns false and changes nothing.
 */
bool sites_keep_copy(const struct site *s);

/*
 * Adds the copy of a stretch of code, for which pages_take gave `room` bytes. It has no entry in
 * the hash table. Returns NULL if there is no room.
 */
struct site *sites_add_stretch(uintptr_t pc, const struct copy *copy, size_t room);

/*
 * Called when code in a range is unmapped and no thread is in it. Removes its sites and their
 * copies. If the same pc is used again with the same operands, its site gets the same numbers. So a
 * library that is loaded many times does not use up the numbers. Cost: linear in the sites.
 */
void sites_forget(uintptr_t at, size_t bytes);

/*
 * Called before the program changes the code in a range. Replaced instructions get their own bytes
 * back, unless the memory goes away (not `kept`), and the sites are removed. A thread may still be
 * in a copy, so with several threads the copies stay.
 */
void sites_restore(uintptr_t at, size_t bytes, bool kept);

/* Removes a site if the code at its pc is another instruction now. */
void sites_check(uintptr_t pc);

enum { SITES_IN_NOP = 3 }; /* the offset of a jump in a nop: behind 0f 1f 84 */

/* The address of the instruction whose jump lies at pc in a nop; 0 if none does. */
uintptr_t sites_of_nop(uintptr_t pc);

/* The site whose copy contains pc, or NULL. */
struct site *sites_of_copy(uintptr_t pc);
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stalker.h: the Translation Stalker. It knows which frames hold page tables of the process, each
 * with a watermark: the level of the table and the first virtual address that it translates. From
 * a line of such a frame it reads translations, and tables that it did not know.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_STALKER_H
#define NFACC_PROBES_VIRTUAL_MODEL_STALKER_H

#include "probes/virtual/model/virtual.h"

/* The watermark of a table page. */
struct virt_table {
	bool used;
	uint64_t pa, va;
	unsigned level;
	/* Lines from here to VIRT_TABLE_LINES are still to be cleaned for the first time. */
	unsigned next_line;
	bool found;       /* these lines had translations that nobody has seen walked */
	uint64_t since;   /* reads without an address before the table was found */
};

struct virt_stalker {
	uint64_t start, end; /* the range of virtual addresses, end excluded */
	unsigned root_level;
	bool unfinished; /* virt_stalker_next() may have a line */
	struct virt_table table[VIRT_TABLES]; /* [0] is the root, always */
};

/* What a line says: the mappings, and the tables that are new. */
struct virt_seen {
	unsigned nmappings, ntables;
	struct virt_mapping mapping[VIRT_LINE_ENTRIES];
	struct virt_table table[VIRT_LINE_ENTRIES];
	uint8_t valid; /* a bit for each entry that a core may keep, and that is in the range */
};

/* Removes all watermarks but puts the root's, no line of which is to be cleaned. */
void virt_stalker_init(struct virt_stalker *st, uint64_t pgd, unsigned levels, uint64_t start,
		       uint64_t end);

/* Finds the watermark of the table that holds the line `pa`, if the line translates some of the
 * range; else returns NULL. */
struct virt_table *virt_stalker_find(struct virt_stalker *st, uint64_t pa);

/* Does this line of the table translate some of the range? */
bool virt_stalker_in_range(const struct virt_stalker *st, const struct virt_table *t,
			   unsigned line);

/* Reads the line `pa` of the table t. */
void virt_stalker_read(const struct virt_stalker *st, const struct virt_table *t, uint64_t pa,
		       const uint64_t line[VIRT_LINE_ENTRIES], struct virt_seen *seen);

/* Puts a watermark, unless the frame has this one already. False: there is no room. */
bool virt_stalker_watch(struct virt_stalker *st, const struct virt_table *t);

/* Removes the watermarks on the way to an address, except the root's. Returns whether there were
 * some. */
bool virt_stalker_drop(struct virt_stalker *st, uint64_t va);

/* Removes all watermarks but the root's. */
void virt_stalker_clear(struct virt_stalker *st);

/* Removes all watermarks but the root's, whose lines are all to be cleaned for the first time. */
void virt_stalker_restart(struct virt_stalker *st, uint64_t since);

/* What virt_stalker_next() found. */
enum virt_next {
	VIRT_NEXT_NONE, /* no line is left to be cleaned for the first time */
	VIRT_NEXT_LINE, /* this one */
	VIRT_NEXT_END   /* a table's last lines are not in the range, and the others had translations */
};

/* Takes the next line that is to be cleaned for the first time: *table is the place of its watermark,
 * *pa its address, for VIRT_NEXT_LINE; *since is the table's. */
enum virt_next virt_stalker_next(struct virt_stalker *st, unsigned *table, uint64_t *pa,
				 uint64_t *since);

/* The process has changed table entries: tables whose lines are being cleaned for the first time
 * had translations. Returns the earliest `since` of them, or the given one. */
uint64_t virt_stalker_distrust(struct virt_stalker *st, uint64_t since);

/* The table had translations. */
void virt_stalker_mark(struct virt_stalker *st, unsigned table);

#endif

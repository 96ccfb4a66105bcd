/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stalker.h: the Translation Stalker. It knows which frames hold page tables of the process. Each
 * of these frames has a watermark: the level of the table, and the first virtual address that the
 * table translates. From a line of such a frame it reads translations, and finds tables that are
 * new.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_STALKER_H
#define NFACC_PROBES_VIRTUAL_MODEL_STALKER_H

#include "probes/virtual/model/virtual.h"

/* The watermark of a table page. */
struct virt_table {
	bool used;
	uint64_t pa, va;
	unsigned level;
	/* The lines from here up to VIRT_TABLE_LINES have not had their first cleaning yet. */
	unsigned next_line;
	bool found;       /* entries were found in them that no core was seen to read */
	uint64_t since;   /* reads without an address before the table was found */
};

struct virt_stalker {
	uint64_t start, end; /* the range of virtual addresses; `end` is excluded */
	unsigned root_level;
	bool unfinished; /* virt_stalker_next() may find a line */
	struct virt_table table[VIRT_TABLES]; /* [0] is always the root */
};

/* What was read from a line: the mappings, and the tables that it names. */
struct virt_seen {
	unsigned nmappings, ntables;
	struct virt_mapping mapping[VIRT_LINE_ENTRIES];
	struct virt_table table[VIRT_LINE_ENTRIES];
	uint8_t valid; /* a bit for each entry in the range that a core may keep */
};

/*
 * Removes all watermarks and sets that of the root. No line of the root needs its first cleaning.
 */
void virt_stalker_init(struct virt_stalker *st, uint64_t pgd, unsigned levels, uint64_t start,
		       uint64_t end);

/*
 * Finds the watermark of the table that contains the line `pa`. Returns NULL if there is none, or
 * if the line translates no address of the range.
 */
struct virt_table *virt_stalker_find(struct virt_stalker *st, uint64_t pa);

/* Whether this line of the table translates an address of the range. */
bool virt_stalker_in_range(const struct virt_stalker *st, const struct virt_table *t,
			   unsigned line);

/* Reads the line `pa` of the table t. */
void virt_stalker_read(const struct virt_stalker *st, const struct virt_table *t, uint64_t pa,
		       const uint64_t line[VIRT_LINE_ENTRIES], struct virt_seen *seen);

/*
 * Adds a watermark, unless the frame already has the same one. Returns false if there is no room.
 */
bool virt_stalker_watch(struct virt_stalker *st, const struct virt_table *t);

/*
 * Removes the watermarks of tables that lead to an address, except for the root. Returns whether
 * there were any.
 */
bool virt_stalker_drop(struct virt_stalker *st, uint64_t va);

/* Removes all watermarks except for that of the root. */
void virt_stalker_clear(struct virt_stalker *st);

/*
 * Removes all watermarks except for that of the root. All lines of the root then need their first
 * cleaning.
 */
void virt_stalker_restart(struct virt_stalker *st, uint64_t since);

/* What virt_stalker_next() found. */
enum virt_next {
	VIRT_NEXT_NONE, /* no line needs its first cleaning */
	VIRT_NEXT_LINE, /* a line that needs its first cleaning */
	VIRT_NEXT_END   /* a table has no more lines in the range, and it had `found` set */
};

/*
 * Takes the next line that needs its first cleaning. Sets *table to the place of its watermark and
 * *since to the `since` of its table. For VIRT_NEXT_LINE sets *pa to the address of the line.
 */
enum virt_next virt_stalker_next(struct virt_stalker *st, unsigned *table, uint64_t *pa,
				 uint64_t *since);

/*
 * Called when the process has changed table entries. Sets `found` in all tables that still have
 * lines before their first cleaning. Returns the smallest `since` of these tables, at most the
 * given one.
 */
uint64_t virt_stalker_distrust(struct virt_stalker *st, uint64_t since);

/* Sets `found` in a table. */
void virt_stalker_mark(struct virt_stalker *st, unsigned table);

#endif

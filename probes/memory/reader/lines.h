/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lines.h: what a program does with its memory as lines of text, in the form of MadT (Cesati et
 * al., section III.G, tables I and II, listing 2).
 *
 *   L$12:<malloc0014@make_list+45>+8,[heap],walk+73
 *   L#12:0x600000000308,[heap],0x555555555189
 *
 * A letter says what happened: L load, S store, Y copy, W store of a range, G fetch of a range,
 * M malloc, C calloc, R realloc, F free, P mmap, E mremap, U munmap. `$` is before names, `#`
 * before numbers. The number counts the events. After the colon stands where it happened; the
 * length, or what was copied or moved, where there is one; the region around it; and the
 * instruction, or the return address of the call. Lines of other threads than the first end
 * with `,T` and a number; where several processes are watched all lines end with `,P` and the id of
 * theirs.
 *
 * A place is the name of a variable or block with an offset. A block is
 * `<mallocNUMBER@CALLER>`, with calloc, reallo, memmap or mremap in place of malloc, and
 * `freed:` or `unmap:` when it is gone. Where nothing is known, the address stands in its place.
 */
#ifndef NFACC_PROBES_MEMORY_READER_LINES_H
#define NFACC_PROBES_MEMORY_READER_LINES_H

#include <stdio.h>

#include "probes/memory/reader/memory.h"
#include "probes/memory/reader/turns.h"

enum { LINES_MOST_NAME = 512 }; /* bytes of a name, with its end; longer ones are cut */

/* Writes the name of a place, or of the code at an address ("walk+73"), with a 0 behind it.
 * Returns its length. `gone`: was the block gone when the access came? `after`: the address is
 * behind a call, which may be the last instruction of its function. */
size_t lines_place_name(struct names *n, const struct place *place, bool gone,
			char name[LINES_MOST_NAME]);
size_t lines_code_name(struct names *n, uint64_t pc, bool after, char name[LINES_MOST_NAME]);

struct lines;

enum lines_form { LINES_SYMBOLIC, LINES_RAW, LINES_BOTH };

/* Makes an output that writes lines to f, which must outlive it. NULL: out of memory. Free with
 * lines_free(). Cost: some tens of nanoseconds a line. */
struct lines *lines_new(struct memory *m, FILE *f, enum lines_form form);
void lines_free(struct lines *l);

struct memory_output lines_output(struct lines *l);

/* From here on the lines are those of a process with this id, which ends each of them, and are
 * numbered from 0. Others write to the file, too, and take turns. */
void lines_process(struct lines *l, uint32_t pid, struct turns *turns);

/* Writes what is held back. False: *e says why. */
bool lines_flush(struct lines *l, struct nfart_error *e);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * lines.h: writes what a program does with its memory as lines of text. The format is that of MadT
 * (Cesati et al., section III.G, tables I and II, listing 2).
 *
 *   L$12:<malloc0014@make_list+45>+8,[heap],walk+73
 *   L#12:0x600000000308,[heap],0x555555555189
 *
 * The letter says what happened: L load, S store, Y copy, W store of a range, G fetch of a range, M
 * malloc, C calloc, R realloc, F free, P mmap, E mremap, U munmap. `$` marks a line with names, and
 * `#` a line with numbers. The number after it counts the events. After the colon comes the
 * address. Then come, for some events, the length and the address that was copied or moved from.
 * Then come the region around the address, and the instruction or the return address of the call. A
 * line of any thread but the first ends with `,T` and the number of the thread. If several
 * processes are watched, each line ends with `,P` and the id of the process.
 *
 * A place is written as the name of a variable or block, with an offset. A block is written as
 * `<mallocNUMBER@CALLER>`. Instead of malloc it can say calloc, reallo, memmap or mremap. Once the
 * block is freed it says `freed:`, and once it is unmapped, `unmap:`. If the place is not known,
 * the address is written.
 */
#ifndef NFACC_PROBES_MEMORY_READER_LINES_H
#define NFACC_PROBES_MEMORY_READER_LINES_H

#include <stdio.h>

#include "probes/memory/reader/memory.h"
#include "probes/memory/reader/turns.h"

enum { LINES_MOST_NAME = 512 }; /* buffer for a name; longer ones are cut */

/*
 * Writes the name of a place (lines_place_name), or of the code at an address ("walk+73",
 * lines_code_name), with a 0 at the end. Returns the length. `gone`: the block was already freed
 * when the access happened. `after`: the address is the one after a call. The call may be the last
 * instruction of its function.
 */
size_t lines_place_name(struct names *n, const struct place *place, bool gone,
			char name[LINES_MOST_NAME]);
size_t lines_code_name(struct names *n, uint64_t pc, bool after, char name[LINES_MOST_NAME]);

struct lines;

enum lines_form { LINES_SYMBOLIC, LINES_RAW, LINES_BOTH };

/*
 * Makes an output that writes lines to f. f must outlive it. Returns NULL if there is no memory.
 * Free it with lines_free(). Cost: some tens of nanoseconds for each line.
 */
struct lines *lines_new(struct memory *m, FILE *f, enum lines_form form);
void lines_free(struct lines *l);

struct memory_output lines_output(struct lines *l);

/*
 * From now on the lines are those of the process with this id. Each line ends with the id, and the
 * numbers of lines begin at 0. Other processes write to the same file, so the writers take turns.
 */
void lines_process(struct lines *l, uint32_t pid, struct turns *turns);

/* Writes the lines that are collected. Returns false and sets *e on failure. */
bool lines_flush(struct lines *l, struct nfart_error *e);

#endif

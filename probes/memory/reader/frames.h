/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * frames.h: the functions that an instruction belongs to. An instruction of a function that was
 * inlined belongs to that one, to the one that called it in the source, and so on, out to the
 * function whose code it is. Debug information says which these are. Without it there is one.
 */
#ifndef NFACC_PROBES_MEMORY_READER_FRAMES_H
#define NFACC_PROBES_MEMORY_READER_FRAMES_H

#include "probes/memory/reader/names.h"
#include "support/buf.h"
#include "support/vec.h"

/* Texts are from files, so they may have any bytes. They live as long as the names. */
struct frame {
	const char *function; /* as its source has it; NULL: not known */
	const char *linked;   /* the same as the linker has it */
	const char *file;     /* source file, as the debug information has it; NULL: not known */
	const char *folder;   /* where `file` begins if it is no absolute path; NULL: not known */
	int line;             /* in `file`; 0: not known */
	bool inlined;         /* the next frame has this one's code */
	/* The rest is of the function whose code it is, also in a frame that is inlined. */
	const char *outer;    /* as `function` */
	const char *module;   /* path of the program or library; NULL: not known */
	uint64_t offset;      /* from the beginning of the function; else of the module; else 0 */
	uint64_t at;          /* of the instruction in the module; a call: of its last byte */
};

struct frames {
	VEC(struct frame) list; /* innermost first */
};

void frames_free(struct frames *f);

/*
 * Appends the frames of the instruction at pc, at least one. `after`: pc is the address after a
 * call. Returns false if there is no memory. Cost: for the first time for an instruction, linear in
 * the functions of its source file, and about 150 bytes for each frame; the first call for a file
 * reads its debug information.
 */
bool frames_add(struct frames *f, struct names *n, uint64_t pc, bool after);

/* What is known of the instructions of a file. It belongs to the file (names.h). */
struct frames_cache;
void frames_forget(struct frames_cache *c);

/* Appends a frame as text: "walk+73 (list.c:40)", or "next in walk+73 (list.c:12)" if inlined. */
void frames_print(struct buf *b, const struct frame *f);

/* Appends where the source of a frame is: " (list.c:40)"; nothing if that is not known. */
void frames_print_source(struct buf *b, const struct frame *f);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * vcd_ahead.h: several threads read a VCD that is a plain file.
 *
 * Note [pieces of a VCD]
 * The file is cut into pieces, each of which begins at a time stamp, at the first byte of a line.
 * A thread reads a piece as if it were a whole file, with a reader of its own, and logs the steps.
 * What it can't know is what stands before the piece. So a piece is *plain* only if all of these
 * hold: it has nothing but time stamps, changes and the commands around them; no change or comment
 * is open at its end; its reader had nothing to note; and the log takes no more than 16 times
 * its bytes. (A short text can change a wide value.)
 *
 * The calling thread goes through the file in order. Where a plain piece begins, and no change,
 * comment or blackout is open, it replays the log in place of the bytes. All else it reads itself,
 * and so gives errors and notes their lines. Thus both ways give the same steps.
 *
 *   bytes    header │ piece     │ piece, with $dumpoff │ piece     │ the end
 *   caller   reads  │ replays   │ reads                │ replays   │ reads
 *
 * Memory: 2 * jobs + 2 pieces and their logs.
 */
#ifndef NFART_WAVE_VCD_AHEAD_H
#define NFART_WAVE_VCD_AHEAD_H

#include "runtime/wave/vcd.h"

/* ---- a piece (vcd_piece.c) ---- */

struct vcd_piece {
	bool plain;          /* all that follows is set, and the log can be replayed */
	uint64_t begin, end; /* offsets in the file */
	uint64_t first;      /* its first time stamp */
	uint64_t lines;
	VEC(uint32_t) log;
};

/* What a thread reads pieces with. */
struct vcd_piece_reader {
	struct input file;
	struct wave wave;      /* has bits and notes of its own, and the variables of the file's */
	struct vcd vcd, fresh; /* at work; as it is at the beginning of a piece */
};

/* False: out of memory. Closed in either case. */
bool vcd_piece_reader_open(struct vcd_piece_reader *r, const struct vcd *v);
void vcd_piece_reader_close(struct vcd_piece_reader *r);

/* Reads the piece from the first time stamp behind number * bytes up to the first one behind
 * (number + 1) * bytes. */
void vcd_piece_read(struct vcd_piece *p, struct vcd_piece_reader *r, uint64_t number, size_t bytes);

/* How far a log was replayed. */
struct vcd_replay {
	bool begun;
	size_t at;        /* in the log */
	uint32_t changes; /* of the step, that are still to come */
};

/* Replays up to the time stamp that ends a step, and returns false; or true: the log is done. */
bool vcd_piece_replay(const struct vcd_piece *p, struct vcd_replay *r, struct vcd *v);

/* ---- the queue (vcd_ahead.c) ---- */

struct vcd_ahead;

/* Starts jobs - 1 threads for the rest of the file; where the caller would have to wait, it reads
 * pieces, too. `piece` is how many bytes a piece has, or 0 for the usual number. NULL: the input is
 * no plain file, or too short, or there is no memory, and all goes on in one thread. */
struct vcd_ahead *vcd_ahead_start(struct vcd *v, unsigned jobs, size_t piece);
void vcd_ahead_free(struct vcd_ahead *a);

/* Returns how many bytes the caller may read itself before the next piece begins; 0: a piece begins
 * here, and vcd_ahead_replay() is to be called. May wait for other threads. */
uint64_t vcd_ahead_distance(struct vcd *v);

/* Replays the piece that begins here, or goes on with it. VCD_STEP: a time stamp ended a step.
 * VCD_MORE: the piece is done, and the input is behind it. */
enum vcd_outcome vcd_ahead_replay(struct vcd *v);

/* The next piece will not be replayed: reading could not get to its first byte. */
void vcd_ahead_drop(struct vcd_ahead *a);

#endif

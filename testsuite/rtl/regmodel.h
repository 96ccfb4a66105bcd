/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * regmodel.h: a model of the engine's registers (contract/contract.def), for tests of what drives an
 * engine: it loads and checks images, follows or refuses commands, counts batches. It filters nothing:
 * it accepts every batch that is taken, and puts it out when there is room.
 */
#ifndef NFACC_TESTSUITE_REGMODEL_H
#define NFACC_TESTSUITE_REGMODEL_H

#include "contract/contract.h"

enum { REGMODEL_DEPTH = 64 }; /* batches that the output holds */

enum regmodel_register {
#define REGISTER(offset, name, access, text) REG_##name,
#include "contract/contract.def"
	REGMODEL_NREGISTERS
};

/* What the REGISTER elements say. */
struct regmodel_values {
	uint64_t by_line, base, count, window, limit;
};

struct regmodel {
	/* The engine. */
	struct overlay overlay;
	uint64_t fingerprint;
	uint32_t lag; /* reads of STATUS until it shows the end of a load, a swap or a stream */

	/* Reading an image. */
	enum { LOAD_OFF, LOAD_PRINT, LOAD_HEAD, LOAD_BODY, LOAD_SUM } state;
	bool staging;            /* the image is staged, not used */
	uint32_t *halves;        /* all halves that were taken; room for the largest image */
	size_t n, body;          /* their number; where the current payload begins */
	const struct element *el; /* the element that comes or is being read; NULL: the end */
	uint32_t left;           /* words of the payload to come */
	uint32_t maps, row_left; /* maps of rows that were read; words until the next map */
	uint32_t low, words, result, ending; /* ending: the result of a load that STATUS does not show yet */

	/* Control. */
	bool armed, done, draining, limited, loaded, staged, swapping, refused, overflow, blocked;
	uint32_t load_timer, swap_timer, done_timer;
	uint32_t enable, idle_after;
	struct regmodel_values now, next; /* next: of the image being loaded or staged */
	uint64_t packets, dropped, unseen, batches, inside;
	uint32_t high[REGMODEL_NREGISTERS]; /* of _LO registers: the other half when it was read */
};

/* As after power-up. False: out of memory. */
bool regmodel_init(struct regmodel *m, const struct overlay *o, uint64_t fingerprint);
void regmodel_free(struct regmodel *m);

/* An access by the bus. False: it is answered with an error and does nothing. */
bool regmodel_read(struct regmodel *m, uint32_t offset, uint32_t *value);
bool regmodel_write(struct regmodel *m, uint32_t offset, uint32_t value);

/* A batch of so many messages comes. */
void regmodel_batch(struct regmodel *m, uint32_t messages);

/* Stalls the output, or takes it again. */
void regmodel_block(struct regmodel *m, bool blocked);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * regmodel.h: the engine as its registers show it (contract/contract.def), for tests of what drives one:
 * it loads and checks images, follows or refuses commands, counts batches. It filters nothing:
 * every batch that is taken is accepted, and is output when there is room.
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
	uint32_t lag; /* reads of STATUS before the end of a load, a swap or a stream shows */

	/* Reading an image. */
	enum { LOAD_OFF, LOAD_PRINT, LOAD_HEAD, LOAD_BODY, LOAD_SUM } state;
	bool staging;            /* it does not configure */
	uint32_t *halves;        /* all that was taken, room for the largest image */
	size_t n, body;          /* halves; where the payload begins */
	const struct element *el; /* that comes or is being read; NULL: the end */
	uint32_t left;           /* words of the payload to come */
	uint32_t maps, row_left; /* maps of rows that were read; words to come before the next */
	uint32_t low, words, result, ending; /* ending: the result of a load that does not show yet */

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

/* Whether nobody takes the output. */
void regmodel_block(struct regmodel *m, bool blocked);

#endif

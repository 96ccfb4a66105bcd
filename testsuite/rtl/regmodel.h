/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * regmodel.h: a model of the engine's registers (contract/contract.def), for tests of software that
 * drives an engine. It loads and checks images, follows or refuses commands, and counts batches. It
 * does not filter: it accepts every batch that is taken, and puts it out when there is room.
 */
#ifndef NFACC_TESTSUITE_REGMODEL_H
#define NFACC_TESTSUITE_REGMODEL_H

#include "contract/contract.h"

enum { REGMODEL_DEPTH = 64 }; /* batches for which the output has room */

enum regmodel_register {
#define REGISTER(offset, name, access, text) REG_##name,
#include "contract/contract.def"
	REGMODEL_NREGISTERS
};

/* The values of the REGISTER elements. */
struct regmodel_values {
	uint64_t by_line, base, count, window, limit;
};

struct regmodel {
	/* The modelled engine. */
	struct overlay overlay;
	uint64_t fingerprint;
	uint32_t lag; /* how many reads of STATUS it takes to show the end of a load, a swap or a
	               * stream */

	/* An image that is being read. */
	enum { LOAD_OFF, LOAD_PRINT, LOAD_HEAD, LOAD_BODY, LOAD_SUM } state;
	bool staging;            /* the image is staged for a swap */
	uint32_t *halves;        /* all halves of words that were taken; room for the largest
	                          * image */
	size_t n, body;          /* n: number of halves; body: where the current payload begins */
	const struct element *el; /* the element that comes or is being read; NULL: the end */
	uint32_t left;           /* words of the payload that are still to come */
	uint32_t maps, row_left; /* maps: bit maps of rows read so far; row_left: words until the
	                          * next map */
	/* `ending` is the result of a load that STATUS does not show yet. */
	uint32_t low, words, result, ending;

	/* The state of the engine. */
	bool armed, done, draining, limited, loaded, staged, swapping, refused, overflow, blocked;
	uint32_t load_timer, swap_timer, done_timer;
	uint32_t enable, idle_after;
	struct regmodel_values now, next; /* now: in use; next: of the image that is being loaded or
	                                   * staged */
	uint64_t packets, dropped, unseen, batches, inside;
	uint32_t high[REGMODEL_NREGISTERS]; /* for _LO registers: the high half as it was at the
	                                     * last read */
};

/* Makes a model as after power-up. Returns false without memory. */
bool regmodel_init(struct regmodel *m, const struct overlay *o, uint64_t fingerprint);
void regmodel_free(struct regmodel *m);

/* One access over the bus. Returns false if it is answered with an error; then it changes
 * nothing. */
bool regmodel_read(struct regmodel *m, uint32_t offset, uint32_t *value);
bool regmodel_write(struct regmodel *m, uint32_t offset, uint32_t value);

/* Sends a batch with this number of messages. */
void regmodel_batch(struct regmodel *m, uint32_t messages);

/* Stalls the output (blocked), or takes it again. */
void regmodel_block(struct regmodel *m, bool blocked);

#endif

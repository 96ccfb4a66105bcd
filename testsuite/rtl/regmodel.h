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

enum { REGMODEL_DEPTH = 64 }; /* the number of batches for which the output has room */

enum regmodel_register {
#define REGISTER(offset, name, access, text) REG_##name,
#include "contract/contract.def"
	REGMODEL_NREGISTERS
};

/* The values of the REGISTER elements. */
struct regmodel_values {
	uint64_t by_line, base, count, window, limit, tick, end;
};

/* The image that is being loaded. */
struct regmodel_load {
	enum { LOAD_OFF, LOAD_PRINT, LOAD_HEAD, LOAD_BODY, LOAD_SUM } state;
	bool staging;            /* the image is staged for a swap, not loaded into the engine */
	uint32_t *halves;        /* the image's words so far, as 32-bit halves */
	size_t n,                /* the number of entries in `halves` */
		body;            /* where the payload of the current element begins in `halves` */
	const struct element *el; /* the current or the next element; NULL: there are no more */
	uint32_t left;           /* words of the current payload that are still to come */
	uint32_t maps,           /* bit maps of rows in the current payload so far */
		row_left;        /* words of rows that are still to come before the next bit map */
	uint32_t low,            /* the low half of a word whose high half has not come */
		words,           /* the number of the image's words that have come */
		result,          /* the result of the last load, as STATUS shows it */
		ending;          /* the result of a load that STATUS does not show yet */
};

struct regmodel {
	/* The modelled engine. */
	struct overlay overlay;
	uint64_t fingerprint;
	/* After so many reads, STATUS shows that a load, a swap or a stream has ended. */
	uint32_t lag;

	struct regmodel_load load;

	/* The state of the engine. */
	struct {
		bool armed, done, draining, limited, loaded, staged, swapping, refused, overflow,
			blocked;
	} is;
	struct {
		uint32_t load, swap, done;
	} timer;
	uint32_t enable, idle_after;
	struct regmodel_values now, /* the values that are in use */
		next;               /* the values of the image that is staged, or is being staged */
	/* So many more arms are refused, because the next tick is not known yet. */
	uint32_t finding;
	struct {
		uint64_t packets, dropped, unseen, batches, inside;
		uint64_t stopped, ticks_lost; /* time does not pass in the model */
	} count;
	/* [register]: the high half of its value when this _LO register was last read. */
	uint32_t high[REGMODEL_NREGISTERS];
};

/* Makes *m a model as after power-up. Returns false if memory is short. */
bool regmodel_init(struct regmodel *m, const struct overlay *o, uint64_t fingerprint);
void regmodel_free(struct regmodel *m);

/* Read or write the register at this offset over the bus. Return false if the answer is an error.
 * Then the access has changed nothing. */
bool regmodel_read(struct regmodel *m, uint32_t offset, uint32_t *value);
bool regmodel_write(struct regmodel *m, uint32_t offset, uint32_t value);

/* Sends a batch with this number of messages. */
void regmodel_batch(struct regmodel *m, uint32_t messages);

/* Stalls the output if `blocked`. Otherwise the output flows again, and is empty at once. */
void regmodel_block(struct regmodel *m, bool blocked);

#endif

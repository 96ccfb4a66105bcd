/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtl_engine.h: the engine of rtl/ in simulation. It drives the pins of a model that nfamodel built
 * (rtl/sim/model.h) as hardware would: registers over AXI4-Lite, batches at the tap, records over
 * AXI4-Stream. Calls take clock cycles of the model, except those that only ask.
 *
 * Writes to registers wait in a queue and go out one a cycle, also while batches go in. Records
 * from the output go to the sink. If a model does what no engine may do (an unstable stream, a
 * malformed record, an answer that never comes), that is an error: rtl_engine_why().
 */
#ifndef NFART_RTL_ENGINE_H
#define NFART_RTL_ENGINE_H

#include "include/nfart.h"
#include "rtl/sim/model.h"

struct rtl_engine;

/* A record of the engine: a batch with its labels, or a loss record. */
typedef void rtl_sink(void *ctx, const struct nfart_batch *b, uint64_t labels);

struct rtl_options {
	const char *model;   /* a model, or the folder it is in; NULL: rtl_models() */
	const char *vcd;     /* waveforms go there, or NULL */
	bool (*ready)(void *ctx); /* is the output taken in this cycle? NULL: always */
	rtl_sink *sink;
	void *ctx;           /* of both functions */
};

/* The folder of models: $NFACC_MODELS, else $XDG_CACHE_HOME or ~/.cache and nfacc/models. */
void rtl_models(char *out, size_t n);

/* Opens a model for the hardware `fingerprint` and resets it. NULL: *e says why. */
struct rtl_engine *rtl_engine_open(uint64_t fingerprint, const struct rtl_options *o,
				   struct nfart_error *e);
void rtl_engine_close(struct rtl_engine *en);

const struct nfacc_model_info *rtl_engine_info(const struct rtl_engine *en);

/* NULL, or the first thing that went wrong. */
const char *rtl_engine_why(const struct rtl_engine *en);

/* Clock cycles so far. */
uint64_t rtl_engine_cycles(const struct rtl_engine *en);

/* The active bits (model.h), for comparing states. */
void rtl_engine_states(const struct rtl_engine *en, uint32_t *words);

/* Registers (contract.def). post() only queues a write. write() waits for the answer. read() waits
 * for all writes, then for the answer. False: see why(); an error response is an error, too. */
void rtl_engine_post(struct rtl_engine *en, uint32_t offset, uint32_t value);
bool rtl_engine_write(struct rtl_engine *en, uint32_t offset, uint32_t value);
bool rtl_engine_read(struct rtl_engine *en, uint32_t offset, uint32_t *value);

/* Queues `begin` and the configuration words (halves as an image has them). */
void rtl_engine_post_words(struct rtl_engine *en, const uint32_t *halves, size_t n);

/* Are there writes that are queued or unanswered? */
bool rtl_engine_writing(const struct rtl_engine *en);

/* A cycle with a batch at the tap (b->mask not 0), and cycles without. */
void rtl_engine_batch(struct rtl_engine *en, const struct nfart_batch *b);
void rtl_engine_idle(struct rtl_engine *en, uint64_t cycles);

/* Loads an image and waits until it is loaded. Returns STATUS.load, or -1: see why(). */
int rtl_engine_load(struct rtl_engine *en, const uint32_t *halves, size_t n);

/* Gives a command, a bit of CONTROL. False: it was refused, or see why(). */
bool rtl_engine_command(struct rtl_engine *en, uint32_t bit);

/* Waits until (STATUS & mask) == value, for at most `cycles`. False: see why(). */
bool rtl_engine_wait(struct rtl_engine *en, uint32_t mask, uint32_t value, uint64_t cycles);

#endif

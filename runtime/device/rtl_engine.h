/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * rtl_engine.h: the engine of rtl/ in simulation. It drives the pins of a model that nfamodel built
 * (rtl/sim/model.h) as hardware would: registers over AXI4-Lite, batches at the tap, records over
 * AXI4-Stream. A call takes clock cycles of the model, unless it only asks for something.
 *
 * Writes to registers wait in a queue. One leaves the queue in a cycle, also while batches go in.
 * Records from the output go to the sink. If a model does what no engine may do (an unstable
 * stream, a malformed record, an answer that never comes), that is an error: rtl_engine_why() says
 * which.
 */
#ifndef NFART_RTL_ENGINE_H
#define NFART_RTL_ENGINE_H

#include "contract/image/record.h"
#include "include/nfart.h"
#include "rtl/sim/model.h"

struct rtl_engine;

/* Cycles in which any engine has found the next tick: it takes 421 (rtl/stream/nfacc_tick.v). */
enum { RTL_FIND_TICK = 450 };

/* Called for each record that the engine outputs: a batch with its labels, or a loss record. Bit l
 * of `labels` is label l. The payload of b is valid in the sink. */
typedef void rtl_sink(void *ctx, const struct nfart_batch *b, uint64_t labels);

/* Returns the lines that the record names with which the sink was called. Valid in the sink. */
const struct record_names *rtl_engine_names(const struct rtl_engine *en);

struct rtl_options {
	/* A model's file, or a folder in which to look for one; NULL: the folder of
	 * rtl_models(). */
	const char *model;
	const char *vcd;     /* file for waveforms, or NULL */
	/* Called in every cycle: does the receiver take the word of the output? NULL: it always
	 * does. */
	bool (*ready)(void *ctx);
	rtl_sink *sink;
	void *ctx;           /* first argument of `ready` and of `sink` */
};

/* Writes the path of the folder of models to out, cut off at n bytes: $NFACC_MODELS, else
 * nfacc/models in $XDG_CACHE_HOME, or in ~/.cache. */
void rtl_models(char *out, size_t n);

/* Opens a model for the hardware `fingerprint` and resets it. With RTL_ANY the model is a file, and
 * of whatever hardware it is. NULL: *e says why. */
#define RTL_ANY 0
struct rtl_engine *rtl_engine_open(uint64_t fingerprint, const struct rtl_options *o,
				   struct nfart_error *e);
void rtl_engine_close(struct rtl_engine *en);

const struct nfacc_model_info *rtl_engine_info(const struct rtl_engine *en);

/* Returns what went wrong first, or NULL if nothing did. */
const char *rtl_engine_why(const struct rtl_engine *en);

/* Forgets what went wrong: an answer that reports an error has changed nothing. */
void rtl_engine_forget(struct rtl_engine *en);

/* Returns the clock cycles that the model has taken since its reset. */
uint64_t rtl_engine_cycles(const struct rtl_engine *en);

/* Writes which states are active to `words`, as nfacc_model_states() does (rtl/sim/model.h). Tests
 * compare these. */
void rtl_engine_states(const struct rtl_engine *en, uint32_t *words);

/* Returns the memory to which the engine's ring writes, *size bytes from address 0 on. NULL: the model
 * has no ring. */
const unsigned char *rtl_engine_memory(const struct rtl_engine *en, uint64_t *size);

/* Registers (contract.def). post() only queues a write. write() waits for the answer. read() waits
 * for all writes, then for the answer. False: rtl_engine_why() says why; an answer that reports an
 * error is such a case, too. */
void rtl_engine_post(struct rtl_engine *en, uint32_t offset, uint32_t value);
bool rtl_engine_write(struct rtl_engine *en, uint32_t offset, uint32_t value);
bool rtl_engine_read(struct rtl_engine *en, uint32_t offset, uint32_t *value);

/* Queues the command `begin` and then the configuration words of an image: n 32-bit halves, as
 * nfart_image.device.halves has them. */
void rtl_engine_post_words(struct rtl_engine *en, const uint32_t *halves, size_t n);

/* Are there writes that are queued or unanswered? How many are queued? */
bool rtl_engine_writing(const struct rtl_engine *en);
size_t rtl_engine_queued(const struct rtl_engine *en);

/* rtl_engine_batch() takes one cycle with batch b at the tap; b->mask must not be 0. Where b has
 * less payload than the tap, zeros stand in its place.
 * rtl_engine_idle() takes `cycles` cycles without a batch. */
void rtl_engine_batch(struct rtl_engine *en, const struct nfart_batch *b);
void rtl_engine_idle(struct rtl_engine *en, uint64_t cycles);

/* Sets the time that the tap has from the next cycle on. A batch sets it, too. */
void rtl_engine_set_time(struct rtl_engine *en, uint64_t time);

/* Loads an image, given as for rtl_engine_post_words(), and waits until it is loaded. Returns
 * STATUS.load, or -1 if rtl_engine_why() says why. */
int rtl_engine_load(struct rtl_engine *en, const uint32_t *halves, size_t n);

/* Gives a command, a bit of CONTROL. False: the engine refused it, or rtl_engine_why() says why. */
bool rtl_engine_command(struct rtl_engine *en, uint32_t bit);

/* Waits until (STATUS & mask) == value, for at most `cycles` cycles. False: rtl_engine_why() says
 * why. */
bool rtl_engine_wait(struct rtl_engine *en, uint32_t mask, uint32_t value, uint64_t cycles);

#endif

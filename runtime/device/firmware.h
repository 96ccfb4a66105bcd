/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * firmware.h: drives an engine from a processor beside it: load an image, arm, swap, stop, read
 * status and counters. Copy it, firmware.c and nfacc_registers.h into a project;
 * doc/use/firmware.md has an example. It is C11 or C++17, and freestanding: it needs no library,
 * allocates nothing, and has no state but struct nfacc_dev.
 *
 * Every wait is bounded by dev->polls reads of STATUS. Nothing here reads the engine's output.
 * Whoever reads it must continue while nfacc_stop() or nfacc_swap() waits, or accept the timeout
 * and call nfacc_wait_done() or nfacc_wait_swap() again. Only one thread at a time may drive an
 * engine.
 */
#ifndef NFACC_FIRMWARE_H
#define NFACC_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nfacc_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NFACC_POLLS = 1000000 }; /* a default for nfacc_dev.polls */

struct nfacc_dev {
	/* The address of the registers; if NFACC_OWN_IO is defined, whatever nfacc_rd32() needs. */
	void *base;
	uint32_t polls; /* the most reads of STATUS that a wait takes, at least 1 */
};

/* Access to registers, by byte offset. If NFACC_OWN_IO is defined, the program defines these
 * functions itself. Accesses must reach the engine in order, each write before a later read. */
#ifdef NFACC_OWN_IO
uint32_t nfacc_rd32(const struct nfacc_dev *dev, uint32_t offset);
void nfacc_wr32(const struct nfacc_dev *dev, uint32_t offset, uint32_t value);
#else
static inline uint32_t nfacc_rd32(const struct nfacc_dev *dev, uint32_t offset)
{
	return ((const volatile uint32_t *)dev->base)[offset / 4];
}

static inline void nfacc_wr32(const struct nfacc_dev *dev, uint32_t offset, uint32_t value)
{
	((volatile uint32_t *)dev->base)[offset / 4] = value;
}
#endif

enum nfacc_result {
	NFACC_OK,
	NFACC_NO_ENGINE,      /* register ID is wrong */
	NFACC_OTHER_CONTRACT, /* the engine is of another version of the contract */
	NFACC_OTHER_OVERLAY,  /* the image is for other hardware */
	NFACC_TRUNCATED,      /* the words end before the image does */
	NFACC_MALFORMED,      /* the words are not an image for a port of this width */
	NFACC_DAMAGED,        /* the CRC of the words is wrong */
	NFACC_REFUSED,        /* the engine can't do this now */
	NFACC_NOT_TAKEN,      /* the words are good, but the engine found a fault in what it got */
	NFACC_TIMEOUT         /* what was waited for did not happen within dev->polls reads */
};

/* Returns what the result means, as a sentence without its full stop. */
const char *nfacc_result_text(enum nfacc_result r);

/* Is there an engine with this version of the contract? Returns NFACC_OK, NFACC_NO_ENGINE or
 * NFACC_OTHER_CONTRACT. */
enum nfacc_result nfacc_identify(const struct nfacc_dev *dev);

/* Returns the engine's hardware fingerprint. The first two halves of every image for this engine
 * are this fingerprint. */
uint64_t nfacc_fingerprint(const struct nfacc_dev *dev);

/* Are these the words of an image, complete and undamaged? The n halves and `data` (32 or 64) are
 * those of `nfacc --emit=header`. Returns NFACC_OK, NFACC_TRUNCATED, NFACC_MALFORMED or
 * NFACC_DAMAGED. Does not access the engine. Cost: two table look-ups for each byte. */
enum nfacc_result nfacc_verify(const uint32_t *halves, size_t n, uint32_t data);

/*
 * Loads an image into the engine. It first checks nfacc_identify(), the fingerprint and
 * nfacc_verify(), and writes nothing if one of these fails.
 *
 * The new image replaces the image that the engine held, and all values that nfacc_set_…() had set.
 * On NFACC_NOT_TAKEN and NFACC_TIMEOUT the engine holds no image. NFACC_REFUSED: the engine is
 * armed and has no shadow, or it is swapping. If the engine is armed and has a shadow, the new
 * image is staged. Then the image that runs is not disturbed, whatever the result.
 */
enum nfacc_result nfacc_load(const struct nfacc_dev *dev, const uint32_t *halves, size_t n,
			     uint32_t data);

/* Arms the engine. After that it is in its start states, its window is empty, and its counts are 0.
 * NFACC_REFUSED: the engine has no good image, is armed already, still outputs the records of the
 * last run, or can't do a value of nfacc_set_…(). An engine with time does not know the next tick
 * for some hundred cycles after a load or a jump of time, so this function asks up to 64 times. */
enum nfacc_result nfacc_arm(const struct nfacc_dev *dev);

/* Sets whether an armed engine takes batches. It takes them after power-up and after reset. */
void nfacc_enable(const struct nfacc_dev *dev, bool on);

/* Ends the stream, and waits until the last record has left. NFACC_REFUSED: there is no stream. */
enum nfacc_result nfacc_stop(const struct nfacc_dev *dev);

/* Waits until the last record has left, but gives no command. Call it after a stop that timed out,
 * or to wait until the limit is reached. */
enum nfacc_result nfacc_wait_done(const struct nfacc_dev *dev);

/* Puts everything but the configuration into the state after power-up. Buffered records are
 * lost. */
enum nfacc_result nfacc_reset(const struct nfacc_dev *dev);

/* Lets the staged image take over before the next batch, and waits until it has. NFACC_REFUSED: no
 * image is staged, the batches that wait in the engine leave no room for those that can come during
 * the swap, or a reset came first. Room comes back in each cycle without a batch, so a caller may
 * ask again. nfacc_wait_swap() only waits, after a swap that timed out. */
enum nfacc_result nfacc_swap(const struct nfacc_dev *dev);
enum nfacc_result nfacc_wait_swap(const struct nfacc_dev *dev);

/* Puts every copy back to its start states before the next batch. NFACC_REFUSED: the engine is not
 * armed, or is swapping. */
enum nfacc_result nfacc_restart(const struct nfacc_dev *dev);

/*
 * Replace values of the image. Call these functions between load and arm.
 *
 * nfacc_set_lines() sets which lines are observed. With by_line there is a copy for each of the
 * `count` lines from number `first` on; without it there is one copy, and the other arguments have
 * no meaning. nfacc_set_window() sets the window, nfacc_set_limit() after how many batches to stop
 * (0: never).
 *
 * NFACC_REFUSED: the engine is not in a state that allows this. nfacc_arm() refuses more lines or a
 * larger window than the engine has.
 */
enum nfacc_result nfacc_set_lines(const struct nfacc_dev *dev, bool by_line, uint64_t first,
				  uint64_t count);
enum nfacc_result nfacc_set_window(const struct nfacc_dev *dev, uint64_t batches);
enum nfacc_result nfacc_set_limit(const struct nfacc_dev *dev, uint64_t batches);

/* Sets after how many cycles without a batch STATUS.idle is set; 0: never. */
void nfacc_set_idle_after(const struct nfacc_dev *dev, uint32_t cycles);

/* Returns STATUS, whose fields are NFACC_STATUS_…. */
uint32_t nfacc_status(const struct nfacc_dev *dev);

/* Returns the count whose low half is the register `lo`, such as NFACC_REG_PACKETS_LO. Both halves
 * of the count are of the same moment. */
uint64_t nfacc_count(const struct nfacc_dev *dev, uint32_t lo);

struct nfacc_counts {
	uint64_t packets; /* batches output since arm or swap */
	uint64_t dropped; /* messages lost because the output was full, since arm */
	uint64_t unseen;  /* batches that came while not armed or not enabled, since reset */
	uint64_t batches; /* batches given to the NFA since arm or swap */
};

/* Reads all counts, one after the other, while the stream continues. */
void nfacc_read_counts(const struct nfacc_dev *dev, struct nfacc_counts *out);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * driver.h: what is done with an engine behind a device: what nfactl's commands do. Each function
 * returns false after a fault, which device_error() tells. The engine checks an image by itself, so
 * what was loaded in part is never armed.
 */
#ifndef NFACC_RUNTIME_DRIVER_H
#define NFACC_RUNTIME_DRIVER_H

#include "contract/image/record.h"
#include "contract/proto/field_bins.h"
#include "runtime/device/device.h"
#include "runtime/trace/trace_clock.h"

/* Is there an engine with this version of the contract? *fingerprint is its hardware. It comes
 * before everything else: until then no register is written, and none but the first four are
 * read. */
bool driver_identify(struct device *d, uint64_t *fingerprint);

/* Is the image for this engine? */
bool driver_fits(struct device *d, const struct nfart_image *im);

/* Returns what an engine with this STATUS does, as a phrase behind "it": "is armed". */
const char *driver_state(uint32_t status);

/* Loads an image. If the engine is armed and has a shadow, the image is staged. */
bool driver_load(struct device *d, const struct nfart_image *im);
bool driver_arm(struct device *d);
/* Ends the stream, and waits until the last record has left. */
bool driver_stop(struct device *d);
/* Begins that. driver_stopped() says whether the last record has left, or there was a fault. */
bool driver_begin_stop(struct device *d);
bool driver_stopped(struct device *d);
/* Lets the staged image take over. */
bool driver_swap(struct device *d);
/* Lets it take over after the first batch that one of these labels accepts (bit l: label l), if the
 * overlay has label_swap. Does not wait for that batch. */
bool driver_swap_on(struct device *d, uint64_t labels);
bool driver_reset(struct device *d);

struct driver_counts {
	uint64_t packets, dropped, unseen, batches, ticks_lost; /* as the registers of these names */
};
/* Reads the counts. Only an engine with time, which the caller must know, has ticks_lost. */
bool driver_read_counts(struct device *d, bool timed, struct driver_counts *c);

/* The ring in memory of an engine that has one (doc/develop/rtl.md). Zeroed at the beginning. */
struct driver_ring {
	bool on;              /* the engine's records come from the ring, not from its output */
	uint64_t base, beats; /* where it begins, and how many beats it has */
	uint32_t run;
	bool gave_up;         /* a stop has let it lose records: it must begin anew */
	uint64_t lost;        /* records that it had lost at the last stop */
	uint64_t read;        /* beats that were read from memory */
	unsigned char beat[32 * 64]; /* of those the last ones: from `next`, up to `have` */
	uint32_t next, have;
	uint64_t word[8];     /* the beat whose words are taken: from `at`, up to its count */
	uint32_t at, count;
};

/* DRIVER_RING_ANYWHERE: where the device's memory begins. */
#define DRIVER_RING_ANYWHERE UINT64_MAX

/* Lets the engine write its records to a ring of so many bytes, at an address on its bus, and
 * not to its output. The ring waits for its reader when it is full. A ring that an earlier
 * process left is given up. False: DEVICE_REFUSED, or another fault. */
bool driver_ring_start(struct device *d, struct driver_ring *r, uint64_t base, uint64_t bytes);

/* Prepares a ring that is on for the next stream. After a stop that found it full it begins anew,
 * which is refused while there are records to read in it. */
bool driver_ring_arm(struct device *d, struct driver_ring *r);

/* Ends the stream, and waits until the last record is in memory. Nobody reads the ring meanwhile.
 * If it is full, it stops to wait for a reader: what is there can still be read, and the records
 * behind that are lost. *lost is how many since the last stop. */
bool driver_ring_stop(struct device *d, struct driver_ring *r, uint64_t *lost);

/* Does what device_stream() does, with words from the ring. */
long driver_ring_words(struct device *d, struct driver_ring *r, uint64_t *words, size_t n);

/* Reads how many batches a label accepted. Only an engine whose overlay has counts, which the
 * caller must know, has these registers. */
bool driver_read_accepted(struct device *d, uint32_t label, uint64_t *n);

/* The histogram of an engine whose overlay has one, which the caller must know. driver_histogram()
 * tells what it is for, while the engine holds an image and is at rest: batches by label, or with
 * `field` by the bins of that field, which must have one place in headers and at most as many bits
 * as the overlay's histogram. driver_counts_by() says whether that is what it is for; its tables
 * can't be read. */
bool driver_histogram(struct device *d, const struct nfart_image *im,
		      const struct field_bins *field);
bool driver_counts_by(struct device *d, const struct field_bins *field);
/* Reads how many batches a bin has. */
bool driver_read_bin(struct device *d, uint32_t bin, uint64_t *n);

/* The engine's output, record by record. Zeroed at the beginning. */
struct driver_stream {
	uint64_t words[1024]; /* what came: from `at`, `n` words */
	size_t at, n;
	uint64_t quiet;      /* when the last word came, as clock_nanoseconds() counts; 0: never */
	bool began;          /* the engine was armed, or records have come */
	bool ended;          /* the end is known; what is on its way still comes */
	struct trace_clock clock;
	struct record_names names; /* the lines that the last record names */
	struct driver_ring *ring; /* the caller's; NULL, or one that is not on: the engine's output */
	/* The caller's, who may change it between two records. No word is taken from the device but
	 * those of so many records more; 0: there is no limit. */
	uint64_t most;
	/* The caller's, too. Only what has come, and the rest of a record that has come in part, is
	 * still delivered; then the stream ends. So whoever reads next begins with a record. */
	bool finish;
};

/* Reads the next record. Returns 1, and *b and *labels are filled; 0: there is none at the moment;
 * -1: the stream has ended, or there was a fault. A record that the engine of the image can't output
 * is a fault. The batch's payload is valid until the next call. */
int driver_record(struct device *d, struct driver_stream *s, const struct nfart_image *im,
		  struct nfart_batch *b, uint64_t *labels);

/* Puts a batch at the tap, and lets the cycles pass that its record may take. */
void driver_inject(struct device *d, const struct nfart_batch *b);

/* Tests an engine that is not armed. `say` is called with each test that passed. Registers keep
 * their values. With an image, which replaces the one that is loaded: damaged copies of it must be
 * refused, and it must be taken; and if batches can be put at the tap, random ones must come out as
 * the software engine says. `batches` is how many. */
bool driver_selftest(struct device *d, const struct nfart_image *im, uint32_t batches,
		     void (*say)(void *ctx, const char *passed), void *ctx);

/* What driver_load() does after its checks, with any words: the self test sends damaged ones.
 * *result is STATUS.load. */
bool driver_send(struct device *d, const uint32_t *halves, size_t n, bool wide, uint32_t *result);

#endif

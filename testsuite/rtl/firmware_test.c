/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * firmware_test [FIRST SECOND OTHER]...: tests the firmware against an engine and prints TAP. The
 * arguments are images that accept every batch, with window 0, in groups of three: two for one
 * overlay, and one for another overlay. The file is long because each test of it is one story told
 * to an engine, and all share the wire and its helpers.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "contract/image/image.h"
#include "support/bits.h"
#include "testsuite/rtl/firmware_wire.h"
#include "testsuite/unit/tap.h"

enum {
	POLLS = 20000, /* most polls of a wait; a full output buffer takes some time to empty */
	MOST_FLIPS = 200,
	MOST_BATCHES = 5000
};

struct bench {
	struct tap tap;
	const char *name;
	struct nfart_image *image[3]; /* the arguments FIRST, SECOND and OTHER */
	struct wire wire;
	struct nfacc_dev dev;
	uint32_t *copy; /* the first image's words as 32-bit halves; there is room for one more */
	uint64_t seed;
};

#define CASE(b, ok, what) tap_case(&(b)->tap, (ok), "%s: %s", (b)->name, what)

static uint32_t firmware_draw(struct bench *b, uint32_t n)
{
	b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((b->seed >> 33) % n);
}

static enum nfacc_result firmware_load(struct bench *b, int i)
{
	const struct nfart_image *im = b->image[i];

	return nfacc_load(&b->dev, im->device.halves, im->device.n, im->overlay.data);
}

static bool shows(struct bench *b, uint32_t bits, uint32_t value)
{
	return (nfacc_status(&b->dev) & bits) == value;
}

static bool is_armed(struct bench *b)
{
	return shows(b, NFACC_STATUS_ARMED, NFACC_STATUS_ARMED);
}

static void batches(struct bench *b, unsigned n)
{
	while (n-- != 0)
		target_batch(b->wire.target);
}

/* Waits until the engine's counts have these values. They change some cycles after the batches.
 * Returns whether they did. */
static bool firmware_counted(struct bench *b, uint64_t packets, uint64_t given, uint64_t unseen)
{
	struct nfacc_counts c = { 0, 0, 0, 0 };

	for (int i = 0; i < POLLS; i++) {
		nfacc_read_counts(&b->dev, &c);
		if (c.packets == packets && c.batches == given && c.unseen == unseen)
			return true;
	}
	printf("# packets %" PRIu64 ", batches %" PRIu64 ", unseen %" PRIu64 "\n", c.packets,
	       c.batches, c.unseen);
	return false;
}

/* ---- faults in the words of an image ---- */

/* Sets the copy's CRC to the right value. */
static void seal(struct bench *b)
{
	size_t sum = b->image[0]->device.n - b->image[0]->overlay.data / 32;
	uint32_t crc = 0;

	for (size_t i = 0; i < sum; i++) {
		unsigned char byte[4];
		put_le32(byte, b->copy[i]);
		crc = crc32c(crc, byte, 4);
	}
	b->copy[sum] = crc;
}

/* The firmware refuses images with faults that only a compiler could make, since their CRC is
 * right. */
static void test_elements(struct bench *b)
{
	const struct nfart_image *im = b->image[0];
	uint32_t data = im->overlay.data;
	size_t n = im->device.n, first = DEVICE_FIRST;
	size_t second = first + DEVICE_HEAD + im->device.halves[first + 1] * (data / 32);
	uint32_t *id = &b->copy[second], was = *id;
	enum nfacc_result r;

	*id = im->device.halves[first];
	seal(b);
	CASE(b, nfacc_verify(b->copy, n, data) == NFACC_MALFORMED,
	     "an element that is there twice");
	*id = 0;
	seal(b);
	CASE(b, nfacc_verify(b->copy, n, data) == NFACC_MALFORMED, "an early end");
	*id = was;
	b->copy[n - data / 32 - 1] = 0;
	seal(b);
	CASE(b, nfacc_verify(b->copy, n, data) == NFACC_MALFORMED, "an end without a CRC");
	b->copy[n - data / 32 - 1] = 1;
	id = &b->copy[first];
	was = *id;
	*id = was == 1 ? 2 : 1;
	seal(b);
	r = nfacc_load(&b->dev, b->copy, n, data);
	CASE(b, r == NFACC_NOT_TAKEN && shows(b, NFACC_STATUS_LOAD | NFACC_STATUS_LOADED,
					      NFACC_LOAD_MALFORMED << NFACC_STATUS_LOAD_LSB),
	     "the engine refuses an element that it hasn't");
	*id = was;
	seal(b);
	CASE(b, nfacc_load(&b->dev, b->copy, n, data) == NFACC_OK,
	     "and takes it without the fault");
}

/* Returns whether the engine finds that the first image is malformed if half `at` of its words is
 * `value`, though its CRC is right. The words go to the engine without the firmware's checks. */
static bool refuses(struct bench *b, size_t at, uint32_t value)
{
	uint32_t was = b->copy[at];
	bool malformed = false;

	b->copy[at] = value;
	seal(b);
	nfacc_wr32(&b->dev, NFACC_REG_CONTROL, NFACC_CONTROL_BEGIN);
	for (size_t i = 0; i < b->image[0]->device.n; i++)
		nfacc_wr32(&b->dev, b->image[0]->overlay.data == 64 && i % 2 != 0 ?
			   NFACC_REG_CONFIG_HI : NFACC_REG_CONFIG, b->copy[i]);
	for (int i = 0; i < POLLS / 100 && !malformed; i++)
		malformed = shows(b, NFACC_STATUS_LOAD | NFACC_STATUS_LOADED,
				  NFACC_LOAD_MALFORMED << NFACC_STATUS_LOAD_LSB);
	b->copy[at] = was;
	seal(b);
	return malformed;
}

/* Returns where the header of the element is, or of the end for 0. */
static size_t firmware_find(struct bench *b, uint32_t id)
{
	size_t at = DEVICE_FIRST;

	while (b->copy[at] != id)
		at += DEVICE_HEAD + b->copy[at + 1] * (b->image[0]->overlay.data / 32);
	return at;
}

/* The engine refuses elements of a wrong size, and values that are out of range. The registers of
 * elements don't get such values. */
static void test_ranges(struct bench *b)
{
	const struct overlay *o = &b->image[0]->overlay;
	size_t count = firmware_find(b, EL_count) + DEVICE_HEAD, end = firmware_find(b, 0), next;
	size_t map = DEVICE_FIRST + DEVICE_HEAD; /* the first bit map, if an overlay has rows */
	bool sizes = true;

	for (size_t at = DEVICE_FIRST; at <= end; at = next) {
		uint32_t n = b->copy[at + 1];
		next = at + DEVICE_HEAD + n * (o->data / 32);
		sizes = sizes && refuses(b, at + 1, n + 1) && refuses(b, at + 1, n - 1);
	}
	CASE(b, sizes, "the engine refuses elements of a wrong size");
	if (o->slots << o->op_bits < 32)
		CASE(b, refuses(b, map, (b->copy[map] & (b->copy[map] - 1)) | 1u << 31),
		     "a row beyond the last one");
	CASE(b, refuses(b, firmware_find(b, EL_by_line) + DEVICE_HEAD, 2), "a flag of 2");
	CASE(b, refuses(b, firmware_find(b, EL_by_line) + DEVICE_HEAD, 1),
	     "substreams without a line");
	CASE(b, refuses(b, count, o->lines + 1) && refuses(b, count + 1, 1), "too many lines");
	CASE(b, nfacc_count(&b->dev, NFACC_REG_COUNT_LO) <= o->lines, "which it does not keep");
	CASE(b,
	     refuses(b, firmware_find(b, EL_window_size) + DEVICE_HEAD, o->window + 1) &&
		     refuses(b, firmware_find(b, EL_window_size) + DEVICE_HEAD + 1, 1),
	     "too large a window");
	CASE(b, firmware_load(b, 0) == NFACC_OK, "and takes the image itself");
}

static void test_verify(struct bench *b)
{
	const struct nfart_image *im = b->image[0];
	size_t n = im->device.n, step = n / MOST_FLIPS + 1;
	uint32_t data = im->overlay.data;
	bool flips = true, cuts = true;

	CASE(b, nfacc_verify(im->device.halves, n, data) == NFACC_OK, "the words are an image");
	for (size_t i = 0; i < n; i += i < 8 || i + 8 > n ? 1 : step) {
		uint32_t bit = 1u << firmware_draw(b, 32);
		enum nfacc_result r;
		b->copy[i] ^= bit;
		r = nfacc_verify(b->copy, n, data);
		flips = flips &&
			(r == NFACC_TRUNCATED || r == NFACC_MALFORMED || r == NFACC_DAMAGED);
		b->copy[i] ^= bit;
	}
	CASE(b, flips, "a flipped bit is found");
	for (size_t i = 0; i <= n + 1; i++)
		cuts = cuts && (i == n || nfacc_verify(b->copy, i, data) != NFACC_OK);
	CASE(b, cuts && nfacc_verify(b->copy, n - data / 32, data) == NFACC_TRUNCATED,
	     "no part of it is an image");
	CASE(b, nfacc_verify(im->device.halves, n, 96 - data) != NFACC_OK &&
		nfacc_verify(im->device.halves, n, 0) == NFACC_MALFORMED &&
		nfacc_verify(im->device.halves, n, 16) == NFACC_MALFORMED,
	     "nor with words of another width");
}

/* The firmware refuses faulty words before any of them reaches the engine. */
static void test_untouched(struct bench *b)
{
	const struct nfart_image *im = b->image[0];
	uint32_t data = im->overlay.data;
	size_t n = im->device.n, i = n - data / 32;
	uint32_t before = nfacc_status(&b->dev);
	enum nfacc_result r;

	wire_clear(&b->wire);
	CASE(b, firmware_load(b, 2) == NFACC_OTHER_OVERLAY, "an image for another overlay");
	b->copy[i] ^= 1;
	CASE(b, nfacc_load(&b->dev, b->copy, n, data) == NFACC_DAMAGED, "a damaged one");
	b->copy[i] ^= 1;
	b->copy[1] ^= 0x80000000u;
	CASE(b, nfacc_load(&b->dev, b->copy, n, data) == NFACC_OTHER_OVERLAY,
	     "one with a damaged fingerprint");
	b->copy[1] ^= 0x80000000u;
	CASE(b, nfacc_load(&b->dev, b->copy, i, data) == NFACC_TRUNCATED &&
		nfacc_load(&b->dev, b->copy, 1, data) == NFACC_TRUNCATED &&
		nfacc_load(&b->dev, b->copy, 0, data) == NFACC_TRUNCATED, "one that is cut off");
	r = nfacc_load(&b->dev, b->copy, n, 96 - data);
	CASE(b, r == NFACC_MALFORMED || r == NFACC_TRUNCATED, "one sent with the wrong width");
	wire_fake(&b->wire, NFACC_REG_ID, UINT32_MAX);
	CASE(b, firmware_load(b, 0) == NFACC_NO_ENGINE, "no engine");
	wire_clear(&b->wire);
	wire_fake(&b->wire, NFACC_REG_VERSION, NFACC_CONTRACT_VERSION + 1);
	CASE(b, firmware_load(b, 0) == NFACC_OTHER_CONTRACT, "an engine of another contract");
	CASE(b, b->wire.writes == 0 && nfacc_status(&b->dev) == before, "nothing was written");
	wire_clear(&b->wire);
}

/* ---- loading images ---- */

static void test_load(struct bench *b)
{
	const struct nfart_image *im = b->image[0];

	CASE(b, nfacc_identify(&b->dev) == NFACC_OK &&
		nfacc_fingerprint(&b->dev) == im->fp.hardware, "the engine says what it is");
	CASE(b, nfacc_arm(&b->dev) == NFACC_REFUSED && !is_armed(b), "no arm before load");
	CASE(b, firmware_load(b, 0) == NFACC_OK &&
		shows(b, NFACC_STATUS_LOADED | NFACC_STATUS_LOADING | NFACC_STATUS_STAGED,
		      NFACC_STATUS_LOADED), "a good image is loaded");
	CASE(b, nfacc_rd32(&b->dev, NFACC_REG_WORDS) == im->device.n / (im->overlay.data / 32),
	     "every word of it was taken");
	CASE(b,
	     nfacc_count(&b->dev, NFACC_REG_WINDOW_LO) == im->window.before &&
		     nfacc_count(&b->dev, NFACC_REG_LIMIT_LO) == im->stream.limit,
	     "its values are there");
	CASE(b, firmware_load(b, 1) == NFACC_OK && firmware_load(b, 0) == NFACC_OK,
	     "another one, and this one again");
}

/* Words are changed or lost on their way to the engine, which is not armed. The load must fail. */
static void test_wire(struct bench *b)
{
	uint32_t n = (uint32_t)b->image[0]->device.n, step = n / 40 + 1;
	bool flips = true, lost = true;
	uint32_t polls = b->dev.polls;

	b->dev.polls = 50;
	for (uint32_t i = 0; i < n; i += step) {
		enum nfacc_result r;
		wire_clear(&b->wire);
		b->wire.at = i;
		b->wire.flip = 1u << firmware_draw(b, 32);
		r = firmware_load(b, 0);
		flips = flips && (r == NFACC_NOT_TAKEN || r == NFACC_TIMEOUT) &&
			shows(b, NFACC_STATUS_LOADED, 0) && nfacc_arm(&b->dev) == NFACC_REFUSED;
		wire_clear(&b->wire);
		/* If words have 64 bits, lose only high halves. A low half may be equal to the low
		 * half before it, and then its loss changes nothing. */
		b->wire.at = b->image[0]->overlay.data == 64 ? i | 1 : i;
		b->wire.lose = true;
		r = firmware_load(b, 0);
		lost = lost && (r == NFACC_NOT_TAKEN || r == NFACC_TIMEOUT) &&
		       shows(b, NFACC_STATUS_LOADED, 0) && nfacc_arm(&b->dev) == NFACC_REFUSED;
	}
	CASE(b, flips, "a bit that changes on the way is noticed");
	CASE(b, lost, "so is a word that is lost");
	b->dev.polls = polls;
	wire_clear(&b->wire);
	CASE(b, firmware_load(b, 0) == NFACC_OK, "then a good load");
	wire_clear(&b->wire);
	wire_fake(&b->wire, NFACC_REG_STATUS, NFACC_STATUS_LOADING);
	b->dev.polls = 10;
	CASE(b, firmware_load(b, 0) == NFACC_TIMEOUT && b->wire.polls == 11,
	     "an engine that never answers");
	CASE(b, nfacc_wait_done(&b->dev) == NFACC_TIMEOUT && b->wire.polls == 21,
	     "the wait is bounded");
	b->dev.polls = polls;
	wire_clear(&b->wire);
	CASE(b, firmware_load(b, 0) == NFACC_OK, "and a good load again");
}

/* ---- running an engine ---- */

static void test_commands(struct bench *b)
{
	bool shadow = b->image[0]->overlay.shadow != 0;

	CASE(b, nfacc_restart(&b->dev) == NFACC_REFUSED && nfacc_stop(&b->dev) == NFACC_REFUSED &&
		nfacc_swap(&b->dev) == NFACC_REFUSED, "no restart, stop, swap before arm");
	CASE(b, nfacc_arm(&b->dev) == NFACC_OK && is_armed(b) &&
		shows(b, NFACC_STATUS_REFUSED | NFACC_STATUS_DONE, 0), "armed");
	CASE(b, nfacc_arm(&b->dev) == NFACC_REFUSED && is_armed(b), "only once");
	CASE(b, nfacc_restart(&b->dev) == NFACC_OK && shows(b, NFACC_STATUS_REFUSED, 0),
	     "restarted");
	CASE(b, nfacc_set_lines(&b->dev, true, 0, 1) == NFACC_REFUSED &&
		nfacc_set_window(&b->dev, 1) == NFACC_REFUSED &&
		nfacc_set_limit(&b->dev, 1) == NFACC_REFUSED, "no values while armed");
	if (!shadow)
		CASE(b, firmware_load(b, 1) == NFACC_REFUSED && is_armed(b) &&
			shows(b, NFACC_STATUS_LOADED, NFACC_STATUS_LOADED), "no load while armed");
	CASE(b,
	     nfacc_stop(&b->dev) == NFACC_OK &&
		     shows(b, NFACC_STATUS_ARMED | NFACC_STATUS_DONE, NFACC_STATUS_DONE),
	     "stopped, done");
	CASE(b, nfacc_stop(&b->dev) == NFACC_OK, "stopping twice is no fault");
}

static void test_values(struct bench *b)
{
	const struct overlay *o = &b->image[0]->overlay;
	uint64_t first = 0x123456789abcdef0;

	CASE(b, nfacc_set_lines(&b->dev, true, first, o->lines) == NFACC_OK &&
		nfacc_set_window(&b->dev, o->window) == NFACC_OK &&
		nfacc_set_limit(&b->dev, first) == NFACC_OK &&
		nfacc_rd32(&b->dev, NFACC_REG_BY_LINE) == 1 &&
		nfacc_count(&b->dev, NFACC_REG_BASE_LO) == first &&
		nfacc_count(&b->dev, NFACC_REG_COUNT_LO) == o->lines &&
		nfacc_count(&b->dev, NFACC_REG_WINDOW_LO) == o->window &&
		nfacc_count(&b->dev, NFACC_REG_LIMIT_LO) == first, "values are kept");
	CASE(b, nfacc_arm(&b->dev) == NFACC_OK && nfacc_stop(&b->dev) == NFACC_OK,
	     "armed with them");
	CASE(b, nfacc_set_lines(&b->dev, true, 0, (uint64_t)o->lines + 1) == NFACC_OK &&
		nfacc_arm(&b->dev) == NFACC_REFUSED, "not with more lines than there are");
	CASE(b, nfacc_set_lines(&b->dev, true, 0, 0) == NFACC_OK &&
		nfacc_arm(&b->dev) == NFACC_REFUSED, "nor with none");
	CASE(b, nfacc_set_lines(&b->dev, false, 0, 0) == NFACC_OK &&
		nfacc_set_window(&b->dev, (uint64_t)1 << 32) == NFACC_OK &&
		nfacc_arm(&b->dev) == NFACC_REFUSED, "nor with a larger window");
	CASE(b, firmware_load(b, 0) == NFACC_OK && nfacc_rd32(&b->dev, NFACC_REG_BY_LINE) == 0 &&
		nfacc_count(&b->dev, NFACC_REG_WINDOW_LO) == 0, "a load sets all of them");
}

static void test_stream(struct bench *b)
{
	struct nfacc_counts c;
	enum nfacc_result r;
	uint32_t polls = b->dev.polls;

	CASE(b, nfacc_reset(&b->dev) == NFACC_OK && firmware_counted(b, 0, 0, 0) &&
		shows(b, NFACC_STATUS_LOADED | NFACC_STATUS_DONE, NFACC_STATUS_LOADED),
	     "reset leaves the image");
	batches(b, 3);
	CASE(b, firmware_counted(b, 0, 0, 3), "batches before arm are unseen");
	r = nfacc_arm(&b->dev);
	batches(b, 5);
	CASE(b, r == NFACC_OK && firmware_counted(b, 5, 5, 3), "batches are counted");
	nfacc_enable(&b->dev, false);
	batches(b, 2);
	CASE(b, firmware_counted(b, 5, 5, 5), "not while not enabled");
	nfacc_enable(&b->dev, true);
	batches(b, 1);
	CASE(b, firmware_counted(b, 6, 6, 5), "again while enabled");
	CASE(b, nfacc_stop(&b->dev) == NFACC_OK && firmware_counted(b, 6, 6, 5), "stopped");
	r = nfacc_set_limit(&b->dev, 4);
	CASE(b, r == NFACC_OK && nfacc_arm(&b->dev) == NFACC_OK, "armed with a limit");
	batches(b, 9);
	CASE(b, nfacc_wait_done(&b->dev) == NFACC_OK && !is_armed(b) &&
		nfacc_count(&b->dev, NFACC_REG_PACKETS_LO) == 4, "the limit ends the stream");
	nfacc_set_limit(&b->dev, 0);
	r = nfacc_arm(&b->dev);
	target_block(b->wire.target, true);
	for (int i = 0; i < MOST_BATCHES && shows(b, NFACC_STATUS_OVERFLOW, 0); i++)
		batches(b, 1);
	CASE(b, r == NFACC_OK && !shows(b, NFACC_STATUS_OVERFLOW, 0),
	     "output that nobody takes is lost");
	b->dev.polls = 50;
	CASE(b, nfacc_stop(&b->dev) == NFACC_TIMEOUT && !is_armed(b), "then stopping times out");
	target_block(b->wire.target, false);
	b->dev.polls = polls;
	CASE(b, nfacc_wait_done(&b->dev) == NFACC_OK, "and is done when somebody takes it");
	nfacc_read_counts(&b->dev, &c);
	CASE(b, c.dropped > 0 && c.packets + c.dropped == c.batches, "what is lost is counted");
}

static void test_counts(struct bench *b)
{
	wire_clear(&b->wire);
	wire_fake(&b->wire, NFACC_REG_PACKETS_LO, 0xfffffffeu);
	wire_fake(&b->wire, NFACC_REG_PACKETS_HI, 0x80000001u);
	CASE(b, nfacc_count(&b->dev, NFACC_REG_PACKETS_LO) == 0x80000001fffffffe &&
		b->wire.before == NFACC_REG_PACKETS_LO && b->wire.last == NFACC_REG_PACKETS_HI,
	     "a count of 64 bits, low half first");
	wire_clear(&b->wire);
}

static void test_swap(struct bench *b)
{
	uint64_t unseen;
	enum nfacc_result r;

	CASE(b, nfacc_arm(&b->dev) == NFACC_OK && nfacc_swap(&b->dev) == NFACC_REFUSED,
	     "no swap when nothing is staged");
	if (b->image[0]->overlay.shadow == 0) {
		CASE(b, nfacc_stop(&b->dev) == NFACC_OK, "stopped");
		return;
	}
	unseen = nfacc_count(&b->dev, NFACC_REG_UNSEEN_LO);
	batches(b, 4);
	b->wire.flip = 1;
	b->wire.at = (uint32_t)b->image[0]->device.n / 2;
	CASE(b, firmware_load(b, 1) == NFACC_NOT_TAKEN &&
		shows(b, NFACC_STATUS_ARMED | NFACC_STATUS_LOADED | NFACC_STATUS_STAGED,
		      NFACC_STATUS_ARMED | NFACC_STATUS_LOADED),
	     "a bad image leaves the running one alone");
	wire_clear(&b->wire);
	batches(b, 1);
	CASE(b, firmware_counted(b, 5, 5, unseen), "which goes on");
	CASE(b, firmware_load(b, 1) == NFACC_OK &&
		shows(b, NFACC_STATUS_ARMED | NFACC_STATUS_STAGED,
		      NFACC_STATUS_ARMED | NFACC_STATUS_STAGED), "a good one is staged");
	CASE(b, firmware_counted(b, 5, 5, unseen), "nothing changes yet");
	CASE(b, nfacc_swap(&b->dev) == NFACC_OK &&
		shows(b, NFACC_STATUS_ARMED | NFACC_STATUS_STAGED | NFACC_STATUS_SWAPPING |
			 NFACC_STATUS_LOADED, NFACC_STATUS_ARMED | NFACC_STATUS_LOADED),
	     "swapped, still armed");
	batches(b, 2);
	CASE(b, firmware_counted(b, 2, 2, unseen), "counts begin anew, no batch went unseen");
	CASE(b, nfacc_count(&b->dev, NFACC_REG_LIMIT_LO) == b->image[1]->stream.limit,
	     "its values are there");
	CASE(b, nfacc_swap(&b->dev) == NFACC_REFUSED && is_armed(b), "no second swap");
	r = firmware_load(b, 0);
	wire_fake(&b->wire, NFACC_REG_STATUS, NFACC_STATUS_SWAPPING);
	b->dev.polls = 10;
	CASE(b, r == NFACC_OK && nfacc_swap(&b->dev) == NFACC_TIMEOUT,
	     "a swap that takes too long");
	b->dev.polls = POLLS;
	wire_clear(&b->wire);
	wire_fake(&b->wire, NFACC_REG_STATUS, NFACC_STATUS_STAGED | NFACC_STATUS_LOADED);
	CASE(b, nfacc_wait_swap(&b->dev) == NFACC_REFUSED, "one that a reset was faster than");
	wire_clear(&b->wire);
	wire_fake(&b->wire, NFACC_REG_STATUS, 0);
	CASE(b, nfacc_wait_swap(&b->dev) == NFACC_NOT_TAKEN, "one whose staged words are bad");
	wire_clear(&b->wire);
	CASE(b, nfacc_wait_swap(&b->dev) == NFACC_OK, "the first, waited for again");
	CASE(b, nfacc_stop(&b->dev) == NFACC_OK, "stopped");
}

/* ---- all tests ---- */

static void test_engine(struct bench *b)
{
	static void (*const tests[])(struct bench *) = {
		test_verify, test_load, test_untouched, test_elements, test_ranges,
		test_commands, test_values, test_stream, test_counts, test_swap, test_wire,
	};

	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
		wire_clear(&b->wire);
		tests[i](b);
	}
	CASE(b, b->wire.errors == 0, "no access is answered with an error");
}

static void test_images(struct tap *tap, char **names)
{
	struct bench b = { .tap = *tap, .name = names[0], .dev = { .polls = POLLS }, .seed = 1 };
	struct nfart_error e;
	bool ok = true;

	if (strrchr(b.name, '/') != NULL)
		b.name = strrchr(b.name, '/') + 1;
	for (int i = 0; i < 3 && ok; i++) {
		b.image[i] = image_open(names[i], &e);
		ok = b.image[i] != NULL;
	}
	if (!ok)
		nfart_error_print(stderr, &e);
	b.wire.target = ok ? target_new(b.image[0]) : NULL;
	b.copy = ok ? calloc(b.image[0]->device.n + 2, sizeof *b.copy) : NULL;
	b.dev.base = &b.wire;
	CASE(&b, b.wire.target != NULL && b.copy != NULL, "there is an engine");
	if (b.wire.target != NULL && b.copy != NULL) {
		memcpy(b.copy, b.image[0]->device.halves, b.image[0]->device.n * sizeof *b.copy);
		test_engine(&b);
	}
	target_free(b.wire.target);
	free(b.copy);
	for (int i = 0; i < 3; i++)
		image_free(b.image[i]);
	*tap = b.tap;
}

int main(int argc, char **argv)
{
	struct tap tap = { 0, 0 };
	bool texts = true;

	for (int i = 0; i <= NFACC_TIMEOUT; i++)
		for (int k = 0; k <= i; k++)
			texts = texts &&
				(strcmp(nfacc_result_text((enum nfacc_result)i),
					nfacc_result_text((enum nfacc_result)k)) == 0) == (i == k);
	tap_case(&tap, texts, "every result has a text of its own");
	for (int i = 1; i + 2 < argc; i += 3)
		test_images(&tap, argv + i);
	return tap_end(&tap);
}

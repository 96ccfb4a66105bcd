/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The self test of an engine, from the bus inwards: registers, the loader, the stream.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contract/image/image.h"
#include "runtime/device/driver.h"
#include "runtime/device/nfacc_registers.h"
#include "runtime/trace/binary.h"

struct selftest {
	struct device *d;
	const struct nfart_image *im;
	struct nfart_batch *expected; /* [n]: what the software engine outputs */
	uint64_t *labels;             /* [n] */
	size_t n, room;
	uint64_t random;
};

static bool selftest_ok(const struct device *d)
{
	return device_error(d)->fault == DEVICE_OK;
}

/* ---- registers ---- */

/* Writes patterns to a register that has no effect now, and gives it its value back. */
static bool selftest_register(struct device *d, const char *name, uint32_t offset)
{
	uint32_t before = device_read(d, offset);

	for (uint32_t bit = 0; bit < 64 && selftest_ok(d); bit++) {
		uint32_t value = bit < 32 ? 1u << bit : ~(1u << (bit - 32)), got;
		device_write(d, offset, value);
		got = device_read(d, offset);
		if (selftest_ok(d) && got != value) {
			device_write(d, offset, before);
			return device_fail(d, DEVICE_DAMAGED, "register %s was written 0x%08x, and "
					   "reads 0x%08x", name, (unsigned)value, (unsigned)got);
		}
	}
	device_write(d, offset, before);
	return selftest_ok(d);
}

/* Two commands in one write are refused, and change nothing. */
static bool selftest_refusal(struct device *d)
{
	uint32_t before = device_read(d, NFACC_REG_STATUS), after;

	device_write(d, NFACC_REG_CONTROL, NFACC_CONTROL_ARM | NFACC_CONTROL_STOP);
	after = device_read(d, NFACC_REG_STATUS);
	if (selftest_ok(d) && after != (before | NFACC_STATUS_REFUSED))
		return device_fail(d, DEVICE_DAMAGED, "two commands in one write changed STATUS "
				   "from 0x%08x to 0x%08x", (unsigned)before, (unsigned)after);
	return selftest_ok(d);
}

/* ---- the loader ---- */

/* Sends the image with the bits `flip` of half `at` flipped, and wants STATUS.load to be
 * `wanted`. */
static bool selftest_damaged(struct selftest *t, size_t at, uint32_t flip, uint32_t wanted)
{
	const struct nfart_image *im = t->im;
	uint32_t result, *halves = malloc(im->device.n * sizeof *halves);
	bool ok;

	if (halves == NULL)
		return device_fail(t->d, DEVICE_SYSTEM, "out of memory");
	memcpy(halves, im->device.halves, im->device.n * sizeof *halves);
	halves[at] ^= flip;
	ok = driver_send(t->d, halves, im->device.n, im->overlay.data == 64, &result);
	free(halves);
	if (ok && result != wanted)
		ok = device_fail(t->d, DEVICE_DAMAGED, "an image with a flipped bit gave "
				 "STATUS.load %u, not %u", (unsigned)result, (unsigned)wanted);
	if (ok && (device_read(t->d, NFACC_REG_STATUS) & NFACC_STATUS_LOADED) != 0)
		ok = device_fail(t->d, DEVICE_DAMAGED, "the engine took an image with a flipped "
				 "bit");
	return ok && selftest_ok(t->d);
}

/* ---- the stream ---- */

/* xorshift64*: the same batches in every run. */
static uint64_t selftest_random(struct selftest *t)
{
	t->random ^= t->random >> 12;
	t->random ^= t->random << 25;
	t->random ^= t->random >> 27;
	return t->random * 0x2545f4914f6cdd1du;
}

/* A header that the protocol can have. */
static uint64_t selftest_header(struct selftest *t)
{
	const struct nfart_proto *p = t->im->proto;
	uint64_t header;

	do
		header = selftest_random(t) & proto_header_mask(p);
	while (!trace_header_ok(p, header));
	return header;
}

static void selftest_batch(struct selftest *t, struct nfart_batch *b)
{
	uint32_t slots = t->im->proto->nslots;

	memset(b, 0, sizeof *b);
	b->mask = 1ull << selftest_random(t) % slots;
	if (selftest_random(t) % 4 == 0)
		b->mask |= 1ull << selftest_random(t) % slots;
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		b->header[__builtin_ctzll(m)] = selftest_header(t);
}

static bool selftest_sink(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct selftest *t = ctx;

	if (t->n == t->room)
		return false;
	t->expected[t->n] = *b;
	t->labels[t->n++] = r->labels != NULL ? r->labels[0] : 0;
	return true;
}

static bool selftest_same(const struct nfart_batch *a, const struct nfart_batch *b)
{
	bool same = a->time == b->time && a->mask == b->mask && a->lost == b->lost;

	for (uint64_t m = a->mask; m != 0 && same; m &= m - 1)
		same = a->header[__builtin_ctzll(m)] == b->header[__builtin_ctzll(m)];
	return same;
}

/* Gives `batches` batches to the engine and to a filter. */
static bool selftest_give(struct selftest *t, struct nfart_filter *f, uint32_t batches)
{
	struct nfart_batch b;

	for (uint32_t i = 0; i < batches; i++) {
		selftest_batch(t, &b);
		b.time = 10 + 3 * (uint64_t)i;
		if (!nfart_filter_full(f) && !nfart_filter_put(f, &b))
			return device_fail(t->d, DEVICE_SYSTEM, "out of memory");
		driver_inject(t->d, &b);
	}
	return nfart_filter_end(f) || device_fail(t->d, DEVICE_SYSTEM, "out of memory");
}

/* Compares the engine's output with what is expected. */
static bool selftest_compare(struct selftest *t)
{
	struct driver_stream s = { .n = 0 };
	struct nfart_batch b;
	uint64_t labels;
	size_t i = 0;
	int got;

	while ((got = driver_record(t->d, &s, t->im, &b, &labels)) >= 0) {
		if (got == 0)
			continue;
		if (i == t->n || !selftest_same(&b, &t->expected[i]) || labels != t->labels[i])
			return device_fail(t->d, DEVICE_DAMAGED, "record %zu of the output is not "
					   "what the software engine says", i + 1);
		i++;
	}
	if (selftest_ok(t->d) && i != t->n)
		device_fail(t->d, DEVICE_DAMAGED, "the output has %zu records, the software "
			    "engine's %zu", i, t->n);
	return selftest_ok(t->d);
}

static bool selftest_stream(struct selftest *t, uint32_t batches)
{
	struct nfart_filter_options o = { .sink = selftest_sink, .ctx = t };
	struct nfart_error e;
	struct nfart_filter *f = nfart_filter_new(t->im, &o, &e);
	bool ok;

	if (f == NULL)
		return device_fail(t->d, DEVICE_SYSTEM, "%s", e.what);
	t->room = batches;
	t->expected = calloc(batches, sizeof *t->expected);
	t->labels = calloc(batches, sizeof *t->labels);
	ok = t->expected != NULL && t->labels != NULL;
	if (!ok)
		device_fail(t->d, DEVICE_SYSTEM, "out of memory");
	ok = ok && driver_arm(t->d) && selftest_give(t, f, batches) && driver_stop(t->d) &&
	     selftest_compare(t);
	nfart_filter_free(f);
	free(t->expected);
	free(t->labels);
	return ok;
}

/* ---- all of it ---- */

static bool selftest_image(struct selftest *t, uint32_t batches,
			   void (*say)(void *ctx, const char *passed), void *ctx)
{
	size_t last = t->im->overlay.data == 64 ? 2 : 1;
	char text[160];

	if (!driver_fits(t->d, t->im) ||
	    !selftest_damaged(t, 0, 1, NFACC_LOAD_FINGERPRINT) ||
	    !selftest_damaged(t, t->im->device.n - last, 0x80, NFACC_LOAD_CRC))
		return false;
	say(ctx, "images with a flipped bit are refused");
	if (!driver_load(t->d, t->im))
		return false;
	snprintf(text, sizeof text, "the image is taken: %zu words of 32 bits", t->im->device.n);
	say(ctx, text);
	if (!device_can_inject(t->d) || t->im->alphabet.time != IMAGE_NO_TIME)
		return driver_arm(t->d) && (say(ctx, "the engine is armed"), driver_reset(t->d));
	if (!selftest_stream(t, batches))
		return false;
	snprintf(text, sizeof text, t->n != 0 ?
		 "%u random batches give the %zu records of the software engine" :
		 "of %u random batches none is output, in software either: a filter that accepts "
		 "more often tests more", (unsigned)batches, t->n);
	say(ctx, text);
	return true;
}

bool driver_selftest(struct device *d, const struct nfart_image *im, uint32_t batches,
		     void (*say)(void *ctx, const char *passed), void *ctx)
{
	struct selftest t = { .d = d, .im = im, .random = 0x9e3779b97f4a7c15u };
	uint64_t hardware;
	uint32_t status;

	if (!driver_identify(d, &hardware))
		return false;
	status = device_read(d, NFACC_REG_STATUS);
	if (selftest_ok(d) && (status & (NFACC_STATUS_ARMED | NFACC_STATUS_DRAINING |
					 NFACC_STATUS_SWAPPING)) != 0)
		return device_fail(d, DEVICE_REFUSED, "the engine %s: stop it before a test",
				   driver_state(status));
	if (!selftest_register(d, "IDLE_AFTER", NFACC_REG_IDLE_AFTER) || !selftest_refusal(d))
		return false;
	say(ctx, "registers keep what is written, and refuse what is wrong");
	return im == NULL || selftest_image(&t, batches, say, ctx);
}

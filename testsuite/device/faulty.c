/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * faulty IMAGE PATH FAULT...: an engine for the image, served at the socket PATH, with faults. The
 * engine is the model of registers, which outputs every batch. When it is armed, it writes `armed`
 * to standard output; for each batch with payload it writes `payload` and its words. The faults, and
 * N is a number:
 *
 *	id version fingerprint   the register is wrong
 *	ones=N                   from the Nth access on every read gives all ones
 *	hang=N                   the Nth access is never answered
 *	reset=N                  the Nth configuration word comes with a reset of the engine
 *	lose=N flip=N            the Nth configuration word is lost, or one bit of it flips
 *	slow                     each configuration word takes 5 ms
 *	cut                      the output has half a record
 *	slots                    the output has a record with slots that do not exist
 *	header labels time       the second record of the output has one that can't be
 *	block                    the output is never taken from the engine
 *	gone=N                   at the Nth access the process ends
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/image/image.h"
#include "runtime/device/device_priv.h"
#include "runtime/device/nfacc_registers.h"
#include "support/bits.h"
#include "support/cli.h"
#include "support/interrupt.h"
#include "testsuite/rtl/regmodel.h"

enum { NEVER = 1 << 30 };

struct faulty {
	struct regmodel m;
	uint64_t accesses, words; /* how many there were: of all, and of configuration words */
	uint64_t ones, hang, reset, lose, flip, gone;
	bool id, version, fingerprint, slow, cut, slots, block;
	bool header, labels, time;
	bool was_armed, sent;
};

/* Says when the engine has become armed: nothing that was loaded in part may do so. */
static void faulty_watch(struct faulty *f)
{
	if (f->m.is.armed && !f->was_armed) {
		puts("armed");
		fflush(stdout);
	}
	f->was_armed = f->m.is.armed;
}

static void faulty_access(struct faulty *f)
{
	f->accesses++;
	while (f->accesses == f->hang && !interrupt_came())
		usleep(1000);
	if (f->accesses == f->gone)
		_exit(0);
}

static bool faulty_read(struct device *d, uint32_t offset, uint32_t *value)
{
	struct faulty *f = d->state;

	faulty_access(f);
	if (!regmodel_read(&f->m, offset, value))
		return device_fail(d, DEVICE_GONE, "no register at 0x%x", (unsigned)offset);
	if (f->accesses >= f->ones)
		*value = UINT32_MAX;
	else if (offset == NFACC_REG_ID && f->id)
		*value = 0x12345678;
	else if ((offset == NFACC_REG_VERSION && f->version) ||
		 (offset == NFACC_REG_FINGERPRINT_HI && f->fingerprint))
		*value ^= 0x40;
	return true;
}

static bool faulty_write(struct device *d, uint32_t offset, uint32_t value)
{
	struct faulty *f = d->state;
	bool word = offset == NFACC_REG_CONFIG || offset == NFACC_REG_CONFIG_HI;

	faulty_access(f);
	f->words += word;
	if (word && f->slow)
		usleep(5000);
	if (word && f->words == f->lose)
		return true;
	if (word && f->words == f->flip)
		value ^= 0x100;
	if (word && f->words == f->reset) {
		uint64_t hardware = f->m.fingerprint;
		struct overlay o = f->m.overlay;
		regmodel_free(&f->m);
		return regmodel_init(&f->m, &o, hardware);
	}
	if (!regmodel_write(&f->m, offset, value))
		return device_fail(d, DEVICE_GONE, "no register at 0x%x", (unsigned)offset);
	faulty_watch(f);
	return true;
}

static long faulty_stream(struct device *d, uint64_t *words, size_t n)
{
	struct faulty *f = d->state;
	bool second = f->header || f->labels || f->time;
	uint64_t both[8] = { 7, 1, 1, 'a', f->time ? 7 : 8, 1, f->labels ? 4 : 1,
			     f->header ? UINT64_MAX : 'a' };

	if ((!f->cut && !f->slots && !second) || f->sent || n < 8)
		return 0;
	f->sent = true;
	if (second) {
		memcpy(words, both, sizeof both);
		return 8;
	}
	words[0] = 7;
	words[1] = f->slots ? 1ull << 63 : 1;
	words[2] = words[3] = 0;
	return f->cut ? 3 : 4;
}

/* One batch more is in the engine before each request that puts one there. */
static bool faulty_inject(struct device *d, const struct nfart_batch *b, uint32_t cycles)
{
	struct faulty *f = d->state;

	(void)cycles;
	regmodel_block(&f->m, f->block);
	if (b != NULL)
		regmodel_batch(&f->m, 1);
	if (b == NULL || b->payload_words == 0)
		return true;
	printf("payload");
	for (size_t i = 0; i < bits_count(b->mask) * (size_t)b->payload_words; i++)
		printf(" %" PRIx64, b->payload[i]);
	puts("");
	fflush(stdout);
	return true;
}

static const struct device_transport transport_faulty = {
	.name = "faulty",
	.read = faulty_read,
	.write = faulty_write,
	.stream = faulty_stream,
	.inject = faulty_inject,
};

/* Reads FAULT, which may be NAME=NUMBER. */
static bool faulty_option(struct faulty *f, const char *arg)
{
	const struct {
		const char *name;
		uint64_t *at;
	} counts[] = { { "ones=", &f->ones },   { "hang=", &f->hang }, { "reset=", &f->reset },
		       { "lose=", &f->lose },   { "flip=", &f->flip }, { "gone=", &f->gone } };
	const struct {
		const char *name;
		bool *at;
	} flags[] = { { "id", &f->id },     { "version", &f->version },
		      { "slow", &f->slow }, { "fingerprint", &f->fingerprint },
		      { "cut", &f->cut },   { "slots", &f->slots },
		      { "block", &f->block },
		      { "header", &f->header }, { "labels", &f->labels }, { "time", &f->time } };

	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		size_t n = strlen(counts[i].name);
		if (strncmp(arg, counts[i].name, n) == 0)
			return cli_number(arg + n, 0, counts[i].at, NULL);
	}
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
		if (strcmp(arg, flags[i].name) == 0)
			return *flags[i].at = true;
	return false;
}

int main(int argc, char **argv)
{
	struct faulty f = { .ones = NEVER, .hang = NEVER, .reset = NEVER, .lose = NEVER,
			    .flip = NEVER, .gone = NEVER };
	struct device d = { .transport = &transport_faulty, .o.timeout_ms = 1000, .state = &f };
	struct nfart_error e;
	struct nfart_image *im = argc < 3 ? NULL : nfart_image_open(argv[1], &e);
	bool ok = im != NULL && regmodel_init(&f.m, &im->overlay, im->fp.hardware);

	for (int i = 3; i < argc && ok; i++)
		ok = faulty_option(&f, argv[i]);
	if (!ok) {
		fputs("usage: faulty IMAGE PATH FAULT...\n", stderr);
		return 2;
	}
	f.m.lag = 3;
	interrupt_catch();
	ok = device_serve(&d, argv[2]);
	if (!ok)
		fprintf(stderr, "faulty: %s\n", d.error.what);
	regmodel_free(&f.m);
	nfart_image_free(im);
	return ok ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/device/driver.h"

#include <string.h>

#include "contract/image/image.h"
#include "contract/image/record.h"
#include "runtime/device/device_priv.h"
#include "runtime/device/nfacc_registers.h"
#include "runtime/trace/binary.h"
#include "support/bits.h"
#include "support/clock.h"

/* Has no word come for as long as the time-out? */
static bool stream_overdue(const struct device *d, const struct driver_stream *s)
{
	return clock_nanoseconds() - s->quiet > (uint64_t)d->o.timeout_ms * 1000000;
}

/* Nothing came: is that the end of the stream, or is something wrong? Returns 0, or -1. */
static int stream_silence(struct device *d, struct driver_stream *s)
{
	uint32_t status = device_read(d, NFACC_REG_STATUS);
	uint32_t drains = status & NFACC_STATUS_DRAINING;

	if (d->error.fault != DEVICE_OK)
		return -1;
	if (s->quiet == 0)
		s->quiet = clock_nanoseconds();
	if (s->n != 0 || drains != 0 || s->ended) {
		if (s->n == 0 && s->ended)
			return -1;
		s->began = true;
		if (!stream_overdue(d, s))
			return 0;
		device_fail(d, DEVICE_STALLED, s->n != 0 ?
			    "the output stopped within a record, for %u ms" :
			    "the engine has more records, but none came for %u ms",
			    (unsigned)d->o.timeout_ms);
		return -1;
	}
	if ((status & NFACC_STATUS_ARMED) != 0) {
		s->began = true;
		return 0;
	}
	/* What has left the engine may still be on its way: only the second silence is the end. */
	if ((status & NFACC_STATUS_DONE) != 0) {
		s->ended = true;
		return 0;
	}
	if (s->began)
		device_fail(d, DEVICE_RESET, "the engine was reset while its output was read");
	else
		device_fail(d, DEVICE_REFUSED, "there is no output: the engine is not armed");
	return -1;
}

/* Returns how many words the next record has, or at least has as far as it has come. */
static size_t stream_record_words(const struct driver_stream *s, const struct nfart_image *im)
{
	uint32_t names = im->overlay.names;
	uint64_t mask = s->n >= 2 ? s->words[s->at + 1] : 0;
	size_t head = s->n > RECORD_HEAD ? record_head_words(s->words + s->at, names) :
		      RECORD_HEAD + (names != 0);

	return head + record_body_words(mask, im->overlay.payload);
}

/* Takes the next record, which is whole. False: its names can't be. */
static bool stream_take(struct driver_stream *s, const struct nfart_image *im,
			struct nfart_batch *b, uint64_t *labels)
{
	const uint64_t *p = s->words + s->at;
	size_t size = stream_record_words(s, im);
	const uint64_t *rest = p + record_head_words(p, im->overlay.names);
	bool ok = record_read_names(p, im->overlay.names, &s->names);

	b->time = p[0];
	b->mask = p[1];
	b->lost = 0;
	b->damaged = false;
	b->payload_words = b->mask == 0 ? 0 : (uint8_t)(im->overlay.payload / 64);
	b->when = b->mask == 0 ? (uint8_t)trace_mark(*rest) : 0;
	if (b->mask == 0 && b->when == 0)
		b->lost = *rest;
	*labels = p[2];
	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		b->header[__builtin_ctzll(m)] = *rest++;
	b->payload = rest;
	s->at += size;
	s->n -= size;
	return ok;
}

/* How many words may be taken from the device, so that none of a record too many is among them? A
 * record has four words at least. */
static size_t stream_may_take(const struct driver_stream *s, const struct nfart_image *im)
{
	size_t room = sizeof s->words / sizeof s->words[0] - s->n, rest;
	uint64_t more = s->finish ? 1 : s->most;

	if (more == 0)
		return room;
	rest = stream_record_words(s, im) - s->n;
	return more - 1 > (room - rest) / 4 ? room : rest + 4 * (size_t)(more - 1);
}

/* What delivers the output has come to its end. Is that the end of the stream, too? Returns -1. */
static int stream_ended(struct device *d, const struct driver_stream *s)
{
	uint32_t status = device_read(d, NFACC_REG_STATUS);

	if (s->n != 0)
		device_fail(d, DEVICE_STALLED, "the output ended within a record");
	else if ((status & (NFACC_STATUS_ARMED | NFACC_STATUS_DRAINING)) != 0)
		device_fail(d, DEVICE_STALLED, "the output ended, and the engine %s",
			    driver_state(status));
	return -1;
}

/* Takes words from the device; there is no whole record any more. Returns 1 if there are new ones,
 * else as driver_record(). */
static int stream_fill(struct device *d, struct driver_stream *s, const struct nfart_image *im)
{
	long got;

	memmove(s->words, s->words + s->at, s->n * sizeof s->words[0]);
	s->at = 0;
	got = s->ring != NULL && s->ring->on ?
		      driver_ring_words(d, s->ring, s->words + s->n, stream_may_take(s, im)) :
		      device_stream(d, s->words + s->n, stream_may_take(s, im));
	if (got < 0)
		return stream_ended(d, s);
	if (got == 0)
		return stream_silence(d, s);
	s->n += (size_t)got;
	s->quiet = clock_nanoseconds();
	s->began = true;
	return 1;
}

/* Can the engine output the record? */
static bool stream_sound(struct device *d, struct driver_stream *s, const struct nfart_image *im,
			 const struct nfart_batch *b, uint64_t labels)
{
	const char *what = NULL;

	for (uint64_t m = b->mask; m != 0; m &= m - 1)
		if (!trace_header_ok(im->proto, b->header[__builtin_ctzll(m)]))
			what = "a header that can't be";
	if (im->overlay.labels < 64 && labels >> im->overlay.labels != 0)
		what = "labels that the engine lacks";
	if (b->when != 0 ? !trace_clock_empty(&s->clock, b->time, (b->when & NFART_END) != 0) :
			   !trace_clock_step(&s->clock, b->time, b->mask == 0))
		what = "a time that does not rise";
	return what == NULL || device_fail(d, DEVICE_DAMAGED, "the output has a record with %s: "
					   "words were lost, or changed", what);
}

int driver_record(struct device *d, struct driver_stream *s, const struct nfart_image *im,
		  struct nfart_batch *b, uint64_t *labels)
{
	uint32_t nslots = im->proto->nslots;
	int got = 1;

	if (s->finish && s->n == 0)
		return -1;
	if (s->n < 4 || s->n < stream_record_words(s, im))
		got = stream_fill(d, s, im);
	if (got <= 0)
		return got;
	if (s->n >= 2 && nslots < 64 && s->words[s->at + 1] >> nslots != 0) {
		device_fail(d, DEVICE_DAMAGED, "the output has a record with slots that the engine "
			    "lacks: words were lost");
		return -1;
	}
	if (s->n < 4 || s->n < stream_record_words(s, im))
		return 0;
	if (!stream_take(s, im, b, labels)) {
		device_fail(d, DEVICE_DAMAGED, "the output has a record with more names of lines "
			    "than the engine can give: words were lost, or changed");
		return -1;
	}
	s->most -= s->most != 0;
	return stream_sound(d, s, im, b, *labels) ? 1 : -1;
}

void driver_inject(struct device *d, const struct nfart_batch *b)
{
	device_inject(d, b);
	device_idle(d, 4 + bits_count(b->mask));
}

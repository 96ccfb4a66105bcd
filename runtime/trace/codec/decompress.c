/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/codec/decompress.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/trace/codec/codec.h"

struct decompressor {
	const struct codec *codec;
	void *state;
	const unsigned char *at; /* the n compressed bytes that were read and not used yet */
	size_t n;
	unsigned char *buffer;   /* where compressed bytes are read to; unused for memory */
	size_t cap;
	uint64_t read;           /* compressed bytes read so far, those at `at` included */
	bool between;            /* a frame has ended, and no other has begun */
	bool pending; /* the last step filled its output: there may be more without new input */
	bool seekable;           /* the compressed bytes are in memory or in a seekable file */
};

static bool decompress_begin(struct decompressor *d)
{
	if (d->state != NULL)
		d->codec->decompress_free(d->state);
	d->state = d->codec->decompress_new();
	d->between = d->pending = false;
	return d->state != NULL;
}

bool decompress_open(struct input *in)
{
	const struct codec *codec;
	struct decompressor *d;
	bool more;

	do
		codec = codec_detect(in->at, in->n, &more);
	while (codec == NULL && more && input_more(in));
	if (codec == NULL || in->error != 0)
		return in->error == 0;
	d = calloc(1, sizeof *d);
	if (d == NULL) {
		in->error = ENOMEM;
		return false;
	}
	d->codec = codec;
	d->at = in->at;
	d->n = d->read = in->n;
	d->buffer = in->buffer.at;
	d->cap = in->buffer.cap;
	d->seekable = in->seekable;
	in->decompressor = d;
	in->at = in->buffer.at = NULL;
	in->n = in->buffer.cap = 0;
	in->seekable = in->ended = false;
	if (decompress_begin(d))
		return true;
	in->error = ENOMEM;
	return false;
}

void decompress_close(struct input *in)
{
	struct decompressor *d = in->decompressor;

	if (d == NULL)
		return;
	if (d->state != NULL)
		d->codec->decompress_free(d->state);
	free(d->buffer);
	free(d);
	in->decompressor = NULL;
}

/* Reads compressed bytes when none are left. False: the input has ended, or there was an error. */
static bool refill(struct input *in, struct decompressor *d)
{
	ssize_t got = in->from.fd < 0 ? 0 : input_read(in, d->buffer, d->cap);

	if (got > 0) {
		d->at = d->buffer;
		d->n = (size_t)got;
		d->read += d->n;
		return true;
	}
	if (in->error != 0)
		return false;
	in->ended = true;
	if (!d->between)
		in->damage = "the compressed trace is cut off";
	return false;
}

/* Ends the input after a step that can't go on. */
static void give_up(struct input *in, enum codec_state state)
{
	if (state == CODEC_DAMAGED) {
		in->ended = true;
		in->damage = "the compressed trace is damaged";
	} else {
		in->error = state == CODEC_TOO_LARGE ? ENOTSUP : ENOMEM;
	}
}

bool decompress_more(struct input *in, unsigned char *out, size_t n)
{
	struct decompressor *d = in->decompressor;
	struct codec_step s = { .nout = n };

	while (s.nout == n && !in->ended && in->error == 0) {
		enum codec_state state;
		size_t before;
		if (d->n == 0 && !d->pending && !refill(in, d))
			return false;
		before = d->n;
		s = (struct codec_step){ d->at, d->n, out, n };
		state = d->codec->decompress(d->state, &s);
		d->at = s.in;
		d->n = s.nin;
		d->between = state == CODEC_BETWEEN;
		d->pending = s.nout == 0 && !d->between;
		if (state == CODEC_INSIDE && before != 0 && s.nin == before && s.nout == n)
			state = CODEC_DAMAGED; /* the library makes no progress */
		if (state != CODEC_INSIDE && state != CODEC_BETWEEN)
			give_up(in, state);
	}
	in->n += n - s.nout;
	return s.nout != n;
}

uint64_t decompress_used(const struct input *in)
{
	return in->decompressor->read - in->decompressor->n;
}

bool decompress_can_rewind(const struct input *in)
{
	return in->decompressor != NULL && in->decompressor->seekable;
}

bool decompress_rewind(struct input *in, uint64_t offset)
{
	struct decompressor *d = in->decompressor;

	if (in->from.fd >= 0 && lseek(in->from.fd, (off_t)in->from.base, SEEK_SET) < 0)
		in->error = errno;
	else if (!decompress_begin(d))
		in->error = ENOMEM;
	d->at = in->from.fd < 0 ? in->from.memory : d->buffer;
	d->n = d->read = in->from.fd < 0 ? (size_t)in->size : 0;
	in->at = in->buffer.at;
	in->n = 0;
	in->offset = in->taken = 0;
	in->ended = false;
	in->damage = NULL;
	while (in->error == 0 && in->offset < offset && input_need(in, 1))
		input_take(in, offset - in->offset < in->n ? (size_t)(offset - in->offset) : in->n);
	return in->error == 0;
}

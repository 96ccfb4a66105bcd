/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes the letters of an image (image.h, Note [letters]), the tests that tell them apart, and
 * the clock.
 */
#include <stdlib.h>

#include "contract/image/decode.h"

enum { MOST_LETTERS = 1 << 24, TEST_WORDS = 7 };

static bool letter_codes(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_letters);
	struct nfart_image *im = d->im;
	uint32_t ncodes = im->proto->codes.n, n = (uint32_t)c.n, before = 0;

	if (c.n > MOST_LETTERS)
		return decode_fail(d, "the image has too many letters");
	im->alphabet.code = arena_array(&im->arena, n + IMAGE_TIMES, sizeof *im->alphabet.code);
	if (im->alphabet.code == NULL)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t code = cursor_take(&c);
		if (code >= ncodes || code < before || !bits_get(im->proto->codes.valid, code))
			return decode_fail(d, "the image's letters are malformed");
		im->alphabet.code[i] = before = code;
	}
	im->alphabet.nletters = ncodes + n;
	return true;
}

/* Reads the clock of a sparse image. That of an overlay is in registers. */
static bool sparse_clock(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_clock);
	struct nfart_image *im = d->im;
	uint32_t end;

	if (c.n == 0)
		return true;
	im->stream.tick = cursor_take(&c);
	end = cursor_take(&c);
	im->stream.end = end == 1;
	if (c.bad || c.n != 0 || end > 1 || (im->stream.tick == 0 && !im->stream.end))
		return decode_fail(d, "the image's clock is malformed");
	return true;
}

static bool clock(struct decode *d)
{
	struct nfart_image *im = d->im;

	if (!sparse_clock(d))
		return false;
	im->alphabet.time = IMAGE_NO_TIME;
	if (im->stream.tick == 0 && !im->stream.end)
		return true;
	im->alphabet.time = im->alphabet.nletters;
	for (uint32_t i = 0; i < IMAGE_TIMES; i++)
		im->alphabet.code[im->alphabet.time + i - im->proto->codes.n] = IMAGE_NO_CODE;
	im->alphabet.nletters += IMAGE_TIMES;
	return true;
}

static bool tests(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_tests);
	struct nfart_image *im = d->im;

	if (c.n % TEST_WORDS != 0 || c.n / TEST_WORDS >= (uint32_t)IMAGE_LETTER)
		return decode_fail(d, "the image's tests are malformed");
	im->alphabet.ntests = (uint32_t)(c.n / TEST_WORDS);
	im->alphabet.tests =
		arena_array(&im->arena, im->alphabet.ntests, sizeof *im->alphabet.tests);
	if (im->alphabet.tests == NULL)
		return false;
	for (uint32_t i = 0; i < im->alphabet.ntests; i++) {
		uint64_t mask = cursor_take64(&c), value = cursor_take64(&c);
		uint32_t what = cursor_take(&c), no = cursor_take(&c), yes = cursor_take(&c);
		uint32_t word = what >> 8;
		im->alphabet.tests[i] =
			(struct image_test){ mask, value, (what & 1) != 0, no, yes, word };
		if (word > im->alphabet.payload_words)
			im->alphabet.payload_words = word;
		if ((what & 255) > 1 || word > RECORD_MOST_PAYLOAD)
			return decode_fail(d, "the image's tests are malformed");
	}
	return true;
}

/* Where a test of a code leads to. It must be a later test that belongs to the same code, or a
 * letter of the code. owner[t] is 1 + the code that test t belongs to; 0: not known yet. */
static bool letters_follow(const struct nfart_image *im, uint32_t *owner, uint32_t from,
			   uint32_t to)
{
	uint32_t code = owner[from] - 1, letter = to & ~(uint32_t)IMAGE_LETTER;

	if (letter != to)
		return letter == code ||
		       (letter >= im->proto->codes.n && letter < im->alphabet.nletters &&
			im->alphabet.code[letter - im->proto->codes.n] == code);
	if (to <= from || to >= im->alphabet.ntests || (owner[to] != 0 && owner[to] != code + 1))
		return false;
	owner[to] = code + 1;
	return true;
}

static bool guards(struct decode *d)
{
	struct cursor c = cursor_open(d, EL_guards);
	struct nfart_image *im = d->im;
	uint32_t ncodes = im->proto->codes.n, next = 0;
	uint32_t *owner = calloc((size_t)im->alphabet.ntests + 1, sizeof *owner);
	bool ok = c.n % 2 == 0;

	im->alphabet.guard =
		c.n == 0 ? NULL : arena_array(&im->arena, ncodes, sizeof *im->alphabet.guard);
	if (owner == NULL || (c.n != 0 && im->alphabet.guard == NULL)) {
		free(owner);
		return false;
	}
	for (uint32_t i = 0; im->alphabet.guard != NULL && i < ncodes; i++)
		im->alphabet.guard[i] = IMAGE_NO_GUARD;
	while (ok && c.n != 0) {
		uint32_t code = cursor_take(&c), first = cursor_take(&c);
		ok = code >= next && code < ncodes && bits_get(im->proto->codes.valid, code) &&
		     first < im->alphabet.ntests && owner[first] == 0;
		if (!ok)
			break;
		next = code + 1;
		im->alphabet.guard[code] = first;
		owner[first] = code + 1;
	}
	for (uint32_t i = 0; ok && i < im->alphabet.ntests; i++)
		ok = owner[i] != 0 && letters_follow(im, owner, i, im->alphabet.tests[i].no) &&
		     letters_follow(im, owner, i, im->alphabet.tests[i].yes);
	free(owner);
	return ok || decode_fail(d, "the image's tests are malformed");
}

bool decode_letters(struct decode *d)
{
	if (!d->im->overlay.none && overlay_ntest(&d->im->overlay) != 0)
		return decode_recode(d) && clock(d);
	return letter_codes(d) && clock(d) && tests(d) && guards(d);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Unpacks FastLZ. The packed bytes are a row of instructions:
 *
 *   000nnnnn                      n + 1 bytes follow, to be copied to the output
 *   lllddddd dddddddd             copy l + 2 bytes from d + 1 bytes before the end of the output
 *   111ddddd llllllll dddddddd    the same with l + 9 bytes
 *
 * In level 2, a length byte of 255 is followed by another one, which is added. There, a distance of
 * all ones is followed by two more bytes x, the high one first; the copy is then from x + 8,192
 * bytes before the end. The top three bits of the first byte say the level, and the first
 * instruction is always of the first kind.
 */
#include "runtime/wave/fst.h"

enum { FAR = 8192, ALL_ONES = 0x1fff };

/* Takes the length and the distance of a copy whose first byte was `code`. False: they are cut. */
static bool take_copy(const unsigned char **in, const unsigned char *end, bool level2,
		      unsigned code, size_t *length, size_t *distance)
{
	const unsigned char *p = *in;
	size_t n = (code >> 5) + 2, d;
	unsigned more = 255;

	if (code >> 5 == 7) {
		do {
			if (p == end)
				return false;
			more = *p++;
			n += more;
		} while (level2 && more == 255);
	}
	if (p == end)
		return false;
	d = (size_t)(code & 31) << 8 | *p++;
	if (level2 && d == ALL_ONES) {
		if (end - p < 2)
			return false;
		d = ((size_t)p[0] << 8 | p[1]) + FAR - 1;
		p += 2;
	}
	*in = p;
	*length = n;
	*distance = d + 1;
	return true;
}

bool fst_unpack_fastlz(const unsigned char *in, size_t n, unsigned char *out, size_t nout)
{
	const unsigned char *end = in + n;
	bool level2 = n != 0 && in[0] >> 5 == 1, first = true;
	size_t done = 0;

	if (n == 0 || in[0] >> 5 > 1)
		return nout == 0 && n == 0;
	while (in < end) {
		unsigned code = first ? *in & 31u : *in;
		size_t length, distance;
		in++;
		first = false;
		if (code < 32) {
			length = code + 1;
			if (length > (size_t)(end - in) || length > nout - done)
				return false;
			memcpy(out + done, in, length);
			in += length;
			done += length;
			continue;
		}
		if (!take_copy(&in, end, level2, code, &length, &distance) || distance > done ||
		    length > nout - done)
			return false;
		/* Both may overlap: a short distance repeats the same bytes. */
		for (; length != 0; length--, done++)
			out[done] = out[done - distance];
	}
	return done == nout;
}

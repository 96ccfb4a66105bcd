/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * waves: reads random VCDs by all ways to scan, by two threads in small pieces, and word by word,
 * which is the meaning of a file. Most lines are ordinary. In most files some bytes are broken, and
 * all ways must then give the same steps, the same error at the same line, and the same notes.
 *
 *   waves [-n ROUNDS] [-s SEED]
 *
 * NFACC_BROKEN_WAVES and NFACC_SEED set the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/wave/vcd.h"
#include "support/buf.h"
#include "support/hash.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"
#include "tools/nfagen/traffic/gen_random.h"

enum { MOST_CODES = 40, MOST_CODE = 4, LONG = 12000, SHORT = 200, ONE_LONG_IN = 50, BROKEN = 6 };

static const char states[] = "0011xXzZuUwWlLhH-";

struct code {
	char text[MOST_CODE + 1];
	unsigned width;
};

struct codes {
	struct code at[MOST_CODES];
	uint32_t n;
};

static uint32_t below(struct gen_random *r, uint32_t n)
{
	return gen_random_below(r, n);
}

/* Draws codes of few letters, among them those with which lines begin, so that many are alike. */
static void draw_codes(struct gen_random *r, struct codes *c)
{
	static const char letters[] = "!#01bxrs-~\xb1\xe2";
	uint32_t nletters = sizeof letters - (below(r, 8) == 0 ? 1 : 3);

	c->n = 1 + below(r, MOST_CODES);
	for (uint32_t i = 0; i < c->n; i++) {
		struct code *x = &c->at[i];
		uint32_t n = 1 + below(r, MOST_CODE);
		memset(x, 0, sizeof *x);
		for (uint32_t k = 0; k < n; k++)
			x->text[k] = below(r, 3) != 0 ? letters[below(r, nletters)]
						      : (char)('!' + below(r, 94));
		if (x->text[0] == '$')
			x->text[0] = '%';
		x->width = below(r, 3) != 0 ? 1 : 1 + below(r, 80);
	}
}

static void write_line(struct gen_random *r, const struct codes *c, uint64_t *time, struct buf *b)
{
	const struct code *x = &c->at[below(r, c->n)];
	uint32_t kind = below(r, 16);
	const char *digits = below(r, 4) == 0 ? states : "01";

	if (kind == 0) {
		*time += below(r, 3);
		buf_addf(b, "#%" PRIu64, *time);
	} else if (kind == 1) {
		buf_addf(b, "%c%g %s", "rsRS"[below(r, 4)], below(r, 100) / 8.0, x->text);
	} else if (x->width == 1 || kind == 2) {
		buf_addf(b, "%c%s", digits[below(r, (uint32_t)strlen(digits))], x->text);
	} else {
		buf_addf(b, "%c", "bB"[below(r, 2)]);
		for (uint32_t k = 1 + below(r, x->width); k > 0; k--)
			buf_add(b, &digits[below(r, (uint32_t)strlen(digits))], 1);
		buf_addf(b, " %s", x->text);
	}
	buf_addf(b, "\n");
}

/* Writes a VCD. Returns where its changes begin. */
static size_t write_vcd(struct gen_random *r, struct buf *b)
{
	struct codes c;
	uint32_t lines = below(r, below(r, ONE_LONG_IN) == 0 ? LONG : SHORT);
	uint64_t time = below(r, 20);
	size_t begin;

	draw_codes(r, &c);
	for (uint32_t i = 0; i < c.n; i++)
		buf_addf(b, "$var wire %u %s s%u $end\n", c.at[i].width, c.at[i].text, i);
	buf_addf(b, "$enddefinitions $end\n");
	begin = b->n;
	while (lines-- > 0)
		write_line(r, &c, &time, b);
	return begin;
}

/* Breaks a byte of the changes: it is replaced, left out, or another is put before it. */
static void break_byte(struct gen_random *r, struct buf *b, size_t begin)
{
	static const char near[] = "01-xbrs#$! \n\n\t\r\x1a";
	size_t at = begin + below(r, (uint32_t)(b->n - begin));
	uint32_t how = below(r, 8);

	/* Half of them stand at or behind the beginning of a line. */
	if (below(r, 2) == 0) {
		while (at > begin && b->at[at - 1] != '\n')
			at--;
		at += below(r, 3);
	}
	if (at >= b->n)
		return;
	if (how == 0) {
		memmove(b->at + at, b->at + at + 1, b->n - at - 1);
		b->n--;
	} else if (how < 4) {
		b->at[at] = near[below(r, sizeof near - 1)];
	} else if (how < 6) {
		b->at[at] = (char)(b->at[at] ^ 1 << below(r, 8));
	} else {
		buf_add(b, "", 1);
		memmove(b->at + at + 1, b->at + at, b->n - at - 1);
		b->at[at] = near[below(r, sizeof near - 1)];
	}
}

/* What a reading gave. */
struct reading {
	uint64_t steps, hash;
	int got;
	struct nfart_error error;
	uint64_t fractions, cut, last; /* notes: how often */
	uint64_t line;                 /* of the first fraction */
};

struct choice {
	uint32_t step; /* every so many values are chosen */
	bool every;
	bool damaged; /* as if what was packed were cut off */
};

static uint64_t hash_step(const struct wave *w, const struct wave_step *s, uint64_t h)
{
	uint64_t all = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct wave_bits *b = &wave_bits(w)[s->changed[i]];
		size_t words = ((size_t)b->width + 63) / 64;
		all += hash_words(hash_words(s->changed[i] + 1, b->value, words), b->known, words);
	}
	h = hash_add(h, s->time);
	return hash_add(h, all + s->lost + 2 * (uint64_t)s->resumed);
}

/* Reads the file in one way; `piece` != 0: by two threads. */
static struct reading read_by(const struct buf *b, struct choice how, enum vcd_scan_way most,
			      size_t piece)
{
	struct reading x = { .got = -1 };
	struct wave *w = wave_open_memory(b->at, b->n, "broken", &x.error);
	uint32_t chosen[MOST_CODES];
	struct wave_step s;
	size_t n = 0;

	if (w == NULL)
		return x;
	for (size_t i = 0; i < wave_n_values(w); i += how.step)
		chosen[n++] = (uint32_t)i;
	if (wave_choose(w, chosen, n, how.every, &x.error)) {
		vcd_limit_scan(w, most);
		w->in->damage = how.damaged ? "what was packed is cut off" : NULL;
		if (piece != 0)
			vcd_read_ahead(w, 2, piece);
		for (; (x.got = wave_next(w, &s, &x.error)) > 0; x.steps++)
			x.hash = hash_step(w, &s, x.hash);
		x.hash = hash_add(x.hash, wave_time(w));
	}
	x.fractions = w->notes[WAVE_NOTE_FRACTION].count;
	x.line = w->notes[WAVE_NOTE_FRACTION].line;
	x.cut = w->notes[WAVE_NOTE_CUT].count;
	x.last = w->notes[WAVE_NOTE_LAST].count;
	wave_close(w);
	return x;
}

static bool same(const struct reading *a, const struct reading *b)
{
	return a->steps == b->steps && a->hash == b->hash && a->got == b->got &&
	       a->fractions == b->fractions && a->line == b->line && a->cut == b->cut &&
	       a->last == b->last &&
	       (a->got == 0 || (a->error.line == b->error.line &&
				strcmp(a->error.what, b->error.what) == 0));
}

int main(int argc, char **argv)
{
	struct seeds seeds = setting_seeds("NFACC_BROKEN_WAVES", 4000, 40000);
	uint64_t steps = 0, errors = 0, different = 0;
	struct tap tap = { 0 };

	if (!setting_arguments(argc, argv, &seeds.n, &seeds.first, NULL))
		return NFART_USAGE;
	for (uint64_t i = 0; i < seeds.n && different == 0; i++) {
		struct gen_random r = { .state = seeds.first + i };
		struct buf b = { 0 };
		size_t begin = write_vcd(&r, &b);
		struct choice how = { 1 + below(&r, 8), below(&r, 2) == 0, below(&r, 4) == 0 };
		struct reading want, got;
		for (uint32_t k = below(&r, BROKEN); k > 0 && b.n > begin; k--)
			break_byte(&r, &b, begin);
		if (how.damaged) /* the last word is of no use */
			buf_addf(&b, "%cx", (int)below(&r, 256));
		want = read_by(&b, how, VCD_SCAN_NOT, 0);
		for (int way = VCD_SCAN_AVX2; way <= (int)vcd_scan_best(); way++) {
			got = read_by(&b, how, (enum vcd_scan_way)way, 0);
			if (!same(&want, &got)) {
				printf("# seed %" PRIu64 ": way %d differs\n", seeds.first + i, way);
				different++;
			}
		}
		got = read_by(&b, how, VCD_SCAN_VBMI, 20 + below(&r, 2000));
		if (!same(&want, &got)) {
			printf("# seed %" PRIu64 ": two threads differ\n", seeds.first + i);
			different++;
		}
		steps += want.steps;
		errors += want.got < 0;
		buf_free(&b);
	}
	tap_case(&tap, different == 0 && steps > seeds.n && errors > seeds.n / 4,
		 "all ways read broken VCDs alike");
	printf("# %" PRIu64 " rounds from seed %" PRIu64 ", %" PRIu64 " steps, %" PRIu64 " errors\n",
	       seeds.n, seeds.first, steps, errors);
	return tap_end(&tap);
}

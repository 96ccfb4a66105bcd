/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Changes each single bit of an image, and cuts the image off at each length. Every such image must
 * be refused, and so must one with right checksums whose names could deceive a terminal.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/pipeline.h"
#include "contract/crc.h"
#include "contract/image/image.h"
#include "include/nfart.h"
#include "testsuite/unit/tap.h"

static const struct {
	const char *name, *text, *overlay; /* `overlay` is C,L,R,N as numbers, or "none" */
	bool source;
} images[] = {
	{ "bytes, overlay none", "protocol bytes; window 3; filter f = true* 'a' 'b'+;", "none",
	  true },
	{ "bytes, (2,3,1,0)", "protocol bytes; limit 2; filter f = true* 'a' 'b'+;", "2,3,1,0",
	  false },
	{ "eci-coherence, (2,2,1,0)",
	  "protocol eci-coherence; substream cl from 0 count 2;"
	  "filter second = true* R12 None(RA2)* R12; log = all;",
	  "2,2,1,0", false },
	{ "counters, overlay none",
	  "protocol bytes; counter a = true* 'a' reset true* 'b' at 3 roll; filter f = @a true*;",
	  "none", false },
	{ "counters, (2,2,1,0)",
	  "protocol bytes; counter a = true* 'a' reset true* 'b' at 3 roll; filter f = @a true*;",
	  "2,2,1,0", false },
	{ "guards, (2,2,1,0)",
	  "protocol eci-coherence; filter f = true* R12[addr in 0x100..0x2ff] RA2[rreqid == 1];",
	  "2,2,1,0", false },
};
enum { NIMAGES = sizeof images / sizeof images[0] };

/* Is the image refused, as an error in the input that says why? The bytes are copied, so that a
 * sanitizer notices a read after their end. */
static bool damage_refused(const char *at, size_t n)
{
	struct nfart_error e = { .status = NFART_OK };
	char *copy = malloc(n + 1);
	struct nfart_image *im = NULL;
	bool ok = copy != NULL;

	if (ok) {
		memcpy(copy, at, n);
		im = nfart_image_load(copy, n, "image", &e);
		ok = im == NULL && e.status == NFART_INPUT && e.what[0] != 0;
	}
	nfart_image_free(im);
	free(copy);
	return ok;
}

static void damage_check(struct tap *t, const char *name, struct buf *b)
{
	struct nfart_error e;
	struct nfart_image *whole = nfart_image_load(b->at, b->n, "image", &e);
	size_t bad = 0, first = 0;

	tap_case(t, whole != NULL, "%s: %zu bytes are an image", name, b->n);
	nfart_image_free(whole);
	for (size_t i = 0; i < 8 * b->n; i++) {
		char bit = (char)(1u << i % 8);
		b->at[i / 8] = (char)(b->at[i / 8] ^ bit);
		if (!damage_refused(b->at, b->n) && bad++ == 0)
			first = i;
		b->at[i / 8] = (char)(b->at[i / 8] ^ bit);
	}
	tap_case(t, bad == 0, "%s: %zu bit flips, %zu not refused, the first at %zu", name,
		 8 * b->n, bad, first);
	bad = 0;
	for (size_t n = 0; n < b->n; n++)
		if (!damage_refused(b->at, n) && bad++ == 0)
			first = n;
	tap_case(t, bad == 0, "%s: %zu truncations, %zu not refused, the first at %zu", name, b->n,
		 bad, first);
	buf_add(b, "", 1);
	tap_case(t, damage_refused(b->at, b->n), "%s: a byte too many", name);
}

/* ---- names ---- */

static void damage_repair(unsigned char *p, unsigned char *entry)
{
	size_t table = get_le32(p + IMAGE_AT_NSECTIONS) * (size_t)IMAGE_ENTRY;

	put_le32(entry + ENTRY_AT_CRC, crc32c(0, p + get_le64(entry + ENTRY_AT_OFFSET),
					      get_le64(entry + ENTRY_AT_LENGTH)));
	put_le32(p + IMAGE_AT_CRC, 0);
	put_le32(p + IMAGE_AT_CRC, crc32c(0, p, IMAGE_HEADER + table));
}

/* An escape character in the place of each letter `from` of a section, with right checksums.
 * Returns how many places there are; SIZE_MAX: one was not refused. */
static size_t deceive(struct buf *b, enum section_id id, char from)
{
	unsigned char *p = (unsigned char *)b->at, *entry = p + IMAGE_HEADER;
	size_t at, end, places = 0;

	while (get_le32(entry + ENTRY_AT_ID) != id)
		entry += IMAGE_ENTRY;
	at = get_le64(entry + ENTRY_AT_OFFSET);
	end = at + get_le64(entry + ENTRY_AT_LENGTH);
	for (; at < end && places != SIZE_MAX; at++) {
		if (b->at[at] != from)
			continue;
		b->at[at] = 033;
		damage_repair(p, entry);
		places = damage_refused(b->at, b->n) ? places + 1 : SIZE_MAX;
		b->at[at] = from;
		damage_repair(p, entry);
	}
	return places;
}

static void check_names(struct tap *t, const char *name, struct buf *b)
{
	size_t labels = deceive(b, SEC_labels, 'f'), proto = deceive(b, SEC_protocol, 'e');
	struct nfart_error e;
	struct nfart_image *whole = nfart_image_load(b->at, b->n, "image", &e);

	tap_case(t, whole != NULL && labels != 0 && labels != SIZE_MAX && proto != 0 &&
			    proto != SIZE_MAX,
		 "%s: names with escape characters are refused", name);
	nfart_image_free(whole);
}

/* ---- machines with `orders` ---- */

static const char orders_text[] =
	"protocol bytes;"
	"machine m orders 2 { state s start; state t; state bad accept(x);"
	" s -> t : 'a'; t -> s : 'b'; t -> t : 'c'; s -> bad : 'd'; bad -> bad : true; }";

/* Loads the image, and lets it see some bytes if it is one. Returns whether it is refused. */
static bool orders_try(const struct buf *b)
{
	struct nfart_engine_options o = { .lines = false };
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_image *im = nfart_image_load(b->at, b->n, "image", &e);
	struct nfart_engine *en = im != NULL ? nfart_engine_new(im, &o, &e) : NULL;
	struct nfart_result r;

	for (uint64_t i = 0; en != NULL && i < 12; i++) {
		struct nfart_batch batch = { .time = i, .mask = 1 };

		batch.header[0] = (uint64_t)"abcdacbbdaca"[i];
		if (!nfart_engine_step(en, &batch, &r))
			abort();
	}
	nfart_engine_free(en);
	nfart_image_free(im);
	return im == NULL && e.status == NFART_INPUT;
}

/* Puts other numbers in the place of each word of the machines, with right checksums: the image is
 * refused, or works. */
static void check_orders(struct tap *t)
{
	static const uint32_t others[] = { 0, 1, 2, 3, 99, 1U << 16, 3U << 16, 4U << 16 | 1,
					   5U << 16, UINT32_MAX };
	struct pipeline_file file = { "f.re", orders_text, sizeof orders_text - 1, false };
	unsigned refused = 0, taken = 0, known = 0;
	struct pipeline_options o;
	struct pipeline p;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	if (pipeline_run(&p, &o, &file, 1) == NFART_OK) {
		struct buf *b = &p.job.made.image;
		unsigned char *at = (unsigned char *)b->at, *entry = at + IMAGE_HEADER, *word;

		while (get_le32(entry + ENTRY_AT_ID) != SEC_machines)
			entry += IMAGE_ENTRY;
		word = at + get_le64(entry + ENTRY_AT_OFFSET);
		for (size_t i = 0; i < get_le64(entry + ENTRY_AT_LENGTH) / 4; i++)
			for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
				uint32_t was = get_le32(word + 4 * i);
				bool bad;

				put_le32(word + 4 * i, others[k]);
				damage_repair(at, entry);
				bad = orders_try(b);
				*(bad ? &refused : &taken) += 1;
				/* Word 2 is the number of counters: too many messages, and both. */
				known += i == 2 && bad && others[k] >= (4U << 16 | 1);
				put_le32(word + 4 * i, was);
			}
	}
	tap_case(t, refused > 100 && taken > 20 && known == 3,
		 "machines with orders: %u changed images are refused, %u work", refused, taken);
	pipeline_free(&p);
}

/* ---- rules to be followed ---- */

static const char follow_text[] =
	"protocol eci;\nchecker answers;\nnode cpu: p = - asked;\nnode fpga: r = - owed;\n"
	"tap at fpga;\n"
	"cpu: p=- ! R12, R13 : p=asked;\ncpu: p=asked ? RA2, RA3 : p=-;\n"
	"fpga: r=- ? R12, R13 : r=owed;\nfpga: r=owed ! RA2, RA3 : r=-;\n";

static unsigned char *follow_entry(unsigned char *p, enum section_id id)
{
	unsigned char *entry = p + IMAGE_HEADER;

	while (get_le32(entry + ENTRY_AT_ID) != id)
		entry += IMAGE_ENTRY;
	return entry;
}

/* Puts a byte, or with `skipped` an id that programs skip, into a section with right checksums.
 * `from_end` counts back from its end. Is the image refused, for this reason? */
static bool follow_refused(struct buf *b, enum section_id id, bool skipped, size_t from_end,
			   char byte, const char *why)
{
	unsigned char *p = (unsigned char *)b->at, *entry = follow_entry(p, id);
	unsigned char *at = p + get_le64(entry + ENTRY_AT_OFFSET) +
			    get_le64(entry + ENTRY_AT_LENGTH) - from_end;
	unsigned char was[IMAGE_ENTRY], byte_was = *at;
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_image *im;
	bool ok;

	memcpy(was, entry, sizeof was);
	if (skipped) {
		put_le32(entry + ENTRY_AT_ID, 9999);
		put_le32(entry + ENTRY_AT_FLAGS, ENTRY_SKIPPABLE);
	} else {
		*at = (unsigned char)byte;
	}
	damage_repair(p, entry);
	im = nfart_image_load(b->at, b->n, "image", &e);
	ok = im == NULL && e.status == NFART_INPUT && strstr(e.what, why) != NULL;
	if (!ok)
		printf("# %s, not %s\n", im != NULL ? "loaded" : e.what, why);
	nfart_image_free(im);
	memcpy(entry, was, sizeof was);
	*at = byte_was;
	damage_repair(p, entry);
	return ok;
}

/* What says that rules are to be followed, and the rules, say the same; and no checker is there
 * twice, or without a label. */
static void check_follow(struct tap *t)
{
	static const char *const seen[] = { "R12", "R13" };
	struct pipeline_file file = { "f.coh", follow_text, sizeof follow_text - 1,
				      FORM_COHERENCE };
	struct pipeline_options o;
	struct pipeline p;
	struct buf *b = &p.job.made.image;
	bool ok;

	pipeline_options_init(&o);
	o.overlay.o.none = true;
	o.coherence = (struct coherence_options){ .only = true, .orders = true, .follow = true,
						  .projections = seen, .nprojections = 2 };
	ok = pipeline_run(&p, &o, &file, 1) == NFART_OK;
	if (ok) {
		struct nfart_image *im = nfart_image_load(b->at, b->n, "image", NULL);

		tap_case(t, im != NULL, "rules to be followed: loaded");
		nfart_image_free(im);
		/* The section ends with the label, its zero, a byte of events, and `how`. */
		ok = follow_refused(b, SEC_rules, false, 4, '2', "a checker twice") &&
		     follow_refused(b, SEC_rules, true, 0, 0, "keeps none of such a checker") &&
		     follow_refused(b, SEC_follow, true, 0, 0, "does not say so") &&
		     follow_refused(b, SEC_follow, false, 1, 2, "is damaged") &&
		     /* One label instead of two. */
		     follow_refused(b, SEC_labels, false, sizeof "answers_R13" + 1, 'x',
				    "more checkers than it has labels");
	}
	tap_case(t, ok, "rules to be followed, changed: refused");
	pipeline_free(&p);
}

int main(void)
{
	struct tap t = { 0 };

	for (int i = 0; i < NIMAGES; i++) {
		struct pipeline_file file = { "f.re", images[i].text, strlen(images[i].text),
					      false };
		struct pipeline_options o;
		struct pipeline p;
		bool bad, ok;
		pipeline_options_init(&o);
		o.sections.source = images[i].source;
		ok = overlay_numbers(images[i].overlay, &o.overlay, &bad) && !bad;
		o.overlay.o.counters = strstr(images[i].text, "counter") != NULL;
		o.overlay.o.guards = o.overlay.o.ranges = strchr(images[i].text, '[') != NULL;
		o.overlay.o.letter_bits = o.overlay.o.guards != 0 ? 6 : 0;
		ok = pipeline_run(&p, &o, &file, 1) == NFART_OK && ok;
		tap_case(&t, ok, "%s: compiled", images[i].name);
		if (ok && i == 0)
			check_names(&t, images[i].name, &p.job.made.image);
		if (ok)
			damage_check(&t, images[i].name, &p.job.made.image);
		pipeline_free(&p);
	}
	check_orders(&t);
	check_follow(&t);
	return tap_end(&t);
}

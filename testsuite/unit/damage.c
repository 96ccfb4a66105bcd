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

/* ---- tests of payload ---- */

/* Makes all checksums and fingerprints right. */
static void payload_repair(struct buf *b, const struct overlay *o, const struct nfart_proto *proto)
{
	unsigned char *p = (unsigned char *)b->at;
	unsigned char *device = follow_entry(p, SEC_device);
	unsigned char *at = p + get_le64(device + ENTRY_AT_OFFSET);
	size_t end = get_le64(device + ENTRY_AT_LENGTH) - 4;

	put_le64(p + IMAGE_AT_HARDWARE, contract_fingerprint(o, proto));
	memcpy(at, p + IMAGE_AT_HARDWARE, 8);
	put_le32(at + end, crc32c(0, at, end));
	damage_repair(p, device);
	damage_repair(p, follow_entry(p, SEC_overlay));
}

/* Is the image refused, if its checksums are right, for this reason? */
static bool payload_refused(struct buf *b, const struct overlay *o, const struct nfart_proto *proto,
			    const char *why)
{
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_image *im;
	bool ok;

	payload_repair(b, o, proto);
	im = nfart_image_load(b->at, b->n, "image", &e);
	ok = im == NULL && e.status == NFART_INPUT && strstr(e.what, why) != NULL;
	if (!ok)
		printf("# %s, not %s\n", im != NULL ? "loaded" : e.what, why);
	nfart_image_free(im);
	return ok;
}

/* Changes a parameter of the overlay, so that the tests are not those that it says. */
static bool payload_other(struct buf *b, const struct nfart_image *im, size_t offset,
			  uint32_t value, const char *why)
{
	unsigned char *p = (unsigned char *)b->at;
	unsigned char *at = p + get_le64(follow_entry(p, SEC_overlay) + ENTRY_AT_OFFSET);
	struct overlay o = im->overlay;
	uint32_t was;
	bool ok;

	for (size_t i = 0; i < noverlay_params; i++)
		if (overlay_params[i].offset == offset) {
			at += 4 * i;
			*overlay_field(&o, &overlay_params[i]) = value;
		}
	was = get_le32(at);
	put_le32(at, value);
	ok = payload_refused(b, &o, im->proto, why);
	put_le32(at, was);
	return ok;
}

/* Changes element payload_test of an image whose overlay has words of 32 bits, two tests in each
 * slot, and two words of payload. */
static void check_payload(struct tap *t)
{
	static const char text[] =
		"protocol axi4-data; filter f = true* any[payload[15..0] in 9..99];";
	static const char test[] = "a test of the image's overlay is malformed",
			  element[] = "a configuration element of the image is malformed";
	struct pipeline_file file = { "f.re", text, sizeof text - 1, false };
	size_t two = 0, flips = 0, bad_flips = 0;
	struct nfart_image *im = NULL;
	struct pipeline_options o;
	struct pipeline p;
	struct buf *b = &p.job.made.image;
	bool bad, ok;

	pipeline_options_init(&o);
	ok = overlay_numbers("1,2,1,0", &o.overlay, &bad) && !bad;
	o.overlay.o.data = 32;
	o.overlay.o.payload = 128;
	o.overlay.o.payload_tests = 2;
	o.overlay.o.letter_bits = 6;
	ok = pipeline_run(&p, &o, &file, 1) == NFART_OK && ok;
	if (ok)
		im = nfart_image_load(b->at, b->n, "image", NULL);
	tap_case(t, im != NULL, "tests of payload: loaded");
	if (im != NULL) {
		unsigned char *at = (unsigned char *)b->at, *entry = follow_entry(at, SEC_device);
		struct image_element e = { .n = 0 };
		size_t next = 0;

		while (image_next_element(im, &next, &e) > 0 && e.el->id != EL_payload_test)
			;
		at += get_le64(entry + ENTRY_AT_OFFSET) + 4 * e.at;
		/* Each test is 32 words for each word of the payload. */
		for (size_t i = 0; i + 64 <= e.n; i += 64) {
			unsigned char none[128] = { 0 }, *low = at + 4 * i;
			if (memcmp(low, none, 128) == 0 || memcmp(low + 128, none, 128) != 0)
				continue;
			memcpy(low + 128, low, 128);
			two += payload_refused(b, &im->overlay, im->proto, test);
			memset(low + 128, 0, 128);
		}
		for (size_t i = 0; i < 32 * e.n; i += 5) {
			at[i / 8] ^= (unsigned char)(1u << i % 8);
			flips++;
			bad_flips += payload_refused(b, &im->overlay, im->proto, test);
			at[i / 8] ^= (unsigned char)(1u << i % 8);
		}
		ok = payload_other(b, im, offsetof(struct overlay, payload_tests), 1, element) &&
		     payload_other(b, im, offsetof(struct overlay, payload_tests), 3, element) &&
		     payload_other(b, im, offsetof(struct overlay, payload), 64, element) &&
		     payload_other(b, im, offsetof(struct overlay, payload_tests),
				   OVERLAY_MOST_payload_tests + 1,
				   "an overlay parameter of the image is out of range");
		/* As it was, it is an image again. */
		payload_repair(b, &im->overlay, im->proto);
		nfart_image_free(im);
		im = nfart_image_load(b->at, b->n, "image", NULL);
	}
	tap_case(t, two != 0 && flips != 0 && bad_flips == flips,
		 "tests of payload: %zu of two words and %zu changed ones are refused", two,
		 bad_flips);
	tap_case(t, ok && im != NULL, "tests of payload, of another overlay: refused");
	nfart_image_free(im);
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
	check_payload(&t);
	return tap_end(&t);
}

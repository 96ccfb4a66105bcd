/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "contract/image/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "contract/image/kept.h"
#include "support/buf.h"

enum { MOST_FILE = 1 << 30 };

const struct image_section *image_find_section(const struct nfart_image *im, enum section_id id)
{
	for (uint32_t i = 0; i < im->file.nsections; i++)
		if (im->file.section[i].id == (uint32_t)id)
			return &im->file.section[i];
	return NULL;
}

/* Checks the header, and the CRC over header and table. Returns NULL, or a static text
 * that says what is wrong. */
static const char *check_head(const struct nfart_image *im)
{
	static const unsigned char zero[4];
	const unsigned char *p = im->file.bytes;
	uint32_t n, crc;

	if (im->file.n < IMAGE_HEADER || memcmp(p, IMAGE_MAGIC, 8) != 0)
		return "this is no nfacc image";
	if (get_le32(p + IMAGE_AT_VERSION) != CONTRACT_VERSION)
		return "the image is of another version of the contract";
	n = get_le32(p + IMAGE_AT_NSECTIONS);
	if (get_le64(p + IMAGE_AT_SIZE) != im->file.n)
		return "the image is cut off, or something follows it";
	if (n > sizeof im->file.section / sizeof im->file.section[0] ||
	    IMAGE_HEADER + n * IMAGE_ENTRY > im->file.n)
		return "the image's table of sections is damaged";
	crc = crc32c(0, p, IMAGE_AT_CRC);
	crc = crc32c(crc, zero, 4);
	crc = crc32c(crc, p + IMAGE_AT_CRC + 4, IMAGE_HEADER - IMAGE_AT_CRC - 4 + n * IMAGE_ENTRY);
	if (crc != get_le32(p + IMAGE_AT_CRC))
		return "the image's header is damaged (CRC)";
	return NULL;
}

/* Fills im->file.section, and checks that the sections follow each other without a gap. Each read_
 * function returns NULL, or a static text that says what is wrong. */
static const char *read_sections(struct nfart_image *im)
{
	size_t at =
		IMAGE_HEADER + get_le32(im->file.bytes + IMAGE_AT_NSECTIONS) * (size_t)IMAGE_ENTRY;

	im->file.nsections = get_le32(im->file.bytes + IMAGE_AT_NSECTIONS);
	for (uint32_t i = 0; i < im->file.nsections; i++) {
		const unsigned char *e = im->file.bytes + IMAGE_HEADER + i * (size_t)IMAGE_ENTRY;
		struct image_section *s = &im->file.section[i];
		uint64_t n = get_le64(e + ENTRY_AT_LENGTH);
		bool known = false;
		s->id = get_le32(e + ENTRY_AT_ID);
		s->crc = get_le32(e + ENTRY_AT_CRC);
		if (get_le64(e + ENTRY_AT_OFFSET) != at || n > im->file.n - at)
			return "the image's table of sections is damaged";
		s->at = im->file.bytes + at;
		s->n = n;
		if (crc32c(0, s->at, s->n) != s->crc)
			return "a section of the image is damaged (CRC)";
		for (at += n; at % 8 != 0; at++)
			if (at >= im->file.n || im->file.bytes[at] != 0)
				return "the image is damaged between its sections";
		for (size_t k = 0; k < nsections; k++)
			known |= sections[k].id == s->id;
		if (!known && (get_le32(e + ENTRY_AT_FLAGS) & ENTRY_SKIPPABLE) == 0)
			return "the image has a section that this program does not know";
		for (uint32_t k = 0; k < i; k++)
			if (im->file.section[k].id == s->id)
				return "the image has a section twice";
	}
	return at == im->file.n ? NULL : "something follows the image's last section";
}

static const char *read_overlay(struct nfart_image *im)
{
	const struct image_section *s = image_find_section(im, SEC_overlay);
	struct overlay *o = &im->overlay;
	size_t n = s != NULL ? s->n / 4 : 0;

	if (s == NULL || s->n % 4 != 0 ||
	    (n != 0 && (n < noverlay_first || n > noverlay_params)))
		return "the image has no overlay";
	overlay_presets(o);
	overlay_tap(o, im->proto);
	o->none = n == 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t v = get_le32(s->at + 4 * i);
		if (!overlay_param_has(&overlay_params[i], v))
			return "an overlay parameter of the image is out of range";
		*overlay_field(o, &overlay_params[i]) = v;
	}
	if (n != 0 && overlay_params_used(o) != n)
		return "the image has overlay parameters that it must leave out";
	return overlay_check(o);
}

static const char *read_labels(struct nfart_image *im)
{
	const struct image_section *s = image_find_section(im, SEC_labels);
	const char *p;
	uint32_t n = 0;

	if (s == NULL || (s->n != 0 && s->at[s->n - 1] != 0))
		return "the image's labels are damaged";
	p = (const char *)s->at;
	for (size_t i = 0; i < s->n; i++)
		im->labels.n += p[i] == 0;
	im->labels.names = arena_array(&im->arena, im->labels.n, sizeof *im->labels.names);
	if (im->labels.names == NULL)
		return "out of memory";
	for (size_t i = 0; i < s->n; i += strlen(p + i) + 1) {
		if (!buf_is_name(p + i, strlen(p + i)))
			return "the image's labels are damaged";
		if (p[i] == IMAGE_OUTPUT)
			im->labels.noutputs++;
		else if (im->labels.noutputs != 0)
			return "the image's labels are damaged";
		im->labels.names[n++] = p + i;
	}
	if (!im->overlay.none && im->labels.n > im->overlay.labels)
		return "the image has more labels than its overlay";
	return NULL;
}

/* Reads a section that belongs to the protocol. Without the section there is nothing to read.
 * Returns NULL, or what is wrong: `damaged` if it is the section. */
static const char *read_of_protocol(struct nfart_image *im, enum section_id id,
				    enum nfart_status (*read)(struct nfart_proto *p,
							      const unsigned char *at, size_t n),
				    const char *damaged)
{
	const struct image_section *s = image_find_section(im, id);
	enum nfart_status status = s == NULL ? NFART_OK : read(im->proto, s->at, s->n);

	return status == NFART_OK ? NULL : status == NFART_INPUT ? damaged : "out of memory";
}

static const char *read_loss(struct nfart_image *im)
{
	const struct image_section *s = image_find_section(im, SEC_loss);

	if (s != NULL && (s->n != 1 || s->at[0] != 1))
		return "what the image says of losses is damaged";
	im->stream.reset_on_loss = s != NULL;
	return NULL;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Checks that the rules have at most as many checkers as the image has labels, each once. */
static const char *check_checkers(const struct nfart_image *im)
{
	const char **names = calloc((size_t)im->labels.n + 1, sizeof *names), *why = NULL;
	uint32_t n = 0;

	if (names == NULL)
		return "out of memory";
	for (uint32_t i = 0; i < im->kept.n && why == NULL; i++) {
		const struct kept *k = &im->kept.at[i];

		if (k->checkers.n > im->labels.n - n)
			why = "the image keeps rules of more checkers than it has labels";
		for (uint32_t j = 0; j < k->checkers.n && why == NULL; j++)
			names[n++] = k->checkers.at[j].label;
	}
	if (n > 1)
		qsort(names, n, sizeof *names, compare_names);
	for (uint32_t i = 1; i < n && why == NULL; i++)
		if (strcmp(names[i - 1], names[i]) == 0)
			why = "the image keeps the rules of a checker twice";
	free(names);
	return why;
}

static const char *read_rules(struct nfart_image *im)
{
	const struct image_section *s = image_find_section(im, SEC_rules);
	enum nfart_status status;

	if (s == NULL)
		return NULL;
	status = kept_read(s->at, s->n, im->proto->codes.n, &im->arena, &im->kept.at, &im->kept.n);
	if (status == NFART_INPUT)
		return "the image's section rules is malformed";
	return status == NFART_OK ? check_checkers(im) : "out of memory";
}

/* Reads whether checkers are followed. The rules must say the same. */
static const char *read_follow(struct nfart_image *im)
{
	const struct image_section *s = image_find_section(im, SEC_follow);
	bool follow = false;

	if (s != NULL && (s->n != 1 || s->at[0] != 1))
		return "what the image says of rules to be followed is damaged";
	im->stream.follow = s != NULL;
	for (uint32_t i = 0; i < im->kept.n; i++)
		for (uint32_t j = 0; j < im->kept.at[i].checkers.n; j++)
			follow |= (im->kept.at[i].checkers.at[j].how & KEPT_FOLLOWED) != 0;
	if (im->stream.follow && !follow)
		return "the image says that rules are to be followed, but keeps none of such a "
		       "checker";
	if (!im->stream.follow && follow)
		return "the image keeps rules that are to be followed, but does not say so";
	return NULL;
}

static const char *read_device(struct nfart_image *im)
{
	const struct image_section *s = image_find_section(im, SEC_device);

	if (s == NULL || s->n % 4 != 0)
		return "the image has no device words";
	im->device.n = s->n / 4;
	im->device.halves = arena_array(&im->arena, im->device.n, 4);
	if (im->device.halves == NULL)
		return "out of memory";
	for (size_t i = 0; i < im->device.n; i++)
		im->device.halves[i] = get_le32(s->at + 4 * i);
	return NULL;
}

static const char *image_read(struct nfart_image *im, struct nfart_error *e)
{
	const struct image_section *s;
	const char *why = check_head(im);

	if (why == NULL)
		why = read_sections(im);
	if (why != NULL)
		return why;
	s = image_find_section(im, SEC_protocol);
	if (s == NULL)
		return "the image has no protocol";
	im->proto = proto_read(s->at, s->n, e);
	if (im->proto == NULL)
		return e->what;
	if ((why = read_overlay(im)) != NULL || (why = read_labels(im)) != NULL ||
	    (why = read_of_protocol(im, SEC_fields, proto_read_fields,
				    "the image's fields are damaged")) != NULL ||
	    (why = read_of_protocol(im, SEC_pairs, proto_read_pairs,
				    "the image's rules for pairs are damaged")) != NULL ||
	    (why = read_loss(im)) != NULL || (why = read_rules(im)) != NULL ||
	    (why = read_follow(im)) != NULL ||
	    (why = read_device(im)) != NULL)
		return why;
	im->fp.hardware = get_le64(im->file.bytes + IMAGE_AT_HARDWARE);
	im->fp.names = get_le64(im->file.bytes + IMAGE_AT_NAMES);
	if (im->fp.hardware != contract_fingerprint(&im->overlay, im->proto) ||
	    im->fp.names != im->proto->fp.names)
		return "the image's fingerprints are not those of its overlay and protocol";
	if (!image_decode(im, &why))
		return why != NULL ? why : "out of memory";
	return NULL;
}

struct nfart_image *image_load(const void *p, size_t n, const char *name, struct nfart_error *e)
{
	struct nfart_image *im = calloc(1, sizeof *im);
	struct nfart_error own;
	const char *why;
	char text[sizeof own.what];

	if (im != NULL)
		im->file.bytes = malloc(n + 1);
	if (im == NULL || im->file.bytes == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		free(im);
		return NULL;
	}
	im->file.n = n;
	if (n != 0)
		memcpy(im->file.bytes, p, n);
	why = image_read(im, &own);
	if (why == NULL)
		return im;
	snprintf(text, sizeof text, "%s", why);
	image_free(im);
	nfart_fail(e, strcmp(text, "out of memory") == 0 ? NFART_SYSTEM : NFART_INPUT, "%s", text);
	if (e != NULL)
		snprintf(e->file, sizeof e->file, "%s", name != NULL ? name : "image");
	return NULL;
}

struct nfart_image *image_open(const char *path, struct nfart_error *e)
{
	struct buf b = { 0 };
	int error = buf_read_file(&b, path, MOST_FILE);
	struct nfart_image *im = NULL;

	if (error == 0)
		im = image_load(b.at, b.n, path, e);
	else
		nfart_fail(e, NFART_SYSTEM, "can't read: %s", strerror(error));
	if (error != 0 && e != NULL)
		snprintf(e->file, sizeof e->file, "%s", path);
	buf_free(&b);
	errno = error;
	return im;
}

void image_free(struct nfart_image *im)
{
	if (im == NULL)
		return;
	proto_free(im->proto);
	arena_free(&im->arena);
	free(im->file.bytes);
	free(im);
}

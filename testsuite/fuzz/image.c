/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes images. An image is loaded as it is, and with correct fingerprints and checksums, so that
 * the fuzzer gets past these. An image that loads is executed, and its run is explained. The image
 * is also explained itself and turned back into an automaton.
 */
#include <string.h>

#include "backends/image/inspect.h"
#include "contract/crc.h"
#include "runtime/explain/explain_text.h"
#include "runtime/trace/batch.h"
#include "testsuite/fuzz/fuzz.h"

enum { MOST_STES = 512, MOST_COPIES = 4096, BATCHES = 16 };

/* Explains all labels for the last batch. Whether a label is accepted must be what the engine
 * says. */
static void explain_all(struct explain_text *x, const struct nfart_batch *b,
			const struct nfart_result *r)
{
	for (uint32_t g = 0; g < x->w->goal.n; g++) {
		bool accepted = false;
		for (size_t i = 0; i < x->w->parts.n; i++) {
			const struct witness_part *p = &x->w->parts.at[i];
			const struct witness_active *a = witness_find(x->w, &p->copy->active, g);
			accepted |= a != NULL;
			if (a != NULL)
				explain_why(x, p, g, a, b->time);
			else
				explain_why_not(x, p, g, b->time);
			x->b.n = 0;
		}
		fuzz_expect(accepted == (x->w->goal.at[g] == WITNESS_LOG ? r->logged :
					 bits_get(r->labels, x->w->goal.at[g])));
	}
	fuzz_expect(!x->b.failed);
}

static void image_execute(const struct nfart_image *im, bool substream)
{
	/* A tick may be accepted by all copies, and naming them takes time and memory for each. */
	struct nfart_engine_options o = { .lines =
						  substream || im->substreams.nlines <= MOST_COPIES,
					  .has_substream = substream,
					  .count = 2,
					  .reset_on_loss = substream };
	uint32_t goals[] = { WITNESS_LOG, 0 };
	struct nfart_error e;
	struct nfart_engine *en = nfart_engine_new(im, &o, &e);
	struct witness *w = witness_new(im, &o, goals, 1 + (im->labels.n != 0), &e);
	const struct nfart_proto *p = nfart_image_proto(im);
	struct explain_text text;
	uint64_t x = 88172645463325252u;

	/* What the engine refuses, such as more lines than an overlay has, is not explained. */
	fuzz_expect(w != NULL || e.status == NFART_GAVEUP || en == NULL);
	fuzz_expect(explain_text_init(&text, im, w));
	for (uint64_t i = 0; en != NULL && i < BATCHES; i++) {
		struct nfart_batch b = { .time = i };
		struct nfart_result r;
		for (uint32_t s = 0; s < p->nslots && i % 7 != 5; s++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			b.header[s] =
				x & proto_header_mask(p) & ~(substream ? proto_addr_mask(p) : 0);
			if ((x >> 40 & 3) != 0 &&
			    (int32_t)proto_opcode(p, b.header[s]) != p->header.idle)
				b.mask |= (uint64_t)1 << s;
		}
		if (im->alphabet.time != IMAGE_NO_TIME)
			b.when = x >> 50 & (NFART_TICK | NFART_END);
		fuzz_expect(nfart_engine_step(en, &b, &r));
		if (w != NULL && batch_is_loss(&b) && substream)
			witness_reset(w, b.time);
		/* Machines are not explained. */
		if (w == NULL || batch_is_loss(&b) || im->nfa.nmachines != 0)
			continue;
		fuzz_expect(witness_step(w, &b));
		explain_all(&text, &b, &r);
	}
	explain_text_free(&text);
	witness_free(w);
	nfart_engine_free(en);
}

/* Reads every field of a message, each in some slot. */
static void read_fields(const struct nfart_proto *p)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < nfart_proto_nfields(p); i++) {
		fuzz_expect(nfart_proto_field_name(p, i)[0] != 0);
		nfart_proto_field(p, i, i % p->nslots, UINT64_MAX / 3 * (1 + i % 3), &v);
		fuzz_expect(v >> 63 == 0);
	}
}

static void image_use(const uint8_t *data, size_t n)
{
	struct nfart_error e = { .status = NFART_OK };
	struct nfart_image *im = nfart_image_load(data, n, "fuzz", &e);
	struct buf b = { 0 };
	struct spec spec;
	struct nfa a;

	fuzz_expect((im == NULL) == (e.status == NFART_INPUT));
	if (im == NULL)
		return;
	image_execute(im, false);
	image_execute(im, true);
	read_fields(nfart_image_proto(im));
	if (im->overlay.none || overlay_nste(&im->overlay) <= MOST_STES) {
		fuzz_expect(inspect_nfa(im, NULL, &spec, &a) && nfa_verify(&a) == NULL);
		nfa_print(&a, &b);
		explain_image(im, &b);
		nfa_free(&a);
		spec_free(&spec);
	}
	fuzz_expect(!b.failed);
	buf_free(&b);
	nfart_image_free(im);
}

/* Returns the section with this id and stores its size, or returns NULL if there is none. */
static uint8_t *section(uint8_t *p, size_t n, uint32_t id, size_t *size)
{
	uint32_t count = get_le32(p + IMAGE_AT_NSECTIONS);

	for (uint32_t i = 0; i < count; i++) {
		uint8_t *entry = p + IMAGE_HEADER + i * (size_t)IMAGE_ENTRY;
		uint64_t at = get_le64(entry + ENTRY_AT_OFFSET),
			 length = get_le64(entry + ENTRY_AT_LENGTH);
		if (get_le32(entry + ENTRY_AT_ID) == id && at <= n && length <= n - at) {
			*size = length;
			return p + at;
		}
	}
	return NULL;
}

/* Writes the correct fingerprint before the configuration words and the correct CRC after them. */
static void set_device(uint8_t *p, size_t n, const struct overlay *o)
{
	size_t size = 0, word = overlay_data(o) == 64 ? 8 : 4;
	uint8_t *device = section(p, n, SEC_device, &size);

	if (device == NULL || size < 8 + word)
		return;
	memcpy(device, p + IMAGE_AT_HARDWARE, 8);
	put_le32(device + size - word, crc32c(0, device, size - word));
}

static void set_fingerprints(uint8_t *p, size_t n)
{
	size_t nproto, noverlay;
	uint8_t *proto = section(p, n, SEC_protocol, &nproto);
	uint8_t *overlay = section(p, n, SEC_overlay, &noverlay);
	struct nfart_proto *table = proto != NULL ? proto_read(proto, nproto, NULL) : NULL;
	struct overlay o;

	overlay_presets(&o);
	o.none = overlay == NULL || noverlay < noverlay_first * 4;
	for (size_t i = 0; i < noverlay_params && i < noverlay / 4 && !o.none; i++)
		*overlay_field(&o, &overlay_params[i]) = get_le32(overlay + 4 * i);
	if (table != NULL) {
		put_le64(p + IMAGE_AT_HARDWARE, contract_fingerprint(&o, table));
		put_le64(p + IMAGE_AT_NAMES, table->fp.names);
	}
	set_device(p, n, &o);
	proto_free(table);
}

static void image_repair(uint8_t *p, size_t n)
{
	uint32_t count = get_le32(p + IMAGE_AT_NSECTIONS) % 16;
	size_t head;

	if (count > (n - IMAGE_HEADER) / IMAGE_ENTRY)
		count = (uint32_t)((n - IMAGE_HEADER) / IMAGE_ENTRY);
	head = IMAGE_HEADER + count * (size_t)IMAGE_ENTRY;
	memcpy(p, IMAGE_MAGIC, 8);
	put_le32(p + IMAGE_AT_VERSION, CONTRACT_VERSION);
	put_le32(p + IMAGE_AT_NSECTIONS, count);
	put_le64(p + IMAGE_AT_SIZE, n);
	set_fingerprints(p, n);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *entry = p + IMAGE_HEADER + i * (size_t)IMAGE_ENTRY;
		uint64_t at = get_le64(entry + ENTRY_AT_OFFSET),
			 length = get_le64(entry + ENTRY_AT_LENGTH);
		if (at <= n && length <= n - at)
			put_le32(entry + ENTRY_AT_CRC, crc32c(0, p + at, length));
	}
	put_le32(p + IMAGE_AT_CRC, 0);
	put_le32(p + IMAGE_AT_CRC, crc32c(0, p, head));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint8_t *copy = malloc(n + 1);

	image_use(data, n);
	if (copy != NULL && n >= IMAGE_HEADER) {
		memcpy(copy, data, n);
		image_repair(copy, n);
		image_use(copy, n);
	}
	free(copy);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes the sections of an image. In the device section the target writes the elements; this file
 * writes the fingerprint before them and the CRC after them.
 */
#include "backends/image/pack.h"

#include <string.h>

#include "backends/image/pack_machines.h"
#include "contract/crc.h"

/* ---- configuration words ---- */

static uint64_t register_value(const struct spec *s, enum element_id id)
{
	switch (id) {
	case EL_by_line:
		return s->substreams.by_line;
	case EL_base:
		return s->substreams.by_line ? s->substreams.ranges.at[0].first : 0;
	case EL_count:
		return s->substreams.by_line ? s->substreams.ranges.at[0].count : 0;
	case EL_window_size:
		return s->window.before;
	case EL_limit:
		return s->stream.limit;
	case EL_tick:
		return s->stream.tick;
	case EL_end:
		return s->stream.end;
	case EL_window_after:
		return s->window.after;
	default:
		return 0;
	}
}

void pack_register(const struct target_job *job, const struct element *el, struct buf *b)
{
	const struct overlay *o = &job->made.overlay;
	uint32_t words[4] = { 0 };
	size_t n = (size_t)element_words(el, o) * (overlay_data(o) / 32);

	words_set(words, 0, el->width(o), register_value(job->spec, el->id));
	for (size_t i = 0; i < n; i++)
		buf_le32(b, words[i]);
}

size_t pack_begin(const struct element *el, struct buf *b)
{
	size_t head = b->n;

	buf_le32(b, (uint32_t)el->id);
	buf_le32(b, 0);
	return head;
}

bool pack_end(const struct target_job *job, size_t head, struct buf *b)
{
	size_t words = (b->n - head - 4 * DEVICE_HEAD) / (overlay_data(&job->made.overlay) / 8);

	if (b->failed || words > UINT32_MAX / 4)
		return false;
	put_le32((unsigned char *)b->at + head + 4, (uint32_t)words);
	return true;
}

/* Appends the element that comes last: the CRC of all bytes of b from offset `begin` on. */
static void pack_crc(const struct target_job *job, size_t begin, struct buf *b)
{
	buf_le32(b, 0);
	buf_le32(b, 1);
	if (b->failed)
		return;
	buf_le32(b, crc32c(0, b->at + begin, b->n - begin));
	if (overlay_data(&job->made.overlay) == 64)
		buf_le32(b, 0);
}

/* Appends the device section (contract.h, Note [configuration words]), as little-endian halves.
 * False: out of memory, or an element is too long. */
static bool pack_device(const struct target_job *job, pack_elements *fill, struct buf *b)
{
	size_t begin = b->n;
	uint64_t fp = contract_fingerprint(&job->made.overlay, job->spec->proto);

	buf_le32(b, (uint32_t)fp);
	buf_le32(b, (uint32_t)(fp >> 32));
	if (!fill(job, b))
		return false;
	pack_crc(job, begin, b);
	return !b->failed;
}

/* ---- sections ---- */

static void source_section(const struct target_job *job, struct buf *b)
{
	for (size_t i = 0; i < job->nfiles; i++) {
		const struct diag_source *s = &job->diags->sources.at[job->files[i]];
		buf_addf(b, "%s %zu\n", pack_base_name(s->name), s->n);
		buf_add(b, s->text, s->n);
	}
}

static bool fill_section(const struct target_job *job, pack_elements *fill, enum section_id id,
			 struct buf *b)
{
	struct overlay o = job->made.overlay;

	switch (id) {
	case SEC_overlay:
		for (size_t i = 0; !o.none && i < overlay_params_used(&o); i++)
			buf_le32(b, *overlay_field(&o, &overlay_params[i]));
		return true;
	case SEC_protocol:
		proto_write(job->spec->proto, b);
		return true;
	case SEC_device:
		return pack_device(job, fill, b);
	case SEC_labels:
		for (size_t i = 0; i < job->spec->labels.n; i++)
			buf_add(b, job->spec->labels.at[i], strlen(job->spec->labels.at[i]) + 1);
		for (size_t i = 0; i < job->spec->outputs.n; i++)
			buf_addf(b, "%c%s%c", IMAGE_OUTPUT, job->spec->outputs.at[i], 0);
		return true;
	case SEC_names:
		pack_names(job, b);
		return true;
	case SEC_source:
		source_section(job, b);
		return true;
	case SEC_guards:
		pack_guards(job, b);
		return true;
	case SEC_pairs:
		proto_write_pairs(job->spec->proto, b);
		return true;
	case SEC_fields:
		proto_write_fields(job->spec->proto, b);
		return true;
	case SEC_field:
		buf_add(b, job->spec->substreams.field, strlen(job->spec->substreams.field) + 1);
		return true;
	case SEC_loss:
		buf_add(b, "\1", 1);
		return true;
	case SEC_machines:
		pack_machines(job, b);
		return true;
	case SEC_follow:
		buf_add(b, "\1", 1);
		return true;
	case SEC_rules:
		buf_add(b, job->kept->at, job->kept->n);
		return true;
	}
	return false;
}

static bool wanted(const struct target_job *job, enum section_id id)
{
	switch (id) {
	case SEC_names:
		return job->setup->names;
	case SEC_source:
		return job->setup->source;
	case SEC_field:
		return job->spec->substreams.field != NULL;
	case SEC_pairs:
		return job->spec->proto->names.npairs != 0;
	case SEC_fields:
		return job->spec->proto->names.nfields != 0;
	case SEC_loss:
		return job->spec->stream.reset_on_loss;
	case SEC_machines:
		return job->spec->machines.n != 0;
	case SEC_follow:
		return job->follow != NULL && *job->follow;
	case SEC_rules:
		return (job->setup->names || wanted(job, SEC_follow)) && job->kept != NULL &&
		       job->kept->n != 0;
	case SEC_guards:
		return job->setup->names && job->spec->guards.guarded.n != 0;
	default:
		return true;
	}
}

static void header(const struct target_job *job, uint32_t n, size_t size, unsigned char *p)
{
	memcpy(p, IMAGE_MAGIC, 8);
	put_le32(p + IMAGE_AT_VERSION, CONTRACT_VERSION);
	put_le32(p + IMAGE_AT_NSECTIONS, n);
	put_le64(p + IMAGE_AT_HARDWARE, contract_fingerprint(&job->made.overlay, job->spec->proto));
	put_le64(p + IMAGE_AT_NAMES, job->spec->proto->fp.names);
	put_le64(p + IMAGE_AT_SIZE, size);
}

bool pack_image(struct target_job *job, pack_elements *fill)
{
	struct buf *b = &job->made.image;
	struct buf body = { 0 };
	unsigned char head[IMAGE_HEADER] = { 0 }, table[16 * IMAGE_ENTRY] = { 0 };
	uint32_t n = 0, k = 0;
	bool ok = true;
	size_t base;

	for (size_t i = 0; i < nsections; i++)
		n += wanted(job, sections[i].id);
	base = IMAGE_HEADER + n * (size_t)IMAGE_ENTRY;
	for (size_t i = 0; i < nsections && ok; i++) {
		unsigned char *e = table + k * (size_t)IMAGE_ENTRY;
		size_t at = body.n;
		if (!wanted(job, sections[i].id))
			continue;
		k++;
		ok = fill_section(job, fill, sections[i].id, &body) && !body.failed;
		if (!ok)
			break;
		put_le32(e + ENTRY_AT_ID, (uint32_t)sections[i].id);
		put_le32(e + ENTRY_AT_FLAGS, sections[i].skippable ? ENTRY_SKIPPABLE : 0);
		put_le64(e + ENTRY_AT_OFFSET, base + at);
		put_le64(e + ENTRY_AT_LENGTH, body.n - at);
		put_le32(e + ENTRY_AT_CRC, body.n == at ? 0 : crc32c(0, body.at + at, body.n - at));
		while ((base + body.n) % 8 != 0 && !body.failed)
			buf_add(&body, "", 1);
	}
	header(job, n, base + body.n, head);
	put_le32(head + IMAGE_AT_CRC,
		 crc32c(crc32c(0, head, sizeof head), table, n * (size_t)IMAGE_ENTRY));
	buf_add(b, head, sizeof head);
	buf_add(b, table, n * (size_t)IMAGE_ENTRY);
	buf_add(b, body.at, body.n);
	buf_free(&body);
	return ok && !b->failed;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes and reads the file header of binary traces (binary.h), and detects it.
 */
#include <string.h>

#include "contract/crc.h"
#include "runtime/trace/format.h"

bool trace_head_write(struct buf *b, const struct nfart_proto *p, enum trace_kind kind,
		      struct trace_form form, const char *const *labels, uint32_t nlabels)
{
	size_t start = b->n, name_size = strlen(p->name), labels_size = 0, size;

	for (uint32_t i = 0; i < nlabels; i++)
		labels_size += strlen(labels[i]) + 1;
	size = (HEAD_TEXT + name_size + labels_size + 4 + 7) / 8 * 8;
	if (size > TRACE_MOST_HEADER ||
	    nlabels > (form.names ? TRACE_MOST_NAMED : TRACE_MOST_LABELS))
		return false;
	buf_add(b, TRACE_MAGIC, 8);
	buf_le32(b, TRACE_VERSION | (form.names ? TRACE_NAMES : 0) |
			    (form.payload_words != 0 ? TRACE_PAYLOAD : 0) |
			    form.payload_words << TRACE_PAYLOAD_AT);
	buf_le32(b, kind);
	buf_le32(b, (uint32_t)size);
	buf_le32(b, p->nslots);
	buf_le32(b, p->header.bits);
	buf_le32(b, p->header.op_lsb);
	buf_le32(b, p->header.op_bits);
	buf_le32(b, nlabels);
	buf_le64(b, p->fp.hardware);
	buf_le32(b, (uint32_t)name_size);
	buf_le32(b, (uint32_t)labels_size);
	buf_add(b, p->name, name_size);
	for (uint32_t i = 0; i < nlabels; i++)
		buf_add(b, labels[i], strlen(labels[i]) + 1);
	while (!b->failed && b->n - start < size - 4)
		buf_add(b, "", 1);
	if (!b->failed)
		buf_le32(b, crc32c(0, b->at + start, size - 4));
	return true;
}

/* Do these bytes begin with the magic of a binary trace? A magic with up to two wrong bytes counts
 * as that of a damaged trace. */
static bool is_binary(const unsigned char *p, size_t n)
{
	unsigned same = 0;

	for (size_t i = 0; i < 8 && i < n; i++)
		same += p[i] == (unsigned char)TRACE_MAGIC[i];
	return same >= 6;
}

static bool is_kind(const unsigned char *p, size_t n, enum trace_kind kind)
{
	return is_binary(p, n) && n >= HEAD_SIZE && get_le32(p + HEAD_KIND) == kind;
}

bool detect_records(const unsigned char *p, size_t n)
{
	return is_kind(p, n, TRACE_RECORDS);
}

bool detect_dense(const unsigned char *p, size_t n)
{
	return is_kind(p, n, TRACE_DENSE);
}

/* Also accepts a binary trace whose kind is damaged, so that trace_head_read() reports the
 * damage. */
bool detect_compact(const unsigned char *p, size_t n)
{
	return is_binary(p, n) && !is_kind(p, n, TRACE_RECORDS) && !is_kind(p, n, TRACE_DENSE);
}

/* Is the whole file header there, and undamaged? *size becomes its size. */
static bool head_is_whole(struct nfart_reader *r, uint32_t *size)
{
	const unsigned char *h;
	uint64_t text;

	if (!input_need(&r->in, HEAD_TEXT))
		return false;
	*size = get_le32(r->in.at + HEAD_SIZE);
	if (*size < HEAD_TEXT + 4 || *size > TRACE_MOST_HEADER || *size % 8 != 0 ||
	    !input_need(&r->in, *size))
		return false;
	h = r->in.at;
	text = (uint64_t)get_le32(h + HEAD_NAME_SIZE) + get_le32(h + HEAD_LABELS_SIZE);
	return memcmp(h, TRACE_MAGIC, 8) == 0 && text <= *size - HEAD_TEXT - 4 &&
	       get_le32(h + HEAD_NLABELS) <= TRACE_MOST_LABELS &&
	       crc32c(0, h, *size - 4) == get_le32(h + *size - 4);
}

static bool proto_matches(const struct nfart_proto *p, const unsigned char *h)
{
	return get_le32(h + HEAD_NSLOTS) == p->nslots &&
	       get_le32(h + HEAD_HEADER_BITS) == p->header.bits &&
	       get_le32(h + HEAD_OP_LSB) == p->header.op_lsb &&
	       get_le32(h + HEAD_OP_BITS) == p->header.op_bits &&
	       get_le64(h + HEAD_FINGERPRINT) == p->fp.hardware;
}

bool trace_head_read(struct nfart_reader *r, enum trace_kind kind, struct nfart_error *e)
{
	const unsigned char *h;
	uint32_t size, name_size, version;
	struct trace_form form;

	if (!head_is_whole(r, &size)) {
		if (r->in.error != 0)
			reader_fail_input(r, e);
		else if (r->in.damage != NULL)
			reader_fail(r, e, "%s", r->in.damage);
		else
			reader_fail(r, e, "no binary trace, or its file header is damaged");
		return false;
	}
	h = r->in.at;
	name_size = get_le32(h + HEAD_NAME_SIZE);
	version = get_le32(h + HEAD_VERSION);
	if (!trace_form(version, &form)) {
		reader_fail(r, e, "version %u of the trace format is not known, only %d",
			    version, TRACE_VERSION);
	} else if (get_le32(h + HEAD_KIND) != kind) {
		reader_fail(r, e, "a binary trace, but not of format '%s'",
			    nfart_format_name(r->o.format));
	} else if (!proto_matches(r->proto, h)) {
		reader_fail(r, e, "the trace was made with protocol '%.*s', which is not this '%s'",
			    (int)(name_size < 64 ? name_size : 64), (const char *)h + HEAD_TEXT,
			    r->proto->name);
	} else if (form.names && get_le32(h + HEAD_NLABELS) > TRACE_MOST_NAMED) {
		reader_fail(r, e, "%u labels, but at most %d where records name lines",
			    get_le32(h + HEAD_NLABELS), TRACE_MOST_NAMED);
	} else if (form.payload_words != 0 && kind == TRACE_DENSE) {
		reader_fail(r, e, "a dense trace has no payload, but this says it has %u bits",
			    64 * form.payload_words);
	} else if (!reader_payload(r, form.payload_words)) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	} else {
		r->label_words = (uint32_t)bits_words(get_le32(h + HEAD_NLABELS));
		if (form.names)
			r->label_words += trace_name_words(r->label_words);
		input_take(&r->in, size);
		return true;
	}
	return false;
}

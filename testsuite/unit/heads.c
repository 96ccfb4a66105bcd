/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Binary traces whose file header, trailer or index is wrong, field by field, with right checksums.
 * The reader must refuse a wrong file header. The index must end where it is wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "grammar/describe/builtin.h"
#include "runtime/trace/border.h"
#include "runtime/trace/writer.h"
#include "testsuite/unit/unit.h"

enum { BATCHES = 40, CHUNK = 200 };

/* A trace of 28 slots in several chunks. */
struct made {
	struct nfart_proto *proto;
	uint8_t *at;
	size_t n;
};

static struct made heads_make(enum nfart_format format)
{
	struct nfart_writer_options o = { .format = format };
	struct made m = { proto_builtin("eci"), NULL, 0 };
	struct nfart_error e;
	struct nfart_writer *w;
	FILE *f = open_memstream((char **)&m.at, &m.n);

	w = nfart_writer_new(f, m.proto, &o, &e);
	unit_check(w != NULL);
	w->chunk = CHUNK;
	for (uint64_t i = 1; i <= BATCHES; i++) {
		struct nfart_batch b = { .time = i, .mask = 1 };
		unit_check(nfart_writer_put(w, &b, NULL));
	}
	unit_check(nfart_writer_close(w, &e) == NFART_OK);
	fclose(f);
	return m;
}

static void made_free(struct made *m)
{
	proto_free(m->proto);
	free(m->at);
}

/* Returns why the trace can't be opened, or "" if it can. The text is valid until the next call. */
static const char *heads_why(const struct made *m, size_t n, enum nfart_format format)
{
	struct nfart_reader_options o = { .format = format };
	static struct nfart_error e;
	struct nfart_reader *r = nfart_reader_memory(m->at, n, "trace", m->proto, &o, &e);

	if (r != NULL)
		e.what[0] = 0;
	nfart_reader_free(r);
	return e.what;
}

static void seal_head(struct made *m, size_t size)
{
	put_le32(m->at + size - 4, crc32c(0, m->at, size - 4));
}

START_TEST(fields)
{
	static const char no_trace[] = "no binary trace, or its file header is damaged";
	static const char other[] =
		"the trace was made with protocol 'eci', which is not this 'eci'";
	static const struct {
		uint32_t at, value;
		const char *what;
	} wrong[] = {
		{ HEAD_VERSION, 7, "version 7 of the trace format is not known, only 1" },
		/* Names of lines and payload are known extensions, others are not; nor is a payload
		 * of no words or too many, or words without the extension. */
		{ HEAD_VERSION, TRACE_VERSION | TRACE_NAMES | 1 << 19,
		  "version 655361 of the trace format is not known, only 1" },
		{ HEAD_VERSION, TRACE_VERSION | TRACE_PAYLOAD,
		  "version 262145 of the trace format is not known, only 1" },
		{ HEAD_VERSION, TRACE_VERSION | TRACE_PAYLOAD | 9 << TRACE_PAYLOAD_AT,
		  "version 9699329 of the trace format is not known, only 1" },
		{ HEAD_VERSION, TRACE_VERSION | 2 << TRACE_PAYLOAD_AT,
		  "version 2097153 of the trace format is not known, only 1" },
		{ HEAD_KIND, TRACE_DENSE, "a binary trace, but not of format 'compact'" },
		{ HEAD_KIND, 9, "a binary trace, but not of format 'compact'" },
		{ HEAD_SIZE, 0, no_trace },
		{ HEAD_SIZE, HEAD_TEXT, no_trace },
		{ HEAD_SIZE, TRACE_MOST_HEADER + 8, no_trace },
		{ HEAD_SIZE, 1 << 20, no_trace },
		{ HEAD_SIZE, 67, no_trace },
		{ HEAD_NSLOTS, 20, other },
		{ HEAD_HEADER_BITS, 63, other },
		{ HEAD_OP_LSB, 58, other },
		{ HEAD_OP_BITS, 6, other },
		{ HEAD_FINGERPRINT, 1, other },
		{ HEAD_NLABELS, TRACE_MOST_LABELS + 1, no_trace },
		{ HEAD_NAME_SIZE, 1 << 16, no_trace },
		{ HEAD_LABELS_SIZE, UINT32_MAX, no_trace },
	};
	struct made m = heads_make(NFART_FORMAT_COMPACT);
	size_t size = get_le32(m.at + HEAD_SIZE);
	uint8_t *before = malloc(size);

	unit_check(before != NULL);
	memcpy(before, m.at, size);
	ck_assert_str_eq(heads_why(&m, m.n, NFART_FORMAT_COMPACT), "");
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		put_le32(m.at + wrong[i].at, wrong[i].value);
		seal_head(&m, size);
		ck_assert_str_eq(heads_why(&m, m.n, NFART_FORMAT_COMPACT), wrong[i].what);
		memcpy(m.at, before, size);
	}
	m.at[HEAD_NSLOTS] ^= 1; /* without a right checksum */
	ck_assert_str_eq(heads_why(&m, m.n, NFART_FORMAT_COMPACT), no_trace);
	memcpy(m.at, before, size);
	m.at[0] ^= 1; /* a damaged magic is still one of a binary trace */
	seal_head(&m, size);
	ck_assert_str_eq(heads_why(&m, m.n, NFART_FORMAT_AUTO), no_trace);
	memcpy(m.at, before, size);
	ck_assert_str_eq(heads_why(&m, size - 1, NFART_FORMAT_COMPACT), no_trace);
	ck_assert_str_eq(heads_why(&m, 12, NFART_FORMAT_COMPACT), no_trace);
	free(before);
	made_free(&m);
}
END_TEST

/* A file header that would be too long, or has too many labels, is not written. */
START_TEST(too_many_labels)
{
	size_t n = (size_t)TRACE_MOST_LABELS + 1;
	char *text = malloc(TRACE_MOST_HEADER + 1), *out = NULL;
	const char **labels = malloc(n * sizeof *labels);
	struct nfart_writer_options o = { .format = NFART_FORMAT_COMPACT };
	struct nfart_proto *p = proto_builtin("eci");
	struct nfart_error e;
	size_t size = 0;
	FILE *f = open_memstream(&out, &size);

	unit_check(text != NULL && labels != NULL && f != NULL);
	memset(text, 'x', TRACE_MOST_HEADER);
	text[TRACE_MOST_HEADER] = 0;
	for (size_t i = 0; i < n; i++)
		labels[i] = "";
	o.labels = labels;
	o.nlabels = (uint32_t)n;
	ck_assert_ptr_null(nfart_writer_new(f, p, &o, &e));
	o.nlabels = TRACE_MOST_NAMED + 1; /* fewer, where records name lines */
	o.by_line = true;
	ck_assert_ptr_null(nfart_writer_new(f, p, &o, &e));
	o.by_line = false;
	labels[0] = text;
	o.nlabels = 1;
	ck_assert_ptr_null(nfart_writer_new(f, p, &o, &e));
	fclose(f);
	free(out);
	free(labels);
	free(text);
	proto_free(p);
}
END_TEST

/* ---- the index ---- */

/* Returns how many entries of the trace's index can be read; -1: it can't be opened. */
static int entries(const struct made *m, enum nfart_format format)
{
	struct nfart_reader_options o = { .format = format };
	struct trace_index ix;
	struct nfart_error e;
	struct nfart_reader *r = nfart_reader_memory(m->at, m->n, "trace", m->proto, &o, &e);
	uint64_t offset;
	int n = -1;

	unit_check(r != NULL);
	if (trace_index_open(&ix, r))
		for (n = 0; trace_index_next(&ix, &offset);)
			n++;
	trace_index_close(&ix);
	nfart_reader_free(r);
	return n;
}

/* Sets a field of 32 bits at p, repairs the trailer's checksum and that of the index chunk, and
 * returns how many entries can be read then. Puts back what was there. */
static int entries_with(struct made *m, uint8_t *p, uint32_t value)
{
	uint8_t *trailer = m->at + m->n - TRAILER_SIZE, before[4];
	uint8_t *index = m->at + get_le64(trailer + TRAILER_OFFSET);
	size_t tail = m->n - (size_t)(index - m->at);
	uint8_t *saved = malloc(tail);
	int n;

	unit_check(saved != NULL);
	memcpy(saved, index, tail);
	memcpy(before, p, sizeof before);
	put_le32(p, value);
	put_le32(trailer + TRAILER_CRC, crc32c(0, trailer, TRAILER_CRC));
	if (p != index + CHUNK_CRC)
		put_le32(index + CHUNK_CRC,
			 crc32c(0, index + CHUNK_HEAD,
				tail - CHUNK_HEAD - TRAILER_SIZE));
	if (p != index + CHUNK_HEAD_CRC)
		put_le32(index + CHUNK_HEAD_CRC, crc32c(0, index, CHUNK_HEAD_CRC));
	n = entries(m, NFART_FORMAT_COMPACT);
	memcpy(p, before, sizeof before);
	memcpy(index, saved, tail);
	free(saved);
	return n;
}

START_TEST(index_fields)
{
	struct made m = heads_make(NFART_FORMAT_COMPACT);
	uint8_t *trailer = m.at + m.n - TRAILER_SIZE;
	uint8_t *index = m.at + get_le64(trailer + TRAILER_OFFSET);
	uint32_t end = get_le32(trailer + TRAILER_OFFSET);
	int n = entries(&m, NFART_FORMAT_COMPACT);

	ck_assert_int_ge(n, 4);
	/* The trailer: its magic, and where the index is. */
	ck_assert_int_eq(entries_with(&m, trailer, 0), -1);
	ck_assert_int_eq(entries_with(&m, trailer + TRAILER_OFFSET + 4, 1), -1);
	ck_assert_int_eq(entries_with(&m, trailer + TRAILER_OFFSET, (uint32_t)m.n - 31), -1);
	ck_assert_int_eq(entries_with(&m, trailer + TRAILER_OFFSET, (uint32_t)m.n - 32), 0);
	ck_assert_int_eq(entries_with(&m, trailer + TRAILER_OFFSET, end - 8), 0);
	/* The header of the index chunk. */
	ck_assert_int_eq(entries_with(&m, index, 0), 0);
	ck_assert_int_eq(entries_with(&m, index + CHUNK_TYPE, CHUNK_RECORDS), 0);
	ck_assert_int_eq(entries_with(&m, index + CHUNK_BYTES, TRACE_MOST_CHUNK + 8), 0);
	ck_assert_int_eq(entries_with(&m, index + CHUNK_BYTES, 1 << 16), 0);
	ck_assert_int_eq(entries_with(&m, index + CHUNK_COUNT, 0), 0);
	ck_assert_int_eq(entries_with(&m, index + CHUNK_COUNT, (uint32_t)n + 1), 0);
	ck_assert_int_eq(entries_with(&m, index + CHUNK_CRC, 0), 0);
	ck_assert_int_eq(entries_with(&m, index + CHUNK_HEAD_CRC, 0), 0);
	/* Its entries: one beyond the data, and one that does not rise. */
	ck_assert_int_eq(entries_with(&m, index + CHUNK_HEAD, end), 0);
	ck_assert_int_eq(entries_with(&m, index + CHUNK_HEAD + INDEX_ENTRY, 0), 1);
	ck_assert_int_eq(entries(&m, NFART_FORMAT_COMPACT), n);
	trailer[TRAILER_CRC] ^= 1;
	ck_assert_int_eq(entries(&m, NFART_FORMAT_COMPACT), -1);
	made_free(&m);
}
END_TEST

/* A trace in which all that follows the file header is missing. */
START_TEST(no_index)
{
	struct made m = heads_make(NFART_FORMAT_DENSE);

	ck_assert_int_ge(entries(&m, NFART_FORMAT_DENSE), 4);
	m.n = get_le32(m.at + HEAD_SIZE);
	ck_assert_int_eq(entries(&m, NFART_FORMAT_DENSE), -1);
	made_free(&m);
	m = heads_make(NFART_FORMAT_RECORDS);
	ck_assert_int_eq(entries(&m, NFART_FORMAT_RECORDS), -1);
	made_free(&m);
}
END_TEST

Suite *suite_heads(void)
{
	const TTest *const tests[] = { fields, too_many_labels, index_fields, no_index, NULL };

	return unit_suite("heads", tests);
}

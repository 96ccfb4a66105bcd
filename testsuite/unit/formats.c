/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Tests the table of trace formats (format.c), and the copy of that table in nfacc-trace(5).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/codec/codec.h"
#include "runtime/trace/format.h"
#include "testsuite/unit/unit.h"

static bool is_format(unsigned f)
{
	return trace_format((enum nfart_format)f) != trace_format(NFART_FORMAT_AUTO);
}

START_TEST(rows)
{
	enum nfart_format f;

	for (unsigned i = 1; is_format(i); i++) {
		const struct trace_format *row = trace_format((enum nfart_format)i);
		ck_assert(nfart_format_parse(row->name, &f) && f == (enum nfart_format)i);
		ck_assert(row->read != NULL || row->write != NULL);
		ck_assert(row->block == NULL || row->read != NULL);
	}
	ck_assert(!nfart_format_parse("auto", &f));
}
END_TEST

static void check_names(enum format_use use, const char *names)
{
	struct buf b = { 0 };
	enum nfart_format f;

	for (size_t i = 0; (f = trace_format_nth(use, i)) != NFART_FORMAT_AUTO; i++)
		buf_addf(&b, "%s%s", i != 0 ? " " : "", nfart_format_name(f));
	ck_assert_str_eq(b.at, names);
	buf_free(&b);
}

START_TEST(names)
{
	check_names(FORMAT_READ, "text records compact dense ila dump raw vcd fst ring-memory");
	check_names(FORMAT_WRITE,
		    "text records compact dense json csv perfetto vcd pcapng pretty");
	check_names(FORMAT_BOTH, "text records compact dense");
}
END_TEST

/* The table in the manual page must have the rows of format.c, in the same order. */
START_TEST(manual)
{
	static const char first[] = ".It Sy format ";
	const char *folder = getenv("SRCDIR");
	char path[4096], line[256];
	struct buf page = { 0 };
	const char *p;

	snprintf(path, sizeof path, "%s/doc/man/nfacc-trace.5",
		 folder != NULL ? folder : ".");
	ck_assert_int_eq(buf_read_file(&page, path, 1 << 20), 0);
	p = strstr(page.at, first);
	ck_assert(p != NULL);
	p = strchr(p, '\n') + 1;
	for (unsigned i = 1; is_format(i); i++) {
		const struct trace_format *row = trace_format((enum nfart_format)i);
		snprintf(line, sizeof line, ".It Cm %s Ta %s Ta %s\n", row->name,
			 row->write == NULL ? "read" : row->read == NULL ? "write" : "read, write",
			 row->what);
		ck_assert_msg(strncmp(p, line, strlen(line)) == 0, "nfacc-trace.5 lacks here: %s",
			      line);
		p += strlen(line);
	}
	ck_assert(strncmp(p, ".It", 3) != 0);
	buf_free(&page);
}
END_TEST

START_TEST(nanoseconds)
{
	struct nfart_writer w = { .o.clock = 0 };

	unit_eq(writer_nanoseconds(&w, UINT64_MAX), UINT64_MAX);
	w.o.clock = 1000000000;
	unit_eq(writer_nanoseconds(&w, 12345), 12345);
	w.o.clock = 300000000;
	unit_eq(writer_nanoseconds(&w, 1), 3);
	unit_eq(writer_nanoseconds(&w, 3), 10);
	unit_eq(writer_nanoseconds(&w, (uint64_t)1 << 62), 15372286728091293013u);
	unit_eq(writer_nanoseconds(&w, (uint64_t)1 << 63), UINT64_MAX);
}
END_TEST

START_TEST(endings)
{
	ck_assert(nfart_compression_of_name("a.bt.gz") == NFART_COMPRESSION_GZIP);
	ck_assert(nfart_compression_of_name("d/a.zst") == NFART_COMPRESSION_ZSTD);
	ck_assert(nfart_compression_of_name("a.bt") == NFART_COMPRESSION_NONE);
	ck_assert(nfart_compression_of_name(".gz") == NFART_COMPRESSION_NONE);
	ck_assert(nfart_compression_of_name("gz") == NFART_COMPRESSION_NONE);
}
END_TEST

/* If the first bytes may still become a compressed trace, codec_detect() asks for more bytes. If
 * they can't, it does not. */
START_TEST(magic)
{
	bool more;

	ck_assert(codec_detect((const unsigned char *)"", 0, &more) == NULL && more);
	ck_assert(codec_detect((const unsigned char *)"\x1f\x8b", 2, &more) == NULL && more);
	ck_assert(codec_detect((const unsigned char *)"\x1f\x8b\x08", 3, &more) == &codec_gzip);
	ck_assert(codec_detect((const unsigned char *)"\x28\xb5\x2f\xfd", 4, &more) == &codec_zstd);
	ck_assert(codec_detect((const unsigned char *)"\x5a\x2a\x4d\x18", 4, &more) == &codec_zstd);
	ck_assert(codec_detect((const unsigned char *)"1 cpu", 5, &more) == NULL && !more);
	ck_assert(codec_detect((const unsigned char *)"7", 1, &more) == NULL && !more);
}
END_TEST

Suite *suite_formats(void)
{
	const TTest *const tests[] = { rows, names, manual, nanoseconds, endings, magic, NULL };

	return unit_suite("formats", tests);
}

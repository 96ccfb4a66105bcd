/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes protocol descriptions: the table of each is written and read back. The bytes are also read
 * as such a table.
 */
#include <string.h>

#include "grammar/describe/proto_text.h"
#include "testsuite/fuzz/fuzz.h"

static void check_table(const struct nfart_proto *p)
{
	struct buf b = { 0 }, again = { 0 };
	struct nfart_error e;
	struct nfart_proto *q;

	proto_write(p, &b);
	fuzz_expect(!b.failed);
	q = proto_read((const unsigned char *)b.at, b.n, &e);
	fuzz_expect(q != NULL);
	fuzz_expect(p->fp.hardware == q->fp.hardware && p->fp.names == q->fp.names);
	proto_write(q, &again);
	fuzz_expect(b.n == again.n && memcmp(b.at, again.at, b.n) == 0);
	proto_free(q);
	buf_free(&b);
	buf_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct diags d = { .werror = false };
	struct nfart_proto *p;
	struct nfart_error e;

	proto_parse(&d, NULL, 0, "fuzz", (const char *)data, n, &p);
	fuzz_expect((p == NULL) == (d.errors != 0));
	if (p != NULL)
		check_table(p);
	proto_free(p);
	fuzz_print(&d);
	diag_free(&d);
	p = proto_read(data, n, &e);
	fuzz_expect(p != NULL || e.status == NFART_INPUT);
	if (p != NULL)
		check_table(p);
	proto_free(p);
	return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes what nfavirt reads of a program: its ELF file, of whose symbols a protocol must come that
 * parses, and the trace of its accesses.
 */
#include "grammar/describe/proto_text.h"
#include "probes/virtual/program/lackey.h"
#include "probes/virtual/program/symbol_protocol.h"
#include "testsuite/fuzz/fuzz.h"

static void check_symbols(const uint8_t *data, size_t n)
{
	struct buf text = { 0 };
	struct diags d = { .werror = false };
	struct nfart_proto *p = NULL;
	struct elf_symbols x;
	struct nfart_error e;

	if (elf_symbols_parse(&x, data, n, "fuzz", &e) != NFART_OK) {
		fuzz_expect(e.what[0] != 0);
		return;
	}
	for (size_t i = 0; i < x.names.n; i++) {
		fuzz_expect(elf_symbols_find(&x, x.names.at[i].at) == (ptrdiff_t)i);
		fuzz_expect(i == 0 || x.names.at[i - 1].at + x.names.at[i - 1].bytes <=
					      x.names.at[i].at);
	}
	fuzz_expect(symbol_protocol(&x, symbol_slots(&x, (struct symbol_slots){ 0, 0 }), "fuzz",
				    NULL, &text));
	fuzz_expect(proto_parse(&d, NULL, 0, "fuzz", text.at, text.n, &p) == NFART_OK);
	proto_free(p);
	diag_free(&d);
	buf_free(&text);
	elf_symbols_close(&x);
}

static void check_accesses(const uint8_t *data, size_t n)
{
	struct lackey l = { { 0 } };
	struct nfart_error e;
	FILE *f = n == 0 ? NULL : fmemopen((void *)(uintptr_t)data, n, "r");

	if (f == NULL)
		return;
	if (lackey_read(&l, f, "fuzz", &e) != NFART_OK)
		fuzz_expect(e.line > 0 && e.what[0] != 0);
	for (size_t i = 0; i < l.accesses.n; i++)
		fuzz_expect(l.accesses.at[i].bytes > 0);
	lackey_free(&l);
	fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	check_symbols(data, n);
	check_accesses(data, n);
	return 0;
}

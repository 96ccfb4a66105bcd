/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * packets: writes the tokens that nfaperf makes of packets of E-Trace, messages of N-Trace or an
 * RVFI trace, as they are in memory.
 *
 *   packets etrace|ntrace|rvfi ELF FILE [ENCODER]
 */
#include <stdio.h>
#include <string.h>

#include "probes/profile/stacks/token_reader.h"

enum { BLOCK = 1 << 12 };

static enum nfart_status copy_tokens(struct token_reader *r, struct nfart_error *e)
{
	const struct nfaperf_token *t;
	enum nfart_status status = NFART_OK;
	bool last = false;
	size_t n;

	while (status == NFART_OK && !last) {
		status = token_reader_need(r, BLOCK, &t, &n, &last, e);
		if (status == NFART_OK) {
			fwrite(t, sizeof *t, n, stdout);
			token_reader_take(r, n);
		}
	}
	return status == NFART_OK && r->cut ? NFART_PARTIAL : status;
}

int main(int argc, char **argv)
{
	struct token_source from = { 0 };
	struct nfart_error e = { 0 };
	struct token_reader r = { 0 };
	struct rv_code code;
	enum nfart_status status;

	if (argc < 4 || !etrace_encoder_read(&from.encoder, argc > 4 ? argv[4] : ""))
		return 2;
	from.form = strcmp(argv[1], "rvfi") == 0     ? TOKENS_RVFI
		    : strcmp(argv[1], "ntrace") == 0 ? TOKENS_NTRACE
						     : TOKENS_ETRACE;
	from.path = argv[3];
	if (!rv_code_init(&code))
		return 99;
	status = rv_code_add(&code, argv[2], &e);
	if (status == NFART_OK) {
		status = token_reader_open(&r, &from, &code, &e);
		if (status == NFART_OK)
			status = copy_tokens(&r, &e);
		token_reader_close(&r);
	}
	if (status != NFART_OK && status != NFART_PARTIAL)
		fprintf(stderr, "%s\n", e.what);
	rv_code_free(&code);
	return (int)status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Fuzzes nfaperf: the first two bytes say how long an ELF file is that follows, and the rest is a
 * file of tokens for it, in each of the forms that nfaperf reads. The stacks must have all cycles
 * of the tokens that were taken.
 */
#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probes/profile/stacks/profile_view.h"
#include "probes/profile/stacks/rv_chain.h"
#include "probes/profile/stacks/token_reader.h"
#include "testsuite/fuzz/fuzz.h"

enum { WANT = 4096 };

/* Makes a file in memory, and its path. Returns its descriptor, or -1. */
static int file_of(const uint8_t *data, size_t n, char path[32])
{
	int fd = memfd_create("fuzz", 0);

	if (fd >= 0 && write(fd, data, n) != (ssize_t)n) {
		close(fd);
		return -1;
	}
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static void tokens_profile(struct rv_code *code, const struct nfaperf_token *t, size_t n)
{
	struct rv_profile p;
	struct profile_view v;
	struct rv_chains c;

	fuzz_expect(rv_profile_init(&p, code, false));
	rv_profile_put(&p, t, n, true);
	rv_profile_settle(&p);
	fuzz_expect(profile_view_make(&v, &p, NULL));
	fuzz_expect(v.cycles[0] == p.counts.cycles && v.instructions[0] == p.counts.tokens);
	profile_view_free(&v);
	rv_profile_free(&p);
	fuzz_expect(rv_chains_init(&c, code, RV_CHAIN_DEPTH, n % 2 == 0));
	rv_chains_put(&c, t, n);
	rv_chains_free(&c);
}

static void read_tokens(struct rv_code *code, const char *path, enum token_form form)
{
	struct token_source from = { .path = path, .form = form };
	struct token_reader r;
	struct nfart_error e;
	const struct nfaperf_token *t;
	size_t n;
	bool last;

	fuzz_expect(etrace_encoder_read(&from.encoder, "context_width=4,return_stack_size=2"));
	if (token_reader_open(&r, &from, code, &e) == NFART_OK &&
	    token_reader_need(&r, WANT, &t, &n, &last, &e) == NFART_OK)
		tokens_profile(code, t, n);
	token_reader_close(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t elf = n < 2 ? 0 : (size_t)data[0] | (size_t)data[1] << 8;
	struct rv_code code;
	struct nfart_error e;
	char path[32];
	int fd;

	if (n < 2)
		return 0;
	elf = elf < n - 2 ? elf : n - 2;
	fuzz_expect(rv_code_init(&code));
	fd = file_of(data + 2, elf, path);
	fuzz_expect(fd >= 0);
	if (rv_code_add(&code, path, &e) == NFART_OK)
		rv_code_switches(&code, "__switch_to");
	close(fd);
	fd = file_of(data + 2 + elf, n - 2 - elf, path);
	fuzz_expect(fd >= 0);
	for (enum token_form form = TOKENS_OWN; form <= TOKENS_NTRACE; form++)
		read_tokens(&code, path, form);
	close(fd);
	rv_code_free(&code);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * token_reader.h: reads tokens from a file or a pipe, which may be compressed. The file is a token
 * file (Note [token file]), or has the rows that FireSim's TraceRV stores.
 *
 * Note [TraceRV rows]
 * A row has eight 64-bit numbers: a cycle, and up to seven program counters that were committed in
 * it. Bit 40 says that a program counter is valid. Bits 39 to 0 are its value, and bit 39 is its
 * sign. The instructions are taken from the given code. Rows have no satp and no privilege. A
 * negative program counter belongs to the kernel, and everything else is unknown.
 */
#ifndef NFACC_RISCV_TOKEN_READER_H
#define NFACC_RISCV_TOKEN_READER_H

#include "runtime/trace/input.h"
#include "probes/profile/stacks/rv_code.h"
#include "probes/profile/stacks/token.h"

enum token_form { TOKENS_OWN, TOKENS_FIRESIM };

struct token_reader {
	struct input in;
	const char *path;          /* name of the file in messages */
	enum token_form form;
	const struct rv_code *code;
	struct nfaperf_head head;
	struct nfaperf_token *rows; /* with TOKENS_FIRESIM: the tokens made from rows */
	size_t nrows, first;        /* number of them; the first one that was not taken yet */
	uint64_t taken;
	bool cut;                  /* the file ends within a token */
};

/*
 * Opens a file. NULL or "-" means standard input. `code` must outlive the reader. On failure sets
 * *e. token_reader_close() must be called in any case.
 */
enum nfart_status token_reader_open(struct token_reader *r, const char *path, enum token_form form,
				    const struct rv_code *code, struct nfart_error *e);
void token_reader_close(struct token_reader *r);

/*
 * Reads until there are at least `want` tokens, or the file has ended. Sets *t and *n to the tokens
 * that were not taken yet. Sets *last if no more tokens follow.
 */
enum nfart_status token_reader_need(struct token_reader *r, size_t want,
				    const struct nfaperf_token **t, size_t *n, bool *last,
				    struct nfart_error *e);

/* Marks n of the tokens that token_reader_need() gave as taken. */
void token_reader_take(struct token_reader *r, size_t n);

#endif

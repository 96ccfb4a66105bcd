/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * token_reader.h: reads tokens from a file or a pipe, compressed or not: those of Note [token file],
 * or the rows that FireSim's TraceRV stores.
 *
 * Note [TraceRV rows]
 * A row has eight 64-bit numbers: a cycle, and up to seven program counters that were committed in
 * it. Bit 40 says that a program counter is valid, bits 39 to 0 are its value, with its sign in bit
 * 39. Instructions are taken from the code that was given; there is no satp, and no privilege: what
 * has the sign is the kernel, all else is unknown.
 */
#ifndef NFACC_RISCV_TOKEN_READER_H
#define NFACC_RISCV_TOKEN_READER_H

#include "runtime/trace/input.h"
#include "probes/profile/stacks/rv_code.h"
#include "probes/profile/stacks/token.h"

enum token_form { TOKENS_OWN, TOKENS_FIRESIM };

struct token_reader {
	struct input in;
	const char *path;          /* for messages */
	enum token_form form;
	const struct rv_code *code;
	struct nfaperf_head head;
	struct nfaperf_token *rows; /* TOKENS_FIRESIM: the tokens of rows, nrows of them */
	size_t nrows, first;        /* those before `first` were taken */
	uint64_t taken;
	bool cut;                  /* the file ends within a token */
};

/* Opens a file; NULL or "-" is standard input. `code` must outlive the reader. On failure *e says
 * why. token_reader_close() must be called in every case. */
enum nfart_status token_reader_open(struct token_reader *r, const char *path, enum token_form form,
				    const struct rv_code *code, struct nfart_error *e);
void token_reader_close(struct token_reader *r);

/* Reads until there are at least `want` tokens, or the file has ended. *t are the *n tokens that
 * were not taken; *last says that no more follow. */
enum nfart_status token_reader_need(struct token_reader *r, size_t want,
				    const struct nfaperf_token **t, size_t *n, bool *last,
				    struct nfart_error *e);

/* Takes n of these tokens. */
void token_reader_take(struct token_reader *r, size_t n);

#endif

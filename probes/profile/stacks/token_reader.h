/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * token_reader.h: reads tokens from a file or a pipe, which may be compressed. The file is a token
 * file (Note [token file]), or is what a simulator has written.
 *
 * Note [TraceRV rows]
 * FireSim writes a line of text first, which begins with # and names the clock. Rows or lines of
 * text (Note [TraceRV text] in token_text.h) follow it. A row has eight 64-bit numbers: a cycle,
 * and up to seven program counters that were committed in it. Bit 40 says that a program counter is
 * valid. Bits 39 to 0 are its value, and bit 39 is its sign. The instructions are taken from the
 * given code. Rows have no satp and no privilege. A negative program counter belongs to the kernel,
 * and everything else is unknown.
 */
#ifndef NFACC_RISCV_TOKEN_READER_H
#define NFACC_RISCV_TOKEN_READER_H

#include "runtime/trace/input.h"
#include "probes/profile/stacks/etrace.h"
#include "probes/profile/stacks/ntrace.h"
#include "probes/profile/stacks/rv_code.h"
#include "probes/profile/stacks/token.h"
#include "probes/profile/stacks/token_text.h"

enum token_form { TOKENS_OWN, TOKENS_FIRESIM, TOKENS_SPIKE, TOKENS_GEM5, TOKENS_RVFI,
		  TOKENS_ETRACE, TOKENS_NTRACE };

struct token_reader {
	struct input in;
	const char *path;          /* name of the file in messages */
	enum token_form form;
	const struct rv_code *code;
	struct nfaperf_head head;
	bool text;                  /* the input has lines */
	uint64_t line;              /* number of the last line that was read */
	void *log;                  /* state of a form that has an instruction on a line, or NULL */
	struct etrace *etrace;      /* with TOKENS_ETRACE */
	struct ntrace *ntrace;      /* with TOKENS_NTRACE */
	size_t message;             /* bytes of the message that is followed */
	struct nfaperf_token *rows; /* without TOKENS_OWN: the tokens made from rows and so on */
	size_t nrows, first;        /* number of them; the first one that was not taken yet */
	uint64_t taken;
	bool cut;                  /* the file ends within a token */
};

/* What to open: a file of this form. NULL or "-" means standard input. */
struct token_source {
	const char *path;
	enum token_form form;
	struct etrace_encoder encoder; /* with TOKENS_ETRACE and TOKENS_NTRACE */
};

/*
 * Opens a file. `code` and the path must outlive the reader. On failure sets *e.
 * token_reader_close() must be called in any case.
 */
enum nfart_status token_reader_open(struct token_reader *r, const struct token_source *from,
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

/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/token_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probes/profile/stacks/gem5_text.h"
#include "probes/profile/stacks/rvfi_text.h"
#include "runtime/trace/codec/decompress.h"
#include "support/bits.h"

enum { ROW = 8 * TRACERV_WORDS, SIGN = 39, BEGIN = 16 };

/* A form of text in which a line has at most one instruction. */
struct line_form {
	size_t state;       /* bytes of the state, which begins with zeros */
	enum token_line (*read)(void *log, const struct rv_code *code, const char *line, size_t n,
				struct nfaperf_token *t);
	uint64_t frequency; /* cycles per second; 0: not known */
	const char *wanted; /* what a line of an instruction is, for messages */
	const char *name;   /* what the whole text is */
};

static const struct line_form line_forms[] = {
	[TOKENS_SPIKE] = { sizeof(struct spike_log), spike_line, 0,
			   "'core N: PRIVILEGE 0xADDRESS (0xINSTRUCTION)', with N below 1024",
			   "log of Spike with --log-commits" },
	[TOKENS_GEM5] = { sizeof(struct gem5_log), gem5_line, GEM5_TICKS_PER_SECOND,
			  "'TICK: CPU: T0 : 0xADDRESS : INSTRUCTION', with at most 1024 CPUs",
			  "trace of gem5 with --debug-flags=ExecAll" },
	[TOKENS_RVFI] = { sizeof(struct rvfi_log), rvfi_line, 0,
			  "'PRIVILEGE 0xADDRESS (0xINSTRUCTION)'",
			  "RVFI trace of CVA6" },
};

/* Returns how the lines of r are read; NULL if they are FireSim's, or the input has no lines. */
static const struct line_form *line_form_of(const struct token_reader *r)
{
	return r->form >= TOKENS_SPIKE && r->form <= TOKENS_RVFI ? &line_forms[r->form] : NULL;
}

static enum nfart_status failed(const struct token_reader *r, struct nfart_error *e)
{
	if (r->in.error != 0)
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", r->path,
				  strerror(r->in.error));
	return nfart_fail(e, NFART_INPUT, "%s: %s", r->path,
			  r->in.damage != NULL ? r->in.damage : "this is not a file of tokens");
}

static enum nfart_status read_head(struct token_reader *r, struct nfart_error *e)
{
	struct nfaperf_head *h = &r->head;

	if (!input_need(&r->in, sizeof *h))
		return failed(r, e);
	memcpy(h, r->in.at, sizeof *h);
	if (memcmp(h->magic, NFAPERF_MAGIC, sizeof h->magic) != 0)
		return nfart_fail(e, NFART_INPUT, "%s: this is not a file of tokens", r->path);
	if (h->version != NFAPERF_VERSION || h->size != sizeof(struct nfaperf_token))
		return nfart_fail(e, NFART_INPUT,
				  "%s: the file has tokens of version %u with %u bytes; nfaperf "
				  "reads version %d with %zu bytes",
				  r->path, h->version, h->size, NFAPERF_VERSION,
				  sizeof(struct nfaperf_token));
	if ((h->flags & ~(uint32_t)NFAPERF_USER_MODE) != 0)
		return nfart_fail(e, NFART_INPUT,
				  "%s: the head of the file has unknown flags, 0x%x", r->path,
				  h->flags);
	input_take(&r->in, sizeof *h);
	return NFART_OK;
}

/*
 * Whether text comes next. The first number of a row is a cycle. It has a byte 0, unless the
 * machine runs for years.
 */
static bool text_comes(struct token_reader *r)
{
	size_t n;

	input_need(&r->in, BEGIN);
	n = r->in.n < BEGIN ? r->in.n : BEGIN;
	return n != 0 && memchr(r->in.at, 0, n) == NULL;
}

/* Skips the line that names the clock. Finds out whether rows or lines follow. */
static enum nfart_status begin_firesim(struct token_reader *r, struct nfart_error *e)
{
	const char *line;
	size_t n;

	if (text_comes(r) && r->in.at[0] == '#') {
		if (input_line(&r->in, &line, &n) < 0)
			return failed(r, e);
		r->line = 1;
	}
	r->text = text_comes(r);
	return NFART_OK;
}

static enum nfart_status begin_lines(struct token_reader *r, struct nfart_error *e)
{
	r->text = true;
	r->head.frequency = line_form_of(r)->frequency;
	r->log = calloc(1, line_form_of(r)->state);
	return r->log != NULL ? NFART_OK : nfart_fail(e, NFART_SYSTEM, "out of memory");
}

static enum nfart_status begin_etrace(struct token_reader *r, const struct etrace_encoder *encoder,
				      struct nfart_error *e)
{
	r->etrace = etrace_new(encoder, r->code);
	return r->etrace != NULL ? NFART_OK : nfart_fail(e, NFART_SYSTEM, "out of memory");
}

static enum nfart_status begin_ntrace(struct token_reader *r, const struct etrace_encoder *encoder,
				      struct nfart_error *e)
{
	r->ntrace = ntrace_new(encoder, r->code);
	return r->ntrace != NULL ? NFART_OK : nfart_fail(e, NFART_SYSTEM, "out of memory");
}

enum nfart_status token_reader_open(struct token_reader *r, const struct token_source *from,
				    const struct rv_code *code, struct nfart_error *e)
{
	const char *path = from->path;

	*r = (struct token_reader){ .form = from->form, .code = code };
	r->path = path == NULL || strcmp(path, "-") == 0 ? "standard input" : path;
	if (!input_open(&r->in, path))
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", r->path,
				  strerror(r->in.error));
	if (!decompress_open(&r->in))
		return r->in.error != 0 ? failed(r, e)
					: nfart_fail(e, NFART_SYSTEM, "out of memory");
	switch (from->form) {
	case TOKENS_OWN:
		return read_head(r, e);
	case TOKENS_FIRESIM:
		return begin_firesim(r, e);
	case TOKENS_ETRACE:
		return begin_etrace(r, &from->encoder, e);
	case TOKENS_NTRACE:
		return begin_ntrace(r, &from->encoder, e);
	default:
		return begin_lines(r, e);
	}
}

void token_reader_close(struct token_reader *r)
{
	input_close(&r->in);
	free(r->rows);
	free(r->log);
	etrace_free(r->etrace);
	ntrace_free(r->ntrace);
}

/* ---- rows of TraceRV ---- */

/* Returns the instruction that the given code has at an address; 0 if there is none. */
static uint32_t instruction_at(const struct rv_code *c, uint64_t pc)
{
	for (size_t i = 0; i < c->modules.n; i++) {
		const struct rv_module *m = &c->modules.at[i];
		if (pc - m->low < m->span)
			return (uint32_t)m->code[(pc - m->low) / 2];
	}
	return 0;
}

static void take_row(struct token_reader *r, const uint64_t row[TRACERV_WORDS])
{
	for (size_t i = 1; i <= TRACERV_PCS; i++) {
		uint64_t x = row[i], sign = (uint64_t)1 << SIGN;
		struct nfaperf_token t = { .cycle = row[0] };

		if ((x >> TRACERV_VALID & 1) == 0)
			continue;
		t.pc = ((x & (2 * sign - 1)) ^ sign) - sign;
		t.privilege = (x & sign) != 0 ? NFAPERF_SUPERVISOR : NFAPERF_USER;
		t.satp = (x & sign) != 0 ? (uint64_t)8 << 60 : 0;
		t.instruction = (x & sign) != 0 ? instruction_at(r->code, t.pc) : 0;
		r->rows[r->nrows++] = t;
	}
}

/* ---- lines ---- */

static enum nfart_status wrong_line(struct token_reader *r, struct nfart_error *e)
{
	if (line_form_of(r) != NULL)
		return nfart_fail(e, NFART_INPUT, "%s: line %llu: expected %s", r->path,
				  (unsigned long long)r->line, line_form_of(r)->wanted);
	return nfart_fail(e, NFART_INPUT,
			  "%s: line %llu: expected 'Cycle: N I0: ADDRESS', 'C0: ADDRESS, cycle: N' "
			  "or 128 hexadecimal digits; stacks that FireSim made itself can't be read",
			  r->path, (unsigned long long)r->line);
}

/* Takes the tokens of a line. */
static enum token_line take_line(struct token_reader *r, const char *line, size_t n)
{
	uint64_t row[TRACERV_WORDS];
	struct nfaperf_token t;
	enum token_line is;

	if (line_form_of(r) != NULL) {
		is = line_form_of(r)->read(r->log, r->code, line, n, &t);
		if (is == TOKEN_LINE_GOOD)
			r->rows[r->nrows++] = t;
		return is;
	}
	is = tracerv_line(line, n, row);
	if (is == TOKEN_LINE_GOOD)
		take_row(r, row);
	return is;
}

/*
 * Reads a line. The last one may be cut off, and then is no error. If it is not FireSim's, it may
 * be cut off where it still looks whole.
 */
static enum nfart_status read_line(struct token_reader *r, bool *ended, struct nfart_error *e)
{
	const char *line;
	size_t n;
	int got = input_line(&r->in, &line, &n);

	*ended = got <= 0;
	if (got < 0)
		return failed(r, e);
	if (got == 0 && line_form_of(r) != NULL && r->taken + r->nrows == 0)
		return nfart_fail(e, NFART_INPUT, "%s: this is no %s", r->path,
				  line_form_of(r)->name);
	if (got == 0)
		return NFART_OK;
	r->line++;
	if (line_form_of(r) != NULL && (const char *)r->in.at == line + n)
		r->cut = true; /* it has no newline */
	if (take_line(r, line, n) != TOKEN_LINE_WRONG)
		return NFART_OK;
	if (r->line == 1 || input_need(&r->in, 1))
		return wrong_line(r, e);
	r->cut = true;
	return NFART_OK;
}

/* ---- packets of E-Trace and messages of N-Trace ---- */

static enum nfart_status wrong_packet(const struct token_reader *r, const char *what,
				      struct nfart_error *e)
{
	return nfart_fail(e, NFART_INPUT, "%s: byte %llu: %s", r->path,
			  (unsigned long long)r->in.offset, what);
}

/* The packets end. Fails if there were no tokens in them, and thus no synchronisation. */
static enum nfart_status end_packets(const struct token_reader *r, struct nfart_error *e)
{
	if (r->taken + r->nrows != 0 || r->in.error != 0)
		return NFART_OK;
	return nfart_fail(e, NFART_INPUT, "%s: there is no synchronisation of %s", r->path,
			  r->form == TOKENS_NTRACE ? "N-Trace" : "E-Trace");
}

/* Reads a packet. The last one may be cut off. */
static enum nfart_status read_packet(struct token_reader *r, bool *ended, struct nfart_error *e)
{
	struct etrace_frame f = { .size = 1 };
	const char *wrong = NULL;
	size_t n;

	do {
		if (!input_need(&r->in, f.size)) {
			*ended = true;
			return end_packets(r, e);
		}
		wrong = etrace_frame_find(&f, &r->etrace->encoder, r->in.at, r->in.n);
	} while (wrong == NULL && f.size > r->in.n);
	if (wrong == NULL && f.instructions) {
		wrong = etrace_follow(r->etrace, &f, r->in.at, r->rows + r->nrows, &n);
		r->nrows += n;
	}
	if (wrong != NULL)
		return wrong_packet(r, wrong, e);
	if (!r->etrace->more)
		input_take(&r->in, f.size);
	return NFART_OK;
}

/* Reads a message, if the one before it was followed to its end. The last one may be cut off. */
static enum nfart_status read_message(struct token_reader *r, bool *ended, struct nfart_error *e)
{
	const char *wrong = NULL;
	size_t n = 0;

	while (ntrace_is_done(r->ntrace) && wrong == NULL && n <= 1) {
		input_take(&r->in, n);
		n = 1;
		do {
			if (!input_need(&r->in, n)) {
				*ended = true;
				return end_packets(r, e);
			}
			wrong = ntrace_message_find(&n, r->in.at, r->in.n);
		} while (wrong == NULL && n > r->in.n);
	}
	if (wrong == NULL && ntrace_is_done(r->ntrace)) {
		wrong = ntrace_take(r->ntrace, r->in.at, n);
		r->message = n;
	}
	if (wrong == NULL) {
		wrong = ntrace_go_on(r->ntrace, r->rows + r->nrows, &n);
		r->nrows += n;
	}
	if (wrong != NULL)
		return wrong_packet(r, wrong, e);
	if (ntrace_is_done(r->ntrace))
		input_take(&r->in, r->message);
	return NFART_OK;
}

/* ---- rows, lines and packets ---- */

/* Reads a row. */
static void read_row(struct token_reader *r, bool *ended)
{
	uint64_t row[TRACERV_WORDS];

	*ended = !input_need(&r->in, ROW);
	if (*ended)
		return;
	for (size_t i = 0; i < TRACERV_WORDS; i++)
		row[i] = get_le64(r->in.at + 8 * i);
	take_row(r, row);
	input_take(&r->in, ROW);
}

/* Turns rows, lines or packets into tokens until there are `want` of them. */
static enum nfart_status read_rows(struct token_reader *r, size_t want, bool *last,
				   struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;
	bool ended = false;

	if (r->rows == NULL) {
		size_t more = r->form == TOKENS_ETRACE   ? (size_t)ETRACE_MOST
			      : r->form == TOKENS_NTRACE ? (size_t)NTRACE_SOME
							 : (size_t)TRACERV_PCS;

		r->rows = malloc((want + more) * sizeof *r->rows);
		if (r->rows == NULL)
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	memmove(r->rows, r->rows + r->first, (r->nrows - r->first) * sizeof *r->rows);
	r->nrows -= r->first;
	r->first = 0;
	while (r->nrows < want && !ended && status == NFART_OK) {
		if (r->text)
			status = read_line(r, &ended, e);
		else if (r->form == TOKENS_ETRACE)
			status = read_packet(r, &ended, e);
		else if (r->form == TOKENS_NTRACE)
			status = read_message(r, &ended, e);
		else
			read_row(r, &ended);
	}
	*last = r->nrows < want;
	return status;
}

/* ---- all forms ---- */

/* Whether a part of a token, row or packet is left at the end. */
static bool is_cut(const struct token_reader *r)
{
	if (r->form == TOKENS_ETRACE || r->form == TOKENS_NTRACE)
		return r->in.n != 0;
	return !r->text &&
	       r->in.n % (r->form == TOKENS_OWN ? sizeof(struct nfaperf_token) : ROW) != 0;
}

enum nfart_status token_reader_need(struct token_reader *r, size_t want,
				    const struct nfaperf_token **t, size_t *n, bool *last,
				    struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (r->form != TOKENS_OWN) {
		status = read_rows(r, want, last, e);
		*t = r->rows + r->first;
		*n = r->nrows - r->first;
	} else {
		*last = !input_need(&r->in, want * sizeof **t);
		*t = (const struct nfaperf_token *)(const void *)r->in.at;
		*n = r->in.n / sizeof **t;
	}
	if (status == NFART_OK && *last) {
		if (r->in.error != 0)
			return failed(r, e);
		r->cut |= r->in.damage != NULL || is_cut(r);
	}
	return status;
}

void token_reader_take(struct token_reader *r, size_t n)
{
	r->taken += n;
	if (r->form != TOKENS_OWN)
		r->first += n;
	else
		input_take(&r->in, n * sizeof(struct nfaperf_token));
}

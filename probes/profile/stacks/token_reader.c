/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/token_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/codec/decompress.h"
#include "support/bits.h"

enum { ROW = 64, PCS = 7, VALID = 40, SIGN = 39 };

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

enum nfart_status token_reader_open(struct token_reader *r, const char *path, enum token_form form,
				    const struct rv_code *code, struct nfart_error *e)
{
	*r = (struct token_reader){ .form = form, .code = code };
	r->path = path == NULL || strcmp(path, "-") == 0 ? "standard input" : path;
	if (!input_open(&r->in, path))
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", r->path,
				  strerror(r->in.error));
	if (!decompress_open(&r->in))
		return r->in.error != 0 ? failed(r, e)
					: nfart_fail(e, NFART_SYSTEM, "out of memory");
	return form == TOKENS_OWN ? read_head(r, e) : NFART_OK;
}

void token_reader_close(struct token_reader *r)
{
	input_close(&r->in);
	free(r->rows);
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

static void take_row(struct token_reader *r, const unsigned char *row)
{
	for (size_t i = 0; i < PCS; i++) {
		uint64_t x = get_le64(row + 8 + 8 * i), sign = (uint64_t)1 << SIGN;
		struct nfaperf_token t = { .cycle = get_le64(row) };

		if ((x >> VALID & 1) == 0)
			continue;
		t.pc = ((x & (2 * sign - 1)) ^ sign) - sign;
		t.privilege = (x & sign) != 0 ? NFAPERF_SUPERVISOR : NFAPERF_USER;
		t.satp = (x & sign) != 0 ? (uint64_t)8 << 60 : 0;
		t.instruction = (x & sign) != 0 ? instruction_at(r->code, t.pc) : 0;
		r->rows[r->nrows++] = t;
	}
}

/* Turns rows into tokens until there are `want` of them. */
static enum nfart_status read_rows(struct token_reader *r, size_t want, bool *last,
				   struct nfart_error *e)
{
	if (r->rows == NULL) {
		r->rows = malloc((want + PCS) * sizeof *r->rows);
		if (r->rows == NULL)
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	memmove(r->rows, r->rows + r->first, (r->nrows - r->first) * sizeof *r->rows);
	r->nrows -= r->first;
	r->first = 0;
	while (r->nrows < want && input_need(&r->in, ROW)) {
		take_row(r, r->in.at);
		input_take(&r->in, ROW);
	}
	*last = r->nrows < want;
	return NFART_OK;
}

/* ---- both ---- */

enum nfart_status token_reader_need(struct token_reader *r, size_t want,
				    const struct nfaperf_token **t, size_t *n, bool *last,
				    struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (r->form == TOKENS_FIRESIM) {
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
		r->cut = r->in.damage != NULL ||
			 r->in.n % (r->form == TOKENS_OWN ? sizeof **t : ROW) != 0;
	}
	return status;
}

void token_reader_take(struct token_reader *r, size_t n)
{
	r->taken += n;
	if (r->form == TOKENS_FIRESIM)
		r->first += n;
	else
		input_take(&r->in, n * sizeof(struct nfaperf_token));
}

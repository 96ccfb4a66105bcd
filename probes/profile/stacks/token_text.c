/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/token_text.h"

#include <string.h>

#include "probes/profile/stacks/text_line.h"

/* ---- FireSim ---- */

static bool read_cycle_line(struct text x, uint64_t *row)
{
	uint64_t slot;

	if (!text_word(&x, "Cycle:") || !text_word(&x, "") || !text_number(&x, 10, 20, &row[0]) ||
	    !text_word(&x, "I") || !text_number(&x, 10, 2, &slot) || slot >= TRACERV_PCS ||
	    !text_word(&x, ":") || !text_word(&x, "") || !text_16_digits(&x, &row[1]))
		return false;
	row[1] |= UINT64_C(1) << TRACERV_VALID;
	return text_ends(&x);
}

static bool read_core_line(struct text x, uint64_t *row)
{
	uint64_t core;

	return text_word(&x, "C") && text_number(&x, 10, 2, &core) && text_word(&x, ":") &&
	       text_word(&x, "") && text_16_digits(&x, &row[1]) && text_word(&x, ",") &&
	       text_word(&x, "cycle:") && text_word(&x, "") && text_16_digits(&x, &row[0]) &&
	       text_ends(&x);
}

static bool read_digits_line(struct text x, uint64_t *row)
{
	for (size_t i = TRACERV_WORDS; i-- > 0;)
		if (!text_16_digits(&x, &row[i]))
			return false;
	return text_ends(&x);
}

enum token_line tracerv_line(const char *line, size_t n, uint64_t row[TRACERV_WORDS])
{
	struct text x = { line, line + n };

	memset(row, 0, TRACERV_WORDS * sizeof *row);
	if (read_cycle_line(x, row) || read_core_line(x, row))
		return TOKEN_LINE_GOOD;
	memset(row, 0, TRACERV_WORDS * sizeof *row);
	return read_digits_line(x, row) ? TOKEN_LINE_GOOD : TOKEN_LINE_WRONG;
}

/* ---- Spike ---- */

/* Takes `satp` and its value from the registers that an instruction has written. */
static void note_registers(struct spike_hart *h, const struct text *x)
{
	static const char name[] = "_satp ";
	const size_t n = sizeof name - 1;

	for (const char *s = x->at; (size_t)(x->end - s) >= n; s++) {
		struct text value = { s + n, x->end };
		uint64_t satp;

		if (memcmp(s, name, n) == 0 && text_word(&value, "0x") &&
		    text_number(&value, 16, 16, &satp))
			h->satp = satp;
	}
}

enum token_line spike_line(void *state, const struct rv_code *code, const char *line, size_t n,
			   struct nfaperf_token *t)
{
	struct spike_log *log = state;
	struct text x = { line, line + n };
	uint64_t hart, privilege, instruction;
	struct spike_hart *h;

	(void)code;
	*t = (struct nfaperf_token){ 0 };
	if (!text_word(&x, "core") || !text_word(&x, "") || !text_number(&x, 10, 5, &hart) ||
	    !text_word(&x, ":") || !text_word(&x, "") || !text_number(&x, 10, 1, &privilege) ||
	    x.at == x.end || *x.at != ' ' || !text_word(&x, "0x"))
		return TOKEN_LINE_OTHER;
	if (hart >= SPIKE_HARTS || !text_number(&x, 16, 16, &t->pc) || !text_word(&x, "(0x") ||
	    !text_number(&x, 16, 8, &instruction) || !text_word(&x, ")") || privilege > 3)
		return TOKEN_LINE_WRONG;
	h = &log->harts[hart];
	t->cycle = h->instructions++;
	t->satp = h->satp;
	t->instruction = (uint32_t)instruction;
	t->privilege = (uint8_t)privilege;
	t->hart = (uint16_t)hart;
	note_registers(h, &x);
	return TOKEN_LINE_GOOD;
}

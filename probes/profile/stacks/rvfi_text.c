/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rvfi_text.h"

enum { CSR_SATP = 0x180, CSR_WRITE = 1, CSR_SET = 2, SV39 = 8 };

/* Changes satp as the instruction did. `read` is what it has read from satp, if it has a target. */
static void write_satp(struct rvfi_log *log, uint32_t instruction, uint64_t read)
{
	uint32_t kind = instruction >> 12 & 3, source = instruction >> 15 & 31;
	uint64_t operand = (instruction >> 14 & 1) != 0 ? source : log->registers[source];
	uint64_t satp;

	if ((instruction & 127) != 0x73 || instruction >> 20 != CSR_SATP || kind == 0)
		return;
	if ((instruction >> 7 & 31) != 0)
		log->satp = read;
	satp = kind == CSR_WRITE ? operand
	       : kind == CSR_SET ? log->satp | operand : log->satp & ~operand;
	if (satp >> 60 == 0 || satp >> 60 == SV39)
		log->satp = satp;
}

/* Takes what the instruction has written to registers and satp. */
static void note_writes(struct rvfi_log *log, uint32_t instruction, struct text x)
{
	uint64_t number = 0, value = 0;
	bool writes = text_word(&x, "x") && text_word(&x, "") && text_number(&x, 10, 2, &number) &&
		      number < 32 && text_word(&x, "0x") && text_number(&x, 16, 16, &value);

	write_satp(log, instruction, value);
	if (writes && number != 0)
		log->registers[number] = value;
}

enum token_line rvfi_line(void *state, const struct rv_code *code, const char *line, size_t n,
			  struct nfaperf_token *t)
{
	struct rvfi_log *log = state;
	struct text x = { line, line + n };
	uint64_t privilege, instruction;

	(void)code;
	*t = (struct nfaperf_token){ 0 };
	if (!text_number(&x, 10, 1, &privilege) || x.at == x.end || *x.at != ' ' ||
	    !text_word(&x, "0x"))
		return TOKEN_LINE_OTHER;
	if (!text_16_digits(&x, &t->pc) || !text_word(&x, "(0x") ||
	    !text_number(&x, 16, 8, &instruction) || !text_word(&x, ")") || privilege > 3)
		return TOKEN_LINE_WRONG;
	t->cycle = log->instructions++;
	t->satp = log->satp;
	t->instruction = (uint32_t)instruction;
	t->privilege = (uint8_t)privilege;
	note_writes(log, t->instruction, x);
	return TOKEN_LINE_GOOD;
}

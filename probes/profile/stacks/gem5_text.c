/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/gem5_text.h"

#include <string.h>

/* ---- mnemonics ---- */

/* The bits in `mask` of an instruction with this name are those of `match`. */
struct gem5_name {
	const char *name;
	uint32_t mask, match;
};

/* Rows of instructions that have an opcode, one that has funct3, too, and so on. */
#define OPCODE(name, opcode) { name, 0x7f, opcode }
#define FUNCT3(name, opcode, funct3) { name, 0x707f, (funct3) << 12 | (opcode) }
#define FUNCT7(name, opcode, funct3, funct7) \
	{ name, 0xfe00707f, (uint32_t)(funct7) << 25 | (funct3) << 12 | (opcode) }
#define SHIFT(name, opcode, funct3, funct6) \
	{ name, 0xfc00707f, (uint32_t)(funct6) << 26 | (funct3) << 12 | (opcode) }
#define SHORT(name, quadrant, funct3) { name, 0xe003, (funct3) << 13 | (quadrant) }

/* Names that gem5 uses for one encoding only. Other names say only how long an instruction is. */
static const struct gem5_name names[] = {
	OPCODE("lui", 0x37), OPCODE("auipc", 0x17), OPCODE("jal", 0x6f),
	FUNCT3("jalr", 0x67, 0),
	FUNCT3("beq", 0x63, 0), FUNCT3("bne", 0x63, 1), FUNCT3("blt", 0x63, 4),
	FUNCT3("bge", 0x63, 5), FUNCT3("bltu", 0x63, 6), FUNCT3("bgeu", 0x63, 7),
	FUNCT3("lb", 0x03, 0), FUNCT3("lh", 0x03, 1), FUNCT3("lw", 0x03, 2), FUNCT3("ld", 0x03, 3),
	FUNCT3("lbu", 0x03, 4), FUNCT3("lhu", 0x03, 5), FUNCT3("lwu", 0x03, 6),
	FUNCT3("sb", 0x23, 0), FUNCT3("sh", 0x23, 1), FUNCT3("sw", 0x23, 2), FUNCT3("sd", 0x23, 3),
	FUNCT3("flw", 0x07, 2), FUNCT3("fld", 0x07, 3),
	FUNCT3("fsw", 0x27, 2), FUNCT3("fsd", 0x27, 3),
	FUNCT3("addi", 0x13, 0), FUNCT3("slti", 0x13, 2), FUNCT3("sltiu", 0x13, 3),
	FUNCT3("xori", 0x13, 4), FUNCT3("ori", 0x13, 6), FUNCT3("andi", 0x13, 7),
	SHIFT("slli", 0x13, 1, 0), SHIFT("srli", 0x13, 5, 0), SHIFT("srai", 0x13, 5, 16),
	FUNCT3("addiw", 0x1b, 0), SHIFT("slliw", 0x1b, 1, 0), SHIFT("srliw", 0x1b, 5, 0),
	SHIFT("sraiw", 0x1b, 5, 16),
	FUNCT7("add", 0x33, 0, 0), FUNCT7("sub", 0x33, 0, 32), FUNCT7("sll", 0x33, 1, 0),
	FUNCT7("slt", 0x33, 2, 0), FUNCT7("sltu", 0x33, 3, 0), FUNCT7("xor", 0x33, 4, 0),
	FUNCT7("srl", 0x33, 5, 0), FUNCT7("sra", 0x33, 5, 32), FUNCT7("or", 0x33, 6, 0),
	FUNCT7("and", 0x33, 7, 0),
	FUNCT7("mul", 0x33, 0, 1), FUNCT7("mulh", 0x33, 1, 1), FUNCT7("mulhsu", 0x33, 2, 1),
	FUNCT7("mulhu", 0x33, 3, 1), FUNCT7("div", 0x33, 4, 1), FUNCT7("divu", 0x33, 5, 1),
	FUNCT7("rem", 0x33, 6, 1), FUNCT7("remu", 0x33, 7, 1),
	FUNCT7("addw", 0x3b, 0, 0), FUNCT7("subw", 0x3b, 0, 32), FUNCT7("sllw", 0x3b, 1, 0),
	FUNCT7("srlw", 0x3b, 5, 0), FUNCT7("sraw", 0x3b, 5, 32), FUNCT7("mulw", 0x3b, 0, 1),
	FUNCT7("divw", 0x3b, 4, 1), FUNCT7("divuw", 0x3b, 5, 1), FUNCT7("remw", 0x3b, 6, 1),
	FUNCT7("remuw", 0x3b, 7, 1),
	{ "ecall", UINT32_MAX, 0x73 }, { "ebreak", UINT32_MAX, 0x100073 },
	{ "sret", UINT32_MAX, 0x10200073 }, { "mret", UINT32_MAX, 0x30200073 },
	{ "wfi", UINT32_MAX, 0x10500073 },
	FUNCT3("csrrw", 0x73, 1), FUNCT3("csrrs", 0x73, 2), FUNCT3("csrrc", 0x73, 3),
	FUNCT3("csrrwi", 0x73, 5), FUNCT3("csrrsi", 0x73, 6), FUNCT3("csrrci", 0x73, 7),
	SHORT("c_addi4spn", 0, 0), SHORT("c_fld", 0, 1), SHORT("c_lw", 0, 2), SHORT("c_ld", 0, 3),
	SHORT("c_fsd", 0, 5), SHORT("c_sw", 0, 6), SHORT("c_sd", 0, 7),
	SHORT("c_addi", 1, 0), SHORT("c_addiw", 1, 1), SHORT("c_li", 1, 2),
	SHORT("c_addi16sp", 1, 3), SHORT("c_lui", 1, 3), SHORT("c_j", 1, 5),
	SHORT("c_beqz", 1, 6), SHORT("c_bnez", 1, 7),
	{ "c_srli", 0xec03, 0x8001 }, { "c_srai", 0xec03, 0x8401 }, { "c_andi", 0xec03, 0x8801 },
	{ "c_sub", 0xfc63, 0x8c01 }, { "c_xor", 0xfc63, 0x8c21 }, { "c_or", 0xfc63, 0x8c41 },
	{ "c_and", 0xfc63, 0x8c61 }, { "c_subw", 0xfc63, 0x9c01 }, { "c_addw", 0xfc63, 0x9c21 },
	SHORT("c_slli", 2, 0), SHORT("c_fldsp", 2, 1), SHORT("c_lwsp", 2, 2), SHORT("c_ldsp", 2, 3),
	{ "c_jr", 0xf07f, 0x8002 }, { "c_mv", 0xf003, 0x8002 }, { "c_ebreak", 0xffff, 0x9002 },
	{ "c_jalr", 0xf07f, 0x9002 }, { "c_add", 0xf003, 0x9002 },
	SHORT("c_fsdsp", 2, 5), SHORT("c_swsp", 2, 6), SHORT("c_sdsp", 2, 7),
};

bool gem5_agrees(uint32_t instruction, const char *text, size_t n)
{
	size_t length = 0;
	bool brief = n > 2 && (memcmp(text, "c_", 2) == 0 || memcmp(text, "cm_", 3) == 0);

	while (length < n && text[length] != ' ' && text[length] != '\t')
		length++;
	if ((rv_length(instruction) == 2) != brief)
		return false;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strlen(names[i].name) == length && memcmp(names[i].name, text, length) == 0)
			return (instruction & names[i].mask) == names[i].match;
	return true;
}

/* ---- lines ---- */

/* Returns the hart with this CPU and thread, or GEM5_HARTS if there are too many. */
static size_t hart_of(struct gem5_log *log, const char *name, size_t n, uint64_t thread)
{
	struct gem5_hart *h = &log->harts[log->last];

	for (size_t i = log->n; i > 0 && (h->n != n || h->thread != thread ||
					  memcmp(h->name, name, n) != 0); i--)
		h = &log->harts[i - 1];
	if (log->n != 0 && h->n == n && h->thread == thread && memcmp(h->name, name, n) == 0)
		return (size_t)(h - log->harts);
	if (log->n == GEM5_HARTS)
		return GEM5_HARTS;
	h = &log->harts[log->n];
	memcpy(h->name, name, n);
	h->n = n;
	h->thread = thread;
	h->whole = 1; /* no address of an instruction */
	return log->n++;
}

/* Returns the instruction at an address, if its text agrees; 0 if it is not known. */
static uint32_t instruction_at(const struct rv_code *c, uint64_t pc, const char *text, size_t n)
{
	const struct rv_module *found = NULL;
	bool kernel = pc >> 63 != 0;
	uint32_t instruction;

	for (size_t i = 0; i < c->modules.n && pc % 2 == 0; i++) {
		const struct rv_module *m = &c->modules.at[i];

		if (!m->fixed || pc - m->low >= m->span || m->code[(pc - m->low) / 2] == 0)
			continue;
		if (found != NULL && !kernel)
			return 0;
		if (found == NULL)
			found = m;
	}
	if (found == NULL)
		return 0;
	instruction = (uint32_t)found->code[(pc - found->low) / 2];
	return gem5_agrees(instruction, text, n) ? instruction : 0;
}

/* Takes what stands before the address. Returns false if the line logs no instruction. */
static bool read_begin(struct text *x, struct text *name, uint64_t *tick, uint64_t *thread)
{
	uint64_t space;

	if (!text_word(x, "") || !text_number(x, 10, 20, tick) || !text_word(x, ":") ||
	    !text_word(x, ""))
		return false;
	name->at = x->at;
	while (x->at < x->end && *x->at != ':' && *x->at != ' ')
		x->at++;
	name->end = x->at;
	if (name->at == name->end || !text_word(x, ":"))
		return false;
	if (text_word(x, "A") && !text_number(x, 10, 20, &space))
		return false;
	return text_word(x, "T") && text_number(x, 10, 4, thread) && text_word(x, ":") &&
	       text_word(x, "0x");
}

/* Whether a point and the number of a micro-operation stand between `first` and `end`. */
static bool ends_with_part(const char *first, const char *end)
{
	const char *s = end;

	while (s > first && s[-1] >= '0' && s[-1] <= '9')
		s--;
	if (s == end)
		return false;
	while (s > first && s[-1] == ' ')
		s--;
	return s > first && s[-1] == '.';
}

/* Goes to the text of the instruction, after the symbol. Sets *part for a micro-operation. */
static bool read_symbol(struct text *x, bool *part)
{
	static const char colon[] = " : ";
	const size_t n = sizeof colon - 1;
	const char *first = x->at;

	while ((size_t)(x->end - x->at) > n && memcmp(x->at, colon, n) != 0)
		x->at++;
	if ((size_t)(x->end - x->at) <= n)
		return false;
	*part = ends_with_part(first, x->at);
	x->at += n;
	return true;
}

enum token_line gem5_line(void *state, const struct rv_code *code, const char *line, size_t n,
			  struct nfaperf_token *t)
{
	struct gem5_log *log = state;
	struct text x = { line, line + n }, name;
	uint64_t thread;
	bool part, seen;
	size_t hart;

	*t = (struct nfaperf_token){ 0 };
	if (!read_begin(&x, &name, &t->cycle, &thread))
		return TOKEN_LINE_OTHER;
	if (!text_number(&x, 16, 16, &t->pc) || x.at == x.end || (*x.at != ' ' && *x.at != '.') ||
	    !read_symbol(&x, &part) ||
	    name.end - name.at > GEM5_NAME)
		return TOKEN_LINE_WRONG;
	hart = hart_of(log, name.at, (size_t)(name.end - name.at), thread);
	if (hart == GEM5_HARTS)
		return TOKEN_LINE_WRONG;
	log->last = hart;
	seen = part && log->harts[hart].whole == t->pc;
	log->harts[hart].whole = t->pc;
	if (seen)
		return TOKEN_LINE_OTHER;
	t->hart = (uint16_t)hart;
	t->privilege = t->pc >> 63 != 0 ? NFAPERF_SUPERVISOR : NFAPERF_USER;
	t->satp = t->pc >> 63 != 0 ? (uint64_t)8 << 60 : hart + 1;
	t->instruction = instruction_at(code, t->pc, x.at, (size_t)(x.end - x.at));
	return TOKEN_LINE_GOOD;
}

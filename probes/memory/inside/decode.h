/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Instructions, as far as their memory accesses go. Zydis decodes them; it lives in a link
 * namespace of its own, with a libc of its own, whose data is not watched.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_DECODE_H
#define NFACC_PROBES_MEMORY_INSIDE_DECODE_H
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

enum { DECODE_BYTES = 15, DECODE_OPERANDS = 2 };
enum { REGISTER_NONE = 0xff, REGISTER_RIP = 0xfe };

/* How an instruction can be made to work on another address. */
enum decode_form {
	FORM_NONE,   /* it has no operand in memory, or only on its stack */
	FORM_PLAIN,  /* one operand by ModRM: its copy has a register there */
	FORM_JUMP,   /* jmp to where memory says */
	FORM_CALL,   /* call to where memory says */
	FORM_STRING, /* movs, stos, lods, cmps, scas: rsi and rdi are moved */
	FORM_OTHER,  /* gathers, TLS, xlat and so on: single steps only */
};

struct decode_operand {
	int64_t displacement;
	uint16_t bytes;
	uint8_t kind;               /* enum mem_kind */
	uint8_t base, index, scale; /* general registers by number */
	uint8_t segment;            /* 0, or 4 (fs) or 5 (gs) */
	uint8_t vector;             /* its addresses are a vector: a gather or scatter */
};

struct decode {
	uint8_t bytes[DECODE_BYTES];
	uint8_t length;
	uint8_t form;        /* enum decode_form */
	uint8_t operands;    /* in memory, stack operands that are implied not counted */
	uint8_t modrm, rest; /* where ModRM is, and what follows the address in the instruction */
	uint8_t rex;         /* where the byte with X and B is, or 0xff */
	uint8_t encoding;    /* enum decode_encoding */
	bool atomic;         /* of FORM_PLAIN: with a lock prefix, or xchg */
	bool repeated;       /* rep, repe, repne */
	bool compares;       /* cmps, scas: it may stop early */
	bool ends;           /* what lies behind it is not the next instruction */
	bool relative;       /* it says where something is by the distance to it */
	bool branch;         /* control may go elsewhere */
	bool stack;          /* it has an implied operand on the stack */
	bool short_address;  /* prefix 67: addresses have 32 bits */
	uint16_t used; /* general registers that it reads or writes, not those of its address */
	struct decode_operand operand[DECODE_OPERANDS];
};

enum decode_encoding { ENCODING_LEGACY, ENCODING_VEX };

/* Loads Zydis. False, with the reason said, if it is not there. Called once, by the constructor. */
bool decode_start(void);

/* Decodes what is at pc. False if that is no instruction. */
bool decode(uintptr_t pc, struct decode *d);

/* The address of an operand, with the registers of a context. pc is that of the instruction. */
uintptr_t decode_address(const struct decode *d, unsigned operand, uintptr_t pc,
			 const ucontext_t *context);

/* A general register of a context, by number. */
uint64_t *decode_register(ucontext_t *context, unsigned number);
#endif

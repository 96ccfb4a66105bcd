/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Decodes the memory accesses of instructions. Zydis does the work. It is loaded into a link
 * namespace of its own, with its own libc, and the data of that namespace is not watched.
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
	FORM_NONE,   /* no operand in memory, or only an implied one on the stack */
	FORM_PLAIN,  /* one operand, given by ModRM: the copy addresses it by a register */
	FORM_JUMP,   /* jmp to an address read from memory */
	FORM_CALL,   /* call of an address read from memory */
	FORM_STRING, /* movs, stos, lods, cmps, scas: the copy changes rsi and rdi */
	FORM_OTHER,  /* gather, TLS, xlat and so on: needs a single step */
};

struct decode_operand {
	int64_t displacement;
	uint16_t bytes;
	uint8_t kind;               /* enum mem_kind */
	uint8_t base, index, scale; /* numbers of general registers */
	uint8_t segment;            /* 0, or 4 (fs) or 5 (gs) */
	uint8_t vector;             /* the address is a vector: gather or scatter */
};

/* What is special about an instruction. */
struct decode_is {
	bool atomic;        /* FORM_PLAIN with a lock prefix, or xchg */
	bool repeated;      /* rep, repe, repne */
	bool compares;      /* cmps or scas: with rep it may stop early */
	bool ends;          /* execution never goes on to the instruction after it */
	bool relative;      /* it contains a distance from itself to a target */
	bool branch;        /* execution may go on elsewhere */
	bool stack;         /* it has an implied operand on the stack */
	bool short_address; /* prefix 67: addresses have 32 bits */
};

struct decode {
	uint8_t bytes[DECODE_BYTES];
	uint8_t length;
	uint8_t form;        /* enum decode_form */
	uint8_t operands;    /* number of operands in memory, without implied ones on the stack */
	uint8_t modrm, rest; /* offset of ModRM; number of bytes after the address */
	uint8_t rex;         /* offset of the byte that holds X and B, or 0xff */
	uint8_t encoding;    /* enum decode_encoding */
	struct decode_is is;
	uint16_t used; /* general registers that it uses, except for its address */
	struct decode_operand operand[DECODE_OPERANDS];
};

enum decode_encoding { ENCODING_LEGACY, ENCODING_VEX };

/*
 * Loads Zydis. If Zydis is missing, says so in the channel and returns false. Called once, by the
 * constructor.
 */
bool decode_start(void);

/* Decodes the instruction at pc. Returns false if there is no valid instruction. */
bool decode(uintptr_t pc, struct decode *d);

/*
 * The address of an operand. Takes the values of registers from the context. `pc` is the address of
 * the instruction.
 */
uintptr_t decode_address(const struct decode *d, unsigned operand, uintptr_t pc,
			 const ucontext_t *context);

/* A pointer to a general register of the context. */
uint64_t *decode_register(ucontext_t *context, unsigned number);
#endif

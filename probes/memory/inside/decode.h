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
enum { REGISTER_NONE = 0xff, REGISTER_RIP = 0xfe, REGISTER_AL = 0xfd };

/* How an instruction can be made to work on another address. */
enum decode_form {
	FORM_NONE,   /* no operand in memory, or only an implied one on the stack */
	FORM_PLAIN,  /* one operand, given by ModRM: the copy addresses it by a register */
	FORM_JUMP,   /* jmp to an address read from memory */
	FORM_CALL,   /* call of an address read from memory */
	FORM_STRING, /* movs, stos, lods, cmps, scas: the copy changes rsi and rdi */
	FORM_OTHER,  /* gather, TLS, xlat and so on: needs a single step */
};

/*
 * Which bytes an operand stands for. Except for DECODE_WHOLE, that depends on more than the address
 * that ModRM gives. elements.c finds the bytes out from the registers.
 */
enum decode_shape {
	DECODE_WHOLE,   /* `bytes` bytes at the address */
	DECODE_MASKED,  /* parts of them, as struct decode_mask says */
	DECODE_INDEXED, /* gather, scatter: an address for each element, from a vector register */
	DECODE_CHOSEN,  /* maskmovq, maskmovdqu: those bytes whose mask byte has its top bit set */
	DECODE_STATE,   /* xsave, xrstor: the components of edx:eax */
	DECODE_BIT,     /* bt with a register: the address moves with the number of the bit */
	DECODE_UNKNOWN, /* tiles: rows that are not known here; such accesses are only counted */
};

struct decode_operand {
	int64_t displacement;
	uint16_t bytes;
	uint8_t kind;               /* enum mem_kind */
	uint8_t base, index, scale; /* numbers of general registers */
	uint8_t segment;            /* 0, or 4 (fs) or 5 (gs) */
	uint8_t shape;              /* enum decode_shape */
};

/* Which lanes of a vector an instruction accesses in memory. */
struct decode_mask {
	uint8_t kind;    /* enum mem_mask_kind: what a bit of the mask stands for */
	uint8_t element; /* bytes of an element in memory */
	uint8_t lanes;
	uint8_t from;        /* enum decode_mask_from */
	uint8_t number;      /* of the register with the mask; for DECODE_BIT, with the bit */
	uint8_t index;       /* DECODE_INDEXED: number of the vector register with the indices */
	uint8_t index_bytes; /* DECODE_INDEXED: size of an index */
};

enum decode_mask_from { MASK_NONE, MASK_OPMASK, MASK_SIGNS };

/* What is special about an instruction. */
struct decode_is {
	bool atomic;        /* FORM_PLAIN with a lock prefix, or xchg */
	bool stamped;       /* its copy takes stamps: it is atomic, or all accesses are ordered */
	bool repeated;      /* rep, repe, repne */
	bool compares;      /* cmps or scas: with rep it may stop early */
	bool ends;          /* execution never goes on to the instruction after it */
	bool relative;      /* it contains a distance from itself to a target */
	bool branch;        /* execution may go on elsewhere */
	bool stack;         /* it has an implied operand on the stack */
	bool short_address; /* prefix 67: addresses have 32 bits */
};

enum { DECODE_FLAGS = 0x8d5 }; /* the arithmetic flags in eflags */

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
	/*
	 * The arithmetic flags that it reads, and those that it sets in any case: bits as in
	 * eflags.
	 */
	uint16_t flags_read, flags_set;
	uint8_t set; /* a general register that it sets and does not use; REGISTER_NONE: none */
	struct decode_mask mask;
	struct decode_operand operand[DECODE_OPERANDS];
};

enum decode_encoding { ENCODING_LEGACY, ENCODING_VEX };

/*
 * Loads Zydis. If Zydis is missing, says so in the channel and returns false. Called once, by the
 * constructor.
 */
bool decode_start(void);

/* Gives back what decode_start has loaded. Takes the loader's lock. */
void decode_end(void);

/* Decodes the instruction at pc. Returns false if there is no valid instruction. */
bool decode(uintptr_t pc, struct decode *d);

/*
 * Like decode(), but the result may be of an earlier call. decode_forget() ends that: it is called
 * first when code may have changed. Both are called with sites_lock held.
 */
bool decode_again(uintptr_t pc, struct decode *d);
void decode_forget(void);

/*
 * The address of an operand, without the index of a gather or scatter. Takes the values of registers
 * from the context. `pc` is the address of the instruction.
 */
uintptr_t decode_address(const struct decode *d, unsigned operand, uintptr_t pc,
			 const ucontext_t *context);

/* A pointer to a general register of the context. */
uint64_t *decode_register(ucontext_t *context, unsigned number);
#endif

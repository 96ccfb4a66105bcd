/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap.h: the checked form of a protocol's taps (nfacc-protocol(5), Taps). A tap says which signals
 * of a design become which messages, clock edge by clock edge.
 *
 * grammar/describe/ makes the form, in the arena of its protocol, and nothing changes it later. All
 * names are resolved, parameters are numbers, and each value has a width, so a reader needs no
 * checks. Several readers give the same messages: one runs the form over a waveform, one writes it
 * as Verilog.
 *
 * Note [registers of taps]. The expressions of an interface are one list of operations, each of
 * which defines a register once. Register s, below nsignals, is signal s in the current sample.
 * Register nsignals + s is signal s in the sample before. Register 2 * nsignals + i is the result
 * of operation i. An operation reads registers below its own. A bit of a register is 0, 1 or
 * unknown; all bits of a signal in the sample before are unknown if there is no such sample.
 *
 * Note [what taps remember]. A register of the description (`register`), not one of operations, has
 * a value that an expression gave it in the sample before, 0 where there is no sample before. A
 * queue (`queue`) has entries, each a value with a key, and none where there is no sample before.
 * Both stand in expressions as made signals, which a design does not have. The one of a register is
 * its value. A queue has two. The first is the value of the oldest entry with the key that is
 * looked for; or else, if one with this key is put in the same sample, the value of that; or else
 * 0. The second is whether there is any. After the rows of a sample were tried, this entry goes if
 * `take` holds; then what is put, and was not taken, becomes the youngest entry. If there was no
 * room for it, the oldest entry goes. What a queue sees are signals, registers and queues before
 * it; what a register sees are all.
 *
 * An expression is a range of operations. It may be evaluated at any time after a sample was taken,
 * without those of other expressions, because it reads nothing but signals and its own operations.
 */
#ifndef NFART_TAP_H
#define NFART_TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TAP_MOST_KEPT = 64,     /* the most bits of a value, or of a key, that taps remember */
	TAP_MOST_SIGNALS = 4096, /* the most signals of an interface */
	TAP_MOST_BITS = 4096,   /* the most bits of a signal, and of any other value */
	TAP_MOST_DEEP = 64,     /* the most entries of a queue */
	TAP_MOST_CODE = 1 << 16 /* the most operations of an interface */
};

/* What an operation does with the values of its registers a, b and c. All values are unsigned. "Not
 * known" is said of a value of which a bit is unknown. Where a narrower operand meets a wider one,
 * it has 0 in the bits that it lacks. */
enum tap_op {
	TAP_NUMBER,  /* the value `number` */
	TAP_SLICE,   /* `width` bits of a, from bit `number` on */
	TAP_CONCAT,  /* {a, b}: a stands above b */
	TAP_INVERT,  /* ~a */
	TAP_NEGATE,  /* -a; unknown if a is not known */
	TAP_AND,     /* a & b */
	TAP_OR,      /* a | b */
	TAP_XOR,     /* a ^ b */
	TAP_ADD,     /* a + b, without a carry; unknown if an operand is not known */
	TAP_SUB,     /* a - b, likewise */
	TAP_LEFT,    /* a << b, as wide as a; unknown if an operand is not known */
	TAP_RIGHT,   /* a >> b, likewise */
	TAP_CHOOSE,  /* a ? b : c. If the truth of a is unknown: where b and c agree, that bit */
	TAP_PAST,    /* a; unknown if there is no sample before */
	/* These have one bit. */
	TAP_NOT,     /* !a: is every bit of a 0? */
	TAP_ALL,     /* &a */
	TAP_ANY,     /* |a: is a bit of a 1? This is the truth of a. */
	TAP_PARITY,  /* ^a; unknown if a is not known */
	TAP_LESS,    /* a < b; unknown if an operand is not known */
	TAP_LESS_EQUAL, /* a <= b, likewise */
	TAP_EQUAL,   /* a == b: 0 if they differ in bits that are known */
	TAP_UNEQUAL, /* a != b: 1 if they differ in bits that are known */
	TAP_BOTH,    /* a && b, of their truths */
	TAP_EITHER   /* a || b, of their truths */
};

/* An operation (Note [registers of taps]). */
struct tap_code {
	enum tap_op op;
	uint32_t width;   /* bits of its register */
	uint32_t a, b, c; /* registers */
	uint64_t number;
};

/* An expression. */
struct tap_expr {
	uint32_t result;     /* its register */
	uint32_t begin, end; /* its operations, [begin, end) */
	bool looks_back;     /* past, stable, rose or fell is in it */
	uint32_t nsignals;
	const uint32_t *signals; /* [nsignals]: the signals in it, each once, in their order */
};

/* A part of a header: `bits` bits of a value, from bit `from` on, at bit `lsb` of the header; or of
 * the message's payload, where from and lsb are 0. Bits above it are 0. */
struct tap_field {
	struct tap_expr value;
	uint32_t from, bits, lsb;
	bool payload;
};

/* A row. Of the rows of a tap the first whose condition holds makes the message. */
struct tap_row {
	const char *type; /* name of the type */
	uint64_t header;  /* the header with the opcode alone */
	struct tap_expr when; /* of one bit */
	uint32_t nfields;
	const struct tap_field *fields; /* [nfields]: other bits of header and payload are 0 */
};

/* The tap of a slot. */
struct tap {
	uint32_t slot;
	uint32_t nrows;
	const struct tap_row *rows; /* [nrows] */
};

/* Who gives a signal its value (Note [what taps remember]). */
enum tap_maker { TAP_DESIGN, TAP_REGISTER, TAP_QUEUE };

struct tap_signal {
	enum tap_maker maker;     /* if it is not the design, it has no names and no usual value */
	const char *name;
	uint32_t bits;            /* at most TAP_MOST_BITS; TAP_MOST_KEPT if it is made */
	uint32_t nnames;
	const char *const *names; /* [nnames]: those that it may have in a design, best first */
	bool has_usual;
	uint64_t usual;           /* with has_usual: its value in a design that lacks it; bits
				   * above are 0 */
};

/* Note [what taps remember]. No expression of a register or a queue looks back. */
struct tap_register {
	uint32_t signal;      /* its value */
	struct tap_expr next; /* the value in the next sample; not wider than the signal */
};

struct tap_queue {
	uint32_t signal;      /* the value; whether there is one is signal + 1 */
	uint32_t deep;        /* how many entries it has, at least 1 */
	uint32_t key_bits;    /* of the wider key; 0: there are no keys */
	struct tap_expr put, put_key, put_when; /* the last has one bit */
	struct tap_expr take_key, take_when;    /* likewise */
};

/* The taps of one interface: of the whole description, or of what one `use` names. */
struct tap_interface {
	const char *name;   /* of the `use`, which is a group of the protocol; NULL: no `use` */
	const char *prefix; /* where its signals are, "" if that is not said */
	bool falling;       /* samples are taken at falling edges of the clock */
	uint32_t nclocks;
	const char *const *clocks; /* [nclocks]: names of the clock, best first. None: each time
				    * stamp is a sample. */
	uint32_t nresets;
	/* [nresets], of one bit: the first whose signals are there is used */
	const struct tap_expr *resets;
	uint32_t nsignals;
	const struct tap_signal *signals; /* [nsignals] */
	uint32_t ncode;
	const struct tap_code *code;      /* [ncode] */
	uint32_t ntaps;
	const struct tap *taps;           /* [ntaps] */
	uint32_t nregisters;
	const struct tap_register *registers; /* [nregisters] */
	uint32_t nqueues;
	const struct tap_queue *queues;   /* [nqueues] */
};

struct tap_form {
	uint32_t ninterfaces;
	const struct tap_interface *interfaces; /* [ninterfaces] */
};

/* Returns how many bits a register has. */
static inline uint32_t tap_width(const struct tap_interface *x, uint32_t reg)
{
	return reg < x->nsignals       ? x->signals[reg].bits
	       : reg < 2 * x->nsignals ? x->signals[reg - x->nsignals].bits
				       : x->code[reg - 2 * x->nsignals].width;
}

/* Returns expression i of registers and queues; NULL: there are no more. One that has no signals
 * may be none. */
static inline const struct tap_expr *tap_memory_expr(const struct tap_interface *x, uint32_t i)
{
	const struct tap_queue *q;

	if (i < x->nregisters)
		return &x->registers[i].next;
	i -= x->nregisters;
	if (i / 5 >= x->nqueues)
		return NULL;
	q = &x->queues[i / 5];
	switch (i % 5) {
	case 0:
		return &q->put;
	case 1:
		return &q->put_key;
	case 2:
		return &q->put_when;
	case 3:
		return &q->take_key;
	default:
		return &q->take_when;
	}
}

/* Returns how many operands an operation has. */
static inline int tap_operands(enum tap_op op)
{
	switch (op) {
	case TAP_NUMBER:
		return 0;
	case TAP_SLICE:
	case TAP_INVERT:
	case TAP_NEGATE:
	case TAP_PAST:
	case TAP_NOT:
	case TAP_ALL:
	case TAP_ANY:
	case TAP_PARITY:
		return 1;
	case TAP_CHOOSE:
		return 3;
	default:
		return 2;
	}
}

#endif

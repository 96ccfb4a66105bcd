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
 * An expression is a range of operations. It may be evaluated at any time after a sample was taken,
 * without those of other expressions, because it reads nothing but signals and its own operations.
 */
#ifndef NFART_TAP_H
#define NFART_TAP_H

#include <stdbool.h>
#include <stdint.h>

enum {
	TAP_MOST_SIGNAL = 64,   /* the most bits of a signal */
	TAP_MOST_SIGNALS = 4096, /* the most signals of an interface */
	TAP_MOST_BITS = 4096,   /* the most bits of a value */
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

/* A part of a header: `bits` bits of a value, from bit `from` on, at bit `lsb` of the header. */
struct tap_field {
	struct tap_expr value;
	uint32_t from, bits, lsb;
};

/* A row. Of the rows of a tap the first whose condition holds makes the message. */
struct tap_row {
	const char *type; /* name of the type */
	uint64_t header;  /* the header with the opcode alone */
	struct tap_expr when; /* of one bit */
	uint32_t nfields;
	const struct tap_field *fields; /* [nfields]: other bits of the header are 0 */
};

/* The tap of a slot. */
struct tap {
	uint32_t slot;
	uint32_t nrows;
	const struct tap_row *rows; /* [nrows] */
};

struct tap_signal {
	const char *name;
	uint32_t bits;            /* at most TAP_MOST_SIGNAL */
	uint32_t nnames;
	const char *const *names; /* [nnames]: those that it may have in a design, best first */
	bool has_usual;
	uint64_t usual;           /* with has_usual: its value in a design that lacks it */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_rails.h: writes the expressions of an interface's taps in Verilog.
 *
 * Note [two rails]. A signal has two values in hardware, so nothing is unknown but what looks back
 * from a sample without a past: the first one, and the first one after a reset. An expression that
 * looks back has two rails: a bit of the second rail is 1 where the bit of the first one is known,
 * and the first one is 0 elsewhere. Other expressions have the first rail alone. The registers of
 * the sample before hold something in a sample without a past, too: TAP_PAST makes it unknown.
 */
#ifndef NFACC_COMPILER_TAP_RAILS_H
#define NFACC_COMPILER_TAP_RAILS_H

#include "compiler/tap/tap_ports.h"

struct tap_rails {
	struct arena *arena;
	const struct tap_ports *ports;
	const struct tap_interface *x;
	uint32_t side;
	struct buf *body;    /* where wires are declared */
	struct buf *unused;  /* names of which not all bits are used, each after ", " */
	uint32_t *wires;     /* how many wires there are */
	/* By register, as far as it was asked for: the texts of both rails. */
	const char **value, **known;
	bool *looks_back;    /* of an operation: may a bit be unknown? */
	bool *is_cut;        /* of a register: it stands in `unused` */
	bool *kept;          /* of a signal: its value in the sample before is used */
	bool has_past;       /* the flag that there is a sample before is used */
	bool failed;         /* out of memory */
};

/* Prepares an interface, of which the signals have the texts `value`, [nsignals]. False: out of
 * memory. */
bool tap_rails_prepare(struct tap_rails *r, const char *const *value);

/* Returns the text of the first rail of a register. */
const char *tap_rails_value(struct tap_rails *r, uint32_t reg);

/* Returns the text of the first rail of a register with zeros above it, `width` bits in all. */
const char *tap_rails_wide(struct tap_rails *r, uint32_t reg, uint32_t width);

/* Returns the text of `bits` bits of the first rail of a register, from bit `from` on. */
const char *tap_rails_slice(struct tap_rails *r, uint32_t reg, uint32_t from, uint32_t bits);

/* Returns the text of the condition that a register is known to be 0. */
const char *tap_rails_false(struct tap_rails *r, uint32_t reg);

/* Writes the name of the flag that says that there is a sample before. */
#define TAP_PAST_FLAG "past$%u"

#endif

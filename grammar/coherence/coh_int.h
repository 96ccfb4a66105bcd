/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * coh_int.h: what the files of the reader of coherence descriptions share. After the first error
 * the functions do nothing, as those of desc.h.
 */
#ifndef NFACC_GRAMMAR_COH_INT_H
#define NFACC_GRAMMAR_COH_INT_H

#include "grammar/coherence/coh.h"
#include "support/desc.h"

struct coh_reader {
	struct desc c;
	struct coh *coh;
	const struct coh_options *options;
	/* Where these statements stood last; length 0: nowhere. */
	struct diag_range tap, start;
	bool memory; /* memory ran out */
};

/* Reads the name of an event and returns its index in coh.events, to which it is added if it is
 * new. The answer has a meaning only if there is no error. */
uint32_t read_event(struct coh_reader *r);

/* Reads the name of a node and returns its number. */
uint32_t read_node(struct coh_reader *r);

/* Reads the value of a variable, `what` in messages. Returns the length, and sets *s to its first
 * byte. */
size_t read_value(struct coh_reader *r, const char **s, const char *what);

/* Returns the number of the value of variable `var` that the token at the cursor names. COH_NONE:
 * it names none. */
uint32_t value_here(const struct coh_reader *r, uint32_t var);

/* Records in *last that a setting stands at `at`. Warns if it stood somewhere before: then *last
 * has a length. `what` is the setting in messages. */
void note_setting(struct coh_reader *r, struct diag_range *last, struct diag_range at,
		  const char *what);

/* Reads a value of variable `var` and returns its number. */
uint32_t read_value_of(struct coh_reader *r, uint32_t var);

/* Adds a variable without values, whose name stands at the cursor. Returns it; NULL after an
 * error. */
struct coh_var *add_var(struct coh_reader *r, uint32_t node);

/* Adds the value at the cursor to a variable. */
void add_value(struct coh_reader *r, struct coh_var *v);

/* Read the statements `message …` of tables, and the rules of a node. */
void read_message(struct coh_reader *r, struct diag_range at);
void read_rule(struct coh_reader *r, struct diag_range at);

#endif
